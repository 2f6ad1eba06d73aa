# Every target sets up what it needs in .venv first, and only when something changed.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: help test lint types format bench docs clean

help:
	@echo "make test    set up, lint, check types, run the tests"
	@echo "make bench   set up, measure the speed of the engine"
	@echo "make docs    set up, write the generated tables in docs/ anew"
	@echo "make format  set up, format the code"
	@echo "make clean   remove the environment and the caches"

$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Python 3.11 or newer is needed; name it: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	PIP_CONSTRAINT=constraints.txt $(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(READY)
	$(BIN)/mypy

test: lint types
	$(BIN)/python -m pytest -n auto

format: $(READY)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(READY)
	$(BIN)/python -m benchmarks.engine

docs: $(READY)
	$(BIN)/python -m docs.generate

clean:
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis build dist
