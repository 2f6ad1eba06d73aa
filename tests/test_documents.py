"""The generated pages are current, the links lead somewhere, and the deck is what the documents say."""

import ast
import re
from pathlib import Path

import pytest

from docs.generate import PAGES
from ettana_env import Rules
from ettana_env.designs import canonical, orientations
from ettana_env.difficulty import main, measure, mispriced

TOP = Path(__file__).parent.parent
DOCUMENTS = [*TOP.glob("*.md"), *TOP.glob("docs/*.md")]
HEIGHTS = {"ettana_env": 0, "agents": 1, "train": 2, "balance": 2, "play": 2, "ettana_cli": 3}
"""By room, how high it stands."""


@pytest.mark.parametrize("name", PAGES)
def test_generated_pages_are_current(name: str) -> None:
    written = (TOP / "docs" / name).read_text(encoding="utf-8")
    assert written == PAGES[name](), f"docs/{name} is out of date: run make docs"


def anchors(text: str) -> set[str]:
    """What links to the headings of a page are called."""
    headings = re.findall(r"^#+ (.*)$", re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings}


def links(document: Path) -> list[tuple[Path, str]]:
    """The files a page links to or shows, and the headings in them, if any; code is no link."""
    text = re.sub(r"```.*?```|`[^`\n]*`(?!\])", "", document.read_text(encoding="utf-8"), flags=re.DOTALL)
    found = [target.partition("#") for target in re.findall(r"\]\(([^)\s]+)\)", text) if "://" not in target]
    return [((document.parent / path).resolve() if path else document, part) for path, _, part in found]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_and_pictures_are_there(document: Path) -> None:
    for linked, part in links(document):
        assert linked.exists(), f"{document.name} links to {linked}"
        assert linked.is_relative_to(TOP), f"{document.name} links to {linked}"
        if part:
            assert part in anchors(linked.read_text(encoding="utf-8")), f"{document.name}: {linked.name}#{part}"


def test_every_page_can_be_reached_from_the_readme() -> None:
    reached, waiting = set(), [TOP / "README.md"]
    while waiting:
        page = waiting.pop()
        reached.add(page)
        waiting += [linked for linked, _ in links(page) if linked.suffix == ".md" and linked not in reached]
    assert set(DOCUMENTS) <= reached
    assert set(TOP.glob("docs/*.svg")) | set(TOP.glob("docs/*.png")) <= {
        file for page in reached for file, _ in links(page)
    }


@pytest.mark.parametrize("room", HEIGHTS)
def test_imports_go_down(room: str) -> None:
    """As docs/architecture.md says: the game is usable without what is above it."""
    for file in (TOP / room).rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            others = {name.partition(".")[0] for name in names} - {room}
            assert all(HEIGHTS[other] < HEIGHTS[room] for other in others if other in HEIGHTS), f"{file}: {names}"


def test_the_rules_page_has_every_setting_and_variant() -> None:
    page = (TOP / "docs" / "rules.md").read_text(encoding="utf-8")
    names = [*Rules().to_dict(), *(file.stem for file in TOP.glob("configs/rules/*.yaml"))]
    assert [name for name in names if f"`{name}`" not in page and f"/{name}.yaml`" not in page] == []


def test_the_deck_has_36_different_designs() -> None:
    """R1.9, R6.4: no two equal, turned or mirrored, whatever the letters; the two known ones among them."""
    designs = {design.name: design for design in Rules().designs}
    assert len(designs) == len({canonical(design.cells, True) for design in designs.values()}) == 36
    assert designs["five-diagonal"].pattern == ("a....", ".a...", "..b..", "...a.", "....a")
    assert designs["five-diagonal"].points == 1
    assert designs["diagonal-t"].pattern == ("b..a", ".ba.", ".a..", "a...")


def test_every_design_is_of_the_size_promised() -> None:
    for design in Rules().designs:
        groups = [group for _, _, group in design.cells]
        assert 4 <= len(groups) <= 8, design.name
        assert 2 <= len(set(groups)) <= 3, design.name
        assert max(groups.count(group) for group in set(groups)) <= 5, design.name
        for held in orientations(design.cells, mirror_images=True):
            assert max(max(row, column) for row, column, _ in held) < 5, design.name


def test_points_follow_measured_difficulty() -> None:
    measured = measure(Rules(), boards=5000, seed=99)
    assert mispriced(measured) == []
    means = {points: [one.mean for one in measured if one.design.points == points] for points in (1, 2, 3)}
    assert len(means[1]) > len(means[2]) > len(means[3]) > 0
    assert max(means[1]) < min(means[2])
    assert max(means[2]) < min(means[3])


def test_threads_do_not_change_what_is_measured() -> None:
    assert measure(Rules(), boards=300, threads=3) == measure(Rules(), boards=300)


def test_the_difficulty_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    deck = tmp_path / "deck.yaml"
    deck.write_text(
        "designs:\n- {name: easy, points: 3, pattern: [ab]}\n- {name: six, points: 1, pattern: [aaa, aaa]}\n"
    )
    assert main([str(deck), "--boards", "50"]) == 1
    out = capsys.readouterr().out
    assert "easy: worth 3; its difficulty suggests 1" in out
    assert "six: no new board can complete it" in out
    with pytest.raises(SystemExit, match="2"):
        main([str(tmp_path / "none.yaml")])
    assert "none.yaml: cannot be read" in capsys.readouterr().err
