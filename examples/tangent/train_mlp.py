"""Listing 6 of the Tangent paper: a perceptron, trained with a gradient that is NumPy source.

python examples/tangent/train_mlp.py    # MNIST where MNIST_DIR names a folder, else digits
"""

import os
import sys
from pathlib import Path

import numpy as np
from autograph import tangent

sys.path.insert(0, str(Path(__file__).parent.parent))

from train_mnist import load


def logsumexp(x, axis=None, keep_dims=False):
    return np.log(np.sum(np.exp(x), axis=axis, keepdims=keep_dims))


def logsoftmax(logits):
    return logits - logsumexp(logits, axis=-1, keep_dims=True)


def softmax_crossent(logits, y):
    return -np.sum(logsoftmax(logits) * y, axis=-1)


def mlp(x, w1, b1, wout, bout, label):
    h1 = np.tanh(np.dot(x, w1) + b1)
    out = np.dot(h1, wout) + bout
    loss = np.mean(softmax_crossent(out, label))
    return loss


def train(images, labels, hidden=64, epochs=6, batch=16, rate=0.1):
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
