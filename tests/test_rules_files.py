"""Rules and decks as files and dicts: defaults, round trips, and a plain message for everything refused."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

from ettana_env import Design, Game, Rules, RulesError, load_deck
from ettana_env.rules import configs_folder, default_deck, write_whole
from ettana_env.vocabulary import KINDS
from tests.playing import EASY_DESIGNS, VARIANTS, mixture, rules_of

Json = dict[str, Any]

DEFAULTS: Json = {
    "name": "base",
    "points_to_win": 8,
    "tokens": {"total": 48, "start": 2},
    "start_cards": {"design": 1, "action": 1},
    "prices": {"action": 2, "swap": 3, "design": 3},
    "steal_tokens_max": 2,
    "collect_three_gives": 3,
    "action_cards": dict.fromkeys(KINDS, 3),
    "max_turns": 1000,
    "max_actions": 20_000,
    "rim_squares": False,
    "mirror_images": False,
    "preset_black": True,
    "roll_again_collects": True,
    "place_by_choice": True,
    "free_swap": True,
    "exchange": True,
}
"""The table of the documented defaults, but for the deck."""


def refusal(settings: Any, source: str = "my rules") -> str:
    """The message with which a dict of settings is refused."""
    with pytest.raises(RulesError) as caught:
        Rules.from_dict(settings, source)
    assert str(caught.value).startswith(f"{source}: ")
    return str(caught.value).removeprefix(f"{source}: ")


def refusal_of_file(path: Path, content: str | bytes) -> str:
    """The message with which a rules file is refused, without the path it starts with."""
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    with pytest.raises(RulesError) as caught:
        Rules.load(path)
    assert str(caught.value).startswith(f"{path}: ")
    return str(caught.value).removeprefix(f"{path}: ")


def one_design(**changes: Any) -> Json:
    """Settings with a deck of one design."""
    design = {"name": "one", "points": 1, "pattern": ["ab"], **changes}
    return {"designs": [design], "start_cards": {"design": 0}}


# --- Defaults, round trips, merging ------------------------------------------------------------------


def test_the_defaults_are_the_documented_ones() -> None:
    given = Rules().to_dict()
    assert set(given) == {*DEFAULTS, "designs"}
    for key, value in DEFAULTS.items():
        assert given[key] == value, key
        assert type(given[key]) is type(value), key
    assert given["designs"] == [design.to_dict() for design in default_deck()]
    assert len(given["designs"]) == 36


FILES = sorted((configs_folder() / "rules").glob("*.yaml"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_rules_file_loads_and_is_named_after_its_file(path: Path) -> None:
    rules = Rules.load(path)
    assert rules.name == path.stem
    assert (rules.but(name="base") == Rules()) == (path.stem == "base")
    assert rules.check_players(4) == 4


def test_the_base_file_is_the_base_game() -> None:
    base = configs_folder() / "rules" / "base.yaml"
    assert Rules.load(base) == Rules()
    written = yaml.safe_load(base.read_text(encoding="utf-8"))
    assert set(written) == set(Rules().to_dict())
    assert list(written["action_cards"]) == list(KINDS)


@pytest.mark.parametrize("variant", VARIANTS)
def test_round_trips(variant: str, tmp_path: Path) -> None:
    rules = rules_of(variant)
    assert Rules.from_dict(rules.to_dict()) == rules
    rules.save(tmp_path / "rules.yaml")
    assert Rules.load(tmp_path / "rules.yaml") == rules
    assert Rules.load(str(tmp_path / "rules.yaml")).to_dict() == rules.to_dict()


def test_round_trips_of_mixtures(tmp_path: Path) -> None:
    for seed in range(30):
        rules = mixture(seed)
        rules.save(tmp_path / "rules.yaml")
        assert Rules.load(tmp_path / "rules.yaml") == rules == Rules.from_dict(rules.to_dict())


ODD_NAMES = """yes null ~ 1 1e3 0x1F 2024-01-01 a:b # - ' " [ { = << !tag &a *a % @ | > ... ශ්රී 織物 é 💚"""


def test_a_saved_name_stays_itself(tmp_path: Path) -> None:
    for name in [*ODD_NAMES.split(), "a: b", "# no", "- x", "? x", "x #y"]:
        rules = Rules(name=name, **one_design(name=name))
        rules.save(tmp_path / "rules.yaml")
        assert Rules.load(tmp_path / "rules.yaml") == rules


def test_what_is_left_out_takes_its_default() -> None:
    rules = Rules(prices={"swap": 2}, action_cards={"tax": 0}, tokens={"start": 5})
    assert rules.to_dict()["prices"] == {"action": 2, "swap": 2, "design": 3}
    assert rules.to_dict()["action_cards"] == {**dict.fromkeys(KINDS, 3), "tax": 0}
    assert rules.to_dict()["tokens"] == {"total": 48, "start": 5}
    assert Rules.from_dict({}) == Rules()


def test_but_merges_into_what_is_there() -> None:
    rules = Rules(prices={"swap": 2}).but(prices={"action": 1}, points_to_win=5)
    assert rules.to_dict()["prices"] == {"action": 1, "swap": 2, "design": 3}
    assert rules.points_to_win == 5
    assert rules.but() == rules
    with pytest.raises(RulesError, match=r"rules: prices\.swap must be a whole number from 0 to 999, not -1"):
        rules.but(prices={"swap": -1})


def test_an_empty_file_and_a_byte_order_mark(tmp_path: Path) -> None:
    (tmp_path / "empty.yaml").write_text("# nothing changed\n", encoding="utf-8")
    assert Rules.load(tmp_path / "empty.yaml") == Rules()
    (tmp_path / "marked.yaml").write_text("\ufeffname: marked\n", encoding="utf-8")
    assert Rules.load(tmp_path / "marked.yaml").name == "marked"


def test_merge_keys_are_plain_yaml(tmp_path: Path) -> None:
    (tmp_path / "rules.yaml").write_text("prices: &p {swap: 2}\nstart_cards: {<<: {design: 2}, action: 0}\n")
    assert Rules.load(tmp_path / "rules.yaml") == Rules(prices={"swap": 2}, start_cards={"design": 2, "action": 0})


def test_a_deck_is_found_from_the_folder_of_the_rules_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "decks").mkdir()
    (tmp_path / "rules").mkdir()
    (tmp_path / "decks" / "easy.yaml").write_text(yaml.safe_dump({"designs": EASY_DESIGNS}), encoding="utf-8")
    path = tmp_path / "rules" / "easy.yaml"
    path.write_text("designs: ../decks/easy.yaml\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path / "decks")
    assert Rules.load(path).to_dict()["designs"] == EASY_DESIGNS
    assert load_deck("easy.yaml") == Rules.load(path).designs


# --- Refusals ----------------------------------------------------------------------------------------

REFUSED: list[tuple[Json, str]] = [
    ({"points_to_wim": 5}, "points_to_wim is not a known key (did you mean 'points_to_win'?)"),
    ({"prices": {"swop": 5}}, "prices.swop is not a known key (did you mean 'swap'?)"),
    ({"qqq": 5}, "qqq is not a known key"),
    ({"self": 5}, "self is not a known key"),
    (one_design(worth=1), "designs[0].worth is not a known key"),
    ({"points_to_win": "8"}, "points_to_win must be a whole number from 1 to 999, not '8'"),
    ({"points_to_win": 8.0}, "points_to_win must be a whole number from 1 to 999, not 8.0"),
    ({"points_to_win": True}, "points_to_win must be a whole number from 1 to 999, not True"),
    ({"points_to_win": None}, "points_to_win must be a whole number from 1 to 999, not None"),
    ({"points_to_win": 0}, "points_to_win must be a whole number from 1 to 999, not 0"),
    ({"points_to_win": 1000}, "points_to_win must be a whole number from 1 to 999, not 1000"),
    ({"points_to_win": 10**5000}, "points_to_win must be a whole number from 1 to 999, not a number of 16610 bits"),
    ({"points_to_win": np.int64(8)}, "points_to_win must be a whole number from 1 to 999, not np.int64(8)"),
    ({"name": 5}, "name must be text, not 5"),
    ({"name": " "}, "name must be a name of 1 to 100 printable characters, not ' '"),
    ({"name": "a\nb"}, "name must be a name of 1 to 100 printable characters, not 'a\\nb'"),
    ({"name": "\ud800"}, "name must be a name of 1 to 100 printable characters, not '\\ud800'"),
    ({"\ud800": 1}, "it must be text that UTF-8 can write, not '\\ud800'"),
    ({"exchange": 1}, "exchange must be true or false, not 1"),
    ({"exchange": "yes"}, "exchange must be true or false, not 'yes'"),
    ({"prices": 3}, "prices must be a mapping, not 3"),
    ({"prices": [1, 2, 3]}, "prices must be a mapping, not [1, 2, 3]"),
    ({"prices": {1: 2}}, "prices must have text for keys, not 1"),
    ({"prices": {"swap": -1}}, "prices.swap must be a whole number from 0 to 999, not -1"),
    ({"tokens": {"start": True}}, "tokens.start must be a whole number from 0 to 999, not True"),
    ({"tokens": {"start": 25}}, "tokens.start must be at most 24 for 2 players, not 25: there are 48 tokens"),
    (
        {"start_cards": {"design": 19}},
        "start_cards.design must be at most 18 for 2 players, not 19: there are 36 designs",
    ),
    (
        {"start_cards": {"action": 19}},
        "start_cards.action must be at most 18 for 2 players, not 19: there are 36 action cards",
    ),
    ({"action_cards": dict.fromkeys(KINDS, 11)}, "action_cards must be 120 at most in all, not 132"),
    ({"action_cards": {"tax": 121}}, "action_cards.tax must be a whole number from 0 to 120, not 121"),
    ({"max_turns": 0}, "max_turns must be a whole number from 1 to 1000000000, or null for none, not 0"),
    ({"max_actions": False}, "max_actions must be a whole number from 1 to 1000000000, or null for none, not False"),
    ({"max_actions": 10**10}, "max_actions must be a whole number from 1 to 1000000000, or null for none, not 100000"),
    ({"designs": None}, "designs must be a list, not None"),
    ({"designs": "deck.yaml"}, "designs must be a list, not 'deck.yaml'"),
    ({"designs": {"name": "x"}}, "designs must be a list, not {'name': 'x'}"),
    ({"designs": []}, "designs: a deck must have 1 to 64 designs, not 0"),
    ({"designs": ["x"]}, "designs[0] must be a mapping, not 'x'"),
    ({"designs": [{"name": "x", "points": 1}]}, "designs[0].pattern is missing"),
    ({"designs": EASY_DESIGNS * 6}, "designs: a deck must have 1 to 64 designs, not 72"),
    (
        {"designs": EASY_DESIGNS + EASY_DESIGNS[:1]},
        "designs: 2 designs have the name 'pair'; every name must be different",
    ),
    (one_design(points=0), "designs[0].points must be a whole number from 1 to 99, not 0"),
    (one_design(points=100), "designs[0].points must be a whole number from 1 to 99, not 100"),
    (
        one_design(name=""),
        "designs[0].name must be a name of 1 to 60 printable characters, no space at either end, not ''",
    ),
    (one_design(name="x "), "designs[0].name must be a name of 1 to 60 printable characters, no space at either end"),
    (one_design(name="x" * 61), "designs[0].name must be a name of 1 to 60 printable characters"),
    (one_design(pattern="ab"), "designs[0].pattern must be a list, not 'ab'"),
    (one_design(pattern={"ab", "ba"}), "designs[0].pattern must be a list, not {"),
    (one_design(pattern=[1]), "designs[0].pattern[0] must be text, not 1"),
    (one_design(pattern=["ab", "a"]), "designs[0].pattern: the pattern's rows must be of one length, not [2, 1]"),
    (one_design(pattern=[]), "it needs 1 to 5 rows of 1 to 5 cells, not 0 rows of 0 cells"),
    (one_design(pattern=[""]), "it needs 1 to 5 rows of 1 to 5 cells, not 1 rows of 0 cells"),
    (one_design(pattern=["ab...."]), "it needs 1 to 5 rows of 1 to 5 cells, not 1 rows of 6 cells"),
    (one_design(pattern=["a"] * 6), "it needs 1 to 5 rows of 1 to 5 cells, not 6 rows of 1 cells"),
    (one_design(pattern=["...", "..."]), "designs[0].pattern: the pattern is empty: it needs at least one letter"),
    (one_design(pattern=["abc", "def"]), "designs[0].pattern: the pattern has 6 groups; there are only 5 colours"),
    (one_design(pattern=["aaaa", "aaa."]), "group 'a' has 7 cells; there are only 6 yarns of a colour"),
    (one_design(pattern=["aB"]), "a pattern is made of letters a to z and dots, not ['B']"),
    (one_design(pattern=["a b"]), "a pattern is made of letters a to z and dots, not [' ']"),
    (one_design(pattern=["aé1"]), "a pattern is made of letters a to z and dots, not ['1', 'é']"),
]


@pytest.mark.parametrize(("settings", "message"), REFUSED, ids=[message[:60] for _, message in REFUSED])
def test_settings_that_cannot_be_played(settings: Json, message: str) -> None:
    assert message in refusal(settings)
    with pytest.raises(RulesError) as caught:
        Rules(**settings)
    assert str(caught.value).startswith("rules: ")
    assert message in str(caught.value)


@pytest.mark.parametrize("settings", [None, 5, "x", [1], [("name", "x")], {1: 2}, {None: 1}])
def test_settings_that_are_no_mapping(settings: object) -> None:
    assert refusal(settings).startswith("must be a mapping of settings, not ")


def test_messages_stay_short() -> None:
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    assert len(refusal({"name": "x" * 10**6})) < 200
    assert len(refusal({"x" * 10**6: 1})) < 200
    assert len(refusal({"points_to_win": deep})) < 200


# --- Files -------------------------------------------------------------------------------------------

BOMB = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]\n" for i in range(1, 12)
)
MERGE_BOMB = "a0: &a0 {x: 1, y: 2}\n" + "".join(
    f"a{i}: &a{i} {{<<: [{', '.join([f'*a{i - 1}'] * 10)}]}}\n" for i in range(1, 12)
)

REFUSED_FILES: list[tuple[str, str | bytes, str]] = [
    ("unknown key", "prizes: {swap: 2}\n", "prizes is not a known key (did you mean 'prices'?)"),
    ("wrong type", "points_to_win: many\n", "points_to_win must be a whole number from 1 to 999, not 'many'"),
    ("list", "- name\n", "must be a mapping of settings, not ['name']"),
    ("text", "name\n", "must be a mapping of settings, not 'name'"),
    ("other keys", "1: 2\n", "must be a mapping of settings, not {1: 2}"),
    ("date", "name: 2024-01-01\n", "name must be text, not datetime.date(2024, 1, 1)"),
    ("no date", "name: 2024-13-45\n", "is not YAML: month must be in 1..12"),
    ("null deck", "designs: null\n", "designs must be a list, not None"),
    ("null byte in deck", 'designs: "a\\0b"\n', "designs must be a deck or a deck's file, not 'a\\x00b'"),
    ("open bracket", "name: [\n", "line 2: is not YAML: "),
    ("tab", "name: x\n\tpoints_to_win: 3\n", "line 2: is not YAML: "),
    ("two documents", "name: a\n---\nname: b\n", "line 2: is not YAML: but found another document"),
    ("unknown alias", "name: *a\n", "line 1: is not YAML: found undefined alias"),
    ("control character", "name: a\0b\n", "is not YAML: unacceptable character #x0000"),
    ("surrogate", 'name: "\\ud800"\n', "line 1: is not YAML: found invalid Unicode character escape code"),
    ("Latin-1", "name: é\n".encode("latin-1"), "is not UTF-8 text"),
    ("UTF-16", "name: x\n".encode("utf-16"), "is not UTF-8 text"),
    ("bytes", bytes(range(128, 256)), "is not UTF-8 text"),
    (
        "key twice",
        "name: a\npoints_to_win: 5\npoints_to_win: 6\n",
        "line 3: is not YAML: the key 'points_to_win' stands twice",
    ),
    ("nested key twice", "prices: {swap: 1, 'swap': 2}\n", "line 1: is not YAML: the key 'swap' stands twice"),
    (
        "design's key twice",
        "designs:\n- name: x\n  points: 1\n  pattern: [ab]\n  points: 2\n",
        "line 5: is not YAML: the key 'points' stands twice",
    ),
    ("key twice beside a merge", "tokens: {<<: {start: 1}, start: 2, start: 3}\n", "the key 'start' stands twice"),
    ("odd int", "points_to_win: !!int ''\n", "is not YAML: "),
    ("odd bool", "exchange: !!bool perhaps\n", "is not YAML: "),
    ("odd time", "name: !!timestamp soon\n", "is not YAML: "),
    ("long int", "points_to_win: " + "1" * 5000, "is not YAML: Exceeds the limit"),
    ("long hex int", "points_to_win: 0x" + "f" * 5000, "not a number of 20000 bits"),
    ("deep", "name: " + "[" * 100_000, "line 1: is not YAML: it is nested more than 50 deep"),
    ("deep mapping", "name: " + "{a: " * 60 + "}" * 60, "line 1: is not YAML: it is nested more than 50 deep"),
    ("alias bomb", BOMB + "name: *a11\n", "name must be text, not [[[[[[[[[[[['x', "),
    ("alias bomb in a list", "- " + BOMB.replace("\n", "\n  ") + "\n", "must be a mapping of settings, not [{'a0': "),
    ("alias bomb as name", "name:\n  " + BOMB.replace("\n", "\n  ") + "\n", "name must be text, not {'a0': ['x', "),
    ("merge bomb", MERGE_BOMB, "line 4: is not YAML: a mapping has more than 1000 keys"),
    ("itself", "&a {name: *a}\n", "name must be text, not {'name': {'name': "),
    (
        "set as pattern",
        "designs:\n- {name: x, points: 1, pattern: !!set {ab, ba}}\n",
        "designs[0].pattern must be a list",
    ),
]


@pytest.mark.parametrize(
    ("content", "message"), [case[1:] for case in REFUSED_FILES], ids=[case[0] for case in REFUSED_FILES]
)
def test_files_that_are_refused(content: str | bytes, message: str, tmp_path: Path) -> None:
    said = refusal_of_file(tmp_path / "rules.yaml", content)
    assert message in said
    assert len(said) < 300


def test_a_file_cannot_run_code(tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    for tag in ("object/apply:os.mkdir", "object/new:os.mkdir", "name:os.mkdir", "module:os"):
        said = refusal_of_file(tmp_path / "rules.yaml", f"name: !!python/{tag} ['{trace}']\n")
        assert "line 1: is not YAML: could not determine a constructor for the tag" in said
    assert not trace.exists()


def test_paths_that_cannot_be_read(tmp_path: Path) -> None:
    for load in (Rules.load, load_deck):
        for path, problem in ((tmp_path / "none.yaml", "No such file"), (tmp_path, "Is a directory"), ("a\0b", "null")):
            with pytest.raises(RulesError) as caught:
                load(path)
            assert str(caught.value).startswith(f"{path}: cannot be read: ")
            assert problem in str(caught.value)


def test_a_fault_in_a_deck_is_told_with_the_name_of_the_deck_file(tmp_path: Path) -> None:
    rules, deck = tmp_path / "rules.yaml", tmp_path / "deck.yaml"
    rules.write_text("designs: deck.yaml\n", encoding="utf-8")
    for content, message in (
        (None, "cannot be read: No such file or directory"),
        ("[]", "must be a mapping with the key designs, not []"),
        ("designz: []", "designs is missing"),
        ("designs: {}", "designs must be a list, not {}"),
        ("designs: []", "designs: a deck must have 1 to 64 designs, not 0"),
        ("designs: [{name: x, points: 1, pattern: [A]}]", "designs[0].pattern: a pattern is made of letters"),
        (yaml.safe_dump({"designs": EASY_DESIGNS[:1] * 2}), "designs: 2 designs have the name 'pair'"),
    ):
        if content is not None:
            deck.write_text(content, encoding="utf-8")
        for load, path in ((Rules.load, rules), (load_deck, deck)):
            with pytest.raises(RulesError) as caught:
                load(path)
            assert str(caught.value).startswith(f"{deck}: {message}")


# --- Players, saving ---------------------------------------------------------------------------------


def test_players_that_cannot_be() -> None:
    wrong: list[Any] = [1, 5, -1, 0, 10**5000, 2.0, "2", None, True, int, np.float64(2), np.array([2, 3])]
    for players in wrong:
        with pytest.raises(RulesError, match="players must be 2 to 4, not "):
            Rules().check_players(players)
        with pytest.raises(RulesError, match="players must be 2 to 4, not "):
            Game(players=players, seed=1)


def test_players_that_can_be() -> None:
    assert [Rules().check_players(players) for players in (2, np.int8(3), np.uint64(4))] == [2, 3, 4]
    rules = Rules(name="rich", tokens={"start": 16})
    assert rules.check_players(3) == 3
    message = "rules 'rich': tokens.start must be at most 12 for 4 players, not 16: there are 48 tokens"
    with pytest.raises(RulesError, match=message):
        rules.check_players(4)


def test_a_failed_save_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "rules.yaml"
    Rules().save(path)
    before = path.read_bytes()

    def fail(self: Path, *_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    for step in ("write_text", "replace"):
        with monkeypatch.context() as patch:
            patch.setattr(Path, step, fail)
            with pytest.raises(RulesError, match="cannot be written: No space left on device"):
                Rules(name="other").save(path)
        assert path.read_bytes() == before
        assert [file.name for file in tmp_path.iterdir()] == ["rules.yaml"]
    with pytest.raises(UnicodeEncodeError):
        write_whole(path, "\ud800")
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["rules.yaml"]


def test_places_where_nothing_can_be_saved(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    for path in (tmp_path / "folder", tmp_path / "none" / "rules.yaml", "a\0b"):
        with pytest.raises(RulesError, match="cannot be written: "):
            Rules().save(path)
    assert [file.name for file in tmp_path.iterdir()] == ["folder"]


def test_rules_and_designs_cannot_be_changed() -> None:
    rules = Rules()
    with pytest.raises(ValueError, match="frozen"):
        rules.name = "other"  # type: ignore[misc]
    with pytest.raises(ValueError, match="frozen"):
        rules.designs[0].points = 2  # type: ignore[misc]
    assert Design(name="x", points=1, pattern=("ab",)).to_dict() == {"name": "x", "points": 1, "pattern": ["ab"]}
