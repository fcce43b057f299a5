# SPDX-License-Identifier: Apache-2.0
"""Registers of what does jobs in memory, for C: the shell's, and the decomposed engine's.

rtl/shell/README.md and rtl/decomposed/README.md have them as tables.
"""

from collections.abc import Mapping, Sequence

from nttforge.families.registers import Bits, Register, macro

_TEXT = {
    "control": "Starts a job, and says how it is.",
    "global_interrupt": "Interrupt line.",
    "interrupt_enable": "Which interrupts are enabled.",
    "interrupt_status": "Which interrupts are pending; writing 1 clears.",
    "operation": "What a job does.",
    "log_size": "log2 of the words of a transform.",
    "status": "How the last job ended.",
    "fault": "Address of an error, 64 bits.",
    "cycles": "Cycles of the last job, 64 bits.",
    "instances": "Engines.",
    "shape": "Sizes, as logarithms.",
    "source": "Where a job reads, 64 bits.",
    "target": "Where it writes, 64 bits; it overlaps no other buffer.",
    "count": "Transforms, 0 for none.",
    "scratch": "Work area of transforms that take several rounds, 64 bits.",
}
_READ_ONLY = ("status", "fault", "cycles", "instances", "shape")


def c_name(operation: str) -> str:
    """What an operation is called in C."""
    return operation.replace(".", "_").replace("-", "_")


def _fields(name: str, operations: Sequence[str], statuses: Mapping[int, str]) -> tuple[Bits, ...]:
    done = (Bits("done", 0, 1, "a job has ended"),)
    known: dict[str, tuple[Bits, ...]] = {
        "control": (
            Bits("start", 0, 1, "written 1 starts a job, and it reads so until that has ended"),
            Bits("done", 1, 1, "a job has ended; reading clears it"),
            Bits("idle", 2, 1, "a job can be started"),
        ),
        "global_interrupt": (Bits("enable", 0, 1, "of all"),),
        "interrupt_enable": done,
        "interrupt_status": done,
        "operation": (
            Bits(
                "code",
                0,
                32,
                "which",
                tuple(c_name(operation) for operation in operations),
            ),
        ),
        "status": (
            Bits(
                "code", 0, 8, "which", tuple(text.replace(" ", "_") for text in statuses.values())
            ),
            Bits("channel", 8, 8, "of an error: 2i reads, 2i + 1 writes for instance i"),
        ),
        "shape": (
            Bits("kernel", 0, 8, "of the kernel"),
            Bits("beat", 8, 8, "of a beat"),
            Bits("largest", 16, 8, "of the largest transform"),
        ),
    }
    return known.get(name, ())


def job_header(
    name: str,
    addresses: Mapping[str, tuple[int, int]],
    operations: Sequence[str],
    statuses: Mapping[int, str],
    *,
    instances: int,
    identity: int,
) -> dict[str, object]:
    """Variables of the C header's template, of the driver's, and of the README's table.

    Parameters
    ----------
    name
        Prefix of the macros.
    addresses
        Register -> (address, stride from instance to instance, or 0).
    operations, statuses
        Names by code.
    instances
        Engines, each with arguments of its own.
    identity
        What the register reads that tells which hardware it is: `shape`, or `instances`.
    """
    registers = [
        Register(
            register,
            "ro" if register in _READ_ONLY else "rw",
            _TEXT[register],
            _fields(register, operations, statuses),
        )
        for register in addresses
    ]
    macros = {register: macro(*place) for register, place in addresses.items()}
    places = {
        register: f"`0x{at:02x}`{f' + {stride} i' if stride else ''}"
        for register, (at, stride) in addresses.items()
    }
    return {
        "name": name,
        "registers": registers,
        "macros": macros,
        "places": places,
        "operations": [c_name(operation) for operation in operations],
        "statuses": statuses,
        "instances": instances,
        "identity": identity,
        "sized": "log_size" in addresses,
    }
