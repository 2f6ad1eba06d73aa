"""The generated pages are current, the links lead somewhere, and the deck is what the documents say."""

import re
from pathlib import Path

import pytest

from docs.generate import PAGES
from ettana_env import Rules
from ettana_env.designs import canonical, orientations
from ettana_env.difficulty import main, measure, mispriced

TOP = Path(__file__).parent.parent
DOCUMENTS = [*TOP.glob("*.md"), *TOP.glob("docs/*.md")]


@pytest.mark.parametrize("name", PAGES)
def test_generated_pages_are_current(name: str) -> None:
    written = (TOP / "docs" / name).read_text(encoding="utf-8")
    assert written == PAGES[name](), f"docs/{name} is out of date: run make docs"


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_somewhere(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)]+)\)", text):
        path, _, part = target.partition("#")
        if path.startswith("http"):
            continue
        linked = document.parent / path if path else document
        assert linked.exists(), f"{document.name} links to {target}"
        if part:
            headings = re.findall(r"^#+ (.*)$", linked.read_text(encoding="utf-8"), re.MULTILINE)
            assert part in [re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings]


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
