# SPDX-License-Identifier: Apache-2.0
"""Defects of the coprocessor that `verify` must catch.

All of them are in one compiled model: each is an expression beside the right one, and an input of
the model chooses, so that the time to compile is spent once.
"""

import re
import shutil
from dataclasses import dataclass, replace

import pytest

from nttforge.content import design_files
from nttforge.design import load_design
from nttforge.errors import FaultError
from nttforge.families import MlkemCore
from nttforge.flow.mlkem import verify
from nttforge.flow.prepare import Prepared, prepare_mlkem
from nttforge.simulate.cycles import CycleModel
from nttforge.simulate.mlkem import PORTS, Coprocessor
from nttforge.standards.ml_kem.parameters import ML_KEM_512
from tests.rtl.mlkem_state import differences, traces

CORE, HASH = "mlkem/mlkem_core.sv", "mlkem/mlkem_hash.sv"
CONTROL = "mlkem/mlkem_control.sv"
SEEDS, VERDICT = "mlkem/mlkem_seeds.sv", "mlkem/mlkem_verdict.sv"
SELECTOR = "mutants_pkg::chosen"
PACKAGE = """\
package mutants_pkg;
  logic [7:0] chosen;
endpackage
"""


@dataclass(frozen=True)
class Mutant:
    """A defect: the expression `good` in `file` becomes `bad`.

    Attributes
    ----------
    before
        Declarations that `bad` needs, in front of the statement.
    symptom
        What the report must say.
    """

    file: str
    good: str
    bad: str
    symptom: str
    before: str = ""


MUTANTS = {
    "eta 2 where it is 3": Mutant(HASH, r"(?<=u_cbd \(\.eta3_i\()eta3_q", "1'b0", "keys"),
    "one bit of the binomial sampler": Mutant(
        "mlkem/sample_cbd.sv", r"3'\(bits_i\[4\*i\+3\]\)", "3'd0", "ciphertexts"
    ),
    "no domain byte in G": Mutant(HASH, r"(?<=5'd0, )rank_i", "3'd0", "keys"),
    "another order of the matrix": Mutant(
        HASH, r"4'd0, job_i\.y, 4'd0, job_i\.x", "4'd0, job_i.x, 4'd0, job_i.y", "keys"
    ),
    "no fourth block": Mutant(HASH, r"(?<=assign short_d = )sampling_q", "1'b0", "hangs"),
    "no modulus check": Mutant(
        CONTROL, r"(?<=sec_length \| )problems_i\.modulus", "1'b0", "refused keys"
    ),
    "q itself passes the modulus check": Mutant(
        "mlkem/key_decode.sv",
        r"data_o\[i\] >= 12'd3329",
        "data_o[i] > 12'd3329",
        "refused keys",
    ),
    "no check of the key's hash": Mutant(
        CORE, r"task_q\.check & hash_wrong", "1'b0", "refused keys"
    ),
    "public streams of any length": Mutant(
        CONTROL, r"(?<=assign failed = )problems_i\.pub_length", "1'b0", ""
    ),
    "no rejection": Mutant(CORE, r"(?<=\.reject_i       \()leave_reject", "2'b00", "rejections"),
    "K' and J(z, c) at once": Mutant(
        CORE, r"(?<=\.secret_i       \()leave_secret", "2'b11", "rejections"
    ),
    "the comparison finds nothing": Mutant(
        VERDICT, r"seen\.made & ~seen\.equal", "1'b0", "rejections"
    ),
    "a rejection takes a cycle longer": Mutant(
        CORE,
        r"(?<=assign share_able = \(&leave_secret\) \| )\(&leave_reject\)",
        "reject_late_q",
        "timing",
        before="""\
  logic reject_late_q;
  always_ff @(posedge clk_i) reject_late_q <= &leave_reject;
""",
    ),
    "a ciphertext is rounded down": Mutant(
        "mlkem/compress.sv", r"(?<=half\[22\] = )d_i == 4'd10", "1'b0", "ciphertexts"
    ),
}

PRODUCTS = "mlkem/mlkem_products.sv"
# What is not overwritten when an operation is over; its result is right.
WIPES = {
    "the seeds": Mutant(SEEDS, r"(?<=if \()wipe_i", "1'b0", ""),
    "Keccak's state": Mutant("mlkem/keccak_f1600.sv", r"(?<=    if \()wipe_i", "1'b0", ""),
    "the memory of keys": Mutant(PRODUCTS, r"key_we \| sweep_keys", "key_we", ""),
    "the vector": Mutant(PRODUCTS, r"vector_we_i \| sweep_keys", "vector_we_i", ""),
    "the sums": Mutant(PRODUCTS, r"sweep_sums \| mac_we \| sum_we_i", "mac_we | sum_we_i", ""),
    "the noise": Mutant(CORE, r"(?<=\.clear_i     \()sweep_noise", "1'b0", ""),
    "every other polynomial of noise": Mutant(
        CORE, r"(?<=\.clear_at_i  \()noise_at", "{noise_at[6:4], 1'b0, noise_at[2:0]}", ""
    ),
    "half of each memory": Mutant("mlkem/mlkem_sweep.sv", r"used_i(?= : )", "used_i >> 1", ""),
    "the transform's pipeline": Mutant(
        "mlkem/transform_feed.sv", r"(?<=give      = )flush(?= \?)", "1'b0", ""
    ),
}


def spoil(sources: dict[str, str]) -> dict[str, str]:
    """The sources, by name, with every mutant beside what it replaces."""
    for number, mutant in enumerate((MUTANTS | WIPES).values(), start=1):
        text, bad = sources[mutant.file], mutant.bad.replace("\\", r"\\")
        assert len(re.findall(mutant.good, text)) == 1, mutant
        text = re.sub(
            mutant.good,
            rf"(({SELECTOR} == 8'd{number}) ? {{{bad}}} : {{\g<0>}})",
            text,
        )
        if mutant.before:
            at = text.rindex("\n", 0, text.rindex("assign", 0, text.index(mutant.bad))) + 1
            text = text[:at] + mutant.before + text[at:]
        sources[mutant.file] = text
    return sources


class MutantModel(CycleModel):
    """A model that drives the input which chooses the mutant."""

    mutant = 0

    def step(self, **inputs: int) -> dict[str, int]:
        return super().step(mutant_i=self.mutant, **inputs)


@pytest.fixture(scope="module")
def prepared() -> Prepared[MlkemCore]:
    return prepare_mlkem(load_design("ml-kem-coprocessor"))


@pytest.fixture(scope="module")
def model(prepared: Prepared[MlkemCore], tmp_path_factory: pytest.TempPathFactory) -> MutantModel:
    folder = tmp_path_factory.mktemp("mutants")
    copy = folder / "design"
    shutil.copytree(prepared.folder, copy)
    library = {m.file: (copy / "rtl" / m.file).read_text() for m in (MUTANTS | WIPES).values()}
    for name, text in spoil(library).items():
        (copy / "rtl" / name).write_text(text)
    top = copy / f"{prepared.core.name}.sv"
    text = top.read_text().replace("clk_i,", "clk_i,\n  input logic [7:0] mutant_i,", 1)
    end = f"  always_comb {SELECTOR} = mutant_i;\nendmodule"
    top.write_text(text.replace("endmodule", end))
    package = folder / "mutants_pkg.sv"
    package.write_text(PACKAGE)
    ports = replace(PORTS, inputs={**PORTS.inputs, "mutant_i": 8})
    # The wrapper does not know the input that chooses.
    sources = [package, *(p for p in design_files(copy) if p.suffix == ".sv")]
    made = MutantModel.build(folder / "model", sources, prepared.core.name, ports)
    assert isinstance(made, MutantModel)
    return made


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Vectors would catch most of these too; here random cases and refusals have to."""
    monkeypatch.setattr(verify, "golden_vectors", lambda: [])


def verified(model: MutantModel, mutant: int) -> verify.MlkemVerifyResult:
    model.mutant = mutant
    model.reset()
    return verify.verify_mlkem(Coprocessor(model), "dut", cases=8, seed=5, sets=[ML_KEM_512])


def test_without_a_mutant_all_is_well(model: MutantModel) -> None:
    assert verified(model, 0).ok
    assert not secrets_left(model, 0)


def secrets_left(model: MutantModel, mutant: int) -> bool:
    """Whether a secret is in the state, or states differ that differ in secrets alone."""
    model.mutant = mutant
    model.reset()
    try:
        return bool(traces(model, ML_KEM_512, 1) or differences(model, ML_KEM_512, 1))
    except FaultError:  # the wiping never ends, or what is left spoils the next operation
        return True


@pytest.mark.parametrize("name", MUTANTS)
def test_a_mutant_is_caught(model: MutantModel, name: str) -> None:
    result = verified(model, list(MUTANTS).index(name) + 1)
    assert not result.ok
    assert MUTANTS[name].symptom in f"{[m.what for m in result.mismatches]} {result.violation}"


@pytest.mark.parametrize("name", WIPES)
def test_what_is_not_wiped_is_found(model: MutantModel, name: str) -> None:
    assert secrets_left(model, len(MUTANTS) + list(WIPES).index(name) + 1)
