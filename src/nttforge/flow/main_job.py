# SPDX-License-Identifier: Apache-2.0
"""The verb `demo`: the main job of nttforge from a description to a measured accelerator."""

from dataclasses import dataclass
from pathlib import Path

from nttforge.design import load_design
from nttforge.flow.demo import DemoResult, demo, simulated
from nttforge.flow.generate import GenerateResult, generate
from nttforge.flow.measure import MeasureResult, measure
from nttforge.flow.prepare import Progress, prepare, silent
from nttforge.flow.synth import SynthResult, synth
from nttforge.flow.verify import VerifyResult, verify

DESIGN = "mlkem-mldsa"


@dataclass(frozen=True)
class MainJob:
    """What each step of the main job gave."""

    generated: GenerateResult
    verified: VerifyResult
    demonstrated: DemoResult
    measured: MeasureResult
    synthesized: SynthResult

    @property
    def ok(self) -> bool:
        """Whether all of it held."""
        return self.verified.ok and self.demonstrated.ok

    def as_dict(self) -> dict[str, object]:
        """For `--json`."""
        return {
            "ok": self.ok,
            "generate": self.generated.model_dump(mode="json"),
            "verify": self.verified.model_dump(mode="json"),
            "demo": self.demonstrated.as_dict(),
            "measure": self.measured.model_dump(mode="json"),
            "synth": self.synthesized.model_dump(mode="json"),
        }


def main_job(folder: Path, *, seed: int = 0, progress: Progress = silent) -> MainJob:
    """Generate the ML-KEM and ML-DSA engine, use it on real keys, measure and synthesize it.

    Parameters
    ----------
    folder
        Where the design folder is written.
    seed
        Of all randomness.
    progress
        Is told how far it has got.

    Raises
    ------
    NttforgeError
        If a tool or an oracle is missing, or the folder cannot be written.
    """
    design = load_design(DESIGN)
    progress(f"generating {design.name}")
    generated = generate(design, folder)
    prepared = prepare(design)
    verified = verify(prepared, seed=seed, progress=progress)
    with prepared.simulator(progress) as simulator:
        demonstrated = demo(simulated(simulator), seed=seed, progress=progress)
    measured = measure(prepared, seed=seed, progress=progress)
    synthesized = synth(prepared, design.target, progress=progress)
    return MainJob(generated, verified, demonstrated, measured, synthesized)
