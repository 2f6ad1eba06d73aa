"""Restricted play: an agent that never uses something, among those that may. What it loses is what that is worth.

The agent does not merely pass over the forbidden action: it thinks in a game in which it cannot be done. Cards it must
not play are not in the hand it sees, prices it must not pay are beyond reach, and what the rules can switch off is off.
What is left (walking, jumping, claiming) it does not choose, though it may still hope to; and where nothing else is
legal, it is done.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.stats import norm

from agents.arena import Progress
from balance.meetings import meet
from balance.statistics import Z, benjamini_hochberg
from ettana_env import BatchEnv, Rules
from ettana_env.compiled import compiled
from ettana_env.engine.legal import list_legal
from ettana_env.engine.observe import write_seen, write_slots
from ettana_env.errors import EttanaError
from ettana_env.opponents import Opponent, opponent, register
from ettana_env.tables import tables_of
from ettana_env.validation import did_you_mean, shown
from ettana_env.vocabulary import CARD_OF, KINDS, VERBS

PRICED = {"buy_action": "price_action", "buy_swap": "price_swap", "buy_design": "price_design"}
SWITCHED = ("free_swap", "exchange")
BEYOND_REACH = 30_000
"""A price nobody can pay."""
NEEDED = ("place", "roll", "end_turn")
"""What cannot be left out: without it there is no game."""
WITHOUT = "-without-"


def forbidden_by(name: str) -> tuple[str, ...]:
    """The kinds of action that a name stands for: an action's own, or those a kind of card is played by."""
    verbs = {name} if name in VERBS else {verb for verb, card in CARD_OF.items() if card == name}
    if not verbs or verbs & set(NEEDED):
        known = [verb for verb in VERBS if verb not in NEEDED] + [kind for kind in KINDS if kind not in VERBS]
        known.remove("victory_point")
        why = "cannot be left out" if verbs else f"is no action and no card{did_you_mean(name, known)}"
        raise EttanaError(f"--without: {shown(name)} {why}; there are {', '.join(known)}")
    return tuple(verb for verb in VERBS if verb in verbs)


@compiled
def blinker_slice(
    tables: Any,
    games: Any,
    marked: Any,
    kinds: Any,
    verbs: Any,
    copies: Any,
    rows: Any,
    legal: Any,
    masks: Any,
    observations: Any,
    start: int,
    stop: int,
) -> None:
    """For each marked game, the game as the restricted seat is to see it: its record, legal actions and observation."""
    t = tables[0]
    for n in range(start, stop):
        i = marked[n]
        copies[i] = games[i]
        g = copies[i]
        for kind in range(len(kinds)):
            if kinds[kind]:
                g.action_hands[g.player, kind] = 0
        count = list_legal(t, g, legal[i])
        kept = 0
        for k in range(count):
            if not verbs[t.verb[legal[i, k]]]:
                legal[i, kept] = legal[i, k]
                kept += 1
        if kept == 0:  # nothing else is left to do
            kept = count
        rows[i].count, rows[i].seat, rows[i].players = kept, g.player, g.players
        masks[i, :] = False
        for k in range(kept):
            masks[i, legal[i, k]] = True
        slots = write_seen(t, g, np.int64(g.player), observations[i])
        write_slots(t, g.design_hands[g.player], observations[i, slots:])


class Without:
    """An agent that never uses some kinds of action, and does not count on them either."""

    def __init__(self, spec: str, verbs: Sequence[str]) -> None:
        """`spec` names the agent, `verbs` what it must not do."""
        self._agent: Opponent = opponent(spec)
        self._verbs = tuple(verbs)
        self._banned = np.array([verb in verbs for verb in VERBS])
        # A card that has two uses is gone from the hand only if neither is allowed.
        uses = {kind: {verb for verb, card in CARD_OF.items() if card == kind} for kind in KINDS}
        self._kinds = np.array([bool(uses[kind]) and uses[kind] <= set(verbs) for kind in KINDS])
        self._view: BatchEnv | None = None
        if hasattr(self._agent, "games_at_once"):
            self.games_at_once = self._agent.games_at_once

    def _seen_in(self, env: BatchEnv) -> BatchEnv:
        view = self._view
        if view is None or view.rules != env.rules or view.size != env.size or view.threads != env.threads:
            players = [int(count) for count in env.players]
            view = BatchEnv(env.size, env.rules, players, autoreset=False, threads=env.threads)
            view._tables = tables_of(env.rules).copy()
            for verb in self._verbs:
                if verb in PRICED:
                    view._tables[PRICED[verb]] = BEYOND_REACH
                elif verb in SWITCHED:
                    view._tables[verb] = False
            view._ready = True
            self._view = view
        return view

    def choose(self, env: BatchEnv, which: NDArray[np.bool_]) -> NDArray[np.int64]:
        """An action for each marked game, chosen in the game as it would be without what is forbidden."""
        view = self._seen_in(env)
        marked = np.flatnonzero(which)
        view._rows["seed"] = env._rows["seed"]
        work = partial(blinker_slice, view._tables, env._games, marked, self._kinds, self._banned)
        work(view._games, view._rows, view._legal, view._masks, view._observations, 0, len(marked))
        return self._agent.choose(view, which)


def restricted(spec: str, verbs: Sequence[str], label: str) -> str:
    """The name under which an agent plays without some kinds of action."""
    name = spec.translate(str.maketrans(":,= ", "----")) + WITHOUT + label
    register(name, lambda: Without(spec, verbs))
    return name


def worth(
    names: Sequence[str],
    rules: Rules | None = None,
    players: Sequence[int] = (4,),
    agents: Sequence[str] = ("planner",),
    games: int = 2000,
    seed: int = 1,
    workers: int = 1,
    progress: Progress | None = None,
) -> tuple[pd.DataFrame, bool]:
    """What each of some actions or cards is worth: an agent without it among its like with it, in every seat.

    `loss` is what it loses of an even share of wins, with its 95% interval; q tells which are clear after looking at
    all of them. The second answer is False if it was interrupted.
    """
    verbs = {name: forbidden_by(name) for name in dict.fromkeys(names)}
    if not verbs:
        raise EttanaError("--without must name an action or a card, such as swap_card")
    cases = [(count, agent) for count in dict.fromkeys(players) for agent in dict.fromkeys(agents)]
    rows: list[dict[str, Any]] = []
    each = games * len(verbs)
    complete = True
    for n, (count, agent) in enumerate(cases):
        line_ups = [[restricted(agent, verbs[name], name)] + [agent] * (count - 1) for name in verbs]
        told = None if progress is None else partial(_further, progress, n * each, len(cases) * each)
        met, complete = meet(line_ups, rules, games, seed, workers, told)
        for name, found in zip(verbs, met, strict=True):
            wins = found.first_wins()
            if wins.n:
                par = 1 / count
                row = {"players": count, "level": agent, "without": name, "wins": wins.value, "par": par}
                rows.append(
                    row | {"loss": par - wins.value, "low": par - wins.high, "high": par - wins.low, "n": wins.n}
                )
        if not complete:
            break
    table = pd.DataFrame(rows, columns=["players", "level", "without", "wins", "par", "loss", "low", "high", "n"])
    table["q"] = benjamini_hochberg(_p(table))
    return table, complete


def _further(progress: Progress, before: int, total: int, done: int, _: int) -> None:
    progress(min(before + done, total), total)


def _p(table: pd.DataFrame) -> NDArray[np.float64]:
    error = (table["high"] - table["low"]).to_numpy(np.float64) / (2 * Z)
    found: NDArray[np.float64] = 2 * norm.sf(np.abs(table["loss"].to_numpy(np.float64)) / np.maximum(error, 1e-12))
    return found
