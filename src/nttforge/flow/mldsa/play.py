# SPDX-License-Identifier: Apache-2.0
"""What the bench of the core plays: NIST's vectors, and what must be refused."""

from nttforge.emit.play import Play, StreamPlay
from nttforge.families.mldsa.core import ERRORS
from nttforge.families.mldsa.program import SETS
from nttforge.flow.memory_play import SLACK, START
from nttforge.flow.mldsa.vectors import golden_vectors
from nttforge.simulate.mldsa import Request, packet, stream_order
from nttforge.standards.engine import software_engine
from nttforge.standards.ml_dsa.keygen import keygen_internal
from nttforge.standards.ml_dsa.parameters import SEED_BYTES, parameter_set

_CYCLES = 9000  # of one operation, at most
_NO_COMMAND = 0xFF


def mldsa_play() -> Play:
    """A key of every set, a seed that is too short, and a command that is none."""
    first = {vector.parameter_set: vector for vector in reversed(golden_vectors())}
    played: dict[str, list[int]] = {bus: [] for bus in ("s_sec", "m_pub", "m_sec")}
    commands, results = [_NO_COMMAND], [ERRORS.index("command")]

    def play(bus: str, data: bytes) -> None:
        played[bus] += [word << 1 | last for word, last in packet(data)]

    short = Request("keygen", SETS[0], bytes(SEED_BYTES - 8))
    commands.append(short.command)
    results.append(ERRORS.index("length"))
    play("s_sec", short.secret)
    for name, vector in first.items():
        p, seed = parameter_set(name), vector.inputs["seed"]
        pk, sk = keygen_internal(p, seed, software_engine())
        commands.append(Request("keygen", p, seed).command)
        results.append(ERRORS.index("none"))
        for bus, data in (("s_sec", seed), ("m_pub", pk), ("m_sec", stream_order(sk))):
            play(bus, data)
    byte, word = (("tdata", 8),), (("tdata", 64), ("tlast", 1))
    return Play(
        about="It makes a key of every set from NIST's vectors, and is asked for what it refuses.",
        cycles=START + SLACK * (sum(map(len, played.values())) + _CYCLES * len(commands)),
        streams=(
            StreamPlay("s_command", True, byte, tuple(commands)),
            StreamPlay("m_result", False, byte, tuple(results)),
            *(StreamPlay(b, b[0] == "s", word, tuple(beats)) for b, beats in played.items()),
        ),
    )
