"""Programs over arrays: indices, writes, slices, masks, views, aliases, methods, shapes, precisions."""

from __future__ import annotations

import numpy as np
from tangent_case import Programs

PROGRAMS = Programs()
on = PROGRAMS.on

V = np.array([0.5, -1.2, 2.0])
W = np.array([1.5, 0.3, -0.7])
M = np.array([[0.5, -1.2, 2.0], [1.1, 0.4, -0.3]])
V1 = np.array([0.7])
F = np.array([0.5, -1.25, 2.0], np.float32)


@on(V, V1, M)
def sum_of_squares(x):
    return np.sum(x * x)


@on(V, M)
def mean_of_sines(x):
    return np.mean(np.sin(x) * x)


@on(V, M, 2.0, F, np.float64(2.0))
def elementwise_result(x):
    return np.exp(x) * x + 1


@on((2.0, V), (2.0, M), (np.float64(0.5), V), wrt=(0, 1))
def scalar_with_array(s, a):
    return np.sum(s * a + a / (s + 3) + (a * a + 1) ** s - s)


@on((2.0, V), (1.5, M), wrt=(0, 1))
def scalar_on_the_left(s, a):
    return np.sum(s / (a + 5) + s ** (a * 0.1) + np.maximum(s, a) + np.multiply(s, a))


@on((V, M), (V1, V), (np.array([[1.0], [2.0]]), M), (np.array(3.0), V), wrt=(0, 1))
def broadcasting_product(a, b):
    return np.sum(a * b * b + (a - b) * 2)


@on((np.array([[1.0], [2.0]]), V), wrt=(0, 1))
def broadcasting_both_ways(a, b):
    c = a * b
    c = c + a
    return np.sum(np.sin(c) + b)


@on(M)
def softmax(m):
    e = np.exp(m - np.max(m, axis=1, keepdims=True))
    p = e / np.sum(e, axis=1, keepdims=True)
    return -np.sum(np.log(p[:, 0])) + p[1, 2]


@on((M, V, np.array([[0.2, 0.3], [0.1, -0.5], [0.4, 0.7]])), wrt=(0, 1, 2))
def layer(x, b, w):
    h = np.tanh(np.dot(x, w) + b[:2])
    return np.sum(h * h)


@on((M, W), wrt=(0, 1))
def matmul_vector(a, v):
    return np.sum((a @ v) ** 2) + v @ v


@on((V, W), wrt=(0, 1))
def dot_of_vectors(a, b):
    return np.dot(a, b) * np.dot(a, a)


@on(V, M)
def methods(x):
    return x.sum() * x.mean() + (x * x).max() + np.exp(x).sum() + x.min() + x.prod()


@on(M)
def methods_with_axes(x):
    a = x.sum(axis=0)
    b = x.mean(1)
    return (a * a).sum() + b.dot(b) + x.std() + x.var(axis=0).sum()


@on(M)
def shapes(x):
    n, m = x.shape
    y = x.reshape(-1) * n
    z = x.reshape(m, n).T + x
    return y.sum() * m + (z * x).sum() + x.ndim + x.size + len(x)


@on(M)
def transposes(x):
    return np.sum(x.T @ x) + np.sum(x.transpose() * 2) + np.sum(np.transpose(x)[0] * x[:, 0])


@on(M)
def flattened(x):
    y = x.ravel()
    z = x.flatten() * y
    return z.sum() * y[2]


@on(V)
def astype(x):
    return x.astype(np.float64).sum() * 2 + x.astype(float)[0]


@on(V)
def item_and_float(x):
    return float(x[0]) * x[1].item() + float(np.sum(x * x))


@on(V)
def int_index(x):
    return x[0] * x[1] + x[-1] * x[0] + x[2] ** 2


@on(M)
def row_index(m):
    return np.sum(m[0] * m[1]) + m[1][2] * m[0, 1] + np.sum(m[-1])


@on(M)
def slices(m):
    return np.sum(m[:, 1:] * m[:, :-1]) + np.sum(m[::-1, ::2]) * m[0, 0]


@on(V, M)
def number_with_new_axes(x):
    total = np.sum(x)[..., None, None]
    return np.sum(total * x) + np.sum(x[..., None] * x[None, ...])


@on(V)
def none_and_ellipsis(x):
    return np.sum(x[:, None] * x[None, :]) + np.sum(x[..., 0])


@on(V)
def repeated_indices(x):
    return np.sum(x[np.array([0, 0, 2])] * x[[1, 1, 0]])


@on((V, np.array([0, 0, 2])), (V, np.array([1, -1])))
def repeated_indices_given(x, index):
    y = x[index]
    return np.sum(y * y)


@on((V, 0), (V, 2), (V, -1), (V, 5))
def index_given(x, i):
    return x[i] * x[0]


@on(V, -V)
def mask_read(x):
    y = x[x > 0]
    return np.sum(y * y) + np.sum(x[x < 1])


@on(V)
def write_item(x):
    y = x * 2
    y[0] = x[1] * x[2]
    return np.sum(y * y)


@on(V)
def write_item_twice(x):
    y = np.zeros(3)
    y[0] = x[1] * x[2]
    y[1] = y[0] * x[0]
    y[0] = y[1] * y[0]
    return np.sum(y * y)


@on(V)
def add_to_item(x):
    y = np.zeros(3)
    y[0] += x[0] * x[0]
    y[1] += y[0] * x[1]
    y[1] += 3.3 * x[2]
    return np.sum(y * y)


@on(V)
def scale_item(x):
    y = x * 1.0
    y[0] *= x[1]
    y[1] *= y[0]
    y[2] /= x[0]
    y[1] -= y[2]
    y[0] **= 2
    return np.sum(y * x)


@on(V)
def fill_in_loop(x):
    y = np.zeros(len(x))
    for i in range(len(x)):
        y[i] = x[i] * x[i - 1]
    return np.sum(y * y)


@on(V, V1)
def running_sum(x):
    y = np.zeros_like(x)
    y[0] = x[0]
    for i in range(1, len(x)):
        y[i] = y[i - 1] * 0.5 + x[i]
    return np.sum(np.sin(y))


@on(V, V1, np.zeros(0))
def accumulate_in_item(x):
    y = np.ones(2)
    for i in range(len(x)):
        y[0] += x[i] * y[1]
        y[1] *= x[i]
    return y[0] * 2 + y[1]


@on(V)
def write_slice(x):
    y = np.zeros(5)
    y[1:4] = x * x
    y[:2] = y[2:4] * 2
    y[-1] = 1.0
    return np.sum(y * y)


@on(V)
def write_scalar_into_slice(x):
    y = x * 1.0
    y[1:] = x[0] * x[0]
    return np.sum(y * y)


@on(V)
def add_to_slice(x):
    y = np.ones(4)
    y[:3] += x
    y[1:] *= x
    y[::2] -= x[0]
    return np.sum(y * y * y)


@on(V, -V)
def write_mask(x):
    y = x * x
    y[x > 0] = x[0]
    y[y < 0.3] *= 2
    return np.sum(y * x)


@on(V, -V)
def write_constant_at_mask(x):
    y = x * x
    y[x < 0] = 0.0
    return np.sum(y * x)


@on(V)
def write_whole(x):
    y = np.zeros(3)
    y[:] = x
    y[...] = y * y
    return np.sum(y * x)


@on((V, np.array([0, 0, 2])))
def fancy_add(x, index):
    y = x * 1.0
    y[index] += x
    return np.sum(y * y)


@on((V, np.array([0, 0, 2])))
def fancy_write(x, index):
    y = x * 1.0
    y[index] = x * 2
    return np.sum(y * y)


@on(M)
def write_row_and_column(m):
    y = np.zeros((2, 3))
    y[0] = m[1] * m[0]
    y[:, 1] = m[:, 0]
    y[1, 2] = m[0, 0] * y[0, 0]
    return np.sum(y * y * m)


@on(V)
def write_argument(x):
    x[0] = x[1] * 2
    return np.sum(x * x)


@on((V, W), wrt=(0,))
def write_other_argument(x, buffer):
    buffer[0] = x[1] * x[0]
    return np.sum(buffer * x)


@on((V, W), wrt=(0,))
def write_constant_to_other(x, buffer):
    buffer[:] = 2.0
    return np.sum(buffer * x)


@on((V, W), wrt=(0,))
def count_in_argument(x, counts):
    for i in range(3):
        counts[i] += 1
    return np.sum(x * x * counts[0])


@on(V)
def alias_write(x):
    y = x * 1.0
    z = y
    z[0] = x[1] * x[1]
    return np.sum(y * x)


@on(V)
def alias_scale(x):
    y = x * 1.0
    z = y
    z *= 2
    return np.sum(y * z)


@on(V)
def view_write(x):
    y = x * 1.0
    v = y[1:]
    v[0] = x[0] * x[0]
    return np.sum(y * y)


@on(V)
def view_scale(x):
    y = x * 1.0
    v = y[1:]
    v *= x[0]
    return np.sum(y * y)


@on(V)
def view_read_after_write(x):
    y = x * 1.0
    v = y[1:]
    y[1] = x[0] * x[0]
    return np.sum(v * v) + np.sum(y)


@on(V)
def view_of_argument_read(x):
    v = x[1:]
    w = v * v
    return np.sum(w) * x[0]


@on(V)
def alias_of_argument_written(x):
    y = x
    y[0] = 5.0
    return np.sum(x * y)


@on(V)
def copy_of_argument_written(x):
    y = x.copy()
    y[0] = 5.0 * x[1]
    z = np.copy(y)
    z[1] = y[0]
    w = np.array(z)
    w[2] *= 2
    return np.sum(x * y * z * w)


@on(V)
def reshape_view_written(x):
    y = np.zeros((3, 1))
    v = y.reshape(-1)
    v[:] = x * x
    return np.sum(y * 2)


@on(V)
def transpose_view_written(x):
    y = np.ones((3, 2))
    t = y.T
    t[0] = x * x
    return np.sum(y * y)


@on(M)
def row_view_written(m):
    y = m * 1.0
    row = y[0]
    row += m[1]
    return np.sum(y * y)


@on(M)
def rows_of_for_written(m):
    y = m * 1.0
    for row in y:
        row *= 2
    return np.sum(y * y)


@on(V)
def out_keyword(x):
    z = np.zeros(3)
    np.multiply(x, x, out=z)
    return np.sum(z * x)


@on(V)
def out_of_itself(x):
    z = x * 1.0
    np.multiply(z, z, out=z)
    np.add(z, x, out=z)
    return np.sum(z * x)


@on(V)
def in_place_ufunc_at(x):
    z = np.zeros(3)
    np.add.at(z, [0, 0, 1], x)
    return np.sum(z * z)


@on(V)
def sorted_in_place(x):
    y = x * x
    y.sort()
    return y[0] * 3 + y[1]


@on(V)
def filled(x):
    y = np.empty(3)
    y.fill(x[0])
    return np.sum(y * x)


@on(V, F)
def dtype_is_kept(x):
    y = x * 2
    y = y + 1
    return np.sum(y * y)


@on(F)
def single_precision_with_writes(x):
    y = np.zeros(3)
    y[0] = x[0] * x[1]
    y[1:] += x[1:]
    return np.sum(y * y)


@on((F, V), wrt=(0, 1))
def mixed_precisions(a, b):
    return np.sum(a * b * b)


@on(V)
def int_array_beside(x):
    k = np.arange(3)
    return np.sum(x**2 * k + k / (x + 7))


@on(V)
def int_array_rebound(x):
    y = np.array([1, 2, 3])
    y = y * x
    y[1] += x[0]
    return np.sum(y * y)
