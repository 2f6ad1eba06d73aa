"""How the engine is compiled: one decorator, and a disk cache that cannot go stale.

Numba's own cache notices a change in a function's file, not in a file it calls into. Here the cache's
folder is named after a hash of the sources, so that any change means a fresh compile. The folder lies in
the user's cache directory, or where ETTANA_CACHE_DIR says. With NUMBA_DISABLE_JIT=1 everything runs as
ordinary Python, for a debugger or for coverage.
"""

import hashlib
import importlib.util
import os
import shutil
import sys
import warnings
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numpy as np
import platformdirs

F = TypeVar("F", bound=Callable[..., Any])

settings: Any = numba.config

KEPT_CACHES = 16
"""Folders of compiled code that are kept, one for each package and version of the sources; older ones are removed."""

ROOMS_BELOW = {"ettana_env": (), "agents": ("ettana_env",)}
"""Whose compiled code that of a package may call: both of these, unless it is one of them."""

if settings.DISABLE_JIT:
    # The random numbers wrap around on purpose, as compiled code does silently; in threads too.
    np.seterr(over="ignore")
    warnings.filterwarnings("ignore", message="overflow encountered", category=RuntimeWarning)


def _folders(package: str) -> list[str]:
    """Where a package lies; it need not have been imported."""
    if package in sys.modules:
        return list(sys.modules[package].__path__)
    found = importlib.util.find_spec(package)
    return list(found.submodule_search_locations or ()) if found else []


@cache
def sources_digest(package: str) -> str:
    """A hash of the Python sources of `package`."""
    digest = hashlib.sha256()
    for root in sorted(_folders(package)):
        for path in sorted(Path(root).rglob("*.py")):
            digest.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


@cache
def cache_folder(package: str) -> Path | None:
    """The folder for compiled code of `package` in its present form; None if it cannot be written."""
    base = Path(os.environ.get("ETTANA_CACHE_DIR") or platformdirs.user_cache_dir("ettana"))
    rooms = (*ROOMS_BELOW.get(package, tuple(ROOMS_BELOW)), package)
    sources = "".join(sources_digest(room) for room in rooms)
    folder = base / f"compiled-{hashlib.sha256(sources.encode()).hexdigest()[:16]}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)
        stale = sorted(base.glob("compiled-*"), key=lambda path: path.stat().st_mtime)[:-KEPT_CACHES]
        for old in stale:
            shutil.rmtree(old, ignore_errors=True)
    except OSError:
        return None
    return folder if os.access(folder, os.W_OK) else None


def compiled(function: F) -> F:
    """Compile `function` with Numba when it is first called, without the interpreter lock."""
    package = function.__module__.partition(".")[0]
    # A lone script has no package whose sources could be hashed: it is compiled anew each time.
    cached = not settings.DISABLE_JIT and hasattr(sys.modules.get(package), "__path__")
    folder = cache_folder(package) if cached else None
    before = settings.CACHE_DIR
    try:
        if folder is not None:
            settings.CACHE_DIR = str(folder)
        result: Any = numba.njit(nogil=True, cache=folder is not None, error_model="numpy")(function)
    finally:
        settings.CACHE_DIR = before
    return cast(F, result)
