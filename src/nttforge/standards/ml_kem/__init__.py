# SPDX-License-Identifier: Apache-2.0
"""ML-KEM, FIPS 203: every algorithm, and every piece of one, as a function."""

from nttforge.standards.ml_kem.encoding import byte_decode, byte_encode, compress, decompress
from nttforge.standards.ml_kem.kem import (
    check_ciphertext,
    check_decapsulation_key,
    check_encapsulation_key,
    decaps_internal,
    encaps_internal,
    keygen_internal,
    split_decapsulation_key,
)
from nttforge.standards.ml_kem.multiplication import dot, multiply_ntts
from nttforge.standards.ml_kem.parameters import (
    ML_KEM_512,
    ML_KEM_768,
    ML_KEM_1024,
    PARAMETER_SETS,
    Parameters,
    parameter_set,
)
from nttforge.standards.ml_kem.pke import (
    k_pke_decrypt,
    k_pke_encrypt,
    k_pke_keygen,
    message_to_poly,
    poly_to_message,
)
from nttforge.standards.ml_kem.sampling import (
    sample_matrix,
    sample_ntt,
    sample_poly_cbd,
    sample_vector,
)
from nttforge.standards.ml_kem.symmetric import g, h, j, prf, xof

__all__ = [
    "ML_KEM_512",
    "ML_KEM_768",
    "ML_KEM_1024",
    "PARAMETER_SETS",
    "Parameters",
    "byte_decode",
    "byte_encode",
    "check_ciphertext",
    "check_decapsulation_key",
    "check_encapsulation_key",
    "compress",
    "decaps_internal",
    "decompress",
    "dot",
    "encaps_internal",
    "g",
    "h",
    "j",
    "k_pke_decrypt",
    "k_pke_encrypt",
    "k_pke_keygen",
    "keygen_internal",
    "message_to_poly",
    "multiply_ntts",
    "parameter_set",
    "poly_to_message",
    "prf",
    "sample_matrix",
    "sample_ntt",
    "sample_poly_cbd",
    "sample_vector",
    "split_decapsulation_key",
    "xof",
]
