# SPDX-License-Identifier: Apache-2.0
"""Mutants of whole coprocessors are of the RTL of today: their own tests take minutes."""

import re
from types import ModuleType

import pytest

from nttforge.design import load_design
from nttforge.designs import COPROCESSOR, DSA_COPROCESSOR, DSA_CORE, DSA_SMALL, PQC, PQC_CORE
from nttforge.flow.prepare import prepare_any
from tests.rtl import (
    test_mldsa_core,
    test_mldsa_keys,
    test_mldsa_registers,
    test_mldsa_sign,
    test_mldsa_small,
    test_mlkem_mutants,
    test_pqc,
    test_pqc_registers,
)
from tests.rtl.beside import Mutant

#: Modules with mutants, and the design that these are made in.
DESIGNS = {
    test_mlkem_mutants: COPROCESSOR,
    test_mldsa_core: DSA_CORE,
    test_mldsa_registers: DSA_COPROCESSOR,
    test_pqc: PQC_CORE,
    test_pqc_registers: PQC,
    test_mldsa_keys: DSA_SMALL,
    test_mldsa_sign: DSA_SMALL,
    test_mldsa_small: DSA_SMALL,
}


@pytest.mark.parametrize("module", DESIGNS, ids=lambda module: module.__name__.rpartition(".")[2])
def test_each_defect_has_one_place(module: ModuleType) -> None:
    """A pattern that matches nothing, or twice, stops the slow test before its first mutant."""
    library = prepare_any(load_design(DESIGNS[module])).folder / "rtl"
    tables = [table for table in vars(module).values() if isinstance(table, dict)]
    mutants = [each for table in tables for each in table.values() if isinstance(each, Mutant)]
    assert mutants
    for mutant in mutants:
        assert len(re.findall(mutant.good, (library / mutant.file).read_text())) == 1, mutant
