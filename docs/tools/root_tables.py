# SPDX-License-Identifier: Apache-2.0
"""Roots of other libraries beside ours, for docs/roots.md.

`python -m docs.tools.root_tables fields` lists the fields with a usual generator, `libraries` what
makes our transforms equal to those of others; tests/unit/ring/test_libraries.py tests each row.
"""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from nttforge.ring.roots import FIELDS
from nttforge.table import Table, markdown


@dataclass(frozen=True)
class Library:
    """A library's transform, and what makes ours equal to it.

    Attributes
    ----------
    name
        The library.
    root
        Its root.
    keys
        Of our ring.
    order
        Where its values stand.
    test
        What its test is called.
    """

    name: str
    root: str
    keys: str
    order: str
    test: str


_SAME = "the same"
_NATURAL = "natural"

LIBRARIES = (
    Library("FIPS 203, kyber-py", "17", '`preset = "ml-kem"`', _SAME, "fips_203"),
    Library("FIPS 204, dilithium-py", "1753", '`preset = "ml-dsa"`', _SAME, "fips_204"),
    Library(
        "PQClean, ML-KEM and ML-DSA",
        "17, 1753",
        "the same presets",
        "the same; words are signed, and those of `invntt_tomont` are times 2^16 or 2^32",
        "pqclean_ml",
    ),
    Library(
        "PQClean, Falcon",
        "7 (n = 1024), 49 (n = 512)",
        '`preset = "newhope-1024"`, `"newhope-512"`',
        _SAME,
        "pqclean_falcon",
    ),
    Library(
        "SEAL, HEXL, OpenFHE",
        "the smallest of order 2n",
        'none; `root = "minimal"` for a field of the table above',
        _SAME,
        "seal",
    ),
    Library(
        "lattigo",
        "g^((q-1)/2n), g its `PrimitiveRoot`, the least primitive root from 3 up",
        "`generator = g`",
        _SAME,
        "lattigo",
    ),
    Library("Plonky3", "the usual generator's", "none", _NATURAL, "plonky3"),
    Library(
        "Plonky2, Winterfell's f64",
        "7277203076849721926, of order 2^32",
        '`root = "7277203076849721926"`',
        _NATURAL,
        "plonky2",
    ),
    Library("RISC Zero, BabyBear", "137, of order 2^27", "`root = 137`", _NATURAL, "risc_zero"),
    Library("arkworks", "the usual generator's", "none", _NATURAL, "arkworks"),
    Library(
        "gnark-crypto",
        "the usual generator's",
        "none",
        "the same after `DIF`, natural after `DIT`",
        "gnark",
    ),
    Library(
        "zkcrypto (`bls12_381`, `pasta_curves`)",
        "the usual generator's",
        "none",
        _NATURAL,
        "zkcrypto",
    ),
    Library("halo2curves, BN254", "7's", "`generator = 7`", _NATURAL, "halo2curves"),
)


def fields() -> Table:
    """The fields with a usual generator."""
    rows = [(f.name, f"`{f.q:#x}`", f.generator, f.source) for f in FIELDS.values()]
    return Table("", ("field", "q", "g", "as in"), rows)


def libraries() -> Table:
    """What makes our transforms equal to those of others."""
    rows = [
        (each.name, each.root, each.keys, each.order, f"`-k {each.test}`") for each in LIBRARIES
    ]
    return Table("", ("library", "root", "keys of our ring", "order of values", "test"), rows)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a table."""
    parser = argparse.ArgumentParser(prog="python -m docs.tools.root_tables")
    tables = {"fields": fields, "libraries": libraries}
    parser.add_argument("table", choices=tables)
    print(markdown([tables[parser.parse_args(arguments).table]()]))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
