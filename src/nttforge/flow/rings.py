# SPDX-License-Identifier: Apache-2.0
"""`ring`: primes with the roots for a transform, and the constants of a ring's transform."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

from pydantic import BaseModel

from nttforge.config.fields import LARGEST
from nttforge.design import load_design, parse_settings
from nttforge.errors import NttforgeError
from nttforge.flow.prepare import Progress, silent
from nttforge.names import find
from nttforge.options.verbs import Ring as RingOptions
from nttforge.results import Result
from nttforge.ring.primes import MAX_MODULUS_BITS, largest_ntt_primes
from nttforge.ring.ring import Ring
from nttforge.ring.roots import FIELDS
from nttforge.table import Block, Code, Line, Table

#: Primes that are found at once.
MOST_PRIMES = 1000
#: Twiddles of a stage that are shown, if not all.
_FIRST_TWIDDLES = 4
#: From here on TOML has no integers: a modulus is a string.
_LARGEST_OF_TOML = (1 << 63) - 1


class OrderRoot(BaseModel):
    """The root of an order, which the root of the ring gives by squaring."""

    order: int
    root: str


class StageTwiddles(BaseModel):
    """Factors of the butterflies of a stage, block by block: all of them, or the first ones."""

    stage: int
    blocks: int
    forward: list[str]
    inverse: list[str]

    @property
    def both(self) -> tuple[list[str], list[str]]:
        """Forward and inverse."""
        return self.forward, self.inverse


class RingFacts(BaseModel):
    """A ring, and all that its transform computes with.

    - `label`, `ring`: what its operations are called by, and the ring in a line.
    - `q`, `hex`, `bits`: the modulus.
    - `field`: what libraries call the field, if it has a name.
    - `two_adicity`: log2 of the largest order of a root that is a power of two.
    - `rule`: what decided which root it is.
    - `generator`, `root`, `order`, `inverse_root`: the root is g^((q-1)/order), if it was chosen by
      a generator g.
    - `scale`: the inverse of 2^layers modulo q, by which the inverse transform multiplies.
    - `roots`: the roots of all smaller orders, too.
    - `twiddles`: by stage.
    """

    label: str
    ring: str
    n: int
    form: str
    layers: int
    q: str
    hex: str
    bits: int
    field: str | None
    two_adicity: int
    rule: str
    generator: str | None
    root: str
    order: int
    inverse_root: str
    scale: str
    roots: list[OrderRoot]
    twiddles: list[StageTwiddles]

    def shown(self) -> Iterator[Block]:
        """Facts, roots, twiddles."""
        rows = {
            "q": f"{self.q} = {self.hex}, {self.bits} bits",
            "field": self.field,
            "largest order of a root": f"2^{self.two_adicity}",
            "root by": self.rule,
            "generator": self.generator,
            "root": f"{self.root}, of order {self.order}",
            "its inverse": self.inverse_root,
            f"2^-{self.layers} mod q": self.scale,
        }
        known = [(name, value) for name, value in rows.items() if value is not None]
        yield Table(f"{self.label}: {self.ring}", ("", "value"), known)
        roots = [(root.order, root.root) for root in self.roots]
        yield Table("Roots, each the square of the next", ("order", "root"), roots)
        yield Table(
            "Twiddles, block by block",
            ("stage", "blocks", "forward", "inverse, halving included"),
            [
                (s.stage, s.blocks, _listed(s, s.forward), _listed(s, s.inverse))
                for s in self.twiddles
            ],
        )


def _listed(stage: StageTwiddles, values: list[str]) -> str:
    return ", ".join(values) + (", ..." if len(values) < stage.blocks else "")


class RingsResult(Result):
    """Rings, with what their transforms compute with."""

    rings: list[RingFacts]

    def shown(self) -> Iterator[Block]:
        """Each ring."""
        for ring in self.rings:
            yield from ring.shown()

    def page(self) -> Iterator[Block]:
        """All of it."""
        return self.shown()


class PrimeFacts(BaseModel):
    """A prime that was found, and the root of its ring."""

    q: str
    hex: str
    root: str
    generator: str | None
    two_adicity: int


class PrimesResult(Result):
    """Primes with roots for a ring, each 1 modulo `order`; `toml`: the key `rings` with them."""

    n: int
    form: str
    layers: int
    bits: int
    order: int
    primes: list[PrimeFacts]
    toml: str

    def shown(self) -> Iterator[Block]:
        """A line a prime, and the key for a design."""
        yield Table(
            f"The largest primes of {self.bits} bits that are 1 mod {self.order}, "
            f"for n = {self.n}, {self.form}",
            ("q", "hexadecimal", "root", "generator", "largest order"),
            [(p.q, p.hex, p.root, p.generator or "", f"2^{p.two_adicity}") for p in self.primes],
        )
        yield Line("In a design:")
        yield Code(self.toml)

    def page(self) -> Iterator[Block]:
        """All of it."""
        return self.shown()


@dataclass(frozen=True)
class Wanted:
    """A ring without its modulus, as of :meth:`nttforge.ring.ring.Ring.create`."""

    n: int
    negacyclic: bool = True
    layers: int | None = None

    @property
    def form(self) -> str:
        """Polynomial of the ring."""
        return _form(self.negacyclic)

    @property
    def order(self) -> int:
        """Of the root that it needs."""
        if self.n < 4 or self.n & (self.n - 1) or self.n > LARGEST << 16:
            problem = f"{self.n} is not a power of two from 4 to 2^32"
            raise NttforgeError("n", problem, "use 256, for instance")
        depth = self.n.bit_length() - 1
        layers = depth if self.layers is None else self.layers
        if not 1 <= layers <= depth:
            raise NttforgeError("layers", f"{layers} is not from 1 to {depth}", f"use {depth}")
        return 1 << (layers + 1 if self.negacyclic else layers)

    def ring(self, q: int) -> Ring:
        """The ring modulo `q`."""
        return Ring.create(self.n, q, negacyclic=self.negacyclic, layers=self.layers)

    def toml(self, q: int) -> str:
        """Its table in a design."""
        keys = {"n": str(self.n), "q": str(q) if q <= _LARGEST_OF_TOML else f'"{q}"'}
        if not self.negacyclic:
            keys["form"] = f'"{self.form}"'
        if self.layers is not None:
            keys["layers"] = str(self.layers)
        return f"{{ {', '.join(f'{key} = {value}' for key, value in keys.items())} }}"


def _form(negacyclic: bool) -> str:
    return "x^n+1" if negacyclic else "x^n-1"


def _two_adicity(q: int) -> int:
    return (q - 1 & 1 - q).bit_length() - 1


def primes(wanted: Wanted, bits: int, count: int, progress: Progress = silent) -> PrimesResult:
    """The largest primes of `bits` bits that a ring can have."""
    order = wanted.order
    if not 2 <= bits <= MAX_MODULUS_BITS:
        raise NttforgeError("bits", f"{bits} is not from 2 to {MAX_MODULUS_BITS}", "use 60")
    if not 1 <= count <= MOST_PRIMES:
        raise NttforgeError("count", f"{count} is not from 1 to {MOST_PRIMES}", "use 24")
    progress(f"primes of {bits} bits that are 1 mod {order}")
    found = largest_ntt_primes(bits, order, count)
    facts = []
    for q in found:
        progress(f"root modulo {q}")
        ring = wanted.ring(q)
        generator = None if ring.generator is None else str(ring.generator)
        facts.append(
            PrimeFacts(
                q=str(q),
                hex=hex(q),
                root=str(ring.root),
                generator=generator,
                two_adicity=_two_adicity(q),
            )
        )
    tables = ",\n".join(f"  {wanted.toml(q)}" for q in found)
    return PrimesResult(
        n=wanted.n,
        form=wanted.form,
        layers=wanted.ring(found[0]).layers,
        bits=bits,
        order=order,
        primes=facts,
        toml=f"rings = [\n{tables},\n]",
    )


def _exponent(ring: Ring, stage: int, block: int) -> int:
    """That of :attr:`Ring.factor_exponents`, without those of all the others."""
    half = ring.root_order // 2
    exponent = half if ring.negacyclic else 0
    for bit in range(stage - 1, -1, -1):
        exponent = exponent // 2 + (half if block >> bit & 1 else 0)
    return exponent


def _stages(ring: Ring, every: bool) -> Iterator[StageTwiddles]:
    half = (ring.q - 1) // 2  # -1/2
    for stage in range(ring.layers):
        blocks = 1 << stage
        exponents = (_exponent(ring, stage, block) // 2 for block in range(blocks))
        shown = exponents if every else islice(exponents, _FIRST_TWIDDLES)
        forward = [pow(ring.root, exponent, ring.q) for exponent in shown]
        inverse = [half * pow(value, -1, ring.q) % ring.q for value in forward]
        yield StageTwiddles(
            stage=stage,
            blocks=blocks,
            forward=list(map(str, forward)),
            inverse=list(map(str, inverse)),
        )


def rings(found: Mapping[str, Ring], *, twiddles: bool = False) -> RingsResult:
    """Constants of the transforms of rings; without `twiddles` the first of each stage."""
    facts = []
    for label, ring in found.items():
        if twiddles and ring.n > LARGEST:
            problem = f"{label} has {ring.n} of them, and up to {LARGEST} are listed"
            raise NttforgeError("--twiddles", problem, "leave it out")
        logs = range(1, ring.root_order.bit_length())
        roots = [(1 << log, pow(ring.root, ring.root_order >> log, ring.q)) for log in logs]
        field = FIELDS.get(ring.q)
        facts.append(
            RingFacts(
                label=label,
                ring=ring.describe(),
                n=ring.n,
                form=_form(ring.negacyclic),
                layers=ring.layers,
                q=str(ring.q),
                hex=hex(ring.q),
                bits=ring.width,
                field=None if field is None else field.name,
                two_adicity=_two_adicity(ring.q),
                rule=ring.rule,
                generator=None if ring.generator is None else str(ring.generator),
                root=str(ring.root),
                order=ring.root_order,
                inverse_root=str(pow(ring.root, -1, ring.q)),
                scale=str(pow(1 << ring.layers, -1, ring.q)),
                roots=[OrderRoot(order=order, root=str(root)) for order, root in roots],
                twiddles=list(_stages(ring, twiddles)),
            )
        )
    return RingsResult(rings=facts)


def find_rings(options: RingOptions, progress: Progress = silent) -> RingsResult | PrimesResult:
    """The rings of a design, the ring of a modulus, or primes of a size."""
    negacyclic = find("form", options.form, {"x^n+1": True, "x^n-1": False})
    modulus, root = ("q", "root", "generator"), ("n", "layers", "bits", "count")
    if options.design is not None:
        unused: tuple[str, ...] = (*modulus, *root)
    else:
        unused = ("settings", *(("twiddles", *modulus) if options.bits is not None else ("count",)))
    for name in unused:
        if getattr(options, name):
            raise NttforgeError(name, "has no meaning here", "leave it out; see --help")
    if options.design is not None:
        design = load_design(options.design, parse_settings(options.settings))
        found = {table.label: design.ring(i) for i, table in enumerate(design.rings)}
        return rings(found, twiddles=options.twiddles).with_provenance(design)
    if options.n is None or (options.q is None) == (options.bits is None):
        problem = "there is neither a design nor a modulus of a size"
        hint = "give DESIGN, or --n with --q to look at a ring, or with --bits to find primes"
        raise NttforgeError("RING", problem, hint)
    if options.q is None:
        wanted = Wanted(options.n, negacyclic, options.layers)
        return primes(wanted, options.bits or 0, options.count or 1, progress)
    one = Ring.create(
        options.n,
        options.q,
        negacyclic=negacyclic,
        layers=options.layers,
        root=options.root,
        generator=options.generator,
    )
    return rings({f"q{one.q}": one}, twiddles=options.twiddles)
