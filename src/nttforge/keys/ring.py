# SPDX-License-Identifier: Apache-2.0
"""A ring of a design."""

from typing import Literal

from pydantic import Field, model_validator

from nttforge.errors import NttforgeError
from nttforge.keys.common import LARGEST, Keys, Modulus, Name, Root
from nttforge.ring.presets import find_preset
from nttforge.ring.ring import Ring


class RingTable(Keys):
    """A ring: a preset's name, or n and q with what differs from the defaults."""

    preset: str | None = None
    """Name of a ring that comes with nttforge (`nttforge presets` lists them); then none of the
    keys below but `name`."""
    name: Name | None = None
    """What its operations are called by, if there are several rings; else the preset's name, or `q`
    and the modulus."""
    n: int | None = Field(default=None, ge=4, le=LARGEST)
    """Coefficients, a power of two from 4 to 65,536. All rings of a design have the same. The
    decomposed family takes every size, and has no n here."""
    q: Modulus | None = None
    """The modulus, an odd prime of at most 256 bits. Beyond 63 bits write it as a string, decimal
    or hexadecimal."""
    form: Literal["x^n+1", "x^n-1"] = "x^n+1"
    """What polynomials are reduced by: negacyclic or cyclic."""
    layers: int | None = Field(default=None, ge=1, le=16)
    """Layers of butterflies: log2(n) of them, a complete transform, if left out. With fewer the
    transform is incomplete, as ML-KEM's, and q needs fewer roots of unity."""
    root: Root | None = None
    """The root of unity that fixes which value stands where; one is found if it is left out."""

    @model_validator(mode="after")
    def _one_way(self) -> "RingTable":
        own = {"n", "q", "form", "layers", "root"} & self.model_fields_set
        if self.preset is None and self.q is None:
            raise ValueError("a ring needs a preset, or n and q")
        if self.preset is not None and own:
            raise ValueError(f"a ring with a preset takes no {sorted(own)[0]}")
        return self

    @property
    def label(self) -> str:
        """Name by which operations of several rings are told apart."""
        return self.name or self.preset or f"q{self.q}"

    def ring(self) -> Ring:
        """The ring itself, checked.

        Raises
        ------
        NttforgeError
            If there is no such preset or no such ring.
        """
        if self.preset is not None:
            return find_preset(self.preset).ring
        if self.n is None:
            raise NttforgeError("n", "is missing", "add it: a ring needs a preset, or n and q")
        return Ring.create(
            self.n,
            self.modulus,
            negacyclic=self.form == "x^n+1",
            layers=self.layers,
            root=self.root,
        )

    @property
    def modulus(self) -> int:
        """The modulus, of the preset if there is one.

        Raises
        ------
        NttforgeError
            If there is no such preset.
        """
        if self.preset is not None:
            return find_preset(self.preset).ring.q
        assert self.q is not None
        return self.q

    def ring_of_size(self, size: int) -> Ring:
        """The ring of 2^size coefficients modulo q, whatever this table's own size.

        Negacyclic if q has the roots for it, else cyclic; a transform of either kind of a smaller
        size takes powers of its root.

        Raises
        ------
        NttforgeError
            If there is no such preset or no such ring, or the table fixes what it must not.
        """
        for key in ("n", "form", "layers"):
            if key in self.model_fields_set:
                raise NttforgeError(
                    key, "the decomposed family takes every size and form", "leave it out"
                )
        both = (self.modulus - 1) % (2 << size) == 0
        return Ring.create(1 << size, self.modulus, negacyclic=both, root=self.root)
