# SPDX-License-Identifier: Apache-2.0
"""The standards that a lattice coprocessor can have, as data: parameter sets and operations.

References (`standards/`) and micro-programs are apart: what checks the hardware takes nothing from
here.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from nttforge.hw.core import Hardware
from nttforge.hw.registers import Register, RegisterMap
from nttforge.kinds.lattice.commands import Commands
from nttforge.kinds.lattice.mldsa import program as dsa_program
from nttforge.kinds.lattice.mldsa import registers as dsa_registers
from nttforge.kinds.lattice.mlkem import program as kem_program
from nttforge.kinds.lattice.mlkem import registers as kem_registers
from nttforge.kinds.lattice.pqc.registers import DSA_PREFIX, KEM_PREFIX, dsa_byte, kem_byte
from nttforge.standards.ml_dsa.parameters import Parameters as DsaParameters
from nttforge.standards.ml_kem.parameters import Parameters as KemParameters


@dataclass(frozen=True)
class Operation:
    """What a coprocessor does.

    Attributes
    ----------
    public, secret
        Whether it sends a packet at the public and at the secret output, unless it is refused.
    keeps
        It loads a key that stays inside: it ends with its result, not with an output word.
    tries
        It may be repeated inside, a number of times that has no bound.
    """

    public: bool = False
    secret: bool = False
    keeps: bool = False
    tries: bool = False


@dataclass(frozen=True, eq=False)
class Standard:
    """A standard, as the coprocessor's commands have it.

    Attributes
    ----------
    name
        Of the standard.
    sets
        Parameter sets, in the order of their codes.
    operations
        By name.
    commands
        Its registers, where it has a coprocessor of its own.
    prefix
        Of the names of its operations, where there are other standards' too.
    byte
        From an operation's name to its bits in a byte of the command stream.
    functions
        Of Python, by which users call its operations.
    flagged
        Operations whose code is another one's, with a flag: that one, and the flag.
    answered
        Results with which a packet leaves, which are no refusals.
    """

    name: str
    sets: Sequence[Any]
    operations: Mapping[str, Operation]
    commands: Commands
    prefix: str
    byte: Callable[[str], int]
    functions: tuple[str, ...]
    flagged: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    answered: tuple[str, ...] = ("none",)

    @cached_property
    def registers(self) -> RegisterMap:
        """Of its own coprocessor."""
        return self.commands.registers()

    @property
    def errors(self) -> Sequence[str]:
        """How a command can end, by code."""
        return self.commands.errors

    def word(self, command: Register, operation: str, place: int, **more: int) -> int:
        """A value of a command register, of this standard alone or of several.

        Parameters
        ----------
        command
            The register.
        operation, place
            Its name, and the number of the parameter set.
        more
            Values of other fields.
        """
        code, flags = self.code(command, operation)
        chosen = self.set_code(command, place)
        return command.word(operation=code, set=chosen, **dict.fromkeys(flags, 1), **more)

    def code(self, command: Register, operation: str) -> tuple[int, Sequence[str]]:
        """Of an operation in a command register, and the flags with it."""
        name, *flags = self.flagged.get(operation, (operation,))
        names = command.field("operation").values
        return names.index(name if name in names else f"{self.prefix}{name}"), flags

    def set_code(self, command: Register, place: int) -> int:
        """Of the parameter set of that number in a command register."""
        return command.field("set").values.index(self.commands.sets[place])

    def code_words(self, command: Register, operation: str) -> str:
        """What is said of an operation's code."""
        code, flags = self.code(command, operation)
        return ", with ".join([str(code), *(f"`{flag}`" for flag in flags)])


_KEYS, _PUBLIC, _SECRET = (
    Operation(public=True, secret=True),
    Operation(public=True),
    Operation(secret=True),
)
_SIGN = Operation(public=True, tries=True)
# What is signed: a message, M' or mu.
_GIVEN_AS = ("", "_internal", "_mu")

ML_KEM = Standard(
    name="ML-KEM",
    sets=kem_program.SETS,
    operations={
        "keygen": _KEYS,
        "encaps": _KEYS,
        "decaps": _SECRET,
        "decaps_standard": _SECRET,
        "decaps_seed": _SECRET,
    },
    commands=kem_registers.COMMANDS,
    prefix=KEM_PREFIX,
    byte=kem_byte,
    functions=("keygen", "encaps", "decaps", "decaps_seed"),
    flagged={"decaps_seed": ("decaps", "seed")},
)
ML_DSA = Standard(
    name="ML-DSA",
    sets=dsa_program.SETS,
    operations={
        "keygen": _KEYS,
        "verify": _PUBLIC,
        "verify_mu": _PUBLIC,
        "sign": _SIGN,
        "sign_mu": _SIGN,
        "load": Operation(keeps=True),
        "load_seed": Operation(public=True, keeps=True),
        "sign_loaded": _SIGN,
        "sign_loaded_mu": _SIGN,
        "drop": Operation(),
        "keygen_standard": _KEYS,
    },
    commands=dsa_registers.COMMANDS,
    prefix=DSA_PREFIX,
    byte=dsa_byte,
    functions=("keygen", *(f"{o}{of}" for o in ("sign", "verify") for of in _GIVEN_AS)),
    answered=("none", "signature"),
)
#: By the type of their parameter sets.
_STANDARDS: Mapping[type, Standard] = {KemParameters: ML_KEM, DsaParameters: ML_DSA}


def standard_of(p: object) -> Standard:
    """The standard of a parameter set."""
    return _STANDARDS[type(p)]


def standards_of(core: Hardware) -> tuple[Standard, ...]:
    """Those that a core has, by the names of its parameter sets.

    None, if it is no lattice coprocessor.
    """
    names = {name for sets in _set_names(core) for name in sets}
    return tuple(each for each in (ML_KEM, ML_DSA) if {p.name for p in each.sets} <= names)


def _set_names(core: Hardware) -> Iterable[tuple[str, ...]]:
    sets: Mapping[str, tuple[str, ...]] | tuple[str, ...] = getattr(core, "parameter_sets", ())
    return sets.values() if isinstance(sets, Mapping) else (sets,)
