"""Softmax regression on images of digits: the whole training is one native call.

The function `train` is plain NumPy. Decorated with `ag.function` it is converted, recorded into one
graph with its loops, its `if` and its `break`, compiled, and run without Python; undecorated it runs
under NumPy. This program shows the converted Python, trains both ways, and fails unless both give
the same weights.

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


def train(images, labels, w, b, lr, epochs, batch):
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


def read_idx(path: Path) -> np.ndarray:
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


def load(folder: str | None) -> tuple[str, np.ndarray, np.ndarray, int]:
    """Read images in [0, 1], one a row, their labels, and how many of them train."""
    if folder:
        images = read_idx(find(Path(folder), "t10k-images-idx3-ubyte"))
        labels = read_idx(find(Path(folder), "t10k-labels-idx1-ubyte"))
        pixels = images.reshape(len(images), -1).astype(np.float32) / np.float32(255)
        return "MNIST", pixels, labels.astype(np.int64), 8000
    from sklearn.datasets import load_digits

    digits = load_digits()
    return (
        "scikit-learn's digits",
        (digits.data / 16).astype(np.float32),
        digits.target.astype(np.int64),
        1500,
    )


def accuracy(images: np.ndarray, labels: np.ndarray, w: np.ndarray, b: np.ndarray) -> float:
    """Share of images whose largest score is that of their label."""
    return float(np.mean(np.argmax(images @ w + b, axis=1) == labels))


def main() -> int:
    """Train both ways and compare."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
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
    expected = train(*arguments)
    plain = time.perf_counter() - started

    held_out = accuracy(images[count:], labels[count:], *weights)
    print(f"--- held-out accuracy {held_out:.1%}")
    print(f"native {native * 1e3:.0f} ms (first call {first * 1e3:.0f} ms), NumPy {plain * 1e3:.0f} ms")
    worst = max(
        float(np.max(np.abs(got - want)) / np.max(np.abs(want)))
        for got, want in zip(weights, expected, strict=True)
    )
    print(f"largest difference of the weights, relative: {worst:.1e}")
    if not worst <= 1e-4:
        print("the two trainings differ", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
