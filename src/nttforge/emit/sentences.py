# SPDX-License-Identifier: Apache-2.0
"""Sentences of a folder's README, derived from the design."""

from collections.abc import Callable, Mapping, Sequence

from nttforge.hw.core import Operation, StreamCore
from nttforge.hw.shell import StreamFormat


def count(number: int, noun: str) -> str:
    """A number and its noun: `1 engine`, `2 engines`."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _names(operations: Sequence[Operation]) -> str:
    return ", ".join(f"`{operation.name}`" for operation in operations)


def beat(stream: StreamFormat, operations: Sequence[Operation]) -> str:
    """Content of a beat of the streams."""
    packed = [operation for operation in operations if operation.packed_bits]
    what = "word" if packed else "coefficient"
    text = f"{count(stream.lanes, what)} of {stream.word_bits} bits, lane 0 in the lowest bits"
    if stream.byte_lanes:
        text += (
            f", each lane {count(stream.lane_bits // 8, 'byte')}, in which bits above the {what} "
            "are not looked at on the way in, and zero on the way out"
        )
    if not packed:
        return text
    return (
        f"{text}; a word is two coefficients of {packed[0].packed_bits} bits, 2i below 2i + 1, in "
        f"{_names(packed)}, and one in the others"
    )


def beats(operations: Sequence[Operation]) -> str:
    """Beats of a polynomial in the stream."""
    by_count: dict[int, list[Operation]] = {}
    for operation in operations:
        by_count.setdefault(operation.beats, []).append(operation)
    if len(by_count) == 1:
        return f"a polynomial is {count(operations[0].beats, 'beat')}"
    parts = (f"{count(beats, 'beat')} in {_names(of)}" for beats, of in by_count.items())
    return f"a polynomial is {' and '.join(parts)}"


def errors(stream: StreamFormat, operations: Sequence[Operation]) -> str:
    """Meaning of the error bit."""
    causes = ["too short", "too long"]
    if len(operations) < 1 << stream.user_bits:
        causes.append("of no known operation")
    return f"what came was {', '.join(causes[:-1])} or {causes[-1]}"


def scaling(operations: Sequence[Operation]) -> str:
    """The factors of inverse transforms, or nothing."""
    inverse = [operation for operation in operations if operation.inverse]
    if not inverse:
        return ""
    parts = (f"`{operation.name}` divides by {1 << operation.ring.layers}" for operation in inverse)
    return f" Factors are included: {', '.join(parts)}."


def idle(core: StreamCore, operation: Operation) -> int:
    """Cycles without a beat at the input, of each operation that follows others of its kind."""
    intervals: Sequence[int] = core.facts["intervals"]
    return max(0, intervals[operation.code] - operation.beats * operation.operands)


def steady(core: StreamCore) -> str:
    """Accuracy of those cycles, or nothing."""
    if core.facts.get("contexts", 1) == 1:
        return ""
    return (
        f" With {core.facts['contexts']} operations under way at a time it may be somewhat more or "
        "less: `nttforge measure` observes it."
    )


def turns(core: StreamCore) -> str:
    """Cost of one operation following another."""
    if len(core.operations) == 1:
        return ""
    if "turnaround" not in core.facts:
        return (
            "Idle cycles between two different operations depend on both: `nttforge measure` "
            "observes them."
        )
    pairs = [core.turnaround(a, b) for a in core.operations for b in core.operations]
    if not any(pairs):
        return "Any operation follows any other without an idle cycle."
    head = "".join(f" `{operation.name}` |" for operation in core.operations)
    rows = (
        f"| `{a.name}` |" + "".join(f" {core.turnaround(a, b)} |" for b in core.operations)
        for a in core.operations
    )
    return "\n".join(
        (
            "Idle cycles between two operations (rows: first, columns: second):",
            "",
            f"| |{head}",
            "|---|" + "---|" * len(core.operations),
            *rows,
        )
    )


SENTENCES: Mapping[str, Callable[..., object]] = {
    "count": count,
    "beat": beat,
    "beats": beats,
    "errors": errors,
    "scaling": scaling,
    "idle": idle,
    "steady": steady,
    "turns": turns,
}
"""By the names that templates call them."""
