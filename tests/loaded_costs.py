# SPDX-License-Identifier: Apache-2.0
"""What a modulus that is loaded costs beside one that is fixed: multipliers of 54 bits, mapped.

`python -m tests.loaded_costs` prints the table that was recorded; `--measure` maps all of it again,
which takes minutes, and records it.
"""

import argparse
import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from nttforge.output import write_text
from nttforge.reduction import MultiplierPlan, plan_multiplier
from nttforge.reduction.loaded import plan_loaded
from nttforge.reduction.top import TOP, write_folder
from nttforge.synthesize.yosys import synthesize
from tests.tally import markdown

RECORD = Path(__file__).parents[1] / "docs" / "records" / "loaded.json"
#: A prime of 54 bits without a form, and one with: both are 1 modulo 2^13, for n = 4096.
DENSE, SPARSE = 0x337FB62FEAA001, (1 << 54) - (1 << 30) + 1
BITS, ZEROS = 54, 13
TARGETS = ("xcup", "ecp5")
ADDERS = 2  # a pipeline's default


def plans(target: str) -> Iterator[tuple[str, MultiplierPlan]]:
    """The multipliers, by name."""
    for name, q in (("fixed, without a form", DENSE), ("fixed, with a form", SPARSE)):
        yield name, plan_multiplier([q], adders_per_stage=ADDERS, target=target)
    yield "loaded", plan_loaded(BITS, ZEROS, adders_per_stage=ADDERS, target=target, every=2048)


def measure() -> list[dict[str, Any]]:
    """A row a multiplier and family."""
    rows = []
    for target in TARGETS:
        for name, plan in plans(target):
            with tempfile.TemporaryDirectory() as folder:
                write_folder(plan, Path(folder))
                counts = synthesize(Path(folder), TOP, target).counts
            rows.append(
                {
                    "family": target,
                    "modulus": name,
                    "LUT": counts["lut_total"],
                    "FF": counts["ff"],
                    "DSP": counts["dsp"],
                    "latency": plan.latency,
                }
            )
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--measure", action="store_true")
    if parser.parse_args().measure:
        write_text(RECORD, json.dumps(measure(), indent=1) + "\n")
    rows = json.loads(RECORD.read_text("utf-8"))
    print(markdown(list(rows[0]), [list(row.values()) for row in rows], text=2))


if __name__ == "__main__":
    main()
