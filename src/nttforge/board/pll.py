# SPDX-License-Identifier: Apache-2.0
"""Settings of ECP5's PLL (EHXPLLL): which clocks it makes of an oscillator's.

Its output goes back to its phase detector: f = f_in * feedback / reference, and the oscillator
inside runs at f * output. Limits: Lattice, ECP5 and ECP5-5G Family Data Sheet (FPGA-DS-02012),
sysCLOCK PLL Timing; dividers: FPGA-TN-02200.
"""

from dataclasses import dataclass

from nttforge.errors import NttforgeError

#: In MHz: at the phase detector, inside, and what comes out.
DETECTOR = (3.125, 400.0)
OSCILLATOR = (400.0, 800.0)
OUTPUT = (3.125, 400.0)
DIVIDERS = range(1, 129)
#: Parts by which the clock may differ from what was asked.
TOLERANCE = 0.005


@dataclass(frozen=True)
class Pll:
    """Dividers of the PLL, and the MHz that they make."""

    reference: int
    feedback: int
    output: int
    mhz: float


def _inside(value: float, limits: tuple[float, float]) -> bool:
    return limits[0] <= value <= limits[1]


def find_pll(source: float, asked: float) -> Pll:
    """Settings nearest to clock `asked` from `source` (MHz), with the fastest detector."""
    if not _inside(asked, OUTPUT):
        low, high = OUTPUT
        raise NttforgeError(
            "--mhz", f"{asked:g} MHz is not from {low:g} to {high:g}", "choose one that is"
        )
    best = None
    for reference in DIVIDERS:
        if not _inside(source / reference, DETECTOR):
            continue
        feedback = round(asked * reference / source)
        mhz = source * feedback / reference
        outputs = [d for d in DIVIDERS if _inside(mhz * d, OSCILLATOR)]
        if feedback not in DIVIDERS or not outputs:
            continue
        # The middle one is about in the middle of the oscillator's range.
        output = outputs[len(outputs) // 2]
        if best is None or abs(mhz - asked) < abs(best.mhz - asked) - 1e-9:
            best = Pll(reference, feedback, output, mhz)
    if best is None or abs(best.mhz - asked) > TOLERANCE * asked:
        near = "" if best is None else f"; {best.mhz:g} MHz is the nearest"
        raise NttforgeError(
            "--mhz", f"the PLL cannot make {asked:g} MHz of {source:g}{near}", "choose another"
        )
    return best
