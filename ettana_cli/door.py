"""Where the command `ettana` starts: nothing big is imported before an interruption can be told in a line."""

import os
import sys


def main() -> None:
    """Run the command."""
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # networks here are small: torch's own threads only get in the way
    try:
        from ettana_cli.main import main as run

        run()
    except KeyboardInterrupt:
        sys.stderr.write("error: interrupted\n")
        sys.exit(1)
