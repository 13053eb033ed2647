"""The registry of Tangent's rules: what is found by which function, and what is refused, in which words."""

from __future__ import annotations

import ast
import builtins
import inspect
import math
import operator
import re
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import autograph._src.tangent.rules
import numpy as np
import pytest
from autograph._src.tangent import registry
from autograph._src.tangent import runtime as tangent
from autograph._src.tangent.registry import adjoint, d, register_non_differentiable, tangent_of
from tangent_rules import Call, functions_of_the_package, run_adjoint, run_tangent

ROOT = Path(__file__).parent.parent


def cube(x: Any) -> Any:
    return x**3


@pytest.fixture(autouse=True)
def _forgets() -> Iterator[None]:
    """Rules that a test registers of `cube` and `np.sin` are gone after it."""
    before = [dict(table) for table in (registry.ADJOINTS._found, registry.TANGENTS._found)]
    constants = dict(registry.NON_DIFFERENTIABLE)
    yield
    registry.ADJOINTS._found, registry.TANGENTS._found = before
    registry.NON_DIFFERENTIABLE.clear()
    registry.NON_DIFFERENTIABLE.update(constants)


def test_a_rule_is_found_by_its_function() -> None:
    @adjoint(cube, elementwise=True)
    def cube_rule(z: Any, x: Any) -> None:
        d[x] = d[z] * 3 * x**2

    @tangent_of(cube)
    def cube_tangent(z: Any, x: Any) -> None:
        d[z] = 3 * x**2 * d[x]

    found = registry.adjoint_of(cube)
    assert found is not None and found.template is cube_rule and found.elementwise
    other = registry.tangent_rule_of(cube)
    assert other is not None and other.template is cube_tangent
    assert registry.adjoint_of(lambda x: x**3) is None


def test_a_later_rule_replaces_an_earlier_one_and_its_variants() -> None:
    @adjoint(np.dot)
    def dot(z: Any, a: Any, b: Any) -> None:
        d[a] = d[z] * b

    for ranks in (None, (2, 2)):
        found = registry.adjoint_of(np.dot, ranks)
        assert found is not None and found.template is dot


def test_what_a_rule_is_of_is_no_longer_constant_and_the_other_way_round() -> None:
    register_non_differentiable(cube)
    assert registry.is_non_differentiable(cube)

    @adjoint(cube)
    def cube_rule(z: Any, x: Any) -> None:
        d[x] = d[z] * 3 * x**2

    assert not registry.is_non_differentiable(cube) and registry.adjoint_of(cube) is not None
    register_non_differentiable(cube)
    assert registry.adjoint_of(cube) is None


def rule_without_result() -> None: ...


def rule_of_all(*args: Any) -> None: ...


def rule_of_one(z: Any, x: Any) -> None: ...


@pytest.mark.parametrize(
    ("register", "words"),
    [
        (lambda: adjoint(), "`adjoint` needs the functions that the rule is of: `@adjoint(np.sin)`"),
        (lambda: tangent_of(3), "`tangent_of` takes functions, and 3 is none"),
        (
            lambda: register_non_differentiable("len"),
            "`register_non_differentiable` takes functions, and 'len' is none",
        ),
        (lambda: adjoint(cube)(lambda z, x: None), "with `def`: a lambda has no statements"),
        (lambda: adjoint(cube)(np.sin), "with `def`, and <ufunc 'sin'> is none"),
        (
            lambda: adjoint(cube)(rule_without_result),
            "the rule `rule_without_result` needs a parameter for the result",
        ),
        (lambda: tangent_of(cube)(rule_of_all), "the rule `rule_of_all` needs a parameter for the result"),
        (
            lambda: adjoint(cube, literals={"n": 2})(rule_of_one),
            "the rule `rule_of_one` has no parameter `n`, which `literals` names",
        ),
    ],
)
def test_bad_rules_are_refused(register: Callable[[], Any], words: str) -> None:
    with pytest.raises(TypeError, match=re.escape(words)):
        register()


def test_rules_never_run() -> None:
    for use in (lambda: d["x"], lambda: operator.setitem(d, "x", 1)):
        with pytest.raises(TypeError, match="rules are quoted, never run"):
            use()


def test_methods_are_found_by_name() -> None:
    assert registry.method_named("sum") is np.ndarray.sum
    assert registry.method_named("T") is np.ndarray.T
    assert registry.method_named("shape") is np.ndarray.shape
    assert registry.method_named("normal") is np.random.Generator.normal
    assert registry.method_named("sort") is np.ndarray.sort
    assert registry.method_named("byteswap") is None
    assert registry.method_named("no_such_method") is None


def test_what_is_read_of_a_form_only() -> None:
    assert registry.forms_read_by(tangent.unbroadcast) == {"x"}
    assert registry.forms_read_by(np.shape) == {"a"}
    assert registry.forms_read_by(np.sin) == frozenset()
    for function, names in registry.FORMS_READ.values():
        if getattr(function, "__module__", "").startswith("autograph."):
            assert names <= set(inspect.signature(function).parameters), function


WRITTEN: list[tuple[Any, tuple[Any, ...]]] = [
    (np.put, ([0, -1], [7.0, 8.0])),
    (np.putmask, (np.array([True, False, True, False]), [7.0, 8.0])),
    (np.place, (np.array([True, False, True, False]), [7.0, 8.0])),
    (np.copyto, (9.0,)),
    (np.put_along_axis, (np.array([1, 2]), 9.0, 0)),
    (np.ndarray.put, ([0, -1], [7.0, 8.0])),
    (np.ndarray.sort, ()),
    (np.ndarray.partition, (1,)),
    (np.ndarray.fill, (9.0,)),
]


@pytest.mark.parametrize(("function", "others"), WRITTEN)
def test_what_a_function_writes_is_what_its_helper_gives(function: Any, others: tuple[Any, ...]) -> None:
    written = np.array([3.0, 1.0, 2.0, 0.0])
    before = written.copy()
    helper: Any = registry.write_of(function)
    wanted = helper(before, *others)
    function(written, *others)
    assert before.tolist() == [3.0, 1.0, 2.0, 0.0] and wanted.tolist() == written.tolist()
    assert registry.adjoint_of(helper) is not None


@pytest.mark.parametrize(
    ("ranks", "name"),
    [
        (None, "dot"),
        ((2, 2), "dot_of_matrices"),
        ((2, 1), "dot_of_matrix_and_vector"),
        ((1, 2), "dot_of_vector_and_matrix"),
        ((1, 1), "dot_of_vectors"),
        ((3, 2), "dot"),
    ],
)
def test_variants_by_rank(ranks: tuple[int, ...] | None, name: str) -> None:
    found = registry.adjoint_of(np.dot, ranks)
    assert found is not None and found.template.__name__ == name


@pytest.mark.parametrize(
    ("literal", "name"),
    [
        (2, "power_of_two"),
        (2.0, "power_of_two"),
        (3, "power_of_number"),
        (-1, "power_of_number"),
        (0.5, "power"),
        (0, "power"),
        (True, "power"),
    ],
)
def test_variants_by_literal(literal: Any, name: str) -> None:
    found = registry.adjoint_of(operator.pow, literals={"x2": literal})
    assert found is not None and found.template.__name__ == name


SHAPES = {2: (3, 3), 1: (3,)}


@pytest.mark.parametrize("function", [np.dot, np.matmul, operator.matmul])
@pytest.mark.parametrize("ranks", [(2, 2), (2, 1), (1, 2), (1, 1)])
def test_variants_by_rank_agree(function: Any, ranks: tuple[int, int]) -> None:
    draws = np.random.default_rng(1)
    args = tuple(draws.normal(size=SHAPES[rank]) for rank in ranks)
    z = function(*args)
    bz = draws.normal(size=np.shape(z))
    general, special = registry.adjoint_of(function), registry.adjoint_of(function, ranks)
    assert general is not None and special is not None and general is not special
    found = run_adjoint(special, Call(function, args), z, bz)
    for name, wanted in run_adjoint(general, Call(function, args), z, bz).items():
        np.testing.assert_allclose(found[name], wanted, rtol=1e-13)


@pytest.mark.parametrize("function", [np.power, operator.pow])
@pytest.mark.parametrize("exponent", [2, 2.0, 1, 3, 2.5, -1, -0.5])
def test_variants_by_literal_agree(function: Any, exponent: Any) -> None:
    x = np.array([0.5, 2.0, 3.0])
    call = Call(function, (x, exponent if type(exponent) is int else tangent_constant(exponent)))
    z, bz = function(x, exponent), np.array([1.0, -2.0, 0.5])
    literals = {"x2": exponent}
    wanted = exponent * x ** (exponent - 1)
    adjoint_rule, tangent_rule = (
        registry.adjoint_of(function, literals=literals),
        registry.tangent_rule_of(function, literals=literals),
    )
    assert adjoint_rule is not None and tangent_rule is not None
    np.testing.assert_allclose(run_adjoint(adjoint_rule, call, z, bz)["x1"], bz * wanted, rtol=1e-14)
    np.testing.assert_allclose(run_tangent(tangent_rule, call, z, {"x1": bz}), bz * wanted, rtol=1e-14)


def tangent_constant(value: float) -> Any:
    from tangent_rules import const

    return const(value)


OF_TANGENTS = {
    variant.rule.template for _, variants in registry.TANGENTS._found.values() for variant in variants
}

RULES = sorted(
    {
        variant.rule.template
        for table in (registry.ADJOINTS, registry.TANGENTS)
        for _, variants in table._found.values()
        for variant in variants
    },
    key=lambda template: (template.__module__, template.__code__.co_firstlineno),
)


@pytest.mark.parametrize(
    "template", RULES, ids=lambda one: f"{one.__module__.rpartition('.')[2]}.{one.__name__}"
)
def test_rules_are_written_as_the_generator_reads_them(template: Any) -> None:
    """Free names are those of generated code; targets are operands in an adjoint, the result in a tangent."""
    function = ast.parse(textwrap.dedent(inspect.getsource(template))).body[0]
    assert isinstance(function, ast.FunctionDef)
    result, *operands = inspect.signature(template).parameters
    is_tangent = template in OF_TANGENTS
    local = {
        node.id
        for node in ast.walk(function)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    known = {*operands, result, *local, "np", "math", "tangent", "d", *vars(builtins)}
    for statement in function.body:
        for node in ast.walk(statement):
            if isinstance(node, ast.Name):
                assert node.id in known, node.id
            if (
                isinstance(node, ast.Attribute)
                and isinstance(node.value, ast.Name)
                and node.value.id == "tangent"
            ):
                assert node.attr in tangent.__all__, node.attr
            if (
                isinstance(node, ast.Attribute)
                and isinstance(node.value, ast.Name)
                and node.value.id == "math"
            ):
                assert hasattr(math, node.attr), node.attr
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript):
                name = ast.unparse(node.targets[0].slice)
                assert name == result if is_tangent else name in operands, name


def test_every_rule_has_both_directions() -> None:
    adjoints, tangents = map(functions_of_the_package, (registry.ADJOINTS, registry.TANGENTS))
    assert set(map(id, adjoints)) == set(map(id, tangents))


WITHOUT_RULE = {
    "apply_along_axis": "it calls a function, which is differentiated where it is called",
    "apply_over_axes": "it calls a function, which is differentiated where it is called",
    "fromfunction": "it calls a function, which is differentiated where it is called",
    "fromiter": "it reads an iterator, which is a loop of the program",
    "poly1d.__call__": "a call of an object: `np.polyval(p, x)`",
    "polynomial.Polynomial.__call__": "a call of an object: `np.polynomial.polynomial.polyval(x, p.coef)`",
}
"""Functions of docs/gradients-of-numpy.md that no rule is of, and why."""


def functions_of_the_document() -> list[str]:
    text = (ROOT / "docs" / "gradients-of-numpy.md").read_text()
    return re.findall(r"^\| `([\w.]+)` \|", text, re.M)


def test_every_function_of_the_document_has_a_rule() -> None:
    missing = set()
    for name in functions_of_the_document():
        function: Any = np
        for part in name.split("."):
            function = getattr(function, part, None)
        if function is None or registry.write_of(function) is not None:
            continue
        if registry.adjoint_of(function) is None and not registry.is_non_differentiable(function):
            missing.add(name)
    assert missing == set(WITHOUT_RULE)


assert autograph._src.tangent.rules
