"""What a path stands for: an object of a class, a list or dict, or one of such objects.

::

    Cell            an object that the class makes; or a parameter that is one
    net.cell        an attribute: of the annotation in the class, or of what all its methods set it to
    net.layers.[]   an item of a list or a dict
    Cell.[*]        a list of such objects; Cell.{*}, a dict; [*] and {*}, of anything
    step.()         what a function gives, by its annotation or by all its `return` statements

What annotations and texts say is asked where the program runs: `tangent.require_class`.
"""

from __future__ import annotations

import ast
import dataclasses
import inspect
import textwrap
from collections.abc import Iterator
from types import FunctionType, GenericAlias
from typing import Any, get_args, get_origin
from weakref import WeakKeyDictionary

from autograph._src.tangent.classes import CLASSES, attribute_of, hint_of_text, hints_of, is_plain_class
from autograph._src.tangent.instances import Given, ObjectOf
from autograph._src.tangent.records import is_named_tuple
from autograph._src.tangent.super_calls import called_by_super

Kind = Any
"""A class, ``list[Cell]``, ``dict[str, Cell]``, ``list`` or ``dict``."""

_given: WeakKeyDictionary[FunctionType, dict[Kind | None, Kind | None]] = WeakKeyDictionary()
_set: dict[tuple[type, str], Kind | None] = {}


def is_object_class(kind: object) -> bool:
    """Whether objects of a class are followed: its methods and attributes, or the fields of a named tuple."""
    return is_plain_class(kind) or is_named_tuple(kind)


def kind_of_hint(hint: object) -> Kind | None:
    """The kind that an annotation stands for; ``None`` if it says nothing here."""
    if is_object_class(hint) or hint is list or hint is dict:
        return hint
    origin, args = get_origin(hint), get_args(hint)
    if origin not in (list, dict):
        return None
    inner = kind_of_hint(args[-1]) if args else None
    return _holding(origin, inner)


def _holding(origin: Any, inner: Kind | None) -> Kind:
    if inner is None:
        return origin
    return GenericAlias(list, (inner,)) if origin is list else GenericAlias(dict, (str, inner))


def item_of(kind: Kind | None) -> Kind | None:
    """The kind of an item of a list or a dict."""
    args = get_args(kind)
    return args[-1] if args else None


def classes_in(kind: Kind | None) -> Iterator[type]:
    """The classes of the user's in a kind."""
    if get_origin(kind) is not None:
        for one in get_args(kind):
            yield from classes_in(one)
    elif isinstance(kind, type) and is_object_class(kind):
        yield kind


def words(kind: Kind | None) -> str:
    """A kind as the generator has it: the same for the same, and nothing for what is none."""
    if kind is None:
        return ""
    origin: Any = get_origin(kind) or kind
    if origin is list or origin is dict:
        return f"{origin.__name__}:{words(item_of(kind))}"
    if is_named_tuple(kind):
        return f"object:tuple:{kind.__qualname__}:{id(kind)}"
    return f"object:{kind.__qualname__}:{id(kind)}" if is_plain_class(kind) else ""


def objects_given_to(function: FunctionType, owner: type | None = None) -> tuple[Given, ...]:
    """The parameters that are objects, lists or dicts, by the owner of a method and by annotations."""
    code = function.__code__
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    hints = hints_of(function)
    found = {name: kind_of_hint(hints[name]) for name in names if name in hints}
    kinds = {name: kind for name, kind in found.items() if kind is not None}
    if owner is not None and names and is_object_class(owner):
        kinds = {**kinds, names[0]: owner}
    kinds.update({name: kind for name, kind in CLASSES.get(function, {}).items() if kind is not None})
    return tuple(Given(name, ObjectOf(kind)) for name, kind in kinds.items())


def kind_of(value: object, parts: list[str]) -> Kind | None:
    """The kind of a path.

    Args:
        value: What its first name stands for.
        parts: The rest of it.
    """
    kind = value.kind if isinstance(value, ObjectOf) else value
    owner: Kind | None = None
    for part in parts:
        match part:
            case "[]":
                owner, kind = None, item_of(kind)
            case "[*]":
                owner, kind = None, _holding(list, kind)
            case "{*}":
                owner, kind = None, _holding(dict, kind)
            case "()":
                owner, kind = None, given_by(kind, owner) if isinstance(kind, FunctionType) else None
            case name:
                owner, kind = kind, _attribute(kind, name)
        if kind is None:
            return None
    return kind


def _attribute(kind: Kind, name: str) -> Any:
    """The kind of an attribute, or the method that it is."""
    if not isinstance(kind, type) or not is_object_class(kind):
        return None
    what, found = attribute_of(kind, name)
    if what in ("method", "function"):
        return found
    if what == "property":
        return given_by(found, kind)
    return attribute_kind(kind, name) if what in ("field", "item") else None


def attribute_kind(kind: type, name: str) -> Kind | None:
    """The kind of an attribute that objects of a class have."""
    hint = kind_of_hint(hints_of(kind).get(name))
    if hint is not None:
        return hint
    if (kind, name) not in _set:
        _set[kind, name] = _set_in(kind, name) or _used_in(kind, name)
    return _set[kind, name]


def _set_in(kind: type, name: str) -> Kind | None:
    """The kind of what all methods of a class set an attribute to."""
    found: list[Kind | None] = []
    for value, function, annotation in _values_set(kind, name):
        hint = None if annotation is None else kind_of_hint(hint_of_text(annotation, function))
        found.append(hint or (None if value is None else _kind_of_text(value, function, kind)))
    first = found[0] if found else None
    return first if all(words(one) == words(first) for one in found) else None


def _used_in(kind: type, name: str) -> Kind | None:
    """`list` for an attribute that is set to a parameter and appended to: arrays have no `append`.

    ::

        def __init__(self, items):
            self.items = items

        def add(self, x):
            self.items.append(x)
    """
    values = list(_values_set(kind, name))
    if not values or not all(_is_parameter(value, function) for value, function, _ in values):
        return None
    for _, tree, own in _methods_of(kind):
        for node in ast.walk(tree):
            match node:
                case ast.Call(func=ast.Attribute(value=of, attr="append" | "extend" | "insert")) if _is_own(
                    of, own, name
                ):
                    return list
    return None


def _is_parameter(value: ast.expr | None, function: FunctionType) -> bool:
    code = function.__code__
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    return isinstance(value, ast.Name) and value.id in names


def _values_set(kind: type, name: str) -> Iterator[tuple[ast.expr | None, FunctionType, str | None]]:
    """What the methods of a class set an attribute to.

    With each value, which is ``None`` if it is no assignment, the method, and the annotation of
    `self.name: Cell = cell`.
    """
    for function, tree, own in _methods_of(kind):
        for node in ast.walk(tree):
            targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
            if any(_is_own(target, own, name) for target in targets):
                is_assigned = isinstance(node, (ast.Assign, ast.AnnAssign))
                annotation = ast.unparse(node.annotation) if isinstance(node, ast.AnnAssign) else None
                yield getattr(node, "value", None) if is_assigned else None, function, annotation


def _methods_of(kind: type) -> Iterator[tuple[FunctionType, ast.AST, str]]:
    """The functions of a class and its bases, their definitions, and what these call the object."""
    for base in kind.__mro__[:-1]:
        for function in vars(base).values():
            tree = tree_of(function) if isinstance(function, FunctionType) else None
            if tree is not None:
                yield function, tree, next(iter(function.__code__.co_varnames), "")


def _is_own(target: ast.AST | None, own: str, name: str) -> bool:
    """Whether a target is ``self.name``."""
    match target:
        case ast.Attribute(value=ast.Name(id=first), attr=attr):
            return first == own and attr == name
        case ast.Tuple(elts=parts):
            return any(_is_own(part, own, name) for part in parts)
    return False


def given_by(function: FunctionType, owner: Kind | None = None) -> Kind | None:
    """The kind of what a function gives: by its annotation, or by all that it returns."""
    known = _given.setdefault(function, {})
    if owner not in known:
        known[owner] = None  # While it is found.
        known[owner] = _given_by(function, owner)
    return known[owner]


def _given_by(function: FunctionType, owner: Kind | None) -> Kind | None:
    hint = kind_of_hint(hints_of(function).get("return"))
    if hint is not None:
        return hint
    tree = tree_of(function)
    if tree is None:
        return None
    if isinstance(tree, ast.Lambda):
        return _kind_of_text(tree.body, function, owner)
    values = list(_returned(tree))
    kinds = [None if value is None else _kind_of_text(value, function, owner) for value in values]
    first = kinds[0] if kinds else None
    return first if all(words(one) == words(first) for one in kinds) else None


def _returned(tree: ast.AST) -> Iterator[ast.expr | None]:
    """The values of the `return` statements of a function, not of those in it."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Return):
            yield node.value
        elif not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            yield from _returned(node)


def _kind_of_text(value: ast.expr, function: FunctionType, owner: Kind | None) -> Kind | None:
    """The kind of an expression in a function, as far as its text says without the rest of it."""
    match value:
        case ast.Call(func=ast.Name() | ast.Attribute() as called, args=args):
            found = _object_of(called, function) or called_by_super(called, function, owner)
            if found is dataclasses.replace and len(args) == 1:
                return _kind_of_text(args[0], function, owner)
            if isinstance(called, ast.Attribute) and called.attr == "_replace" and not args:
                return _kind_of_text(called.value, function, owner)
            if found is list or found is dict or is_object_class(found):
                return found
            return given_by(found) if isinstance(found, FunctionType) and found is not function else None
        case ast.Name(id=name):
            code = function.__code__
            if owner is not None and code.co_argcount and name == code.co_varnames[0]:
                return owner
            return kind_of_hint(hints_of(function).get(name))
        case ast.List(elts=elements):
            return _holding(list, _common(elements, function, owner))
        case ast.ListComp(elt=element):
            return _holding(list, _common([element], function, owner))
        case ast.Dict(values=values):
            return _holding(dict, _common(values, function, owner))
        case ast.DictComp(value=element):
            return _holding(dict, _common([element], function, owner))
        case ast.IfExp(body=body, orelse=orelse):
            return _common([body, orelse], function, owner)
    return None


def _common(values: list[ast.expr], function: FunctionType, owner: Kind | None) -> Kind | None:
    kinds = [_kind_of_text(value, function, owner) for value in values]
    first = kinds[0] if kinds else None
    return first if all(words(one) == words(first) for one in kinds) else None


def _object_of(called: ast.expr, function: FunctionType) -> Any:
    """What the name of a call stands for, where it is no variable of the function."""
    match called:
        case ast.Attribute(value=inner, attr=attr):
            return getattr(_object_of(inner, function), attr, None)
        case ast.Name(id=name):
            code = function.__code__
            if name in code.co_freevars:
                cell = (function.__closure__ or ())[code.co_freevars.index(name)]
                try:
                    return cell.cell_contents
                except ValueError:
                    return None
            if name in code.co_varnames or name in code.co_cellvars:
                return None
            return function.__globals__.get(name, {"list": list, "dict": dict}.get(name))
    return None


def tree_of(function: FunctionType) -> ast.AST | None:
    """The definition of a function; ``None`` if it has no source."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
    except (OSError, TypeError, SyntaxError, IndexError):
        return None
    return tree if isinstance(tree, ast.FunctionDef) else None
