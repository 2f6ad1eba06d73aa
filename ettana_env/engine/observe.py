"""What a seat sees, written as numbers: one after the other, in the order of `ettana_env.observation`'s layouts."""

from typing import Any

import numpy as np

from ettana_env.compiled import compiled
from ettana_env.engine.bits import ONE, holds, how_many, lowest
from ettana_env.vocabulary import (
    COLOURS,
    DIE_COLOURS,
    FACES,
    KINDS,
    MAX_DESIGNS,
    MAX_PLAYERS,
    OCTAGONS,
    PHASES,
    VICTORY_POINT,
    YARNS_PER_COLOUR,
)

SLOTS = 6
"""Designs of the hand whose patterns are shown; the others show in `held`."""

TOKENS_UNIT = 10.0
CARDS_UNIT = 10.0
TURNS_UNIT = 100.0
ACTIONS_UNIT = 1000.0


@compiled
def observe(t: Any, g: Any, seat: int, out: Any) -> None:
    """Write what `seat` may know of the game, seen from that seat."""
    n = write_seen(t, g, seat, out)
    write_slots(t, g.design_hands[seat], out[n:])


@compiled
def write_seen(t: Any, g: Any, seat: int, out: Any) -> int:
    """All of an observation but the slots; where they start."""
    end = len(out) - SLOTS * (2 + t.pattern.shape[1])
    out[:end] = 0
    n = write_public(t, g, seat, out)
    for kind in range(len(KINDS)):
        if t.action_cards[kind] > 0:
            seen = np.int64(g.action_discard[kind]) + g.action_hands[seat, kind]
            if kind == VICTORY_POINT:
                for other in range(g.players):
                    seen += g.victory_cards[other]
            out[n + kind] = g.action_hands[seat, kind] / t.action_cards[kind]
            out[n + len(KINDS) + kind] = (t.action_cards[kind] - seen) / t.action_cards[kind]
    n += 2 * len(KINDS)
    hand = g.design_hands[seat]
    while hand != 0:
        out[n + lowest(hand)] = 1
        hand &= hand - ONE
    return end


@compiled
def write_slots(t: Any, hand: Any, out: Any) -> None:
    """The first designs of a hand with their patterns."""
    out[:] = 0
    size = t.pattern.shape[1]
    n = 0
    while hand != 0 and n < len(out):
        design = lowest(hand)
        hand &= hand - ONE
        out[n] = 1
        out[n + 1] = t.design_points[design] / t.points_to_win
        for i in range(size):
            out[n + 2 + i] = t.pattern[design, i]
        n += 2 + size


@compiled
def observe_all(t: Any, g: Any, out: Any) -> None:
    """Write the whole truth, seats in their own order: what a central critic may be given."""
    out[:] = 0
    n = write_public(t, g, 0, out)
    for seat in range(g.players):
        for kind in range(len(KINDS)):
            if t.action_cards[kind] > 0:
                out[n + len(KINDS) * seat + kind] = g.action_hands[seat, kind] / t.action_cards[kind]
    n += MAX_PLAYERS * len(KINDS)
    for seat in range(g.players):
        for design in range(t.designs):
            out[n + MAX_DESIGNS * seat + design] = holds(g.design_hands[seat], design)
    n += MAX_PLAYERS * MAX_DESIGNS
    for i in range(g.action_stack_size):
        out[n + i] = (g.action_stack[i] + 1) / len(KINDS)
    n += len(g.action_stack)
    for i in range(g.design_stack_size):
        out[n + i] = (g.design_stack[i] + 1) / MAX_DESIGNS


@compiled
def write_public(t: Any, g: Any, seat: int, out: Any) -> int:
    """Write what everybody may know, from a seat on clockwise; where it ends. `out` is all zero before."""
    n = write_board(t, g, out)
    players = g.players
    squares = t.squares
    for relative in range(players):
        other = (seat + relative) % players
        out[n + relative] = 1
        pin = g.pins[other]
        if pin >= 0:
            out[n + 2 * MAX_PLAYERS + squares * relative + pin] = 1
    out[n + MAX_PLAYERS + seat] = 1
    n += 2 * MAX_PLAYERS + MAX_PLAYERS * squares
    for relative in range(players):
        other = (seat + relative) % players
        cards = 0
        for kind in range(len(KINDS)):
            cards += g.action_hands[other, kind]
        at = n + relative
        out[at] = g.tokens[other] / TOKENS_UNIT
        out[at + MAX_PLAYERS] = g.points[other] / t.points_to_win
        if g.victory_cards[other] > 0:
            out[at + 2 * MAX_PLAYERS] = g.victory_cards[other] / t.action_cards[VICTORY_POINT]
        out[at + 3 * MAX_PLAYERS] = cards / CARDS_UNIT
        out[at + 4 * MAX_PLAYERS] = how_many(g.design_hands[other]) / CARDS_UNIT
        out[at + 5 * MAX_PLAYERS] = g.placing_rolls[other] / FACES
        claimed = g.claimed[other]
        at = n + 6 * MAX_PLAYERS + MAX_DESIGNS * relative
        while claimed != 0:
            out[at + lowest(claimed)] = 1
            claimed &= claimed - ONE
    n += 6 * MAX_PLAYERS + MAX_PLAYERS * MAX_DESIGNS
    for kind in range(len(KINDS)):
        if g.action_discard[kind] > 0:
            out[n + kind] = g.action_discard[kind] / t.action_cards[kind]
    n += len(KINDS)
    if g.bank > 0:
        out[n] = g.bank / t.tokens_total
    if g.action_stack_size > 0:
        out[n + 1] = g.action_stack_size / t.action_total
    out[n + 2] = g.design_stack_size / t.designs
    return write_turn(g, seat, out, n + 3)


@compiled
def write_board(t: Any, g: Any, out: Any) -> int:
    """The yarns and the tiles, on the board and in reserve."""
    for octagon in range(OCTAGONS):
        out[len(COLOURS) * octagon + g.yarns[octagon]] = 1
    n = OCTAGONS * len(COLOURS)
    for colour in range(len(COLOURS)):
        out[n + colour] = g.reserve_yarns[colour] / YARNS_PER_COLOUR
    n += len(COLOURS)
    for i in range(len(t.tiled)):
        out[n + FACES * i + g.tiles[t.tiled[i]] - 1] = 1
    n += len(t.tiled) * FACES
    for i in range(2):
        out[n + FACES * i + g.reserve_tiles[i] - 1] = 1
    return n + 2 * FACES


@compiled
def write_turn(g: Any, seat: int, out: Any, n: int) -> int:
    """Whose turn it is, the dice, what has been done, how the game stands."""
    out[n + g.phase] = 1
    n += len(PHASES)
    out[n + (np.int64(g.player) - seat) % g.players] = 1
    n += MAX_PLAYERS
    if g.number > 0:
        out[n + g.number - 1] = 1
    n += FACES
    if g.colour >= 0:
        out[n + g.colour] = 1
    n += len(DIE_COLOURS)
    out[n], out[n + 1], out[n + 2], out[n + 3] = g.moved, g.free_swap, g.acted, g.preset
    n += 4
    out[n] = g.turn / TURNS_UNIT
    out[n + 1] = g.actions / ACTIONS_UNIT
    n += 2
    if g.winner >= 0:
        out[n + (np.int64(g.winner) - seat) % g.players] = 1
    n += MAX_PLAYERS
    out[n] = g.truncated
    return n + 1
