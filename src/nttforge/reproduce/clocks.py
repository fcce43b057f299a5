# SPDX-License-Identifier: Apache-2.0
"""Clocks on ECP5: of each design what is aimed at, what is estimated, and what nextpnr reaches.

The aims are this project's own. A design that does not fit the device, or whose routing takes
hours, is there by its parts, each placed alone between registers.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from nttforge.design import Design, load_design
from nttforge.families import Hardware
from nttforge.flow.prepare import Prepared, Progress, prepare_any
from nttforge.flow.synth import CLOCK_SEEDS, PnrResult, pnr
from nttforge.flow.timing import timing
from nttforge.reproduce.scalable import TIMED, Ours
from nttforge.reproduce.table import Paper, Rows
from nttforge.synthesize.nextpnr import ASKED_MHZ
from nttforge.table import Cell

COLUMNS = [
    "design",
    "part",
    "aim, MHz",
    "estimated, MHz",
    "nextpnr, MHz",
    "estimate's period is off by",
    "seeds",
    "TRELLIS_COMB",
    "FF",
    "MULT18",
    "DP16KD",
]
_SITES = ("TRELLIS_COMB", "TRELLIS_FF", "MULT18X18D", "DP16KD")


@dataclass(frozen=True)
class Placed:
    """A design that is placed, or a part of one.

    Attributes
    ----------
    of
        The design's name, or a row of :mod:`nttforge.reproduce.scalable`.
    aim
        The clock that it should reach, in MHz.
    settings
        Keys of the design that are set.
    part
        The instance or module that is placed alone; none: all of it.
    shell
        With the memory shell around it.
    seeds
        Of placements, which are tried in this order until one reaches the aim; without any it is
        only estimated.
    called
        What is said of the design, if its settings would be too many words.
    asked
        The clock that nextpnr works towards, in MHz.
    """

    of: str | Ours
    aim: int
    settings: dict[str, Any] = field(default_factory=dict)
    part: str = ""
    shell: bool = False
    seeds: tuple[int, ...] = CLOCK_SEEDS
    called: str = ""
    asked: int = ASKED_MHZ

    @property
    def label(self) -> str:
        """What is said of the design."""
        if self.called:
            return self.called
        if isinstance(self.of, Ours):
            butterflies = self.of.table["butterflies"]
            return f"iterative, n = 256, q = 8380417, {self.of.label}, {butterflies}"
        words = [f"{key} = {value}" for key, value in self.settings.items()]
        return ", ".join([self.of, *words])

    def design(self) -> Design:
        """The design itself."""
        if isinstance(self.of, Ours):
            return self.of.design("ecp5")
        return load_design(self.of, {**self.settings, "target": "ecp5"})

    def place(self, prepared: Prepared[Hardware], progress: Progress) -> PnrResult:
        """The best placement of these seeds up to the first that reaches the aim."""
        for tried, _ in enumerate(self.seeds, 1):
            found = pnr(
                prepared,
                part=self.part,
                shell=self.shell,
                seeds=self.seeds[:tried],
                frequency_mhz=self.asked,
                jobs=1,
                progress=progress,
            )
            if found.fmax_mhz >= self.aim:
                break
        return found

    def row(self, clock: bool, progress: Progress) -> list[Cell]:
        """Its cells."""
        prepared = prepare_any(self.design())
        part, shell = self.part, self.shell
        estimate = timing(prepared, part=part, shell=shell, paths=1, progress=progress).fmax_mhz
        what = part or ("with its shell" if shell else "all")
        row: list[Cell] = [self.label, what, self.aim, estimate]
        if not (clock and self.seeds):
            return [*row, *[None] * (len(COLUMNS) - len(row))]
        found = self.place(prepared, progress)
        seeds = found.fmax_by_seed
        off = f"{found.fmax_mhz / estimate - 1:+.0%}"
        sites = [found.utilization.get(site, (0, 0))[0] for site in _SITES]
        return [*row, round(found.fmax_mhz, 1), off, ", ".join(map(str, seeds)), *sites]


def _paper(name: str, designs: Sequence[Placed]) -> Paper:
    """The table of some designs; --clock places them, too, which takes from minutes to hours."""

    def rows(clock: bool, progress: Progress) -> Rows:
        return [placed.row(clock, progress) for placed in designs]

    other = [
        f"nextpnr works towards {placed.asked} MHz for `{placed.part or placed.label}`, and "
        f"towards {ASKED_MHZ} for others."
        for placed in designs
        if placed.asked != ASKED_MHZ
    ]
    title = f"Clocks on an LFE5U-85F of speed grade 8: {name}"
    return Paper(title, COLUMNS, rows, [*_NOTES, *other])


_NOTES = [
    "Estimated: by `nttforge timing`, before anything is placed. nextpnr: the best of these seeds, "
    "of which the second is tried where the first misses the aim. Off by: the estimated period "
    "over the routed one, less one.",
    "A part is placed alone, with a register at each of its ports.",
]
ML_KEM = Placed("ml-kem-coprocessor", 110)
"""The coprocessor, whose clock other tables have, too."""
_SHELL = {"pipeline.adders_per_stage": 1, "pipeline.butterflies": 2, "shell.instances": 4}
# Eight words a beat instead of 32: a part is taken out of what is elaborated, which holds every
# instance and would take more memory than most machines have.
_HBM = {
    "decomposed.n": 32,
    "decomposed.t": 8,
    "decomposed.digit": 5,
    "decomposed.made": 4,
    "decomposed.kernels": 2,
    "decomposed.engines": 2,
    "decomposed.own_channels": True,
}
_HBM_CALLED = "hbm-64 with 8 words a beat, two engines of two kernels, channels of their own"
DESIGNS: Mapping[str, Sequence[Placed]] = {
    "pipeline": (Placed("mlkem-mldsa", 150),),
    "pipeline-fast": (Placed("mlkem-mldsa-fast", 175),),
    "iterative": tuple(Placed(ours, 140) for ours in TIMED if ours.table["butterflies"] == 1),
    "iterative-wide": tuple(Placed(ours, 140) for ours in TIMED if ours.table["butterflies"] > 1),
    "shell": (
        Placed("ml-kem", 150, _SHELL, "shell_control", shell=True),
        Placed("ml-kem", 150, _SHELL, "shell_instance", shell=True),
        Placed("ml-kem", 150, _SHELL, shell=True),
    ),
    # The presets have the paper's few flip-flops, which cost a device with slower tables its clock.
    # Here they have more, and credits: a net that enables all multiplier blocks ends at so many of
    # the device that its router does not. The queue of the widest beats is in block RAM. Of wider
    # moduli as many butterflies as fit.
    "streamntt": tuple(
        Placed(name, 140, {**keys, "pipeline.flow_control": "credits"})
        for name, keys in (
            ("streamntt-12289", {"pipeline.adders_per_stage": 2}),
            ("streamntt-7681", {"pipeline.adders_per_stage": 1, "pipeline.ram_block_from": 64}),
            ("streamntt-8380417", {"pipeline.adders_per_stage": 1, "pipeline.butterflies": 4}),
            ("streamntt-3221225473", {"pipeline.adders_per_stage": 1, "pipeline.butterflies": 2}),
        )
    ),
    "decomposed": (
        *(
            Placed("sam-64", 120, part=part)
            for part in (
                *("decomposed_control", "pass_scheduler", "unload_walker", "burst_walker"),
                *("burst_reader", "burst_writer"),
            )
        ),
        *(
            Placed("sam-64", 120, {"decomposed.adders_per_stage": 2}, part=part)
            for part in ("twiddle_generator", "butterfly")
        ),
        Placed("sam-tiny", 120),
    ),
    # What engines with many channels have besides.
    "hbm": tuple(
        Placed("hbm-64", 120, _HBM, part=part, called=_HBM_CALLED)
        for part in (
            *("decomposed_control", "round_sequencer", "round_barrier", "channel_map"),
            *("port_faults", "kernel_stage", "hand_over_queue", "burst_reader", "burst_writer"),
        )
    ),
    "ml-kem": (ML_KEM,),
    # The device has not all the multiplier blocks of both.
    "ml-dsa": (
        Placed("ml-dsa-core", 100, seeds=()),
        Placed("ml-dsa-core", 100, part="mldsa_core", asked=100),
        Placed("ml-dsa-core", 100, part="ntt_pipeline"),
        Placed("ml-dsa-core", 100, part="sponge"),
    ),
    # ML-DSA's units and the sponge are those of its own core.
    "pqc": (
        Placed("pqc-coprocessor", 100, part="mlkem_core"),
        Placed("pqc-coprocessor", 100, part="ntt_pipeline", seeds=(1, 2, 3)),
    ),
}

CLOCKS: Mapping[str, Paper] = {
    f"clocks-{name}": _paper(name, designs) for name, designs in DESIGNS.items()
}
"""Tables that are recorded apart, for each takes long."""
