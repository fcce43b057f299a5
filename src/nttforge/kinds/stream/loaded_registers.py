# SPDX-License-Identifier: Apache-2.0
"""Registers of an engine with loaded moduli; see ntf_loaded_registers.sv."""

from dataclasses import replace

from nttforge.hw.register_map import RegisterMap, read_registers

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


def loaded_registers() -> RegisterMap:
    """The registers, with names of statuses."""
    found = dict(read_registers(__package__, "loaded_registers.toml"))
    for name in ("last_load", "status"):
        status, *others = found[name].fields
        named = replace(status, values=STATUSES)
        found[name] = replace(found[name], fields=(named, *others))
    return RegisterMap(tuple(found.values()))
