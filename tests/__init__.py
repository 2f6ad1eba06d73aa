"""The tests, in the same rooms as what they test."""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")  # as the command does: torch's own threads only get in the way
