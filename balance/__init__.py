"""For the designer: simulate, measure, compare rules, report.

```python
import balance

lab = balance.study(players=[2, 4], agents=["planner"], games=2000)
lab.measures  # a data frame: every figure with its interval
lab.games  # a data frame: one row a game
balance.write_report(lab, "report")
```
"""

from balance.compare import Comparison, compare, sweep
from balance.compare_report import write_comparison
from balance.gates import judge, load_gates
from balance.lab import Lab, study
from balance.report import write_report
from balance.restricted import worth
from balance.simulate import Played, simulate
from balance.verdicts import verdicts
from balance.workshop import inspect_deck

__all__ = [
    "Comparison",
    "Lab",
    "Played",
    "compare",
    "inspect_deck",
    "judge",
    "load_gates",
    "simulate",
    "study",
    "sweep",
    "verdicts",
    "worth",
    "write_comparison",
    "write_report",
]
