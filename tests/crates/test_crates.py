# SPDX-License-Identifier: Apache-2.0
"""The crates fips203 and fips204 say what coprocessors say: a sample."""

from collections.abc import Iterator

import pytest

from tests.coprocessors import opened
from tests.crates.__main__ import reference, wrong
from tests.crates.rust_program import Crates, NoCratesError, Running, crates

pytestmark = pytest.mark.slow  # builds a program whose crates may have to be loaded


@pytest.fixture(scope="module")
def peer() -> Iterator[Running]:
    try:
        with crates() as running, reference(running):
            yield running
    except NoCratesError as missing:
        pytest.skip(str(missing))


@pytest.mark.usefixtures("peer")
@pytest.mark.parametrize("design", ["ml-kem-small", "ml-kem-middle", "pqc-core"])
def test_answers_are_those_of_the_crates(design: str) -> None:
    for name, number, differ in wrong(*opened(design), cases=2, seed=0):
        assert number and not differ, name


@pytest.mark.usefixtures("peer")
@pytest.mark.parametrize("operation", ["_encaps_internal", "_sign_internal"])
def test_an_answer_that_differs_is_found(operation: str, monkeypatch: pytest.MonkeyPatch) -> None:
    right = getattr(Crates, operation)

    def spoilt(self: Crates, *values: bytes) -> bytes | tuple[bytes, bytes]:
        answer = right(self, *values)
        if isinstance(answer, bytes):
            return answer[:-1] + bytes([answer[-1] ^ 1])
        secret, c = answer
        return bytes([secret[0] ^ 1]) + secret[1:], c

    monkeypatch.setattr(Crates, operation, spoilt)
    core, standards = opened("pqc-core")
    mark = "encaps" if "encaps" in operation else "sign"
    found = [line for *_, differ in wrong(core, standards, cases=1, seed=0) for line in differ]
    assert any(f"{mark} of" in line for line in found)
