"""The planner: thinks through its whole turn before it acts.

From the position it looks at sequences of actions that hold no chance: moves, swaps, replacements, what cards give. It
keeps the most promising few at every depth (a beam), claims as soon as it can on the way, and values where each
sequence leads. Actions with chance in them (drawing, stealing a card, rolling) end a sequence and count for what they
bring on average. It plays the first action of the best sequence, and thinks anew. Nothing hidden is looked at: no card
is drawn and no die rolled while thinking.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.greedy import Rooms, best_action
from agents.judgement import MOVES, Weights, worth_of_change, worth_of_rest
from ettana_env import BatchEnv
from ettana_env.compiled import compiled
from ettana_env.engine.batch import in_threads, new_games
from ettana_env.engine.chance import PLAYER, word
from ettana_env.engine.legal import list_legal
from ettana_env.engine.planning import FEATURES, PLAN, write_features
from ettana_env.engine.play import play
from ettana_env.errors import EttanaError
from ettana_env.validation import did_you_mean
from ettana_env.vocabulary import ACT, NONE, OVER, V_CLAIM, V_FREE_SWAP, VERBS

BUILDER = Weights(
    gain=0.24,
    harm=0.16,
    others_token=0.0075,
    stolen=0.005,
    design=0.064,
    exchange=0.05,
    again=0.01,
    peak=0.00024,
    points=0.47,
)
"""Found by trying small changes against three greedy, a few hundred games each, and keeping what did better."""

STYLES = {
    "builder": BUILDER,
    "hoarder": BUILDER._replace(token=0.03, card=0.03, design=0.05),
    "thief": BUILDER._replace(others_token=0.02, stolen=0.05, card=0.025),
    "gambler": BUILDER._replace(token=0.006, card=0.035, design=0.1, exchange=0.01, again=0.03),
}
"""Named weights: `builder` spends on its designs, `hoarder` saves, `thief` takes, `gambler` draws."""

CERTAIN = np.array(
    [
        verb in ("step", "jump", "move_card", "free_swap", "buy_swap", "swap_card", "replace_yarn", "replace_tile")
        or verb in ("steal_tokens", "collect_three", "tax")
        for verb in VERBS
    ]
)
"""By verb, whether it holds no chance and lets the turn go on."""

DRAWS = np.array([verb in ("buy_action", "buy_design", "get_design", "steal_card", "gain_tokens") for verb in VERBS])
"""By verb, whether it brings something not known before, and lets the turn go on."""

EFFORT = 1e-5
"""What an action must bring at least, so that nothing is done for nothing."""

WON = 100.0


@compiled
def claim_all(t: Any, g: Any, seat: int, legal: Any) -> float:
    """Claim whatever can be claimed; what that adds."""
    added = 0.0
    while g.phase == ACT:
        count = list_legal(t, g, legal)
        claim = NONE
        for n in range(count):
            if t.verb[legal[n]] == V_CLAIM:
                claim = np.int64(legal[n])
                break
        if claim == NONE:
            break
        before = g.points[seat]
        play(t, g, claim)
        added += (g.points[seat] - before) / t.points_to_win
    if g.phase == OVER and g.winner == seat:
        added += WON
    return added


@compiled
def think(
    t: Any,
    root: Any,
    row: Any,
    tree: Any,
    values: Any,
    firsts: Any,
    ranks: Any,
    order: Any,
    legal: Any,
    work: Any,
    plans: Any,
    features: Any,
    w: Any,
    width: int,
    depth: int,
    tries: int,
) -> int:
    """The first action of the best sequence found, for a seat after its roll."""
    seat = np.int64(root.player)
    best, best_key, chosen, last = -1e9, np.uint64(0), NONE, NONE
    half = width * tries
    now, following = 0, half  # where the beam of this depth starts in the tree, and where the next one's candidates
    tree[0] = root
    values[0], firsts[0] = 0.0, NONE
    size = 1
    for level in range(depth):
        found = 0
        for b in range(size):
            node = tree[now + b]
            count = list_legal(t, node, legal)
            write_features(t, node, work, plans[0], legal, count, features)
            if level == 0:
                for n in range(count):
                    if t.verb[legal[n]] == V_CLAIM:
                        chosen = np.int64(legal[n])
                if chosen != NONE:
                    for n in range(count):
                        for f in range(FEATURES):
                            features[legal[n], f] = 0
                    return chosen
            # The most promising certain actions, best first; the others end a sequence here.
            kept = 0
            for n in range(count):
                action = np.int64(legal[n])
                verb = t.verb[action]
                f = features[action]
                rest = worth_of_rest(t, node, seat, verb, f, w)
                change = worth_of_change(f, w)
                first = action if firsts[now + b] == NONE else firsts[now + b]
                if CERTAIN[verb]:
                    rank = values[now + b] + rest + change
                    place = kept if kept < tries else tries
                    while place > 0 and ranks[place - 1] < rank:
                        if place < tries:
                            ranks[place], order[place] = ranks[place - 1], order[place - 1]
                        place -= 1
                    if place < tries:
                        ranks[place], order[place] = rank, action
                        kept = min(kept + 1, tries)
                else:
                    total = values[now + b] + rest + change
                    key = word(row.seed, PLAYER, np.int64(root.actions), first)
                    if total > best + 1e-9 or (total > best - 1e-9 and key > best_key):
                        best, best_key, chosen, last = total, key, first, action
            for k in range(kept):
                action = order[k]
                verb = t.verb[action]
                child = following + found
                tree[child] = node
                change = 0.0 if MOVES[verb] else worth_of_change(features[action], w)
                values[child] = (
                    values[now + b] - EFFORT + change + worth_of_rest(t, node, seat, verb, features[action], w)
                )
                ranks[tries + found] = ranks[k]
                firsts[child] = action if firsts[now + b] == NONE else firsts[now + b]
                play(t, tree[child], action)
                found += 1
            for n in range(count):
                for f in range(FEATURES):
                    features[legal[n], f] = 0
        if found == 0:
            break
        # Claim, then keep the best of the candidates as the next beam, in place of this one.
        for k in range(found):
            added = claim_all(t, tree[following + k], seat, legal)
            values[following + k] += added
            ranks[tries + k] += added
            if tree[following + k].phase == OVER:
                total = values[following + k]
                key = word(row.seed, PLAYER, np.int64(root.actions), firsts[following + k])
                if total > best + 1e-9 or (total > best - 1e-9 and key > best_key):
                    best, best_key, chosen, last = total, key, firsts[following + k], NONE
                ranks[tries + k] = -1e9
        size = 0
        while size < width:
            top = NONE
            for k in range(found):
                if ranks[tries + k] > -1e8 and (top == NONE or ranks[tries + k] > ranks[tries + top]):
                    top = k
            if top == NONE:
                break
            tree[size] = tree[following + top]
            values[size], firsts[size] = values[following + top], firsts[following + top]
            ranks[tries + top] = -1e9
            size += 1
        if size == 0:
            break
    # Sequences cut off by the depth count for where they got to.
    for b in range(size):
        if firsts[b] != NONE:
            key = word(row.seed, PLAYER, np.int64(root.actions), firsts[b])
            if values[b] > best + 1e-9 or (values[b] > best - 1e-9 and key > best_key):
                best, best_key, chosen, last = values[b], key, firsts[b], NONE
    # What the sequence would draw at its end is better drawn at once: the rest can still make use of it.
    if last != NONE and DRAWS[t.verb[last]] and (chosen == NONE or t.verb[chosen] != V_FREE_SWAP):
        for n in range(list_legal(t, root, legal)):
            if legal[n] == last:
                return last
    return chosen


@compiled
def choose_slice(
    tables: Any,
    games: Any,
    rows: Any,
    legal: Any,
    which: Any,
    work: Any,
    plans: Any,
    features: Any,
    weights: Any,
    tree: Any,
    values: Any,
    firsts: Any,
    ranks: Any,
    order: Any,
    room: Any,
    own_plan: Any,
    width: int,
    depth: int,
    tries: int,
    actions: Any,
    start: int,
    stop: int,
) -> None:
    """The planner's action for every marked game."""
    t = tables[0]
    for i in range(start, stop):
        if not which[i]:
            continue
        if games[i].phase == ACT:
            actions[i] = think(
                t,
                games[i],
                rows[i],
                tree,
                values,
                firsts,
                ranks,
                order,
                room,
                work[0],
                own_plan,
                features,
                weights,
                width,
                depth,
                tries,
            )
        else:
            count = np.int64(rows[i].count)
            actions[i] = best_action(t, games[i], rows[i], legal[i], count, work[0], plans[i], features, weights)


class Planner:
    """Thinks through its turn; `style` is one of STYLES, `width` and `depth` say how far."""

    def __init__(self, style: str = "builder", width: int = 6, depth: int = 6, tries: int = 6) -> None:
        """`tries` is how many actions are tried from each position of the beam."""
        if style not in STYLES:
            hint = did_you_mean(style, STYLES)
            raise EttanaError(f"planner: style must be one of {', '.join(STYLES)}, not {style!r}{hint}")
        for name, number in (("width", width), ("depth", depth), ("tries", tries)):
            if not 1 <= number <= 64:
                raise EttanaError(f"planner: {name} must be from 1 to 64, not {number}")
        self._weights = STYLES[style].array()
        self._size = width, depth, tries
        self._rooms = Rooms()

    def choose(self, env: BatchEnv, which: NDArray[np.bool_]) -> NDArray[np.int64]:
        """The planned action for each marked game."""
        rooms = self._rooms
        rooms.fit(env)
        actions = np.full(env.size, NONE, np.int64)
        width, depth, tries = self._size
        nodes = width * tries * 2

        def one(start: int, stop: int) -> None:
            n = rooms.threads[start]
            choose_slice(
                env._tables, env._games, env._rows, env._legal, which, rooms.work[n : n + 1], rooms.plans,
                rooms.features[n], self._weights, new_games(nodes), np.zeros(nodes), np.zeros(nodes, np.int64),
                np.zeros(tries + nodes), np.zeros(tries, np.int64), np.zeros(len(env.actions) + 1, np.int16),
                np.zeros(1, PLAN), width, depth, tries, actions, start, stop,
            )  # fmt: skip

        in_threads(env.threads, env.size, one)
        return actions
