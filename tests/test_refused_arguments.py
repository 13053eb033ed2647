"""An argument that no graph takes is named, with its dtype and the line of the call; the remedy passes."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import autograph as ag
import numpy as np
import pytest


def f(x: Any, table: Any, *, more: Any = None) -> Any:
    return x * 2.0, table[0] if isinstance(table, tuple) else x


X = np.arange(3.0)

ARRAYS = {
    "<U1": (np.array(["a", "b"]), lambda x: tuple(x.tolist())),
    "|S1": (np.array([b"a", b"b"]), lambda x: tuple(x.tolist())),
    "object": (np.array([Fraction(1, 2), None], object), lambda x: tuple(x.tolist())),
    "[('a', '<i8')]": (np.zeros(2, [("a", "<i8")]), lambda x: tuple(x.tolist())),
    "datetime64[D]": (
        np.array(["2020-01-01"], "M8[D]"),
        lambda x: x.astype("datetime64[s]").astype(np.int64),
    ),
    "timedelta64[s]": (np.array([3], "m8[s]"), lambda x: x / np.timedelta64(1, "s")),
    "complex256": (np.zeros(2, np.clongdouble), lambda x: x.astype(np.complex128)),
    "float128": (np.zeros(2, np.longdouble), lambda x: x.astype(np.float64)),
}
"""By dtype, an array and what the help says to pass instead."""


@pytest.mark.parametrize("dtype", ARRAYS)
def test_an_array_of_another_dtype_is_named(dtype: str) -> None:
    array, remedy = ARRAYS[dtype]
    with pytest.raises(ag.StagingError) as caught:
        ag.function(f)(X, array)
    error = caught.value
    assert error.code == "AG103"
    assert error.message == f"argument `table` of `f` is of dtype {array.dtype}, which is not staged"
    assert error.location is not None and error.location.function.startswith("test_an_array_of_another")
    made = remedy(array)
    assert repr(ag.function(f)(X, made)) == repr(f(X, made))


PLACES: dict[str, Callable[[Any], tuple[tuple[Any, ...], dict[str, Any]]]] = {
    "table": lambda a: ((X, a), {}),
    "more": lambda a: ((X, X), {"more": a}),
    "table[1]": lambda a: ((X, [X, a]), {}),
    "more['b'][0]": lambda a: ((X, X), {"more": {"a": X, "b": (a,)}}),
    "x": lambda a: ((a, X), {}),
}


@pytest.mark.parametrize("place", PLACES)
def test_the_place_in_a_tree_is_named(place: str) -> None:
    args, kwargs = PLACES[place](np.array(["a"]))
    with pytest.raises(ag.StagingError) as caught:
        ag.function(f)(*args, **kwargs)
    assert f"argument `{place}` of `f` is of dtype <U1" in caught.value.message


VALUES = {
    "Decimal": Decimal("0.5"),
    "Fraction": Fraction(1, 2),
    "datetime": datetime.datetime(2020, 1, 1),
    "date": datetime.date(2020, 1, 1),
    "timedelta": datetime.timedelta(days=1),
}


@pytest.mark.parametrize("name", VALUES)
def test_plain_values_of_other_classes_pass_through(name: str) -> None:
    def g(x: Any, value: Any) -> Any:
        twice = value + (datetime.timedelta(days=1) if isinstance(value, datetime.date) else value)
        return x * 2.0, value, twice, str(twice)

    staged = ag.function(g)
    assert repr(staged(X, VALUES[name])) == repr(g(X, VALUES[name]))
    assert repr(staged(X, VALUES[name])) == repr(g(X, VALUES[name]))


@pytest.mark.parametrize("name", ("Decimal", "Fraction", "timedelta"))
def test_beside_staged_values_they_are_refused(name: str) -> None:
    staged = ag.function(lambda s, value: value * s)
    with pytest.raises(ag.StagingError, match=rf"a value of type {name} cannot be combined") as caught:
        staged(np.int64(2), VALUES[name])
    assert caught.value.help


MAKERS: dict[str, Callable[[Any], Any]] = {
    "decimal.Decimal": lambda s: Decimal(s),
    "fractions.Fraction": lambda s: Fraction(s),
    "datetime.timedelta": lambda s: datetime.timedelta(days=s),
    "datetime.date": lambda s: datetime.date(s, 1, 1),
}


@pytest.mark.parametrize("name", MAKERS)
def test_a_class_of_a_library_names_itself_at_the_users_line(name: str) -> None:
    with pytest.raises(ag.StagingError) as caught:
        ag.function(MAKERS[name])(np.float64(2.0))
    error = caught.value
    assert error.message.startswith(f"`{name}` is not converted, and ")
    assert error.location is not None and error.location.file == __file__
    assert "ag.py_function" in str(error.help)


def test_a_function_of_c_names_itself() -> None:
    from _statistics import _normal_dist_inv_cdf as quantile

    with pytest.raises(ag.StagingError) as caught:
        ag.function(lambda x: quantile(x[1] / 4, 0.0, 1.0))(X)
    name, value = "`statistics._normal_dist_inv_cdf`", "the float value of a staged float64 scalar"
    assert caught.value.message == f"{name} is not converted, and needs {value} while tracing"

    @ag.py_function
    def doubled(x: Any) -> float:
        return 2.0 * quantile(x[1] / 4, 0.0, 1.0)

    assert ag.function(lambda x: doubled(x) + 1.0)(X) == 1.0 + 2.0 * quantile(X[1] / 4, 0.0, 1.0)


class Key:
    def __init__(self, value: Any) -> None:
        self.value = value

    def __lt__(self, other: Key) -> bool:
        return bool(self.value < other.value)


KEYS: dict[str, Callable[[Any], Any]] = {
    "sorted": lambda x: sorted([3, 1, 2], key=lambda i: str(x[i - 1]))[0],
    "min": lambda x: min([3, 1, 2], key=lambda i: f"{x[i - 1]}"),
    "max": lambda x: max([3, 1, 2], key=lambda i: Key(x[i - 1])),
    "sorted of staged": lambda x: sorted([(x[0], 1), (x[1], 2)], key=lambda t: [t[0], "a"])[0],
    "min of staged": lambda x: min([x[0], x[1]], key=lambda t: f"{t}"),
}


@pytest.mark.parametrize("name", KEYS)
def test_keys_that_are_no_numbers(name: str) -> None:
    with pytest.raises(ag.StagingError) as caught:
        ag.function(KEYS[name])(X)
    builtin = name.split()[0]
    want = f"`{builtin}` does not compare these keys: they depend on data, and are no numbers"
    assert caught.value.message == want and "exclu" not in str(caught.value)


def test_keys_that_are_numbers() -> None:
    def g(x: Any) -> Any:
        return sorted([3, 1, 2], key=lambda i: x[i - 1])[0], min([3, 1, 2], key=lambda i: (x[i - 1], i))

    assert ag.function(g)(X) == g(X)


def test_a_refusal_inside_of_a_library_shows_the_users_line() -> None:
    def g(n: Any) -> Any:
        return Fraction(1, 2) ** n

    with pytest.raises(ag.StagingError) as caught:
        ag.function(g)(np.int64(2))
    error = caught.value
    assert error.location is not None and error.location.file == __file__
    assert error.location.line == g.__code__.co_firstlineno + 1
    assert "fractions.py" in error.message and "return Fraction(1, 2) ** n" in str(error)


@pytest.mark.parametrize("kind", ("Number", "Complex", "Real", "Rational", "Integral"))
def test_numbers_are_instances_of_the_abstract_classes(kind: str) -> None:
    import numbers

    @ag.do_not_convert
    def asked(value: Any) -> bool:
        return isinstance(value, getattr(numbers, kind))

    for value in (2.5, np.float64(2.0), np.float32(2.0), np.int64(2), np.bool_(True), np.arange(2.0)):
        assert ag.function(lambda x: asked(x))(value) == asked(value)


class Bare:
    pass


@pytest.mark.parametrize("make", [lambda x: Bare(x), lambda x: Bare(of=x)])
def test_a_class_of_the_program_raises_as_in_python(make: Callable[[Any], Any]) -> None:
    with pytest.raises(TypeError) as plain:
        make(np.float64(1.0))
    with pytest.raises(TypeError) as staged:
        ag.function(make)(np.float64(1.0))
    assert type(staged.value) is TypeError and str(staged.value) == str(plain.value)
