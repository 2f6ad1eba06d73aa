"""Validation in plain words: pydantic models whose errors read "key must be …, not …"."""

import difflib
import itertools
import operator
from collections.abc import Iterable, Iterator
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Strict, ValidationError, WrapValidator
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


def _listed(value: Any) -> Any:
    if not isinstance(value, list | tuple):
        raise must("a list")
    return value


Listed = BeforeValidator(_listed)
"""Nothing but a list: a set has no order to keep."""


def whole_number(value: object) -> int | None:
    """`value` as an int if it is a whole number of any type (NumPy's too) but no bool; else None."""
    try:
        return None if isinstance(value, bool) else operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        return None


EXPECTED = {
    "bool_type": "true or false",
    "string_type": "text",
    "string_unicode": "text that UTF-8 can write",
    "list_type": "a list",
    "tuple_type": "a list",
    "dict_type": "a mapping",
    "model_type": "a mapping",
    "none_required": "null",
}


def shown(value: object, limit: int = 80) -> str:
    """`value` as a short piece of text for a message, however large or deep it is."""
    text = "".join(itertools.islice(_pieces(value, limit), limit + 1))
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _pieces(value: object, limit: int) -> Iterator[str]:
    """The text of `value` piece by piece: who stops reading is not led deeper."""
    if isinstance(value, list | tuple):
        yield "[" if isinstance(value, list) else "("
        for place, item in enumerate(value):
            yield from itertools.chain([", "] if place else [], _pieces(item, limit))
        yield "]" if isinstance(value, list) else ")"
    elif isinstance(value, dict):
        yield "{"
        for place, (key, item) in enumerate(value.items()):
            yield from itertools.chain([", "] if place else [], _pieces(key, limit), [": "], _pieces(item, limit))
        yield "}"
    elif isinstance(value, str | bytes):
        yield repr(value[: limit + 1])
    elif type(value) is int and value.bit_length() > 4 * limit:
        yield f"a number of {value.bit_length()} bits"
    else:
        try:
            yield repr(value)
        except Exception:
            yield f"<{type(value).__name__}>"


def place_of(location: tuple[int | str, ...]) -> str:
    """`("prices", "swap")` as `prices.swap`, `("pins", 2)` as `pins[2]`."""
    text = ""
    for part in location:
        if isinstance(part, str) and len(part) > 60:
            part = part[:59] + "…"
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
    if kind == "invalid_key":
        return f"{place_of(first['loc'][:-1]) or 'it'} must have text for keys, not {shown(first['input'])}"
    if kind == "missing":
        return f"{place} is missing"
    if kind == "wrong":
        return f"{place}: {first['msg']}" if place else first["msg"]
    if kind in ("too_long", "too_short"):
        expected = first["msg"].split(" after validation")[0].replace("Tuple", "a list").replace("List", "a list")
        return f"{place}: {expected}"
    expected = first["msg"] if kind == "must" else EXPECTED.get(kind, first["msg"].lower())
    return f"{place or 'it'} must be {expected}, not {shown(first['input'])}"
