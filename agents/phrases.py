"""Actions as people type them: `step 6`, `swap 3 17`, `claim temple-steps`."""

from collections.abc import Sequence
from typing import Any

from ettana_env.errors import EttanaError
from ettana_env.states import Json

ALIASES = {
    "swap": ("free_swap", "swap_card", "buy_swap"),
    "replace": ("replace_yarn", "replace_tile"),
    "move": ("move_card",),
    "buy": ("buy_action", "buy_design"),
    "end": ("end_turn",),
    "tokens": ("gain_tokens",),
    "again": ("roll_again",),
}
"""Words that stand for one of several kinds: the first that is legal, if what follows fits."""


def phrase(action: Json) -> str:
    """An action as it is typed."""
    words = [str(action["kind"])]
    for key, value in action.items():
        if key == "pay":
            words += [f"pay {','.join(map(str, value))}"] * bool(value)
        elif key != "kind":
            words.append(str(value))
    return " ".join(words)


def understand(text: str, legal: Sequence[Json]) -> Json:
    """The legal action that is meant; an EttanaError says what is wrong or missing."""
    words = text.lower().replace("-card", "_card").split()
    if not words:
        raise EttanaError("type an action, such as: " + phrase(legal[0]))
    kinds = ALIASES.get(words[0], ()) + tuple(
        dict.fromkeys(str(action["kind"]) for action in legal if str(action["kind"]).startswith(words[0]))
    )
    of_kind = [action for kind in dict.fromkeys(kinds) for action in legal if action["kind"] == kind]
    if not of_kind:
        raise EttanaError(f"{words[0]} is not possible now; possible: {', '.join(_kinds(legal))}")
    fitting = [action for action in of_kind if _fits(phrase(action).lower().split()[1:], words[1:])]
    exact = [action for action in fitting if phrase(action).lower().split()[1:] == words[1:]]
    if exact or len(fitting) == 1:
        return (exact or fitting)[0]
    shown = ", ".join(phrase(action) for action in (fitting or of_kind)[:6])
    more = " …" if len(fitting or of_kind) > 6 else ""
    raise EttanaError(f"{'which of these' if fitting else 'that does not fit; there are'}: {shown}{more}")


def _fits(full: list[str], given: list[str]) -> bool:
    return len(given) <= len(full) and all(
        word == part or (not part.isdigit() and part.startswith(word)) for word, part in zip(given, full, strict=False)
    )


def _kinds(legal: Sequence[Json]) -> list[str]:
    return list(dict.fromkeys(str(action["kind"]) for action in legal))


def grouped(legal: Sequence[Json], width: int = 78, most: int = 12) -> str:
    """The legal actions, a line a kind: `step 3 | 6 pay 1 | 9`."""
    lines = []
    for kind in _kinds(legal):
        rest: list[Any] = [phrase(action)[len(kind) :].strip() for action in legal if action["kind"] == kind]
        some = " | ".join(rest[:most]) + (f" | … {len(rest) - most} more" if len(rest) > most else "")
        line = f"{kind} {some}".rstrip()
        lines.append(line if len(line) <= width else line[: width - 1] + "…")
    return "\n".join(lines)
