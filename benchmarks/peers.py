"""Random legal play of peers' games with observation and mask at every step, as JSON: steps a second.

Run by `python -m benchmarks.environments` and `python -m benchmarks.agents` in an environment of its own
(`benchmarks/peers.txt`): Pgx's backgammon in a batch of 1024, OpenSpiel's with its observation tensor and mask; and
whole games of Catanatron with the players of its package (its value-function player is not among them).
"""

import json
import random
import sys
import time

SECONDS = 6.0


def pgx_backgammon(batch: int = 1024) -> float:
    """Pgx: one jitted step over the batch, restarted games included; observation and mask come back each time."""
    import jax
    import jax.numpy as jnp
    import pgx

    env = pgx.make("backgammon")
    start, step = jax.vmap(env.init), jax.vmap(env.step)

    @jax.jit
    def advance(state, key):  # type: ignore[no-untyped-def]
        choose, act, reset = jax.random.split(key, 3)
        logits = jnp.where(state.legal_action_mask, 0.0, -jnp.inf)
        actions = jax.random.categorical(choose, logits, axis=1)
        after = step(state, actions, jax.random.split(act, batch))
        fresh = start(jax.random.split(reset, batch))
        over = after.terminated | after.truncated
        after = jax.tree.map(
            lambda new, old: jnp.where(over.reshape((-1,) + (1,) * (old.ndim - 1)), new, old), fresh, after
        )
        return after, after.observation, after.legal_action_mask

    key = jax.random.PRNGKey(0)
    state = jax.jit(start)(jax.random.split(key, batch))
    state, seen, _ = advance(state, key)
    seen.block_until_ready()
    steps, begin = 0, time.perf_counter()
    while time.perf_counter() - begin < SECONDS:
        key, now = jax.random.split(key)
        state, seen, mask = advance(state, now)
        seen.block_until_ready()
        mask.block_until_ready()
        steps += batch
    return steps / (time.perf_counter() - begin)


def open_spiel_backgammon() -> float:
    """OpenSpiel: a Python loop over its C++ game, the tensor and the mask of the player to move at every decision."""
    import numpy as np
    import pyspiel

    game = pyspiel.load_game("backgammon")
    draw = random.Random(0)
    actions = game.num_distinct_actions()
    state, steps, begin = game.new_initial_state(), 0, time.perf_counter()
    while time.perf_counter() - begin < SECONDS:
        if state.is_terminal():
            state = game.new_initial_state()
        elif state.is_chance_node():
            outcomes = state.chance_outcomes()
            state.apply_action(outcomes[int(draw.random() * len(outcomes))][0])
        else:
            np.asarray(state.observation_tensor(state.current_player()), np.float32)
            legal = state.legal_actions()
            mask = np.zeros(actions, np.int8)
            mask[legal] = 1
            state.apply_action(legal[int(draw.random() * len(legal))])
            steps += 1
    return steps / (time.perf_counter() - begin)


def catanatron_games() -> dict[str, float]:
    """Catanatron: whole games of four of one kind of player, a second."""
    from catanatron import Color, Game, RandomPlayer
    from catanatron.players.search import VictoryPointPlayer
    from catanatron.players.weighted_random import WeightedRandomPlayer

    colours = Color.RED, Color.BLUE, Color.WHITE, Color.ORANGE
    kinds = {"random": RandomPlayer, "weighted random": WeightedRandomPlayer, "victory points": VictoryPointPlayer}
    rates = {}
    for name, kind in kinds.items():
        random.seed(0)
        games, begin = 0, time.perf_counter()
        while time.perf_counter() - begin < SECONDS:
            Game([kind(colour) for colour in colours]).play()
            games += 1
        rates[name] = games / (time.perf_counter() - begin)
    return rates


if __name__ == "__main__":
    if sys.argv[1] == "catanatron":
        print(json.dumps(catanatron_games()))
    else:
        measure = {"pgx": pgx_backgammon, "open_spiel": open_spiel_backgammon}[sys.argv[1]]
        print(json.dumps({"steps_per_second": measure()}))
