"""Reading and writing items and attributes; writes to plain objects go through the journal."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from autograph.backends.protocol import active_backend, backend_among, backend_of

_MISSING = object()


def get_item(target: Any, index: Any) -> Any:
    """``target[index]``."""
    backend = active_backend()
    if backend is None:
        return target[index]
    staged = backend_of(target) or backend_among(index if isinstance(index, tuple) else (index,))
    if staged is None and isinstance(index, slice):
        staged = backend_among((index.start, index.stop, index.step))
    return target[index] if staged is None else staged.get_item(target, index)


def set_item(target: Any, index: Any, value: Any) -> None:
    """``target[index] = value``."""
    backend = active_backend()
    if backend is None:
        target[index] = value
        return
    staged = backend_of(target) or backend_among(index if isinstance(index, tuple) else (index,))
    if staged is not None:
        staged.set_item(target, index, value)
        return
    _journal_item(backend, target, index, "an item assignment")
    target[index] = value


def _journal_item(backend: Any, target: Any, index: Any, what: str) -> None:
    old = target.get(index, _MISSING) if isinstance(target, dict) else _MISSING
    if isinstance(target, (list, np.ndarray)):
        copy = target.copy()
        backend.will_write(target, what, lambda: target.__setitem__(slice(None), copy))
    elif old is _MISSING:
        backend.will_write(target, what, lambda: target.pop(index, None))
    else:
        backend.will_write(target, what, lambda: operator.setitem(target, index, old))


def update_item(target: Any, index: Any, op: str, value: Callable[[], Any]) -> None:
    """``target[index] op= value()``; ``op`` is a name of the ``operator`` module, such as ``iadd``."""
    set_item(target, index, getattr(operator, op)(_current(target, index), value()))


def _current(target: Any, index: Any) -> Any:
    """The item that an augmented assignment starts from.

    Of a staged array it is a copy: the operator may work in place, and the item is stored anyway.
    """
    item = get_item(target, index)
    is_view = backend_of(target) is not None and bool(item.shape)
    return item.copy() if is_view else item


def del_item(target: Any, index: Any) -> None:
    """``del target[index]``."""
    backend = active_backend()
    if backend is not None:
        _journal_item(backend, target, index, "an item deletion")
    del target[index]


def set_attr(target: Any, name: str, value: Any) -> None:
    """``target.name = value``."""
    backend = active_backend()
    if backend is not None:
        _journal_attribute(backend, target, name, "an attribute assignment")
    setattr(target, name, value)


def _journal_attribute(backend: Any, target: Any, name: str, what: str) -> None:
    old = getattr(target, name, _MISSING)

    def undo() -> None:
        if old is _MISSING:
            delattr(target, name)
        else:
            setattr(target, name, old)

    backend.will_write(target, what, undo)


def update_attr(target: Any, name: str, op: str, value: Callable[[], Any]) -> None:
    """``target.name op= value()``."""
    set_attr(target, name, getattr(operator, op)(getattr(target, name), value()))


def del_attr(target: Any, name: str) -> None:
    """``del target.name``."""
    backend = active_backend()
    if backend is not None:
        _journal_attribute(backend, target, name, "an attribute deletion")
    delattr(target, name)


def created(value: Any) -> Any:
    """An object that converted code makes: a list, dict or set display."""
    backend = active_backend()
    return value if backend is None else backend.created(value)
