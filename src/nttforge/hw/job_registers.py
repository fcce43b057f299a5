# SPDX-License-Identifier: Apache-2.0
"""Registers of designs with memory jobs: the shell's, and the decomposed engine's."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from nttforge.hw.register_map import RegisterMap, read_registers

#: What each instance has of its own.
ARGUMENTS = ("source", "target", "count")


def c_name(operation: str) -> str:
    """Name of an operation in C."""
    return operation.replace(".", "_").replace("-", "_")


def job_registers(
    operations: Sequence[str],
    statuses: Mapping[int, str],
    *,
    without: Collection[str] = (),
    instances: int = 1,
    stride: int = 0,
) -> RegisterMap:
    """The registers, from the lowest address up.

    - `operations`, `statuses`: names by code.
    - `without`: registers that there are not.
    - `instances`, `stride`: engines, and bytes from the arguments of each to those of the next.
    """
    found = dict(read_registers(__package__, "job_registers.toml"))
    codes = {
        "operation": map(c_name, operations),
        "status": (text.replace(" ", "_") for text in statuses.values()),
    }
    for name, values in codes.items():
        first, *others = found[name].fields
        named = replace(first, values=tuple(values))
        found[name] = replace(found[name], fields=(named, *others))
    for name in ARGUMENTS:
        found[name] = replace(found[name], stride=stride, count=instances if stride else 1)
    return RegisterMap(tuple(each for name, each in found.items() if name not in without))


def job_driver(
    registers: RegisterMap, operations: Sequence[str], statuses: Mapping[int, str], identity: int
) -> dict[str, object]:
    """Variables of the driver's templates.

    - `registers`: as :func:`job_registers` makes them.
    - `operations`, `statuses`: names by code.
    - `identity`: what the register that identifies the hardware reads: `shape`, or `instances`.
    """
    return {
        "registers": registers,
        "operations": [c_name(operation) for operation in operations],
        "statuses": statuses,
        "instances": registers["source"].count,
        "identity": identity,
        "layout": None,
        "sized": any(register.name == "log_size" for register in registers),
        "padded": any(register.name == "padding" for register in registers),
    }
