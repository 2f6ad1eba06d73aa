"""A slow and plain reading of the rules, written apart from the engine and compared with it.

States, actions and rules are the JSON objects of RECORD.md; the ids (R1.1 ...) are RULES.md's.
Nothing here is fast or clever on purpose: each function can be checked against its rule by eye.
"""

from __future__ import annotations

import copy
import functools
import itertools
import random
from typing import Any, Protocol

Json = dict[str, Any]
Placement = frozenset[tuple[int, str]]

COLOURS = ["green", "red", "yellow", "blue", "purple"]
KINDS = [
    "move",
    "swap",
    "steal_card",
    "steal_tokens",
    "replace",
    "preset",
    "get_design",
    "collect_three",
    "gain_tokens",
    "roll_again",
    "victory_point",
    "tax",
]
# The action card that each action plays (R4.8); the other actions play none.
CARD_PLAYED = {
    "preset": "preset",
    "move_card": "move",
    "swap_card": "swap",
    "steal_card": "steal_card",
    "steal_tokens": "steal_tokens",
    "replace_yarn": "replace",
    "replace_tile": "replace",
    "get_design": "get_design",
    "collect_three": "collect_three",
    "gain_tokens": "gain_tokens",
    "roll_again": "roll_again",
    "tax": "tax",
}
# The price that each bought action costs (R4.4, R4.5, R4.6).
PRICE_PAID = {"buy_action": "action", "buy_swap": "swap", "buy_design": "design"}


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


# --- The board (R1.1, R1.2; section 9, rim squares) ---


def side(rules: Json) -> int:
    """Squares in a row of the grid of squares."""
    return 6 if rules["rim_squares"] else 4


def has_tile(rules: Json, square: int) -> bool:
    """Every square carries a tile but those on the rim."""
    if not rules["rim_squares"]:
        return True
    row, column = divmod(square, 6)
    return 1 <= row <= 4 and 1 <= column <= 4


def octagons_touched(rules: Json, square: int) -> list[int]:
    """R1.2: the octagons at the corners of a square, those that exist."""
    row, column = divmod(square, side(rules))
    if rules["rim_squares"]:  # square (1, 1) with a rim is square (0, 0) without
        row, column = row - 1, column - 1
    corners = [(row, column), (row, column + 1), (row + 1, column), (row + 1, column + 1)]
    return [5 * r + c for r, c in corners if 0 <= r <= 4 and 0 <= c <= 4]


def neighbours(rules: Json, square: int) -> list[int]:
    """R1.2: adjacent squares, in a row or a column."""
    n = side(rules)
    row, column = divmod(square, n)
    around = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
    return [n * r + c for r, c in around if 0 <= r < n and 0 <= c < n]


def free_squares(rules: Json, state: Json) -> list[int]:
    """The squares with no pin."""
    return [s for s in range(side(rules) ** 2) if s not in state["pins"]]


def free_squares_showing(rules: Json, state: Json, number: int) -> list[int]:
    """The squares with no pin whose tile shows the number."""
    return [s for s in free_squares(rules, state) if state["tiles"][s] == number]


# --- Designs (section 6) ---


def placements(pattern: list[str], mirror: bool) -> set[Placement]:
    """R6.2: every distinct placement, as a set of (octagon, group letter)."""
    return set(_placements(tuple(pattern), mirror))


@functools.cache
def _placements(pattern: tuple[str, ...], mirror: bool) -> frozenset[Placement]:
    cells = {
        (r, c, letter)
        for r, row in enumerate(pattern)
        for c, letter in enumerate(row)
        if letter != "."
    }
    shapes = [cells]
    if mirror:  # section 9, mirror images
        shapes.append({(r, -c, letter) for r, c, letter in cells})
    found = set()
    for shape in shapes:
        for _ in range(4):
            shape = {(c, -r, letter) for r, c, letter in shape}  # a quarter turn
            for down, right in itertools.product(range(-9, 10), repeat=2):
                moved = [(r + down, c + right, letter) for r, c, letter in shape]
                if all(0 <= r <= 4 and 0 <= c <= 4 for r, c, _ in moved):
                    found.add(frozenset((5 * r + c, letter) for r, c, letter in moved))
    return frozenset(found)


def completes(pattern: list[str], yarns: list[str], mirror: bool) -> bool:
    """R6.1: each group of one colour, different groups of different colours, somewhere."""
    for placement in _placements(tuple(pattern), mirror):
        pairs = {(letter, yarns[octagon]) for octagon, letter in placement}
        letters = {letter for letter, _ in pairs}
        colours = {colour for _, colour in pairs}
        if len(pairs) == len(letters) == len(colours):  # letters and colours pair one to one
            return True
    return False


def design_called(rules: Json, name: str) -> Json:
    found: Json = next(design for design in rules["designs"] if design["name"] == name)
    return found


def in_deck_order(rules: Json, names: list[str]) -> list[str]:
    return [design["name"] for design in rules["designs"] if design["name"] in names]


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
        "tiles": [
            next(on_squares) if has_tile(rules, s) else None for s in range(side(rules) ** 2)
        ],
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


# --- What a player may do ---


def legal_actions(rules: Json, state: Json) -> list[Json]:
    """Every legal action of the seat to act; none once the game is over (R7.1, R7.2)."""
    if state["phase"] == "place":  # R2.4
        squares = free_squares_showing(rules, state, state["dice"]["number"])
        return [{"kind": "place", "square": square} for square in squares]
    if state["phase"] == "roll":  # R3.1
        return [{"kind": "roll"}, *legal_presets(rules, state)]
    if state["phase"] == "act":  # R3.4
        moves = legal_moves(rules, state)
        return [
            *moves,
            *legal_swaps(rules, state),
            *legal_purchases(rules, state),
            *legal_exchanges(rules, state),
            *legal_claims(rules, state),
            *legal_thefts(rules, state),
            *legal_replacements(rules, state),
            *legal_other_cards(rules, state),
            *([{"kind": "end_turn"}] if state["moved"] or not moves else []),  # R3.5
        ]
    return []


def holds(state: Json, card: str) -> bool:
    return card in state["action_hands"][state["player"]]


def can_pay(rules: Json, state: Json, what: str) -> bool:
    return bool(state["tokens"][state["player"]] >= rules["prices"][what])


def legal_presets(rules: Json, state: Json) -> list[Json]:
    """R3.1, R5.6; section 9, preset to black."""
    if not holds(state, "preset"):
        return []
    faces = [*COLOURS, "black"] if rules["preset_black"] else COLOURS
    return [{"kind": "preset", "colour": colour} for colour in faces]


def legal_moves(rules: Json, state: Json) -> list[Json]:
    """R4.1: the ways to move, if not moved yet."""
    if state["moved"]:
        return []
    number = state["dice"]["number"]
    moves: list[Json] = [
        {"kind": "step", "square": square, "pay": sorted(paid)}
        for square, paid in walks(rules, state)
    ]
    for square in free_squares_showing(rules, state, number):  # R4.1b
        moves.append({"kind": "jump", "square": square})
    if holds(state, "move"):  # R4.1c, R5.1
        for square in free_squares(rules, state):
            moves.append({"kind": "move_card", "square": square})
    return moves


def walks(rules: Json, state: Json) -> set[tuple[int, frozenset[int]]]:
    """R4.1a, R4.2: where the steps of the die can lead, and which seats are paid on the way."""
    pins = state["pins"]
    purse = state["tokens"][state["player"]]
    paths = [[pins[state["player"]]]]
    for _ in range(state["dice"]["number"]):
        paths = [
            [*path, square]
            for path in paths
            for square in neighbours(rules, path[-1])
            if square not in path
        ]
    found = set()
    for path in paths:
        paid = frozenset(pins.index(square) for square in path[1:-1] if square in pins)
        if path[-1] not in pins and len(paid) <= purse:
            found.add((path[-1], paid))
    return found


def legal_swaps(rules: Json, state: Json) -> list[Json]:
    """R4.3, R4.5, R5.2: swaps of two yarns of different colours (R4.10)."""
    actions: list[Json] = []
    if state["free_swap"]:
        square = state["pins"][state["player"]]
        actions += swaps_among(state, "free_swap", octagons_touched(rules, square))
    if can_pay(rules, state, "swap"):
        actions += swaps_among(state, "buy_swap", list(range(25)))
    if holds(state, "swap"):
        actions += swaps_among(state, "swap_card", list(range(25)))
    return actions


def swaps_among(state: Json, kind: str, octagons: list[int]) -> list[Json]:
    return [
        {"kind": kind, "a": a, "b": b}
        for a in octagons
        for b in octagons
        if a < b and state["yarns"][a] != state["yarns"][b]
    ]


def legal_purchases(rules: Json, state: Json) -> list[Json]:
    """R4.4, R4.6: cards bought, where there is one to draw (R4.10, R5.13)."""
    actions: list[Json] = []
    if can_pay(rules, state, "action") and (state["action_stack"] or state["action_discard"]):
        actions.append({"kind": "buy_action"})
    if can_pay(rules, state, "design") and state["design_stack"]:
        actions.append({"kind": "buy_design"})
    return actions


def legal_exchanges(rules: Json, state: Json) -> list[Json]:
    """R4.7; section 9, exchange."""
    if not rules["exchange"] or state["acted"] or not state["design_stack"]:
        return []
    hand = state["design_hands"][state["player"]]
    return [{"kind": "exchange", "design": name} for name in hand]


def legal_claims(rules: Json, state: Json) -> list[Json]:
    """R4.9: the designs in hand that the board completes."""
    return [
        {"kind": "claim", "design": name}
        for name in state["design_hands"][state["player"]]
        if completes(design_called(rules, name)["pattern"], state["yarns"], rules["mirror_images"])
    ]


def legal_thefts(rules: Json, state: Json) -> list[Json]:
    """R5.3, R5.4: from an opponent who has something to take (R4.10)."""
    actions: list[Json] = []
    for seat in range(state["players"]):
        if seat == state["player"]:
            continue
        if holds(state, "steal_card") and state["action_hands"][seat]:
            actions.append({"kind": "steal_card", "seat": seat})
        if holds(state, "steal_tokens") and min(rules["steal_tokens_max"], state["tokens"][seat]):
            actions.append({"kind": "steal_tokens", "seat": seat})
    return actions


def legal_replacements(rules: Json, state: Json) -> list[Json]:
    """R5.5: a yarn, or the tile of a square with no pin, by a different one (R4.10)."""
    if not holds(state, "replace"):
        return []
    actions: list[Json] = []
    for octagon, yarn in enumerate(state["yarns"]):
        for colour in COLOURS:
            if colour in state["reserve_yarns"] and colour != yarn:
                actions.append({"kind": "replace_yarn", "octagon": octagon, "colour": colour})
    for square in free_squares(rules, state):
        if has_tile(rules, square):
            for number in sorted(set(state["reserve_tiles"]) - {state["tiles"][square]}):
                actions.append({"kind": "replace_tile", "square": square, "number": number})
    return actions


def legal_other_cards(rules: Json, state: Json) -> list[Json]:
    """R5.7 to R5.12: the cards played on nothing in particular."""
    actions: list[Json] = []
    if holds(state, "get_design") and state["design_stack"]:
        actions.append({"kind": "get_design"})
    if holds(state, "collect_three") and min(rules["collect_three_gives"], state["bank"]):
        actions.append({"kind": "collect_three"})
    if holds(state, "gain_tokens") and state["bank"]:
        actions += [{"kind": "gain_tokens", "number": number} for number in range(1, 7)]
    if holds(state, "roll_again") and not state["acted"] and not state["preset"]:
        actions.append({"kind": "roll_again"})
    if holds(state, "tax"):
        actions.append({"kind": "tax"})
    return actions


# --- What an action does ---


def apply(rules: Json, state: Json, action: Json, chance: Chance) -> Json:
    """The state after a legal action; the one given is left as it is."""
    state = copy.deepcopy(state)
    kind, seat = action["kind"], state["player"]
    state["actions"] += 1
    if kind in CARD_PLAYED:  # R4.8: before its effect
        discard(state, seat, CARD_PLAYED[kind])
    if kind in PRICE_PAID:
        to_bank(state, seat, rules["prices"][PRICE_PAID[kind]])
    set_flags(rules, state, kind)

    if kind == "place":
        place(rules, state, action["square"], chance)
    elif kind == "roll":
        roll(rules, state, chance.colour(), True, chance)
    elif kind == "preset":
        roll(rules, state, action["colour"], True, chance)
    elif kind == "roll_again":  # R5.10; section 9, collecting after roll again
        roll(rules, state, chance.colour(), rules["roll_again_collects"], chance)
    elif kind in ("step", "jump", "move_card"):
        state["pins"][seat] = action["square"]
        for other in action.get("pay", []):  # R4.2
            between(state, seat, other, 1)
    elif kind in ("free_swap", "buy_swap", "swap_card"):
        swap_yarns(state, action["a"], action["b"])
    elif kind == "buy_action":
        draw_action(state, seat, chance)
    elif kind in ("buy_design", "get_design"):
        draw_design(rules, state, seat)
    elif kind == "exchange":  # R4.7
        state["design_hands"][seat].remove(action["design"])
        state["design_stack"].insert(0, action["design"])
        draw_design(rules, state, seat)
        next_turn(state)
    elif kind == "claim":  # R4.9
        state["design_hands"][seat].remove(action["design"])
        laid = [*state["claimed"][seat], action["design"]]
        state["claimed"][seat] = in_deck_order(rules, laid)
        state["points"][seat] += design_called(rules, action["design"])["points"]
    elif kind == "steal_card":  # R5.3
        card = chance.stolen(list(state["action_hands"][action["seat"]]))
        state["action_hands"][action["seat"]].remove(card)
        state["action_hands"][seat].append(card)
        state["action_hands"][seat].sort(key=KINDS.index)
    elif kind == "steal_tokens":  # R5.4
        victim = action["seat"]
        between(state, victim, seat, min(rules["steal_tokens_max"], state["tokens"][victim]))
    elif kind == "replace_yarn":  # R5.5
        state["reserve_yarns"].remove(action["colour"])
        state["reserve_yarns"].append(state["yarns"][action["octagon"]])
        state["reserve_yarns"].sort(key=COLOURS.index)
        state["yarns"][action["octagon"]] = action["colour"]
    elif kind == "replace_tile":  # R5.5
        place_in_reserve = state["reserve_tiles"].index(action["number"])
        state["reserve_tiles"][place_in_reserve] = state["tiles"][action["square"]]
        state["tiles"][action["square"]] = action["number"]
    elif kind == "collect_three":  # R5.8
        from_bank(state, seat, rules["collect_three_gives"])
    elif kind == "gain_tokens":  # R5.9
        if chance.number("gain", seat) >= action["number"]:
            from_bank(state, seat, action["number"])
    elif kind == "tax":  # R5.12
        for other in range(state["players"]):
            if other != seat and state["tokens"][other] >= 1:
                to_bank(state, other, 1)
    elif kind == "end_turn":  # R3.5
        next_turn(state)
    else:
        raise ValueError(f"no such action: {kind}")

    end_of_game(rules, state)
    return state


def set_flags(rules: Json, state: Json, kind: str) -> None:
    """RECORD.md's table of flags; what ends the turn is left to next_turn."""
    if kind in ("roll", "roll_again", "preset"):
        state["acted"] = state["moved"] = state["free_swap"] = False
        state["preset"] = state["preset"] or kind == "preset"
    elif kind in ("step", "jump", "move_card"):
        state["acted"] = state["moved"] = True
        state["free_swap"] = rules["free_swap"]  # section 9, free swap
    elif kind != "place":
        state["acted"] = True
        state["free_swap"] = False


def place(rules: Json, state: Json, square: int, chance: Chance) -> None:
    """R2.4: a pin is placed; the next seat rolls, or play starts."""
    state["pins"][state["player"]] = square
    if state["player"] + 1 < state["players"]:
        placing_roll(rules, state, state["player"] + 1, chance)
    else:
        start_play(rules, state, chance)


def roll(rules: Json, state: Json, colour: str, collects: bool, chance: Chance) -> None:
    """R3.1: the number die is rolled beside the colour given; then Collect."""
    state["phase"] = "act"
    state["dice"] = {"number": chance.number("roll", state["player"]), "colour": colour}
    if not collects:
        return
    if colour == "black":  # R3.3
        draw_action(state, state["player"], chance)
        return
    gains = []  # R3.2
    for square in state["pins"]:
        touched = [state["yarns"][octagon] for octagon in octagons_touched(rules, square)]
        gains.append(touched.count(colour))
    if sum(gains) <= state["bank"]:
        for seat, gain in enumerate(gains):
            from_bank(state, seat, gain)


def next_turn(state: Json) -> None:
    """R3.5: the turn is over and the next seat is to roll."""
    state["turn"] += 1
    state["player"] = (state["player"] + 1) % state["players"]
    state["phase"] = "roll"
    state["dice"] = {"number": None, "colour": None}
    state["acted"] = state["moved"] = state["free_swap"] = state["preset"] = False


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
