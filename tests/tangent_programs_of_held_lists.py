"""Programs whose lists objects hold, and whose classes have methods with the names of those of lists."""

from __future__ import annotations

from typing import Any

import numpy as np
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


@on((1.5,))
def held_list_whose_variable_is_bound_anew(x):
    ys = [1.0]
    one = Log(ys)
    other = Log(ys)
    ys = []
    other.add(x * x)
    return one.items[-1] * x


@on((1.5, True), (1.5, False))
def held_list_bound_anew_in_a_branch(x, again):
    ys = [1.0]
    one = Log(ys)
    other = Log(ys)
    if again:
        ys = []
    other.add(x * x)
    ys.append(x)
    return one.items[-1] * x


@on((1.5,))
def held_list_bound_anew_in_a_loop(x):
    ys = [1.0]
    one = Log(ys)
    other = Log(ys)
    for i in range(4):
        ys = [x * i]
        other.add(x * ys[0])
    return one.items[-1] * ys[-1]


@on((1.5,))
def held_list_of_the_target_of_a_loop(x):
    logs = []
    for row in [[1.0], [2.0], [3.0], [4.0]]:
        one = Log(row)
        other = Log(row)
        logs.append(one)
        other.add(x * row[0])
    return logs[0].items[-1] * logs[3].items[-1]


@on((1.5,))
def held_list_of_a_target_that_ends(x):
    rows = [[1.0], [2.0], [3.0], [4.0]]
    for row in rows:
        one = Log(row)
        other = Log(row)
    for row in [5.0, 6.0]:
        other.add(x * row)
    return one.items[-1] * x


@on((1.5,))
def held_list_whose_variable_is_deleted(x):
    ys = [1.0]
    one = Log(ys)
    other = Log(ys)
    del ys
    other.add(x * x)
    return one.items[-1] * x


def two_logs_of(ys, x):
    one = Log(ys)
    other = Log(ys)
    ys = []
    other.add(x * x)
    return one.items[-1] * x


@on((1.5,))
def held_list_of_a_parameter_bound_anew(x):
    return two_logs_of([1.0], x)


@on(([1.0], 1.5), wrt=(1,))
def held_list_of_the_callers_bound_anew(ys, x):
    one = Log(ys)
    other = Log(ys)
    ys = []
    other.add(x * x)
    return one.items[-1] * x


@on((1.5,))
def held_list_bound_anew_by_unpacking(x):
    ys = [1.0]
    one = Log(ys)
    other = Log(ys)
    ys, z = [x], x * x
    other.add(z)
    return one.items[-1] * ys[0]


@on((1.5,))
def held_list_read_again_after_it_is_bound_anew(x):
    ys = [1.0]
    one = Log(ys)
    other = Log(ys)
    ys = []
    zs = other.items
    zs.append(x * x)
    return one.items[-1] * x


@on((1.5,))
def held_list_that_a_dict_and_a_list_hold(x):
    ys = [1.0]
    table = {"a": ys}
    rows = [ys]
    ys = []
    table["a"].append(x * x)
    return rows[0][-1] * x


@on((1.5,))
def held_list_bound_anew_by_its_own_item(x):
    ys = [[x], 2.0]
    one = Log(ys)
    other = Log(ys)
    ys = ys[0]
    other.add(x * x)
    return one.items[-1] * ys[0]


@on((1.5,))
def held_array_whose_variable_is_bound_anew(x):
    row = np.zeros(2)
    one = Log([row])
    other = Log([row])
    row = np.ones(2)
    other.items[0][0] = x * x
    return one.items[0][0] * row[1] * x


@on((1.5,))
def lists_that_are_not_the_same(x):
    ys = [1.0]
    one = Log(ys)
    ys = [2.0]
    other = Log(ys)
    ys = [3.0]
    other.add(x * x)
    return one.items[-1] * other.items[-1] * ys[0]


class Ring:
    """A queue, of which items are set, deleted, taken out and put in."""

    def __init__(self, items: list[Any]) -> None:
        self.items = items

    def put(self, k: int, x: Any) -> None:
        self.items[k] = x

    def drop(self, k: int) -> None:
        del self.items[k]

    def turn(self, x: Any) -> None:
        self.items.append(self.items.pop(0) * x)

    def first(self) -> Any:
        return self.items.pop(0)

    def push(self, x: Any) -> None:
        self.items.insert(0, x)

    def turns(self, x: Any, n: int) -> None:
        for _ in range(n):
            self.turn(x)
            self.put(-1, self.items[-1] + x)


def turned(ring: Ring, x):
    ring.turns(x, 2)
    ring.drop(1)


@on((1.5,), (np.array([1.5, 0.5]),))
def item_of_a_held_list_deleted(x):
    ring = Ring([x, x * x, x + 2.0])
    del ring.items[0]
    return np.sum(ring.items[0] * ring.items[1] * x)


@on((1.5,), (np.array([1.5, 0.5]),))
def item_of_a_held_list_set_by_a_method(x):
    ring = Ring([x, x * 2.0])
    for i in range(5):
        ring.put(i % 2, ring.items[(i + 1) % 2] * x)
    return np.sum(ring.items[0] * ring.items[1])


@on((1.5,), (0.5,))
def item_of_a_held_list_set_in_a_branch(x):
    ring = Ring([x, 2.0])
    if x > 1.0:
        ring.items[0] = x * x
    else:
        ring.items[1] = x * 3.0
    return ring.items[0] * ring.items[1]


@on((1.5,), (np.array([1.5, 0.5]),))
def held_queue(x):
    ring = Ring([x, x * 0.5, x * x])
    for i in range(5):
        v = ring.items.pop(0)
        ring.items.append(v * x + i)
    return np.sum(ring.items[0] * ring.items[1] + ring.items[2])


@on((1.5,), (np.array([1.5, 0.5]),))
def held_queue_by_methods(x):
    ring = Ring([x, x * 0.5, x * x])
    total = x * 0.0
    for i in range(5):
        ring.turn(x)
        if i % 2 == 0:
            total = total + ring.first()
            ring.push(x * i)
    return np.sum(total * ring.items[0])


@on((1.5,), (np.array([1.5, 0.5]),))
def held_queue_by_a_callee_of_a_callee(x):
    ring = Ring([x, x * 0.5, x * x])
    turned(ring, x)
    ring.push(x)
    turned(ring, x * x)
    return np.sum(ring.items[0] * ring.items[1])


@on((1.5,), (np.array([1.5, 0.5]),))
def queue_of_itself(x):
    ys = [x, x * 0.5, x * x]
    for i in range(5):
        ys.append(ys.pop(0) * x)
        ys.insert(1, ys[0] * i)
    return np.sum(ys[0] * ys[1] + ys[-1])


class Square:
    def __init__(self, w: Any) -> None:
        self.w = w

    def of(self, x: Any) -> Any:
        return self.w * x * x


class Line:
    def __init__(self, w: Any) -> None:
        self.w = w

    def of(self, x: Any) -> Any:
        return self.w * x


class Node:
    def __init__(self, v: Any, after: Any = None) -> None:
        self.v = v
        self.after = after


@on((1.5,))
def attributes_of_objects_of_two_classes(x):
    s = 0.0
    for shape in [Square(x), Line(x * 2.0)]:
        s = s + shape.w * x
    return s


@on((1.5,))
def methods_of_objects_of_two_classes(x):
    s = 0.0
    for shape in [Square(x), Line(x * 2.0)]:
        s = s + shape.of(x)
    return s


@on((1.5,))
def nodes_that_hold_one_another(x):
    node = Node(x, Node(x * x, Node(x * 2.0)))
    s = 0.0
    while node is not None:
        s = s + node.v * x
        node = node.after
    return s


@on((1.5,))
def objects_of_two_classes_in_lists_of_their_own(x):
    s = 0.0
    for square in [Square(x), Square(x * x)]:
        s = s + square.of(x)
    for line in [Line(x * 2.0)]:
        s = s + line.of(x) * line.w
    return s


@on((1.5,))
def nodes_in_a_list(x):
    nodes = [Node(x), Node(x * x), Node(x * 2.0), Node(x)]
    s = 0.0
    for node in nodes:
        s = s + node.v * x
    return s


class Bag:
    def __init__(self) -> None:
        self.items: list[Any] = []
        self.total = 0.0


class Chain:
    def __init__(self, ws: list[Any]) -> None:
        self.ws = ws
        self.hs: list[Any] = []

    def filled_in_place(self, x: Any) -> Any:
        self.hs = [x]
        for w in self.ws:
            self.hs.append(np.tanh(self.hs[-1] * w))
        return self.hs[-1]

    def filled_before(self, x: Any) -> Any:
        hs = [x]
        for w in self.ws:
            hs.append(np.tanh(hs[-1] * w))
        self.hs = hs
        return hs[-1]


@on(np.array([0.7, -1.2, 0.4]))
def held_list_set_in_a_loop_and_read_by_another_name(x):
    bag = Bag()
    for i in range(3):
        bag.items = bag.items + [x[i] * x[i]]  # noqa: RUF005
    items = bag.items
    return items[0] * items[1] + items[2]


@on(np.array([0.7, -1.2, 0.4]))
def held_list_set_and_read_by_another_name_in_a_loop(x):
    bag = Bag()
    for i in range(3):
        bag.items = [x[i], x[i] * 2.0]
        now = bag.items
        bag.total = bag.total + now[0] * now[1]
    return bag.total


@on(np.array([0.7, -1.2, 0.4]))
def held_list_whose_former_one_is_read_in_a_loop(x):
    bag = Bag()
    for i in range(3):
        old = bag.items
        bag.items = old + [x[i]]  # noqa: RUF005
        if len(old) > 1:
            bag.total += old[0] * old[1]
    return bag.total + sum(bag.items)


@on(np.array([0.7, -1.2, 0.4]))
def held_list_set_to_lists_that_loops_fill(x):
    bag = Bag()
    for i in range(3):
        items = []
        for j in range(i + 1):
            items.append(x[j] * x[i])
        bag.items = items
    last = bag.items
    return sum(last) + last[0] * x[2]


@on(np.array([0.7, -1.2, 0.4]))
def held_lists_of_a_chain(x):
    chain = Chain([x[0], x[1]])
    total = 0.0
    for k in range(2):
        y = chain.filled_before(x[2] * (k + 1))
        hs = chain.hs
        for h in hs:
            total += h * h
    return total + y


@on(np.array([0.7, -1.2, 0.4]))
def held_lists_of_a_chain_filled_in_place(x):
    chain = Chain([x[0], x[1]])
    return chain.filled_in_place(x[2]) * x[0]


@on(np.array([0.7, -1.2, 0.4]))
def held_lists_of_objects_in_a_list(x):
    bags = [Bag() for _ in range(2)]
    for bag in bags:
        items = [x[0]]
        for v in x:
            items.append(v * x[1])
        bag.items = items
    first = bags[0].items
    return np.sum(np.array(first)) * bags[1].items[2]


REFUSED = {
    "held_lists_of_a_chain_filled_in_place": "AG023",
    "attributes_of_objects_of_two_classes": "AG022",
    "methods_of_objects_of_two_classes": "AG022",
    "nodes_that_hold_one_another": "AG022",
    "held_list_whose_variable_is_bound_anew": "TypeError",
    "held_list_bound_anew_in_a_loop": "TypeError",
    "held_list_of_the_target_of_a_loop": "TypeError",
    "held_list_whose_variable_is_deleted": "TypeError",
    "held_list_of_a_parameter_bound_anew": "TypeError",
    "held_list_of_the_callers_bound_anew": "TypeError",
    "held_list_bound_anew_by_unpacking": "TypeError",
    "held_list_bound_anew_by_its_own_item": "TypeError",
    "held_list_bound_anew_in_a_branch": "AG023",
    "held_list_of_a_target_that_ends": "AG023",
    "held_list_read_again_after_it_is_bound_anew": "AG023",
    "held_list_that_a_dict_and_a_list_hold": "AG023",
    "held_array_whose_variable_is_bound_anew": "AG023",
    "one_list_of_two_objects": "TypeError",
    "one_list_of_two_objects_that_both_grow": "TypeError",
}
