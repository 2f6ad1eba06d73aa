"""Pictures: what they show, in every mode, and that they hide what a seat may not know."""

import sys
import xml.etree.ElementTree as ElementTree
from typing import Any

import numpy as np
import pytest

from ettana_env import EttanaEnv, EttanaError, Game, Rules, ettana_v0
from ettana_env.pictures import Window, draw, in_short, svg
from tests.playing import played, rules_of


@pytest.mark.parametrize("variant", ["base", "rim squares", "many start cards"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_svg_is_well_formed_and_shows_everything(variant: str, players: int) -> None:
    game = played(rules_of(variant), players, 3, 60, 1)
    root = ElementTree.fromstring(svg(game))
    texts = [element.text or "" for element in root.iter() if element.tag.endswith("text")]
    yarns = [colour[0].upper() for colour in game.to_dict()["yarns"]]
    for letter in "GRYBP":
        assert texts.count(letter) >= yarns.count(letter)
    for seat in range(players):
        assert "ABCD"[seat] in texts
    assert any(text.startswith(f"turn {game.to_dict()['turn']}") for text in texts)
    assert sum("hidden" in text for text in texts) == 0


def test_a_seat_sees_only_its_own_hand() -> None:
    game = played(Rules(start_cards={"action": 4}), 3, 3, 4, 1)
    drawn = svg(game, seat=1)
    assert drawn.count("hidden") == 2
    assert svg(game).count("hidden") == 0


def test_pixels_have_the_size_of_the_picture() -> None:
    game = Game(seed=1)
    drawing = draw(game.rules, game.to_dict())
    pixels = drawing.pixels()
    assert pixels.shape == (drawing.height, drawing.width, 3)
    assert pixels.dtype == np.uint8
    assert len(np.unique(pixels.reshape(-1, 3), axis=0)) > 50


def test_the_last_action_is_told_and_marked() -> None:
    game = Game(seed=1)
    action = {"kind": "free_swap", "a": 3, "b": 4}
    drawn = draw(game.rules, game.to_dict(), action).svg()
    assert "last: free swap 3 4" in drawn
    assert drawn.count('stroke="#e0457b" stroke-width="5"') == 2
    assert in_short({"kind": "step", "square": 6, "pay": [1, 2]}) == "step 6 paying B paying C"


def test_text_and_pixels_of_an_environment() -> None:
    env = ettana_v0.env(render_mode="ansi", players=2)
    env.reset(seed=1)
    assert "player 0 (A)" in env.render()
    learner = EttanaEnv(players=2, render_mode="ansi", seat=0)
    learner.reset(seed=1)
    assert "player 0 (A)" in learner.render()
    learner.step(int(np.flatnonzero(learner.action_masks())[0]))
    assert "?" in learner.render()


def test_a_window_without_a_screen_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "none such")
    env = ettana_v0.env(render_mode="human")
    with pytest.raises(EttanaError, match=r'no window can be opened here .* use render_mode "rgb_array" or "ansi"'):
        env.reset(seed=1)


def test_a_window_without_pygame_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pygame", None)
    with pytest.raises(EttanaError, match="needs pygame"):
        Window("Ettana")


def test_a_window_shows_and_closes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    env: Any = EttanaEnv(players=2, render_mode="human")
    env.reset(seed=1)
    assert env._window is not None
    env.close()
    assert env._window is None


def test_rendering_without_a_mode_warns() -> None:
    env = ettana_v0.raw_env()
    env.reset(seed=1)
    with pytest.warns(UserWarning, match="no render_mode was given"):
        assert env.render() is None
