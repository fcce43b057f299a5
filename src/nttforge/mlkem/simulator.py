# SPDX-License-Identifier: Apache-2.0
"""The simulated coprocessor: bytes in, bytes out, and how many cycles it took."""

import random
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from nttforge.content import design_files
from nttforge.emit.folder import DesignFolder, write
from nttforge.errors import NttforgeError
from nttforge.mlkem.coprocessor import build, coprocessor_design
from nttforge.mlkem.program import OPERATIONS, SETS, KemOperation
from nttforge.simulate.cycles import CycleModel, Ports
from nttforge.standards.ml_kem.parameters import Parameters

WORD_BYTES = 8
# rho, H(ek) and z, with which a decapsulation key ends, are sent first: Keccak needs them first.
TAIL_BYTES = 96
_PATIENCE = 20_000

_STREAM_IN = {"tvalid": 1, "tlast": 1, "tdata": 64}
PORTS = Ports(
    inputs={
        "cmd_valid_i": 1,
        "cmd_op_i": 2,
        "cmd_set_i": 2,
        "cmd_check_i": 1,
        "cmd_entropy_i": 1,
        "entropy_tvalid": 1,
        "entropy_tdata": 64,
        **{
            f"s_{port}_{name}": bits for port in ("pub", "sec") for name, bits in _STREAM_IN.items()
        },
        "m_pub_tready": 1,
        "m_sec_tready": 1,
    },
    outputs={
        "cmd_ready_o": 1,
        "done_o": 1,
        "error_o": 3,
        "busy_o": 1,
        "entropy_tready": 1,
        "keccak_busy_o": 1,
        "s_pub_tready": 1,
        "s_sec_tready": 1,
        **{
            f"m_{port}_{name}": bits for port in ("pub", "sec") for name, bits in _STREAM_IN.items()
        },
    },
)


@dataclass
class KemRun:
    """What one operation showed.

    Attributes
    ----------
    public, secret
        Bytes of the output streams.
    error
        Whether it was refused.
    cycles
        From the first input word to the last output word, both counted; 0 without output.
    keccak_cycles
        Of these, cycles in which Keccak worked.
    occupied
        From the cycle in which the command was taken to that in which the next one could be.
    handshakes
        Cycle, counted from the first input word, and port of each word that crossed one.
    """

    public: bytes = b""
    secret: bytes = b""
    error: bool = False
    cycles: int = 0
    keccak_cycles: int = 0
    occupied: int = 0
    handshakes: list[tuple[int, str]] = field(default_factory=list)


def _words(data: bytes) -> list[int]:
    return [
        int.from_bytes(data[at : at + WORD_BYTES], "little")
        for at in range(0, len(data), WORD_BYTES)
    ]


def rotate_key(dk: bytes) -> bytes:
    """A decapsulation key in the order of the stream: its last 96 bytes first."""
    return dk[-TAIL_BYTES:] + dk[:-TAIL_BYTES]


def write_coprocessor(
    folder: Path, rounds: int = 1, butterflies: int | None = None
) -> DesignFolder:
    """Write the preset's design folder, see :func:`coprocessor_design`."""
    design = coprocessor_design(rounds, butterflies)
    return write(build(design), design, folder)


def build_model(sources: Sequence[Path], top: str) -> CycleModel:
    """Compile a coprocessor's sources, or take the library that is kept.

    Raises
    ------
    NttforgeError
        If a tool is missing, or the sources do not compile.
    """
    with tempfile.TemporaryDirectory(prefix="nttforge-") as scratch:
        return CycleModel.build(Path(scratch), sources, top, PORTS)


class Coprocessor:
    """A compiled coprocessor.

    Parameters
    ----------
    folder
        Where its design folder is written.
    rounds
        Rounds of Keccak a cycle.
    butterflies
        Of the transform, a stage: 1, 2 or 4; the preset's if None.
    """

    def __init__(self, folder: Path, rounds: int = 1, butterflies: int | None = None) -> None:
        design = write_coprocessor(folder, rounds, butterflies)
        self._model = build_model(design_files(design.path), design.top)

    @classmethod
    def of(cls, model: CycleModel) -> "Coprocessor":
        """The coprocessor around a compiled model, see :func:`build_model`."""
        made = cls.__new__(cls)
        made._model = model
        return made

    def keygen(self, p: Parameters, d: bytes, z: bytes) -> tuple[bytes, bytes]:
        """ML-KEM.KeyGen_internal: encapsulation key and decapsulation key.

        Raises
        ------
        NttforgeError
            If a seed has the wrong length.
        """
        run = self.run("keygen", p, b"", d + z)
        self._accepted(run, "d, z", "give two seeds of 32 bytes")
        return run.public, run.secret

    def encaps(self, p: Parameters, ek: bytes, m: bytes) -> tuple[bytes, bytes]:
        """ML-KEM.Encaps_internal: shared secret and ciphertext.

        Raises
        ------
        NttforgeError
            If the key is refused.
        """
        run = self.run("encaps", p, ek, m)
        self._accepted(run, "ek", "use a key made by ML-KEM.KeyGen, and 32 bytes of randomness")
        return run.secret, run.public

    def decaps(self, p: Parameters, dk: bytes, c: bytes, *, check: bool = True) -> bytes:
        """ML-KEM.Decaps_internal: the shared secret.

        Raises
        ------
        NttforgeError
            If key or ciphertext are refused; with `check` also a key that belies its hash.
        """
        run = self.run("decaps", p, c, rotate_key(dk), check=check)
        self._accepted(run, "dk or c", "use a key made by ML-KEM.KeyGen and its ciphertext")
        return run.secret

    @staticmethod
    def _accepted(run: KemRun, name: str, mend: str) -> None:
        if run.error:
            raise NttforgeError(name, "the coprocessor refuses it", mend)

    def run(
        self,
        operation: KemOperation,
        p: Parameters,
        public: bytes,
        secret: bytes,
        *,
        check: bool = False,
        stall: float = 0.0,
        seed: int = 0,
    ) -> KemRun:
        """One operation, from its command to the end of its wiping.

        Parameters
        ----------
        operation, p
            Which.
        public, secret
            Bytes of the input streams, whole words; a decapsulation key as `rotate_key` gives it.
        check
            Decaps: check the key's hash.
        stall
            Probability that a port stalls in a cycle.
        seed
            Of the stalls.

        Raises
        ------
        RuntimeError
            If the coprocessor hangs, or shows output though it reports an error.
        """
        rng = random.Random(seed)
        inputs = {"pub": _words(public), "sec": _words(secret)}
        at = {"pub": 0, "sec": 0}
        offered = {"pub": False, "sec": False}
        outputs: dict[str, list[int]] = {"pub": [], "sec": []}
        ended = {"pub": False, "sec": False}
        result = KemRun()
        command = {
            "cmd_op_i": OPERATIONS.index(operation),
            "cmd_set_i": SETS.index(p),
            "cmd_check_i": int(check),
        }
        commanded = done = False
        first: int | None = None
        start = busy = 0
        for cycle in range(_PATIENCE):
            drive = dict(command, cmd_valid_i=int(not commanded))
            for port, words in inputs.items():
                # A word that was offered stays.
                offered[port] = at[port] < len(words) and (
                    offered[port] or not stall or rng.random() >= stall
                )
                if offered[port]:
                    drive[f"s_{port}_tvalid"] = 1
                    drive[f"s_{port}_tdata"] = words[at[port]]
                    drive[f"s_{port}_tlast"] = int(at[port] == len(words) - 1)
                drive[f"m_{port}_tready"] = int(not stall or rng.random() >= stall)
            seen = self._model.step(**drive)
            if not commanded:
                commanded, start = bool(seen["cmd_ready_o"]), cycle
                continue
            if done and seen["cmd_ready_o"]:
                result.occupied = cycle - start
                break
            for port in inputs:
                if offered[port] and seen[f"s_{port}_tready"]:
                    at[port] += 1
                    offered[port] = False
                    first = cycle if first is None else first
                    result.handshakes.append((cycle - first, f"s_{port}"))
                if drive[f"m_{port}_tready"] and seen[f"m_{port}_tvalid"]:
                    outputs[port].append(seen[f"m_{port}_tdata"])
                    ended[port] = bool(seen[f"m_{port}_tlast"])
                    assert first is not None
                    result.cycles = cycle - first + 1
                    result.handshakes.append((cycle - first, f"m_{port}"))
            busy += seen["keccak_busy_o"] if first is not None else 0
            if seen["done_o"]:
                done, result.error = True, bool(seen["error_o"])
                result.keccak_cycles = busy
        else:
            raise RuntimeError(f"the coprocessor hangs in {operation} of {p.name}: {at}, {outputs}")
        _finish(result, outputs, ended)
        return result


def _finish(result: KemRun, outputs: dict[str, list[int]], ended: dict[str, bool]) -> None:
    """Check the output streams' ends, and put their bytes into the result."""
    for port, words in outputs.items():
        if words and result.error:
            raise RuntimeError("the coprocessor shows output though it reports an error")
        if words and not ended[port]:
            raise RuntimeError(f"tlast is missing on {port}")
    result.public, result.secret = (
        b"".join(word.to_bytes(WORD_BYTES, "little") for word in outputs[port])
        for port in ("pub", "sec")
    )
