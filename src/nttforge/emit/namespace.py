# SPDX-License-Identifier: Apache-2.0
"""Rename modules, packages, interfaces and macros: of a text, and of a whole design folder.

In SystemVerilog a signal, an instance or a field may have the name of a module. A name is therefore
replaced where it stands for the module: where it is declared, instantiated, bound, or before `::`.
Names that mean nothing else are replaced wherever they stand, in comments too.
"""

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import PurePosixPath

#: What names of the RTL library begin with: nothing else does.
LIBRARY = "ntf_"

_TOKEN = re.compile(
    r"""
    (?P<blank>\s+|//[^\n]*|/\*.*?\*/)
  | (?P<string>"(?:\\.|[^"\\])*")
  | (?P<macro>`[A-Za-z_]\w*)
  | (?P<number>\d*'[sS]?[bBoOdDhH][\w?]+|\d[\w.]*)
  | (?P<word>[A-Za-z_$][\w$]*|\\\S+)
  | (?P<sign>::|\(\*|\*\)|.)
    """,
    re.VERBOSE | re.DOTALL,
)
_WORD = re.compile(r"[A-Za-z_]\w*")
_SCOPES = ("module", "macromodule", "package", "interface", "program", "primitive", "checker")
_ENDS = tuple(f"end{scope}" for scope in _SCOPES)
_LIFETIMES = ("automatic", "static")
_MACRO_NAMES = ("`define", "`undef", "`ifdef", "`ifndef", "`elsif")
# What an instance may come after, beside the label of a block, and nothing at all.
_BLOCKS = ("", "case", "clocking", "function", "generate", "property", "sequence", "task")
_BEFORE_INSTANCE = (*(";", ")", "*)", ":", "begin", "else", ""), *(f"end{of}" for of in _BLOCKS))
_VERILOG = (".sv", ".svh", ".v", ".vh")
_C = (".c", ".h", ".cpp")
# Of a design's own, data, and what is no name.
_VERBATIM = (".toml", ".hex", ".json")
# Of the library in FuseSoC; what drivers have in common in C.
_LIBRARY_CORE = "nttforge:rtl:"
_COMMON = re.compile(r"\b(?:nttforge|NTTFORGE)_(?=\w)")


@dataclass(frozen=True)
class _Token:
    kind: str = ""
    text: str = ""


#: Token at a distance, of those that are no blanks and no comments.
_Near = Callable[[int], _Token]


@dataclass(frozen=True)
class GlobalNames:
    """Names of global scope: of modules, packages and the like, and of macros."""

    modules: frozenset[str]
    macros: frozenset[str]


def _tokens(text: str) -> list[_Token]:
    return [_Token(str(found.lastgroup), found[0]) for found in _TOKEN.finditer(text)]


def declared(*texts: str) -> GlobalNames:
    """Names that texts of SystemVerilog declare in global scope."""
    modules, macros = set[str](), set[str]()
    for text in texts:
        code = [t for t in _tokens(text) if t.kind != "blank" and t.text not in _LIFETIMES]
        for before, token in pairwise((_Token(), *code)):
            if before.text in _SCOPES and token.kind == "word":
                modules.add(token.text)
            if before.text == "`define":
                macros.add(token.text)
    return GlobalNames(frozenset(modules), frozenset(macros))


def _follows_statement(near: _Near) -> bool:
    """Whether an instance may begin at 0: a block's label is none, but may come before one."""
    if near(-2).text == "bind":
        return True
    after_label = near(-2).text == ":" and near(-3).text.startswith(("begin", "end"))
    is_label = near(-1).text == ":" and near(-2).text.startswith(("begin", "end"))
    return after_label or (near(-1).text in _BEFORE_INSTANCE and not is_label)


def _is_module(near: _Near) -> bool:
    """Whether the word at 0 stands where only the name of a module or package can."""
    before, after, second = near(-1).text, near(1), near(2).text
    if before in (*_SCOPES, "bind", "virtual") or after.text == "::":
        return True
    if before in _LIFETIMES and near(-2).text in _SCOPES:
        return True
    if before == ":" and near(-2).text in _ENDS:
        return True
    if before in ("(", ",") and after.text == "." and near(3).kind == "word":
        return True  # a port that is an interface
    instance = (after.text == "#" and second == "(") or (
        after.kind == "word" and second in ("(", "[")
    )
    return instance and _follows_statement(near)


def renamed(
    text: str,
    modules: Mapping[str, str],
    macros: Mapping[str, str] | None = None,
    anywhere: Collection[str] = (),
) -> str:
    """SystemVerilog with new module and macro names; `anywhere`: those replaced in all places."""
    tokens, other = _tokens(text), macros or {}
    places = [place for place, token in enumerate(tokens) if token.kind != "blank"]
    made = [token.text for token in tokens]
    for at, place in enumerate(places):
        token = tokens[place]

        def near(step: int, at: int = at) -> _Token:
            inside = 0 <= at + step < len(places)
            return tokens[places[at + step]] if inside else _Token()

        if token.kind == "macro":
            name = token.text[1:]
            made[place] = f"`{other.get(name, name)}"
        elif near(-1).text in _MACRO_NAMES:
            made[place] = other.get(token.text, token.text)
        elif token.text in modules and (token.text in anywhere or _is_module(near)):
            made[place] = modules[token.text]
    for place, token in enumerate(tokens):
        if token.kind in ("blank", "string"):
            made[place] = mentioned(token.text, modules, anywhere)
    return "".join(made)


def mentioned(text: str, names: Mapping[str, str], anywhere: Collection[str] = ()) -> str:
    """A text with other names of files, between backticks, before `::` and in messages."""

    def other(found: re.Match[str]) -> str:
        word, before, after = found[0], text[: found.start()][-1:], text[found.end() :][:5]
        if word not in names:
            return word
        file = re.match(r"::|\.s?vh?\b(?!\.)", after) is not None
        alone = (before == "`" == after[:1]) or (before == '"' and after[:1] in (":", '"'))
        return names[word] if word in anywhere or file or alone else word

    return _WORD.sub(other, text)


def prefixed(files: Mapping[str, str], prefix: str, top: str) -> dict[str, str]:
    """A design folder whose global names begin with a prefix; those of `top` have it already."""
    begin = f"{prefix.replace('-', '_')}_"
    names = declared(*(text for name, text in files.items() if name.endswith(_VERILOG)))
    modules = {name: f"{begin}{name}" for name in names.modules if not name.startswith(top)}
    macros = {name: f"{begin}{name}" for name in names.macros}
    anywhere = {name for name in modules if name.startswith(LIBRARY)}

    def text_of(name: str, text: str) -> str:
        suffix = PurePosixPath(name).suffix
        if suffix in _VERBATIM:
            return text
        if suffix in _VERILOG:
            return renamed(text, modules, macros, anywhere)
        text = mentioned(text, modules, anywhere)
        text = text.replace(_LIBRARY_CORE, f"{_LIBRARY_CORE}{begin}")
        return _COMMON.sub(lambda f: f"{begin if f[0].islower() else begin.upper()}{f[0]}", text)

    def path_of(name: str) -> str:
        path = PurePosixPath(name)
        common = path.suffix in _C and path.name.startswith("nttforge_")
        part = path.suffix in _VERILOG and path.stem in modules
        return str(path.with_name(f"{begin}{path.name}")) if common or part else name

    return {path_of(name): text_of(name, text) for name, text in files.items()}
