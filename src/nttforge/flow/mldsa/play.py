# SPDX-License-Identifier: Apache-2.0
"""What the bench of the core plays: NIST's vectors, and what must be refused."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from nttforge.emit.play import Play, StreamPlay
from nttforge.families.mldsa.core import MldsaCore
from nttforge.families.mldsa.program import SETS
from nttforge.families.mldsa.registers import ERRORS, REGISTERS
from nttforge.flow.command_play import command_host
from nttforge.flow.memory_play import SLACK, START
from nttforge.flow.mldsa.vectors import accepted_byte, golden_vectors
from nttforge.flow.vectors import Vector, digest
from nttforge.simulate.mldsa import WORDS, Asked, Request, byte_packet, packet, stream_order
from nttforge.standards.engine import software_engine
from nttforge.standards.ml_dsa.keygen import h, keygen_internal
from nttforge.standards.ml_dsa.parameters import SEED_BYTES, parameter_set
from nttforge.standards.ml_dsa.signing import public_key, sign_mu

_CYCLES = 60_000  # of one operation, at most
NO_COMMAND = 0xFF  # of none of the operations that there are


@dataclass(frozen=True)
class Played:
    """A command, and what must come of it.

    Attributes
    ----------
    asked
        Its command, and what it takes.
    result
        The code of how it ended.
    public, secret
        What leaves at the two ports.
    """

    asked: Asked
    result: int
    public: bytes = b""
    secret: bytes = b""


def played_streams(cases: Sequence[Played], *, entropy: bool) -> tuple[list[StreamPlay], int]:
    """What goes in and comes out at the ports of data, with those for entropy if there are; cycles.

    The cycles are those that it takes, at most, with a command in front that is none.
    """
    played: dict[str, list[int]] = {bus: [] for bus in ("s_pub", "s_sec", "m_pub", "m_sec")}
    words: list[int] = []
    for case in cases:
        for data in case.asked.public:
            played["s_pub"] += [
                (keep << 64 | word) << 1 | last for word, last, keep in byte_packet(data)
            ]
        sides = (("s_sec", case.asked.secret), ("m_pub", case.public), ("m_sec", case.secret))
        for bus, data in sides:
            played[bus] += [word << 1 | last for word, last in packet(data)]
        words += [word for word, _ in packet(case.asked.entropy or b"")]
    word = (("tdata", 64), ("tlast", 1))
    signals: dict[str, tuple[tuple[str, int], ...]] = dict.fromkeys(played, word)
    signals["s_pub"] = (("tkeep", 8), *word)
    streams = [StreamPlay(b, b[0] == "s", signals[b], tuple(beats)) for b, beats in played.items()]
    if entropy:
        streams.append(StreamPlay("entropy", True, word[:1], tuple(words)))
    beats = sum(map(len, played.values()))
    return streams, START + SLACK * (beats + _CYCLES * (1 + len(cases)))


def byte_streams(commands: Sequence[int], results: Sequence[int]) -> list[StreamPlay]:
    """Commands and results, a byte each."""
    byte = (("tdata", 8),)
    return [
        StreamPlay("s_command", True, byte, tuple(commands)),
        StreamPlay("m_result", False, byte, tuple(results)),
    ]


def mldsa_play(core: MldsaCore) -> Play:
    """A key and a signature of every set, what verifies and what does not, and what is refused."""
    cases = list(dsa_played(entropy=core.host, checks=core.checks))
    streams, cycles = played_streams(cases, entropy=core.host)
    about = "It makes keys and signatures of NIST's vectors, verifies some, and refuses others."
    results = [ERRORS.index("command"), *(case.result for case in cases)]
    if not core.host:
        streams += byte_streams([NO_COMMAND, *(case.asked.command for case in cases)], results)
        return Play(about=about, cycles=cycles, streams=tuple(streams))
    none = REGISTERS["command"].word(operation=len(core.operations))
    words = [none, *(case.asked.word(tag) for tag, case in enumerate(cases, start=1))]
    answers = [REGISTERS["result"].word(tag=tag, error=code) for tag, code in enumerate(results)]
    host = command_host(REGISTERS, words, answers)
    return Play(about=about, cycles=cycles, streams=tuple(streams), host=host)


def dsa_played(*, entropy: bool, checks: bool = False) -> Iterator[Played]:
    """What is played behind a command that is none; some keys' seeds may come as entropy.

    With `checks` signatures are verified before they leave, and what that takes is sent.
    """

    def play(request: Request, reason: str, public: bytes = b"", secret: bytes = b"") -> Played:
        return Played(request, ERRORS.index(reason), public, secret)

    yield play(Request("keygen", SETS[0], bytes(SEED_BYTES - 8)), "length")
    for vector in _chosen():
        p, given = parameter_set(vector.parameter_set), vector.inputs
        if vector.operation == "keygen":
            pk, sk = keygen_internal(p, given["seed"], software_engine())
            keys = (pk, stream_order(sk))
            yield play(Request("keygen", p, given["seed"]), "none", *keys)
            if entropy:
                yield play(Request("keygen", p, entropy=given["seed"]), "none", *keys)
        elif vector.operation == "sign":
            sk, message, rnd = (given[name] for name in ("sk", "message", "rnd"))
            mu = h(sk[64:128] + message, 64)
            made = sign_mu(p, sk, mu, rnd, software_engine()).data
            made += bytes(-len(made) % 8)
            request = Request("sign", p, rnd + sk, (message,))
            if checks:
                request = request.checked(public_key(p, sk, software_engine()))
            yield play(request, "none", made)
        else:
            right = vector.digests["accepted"] == digest(accepted_byte(True))
            packets = (given["pk"], given["signature"], given["message"])
            reason = "none" if right else "signature"
            yield play(Request("verify", p, public=packets), reason, WORDS[right])


def _chosen() -> list[Vector]:
    """Set by set the first key, the first signature, and the first right and wrong ones."""
    first: dict[tuple[str, ...], Vector] = {}
    for vector in golden_vectors():
        key = (vector.operation, vector.digests.get("accepted", ""), vector.parameter_set)
        first.setdefault(key, vector)
    return sorted(first.values(), key=lambda vector: (vector.parameter_set, vector.operation))
