# SPDX-License-Identifier: Apache-2.0
"""The site of the docs: every page has a place, every link leads to a page, no network is used."""

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest

from docs.tools.site import TOKEN, linked, page_of, pages, reference, target_of

ROOT = Path(__file__).parents[2]
NAVIGATION = (ROOT / "mkdocs.yml").read_text("utf-8").partition("\nnav:\n")[2]


def test_every_page_has_one_place() -> None:
    placed = re.findall(r": (\S+\.md)$", NAVIGATION, re.MULTILINE)
    assert len(placed) == len({*placed})
    assert {path.relative_to(ROOT).as_posix() for path in pages()} <= {*placed}
    assert all((ROOT / path).is_file() for path in placed)


def test_what_pages_link_to_is_a_page() -> None:
    found = linked(["docs/designs.md"])
    assert {"examples/index.md", "examples/own-ring.toml.md", "docs/designs.md"} <= {*found}
    assert page_of("rtl") == "rtl/README.md" and page_of("docs/scaling.svg") == "docs/scaling.svg"
    assert target_of("../rtl/README.md", "docs/x.md") == "rtl/README.md"
    assert target_of("../../etc", "docs/x.md") is None and target_of("none.md", "docs/x.md") is None
    links = [token["link"] for token in TOKEN.finditer("`[a](b)` [`a`](c#d) `x[0][1]` [e](f)")]
    assert [link for link in links if link] == ["c", "f"]


def test_every_module_is_in_the_reference() -> None:
    named = re.findall(r"^::: (\S+)$", "\n".join(reference().values()), re.MULTILINE)
    assert len(named) == len({*named}) > 100 and "nttforge.api" in named
    assert "api/nttforge.ring.md" in reference()


@pytest.mark.slow
def test_the_site_builds_and_needs_no_network(tmp_path: Path) -> None:
    if importlib.util.find_spec("mkdocs") is None:
        pytest.skip("no mkdocs here: pip install -e '.[docs]'")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    made = list(tmp_path.rglob("*.html"))
    assert len(made) > 100
    loaded = r"<(?:script|img|link rel=.?(?:stylesheet|preload|preconnect))[^>]*?https?://[^>]*>"
    for page in made:
        assert not re.findall(loaded, page.read_text("utf-8")), page.name
    api = {page.stem: page.read_text("utf-8") for page in (tmp_path / "api").glob("*.html")}
    assert len(api) > 10 and not [name for name, text in api.items() if ":func:" in text]
    assert 'href="#nttforge.kinds.stream.measure.measure"' in api["nttforge.kinds"]
    assert "Ring.twiddles" in (tmp_path / "api" / "nttforge.ring.html").read_text("utf-8")
    assert (tmp_path / "search" / "search_index.json").is_file()
