# SPDX-License-Identifier: Apache-2.0
"""The Python API: a design, opened, with its operations as functions and the verbs as methods."""

from collections.abc import Callable, Mapping
from functools import cached_property, wraps
from html import escape
from pathlib import Path
from typing import Any

from nttforge.calls import Operations, check_argument, checked, plain_arguments
from nttforge.design import Design, load_design
from nttforge.errors import NttforgeError
from nttforge.flow.backends import backend_of, measured, verified
from nttforge.flow.generate import generate
from nttforge.flow.prepare import Prepared, Progress, prepare_any, silent
from nttforge.flow.synth import PnrResult, SynthResult, pnr, synth
from nttforge.hw import Core
from nttforge.options.verbs import MeasureOptions, VerifyOptions
from nttforge.progress import report_to
from nttforge.results import Generated, Measurement, Verification
from nttforge.targets import Target


class Engine:
    """A design, opened.

    Its operations are functions of arrays, or of bytes for a coprocessor, and are computed by the
    simulated RTL: `engine.ntt(x)`, or `engine["ml-kem.ntt"](x)` where several rings need longer
    names. The verbs of the command line are methods; their options have the same names.

    - `design`: what to build.
    - `progress`: called with the progress of long work, in words.
    """

    def __init__(self, design: Design, progress: Progress = silent) -> None:
        self.design = design
        self._progress = progress
        self._prepared: dict[Target, Prepared[Core]] = {}

    def _for(self, target: Target) -> Prepared[Core]:
        """The design, with multipliers cut for a device."""
        if target not in self._prepared:
            made = self.design.model_copy(update={"target": target})
            self._prepared[target] = prepare_any(made)
        return self._prepared[target]

    @property
    def _own(self) -> Prepared[Core]:
        return self._for(self.design.target)

    @property
    def name(self) -> str:
        """The design's name."""
        return self.design.name

    @property
    def core(self) -> Core:
        """The core, as data."""
        return self._own.core

    @property
    def folder(self) -> Path:
        """A folder with its sources; it is kept, and not to be changed."""
        return self._own.folder

    @cached_property
    def functions(self) -> Mapping[str, Callable[..., Any]]:
        """Functions computed by the hardware, by name."""
        functions = backend_of(self.core).functions(self._own)
        return {name: self._reporting(name, function) for name, function in functions.items()}

    def _reporting(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """A function that checks arguments and reports progress: the first one compiles."""
        call = checked(function, name)

        @wraps(call)
        def reporting(*given: Any, **named: Any) -> Any:
            with report_to(self._progress):
                return call(*given, **named)

        return reporting

    @cached_property
    def ops(self) -> Operations:
        """The operations alone, of any name: `engine.ops.verify` where `verify` is a verb."""
        return Operations(self.name, self.functions)

    def __getitem__(self, name: str) -> Callable[..., Any]:
        """An operation by its name. Raises MissingNameError: proposing the nearest right one."""
        return self.ops[name]

    def __getattr__(self, name: str) -> Callable[..., Any]:
        """An operation, if its name is one of Python's; asked for what is nothing else."""
        return self.ops.__getattr__(name)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *dir(self.ops)]

    def _verb(self, name: str, given: tuple[object, ...]) -> None:
        """Refuse positional arguments of a verb, which are an operation's if it has that name."""
        if not given:
            return
        hint = "pass its options by name"
        if name in self.functions:
            hint = f"use engine.ops.{name} for the operation of that name"
        raise NttforgeError(name, "is a verb here and takes no positional arguments", hint)

    @checked
    def generate(self, folder: Path | str) -> Generated:
        """Write the design folder.

        Raises NttforgeError if the folder holds something else or cannot be written.
        """
        return generate(self.design, Path(folder)).with_provenance(self.design)

    def verify(self, *positional: object, **options: object) -> Verification:
        """Compare the RTL with the references: `count` cases from `seed`.

        Raises NttforgeError naming an option that is wrong, or a missing tool.
        """
        self._verb("verify", positional)
        with report_to(self._progress):
            given = VerifyOptions.read(plain_arguments(options))
            return verified(self._own, given, self._progress)

    def measure(self, *positional: object, **options: object) -> Measurement:
        """Observe cycles in simulation; the options are the design's kind's own.

        Raises NttforgeError naming an option that is wrong, or a missing tool.
        """
        self._verb("measure", positional)
        with report_to(self._progress):
            given = MeasureOptions.read(plain_arguments(options))
            return measured(self._own, given, self._progress)

    @checked
    def synth(
        self,
        target: Target = "xcup",
        *,
        shell: bool = False,
        by_module: bool = False,
        output: Path | str | None = None,
    ) -> SynthResult:
        """Area after Yosys; `output`, a .json or .v file or a folder, takes the netlist.

        `by_module`: each module that is there several times is mapped once.

        Raises NttforgeError if a tool is missing or fails, there is no shell, or the netlist cannot
        be written.
        """
        path = None if output is None else Path(output)
        with report_to(self._progress):
            return synth(
                self._for(target),
                target,
                shell=shell,
                by_module=by_module,
                output=path,
                progress=self._progress,
            )

    def pnr(self, *given: object, **options: Any) -> PnrResult:
        """The clock on an ECP5; options as of :func:`nttforge.flow.synth.pnr`.

        Raises NttforgeError if a tool is missing or fails, or the design does not fit.
        """
        self._verb("pnr", given)
        with report_to(self._progress):
            known = {"prepared": self._for("ecp5"), "progress": self._progress}
            return checked(pnr, fixed=known)(**options)

    def __repr__(self) -> str:
        return f"<{self.name}: {self.core.kind_label}, {', '.join(self.functions)}>"

    def _repr_html_(self) -> str:
        """A table for notebooks: what it is, and what it computes."""
        rows = {
            "what": self.core.kind_label,
            "family": self.design.family,
            "rings": ", ".join(table.label for table in self.design.rings),
            "operations": ", ".join(self.functions),
            **{name: str(value) for name, value in self.core.facts.items() if _is_short(value)},
        }
        cells = "".join(
            f"<tr><th>{escape(name)}</th><td>{escape(text)}</td></tr>"
            for name, text in rows.items()
            if text
        )
        return f"<table><caption>{escape(self.name)}</caption>{cells}</table>"


def _is_short(value: object) -> bool:
    return isinstance(value, int | float | str)


def open_design(name: str | Path | Design, /, **keys: object) -> Engine:
    """Open a design: a preset's or a ring's name, a TOML file, or a validated design.

    - `name`: as on the command line.
    - `**keys`: keys that replace the design's; `__` stands for the dot: `pipeline__seamless=True`.

    Raises NttforgeError naming the key, the file or the name that is wrong.
    """
    if isinstance(name, Design):
        return Engine(name)
    given = str(check_argument("design", name, str | Path))
    try:
        values = plain_arguments(keys)
        return Engine(load_design(given, {k.replace("__", "."): v for k, v in values.items()}))
    except RecursionError:
        raise NttforgeError("design", "a key holds itself", "give it a value that ends") from None
