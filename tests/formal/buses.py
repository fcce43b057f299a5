# SPDX-License-Identifier: Apache-2.0
"""The rules of AXI bound to every bus of a top: SystemVerilog from its wrapper's ports."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from nttforge.families.wrapper import Port, Wrapper
from tests.formal.proof import HERE

#: Files with the rules.
RULES = [HERE / f"axi_{name}rules.sv" for name in ("stream_", "lite_", "")]
#: A port of wrappers that may give up what is offered.
FLUSH = "flush"
_READS, _WRITES = ("ar", "r"), ("aw", "w", "b")


def _inside(wrapper: Wrapper) -> dict[str, tuple[str, int]]:
    """Port of the wrapper -> what it is in the top, and its bits."""
    bits = {port.name: port.width for port in wrapper.ports}
    return {
        name: (inside if len(names) == 1 else f"{inside}[{i}]", bits[name])
        for inside, names in wrapper.connections
        for i, name in enumerate(reversed(names))
    }


def _rules(wrapper: Wrapper) -> Iterator[str]:
    places = _inside(wrapper)

    def instance(kind: str, name: str, values: dict[str, int], ports: dict[str, str]) -> str:
        given = ", ".join(f".{key}({value})" for key, value in values.items())
        connected = ", ".join(f".{key}({value})" for key, value in ports.items())
        return (
            f"bind {wrapper.top} {kind} #({given}) u_rules_{name} (.clk_i, .rst_ni, {connected});"
        )

    def signals(bus: str) -> dict[str, tuple[str, int]]:
        start = f"{bus}_"
        return {n.removeprefix(start): at for n, at in places.items() if n.startswith(start)}

    memory = []
    for bus in wrapper.buses:
        found = signals(bus)
        if "tvalid" in found:
            payload = [at for name, at in found.items() if name not in ("tvalid", "tready")]
            ports = {f"{name}_i": found[name][0] for name in ("tvalid", "tready")}
            ports["payload_i"] = f"{{{', '.join(place for place, _ in payload)}}}"
            values = {"PayloadW": sum(bits for _, bits in payload), "Given": _taken(wrapper, bus)}
            if FLUSH in places and not values["Given"]:
                # What is offered then may change, once; that it is offered may not.
                stays = {"PayloadW": 1, "Given": 0}
                yield instance(
                    "axi_stream_rules", f"{bus}_valid", stays, ports | {"payload_i": "1'b0"}
                )
                ports["tready_i"] += f" | {places[FLUSH][0]}"
            yield instance("axi_stream_rules", bus, values, ports)
        elif "awlen" in found or "arlen" in found:
            memory.append(found)
        else:
            ports = {f"{name}_i": place for name, (place, _) in found.items()}
            yield instance("axi_lite_rules", bus, {"AddrW": found["awaddr"][1]}, ports)
    reads = [found for found in memory if "arlen" in found]
    writes = [found for found in memory if "awlen" in found]
    for i, (read, write) in enumerate(zip(reads, writes, strict=True)):
        both = read | write
        values = {"AddrW": both["araddr"][1], "DataW": both["rdata"][1]}
        ports = {f"{name}_i": place for name, (place, _) in both.items()}
        yield instance("axi_rules", f"memory{i}", values, ports)


def _taken(wrapper: Wrapper, bus: str) -> int:
    return int(_port(wrapper, f"{bus}_tvalid").direction == "input")


def _port(wrapper: Wrapper, name: str) -> Port:
    (port,) = (port for port in wrapper.ports if port.name == name)
    return port


def bound(wrapper: Wrapper, folder: Path) -> list[Path]:
    """Files that bind the rules to the buses of a wrapper's top."""
    path = folder / "bus_rules.sv"
    path.write_text("\n".join([*_rules(wrapper), ""]), "utf-8")
    return [*RULES, path]


def from_reset(wrapper: Wrapper, folder: Path) -> Path:
    """A harness `bus_proof`: the wrapper behind a reset of a clock, whatever its inputs are."""
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
