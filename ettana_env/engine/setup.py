"""Setting up a game (section 2): the board, the stacks, placing the pins, the deal."""

from typing import Any

import numpy as np

from ettana_env.compiled import compiled
from ettana_env.engine.chance import (
    ACTION_STACK,
    DESIGN_STACK,
    PLACING,
    PLACING_SQUARE,
    TIE,
    TILE_RESERVE,
    TILES,
    YARNS,
    below,
    die,
    draw_action,
    draw_design,
    mix,
    shuffle_kinds,
    sort_by_key,
    word,
)
from ettana_env.vocabulary import (
    COLOURS,
    FACES,
    MAX_PLAYERS,
    NONE,
    OCTAGONS,
    OVER,
    PLACE,
    ROLL,
    TILES_PER_NUMBER,
    YARNS_PER_COLOUR,
)


@compiled
def put_yarn(g: Any, octagon: int, colour: int) -> None:
    """Lay a yarn on an octagon, keeping both forms of the loom in step."""
    here = np.uint32(1) << np.uint32(octagon)
    g.loom[g.yarns[octagon]] &= ~here
    g.yarns[octagon] = colour
    g.loom[colour] |= here


@compiled
def set_up(t: Any, g: Any, seed: np.uint64, players: int) -> None:
    """Make `g` the first state of a game; the first to place has rolled, or all is placed and dealt."""
    g.seed = seed
    g.players = players
    g.turn = g.actions = 0
    g.rolls = g.thefts = g.gains = g.reshuffles = 0
    g.phase, g.player = PLACE, 0
    g.number, g.colour = 0, NONE
    g.winner, g.truncated = NONE, False
    g.bank = t.tokens_total
    clear_flags(g)
    for seat in range(MAX_PLAYERS):
        g.design_hands[seat] = g.claimed[seat] = 0
        g.tokens[seat] = g.points[seat] = g.victory_cards[seat] = g.placing_rolls[seat] = 0
        g.pins[seat] = NONE
        g.action_hands[seat, :] = 0
    g.action_discard[:] = 0
    g.tiles[:] = 0
    g.loom[:] = 0
    lay_yarns(g)
    lay_tiles(t, g)
    g.action_stack[:] = 0
    g.action_stack_size = shuffle_kinds(seed, ACTION_STACK, 0, t.action_cards, g.action_stack)
    stack_designs(t, g)
    roll_placing(t, g)
    if not t.place_by_choice:
        while g.phase == PLACE:
            place_pin(t, g, random_square(t, g))


@compiled
def clear_flags(g: Any) -> None:
    """Nothing has been done this turn."""
    g.moved = g.free_swap = g.acted = g.preset = False


@compiled
def lay_yarns(g: Any) -> None:
    """R2.1: one yarn of each colour aside, the others on the octagons at random."""
    keys = np.empty(OCTAGONS, np.uint64)
    n = 0
    each = YARNS_PER_COLOUR - 1
    for colour in range(len(COLOURS)):
        g.reserve_yarns[colour] = 1
        for copy in range(each):
            keys[n] = word(g.seed, YARNS, colour, copy)
            g.yarns[n] = colour
            n += 1
    sort_by_key(keys, g.yarns, OCTAGONS)
    for octagon in range(OCTAGONS):
        g.loom[g.yarns[octagon]] |= np.uint32(1) << np.uint32(octagon)


@compiled
def lay_tiles(t: Any, g: Any) -> None:
    """R2.2: two tiles of different numbers aside, the others on the squares at random."""
    one = 1 + below(word(g.seed, TILE_RESERVE, 0, 0), FACES)
    other = 1 + below(word(g.seed, TILE_RESERVE, 0, 1), FACES - 1)
    if other >= one:
        other += 1
    g.reserve_tiles[0], g.reserve_tiles[1] = one, other
    keys = np.empty(len(t.tiled), np.uint64)
    numbers = np.empty(len(t.tiled), np.uint8)
    n = 0
    for number in range(1, FACES + 1):
        for copy in range(TILES_PER_NUMBER - (number == one or number == other)):
            keys[n] = word(g.seed, TILES, number, copy)
            numbers[n] = number
            n += 1
    sort_by_key(keys, numbers, n)
    for i in range(n):
        g.tiles[t.tiled[i]] = numbers[i]


@compiled
def stack_designs(t: Any, g: Any) -> None:
    """R2.3 for the designs; a design's place in the order comes from its name."""
    keys = np.empty(t.designs, np.uint64)
    seed = word(g.seed, DESIGN_STACK, 0, 0)
    g.design_stack[:] = 0
    for design in range(t.designs):
        keys[design] = mix(seed ^ t.design_key[design])
        g.design_stack[design] = design
    sort_by_key(keys, g.design_stack, t.designs)
    g.design_stack_size = t.designs


@compiled
def is_free(g: Any, square: int) -> bool:
    """Is there no pin on the square?"""
    for seat in range(g.players):
        if g.pins[seat] == square:
            return False
    return True


@compiled
def places_for(t: Any, g: Any, number: int) -> int:
    """How many free squares show the number."""
    count = 0
    for i in range(len(t.tiled)):
        if g.tiles[t.tiled[i]] == number and is_free(g, t.tiled[i]):
            count += 1
    return count


@compiled
def roll_placing(t: Any, g: Any) -> None:
    """R2.4: the player rolls until a free square shows the number."""
    if t.fate.fixed:
        g.number = t.fate.number
    else:
        tries = 0
        g.number = die(g.seed, PLACING, g.player, tries)
        while places_for(t, g, g.number) == 0:
            tries += 1
            g.number = die(g.seed, PLACING, g.player, tries)
    g.placing_rolls[g.player] = g.number


@compiled
def random_square(t: Any, g: Any) -> int:
    """A random free square that shows the number rolled."""
    left = below(word(g.seed, PLACING_SQUARE, g.player, 0), places_for(t, g, g.number))
    for i in range(len(t.tiled)):
        square = np.int64(t.tiled[i])
        if g.tiles[square] == g.number and is_free(g, square):
            if left == 0:
                return square
            left -= 1
    return NONE


@compiled
def place_pin(t: Any, g: Any, square: int) -> None:
    """Put the player's pin down; after the last one settle who starts, and deal."""
    g.pins[g.player] = square
    if g.player + 1 < g.players:
        g.player += 1
        roll_placing(t, g)
        return
    g.player = find_starter(t, g)
    g.number = 0
    g.phase = ROLL
    deal(t, g)
    if g.winner >= 0:
        g.phase = OVER


@compiled
def find_starter(t: Any, g: Any) -> int:
    """R2.5: the highest placing roll; those who tie roll again among themselves."""
    if t.fate.fixed:
        return np.int64(t.fate.starter)
    rolls = g.placing_rolls.copy()
    round_number = 0
    while True:
        best = 0
        for seat in range(g.players):
            best = max(best, rolls[seat])
        tied = 0
        starter = 0
        for seat in range(g.players):
            if rolls[seat] == best:
                tied += 1
                starter = seat
        if tied == 1:
            return starter
        for seat in range(g.players):
            rolls[seat] = die(g.seed, TIE, round_number, seat) if rolls[seat] == best else 0
        round_number += 1


@compiled
def deal(t: Any, g: Any) -> None:
    """R2.6: from the starting player clockwise; a win stops it (R7.1)."""
    for i in range(g.players):
        seat = (g.player + i) % g.players
        g.tokens[seat] += t.tokens_start
        g.bank -= t.tokens_start
        for _ in range(t.start_designs):
            draw_design(g, seat)
        for _ in range(t.start_actions):
            draw_action(t, g, seat)
            if g.winner >= 0:
                return
