"""What can be done now, grouped as people think of it: moving, yarns and tiles, cards, buying, and the rest."""

from collections.abc import Sequence

from agents.phrases import phrase
from ettana_env.rules import Rules
from ettana_env.states import Json

GROUPS = {
    "start": ("place", "roll", "preset"),
    "move": ("step", "jump", "move_card"),
    "yarns": ("free_swap", "swap_card", "buy_swap", "replace_yarn", "replace_tile"),
    "cards": ("get_design", "collect_three", "gain_tokens", "steal_card", "steal_tokens", "roll_again", "tax"),
    "buy": ("buy_action", "buy_design"),
    "score": ("claim", "exchange"),
    "turn": ("end_turn",),
}
"""By group, the kinds of action in it; all kinds together are those of the action space."""

MOST = 8
"""So many of a kind are spelt out; of more, only how many there are."""


def short_forms(legal: Sequence[Json], rules: Rules) -> list[tuple[str, str]]:
    """By group that has something legal, the short forms to type: `("move", "step 3, 6 pay B · jump 9")`."""
    found = []
    for group, kinds in GROUPS.items():
        parts = [part for kind in kinds if (part := _of_kind(kind, legal, rules))]
        if parts:
            found.append((group, " · ".join(parts)))
    return found


def _of_kind(kind: str, legal: Sequence[Json], rules: Rules) -> str:
    some = [action for action in legal if action["kind"] == kind]
    if not some:
        return ""
    prices = {"buy_action": rules.prices.action, "buy_swap": rules.prices.swap, "buy_design": rules.prices.design}
    price = f" for {prices[kind]}" if kind in prices else ""
    rest = [phrase(action)[len(kind) :].strip() for action in some]
    typed = "end" if kind == "end_turn" else "card" if kind == "buy_action" else kind
    if rest == [""]:
        return f"{typed}{price}"
    if len(rest) <= MOST and kind not in ("swap_card", "buy_swap"):
        return f"{typed} {', '.join(rest)}{price}"
    form = {"free_swap": "A B", "swap_card": "A B", "buy_swap": "A B", "replace_yarn": "octagon colour"}
    form |= {"replace_tile": "square number", "step": "square", "jump": "square", "move_card": "square"}
    return f"{typed} {form.get(kind, '…')}{price} ({len(rest)} ways)"
