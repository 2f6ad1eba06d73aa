"""Chance, the handling of tokens and cards, setting up (section 2) and the end (section 7), read plainly."""

from __future__ import annotations

import random
from typing import Any, Protocol

from tests.plain.board import (
    COLOURS,
    KINDS,
    Json,
    free_squares_showing,
    has_tile,
    in_deck_order,
    side,
)


class Chance(Protocol):
    """Whatever is not a player's decision."""

    def number(self, why: str, seat: int) -> int:
        """The number die, rolled by `seat`; why: "placing", "tie", "roll" or "gain"."""
        ...

    def colour(self) -> str:
        """The colour die: one of the five colours or "black"."""
        ...

    def stolen(self, hand: list[str]) -> str:
        """The kind of card that a steal_card takes from `hand`."""
        ...

    def shuffled(self, what: str, cards: list[Any]) -> list[Any]:
        """The cards in a new order; what: "yarns", "tiles", "actions", "designs" or "discard".

        A stack's next card is the last. Yarns are the 25 by octagon; tiles are the 16 by square
        (of those that carry one) and then the two of the reserve.
        """
        ...

    def square(self, seat: int, squares: list[int]) -> int:
        """The square a pin is put on when placing is not by choice."""
        ...


class Dice:
    """Fair chance from a seed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def number(self, why: str, seat: int) -> int:
        return self.random.randint(1, 6)

    def colour(self) -> str:
        return self.random.choice([*COLOURS, "black"])

    def stolen(self, hand: list[str]) -> str:
        return self.random.choice(hand)

    def shuffled(self, what: str, cards: list[Any]) -> list[Any]:
        return self.random.sample(cards, len(cards))

    def square(self, seat: int, squares: list[int]) -> int:
        return self.random.choice(squares)


# --- Tokens and cards ---


def from_bank(state: Json, seat: int, most: int) -> None:
    """A player takes tokens from the bank, or as many as it has."""
    amount = min(most, state["bank"])
    state["bank"] -= amount
    state["tokens"][seat] += amount


def to_bank(state: Json, seat: int, amount: int) -> None:
    state["tokens"][seat] -= amount
    state["bank"] += amount


def between(state: Json, giver: int, taker: int, amount: int) -> None:
    state["tokens"][giver] -= amount
    state["tokens"][taker] += amount


def draw_action(state: Json, seat: int, chance: Chance) -> None:
    """Draw an action card: R5.13 the empty stack, R5.11 the victory point."""
    if not state["action_stack"]:
        if not state["action_discard"]:
            return
        state["action_stack"] = chance.shuffled("discard", state["action_discard"])
        state["action_discard"] = []
    card = state["action_stack"].pop()
    if card == "victory_point":
        state["victory_cards"][seat] += 1
        state["points"][seat] += 1
    else:
        state["action_hands"][seat].append(card)
        state["action_hands"][seat].sort(key=KINDS.index)


def draw_design(rules: Json, state: Json, seat: int) -> None:
    """Draw a design card; its stack is never refilled (R5.13)."""
    if state["design_stack"]:
        hand = [*state["design_hands"][seat], state["design_stack"].pop()]
        state["design_hands"][seat] = in_deck_order(rules, hand)


def discard(state: Json, seat: int, card: str) -> None:
    """R4.8: a card played goes to the discard."""
    state["action_hands"][seat].remove(card)
    state["action_discard"].append(card)
    state["action_discard"].sort(key=KINDS.index)


def swap_yarns(state: Json, a: int, b: int) -> None:
    yarns = state["yarns"]
    yarns[a], yarns[b] = yarns[b], yarns[a]


# --- Setup (section 2) ---


def first_state(rules: Json, players: int, chance: Chance) -> Json:
    """R2.1 to R2.3, then the first placing roll, or all of the setup if placing is random."""
    yarns = chance.shuffled("yarns", [colour for colour in COLOURS for _ in range(5)])
    tiles = chance.shuffled("tiles", [number for number in range(1, 7) for _ in range(3)])
    while tiles[-1] == tiles[-2]:  # R2.2: the two of the reserve differ
        tiles = chance.shuffled("tiles", tiles)
    on_squares = iter(tiles[:16])
    actions = [kind for kind in KINDS for _ in range(rules["action_cards"][kind])]
    designs = [design["name"] for design in rules["designs"]]
    state: Json = {
        "players": players,
        "yarns": yarns,
        "tiles": [next(on_squares) if has_tile(rules, s) else None for s in range(side(rules) ** 2)],
        "reserve_yarns": list(COLOURS),
        "reserve_tiles": tiles[16:],
        "pins": [None] * players,
        "tokens": [0] * players,
        "bank": rules["tokens"]["total"],
        "points": [0] * players,
        "victory_cards": [0] * players,
        "action_hands": [[] for _ in range(players)],
        "design_hands": [[] for _ in range(players)],
        "claimed": [[] for _ in range(players)],
        "action_stack": chance.shuffled("actions", actions),
        "action_discard": [],
        "design_stack": chance.shuffled("designs", designs),
        "phase": "place",
        "player": 0,
        "dice": {"number": None, "colour": None},
        "placing_rolls": [None] * players,
        "moved": False,
        "free_swap": False,
        "acted": False,
        "preset": False,
        "turn": 0,
        "actions": 0,
        "winner": None,
        "truncated": False,
    }
    if rules["place_by_choice"]:
        placing_roll(rules, state, 0, chance)
    else:  # section 9, placing a pin
        for seat in range(players):
            placing_roll(rules, state, seat, chance)
            showing = free_squares_showing(rules, state, state["placing_rolls"][seat])
            state["pins"][seat] = chance.square(seat, showing)
        start_play(rules, state, chance)
    end_of_game(rules, state)
    return state


def placing_roll(rules: Json, state: Json, seat: int, chance: Chance) -> None:
    """R2.4: the seat rolls for its square, again while none with that number is free."""
    number = chance.number("placing", seat)
    while not free_squares_showing(rules, state, number):
        number = chance.number("placing", seat)
    state["player"] = seat
    state["placing_rolls"][seat] = number
    state["dice"] = {"number": number, "colour": None}


def start_play(rules: Json, state: Json, chance: Chance) -> None:
    """R2.5 and R2.6, all pins being placed: who starts, and the deal."""
    starter = starting_seat(state["placing_rolls"], chance)
    state["phase"] = "roll"
    state["player"] = starter
    state["dice"] = {"number": None, "colour": None}
    for i in range(state["players"]):
        seat = (starter + i) % state["players"]
        from_bank(state, seat, rules["tokens"]["start"])
        for _ in range(rules["start_cards"]["design"]):
            draw_design(rules, state, seat)
        for _ in range(rules["start_cards"]["action"]):
            draw_action(state, seat, chance)
            if state["points"][seat] >= rules["points_to_win"]:  # R7.1: the deal stops
                return


def starting_seat(rolls: list[int], chance: Chance) -> int:
    """R2.5: the highest roll; those who tie for it roll again among themselves."""
    best = {seat: roll for seat, roll in enumerate(rolls) if roll == max(rolls)}
    while len(best) > 1:
        again = {seat: chance.number("tie", seat) for seat in best}
        best = {seat: roll for seat, roll in again.items() if roll == max(again.values())}
    return next(iter(best))


# --- The end (section 7) ---


def end_of_game(rules: Json, state: Json) -> None:
    """R7.1, and R7.2 if nobody has won."""
    for seat, points in enumerate(state["points"]):
        if points >= rules["points_to_win"]:
            state["winner"] = seat
            state["phase"] = "over"
            return
    turns, actions = rules["max_turns"], rules["max_actions"]
    out_of_turns = turns is not None and state["turn"] >= turns
    out_of_actions = actions is not None and state["actions"] >= actions
    if out_of_turns or out_of_actions:
        state["truncated"] = True
        state["phase"] = "over"
