"""What is known of the values of a generated text, where the forms of its arguments are.

Only what the text says is followed: what variables of a module hold is not known, for they may be bound anew,
and where code runs that is not known here, no array has its shape any more. Of a function with statements
that are not followed (`try`, `with`, functions in functions) nothing is known.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import FunctionType
from typing import Any

from autograph._src.tangent.forms.edits import Edit
from autograph._src.tangent.forms.expressions import Evaluator, NotFollowedError
from autograph._src.tangent.forms.stacks import Stacks
from autograph._src.tangent.forms.unread import unread
from autograph._src.tangent.forms.values import (
    UNKNOWN,
    Array,
    Literal,
    Number,
    Parts,
    Range,
    Stack,
    Value,
    joined,
    of_elements,
    without_arrays,
)

Variables = dict[str, Value]

LARGEST = 64
"""How many passes, each for the forms that it is called with, are followed."""


@dataclass
class Text:
    """A generated function: its tree, and the function, whose defaults are objects."""

    name: str
    tree: ast.FunctionDef
    function: FunctionType
    parents: dict[ast.AST, ast.AST] = field(default_factory=dict)
    own: set[str] = field(default_factory=set)
    """Its variables."""

    def __post_init__(self) -> None:
        self.own.update(parameters_of(self.tree))
        waiting: list[ast.AST] = [self.tree]
        while waiting:
            node = waiting.pop()
            if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
                self.own.add(node.id)
            for name in node._fields:
                found = getattr(node, name, None)
                for child in found if isinstance(found, list) else (found,):
                    if isinstance(child, ast.AST) and child._fields:
                        self.parents[child] = node
                        waiting.append(child)


@dataclass
class Pass:
    """A function of the text for the forms of its arguments.

    Attributes:
        value: What it gives.
        forgets: Whether it runs code that is not known.
        edits: What changes in its text.
        calls: The passes that it calls, by the names that are called.
        is_followed: Whether the function is one that is followed.
    """

    text: Text
    forms: tuple[Value, ...]
    value: Value = UNKNOWN
    forgets: bool = True
    edits: list[Edit] = field(default_factory=list)
    calls: dict[ast.Name, Pass] = field(default_factory=dict)
    is_followed: bool = False


class Analysis:
    """Follows the functions of a derivative from one to the others."""

    def __init__(self, texts: Mapping[str, Text]) -> None:
        self.texts = texts
        self.stacks = Stacks()
        self.variables: dict[tuple[int, str], tuple[dict[str, Any], str, object]] = {}
        """The builtins that are known: namespaces, names, and what these hold, or ``None`` for nothing."""
        self.runs_unknown = False
        """Whether code runs that is not known, and may bind the names of builtins."""
        self._known: dict[tuple[str, tuple[Value, ...]], Pass] = {}

    def run(self, name: str, forms: tuple[Value, ...]) -> Pass:
        """A function for the forms of its arguments, once what is in lists is known."""
        while True:
            self.stacks.begin()
            self._known.clear()
            self.variables.clear()
            was_unknown = self.runs_unknown
            found = self.of(name, forms)
            is_as_told = was_unknown == self.runs_unknown or not self.variables
            if is_as_told and not self.stacks.is_stale:
                return found

    def of(self, name: str, forms: tuple[Value, ...]) -> Pass:
        """A function for the forms of its arguments; one that calls itself has any result."""
        known = self._known.get((name, forms))
        if known is not None:
            return known
        if len(self._known) >= LARGEST:
            return Pass(self.texts[name], forms)
        made = self._known[name, forms] = Pass(self.texts[name], forms)
        Body(self, made).run()
        return made


_MODULES = ("np", "math", "tangent")


class Body(Evaluator):
    """Follows the statements of one function."""

    def __init__(self, analysis: Analysis, made: Pass) -> None:
        place = (made.text.name, made.forms)
        super().__init__(made.text.parents, analysis.texts, analysis.stacks, place)
        self.analysis = analysis
        self.made = made
        self.own = made.text.own
        self.results: list[Value] = []
        self.loops: list[tuple[list[Variables], list[Variables]]] = []
        self.calls: dict[ast.Name, Pass] = {}

    def run(self) -> None:
        """Follows the function, and notes what it gives in its `Pass`."""
        made = self.made
        names = parameters_of(made.text.tree)
        self.variables = dict(zip(names, made.forms, strict=True))
        try:
            self.block(made.text.tree.body)
        except (NotFollowedError, RecursionError):
            return
        if self.variables is not None:
            self.results.append(Literal(None))
        value = self.results[0] if self.results else UNKNOWN
        for other in self.results[1:]:
            value = joined(value, other)
        if self.epoch:
            value = without_arrays(value)
        made.value, made.forgets, made.is_followed = value, bool(self.epoch), True
        made.calls = self.calls
        made.edits = [*self.edits.values(), *unread(made.text.tree, self.edits, self.parents)]

    # Statements

    def block(self, body: Sequence[ast.stmt]) -> None:
        for stmt in body:
            if self.variables is None:
                return
            follow = getattr(self, f"follow_{type(stmt).__name__.lower()}", None)
            if follow is None:
                raise NotFollowedError
            follow(stmt)

    def follow_assign(self, stmt: ast.Assign) -> None:
        value = self.value(stmt.value)
        for target in stmt.targets:
            self.bind(target, value)

    def bind(self, target: ast.expr, value: Value) -> None:
        """Binds a target; into what is written keeps its form, an attribute may be a shape."""
        assert self.variables is not None
        if isinstance(target, ast.Name):
            if target.id not in self.own:
                raise NotFollowedError
            self.variables[target.id] = value
        elif isinstance(target, (ast.Tuple, ast.List)):
            items: Sequence[Value] = [UNKNOWN] * len(target.elts)
            if isinstance(value, Parts) and len(value.items) == len(target.elts):
                items = value.items
            for one, item in zip(target.elts, items, strict=True):
                if isinstance(one, ast.Starred):
                    raise NotFollowedError
                self.bind(one, item)
        elif isinstance(target, ast.Subscript):
            self.value(target.value)
            self.value(target.slice)
        else:
            self.forget()

    def follow_annassign(self, stmt: ast.AnnAssign) -> None:
        if not isinstance(stmt.target, ast.Name) or stmt.value is None:
            raise NotFollowedError
        self.bind(stmt.target, self.value(stmt.value))

    def follow_augassign(self, stmt: ast.AugAssign) -> None:
        if not isinstance(stmt.target, ast.Name):
            self.bind(stmt.target, UNKNOWN)
            self.value(stmt.value)
            return
        left = self.of_name(stmt.target)
        epoch = self.epoch
        right = self.value(stmt.value)
        if self.epoch != epoch:
            left = without_arrays(left)
        found = self.operator(stmt.op, left, right)
        # An array is written in place, whatever is added to it.
        self.bind(stmt.target, left if isinstance(left, Array) and found is not UNKNOWN else found)

    def follow_expr(self, stmt: ast.Expr) -> None:
        self.value(stmt.value)
        edit = self.edits.pop(stmt.value, None)
        if edit is None:
            return
        parent = self.parents[stmt]
        if edit.parts is not None:
            self.edits[stmt.value] = edit
        elif isinstance(parent, ast.FunctionDef):  # It has a `return` too.
            self.edits[stmt] = Edit(stmt, None)

    def follow_return(self, stmt: ast.Return) -> None:
        self.results.append(Literal(None) if stmt.value is None else self.value(stmt.value))
        self.variables = None

    def follow_pass(self, stmt: ast.Pass) -> None:
        pass

    def follow_raise(self, stmt: ast.Raise) -> None:
        if stmt.exc is not None:
            self.value(stmt.exc)
        self.variables = None

    def follow_assert(self, stmt: ast.Assert) -> None:
        self.value(stmt.test)

    def follow_break(self, stmt: ast.Break) -> None:
        assert self.variables is not None
        self.loops[-1][0].append(self.variables)
        self.variables = None

    def follow_continue(self, stmt: ast.Continue) -> None:
        assert self.variables is not None
        self.loops[-1][1].append(self.variables)
        self.variables = None

    def follow_if(self, stmt: ast.If) -> None:
        test = self.value(stmt.test)
        before = None if self.variables is None else dict(self.variables)
        if not (isinstance(test, Literal) and not test.value):
            self.block(stmt.body)
        else:
            self.variables = None
        after, self.variables = self.variables, before
        if not (isinstance(test, Literal) and test.value):
            self.block(stmt.orelse)
        else:
            self.variables = None
        self.variables = _met(after, self.variables)

    def follow_while(self, stmt: ast.While) -> None:
        self.loop(stmt, None)

    def follow_for(self, stmt: ast.For) -> None:
        over = self.value(stmt.iter)
        if isinstance(over, Range):
            self.loop(stmt, Number(int))
        elif isinstance(over, Array) and over.shape:
            self.loop(stmt, of_elements(over.dtype, over.shape[1:]))
        else:
            self.loop(stmt, UNKNOWN)

    def loop(self, stmt: ast.While | ast.For, item: Value | None) -> None:
        """Follows a loop until its iterations begin with what the one before has ended with."""
        assert self.variables is not None
        head: Variables = dict(self.variables)
        left: Variables | None = None
        breaks: list[Variables] = []
        forgets = False
        while True:
            self.variables = dict(head)
            self.loops.append(([], []))
            epoch = self.epoch
            always = isinstance(stmt, ast.While) and _holds(self.value(stmt.test))
            left = None if always else dict(self.variables)
            if isinstance(stmt, ast.For):
                self.bind(stmt.target, UNKNOWN if item is None or forgets else item)
            self.block(stmt.body)
            breaks, continues = self.loops.pop()
            after: Variables | None = head
            for end in (self.variables, *continues):
                after = _met(after, end)
            assert after is not None
            if self.epoch != epoch:
                after = {name: without_arrays(value) for name, value in after.items()}
            # An array that is gone through may have another shape by then, too.
            if after == head and (forgets or self.epoch == epoch):
                break
            head, forgets = after, forgets or self.epoch != epoch
        self.variables = left
        if self.variables is not None:
            self.block(stmt.orelse)
        for end in breaks:
            self.variables = _met(self.variables, end)

    # What is outside of the text

    def name(self, node: ast.Name) -> Value:
        if self.variables is not None and node.id in self.own:
            return self.variables.get(node.id, UNKNOWN)
        return UNKNOWN

    def call(self, node: ast.Call, given: Sequence[Value], named: Mapping[str, Value]) -> Value | None:
        func = node.func
        if not isinstance(func, ast.Name) or func.id in self.own:
            return None
        text = self.analysis.texts.get(func.id)
        if text is None:
            return self.builtin(func.id, given, named)
        forms = _given(text, given, named)
        if forms is None:
            return None
        called = self.calls[func] = self.analysis.of(text.name, forms)
        if called.forgets:
            self.forget()
        return called.value

    def builtin(self, name: str, given: Sequence[Value], named: Mapping[str, Value]) -> Value | None:
        """What a call of a builtin gives; ``None`` if the name is not that of one that changes no shape."""
        function: Any = self.made.text.function
        analysis = self.analysis
        if name not in PURE or name in function.__globals__ or name in function.__code__.co_freevars:
            return None
        value = getattr(builtins, name)
        around: dict[str, Any] = function.__builtins__
        if named or analysis.runs_unknown or around.get(name) is not value:
            return UNKNOWN
        found = _of_builtin(name, given)
        if found is not UNKNOWN:
            # A module may have another one when it is called again: the guard looks.
            for held, one in ((function.__globals__, None), (around, value)):
                analysis.variables[id(held), name] = (held, name, one)
        return found

    def forget(self) -> None:
        super().forget()
        self.analysis.runs_unknown = True

    def is_module(self, name: str) -> bool:
        return name in _MODULES and name not in self.own


PURE = frozenset(
    (
        *(
            "abs",
            "all",
            "any",
            "bool",
            "dict",
            "divmod",
            "enumerate",
            "float",
            "int",
            "isinstance",
            "len",
            "list",
        ),
        *(
            "max",
            "min",
            "print",
            "range",
            "repr",
            "reversed",
            "round",
            "slice",
            "sorted",
            "str",
            "sum",
            "tuple",
        ),
        *("type", "zip"),
    )
)
"""Builtins that change no shape."""
assert all(hasattr(builtins, name) for name in PURE)


def _of_builtin(name: str, given: Sequence[Value]) -> Value:
    """What a builtin gives."""
    if name == "range":
        return Range()
    if name == "reversed" and len(given) == 1 and isinstance(given[0], Range):
        return Range()
    if name == "len" and len(given) == 1 and isinstance(given[0], (Stack, Parts, Array, Range)):
        return Number(int)
    return UNKNOWN


def _holds(test: Value) -> bool:
    return isinstance(test, Literal) and bool(test.value)


def _met(one: Variables | None, other: Variables | None) -> Variables | None:
    """What is known of variables where two paths meet."""
    if one is None or other is None:
        return one if other is None else other
    return {name: joined(value, other[name]) for name, value in one.items() if name in other}


def parameters_of(tree: ast.FunctionDef) -> list[str]:
    """The names of the parameters, in the order of the code object."""
    arguments = tree.args
    return [one.arg for one in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]


def _given(text: Text, given: Sequence[Value], named: Mapping[str, Value]) -> tuple[Value, ...] | None:
    """The forms of the arguments of a call, by parameter; none for one that is not understood."""
    arguments = text.tree.args
    if arguments.vararg or arguments.kwarg:
        return None
    names = parameters_of(text.tree)
    positional = names[: len(names) - len(arguments.kwonlyargs)]
    if len(given) > len(positional):
        return None
    found = dict(zip(positional, given, strict=False))
    if not found.keys().isdisjoint(named) or not named.keys() <= set(names):
        return None
    found.update(named)
    defaults = text.function.__defaults__ or ()
    default = dict(zip(reversed(positional), reversed(defaults), strict=False))
    default.update(text.function.__kwdefaults__ or {})
    for name in names:
        if name not in found:
            if name not in default:
                return None
            found[name] = _of_default(default[name])
    return tuple(found[name] for name in names)


def _of_default(value: object) -> Value:
    return Literal(value) if value is None or type(value) in (bool, int, float, str) else UNKNOWN
