"""The targets of the loops of comprehensions: `for a, b in …`, `for i, (a, b) in …`.

Conversion makes a function of the element, whose parameters are the names that the target binds. Up to three
names of one tuple say by their number how an item is taken apart; other targets have their form beside them:

    [a + b for i, (a, b) in xs]     lambda i, a, b, *, ag__target=(None, (None, None)): a + b

Python itself takes each tuple apart, by the instruction that raises its errors, and that staged values know.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from autograph._src.operators.impurity import refuse_outside_iterator

Element = Callable[..., Any]


def of_item(function: Element) -> Element:
    """Makes an element function take one item, which it unpacks into several targets."""
    form = (function.__kwdefaults__ or {}).get("ag__target")
    count = function.__code__.co_argcount
    if form is not None:
        return lambda item: function(*_parts(item, form))
    if count == 1:
        return function
    unpack = _UNPACK[count]

    def unpacked(item: Any) -> object:
        refuse_outside_iterator(item)
        return function(*unpack(item))

    return unpacked


def has_form(function: Element) -> bool:
    """Whether the number of names of an element function does not say what its target is."""
    return bool(function.__kwdefaults__)


def _parts(item: Any, form: tuple[Any, ...]) -> Iterator[Any]:
    refuse_outside_iterator(item)
    for part, inner in zip(_UNPACK[len(form)](item), form, strict=True):
        if inner is None:
            yield part
        else:
            yield from _parts(part, inner)


def _one(item: Any) -> tuple[Any, ...]:
    (first,) = item  # CPython raises the error if there are more or fewer.
    return (first,)


def _two(item: Any) -> tuple[Any, ...]:
    first, second = item
    return first, second


def _three(item: Any) -> tuple[Any, ...]:
    first, second, third = item
    return first, second, third


def _four(item: Any) -> tuple[Any, ...]:
    first, second, third, fourth = item
    return first, second, third, fourth


def _five(item: Any) -> tuple[Any, ...]:
    first, second, third, fourth, fifth = item
    return first, second, third, fourth, fifth


def _six(item: Any) -> tuple[Any, ...]:
    first, second, third, fourth, fifth, sixth = item
    return first, second, third, fourth, fifth, sixth


_UNPACK = {1: _one, 2: _two, 3: _three, 4: _four, 5: _five, 6: _six}
