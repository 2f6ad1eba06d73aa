"""The wheel and the sdist: what is in them, and whether they work elsewhere (`python -m tests.packages`)."""

import json
import os
import subprocess
import sys
import sysconfig
import tempfile
import tomllib
import venv
import zipfile
from collections.abc import Mapping
from email.message import Message
from email.parser import Parser
from pathlib import Path

TOP = Path(__file__).parent.parent
PROJECT = tomllib.loads((TOP / "pyproject.toml").read_text(encoding="utf-8"))
ROOMS: list[str] = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
TRIALS = (
    ["doctor"],
    ["evaluate", "ppo", "--against", "greedy", "--games", "40"],
    ["train", "quick", "steps=2048", "games=8", "processes=1", "imitation.decisions=500", "evaluation.final_games=8"],
    ["balance", "--games", "20", "--players", "2", "--no-levels", "--no-styles", "--out", "report"],
    ["rules", "short-game"],
)
"""What is tried with an installed wheel."""


def expected() -> set[str]:
    """The files that belong into a wheel: everything in the rooms, and the configs."""
    found = {file.relative_to(TOP).as_posix() for room in ROOMS for file in (TOP / room).rglob("*") if _kept(file)}
    return found | {f"ettana_env/{file.relative_to(TOP)}" for file in (TOP / "configs").rglob("*") if _kept(file)}


def _kept(file: Path) -> bool:
    return file.is_file() and "__pycache__" not in file.parts


def build(source: Path, out: Path, *what: str) -> Path:
    """Build a `--wheel` or an `--sdist` from a folder, with what is installed here; the file."""
    subprocess.run(
        [sys.executable, "-m", "build", "--no-isolation", *what, "--outdir", str(out), str(source)],
        check=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    (built,) = out.iterdir()
    return built


def files_of(wheel: Path) -> set[str]:
    """The files of a wheel, without those about the wheel itself."""
    with zipfile.ZipFile(wheel) as opened:
        return {name for name in opened.namelist() if ".dist-info/" not in name}


def about(wheel: Path, name: str = "METADATA") -> str:
    """A file about the wheel itself."""
    with zipfile.ZipFile(wheel) as opened:
        (path,) = (path for path in opened.namelist() if path.endswith(f".dist-info/{name}"))
        return opened.read(path).decode()


def metadata(wheel: Path) -> Message:
    """What a wheel says of itself."""
    return Parser().parsestr(about(wheel))


def install(wheel: Path, folder: Path, lean: bool) -> Path:
    """A new environment with the wheel in it; the folder of its programs.

    Lean, it borrows the dependencies of the present environment; else it installs them, as pinned.
    """
    venv.create(folder, with_pip=not lean)
    programs = folder / ("Scripts" if os.name == "nt" else "bin")
    if lean:
        (site,) = folder.glob("[Ll]ib/**/site-packages")
        (site / "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n")
        pip, options = [sys.executable, "-m", "pip", "--python", str(programs / "python")], ["--no-deps", "--no-index"]
    else:
        pip, options = [str(programs / "python"), "-m", "pip"], ["--constraint", str(TOP / "constraints.txt")]
    subprocess.run([*pip, "install", "--quiet", "--disable-pip-version-check", *options, str(wheel)], check=True)
    return programs


def run(programs: Path, folder: Path, *words: str, setting: Mapping[str, str] | None = None) -> str:
    """What the installed `ettana` prints, run from a folder; nothing of the checkout is in its way."""
    around = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"} | dict(setting or {})
    done = subprocess.run(
        [str(programs / "ettana"), *words], cwd=folder, env=around, check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, f"ettana {' '.join(words)}\n{done.stdout}{done.stderr}"
    return done.stdout


def main() -> None:
    """Build into dist/, install the wheel into an empty environment with its dependencies, and use it there."""
    dist = TOP / "dist"
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        subprocess.run([sys.executable, "-m", "build", "--no-isolation", "--outdir", str(dist), str(TOP)], check=True)
        (wheel,) = dist.glob("*.whl")  # made from the sdist
        assert files_of(wheel) == files_of(build(TOP, folder / "wheel", "--wheel")) == expected()
        print("installing", wheel.name, "with its dependencies", flush=True)
        programs = install(wheel, folder / "environment", lean=False)
        (folder / "elsewhere").mkdir()
        for words in TRIALS:
            print("ettana", *words, flush=True)
            print(run(programs, folder / "elsewhere", *words))
        healthy = json.loads(run(programs, folder / "elsewhere", "doctor", "--json"))["healthy"]
        assert healthy
    print("the wheel and the sdist in dist/ are whole, and work in an empty environment")


if __name__ == "__main__":
    main()
