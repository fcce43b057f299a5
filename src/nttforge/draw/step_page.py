# SPDX-License-Identifier: Apache-2.0
"""A page that steps through cycles: words move through an engine's drawing. It needs no network."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import NamedTuple

#: A word that is not known.
UNKNOWN = "?"


class Spot(NamedTuple):
    """Where words of a place are drawn: a rectangle in pixels, from its upper left corner."""

    x: int
    y: int
    width: int
    height: int


@dataclass(frozen=True)
class Scene:
    """An engine's drawing as SVG, and the spots of its places by name."""

    svg: str
    spots: Mapping[str, Spot]


@dataclass(frozen=True)
class Place:
    """A place that words pass, or wait in if not `passed`; `words` by cycle, index or `UNKNOWN`."""

    name: str
    passed: bool
    words: tuple[tuple[str, ...], ...]


_PAGE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title><style>
body{{font:15px system-ui,sans-serif;margin:1.5rem;background:#fbfcfe;color:#1c2733}}
svg{{max-width:100%;height:auto}}
.word{{cursor:pointer;transition:transform .3s}}.word rect{{stroke:#1c2733;stroke-width:.3}}
.word text{{font:600 8.5px ui-monospace,monospace;fill:#1c2733;pointer-events:none}}
.word.chosen rect{{stroke:#c0561a;stroke-width:2.5}}.unknown rect{{fill:#d22}}
.unknown text{{fill:#fff}}
#bad{{color:#d22;font-weight:600}}button{{font-size:1rem;margin-right:.3rem}}
@media(prefers-color-scheme:dark){{body{{background:#10161f;color:#e4eaf2}}}}
@media(prefers-reduced-motion:reduce){{.word{{transition:none}}}}
</style></head><body><h1>{title}</h1><p>{words} <span id="bad"></span></p>
<p><button id="back" aria-label="one cycle back">&#9664;</button>
<button id="next" aria-label="one cycle on">&#9654;</button> <button id="play">play</button>
<input id="at" type="range" min="0" max="{last}" value="0" style="width:50%" aria-label="cycle">
cycle <b id="cycle">0</b> of {last}; click a word to follow it: <b id="followed"></b></p>
{drawing}
<script>
const places = {data}, n = {count}, unknown = "{unknown}";
const at = document.getElementById("at"), svg = document.querySelector("svg[role=img]");
let chosen = null, timer = null;
const bad = places.reduce((sum, p) => sum + (p.passed ? p.words.flat().filter(
  w => w === unknown).length : 0), 0);
if (bad) document.getElementById("bad").textContent =
  bad + " words are in no stage of the transform: something is wrong.";
const tokens = new Map();
function token(name, kind) {{
  const make = tag => document.createElementNS("http://www.w3.org/2000/svg", tag);
  const word = make("g"), box = make("rect"), label = make("text");
  word.setAttribute("class", "word" + kind);
  word.dataset.word = name;
  if (!kind) box.setAttribute("fill", "hsl(" + 300 * Number(name) / n + ",70%,80%)");
  label.setAttribute("text-anchor", "middle");
  word.append(box, label);
  word.onclick = () => {{ if (!kind) {{ chosen = chosen === name ? null : name; show(); }} }};
  svg.append(word);
  return word;
}}
// Squares as large as fit the spot; a number where it can be read.
function lay(place, names, put) {{
  const [x, y, width, height] = place.spot, most = Math.min(17, width, height);
  let size = most;
  while (size > 1 && Math.floor(width / size) * Math.floor(height / size) < names.length)
    size -= 0.5;
  const across = Math.max(1, Math.floor(width / size));
  const rows = Math.ceil(names.length / across);
  const left = x + (width - Math.min(across, names.length) * size) / 2;
  const top = y + Math.max(0, (height - rows * size) / 2);
  names.forEach((name, i) => put(place, name, left + size * (i % across),
    top + size * Math.floor(i / across), size));
}}
function show() {{
  const cycle = Number(at.value), seen = new Set();
  document.getElementById("cycle").textContent = cycle;
  let strange = 0, where = "";
  for (const place of places) lay(place, place.words[cycle], (from, name, x, y, size) => {{
    const key = name === unknown ? unknown + strange++ : name;
    if (!tokens.has(key)) tokens.set(key, token(name, name === unknown ? " unknown" : ""));
    const word = tokens.get(key), [box, label] = word.children;
    seen.add(key);
    word.style.display = "";
    word.style.transform = "translate(" + x + "px," + y + "px)";
    word.dataset.place = from.name;
    word.classList.toggle("chosen", name === chosen);
    box.setAttribute("width", size - 1);
    box.setAttribute("height", size - 1);
    box.setAttribute("rx", size / 6);
    label.setAttribute("x", (size - 1) / 2);
    label.setAttribute("y", size / 2 + 2.5);
    label.textContent = size >= 1 + 5 * name.length ? name : "";
    if (name === chosen) where = name + ", " + from.name;
  }});
  for (const [key, word] of tokens) if (!seen.has(key)) word.style.display = "none";
  document.getElementById("followed").textContent = chosen === null ? "none" : where || chosen;
}}
function move(by) {{ at.value = Number(at.value) + by; show(); }}
document.getElementById("back").onclick = () => move(-1);
document.getElementById("next").onclick = () => move(1);
document.getElementById("play").onclick = () => {{
  if (timer) {{ clearInterval(timer); timer = null; }} else timer = setInterval(() => move(1), 500);
}};
at.oninput = show;
document.onkeydown = e => {{ if (e.target !== at) {{
  if (e.key === "ArrowLeft") move(-1); if (e.key === "ArrowRight") move(1); }} }};
show();
</script></body></html>
"""


def page(title: str, words: str, places: Sequence[Place], count: int, scene: Scene) -> str:
    """The page: places in the order in which words pass them, each with a spot in the scene."""
    last = len(places[0].words) - 1
    data = [
        {"name": p.name, "passed": p.passed, "spot": scene.spots[p.name], "words": p.words}
        for p in places
    ]
    return _PAGE.format(
        title=escape(title),
        words=escape(words),
        last=last,
        drawing=scene.svg,
        data=json.dumps(data, separators=(",", ":")).replace("<", "\\u003c"),
        count=count,
        unknown=UNKNOWN,
    )
