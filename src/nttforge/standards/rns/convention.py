# SPDX-License-Identifier: Apache-2.0
"""Differences between libraries in key switching, which change coefficients.

Sources, read and described here in our own words: lattigo 6.1.1 (`ring/basis_extension.go`,
`core/rlwe`), SEAL 4.1 (`evaluator.cpp`, whose `switch_key_inplace` is what hexl-fpga accelerates),
OpenFHE 1.2 (`keyswitch-hybrid.cpp`, `dcrtpoly-impl.h`, `base-leveledshe.cpp`).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from nttforge.names import find
from nttforge.standards.rns.basis import Lift


@dataclass(frozen=True)
class Convention:
    """A library's convention of key switching.

    - `name`: the library.
    - `one_limb`, `more_limbs`: which integer a digit is, if it is of one limb of Q, and if of more.
    - `remainder`: which integer is subtracted before the division by P.
    - `digit_limbs`: limbs of Q a digit, if a key does not say otherwise; None for as many as P has.
    - `permute_after`: an automorphism is applied to what has been switched, with a key for its
      inverse; otherwise before it.
    """

    name: str
    one_limb: Lift
    more_limbs: Lift
    remainder: Lift
    digit_limbs: int | None = None
    permute_after: bool = False

    def lift(self, limbs: int) -> Lift:
        """Of a digit of so many limbs."""
        return self.one_limb if limbs == 1 else self.more_limbs


_ALL = (
    Convention("lattigo", Lift.CENTRED_DOWN, Lift.CENTRED, Lift.CENTRED, permute_after=True),
    Convention("seal", Lift.PLAIN, Lift.PLAIN, Lift.CENTRED, digit_limbs=1),
    Convention("openfhe", Lift.UNCORRECTED, Lift.UNCORRECTED, Lift.UNCORRECTED, permute_after=True),
)
CONVENTIONS: Mapping[str, Convention] = MappingProxyType({each.name: each for each in _ALL})


def convention(name: str) -> Convention:
    """The convention of a library.

    Raises NttforgeError: `convention`: there is none of that name.
    """
    return find("convention", name, CONVENTIONS)
