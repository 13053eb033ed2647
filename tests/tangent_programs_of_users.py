"""Numerical programs as users write them."""

from __future__ import annotations

import numpy as np
from tangent_case import Programs

PROGRAMS = Programs()
on = PROGRAMS.on

V = np.array([0.5, 1.2, 2.0])
M = np.arange(9.0).reshape(3, 3) * 0.1 + 0.3
MODEL = {"layers": [{"w": M, "b": V}, {"w": M * 0.2, "b": V}], "out": V}


@on((M, np.stack([M, M * 0.5])), wrt=(0, 1))
def deep_network(x, w):
    h = x
    for i in range(len(w)):
        h = np.tanh(h @ w[i])
    return np.sum(h)


@on((M, [(M, V), (M * 0.3, -V)]), wrt=(0, 1))
def leaky_network(x, params):
    for w, b in params:
        x = np.maximum(x @ w + b, 0.01 * x)
    return np.sum(x**2)


@on((MODEL, V), wrt=(0, 1))
def network_in_a_dict(params, x):
    h = x
    for layer in params["layers"]:
        h = np.tanh(np.dot(layer["w"], h) + layer["b"])
    return np.dot(params["out"], h)


@on((1.1, [(1.0, 2.0), (2.0, 3.0)]), (1.1, []))
def squared_errors(x, data):
    s = 0.0
    for t, target in data:
        s += (x * t - target) ** 2
    return s


@on((1.1, [(1.0, 2.0), (2.0, 3.0)]))
def mean_of_a_comprehension(x, data):
    return np.mean([(x * a - b) ** 2 for a, b in data])


@on(V)
def method_in_a_variable(x):
    total = x.sum
    return total() * x[0]


@on(V)
def compensated_sum(x):
    total = 0.0
    c = 0.0
    for a in x:
        y = a - c
        u = total + y
        c = (u - total) - y
        total = u
    return total * x[0]


@on(3.0)
def geometric_mean(x):
    a, b = x, 1.0
    while abs(a - b) > 1e-3:
        a, b = (a + b) / 2, 2 * a * b / (a + b)
    return a


@on(M @ M.T + np.eye(3))
def cholesky(x):
    n = x.shape[0]
    factor = np.zeros((n, n))
    for i in range(n):
        for j in range(i + 1):
            s = x[i, j] - np.sum(factor[i, :j] * factor[j, :j])
            factor[i, j] = np.sqrt(s) if i == j else s / factor[j, j]
    return np.sum(factor)


@on((M + np.eye(3), V), wrt=(0, 1))
def elimination(a, b):
    n = len(b)
    a = a.copy()
    b = b.copy()
    for k in range(n):
        for i in range(k + 1, n):
            f = a[i, k] / a[k, k]
            a[i, k:] -= f * a[k, k:]
            b[i] -= f * b[k]
    x = np.zeros(n)
    for i in range(n - 1, -1, -1):
        x[i] = (b[i] - a[i, i + 1 :] @ x[i + 1 :]) / a[i, i]
    return np.sum(x)


@on(V)
def warping(x):
    d = np.zeros((4, 4))
    d[0, 1:] = np.cumsum(x)
    for i in range(1, 4):
        for j in range(1, 4):
            d[i, j] = min(d[i - 1, j], d[i, j - 1], d[i - 1, j - 1]) + (x[i - 1] - x[j - 1]) ** 2
    return d[3, 3]


@on(V)
def gated_cell(x):
    h, c = np.zeros(3), np.zeros(3)
    for v in x:
        i = 1 / (1 + np.exp(-(h + v)))
        g = np.tanh(h * v)
        c = c * i + g
        h = i * np.tanh(c)
    return h.sum()


@on(V, 1.5)
def any_kind_of_argument(x):
    x = np.atleast_1d(x)
    y = np.array(x, copy=True)
    y += 1
    return (y * x).sum()


@on((V, 0), (V, 3), (1.3, 3))
def arrays_change_places(x, n):
    out = x
    for _ in range(n):
        out, x = out * x, out
    return np.sum(out)


@on(V, M)
def item_or_row(x):
    y = x[0]
    x = x * 2
    y = y * x[1]
    return np.sum(y)


@on(2.0, 0.5, -1.0)
def branches_that_bind_return_and_raise(x):
    if x > 1:
        y = x
    elif x > 0:
        return x * 3
    else:
        raise ValueError("negative")
    return y * y


@on(1.3)
def jumps_in_two_loops(x):
    y = x
    for i in range(3):
        for j in range(3):
            if j == 1:
                continue
            if i == 2:
                break
            y = y * x
        else:
            y = y + 1
            continue
        break
    return y


@on((1.3, 0), (1.3, 4))
def jumps_in_a_try(x, n):
    for i in range(n):
        try:
            x = x * x
            if x > 3:
                break
            if i == 0:
                continue
        finally:
            x = x + 0.1
    return x


@on(1.3, -1.3)
def return_in_a_with(x):
    with np.errstate(all="ignore"):
        if x > 0:
            return np.log(x)
        y = x * 2
    return y * x


@on((1.5, 2.0, 3.0), wrt=(0, 1))
def all_kinds_of_parameters(x, y=None, *args, k=1.0, **more):
    y = x if y is None else y
    return x * y * k


@on(np.array([2.0, 1.0]), np.array([1.0, 2.0]))
def pair_in_order(v):
    x, y = v
    if x > y:
        x, y = y, x
    return y**2 - x
