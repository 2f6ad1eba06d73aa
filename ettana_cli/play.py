"""`ettana play`: a person against agents, in the terminal or the browser."""

from pathlib import Path
from typing import Annotated

import typer

from agents.arena import line_up
from ettana_cli.options import MOST_SEED, Code, Policy, RulesFile, agent_names, load_all, rules_from
from ettana_cli.screen import console, note, notes
from ettana_env.errors import EttanaError
from ettana_env.game import Game, check_seed
from ettana_env.vocabulary import MAX_PLAYERS
from play.odds import Judge, judge_for
from play.session import Session, line_up_of, new_file, seat_of
from play.terminal import Table


def play(
    agents: Annotated[
        list[str] | None,
        typer.Argument(help="Whom you meet; the last one named fills the table.", autocompletion=agent_names),
    ] = None,
    players: Annotated[
        int | None, typer.Option("--players", min=2, max=4, help="How many play; if not given, you and those named.")
    ] = None,
    seat: Annotated[str, typer.Option("--seat", help="Where you sit: A, B, C or D.")] = "A",
    rules: RulesFile = "base",
    seed: Annotated[
        int | None,
        typer.Option(
            "--seed", min=0, max=MOST_SEED, help="The deal; the same seed gives the same one. Fresh if not given."
        ),
    ] = None,
    resume: Annotated[Path | None, typer.Option("--resume", help="Go on with a game saved in this file.")] = None,
    out: Annotated[Path, typer.Option("--out", help="The folder the game is saved in, under a new name.")] = Path(
        "games"
    ),
    policy: Policy = None,
    adviser: Annotated[str, typer.Option("--hints", help="Who gives hints.", autocompletion=agent_names)] = "planner",
    web: Annotated[
        bool, typer.Option("--web", help="Play in the browser, on a page served to this machine only.")
    ] = False,
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="--web: where to serve; 0 for any.")] = 8420,
    open_page: Annotated[bool, typer.Option("--open", help="--web: open the page in the browser at once.")] = False,
    code: Code = None,
) -> None:
    """Play against agents. The game is saved as it goes, and can be gone on with.

    [bold]ettana play[/]   against one planner

    [bold]ettana play planner greedy --players 4 --seat C[/]

    [bold]ettana play mcts:sims=200 --web --open[/]

    [bold]ettana play --resume games/2026-01-31-201500-seed7.jsonl[/]
    """
    load_all(code)
    if resume is not None:
        if agents or players is not None or seed is not None:
            raise EttanaError("--resume goes on with the game as it is: leave out agents, --players and --seed")
        path, session = resume, Session.resume(resume)
        judge = judge_for(policy, session.game.rules)
    else:
        opponents = agents or ["planner"]
        count = players or len(opponents) + 1
        if count > MAX_PLAYERS:
            raise EttanaError(f"{len(opponents)} agents are named; {MAX_PLAYERS - 1} at most can meet you")
        names = line_up_of(line_up(opponents, count - 1), count, seat_of(seat, count))
        given, number = rules_from(rules), check_seed(seed) % 2**32 if seed is None else seed
        judge = judge_for(policy, given)
        session = Session.new(names, given, number)
        path = new_file(out, number)
        session.save_to(path)
    with notes.status("getting ready: what the agents need is compiled once"):
        session.warm_up(adviser)
        judge.judge([Game(session.game.rules.but(place_by_choice=False), session.game.players, seed=1)])
    try:
        if web:
            _in_browser(session, judge, adviser, port, open_page, path)
        else:
            _in_terminal(session, judge, adviser, path)
    finally:
        session.close()


def _in_terminal(session: Session, judge: Judge, adviser: str, path: Path) -> None:
    note(f"you are {session.label(session.seat)[0]}; saved in {path}; type ? for help")
    if Table(session, console, console.input, judge, adviser).play():
        note(f"watch it again with: ettana replay {path} --html game.html")
    else:
        note(f"go on with: ettana play --resume {path}")


def _in_browser(session: Session, judge: Judge, adviser: str, port: int, open_page: bool, path: Path) -> None:
    from play.web import serve

    def ready(address: str) -> None:
        note(f"play at {address}   (this machine only; Ctrl-C stops; saved in {path})")
        if open_page:
            typer.launch(address)

    serve(session, judge, adviser, port, ready)
    if not session.game.over:
        note(f"go on with: ettana play --resume {path}")
