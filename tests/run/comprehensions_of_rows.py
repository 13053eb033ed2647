"""Comprehensions over staged arrays whose elements are lists, tuples, dicts and objects.

What they make is what the loop with `append` makes: rows that can be changed, tuples that are tuples.
"""

# run: joined_rows(V, np.int64(2))
# run: updated_row(V, np.int64(2))
# run: row_through_a_name(V, np.int64(2))
# run: pairs(V, np.int64(3))
# run: named_pairs(V, np.int64(3))
# run: nested_pairs(V, np.int64(3))
# run: merge_sort(V)
# run: merge_sort(V[:1])
# run: plain_rows(V)
# run: changed_dict(V, np.int64(1))
# run: list_in_a_tuple(V, np.int64(4))
# run: product(V, np.int64(2))
# run: changed_object(V, np.int64(2))
# run: array_of_rows(V)
# run: array_of_pairs(V)
# run: sum_over_pairs(V)
# run: one_row_for_all(V)
# run: rows_from_before(V, np.int64(2))
# run: filtered_rows(V)
# run: filtered_rows_of_rows(V)
# run: rows_of_rows(V, np.int64(1))
# run: popped_rows(V)
# run: appended_rows(V, np.int64(5))
# run: same_object_twice(V)
# run: sorted_rows(V)
# run: rows_in_a_loop(V)
# run: changed_objects_of_a_class(V, np.int64(2))
# run: array_of_changed_rows(V, np.int64(2))
# run: rows_changed_while_unpacked(V)
# run: sliced_rows(V, np.int64(2))
# run: from_a_generator(V, np.int64(2))
# run: from_a_map(V, np.int64(2))
# run: items_of_builtins(V, np.int64(2))
# run: item_of_a_table(np.int64(1), np.int64(0))
# run: row_of_a_table(np.int64(-1))
# raises: row_of_a_table(np.int64(3)) IndexError
# run: row_of_mixed_columns(np.int64(1))
# run: item_of_a_cube(np.int64(1))
# run: walked_row(np.int64(1), np.float64(2.0))
# run: copied_row(np.int64(1))
# run: row_of_an_argument([[1.0, 2.0], [3.0, 4.0]], np.int64(1))
# run: item_of_tuples(np.int64(1))
# run: item_that_may_be_none(np.int64(0))
# run: item_that_may_be_none(np.int64(1))
# run: tail_of_a_list([1.0, 2.0, 3.0], np.int64(1))

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

V = np.array([3.0, 1.0, 2.0, 5.0, 4.0, 0.0])
TABLE = [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]
MIXED = [[1, 2.0], [3, 4.0]]
CUBE = [[[1, 2], [3, 4]], [[5, 6], [7, 8]]]


class Pair(NamedTuple):
    value: float
    place: int


@dataclass
class Body:
    x: float
    v: float


def joined_rows(v, k):
    rows = [[x] for x in v]
    return rows[0] + rows[k]


def updated_row(v, k):
    rows = [[x] for x in v]
    rows[k][0] += 1.0
    return rows


def row_through_a_name(v, k):
    rows = [[x] for x in v]
    row = rows[k]
    row[0] = v[0] * 7
    return rows, row is rows[2]


def pairs(v, k):
    pairs = [(x, i) for i, x in enumerate(v)]
    return pairs[k], pairs[k][0]


def named_pairs(v, k):
    pairs = [Pair(x, i) for i, x in enumerate(v)]
    return tuple(pairs[k]), pairs[k].value, isinstance(pairs[k], Pair)


def nested_pairs(v, k):
    pairs = [((x, 2 * x), Pair(x, i)) for i, x in enumerate(v)]
    return pairs[k][0], tuple(pairs[k][1]), pairs[k][1].place


def merged(a, b):
    out = []
    i = j = 0
    while i < len(a) and j < len(b):
        if a[i] <= b[j]:
            out.append(a[i])
            i += 1
        else:
            out.append(b[j])
            j += 1
    return out + a[i:] + b[j:]


def merge_sort(v):
    runs = [[x] for x in v]
    while len(runs) > 1:
        longer = []
        for i in range(0, len(runs) - 1, 2):
            longer.append(merged(runs[i], runs[i + 1]))
        if len(runs) % 2:
            longer.append(runs[-1])
        runs = longer
    return runs[0]


def plain_rows(v):
    return [[x] for x in v]


def changed_dict(v, k):
    rows = [{"a": x, "b": 2 * x} for x in v]
    rows[k]["a"] = v[0]
    return rows


def list_in_a_tuple(v, k):
    rows = [(x, [x, x]) for x in v]
    rows[k][1].append(v[0])
    return rows


def product(v, k):
    rows = [[x * y for y in v] for x in v]
    rows[k][0] = v[0] * 100
    return rows


def changed_object(v, k):
    bodies = [Body(x, 2 * x) for x in v]
    bodies[k].x += 1.0
    return bodies[k].x, bodies[0].x, sum(body.v for body in bodies)


def array_of_rows(v):
    return np.array([[x, 2 * x] for x in v])


def array_of_pairs(v):
    return np.array([(x, 2 * x) for x in v]).sum(axis=0)


def sum_over_pairs(v):
    s = 0.0
    for a, b in [(x, i) for i, x in enumerate(v)]:
        s += a * b
    return s


def one_row_for_all(v):
    row = [v[0]]
    rows = [row for _ in v]
    rows[1].append(v[1])
    return rows, rows[0] is rows[1]


def rows_from_before(v, k):
    rows = [[x] for x in v]
    order = [rows[i] for i in range(len(v))]
    order[k].append(v[0])
    return rows


def filtered_rows(v):
    return [[x] for x in v if x > 1]


def filtered_rows_of_rows(v):
    return [[y for y in v if y > x] for x in v]


def rows_of_rows(v, k):
    rows = [[[x, 2 * x], [x]] for x in v]
    rows[k][1].append(v[0])
    return rows


def popped_rows(v):
    rows = [[x] for x in v]
    s = 0.0
    while rows and s < 8:
        s += rows.pop()[0]
    return s, rows


def appended_rows(v, k):
    rows = [[x] for x in v]
    for i in range(k):
        rows.append([v[i], v[i]])
    return rows


def same_object_twice(v):
    def both(x):
        row = [x]
        return (row, row)

    rows = [both(x) for x in v]
    rows[0][0].append(v[1])
    return rows[0], rows[0][0] is rows[0][1]


def sorted_rows(v):
    return sorted([(x, i) for i, x in enumerate(v)])


def rows_in_a_loop(v):
    s = 0.0
    for x in v:
        rows = [[x * y] for y in v]
        rows[1][0] += 1.0
        s += rows[1][0]
    return s


class Box:
    def __init__(self, x):
        self.x = x


def changed_objects_of_a_class(v, k):
    boxes = [Box(x) for x in v]
    boxes[k].x = v[0]
    return [box.x for box in boxes]


def array_of_changed_rows(v, k):
    rows = [[x, x] for x in v]
    rows[k][1] = v[0]
    return np.array(rows), np.sum(rows), np.stack(rows), np.array(rows)[k], np.mean(rows, axis=0)


def rows_changed_while_unpacked(v):
    rows = [(x, [2 * x]) for x in v]
    for x, row in rows:
        row.append(x)
    return rows


def sliced_rows(v, k):
    rows = [[x] for x in v]
    others = rows[:]
    others[0].append(v[1])
    return rows, others is rows, others[k] is rows[k]


def from_a_generator(v, k):
    rows = list([x] for x in v)
    rows[k].append(v[0])
    return rows, list((x, i) for i, x in enumerate(v))[k]


def from_a_map(v, k):
    rows = list(map(lambda x: [x], v))
    rows[k].append(v[0])
    return rows


def items_of_builtins(v, k):
    return list(zip(v, v * 2))[k], list(enumerate(v))[k], sorted([(x, i) for i, x in enumerate(v)])[k]


def item_of_a_table(i, j):
    return TABLE[i][j]


def row_of_a_table(i):
    return TABLE[i]


def row_of_mixed_columns(i):
    return MIXED[i]


def item_of_a_cube(i):
    return CUBE[i], CUBE[i][0], CUBE[i][1][0]


def walked_row(i, x):
    s = 0.0
    for w in TABLE[i]:
        s += w * x
    a, b = TABLE[i]
    return s, a + b * x, np.array(TABLE[i]) * x, sum(TABLE[i]), max(TABLE[i]), len(TABLE[i])


def copied_row(i):
    row = list(TABLE[i])
    row[0] = 9.0
    return row, TABLE[i]


def row_of_an_argument(rows, i):
    return rows[i], rows[i][0]


def item_of_tuples(i):
    return ((1, 2.0), (3, 4.0))[i], [(1, (2, 3)), (4, (5, 6))][i][1]


def item_that_may_be_none(i):
    x = [None, 1.0][i]
    return -1.0 if x is None else x


def tail_of_a_list(xs, k):
    return xs[k:]
