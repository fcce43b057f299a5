# SPDX-License-Identifier: Apache-2.0
"""Arguments of public functions, checked by signature and annotations before any work begins."""

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache, wraps
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, ParamSpec, TypeVar, Union, get_args, get_origin

import numpy as np
from pydantic import ConfigDict, TypeAdapter, ValidationError

from nttforge.errors import MissingNameError, NttforgeError, shown
from nttforge.names import did_you_mean

P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")

#: What messages call a type; the function itself checks arguments of other types.
_WORDS: Mapping[object, str] = {
    bool: "True or False",
    bytes: "bytes",
    float: "a number",
    int: "an integer",
    str: "a string",
    Path: "a path",
    NoneType: "None",
}
#: Errors of pydantic about a number that is one, but is not allowed.
_RANGES = (
    *("greater_than", "greater_than_equal", "less_than", "less_than_equal"),
    *("finite_number", "too_short"),
)
_STRICT = ConfigDict(strict=True)


def plain(value: object, depth: int = 8) -> object:
    """Numbers of numpy as Python's own, buffers as bytes; also in lists and dicts, to a depth."""
    # An array without dimensions is a number to all who ask, who drop its imaginary part.
    number = isinstance(value, np.ndarray) and value.ndim == 0 and not np.ma.isMaskedArray(value)
    if number or isinstance(value, np.generic):
        return value.item()  # type: ignore[attr-defined]
    match value:
        case bytearray() | memoryview():
            with suppress(ValueError):  # of a view that was released
                return bytes(value)
        case list() if depth:
            return [plain(inner, depth - 1) for inner in value]
        case tuple() if depth:
            return tuple(plain(inner, depth - 1) for inner in value)
        case dict() if depth:
            return {key: plain(inner, depth - 1) for key, inner in value.items()}
    return value


def plain_arguments(named: Mapping[str, object]) -> dict[str, Any]:
    """Arguments by name, each by :func:`plain`."""
    made = {}
    for name, value in named.items():
        try:
            made[name] = plain(value)
        except Exception as error:
            problem = f"a value of type {type(value).__name__} cannot be read: {error}"
            raise NttforgeError(name, problem, "pass a value of Python's own types") from error
    return made


def checked(
    function: Callable[P, R], name: str | None = None, fixed: Mapping[str, object] = {}
) -> Callable[P, R]:
    """A function that refuses arguments which do not fit its signature or its annotations.

    - `function`: annotations made of plain types, `Literal`s and sequences of them are checked;
      integers, floats and byte strings of numpy and of buffers are converted. Others are passed on.
    - `name`: what messages call it; its own name if left out.
    - `fixed`: arguments that are given already, by name.
    """
    whole = inspect.signature(function)
    kept = [p for p in whole.parameters.values() if p.name not in fixed]
    signature = whole.replace(parameters=kept)
    called = str(name or getattr(function, "__name__", "function"))

    @wraps(function)
    def call(*given: P.args, **named: P.kwargs) -> R:
        try:
            bound = signature.bind(*given, **named)
        except TypeError as error:
            raise NttforgeError(called, str(error), f"use {called}({_usage(signature)})") from None
        for argument in bound.arguments:
            parameter = signature.parameters[argument]
            if parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
                value = bound.arguments[argument]
                bound.arguments[argument] = check_argument(argument, value, parameter.annotation)
        every = inspect.BoundArguments(whole, bound.arguments | fixed)  # type: ignore[operator]
        return function(*every.args, **every.kwargs)

    return call


def checked_constructor(made: type[T]) -> type[T]:
    """A class whose constructor refuses arguments that its signature has not, in one line."""
    construct, signature = made.__init__, inspect.signature(made)

    @wraps(construct)
    def call(self: T, *given: Any, **named: Any) -> None:
        try:
            signature.bind(*given, **named)
        except TypeError as error:
            hint = f"use {made.__name__}({_usage(signature)})"
            raise NttforgeError(made.__name__, str(error), hint) from None
        construct(self, *given, **named)

    made.__init__ = call  # type: ignore[assignment]  # its arguments are checked there
    return made


def check_argument(name: str, value: object, annotation: object) -> Any:
    """An argument as its annotation has it, see :func:`checked`."""
    if not _is_checkable(annotation):
        return value
    value = plain_arguments({name: value})[name]
    if isinstance(value, str | Path) and "\0" in str(value):
        raise NttforgeError(name, "has a NUL character", "leave it out")
    try:
        return _adapter(annotation).validate_python(value)
    except ValidationError as errors:
        error = errors.errors()[0]
        if error["type"] in _RANGES:
            asked = error["msg"].removeprefix("Input should be ")
            raise NttforgeError(name, f"is {shown(error['input'])}", f"use {asked}") from None
        wanted = _words(annotation)
        # A value of another type may still be a secret: only its type is shown.
        is_choice = get_origin(annotation) is Literal and isinstance(value, str | int)
        what = shown(value) if is_choice else type(value).__name__
        raise NttforgeError(name, f"is {what}, not {wanted}", f"pass {wanted}") from None


class Operations(Mapping[str, Callable[..., Any]]):
    """Operations by name, and as attributes where the name is one of Python's.

    - `owner`: what they are of, for messages.
    - `functions`: by name.
    """

    def __init__(self, owner: str, functions: Mapping[str, Callable[..., Any]]) -> None:
        self._owner, self._functions = owner, functions

    def __getitem__(self, name: str) -> Callable[..., Any]:
        """An operation by its name."""
        asked = name if isinstance(name, str) else shown(name)
        if asked is not name or name not in self._functions:
            known = did_you_mean(asked, self._functions)
            raise MissingNameError("operation", f"{self._owner} has no {asked}", known)
        return self._functions[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._functions)

    def __len__(self) -> int:
        return len(self._functions)

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("_"):
            raise AttributeError(name)
        return self[name]

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *filter(str.isidentifier, self._functions)]


@cache
def _adapter(annotation: Any) -> TypeAdapter[Any]:
    return TypeAdapter(annotation, config=_STRICT)


def _bare(annotation: object) -> object:
    """An annotation without its constraints."""
    return get_args(annotation)[0] if get_origin(annotation) is Annotated else annotation


def _is_checkable(annotation: object) -> bool:
    annotation = _bare(annotation)
    if annotation in _WORDS or annotation is None or get_origin(annotation) is Literal:
        return True
    if get_origin(annotation) is Callable:
        return True
    if get_origin(annotation) in (Union, UnionType, Sequence):
        return all(map(_is_checkable, get_args(annotation)))
    return False


def _words(annotation: object) -> str:
    annotation = _bare(annotation)
    origin, parts = get_origin(annotation), get_args(annotation)
    if origin is Literal:
        return " or ".join(map(str, parts))
    if origin in (Union, UnionType):
        return " or ".join(map(_words, parts))
    if origin is Callable:
        return "a function"
    if origin is Sequence:
        return f"a sequence, each element {_words(parts[0])}"
    return _WORDS[NoneType if annotation is None else annotation]


def _usage(signature: inspect.Signature) -> str:
    """Parameters by name, with their defaults."""
    bare = inspect.Parameter.empty
    kept = [p.replace(annotation=bare) for p in signature.parameters.values() if p.name != "self"]
    return str(signature.replace(parameters=kept, return_annotation=bare))[1:-1]
