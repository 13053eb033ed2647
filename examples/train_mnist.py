"""Softmax regression and a perceptron on images of digits: each training is one native call.

The function `train` is plain NumPy. Decorated with `ag.function` it is converted, recorded into one
graph with its loops, its `if` and its `break`, compiled, and run without Python; undecorated it runs
under NumPy. This program shows the converted Python, trains both ways, and fails unless both give
the same weights. `train_perceptron` does the same with a hidden layer, and does not write out the
gradient: it is `ag.value_and_grad` of the loss, inside the staged loop.

    python examples/train_mnist.py [--data DIR] [--epochs N] [--batch N]

DIR (or the environment variable MNIST_DIR) holds MNIST in its idx format: the first 8,000 images of
the t10k split train, the last 2,000 are held out. Without it, the digits that scikit-learn ships.
"""

from __future__ import annotations

import argparse
import gzip
import os
import sys
import time
from pathlib import Path

import autograph as ag
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Integers = NDArray[np.int64]
Parameters = tuple[Floats, ...]


def train(
    images: Floats, labels: Integers, w: Floats, b: Floats, lr: float, epochs: int, batch: int
) -> tuple[Floats, Floats]:
    """Minimise the cross-entropy of `softmax(images @ w + b)` by stochastic gradient descent.

    Stops early when the loss of an epoch does not fall by a thousandth of itself.
    """
    count = images.shape[0]
    one_hot = np.eye(w.shape[1], dtype=np.float32)
    previous = np.inf
    for epoch in range(epochs):
        total = 0.0
        for start in range(0, count, batch):
            x = images[start : start + batch]
            y = one_hot[labels[start : start + batch]]
            scores = x @ w + b
            scores = scores - scores.max(axis=1, keepdims=True)
            exponentials = np.exp(scores)
            sums = exponentials.sum(axis=1, keepdims=True)
            total = total - np.sum((scores - np.log(sums)) * y)
            gradient = (exponentials / sums - y) / np.float32(x.shape[0])
            w = w - lr * (x.T @ gradient)
            b = b - lr * gradient.sum(axis=0)
        loss = total / count
        print("epoch", epoch, "loss", loss)
        if loss > previous * 0.999:
            print("the loss stopped falling")
            break
        previous = loss
    return w, b


def perceptron_loss(parameters: Parameters, x: Floats, y: Floats) -> np.float32:
    """Cross-entropy of a perceptron with one hidden layer, for one-hot labels `y`."""
    w1, b1, w2, b2 = parameters
    scores = np.maximum(x @ w1 + b1, 0) @ w2 + b2
    scores = scores - scores.max(axis=1, keepdims=True)
    log_sums = np.log(np.exp(scores).sum(axis=1, keepdims=True))
    loss: np.float32 = -np.sum((scores - log_sums) * y) / np.float32(x.shape[0])
    return loss


def train_perceptron(
    images: Floats, labels: Integers, parameters: Parameters, lr: float, epochs: int, batch: int
) -> Parameters:
    """Minimise the loss by stochastic gradient descent; stops early as `train` does."""
    count = images.shape[0]
    one_hot = np.eye(parameters[2].shape[1], dtype=np.float32)
    previous = np.inf
    for epoch in range(epochs):
        total = 0.0
        for start in range(0, count, batch):
            x = images[start : start + batch]
            y = one_hot[labels[start : start + batch]]
            loss, gradient = ag.value_and_grad(perceptron_loss)(parameters, x, y)
            total = total + loss * x.shape[0]
            parameters = tuple(w - lr * d for w, d in zip(parameters, gradient, strict=True))
        print("perceptron, epoch", epoch, "loss", total / count)
        if total / count > previous * 0.999:
            break
        previous = total / count
    return parameters


def perceptron(inputs: int, hidden: int) -> Parameters:
    """Initial parameters, small and random."""
    draws = np.random.default_rng(0)
    shapes = [(inputs, hidden), (hidden,), (hidden, 10), (10,)]
    return tuple((0.1 * draws.standard_normal(shape)).astype(np.float32) for shape in shapes)


def read_idx(path: Path) -> NDArray[np.uint8]:
    """Read an array in MNIST's idx format, gzipped or not."""
    data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    rank = data[3]
    sizes = [int.from_bytes(data[4 + 4 * axis : 8 + 4 * axis], "big") for axis in range(rank)]
    return np.frombuffer(data, np.uint8, offset=4 + 4 * rank).reshape(sizes)


def find(folder: Path, name: str) -> Path:
    """Find the file of a folder with this name, gzipped or not."""
    for path in (folder / name, folder / f"{name}.gz"):
        if path.is_file():
            return path
    sys.exit(f"{folder} has no file {name} or {name}.gz")


def load(folder: str | None) -> tuple[str, Floats, Integers, int]:
    """Read images in [0, 1], one a row, their labels, and how many of them train."""
    if folder:
        images = read_idx(find(Path(folder), "t10k-images-idx3-ubyte"))
        labels = read_idx(find(Path(folder), "t10k-labels-idx1-ubyte"))
        pixels = images.reshape(len(images), -1).astype(np.float32) / np.float32(255)
        return "MNIST", pixels, labels.astype(np.int64), 8000
    from sklearn.datasets import load_digits

    images, labels = load_digits(return_X_y=True)
    return "scikit-learn's digits", (images / 16).astype(np.float32), labels.astype(np.int64), 1500


def accuracy(images: Floats, labels: Integers, w: Floats, b: Floats) -> float:
    """Share of images whose largest score is that of their label."""
    return float(np.mean(np.argmax(images @ w + b, axis=1) == labels))


def main() -> int:
    """Train both ways and compare."""
    parser = argparse.ArgumentParser(description="Softmax regression and a perceptron on images of digits.")
    parser.add_argument("--data", default=os.environ.get("MNIST_DIR"), metavar="DIR")
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--batch", type=int, default=200)
    options = parser.parse_args()
    name, images, labels, count = load(options.data)
    w = np.zeros((images.shape[1], 10), np.float32)
    b = np.zeros(10, np.float32)
    arguments = (images[:count], labels[:count], w, b, 0.5, options.epochs, options.batch)

    print(f"--- train, converted\n{ag.to_code(train)}")
    staged = ag.function(train)
    print(f"--- {name}: {count} images train, {len(images) - count} are held out")
    started = time.perf_counter()
    weights = staged(*arguments)
    first = time.perf_counter() - started
    print("--- the same call again, compiled already")
    started = time.perf_counter()
    weights = staged(*arguments)
    native = time.perf_counter() - started
    print("--- undecorated, under NumPy")
    started = time.perf_counter()
    expected: Parameters = train(*arguments)
    plain = time.perf_counter() - started

    held_out = accuracy(images[count:], labels[count:], *weights)
    print(f"--- held-out accuracy {held_out:.1%}")
    print(f"native {native * 1e3:.0f} ms (first call {first * 1e3:.0f} ms), NumPy {plain * 1e3:.0f} ms")
    if not are_alike(weights, expected, 1e-4):
        return 1

    print("--- a perceptron with 64 hidden units, its gradient by ag.value_and_grad in the staged loop")
    inputs = (images[:count], labels[:count], perceptron(images.shape[1], 64), 0.2, options.epochs, 25)
    parameters = ag.function(train_perceptron)(*inputs)
    print("--- the same, undecorated: NumPy's loop, with native gradients")
    expected = train_perceptron(*inputs)
    hidden = np.maximum(images[count:] @ parameters[0] + parameters[1], 0)
    print(f"--- perceptron's held-out accuracy {accuracy(hidden, labels[count:], *parameters[2:]):.1%}")
    return 0 if are_alike(parameters, expected, 1e-3) else 1


def are_alike(weights: Parameters, expected: Parameters, tolerance: float) -> bool:
    """Whether two trainings gave the same weights; says by how much they differ."""
    worst = max(
        float(np.max(np.abs(got - want)) / np.max(np.abs(want)))
        for got, want in zip(weights, expected, strict=True)
    )
    print(f"largest difference of the weights, relative: {worst:.1e}")
    if not worst <= tolerance:
        print("the two trainings differ", file=sys.stderr)
    return worst <= tolerance


if __name__ == "__main__":
    sys.exit(main())
