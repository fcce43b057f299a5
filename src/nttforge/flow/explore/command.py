# SPDX-License-Identifier: Apache-2.0
"""`explore` on the command line: requirements from its options."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from nttforge.config.requirements import USUAL_DSP
from nttforge.config.ring_table import MOST_PLACES, RUNTIME
from nttforge.design import Design, design_names, load_design
from nttforge.errors import NttforgeError, shown
from nttforge.flow.explore.candidates import coprocessor_standards
from nttforge.flow.explore.explore import (
    Explored,
    ExploreResult,
    explore_all,
    parse_requirements,
    read_requirements,
    requirements_of,
)
from nttforge.flow.explore.explore import explore as explore_need
from nttforge.flow.prepare import Progress
from nttforge.names import did_you_mean
from nttforge.options.verbs import Explore
from nttforge.ring.presets import PRESETS
from nttforge.ring.primes import check_modulus

#: Operations that `--products` adds.
_PRODUCTS = ("pointwise", "mac", "polymul")
_BOTH = "ntt,intt"
_BOARD = ("bandwidth", "burst", "ram", "largest", "sizes")
_BOUNDS = ("max_lut", "max_ff", "max_dsp", "max_bram18", "max_uram", "max_channels")
_TIMES = ("min_mhz", "interval", "latency")
_OTHERS = ("interval_us", "latency_us", "prefer", "goal", "mhz")
#: What is asked of transforms; without any of it coprocessors of the standards are shown, too.
_OF_TRANSFORMS = ("interval", "latency", "interval_us", "latency_us", "min_mhz", "mhz", "n")


def _key_switching(numbers: Sequence[int]) -> dict[str, int]:
    """Limbs of Q and of P, and calls, which may be left out."""
    names = ("limbs", "special", "calls")
    if not 2 <= len(numbers) <= len(names):
        problem = f"{len(numbers)} numbers are not limbs of Q and P"
        raise NttforgeError("--key-switch", problem, "use --key-switch 6,1, or 6,1,16 for 16 calls")
    most = MOST_PLACES - 1
    if min(numbers) < 1 or sum(numbers[:2]) > MOST_PLACES:
        problem = f"{numbers[0]} and {numbers[1]} limbs cannot be"
        raise NttforgeError("--key-switch", problem, f"use 1 to {most}, {MOST_PLACES} in all")
    return dict(zip(names, numbers, strict=False))


def _loaded_ring(options: Explore) -> dict[str, object]:
    """The table of a ring of loaded moduli, as many as limbs."""
    if options.n is None or options.bits is None:
        problem = f"{RUNTIME} has no n, or no width of its moduli"
        raise NttforgeError("RING", problem, f"use {RUNTIME} --n 16384 --bits 54")
    moduli = sum((options.key_switch or (1,))[:2])
    return {"n": options.n, "q": RUNTIME, "bits": options.bits, "moduli": moduli}


def _ring(text: str, options: Explore) -> dict[str, object]:
    """A ring's table of a design."""
    n = options.n
    if text == RUNTIME:
        return _loaded_ring(options)
    if options.bits is not None:
        raise NttforgeError("--bits", f"{text} has its own", f"leave it out, or use {RUNTIME}")
    if text in PRESETS:
        if n is not None:
            raise NttforgeError("n", f"{text} has its own n", "leave it out, or give a modulus")
        return {"preset": text}
    try:
        q = int(text, 0)
    except ValueError:
        problem = f"{shown(text)} is neither a modulus nor the name of a ring"
        raise NttforgeError("RING", problem, did_you_mean(text, PRESETS)) from None
    check_modulus(q, "RING", 2 * n if n is not None and n > 0 else 2)
    return {"q": q} if n is None else {"n": n, "q": q}


def explore(options: Explore, progress: Progress) -> ExploreResult | Explored:
    """Look at what all families offer for the needs that options give."""
    data: dict[str, Any] = options.given(*_BOUNDS, *_TIMES, *_OTHERS)
    memory = options.given(*_BOARD)
    if options.coprocessors:
        data["coprocessor"] = True
    if memory:
        data["memory"] = {**memory, **({"sizes": [*memory["sizes"]]} if "sizes" in memory else {})}
    if options.key_switch is not None:
        data["key_switching"] = _key_switching(options.key_switch)
    designs: list[Design] = []
    beyond: dict[str, Any] | None = None
    if len(options.rings) == 1 and options.rings[0].endswith(".toml"):
        needs = read_requirements(Path(options.rings[0]), data)
    elif all(name in design_names() for name in options.rings):
        for name, value in data.items():
            if (name, value) != ("prefer", "balanced"):
                problem = "a design that has a name says itself what is looked for"
                named = {"memory": "sizes", "coprocessor": "coprocessors"}
                field = (named | {"key_switching": "key_switch"}).get(name, name)
                raise NttforgeError(field, problem, "leave it out, or name its rings")
        designs = [load_design(name, {"target": options.target}) for name in options.rings]
        needs = [requirements_of(design) for design in designs]
    else:
        words = [*options.directions.split(","), *(_PRODUCTS if options.products else ())]
        usual = {"max_dsp": USUAL_DSP} if memory else {}
        need = {
            **usual,
            **data,
            "name": "explored" if options.output is None else options.output.stem,
            "rings": [_ring(text, options) for text in options.rings],
            "operations": [word.strip() for word in words],
            "target": options.target,
        }
        needs = [parse_requirements(need, "explore", options=True)]
        own = memory or options.products or options.directions != _BOTH
        if not own and not options.coprocessors and not options.given(*_OF_TRANSFORMS):
            beyond = {**need, "coprocessor": True}
    found = explore_all(
        needs,
        designs=designs,
        output=options.output,
        page=options.page,
        proved=options.proved,
        progress=progress,
    )
    standards = {*options.rings} <= coprocessor_standards()
    if beyond is None or not standards or not isinstance(found, ExploreResult):
        return found
    coprocessors = explore_need(parse_requirements(beyond, "explore"), progress=progress)
    return found.model_copy(update={"coprocessors": coprocessors})
