"""1,000 SGD steps of a 784→10 softmax layer at batch 200: one native call against hand-written NumPy."""

from __future__ import annotations

import autograph as ag
import numpy as np
from measure import Comparison, Duration, clock, compare

STEPS, BATCH, BATCHES = 1000, 200, 50


def train(images, labels, w, b, lr, steps, batch):
    """The peer's program as a person would write it: no writing in place by hand."""
    scale = np.float32(1.0 / batch)
    count = len(images)
    loss = np.float32(0.0)
    for step in range(steps):
        x = images[step % count]
        y = labels[step % count]
        z = x @ w + b
        z = z - z.max(axis=1, keepdims=True)
        e = np.exp(z)
        s = e.sum(axis=1, keepdims=True)
        loss = -np.sum((z - np.log(s)) * y) * scale
        g = (e / s - y) * scale
        w = w - lr * (x.T @ g)
        b = b - lr * g.sum(axis=0)
    return w, b, loss


def train_numpy(images, labels, w, b, lr, steps, batch):
    """NumPy by hand: in place wherever that saves an array."""
    count = len(images)
    scale = np.float32(1.0 / batch)
    w, b = w.copy(), b.copy()
    loss = np.float32(0.0)
    for step in range(steps):
        x, y = images[step % count], labels[step % count]
        z = x @ w + b
        z -= z.max(axis=1, keepdims=True)
        e = np.exp(z)
        s = e.sum(axis=1, keepdims=True)
        loss = -((z - np.log(s)) * y).sum() * scale
        g = (e / s - y) * scale
        w -= lr * (x.T @ g)
        b -= lr * g.sum(axis=0)
    return w, b, loss


def arguments():
    rng = np.random.default_rng(0)
    images = rng.random((BATCHES, BATCH, 784), dtype=np.float32)
    teacher = rng.standard_normal((784, 10)).astype(np.float32)
    labels = np.eye(10, dtype=np.float32)[np.argmax((images - 0.5) @ teacher, axis=2)]
    w = (0.01 * rng.standard_normal((784, 10))).astype(np.float32)
    return images, labels, w, np.zeros(10, np.float32), np.float32(0.1), STEPS, BATCH


def run() -> list[Comparison | Duration]:
    data = arguments()
    staged = ag.function(train)
    first = clock(lambda: staged.concrete_function(*data))
    for got, want in zip(staged(*data), train_numpy(*data), strict=True):
        np.testing.assert_allclose(got, want, rtol=2e-3, atol=1e-4)
    return [
        compare("1,000 SGD steps", lambda: staged(*data), lambda: train_numpy(*data), "NumPy", 1.0),
        Duration("first call of the training: convert, trace, compile", first, 0.2),
    ]
