"""What staging costs, and what it gives: tracing, a network over sequences, a list that grows.

- Tracing: the first call with a new kind of arguments, of a function whose graph has 100 operations. The
  function is converted already, as by any call before. `trace` is that call without the compilation of
  its graph; `trace and compile` is all of it, as the user waits for it. Times of the thread.
- The dynamic recurrent network of the examples, staged and by plain NumPy, in turns.
- A Python list of 100,000 appended floats, and its sum: against a fixed limit. As many appends to a hundred
  lists in a list: an append that copied the list that it is to would take seconds.
- A progress bar around a million cheap iterations: against the same loop without one.
"""

from __future__ import annotations

import io
import statistics
import time
from collections.abc import Iterator

import autograph as ag
import numpy as np
from measure import Comparison, Duration, compare, duration, example
from tqdm import tqdm

_RNN = example("programs/dynamic_rnn.py")

OPERATIONS = 100
APPENDS = 100_000
ROUNDS = 31
TRACING_LIMIT = 5e-3
APPENDING_LIMIT = 5e-3


def hundred_operations(x, y):
    x = np.tanh(x @ y + x * 0.5) - y
    x = np.maximum(-x, y) / np.exp(y - x)
    x = np.tanh(x @ y + x * 0.5) - y
    x = np.maximum(-x, y) / np.exp(y - x)
    x = np.tanh(x @ y + x * 0.5) - y
    x = np.maximum(-x, y) / np.exp(y - x)
    x = np.tanh(x @ y + x * 0.5) - y
    x = np.maximum(-x, y) / np.exp(y - x)
    x = np.tanh(x @ y + x * 0.5) - y
    x = np.maximum(-x, y) / np.exp(y - x)
    x = np.tanh(x @ y + x * 0.5) - y
    x = np.maximum(-x, y) / np.exp(y - x)
    x = np.tanh(x @ y + x * 0.5) - y
    x = np.maximum(-x, y) / np.exp(y - x)
    x = np.tanh(x @ y + x * 0.5) - y
    x = np.maximum(-x, y) / np.exp(y - x)
    x = np.tanh(x @ y + x * 0.5) - y
    x = np.maximum(-x, y) / np.exp(y - x)
    x = np.tanh(x @ y + x * 0.5) - y
    x = np.maximum(-x, y) / np.exp(y - x)
    return x


def appended(n):
    values = []
    for i in range(n):
        values.append(i * 0.5)
    total = 0.0
    for value in values:
        total += value
    return total


def appended_to_rows(n):
    rows = [[] for _ in range(n // 1000)]
    for i in range(n):
        rows[i % (n // 1000)].append(i)
    total = 0
    for row in rows:
        total += len(row)
    return total


def million(n, x):
    for i in range(n):
        x = x * 0.999 + i
    return x


def million_shown(n, x, out):
    for i in tqdm(range(n), file=out):
        x = x * 0.999 + i
    return x


def tracing() -> Iterator[Duration]:
    """Both lines of tracing, of the same calls."""
    # Each size is a graph of its own: else the third would be the graph of any size.
    staged = ag.function(hundred_operations, static=("x", "y"))
    staged(np.ones((2, 2)), np.ones((2, 2)))
    seconds, compiling = [], []
    for size in range(3, 3 + ROUNDS):
        arrays = np.ones((size, size)), np.ones((size, size))
        started = time.thread_time()
        concrete = staged.concrete_function(*arrays)
        seconds.append(time.thread_time() - started)
        assert concrete.graph.text().count(" = ") >= OPERATIONS
        started = time.thread_time()
        concrete.graph.compile()
        compiling.append(time.thread_time() - started)
    both = statistics.median(seconds)
    yield Duration("tracing 100 operations", both - statistics.median(compiling), TRACING_LIMIT)
    yield Duration("tracing and compiling 100 operations", both, TRACING_LIMIT)


def appending() -> Iterator[Duration]:
    """100,000 appends and their sum: to one list, and to the hundred lists of a list."""
    count = np.int64(APPENDS)
    one, rows = ag.function(appended), ag.function(appended_to_rows)
    assert one(count) == appended(APPENDS) and rows(count) == APPENDS
    yield duration("100,000 appends to a list, and their sum", lambda: one(count), APPENDING_LIMIT)
    yield duration("100,000 appends to lists in a list", lambda: rows(count), APPENDING_LIMIT)


def progress_bar() -> Comparison:
    """A million iterations of two operations, with a bar and without."""
    n, x, out = np.int64(10**6), np.float64(1.0), io.StringIO()
    bare, shown = ag.function(million), ag.function(million_shown)
    assert bare(n, x) == shown(n, x, out)
    name = "a progress bar around 1,000,000 iterations"
    return compare(name, lambda: shown(n, x, out), lambda: bare(n, x), "no bar", 1.3, rounds=ROUNDS)


def recurrent_network() -> Comparison:
    """The example's network at batch 32, 64 steps, 128 features and a state of 256."""
    data = _RNN.cell(32, 64, 128, 256)
    staged = ag.function(_RNN.dynamic_rnn)
    for got, want in zip(staged(*data), _RNN.dynamic_rnn(*data), strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-9, atol=1e-12)
    return compare(
        "a dynamic RNN", lambda: staged(*data), lambda: _RNN.dynamic_rnn(*data), "NumPy", 1.0, rounds=ROUNDS
    )


def run() -> Iterator[Comparison | Duration]:
    yield from tracing()
    yield recurrent_network()
    yield from appending()
    yield progress_bar()
