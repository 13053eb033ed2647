"""List comprehensions and generator expressions: in Python over plain iterables, staged over staged ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from autograph.backends.protocol import Backend, active_backend, backend_of
from autograph.operators.items import created

Element = Callable[..., Any]


def list_comprehension(iterable: Iterable[Any], element: Element, condition: Element | None = None) -> Any:
    """``[element(item) for item in iterable if condition(item)]``."""
    backend = active_backend()
    element, condition = of_item(element), None if condition is None else of_item(condition)
    if backend is None:
        return _in_python(iterable, element, condition)
    made = (backend_of(iterable) or backend).list_comprehension(iterable, element, condition)
    made = _in_python(iterable, element, condition) if made is NotImplemented else made
    return backend.made_list(made) if type(made) is list else made


def _in_python(iterable: Iterable[Any], element: Element, condition: Element | None) -> list[Any]:
    if condition is None:
        return [element(item) for item in iterable]
    return [element(item) for item in iterable if condition(item)]


def generator(iterable: Iterable[Any], element: Element, condition: Element | None = None) -> Any:
    """``(element(item) for item in iterable if condition(item))``."""
    element, condition = of_item(element), None if condition is None else of_item(condition)
    backend: Backend | None = backend_of(iterable)
    if backend is not None:
        made = backend.generator(iterable, element, condition)
        if made is not NotImplemented:
            return made
    items = iter(iterable)
    if condition is None:
        return created(element(item) for item in items)
    return created(element(item) for item in items if condition(item))


def of_item(function: Element) -> Element:
    """The element of a comprehension as a function of one item: several targets are unpacked."""
    count = function.__code__.co_argcount
    if count == 1:
        return function
    return _of_two(function) if count == 2 else _of_three(function)


def _of_two(function: Element) -> Element:
    def unpacked(item: Any) -> Any:
        first, second = item  # CPython words the error when there are more or fewer.
        return function(first, second)

    return unpacked


def _of_three(function: Element) -> Element:
    def unpacked(item: Any) -> Any:
        first, second, third = item
        return function(first, second, third)

    return unpacked
