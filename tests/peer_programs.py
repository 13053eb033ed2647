"""Programs whose gradients are compared with those of JAX and HIPS autograd, written once for all of them.

Each is made with the module that it calls: NumPy, ``jax.numpy``, or ``autograd.numpy``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy

Program = Callable[..., Any]


def smooth_ops(np: Any) -> Program:
    return lambda x: np.sum(np.sin(x) * x / (1.0 + x**2) + np.exp(-x) * np.arctan(x) - np.log1p(x * x))


def log_sum_exp(np: Any) -> Program:
    def program(x: Any) -> Any:
        largest = np.max(x, axis=1, keepdims=True)
        return np.sum((largest + np.log(np.sum(np.exp(x - largest), axis=1, keepdims=True))) ** 2)

    return program


def cross_entropy(np: Any) -> Program:
    def program(x: Any) -> Any:
        logits = x - np.log(np.sum(np.exp(x), axis=1, keepdims=True))
        return -np.mean(logits[numpy.arange(3), numpy.array([0, 2, 1])])

    return program


def mlp(np: Any) -> Program:
    def program(w: Any, v: Any, x: Any) -> Any:
        hidden = np.tanh(x @ w)
        hidden = np.where(hidden > 0.0, hidden, 0.1 * hidden)
        return np.mean((hidden @ v - 1.0) ** 2)

    return program


def recurrent(np: Any) -> Program:
    def program(w: Any, x: Any) -> Any:
        state = np.zeros(3)
        total = 0.0
        for row in range(4):
            state = np.tanh(w @ state + x[row])
            total = total + np.sum(state**2)
        return total

    return program


def guarded_root(np: Any) -> Program:
    def program(x: Any) -> Any:
        is_positive = x > 0
        return np.sum(np.where(is_positive, np.sqrt(np.where(is_positive, x, 1.0)), 0.0))

    return program


def indices(np: Any) -> Program:
    places = numpy.array([0, 2, 2, -1])
    return lambda x: np.sum(x[places] ** 2) + x[1, 2] * x[-1, 0] + np.sum(x[::-1, 1:] * x[:, :-1] ** 2)


def solution(np: Any) -> Program:
    return lambda a, b: np.sum(np.linalg.solve(a, b) ** 2)


def determinants(np: Any) -> Program:
    return lambda a: np.linalg.det(a) + np.linalg.slogdet(a)[1] + np.sum(np.linalg.inv(a) ** 2)


def cholesky(np: Any) -> Program:
    return lambda a: np.sum(np.sin(np.linalg.cholesky(a @ a.T + 3.0 * np.eye(3))))


def eigenvalues(np: Any) -> Program:
    return lambda a: np.sum(np.linalg.eigh(a + a.T)[0] ** 3)


def eigenvectors(np: Any) -> Program:
    weights = numpy.arange(9.0).reshape(3, 3)
    return lambda a: np.sum(weights * np.linalg.eigh(a + a.T)[1] ** 2)


def singular_values(np: Any) -> Program:
    return lambda a: np.sum(np.linalg.svd(a, compute_uv=False) ** 3)


def pseudo_inverse(np: Any) -> Program:
    return lambda a: np.sum(np.linalg.pinv(a) ** 2)


def cumulative(np: Any) -> Program:
    return lambda x: np.sum(np.cumsum(x, axis=1) ** 2) + np.sum(np.sin(np.cumsum(x)))


def products(np: Any) -> Program:
    return lambda x: np.prod(x) + np.sum(np.prod(x, axis=0) ** 2)


def cumulative_products(np: Any) -> Program:
    return lambda x: np.sum(np.cumprod(x, axis=1) ** 2)


def sorting(np: Any) -> Program:
    weights = numpy.linspace(-1.0, 2.0, 4)
    return lambda x: np.sum(weights * np.sort(x, axis=1))


def extremes(np: Any) -> Program:
    return lambda x: np.sum(np.max(x, axis=0) ** 2) - np.min(x) + np.sum(np.maximum(x, 0.2) * x)


def einsum(np: Any) -> Program:
    return lambda x, y: np.sum(np.einsum("ij,kj->ik", x, y) ** 2) + np.einsum("ij,ij->", x, y)


def tensor_products(np: Any) -> Program:
    return lambda x, y: np.sum(np.tensordot(x, y, 2) ** 2) + np.sum(np.outer(x[0], y[1]) ** 3)


def kronecker(np: Any) -> Program:
    return lambda x, y: np.sum(np.sin(np.kron(x, y)))


def layer_norm(np: Any) -> Program:
    def program(x: Any) -> Any:
        centred = x - np.mean(x, axis=1, keepdims=True)
        return np.sum((centred / np.sqrt(np.var(x, axis=1, keepdims=True) + 1e-5)) ** 3)

    return program


def attention(np: Any) -> Program:
    def program(q: Any, k: Any) -> Any:
        scores = q @ k.T / numpy.sqrt(4.0)
        weights = np.exp(scores - np.max(scores, axis=1, keepdims=True))
        return np.sum((weights / np.sum(weights, axis=1, keepdims=True) @ k) ** 2)

    return program


def powers(np: Any) -> Program:
    return lambda x, y: np.sum(np.exp(x) ** y + np.abs(x) ** 2.5 + np.sqrt(x * x + 1.0))


def pairs(np: Any) -> Program:
    return lambda x, y: np.sum(np.logaddexp(x, y) + np.arctan2(x, y) + np.sqrt(x * x + y * y))


def remainders(np: Any) -> Program:
    return lambda x, y: np.sum(np.mod(x, np.abs(y) + 0.5) * x)


def joined(np: Any) -> Program:
    def program(x: Any, y: Any) -> Any:
        rows = np.concatenate([x, y[::-1], np.roll(x, 1, axis=1)])
        return np.sum(np.stack([rows, rows * rows]) ** 2) + np.sum(np.tile(x, (2, 1)) ** 3)

    return program


def padded(np: Any) -> Program:
    return lambda x: np.sum(np.sin(np.pad(x, ((1, 2), (0, 1)), mode="constant")) + 0.0) + np.sum(x.T[1] ** 2)


def clipped(np: Any) -> Program:
    return lambda x: np.sum(np.clip(x, -0.5, 0.8) ** 2) + np.sum(np.abs(x))


def convolution(np: Any) -> Program:
    return lambda x, y: np.sum(np.convolve(x[0], y[1], mode="same") ** 2)


def interpolation(np: Any) -> Program:
    keys = numpy.linspace(-2.0, 2.0, 5)
    return lambda x: np.sum(np.interp(x[0], keys, x[1, 0] * keys**2) ** 2)


def differences(np: Any) -> Program:
    return lambda x: np.sum(np.diff(x, axis=1) ** 2) + np.std(x)


def spectrum(np: Any) -> Program:
    weights = numpy.arange(1.0, 5.0)
    return lambda x: np.sum(weights * np.abs(np.fft.fft(x)) ** 2)


def triangles(np: Any) -> Program:
    return lambda a: np.trace(np.tril(a) @ np.triu(a)) + np.sum(np.diag(a) ** 2)


def orthogonal(np: Any) -> Program:
    weights = numpy.arange(9.0).reshape(3, 3)
    return lambda a: np.sum(weights * np.linalg.qr(a)[0] ** 2) + np.sum(np.linalg.qr(a)[1] ** 2)


def newton_root(np: Any) -> Program:
    def program(x: Any) -> Any:
        root = 1.0 + 0.0 * x
        for _ in range(8):
            root = root - (root * root - 2.0 - x * x) / (2.0 * root)
        return np.sum(root)

    return program


DRAWS = numpy.random.default_rng(0)
X, Y = DRAWS.normal(size=(3, 4)), DRAWS.normal(size=(3, 4))
A, B = DRAWS.normal(size=(3, 3)) + 2.0 * numpy.eye(3), DRAWS.normal(size=(3, 3))
W, V = DRAWS.normal(size=(4, 5)), DRAWS.normal(size=5)

PROGRAMS: dict[Callable[[Any], Program], tuple[Any, ...]] = {
    smooth_ops: (X,),
    log_sum_exp: (X,),
    cross_entropy: (X,),
    mlp: (W, V, X),
    recurrent: (B, DRAWS.normal(size=(4, 3))),
    guarded_root: (X,),
    indices: (DRAWS.normal(size=(3, 3)),),
    solution: (A, B),
    determinants: (A,),
    cholesky: (A,),
    eigenvalues: (A,),
    eigenvectors: (A,),
    singular_values: (X,),
    pseudo_inverse: (X,),
    cumulative: (X,),
    products: (X,),
    cumulative_products: (X,),
    sorting: (X,),
    extremes: (X,),
    einsum: (X, Y),
    tensor_products: (X, Y),
    kronecker: (A, B),
    layer_norm: (X,),
    attention: (X, Y),
    powers: (X, Y),
    pairs: (X, Y),
    remainders: (X, Y),
    joined: (X, Y),
    padded: (X,),
    clipped: (X,),
    convolution: (X, Y),
    interpolation: (X,),
    differences: (X,),
    spectrum: (X,),
    triangles: (A,),
    orthogonal: (A,),
    newton_root: (X,),
}
"""The programs, and where their derivatives are taken."""
