"""What is written down of a game while it is played: counts, every card drawn, the position at every turn.

Compiled; the rules are not written again here: a game's record before and after an action tells what happened.
"""

from typing import Any

import numpy as np

from agents.outlook import cards_of, look_at_own
from ettana_env.compiled import compiled
from ettana_env.engine.barriers import complete_at
from ettana_env.engine.bits import ONE, how_many, lowest, nth
from ettana_env.engine.distance import distance
from ettana_env.engine.play import yield_of
from ettana_env.vocabulary import (
    BLACK,
    CARD_OF,
    COLOURS,
    DIE_COLOURS,
    FACES,
    KINDS,
    MAX_PLAYERS,
    MAX_SQUARES,
    NONE,
    OCTAGONS,
    OVER,
    PLACE,
    ROLL,
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
    V_PRESET,
    V_REPLACE_YARN,
    V_ROLL,
    V_ROLL_AGAIN,
    V_STEAL_CARD,
    V_STEAL_TOKENS,
    V_STEP,
    V_SWAP_CARD,
    V_TAX,
    VERBS,
    VICTORY_POINT,
)

STAGES = ("opening", "middle", "end")
"""A game's stages: nobody has a third of the points to win; nobody has two thirds; someone has."""

FLOWS = (
    "dealt",
    "own roll",
    "others' rolls",
    "collect three",
    "gain tokens",
    "tolls taken",
    "stolen",
    "action cards",
    "swaps",
    "designs",
    "tolls paid",
    "stolen from",
    "tax",
)
"""Where a player's tokens come from (the first seven) and go to."""
INCOME = 7

HOW = ("dealt", "black", "bought", "by card", "exchanged", "stolen")
"""How a card came to its holder."""
DEALT, BY_BLACK, BOUGHT, BY_CARD, EXCHANGED, STOLEN = range(6)

FATES = ("held", "used", "lost", "scored")
"""What became of a card: still in hand, played or claimed, stolen or exchanged, a victory point scored at once."""
HELD, USED, LOST, SCORED = range(4)

BINS = 11
"""Numbers of legal actions by powers of two: 1, 2-3, 4-7, …, 1024 and more."""

MOST_TURNS = 256
"""Positions kept of a game, one a turn; of longer games the rest is not kept."""
MOST_DRAWS = 256
"""Draws kept of a game."""

TALLY = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("seed", np.int64),
                ("rotation", np.int8),
                ("starter", np.int8),  # NONE until the deal
                ("winner", np.int8),
                ("truncated", np.bool_),
                ("ended_by", np.int8),  # the verb of the last action; NONE for a game won at the deal
                ("blocked", np.bool_),  # a position with no legal action: must never be
                ("turns", np.int32),
                ("actions", np.int32),
                ("points", np.int16, MAX_PLAYERS),
                ("victory_cards", np.int16, MAX_PLAYERS),
                ("decisions", np.int32, MAX_PLAYERS),  # with two or more legal actions
                ("choices", np.int32, len(STAGES)),  # decisions by stage
                ("options", np.int64, len(STAGES)),  # legal actions at them, in all
                ("branching", np.int32, (len(STAGES), BINS)),
                ("verbs", np.int32, (MAX_PLAYERS, len(VERBS))),
                ("verbs_by_stage", np.int32, (len(STAGES), len(VERBS))),
                ("turns_by_stage", np.int32, len(STAGES)),
                ("offered", np.int32, len(VERBS)),  # turns in which it was legal at some moment
                ("taken", np.int32, len(VERBS)),  # turns in which it was done
                ("rich_turns", np.int32),  # turns with a choice beyond the roll, the move and the end of the turn
                ("stuck", np.int32),  # turns ended for want of a move
                ("flows", np.int32, (MAX_PLAYERS, len(FLOWS))),
                ("bank_empty", np.int32),  # turns begun with an empty bank
                ("refused", np.int32),  # rolls nobody was paid for, the bank being short
                ("colours", np.int32, len(DIE_COLOURS)),  # rolled, not preset
                ("numbers", np.int32, FACES),
                ("stood", np.int32, MAX_SQUARES),  # pins at the end of their player's turn
                ("octagons", np.int32, OCTAGONS),  # in claims
                ("claim_colours", np.int32, len(COLOURS)),
                ("at_leader", np.int32),  # thefts from the one with most points
                ("blocking", np.int32),
                ("now_offered", np.uint32),  # this turn's, as sets of verbs
                ("now_taken", np.uint32),
                ("draws", np.int32),
                ("draws_lost", np.int32),  # for want of room
                ("seen", np.int32),  # positions kept
            ],
            align=True,
        ),
    )
)
"""One game's counts."""

DRAW = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("turn", np.int16),
                ("done", np.int16),  # the turn it was played, claimed or lost in; NONE if held to the end
                ("points", np.int16),  # its holder's when it came
                ("lead", np.int16),  # over the best of the others, then
                ("tokens", np.int16),
                ("seat", np.int8),
                ("card", np.uint8),  # a kind of action card; from len(KINDS) on, a design
                ("how", np.uint8),
                ("fate", np.uint8),
                ("playable", np.bool_),  # its use was legal at some moment
            ],
            align=True,
        ),
    )
)
"""One card that came to a player."""

POSITION = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("player", np.int8),  # about to roll
                ("designs", np.int8, MAX_PLAYERS),
                ("points", np.int16, MAX_PLAYERS),
                ("tokens", np.int16, MAX_PLAYERS),
                ("cards", np.int16, MAX_PLAYERS),
                ("near", np.float32, MAX_PLAYERS),  # worth of the designs held, halved by every swap they are away
                ("wins", np.float32, MAX_PLAYERS),  # the same for the one that would win
            ],
            align=True,
        ),
    )
)
"""The position when someone is about to roll, every hand seen."""


def _flow_tables() -> tuple[Any, Any]:
    actor, others = np.full(len(VERBS), NONE), np.full(len(VERBS), NONE)
    for verb in (V_ROLL, V_PRESET, V_ROLL_AGAIN):
        actor[verb], others[verb] = FLOWS.index("own roll"), FLOWS.index("others' rolls")
    for verb, own, other in (
        (V_COLLECT_THREE, "collect three", None),
        (V_GAIN_TOKENS, "gain tokens", None),
        (V_STEP, "tolls paid", "tolls taken"),
        (V_STEAL_TOKENS, "stolen", "stolen from"),
        (V_BUY_ACTION, "action cards", None),
        (V_BUY_SWAP, "swaps", None),
        (V_BUY_DESIGN, "designs", None),
        (V_TAX, None, "tax"),
    ):
        actor[verb] = FLOWS.index(own) if own else NONE
        others[verb] = FLOWS.index(other) if other else NONE
    return actor, others


ACTOR_FLOW, OTHERS_FLOW = _flow_tables()
CARD_BY_VERB = np.array([KINDS.index(CARD_OF[verb]) if verb in CARD_OF else NONE for verb in VERBS])

_PLAIN = ("place", "roll", "step", "jump", "end_turn")
BEYOND_MOVING = np.uint32(sum(1 << n for n, verb in enumerate(VERBS) if verb not in _PLAIN))


@compiled
def stage_of(t: Any, g: Any) -> int:
    """How far the game is, by the points of whoever has most."""
    most = 0
    for seat in range(g.players):
        most = max(most, g.points[seat])
    return min(2, 3 * most // t.points_to_win)


@compiled
def lead_of(g: Any, seat: int) -> int:
    """A seat's points less those of the best of the others."""
    best = -1
    for other in range(g.players):
        if other != seat:
            best = max(best, g.points[other])
    return g.points[seat] - best


@compiled
def note_draw(g: Any, tally: Any, draws: Any, seat: int, card: int, how: int) -> None:
    """A card came to a seat; `g` is the position before."""
    if tally.draws >= len(draws):
        tally.draws_lost += 1
        return
    draw = draws[tally.draws]
    tally.draws += 1
    draw.turn, draw.done, draw.seat, draw.card, draw.how = g.turn, NONE, seat, card, how
    draw.points, draw.lead, draw.tokens = g.points[seat], lead_of(g, seat), g.tokens[seat]
    draw.fate, draw.playable = HELD, False
    if card == VICTORY_POINT:
        draw.fate, draw.done, draw.playable = SCORED, g.turn, True


@compiled
def settle(g: Any, tally: Any, draws: Any, seat: int, card: int, fate: int) -> None:
    """The card a seat has held longest, of those alike, is gone."""
    for n in range(tally.draws):
        draw = draws[n]
        if draw.fate == HELD and draw.seat == seat and draw.card == card:
            draw.fate, draw.done = fate, g.turn
            draw.playable = draw.playable or fate == USED
            return


@compiled
def note_deal(g: Any, tally: Any, draws: Any) -> None:
    """The cards have been dealt: who starts, and what everyone has."""
    tally.starter = g.player
    for n in range(g.players):
        seat = (g.player + n) % g.players
        tally.flows[seat, 0] += g.tokens[seat]
        hand = g.design_hands[seat]
        while hand != 0:
            note_draw(g, tally, draws, seat, len(KINDS) + lowest(hand), DEALT)
            hand &= hand - ONE
        for kind in range(len(KINDS)):
            many = g.victory_cards[seat] if kind == VICTORY_POINT else g.action_hands[seat, kind]
            for _ in range(many):
                note_draw(g, tally, draws, seat, kind, DEALT)


@compiled
def note_position(t: Any, g: Any, tally: Any, positions: Any, parts: Any) -> None:
    """Keep the position at the start of a turn."""
    if tally.seen >= len(positions):
        return
    position = positions[tally.seen]
    tally.seen += 1
    position.player = g.player
    for seat in range(g.players):
        look_at_own(t, g, seat, parts)
        position.near[seat], position.wins[seat] = parts[2], parts[3]
        position.points[seat], position.tokens[seat] = g.points[seat], g.tokens[seat]
        position.cards[seat], position.designs[seat] = cards_of(g, seat), how_many(g.design_hands[seat])


@compiled
def note_claim(t: Any, g: Any, tally: Any, design: int) -> None:
    """Where on the board the claimed design lies: its first place that fits."""
    place = complete_at(t, g, design)
    for cell in range(t.design_cells[design]):
        octagon = t.place_cells[place, cell]
        tally.octagons[octagon] += 1
        tally.claim_colours[g.yarns[octagon]] += 1


@compiled
def blocks(t: Any, before: Any, g: Any) -> bool:
    """Was this change of the board for others' harm: a design all but complete set back, none of one's own nearer?"""
    actor = before.player
    hand = before.design_hands[actor]
    while hand != 0:
        if distance(t, g, lowest(hand)) < distance(t, before, lowest(hand)):
            return False
        hand &= hand - ONE
    for other in range(before.players):
        if other == actor:
            continue
        hand = before.design_hands[other]
        while hand != 0:
            away = distance(t, before, lowest(hand))
            if away <= 1 and distance(t, g, lowest(hand)) > away:
                return True
            hand &= hand - ONE
    return False


@compiled
def note_hands(before: Any, g: Any, tally: Any, draws: Any, verb: int, a: int) -> None:
    """Cards that came and went."""
    actor = np.int64(before.player)
    played = CARD_BY_VERB[verb]
    if played != NONE:
        settle(before, tally, draws, actor, played, USED)
    if verb == V_CLAIM or verb == V_EXCHANGE:
        design = nth(before.design_hands[actor], a)
        settle(before, tally, draws, actor, len(KINDS) + design, USED if verb == V_CLAIM else LOST)
    how = BOUGHT
    if verb == V_STEAL_CARD:
        how = STOLEN
    elif verb == V_EXCHANGE:
        how = EXCHANGED
    elif verb == V_GET_DESIGN:
        how = BY_CARD
    elif verb != V_BUY_ACTION and verb != V_BUY_DESIGN:
        how = BY_BLACK
    for seat in range(before.players):
        for kind in range(len(KINDS)):
            if kind == VICTORY_POINT:
                came = np.int64(g.victory_cards[seat]) - np.int64(before.victory_cards[seat])
            else:
                came = np.int64(g.action_hands[seat, kind]) - np.int64(before.action_hands[seat, kind])
                came += seat == actor and kind == played
            if came > 0:
                note_draw(before, tally, draws, seat, kind, how)
            elif came < 0:
                settle(before, tally, draws, seat, kind, LOST)
        fresh = g.design_hands[seat] & ~before.design_hands[seat]
        if fresh != 0:
            note_draw(before, tally, draws, seat, len(KINDS) + lowest(fresh), how)


@compiled
def note_tokens(t: Any, before: Any, g: Any, tally: Any, verb: int) -> None:
    """Where tokens came from and went to."""
    for seat in range(before.players):
        change = abs(np.int64(g.tokens[seat]) - np.int64(before.tokens[seat]))
        flow = ACTOR_FLOW[verb] if seat == before.player else OTHERS_FLOW[verb]
        if change != 0 and flow != NONE:
            tally.flows[seat, flow] += change
    if verb == V_ROLL or verb == V_PRESET or verb == V_ROLL_AGAIN:
        tally.colours[g.colour] += verb != V_PRESET  # that one was chosen
        tally.numbers[g.number - 1] += 1
        if g.colour != BLACK and (verb != V_ROLL_AGAIN or t.roll_again_collects):
            due = 0
            for seat in range(before.players):
                due += yield_of(t, before, seat, g.colour)
            tally.refused += due > before.bank


@compiled
def note_turn(before: Any, tally: Any, draws: Any, stage: int) -> None:
    """A turn is over, or the game in the middle of it."""
    tally.turns_by_stage[stage] += 1
    tally.rich_turns += (tally.now_offered & BEYOND_MOVING) != 0
    for verb in range(len(VERBS)):
        legal = (tally.now_offered >> np.uint32(verb)) & np.uint32(1) == 1
        tally.offered[verb] += legal
        tally.taken[verb] += (tally.now_taken >> np.uint32(verb)) & np.uint32(1) == 1
        if legal and CARD_BY_VERB[verb] != NONE:
            for n in range(tally.draws):
                if draws[n].fate == HELD and draws[n].seat == before.player and draws[n].card == CARD_BY_VERB[verb]:
                    draws[n].playable = True
    tally.now_offered = tally.now_taken = np.uint32(0)


@compiled
def note_action(t: Any, before: Any, g: Any, tally: Any, draws: Any, positions: Any, parts: Any, action: int) -> None:
    """Write down what one action did."""
    verb = np.int64(t.verb[action])
    actor = np.int64(before.player)
    stage = stage_of(t, before)
    tally.verbs[actor, verb] += 1
    tally.verbs_by_stage[stage, verb] += 1
    tally.now_taken |= np.uint32(1) << np.uint32(verb)
    if before.phase == PLACE:
        if g.phase != PLACE:
            note_deal(g, tally, draws)
    else:
        note_hands(before, g, tally, draws, verb, np.int64(t.a[action]))
        note_tokens(t, before, g, tally, verb)
        if verb == V_CLAIM:
            note_claim(t, before, tally, nth(before.design_hands[actor], t.a[action]))
        elif verb == V_FREE_SWAP or verb == V_BUY_SWAP or verb == V_SWAP_CARD or verb == V_REPLACE_YARN:
            tally.blocking += blocks(t, before, g)
        elif verb == V_STEAL_CARD or verb == V_STEAL_TOKENS:
            tally.at_leader += lead_of(before, (actor + t.a[action]) % before.players) >= 0
        elif verb == V_END_TURN:
            tally.stuck += not before.moved
        if g.phase == OVER or g.turn != before.turn:
            tally.stood[before.pins[actor]] += 1
            note_turn(before, tally, draws, stage)
    if g.phase == OVER:
        note_end(g, tally, verb)
    elif g.phase == ROLL and (before.phase == PLACE or g.turn != before.turn):
        tally.bank_empty += g.bank == 0
        note_position(t, g, tally, positions, parts)


@compiled
def note_end(g: Any, tally: Any, verb: int) -> None:
    """Write down how a game ended; the turn it was won in counts, one won at the deal took none."""
    tally.winner, tally.truncated, tally.ended_by = g.winner, g.truncated, verb
    tally.turns, tally.actions = g.turn + (g.winner >= 0 and verb > 0), g.actions
    for seat in range(g.players):
        tally.points[seat], tally.victory_cards[seat] = g.points[seat], g.victory_cards[seat]


@compiled
def begin_slice(tables: Any, games: Any, tallies: Any, draws: Any, positions: Any, start: int, stop: int) -> None:
    """Games have been set up; those with random placing are dealt already."""
    parts = np.zeros(8)
    for i in range(start, stop):
        tallies[i].starter = tallies[i].winner = tallies[i].ended_by = NONE
        if games[i].phase != PLACE:
            note_deal(games[i], tallies[i], draws[i])
            if games[i].phase == OVER:
                note_end(games[i], tallies[i], NONE)
            else:
                note_position(tables[0], games[i], tallies[i], positions[i], parts)


@compiled
def before_slice(
    tables: Any, games: Any, rows: Any, legal: Any, tallies: Any, copies: Any, start: int, stop: int
) -> None:
    """Before an action in every game under way: keep its record, and what there is to choose from."""
    t = tables[0]
    for i in range(start, stop):
        g, tally, count = games[i], tallies[i], rows[i].count
        if g.phase == OVER or tally.blocked:
            continue
        if count == 0:
            tally.blocked = True
            continue
        copies[i] = g
        for n in range(count):
            tally.now_offered |= np.uint32(1) << np.uint32(t.verb[legal[i, n]])
        if count > 1:
            stage = stage_of(t, g)
            tally.decisions[g.player] += 1
            tally.choices[stage] += 1
            tally.options[stage] += count
            size = 0
            while size < BINS - 1 and count >> (size + 1) > 0:
                size += 1
            tally.branching[stage, size] += 1


@compiled
def after_slice(
    tables: Any,
    copies: Any,
    games: Any,
    actions: Any,
    tallies: Any,
    draws: Any,
    positions: Any,
    start: int,
    stop: int,
) -> None:
    """After it: write down what happened."""
    parts = np.zeros(8)
    for i in range(start, stop):
        if actions[i] != NONE:
            note_action(tables[0], copies[i], games[i], tallies[i], draws[i], positions[i], parts, actions[i])
