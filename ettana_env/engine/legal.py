"""What is legal: for every kind of action one function that says what bars it, and the list of all that is left.

A barrier is a reason code, 0 for none; `ettana_env.reasons` puts the codes in words. The list of legal
actions, the mask, the check of one action and the error message all come from these functions.
"""

from typing import Any

import numpy as np

from ettana_env.compiled import compiled
from ettana_env.engine.bits import ONE, bit, how_many, lowest, nth
from ettana_env.engine.setup import is_free
from ettana_env.vocabulary import (
    ACT,
    BLACK,
    COLLECT_THREE,
    COLOURS,
    FACES,
    GAIN_TOKENS,
    GET_DESIGN,
    KINDS,
    MAX_PLAYERS,
    MOVE,
    OCTAGONS,
    PLACE,
    PRESET,
    REPLACE,
    ROLL,
    ROLL_AGAIN,
    STEAL_CARD,
    STEAL_TOKENS,
    SWAP,
    TAX,
    V_BUY_ACTION,
    V_BUY_DESIGN,
    V_BUY_SWAP,
    V_CLAIM,
    V_COLLECT_THREE,
    V_END_TURN,
    V_EXCHANGE,
    V_FREE_SWAP,
    V_GAIN_TOKENS,
    V_GET_DESIGN,
    V_JUMP,
    V_MOVE_CARD,
    V_PLACE,
    V_PRESET,
    V_REPLACE_TILE,
    V_REPLACE_YARN,
    V_ROLL,
    V_ROLL_AGAIN,
    V_STEAL_CARD,
    V_STEAL_TOKENS,
    V_STEP,
    V_SWAP_CARD,
    V_TAX,
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
def is_complete(t: Any, g: Any, design: int) -> bool:
    """R6.1: does the board complete the design?"""
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
            return True
    return False


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


# --- One action --------------------------------------------------------------------------------------


@compiled
def barrier(t: Any, g: Any, action: int) -> int:
    """What bars this action now: a reason code, 0 if it is legal."""
    if action < 0 or action >= t.action_count:
        return OUT_OF_RANGE
    verb = t.verb[action]
    a, b = np.int64(t.a[action]), np.int64(t.b[action])
    bars = OK
    if verb == V_PLACE:
        bars = bars_place(g)
        return bars if bars != OK else bars_placing_on(g, a)
    if verb == V_ROLL:
        return bars_roll(g)
    if verb == V_PRESET:
        bars = bars_preset(g)
        if bars != OK:
            return bars
        return NO_BLACK if a == BLACK and not t.preset_black else OK
    if verb == V_STEP:
        bars = bars_die_move(g)
        if bars == OK and b >= 1 << (g.players - 1):
            return NO_PLAYER
        return bars if bars != OK else bars_step_to(t, g, a, b)
    if verb == V_JUMP:
        bars = bars_die_move(g)
        return bars if bars != OK else bars_placing_on(g, a)
    if verb == V_MOVE_CARD:
        bars = bars_move_card(g)
        if bars != OK:
            return bars
        return OK if is_free(g, a) else OCCUPIED
    if verb == V_FREE_SWAP:
        bars = bars_free_swap(t, g)
        return bars if bars != OK else bars_swapping_near(t, g, a, b)
    if verb == V_BUY_SWAP:
        bars = bars_buying(g, t.price_swap)
        return bars if bars != OK else bars_swapping(g, a, b)
    if verb == V_SWAP_CARD:
        bars = bars_card(g, SWAP)
        return bars if bars != OK else bars_swapping(g, a, b)
    if verb == V_REPLACE_YARN:
        bars = bars_card(g, REPLACE)
        return bars if bars != OK else bars_yarn(g, a, b)
    if verb == V_REPLACE_TILE:
        bars = bars_card(g, REPLACE)
        return bars if bars != OK else bars_tile(g, a, b)
    if verb == V_CLAIM:
        bars = bars_act(g)
        return bars if bars != OK else bars_claim(t, g, a)
    if verb == V_EXCHANGE:
        bars = bars_exchange(t, g)
        return bars if bars != OK else bars_holding(g, a)
    if verb == V_STEAL_CARD:
        bars = bars_card(g, STEAL_CARD)
        return bars if bars != OK else bars_victim_of_card(g, a)
    if verb == V_STEAL_TOKENS:
        bars = bars_steal_tokens(t, g)
        return bars if bars != OK else bars_victim_of_tokens(g, a)
    if verb == V_GAIN_TOKENS:
        return bars_gain(g)
    if verb == V_BUY_ACTION:
        return bars_buy_action(t, g)
    if verb == V_BUY_DESIGN:
        return bars_buy_design(t, g)
    if verb == V_GET_DESIGN:
        return bars_get_design(g)
    if verb == V_COLLECT_THREE:
        return bars_collect_three(t, g)
    if verb == V_ROLL_AGAIN:
        return bars_roll_again(g)
    if verb == V_TAX:
        return bars_card(g, TAX)
    # End of turn, R3.5: after the move, or if no move at all is possible.
    bars = bars_act(g)
    if bars != OK or g.moved:
        return bars
    return MUST_MOVE if list_moves(t, g, np.empty(t.action_count, np.int16), 0) > 0 else OK


# --- All actions -------------------------------------------------------------------------------------


@compiled
def list_moves(t: Any, g: Any, out: Any, n: int) -> int:
    """Append the legal steps, jumps and move cards; the new length of the list."""
    if bars_die_move(g) != OK:
        return n
    pins = np.uint64(0)
    for seat in range(g.players):
        pins |= bit(g.pins[seat])
    start = g.pins[g.player]
    first = t.first[V_STEP]
    last = t.walk_first[start, g.number]
    walk = t.walk_first[start, g.number - 1]
    while walk < last:
        end = np.int64(t.walk_end[walk])
        seen = 0  # the sets of players paid on the way here, as bits
        while walk < last and t.walk_end[walk] == end:
            seen |= 1 if t.walk_passed[walk] & pins == 0 else 1 << paid_on_walk(t, g, walk)
            walk += 1
        if (pins >> np.uint64(end)) & ONE != 0:
            continue
        for paid in range(1 << (MAX_PLAYERS - 1)):
            if (seen >> paid) & 1 == 1 and how_many(np.uint64(paid)) <= g.tokens[g.player]:
                out[n] = first + (end << (MAX_PLAYERS - 1)) + paid
                n += 1
    for i in range(len(t.tiled)):
        if bars_placing_on(g, t.tiled[i]) == OK:
            out[n] = t.first[V_JUMP] + i
            n += 1
    if bars_move_card(g) == OK:
        for square in range(t.squares):
            if (pins >> np.uint64(square)) & ONE == 0:
                out[n] = t.first[V_MOVE_CARD] + square
                n += 1
    return n


@compiled
def list_swaps(g: Any, first: int, out: Any, n: int) -> int:
    """Append the swaps of any two yarns, the first of which has index `first`."""
    index = first
    for a in range(OCTAGONS - 1):
        colour = g.yarns[a]
        for b in range(a + 1, OCTAGONS):
            out[n] = index
            n += g.yarns[b] != colour
            index += 1
    return n


@compiled
def list_replacements(t: Any, g: Any, out: Any, n: int) -> int:
    """Append what a replace card can do."""
    for octagon in range(OCTAGONS):
        for colour in range(len(COLOURS)):
            if bars_yarn(g, octagon, colour) == OK:
                out[n] = t.first[V_REPLACE_YARN] + len(COLOURS) * octagon + colour
                n += 1
    for i in range(len(t.tiled)):
        for place in range(2):
            if bars_tile(g, t.tiled[i], place) == OK:
                out[n] = t.first[V_REPLACE_TILE] + 2 * i + place
                n += 1
    return n


@compiled
def list_legal(t: Any, g: Any, out: Any) -> int:
    """Write the indices of all legal actions to `out`, rising; how many there are.

    `out` needs room for the whole action space plus one.
    """
    n = 0
    if bars_place(g) == OK:
        for i in range(len(t.tiled)):
            if bars_placing_on(g, t.tiled[i]) == OK:
                out[n] = t.first[V_PLACE] + i
                n += 1
        return n
    if bars_roll(g) == OK:
        out[0] = t.first[V_ROLL]
        n = 1
        if bars_preset(g) == OK:
            for colour in range(BLACK + t.preset_black):
                out[n] = t.first[V_PRESET] + colour
                n += 1
        return n
    if bars_act(g) != OK:
        return 0
    n = list_moves(t, g, out, 0)
    stuck = n == 0 and not g.moved
    if bars_free_swap(t, g) == OK:
        square = g.pins[g.player]
        for i in range(6):
            pair = t.near_pairs[square, i]
            if pair < 0:
                break
            action = t.first[V_FREE_SWAP] + pair
            if bars_swapping(g, t.a[action], t.b[action]) == OK:
                out[n] = action
                n += 1
    if bars_buying(g, t.price_swap) == OK:
        n = list_swaps(g, t.first[V_BUY_SWAP], out, n)
    if bars_card(g, SWAP) == OK:
        n = list_swaps(g, t.first[V_SWAP_CARD], out, n)
    if bars_card(g, REPLACE) == OK:
        n = list_replacements(t, g, out, n)
    hand = g.design_hands[g.player]
    place = 0
    while hand != 0:
        if is_complete(t, g, lowest(hand)):
            out[n] = t.first[V_CLAIM] + place
            n += 1
        hand &= hand - ONE
        place += 1
    if bars_exchange(t, g) == OK:
        for i in range(place):
            out[n] = t.first[V_EXCHANGE] + i
            n += 1
    if bars_card(g, STEAL_CARD) == OK:
        for relative in range(1, g.players):
            if bars_victim_of_card(g, relative) == OK:
                out[n] = t.first[V_STEAL_CARD] + relative - 1
                n += 1
    if bars_steal_tokens(t, g) == OK:
        for relative in range(1, g.players):
            if bars_victim_of_tokens(g, relative) == OK:
                out[n] = t.first[V_STEAL_TOKENS] + relative - 1
                n += 1
    if bars_gain(g) == OK:
        for number in range(FACES):
            out[n] = t.first[V_GAIN_TOKENS] + number
            n += 1
    if bars_buy_action(t, g) == OK:
        out[n] = t.first[V_BUY_ACTION]
        n += 1
    if bars_buy_design(t, g) == OK:
        out[n] = t.first[V_BUY_DESIGN]
        n += 1
    if bars_get_design(g) == OK:
        out[n] = t.first[V_GET_DESIGN]
        n += 1
    if bars_collect_three(t, g) == OK:
        out[n] = t.first[V_COLLECT_THREE]
        n += 1
    if bars_roll_again(g) == OK:
        out[n] = t.first[V_ROLL_AGAIN]
        n += 1
    if bars_card(g, TAX) == OK:
        out[n] = t.first[V_TAX]
        n += 1
    if g.moved or stuck:
        out[n] = t.first[V_END_TURN]
        n += 1
    return n
