"""The ways by which a traced function can reach an object of its caller.

    self.log = LOG          # an attribute and a variable lead to one list

A write by one of them shows through the others, so each has to be an argument of the graph, or it is refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextvars import ContextVar
from functools import partial
from types import MethodType
from typing import Any

from autograph._src.dict_classes import DICT_CLASSES
from autograph._src.operators.places import Attribute, Place
from autograph._src.staging.objects.shared_trees import attributes_of_record, holds
from autograph._src.staging.trace.surroundings import Surroundings


def ways_to(surroundings: Surroundings, one: object, function: object) -> Iterator[Place | None]:
    """The places that lead to a container or an array; ``None`` for a way that cannot be an argument.

    Args:
        surroundings: What the trace has met.
        one: The container or array.
        function: The function that is recorded, whose defaults are arguments themselves.
    """
    for place in surroundings.variables():
        if holds(place.read(), one):
            yield place
    snapshot = surroundings.watch.snapshot
    for owner, variables, keys, values in snapshot.mappings:
        if owner is variables:
            if type(owner) not in DICT_CLASSES and any(holds(value, one) for value in values):
                yield None
        elif attributes_of_record(owner) is None:
            for name, value in zip(keys, values, strict=True):
                if holds(value, one):
                    yield Attribute(owner, name)
    for owner, elements in snapshot.sequences:
        if type(owner) is not list and any(holds(value, one) for value in elements):
            yield None
    for owner, name, value in snapshot.slots:
        if name == "__mro__" or attributes_of_record(owner) is not None or not holds(value, one):
            continue
        if name not in ("__defaults__", "__kwdefaults__"):
            yield Attribute(owner, name)
        elif owner is not function:
            yield None
    for owner in surroundings.watch.seen.values():
        if isinstance(owner, _HOLDING) and any(holds(value, one) for value in _held(owner)):
            yield None


_HOLDING = (partial, MethodType, ContextVar)
"""Classes of objects that hold others for good, which the program reaches by a call."""


def _held(one: Any) -> tuple[Any, ...]:
    if isinstance(one, partial):
        return (one.args, one.keywords)
    if isinstance(one, MethodType):
        return (one.__self__,)
    try:
        return (one.get(),)
    except LookupError:
        return ()
