"""Fit the weights of the outlook to games of planners: `python -m agents.fit_outlook`."""

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import logsumexp

from agents.outlook import OTHER, OWN, look_at_all
from ettana_env import BatchEnv
from ettana_env.opponents import opponent
from ettana_env.vocabulary import MAX_PLAYERS, NONE, ROLL

Sample = tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int64], NDArray[np.int64]]


def positions(players: int, games: int, seed: int) -> Sample:
    """What a seat sees of some games whenever someone is about to roll: own parts, others', players, who won.

    Seats are counted from the one that looks on.
    """
    env = BatchEnv(games, players=players, autoreset=False)
    env.reset(seed)
    agent = opponent("planner")
    own, others = np.zeros((games, MAX_PLAYERS, len(OWN))), np.zeros((games, MAX_PLAYERS, len(OTHER)))
    seen: list[tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]] = []
    winners = np.full(games, NONE)
    while (env.seats != NONE).any():
        active = env.seats != NONE
        rolling = np.flatnonzero(active & (env.games["phase"] == ROLL))
        look_at_all(env._tables, env._games, rolling, own, others)
        seen.append((rolling, own[rolling], others[rolling]))
        env.step(agent.choose(env, active))
        ended = active & env.terminated
        winners[ended] = env.ended_winners[ended]
    game, mine, theirs = (np.concatenate(parts) for parts in zip(*seen, strict=True))
    kept = winners[game] != NONE
    game, mine, theirs = game[kept], mine[kept], theirs[kept]
    views = []
    for seat in range(players):
        order = [*((np.arange(players) + seat) % players), *range(players, MAX_PLAYERS)]
        views.append((mine[:, seat], theirs[:, order], np.full(len(game), players), (winners[game] - seat) % players))
    return joined(views)


def joined(samples: list[Sample]) -> Sample:
    """Several samples as one."""
    own, others, players, won = (np.concatenate(parts) for parts in zip(*samples, strict=True))
    return own, others, players, won


def strengths(weights: NDArray[np.float64], sample: Sample) -> NDArray[np.float64]:
    """By position and relative seat, -inf for seats nobody plays."""
    own, others, players, _ = sample
    found = others @ weights[len(OWN) :]
    found[:, 0] = own @ weights[: len(OWN)]
    found[np.arange(MAX_PLAYERS)[None, :] >= players[:, None]] = -np.inf
    return found


def loss(weights: NDArray[np.float64], sample: Sample) -> tuple[float, NDArray[np.float64]]:
    """The mean surprise at who won, and its gradient."""
    own, others, _, won = sample
    found = strengths(weights, sample)
    chances = np.exp(found - logsumexp(found, axis=1, keepdims=True))
    rows = np.arange(len(won))
    surprise = -np.log(chances[rows, won]).mean()
    error = chances
    error[rows, won] -= 1
    theirs = np.einsum("ns,nsf->f", error[:, 1:], others[:, 1:])
    return float(surprise), np.concatenate([error[:, 0] @ own, theirs]) / len(won)


def main() -> None:
    """Fit, and print the weights and how well the outlook foresees games it was not fitted to."""
    train = joined([positions(players, 3000, seed=10_000_000) for players in (2, 3, 4)])
    test = joined([positions(players, 1000, seed=20_000_000) for players in (2, 3, 4)])
    fitted = minimize(loss, np.zeros(len(OWN) + len(OTHER)), (train,), jac=True, method="L-BFGS-B").x
    chance = np.exp(strengths(fitted, test))
    own = chance[:, 0] / chance.sum(axis=1)
    won = test[3] == 0
    print(
        f"{len(train[3]):,} positions; surprise {loss(fitted, train)[0]:.4f}, on new games {loss(fitted, test)[0]:.4f}"
    )
    for low in np.arange(0, 1, 0.1):
        there = (own >= low) & (own < low + 0.1)
        if there.any():
            print(f"foreseen {own[there].mean():.3f}, won {won[there].mean():.3f} of {there.sum():,}")
    print("OWN_WEIGHTS = np.array([" + ", ".join(f"{w:.3f}" for w in fitted[: len(OWN)]) + "])")
    print("OTHER_WEIGHTS = np.array([" + ", ".join(f"{w:.3f}" for w in fitted[len(OWN) :]) + "])")


if __name__ == "__main__":
    main()
