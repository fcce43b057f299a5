# SPDX-License-Identifier: Apache-2.0
"""Upsets of a decapsulation that must not release K': `python -m tests.faults run`.

A wrong ciphertext, the true one but for a bit, is decapsulated by the simulated coprocessor, the
very RTL that is generated. Bits of registers are flipped, one a run, and steps of its lists of jobs
and of its state machines are left out or done twice. K' is known: a word of it at the output is a
release. Of the verdict every bit is flipped at every cycle, of all else that decides `--sample`
many at random; `--share N` takes one in N of the former. What was tried is kept as it goes, and a
run of the same hardware and options goes on there; `python -m tests.faults` prints it as a table.
"""

import argparse
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

from kyber_py.ml_kem import ML_KEM_512

from nttforge.content import design_files
from nttforge.design import load_design
from nttforge.families.mlkem.core import MlkemCore
from nttforge.families.mlkem.program import SETS
from nttforge.flow.prepare import Prepared, prepare_mlkem
from nttforge.simulate.cycles import CycleModel
from nttforge.simulate.mlkem import PORTS, Coprocessor, rotate_key
from tests.rtl.faulty import Register, bits, registers, settings
from tests.tally import keep, kept, markdown

SET = SETS[0]
# What decides: the verdict itself, and all that tells it what happens when, or lets words leave.
OPEN = {
    "prim_kept": "*_q",
    "mlkem_verdict": "*_q",
    "mlkem_cipher": "*_q",
    "mlkem_transforms": "*_q",
    "mlkem_core": "*_q",
    "mlkem_control": "*_q",
    "mlkem_seeds": "*valid_q",
    "mlkem_output": "*_q",
    "output_encode": "*_q",
    "mlkem_hash": "*_q",
    "mlkem_samplers": "*_q",
    "transform_drain": "*place_q",
    "absorb_source": "*_q",
    "job_list": "*_q",
}
# Secrets and data on their way; they decide nothing, but are wide.
DATA = ("fetched", "hold_q", "coded", "compared_q", "sample_data_q")
MARGIN = 20  # cycles that a release may take to be seen
VERDICT = "u_verdict."
RECORD = "faults"
CHUNK = 1000  # flips between two times that what was tried is kept
Upset = tuple[Register, int, int]  # a bit of a register, and the cycle


@dataclass
class Decapsulation:
    """A decapsulation that can be entered at every cycle.

    Attributes
    ----------
    inputs, states
        What the host drives in each cycle, packed; the model's state before it.
    words
        The words of K' that must not leave.
    """

    model: CycleModel
    inputs: list[bytes]
    states: list[bytes]
    words: frozenset[int]

    def released(self, at: int) -> bool:
        """Whether K' leaves from here on, `at` cycles after the beginning."""
        raw = self.model.replay(b"".join(self.inputs[at:]))
        size = len(raw) // (len(self.inputs) - at)
        widths = list(self.model.ports.read.items())
        byte, bit = divmod(sum(w for _, w in widths[: widths.index(("m_sec_tvalid", 1))]), 8)
        valid = raw[byte::size]
        shown = b"".join(
            raw[n * size : (n + 1) * size] for n, flags in enumerate(valid) if flags >> bit & 1
        )
        return any(seen["m_sec_tdata"] in self.words for seen in self.model.outputs(shown))


def hardware() -> Prepared[MlkemCore]:
    """What is upset: the coprocessor."""
    return prepare_mlkem(load_design("ml-kem-coprocessor"))


def build(folder: Path) -> CycleModel:
    """The coprocessor with the registers that decide opened."""
    prepared = hardware()
    opened = settings(folder / "settings", OPEN)
    # A chip has no assertions, which an upset may well break.
    without = folder / "synthesis.sv"
    without.write_text("`define SYNTHESIS\n")
    sources = [opened, without, *design_files(prepared.folder)]
    return CycleModel.build(folder / "model", sources, prepared.core.name, PORTS)


def decapsulation(model: CycleModel, seed: int) -> Decapsulation:
    """A run with a ciphertext that is wrong in one bit of v, which decrypts to the same message."""
    rng = random.Random(seed)
    d, z, m = (rng.randbytes(32) for _ in range(3))
    ek, dk = ML_KEM_512._keygen_internal(d, z)
    secret, c = ML_KEM_512._encaps_internal(ek, m)
    wrong = c[:-1] + bytes([c[-1] ^ 1])  # the lowest bit: a small error
    words = frozenset(int.from_bytes(secret[at : at + 8], "little") for at in range(0, 32, 8))
    coprocessor = Coprocessor(model)
    model.reset()
    assert coprocessor.decaps(SET, dk, c) == secret
    inputs: list[bytes] = []
    states: list[bytes] = []
    step = model.step

    def recorded(**drive: int) -> dict[str, int]:
        inputs.append(model.vectors([drive]))
        states.append(model.state())
        return step(**drive)

    with patch.object(model, "step", recorded):
        run = coprocessor.run("decaps", SET, wrong, rotate_key(dk))
    assert run.secret == ML_KEM_512._decaps_internal(dk, wrong) != secret
    # From the command on, until the wiping behind the last output word.
    first = next(at for at, drive in enumerate(inputs) if drive != inputs[0] and at > 3)
    last = first + run.cycles + 2 * MARGIN
    return Decapsulation(model, inputs[first:last], states[first:last], words)


def deciding(model: CycleModel) -> list[Register]:
    return [r for r in registers(model) if not any(name in r.name for name in DATA)]


def flips(run: Decapsulation, share: int, sample: int, seed: int) -> list[Upset]:
    """Every bit of the verdict at every cycle, or one in `share`; of all else so many."""
    cycles = range(len(run.inputs) - MARGIN)
    every = [(*place, at) for at in cycles for place in bits(deciding(run.model))]
    verdict = [upset for upset in every if VERDICT in upset[0].name]
    rest = [upset for upset in every if VERDICT not in upset[0].name]
    rng = random.Random(seed)
    return [*verdict[rng.randrange(share) :: share], *rng.sample(rest, sample)]


def flipped(run: Decapsulation, upsets: list[Upset]) -> list[str]:
    """Those of the flips after which K' left."""
    found = []
    for register, bit, at in upsets:
        run.model.restore(run.states[at])
        register.flip(bit)
        if run.released(at):
            found.append(f"bit {bit} of {register.name} in cycle {at}")
    return found


def steps(run: Decapsulation) -> Iterator[tuple[str, int, dict[str, int]]]:
    """(what, cycle, register -> value) of each job and phase that is left out, or done again."""
    places = {r.name: r for r in registers(run.model)}
    lists = sorted(n.rpartition(".")[0] for n in places if n.endswith("jobs.u_list.word_q"))
    phases = ("u_core.u_control.u_state.kept_q", "u_core.u_control.loading_q",
              "u_core.u_hash.u_absorb_source.turn_q", "u_core.u_output.share_q",
              "u_core.u_verdict.u_stage_0.kept_q")  # fmt: skip
    watched = [*(f"{name}.word_q" for name in lists), *phases]
    history: dict[str, list[int]] = {name: [] for name in watched}
    for state in run.states:
        run.model.restore(state)
        for name in watched:
            history[name].append(places[name].read())
    for name in watched:
        seen = history[name]
        turns = [at for at in range(1, len(seen)) if seen[at] != seen[at - 1]]
        for number, at in enumerate(turns):
            later = turns[number + 1] if number + 1 < len(turns) else None
            for what, value in (
                ("again", seen[at - 1]),
                ("left out", seen[later] if later else seen[at]),
            ):
                values = {name: value}
                if "u_stage_0" in name:  # a step that both rails are told of
                    values[name.replace("_0", "_1")] = ~value
                yield f"{name} of {at} {what}", at, values


def stepped(run: Decapsulation, upsets: list[tuple[str, int, dict[str, int]]]) -> list[str]:
    """Those of the steps after which K' left."""
    places = {r.name: r for r in registers(run.model)}
    found = []
    for what, at, values in upsets:
        run.model.restore(run.states[at])
        for name, value in values.items():
            places[name].write(value)
        if run.released(at):
            found.append(what)
    return found


def place(register: Register) -> str:
    """The unit that a register belongs to: the core, or one of its parts."""
    return ".".join(register.name.split(".")[:2]) if register.name.count(".") > 1 else "u_core"


def shown(record: Mapping[str, Any]) -> str:
    """The record as a table."""
    if not record:
        return "Nothing is recorded yet."
    left = [text for texts in record["released"].values() for text in texts]
    rows = [
        (f"a bit of `{unit}`", f"{count:,}", len(record["released"].get(unit, [])))
        for unit, count in sorted(record["flips"].items())
    ]
    rows += [
        (
            "a step, left out or done again",
            f"{record['steps']:,}",
            len(record["released"]["steps"]),
        ),
        ("in all", f"{sum(record['flips'].values()) + record['steps']:,}", len(left)),
    ]
    table = markdown(("what was upset", "how often", "K' was released"), rows)
    open_flips = record["planned"] - sum(record["flips"].values())
    return table + (f"\n\n{open_flips:,} more are planned." if open_flips else "")


def main() -> int:
    """Try upsets, or print the record."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    parser.add_argument("what", nargs="?", choices=["run"])
    parser.add_argument("--sample", type=int, default=10_000)
    parser.add_argument("--share", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if not options.what:
        print(shown(kept(RECORD)))
        return 0
    begun = {"hardware": hardware().folder.name} | vars(options)
    with tempfile.TemporaryDirectory(prefix="nttforge-") as scratch:
        run = decapsulation(build(Path(scratch)), options.seed)
        every = flips(run, options.share, options.sample, options.seed)
        # Whatever was tried when it is interrupted, is spread over all of them.
        random.Random(options.seed).shuffle(every)
        record = kept(RECORD)
        if record.get("begun") != begun:
            jobs = list(steps(run))
            released = {"steps": stepped(run, jobs)}
            record = {"begun": begun, "planned": len(every), "flips": {}, "steps": len(jobs),
                      "released": released}  # fmt: skip
        flips_of = Counter(record["flips"])
        for first in range(flips_of.total(), len(every), CHUNK):
            chunk = every[first : first + CHUNK]
            for upset in chunk:
                unit = place(upset[0])
                record["released"].setdefault(unit, []).extend(flipped(run, [upset]))
                flips_of[unit] += 1
            record["flips"] = dict(flips_of)
            keep(RECORD, record)
            print(f"{flips_of.total():,} of {len(every):,}", file=sys.stderr, flush=True)
    print(shown(record))
    return int(any(record["released"].values()))


if __name__ == "__main__":
    sys.exit(main())
