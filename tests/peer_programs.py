# SPDX-License-Identifier: Apache-2.0
"""Programs of other languages that results are compared with: compiled once, from the cache."""

import hashlib
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

from nttforge.cache import cached


def built_program(
    name: str,
    sources: Sequence[Path],
    line: Callable[[Path], list[str]],
    *,
    missing: type[Exception],
) -> Path:
    """The folder that a compiler's command line has written; it runs beside the first source.

    - `line`: the command, for a folder.
    - `missing`: raised with the end of what the compiler says, if it fails.
    """
    digest = hashlib.sha256(b"".join(source.read_bytes() for source in sources))

    def make(folder: Path) -> None:
        words = line(folder)
        done = subprocess.run(
            words, cwd=sources[0].parent, capture_output=True, text=True, check=False
        )
        if done.returncode:
            program = f"{Path(words[0]).name} {words[1]}"
            raise missing(f"{program}: {done.stderr.strip()[-300:]}")

    return cached(name, digest.hexdigest()[:32], make)
