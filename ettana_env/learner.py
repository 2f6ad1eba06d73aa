"""One learner among opponents, in many games at once: what the Gymnasium environments have in common."""

from collections.abc import Sequence
from itertools import count
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from ettana_env.batch_env import BatchEnv
from ettana_env.engine.batch import observe_one
from ettana_env.engine.selfplay import MOST_PASSED_OVER, seat_learners_slice
from ettana_env.errors import EttanaError, IllegalAction
from ettana_env.features import check_features, features_space
from ettana_env.game import catalogue_of, check_rules
from ettana_env.observation import layout
from ettana_env.opponents import opponents_for
from ettana_env.rules import Rules
from ettana_env.validation import shown, whole_number
from ettana_env.vocabulary import NONE

FORFEIT = -1.0
"""What an illegal action pays if it ends the game."""


class LearnerGames:
    """A batch in which one seat of every game is the learner's and the others are played inside.

    `seat` is the learner's seat, or "random" for another one each game (worked out from the game's seed). `opponents`
    names one agent for all other seats, or one for each, from the learner's left on. `illegal` says what an illegal
    action of the learner does: "terminate" ends the game with a reward of -1 for it, "raise" raises IllegalAction and
    plays nothing. Games that end stay over until `restart`.
    """

    def __init__(
        self,
        games: int,
        rules: Rules | None,
        players: int,
        opponents: str | Sequence[str],
        seat: int | str,
        features: str | None,
        rewards: str,
        forced: bool,
        illegal: str,
        threads: int,
    ) -> None:
        rules = check_rules(rules)
        self.batch = BatchEnv(
            games, rules, players, features=features, rewards=rewards, forced=forced, autoreset=False, threads=threads
        )
        self.players = rules.check_players(players)
        number = whole_number(seat)
        if seat != "random" and (number is None or not 0 <= number < self.players):
            raise EttanaError(f'seat must be from 0 to {self.players - 1}, or "random", not {shown(seat)}')
        if illegal not in ("terminate", "raise"):
            raise EttanaError(f'illegal must be "terminate" or "raise", not {shown(illegal)}')
        self._seat, self.illegal = number, illegal
        self._opponents = opponents_for(opponents, self.players - 1)
        self.seats = np.zeros(games, np.int8)
        self.rewards = np.zeros(games, np.float32)
        self._carried = np.zeros(games, np.float32)
        self.forfeited = np.zeros(games, np.bool_)

    @property
    def over(self) -> NDArray[np.bool_]:
        """Which games have ended and wait for `restart`."""
        return np.equal(self.batch.seats, NONE) | self.forfeited

    def reset(self, seed: int | None) -> None:
        """Start all games and play to the learner's first decision."""
        self.batch.reset(seed)
        self._begin(np.ones(self.batch.size, np.bool_))

    def restart(self, which: NDArray[np.bool_]) -> None:
        """Start the marked games anew and play to the learner's first decision in them."""
        self.batch.restart(which)
        self._begin(which)

    def _begin(self, which: NDArray[np.bool_]) -> None:
        """Play the marked games to the learner's first decision, passing over any that end before it."""
        self.forfeited = self.forfeited & ~which
        kept = self.rewards.copy()
        for tries in count():
            if tries == MOST_PASSED_OVER:
                raise EttanaError("under these rules game after game ends before the learner's first decision")
            self._seat_learners(which)
            self._settle()
            self._carried[which] = self.rewards[which]
            which = which & self.over
            if not which.any():
                break
            self.batch.restart(which)
        self.rewards[:] = kept

    def _seat_learners(self, which: NDArray[np.bool_]) -> None:
        if self._seat is None:
            seat_learners_slice(self.batch._rows, which, self.seats, 0, self.batch.size)
        else:
            self.seats[which] = self._seat

    def step(self, actions: NDArray[Any]) -> None:
        """Play the learner's action in every game, then the others' until its next decision.

        `rewards` is what the learner was paid in all of it; what it was paid before its first decision in a game comes
        with that decision. An illegal action is answered as `illegal` says.
        """
        given = self.batch.check_shape(actions)
        legal = (given >= 0) & (given < self.batch.masks.shape[1])
        legal[legal] = self.batch.masks[legal, given[legal]]
        if self.illegal == "terminate":
            self.forfeited = ~legal
            given = np.where(legal, given, NONE)
        elif (given == NONE).any():
            raise IllegalAction(NONE, f"in game {int(np.argmax(given == NONE))}: it is no action")
        self.batch.step(given)
        self._settle()
        self.rewards[self.forfeited] = FORFEIT
        acted = given != NONE
        self.rewards[acted] += self._carried[acted]
        self._carried[acted] = 0

    def _settle(self) -> None:
        """Let the opponents play until every game waits for the learner or is over."""
        every = np.arange(self.batch.size)
        self.rewards[:] = self.batch.rewards[every, self.seats]
        while True:
            to_act = self.batch.seats
            waiting = ~self.over & (to_act != self.seats)
            if not waiting.any():
                return
            relative = (to_act - self.seats) % self.players
            actions = np.full(self.batch.size, NONE, np.int64)
            for place, agent in enumerate(self._opponents, start=1):
                which = waiting & (relative == place)
                if which.any():
                    actions[which] = agent.choose(self.batch, which)[which]
            if (actions[waiting] == NONE).any():
                raise EttanaError("an opponent gave no action for a game that waits for it")
            self.batch.step(actions)
            self.rewards += self.batch.rewards[every, self.seats]

    def outcomes(self) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Which games are over by a win, and which by a limit."""
        over = self.over
        truncated = self.batch.games["truncated"] & ~self.forfeited
        return over & ~truncated, over & truncated

    def observation(self, i: int) -> dict[str, NDArray[Any]]:
        """What the learner of one game sees now, copied: also when the game is over."""
        vector = self.batch.observations[i].copy()
        if self.over[i]:
            observe_one(self.batch._tables, self.batch.games, i, int(self.seats[i]), vector)
        seen = {"observation": vector, "action_mask": self.batch.masks[i].astype(np.int8)}
        if len(self.batch.action_features):
            seen["action_features"] = self.batch.action_features[i].copy()
        if self.forfeited[i]:
            for key in set(seen) - {"observation"}:
                seen[key][:] = 0
        return seen


def observation_space(rules: Rules, features: str | None) -> spaces.Dict:
    """The space of an observation dict."""
    actions = len(catalogue_of(rules))
    parts: dict[str, spaces.Space[Any]] = {
        "observation": layout(rules).space(),
        "action_mask": spaces.Box(0, 1, (actions,), np.int8),
    }
    if check_features(features):
        parts["action_features"] = features_space(rules, actions)
    return spaces.Dict(parts)
