"""What the pages in the browser are made of: the facts of a table, and the files that draw it."""

import json
from importlib.resources import files
from typing import Any

from ettana_env import pictures
from ettana_env.rules import Rules
from ettana_env.states import Json

COLOURS: Json = {
    "yarns": pictures.YARNS,
    "on_yarn": pictures.ON_YARN,
    "seats": pictures.SEATS,
    "groups": pictures.GROUPS,
    "wood": pictures.WOOD,
    "tile": pictures.TILE,
    "ink": pictures.INK,
    "mark": pictures.MARK,
}


def static(name: str) -> str:
    """The text of a file that comes along."""
    return files("play").joinpath("static", name).read_text(encoding="utf-8")


def facts(rules: Rules, names: list[str]) -> Json:
    """What stays the same during a game: who plays, under which rules, and the colours it is drawn in."""
    return {
        "names": names,
        "rules": {
            "name": rules.name,
            "points_to_win": rules.points_to_win,
            "rim_squares": rules.rim_squares,
            "prices": rules.prices.model_dump(),
            "designs": {
                design.name: {"points": design.points, "pattern": list(design.pattern)} for design in rules.designs
            },
        },
        "colours": COLOURS,
    }


def in_script(value: Any) -> str:
    """JSON that can stand inside a script element, whatever texts are in it."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
