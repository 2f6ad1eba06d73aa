"""The observation: its layout, named and measured, and the way back from a vector to the view it shows.

One flat float32 vector, seen from one seat: that seat first, then clockwise. It has the same size for 2, 3 and 4
players (absent seats are zero) and for every deck; only rim squares change it. `layout(rules)["yarns"]` tells where
the yarns are, their shape and range. `python -m ettana_env.observation` prints the table.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from ettana_env.board import board
from ettana_env.engine.batch import observe_all_one, observe_one
from ettana_env.engine.observe import ACTIONS_UNIT, CARDS_UNIT, SLOTS, TOKENS_UNIT, TURNS_UNIT
from ettana_env.game import Game
from ettana_env.rules import Rules
from ettana_env.states import Json, kinds_of
from ettana_env.tables import MAX_GROUPS
from ettana_env.vocabulary import (
    COLOURS,
    DIE_COLOURS,
    FACES,
    KINDS,
    MAX_ACTION_CARDS,
    MAX_DESIGNS,
    MAX_PLAYERS,
    OCTAGONS,
    PHASES,
    YARNS_PER_COLOUR,
)

VERSION = 3
"""Raised whenever a number of the observation or of the action features changes its place or meaning."""

Vector = NDArray[np.float32]
NO_LIMIT = 2**31 - 1


@dataclass(frozen=True)
class Part:
    """One named part of a vector: where it is, its shape, its largest value (the smallest is 0), what it means."""

    name: str
    start: int
    shape: tuple[int, ...]
    high: float
    meaning: str

    @property
    def size(self) -> int:
        """How many numbers it has."""
        return int(np.prod(self.shape))

    @property
    def slice(self) -> slice:
        """Where it is in the vector."""
        return slice(self.start, self.start + self.size)

    def of(self, vectors: NDArray[Any]) -> NDArray[Any]:
        """This part of a vector, or of an array of vectors, in its shape; not a copy."""
        return vectors[..., self.slice].reshape(*vectors.shape[:-1], *self.shape)


class Layout(Mapping[str, Part]):
    """The parts of a vector, by name and in order."""

    def __init__(self, parts: list[tuple[str, tuple[int, ...], float, str]]) -> None:
        self._parts: dict[str, Part] = {}
        self.size = 0
        for name, shape, high, meaning in parts:
            self._parts[name] = Part(name, self.size, shape, high, meaning)
            self.size += self._parts[name].size

    def __getitem__(self, name: str) -> Part:
        return self._parts[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._parts)

    def __len__(self) -> int:
        return len(self._parts)

    def space(self) -> spaces.Box:
        """The space of these vectors, with each number's own range."""
        high = np.concatenate([np.full(part.size, part.high, np.float32) for part in self.values()])
        return spaces.Box(np.zeros(self.size, np.float32), high, dtype=np.float32)

    def table(self) -> str:
        """The layout as a Markdown table."""
        lines = ["| indices | part | shape | range | meaning |", "|---|---|---|---|---|"]
        for part in self.values():
            last = part.start + part.size - 1
            where = f"{part.start}" if part.size == 1 else f"{part.start}–{last}"
            shape = " × ".join(str(size) for size in part.shape)
            lines.append(f"| {where} | `{part.name}` | {shape} | 0 to {part.high:.7g} | {part.meaning} |")
        return "\n".join(lines)


def _public(rules: Rules) -> list[tuple[str, tuple[int, ...], float, str]]:
    seats, of_kind = (MAX_PLAYERS,), "as a share of all cards of the kind"
    squares = board(rules.rim_squares).squares
    action_cards = sum(rules.action_cards.counts)
    most_points = rules.points_to_win - 1 + max(design.points for design in rules.designs)
    return [
        ("yarns", (OCTAGONS, len(COLOURS)), 1, "1 at the colour of each octagon's yarn"),
        ("reserve_yarns", (len(COLOURS),), 1, f"yarns in reserve by colour / {YARNS_PER_COLOUR}"),
        ("tiles", (16, FACES), 1, "1 at the number of each tile; the 16 squares that have one, in order"),
        ("reserve_tiles", (2, FACES), 1, "1 at the number of each tile in reserve"),
        ("seats", seats, 1, "1 for each seat that plays"),
        ("seat", seats, 1, "1 at the number of the seat that sees this (not relative)"),
        ("pins", (MAX_PLAYERS, squares), 1, "1 at each seat's square; all 0 if not yet placed"),
        ("tokens", seats, rules.tokens.total / TOKENS_UNIT, f"tokens / {TOKENS_UNIT:g}"),
        ("points", seats, most_points / rules.points_to_win, "points / points to win"),
        ("victory_cards", seats, 1, f"victory-point cards shown, {of_kind}"),
        ("action_counts", seats, action_cards / CARDS_UNIT, f"action cards in hand / {CARDS_UNIT:g}"),
        ("design_counts", seats, len(rules.designs) / CARDS_UNIT, f"designs in hand / {CARDS_UNIT:g}"),
        ("placing_rolls", seats, 1, f"placing roll / {FACES}; 0 if not yet rolled"),
        ("claimed", (MAX_PLAYERS, MAX_DESIGNS), 1, "1 for each design claimed, by place in the deck"),
        ("discard", (len(KINDS),), 1, f"action cards in the discard by kind, {of_kind}"),
        ("bank", (1,), 1, "tokens in the bank / all tokens"),
        ("stacks", (2,), 1, "cards left in the action and the design stack / cards in all"),
        ("phase", (len(PHASES),), 1, "1 at the phase: " + ", ".join(PHASES)),
        ("to_act", seats, 1, "1 at the seat to act"),
        ("number", (FACES,), 1, "1 at the number rolled; all 0 before the roll; while placing, the placing roll"),
        ("colour", (len(DIE_COLOURS),), 1, "1 at the colour rolled, black last; all 0 before the roll"),
        ("done", (4,), 1, "this turn: moved; the move was the last action; something was done; preset was played"),
        ("turn", (1,), (rules.max_turns or NO_LIMIT) / TURNS_UNIT, f"turns finished / {TURNS_UNIT:g}"),
        ("actions", (1,), (rules.max_actions or NO_LIMIT) / ACTIONS_UNIT, f"actions taken / {ACTIONS_UNIT:g}"),
        ("winner", seats, 1, "1 at the seat that has won"),
        ("truncated", (1,), 1, "1 if a limit ended the game"),
    ]


@lru_cache(maxsize=64)
def layout(rules: Rules) -> Layout:
    """The layout of an observation under `rules`."""
    points = max(design.points for design in rules.designs) / rules.points_to_win
    of_kind = "as a share of all cards of the kind"
    return Layout(
        [
            *_public(rules),
            ("action_hand", (len(KINDS),), 1, f"own action cards by kind, {of_kind}"),
            ("unseen_actions", (len(KINDS),), 1, f"cards in the stack or in other hands by kind, {of_kind}"),
            ("held", (MAX_DESIGNS,), 1, "1 for each design in the own hand, by place in the deck"),
            (
                "slots",
                (SLOTS, 2 + MAX_GROUPS * OCTAGONS),
                max(1, points),
                f"the first {SLOTS} designs of the own hand, in its order (as the actions name them), each: 1 if there "
                f"is one; its points / points to win; its pattern, {MAX_GROUPS} groups × {OCTAGONS} octagons, in the "
                "top left corner",
            ),
        ]
    )


@lru_cache(maxsize=64)
def state_layout(rules: Rules) -> Layout:
    """The layout of the whole truth, for a central critic: no seat's view, seats in their own order."""
    return Layout(
        [
            *_public(rules),
            ("action_hands", (MAX_PLAYERS, len(KINDS)), 1, "action cards by seat and kind, as a share of the kind"),
            ("design_hands", (MAX_PLAYERS, MAX_DESIGNS), 1, "1 for each design in hand, by seat and place in the deck"),
            (
                "action_stack",
                (MAX_ACTION_CARDS,),
                1,
                f"(place of the kind in the kind list + 1) / {len(KINDS)}, the next to be drawn last; then 0",
            ),
            ("design_stack", (MAX_DESIGNS,), 1, f"(place in the deck + 1) / {MAX_DESIGNS}, the next last; then 0"),
        ]
    )


def observe(game: Game, seat: int) -> Vector:
    """What a seat sees of a game, as a vector."""
    vector = np.empty(layout(game.rules).size, np.float32)
    observe_one(game._tables, game._games, 0, game.check_seat(seat), vector)
    return vector


def observe_all(game: Game) -> Vector:
    """The whole truth about a game, as a vector."""
    vector = np.empty(state_layout(game.rules).size, np.float32)
    observe_all_one(game._tables, game._games, 0, vector)
    return vector


def decode(rules: Rules, vector: Vector) -> Json:
    """The view that an observation shows, as `Game.view` gives it: nothing a seat may know is lost."""
    parts = {name: part.of(vector) for name, part in layout(rules).items()}
    state = _decode_public(rules, parts)
    seat, players = int(parts["seat"].argmax()), state["players"]
    actions, designs = _sizes(parts["action_counts"], players, seat), _sizes(parts["design_counts"], players, seat)
    state["action_hands"] = [[None] * size for size in actions]
    state["action_hands"][seat] = kinds_of(_cards(rules, parts["action_hand"]))
    state["design_hands"] = [[None] * size for size in designs]
    state["design_hands"][seat] = _names(rules, parts["held"])
    stacks = parts["stacks"]
    state["action_stack"] = [None] * round(float(stacks[0]) * sum(rules.action_cards.counts))
    state["design_stack"] = [None] * round(float(stacks[1]) * len(rules.designs))
    return state


def decode_state(rules: Rules, vector: Vector) -> Json:
    """The whole state that a `state()` vector shows, as `Game.to_dict` gives it."""
    parts = {name: part.of(vector) for name, part in state_layout(rules).items()}
    state = _decode_public(rules, parts)
    seats = range(state["players"])
    state["action_hands"] = [kinds_of(_cards(rules, parts["action_hands"][seat])) for seat in seats]
    state["design_hands"] = [_names(rules, parts["design_hands"][seat]) for seat in seats]
    kinds = [round(float(code) * len(KINDS)) for code in parts["action_stack"]]
    designs = [round(float(code) * MAX_DESIGNS) for code in parts["design_stack"]]
    state["action_stack"] = [KINDS[code - 1] for code in kinds if code]
    state["design_stack"] = [rules.designs[code - 1].name for code in designs if code]
    return state


def _decode_public(rules: Rules, parts: dict[str, Vector]) -> Json:
    players = int(parts["seats"].sum())
    seat = int(parts["seat"].argmax())
    here = board(rules.rim_squares)

    def hot(values: Vector) -> int | None:
        return int(values.argmax()) if values.any() else None

    def die(values: Vector) -> int | None:
        number = hot(values)
        return None if number is None else number + 1

    def by_seat(values: Vector) -> list[Any]:
        return [values[(other - seat) % players] for other in range(players)]

    def counted(values: Vector, unit: float) -> list[int]:
        return [round(float(value) * unit) for value in by_seat(values)]

    tiles: list[int | None] = [None] * here.squares
    for square, number in zip(here.tiled, parts["tiles"], strict=True):
        tiles[square] = die(number)
    colour = hot(parts["colour"])
    winner = hot(parts["winner"])
    moved, free_swap, acted, preset = (bool(flag) for flag in parts["done"])
    return {
        "players": players,
        "yarns": [COLOURS[int(yarn.argmax())] for yarn in parts["yarns"]],
        "tiles": tiles,
        "reserve_yarns": [
            colour
            for colour, share in zip(COLOURS, parts["reserve_yarns"], strict=True)
            for _ in range(round(float(share) * YARNS_PER_COLOUR))
        ],
        "reserve_tiles": [die(number) for number in parts["reserve_tiles"]],
        "pins": [hot(pin) for pin in by_seat(parts["pins"])],
        "tokens": counted(parts["tokens"], TOKENS_UNIT),
        "bank": round(float(parts["bank"][0]) * rules.tokens.total),
        "points": counted(parts["points"], rules.points_to_win),
        "victory_cards": counted(parts["victory_cards"], rules.action_cards.victory_point),
        "claimed": [_names(rules, names) for names in by_seat(parts["claimed"])],
        "action_discard": kinds_of(_cards(rules, parts["discard"])),
        "phase": PHASES[int(parts["phase"].argmax())],
        "player": (int(parts["to_act"].argmax()) + seat) % players,
        "dice": {"number": die(parts["number"]), "colour": None if colour is None else DIE_COLOURS[colour]},
        "placing_rolls": [roll or None for roll in counted(parts["placing_rolls"], FACES)],
        "moved": moved,
        "free_swap": free_swap,
        "acted": acted,
        "preset": preset,
        "turn": round(float(parts["turn"][0]) * TURNS_UNIT),
        "actions": round(float(parts["actions"][0]) * ACTIONS_UNIT),
        "winner": None if winner is None else (winner + seat) % players,
        "truncated": bool(parts["truncated"][0]),
    }


def _sizes(counts: Vector, players: int, seat: int) -> list[int]:
    return [round(float(counts[(other - seat) % players]) * CARDS_UNIT) for other in range(players)]


def _cards(rules: Rules, shares: Vector) -> list[int]:
    return [round(float(share) * count) for share, count in zip(shares, rules.action_cards.counts, strict=True)]


def _names(rules: Rules, bits: Vector) -> list[str]:
    return [design.name for place, design in enumerate(rules.designs) if bits[place]]


if __name__ == "__main__":
    print(layout(Rules()).table())
