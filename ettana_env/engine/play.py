"""What happens: one legal action played on a game."""

from typing import Any

import numpy as np

from ettana_env.compiled import compiled
from ettana_env.engine.bits import bit, nth
from ettana_env.engine.chance import (
    draw_action,
    draw_design,
    pick_stolen,
    roll_colour,
    roll_gain,
    roll_number,
    score,
)
from ettana_env.engine.setup import clear_flags, place_pin, put_yarn
from ettana_env.vocabulary import (
    ACT,
    BLACK,
    COLLECT_THREE,
    GAIN_TOKENS,
    GET_DESIGN,
    MOVE,
    NONE,
    OVER,
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


@compiled
def play(t: Any, g: Any, action: int) -> None:
    """Play a legal action. Nothing is checked here: an illegal one spoils the game."""
    g.actions += 1
    verb = t.verb[action]
    a, b = np.int64(t.a[action]), np.int64(t.b[action])
    if verb == V_PLACE:
        place_pin(t, g, a)
    elif verb == V_ROLL:
        roll_number(t, g)
        roll_colour(t, g)
        rolled(t, g, True)
    elif verb == V_PRESET:
        discard(g, PRESET)
        roll_number(t, g)
        g.colour = a
        rolled(t, g, True)
        g.preset = True
    elif verb == V_ROLL_AGAIN:
        discard(g, ROLL_AGAIN)
        roll_number(t, g)
        roll_colour(t, g)
        rolled(t, g, t.roll_again_collects)
    elif verb == V_END_TURN:
        next_turn(g)
    elif verb == V_EXCHANGE:
        exchange(g, a)
        next_turn(g)
    else:
        moves = verb == V_STEP or verb == V_JUMP or verb == V_MOVE_CARD
        act(t, g, verb, a, b)
        g.acted = True
        g.moved = g.moved or moves
        g.free_swap = moves and t.free_swap
    finish(t, g)


@compiled
def act(t: Any, g: Any, verb: int, a: int, b: int) -> None:
    """The actions of section 4 that do not end the turn, and the cards of section 5."""
    seat = np.int64(g.player)
    if verb == V_STEP:
        for relative in range(1, g.players):
            if (b >> (relative - 1)) & 1 == 1:
                g.tokens[seat] -= 1
                g.tokens[(seat + relative) % g.players] += 1
        g.pins[seat] = a
    elif verb == V_JUMP:
        g.pins[seat] = a
    elif verb == V_MOVE_CARD:
        discard(g, MOVE)
        g.pins[seat] = a
    elif verb == V_FREE_SWAP:
        swap_yarns(g, a, b)
    elif verb == V_BUY_SWAP:
        pay_bank(g, seat, t.price_swap)
        swap_yarns(g, a, b)
    elif verb == V_SWAP_CARD:
        discard(g, SWAP)
        swap_yarns(g, a, b)
    elif verb == V_REPLACE_YARN:
        discard(g, REPLACE)
        g.reserve_yarns[b] -= 1
        g.reserve_yarns[g.yarns[a]] += 1
        put_yarn(g, a, b)
    elif verb == V_REPLACE_TILE:
        discard(g, REPLACE)
        g.tiles[a], g.reserve_tiles[b] = g.reserve_tiles[b], g.tiles[a]
    elif verb == V_CLAIM:
        design = nth(g.design_hands[seat], a)
        g.design_hands[seat] &= ~bit(design)
        g.claimed[seat] |= bit(design)
        score(t, g, seat, t.design_points[design])
    elif verb == V_STEAL_CARD:
        discard(g, STEAL_CARD)
        victim = (seat + a) % g.players
        kind = pick_stolen(t, g, victim)
        g.action_hands[victim, kind] -= 1
        g.action_hands[seat, kind] += 1
    elif verb == V_STEAL_TOKENS:
        discard(g, STEAL_TOKENS)
        victim = (seat + a) % g.players
        taken = min(np.int64(g.tokens[victim]), np.int64(t.steal_tokens_max))
        g.tokens[victim] -= taken
        g.tokens[seat] += taken
    elif verb == V_GAIN_TOKENS:
        discard(g, GAIN_TOKENS)
        if roll_gain(t, g) >= a:
            take_from_bank(g, seat, a)
    elif verb == V_BUY_ACTION:
        pay_bank(g, seat, t.price_action)
        draw_action(t, g, seat)
    elif verb == V_BUY_DESIGN:
        pay_bank(g, seat, t.price_design)
        draw_design(g, seat)
    elif verb == V_GET_DESIGN:
        discard(g, GET_DESIGN)
        draw_design(g, seat)
    elif verb == V_COLLECT_THREE:
        discard(g, COLLECT_THREE)
        take_from_bank(g, seat, t.collect_three_gives)
    elif verb == V_TAX:
        discard(g, TAX)
        for other in range(g.players):
            if other != seat and g.tokens[other] > 0:
                pay_bank(g, other, 1)


@compiled
def discard(g: Any, kind: int) -> None:
    """R4.8: the card goes to the discard as it is played."""
    g.action_hands[g.player, kind] -= 1
    g.action_discard[kind] += 1


@compiled
def pay_bank(g: Any, seat: int, tokens: int) -> None:
    """Tokens from a player to the bank."""
    g.tokens[seat] -= tokens
    g.bank += tokens


@compiled
def take_from_bank(g: Any, seat: int, tokens: int) -> None:
    """Tokens from the bank, or as many as it has."""
    taken = min(np.int64(tokens), np.int64(g.bank))
    g.bank -= taken
    g.tokens[seat] += taken


@compiled
def swap_yarns(g: Any, a: int, b: int) -> None:
    """Two yarns change places."""
    colour = np.int64(g.yarns[a])
    put_yarn(g, a, np.int64(g.yarns[b]))
    put_yarn(g, b, colour)


@compiled
def yield_of(t: Any, g: Any, seat: int, colour: int) -> int:
    """R3.2: how many yarns of the colour the seat's pin touches."""
    found = 0
    for corner in range(4):
        octagon = t.touches[g.pins[seat], corner]
        if octagon >= 0 and g.yarns[octagon] == colour:
            found += 1
    return found


@compiled
def rolled(t: Any, g: Any, collects: bool) -> None:
    """The dice have fallen: collect (R3.2, R3.3), and nothing counts as done (R3.6)."""
    g.phase = ACT
    g.rolls += 1
    g.acted = g.moved = g.free_swap = False
    if not collects:
        return
    if g.colour == BLACK:
        draw_action(t, g, g.player)
        return
    due = 0
    for seat in range(g.players):
        due += yield_of(t, g, seat, g.colour)
    if due <= g.bank:
        for seat in range(g.players):
            take_from_bank(g, seat, yield_of(t, g, seat, g.colour))


@compiled
def exchange(g: Any, place: int) -> None:
    """R4.7: a design under the stack, then the top one drawn."""
    design = nth(g.design_hands[g.player], place)
    g.design_hands[g.player] &= ~bit(design)
    for i in range(g.design_stack_size, 0, -1):
        g.design_stack[i] = g.design_stack[i - 1]
    g.design_stack[0] = design
    g.design_stack_size += 1
    draw_design(g, g.player)


@compiled
def next_turn(g: Any) -> None:
    """R3.5: the turn is over, the next seat rolls."""
    g.turn += 1
    g.player = (g.player + 1) % g.players
    g.phase = ROLL
    g.number, g.colour = 0, NONE
    g.rolls = g.thefts = g.gains = 0
    clear_flags(g)


@compiled
def finish(t: Any, g: Any) -> None:
    """R7.1, R7.2: is the game won, or cut off by a limit?"""
    if g.winner >= 0:
        g.phase = OVER
    elif (t.max_turns > 0 and g.turn >= t.max_turns) or (t.max_actions > 0 and g.actions >= t.max_actions):
        g.phase = OVER
        g.truncated = True
