# SPDX-License-Identifier: Apache-2.0
"""How the engine is synthesized: which modules once each, and what its parts are called."""

#: Modules that stay modules: what is there many times, and the parts themselves. The fewer there
#: are the closer is the sum to the flat design; see :mod:`nttforge.synthesize.repeats`.
PIECES = (
    "burst_reader",
    "burst_writer",
    "butterfly",
    "load_queue",
    "mod_mul",
    "mod_settle",
    "ntt_pipeline",
    "plane_buffer",
    "twiddle_generator",
    "twiddle_multiplier",
    "twiddle_tables",
    "unload_queue",
    "xor_network",
)

#: Parts by the instances that are theirs; what no instance here holds is the last one's.
PARTS = {
    "kernel": ("u_engine.u_data.u_kernel",),
    "twiddle multipliers": ("u_engine.u_data.u_multiplier",),
    "twiddle generator and tables": (
        "u_engine.u_data.u_generator",
        "u_engine.u_data.u_tables",
    ),
    "buffer": (
        "u_engine.u_data.u_buffer",
        "u_engine.u_data.u_load",
        "u_engine.u_data.u_unload",
    ),
    "memory movers": (
        "u_engine.u_machine.u_memory.gen_read",
        "u_engine.u_machine.u_memory.gen_write",
    ),
    "walkers and control": ("",),
}
