"""Self-play training: PPO over the batch environment, in which every seat's decisions are learned from.

```python
from train.config import load_config
from train.run import run, start

start(load_config("quick", ["steps=300_000"]), folder)
run(folder)  # goes on if it was begun before
```
"""
