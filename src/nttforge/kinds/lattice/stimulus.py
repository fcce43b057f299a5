# SPDX-License-Identifier: Apache-2.0
"""What the bench in a folder plays: NIST's vectors, standards in turn, and what must be refused."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, zip_longest
from typing import NamedTuple

from nttforge.emit.stimulus import HostPlay, Play, StreamPlay
from nttforge.flow.memory_stimulus import SLACK, START
from nttforge.flow.vectors import Vector, digest
from nttforge.hw.core import Hardware
from nttforge.hw.registers import RegisterMap
from nttforge.kinds.lattice.bus import (
    WORD_BYTES,
    WORDS,
    Request,
    byte_packet,
    checks_of,
    kem_request,
    packet,
    ports_of,
    rotate_key,
    stream_order,
)
from nttforge.kinds.lattice.commands import ADDRESS_BITS, QUEUE_DEPTH
from nttforge.kinds.lattice.mldsa.vectors import accepted_byte
from nttforge.kinds.lattice.mldsa.vectors import golden_vectors as dsa_vectors
from nttforge.kinds.lattice.mlkem.vectors import golden_vectors
from nttforge.kinds.lattice.pqc.registers import KEM
from nttforge.kinds.lattice.standard import ML_DSA, ML_KEM, Standard, standards_of
from nttforge.standards.engine import software_engine
from nttforge.standards.ml_dsa.keygen import h
from nttforge.standards.ml_dsa.keygen import keygen_internal as dsa_keygen
from nttforge.standards.ml_dsa.parameters import SEED_BYTES
from nttforge.standards.ml_dsa.parameters import parameter_set as dsa_set
from nttforge.standards.ml_dsa.signing import public_key, sign_mu
from nttforge.standards.ml_kem.kem import decaps_internal, encaps_internal, keygen_internal
from nttforge.standards.ml_kem.parameters import parameter_set

NO_COMMAND = 0xFF  # of none of the operations that there are


class Played(NamedTuple):
    """A command, and what must come of it.

    Attributes
    ----------
    asked
        Its command, and what it takes.
    reason
        How it ends.
    public, secret
        What leaves at the two ports.
    """

    asked: Request
    reason: str = "none"
    public: bytes = b""
    secret: bytes = b""


def kem_vectors() -> list[Vector]:
    """One of NIST's for each operation and set."""
    first: dict[tuple[str, str], Vector] = {}
    for vector in golden_vectors():
        first.setdefault((vector.parameter_set, vector.operation), vector)
    return list(first.values())


def kem_case(vector: Vector, *, entropy: bool = False) -> Played:
    """What is asked for, and the bytes of the public and of the secret output, in software."""
    p, given, engine = parameter_set(vector.parameter_set), vector.inputs, software_engine()
    if vector.operation == "keygen":
        seeds = given["d"] + given["z"]
        public, secret = keygen_internal(p, given["d"], given["z"], engine)
        request = kem_request("keygen", p, b"", b"" if entropy else seeds)
        words = seeds + seeds[:WORD_BYTES]  # the last one is for the wiping
        asked = replace(request, entropy=words if entropy else None)
        return Played(asked, public=public, secret=secret)
    if vector.operation == "encaps":
        secret, public = encaps_internal(p, given["ek"], given["m"], engine)
        asked = kem_request("encaps", p, given["ek"], given["m"])
        return Played(asked, public=public, secret=secret)
    request = kem_request("decaps", p, given["c"], rotate_key(given["dk"]), check=True)
    return Played(request, secret=decaps_internal(p, given["dk"], given["c"], engine))


def kem_played(*, entropy: bool) -> Iterator[Played]:
    """Every operation and set of ML-KEM, one with entropy, and a key that is none."""
    vectors = kem_vectors()
    yield from map(kem_case, vectors)
    if entropy:
        yield kem_case(next(v for v in vectors if v.operation == "keygen"), entropy=True)
    p = ML_KEM.sets[0]
    wrong = kem_request("encaps", p, b"\xff" * p.ek_bytes, bytes(SEED_BYTES))
    yield Played(wrong, "modulus")


def dsa_played(*, entropy: bool, checks: bool = False) -> Iterator[Played]:
    """Keys and signatures of ML-DSA, right and wrong; some keys' seeds may come as entropy.

    With `checks` signatures are verified before they leave, and what that takes is sent.
    """
    yield Played(Request("keygen", ML_DSA.sets[0], bytes(SEED_BYTES - 8)), "length")
    for vector in _dsa_chosen():
        p, given = dsa_set(vector.parameter_set), vector.inputs
        if vector.operation == "keygen":
            pk, sk = dsa_keygen(p, given["seed"], software_engine())
            keys = (pk, stream_order(sk))
            yield Played(Request("keygen", p, given["seed"]), "none", *keys)
            if entropy:
                yield Played(Request("keygen", p, entropy=given["seed"]), "none", *keys)
        elif vector.operation == "sign":
            sk, message, rnd = (given[name] for name in ("sk", "message", "rnd"))
            mu = h(sk[64:128] + message, 64)
            made = sign_mu(p, sk, mu, rnd, software_engine()).data
            made += bytes(-len(made) % 8)
            request = Request("sign", p, rnd + sk, (message,))
            if checks:
                request = request.checked(public_key(p, sk, software_engine()))
            yield Played(request, "none", made)
        else:
            right = vector.digests["accepted"] == digest(accepted_byte(True))
            packets = (given["pk"], given["signature"], given["message"])
            reason = "none" if right else "signature"
            yield Played(Request("verify", p, public=packets), reason, WORDS[right])


def _dsa_chosen() -> list[Vector]:
    """Set by set the first key, the first signature, and the first right and wrong ones."""
    first: dict[tuple[str, ...], Vector] = {}
    for vector in dsa_vectors():
        key = (vector.operation, vector.digests.get("accepted", ""), vector.parameter_set)
        first.setdefault(key, vector)
    return sorted(first.values(), key=lambda vector: (vector.parameter_set, vector.operation))


class _Script(NamedTuple):
    """Of a standard: the cycles of one operation, at most, and what is played, in words.

    `refuses`: whether the first command, where commands go through registers, is none.
    """

    cycles: int
    refuses: bool
    about: str


_SCRIPTS: Mapping[Standard, _Script] = {
    ML_KEM: _Script(
        4000,
        False,
        "It runs NIST's vectors of every operation and set, and a key that must be refused.",
    ),
    ML_DSA: _Script(
        60_000,
        True,
        "It makes keys and signatures of NIST's vectors, verifies some, and refuses others.",
    ),
}
_BOTH = "It runs NIST's vectors of both standards in turn, and refuses what is wrong."


def lattice_play(core: Hardware) -> Play:
    """Operations of a core's standards in turn, as long as there are any, and what is refused."""
    ports = ports_of(core)
    entropy = "entropy_tvalid" in ports.inputs
    found = standards_of(core)
    scripts = [_SCRIPTS[standard] for standard in found]
    signatures = partial(dsa_played, checks=checks_of(core))
    played: Mapping[Standard, Callable[..., Iterator[Played]]]
    played = {ML_KEM: kem_played, ML_DSA: signatures}
    # Of both, ML-KEM alone has seeds from the entropy port.
    lists = [played[each](entropy=entropy and each is found[0]) for each in found]
    cases = [each for each in chain.from_iterable(zip_longest(*lists)) if each is not None]
    about = scripts[0].about if len(scripts) == 1 else _BOTH
    refuses = core.registers is None or any(script.refuses for script in scripts)
    most = max(script.cycles for script in scripts) * (len(cases) + refuses)
    streams, beats = _data_streams(cases, entropy=entropy, keep="s_pub_tkeep" in ports.inputs)
    cycles = START + SLACK * (beats + most)
    if core.registers is None:
        first = KEM if len(scripts) > 1 else 0  # bit 7 of a command that is none says ML-KEM
        commands = [NO_COMMAND, *(case.asked.command for case in cases)]
        results = [first | 1, *map(_result_byte, cases)]
        return Play(about=about, cycles=cycles, streams=(*streams, *_bytes(commands, results)))
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
    return Play(about=about, cycles=cycles, streams=tuple(streams), host=host)


def _result_byte(case: Played) -> int:
    standard = case.asked.standard
    return (KEM if standard is ML_KEM else 0) | standard.errors.index(case.reason)


def _data_streams(
    cases: Sequence[Played], *, entropy: bool, keep: bool
) -> tuple[list[StreamPlay], int]:
    """What goes in and comes out at the ports of data, and how many beats that is."""
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
    streams = [StreamPlay(b, b[0] == "s", signals[b], tuple(beats)) for b, beats in played.items()]
    if entropy:
        streams.append(StreamPlay("entropy", True, word[:1], tuple(words)))
    return streams, sum(map(len, played.values()))


def _bytes(commands: Sequence[int], results: Sequence[int]) -> list[StreamPlay]:
    """Commands and results, a byte each."""
    byte = (("tdata", 8),)
    return [
        StreamPlay("s_command", True, byte, tuple(commands)),
        StreamPlay("m_result", False, byte, tuple(results)),
    ]


def _command_host(
    registers: RegisterMap, commands: Sequence[int], results: Sequence[int]
) -> HostPlay:
    """Batches as large as the queue; at the end all is idle, and there is no result too many.

    Parameters
    ----------
    registers
        Of the coprocessor.
    commands, results
        Words of those registers, one of each for each operation.
    """
    host = HostPlay("s_axi", ADDRESS_BITS, "interrupt_o")
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
