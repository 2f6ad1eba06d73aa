"""What commands write into the folder of --out."""

import json
from pathlib import Path
from typing import Any

from agents.results import Results, write_records
from ettana_cli.screen import note


def write_json(path: Path, value: Any) -> None:
    """A JSON file, written beside and then put in place."""
    beside = path.with_suffix(".part")
    beside.write_text(json.dumps(value, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    beside.replace(path)


def write_results(folder: Path, results: Results, records: bool) -> None:
    """The games as Parquet and CSV, the records asked for, and always those of games that went wrong."""
    table = results.table()
    table.to_parquet(folder / "games.parquet", index=False)
    table.to_csv(folder / "games.csv", index=False)
    if records:
        write_records(results, folder / "records")
    trouble = [(fault.seed, fault.rotation) for fault in results.faults]
    trouble += [(int(row["seed"]), int(row["rotation"])) for row in results.rows[results.rows["truncated"]]]
    if trouble:
        write_records(results, folder / "trouble", trouble)
    note(f"written to {folder}")
