"""`ag.set_numerics("exact")`: native graphs give the bits of the interpreter, gradients too."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import autograph as ag
import numpy as np
import pytest
from autograph import _core
from autograph._src.trees import flatten
from generated_programs import module_of


@pytest.fixture(autouse=True)
def mode() -> Iterator[None]:
    before = ag.get_numerics()
    yield
    assert ag.get_numerics() == before, "a test leaves the mode as it was"


def same_bits(got: Any, want: Any) -> None:
    a: list[Any] = []
    b: list[Any] = []
    assert flatten(got, a)[0] == flatten(want, b)[0]
    for x, y in zip(a, b, strict=True):
        x, y = np.asarray(x), np.asarray(y)
        assert (x.dtype, x.shape) == (y.dtype, y.shape)
        assert x.tobytes() == y.tobytes() or (np.array_equal(x, y, equal_nan=True) and same_zeros(x, y)), (
            x,
            y,
        )


def same_zeros(x: Any, y: Any) -> bool:
    return bool(np.array_equal(np.signbit(x) & (x == 0), np.signbit(y) & (y == 0)))


def both(function: Any, *args: Any) -> tuple[Any, Any]:
    """The result of the native graph, and that of the interpreter of the graph as it was recorded."""
    staged = ag.function(function, numerics="exact")
    got = staged(*args)
    leaves, concrete = staged._specialise(args, {})
    assert concrete.graph.is_exact
    return got, concrete.interpret(leaves)


STEPS = [
    "h = np.tanh(x @ w + h)",
    "h = np.maximum(h @ v, 0.0) * 0.5 + x",
    "h = h - np.mean(h, axis=0) * 0.25",
    "h = np.exp(-h * h) + x",
    "h = h * np.sum(x * h, axis=1, keepdims=True) * 0.125",
    "h = np.where(h > 0.0, h, np.sin(h))",
    "h = (x @ w) / (1.0 + np.abs(h))",
    "h = np.log(1.0 + h * h) @ v",
    "h = h + np.var(h) * 0.5",
    "h = np.cumsum(h, axis=1) * 0.25",
]


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("seed", range(25))
def test_gradients_of_loops_have_the_interpreters_bits(seed: int, dtype: Any, tmp_path: Path) -> None:
    rng, data = random.Random(seed), np.random.default_rng(seed)
    rows, size, times = rng.randint(1, 5), rng.choice([1, 3, 8, 17]), rng.randint(2, 6)
    loop = rng.choice(["for i in range(n):", "i = 0\n    while i < n:"])
    body = "".join(f"        {step}\n" for step in rng.sample(STEPS, 3))
    counter = "        i += 1\n" if "while" in loop else ""
    text = (
        "import numpy as np\n\n\ndef loss(w, v, x, n):\n    h = x\n"
        f"    {loop}\n{body}{counter}    return np.sum(h * h) + np.prod(np.cos(h))\n"
    )
    module = module_of(text, tmp_path, f"exact_{seed}_{np.dtype(dtype).name}")
    w, v = (data.normal(size=(size, size)).astype(dtype) * 0.5 for _ in range(2))
    x = data.normal(size=(rows, size)).astype(dtype)
    got, want = both(ag.value_and_grad(module.loss, argnums=(0, 1, 2)), w, v, x, np.int64(times))
    same_bits(got, want)
    near, _ = ag.function(ag.value_and_grad(module.loss, argnums=(0, 1, 2)))(w, v, x, np.int64(times))
    np.testing.assert_allclose(near, got[0], rtol=1e-3 if dtype is np.float32 else 1e-8)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("seed", range(20))
def test_sums_and_products_have_the_interpreters_bits(seed: int, dtype: Any) -> None:
    data = np.random.default_rng(seed)
    sizes = tuple(int(size) for size in data.choice([0, 1, 2, 5, 33, 70], size=3))
    x = (data.normal(size=sizes) * 10.0 ** data.integers(-3, 4, size=sizes)).astype(dtype)
    x[data.random(sizes) < 0.02] = -0.0
    y = data.normal(size=(sizes[2], 67)).astype(dtype)

    def program(x: Any, y: Any) -> Any:
        sums = [np.sum(x, axis=axis) for axis in (None, 0, 1, 2, (0, 2), (1, 2), (0, 1))]
        chained = np.sum((x * 0.5 - 1.0) ** 2, axis=2), np.prod(x * 0.25, axis=1), np.mean(x, axis=0)
        views = np.sum(x[:, ::-1], axis=1), np.sum(x.T, axis=0), np.cumsum(x, axis=1)
        products = x @ y, y.T @ y, x[:, 0] @ y if x.shape[1] else y, np.outer(y[:, 0], y[:, 1])
        added = x @ y + 1.0, np.linalg.norm(y)
        return sums, chained, views, products, added, np.einsum("abc,abd->cd", x, x)

    with np.errstate(all="ignore"):
        same_bits(*both(program, x, y))


def test_large_sums_have_the_interpreters_bits() -> None:
    data = np.random.default_rng(0)
    x, y = data.normal(size=5000), data.normal(size=5000)

    def program(x: Any, y: Any) -> Any:
        return np.sum(x), np.sum((x - y) ** 2), np.var(x), np.sum(x * y), x @ y, np.std(x * y)

    got, want = both(program, x, y)
    same_bits(got, want)
    assert got[0] == sum(x), "one after the other"


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_functions_have_the_interpreters_bits(dtype: Any) -> None:
    x = np.concatenate([np.linspace(-30, 30, 997), [0.0, -0.0, np.inf, -np.inf, np.nan, 1e-300]]).astype(
        dtype
    )

    def program(x: Any) -> Any:
        a = np.abs(x)
        return (
            [np.exp(x), np.log(a), np.tanh(x), np.sin(x), np.cos(x), np.tan(x), np.expm1(x), np.log1p(a)],
            [np.arctan(x), np.sinh(x), np.cosh(x), np.cbrt(x), np.exp2(x), np.log2(a), np.log10(a)],
            [a**0.3, a**x, np.hypot(x, 3.0), np.arctan2(x, 2.0), x // 0.7, x % 0.7, np.sqrt(a), x**3],
        )

    with np.errstate(all="ignore"):
        same_bits(*both(program, x))


def test_a_sum_over_a_loop_keeps_its_order_in_exact_mode_only() -> None:
    def loss(w: Any, x: Any) -> Any:
        h = x[0]
        for row in x:
            h = np.tanh(row @ w + h)
        return np.sum(h)

    gradient = ag.function(ag.grad(loss))
    w, x = np.full((64, 64), 0.01), np.random.default_rng(0).normal(size=(9, 1, 64))
    fast = gradient(w, x)
    with ag.numerics("exact"):
        exact = gradient(w, x)
    graphs = [one.graph for one in gradient.concrete_functions()]
    assert [graph.is_exact for graph in graphs] == [False, True]
    products = [graph.text(True).split("} loc")[-1].count(" = dot ") for graph in graphs]
    assert products[0] > products[1], "the stacked product comes after the backward loop"
    np.testing.assert_allclose(fast, exact, rtol=1e-9)


def test_the_mode_switches_at_any_call() -> None:
    total = ag.function(lambda x: np.sum(x))
    x = np.full(1000, 0.1)
    fast, exact = total(x), sum(x)
    assert fast != exact
    assert ag.set_numerics("exact") == "fast"
    try:
        assert [total(x) for _ in range(3)] == [exact] * 3
        assert ag.set_numerics("fast") == "exact"
        assert [total(x) for _ in range(3)] == [fast] * 3
    finally:
        ag.set_numerics("fast")
    for _ in range(3):
        with ag.numerics("exact"):
            assert total(x) == exact
            with ag.numerics("fast"):
                assert total(x) == fast
            assert total(x) == exact and total.profile(x).result == exact
        assert total(x) == fast and total.profile(x).result == fast
    assert total.signatures() == ["(x: f64[1000])"] * 2
    assert total.retraces == ["`ag.set_numerics` changed"]
    manager = ag.numerics("exact")
    with manager, manager:
        assert ag.get_numerics() == "exact"


def test_the_mode_of_a_function_is_its_own() -> None:
    x = np.full(1000, 0.1)
    exact = ag.function(lambda x: np.sum(x), numerics="exact")
    fast = ag.function(numerics="fast")(lambda x: np.sum(x))
    before = fast(x)
    for one in ("fast", "exact", "fast"):
        with ag.numerics(one):
            assert exact(x) == sum(x) and fast(x) == before != sum(x)
            assert exact(x=x) == sum(x)
    assert len(exact.concrete_functions()) == len(fast.concrete_functions()) == 1
    outer = ag.function(lambda x: exact(x) * 1.0)
    assert outer(x) == before, "inside of another function, that function's mode counts"


def test_a_mode_is_one_of_the_thread() -> None:
    found: list[str] = []
    with ag.numerics("exact"):
        thread = threading.Thread(target=lambda: found.append(ag.get_numerics()))
        thread.start()
        thread.join()
    assert found == ["fast"]


def test_what_is_no_mode_is_refused() -> None:
    for call in (ag.set_numerics, ag.numerics, lambda mode: ag.function(abs_of, numerics=mode)):
        with pytest.raises(ValueError, match='no numerics \'exakt\': there are "fast" and "exact"'):
            call("exakt")  # type: ignore[arg-type]
    with pytest.raises(ZeroDivisionError), ag.numerics("exact"):
        _ = 1 / 0
    assert ag.get_numerics() == "fast"


def abs_of(x: Any) -> Any:
    return np.abs(x)


def test_the_transpose_of_an_exact_graph_is_exact() -> None:
    product = ag.function(lambda w, t: w @ t, numerics="exact")
    graph = product.concrete_function(np.eye(3), np.ones(3)).graph
    assert graph.is_exact
    assert _core.transposed(graph, 1).is_exact
    fast = ag.function(lambda w, t: w @ t).concrete_function(np.eye(3), np.ones(3)).graph
    assert not _core.transposed(fast, 1).is_exact
