# SPDX-License-Identifier: Apache-2.0
"""`dsa`: a user's own keys and signatures, made and verified by the simulated core."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from nttforge.errors import NttforgeError
from nttforge.families import MldsaCore
from nttforge.flow.mldsa.dsa import Dsa, Signed
from nttforge.flow.prepare import Prepared, Progress, silent
from nttforge.flow.values import Made, find_number, output_paths, read_bytes, read_value
from nttforge.kinds.lattice.bus import open_core
from nttforge.results import Result
from nttforge.standards.ml_dsa.message import MU_BYTES, formatted
from nttforge.standards.ml_dsa.parameters import PARAMETER_SETS, SEED_BYTES, Parameters
from nttforge.standards.ml_dsa.signing import RND_BYTES
from nttforge.table import Block, Line, verdict

# What nobody but the owner may read.
_SECRET = ("sk",)


class Verified(Result):
    """What `dsa verify` found.

    Attributes
    ----------
    ok
        The signature is right.
    cycles, keccak_cycles
        First input word to the verdict, and those of them in which Keccak worked.
    """

    design: str
    parameter_set: str
    ok: bool
    cycles: int
    keccak_cycles: int

    @property
    def said(self) -> str:
        """What was found, in a few words."""
        return "the signature is right" if self.ok else "the signature is wrong"

    def shown(self) -> Iterator[Block]:
        """The verdict, and what it took."""
        yield Line(
            f"verify of {self.parameter_set} in {self.cycles} cycles, "
            f"{self.keccak_cycles} of them with Keccak at work"
        )
        yield verdict(self.ok, self.said, self.said)


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
    dsa = Dsa(open_core(prepared))
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


class _What(NamedTuple):
    """What is signed: M', or mu."""

    message: bytes
    mu: bytes | None


def _what(message: Path | None, mu: str | None, context: str, prehash: str | None) -> _What:
    """What a user says is signed; what is wrong is said before the simulator is compiled."""
    if (message is None) == (mu is None):
        raise NttforgeError("--message", "a message or mu is wanted, one of them", "give one")
    if mu is not None and (context or prehash is not None):
        raise NttforgeError("--mu", "context and prehash are in mu already", "leave them out")
    given = b"" if message is None else read_bytes("--message", message)
    digest = None if mu is None else read_value("--mu", mu, MU_BYTES)
    try:
        words = bytes.fromhex(context)
    except ValueError:
        raise NttforgeError(
            "--context", f"{context} is not hexadecimal", "give two digits a byte"
        ) from None
    return _What(formatted(given, words, prehash), digest)


def dsa_sign(
    prepared: Prepared[MldsaCore],
    p: Parameters,
    *,
    sk: str | None = None,
    seed: str | None = None,
    message: Path | None = None,
    mu: str | None = None,
    context: str = "",
    prehash: str | None = None,
    rnd: str | None = None,
    deterministic: bool = False,
    output: Path | None = None,
    progress: Progress = silent,
) -> Made:
    """Sign a file's bytes, or mu.

    Parameters
    ----------
    prepared
        The core and its folder.
    p
        Parameter set.
    sk, seed, mu, rnd
        See :func:`read_value`; random rnd if it is not given. With the key's seed, xi in the
        standard, the core makes the private key, and keeps it.
    message
        A file.
    context
        Hexadecimal digits.
    prehash
        The hash function of HashML-DSA.
    deterministic
        rnd are zeros.
    output
        Prefix of the file `PREFIX.sig`.
    progress
        Is told how far it has got.

    Raises
    ------
    NttforgeError
        Naming the option or the file that is wrong.
    """
    if sk is None:
        if seed is None:
            raise NttforgeError(
                "--sk", "a private key or its seed is wanted", "give --sk or --seed"
            )
        key = read_value("--seed", seed, SEED_BYTES)
    elif seed is not None:
        raise NttforgeError("--seed", "it makes the private key that --sk is", "leave one out")
    else:
        key = read_value("--sk", sk, p.sk_bytes)
    if deterministic and rnd is not None:
        raise NttforgeError("--rnd", "a deterministic signature has zeros", "leave one out")
    drawn = bytes(RND_BYTES) if deterministic else None
    drawn = drawn if rnd is None else read_value("--rnd", rnd, RND_BYTES)
    what = _what(message, mu, context, prehash)
    paths = output_paths(output, "sig")
    dsa = Dsa(open_core(prepared))
    progress(f"Sign of {p.name}")
    if sk is None:
        dsa.load_seed(p, key)
        made = _by_loaded(dsa, p, what, drawn)
    elif what.mu is None:
        made = dsa.sign_internal(p, key, what.message, drawn)
    else:
        made = dsa.sign_mu(p, key, what.mu, drawn)
    return Made.written(
        {"sig": made.signature},
        paths,
        _SECRET,
        seeds={"rnd": made.rnd},
        design=prepared.core.name,
        parameter_set=p.name,
        operation="sign",
        cycles=made.cycles,
        keccak_cycles=made.keccak_cycles,
    )


def _by_loaded(dsa: Dsa, p: Parameters, what: _What, rnd: bytes | None) -> Signed:
    if what.mu is None:
        return dsa.sign_loaded(p, what.message, rnd)
    return dsa.sign_loaded_mu(p, what.mu, rnd)


def dsa_verify(
    prepared: Prepared[MldsaCore],
    p: Parameters,
    *,
    pk: str,
    signature: str,
    message: Path | None = None,
    mu: str | None = None,
    context: str = "",
    prehash: str | None = None,
    progress: Progress = silent,
) -> Verified:
    """Verify a signature of a file's bytes, or of mu.

    Parameters
    ----------
    prepared
        The core and its folder.
    p
        Parameter set.
    pk, signature, mu
        See :func:`read_value`.
    message
        A file.
    context
        Hexadecimal digits.
    prehash
        The hash function of HashML-DSA.
    progress
        Is told how far it has got.

    Raises
    ------
    NttforgeError
        Naming the option or the file that is wrong.
    """
    key = read_value("--pk", pk, p.pk_bytes)
    # One of another length is wrong, as FIPS 204 has it, and no mistake of the caller.
    signed = read_value("--signature", signature, p.signature_bytes, exact=False)
    what = _what(message, mu, context, prehash)
    dsa = Dsa(open_core(prepared))
    progress(f"Verify of {p.name}")
    if what.mu is None:
        found = dsa.verify_internal(p, key, signed, what.message)
    else:
        found = dsa.verify_mu(p, key, signed, what.mu)
    return Verified(
        design=prepared.core.name,
        parameter_set=p.name,
        ok=found.accepted,
        cycles=found.cycles,
        keccak_cycles=found.keccak_cycles,
    )
