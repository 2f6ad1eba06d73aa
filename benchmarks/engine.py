"""The engine's speed, and its ratio to the plain reading of the rules in tests/: `python -m benchmarks.engine`.

All figures are random legal play of the base game with four players, measured in this run on this machine.
"""

import os
import platform
import random
import subprocess
import sys
import tempfile
import time
from functools import partial

import numpy as np

from ettana_env import Rules
from ettana_env.engine.batch import in_threads, new_games, play_random_slice, set_up_slice
from ettana_env.tables import tables_of
from tests import plain

PLAYERS = 4
BATCH = 1024
NO_MASKS = np.zeros((0, 0), np.bool_)
NO_COPIES = new_games(0)

START = """
import time
start = time.perf_counter()
from ettana_env import Game
game = Game(seed=1)
while not game.over and game.record.actions < 300:
    legal = game.legal_indices()
    game.play(legal[game.record.actions % len(legal)])
game.mask(), game.to_dict()
print(time.perf_counter() - start)
"""


def fresh(count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Tables, games set up, and the keys of their random players."""
    tables = tables_of(Rules())
    games = new_games(count)
    seeds = np.arange(count, dtype=np.uint64)
    set_up_slice(tables, games, seeds, np.full(count, PLAYERS, np.uint8), 0, count)
    return tables, games, seeds


def whole_games(threads: int, count: int = 1000) -> tuple[float, float]:
    """Steps and games a second, each game played to its end, the legal mask written at every step."""
    tables, games, seeds = fresh(count)
    masks = np.zeros((count, tables[0].action_count), np.bool_)
    play = partial(play_random_slice, tables, games, seeds, masks, NO_COPIES, 2**31)
    start = time.perf_counter()
    in_threads(threads, count, play)
    seconds = time.perf_counter() - start
    return int(games["actions"].sum()) / seconds, count / seconds


def in_batch(threads: int, rounds: int = 400) -> float:
    """Steps a second, all games of a batch one step at a time, with the mask and a copy of the state."""
    tables, games, seeds = fresh(BATCH)
    masks = np.zeros((BATCH, tables[0].action_count), np.bool_)
    step = partial(play_random_slice, tables, games, seeds, masks, games.copy(), 1)
    start = time.perf_counter()
    for _ in range(rounds):
        in_threads(threads, BATCH, step)
    return BATCH * rounds / (time.perf_counter() - start)


def plainly(seconds: float = 4.0) -> float:
    """Steps a second of the plain reading: legal actions listed, one played."""
    rules = Rules().to_dict()
    choice, dice = random.Random(1), plain.Dice(1)
    state = plain.first_state(rules, PLAYERS, dice)
    start, steps = time.perf_counter(), 0
    while time.perf_counter() - start < seconds:
        legal = plain.legal_actions(rules, state)
        if not legal:
            state = plain.first_state(rules, PLAYERS, dice)
            continue
        state = plain.apply(rules, state, choice.choice(legal), dice)
        steps += 1
    return steps / (time.perf_counter() - start)


def starting(cache: str) -> float:
    """Seconds from a new interpreter's first import to 300 moves played."""
    done = subprocess.run(
        [sys.executable, "-c", START], env={**os.environ, "ETTANA_CACHE_DIR": cache}, capture_output=True, check=True
    )
    return float(done.stdout)


def main() -> None:
    """Measure and print."""
    print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}, numpy {np.__version__}")
    with tempfile.TemporaryDirectory() as cache:
        print(f"start, nothing compiled yet          {starting(cache):12.1f} s")
        print(f"start, compiled code from the cache  {min(starting(cache) for _ in range(3)):12.2f} s")
    in_batch(1, 1)  # compile before anything is timed
    steps, games = max(whole_games(1) for _ in range(4))
    steps_two = max(whole_games(2) for _ in range(4))[0]
    slow = plainly()
    one, two = (max(in_batch(threads) for _ in range(4)) for threads in (1, 2))
    print(f"random play with mask, one core      {steps:12,.0f} steps/s")
    print(f"                                     {games:12,.0f} games/s")
    print(f"the same with two threads            {steps_two:12,.0f} steps/s, {steps_two / steps:.2f} times one")
    print(f"batch of {BATCH} with mask and copy     {one:12,.0f} steps/s")
    print(f"the same with two threads            {two:12,.0f} steps/s, {two / one:.2f} times one")
    print(f"plain reading in tests/              {slow:12,.0f} steps/s")
    print(f"engine / plain reading               {steps / slow:12,.0f} times")


if __name__ == "__main__":
    main()
