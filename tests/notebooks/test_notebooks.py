"""The notebooks run, in a short form; and what is committed of them is whole and clean."""

import ast
import json
import re
from pathlib import Path

import nbformat
import pytest
from nbformat import NotebookNode

from notebooks.execute import METADATA, NOTEBOOKS, execute, make_quick, parameters, read, tidy

each = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)

LOCAL = re.compile(r"(?<![\w.])/(home|root|tmp|work|usr|var|private|Users)/|\b0x[0-9a-f]{6,}")
"""Absolute paths, and addresses in memory."""


def code_of(notebook: NotebookNode) -> list[NotebookNode]:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def check_outputs(notebook: NotebookNode) -> None:
    """Every cell but the silent ones shows something, and nothing shows an error, a warning or this machine."""
    for number, cell in enumerate(code_of(notebook), start=1):
        assert cell.execution_count == number
        quiet = {"parameters", "silent"} & set(cell.metadata.get("tags", ()))
        assert bool(cell.outputs) != bool(quiet), cell.source
        for output in cell.outputs:
            assert output.output_type in ("stream", "display_data", "execute_result"), output
            assert output.get("name") != "stderr", output.text
            shown = output.text if output.output_type == "stream" else json.dumps(output.data.get("text/plain", ""))
            shown += output.get("data", {}).get("text/html", "")
            assert not LOCAL.search(shown), shown


def test_there_are_four() -> None:
    assert [path.name[:3] for path in NOTEBOOKS] == ["01-", "02-", "03-", "04-"]


@each
def test_it_runs_in_a_short_form(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    notebook = read(path)
    make_quick(notebook)
    execute(notebook)
    check_outputs(notebook)
    assert not list(tmp_path.iterdir())


@each
def test_the_short_form_sets_what_the_long_one_sets(path: Path) -> None:
    cell = parameters(read(path))
    names = [ast.unparse(line.targets[0]) for line in ast.parse(cell.source).body if isinstance(line, ast.Assign)]
    assert sorted(names) == sorted(cell.metadata["quick"])


@each
def test_what_is_committed_was_executed_and_is_clean(path: Path) -> None:
    notebook = read(path)
    check_outputs(notebook)
    assert notebook.metadata == METADATA
    before = nbformat.from_dict(notebook)  # type: ignore[no-untyped-call]
    tidy(notebook)
    assert notebook == before, "run make notebooks"


@each
def test_its_links_lead_somewhere(path: Path) -> None:
    text = "\n".join(cell.source for cell in read(path).cells if cell.cell_type == "markdown")
    targets = re.findall(r"\]\(([^)#]+)\)", text)
    assert targets
    for target in targets:
        assert (path.parent / target).exists(), f"{path.name} links to {target}"
