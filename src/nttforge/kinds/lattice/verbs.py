# SPDX-License-Identifier: Apache-2.0
"""`kem` and `dsa`: a user's own keys, secrets and signatures, made by the simulated coprocessor.

They work with any hardware that has the standard. Values are digits or files, see
:func:`nttforge.flow.values.read_value`; the `output` of each is a prefix of the files written.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from nttforge.design import Design
from nttforge.errors import NttforgeError
from nttforge.flow.prepare import Prepared, Progress, prepare_core, silent
from nttforge.flow.values import Made, find_number, output_paths, read_bytes, read_value
from nttforge.hw import Hardware, build
from nttforge.kinds.lattice.bus import open_core, open_kem
from nttforge.kinds.lattice.mldsa.dsa import Dsa
from nttforge.kinds.lattice.mlkem.kem import Kem
from nttforge.kinds.lattice.standard import ML_DSA, ML_KEM, Standard, standards_of
from nttforge.results import Result
from nttforge.standards.ml_dsa.message import MU_BYTES, formatted
from nttforge.standards.ml_dsa.parameters import SEED_BYTES
from nttforge.standards.ml_dsa.parameters import Parameters as DsaParameters
from nttforge.standards.ml_dsa.signing import RND_BYTES
from nttforge.standards.ml_kem.parameters import SEED_BYTES as KEM_SEED_BYTES
from nttforge.standards.ml_kem.parameters import Parameters as KemParameters
from nttforge.table import Block, Line, verdict

# Readable by their owner alone.
_SECRET = ("dk", "secret", "sk")


class _Took(Protocol):
    @property
    def cycles(self) -> int: ...

    @property
    def keccak_cycles(self) -> int: ...


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


def find_set(standard: Standard, name: str) -> Any:
    """A parameter set by its number, as 65 of ML-DSA-65, or by its whole name.

    Raises
    ------
    NttforgeError
        `parameter_set`, if there is none.
    """
    return find_number(name, {p.name: p for p in standard.sets})


def prepare_standard(design: Design, standard: Standard) -> Prepared[Hardware]:
    """Write the design folder of a coprocessor that has a standard into the cache.

    Raises
    ------
    NttforgeError
        If it does not have it, or the cache cannot be written.
    """
    core = build(design)
    if standard not in standards_of(core):
        problem = f"is {core.what}, not an {standard.name} coprocessor"
        raise NttforgeError(design.name, problem, core.instead)
    return prepare_core(core, design)


def kem_keygen(
    prepared: Prepared[Hardware],
    p: KemParameters,
    *,
    d: str | None = None,
    z: str | None = None,
    output: Path | None = None,
    progress: Progress = silent,
) -> Made:
    """Make a key pair from seeds, random ones if they are not given: `ek` and `dk`.

    Raises
    ------
    NttforgeError
        Naming the option or the file that is wrong.
    """
    seeds = [_seed("--d", d, KEM_SEED_BYTES), _seed("--z", z, KEM_SEED_BYTES)]
    paths = output_paths(output, "ek", "dk")
    kem = Kem(open_kem(prepared))
    progress(f"KeyGen of {p.name}")
    pair = kem.keygen(p, *seeds)
    values, made_from = {"ek": pair.ek, "dk": pair.dk}, {"d": pair.d, "z": pair.z}
    return _made(prepared, p, "keygen", pair, values, seeds=made_from, paths=paths)


def kem_encaps(
    prepared: Prepared[Hardware],
    p: KemParameters,
    *,
    ek: str,
    m: str | None = None,
    output: Path | None = None,
    progress: Progress = silent,
) -> Made:
    """Make a shared secret and its ciphertext: `secret` and `c`.

    Raises
    ------
    NttforgeError
        Naming the option or the file that is wrong, or the key if it is refused.
    """
    key = read_value("--ek", ek, p.ek_bytes)
    seed = _seed("--m", m, KEM_SEED_BYTES)
    paths = output_paths(output, "c", "secret")
    kem = Kem(open_kem(prepared))
    progress(f"Encaps of {p.name}")
    sent = kem.encaps(p, key, seed)
    values = {"c": sent.c, "secret": sent.secret}
    return _made(prepared, p, "encaps", sent, values, seeds={"m": sent.m}, paths=paths)


def kem_decaps(
    prepared: Prepared[Hardware],
    p: KemParameters,
    *,
    dk: str | None = None,
    seed: str | None = None,
    c: str,
    check: bool = True,
    output: Path | None = None,
    progress: Progress = silent,
) -> Made:
    """Find the `secret` of a ciphertext.

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
    key = _key_or_seed(
        "--dk",
        dk,
        p.dk_bytes,
        seed=seed,
        seed_length=2 * KEM_SEED_BYTES,
        name="decapsulation key",
    )
    ciphertext = read_value("--c", c, p.ciphertext_bytes)
    paths = output_paths(output, "secret")
    kem = Kem(open_kem(prepared))
    progress(f"Decaps of {p.name}")
    if dk is None:
        found = kem.decaps_seed(p, key, ciphertext)
    else:
        found = kem.decaps(p, key, ciphertext, check=check)
    return _made(prepared, p, "decaps", found, {"secret": found.secret}, paths=paths)


def dsa_keygen(
    prepared: Prepared[Hardware],
    p: DsaParameters,
    *,
    seed: str | None = None,
    output: Path | None = None,
    progress: Progress = silent,
) -> Made:
    """Make a key pair from a seed, xi in the standard, a random one if not given: `pk` and `sk`.

    Raises
    ------
    NttforgeError
        Naming the option or the file that is wrong.
    """
    given = _seed("--seed", seed, SEED_BYTES)
    paths = output_paths(output, "pk", "sk")
    dsa = Dsa(open_core(prepared))
    progress(f"KeyGen of {p.name}")
    pair = dsa.keygen(p, given)
    values, made_from = {"pk": pair.pk, "sk": pair.sk}, {"seed": pair.seed}
    return _made(prepared, p, "keygen", pair, values, seeds=made_from, paths=paths)


def dsa_sign(
    prepared: Prepared[Hardware],
    p: DsaParameters,
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
    """Sign a file's bytes, or mu: `sig`.

    Parameters
    ----------
    prepared
        The core and its folder.
    p
        Parameter set.
    sk, seed
        The private key, or xi, of which the core makes it, and keeps it inside.
    message
        A file.
    mu, rnd
        Values; random rnd if it is not given.
    context
        Hexadecimal digits.
    prehash
        The hash function of HashML-DSA.
    deterministic
        rnd are zeros.
    output
        Prefix of the file.
    progress
        Is told how far it has got.

    Raises
    ------
    NttforgeError
        Naming the option or the file that is wrong.
    """
    key = _key_or_seed(
        "--sk", sk, p.sk_bytes, seed=seed, seed_length=SEED_BYTES, name="private key"
    )
    if deterministic and rnd is not None:
        raise NttforgeError("--rnd", "a deterministic signature has zeros", "leave one out")
    drawn = bytes(RND_BYTES) if deterministic else _seed("--rnd", rnd, RND_BYTES)
    signed = _signed(message, mu, context, prehash)
    paths = output_paths(output, "sig")
    dsa = Dsa(open_core(prepared))
    progress(f"Sign of {p.name}")
    if sk is None:
        dsa.load_seed(p, key)
        by_loaded = dsa.sign_loaded if signed.mu is None else dsa.sign_loaded_mu
        made = by_loaded(p, signed.given, drawn)
    else:
        sign = dsa.sign_internal if signed.mu is None else dsa.sign_mu
        made = sign(p, key, signed.given, drawn)
    values = {"sig": made.signature}
    return _made(prepared, p, "sign", made, values, seeds={"rnd": made.rnd}, paths=paths)


def dsa_verify(
    prepared: Prepared[Hardware],
    p: DsaParameters,
    *,
    pk: str,
    signature: str,
    message: Path | None = None,
    mu: str | None = None,
    context: str = "",
    prehash: str | None = None,
    progress: Progress = silent,
) -> Verified:
    """Verify a signature of a file's bytes, or of mu; options are those of :func:`dsa_sign`.

    Raises
    ------
    NttforgeError
        Naming the option or the file that is wrong.
    """
    key = read_value("--pk", pk, p.pk_bytes)
    # One of another length is wrong, as FIPS 204 has it, and no mistake of the caller.
    made = read_value("--signature", signature, p.signature_bytes, exact=False)
    signed = _signed(message, mu, context, prehash)
    dsa = Dsa(open_core(prepared))
    progress(f"Verify of {p.name}")
    verify = dsa.verify_internal if signed.mu is None else dsa.verify_mu
    found = verify(p, key, made, signed.given)
    return Verified(
        design=prepared.core.name,
        parameter_set=p.name,
        ok=found.accepted,
        cycles=found.cycles,
        keccak_cycles=found.keccak_cycles,
    )


def _seed(option: str, given: str | None, length: int) -> bytes | None:
    return None if given is None else read_value(option, given, length)


def _key_or_seed(
    option: str, key: str | None, length: int, *, seed: str | None, seed_length: int, name: str
) -> bytes:
    """A private key, or the seed that the hardware makes it of; one of them is there."""
    if key is None and seed is None:
        hint = f"give {option} or --seed"
        raise NttforgeError(option, f"a {name} or its seed is wanted", hint)
    if key is not None and seed is not None:
        short = "key" if option == "--dk" else name
        raise NttforgeError("--seed", f"it makes the {short} that {option} is", "leave one out")
    if key is not None:
        return read_value(option, key, length)
    return read_value("--seed", str(seed), seed_length)


class _Signed(NamedTuple):
    """What is signed: M', or mu."""

    message: bytes
    mu: bytes | None

    @property
    def given(self) -> bytes:
        """What the hardware takes of it."""
        return self.message if self.mu is None else self.mu


def _signed(message: Path | None, mu: str | None, context: str, prehash: str | None) -> _Signed:
    """What a user says is signed; what is wrong is reported before the simulator is compiled."""
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
    return _Signed(formatted(given, words, prehash), digest)


def _made(
    prepared: Prepared[Hardware],
    p: KemParameters | DsaParameters,
    operation: str,
    took: _Took,
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
        operation=operation,
        cycles=took.cycles,
        keccak_cycles=took.keccak_cycles,
    )


#: By the words of the command line.
VERBS: Mapping[str, tuple[Standard, Mapping[str, Callable[..., Result]]]] = {
    "kem": (ML_KEM, {"keygen": kem_keygen, "encaps": kem_encaps, "decaps": kem_decaps}),
    "dsa": (ML_DSA, {"keygen": dsa_keygen, "sign": dsa_sign, "verify": dsa_verify}),
}
