# SPDX-License-Identifier: Apache-2.0
"""Synthesis of the engine: modules that are synthesized once each, and labels of its parts."""

#: Modules that stay modules: what is there many times, and the parts themselves. The fewer there
#: are the closer is the sum to the flat design; see :mod:`nttforge.synthesize.repeats`.
PIECES = (
    "ntf_burst_reader",
    "ntf_burst_writer",
    "ntf_butterfly",
    "ntf_load_queue",
    "ntf_mod_mul",
    "ntf_mod_settle",
    "ntf_pipeline",
    "ntf_plane_buffer",
    "ntf_twiddle_generator",
    "ntf_twiddle_multiplier",
    "ntf_twiddle_tables",
    "ntf_unload_queue",
    "ntf_xor_network",
)

# Instances of an engine, by part: of its data path, and of its control.
_DATA = {
    "kernel": ("u_kernel",),
    "twiddle multipliers": ("u_multiplier",),
    "twiddle generator and tables": ("u_generator", "u_tables"),
    "buffer": ("u_buffer", "u_load", "u_unload", "gen_unload", "gen_hand_over"),
}
_MOVERS = ("gen_read", "gen_write")


def parts(engines: int, kernels: int) -> dict[str, tuple[str, ...]]:
    """Parts by the instances that are theirs; what no instance here holds is the last one's."""
    each = [f"gen_engine[{engine}]" for engine in range(engines)]
    paths = [f"gen_engine[{path}]" for path in range(engines * kernels)]
    return {
        **{
            part: tuple(f"u_engine.{at}.u_data.{name}" for at in paths for name in names)
            for part, names in _DATA.items()
        },
        "memory movers": tuple(
            f"u_engine.u_machine.{at}.u_engine.u_memory.{name}" for at in each for name in _MOVERS
        ),
        "walkers and control": ("",),
    }
