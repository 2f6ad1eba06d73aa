"""The compiled count of a game against a slow one from its JSON states, and its figures against plain sums."""

from functools import lru_cache

import numpy as np
import pytest

from agents import register
from balance.counts import actions_of, tokens_of
from balance.course import OUT_OF_IT, SETTLED, courses
from balance.games import table_of
from balance.simulate import Played, simulate
from balance.tally import FATES, FLOWS, HELD, INCOME, LOST, SCORED, USED
from balance.winning import chances_of
from ettana_env import Rules
from ettana_env.vocabulary import CARD_OF, DIE_COLOURS, KINDS, VERBS
from tests.balance.recount import Count, Kept, recount

CASES = {
    "base": (Rules(), 4, "greedy", 3),
    "variant": (
        Rules(
            rim_squares=True,
            roll_again_collects=False,
            place_by_choice=False,
            prices={"action": 1, "swap": 1, "design": 1},
            start_cards={"design": 2, "action": 3},
            points_to_win=5,
        ),
        3,
        "planner",
        3,
    ),
    "short of tokens": (Rules(tokens={"total": 12, "start": 2}, points_to_win=4), 2, "random", 2),
}


@lru_cache
def counted(case: str) -> tuple[Played, list[Count]]:
    rules, players, agent, games = CASES[case]
    kept = Kept(agent)
    name = f"kept-{case.replace(' ', '-')}"
    register(name, lambda: kept)
    played = simulate([name], rules, players, games, seed=5)
    return played, [recount(rules, players, int(seed), kept.chosen[int(seed)]) for seed in played.tallies["seed"]]


@pytest.mark.parametrize("case", CASES)
def test_the_tally_is_what_a_slow_count_finds(case: str) -> None:
    played, counts = counted(case)
    assert played.games == CASES[case][3]
    for tally, count in zip(played.tallies, counts, strict=True):
        seats = range(played.players)
        last = count.last
        assert (tally["winner"] if tally["winner"] >= 0 else None) == last["winner"]
        assert tally["turns"] == count.turns
        assert tally["actions"] == last["actions"]
        assert tally["starter"] == count.starter
        assert tally["points"][: played.players].tolist() == last["points"]
        assert tally["decisions"][: played.players].tolist() == [count.decisions[seat] for seat in seats]
        assert tally["options"].sum() == count.options
        verbs = {(seat, verb): int(tally["verbs"][seat, n]) for seat in seats for n, verb in enumerate(VERBS)}
        assert {key: many for key, many in verbs.items() if many} == dict(count.verbs)
        flows = {(seat, flow): int(tally["flows"][seat, n]) for seat in seats for n, flow in enumerate(FLOWS)}
        assert {key: many for key, many in flows.items() if many} == {k: v for k, v in count.flows.items() if v}
        assert {n: many for n, many in enumerate(tally["stood"].tolist()) if many} == dict(count.squares)
        colours = dict(zip(DIE_COLOURS, tally["colours"].tolist(), strict=True))
        assert {colour: many for colour, many in colours.items() if many} == dict(count.colours)
        assert tally["octagons"].sum() == tally["claim_colours"].sum() == count.claimed_cells
        assert tally["at_leader"] == count.at_leader
        assert tally["stuck"] == count.stuck


@pytest.mark.parametrize("case", CASES)
def test_tokens_that_came_less_those_that_went_are_held_at_the_end(case: str) -> None:
    played, counts = counted(case)
    for tally, count in zip(played.tallies, counts, strict=True):
        flows = tally["flows"][: played.players]
        held = flows[:, :INCOME].sum(axis=1) - flows[:, INCOME:].sum(axis=1)
        assert held.tolist() == count.last["tokens"]
    table = tokens_of(played).set_index("flow")
    assert table.loc["swaps", "per_player"] == pytest.approx(played.tallies["flows"][:, : played.players, 8].mean())


@pytest.mark.parametrize("case", CASES)
def test_every_card_drawn_meets_its_fate(case: str) -> None:
    """Used as often as its actions were done; what is held is in the hands at the end."""
    played, counts = counted(case)
    first = played.draw_first
    for game, count in enumerate(counts):
        draws = played.draws[first[game] : first[game + 1]]
        assert played.tallies["draws_lost"][game] == 0
        for seat in range(played.players):
            mine = draws[draws["seat"] == seat]
            for number, kind in enumerate(KINDS):
                of_kind = mine[mine["card"] == number]["fate"]
                done = sum(count.verbs[seat, verb] for verb, card in CARD_OF.items() if card == kind)
                assert (of_kind == USED).sum() == done
                assert (of_kind == HELD).sum() == count.last["action_hands"][seat].count(kind)
                if kind == "victory_point":
                    assert (of_kind == SCORED).sum() == count.last["victory_cards"][seat]
            designs = mine[mine["card"] >= len(KINDS)]
            assert (designs["fate"] == USED).sum() == len(count.last["claimed"][seat])
            assert (designs["fate"] == HELD).sum() == len(count.last["design_hands"][seat])
            assert (designs["fate"] == LOST).sum() == count.verbs[seat, "exchange"]
        assert len(FATES) == 4


@pytest.mark.parametrize("case", CASES)
def test_positions_are_those_in_which_turns_began(case: str) -> None:
    played, counts = counted(case)
    first = played.position_first
    for game, count in enumerate(counts):
        seen = played.positions[first[game] : first[game + 1]]
        begun = count.begun[: len(seen)]
        assert len(seen) == min(len(count.begun), 256)
        assert seen["player"].tolist() == [state["player"] for state in begun]
        assert seen["points"][:, : played.players].tolist() == [state["points"] for state in begun]
        assert seen["tokens"][:, : played.players].tolist() == [state["tokens"] for state in begun]


def test_the_course_of_games_is_what_plain_sums_over_the_chances_give() -> None:
    played = simulate(["greedy"], players=3, games=12, seed=3)
    chances = chances_of(played)
    table = courses(played, chances)
    for game in range(played.games):
        mine = chances.chances[chances.first[game] : chances.first[game + 1]]
        winner = chances.winner[game]
        assert mine.sum(axis=1) == pytest.approx(1)
        favourites = mine.argmax(axis=1)
        assert table["lead_changes"][game] == (favourites[1:] != favourites[:-1]).sum()
        behind = favourites != winner
        assert table["behind"][game] == pytest.approx(behind.mean())
        gaps = (mine.max(axis=1) - mine[:, winner])[behind]
        assert table["drama"][game] == pytest.approx(gaps.mean() if len(gaps) else 0)
        assert table["lowest"][game] == pytest.approx(mine[:, winner].min())
        unsure = np.flatnonzero(mine[:, winner] <= SETTLED)
        settled = 1 - (unsure[-1] + 1 if len(unsure) else 0) / len(mine)
        assert table["settled"][game] == pytest.approx(settled)
        openness = -(mine * np.log(mine)).sum(axis=1) / np.log(3)
        assert table["uncertainty"][game] == pytest.approx(openness.mean())
        half = len(mine) // 2
        assert table["favourite_won"][game] == (favourites[half] == winner)
        assert table["last_won"][game] == (mine[half].argmin() == winner)
        movers = played.positions["player"][chances.first[game] : chances.first[game + 1]]
        out = mine[np.arange(len(mine)), movers] < OUT_OF_IT
        assert table["turns_out"][game] == out.sum()
        made = sum(
            out[turn] and favourites[turn + 1] != favourites[turn] and movers[turn] not in favourites[turn : turn + 2]
            for turn in range(len(mine) - 1)
        )
        assert table["kings_made"][game] == made


def test_shares_of_turns_and_of_income_are_what_they_say() -> None:
    played, counts = counted("base")
    games = table_of(played, chances_of(played), "greedy")
    for n, count in enumerate(counts):
        thefts = sum(many for (_, verb), many in count.verbs.items() if verb in ("steal_card", "steal_tokens"))
        assert games["thefts"][n] == thefts
        assert games["turns"][n] == count.turns
        assert games["downtime"][n] == pytest.approx(3 * sum(count.decisions.values()) / count.turns)
        assert games["options"][n] == pytest.approx(count.options / sum(count.decisions.values()))
        gained = sum(many for (_, flow), many in count.flows.items() if flow in FLOWS[1:INCOME])
        assert games["income"][n] == pytest.approx(gained / count.turns)
    table = actions_of(played).set_index("action")
    claims = sum(many for count in counts for (_, verb), many in count.verbs.items() if verb == "claim")
    assert table.loc["claim", "per_game"] == pytest.approx(claims / len(counts))
    assert (table["taken"].dropna() <= 1).all()
