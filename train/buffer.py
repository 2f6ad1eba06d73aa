"""What was played since the last update, row by row: what the seat saw, what it chose, what came of it."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer

from agents.looking import Seen, together
from ettana_env.vocabulary import MAX_PLAYERS, NONE
from train.chains import ENDED, advantages_of

NO_ROWS, NOTHING_SEEN = np.zeros(0, np.int64), np.zeros((0, 0), np.float32)
"""Of turns that are over, where there are none."""


class Choices(NamedTuple):
    """What was chosen in some games, and what was thought of the position."""

    chosen: NDArray[np.int64]
    """The place of the action among the legal ones."""
    log_chosen: NDArray[np.float32]
    """The logarithm of its chance."""
    values: NDArray[np.float32]
    leads: NDArray[np.float32]
    """Own points less those of the best opponent, as a share of the points to win."""


class Batch(NamedTuple):
    """Rows to learn from."""

    seen: Seen
    chosen: NDArray[np.int64]
    log_chosen: NDArray[np.float32]
    advantages: NDArray[np.float32]
    returns: NDArray[np.float32]
    turn_inputs: NDArray[np.float32]
    """What was seen when turns were over."""
    turn_returns: NDArray[np.float32]
    """What came of it."""


class SeatBuffer(MaskableRolloutBuffer):
    """Rows of all seats of all games, linked along each seat's chain.

    A seat's last decision, whose next one is not yet known when the rollout ends, is kept for the next rollout: nothing
    is dropped, and nothing is bootstrapped with what another seat sees.
    """

    def __init__(self, *arguments: Any, games: int, luck: float = 1.0, **options: Any) -> None:
        """`games` is how many games are under way.

        `luck` is the share of what the dice and the others do after a turn that counts for the decisions in it.
        """
        self.games, self.luck = games, luck
        self._seen: list[Seen] = []
        self._choices: list[Choices] = []
        self._open = np.full((games, MAX_PLAYERS), NONE, np.int64)
        self._clear()
        super().__init__(*arguments, **options)

    def _clear(self) -> None:
        self.length = 0
        self.following = np.full(1024, NONE, np.int64)
        self.rewards = np.zeros(1024, np.float32)
        self.foreseen = np.full(1024, np.nan, np.float32)
        self._turns: list[tuple[NDArray[np.int64], NDArray[np.float32]]] = []

    def reset(self) -> None:
        """Start a rollout with the rows whose chain is still open, and nothing else."""
        kept = np.sort(self._open[self._open != NONE])
        self._seen, self._choices = [], []
        if len(kept):
            rewards, foreseen = self.rewards[kept], self.foreseen[kept]
            self._seen, self._choices = [self.seen.rows(kept)], [_rows(self.choices, kept)]
            place = np.full(self.length, NONE, np.int64)
            place[kept] = np.arange(len(kept))
            self._open[self._open != NONE] = place[self._open[self._open != NONE]]
            self._clear()
            self._grow(len(kept))
            self.rewards[: len(kept)], self.foreseen[: len(kept)] = rewards, foreseen
            rows = place[self.turn_rows]
            if (rows != NONE).any():
                self._turns.append((rows[rows != NONE], self.turn_inputs[rows != NONE]))
        else:
            self._clear()
        self.pos, self.full, self.generator_ready = 0, False, False

    def _grow(self, count: int) -> None:
        self.length += count
        while self.length > len(self.rewards):
            self.rewards = np.concatenate([self.rewards, np.zeros_like(self.rewards)])
            self.following = np.concatenate([self.following, np.full_like(self.following, NONE)])
            self.foreseen = np.concatenate([self.foreseen, np.full_like(self.foreseen, np.nan)])

    def decide(self, seen: Seen, games: NDArray[np.int64], seats: NDArray[np.int64], choices: Choices) -> None:
        """Add a decision in each of these games, and link it to the seat's last one."""
        first = self.length
        self._grow(len(games))
        rows = np.arange(first, self.length)
        before = self._open[games, seats]
        linked = before != NONE
        self.following[before[linked]] = rows[linked]
        self._open[games, seats] = rows
        self._seen.append(seen)
        self._choices.append(choices)

    def end_turns(
        self, games: NDArray[np.int64], seats: NDArray[np.int64], inputs: NDArray[np.float32], foreseen: NDArray[Any]
    ) -> None:
        """The turns of these seats are over, before anything is paid: what they see, and the value it has for them."""
        if len(games):
            rows = self._open[games, seats]
            self.foreseen[rows] = foreseen
            self._turns.append((rows, inputs))

    def pay(self, rewards: NDArray[np.float32], over: NDArray[np.bool_]) -> None:
        """Pay every seat what the step was worth to it; chains of games that are over end."""
        there = self._open != NONE
        np.add.at(self.rewards, self._open[there], rewards[there])
        ended = there & over[:, None]
        self.following[self._open[ended]] = ENDED
        self._open[ended] = NONE

    def finish(self, potential: float) -> None:
        """Work out the advantages; `potential` is the weight of a lead in points."""
        self.seen = together(self._seen)
        self.choices = Choices(*map(np.concatenate, zip(*self._choices, strict=True)))
        self.values = self.choices.values
        following, rewards = self.following[: self.length], self.rewards[: self.length]
        foreseen = self.foreseen[: self.length]
        potentials = (potential * self.choices.leads).astype(np.float32)
        self.advantages, later = np.zeros((2, self.length), np.float32)
        advantages_of(
            following, rewards, self.values, foreseen, potentials, self.gamma, self.gae_lambda, self.luck,
            self.advantages, later,
        )  # fmt: skip
        rows, inputs = zip(*self._turns, strict=True) if self._turns else ([NO_ROWS], [NOTHING_SEEN])
        self.turn_rows, self.turn_inputs = np.concatenate(rows), np.concatenate(inputs)
        self.turn_returns = later[self.turn_rows]
        self.returns = self.advantages + self.values
        self.usable = np.flatnonzero(following != NONE)
        self.full = True

    def open_rows(self) -> dict[str, NDArray[Any]]:
        """The rows whose chain is open, for a checkpoint made after `finish`."""
        kept = np.sort(self._open[self._open != NONE])
        seen = self.seen.rows(kept)
        place = np.full(self.length + 1, NONE, np.int64)
        place[kept] = np.arange(len(kept))
        turns = place[self.turn_rows]
        return {
            **{f"seen_{name}": array for name, array in seen._asdict().items()},
            **_rows(self.choices, kept)._asdict(),
            "rewards": self.rewards[kept],
            "foreseen": self.foreseen[kept],
            "turn_rows": turns[turns != NONE],
            "turn_inputs": self.turn_inputs[turns != NONE],
            "open": place[self._open],
        }

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Go on with the rows that `open_rows` gave."""
        self.seen = Seen(**{name: np.array(arrays[f"seen_{name}"]) for name in Seen._fields})
        self.choices = Choices(**{name: np.array(arrays[name]) for name in Choices._fields})
        self._open = np.array(arrays["open"])
        self._clear()
        self._grow(len(self.choices.chosen))
        self.rewards[: self.length], self.foreseen[: self.length] = arrays["rewards"], arrays["foreseen"]
        self.turn_rows, self.turn_inputs = np.array(arrays["turn_rows"]), np.array(arrays["turn_inputs"])

    def batches(self, count: int, rng: np.random.Generator) -> Iterator[Batch]:
        """All usable rows, and turns that are over, in `count` parts of like size, in random order."""
        known = np.flatnonzero(np.isin(self.turn_rows, self.usable))
        turns = np.array_split(rng.permutation(known), count)
        for rows, turn in zip(np.array_split(rng.permutation(self.usable), count), turns, strict=True):
            yield Batch(
                self.seen.rows(rows),
                self.choices.chosen[rows],
                self.choices.log_chosen[rows],
                self.advantages[rows],
                self.returns[rows],
                self.turn_inputs[turn],
                self.turn_returns[turn],
            )


def _rows(choices: Choices, rows: NDArray[np.int64]) -> Choices:
    return Choices(choices.chosen[rows], choices.log_chosen[rows], choices.values[rows], choices.leads[rows])
