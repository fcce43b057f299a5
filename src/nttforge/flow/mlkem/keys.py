# SPDX-License-Identifier: Apache-2.0
"""`kem`: keys, ciphertexts and secrets of a user's own, made by the simulated coprocessor."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from nttforge.errors import NttforgeError
from nttforge.families import MlkemCore
from nttforge.flow.mlkem.kem import Decapsulation, Encapsulation, Kem, KeyPair
from nttforge.flow.prepare import Prepared, Progress, silent
from nttforge.flow.values import Made, find_number, output_paths, read_value
from nttforge.kinds.lattice.bus import open_kem
from nttforge.standards.ml_kem.parameters import PARAMETER_SETS, SEED_BYTES, Parameters

# What nobody but the owner may read.
_SECRET = ("dk", "secret")
_NAMES = {KeyPair: "keygen", Encapsulation: "encaps", Decapsulation: "decaps"}


def find_set(name: str) -> Parameters:
    """A parameter set by its number, 512, 768 or 1024, or by its whole name.

    Raises
    ------
    NttforgeError
        `parameter_set`, if there is none.
    """
    return find_number(name, PARAMETER_SETS)


def kem_keygen(
    prepared: Prepared[MlkemCore],
    p: Parameters,
    *,
    d: str | None = None,
    z: str | None = None,
    output: Path | None = None,
    progress: Progress = silent,
) -> Made:
    """Make a key pair from seeds (see :func:`read_value`), random ones if they are not given.

    Parameters
    ----------
    prepared
        The coprocessor and its folder.
    p
        Parameter set.
    d, z
        Seeds.
    output
        Prefix of the files `PREFIX.ek` and `PREFIX.dk`.
    progress
        Is told how far it has got.

    Raises
    ------
    NttforgeError
        Naming the option or the file that is wrong.
    """
    seeds = [
        None if s is None else read_value(o, s, SEED_BYTES) for o, s in (("--d", d), ("--z", z))
    ]
    paths = output_paths(output, "ek", "dk")
    kem = Kem(open_kem(prepared))
    progress(f"KeyGen of {p.name}")
    pair = kem.keygen(p, *seeds)
    values, made_from = {"ek": pair.ek, "dk": pair.dk}, {"d": pair.d, "z": pair.z}
    return _made(prepared, p, pair, values, seeds=made_from, paths=paths)


def kem_encaps(
    prepared: Prepared[MlkemCore],
    p: Parameters,
    *,
    ek: str,
    m: str | None = None,
    output: Path | None = None,
    progress: Progress = silent,
) -> Made:
    """Make a shared secret and its ciphertext; files are `PREFIX.c` and `PREFIX.secret`.

    Raises
    ------
    NttforgeError
        Naming the option or the file that is wrong, or the key if it is refused.
    """
    key = read_value("--ek", ek, p.ek_bytes)
    seed = None if m is None else read_value("--m", m, SEED_BYTES)
    paths = output_paths(output, "c", "secret")
    kem = Kem(open_kem(prepared))
    progress(f"Encaps of {p.name}")
    sent = kem.encaps(p, key, seed)
    values = {"c": sent.c, "secret": sent.secret}
    return _made(prepared, p, sent, values, seeds={"m": sent.m}, paths=paths)


def kem_decaps(
    prepared: Prepared[MlkemCore],
    p: Parameters,
    *,
    dk: str | None = None,
    seed: str | None = None,
    c: str,
    check: bool = True,
    output: Path | None = None,
    progress: Progress = silent,
) -> Made:
    """Find the shared secret of a ciphertext; the file is `PREFIX.secret`.

    Parameters
    ----------
    prepared
        The coprocessor and its folder.
    p
        Parameter set.
    dk, seed
        The decapsulation key, or d and z, of which the coprocessor makes it, and keeps it inside.
    c
        The ciphertext.
    check
        Whether the key's hash is checked.
    output
        Prefix of the file.
    progress
        Is told how far it has got.

    Raises
    ------
    NttforgeError
        Naming the option or the file that is wrong, or the key if it is refused.
    """
    if dk is None:
        if seed is None:
            mend = "give --dk or --seed"
            raise NttforgeError("--dk", "a decapsulation key or its seed is wanted", mend)
        key = read_value("--seed", seed, 2 * SEED_BYTES)
    elif seed is not None:
        raise NttforgeError("--seed", "it makes the key that --dk is", "leave one out")
    else:
        key = read_value("--dk", dk, p.dk_bytes)
    ciphertext = read_value("--c", c, p.ciphertext_bytes)
    paths = output_paths(output, "secret")
    kem = Kem(open_kem(prepared))
    progress(f"Decaps of {p.name}")
    if dk is None:
        found = kem.decaps_seed(p, key, ciphertext)
    else:
        found = kem.decaps(p, key, ciphertext, check=check)
    return _made(prepared, p, found, {"secret": found.secret}, paths=paths)


def _made(
    prepared: Prepared[MlkemCore],
    p: Parameters,
    took: KeyPair | Encapsulation | Decapsulation,
    values: Mapping[str, bytes],
    *,
    seeds: Mapping[str, bytes] = {},
    paths: Sequence[Path],
) -> Made:
    return Made.written(
        values,
        paths,
        _SECRET,
        seeds=seeds,
        design=prepared.core.name,
        parameter_set=p.name,
        operation=_NAMES[type(took)],
        cycles=took.cycles,
        keccak_cycles=took.keccak_cycles,
    )
