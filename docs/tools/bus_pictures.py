# SPDX-License-Identifier: Apache-2.0
"""Draw one transaction on the bus for each kind of core, as simulated, for the pages.

`python -m docs.tools.bus_pictures NAME -o docs/bus-NAME.svg` runs the transaction in the compiled
RTL, reads its trace, and draws the handshakes of each channel. A payload is drawn in the cycle in
which valid and ready are both high. A break leaves out cycles without an event; of long packets it
leaves out all transfers but the first and the last ones.
"""

import argparse
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from subprocess import PIPE

from nttforge.draw.canvas import Canvas
from nttforge.output import write_text
from nttforge.simulate.waves import cycles

Values = Mapping[str, int]
Label = Callable[[Values], str]

COLUMN, LEFT, TOP = 15, 210, 66
WAVE, SHORT = 16, 16
#: Cycles that are drawn around an event, and the fewest that a break leaves out.
AROUND, LEAST = 1, 3
#: The most transfers of a channel that are all drawn, and how many at each end of more.
MOST, ENDS = 12, 2


@dataclass(frozen=True)
class Channel:
    """One channel: its handshake, and what a transferred payload is called."""

    title: str
    valid: str
    ready: str = ""
    label: Label | None = None
    payload: tuple[str, ...] = ()
    height: int = SHORT

    @property
    def signals(self) -> tuple[str, ...]:
        """All signals that are read from the trace."""
        return tuple(name for name in (self.valid, self.ready, *self.payload) if name)


@dataclass(frozen=True)
class Transaction:
    """A command that simulates one transaction, and what of its trace is drawn."""

    title: str
    command: str
    channels: tuple[Channel, ...]
    prefix: str = "TOP."
    files: Mapping[str, str] | None = None
    registers: str = ""
    last: str = ""


def stream(side: str, lanes: int, bits: int, title: str) -> Channel:
    """An AXI4-Stream of words, shown lane by lane, the lowest first."""

    def label(values: Values) -> str:
        data = values[f"{side}_tdata"]
        words = [str(data >> bits * lane & (1 << bits) - 1) for lane in range(lanes)]
        return " ".join(words) + (" last" if values[f"{side}_tlast"] else "")

    names = (f"{side}_tvalid", f"{side}_tready")
    return Channel(title, *names, label, (f"{side}_tdata", f"{side}_tlast"), 92)


def packets(side: str, title: str) -> Channel:
    """An AXI4-Stream of 64-bit words, of which only the last one is marked."""
    return Channel(
        title,
        f"{side}_tvalid",
        f"{side}_tready",
        lambda values: "last" if values[f"{side}_tlast"] else "",
        (f"{side}_tlast",),
    )


def keys(seeds: str, public: str, secret: str) -> tuple[Channel, ...]:
    """The streams of a coprocessor that makes keys."""
    return (
        packets("s_sec", seeds),
        packets("m_pub", f"public out: {public}"),
        packets("m_sec", f"secret out: {secret}"),
    )


def registers(names: Mapping[int, str]) -> tuple[Channel, Channel]:
    """AXI4-Lite: writes and reads, by the names of the registers."""

    def name(address: int) -> str:
        return names.get(address, f"{names.get(address - 4, hex(address))} high")

    return (
        Channel(
            "register write",
            "s_axi_awvalid",
            "s_axi_awready",
            lambda v: f"{name(v['s_axi_awaddr'])} = {v['s_axi_wdata']:#x}",
            ("s_axi_awaddr", "s_axi_wdata"),
            138,
        ),
        Channel(
            "register read",
            "s_axi_arvalid",
            "s_axi_arready",
            lambda v: name(v["s_axi_araddr"]),
            ("s_axi_araddr",),
            52,
        ),
    )


def memory() -> tuple[Channel, ...]:
    """The channels of one AXI4 memory port."""
    sides = [("read", "ar", "r"), ("write", "aw", "w")]
    found: list[Channel] = []
    for side, address, data in sides:
        found.append(
            Channel(
                f"{side} address",
                f"m_axi_{address}valid",
                f"m_axi_{address}ready",
                lambda v, a=address: f"{v[f'm_axi_{a}addr[0]']:#x}",  # type: ignore[misc]
                (f"m_axi_{address}addr[0]",),
                74,
            )
        )
        found.append(
            Channel(
                f"{side} data",
                f"m_axi_{data}valid",
                f"m_axi_{data}ready",
                lambda v, d=data: "last" if v[f"m_axi_{d}last"] else "",  # type: ignore[misc]
                (f"m_axi_{data}last",),
            )
        )
    return (*found, Channel("write response", "m_axi_bvalid", "m_axi_bready"))


X = {"x.txt": "3 1 4 1 5 9 2 6 5 3 5 8 9 7 9 3\n"}
RING = "rings = [{ n = 16, q = 97 }]\n"
ROW = f'name = "row"\nfamily = "iterative"\n{RING}[iterative]\nbutterflies = 2\n'
JOB = f'name = "job"\n{RING}[shell]\ninstances = 1\n'
RUN = "nttforge run {} --op ntt --input x.txt --output y.txt --trace t.vcd"
ZEROS = 64 * "0"

TRANSACTIONS = {
    "stream": Transaction(
        "A transform of 16 coefficients, one butterfly a stage",
        RUN.format("design.toml"),
        (stream("s_axis", 2, 7, "coefficients in"), stream("m_axis", 2, 7, "values out")),
        files=X | {"design.toml": f'name = "sixteen"\n{RING}'},
    ),
    "iterative": Transaction(
        "A transform of 16 coefficients, one row of two butterflies",
        RUN.format("design.toml"),
        (stream("s_axis", 4, 7, "coefficients in"), stream("m_axis", 4, 7, "values out")),
        files=X | {"design.toml": ROW},
    ),
    "shell": Transaction(
        "A job of the memory shell: a transform of 16 coefficients",
        RUN.format("design.toml"),
        memory(),
        files=X | {"design.toml": JOB},
        registers="design.toml",
        last="register read",
    ),
    "decomposed": Transaction(
        "A job of sam-tiny: a transform of 16 words",
        RUN.format("sam-tiny"),
        memory(),
        files=X,
        registers="sam-tiny",
        last="register read",
    ),
    "ml-kem": Transaction(
        "KeyGen of ML-KEM-512: a command, seeds in, keys out, a result",
        f"nttforge kem keygen --parameter-set 512 --d {ZEROS} --z {ZEROS} -o key --trace t.vcd",
        keys("secret in: d, z", "ek", "dk"),
        prefix="TOP.cycle_wrapper.u_dut.",
        registers="ml-kem-coprocessor",
    ),
    "ml-dsa": Transaction(
        "KeyGen of ML-DSA-44: a command, a seed in, keys out, a result",
        f"nttforge dsa keygen --parameter-set 44 --key-seed {ZEROS} -o key --trace t.vcd",
        keys("secret in: xi", "pk", "sk"),
        prefix="TOP.cycle_wrapper.u_dut.",
        registers="ml-dsa-coprocessor",
    ),
}


def printed(command: str, folder: Path) -> str:
    """What a command of nttforge prints, run in a folder."""
    words = [sys.executable, "-m", *command.split()]
    return subprocess.run(words, cwd=folder, stdout=PIPE, text=True, check=True).stdout


def register_names(design: str, folder: Path) -> dict[int, str]:
    """Address -> name, of a design's register table."""
    table = printed(f"nttforge show registers {design}", folder)
    found = re.findall(r"^\| `?(0x\w+)`?(?: \+ \d+ i)? \| `(\w+)`", table, re.MULTILINE)
    return {int(address, 16): name for address, name in found}


def simulated(transaction: Transaction) -> tuple[tuple[Channel, ...], list[Values]]:
    """All channels of a transaction, and what their signals were in each cycle."""
    channels = transaction.channels
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file, text in (transaction.files or {}).items():
            (folder / file).write_text(text, "utf-8")
        if transaction.registers:
            names = register_names(transaction.registers, folder)
            channels = (*registers(names), *channels, Channel("interrupt", "interrupt_o"))
        printed(transaction.command, folder)
        wanted = [transaction.prefix + s for channel in channels for s in channel.signals]
        traced = list(cycles(folder / "t.vcd", dict.fromkeys(wanted)))
    cut = len(transaction.prefix)
    return channels, [{key[cut:]: value for key, value in row.items()} for row in traced]


def moved(channel: Channel, values: Values) -> bool:
    """Whether a payload is transferred in a cycle."""
    return bool(channel.ready and values[channel.valid] and values[channel.ready])


def window(
    transaction: Transaction, channels: Sequence[Channel], rows: Sequence[Values]
) -> tuple[int, int]:
    """First cycle and the end of what is drawn: from the first handshake to the last one, or to the
    first one of the channel that ends the transaction."""
    busy = [at for at, row in enumerate(rows) if any(moved(c, row) for c in channels)]
    ends = [c for c in channels if c.title == transaction.last]
    until = [at for at, row in enumerate(rows) if any(moved(c, row) for c in ends)]
    return max(busy[0] - 1, 0), min((until or busy[-1:])[0] + 3, len(rows))


def events(channel: Channel, rows: Sequence[Values]) -> list[int]:
    """Cycles that must be drawn: transfers, of many the first and the last ones, and changes of a
    level."""
    if not channel.ready:
        levels = [row[channel.valid] for row in rows]
        return [at for at in range(1, len(rows)) if levels[at] != levels[at - 1]]
    found = [at for at, row in enumerate(rows) if moved(channel, row)]
    return found if len(found) <= MOST else [*found[:ENDS], *found[-ENDS:]]


def columns(channels: Sequence[Channel], rows: Sequence[Values]) -> list[int | None]:
    """Cycles that are drawn, in order; None is a break."""
    wanted = {at for channel in channels for at in events(channel, rows)}
    near = {at + by for at in wanted for by in range(-AROUND, AROUND + 1)}
    shown = sorted(at for at in near if 0 <= at < len(rows))
    found: list[int | None] = []
    for before, at in pairwise([shown[0] - 1, *shown]):
        missing = range(before + 1, at)
        found += [*missing, at] if len(missing) < LEAST else [None, at]
    return found


def wave(canvas: Canvas, y: int, levels: Sequence[int | None]) -> None:
    """A signal of one bit; a break is a gap."""
    data = ""
    for at, level in enumerate(levels):
        if level is None:
            continue
        x, height = LEFT + at * COLUMN, y + (0 if level else WAVE - 6)
        joined = at > 0 and levels[at - 1] is not None
        data += f"{'L' if joined else 'M'}{x} {height}H{x + COLUMN}"
    canvas.path(data)


def draw(transaction: Transaction) -> str:
    """The transaction as an SVG."""
    channels, everything = simulated(transaction)
    first, end = window(transaction, channels, everything)
    rows = everything[first:end]
    shown = columns(channels, rows)
    canvas = Canvas()
    y = TOP
    for channel in channels:
        y = draw_channel(canvas, y, channel, rows, shown)
    marks(canvas, shown, y)
    width = max(LEFT + len(shown) * COLUMN + 24, 620)
    canvas.text(20, 28, transaction.title, "number", anchor="start")
    text = f"{len(rows)} cycles, as simulated; a break (||) leaves out cycles; numbers count cycles"
    canvas.text(20, 48, text, "small soft", anchor="start")
    return canvas.svg(width, y + 34, transaction.title, "docs/tools/bus_pictures.py")


def draw_channel(
    canvas: Canvas, y: int, channel: Channel, rows: Sequence[Values], shown: Sequence[int | None]
) -> int:
    """Waves and payloads of a channel from y on; returns where the next one begins."""
    canvas.text(20, y + 11, channel.title, "head", anchor="start")
    for name in filter(None, (channel.valid, channel.ready)):
        kind = "ready" if name == channel.ready else "valid" if channel.ready else "level"
        canvas.text(LEFT - 8, y + 10, kind, "small soft", anchor="end")
        wave(canvas, y, [None if at is None else rows[at][name] for at in shown])
        y += WAVE
    if not channel.ready:
        return y + 14
    canvas.text(LEFT - 8, y + 12, "transfers", "small soft", anchor="end")
    for column, at in enumerate(shown):
        if at is None or not moved(channel, rows[at]):
            continue
        x = LEFT + column * COLUMN
        words = channel.label(rows[at]) if channel.label else ""
        last = words.endswith("last")
        canvas.box(x + 1, y, COLUMN - 2, channel.height, "rom" if last else "edge", radius=2)
        if channel.height > SHORT:
            middle, bottom = x + COLUMN // 2 + 4, y + channel.height - 4
            canvas.text(middle, bottom, words, "small", anchor="start", turn=True)
    return y + channel.height + 14


def marks(canvas: Canvas, shown: Sequence[int | None], y: int) -> None:
    """Numbers of cycles, and breaks."""
    labelled = -LEAST - 1
    for column, at in enumerate(shown):
        x = LEFT + column * COLUMN
        if at is None:
            canvas.path(f"M{x + 4} {TOP - 6}V{y - 4}M{x + 9} {TOP - 6}V{y - 4}")
        elif column - labelled > LEAST and (
            at % 10 == 0 or column == 0 or shown[column - 1] is None
        ):
            canvas.text(x + COLUMN // 2, y + 10, str(at), "small soft")
            labelled = column


def main(arguments: Sequence[str]) -> int:
    """Draw one transaction."""
    parser = argparse.ArgumentParser(prog="python -m docs.tools.bus_pictures")
    parser.add_argument("name", choices=sorted(TRANSACTIONS))
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="FILE.svg")
    given = parser.parse_args(arguments)
    write_text(given.output, draw(TRANSACTIONS[given.name]))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
