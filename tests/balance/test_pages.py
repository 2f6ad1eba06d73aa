"""The reports in a real browser, at the width of a desk and of a phone."""

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

import pytest

from balance.compare import compare, sweep
from balance.compare_report import write_comparison
from balance.figures import figures_of
from balance.lab import Lab, study
from balance.report import write_report
from balance.restricted import worth
from balance.restricted_report import write_worth
from balance.workshop import inspect_deck, write_deck
from ettana_env import Rules
from tests.browser import SIZES, all_of, browser, fits, needs_browser

pytestmark = needs_browser

THEMES_WITH_FIGURES = 12


@lru_cache
def lab() -> Lab:
    return study(players=[2, 4], agents=["greedy"], games=16)


def _study(folder: Path) -> tuple[Path, int]:
    return write_report(lab(), folder), len(figures_of(lab()))


def _comparison(folder: Path) -> tuple[Path, int]:
    found = compare([Rules(), Rules(name="short", points_to_win=4)], None, [2, 3], ["greedy"], 12)
    return write_comparison(found, folder), 2


def _sweep(folder: Path) -> tuple[Path, int]:
    return write_comparison(sweep(Rules(), "prices.swap", [1, 3], [2], ["greedy"], 12), folder), 10


def _restricted(folder: Path) -> tuple[Path, int]:
    found, complete = worth(["tax", "claim"], players=[2], agents=["greedy"], games=12)
    return write_worth(found, folder, Rules(), 12, 1, complete), 1


def _deck(folder: Path) -> tuple[Path, int]:
    return write_deck(inspect_deck(Rules(), 200, 0), folder, Rules(), 200, 1), 36


PAGES: dict[str, Callable[[Path], tuple[Path, int]]] = {
    "study": _study,
    "comparison": _comparison,
    "sweep": _sweep,
    "restricted": _restricted,
    "deck": _deck,
}


@pytest.mark.parametrize("name", PAGES)
def test_every_figure_is_there_and_nothing_is_amiss(name: str, tmp_path: Path) -> None:
    path, wanted = PAGES[name](tmp_path)
    for size in SIZES:
        with browser(size) as driver:
            driver.get(path.as_uri())
            figures = all_of(driver, "figure svg")
            assert len(figures) >= wanted
            for figure in figures:
                assert figure.size["width"] > 90
                assert figure.size["height"] > 30
            assert fits(driver)
            for unfold in all_of(driver, "details > summary")[:12]:
                driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", unfold)
                hidden = unfold.find_element("xpath", "following-sibling::*[1]")
                assert not hidden.is_displayed()
                unfold.click()
                assert hidden.is_displayed()
                assert hidden.text
            driver.execute_script("document.querySelectorAll('details').forEach(one => one.open = true)")
            assert fits(driver)
            loaded = driver.execute_script("return performance.getEntriesByType('resource').map(one => one.name)")
            assert [one for one in loaded if not one.startswith("data:")] == []
            overlong = driver.execute_script(
                """return [...document.querySelectorAll('figure svg')].filter(svg => {
                    const [left, , wide] = svg.getAttribute('viewBox').split(' ').map(Number);
                    return [...svg.querySelectorAll('text')].some(text => {
                        const box = text.getBBox();
                        return box.x < left - 1 || box.x + box.width > left + wide + 1;
                    });
                }).map(svg => svg.getAttribute('aria-label'))"""
            )
            assert overlong == []


def test_the_study_has_figures_for_every_theme(tmp_path: Path) -> None:
    assert len({one.theme for one in figures_of(lab())}) >= THEMES_WITH_FIGURES
    keys = [one.key for one in figures_of(lab())]
    assert len(keys) == len(set(keys))
