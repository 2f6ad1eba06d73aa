"""The command `ettana` and what all of its parts have in common: errors and exit codes.

Exit codes: 0 done, 1 a finding, 2 wrong use.
"""

import sys
from typing import Annotated

import typer

from ettana_cli import agents, evaluate, play, replay, tournament, train
from ettana_cli.screen import fail
from ettana_env.errors import EttanaError
from ettana_env.version import __version__

app = typer.Typer(
    name="ettana",
    help="Play, measure and study the board game Ettana. Start with: ettana evaluate planner --against greedy",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"ettana {__version__}")
        raise typer.Exit


@app.callback()
def common(
    debug: Annotated[bool, typer.Option("--debug", help="Show where an error came from.")] = False,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Options before the command's name."""


app.command("evaluate")(evaluate.evaluate)
app.command("tournament")(tournament.tournament)
app.command("play")(play.play)
app.command("replay")(replay.replay)
app.command("agents")(agents.agents)
app.command("train")(train.train)


def main() -> None:
    """Run the command; an error is one line that says what to do, unless --debug asks for all of it."""
    try:
        app()
    except (EttanaError, OSError) as error:
        if "--debug" in sys.argv:
            raise
        fail(str(error))
        sys.exit(2)
