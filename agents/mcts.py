"""Monte-Carlo search over worlds that fit what the seat may know.

The candidates are the planner's own choice and the actions that look best at a glance. In each simulation a world is
drawn (the others' hands, the stacks, the dice to come), and every candidate is tried in the *same* world: it is played,
the rest of the turn and the others' turns are played by planners of little patience, and when the seat is about to roll
again (or the game is over) the outlook says how likely it is to win. Candidates that do worse are dropped by halves, so
that most simulations go to the choice that is hard to make. Since all candidates meet the same luck, few worlds tell
them apart: this is why it halves over shared worlds instead of growing a tree in which each action has luck of its own.
"""

import time
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.desk import Desk, Thinker, new_desk
from agents.greedy import best_action, study, wipe
from agents.judgement import worth_of_change, worth_of_rest
from agents.outlook import OWN, outlook
from agents.planner import planned, weights_of
from ettana_env import BatchEnv
from ettana_env.compiled import compiled
from ettana_env.engine.batch import new_games
from ettana_env.engine.chance import SEARCH, word
from ettana_env.engine.hidden import determinize
from ettana_env.engine.legal import list_legal
from ettana_env.engine.play import play
from ettana_env.errors import EttanaError
from ettana_env.vocabulary import OVER, ROLL, V_CLAIM

MOST_ARMS = 32
PLAN_WIDTH, PLAN_DEPTH, PLAN_TRIES = 6, 6, 6
"""How the root's own plan is made."""
QUICK_WIDTH, QUICK_DEPTH, QUICK_TRIES = 2, 4, 3
"""How turns are planned inside a simulation."""


class SearchDesk(NamedTuple):
    """Room for a search: a planner's desk, a world and a copy of it to play in, and a tally for each candidate."""

    desk: Desk
    worlds: NDArray[Any]
    parts: NDArray[np.float64]
    legal: NDArray[np.int16]
    arms: NDArray[np.int64]
    ranks: NDArray[np.float64]
    sums: NDArray[np.float64]
    squares: NDArray[np.float64]


@compiled
def play_out(t: Any, g: Any, seat: int, key: Any, rounds: int, room: Any, w: Any) -> float:
    """Play this turn to its end, and on until the seat has been about to roll so often; how likely it wins then."""
    turn = g.turn
    while g.phase != OVER:
        if g.phase == ROLL and g.turn != turn:
            turn = g.turn
            rounds -= g.player == seat
            if rounds <= 0:
                break
        count = list_legal(t, g, room.legal)
        if count == 1:
            action = np.int64(room.legal[0])
        elif g.player == seat:
            action = planned(t, g, key, room.desk, room.desk.plan[0], w, QUICK_WIDTH, QUICK_DEPTH, QUICK_TRIES)
        else:
            action = best_action(t, g, key, room.legal, count, room.desk, room.desk.plan[0], w)
        play(t, g, action)
    return outlook(t, g, seat, room.parts)


@compiled
def find_arms(t: Any, root: Any, key: Any, room: Any, plan: Any, w: Any, most: int) -> int:
    """Write the candidates, the planner's choice first; how many there are."""
    seat = np.int64(root.player)
    own = planned(t, root, key, room.desk, plan, w, PLAN_WIDTH, PLAN_DEPTH, PLAN_TRIES)
    arms, ranks, legal = room.arms, room.ranks, room.legal
    arms[0] = own
    found = 1
    count = list_legal(t, root, legal)
    study(t, root, legal, count, room.desk, room.desk.plan[0])
    for n in range(count):
        action = np.int64(legal[n])
        if action == own:
            continue
        f = room.desk.features[action]
        rank = worth_of_rest(t, root, seat, action, f, room.desk.odds, w) + worth_of_change(f, w)
        place = found if found < most else most
        while place > 1 and ranks[place - 1] < rank:
            if place < most:
                ranks[place], arms[place] = ranks[place - 1], arms[place - 1]
            place -= 1
        if place < most:
            ranks[place], arms[place] = rank, action
            found = min(found + 1, most)
    wipe(legal, count, room.desk.features)
    return found


@compiled
def search(
    t: Any, root: Any, key: Any, room: Any, plan: Any, w: Any, sims: int, most: int, rounds: int, doubt: float
) -> int:
    """The candidate that does best over the worlds tried, in about `sims` simulations.

    It takes the place of the planner's choice only if it does better by more than `doubt` standard errors.
    """
    seat = np.int64(root.player)
    alive = find_arms(t, root, key, room, plan, w, most)
    arms, sums, squares = room.arms, room.sums, room.squares
    if t.verb[arms[0]] == V_CLAIM:
        return arms[0]
    sums[:alive] = 0.0
    squares[:alive] = 0.0
    halvings = 0
    while (1 << halvings) < alive:
        halvings += 1
    world = 0
    left = sims
    while halvings > 0:
        for _ in range(max(1, left // (alive * halvings))):
            room.worlds[0] = root
            determinize(t, room.worlds[0], seat, word(key, SEARCH, np.int64(root.actions), world))
            world += 1
            left -= alive
            base = 0.0
            for k in range(alive):
                room.worlds[1] = room.worlds[0]
                play(t, room.worlds[1], arms[k])
                chance = play_out(t, room.worlds[1], seat, key, rounds, room, w)
                if k == 0:
                    base = chance
                sums[k] += chance - base
                squares[k] += (chance - base) ** 2
        # Beside the planner's choice the better half stays; of equals, the one that came first.
        for k in range(2, alive):
            arm, total, square = arms[k], sums[k], squares[k]
            j = k
            while j > 1 and sums[j - 1] < total:
                arms[j], sums[j], squares[j] = arms[j - 1], sums[j - 1], squares[j - 1]
                j -= 1
            arms[j], sums[j], squares[j] = arm, total, square
        alive = (alive + 1) // 2 if alive > 2 else 2
        halvings -= 1
    if alive < 2:
        return arms[0]
    mean = sums[1] / world
    error = (max(squares[1] / world - mean * mean, 0.0) / max(world - 1, 1)) ** 0.5
    return arms[1] if mean > doubt * error + 1e-6 else arms[0]


@compiled
def choose_by_search(
    tables: Any,
    games: Any,
    rows: Any,
    marked: Any,
    room: Any,
    plans: Any,
    w: Any,
    sims: int,
    most: int,
    rounds: int,
    doubt: float,
    actions: Any,
) -> None:
    """The best candidate for every marked game."""
    for i in marked:
        if rows[i].count == 1:
            list_legal(tables[0], games[i], room.legal)
            actions[i] = room.legal[0]
        else:
            actions[i] = search(tables[0], games[i], rows[i].seed, room, plans[i], w, sims, most, rounds, doubt)


class Mcts(Thinker):
    """Searches over worlds that fit what its seat may know; `sims` simulations a decision, or `ms` milliseconds."""

    games_at_once = 64

    def __init__(
        self,
        sims: int = 200,
        ms: float = 0.0,
        arms: int = 6,
        rounds: int = 1,
        doubt: float = 0.0,
        style: str = "builder",
    ) -> None:
        """`arms` candidates are tried; a simulation goes on for so many `rounds` (0: to the end of the turn).

        `doubt` is by how many standard errors a candidate must do better than the planner's choice to be preferred.

        With `ms` above 0 the number of simulations is worked out from how long they took before, so choices then depend
        on the machine; without, a seed gives the same choices everywhere.
        """
        super().__init__()
        self._weights = weights_of(style, "mcts")
        for name, number, most in (("sims", sims, 10**6), ("arms", arms, MOST_ARMS), ("rounds", rounds, 64)):
            if not (name != "rounds") <= number <= most:
                raise EttanaError(f"mcts: {name} must be from {int(name != 'rounds')} to {most}, not {number}")
        if not 0 <= ms <= 10**7:
            raise EttanaError(f"mcts: ms must be from 0 to 10000000, not {ms:g}")
        self._sims, self._arms, self._rounds, self._doubt, self._ms = sims, arms, rounds, doubt, ms
        self._pace = 0.0  # milliseconds a simulation takes, as measured; 0 before

    def _new_desk(self, actions: int) -> SearchDesk:
        return SearchDesk(
            new_desk(actions, PLAN_WIDTH, PLAN_TRIES),
            new_games(2),
            np.zeros(len(OWN)),
            np.zeros(actions + 1, np.int16),
            np.zeros(MOST_ARMS + 1, np.int64),
            np.zeros(MOST_ARMS + 1),
            np.zeros(MOST_ARMS + 1),
            np.zeros(MOST_ARMS + 1),
        )

    def _think(self, env: BatchEnv, marked: NDArray[np.int64], desk: Any, actions: NDArray[np.int64]) -> None:
        def think(games: NDArray[np.int64], sims: int) -> None:
            choose_by_search(
                env._tables, env._games, env._rows, games, desk, self._plans, self._weights,
                sims, self._arms, self._rounds, self._doubt, actions,
            )  # fmt: skip

        if not self._ms:
            think(marked, self._sims)
            return
        for i in range(len(marked)):
            if not self._pace:
                think(marked[i : i + 1], self._arms)  # compiled by now
            sims = max(self._arms, int(self._ms / self._pace)) if self._pace else self._arms
            start = time.perf_counter()
            think(marked[i : i + 1], sims)
            took = 1000 * (time.perf_counter() - start) / sims
            self._pace = 0.9 * self._pace + 0.1 * took if self._pace else took
