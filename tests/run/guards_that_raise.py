# run: a_dict(V, np.bool_(True))
# raises: a_dict(V, np.bool_(False)) ValueError
# run: an_object(V, np.bool_(True))
# raises: an_object(V, np.bool_(False)) ValueError
# run: a_plain_object(V, np.bool_(True))
# raises: a_plain_object(V, np.bool_(False)) ValueError
# run: a_dict_in_a_tuple(V, np.bool_(True))
# raises: a_dict_in_a_tuple(V, np.bool_(False)) ValueError
# run: changed_afterwards(V, np.bool_(True))
# run: a_list(V, np.bool_(True))
# raises: a_list(V, np.bool_(False)) ValueError
# run: a_function(V, np.bool_(True))
# raises: a_function(V, np.bool_(False)) ValueError
# run: of_outer_values(V, np.bool_(True))
# raises: of_outer_values(V, np.bool_(False)) ValueError
"""What one branch makes is used behind the statement, and the other branch raises."""

from dataclasses import dataclass

import numpy as np

V = np.array([1.0, 2.0])


@dataclass
class Box:
    value: object


class Plain:
    def __init__(self, value):
        self.value = value


def a_dict(x, c):
    if c:
        found = {"a": x * 2}
    else:
        raise ValueError("nothing")
    return found["a"] + 1


def an_object(x, c):
    if c:
        found = Box(x * 2)
    else:
        raise ValueError("nothing")
    return found.value + 1


def a_plain_object(x, c):
    if c:
        found = Plain(x * 2)
    else:
        raise ValueError("nothing")
    return found.value + 1


def a_dict_in_a_tuple(x, c):
    if c:
        found = (x * 2, {"b": x * 3})
    else:
        raise ValueError("nothing")
    return found[1]["b"] + found[0]


def changed_afterwards(x, c):
    if c:
        found = {"a": x * 2, "n": 1}
    else:
        raise ValueError("nothing")
    same = found
    same["n"] = 5
    return found["n"], found["a"]


def a_list(x, c):
    if c:
        found = [x * 2, x * 3]
    else:
        raise ValueError("nothing")
    found.append(x)
    return found


def a_function(x, c):
    if c:
        y = x * 2

        def found(z):
            return y * z

    else:
        raise ValueError("nothing")
    return found(2.0)


def of_outer_values(x, c):
    y = x * 2
    outer = {"a": y}
    if c:
        found = outer
    else:
        raise ValueError("nothing")
    return found["a"], found is outer
