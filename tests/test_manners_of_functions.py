"""Staged functions have the manners of plain ones: pickled, copied, inspected, and methods of every kind."""

from __future__ import annotations

import copy
import dataclasses
import functools
import inspect
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import autograph as ag
import numpy as np
import pytest
import staged_things as things

TESTS = Path(__file__).parent

BY_NAME = {
    "scaled": things.scaled,
    "energy": things.energy,
    "logged": things.logged,
    "ruled": things.ruled,
    "Base.method": things.Base.method,
    "Base.static_above": things.Base.static_above,
    "Base.static_below": things.Base.static_below,
    "Record.method": things.Record.method,
}
"""What is the same object when it is unpickled."""

MADE_AGAIN = {
    "added": things.added,
    "added_static": things.added_static,
    "partial": things.partial,
    "slope": things.slope,
    "slopes": things.slopes,
    "both": things.both,
    "bend": things.bend,
}
"""What has the name of another object, and is made again."""

BOUND = {
    "derived": things.Derived().method,
    "above": things.Base.class_above,
    "below": things.Derived.class_below,
    "slotted": things.Slotted().method,
    "record": things.Record(7.0).method,
}


def called(value: Any) -> Any:
    """What a pickled thing gives for an argument that it takes."""
    argument = np.array([1.0, 2.0]) if "vmap" in repr(value) else 2.0
    return value(argument)


@pytest.mark.parametrize("name", BY_NAME)
@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_a_name_is_what_is_pickled(name: str, protocol: int) -> None:
    value = BY_NAME[name]
    assert pickle.loads(pickle.dumps(value, protocol)) is value


@pytest.mark.parametrize("name", [*BY_NAME, *MADE_AGAIN])
def test_a_copy_is_the_same_object(name: str) -> None:
    value = (BY_NAME | MADE_AGAIN)[name]
    assert copy.copy(value) is value and copy.deepcopy(value) is value
    assert copy.deepcopy([value, {"f": value}]) == [value, {"f": value}]


@pytest.mark.parametrize("name", MADE_AGAIN)
def test_what_a_name_does_not_lead_to_is_made_again(name: str) -> None:
    value = MADE_AGAIN[name]
    again = pickle.loads(pickle.dumps(value))
    assert type(again) is type(value) and repr(again) == repr(value)
    np.testing.assert_equal(called(again), called(value))


def test_the_options_are_pickled_too() -> None:
    again = pickle.loads(pickle.dumps(things.added_static))
    again(2.0)
    assert again.signatures() == ["(x: 2.0)"] and again._numerics == "exact"
    spec = ag.function(things.plain, input_signature=[ag.ArraySpec((None,), np.float32)])
    again = pickle.loads(pickle.dumps(spec))
    again(np.ones(2, np.float32)), again(np.ones(5, np.float32))
    assert again.signatures() == ["(x: f32[?])"]
    names = ag.function(things.scaled.__wrapped__, static=(name for name in ["rate"]), dynamic=["times"])
    again = pickle.loads(pickle.dumps(names))
    assert again(2.0, 0.5, times=2) == 0.5
    assert again.signatures() == ["(x: float, rate: 0.5, times: int)"]


@pytest.mark.parametrize("name", BOUND)
def test_bound_methods_and_what_holds_them(name: str) -> None:
    method = BOUND[name]
    for again in (pickle.loads(pickle.dumps(method)), copy.copy(method), copy.deepcopy(method)):
        assert again(2.0) == method(2.0) and again.__func__ is method.__func__
    holder = functools.partial(method, 2.0), {"deep": [method]}
    for first, deep in (pickle.loads(pickle.dumps(holder)), copy.deepcopy(holder)):
        assert first() == method(2.0) == deep["deep"][0](2.0)


def test_an_object_that_holds_staged_functions() -> None:
    held = things.Holder()
    for again in (pickle.loads(pickle.dumps(held)), copy.deepcopy(held), copy.copy(held)):
        assert again.items["f"] is things.scaled and again.slope is things.energy
        assert {name: f(2.0) for name, f in again.items.items()} == {"f": 1.0, "g": 3.0, "m": 7.0, "c": 4.0}


def test_another_process_unpickles() -> None:
    everything = {**BY_NAME, **MADE_AGAIN, **BOUND, "holder": things.Holder()}
    for name in ("Base.method", "Record.method"):  # They need an object.
        del everything[name]
    expected = {name: called(value) for name, value in everything.items() if name != "holder"}
    program = (
        "import pickle, sys\n"
        "given = pickle.load(sys.stdin.buffer)\n"
        "from test_manners_of_functions import called\n"
        "holder = given.pop('holder')\n"
        "assert holder.items['m'](2.0) == 7.0\n"
        "pickle.dump({name: called(one) for name, one in given.items()}, sys.stdout.buffer)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        input=pickle.dumps(everything),
        capture_output=True,
        cwd=TESTS,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    np.testing.assert_equal(pickle.loads(done.stdout), expected)


def test_what_python_cannot_pickle_fails_in_its_words() -> None:
    def local(x: float) -> float:
        return x

    plain: Any = lambda x: x  # noqa: E731
    for function, staged in (
        (plain, ag.function(plain)),
        (local, ag.function(local)),
        (local, ag.grad(local)),
    ):
        texts = []
        for one in (function, staged):
            with pytest.raises((pickle.PicklingError, AttributeError)) as caught:
                pickle.dumps(one)
            texts.append(str(caught.value))
        assert texts[0] == texts[1]


PLACES = {
    "method": ("method", True),
    "class_above": ("class_above", True),
    "class_below": ("class_below", True),
    "static_above": ("static_above", True),
    "static_below": ("static_below", True),
    "property_above": ("property_above", False),
    "property_below": ("property_below", False),
    "cached_above": ("cached_above", False),
    "cached_below": ("cached_below", False),
    "partial_above": ("partial_above", None),
    "partial_below": ("partial_below", None),
}


def unstaged(kind: type) -> type:
    """The class as plain Python: every staged function is the one that it wraps."""

    def plain(value: Any) -> Any:
        if isinstance(value, ag.Function):
            return value.__wrapped__
        if isinstance(value, (staticmethod, classmethod)):
            return type(value)(plain(value.__func__))
        if isinstance(value, property):
            return property(*(None if one is None else plain(one) for one in (value.fget, value.fset)))
        if isinstance(value, functools.cached_property):
            return functools.cached_property(plain(value.func))
        if isinstance(value, functools.partialmethod):
            return functools.partialmethod(plain(value.func), *value.args, **value.keywords)
        return value

    bases = tuple(base if base is object else unstaged(base) for base in kind.__bases__)
    body = {
        name: plain(value) for name, value in vars(kind).items() if name not in ("__dict__", "__weakref__")
    }
    return type(kind.__name__, bases, body)


def value_of(owner: Any, name: str) -> Any:
    takes = PLACES[name][1]
    return (
        getattr(owner, name)(1.5)
        if takes
        else getattr(owner, name)()
        if takes is None
        else getattr(owner, name)
    )


@pytest.mark.parametrize("name", PLACES)
@pytest.mark.parametrize("kind", [things.Base, type("Child", (things.Base,), {"factor": 9.0})])
def test_methods_of_every_kind(name: str, kind: Any) -> None:
    expected = value_of(unstaged(kind)(), name)
    assert value_of(kind(), name) == expected == value_of(copy.deepcopy(kind()), name)
    if name.startswith(("class", "static")):
        assert value_of(kind, name) == expected

    # Called from another staged function, twice.
    one = kind()
    outer = ag.function(lambda: value_of(one, name))
    assert outer() == outer() == expected


@pytest.mark.parametrize(
    "name", ["method", "class_above", "class_below", "static_above", "property_above", "property_below"]
)
def test_super(name: str) -> None:
    factors = {"method": 5.5, "class_above": 5.5, "class_below": -0.5, "static_above": 8.5}
    factors |= {"property_above": 10.0, "property_below": 13.0}
    one = things.Derived()
    assert value_of(one, name) == factors[name] == ag.function(lambda: value_of(one, name))()


def test_a_kept_property_is_computed_once() -> None:
    one = things.Base()
    for name, value in (("cached_above", 12.0), ("cached_below", 16.0)):
        assert getattr(one, name) == value == one.__dict__[name]
        one.factor = 100.0
        assert getattr(one, name) == value
        one.factor = 2.0
        assert getattr(things.Base, name).__doc__ == "Kept." and getattr(things.Base, name).attrname == name


def test_setters() -> None:
    one = things.Base()
    one.written = 5.0
    assert one.factor == 10.0 == one.written


def test_abstract_methods_stay_abstract() -> None:
    assert things.Abstract.__abstractmethods__ == {"below", "above", "shown"}
    with pytest.raises(TypeError, match="abstract"):
        things.Abstract()  # type: ignore[abstract]
    one = things.Concrete()
    assert (one.below(1.0), one.above(1.0), one.shown) == (2.0, 3.0, 3.0)


def test_slots_and_dataclasses() -> None:
    assert things.Slotted().method(2.0) == 10.0
    record = things.Record(3.0)
    assert record.method(2.0) == 6.0 == record.doubled
    assert dataclasses.replace(record, factor=5.0).method(2.0) == 10.0
    assert pickle.loads(pickle.dumps(record)) == record


@pytest.mark.parametrize("name", ["scaled", "Base.method"])
def test_the_face_of_the_original(name: str) -> None:
    staged: Any = functools.reduce(getattr, name.split("."), things)
    plain = staged.__wrapped__
    for attribute in functools.WRAPPER_ASSIGNMENTS:
        assert getattr(staged, attribute) == getattr(plain, attribute), attribute
    assert staged.__signature__ == inspect.signature(plain) == inspect.signature(staged)
    assert inspect.getsource(staged) == inspect.getsource(plain) and inspect.getdoc(staged) == inspect.getdoc(
        plain
    )
    assert inspect.unwrap(staged) is plain


def test_the_signature_follows_the_defaults() -> None:
    def f(x: float, rate: float = 0.5) -> float:
        return x * rate

    staged = ag.function(f)
    assert str(staged.__signature__) == "(x: 'float', rate: 'float' = 0.5) -> 'float'"
    f.__defaults__ = (0.25,)
    assert "0.25" in str(inspect.signature(staged)) and staged(4.0) == 1.0
    with pytest.raises(AttributeError):
        _ = ag.Function.__signature__
    assert "static" in inspect.signature(ag.Function).parameters


def test_signatures_of_methods() -> None:
    one = things.Base()
    for name in ("method", "class_above", "class_below", "static_above", "static_below"):
        assert [*inspect.signature(getattr(one, name)).parameters] == ["x"], name
    assert [*inspect.signature(things.Base.method).parameters] == ["self", "x"]
    assert [*inspect.signature(one.partial_below).parameters] == []
    for transformed in (things.slope, things.energy, ag.vmap(things.plain), ag.value_and_grad(things.plain)):
        assert [*inspect.signature(transformed).parameters] == ["x"]
        assert transformed.__signature__ == inspect.signature(things.plain)


def test_a_wrapper_gets_only_what_the_function_has() -> None:
    """`functools.wraps` copies the `__dict__` of what it wraps: nothing of a staged one's own is there."""

    @ag.function
    def f(x: float) -> float:
        return x + 1.0

    f.note = "mine"  # type: ignore[attr-defined]

    class Counted:
        def __init__(self, function: Any) -> None:
            self._cache: list[Any] = []
            self._lock = "the user's"
            self.record = "the user's"
            functools.update_wrapper(self, function)

        def __call__(self, *args: Any) -> Any:
            self._cache.append(args)
            return self.__wrapped__(*args)  # type: ignore[attr-defined]

    for function in (f, ag.grad(f), ag.py_function(f.__wrapped__), ag.custom_vjp(f.__wrapped__)):
        counted = Counted(function)
        assert counted(2.0) is not None and counted._cache == [(2.0,)]
        assert (counted._lock, counted.record) == ("the user's",) * 2
        names = {name for name in vars(counted) if not name.startswith("__")}
        assert names <= {"_cache", "_lock", "record", "note"}
        assert inspect.signature(counted) == inspect.signature(f)

    @functools.wraps(f)
    def logged(*args: Any) -> Any:
        return f(*args)

    assert logged.note == "mine" and logged(1.0) == 2.0 == ag.function(logged)(1.0)
