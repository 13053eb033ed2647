"""`OrderedDict` and `defaultdict` are trees, as `dict` is, and programs make what they make in Python."""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from collections.abc import Callable
from typing import Any

import autograph as ag
import numpy as np
import pytest

X = np.array([1.0, -2.0, 3.0])
KINDS: dict[str, Callable[..., Any]] = {
    "dict": dict,
    "OrderedDict": OrderedDict,
    "defaultdict of list": lambda *args, **items: defaultdict(list, *args, **items),
    "defaultdict of a lambda": lambda *args, **items: defaultdict(_ZERO, *args, **items),
    "defaultdict of nothing": lambda *args, **items: defaultdict(None, *args, **items),
}


def _ZERO() -> float:
    return 0.0


def told(value: Any) -> Any:
    """A result with its classes, orders and factories."""
    if isinstance(value, dict):
        items = [(key, told(one)) for key, one in value.items()]
        return type(value), getattr(value, "default_factory", ()), items
    if isinstance(value, (list, tuple)):
        return type(value), [told(one) for one in value]
    if isinstance(value, (np.ndarray, np.generic)):
        return type(value), value.dtype, value.tolist()
    return type(value), value


def copied(d: Any) -> Any:
    return d, d.copy(), {"inner": d}, type(d)


def changed(d: Any) -> Any:
    e = d.copy()
    e["c"] = e.pop("b") * 2.0
    e["b"] = e["a"] if e["c"].sum() > 1.0 else -e["a"]
    return e, list(e), len(d)


def in_order(d: Any) -> Any:
    return [(key, value * 2.0) for key, value in d.items()], next(iter(d)), "b" in d, d.get("z", X)


def counted(d: Any) -> Any:
    counts = defaultdict(float)
    lists = defaultdict(list)
    for key, value in d.items():
        counts[key] += value.sum()
        counts["all"] += value[0]
        lists[key == "a"].append(value)
    if counts["all"] > 0.0:
        counts["new"] += 1.0
    else:
        counts["new"] -= counts["a"]
    return counts, lists


def moved(d: Any) -> Any:
    e = OrderedDict(d)
    e.move_to_end("b")
    e["z"] = e["a"] * 2.0
    return e, e.popitem(last=False)


PROGRAMS = [copied, changed, in_order, counted, moved]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda one: one.__name__)
@pytest.mark.parametrize("kind", KINDS)
def test_a_program_gives_what_python_gives(kind: str, program: Any) -> None:
    make = KINDS[kind]
    staged = ag.function(program)
    first, same, reverse = make(b=X, a=-X), make(b=X + 1.0, a=X), make(a=X, b=X)
    swapped = make(b=X, a=-X)
    if isinstance(swapped, OrderedDict):
        swapped.move_to_end("b")  # Its items lie in memory in another order.
    for given in (first, same, reverse, swapped, first, make([("b", X), ("a", X), (("t", 1), X)])):
        found, wanted = staged(given), program(given)
        assert told(found) == told(wanted)
        if program is copied:
            assert found[0] is given and found[2]["inner"] is given and found[1] is not given


def test_each_kind_of_dict_is_a_graph_of_its_own() -> None:
    @ag.function
    def f(d: Any) -> Any:
        return d["a"] * 2.0, type(d).__name__, getattr(d, "default_factory", None)

    for _ in range(2):
        for make in KINDS.values():
            assert f(make(a=X))[1:] == (type(make()).__name__, getattr(make(), "default_factory", None))
    assert len(f.signatures()) == len(KINDS)


def missing(d: Any, x: Any) -> Any:
    return d["q"] + x


def appended(d: Any, x: Any) -> Any:
    d["q"].append(x)
    return d


def added(d: Any, x: Any) -> Any:
    d["q"] += x
    return d["q"]


@pytest.mark.parametrize("program", [missing, appended, added], ids=lambda one: one.__name__)
def test_an_argument_gets_a_default(program: Any) -> None:
    """The caller's dict has one more item afterwards."""
    factory = list if program is appended else float
    given, plain = defaultdict(factory, a=X), defaultdict(factory, a=X)
    staged = ag.function(program)
    for _ in range(3):
        assert repr(staged(given, X)) == repr(program(plain, X))
        assert repr(given) == repr(plain)


def test_a_key_that_no_factory_makes_is_a_key_error() -> None:
    for make in (KINDS["OrderedDict"], KINDS["defaultdict of nothing"]):
        with pytest.raises(KeyError, match=r"^'q'$"):
            ag.function(missing)(make(a=X), X)


def test_a_factory_of_the_program_may_use_staged_values() -> None:
    @ag.function
    def f(x: Any) -> Any:
        d: Any = defaultdict(lambda: x * 2.0)
        d["a"] += x
        return d["a"], dict(d)

    assert told(f(X)) == told((X * 3.0, {"a": X * 3.0}))


def test_a_dict_whose_factory_is_made_in_the_program_is_refused() -> None:
    @ag.function
    def f(x: Any) -> Any:
        return defaultdict(lambda: x * 2.0, a=x)

    with pytest.raises(ag.StagingError, match="AG120"):
        f(X)


def test_a_method_for_missing_keys_is_that_of_the_class() -> None:
    class Named(defaultdict[str, Any]):
        def __missing__(self, key: str) -> str:
            return f"no {key}"

    names = Named(list)

    @ag.function
    def f(x: Any) -> Any:
        return names["q"], x * 2.0

    assert f(2.0) == ("no q", 4.0) and not names


@pytest.mark.parametrize("kind", KINDS)
def test_tangents_and_axes_that_do_not_fit_are_refused(kind: str) -> None:
    d = KINDS[kind](a=2.0, b=3.0)
    with pytest.raises(ag.StagingError, match=r"AG144.*another tree"):
        ag.jvp(lambda t: t["a"] * t["b"], (d,), (KINDS[kind](a=1.0),))
    with pytest.raises(ag.StagingError, match=r"AG144.*do not fit"):
        ag.vmap(lambda t: t["a"], (KINDS[kind](a=0),))(KINDS[kind](a=X, b=X))


@pytest.mark.parametrize("kind", KINDS)
def test_orders_and_factories_of_derivatives(kind: str) -> None:
    make = KINDS[kind]
    d = make(b=2.0, a=make(z=3.0, y=5.0))

    def f(t: Any) -> Any:
        return t["b"] ** 3 * t["a"]["z"] ** 2 * t["a"]["y"]

    plain = make(b=3 * 4.0 * 9.0 * 5.0, a=make(z=8.0 * 6.0 * 5.0, y=8.0 * 9.0))
    assert told(ag.grad(f)(d)) == told(plain)
    assert told(ag.vjp(f, d)[1](1.0)) == told((plain,))
    assert told(ag.jacfwd(f)(d)) == told(plain)
    second = ag.hessian(f)(d)
    assert type(second) is type(d) and list(second) == list(d) and list(second["a"]["y"]["a"]) == ["z", "y"]
    third = ag.grad(lambda t: ag.grad(lambda s: ag.grad(f)(s)["b"])(t)["a"]["z"])(d)
    assert third["b"] == (6.0 * 2.0) * (2.0 * 3.0) * 5.0 and type(third["a"]) is type(d)
    rows = make(b=X, a=make(z=X, y=X))
    assert told(ag.vmap(ag.grad(f))(rows)) == told(
        make(b=3 * X**2 * X**2 * X, a=make(z=X**3 * 2 * X * X, y=X**3 * X**2))
    )
