# SPDX-License-Identifier: Apache-2.0
"""`run` with operations of several operands: their files, and what is wrong with them."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nttforge.cli import main
from nttforge.design import parse_design
from nttforge.errors import NttforgeError
from nttforge.flow.prepare import prepare
from nttforge.kinds.stream.run import run_file
from nttforge.ring.polynomial_product import schoolbook


@pytest.fixture(scope="module")
def small() -> Any:
    data = {
        "name": "products",
        "family": "iterative",
        "rings": [{"n": 16, "q": 97}],
        "operations": ["ntt", "mac", "polymul"],
    }
    return prepare(parse_design(data, "test"))


@pytest.fixture
def files(tmp_path: Path) -> Any:
    rng = np.random.default_rng(1)
    paths = [tmp_path / name for name in ("a.npy", "b.npy", "c.npy")]
    arrays = [rng.integers(0, 97, (5, 16)) for _ in paths]
    for path, array in zip(paths, arrays, strict=True):
        np.save(path, array)
    return paths, arrays, tmp_path / "out.npy"


def test_a_product_from_two_files_and_from_one(small: Any, files: Any, tmp_path: Path) -> None:
    paths, arrays, target = files
    result = run_file(small, "polymul", paths[0], target, more=paths[1:2])
    assert result.ok and result.transforms == 5
    ring = small.core.operations[0].ring
    expected = schoolbook(ring, arrays[0], arrays[1])
    assert (np.load(target) == expected).all()
    together = tmp_path / "both.npy"
    np.save(together, np.stack(arrays[:2], axis=1))
    run_file(small, "polymul", together, target)
    assert (np.load(target) == expected).all()


def test_a_single_operand_goes_with_each_of_a_batch(small: Any, files: Any, tmp_path: Path) -> None:
    paths, arrays, target = files
    single = tmp_path / "single.npy"
    np.save(single, arrays[1][2])
    assert run_file(small, "mac", paths[0], target, more=[single, paths[2]]).ok
    assert (np.load(target) == (arrays[0] * arrays[1][2] + arrays[2]) % 97).all()


def test_wrong_operands_are_refused(small: Any, files: Any, tmp_path: Path) -> None:
    paths, arrays, target = files
    with pytest.raises(NttforgeError, match="a file for each of its 2 operands"):
        run_file(small, "polymul", paths[0], target)
    with pytest.raises(NttforgeError, match="takes 2 operands, not 3"):
        run_file(small, "polymul", paths[0], target, more=paths[1:])
    with pytest.raises(NttforgeError, match="takes 1 operand, not 2"):
        run_file(small, "ntt", paths[0], target, more=paths[1:2])
    few = tmp_path / "few.npy"
    np.save(few, arrays[1][:3])
    with pytest.raises(NttforgeError, match="have 3, 5 polynomials"):
        run_file(small, "polymul", paths[0], target, more=[few])
    arrays[1][1, 4] = 97
    np.save(paths[1], arrays[1])
    with pytest.raises(NttforgeError, match=r"b\.npy.*not in \[0, 97\)"):
        run_file(small, "polymul", paths[0], target, more=paths[1:2])


def test_the_command_takes_two_inputs(
    small: Any, files: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    paths, _, target = files
    design = tmp_path / "products.toml"
    design.write_text(
        'name = "products"\nfamily = "iterative"\nrings = [{ n = 16, q = 97 }]\n'
        'operations = ["ntt", "mac", "polymul"]\n'
    )
    inputs = ["--input", str(paths[0]), "--input-b", str(paths[1]), "--output", str(target)]
    with pytest.raises(SystemExit) as ended:
        main(["run", str(design), "--op", "polymul", *inputs, "--json"])
    assert ended.value.code == 0
    assert json.loads(capsys.readouterr().out)["ok"]
    inputs[2] = "--input-c"
    with pytest.raises(SystemExit) as ended:
        main(["run", str(design), "--op", "polymul", *inputs])
    assert ended.value.code == 1
    assert "--input-b: is missing" in capsys.readouterr().err
