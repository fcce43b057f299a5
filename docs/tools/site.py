# SPDX-License-Identifier: Apache-2.0
"""The site of the docs, for mkdocs: `make docs`.

Pages keep their places in the repository, so that a link that holds there holds on the site. What
a page links to outside of docs/ becomes a page, too: a README as it is, a source as its text, a
folder as the list of its files. Each room of the package has a page of its docstrings.
"""

import posixpath
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
PACKAGE = Path("src/nttforge")
#: Code; brackets after brackets; where a link leads.
TOKEN = re.compile(r"(`{3,}).*?\1|`[^`\n]*`|\]\[|(?<=\]\()(?P<link>[^)#\s:]+)(?=[)#])", re.DOTALL)
#: A name in a docstring that is marked as one.
ROLE = re.compile(r":(?:attr|class|data|func|meth|mod):<code>~?([\w.]+)</code>")
DRAWINGS = {".svg", ".png"}
STYLE = "assets/site.css"
LANGUAGES = {
    ".py": "python",
    ".sv": "systemverilog",
    ".toml": "toml",
    ".cpp": "cpp",
    ".core": "yaml",
    "": "makefile",
}


def pages() -> list[Path]:
    """The pages of the docs, and of their appendix: each has a place in the navigation."""
    return sorted([*(ROOT / "docs").glob("*.md"), *(ROOT / "docs" / "appendix").glob("*.md")])


def page_of(path: str) -> str:
    """The page that shows what has this path in the repository."""
    there = ROOT / path
    if there.is_dir():
        return posixpath.join(path, "README.md" if (there / "README.md").exists() else "index.md")
    return path if there.suffix in {".md", *DRAWINGS} else f"{path}.md"


def target_of(link: str, page: str) -> str | None:
    """The path in the repository to which a link of a page leads, if it is one."""
    path = posixpath.normpath(posixpath.join(posixpath.dirname(page), link))
    return path if not path.startswith("..") and (ROOT / path).exists() else None


def listed(folder: Path) -> list[str]:
    """Names of the files in a folder, but hidden and compiled ones."""
    return sorted(p.name for p in folder.iterdir() if not p.name.startswith((".", "__pycache__")))


def text_of(path: str) -> str:
    """Markdown of the page that shows a path; sources are left out of the search."""
    there = ROOT / path
    if there.suffix == ".md":
        return there.read_text("utf-8")
    body = (
        "\n".join(f"- [{name}]({name})" for name in listed(there))
        if there.is_dir()
        else f"`````{LANGUAGES.get(there.suffix, 'text')}\n{there.read_text('utf-8')}`````"
    )
    return f"---\nsearch:\n  exclude: true\n---\n# `{path}`\n\n{body}\n"


def linked(pages: list[str]) -> dict[str, str]:
    """All that pages lead to, directly or by other pages: page -> Markdown."""
    found: dict[str, str] = {}
    waiting = list(pages)
    while waiting:
        path = waiting.pop()
        if page_of(path) in found or (ROOT / path).suffix in DRAWINGS:
            continue
        page = page_of(path)
        shown = page if (ROOT / page).exists() else path
        found[page] = text_of(shown)
        links = (token["link"] for token in TOKEN.finditer(found[page]) if token["link"])
        waiting += [target for link in links if (target := target_of(link, page))]
    return found


def rooms() -> Iterator[tuple[str, list[str]]]:
    """Parts of the Python API: the package's own modules, and each room with its modules."""
    root = ROOT / PACKAGE
    public = [path for path in sorted(root.rglob("*.py")) if not path.name.startswith("__")]
    for room in ["", *sorted({p.relative_to(root).parts[0] for p in public if p.parent != root})]:
        inside = [p for p in public if (p.parent == root if not room else root / room in p.parents)]
        names = (p.relative_to(ROOT / "src").with_suffix("").as_posix() for p in inside)
        yield ".".join(["nttforge", room]).rstrip("."), [n.replace("/", ".") for n in names]


def reference() -> dict[str, str]:
    """Pages of the API: what mkdocstrings makes of them are the docstrings."""
    return {
        f"api/{name}.md": f"# {name}\n\n" + "\n\n".join(f"::: {module}" for module in modules)
        for name, modules in rooms()
    }


def on_config(config: Any) -> Any:
    """Headings have the names that links to them use; the API is in the navigation."""
    from pymdownx.slugs import slugify  # noqa: PLC0415

    config.mdx_configs["toc"]["slugify"] = slugify(case="lower")
    config.nav.append({"Python API": [{Path(uri).stem: uri} for uri in reference()]})
    return config


def on_files(files: Any, config: Any) -> Any:
    """Those of docs/ by their paths in the repository, what they lead to, and the API."""
    from mkdocs.structure.files import File, InclusionLevel  # noqa: PLC0415

    for file in [file for file in files if file.src_dir == config.docs_dir]:
        files.remove(file)
    docs = [path.relative_to(ROOT).as_posix() for path in pages()]
    placed = {*docs}
    for uri, text in (linked(["README.md", "CONTRIBUTING.md", "CHANGELOG.md", *docs])).items():
        inclusion = InclusionLevel.INCLUDED if uri in placed else InclusionLevel.NOT_IN_NAV
        files.append(File.generated(config, uri, content=text, inclusion=inclusion))
    for uri, text in {
        **reference(),
        STYLE: Path(__file__).with_name("site.css").read_text(),
    }.items():
        files.append(File.generated(config, uri, content=text))
    for drawing in sorted((ROOT / "docs").iterdir()):
        if drawing.suffix in DRAWINGS:
            uri = drawing.relative_to(ROOT).as_posix()
            files.append(File.generated(config, uri, abs_src_path=str(drawing)))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Links lead to the pages that show what they name; `[a][b]` is never a link."""
    source = page.file.src_uri

    def token(match: re.Match[str]) -> str:
        if match[0] == "][":
            return "]\\["
        target = target_of(match["link"], source) if match["link"] else None
        if target is None:
            return match[0]
        return posixpath.relpath(page_of(target), posixpath.dirname(source) or ".")

    return TOKEN.sub(token, markdown)


def on_page_content(html: str, **_: Any) -> str:
    """Names marked in docstrings lead to what they name, where that has a place."""
    named = r'<autoref optional identifier="\1"><code>\1</code></autoref>'
    return ROLE.sub(named, html)
