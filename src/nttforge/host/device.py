# SPDX-License-Identifier: Apache-2.0
"""The interface of all devices: operations by name, one at a time, started, or as a batch."""

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cached_property, partial
from typing import Any, Self

from nttforge.calls import Operations, checked
from nttforge.errors import NttforgeError
from nttforge.flow.prepare import Progress, silent
from nttforge.names import find_operation

_TELL_SECONDS = 0.5


class Device(ABC):
    """A core that computes, somewhere.

    `device.ntt(x)` waits for its result; `device.start("ntt", x)` gives a future, of which any
    number may be under way; `device.batch("ntt", inputs)` keeps them under way and tells how fast
    it goes. Close it in the end, or use it in a `with` statement. Every function may be called from
    any thread.

    - `name`: of the design.
    - `operations`: what can be asked for.
    """

    def __init__(self, name: str, operations: Sequence[str]) -> None:
        self.name = name
        self.operations = tuple(operations)

    @abstractmethod
    def _start(self, name: str, arguments: tuple[Any, ...], options: dict[str, Any]) -> Future[Any]:
        """Hand an operation that exists to the backend."""

    @abstractmethod
    def close(self) -> None:
        """End it; what has been started ends first, or with an error."""

    def start(self, name: str, *arguments: Any, **options: Any) -> Future[Any]:
        """Begin an operation; what is wrong with it is raised by the future's `result()`.

        Raises NttforgeError if there is no such operation, or the device is closed.
        """
        find_operation(self.name, name, dict.fromkeys(self.operations))
        return self._start(name, arguments, options)

    @checked
    def batch(
        self, name: str, inputs: Iterable[tuple[Any, ...]], progress: Progress = silent
    ) -> list[Any]:
        """One operation on many inputs, each a tuple of arguments: the results, in that order.

        `progress` is called with how many are done, and how many a second.

        Raises the error of the first input that fails.
        """
        begun = told = time.monotonic()
        futures = [self.start(name, *each) for each in _each(inputs)]
        results = []
        for done, future in enumerate(futures, 1):
            results.append(future.result())
            now = time.monotonic()
            if now - told >= _TELL_SECONDS or done == len(futures):
                told = now
                rate = done / max(now - begun, 1e-9)
                progress(f"{done} of {len(futures)} {name}, {rate:.3g} a second")
        return results

    @cached_property
    def ops(self) -> Operations:
        """The operations as functions that wait for their results, also those named as a method."""
        return Operations(self.name, {name: self._waiting(name) for name in self.operations})

    def _waiting(self, name: str) -> Callable[..., Any]:
        return lambda *arguments, **options: self.start(name, *arguments, **options).result()

    def __getattr__(self, name: str) -> Callable[..., Any]:
        """An operation, if its name is one of Python's."""
        if name.startswith("_") or name in ("name", "operations"):  # not initialised yet
            raise AttributeError(name)
        return self.ops.__getattr__(name)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *dir(self.ops)]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _each(inputs: object) -> Iterator[tuple[Any, ...]]:
    """The arguments of each operation of a batch."""
    hint = "give a tuple of arguments for each operation"
    try:
        each: Iterator[Any] = iter(inputs)  # type: ignore[call-overload]  # also refused: 0-d arrays
    except TypeError:
        raise NttforgeError("inputs", f"is {type(inputs).__name__}, not iterable", hint) from None
    for given in each:
        if not isinstance(given, tuple | list):
            raise NttforgeError("inputs", f"holds a value of type {type(given).__name__}", hint)
        yield tuple(given)


class FunctionDevice(Device):
    """A device whose operations are functions, done one after the other.

    - `name`: of the design.
    - `functions`: by operation.
    """

    def __init__(self, name: str, functions: Mapping[str, Callable[..., Any]]) -> None:
        super().__init__(name, list(functions))
        self._functions = {key: checked(function, key) for key, function in functions.items()}
        self._worker = ThreadPoolExecutor(1)

    def _start(self, name: str, arguments: tuple[Any, ...], options: dict[str, Any]) -> Future[Any]:
        try:
            return self._worker.submit(partial(self._functions[name], *arguments, **options))
        except RuntimeError:
            raise NttforgeError(self.name, "is closed", "open it again") from None

    def close(self) -> None:
        """Wait for what has been started."""
        self._worker.shutdown()
