# SPDX-License-Identifier: Apache-2.0
"""The main job: generate, prove on real keys, measure, map; sign and verify."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy.typing as npt
from pydantic import SerializeAsAny

from nttforge.calls import Operations
from nttforge.design import load_design
from nttforge.designs import DSA_CORE, ENGINE
from nttforge.flow.backends import backend_of
from nttforge.flow.demo_signatures import SignedResult, demo_signatures
from nttforge.flow.demo_steps import DemoResult, demo
from nttforge.flow.generate import check_design_folder, generate
from nttforge.flow.prepare import Progress, find_operation, prepare, prepare_any, silent
from nttforge.flow.synth import SynthResult, synth
from nttforge.options.verbs import MeasureOptions
from nttforge.results import Generated, Measurement, Result, timed
from nttforge.simulate.stream import StreamSimulator
from nttforge.standards.transform_engine import IntArray
from nttforge.table import Block, Line


class Showcase(Result):
    """Everything that the main job made.

    - `ok`: every byte is equal, and the forgery is refused.
    - `folder`: the design folder that was written.
    - `keys`: keys, ciphertext and secrets, compared with independent implementations.
    - `signatures`: a key and a signature by the core of ML-DSA, compared likewise; what it says of
      a forgery.
    - `cycles`: what was observed in simulation.
    - `area`: what Yosys counted.
    - `seconds`: wall time of it all.
    """

    ok: bool
    folder: SerializeAsAny[Generated]
    keys: DemoResult
    signatures: SignedResult
    cycles: SerializeAsAny[Measurement]
    area: SynthResult
    seconds: float = 0.0

    def shown(self) -> Iterator[Block]:
        """Cycles, area, files, and last whether every byte is equal, of keys and of signatures."""
        for part in (self.cycles, self.area, self.folder, self.keys, self.signatures):
            yield from part.shown()
        yield Line(f"All of it took {self.seconds:.0f} s.")


def run_in_simulation(
    simulator: StreamSimulator, operation: str, polynomials: IntArray
) -> npt.NDArray[Any]:
    """Transform a batch with the simulated RTL; operations: :mod:`nttforge.flow.demo_steps`."""
    chosen = find_operation(simulator.core, operation)
    return simulator.transform([(chosen, polynomials)])[0]


@timed
def showcase(folder: Path, *, seed: int = 0, progress: Progress = silent) -> Showcase:
    """Generate the ML-KEM + ML-DSA engine in `folder`, compute keys, sign with ML-DSA's core."""
    design = load_design(ENGINE)
    check_design_folder(folder)
    prepared = prepare(design)
    with prepared.simulator() as simulator:
        keys = demo(
            lambda operation, polynomials: run_in_simulation(simulator, operation, polynomials),
            seed=seed,
            progress=progress,
        )
    cycles = backend_of(prepared.core).measure(prepared, MeasureOptions(), progress)
    area = synth(prepared, progress=progress)
    core = load_design(DSA_CORE)
    signer = prepare_any(core)
    functions = backend_of(signer.core).functions(signer)
    signatures = demo_signatures(Operations(core.name, functions), seed=seed, progress=progress)
    progress(f"writing {folder}")
    written = generate(design, folder)
    return Showcase(
        ok=keys.ok and signatures.ok,
        folder=written.with_provenance(design),
        keys=keys.with_provenance(design),
        signatures=signatures.with_provenance(core),
        cycles=cycles.with_provenance(design),
        area=area.with_provenance(design),
    ).with_provenance(design)
