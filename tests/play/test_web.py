"""The page's server: what it sends, and what it refuses, with the game intact."""

import json
from typing import Any

import pytest
from starlette.testclient import TestClient

from ettana_env import EttanaError
from play.odds import OutlookJudge
from play.session import Session
from play.web import WebTable, make_app, serve
from tests.play.games import after_a_roll, quiet, session


class Page:
    """A page in a browser: it holds a token and acts on the version it saw."""

    def __init__(self, table: WebTable) -> None:
        self.table = table
        self.client = TestClient(make_app(table), base_url="http://127.0.0.1:8420")
        self.token = table.token
        self.game: dict[str, Any] = self.client.get("/api/game").json()

    def post(self, what: str, headers: dict[str, str] | None = None, **body: Any) -> tuple[int, dict[str, Any]]:
        sent = {"version": self.game["version"], **body}
        answer = self.client.post(f"/api/{what}", json=sent, headers={"X-Ettana-Token": self.token, **(headers or {})})
        if answer.status_code == 200:
            self.game = answer.json()
        return answer.status_code, answer.json()


@pytest.fixture
def table() -> WebTable:
    return WebTable(after_a_roll(session()), OutlookJudge(), "greedy")


def bare(action: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in action.items() if key != "words"}


def test_a_whole_game_from_a_page() -> None:
    page = Page(WebTable(session(seed=7), OutlookJudge(), "greedy"))
    while page.game["view"]["phase"] != "over":
        if page.game["yours"]:
            assert page.post("hint")[0] == 200
            status, _ = page.post("play", action=page.game["hint"]["action"])
        else:
            status, _ = page.post("next")
        assert status == 200
        assert set(page.game["view"]["design_hands"][1]) <= {None}
    assert page.game["legal"] == []
    assert page.game["chance"] in (0.0, 1.0)
    status, answer = page.post("next")
    assert status == 422
    assert answer["error"] == "The game is over."


def test_nothing_hidden_is_sent(table: WebTable) -> None:
    page = Page(table)
    state = table.session.game.to_dict()
    hidden = {*state["design_hands"][1], *state["design_stack"]}
    sent = page.client.get("/api/game").text
    assert not [name for name in hidden if f'"{name}"' in sent]
    assert set(page.game["view"]["action_stack"]) == {None}
    facts = page.client.get("/api/table").json()
    assert facts["seat"] == 0
    assert len(facts["rules"]["designs"]) == 36


def test_a_stale_move_is_told_and_changes_nothing(table: WebTable) -> None:
    one, other = Page(table), Page(table)  # two tabs
    assert one.post("play", action=quiet(table.session))[0] == 200
    before = table.session.game.to_dict()
    status, answer = other.post("play", action=bare(other.game["legal"][0]))
    assert status == 409
    assert "moved on" in answer["error"]
    assert answer["game"]["version"] == one.game["version"]
    assert table.session.game.to_dict() == before
    for what in ("undo", "hint", "next"):
        assert other.post(what)[0] == 409
    other.game = answer["game"]
    assert other.post("undo")[0] == 200


@pytest.mark.parametrize(
    ("action", "status", "message"),
    [
        ({"kind": "end_turn"}, 422, "must move first"),
        ({"kind": "claim", "design": "elephant"}, 422, "does not hold"),
        ({"kind": "win"}, 422, "there is no kind"),
        ({"kind": "step", "square": 6, "pay": [], "tokens": 40}, 422, "has the keys"),
        ({"kind": ["step"]}, 422, "there is no kind"),
        ([1, 2], 400, "a JSON object"),
        (17, 400, "a JSON object"),
        (None, 400, "a JSON object"),
    ],
)
def test_forged_moves_are_refused(table: WebTable, action: Any, status: int, message: str) -> None:
    page = Page(table)
    before = table.session.game.to_dict(), table.session.version
    found, answer = page.post("play", action=action)
    assert found == status
    assert message in answer["error"]
    assert (table.session.game.to_dict(), table.session.version) == before


@pytest.mark.parametrize("version", [None, "0", -1, 10**9, True, [0]])
def test_forged_versions_are_refused(table: WebTable, version: Any) -> None:
    page = Page(table)
    before = table.session.game.to_dict()
    page.game["version"] = version
    assert page.post("play", action=quiet(table.session))[0] == 409
    assert table.session.game.to_dict() == before


def test_other_sites_and_pages_are_refused(table: WebTable) -> None:
    page = Page(table)
    before = table.session.game.to_dict()
    action = quiet(table.session)
    assert page.client.get("/", headers={"Host": "evil.example"}).status_code == 400
    assert page.client.get("/api/game", headers={"Host": "evil.example:8420"}).status_code == 400
    assert page.post("play", {"Origin": "http://evil.example"}, action=action)[0] == 403
    page.token = "guessed"
    assert page.post("play", action=action)[0] == 403
    assert page.client.post("/api/play", json={"version": 0, "action": action}).status_code == 403
    assert page.client.get("/api/play").status_code == 405
    assert table.session.game.to_dict() == before
    page.token = table.token
    assert page.post("play", {"Origin": "http://127.0.0.1:8420"}, action=action)[0] == 200


@pytest.mark.parametrize(
    ("body", "status"), [(b"", 400), (b"{", 400), (b"[]", 400), (b"[" * 5000, 400), (b"x" * 20_000, 413)]
)
def test_bodies_that_are_no_request(table: WebTable, body: bytes, status: int) -> None:
    page = Page(table)
    assert page.client.post("/api/play", content=body, headers={"X-Ettana-Token": page.token}).status_code == status


def test_pages_are_strict_and_whole(table: WebTable) -> None:
    page = Page(table)
    answer = page.client.get("/")
    assert table.token in answer.text
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert answer.headers["cache-control"] == "no-store"
    for name in ("board.js", "play.js", "style.css"):
        assert page.client.get(f"/static/{name}").status_code == 200
    assert page.client.get("/static/../web.py").status_code == 404


def test_nothing_new_is_told_shortly(table: WebTable) -> None:
    page = Page(table)
    assert page.client.get(f"/api/game?version={page.game['version']}").status_code == 204
    assert page.client.get("/api/game?version=0").status_code == 200


def test_hints_of_agents_that_are_not_there(table: WebTable) -> None:
    page = Page(table)
    assert page.post("hint", agent="nobody")[0] == 422
    assert page.post("hint", agent=["greedy"])[0] == 400
    assert json.dumps(page.post("hint", agent="random")[1]["hint"]["action"])


def test_a_port_that_is_taken_is_told() -> None:
    import socket

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(EttanaError, match=r"--port: .* name another"):
            serve(Session.new(["human", "random"], seed=1), None, "random", taken.getsockname()[1])
