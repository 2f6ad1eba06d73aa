"""Planning features: a few numbers for every action, made by the engine from what the seat to act may know.

They are zero for actions that are not legal. `value` below is what a held design is worth: its points / points to win,
halved for each swap it is away from complete (its *distance*, the fewest swaps of any two yarns; a design that the
yarns on the board cannot complete is worth 0). A *way* is a placement of a design with a colour for each of its
groups; its cheapest ways take as many swaps as its distance.
"""

from dataclasses import dataclass

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from ettana_env.engine.batch import features_one
from ettana_env.engine.planning import FEATURES, PLAN, TOKENS_UNIT
from ettana_env.engine.ways import WORK
from ettana_env.errors import EttanaError
from ettana_env.game import Game
from ettana_env.rules import Rules
from ettana_env.validation import shown
from ettana_env.vocabulary import FACES


@dataclass(frozen=True)
class Feature:
    """One of the numbers."""

    name: str
    meaning: str


ACTION_FEATURES = (
    Feature(
        "gain",
        "swaps and `replace_yarn`: how much the value of the held designs rises, over those that get closer; moves: "
        "the same for the best free swap from that square (one that wins, else the most gain less harm, above 0)",
    ),
    Feature(
        "harm",
        "the same actions: the value lost, over held designs all of whose cheapest ways get longer, one swap counted; "
        "`exchange`: the value of the design given away",
    ),
    Feature("closeness", "the same actions: the largest 0.5^distance, after it, of the designs that get closer"),
    Feature("points", "points of the designs the action completes, or claims, / points to win"),
    Feature(
        "wins",
        "the same actions: 1 if own points, those of the held designs that are complete and not harmed, and those it "
        "completes are enough to win; `claim`: if own points and those of the one claimed are",
    ),
    Feature("tokens", f"the expected change of the own tokens / {TOKENS_UNIT:g}: prices, tolls, what cards give"),
    Feature("others", f"the expected change of the opponents' tokens together / {TOKENS_UNIT:g}"),
    Feature("yield", "`place` and moves: the tokens one roll of the colour die can be expected to give on the square"),
    Feature("peak", "`place` and moves: the most yarns of one colour the square touches / 4"),
    Feature(
        "reach",
        "points / points to win that can still be completed this turn after the action, nearest design first, by the "
        "swaps that the tokens and swap cards left pay for; moves: with the free swap best for it; 0 for what ends the "
        "turn or rolls",
    ),
    Feature("reach_wins", "1 if own points and those in reach are enough to win (`gain_tokens`: how likely)"),
    Feature(
        "draw",
        "what draws a design: the mean points / points to win of a design not seen yet, if the board completes it "
        "already; `buy_action`: how likely the card is a victory point, / points to win",
    ),
    Feature("draw_wins", "how likely that wins at once"),
    Feature(
        "outlook",
        "moves: for the next turn, from there, the mean over the faces of the number die of the most that a free swap "
        "then in reach by a walk or a jump does (gain less harm, above 0); board and the others' pins as they are, "
        "tolls not counted",
    ),
)
"""The features, in order."""

assert len(ACTION_FEATURES) == FEATURES


def check_features(features: object) -> bool:
    """Whether planning features are asked for: `"planning"` or None; anything else is an EttanaError."""
    if features not in (None, "planning"):
        raise EttanaError(f'features must be "planning" or None, not {shown(features)}')
    return features is not None


def action_features(game: Game) -> NDArray[np.float32]:
    """The features of all actions for the player to act, one row an action."""
    rows = np.zeros((len(game.actions), FEATURES), np.float32)
    features_one(game._tables, game._games, 0, np.zeros(1, WORK), np.zeros(1, PLAN), rows)
    return rows


def features_space(rules: Rules, actions: int) -> spaces.Box:
    """The space of the features of all actions: one row an action."""
    value = sum(design.points for design in rules.designs) / rules.points_to_win
    spent = max(rules.prices.action, rules.prices.swap, rules.prices.design, 3)
    tokens = max(spent, rules.tokens.total, FACES) / TOKENS_UNIT
    low = np.array([0, 0, 0, 0, 0, -tokens, -tokens, 0, 0, 0, 0, 0, 0, 0], np.float32)
    high = np.array([value, value, 1, value, 1, tokens, tokens, 1, 1, value, 1, value, 1, value], np.float32)
    return spaces.Box(np.tile(low, (actions, 1)), np.tile(high, (actions, 1)), dtype=np.float32)


def table() -> str:
    """The features as a Markdown table."""
    lines = ["| place | name | meaning |", "|--:|---|---|"]
    lines += [f"| {place} | `{feature.name}` | {feature.meaning} |" for place, feature in enumerate(ACTION_FEATURES)]
    return "\n".join(lines)
