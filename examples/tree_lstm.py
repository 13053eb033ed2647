"""A TreeLSTM reads parsed sentences: recursion over trees of dataclasses, trained one tree at a time.

The loss is at every node, as the Stanford sentiment treebank has it. `step` is one graph for trees of all
shapes: the recursion is a function of the graph, and so is its way back. (Tai, Socher and Manning 2015; the
setting of the AutoGraph paper, Table 3: hidden 150, embedding 300, Adagrad, batch 1.)

    python examples/tree_lstm.py [--data DIR] [--epochs N] [--trees N]

DIR (or the environment variable SST_DIR) holds `dev.txt` or `dev.txt.gz` of the treebank, a tree a line in
brackets. Without it, trees are drawn at random. Word vectors are random, and are not trained.
"""

from __future__ import annotations

import argparse
import gzip
import os
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import autograph as ag
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating]
Parameters = tuple[Floats, ...]

HIDDEN, FEATURES, CLASSES = 150, 300, 5


@dataclass
class Tree:
    """A leaf has a word, a node has two children; all have a label."""

    label: np.int64
    word: np.int64 | None = None
    # `Any`: that a node has both, a type checker cannot know.
    left: Tree | Any = None
    right: Tree | Any = None


def sigmoid(x: Floats) -> Floats:
    return 1 / (1 + np.exp(-x))


def encode(tree: Tree, parameters: Parameters, embedding: Floats) -> tuple[np.float32, Floats, Floats]:
    """Loss of a tree, and the state and the cell of its root."""
    w_leaf, b_leaf, w_node, b_node, w_class, b_class = parameters
    if tree.left is None:
        gates = w_leaf @ embedding[tree.word] + b_leaf
        cell = sigmoid(gates[:HIDDEN]) * np.tanh(gates[2 * HIDDEN :])
        state = sigmoid(gates[HIDDEN : 2 * HIDDEN]) * np.tanh(cell)
        below = np.float32(0.0)
    else:
        left_loss, left, left_cell = encode(tree.left, parameters, embedding)
        right_loss, right, right_cell = encode(tree.right, parameters, embedding)
        gates = w_node @ np.concatenate((left, right)) + b_node
        kept = sigmoid(gates[HIDDEN : 2 * HIDDEN]) * left_cell
        kept = kept + sigmoid(gates[2 * HIDDEN : 3 * HIDDEN]) * right_cell
        cell = sigmoid(gates[:HIDDEN]) * np.tanh(gates[4 * HIDDEN :]) + kept
        state = sigmoid(gates[3 * HIDDEN : 4 * HIDDEN]) * np.tanh(cell)
        below = left_loss + right_loss
    scores = w_class @ state + b_class
    scores = scores - np.max(scores)
    return below + np.log(np.sum(np.exp(scores))) - scores[tree.label], state, cell


def loss(parameters: Parameters, tree: Tree, embedding: Floats) -> np.float32:
    """Cross-entropy of the labels, summed over the nodes."""
    return encode(tree, parameters, embedding)[0]


@ag.function
def step(
    parameters: Parameters, squares: Parameters, tree: Tree, embedding: Floats, rate: np.float32
) -> tuple[Parameters, Parameters, np.float32]:
    """One step of Adagrad on one tree."""
    value, gradient = ag.value_and_grad(loss)(parameters, tree, embedding)
    squares = tuple(s + g * g for s, g in zip(squares, gradient, strict=True))
    parameters = tuple(
        w - rate * g / (np.sqrt(s) + np.float32(1e-10))
        for w, s, g in zip(parameters, squares, gradient, strict=True)
    )
    return parameters, squares, value


def read_tree(text: str, words: dict[str, int]) -> Tree:
    """A tree in brackets: `(3 (2 It) (4 works))`."""
    tokens = text.replace("(", " ( ").replace(")", " ) ").split()
    place = 0

    def read() -> Tree:
        nonlocal place
        label = np.int64(tokens[place + 1])
        place += 2
        if tokens[place] != "(":
            word = words.setdefault(tokens[place], len(words))
            place += 2
            return Tree(label, word=np.int64(word))
        left, right = read(), read()
        place += 1
        return Tree(label, left=left, right=right)

    return read()


def load(folder: str | None, count: int) -> tuple[str, list[Tree], int]:
    """The trees, and how many words they have."""
    if not folder:
        return "random trees", draw_trees(count), 2000
    path = next(one for one in (Path(folder) / "dev.txt.gz", Path(folder) / "dev.txt") if one.is_file())
    data = path.read_bytes()
    lines = (gzip.decompress(data) if path.suffix == ".gz" else data).decode().splitlines()
    words: dict[str, int] = {}
    trees = [read_tree(line, words) for line in lines[:count]]
    return "the Stanford sentiment treebank", trees, len(words)


def draw_trees(count: int) -> list[Tree]:
    """Trees as large as those of the treebank: 19 words on average."""
    draws = np.random.default_rng(7)

    def grow(words: int) -> Tree:
        label = np.int64(draws.integers(CLASSES))
        if words == 1:
            return Tree(label, word=np.int64(draws.integers(2000)))
        cut = int(draws.integers(1, words))
        return Tree(label, left=grow(cut), right=grow(words - cut))

    return [grow(int(np.clip(round(draws.gamma(4.2, 4.55)), 1, 52))) for _ in range(count)]


def network() -> Parameters:
    """Initial parameters."""
    draws = np.random.default_rng(11)
    shapes = [
        (3 * HIDDEN, FEATURES),
        (3 * HIDDEN,),
        (5 * HIDDEN, 2 * HIDDEN),
        (5 * HIDDEN,),
        (CLASSES, HIDDEN),
        (CLASSES,),
    ]
    return tuple((0.05 * draws.standard_normal(shape)).astype(np.float32) for shape in shapes)


def main() -> None:
    """Train."""
    parser = argparse.ArgumentParser(description="A TreeLSTM reads parsed sentences.")
    parser.add_argument("--data", default=os.environ.get("SST_DIR"), metavar="DIR")
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--trees", type=int, default=1101)
    options = parser.parse_args()
    name, trees, words = load(options.data, options.trees)
    embedding = (0.5 * np.random.default_rng(5).standard_normal((words, FEATURES))).astype(np.float32)
    parameters = network()
    squares: Parameters = tuple(np.zeros_like(w) for w in parameters)
    rate = np.float32(0.05)
    print(f"{name}: {len(trees)} trees, {words} words")
    print(f"loss of the first tree: {ag.function(loss)(parameters, trees[0], embedding):.4f}")
    for epoch in range(options.epochs):
        total, started = 0.0, time.process_time()
        for tree in trees:
            parameters, squares, value = step(parameters, squares, tree, embedding, rate)
            total += float(value)
        speed = len(trees) / (time.process_time() - started)
        print(f"epoch {epoch}: loss {total / len(trees):.4f} a tree, {speed:.0f} trees/s of processor time")
    print(f"graphs: {len(step.concrete_functions())}")


if __name__ == "__main__":
    main()
