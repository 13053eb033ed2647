"""A TreeLSTM (150 hidden units, 300 features, batch 1) over trees of dataclasses, against its products alone.

The trees are as large as those of the Stanford sentiment treebank: 19 words on average. `SST_TREES=file`
takes its `array_tree.txt` instead. The peer does nothing but the products of matrices and vectors, in NumPy.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import autograph as ag
import numpy as np
from measure import Comparison, Duration, clock, compare

TREES, FEATURES, HIDDEN, VOCABULARY = 100, 300, 150, 5400


@dataclass
class Tree:
    """A leaf has a word, a node has two children."""

    word: int | None = None
    left: Tree | None = None
    right: Tree | None = None


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def encode(tree, embedding, w_word, w_child):
    if tree.left is None:
        gates = w_word @ embedding[tree.word]
        inner = np.zeros_like(gates[:HIDDEN])
    else:
        left, left_cell = encode(tree.left, embedding, w_word, w_child)
        right, right_cell = encode(tree.right, embedding, w_word, w_child)
        gates = w_child[0] @ left + w_child[1] @ right
        kept = sigmoid(gates[3 * HIDDEN : 4 * HIDDEN]) * left_cell
        inner = kept + sigmoid(gates[4 * HIDDEN :]) * right_cell
    cell = sigmoid(gates[:HIDDEN]) * np.tanh(gates[2 * HIDDEN : 3 * HIDDEN]) + inner
    return sigmoid(gates[HIDDEN : 2 * HIDDEN]) * np.tanh(cell), cell


def tree_lstm(tree, embedding, w_word, w_child):
    return encode(tree, embedding, w_word, w_child)[0]


def products(tree, embedding, w_word, w_child):
    """The products of a tree, in the order of the recursion, and nothing else."""
    if tree.left is None:
        return w_word @ embedding[tree.word]
    left = products(tree.left, embedding, w_word, w_child)[:HIDDEN]
    right = products(tree.right, embedding, w_word, w_child)[:HIDDEN]
    return w_child[0] @ left + w_child[1] @ right


def random_tree(words, rng):
    if words == 1:
        return Tree(word=int(rng.integers(0, VOCABULARY)))
    left = int(rng.integers(1, words))
    return Tree(left=random_tree(left, rng), right=random_tree(words - left, rng))


def read_trees(path: Path) -> list[Any]:
    """Trees in rows: the number of nodes, then for each its score, word, left and right child."""
    numbers = iter(map(int, path.read_text().split()))
    trees = []
    for _ in range(next(numbers)):
        count = next(numbers)
        _, words, lefts, rights = ([next(numbers) for _ in range(count)] for _ in range(4))

        def build(row, words=words, lefts=lefts, rights=rights):
            if lefts[row] < 0:
                return Tree(word=words[row])
            return Tree(left=build(lefts[row]), right=build(rights[row]))

        trees.append(build(0))
    return trees


def run() -> list[Comparison | Duration]:
    rng = np.random.default_rng(0)
    source = os.environ.get("SST_TREES")
    trees = (
        read_trees(Path(source))
        if source
        else [random_tree(int(rng.integers(2, 37)), rng) for _ in range(TREES)]
    )
    shapes = [(VOCABULARY, FEATURES), (5 * HIDDEN, FEATURES), (2, 5 * HIDDEN, HIDDEN)]
    weights = [(rng.normal(size=shape) / np.sqrt(HIDDEN)).astype(np.float32) for shape in shapes]
    staged = ag.function(tree_lstm)

    def ours():
        for tree in trees:
            staged(tree, *weights)

    def peer():
        for tree in trees:
            products(tree, *weights)

    np.testing.assert_allclose(
        staged(trees[0], *weights), tree_lstm(trees[0], *weights), rtol=1e-4, atol=1e-5
    )
    ours()
    dispatch = min(
        clock(lambda: [staged._specialise((tree, *weights), {}) for tree in trees]) for _ in range(5)
    )
    return [
        compare(f"TreeLSTM over {len(trees)} trees", ours, peer, "its products in NumPy", 1.3),
        Duration("the nodes of a tree as tables, per tree", dispatch / len(trees), 1e-4),
    ]
