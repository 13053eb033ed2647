"""What the tests of Tangent's rules share: a rule is run as it is written, and held against differences.

The text of a rule becomes a function: ``d[x]`` is an entry of a dict, a statement for an operand that has no
derivative here is left out, and contributions are added, as the generator of gradients does.
"""

from __future__ import annotations

import ast
import copy
import functools
import inspect
import textwrap
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from types import FunctionType
from typing import Any

import autograph._src.tangent.rules
import numpy as np
from autograph._src.tangent import registry
from autograph._src.tangent import runtime as tangent

__all__ = ["Call", "Constant", "const", "leaves", "rules_of", "run_adjoint", "run_tangent", "value_of"]


@dataclass(frozen=True)
class Constant:
    """An argument that no derivative is taken of."""

    value: Any


const = Constant

FAMILIES = "autograph._src.tangent.rules."


@dataclass(frozen=True)
class Call:
    """One call of one function."""

    function: Any
    args: tuple[Any, ...]
    options: dict[str, Any] = field(default_factory=dict)
    name: str = ""


def plain(value: Any) -> Any:
    return value.value if isinstance(value, Constant) else value


def is_active(value: Any) -> bool:
    """Whether an argument holds floats that a derivative is taken of."""
    if isinstance(value, (list, tuple)):
        return any(map(is_active, value))
    if isinstance(value, (np.ndarray, np.generic)):
        return value.dtype.kind in "fc"
    return type(value) in (float, complex)


def value_of(function: Any, args: tuple[Any, ...], options: dict[str, Any]) -> Any:
    """The result of a call, also of an attribute or a method of arrays."""
    # Draws are the same in each call.
    args = tuple(copy.deepcopy(one) if isinstance(one, np.random.Generator) else plain(one) for one in args)
    np.random.seed(3)
    options = {name: plain(one) for name, one in options.items()}
    if inspect.isdatadescriptor(function):
        return getattr(args[0], function.__name__)
    if hasattr(function, "__objclass__"):
        return getattr(args[0], function.__name__)(*args[1:], **options)
    return function(*args, **options)


def leaves(value: Any) -> list[Any]:
    """The numbers and arrays in lists, tuples and dicts, in order."""
    if isinstance(value, (list, tuple)):
        return [leaf for one in value for leaf in leaves(one)]
    if isinstance(value, dict):
        return [leaf for one in value.values() for leaf in leaves(one)]
    return [] if value is None or isinstance(value, (str, type)) else [value]


class Quoted(ast.NodeTransformer):
    """Writes ``d[x] = e`` as ``add("x", e)`` in a test whether it is wanted."""

    def __init__(self, mode: str, parameters: list[str]) -> None:
        self.mode, self.parameters = mode, parameters

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.value, ast.Name) and node.value.id == "d" and isinstance(node.slice, ast.Name):
            return ast.parse(f"_d[{node.slice.id!r}]", mode="eval").body
        return node

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        target = node.targets[0]
        if not (isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name)):
            return self.generic_visit(node)
        if target.value.id != "d":
            return self.generic_visit(node)
        assert isinstance(target.slice, ast.Name)
        name = target.slice.id
        read = sorted(
            one.slice.id
            for one in ast.walk(node.value)
            if isinstance(one, ast.Subscript)
            and isinstance(one.value, ast.Name)
            and one.value.id == "d"
            and isinstance(one.slice, ast.Name)
        )
        value = ast.unparse(self.visit(node.value))
        wanted = f"{name!r} in _active" if self.mode == "adjoint" else f"_active.issuperset({read!r})"
        return ast.parse(f"if {wanted}: _add({name!r}, lambda: ({value}))").body[0]


@functools.cache
def runnable(template: FunctionType, mode: str) -> Callable[..., None]:
    """A rule as a function of the call, what is active, derivatives, and what adds a contribution."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(template)))
    function = tree.body[0]
    assert isinstance(function, ast.FunctionDef)
    parameters = list(inspect.signature(template).parameters)
    function.decorator_list = []
    function.body = [Quoted(mode, parameters).visit(statement) for statement in function.body]
    function.args = ast.parse(
        f"lambda {', '.join([*parameters, '_active', '_d', '_add'])}: 0", mode="eval"
    ).body.args
    # What is free in a rule is NumPy, `math`, the helpers and builtins, and nothing of its file.
    import math

    scope: dict[str, Any] = {"np": np, "math": math, "tangent": tangent}
    exec(compile(ast.fix_missing_locations(tree), f"<{template.__name__}>", "exec"), scope)
    found: Callable[..., None] = scope[template.__name__]
    return found


def bound(template: FunctionType, call: Call) -> inspect.BoundArguments:
    """The arguments of a call by the parameters of a rule, without that of the result."""
    signature = inspect.signature(template)
    rest = signature.replace(parameters=list(signature.parameters.values())[1:])
    arguments = rest.bind(*call.args, **call.options)
    arguments.apply_defaults()
    return arguments


def active_in(arguments: inspect.BoundArguments, call: Call) -> set[str]:
    """The parameters that the call gives floats to."""
    given = {id(one) for one in (*call.args, *call.options.values())}
    return {
        name
        for name, value in arguments.arguments.items()
        if is_active(value) and (isinstance(value, tuple) or id(value) in given)
    }


def same_form(contribution: Any, x: Any) -> bool:
    if contribution is None:
        return not is_active(x)
    if isinstance(x, (list, tuple)):
        return len(contribution) == len(x) and all(map(same_form, contribution, [plain(one) for one in x]))
    return np.shape(contribution) == np.shape(x)


def run_adjoint(rule: registry.Rule, call: Call, z: Any, bz: Any, *, is_raw: bool = False) -> dict[str, Any]:
    """The adjoints of a call's active arguments, by parameter, as the caller gets them or as they are."""
    arguments = bound(rule.template, call)
    active = active_in(arguments, call)
    derivatives: dict[str, Any] = {next(iter(inspect.signature(rule.template).parameters)): bz}
    values = {name: unwrapped(one) for name, one in arguments.arguments.items()}

    def add(name: str, contribution: Callable[[], Any]) -> None:
        found, x = contribution(), values[name]
        if rule.elementwise:
            found = tangent.unbroadcast(found, x)
        assert same_form(found, x), f"d[{name}] has shape {np.shape(found)}, {name} has {np.shape(x)}"
        derivatives[name] = tangent.add_grad(derivatives[name], found) if name in derivatives else found

    runnable(rule.template, "adjoint")(z, *values.values(), active, derivatives, add)
    missing = active - set(derivatives)
    assert not missing, f"no statement for {missing}"
    if is_raw:
        return {name: derivatives[name] for name in active}
    return {name: tangent.as_gradient(derivatives[name], values[name]) for name in active}


def unwrapped(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return type(value)(unwrapped(one) for one in value)
    return plain(value)


def run_tangent(rule: registry.Rule, call: Call, z: Any, tangents: dict[str, Any]) -> Any:
    """The tangent of a call's result."""
    arguments = bound(rule.template, call)
    active = active_in(arguments, call)
    values = {name: unwrapped(one) for name, one in arguments.arguments.items()}
    found: list[Any] = []
    read: set[str] = set()

    def add(name: str, contribution: Callable[[], Any]) -> None:
        found.append(contribution())

    class Read(dict[str, Any]):
        def __getitem__(self, name: str) -> Any:
            read.add(name)
            return super().__getitem__(name)

    runnable(rule.template, "tangent")(z, *values.values(), active, Read(tangents), add)
    assert read >= active, f"no statement for {active - read}"
    return functools.reduce(tangent.add_grad, [in_result(one, z) for one in found])


def in_result(contribution: Any, z: Any) -> Any:
    """A contribution, broadcast to the result, or to each of several."""
    if isinstance(z, (list, tuple)):
        return [in_result(one, part) for one, part in zip(contribution, z, strict=True)]
    return tangent.broadcast(contribution, z)


def quiet(function: Callable[..., Any], *args: Any) -> Any:
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return function(*args)


def functions_of_the_package(rules: registry.Rules) -> list[Any]:
    """What the rules that the package ships are of."""
    return [
        function
        for function, variants in rules._found.values()
        if any(one.rule.template.__module__.startswith(FAMILIES) for one in variants)
    ]


def rules_of(function: Any) -> tuple[registry.Rule | None, registry.Rule | None]:
    return registry.adjoint_of(function), registry.tangent_rule_of(function)


assert autograph._src.tangent.rules
