"""Lists, objects, dicts and arrays of open sizes in staged lists: programs that mean the same when staged.

Each program runs as Python and as a graph, on several inputs; the results are compared with their types,
and so is which of the objects in them are one and the same.
"""

from __future__ import annotations

import copy
import linecache
from typing import Any

import autograph as ag
import numpy as np
import pytest
from nested_programs import Writer
from nested_results import NUMBERS, agrees

# Lists of lists


def test_rows_that_a_loop_appends() -> None:
    def pairs(n: Any) -> Any:
        rows = []
        for i in range(n):
            rows.append([i, i + 1])
        return rows

    agrees(pairs, *NUMBERS)


def test_pascals_triangle() -> None:
    def pascal(n: Any) -> Any:
        rows: list[Any] = []
        for i in range(n):
            row = [1]
            for j in range(1, i):
                row.append(rows[i - 1][j - 1] + rows[i - 1][j])
            if i > 0:
                row.append(1)
            rows.append(row)
        return rows

    agrees(pascal, *NUMBERS)


GRAPHS = [
    (np.int64(6), np.array([0, 0, 1, 2, 3]), np.array([1, 2, 3, 3, 4])),
    (np.int64(1), np.array([0]), np.array([0])),
    (np.int64(4), np.array([], dtype=np.int64), np.array([], dtype=np.int64)),
]


def test_breadth_first_search() -> None:
    def bfs(n: Any, a: Any, b: Any) -> Any:
        graph: list[Any] = [[] for _ in range(n)]
        for k in range(len(a)):
            graph[a[k]].append(b[k])
            graph[b[k]].append(a[k])
        distance = [-1] * n
        queue = [0]
        distance[0] = 0
        head = 0
        while head < len(queue):
            u = queue[head]
            head += 1
            for v in graph[u]:
                if distance[v] < 0:
                    distance[v] = distance[u] + 1
                    queue.append(v)
        return distance, graph

    agrees(bfs, *GRAPHS)


def test_topological_order() -> None:
    def order_of(n: Any, a: Any, b: Any) -> Any:
        after: list[Any] = [[] for _ in range(n)]
        missing = [0] * n
        for k in range(len(a)):
            after[a[k]].append(b[k])
            missing[b[k]] += 1
        ready = [v for v in range(n) if missing[v] == 0]
        order = []
        while ready:
            u = ready.pop()
            order.append(u)
            for v in after[u]:
                missing[v] -= 1
                if missing[v] == 0:
                    ready.append(int(v))
        return order

    agrees(order_of, *GRAPHS)


def test_dijkstra_with_a_list_of_tuples() -> None:
    def shortest(n: Any, a: Any, b: Any, w: Any) -> Any:
        graph: list[Any] = [[] for _ in range(n)]
        for k in range(len(a)):
            graph[a[k]].append((b[k], w[k]))
        distance = [np.inf] * n
        distance[0] = 0.0
        waiting = [(0.0, 0)]
        while waiting:
            best = 0
            for i in range(len(waiting)):
                if waiting[i][0] < waiting[best][0]:
                    best = i
            d, u = waiting.pop(best)
            if d <= distance[u]:
                for v, weight in graph[u]:
                    if d + weight < distance[v]:
                        distance[v] = float(d + weight)
                        waiting.append((float(d + weight), int(v)))
        return distance

    a, b = np.array([0, 0, 1, 2, 1]), np.array([1, 2, 3, 3, 2])
    w = np.array([1.0, 4.0, 6.0, 1.5, 2.0])
    agrees(shortest, (np.int64(5), a, b, w), (np.int64(4), a, b, w))


def test_chunks_by_a_list_that_is_bound_anew() -> None:
    def chunks(x: Any, size: Any) -> Any:
        out = []
        current: list[Any] = []
        for v in x:
            if len(current) == size:
                out.append(current)
                current = []
            current.append(v)
        if current:
            out.append(current)
        return out

    agrees(
        chunks, (np.arange(10.0), np.int64(3)), (np.arange(0.0), np.int64(2)), (np.arange(3.0), np.int64(1))
    )


def test_merge_of_intervals() -> None:
    def merge(starts: Any, ends: Any) -> Any:
        merged: list[Any] = []
        for k in np.argsort(starts):
            if merged and starts[k] <= merged[-1][1]:
                merged[-1][1] = max(merged[-1][1], ends[k])
            else:
                merged.append([starts[k], ends[k]])
        return merged

    agrees(merge, (np.array([5, 1, 2, 9]), np.array([6, 3, 4, 10])), (np.array([1]), np.array([2])))


def test_sieve_by_buckets() -> None:
    def primes(n: Any) -> Any:
        factors: list[Any] = [[] for _ in range(n)]
        found = []
        for k in range(2, n):
            if len(factors[k]) == 0:
                found.append(k)
                for multiple in range(k, n, 1):
                    if multiple % k == 0:
                        factors[multiple].append(k)
        return found, factors

    agrees(primes, (np.int64(20),), (np.int64(0),), (np.int64(3),))


def test_k_means_with_lists_of_members() -> None:
    def clusters(x: Any) -> Any:
        centres = [0.0, 5.0, 9.0]
        members: list[Any] = []
        for _ in range(4):
            members = [[] for _ in range(3)]
            for i in range(len(x)):
                best = 0
                for k in range(3):
                    if abs(x[i] - centres[k]) < abs(x[i] - centres[best]):
                        best = k
                members[best].append(i)
            for k in range(3):
                total = 0.0
                for i in members[k]:
                    total += x[i]
                if members[k]:
                    centres[k] = float(total / len(members[k]))
        return members, centres

    agrees(clusters, (np.array([0.0, 1, 4, 5, 6, 9, 10, 11]),), (np.array([1.0]),))


def test_three_levels() -> None:
    def nest(n: Any) -> Any:
        outer = []
        for i in range(n):
            middle = []
            for j in range(i):
                middle.append([j] * j)
            outer.append(middle)
        total = 0
        for middle in outer:
            for inner in middle:
                for v in inner:
                    total += v
        if n > 2:
            outer[2][1].append(7)
        return outer, total

    agrees(nest, *NUMBERS)


def test_methods_of_a_list_in_a_list() -> None:
    def change(n: Any) -> Any:
        rows = [[3, 1, 2] for _ in range(n)]
        for i in range(n):
            rows[i].insert(1, i)
            rows[i].sort()
            if i % 2:
                del rows[i][0]
            else:
                rows[i].reverse()
            rows[i].extend([9, 8])
            rows[i][0] = 50
            rows[i][-1] += 1
            rows[i].remove(9)
        part = rows[1][1:3]
        part.append(1)
        last, first = rows[0].pop(), rows[0].pop(0)
        rows[0] += [4, 5]
        found = (50 in rows[1], rows[1].index(50), rows[2].count(3), max(rows[1]), sum(rows[2]))
        rows[2].clear()
        return rows, part, last, first, len(rows[0]), found, rows[0] == rows[1], rows[1] == list(rows[1])

    agrees(change, (np.int64(4),))


@pytest.mark.parametrize("index", [0, 5, -6])
def test_what_is_out_of_range(index: int) -> None:
    def read(n: Any) -> Any:
        rows = [[i] for i in range(n)]
        rows[0].pop()
        return rows[1][index]

    def pop(n: Any) -> Any:
        rows: list[Any] = [[] for _ in range(n)]
        rows[0].append(1.0)
        return rows[1].pop()

    agrees(read, (np.int64(3),))
    agrees(pop, (np.int64(3),))


def test_lists_that_nothing_is_put_into() -> None:
    def empty(n: Any) -> Any:
        rows: list[Any] = [[] for _ in range(n)]
        total = 0
        for row in rows:
            for v in row:
                total += v
        return rows, total

    agrees(empty, *NUMBERS)


def test_sizes_are_looked_at_anew_while_a_list_is_walked() -> None:
    def grow(n: Any) -> Any:
        rows = [[1, 2, 3] for _ in range(n)]
        count = 0
        for v in rows[0]:
            rows[1].append(v)
            count += 1
        return rows, count

    def shrink(n: Any) -> Any:
        rows = [[1, 2, 3] for _ in range(n)]
        for v in rows[0]:
            rows[0].append(v)
            if v > 1:
                break
        return rows

    agrees(grow, (np.int64(2),))
    agrees(shrink, (np.int64(2),))

    @ag.function
    def endless(n: Any) -> Any:
        rows = [[1, 2, 3] for _ in range(n)]
        for _ in rows[0]:
            if len(rows[0]) < 10:
                rows[0].append(1)
        return rows

    with pytest.raises(ag.GraphRuntimeError, match="gets longer while a staged loop walks it"):
        endless(np.int64(2))


# One object, several names


def test_names_of_one_list() -> None:
    def alias(n: Any) -> Any:
        rows: list[Any] = [[] for _ in range(n)]
        row = rows[0]
        for i in range(n):
            rows[i].append(i)
            row.append(-i)
        rows.append(row)
        rows[-1].append(100)
        return rows, row, rows[0] is rows[-1], rows[0] is rows[1], row in rows

    agrees(alias, (np.int64(3),), (np.int64(2),), (np.int64(0),))


def test_one_list_many_times() -> None:
    def shared(n: Any) -> Any:
        row = [0, 1]
        rows = []
        for _ in range(n):
            rows.append(row)
        row.append(5)
        other = [[0] * 2] * n
        for i in range(n):
            other[i][1] += 1
        return rows, row, other

    agrees(shared, *NUMBERS)


def test_copies_are_lists_of_their_own() -> None:
    def copies(n: Any) -> Any:
        rows = [[i] for i in range(n)]
        by_list, by_copy, by_module = list(rows[0]), rows[1].copy(), copy.copy(rows[2])
        deep, outer = copy.deepcopy(rows[1]), list(rows)
        for i in range(n):
            rows[i].append(9)
        outer.pop()
        return rows, by_list, by_copy, by_module, deep, outer

    agrees(copies, (np.int64(3),))


def test_a_list_that_a_staged_test_chooses() -> None:
    def choose(n: Any) -> Any:
        rows = [[i] for i in range(n)]
        row = rows[0] if n > 2 else rows[1]
        row.append(8)
        longest = rows[0]
        for one in rows:
            if len(one) > len(longest):
                longest = one
        longest.append(-1)
        return rows, row is longest

    agrees(choose, (np.int64(2),), (np.int64(5),))


def test_a_list_that_is_moved() -> None:
    def move(n: Any) -> Any:
        waiting = [[i] for i in range(n)]
        done: list[Any] = []
        while waiting:
            row = waiting.pop()
            row.append(len(done))
            done.append(row)
            if len(row) < 3:
                waiting.append(row)
        return done

    agrees(move, *NUMBERS)


def test_a_list_that_may_be_another_is_changed() -> None:
    def changed(x: Any) -> Any:
        steps = [x]
        found = [x, x]
        if x > 0:
            found = steps
        found.append(x)
        steps.append(-x)
        return steps, found, steps is found

    def item(x: Any) -> Any:
        xs = [x, 2.0 * x]
        ys = xs
        if x > 3:
            ys = [x, x]
        xs[1] += 1
        return ys, xs is ys

    def in_a_branch(x: Any) -> Any:
        steps = [x]
        found = [x, x]
        if x > 0:
            steps.append(x)
            found = steps
        return steps, found

    def two_names(x: Any) -> Any:
        one: list[Any] = []
        other: list[Any] = []
        if x > 0:
            one = other = [x]
        one.append(2.0 * x)
        return one, other

    for function in (changed, item, in_a_branch, two_names):
        agrees(function, (np.float64(4.0),), (np.float64(-1.0),))


def test_a_list_that_a_loop_binds_anew_is_changed() -> None:
    def window(n: Any) -> Any:
        kept = [0, 0]
        first = kept
        while n > 0:
            kept.pop(0)
            kept = [*kept, int(n)]
            n -= 1
        return kept, first

    def swap(n: Any) -> Any:
        a, b = [0], [1]
        for i in range(n):
            a.append(i)
            a, b = b, a
        return a, b

    agrees(window, *NUMBERS)
    agrees(swap, *NUMBERS)


def test_unpacking() -> None:
    def pairs(n: Any) -> Any:
        rows = [[i, 2 * i] for i in range(n)]
        total = 0
        for low, high in rows:
            total += low * high
        found = [low for low, _ in rows]
        return total, found

    def wrong(n: Any, size: int) -> Any:
        rows = [[i] * size for i in range(n)]
        one, two = rows[0]
        return one, two

    agrees(pairs, *NUMBERS)
    for size in (0, 1, 2, 3):
        agrees(wrong, (np.int64(3), size))


def test_an_object_twice_in_a_tuple_on_some_paths() -> None:
    def found_of(n: Any, c: Any) -> Any:
        found = {"n": n}
        while n > 0:
            return (found, found)
        if c:
            return (found, found)

    def around(n: Any, c: Any) -> Any:
        known = [1.0]

        def found_of(n: Any, c: Any) -> Any:
            if c:
                return (known, known)

        return found_of(n, c), known

    def in_a_loop(n: Any, c: Any) -> Any:
        found = [1.0]
        for _ in range(n):
            pair = (found, found)
        if c:
            pair = None
        return pair, found

    for function in (found_of, around, in_a_loop):
        agrees(function, *((np.int64(n), np.bool_(c)) for n in (0, 2) for c in (False, True)))


def test_a_list_in_a_tuple_on_some_paths() -> None:
    def found_of(n: Any) -> Any:
        found: list[Any] = []
        while n > 0:
            return (found, found)
        return None

    agrees(found_of, *NUMBERS)


def test_order_of_lists() -> None:
    def order(n: Any) -> Any:
        rows = [[i % 3, -i] for i in range(n)]
        longer = [[1] * i for i in range(n)]
        first, other = rows[0], longer[0]
        ordered = (
            sorted(rows),
            min(rows),
            max(rows),
            sorted(rows, reverse=True),
            sorted(longer, reverse=True),
        )
        rows.sort()
        return ordered, rows, first < other, first <= other, first > other, first >= first, [0] < first

    agrees(order, (np.int64(5),), (np.int64(1),))

    def of_tuples(n: Any) -> Any:
        rows = [(i % 2, [-i, 5]) for i in range(n)]
        rows.sort()
        return rows

    agrees(of_tuples, *NUMBERS)

    @ag.function
    def of_nan(n: Any) -> Any:
        rows = [[np.nan * i] for i in range(n)]
        return sorted(rows)

    with pytest.raises(ValueError, match="`sorted` of NaN in a staged function"):
        of_nan(np.int64(2))


@pytest.mark.parametrize("seed", range(24))
def test_random_programs(seed: int) -> None:
    text, name = Writer(seed).text(), f"<nested program {seed}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    space: dict[str, Any] = {"__name__": "nested_program"}
    exec(compile(text, name, "exec"), space)
    agrees(space["program"], *[(np.int64(n), np.int64(m)) for n, m in ((3, 2), (0, 1), (5, 0))])


# Arrays of open sizes


def test_masked_parts() -> None:
    def parts_of(x: Any, n: Any) -> Any:
        parts = []
        for k in range(n):
            parts.append(x[x > k])
        total = 0.0
        for part in parts:
            total += float(part.sum())
        return parts, np.concatenate(parts), np.hstack(parts), parts[-1], len(parts[0]), total

    x = np.array([0.5, 1.5, 2.5, 3.5, 1.2])
    agrees(parts_of, (x, np.int64(3)), (x, np.int64(1)), (x[:0], np.int64(2)), (x, np.int64(0)))


def test_halves() -> None:
    def halves(x: Any, n: Any) -> Any:
        parts = [x]
        while n > 0:
            part = parts.pop(0)
            middle = len(part) // 2
            parts.append(part[:middle])
            parts.append(part[middle:])
            n -= 1
        return parts

    agrees(halves, (np.arange(10.0), np.int64(5)), (np.arange(10.0), np.int64(0)))


def test_rows_and_matrices_of_open_sizes() -> None:
    def rows_of(x: Any, n: Any) -> Any:
        found = []
        for i in range(n):
            found.append(x[x[:, 0] > i])
        return found, np.concatenate(found), found[-1].sum(axis=0)

    def squares(n: Any) -> Any:
        found = []
        for i in range(n):
            found.append(np.ones((i, i + 1)) * i)
        return found

    agrees(rows_of, (np.arange(8.0).reshape(4, 2), np.int64(4)))
    agrees(squares, *NUMBERS)


def test_arrays_of_open_sizes_beside_others() -> None:
    def mixed(x: Any, n: Any) -> Any:
        pairs, optional, lists, rows = [], [], [], []
        for i in range(n):
            pairs.append((i, x[x > i]))
            if i % 2 == 0:
                optional.append(None)
            else:
                optional.append(x[x < i])
            lists.append([x[x > i], x])
            rows.append({"i": i, "x": x[x > i]})
        rows[0]["x"] = x
        lists[0].append(x[:1])
        return pairs, optional, lists, rows

    x = np.array([0.5, 1.5, 2.5, 3.5, 1.2])
    agrees(mixed, (x, np.int64(3)), (x[:2], np.int64(1)))


def test_arrays_of_one_open_size_are_stacked() -> None:
    def stack(x: Any, n: Any) -> Any:
        positive = x[x > 0]
        rows = []
        for i in range(n):
            rows.append(positive * i)
        return np.stack(rows), np.array(rows).sum(axis=0), np.vstack(rows)

    agrees(stack, (np.array([1.0, -1.0, 2.0]), np.int64(3)))

    @ag.function
    def ragged(x: Any, n: Any) -> Any:
        rows = []
        for i in range(n):
            rows.append(x[x > i])
        return np.stack(rows)

    with pytest.raises(ValueError, match="all input arrays must have the same shape"):
        ragged(np.array([0.5, 1.5]), np.int64(2))


def test_none_alone() -> None:
    def nothing(n: Any) -> Any:
        found = []
        for _ in range(n):
            found.append(None)
        return found, len(found)

    agrees(nothing, *NUMBERS)


def test_what_is_the_same_in_all_elements() -> None:
    def labelled(n: Any) -> Any:
        found = []
        for i in range(n):
            found.append((i, ("a", None), ()))
        return found

    agrees(labelled, *NUMBERS)


def test_a_hundred_thousand_appends_to_lists_in_a_list() -> None:
    @ag.function
    def appends(n: Any, count: Any) -> Any:
        rows: list[Any] = [[] for _ in range(n)]
        for i in range(count):
            rows[i % n].append(i)
        total = 0
        for row in rows:
            total += len(row)
        return total

    assert appends(np.int64(100), np.int64(1000)) == 1000
    assert appends(np.int64(100), np.int64(100_000)) == 100_000
