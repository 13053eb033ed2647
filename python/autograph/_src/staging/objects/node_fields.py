"""The attributes of a staged node: its fields, and the properties, methods and variables of its class.

    tree.value             float64, read from the row; raises where `tree` is None
    tree.height            a property: calls its function with the staged node
    tree.total(2.0)        a method: likewise

If the nodes have several classes, the graph branches on the class of the node.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from types import FunctionType, MethodType
from typing import Any

from autograph._src.articles import with_article
from autograph._src.operators.calls import converted_call
from autograph._src.operators.logic import and_, or_
from autograph._src.staging.kinds.optionals import StagedOptional
from autograph._src.staging.objects.columns import Links, Names, Packed, Same, Sequences, Unreadable, Values
from autograph._src.staging.objects.named_values import NamedValue
from autograph._src.staging.objects.node_sequences import NodeSequence
from autograph._src.staging.objects.nodes import StagedNode, called, is_present, name_of
from autograph._src.staging.tensors.lifting import constant
from autograph._src.staging.tensors.memory import OUTSIDE, Role
from autograph._src.staging.tensors.python_scalars import compare, either, negate, require
from autograph._src.staging.tensors.tensor import Form, Tensor, emit, wrap
from autograph._src.staging.trace import statements
from autograph._src.staging.trace.active import require_trace, staging_error
from autograph._src.staging.trace.statements import records, stage_choice


@records(statements.read_attribute)
def read_attribute(node: StagedNode, name: str) -> object:
    """``node.name``."""
    column = node.ag_forest.columns.get(name)
    kinds = node.ag_forest.schema.kinds
    owners = frozenset() if column is None else column[0].owners
    others = [kind for kind in kinds if kind not in owners and _static(kind, name) is not _MISSING]
    if column is None:
        return _of_classes(node, name, others)
    _require(node, name, owners.union(others))
    if not others:
        return _read(node, name, *column)
    return stage_choice(
        _is_of(node, list(owners)).read(),
        lambda: _read(node, name, *column),
        lambda: _of_classes(node, name, others),
        f"`{name}` of each class",
    )


def _require(node: StagedNode, name: str, owners: frozenset[type]) -> None:
    """Records that the run raises if the node is ``None`` or its class has no such attribute."""
    require(is_present(node), AttributeError, f"'NoneType' object has no attribute '{name}'")
    kinds = node.ag_forest.schema.kinds
    for kind in kinds:
        if kind not in owners:
            message = f"'{kind.__name__}' object has no attribute '{name}'"
            require(negate(_is_of(node, [kind])), AttributeError, message)


def _is_of(node: StagedNode, kinds: list[type]) -> Tensor:
    """Whether a node that is not ``None`` has one of these classes."""
    forest = node.ag_forest
    tag = wrap(emit("gather", forest.tags.read(), [node.ag_row.read()], 0), Form.PYTHON)
    found = constant(False, "bool", Form.PYTHON)
    for position, kind in enumerate(forest.schema.kinds):
        if kind in kinds:
            found = either(found, compare("equal", tag, position))
    return found


def _read(node: StagedNode, name: str, column: Packed, tables: list[Any]) -> object:
    row = node.ag_row.read()
    values = [emit("gather", table.read(), [row], 0) for table in tables[:1]]
    owner = name_of(node)
    path = None if owner is None else f"{owner}.{name}"
    if isinstance(column, Links):
        return StagedNode(node.ag_forest, wrap(values[0], Form.PYTHON), path)
    if isinstance(column, Values):
        value = wrap(values[0], column.type.form)
        value.name = path
        if column.type.form is Form.ARRAY:
            value.may_share([OUTSIDE], Role.FIELD)
        if not column.is_optional:
            return value
        present = wrap(emit("gather", tables[1].read(), [row], 0), Form.PYTHON)
        return StagedOptional(present, value, path or name)
    if isinstance(column, Names):
        return NamedValue(column.interned, wrap(values[0], Form.PYTHON), path or name)
    if isinstance(column, Same):
        require_trace().surroundings.watch.add(column.value)
        return column.value
    if isinstance(column, Sequences):
        return NodeSequence(node, name, tables, column.kind)
    assert isinstance(column, Unreadable)
    kinds = " | ".join(kind.__name__ for kind in node.ag_forest.schema.kinds if kind in column.owners)
    raise staging_error(
        "AG131",
        f"the field `{name}` of `{kinds}` {column.reason}",
        "give it one type in all nodes: a number, an array of one shape, or one of these or None",
    )


# Attributes of the class


def _of_classes(node: StagedNode, name: str, owners: list[type]) -> object:
    """A property, method or variable of the classes that have it."""
    kinds = node.ag_forest.schema.kinds
    found = [_static(kind, name) for kind in owners]
    for kind in owners:
        require_trace().surroundings.guard_class(kind, name)
    if not owners:
        if name.startswith("__") or not any(kind.__dictoffset__ for kind in kinds):
            raise AttributeError(f"'{kinds[0].__name__}' object has no attribute '{name}'")
        raise staging_error(
            "AG120",
            f"`{name}` is not a field of `{node.ag_forest}`, though one object may have it",
            "declare it as a field of the class",
        )
    _require(node, name, frozenset(owners))
    if all(one is found[0] for one in found):
        return _bound(node, found[0], owners[0], name)
    return _of_each_class(node, name, owners)


_MISSING: object = object()


def _static(kind: type, name: str) -> object:
    """The class attribute with this name, without calling descriptors."""
    for base in kind.__mro__:
        if base is object and name.startswith("__"):
            return _MISSING
        if name in base.__dict__:
            return base.__dict__[name]
    return _MISSING


def _bound(node: StagedNode, found: object, kind: type, name: str) -> object:
    if isinstance(found, property) and found.fget is not None:
        return converted_call(found.fget, node)
    if isinstance(found, FunctionType):
        return MethodType(found, node)
    if isinstance(found, (staticmethod, classmethod)):
        return found.__get__(None, kind)
    if hasattr(type(found), "__get__"):
        raise staging_error(
            "AG120",
            f"`{name}` of {called(node)} is made by {with_article(type(found).__name__)}",
            "use a property or a method",
        )
    require_trace().surroundings.watch.add(found)
    return found


def _of_each_class(node: StagedNode, name: str, kinds: list[type]) -> object:
    """An attribute that differs between the classes: the graph branches on the class of the node."""

    def choose(rest: list[type], take: Callable[[type], Any]) -> object:
        if len(rest) == 1:
            return take(rest[0])
        test = _is_of(node, rest[:1]).read()
        return stage_choice(
            test, lambda: take(rest[0]), lambda: choose(rest[1:], take), f"`{name}` of each class"
        )

    if any(isinstance(_static(kind, name), FunctionType) for kind in kinds):

        def method(*args: object, **kwargs: object) -> object:
            return choose(
                kinds,
                lambda kind: converted_call(_bound(node, _static(kind, name), kind, name), *args, **kwargs),
            )

        return StagedMethod(method)
    return choose(kinds, lambda kind: _bound(node, _static(kind, name), kind, name))


class StagedMethod:
    """A method that differs between the classes of the tables."""

    ag_type_name = "method"

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function

    def __call__(self, *args: object, **kwargs: object) -> Any:
        """Calls the method of the node's class."""
        return self._function(*args, **kwargs)


def is_instance(node: StagedNode, classes: Any) -> object:
    """``isinstance(node, classes)``."""
    return _is_among(
        node, [kind for kind in node.ag_forest.schema.kinds if issubclass(kind, classes)], classes
    )


def has_attribute(node: StagedNode, name: str) -> object:
    """``hasattr(node, name)``."""
    column = node.ag_forest.columns.get(name)
    kinds = node.ag_forest.schema.kinds
    owners = [
        kind for kind in kinds if _static(kind, name) is not _MISSING or (column and kind in column[0].owners)
    ]
    if not owners or hasattr(None, name):
        raise staging_error(
            "AG120", f"whether {called(node)} has the attribute `{name}` is not known", "use `isinstance`"
        )
    return _is_among(node, owners, ())


def _is_among(node: StagedNode, kinds: list[type], with_none: Any) -> object:
    """Whether a node has one of these classes, or is ``None`` and ``NoneType`` is in ``with_none``."""
    is_all = len(kinds) == len(node.ag_forest.schema.kinds)
    if isinstance(None, with_none):
        if is_all:
            return True
        missing = negate(is_present(node))
        return or_(missing, lambda: _is_of(node, kinds)) if kinds else missing
    if is_all or not kinds:
        return is_present(node) if kinds else False
    return and_(is_present(node), lambda: _is_of(node, kinds))


def class_of_node(node: StagedNode) -> type[Any]:
    """``type(node)``, if the tables have one class; the run raises if the node is ``None``."""
    kinds = node.ag_forest.schema.kinds
    if len(kinds) > 1:
        raise staging_error("AG120", f"`type` of {called(node)}", "use `isinstance`")
    emit("check", is_present(node).read(), "GraphTypeError", "the class of None is asked of a staged node")
    return kinds[0]


def replaced_fields(node: StagedNode, changes: dict[str, Any]) -> object:
    """``dataclasses.replace(node, **changes)``: a new object; the run raises if the node is ``None``."""
    kind = class_of_node(node)
    fields = dataclasses.fields(kind) if dataclasses.is_dataclass(kind) else ()
    if not fields or not all(field.init for field in fields):
        raise staging_error("AG120", f"`replace` of {called(node)}", "call the class with the fields")
    kept = [field.name for field in fields if field.name not in changes]
    return converted_call(kind, **{name: read_attribute(node, name) for name in kept}, **changes)
