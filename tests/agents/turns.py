"""Exhaustive search of a turn: every sequence of actions that hold no chance. For checking what planners find."""

from typing import Any

import numpy as np

from agents.planner import CERTAIN
from ettana_env import Game
from ettana_env.compiled import compiled
from ettana_env.engine.barriers import is_complete
from ettana_env.engine.batch import new_games
from ettana_env.engine.legal import list_legal
from ettana_env.engine.play import play
from ettana_env.vocabulary import ACT, NONE, OVER, V_CLAIM, V_END_TURN

DEEPEST = 6


@compiled
def walk(t: Any, stack: Any, legal: Any, counts: Any, at: Any, path: Any, depth: int, broken: int, most: int) -> int:
    """Try every sequence of `depth` actions from stack[0], claims and certain actions.

    With `broken` NONE it looks for a win by the last action; else for a turn ended with that design not complete. The
    sequence is left in `path`. 1 if one is found, 0 if there is none, NONE if that would take more than `most` trials.
    """
    seat = stack[0].player
    tried = 0
    level = 0
    counts[0] = list_legal(t, stack[0], legal[0])
    at[0] = 0
    while level >= 0:
        if at[level] == counts[level]:
            level -= 1
            continue
        action: Any = np.int64(legal[level, at[level]])
        at[level] += 1
        verb = t.verb[action]
        last = level == depth - 1
        if verb == V_END_TURN:
            if broken == NONE or not last:
                continue
        elif verb != V_CLAIM and (not CERTAIN[verb] or last):
            continue  # the last action is a claim, or the end of the turn
        elif last and broken != NONE:
            continue
        tried += 1
        if tried > most:
            return NONE
        path[level] = action
        stack[level + 1] = stack[level]
        play(t, stack[level + 1], action)
        if last:
            if broken == NONE and stack[level + 1].phase == OVER and stack[level + 1].winner == seat:
                return 1
            if broken != NONE and not is_complete(t, stack[level + 1], broken):
                return 1
        elif stack[level + 1].phase == ACT and stack[level + 1].player == seat:
            level += 1
            counts[level] = list_legal(t, stack[level], legal[level])
            at[level] = 0
    return 0


@compiled
def complete(tables: Any, games: Any, design: int) -> bool:
    """Is a design complete on the board?"""
    return is_complete(tables[0], games[0], design)


@compiled
def search(
    tables: Any, stack: Any, legal: Any, counts: Any, at: Any, path: Any, depth: int, broken: int, most: int
) -> int:
    """`walk`, for Python."""
    return walk(tables[0], stack, legal, counts, at, path, depth, broken, most)


def sequence(game: Game, depth: int, broken: int = NONE, most: int = 30_000_000) -> list[int] | None:
    """A sequence of exactly `depth` actions that wins (or ends the turn with a design broken), or None."""
    stack = new_games(DEEPEST + 1)
    stack[0] = game._games[0]
    legal = np.zeros((DEEPEST + 1, len(game.actions) + 1), np.int16)
    path = np.zeros(DEEPEST, np.int64)
    room = np.zeros(DEEPEST + 1, np.int64), np.zeros(DEEPEST + 1, np.int64)
    found = search(game._tables, stack, legal, *room, path, depth, broken, most)
    if found == NONE:
        raise OverflowError(f"more than {most:,} sequences of {depth} actions")
    return path[:depth].tolist() if found else None


def wins_in(game: Game, most: int) -> int | None:
    """The fewest actions that win this turn without chance, if at most so many do."""
    return next((depth for depth in range(1, most + 1) if sequence(game, depth)), None)
