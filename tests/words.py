# SPDX-License-Identifier: Apache-2.0
"""Words of the project: which names and phrases do not come back, and how often plain ones occur.

`python -m tests.words` counts the words that a sentence can mostly do without; it fails nothing.
`python -m tests.words WORD` shows where one of them, or another, stands.
"""

import re
import subprocess
import sys
import tokenize
from collections import Counter
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

ROOT = Path(__file__).parents[1]
#: Names of the last release and its successors; a pattern of a whole identifier -> its replacement.
NAMES = {
    "work_out": "elaborate",
    "made_of": "with_provenance",
    "so_far": "eta",
    "telling": "report_to",
    "take_name": "claim_name",
    "told_apart": "add_labels",
    "need_beside": "requirements_of",
    "at_least": "dominates",
    "Lasting": "ProgressTimer",
    "Kept": "CacheEntry",
    "Amounts": "ResourceFeatures",
    "Quote": "ResourceEstimate",
    "Offer": "CandidateDesign",
    "Need": "Requirements",
    "(Stream|Host|Memory)Play": "StreamStimulus",
    "Played": "StimulusStep",
    "KemAsked": "Command",
    "JobEnd": "JobStatus",
    "Hop": "PathNode",
    "Sight": "Observation",
    "Moves": "DataflowTrace",
    "Situation": "SchedulerState",
    "Hardware": "Core",
    "Again": "Replay",
    "mend": "hint",
    "amid": "during",
    "shelled": "with_memory_shell",
    "_strangeness": "_name_rank",
    "wrong_(key|signature)s?": "tampered_key",
}
#: The same of types in SystemVerilog.
TYPES = {r"(\w+_)?(ask|told|there|asked)_t": "*_req_t, *_rsp_t or *_ready_t"}
#: Sentences that a reader had to decode.
PHRASES = (
    "longer than so long nobody",
    "nobody wants to see",
    "the end of a try; another one goes on",
    "behind which no key stays",
    "a state that cannot be",
    "input is swallowed",
    "if nobody can tell",
    "the house reckons",
    "and fewer of them",
    "is done anew",
    "is anew",
    "of a walk without an end",
    "nobody looks whether",
    "how many cycles it were",
    "what shall be the least of",
)
#: Names of files that do not say what is in them.
FILES = (
    *("wrong", "inner", "shelled", "literal", "offer", "front", "turns", "floors", "content"),
    *("pace", "effort", "showcase", "play", "need", "needs"),
)
#: Words to do without where a plainer sentence says the same.
PLAIN = (
    *("behind", "told", "nobody", "whoever", "somebody", "anew", "mend", "tells", "reckon"),
    *("swallowed", "afresh", "shall", "hangs", "cannot be", "work out", "works out", "is there"),
)
#: Parts that each kind of core has, and each standard: their folder is their name.
PARALLEL = ("src/nttforge/kinds/", "src/nttforge/standards/", "tests/extending/")
#: Files that a tool finds by their names.
FIXED = ("__init__.py", "__main__.py", "README.md", "conftest.py", "pyproject.toml", "Makefile")
_SUFFIXES = (".py", ".sv", ".v", ".j2", ".toml", ".md", ".c", ".h", ".cpp", ".html")
#: Beside what people write: what commands have recorded, and what names the former words.
_EXEMPT = (
    *("docs/figures/", "docs/records/", "docs/appendix/renamed.md", "CHANGELOG.md"),
    *("tests/words.py", "tests/docs/test_words.py"),
)


def files(*suffixes: str) -> list[Path]:
    """Files of the project that people write."""
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    return [
        ROOT / name
        for name in listed.splitlines()
        if name.endswith(suffixes or _SUFFIXES) and not name.startswith(_EXEMPT)
    ]


def identifiers(path: Path, text: str) -> Iterator[tuple[int, str]]:
    """Lines and identifiers of Python or SystemVerilog, without comments and strings."""
    if path.suffix == ".py":
        for token in tokenize.generate_tokens(StringIO(text).readline):
            if token.type == tokenize.NAME:
                yield token.start[0], token.string
    else:
        for number, line in enumerate(text.splitlines(), 1):
            code = re.sub(r'"[^"]*"', "", line.partition("//")[0])
            yield from ((number, name) for name in re.findall(r"\b[A-Za-z_]\w*\b", code))


def former_names(path: Path, text: str) -> list[str]:
    """Former names that a file has as identifiers, with their lines and what replaces them."""
    names = NAMES if path.suffix == ".py" else TYPES
    some = re.compile("|".join(rf"\b(?:{name})\b" for name in names))
    if not some.search(text):
        return []
    return [
        f"{path.name}:{line}: {name} is now {present}"
        for line, name in identifiers(path, text)
        for former, present in names.items()
        if re.fullmatch(former, name)
    ]


def sentences(text: str) -> str:
    """A file's words on one line, without the marks of comments."""
    bare = re.sub(r"^\s*(#:?|//+|\*|--)", " ", text, flags=re.MULTILINE)
    return " ".join(bare.split()).lower()


def phrases(text: str) -> list[str]:
    """Phrases of the list that a text has."""
    found = sentences(text)
    return [phrase for phrase in PHRASES if phrase in found]


def twice() -> dict[str, list[str]]:
    """Names that several files have, beside those of parallel packages, and where they are."""
    found: dict[str, list[str]] = {}
    for path in files(".py", ".sv", ".md", ".toml", ".j2"):
        name = path.relative_to(ROOT).as_posix()
        if path.name not in FIXED and not name.startswith(PARALLEL):
            found.setdefault(path.name, []).append(name)
    return {name: places for name, places in found.items() if len(places) > 1}


def count() -> Counter[str]:
    """How often the plain words occur, in code, comments and pages."""
    total: Counter[str] = Counter()
    for path in files():
        found = sentences(path.read_text("utf-8"))
        for word in PLAIN:
            total[word] += len(re.findall(rf"\b{word}\b", found))
    return total


def main(words: list[str]) -> None:
    """Print the counts, or where some words stand."""
    if not words:
        for word, number in count().most_common():
            print(f"{number:6} {word}")
    for path in files() if words else ():
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            if any(re.search(rf"\b{word}\b", line, re.IGNORECASE) for word in words):
                print(f"{path.relative_to(ROOT)}:{number}: {line.strip()}")


if __name__ == "__main__":
    main(sys.argv[1:])
