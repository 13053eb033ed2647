"""Builtins that ask what an object is and what it has: ``isinstance``, ``type``, ``getattr``, ``is``."""

from __future__ import annotations

import dataclasses
import operator
from typing import Any

from autograph._src.backends.protocol import backend_of
from autograph._src.operators.calls import converted_call
from autograph._src.operators.identity import is_, is_not
from autograph._src.operators.logic import if_exp
from autograph._src.own_attributes import has_own
from autograph._src.staging.builtins.staged_builtins import staged
from autograph._src.staging.kinds.optionals import StagedOptional
from autograph._src.staging.kinds.unions import StagedUnion, each, over_alternatives
from autograph._src.staging.lists.grown_tuple import GrownTuple
from autograph._src.staging.lists.traced_list import StagedList
from autograph._src.staging.objects.named_values import NamedValue
from autograph._src.staging.objects.node_fields import (
    class_of_node,
    has_attribute,
    is_instance,
    replaced_fields,
)
from autograph._src.staging.objects.node_sequences import NodeSequence
from autograph._src.staging.objects.nodes import StagedNode
from autograph._src.staging.operators.truth_only import TruthOnly
from autograph._src.staging.tensors.python_scalars import both, either, negate
from autograph._src.staging.tensors.staged_strings import StagedString
from autograph._src.staging.tensors.tensor import Tensor, plain_class
from autograph._src.staging.trace.active import staging_error
from autograph._src.staging.trace.statements import stage_choice


@staged(isinstance)
def _isinstance(value: object, classes: Any) -> object:
    isinstance(None, classes)  # Raises if these are no classes.
    if isinstance(value, TruthOnly):
        value.refuse()
    if isinstance(value, StagedOptional):
        is_value = over_alternatives(isinstance_of, (value.value, classes), {})
        is_none = isinstance(None, classes)
        if isinstance(is_value, Tensor):  # A union, whose type depends on the run.
            return either(negate(value.present), is_value) if is_none else both(value.present, is_value)
        if is_value == is_none:
            return is_value
        return value.present if is_value else negate(value.present)
    if isinstance(value, StagedNode):
        return is_instance(value, classes)
    if isinstance(value, NodeSequence):
        if value.present is not None:
            raise staging_error("AG120", f"`isinstance` of `{value.called}`", "test `is None`")
        return issubclass(value.plain_class, classes)
    if isinstance(value, StagedString):
        return issubclass(str, classes)
    if isinstance(value, NamedValue):
        raise staging_error("AG120", f"`isinstance` of `{value.name}`", "compare it with `==`")
    return isinstance_of(value, classes) if isinstance(value, Tensor) else NotImplemented


def isinstance_of(value: object, classes: tuple[Any, ...] | type[Any]) -> bool:
    """``isinstance``, with a tensor counted as the plain value that it stands for."""
    if type(value) in (GrownTuple, StagedString):  # What may be None is asked for what it is otherwise.
        return issubclass(tuple if type(value) is GrownTuple else str, classes)
    if has_own(value, "ag_class"):  # A dict, a set or a deque of the run.
        return issubclass(value.ag_class, classes)
    if not isinstance(value, Tensor):
        return isinstance(value, classes)
    wanted = classes if isinstance(classes, tuple) else (classes,)
    return any(issubclass(plain_class(value), one) or one is Tensor for one in wanted)


@staged(operator.is_)
def _is(left: object, right: object) -> object:
    return is_(left, right)


@staged(operator.is_not)
def _is_not(left: object, right: object) -> object:
    return is_not(left, right)


@staged(dataclasses.replace)
def _replace(value: object, /, **changes: object) -> object:
    if backend_of(value) is None:  # What may be None, where it is not.
        return converted_call(dataclasses.replace, value, **changes)
    return replaced_fields(value, changes) if isinstance(value, StagedNode) else NotImplemented


@staged(dataclasses.asdict, dataclasses.astuple, dataclasses.fields, vars)
def _look_inside(value: object, **_: object) -> object:
    raise staging_error("AG120", "what a staged object holds is not known while tracing", "read its fields")


@staged(id)
def _id(value: object) -> object:
    if backend_of(value) is not None:
        raise staging_error(
            "AG101",
            "the `id` of an object that only the run knows is needed while tracing",
            "compare with `is`",
        )
    return NotImplemented


@staged(hasattr)
def _hasattr(value: object, name: str) -> object:
    if isinstance(value, StagedNode):
        return has_attribute(value, name)
    return hasattr(plain_class(value), name) if isinstance(value, Tensor) else NotImplemented


_REQUIRED: object = object()


@staged(getattr)
def _getattr(value: object, name: str, default: object = _REQUIRED) -> object:
    if isinstance(value, StagedNode) and default is not _REQUIRED:
        return if_exp(_hasattr(value, name), lambda: getattr(value, name), lambda: default)
    if default is not _REQUIRED and isinstance(value, Tensor) and not hasattr(plain_class(value), name):
        return default
    return NotImplemented if default is not _REQUIRED else getattr(value, name)


@staged(type)
def _type(value: object) -> object:
    if isinstance(value, Tensor):
        return plain_class(value)
    if isinstance(value, (StagedString, StagedList)):
        return str if isinstance(value, StagedString) else list
    if isinstance(value, StagedNode):
        return class_of_node(value)
    if isinstance(value, StagedOptional):
        inner, present = value.value, value.present.read()
        return stage_choice(present, lambda: converted_call(type, inner), lambda: type(None), "`type`")
    if type(value) is StagedUnion:
        return each(value, lambda one: converted_call(type, one))
    raise staging_error("AG120", "`type` of a staged iterable", "use `isinstance`")
