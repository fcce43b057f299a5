# SPDX-License-Identifier: Apache-2.0
"""Which of several memory ports is named, and whose address is given."""

from pathlib import Path
from random import Random

from tests.rtl.decomposed.unit_bench import fields, unit

PORTS = 5  # numbers of three bits, not all of which are there
PORT = 5 + 2 * 64  # bits of port_t


def test_a_port_is_named_that_has_an_error_or_else_owes(tmp_path: Path) -> None:
    model = unit(
        tmp_path,
        "ntf_port_faults",
        {"stop_i": 1, "named_i": 7, "ports_i": PORTS * PORT},
        {"channels_o": 5 + 128 + 14},
        needs=("shell/ntf_shell_pkg.sv",),
        common=(),
        NumPorts=PORTS,
    )
    rng = Random(1)
    for _ in range(2000):
        moved, *flags = (
            [rng.random() < chance for _ in range(PORTS)] for chance in (0.1, 0.4, 0.4, 0.3, 0.3)
        )
        (pending, error), stop, named = (flags[:2], flags[2:]), rng.random() < 0.5, rng.randrange(5)
        addresses = [[rng.getrandbits(64) for _ in range(PORTS)] for _ in range(2)]
        given = 0
        for p in range(PORTS):
            both = [(each[way][p], 1) for each in (pending, error) for way in (1, 0)]
            places = [(addresses[way][p], 64) for way in (1, 0)]
            given |= fields((moved[p], 1), *both, *places) << p * PORT
        seen = model.step(stop_i=stop, named_i=named, ports_i=given)["channels_o"]
        ports = []
        for way in (1, 0):
            asked = [pending[way]] if stop else [error[way], pending[way]]
            ports.append(next((which.index(True) for which in asked if any(which)), 0))
        assert seen == fields(
            (any(moved), 1),
            *((any(each[way]), 1) for each in (pending, error) for way in (1, 0)),
            *((addresses[way][named], 64) for way in (1, 0)),
            *((port, 7) for port in ports),
        )
