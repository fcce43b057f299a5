# SPDX-License-Identifier: Apache-2.0
"""Lattice coprocessors as tests speak of them: their ports, their requests, keys in every order."""

from collections.abc import Callable, Mapping
from typing import Any

from nttforge.design import design_names, load_design
from nttforge.designs import COPROCESSOR
from nttforge.errors import NttforgeError
from nttforge.flow.prepare import prepare_any
from nttforge.hw import build_kind
from nttforge.hw.register_map import Register
from nttforge.kinds.lattice.bus import Coprocessor, Request, open_core
from nttforge.kinds.lattice.commands import coprocessor_wrapper
from nttforge.kinds.lattice.core import LatticeCore
from nttforge.kinds.lattice.mldsa.standard import STANDARD as ML_DSA
from nttforge.kinds.lattice.mldsa.standard import private_key
from nttforge.kinds.lattice.mlkem.measure import KemMeasures
from nttforge.kinds.lattice.mlkem.program import KemOperation
from nttforge.kinds.lattice.mlkem.standard import REGISTERS, rotate_key
from nttforge.kinds.lattice.mlkem.standard import STANDARD as ML_KEM
from nttforge.kinds.lattice.operation import Standard
from nttforge.kinds.lattice.standard import standards_of
from nttforge.simulate.cycles import Ports


def _ports(**has: bool) -> Ports:
    return Ports.of(coprocessor_wrapper("", **has))


#: All presets of lattice coprocessors.
DESIGNS = [name for name in design_names() if load_design(name).family == "lattice"]
#: Of coprocessors with registers, and of cores whose commands and results are streams.
KEM_PORTS = _ports(host=True, keep=False, entropy=True)
DSA_PORTS = _ports(host=True, keep=True, entropy=True)
DSA_CORE_PORTS = _ports(host=False, keep=True, entropy=False)
BOTH_PORTS = _ports(host=False, keep=True, entropy=True)
#: The operations that make a key, and the private key in FIPS 204's order, as each sends it.
KEY_ORDERS: Mapping[str, Callable[[bytes], bytes]] = {
    "keygen": private_key,
    "keygen_standard": bytes,
}


def opened(design: str) -> tuple[Coprocessor, tuple[Standard, ...]]:
    """The compiled coprocessor of a design, or of a preset, and its standards.

    Raises NttforgeError if it is no lattice coprocessor.
    """
    prepared = prepare_any(load_design(design))
    standards = standards_of(prepared.core)
    if not standards:
        raise NttforgeError("design", f"{design} is no lattice coprocessor", "name one")
    return open_core(prepared), standards


def kem_request(
    operation: str,
    p: Any,
    public: bytes,
    secret: bytes,
    *,
    check: bool = False,
    entropy: bytes | None = None,
) -> Request:
    """An operation of ML-KEM, which has one packet at either input, or none."""
    return Request(operation, p, secret, (public,) if public else (), entropy, check)


def key_orders(dk: bytes) -> dict[KemOperation, bytes]:
    """The operations that take a decapsulation key, and how each of them does."""
    return {"decaps": rotate_key(dk), "decaps_standard": dk}


def register(name: str) -> Register:
    """Of an ML-KEM coprocessor."""
    return REGISTERS[name]


def address(name: str) -> int:
    """Where it is."""
    return REGISTERS[name].address


def kem_measures() -> KemMeasures:
    """What is measured of an ML-KEM coprocessor."""
    return KemMeasures(ML_KEM, build_kind(load_design(COPROCESSOR), LatticeCore))


#: By the byte of a result, how the command ended.
REASONS: Mapping[int, str] = {
    each.mark | code: error for each in (ML_KEM, ML_DSA) for code, error in enumerate(each.errors)
}
