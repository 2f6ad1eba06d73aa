"""What a player may do and what it does (sections 3 to 5), read plainly."""

from __future__ import annotations

import copy

from tests.plain.board import (
    COLOURS,
    KINDS,
    Json,
    completes,
    design_called,
    free_squares,
    free_squares_showing,
    has_tile,
    in_deck_order,
    neighbours,
    octagons_touched,
)
from tests.plain.setup import (
    Chance,
    between,
    discard,
    draw_action,
    draw_design,
    end_of_game,
    from_bank,
    placing_roll,
    start_play,
    swap_yarns,
    to_bank,
)

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
        {"kind": "step", "square": square, "pay": sorted(paid)} for square, paid in walks(rules, state)
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
        paths = [[*path, square] for path in paths for square in neighbours(rules, path[-1]) if square not in path]
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
