"""Designs and decks: patterns, their rotations, where they can lie on the board (R6.1, R6.2)."""

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, Any

import yaml
from pydantic import AfterValidator, ValidationError

from ettana_env.board import LOOM
from ettana_env.errors import RulesError
from ettana_env.validation import Model, Text, in_words, must, shown, whole, wrong
from ettana_env.vocabulary import COLOURS, MAX_DESIGNS, YARNS_PER_COLOUR

Cells = frozenset[tuple[int, int, str]]
"""A pattern as (row, column, group) cells."""

MAX_DESIGN_POINTS = 99


def _check_name(name: str) -> str:
    if not name.strip() or name != name.strip() or not name.isprintable() or len(name) > 60:
        raise must("a name of 1 to 60 printable characters, no space at either end")
    return name


def _check_pattern(rows: tuple[str, ...]) -> tuple[str, ...]:
    if not 1 <= len(rows) <= LOOM or not all(1 <= len(row) <= LOOM for row in rows):
        raise wrong(f"the pattern does not fit the board: it needs 1 to {LOOM} rows of 1 to {LOOM} cells")
    if len({len(row) for row in rows}) > 1:
        raise wrong(f"the pattern's rows must be of one length, not {[len(row) for row in rows]}")
    strange = {cell for row in rows for cell in row if cell != "." and not "a" <= cell <= "z"}
    if strange:
        raise wrong(f"a pattern is made of letters a to z and dots, not {sorted(strange)}")
    groups = Counter(cell for row in rows for cell in row if cell != ".")
    if not groups:
        raise wrong("the pattern is empty: it needs at least one letter")
    if len(groups) > len(COLOURS):
        raise wrong(f"the pattern has {len(groups)} groups; there are only {len(COLOURS)} colours")
    group, size = groups.most_common(1)[0]
    if size > YARNS_PER_COLOUR:
        raise wrong(f"group {group!r} has {size} cells; there are only {YARNS_PER_COLOUR} yarns of a colour")
    return rows


class Design(Model):
    """A design card: its name, what it is worth, and its pattern as rows of letters and dots."""

    name: Annotated[Text, AfterValidator(_check_name)]
    points: whole(1, MAX_DESIGN_POINTS)  # type: ignore[valid-type]
    pattern: Annotated[tuple[Text, ...], AfterValidator(_check_pattern)]

    @property
    def cells(self) -> Cells:
        """The pattern's cells, moved to the top left corner."""
        return cells_of(self.pattern)

    @property
    def groups(self) -> str:
        """The letters of the groups, sorted."""
        return "".join(sorted({group for _, _, group in self.cells}))

    def to_dict(self) -> dict[str, Any]:
        """The design as in a rules file."""
        return {"name": self.name, "points": self.points, "pattern": list(self.pattern)}


def cells_of(pattern: Iterable[str]) -> Cells:
    """The cells of rows of letters and dots, moved to the top left corner."""
    return _cornered(
        (row, column, group) for row, line in enumerate(pattern) for column, group in enumerate(line) if group != "."
    )


def _cornered(cells: Iterable[tuple[int, int, str]]) -> Cells:
    cells = list(cells)
    top = min(row for row, _, _ in cells)
    left = min(column for _, column, _ in cells)
    return frozenset((row - top, column - left, group) for row, column, group in cells)


def turned(cells: Cells) -> Cells:
    """The pattern after a quarter turn."""
    return _cornered((column, -row, group) for row, column, group in cells)


def mirrored(cells: Cells) -> Cells:
    """The pattern's mirror image."""
    return _cornered((row, -column, group) for row, column, group in cells)


def orientations(cells: Cells, mirror_images: bool) -> set[Cells]:
    """The different ways to hold the card: quarter turns, and mirror images if they count."""
    found = set()
    for start in (cells, mirrored(cells)) if mirror_images else (cells,):
        for _ in range(4):
            found.add(start)
            start = turned(start)
    return found


def placements(cells: Cells, mirror_images: bool) -> list[dict[str, frozenset[int]]]:
    """Every different place of the pattern on the board: by group, the octagons it covers."""
    found = set()
    for held in orientations(cells, mirror_images):
        height = 1 + max(row for row, _, _ in held)
        width = 1 + max(column for _, column, _ in held)
        for down in range(LOOM - height + 1):
            for right in range(LOOM - width + 1):
                found.add(frozenset((LOOM * (row + down) + column + right, group) for row, column, group in held))
    groups = sorted({group for _, _, group in cells})
    placed = [
        {group: frozenset(octagon for octagon, other in place if other == group) for group in groups} for place in found
    ]
    return sorted(distinct(placed), key=lambda place: [sorted(place[group]) for group in groups])


def distinct(placed: Iterable[dict[str, frozenset[int]]]) -> list[dict[str, frozenset[int]]]:
    """`placed` without those that say the same with the groups' letters exchanged."""
    return list({frozenset(place.values()): place for place in placed}.values())


def canonical(cells: Cells, mirror_images: bool = False) -> tuple[tuple[int, int, int], ...]:
    """A form that two patterns share if and only if they are equal under rotation and renamed groups."""

    def numbered(held: Cells) -> tuple[tuple[int, int, int], ...]:
        numbers: dict[str, int] = {}
        return tuple((row, column, numbers.setdefault(group, len(numbers))) for row, column, group in sorted(held))

    return min(numbered(held) for held in orientations(cells, mirror_images))


def check_deck(designs: Sequence[Design]) -> None:
    """Refuse a deck with two designs of one name or more designs than the engine has room for."""
    if not 1 <= len(designs) <= MAX_DESIGNS:
        raise wrong(f"a deck must have 1 to {MAX_DESIGNS} designs, not {len(designs)}")
    name, count = Counter(design.name for design in designs).most_common(1)[0]
    if count > 1:
        raise wrong(f"{count} designs have the name {name!r}; every name must be different")


def read_yaml(path: str | Path) -> Any:
    """The content of a YAML file (its safe subset); any failure is a RulesError that names the file."""
    path = Path(path)
    try:
        return yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
    except OSError as error:
        raise RulesError(f"{path}: cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise RulesError(f"{path}: is not UTF-8 text") from None
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        where = getattr(error, "problem_mark", None)
        line = f" line {where.line + 1}:" if where else ""
        problem = getattr(error, "problem", None) or error
        raise RulesError(f"{path}:{line} is not YAML: {problem}") from None


class _Deck(Model):
    designs: tuple[Design, ...]


def load_deck(path: str | Path) -> tuple[Design, ...]:
    """The designs of a deck file: a YAML mapping with the key `designs`, a list of designs."""
    data = read_yaml(path)
    if not isinstance(data, dict):
        raise RulesError(f"{path}: must be a mapping with the key designs, not {shown(data)}")
    try:
        return _Deck.model_validate(data).designs
    except ValidationError as error:
        raise RulesError(f"{path}: {in_words(error, ('designs', *Design.model_fields))}") from None
