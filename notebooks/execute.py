"""Execute the notebooks: `python -m notebooks.execute` runs all of them anew and writes the outputs in place.

A notebook's cell tagged `parameters` sets its sizes. The metadata of that cell holds, under `quick`, the small ones
that the tests run it with. Whatever a notebook writes goes to a folder that is removed afterwards.
"""

import argparse
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbformat import NotebookNode

FOLDER = Path(__file__).parent
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
KEPT = ("quick", "tags")
"""What a cell's metadata keeps: the rest is about one execution or one editor."""

LONGEST = 1800
"""Seconds that a cell may take."""


def read(path: Path) -> NotebookNode:
    """A notebook."""
    notebook: NotebookNode = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    return notebook


def parameters(notebook: NotebookNode) -> NotebookNode:
    """The cell that sets the sizes."""
    cell: NotebookNode
    (cell,) = (cell for cell in notebook.cells if "parameters" in cell.metadata.get("tags", ()))
    return cell


def make_quick(notebook: NotebookNode) -> None:
    """Let a notebook run with the small sizes that it keeps for that."""
    cell = parameters(notebook)
    cell.source = "\n".join(f"{name} = {value!r}" for name, value in cell.metadata["quick"].items())


def execute(notebook: NotebookNode) -> None:
    """Run all cells in a fresh kernel, in a folder of their own, without the settings of whoever runs it."""
    with tempfile.TemporaryDirectory() as folder:
        client = NotebookClient(
            notebook,
            timeout=LONGEST,
            kernel_name="python3",
            resources={"metadata": {"path": folder}},
            record_timing=False,
            coalesce_streams=True,
        )
        path = os.pathsep.join(filter(None, [str(FOLDER.parent), os.environ.get("PYTHONPATH")]))
        client.execute(env={"OMP_NUM_THREADS": "1"} | os.environ | {"IPYTHONDIR": folder, "PYTHONPATH": path})
    tidy(notebook)


def tidy(notebook: NotebookNode) -> None:
    """Leave nothing in the metadata that changes from one execution to the next."""
    notebook.metadata = nbformat.from_dict(METADATA)  # type: ignore[no-untyped-call]
    for cell in notebook.cells:
        for name in set(cell.metadata) - set(KEPT):
            del cell.metadata[name]
        for output in cell.get("outputs", ()):
            if "metadata" in output:
                output.metadata = nbformat.from_dict({})  # type: ignore[no-untyped-call]


def main(arguments: Sequence[str] | None = None) -> None:
    """Execute those named, or all."""
    parser = argparse.ArgumentParser(prog="python -m notebooks.execute", description="Execute the notebooks anew.")
    parser.add_argument("notebooks", nargs="*", type=Path, help="notebook files (default: all)")
    for path in parser.parse_args(arguments).notebooks or NOTEBOOKS:
        print(f"executing {path.name}", flush=True)
        notebook = read(path)
        execute(notebook)
        nbformat.write(notebook, path)  # type: ignore[no-untyped-call]


if __name__ == "__main__":
    main()
