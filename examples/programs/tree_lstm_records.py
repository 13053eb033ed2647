"""A TreeLSTM over trees of dataclasses, by recursion: one graph for all shapes of tree.

The nodes of a tree are rows of a table. `tree_lstm.py` does the same over index arrays that the user made.

    python examples/programs/tree_lstm_records.py
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import autograph as ag
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass
class Tree:
    """A leaf has a word, a node has two children."""

    word: np.int64 | None = None
    # `Any`: that a node has both, a type checker cannot know.
    left: Tree | Any = None
    right: Tree | Any = None


def sigmoid(x: Floats) -> Floats:
    return 1 / (1 + np.exp(-x))


def encode(tree: Tree, embedding: Floats, w_word: Floats, w_child: Floats) -> tuple[Floats, Floats]:
    """State and cell of a tree."""
    hidden = w_child.shape[2]
    if tree.left is None:
        gates = w_word @ embedding[tree.word]
        inner = np.zeros_like(gates[:hidden])
    else:
        left, left_cell = encode(tree.left, embedding, w_word, w_child)
        right, right_cell = encode(tree.right, embedding, w_word, w_child)
        gates = w_child[0] @ left + w_child[1] @ right
        inner = (
            sigmoid(gates[3 * hidden : 4 * hidden]) * left_cell + sigmoid(gates[4 * hidden :]) * right_cell
        )
    cell = sigmoid(gates[:hidden]) * np.tanh(gates[2 * hidden : 3 * hidden]) + inner
    return sigmoid(gates[hidden : 2 * hidden]) * np.tanh(cell), cell


def tree_lstm(tree: Tree, embedding: Floats, w_word: Floats, w_child: Floats) -> Floats:
    """The state of the root (Tai, Socher and Manning 2015, the binary variant)."""
    return encode(tree, embedding, w_word, w_child)[0]


def leaf(word: int) -> Tree:
    return Tree(word=np.int64(word))


def weights(features: int, hidden: int) -> list[Floats]:
    rng = np.random.default_rng(6)
    shapes = [(20, features), (5 * hidden, features), (2, 5 * hidden, hidden)]
    return [rng.normal(size=shape) / np.sqrt(hidden) for shape in shapes]


SMALL = Tree(left=Tree(left=leaf(3), right=leaf(5)), right=leaf(1))
LARGER = Tree(left=SMALL, right=Tree(left=leaf(2), right=SMALL.left))
PROGRAMS = {tree_lstm: [(tree, *weights(4, 3)) for tree in (SMALL, leaf(7), LARGER)]}

if __name__ == "__main__":
    staged, parameters = ag.function(tree_lstm), weights(300, 150)
    for tree in (SMALL, LARGER):
        print(f"norm of the root's state: {np.linalg.norm(staged(tree, *parameters)):.6f}")
    print(f"graphs: {len(staged.concrete_functions())}")
