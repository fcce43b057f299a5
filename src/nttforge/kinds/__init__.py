# SPDX-License-Identifier: Apache-2.0
"""The families of engines: a line each, and no more.

docs/extending.md says what a new one takes.
"""

from collections.abc import Mapping
from typing import NamedTuple


class Kind(NamedTuple):
    """Where the parts of a family are.

    Attributes
    ----------
    core
        Module of `families/` whose `build` makes the core of a design.
    bench
        Room whose `bench.py` has its `BENCH`, or `BENCHES`: families of one kind of engine share
        it.
    offer
        Module of `families/` whose `choices` says which of its designs are worth a look for a need,
        and whose `quote` what is known of one: `explore` asks it. None: it is not explored.
    """

    core: str
    bench: str
    offer: str | None = None


#: By the name of a family, which is that of its table in a design, and of its module in `keys/`.
FAMILIES: Mapping[str, Kind] = {
    "pipeline": Kind("pipeline", "flow.stream", "pipeline"),
    "iterative": Kind("iterative", "flow.stream", "iterative.offer"),
    "decomposed": Kind("decomposed.build", "flow.decomposed", "decomposed.offer"),
    "mlkem": Kind("mlkem.build", "kinds.lattice"),
    "mldsa": Kind("mldsa.build", "kinds.lattice"),
    "pqc": Kind("pqc.build", "kinds.lattice"),
}
