# SPDX-License-Identifier: Apache-2.0
"""Where the hand-written RTL is: inside the installed package, or in the source tree."""

from pathlib import Path

from nttforge.errors import NttforgeError


def rtl_root() -> Path:
    """Folder of the RTL library.

    Raises
    ------
    NttforgeError
        If the installation lacks it.
    """
    package = Path(__file__).parent
    for folder in (package / "_rtl", package.parents[1] / "rtl"):
        if (folder / "arith").is_dir():
            return folder
    raise NttforgeError("rtl", "the RTL library is not installed", "reinstall nttforge")


def licence() -> Path:
    """The licence's text: beside the library in the source tree, in it if installed.

    Raises
    ------
    NttforgeError
        If the installation lacks it.
    """
    root = rtl_root()
    for folder in (root, root.parent):
        if (folder / "LICENSE").is_file():
            return folder / "LICENSE"
    raise NttforgeError("rtl", "the licence is not installed", "reinstall nttforge")
