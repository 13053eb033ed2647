# run: fill(np.zeros(5), np.int64(3))
# run: prefix_sums(np.array([1.0, 2.0, 3.0, 4.0]))
# run: histogram(np.array([0, 2, 2, 1, 0, 2]), 3)
# run: in_place(np.array([1.0, 2.0]), np.float64(3.0))
# run: argument(np.array([1.0, 2.0, 3.0]))
# run: masked(np.array([1.0, -2.0, 3.0]))
# run: rows(np.arange(12.0).reshape(3, 4))
# run: softmax_gradient(np.array([[0.2, 0.8], [0.5, 0.5]]), np.array([1, 0]))
# run: alias(np.array([1.0, 2.0]))
# run: branch_write(np.array([1.0, 2.0]), np.float64(1.0))
# run: branch_write(np.array([1.0, 2.0]), np.float64(-1.0))
# run: sieve(30)
import numpy as np


def fill(x, n):
    for i in range(n):
        x[i] = i * 1.5
    return x


def prefix_sums(x):
    y = np.zeros(len(x))
    total = 0.0
    for i in range(len(x)):
        total = total + x[i]
        y[i] = total
    return y


def histogram(values, bins):
    counts = np.zeros(bins, np.int64)
    for v in values:
        counts[v] += 1
    return counts


def in_place(x, s):
    y = x.copy()
    y *= s
    y += x
    return y


def argument(x):
    x[1:] = x[1:] * 2
    x += 1
    return x.sum()


def masked(x):
    y = np.where(x > 0, x, 0.0)
    y[y > 2] = -1.0
    return y


def rows(m):
    m[1, ::2] = -1.0
    m[:, 3] = m[0, 0] + np.arange(3)
    return m


def softmax_gradient(p, labels):
    g = p.copy()
    g[np.arange(len(labels)), labels] -= 1.0
    return g / len(labels)


def alias(x):
    y = x
    y[0] = 9.0
    return x + y


def branch_write(x, s):
    y = x.copy()
    if s > 0:
        y[0] = 100.0
    return y


def sieve(n):
    prime = np.ones(n, np.bool_)
    prime[0] = False
    prime[1] = False
    for i in range(2, n):
        if prime[i]:
            for j in range(i * i, n, i):
                prime[j] = False
    return prime
