"""The engine over arrays of games. Threads share nothing, so their number never changes a result.

The compiled loops work on a slice of the games without the interpreter lock; `in_threads` deals the slices
out. An action of NONE (-1) leaves its game alone.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ettana_env.compiled import compiled
from ettana_env.engine.barriers import OK
from ettana_env.engine.chance import PLAYER, below, word
from ettana_env.engine.hidden import determinize
from ettana_env.engine.legal import barrier, list_legal
from ettana_env.engine.play import play
from ettana_env.engine.setup import set_up
from ettana_env.state import GAME
from ettana_env.vocabulary import OVER

Games = NDArray[Any]
"""An array of GAME records."""


def new_games(count: int) -> Games:
    """Room for `count` games, not yet set up."""
    return np.zeros(count, dtype=GAME)


@cache
def _pool(threads: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(threads - 1, thread_name_prefix="ettana")


def in_threads(threads: int, count: int, work: Callable[[int, int], object]) -> None:
    """Call `work(start, stop)` for slices that cover `count` games, in so many threads."""
    if threads <= 1 or count <= 1:
        work(0, count)
        return
    bounds = [count * i // threads for i in range(threads + 1)]
    others = [_pool(threads).submit(work, bounds[i], bounds[i + 1]) for i in range(1, threads)]
    try:
        work(bounds[0], bounds[1])
    finally:
        for other in others:
            other.result()


@compiled
def set_up_slice(tables: Any, games: Any, seeds: Any, players: Any, start: int, stop: int) -> None:
    """Set up games with their seeds and numbers of players."""
    for i in range(start, stop):
        set_up(tables[0], games[i], seeds[i], players[i])


@compiled
def list_one(tables: Any, games: Any, i: int, out: Any) -> int:
    """The legal actions of one game, as `list_legal`."""
    return list_legal(tables[0], games[i], out)


@compiled
def barrier_one(tables: Any, games: Any, i: int, action: int) -> int:
    """What bars an action in one game, as `barrier`."""
    return barrier(tables[0], games[i], action)


@compiled
def play_one(tables: Any, games: Any, i: int, action: int) -> None:
    """Play a legal action in one game, as `play`."""
    play(tables[0], games[i], action)


@compiled
def determinize_one(tables: Any, games: Any, i: int, seat: int, key: Any) -> None:
    """Draw anew what a seat cannot know of one game, as `determinize`."""
    determinize(tables[0], games[i], seat, np.uint64(key))


@compiled
def mask_slice(tables: Any, games: Any, masks: Any, start: int, stop: int) -> None:
    """Write the legal masks of games; all false for a game that is over."""
    t = tables[0]
    legal = np.empty(t.action_count + 1, np.int16)
    for i in range(start, stop):
        masks[i, :] = 0
        for n in range(list_legal(t, games[i], legal)):
            masks[i, legal[n]] = 1


@compiled
def check_slice(tables: Any, games: Any, actions: Any, start: int, stop: int) -> int:
    """The first game whose action is illegal, or -1."""
    for i in range(start, stop):
        if actions[i] != -1 and barrier(tables[0], games[i], actions[i]) != OK:
            return i
    return -1


@compiled
def play_slice(tables: Any, games: Any, actions: Any, start: int, stop: int) -> None:
    """Play a legal action in each game."""
    for i in range(start, stop):
        if actions[i] != -1:
            play(tables[0], games[i], actions[i])


@compiled
def choose_random(key: Any, g: Any, legal: Any, count: int) -> int:
    """One of the first `count` of `legal`, each as likely; the same for one key at the same moment."""
    return legal[below(word(key, PLAYER, g.actions, g.turn), count)]


@compiled
def play_random_slice(
    tables: Any, games: Any, keys: Any, masks: Any, copies: Any, steps: int, start: int, stop: int
) -> int:
    """Play at most `steps` random legal actions in each game until it is over; how many were played.

    With room for them in `masks` and `copies` (else of length 0) the legal mask and a copy of the state
    are written at every step, as a learner would need them.
    """
    t = tables[0]
    legal = np.empty(t.action_count + 1, np.int16)
    played = 0
    for i in range(start, stop):
        for _ in range(steps):
            if games[i].phase == OVER:
                break
            count = list_legal(t, games[i], legal)
            if len(masks) > 0:
                masks[i, :] = 0
                for n in range(count):
                    masks[i, legal[n]] = 1
            if len(copies) > 0:
                copies[i] = games[i]
            play(t, games[i], choose_random(keys[i], games[i], legal, count))
            played += 1
    return played
