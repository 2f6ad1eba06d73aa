"""`ettana compare`: what would a rule change do?"""

from itertools import groupby
from pathlib import Path
from typing import Annotated

import typer

from ettana_cli.options import (
    AsJson,
    Code,
    Counts,
    ManyGames,
    Report,
    Seed,
    Specs,
    Workers,
    counts_from,
    load_all,
    new_folder,
    rules_from,
    specs_from,
    threads,
)
from ettana_cli.screen import console, note, print_json, progress_of
from ettana_env.errors import EttanaError


def compare(
    rules: Annotated[
        list[str], typer.Argument(help="Rules files, or names of those that come along; the first is the base.")
    ],
    sweep: Annotated[
        str | None, typer.Option(help="One setting of one rules file over a range, such as prices.swap=1..5.")
    ] = None,
    agents: Specs = "planner",
    players: Counts = "4",
    games: ManyGames = 2000,
    seed: Seed = 1,
    workers: Workers = 0,
    code: Code = None,
    as_json: AsJson = False,
    out: Report = Path("report"),
) -> None:
    """Play several rule sets on the same deals and report the differences.

    [bold]ettana compare configs/rules/base.yaml configs/rules/cheap-swaps.yaml --games 20000[/]

    [bold]ettana compare base --sweep prices.swap=1..5 --players 2,4[/]
    """
    from balance import compare as compares
    from balance import sweep as sweeps
    from balance.compare import changed, sweep_values
    from balance.compare_report import comparison_json, findings, saved_in_words, write_comparison

    load_all(code)
    given = [rules_from(name) for name in rules]
    counts, specs = counts_from(players), specs_from(agents)
    if sweep is None and len(given) < 2:
        raise EttanaError("ettana compare needs two rules files or more, or one and --sweep")
    if sweep is not None and len(given) > 1:
        raise EttanaError(f"--sweep changes one rules file; {len(given)} are named")
    setting, values = sweep_values(sweep) if sweep is not None else ("", [])
    for value in values:
        changed(given[0], setting, value)  # what cannot be played is said before anything is
    folder = new_folder(out)
    assert folder is not None
    with progress_of("games") as progress:
        shared = (counts, specs, games, seed, threads(workers), progress)
        found = sweeps(given[0], setting, values, *shared) if sweep else compares(given, None, *shared)
    path = write_comparison(found, folder)
    if as_json:
        print_json(comparison_json(found))
    else:
        for head, some in groupby(findings(found), key=lambda finding: finding[0]):
            console.print(head, style="bold")
            for _, _, words in some:
                console.print(f"  {words}", markup=False, soft_wrap=True)
        console.print(saved_in_words(found), markup=False, soft_wrap=True)
    for text in found.notes:
        note(text)
    note(f"report    {path}")
    if not found.complete:
        raise typer.Exit(1)
