"""Gradients against what they are gradients of: a perceptron, a loop with a branch, cart-pole, trees."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import autograph as ag
import cart_pole
import numpy as np
import recurrent
from measure import Comparison, Duration, Note, compare, example

BATCH = 16
CLASSES = 10


def perceptron(w1: Any, b1: Any, w2: Any, b2: Any, x: Any, labels: Any) -> Any:
    """The loss of a perceptron with one hidden layer."""
    hidden = np.tanh(x @ w1 + b1)
    logits = hidden @ w2 + b2
    logits = logits - np.max(logits, axis=1, keepdims=True)
    log_likelihood = logits - np.log(np.sum(np.exp(logits), axis=1, keepdims=True))
    return -np.mean(np.sum(log_likelihood * labels, axis=1))


def parameters(width: int) -> list[Any]:
    draws = np.random.default_rng(0)

    def normal(*shape: int) -> Any:
        return (0.1 * draws.standard_normal(shape)).astype(np.float32)

    labels = np.eye(CLASSES, dtype=np.float32)[draws.integers(0, CLASSES, BATCH)]
    return [
        normal(width, width),
        normal(width),
        normal(width, CLASSES),
        normal(CLASSES),
        normal(BATCH, width),
        labels,
    ]


def halving(x: Any) -> Any:
    """The loop of the Tangent paper, Listing 2."""
    for _ in ag.staged(range(50)):
        if np.sum(x) > 1:
            x = x / 2
    return np.sum(x)


def run() -> Iterator[Comparison | Duration | Note]:
    for width in (16, 64, 256, 1024):
        arguments = parameters(width)
        forward = ag.function(perceptron)
        gradient = ag.grad(perceptron, argnums=(0, 1, 2, 3))

        def ours(gradient: Any = gradient, arguments: Any = arguments) -> Any:
            return gradient(*arguments)

        def peer(forward: Any = forward, arguments: Any = arguments) -> Any:
            return forward(*arguments)

        yield compare(f"gradient of a perceptron of width {width}", ours, peer, "its value", 3.0)
    x = np.random.default_rng(0).random(100_000) / 100_000 * 2.0**26
    forward_loop, gradient_loop = ag.function(halving), ag.grad(halving)
    yield compare(
        "gradient of a halving loop, 100,000 elements, 50 iterations",
        lambda: gradient_loop(x),
        lambda: forward_loop(x),
        "its value",
        2.5,
    )
    yield peak_memory()
    yield learning()
    yield from recurrent.run()
    yield trees()


SIZE = 1_000_000

PEAK = """
import pathlib, sys
sys.path.insert(0, {folder!r})
import numpy as np, autograph as ag, gradients
run = {what}(gradients.halving)
run(np.ones(8))
x = np.random.default_rng(0).random({size}) * 2.0**26 / {size}
def peak():
    status = pathlib.Path("/proc/self/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM:"))
before = peak()
run(x)
print(peak() - before)
"""


def peak_memory() -> Note:
    """How many arrays the gradient of the halving loop takes at its peak, and its value."""

    def peak(what: str) -> float:
        program = PEAK.format(folder=str(Path(__file__).parent), what=what, size=SIZE)
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
        return int(done.stdout) * 1024 / (8 * SIZE)

    value, gradient = peak("ag.function"), peak("ag.grad")
    return Note(
        f"peak memory of the halving loop, in arrays: gradient {gradient:.1f}, value {value:.1f}",
        gradient - value <= 3,
    )


def learning() -> Comparison | Duration:
    """Ten learning steps on cart-pole, against JAX where that is installed."""
    given = cart_pole.inputs()
    ours: Callable[[], Any] = lambda: cart_pole.train(*given)  # noqa: E731
    name = f"ten learning steps on cart-pole, {cart_pole.HIDDEN} hidden units"
    if importlib.util.find_spec("jax") is None:
        ours()
        times = sorted(timed(ours) for _ in range(15))
        return Duration(name, times[7], 3.2e-3)
    peer = cart_pole.with_jax(given)
    for mine, theirs in zip(ours(), peer(), strict=True):
        np.testing.assert_allclose(mine, np.asarray(theirs), rtol=1e-3, atol=1e-5)
    return compare(name, ours, peer, "jax.jit", 1.0)


def timed(run: Callable[[], Any]) -> float:
    started = time.perf_counter()
    run()
    return time.perf_counter() - started


def trees() -> Duration:
    """A TreeLSTM of the example: processor time of one step on one tree. `SST_DIR` takes the real trees."""
    tree_lstm = example("tree_lstm.py")
    _, sentences, words = tree_lstm.load(os.environ.get("SST_DIR"), 300)
    embedding = (0.5 * np.random.default_rng(5).standard_normal((words, tree_lstm.FEATURES))).astype(
        np.float32
    )
    rate = np.float32(0.05)

    def epoch() -> float:
        parameters = tree_lstm.network()
        squares = tuple(np.zeros_like(w) for w in parameters)
        started = time.process_time()
        for tree in sentences:
            parameters, squares, _ = tree_lstm.step(parameters, squares, tree, embedding, rate)
        return (time.process_time() - started) / len(sentences)

    epoch()
    each = sorted(epoch() for _ in range(3))[1]
    return Duration(f"a TreeLSTM's step on a tree ({1 / each:.0f} trees/s), processor time", each, 1 / 300)
