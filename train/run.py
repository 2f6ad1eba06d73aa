"""A training run: its folder, its processes, its checkpoints, its evaluation."""

import csv
import json
import platform
import shutil
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import torch
import yaml
from safetensors.torch import load_file, save_file
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import Logger, TensorBoardOutputFormat

from agents.arena import play_games
from agents.network import load_network, save_network, shape_of
from agents.policy import NetworkAgent
from agents.results import Share
from ettana_env.errors import EttanaError
from ettana_env.observation import VERSION as OBSERVATION_VERSION
from ettana_env.opponents import register
from ettana_env.version import __version__
from train.config import Config, checked
from train.imitation import imitate, watched
from train.league import League
from train.ppo import SelfPlayPPO
from train.selfplay import SelfPlayEnv
from train.together import cores, run_together, spread, wait

KEPT = 2
"""Checkpoints kept; older ones are removed."""

PACKAGES = ("torch", "stable_baselines3", "sb3_contrib", "numpy", "numba")

CHOOSING, FINAL, IMITATION = 2**41, 2**42, 2**43
"""Where the deals start that choose the best policy, and those that measure it: others, or it would look too good.

And those of games to imitate.
"""

Told = Callable[[dict[str, Any]], None]
"""Told what happens: a dict with `kind` and the rest."""


def start(config: Config, folder: Path) -> None:
    """Make the folder of a run; one that holds something already is refused."""
    if folder.exists() and any(folder.iterdir()):
        raise EttanaError(f"{folder} exists already and is not empty; --resume goes on with a run")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.yaml").write_text(yaml.safe_dump(config.model_dump(mode="json"), sort_keys=False))
    made = {
        "ettana": __version__,
        "python": platform.python_version(),
        "observation": OBSERVATION_VERSION,
        "rules": config.load_rules().to_dict(),
        **{name: version(name) for name in PACKAGES},
    }
    (folder / "versions.json").write_text(json.dumps(made, indent=1, ensure_ascii=False) + "\n")


def config_of(folder: Path) -> Config:
    """The settings of a run that was started; one made for another observation or other rules is refused."""
    path = folder / "config.yaml"
    if not path.is_file():
        raise EttanaError(f"{folder}: there is no run here: no config.yaml")
    config = checked(yaml.safe_load(path.read_text()), str(path))
    made = json.loads((folder / "versions.json").read_text())
    if made["observation"] != OBSERVATION_VERSION:
        raise EttanaError(
            f"{folder}: the run was made for version {made['observation']} of the observation, "
            f"this is version {OBSERVATION_VERSION}: it cannot go on"
        )
    if made["rules"] != config.load_rules().to_dict():
        raise EttanaError(f"{folder}: rules {config.rules!r} are not what they were when the run was made")
    return config


def run(folder: Path, told: Told = lambda event: None) -> None:
    """Train as the folder says, from its last checkpoint if there is one, in as many processes as it asks for."""
    config = config_of(folder)
    run_together(config.processes or cores(), _work, (folder, told), (folder, _silent))


def _silent(event: dict[str, Any]) -> None:
    """For the processes that do not report."""


def _work(rank: int, processes: int, folder: Path, told: Told) -> None:
    """What each process does."""
    Trainer(config_of(folder), folder, rank, processes, told).train()


class Trainer(BaseCallback):
    """Keeps a run going: checkpoints, league, evaluation, notes. Every process has one; the first writes."""

    def __init__(self, config: Config, folder: Path, rank: int = 0, processes: int = 1, told: Told = _silent) -> None:
        """Build everything, and read the last checkpoint if there is one."""
        super().__init__()
        self.config, self.folder, self.rank, self.processes, self.told = config, folder, rank, processes, told
        rules, learning = config.load_rules(), config.learning
        self.games = SelfPlayEnv(config.games, rules, list(config.players), seed=config.seed * 2**40 + rank * 2**36)
        self.league = League(config.opponents)
        self.updates = 0
        self.best = -1.0
        self.before = 0.0
        torch.manual_seed(config.seed)
        self.ppo = SelfPlayPPO(
            self.games,
            rules,
            shape=shape_of(config.network.model_dump()),
            ticks=config.ticks,
            batch_size=learning.batch,
            learning_rate=lambda left: learning.rate * (learning.last_rate + (1 - learning.last_rate) * max(left, 0)),
            n_epochs=learning.epochs,
            clip_range=learning.clip,
            gamma=learning.gamma,
            gae_lambda=learning.trace,
            vf_coef=learning.value,
            max_grad_norm=learning.gradient,
            entropy=(learning.entropy, learning.last_entropy),
            shaping=(learning.shaping, learning.shaping_until),
            luck=learning.luck,
            seed=config.seed + 1000 * rank,
        )
        if config.start:
            self._start_from(Path(config.start))
        spread(self.ppo.policy.network.parameters())
        self.ppo.set_logger(Logger(str(folder), self._outputs()))
        register("candidate", lambda: NetworkAgent(self.ppo.policy.network))

    def _outputs(self) -> list[Any]:
        return [TensorBoardOutputFormat(str(self.folder / "tensorboard"))] if self.rank == 0 else []

    def _start_from(self, path: Path) -> None:
        network, own = load_network(path)[0], self.ppo.policy.network
        if network.shape != own.shape or network.rules.rim_squares != own.rules.rim_squares:
            raise EttanaError(f"start: {path} has a network of another shape than the run's settings ask for")
        own.load_state_dict(network.state_dict())

    def train(self) -> None:
        """Learn until the steps are done; then export the best policy and measure it."""
        self.began = time.perf_counter()
        steps = self.config.steps // self.processes
        resumed = self._load()
        if self.config.imitation.agent and not resumed:
            self._imitate()
        if self.ppo.num_timesteps < steps:
            self.ppo.learn(
                steps - (self.ppo.num_timesteps if resumed else 0),
                self,
                log_interval=1,
                reset_num_timesteps=not resumed,
            )
            self._after_update()
        if not (self.folder / "final.json").exists():
            wait()  # so that all have looked
            self._finish()
        wait()

    def _imitate(self) -> None:
        config, told = self.config, self.told if self.rank == 0 else _silent
        told({"kind": "imitation", "passes": 0, "of": config.imitation.passes})
        seed = IMITATION + self.rank * 2**36
        players, wanted = list(config.players), config.imitation.decisions
        rules = self.ppo.policy.network.rules
        watched_games = watched(self.ppo, config.imitation.agent, rules, players, config.games, wanted, seed)
        imitate(self.ppo, config.imitation, watched_games, told)

    def seconds(self) -> float:
        """How long the run has taken, earlier goes included."""
        return self.before + time.perf_counter() - self.began

    # What Stable-Baselines3 calls.

    def _on_training_start(self) -> None:
        self._seat()

    def _on_step(self) -> bool:
        return True

    def _on_rollout_start(self) -> None:
        if self.ppo._n_updates > self.updates * self.config.learning.epochs:
            self._after_update()

    def _after_update(self) -> None:
        """After each update: note it, keep past selves, evaluate, checkpoint."""
        self.updates += 1
        self.league.note(self.games.results)
        self.games.results.clear()
        self._note_metrics()
        if self.config.opponents.league and self.updates % self.config.opponents.every == 0:
            self.league.keep(self.ppo.policy.network)
            self.league.draw(self.ppo.rng)
            self._seat()
        if self.updates % self.config.evaluation.every == 0:
            self._evaluate()
        self._save()

    def _seat(self) -> None:
        opponents, shares = self.league.opponents()
        self.games.seat_opponents(opponents, shares)

    # Notes.

    def _note_metrics(self) -> None:
        if self.rank:
            return
        noted = {
            name.partition("/")[2]: value
            for name, value in self.ppo.logger.name_to_value.items()
            if name.startswith("train/")
        }
        steps = self.ppo.num_timesteps * self.processes
        row = {"update": self.updates, "steps": steps, "seconds": round(self.seconds(), 1), **noted}
        _append(self.folder / "metrics.csv", row)
        self.told({"kind": "update", "total": self.config.steps, **row})

    def _evaluate(self) -> None:
        if self.rank == 0:
            shares = self.measure(self.config.evaluation.games, self.config.evaluation.players)
            _cut(self.folder / "evaluations.csv", self.updates - 1)  # the run's end may find it evaluated already
            for spec, share in shares.items():
                row: dict[str, Any] = {"update": self.updates, "steps": self.ppo.num_timesteps * self.processes}
                row |= {"seconds": round(self.seconds(), 1), "against": spec, "wins": share.wins, "games": share.games}
                row |= {"share": round(share.share, 4), "low": round(share.low, 4), "high": round(share.high, 4)}
                _append(self.folder / "evaluations.csv", row)
                for name in ("share", "low", "high"):
                    self.ppo.logger.record(f"evaluation/{spec}/{name}", row[name])
            self.ppo.logger.dump(self.ppo.num_timesteps * self.processes)
            decisive = shares[self.config.evaluation.against[-1]].share
            if decisive > self.best:
                self.best = decisive
                self.export("policy")
            draw_curve(self.folder)
            self.told({"kind": "evaluation", "shares": shares})
        wait()

    def measure(self, games: int, players: int, seed: int = CHOOSING) -> dict[str, Share]:
        """The policy's share of wins against each of the fixed agents, always on the same deals."""
        found = {}
        for spec in self.config.evaluation.against:
            results = play_games(["candidate", spec], self.ppo.policy.network.rules, players, games, seed)
            found[spec] = results.share("candidate")
        return found

    def export(self, name: str) -> None:
        """Write the policy as safetensors and JSON."""
        about = {
            "steps": self.ppo.num_timesteps * self.processes,
            "seconds": round(self.seconds(), 1),
            "seed": self.config.seed,
            "config": self.config.model_dump(mode="json"),
            "engine": __version__,
        }
        save_network(self.ppo.policy.network, self.folder / f"{name}.safetensors", about)

    def _finish(self) -> None:
        self._evaluate()
        if self.rank:
            return
        network, _ = load_network(self.folder / "policy.safetensors")
        register("candidate", lambda: NetworkAgent(network))
        shares = self.measure(self.config.evaluation.final_games, self.config.evaluation.players, FINAL)
        table = {spec: vars(share) | {"share": share.share} for spec, share in shares.items()}
        _write_json(self.folder / "final.json", {"players": self.config.evaluation.players, "against": table})
        self.told({"kind": "final", "shares": shares})

    # Checkpoints.

    def _save(self) -> None:
        """Write a checkpoint beside, then put it in place; all processes write their part."""
        part, place = self.folder / "checkpoints" / "next", self.folder / "checkpoints" / f"{self.updates:06d}"
        if self.rank == 0:
            shutil.rmtree(part, ignore_errors=True)
            part.mkdir(parents=True)
        wait()
        state = {
            "steps": self.ppo.num_timesteps,
            "passes": self.ppo._n_updates,
            "updates": self.updates,
            "best": self.best,
            "seconds": self.seconds(),
            "processes": self.processes,
            "draws": self.ppo.rng.bit_generator.state,
            "seat_draws": self.games.draws,
            "league": self.league.state(),
        }
        if self.rank == 0:
            self.league.save(part)
        (part / f"state-{self.rank}.json").write_text(json.dumps(state))
        arrays = {f"game_{name}": array for name, array in self.games.arrays().items()}
        arrays |= {f"row_{name}": array for name, array in self.ppo.rollout_buffer.open_rows().items()}
        np.savez(part / f"games-{self.rank}.npz", **arrays)  # type: ignore[arg-type]
        if self.rank == 0:
            save_file(self.ppo.policy.network.state_dict(), part / "network.safetensors")
            save_file(_optimizer_tensors(self.ppo.policy.optimizer), part / "optimizer.safetensors")
        wait()
        if self.rank == 0:
            part.rename(place)
            for old in sorted(self.folder.glob("checkpoints/0*"))[:-KEPT]:
                shutil.rmtree(old)

    def _load(self) -> bool:
        """Read the last checkpoint; False if there is none."""
        found = sorted(self.folder.glob("checkpoints/0*"))
        if not found:
            self._forget_after(0)
            return False
        place = found[-1]
        if not (place / f"state-{self.rank}.json").is_file():
            raise EttanaError(f"{place}: was written by fewer processes than the {self.processes} of now")
        state = json.loads((place / f"state-{self.rank}.json").read_text())
        if state["processes"] != self.processes:
            raise EttanaError(
                f"{place}: was written by {state['processes']} processes; go on with processes={state['processes']}"
            )
        self.ppo.policy.network.load_state_dict(load_file(place / "network.safetensors"))
        _load_optimizer(self.ppo.policy.optimizer, load_file(place / "optimizer.safetensors"))
        self.ppo.num_timesteps, self.ppo._n_updates = state["steps"], state["passes"]
        self.ppo._update_current_progress_remaining(state["steps"], self.config.steps // self.processes)
        self.updates, self.best, self.before = state["updates"], state["best"], state["seconds"]
        self._forget_after(self.updates)
        self.ppo.rng.bit_generator.state = state["draws"]
        self.league.load(place, state["league"])
        with np.load(place / f"games-{self.rank}.npz", allow_pickle=False) as arrays:
            kept = dict(arrays)
        self.games.restore(_named(kept, "game_"), state["seat_draws"])
        self.ppo.rollout_buffer.restore(_named(kept, "row_"))
        self.ppo._last_obs = self.games.batch.observations.copy()
        self.ppo._last_episode_starts = np.zeros(self.games.num_envs, bool)
        return True

    def _forget_after(self, updates: int) -> None:
        """Take out of the tables what was written after so many updates: it will be written again."""
        if self.rank == 0:
            for name in ("metrics.csv", "evaluations.csv"):
                _cut(self.folder / name, updates)


def _named(arrays: dict[str, Any], start: str) -> dict[str, Any]:
    return {name.removeprefix(start): array for name, array in arrays.items() if name.startswith(start)}


def _optimizer_tensors(optimizer: torch.optim.Optimizer) -> dict[str, torch.Tensor]:
    """Adam's memory, by parameter and name."""
    return {
        f"{number}.{name}": tensor.clone()
        for number, entry in optimizer.state_dict()["state"].items()
        for name, tensor in entry.items()
    }


def _load_optimizer(optimizer: torch.optim.Optimizer, tensors: dict[str, torch.Tensor]) -> None:
    state: dict[int, dict[str, torch.Tensor]] = {}
    for key, tensor in tensors.items():
        number, _, name = key.partition(".")
        state.setdefault(int(number), {})[name] = tensor
    optimizer.load_state_dict({"state": state, "param_groups": optimizer.state_dict()["param_groups"]})


def _append(path: Path, row: dict[str, Any]) -> None:
    """Add a line to a table, with its heading if it is the first."""
    new = not path.exists()
    with path.open("a", newline="") as file:
        writer = csv.DictWriter(file, list(row))
        if new:
            writer.writeheader()
        writer.writerow(row)


def _cut(path: Path, updates: int) -> None:
    """Take the lines out of a table that were written after so many updates; a table left empty goes."""
    if not path.exists():
        return
    with path.open(newline="") as file:
        rows = list(csv.DictReader(file))
    kept = [row for row in rows if int(row["update"]) <= updates]
    if not kept:
        path.unlink()
    elif len(kept) < len(rows):
        part = path.with_suffix(".part")
        part.unlink(missing_ok=True)
        for row in kept:
            _append(part, row)
        part.replace(path)


def _write_json(path: Path, value: Any) -> None:
    part = path.with_suffix(".part")
    part.write_text(json.dumps(value, indent=1) + "\n")
    part.replace(path)


def draw_curve(folder: Path) -> None:
    """Draw the evaluations as `curve.png`: the share of wins against each agent, with intervals."""
    from matplotlib.figure import Figure

    with (folder / "evaluations.csv").open() as file:
        rows = list(csv.DictReader(file))
    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.add_subplot()
    for spec in dict.fromkeys(row["against"] for row in rows):
        own = [row for row in rows if row["against"] == spec]
        steps = np.array([float(row["steps"]) for row in own]) / 1e6
        (line,) = axes.plot(steps, [float(row["share"]) for row in own], marker=".", label=f"against {spec}")
        low, high = ([float(row[key]) for row in own] for key in ("low", "high"))
        axes.fill_between(steps, low, high, alpha=0.15, color=line.get_color())
    axes.set_xlabel("decisions learned from, millions")
    axes.set_ylabel("share of wins")
    axes.set_ylim(0, 1)
    axes.grid(alpha=0.3)
    axes.legend()
    figure.savefig(folder / "curve.png", dpi=110)
