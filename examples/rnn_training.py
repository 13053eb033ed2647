"""A recurrent network reads text: full and truncated back-propagation through time.

The loss of a whole text is a staged loop over its characters, and `ag.value_and_grad` goes back through it.
With `ag.stop_gradient` on the state at every 16th character it goes back 16 characters at most: one line
of the program is the difference between the two.

    python examples/rnn_training.py [--steps N] [--hidden N]
"""

from __future__ import annotations

import argparse
import codecs
import contextlib
import io
import time

import autograph as ag
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Parameters = tuple[Floats, ...]


def loss(parameters: Parameters, text: Integers, truncation: np.int64) -> float:
    """Mean cross-entropy of each character given those before it."""
    w_in, w_state, b, w_out, b_out = parameters
    state = np.zeros_like(b)
    total = 0.0
    for t in range(len(text) - 1):
        if t % truncation == 0:
            state = ag.stop_gradient(state)
        state = np.tanh(w_in[text[t]] + w_state @ state + b)
        scores = w_out @ state + b_out
        scores = scores - np.max(scores)
        total += np.log(np.sum(np.exp(scores))) - scores[text[t + 1]]
    return total / (len(text) - 1)


@ag.function
def train(
    parameters: Parameters, text: Integers, truncation: np.int64, rate: float, steps: np.int64
) -> tuple[Parameters, float]:
    """Adam, all of it in one graph."""
    means = tuple(np.zeros_like(w) for w in parameters)
    squares = tuple(np.zeros_like(w) for w in parameters)
    for step in range(steps):
        value, gradient = ag.value_and_grad(loss)(parameters, text, truncation)
        if step % 50 == 0:
            print("step", step, "loss", value)
        means = tuple(0.9 * m + 0.1 * g for m, g in zip(means, gradient, strict=True))
        squares = tuple(0.99 * s + 0.01 * g * g for s, g in zip(squares, gradient, strict=True))
        first, second = 1.0 - 0.9 ** (step + 1.0), 1.0 - 0.99 ** (step + 1.0)
        parameters = tuple(
            w - rate * (m / first) / (np.sqrt(s / second) + 1e-8)
            for w, m, s in zip(parameters, means, squares, strict=True)
        )
    return parameters, loss(parameters, text, truncation)


def zen() -> tuple[Integers, int]:
    """The Zen of Python as numbers of characters, and how many there are."""
    with contextlib.redirect_stdout(io.StringIO()):
        import this
    text = codecs.decode(this.s, "rot13")[:400]
    letters = sorted(set(text))
    return np.array([letters.index(letter) for letter in text]), len(letters)


def network(letters: int, hidden: int) -> Parameters:
    """Initial parameters."""
    draws = np.random.default_rng(0)
    shapes = [(letters, hidden), (hidden, hidden), (hidden,), (letters, hidden), (letters,)]
    return tuple(draws.standard_normal(shape) / np.sqrt(hidden) for shape in shapes)


def main() -> None:
    """Train both ways."""
    parser = argparse.ArgumentParser(description="A recurrent network reads text.")
    parser.add_argument("--steps", type=int, default=150)
    parser.add_argument("--hidden", type=int, default=48)
    options = parser.parse_args()
    text, letters = zen()
    for name, truncation in (("full", len(text)), ("truncated to 16", 16)):
        print(f"--- {name}: {len(text)} characters, {letters} letters")
        started = time.perf_counter()
        parameters = network(letters, options.hidden)
        _, value = train(parameters, text, np.int64(truncation), 0.01, np.int64(options.steps))
        print(f"loss after {options.steps} steps: {value:.4f} ({time.perf_counter() - started:.1f} s)")


if __name__ == "__main__":
    main()
