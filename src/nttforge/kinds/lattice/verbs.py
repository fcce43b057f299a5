# SPDX-License-Identifier: Apache-2.0
"""`kem` and `dsa`: a user's own keys, secrets and signatures, made by the simulated coprocessor.

They work with any hardware that has the standard. Values are digits or files, see
:func:`nttforge.flow.values.read_value`; the `output` of each is a prefix of the files written.
"""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from nttforge.design import Design
from nttforge.errors import NttforgeError
from nttforge.flow.prepare import Prepared, Progress, prepare_core, silent
from nttforge.flow.values import Made, find_number, output_paths, read_bytes, read_value
from nttforge.hw import Hardware, build
from nttforge.kinds.lattice.bus import open_core
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


class Verified(Result):
    """What `dsa verify` found; its exit code of a wrong signature is not that of an error.

    Attributes
    ----------
    ok
        The signature is right.
    cycles, keccak_cycles
        First input word to the verdict, and those of them in which Keccak worked.
    """

    exit_code: ClassVar[int] = 3

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


class Job(NamedTuple):
    """An operation with all that it takes, checked before a simulator is compiled.

    Attributes
    ----------
    run
        Does it, with the coprocessor's standard: :class:`Kem` or :class:`Dsa`.
    values, seeds
        Attributes of its result: outputs, each a file, and what they were made from; no outputs of
        one that says only whether something is right.
    """

    run: Callable[[Any], Any]
    values: tuple[str, ...] = ()
    seeds: tuple[str, ...] = ()


def _kem_keygen(p: KemParameters, *, d: str | None = None, z: str | None = None) -> Job:
    """A key pair from seeds, random ones if they are not given."""
    seeds = [_seed("--d", d, KEM_SEED_BYTES), _seed("--z", z, KEM_SEED_BYTES)]
    return Job(lambda kem: kem.keygen(p, *seeds), ("ek", "dk"), ("d", "z"))


def _kem_encaps(p: KemParameters, *, ek: str, m: str | None = None) -> Job:
    """A shared secret and its ciphertext."""
    key, seed = read_value("--ek", ek, p.ek_bytes), _seed("--m", m, KEM_SEED_BYTES)
    return Job(lambda kem: kem.encaps(p, key, seed), ("c", "secret"), ("m",))


def _kem_decaps(
    p: KemParameters, *, dk: str | None = None, seed: str | None = None, c: str, check: bool = True
) -> Job:
    """The secret of a ciphertext; the key is checked, or made of d and z, and kept inside."""
    given = {"--dk": (dk, p.dk_bytes), "--seed": (seed, 2 * KEM_SEED_BYTES)}
    key = _key_or_seed(given, "decapsulation key", "key")
    ciphertext = read_value("--c", c, p.ciphertext_bytes)
    if dk is None:
        return Job(lambda kem: kem.decaps_seed(p, key, ciphertext), ("secret",))
    return Job(lambda kem: kem.decaps(p, key, ciphertext, check=check), ("secret",))


def _dsa_keygen(p: DsaParameters, *, seed: str | None = None) -> Job:
    """A key pair from a seed, xi in the standard, a random one if not given."""
    given = _seed("--seed", seed, SEED_BYTES)
    return Job(lambda dsa: dsa.keygen(p, given), ("pk", "sk"), ("seed",))


def _dsa_sign(
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
) -> Job:
    """A signature of a file's bytes, or of mu, by a key, or by xi, of which the core makes it."""
    given = {"--sk": (sk, p.sk_bytes), "--seed": (seed, SEED_BYTES)}
    key = _key_or_seed(given, "private key", "private key")
    if deterministic and rnd is not None:
        raise NttforgeError("--rnd", "a deterministic signature has zeros", "leave one out")
    drawn = bytes(RND_BYTES) if deterministic else _seed("--rnd", rnd, RND_BYTES)
    signed = _signed(message, mu, context, prehash)

    def run(dsa: Dsa) -> Any:
        if sk is not None:
            sign = dsa.sign_internal if mu is None else dsa.sign_mu
            return sign(p, key, signed, drawn)
        dsa.load_seed(p, key)
        by_loaded = dsa.sign_loaded if mu is None else dsa.sign_loaded_mu
        return by_loaded(p, signed, drawn)

    return Job(run, ("signature",), ("rnd",))


def _dsa_verify(
    p: DsaParameters,
    *,
    pk: str,
    signature: str,
    message: Path | None = None,
    mu: str | None = None,
    context: str = "",
    prehash: str | None = None,
) -> Job:
    """Whether a signature is that of a file's bytes, or of mu."""
    key = read_value("--pk", pk, p.pk_bytes)
    # One of another length is wrong, as FIPS 204 has it, and no mistake of the caller.
    made = read_value("--signature", signature, p.signature_bytes, exact=False)
    signed = _signed(message, mu, context, prehash)

    def run(dsa: Dsa) -> Any:
        verify = dsa.verify_internal if mu is None else dsa.verify_mu
        return verify(p, key, made, signed)

    return Job(run)


def _seed(option: str, given: str | None, length: int) -> bytes | None:
    return None if given is None else read_value(option, given, length)


def _key_or_seed(given: Mapping[str, tuple[str | None, int]], name: str, short: str) -> bytes:
    """A private key, or the seed that the hardware makes it of; one of them is there."""
    option = next(iter(given))
    there = [(each, text, length) for each, (text, length) in given.items() if text is not None]
    if not there:
        hint = f"give {option} or --seed"
        raise NttforgeError(option, f"a {name} or its seed is wanted", hint)
    if len(there) > 1:
        raise NttforgeError("--seed", f"it makes the {short} that {option} is", "leave one out")
    return read_value(*there[0])


def _signed(message: Path | None, mu: str | None, context: str, prehash: str | None) -> bytes:
    """What a user says is signed, M' or mu."""
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
    return formatted(given, words, prehash) if digest is None else digest


class Verb(NamedTuple):
    """A standard on the command line: how it is called in Python, and its operations."""

    standard: Standard
    kind: type[Any]
    jobs: Mapping[str, Callable[..., Job]]

    def do(
        self,
        operation: str,
        prepared: Prepared[Hardware],
        p: Any,
        *,
        output: Path | None = None,
        progress: Progress = silent,
        **options: Any,
    ) -> Made | Verified:
        """One operation by a simulated coprocessor.

        Parameters
        ----------
        operation
            Its name.
        prepared
            The coprocessor and its folder.
        p
            Parameter set.
        output
            Prefix of the files.
        progress
            Is told how far it has got.
        options
            Of the operation, as the command line has them.

        Raises
        ------
        NttforgeError
            Naming the option or the file that is wrong, or the key if it is refused.
        """
        job = self.jobs[operation](p, **options)
        names = {_FILES.get(name, name): name for name in job.values}
        paths = output_paths(output, *names)
        core = self.kind(open_core(prepared))
        progress(f"{_TITLES.get(operation, operation.capitalize())} of {p.name}")
        took = job.run(core)
        known: dict[str, Any] = {
            "design": prepared.core.name,
            "parameter_set": p.name,
            "cycles": took.cycles,
            "keccak_cycles": took.keccak_cycles,
        }
        if not names:
            return Verified(ok=took.accepted, **known)
        return Made.written(
            {name: getattr(took, of) for name, of in names.items()},
            paths,
            _SECRET,
            seeds={name: getattr(took, name) for name in job.seeds},
            operation=operation,
            **known,
        )


#: What outputs and operations are called, where it is not their name.
_FILES = {"signature": "sig"}
_TITLES = {"keygen": "KeyGen"}
#: By the words of the command line.
VERBS: Mapping[str, Verb] = {
    "kem": Verb(ML_KEM, Kem, {"keygen": _kem_keygen, "encaps": _kem_encaps, "decaps": _kem_decaps}),
    "dsa": Verb(ML_DSA, Dsa, {"keygen": _dsa_keygen, "sign": _dsa_sign, "verify": _dsa_verify}),
}
