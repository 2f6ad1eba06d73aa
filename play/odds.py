"""How likely each seat is to win, and what a policy would do: by a trained network, or by the fitted outlook.

Every chance is worked out from what its own seat may know, so those of one moment need not add up to 1.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from agents import opponent
from agents.outlook import OWN, outlook
from ettana_env import BatchEnv, EttanaError, Game, Rules
from ettana_env.opponents import names
from ettana_env.states import Json

if TYPE_CHECKING:
    from agents.network import Network  # torch takes its time: it is loaded when a policy is

AT_ONCE = 256
"""Games a network looks at in one go."""

DEFAULT = "ppo"
"""The agent whose network judges if none is named and it is there."""


@dataclass(frozen=True)
class Choice:
    """An action, and the chance with which a policy would take it."""

    action: Json
    chance: float


@dataclass(frozen=True)
class Judgement:
    """By seat the chance to win, None where it cannot be told now; and the likeliest choices of who is to act."""

    chances: tuple[float | None, ...]
    choices: tuple[Choice, ...] = ()
    taken: float | None = None
    """The chance of the action that was taken, if the judge was told which one, and has a policy."""


class Judge(Protocol):
    """Judges games."""

    about: str

    def judge(self, games: Sequence[Game], top: int = 3, taken: Sequence[int | None] | None = None) -> list[Judgement]:
        """What there is to say about each game: `top` choices, and the chance of the action `taken` in it."""


class OutlookJudge:
    """Fitted odds: the chances of all seats whenever someone is about to roll."""

    about = "fitted odds (no policy is loaded)"

    def judge(self, games: Sequence[Game], top: int = 3, taken: Sequence[int | None] | None = None) -> list[Judgement]:
        """The chances of every seat at the start of a turn and at the end of the game; no choices."""
        return [self._one(game) for game in games]

    def _one(self, game: Game) -> Judgement:
        if game.phase not in ("roll", "over"):
            return Judgement((None,) * game.players)
        parts = np.zeros(len(OWN))
        return Judgement(
            tuple(float(outlook(game._tables[0], game.record, seat, parts)) for seat in range(game.players))
        )


class PolicyJudge:
    """A trained network: the chance of the seat to act at every real decision, and its likeliest actions."""

    def __init__(self, network: "Network", name: str, rules: Rules) -> None:
        """An EttanaError if the network was made for another board than that of `rules`."""
        self.about = f"the policy {name}"
        network.check_board(rules)
        self._network, self._looker = network, network.looker()

    def judge(self, games: Sequence[Game], top: int = 3, taken: Sequence[int | None] | None = None) -> list[Judgement]:
        """The chance of the seat to act where there is a choice; of all seats at the end."""
        found = [_ended(game) for game in games]
        asked = [i for i, game in enumerate(games) if not game.over and len(game.legal_indices()) > 1]
        for first in range(0, len(asked), AT_ONCE):
            some = asked[first : first + AT_ONCE]
            env = BatchEnv.of_games([games[i] for i in some])
            seen = self._looker.look(env, np.arange(len(some)))
            chances, values = self._network.chances(seen)
            for n, i in enumerate(some):
                part = slice(seen.offsets[n], seen.offsets[n + 1])
                found[i] = self._one(games[i], seen.actions[part], chances[part], float(values[n]), top)
                if taken is not None and taken[i] is not None:
                    chance = float(chances[part][seen.actions[part] == taken[i]].sum())
                    found[i] = replace(found[i], taken=chance)
        return found

    def _one(self, game: Game, actions: Any, chances: Any, value: float, top: int) -> Judgement:
        lost = -1 / (game.players - 1)  # what a lost game is worth to the network; a won one is worth 1
        winning = min(1.0, max(0.0, (value - lost) / (1 - lost)))
        best = np.argsort(-chances, kind="stable")[:top]
        choices = tuple(Choice(game.action_of(int(actions[k])), float(chances[k])) for k in best)
        return Judgement(tuple(winning if seat == game.player else None for seat in range(game.players)), choices)


def _ended(game: Game) -> Judgement:
    """What is certain: everything at the end, nothing before."""
    if not game.over:
        return Judgement((None,) * game.players)
    return Judgement(tuple(float(game.winner == seat) for seat in range(game.players)))


def judge_for(policy: str | None, rules: Rules) -> Judge:
    """The judge that `policy` names: a policy's file, or an agent that plays by a network, such as `policy:path`.

    With None it is the agent `ppo` if there is one that fits the board, else the fitted odds.
    """
    if policy is None:
        if DEFAULT in names():
            try:
                return PolicyJudge(_network_of(DEFAULT), DEFAULT, rules)
            except EttanaError:
                pass
        return OutlookJudge()
    if policy == "odds":
        return OutlookJudge()
    spec = f"policy:{policy}" if Path(policy).suffix == ".safetensors" and ":" not in policy else policy
    return PolicyJudge(_network_of(spec), policy, rules)


def _network_of(spec: str) -> "Network":
    from agents.network import Network

    network = getattr(opponent(spec), "_network", None)
    if not isinstance(network, Network):
        raise EttanaError(f"--policy: {spec} does not play by a network; name a policy's file (.safetensors)")
    return network
