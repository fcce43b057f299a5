# SPDX-License-Identifier: Apache-2.0
"""The simulated core of both standards: each as it is simulated alone, and both in turn."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path

from nttforge.families.mlkem.program import SETS
from nttforge.families.mlkem.registers import operation_code
from nttforge.families.pqc.core import KEM, reason_of
from nttforge.simulate import mldsa, mlkem
from nttforge.simulate.cycles import CycleModel, Ports
from nttforge.simulate.mldsa import Asked, CommandStreams, DsaCore, DsaRun, packet
from nttforge.simulate.mlkem import Coprocessor, KemRun
from nttforge.standards.ml_kem.parameters import Parameters

PORTS = Ports(
    inputs={**mldsa.PORTS.inputs, "entropy_tvalid": 1, "entropy_tdata": 64},
    outputs={**mldsa.PORTS.outputs, "entropy_tready": 1},
)


@dataclass(frozen=True)
class KemAsked:
    """An operation of ML-KEM, as the core of both standards is asked for it."""

    request: mlkem.Request

    @property
    def operation(self) -> str:
        """Which."""
        return self.request.operation

    @property
    def p(self) -> Parameters:
        """Of which parameter set."""
        return self.request.p

    @property
    def entropy(self) -> bytes | None:
        """Words for the entropy port."""
        return self.request.entropy

    @property
    def command(self) -> int:
        """The command's byte."""
        asked = self.request
        operation, seed = operation_code(asked.operation)
        return KEM | operation | seed << 2 | SETS.index(asked.p) << 3 | asked.check << 5

    @property
    def secret(self) -> bytes:
        """Bytes of the secret input."""
        return self.request.secret

    @property
    def public(self) -> tuple[bytes, ...]:
        """The packet of the public input, if there is one."""
        return (self.request.public,) if self.request.public else ()

    def word(self, tag: int) -> int:
        """The command register's value in ML-KEM's own coprocessor."""
        return self.request.command(tag)


def command_byte(asked: Asked) -> int:
    """A command of either standard, which may take seeds from the entropy port."""
    return asked.command | (asked.entropy is not None) << 6


class _Streams(CommandStreams):
    """With entropy, and results of both standards."""

    def _commands(self) -> dict[str, Sequence[tuple[int, ...]]]:
        asked = self._requests
        data = (each.entropy or b"" for each in asked)
        return {
            "s_command": [(command_byte(each),) for each in asked],
            "entropy": [(word,) for words in data for word, _ in packet(words)],
        }

    def _reason(self, result: int) -> str:
        return reason_of(result)


def build_model(sources: Sequence[Path], top: str) -> CycleModel:
    """Compile a core's sources, or take the library that is kept.

    Raises
    ------
    NttforgeError
        If a tool is missing, or the sources do not compile.
    """
    return CycleModel(CycleModel.kept(sources, top, PORTS), PORTS)


class PqcModel(DsaCore):
    """A compiled core, see :func:`build_model`: ML-DSA's requests, and :class:`KemAsked`.

    Attributes
    ----------
    kem
        The same, as an ML-KEM coprocessor is simulated.
    """

    def __init__(self, model: CycleModel, *, checks: bool = False) -> None:
        super().__init__(model, checks=checks)
        self._kind = _Streams
        self.kem = _Kem(self, model)


class _Kem(Coprocessor):
    """ML-KEM of the core: there are no registers, and commands wait at their port."""

    def __init__(self, core: PqcModel, model: CycleModel) -> None:
        super().__init__(model)
        self._core = core

    def run_all(
        self, requests: Sequence[mlkem.Request], *, stall: float = 0.0, seed: int = 0
    ) -> list[KemRun]:
        """Operations one behind the other, as :meth:`Coprocessor.run_all`.

        Raises
        ------
        FaultError
            If the core hangs, or its outputs do not belong to its results.
        """
        self.last = (requests, stall, seed)
        runs = self._core.run_all([KemAsked(each) for each in requests], stall=stall, seed=seed)
        occupied = accumulate(run.occupied for run in runs)
        return [kem_run(run, until) for run, until in zip(runs, occupied, strict=True)]


def kem_run(run: DsaRun, occupied: int) -> KemRun:
    """What an operation of ML-KEM showed; `occupied` from the first one's command on."""
    return KemRun(
        public=run.public,
        secret=run.secret,
        error=run.reason != "none",
        reason=run.reason,
        cycles=run.cycles,
        keccak_cycles=run.keccak_cycles,
        occupied=occupied,
        handshakes=run.handshakes,
    )
