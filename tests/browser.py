# SPDX-License-Identifier: Apache-2.0
"""Pages as a browser without a window has them when their scripts have run."""

import json
import re
import shutil
import subprocess
from html import unescape
from pathlib import Path

import pytest


def installed() -> str:
    """A browser; skips where there is none."""
    browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)
    if browser is None:
        pytest.skip("no browser is installed")
    return browser


def opened(browser: str, page: Path, fragment: str = "") -> str:
    """The document of a page; the fragment is what its link has after `#`."""
    command = [browser, "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"]
    done = subprocess.run(
        [*command, f"{page.as_uri()}#{fragment}"],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    return done.stdout


_LOOK = """<script>
const found = [], boxes = e => e.getBoundingClientRect();
for (const svg of document.querySelectorAll("svg[role=img]")) {
  const outer = boxes(svg), texts = [...svg.querySelectorAll("text")].filter(t => t.textContent);
  for (const [i, text] of texts.entries()) {
    const box = boxes(text);
    if (box.left < outer.left - 1 || box.right > outer.right + 1 || box.top < outer.top - 1 ||
        box.bottom > outer.bottom + 1) found.push("cut: " + text.textContent);
    for (const other of texts.slice(i + 1)) {
      const b = boxes(other);
      const across = Math.min(box.right, b.right) - Math.max(box.left, b.left);
      const down = Math.min(box.bottom, b.bottom) - Math.max(box.top, b.top);
      const both = text.textContent + " | " + other.textContent;
      if (across > 2 && down > 4) found.push("over: " + both);
    }
  }
}
document.body.dataset.unreadable = JSON.stringify(found);
</script></body>"""


def unreadable(browser: str, page: Path) -> list[str]:
    """Words in the drawings of a page that are cut off, or that lie over each other."""
    looked = page.with_name(f"looked-{page.name}")
    looked.write_text(page.read_text("utf-8").replace("</body>", _LOOK), "utf-8")
    (found,) = re.findall(r'data-unreadable="([^"]*)"', opened(browser, looked))
    words: list[str] = json.loads(unescape(found))
    return words
