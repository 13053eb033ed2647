"""What expressions of generated text give, and which of their calls leave it."""

from __future__ import annotations

import ast
from collections.abc import Hashable, Mapping, Sequence

from autograph._src.tangent.forms import arithmetic, functions
from autograph._src.tangent.forms.edits import Edit, is_dropped_freely
from autograph._src.tangent.forms.functions import Named
from autograph._src.tangent.forms.helper_forms import of_helper
from autograph._src.tangent.forms.stacks import METHODS as STACK_METHODS
from autograph._src.tangent.forms.stacks import Stacks, has_stacks, is_followed
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
    number_of,
    without_arrays,
)

_CALLING = frozenset(
    ("apply_along_axis", "apply_over_axes", "frompyfunc", "fromfunction", "piecewise", "vectorize")
)
"""Functions of NumPy's that call what they are given."""
_CONSTANTS = (["pi"], ["e"], ["inf"], ["nan"])
_MATH = frozenset(
    (
        *("acos", "asin", "atan", "atan2", "cos", "cosh", "erf", "exp", "expm1", "hypot", "log", "log10"),
        *("log1p", "log2", "sin", "sinh", "sqrt", "tan", "tanh"),
    )
)
"""Functions of `math` that give a float."""


class NotFollowedError(Exception):
    """A statement or an expression that is not followed."""


class Evaluator:
    """Follows expressions.

    Attributes:
        variables: What is known of each variable; none where no path leads.
        epoch: How often code ran that is not known.
        edits: By node, what stands for it: what the last visit has found, which knows least.
    """

    def __init__(
        self, parents: dict[ast.AST, ast.AST], passes: Mapping[str, object], stacks: Stacks, place: Hashable
    ) -> None:
        self.parents = parents
        self.passes = passes
        self.stacks = stacks
        self.place = place
        self.variables: dict[str, Value] | None = {}
        self.epoch = 0
        self.edits: dict[ast.AST, Edit] = {}

    def name(self, node: ast.Name) -> Value:
        """What a variable is."""
        raise NotImplementedError

    def call(self, node: ast.Call, given: Sequence[Value], named: Mapping[str, Value]) -> Value | None:
        """What a call of a function by its name gives; ``None`` if that is not known."""
        raise NotImplementedError

    def is_module(self, name: str) -> bool:
        """Whether a name is that of NumPy, `math` or the helpers."""
        raise NotImplementedError

    def forget(self) -> None:
        """Code runs that is not known: it may have given arrays other shapes."""
        self.epoch += 1
        self.stacks.forget()
        if self.variables is not None:
            for name, value in self.variables.items():
                self.variables[name] = without_arrays(value)

    def values(self, nodes: Sequence[ast.expr]) -> list[Value]:
        """What expressions give that are evaluated one after the other, once all of them are."""
        epoch = self.epoch
        found = [self.value(node) for node in nodes]
        return found if epoch == self.epoch else list(map(without_arrays, found))

    def value(self, node: ast.expr) -> Value:
        """What an expression gives."""
        follow = getattr(self, f"of_{type(node).__name__.lower()}", None)
        if follow is None:
            raise NotFollowedError
        found = follow(node)
        assert isinstance(found, Value)
        return found

    def of_constant(self, node: ast.Constant) -> Value:
        kind = type(node.value)
        if node.value is None or kind in (bool, int, float, str):
            return Literal(node.value)
        return Number(complex) if kind is complex else UNKNOWN

    def of_name(self, node: ast.Name) -> Value:
        value = self.name(node)
        if has_stacks(value) and not is_followed(node, self.parents, self.passes):
            self.stacks.escape(value)
        return value

    def of_tuple(self, node: ast.Tuple) -> Value:
        found = self.values(node.elts)
        return UNKNOWN if any(isinstance(one, ast.Starred) for one in node.elts) else Parts(tuple(found))

    def of_list(self, node: ast.List) -> Value:
        self.values(node.elts)
        is_empty = not node.elts and is_followed(node, self.parents, self.passes)
        return Stack((self.place, node.lineno, node.col_offset)) if is_empty else Stack()

    def of_dict(self, node: ast.Dict) -> Value:
        self.values([one for one in (*node.keys, *node.values) if one is not None])
        return UNKNOWN

    def of_joinedstr(self, node: ast.JoinedStr) -> Value:
        self.values([one.value for one in node.values if isinstance(one, ast.FormattedValue)])
        if any(isinstance(one, ast.FormattedValue) and one.format_spec for one in node.values):
            raise NotFollowedError
        return UNKNOWN

    def of_starred(self, node: ast.Starred) -> Value:
        self.value(node.value)
        return UNKNOWN

    def of_slice(self, node: ast.Slice) -> Value:
        self.values([one for one in (node.lower, node.upper, node.step) if one is not None])
        return UNKNOWN

    def of_binop(self, node: ast.BinOp) -> Value:
        left, right = self.values([node.left, node.right])
        return self.operator(node.op, left, right)

    def operator(self, operator: ast.operator, left: Value, right: Value) -> Value:
        return arithmetic.binary(operator, left, right)

    def of_unaryop(self, node: ast.UnaryOp) -> Value:
        value = self.value(node.operand)
        if isinstance(node.op, ast.Not) and isinstance(value, Literal):
            return Literal(not value.value)
        return arithmetic.unary(node.op, value)

    def of_compare(self, node: ast.Compare) -> Value:
        found = self.values([node.left, *node.comparators])
        if len(found) != 2:
            return UNKNOWN
        (operator,), (left, right) = node.ops, found
        if isinstance(operator, (ast.Is, ast.IsNot)):
            is_same = _is_same(left, right)
            if is_same is None:
                return Number(bool)
            return Literal(is_same == isinstance(operator, ast.Is))
        if isinstance(operator, (ast.In, ast.NotIn)):
            return Number(bool) if isinstance(right, Stack) else UNKNOWN
        return arithmetic.binary(operator, left, right)

    def of_boolop(self, node: ast.BoolOp) -> Value:
        is_or = isinstance(node.op, ast.Or)
        _require_no_binding(node)
        found: Value | None = None
        for one in node.values:
            epoch = self.epoch
            value = self.value(one)
            if found is not None and epoch != self.epoch:
                found = without_arrays(found)
            if isinstance(value, Literal) and bool(value.value) is not is_or and one is not node.values[-1]:
                continue
            found = value if found is None else joined(found, value)
            if isinstance(value, Literal) and bool(value.value) is is_or:
                break
        return UNKNOWN if found is None else found

    def of_ifexp(self, node: ast.IfExp) -> Value:
        test = self.value(node.test)
        self.edits.pop(node, None)
        if isinstance(test, Literal):
            taken = node.body if test.value else node.orelse
            if all(isinstance(one, _PLAIN) for one in ast.walk(node.test)):
                self.edits[node] = Edit(node, (taken,), saved=0)
            return self.value(taken)
        _require_no_binding(node)
        epoch = self.epoch
        found = self.value(node.body)
        other = self.value(node.orelse)
        return joined(found, other) if epoch == self.epoch else UNKNOWN

    def of_attribute(self, node: ast.Attribute) -> Value:
        path = self._path(node)
        if path is not None:
            is_number = path[0] in ("np", "math") and path[1:] in _CONSTANTS
            return Number(float) if is_number else UNKNOWN
        value = self.value(node.value)
        return functions.attribute(node.attr, value) if isinstance(value, Array) else UNKNOWN

    def of_subscript(self, node: ast.Subscript) -> Value:
        value, index = self.values([node.value, node.slice])
        if isinstance(value, Parts) and isinstance(index, Literal) and type(index.value) is int:
            place = index.value
            return value.items[place] if -len(value.items) <= place < len(value.items) else UNKNOWN
        if isinstance(value, Range) and isinstance(node.slice, ast.Slice):
            return value
        return functions.item(value, index) if isinstance(value, Array) else UNKNOWN

    def of_call(self, node: ast.Call) -> Value:
        value = self._of_call(node)
        if has_stacks(value) and not is_followed(node, self.parents, self.passes):
            self.stacks.escape(value)
        return value

    def _of_call(self, node: ast.Call) -> Value:
        self.edits.pop(node, None)
        path = self._path(node.func)
        receiver: Value | None = None
        epoch = self.epoch
        if path is None and isinstance(node.func, ast.Attribute):
            receiver = self.value(node.func.value)
        elif path is None and not isinstance(node.func, ast.Name):
            self.value(node.func)
        is_plain = not any(isinstance(one, ast.Starred) for one in node.args)
        is_plain = is_plain and all(one.arg is not None for one in node.keywords)
        found = self.values([*node.args, *(one.value for one in node.keywords)])
        if receiver is not None and epoch != self.epoch:
            receiver = without_arrays(receiver)
        given = found[: len(node.args)]
        named = {
            one.arg: value for one, value in zip(node.keywords, found[len(given) :], strict=True) if one.arg
        }
        if path is not None:
            return self._of_module(path, node, given, named) if is_plain else UNKNOWN
        known: Value | None = None
        if receiver is not None:
            assert isinstance(node.func, ast.Attribute)
            known = self._of_method(node.func.attr, receiver, given, named if is_plain else None)
        elif is_plain:
            known = self.call(node, given, named)
        if known is None:
            self.forget()
            return UNKNOWN
        return known

    def _of_method(
        self, name: str, receiver: Value, given: Sequence[Value], named: Named | None
    ) -> Value | None:
        """What a call of a method gives; ``None`` if what it does is not known."""
        if isinstance(receiver, Stack):
            if name not in STACK_METHODS or named is None or named:
                return None
            if name == "append" and len(given) == 1:
                self.stacks.append(receiver.site, given[0])
                return UNKNOWN
            if name == "pop" and not given:
                return self.stacks.item(receiver.site)
            return receiver if name == "copy" and not given else None
        if isinstance(receiver, Array) and name in functions.PURE_METHODS:
            return UNKNOWN if named is None else functions.of_method(name, receiver, given, named)
        return UNKNOWN if number_of(receiver) is not None else None

    def _of_module(
        self, path: Sequence[str], node: ast.Call, given: Sequence[Value], named: Mapping[str, Value]
    ) -> Value:
        module, name, *rest = path
        if rest:
            if name == "ndarray":  # `np.ndarray.resize(x, 3)`
                self.forget()
            return UNKNOWN
        if module == "math":
            return Number(float) if name in _MATH and not named else UNKNOWN
        if module == "np":
            if name in _CALLING:
                self.forget()
            found = functions.of_numpy(name, given, named)
            if name == "size" and isinstance(found, Literal) and all(map(is_dropped_freely, node.args)):
                self.edits[node] = Edit(node, (repr(found.value),))
            return found
        value, edit = (UNKNOWN, None) if named else of_helper(name, node, given)
        if edit is not None:
            self.edits[node] = edit
        return value

    def _path(self, node: ast.expr) -> list[str] | None:
        """The dotted name of what a module holds."""
        names: list[str] = []
        while isinstance(node, ast.Attribute):
            names.append(node.attr)
            node = node.value
        if not names or not isinstance(node, ast.Name) or not self.is_module(node.id):
            return None
        return [node.id, *reversed(names)]


_PLAIN = (
    ast.Name,
    ast.Constant,
    ast.Compare,
    ast.BoolOp,
    ast.UnaryOp,
    ast.expr_context,
    ast.cmpop,
    ast.boolop,
    ast.unaryop,
)
"""What is in a test that computes nothing where its value is known."""


def _is_same(left: Value, right: Value) -> bool | None:
    """Whether two values are one object, where that is known of ``x is None``."""
    for one, other in ((left, right), (right, left)):
        if isinstance(one, Literal) and one.value is None:
            if isinstance(other, Literal):
                return other.value is None
            return None if other is UNKNOWN else False
    return None


def _require_no_binding(node: ast.expr) -> None:
    """Refuses ``:=`` in what may not be evaluated."""
    if any(isinstance(one, ast.NamedExpr) for one in ast.walk(node)):
        raise NotFollowedError
