# `make demo` and `make test` need nothing but python3 and make: the rest is installed into .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
CORES := $(shell nproc 2>/dev/null || echo 2)

# `make LOCKED=1 ...` installs exactly the versions of requirements-dev.lock.
# Bytecode is left to the first import: that saves a third of the time. Where the environment forbids to write it, as in many
# containers, each of the hundreds of processes that tests start would compile Numba's and SciPy's sources again.
export PYTHONDONTWRITEBYTECODE :=
INSTALL := $(BIN)/python -m pip install --no-compile --quiet --disable-pip-version-check $(if $(LOCKED),-c requirements-dev.lock)

.PHONY: demo test kernels test-long test-faults chromium lint docs bench cuda test-gpu bench-gpu wheel audit lock clean

# pip 25.1 is the first that installs dependency groups.
$(VENV)/ready: pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "sparring needs Python 3.11 or newer")'
	$(PYTHON) -m venv $(VENV)
	@echo "installing what is needed into $(VENV), about a minute"
	$(INSTALL) --upgrade 'pip>=25.1'
	$(INSTALL) -e '.[pettingzoo,cluster]' --group dev
	touch $@

demo: $(VENV)/ready
	$(BIN)/sparring demo

# Some tests wait, for a browser or a process, so there is a worker more than there are cores.
test: $(VENV)/ready chromium
	$(MAKE) --jobs 2 lint kernels
	$(BIN)/python -m pytest -m 'not long' -n $$(($(CORES) + 1)) --dist loadfile --durations 8

# Compiled once, before the tests share them. Bytecode comes first: Numba finds what it keeps of a closure only if its functions
# come from the same kind of file, source or bytecode.
kernels: $(VENV)/ready
	$(BIN)/python -m compileall -q src
	$(BIN)/python -m sparring.games

# All tests with many more cases, and studies that take minutes: hours, alone on the machine.
test-long: $(VENV)/ready
	SPARRING_LONG=1 $(BIN)/python -m pytest

# Faults, about an hour of one core with these amounts; a stopped one goes on. `python -m benchmarks.store fault-inputs` and
# fault-kills store the counts. Mutated inputs with bounds checks, kills, then the tests of damaged and crafted files, full and
# read-only disks, locked and lost stores and clusters, two processes, slow clients and abandoned tables, with many cases.
INPUTS := 100000
KILLS := 1000
FAULTS := trust trust_results runs nets logs named_games crafted_nets crafted_checkpoints store td cluster web_slow web_bad web_server web_tables
test-faults: $(VENV)/ready
	$(BIN)/python -W ignore tests/fault_inputs.py --inputs $(INPUTS) --kept runs/fault-inputs.json
	$(BIN)/python -W ignore tests/fault_kills.py --kills $(KILLS) --kept runs/fault-kills.json
	SPARRING_LONG=1 $(BIN)/python -m pytest $(FAULTS:%=tests/test_%.py)

# The page is tested in a real browser: installed where that is possible, else those tests are skipped and counted.
chromium:
	@for name in chromium chromium-browser google-chrome; do command -v $$name >/dev/null && exit; done; \
	test "$$(id -u)" = 0 && apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium >/dev/null || \
	echo "no Chromium here: the tests of the page are skipped"

lint: $(VENV)/ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# The pages of docs/ with the stored results, as a site.
docs: $(VENV)/ready
	$(BIN)/python docs/render_results.py
	$(BIN)/mkdocs build --strict --quiet
	@echo "site/index.html is its first page"

# About ten minutes alone on the machine: writes benchmarks/RESULTS.md and benchmarks/results.json.
bench: $(VENV)/ready
	$(INSTALL) -e . --group bench || \
	echo "not everything could be installed: what is missing will be reported as missing"
	$(BIN)/python -m benchmarks

# On a machine with an NVIDIA GPU: tests, and what it does (benchmarks/GPU.md and gpu.json), or PARTS of it.
cuda: $(VENV)/ready
	$(INSTALL) -e '.[cuda,deep]'

test-gpu: cuda
	$(BIN)/python -m pytest -m gpu tests/test_gpu.py
	$(BIN)/python -m pytest tests/test_gpu_compiles.py tests/test_deep_matches.py tests/test_deep_td_targets.py

bench-gpu: cuda
	$(BIN)/python -m benchmarks.gpu $(PARTS)

# Builds the wheel, installs it into an empty environment and plays there.
WHEEL := build/wheel
wheel: $(VENV)/ready
	rm -rf build dist
	$(BIN)/python -m build --wheel
	$(PYTHON) -m venv $(WHEEL)
	$(WHEEL)/bin/python -m pip install --quiet --disable-pip-version-check dist/*.whl
	cd build && wheel/bin/sparring match golf greedier random --pairs 20
	$(WHEEL)/bin/python tests/wheel.py dist/*.whl

# Licences of what is installed, and known vulnerabilities where the service that knows them can be reached.
audit: $(VENV)/ready
	$(BIN)/pip-licenses --order=license
	$(BIN)/python .ci/audit.py

# Writes requirements-dev.lock: the newest versions that fit, for every Python and system we support.
lock: $(VENV)/ready
	$(BIN)/python -m uv --quiet pip compile pyproject.toml --extra pettingzoo --extra cluster --group dev \
	--universal --upgrade --no-annotate --no-emit-index-url --custom-compile-command 'make lock' -o requirements-dev.lock

clean:
	rm -rf $(VENV) build dist site .mypy_cache .ruff_cache .pytest_cache
