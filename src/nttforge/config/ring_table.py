# SPDX-License-Identifier: Apache-2.0
"""A ring of a design."""

from typing import Literal

from pydantic import Field, field_validator, model_validator

from nttforge.config.fields import (
    LARGEST,
    LARGEST_LOADED,
    ConfigTable,
    Modulus,
    Name,
    Root,
    integer,
)
from nttforge.errors import NttforgeError
from nttforge.ring.presets import find_preset
from nttforge.ring.primes import largest_prime
from nttforge.ring.ring import Ring
from nttforge.ring.roots import Minimal

#: Bits of moduli that are loaded, and most places for them.
MIN_BITS, MAX_BITS, MOST_PLACES = 8, 64, 64
RUNTIME = "runtime"


class RingTable(ConfigTable):
    """A ring: a preset's name, or n and q with what differs from the defaults."""

    preset: str | None = None
    """Name of a ring that comes with nttforge (`nttforge presets` lists them); then none of the
    keys below but `name`, `root` and `generator`."""
    name: Name | None = None
    """What its operations are called by, if there are several rings; else the preset's name, or `q`
    and the modulus."""
    n: int | None = Field(default=None, ge=4, le=LARGEST_LOADED)
    """Coefficients, a power of two from 4 to 65,536, and to 131,072 if moduli are loaded. All rings
    of a design have the same. The decomposed family takes every size, and has no n here."""
    q: Modulus | Literal["runtime"] | None = None
    """The modulus, an odd prime of at most 256 bits. Beyond 63 bits write it as a string, decimal
    or hexadecimal. `"runtime"`: any prime of at most `bits` bits with the roots of unity of the
    ring, loaded while the engine runs (docs/rns.md)."""
    bits: int | None = Field(default=None, ge=MIN_BITS, le=MAX_BITS)
    """Most bits of a modulus that is loaded."""
    moduli: int | None = Field(default=None, ge=1, le=MOST_PLACES)
    """Places for loaded moduli: 1 if left out."""
    form: Literal["x^n+1", "x^n-1"] = "x^n+1"
    """What polynomials are reduced by: negacyclic or cyclic."""
    layers: int | None = Field(default=None, ge=1, le=16)
    """Layers of butterflies: log2(n) of them, a complete transform, if left out. With fewer the
    transform is incomplete, as ML-KEM's, and q needs fewer roots of unity."""
    root: Root | Minimal | None = None
    """The root of unity that fixes which value stands where: of the order that the ring needs (2n
    if negacyclic, n if cyclic) or of a larger power of two, of which a power is taken; `"minimal"`
    for the smallest one of the order. docs/roots.md says which one it is if it is left out, and
    what other libraries have."""
    generator: Root | None = None
    """In place of `root`: g, any number that is not a square modulo q; the root of order N is
    g^((q-1)/N), for every n."""

    @field_validator("root", mode="before")
    @classmethod
    def _number_or_minimal(cls, value: object) -> object:
        number = integer(value)
        if isinstance(number, str) and number != "minimal":
            raise ValueError('it is neither a number nor "minimal"')
        return number

    @model_validator(mode="after")
    def _one_way(self) -> "RingTable":
        own = {"n", "q", "form", "layers"} & self.model_fields_set
        if self.preset is None and self.q is None:
            raise ValueError("a ring needs a preset, or n and q")
        if self.preset is not None and own:
            raise ValueError(f"a ring with a preset takes no {sorted(own)[0]}")
        loaded = {"bits", "moduli"} & self.model_fields_set
        if loaded and not self.is_loaded:
            raise ValueError(f'{sorted(loaded)[0]} is of moduli with q = "{RUNTIME}"')
        if self.is_loaded and self.bits is None:
            raise ValueError(f'q = "{RUNTIME}" needs bits, the most that a modulus has')
        if self.is_loaded and {"root", "generator", "layers"} & self.model_fields_set:
            raise ValueError(f'root, generator and layers are not of q = "{RUNTIME}"')
        if self.root is not None and self.generator is not None:
            raise ValueError("generator gives the root, so leave one of the two out")
        return self

    @property
    def is_loaded(self) -> bool:
        """Whether its moduli are loaded."""
        return self.q == RUNTIME

    @property
    def zeros(self) -> int:
        """log2 of what divides q - 1 for every modulus that is loaded."""
        assert self.n is not None
        return self.n.bit_length() - (self.form != "x^n+1")

    @property
    def label(self) -> str:
        """Name that distinguishes operations of several rings."""
        return self.name or self.preset or f"q{self.q}"

    def ring(self) -> Ring:
        """The ring itself, checked."""
        n, negacyclic, layers = self.n, self.form == "x^n+1", self.layers
        if self.preset is not None:
            there = find_preset(self.preset).ring
            if self.root is None and self.generator is None:
                return there
            n, negacyclic, layers = there.n, there.negacyclic, there.layers
        if n is None:
            raise NttforgeError("n", "is missing", "add it: a ring needs a preset, or n and q")
        if n > LARGEST and not self.is_loaded:
            problem = f"{n} is not from 4 to {LARGEST}"
            raise NttforgeError("n", problem, "use the family decomposed for a larger n")
        return Ring.create(
            n,
            self.modulus,
            negacyclic=negacyclic,
            layers=layers,
            root=self.root,
            generator=self.generator,
        )

    @property
    def modulus(self) -> int:
        """The modulus, of the preset if there is one; the largest one if it is loaded."""
        if self.preset is not None:
            return find_preset(self.preset).ring.q
        if isinstance(self.q, str):
            assert self.bits is not None
            return largest_prime(self.bits, self.zeros)
        assert self.q is not None
        return self.q

    def ring_of_size(self, size: int) -> Ring:
        """The ring of 2^size coefficients modulo q, whatever this table's own size.

        Negacyclic if q has the roots for it, else cyclic; a transform of either kind of a smaller
        size takes powers of its root. Which root it is does not depend on the size.
        """
        if self.is_loaded:
            problem = "no modulus is loaded in this family"
            raise NttforgeError("q", problem, 'use family = "pipeline"')
        for key in ("n", "form", "layers"):
            if key in self.model_fields_set:
                raise NttforgeError(
                    key, "the decomposed family takes every size and form", "leave it out"
                )
        both = (self.modulus - 1) % (2 << size) == 0
        return Ring.create(
            1 << size,
            self.modulus,
            negacyclic=both,
            root=self.root,
            generator=self.generator,
            many_sizes=True,
        )
