# SPDX-License-Identifier: Apache-2.0
"""Registers of what does jobs in memory: the shell's, and the decomposed engine's."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from nttforge.hw.register_map import Access, Bits, Register, RegisterMap

_TEXT = {
    "control": "Starts a job, and says how it is.",
    "global_interrupt": "Interrupt line.",
    "interrupt_enable": "Which interrupts are enabled.",
    "interrupt_status": "Which interrupts are pending; writing 1 clears.",
    "operation": "What a job does.",
    "log_size": "log2 of the words of a transform.",
    "status": "How the last job ended.",
    "fault": "Address of an error.",
    "cycles": "Cycles of the last job.",
    "instances": "Engines.",
    "shape": "Sizes, as logarithms.",
    "source": "Where a job reads.",
    "target": "Where it writes; it overlaps no other buffer.",
    "count": "Transforms, 0 for none.",
    "scratch": "Work area of transforms that take several rounds.",
    "stripe": "From a memory port's part of a buffer to the next one's, a multiple of 4096 bytes; "
    "bit 0, if the memory's banks are known: buffers are of whole blocks, spread over the banks.",
    "padding": "log2 of the words of a forward transform for one that its source has: it has the "
    "first ones, and the others are zeros.",
}
_ACCESS: dict[str, Access] = dict.fromkeys(
    ("status", "fault", "cycles", "instances", "shape"), "ro"
)
_WIDE = ("fault", "cycles", "source", "target", "scratch", "stripe")
#: What each instance has of its own.
ARGUMENTS = ("source", "target", "count")


def c_name(operation: str) -> str:
    """What an operation is called in C."""
    return operation.replace(".", "_").replace("-", "_")


def _fields(name: str, operations: Sequence[str], statuses: Mapping[int, str]) -> tuple[Bits, ...]:
    done = (Bits("done", 0, 1, "a job has ended"),)
    known: dict[str, tuple[Bits, ...]] = {
        "control": (
            Bits(
                *("start", 0, 1, "written 1 starts a job, and it reads so until that has ended"),
                effect="onwrite = woset",
            ),
            Bits("done", 1, 1, "a job has ended; reading clears it", (), "ro", "onread = rclr"),
            Bits("idle", 2, 1, "a job can be started", access="ro"),
        ),
        "global_interrupt": (Bits("enable", 0, 1, "of all"),),
        "interrupt_enable": done,
        "interrupt_status": (replace(done[0], effect="onwrite = woclr"),),
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


def job_registers(
    addresses: Mapping[str, int],
    operations: Sequence[str],
    statuses: Mapping[int, str],
    *,
    instances: int = 1,
    stride: int = 0,
) -> RegisterMap:
    """The registers, from the lowest address up.

    - `addresses`: by register; of arguments, those of the first instance.
    - `operations`, `statuses`: names by code.
    - `instances`, `stride`: engines, and bytes from the arguments of each to those of the next.
    """
    return RegisterMap(
        tuple(
            Register(
                name,
                _ACCESS.get(name, "rw"),
                _TEXT[name],
                _fields(name, operations, statuses),
                words=1 + (name in _WIDE),
                address=address,
                stride=stride if name in ARGUMENTS else 0,
                count=instances if name in ARGUMENTS and stride else 1,
            )
            for name, address in sorted(addresses.items(), key=lambda place: place[1])
        )
    )


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
