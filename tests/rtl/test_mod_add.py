# SPDX-License-Identifier: Apache-2.0
"""The lazy adders, against `%`: all operands of a small modulus, corners and random of others."""

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from arith_bench import Unit, build, failures

MODULI = [(3,), (17,), (3329, 8380417), (12289, 3329, 7681), (2**64 - 2**32 + 1,), (2**255 - 19,)]


def units(module: str, right: Callable[[int, int, int, int], bool], operands: int) -> list[Unit]:
    """`right(r, a, b, q)` tells whether r is right."""
    found = []
    for qs in MODULI:
        w = max(qs).bit_length()
        mod_width = max(1, (len(qs) - 1).bit_length())
        rng = random.Random(w)
        vectors = []
        for mod, q in enumerate(qs):
            corners = [-q, -q + 1, -q // 2, -2, -1, 0, 1, 2, q // 2, q - 2, q - 1]
            some = range(-q, q) if q < 20 else corners
            vectors += [(a, b, mod) for a in some for b in some]
            vectors += [(rng.randrange(-q, q), rng.randrange(-q, q), mod) for _ in range(300)]
        rng.shuffle(vectors)
        table = ", ".join(f"{w}'d{q}" for q in reversed(qs))
        for mask in range(2**operands):
            name = f"{module} {qs} RegAfter={mask}"
            number = len(found)
            table_name = f"{module.title().replace('_', '')}Moduli{number}"

            def check(a: int, b: int, mod: int, r: int, qs: tuple[int, ...] = qs) -> bool:
                return right(r, a, b, qs[mod])

            found.append(
                Unit(
                    name,
                    f"  localparam logic [{len(qs) - 1}:0][{w - 1}:0] {table_name} = {{{table}}};",
                    f"{module} #(.W({w}), .NumMods({len(qs)}), .Moduli({table_name}), "
                    f".RegAfter({operands}'d{mask}))",
                    (w + 1, w + 1 if operands == 2 else 0, mod_width, w + 1),
                    mask.bit_count(),
                    vectors,
                    check,
                )
            )
    return found


def lazy(r: int, q: int) -> bool:
    return -q <= r < q


def test_lazy_adders(tmp_path: Path) -> None:
    canonical = [
        replace(u, widths=(*u.widths[:3], u.widths[3] - 1), signed=False)
        for u in units("mod_canonical", lambda r, a, _, q: r == a % q, 1)
    ]
    some = [
        *units("mod_add", lambda r, a, b, q: lazy(r, q) and (r - a - b) % q == 0, 2),
        *units("mod_sub", lambda r, a, b, q: lazy(r, q) and (r - a + b) % q == 0, 2),
        *units("mod_add_halve", lambda r, a, b, q: lazy(r, q) and (2 * r - a - b) % q == 0, 2),
        *units("mod_halve", lambda r, a, _, q: lazy(r, q) and (2 * r - a) % q == 0, 1),
        *canonical,
    ]
    wrong = failures(some, build(some, tmp_path))
    assert not wrong, {name: lines[:3] for name, lines in wrong.items()}
