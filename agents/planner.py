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

from agents.desk import Desk, Thinker, new_desk
from agents.greedy import best_action, study, wipe
from agents.judgement import MOVES, W_FEAR, Weights, worth_of_change, worth_of_rest
from agents.odds import danger, in_reach
from ettana_env import BatchEnv
from ettana_env.compiled import compiled
from ettana_env.engine.chance import PLAYER, word
from ettana_env.engine.legal import list_legal
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
    "gambler": BUILDER._replace(token=0.003, design=0.1, exchange=0.0, again=0.05, luck=3.0),
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
def think(t: Any, root: Any, key: Any, desk: Any, w: Any, width: int, depth: int, tries: int) -> int:
    """The first action of the best sequence found, for a seat after its roll."""
    seat = np.int64(root.player)
    tree, values, firsts, ranks, order, legal = desk.tree, desk.values, desk.firsts, desk.ranks, desk.order, desk.legal
    features = desk.features
    best, best_key, chosen, last = -1e9, np.uint64(0), NONE, NONE
    afraid = w[W_FEAR] > 0 and in_reach(t, root, seat)
    now, following = 0, width * tries  # where the beam of this depth starts in the tree, and the next one's candidates
    tree[0] = root
    values[0], firsts[0] = 0.0, NONE
    size = 1
    for level in range(depth):
        found = 0
        for b in range(size):
            node = tree[now + b]
            count = list_legal(t, node, legal)
            if level == 0:
                for n in range(count):
                    if t.verb[legal[n]] == V_CLAIM:
                        return np.int64(legal[n])
            study(t, node, legal, count, desk, desk.plan[0])
            threat = w[W_FEAR] * danger(t, node, seat) if afraid else 0.0
            # The most promising certain actions, best first; the others end a sequence here.
            kept = 0
            for n in range(count):
                action = np.int64(legal[n])
                f = features[action]
                rank = values[now + b] + worth_of_rest(t, node, seat, action, f, desk.odds, w) + worth_of_change(f, w)
                if CERTAIN[t.verb[action]]:
                    place = kept if kept < tries else tries
                    while place > 0 and ranks[place - 1] < rank:
                        if place < tries:
                            ranks[place], order[place] = ranks[place - 1], order[place - 1]
                        place -= 1
                    if place < tries:
                        ranks[place], order[place] = rank, action
                        kept = min(kept + 1, tries)
                else:
                    first = action if firsts[now + b] == NONE else firsts[now + b]
                    tie = word(key, PLAYER, np.int64(root.actions), first)
                    total = rank - threat
                    if total > best + 1e-9 or (total > best - 1e-9 and tie > best_key):
                        best, best_key, chosen, last = total, tie, first, action
            for k in range(kept):
                action = order[k]
                child = following + found
                tree[child] = node
                change = 0.0 if MOVES[t.verb[action]] else worth_of_change(features[action], w)
                rest = worth_of_rest(t, node, seat, action, features[action], desk.odds, w)
                values[child] = values[now + b] - EFFORT + change + rest
                ranks[tries + found] = ranks[k]
                firsts[child] = action if firsts[now + b] == NONE else firsts[now + b]
                play(t, tree[child], action)
                found += 1
            wipe(legal, count, features)
        if found == 0:
            break
        # Claim, then keep the best of the candidates as the next beam, in place of this one.
        for k in range(found):
            added = claim_all(t, tree[following + k], seat, legal)
            values[following + k] += added
            ranks[tries + k] += added
            if tree[following + k].phase == OVER:
                total = values[following + k]
                tie = word(key, PLAYER, np.int64(root.actions), firsts[following + k])
                if total > best + 1e-9 or (total > best - 1e-9 and tie > best_key):
                    best, best_key, chosen, last = total, tie, firsts[following + k], NONE
                ranks[tries + k] = -1e9
            elif afraid:
                ranks[tries + k] -= w[W_FEAR] * danger(t, tree[following + k], seat)
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
            total = values[b] - (w[W_FEAR] * danger(t, tree[b], seat) if afraid else 0.0)
            tie = word(key, PLAYER, np.int64(root.actions), firsts[b])
            if total > best + 1e-9 or (total > best - 1e-9 and tie > best_key):
                best, best_key, chosen, last = total, tie, firsts[b], NONE
    # What the sequence would draw at its end is better drawn at once: the rest can still make use of it.
    if last != NONE and DRAWS[t.verb[last]] and (chosen == NONE or t.verb[chosen] != V_FREE_SWAP):
        for n in range(list_legal(t, root, legal)):
            if legal[n] == last:
                return last
    return chosen


@compiled
def planned(t: Any, g: Any, key: Any, desk: Any, plan: Any, w: Any, width: int, depth: int, tries: int) -> int:
    """The planner's action: thought through after the roll, and the best at once before it."""
    if g.phase == ACT:
        return think(t, g, key, desk, w, width, depth, tries)
    count = list_legal(t, g, desk.legal)
    return best_action(t, g, key, desk.legal, count, desk, plan, w)


@compiled
def choose_by_plan(
    tables: Any,
    games: Any,
    rows: Any,
    marked: Any,
    desk: Any,
    plans: Any,
    w: Any,
    width: int,
    depth: int,
    tries: int,
    actions: Any,
) -> None:
    """The planner's action for every marked game."""
    for i in marked:
        actions[i] = planned(tables[0], games[i], rows[i].seed, desk, plans[i], w, width, depth, tries)


def weights_of(style: str, agent: str = "planner") -> NDArray[np.float64]:
    """The weights of a style, as compiled code takes them; an unknown style is an EttanaError."""
    if style not in STYLES:
        hint = did_you_mean(style, STYLES)
        raise EttanaError(f"{agent}: style must be one of {', '.join(STYLES)}, not {style!r}{hint}")
    return STYLES[style].array()


class Planner(Thinker):
    """Thinks through its turn; `style` is one of STYLES, `width` and `depth` say how far."""

    def __init__(self, style: str = "builder", width: int = 6, depth: int = 6, tries: int = 6) -> None:
        """`tries` is how many actions are tried from each position of the beam."""
        super().__init__()
        self._weights = weights_of(style)
        for name, number in (("width", width), ("depth", depth), ("tries", tries)):
            if not 1 <= number <= 64:
                raise EttanaError(f"planner: {name} must be from 1 to 64, not {number}")
        self._size = width, depth, tries

    def _new_desk(self, actions: int) -> Desk:
        width, _, tries = self._size
        return new_desk(actions, width, tries)

    def _think(self, env: BatchEnv, marked: NDArray[np.int64], desk: Any, actions: NDArray[np.int64]) -> None:
        choose_by_plan(
            env._tables, env._games, env._rows, marked, desk, self._plans, self._weights, *self._size, actions
        )
