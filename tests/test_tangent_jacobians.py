"""Jacobians, Hessians and their products as source: against differences and `ag`, of any form of argument."""

from __future__ import annotations

import inspect
from collections import namedtuple
from collections.abc import Callable
from pathlib import Path
from typing import Any

import autograph as ag
import numpy as np
import pytest
from autograph import tangent
from autograph.errors import ConversionError
from tangent_checks import LOG, call, is_located, leaves_of

Point = namedtuple("Point", "x y")

X = np.array([0.5, -1.2, 2.0])


def scaled(x: Any) -> Any:
    """Each element by the sum of all."""
    return np.sin(x) * np.sum(x)


def number(x: Any) -> Any:
    return np.sum(x * x * x)


def looped(x: Any) -> Any:
    y = x
    for i in range(3):
        if i != 1:
            y = y * np.cos(x) + np.sum(y)
    return y


def written(x: Any) -> Any:
    y = np.zeros((2, *np.shape(x)), np.asarray(x).dtype)
    y[0] = x
    y[1] = y[0] * x
    return y


def rows_of_products(x: Any) -> Any:
    return np.outer(np.ravel(x), np.ravel(x * x))


FUNCTIONS = [scaled, number, looped, written, rows_of_products]
ARGUMENTS = [
    X,
    X.astype(np.float32),
    np.arange(6.0).reshape(2, 3)[:, ::2] / 3,
    np.arange(6.0).reshape(2, 3).T / 3,
    np.zeros(0),
    np.zeros((0, 2), np.float32),
    np.array(1.5),
    1.5,
    np.float64(1.5),
    np.float32(1.5),
]


@pytest.mark.parametrize("mode", ["reverse", "forward"])
@pytest.mark.parametrize("argument", ARGUMENTS, ids=lambda one: f"{type(one).__name__}{np.shape(one)}")
@pytest.mark.parametrize("function", FUNCTIONS)
def test_jacobians(function: Any, argument: Any, mode: Any) -> None:
    result = function(argument)
    found = tangent.jacobian(function, mode=mode)(argument)
    assert np.shape(found) == np.shape(result) + np.shape(argument)
    like = argument if mode == "reverse" else result
    assert np.asarray(found).dtype == np.asarray(like).dtype
    assert isinstance(found, np.ndarray) == isinstance(
        np.asarray(result)[()] if np.shape(result) else 0.0, np.ndarray
    ) or isinstance(found, np.ndarray) == (isinstance(result, np.ndarray) or isinstance(argument, np.ndarray))
    single = np.asarray(argument).dtype == np.float32
    if np.size(argument):
        wide = np.asarray(argument, float)
        wanted = np.stack(
            [
                (np.asarray(function(wide + step)) - np.asarray(function(wide - step))) / 2e-6
                for step in 1e-6 * np.eye(wide.size).reshape((wide.size, *wide.shape))
            ],
            -1,
        ).reshape(np.shape(found))
        assert np.allclose(found, wanted, rtol=1e-4 if single else 1e-7, atol=1e-4 if single else 1e-7)
    staged = (ag.jacrev if mode == "reverse" else ag.jacfwd)(function)
    if isinstance(argument, np.ndarray):
        assert np.allclose(found, staged(argument), rtol=1e-5 if single else 1e-12)


@pytest.mark.parametrize("argument", ARGUMENTS, ids=lambda one: f"{type(one).__name__}{np.shape(one)}")
def test_hessians(argument: Any) -> None:
    def value(x: Any) -> Any:
        return np.sum(looped(x) * x)

    found = tangent.hessian(value)(argument)
    shape = np.shape(argument)
    assert np.shape(found) == shape + shape
    assert np.asarray(found).dtype == np.asarray(argument).dtype
    assert type(found) is (np.ndarray if isinstance(argument, np.ndarray) else type(argument))
    single = np.asarray(argument).dtype == np.float32
    gradient = tangent.grad(value)
    wide = np.asarray(argument, float)
    for place, row in enumerate(np.eye(wide.size).reshape((wide.size, *shape))):
        wanted = (gradient(wide + 1e-6 * row) - gradient(wide - 1e-6 * row)) / 2e-6
        column = np.reshape(found, (*shape, wide.size))[..., place]
        assert np.allclose(column, wanted, rtol=1e-3 if single else 1e-6, atol=1e-3 if single else 1e-6)
        unit = row.astype(np.asarray(argument).dtype)
        product = tangent.hvp(value)(
            argument, unit if isinstance(argument, np.ndarray) else type(argument)(1)
        )
        assert type(product) is type(tangent.grad(value)(argument))
        assert np.allclose(product, column, rtol=1e-4 if single else 1e-12)
    if isinstance(argument, np.ndarray):
        assert np.allclose(found, ag.hessian(value)(argument), rtol=1e-3 if single else 1e-9)


def of_containers(p: Any) -> Any:
    return {"sum": p["w"][0] * p["b"], "parts": (p["w"][1] * 2.0, np.sum(p["b"]))}


@pytest.mark.parametrize("mode", ["reverse", "forward"])
def test_containers_as_jax_has_them(mode: Any) -> None:
    """The form of the result, and in each item that of the argument."""
    p = {"w": [2.0, np.array([1.0, 3.0])], "b": np.array([0.5, -1.0])}
    found = tangent.jacobian(of_containers, mode=mode)(p)
    staged = (ag.jacrev if mode == "reverse" else ag.jacfwd)(of_containers)(p)
    assert list(found) == ["sum", "parts"] and list(found["sum"]) == ["w", "b"]
    assert isinstance(found["parts"], tuple) and isinstance(found["sum"]["w"], list)
    left, right = leaves_of(found), leaves_of({key: staged[key] for key in found})
    assert len(left) == len(right) == 9
    order = ["w", "b"]
    flat = leaves_of(
        [
            {key: staged["sum"][key] for key in order},
            [{key: one[key] for key in order} for one in staged["parts"]],
        ]
    )
    for one, other in zip(left, flat, strict=True):
        assert np.shape(one) == np.shape(other)
        assert np.allclose(one, other)


def of_a_point(p: Any) -> Any:
    return (p[0] * p[1], [p[0], p[1] * p[1]])


@pytest.mark.parametrize("mode", ["reverse", "forward"])
def test_tuples_keep_their_class(mode: Any) -> None:
    found = tangent.jacobian(of_a_point, mode=mode)(Point(2.0, 3.0))
    assert found == ((3.0, 2.0), [(1.0, 0.0), (0.0, 6.0)])
    assert isinstance(found[0], Point) and isinstance(found[1][1], Point)


def of_two(x: Any, w: float, *, scale: float = 2.0) -> Any:
    """A function of two."""
    return np.sum(np.sin(x) * w * w) * scale


def test_several_parameters() -> None:
    found = tangent.hessian(of_two, ("x", "w"))(X, 0.5, scale=3.0)
    plain = ag.hessian(of_two, argnums=(0, 1))(X, 0.5, scale=3.0)
    for row, wanted in zip(found, plain, strict=True):
        for one, other in zip(row, wanted, strict=True):
            assert np.allclose(one, other)
    for mode in ("reverse", "forward"):
        rows = tangent.jacobian(of_two, ("x", 1), mode=mode)(X, 0.5)  # type: ignore[arg-type]
        assert np.allclose(rows[0], np.cos(X) * 0.5) and np.isclose(rows[1], 2 * np.sum(np.sin(X)))
    product = tangent.hvp(of_two, (0, 1))
    assert str(inspect.signature(product)) == "(x: 'Any', w: 'float', *, scale: 'float' = 2.0, dx, dw)"
    u, v = product(X, 0.5, dx=np.ones(3), dw=2.0)
    assert np.allclose(u, found[0][0] @ np.ones(3) / 1.5 + found[0][1] * 2 / 1.5)
    assert np.isclose(v, found[1][0] @ np.ones(3) / 1.5 + found[1][1] * 2 / 1.5)


def slope(function: Any, x: Any, along: Any) -> Any:
    """The difference of a function along a direction."""
    ends = [np.asarray(function(x + sign * 1e-5 * along)) for sign in (1, -1)]
    return (ends[0] - ends[1]) / 2e-5


@pytest.mark.parametrize("inner", ["reverse", "forward"])
@pytest.mark.parametrize("x", [X, 1.5], ids=["array", "number"])
@pytest.mark.parametrize("function", FUNCTIONS)
def test_jacobians_are_differentiated(function: Any, x: Any, inner: Any) -> None:
    """A Jacobian is in the input language: of both modes, in both modes."""
    first = tangent.jacobian(function, mode=inner)
    along = np.ones_like(X) if x is X else 1.0
    wanted = slope(first, x, along)
    for mode in ("reverse", "forward"):
        second = tangent.jacobian(first, mode=mode)(x)  # type: ignore[arg-type]
        assert np.shape(second) == np.shape(wanted) + np.shape(x)
        assert np.allclose(np.sum(second, axis=-1) if x is X else second, wanted, rtol=1e-5, atol=1e-5)
    assert np.allclose(tangent.jvp(first)(x, along), wanted, rtol=1e-5, atol=1e-5)
    seed = np.cos(np.arange(wanted.size)).reshape(wanted.shape) if wanted.shape else 1.0
    assert np.isclose(np.sum(tangent.vjp(first)(x, seed) * along), np.sum(wanted * seed), rtol=1e-5)


jacobian_of_scaled = tangent.jacobian(scaled)


def size_of_a_jacobian(x: Any) -> Any:
    return np.sum(jacobian_of_scaled(x) ** 2)


def test_a_function_that_calls_a_jacobian() -> None:
    found = tangent.grad(size_of_a_jacobian)(X)
    wanted = [slope(size_of_a_jacobian, X, row) for row in np.eye(3)]
    assert np.allclose(found, wanted, rtol=1e-6)


MADE: dict[str, Callable[[Any], Any]] = {
    "grad": tangent.grad,
    "vjp": tangent.vjp,
    "value_and_grad": tangent.value_and_grad,
    "split": lambda f: tangent.autodiff(f, motion="split"),
    "jvp": tangent.jvp,
    "hvp": tangent.hvp,
    "hessian": tangent.hessian,
    "jacobian": tangent.jacobian,
    "columns": lambda f: tangent.jacobian(f, mode="forward"),
}

DEFAULT = (1.0, 2.0)


def documented(
    x: np.ndarray[Any, Any], w: float = 2.0, *rest: int, scale: Any = DEFAULT, **others: str
) -> Any:
    """Not the docstring of its derivative."""
    return np.sum(x * x * w) * scale[0]


class Model:
    scale = 3.0

    def __init__(self, scale: float) -> None:
        self.scale = scale

    def energy(self, x: float, k: float = 2.0) -> float:
        return x * x * x * k


@pytest.mark.parametrize("way", MADE)
def test_signatures(way: str) -> None:
    """The parameters of the original, with its annotations and default objects; then what is added."""
    made = MADE[way](documented)
    original = inspect.signature(documented)
    added = {"jvp": "dx", "hvp": "dx"}.get(way, "" if way in ("hessian", "jacobian", "columns") else "by")
    found = inspect.signature(made)
    parameters = [one for one in found.parameters.values() if one.name != added]
    assert parameters == list(original.parameters.values())
    if added:
        last = found.parameters[added]
        assert last.default is (last.empty if way in ("jvp", "hvp", "vjp") else last.default)
        assert way in ("jvp", "hvp", "vjp") or last.default == 1.0
    assert made.__kwdefaults__["scale"] is DEFAULT
    known = {key: value for key, value in documented.__annotations__.items() if key != "return"}
    assert made.__annotations__ == known
    assert not hasattr(made, "__wrapped__")
    assert made.__doc__ and "documented" in made.__doc__
    assert made.__module__ == documented.__module__
    assert tangent.to_source(made).startswith(inspect.getsource(made))
    assert MADE[way](documented) is made


@pytest.mark.parametrize("way", MADE)
def test_methods_are_bound(way: str) -> None:
    model = Model(2.0)
    made = MADE[way](model.energy)
    assert inspect.ismethod(made) and made.__self__ is model
    seeds = {"vjp": {"by": 1.0}, "jvp": {"dx": 1.0}, "hvp": {"dx": 1.0}}.get(way, {})
    found = made(2.0, **seeds)
    # Of 2 x**3 at 2, the first and the second derivative.
    assert np.isclose(found[1] if way == "value_and_grad" else found, 24.0)


@pytest.mark.parametrize("way", ["hvp", "hessian", "jacobian", "columns"])
def test_files_of_their_own(way: str, tmp_path: Path) -> None:
    def plain(x: Any) -> Any:
        s = 0.0
        for i in range(3):
            s = s * x[0] + np.sum(x * x)
        return s

    made = MADE[way](plain)
    tangent.save(made, tmp_path / "alone.py")
    variables: dict[str, Any] = {}
    exec(compile((tmp_path / "alone.py").read_text(), "alone.py", "exec"), variables)
    given = (X, np.ones(3)) if way == "hvp" else (X,)
    assert np.array_equal(variables[made.__name__](*given), made(*given))
    derivative = made.__tangent__
    assert {file for file, _ in derivative.lines.values()} == {__file__}


def draws(x: Any, rng: Any) -> Any:
    return x * rng.random()


def complains(x: Any) -> Any:
    return x * 1j


def writes(x: Any) -> Any:
    x[0] = 2.0
    return x * x


def test_what_is_refused() -> None:
    with pytest.raises(ValueError) as differs:
        tangent.jacobian(draws, mode="forward")(X, np.random.default_rng(0))
    assert isinstance(differs.value, ConversionError)
    assert differs.value.message == (
        "the function gives another result when it is called again, as one that draws random numbers or reads"
        " an iterator does"
    )
    assert differs.value.help == (
        "forward mode calls it for each element of the argument, `mode='reverse'` once"
    )
    rng = np.random.default_rng(0)
    assert np.array_equal(tangent.jacobian(draws)(X, rng), np.eye(3) * np.random.default_rng(0).random())
    with pytest.raises(TypeError) as of_complex:
        tangent.jacobian(complains)(X)
    assert isinstance(of_complex.value, ConversionError)
    assert of_complex.value.message == "a Jacobian is of real numbers"
    assert of_complex.value.help == "of complex ones `vjp` and `jvp` give the products"
    with pytest.raises(TypeError, match="a Jacobian is of real numbers"):
        tangent.jacobian(scaled, mode="forward")(X + 1j)
    with pytest.raises(ValueError, match="`mode` is 'reverse' or 'forward', and not 'both'"):
        tangent.jacobian(scaled, mode="both")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"the seed has shape \(\) where the result has shape \(3,\)"):
        tangent.hessian(scaled)(X)
    with pytest.raises(ConversionError) as refused:
        tangent.jacobian(writes, mode="forward")
    assert refused.value.code == "AG023" and is_located(refused.value)
    assert "`x` is written in place, and is `x` of the caller or of a module" in str(refused.value)
    assert np.array_equal(tangent.jacobian(writes)(X.copy()), np.diag([0.0, *(2 * X[1:])]))


def test_effects_of_reverse_mode_happen_once() -> None:
    found = call(tangent.jacobian(prints), (X,))
    assert found.printed == "called\n"
    assert LOG == [3]


def prints(x: Any) -> Any:
    print("called")
    LOG.append(len(x))
    return x * x
