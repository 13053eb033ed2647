"""Listing 6 of the Tangent paper: a perceptron, trained with a gradient that is NumPy source.

python examples/tangent/train_mlp.py    # MNIST where MNIST_DIR names a folder, else digits
"""

from __future__ import annotations

import importlib
import os
import sys
from pathlib import Path
from typing import Any

import numpy as np
from autograph import tangent
from numpy.typing import NDArray

Floats = NDArray[np.float64]

# The examples are files and no package: the images come from the one beside this folder.
sys.path.insert(0, str(Path(__file__).parent.parent))
load = importlib.import_module("train_mnist").load


def logsumexp(x: Floats, axis: Any = None, keep_dims: bool = False) -> Any:
    return np.log(np.sum(np.exp(x), axis=axis, keepdims=keep_dims))


def logsoftmax(logits: Floats) -> Any:
    return logits - logsumexp(logits, axis=-1, keep_dims=True)


def softmax_crossent(logits: Floats, y: Floats) -> Any:
    return -np.sum(logsoftmax(logits) * y, axis=-1)


def mlp(x: Floats, w1: Floats, b1: Floats, wout: Floats, bout: Floats, label: Floats) -> Any:
    h1 = np.tanh(np.dot(x, w1) + b1)
    out = np.dot(h1, wout) + bout
    loss = np.mean(softmax_crossent(out, label))
    return loss


def train(
    images: Floats, labels: Any, hidden: int = 64, epochs: int = 6, batch: int = 16, rate: float = 0.1
) -> list[Floats]:
    """Stochastic gradient descent; prints the loss of each epoch."""
    value_and_gradients = tangent.value_and_grad(mlp, wrt=("w1", "b1", "wout", "bout"))
    print(tangent.to_source(value_and_gradients))
    draws = np.random.default_rng(0)
    parameters = [
        0.1 * draws.normal(size=(images.shape[1], hidden)),
        np.zeros(hidden),
        0.1 * draws.normal(size=(hidden, 10)),
        np.zeros(10),
    ]
    one_hot = np.eye(10)[labels]
    for epoch in range(epochs):
        total = 0.0
        for start in range(0, len(images), batch):
            x, label = images[start : start + batch], one_hot[start : start + batch]
            loss, gradients = value_and_gradients(x, *parameters, label)
            total += loss * len(x)
            for parameter, gradient in zip(parameters, gradients, strict=True):
                parameter -= rate * gradient
        print("epoch", epoch, "loss", total / len(images))
    return parameters


def main() -> None:
    """Trains, and says how many of the held-out images it knows."""
    name, images, labels, count = load(os.environ.get("MNIST_DIR"))
    w1, b1, wout, bout = train(images[:count].astype(float), labels[:count])
    scores = np.tanh(images[count:] @ w1 + b1) @ wout + bout
    accuracy = np.mean(np.argmax(scores, axis=1) == labels[count:])
    print(f"{name}: held-out accuracy {100 * accuracy:.1f}%")


if __name__ == "__main__":
    main()
