"""Functions whose `return`s give several shapes: `None` beside tuples, in them, after the last `return`."""

# run: tuple_or_none_in_a_tuple(np.array([1.0, 3.0, 2.0]))
# run: tuple_or_none_in_a_tuple(np.array([3.0, 3.0, 2.0]))
# run: tuple_or_none_in_a_tuple(np.array([1.0, 1.0, 2.0]))
# run: tuple_or_none_in_a_tuple(np.array([1.0, 0.25, 3.0]))
# run: none_or_tuple(np.array([1.0, 3.0, 2.0]))
# run: none_or_tuple(np.array([3.0, 3.0, 2.0]))
# run: none_or_tuple(np.array([1.0, 1.0, 2.0]))
# run: none_or_tuple(np.array([1.0, 0.25, 3.0]))
# run: none_in_two_places(np.array([1.0, 3.0, 2.0]))
# run: none_in_two_places(np.array([3.0, 3.0, 2.0]))
# run: none_in_two_places(np.array([1.0, 1.0, 2.0]))
# run: none_in_two_places(np.array([1.0, 0.25, 3.0]))
# run: dicts_of_the_same_keys(np.array([1.0, 3.0, 2.0]))
# run: dicts_of_the_same_keys(np.array([3.0, 3.0, 2.0]))
# run: dicts_of_the_same_keys(np.array([1.0, 1.0, 2.0]))
# run: dicts_of_the_same_keys(np.array([1.0, 0.25, 3.0]))
# run: lists_of_several_lengths(np.array([1.0, 3.0, 2.0]))
# run: lists_of_several_lengths(np.array([3.0, 3.0, 2.0]))
# run: lists_of_several_lengths(np.array([1.0, 1.0, 2.0]))
# run: lists_of_several_lengths(np.array([1.0, 0.25, 3.0]))
# run: named_in_a_loop(np.array([1.0, 3.0, 2.0]))
# run: named_in_a_loop(np.array([3.0, 3.0, 2.0]))
# run: named_in_a_loop(np.array([1.0, 1.0, 2.0]))
# run: named_in_a_loop(np.array([1.0, 0.25, 3.0]))
# run: nested_none(np.array([1.0, 3.0, 2.0]))
# run: nested_none(np.array([3.0, 3.0, 2.0]))
# run: nested_none(np.array([1.0, 1.0, 2.0]))
# run: nested_none(np.array([1.0, 0.25, 3.0]))
# run: none_in_a_nested_tuple(np.array([1.0, 3.0, 2.0]))
# run: none_in_a_nested_tuple(np.array([3.0, 3.0, 2.0]))
# run: none_in_a_nested_tuple(np.array([1.0, 1.0, 2.0]))
# run: none_in_a_nested_tuple(np.array([1.0, 0.25, 3.0]))
# run: named_from_a_while(np.array([1.0, 3.0, 2.0]))
# run: named_from_a_while(np.array([3.0, 3.0, 2.0]))
# run: named_from_a_while(np.array([1.0, 1.0, 2.0]))
# run: named_from_a_while(np.array([1.0, 0.25, 3.0]))
# run: named_bound_in_a_loop(np.array([1.0, 3.0, 2.0]))
# run: named_bound_in_a_loop(np.array([3.0, 3.0, 2.0]))
# run: named_bound_in_a_loop(np.array([1.0, 1.0, 2.0]))
# run: named_bound_in_a_loop(np.array([1.0, 0.25, 3.0]))
# run: empty_tuple_or_none(np.array([1.0, 3.0, 2.0]))
# run: empty_tuple_or_none(np.array([3.0, 3.0, 2.0]))
# run: empty_tuple_or_none(np.array([1.0, 1.0, 2.0]))
# run: empty_tuple_or_none(np.array([1.0, 0.25, 3.0]))
# run: flag_and_pair(np.array([1.0, 3.0, 2.0]))
# run: flag_and_pair(np.array([3.0, 3.0, 2.0]))
# run: flag_and_pair(np.array([1.0, 1.0, 2.0]))
# run: flag_and_pair(np.array([1.0, 0.25, 3.0]))
# run: value_and_named(np.array([1.0, 3.0, 2.0]))
# run: value_and_named(np.array([3.0, 3.0, 2.0]))
# run: value_and_named(np.array([1.0, 1.0, 2.0]))
# run: value_and_named(np.array([1.0, 0.25, 3.0]))
# run: list_or_none_in_a_tuple(np.array([1.0, 3.0, 2.0]))
# run: list_or_none_in_a_tuple(np.array([3.0, 3.0, 2.0]))
# run: list_or_none_in_a_tuple(np.array([1.0, 1.0, 2.0]))
# run: list_or_none_in_a_tuple(np.array([1.0, 0.25, 3.0]))
# run: none_in_a_dict(np.array([1.0, 3.0, 2.0]))
# run: none_in_a_dict(np.array([3.0, 3.0, 2.0]))
# run: none_in_a_dict(np.array([1.0, 1.0, 2.0]))
# run: none_in_a_dict(np.array([1.0, 0.25, 3.0]))
# run: falls_off_after_a_pair(np.array([1.0, 3.0, 2.0]))
# run: falls_off_after_a_pair(np.array([3.0, 3.0, 2.0]))
# run: falls_off_after_a_pair(np.array([1.0, 1.0, 2.0]))
# run: falls_off_after_a_pair(np.array([1.0, 0.25, 3.0]))
# run: falls_off_after_none(np.array([1.0, 3.0, 2.0]))
# run: falls_off_after_none(np.array([3.0, 3.0, 2.0]))
# run: falls_off_after_none(np.array([1.0, 1.0, 2.0]))
# run: falls_off_after_none(np.array([1.0, 0.25, 3.0]))
# run: falls_off_after_two(np.array([1.0, 3.0, 2.0]))
# run: falls_off_after_two(np.array([3.0, 3.0, 2.0]))
# run: falls_off_after_two(np.array([1.0, 1.0, 2.0]))
# run: falls_off_after_two(np.array([1.0, 0.25, 3.0]))
# run: falls_off_after_mixed(np.array([1.0, 3.0, 2.0]))
# run: falls_off_after_mixed(np.array([3.0, 3.0, 2.0]))
# run: falls_off_after_mixed(np.array([1.0, 1.0, 2.0]))
# run: falls_off_after_mixed(np.array([1.0, 0.25, 3.0]))
# run: falls_off_after_named(np.array([1.0, 3.0, 2.0]))
# run: falls_off_after_named(np.array([3.0, 3.0, 2.0]))
# run: falls_off_after_named(np.array([1.0, 1.0, 2.0]))
# run: falls_off_after_named(np.array([1.0, 0.25, 3.0]))
# run: falls_off_after_nested_named(np.array([1.0, 3.0, 2.0]))
# run: falls_off_after_nested_named(np.array([3.0, 3.0, 2.0]))
# run: falls_off_after_nested_named(np.array([1.0, 1.0, 2.0]))
# run: falls_off_after_nested_named(np.array([1.0, 0.25, 3.0]))
# run: falls_off_or_none(np.array([1.0, 3.0, 2.0]))
# run: falls_off_or_none(np.array([3.0, 3.0, 2.0]))
# run: falls_off_or_none(np.array([1.0, 1.0, 2.0]))
# run: falls_off_or_none(np.array([1.0, 0.25, 3.0]))
# run: falls_off_after_a_list(np.array([1.0, 3.0, 2.0]))
# run: falls_off_after_a_list(np.array([3.0, 3.0, 2.0]))
# run: falls_off_after_a_list(np.array([1.0, 1.0, 2.0]))
# run: falls_off_after_a_list(np.array([1.0, 0.25, 3.0]))
# run: falls_off_after_a_complex(np.array([1.0, 3.0, 2.0]))
# run: falls_off_after_a_complex(np.array([3.0, 3.0, 2.0]))
# run: falls_off_after_a_complex(np.array([1.0, 1.0, 2.0]))
# run: falls_off_after_a_complex(np.array([1.0, 0.25, 3.0]))
# run: falls_off_after_dicts(np.array([1.0, 3.0, 2.0]))
# run: falls_off_after_dicts(np.array([3.0, 3.0, 2.0]))
# run: falls_off_after_dicts(np.array([1.0, 1.0, 2.0]))
# run: falls_off_after_dicts(np.array([1.0, 0.25, 3.0]))
# run: falls_off_after_nothing_else(np.array([1.0, 3.0, 2.0]))
# run: falls_off_after_nothing_else(np.array([3.0, 3.0, 2.0]))
# run: falls_off_after_nothing_else(np.array([1.0, 1.0, 2.0]))
# run: falls_off_after_nothing_else(np.array([1.0, 0.25, 3.0]))
# run: falls_off_after_nested_none(np.array([1.0, 3.0, 2.0]))
# run: falls_off_after_nested_none(np.array([3.0, 3.0, 2.0]))
# run: falls_off_after_nested_none(np.array([1.0, 1.0, 2.0]))
# run: falls_off_after_nested_none(np.array([1.0, 0.25, 3.0]))
# run: list_in_a_tuple_from_a_while(np.array([1.0, 3.0, 2.0]))
# run: list_in_a_tuple_from_a_while(np.array([3.0, 3.0, 2.0]))
# run: list_in_a_tuple_from_a_while(np.array([1.0, 1.0, 2.0]))
# run: list_in_a_tuple_from_a_while(np.array([1.0, 0.25, 3.0]))
# run: nested_ifs(np.array([1.0, 3.0, 2.0]))
# run: nested_ifs(np.array([3.0, 3.0, 2.0]))
# run: nested_ifs(np.array([1.0, 1.0, 2.0]))
# run: nested_ifs(np.array([1.0, 0.25, 3.0]))
# run: falls_off_after_empty(np.array([1.0, 3.0, 2.0]))
# run: falls_off_after_empty(np.array([3.0, 3.0, 2.0]))
# run: falls_off_after_empty(np.array([1.0, 1.0, 2.0]))
# run: falls_off_after_empty(np.array([1.0, 0.25, 3.0]))
# run: tuple_of_one_or_none(np.array([1.0, 3.0, 2.0]))
# run: tuple_of_one_or_none(np.array([3.0, 3.0, 2.0]))
# run: tuple_of_one_or_none(np.array([1.0, 1.0, 2.0]))
# run: tuple_of_one_or_none(np.array([1.0, 0.25, 3.0]))

from difflib import Match  # a class of named tuples, one for all who import this

import numpy as np  # noqa: F401


def tuple_or_none_in_a_tuple(v):
    for i in range(len(v)):
        if v[i] > 2:
            return (i, i), 7
    return None, 5


def none_or_tuple(v):
    if v[0] > 2:
        return None
    return (v[0], v[1])


def none_in_two_places(v):
    if v[0] > 2:
        return (None, v[0])
    return (v[0], None)


def dicts_of_the_same_keys(v):
    for x in v:
        if x > 2:
            return {"a": x, "b": 1}
    return {"a": v[0], "b": 2}


def lists_of_several_lengths(v):
    for x in v:
        if x > 2:
            return [x, x]
    return [v[0]]


def named_in_a_loop(v):
    for x in v:
        if x > 2:
            return Match(x, (x, x), 3)
    return None


def nested_none(v):
    for x in v:
        if x > 2:
            return ((x, None), 3)
    return ((None, 2), 3)


def none_in_a_nested_tuple(v):
    for i in range(len(v)):
        if v[i] > 2:
            return (i, i), 7
    return (None, i), 5


def named_from_a_while(v):
    while v[0] > 0:
        if v[0] > 2:
            return Match(v[0], 1, 4)
        v = v - 1
    return None


def named_bound_in_a_loop(v):
    r = None
    for x in v:
        if x > 2:
            r = Match(x, x, 4)
    return r


def empty_tuple_or_none(v):
    for x in v:
        if x > 2:
            return (), 1
    return None, 2


def flag_and_pair(v):
    for x in v:
        if x > 2:
            return True, (x, x)
    return False, None


def value_and_named(v):
    for x in v:
        if x > 2:
            return x, Match(x, x, 4)
    return v[0], None


def list_or_none_in_a_tuple(v):
    for x in v:
        if x > 2:
            return (x, [x, x])
    return (v[0], None)


def none_in_a_dict(v):
    for x in v:
        if x > 2:
            return {"a": (x, x)}
    return {"a": None}


def falls_off_after_a_pair(v):
    for i in range(len(v)):
        if v[i] > 2:
            return (i, i), 7


def falls_off_after_none(v):
    for i in range(len(v)):
        if v[i] > 2:
            return (i, i), None


def falls_off_after_two(v):
    for i in range(len(v)):
        if v[i] > 2:
            return (i, i), None
        if v[i] < 0.5:
            return None, None


def falls_off_after_mixed(v):
    for i in range(len(v)):
        if v[i] > 2:
            return (i, i), None
        if v[i] < 0.5:
            return None, i


def falls_off_after_named(v):
    for x in v:
        if x > 2:
            return Match(x, x, 4)


def falls_off_after_nested_named(v):
    for x in v:
        if x > 2:
            return Match(x, Match(x, x, 1), 2), None
        if x < 0.5:
            return None, (x, Match(x, x, 4))


def falls_off_or_none(v):
    for x in v:
        if x > 2:
            return (x, None)
        if x < 0.5:
            return None


def falls_off_after_a_list(v):
    for x in v:
        if x > 2:
            return [x, None]


def falls_off_after_a_complex(v):
    for x in v:
        if x > 2:
            return x * 1j, None


def falls_off_after_dicts(v):
    for x in v:
        if x > 2:
            return {"a": x}, None
        if x < 0.5:
            return None, {"b": x}


def falls_off_after_nothing_else(v):
    for x in v:
        if x > 2:
            return (None, None)


def falls_off_after_nested_none(v):
    for x in v:
        if x > 2:
            return None, (x, (x, None))
        if x < 0.5:
            return x, None


def list_in_a_tuple_from_a_while(v):
    i = 0
    while i < len(v):
        if v[i] > 2:
            return (v[i], [v[i]]), i
        i += 1
    return None, 5


def nested_ifs(v):
    if v[0] > 2:
        if v[1] > 2:
            return (v[0], v[1]), 1
        return None, 2
    return None, None


def falls_off_after_empty(v):
    for x in v:
        if x > 2:
            return (), None
        if x < 0.5:
            return None, ()


def tuple_of_one_or_none(v):
    for x in v:
        if x > 2:
            return (x,), 1
    return None, None
