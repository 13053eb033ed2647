"""Programs whose lists objects hold, and whose classes have methods with the names of those of lists."""

from __future__ import annotations

from typing import Any

from tangent_case import Programs

PROGRAMS = Programs()
on = PROGRAMS.on


class Log:
    def __init__(self, items: list[Any]) -> None:
        self.items = items

    def add(self, x: Any) -> None:
        self.items.append(x)


class Queue:
    """Its methods have the names of those that change lists, dicts and arrays."""

    def __init__(self, items: list[Any]) -> None:
        self.items = items
        self.total = 0.0

    def append(self, x: Any) -> None:
        self.items.append(x * 2.0)
        self.total = self.total + x

    def put(self, x: Any) -> None:
        self.items.append(x)

    def insert(self, k: int, x: Any) -> None:
        self.total = self.total + k * x

    def clear(self, x: Any) -> Any:
        return self.total * x

    def fill(self, x: Any) -> Any:
        return self.total + x

    def sort(self, x: Any) -> Any:
        return self.total + x


def push(ys, v):
    ys.append(v * 2.0)


@on((1.5,))
def held_list_by_a_method(x):
    ys = []
    log = Log(ys)
    log.add(x)
    log.add(x * x)
    return log.items[0] * log.items[1]


@on((1.5,))
def held_list_by_the_attribute_and_a_callee(x):
    ys = []
    log = Log(ys)
    log.items.append(x)
    push(log.items, x * x)
    return log.items[0] * log.items[1]


@on((1.5,))
def held_list_in_a_loop(x):
    ys = []
    log = Log(ys)
    for i in range(5):
        if i % 2 == 0:
            log.add(x * i)
        else:
            log.items.append(x * x)
    return log.items[1] * log.items[4]


@on((1.5,))
def held_list_of_a_dict(x):
    table = {"a": []}
    log = Log(table["a"])
    log.add(x)
    log.add(x * x)
    return log.items[0] * log.items[1]


@on((1.5,))
def held_list_of_a_list(x):
    rows = [[], []]
    log = Log(rows[1])
    log.add(x)
    log.add(x * x)
    return log.items[0] * log.items[1]


@on((1.5,))
def held_list_that_is_extended_and_popped(x):
    ys = [x]
    log = Log(ys)
    log.items.extend([x * x, x])
    y = log.items.pop()
    return log.items[0] * log.items[1] * y


@on((1.5,))
def method_named_append(x):
    queue = Queue([])
    queue.append(x)
    queue.append(x * x)
    return queue.items[0] * queue.items[1] + queue.total


@on((1.5,))
def method_named_put(x):
    ys = []
    queue = Queue(ys)
    queue.put(x)
    queue.put(x * x)
    return queue.items[0] * queue.items[1]


@on((1.5,))
def methods_named_insert_and_clear(x):
    queue = Queue([x])
    for v in [x, x * x, x, 2.0 * x]:
        queue.append(v)
        queue.insert(2, v)
    return queue.clear(x) + queue.items[3]


@on((1.5,))
def methods_that_change_nothing(x):
    queue = Queue([x])
    queue.append(x)
    return queue.fill(x) * queue.sort(x * x)


@on((1.5,))
def one_list_of_two_objects(x):
    ys = [1.0]
    one = Log(ys)
    other = Log(ys)
    other.add(x * x)
    return one.items[-1] * x


@on((1.5,))
def one_list_of_two_objects_that_both_grow(x):
    ys = []
    one = Log(ys)
    other = Log(ys)
    one.add(x)
    other.add(x * x)
    return one.items[-1] * x


REFUSED = {
    "one_list_of_two_objects": "TypeError",
    "one_list_of_two_objects_that_both_grow": "TypeError",
}
