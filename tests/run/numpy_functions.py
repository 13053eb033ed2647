# run: reductions(np.arange(12.0).reshape(3, 4))
# run: reductions(np.arange(12, dtype=np.int32).reshape(3, 4))
# run: shapes(np.arange(24.0).reshape(2, 3, 4))
# run: products(np.arange(6.0).reshape(2, 3), np.arange(12.0).reshape(3, 4), np.arange(3.0))
# run: elementwise(np.linspace(0.1, 2.0, 7))
# run: elementwise(np.linspace(0.1, 2.0, 7).astype(np.float32))
# run: promotion(np.arange(4, dtype=np.uint8), np.arange(4, dtype=np.int32), np.arange(4, dtype=np.float32))
# run: indexing(np.arange(20).reshape(4, 5), np.array([2, 0, -1]))
# run: joined(np.arange(3.0), np.ones(3, np.float32))
# run: statistics(np.array([[1.0, 4.0], [2.0, 8.0]]))
# run: empty(np.zeros((0, 3)))
# run: nan(np.array([1.0, np.nan, 3.0]))
import numpy as np


def reductions(x):
    return (
        x.sum(),
        x.sum(axis=0),
        np.sum(x, axis=1, keepdims=True),
        x.max(axis=1),
        np.min(x),
        x.mean(),
        np.mean(x, axis=0),
        np.argmax(x),
        np.argmin(x, axis=1),
        np.cumsum(x, axis=1),
        np.prod(x + 1, axis=0),
        np.any(x > 10),
        np.all(x >= 0, axis=1),
        np.linalg.norm(x),
    )


def shapes(x):
    return (
        x.reshape(4, -1),
        x.T,
        np.transpose(x, (1, 0, 2)),
        x.ravel()[:3],
        np.expand_dims(x, 1).shape,
        np.squeeze(x[:1]),
        np.swapaxes(x, 0, 2),
        np.flip(x, 1),
        np.roll(x, 1, axis=2),
        np.tile(x[0], (2, 1)),
        np.repeat(x[0, 0], 2),
        np.broadcast_to(x[0], (3, 3, 4)).sum(),
    )


def products(a, b, v):
    return a @ b, np.dot(a, v), v @ v, np.outer(v, v), a.T @ a, np.matmul(a, b)[0], np.tensordot(a, b, 1)


def elementwise(x):
    return (
        np.exp(x),
        np.log(x),
        np.sqrt(x),
        np.tanh(x),
        np.sin(x) ** 2 + np.cos(x) ** 2,
        np.maximum(x, 1.0),
        np.clip(x, 0.5, 1.5),
        np.where(x > 1, x, -x),
        x**2,
        1 / x,
        -x,
        np.abs(x - 1),
        x // 0.3,
        x % 0.3,
        np.floor(x),
        np.sign(x - 1),
        np.log1p(x),
        np.expm1(x),
        np.arctan2(x, 1.0),
        np.hypot(x, 2.0),
    )


def promotion(u, i, f):
    return u + i, u * f, i + f, u + 1, i * 2.5, f + 1, f * 2.0, u / 2, i // 2, u > i, (u > 1) & (i > 2), ~u


def indexing(x, places):
    i = places[0]
    return (
        x[i],
        x[1],
        x[:, 2],
        x[places],
        x[1:3, ::2],
        x[-1],
        x[i, 1],
        x[:, None, 1],
        x[places, places],
        x[..., 0],
    )


def joined(a, b):
    return (
        np.concatenate([a, b]),
        np.stack([a, b]),
        np.hstack([a, b]),
        np.vstack([a, b]),
        np.array([a[0], 2.0]),
    )


def statistics(x):
    return np.var(x), np.std(x, axis=0), np.ptp(x), np.average(x, axis=1), np.count_nonzero(x > 1), np.diff(x)


def empty(x):
    return x.sum(axis=0), x.sum(), x.shape, x @ np.ones((3, 2)), np.concatenate([x, np.ones((1, 3))])


def nan(x):
    return x.max(), np.minimum(x, 2.0), np.argmax(x), np.isnan(x), x > 2, np.sum(x)
