"""Validation in plain words: pydantic models whose errors read "key must be …, not …"."""

import difflib
from collections.abc import Iterable
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Strict, ValidationError, WrapValidator
from pydantic_core import PydanticCustomError

Flag = Annotated[bool, Strict()]
Text = Annotated[str, Strict()]


class Model(BaseModel):
    """An immutable model that knows all its keys and coerces nothing."""

    model_config = ConfigDict(extra="forbid", frozen=True)


def must(expected: str) -> PydanticCustomError:
    """The error for a value that is not what it must be; `expected` completes "must be …"."""
    return PydanticCustomError("must", "{expected}", {"expected": expected})


def wrong(why: str) -> PydanticCustomError:
    """The error for a combination that cannot be; `why` is a whole sentence."""
    return PydanticCustomError("wrong", "{why}", {"why": why})


def whole(low: int, high: int | None = None) -> Any:
    """The type of a whole number from `low` to `high` (no upper limit if None)."""
    expected = f"a whole number from {low} to {high}" if high is not None else f"a whole number from {low} up"

    def check(value: Any, _: Any) -> int:
        if type(value) is not int or value < low or (high is not None and value > high):
            raise must(expected)
        return value

    return Annotated[int, WrapValidator(check)]


def one_of(words: Iterable[str]) -> Any:
    """The type of a string that is one of `words`."""
    known = tuple(words)

    def check(value: Any, _: Any) -> str:
        if not isinstance(value, str) or value not in known:
            raise must("one of " + ", ".join(known))
        return value

    return Annotated[str, WrapValidator(check)]


EXPECTED = {
    "bool_type": "true or false",
    "string_type": "text",
    "list_type": "a list",
    "tuple_type": "a list",
    "dict_type": "a mapping",
    "model_type": "a mapping",
    "none_required": "null",
}


def shown(value: object, limit: int = 80) -> str:
    """`value` as a short piece of text for a message."""
    text = repr(value)
    return text if len(text) <= limit else text[: limit - 1] + "…"


def place_of(location: tuple[int | str, ...]) -> str:
    """`("prices", "swap")` as `prices.swap`, `("pins", 2)` as `pins[2]`."""
    text = ""
    for part in location:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else str(part)
    return text


def did_you_mean(given: object, known: Iterable[str]) -> str:
    """` (did you mean 'x'?)`, or nothing."""
    near = difflib.get_close_matches(str(given), list(known), n=1)
    return f" (did you mean {near[0]!r}?)" if near else ""


def in_words(error: ValidationError, known: Iterable[str] = ()) -> str:
    """The first of pydantic's complaints as one line."""
    first = error.errors(include_url=False)[0]
    place = place_of(first["loc"])
    kind = first["type"]
    if kind == "extra_forbidden":
        return f"{place} is not a known key{did_you_mean(first['loc'][-1], known)}"
    if kind == "missing":
        return f"{place} is missing"
    if kind == "wrong":
        return f"{place}: {first['msg']}" if place else first["msg"]
    if kind in ("too_long", "too_short"):
        expected = first["msg"].split(" after validation")[0].replace("Tuple", "a list").replace("List", "a list")
        return f"{place}: {expected}"
    expected = first["msg"] if kind == "must" else EXPECTED.get(kind, first["msg"].lower())
    return f"{place or 'it'} must be {expected}, not {shown(first['input'])}"
