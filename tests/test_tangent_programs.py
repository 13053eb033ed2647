"""Derivatives as source of programs as users write them: values, effects, sources."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from autograph import tangent
from autograph.errors import ConversionError
from tangent_case import Program
from tangent_checks import Checker, call, is_guard, is_located, leaves_of
from tangent_programs import BY_NAME, PROGRAMS, REFUSED

ACCEPTED = [one for one in PROGRAMS if one.name not in REFUSED]


def test_there_are_many_programs() -> None:
    assert len(PROGRAMS) >= 150
    assert len(BY_NAME) == len(PROGRAMS)
    assert set(REFUSED) <= set(BY_NAME)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda one: one.name)
def test_program(program: Program) -> None:
    code = REFUSED.get(program.name)
    if code is None:
        checker = Checker(program)
        faults = checker.run()
        assert not faults, "\n".join(faults)
        assert checker.checked
    elif code == "TypeError":
        with pytest.raises(TypeError) as guarded:
            Checker(program).run()
        assert is_guard(guarded.value)
    else:
        with pytest.raises(ConversionError) as refused:
            Checker(program).run()
        assert refused.value.code == code
        assert is_located(refused.value)


VERSIONS = ("py311", "py312", "py313", "py314")


GIVEN_AN_EMPTY_LIST = (
    *("held_list_by_a_method", "held_list_by_the_attribute_and_a_callee"),
    *("held_list_in_a_loop", "method_named_put"),
)


TRIED = ("in_a_try", "before_it_fails", "until_it_diverges")


def test_sources_are_clean(tmp_path: Path) -> None:
    """`ruff` finds nothing in any generated text, by its rules E and F and the syntax of each Python.

    The text of a derivative reads the names of its module, so names that it does not define (F821) are looked
    for in the text that stands alone. Text that is not tidied up has variables that nothing reads (F841).
    """
    standing = 0
    for version in VERSIONS:
        (tmp_path / version).mkdir()
    for program in ACCEPTED:
        made = {
            "reverse": tangent.grad(program.function, program.wrt),
            "raw": tangent.autodiff(program.function, program.wrt, optimized=False),
            "split": tangent.autodiff(program.function, program.wrt, motion="split"),
            "both": tangent.value_and_grad(program.function, program.wrt),
        }
        if program.wanted is None:
            made["forward"] = tangent.jvp(program.function, program.wrt)
        for kind, function in made.items():
            name = f"{program.name}_{kind}.py"
            text = tangent.to_source(function)
            ast.parse(text, feature_version=(3, 11))
            (tmp_path / f"with_module_{name}").write_text(text)
            try:
                text = tangent.to_source(function, standalone=True)
            except ConversionError as error:
                assert error.code == "AG021"
                continue
            standing += 1
            ast.parse(text, feature_version=(3, 11))
            (tmp_path / VERSIONS[standing % len(VERSIONS)] / name).write_text(text)
    assert standing > len(ACCEPTED) * 4
    settings = [
        "[per-file-target-version]",
        *(f'"{version}/*.py" = "{version}"' for version in VERSIONS),
        "[lint]",
        'select = ["E4", "E7", "E9", "F"]',
        'ignore = ["E731"]',  # Of the users' own lambdas.
        "[lint.per-file-ignores]",
        '"with_module_*.py" = ["F821", "F823"]',
        '"*_raw.py" = ["F841"]',
        # The value of a `return` that `finally` follows.
        '"with_module_return_in_try_with_a_bound_variable_forward.py" = ["F841"]',
        # The failure that a handler takes, and what was returned before it, of writers in a `try`.
        *(
            f'"{module}nonlocal_*{ending}*.py" = ["F841"]'
            for module in ("with_module_", "")
            for ending in TRIED
        ),
        # The adjoint of an empty list that an object is given: the call that makes it stays.
        *(f'"with_module_{name}_*.py" = ["F841"]' for name in GIVEN_AN_EMPTY_LIST),
    ]
    (tmp_path / "ruff.toml").write_text("\n".join(settings))
    command = [
        sys.executable,
        "-m",
        "ruff",
        "check",
        "--no-cache",
        "--output-format",
        "concise",
        str(tmp_path),
    ]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stdout[-6000:] + found.stderr


@pytest.mark.parametrize("program", ACCEPTED, ids=lambda one: one.name)
def test_standing_alone(program: Program) -> None:
    """A file of its own gives the same gradient, to the bit."""
    derivative = tangent.vjp(program.function, program.wrt)
    try:
        text = tangent.to_source(derivative, standalone=True)
    except ConversionError as error:
        assert error.code == "AG021"
        return
    variables: dict[str, Any] = {"__name__": "alone"}
    exec(compile(text, "alone.py", "exec"), variables)
    for args in program.inputs:
        plain = call(tangent.tangent(program.function), args)
        seed = np.ones(np.shape(plain.result)) if np.ndim(plain.result) else 1.0
        wanted = call(derivative, (*args, seed))
        found = call(variables[derivative.__name__], (*args, seed))
        assert type(found.error) is type(wanted.error), found.error
        left, right = leaves_of(found.result), leaves_of(wanted.result)
        assert len(left) == len(right)
        for one, other in zip(left, right, strict=True):
            assert np.array_equal(one, other, equal_nan=not isinstance(one, (str, type(None))))


def becomes_a_number(x: Any) -> Any:
    x = np.sum(x * x)
    return x


def becomes_narrow(x: Any) -> Any:
    x = np.asarray(x).astype(np.float32)
    return np.sum(x)


def becomes_a_constant(x: Any) -> Any:
    x = 3.0
    return x * 2


def becomes_an_integer(x: Any) -> Any:
    x = int(np.ravel(x)[0])
    return x * 1.0


def becomes_a_list(x: Any) -> Any:
    x = [np.ravel(x), x]
    return x[0][0] * np.sum(x[1])


def becomes_longer(x: Any) -> Any:
    for _ in range(2):
        x = np.append(x, np.ravel(x)[0])
    return np.sum(x)


@pytest.mark.parametrize("motion", ["joint", "split"])
@pytest.mark.parametrize(
    "argument",
    [2.0, np.float64(2.0), np.float32(2.0), np.array(2.0), np.array([2.0]), np.ones((2, 3), np.float32)],
    ids=repr,
)
@pytest.mark.parametrize(
    "function",
    [
        becomes_a_number,
        becomes_narrow,
        becomes_a_constant,
        becomes_an_integer,
        becomes_a_list,
        becomes_longer,
    ],
)
def test_a_gradient_has_the_form_of_its_argument(function: Any, argument: Any, motion: Any) -> None:
    """Class, shape and dtype, whatever the name of the parameter is bound to later."""
    found = tangent.autodiff(function, motion=motion)(argument)
    assert type(found) is type(argument)
    assert np.shape(found) == np.shape(argument)
    assert getattr(found, "dtype", None) == getattr(argument, "dtype", None)
