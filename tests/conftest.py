"""Settings of all tests."""

from __future__ import annotations

import ast
import functools
import gc
import os
import signal
from collections.abc import Iterator
from types import SimpleNamespace

import pytest

# JAX is a reference here, whose programs are compiled to run a few times: compiling is what costs. These
# have to be set before JAX is imported, and the processes that tests start have them too.
os.environ.setdefault("JAX_DISABLE_MOST_OPTIMIZATIONS", "1")
os.environ.setdefault(
    "XLA_FLAGS", "--xla_cpu_use_fusion_emitters=false --xla_llvm_disable_expensive_passes=true"
)


@pytest.fixture
def interrupts() -> Iterator[None]:
    """Python's own handler of Ctrl-C: a process that a shell starts in the background ignores the signal."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def only_new_garbage() -> Iterator[None]:
    """`gc.collect()` looks at what the test has made, and not at all that the tests before it have left."""
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.fixture
def parsed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file is parsed and walked once, and not for each of its functions, which is most of the time."""
    from autograph._src.transformations import parsing

    known = SimpleNamespace(**vars(ast))
    known.parse = functools.cache(ast.parse)
    known.walk = functools.cache(lambda tree: list(ast.walk(tree)))
    monkeypatch.setattr(parsing, "ast", known)
