# SPDX-License-Identifier: Apache-2.0
"""Registers of an engine with loaded moduli; see ntf_loaded_registers.sv."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from nttforge.hw.register_map import Bits, RegisterMap, read_registers

#: Names of a load's statuses, in the order of ntf_pipeline_pkg::load_status_e.
STATUSES = (
    "none",
    "ready",
    "under_way",
    "even",
    "form",
    "short",
    "long",
    "root",
    "place",
)
#: What they say, for messages of the C driver.
STATUS_TEXTS = (
    "nothing was loaded",
    "loaded",
    "the load is under way",
    "the modulus is even",
    "the modulus is not 1 modulo the order of the roots",
    "the load had too few words",
    "the load had too many words",
    "the root is not a primitive root of unity of the right order",
    "there is no such place",
)


#: Words of loads that wait in the hardware (ntf_loaded_registers.sv).
ROOM = 16


def load_writes(words: Sequence[int]) -> Iterator[tuple[str, int, int]]:
    """Writes of a load through registers, in order, for the place that `place` has.

    Before both halves of a word there must be room for it, see the register `load`.

    - `words`: of a load, as :meth:`LoadedPipeline.load_words` makes them.

    Yields a register's name, its half (0 the low one), and 32 bits.
    """
    for at, word in enumerate(words):
        name = "load_last" if at == len(words) - 1 else "load_word"
        yield name, 0, word & 0xFFFFFFFF
        yield name, 1, word >> 32


#: Of a chain: which of its pipelines.
_INVERSE = "of the inverse pipeline, not of the forward one"


def loaded_registers(*, chain: bool = False) -> RegisterMap:
    """The registers, with names of statuses; those of a chain of two pipelines."""
    found = dict(read_registers(__package__, "loaded_registers.toml"))
    for name in ("last_load", "status"):
        status, *others = found[name].fields
        named = replace(status, values=STATUSES)
        found[name] = replace(found[name], fields=(named, *others))
    if chain:
        last, place = found["last_load"], found["place"]
        fields = (Bits("place", 0, 8, "which"), Bits("inverse", 8, 1, _INVERSE))
        found["last_load"] = replace(last, fields=(*last.fields, Bits("inverse", 16, 1, _INVERSE)))
        found["place"] = replace(place, fields=fields)
    return RegisterMap(tuple(found.values()))
