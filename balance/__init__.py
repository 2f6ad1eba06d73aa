"""For the designer: simulate, measure, compare rules, report.

```python
import balance

lab = balance.study(players=[2, 4], agents=["planner"], games=2000)
lab.measures  # a data frame: every figure with its interval
lab.games  # a data frame: one row a game
balance.write_report(lab, "report")
```
"""

from balance.lab import Lab, study
from balance.report import write_report
from balance.simulate import Played, simulate
from balance.verdicts import verdicts

__all__ = ["Lab", "Played", "simulate", "study", "verdicts", "write_report"]
