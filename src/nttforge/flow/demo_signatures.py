# SPDX-License-Identifier: Apache-2.0
"""Signatures of the demo: a key, a signature, its verification, a refused forgery."""

from collections.abc import Iterator
from hashlib import shake_256

from nttforge.calls import Operations
from nttforge.flow.demo_steps import Comparer, Comparison, all_equal, compared_table, different
from nttforge.flow.prepare import Progress, silent
from nttforge.results import Result
from nttforge.standards.ml_dsa.parameters import SEED_BYTES, parameter_set
from nttforge.standards.ml_dsa.signing import RND_BYTES
from nttforge.standards.oracle import dilithium_py
from nttforge.table import Block, Table, verdict

#: What is signed.
MESSAGE = b"nttforge demo"


class SignedResult(Result):
    """Signatures and verdicts of the core; `ok`: equal bytes, verdicts right, forgery refused."""

    engine: str
    seed: int
    comparisons: list[Comparison]
    cycles: dict[str, int]
    accepted: dict[str, bool]
    wrong_verdicts: int
    ok: bool

    def shown(self) -> Iterator[Block]:
        """Comparisons, cycles, and the verdict."""
        title = f"A key and a signature made by {self.engine}, seed {self.seed}"
        yield compared_table(title, self.comparisons)
        yield Table(
            f"Cycles of {self.engine}",
            ("operation", "cycles", "says"),
            [(name, count, self._said(name)) for name, count in self.cycles.items()],
        )
        good = "Every byte is equal; the signature is accepted, and the forged one is refused."
        bad = f"{different(self.comparisons)} {self.wrong_verdicts} of 2 verdicts are wrong."
        yield verdict(self.ok, good, bad)

    def _said(self, operation: str) -> str:
        if operation not in self.accepted:
            return ""
        return "accepted" if self.accepted[operation] else "refused"


def demo_signatures(
    dsa: Operations,
    *,
    engine: str = "the simulated ml-dsa-core",
    seed: int = 0,
    signature: str = "ML-DSA-44",
    progress: Progress = silent,
) -> SignedResult:
    """Keys, deterministic signature, its check and a forgery's, compared with dilithium-py."""
    p, oracle = parameter_set(signature), dilithium_py(signature)
    xi = shake_256(b"nttforge demo of signatures" + str(seed).encode()).digest(SEED_BYTES)
    comparer = Comparer(p.name, "dilithium-py")
    progress(f"{p.name}: key generation")
    pair, (pk, sk) = dsa.keygen(p.name, xi), oracle._keygen_internal(xi)
    comparer.compare("public key", pair.pk, pk)
    comparer.compare("private key", pair.sk, sk)
    # From here on both begin with the oracle's: what is wrong spoils its own comparison alone.
    progress(f"{p.name}: signature")
    made = dsa.sign(p.name, sk, MESSAGE, rnd=bytes(RND_BYTES))
    right = oracle.sign(sk, MESSAGE, deterministic=True)
    comparer.compare("signature", made.signature, right)
    progress(f"{p.name}: verification, of a forged signature, too")
    at = len(right) // 2  # of z
    forged = right[:at] + bytes([right[at] ^ 1]) + right[at + 1 :]
    ours = {"verify": dsa.verify(p.name, pk, right, MESSAGE)}
    ours["verify, forged"] = dsa.verify(p.name, pk, forged, MESSAGE)
    theirs = [oracle.verify(pk, MESSAGE, given) for given in (right, forged)]
    must = zip(ours.values(), theirs, (True, False), strict=True)
    wrong = sum(not run.accepted == said == good for run, said, good in must)
    return SignedResult(
        engine=engine,
        seed=seed,
        comparisons=comparer.comparisons,
        cycles={
            "keygen": pair.cycles,
            "sign": made.cycles,
            **{name: run.cycles for name, run in ours.items()},
        },
        accepted={name: run.accepted for name, run in ours.items()},
        wrong_verdicts=wrong,
        ok=all_equal(comparer.comparisons) and not wrong,
    )
