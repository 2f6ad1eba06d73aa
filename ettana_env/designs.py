"""Designs and decks: patterns, their rotations, where they can lie on the board (R6.1, R6.2)."""

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any

import yaml
from pydantic import AfterValidator, ValidationError

from ettana_env.board import LOOM
from ettana_env.errors import RulesError
from ettana_env.validation import Listed, Model, Text, in_words, must, shown, whole, wrong
from ettana_env.vocabulary import COLOURS, MAX_DESIGNS, YARNS_PER_COLOUR

Cells = frozenset[tuple[int, int, str]]
"""A pattern as (row, column, group) cells."""

MAX_DESIGN_POINTS = 99
LONGEST_YAML = 1_000_000
MAX_DEPTH = 50
"""How deep a YAML file may be nested."""
MAX_KEYS = 1000
"""How many keys a mapping of a YAML file may have, merged ones included."""


def _check_name(name: str) -> str:
    if not name.strip() or name != name.strip() or not name.isprintable() or len(name) > 60:
        raise must("a name of 1 to 60 printable characters, no space at either end")
    return name


def _check_pattern(rows: tuple[str, ...]) -> tuple[str, ...]:
    if not 1 <= len(rows) <= LOOM or not all(1 <= len(row) <= LOOM for row in rows):
        given = f"{len(rows)} rows of {max(map(len, rows), default=0)} cells"
        raise wrong(f"the pattern does not fit the board: it needs 1 to {LOOM} rows of 1 to {LOOM} cells, not {given}")
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
    pattern: Annotated[tuple[Text, ...], Listed, AfterValidator(_check_pattern)]

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
        {group: frozenset(octagon for octagon, other in place if other == group) for group in groups}
        for place in sorted(found, key=sorted)  # a set's own order changes from run to run
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


def check_deck(designs: tuple[Design, ...]) -> tuple[Design, ...]:
    """Refuse a deck with two designs of one name or more designs than the engine has room for."""
    if not 1 <= len(designs) <= MAX_DESIGNS:
        raise wrong(f"a deck must have 1 to {MAX_DESIGNS} designs, not {len(designs)}")
    name, count = Counter(design.name for design in designs).most_common(1)[0]
    if count > 1:
        raise wrong(f"{count} designs have the name {name!r}; every name must be different")
    return designs


Deck = Annotated[tuple[Design, ...], Listed, AfterValidator(check_deck)]


def _refused(problem: str, where: Any) -> yaml.MarkedYAMLError:
    return yaml.MarkedYAMLError(problem=problem, problem_mark=where)


class _Loader(yaml.CSafeLoader):
    """The safe subset of YAML, with no key twice in a mapping and nothing that grows without end."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self._flat: set[int] = set()

    def flatten_mapping(self, node: yaml.MappingNode) -> None:
        if id(node) in self._flat:
            return
        self._flat.add(id(node))
        keys = set()
        for key, _ in node.value:
            if isinstance(key, yaml.ScalarNode):
                if (key.tag, key.value) in keys:
                    raise _refused(f"the key {shown(key.value)} stands twice", key.start_mark)
                keys.add((key.tag, key.value))
        super().flatten_mapping(node)
        if len(node.value) > MAX_KEYS:
            raise _refused(f"a mapping has more than {MAX_KEYS} keys", node.start_mark)


def _check_depth(text: str) -> None:
    """Refuse nesting so deep that building the value would overflow the stack."""
    depth = 0
    for event in yaml.parse(text, Loader=yaml.CSafeLoader):
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > MAX_DEPTH:
            raise _refused(f"it is nested more than {MAX_DEPTH} deep", event.start_mark)


def read_yaml(path: str | Path) -> Any:
    """The content of a YAML file (its safe subset); any failure is a RulesError that names the file."""
    path = Path(path)
    try:
        with path.open(encoding="utf-8") as file:
            text = file.read(LONGEST_YAML + 1)
    except UnicodeDecodeError:
        raise RulesError(f"{path}: is not UTF-8 text") from None
    except (OSError, ValueError) as error:
        raise RulesError(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}") from None
    if len(text) > LONGEST_YAML:
        raise RulesError(f"{path}: is too long: at most {LONGEST_YAML:,} characters are read")
    try:
        _check_depth(text)
        return yaml.load(text, Loader=_Loader)
    except Exception as error:  # a tag such as !!int before other text fails in PyYAML in many ways
        where = getattr(error, "problem_mark", None)
        line = f" line {where.line + 1}:" if where else ""
        problem = getattr(error, "problem", None) or error
        raise RulesError(f"{path}:{line} is not YAML: {problem}") from None


class _Deck(Model):
    designs: Deck


def load_deck(path: str | Path) -> tuple[Design, ...]:
    """The designs of a deck file: a YAML mapping with the key `designs`, a list of designs."""
    data = read_yaml(path)
    if not isinstance(data, dict):
        raise RulesError(f"{path}: must be a mapping with the key designs, not {shown(data)}")
    try:
        return _Deck.model_validate(data).designs
    except ValidationError as error:
        raise RulesError(f"{path}: {in_words(error, ('designs', *Design.model_fields))}") from None
