"""What a seat cannot know (R8.2, R8.3), drawn anew."""

from typing import Any

import numpy as np

from ettana_env.compiled import compiled
from ettana_env.engine.bits import bit, how_many
from ettana_env.engine.chance import FUTURE, HIDDEN_ACTIONS, HIDDEN_DESIGNS, shuffle_kinds, sort_by_key, word
from ettana_env.vocabulary import KINDS, MAX_ACTION_CARDS, MAX_DESIGNS, VICTORY_POINT


@compiled
def determinize(t: Any, g: Any, seat: int, key: np.uint64) -> None:
    """Replace the others' hands, both stacks and all chance to come by a draw from what `seat` may know.

    Every card `seat` cannot see is equally likely to be in any hidden place, except that a victory point
    is never in a hand.
    """
    deal_actions(g, seat, key)
    deal_designs(t, g, seat, key)
    g.seed = word(key, FUTURE, 0, 0)
    g.rolls = g.thefts = g.gains = g.reshuffles = 0


@compiled
def deal_actions(g: Any, seat: int, key: np.uint64) -> None:
    """The hidden action cards: first the hands, without victory points, then the stack."""
    unseen = np.zeros(len(KINDS), np.int64)
    for i in range(g.action_stack_size):
        unseen[g.action_stack[i]] += 1
    for other in range(g.players):
        if other != seat:
            for kind in range(len(KINDS)):
                unseen[kind] += g.action_hands[other, kind]
    victory_points = unseen[VICTORY_POINT]
    unseen[VICTORY_POINT] = 0
    cards = np.empty(MAX_ACTION_CARDS, np.uint8)
    shuffle_kinds(key, HIDDEN_ACTIONS, 0, unseen, cards)
    n = 0
    for other in range(g.players):
        if other != seat:
            size = 0
            for kind in range(len(KINDS)):
                size += g.action_hands[other, kind]
                g.action_hands[other, kind] = 0
            for _ in range(size):
                g.action_hands[other, cards[n]] += 1
                unseen[cards[n]] -= 1
                n += 1
    unseen[VICTORY_POINT] = victory_points
    shuffle_kinds(key, HIDDEN_ACTIONS, 1, unseen, g.action_stack)


@compiled
def deal_designs(t: Any, g: Any, seat: int, key: np.uint64) -> None:
    """The hidden designs: first the hands, then the stack."""
    known = g.design_hands[seat]
    for other in range(g.players):
        known |= g.claimed[other]
    keys = np.empty(MAX_DESIGNS, np.uint64)
    cards = np.empty(MAX_DESIGNS, np.uint8)
    n = 0
    for design in range(t.designs):
        if known & bit(design) == 0:
            keys[n] = word(key, HIDDEN_DESIGNS, 0, design)
            cards[n] = design
            n += 1
    sort_by_key(keys, cards, n)
    n = 0
    for other in range(g.players):
        if other != seat:
            size = how_many(g.design_hands[other])
            g.design_hands[other] = 0
            for _ in range(size):
                g.design_hands[other] |= bit(cards[n])
                n += 1
    for i in range(g.design_stack_size):
        g.design_stack[i] = cards[n]
        n += 1
