"""The engine over arrays of games. Threads share nothing, so their number never changes a result.

The compiled loops work on a slice of the games without the interpreter lock; `in_threads` deals the slices
out. An action of NONE (-1) leaves its game alone.
"""

import os
from collections.abc import Callable
from functools import cache
from queue import SimpleQueue
from threading import Thread
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ettana_env.compiled import compiled
from ettana_env.engine.barriers import OK
from ettana_env.engine.chance import PLAYER, below, word
from ettana_env.engine.hidden import determinize
from ettana_env.engine.legal import barrier, list_legal
from ettana_env.engine.observe import observe, observe_all
from ettana_env.engine.planning import write_features
from ettana_env.engine.play import play
from ettana_env.engine.prospects import write_prospects
from ettana_env.engine.rewarding import pay_rewards
from ettana_env.engine.setup import set_up
from ettana_env.state import GAME
from ettana_env.vocabulary import OVER

Games = NDArray[Any]
"""An array of GAME records."""


def new_games(count: int) -> Games:
    """Room for `count` games, not yet set up."""
    return np.zeros(count, dtype=GAME)


class _Workers:
    """Threads that wait for work; a plain queue wakes them faster than an executor's futures."""

    def __init__(self, count: int) -> None:
        self._queues: list[SimpleQueue[Any]] = [SimpleQueue() for _ in range(count)]
        for number, tasks in enumerate(self._queues):
            Thread(target=self._serve, args=(tasks,), name=f"ettana-{number}", daemon=True).start()

    @staticmethod
    def _serve(tasks: "SimpleQueue[Any]") -> None:
        while True:
            work, start, stop, done = tasks.get()
            try:
                work(start, stop)
                done.put(None)
            except BaseException as error:
                done.put(error)
            del work, done

    def run(self, work: Callable[[int, int], object], bounds: list[int]) -> None:
        """Work on the slices between the bounds, the first of them in the calling thread."""
        done: SimpleQueue[BaseException | None] = SimpleQueue()
        for tasks, start, stop in zip(self._queues, bounds[1:-1], bounds[2:], strict=True):
            tasks.put((work, start, stop, done))
        try:
            work(bounds[0], bounds[1])
        finally:
            errors = [error for error in [done.get() for _ in self._queues] if error is not None]
        if errors:
            raise errors[0]


@cache
def _workers(count: int) -> _Workers:
    return _Workers(count)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_workers.cache_clear)  # threads do not live on in a forked process


def in_threads(threads: int, count: int, work: Callable[[int, int], object]) -> None:
    """Call `work(start, stop)` for slices that cover `count` games, in so many threads."""
    if threads <= 1 or count <= 1:
        work(0, count)
        return
    _workers(threads - 1).run(work, [count * i // threads for i in range(threads + 1)])


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
def observe_one(tables: Any, games: Any, i: int, seat: int, out: Any) -> None:
    """What a seat sees of one game, as `observe`."""
    observe(tables[0], games[i], seat, out)


@compiled
def look_one(tables: Any, games: Any, i: int, seat: int, vector: Any, mask: Any) -> bool:
    """What a seat sees of one game and may do in it; whether it is to act. `mask` is all zero before."""
    t = tables[0]
    observe(t, games[i], seat, vector)
    acts = games[i].player == seat
    if acts:
        legal = np.empty(t.action_count + 1, np.int16)
        for n in range(list_legal(t, games[i], legal)):
            mask[legal[n]] = 1
    return acts


@compiled
def observe_all_one(tables: Any, games: Any, i: int, out: Any) -> None:
    """The whole truth of one game, as `observe_all`."""
    observe_all(tables[0], games[i], out)


@compiled
def features_one(tables: Any, games: Any, i: int, work: Any, plans: Any, out: Any) -> None:
    """The features of the legal actions of one game; `out` is all zero before."""
    t = tables[0]
    legal = np.empty(t.action_count + 1, np.int16)
    count = list_legal(t, games[i], legal)
    write_features(t, games[i], work[0], plans[i], legal, count, out)
    write_prospects(t, games[i], work[0], plans[i], legal, count, out)


@compiled
def pay_one(tables: Any, games: Any, i: int, scheme: int, rewards: Any) -> None:
    """What a game that was over from the start pays."""
    pay_rewards(tables[0], games[i], scheme, games[i].points, rewards)


@compiled
def try_one(tables: Any, games: Any, i: int, action: int, scheme: int, rewards: Any) -> int:
    """Play an action in one game if nothing bars it, and write what it pays; what bars it, or OK."""
    g = games[i]
    bars = barrier(tables[0], g, action)
    if bars == OK:
        before = g.points.copy()
        play(tables[0], g, action)
        rewards[:] = 0
        pay_rewards(tables[0], g, scheme, before, rewards)
    return bars


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
