# SPDX-License-Identifier: Apache-2.0
"""The presets: TOML files; and the names of those that verbs take by default."""

ENGINE, COPROCESSOR = "mlkem-mldsa", "ml-kem-coprocessor"
KEM_SMALL, KEM_MIDDLE = "ml-kem-small", "ml-kem-middle"
DSA_COPROCESSOR, DSA_CORE = "ml-dsa-coprocessor", "ml-dsa-core"
DSA_VERIFIER, DSA_KEYS, DSA_SMALL = "ml-dsa-verify-small", "ml-dsa-keygen-small", "ml-dsa-small"
PQC, PQC_CORE, PQC_SMALL = "pqc-coprocessor", "pqc-core", "pqc-small"
