# SPDX-License-Identifier: Apache-2.0
"""Signals for waveforms, as SystemVerilog that is bound to a core, and as viewers' files."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from nttforge.emit.text import Escaping
from nttforge.hw import Core
from nttforge.hw.view import Case, Tap, View


def _bits(count: int) -> int:
    return max(1, (count - 1).bit_length())


@dataclass(frozen=True)
class _Shown(Tap):
    """A tap as the template sees it."""

    @property
    def beat_bits(self) -> int:
        return max([_bits(case.layout.beats) for case in self.cases.values()], default=1)

    @property
    def index_bits(self) -> int:
        return max(1, *(len(case.layout.bits) for case in self.cases.values()))

    @property
    def letters(self) -> int:
        return max(len(case.label) for case in self.cases.values())

    @property
    def labels(self) -> list[tuple[int, str]]:
        return [(code, case.label.ljust(self.letters)) for code, case in self.cases.items()]

    def indices(self, lane: int) -> Iterator[tuple[int, int, str]]:
        """Code, modulus, and the index of the lane's coefficient as an expression of the beat."""
        for code, case in self.cases.items():
            yield code, case.ring.q, _index(case, lane, self.index_bits)

    def residue(self, word: str, q: int) -> str:
        """A word in [0, q)."""
        wide = self.bits + 1
        if not self.signed:
            return f"{{1'b0, {word}}}"
        # The remainder of a negative number is one.
        modulus = f"{wide}'sd{q}"
        left = f"($signed({{{word}[{self.bits - 1}], {word}}}) % {modulus})"
        return f"$unsigned({left} < 0 ? {left} + {modulus} : {left})"


def _index(case: Case, lane: int, bits: int) -> str:
    """Bits of the index, the highest first: of the lane's number, or of the beat's."""
    layout, own = case.layout, lane ^ case.mirror
    parts = [f"{bits - len(layout.bits)}'d0"] if bits > len(layout.bits) else []
    for bit in reversed(range(len(layout.bits))):
        position = layout.position(bit)
        if position < layout.lane_bits:
            parts.append(f"1'b{own >> position & 1}")
        else:
            parts.append(f"beat[{position - layout.lane_bits}]")
    return f"{{{', '.join(parts)}}}"


def view_text(view: View) -> str:
    """A module that shows a view's taps, and its binding to the module that they are in."""
    taps = [_Shown(**vars(tap)) for tap in view.taps]
    template = Escaping(".sv").get_template("view.sv.j2")
    return template.render(view=view, taps=taps, name=f"{view.module}_view")


#: How a signal is shown: GTKWave's flags, and Surfer's name of the format.
_FORMATS = {"bits": ("@28", "Binary"), "hex": ("@22", "Hexadecimal"), "ascii": ("@820", "ASCII")}
_FORMATS |= {"number": ("@24", "Unsigned"), "signed": ("@420", "Signed")}


@dataclass(frozen=True)
class Signal:
    """A signal of a trace: its path, its bits, and how it is to be shown."""

    path: str
    bits: int
    format: str

    @property
    def name(self) -> str:
        """As GTKWave calls it."""
        return self.path if self.bits == 1 else f"{self.path}[{self.bits - 1}:0]"


def _of_tap(tap: Tap, scope: str) -> Iterator[Signal]:
    here, shown = f"{scope}.u_view.{tap.name}", _Shown(**vars(tap))
    yield Signal(f"{here}.valid", 1, "bits")
    for number in range(len(tap.addresses)):
        yield Signal(f"{here}.address_{number}", 32, "number")
    if tap.cases:
        yield Signal(f"{here}.operation", 8 * shown.letters, "ascii")
        yield Signal(f"{here}.beat", shown.beat_bits, "number")
    for lane in range(len(tap.words)):
        if tap.cases:
            yield Signal(f"{here}.lane_{lane}.index", shown.index_bits, "number")
            yield Signal(f"{here}.lane_{lane}.value", tap.bits + 1, "number")
        else:
            yield Signal(f"{here}.lane_{lane}.word", tap.bits, "signed" if tap.signed else "hex")


def signals(core: Core, scope: str) -> list[tuple[str, list[Signal]]]:
    """Groups of signals for a viewer: words by place, then ports of the top in `scope`."""
    groups: list[tuple[str, list[Signal]]] = []
    for view in core.views:
        alone = scope.endswith(f".{view.module}") or not view.instance
        inside = scope if alone else f"{scope}.{view.instance}"
        if not groups:
            groups.append(("time", [Signal(f"{inside}.u_view.cycle", 32, "number")]))
        groups += [(tap.place, list(_of_tap(tap, inside))) for tap in view.taps]
    widths: dict[str, int] = {}
    for port in core.wrapper.ports:
        if port.inside:
            widths[port.inside] = widths.get(port.inside, 0) + port.width
    ports: dict[str, list[Signal]] = {}
    for name, bits in widths.items():
        group, _, rest = name.rpartition("_")
        if group == "m_axi":
            continue  # of each channel, of as many as were simulated
        signal = Signal(f"{scope}.{name}", bits, "bits" if bits == 1 else "hex")
        ports.setdefault(f"port {group}" if rest not in "io" else "levels", []).append(signal)
    top = scope.rpartition(".")[2]
    return groups + (list(ports.items()) if top in (core.top, "u_dut") else [])


def gtkwave(trace: str, groups: Sequence[tuple[str, Sequence[Signal]]]) -> str:
    """A save file of GTKWave for a trace that lies beside it."""
    lines = [f'[dumpfile] "{trace}"', "[timestart] 0"]
    for name, shown in groups:
        lines += ["@800200", f"-{name}"]
        for signal in shown:
            lines += [_FORMATS[signal.format][0], signal.name]
        lines += ["@1000200", f"-{name}"]
    return "\n".join([*lines, ""])


def surfer(trace: str, groups: Sequence[tuple[str, Sequence[Signal]]]) -> str:
    """A command file of Surfer for a trace that lies beside it."""
    lines = [f"load_file {trace}"]
    for name, shown in groups:
        lines.append(f"divider_add {name.replace(' ', '_')}")
        for signal in shown:
            lines += [f"variable_add {signal.path}"]
            lines += [f"item_set_format {_FORMATS[signal.format][1]}"]
    return "\n".join([*lines, "zoom_fit", ""])
