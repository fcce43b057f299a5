# SPDX-License-Identifier: Apache-2.0
"""Folders that were written, to be compared."""

from pathlib import Path


def contents(folder: Path) -> dict[str, bytes]:
    """Files by name, but for what make has made."""
    files = (path for path in folder.rglob("*") if path.is_file())
    texts = {str(path.relative_to(folder)): path.read_bytes() for path in files}
    return {name: text for name, text in texts.items() if not name.startswith("build/")}
