"""What is measured: every figure's name, its unit, and what exactly it means."""

from typing import NamedTuple

from balance.course import OUT_OF_IT, SETTLED
from balance.games import SECONDS_A_DECISION, SECONDS_A_TURN

SHARE, NUMBER, POINTS = "share", "number", "points"
"""Units: a share of 1, shown in percent; a number; a difference of shares, shown in percentage points."""


class Definition(NamedTuple):
    """One figure. `column` is the column of the table of games it is the mean of, if it is one."""

    key: str
    theme: str
    title: str
    unit: str
    text: str
    column: str = ""
    often: bool = False
    """Is it how often something happened (Wilson's interval), not a mean?"""


THEMES = {
    "fairness": "Seats and the start",
    "length": "Length",
    "ending": "How games end",
    "course": "The course of a game",
    "skill": "Luck and skill",
    "tokens": "Tokens",
    "cards": "Action cards",
    "designs": "Designs",
    "actions": "What players do",
    "board": "The board",
    "styles": "Styles of play",
    "interaction": "Between players",
    "choice": "Choices",
    "defects": "Defects",
}

DEFINITIONS = (
    Definition(
        "start_advantage",
        "fairness",
        "advantage of the starting player",
        POINTS,
        "The share of won games that the starting player won, less an even share (one over the number of players).",
        "start_won",
        True,
    ),
    Definition(
        "last_in_order",
        "fairness",
        "advantage of the last to move",
        POINTS,
        "The same for the player who moves last in the first round.",
        "last_in_order_won",
        True,
    ),
    Definition(
        "seat_gap",
        "fairness",
        "gap between the seats",
        POINTS,
        "The share of wins of the best seat less that of the worst, whoever starts. Seats place their pins in order, "
        "so seat 0 chooses first. Chance alone makes some gap; the interval allows for the two having been picked as "
        "the extremes (Tukey).",
    ),
    Definition(
        "turns",
        "length",
        "turns",
        NUMBER,
        "Turns begun in a game, those of all players together.",
        "turns",
    ),
    Definition("rounds", "length", "rounds", NUMBER, "Turns divided by the number of players.", "rounds"),
    Definition(
        "decisions",
        "length",
        "decisions",
        NUMBER,
        "Actions chosen among two or more legal ones, by all players together.",
        "decisions",
    ),
    Definition(
        "minutes",
        "length",
        "estimated minutes",
        NUMBER,
        f"An estimate, not a measurement: {SECONDS_A_DECISION:g} seconds for every decision and {SECONDS_A_TURN:g} for "
        "the dice and the collecting of every turn.",
        "minutes",
    ),
    Definition(
        "downtime",
        "length",
        "decisions of the others between own turns",
        NUMBER,
        "Decisions a turn, times the other players: what one waits for.",
        "downtime",
    ),
    Definition(
        "ended_by_card",
        "ending",
        "games won by a victory-point card",
        SHARE,
        "The share of won games whose last point came from a victory-point card drawn in play, not from a claim.",
        "ended_by_card",
        True,
    ),
    Definition(
        "margin",
        "ending",
        "winning margin in points",
        NUMBER,
        "Points of the winner over the second at the end.",
        "margin",
    ),
    Definition(
        "points_of_last", "ending", "points of the last", NUMBER, "Points of whoever has fewest.", "points_of_last"
    ),
    Definition(
        "points_by_cards",
        "ending",
        "points from victory cards",
        SHARE,
        "Of all points scored in a game, the share from victory-point cards; the rest is from designs.",
        "points_by_cards",
    ),
    Definition(
        "lead_changes",
        "course",
        "lead changes",
        NUMBER,
        "How often, from one turn to the next, another player becomes the favourite (has the greatest chance to win).",
        "lead_changes",
    ),
    Definition(
        "drama",
        "course",
        "drama",
        SHARE,
        "Over the turns at which the later winner was not the favourite: the favourite's chance less the winner's, on "
        "average. 0 in a game led from start to end.",
        "drama",
    ),
    Definition(
        "behind",
        "course",
        "turns the winner was behind",
        SHARE,
        "The share of turns at which the later winner was not the favourite.",
        "behind",
    ),
    Definition("lowest", "course", "lowest chance of the winner", SHARE, "The later winner's lowest chance.", "lowest"),
    Definition(
        "uncertainty",
        "course",
        "uncertainty",
        SHARE,
        "How open the game is, on average over its turns: the entropy of the chances by that of even ones. 100% is "
        "wide open, 0% certain.",
        "uncertainty",
    ),
    Definition(
        "settled",
        "course",
        "share of the game after it was settled",
        SHARE,
        f"Decisiveness: the share of turns left when the winner's chance rose above {SETTLED:.0%} for good.",
        "settled",
    ),
    Definition(
        "favourite_won",
        "course",
        "half-time favourite wins",
        SHARE,
        "How often the favourite at half of the turns won.",
        "favourite_won",
        True,
    ),
    Definition(
        "last_won",
        "course",
        "comebacks: last at half time wins",
        SHARE,
        "How often the player with the least chance at half of the turns won.",
        "last_won",
        True,
    ),
    Definition(
        "lead_growth",
        "course",
        "runaway leader: growth of the half-time lead",
        NUMBER,
        "How many points the lead of whoever has most points at half time grows until the end. Above 0 leaders run "
        "away, below they are caught up with.",
        "lead_growth",
    ),
    Definition(
        "luck",
        "skill",
        "outcome explained by deal and dice",
        SHARE,
        "Deals played in every rotation of agents of two levels: of the variance in who wins, the share that goes "
        "with the seat of the deal (its board, cards and dice), whoever plays it.",
    ),
    Definition(
        "skill",
        "skill",
        "outcome explained by the players",
        SHARE,
        "From the same games: the share of the variance that goes with who plays. What is left is how the two meet.",
    ),
    Definition(
        "step_up",
        "skill",
        "wins of the next level over its part",
        POINTS,
        "One agent of a level among agents of the level below it, in every seat: its share of wins less an even share.",
    ),
    Definition(
        "income",
        "tokens",
        "tokens gained a turn",
        NUMBER,
        "Tokens all players gained in a game, from rolls, cards, tolls and thefts, by its turns; those of the deal "
        "do not count.",
        "income",
    ),
    Definition(
        "income_of_own_roll",
        "tokens",
        "income from one's own rolls",
        SHARE,
        "Of the tokens gained, the share that came from the roll of the player who gained them.",
        "income_of_own_roll",
    ),
    Definition("tolls", "tokens", "tolls paid a game", NUMBER, "Tokens paid for walking over pins.", "tolls"),
    Definition(
        "spent_on_swaps",
        "tokens",
        "spending on swaps",
        SHARE,
        "Of the tokens paid for swaps, action cards and designs, the share paid for swaps.",
        "spent_on_swaps",
    ),
    Definition(
        "bank_empty",
        "tokens",
        "turns with an empty bank",
        SHARE,
        "The share of turns that begin with no token in the bank.",
        "bank_empty",
    ),
    Definition(
        "refused",
        "tokens",
        "turns nobody could be paid",
        SHARE,
        "Rolls of a colour for which the bank could not pay all, so nobody got anything, by turns.",
        "refused",
    ),
    Definition(
        "cards_drawn",
        "cards",
        "action cards a game",
        NUMBER,
        "Action cards that came to a player: dealt, drawn for black, bought or stolen.",
        "cards_drawn",
    ),
    Definition(
        "designs_drawn", "designs", "designs a game", NUMBER, "Design cards that came to a player.", "designs_drawn"
    ),
    Definition("claims", "designs", "claims a game", NUMBER, "Designs claimed by all players.", "claims"),
    Definition("exchanges", "designs", "exchanges a game", NUMBER, "Designs exchanged.", "exchanges"),
    Definition("bought_swaps", "actions", "bought swaps a game", NUMBER, "Swaps paid for with tokens.", "bought_swaps"),
    Definition(
        "free_swaps", "actions", "turns with a free swap", SHARE, "Turns in which the free swap was done.", "free_swaps"
    ),
    Definition(
        "interaction",
        "interaction",
        "actions against others a turn",
        NUMBER,
        "Thefts, taxes and blocking swaps by turns.",
        "interaction",
    ),
    Definition("thefts", "interaction", "thefts a game", NUMBER, "Steal-card and steal-tokens cards played.", "thefts"),
    Definition(
        "thefts_at_leader",
        "interaction",
        "thefts from the leader",
        SHARE,
        "Of the thefts, those from the player with most points (or tied for most).",
        "thefts_at_leader",
    ),
    Definition("taxes", "interaction", "taxes a game", NUMBER, "Tax cards played.", "taxes"),
    Definition(
        "blocking",
        "interaction",
        "blocking swaps a game",
        NUMBER,
        "Changes of the board that set back an opponent's design that was at most one swap away, and brought none of "
        "the player's own nearer. Hands are hidden, so some of it is chance.",
        "blocking",
    ),
    Definition(
        "kingmaking",
        "interaction",
        "kingmaking turns",
        SHARE,
        f"Of the turns of players out of the race (a chance below {OUT_OF_IT:.0%}), those after which another of the "
        "others is the favourite than before, be it by choice or by luck. Three players or more.",
    ),
    Definition(
        "options",
        "choice",
        "legal actions at a decision",
        NUMBER,
        "How many legal actions there are to choose from, on average over a game's decisions.",
        "options",
    ),
    Definition(
        "real_choices",
        "choice",
        "actions that are a choice",
        SHARE,
        "Of all actions, those chosen among two or more legal ones; the others are forced.",
        "real_choices",
    ),
    Definition(
        "rich_turns",
        "choice",
        "turns with a choice beyond moving",
        SHARE,
        "Turns in which, at some moment, something else than rolling, walking, jumping and ending was legal.",
        "rich_turns",
    ),
    Definition(
        "black_rolls",
        "cards",
        "rolls that show black",
        SHARE,
        "Of the colour rolls, those that show black. A colour that a preset card sets is not rolled.",
        "black_rolls",
    ),
    Definition(
        "truncated",
        "defects",
        "games cut off by a limit",
        SHARE,
        "Games that reached the turn limit or the action limit with no winner.",
        "truncated",
        True,
    ),
    Definition(
        "blocked",
        "defects",
        "dead positions",
        SHARE,
        "Games that came to a position with no legal action. The engine promises there is none.",
        "blocked",
        True,
    ),
    Definition(
        "stuck", "defects", "turns without any possible move", SHARE, "Turns ended for want of a move.", "stuck"
    ),
)

COLUMNS_OF_CARDS = {
    "a game": "How many of it come to a player in a game: dealt, drawn or bought, given by a card, stolen, exchanged.",
    "played": "Of those that came, the share that was played; a victory point is scored at once.",
    "claimed": "Of the times it came, the share that was claimed.",
    "lost": "The share that was stolen from its holder, or exchanged.",
    "kept": "The share still in hand when the game ended.",
    "rounds": "Rounds from the draw to the play or the claim, of those that were played or claimed.",
    "could be played": "The share of which the use was legal at some moment while it was held.",
    "points": "What claiming it scores.",
    "swaps away": "The mean over random boards of the fewest swaps that complete it: its difficulty.",
    "effect": "Percentage points of winning that drawing this one adds over the average card drawn in a like position "
    "(points, lead, tokens, round, place in the order, how it came). Which card comes is chance, so the difference is "
    "the card's doing. n counts draws; errors are those of whole games.",
    "q": "How likely such an effect is to be a false alarm after looking at all cards or designs at once "
    "(Benjamini and Hochberg); marked below 0.05.",
}
"""What the columns of the tables of cards and designs mean."""

COLUMNS_OF_ACTIONS = {
    "a game": "How often it is done in a game, by all players together.",
    "turns it is legal in": "The share of turns in which it is legal at some moment.",
    "of those, done in": "Of the turns in which it is legal at some moment, those in which it is done.",
}

BY_KEY = {one.key: one for one in DEFINITIONS}


def in_words(value: float, unit: str) -> str:
    """A figure as it is shown."""
    if value != value:
        return "–"
    if unit == SHARE:  # an estimate of a share of the variance may lie below nought
        return f"{max(value, 0.0):.1%}"
    if unit == POINTS:
        words = f"{100 * value:+.1f}"
        return "0.0" if words in ("+0.0", "-0.0") else words.replace("-", "−")
    words = f"{value:,.1f}" if abs(value) >= 10 else f"{value:,.2f}"
    return "0.00" if words == "-0.00" else words.replace("-", "−")


def limits_in_words(low: float, high: float, unit: str) -> str:
    """An interval as it is shown."""
    return f"[{in_words(low, unit).rstrip('%')}, {in_words(high, unit).rstrip('%')}]"
