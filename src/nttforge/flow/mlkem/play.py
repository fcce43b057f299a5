# SPDX-License-Identifier: Apache-2.0
"""What the bench of the coprocessor plays: NIST's vectors, and what must be refused."""

from dataclasses import replace

from nttforge.emit.play import Play, StreamPlay
from nttforge.families.mlkem.program import SETS
from nttforge.families.mlkem.registers import ERRORS, REGISTERS, register
from nttforge.flow.command_play import command_host
from nttforge.flow.memory_play import SLACK, START
from nttforge.flow.mlkem.vectors import golden_vectors
from nttforge.flow.vectors import Vector
from nttforge.simulate.mlkem import WORD_BYTES, Request, rotate_key
from nttforge.standards.engine import software_engine
from nttforge.standards.ml_kem.kem import decaps_internal, encaps_internal, keygen_internal
from nttforge.standards.ml_kem.parameters import SEED_BYTES, parameter_set

_CYCLES = 4000  # of one operation, at most


def kem_vectors() -> list[Vector]:
    """One of NIST's for each operation and set."""
    first: dict[tuple[str, str], Vector] = {}
    for vector in golden_vectors():
        first.setdefault((vector.parameter_set, vector.operation), vector)
    return list(first.values())


def kem_case(vector: Vector, entropy: bool = False) -> tuple[Request, bytes, bytes]:
    """What is asked for, and the bytes of the public and of the secret output, in software."""
    p, given, engine = parameter_set(vector.parameter_set), vector.inputs, software_engine()
    if vector.operation == "keygen":
        seeds = given["d"] + given["z"]
        public, secret = keygen_internal(p, given["d"], given["z"], engine)
        request = Request("keygen", p, b"", b"" if entropy else seeds)
        words = seeds + seeds[:WORD_BYTES]  # the last one is for the wiping
        return replace(request, entropy=words if entropy else None), public, secret
    if vector.operation == "encaps":
        secret, public = encaps_internal(p, given["ek"], given["m"], engine)
        return Request("encaps", p, given["ek"], given["m"]), public, secret
    request = Request("decaps", p, given["c"], rotate_key(given["dk"]), check=True)
    return request, b"", decaps_internal(p, given["dk"], given["c"], engine)


def _packet(data: bytes) -> list[int]:
    """Bytes as beats of {data, last}."""
    words = [data[at : at + WORD_BYTES] for at in range(0, len(data), WORD_BYTES)]
    beats = [int.from_bytes(word, "little") << 1 for word in words]
    return [*beats[:-1], beats[-1] | 1] if beats else []


def mlkem_play() -> Play:
    """Commands of every operation and set, one with entropy, and one with a key that is none."""
    vectors = kem_vectors()
    cases = [kem_case(vector) for vector in vectors]
    keygen = next(v for v in vectors if v.operation == "keygen")
    cases.append(kem_case(keygen, entropy=True))
    p = SETS[0]
    cases.append((Request("encaps", p, b"\xff" * p.ek_bytes, bytes(SEED_BYTES)), b"", b""))
    played: dict[str, list[int]] = {bus: [] for bus in ("s_pub", "s_sec", "m_pub", "m_sec")}
    entropy: list[int] = []
    commands, results = [], []
    for at, (request, public, secret) in enumerate(cases):
        commands.append(request.command(at))
        error = 0 if secret else ERRORS.index("modulus")
        results.append(register("result").word(tag=at, error=error))
        played["s_pub"] += _packet(request.public)
        played["s_sec"] += _packet(request.secret)
        entropy += [beat >> 1 for beat in _packet(request.entropy or b"")]
        played["m_pub"] += _packet(public)
        played["m_sec"] += _packet(secret)
    signals = (("tdata", 64), ("tlast", 1))
    return Play(
        about="It runs NIST's vectors of every operation and set, and a key that must be refused.",
        cycles=START + SLACK * (sum(map(len, played.values())) + _CYCLES * len(cases)),
        streams=(
            *(StreamPlay(b, b[0] == "s", signals, tuple(beats)) for b, beats in played.items()),
            StreamPlay("entropy", True, signals[:1], tuple(entropy)),
        ),
        host=command_host(REGISTERS, commands, results),
    )
