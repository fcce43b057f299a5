# SPDX-License-Identifier: Apache-2.0
"""Key switching of homomorphic encryption: exact references, by each library's convention."""

from nttforge.standards.rns.basis import Basis, Lift, as_limbs
from nttforge.standards.rns.convention import CONVENTIONS, Convention, convention
from nttforge.standards.rns.expansion import expand, expand_key
from nttforge.standards.rns.switching import (
    SwitchingKey,
    add,
    automorphism,
    digits,
    divide,
    key_switch,
    product,
    relinearize,
    rescale,
    rotate,
    tensor,
)

__all__ = [
    "CONVENTIONS",
    "Basis",
    "Convention",
    "Lift",
    "SwitchingKey",
    "add",
    "as_limbs",
    "automorphism",
    "convention",
    "digits",
    "divide",
    "expand",
    "expand_key",
    "key_switch",
    "product",
    "relinearize",
    "rescale",
    "rotate",
    "tensor",
]
