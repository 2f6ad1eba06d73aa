"""What the documents show is so: the command lines are understood, and the errors are those that are printed."""

import re
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest
import typer

from ettana_cli.main import app, main
from ettana_env import opponents

TOP = Path(__file__).parent.parent.parent
DOCUMENTS = [*TOP.glob("*.md"), *TOP.glob("docs/*.md")]
ERRORS = TOP / "docs" / "errors.md"


def fenced(page: Path) -> list[str]:
    """The blocks of a page that show a shell: without a language."""
    return re.findall(r"^```\n(.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def commands(page: Path) -> list[str]:
    """The lines of a page that call `ettana`, in its blocks of code; not those shown with their errors."""
    lines = [line.strip() for block in fenced(page) for line in block.splitlines()]
    return [line.removeprefix(".venv/bin/") for line in lines if re.match(r"(\.venv/bin/)?ettana ", line)]


def parse(line: str) -> str:
    """Let the command line understand a line, and do nothing; the name of the command."""
    words = shlex.split(line, comments=True)[1:]
    group: Any = typer.main.get_command(app)
    with group.make_context("ettana", list(words), resilient_parsing=True) as context:
        name, command, rest = group.resolve_command(context, [word for word in words if word != "--debug"])
        if command is None:
            raise typer.BadParameter(f"there is no command {words[0]}")
        with command.make_context(name, rest, parent=context) as inner:
            return str(inner.info_name)


@pytest.mark.parametrize("page", DOCUMENTS, ids=lambda path: path.name)
def test_command_lines_are_understood(page: Path) -> None:
    for line in commands(page):
        try:
            assert parse(line)
        except typer.TyperException as error:
            pytest.fail(f"{page.name}: {line}: {error.format_message()}")


def test_command_lines_are_found_and_wrong_ones_refused() -> None:
    assert len(commands(TOP / "docs" / "play.md")) >= 6
    with pytest.raises(typer.TyperException):
        parse("ettana play --fast")
    with pytest.raises(typer.TyperException):
        parse("ettana dance")


PRINTED = [block for block in fenced(ERRORS) if block.startswith("$ ettana ")]


@pytest.mark.parametrize("block", PRINTED, ids=lambda block: block.partition("\n")[0])
def test_errors_are_printed_as_documented(
    block: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every block of errors.md is run in a folder with the files the page speaks of."""
    (tmp_path / "mine.yaml").write_text("prices: {swap: -3}\n")
    (tmp_path / "broken.yaml").write_text("prices: {swap: 2\n")
    (tmp_path / "report").mkdir()
    (tmp_path / "report" / "index.html").touch()
    (tmp_path / "game.jsonl").write_text('{"format": "ettana-record/1"')
    (tmp_path / "my_agent.py").write_text("import nowhere\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(
        opponents, "_KNOWN", {"random": opponents.RandomOpponent}
    )  # what other tests added is not there
    line, _, expected = block.partition("\n")
    monkeypatch.setattr(sys, "argv", shlex.split(line.removeprefix("$ ")))
    with pytest.raises(SystemExit) as end:
        main()
    assert end.value.code == 2
    assert capsys.readouterr().err.split() == expected.split()


def test_errors_in_python_are_as_documented() -> None:
    blocks = re.findall(r"^```python\n(.*?)^```", ERRORS.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert blocks
    for block in blocks:
        before, code, message = block.rstrip().rsplit("\n", 2)
        known: dict[str, Any] = {}
        exec(before, known)
        with pytest.raises(Exception) as raised:  # noqa: PT011 - compared in full below
            exec(code, known)
        assert f"{type(raised.value).__name__}: {raised.value}" == message.removeprefix("# ")
