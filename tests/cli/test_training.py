"""What `ettana train` shows while it works."""

from typing import Any

from ettana_cli.train import Display


def update(steps: int, seconds: float) -> dict[str, Any]:
    return {"kind": "update", "steps": steps, "total": 1_000_000, "seconds": seconds}


def test_the_pace_shown_leaves_out_what_came_before_the_first_update() -> None:
    """Compiling and a warm start take their time once: the time left is worked out from the updates since."""
    display = Display()
    assert display._progress() == "compiling and starting"
    display.tell({"kind": "imitation", "passes": 0, "of": 1})
    assert "imitating" in display._progress()
    display.tell(update(10_000, 100.0))
    assert "100 a second" in display._progress()
    display.tell(update(30_000, 102.0))
    assert display._progress() == "30,000 of 1,000,000 decisions, 10,000 a second, 1 min 37 s left"
    display.tell(update(1_010_000, 200.0))
    assert display._progress().endswith("0 min 0 s left")
