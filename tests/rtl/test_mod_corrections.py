# SPDX-License-Identifier: Apache-2.0
"""The corrections, against `%`: all operands of a small modulus, corners and random of others."""

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from nttforge.emit.verilog import indexed
from tests.rtl.arith_bench import Unit, build, failures

MODULI = [
    (3,),
    (17,),
    (3329, 8380417, 2**61 - 1),
    (12289, 3329, 7681),
    (2**64 - 2**32 + 1,),
    (2**255 - 19,),
]


def units(module: str, right: Callable[[int, int, int, int], bool], operands: int) -> list[Unit]:
    """`right(r, a, b, q)`: whether r is right."""
    found: list[Unit] = []
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


def settling(rows: tuple[int, ...]) -> list[Unit]:
    """ntf_mod_settle with these multiples, on all that the first of them can take."""
    found: list[Unit] = []
    for qs in MODULI:
        w = max(qs).bit_length()
        rng = random.Random(w)
        vectors = []
        for mod, q in enumerate(qs):
            reach = 2 * rows[0] * q
            corners = [-reach, reach - 1, -1, 0, 1, *(m * q + d for m in rows for d in (-1, 0, 1))]
            some = range(-reach, reach) if q < 20 else corners
            vectors += [(a, 0, mod) for a in some]
            vectors += [(rng.randrange(-reach, reach), 0, mod) for _ in range(300)]
        widths = [(2 * rows[0] * max(qs)).bit_length() + 1]
        widths += [(multiple * max(qs)).bit_length() + 1 for multiple in rows]
        table = ", ".join(f"{w}'d{q}" for q in reversed(qs))
        each = list(enumerate(zip((*rows, 1), widths, strict=True)))
        for mask in range(2 ** (len(rows) + 1)):
            settle = indexed(
                f"'{{multiple: 5'd{multiple}, width: 10'd{width}, reg_after: 1'd{mask >> row & 1}}}"
                for row, (multiple, width) in each
            )
            name = f"Settle{rows[0]}x{MODULI.index(qs)}x{mask}"

            def check(a: int, _: int, mod: int, r: int, qs: tuple[int, ...] = qs) -> bool:
                return r == a % qs[mod]

            found.append(
                Unit(
                    f"ntf_mod_settle {rows} {qs} RegAfter={mask}",
                    f"  localparam logic [{len(qs) - 1}:0][{w - 1}:0] {name} = {{{table}}};\n"
                    f"  localparam ntf_arith_pkg::settle_t [ntf_arith_pkg::MaxSettle-1:0] "
                    f"{name}Rows = {settle};",
                    f"ntf_mod_settle #(.W({w}), .NumMods({len(qs)}), .Moduli({name}), "
                    f".Rows({len(rows)}), .Settle({name}Rows))",
                    (widths[0], 0, max(1, (len(qs) - 1).bit_length()), w),
                    mask.bit_count(),
                    vectors,
                    check,
                    signed=False,
                )
            )
    return found


def centring(multiple: int) -> list[Unit]:
    """ntf_mod_centre by so many moduli, on all that it brings to half of them."""
    found: list[Unit] = []
    for qs in MODULI:
        w = max(qs).bit_length()
        rng = random.Random(w)
        vectors = []
        for mod, q in enumerate(qs):
            reach = 3 * multiple * q // 2
            corners = [
                -reach,
                reach,
                *(s * multiple * q // 2 + d for s in (-1, 1) for d in (-1, 0, 1)),
            ]
            some = range(-reach, reach + 1) if q < 20 else corners
            vectors += [(a, 0, mod) for a in some]
            vectors += [(rng.randrange(-reach, reach), 0, mod) for _ in range(300)]
        width = (2 * multiple * max(qs)).bit_length() + 1
        table = ", ".join(f"{w}'d{q}" for q in reversed(qs))
        for mask in range(4):
            name = f"Centre{multiple}x{MODULI.index(qs)}x{mask}"

            def check(a: int, _: int, mod: int, r: int, qs: tuple[int, ...] = qs) -> bool:
                moved = multiple * qs[mod]
                # Half of it, but for four leading bits that are compared.
                near = 16 * abs(r) <= 9 * moved or (moved < 8 and 2 * abs(r) <= moved + 2)
                return near and r - a in (-moved, 0, moved)

            found.append(
                Unit(
                    f"ntf_mod_centre {multiple} {qs} RegAfter={mask}",
                    f"  localparam logic [{len(qs) - 1}:0][{w - 1}:0] {name} = {{{table}}};",
                    f"ntf_mod_centre #(.W({w}), .NumMods({len(qs)}), .Moduli({name}), "
                    f".Multiple({multiple}), .InW({width}), .OutW({width}), .RegAfter(2'd{mask}))",
                    (width, 0, max(1, (len(qs) - 1).bit_length()), width),
                    mask.bit_count(),
                    vectors,
                    check,
                    select="apply_i(1'b1), .mod_i",
                )
            )
    return found


def minus_half(r: int, a: int, _: int, q: int) -> bool:
    """Right modulo q, in range, and centred if the operand is."""
    centred = abs(a) > q // 2 or abs(r) <= q // 2
    return -q <= r < q and (2 * r + a) % q == 0 and centred


def every() -> list[Unit]:
    canonical = [
        replace(u, widths=(*u.widths[:3], u.widths[3] - 1), signed=False)
        for u in units("ntf_mod_canonical", lambda r, a, _, q: r == a % q, 1)
    ]
    return [
        *units("ntf_mod_negate_halve", minus_half, 1),
        *canonical,
        *settling((1,)),
        *settling((2, 1)),
        *settling((3, 2, 1)),
        *centring(1),
        *centring(6),
    ]


def test_corrections(tmp_path: Path) -> None:
    some = every()
    wrong = failures(some, build(some, tmp_path))
    assert not wrong, {name: lines[:3] for name, lines in wrong.items()}
