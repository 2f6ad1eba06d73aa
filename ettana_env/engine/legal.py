"""What is legal: the check of one action, and the list of all that may be played."""

from typing import Any

import numpy as np

from ettana_env.compiled import compiled
from ettana_env.engine.barriers import (
    MUST_MOVE,
    NO_BLACK,
    NO_PLAYER,
    OCCUPIED,
    OK,
    OUT_OF_RANGE,
    bars_act,
    bars_buy_action,
    bars_buy_design,
    bars_buying,
    bars_card,
    bars_claim,
    bars_collect_three,
    bars_die_move,
    bars_exchange,
    bars_free_swap,
    bars_gain,
    bars_get_design,
    bars_holding,
    bars_move_card,
    bars_place,
    bars_placing_on,
    bars_preset,
    bars_roll,
    bars_roll_again,
    bars_steal_tokens,
    bars_step_to,
    bars_swapping,
    bars_swapping_near,
    bars_tile,
    bars_victim_of_card,
    bars_victim_of_tokens,
    bars_yarn,
    is_complete,
    paid_on_walk,
)
from ettana_env.engine.bits import ONE, bit, how_many, lowest
from ettana_env.engine.setup import is_free
from ettana_env.vocabulary import (
    BLACK,
    COLOURS,
    FACES,
    MAX_PLAYERS,
    OCTAGONS,
    REPLACE,
    STEAL_CARD,
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
