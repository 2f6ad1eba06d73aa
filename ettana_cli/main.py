"""The command `ettana` and what all of its parts have in common: errors and exit codes.

Exit codes: 0 done, 1 a finding or interrupted, 2 wrong use or something that cannot be done.
"""

import os
import sys
from typing import Annotated

import typer

from ettana_cli import (
    agents,
    balance,
    bench,
    compare,
    designs,
    doctor,
    evaluate,
    play,
    replay,
    rules,
    tournament,
    train,
)
from ettana_cli.screen import fail
from ettana_env.errors import EttanaError
from ettana_env.version import __version__

app = typer.Typer(
    name="ettana",
    help="""Play, measure and study the board game Ettana.

    [bold]ettana doctor[/]   is all well?

    [bold]ettana play[/]   against an agent, or [bold]ettana play --web --open[/] in the browser

    [bold]ettana train quick[/]   a policy in minutes

    [bold]ettana evaluate planner --against greedy[/]   who is better?

    Every command shows examples: [bold]ettana play --help[/]. Tab completes names after
    [bold]ettana --install-completion[/].
    """,
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


app.command("play")(play.play)
app.command("replay")(replay.replay)
app.command("train")(train.train)
app.command("evaluate")(evaluate.evaluate)
app.command("tournament")(tournament.tournament)
app.command("agents")(agents.agents)
app.command("balance")(balance.balance)
app.command("compare")(compare.compare)
app.command("designs")(designs.designs)
app.command("rules")(rules.rules)
app.command("bench")(bench.bench)
app.command("doctor")(doctor.doctor)


def main() -> None:
    """Run the command; an error is one line that says what to do, unless --debug asks for all of it."""
    words, debug = _without_debug(sys.argv[1:])
    try:
        code = app(words, prog_name="ettana", standalone_mode=False)
        sys.stdout.flush()  # a full disk is told here, not as the program ends
        sys.exit(code if isinstance(code, int) else 0)
    except typer.Abort:
        fail("interrupted")
        sys.exit(1)
    except typer.TyperException as error:  # wrong use: an option or a command that does not exist, a value out of range
        _wrong_use(error)
    except Exception as error:
        if debug:
            raise
        fail(_in_a_line(error))
        _forget_output()
    sys.exit(2)


def _without_debug(words: list[str]) -> tuple[list[str], bool]:
    """The words without --debug, which may stand anywhere before a lone `--`, and whether it was there."""
    end = words.index("--") if "--" in words else len(words)
    return [word for word in words[:end] if word != "--debug"] + words[end:], "--debug" in words[:end]


def _in_a_line(error: Exception) -> str:
    """What went wrong, and with what; for what nobody thought of, how to see more."""
    if isinstance(error, EttanaError):
        return " ".join(str(error).split())
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    if isinstance(error, MemoryError):
        return "there is not enough memory for that: ask for less"
    return f"unexpected {type(error).__name__}: {' '.join(str(error).split())}; ettana --debug … shows where"


def _forget_output() -> None:
    """What could not be written to the output is not tried again as the program ends."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _wrong_use(error: typer.TyperException) -> None:
    """Say what is wrong in a line, and where help is; the command alone is answered with its help."""
    context = getattr(error, "ctx", None)
    if type(error).__name__ == "NoArgsIsHelpError":
        return  # the help was printed when the error was made
    where = "ettana" if context is None else context.command_path
    message = error.format_message().rstrip(".")
    fail(f"{message} See {where} --help" if message.endswith("?") else f"{message}; see {where} --help")
