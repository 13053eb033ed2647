"""What the names of a function stand for: rules, functions to differentiate, and what has no derivative.

A name is looked up where Python would look, in the closure, the globals, the builtins; what decides is the
object that is found there, never the name.
"""

from __future__ import annotations

import ast
import builtins
import dis
import inspect
import operator
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

import autograph._src.tangent.rules
from autograph import _core
from autograph._src.function import Function
from autograph._src.policy import is_user_code
from autograph._src.source import function_query, source_of
from autograph._src.tangent import runtime
from autograph._src.tangent.injection import grad_of
from autograph._src.tangent.module_writes import writes_to_its_module_only
from autograph._src.tangent.registry import (
    ADJOINTS,
    TANGENTS,
    Rule,
    adjoint_of,
    forms_read_by,
    is_non_differentiable,
    method_named,
    tangent_rule_of,
)
from autograph._src.tangent.views import is_view

_ = autograph._src.tangent.rules  # Importing them registers them.

Answer = tuple[Any, ...]

_MISSING = object()
_quoted: dict[tuple[int, bool], tuple[Rule, _core.TangentRule]] = {}


def function_of(value: object) -> FunctionType | None:
    """The function of Python that a value is, or that it stages; ``None`` if it is no such thing.

    One that `tangent` has decorated stands for the one that has its blocks.
    """
    if isinstance(value, Function):
        value = value.__wrapped__
    value = getattr(value, "__original__", value)
    return value if isinstance(value, FunctionType) else None


class Objects:
    """The objects that the names of one function stand for.

    Args:
        function: The function.
        halves: Gives the names of the two halves of a callee's derivative, by callee and active parameters.
    """

    def __init__(self, function: FunctionType, halves: Any) -> None:
        self._function = function
        self._halves = halves
        self._callees: list[FunctionType] = []
        self._of_rules: dict[int, tuple[object, bool]] = {}
        free = function.__code__.co_freevars
        self._cells = dict(zip(free, function.__closure__ or (), strict=True))

    def named(self, dotted: str) -> Answer:
        """What a dotted name stands for."""
        found = self.find(dotted)
        return ("other", "not bound") if found is _MISSING else self._answer(found)

    def is_missing(self, found: object) -> bool:
        """Whether `find` found nothing."""
        return found is _MISSING

    def find(self, dotted: str) -> Any:
        """The object of a dotted name."""
        first, *rest = dotted.split(".")
        value = self._variable(first)
        for name in rest:
            if value is _MISSING:
                break
            value = getattr(value, name, _MISSING)
        return value

    def _variable(self, name: str) -> Any:
        if name in self._cells:
            try:
                return self._cells[name].cell_contents
            except ValueError:
                return _MISSING
        if name in self._function.__globals__:
            return self._function.__globals__[name]
        return getattr(builtins, name, _MISSING)

    def operator(self, name: str) -> Answer:
        """What is known of an operator, a function of ``operator``."""
        return self._answer(getattr(operator, name))

    def member(self, name: str) -> Answer:
        """What is known of a method or attribute of arrays."""
        found = method_named(name)
        return ("other", "a method of an unknown class") if found is None else self._answer(found)

    def variant(self, rule: _core.TangentRule, literals: list[tuple[str, str]]) -> _core.TangentRule | None:
        """The rule for a call with these literals."""
        function, is_forward = self._of_rules[rule.identity]
        values = {name: _literal(text) for name, text in literals}
        found = (tangent_rule_of if is_forward else adjoint_of)(function, None, values)
        return None if found is None else self._quoted(function, found, is_forward)

    def reads_form_only(self, dotted: str, position: int) -> bool:
        """Whether a function reads the class, shape and dtype of an argument only."""
        if dotted in ("np.shape", "np.ndim", "np.size", "len"):
            return True
        path = dotted.removeprefix("tangent.")
        function = getattr(runtime, path, None) if path != dotted else None
        if function is None:
            return False
        names = list(inspect.signature(function).parameters)
        return position < len(names) and names[position] in forms_read_by(function)

    def split_names(self, key: int, active: list[str]) -> tuple[str, str]:
        """The names of the halves of a callee's derivative."""
        names: tuple[str, str] = self._halves(self._callees[key], tuple(active))
        return names

    def tangent_names(self, key: int, active: list[str]) -> tuple[str, str]:
        """The name of a callee's derivative in forward mode, twice."""
        return self.split_names(key, active)

    def _answer(self, value: Any) -> Answer:
        if value is grad_of:
            return ("grad_of",)
        if value is runtime.add_at:
            return ("add_at",)
        adjoint, tangent = adjoint_of(value), tangent_rule_of(value)
        if adjoint is not None or tangent is not None:
            return (
                "rule",
                None if adjoint is None else self._quoted(value, adjoint, False),
                None if tangent is None else self._quoted(value, tangent, True),
            )
        if is_non_differentiable(value):
            return ("constant",)
        function = function_of(value)
        if function is not None and is_differentiated(function):
            self._callees.append(function)
            return (
                "function",
                len(self._callees) - 1,
                function.__name__,
                _parameters(function),
                may_write(function),
            )
        return ("other", _words(value))

    def _quoted(self, function: object, rule: Rule, is_forward: bool) -> _core.TangentRule:
        """The parsed text of a rule."""
        known = _quoted.get((id(rule), is_forward))
        if known is None:
            template = rule.template
            has_variants = (TANGENTS if is_forward else ADJOINTS).has_variants(function)
            parsed = source_of(template).parsed
            of_adjoint = adjoint_of(function)  # Which says it for both.
            is_elementwise = (rule if of_adjoint is None else of_adjoint).elementwise
            text = _core.TangentRule(
                parsed,
                function_query(template),
                is_elementwise,
                is_view(function),
                has_variants,
                sorted(forms_read_by(function)),
            )
            known = _quoted[id(rule), is_forward] = (rule, text)
        self._of_rules[known[1].identity] = (function, is_forward)
        return known[1]


def is_differentiated(function: FunctionType) -> bool:
    """Whether calls of a function are differentiated by its source."""
    return is_user_code(function.__code__) or function.__code__.co_filename.startswith("<tangent ")


_WRITING = frozenset(
    (
        "STORE_SUBSCR",
        "STORE_ATTR",
        "DELETE_SUBSCR",
        "DELETE_ATTR",
        "STORE_SLICE",
        "STORE_DEREF",
        "STORE_GLOBAL",
    )
)
_CHANGING = frozenset(
    (
        "append",
        "extend",
        "insert",
        "pop",
        "remove",
        "clear",
        "sort",
        "reverse",
        "fill",
        "put",
        "resize",
        "partition",
        "update",
        "setdefault",
        "popitem",
        "itemset",
        "setflags",
        "at",
        "copyto",
        "putmask",
        "place",
        "fill_diagonal",
        "put_along_axis",
        "shuffle",
        "exec",
        "eval",
        "setattr",
    )
)


def may_write(function: FunctionType, seen: frozenset[FunctionType] = frozenset()) -> bool:
    """Whether a function, or one that it calls, may write to an object that it is given."""
    if function in seen:
        return False
    seen = seen | {function}
    names = function.__code__.co_names
    if any(isinstance(one, CodeType) for one in function.__code__.co_consts):
        return True  # What functions in it do is not looked at.
    if _has_writes(function) and not writes_to_its_module_only(function, _CHANGING):
        return True
    objects = Objects(function, None)
    found = [objects.find(name) for name in (*names, *function.__code__.co_freevars)]
    called = [function_of(one) for one in found]
    return any(one is not None and is_differentiated(one) and may_write(one, seen) for one in called)


def _has_writes(function: FunctionType) -> bool:
    """Whether the code of a function has an instruction, or a name, that may write."""
    for step in dis.get_instructions(function.__code__):
        if step.opname in _WRITING or (step.opname == "BINARY_OP" and step.argrepr.endswith("=")):
            return True
        if step.opname in ("KW_NAMES", "LOAD_CONST") and step.argval == ("out",):
            return True
    names = function.__code__.co_names
    return not _CHANGING.isdisjoint(names) or any(name.startswith("__set") for name in names)


def _parameters(function: FunctionType) -> list[str] | None:
    """The names of the parameters; ``None`` if there are ``*args`` or ``**kwargs``."""
    code = function.__code__
    if code.co_flags & (inspect.CO_VARARGS | inspect.CO_VARKEYWORDS):
        return None
    return list(code.co_varnames[: code.co_argcount + code.co_kwonlyargcount])


def _literal(text: str) -> object:
    try:
        return ast.literal_eval(text)
    except ValueError:
        return None


def _words(value: object) -> str:
    """What an object is, for messages."""
    if isinstance(value, type):
        return "a class"
    if isinstance(value, ModuleType):
        return "a module"
    if isinstance(value, MethodType):
        return "a method"
    if isinstance(value, np.ufunc) or (getattr(value, "__module__", None) or "").split(".")[0] == "numpy":
        return "a function of NumPy that has no rule"
    if isinstance(value, FunctionType):
        return "a function of an installed package"
    return f"an object of `{type(value).__name__}`" if not callable(value) else "not a function with a source"
