# SPDX-License-Identifier: Apache-2.0
"""One of our designs in a table: what is measured of it, each figure once and when it is asked."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, cast

import numpy as np

from nttforge.design import Design, load_design, parse_design
from nttforge.flow.backends import backend_of
from nttforge.flow.clock import clock_of, mapped_lut4
from nttforge.flow.prepare import Prepared, Progress, prepare_any, silent
from nttforge.flow.reference import random_polynomials
from nttforge.flow.synth import CLOCK_SEEDS, PnrResult, SynthResult, pnr, synth
from nttforge.flow.timing import timing, timing_in_a_design
from nttforge.hw import StreamCore
from nttforge.kinds.stream.measure import MeasureResult, Throughput
from nttforge.kinds.stream.shell import ShellThroughput, measure_shell
from nttforge.options.verbs import MeasureOptions
from nttforge.results import Clock
from nttforge.ring.ring import Ring
from nttforge.synthesize.nextpnr import ASKED_MHZ

#: Keys of a row that say which design it is of, and how it is measured.
SPEC: Mapping[str, Any] = {
    "design": {},  # a preset's name, or keys of a design
    "label": "",  # what is said of it, if not the preset and its settings
    "settings": {},  # keys that differ from the preset's
    "data": {},  # keys that designs of a table have in common
    "target": None,
    "count": None,  # transforms, or runs of each operation
    "area": True,  # to be synthesized; "clock": only with --place
    "placed": True,  # to be placed with --place
    "time_limit": 3600,
    "part": "",  # the instance or module that is placed alone
    "shell": False,  # with the memory shell
    "aim": None,  # MHz that the design should reach
    "seeds": CLOCK_SEEDS,  # tried in this order until one reaches the aim
    "asked": ASKED_MHZ,  # MHz that nextpnr works towards
}


@dataclass(frozen=True)
class Speed:
    """A clock, where it is from, and look-up tables on ECP5."""

    mhz: float
    source: str
    lut4: int


class Subject:
    """A design of ours, and what is measured of it.

    Parameters
    ----------
    given
        Keys of :data:`SPEC`.
    clock
        Whether what takes long is measured too.
    progress
        Is called with what is being done.
    """

    def __init__(self, given: Mapping[str, Any], clock: bool, progress: Progress = silent) -> None:
        self.spec = {key: given.get(key, usual) for key, usual in SPEC.items()}
        self.clocked, self.progress = clock, progress
        self.variant = cache(self._variant)

    @cached_property
    def design(self) -> Design:
        """The design itself."""
        of, target = self.spec["design"], self.spec["target"]
        changed = {} if target is None else {"target": target}
        if isinstance(of, str):
            return load_design(of, {**self.spec["settings"], **changed})
        data = {**self.spec["data"], **of, **changed}
        return parse_design(data, data["name"])

    @cached_property
    def label(self) -> str:
        """What is said of it: as given, or a preset and the keys that differ."""
        if self.spec["label"]:
            return cast(str, self.spec["label"])
        words = (f"{key} = {value}" for key, value in self.spec["settings"].items())
        return ", ".join([self.spec["design"], *words])

    @cached_property
    def prepared(self) -> Prepared[Any]:
        """The core and its folder."""
        return prepare_any(self.design)

    @cached_property
    def core(self) -> Any:
        """The core."""
        return self.prepared.core

    @property
    def butterflies(self) -> int:
        """Butterflies a stage, or in all."""
        return cast(int, self.design.model_dump()[self.design.family]["butterflies"])

    @property
    def ring(self) -> Ring:
        """The ring of the first operation."""
        return cast(StreamCore, self.core).operations[0].ring

    def _variant(self, key: str, value: Any) -> "Subject":
        """The same with another setting."""
        settings = {**self.spec["settings"], key: value}
        return Subject({**self.spec, "settings": settings}, self.clocked, self.progress)

    @cached_property
    def ecp5(self) -> "Subject | None":
        """The same for ECP5, if it is to be placed."""
        if not (self.clocked and self.spec["placed"]):
            return None
        return Subject({**self.spec, "target": "ecp5"}, True, self.progress)

    @cached_property
    def measured(self) -> Any:
        """What `nttforge measure` gives."""
        given = MeasureOptions(count=self.spec["count"])
        return backend_of(self.core).measure(self.prepared, given, self.progress)

    @cached_property
    def shell_jobs(self) -> ShellThroughput | None:
        """Jobs through the memory shell alone."""
        rng = np.random.default_rng(0)
        return measure_shell(self.prepared, self.spec["count"], rng, progress=self.progress)

    def batch(self, count: int, name: str | None = None) -> int:
        """Cycles from the first beat in to the last beat out of so many transforms."""
        operations = cast(StreamCore, self.core).operations
        of = next(each for each in operations if name in (None, each.name))
        polynomials = random_polynomials(of.ring, count, np.random.default_rng(0))
        with self.prepared.simulator() as simulator:
            run = simulator.stream([of] * count, polynomials)
        return int(run.last_out[-1] - run.first_in[0] + 1)

    @property
    def forward(self) -> Throughput:
        """The first transform, streamed back to back."""
        return cast(MeasureResult, self.measured).operations[self.core.operations[0].name]

    @property
    def inverse(self) -> Throughput:
        """Its inverse."""
        name = self.core.operations[0].name.removesuffix("ntt") + "intt"
        return cast(MeasureResult, self.measured).operations[name]

    def each(self, operation: str) -> int | float | None:
        """Cycles of an operation streamed back to back; None if the core has none of that name."""
        found = cast(MeasureResult, self.measured).operations.get(operation)
        return None if found is None else found.cycles_per_transform

    @cached_property
    def area(self) -> SynthResult | None:
        """What `nttforge synth` gives for UltraScale+; None if it is not to be synthesized."""
        wanted = self.clocked if self.spec["area"] == "clock" else self.spec["area"]
        if not wanted:
            return None
        how = {name: self.spec[name] for name in ("shell", "time_limit")}
        return synth(self.prepared, "xcup", **how, progress=self.progress)

    @cached_property
    def estimate(self) -> float:
        """MHz by `nttforge timing`."""
        how = {"instance": self.spec["part"], "shell": self.spec["shell"]}
        return timing(self.prepared, **how, paths=1, progress=self.progress).fmax_mhz

    def place(self) -> PnrResult:
        """The best placement of the seeds up to the first that reaches the aim."""
        for tried, _ in enumerate(self.spec["seeds"], 1):
            found = pnr(
                self.prepared,
                instance=self.spec["part"],
                shell=self.spec["shell"],
                seeds=self.spec["seeds"][:tried],
                frequency_mhz=self.spec["asked"],
                jobs=1,
                progress=self.progress,
            )
            if found.fmax_mhz >= self.spec["aim"]:
                break
        return found

    @cached_property
    def routed(self) -> PnrResult | None:
        """What nextpnr reaches; None without --place or seeds."""
        return self.place() if self.clocked and self.spec["seeds"] else None

    @cached_property
    def clock(self) -> Clock:
        """The clock by the usual seeds."""
        return clock_of(self.prepared, progress=self.progress)

    @cached_property
    def speed(self) -> Speed:
        """The clock beside a peer's: placed with --place, else estimated with the peer's wires."""
        if not self.clocked:
            found = timing_in_a_design(self.prepared, progress=self.progress)
            lut4 = mapped_lut4(self.prepared, progress=self.progress)
            return Speed(found.fmax_mhz, "estimate", lut4)
        if self.routed is not None and self.spec["aim"]:
            return Speed(
                self.routed.fmax_mhz, "nextpnr", self.routed.utilization["TRELLIS_COMB"][0]
            )
        return Speed(self.clock.mhz, "nextpnr", self.clock.lut4)

    @property
    def tried(self) -> str | None:
        """The seeds that were tried."""
        return None if self.routed is None else ", ".join(map(str, self.routed.fmax_by_seed))

    def site(self, name: str) -> int | None:
        """How many of the device's sites were taken."""
        return None if self.routed is None else self.routed.utilization.get(name, (0, 0))[0]
