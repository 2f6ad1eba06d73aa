"""Everything a training run can be told, with its default; a YAML file sets some of it, `key=value` the rest."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from agents.network import WITHOUT
from ettana_env import Rules
from ettana_env.designs import read_yaml
from ettana_env.engine.planning import FEATURES
from ettana_env.errors import EttanaError
from ettana_env.rules import configs_folder

Share = Annotated[float, Field(ge=0, le=1)]
Count = Annotated[int, Field(ge=1)]


class Part(BaseModel):
    """A part of the settings: exactly these keys."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class NetworkConfig(Part):
    """The network."""

    hidden: tuple[Count, ...] = Field((256, 256), description="widths of the dense layers of the trunk")
    hints: Annotated[int, Field(ge=0, le=256)] = Field(
        16, description="width of the small network that looks at each legal action; 0 for none"
    )
    head: Literal["parts", "flat"] = Field(
        "parts", description="scores summed over an action's parts, or an output for every action"
    )
    features: Annotated[int, Field(ge=0, le=FEATURES)] = Field(
        FEATURES, description="how many of the action features it looks at, from the first"
    )
    prospects: bool = Field(True, description="whether it sees how the hand stands")
    without: tuple[str, ...] = Field(WITHOUT, description="parts of the observation it does not look at")
    foresight: tuple[Count, ...] = Field(
        (128, 128), description="widths of the layers that value a turn that is over; none: such turns are not valued"
    )


class LearningConfig(Part):
    """PPO."""

    rate: float = Field(5e-4, gt=0, description="learning rate at the start; it falls in a straight line")
    last_rate: Share = Field(0.1, description="what is left of it at the end, as a share")
    epochs: Count = Field(2, description="passes over each rollout")
    batch: Count = Field(2048, description="rows in a minibatch, of each process")
    clip: float = Field(0.2, gt=0, description="how far the chance of an action may move before it is clipped")
    gamma: Share = Field(1.0, description="discount from one of a seat's decisions to its next")
    trace: Share = Field(0.95, description="lambda of the advantages")
    luck: Share = Field(
        0.5,
        description="how much of what the dice and the others do after a seat's turn counts for the turn; without "
        "`network.foresight` all of it",
    )
    entropy: float = Field(0.01, ge=0, description="weight of the entropy at the start")
    last_entropy: float = Field(0.002, ge=0, description="weight of the entropy at the end")
    value: float = Field(0.5, ge=0, description="weight of the value loss")
    gradient: float = Field(0.5, gt=0, description="largest norm of the gradient")
    shaping: float = Field(0.0, ge=0, description="weight of a lead in points as a potential, at the start")
    shaping_until: Share = Field(0.3, description="the share of the run after which shaping has faded out")


class ImitationConfig(Part):
    """A warm start: imitate a heuristic before self-play begins."""

    agent: str = Field("", description="whom to imitate, by its spec; nobody if empty")
    decisions: Count = Field(200_000, description="its decisions to learn from, in each process")
    passes: Count = Field(1, description="passes over them")
    rate: float = Field(5e-4, gt=0, description="learning rate")
    softness: float = Field(0.1, ge=0, description="weight of the entropy: how much of a choice is left open")


class OpponentsConfig(Part):
    """Whom the learner meets beside itself."""

    league: Share = Field(0.0, description="share of games against past selves, one of them in all seats but one")
    every: Count = Field(20, description="updates between two past selves that are kept")
    most: Count = Field(8, description="past selves kept; the oldest goes first")
    heuristics: dict[str, Share] = Field({}, description="share of games against each agent named by its spec")


class EvaluationConfig(Part):
    """Measuring while training: the policy's likeliest actions against fixed agents."""

    every: Count = Field(40, description="updates between two evaluations")
    games: Count = Field(200, description="games against each agent")
    against: tuple[str, ...] = Field(
        ("random", "greedy", "planner"), description="whom it meets; the last decides which is best"
    )
    players: Annotated[int, Field(ge=2, le=4)] = Field(4, description="seats at the table")
    final_games: Count = Field(1000, description="games against each agent when the run is over")


class Config(Part):
    """A training run."""

    rules: str = Field("base", description="rules by name or file")
    players: tuple[Annotated[int, Field(ge=2, le=4)], ...] = Field(
        (2, 3, 4, 4), description="players, dealt out over the games in turn"
    )
    seed: Annotated[int, Field(ge=0, le=4_000_000)] = Field(1, description="where all chance starts")
    start: str = Field("", description="a policy file to start from, with a network of the same shape; none if empty")
    steps: Count = Field(1_000_000, description="decisions learned from, in all processes together")
    games: Count = Field(256, description="games under way at once, in each process")
    ticks: Count = Field(64, description="decisions in every game that make a rollout")
    processes: Annotated[int, Field(ge=0, le=256)] = Field(
        0, description="processes that share the work; 0 for one a core"
    )
    network: NetworkConfig = Field(default_factory=lambda: NetworkConfig())
    learning: LearningConfig = Field(default_factory=lambda: LearningConfig())
    imitation: ImitationConfig = Field(default_factory=lambda: ImitationConfig())
    opponents: OpponentsConfig = Field(default_factory=lambda: OpponentsConfig())
    evaluation: EvaluationConfig = Field(default_factory=lambda: EvaluationConfig())

    def load_rules(self) -> Rules:
        """The rules it names."""
        path = Path(self.rules)
        return Rules.load(path if path.suffix else configs_folder() / "rules" / f"{self.rules}.yaml")


def load_config(name: str, changes: Sequence[str] = ()) -> Config:
    """The settings of a file, or of one that comes along by name, with `key=value` changes (`learning.rate=1e-3`)."""
    path = Path(name)
    if not path.suffix:
        known = sorted(file.stem for file in (configs_folder() / "train").glob("*.yaml"))
        if name not in known:
            raise EttanaError(f"there is no training config {name!r}; by name there are {', '.join(known)}")
        path = configs_folder() / "train" / f"{name}.yaml"
    if not path.is_file():
        raise EttanaError(f"{path}: there is no such file")
    given = read_yaml(path) or {}
    if not isinstance(given, dict):
        raise EttanaError(f"{path}: must be settings by key")
    for change in changes:
        key, equals, text = change.partition("=")
        if not equals:
            raise EttanaError(f"a change is written key=value, not {change!r}")
        place = given
        *parents, last = key.split(".")
        for parent in parents:
            place = place.setdefault(parent, {})
            if not isinstance(place, dict):
                raise EttanaError(f"{key}: {parent} has no keys of its own")
        try:
            value = yaml.safe_load(text)
        except yaml.YAMLError:
            raise EttanaError(f"{key}: {text!r} is no value: write a number, true, false, null or a text") from None
        place[last] = float(text) if isinstance(value, str) and _is_number(text) else value
    return checked(given, str(path))


def checked(given: Any, where: str) -> Config:
    """The settings, if they are right; else an EttanaError that names the key."""
    try:
        config = Config.model_validate(given)
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(map(str, first["loc"]))
        if first["type"] == "extra_forbidden":
            raise EttanaError(f"{where}: there is no setting {key}; docs/settings.md lists them all") from None
        raise EttanaError(f"{where}: {key}: {first['msg'].lower()}, not {first['input']!r}") from None
    shares = config.opponents.league + sum(config.opponents.heuristics.values())
    if shares > 1:
        raise EttanaError(f"{where}: opponents: the shares of games come to {shares:g}, more than 1")
    return config


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
