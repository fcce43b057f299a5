# SPDX-License-Identifier: Apache-2.0
"""A standard as data: the bytes that its operations take and give, and what users call.

It says names, lengths, ports and orders of bytes. What an operation computes is its program, and
what it is compared with is a reference of `standards/`: neither takes anything from here.
"""

import inspect
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from nttforge.errors import FaultError
from nttforge.hw.drivers import LibraryTemplates
from nttforge.hw.register_map import Register, RegisterMap
from nttforge.kinds.lattice.commands import Commands
from nttforge.kinds.lattice.openssl import Algorithms
from nttforge.standards.checks import check_length

WORD_BYTES = 8
#: Bytes by the names of values.
Values = Mapping[str, bytes]


def padded(data: bytes) -> bytes:
    """Bytes as they leave: zeros fill the last word."""
    return data + bytes(-len(data) % WORD_BYTES)


@dataclass(frozen=True)
class Value:
    """Bytes that an operation takes or gives.

    - `name`: of the argument, the result's attribute, the option and the file.
    - `length`: from a parameter set to the number of bytes; None for any number.
    - `meaning`: what messages call it.
    - `secret`: it goes through the secret port, and is a file that its owner alone may read.
    - `drawn`: random bytes where none are given; they may come from the entropy port.
    - `pieces`: of the bytes, from which to which, negative ones from the end: in the order of the
      stream.
    - `parts`: what the C driver takes in its place.
    - `label`: what C calls its length, if not by its name.
    - `form`: it is not given as bytes to the C driver, but as a message of that form.
    - `exact`: bytes of another number are refused; else the hardware says what is wrong.
    """

    name: str
    length: Callable[[Any], int] | None = None
    meaning: str = "random bytes"
    secret: bool = False
    drawn: bool = False
    pieces: tuple[tuple[int, int | None], ...] = ((0, None),)
    parts: tuple["Value", ...] = ()
    label: str = ""
    form: str = ""
    exact: bool = True

    def size(self, p: Any) -> int:
        """Number of words for a set; 0 if any number may be."""
        return self.length(p) if self.length else 0

    def sent(self, data: bytes) -> bytes:
        """In the order of the stream, from that of the standard."""
        return b"".join(data[first:end] for first, end in self.pieces)

    def read(self, data: bytes) -> bytes:
        """In the order of the standard, from that of the stream."""
        found, at = bytearray(data), 0
        for first, end in self.pieces:
            place = slice(*slice(first, end).indices(len(data)))
            found[place] = data[at : at + len(found[place])]
            at += len(found[place])
        return bytes(found)

    def check(self, p: Any, data: bytes) -> bytes:
        """The bytes, if there are as many as there must be."""
        if self.length is not None:
            check_length(self.name, data, self.length(p), self.meaning)
        return data


@dataclass(frozen=True)
class Operation:
    """An operation of a coprocessor.

    - `inputs`, `outputs`: in the order of their port: of the secret one all are one packet, of the
      public one each is a packet. At most one output at each port.
    - `keeps`: it loads a key that stays inside: it ends with its result, not with an output word.
    - `tries`: it may be repeated inside, a number of times that has no bound; a core that verifies
      its signatures takes the public key and the public inputs once more.
    - `verdicts`: words of its output, which is a verdict that its result says too: of what is
      wrong, and of what is right.
    - `refused`: the input that a refusal is about.
    - `order`: names of the outputs in a function's result, if it is not that of the ports.
    """

    inputs: tuple[Value, ...] = ()
    outputs: tuple[Value, ...] = ()
    keeps: bool = False
    tries: bool = False
    verdicts: tuple[bytes, ...] = ()
    refused: str = ""
    order: tuple[str, ...] = ()

    @property
    def judges(self) -> bool:
        """Whether its output is a verdict."""
        return bool(self.verdicts)

    @property
    def public(self) -> bool:
        """Whether it sends a packet at the public output, unless it is refused."""
        return any(not value.secret for value in self.outputs)

    @property
    def secret(self) -> bool:
        """Whether it sends one at the secret output."""
        return any(value.secret for value in self.outputs)

    @property
    def seeds(self) -> list[Value]:
        """Inputs that are drawn where none are given."""
        return [value for value in self.inputs if value.drawn]

    def expected(self, values: Values) -> tuple[bytes, bytes]:
        """Expected words at the public and at the secret output."""
        sides: list[bytes] = [b"", b""]
        for value in self.outputs:
            sides[value.secret] = padded(value.sent(values[value.name]))
        return sides[0], sides[1]

    def results(self, p: Any, public: bytes, secret: bytes) -> dict[str, bytes]:
        """Outputs by name, from what left at both ports."""
        return {
            value.name: value.read(data[: value.length(p) if value.length else None])
            for value in self.outputs
            for data in ((public, secret)[value.secret],)
        }


@dataclass(frozen=True)
class Function:
    """A function for users: an operation, its inputs by name, and options.

    - `operation`: its name.
    - `driver`: the driver's function, and its arguments after the set, but for those of outputs.
    - `about`: what C's header says of that; `{P}` is what constants begin with.
    - `options`: further arguments: their types and defaults.
    - `convert`: from inputs and options, which it takes by name, to inputs.
    - `flags`: options that are flags of the command.
    - `listed`: users of any coprocessor get it, simulated or not.
    """

    operation: str
    driver: tuple[str, ...] = ()
    options: Mapping[str, tuple[Any, Any]] = field(default_factory=dict)
    convert: Callable[..., dict[str, bytes]] | None = None
    flags: tuple[str, ...] = ()
    listed: bool = True
    about: str = ""


@dataclass(frozen=True)
class OwnDriver:
    """A standard's part of a C driver besides functions of its operations.

    - `template`, `known`: macros of `TEMPLATE_driver.{c,h}.j2`, and what they know.
    - `pieces`, `checked_pieces`: of a packet that its own functions send, at most; and if
      signatures are verified.
    - `forms`: of what is signed, in the order of their codes: see :attr:`Value.form`.
    """

    template: str = ""
    known: Mapping[str, Any] = field(default_factory=dict)
    pieces: int = 0
    checked_pieces: int = 0
    forms: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Standard:
    """A standard, as the coprocessor's commands have it.

    - `name`, `package`: of the standard, and of the Python package that has its parts.
    - `kind_label`, `usage_hint`: what a coprocessor of it alone is, and how it is used.
    - `sets`: parameter sets, in the order of their codes.
    - `operations`, `functions`: by name.
    - `commands`: its registers, where it has a coprocessor of its own.
    - `prefix`: of the names of its operations, where there are other standards' too.
    - `mark`: the bit by which a byte of the streams of commands and results is its own.
    - `reference`: values of a parameter set that follow from those given, computed by software.
    - `vectors`: by operation of its published vectors those that must answer so, with flags.
    - `whole`: the standard that it has some operations of; its are the vectors and the seeds.
    - `completed`: inputs of all these, from those of a vector.
    - `flagged`: operations whose code is another one's, with a flag: that one, and the flag.
    - `answered`: results with which a packet leaves, which are no refusals.
    - `keep`: its packets need not have whole words.
    - `published`: the name of its text.
    - `wipes`: every command takes a word from the entropy port for the wiping.
    - `refuses`: an operation whose first input, as the driver has them, is refused if all its bits
      are one.
    - `own`: what its C driver has besides.
    - `library`: of its driver over its simulated self.
    - `openssl`: what OpenSSL has of it, if it has a driver.
    """

    name: str
    package: str
    kind_label: str
    usage_hint: str
    sets: Sequence[Any]
    operations: Mapping[str, Operation]
    functions: Mapping[str, Function]
    commands: Commands
    prefix: str
    reference: Callable[[Any, Values], dict[str, bytes]]
    vectors: Mapping[str, tuple[tuple[str, ...], ...]] = field(default_factory=dict)
    whole: "Standard | None" = None
    completed: Callable[[Any, Values], Values] = lambda _, given: given
    mark: int = 0
    flagged: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    answered: tuple[str, ...] = ("none",)
    keep: bool = True
    published: str = "of its own"
    wipes: bool = False
    refuses: str = ""
    own: OwnDriver = field(default_factory=OwnDriver)
    library: LibraryTemplates = field(default_factory=LibraryTemplates)
    openssl: Algorithms | None = None

    @cached_property
    def values(self) -> dict[str, Value]:
        """Inputs and outputs of all operations by name."""
        found = self.operations.values()
        return {value.name: value for each in found for value in (*each.inputs, *each.outputs)}

    @cached_property
    def registers(self) -> RegisterMap:
        """Of its own coprocessor."""
        return self.commands.registers()

    @property
    def errors(self) -> Sequence[str]:
        """Errors of a command, by code."""
        return self.commands.errors

    @cached_property
    def seeds(self) -> dict[str, Value]:
        """All values that are drawn where none are given."""
        found = (value for operation in self.operations.values() for value in operation.seeds)
        return {value.name: value for value in found}

    def example(self, p: Any, rng: random.Random) -> dict[str, bytes]:
        """Values of all operations, of random seeds."""
        if self.whole is not None:
            return self.whole.example(p, rng)
        lengths = {name: value.length for name, value in self.seeds.items() if value.length}
        return self.reference(p, {name: rng.randbytes(of(p)) for name, of in lengths.items()})

    def word(self, command: Register, operation: str, place: int, **more: int) -> int:
        """A value of a command register, of this standard alone or of several.

        - `command`: the register.
        - `operation`, `place`: its name, and the number of the parameter set.
        - `more`: values of other fields.
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

    def byte(self, operation: str) -> int:
        """Of an operation in a byte of the stream of commands, without its set and flags."""
        name, *flags = self.flagged.get(operation, (operation,))
        code = self.commands.operations.index(name)
        return self.mark | code % 8 | code // 8 << 5 | bool(flags) << 2

    def reason(self, result: int) -> str:
        """Error of a command, from a byte of the stream of results."""
        code = result ^ self.mark
        if code >= len(self.errors):
            raise FaultError("result", f"{result:#x} is no result of {self.name}")
        return self.errors[code]

    def code_words(self, command: Register, operation: str) -> str:
        """Description of an operation's code."""
        code, flags = self.code(command, operation)
        return ", with ".join([str(code), *(f"`{flag}`" for flag in flags)])

    def signature(self, name: str) -> inspect.Signature:
        """Of a function: the parameter set, inputs, seeds, which may be missing, and options."""
        return inspect.Signature([*self._parameters(self.functions[name])])

    def _parameters(self, function: Function) -> Iterator[inspect.Parameter]:
        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
        operation = self.operations[function.operation]
        yield inspect.Parameter("parameter_set", kind, annotation=int | str)
        for value in operation.inputs:
            if not value.drawn:
                # What is made of a message is called as that is.
                yield inspect.Parameter(value.name, kind, annotation=bytes)
        for value in operation.seeds:
            yield inspect.Parameter(value.name, kind, default=None, annotation=bytes | None)
        for option, (of, default) in function.options.items():
            yield inspect.Parameter(option, kind, default=default, annotation=of)

    def arguments(
        self, name: str, p: Any, *given: Any, exact: bool = False, **named: Any
    ) -> tuple[dict[str, bytes], dict[str, Any]]:
        """Inputs that a function was given, and flags of its command.

        With `exact` any input must have its length.
        """
        function, known = self.functions[name], self.signature(name).bind(p, *given, **named)
        known.apply_defaults()
        bound = dict(known.arguments)
        del bound["parameter_set"]
        flags = {flag: bound.pop(flag) for flag in function.flags}
        if function.convert is not None:
            bound = function.convert(**bound)
        inputs = {value.name: value for value in self.operations[function.operation].inputs}
        found = {key: data for key, data in bound.items() if data is not None}
        for key, data in found.items():
            if key in inputs and (exact or inputs[key].exact):
                inputs[key].check(p, data)
        return found, flags
