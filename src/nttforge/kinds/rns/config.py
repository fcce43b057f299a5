# SPDX-License-Identifier: Apache-2.0
"""Keys of an engine of key switching."""

from pydantic import Field

from nttforge.config.family import FamilyConfig
from nttforge.config.fields import LARGEST, Depth
from nttforge.config.ring_table import RingTable
from nttforge.kinds.stream.config import Twiddles
from nttforge.ring.ring import Ring


class RnsTable(FamilyConfig):
    """Parameters of an engine of key switching."""

    butterflies: int = Field(default=1, ge=1, le=LARGEST // 4)
    """Butterflies a stage of the transform; a beat, also of sums, has twice as many coefficients.
    """
    rows: int = Field(default=64, ge=8, le=4096)
    """Polynomials modulo one modulus that the memory holds."""
    banks: int | None = Field(default=None, ge=1, le=64)
    """Memories that rows are in, a power of two: each reads and writes a beat a clock, so transform
    and sums wait for each other less with more of them; by default twice the writers or more."""
    targets: int | None = Field(default=None, ge=1, le=8)
    """Limbs that a conversion makes from one reading of a digit, a multiplier a lane each; by
    default half of the moduli, up to 8."""
    terms: int = Field(default=8, ge=2, le=31)
    """Most summands of a sum: digits of a key, and the limbs of a digit or of P, and one more."""
    adders_per_stage: int = Field(default=2, ge=1, le=8)
    """Adder rows between two registers."""
    twiddles: Twiddles = "tables"
    """Where the transform's factors come from, as `pipeline.twiddles`."""
    keccaks: int = Field(default=0, ge=0, le=64)
    """Keccaks that expand the uniform half of keys from a seed; 0: both halves are streamed."""
    made_from: Depth = 1024
    """Words of a table of factors from which a stage makes them, as `pipeline.made_from`."""

    def ring(self, table: RingTable) -> Ring:
        """The ring with the largest of its moduli.

        Raises NttforgeError if there is no such ring.
        """
        return table.ring()
