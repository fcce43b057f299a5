# SPDX-License-Identifier: Apache-2.0
"""What the bench of the core plays: NIST's vectors, and what must be refused."""

from nttforge.emit.play import Play, StreamPlay
from nttforge.families.mldsa.core import MldsaCore
from nttforge.families.mldsa.program import SETS
from nttforge.families.mldsa.registers import ERRORS, REGISTERS
from nttforge.flow.command_play import command_host
from nttforge.flow.memory_play import SLACK, START
from nttforge.flow.mldsa.vectors import accepted_byte, golden_vectors
from nttforge.flow.vectors import Vector, digest
from nttforge.simulate.mldsa import WORDS, Request, byte_packet, packet, stream_order
from nttforge.standards.engine import software_engine
from nttforge.standards.ml_dsa.keygen import h, keygen_internal
from nttforge.standards.ml_dsa.parameters import SEED_BYTES, parameter_set
from nttforge.standards.ml_dsa.signing import sign_mu

_CYCLES = 60_000  # of one operation, at most
_NO_COMMAND = 0xFF


def mldsa_play(core: MldsaCore) -> Play:
    """A key and a signature of every set, what verifies and what does not, and what is refused."""
    played: dict[str, list[int]] = {bus: [] for bus in ("s_pub", "s_sec", "m_pub", "m_sec")}
    bytes_, results = [_NO_COMMAND], [ERRORS.index("command")]
    words = [REGISTERS["command"].word(operation=len(core.operations))]
    entropy: list[int] = []

    def play(request: Request, reason: str, public: bytes = b"", secret: bytes = b"") -> None:
        bytes_.append(request.command)
        words.append(request.word(len(words)))
        results.append(ERRORS.index(reason))
        entropy.extend(word for word, _ in packet(request.entropy or b""))
        for data in request.public:
            played["s_pub"] += [
                (keep << 64 | word) << 1 | last for word, last, keep in byte_packet(data)
            ]
        for bus, data in (("s_sec", request.secret), ("m_pub", public), ("m_sec", secret)):
            played[bus] += [word << 1 | last for word, last in packet(data)]

    play(Request("keygen", SETS[0], bytes(SEED_BYTES - 8)), "length")
    for vector in _chosen():
        p, given = parameter_set(vector.parameter_set), vector.inputs
        if vector.operation == "keygen":
            pk, sk = keygen_internal(p, given["seed"], software_engine())
            play(Request("keygen", p, given["seed"]), "none", pk, stream_order(sk))
            if core.host:
                keys = (pk, stream_order(sk))
                play(Request("keygen", p, entropy=given["seed"]), "none", *keys)
        elif vector.operation == "sign":
            sk, message, rnd = (given[name] for name in ("sk", "message", "rnd"))
            mu = h(sk[64:128] + message, 64)
            made = sign_mu(p, sk, mu, rnd, software_engine()).data
            made += bytes(-len(made) % 8)
            play(Request("sign", p, rnd + sk, (message,)), "none", made)
        else:
            right = vector.digests["accepted"] == digest(accepted_byte(True))
            packets = (given["pk"], given["signature"], given["message"])
            reason = "none" if right else "signature"
            play(Request("verify", p, public=packets), reason, WORDS[right])
    word: tuple[tuple[str, int], ...]
    byte, word = (("tdata", 8),), (("tdata", 64), ("tlast", 1))
    signals = dict.fromkeys(played, word) | {"s_pub": (("tkeep", 8), *word)}
    streams = [StreamPlay(b, b[0] == "s", signals[b], tuple(beats)) for b, beats in played.items()]
    cycles = START + SLACK * (sum(map(len, played.values())) + _CYCLES * len(results))
    about = "It makes keys and signatures of NIST's vectors, verifies some, and refuses others."
    if not core.host:
        streams.append(StreamPlay("s_command", True, byte, tuple(bytes_)))
        streams.append(StreamPlay("m_result", False, byte, tuple(results)))
        return Play(about=about, cycles=cycles, streams=tuple(streams))
    streams.append(StreamPlay("entropy", True, word[:1], tuple(entropy)))
    answers = [REGISTERS["result"].word(tag=tag, error=code) for tag, code in enumerate(results)]
    host = command_host(REGISTERS, words, answers)
    return Play(about=about, cycles=cycles, streams=tuple(streams), host=host)


def _chosen() -> list[Vector]:
    """Set by set the first key, the first signature, and the first right and wrong ones."""
    first: dict[tuple[str, ...], Vector] = {}
    for vector in golden_vectors():
        key = (vector.operation, vector.digests.get("accepted", ""), vector.parameter_set)
        first.setdefault(key, vector)
    return sorted(first.values(), key=lambda vector: (vector.parameter_set, vector.operation))
