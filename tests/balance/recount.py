"""A second, slow count of what happens in a game, from its JSON states alone, and agents whose choices are kept."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from balance.tally import FLOWS
from ettana_env import BatchEnv, Game, Rules
from ettana_env.opponents import opponent

ROLLS = ("roll", "preset", "roll_again")
OWN = {
    **dict.fromkeys(ROLLS, "own roll"),
    "collect_three": "collect three",
    "gain_tokens": "gain tokens",
    "step": "tolls paid",
    "steal_tokens": "stolen",
    "buy_action": "action cards",
    "buy_swap": "swaps",
    "buy_design": "designs",
}
OTHERS = {
    **dict.fromkeys(ROLLS, "others' rolls"),
    "step": "tolls taken",
    "steal_tokens": "stolen from",
    "tax": "tax",
}


class Kept:
    """Plays as another agent does, and keeps what it chose, by seed."""

    def __init__(self, spec: str) -> None:
        self._agent = opponent(spec)
        self.chosen: dict[int, list[int]] = {}

    def choose(self, env: BatchEnv, which: NDArray[np.bool_]) -> NDArray[np.int64]:
        chosen = self._agent.choose(env, which)
        for i in np.flatnonzero(which):
            self.chosen.setdefault(int(env._rows["seed"][i]), []).append(int(chosen[i]))
        return chosen


@dataclass
class Count:
    """What was counted of one game."""

    last: dict[str, Any] = field(default_factory=dict)
    starter: int = -1
    turns: int = 0
    decisions: Counter[int] = field(default_factory=Counter)
    options: int = 0
    verbs: Counter[tuple[int, str]] = field(default_factory=Counter)
    flows: Counter[tuple[int, str]] = field(default_factory=Counter)
    squares: Counter[int] = field(default_factory=Counter)
    colours: Counter[str] = field(default_factory=Counter)
    at_leader: int = 0
    claimed_cells: int = 0
    stuck: int = 0
    begun: list[dict[str, Any]] = field(default_factory=list)
    """The states in which a turn began."""


def recount(rules: Rules, players: int, seed: int, chosen: list[int]) -> Count:
    """Play a game again by what was chosen in it, counting from the outside."""
    game = Game(rules, players=players, seed=seed)
    count, choices = Count(), iter(chosen)
    after = game.to_dict()
    cells = {design.name: len(design.cells) for design in rules.designs}

    def begin(state: dict[str, Any]) -> None:
        count.begun.append(state)
        if count.starter < 0:
            count.starter = state["player"]
            for seat in range(players):
                count.flows[seat, FLOWS[0]] += state["tokens"][seat]

    if after["phase"] == "roll":
        begin(after)
    while not game.over:
        before, seat, legal = after, game.player, game.legal_indices()
        index = int(legal[0]) if len(legal) == 1 else next(choices)
        if len(legal) > 1:
            count.decisions[seat] += 1
            count.options += len(legal)
        action = game.action_of(index)
        kind = action["kind"]
        game.play(index)
        after = game.to_dict()
        count.verbs[seat, kind] += 1
        if before["phase"] != "place":
            for who in range(players):
                change = abs(after["tokens"][who] - before["tokens"][who])
                if change:
                    count.flows[who, (OWN if who == seat else OTHERS)[kind]] += change
            ended = after["phase"] == "over" or after["turn"] != before["turn"]
            count.turns += ended
            if ended:
                count.squares[after["pins"][seat]] += 1
        if kind in ROLLS and kind != "preset":
            count.colours[after["dice"]["colour"]] += 1
        if kind in ("steal_card", "steal_tokens"):
            count.at_leader += before["points"][action["seat"]] == max(before["points"])
        if kind == "claim":
            count.claimed_cells += cells[action["design"]]
        count.stuck += kind == "end_turn" and not before["moved"]
        if after["phase"] == "roll" and before["phase"] != "roll":
            begin(after)
    assert next(choices, None) is None
    count.last = after
    return count
