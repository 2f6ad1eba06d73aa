"""Many games at once: the same results in any number of threads, as single games, and uncompiled."""

import json
import os
import shutil
import subprocess
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import ettana_env
from ettana_env import Game, Rules
from ettana_env import compiled as compiling
from ettana_env.engine import batch
from ettana_env.tables import tables_of
from tests.playing import content, rules_of

Array = NDArray[Any]

ROOT = Path(__file__).parent.parent
COUNT = 57
THREADS = (1, 2, 3, 5)
SEEDS = np.arange(900, 900 + COUNT, dtype=np.uint64)
PLAYERS = (2 + np.arange(COUNT) % 3).astype(np.uint8)
VARIANTS = ["base", "rim squares", "random placing", "many cards", "few actions"]


def set_up(rules: Rules, threads: int = 1) -> batch.Games:
    games = batch.new_games(COUNT)
    tables = tables_of(rules)
    batch.in_threads(threads, COUNT, lambda a, b: batch.set_up_slice(tables, games, SEEDS, PLAYERS, a, b))
    return games


def masks_of(rules: Rules, games: batch.Games, threads: int = 1) -> Array:
    tables = tables_of(rules)
    masks = np.ones((len(games), int(tables[0].action_count)), np.bool_)
    batch.in_threads(threads, len(games), lambda a, b: batch.mask_slice(tables, games, masks, a, b))
    return masks


def chosen(masks: Array, step: int) -> Array:
    """A legal action for each game, changing with the step; -1 where there is none."""
    actions = np.full(len(masks), -1, np.int64)
    for game, mask in enumerate(masks):
        legal = np.flatnonzero(mask)
        if len(legal):
            actions[game] = legal[(7919 * step + 31 * game) % len(legal)]
    return actions


def run(rules: Rules, threads: int, steps: int) -> tuple[list[Array], list[Array]]:
    """Games after each step and the masks before it, all of it in so many threads."""
    tables = tables_of(rules)
    games = set_up(rules, threads)
    actions = np.zeros(COUNT, np.int64)
    faults: list[int] = []

    def check(start: int, stop: int) -> None:
        faults.append(batch.check_slice(tables, games, actions, start, stop))

    def play(start: int, stop: int) -> None:
        batch.play_slice(tables, games, actions, start, stop)

    states, masks = [games.copy()], []
    for step in range(steps):
        masks.append(masks_of(rules, games, threads))
        actions[:] = chosen(masks[-1], step)
        batch.in_threads(threads, COUNT, check)
        batch.in_threads(threads, COUNT, play)
        states.append(games.copy())
    assert set(faults) == {-1}
    return states, masks


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_number_of_threads_changes_nothing(variant: str) -> None:
    rules = rules_of(variant)
    states, masks = run(rules, 1, 40)
    assert len({content(state) for state in states}) > 20
    for threads in THREADS[1:]:
        other_states, other_masks = run(rules, threads, 40)
        assert all(content(a) == content(b) for a, b in zip(states, other_states, strict=True))
        assert all((a == b).all() for a, b in zip(masks, other_masks, strict=True))


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_batch_plays_as_single_games_do(variant: str) -> None:
    rules = rules_of(variant)
    states, masks = run(rules, 2, 40)
    for number in range(0, COUNT, 4):
        game = Game(rules, int(PLAYERS[number]), int(SEEDS[number]))
        assert content(game.record) == content(states[0][number])
        for step in range(40):
            assert (game.mask() == masks[step][number]).all()
            legal = game.legal_indices()
            if game.over:
                assert legal == []
                break
            game.play(legal[(7919 * step + 31 * number) % len(legal)])
            assert content(game.record) == content(states[step + 1][number])


@pytest.mark.parametrize("variant", VARIANTS)
def test_random_play_in_threads(variant: str) -> None:
    rules = rules_of(variant)
    tables = tables_of(rules)
    results = []
    for threads in THREADS:
        games = set_up(rules)
        masks = np.zeros((COUNT, int(tables[0].action_count)), np.bool_)
        copies = batch.new_games(COUNT)
        steps: list[int] = []

        def work(a: int, b: int, g: Any = games, m: Any = masks, c: Any = copies, s: Any = steps) -> None:
            s.append(batch.play_random_slice(tables, g, SEEDS, m, c, 60, a, b))

        batch.in_threads(threads, COUNT, work)
        assert sum(steps) == games["actions"].sum()
        results.append((content(games), masks.tobytes(), content(copies)))
        assert ((games["actions"] == 60) | (games["phase"] == 3)).all()
        # The last copy and mask are those before the last action.
        assert (copies["actions"] == games["actions"] - 1)[games["actions"] > 0].all()
        assert (masks == masks_of(rules, copies))[games["actions"] > 0].all()
    assert len(set(results)) == 1


def test_random_play_can_be_cut_into_pieces() -> None:
    rules = rules_of("rim squares")
    nothing = np.zeros((0, 0), np.bool_), batch.new_games(0)
    whole, pieces = set_up(rules), set_up(rules)
    batch.play_random_slice(tables_of(rules), whole, SEEDS, *nothing, 90, 0, COUNT)
    for steps in (1, 29, 0, 60):
        batch.play_random_slice(tables_of(rules), pieces, SEEDS, *nothing, steps, 0, COUNT)
    assert content(whole) == content(pieces)


def test_no_action_leaves_a_game_alone() -> None:
    rules = rules_of("base")
    tables, games = tables_of(rules), set_up(rules)
    actions = chosen(masks_of(rules, games), 0)
    actions[::3] = -1
    before = games.copy()
    assert batch.check_slice(tables, games, actions, 0, COUNT) == -1
    batch.play_slice(tables, games, actions, 0, COUNT)
    for number in range(COUNT):
        assert (content(games[number]) == content(before[number])) == (number % 3 == 0)


def test_a_slice_leaves_the_others_alone() -> None:
    rules = rules_of("base")
    tables, games = tables_of(rules), set_up(rules)
    before = games.copy()
    batch.play_slice(tables, games, chosen(masks_of(rules, games), 0), 10, 20)
    changed = [number for number in range(COUNT) if content(games[number]) != content(before[number])]
    assert changed == list(range(10, 20))


@pytest.mark.parametrize("wrong", [-2, 10_000, "illegal"])
def test_the_first_illegal_action_is_found(wrong: int | str) -> None:
    rules = rules_of("base")
    tables, games = tables_of(rules), set_up(rules)
    masks = masks_of(rules, games)
    actions = chosen(masks, 0)
    for number in (41, 17):
        actions[number] = np.flatnonzero(~masks[number])[-1] if isinstance(wrong, str) else wrong
    assert batch.check_slice(tables, games, actions, 0, COUNT) == 17
    assert batch.check_slice(tables, games, actions, 18, COUNT) == 41
    assert batch.check_slice(tables, games, actions, 0, 17) == -1


@pytest.mark.parametrize("threads", [1, 2, 3, 5, 8])
@pytest.mark.parametrize("count", [0, 1, 2, 3, 7, 64])
def test_the_slices_cover_every_game_once(threads: int, count: int) -> None:
    seen: list[int] = []
    batch.in_threads(threads, count, lambda a, b: seen.extend(range(a, b)))
    assert sorted(seen) == list(range(count))


@pytest.mark.parametrize("at_fault", [0, 5, 8])
def test_an_error_in_a_thread_is_raised(at_fault: int) -> None:
    def work(start: int, stop: int) -> None:
        if start <= at_fault < stop:
            raise RuntimeError("fault")

    with pytest.raises(RuntimeError, match="fault"):
        batch.in_threads(3, 9, work)


# --- Uncompiled, and the folder of compiled code ---

SHORT_GAME = """
import json, sys
from ettana_env import Game
from tests.playing import Chooser, rules_of
import numba
assert bool(numba.config.DISABLE_JIT) == (sys.argv[1] == "uncompiled")
games = []
for variant, players in (("base", 2), ("all switched", 3), ("many start cards", 4)):
    game, choose = Game(rules_of(variant), players, 11), Chooser(5)
    for _ in range(25):
        if not game.over:
            game.play(choose(game))
    games.append([game.to_dict(), game.mask().tolist(), game.legal_actions()])
print(json.dumps(games))
"""


def short_games(how: str, disable_jit: str) -> Any:
    env = {**os.environ, "NUMBA_DISABLE_JIT": disable_jit, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-W", "error", "-c", SHORT_GAME, how]
    done = subprocess.run(command, env=env, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_uncompiled_code_plays_the_same_games() -> None:
    assert short_games("uncompiled", "1") == short_games("compiled", "0")


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the package, known to Python as `package_copy`, its compiled code to lie in `cache`."""
    copied = tmp_path / "package_copy"
    shutil.copytree(Path(ettana_env.__file__).parent, copied, ignore=shutil.ignore_patterns("__pycache__"))
    module = types.ModuleType("package_copy")
    module.__path__ = [str(copied)]
    monkeypatch.setitem(sys.modules, "package_copy", module)
    monkeypatch.setenv("ETTANA_CACHE_DIR", str(tmp_path / "cache"))
    return copied


def folder_now() -> Path:
    """The folder for compiled code of the copy, worked out afresh."""
    for remembered in (compiling.sources_digest, compiling.cache_folder):
        remembered.cache_clear()
    folder = compiling.cache_folder("package_copy")
    assert folder is not None
    assert folder.is_dir()
    return folder


def appended(path: str) -> Callable[[Path], object]:
    def change(package: Path) -> None:
        with (package / path).open("a") as file:
            file.write("\n# changed\n")

    return change


CHANGES: dict[str, Callable[[Path], object]] = {
    "a file of the engine": appended("engine/chance.py"),
    "a file the engine calls into": appended("vocabulary.py"),
    "a new file": lambda package: (package / "engine" / "new.py").write_text(""),
    "a file gone": lambda package: (package / "text.py").unlink(),
    "a file renamed": lambda package: (package / "text.py").rename(package / "texts.py"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_changed_sources_mean_another_folder(package: Path, change: str) -> None:
    before = folder_now()
    assert folder_now() == before
    (package / "notes.txt").write_text("not a source")
    assert folder_now() == before
    CHANGES[change](package)
    assert folder_now() != before


def test_undoing_a_change_brings_the_folder_back(package: Path) -> None:
    path = package / "engine" / "play.py"
    before, source = folder_now(), path.read_text()
    path.write_text(source + "\n")
    assert folder_now() != before
    path.write_text(source)
    assert folder_now() == before


def test_old_folders_are_removed(package: Path) -> None:
    folders = []
    for number in range(compiling.KEPT_CACHES + 3):
        (package / "vocabulary.py").write_text(f"NUMBER = {number}\n")
        folder = folder_now()
        os.utime(folder, (1000 + number, 1000 + number))
        folders.append(folder)
    folder_now()
    left = [folder for folder in folders if folder.exists()]
    assert left == folders[-compiling.KEPT_CACHES :]


def test_a_folder_that_cannot_be_made_is_done_without(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    in_the_way = package / "in_the_way"
    in_the_way.write_text("a file")
    monkeypatch.setenv("ETTANA_CACHE_DIR", str(in_the_way))
    for remembered in (compiling.sources_digest, compiling.cache_folder):
        remembered.cache_clear()
    assert compiling.cache_folder("package_copy") is None
