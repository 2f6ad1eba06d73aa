"""What is printed: tables, progress, errors. Plain when the output is not a terminal."""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table

from agents.arena import Progress as Told
from agents.results import Results, Share

console = Console(highlight=False)
notes = Console(stderr=True, highlight=False)


def fail(message: str) -> None:
    """An error, in one line."""
    notes.print(f"[bold red]error:[/] {message.replace('[', chr(92) + '[')}", soft_wrap=True)


def note(message: str) -> None:
    """Something to know beside the result."""
    notes.print(message, markup=False, soft_wrap=True)


def print_json(value: Any) -> None:
    """One JSON object."""
    sys.stdout.write(json.dumps(value, indent=2, ensure_ascii=False) + "\n")


@contextmanager
def progress_of(what: str) -> Iterator[Told]:
    """A bar with the time left, told how many are done of how many."""
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
    with Progress(
        *columns,
        TextColumn("left"),
        TimeRemainingColumn(),
        console=notes,
        transient=True,
        disable=not notes.is_terminal,
    ) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def interval(share: Share) -> str:
    """A share and its interval."""
    return f"{share.share:6.1%}  \\[{share.low:.1%}, {share.high:.1%}]"


def show_results(results: Results) -> None:
    """A table of agents and one of seats, with what went wrong below."""
    table = Table("agent", "seats", "wins", "share, 95%", "par", "points", "ms a move", box=None, pad_edge=False)
    for name in dict.fromkeys(results.agents):
        share, seats = results.share(name), len(results.places(name))
        table.add_row(
            name,
            str(seats),
            f"{share.wins:,}",
            interval(share),
            f"{seats / results.players:.0%}",
            f"{results.mean_points(name):.2f}",
            f"{results.milliseconds(name):.3f}",
        )
    console.print(table)
    by_seat = "   ".join(f"{seat}: {interval(results.seat_share(seat)).strip()}" for seat in range(results.players))
    console.print(f"\nby seat   {by_seat}", soft_wrap=True)
    if len(results.rows):
        decisions = results.rows["decisions"].sum(axis=1).mean()
        console.print(f"a game    {results.rows['turns'].mean():.1f} turns, {decisions:.1f} decisions")
    show_trouble(results)


def show_trouble(results: Results) -> None:
    """Say which games were broken, cut off, or left out."""
    cut = results.rows[results.rows["truncated"]]
    if len(cut):
        some = ", ".join(f"{row['seed']}-{row['rotation']}" for row in cut[:5])
        console.print(f"cut off   {len(cut):,} games hit a limit and were won by nobody: {some}{' …' * (len(cut) > 5)}")
    for fault in results.faults[:5]:
        console.print(f"broken    {fault.agent} in game {fault.seed}-{fault.rotation}: {fault.why}", markup=False)
    if len(results.faults) > 5:
        console.print(f"broken    and {len(results.faults) - 5:,} more; none of them is counted")
    if not results.complete:
        note(f"interrupted: these are the {len(results.rows):,} games that were finished")
