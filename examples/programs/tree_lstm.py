"""A TreeLSTM over a tree that is given by index arrays: children come before their parents.

python examples/programs/tree_lstm.py
"""

import autograph as ag
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


def sigmoid(x: Floats) -> Floats:
    return 1 / (1 + np.exp(-x))


def tree_lstm(
    words: Integers,
    lefts: Integers,
    rights: Integers,
    embedding: Floats,
    w_word: Floats,
    w_left: Floats,
    w_right: Floats,
    bias: Floats,
) -> Floats:
    """The hidden state of the root (Tai, Socher and Manning 2015, the binary variant).

    Args:
        words: For each node its word, or -1 where it has children.
        lefts: For each node its left child, or -1.
        rights: For each node its right child, or -1.
        embedding: ``(vocabulary, features)``.
        w_word: ``(5 * hidden, features)``.
        w_left: ``(5 * hidden, hidden)``.
        w_right: ``(5 * hidden, hidden)``.
        bias: ``(5 * hidden,)``.
    """
    hidden = w_left.shape[1]
    states = np.zeros((len(words), hidden))
    cells = np.zeros((len(words), hidden))
    for node in range(len(words)):
        if words[node] >= 0:
            gates = w_word @ embedding[words[node]] + bias
            inner = np.zeros(hidden)
        else:
            left, right = lefts[node], rights[node]
            gates = w_left @ states[left] + w_right @ states[right] + bias
            kept_left, kept_right = sigmoid(gates[3 * hidden : 4 * hidden]), sigmoid(gates[4 * hidden :])
            inner = kept_left * cells[left] + kept_right * cells[right]
        entry, leave = sigmoid(gates[:hidden]), sigmoid(gates[hidden : 2 * hidden])
        cells[node] = entry * np.tanh(gates[2 * hidden : 3 * hidden]) + inner
        states[node] = leave * np.tanh(cells[node])
    root: Floats = states[-1]
    return root


def a_tree(leaves: int) -> tuple[Integers, Integers, Integers]:
    """A random binary tree: its words and children, the root last."""
    rng = np.random.default_rng(leaves)
    words, lefts, rights = rng.integers(0, 20, size=leaves).tolist(), [-1] * leaves, [-1] * leaves
    roots = list(range(leaves))
    while len(roots) > 1:
        place = int(rng.integers(0, len(roots) - 1))
        lefts.append(roots[place])
        rights.append(roots.pop(place + 1))
        roots[place] = len(words)
        words.append(-1)
    return np.array(words), np.array(lefts), np.array(rights)


def weights(features: int, hidden: int) -> list[Floats]:
    rng = np.random.default_rng(6)
    shapes = [
        (20, features),
        (5 * hidden, features),
        (5 * hidden, hidden),
        (5 * hidden, hidden),
        (5 * hidden,),
    ]
    return [rng.normal(size=shape) / np.sqrt(hidden) for shape in shapes]


PROGRAMS = {tree_lstm: [(*a_tree(5), *weights(4, 3)), (*a_tree(1), *weights(4, 3))]}

if __name__ == "__main__":
    root = ag.function(tree_lstm)(*a_tree(30), *weights(300, 150))
    print(f"norm of the root's state: {np.linalg.norm(root):.6f}")
