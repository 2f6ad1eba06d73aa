"""One game, as a friendly object over the compiled engine."""

import copy
import secrets
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np

from ettana_env import reasons
from ettana_env.actions import Catalogue, Parts
from ettana_env.board import PAIRS, board
from ettana_env.engine import batch
from ettana_env.engine.barriers import OK
from ettana_env.engine.bits import nth
from ettana_env.errors import EttanaError, IllegalAction, StateError
from ettana_env.rules import Rules
from ettana_env.states import Json, names_of, read_state, seen_by, write_state
from ettana_env.tables import tables_of
from ettana_env.text import drawn
from ettana_env.validation import did_you_mean, shown, whole_number
from ettana_env.vocabulary import COLOURS, DIE_COLOURS, FACES, NONE, OCTAGONS, OVER, PHASES, VERBS

MAX_SEED = 2**63 - 1

ACTION_KEYS: dict[str, tuple[str, ...]] = {
    "place": ("square",),
    "preset": ("colour",),
    "step": ("square", "pay"),
    "jump": ("square",),
    "move_card": ("square",),
    "free_swap": ("a", "b"),
    "buy_swap": ("a", "b"),
    "swap_card": ("a", "b"),
    "replace_yarn": ("octagon", "colour"),
    "replace_tile": ("square", "number"),
    "claim": ("design",),
    "exchange": ("design",),
    "steal_card": ("seat",),
    "steal_tokens": ("seat",),
    "gain_tokens": ("number",),
}
"""The keys of a JSON action beside `kind`; kinds that are not here have none."""


@lru_cache(maxsize=64)
def catalogue_of(rules: Rules) -> Catalogue:
    """The action catalogue of `rules`."""
    return Catalogue(rules)


def check_seed(seed: object) -> int:
    """`seed` as a whole number from 0 to 2**63 - 1, a fresh one if it is None; else an EttanaError."""
    if seed is None:
        return secrets.randbelow(MAX_SEED + 1)
    number = whole_number(seed)
    if number is None or not 0 <= number <= MAX_SEED:
        raise EttanaError(f"seed must be a whole number from 0 to 2**63 - 1, or None, not {shown(seed)}")
    return number


def check_rules(rules: Rules | None) -> Rules:
    """`rules`, the base game if None; a TypeError if they are something else."""
    if rules is not None and not isinstance(rules, Rules):
        raise TypeError(f"rules must be a Rules object, not {shown(rules)}")
    return rules or Rules()


CHANCE = ("seed", "rolls", "thefts", "gains", "reshuffles")
"""The keys of `Game.chance`: the seed, and how often each kind of chance was used."""


def check_chance(chance: object) -> dict[str, int]:
    """`chance` if it is of the form `Game.chance` gives; else a StateError."""
    if not isinstance(chance, Mapping) or set(chance) != set(CHANCE):
        raise StateError(f"chance must have the keys {', '.join(CHANCE)}, not {shown(chance)}")
    for key in CHANCE:
        bits = 64 if key == "seed" else 32
        if type(chance[key]) is not int or not 0 <= chance[key] < 2**bits:
            raise StateError(f"chance: {key} must be a whole number from 0 to 2**{bits} - 1, not {shown(chance[key])}")
    return dict(chance)


class Game:
    """A game in play.

    `Game(rules, players=4, seed=7)` sets one up. The same rules, number of players, seed and actions give
    the same game everywhere; `seed=None` takes a fresh one. `game.seed` is None for a game that was made
    from a state: its chance to come has a seed, but the seed does not give the game from its start.
    """

    def __init__(self, rules: Rules | None = None, players: int = 4, seed: int | None = None) -> None:
        self.rules = check_rules(rules)
        number = self.rules.check_players(players)
        self.seed: int | None = check_seed(seed)
        self._tables = tables_of(self.rules)
        self._games = batch.new_games(1)
        batch.set_up_slice(
            self._tables,
            self._games,
            np.array([self.seed], dtype=np.uint64),
            np.array([number], dtype=np.uint8),
            0,
            1,
        )

    @classmethod
    def _of_record(cls, rules: Rules, games: batch.Games, seed: int | None) -> "Game":
        game = cls.__new__(cls)
        game.rules, game.seed = rules, seed
        game._tables, game._games = tables_of(rules), games
        return game

    # --- What is there ---

    @property
    def record(self) -> Any:
        """The engine's own record of the game (`ettana_env.state.GAME`), for compiled code."""
        return self._games[0]

    @property
    def players(self) -> int:
        """How many play."""
        return int(self._games["players"][0])

    @property
    def player(self) -> int:
        """The seat to act."""
        return int(self._games["player"][0])

    @property
    def phase(self) -> str:
        """`place`, `roll`, `act` or `over`."""
        return PHASES[self._games["phase"][0]]

    @property
    def over(self) -> bool:
        """Has the game ended, won or truncated?"""
        return bool(self._games["phase"][0] == OVER)

    @property
    def winner(self) -> int | None:
        """The seat that has won, or None."""
        winner = int(self._games["winner"][0])
        return None if winner == NONE else winner

    @property
    def truncated(self) -> bool:
        """Did a limit end the game?"""
        return bool(self._games["truncated"][0])

    @property
    def actions(self) -> Catalogue:
        """The action space: its size, its layout, what each index is made of."""
        return catalogue_of(self.rules)

    # --- Actions ---

    def legal_indices(self) -> list[int]:
        """The indices of the legal actions, rising; none if the game is over."""
        out = np.empty(len(self.actions) + 1, np.int16)
        count = batch.list_one(self._tables, self._games, 0, out)
        return [int(index) for index in out[:count]]

    def legal_actions(self) -> list[Json]:
        """The legal actions as JSON, in the order of their indices."""
        return [self.action_of(index) for index in self.legal_indices()]

    def mask(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """By index, whether the action is legal."""
        mask = np.zeros(len(self.actions), np.bool_)
        batch.mask_slice(self._tables, self._games, mask.reshape(1, -1), 0, 1)
        return mask

    def play(self, action: int | Mapping[str, Any]) -> None:
        """Play an action, given as an index or as JSON.

        Raises IllegalAction, saying why, if it is not legal now; the game is then unchanged.
        """
        index = self.index_of(action)
        code = batch.barrier_one(self._tables, self._games, 0, index)
        if code != OK:
            parts = self.actions.parts[index]
            named = dict(action) if isinstance(action, Mapping) else f"{index} ({VERBS[parts.verb]})"
            why = reasons.in_words(self._tables[0], self.record, code, parts.verb, parts.a, parts.b)
            raise IllegalAction(named, why)
        batch.play_one(self._tables, self._games, 0, index)

    def action_of(self, index: int) -> Json:
        """The JSON of an action index in this state; an index without meaning here is an IllegalAction."""
        parts = self.actions.parts[self._checked_index(index)]
        name, a, b = VERBS[parts.verb], parts.a, parts.b
        return {"kind": name, **self._arguments_of(index, name, a, b)}

    def _arguments_of(self, index: int, name: str, a: int, b: int) -> Json:
        match name:
            case "place" | "jump" | "move_card":
                return {"square": a}
            case "preset":
                return {"colour": DIE_COLOURS[a]}
            case "step":
                relative = [seat for seat in (1, 2, 3) if b >> (seat - 1) & 1]
                return {"square": a, "pay": sorted(self._seat(index, seat) for seat in relative)}
            case "free_swap" | "buy_swap" | "swap_card":
                return {"a": a, "b": b}
            case "replace_yarn":
                return {"octagon": a, "colour": COLOURS[b]}
            case "replace_tile":
                return {"square": a, "number": int(self.record.reserve_tiles[b])}
            case "claim" | "exchange":
                design = nth(self.record.design_hands[self.player], a)
                if design < 0:
                    raise IllegalAction(index, f"player {self.player} has no design at place {a} of the hand")
                return {"design": self.rules.designs[design].name}
            case "steal_card" | "steal_tokens":
                return {"seat": self._seat(index, a)}
            case "gain_tokens":
                return {"number": a}
        return {}

    def _seat(self, index: int, relative: int) -> int:
        if relative >= self.players:
            raise IllegalAction(index, f"only {self.players} play")
        return (self.player + relative) % self.players

    def _checked_index(self, index: object) -> int:
        number = whole_number(index)
        if number is None:
            raise IllegalAction(shown(index), "an action is an index or a JSON object with a kind")
        if not 0 <= number < len(self.actions):
            raise IllegalAction(shown(index), f"an index must be from 0 to {len(self.actions) - 1}")
        return number

    def index_of(self, action: int | Mapping[str, Any]) -> int:
        """The index of a JSON action (or of an index, itself); IllegalAction if it is none of the space.

        The action need not be legal now, but must make sense: a design that is held, a player who plays.
        """
        if not isinstance(action, Mapping):
            return self._checked_index(action)
        kind = action.get("kind")
        if not isinstance(kind, str) or kind not in VERBS:
            hint = did_you_mean(kind, VERBS) if isinstance(kind, str) else ""
            raise IllegalAction(shown(dict(action)), f"there is no kind {shown(kind)}{hint}")
        keys = ACTION_KEYS.get(kind, ())
        if set(action) != {"kind", *keys}:
            expected = ", ".join(("kind", *keys))
            raise IllegalAction(shown(dict(action)), f"{kind} has the keys {expected}, not {shown(list(action))}")
        return self.actions.index[Parts(VERBS.index(kind), *self._parts_of(kind, action))]

    def _parts_of(self, kind: str, action: Mapping[str, Any]) -> tuple[int, int]:
        here = board(self.rules.rim_squares)

        def refuse(why: str) -> IllegalAction:
            return IllegalAction(shown(dict(action)), why)

        def number(key: str, low: int, high: int) -> int:
            value = action[key]
            if type(value) is not int or not low <= value <= high:
                raise refuse(f"{key} must be a whole number from {low} to {high}, not {shown(value)}")
            return value

        def colour(colours: tuple[str, ...]) -> int:
            if not isinstance(action["colour"], str) or action["colour"] not in colours:
                raise refuse(f"colour must be one of {', '.join(colours)}, not {shown(action['colour'])}")
            return colours.index(action["colour"])

        def opponent(value: object) -> int:
            if type(value) is not int or not 0 <= value < self.players or value == self.player:
                others = [seat for seat in range(self.players) if seat != self.player]
                raise refuse(f"a seat must be one of {others}, the other players, not {shown(value)}")
            return (value - self.player) % self.players

        def tiled_square() -> int:
            square = number("square", 0, here.squares - 1)
            if square not in here.tiled:
                raise refuse(f"square {square} has no tile")
            return square

        match kind:
            case "place" | "jump":
                return tiled_square(), 0
            case "move_card":
                return number("square", 0, here.squares - 1), 0
            case "preset":
                return colour(DIE_COLOURS), 0
            case "step":
                square, pay = number("square", 0, here.squares - 1), action["pay"]
                if not isinstance(pay, list | tuple):
                    raise refuse(f"pay must be a list of seats, not {shown(pay)}")
                seats = [opponent(seat) for seat in pay]
                if list(pay) != sorted(set(pay)):
                    raise refuse(f"pay must be different seats, rising, not {shown(pay)}")
                return square, sum(1 << (seat - 1) for seat in seats)
            case "free_swap" | "buy_swap" | "swap_card":
                pair = number("a", 0, OCTAGONS - 1), number("b", 0, OCTAGONS - 1)
                if pair not in PAIRS:
                    raise refuse("a must be less than b")
                if Parts(VERBS.index(kind), *pair) not in self.actions.index:
                    raise refuse(f"no square touches both octagon {pair[0]} and octagon {pair[1]}")
                return pair
            case "replace_yarn":
                return number("octagon", 0, OCTAGONS - 1), colour(COLOURS)
            case "replace_tile":
                square, wanted = tiled_square(), number("number", 1, FACES)
                reserve = [int(tile) for tile in self.record.reserve_tiles]
                if wanted not in reserve:
                    raise refuse(f"the tile reserve has {reserve[0]} and {reserve[1]}, not {wanted}")
                return square, reserve.index(wanted)
            case "claim" | "exchange":
                hand = names_of(self.rules, self.record.design_hands[self.player])
                if not isinstance(action["design"], str) or action["design"] not in hand:
                    raise refuse(f"player {self.player} does not hold the design {shown(action['design'])}")
                return hand.index(action["design"]), 0
            case "steal_card" | "steal_tokens":
                return opponent(action["seat"]), 0
            case "gain_tokens":
                return number("number", 1, FACES), 0
        return 0, 0

    # --- States ---

    def to_dict(self) -> Json:
        """The whole state as JSON."""
        return write_state(self.rules, self.record)

    @property
    def chance(self) -> dict[str, int]:
        """What all chance to come is worked out from: with the state, enough to go on identically."""
        return {key: int(self.record[key]) for key in CHANCE}

    @classmethod
    def from_dict(
        cls,
        state: Mapping[str, Any],
        rules: Rules | None = None,
        seed: int | None = None,
        chance: Mapping[str, int] | None = None,
    ) -> "Game":
        """A game from a JSON state under `rules` (the base game if None), its chance to come from `seed`.

        With the `chance` of the game the state was taken from, it goes on as that one would. A dict that is not a state
        of the game is refused with a StateError that says why.
        """
        rules = check_rules(rules)
        games = read_state(rules, state, check_seed(seed))
        if chance is not None:
            for key, value in check_chance(chance).items():
                games[key] = value
        return cls._of_record(rules, games, None)

    def view(self, seat: int) -> Json:
        """What a seat may know: the state with null for every card it cannot see."""
        return seen_by(self.to_dict(), self.check_seat(seat))

    def determinize(self, seat: int, rng: np.random.Generator) -> "Game":
        """A game drawn at random from all that `seat` may take this one for.

        Its view from `seat` is the same; the cards the seat cannot see, and all chance to come, are new.
        """
        games = self._games.copy()
        key = rng.integers(0, 2**64, dtype=np.uint64)
        batch.determinize_one(self._tables, games, 0, self.check_seat(seat), key)
        return self._of_record(self.rules, games, None)

    def check_seat(self, seat: object) -> int:
        """`seat` if someone plays it; else an EttanaError."""
        number = whole_number(seat)
        if number is None or not 0 <= number < self.players:
            raise EttanaError(f"a seat must be from 0 to {self.players - 1}, not {shown(seat)}")
        return number

    def copy(self) -> "Game":
        """A game that goes on by itself, with the same chance to come."""
        return self._of_record(self.rules, self._games.copy(), self.seed)

    def with_fate(self, fate: Mapping[str, Any]) -> "Game":
        """A copy whose chance is fixed: every roll, theft and reshuffle gives what `fate` says.

        For checking records and for asking what if. The keys are those of `ettana_env.tables.FATE`; what
        is left out is 0.
        """
        game = self.copy()
        game.seed = None
        game._tables = game._tables.copy()
        fixed = game._tables[0].fate
        fixed["fixed"] = True
        for key, value in fate.items():
            if key == "reshuffled":
                fixed[key][: len(value)] = value
            else:
                fixed[key] = value
        return game

    def after(self, following: "Game") -> "Game":
        """The game as `following` has it, with this game's own chance to come."""
        return self._of_record(self.rules, following._games.copy(), self.seed)

    def __copy__(self) -> "Game":
        return self.copy()

    def __deepcopy__(self, _memo: object) -> "Game":
        return self.copy()

    def __getstate__(self) -> dict[str, Any]:
        return {"rules": self.rules, "seed": self.seed, "games": self._games}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.rules, self.seed, self._games = state["rules"], state["seed"], copy.copy(state["games"])
        self._tables = tables_of(self.rules)

    def __str__(self) -> str:
        return drawn(self.rules, self.to_dict())

    def __repr__(self) -> str:
        return (
            f"<Game {self.rules.name!r}: {self.players} players, turn {self.record.turn}, "
            f"player {self.player} to {self.phase}>"
        )
