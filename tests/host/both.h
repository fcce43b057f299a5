// SPDX-License-Identifier: Apache-2.0
//
// The programs of one standard, compiled with this in front, drive the coprocessor of both: names of ML-KEM's
// or ML-DSA's own coprocessor are its, and sets of ML-DSA have codes of their own.

#include "nttforge.h"

#define DSA_SET(set) ((set) + PQC_COPROCESSOR_COMMAND_SET_44)

#define ml_kem_coprocessor_request pqc_coprocessor_request
#define ml_kem_coprocessor_submit pqc_coprocessor_submit
#define ml_kem_coprocessor_finish pqc_coprocessor_finish
#define ml_kem_coprocessor_prepare_keygen pqc_coprocessor_prepare_kem_keygen
#define ml_kem_coprocessor_prepare_encaps pqc_coprocessor_prepare_kem_encaps
#define ml_kem_coprocessor_prepare_decaps pqc_coprocessor_prepare_kem_decaps
#define ml_kem_coprocessor_prepare_decaps_seed pqc_coprocessor_prepare_kem_decaps_seed

#define ml_dsa_coprocessor_request pqc_coprocessor_request
#define ml_dsa_coprocessor_submit pqc_coprocessor_submit
#define ml_dsa_coprocessor_finish pqc_coprocessor_finish
#define ml_dsa_coprocessor_what pqc_coprocessor_what
#define ml_dsa_coprocessor_form pqc_coprocessor_form
#define ml_dsa_coprocessor_zeros pqc_coprocessor_zeros
#define ml_dsa_coprocessor_prepare_drop pqc_coprocessor_prepare_dsa_drop
#define ml_dsa_coprocessor_prepare_keygen(request, set, ...) \
  pqc_coprocessor_prepare_dsa_keygen(request, DSA_SET(set), __VA_ARGS__)
#define ml_dsa_coprocessor_prepare_sign(request, set, ...) \
  pqc_coprocessor_prepare_dsa_sign(request, DSA_SET(set), __VA_ARGS__)
#define ml_dsa_coprocessor_prepare_verify(request, set, ...) \
  pqc_coprocessor_prepare_dsa_verify(request, DSA_SET(set), __VA_ARGS__)
#define ml_dsa_coprocessor_prepare_load(request, set, ...) \
  pqc_coprocessor_prepare_dsa_load(request, DSA_SET(set), __VA_ARGS__)
#define ml_dsa_coprocessor_prepare_load_seed(request, set, ...) \
  pqc_coprocessor_prepare_dsa_load_seed(request, DSA_SET(set), __VA_ARGS__)
