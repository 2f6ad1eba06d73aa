"""Actions as people type them: `step 6`, `swap 3 17`, `claim temple-steps`."""

from collections.abc import Sequence
from typing import Any

from ettana_env.errors import EttanaError
from ettana_env.states import Json
from ettana_env.vocabulary import VERBS

ALIASES = {
    "swap": ("free_swap", "swap_card", "buy_swap"),
    "replace": ("replace_yarn", "replace_tile"),
    "move": ("move_card",),
    "buy": ("buy_action", "buy_design"),
    "card": ("buy_action",),
    "end": ("end_turn",),
    "tokens": ("gain_tokens",),
    "again": ("roll_again",),
}
"""Words that stand for one of several kinds: the first that is legal, if what follows fits."""


LETTERS = "ABCD"
"""Of the players' pins, by seat."""


def phrase(action: Json) -> str:
    """An action as it is typed."""
    words = [str(action["kind"])]
    for key, value in action.items():
        if key == "pay":
            words += [f"pay {','.join(LETTERS[seat] for seat in value)}"] * bool(value)
        elif key == "seat":
            words.append(LETTERS[value])
        elif key != "kind":
            words.append(str(value))
    return " ".join(words)


def understand(text: str, legal: Sequence[Json]) -> Json:
    """The legal action that is meant; an EttanaError says what is wrong or missing.

    Kinds may be shortened, or written in two words (`buy card`, `free swap 3 7`), the two yarns of a swap may come in
    either order, and players may be named by seat, from 0, instead of by letter (`step 6 pay 1`).
    """
    words = _kind_in_one(text.lower().replace("-card", "_card").replace(",", " ").split())
    if not words:
        raise EttanaError("type an action, such as: " + phrase(legal[0]))
    kinds = ALIASES.get(words[0], ()) + tuple(
        dict.fromkeys(str(action["kind"]) for action in legal if str(action["kind"]).startswith(words[0]))
    )
    of_kind = [action for kind in dict.fromkeys(kinds) for action in legal if action["kind"] == kind]
    if not of_kind:
        raise EttanaError(f"{words[0]} is not possible now; possible: {', '.join(_kinds(legal))}")
    given = words[1:]
    fitting = [action for action in of_kind if any(_fits(full, given) for full in _spellings(action))]
    exact = [action for action in fitting if given in _spellings(action)]
    if exact or len(fitting) == 1:
        return (exact or fitting)[0]
    shown = ", ".join(phrase(action) for action in (fitting or of_kind)[:6])
    more = " …" if len(fitting or of_kind) > 6 else ""
    raise EttanaError(f"{'which of these' if fitting else 'that does not fit; there are'}: {shown}{more}")


TWO_WORDS = {"buy card": "buy_action", "buy action": "buy_action", "play move": "move_card", "play swap": "swap_card"}
"""Kinds as people say them, beside those written with a space instead of a line."""


def _kind_in_one(words: list[str]) -> list[str]:
    """The words with a kind of two words made one: `free swap 3 7` is `free_swap 3 7`."""
    if len(words) < 2 or words[1].isdigit():
        return words
    pair = " ".join(words[:2])
    said = [verb for verb in VERBS if "_" in verb and verb.replace("_", " ").startswith(pair)]
    kind = TWO_WORDS.get(pair) or (said[0] if len(said) == 1 else None)
    return words if kind is None else [kind, *words[2:]]


def _spellings(action: Json) -> list[list[str]]:
    """What may follow the kind: the words of the phrase, and other ways to say the same."""
    words = phrase(action).lower().replace(",", " ").split()[1:]
    if "a" in action:
        return [words, words[::-1]]
    if "seat" in action:
        return [words, [str(action["seat"])]]
    if action.get("pay"):
        return [words, [*words[:2], *map(str, action["pay"])]]
    return [words]


def _fits(full: list[str], given: list[str]) -> bool:
    return len(given) <= len(full) and all(
        word == part or (not part.isdigit() and part.startswith(word)) for word, part in zip(given, full, strict=False)
    )


def _kinds(legal: Sequence[Json]) -> list[str]:
    return list(dict.fromkeys(str(action["kind"]) for action in legal))


def grouped(legal: Sequence[Json], width: int = 78, most: int = 12) -> str:
    """The legal actions, a line a kind: `step 3 | 6 pay B | 9`."""
    lines = []
    for kind in _kinds(legal):
        rest: list[Any] = [phrase(action)[len(kind) :].strip() for action in legal if action["kind"] == kind]
        some = " | ".join(rest[:most]) + (f" | … {len(rest) - most} more" if len(rest) > most else "")
        line = f"{kind} {some}".rstrip()
        lines.append(line if len(line) <= width else line[: width - 1] + "…")
    return "\n".join(lines)
