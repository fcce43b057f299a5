# SPDX-License-Identifier: Apache-2.0
"""ML-DSA, FIPS 204: key generation, signatures, and every piece of them, as a function."""

from nttforge.standards.ml_dsa.encoding import bit_pack, pk_encode, power2round, sk_encode
from nttforge.standards.ml_dsa.keygen import h, keygen_internal, matrix_vector
from nttforge.standards.ml_dsa.parameters import (
    ML_DSA_44,
    ML_DSA_65,
    ML_DSA_87,
    PARAMETER_SETS,
    Parameters,
    parameter_set,
)
from nttforge.standards.ml_dsa.sampling import expand_a, expand_s, rej_bounded_poly, rej_ntt_poly

__all__ = [
    "ML_DSA_44",
    "ML_DSA_65",
    "ML_DSA_87",
    "PARAMETER_SETS",
    "Parameters",
    "bit_pack",
    "expand_a",
    "expand_s",
    "h",
    "keygen_internal",
    "matrix_vector",
    "parameter_set",
    "pk_encode",
    "power2round",
    "rej_bounded_poly",
    "rej_ntt_poly",
    "sk_encode",
]
