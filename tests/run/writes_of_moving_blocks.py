# run: blocks(np.int64(1), np.arange(16.0).reshape(4, 4))
# run: blocks(np.int64(2), np.arange(16.0).reshape(4, 4))
# run: beside_an_index(np.int64(1), np.array([0, 2]))
# run: beside_an_index(np.int64(-1), np.array([2, 2]))
# run: in_three(np.int64(2))
# run: parts_of_a_view(np.int64(1))
"""Writes to blocks whose place moves with loops: several slices, and slices beside indices of the run."""

import autograph as ag
import numpy as np


def blocks(n, a):
    m = np.zeros((4, 4))
    for i in ag.staged(range(2)):
        for j in ag.staged(range(2)):
            m[2 * i : 2 * i + 2, 2 * j : 2 * j + 2] = a[2 * j : 2 * j + 2, 2 * i : 2 * i + 2] * n
            m[2 * j : 2 * j + 2, 2 * i : 2 * i + 2] += i - j
    return m


def beside_an_index(n, places):
    m = np.zeros((3, 3, 3))
    k = np.zeros((3, 3, 3), np.int32)
    for i in ag.staged(range(2)):
        m[i : i + 2, n] = i + 1.0
        m[n, i : i + 1] += np.arange(3.0)
        k[i : i + 2, places] = np.arange(3) + i
        k[places, i : i + 2] *= 2
        m[0, i : i + 2, n] -= 1.0
        m[i : i + 2, 1:, n] *= 3.0
    return m, k


def in_three(n):
    m = np.zeros((3, 3, 3))
    for i in ag.staged(range(2)):
        m[i : i + 2, i : i + 2, i : i + 2] += n
        m[i : i + 1, n, i : i + 1] = 7.0
    return m


def parts_of_a_view(n):
    m = np.zeros((4, 4))
    view = m[1:, :3]
    for i in ag.staged(range(2)):
        view[i : i + 2, n : n + 1] += 1.0
        view[i : i + 1, i : i + 2] = i + 2.0
    return m, view
