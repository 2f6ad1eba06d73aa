"""`ettana train`: self-play training, with a live display."""

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.live import Live
from rich.table import Table

from agents.results import Share
from ettana_cli.options import MOST_WORKERS
from ettana_cli.screen import console, interval, note, notes
from ettana_env.errors import EttanaError


def train(
    config: Annotated[str, typer.Argument(help="A config file, or quick, standard or long.")] = "quick",
    changes: Annotated[list[str] | None, typer.Argument(help="Settings to change, as key=value.")] = None,
    out: Annotated[Path | None, typer.Option("--out", help="The run's folder; runs/<config> if not given.")] = None,
    seed: Annotated[int | None, typer.Option("--seed", min=0, help="Where all chance starts.")] = None,
    workers: Annotated[
        int | None, typer.Option("--workers", min=0, max=MOST_WORKERS, help="Processes; 0 for one a core.")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the run in the folder, exactly.")] = False,
) -> None:
    """Train a policy by playing against itself, and measure it against the baselines.

    [bold]ettana train quick[/]   a few minutes

    [bold]ettana train standard learning.rate=3e-4 --out runs/mine[/]

    [bold]ettana train --resume --out runs/mine[/]
    """
    from train.config import load_config
    from train.run import run, start

    folder = out or _folder_for(config)
    if resume:
        if changes or seed is not None or workers is not None:
            raise EttanaError("--resume goes on exactly as the run was started: nothing can be changed")
    else:
        wanted = list(changes or ())
        wanted += [f"seed={seed}"] * (seed is not None) + [f"processes={workers}"] * (workers is not None)
        start(load_config(config, wanted), folder)
    display = Display()
    try:
        with Live(display, console=notes, refresh_per_second=2, transient=True) if notes.is_terminal else display:
            run(folder, display.tell)
    except KeyboardInterrupt:
        note(f"interrupted; go on with: ettana train --resume --out {folder}")
        raise typer.Exit(1) from None
    display.end(folder)


def _folder_for(config: str) -> Path:
    """runs/<config>, or the first of runs/<config>-2 … that is not taken."""
    base = Path("runs") / Path(config).stem
    number = 1
    folder = base
    while folder.exists() and any(folder.iterdir()):
        number += 1
        folder = base.with_name(f"{base.name}-{number}")
    return folder


class Display:
    """What the training says, as a table that is kept up to date; as lines when nobody watches."""

    def __init__(self) -> None:
        """Nothing is known yet."""
        self.first: dict[str, Any] = {}
        self.update: dict[str, Any] = {}
        self.before = "compiling and starting"
        self.shares: dict[str, Share] = {}
        self.final: dict[str, Share] = {}

    def __enter__(self) -> "Display":
        return self

    def __exit__(self, *_: object) -> None:
        return None

    def tell(self, event: dict[str, Any]) -> None:
        """Take in what happened."""
        if event["kind"] == "update":
            self.first, self.update = self.first or event, event
        elif event["kind"] == "imitation":
            self.before = f"imitating a heuristic, pass {event['passes']} of {event['of']} done"
        elif event["kind"] == "evaluation":
            self.shares = event["shares"]
            if not notes.is_terminal:
                note(self._line())
        elif event["kind"] == "final":
            self.final = event["shares"]

    def _line(self) -> str:
        shares = "  ".join(
            f"{spec} {share.share:.1%} [{share.low:.1%}, {share.high:.1%}]" for spec, share in self.shares.items()
        )
        return f"{self._progress()}  wins against {shares}"

    def _progress(self) -> str:
        if not self.update:
            return self.before
        steps, total = self.update["steps"], self.update["total"]
        since = {"steps": 0, "seconds": 0.0} if self.first is self.update else self.first  # it began with compiling
        rate = (steps - since["steps"]) / max(self.update["seconds"] - since["seconds"], 1e-9)
        minutes, seconds = divmod(round(max(total - steps, 0) / rate), 60)
        return f"{steps:,} of {total:,} decisions, {rate:,.0f} a second, {minutes} min {seconds} s left"

    def __rich__(self) -> Table:
        table = Table(title=self._progress(), box=None, pad_edge=False, title_justify="left")
        table.add_column("against")
        table.add_column("share of wins, 95%")
        for spec, share in self.shares.items():
            table.add_row(spec, interval(share))
        return table

    def end(self, folder: Path) -> None:
        """The final table, and what to do next."""
        table = Table("against", "share of wins, 95%", "games", box=None, pad_edge=False)
        for spec, share in self.final.items():
            table.add_row(spec, interval(share), f"{share.games:,}")
        console.print(table)
        policy = folder / "policy.safetensors"
        console.print(
            f"\npolicy    {policy}\ncurve     {folder / 'curve.png'}\nnumbers   {folder / 'metrics.csv'}",
            soft_wrap=True,
        )
        console.print(
            f"\nnext      ettana evaluate policy:{policy} --against planner --games 2000\n"
            f"          ettana train standard     (about an hour)\n"
            f"          tensorboard --logdir {folder / 'tensorboard'}",
            soft_wrap=True,
        )
