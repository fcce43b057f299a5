# SPDX-License-Identifier: Apache-2.0
"""Ciphertexts that lattigo 6.1.1 encrypts, computed on by the simulated RTL, and decrypted by it.

`python -m tests.lattigo.end_to_end run` takes two ciphertexts and keys from lattigo, of CKKS and of
BGV; multiplies, relinearizes, rescales and rotates by 13 slots on the simulated key switching
engine; and gives lattigo the result, which decrypts it and compares it with what it encrypted: of
CKKS within the error that lattigo's own tests allow, of BGV every slot. Coefficients are compared
with those of lattigo's evaluator, too. It needs Go, and records what it finds; other sizes are
`--log-n 13 --limbs 6 1`, say. Without `run` the record is printed.
"""

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

from nttforge.kinds.rns.calls import FUNCTIONS
from nttforge.kinds.rns.machine import Machine
from nttforge.ring.primes import largest_ntt_primes
from nttforge.standards.rns import Basis
from nttforge.standards.rns.basis import Array
from nttforge.standards.rns.switching import Pair
from tests.lattigo.parameter_sets import engine
from tests.lattigo.peer import Encrypted, Lattigo, NoLattigoError, lattigo
from tests.tally import keep, kept, markdown

RECORD = "key-switching-end-to-end"
COLUMNS = (
    *("scheme", "n", "limbs", "operations on the RTL", "cycles"),
    *("words that differ", "error", "allowed"),
)
#: log2 of the scale of CKKS, which is also the width of Q's moduli behind the first; and t of BGV.
PARAMETERS = {"CKKS": 45, "BGV": 65537}
_FIRST_BITS, _SPECIAL_BITS = 53, 54
_LOG_NS, _LIMBS = (10, 11, 12), (4, 2)


def moduli(log_n: int, limbs: Sequence[int]) -> tuple[Basis, Basis]:
    """Q and P of so many limbs, 1 modulo 2n."""
    of_q, of_p = limbs
    order = 2 << log_n
    first = largest_ntt_primes(_FIRST_BITS, order, 1)
    others = largest_ntt_primes(PARAMETERS["CKKS"], order, of_q - 1)
    return Basis((*first, *others)), Basis(tuple(largest_ntt_primes(_SPECIAL_BITS, order, of_p)))


@dataclass
class Rtl:
    """Operations on the engine; `done` has the name and the cycles of each."""

    machine: Machine
    done: list[tuple[str, int]] = field(default_factory=list)

    def __call__(self, name: str, *given: Any, **named: Any) -> list[Array]:
        result = FUNCTIONS[name](self.machine, *given, **named)
        self.done.append((name, self.machine.cycles))
        return result


def product(rtl: Callable[..., list[Array]], given: Encrypted, times: int) -> Pair:
    """Both ciphertexts multiplied, relinearized, rescaled, rotated."""
    key = given.relinearization
    q, p, digit = key.q.moduli, key.p.moduli, key.digit_limbs
    common = {"q": q, "p": p, "digit_limbs": digit}
    c0, c1, c2 = rtl("tensor", given.x, given.y, q, times=times)
    pair = rtl("key_switch", c2, add=(c0, c1), key=key.pairs, **common)
    lower = [rtl("rescale", half, q)[0] for half in pair]
    u0, u1 = rtl("rotate", lower, given.g, key=given.rotation.pairs, **common)
    return u0, u1


@dataclass(frozen=True)
class Computed:
    """A ciphertext from the engine; `done` as of :class:`Rtl`."""

    scheme: str
    q: Basis
    p: Basis
    pair: Pair
    done: list[tuple[str, int]]


def computed(machine: Machine, peer: Lattigo, scheme: str, limbs: Sequence[int]) -> Computed:
    """The product of two ciphertexts that lattigo encrypts."""
    n, parameter = machine.core.n, PARAMETERS[scheme]
    q, p = moduli(n.bit_length() - 1, limbs)
    given = peer.encrypt(scheme, n, q, p, parameter)
    machine.load((*q.moduli, *p.moduli))
    rtl = Rtl(machine)
    pair = product(rtl, given, parameter if scheme == "BGV" else 1)
    return Computed(scheme, q, p, pair, rtl.done)


def compare(peer: Lattigo, result: Computed) -> dict[str, Any]:
    """A row: what lattigo decrypts."""
    found, log = peer.decrypt(result.pair, result.q, result.p), result.scheme == "CKKS"
    return {
        "scheme": result.scheme,
        "n": f"2^{result.pair[0].shape[1].bit_length() - 1}",
        "limbs": f"{len(result.q.moduli)} + {len(result.p.moduli)}",
        "operations on the RTL": len(result.done),
        "cycles": sum(cycles for _, cycles in result.done),
        "words that differ": found.differ,
        "error": f"2^{found.error:.1f}" if log else f"{found.error:.0f} slots",
        "allowed": f"2^{found.bound:.0f}" if log else "0 slots",
        "ok": found.error <= found.bound,
    }


def run(log_ns: Sequence[int], limbs: Sequence[int]) -> Iterator[dict[str, Any]]:
    """All rows.

    Raises NoLattigoError if there is no Go, or the module cannot be had.
    """
    with ExitStack() as stack:
        peer = stack.enter_context(lattigo())
        for log_n in log_ns:
            with engine(log_n) as machine:
                for scheme in PARAMETERS:
                    yield compare(peer, computed(machine, peer, scheme, limbs))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").strip())
    parser.add_argument("what", nargs="?", choices=["run"])
    parser.add_argument("--log-n", type=int, nargs="+", default=_LOG_NS, help="of `run`: log2 of n")
    parser.add_argument("--limbs", type=int, nargs=2, default=_LIMBS, help="of `run`: of Q and P")
    given = parser.parse_args()
    if given.what == "run":
        try:
            rows = list(run(given.log_n, given.limbs))
        except NoLattigoError as missing:
            sys.exit(str(missing))
        if (tuple(given.log_n), tuple(given.limbs)) == (_LOG_NS, _LIMBS):
            keep(RECORD, {"rows": rows})
    else:
        rows = kept(RECORD)["rows"]
    print(markdown(COLUMNS, [[row[name] for name in COLUMNS] for row in rows], text=3))
    if given.what == "run":
        print(f"{sum(row['operations on the RTL'] for row in rows)} operations ran on the RTL")
        sys.exit(not all(row["ok"] for row in rows))


if __name__ == "__main__":
    main()
