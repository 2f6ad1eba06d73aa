"""`ettana evaluate`: one agent against others, in many games."""

from typing import Annotated

import typer

from agents.arena import line_up, play_games
from agents.results import Results
from agents.sequential import Verdict, play_until_clear
from ettana_cli.files import write_json, write_results
from ettana_cli.options import (
    AsJson,
    Code,
    Games,
    Out,
    Players,
    RulesFile,
    Seed,
    Workers,
    load_all,
    new_folder,
    rules_from,
    threads,
)
from ettana_cli.screen import console, print_json, progress_of, show_results


def evaluate(
    agent: Annotated[str, typer.Argument(help="Who is measured: a spec such as planner or mcts:sims=400.")],
    against: Annotated[
        list[str],
        typer.Option("--against", help="Whom it meets; repeat it for different ones. The last fills the table."),
    ] = ["greedy"],  # noqa: B006 - typer's form
    players: Players = 4,
    games: Games = 1000,
    rules: RulesFile = "base",
    seed: Seed = 1,
    workers: Workers = 0,
    stop: Annotated[
        bool,
        typer.Option("--stop", help="Stop as soon as it is clear whether the agent is better (a sequential test)."),
    ] = False,
    margin: Annotated[float, typer.Option(help="--stop: how much more than its part a better agent wins.")] = 0.03,
    error: Annotated[float, typer.Option(help="--stop: how often a wrong answer is put up with, either way.")] = 0.05,
    records: Annotated[bool, typer.Option("--records", help="Write a record of every game too (with --out).")] = False,
    code: Code = None,
    as_json: AsJson = False,
    out: Out = None,
) -> None:
    """Let an agent meet others: every deal is played from every seat.

    [bold]ettana evaluate planner --against greedy --games 4000 --players 4[/]

    [bold]ettana evaluate mcts:sims=400 --against planner --stop[/]

    [bold]ettana evaluate mine --code my_agent.py --against random --out results/[/]
    """
    load_all(code)
    if records and out is None:
        raise typer.BadParameter("--records needs --out, the folder to write to")
    given = rules_from(rules)
    names = line_up([agent, *against], players)
    folder = new_folder(out)
    answer: Verdict | None = None
    with progress_of("games") as progress:
        if stop:
            if len(against) > 1:
                raise typer.BadParameter("--stop tests against one kind of opponent")
            answer, results = play_until_clear(
                agent, against[0], given, players, games, seed, threads(workers), margin, error, progress
            )
        else:
            results = play_games(
                names, given, games=games, seed=seed, workers=threads(workers), progress=progress, keep_actions=records
            )
    if not len(results.rows) and not results.complete:
        raise typer.Abort
    summary = results.summary() | {"seed": seed} | ({"test": vars(answer)} if answer else {})
    if folder is not None:
        write_json(folder / "results.json", summary)
        write_results(folder, results, records)
    if as_json:
        print_json(summary)
    else:
        show_results(results)
        if answer is not None:
            console.print(in_words(answer, results, agent))
    if not results.complete:
        raise typer.Exit(1)


def in_words(answer: Verdict, results: Results, agent: str) -> str:
    """What the sequential test found."""
    par = 1 / results.players
    found = {
        "better": f"{agent} is better",
        "not better": f"{agent} is not better by {answer.margin:.0%}",
        "open": "not clear yet",
    }[answer.answer]
    return (
        f"test      {found} (a share of {par:.0%} against {par + answer.margin:.0%}, "
        f"wrong in {answer.error:.0%} either way; log ratio {answer.ratio:.2f} of ±{answer.bound:.2f})"
    )
