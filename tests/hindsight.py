"""Chance for the plain reading that answers with what the engine's state shows to have happened."""

from collections import Counter
from typing import Any

from tests.plain import Json


class Hindsight:
    """What chance gave in the engine, worked out from its state after an action (or after the setup).

    Every answer is checked to be one that chance could have given.
    """

    def __init__(self, after: Json, before: Json | None = None, action: Json | None = None) -> None:
        self.after, self.before, self.action = after, before, action
        self._asked: Counter[tuple[str, int]] = Counter()

    def number(self, why: str, seat: int) -> int:
        self._asked[why, seat] += 1
        assert self._asked[why, seat] == 1, f"the {why} roll of player {seat} settles nothing"
        if why == "placing":
            face = self.after["placing_rolls"][seat]
        elif why == "tie":  # if the engine's starter is not among those who tie, the second round fails
            face = 6 if seat == self.after["player"] else 1
        elif why == "gain":
            assert self.before is not None
            assert self.action is not None
            won = self.after["tokens"][seat] > self.before["tokens"][seat]
            face = 6 if won else max(self.action["number"] - 1, 1)
        else:
            face = self.after["dice"]["number"]
        assert face in range(1, 7)
        return int(face)

    def colour(self) -> str:
        colour = self.after["dice"]["colour"]
        assert colour in ("green", "red", "yellow", "blue", "purple", "black")
        return str(colour)

    def stolen(self, hand: list[str]) -> str:
        assert self.action is not None
        lost = Counter(hand) - Counter(self.after["action_hands"][self.action["seat"]])
        assert lost.total() == 1, f"not one card was taken from {hand}, but {lost}"
        return next(iter(lost))

    def shuffled(self, what: str, cards: list[Any]) -> list[Any]:
        if what == "discard":
            stack = self.after["action_stack"]
            order = [*stack, *(Counter(cards) - Counter(stack)).elements()]
            assert len(order) == len(stack) + 1, "one card is drawn after a reshuffle"
        elif what == "tiles":
            order = [number for number in self.after["tiles"] if number is not None]
            order += self.after["reserve_tiles"]
            assert order[-1] != order[-2], "the two tiles of the reserve differ"
        elif what == "yarns":
            order = list(self.after["yarns"])
        elif what == "actions":
            order = [*self.after["action_stack"], *reversed(self._actions_dealt())]
        else:
            order = [*self.after["design_stack"], *reversed(self._designs_dealt())]
        assert Counter(order) == Counter(cards), f"{what}: other cards than there are"
        return order

    def square(self, seat: int, squares: list[int]) -> int:
        assert self.after["pins"][seat] in squares
        return int(self.after["pins"][seat])

    # With random placing the first state is dealt already. In which order a seat got its cards shows nowhere;
    # that a victory point which wins came last is the one thing that matters.

    def _seats_dealt(self) -> list[int]:
        players, starter = self.after["players"], self.after["player"]
        return [(starter + i) % players for i in range(players)]

    def _actions_dealt(self) -> list[str]:
        dealt: list[str] = []
        for seat in self._seats_dealt():
            dealt += self.after["action_hands"][seat]
            dealt += ["victory_point"] * self.after["victory_cards"][seat]
        return dealt

    def _designs_dealt(self) -> list[str]:
        return [name for seat in self._seats_dealt() for name in self.after["design_hands"][seat]]
