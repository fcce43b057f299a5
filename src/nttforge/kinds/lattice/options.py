# SPDX-License-Identifier: Apache-2.0
"""Verbs of lattice coprocessors alone: the models of their options."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from nttforge.designs import COPROCESSOR, DSA_COPROCESSOR
from nttforge.options.model import Options, argument, option, required
from nttforge.options.verbs import Json, Tables, waveform

#: Bytes, as a user gives them.
VALUE = "HEX|FILE"


def _parameter_set(names: str) -> Any:
    return option("Parameter set.", ..., metavar=names, former="--set")


def _key_seed(text: str) -> Any:
    return option(text, None, "--key-seed", metavar=VALUE, former="--seed")


class KeyOptions(Json):
    """A verb of a standard."""

    parameter_set: str
    design: str
    trace: Path | None = waveform()

    def own(self) -> Mapping[str, Any]:
        """Options of this verb alone."""
        return {
            name: getattr(self, name)
            for name in type(self).model_fields
            if name not in KeyOptions.model_fields
        }


class KemOptions(KeyOptions):
    """A verb of ML-KEM."""

    parameter_set: str = _parameter_set("512|768|1024")
    design: str = option("Name or TOML file of a coprocessor.", COPROCESSOR, metavar="DESIGN")


class DsaOptions(KeyOptions):
    """A verb of ML-DSA."""

    parameter_set: str = _parameter_set("44|65|87")
    design: str = option("Name or TOML file of a coprocessor.", DSA_COPROCESSOR, metavar="DESIGN")


class Signed(DsaOptions):
    """A verb of a message and its signature."""

    message: Path | None = option("Message, or give --mu.", metavar="FILE")
    mu: str | None = option("The hash mu, in place of the message.", metavar=VALUE)
    context: str = option("Context string, at most 255 bytes; by default empty.", "", metavar="HEX")
    prehash: str | None = option(
        "Hash function of HashML-DSA: sha2-512; by default none, pure ML-DSA.", metavar="HASH"
    )


def _value(text: str) -> Any:
    return option(text, metavar=VALUE)


def _prefix(files: str) -> Any:
    return option(f"Write the bytes to {files}.", None, "-o", "--output", metavar="PREFIX")


def _key(text: str) -> Any:
    return required(text, metavar=VALUE)


class KemKeygen(KemOptions):
    """Generate a key pair."""

    d: str | None = _value("Seed d, 32 bytes; by default random.")
    z: str | None = _value("Seed z, 32 bytes; by default random.")
    output: str | None = _prefix("PREFIX.ek and PREFIX.dk")


class KemEncaps(KemOptions):
    """Generate a shared secret and its ciphertext."""

    ek: str = _key("Encapsulation key.")
    m: str | None = _value("Seed m, 32 bytes; by default random.")
    output: str | None = _prefix("PREFIX.c and PREFIX.secret")


class KemDecaps(KemOptions):
    """Recover the shared secret of a ciphertext."""

    dk: str | None = _value("Decapsulation key, or give --key-seed.")
    seed: str | None = _key_seed("Seeds d and z of the key, 64 bytes, in place of --dk.")
    c: str = _key("Ciphertext.")
    check: bool = option("Do not check the hash of the key.", True, " /--no-check")
    output: str | None = _prefix("PREFIX.secret")


class DsaKeygen(DsaOptions):
    """Generate a key pair."""

    seed: str | None = _key_seed("Seed of the key, 32 bytes; by default random.")
    output: str | None = _prefix("PREFIX.pk and PREFIX.sk")


class DsaSign(Signed):
    """Sign a message."""

    sk: str | None = _value("Private key, or give --key-seed.")
    seed: str | None = _key_seed("Seed of the key, 32 bytes, in place of --sk.")
    rnd: str | None = _value("Randomness, 32 bytes; by default random.")
    deterministic: bool = option("Use zeros as randomness: always the same signature.", False)
    output: str | None = _prefix("PREFIX.sig")


class DsaVerify(Signed):
    """Verify a signature. Exit codes: 0 valid, 3 invalid, 1 error."""

    pk: str = _key("Public key.")
    signature: str = _key("Signature.")


class ShowOptions(Tables):
    """Print area and cycles of the ML-KEM coprocessor's parameters."""

    areas: bool = option("Include areas, which take hours.", True, "--areas/--no-areas")


class ShowTimeline(Options):
    """Print the activity of each unit of a simulated coprocessor over time."""

    operation: str = argument("keygen, encaps or decaps; keygen, sign or verify.", metavar="OP")
    parameter_set: str = argument("Parameter set: 512, 768 or 1024; 44, 65 or 87.", metavar="SET")
    design: str | None = option(
        "Coprocessor that has the parameter set; by default a preset.", metavar="DESIGN"
    )
    plan: bool = option("Print the units' lists of jobs instead.", False)
    svg: Path | None = option("Write a drawing (SVG) instead.", None, "-o", "--output")


_WITH_KEYS = "kinds.lattice.command:with_keys"
#: Groups of verbs, and what they are about.
GROUPS = {
    "kem": "ML-KEM with your own keys: every step is done by the simulated coprocessor.",
    "dsa": "ML-DSA with your own keys: every step is done by the simulated core.",
}
#: As `VERBS` of the command line.
VERBS: Mapping[str, tuple[type[Options], str]] = {
    "kem keygen": (KemKeygen, _WITH_KEYS),
    "kem encaps": (KemEncaps, _WITH_KEYS),
    "kem decaps": (KemDecaps, _WITH_KEYS),
    "dsa keygen": (DsaKeygen, _WITH_KEYS),
    "dsa sign": (DsaSign, _WITH_KEYS),
    "dsa verify": (DsaVerify, _WITH_KEYS),
    "show options": (ShowOptions, "kinds.lattice.mlkem.choices:listing"),
    "show timeline": (ShowTimeline, "kinds.lattice.command:timeline"),
}
