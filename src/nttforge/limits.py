# SPDX-License-Identifier: Apache-2.0
"""Names and limits that the command line shows before anything else is loaded.

What they name is elsewhere, and a test compares: `tests/unit/cli/test_start.py`.
"""

#: Most of what is counted, and the last seed.
MOST, LAST_SEED = 100_000_000, (1 << 63) - 1
#: Transforms, or runs, of which `measure` can tell how far apart they begin.
LEAST_MEASURED = 2
#: nextpnr's own choice first; the other one is faster where there is room, and endless where not.
ROUTERS = ("router1", "router2")
#: nextpnr's own choice first; the other one leaves shorter wires to a large design.
PLACERS = ("heap", "static")
#: Formats of files of polynomials, and bytes of the widest raw word.
FORMATS, MOST_BYTES = ("npy", "txt", "csv", "json", "hex", "bin"), 64
#: Designs that verbs take if none is named.
ENGINE, COPROCESSOR = "mlkem-mldsa", "ml-kem-coprocessor"
DSA_COPROCESSOR, DSA_CORE = "ml-dsa-coprocessor", "ml-dsa-core"
PQC, PQC_CORE = "pqc-coprocessor", "pqc-core"
