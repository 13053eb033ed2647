"""A native run can be interrupted, and leaves the interpreter to other threads meanwhile."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable
from typing import Any

import autograph as ag
import numpy as np
import pytest

#: What a machine that does other things too may take: it is measured in hundredths of a second. Without
#: questions from within, each of these programs would go on for minutes.
LONGEST = 5.0


def scalar_loop(n):
    total = 0.0
    for i in range(n):
        total = total * 0.999 + i
    return total


def nested_loops(n):
    total = 0.0
    for i in range(n):
        for j in range(i):
            total = total * 0.999 + j
    return total


def while_loop(n):
    i = 0
    while i < n:
        i = i + 1
    return i


def array_loop(n):
    x = np.zeros(1000)
    for i in range(n):
        x = x * 0.99 + i
    return x


def loop_over_a_list(n):
    values = []
    for i in range(n):
        values.append(i)
        if len(values) > 100:
            values.pop()
    return len(values)


def large_arrays(n):
    x = np.zeros(10_000_000)
    for i in range(n):
        x = np.sin(x + i)
    return x.sum()


def inserts_into_a_long_list(n):
    values = []
    for i in range(n):
        values.append(i)
    k = 0
    while k < n:
        values.insert(0, k)
        k += 1
    return len(values)


def recursion(n):
    return n if n < 2 else recursion(n - 1) + recursion(n - 2)


def callbacks(n):
    for _ in range(n):
        time_passes()
    return n


@ag.py_function
def time_passes() -> None:
    time.sleep(1e-4)


pytestmark = pytest.mark.usefixtures("interrupts")

PROGRAMS = [
    *((program, np.int64(10**12)) for program in (scalar_loop, while_loop, array_loop, loop_over_a_list)),
    *((program, np.int64(10**9)) for program in (nested_loops, callbacks)),
    (inserts_into_a_long_list, np.int64(10**6)),
    (large_arrays, np.int64(10**6)),
    (recursion, np.int64(70)),
]


@pytest.mark.parametrize(("program", "argument"), PROGRAMS, ids=lambda one: getattr(one, "__name__", ""))
def test_an_interrupt_ends_a_long_run_soon(program: Callable[[Any], Any], argument: Any) -> None:
    staged = ag.function(program)
    small = np.int64(3)
    want = staged(small)
    sent: list[float] = []

    def interrupt() -> None:
        sent.append(time.perf_counter())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(0.1, interrupt)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        staged(argument)
    assert time.perf_counter() - sent[0] < LONGEST
    timer.join()
    # The process is sound: the same graph runs again.
    np.testing.assert_array_equal(staged(small), want)


def test_other_threads_go_on_while_a_graph_runs() -> None:
    staged = ag.function(scalar_loop)
    staged(np.int64(1))
    counts: list[int] = [0]
    is_over = threading.Event()

    def count() -> None:
        while not is_over.is_set():
            counts[0] += 1

    counter = threading.Thread(target=count)
    counter.start()
    before, started = counts[0], time.perf_counter()
    staged(np.int64(10**8))
    seconds, counted = time.perf_counter() - started, counts[0] - before
    is_over.set()
    counter.join()
    # With the interpreter locked for the whole run it would be a handful.
    assert counted > 1000 * seconds


def test_two_graphs_run_at_once() -> None:
    staged = ag.function(scalar_loop)
    want = staged(np.int64(10**6))
    results: list[Any] = []
    barrier = threading.Barrier(4)

    def run() -> None:
        barrier.wait()
        results.append(staged(np.int64(10**6)))

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [want] * 4
