# Every target sets up what it needs in .venv first, and only when something changed.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
PEERS := .venv-peers
PEERS_READY := $(PEERS)/.ready

.PHONY: help train test lint types format bench docs notebooks package clean

help:
	@echo "make train   set up, train a policy for a few minutes, measure it against the baselines"
	@echo "make test    set up, lint, check types, run the tests"
	@echo "make bench   set up, measure the speed of engine and environments against their alternatives"
	@echo "make docs    set up, write the generated tables and pictures in docs/ anew"
	@echo "make notebooks  set up, execute the notebooks anew, some minutes"
	@echo "make package  set up, build a wheel and an sdist into dist/, and try them in an empty environment"
	@echo "make format  set up, format the code"
	@echo "make clean   remove the environments and the caches"

$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Python 3.11 or newer is needed; name it: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	PIP_CONSTRAINT=constraints.txt $(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

$(PEERS_READY): benchmarks/peers.txt
	@test -x $(PEERS)/bin/python || $(PYTHON) -m venv $(PEERS)
	$(PEERS)/bin/python -m pip install --quiet --disable-pip-version-check --requirement benchmarks/peers.txt
	@touch $@

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(READY)
	$(BIN)/mypy

train: $(READY)
	$(BIN)/ettana train quick

test: lint types
	$(BIN)/python -m pytest -n auto

format: $(READY)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(READY) $(PEERS_READY)
	$(BIN)/python -m benchmarks.engine
	$(BIN)/python -m benchmarks.environments
	$(BIN)/python -m benchmarks.agents
	$(BIN)/python -m benchmarks.training
	$(BIN)/python -m benchmarks.balance

docs: $(READY)
	$(BIN)/python -m docs.generate

notebooks: $(READY)
	$(BIN)/python -m notebooks.execute

package: $(READY)
	rm -rf dist
	$(BIN)/python -m tests.packages

clean:
	rm -rf $(VENV) $(PEERS) .mypy_cache .pytest_cache .ruff_cache .hypothesis build dist
