# SPDX-License-Identifier: Apache-2.0
"""Keys of a lattice coprocessor, whichever standards it has."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field, field_validator, model_validator

from nttforge.config.family import FamilyConfig
from nttforge.kinds.lattice.packages import PACKAGES

#: In the order in which a coprocessor has them.
STANDARDS = tuple(PACKAGES)
if TYPE_CHECKING:
    StandardName = str
else:
    StandardName = Literal[STANDARDS]


#: Bytes a cycle of the fastest.
_FASTEST: Literal[8] = 8


class LatticeTable(FamilyConfig):
    """Parameters of a lattice coprocessor."""

    standards: tuple[StandardName, ...] = Field(
        default=("ml-kem",), min_length=1, max_length=len(STANDARDS), strict=False
    )
    """Standards that it has: ML-KEM, ML-DSA or both. Its rings are theirs."""
    registers: bool = True
    """AXI4-Lite registers, queues of commands and results, an interrupt, and seeds from an entropy
    port; without them commands and results are streams of bytes. ML-KEM alone always has them."""
    rounds_per_cycle: Literal[1, 2, 3, 4, 6, 8, 12, 24] = 1
    """Rounds of Keccak a cycle, a divisor of 24: more of them for fewer cycles and a slower clock.
    """
    butterflies: Literal[1, 2, 4] = 2
    """Butterflies a stage of ML-KEM's transform, of a coprocessor of ML-KEM alone: a beat has twice
    as many coefficients. With ML-DSA there are 4."""
    keccak_cores: Literal[1, 2, 3, 4] = 1
    """Keccak cores of a coprocessor of ML-KEM alone: all but the first sample the matrix."""
    width: Literal[2, 4, 8] = _FASTEST
    """Bytes a cycle: 2 and 4 are smaller cores, in which a permutation of Keccak takes 96 or 48
    cycles and one engine of two or four butterflies transforms and multiplies. That of ML-DSA has
    4, and loads no keys; in that of both standards ML-KEM has half as many but for Keccak."""
    transform: Literal["pipeline", "iterative"] = "pipeline"
    """With a width of 8 and ML-DSA: one pipeline for each direction and lanes for products, or one
    engine of eight butterflies and lanes for products, which takes less area, signs more slowly,
    and loads no keys. Narrower cores always have one engine, which multiplies as well."""
    operations: Literal["all", "keygen_verify", "verify"] = "all"
    """What is done of ML-DSA: everything, or, with an iterative transform, Verify alone, or KeyGen
    and Verify. With an iterative transform *everything* is without keys that stay loaded."""
    verify_signatures: bool = False
    """A signature leaves only when the same hardware has verified it: the host sends the public key
    and the message again after the message, and a faulty one ends with *fault*. A key that is
    loaded signs once."""
    equal_tries: bool = False
    """Every try of a signature has all checks, in as many cycles whichever fails; without it the
    product with t0 and the hints are left out of a try that has failed before."""

    @property
    def narrow(self) -> bool:
        """One engine transforms and multiplies."""
        return self.width < _FASTEST or self.transform == "iterative"

    @field_validator("standards")
    @classmethod
    def _in_order(cls, value: tuple[StandardName, ...]) -> tuple[StandardName, ...]:
        if len({*value}) != len(value):
            raise ValueError("a standard is listed twice")
        return tuple(name for name in STANDARDS if name in value)

    @model_validator(mode="after")
    def _keys_of_the_standards(self) -> "LatticeTable":
        fields = type(self).model_fields

        def given(*names: str) -> str:
            """The first of these keys that has another value than its default."""
            others = (name for name in names if getattr(self, name) != fields[name].default)
            return next(others, "")

        if self.standards == ("ml-kem",):
            if not self.registers:
                raise ValueError("ML-KEM alone always has registers; leave the key out")
            if name := given("verify_signatures", "equal_tries", "operations", "transform"):
                raise ValueError(f"{name} is of ML-DSA; leave it out, or add the standard")
            chosen = given("rounds_per_cycle", "butterflies", "keccak_cores")
            if given("width") and chosen:
                raise ValueError(f"a width of {self.width} has no choice of {chosen}; leave it out")
        elif "ml-dsa" in self.standards and (name := given("butterflies", "keccak_cores")):
            raise ValueError(f"{name} is of ML-KEM alone; leave it out, or ML-DSA")
        elif {*self.standards} <= {"ml-kem", "ml-dsa"}:
            self._check_narrow(given)
        elif name := given("width", "operations", "transform"):
            raise ValueError(f"there is no choice of {name} with other standards; leave it out")
        return self

    def _check_narrow(self, given: Callable[..., str]) -> None:
        """With ML-DSA: what does not sign is narrower."""
        if self.width == 2 or (not self.narrow and self.operations != "all"):
            raise ValueError(
                f"there is no core with ML-DSA of width {self.width} and operations "
                f'"{self.operations}"; use width 8 and "all", or width 4 or transform "iterative" '
                'and "all", "verify" or "keygen_verify"'
            )
        if self.width < _FASTEST and (name := given("transform")):
            raise ValueError(f"a width of {self.width} has no choice of {name}; leave it out")
        what = f"a width of {self.width}" if given("width") else "an iterative transform"
        others = "rounds_per_cycle", "verify_signatures", "equal_tries"
        if self.narrow and (name := given(*others)):
            raise ValueError(f"{what} has no choice of {name}; leave it out")
        if self.narrow and self.standards == ("ml-dsa",) and not self.registers:
            raise ValueError(f"{what} of ML-DSA alone always has registers; leave the key out")


def complete(data: dict[str, Any]) -> dict[str, Any]:
    """A design with the rings of its standards, if it names none."""
    if "rings" in data:
        return data
    table = data.get("lattice", {})
    given = table.get("standards") if isinstance(table, dict) else None
    names = [name for name in STANDARDS if isinstance(given, list | tuple) and name in given]
    return {**data, "rings": [{"preset": name} for name in names or ("ml-kem",)]}
