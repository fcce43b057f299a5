# SPDX-License-Identifier: Apache-2.0
"""The verbs below `nttforge cache`: what is kept between runs, and how much of it."""

import time
from collections.abc import Iterable
from typing import Annotated

import typer

from nttforge.cli import views
from nttforge.cli.session import Outcome, run_verb
from nttforge.content import Kept, cache_folder, cache_limit, kept_results, prune
from nttforge.flow.prepare import Progress

app = typer.Typer(
    name="cache",
    help="Results that are kept between runs: where, how many, and fewer of them.",
    no_args_is_help=True,
)

JsonOption = Annotated[
    bool, typer.Option("--json", help="Print one JSON object on standard output, nothing else.")
]
_GIGA = 1e9
_DAY = 86400


def _by_kind(results: Iterable[Kept]) -> dict[str, dict[str, float]]:
    """Number, bytes and days since the last use, of each kind."""
    found: dict[str, dict[str, float]] = {}
    for kept in results:
        row = found.setdefault(kept.kind, {"results": 0, "bytes": 0, "days": 0.0})
        row["results"] += 1
        row["bytes"] += kept.size
        row["days"] = max(row["days"], round((time.time() - kept.used) / _DAY, 1))
    return dict(sorted(found.items()))


@app.command("path")
def path_command(as_json: JsonOption = False) -> None:
    """Print the folder; NTTFORGE_CACHE names another one."""

    def job(_: Progress) -> Outcome:
        return Outcome({"path": str(cache_folder())}, str(cache_folder()))

    raise typer.Exit(run_verb("cache path", as_json, job))


@app.command("list")
def list_command(as_json: JsonOption = False) -> None:
    """List what is kept, by kind."""

    def job(_: Progress) -> Outcome:
        kinds, limit = _by_kind(kept_results()), cache_limit()
        data = {"path": str(cache_folder()), "limit": limit, "kinds": kinds}
        return Outcome(data, views.cache_view(cache_folder(), kinds, limit))

    raise typer.Exit(run_verb("cache list", as_json, job))


@app.command("prune")
def prune_command(
    *,
    limit: Annotated[
        float | None,
        typer.Option(
            "--to", metavar="GB", min=0, help="Gigabytes that may stay; NTTFORGE_CACHE_GB or 20."
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Take away what was used longest ago; what was used in the last hour stays."""

    def job(_: Progress) -> Outcome:
        gone = prune(cache_limit() if limit is None else round(limit * _GIGA))
        size = sum(kept.size for kept in gone)
        text = f"{len(gone)} results taken away, {size / _GIGA:.2f} GB"
        return Outcome({"results": len(gone), "bytes": size}, text)

    raise typer.Exit(run_verb("cache prune", as_json, job))
