"""The environments' speed against peers', in one run on one core: `python -m benchmarks.environments`.

Random legal play with observation and mask at every step; each figure is the best of several short windows, taken in
turn with its alternative. Peers that are not among the project's dependencies run in an environment of their own
(`make bench` sets it up); steps of different games are not the same amount of play.
"""

import json
import os
import platform
import random
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from ettana_env import BatchEnv, ettana_v0

PEERS = Path(os.environ.get("ETTANA_PEERS", ".venv-peers"))
BATCH = 1024


def aec(env: Any) -> Callable[[int], None]:
    """A player of random legal actions in an AEC environment."""
    draw = random.Random(0)
    env.reset(seed=1)

    def play(steps: int) -> None:
        for _ in range(steps):
            seen, _, termination, truncation, _ = env.last()
            if termination or truncation:
                env.reset()
                continue
            legal = np.flatnonzero(seen["action_mask"])
            env.step(int(legal[int(draw.random() * len(legal))]))

    return play


def batch(features: str | None, threads: int = 1) -> Callable[[int], None]:
    """A player of random legal actions in a batch; its steps are rounded up to whole batches."""
    env = BatchEnv(BATCH, features=features, threads=threads)
    env.reset(seed=1)

    def play(steps: int) -> None:
        for _ in range(-(-steps // BATCH)):
            env.step(env.random_actions())

    return play


def best_rates(players: dict[str, tuple[Callable[[int], None], int]], windows: int = 15) -> dict[str, float]:
    """The best rate of each over short windows taken in turn."""
    rates = dict.fromkeys(players, 0.0)
    for play, steps in players.values():
        play(steps)  # compile and warm up
    for _ in range(windows):
        for name, (play, steps) in players.items():
            start = time.perf_counter()
            play(steps)
            rates[name] = max(rates[name], steps / (time.perf_counter() - start))
    return rates


def peer(name: str) -> float | None:
    """A peer's rate, measured in its own environment on this core; None if that is not set up."""
    python = PEERS / "bin" / "python"
    if not python.exists():
        return None
    script = str(Path(__file__).parent / "peers.py")
    one_core = {
        "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1",
        "OMP_NUM_THREADS": "1",
    }
    done = subprocess.run([str(python), script, name], env={**os.environ, **one_core}, capture_output=True, check=True)
    return float(json.loads(done.stdout)["steps_per_second"])


def connect_four() -> Any:
    """PettingZoo's connect_four_v3."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pettingzoo.classic import connect_four_v3

        return connect_four_v3.env()


def main() -> int:
    """Measure and print; 1 if a peer was left out."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    print(f"{platform.machine()}, one core, Python {platform.python_version()}, numpy {np.__version__}, steps a second")
    rates = best_rates(
        {
            "AEC": (aec(ettana_v0.env()), 1500),
            "connect_four_v3": (aec(connect_four()), 700),
            "batch": (batch(None), 20 * BATCH),
            "batch, planning features": (batch("planning"), 10 * BATCH),
        }
    )
    ours, theirs = rates["AEC"], rates["connect_four_v3"]
    print(f"AEC, ettana_v0.env()                       {ours:12,.0f}")
    print(f"PettingZoo connect_four_v3                 {theirs:12,.0f}   ours / theirs {ours / theirs:8.1f}")
    for name in ("batch", "batch, planning features"):
        print(f"{f'{name}, {BATCH} games':42} {rates[name]:12,.0f}")
    left_out = False
    for name, title in (("pgx", f"Pgx backgammon, batch {BATCH}"), ("open_spiel", "OpenSpiel backgammon")):
        rate = peer(name)
        if rate is None:
            print(f"{title}: left out, {PEERS} is not set up (make bench does it)", file=sys.stderr)
            left_out = True
        else:
            print(f"{title:42} {rate:12,.0f}   batch / theirs {rates['batch'] / rate:7.1f}")
    return int(left_out)


if __name__ == "__main__":
    raise SystemExit(main())
