"""Lists of the caller that a staged statement chooses, and that objects and containers of a table then hold.

A table has lists that the function makes. One of the caller would be a copy there, and what is written to it
lost.
"""

import autograph as ag
import numpy as np
import pytest


class Box:
    def __init__(self, value):
        self.value = value


def swapped_in_a_box(x, y, c, n):
    v, u = x, y
    for _ in range(n):
        v, u = u, v
    boxes = []
    for _ in range(n + 1):
        boxes.append(Box(v))
    return boxes[n].value


def chosen_in_a_box(x, y, c, n):
    v = x if c else y
    boxes = []
    for _ in range(n + 1):
        boxes.append(Box(v))
    return boxes[n].value


def chosen_by_an_if_in_a_box(x, y, c, n):
    if c:
        v = x
    else:
        v = y
    boxes = []
    for _ in range(n + 1):
        boxes.append(Box(v))
    return boxes[n].value


def in_a_box(x, y, c, n):
    boxes = []
    for _ in range(n + 1):
        boxes.append(Box(x))
    return boxes[n].value


def chosen_in_a_dict(x, y, c, n):
    v = x if c else y
    found = []
    for _ in range(n + 1):
        found.append({"a": v})
    return found[n]["a"]


def chosen_in_a_list(x, y, c, n):
    v = x if c else y
    found = []
    for _ in range(n + 1):
        found.append(v)
    return found[n]


def chosen_in_a_tuple(x, y, c, n):
    v = x if c else y
    found = []
    for i in range(n + 1):
        found.append((i, v))
    return found[n][1]


def chosen(x, y, c, n):
    return x if c else y


def appended(w):
    w.append(5)


def extended(w):
    w.extend(range(2))


def added(w):
    w += [1]


def added_a_range(w):
    w += range(2)


def replaced(w):
    w[0] = 1


def sliced(w):
    w[:] = [1]


def sorted_in_place(w):
    w.sort()


def repeated(w):
    w *= 2


def deleted(w):
    del w[0]


def popped(w):
    w.pop()


def cleared(w):
    w.clear()


PLACES = [
    *(swapped_in_a_box, chosen_in_a_box, chosen_by_an_if_in_a_box, in_a_box, chosen_in_a_dict),
    *(chosen_in_a_list, chosen_in_a_tuple, chosen),
]
CHANGES = [
    *(appended, extended, added, added_a_range, replaced, sliced, sorted_in_place, repeated),
    *(deleted, popped, cleared),
]


def changed(x, y, c, n, place, change):
    change(place(x, y, c, n))
    return list(x), list(y)


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
@pytest.mark.parametrize("place", PLACES, ids=lambda place: place.__name__)
def test_what_is_written_reaches_the_caller_or_is_refused(place, change):
    for c in (np.bool_(False), np.bool_(True)):
        for n in (np.int64(0), np.int64(1)):
            wanted = [3, 1, 2], [5, 4, 6]
            given = [3, 1, 2], [5, 4, 6]
            result = changed(*wanted, c, n, place, change)
            try:
                found = ag.function(changed)(*given, c, n, place, change)
            except ag.errors.StagingError as refused:
                assert refused.code in ("AG113", "AG121", "AG134"), refused
                assert given == ([3, 1, 2], [5, 4, 6])
                continue
            assert (found, given) == (result, wanted)


def test_lists_that_the_function_makes_are_held():
    def summed(xs, c, n):
        v = list(xs) if c else [0.0]
        boxes = []
        for i in range(n):
            boxes.append(Box(v))
            boxes[i].value.append(float(i))
        return boxes[0].value, sum(boxes[n - 1].value)

    for c in (np.bool_(False), np.bool_(True)):
        found = ag.function(summed)([1.0, 2.0], c, np.int64(3))
        assert found == summed([1.0, 2.0], c, 3)
