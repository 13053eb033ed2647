"""The classes of what fails while a graph runs and would not fail in plain Python."""

from __future__ import annotations

from autograph.errors import GraphRuntimeError

_runtime_classes: dict[type[Exception], type[GraphRuntimeError]] = {}


def runtime_error_class(base: type[Exception]) -> type[GraphRuntimeError]:
    """The class of a failure while a graph runs that ``except base`` catches too.

    Args:
        base: Python's class for the failure, such as ``OverflowError``.

    Returns:
        A subclass of both :class:`GraphRuntimeError` and ``base``; the same class at each call.

    Example:
        >>> runtime_error_class(OverflowError).__bases__
        (<class 'autograph.errors.GraphRuntimeError'>, <class 'OverflowError'>)
    """
    if issubclass(GraphRuntimeError, base):
        return GraphRuntimeError
    known = _runtime_classes.get(base)
    if known is None:
        documentation = f"`{base.__name__}`, raised while a graph ran."
        members = {"__doc__": documentation, "__module__": GraphRuntimeError.__module__}
        name = f"Graph{base.__name__}"
        known = _runtime_classes[base] = type(name, (GraphRuntimeError, base), members)
    return known
