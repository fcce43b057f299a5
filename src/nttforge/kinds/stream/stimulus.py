# SPDX-License-Identifier: Apache-2.0
"""Stimulus of a core of transforms: through its streams, or its memory shell."""

from collections.abc import Sequence

import numpy as np

from nttforge.emit.stimulus import Stimulus, StreamStimulus
from nttforge.flow.memory_stimulus import (
    SLACK,
    START,
    Memory,
    add_job,
    host_stimulus,
    job_host,
    status_code,
)
from nttforge.flow.reference import operands, reference
from nttforge.hw import Operation, StreamCore
from nttforge.hw import shell as shell_registers
from nttforge.hw.core import Load
from nttforge.simulate.shell_simulator import to_memory

# Beats of a stream that all pairs of operations may take; with more, each operation comes twice.
_MOST_BEATS = 1 << 14


def core_play(core: StreamCore) -> Stimulus:
    """Through the memory shell, if there is one."""
    return _stream_play(core) if core.shell is None else _shell_play(core)


def _sequence(operations: Sequence[Operation]) -> list[Operation]:
    """Every operation after every other one, and after itself, if that is not too long."""
    beats = sum(op.beats * op.operands for op in operations)
    if beats * (len(operations) + 1) > _MOST_BEATS:
        return [op for op in operations for _ in range(2)]
    turns = [each for op in operations for other in operations for each in (op, other)]
    return [op for at, op in enumerate(turns) if at == 0 or op is not turns[at - 1] or at % 2]


def _sample(core: StreamCore) -> tuple[Sequence[Load], Sequence[Operation]]:
    """Loads and operations: of as many places as are not too long, and of two in any case."""
    if not core.loads:
        return (), core.operations
    each = len(core.operations) // len(core.loads)
    beats = sum(op.beats for op in core.operations[:each])
    places = max(2, _MOST_BEATS // (2 * beats + len(core.loads[0].words)))
    return core.loads[:places], core.operations[: each * places]


def _stream_play(core: StreamCore) -> Stimulus:
    """Transforms through a core: random words, and every third time the largest ones."""
    rng = np.random.default_rng(0)
    stream = core.stream
    user, data, keep = stream.user_bits, stream.data_bits, stream.keep_bits
    loads, operations = _sample(core)
    given = [
        (load.code << data | word) << keep + 1 | ((1 << keep) - 1) << 1 | int(at == len(load.words))
        for load in loads
        for at, word in enumerate(load.words, start=1)
    ]
    expected: list[int] = []
    for number, operation in enumerate(_sequence(operations)):
        polynomials = operands(operation, 1, operation.operands, rng).astype(object)
        if number % 3 == 2:
            polynomials[:] = operation.ring.q - 1
        result = reference(operation, polynomials).astype(object)
        for beats, words in (
            (given, operation.pack(polynomials)[0]),
            (expected, operation.pack_result(result)[0]),
        ):
            head, low = operation.code << data, (1 << keep) - 1
            rows = [((head | row) << keep | low) << 1 for row in stream.all_beats(words)]
            beats += [*rows[:-1], rows[-1] | 1]
    latency = max(operation.latency for operation in core.operations)
    kept = (("tkeep", keep),) if keep else ()
    signals = (("tuser", user), ("tdata", data), *kept, ("tlast", 1))
    with_error = (("tuser", user + 1), *signals[1:])
    return Stimulus(
        about="It streams operations back to back, in all pairs if they are short.",
        cycles=START + SLACK * (len(given) + len(expected) + latency),
        streams=(
            StreamStimulus("s_axis", True, signals, tuple(given)),
            StreamStimulus(
                "m_axis", False, with_error, tuple(expected), at_last=1 << user + data + keep + 1
            ),
        ),
    )


def _shell_play(core: StreamCore) -> Stimulus:
    """A job of each operation, shared out unevenly, and one that is refused."""
    shell, rng = core.shell, np.random.default_rng(0)
    assert shell is not None
    memories = [Memory(i, shell.word_bytes) for i in range(shell.instances)]
    host = job_host()
    for operation in core.operations:
        writes = [(shell_registers.OPERATION, operation.code, 1)]
        for i, memory in enumerate(memories):
            count = 1 + (operation.code + i) % 2
            polynomials = operands(operation, count, operation.operands, rng).astype(object)
            result = reference(operation, polynomials).astype(object)
            images = (operation.pack(polynomials), operation.pack_result(result))
            given, got = (to_memory(shell, image).tobytes() for image in images)
            at = shell.arguments(i)
            writes += [
                (at + shell_registers.SOURCE, memory.place(given), 2),
                (at + shell_registers.TARGET, memory.result(got), 2),
                (at + shell_registers.COUNT, count, 1),
            ]
        add_job(host, writes, status_code("ok", shell_registers.STATUSES))
    unknown = [(shell_registers.OPERATION, len(core.operations), 1)]
    add_job(host, unknown, status_code("unknown operation", shell_registers.STATUSES))
    stimuli = tuple(
        memory.stimulus(f"m_axi_in{i}", f"m_axi_out{i}") for i, memory in enumerate(memories)
    )
    return host_stimulus(stimuli, host, max(operation.latency for operation in core.operations))
