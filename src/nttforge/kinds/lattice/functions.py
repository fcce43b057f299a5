# SPDX-License-Identifier: Apache-2.0
"""A standard as users call it, with every step done by the simulated coprocessor.

kem = open_functions(prepare_any(load_design("ml-kem-coprocessor")), ML_KEM)
pair = kem.keygen(ML_KEM_768)
sent = kem.encaps(ML_KEM_768, pair.ek)
assert kem.decaps(ML_KEM_768, pair.dk, sent.c).secret == sent.secret
"""

from collections import namedtuple
from collections.abc import Callable, Mapping
from functools import cache, partial
from threading import Lock
from typing import Any, NamedTuple

from nttforge.errors import NttforgeError
from nttforge.flow.prepare import Prepared
from nttforge.flow.values import find_number
from nttforge.hw import Core
from nttforge.kinds.lattice.bus import Coprocessor, Run, open_core, request_of
from nttforge.kinds.lattice.operation import Operation, Standard
from nttforge.standards.checks import drawn


class Verdict(NamedTuple):
    """Result of a verifying operation: accepted, or the hardware's reason, and its cycles."""

    accepted: bool
    reason: str
    cycles: int
    keccak_cycles: int = 0


@cache
def result_type(operation: Operation, *more: str) -> type[Any]:
    """A tuple of an operation's outputs, and more, by name."""
    names = operation.order or tuple(value.name for value in operation.outputs)
    return namedtuple("Result", [*names, *more])


def find_set(standard: Standard, name: str) -> Any:
    """A parameter set by its number, as 65 of ML-DSA-65, or by its whole name."""
    return find_number(name, {p.name: p for p in standard.sets})


class Functions:
    """Functions of a standard as methods: set, inputs, seeds (random by default), options."""

    def __init__(self, core: Coprocessor, standard: Standard) -> None:
        self._core, self._standard = core, standard
        #: Of the key that is loaded, for a core that verifies its signatures.
        self._loaded: Mapping[str, bytes] = {}

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("_") or name not in self._standard.functions:
            raise AttributeError(name)
        return partial(self._call, name)

    def _call(self, name: str, p: Any, *given: Any, **named: Any) -> Any:
        operation = self._standard.operations[self._standard.functions[name].operation]
        values, flags = self._standard.arguments(name, p, *given, **named)
        for seed in operation.seeds:
            values[seed.name] = drawn(
                seed.name,
                values.get(seed.name),
                seed.length(p),  # type: ignore[misc]  # a seed has one
                seed.meaning,
            )
        return self._run(self._standard.functions[name].operation, p, values, flags)

    def _run(self, name: str, p: Any, values: dict[str, bytes], flags: dict[str, Any]) -> Any:
        operation, checks = self._standard.operations[name], self._core.checks
        own = "sk" in values
        if checks and operation.tries:
            known = {"sk": values["sk"]} if own else self._loaded
            values["pk"] = self._standard.reference(p, known).get("pk", b"")
        run = self._core.run(request_of(name, p, values, checks=checks, **flags))
        if operation.judges:
            return Verdict(run.accepted, run.reason, run.cycles, run.keccak_cycles)
        self._check(operation, run)
        outputs = operation.results(p, run.public, run.secret)
        if operation.keeps:
            self._loaded = outputs or {key: values[key] for key in ("sk",)}
        seeds = {seed.name: values[seed.name] for seed in operation.seeds}
        more = {**seeds, "cycles": run.cycles, "keccak_cycles": run.keccak_cycles}
        return result_type(operation, *more)(**outputs, **more)

    def _check(self, operation: Operation, run: Run) -> None:
        if run.error:
            raise NttforgeError(
                operation.refused,
                f"the coprocessor refuses it ({run.reason.replace('_', ' ')})",
                f"use a key of that set, as {self._standard.name}.KeyGen makes it",
            )


def open_functions(prepared: Prepared[Core], standard: Standard) -> Functions:
    """Those of a core, compiled, or taken from what is kept, and opened."""
    return Functions(open_core(prepared), standard)


class Opened:
    """A simulated coprocessor; its functions take sets by number or name."""

    def __init__(self, standard: Standard, opens: Callable[[], Functions]) -> None:
        self._standard, self._opens = standard, opens
        self._lock = Lock()
        self._core: Functions | None = None

    def functions(self) -> dict[str, Callable[..., Any]]:
        """By name."""
        listed = self._standard.functions.items()
        return {name: self._function(name) for name, function in listed if function.listed}

    def _function(self, name: str) -> Callable[..., Any]:
        def call(parameter_set: int | str, *given: Any, **named: Any) -> Any:
            found = find_set(self._standard, str(parameter_set))
            with self._lock:
                core = self._core or self._opens()
                self._core = None
                try:
                    result = getattr(core, name)(found, *given, **named)
                except NttforgeError:  # refused, before or by an operation that came to its end
                    self._core = core
                    raise
                self._core = core
            return result

        call.__signature__ = self._standard.signature(name)  # type: ignore[attr-defined]
        return call
