# SPDX-License-Identifier: Apache-2.0
"""How the engine is synthesized: which modules once each, and what its parts are called."""

#: Modules that stay modules; see :mod:`nttforge.synthesize.repeats`.
PIECES = (
    "axi_lite_port",
    "burst_reader",
    "burst_walker",
    "burst_writer",
    "butterfly",
    "commutator",
    "decomposed_control",
    "load_queue",
    "load_walker",
    "mod_mul",
    "mod_settle",
    "ntt_pipeline",
    "ntt_stage",
    "pass_scheduler",
    "pass_walker",
    "plane_buffer",
    "prim_fifo",
    "prim_ram_1r1w",
    "round_sequencer",
    "twiddle_generator",
    "twiddle_multiplier",
    "twiddle_planner",
    "twiddle_tables",
    "unload_queue",
    "unload_walker",
    "xor_network",
)

#: Parts by the instances that are theirs; what no instance here holds is the last one's.
PARTS = {
    "kernel": ("u_engine.u_data.gen_data.u_kernel",),
    "twiddle multipliers": ("u_engine.u_data.gen_data.u_multiplier",),
    "twiddle generator and tables": (
        "u_engine.u_data.u_generator",
        "u_engine.u_data.gen_data.u_tables",
    ),
    "buffer": (
        "u_engine.u_data.u_buffer",
        "u_engine.u_data.u_load",
        "u_engine.u_data.u_unload",
    ),
    "memory movers": ("u_engine.u_reader", "u_engine.u_writer"),
    "walkers and control": ("",),
}
