"""Play in the browser: a small page served to this machine only.

The game lives here. A page shows what the person's seat may know and asks for changes; each request names the version
of the table it was made for, and carries the token that the page was given. A request from an older table, another site
or with an action that is not legal is answered with what is wrong, and changes nothing.
"""

import json
import secrets
import socket
import threading
from collections.abc import Callable

import uvicorn
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from agents.phrases import phrase
from ettana_env.errors import EttanaError
from ettana_env.states import Json
from play.odds import Judge
from play.page import facts, static
from play.session import Session

HOST = "127.0.0.1"
HOSTS = ["127.0.0.1", "localhost"]
MOST_BYTES = 10_000
EVENTS = 60
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}


class Refusal(Exception):  # noqa: N818 - it is an answer, not a failure
    """A request that is not followed: the status, why, and whether the game as it is goes with the answer."""

    def __init__(self, status: int, why: str, with_game: bool = True) -> None:
        super().__init__(why)
        self.status, self.why, self.with_game = status, why, with_game


class WebTable:
    """A session as pages see it. One request at a time changes it."""

    def __init__(self, session: Session, judge: Judge | None = None, adviser: str = "planner") -> None:
        """`judge`, if given, tells the person's chance to win; `adviser` gives hints if a page names nobody."""
        self.session, self.token, self.adviser = session, secrets.token_urlsafe(24), adviser
        self._judge = judge
        self._lock = threading.Lock()
        self._thinking = threading.Lock()  # agents think one at a time, while the table can still be looked at
        self._chance: float | None = None
        self._judged = -1

    def facts(self) -> Json:
        """What stays the same."""
        session = self.session
        return {
            **facts(session.game.rules, session.names),
            "seat": session.seat,
            "adviser": self.adviser,
            "judge": None if self._judge is None else self._judge.about,
        }

    def game(self) -> Json:
        """The table as the person's seat may know it, and what the person may do."""
        with self._lock:
            return self._game()

    def _game(self) -> Json:
        session = self.session
        return {
            "version": session.version,
            "view": session.view(),
            "yours": session.yours,
            "legal": [{**action, "words": phrase(action)} for action in session.legal()],
            "can_undo": session.can_undo,
            "away": session.swaps_away(),
            "events": [
                {"seat": event.seat, "turn": event.turn, "text": event.text} for event in session.events[-EVENTS:]
            ],
            "chance": self._chance_now(),
        }

    def _chance_now(self) -> float | None:
        if self._judge is not None and self._judged != self.session.version:
            self._judged = self.session.version
            chance = self._judge.judge([self.session.game])[0].chances[self.session.seat]
            self._chance = self._chance if chance is None else chance
        return self._chance

    def change(self, what: str, asked: Json) -> Json:
        """Do what a page asks for: `play` an action, `next`, `undo` or `hint`; Refusal if it cannot be done."""
        try:
            if what in ("next", "hint"):
                return self._think(what, asked)
            with self._lock:
                self._check(asked)
                if what == "play":
                    self._play(asked.get("action"))
                else:
                    self.session.undo()
                return self._game()
        except EttanaError as error:
            raise Refusal(422, str(error)) from error

    def _check(self, asked: Json) -> None:
        version = asked.get("version")
        if type(version) is not int or version != self.session.version:
            raise Refusal(409, "The game has moved on since, perhaps in another tab: here is how it stands.")

    def _think(self, what: str, asked: Json) -> Json:
        """Let an agent think, and play what it chose if that is what it was for."""
        with self._thinking:
            with self._lock:
                self._check(asked)
                session, game = self.session, self.session.game.copy()
                if game.over or session.yours != (what == "hint"):
                    turn = "It is your turn." if session.yours else "It is not your turn."
                    raise Refusal(422, "The game is over." if game.over else turn)
            spec = self._spec(asked.get("agent")) if what == "hint" else session.names[game.player]
            chosen = session.choice(spec, game)
            with self._lock:
                self._check(asked)
                if what == "next":
                    session.answer(chosen)
                    return self._game()
                action = game.action_of(chosen)
                return {**self._game(), "hint": {"agent": spec, "action": action, "words": phrase(action)}}

    def _play(self, action: object) -> None:
        if not isinstance(action, dict):
            raise Refusal(400, "An action is a JSON object with a kind.")
        self.session.play(action)

    def _spec(self, agent: object) -> str:
        if agent is not None and not isinstance(agent, str):
            raise Refusal(400, "The agent that gives a hint is named by text.")
        return self.adviser if agent is None else agent


def make_app(table: WebTable) -> Starlette:
    """The ASGI app that serves one table."""

    async def page(request: Request) -> Response:
        return HTMLResponse(static("play.html").replace("{{token}}", table.token), headers=HEADERS)

    async def table_facts(request: Request) -> Response:
        return JSONResponse(table.facts(), headers=HEADERS)

    async def game(request: Request) -> Response:
        if request.query_params.get("version") == str(table.session.version):
            return Response(status_code=204, headers=HEADERS)
        return JSONResponse(await run_in_threadpool(table.game), headers=HEADERS)

    def changing(what: str) -> Route:
        async def change(request: Request) -> Response:
            try:
                asked = await _asked(request, table.token)
                return JSONResponse(await run_in_threadpool(table.change, what, asked), headers=HEADERS)
            except Refusal as refusal:
                now = {"game": await run_in_threadpool(table.game)} if refusal.with_game else {}
                return JSONResponse({"error": refusal.why, **now}, refusal.status, headers=HEADERS)

        return Route(f"/api/{what}", change, methods=["POST"])

    routes = [
        Route("/", page),
        Route("/api/table", table_facts),
        Route("/api/game", game),
        *(changing(what) for what in ("play", "next", "undo", "hint")),
        Mount("/static", StaticFiles(packages=[("play", "static")])),
    ]
    return Starlette(routes=routes, middleware=[Middleware(TrustedHostMiddleware, allowed_hosts=HOSTS)])


async def _asked(request: Request, token: str) -> Json:
    """The JSON of a request that comes from our own page; else a Refusal."""
    origin = request.headers.get("origin")
    if origin is not None and origin != f"http://{request.headers.get('host', '')}":
        raise Refusal(403, "Requests from other sites are not followed.", with_game=False)
    if not secrets.compare_digest(request.headers.get("x-ettana-token", "").encode(), token.encode()):
        raise Refusal(403, "This page belongs to another game: reload it.", with_game=False)
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > MOST_BYTES:
            raise Refusal(413, "That is too long for an action.", with_game=False)
    try:
        asked = json.loads(body)
    except (ValueError, RecursionError):
        asked = None
    if not isinstance(asked, dict):
        raise Refusal(400, "A request is a JSON object.", with_game=False)
    return asked


def serve(
    session: Session, judge: Judge | None, adviser: str, port: int, ready: Callable[[str], None] | None = None
) -> None:
    """Serve a session on this machine until interrupted; `ready` is told the address. Port 0 takes any that is free."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as listening:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((HOST, port))
        except OSError as error:
            raise EttanaError(
                f"--port: {port} cannot be served on ({error.strerror}); name another, or 0 for any"
            ) from None
        if ready is not None:
            ready(f"http://{HOST}:{listening.getsockname()[1]}/")
        app = make_app(WebTable(session, judge, adviser))
        server = uvicorn.Server(uvicorn.Config(app, log_level="warning", access_log=False))
        try:
            server.run(sockets=[listening])
        except KeyboardInterrupt:
            return
