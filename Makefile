# Two commands: `make demo` and `make test`. Each does all set-up; nothing has to be done by hand.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
CORE_SOURCES := $(shell find crates -name '*.rs' -o -name Cargo.toml) Cargo.toml Cargo.lock pyproject.toml
# Tests start many processes, each of which would compile the package again.
unexport PYTHONDONTWRITEBYTECODE
# The tests that cross or draw so much that `make test` runs a part: those that ask `tests/whole.py` how much.
WHOLE_TESTS := $(shell grep -l '^from whole import' tests/test_*.py)
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: demo test lint rust-test python-test bench fuzz cross reach clean

demo: $(VENV)/.core $(VENV)/.demo-tools
	$(BIN)/python examples/train_mnist.py

test: lint rust-test python-test

# Everything that is checked without running the program.
lint: $(VENV)/.core $(VENV)/.test-tools
	cargo fmt --all --check
	cargo clippy --release --workspace --all-targets --locked -- -D warnings
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# In the release profile, whose dependencies the extension module has built already; a `cargo test` by hand is in the dev
# profile, which checks the engine's integers for overflow too, as does `make cross`.
rust-test: $(VENV)/.core
	AUTOGRAPH_CHECKS=1 PYTHON=$(abspath $(BIN)/python) cargo test --release --workspace --locked

python-test: $(VENV)/.core $(VENV)/.test-tools
	$(BIN)/python -m pytest -n auto --dist worksteal

# Random programs against CPython: `make fuzz N=5000 SEED=1` runs so many of each kind on all cores. Those of
# `make test` are among the first 2000.
N ?= 2000
SEED ?= 0
fuzz: $(VENV)/.core
	PYTHONPATH=tests $(BIN)/python -m fuzzer --count $(N) --seed $(SEED)

# Kinds of values, ways to make them, places to put them and uses, crossed: `make cross N=100000`. Then the tests
# of which `make test` runs a part, whole.
cross: N = 100000
cross: $(VENV)/.core $(VENV)/.test-tools
	PYTHON=$(abspath $(BIN)/python) cargo test --workspace --locked
	PYTHONPATH=tests $(BIN)/python -m crossing --count $(N) --seed $(SEED) --table
	AUTOGRAPH_TESTS=whole $(BIN)/python -m pytest -n auto --dist worksteal $(WHOLE_TESTS)

# How many of the functions of `tests/reach`, written with no eye on what is supported, stage as they are: with the
# arguments that they are given, and with NumPy's numbers, of which none is known while tracing.
reach: $(VENV)/.core $(VENV)/.test-tools
	PYTHONPATH=tests $(BIN)/python -m reach
	PYTHONPATH=tests $(BIN)/python -m reach --numpy

bench: $(VENV)/.core $(VENV)/.bench-tools
	$(BIN)/python benchmarks/run.py
	$(BIN)/python benchmarks/performance.py target/performance

# The virtual environment, with what the build needs.
$(VENV)/.created: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet "maturin==1.16.0" "numpy>=2.0"
	touch $@

# The demo falls back to the digits that scikit-learn ships.
$(VENV)/.demo-tools: $(VENV)/.created
	$(BIN)/pip install --quiet "scikit-learn>=1.5"
	touch $@

$(VENV)/.test-tools: $(VENV)/.demo-tools Makefile
	$(BIN)/pip install --quiet "pytest==9.2.0" "pytest-xdist==3.8.0" "hypothesis==6.170.15" "mypy==2.4.1" "ruff==0.17.5" "tqdm==4.70.1" \
		"jax==0.10.2" "autograd==1.9.1" "basedpyright==1.40.2" "mpmath==1.3.0"
	touch $@

$(VENV)/.bench-tools: $(VENV)/.created
	$(BIN)/pip install --quiet "numba>=0.60" "jax==0.10.2" "tqdm==4.70.1"
	touch $@

# The Rust core, built in release mode into the package of this folder.
$(VENV)/.core: $(VENV)/.created $(CORE_SOURCES)
	VIRTUAL_ENV=$(abspath $(VENV)) $(BIN)/maturin develop --release --locked --quiet
	touch $@

clean:
	rm -rf $(VENV) target python/autograph/*.so
