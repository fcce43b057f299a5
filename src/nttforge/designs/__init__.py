# SPDX-License-Identifier: Apache-2.0
"""The presets: TOML files; and the names of those that verbs take by default."""

ENGINE, COPROCESSOR = "mlkem-mldsa", "ml-kem-coprocessor"
KEM_SMALL, KEM_MIDDLE = "ml-kem-small", "ml-kem-middle"
DSA_COPROCESSOR, DSA_CORE = "ml-dsa-coprocessor", "ml-dsa-core"
DSA_VERIFIER, DSA_KEYS = "ml-dsa-verify-small", "ml-dsa-keygen-small"
DSA_SMALL, DSA_MIDDLE = "ml-dsa-small", "ml-dsa-middle"
PQC, PQC_CORE = "pqc-coprocessor", "pqc-core"
PQC_SMALL, PQC_MIDDLE = "pqc-small", "pqc-middle"
