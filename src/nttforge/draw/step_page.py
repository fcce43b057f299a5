# SPDX-License-Identifier: Apache-2.0
"""A page that steps through cycles: which words are in which place. It needs no network."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

#: A word that is not known.
UNKNOWN = "?"


@dataclass(frozen=True)
class Place:
    """A place that words pass in their order, by lane, or wait in if not `passed`.

    `words` are by cycle: the index of each, or `UNKNOWN`.
    """

    name: str
    passed: bool
    words: tuple[tuple[str, ...], ...]


_PAGE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title><style>
body{{font:15px system-ui,sans-serif;margin:1.5rem;background:#fbfcfe;color:#1c2733}}
#places{{display:flex;flex-wrap:wrap;gap:.6rem;align-items:flex-start}}
.place{{border:1px solid #c3cddb;border-radius:6px;padding:.4rem .5rem;background:#fff;
width:9.5rem;min-height:3.2rem}}.place.waits{{background:#eef2f8}}
.place h2{{font-size:12px;font-weight:600;margin:0 0 .3rem;color:#5b6b80}}
.word{{display:inline-block;min-width:1.7em;text-align:center;margin:1px;border-radius:4px;
font:13px ui-monospace,monospace;cursor:pointer;color:#1c2733}}
.word.chosen{{outline:3px solid #c0561a}}.word.unknown{{background:#d22;color:#fff}}
#bad{{color:#d22;font-weight:600}}button{{font-size:1rem;margin-right:.3rem}}
@media(prefers-color-scheme:dark){{body{{background:#10161f;color:#e4eaf2}}
.place{{background:#18212d;border-color:#37465a}}.place.waits{{background:#223042}}}}
</style></head><body><h1>{title}</h1><p>{words} <span id="bad"></span></p>
<p><button id="back">&#9664;</button><button id="next">&#9654;</button>
<button id="play">play</button>
<input id="at" type="range" min="0" max="{last}" value="0" style="width:50%">
cycle <b id="cycle">0</b> of {last}</p><div id="places"></div>
<script>
const places = {data}, n = {count}, unknown = "{unknown}";
const at = document.getElementById("at");
let chosen = null, timer = null;
const bad = places.reduce((sum, p) => sum + (p.passed ? p.words.flat().filter(
  w => w === unknown).length : 0), 0);
if (bad) document.getElementById("bad").textContent =
  bad + " words are in no stage of the transform: something is wrong.";
function show() {{
  const cycle = Number(at.value), box = document.getElementById("places");
  document.getElementById("cycle").textContent = cycle;
  box.replaceChildren(...places.map(place => {{
    const part = document.createElement("div"), head = document.createElement("h2");
    part.className = "place" + (place.passed ? "" : " waits");
    head.textContent = place.name;
    part.append(head, ...place.words[cycle].map(name => {{
      const word = document.createElement("span");
      word.textContent = name;
      word.className = "word" + (name === unknown ? " unknown" : name === chosen ? " chosen" : "");
      if (name !== unknown)
        word.style.background = "hsl(" + 300 * Number(name) / n + ",70%,80%)";
      word.onclick = () => {{ chosen = chosen === name ? null : name; show(); }};
      return word;
    }}));
    return part;
  }}));
}}
function move(by) {{ at.value = Number(at.value) + by; show(); }}
document.getElementById("back").onclick = () => move(-1);
document.getElementById("next").onclick = () => move(1);
document.getElementById("play").onclick = () => {{
  if (timer) {{ clearInterval(timer); timer = null; }} else timer = setInterval(() => move(1), 400);
}};
at.oninput = show;
document.onkeydown = e => {{ if (e.target !== at) {{
  if (e.key === "ArrowLeft") move(-1); if (e.key === "ArrowRight") move(1); }} }};
show();
</script></body></html>
"""


def page(title: str, words: str, places: Sequence[Place], count: int) -> str:
    """The page.

    Parameters
    ----------
    title, words
        Heading, and what is to be said.
    places
        From left to right.
    count
        Words in all, whose names are numbers below it.
    """
    last = len(places[0].words) - 1
    data = [{"name": p.name, "passed": p.passed, "words": p.words} for p in places]
    return _PAGE.format(
        title=escape(title),
        words=escape(words),
        last=last,
        data=json.dumps(data, separators=(",", ":")).replace("<", "\\u003c"),
        count=count,
        unknown=UNKNOWN,
    )
