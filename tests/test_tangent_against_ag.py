"""`tangent.grad` and `ag.grad` agree on every program of the repository that both take.

The programs of `tests/run` and of `examples/programs` that give a float, by their float arguments.
"""

from __future__ import annotations

import contextlib
import copy
import inspect
import io
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import autograph as ag
import numpy as np
import pytest
from autograph import tangent
from autograph._src.tangent.guard_errors import GuardAside
from autograph.errors import ConversionError
from programs import cases, load
from tangent_checks import is_float, is_guard, is_located, leaves_of
from test_example_programs import FILES
from test_example_programs import load as load_example

REFUSED: dict[str, str] = {
    "assignment_expressions.in_a_test_and_a_comprehension": "AG021",
    "assignment_expressions.a_pinned_loop": "AG021",
    "closures.defined_in_a_branch": "AG021",
    "comprehensions.filtered": "AG022",
    "frame_functions.evaluated": "AG021",
    "iterators.with_default": "AG022",
    "log_messages.logged": "AG021",
    "objects_that_are_shown.caught": "TypeError",
    "recursion_that_writes.argument_of_the_staged_function": "AG021",
    "recursion_that_writes.one_array_twice": "TypeError",
    "recursion_that_writes.best_subset": "AG021",
    "replaced_rows.inserted": "TypeError",
    "stacks_and_visits.cheapest": "AG023",
    "cart_pole.evaluate": "AG021",
    "trees.evaluate": "AG022",
}
"""The code of `tangent`'s refusal, by program. `TypeError`: found when the derivative runs, by its guard."""

Calls = list[tuple[Any, ...]]


def programs() -> Iterator[tuple[str, Callable[..., Any], Calls]]:
    """Names, functions and positional arguments."""
    found: dict[str, tuple[Callable[..., Any], Calls]] = {}
    modules: dict[str, ModuleType] = {}
    for case in cases():
        module = modules.get(case.file) or modules.setdefault(case.file, load(case.file))
        name, _, rest = case.call.partition("(")
        given: Calls = []
        if case.error is None:
            eval(
                f"caller({rest}", {"np": np, **vars(module), "caller": lambda *args, **_: given.append(args)}
            )
        function = getattr(module, name)
        if inspect.isfunction(function):
            found.setdefault(f"{case.file}.{name}", (function, []))[1].extend(given)
    for path in FILES:
        for function, calls in load_example(path).PROGRAMS.items():
            if inspect.isfunction(function):
                found[f"{path.stem}.{function.__name__}"] = (function, list(calls))
    for name, (function, calls) in found.items():
        yield name, function, calls


def call(function: Callable[..., Any], args: tuple[Any, ...]) -> Any:
    with contextlib.redirect_stdout(io.StringIO()), np.errstate(all="ignore"):
        return function(*copy.deepcopy(args))


def floats(args: tuple[Any, ...], function: Callable[..., Any]) -> tuple[int, ...]:
    """The positions of the arguments that are floats, or trees of them, and have a parameter of their own."""
    count = function.__code__.co_argcount
    return tuple(
        place
        for place, one in enumerate(args[:count])
        if leaves_of(one) and all(map(is_float, leaves_of(one)))
    )


def gives_a_float(function: Callable[..., Any], args: tuple[Any, ...]) -> bool:
    try:
        result = call(function, args)
    except Exception:
        return False
    return is_float(result) and np.ndim(result) == 0


PROGRAMS = [
    pytest.param(name, function, chosen, id=name)
    for name, function, calls in programs()
    if (chosen := [args for args in calls if floats(args, function) and gives_a_float(function, args)])
]


def gradients(function: Callable[..., Any], calls: Calls) -> list[Any]:
    return [call(tangent.grad(function, floats(args, function)), args) for args in calls]


@pytest.mark.parametrize(("name", "function", "calls"), PROGRAMS)
def test_the_same_gradients(name: str, function: Callable[..., Any], calls: Calls) -> None:
    code = REFUSED.get(name)
    if code == "TypeError":
        with pytest.raises((TypeError, GuardAside)) as guarded:
            gradients(function, calls)
        assert is_guard(guarded.value)
        return
    if code is not None:
        with pytest.raises(ConversionError) as refused:
            gradients(function, calls)
        assert refused.value.code == code
        assert is_located(refused.value)
        return
    for args, found in zip(calls, gradients(function, calls), strict=True):
        places = floats(args, function)
        wanted = call(ag.grad(function, places if len(places) > 1 else places[0]), args)
        for one, other in zip(leaves_of(found), leaves_of(wanted), strict=True):
            single = getattr(other, "dtype", None) == np.float32
            assert np.shape(one) == np.shape(other)
            assert np.allclose(one, other, rtol=1e-4 if single else 1e-7, atol=1e-9, equal_nan=True), (
                args,
                found,
                wanted,
            )


def test_there_are_many_programs() -> None:
    names = {one.id for one in PROGRAMS}
    assert len(names) >= 100
    assert set(REFUSED) <= names
    assert len(REFUSED) < 0.5 * len(names)
