# SPDX-License-Identifier: Apache-2.0
"""`kem` and `dsa`: a user's own keys, secrets and signatures, made by the simulated coprocessor.

They work with any hardware that has the standard. Values are digits or files, see
:func:`nttforge.flow.values.read_value`; the `output` of each is a prefix of the files written.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from nttforge.design import Design
from nttforge.errors import NttforgeError
from nttforge.flow.prepare import Prepared, Progress, prepare_core, silent
from nttforge.flow.values import Made, output_paths, read_bytes, read_value
from nttforge.hw import Core, build, build_kind
from nttforge.kinds.lattice.core import LatticeCore
from nttforge.kinds.lattice.functions import open_functions
from nttforge.kinds.lattice.standard import ML_DSA, ML_KEM, Standard, part_of
from nttforge.results import Result
from nttforge.standards.ml_dsa.message import MU_BYTES, formatted
from nttforge.standards.ml_dsa.signing import RND_BYTES
from nttforge.table import Block, Line, verdict


class Verified(Result):
    """Result of `dsa verify`; cycles from the first input word to the verdict."""

    exit_code: ClassVar[int] = 3

    design: str
    parameter_set: str
    ok: bool
    cycles: int
    keccak_cycles: int

    @property
    def said(self) -> str:
        """The result, in a few words."""
        return "the signature is right" if self.ok else "the signature is wrong"

    def shown(self) -> Iterator[Block]:
        """The verdict, and what it took."""
        yield Line(
            f"verify of {self.parameter_set} in {self.cycles} cycles, "
            f"{self.keccak_cycles} of them with Keccak at work"
        )
        yield verdict(self.ok, self.said, self.said)


def prepare_driven(design: Design) -> Prepared[LatticeCore]:
    """Write the design folder of a coprocessor that a C driver drives into the cache."""
    core = build_kind(design, LatticeCore)
    if core.registers is None or core.library is None:
        problem = "has no registers, which its driver needs"
        raise NttforgeError(design.name, problem, "set `registers` in its table")
    return prepare_core(core, design)


def build_standard(design: Design, standard: Standard) -> Core:
    """The core of a coprocessor that has a standard, or a part of it."""
    core = build(design)
    if part_of(core, standard) is None:
        problem = f"is {core.kind_label}, not an {standard.name} coprocessor"
        raise NttforgeError(design.name, problem, core.usage_hint)
    return core


def prepare_standard(design: Design, standard: Standard) -> Prepared[Core]:
    """Write the design folder of such a coprocessor into the cache."""
    return prepare_core(build_standard(design, standard), design)


def check_operation(prepared: Prepared[Core], standard: Standard, operation: str) -> None:
    """Raise unless a coprocessor that has a standard, or a part of it, has an operation."""
    has = part_of(prepared.core, standard)
    if has is not None and operation not in has.operations:
        *others, last = (f"`{name}`" for name in has.operations)
        hint = f"it has {', '.join(others)} and {last}" if others else f"it has {last} alone"
        raise NttforgeError(prepared.design.name, f"has no operation `{operation}`", hint)


class Call(NamedTuple):
    """Functions that a command calls, with checked arguments; all but the last load a key."""

    calls: tuple[tuple[str, dict[str, Any]], ...]

    @property
    def name(self) -> str:
        """Of the last function."""
        return self.calls[-1][0]


def _read(standard: Standard, function: str, p: Any, options: dict[str, Any]) -> dict[str, Any]:
    """Inputs of a function from digits or files, and its options."""
    inputs = standard.operations[standard.functions[function].operation].inputs
    return options | {
        value.name: read_value(
            value.name,  # the command line knows its flag
            options[value.name],
            value.length(p),
            # One of another length is wrong, as FIPS 204 has it, and no mistake of the caller.
            exact=value.name != "signature",
        )
        for value in inputs
        if isinstance(options.get(value.name), str) and value.length is not None
    }


def _direct(name: str, standard: Standard, p: Any, options: dict[str, Any]) -> Call:
    """A function with the options' names."""
    return Call(((name, _read(standard, name, p, options)),))


def _kem_decaps(standard: Standard, p: Any, options: dict[str, Any]) -> Call:
    """By the key, which is checked, or by its seed, and then the key is kept inside."""
    given = {"dk": options.pop("dk", None), "seed": options.pop("seed", None)}
    key = _key_or_seed(given, "decapsulation key", "key")
    name = "decaps" if key == "dk" else "decaps_seed"
    if key == "seed":
        del options["check"]
    return _direct(name, standard, p, {**options, key: given[key]})


def _dsa_sign(standard: Standard, p: Any, options: dict[str, Any]) -> Call:
    """Of a file's bytes, or of mu, by a key, or by xi, of which the core makes it."""
    given = {"sk": options.pop("sk", None), "seed": options.pop("seed", None)}
    key = _key_or_seed(given, "private key", "private key")
    own = _read(standard, "load_seed" if key == "seed" else "sign_internal", p, {key: given[key]})
    rnd = options.pop("rnd", None)
    if options.pop("deterministic", False):
        if rnd is not None:
            raise NttforgeError("--rnd", "a deterministic signature has zeros", "leave one out")
        rnd = bytes(RND_BYTES)
    drawn = {} if rnd is None else _read(standard, "sign_internal", p, {"rnd": rnd})
    external, signed = _signed(**options)
    if key == "seed":
        last = "sign_loaded_mu" if external else "sign_loaded"
        return Call((("load_seed", own), (last, {**signed, **drawn})))
    return Call((("sign_mu" if external else "sign_internal", {**own, **signed, **drawn}),))


def _dsa_verify(standard: Standard, p: Any, options: dict[str, Any]) -> Call:
    """Whether a signature is that of a file's bytes, or of mu."""
    given = {name: options.pop(name) for name in ("pk", "signature")}
    given = _read(standard, "verify_internal", p, given)
    external, signed = _signed(**options)
    return Call((("verify_mu" if external else "verify_internal", {**given, **signed}),))


def _key_or_seed(given: Mapping[str, str | None], name: str, short: str) -> str:
    """Whether a private key is given, or the seed that the hardware makes it of."""
    first = next(iter(given))
    there = [each for each, text in given.items() if text is not None]
    if not there:
        hint = f"give --{first} or --key-seed"
        raise NttforgeError(f"--{first}", f"a {name} or its seed is wanted", hint)
    if len(there) > 1:
        raise NttforgeError(
            "--key-seed", f"it makes the {short} that --{first} is", "leave one out"
        )
    return there[0]


def _signed(
    message: Path | None = None,
    mu: str | None = None,
    context: str = "",
    prehash: str | None = None,
) -> tuple[bool, dict[str, bytes]]:
    """Whether mu is given, and what a user says is signed, M' or mu."""
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
    if digest is not None:
        return True, {"mu": digest}
    return False, {"message": formatted(given, words, prehash)}


class Verb(NamedTuple):
    """A standard on the command line, and its operations."""

    standard: Standard
    calls: Mapping[str, Callable[[Standard, Any, dict[str, Any]], Call]]

    def do(
        self,
        operation: str,
        prepared: Prepared[Core],
        p: Any,
        *,
        output: Path | None = None,
        progress: Progress = silent,
        **options: Any,
    ) -> Made | Verified:
        """Do one operation by a simulated coprocessor; `output` is a prefix of files."""
        call = self.calls[operation](self.standard, p, options)
        does = self.standard.operations[self.standard.functions[call.name].operation]
        names = {_FILES.get(value.name, value.name): value for value in does.outputs}
        names = {} if does.judges else names
        paths = output_paths(output, *names)
        for name, _ in call.calls:
            check_operation(prepared, self.standard, self.standard.functions[name].operation)
        core = open_functions(prepared, self.standard)
        progress(f"{_TITLES.get(operation, operation.capitalize())} of {p.name}")
        for name, given in call.calls:
            took = getattr(core, name)(p, **given)
        known: dict[str, Any] = {
            "design": prepared.core.name,
            "parameter_set": p.name,
            "cycles": took.cycles,
            "keccak_cycles": took.keccak_cycles,
        }
        if does.judges:
            return Verified(ok=took.accepted, **known)
        return Made.written(
            {name: getattr(took, value.name) for name, value in names.items()},
            paths,
            [name for name, value in names.items() if value.secret],
            seeds={value.name: getattr(took, value.name) for value in does.seeds},
            operation=operation,
            **known,
        )


#: What outputs and operations are called, where it is not their name.
_FILES = {"signature": "sig"}
_TITLES = {"keygen": "KeyGen"}
_KEYGEN, _ENCAPS = partial(_direct, "keygen"), partial(_direct, "encaps")
#: By the words of the command line.
VERBS: Mapping[str, Verb] = {
    "kem": Verb(ML_KEM, {"keygen": _KEYGEN, "encaps": _ENCAPS, "decaps": _kem_decaps}),
    "dsa": Verb(ML_DSA, {"keygen": _KEYGEN, "sign": _dsa_sign, "verify": _dsa_verify}),
}
