# SPDX-License-Identifier: Apache-2.0
"""`nttforge.host.open`: a design as a device, simulated or on a board."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from nttforge.calls import check_argument, checked
from nttforge.design import Design, load_design
from nttforge.errors import NttforgeError
from nttforge.flow.backends import backend_of
from nttforge.flow.prepare import Prepared, Progress, prepare_any, silent
from nttforge.host.device import Device, FunctionDevice
from nttforge.host.jobs import Board, JobDevice
from nttforge.host.lattice import LatticeDevice
from nttforge.host.library import build_library, library_texts
from nttforge.hw import Core
from nttforge.options.model import LAST_SEED
from nttforge.progress import report_to


def _simulated(prepared: Prepared[Core], **options: Any) -> Device:
    """By its driver, with several requests under way, if it has one; or by functions."""
    core = prepared.core
    if core.library is not None and core.library.registers and core.registers is not None:
        kind: Callable[..., Device] = _driven
    else:
        kind = _functions
    return checked(kind, "open", fixed={"prepared": prepared})(**options)


def _driven(
    prepared: Prepared[Core],
    *,
    stall: Annotated[float, Field(ge=0, le=1)] = 0.0,
    seed: Annotated[int, Field(ge=0, le=LAST_SEED)] = 0,
) -> Device:
    library = build_library(prepared, library_texts(prepared))
    return LatticeDevice(prepared.core, library, stall=stall, seed=seed)


def _functions(prepared: Prepared[Core]) -> Device:
    functions = backend_of(prepared.core).functions(prepared)
    return FunctionDevice(prepared.design.name, functions)


def open_device(
    name: str | Path | Design,
    /,
    board: Board | None = None,
    *,
    progress: Progress = silent,
    **options: Any,
) -> Device:
    """Open a design as a device: simulated, or on a board.

    Raises NttforgeError if the design does not exist, cannot be driven from that board, or does not
    answer there.

    - `name`: as on the command line.
    - `board`: where it is; None simulates it.
    - `progress`: called with the progress.
    - `**options`: of a simulated coprocessor with registers: `stall`, the probability that a port
      pauses, and `seed`.
    """
    given = name if isinstance(name, Design) else check_argument("design", name, str | Path)
    design = given if isinstance(given, Design) else load_design(str(given))
    if board is not None and not isinstance(board, Board):
        raise NttforgeError("board", f"is {type(board).__name__}", "pass a host.Board")
    check_argument("progress", progress, Progress)
    prepared = prepare_any(design)
    if board is None:
        with report_to(progress):
            return _simulated(prepared, **options)
    jobs = backend_of(prepared.core).jobs(prepared.core)
    if jobs is None:
        raise NttforgeError(
            design.name,
            f"is {prepared.core.kind_label}, whose streams are moved by what the board has for it",
            "use its C driver",
        )
    return JobDevice(design.name, prepared, jobs, board)
