# SPDX-License-Identifier: Apache-2.0
"""A provider for OpenSSL 3 over libnttforge: ML-KEM, and a group of TLS 1.3 with it."""

import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from nttforge.design import Design
from nttforge.emit.design_folder import Templates, render_templates
from nttforge.errors import NttforgeError
from nttforge.hw.core import Core
from nttforge.kinds.lattice.standard import ML_KEM
from nttforge.simulate.build import build_c
from nttforge.simulate.toolchain import find_toolchain

#: The provider's name and that of its file; no name that Python would import.
PROVIDER = "nttforge-kem"
#: Of TLS 1.3 (draft-ietf-tls-ecdhe-mlkem).
GROUP = "X25519MLKEM768"
#: Bits of security by a set's number (FIPS 203, section 8: categories 1, 3 and 5).
_SECURITY = {"512": 128, "768": 192, "1024": 256}
_PROBE = """#include <openssl/core_dispatch.h>
#include <openssl/async.h>
"""


def find_headers() -> None:
    """See that OpenSSL's headers are there, of version 3.

    Raises
    ------
    NttforgeError
        If they are not, or the compiler is missing.
    """
    command = [*find_toolchain().compiler, "-x", "c", "-fsyntax-only", "-"]
    done = subprocess.run(command, input=_PROBE, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise NttforgeError(
            "--openssl",
            "the headers of OpenSSL 3 are not where the compiler looks",
            "install them (on Debian: apt install libssl-dev), or leave it out",
        )


def provider_texts(core: Core, design: Design) -> dict[str, str]:
    """The provider's sources, by name: of a coprocessor with ML-KEM."""
    known: Mapping[str, Any] = core.templates[f"{core.name}_driver.c"][1]
    (of,) = (each for each in known["standards"] if each["standard"] == ML_KEM.name)
    kinds = [
        {
            "name": f"ML-KEM-{name}",
            "names": f"ML-KEM-{name}:MLKEM{name}",
            "set": name,
            "security": security,
            "curve": False,
        }
        for name, security in _SECURITY.items()
    ]
    kinds.append(kinds[1] | {"name": GROUP, "names": GROUP, "curve": True})
    made_by = {"provider": PROVIDER, "made_by": "host --openssl"}
    variables = {**known, **made_by, "of": of, "kinds": kinds}
    names = ("openssl_core.h", "openssl_core.c", "openssl_provider.c")
    templates: Templates = {name: (f"{name}.j2", variables) for name in names}
    return render_templates(core, design, templates)


def build_provider(texts: Mapping[str, str], library: Path) -> Path:
    """Compile the provider, or take the one that is kept: its file.

    Parameters
    ----------
    texts
        Its sources, and the headers of libnttforge.
    library
        Folder with libnttforge, beside which it will lie.

    Raises
    ------
    NttforgeError
        If it does not compile.
    """
    used = {name: t for name, t in texts.items() if name.endswith(".h") or "openssl" in name}
    links = (f"-L{library}", "-lnttforge", "-Wl,-rpath,$ORIGIN", "-lcrypto", "-pthread")
    name = "nttforge_openssl"
    return build_c(used, name, more=links) / f"lib{name}.so"
