"""Prospects: what can still be completed this turn after an action, what a draw may bring, how the hand stands.

Where `planning` counts what one action does to the designs in hand, this looks on to the end of the turn: every swap
that the tokens and swap cards left after the action can pay for brings a design one step closer (it always can, as the
distance is the fewest swaps). A move counts with the free swap that is best for it.
"""

from typing import Any

import numpy as np

from ettana_env.compiled import compiled
from ettana_env.engine.bits import bit, holds, how_many
from ettana_env.engine.observe import SLOTS
from ettana_env.engine.planning import (
    DRAW,
    DRAW_WINS,
    GAIN,
    HALVES,
    HARM,
    OUTLOOK,
    PLAYS_ON,
    REACH,
    REACH_WINS,
    TOKENS,
    TOKENS_UNIT,
    look_at_square,
    pair_index,
    study,
    value,
)
from ettana_env.engine.unseen import all_designs, complete_among, ready_odds, threat, unseen_designs, victory_odds
from ettana_env.vocabulary import (
    ACT,
    FACES,
    NONE,
    PLACE,
    SWAP,
    V_BUY_ACTION,
    V_BUY_DESIGN,
    V_BUY_SWAP,
    V_EXCHANGE,
    V_FREE_SWAP,
    V_GAIN_TOKENS,
    V_GET_DESIGN,
    V_JUMP,
    V_MOVE_CARD,
    V_REPLACE_YARN,
    V_STEP,
    V_SWAP_CARD,
)

OUTLOOK_SCALE = 4
"""What the outlook from the own square is multiplied with."""

MANY = 99
"""Swaps that a seat can pay for if they cost nothing."""


@compiled
def affordable(t: Any, tokens: int, cards: int) -> int:
    """How many swaps so many tokens and swap cards are good for."""
    return cards + (tokens // t.price_swap if t.price_swap > 0 else MANY)


@compiled
def reachable(t: Any, p: Any, left: Any, swaps: int) -> int:
    """The points of the designs that so many swaps complete, nearest first; `left` is what each one lacks."""
    points = 0
    taken = 0
    while True:
        best = -1
        for slot in range(p.held):
            if taken >> slot & 1 or left[slot] > swaps:
                continue
            if (
                best < 0
                or left[slot] < left[best]
                or (left[slot] == left[best] and t.design_points[p.slots[slot]] > t.design_points[p.slots[best]])
            ):
                best = slot
        if best < 0:
            return points
        taken |= 1 << best
        swaps -= left[best]
        points += t.design_points[p.slots[best]]


@compiled
def after_swap(p: Any, s: Any, pair: int) -> Any:
    """What each design lacks after a swap."""
    for slot in range(p.held):
        s.left[slot] = np.int64(p.distance[slot]) + p.swap_steps[slot, pair]
    return s.left


@compiled
def as_it_is(p: Any, s: Any) -> Any:
    """What each design lacks now."""
    for slot in range(p.held):
        s.left[slot] = p.distance[slot]
    return s.left


@compiled
def reach_by_move(t: Any, p: Any, s: Any, square: int, swaps: int) -> int:
    """The points reachable from a square: with the best of its free swaps, or none."""
    best = reachable(t, p, as_it_is(p, s), swaps)
    if t.free_swap:
        for i in range(6):
            near = t.near_pairs[square, i]
            if near < 0:
                break
            swap = t.first[V_FREE_SWAP] + near
            pair = pair_index(np.int64(t.a[swap]), np.int64(t.b[swap]))
            changed = False
            for slot in range(p.held):
                changed = changed or p.swap_steps[slot, pair] < 0
            if changed:
                best = max(best, reachable(t, p, after_swap(p, s, pair), swaps))
    return best


@compiled
def others_squares(g: Any, seat: int) -> np.uint64:
    """The squares with the pin of another player."""
    taken = np.uint64(0)
    for other in range(g.players):
        if other != seat:
            taken |= bit(np.int64(g.pins[other]))
    return taken


@compiled
def in_next_reach(t: Any, g: Any, start: int, square: int, face: int, taken: Any) -> bool:
    """Can a pin on `start` go to a square by a walk or a jump, when the die shows `face` + 1?"""
    if holds(taken, square):
        return False
    return holds(t.walk_reach[start, face], square) or (square != start and g.tiles[square] == face + 1)


@compiled
def rank_squares(t: Any, g: Any, s: Any, p: Any, seat: int) -> int:
    """Write to `s.ranked` the squares where a free swap does good, the best first, and to `s.good` how much it does.

    Squares with the pin of another player are left out. It returns how many there are.
    """
    taken, points = others_squares(g, seat), np.int64(g.points[seat])
    count = 0
    for square in range(t.squares):
        if holds(taken, square):
            continue
        look_at_square(t, g, s, p, square, points, t.free_swap)
        if s.pair[square] == NONE:
            continue
        effects = p.swaps[s.pair[square]]
        good = max(0.0, np.float64(effects[GAIN] - effects[HARM]))  # one that wins may harm more than it gains
        place = count
        while place > 0 and s.good[place - 1] < good:
            s.good[place], s.ranked[place] = s.good[place - 1], s.ranked[place - 1]
            place -= 1
        s.good[place], s.ranked[place] = good, square
        count += 1
    return count


@compiled
def outlook_from(t: Any, g: Any, s: Any, square: int, ranked: int) -> float:
    """How much good the best free swap does in the next turn, from a square, over the faces of the number die.

    The board and the others' pins are taken as they are, and tolls are not counted; call it after `rank_squares`.
    """
    total = 0.0
    for face in range(FACES):
        for n in range(ranked):
            if in_next_reach(t, g, square, s.ranked[n], face, np.uint64(0)):
                total += s.good[n]
                break
    return total / FACES


@compiled
def write_hand(t: Any, g: Any, s: Any, p: Any, seat: int) -> tuple[int, int, float, float, float]:
    """Write `s.prospects`, how the hand of a seat stands, and rank the squares; `s.known` must hold for the board.

    It returns how many squares are ranked; the points in reach; of a design drawn next: its mean points if it is
    complete, and the odds that it wins; the odds that the next action card is a victory point.
    """
    study(t, g, s, p, seat, False, False)
    unseen = unseen_designs(t, g, seat)
    if not p.complete_known:
        # All that are complete, not only those unseen: what is seen changes while the board stays.
        p.complete_known, p.complete = True, complete_among(t, g, all_designs(t))
    ready, ready_wins = ready_odds(t, g, seat, unseen, p.complete)
    victory = victory_odds(t, g)
    swaps = affordable(t, np.int64(g.tokens[seat]), np.int64(g.action_hands[seat, SWAP]))
    now = reachable(t, p, as_it_is(p, s), swaps)
    s.prospects[:] = 0
    write_summary(t, p, s, swaps)
    rest = 3 * SLOTS
    s.prospects[rest + 1] = now / t.points_to_win
    s.prospects[rest + 2] = g.points[seat] + now >= t.points_to_win
    s.prospects[rest + 3], s.prospects[rest + 4] = ready, ready_wins
    s.prospects[rest + 5] = victory
    s.prospects[rest + 6] = threat(t, g, seat, unseen, p.complete)
    ranked = rank_squares(t, g, s, p, seat)
    s.prospects[rest + 8] = OUTLOOK_SCALE * outlook_from(t, g, s, np.int64(g.pins[seat]), ranked)
    return ranked, now, ready, ready_wins, victory


@compiled
def write_prospects(t: Any, g: Any, s: Any, p: Any, legal: Any, count: int, out: Any) -> None:
    """Write what the legal actions of the player to act leave in reach and may draw, and `s.prospects`.

    Call it after `write_features`, with the same work and plan.
    """
    if g.phase == PLACE:
        s.prospects[:] = 0
        return
    seat = np.int64(g.player)
    ranked, now, ready, ready_wins, victory = write_hand(t, g, s, p, seat)
    points = np.int64(g.points[seat])
    tokens, cards = np.int64(g.tokens[seat]), np.int64(g.action_hands[seat, SWAP])
    swaps = affordable(t, tokens, cards)
    if g.phase != ACT:
        return
    for i in range(count):
        action = legal[i]
        verb = t.verb[action]
        f = out[action]
        if verb == V_BUY_ACTION:
            f[DRAW], f[DRAW_WINS] = victory / t.points_to_win, victory if points + 1 >= t.points_to_win else 0.0
        elif verb == V_BUY_DESIGN or verb == V_GET_DESIGN or verb == V_EXCHANGE:
            f[DRAW], f[DRAW_WINS] = ready, ready_wins
        if not PLAYS_ON[verb]:
            continue
        a, b = np.int64(t.a[action]), np.int64(t.b[action])
        if verb == V_STEP or verb == V_JUMP or verb == V_MOVE_CARD:
            tolls = how_many(np.uint64(b)) if verb == V_STEP else 0
            reach = reach_by_move(t, p, s, a, affordable(t, tokens - tolls, cards))
            f[OUTLOOK] = outlook_from(t, g, s, a, ranked)
        elif verb == V_FREE_SWAP:
            reach = reachable(t, p, after_swap(p, s, pair_index(a, b)), swaps)
        elif verb == V_BUY_SWAP:
            reach = reachable(t, p, after_swap(p, s, pair_index(a, b)), affordable(t, tokens - t.price_swap, cards))
        elif verb == V_SWAP_CARD:
            reach = reachable(t, p, after_swap(p, s, pair_index(a, b)), swaps - 1)
        elif verb == V_REPLACE_YARN:
            for slot in range(p.held):
                s.left[slot] = np.int64(p.distance[slot]) + p.yarn_steps[slot, a, b]
            reach = reachable(t, p, s.left, swaps)
        elif verb == V_GAIN_TOKENS:
            won = affordable(t, tokens + min(np.int64(g.bank), a), cards)
            with_luck = reachable(t, p, as_it_is(p, s), won)
            odds = (FACES + 1 - a) / FACES
            f[REACH] = (odds * with_luck + (1 - odds) * now) / t.points_to_win
            f[REACH_WINS] = odds * (points + with_luck >= t.points_to_win)
            if points + now >= t.points_to_win:
                f[REACH_WINS] = 1
            continue
        else:
            after = tokens + np.int64(round(f[TOKENS] * TOKENS_UNIT))
            reach = now if after == tokens else reachable(t, p, as_it_is(p, s), affordable(t, after, cards))
        f[REACH] = reach / t.points_to_win
        f[REACH_WINS] = points + reach >= t.points_to_win


@compiled
def write_summary(t: Any, p: Any, s: Any, swaps: int) -> None:
    """How each design in hand stands, and the hand as a whole."""
    total = 0.0
    for slot in range(p.held):
        design, lacks = np.int64(p.slots[slot]), np.int64(p.distance[slot])
        worth = value(t, design, lacks)
        total += worth
        s.prospects[3 * slot] = HALVES[lacks]
        s.prospects[3 * slot + 1] = worth
        s.prospects[3 * slot + 2] = lacks <= swaps
    s.prospects[3 * SLOTS] = min(swaps, 8) / 4
    s.prospects[3 * SLOTS + 7] = total
