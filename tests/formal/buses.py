# SPDX-License-Identifier: Apache-2.0
"""The rules of AXI bound to every bus of a top: SystemVerilog from its wrapper's ports."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from nttforge.hw.wrapper import Port, Wrapper
from tests.formal.proof import HERE

#: Files with the rules.
RULES = [HERE / f"axi_{name}rules.sv" for name in ("stream_", "lite_", "")]
#: A port of wrappers that may give up what is offered.
FLUSH = "flush"

Values = dict[str, int]
Connections = dict[str, str]


def _inside(wrapper: Wrapper) -> dict[str, tuple[str, int]]:
    """Port of the wrapper -> what it is in the top, and its bits."""
    bits = {port.name: port.width for port in wrapper.ports}
    return {
        name: (inside if len(names) == 1 else f"{inside}[{i}]", bits[name])
        for inside, names in wrapper.connections
        for i, name in enumerate(reversed(names))
    }


def _instance(wrapper: Wrapper, kind: str, name: str, values: Values, ports: Connections) -> str:
    given = ", ".join(f".{key}({value})" for key, value in values.items())
    connected = ", ".join(f".{key}({value})" for key, value in ports.items())
    return f"bind {wrapper.top} {kind} #({given}) u_rules_{name} (.clk_i, .rst_ni, {connected});"


def _signals(wrapper: Wrapper, bus: str) -> dict[str, tuple[str, int]]:
    start = f"{bus}_"
    found = _inside(wrapper)
    return {name.removeprefix(start): at for name, at in found.items() if name.startswith(start)}


def _streams(wrapper: Wrapper, bus: str, given_up: str | None = None) -> Iterator[str]:
    """Each channel of a bus as a stream.

    What is offered may change after a cycle with `given_up`, a signal of the top.
    """
    found, flush = _signals(wrapper, bus), _inside(wrapper).get(FLUSH)
    for channel in [name.removesuffix("valid") for name in found if name.endswith("valid")]:
        valid, ready = f"{channel}valid", f"{channel}ready"
        payload = [
            at
            for name, at in found.items()
            if name.startswith(channel) and name not in (valid, ready)
        ]
        ports = {"tvalid_i": found[valid][0], "tready_i": found[ready][0]}
        ports["payload_i"] = f"{{{', '.join(place for place, _ in payload)}}}"
        (direction,) = (p.direction for p in wrapper.ports if p.name == f"{bus}_{valid}")
        values = {"PayloadW": sum(bits for _, bits in payload), "Given": int(direction == "input")}
        name = f"{bus}_{channel}"
        if flush and not values["Given"]:
            # What is offered then may change, once; that it is offered may not.
            stays = {"PayloadW": 1, "Given": 0}
            still = ports | {"payload_i": "1'b0"}
            yield _instance(wrapper, "axi_stream_rules", f"{name}_valid", stays, still)
            ports["tready_i"] += f" | {flush[0]}"
        if given_up and not values["Given"]:
            ports["tready_i"] += f" | {given_up}"
        yield _instance(wrapper, "axi_stream_rules", name, values, ports)


def _rules(wrapper: Wrapper) -> Iterator[str]:
    reads, writes = [], []
    for bus in wrapper.buses:
        found = _signals(wrapper, bus)
        if "tvalid" in found:
            yield from _streams(wrapper, bus)
        elif not found.keys() & {"awlen", "arlen"}:
            ports = {f"{name}_i": place for name, (place, _) in found.items()}
            yield _instance(wrapper, "axi_lite_rules", bus, {"AddrW": found["awaddr"][1]}, ports)
        else:
            reads += [found] if "arlen" in found else []
            writes += [found] if "awlen" in found else []
    for i, (read, write) in enumerate(zip(reads, writes, strict=True)):
        both = read | write
        values = {"AddrW": both["araddr"][1], "DataW": both["rdata"][1]}
        ports = {f"{name}_i": place for name, (place, _) in both.items()}
        yield _instance(wrapper, "axi_rules", f"memory{i}", values, ports)


def bound(
    wrapper: Wrapper,
    folder: Path,
    channels: Sequence[str] = (),
    given_up: Connections | None = None,
) -> list[Path]:
    """Files that bind the rules to the buses of a wrapper's top.

    Of the buses `channels`, if any are named, each channel as a stream and nothing else: that is
    inductive, where what is owed is counted elsewhere. `given_up`: of a bus, in which cycles what
    it offers need not stay.
    """
    streams = (
        line for bus in channels for line in _streams(wrapper, bus, (given_up or {}).get(bus))
    )
    path = folder / "bus_rules.sv"
    path.write_text("\n".join([*(streams if channels else _rules(wrapper)), ""]), "utf-8")
    return [*RULES, path]


def from_reset(wrapper: Wrapper, folder: Path) -> Path:
    """A harness `bus_proof`: the wrapper after a reset of a clock, whatever its inputs are."""
    ports: Sequence[Port] = wrapper.ports
    inputs = [f"input logic {port.span} {port.name}" for port in ports if port.direction == "input"]
    outputs = [f"  logic {p.span} {p.name};" for p in ports if p.direction == "output"]
    names = ", ".join(f".{port.name}" for port in ports)
    path = folder / "bus_proof.sv"
    path.write_text(
        "\n".join(
            [
                f"module bus_proof (input logic clk_i, {', '.join(inputs)});",
                *outputs,
                "  logic rst_nq = 1'b0;",
                "  always_ff @(posedge clk_i) rst_nq <= 1'b1;",
                f"  {wrapper.name} u_top (",
                f"    .{wrapper.clock}(clk_i), .{wrapper.reset}(rst_nq), {names}",
                "  );",
                "endmodule\n",
            ]
        ),
        "utf-8",
    )
    return path
