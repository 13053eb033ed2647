"""Functions whose only writes are to objects of their module: a log, a counter, a setting.

What they are given they leave as it is.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Iterator
from types import FunctionType, ModuleType
from weakref import WeakKeyDictionary

_OF_THE_RECEIVER = frozenset(
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
        "update",
        "setdefault",
    )
) | {"popitem"}
"""Methods that change the object that they are methods of, and no other."""

METHODS_THAT_WRITE = _OF_THE_RECEIVER | {"put", "resize", "itemset", "partition", "setflags"}
"""The methods that change what they are called on, as `aliases.rs` has them."""


def writes_to_its_module_only(function: FunctionType, changing: frozenset[str]) -> bool:
    """Whether every write that the text of a function shows is to an object that a global name stands for.

    Args:
        function: A function that may write to something.
        changing: The names of functions and methods that write.
    """
    if function not in _known:
        _known[function] = _shows_no_other(function, changing)
    return _known[function]


_known: WeakKeyDictionary[FunctionType, bool] = WeakKeyDictionary()


def _shows_no_other(function: FunctionType, changing: frozenset[str]) -> bool:
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    except (OSError, SyntaxError, TypeError):
        return False
    code = function.__code__
    own = {*code.co_varnames, *code.co_cellvars, *code.co_freevars}
    bound = {name for node in ast.walk(tree) if isinstance(node, ast.Global) for name in node.names}
    for written in _written(tree, changing):
        root = _root(written)
        if root is None or root in own or isinstance(function.__globals__.get(root), ModuleType):
            return False
        # `LOG = x` and `LOG.append(1)`
        if root in bound and not isinstance(written, ast.Name):
            return False
    return True


def _written(tree: ast.AST, changing: frozenset[str]) -> Iterator[ast.expr | None]:
    """What is written: the object of an item, an attribute or a method; ``None`` if it is not known."""
    receivers = set()
    for node in ast.walk(tree):
        if isinstance(node, (ast.Subscript, ast.Attribute)) and not isinstance(node.ctx, ast.Load):
            yield node.value
        elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            yield node.target
        elif isinstance(node, ast.Call):
            if isinstance(node.func, ast.Attribute) and node.func.attr in _OF_THE_RECEIVER:
                receivers.add(node.func)
                yield node.func.value
            if any(keyword.arg in ("out", None) for keyword in node.keywords):
                yield None
        elif isinstance(node, (ast.FunctionDef, ast.Lambda)) and node is not next(ast.iter_child_nodes(tree)):
            yield None
    for node in ast.walk(tree):
        name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
        if (name in changing or name.startswith("__set")) and node not in receivers:
            yield None


def _root(node: ast.expr | None) -> str | None:
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None
