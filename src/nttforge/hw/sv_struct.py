# SPDX-License-Identifier: Apache-2.0
"""Words of programs, as SystemVerilog has them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

#: Of a struct: names, or (value, bits).
Fields = Mapping[str, str | tuple[int, int]]


def _number(value: int, bits: int) -> str:
    if not 0 <= value < 1 << bits:
        raise ValueError(f"{value} does not fit {bits} bits")
    return f"{bits}'d{int(value)}"


def bits(job: object, **widths: int) -> Fields:
    """A job's attributes as fields of so many bits; None is 0."""
    return {name: (getattr(job, name) or 0, width) for name, width in widths.items()}


def literal(kind: str, fields: Fields) -> str:
    """A struct's literal."""
    words = (
        f"{name}: {value if isinstance(value, str) else _number(*value)}"
        for name, value in fields.items()
    )
    return f"{kind}'{{{', '.join(words)}}}"


@dataclass(frozen=True)
class Table:
    """The jobs of one unit in all programs, as SystemVerilog's package has them.

    - `jobs`: (the number, what it does, the literal) of each.
    - `bases`: where each program's begin.
    """

    jobs: list[tuple[int, str, str]] = field(default_factory=list)
    bases: list[int] = field(default_factory=list)

    def add(self, program: str, listed: Iterable[tuple[str, str]]) -> None:
        """A program's jobs, what each does and its literal; programs share a list that is alike."""
        jobs = list(listed)
        texts, made = [text for _, text in jobs], [text for _, _, text in self.jobs]
        same = (at for at in self.bases if made[at : at + len(texts)] == texts)
        self.bases.append(next(same, len(made)))
        if self.bases[-1] == len(made):
            for label, text in jobs:
                self.jobs.append((len(self.jobs), f"{program}: {label}", text))
