"""`ettana agents`: who can play."""

import inspect
from typing import Any

from rich.table import Table

from agents import known
from ettana_cli.options import AsJson, Code, load_all
from ettana_cli.screen import console, print_json
from ettana_env.opponents import options_of


def agents(code: Code = None, as_json: AsJson = False) -> None:
    """List the agents that can be named, with their options.

    [bold]ettana agents[/]   then, for example   [bold]ettana evaluate planner:style=thief,width=8[/]
    """
    load_all(code)
    found: list[dict[str, Any]] = []
    for name, make in known().items():
        options = {key: _default(option) for key, option in options_of(make).items()}
        found.append({"name": name, "about": (inspect.getdoc(make) or "").partition("\n")[0], "options": options})
    if as_json:
        print_json({"agents": found})
        return
    table = Table("name", "options and defaults", "how it plays", box=None, pad_edge=False)
    for agent in found:
        settings = ", ".join(f"{key}={value}" for key, value in agent["options"].items())
        table.add_row(agent["name"], settings, agent["about"])
    console.print(table)


def _default(option: inspect.Parameter) -> object:
    return None if option.default is inspect.Parameter.empty else option.default
