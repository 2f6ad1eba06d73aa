"""Batches of games in play: act in each, pay rewards, start ended games anew, write what the next player sees.

Whatever depends on one game lies in its row of the arrays, so slices can be worked on by any number of threads.
"""

from typing import Any

import numpy as np

from ettana_env.compiled import compiled
from ettana_env.engine.chance import LEARNER_SEAT, PLAYER, below, word
from ettana_env.engine.legal import list_legal
from ettana_env.engine.observe import write_seen, write_slots
from ettana_env.engine.planning import FEATURES, write_features
from ettana_env.engine.play import play
from ettana_env.engine.prospects import write_prospects
from ettana_env.engine.rewarding import pay_rewards
from ettana_env.engine.setup import set_up
from ettana_env.vocabulary import MAX_PLAYERS, NONE, OVER, PLACE

START = -2
"""Instead of an action: set the game up."""

GO_ON = -3
"""Instead of an action: the game's record was put there from outside; go on from it."""

MOST_PASSED_OVER = 20_000
"""Seeds passed over, one after the other, before it is given up: such rules leave nothing to decide."""

ROW = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("seed", np.uint64),  # the game's
                ("stride", np.uint64),  # from a game's seed to the next one's in this row
                ("slots", np.uint64),  # the hand whose patterns the observation shows: it seldom changes
                ("ended_seed", np.uint64),  # of the game that ended by the last step, as is what follows
                ("ended_turns", np.int32),
                ("ended_actions", np.int32),
                ("ended_points", np.int16, MAX_PLAYERS),
                ("reward", np.float32, MAX_PLAYERS),  # by seat, for the last step
                ("carried", np.float32, MAX_PLAYERS),  # what forced moves before the first decision paid: comes with it
                ("count", np.int32),  # legal actions
                ("players", np.int8),
                ("seat", np.int8),  # to act; NONE if the game is over and not started anew
                ("ended_winner", np.int8),  # NONE if nobody
                ("terminated", np.bool_),
                ("truncated", np.bool_),
                ("turn_over", np.bool_),  # whether the last step ended a turn, and the game at that moment was kept
            ],
            align=True,
        ),
    )
)
"""What a batch knows of one game beside its state."""


@compiled
def act(t: Any, g: Any, row: Any, scheme: int, action: int, turn_end: Any) -> None:
    """Play an action and pay what it is worth; `turn_end`, of length 1 or 0, keeps the game when a turn ends first."""
    before, turn = g.points.copy(), g.turn
    play(t, g, action)
    pay_rewards(t, g, scheme, before, row.reward)
    if len(turn_end) > 0 and not row.turn_over and g.turn > turn:
        row.turn_over, turn_end[0] = True, g


@compiled
def advance(t: Any, g: Any, row: Any, legal: Any, scheme: int, forced: bool, turn_end: Any) -> None:
    """Note who is to act and what is legal; if asked, play forced moves (a single legal action) first."""
    row.count = list_legal(t, g, legal)
    while forced and row.count == 1:
        act(t, g, row, scheme, legal[0], turn_end)
        row.count = list_legal(t, g, legal)
    row.seat = g.player if row.count > 0 else NONE


@compiled
def start_game(
    t: Any, g: Any, row: Any, legal: Any, scheme: int, forced: bool, passes_over: bool, turn_end: Any
) -> None:
    """Set up the row's game and go to its first decision; a seed whose game has none is passed over, if so asked."""
    for _ in range(MOST_PASSED_OVER):
        row.reward[:] = 0
        set_up(t, g, row.seed, row.players)
        pay_rewards(t, g, scheme, g.points, row.reward)  # for a game won at the deal
        advance(t, g, row, legal, scheme, forced, turn_end)
        if row.count > 0 or not passes_over:
            return
        row.seed += row.stride


@compiled
def note_result(g: Any, row: Any) -> None:
    """Keep how the game ended."""
    row.terminated = not g.truncated
    row.truncated = g.truncated
    row.ended_winner = g.winner
    row.ended_turns, row.ended_actions = g.turn, g.actions
    row.ended_seed = row.seed
    for seat in range(MAX_PLAYERS):
        row.ended_points[seat] = g.points[seat]


@compiled
def clear(row: Any, legal: Any, mask: Any, features: Any) -> None:
    """Wipe out what was written for the actions that were legal."""
    for n in range(row.count):
        mask[legal[n]] = False
    if len(features) > 0:
        for n in range(row.count):
            for i in range(FEATURES):
                features[legal[n], i] = 0
    row.reward[:] = 0
    row.terminated = row.truncated = row.turn_over = False


@compiled
def show(
    t: Any, g: Any, row: Any, legal: Any, mask: Any, observation: Any, features: Any, work: Any, plan: Any
) -> None:
    """Write what the seat to act sees; nothing for a game that is over."""
    if row.count == 0:
        return
    for n in range(row.count):
        mask[legal[n]] = True
    slots = write_seen(t, g, np.int64(row.seat), observation)
    hand = g.design_hands[row.seat]
    if hand != row.slots:
        write_slots(t, hand, observation[slots:])
        row.slots = hand
    if len(features) > 0:
        write_features(t, g, work, plan, legal, row.count, features)
        write_prospects(t, g, work, plan, legal, row.count, features)


@compiled
def find_illegal(masks: Any, actions: Any, start: int, stop: int) -> int:
    """The first game whose action is not legal, or NONE; an action of NONE leaves its game alone."""
    for i in range(start, stop):
        action = actions[i]
        if action != NONE and (action < 0 or action >= masks.shape[1] or not masks[i, action]):
            return i
    return NONE


@compiled
def step_slice(
    tables: Any,
    games: Any,
    rows: Any,
    legal: Any,
    masks: Any,
    observations: Any,
    features: Any,
    work: Any,
    plans: Any,
    actions: Any,
    turn_ends: Any,
    scheme: int,
    forced: bool,
    autoreset: bool,
    start: int,
    stop: int,
) -> None:
    """Play one legal action in each game and write what comes of it.

    NONE leaves a game alone; START sets one up from the seed in its row; GO_ON takes the record as it is. (One function
    for all: each would be compiled with all of the rules and features inside.)
    """
    t = tables[0]
    for i in range(start, stop):
        row = rows[i]
        if actions[i] == NONE:
            row.reward[:] = 0
            row.terminated = row.truncated = row.turn_over = False
            continue
        f = features[i] if len(features) > 0 else features[0:0, 0]
        clear(row, legal[i], masks[i], f)
        starts = actions[i] == START
        if not starts:
            row.reward[:] = row.carried
            row.carried[:] = 0
            turn_end = turn_ends[i : i + 1]
            if games[i].phase == PLACE:
                turn_end = turn_ends[0:0]  # a turn that ends in this step is not that of the seat which acts
            if actions[i] != GO_ON:
                act(t, games[i], row, scheme, actions[i], turn_end)
            advance(t, games[i], row, legal[i], scheme, forced, turn_end)
            if games[i].phase == OVER:
                note_result(games[i], row)
                if autoreset:
                    row.seed += row.stride
                    starts = True
        if starts:
            paid = row.reward.copy()
            start_game(t, games[i], row, legal[i], scheme, forced, autoreset, turn_ends[0:0])
            row.carried[:] = row.reward
            row.reward[:] = paid
            if row.count == 0:
                note_result(games[i], row)
                row.reward[:] = row.carried
                row.carried[:] = 0
        plan = plans[i if len(features) > 0 else 0]
        show(t, games[i], row, legal[i], masks[i], observations[i], f, work[0], plan)


@compiled
def seat_learners_slice(rows: Any, which: Any, seats: Any, start: int, stop: int) -> None:
    """Where `which` says so, a seat for the learner, each as likely; the same for one seed."""
    for i in range(start, stop):
        if which[i]:
            seats[i] = below(word(rows[i].seed, LEARNER_SEAT, 0, 0), np.int64(rows[i].players))


@compiled
def choose_random_slice(games: Any, rows: Any, legal: Any, which: Any, actions: Any, start: int, stop: int) -> None:
    """Where `which` says so, a random legal action, each as likely; the same for one game at one moment."""
    for i in range(start, stop):
        if which[i] and rows[i].count > 0:
            key = word(rows[i].seed, PLAYER, np.int64(rows[i].seat), np.int64(games[i].actions))
            actions[i] = legal[i, below(key, np.int64(rows[i].count))]
