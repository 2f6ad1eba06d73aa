"""States that differ only in what a seat cannot know (R8.2, R8.3)."""

import random
from typing import Any

from ettana_env import Game

Json = dict[str, Any]


def reshuffled(game: Game, seat: int, seed: int) -> Game:
    """The same game to `seat`, with the others' hands, both stacks and all chance to come dealt anew."""
    draw = random.Random(seed)
    state = game.to_dict()
    others = [other for other in range(game.players) if other != seat]
    actions = [card for other in others for card in state["action_hands"][other]] + state["action_stack"]
    victory = [card for card in actions if card == "victory_point"]
    plain = [card for card in actions if card != "victory_point"]
    draw.shuffle(plain)
    for other in others:
        size = len(state["action_hands"][other])
        state["action_hands"][other] = plain[:size]
        plain = plain[size:]
    rest = plain + victory
    draw.shuffle(rest)
    state["action_stack"] = rest
    designs = [name for other in others for name in state["design_hands"][other]] + state["design_stack"]
    draw.shuffle(designs)
    for other in others:
        size = len(state["design_hands"][other])
        state["design_hands"][other] = designs[:size]
        designs = designs[size:]
    state["design_stack"] = designs
    return Game.from_dict(ordered(game, state), game.rules, seed=draw.randrange(2**62))


def ordered(game: Game, state: Json) -> Json:
    """The state with its hands in the order of the kind list and of the deck."""
    kinds = list(game.rules.action_cards.model_dump())
    deck = [design.name for design in game.rules.designs]
    return {
        **state,
        "action_hands": [sorted(hand, key=kinds.index) for hand in state["action_hands"]],
        "design_hands": [sorted(hand, key=deck.index) for hand in state["design_hands"]],
    }
