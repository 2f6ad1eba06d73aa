"""What the trainer learns from: each seat's own chain, slopes that are right, rows that are what was seen."""

from typing import Any, NamedTuple

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from agents.looking import Looker, Seen, together
from agents.network import Network, Shape
from agents.scoring import MOST_PARTS, PARTS, flat_parts, parts_of
from ettana_env import BatchEnv, Game, Rules
from ettana_env.actions import Catalogue
from ettana_env.features import action_features
from ettana_env.vocabulary import NONE
from train.buffer import Choices, SeatBuffer
from train.chains import ENDED, advantages_of
from train.config import ImitationConfig
from train.imitation import imitate, watched
from train.ppo import SelfPlayPPO
from train.selfplay import SelfPlayEnv


class Decision(NamedTuple):
    """What was paid until the seat's next decision, its value, its potential, and the value when the turn was over."""

    paid: float
    value: float
    potential: float
    foreseen: float | None


def by_hand(chain: list[Decision], ended: bool, gamma: float, trace: float, luck: float) -> list[float]:
    """Advantages by their definition: for each decision the sum of all later one-step errors, each with its weight.

    A step is from one stop to the next: decisions are stops, and so are ends of turns that have a value. Each decision
    passed on the way takes `trace` off what comes later (and the discount), each end of a turn `luck`. Potentials are
    those of decisions. If a chain does not end, its last decision's successor is not known yet: it has no advantage.
    """
    steps: list[tuple[int, float, float]] = []  # whose step, its error, the weight of what comes later
    for number, (paid, value, potential, foreseen) in enumerate(chain):
        if number + 1 < len(chain):
            then = paid + gamma * (chain[number + 1].value + chain[number + 1].potential)
        elif ended:
            then = paid
        else:
            break
        if foreseen is None:
            steps.append((number, then - potential - value, gamma * trace))
        else:
            steps += [(number, foreseen - potential - value, luck), (number, then - foreseen, gamma * trace)]
    found = [0.0] * len(chain)
    for first, (owner, _, _) in enumerate(steps):
        if first and steps[first - 1][0] == owner:
            continue  # the end of a turn is nobody's decision
        weight = 1.0
        for _, error, left in steps[first:]:
            found[owner] += weight * error
            weight *= left
    return found


def some_decision(rng: np.random.Generator) -> Decision:
    paid, value, potential, foreseen = rng.normal(size=4)
    return Decision(paid, value, potential, foreseen if rng.random() < 0.5 else None)


@pytest.mark.parametrize("luck", [1.0, 0.3])
@pytest.mark.parametrize(("gamma", "trace"), [(1.0, 0.95), (0.9, 0.7), (1.0, 1.0)])
def test_advantages_follow_each_seats_chain(gamma: float, trace: float, luck: float) -> None:
    rng = np.random.default_rng(5)
    for _ in range(50):
        lengths = rng.integers(1, 9, size=4)
        ends = [bool(end) for end in rng.integers(0, 2, size=4)]
        chains = [[some_decision(rng) for _ in range(length)] for length in lengths]
        turns = rng.permutation(np.repeat(np.arange(4), lengths))
        rows: list[tuple[int, int]] = []
        for seat in turns:
            rows.append((int(seat), sum(1 for earlier, _ in rows if earlier == seat)))
        place = {row: number for number, row in enumerate(rows)}
        following = np.array([place.get((seat, step + 1), ENDED if ends[seat] else NONE) for seat, step in rows])
        paid, values, potentials, foreseen = np.array([chains[seat][step] for seat, step in rows], np.float64).T
        advantages, later = np.zeros((2, len(rows)))
        advantages_of(following, paid, values, foreseen, potentials, gamma, trace, luck, advantages, later)
        expected = [by_hand(chain, ended, gamma, trace, luck) for chain, ended in zip(chains, ends, strict=True)]
        for number, (seat, step) in enumerate(rows):
            if following[number] != NONE:
                assert advantages[number] == pytest.approx(expected[seat][step])
            else:
                assert advantages[number] == 0


def test_what_came_after_a_turn_is_told_apart_from_the_turn() -> None:
    """With no luck counted, the last decision of a turn is worth what the turn was when it was over, no more."""
    following, paid = np.array([1, 2, ENDED]), np.array([0.0, 0.0, 1.0])
    values, foreseen = np.array([0.1, 0.2, 0.6]), np.array([np.nan, 0.3, np.nan])
    advantages, later = np.zeros((2, 3))
    advantages_of(following, paid, values, foreseen, np.zeros(3), 1.0, 1.0, 0.0, advantages, later)
    assert advantages == pytest.approx([0.1 + 0.1, 0.1, 0.4])
    assert later == pytest.approx([0.3, 1.0, 1.0])


def buffer_for(env: SelfPlayEnv) -> SeatBuffer:
    return SeatBuffer(
        8,
        env.observation_space,
        env.action_space,
        "cpu",
        games=env.num_envs,
        gamma=1.0,
        gae_lambda=1.0,
        n_envs=env.num_envs,
    )


def test_every_seat_receives_the_result_of_its_game() -> None:
    """With no discount, no bootstrapping and a value of 0, the return of a decision is the result for its seat."""
    env = SelfPlayEnv(
        12, Rules(points_to_win=1, start_cards={"design": 2, "action": 0}, max_turns=60), [2, 3, 4], seed=3
    )
    env.reset()
    buffer = buffer_for(env)
    looker = Looker(["yarns", "points"])
    rng = np.random.default_rng(1)
    owners: list[tuple[int, int, int]] = []  # by row: game, how many games were played in its place before, seat
    turns: list[tuple[int, int, int]] = []  # the same by turn that was over
    played = np.zeros(12, np.int64)
    results: dict[tuple[int, int], NDArray[Any]] = {}
    buffer.reset()
    for _ in range(400):
        games = env.waiting()
        seen = looker.look(env.batch, games)
        seats = env.batch.seats.astype(np.int64)[games]
        chosen = (rng.random(len(games)) * np.diff(seen.offsets)).astype(np.int64)
        zeros = np.zeros(len(games), np.float32)
        buffer.decide(seen, games, seats, Choices(chosen, zeros, zeros, zeros))
        owners += [(int(game), int(played[game]), int(seat)) for game, seat in zip(games, seats, strict=True)]
        rewards, over = env.play(games, seen.actions[seen.offsets[:-1] + chosen].astype(np.int64))
        for ended in np.flatnonzero(over):
            results[int(ended), int(played[ended])] = rewards[ended].copy()
        ending = env.batch.turn_over[games]
        marks = np.arange(len(turns), len(turns) + ending.sum(), dtype=np.float32)[:, None]
        buffer.end_turns(games[ending], seats[ending], marks, np.zeros(ending.sum()))
        turns += [owner for owner, ends in zip(owners[-len(games) :], ending, strict=True) if ends]
        buffer.pay(rewards, over)
        played += over
    buffer.finish(0.0)
    assert len(results) > 5
    assert any(result.any() for result in results.values())
    usable = set(buffer.usable.tolist())
    for row, (game, number, seat) in enumerate(owners):
        if (game, number) in results:
            assert row in usable
            assert buffer.returns[row] == pytest.approx(results[game, number][seat])
    assert len(turns) == len(buffer.turn_rows) > 100
    for row, mark, came in zip(buffer.turn_rows, buffer.turn_inputs[:, 0], buffer.turn_returns, strict=True):
        game, number, seat = turns[int(mark)]
        assert owners[row] == (game, number, seat)
        if (game, number) in results:
            assert came == pytest.approx(results[game, number][seat])
    still_open = [row for row in range(buffer.length) if row not in usable]
    assert len(still_open) == (buffer._open != NONE).sum()
    # The open rows, and only they, go on into the next rollout.
    kept = buffer.seen.rows(np.array(still_open))
    buffer.reset()
    assert buffer.length == len(still_open)
    assert np.array_equal(buffer._seen[0].inputs, kept.inputs)
    ((rows, marks),) = buffer._turns
    assert [owners[still_open[row]] for row in rows] == [turns[int(mark)] for mark in marks[:, 0]]
    assert np.array_equal(np.flatnonzero(buffer.foreseen[: buffer.length] == 0), np.sort(rows))


def test_what_is_looked_at_is_what_the_seat_sees() -> None:
    env = BatchEnv(9, Rules(), [2, 3, 4], threads=2)
    env.reset(seed=4)
    looker = Looker()
    for _ in range(60):
        env.step(env.random_actions())
    marked = np.array([1, 4, 8])
    seen = looker.look(env, marked)
    from agents.looking import SCALE

    for n, i in enumerate(marked):
        game = env.game(int(i))
        there = slice(seen.offsets[n], seen.offsets[n + 1])
        assert seen.actions[there].tolist() == game.legal_indices()
        assert np.allclose(seen.features[there], action_features(game)[game.legal_indices()] * SCALE)
    again = together([seen.rows(np.array([2, 0])), seen.rows(np.array([1]))])
    assert np.array_equal(again.rows(np.array([1, 2, 0])).features, seen.features)


def test_every_action_has_its_parts() -> None:
    for rules in (Rules(), Rules(rim_squares=True)):
        table = parts_of(Catalogue(rules))
        assert table.shape == (len(Catalogue(rules)), MOST_PARTS)
        assert (table[:, 0] >= 0).all()
        assert table.max() < PARTS
        assert len(set(flat_parts(Catalogue(rules))[:, 0].tolist())) == len(Catalogue(rules))


def some_rows(shape: Shape) -> tuple[Network, Seen, NDArray[np.int64]]:
    env = BatchEnv(6, Rules(), 3)
    env.reset(seed=9)
    for _ in range(40):
        env.step(env.random_actions())
    torch.manual_seed(1)
    network = Network(Rules(), shape)
    torch.nn.init.normal_(network.by_verb)
    seen = network.looker().look(env, np.arange(6))
    return network, seen, (np.random.default_rng(2).random(6) * np.diff(seen.offsets)).astype(np.int64)


def plainly(network: Network, seen: Seen, chosen: NDArray[np.int64]) -> tuple[torch.Tensor, torch.Tensor]:
    """The same scores written down plainly in torch."""
    (out, hints, small, by_verb, weight), _ = network._heads(seen)
    parts, verbs = network._tables
    logs, entropies = [], []
    for row in range(len(chosen)):
        scores = []
        for e in range(seen.offsets[row], seen.offsets[row + 1]):
            action = seen.actions[e]
            features = torch.from_numpy(seen.features[e])
            verb = int(verbs[action])
            score = sum((out[row, int(part)] for part in parts[action] if part >= 0), torch.tensor(0.0))
            base = network._parts + verb * len(features)
            score = score + out[row, base : base + len(features)] @ features
            score = score + weight @ torch.relu(hints[row] + by_verb[verb] + features @ small)
            scores.append(score)
        log = torch.log_softmax(torch.stack(scores), 0)
        logs.append(log[int(chosen[row])])
        entropies.append(-(log.exp() * log).sum())
    return torch.stack(logs), torch.stack(entropies)


SHAPES = {
    "default": Shape((24,), hints=5),
    "no small network": Shape((24,), hints=0, features=9, prospects=False, without=()),
    "flat": Shape((24,), hints=0, head="flat", features=0, prospects=False, without=()),
}


@pytest.mark.parametrize("shape", SHAPES.values(), ids=list(SHAPES))
def test_scores_and_their_slopes_are_those_of_plain_torch(shape: Shape) -> None:
    network, seen, chosen = some_rows(shape)
    _, log_chosen, entropy = network.judge(seen, chosen)
    plain_log, plain_entropy = plainly(network, seen, chosen)
    assert torch.allclose(log_chosen, plain_log, atol=1e-4)
    assert torch.allclose(entropy, plain_entropy, atol=1e-4)
    weights = torch.linspace(-1, 2, len(chosen))

    def slopes(log: torch.Tensor, entropy: torch.Tensor) -> list[torch.Tensor]:
        network.zero_grad()
        ((weights * log).sum() + (weights.flip(0) * entropy).sum()).backward()  # type: ignore[no-untyped-call]
        return [parameter.grad.clone() for parameter in network.parameters() if parameter.grad is not None]

    for ours, plain in zip(
        slopes(*network.judge(seen, chosen)[1:]), slopes(*plainly(network, seen, chosen)), strict=True
    ):
        assert torch.allclose(ours, plain, atol=1e-4, rtol=1e-3)


def test_actions_are_drawn_by_their_chances() -> None:
    network, seen, _ = some_rows(SHAPES["default"])
    chances, _ = network.chances(seen)
    likeliest, _, _ = network.choose(seen, np.full(6, -1.0))
    one = seen.rows(np.array([0]))
    first = chances[: seen.offsets[1]]
    assert likeliest[0] == first.argmax()
    draws = np.random.default_rng(3).random(4000)
    counts = np.zeros(len(first))
    for draw in draws:
        counts[network.choose(one, np.array([draw]))[0][0]] += 1
    assert np.abs(counts / len(draws) - first).max() < 0.03


def test_a_policy_learns_to_claim() -> None:
    """In a race to one point a few updates are enough to win far more than an untrained policy."""
    rules = Rules(points_to_win=1, start_cards={"design": 3, "action": 0}, max_turns=60)
    torch.set_num_threads(1)
    env = SelfPlayEnv(32, rules, [2], seed=5)
    ppo = SelfPlayPPO(
        env, rules, shape=Shape((32,), hints=4), ticks=32, batch_size=512, learning_rate=2e-3, gamma=1.0, seed=2
    )
    before = game_length(ppo.policy.network, rules)
    ppo.learn(12_000)
    assert game_length(ppo.policy.network, rules) < before


def game_length(network: Network, rules: Rules) -> float:
    """The mean number of turns of games in which the network draws its actions."""
    from agents import play_games, register
    from agents.policy import NetworkAgent

    register("learner", lambda: NetworkAgent(network, greedy=False))
    return float(play_games(["learner", "learner"], rules, games=60, seed=8).rows["turns"].mean())


def test_the_vector_environment_is_one_that_tools_know() -> None:
    env = SelfPlayEnv(4, Rules(), [4], seed=1)
    first: Any = env.reset()
    assert first.shape == (4, env.batch.layout.size)
    masks = np.stack(env.env_method("action_masks"))
    actions = masks.argmax(axis=1)
    observations: Any
    observations, rewards, over, infos = env.step(actions)
    assert observations.shape == (4, env.batch.layout.size)
    assert rewards.shape == over.shape == (4,)
    assert len(infos) == 4
    game = Game(Rules(), 4, int(env.batch.seeds[0]))
    assert int(env.batch.players[0]) == game.players


def test_a_warm_start_learns_what_the_heuristic_plays() -> None:
    """After a little imitation the heuristic's actions are far likelier, and the value foresees who wins."""
    torch.set_num_threads(1)
    rules = Rules(points_to_win=2, start_cards={"design": 2, "action": 1})
    ppo = SelfPlayPPO(SelfPlayEnv(8, rules, [2], seed=5), rules, shape=Shape((32,), hints=4), batch_size=256, seed=2)
    config = ImitationConfig(agent="greedy", decisions=6000, passes=3, rate=2e-3)
    buffer = watched(ppo, "greedy", rules, [2, 3], games=32, decisions=config.decisions, seed=1)
    sample = buffer.seen.rows(buffer.usable)
    chosen = buffer.choices.chosen[buffer.usable]
    assert (chosen < np.diff(sample.offsets)).all()
    returns = buffer.returns[buffer.usable]
    assert set(np.unique(np.round(returns, 3))) == {-1.0, -0.5, 1.0}  # the results themselves, of 2 and of 3 players

    def judged() -> tuple[float, float]:
        with torch.no_grad():
            value, log_chosen, _ = ppo.policy.network.judge(sample, chosen)
        return float(log_chosen.mean()), float(((value.numpy() - returns) ** 2).mean())

    before = judged()
    told: list[dict[str, Any]] = []
    imitate(ppo, config, buffer, told.append)
    after = judged()
    assert after[0] > before[0] + 0.3
    assert after[1] < before[1]
    assert [event["passes"] for event in told] == [1, 2, 3]
