"""The pages in a real browser: by click, by keyboard alone, on a desktop and on a phone."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import torch
import uvicorn
from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from agents.network import Network, save_network
from ettana_env import Game, Rules, read_record
from play.odds import OutlookJudge, judge_for
from play.replay import Watched, as_html
from play.session import Session
from play.web import WebTable, make_app
from tests.browser import all_of, browser, fits, needs_browser, one, wait
from tests.play.games import session, whole_game

pytestmark = needs_browser


@contextmanager
def served(played: Session) -> Iterator[str]:
    """A session served on a free port; its address."""
    judge = OutlookJudge()
    played.warm_up("greedy")  # as ettana play does: a page is not kept waiting for the compiler
    judge.judge([Game(Rules(place_by_choice=False), 2, seed=1)])
    app = make_app(WebTable(played, judge, "greedy"))
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="warning"))
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        while not server.started:
            assert thread.is_alive()
        port = server.servers[0].sockets[0].getsockname()[1]
        yield f"http://127.0.0.1:{port}/"
    finally:
        server.should_exit = True
        thread.join()


def yours(driver: webdriver.Chrome) -> bool:
    """Is the page ready for the person?"""
    return one(driver, "body").get_attribute("data-yours") == "true"


def version(driver: webdriver.Chrome) -> int:
    return int(one(driver, "body").get_attribute("data-version") or -1)


def click(driver: webdriver.Chrome, selector: str) -> None:
    element = one(driver, selector)
    driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", element)
    ActionChains(driver).move_to_element(element).click().perform()


def moves(played: Session) -> list[int]:
    """The squares a click moves to at once, there being one way to get there."""
    squares = [action["square"] for action in played.legal() if "square" in action]
    walked = [action["square"] for action in played.legal() if action["kind"] in ("step", "jump")]
    return [square for square in walked if squares.count(square) == 1]


def at_once(driver: webdriver.Chrome) -> None:
    """Let the others play without waiting."""
    driver.execute_script("const pace = document.getElementById('pace'); pace.value = '0'")


def after_roll(driver: webdriver.Chrome) -> None:
    """Place, and roll when it is the person's turn."""
    wait(driver, yours)
    at_once(driver)
    click(driver, "#board .can.now")
    wait(driver, lambda page: all_of(page, '#actions [data-key="roll"]'))
    click(driver, '#actions [data-key="roll"]')
    wait(driver, lambda page: all_of(page, "#board .can.now") and not all_of(page, '#actions [data-key="roll"]'))


@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_a_turn_by_click(size: str) -> None:
    played = session(seed=5)
    with served(played) as address, browser(size) as driver:
        driver.get(address)
        after_roll(driver)
        assert fits(driver)
        assert "You win" in one(driver, "#odds").text
        pin, before = played.view()["pins"][0], version(driver)
        square = moves(played)[0]
        click(driver, f'#board [data-key="s{square}"]')
        wait(driver, lambda page: version(page) > before)
        assert played.view()["pins"][0] == square != pin
        swap = next(action for action in played.legal() if action["kind"] == "free_swap")
        ways = sum((action.get("a"), action.get("b")) == (swap["a"], swap["b"]) for action in played.legal())
        yarns = played.view()["yarns"]
        click(driver, f'#board [data-key="o{swap["a"]}"]')
        assert one(driver, "#board .picked").get_attribute("data-key") == f"o{swap['a']}"
        click(driver, f'#board [data-key="o{swap["b"]}"]')
        if ways > 1:  # a card or tokens would do as well: the page asks
            wait(driver, lambda page: all_of(page, '#options [data-key^="free_swap"]'))
            click(driver, '#options [data-key^="free_swap"]')
        wait(driver, lambda page: played.view()["yarns"] != yarns)
        assert played.view()["yarns"][swap["a"]] == yarns[swap["b"]]
        click(driver, "#undo")
        wait(driver, lambda page: played.view()["yarns"] == yarns)
        click(driver, "#hint")
        wait(driver, lambda page: "greedy would:" in one(page, "#message").text)
        click(driver, '#actions [data-key="end_turn"]')
        wait(driver, lambda page: played.view()["turn"] > 0 and yours(page))
        assert fits(driver)


def test_a_turn_by_keyboard_alone() -> None:
    played = session(seed=5)
    with served(played) as address, browser("desktop") as driver:
        driver.get(address)
        wait(driver, yours)
        at_once(driver)

        def press(*keys: str) -> None:
            ActionChains(driver).send_keys(*keys).perform()

        def focused() -> str:
            return str(driver.switch_to.active_element.get_attribute("data-key"))

        def tab_to(*keys: str) -> None:
            for _ in range(80):
                if focused() in keys:
                    return
                press(Keys.TAB)
            pytest.fail(f"{keys} cannot be reached by Tab")

        def reachable(kinds: tuple[str, ...]) -> list[str]:
            return [f"s{action['square']}" for action in played.legal() if action["kind"] in kinds]

        tab_to(*reachable(("place",)))
        press(Keys.ENTER)
        wait(driver, lambda page: played.game.phase == "roll" and yours(page))
        tab_to("roll")
        press(Keys.ENTER)
        wait(driver, lambda page: played.game.phase == "act" and yours(page))
        tab_to(*reachable(("step", "jump")))
        first = focused()
        press(Keys.ARROW_RIGHT)
        press(Keys.ARROW_LEFT)
        press(Keys.ARROW_DOWN)
        assert focused()[0] in "so"
        tab_to(first)
        press(Keys.ENTER)
        if all_of(driver, "#options button"):
            assert driver.switch_to.active_element.tag_name == "button"
            press(Keys.ENTER)
        wait(driver, lambda page: played.game.record.moved)
        wait(driver, lambda page: all_of(page, '#actions [data-key="end_turn"]'))
        swap = next(action for action in played.legal() if action["kind"] == "free_swap")
        tab_to(f"o{swap['a']}")
        press(Keys.ENTER)
        wait(driver, lambda page: all_of(page, "#board .picked"))
        press(Keys.ESCAPE)
        wait(driver, lambda page: not all_of(page, "#board .picked"))
        assert focused() == f"o{swap['a']}"
        tab_to("end_turn")
        press(Keys.ENTER)
        wait(driver, lambda page: played.view()["turn"] > 0)


def test_two_tabs_a_reload_and_a_stale_move() -> None:
    played = session(seed=5)
    with served(played) as address, browser("desktop") as driver:
        driver.get(address)
        after_roll(driver)
        first = driver.current_window_handle
        driver.switch_to.new_window("tab")
        driver.get(address)
        wait(driver, yours)
        assert version(driver) == played.version
        second = driver.current_window_handle
        # The second tab hears of nothing for a while, and acts on what it sees.
        driver.execute_script(
            "window.fetchNow = window.fetch; window.fetch = (path, options) =>"
            " options && options.method ? window.fetchNow(path, options) : new Promise(() => {})"
        )
        driver.switch_to.window(first)
        before, (one_way, other_way) = played.version, moves(played)[:2]
        click(driver, f'#board [data-key="s{one_way}"]')
        wait(driver, lambda page: version(page) == before + 1)
        stands = played.game.to_dict()
        driver.switch_to.window(second)
        assert version(driver) == before
        click(driver, f'#board [data-key="s{other_way}"]')
        wait(driver, lambda page: "moved on" in one(page, "#message").text)
        assert version(driver) == played.version == before + 1
        assert played.game.to_dict() == stands
        driver.refresh()
        wait(driver, yours)
        assert version(driver) == before + 1
        assert played.game.to_dict() == stands
        click(driver, "#undo")
        wait(driver, lambda page: version(page) == before + 2)
        driver.switch_to.window(first)  # which hears of it by itself
        wait(driver, lambda page: version(page) == before + 2)
        assert played.view()["pins"][0] != one_way


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A replay with a policy's choices."""
    folder = tmp_path_factory.mktemp("replay")
    torch.manual_seed(1)
    save_network(Network(Rules()), folder / "policy.safetensors", {})
    record = read_record(whole_game(folder / "game.jsonl"))
    watched = Watched(record, judge_for(str(folder / "policy.safetensors"), record.rules))
    path = folder / "game.html"
    path.write_text(as_html(watched, "a game"), encoding="utf-8")
    return path


def moment(driver: webdriver.Chrome) -> int:
    return int(one(driver, "body").get_attribute("data-moment") or -1)


@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_a_replay_by_click(page: Path, size: str) -> None:
    with browser(size) as driver:
        driver.get(page.as_uri())
        assert moment(driver) == 0
        assert fits(driver)
        click(driver, "#on")
        click(driver, "#on")
        assert moment(driver) == 2
        click(driver, "#back")
        assert moment(driver) == 1
        click(driver, "#last")
        end = moment(driver)
        assert "has won" in one(driver, "#turn").text
        click(driver, "#graph")
        assert 0 < moment(driver) < end
        points = all_of(driver, "#points button")
        assert len(points) == len(all_of(driver, "#graph .turning")) > 0
        points[0].click()
        assert moment(driver) > 0
        assert all_of(driver, "#graph polyline")
        click(driver, "#first")
        assert len(all_of(driver, "#choices tr")) >= 1
        one(driver, "#turns option:nth-child(6)").click()
        assert "turn 5" in one(driver, "#turn").text
        assert "?" not in one(driver, "#seats").text
        one(driver, "#eyes option:nth-child(3)").click()
        assert len(all_of(driver, "#graph polyline")) == 1
        assert len(all_of(driver, "#seats .cards")) == 1
        assert fits(driver)
        one(driver, '#pace option[value="250"]').click()
        click(driver, "#go")
        wait(driver, lambda page: one(page, "#turn").text.startswith("Action ") and moment(page) > 30)
        click(driver, "#go")
        stopped = moment(driver)
        assert one(driver, "#go").text == "Play"
        assert moment(driver) == stopped


def test_a_replay_by_keyboard(page: Path) -> None:
    with browser("desktop") as driver:
        driver.get(page.as_uri())

        def press(key: str) -> int:
            ActionChains(driver).send_keys(key).perform()
            return moment(driver)

        assert press(Keys.ARROW_RIGHT) == 1
        assert press(Keys.ARROW_LEFT) == 0
        turn = press(Keys.ARROW_DOWN)
        assert turn == 3  # three pins are placed, then the first turn starts
        following = press(Keys.ARROW_DOWN)
        assert following > turn + 1
        assert press(Keys.ARROW_UP) == turn
        end = press(Keys.END)
        assert press(Keys.ARROW_RIGHT) == end
        assert press(Keys.HOME) == 0
        press(Keys.SPACE)
        wait(driver, lambda page: moment(page) >= 1)
        press(Keys.SPACE)
        assert one(driver, "#go").text == "Play"
