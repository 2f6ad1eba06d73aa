"""Where the command `ettana` starts: nothing big is imported before an interruption can be told in a line."""

import sys


def main() -> None:
    """Run the command."""
    try:
        from ettana_cli.main import main as run

        run()
    except KeyboardInterrupt:
        sys.stderr.write("error: interrupted\n")
        sys.exit(1)
