"""What bars an action: for every kind of action and every target a function that gives a reason code, 0 for none.

The list of legal actions, the mask, the check of one action and the error message (`ettana_env.reasons` puts the
codes in words) all come from these functions.
"""

from typing import Any

import numpy as np

from ettana_env.compiled import compiled
from ettana_env.engine.bits import ONE, how_many, nth
from ettana_env.engine.setup import is_free
from ettana_env.vocabulary import (
    ACT,
    COLLECT_THREE,
    GAIN_TOKENS,
    GET_DESIGN,
    KINDS,
    MOVE,
    NONE,
    PLACE,
    PRESET,
    ROLL,
    ROLL_AGAIN,
    STEAL_TOKENS,
)

# What can bar an action.
OK = 0
WRONG_PHASE = 1
NO_CARD = 2
CANNOT_AFFORD = 3
HAS_MOVED = 4
NOT_AFTER_MOVE = 5
SWITCHED_OFF = 6
HAS_ACTED = 7
PRESET_PLAYED = 8
NOTHING_TO_DRAW = 9
BANK_EMPTY = 10
MUST_MOVE = 11
OCCUPIED = 12
WRONG_NUMBER = 13
NO_WALK = 14
CANNOT_PAY_TOLL = 15
SAME_COLOUR = 16
NOT_TOUCHED = 17
NOT_IN_RESERVE = 18
SAME_NUMBER = 19
NO_DESIGN = 20
NOT_COMPLETE = 21
NO_PLAYER = 22
NOTHING_TO_STEAL = 23
NO_BLACK = 24
GIVES_NOTHING = 25
OUT_OF_RANGE = 26


# --- What bars a kind of action, whatever its target -------------------------------------------------


@compiled
def bars_act(g: Any) -> int:
    """Anything but placing and rolling is done after the roll."""
    return OK if g.phase == ACT else WRONG_PHASE


@compiled
def bars_card(g: Any, kind: int) -> int:
    """R4.8: a card is played from the hand, after the roll."""
    if g.phase != ACT:
        return WRONG_PHASE
    return OK if g.action_hands[g.player, kind] > 0 else NO_CARD


@compiled
def bars_buying(g: Any, price: int) -> int:
    """R4.4 to R4.6: the price must be at hand."""
    if g.phase != ACT:
        return WRONG_PHASE
    return OK if g.tokens[g.player] >= price else CANNOT_AFFORD


@compiled
def bars_place(g: Any) -> int:
    """R2.4."""
    return OK if g.phase == PLACE else WRONG_PHASE


@compiled
def bars_roll(g: Any) -> int:
    """R3.1."""
    return OK if g.phase == ROLL else WRONG_PHASE


@compiled
def bars_preset(g: Any) -> int:
    """R3.1: instead of the roll."""
    if g.phase != ROLL:
        return WRONG_PHASE
    return OK if g.action_hands[g.player, PRESET] > 0 else NO_CARD


@compiled
def bars_die_move(g: Any) -> int:
    """R4.1: one move a turn."""
    if g.phase != ACT:
        return WRONG_PHASE
    return HAS_MOVED if g.moved else OK


@compiled
def bars_move_card(g: Any) -> int:
    """R5.1."""
    barrier = bars_die_move(g)
    return barrier if barrier != OK else bars_card(g, MOVE)


@compiled
def bars_free_swap(t: Any, g: Any) -> int:
    """R4.3."""
    if not t.free_swap:
        return SWITCHED_OFF
    if g.phase != ACT:
        return WRONG_PHASE
    return OK if g.free_swap else NOT_AFTER_MOVE


@compiled
def action_cards_left(g: Any) -> bool:
    """Is there an action card to draw, after a reshuffle if need be?"""
    if g.action_stack_size > 0:
        return True
    for kind in range(len(KINDS)):
        if g.action_discard[kind] > 0:
            return True
    return False


@compiled
def bars_buy_action(t: Any, g: Any) -> int:
    """R4.4, R4.10."""
    barrier = bars_buying(g, t.price_action)
    if barrier != OK:
        return barrier
    return OK if action_cards_left(g) else NOTHING_TO_DRAW


@compiled
def bars_buy_design(t: Any, g: Any) -> int:
    """R4.6, R4.10."""
    barrier = bars_buying(g, t.price_design)
    if barrier != OK:
        return barrier
    return OK if g.design_stack_size > 0 else NOTHING_TO_DRAW


@compiled
def bars_get_design(g: Any) -> int:
    """R5.7, R4.10."""
    barrier = bars_card(g, GET_DESIGN)
    if barrier != OK:
        return barrier
    return OK if g.design_stack_size > 0 else NOTHING_TO_DRAW


@compiled
def bars_exchange(t: Any, g: Any) -> int:
    """R4.7."""
    if not t.exchange:
        return SWITCHED_OFF
    if g.phase != ACT:
        return WRONG_PHASE
    if g.acted:
        return HAS_ACTED
    return OK if g.design_stack_size > 0 else NOTHING_TO_DRAW


@compiled
def bars_roll_again(g: Any) -> int:
    """R5.10."""
    barrier = bars_card(g, ROLL_AGAIN)
    if barrier != OK:
        return barrier
    if g.acted:
        return HAS_ACTED
    return PRESET_PLAYED if g.preset else OK


@compiled
def bars_gain(g: Any) -> int:
    """R5.9, R4.10."""
    barrier = bars_card(g, GAIN_TOKENS)
    if barrier != OK:
        return barrier
    return OK if g.bank > 0 else BANK_EMPTY


@compiled
def bars_collect_three(t: Any, g: Any) -> int:
    """R5.8, R4.10."""
    barrier = bars_card(g, COLLECT_THREE)
    if barrier != OK:
        return barrier
    if t.collect_three_gives == 0:
        return GIVES_NOTHING
    return OK if g.bank > 0 else BANK_EMPTY


@compiled
def bars_steal_tokens(t: Any, g: Any) -> int:
    """R5.4."""
    barrier = bars_card(g, STEAL_TOKENS)
    if barrier != OK:
        return barrier
    return OK if t.steal_tokens_max > 0 else GIVES_NOTHING


# --- What bars a target ------------------------------------------------------------------------------


@compiled
def bars_placing_on(g: Any, square: int) -> int:
    """R2.4, R4.1b: a free square that shows the number rolled."""
    if g.tiles[square] != g.number:
        return WRONG_NUMBER
    return OK if is_free(g, square) else OCCUPIED


@compiled
def paid_on_walk(t: Any, g: Any, walk: int) -> int:
    """R4.2: the set of relative seats whose pins the walk passes."""
    paid = 0
    for relative in range(1, g.players):
        pin = np.uint64(g.pins[(g.player + relative) % g.players])
        if (t.walk_passed[walk] >> pin) & ONE != 0:
            paid |= 1 << (relative - 1)
    return paid


@compiled
def bars_step_to(t: Any, g: Any, square: int, paid: int) -> int:
    """R4.1a, R4.2."""
    if not is_free(g, square):
        return OCCUPIED
    if how_many(np.uint64(paid)) > g.tokens[g.player]:
        return CANNOT_PAY_TOLL
    start = g.pins[g.player]
    for walk in range(t.walk_first[start, g.number - 1], t.walk_first[start, g.number]):
        if t.walk_end[walk] == square and paid_on_walk(t, g, walk) == paid:
            return OK
    return NO_WALK


@compiled
def bars_swapping(g: Any, a: int, b: int) -> int:
    """R4.10."""
    return OK if g.yarns[a] != g.yarns[b] else SAME_COLOUR


@compiled
def touches(t: Any, square: int, octagon: int) -> bool:
    """Does the square touch the octagon?"""
    for corner in range(4):
        if t.touches[square, corner] == octagon:
            return True
    return False


@compiled
def bars_swapping_near(t: Any, g: Any, a: int, b: int) -> int:
    """R4.3."""
    square = g.pins[g.player]
    if not (touches(t, square, a) and touches(t, square, b)):
        return NOT_TOUCHED
    return bars_swapping(g, a, b)


@compiled
def bars_yarn(g: Any, octagon: int, colour: int) -> int:
    """R5.5, R4.10."""
    if g.reserve_yarns[colour] == 0:
        return NOT_IN_RESERVE
    return OK if g.yarns[octagon] != colour else SAME_COLOUR


@compiled
def bars_tile(g: Any, square: int, place: int) -> int:
    """R5.5, R4.10; of two equal tiles in the reserve the first is used."""
    if not is_free(g, square):
        return OCCUPIED
    if place == 1 and g.reserve_tiles[0] == g.reserve_tiles[1]:
        return NOT_IN_RESERVE
    return OK if g.tiles[square] != g.reserve_tiles[place] else SAME_NUMBER


@compiled
def complete_at(t: Any, g: Any, design: int) -> int:
    """R6.1: the first placement at which the board completes the design, or NONE."""
    groups = t.design_groups[design]
    for place in range(t.place_first[design], t.place_first[design + 1]):
        used = 0
        fits = True
        for group in range(groups):
            colour = g.yarns[t.place_octagon[place, group]]
            mask = t.place_mask[place, group]
            if (g.loom[colour] & mask) != mask or (used >> colour) & 1 == 1:
                fits = False
                break
            used |= 1 << colour
        if fits:
            return place
    return NONE


@compiled
def is_complete(t: Any, g: Any, design: int) -> bool:
    """R6.1: does the board complete the design?"""
    return complete_at(t, g, design) != NONE


@compiled
def bars_claim(t: Any, g: Any, place: int) -> int:
    """R4.9."""
    design = nth(g.design_hands[g.player], place)
    if design < 0:
        return NO_DESIGN
    return OK if is_complete(t, g, design) else NOT_COMPLETE


@compiled
def bars_holding(g: Any, place: int) -> int:
    """Is there a design at this place of the hand?"""
    return OK if nth(g.design_hands[g.player], place) >= 0 else NO_DESIGN


@compiled
def bars_victim_of_card(g: Any, relative: int) -> int:
    """R5.3, R4.10."""
    if relative >= g.players:
        return NO_PLAYER
    victim = (g.player + relative) % g.players
    for kind in range(len(KINDS)):
        if g.action_hands[victim, kind] > 0:
            return OK
    return NOTHING_TO_STEAL


@compiled
def bars_victim_of_tokens(g: Any, relative: int) -> int:
    """R5.4, R4.10."""
    if relative >= g.players:
        return NO_PLAYER
    return OK if g.tokens[(g.player + relative) % g.players] > 0 else NOTHING_TO_STEAL
