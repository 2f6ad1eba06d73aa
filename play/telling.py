"""What happened, in words: an action told from the table before and after it.

Told from two views, a line holds nothing that seat may not know; told from two whole states, everything.
"""

from collections import Counter

from ettana_env.states import Json
from ettana_env.vocabulary import CARD_OF

LETTERS = "ABCD"
"""The letter on each seat's pin."""


def told(before: Json, action: Json, after: Json, viewer: int | None = None) -> str:
    """What the player to act in `before` did, in the past tense and without a subject: `walked to square 6`.

    `viewer` is the seat that reads it, called "you"; both tables must then be its views.
    """
    seat = before["player"]
    kind = action["kind"]
    card = f" ({_words(CARD_OF[kind])} card)" if kind in CARD_OF else ""

    def who(other: int) -> str:
        return "you" if other == viewer else LETTERS[other]

    def gains() -> str:
        found = [
            f"{who(other)} {after['tokens'][other] - before['tokens'][other]:+d}"
            for other in range(before["players"])
            if after["tokens"][other] != before["tokens"][other]
        ]
        return ", ".join(found)

    match kind:
        case "place":
            starts = f"; {who(after['player'])} to start" if after["phase"] == "roll" else ""
            return f"put the pin on square {action['square']}{starts}"
        case "roll" | "preset" | "roll_again":
            dice = after["dice"]
            if dice["colour"] == "black":
                came = _drawn(before, after, seat, CARD_OF.get(kind))
            else:
                came = gains() or "nobody collects"
            first = {"roll": "rolled", "preset": "preset the colour and rolled", "roll_again": "rolled again:"}[kind]
            return f"{first} {dice['number']} {dice['colour']}: {came}"
        case "step":
            paid = f", paying {' and '.join(who(other) for other in action['pay'])}" if action["pay"] else ""
            return f"walked to square {action['square']}{paid}"
        case "jump":
            return f"jumped to square {action['square']}"
        case "move_card":
            return f"moved to square {action['square']}{card}"
        case "free_swap" | "buy_swap" | "swap_card":
            how = {"free_swap": " (free)", "buy_swap": " (bought)"}.get(kind, card)
            a, b = action["a"], action["b"]
            return f"swapped {before['yarns'][a]} {a} and {before['yarns'][b]} {b}{how}"
        case "replace_yarn":
            octagon = action["octagon"]
            return f"replaced {before['yarns'][octagon]} {octagon} by {action['colour']}{card}"
        case "replace_tile":
            square = action["square"]
            return f"replaced the {before['tiles'][square]} of square {square} by a {action['number']}{card}"
        case "claim":
            points = after["points"][seat] - before["points"][seat]
            return f"claimed {action['design']} for {_count(points, 'point')}"
        case "exchange":
            if before["design_hands"][seat][:1] == [None]:
                return "exchanged a design"
            new = set(after["design_hands"][seat]) - set(before["design_hands"][seat])
            return f"exchanged {action['design']} for {next(iter(new), action['design'])}"
        case "steal_card":
            return f"stole a card from {who(action['seat'])}{_stolen(before, after, seat, action['seat'])}"
        case "steal_tokens":
            taken = before["tokens"][action["seat"]] - after["tokens"][action["seat"]]
            return f"stole {_count(taken, 'token')} from {who(action['seat'])}"
        case "gain_tokens":
            gained = after["tokens"][seat] - before["tokens"][seat]
            return f"named {action['number']} and " + (
                f"gained {_count(gained, 'token')}" if gained else "rolled less: nothing gained"
            )
        case "buy_action":
            return f"bought a card: {_drawn(before, after, seat, None)}"
        case "buy_design" | "get_design":
            new = set(after["design_hands"][seat]) - set(before["design_hands"][seat]) - {None}
            verb = "bought" if kind == "buy_design" else "drew"
            return f"{verb} {'the design ' + str(new.pop()) if new else 'a design'}{card}"
        case "collect_three":
            return f"took {_count(after['tokens'][seat] - before['tokens'][seat], 'token')}{card}"
        case "tax":
            return f"taxed the others: {gains() or 'nobody could pay'}"
    return "ended the turn"


def _words(name: str) -> str:
    return name.replace("_", " ")


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def _drawn(before: Json, after: Json, seat: int, played: str | None) -> str:
    """What came of drawing an action card, `played` having left the hand first."""
    if after["victory_cards"][seat] > before["victory_cards"][seat]:
        return "drew a victory point"
    if None in after["action_hands"][seat] or None in before["action_hands"][seat]:
        was, now = len(before["action_hands"][seat]) - (played is not None), len(after["action_hands"][seat])
        return "drew a card" if now > was else "there was no card to draw"
    new = Counter(after["action_hands"][seat]) - (Counter(before["action_hands"][seat]) - Counter([played]))
    return f"drew {_words(next(iter(new)))}" if new else "there was no card to draw"


def _stolen(before: Json, after: Json, thief: int, victim: int) -> str:
    """The card stolen, if either hand is open."""
    lost = Counter(before["action_hands"][victim]) - Counter(after["action_hands"][victim])
    played = Counter(["steal_card"])
    won = Counter(after["action_hands"][thief]) - (Counter(before["action_hands"][thief]) - played)
    known = [card for card in (*lost, *won) if card is not None]
    return f": {_words(known[0])}" if known else ""
