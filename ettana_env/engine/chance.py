"""Chance: every random number is a hash of the game's seed, the kind of chance, and when it happens.

Nothing is drawn from a running sequence, so one kind of chance does not disturb another: two games with
one seed see the same board, the same order of cards and, turn by turn, the same dice, even if the rules
or the players differ. Cards are shuffled by giving each card a random key and sorting, so a card added to
a deck leaves the order of the others alone.
"""

from typing import Any

import numpy as np

from ettana_env.compiled import compiled
from ettana_env.vocabulary import DIE_COLOURS, FACES, KINDS, VICTORY_POINT

# The kinds of chance.
YARNS = 1
TILES = 2
TILE_RESERVE = 3
ACTION_STACK = 4
DESIGN_STACK = 5
PLACING = 6
PLACING_SQUARE = 7
TIE = 8
NUMBER_DIE = 9
COLOUR_DIE = 10
THEFT = 11
GAIN = 12
RESHUFFLE = 13
HIDDEN_ACTIONS = 14
HIDDEN_DESIGNS = 15
FUTURE = 16
PLAYER = 17
LEARNER_SEAT = 18
SEARCH = 19

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
MIX_A = np.uint64(0xBF58476D1CE4E5B9)
MIX_B = np.uint64(0x94D049BB133111EB)


@compiled
def mix(x: np.uint64) -> np.uint64:
    """A number that looks unrelated to `x`: the finalizer of SplitMix64."""
    x = (x ^ (x >> np.uint64(30))) * MIX_A
    x = (x ^ (x >> np.uint64(27))) * MIX_B
    return x ^ (x >> np.uint64(31))


@compiled
def word(seed: np.uint64, stream: int, a: int, b: int) -> np.uint64:
    """64 random bits: the `a`, `b`-th of one kind of chance under one seed."""
    x = mix(seed + GOLDEN * np.uint64(stream))
    x = mix(x + GOLDEN * np.uint64(a + 1))
    return mix(x + GOLDEN * np.uint64(b + 1))


@compiled
def below(random: np.uint64, n: int) -> int:
    """A whole number from 0 to n - 1, each as likely, from 64 random bits."""
    return np.int64(((random >> np.uint64(32)) * np.uint64(n)) >> np.uint64(32))


@compiled
def die(seed: np.uint64, stream: int, a: int, b: int) -> int:
    """A roll of the number die."""
    return 1 + below(word(seed, stream, a, b), FACES)


@compiled
def sort_by_key(keys: Any, values: Any, size: int) -> None:
    """Put the first `size` of `values` in the order of their keys."""
    for i in range(1, size):
        key, value = keys[i], values[i]
        j = i
        while j > 0 and keys[j - 1] > key:
            keys[j], values[j] = keys[j - 1], values[j - 1]
            j -= 1
        keys[j], values[j] = key, value


@compiled
def roll_number(t: Any, g: Any) -> None:
    """Roll the number die of the turn."""
    if t.fate.fixed:
        g.number = t.fate.number
    else:
        g.number = die(g.seed, NUMBER_DIE, g.turn, g.rolls)


@compiled
def roll_colour(t: Any, g: Any) -> None:
    """Roll the colour die of the turn."""
    if t.fate.fixed:
        g.colour = t.fate.colour
    else:
        g.colour = below(word(g.seed, COLOUR_DIE, g.turn, g.rolls), len(DIE_COLOURS))


@compiled
def roll_gain(t: Any, g: Any) -> int:
    """Roll the number die for gain tokens (R5.9)."""
    if t.fate.fixed:
        return np.int64(t.fate.gain)
    face = die(g.seed, GAIN, g.turn, g.gains)
    g.gains += 1
    return face


@compiled
def pick_stolen(t: Any, g: Any, victim: int) -> int:
    """The kind of a random card of the victim's action hand, each card as likely (R5.3)."""
    if t.fate.fixed:
        return np.int64(t.fate.stolen)
    cards = 0
    for kind in range(len(KINDS)):
        cards += g.action_hands[victim, kind]
    left = below(word(g.seed, THEFT, g.turn, g.thefts), cards)
    g.thefts += 1
    for kind in range(len(KINDS)):
        left -= g.action_hands[victim, kind]
        if left < 0:
            return kind
    return -1


@compiled
def shuffle_kinds(seed: np.uint64, stream: int, round_number: int, counts: Any, stack: Any) -> int:
    """Fill `stack` with `counts` cards of each kind in random order; how many there are."""
    size = 0
    for kind in range(len(KINDS)):
        size += counts[kind]
    keys = np.empty(size, np.uint64)
    n = 0
    for kind in range(len(KINDS)):
        for copy in range(counts[kind]):
            keys[n] = word(seed, stream, round_number, 256 * kind + copy)
            stack[n] = kind
            n += 1
    sort_by_key(keys, stack, size)
    return size


@compiled
def reshuffle(t: Any, g: Any) -> None:
    """Make the discard the new action stack (R5.13)."""
    if t.fate.fixed:
        size = 0
        for kind in range(len(KINDS)):
            size += g.action_discard[kind]
        for card in range(size):
            g.action_stack[card] = t.fate.reshuffled[card]
    else:
        size = shuffle_kinds(g.seed, RESHUFFLE, g.reshuffles, g.action_discard, g.action_stack)
        g.reshuffles += 1
    g.action_stack_size = size
    for kind in range(len(KINDS)):
        g.action_discard[kind] = 0


@compiled
def draw_action(t: Any, g: Any, seat: int) -> None:
    """`seat` draws an action card, if there is one; a victory point scores at once (R5.11, R5.13)."""
    if g.action_stack_size == 0:
        reshuffle(t, g)
        if g.action_stack_size == 0:
            return
    g.action_stack_size -= 1
    kind = g.action_stack[g.action_stack_size]
    if kind == VICTORY_POINT:
        g.victory_cards[seat] += 1
        score(t, g, seat, 1)
    else:
        g.action_hands[seat, kind] += 1


@compiled
def draw_design(g: Any, seat: int) -> None:
    """`seat` draws a design card, if there is one."""
    if g.design_stack_size > 0:
        g.design_stack_size -= 1
        design = g.design_stack[g.design_stack_size]
        g.design_hands[seat] |= np.uint64(1) << np.uint64(design)


@compiled
def score(t: Any, g: Any, seat: int, points: int) -> None:
    """Give points; the first to have enough wins (R7.1)."""
    g.points[seat] += points
    if g.points[seat] >= t.points_to_win and g.winner < 0:
        g.winner = seat
