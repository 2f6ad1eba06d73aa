"""Planning features: each number recomputed the slow way, from its definition."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from ettana_env import BatchEnv, EttanaError, Game, Rules
from ettana_env.engine.distance import IMPOSSIBLE, distance
from ettana_env.features import ACTION_FEATURES, action_features, features_space
from ettana_env.vocabulary import VERBS
from tests.hiding import reshuffled
from tests.playing import played, rules_of
from tests.positions import position

Json = dict[str, Any]
NAMES = [feature.name for feature in ACTION_FEATURES]
CHANGES = ("free_swap", "buy_swap", "swap_card", "replace_yarn")
MOVES = ("step", "jump", "move_card")
WIDE = {"start_cards": {"design": 3, "action": 8}, "tokens": {"total": 200, "start": 20}}


def named(row: NDArray[np.float32]) -> dict[str, float]:
    return {name: float(value) for name, value in zip(NAMES, row, strict=True)}


def held(game: Game) -> list[int]:
    hand = int(game.record.design_hands[game.player])
    return [design for design in range(len(game.rules.designs)) if hand >> design & 1]


def distances(game: Game, designs: list[int]) -> dict[int, int]:
    return {design: int(distance(game._tables[0], game.record, design)) for design in designs}


def value(rules: Rules, design: int, swaps: int) -> float:
    return 0.0 if swaps == IMPOSSIBLE else rules.designs[design].points / rules.points_to_win * 0.5**swaps


def changed(game: Game, action: Json) -> Game:
    """The game with the yarns as the action leaves them."""
    state = game.to_dict()
    yarns, reserve = state["yarns"], state["reserve_yarns"]
    if action["kind"] == "replace_yarn":
        octagon, colour = action["octagon"], action["colour"]
        reserve[reserve.index(colour)] = yarns[octagon]
        yarns[octagon] = colour
        order = ["green", "red", "yellow", "blue", "purple"]
        reserve.sort(key=order.index)
    else:
        a, b = action["a"], action["b"]
        yarns[a], yarns[b] = yarns[b], yarns[a]
    return Game.from_dict(state, game.rules, seed=1)


def expected_change(game: Game, action: Json) -> dict[str, float]:
    """Gain, closeness, points and wins by their definitions."""
    rules, designs = game.rules, held(game)
    before, after = distances(game, designs), distances(changed(game, action), designs)
    closer = [design for design in designs if after[design] < before[design]]
    points = sum(rules.designs[design].points for design in closer if after[design] == 0)
    complete = sum(rules.designs[design].points for design in designs if after[design] == 0)
    own = int(game.record.points[game.player])
    return {
        "gain": sum(value(rules, d, after[d]) - value(rules, d, before[d]) for d in closer),
        "closeness": max((0.5 ** after[design] for design in closer), default=0.0),
        "points": points / rules.points_to_win,
        "wins": float(own + complete >= rules.points_to_win),
    }


def rich_game(variant: str, players: int, seed: int, steps: int) -> Game:
    rules = rules_of(variant).but(start_cards=WIDE["start_cards"], tokens=WIDE["tokens"])
    return played(rules, players, seed, steps, seed)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("variant", ["base", "mirror images", "many cards"])
def test_what_swaps_and_replacements_do(variant: str, seed: int) -> None:
    game = rich_game(variant, 2 + seed % 3, seed, 20 + 13 * seed)
    if game.over:
        return
    rows = action_features(game)
    for index, action in zip(game.legal_indices(), game.legal_actions(), strict=True):
        if action["kind"] in CHANGES:
            found = named(rows[index])
            for name, number in expected_change(game, action).items():
                assert found[name] == pytest.approx(number, abs=1e-6), (action, name)


def ways(game: Game, design: int) -> dict[tuple[Any, ...], int]:
    """The cost of every way to complete a design: its placement and colours; 2-group designs only."""
    t, g = game._tables[0], game.record
    costs = {}
    for place in range(t.place_first[design], t.place_first[design + 1]):
        cells = [[o for o in range(25) if int(t.place_mask[place, group]) >> o & 1] for group in (0, 1)]
        for a in range(5):
            for b in range(5):
                if a != b:
                    first, second = [g.yarns[o] for o in cells[0]], [g.yarns[o] for o in cells[1]]
                    wrong = sum(yarn != a for yarn in first) + sum(yarn != b for yarn in second)
                    costs[place, a, b] = wrong - min(first.count(b), second.count(a))
    return costs


def test_harm_is_when_every_cheapest_way_gets_longer() -> None:
    two_groups = [design for design in Rules().designs if len(design.groups) == 2]
    rules = Rules(designs=two_groups, **WIDE)
    harmful = harmless = 0
    for seed in range(12):
        game = played(rules, 2, seed, 30, seed)
        if game.over or int(game.record.reserve_yarns.max()) > 1:
            continue  # colours are short: some ways are barred
        rows = action_features(game)
        before = {design: ways(game, design) for design in held(game)}
        for index, action in zip(game.legal_indices(), game.legal_actions(), strict=True):
            if action["kind"] != "buy_swap":
                continue
            then, harm = changed(game, action), 0.0
            for design, costs in before.items():
                after, best = ways(then, design), min(costs.values())
                if all(after[way] > best for way, cost in costs.items() if cost == best):
                    harm += value(rules, design, best) / 2
            assert named(rows[index])["harm"] == pytest.approx(harm, abs=1e-6)
            harmful, harmless = harmful + (harm > 0), harmless + (harm == 0)
    assert harmful > 50
    assert harmless > 50


@pytest.mark.parametrize("seed", range(6))
def test_a_move_is_judged_by_its_best_free_swap(seed: int) -> None:
    game = rich_game("rim squares" if seed % 2 else "base", 3, seed, 25 + 7 * seed)
    if game.over or game.record.moved:
        return
    rows = action_features(game)
    for index, action in zip(game.legal_indices(), game.legal_actions(), strict=True):
        if action["kind"] not in MOVES:
            continue
        then = game.copy()
        then.play(index)
        if then.over:
            continue
        swaps = action_features(then)
        free = [
            named(swaps[other])
            for other in then.legal_indices()
            if VERBS[then.actions.parts[other].verb] == "free_swap"
        ]
        winning = [swap for swap in free if swap["wins"] and swap["points"]]
        good = [swap for swap in winning or free if winning or swap["gain"] > swap["harm"]]
        best = max(good, key=lambda swap: swap["gain"] - swap["harm"], default=dict.fromkeys(NAMES, 0.0))
        found = named(rows[index])
        assert found["gain"] - found["harm"] == pytest.approx(best["gain"] - best["harm"], abs=1e-6)
        ready = sum(game.rules.designs[d].points for d, swaps in distances(game, held(game)).items() if swaps == 0)
        enough = int(game.record.points[game.player]) + ready >= game.rules.points_to_win
        assert found["wins"] == (best["wins"] if good else float(enough))
        assert found["tokens"] == pytest.approx(-len(action.get("pay", [])) / 10)
        assert found["others"] == pytest.approx(len(action.get("pay", [])) / 10)


def in_reach(rules: Rules, lacks: dict[int, int], tokens: int, cards: int) -> int:
    """The points that so many tokens and swap cards complete, the nearest design first, then the one worth most."""
    swaps = cards + tokens // rules.prices.swap
    points = 0
    for design in sorted(lacks, key=lambda design: (lacks[design], -rules.designs[design].points)):
        if lacks[design] <= swaps:
            swaps -= lacks[design]
            points += rules.designs[design].points
    return points


def owned(game: Game) -> tuple[int, int]:
    """Tokens and swap cards of the player to act."""
    return int(game.record.tokens[game.player]), game.to_dict()["action_hands"][game.player].count("swap")


def test_reach_is_what_the_turn_can_still_complete() -> None:
    """Where no design is harmed; one that is counts as one swap further away."""
    assert sum(reach_checked(seed) for seed in range(14)) > 500


def reach_checked(seed: int) -> int:
    game = rich_game("base", 2 + seed % 3, seed, 15 + 11 * seed)
    if game.over:
        return 0
    spent = max(0, int(game.record.tokens[game.player]) - 3 - seed)
    game.record.tokens[game.player] -= spent
    game.record.bank += spent
    rules, rows = game.rules, action_features(game)
    now = distances(game, held(game)[:6])
    tokens, cards = owned(game)
    gained = {"collect_three": 3, "buy_action": -2, "buy_design": -3}
    checked = 0
    for index, action in zip(game.legal_indices(), game.legal_actions(), strict=True):
        kind, found = action["kind"], named(rows[index])
        reach = round(found["reach"] * rules.points_to_win, 4)
        if kind in CHANGES:
            after = distances(changed(game, action), list(now))
            left = tokens - 3 * (kind == "buy_swap"), cards - (kind == "swap_card")
            if found["harm"] == 0:
                assert reach == in_reach(rules, {d: min(now[d], after[d]) for d in now}, *left)
                checked += 1
        elif kind in ("roll", "preset", "end_turn", "exchange", "roll_again"):
            assert reach == 0
        elif kind in gained:
            assert reach == in_reach(rules, now, tokens + gained[kind], cards)
            checked += 1
        elif kind in ("claim", "tax", "get_design", "steal_card", "replace_tile"):
            assert reach == in_reach(rules, now, tokens, cards)
            checked += 1
        if kind not in ("roll", "preset", "end_turn", "exchange", "roll_again", "gain_tokens"):
            assert found["reach_wins"] == (int(game.record.points[game.player]) + reach >= rules.points_to_win)
    return checked


@pytest.mark.parametrize("seed", range(6))
def test_the_reach_of_a_move_is_that_of_its_best_free_swap(seed: int) -> None:
    game = rich_game("rim squares" if seed % 2 else "base", 3, seed, 25 + 7 * seed)
    if game.over or game.record.moved:
        return
    rows = action_features(game)
    for index, action in zip(game.legal_indices(), game.legal_actions(), strict=True):
        if action["kind"] in MOVES:
            then = game.copy()
            then.play(index)
            swaps = action_features(then)
            free = [i for i in then.legal_indices() if VERBS[then.actions.parts[i].verb] == "free_swap"]
            stay = in_reach(game.rules, distances(then, held(then)[:6]), *owned(then)) / game.rules.points_to_win
            best = max([stay, *(named(swaps[i])["reach"] for i in free)])
            assert named(rows[index])["reach"] == pytest.approx(best, abs=1e-6)


def test_what_a_draw_may_bring() -> None:
    """Out of the designs that the seat has not seen, those that the board completes; and victory points left."""
    checked = set()
    for seed in range(12):
        game = rich_game("base", 2 + seed % 3, seed, 5 + 9 * seed)
        if game.over:
            continue
        state, rules, rows = game.to_dict(), game.rules, action_features(game)
        gone = {name for claimed in state["claimed"] for name in claimed} | set(state["design_hands"][game.player])
        unseen = [n for n, design in enumerate(rules.designs) if design.name not in gone]
        ready = [rules.designs[n].points for n, swaps in distances(game, unseen).items() if swaps == 0]
        left = 3 - sum(state["victory_cards"])
        for index, action in zip(game.legal_indices(), game.legal_actions(), strict=True):
            found, kind = named(rows[index]), action["kind"]
            if kind in ("buy_design", "get_design", "exchange"):
                own = state["points"][game.player]
                assert found["draw"] == pytest.approx(sum(ready) / rules.points_to_win / len(unseen), abs=1e-6)
                wins = sum(own + points >= rules.points_to_win for points in ready)
                assert found["draw_wins"] == pytest.approx(wins / len(unseen), abs=1e-6)
                checked.add(kind)
            elif kind == "buy_action":
                odds = left / len(state["action_stack"]) if state["action_stack"] else 0.0
                assert found["draw"] == pytest.approx(odds / rules.points_to_win, abs=1e-6)
                checked.add(kind)
            else:
                assert found["draw"] == found["draw_wins"] == 0
    assert checked == {"buy_design", "get_design", "exchange", "buy_action"}


def test_squares() -> None:
    state = position(players=2)
    game = Game.from_dict(state, seed=1)
    rows = action_features(game)
    for index, action in zip(game.legal_indices(), game.legal_actions(), strict=True):
        if action["kind"] in ("step", "jump"):
            row, column = divmod(action["square"], 4)
            near = [state["yarns"][5 * (row + i) + column + j] for i in (0, 1) for j in (0, 1)]
            assert named(rows[index])["yield"] == pytest.approx(4 / 6)
            assert named(rows[index])["peak"] == max(near.count(colour) for colour in near) / 4


def test_rim_squares_yield_less() -> None:
    game = Game(Rules(rim_squares=True), 2, seed=3)
    seen = set()
    for _ in range(200):
        if game.over:
            break
        rows = action_features(game)
        for index in game.legal_indices():
            if VERBS[game.actions.parts[index].verb] in MOVES:
                seen.add(round(named(rows[index])["yield"] * 6))
        game.play(game.legal_indices()[0])
    assert seen == {1, 2, 4}


def card_tokens(kind: str, **changes: Any) -> list[tuple[Json, dict[str, float]]]:
    game = Game.from_dict(position(players=3, **changes), seed=1)
    rows = action_features(game)
    legal = zip(game.legal_indices(), game.legal_actions(), strict=True)
    return [(action, named(rows[index])) for index, action in legal if action["kind"] == kind]


def test_tokens_of_cards_and_prices() -> None:
    hand = ["steal_tokens", "collect_three", "gain_tokens", "tax"]
    given = {"tokens": [4, 1, 6], "action_hands": [hand, [], []]}
    thefts = {action["seat"]: found for action, found in card_tokens("steal_tokens", **given)}
    assert [thefts[seat]["tokens"] for seat in (1, 2)] == pytest.approx([0.1, 0.2])
    assert [thefts[seat]["others"] for seat in (1, 2)] == pytest.approx([-0.1, -0.2])
    [(_, three)] = card_tokens("collect_three", **given)
    assert three["tokens"] == pytest.approx(0.3)
    for action, found in card_tokens("gain_tokens", **given):
        number = action["number"]
        assert found["tokens"] == pytest.approx(number * (7 - number) / 6 / 10)
    [(_, tax)] = card_tokens("tax", **given)
    assert tax["tokens"] == 0.0
    assert tax["others"] == pytest.approx(-0.2)
    for kind, price in (("buy_action", 2), ("buy_design", 3), ("buy_swap", 3)):
        assert {round(found["tokens"], 6) for _, found in card_tokens(kind, **given)} == {-price / 10}


def test_claims_and_exchanges() -> None:
    checked = set()
    for seed in range(30):
        game = rich_game("many cards", 2, seed, 12 + seed)
        if game.over:
            continue
        rows, designs, now = action_features(game), held(game), distances(game, held(game))
        for index in game.legal_indices():
            parts = game.actions.parts[index]
            verb, found = VERBS[parts.verb], named(rows[index])
            if verb == "claim":
                worth = game.rules.designs[designs[parts.a]].points
                own = int(game.record.points[game.player])
                assert found["points"] == pytest.approx(worth / game.rules.points_to_win)
                assert found["wins"] == float(own + worth >= game.rules.points_to_win)
                checked.add(verb)
            elif verb == "exchange":
                design = designs[parts.a]
                assert found["harm"] == pytest.approx(value(game.rules, design, now[design]), abs=1e-6)
                checked.add(verb)
    assert checked == {"claim", "exchange"}


@pytest.mark.parametrize("variant", ["base", "rim squares", "many cards", "rich thieves", "expensive"])
def test_zero_where_masked_and_in_range_elsewhere(variant: str) -> None:
    for seed in range(8):
        game = played(rules_of(variant), 2 + seed % 3, seed, 11 * seed, seed)
        rows = action_features(game)
        assert not rows[~game.mask()].any()
        assert features_space(game.rules, len(game.actions)).contains(rows)


def test_what_is_hidden_stays_hidden() -> None:
    """R8.2, R8.3: the features do not change when what the seat cannot know is dealt anew."""
    for seed in range(25):
        game = rich_game("base", 2 + seed % 3, seed, 10 + 5 * seed)
        if not game.over:
            assert np.array_equal(action_features(reshuffled(game, game.player, seed)), action_features(game))


def test_the_game_is_left_as_it_was() -> None:
    for seed in range(10):
        game = rich_game("many cards", 3, seed, 40)
        before = game._games.tobytes()
        action_features(game)
        assert game._games.tobytes() == before


def test_an_unknown_set_of_features_is_refused() -> None:
    with pytest.raises(EttanaError, match='features must be "planning" or None'):
        BatchEnv(1, features="all")
