"""What the analysis says of values: it is what they are, or nothing."""

from __future__ import annotations

import ast
import itertools
import warnings
from typing import Any

import numpy as np
import pytest
from autograph import tangent
from autograph._src.tangent.forms import arithmetic, functions, helper_forms
from autograph._src.tangent.forms.edits import edited
from autograph._src.tangent.forms.values import (
    UNKNOWN,
    Array,
    Literal,
    Number,
    Parts,
    Value,
    form_of,
    joined,
    number_of,
)
from tangent_checks import is_same

DRAWS = np.random.default_rng(0)
SAMPLES: list[Any] = [
    2.5,
    3,
    True,
    np.float64(1.5),
    np.float32(0.5),
    np.int64(3),
    np.bool_(True),
    np.array(1.25),
    np.array(2),
    DRAWS.normal(size=3),
    DRAWS.normal(size=(2, 3)),
    DRAWS.normal(size=(4, 2, 3)),
    DRAWS.normal(size=(2, 1)),
    DRAWS.normal(size=(3, 2)).astype(np.float32),
    DRAWS.normal(size=3).astype(np.float32),
    np.arange(3),
    np.arange(6).reshape(2, 3) > 2,
    DRAWS.normal(size=(0, 3)),
    1.5 + 2j,
    np.array([1j, 2.0]),
]
LITERALS = [None, 2, -1, 0.5, 0, (0,), (1, 0), "word", 10**30]


def told(value: Any) -> Value:
    """What is known of a sample; of some, as of a constant of the text."""
    if isinstance(value, tuple):
        return Parts(tuple(map(Literal, value)))
    return Literal(value) if any(value is one for one in LITERALS) else form_of(value)


def is_right(found: Value, value: Any) -> bool:
    """Whether what is known of a value holds of it."""
    if found is UNKNOWN:
        return True
    if isinstance(found, Parts):
        return type(value) is tuple and all(map(is_right, found.items, value))
    if isinstance(found, Literal):
        return is_same(found.value, value)
    if isinstance(found, Number):
        return type(value) is found.kind
    assert isinstance(found, Array)
    return type(value) is np.ndarray and value.dtype is found.dtype and value.shape == found.shape


def run(function: Any, *args: Any, **named: Any) -> Any:
    """The value of a call; the class of its exception."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return function(*args, **named)
        except (TypeError, ValueError, IndexError, ArithmeticError, AttributeError) as error:
            return type(error)


OPERATORS = "+ - * / % // ** @ == != < <= > >=".split()


@pytest.mark.parametrize("operator", OPERATORS)
def test_operators(operator: str) -> None:
    node = ast.parse(f"a {operator} b", mode="eval").body
    kind = node.ops[0] if isinstance(node, ast.Compare) else node.op  # type: ignore[attr-defined]
    function = eval(f"lambda a, b: a {operator} b")
    known = 0
    for left, right in itertools.product([*SAMPLES, *LITERALS], repeat=2):
        if operator == "**" and 10**30 in (
            left if type(left) is int else 0,
            right if type(right) is int else 0,
        ):
            continue
        found = arithmetic.binary(kind, told(left), told(right))
        value = run(function, left, right)
        if isinstance(value, type):
            continue
        assert is_right(found, value), (left, right, found, value)
        known += found is not UNKNOWN
    assert known > (5 if operator in "**@" else 60)


@pytest.mark.parametrize("operator", ["-", "+", "not "])
def test_unary_operators(operator: str) -> None:
    node = ast.parse(f"{operator}a", mode="eval").body
    assert isinstance(node, ast.UnaryOp)
    function = eval(f"lambda a: {operator}a")
    for one in [*SAMPLES, *LITERALS]:
        value = run(function, one)
        assert isinstance(value, type) or is_right(arithmetic.unary(node.op, told(one)), value)


UFUNCS = ["sin", "exp", "sqrt", "negative", "abs", "sign", "isnan", "square", "logical_not", "modf", "frexp"]
UFUNCS += ["add", "multiply", "maximum", "arctan2", "power", "floor_divide", "less", "matmul", "dot", "outer"]
ALONE = ["transpose", "zeros_like", "ones_like", "empty_like", "copy", "shape", "size", "cumsum", "ravel"]


@pytest.mark.parametrize("name", [*UFUNCS, *ALONE])
def test_functions(name: str) -> None:
    function = getattr(np, name)
    known = 0
    for count in (1, 2):
        for given in itertools.product([*SAMPLES, *LITERALS], repeat=count):
            value = run(function, *given)
            if isinstance(value, type):
                continue
            found = functions.of_numpy(name, list(map(told, given)), {})
            assert is_right(found, value), (given, found, value)
            known += found is not UNKNOWN
    assert known or name in ("modf", "frexp", "cumsum", "ravel")


AXES: list[Any] = [None, 0, 1, -1, 2, (0,), (0, 1), (1, -1), ()]


@pytest.mark.parametrize("name", ["sum", "mean", "max", "min", "prod"])
def test_reductions(name: str) -> None:
    known = 0
    for one, axis, keepdims in itertools.product(SAMPLES, AXES, (False, True)):
        named = {"axis": axis, "keepdims": keepdims}
        forms = {"axis": Parts(tuple(map(Literal, axis))) if isinstance(axis, tuple) else Literal(axis)}
        forms["keepdims"] = Literal(keepdims)
        value = run(getattr(np, name), one, **named)
        if isinstance(value, type):
            continue
        found = functions.of_numpy(name, [told(one)], forms)
        assert is_right(found, value), (one, named, found, value)
        if isinstance(one, np.ndarray) and isinstance(found, (Array, Number)):
            form = told(one)
            assert isinstance(form, Array)
            assert functions.of_method(name, form, [], forms) == found
            assert is_right(found, run(getattr(one, name), **named))
        known += found is not UNKNOWN
    assert known > 10


def test_choices_items_and_attributes() -> None:
    for test, one, other in itertools.product(SAMPLES, repeat=3):
        value = run(np.where, test, one, other)
        if not isinstance(value, type):
            assert is_right(functions.of_numpy("where", list(map(told, (test, one, other))), {}), value)
    for one in SAMPLES:
        form = told(one)
        if not isinstance(form, Array):
            continue
        for name in ("T", "shape", "ndim", "size", "dtype", "flat"):
            assert is_right(functions.attribute(name, form), getattr(one, name))
        assert is_right(functions.of_method("copy", form, [], {}), one.copy())
        for index in (0, -1, True, np.int64(0), np.int8(0), None, 0.5):
            value = run(lambda array, place: array[place], one, index)
            assert isinstance(value, type) or is_right(functions.item(form, told(index)), value)


HELPERS = {name: count for name, (count, _) in helper_forms._HELPERS.items()}


@pytest.mark.parametrize("name", HELPERS)
def test_helpers(name: str) -> None:
    """What stands for a call of a helper gives what the call does, in whatever it stands."""
    helper = getattr(tangent, name)
    names = ["a", "b", "c", "d"][: HELPERS[name][0]]
    texts = [f"tangent.{name}({', '.join(names)})"]
    if name in ("dot_left", "matmul_left"):
        texts = [f"tangent.{name}(a, np.shape(b), c)"]
    elif name in ("dot_right", "matmul_right"):
        texts = [f"tangent.{name}(a, b, np.shape(c))"]
    known = changed = 0
    samples = [one for one in SAMPLES if not np.iscomplexobj(one)]
    for given in itertools.product(samples, repeat=len(names)):
        if len(names) == 3 and not all(np.ndim(one) for one in given):
            continue
        variables = dict(zip(names, given, strict=True)) | {"np": np, "tangent": tangent}
        for text in texts:
            node = ast.parse(text, mode="eval").body
            assert isinstance(node, ast.Call)
            values = [told(eval(ast.unparse(one), variables)) for one in node.args]
            values = [
                Parts(tuple(map(Literal, eval(ast.unparse(one), variables))))
                if "shape" in ast.unparse(one)
                else value
                for one, value in zip(node.args, values, strict=True)
            ]
            wanted = run(lambda code, names: eval(code, names), text, variables)
            if isinstance(wanted, type):
                continue
            found, edit = helper_forms.of_helper(name, node, values)
            assert is_right(found, wanted), (given, found, wanted)
            known += found is not UNKNOWN
            if edit is None or edit.parts is None:
                changed += edit is not None
                continue
            changed += 1
            short, _ = edited(text, [edit], {})
            assert "tangent" not in short or name == "unreduce"
            value = eval(short, variables)
            assert is_same(value, wanted), (given, short, value, wanted)
            if isinstance(wanted, np.ndarray):
                assert (value is given[0]) == (wanted is given[0])
    assert known or name == "check_seed"
    assert changed or name == "form"
    assert helper is not None


def test_sums_are_undone() -> None:
    """`unreduce` with the axes of a sum, where what stands for it gives the same, or nothing does."""
    changed = 0
    for like, axis, keepdims in itertools.product(SAMPLES, AXES, (False, True)):
        if np.iscomplexobj(like):
            continue
        for by in [*SAMPLES, run(np.sum, like, axis=axis, keepdims=keepdims)]:
            if isinstance(by, type) or np.iscomplexobj(by):
                continue
            text = f"tangent.unreduce(a, b, {axis}, {keepdims})"
            variables = {"a": by, "b": like, "tangent": tangent}
            node = ast.parse(text, mode="eval").body
            assert isinstance(node, ast.Call)
            known = Parts(tuple(map(Literal, axis))) if isinstance(axis, tuple) else Literal(axis)
            found, edit = helper_forms.of_helper(
                "unreduce", node, [form_of(by), form_of(like), known, Literal(keepdims)]
            )
            wanted = run(lambda code, names: eval(code, names), text, variables)
            assert isinstance(wanted, type) or is_right(found, wanted)
            if edit is None:
                continue
            changed += 1
            short, _ = edited(text, [edit], {})
            assert is_same(eval(short, variables), wanted), (by, like, short, wanted)
    assert changed > 100


def test_what_is_joined_is_what_holds_of_both() -> None:
    every = [told(one) for one in [*SAMPLES, *LITERALS]] + [UNKNOWN, Parts((Literal(1), Number(float)))]
    for one, other in itertools.product(every, repeat=2):
        both = joined(one, other)
        assert both == joined(other, one)
        assert both is UNKNOWN or one == other or number_of(both) is not None or isinstance(both, Parts)
    assert joined(Literal(1), Literal(True)) is UNKNOWN
    assert joined(Literal(0.0), Literal(-0.0)) == Number(float)
