# SPDX-License-Identifier: Apache-2.0
"""Every primitive in every shape that its parameters choose, in one model, each beside a reference.

All get the same random inputs; a reference says what an instance shows in a cycle before its edge,
or None where nothing is promised.
"""

import random
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import product
from pathlib import Path

from nttforge.simulate.cycles import CycleModel, Ports

WIDTH, ADDRESS = 8, 9
_MASK = (1 << WIDTH) - 1
INPUTS = {
    **dict.fromkeys(("en", "we", "valid", "ready", "live"), 1),
    **dict.fromkeys(("waddr", "raddr"), ADDRESS),
    "data": WIDTH,
}
_TABLE = [(i * 89 + 7) & _MASK for i in range(300)]
#: Words and columns of the read-only memories.
_TABLES = ((7, 1), (7, 3), (130, 2))

Inputs = Mapping[str, int]
Outputs = Mapping[str, int | None]


@dataclass
class Shape:
    """An instance: its text, what it drives and how wide that is, and the reference.

    The reference takes the inputs of a cycle, and returns what leaves in it. The module stands
    within another one where it cannot have any inputs.
    """

    module: str
    parameters: str
    ports: str
    outputs: dict[str, int]
    reference: Callable[[], Callable[[Inputs], Outputs]]
    within: str | None = None


def _pipe(depth: int, *, only_live: bool) -> Callable[[Inputs], Outputs]:
    line: deque[int | None] = deque([None] * depth, depth)

    def step(i: Inputs) -> Outputs:
        shown = line[0] if depth else i["data"]
        if i["en"] and depth:
            line.append(i["data"] if i["live"] or not only_live else None)
        return {"q": shown}

    return step


def _delay(depth: int) -> Callable[[Inputs], Outputs]:
    line: deque[tuple[int, int]] = deque([(0, 0)] * depth, depth)

    def step(i: Inputs) -> Outputs:
        valid, data = line[0] if depth else (i["valid"], i["data"])
        if i["en"] and depth:
            line.append((i["valid"], i["data"]))
        return {"valid": valid, "q": data if valid else None}

    return step


def _memory(depth: int, *, registered: bool) -> Callable[[Inputs], Outputs]:
    words: dict[int, int] = {}
    read: int | None = None

    def step(i: Inputs) -> Outputs:
        nonlocal read
        write, at = i["waddr"] % depth, i["raddr"] % depth
        shown = read if registered else words.get(at)
        if i["en"]:
            # With a register, a word that is written in the same cycle is not to be read.
            read = None if i["we"] and write == at else words.get(at)
            if i["we"]:
                words[write] = i["data"]
        return {"q": shown}

    return step


def _two_ports(depth: int, own: bool) -> Callable[[Inputs], Outputs]:
    """What the port that reads shows, or the other one, which keeps it."""
    words: dict[int, int] = {}
    read: int | None = None

    def step(i: Inputs) -> Outputs:
        nonlocal read
        shown, other, at = read, i["waddr"] % depth, i["raddr"] % depth
        if own:
            read = None if i["we"] and other == at else words.get(at)
        elif i["en"] and not i["we"]:
            read = words.get(other)
        if i["we"]:
            words[other] = i["data"]
        return {"q": shown}

    return step


def _rom(depth: int, columns: int) -> Callable[[Inputs], Outputs]:
    read: int | None = None

    def step(i: Inputs) -> Outputs:
        nonlocal read
        shown, at = read, i["raddr"] % depth
        if i["en"]:
            read = sum(_TABLE[c * depth + at] << WIDTH * c for c in range(columns))
        return {"q": shown}

    return step


def _kept() -> Callable[[Inputs], Outputs]:
    held = 0xA5

    def step(i: Inputs) -> Outputs:
        nonlocal held
        shown, held = held, i["data"]
        return {"q": shown}

    return step


def _voted() -> Callable[[Inputs], Outputs]:
    kept = _kept()
    return lambda i: {**kept(i), "fault": 0}


def _rails() -> Callable[[Inputs], Outputs]:
    held = {"rails": 0xA5 << WIDTH | 0xA5, "fault": 0}

    def step(i: Inputs) -> Outputs:
        nonlocal held
        shown, other = held, i["data"] ^ i["en"]
        held = {"rails": other << WIDTH | i["data"], "fault": int(other != i["data"])}
        return dict(shown)

    return step


def _rst() -> Callable[[Inputs], Outputs]:
    run = 0

    def step(i: Inputs) -> Outputs:
        nonlocal run
        shown, run = i["live"] | run, i["en"]
        return {"q": shown}

    return step


def _queue(depth: int, slow: int, *, counted: bool) -> Callable[[Inputs], Outputs]:
    """Words leave `slow` cycles after they came, or later if others are in front."""
    words: deque[tuple[int, int]] = deque()
    now = 0

    def step(i: Inputs) -> Outputs:
        nonlocal now
        ready, valid = len(words) < depth, bool(words) and words[0][0] <= now
        shown: dict[str, int | None] = {"ready": ready, "valid": valid}
        shown["q"] = words[0][1] if valid else None
        if counted:
            shown["count"] = len(words)
        if valid and i["ready"]:
            words.popleft()
        if ready and i["valid"]:
            words.append((now + slow, i["data"]))
        now += 1
        return shown

    return step


def _two_port_memories() -> Iterator[Shape]:
    """Each by either port."""
    q = {"q": WIDTH}
    other = ".clk_i, .raddr_i(ADDR'(raddr % DEPTH)), .other_en_i(en), .other_we_i(we), "
    other += ".other_addr_i(ADDR'(waddr % DEPTH)), .other_wdata_i(data), "
    for depth in (1, 6, 300):
        for port, own in (("rdata_o", True), ("other_rdata_o", False)):
            left = "other_rdata_o" if own else "rdata_o"
            named = _addressed(f"{other}.{port}(q), .{left}()", depth)
            reference = partial(_two_ports, depth, own)
            yield Shape(
                "ntf_prim_ram_1r1rw", f".Width({WIDTH}), .Depth({depth})", named, q, reference
            )


def shapes() -> Iterator[Shape]:
    """All primitives with a clock."""
    q = {"q": WIDTH}
    passes, line = ".clk_i, .en_i(en), .d_i(data), ", ".q_o(q)"
    for depth in (0, 1, 3):
        given = f".Width({WIDTH}), .Depth({depth})"
        yield Shape(
            "ntf_prim_pipe", given, passes + line, q, partial(_pipe, depth, only_live=False)
        )
    for depth in (0, 1, 3, 9):
        given = f".Width({WIDTH}), .Depth({depth})"
        ports = f"{passes}.live_i(live), {line}"
        yield Shape("ntf_prim_line", given, ports, q, partial(_pipe, depth, only_live=True))
    stream = ".clk_i, .rst_ni, .valid_i(valid), .data_i(data), .valid_o(valid_q), .data_o(q)"
    for depth in (0, 1, 2, 5, 128, 129, 200):
        given = f".Width({WIDTH}), .Depth({depth})"
        shown = {"valid": 1} | q
        yield Shape("ntf_prim_delay", given, f"{stream}, .en_i(en)", shown, partial(_delay, depth))
    ports = ".clk_i, .en_i(en), .we_i(we), .waddr_i(ADDR'(waddr % DEPTH)), .wdata_i(data), "
    ports += ".raddr_i(ADDR'(raddr % DEPTH)), .rdata_o(q)"
    for depth, how in ((1, 0b10), (1, 0), (6, 0b11), (300, 0b11), (6, 0b10), (6, 0), (6, 0b100)):
        registered = bool(how & 2)
        given = f".Width({WIDTH}), .Depth({depth}), .Block({how & 1}), "
        given += f".Registered({registered:d}), .Flops({how >> 2})"
        named = _addressed(ports, depth)
        reference = partial(_memory, depth, registered=registered)
        yield Shape("ntf_prim_ram_1r1w", given, named, q, reference)
    for depth in (2, 6, 300):
        named = _addressed(ports, depth)
        reference = partial(_memory, depth, registered=True)
        given = f".Width({WIDTH}), .Depth({depth})"
        yield Shape("ntf_prim_ram_ultra", given, named, q, reference)
    yield from _two_port_memories()
    for depth, columns in _TABLES:
        given = (
            f".Width({WIDTH}), .Depth({depth}), .Columns({columns}), .Table(Table{depth}x{columns})"
        )
        ports_rom = _addressed(
            ".clk_i, .en_i(en), .addr_i(ADDR'(raddr % DEPTH)), .rdata_o(q)", depth
        )
        shown = {"q": columns * WIDTH}
        yield Shape("ntf_prim_rom", given, ports_rom, shown, partial(_rom, depth, columns))
    given = f".Width({WIDTH}), .Reset({WIDTH}'h{0xA5:x})"
    yield Shape("ntf_prim_kept", given, ".clk_i, .rst_ni, .d_i(data), .q_o(q)", q, _kept)
    rails = f".clk_i, .rst_ni, .d_i({{data ^ {WIDTH}'(en), data}}), .q_o(rails), .fault_o(fault)"
    shown = {"rails": 2 * WIDTH, "fault": 1}
    yield Shape("ntf_prim_rails", given, rails, shown, _rails)
    ports = ".clk_i, .rst_ni, .d_i(data), .q_o(q), .fault_o(fault)"
    yield Shape("ntf_prim_voted", given, ports, q | {"fault": 1}, _voted)
    resets = ".clk_i, .rst_ni, .test_mode_i(live), .run_i(en), .rst_no(q)"
    yield Shape("ntf_prim_rst", "", resets, {"q": 1}, _rst)
    stream += ", .ready_o(ready_q), .ready_i(ready)"
    both = {"ready": 1, "valid": 1} | q
    given = f".Width({WIDTH})"
    yield Shape("ntf_prim_axis_slice", given, stream, both, partial(_queue, 2, 1, counted=False))
    kinds = ((0, 0), (1, 0), (0, 1))
    for depth, (block, head) in product((1, 2, 4, 8, 512), kinds):
        given = f".Width({WIDTH}), .Depth({depth}), .Block({block}), .Head({head})"
        bits = depth.bit_length()
        slow = 1 + (block | head)
        yield Shape(
            "ntf_prim_fifo",
            given,
            f"{stream}, .count_o(count)",
            both | {"count": bits},
            partial(_queue, depth, slow, counted=True),
        )
    # With a pipe that credits suffice for, a longer one, and one that does not notice.
    for depth, pipe, block in ((8, 5, 0), (8, 6, 1), (4, 9, 0), (16, 2, 1), (1, 2, 0), (1, 1, 1)):
        given = f".Width({WIDTH}), .Depth({depth}), .Pipe({pipe}), .Block({block})"
        reference = partial(_queue, depth, pipe + 2, counted=False)
        yield Shape("ntf_prim_credit_fifo", given, stream, both, reference, within="credited")


#: A pipe of `Pipe` cycles that cannot be stopped, in front of the queue that gives credits for it:
#: together a slower queue.
_CREDITED = """
module credited #(parameter int Width = 8, Depth = 8, Pipe = 1, parameter bit Block = 0) (
  input  logic clk_i, rst_ni, valid_i, ready_i, input logic [Width-1:0] data_i,
  output logic ready_o, valid_o, output logic [Width-1:0] data_o
);
  logic [Pipe-1:0] live_q;
  logic [Width-1:0] word;
  logic take;
  assign take = valid_i & ready_o;
  always_ff @(posedge clk_i or negedge rst_ni)
    if (!rst_ni) live_q <= '0; else live_q <= Pipe'({live_q, take});
  ntf_prim_pipe #(.Width(Width), .Depth(Pipe)) u_pipe (
    .clk_i, .en_i(1'b1), .d_i(data_i), .q_o(word)
  );
  ntf_prim_credit_fifo #(.Width(Width), .Depth(Depth), .Block(Block)) u_queue (
    .clk_i, .rst_ni, .room_o(ready_o), .take_i(take), .valid_i(live_q[Pipe-1]), .data_i(word),
    .valid_o, .ready_i, .data_o
  );
endmodule
"""


def _addressed(ports: str, depth: int) -> str:
    bits = max(1, (depth - 1).bit_length())
    return ports.replace("ADDR'", f"{bits}'").replace("DEPTH", f"{ADDRESS}'d{depth}")


def top_text(listed: list[Shape]) -> str:
    """A module that has all of them, `prims`."""
    declared = ["input logic clk_i", "input logic rst_ni"]
    declared += [f"input logic [{bits - 1}:0] {name}" for name, bits in INPUTS.items()]
    body = []
    for depth, columns in _TABLES:
        words = ", ".join(f"{WIDTH}'d{word}" for word in _TABLE[: depth * columns])
        size = f"[{WIDTH - 1}:0] Table{depth}x{columns}[{depth * columns}]"
        body.append(f"  localparam logic {size} = '{{{words}}};")
    for number, shape in enumerate(listed):
        names = {"q": "q", "valid": "valid_q", "ready": "ready_q"}
        ports = shape.ports
        for output, bits in shape.outputs.items():
            declared.append(f"output logic [{bits - 1}:0] {output}{number}")
            ports = ports.replace(f"({names.get(output, output)})", f"({output}{number})")
        module = shape.within or shape.module
        body.append(f"  {module} #({shape.parameters}) u_{number} ({ports});")
    return "\n".join(
        [
            _CREDITED,
            "module prims (",
            ",\n".join(f"  {d}" for d in declared),
            ");",
            *body,
            "endmodule\n",
        ]
    )


def failures(rtl: Path, where: Path, seed: int, cycles: int = 4000) -> list[str]:
    """What an instance showed that it must not, after each of two resets."""
    listed = list(shapes())
    where.mkdir(parents=True, exist_ok=True)
    (where / "prims.sv").write_text(top_text(listed), "utf-8")
    outputs = {
        f"{name}{n}": bits for n, shape in enumerate(listed) for name, bits in shape.outputs.items()
    }
    sources = [rtl / "prim" / "ntf_prim_pkg.sv", *sorted((rtl / "prim").glob("ntf_prim_[!p]*.sv"))]
    sources += [rtl / "prim" / "ntf_prim_pipe.sv", where / "prims.sv"]
    model = CycleModel.build(where, sources, "prims", Ports(INPUTS, outputs))
    wrong = []
    rng = random.Random(seed)
    for again in range(2):
        model.reset()
        steps = [shape.reference() for shape in listed]
        for cycle in range(cycles):
            # Long runs of either kind fill and empty the queues.
            eager = (0.9, 0.5, 0.1)[cycle // 50 % 3]
            given = {name: rng.getrandbits(bits) for name, bits in INPUTS.items()}
            given |= {"valid": rng.random() < eager, "ready": rng.random() < 0.5}
            given |= {name: rng.random() < 0.8 for name in ("en", "we", "live")}
            if rng.random() < 0.3:
                given["raddr"] = given["waddr"]
            seen = model.step(**given)
            for n, (shape, step) in enumerate(zip(listed, steps, strict=True)):
                for name, value in step(given).items():
                    if value is not None and seen[f"{name}{n}"] != value:
                        what = f"{name} is {seen[f'{name}{n}']}, not {int(value)}"
                        where_seen = f"run {again}, cycle {cycle}"
                        wrong.append(f"{shape.module} #({shape.parameters}), {where_seen}: {what}")
            if len(wrong) > 20:
                return wrong
    return wrong
