# SPDX-License-Identifier: Apache-2.0
"""Pages as a browser without a window has them when their scripts have run."""

import shutil
import subprocess
from pathlib import Path

import pytest


def installed() -> str:
    """A browser; skips where there is none."""
    browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)
    if browser is None:
        pytest.skip("no browser is installed")
    return browser


def opened(browser: str, page: Path) -> str:
    """The document of a page."""
    command = [browser, "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"]
    done = subprocess.run(
        [*command, page.as_uri()], capture_output=True, text=True, timeout=120, check=True
    )
    return done.stdout
