# SPDX-License-Identifier: Apache-2.0
"""Defects of the coprocessor that `verify` must catch.

All of them are in one compiled model: each is an expression beside the right one, and an input of
the model chooses, so that the time to compile is spent once.
"""

import pytest

from nttforge.design import load_design
from nttforge.errors import FaultError
from nttforge.flow.prepare import Prepared, prepare_kind
from nttforge.kinds.lattice.bus import Coprocessor
from nttforge.kinds.lattice.core import LatticeCore
from nttforge.kinds.lattice.mlkem import verify
from nttforge.kinds.lattice.verify import StandardVerifyResult
from nttforge.standards.ml_kem.parameters import ML_KEM_512, ML_KEM_1024, Parameters
from tests.coprocessors import KEM_PORTS
from tests.rtl.beside import Mutant, MutantModel, with_mutants
from tests.rtl.mlkem_state import differences, traces

CORE, HASH = "mlkem/ntf_mlkem_core.sv", "mlkem/ntf_mlkem_hash.sv"
SAMPLERS, TRANSFORMS = "mlkem/ntf_mlkem_samplers.sv", "mlkem/ntf_mlkem_transforms.sv"
CONTROL, INPUT = "mlkem/ntf_mlkem_control.sv", "mlkem/ntf_mlkem_input.sv"
ABSORB = "mlkem/ntf_absorb_source.sv"
SEEDS, VERDICT = "mlkem/ntf_mlkem_seeds.sv", "mlkem/ntf_mlkem_verdict.sv"
MUTANTS = {
    "eta 2 where it is 3": Mutant(
        SAMPLERS, r"(?<=u_cbd \(\.eta3_i\()sample_eta3_q", "1'b0", "keys"
    ),
    "one bit of the binomial sampler": Mutant(
        "mlkem/ntf_sample_cbd.sv",
        r"bits_i\[4\*i\+2\+:2\]",
        "{1'b0, bits_i[4*i+2]}",
        "ciphertexts",
    ),
    "no domain byte in G": Mutant(HASH, r"(?<=5'd0, )ctrl\.cmd\.rank", "3'd0", "keys"),
    "another order of the matrix": Mutant(
        HASH, r"4'd0, job\.y, 4'd0, job\.x", "4'd0, job.x, 4'd0, job.y", "keys"
    ),
    "no fourth block": Mutant(SAMPLERS, r"(?<=assign short_o = )sampling_q", "1'b0", "hangs"),
    "no modulus check": Mutant(
        CONTROL, r"(?<=sec_length \| )problems_i\.modulus", "1'b0", "refused keys"
    ),
    "q itself passes the modulus check": Mutant(
        "mlkem/ntf_key_decode.sv",
        r"data_q\[i\] >= 12'd3329",
        "data_o[i] > 12'd3329",
        "refused keys",
    ),
    "no check of the key's hash": Mutant(
        CORE, r"ctrl\[AtSeeds\]\.cmd\.check & hash_wrong", "1'b0", "refused keys"
    ),
    "public streams of any length": Mutant(
        CONTROL, r"(?<=assign failed = )problems_i\.pub_length", "1'b0", ""
    ),
    "no rejection": Mutant(CORE, r"(?<=\.reject_i      \()leave_reject", "2'b00", "rejections"),
    "K' and J(z, c) at once": Mutant(
        CORE, r"(?<=\.secret_i      \()leave_secret", "2'b11", "rejections"
    ),
    "the comparison finds nothing": Mutant(
        VERDICT, r"seen\.made & ~seen\.equal", "1'b0", "an illegal state"
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
    "a key leaves before its seeds came": Mutant(
        "mlkem/ntf_output_encode.sv", r"(?<=PhaseSecret\) & )seeded_i", "1'b1", "keys"
    ),
    "a key's vectors in the standard's order are taken for seeds": Mutant(
        INPUT, r"(?<=sec_vector_q <= )ctrl_i\.cmd\.standard", "1'b0", "hangs"
    ),
    "seeds behind the vectors are taken for more of them": Mutant(
        INPUT, r"(?<=if \()key_end_q", "1'b0", "hangs"
    ),
    "the public key ends with the private one": Mutant(
        INPUT, r"(?<=sec_take & tee_q, last: )key_end_q", "sec_end_q", "hangs"
    ),
    "z goes first though it comes last": Mutant(
        ABSORB, r"ctrl_i\.cmd\.standard & ctrl_i\.cmd\.check", "1'b0", "hangs"
    ),
    "the ciphertext is overwritten while the key is hashed": Mutant(
        ABSORB, r"first & \(turn_q\.key \| turn_q\.rho\)", "1'b0", "rejections"
    ),
    "a ciphertext is rounded down": Mutant(
        "mlkem/ntf_compress.sv", r"(?<=half\[22\] = )d_i == 4'd10", "1'b0", "ciphertexts"
    ),
    "the matrix does not come again": Mutant(
        CORE, r"ctrl\[AtProducts\]\.cmd\.seed & \(\|digest\.h\)", "1'b0", "hangs"
    ),
    "the matrix goes on where it ended": Mutant(
        "mlkem/ntf_matrix_queue.sv", r"(?<=head_q  <= )again_i", "1'b0", "by seeds"
    ),
    "a key's noise is taken for a message's": Mutant(
        HASH, r"(?<=sample_o\.anew = )\|digest_o\.h", "1'b0", "by seeds"
    ),
    "a key's sigma is taken for a message's": Mutant(
        SEEDS, r"~digest_i\.h\[r\](?=\))", "1'b1", "by seeds"
    ),
    "a key's d is taken for a message": Mutant(
        SEEDS, r"(?<=message  = )digest_d\[r\]", "1'b0", "by seeds"
    ),
    "a key that is kept leaves": Mutant(
        "mlkem/ntf_mlkem_output.sv",
        r"keygen(?=, keygen, 1'b1\};\n        phase_after)",
        "1'b1",
        "belongs to no result",
    ),
    "s is hashed for t": Mutant(
        "mlkem/ntf_output_encode.sv",
        r"ctrl_i\.cmd\.rank & \{3\{ctrl_i\.cmd\.seed\}\}",
        "3'd0",
        "by seeds",
    ),
    "the ciphertext is overwritten while a key is made": Mutant(
        ABSORB, r"seed & turn_q\.out(?=\)\))", "1'b0", "by seeds"
    ),
    "products read a key that is still encoded": Mutant(
        "mlkem/ntf_mlkem_products.sv",
        r"(?<=key_ready_q <= )key_mine_q(?= & )",
        "1'b1",
        "by seeds",
    ),
}
# And those that a small set is too fast to show.
LARGE = {
    "u takes the place of s that is still wanted": Mutant(
        "mlkem/ntf_transform_feed.sv", r"written_i\.job < job_i\.need", "1'b0", "by seeds"
    ),
}

PRODUCTS = "mlkem/ntf_mlkem_products.sv"
# What is not overwritten when an operation is over; its result is right.
WIPES = {
    "the seeds": Mutant(SEEDS, r"(?<=if \()ctrl_i\.wipe", "1'b0", ""),
    "Keccak's state": Mutant("lattice/ntf_keccak_f1600.sv", r"(?<=    if \()wipe_i", "1'b0", ""),
    "the memory of keys": Mutant(PRODUCTS, r"key_we \| sweep_keys", "key_we", ""),
    "the vector": Mutant(PRODUCTS, r"out_i\.vector \| sweep_keys", "out_i.vector", ""),
    "the sums": Mutant(PRODUCTS, r"sweep_sums \| mac_we \| out_i\.sum", "mac_we | out_i.sum", ""),
    "the noise": Mutant(TRANSFORMS, r"(?<=\.clear_i     \()sweep_noise", "1'b0", ""),
    "every other polynomial of noise": Mutant(
        TRANSFORMS, r"(?<=\.clear_at_i  \()noise_at", "{noise_at[6:4], 1'b0, noise_at[2:0]}", ""
    ),
    "half of each memory": Mutant("mlkem/ntf_mlkem_sweep.sv", r"used_i(?= : )", "used_i >> 1", ""),
    "the transform's pipeline": Mutant(
        "mlkem/ntf_transform_feed.sv", r"(?<=give      = )flush(?= \?)", "1'b0", ""
    ),
}


@pytest.fixture(scope="module")
def prepared() -> Prepared[LatticeCore]:
    return prepare_kind(load_design("ml-kem-coprocessor"), LatticeCore)


@pytest.fixture(scope="module")
def model(prepared: Prepared[LatticeCore], tmp_path_factory: pytest.TempPathFactory) -> MutantModel:
    mutants = list((MUTANTS | WIPES | LARGE).values())
    return with_mutants(prepared, KEM_PORTS, mutants, tmp_path_factory.mktemp("mutants"))


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Vectors would catch most of these too; here random cases and refusals have to."""
    monkeypatch.setattr("nttforge.kinds.lattice.verify.golden_vectors", lambda _: [])


def verified(
    model: MutantModel, mutant: int, p: Parameters = ML_KEM_512, cases: int = 8
) -> StandardVerifyResult:
    model.mutant = mutant
    model.reset()
    return verify.verify_mlkem(Coprocessor(model), "dut", cases=cases, seed=5, sets=[p])


def shows(model: MutantModel, number: int, symptom: str, p: Parameters, cases: int) -> bool:
    """Whether `verify` finds a mutant by this symptom: in one case, else in all it compares."""

    def found(result: StandardVerifyResult) -> bool:
        return (
            not result.ok and symptom in f"{[m.what for m in result.mismatches]} {result.violation}"
        )

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(verify.MlkemCases, "last", lambda *_: None)
        if found(verified(model, number, p, 1)):
            return True
    return found(verified(model, number, p, cases))


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
    number = list(MUTANTS).index(name) + 1
    assert shows(model, number, MUTANTS[name].symptom, ML_KEM_512, 8)


@pytest.mark.parametrize("name", WIPES)
def test_what_is_not_wiped_is_found(model: MutantModel, name: str) -> None:
    assert secrets_left(model, len(MUTANTS) + list(WIPES).index(name) + 1)


@pytest.mark.parametrize("name", LARGE)
def test_a_mutant_of_the_large_set_is_caught(model: MutantModel, name: str) -> None:
    number = len(MUTANTS) + len(WIPES) + list(LARGE).index(name) + 1
    assert shows(model, number, LARGE[name].symptom, ML_KEM_1024, 2)
