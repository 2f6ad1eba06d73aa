"""`ettana replay`: watch a game that was played, as text or as a page."""

from pathlib import Path
from typing import Annotated

import typer

from ettana_cli.options import AsJson, Code, Policy, load_all
from ettana_cli.screen import console, fail, note, print_json
from ettana_env.errors import EttanaError
from ettana_env.records import read_record
from ettana_env.rules import write_whole
from play.odds import judge_for
from play.replay import Watched, as_html, as_lines, summary
from play.session import seat_of


def replay(
    file: Annotated[Path, typer.Argument(help="A record: a file that ettana play or evaluate --records wrote.")],
    html: Annotated[
        Path | None, typer.Option("--html", help="Write one page with everything in it, to watch in a browser.")
    ] = None,
    seat: Annotated[str | None, typer.Option("--seat", help="Tell only what this seat knew: A, B, C or D.")] = None,
    policy: Policy = None,
    code: Code = None,
    as_json: AsJson = False,
) -> None:
    """Watch a game: every action is checked against the rules and told in words, with the chances to win.

    [bold]ettana replay game.jsonl[/]   [bold]ettana replay game.jsonl --seat B[/]

    [bold]ettana replay game.jsonl --html game.html[/]

    [bold]ettana replay game.jsonl --html game.html --policy runs/quick/policy.safetensors[/]

    A record that breaks off or lies is told up to there; the exit code is then 1.
    """
    load_all(code)
    if html is not None and (as_json or seat is not None):
        raise EttanaError("--html makes a page in which seats can be chosen: leave out --json and --seat")
    record = read_record(file, faulty=True)
    viewer = None if seat is None else seat_of(seat, record.players)
    watched = Watched(record, judge_for(policy, record.rules))
    if html is not None:
        try:
            write_whole(html, as_html(watched, file.name))
        except OSError as error:
            raise EttanaError(f"--html: {html} cannot be written: {error.strerror}") from None
        note(f"written to {html}: open it in a browser")
    elif as_json:
        print_json(summary(watched))
    else:
        for line in as_lines(watched, viewer):
            console.print(line, markup=False, soft_wrap=True)
    if record.fault is not None:
        fail(str(record.fault))
        raise typer.Exit(1)
