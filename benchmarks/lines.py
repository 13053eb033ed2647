"""The lines of docs/performance.md: small programs of NumPy, and what the peers need to run them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

RNG = np.random.default_rng(0)


@dataclass(frozen=True)
class Line:
    """A program, its arguments, and how much of the best peer's time it may take."""

    family: str
    name: str
    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    target: float = 1.2
    jax: Callable[[], Callable[..., Any]] | None = field(default=None, compare=False)
    """Makes the function for JAX, where it is not the same one with `jax.numpy` for `np`."""
    staged: Callable[..., Any] | None = None
    """What is staged of ours, if it is not the function itself."""
    peers: tuple[str, ...] = ("NumPy", "JAX")


def _functions() -> list[Line]:
    lines = {
        "x ** 2": lambda x, y: x**2,
        "x ** 3": lambda x, y: x**3,
        "x ** 0.5": lambda x, y: x**0.5,
        "x ** y": lambda x, y: x**y,
        "x / 2": lambda x, y: x / 2,
        "x // 2": lambda x, y: x // 2,
        "x % 2": lambda x, y: x % 2,
        "exp": lambda x, y: np.exp(x),
        "log": lambda x, y: np.log(x),
        "sin": lambda x, y: np.sin(x),
        "cos": lambda x, y: np.cos(x),
        "tan": lambda x, y: np.tan(x),
        "tanh": lambda x, y: np.tanh(x),
        "exp2": lambda x, y: np.exp2(x),
        "log2": lambda x, y: np.log2(x),
        "log10": lambda x, y: np.log10(x),
        "log1p": lambda x, y: np.log1p(x),
        "expm1": lambda x, y: np.expm1(x),
        "arctan": lambda x, y: np.arctan(x),
        "arctan2": lambda x, y: np.arctan2(x, y),
        "arcsin": lambda x, y: np.arcsin(x / 3),
        "sinh": lambda x, y: np.sinh(x),
        "cosh": lambda x, y: np.cosh(x),
        "hypot": lambda x, y: np.hypot(x, y),
        "cbrt": lambda x, y: np.cbrt(x),
        "sigmoid": lambda x, y: 1 / (1 + np.exp(-x)),
        "where": lambda x, y: np.where(x > y, x, y),
        "to int64": lambda x, y: x.astype(np.int64),
    }
    found = []
    for dtype in ("float32", "float64"):
        x, y = ((RNG.random(20_000) * 2.5 + 0.05).astype(dtype) for _ in range(2))
        found += [Line(f"functions of 20,000 {dtype}", name, f, (x, y)) for name, f in lines.items()]
    return found


def _reductions() -> list[Line]:
    x = RNG.standard_normal((1000, 1000))
    lines = {
        "sum": lambda x: np.sum(x),
        "sum, axis 0": lambda x: np.sum(x, axis=0),
        "max, axis 1": lambda x: np.max(x, axis=1),
        "var, axis 0": lambda x: np.var(x, axis=0),
        "std": lambda x: np.std(x),
        "argmax, axis 1": lambda x: np.argmax(x, axis=1),
        "argmax, axis 0": lambda x: np.argmax(x, axis=0),
        "any(x > 30)": lambda x: np.any(x > 30.0),
        "sum((x - 1.5) ** 2)": lambda x: np.sum((x - 1.5) ** 2),
        "softmax": lambda x: (
            np.exp(x - x.max(axis=1, keepdims=True))
            / np.exp(x - x.max(axis=1, keepdims=True)).sum(axis=1, keepdims=True)
        ),
        "layer norm": lambda x: (
            (x - x.mean(axis=1, keepdims=True)) / np.sqrt(x.var(axis=1, keepdims=True) + 1e-5)
        ),
        "norm, axis 1": lambda x: np.sqrt(np.sum(x * x, axis=1)),
        "cumsum, axis 1": lambda x: np.cumsum(x, axis=1),
        "stencil of 5 points": lambda x: (
            x[1:-1, 1:-1] * -4 + x[:-2, 1:-1] + x[2:, 1:-1] + x[1:-1, :-2] + x[1:-1, 2:]
        ),
    }
    return [Line("reductions of 1000 by 1000 float64", name, f, (x,)) for name, f in lines.items()]


def _orders() -> list[Line]:
    x = RNG.standard_normal(1_000_000)
    rows, integers = RNG.random((1000, 1000)), RNG.integers(0, 1000, 1_000_000)
    some = RNG.integers(0, 5000, 1000)
    family = "ordering, a million float64"
    return [
        Line(family, "sort", lambda x: np.sort(x), (x,), 1.3),
        Line(family, "sort of rows", lambda x: np.sort(x, axis=1), (rows,), 1.3),
        Line(family, "sort of columns", lambda x: np.sort(x, axis=0), (rows,), 1.3),
        Line(family, "argsort", lambda x: np.argsort(x), (x,)),
        Line(family, "median", lambda x: np.median(x), (x,)),
        Line(family, "5 smallest of 50,000", lambda x: np.sort(x[np.argpartition(x, 5)[:5]]), (x[:50_000],)),
        Line(family, "unique, of 1,000 integers", lambda i: np.unique(i), (integers,), peers=("NumPy",)),
        Line(
            family, "searchsorted, 1e5 in 1e6", lambda s, v: np.searchsorted(s, v), (np.sort(x), x[:100_000])
        ),
        Line(family, "bincount", lambda i: np.bincount(i, minlength=1000), (integers,), peers=("NumPy",)),
        Line(family, "maximum.accumulate", lambda x: np.maximum.accumulate(x), (x,), peers=("NumPy",)),
        Line(family, "x[x > 0]", lambda x: x[x > 0], (x,), peers=("NumPy",)),
        Line(family, "histogram, 50 bins", lambda x: np.histogram(x, bins=50)[0], (x,), peers=("NumPy",)),
        Line(family, "isin, 1,000 integers", lambda i, s: np.isin(i, s), (integers, some), peers=("NumPy",)),
        Line(family, "pad of rows", lambda x: np.pad(x, 2), (rows,)),
        Line(family, "pad of rows, edge", lambda x: np.pad(x, 2, mode="edge"), (rows,)),
    ]


def _algebra() -> list[Line]:
    m, v = RNG.random((300, 300)), RNG.standard_normal(3000)
    symmetric, large = m @ m.T + np.eye(300), RNG.random((500, 500))
    family = "linear algebra and transforms, float64"
    return [
        Line(family, "solve, 200", lambda a, b: np.linalg.solve(a, b), (symmetric[:200, :200], v[:200]), 1.5),
        Line(family, "cholesky, 300", lambda a: np.linalg.cholesky(a), (symmetric,), 1.5),
        Line(family, "inv, 300", lambda a: np.linalg.inv(a), (m,), 1.5),
        Line(family, "lstsq, 300 by 100", lambda a, b: np.linalg.lstsq(a, b)[0], (m[:, :100], v[:300]), 1.5),
        Line(family, "svd, 100", lambda a: np.linalg.svd(a)[1], (m[:100, :100].copy(),), 1.5),
        Line(family, "svd, 300", lambda a: np.linalg.svd(a)[1], (m,), 1.5),
        Line(family, "eigh, 100", lambda a: np.linalg.eigh(a)[0], (symmetric[:100, :100].copy(),), 1.5),
        Line(family, "eigh, 500", lambda a: np.linalg.eigh(a)[0], (large @ large.T,), 1.5),
        Line(family, "qr, 100", lambda a: np.linalg.qr(a)[1], (m[:100, :100].copy(),), 1.5),
        Line(family, "fft, 2 ** 16", lambda x: np.fft.fft(x), (RNG.standard_normal(1 << 16),), 1.5),
        Line(family, "rfft, 1000", lambda x: np.fft.rfft(x), (v[:1000],), 1.5),
        Line(family, "convolve, 3000 by 3000", lambda x, y: np.convolve(x, y), (v, v[::-1].copy()), 1.5),
        Line(family, "product, 512", lambda a, b: a @ b, tuple(RNG.random((2, 512, 512)))),
    ]


def collatz(limit: int) -> int:
    total = 0
    for n in range(1, limit):
        while n != 1:
            n = n // 2 if n % 2 == 0 else 3 * n + 1
            total += 1
    return total


def newton(count: int) -> float:
    total = 0.0
    for k in range(1, count):
        a = float(k)
        x = a
        while abs(x * x - a) > 1e-10 * a:
            x = 0.5 * (x + a / x)
        total += x
    return total


def mandelbrot(size: int) -> int:
    total = 0
    for i in range(size):
        for k in range(size):
            a, b = -2.0 + 3.0 * i / size, -1.5 + 3.0 * k / size
            x, y, n = 0.0, 0.0, 0
            while x * x + y * y <= 4.0 and n < 100:
                x, y, n = x * x - y * y + a, 2.0 * x * y + b, n + 1
            total += n
    return total


def sum_of_elements(x: Any) -> Any:
    total = 0.0
    for i in range(len(x)):
        total += x[i]
    return total


def running_maximum(x: Any) -> Any:
    out = np.empty_like(x)
    largest = x[0]
    for i in range(len(x)):
        if x[i] > largest:
            largest = x[i]
        out[i] = largest
    return out


def insertion_sort(x: Any) -> Any:
    x = x.copy()
    for i in range(1, len(x)):
        value, j = x[i], i - 1
        while j >= 0 and x[j] > value:
            x[j + 1] = x[j]
            j -= 1
        x[j + 1] = value
    return x


def product_of_matrices(a: Any, b: Any) -> Any:
    out = np.zeros((a.shape[0], b.shape[1]))
    for i in range(a.shape[0]):
        for k in range(b.shape[1]):
            total = 0.0
            for j in range(a.shape[1]):
                total += a[i, j] * b[j, k]
            out[i, k] = total
    return out


def _loops() -> list[Line]:
    x = RNG.standard_normal(1_000_000)
    family = "scalar loops"
    # An int of Python would be known while recording: loops over it would run then.
    lines = [
        Line(family, "Collatz, 10,000", collatz, (np.int64(10_000),), 1.4),
        Line(family, "Newton, 10,000", newton, (np.int64(10_000),), 1.4),
        Line(family, "Mandelbrot, 100 by 100", mandelbrot, (np.int64(100),), 1.4),
        Line(family, "sum of a million elements", sum_of_elements, (x,), 1.5),
        Line(family, "running maximum of a million", running_maximum, (x,), 2.0),
        Line(family, "insertion sort of 2,000", insertion_sort, (x[:2000].copy(),), 2.0),
        Line(family, "product of 128 by 128", product_of_matrices, tuple(RNG.random((2, 128, 128))), 1.5),
    ]
    return [
        Line(one.family, one.name, one.function, one.arguments, one.target, peers=("numba",)) for one in lines
    ]


def root(a: Any) -> Any:
    x = a
    while abs(x * x - a) > 1e-10 * a:
        x = 0.5 * (x + a / x)
    return x


def steps_to_one(n: Any) -> Any:
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


def _roots_in_jax() -> Callable[..., Any]:
    import jax

    def one(a: Any) -> Any:
        return jax.lax.while_loop(lambda x: abs(x * x - a) > 1e-10 * a, lambda x: 0.5 * (x + a / x), a)

    return jax.vmap(one)


def _steps_in_jax() -> Callable[..., Any]:
    import jax
    import jax.numpy as jnp

    def one(n: Any) -> Any:
        def step(state: Any) -> Any:
            n, steps = state
            return jnp.where(n % 2 == 0, n // 2, 3 * n + 1), steps + 1

        return jax.lax.while_loop(lambda state: state[0] != 1, step, (n, 0))[1]

    return jax.vmap(one)


def _rows() -> list[Line]:
    import autograph as ag

    found = []
    for count in (10, 1000, 100_000):
        a, n = np.linspace(1.0, 1000.0, count), np.arange(1, count + 1)
        family = "vmap of a while loop"
        for name, one, argument, jax in (
            ("Newton", root, a, _roots_in_jax),
            ("Collatz", steps_to_one, n, _steps_in_jax),
        ):
            staged = ag.vmap(one)
            found.append(
                Line(family, f"{name}, {count:,} rows", one, (argument,), 1.0, jax, staged, ("JAX",))
            )
    return found


def recurrent(x: Any, w: Any, u: Any, h: Any) -> Any:
    states = []
    for t in range(x.shape[0]):
        h = np.tanh(x[t] @ w + h @ u)
        states.append(h)
    return np.stack(states), h


def _recurrent_in_jax() -> Callable[..., Any]:
    import jax
    import jax.numpy as jnp

    def whole(x: Any, w: Any, u: Any, h: Any) -> Any:
        def step(h: Any, x: Any) -> Any:
            h = jnp.tanh(x @ w + h @ u)
            return h, h

        last, states = jax.lax.scan(step, h, x)
        return states, last

    return whole


def _networks() -> list[Line]:
    found = []
    for batch, length in ((32, 64), (128, 64), (128, 128)):
        shapes = ((length, batch, 50), (50, 256), (256, 256), (batch, 256))
        arguments = tuple((RNG.standard_normal(shape) * 0.05).astype("float32") for shape in shapes)
        name = f"recurrent network, {batch} rows, {length} steps"
        found.append(Line("networks, float32", name, recurrent, arguments, 1.0, _recurrent_in_jax))
    return found


def halvings(x: Any, steps: int) -> Any:
    for _ in range(steps):
        if np.sum(x) > 1:
            x = x / 2
    return np.sum(x)


def halvings_by_hand(x: Any, steps: int) -> Any:
    taken = np.zeros(steps, np.bool_)
    for i in range(steps):
        if np.sum(x) > 1:
            x = x / np.float32(2)
            taken[i] = True
    gradient = np.ones_like(x)
    for i in range(steps - 1, -1, -1):
        if taken[i]:
            gradient = gradient / np.float32(2)
    return np.sum(x), gradient


def _halvings_in_jax() -> Callable[..., Any]:
    import jax
    import jax.numpy as jnp

    def whole(x: Any, steps: int) -> Any:
        def step(x: Any, _: Any) -> Any:
            return jax.lax.cond(jnp.sum(x) > 1, lambda x: x / 2, lambda x: x, x), None

        return jnp.sum(jax.lax.scan(step, x, None, 50)[0])

    return jax.value_and_grad(whole)


def perceptron(params: Any, x: Any, y: Any) -> Any:
    w, b, v, c = params
    return np.sum((np.tanh(x @ w + b) @ v + c - y) ** 2)


def perceptron_by_hand(params: Any, x: Any, y: Any) -> Any:
    w, b, v, c = params
    h = np.tanh(x @ w + b)
    g = 2 * (h @ v + c - y)
    k = (g @ v.T) * (1 - h * h)
    return x.T @ k, k.sum(0), h.T @ g, g.sum(0)


def _perceptron_in_jax() -> Callable[..., Any]:
    import jax
    import jax.numpy as jnp

    def loss(params: Any, x: Any, y: Any) -> Any:
        w, b, v, c = params
        return jnp.sum((jnp.tanh(x @ w + b) @ v + c - y) ** 2)

    return jax.grad(loss)


def _gradients() -> list[Line]:
    import autograph as ag

    family = "gradients, float32"
    x = RNG.random(100_000).astype("float32")
    x *= np.float32(2.0**25 / x.sum() * 1.5)
    peers = ("NumPy", "JAX", "numba")
    found = [
        Line(
            family,
            "50 halvings of 100,000 elements",
            halvings_by_hand,
            (x, 50),
            1.1,
            _halvings_in_jax,
            ag.value_and_grad(halvings),
            peers,
        )
    ]
    for width, target in ((16, 1.2), (64, 0.9)):
        shapes = ((width, width), (width,), (width, width), (width,))
        params = tuple((RNG.standard_normal(shape) * 0.1).astype("float32") for shape in shapes)
        rows = RNG.standard_normal((2, width, width)).astype("float32")
        arguments = (params, rows[0], rows[1])
        name = f"perceptron of {width} by {width}, parameters in a tuple"
        staged = ag.grad(perceptron)
        found.append(Line(family, name, perceptron_by_hand, arguments, target, _perceptron_in_jax, staged))
    return found


def lines() -> list[Line]:
    """All lines, a family after the other."""
    return [
        *_functions(),
        *_reductions(),
        *_orders(),
        *_algebra(),
        *_loops(),
        *_rows(),
        *_networks(),
        *_gradients(),
    ]
