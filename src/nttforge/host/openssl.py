# SPDX-License-Identifier: Apache-2.0
"""A provider for OpenSSL 3 over libnttforge: KEMs, signatures, and groups of TLS 1.3."""

import subprocess
from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any

from nttforge.emit.design_folder import Templates
from nttforge.errors import NttforgeError
from nttforge.hw.core import Core
from nttforge.kinds.lattice.openssl import Algorithms
from nttforge.kinds.lattice.standard import Standard, standards_of
from nttforge.simulate.build import build_c
from nttforge.simulate.toolchain import find_toolchain

#: The provider's name and that of its file; no name that Python would import.
PROVIDER = "nttforge-pqc"
#: Bytes of keys and secrets of X25519 (RFC 7748).
_CURVE_BYTES = 32
#: Of a public key's hash in an ML-DSA private key (FIPS 204).
_HASH_BYTES = 64
#: Sources beside those of each interface.
_PARTS = ("core.h", "core.c", "keys.h", "keys.c", "codec.c", "provider.c")
_PROBE = """#include <openssl/core_dispatch.h>
#include <openssl/async.h>
"""
_INTEGER, _BITS, _OCTETS, _OID, _SEQUENCE, _FIRST = 0x02, 0x03, 0x04, 0x06, 0x30, 0x80


def find_headers() -> None:
    """See that OpenSSL's headers are there, of version 3.

    Raises NttforgeError if they are not, or the compiler is missing.
    """
    command = [*find_toolchain().compiler, "-x", "c", "-fsyntax-only", "-"]
    done = subprocess.run(command, input=_PROBE, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise NttforgeError(
            "--openssl",
            "the headers of OpenSSL 3 are not where the compiler looks",
            "install them (on Debian: apt install libssl-dev), or leave it out",
        )


def algorithms_of(core: Core) -> dict[str, Algorithms]:
    """Algorithms of a core for OpenSSL, by the name of the standard."""
    return {each.name: each.openssl for each in standards_of(core) if each.openssl is not None}


def _der(tag: int, content: bytes) -> bytes:
    """A value in DER."""
    count = len(content)
    if count < 0x80:
        return bytes([tag, count]) + content
    digits = count.to_bytes((count.bit_length() + 7) // 8, "big")
    return bytes([tag, 0x80 | len(digits)]) + digits + content


def _identifier(oid: str) -> bytes:
    """The AlgorithmIdentifier without parameters."""
    first, second, *rest = map(int, oid.split("."))
    made = b""
    for number in (40 * first + second, *rest):
        digits = [number & 0x7F]
        while number := number >> 7:
            digits.append(number & 0x7F | 0x80)
        made += bytes(reversed(digits))
    return _der(_SEQUENCE, _der(_OID, made))


def _head(whole: bytes, *parts: bytes) -> list[int]:
    """Bytes before the parts at the end."""
    return list(whole[: len(whole) - sum(map(len, parts))])


def encodings(oid: str, public: int, private: int, seed: int) -> dict[str, Any]:
    """Bytes before a key's parts in a file: its encoding without the parts.

    - `oid`: the algorithm's object identifier.
    - `public`, `private`, `seed`: bytes of the parts.
    """
    identifier = _identifier(oid)
    pk, sk, xi = bytes(public), bytes(private), bytes(seed)
    small, large = _der(_FIRST, xi), _der(_OCTETS, sk)
    both = _der(_SEQUENCE, _der(_OCTETS, xi) + large)

    def wrapped(key: bytes) -> bytes:
        return _der(_SEQUENCE, _der(_INTEGER, b"\0") + identifier + _der(_OCTETS, key))

    middle = _head(large, sk)
    return {
        "identifier": list(identifier),
        "public": _head(_der(_SEQUENCE, identifier + _der(_BITS, b"\0" + pk)), pk),
        "private": [
            {"head": _head(wrapped(both), xi, large), "middle": middle, "seed": True, "key": True},
            {"head": _head(wrapped(small), xi), "middle": [], "seed": True, "key": False},
            {"head": _head(wrapped(large), sk), "middle": [], "seed": False, "key": True},
        ],
        "most": len(wrapped(both)),
    }


def _sizes(standard: Standard, names: Algorithms, place: int) -> dict[str, int]:
    """Bytes of a set's values."""
    found = {part: standard.values[getattr(names, part)].length for part in _VALUES}
    return {part: length(standard.sets[place]) for part, length in found.items() if length}


_VALUES = ("public", "private", "output", "seed")


def _plain_kinds(standard: Standard, names: Algorithms) -> Iterator[dict[str, Any]]:
    """Kinds of keys: each parameter set."""
    for place, of in enumerate(names.algorithms):
        sizes = _sizes(standard, names, place)
        yield {
            "name": of.name,
            "names": of.names,
            "short": of.short,
            "oid": of.oid,
            "interface": names.interface,
            "set": standard.commands.sets[place],
            "security": of.security,
            "curve": 0,
            "encoding": encodings(of.oid, sizes["public"], sizes["private"], sizes["seed"]),
            **sizes,
        }


def _hybrid_kinds(standard: Standard, names: Algorithms) -> Iterator[dict[str, Any]]:
    """Each group, with X25519 after all but the seed."""
    plain = list(_plain_kinds(standard, names))
    for group in names.groups:
        of = plain[group.place]
        more = {part: of[part] + _CURVE_BYTES for part in _VALUES[:-1]}
        own = {"name": group.name, "names": group.name, "code_point": group.code_point}
        yield {**of, **more, **own, "seed": 0, "curve": _CURVE_BYTES, "encoding": None}


def _variables(core: Core) -> dict[str, Any]:
    """Variables of all templates of the provider."""
    standards = [each for each in standards_of(core) if each.openssl is not None]
    known: Mapping[str, Any] = core.templates[f"{core.name}_driver.c"][1]
    drivers = {each["standard"]: each for each in known["standards"]}
    pairs = [(each, names) for each in standards if (names := each.openssl) is not None]
    plain = list(chain.from_iterable(_plain_kinds(*pair) for pair in pairs))
    for number, kind in enumerate(plain):
        kind["encoding"]["number"] = number
    hybrid = list(chain.from_iterable(_hybrid_kinds(*pair) for pair in pairs))
    kinds = [*plain, *hybrid]  # what has encodings comes first
    most = {part: max(kind[part] for kind in kinds) for part in _VALUES}
    return {
        **known,
        "provider": PROVIDER,
        "made_by": "host --openssl",
        "standards": [
            {
                **drivers[each.name],
                "interface": names.interface,
                "seed": _sizes(each, names, 0)["seed"],
            }
            for each, names in pairs
        ],
        "interfaces": [names.interface for _, names in pairs],
        "kinds": kinds,
        "groups": hybrid,
        "schemes": [of for _, names in pairs for of in names.algorithms if of.scheme],
        "most": {**most, "encoding": max(kind["encoding"]["most"] for kind in plain)},
        "identifier_bytes": len(plain[0]["encoding"]["identifier"]),
        "curve_bytes": _CURVE_BYTES,
        "hash": _HASH_BYTES,
    }


def provider_contents(core: Core) -> dict[str, Any]:
    """Content of a core's provider: names of algorithms, of signatures, groups of TLS."""
    found = algorithms_of(core).values()
    names = {each.interface: [of.name for of in each.algorithms] for each in found}
    return {
        "name": PROVIDER,
        "algorithms": list(chain.from_iterable(names.values())),
        "signatures": names.get("signature", []),
        "groups": [group.name for each in found for group in each.groups],
    }


def provider_templates(core: Core) -> Templates:
    """The provider's sources, by name: of a coprocessor with standards that OpenSSL knows.

    Raises NttforgeError if it has none of these.
    """
    if not algorithms_of(core):
        raise NttforgeError("--openssl", "OpenSSL has no algorithm of this core", "leave it out")
    variables = _variables(core)
    templates: Templates = {f"openssl_{of}": (f"openssl_{of}.j2", variables) for of in _PARTS}
    for of in variables["standards"]:
        name = f"openssl_{of['interface']}.c"
        templates[name] = (f"{name}.j2", {**variables, "of": of})
    return templates


def build_provider(texts: Mapping[str, str], library: Path) -> Path:
    """Compile the provider, or take the one that is kept: its file.

    Raises NttforgeError if it does not compile.

    - `texts`: its sources, and the headers of libnttforge.
    - `library`: folder with libnttforge, beside which it will lie.
    """
    used = {name: t for name, t in texts.items() if name.endswith(".h") or "openssl" in name}
    links = (f"-L{library}", "-lnttforge", "-Wl,-rpath,$ORIGIN", "-lcrypto", "-pthread")
    name = "nttforge_openssl"
    return build_c(used, name, more=links) / f"lib{name}.so"
