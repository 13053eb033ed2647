"""Places: the things that a program can write to besides its variables.

A place is an attribute of an object, or the contents of a list, dict or other container. Converted code
names the place before it writes, so that a back-end can keep a journal: after recording a branch it
restores the old value and makes the new one an output of the `if` or a carry of the loop.

>>> numbers = [1, 2]
>>> place = Contents(numbers)
>>> before = place.read()
>>> numbers.append(3)
>>> place.write(before)
>>> numbers
[1, 2]
"""

from __future__ import annotations

from array import array
from collections import OrderedDict, deque
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from autograph._src.operators.undefined import Undefined
from autograph._src.own_attributes import has_own

CONTAINERS = (list, dict, set, deque, bytearray, array)
"""The types, with their subclasses, whose contents are a place."""


class Place:
    """A place that can be read and written.

    Attributes:
        owner: The object that the place belongs to.
        name: The place's name in messages: ``Counter.total``, ``list``.
        is_variable: Whether it is a variable, not a part of an object.
        may_be_unbound: Whether a staged block may leave it bound on some paths only.
    """

    owner: Any
    name: str
    is_variable = False
    may_be_unbound = False

    def identity(self) -> tuple[int, str]:
        """A key that is equal for equal places only."""
        raise NotImplementedError

    def read(self) -> Any:
        """The present value; an ``Undefined`` if the place has none."""
        raise NotImplementedError

    def write(self, value: Any) -> None:
        """Replaces the value; an ``Undefined`` deletes it."""
        raise NotImplementedError


class Attribute(Place):
    """An attribute as it is stored: in the instance, a class or a module, or in a slot."""

    def __init__(self, owner: Any, attribute: str) -> None:
        self.owner = owner
        self.attribute = attribute
        kind = owner if isinstance(owner, type) else type(owner)
        self.name = f"{kind.__name__}.{attribute}"

    def identity(self) -> tuple[int, str]:
        """The object and the attribute's name."""
        return (id(self.owner), self.attribute)

    def read(self) -> Any:
        """The stored value: no getter and no ``__getattr__`` runs."""
        stored = getattr(self.owner, "__dict__", {})
        if self.attribute in stored:
            return stored[self.attribute]
        slot = self._slot()
        if slot is None:
            return Undefined(self.attribute)
        try:
            return slot.__get__(self.owner, type(self.owner))
        except AttributeError:
            return Undefined(self.attribute)

    def write(self, value: Any) -> None:
        """Stores the value: no setter runs."""
        is_absent = isinstance(value, Undefined)
        slot = self._slot()
        if isinstance(self.owner, type):
            if is_absent:
                delattr(self.owner, self.attribute)
            else:
                setattr(self.owner, self.attribute, value)
        elif slot is not None:
            if is_absent:
                slot.__delete__(self.owner)
            else:
                slot.__set__(self.owner, value)
        elif is_absent:
            self.owner.__dict__.pop(self.attribute, None)
        else:
            self.owner.__dict__[self.attribute] = value

    def _slot(self) -> Any:
        """The descriptor from ``__slots__`` that stores the attribute, or ``None``."""
        for kind in type(self.owner).__mro__:
            found = kind.__dict__.get(self.attribute)
            if found is not None:
                return found if type(found).__name__ == "member_descriptor" else None
        return None


class GlobalVariable(Place):
    """A global variable of a module, which other modules see as its attribute."""

    is_variable = True

    def __init__(self, variables: dict[str, Any], name: str) -> None:
        self.owner = variables
        self.name = name

    def identity(self) -> tuple[int, str]:
        """The module's variables and the name."""
        return (id(self.owner), self.name)

    def read(self) -> Any:
        """The variable's value."""
        return self.owner.get(self.name, Undefined(self.name))

    def write(self, value: Any) -> None:
        """Rebinds the variable."""
        if isinstance(value, Undefined):
            self.owner.pop(self.name, None)
        else:
            self.owner[self.name] = value


class Elements(tuple[Any, ...]):
    """The elements that a container holds at one time.

    Attributes:
        name: The container's name in messages.
        keys: The keys of a dict, in order.
        can_grow: Whether a staged statement may decide how many there are.
        are_attributes: Whether the keys are the attributes of an object.
    """

    name: str
    keys: tuple[Any, ...] | None
    can_grow = False
    are_attributes = False
    owner: Any = None

    @classmethod
    def of(cls, values: Any, name: str, keys: tuple[Any, ...] | None = None) -> Elements:
        """The elements of a container; for a dict its values."""
        made = cls(values)
        made.name, made.keys = name, keys
        return made

    def with_values(self, values: Any, name: str | None = None) -> Elements:
        """Other values in their places, or the same with another name."""
        made = Elements.of(values, self.name if name is None else name, self.keys)
        made.can_grow, made.are_attributes = self.can_grow, self.are_attributes
        made.owner = self.owner
        return made

    def label(self, position: int) -> str:
        """The name of an element in messages: ``list[2]``, ``dict['rate']``, ``State.rate``."""
        if self.are_attributes and self.keys is not None:
            return f"{self.name}.{self.keys[position]}"
        return f"{self.name}[{position if self.keys is None else repr(self.keys[position])}]"


class Contents(Place):
    """Everything in a list, dict, set, deque, bytearray or array."""

    def __init__(self, owner: Any) -> None:
        self.owner = owner
        self.name = type(owner).__name__

    def identity(self) -> tuple[int, str]:
        """The object."""
        return (id(self.owner), "")

    def read(self) -> Any:
        """The elements; for a traced list its staged contents, if it has such."""
        if has_own(self.owner, "held_contents"):
            return self.owner.held_contents(self.name)
        if has_own(self.owner, "read_contents"):
            return self.owner.read_contents(self.name)
        keys = tuple(self.owner) if isinstance(self.owner, dict) else None
        made = Elements.of(self.owner if keys is None else self.owner.values(), self.name, keys)
        made.owner = self.owner
        return made

    def write(self, value: Any) -> None:
        """Replaces all elements."""
        if has_own(self.owner, "write_contents"):
            self.owner.write_contents(value)
        elif isinstance(self.owner, dict):
            fill_dict(self.owner, zip(value.keys or (), value, strict=True))
        elif isinstance(self.owner, set):
            self.owner.clear()
            self.owner.update(value)
        elif isinstance(self.owner, deque):
            self.owner.clear()
            self.owner.extend(value)
        elif isinstance(self.owner, array):
            self.owner[:] = array(self.owner.typecode, value)
        else:
            self.owner[:] = value


def fill_dict(owner: dict[Any, Any], items: Iterable[tuple[Any, Any]]) -> None:
    """Replaces the items of a dict. ``update`` would not do: that of a ``Counter`` adds counts."""
    kind: Any = OrderedDict if isinstance(owner, OrderedDict) else dict
    kind.clear(owner)
    kind.update(owner, items)


class PlainArray(Place):
    """The elements of an array that is not staged."""

    def __init__(self, owner: NDArray[Any]) -> None:
        self.owner = owner
        self.name = "ndarray"

    def identity(self) -> tuple[int, str]:
        """The array."""
        return (id(self.owner), "")

    def read(self) -> NDArray[Any]:
        """A copy."""
        return self.owner.copy()  # type: ignore[no-any-return]

    def write(self, value: NDArray[Any]) -> None:
        """Replaces all elements."""
        np.copyto(self.owner, value)
