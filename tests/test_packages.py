"""A wheel and an sdist are whole, and what is installed from them works; `make package` tries it with all else too."""

import json
import sys
import tarfile
from pathlib import Path

import pytest

from ettana_env.version import __version__
from tests.packages import PROJECT, ROOMS, TOP, about, build, expected, files_of, install, metadata, run

DISABLED = {"NUMBA_DISABLE_JIT": "1"}
"""Nothing is compiled: an installation elsewhere would have to compile it all again."""


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sdist, unpacked."""
    folder = tmp_path_factory.mktemp("sdist")
    with tarfile.open(build(TOP, folder / "built", "--sdist")) as opened:
        opened.extractall(folder, filter="data")
    return folder / f"ettana-{__version__}"


@pytest.fixture(scope="module")
def wheel(sdist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, made from the sdist."""
    return build(sdist, tmp_path_factory.mktemp("wheel") / "built", "--wheel")


def test_the_wheel_has_every_file_and_no_other(wheel: Path, tmp_path: Path) -> None:
    """Sources, pages, configs, the trained policy; no tests, documents or benchmarks."""
    assert files_of(wheel) == expected() == files_of(build(TOP, tmp_path / "built", "--wheel"))
    assert {name.partition("/")[0] for name in files_of(wheel)} == set(ROOMS)
    assert {f"{room}/py.typed" for room in ROOMS} <= files_of(wheel)
    assert {"agents/trained/ppo.safetensors", "ettana_env/configs/rules/base.yaml"} <= files_of(wheel)


def test_the_sdist_can_be_tested_and_built_from(sdist: Path) -> None:
    for name in ("Makefile", "constraints.txt", "tests/packages.py", "docs/rules.md", "configs/rules/base.yaml"):
        assert (sdist / name).is_file(), name
    assert not (sdist / ".venv").exists()


def test_the_wheel_says_what_it_is(wheel: Path) -> None:
    told = metadata(wheel)
    assert (told["Name"], told["Version"], told["License-Expression"]) == ("ettana", __version__, "MIT")
    assert about(wheel, "licenses/LICENSE") == (TOP / "LICENSE").read_text(encoding="utf-8")
    assert told["Description-Content-Type"] == "text/markdown"
    assert str(told.get_payload()).strip() == (TOP / "README.md").read_text(encoding="utf-8").strip()
    assert "Programming Language :: Python :: 3" in told.get_all("Classifier", [])
    assert "ettana = ettana_cli.door:main" in about(wheel, "entry_points.txt")
    for name, place in PROJECT["project"]["entry-points"]["ettana.agents"].items():
        assert f"{name} = {place}" in about(wheel, "entry_points.txt")


def test_an_installed_wheel_is_healthy(wheel: Path, tmp_path: Path) -> None:
    programs = install(wheel, tmp_path / "environment", lean=True)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    told = json.loads(run(programs, elsewhere, "doctor", "--json", setting=DISABLED))
    assert told["healthy"]
    assert told["place"].startswith(str(tmp_path / "environment")), told
    states = {finding["check"]: finding["state"] for finding in told["findings"]}
    assert states["files"] == states["game"] == states["policy"] == "fine"
    assert "short-game" in run(programs, elsewhere, "rules", setting=DISABLED)
    assert sys.prefix not in told["place"]
