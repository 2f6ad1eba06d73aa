"""Action features: what a thoughtful player would count about each legal action, from what the seat may know.

`ettana_env.features` says what each number means. The heart of it is which swaps bring a held design closer (`ways`).
"""

from typing import Any

import numpy as np

from ettana_env.board import NEAR_PAIRS
from ettana_env.compiled import compiled
from ettana_env.engine.barriers import OK, bars_buying, bars_card
from ettana_env.engine.bits import ONE, bit, holds, how_many, lowest, nth
from ettana_env.engine.distance import IMPOSSIBLE, distance
from ettana_env.engine.observe import SLOTS
from ettana_env.engine.play import yield_of
from ettana_env.engine.setup import put_yarn
from ettana_env.engine.ways import EVERYWHERE, NOWHERE, mark_design
from ettana_env.vocabulary import (
    ACT,
    BLACK,
    COLOURS,
    DIE_COLOURS,
    FACES,
    MAX_DESIGNS,
    NONE,
    OCTAGONS,
    REPLACE,
    SWAP,
    V_BUY_ACTION,
    V_BUY_DESIGN,
    V_BUY_SWAP,
    V_CLAIM,
    V_COLLECT_THREE,
    V_EXCHANGE,
    V_FREE_SWAP,
    V_GAIN_TOKENS,
    V_JUMP,
    V_MOVE_CARD,
    V_PLACE,
    V_PRESET,
    V_REPLACE_YARN,
    V_STEAL_TOKENS,
    V_STEP,
    V_SWAP_CARD,
    V_TAX,
    VERBS,
)

# The features, by place.
GAIN = 0
HARM = 1
CLOSENESS = 2
POINTS = 3
WINS = 4
TOKENS = 5
OTHERS = 6
YIELD = 7
PEAK = 8
# These five are written by `prospects`.
REACH = 9
REACH_WINS = 10
DRAW = 11
DRAW_WINS = 12
OUTLOOK = 13
FEATURES = 14

TOKENS_UNIT = 10.0

# What a change of the board does to the held designs: gain, harm, closeness, points completed, points broken.
BROKEN = 4
EFFECTS = 5


def _near() -> Any:
    near = np.zeros(OCTAGONS, np.uint32)
    for a, b in NEAR_PAIRS:
        near[a] |= np.uint32(1 << b)
    return near


NEAR = _near()
"""By octagon, those after it that some square touches as well."""

HALVES = np.array([0.5**swaps for swaps in range(IMPOSSIBLE)] + [0.0, 0.0], np.float32)
"""By distance, how close that is: 1, a half, a quarter …; 0 for what is impossible."""

PLAYS_ON = np.array([verb not in ("place", "roll", "preset", "exchange", "roll_again", "end_turn") for verb in VERBS])
"""By verb, whether the turn goes on with the same roll."""

PLAN = np.dtype(
    (
        np.record,
        np.dtype(
            [
                # For which board and hand this holds, and whether for all swaps and for replacements.
                ("hand", np.uint64),
                ("loom", np.uint32, len(COLOURS)),
                ("anywhere", np.bool_),
                ("replacements", np.bool_),
                ("made", np.bool_),
                ("ready", np.int32),  # points of the held designs that are complete
                ("distance", np.uint8, MAX_DESIGNS),  # by place in the hand
                # The first few designs of the hand, and by how many swaps each gets further away.
                ("held", np.int64),
                ("slots", np.uint8, SLOTS),
                ("swap_steps", np.int8, (SLOTS, OCTAGONS * (OCTAGONS - 1) // 2)),
                ("yarn_steps", np.int8, (SLOTS, OCTAGONS, len(COLOURS))),
                # All designs that the board completes, once that is known.
                ("complete_known", np.bool_),
                ("complete", np.uint64),
                # What every swap and every replacement of a yarn does.
                ("swaps", np.float32, (OCTAGONS * (OCTAGONS - 1) // 2, EFFECTS)),
                ("yarns", np.float32, (OCTAGONS, len(COLOURS), EFFECTS)),
            ],
            align=True,
        ),
    )
)
"""What was worked out about one board and hand; kept for each game, since often only other things change."""


@compiled
def pair_index(a: int, b: int) -> int:
    """The place of octagons a < b among all pairs."""
    return a * OCTAGONS - a * (a + 1) // 2 + b - a - 1


@compiled
def value(t: Any, design: int, swaps: int) -> float:
    """What a held design is worth that is so many swaps away: its share of the points to win, halved by each."""
    return t.design_points[design] / t.points_to_win * HALVES[swaps]


@compiled
def note_better(t: Any, effects: Any, design: int, gain: float, after: int) -> None:
    """A held design gets closer."""
    effects[GAIN] += gain
    effects[CLOSENESS] = max(effects[CLOSENESS], HALVES[after])
    if after == 0:
        effects[POINTS] += t.design_points[design]


@compiled
def note_worse(t: Any, effects: Any, design: int, harm: float, before: int) -> None:
    """All cheapest ways of a held design get longer."""
    effects[HARM] += harm
    if before == 0:
        effects[BROKEN] += t.design_points[design]


@compiled
def holds_for(p: Any, g: Any, hand: Any, anywhere: bool, replacements: bool) -> bool:
    """Does the plan tell what is asked, about this board and hand?"""
    if not p.made or p.hand != hand or (anywhere and not p.anywhere) or (replacements and not p.replacements):
        return False
    for colour in range(len(COLOURS)):
        if p.loom[colour] != g.loom[colour]:
            return False
    return True


@compiled
def study(t: Any, g: Any, s: Any, p: Any, seat: int, anywhere: bool, replacements: bool) -> None:
    """Work out what swaps (of near pairs, or of all) and replacements do to the designs the seat holds."""
    hand = g.design_hands[seat]
    if holds_for(p, g, hand, anywhere, replacements):
        return
    p.made, p.hand, p.anywhere, p.replacements = True, hand, anywhere, replacements
    p.loom[:] = g.loom
    p.swaps[:] = 0
    p.swap_steps[:] = 0
    if replacements:
        p.yarns[:] = 0
        p.yarn_steps[:] = 0
    p.ready = 0
    p.complete_known = False
    p.held = min(how_many(hand), SLOTS)
    slot = 0
    while hand != 0:
        design = lowest(hand)
        hand &= hand - ONE
        cost = mark_design(t, g, s, design, replacements)
        p.distance[slot] = cost
        if slot < SLOTS:
            p.slots[slot] = design
        if cost == 0:
            p.ready += t.design_points[design]
        gain = value(t, design, cost - 1) - value(t, design, cost)
        harm = value(t, design, cost) - value(t, design, cost + 1)
        for a in range(OCTAGONS - 1):
            after = (EVERYWHERE << np.uint32(a + 1)) & EVERYWHERE if anywhere else NEAR[a]
            closer = s.better[a] & after
            while closer != NOWHERE:
                pair = pair_index(a, lowest(closer))
                note_better(t, p.swaps[pair], design, gain, cost - 1)
                if slot < SLOTS:
                    p.swap_steps[slot, pair] = -1
                closer &= closer - np.uint32(1)
            further = s.worse[a] & after
            while further != NOWHERE:
                pair = pair_index(a, lowest(further))
                note_worse(t, p.swaps[pair], design, harm, cost)
                if slot < SLOTS:
                    p.swap_steps[slot, pair] = 1
                further &= further - np.uint32(1)
        if replacements:
            study_replacements(t, g, s, p, design, slot, cost)
        slot += 1


@compiled
def study_replacements(t: Any, g: Any, s: Any, p: Any, design: int, slot: int, cost: int) -> None:
    """Note what replacements do to one design."""
    harm = value(t, design, cost) - value(t, design, cost + 1)
    for v in range(len(COLOURS)):
        if g.reserve_yarns[v] == 0:
            continue
        enabled = False  # does one more yarn of the colour make new ways possible?
        for group in range(t.design_groups[design]):
            enabled = enabled or s.cells[group] == how_many(g.loom[v]) + 1
        for octagon in range(OCTAGONS):
            here = np.uint32(1) << np.uint32(octagon)
            if g.yarns[octagon] == v:
                continue
            if enabled:
                was = np.int64(g.yarns[octagon])
                put_yarn(g, octagon, v)
                after = distance(t, g, design)
                put_yarn(g, octagon, was)
                better = after < cost
            else:
                after = cost - 1
                better = s.better_by[v] & here != NOWHERE
            change = 0
            if better:
                note_better(t, p.yarns[octagon, v], design, value(t, design, after) - value(t, design, cost), after)
                change = after - cost
            elif s.worse_by[v] & here != NOWHERE:
                note_worse(t, p.yarns[octagon, v], design, harm, cost)
                change = 1
            if slot < SLOTS:
                p.yarn_steps[slot, octagon, v] = change


@compiled
def write_effects(t: Any, p: Any, effects: Any, points: int, out: Any) -> None:
    """The features of a change of the board."""
    if effects[GAIN] == 0 and effects[HARM] == 0:
        out[WINS] = points + p.ready >= t.points_to_win
        return
    out[GAIN], out[HARM], out[CLOSENESS] = effects[GAIN], effects[HARM], effects[CLOSENESS]
    out[POINTS] = effects[POINTS] / t.points_to_win
    out[WINS] = points + p.ready - effects[BROKEN] + effects[POINTS] >= t.points_to_win


@compiled
def look_at_square(t: Any, g: Any, s: Any, p: Any, square: int, points: int, with_swaps: bool) -> None:
    """Work out what a square to stand on has to offer, once."""
    if holds(s.known, square):
        return
    s.known |= bit(square)
    s.pair[square] = best_free_swap(t, p, square, points) if with_swaps else NONE
    touched = 0
    peak = 0
    for one in range(4):
        octagon = t.touches[square, one]
        if octagon < 0:
            continue
        touched += 1
        same = 0
        for other in range(4):
            if t.touches[square, other] >= 0 and g.yarns[t.touches[square, other]] == g.yarns[octagon]:
                same += 1
        peak = max(peak, same)
    s.expected[square] = touched / len(DIE_COLOURS)
    s.peak[square] = peak / 4


@compiled
def best_free_swap(t: Any, p: Any, square: int, points: int) -> int:
    """The pair (its place among all pairs) that a free swap on the square would best swap; NONE if none does good.

    One that wins comes first, then the most gain less harm.
    """
    best = NONE
    best_score = 0.0
    for i in range(6):
        near = t.near_pairs[square, i]
        if near < 0:
            break
        action = t.first[V_FREE_SWAP] + near
        pair = pair_index(np.int64(t.a[action]), np.int64(t.b[action]))
        effects = p.swaps[pair]
        score = np.float64(effects[GAIN] - effects[HARM])
        if effects[POINTS] > 0 and points + p.ready - effects[BROKEN] + effects[POINTS] >= t.points_to_win:
            score += 1000.0
        if score > best_score:
            best, best_score = pair, score
    return best


@compiled
def write_features(t: Any, g: Any, s: Any, p: Any, legal: Any, count: int, out: Any) -> None:
    """Write the features of the legal actions of the player to act; `out` is zero for them before."""
    seat = np.int64(g.player)
    points = np.int64(g.points[seat])
    if g.phase == ACT:
        anywhere = bars_buying(g, t.price_swap) == OK or bars_card(g, SWAP) == OK
        replacements = bars_card(g, REPLACE) == OK
        if anywhere or replacements or g.free_swap or not g.moved:
            study(t, g, s, p, seat, anywhere, replacements)
    s.known = 0
    for i in range(count):
        action = legal[i]
        verb = t.verb[action]
        a, b = np.int64(t.a[action]), np.int64(t.b[action])
        f = out[action]
        if verb == V_PLACE:
            look_at_square(t, g, s, p, a, points, False)
            f[YIELD], f[PEAK] = s.expected[a], s.peak[a]
        elif verb == V_STEP or verb == V_JUMP or verb == V_MOVE_CARD:
            look_at_square(t, g, s, p, a, points, t.free_swap)
            f[YIELD], f[PEAK] = s.expected[a], s.peak[a]
            if s.pair[a] != NONE:
                write_effects(t, p, p.swaps[s.pair[a]], points, f)
            else:
                f[WINS] = points + p.ready >= t.points_to_win
            if verb == V_STEP:
                tolls = how_many(np.uint64(b))
                f[TOKENS], f[OTHERS] = -tolls / TOKENS_UNIT, tolls / TOKENS_UNIT
        elif verb == V_FREE_SWAP or verb == V_SWAP_CARD:
            write_effects(t, p, p.swaps[pair_index(a, b)], points, f)
        elif verb == V_BUY_SWAP:
            write_effects(t, p, p.swaps[pair_index(a, b)], points, f)
            f[TOKENS] = -t.price_swap / TOKENS_UNIT
        elif verb == V_REPLACE_YARN:
            write_effects(t, p, p.yarns[a, b], points, f)
        elif verb == V_CLAIM:
            design = nth(g.design_hands[seat], a)
            f[POINTS] = t.design_points[design] / t.points_to_win
            f[WINS] = points + t.design_points[design] >= t.points_to_win
        elif verb == V_EXCHANGE:
            f[HARM] = value(t, nth(g.design_hands[seat], a), p.distance[a])
        else:
            write_tokens(t, g, seat, verb, a, f)


@compiled
def write_tokens(t: Any, g: Any, seat: int, verb: int, a: int, f: Any) -> None:
    """The expected change of tokens by the actions that do nothing else that can be counted."""
    own = 0.0
    others = 0.0
    if verb == V_PRESET:
        if a != BLACK:
            due = 0
            for other in range(g.players):
                due += yield_of(t, g, other, a)
            if due <= g.bank:
                own = np.float64(yield_of(t, g, seat, a))
                others = due - own
    elif verb == V_STEAL_TOKENS:
        victim = (seat + a) % g.players
        own = np.float64(min(np.int64(g.tokens[victim]), np.int64(t.steal_tokens_max)))
        others = -own
    elif verb == V_GAIN_TOKENS:
        own = np.float64(min(np.int64(g.bank), a)) * (FACES + 1 - a) / FACES
    elif verb == V_BUY_ACTION:
        own = -np.float64(t.price_action)
    elif verb == V_BUY_DESIGN:
        own = -np.float64(t.price_design)
    elif verb == V_COLLECT_THREE:
        own = np.float64(min(np.int64(g.bank), np.int64(t.collect_three_gives)))
    elif verb == V_TAX:
        for other in range(g.players):
            if other != seat and g.tokens[other] > 0:
                others -= 1.0
    f[TOKENS], f[OTHERS] = own / TOKENS_UNIT, others / TOKENS_UNIT
