"""``collections.deque`` whose length only the run knows: a staged list, and where it begins.

while queue:                    # `items` from `start` on
    node = queue.popleft()      # start += 1
    queue.append(2 * node)
"""

from __future__ import annotations

from collections import deque
from typing import Any

from autograph._src.operators.calls import converted_call
from autograph._src.operators.items import get_item
from autograph._src.operators.spelled import operated
from autograph._src.policy import request_own
from autograph._src.staging.keyed.keyed import Key, Keyed, Number, Table, Value, new_parts
from autograph._src.staging.lists.staged_iterable import StagedIterable
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.positions import number
from autograph._src.staging.tensors.python_scalars import compare, either, negate, require
from autograph._src.staging.tensors.tensor import Tensor


class KeyedDeque(Keyed):
    """A deque: its items are ``ag_keys`` from ``ag_marks[0]`` on; ``ag_marks[1]`` counts the changes."""

    __slots__ = ()
    ag_words = "a deque whose length depends on data"

    def staged(self) -> StagedIterable:
        """The walk over it."""
        start, changes = self.ag_marks[0], self.ag_marks[1]

        def item(position: Number) -> Value:
            _require_unchanged(self, changes, True)
            return get_item(self.ag_keys, start + number(position))

        made = StagedIterable(size_of(self), item, "list")
        made.endings = (lambda count, is_whole: _require_unchanged(self, changes, is_whole),)
        return made

    def sequence(self) -> StagedIterable:
        """As :meth:`staged`."""
        return self.staged()

    def ag_truth(self) -> Tensor:
        """``bool(queue)``."""
        return compare("greater", lift(size_of(self)), 0)

    @property
    def maxlen(self) -> Value:
        """``deque.maxlen``."""
        return self.ag_factory

    def append(self, value: Value, /) -> None:
        """``deque.append``."""
        self.ag_keys.append(value)
        self.ag_marks[1] += 1
        if self.ag_factory is not None and size_of(self) > self.ag_factory:
            self.popleft()

    def appendleft(self, value: Value, /) -> None:
        """``deque.appendleft``."""
        if self.ag_marks[0] == 0:
            _make_room(self, value)
        self.ag_marks[0] -= 1
        self.ag_marks[1] += 1
        self.ag_keys[self.ag_marks[0]] = value
        if self.ag_factory is not None and size_of(self) > self.ag_factory:
            self.pop()

    def pop(self) -> Value:
        """``deque.pop``."""
        if size_of(self) == 0:
            raise IndexError("pop from an empty deque")
        self.ag_marks[1] += 1
        return self.ag_keys.pop()

    def popleft(self) -> Value:
        """``deque.popleft``."""
        start = self.ag_marks[0]
        if size_of(self) == 0:
            raise IndexError("pop from an empty deque")
        value = self.ag_keys[start]
        self.ag_marks[0] = start + 1
        self.ag_marks[1] += 1
        if (start + 1) * 2 > len(self.ag_keys) + 16:
            _pack(self)
        return value

    def extend(self, values: Table, /) -> None:
        """``deque.extend``."""
        for value in values:
            self.append(value)

    def extendleft(self, values: Table, /) -> None:
        """``deque.extendleft``."""
        for value in values:
            self.appendleft(value)

    def clear(self) -> None:
        """``deque.clear``."""
        self.ag_keys.clear()
        self.ag_marks[0] = 0
        self.ag_marks[1] += 1

    def copy(self) -> Value:
        """``deque.copy``."""
        return _filled(new_deque(self.ag_factory), self)

    def rotate(self, n: Number = 1, /) -> None:
        """``deque.rotate``."""
        if size_of(self) > 1:
            for _ in range(-n % size_of(self)):
                self.append(self.popleft())


def size_of(table: Table) -> Value:
    """``len(queue)``."""
    return converted_call(len, table.ag_keys) - table.ag_marks[0]


def _place_of(table: Table, index: Number) -> Value:
    size = size_of(table)
    place = index + size if index < 0 else index
    if place < 0 or place >= size:
        raise IndexError("deque index out of range")
    return table.ag_marks[0] + place


def item_of_deque(table: Table, index: Number) -> Value:
    """``queue[index]``."""
    return table.ag_keys[_place_of(table, index)]


def put_in_deque(table: Table, index: Number, value: Value) -> None:
    """``queue[index] = value``."""
    table.ag_keys[_place_of(table, index)] = value


def in_deque(table: Table, item: Key) -> Value:
    """``item in queue``."""
    is_there = False
    for one in table:
        if operated("eq", one, item):
            is_there = True
            break
    return is_there


def _make_room(table: Table, value: Value) -> None:
    """Moves the items to the right, to have as many free places before them as there are items."""
    items = table.ag_keys
    size = len(items)
    room = size + 8
    for _ in range(room):
        items.append(value)
    for place in range(size):
        items[room + size - 1 - place] = items[size - 1 - place]
    table.ag_marks[0] = room


def _pack(table: Table) -> None:
    """Moves the items to the front."""
    items, start = table.ag_keys, table.ag_marks[0]
    size = len(items) - start
    for place in range(size):
        items[place] = items[start + place]
    for _ in range(start):
        items.pop()
    table.ag_marks[0] = 0


def _filled(made: Table, values: Table) -> Value:
    for value in values:
        made.append(value)
    return made


for _one in (_place_of, item_of_deque, put_in_deque, in_deque, _make_room, _pack, _filled):
    request_own(_one)
for _method in (
    *("append", "appendleft", "pop", "popleft", "extend", "extendleft", "clear", "copy", "rotate"),
):
    request_own(vars(KeyedDeque)[_method])


def new_deque(maxlen: Number = None) -> Value:
    """A new deque without items."""
    return KeyedDeque(deque, maxlen, *new_parts(([], [], [0, 0], [], [])))


def keyed_deque(of_class: type[Any], factory: Value, values: Table) -> Value:
    """A plain deque of the program as a table."""
    made = new_deque(values.maxlen)
    for value in values:
        converted_call(KeyedDeque.append, made, value)
    return made


def deque_of(values: Table = (), maxlen: Number = None) -> Value:
    """``deque(values, maxlen)``."""
    return converted_call(_filled, new_deque(None if maxlen is None else int(maxlen)), values)


def _require_unchanged(table: Table, changes: Number, is_asked: Number) -> None:
    if table.ag_marks[1] is not changes:
        same = compare("equal", lift(table.ag_marks[1]), lift(changes))
        require(either(negate(lift(is_asked)), same), RuntimeError, "deque mutated during iteration")
