"""What parts of the trainer are worth: variants trained for the same time on one core, then measured.

`python -m benchmarks.variants --seconds 300 --out variants/` trains every variant; names after it choose some. Each is
first timed for a few rollouts, in processor seconds, so that whatever else the machine does counts for little; its
decisions are then set to what fits in the time, with all schedules stretched to match. A variant that is done already
in the folder is not trained again.
"""

import json
import time
from pathlib import Path
from typing import Annotated

import typer

from train.config import Config, load_config
from train.run import Trainer, run, start

BARE = "network.without=[]", "network.prospects=false", "network.foresight=[]"
LEANER = "network.without=[slots, claimed]"
NOT_VALUED = "network.foresight=[]"

VARIANTS: dict[str, tuple[str, ...]] = {
    # Networks, each with something more than the one before.
    "plain: the whole observation, an output for every action": (
        *BARE, "network.head=flat", "network.features=0", "network.hints=0",
    ),
    "scores by parts and nine weighted features": (*BARE, "network.features=9", "network.hints=0"),
    "with a small network for each action": (*BARE, "network.features=9"),
    "with reach, draws and prospects; no patterns": (LEANER, NOT_VALUED, "network.features=13"),
    "without the raw board": (NOT_VALUED, "network.features=13"),
    "with the outlook of moves": (NOT_VALUED,),
    "the default: turns that are over are valued": (),
    # The default with something changed.
    "without prospects": ("network.prospects=false",),
    "luck after a turn counts in full": ("learning.luck=1",),
    "luck after a turn does not count": ("learning.luck=0",),
    "small network twice as wide": ("network.hints=32",),
    "trunk half as wide": ("network.hidden=[128, 128]",),
    "rate 0.001": ("learning.rate=0.001",),
    "lambda 0.9": ("learning.trace=0.9",),
    "three passes": ("learning.epochs=3",),
    "shaping by points, fading": ("learning.shaping=0.5",),
    "a fifth of games against past selves": ("opponents.league=0.2",),
    "a fifth of games against the planner": ("opponents.heuristics={planner: 0.2}",),
    "warm start: imitating the planner": ("imitation.agent=planner",),
}  # fmt: skip
"""What to change of `configs/train/quick.yaml`."""


def config_of(changes: tuple[str, ...], steps: int, seed: int, games: int) -> Config:
    """One process, no warm start, no evaluation on the way, and a final one against greedy and planner."""
    fixed = [f"steps={steps}", f"seed={seed}", "processes=1", "imitation.agent=''"]
    fixed += ["evaluation.every=1000000", "evaluation.games=4"]
    fixed += [f"evaluation.final_games={games}", "evaluation.against=[greedy, planner]"]
    return load_config("quick", [*fixed, *changes])


def pace(changes: tuple[str, ...], folder: Path) -> float:
    """Decisions learned from in a processor second, once everything is compiled."""
    config = config_of(changes, 10**6, 1, 4)
    start(config, folder)
    trainer = Trainer(config, folder)
    ppo = trainer.ppo
    rollout = config.games * config.ticks
    ppo.learn(rollout)
    began, before = time.process_time(), ppo.num_timesteps
    ppo.learn(3 * rollout, reset_num_timesteps=False)
    return (ppo.num_timesteps - before) / (time.process_time() - began)


def measure(name: str, changes: tuple[str, ...], seconds: float, seed: int, games: int, out: Path) -> dict[str, object]:
    """Train a variant and measure it; what was found, from the folder if it was found before."""
    place = out / f"{list(VARIANTS).index(name):02d}-{seed}"
    found = place.with_suffix(".json")
    if not found.exists():
        rate = pace(changes, place / "pace")
        left = seconds - (30 if "imitation.agent=planner" in changes else 0)  # watching and fitting take their time
        config = config_of(changes, int(rate * left), seed, games)
        start(config, place / "run")
        began = time.process_time()
        run(place / "run")
        final = json.loads((place / "run" / "final.json").read_text())["against"]
        about = {"name": name, "seed": seed, "rate": rate, "steps": config.steps, "against": final}
        about["seconds"] = time.process_time() - began
        found.write_text(json.dumps(about, indent=1))
    result: dict[str, object] = json.loads(found.read_text())
    return result


def main(
    names: Annotated[list[str] | None, typer.Argument(help="Variants; all if none is named.")] = None,
    seconds: Annotated[float, typer.Option(help="Processor seconds of training for each.")] = 300,
    games: Annotated[int, typer.Option(help="Games against each agent at the end.")] = 4000,
    seed: Annotated[int, typer.Option(help="Where all chance starts.")] = 1,
    out: Annotated[Path, typer.Option(help="A folder for the runs.")] = Path("variants"),
) -> None:
    """Train, measure, print a table."""
    print("| variant | decisions/s | millions learned from | wins against 3 greedy | against 3 planners |")
    print("|---|--:|--:|---|---|")
    for name in names or VARIANTS:
        found = measure(name, VARIANTS[name], seconds, seed, games, out)
        shares = [
            f"{share['share']:.1%} [{share['low']:.1%}, {share['high']:.1%}]"
            for share in found["against"].values()  # type: ignore[attr-defined]
        ]
        print(f"| {name} | {found['rate']:,.0f} | {found['steps'] / 1e6:.2f} | {' | '.join(shares)} |", flush=True)  # type: ignore[operator]


if __name__ == "__main__":
    typer.run(main)
