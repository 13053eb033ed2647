"""Functions that return a part of what they are given, and do nothing else: ``return a[i]``."""

from __future__ import annotations

import ast
from types import FunctionType
from weakref import WeakKeyDictionary

from autograph._src.tangent.checkpoint import is_checkpointed
from autograph._src.tangent.object_paths import tree_of

_PARTS = (
    *(ast.Subscript, ast.Attribute, ast.Slice, ast.Tuple, ast.Constant, ast.Name, ast.UnaryOp, ast.USub),
    *(ast.BinOp, ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Call, ast.expr_context),
)
_METHODS = ("reshape", "ravel", "transpose")


_known: WeakKeyDictionary[FunctionType, tuple[list[str], str] | None] = WeakKeyDictionary()


def view_of(function: FunctionType) -> tuple[list[str], str] | None:
    """The parameters of such a function, and what it returns; ``None`` if it is another."""
    if function not in _known:
        _known[function] = _view_of(function)
    return _known[function]


def _view_of(function: FunctionType) -> tuple[list[str], str] | None:
    tree, code = tree_of(function), function.__code__
    if not isinstance(tree, ast.FunctionDef) or tree.decorator_list or is_checkpointed(function):
        return None
    body = tree.body[1:] if ast.get_docstring(tree) is not None else tree.body
    arguments = tree.args
    if arguments.vararg or arguments.kwarg or arguments.defaults or any(arguments.kw_defaults):
        return None
    names = list(code.co_varnames[: code.co_argcount + code.co_kwonlyargcount])
    match body:
        case [ast.Return(value=value)] if value is not None and _is_view(value, names):
            return names, ast.unparse(value)
    return None


def _is_view(value: ast.expr, names: list[str]) -> bool:
    """Whether an expression is a part of a parameter, or a tuple of such parts."""
    if isinstance(value, ast.Tuple):
        return bool(value.elts) and all(_is_view(one, names) for one in value.elts)
    nodes = list(ast.walk(value))
    is_known = all(isinstance(one, _PARTS) for one in nodes)
    is_own = all(one.id in names for one in nodes if isinstance(one, ast.Name))
    calls = [one for one in nodes if isinstance(one, ast.Call)]
    are_shapes = all(
        isinstance(one.func, ast.Attribute) and one.func.attr in _METHODS and not one.keywords
        for one in calls
    )
    return is_known and is_own and are_shapes and _root(value) in names


def _root(value: ast.expr) -> str:
    """The parameter that an expression is a part of."""
    match value:
        case ast.Name(id=name):
            return name
        case ast.Subscript(value=inner) | ast.Attribute(value=inner):
            return _root(inner)
        case ast.Call(func=ast.Attribute(value=inner)):
            return _root(inner)
    return ""
