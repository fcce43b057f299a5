# SPDX-License-Identifier: Apache-2.0
"""Bounds of figures: options as `--max-lut 4000`, and a report for continuous integration.

An option says which figure of a result it bounds by its name, `max_lut` or `min_mhz`. A verb has
those whose figures its results have (:attr:`nttforge.results.Result.figures`).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from xml.etree import ElementTree as Xml

from nttforge.cli.outcome import Outcome
from nttforge.errors import FaultError, NttforgeError
from nttforge.flow.prepare import Progress
from nttforge.options.verbs import BOUNDS
from nttforge.output import check_writable, write_bytes

_LEAST = "min_"
Job = Callable[[Progress], Outcome]


def _figure(option: str) -> str:
    """The figure that an option bounds."""
    return option.partition("_")[2]


@dataclass(frozen=True)
class Bound:
    """A bound, and the figure that is to keep to it."""

    option: str
    limit: float
    found: float

    @property
    def ok(self) -> bool:
        """Whether it keeps to it."""
        if self.option.startswith(_LEAST):
            return self.found >= self.limit
        return self.found <= self.limit

    @property
    def flag(self) -> str:
        """As it was given."""
        return f"--{self.option.replace('_', '-')}"

    @property
    def text(self) -> str:
        """The message for a violated bound."""
        relation = "less" if self.option.startswith(_LEAST) else "more"
        said = "keeps to" if self.ok else f"is {relation} than"
        return f"{_figure(self.option)} {self.found:,} {said} {self.flag} {self.limit:,.10g}"


@dataclass(frozen=True)
class Gate:
    """Bounds on a verb's result by option, and the file of its JUnit report."""

    verb: str
    design: str
    limits: Mapping[str, float]
    junit: Path | None

    def around(self, job: Job) -> Job:
        """The same job, whose outcome is held to the bounds, and reported."""

        def held(progress: Progress) -> Outcome:
            if self.junit is not None:
                check_writable(self.junit)
            try:
                outcome = job(progress)
            except (NttforgeError, FaultError) as error:
                self._report([(self.verb, str(error))])
                raise
            bounds = [self._bound(outcome, name) for name in self.limits]
            broken = [bound.text for bound in bounds if not bound.ok]
            own = "" if outcome.ok else "it did not hold"
            cases = [(bound.flag, "" if bound.ok else bound.text) for bound in bounds]
            self._report([(self.verb, own), *cases])
            said = {"bounds": [asdict(bound) | {"ok": bound.ok} for bound in bounds]}
            return replace(
                outcome,
                data=outcome.data | (said if bounds else {}),
                ok=outcome.ok and not broken,
                problem="; ".join(broken),
            )

        return held

    def _bound(self, outcome: Outcome, option: str) -> Bound:
        return Bound(option, self.limits[option], outcome.figures[_figure(option)])

    def _report(self, cases: Sequence[tuple[str, str]]) -> None:
        if self.junit is not None:
            write_junit(self.junit, self.verb, self.design, cases)


def gate_of(verb: str, given: Mapping[str, object]) -> Gate:
    """Bounds and report that were asked for, of a verb's options."""
    bounds = {name: value for name, value in given.items() if name in BOUNDS}
    limits = {name: float(str(value)) for name, value in bounds.items() if value is not None}
    junit = given.get("junit")
    path = None if junit is None else Path(str(junit))
    return Gate(verb, str(given.get("design", "")), limits, path)


def _printable(text: str) -> str:
    """With codes in place of characters that XML cannot hold."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def write_junit(path: Path, verb: str, design: str, cases: Sequence[tuple[str, str]]) -> None:
    """Write a JUnit report of `cases`: (name, what is wrong with it) each."""
    failures = sum(bool(problem) for _, problem in cases)
    counts = {"tests": str(len(cases)), "failures": str(failures), "errors": "0"}
    suite = Xml.Element("testsuite", {"name": f"nttforge {verb}", **counts})
    for name, problem in cases:
        case = Xml.SubElement(suite, "testcase", {"classname": f"nttforge.{design}", "name": name})
        if problem:
            Xml.SubElement(case, "failure", {"message": _printable(problem)})
    Xml.indent(suite)
    write_bytes(path, Xml.tostring(suite, "utf-8", xml_declaration=True))
