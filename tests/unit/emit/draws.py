# SPDX-License-Identifier: Apache-2.0
"""Random designs of every family that are built in a moment, as a user gives them: a file's keys
and overrides."""

import random
from typing import Any

from nttforge.design import Design, parse_design
from nttforge.ring.primes import next_ntt_prime
from nttforge.targets import TARGETS

_TRANSFORMS = (["ntt", "intt"], ["intt", "ntt"], ["ntt"], ["intt"])
_PRODUCTS = (["pointwise"], ["mac", "ntt"], ["ntt", "intt", "pointwise", "mac", "polymul"])
_TEXTS = ("", "plain", 'quotes " and \\ and é', "two\nlines \t # {{ x }}", "\x7f \u2028")


def _rings(rng: random.Random, n: int) -> list[dict[str, Any]]:
    rings = []
    for name in "abc"[: rng.choice((1, 1, 2, 3))]:
        q = next_ntt_prime(rng.choice((8, 12, 23, 32, 64, 90)), 2 * n)
        rings.append({"name": name, "n": n, "q": q if q < 1 << 63 else str(q)})
    return rings


def draw(seed: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """Keys of a file, and overrides by dotted key; a function of the seed."""
    rng = random.Random(seed)
    name = f"drawn-{seed}"
    text = rng.choice(_TEXTS)
    target = rng.choice(tuple(TARGETS))
    given: dict[str, Any] = {"name": name, "description": text, "target": target}
    family = rng.choice(("pipeline", "pipeline", "shell", "iterative", "pairs", "large", "mlkem"))
    n = rng.choice((8, 16, 32))
    butterflies = 1 << rng.randint(0, 2)
    if family == "large":
        given |= {"family": "decomposed", "rings": [{"q": 7681}]}
        given["decomposed"] = {"n": 16, "t": 4, "l_max": rng.choice((6, 8))}
        return given, {"decomposed.clock_mhz": rng.choice((0.001, 165.5, 1e5)), "description": text}
    if family == "mlkem":
        given |= {"family": "lattice"}
        return given, {"lattice.rounds_per_cycle": rng.choice((1, 2, 4))}
    if family == "pairs":
        given |= {"family": "iterative", "rings": [{"preset": "ml-kem"}, {"preset": "ml-dsa"}]}
        given["target"] = "xcup"  # others have no tile that is wide enough
        return given, {"iterative.pairs": True, "iterative.butterflies": butterflies}
    given["rings"] = _rings(rng, n)
    overrides: dict[str, Any]
    if family == "iterative":
        given |= {"family": family, "operations": rng.choice((*_TRANSFORMS, *_PRODUCTS))}
        overrides = {"iterative.butterflies": butterflies, "iterative.slots": rng.choice((0, 4))}
        if seed % 2:
            del overrides["iterative.butterflies"]
            overrides["iterative.interval"] = 20 * n + 100
        return given, overrides
    given |= {"operations": rng.choice(_TRANSFORMS)}
    overrides = {"pipeline.butterflies": butterflies}
    if seed % 3 == 0:
        overrides = {"pipeline.interval": n // (2 * butterflies)}
    overrides["pipeline.seamless"] = rng.random() < 0.4
    if family == "shell":
        overrides |= {"shell.instances": rng.randint(1, 3), "shell.packing": "words"}
    return given, overrides


def drawn(seed: int) -> Design:
    """The design that a user gets."""
    keys, overrides = draw(seed)
    for path, value in overrides.items():
        *outer, key = path.split(".")
        table = keys
        for part in outer:
            table = table.setdefault(part, {})
        table[key] = value
    return parse_design(keys, "drawn")


def seeds_of(*families: str) -> list[int]:
    """Seeds of designs of these families."""
    return [s for s in range(90) if draw(s)[0].get("family", "pipeline") in families]
