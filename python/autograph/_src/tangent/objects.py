"""What the names of a function stand for: rules, functions to differentiate, and what has no derivative.

A name is looked up where Python would look, in the closure, the globals, the builtins; what decides is the
object that is found there, never the name.
"""

from __future__ import annotations

import ast
import builtins
import dataclasses
import dis
import functools
import inspect
import itertools
import operator
from dataclasses import replace
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

import autograph._src.tangent.rules
from autograph import _core
from autograph._src.function import Function
from autograph._src.policy import is_user_code
from autograph._src.source import diagnostic_error, function_query, source_of
from autograph._src.tangent import runtime
from autograph._src.tangent.checkpoint import checkpoint
from autograph._src.tangent.classes import (
    MAKERS,
    PASSES,
    attribute_of,
    constructor_of,
    is_plain_class,
    pattern_names,
)
from autograph._src.tangent.injection import grad_of
from autograph._src.tangent.instances import Given, Instance, ObjectOf, Parameters, Span
from autograph._src.tangent.module_writes import METHODS_THAT_WRITE, writes_to_its_module_only
from autograph._src.tangent.object_paths import (
    attribute_kind,
    classes_in,
    given_by,
    is_object_class,
    kind_of,
    objects_given_to,
    words,
)
from autograph._src.tangent.records import fields_of, record_of
from autograph._src.tangent.reducing import REDUCE
from autograph._src.tangent.registry import (
    ADJOINTS,
    TANGENTS,
    Rule,
    adjoint_of,
    forms_read_by,
    is_non_differentiable,
    method_named,
    tangent_rule_of,
    without_derivative,
)
from autograph._src.tangent.repeated import iterates, method_reason, reason, reason_of_nested
from autograph._src.tangent.super_calls import behind, manner_of, methods_in, name_of_class
from autograph._src.tangent.view_calls import view_of
from autograph._src.tangent.views import is_view

_ = autograph._src.tangent.rules  # Importing them registers them.

Answer = tuple[Any, ...]

_MISSING = object()
_ARITHMETIC = ("add", "sub", "mul", "matmul", "truediv", "mod", "pow", "floordiv")
_OF_OPERATORS = frozenset(f"__{prefix}{name}__" for name in _ARITHMETIC for prefix in ("", "r", "i")) | {
    "__neg__"
}
_quoted: dict[tuple[int, bool, bool, bool], tuple[Rule, _core.TangentRule]] = {}


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
        instance: The function, and the functions that it is given.
        halves: Gives the names of the two halves of a callee's derivative, by callee and active parameters.
        writes: Gives what a callee does to its arguments.
    """

    def __init__(self, instance: Instance, halves: Any, writes: Any = None) -> None:
        function = instance.function
        self._instance = instance
        self._function = function
        self._halves = halves
        self._written = writes
        self._callees: list[Instance] = []
        self._given = {one.parameter: one for level in instance.levels for one in level.given}
        self._of_rules: dict[int, tuple[object, bool]] = {}
        free = function.__code__.co_freevars
        self._cells = dict(zip(free, function.__closure__ or (), strict=True))

    def named(self, dotted: str) -> Answer:
        """What a dotted name stands for."""
        given = self._given.get(dotted)
        if given is not None and isinstance(given.value, Instance):
            return self._function_answer(given.value, given.parameters, captured=given.captured)
        found = self._called(dotted)
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

    def _called(self, dotted: str) -> Any:
        """What a call of a dotted name calls: the ``__init__`` of a dataclass has a text of ours."""
        owner = self.find(dotted.removesuffix(".__init__")) if dotted.endswith(".__init__") else None
        made = constructor_of(owner) if isinstance(owner, type) and is_plain_class(owner) else None
        return self.find(dotted) if made is None else made

    def attribute(self, dotted: str) -> Answer:
        """An attribute of an object of a known class."""
        path, _, name = dotted.rpartition(".")
        kind = self.class_of(path)
        if kind is None:
            return "other", "an attribute of an object whose class is not known"
        if name in ("[fields]", "[frozen]"):
            record = fields_of(kind) if name == "[fields]" else record_of(kind)
            return ("other", "no record") if record is None else ("record", *record)
        what, found = attribute_of(kind, name)
        if what == "method" and name in _OF_OPERATORS and "NotImplemented" in found.__code__.co_names:
            return "other", "a method that may give `NotImplemented`"
        if what in ("method", "property") and is_differentiated(found):
            receiver = "object" if what == "method" else "property"
            return self._method_answer(found, kind, receiver)
        if what == "function":
            return self._answer(found)
        if what == "item":
            return "item", found
        return ("field",) if what == "field" else ("other", found if what == "other" else f"a {what}")

    def class_name(self, path: str) -> str:
        """The name of an object's class: that of its module's variable, or else with its module."""
        kind = self.class_of(path)
        if kind is None:
            return ""
        is_known = self._function.__globals__.get(kind.__name__) is kind
        return kind.__name__ if is_known else f"{kind.__module__}.{kind.__qualname__}"

    def pattern_names(self, dotted: str) -> tuple[list[str], list[str]] | None:
        """What class patterns may ask of the objects of a class: see `classes.pattern_names`."""
        kind = self.find(dotted)
        return pattern_names(kind) if isinstance(kind, type) else None

    def class_of(self, path: str) -> type | None:
        """The class of an object: of a parameter, or of what a class makes; then of attributes and items."""
        kind = self.kind_of(path)
        return kind if isinstance(kind, type) and kind not in (list, dict) else None

    def behind(self, asked: str) -> str | None:
        """What ``super().name`` finds: its manner and a dotted name for it; ``None`` if that is not known.

        Args:
            asked: The class behind which it looks, the path of the object, and the name of the attribute.
        """
        around, path, name = asked.split(" ")
        kind = self.class_of(path)
        found = None if kind is None else behind(kind, self.find(around), name)
        if found is None:
            return None
        owner, value = found
        manner, called = manner_of(owner, name, value), name_of_class(owner, self._function)
        if manner is None or called is None:
            return None
        return f"{manner} {called}.{name}" + (".fget" if manner == "property" else "")

    def held(self, path: str) -> str:
        """What a path stands for: an object, a list or a dict, in the words of `object_paths`."""
        return words(self.kind_of(path))

    def kind_of(self, path: str) -> Any:
        """The kind of what a path stands for: see `object_paths`."""
        first, *rest = path.split(".")
        if first in ("[*]", "{*}"):
            return kind_of(list if first == "[*]" else dict, rest)
        value = self._variable(first)
        while rest and isinstance(value, ModuleType):
            value = getattr(value, rest.pop(0), _MISSING)
        return None if value is _MISSING else kind_of(value, rest)

    def _method_answer(self, function: FunctionType, kind: type, receiver: str) -> Answer:
        given = objects_given_to(function, kind)
        instance = Instance(function, given=given)
        return self._function_answer(instance, Parameters.of(function), receiver=receiver)

    def nested(self, level: int, name: str, span: Span, line: int) -> Answer:
        """A function that is defined in another."""
        around = self._instance.levels[level]
        return self._function_answer(Instance(self._function, around, name, span, line), None)

    def specialised(
        self, key: int, given: list[tuple[str, int | None, str, bool, Any, list[str]]]
    ) -> tuple[Answer, list[list[str]]] | None:
        """A function for some of whose parameters functions are given: each by its key here, or its name.

        Returns:
            The function, and for each that is given the names of parameters for what it takes from around;
            ``None`` if functions are given to functions without an end.
        """
        callee = self._callees[key]
        known = {one[0] for one in given}
        found: list[Given] = [one for one in callee.given if one.parameter not in known]
        extra = []
        taken = {one for code in callee.codes() for one in names_of(code)}
        taken.update(callee.extra)
        for parameter, inner, dotted, is_object, parameters, captured in given:
            kind = self.kind_of(dotted) if is_object else None
            kind = kind if words(kind) else None
            value = ObjectOf(kind) if kind is not None else self._value(inner, dotted)
            names: list[str] = []
            if isinstance(value, (Instance, ObjectOf)) or callable(value):
                for name in captured:
                    wishes = itertools.chain([name], (f"{name}_{number}" for number in itertools.count(1)))
                    names.append(next(wish for wish in wishes if wish not in taken))
                    taken.add(names[-1])
                own = None if parameters is None else Parameters.from_text(parameters)
                found.append(Given(parameter, value, own, tuple(zip(captured, names, strict=True))))
            else:  # Of what it is nothing is known here: its annotation says it.
                found += [one for one in callee.given if one.parameter == parameter]
            extra.append(names)
        new = replace(callee, given=tuple(found))
        return None if new.depth > DEEPEST else (self._function_answer(new, None), extra)

    def _value(self, key: int | None, dotted: str) -> object:
        """What is given: an instance, an object of a class, or one with a rule."""
        if key is not None:
            return self._callees[key]
        if dotted in self._given:
            return self._given[dotted].value
        value = self.find(dotted)
        function = function_of(value)
        is_plain = function is not None and adjoint_of(value) is None and is_differentiated(function)
        if is_plain and function is not None:
            return Instance(function)
        return ObjectOf(type(value)) if is_plain_class(type(value)) else value

    def _function_answer(
        self,
        instance: Instance,
        parameters: Parameters | None,
        *,
        captured: tuple[tuple[str, str], ...] = (),
        receiver: str = "",
    ) -> Answer:
        self._callees.append(instance)
        return (
            "function",
            len(self._callees) - 1,
            instance.called,
            parameters,
            self._writes(instance),
            list(captured),
            receiver,
            PASSES.get(instance.function, 0) if instance.around is None else 0,
            instance.around is None and instance.function in MAKERS,
        )

    def _writes(self, instance: Instance) -> bool:
        if instance.around is None:
            return may_write(instance.function, given=instance.given)
        return any(code_may_write(code, Objects(instance, None)) for code in instance.codes())

    def given_classes(self) -> list[type]:
        """The classes of the objects that the function is given."""
        given = [one.value.kind for one in self._given.values() if isinstance(one.value, ObjectOf)]
        return [kind for one in given for kind in classes_in(one)]

    def _variable(self, name: str) -> Any:
        if name in self._given:
            return self._given[name].value
        if name in self._cells:
            try:
                return self._cells[name].cell_contents
            except ValueError:
                return _MISSING
        if name in self._function.__globals__:
            return self._function.__globals__[name]
        if name == "tangent":
            return runtime  # What generated code has under this name.
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
        return reads_form(dotted, position)

    def changes_when_repeated(self, dotted: str) -> str | None:
        """Why a call of what a dotted name stands for may do something else when it runs again."""
        given = self._given.get(dotted)
        if given is not None and isinstance(given.value, Instance):
            one = given.value
            if one.around is None:
                return reason(one.function)
            reasons = [reason_of_nested(one.function, code) for code in one.codes()]
            return next((why for why in reasons if why is not None), None)
        path, _, name = dotted.rpartition(".")
        kind = self.class_of(path) if path else None
        if kind is not None and is_plain_class(kind):
            return reason(attribute_of(kind, name)[1], kind=kind)
        if path and self.held(path).partition(":")[0] in ("list", "dict"):
            return method_reason(name)
        found = self._called(dotted)
        return "is not bound" if found is _MISSING else reason(found)

    def iterates(self, dotted: str) -> bool:
        """Whether a call of what a dotted name stands for may iterate over an argument."""
        return iterates(self.find(dotted))

    def method_changes_when_repeated(self, name: str) -> str | None:
        """The same of a method."""
        return method_reason(name)

    def split_names(self, key: int, active: list[str]) -> tuple[str, str]:
        """The names of the halves of a callee's derivative."""
        names: tuple[str, str] = self._halves(self._callees[key], tuple(active))
        return names

    def writes(self, key: int) -> tuple[list[tuple[str, str]], str, list[str]]:
        """What a callee does to its arguments: by parameter, what it returns, and what that may be."""
        found: tuple[list[tuple[str, str]], str, list[str]] = self._written(self._callees[key])
        return found

    def view_of(self, key: int) -> tuple[list[str], str] | None:
        """What a callee returns, if it is a part of a parameter and nothing else: see `view_calls`."""
        callee = self._callees[key]
        is_whole = callee.around is None and callee.constructs is None
        return view_of(callee.function) if is_whole and not callee.function.__closure__ else None

    def tangent_names(self, key: int, active: list[str]) -> tuple[str, str]:
        """The name of a callee's derivative in forward mode, twice."""
        return self.split_names(key, active)

    def _answer(self, value: Any) -> Answer:
        if value is grad_of:
            return ("grad_of",)
        if value is checkpoint:
            return ("checkpoint",)
        if value is runtime.add_at or value is runtime.add_item:
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
            given = objects_given_to(function)
            return self._function_answer(Instance(function, given=given), Parameters.of(function))
        return self._object_answer(value)

    def _object_answer(self, value: Any) -> Answer:
        """What is known of a method of an object, of a class, or of an object that is called."""
        known = next((words for one, words in _KNOWN if value is one), None)
        if known is not None:
            return (known,)
        if value is functools.reduce:
            return self._function_answer(Instance(REDUCE), Parameters.of(REDUCE))
        record = record_of(value) if isinstance(value, type) else None
        if record is not None:
            return ("record", *record)
        if isinstance(value, MethodType) and is_plain_class(type(value.__self__)):
            kind = type(value.__self__)
            what, found = attribute_of(kind, value.__func__.__name__)
            is_own = found is value.__func__
            if what == "method" and is_own and is_differentiated(found):
                return self._method_answer(found, kind, "object")
        if is_plain_class(value):
            made = constructor_of(value)
            if made is not None:
                found = Parameters.of(made)
                own = found._replace(names=("cls", *found.names[1:]))
                given = objects_given_to(made, value)
                return self._function_answer(
                    Instance(made, given=given, constructs=value), own, receiver="class"
                )
        elif is_plain_class(type(value)):
            what, found = attribute_of(type(value), "__call__")
            if what == "method" and is_differentiated(found):
                return self._method_answer(found, type(value), "itself")
        return ("other", _words(value))

    def _quoted(self, function: object, rule: Rule, is_forward: bool) -> _core.TangentRule:
        """The parsed text of a rule."""
        has_variants = (TANGENTS if is_forward else ADJOINTS).has_variants(function)
        of_adjoint = adjoint_of(function)  # Which says it for both.
        is_elementwise = (rule if of_adjoint is None else of_adjoint).elementwise
        # A rule that the program registers later may say it otherwise.
        key = id(rule), is_forward, has_variants, is_elementwise
        known = _quoted.get(key)
        if known is None:
            template = rule.template
            source = source_of(template)
            try:
                text = _core.TangentRule(
                    source.parsed,
                    function_query(template),
                    is_elementwise,
                    is_view(function),
                    has_variants,
                    sorted(without_derivative(function)),
                )
            except _core.DiagnosticError as error:
                # Its place is in the file of the rule, and not in that of the function.
                raise diagnostic_error(error, source.file, template.__name__) from None
            known = _quoted[key] = (rule, text)
        self._of_rules[known[1].identity] = (function, is_forward)
        return known[1]


@functools.cache
def reads_form(dotted: str, position: int) -> bool:
    """Whether what generated text calls reads the class, shape and dtype of an argument only."""
    if dotted in ("np.shape", "np.ndim", "np.size", "len"):
        return True
    path = dotted.removeprefix("tangent.")
    function = getattr(runtime, path, None) if path != dotted else None
    if function is None:
        return False
    names = list(inspect.signature(function).parameters)
    return position < len(names) and names[position] in forms_read_by(function)


_KNOWN = ((dataclasses.replace, "replace"), (map, "map"), (functools.partial, "partial"))
"""What is written as something else before it is differentiated: see `applied.rs`."""


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
_CHANGING = METHODS_THAT_WRITE | {
    *("at", "copyto", "putmask", "place", "fill_diagonal", "put_along_axis", "shuffle"),
    *("exec", "eval", "setattr", "setitem", "iadd", "isub", "imul", "itruediv", "ipow", "iconcat"),
    *("heappush", "heappop", "heapify", "heapreplace", "heappushpop"),
    *("insort", "insort_left", "insort_right"),
}


DEEPEST = 12
"""How many functions may be given to one another."""


def names_of(code: CodeType) -> set[str]:
    """The names in code, and in the code of functions in it."""
    names = {*code.co_names, *code.co_varnames, *code.co_freevars, *code.co_cellvars}
    return names.union(*(names_of(one) for one in code.co_consts if isinstance(one, CodeType)))


def may_write(
    function: FunctionType,
    seen: frozenset[FunctionType] = frozenset(),
    given: tuple[Given, ...] | None = None,
) -> bool:
    """Whether a function, or one that it calls, may write to an object that it is given.

    Args:
        function: The function.
        seen: The functions on the way to it.
        given: The objects of known classes that it is given, where these are known.
    """
    if function in seen:
        return False
    inner = any(isinstance(one, CodeType) for one in function.__code__.co_consts)
    is_harmless = not inner and writes_to_its_module_only(function, _CHANGING)
    objects = Objects(Instance(function, given=objects_given_to(function) if given is None else given), None)
    return code_may_write(function.__code__, objects, seen | {function}, is_harmless=is_harmless)


def code_may_write(
    code: CodeType,
    objects: Objects,
    seen: frozenset[FunctionType] = frozenset(),
    *,
    is_harmless: bool = False,
) -> bool:
    """Whether code, or a function that it calls, may write to an object that it is given.

    What it writes itself is of its module, if it `is_harmless`.
    """
    if not is_harmless and _has_writes(code):
        return True
    inner = [one for one in code.co_consts if isinstance(one, CodeType)]
    if any(code_may_write(one, objects, seen) for one in inner):
        return True
    found = [objects.find(name) for name in (*code.co_names, *code.co_freevars)]
    called = [function_of(one) for one in found]
    if any(one is not None and is_differentiated(one) and may_write(one, seen) for one in called):
        return True
    return any(
        is_differentiated(one) and may_write(one, seen, objects_given_to(one, kind))
        for kind in _classes_in(code, objects, found)
        for one in _methods_named(kind, code)
    )


def _classes_in(code: CodeType, objects: Objects, found: list[Any]) -> list[type]:
    """The classes of the objects that code has to do with, as far as they are known."""
    kinds = [one if isinstance(one, type) else type(one) for one in found]
    kinds = [*objects.given_classes(), *(kind for kind in kinds if is_object_class(kind))]
    kinds += [kind for one in found for kind in classes_in(_given(one))]
    for kind in kinds:  # Those of attributes and of what methods give are looked at, too.
        of_attributes = [one for name in code.co_names for one in classes_in(attribute_kind(kind, name))]
        of_methods = [
            one for method in _methods_named(kind, code) for one in classes_in(given_by(method, kind))
        ]
        kinds += [one for one in dict.fromkeys(of_attributes + of_methods) if one not in kinds]
    return list(dict.fromkeys(kinds))


def _given(value: object) -> Any:
    """The kind of what a call of an object gives."""
    function = function_of(value)
    return None if function is None or not is_differentiated(function) else given_by(function)


def _methods_named(kind: type, code: CodeType) -> list[FunctionType]:
    """The methods of a class that code may call."""
    names = [*dict.fromkeys((*code.co_names, "__call__", "__init__"))]
    found = [attribute_of(kind, name)[1] for name in names if hasattr(kind, name)]
    more = methods_in(kind, names) if "super" in code.co_names else ()
    return [*(one for one in found if isinstance(one, FunctionType)), *more]


def _has_writes(code: CodeType) -> bool:
    """Whether code has an instruction, or a name, that may write."""
    for step in dis.get_instructions(code):
        if step.opname in _WRITING or (step.opname == "BINARY_OP" and step.argrepr.endswith("=")):
            return True
    # The names of keywords are a tuple.
    if any(isinstance(one, tuple) and "out" in one for one in code.co_consts):
        return True
    names = code.co_names
    return not _CHANGING.isdisjoint(names) or any(name.startswith("__set") for name in names)


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
