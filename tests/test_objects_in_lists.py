"""Objects of the program and dicts in staged lists, and bound by staged statements."""

from __future__ import annotations

import copy
import dataclasses
from dataclasses import dataclass
from typing import Any

import autograph as ag
import numpy as np
import pytest
from nested_results import NUMBERS, agrees


@dataclass
class Particle:
    """A point that moves."""

    x: Any
    v: Any

    def step(self, dt: float) -> Particle:
        """Moves it."""
        self.x = self.x + self.v * dt
        return self

    @property
    def energy(self) -> Any:
        """Half of `v` squared."""
        return 0.5 * self.v * self.v


class Node:
    """A node of a linked list or a tree."""

    def __init__(self, value: Any, next: Any = None) -> None:
        self.value = value
        self.next = next


class Slotted:
    """Attributes in slots."""

    __slots__ = ("a", "b")

    def __init__(self, a: Any) -> None:
        self.a = a
        self.b = a * 2


class Secretive(Slotted):
    """Slots whose names the class mangles, one that hides its base's, and a ``__dict__``."""

    __slots__ = ("__dict__", "__secret", "a")

    def __init__(self, a: Any) -> None:
        super().__init__(a)
        self.__secret = a + 1
        self.c = 3

    def told(self) -> Any:
        """What only a method reads."""
        self.__secret += self.c
        return self.__secret * self.a + self.b


# Objects and dicts


def test_particles() -> None:
    def simulate(n: Any, dt: Any) -> Any:
        particles = []
        for i in range(n):
            particles.append(Particle(0.5 * i, 1.0 - i))
        for _ in range(3):
            for p in particles:
                p.x += p.v * dt
                p.step(dt).v *= 0.9
        total = 0.0
        for p in particles:
            total += p.energy
        return particles, total

    agrees(simulate, *[(n, 0.1) for (n,) in NUMBERS])


def test_the_best_object() -> None:
    def best_of(n: Any) -> Any:
        particles = [Particle(i, (i * 7) % 5) for i in range(n)]
        best = None
        for p in particles:
            if best is None or p.v > best.v:
                best = p
        if best is not None:
            best.x = -1
        ordered = sorted(particles, key=lambda p: p.v)
        return best, ordered, particles, best is None

    agrees(best_of, *NUMBERS)

    def largest(n: Any) -> Any:
        particles = [Particle(i, (i * 7) % 5) for i in range(n)]
        found = max(particles, key=lambda p: p.v)
        return found, found is particles[0], isinstance(found, Particle), type(found) is Particle

    agrees(largest, (np.int64(4),), (np.int64(1),))


def test_objects_in_slots() -> None:
    def sums(n: Any) -> Any:
        made = []
        for i in range(n):
            one = Slotted(i)
            made.append(one)
            one.b += 1
        return sum(one.a * one.b for one in made)

    agrees(sums, *NUMBERS)


def test_objects_in_private_slots() -> None:
    def sums(n: Any) -> Any:
        made = [Secretive(0)]
        for i in range(n):
            made.append(Secretive(i))
        chosen = made[0] if n > 2 else Secretive(n)
        return sum(one.told() for one in made), chosen.told(), chosen.told()

    agrees(sums, *NUMBERS)


def test_a_linked_list_is_made_and_reversed() -> None:
    def reverse(n: Any) -> Any:
        head = None
        for i in range(n):
            head = Node(i, head)
        before = None
        node = head
        while node is not None:
            after = node.next
            node.next = before
            before = node
            node = after
        found = []
        while before is not None:
            found.append(before.value)
            before = before.next
        return found

    agrees(reverse, *NUMBERS)


def test_a_search_tree_is_made() -> None:
    def order(x: Any) -> Any:
        root = None
        for v in x:
            if root is None:
                root = {"key": v, "less": None, "more": None}
            else:
                node = root
                is_placed = False
                while not is_placed:
                    if v < node["key"]:
                        if node["less"] is None:
                            node["less"] = {"key": v, "less": None, "more": None}
                            is_placed = True
                        else:
                            node = node["less"]
                    elif node["more"] is None:
                        node["more"] = {"key": v, "less": None, "more": None}
                        is_placed = True
                    else:
                        node = node["more"]
        return root

    agrees(order, (np.array([3.0, 1.0, 4.0, 1.5, 9.0]),), (np.array([1.0]),), (np.array([]),))


def test_run_lengths_as_dicts() -> None:
    def runs_of(x: Any) -> Any:
        runs: list[Any] = []
        for v in x:
            if runs and runs[-1]["value"] == v:
                runs[-1]["count"] += 1
            else:
                runs.append({"value": v, "count": 1})
        return runs

    agrees(runs_of, (np.array([1, 1, 2, 2, 2, 3, 1]),), (np.array([5]),), (np.array([], dtype=np.int64),))


def test_methods_of_a_dict_in_a_list() -> None:
    def use(n: Any) -> Any:
        rows = []
        for i in range(n):
            rows.append({"a": i, "b": 0.5 * i, "kids": []})
            rows[i // 2]["kids"].append(i)
        first = rows[0]
        first.update(a=10)
        again = first.copy()
        first["b"] = 7.5
        total = sum(row.get("a", 0) for row in rows) + first.get("z", 3)
        return rows, len(first), "a" in first, list(first), next(iter(first.items())), again["b"], total

    agrees(use, (np.int64(4),), (np.int64(1),), (np.int64(0),))


def test_variables_that_are_objects() -> None:
    def fibonacci(n: Any) -> Any:
        pair = Particle(0, 1)
        for _ in range(n):
            pair = Particle(pair.v, pair.x + pair.v)
        return pair

    def choose(n: Any) -> Any:
        a, b = Particle(1, 2), Particle(3, 4)
        c = a if n > 2 else b
        c.x = 9
        return a, b, c

    agrees(fibonacci, *NUMBERS)
    agrees(choose, *NUMBERS)


def test_replaced_objects() -> None:
    def older(n: Any) -> Any:
        particles = [Particle(i, 2 * i) for i in range(n)]
        moved = [dataclasses.replace(p, x=p.x + 1) for p in particles]
        for p in particles:
            p.v += 1
        return particles, moved

    agrees(older, *NUMBERS)


def test_arrays_in_objects() -> None:
    def simulate(n: Any) -> Any:
        particles = []
        for i in range(n):
            particles.append(Particle(np.ones(3) * i, np.zeros(3)))
        for p in particles:
            p.v = p.v + p.x
        return particles

    agrees(simulate, *NUMBERS)


def test_copies_of_objects() -> None:
    def copies(n: Any) -> Any:
        particles = [Particle(i, 2 * i) for i in range(n)]
        one, deep = copy.copy(particles[0]), copy.deepcopy(particles[0])
        particles[0].x = 50
        return particles, one, deep, one is particles[0]

    agrees(copies, (np.int64(3),))


def test_recursion_reads_objects() -> None:
    def total(node: Any) -> Any:
        return node.value + total(node.next) if node is not None else 0

    def chain(n: Any) -> Any:
        head = None
        for i in range(n):
            head = Node(i, head)
        return total(head)

    def sum_of(values: Any, start: Any) -> Any:
        if start == len(values):
            return 0
        return values[start] + sum_of(values, start + 1)

    def rows(n: Any) -> Any:
        made = [[i, 2 * i] for i in range(n)]
        result = 0
        for row in made:
            result += sum_of(row, 0)
        return result

    def last(node: Any) -> Any:
        if node.next is None:
            return node
        return last(node.next)

    def end(n: Any) -> Any:
        head = Node([0])
        for i in range(n):
            head = Node([i], head)
        found = last(head)
        found.value.append(5)
        return head, found

    agrees(chain, *NUMBERS)
    agrees(rows, *NUMBERS)
    agrees(end, *NUMBERS)


def test_print(capsys: pytest.CaptureFixture[str]) -> None:
    def show(n: Any) -> Any:
        rows = [{"a": i, "l": [i]} for i in range(n)]
        points = [[Particle(i, None)] for i in range(n)]
        print(rows[0], rows, points[1], f"{points} {rows[1]}", points[0][0])
        return n

    show(np.int64(2))
    expected = capsys.readouterr().out
    ag.function(show)(np.int64(2))
    assert capsys.readouterr().out == expected


def test_early_return_of_an_element() -> None:
    def first_long(n: Any) -> Any:
        rows = [[j for j in range(i)] for i in range(n)]
        for row in rows:
            if len(row) == 2:
                return row
        return None

    agrees(first_long, *NUMBERS)


def test_classes_of_the_function() -> None:
    def use(n: Any) -> Any:
        class Counter:
            start = 3

            def __init__(self, value: Any) -> None:
                self.count = value

            def up(self) -> Any:
                self.count += self.start
                return self

            @property
            def double(self) -> Any:
                return 2 * self.count

            @double.setter
            def double(self, value: Any) -> None:
                self.count = value // 2

        counters = [Counter(i) for i in range(n)]
        for counter in counters:
            counter.up().up()
            counter.double = counter.double + 10
        return [counter.count for counter in counters], sum(counter.double for counter in counters)

    agrees(use, *NUMBERS)


def test_equality_of_objects() -> None:
    def compare(n: Any) -> Any:
        particles = [Particle(i % 2, 1) for i in range(n)]
        nodes = [Node(i % 2) for i in range(n)]
        first, other = particles[0], nodes[0]
        same = [p == first for p in particles]
        again = [node == other for node in nodes]
        return same, again, [p != first for p in particles], particles[0].x == nodes[0].value

    agrees(compare, (np.int64(4),), (np.int64(1),))


def build(count: Any) -> Any:
    """A linked list, made by recursion."""
    return Node(count, build(count - 1)) if count > 0 else None


def tree(low: Any, high: Any) -> Any:
    """A search tree of the numbers between."""
    if low >= high:
        return None
    middle = (low + high) // 2
    return {"key": middle, "less": tree(low, middle), "more": tree(middle + 1, high)}


def in_order(node: Any, found: Any) -> None:
    """Appends the keys of a tree."""
    if node is not None:
        in_order(node["less"], found)
        found.append(node["key"])
        in_order(node["more"], found)


def insert(node: Any, key: Any) -> Any:
    """A sorted linked list with one key more."""
    if node is None:
        return Node(key)
    if key > node.value:
        node.next = insert(node.next, key)
    else:
        return Node(key, node)
    return node


def test_recursion_makes_objects() -> None:
    def keys(n: Any) -> Any:
        found: list[Any] = []
        whole = tree(0, int(n))
        in_order(whole, found)
        return whole, found

    def inserted(x: Any) -> Any:
        root = None
        for key in x:
            root = insert(root, key)
        return root

    agrees(lambda n: build(int(n)), *NUMBERS)
    agrees(keys, *NUMBERS)
    agrees(inserted, (np.array([3, 1, 4, 1, 5]),), (np.array([1]),))


def test_recursion_writes_to_what_is_around_it() -> None:
    def hanoi(n: Any) -> Any:
        moves = []
        counter = Particle(0, 0)

        def move(count: Any, start: int, end: int, between: int) -> None:
            counter.x += 1
            if count > 0:
                move(count - 1, start, between, end)
                moves.append((start, end))
                move(count - 1, between, end, start)

        move(int(n), 0, 2, 1)
        return moves, counter.x

    def subsets(n: Any) -> Any:
        found = []

        def go(k: Any, chosen: Any) -> None:
            if k == n:
                found.append(list(chosen))
            else:
                go(k + 1, chosen)
                chosen.append(k)
                go(k + 1, chosen)
                chosen.pop()

        go(0, [])
        return found

    agrees(hanoi, (np.int64(3),), (np.int64(0),))
    agrees(subsets, (np.int64(4),), (np.int64(0),))


def test_depth_first_order() -> None:
    def order_of(n: Any, a: Any, b: Any) -> Any:
        graph: list[Any] = [[] for _ in range(n)]
        for k in range(len(a)):
            graph[a[k]].append(int(b[k]))
        is_seen = [False for _ in range(n)]
        order: list[Any] = []

        def visit(u: Any) -> None:
            is_seen[u] = True
            for v in graph[u]:
                if not is_seen[v]:
                    visit(v)
            order.append(u)

        for u in range(n):
            if not is_seen[u]:
                visit(u)
        return order

    agrees(order_of, (np.int64(6), np.array([0, 0, 1, 2, 4]), np.array([1, 2, 3, 3, 5])))
