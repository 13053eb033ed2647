"""Ctrl-C in the middle of one long kernel, not between two: each in a process of its own.

A kernel that takes seconds is one run of it. Those that no array of a sensible size keeps busy for long run
in a loop over an array whose size only the run knows, which the loop takes to be small: without questions
from within the kernel it would go on for many seconds too.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import autograph as ag
import numpy as np
import pytest

#: What a machine that does other things too may take. It is measured in hundredths of a second.
LONGEST = 5.0
Arrays = tuple[Any, ...]


def chosen(x):
    return x[x >= 0]


def again(step):
    """A program that repeats a step on an array whose size only the run knows, and that changes."""

    def repeated(x, n):
        x = chosen(x)
        total = 0.0
        for i in range(n):
            x[0] = 0.5 + i / n / 4
            total = total + step(x)
        return total

    return repeated


def written(x):
    y = x + 0.0
    y[np.nonzero(x)[0]] = 1.0
    return y[0]


def listed(x, n):
    values = []
    for one in x:
        values.append(one)
    total = 0.0
    for _ in range(n):
        values.reverse()
        total = total + len(values[::2])
    return total + values[0]


def product(x):
    return x @ x


def drawn(n):
    total = 0.0
    generator = np.random.default_rng(5)
    for _ in range(n):
        total = total + generator.normal(size=4_000_000).max()
    return total


def floats(*sizes: int) -> Any:
    return np.random.default_rng(1).random(sizes)


def definite(n: int) -> Any:
    return np.eye(n) * n + 1


#: Program, arguments of a run of many seconds, arguments of a short one.
LONG: dict[str, tuple[Callable[..., Any], Callable[[], Arrays], Callable[[], Arrays]]] = {
    "matmul": (product, lambda: (floats(7000, 7000),), lambda: (floats(7, 7),)),
    "matmul of integers": (
        product,
        lambda: (np.ones((3000, 3000), np.int64),),
        lambda: (np.ones((7, 7), np.int64),),
    ),
    "batched matmul": (product, lambda: (floats(2000, 250, 250),), lambda: (floats(4, 5, 5),)),
    "svd": (
        lambda x: np.linalg.svd(x, compute_uv=False),
        lambda: (floats(1800, 1800),),
        lambda: (floats(6, 6),),
    ),
    "eigh": (
        lambda x: np.linalg.eigvalsh(x),
        lambda: (definite(2200),),
        lambda: (definite(5),),
    ),
    "qr": (lambda x: np.linalg.qr(x)[1], lambda: (floats(2500, 2500),), lambda: (floats(5, 5),)),
    "solve": (
        lambda x, y: np.linalg.solve(x, y),
        lambda: (definite(2500), floats(2500, 2500)),
        lambda: (definite(5), floats(5, 2)),
    ),
    "inv": (lambda x: np.linalg.inv(x), lambda: (definite(2500),), lambda: (definite(5),)),
    "cholesky": (lambda x: np.linalg.cholesky(x), lambda: (definite(4500),), lambda: (definite(5),)),
    "argsort": (lambda x: np.argsort(x), lambda: (floats(40_000_000),), lambda: (floats(50),)),
    "sort of rows": (lambda x: np.sort(x), lambda: (floats(4_000_000, 10),), lambda: (floats(5, 10),)),
    "unique": (lambda x: np.unique(x), lambda: (floats(30_000_000),), lambda: (floats(50),)),
    "list": (listed, lambda: (floats(10_000_000), np.int64(1000)), lambda: (floats(10), np.int64(3))),
}

STEPS: dict[str, Callable[..., Any]] = {
    "sum": lambda x: x.sum(),
    "max": lambda x: x.max(),
    "argmin": lambda x: x.argmin(),
    "argmax of columns": lambda x: x.reshape(-1, 2).argmax(0)[0],
    "argmax of short columns": lambda x: x.reshape(-1, 2, 2).argmax(1)[0, 0],
    "cumsum": lambda x: np.cumsum(x)[-1],
    "sin": lambda x: np.sin(x)[0],
    "arctanh": lambda x: np.arctanh(x / 2)[0],
    "gather": lambda x: x[np.argsort(x[:9])][0] + np.take(x, np.arange(len(x)))[0],
    "scatter": written,
    "mask": lambda x: x[x > 0.5][0],
    "nonzero": lambda x: np.nonzero(x > 0.5)[0][0],
    "concatenate": lambda x: np.concatenate([x, x])[0],
    "tile": lambda x: np.tile(x, 3)[0],
    "pad": lambda x: np.pad(x, 3)[4],
    "reversed": lambda x: x[::-1].copy()[0],
    "dot": lambda x: (x.reshape(-1, 1) @ x[:2].reshape(1, 2))[0, 0],
    "sort": lambda x: np.sort(x)[0],
    "searchsorted": lambda x: np.searchsorted(np.sort(x[:9]), x)[0],
}
for name, step in STEPS.items():
    program = again(step)
    LONG[name] = (
        program,
        lambda: (floats(4_000_000), np.int64(10**6)),
        lambda: (floats(40), np.int64(3)),
    )
LONG["draws"] = (drawn, lambda: (np.int64(10**6),), lambda: (np.int64(1),))


def interrupted(name: str) -> None:
    """Runs a program, is interrupted, and runs it again; says how long the interruption took."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    program, long, short = LONG[name]
    staged = ag.function(program)
    arguments, small = long(), short()
    staged.concrete_function(*arguments)
    want = staged(*small)
    sent: list[float] = []

    def interrupt() -> None:
        sent.append(time.perf_counter())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(0.1, interrupt)
    timer.start()
    try:
        staged(*arguments)
    except KeyboardInterrupt:
        took = time.perf_counter() - sent[0]
    else:
        timer.cancel()
        raise SystemExit("it came to its end")
    timer.join()
    np.testing.assert_array_equal(staged(*small), want)
    if name != "draws":
        np.testing.assert_allclose(want, program(*small), rtol=1e-12)
    print(took)


@pytest.mark.parametrize("name", LONG)
def test_an_interrupt_ends_a_long_kernel_soon(name: str) -> None:
    run = subprocess.run(
        [sys.executable, __file__, name], capture_output=True, text=True, timeout=120, check=False
    )
    assert run.returncode == 0, run.stderr
    assert float(run.stdout) < LONGEST


if __name__ == "__main__":
    interrupted(sys.argv[1])
