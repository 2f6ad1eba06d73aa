"""Reward schemes, by name. Each says what every seat is paid after an action; absent seats get 0.

With n players, W points to win, and p the points a seat scores by the action:

| name | when | winner | the others |
|---|---|---|---|
| `zero_sum` | a win | +1 | −1 / (n − 1) each |
| `win` | a win | +1 | 0 |
| `points_difference` | the end, truncation too | (own points − mean of the others') / W | the same formula |
| `shaped` | as `zero_sum`, and at once for points (dealt ones too) | +0.05 p | −0.05 p / (n − 1) each |

A truncated game pays nothing more, except `points_difference`.
"""

from ettana_env.engine.rewarding import POINTS_DIFFERENCE, SHAPED, WIN_ONLY, ZERO_SUM
from ettana_env.errors import EttanaError
from ettana_env.validation import did_you_mean, shown

REWARDS = {"zero_sum": ZERO_SUM, "win": WIN_ONLY, "points_difference": POINTS_DIFFERENCE, "shaped": SHAPED}
"""The schemes and their codes in compiled code."""


def reward_code(name: object) -> int:
    """The code of a reward scheme; an unknown name is an EttanaError."""
    if not isinstance(name, str) or name not in REWARDS:
        hint = did_you_mean(name, REWARDS)
        raise EttanaError(f"rewards must be one of {', '.join(REWARDS)}, not {shown(name)}{hint}")
    return REWARDS[name]
