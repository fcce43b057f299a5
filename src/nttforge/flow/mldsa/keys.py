# SPDX-License-Identifier: Apache-2.0
"""`dsa`: keys of a user's own, made by the simulated core."""

from pathlib import Path

from nttforge.families import MldsaCore
from nttforge.flow.mldsa.dsa import Dsa, open_core
from nttforge.flow.prepare import Prepared, Progress, silent
from nttforge.flow.values import Made, find_number, output_paths, read_value
from nttforge.standards.ml_dsa.parameters import PARAMETER_SETS, SEED_BYTES, Parameters

# What nobody but the owner may read.
_SECRET = ("sk",)


def find_set(name: str) -> Parameters:
    """A parameter set by its number, 44, 65 or 87, or by its whole name.

    Raises
    ------
    NttforgeError
        `parameter_set`, if there is none.
    """
    return find_number(name, PARAMETER_SETS)


def dsa_keygen(
    prepared: Prepared[MldsaCore],
    p: Parameters,
    *,
    seed: str | None = None,
    output: Path | None = None,
    progress: Progress = silent,
) -> Made:
    """Make a key pair from a seed (see :func:`read_value`), a random one if it is not given.

    Parameters
    ----------
    prepared
        The core and its folder.
    p
        Parameter set.
    seed
        xi, in the standard.
    output
        Prefix of the files `PREFIX.pk` and `PREFIX.sk`.
    progress
        Is told how far it has got.

    Raises
    ------
    NttforgeError
        Naming the option or the file that is wrong.
    """
    given = None if seed is None else read_value("--seed", seed, SEED_BYTES)
    paths = output_paths(output, "pk", "sk")
    dsa = Dsa(open_core(prepared, progress))
    progress(f"KeyGen of {p.name}")
    pair = dsa.keygen(p, given)
    return Made.written(
        {"pk": pair.pk, "sk": pair.sk},
        paths,
        _SECRET,
        seeds={"seed": pair.seed},
        design=prepared.core.name,
        parameter_set=p.name,
        operation="keygen",
        cycles=pair.cycles,
        keccak_cycles=pair.keccak_cycles,
    )
