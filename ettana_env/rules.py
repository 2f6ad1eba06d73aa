"""What is being played: every number and every reading of the rules that can be changed (section 9)."""

import os
import tempfile
from collections.abc import Mapping
from functools import cache, cached_property
from pathlib import Path
from typing import Annotated, Any, Self

import yaml
from pydantic import AfterValidator, Field, ValidationError, WrapValidator, model_validator

from ettana_env.designs import Deck, Design, load_deck, read_yaml
from ettana_env.errors import RulesError
from ettana_env.validation import Flag, Model, Text, in_words, must, shown, whole, whole_number, wrong
from ettana_env.vocabulary import KINDS, MAX_ACTION_CARDS, MAX_PLAYERS, MIN_PLAYERS

MAX_TOKENS = 999
MAX_PRICE = MAX_TOKENS
MAX_LIMIT = 1_000_000_000


def configs_folder() -> Path:
    """The folder of the rules, decks and training files that come with the project."""
    inside = Path(__file__).parent / "configs"
    return inside if inside.is_dir() else Path(__file__).parent.parent / "configs"


@cache
def default_deck() -> tuple[Design, ...]:
    """The deck that comes with the project; 34 of its 36 designs are the project's own."""
    return load_deck(configs_folder() / "decks" / "handloom.yaml")


class Tokens(Model):
    """`total` tokens exist; each player gets `start` of them."""

    total: whole(0, MAX_TOKENS) = 48  # type: ignore[valid-type]
    start: whole(0, MAX_TOKENS) = 2  # type: ignore[valid-type]


class StartCards(Model):
    """The cards each player is dealt."""

    design: whole(0, 64) = 1  # type: ignore[valid-type]
    action: whole(0, MAX_ACTION_CARDS) = 1  # type: ignore[valid-type]


class Prices(Model):
    """What an action card, a swap and a design card cost, in tokens."""

    action: whole(0, MAX_PRICE) = 2  # type: ignore[valid-type]
    swap: whole(0, MAX_PRICE) = 3  # type: ignore[valid-type]
    design: whole(0, MAX_PRICE) = 3  # type: ignore[valid-type]


class ActionCards(Model):
    """How many action cards of each kind there are."""

    move: whole(0, MAX_ACTION_CARDS) = 3  # type: ignore[valid-type]
    swap: whole(0, MAX_ACTION_CARDS) = 3  # type: ignore[valid-type]
    steal_card: whole(0, MAX_ACTION_CARDS) = 3  # type: ignore[valid-type]
    steal_tokens: whole(0, MAX_ACTION_CARDS) = 3  # type: ignore[valid-type]
    replace: whole(0, MAX_ACTION_CARDS) = 3  # type: ignore[valid-type]
    preset: whole(0, MAX_ACTION_CARDS) = 3  # type: ignore[valid-type]
    get_design: whole(0, MAX_ACTION_CARDS) = 3  # type: ignore[valid-type]
    collect_three: whole(0, MAX_ACTION_CARDS) = 3  # type: ignore[valid-type]
    gain_tokens: whole(0, MAX_ACTION_CARDS) = 3  # type: ignore[valid-type]
    roll_again: whole(0, MAX_ACTION_CARDS) = 3  # type: ignore[valid-type]
    victory_point: whole(0, MAX_ACTION_CARDS) = 3  # type: ignore[valid-type]
    tax: whole(0, MAX_ACTION_CARDS) = 3  # type: ignore[valid-type]

    @property
    def counts(self) -> tuple[int, ...]:
        """How many of each kind, in the order of the kind list."""
        return tuple(getattr(self, kind) for kind in KINDS)


def _limit(value: Any, _: Any) -> int | None:
    if value is not None and (type(value) is not int or not 1 <= value <= MAX_LIMIT):
        raise must(f"a whole number from 1 to {MAX_LIMIT}, or null for none")
    return value


Limit = Annotated[int | None, WrapValidator(_limit)]


def _named(name: str) -> str:
    if not name.strip() or not name.isprintable() or len(name) > 100:
        raise must("a name of 1 to 100 printable characters")
    return name


class Rules(Model):
    """A complete set of rules; `Rules()` is the base game.

    Keys and defaults are those of a rules file. What is left out takes its default, in the nested
    settings too: `Rules(prices={"swap": 2})` makes swaps cheap and leaves the other prices alone.
    A `Rules` is immutable; `rules.but(points_to_win=6)` gives a changed one. Anything that cannot be
    played raises `RulesError`.
    """

    name: Annotated[Text, AfterValidator(_named)] = "base"
    points_to_win: whole(1, 999) = 8  # type: ignore[valid-type]
    tokens: Tokens = Field(default_factory=Tokens)
    start_cards: StartCards = Field(default_factory=StartCards)
    prices: Prices = Field(default_factory=Prices)
    steal_tokens_max: whole(0, MAX_TOKENS) = 2  # type: ignore[valid-type]
    collect_three_gives: whole(0, MAX_TOKENS) = 3  # type: ignore[valid-type]
    action_cards: ActionCards = Field(default_factory=ActionCards)
    designs: Deck = Field(default_factory=default_deck)
    max_turns: Limit = 1000
    max_actions: Limit = 20_000
    rim_squares: Flag = False
    mirror_images: Flag = False
    preset_black: Flag = True
    roll_again_collects: Flag = True
    place_by_choice: Flag = True
    free_swap: Flag = True
    exchange: Flag = True

    def __init__(self, /, **settings: Any) -> None:
        try:
            super().__init__(**settings)
        except ValidationError as error:
            raise RulesError(f"rules: {in_words(error, _known_keys())}") from None

    @model_validator(mode="after")
    def _can_be_dealt(self) -> Self:
        cards = sum(self.action_cards.counts)
        if cards > MAX_ACTION_CARDS:
            raise wrong(f"action_cards must be {MAX_ACTION_CARDS} at most in all, not {cards}")
        if problem := self.unplayable(MIN_PLAYERS):
            raise wrong(problem)
        return self

    @cached_property
    def _hash(self) -> int:
        return hash(tuple(getattr(self, key) for key in Rules.model_fields))

    def __hash__(self) -> int:
        return self._hash  # worked out once: tables and layouts are looked up by rules all the time

    def unplayable(self, players: int) -> str | None:
        """Why so many players cannot be dealt in under these rules, or None if they can."""
        for key, each, there_are, things in (
            ("tokens.start", self.tokens.start, self.tokens.total, "tokens"),
            ("start_cards.design", self.start_cards.design, len(self.designs), "designs"),
            ("start_cards.action", self.start_cards.action, sum(self.action_cards.counts), "action cards"),
        ):
            if each * players > there_are:
                return (
                    f"{key} must be at most {there_are // players} for {players} players, "
                    f"not {each}: there are {there_are} {things}"
                )
        return None

    def check_players(self, players: object) -> int:
        """`players` if so many can play under these rules; else a RulesError."""
        number = whole_number(players)
        if number is None or not MIN_PLAYERS <= number <= MAX_PLAYERS:
            raise RulesError(f"players must be {MIN_PLAYERS} to {MAX_PLAYERS}, not {shown(players)}")
        if problem := self.unplayable(number):
            raise RulesError(f"rules {self.name!r}: {problem}")
        return number

    def but(self, **changes: Any) -> "Rules":
        """These rules with some settings changed; nested settings are merged, as in a file."""
        settings = self.to_dict()
        for key, value in changes.items():
            if isinstance(value, Mapping) and isinstance(settings.get(key), dict):
                settings[key] = {**settings[key], **value}
            else:
                settings[key] = value
        return Rules(**settings)

    def to_dict(self) -> dict[str, Any]:
        """The rules as plain JSON, every key present."""
        settings: dict[str, Any] = self.model_dump(mode="json", exclude={"designs"})
        designs = [design.to_dict() for design in self.designs]
        return {key: designs if key == "designs" else settings[key] for key in Rules.model_fields}

    @classmethod
    def from_dict(cls, settings: Mapping[str, Any], source: str = "rules") -> "Rules":
        """Rules from a dict as `to_dict` gives it; `source` names it in error messages."""
        if not isinstance(settings, Mapping) or not all(isinstance(key, str) for key in settings):
            raise RulesError(f"{source}: must be a mapping of settings, not {shown(settings)}")
        try:
            return cls(**settings)
        except RulesError as error:
            raise RulesError(f"{source}: {str(error).removeprefix('rules: ')}") from None

    @classmethod
    def load(cls, path: str | Path) -> "Rules":
        """Rules from a YAML file, where `designs` may also be the path of a deck, from that file's folder."""
        settings = read_yaml(path)
        if settings is None:
            settings = {}
        if not isinstance(settings, dict):
            raise RulesError(f"{path}: must be a mapping of settings, not {shown(settings)}")
        if isinstance(deck := settings.get("designs"), str):
            if "\0" in deck:
                raise RulesError(f"{path}: designs must be a deck or a deck's file, not {shown(deck)}")
            settings = {**settings, "designs": load_deck(Path(path).parent / deck)}
        return cls.from_dict(settings, source=str(path))

    def save(self, path: str | Path) -> None:
        """Write the rules, every key and the whole deck, as a YAML file that `load` reads back."""
        text = yaml.safe_dump(self.to_dict(), sort_keys=False, allow_unicode=True)
        try:
            write_whole(Path(path), text)
        except (OSError, ValueError) as error:
            problem = getattr(error, "strerror", None) or error
            raise RulesError(f"{path}: cannot be written: {problem}") from None


def _known_keys() -> tuple[str, ...]:
    nested = (Tokens, StartCards, Prices, ActionCards, Design)
    return (*Rules.model_fields, *(key for model in nested for key in model.model_fields))


def write_whole(path: Path, text: str) -> None:
    """Write a text file beside and rename it into place: a reader sees the old or the new, never half."""
    with tempfile.NamedTemporaryFile(
        "w", encoding="utf-8", dir=path.parent, prefix=f".{path.name}.", delete=False
    ) as file:
        written = Path(file.name)
    try:
        written.write_text(text, encoding="utf-8")
        mask = os.umask(0)
        os.umask(mask)
        written.chmod(0o666 & ~mask)
        written.replace(path)
    except BaseException:
        written.unlink()
        raise
