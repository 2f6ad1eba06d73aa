"""`ettana balance`: is the game fair, lively, decided by skill?"""

from pathlib import Path
from typing import Annotated

import typer

from ettana_cli.options import (
    AsJson,
    Code,
    Counts,
    ManyGames,
    Report,
    RulesFile,
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
from ettana_env import Rules
from ettana_env.errors import EttanaError


def balance(
    rules: RulesFile = "base",
    agents: Specs = "planner",
    players: Counts = "2,3,4",
    games: ManyGames = 2000,
    without: Annotated[
        str | None,
        typer.Option(help="Restricted play instead: what is it worth to be allowed these actions or cards?"),
    ] = None,
    gate: Annotated[Path | None, typer.Option(help="A YAML file of limits; exit code 1 if one is broken.")] = None,
    levels: Annotated[bool, typer.Option(help="Measure the other levels of skill, and the ladder, too.")] = True,
    styles: Annotated[bool, typer.Option(help="Let the planner's styles of play meet.")] = True,
    seed: Seed = 1,
    workers: Workers = 0,
    code: Code = None,
    as_json: AsJson = False,
    out: Report = Path("report"),
) -> None:
    """Simulate many games and report what they say about the rules.

    [bold]ettana balance --rules configs/rules/base.yaml --agents planner --players 2,3,4 --games 20000 --out report/[/]

    [bold]ettana balance --gate gates.yaml --players 4[/]   exits with 1 if a limit is broken

    [bold]ettana balance --without swap_card,tax --players 4[/]   what are these worth?
    """
    from balance.gates import FAILED, check_gates, judge, load_gates
    from balance.lab import study
    from balance.report import figures_json, write_report
    from balance.verdicts import verdicts

    load_all(code)
    given = rules_from(rules)
    counts, specs = counts_from(players), specs_from(agents)
    gates = load_gates(gate) if gate is not None else []
    if without is not None:
        if gates:
            raise EttanaError("--gate is for the balance report, not for --without")
        _without(without, given, counts, specs, games, seed, threads(workers), as_json, out)
        return
    check_gates(gates, counts)
    folder = new_folder(out)
    assert folder is not None
    with progress_of("games") as progress:
        lab = study(given, counts, specs, games, seed, threads(workers), progress, levels, styles)
    judged = judge(gates, lab) if gates else []
    path = write_report(lab, folder, judged)
    if as_json:
        print_json(figures_json(lab, judged))
    else:
        for verdict in verdicts(lab):
            sign = {"fine": "[green]fine[/]", "look": "[yellow]look[/]", "note": "[dim]note[/]"}[verdict.mark]
            console.print(f"{sign}  {verdict.text.replace('[', chr(92) + '[')}", soft_wrap=True)
    for text in lab.notes:
        note(text)
    for one in judged:
        note(f"gate  {one.text}")
    note(f"report    {path}")
    if not lab.complete or any(one.result == FAILED for one in judged):
        raise typer.Exit(1)


def _without(
    names: str,
    rules: Rules,
    counts: list[int],
    specs: list[str],
    games: int,
    seed: int,
    workers: int,
    as_json: bool,
    out: Path,
) -> None:
    from balance.restricted import forbidden_by, worth
    from balance.restricted_report import in_sentences, worth_json, write_worth

    wanted = [name.strip() for name in names.split(",")]
    for name in wanted:
        forbidden_by(name)
    folder = new_folder(out)
    assert folder is not None
    with progress_of("games") as progress:
        found, complete = worth(wanted, rules, counts, specs, games, seed, workers, progress)
    path = write_worth(found, folder, rules, games, seed, complete)
    if as_json:
        print_json(worth_json(found, rules, games, seed, complete))
    else:
        for _, _, words in in_sentences(found):
            console.print(words, markup=False, soft_wrap=True)
    if not complete:
        note("interrupted: only deals that were finished in all seats are counted")
    note(f"report    {path}")
    if not complete:
        raise typer.Exit(1)
