"""Gradients against what they are gradients of: a perceptron, a loop with a branch, cart-pole, trees."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import autograph as ag
import numpy as np
from measure import Comparison, compare

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


def run() -> Iterator[Comparison]:
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
