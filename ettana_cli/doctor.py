"""`ettana doctor`: is everything there, does it compile, does it play?"""

import importlib
import platform
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path

import typer

from ettana_cli.options import AsJson
from ettana_cli.screen import console, notes, print_json
from ettana_env.version import __version__

OLDEST = (3, 11)
PLACE = Path(__file__).parent.parent
"""Where the kit lies: a checkout, or the packages of an environment."""
IMPORTED_AS = {
    "pillow": "PIL",
    "pyyaml": "yaml",
    "sb3-contrib": "sb3_contrib",
    "stable-baselines3": "stable_baselines3",
}
"""How a package is imported, where that is not its name."""


BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "firefox", "microsoft-edge")


@dataclass(frozen=True)
class Finding:
    """What one check found: `fine`, `missing` (something optional) or `wrong`, and what to know or do."""

    check: str
    state: str
    words: str


def doctor(as_json: AsJson = False) -> None:
    """Check the installation: packages, files, the compiled engine, a whole game.

    [bold]ettana doctor[/]

    The exit code is 1 if something is wrong; what is optional and missing is told, and is not wrong.
    """
    findings = []
    for check, look in CHECKS.items():
        with notes.status(f"checking: {check}"):
            findings.append(_look(check, look))
        if not as_json:
            _show(findings[-1])
    wrong = [finding for finding in findings if finding.state == "wrong"]
    if as_json:
        told = {"version": __version__, "place": str(PLACE), "healthy": not wrong}
        print_json({**told, "findings": [asdict(one) for one in findings]})
    else:
        console.print(f"\n{'all is well' if not wrong else f'{len(wrong)} of {len(findings)} checks failed'}")
    if wrong:
        raise typer.Exit(1)


def _look(check: str, look: Callable[[], tuple[str, str]]) -> Finding:
    try:
        return Finding(check, *look())
    except Exception as error:  # whatever it is, it is a finding
        return Finding(check, "wrong", f"{type(error).__name__}: {error}")


def _show(finding: Finding) -> None:
    mark = {"fine": "[green]fine   [/]", "missing": "[yellow]missing[/]", "wrong": "[bold red]wrong  [/]"}[
        finding.state
    ]
    console.print(f"{mark}  {finding.check:<10} ", end="")
    console.print(finding.words, markup=False, soft_wrap=True)


def _python() -> tuple[str, str]:
    words = f"Python {platform.python_version()} on {platform.system()} {platform.machine()}, ettana in {PLACE}"
    if sys.version_info < OLDEST:
        return "wrong", f"{words}; {OLDEST[0]}.{OLDEST[1]} or newer is needed"
    return "fine", words


def _packages() -> tuple[str, str]:
    try:
        needed = [line for line in requires("ettana") or () if "extra ==" not in line]
    except PackageNotFoundError:
        return "wrong", "ettana is not installed: pip install --editable . in the checkout"
    names = [line.split(";")[0].split(">")[0].split("=")[0].split("<")[0].strip() for line in needed]
    lacking = []
    for name in names:
        try:
            importlib.import_module(IMPORTED_AS.get(name, name))
        except ImportError as error:
            lacking.append(f"{name} ({error})")
    if lacking:
        return "wrong", f"cannot be imported: {', '.join(lacking)}; install them anew: pip install ettana"
    return "fine", ", ".join(f"{name} {version(name)}" for name in ("numba", "numpy", "torch") if name in names)


def _files() -> tuple[str, str]:
    from ettana_env.rules import Rules, configs_folder
    from play.page import static

    rules = sorted((configs_folder() / "rules").glob("*.yaml"))
    if not rules:
        return "wrong", f"there are no rules in {configs_folder()}: the installation is not whole"
    for file in rules:
        Rules.load(file)
    if "Ettana" not in static("play.html"):
        return "wrong", "the page to play on is not whole"
    return "fine", f"{len(rules)} rules files, all playable; pages"


def _engine() -> tuple[str, str]:
    from ettana_env.compiled import cache_folder, settings
    from ettana_env.game import Game

    start = time.perf_counter()
    game = Game(seed=1)
    while not game.over and game.record.actions < 200:
        legal = game.legal_indices()
        game.play(legal[game.record.actions % len(legal)])
    if settings.DISABLE_JIT:
        return "fine", "played without being compiled, which is slow: NUMBA_DISABLE_JIT is set"
    words = f"compiled and played in {time.perf_counter() - start:.1f} s"
    folder = cache_folder("ettana_env")
    if folder is None:
        return "missing", f"{words}; the compiled code cannot be kept: let ETTANA_CACHE_DIR name a folder for it"
    return "fine", f"{words}; compiled code is kept in {folder}"


def _game() -> tuple[str, str]:
    from ettana_env.records import read_record
    from play.session import Session

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "game.jsonl"
        session = Session.new(["human", "planner", "greedy"], seed=1, path=path)
        while not session.game.over:
            if session.yours:
                session.play(session.hint("greedy"))
            else:
                session.answer()
        session.close()
        result = read_record(path).result
    return "fine", f"planner and two greedy played {result['turns']} turns; the record reads back"


def _agents() -> tuple[str, str]:
    from agents import known
    from ettana_env.opponents import broken

    if broken():
        words = "; ".join(f"{name}: {why}" for name, why in broken().items())
        return "wrong", f"agents that cannot be loaded: {words}"
    lacking = {"greedy", "planner", "mcts", "policy"} - set(known())
    if lacking:
        return "wrong", f"not registered: {', '.join(sorted(lacking))}; install the package anew"
    return "fine", ", ".join(known())


def _policy() -> tuple[str, str]:
    from ettana_env.rules import Rules
    from play.odds import DEFAULT, OutlookJudge, judge_for

    judge = judge_for(None, Rules())
    if isinstance(judge, OutlookJudge):
        return (
            "missing",
            f"no trained agent {DEFAULT}: chances to win come from fitted odds; ettana train makes a policy",
        )
    return "fine", judge.about


def _window() -> tuple[str, str]:
    try:
        importlib.import_module("pygame")
    except ImportError:
        return "missing", 'pygame, for render_mode "human" only: pip install pygame'
    return "fine", "pygame is there for windows"


def _browser() -> tuple[str, str]:
    found = next((name for name in BROWSERS if shutil.which(name)), None)
    if found is None and sys.platform in ("darwin", "win32"):
        found = "the system's browser"
    if found is None:
        return "missing", "no browser found on this machine; play --web and replay --html do their part without"
    return "fine", f"{found}, for play --web and pages of replay --html"


CHECKS: dict[str, Callable[[], tuple[str, str]]] = {
    "python": _python,
    "packages": _packages,
    "files": _files,
    "engine": _engine,
    "agents": _agents,
    "game": _game,
    "policy": _policy,
    "window": _window,
    "browser": _browser,
}
"""In the order they are made; the last three are of what is optional."""
