# SPDX-License-Identifier: Apache-2.0
"""What the bench of a core of both standards plays: NIST's vectors, standards in turn."""

from collections.abc import Iterator
from itertools import chain, zip_longest

from nttforge.emit.play import Play
from nttforge.families.mlkem.program import SETS
from nttforge.families.mlkem.registers import ERRORS
from nttforge.families.pqc.core import KEM, PqcCore
from nttforge.flow.mldsa.play import NO_COMMAND, Played, byte_streams, dsa_played, played_streams
from nttforge.flow.mlkem.play import kem_case, kem_vectors
from nttforge.simulate.mlkem import Request
from nttforge.simulate.pqc import KemAsked, command_byte
from nttforge.standards.ml_kem.parameters import SEED_BYTES


def _kem_played() -> Iterator[Played]:
    """Every operation and set of ML-KEM, one with entropy, and a key that is none."""
    vectors = kem_vectors()
    keygen = next(v for v in vectors if v.operation == "keygen")
    for request, public, secret in (*map(kem_case, vectors), kem_case(keygen, entropy=True)):
        yield Played(KemAsked(request), KEM, public, secret)
    p = SETS[0]
    wrong = Request("encaps", p, b"\xff" * p.ek_bytes, bytes(SEED_BYTES))
    yield Played(KemAsked(wrong), KEM | ERRORS.index("modulus"))


def pqc_play(core: PqcCore) -> Play:
    """Operations of both standards in turn, as long as there are any of both."""
    pairs = zip_longest(_kem_played(), dsa_played(entropy=False, checks=core.checks))
    cases = [each for each in chain.from_iterable(pairs) if each is not None]
    streams, cycles = played_streams(cases, entropy=True)
    commands = [NO_COMMAND, *(command_byte(case.asked) for case in cases)]
    results = [KEM | ERRORS.index("command"), *(case.result for case in cases)]
    return Play(
        about="It runs NIST's vectors of both standards in turn, and refuses what is wrong.",
        cycles=cycles,
        streams=(*streams, *byte_streams(commands, results)),
    )
