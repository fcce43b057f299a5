# SPDX-License-Identifier: Apache-2.0
"""Stimulus of a coprocessor: NIST's vectors, standards in turn, and inputs to refuse."""

from collections.abc import Iterable, Sequence
from itertools import chain, zip_longest
from typing import Any, NamedTuple

from nttforge.emit.stimulus import HostStimulus, Stimulus, StreamStimulus
from nttforge.flow.memory_stimulus import SLACK, START
from nttforge.hw.core import Core
from nttforge.hw.register_map import RegisterMap
from nttforge.kinds.lattice.bus import (
    Request,
    byte_packet,
    checks_of,
    packet,
    ports_of,
    request_of,
)
from nttforge.kinds.lattice.commands import ADDRESS_BITS, QUEUE_DEPTH
from nttforge.kinds.lattice.operation import Values
from nttforge.kinds.lattice.standard import part, standard_of, standards_of

NO_COMMAND = 0xFF  # of none of the operations that there are


class StimulusStep(NamedTuple):
    """A command, how it must end, and what leaves at both ports."""

    asked: Request
    reason: str = "none"
    public: bytes = b""
    secret: bytes = b""


def stimulus_step(
    operation: str, p: Any, values: Values, reason: str = "none", **how: Any
) -> StimulusStep:
    """An operation with its inputs, see :func:`request_of`, and its outputs, all among values."""
    expected = standard_of(p).operations[operation].expected(values)
    return StimulusStep(request_of(operation, p, values, **how), reason, *expected)


def alternated(lists: Iterable[Iterable[StimulusStep]]) -> list[StimulusStep]:
    """Steps of each list in turn, until the longest one ends."""
    return [each for each in chain.from_iterable(zip_longest(*lists)) if each is not None]


class Script(NamedTuple):
    """Most cycles of an operation, and the stimulus; `refuses`: the first is no command."""

    cycles: int
    refuses: bool
    about: str


_BOTH = "It runs NIST's vectors of both standards in turn, and refuses what is wrong."


def lattice_stimulus(core: Core) -> Stimulus:
    """Operations of a core's standards in turn, as long as there are any, and what is refused."""
    ports = ports_of(core)
    entropy = "entropy_tvalid" in ports.inputs
    checks, parts = checks_of(core), [part(each, "stimulus") for each in standards_of(core)]
    scripts: list[Script] = [each.SCRIPT for each in parts]
    # Of both, ML-KEM alone has seeds from the entropy port.
    cases = alternated(
        each.cases(entropy=entropy and each is parts[0], checks=checks) for each in parts
    )
    about = scripts[0].about if len(scripts) == 1 else _BOTH
    refuses = core.registers is None or any(script.refuses for script in scripts)
    most = max(script.cycles for script in scripts) * (len(cases) + refuses)
    streams, beats = _data_streams(cases, entropy=entropy, keep="s_pub_tkeep" in ports.inputs)
    cycles = START + SLACK * (beats + most)
    if core.registers is None:
        # What is no command has all marks.
        marks = sum(each.mark for each in standards_of(core))
        commands = [NO_COMMAND, *(case.asked.command for case in cases)]
        results = [marks | 1, *map(_result_byte, cases)]
        return Stimulus(about=about, cycles=cycles, streams=(*streams, *_bytes(commands, results)))
    command, result = core.registers["command"], core.registers["result"]
    errors = result.field("error").values
    words, answers = [], []
    if refuses:
        words.append(command.word(operation=len(command.field("operation").values)))
        answers.append(result.word(tag=0, error=errors.index("command")))
    for tag, case in enumerate(cases, start=len(words)):
        words.append(case.asked.word(tag, core.registers))
        answers.append(result.word(tag=tag, error=errors.index(case.reason)))
    host = _command_host(core.registers, words, answers)
    return Stimulus(about=about, cycles=cycles, streams=tuple(streams), host=host)


def _result_byte(case: StimulusStep) -> int:
    standard = case.asked.standard
    return standard.mark | standard.errors.index(case.reason)


def _data_streams(
    cases: Sequence[StimulusStep], *, entropy: bool, keep: bool
) -> tuple[list[StreamStimulus], int]:
    """Words at the data ports, and their numbers of beats."""
    played: dict[str, list[int]] = {bus: [] for bus in ("s_pub", "s_sec", "m_pub", "m_sec")}
    words: list[int] = []
    for case in cases:
        for data in case.asked.public:
            played["s_pub"] += [
                ((bytes_there if keep else 0) << 64 | word) << 1 | last
                for word, last, bytes_there in byte_packet(data)
            ]
        sides = (("s_sec", case.asked.secret), ("m_pub", case.public), ("m_sec", case.secret))
        for bus, data in sides:
            played[bus] += [word << 1 | last for word, last in packet(data)]
        words += [word for word, _ in packet(case.asked.entropy or b"")]
    word = (("tdata", 64), ("tlast", 1))
    signals: dict[str, tuple[tuple[str, int], ...]] = dict.fromkeys(played, word)
    signals["s_pub"] = (("tkeep", 8), *word) if keep else word
    streams = [
        StreamStimulus(b, b[0] == "s", signals[b], tuple(beats)) for b, beats in played.items()
    ]
    if entropy:
        streams.append(StreamStimulus("entropy", True, word[:1], tuple(words)))
    return streams, sum(map(len, played.values()))


def _bytes(commands: Sequence[int], results: Sequence[int]) -> list[StreamStimulus]:
    """Commands and results, a byte each."""
    byte = (("tdata", 8),)
    return [
        StreamStimulus("s_command", True, byte, tuple(commands)),
        StreamStimulus("m_result", False, byte, tuple(results)),
    ]


def _command_host(
    registers: RegisterMap, commands: Sequence[int], results: Sequence[int]
) -> HostStimulus:
    """Batches as large as the queue; at the end all is idle and no result is left."""
    host = HostStimulus("s_axi", ADDRESS_BITS, "interrupt_o")
    status, at = registers["status"], {r.name: r.address for r in registers}
    host.write(at["interrupt_enable"], registers["interrupt_enable"].word(result=1))
    for first in range(0, len(commands), QUEUE_DEPTH):
        batch = slice(first, first + QUEUE_DEPTH)
        for command in commands[batch]:
            host.poll(at["status"], 0, status.field("full").mask)
            host.write(at["command"], command)
        for result in results[batch]:
            host.wait(1)
            host.read(at["result"], result, (1 << 32) - 1)
            host.write(at["acknowledge"], 1)
    host.refused(at["acknowledge"], 1)
    host.poll(at["status"], 1, status.field("idle").mask)
    return host
