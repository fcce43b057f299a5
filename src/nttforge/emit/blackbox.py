# SPDX-License-Identifier: Apache-2.0
"""A streaming engine for Vitis HLS: its RTL as a black box, a model in C++, and what joins them."""

import json
from collections.abc import Iterable

from nttforge.design import Design
from nttforge.emit.design_folder import Extra, Templates, file_order, render_templates
from nttforge.errors import NttforgeError
from nttforge.hw import of_kind
from nttforge.hw.core import Core, Operation, StreamCore

FOLDER, OPTION = "hls", "--hls-blackbox"
_ABOUT = "a black box for Vitis HLS: a top of its protocol, a model in C++, JSON that joins them"
_LINE = 8
_WIDEST = 64  # bits of a modulus


def _lines(numbers: Iterable[int]) -> list[str]:
    words = [f"{number}ULL," for number in map(int, numbers)]
    return [" ".join(words[at : at + _LINE]) for at in range(0, len(words), _LINE)]


def _refused(name: str, problem: str, hint: str) -> NttforgeError:
    return NttforgeError(OPTION, f"{name} {problem}", hint)


def _streaming(hardware: Core) -> StreamCore:
    """The core, if it can be a black box: transforms from stream to stream."""
    core = of_kind(hardware, StreamCore)
    if core is None:
        raise _refused(
            hardware.name, f"is {hardware.kind_label}", "take a streaming engine, as ml-kem"
        )
    if core.shell is not None or core.flush is not None:
        raise _refused(core.name, "has other ports than two streams", "take a streaming engine")
    for operation in core.operations:
        if operation.product is not None or operation.packed_bits:
            raise _refused(core.name, f"does {operation.name}", "leave products out")
        if operation.ring.width > _WIDEST:
            raise _refused(
                core.name, f"has a modulus of more than {_WIDEST} bits", "take a smaller one"
            )
    if core.stream.byte_lanes:
        raise _refused(core.name, "has tkeep", "leave byte_lanes out")
    return core


def _operation(operation: Operation) -> dict[str, object]:
    ring = operation.ring
    factors = ring.inverse_twiddles if operation.inverse else ring.twiddles
    return {
        "name": operation.name.replace(".", "_").replace("-", "_"),
        "code": operation.code,
        "inverse": operation.inverse,
        "n": ring.n,
        "q": ring.q,
        "layers": ring.layers,
        "beats": operation.beats,
        "twiddles": _lines(factor for layer in factors for factor in layer),
        "into": _lines(operation.input_layout.order().reshape(-1)),
        "from": _lines(operation.output_layout.order().reshape(-1)),
    }


def _json(core: StreamCore, design_files: Iterable[str]) -> str:
    """Input of Vitis HLS: UG1399, "JSON File for RTL Blackbox"."""
    name = f"{core.name}_hls"
    control = {f"ap_ctrl_chain_protocol_{word}": f"ap_{word}" for word in _CONTROL}
    ports = {
        "operation": ("in", {"data_read_in": "operation"}),
        "in": ("in", {word: f"in_{port}" for word, port in _READ.items()}),
        "out": ("out", {word: f"out_{port}" for word, port in _WRITE.items()}),
    }
    described = {
        "c_function_name": name,
        "rtl_top_module_name": name,
        "c_files": [{"c_file": f"{name}.cpp", "cflag": ""}],
        "rtl_files": [*(f"../{file}" for file in design_files), f"{name}.v"],
        "c_parameters": [
            {"c_name": c_name, "c_port_direction": way, "rtl_ports": signals}
            for c_name, (way, signals) in ports.items()
        ],
        "rtl_common_signal": {
            "module_clock": "ap_clk",
            "module_reset": "ap_rst",
            "module_clock_enable": "ap_ce",
            **control,
        },
        "rtl_performance": {
            "latency": str(max(operation.latency for operation in core.operations)),
            "II": str(max(operation.beats for operation in core.operations)),
        },
        "rtl_resource_usage": dict.fromkeys(("FF", "LUT", "BRAM", "URAM", "DSP"), "0"),
    }
    return json.dumps(described, indent=2) + "\n"


_CONTROL = ("idle", "start", "ready", "done", "continue")
_READ = {"FIFO_data_read_in": "dout", "FIFO_read_enable": "read", "FIFO_empty_flag": "empty_n"}
_WRITE = {"FIFO_data_write_out": "din", "FIFO_write_enable": "write", "FIFO_full_flag": "full_n"}


def blackbox(hardware: Core, design: Design) -> Extra:
    """Files of a black box."""
    core = _streaming(hardware)
    operations = sorted(core.operations, key=lambda operation: operation.code)
    known: dict[str, object] = {
        "name": core.name,
        "made_by": f"generate {OPTION}",
        "operations": [_operation(operation) for operation in operations],
        "lanes": core.stream.lanes,
        "bits": core.stream.word_bits,
        "user": core.stream.user_bits,
        "most": max(operation.ring.n for operation in operations),
        "counter": max(operation.beats for operation in operations).bit_length(),
    }
    names = {"h": "hls_model.h.j2", "cpp": "hls_model.cpp.j2", "v": "hls_top.v.j2"}
    templates: Templates = {
        f"{FOLDER}/{core.name}_hls.{suffix}": (template, known)
        for suffix, template in names.items()
    }
    described = {f"{FOLDER}/{core.name}_hls.json": _json(core, file_order(core))}
    return Extra(OPTION, FOLDER, _ABOUT, render_templates(core, design, templates) | described)
