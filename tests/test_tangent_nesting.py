"""Derivatives of derivatives: of the programs over numbers, against differences of the first."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import pytest
import tangent_programs_of_functions
import tangent_programs_of_numbers
from autograph import tangent
from autograph.errors import ConversionError
from tangent_case import Program
from tangent_checks import call, is_close, is_located
from tangent_programs import REFUSED

STEP = 1e-5

WAYS: dict[str, Callable[[Any], Any]] = {
    "grad of grad": lambda f: tangent.grad(tangent.grad(f)),
    "jvp of grad": lambda f: tangent.jvp(tangent.grad(f)),
    "grad of jvp": lambda f: tangent.grad(tangent.jvp(f)),
    "jvp of jvp": lambda f: tangent.jvp(tangent.jvp(f)),
}

REFUSED_NESTED: dict[tuple[str, str], str] = {
    ("grad of grad", "math_functions"): "AG021",
    ("jvp of grad", "math_functions"): "AG021",
    ("grad of jvp", "math_functions"): "AG021",
    ("jvp of jvp", "math_functions"): "AG021",
    ("grad of grad", "break_of_inner_loop"): "AG023",
    ("jvp of grad", "break_of_inner_loop"): "AG023",
    ("grad of grad", "calls_a_loop_in_a_loop"): "AG023",
    ("jvp of grad", "calls_a_loop_in_a_loop"): "AG023",
    ("grad of grad", "object_made_inside"): "AG021",
    ("jvp of grad", "object_made_inside"): "AG021",
    ("grad of jvp", "object_made_inside"): "AG021",
    ("jvp of jvp", "object_made_inside"): "AG021",
    ("grad of grad", "attribute_write"): "AG022",
    ("jvp of grad", "attribute_write"): "AG022",
    ("grad of grad", "list_pop"): "AG023",
    ("jvp of grad", "list_pop"): "AG023",
    ("grad of grad", "stack_in_loop"): "AG023",
    ("jvp of grad", "stack_in_loop"): "AG023",
    ("grad of grad", "sorted_values"): "AG022",
    ("jvp of grad", "sorted_values"): "AG022",
    ("grad of jvp", "sorted_values"): "AG023",
    ("jvp of jvp", "sorted_values"): "AG023",
}
"""The code of the refusal of a second derivative, by way and program."""

SCALAR = [
    one
    for one in [
        *tangent_programs_of_numbers.PROGRAMS.found,
        *tangent_programs_of_functions.PROGRAMS.found,
    ]
    if one.name not in REFUSED
    and one.wanted is None
    and all(isinstance(args[0], float) for args in one.inputs)
]


def second(way: str, program: Program) -> Callable[[tuple[Any, ...]], Any]:
    """A function of the program's arguments that gives the second derivative."""
    made = WAYS[way](program.function)
    seeds = [
        name
        for name in inspect.signature(made).parameters
        if name not in inspect.signature(program.function).parameters
    ]

    def run(args: tuple[Any, ...]) -> Any:
        if way == "grad of grad":
            return call(made, args)
        # The adjoint of the result of the first is 1.0 by default; each tangent is of the argument.
        tangents = [name for name in seeds if name.startswith("d")]
        return call(made, args, **dict.fromkeys(tangents[: 1 if way != "jvp of jvp" else 2], 1.0))

    return run


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("program", SCALAR, ids=lambda one: one.name)
def test_second_derivatives(program: Program, way: str) -> None:
    code = REFUSED_NESTED.get((way, program.name))
    if code is not None:
        with pytest.raises(ConversionError) as refused:
            second(way, program)
        assert refused.value.code == code
        assert is_located(refused.value)
        return
    first = tangent.grad(program.function)
    run = second(way, program)
    checked = 0
    for args in program.inputs:
        x, *others = args
        plain = call(program.function, args)
        found = run(args)
        if plain.error is not None:
            assert type(found.error) is type(plain.error)
            continue
        assert found.error is None, repr(found.error)
        assert found.printed == plain.printed
        upper = call(first, (x + STEP, *others)).result
        lower = call(first, (x - STEP, *others)).result
        assert is_close(found.result, (upper - lower) / (2 * STEP), 2e-4), args
        checked += 1
    assert checked


def test_scalar_programs_are_many() -> None:
    assert len(SCALAR) >= 70
