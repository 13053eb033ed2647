"""Programs that go over dicts: what an iteration gives is keys, and they have no derivative."""
# ruff: noqa: RUF015

from __future__ import annotations

import math

import numpy as np
from tangent_case import Programs

PROGRAMS = Programs()
on = PROGRAMS.on


def pair(x):
    return {2: x, 3: x * x}


def merged(p, q):
    return p | q


def total(p, x):
    return sum(p) * x + p[2]


@on(1.5)
def keys_summed_by_a_callee(x):
    return total(pair(x), x)


@on(({0: 1.5, 1: 0.5}, 2.0))
def keys_of_an_argument(p, x):
    return sum(p) * x + max(p) * x + list(p)[1] * p[0]


@on(({0: 1.5, 1: 0.5}, 2.0))
def argument_that_is_a_dict(p, x):
    s = 0.0
    for a in p:
        s += a * x
    return s


@on(({0: 1.5, 1: 0.5}, 2.0))
def argument_unpacked_that_is_a_dict(p, x):
    a, b = p
    return a * x + b * p[0]


@on(1.5)
def keys_counted(x):
    p = {0: x, 1: x * x, 2: 3.0}
    s = 0.0
    for i, k in enumerate(p):
        s += (k + 1) * x * p[k]
    return s


@on(1.5)
def keys_beside_items(x):
    p = {0: x, 1: x * x}
    s = 0.0
    for k, a in zip(p, [x, 2 * x]):
        s += (k + 1) * a + p[k]
    return s


@on(1.5)
def keys_reversed(x):
    p = {0: x, 1: x * x}
    s = 0.0
    for k in reversed(p):
        s = s * 2 + (k + 1) * p[k]
    return s


@on(1.5)
def keys_that_are_numbers(x):
    p = {0: x, 1: x * x, 2: 3.0}
    s = 0.0
    for k in p:
        s += (k + 1) * x * p[k]
    return s


@on(1.5)
def keys_summed(x):
    p = {0: x, 1: x * x, 2: 3.0}
    return sum([(k + 1) * x for k in p]) + max(p) * x + sum(p) * x + len(list(p)) * x + sorted(p)[1] * x


@on(1.5)
def keys_unpacked(x):
    p = {2: x, 1: x * x}
    a, b = p
    return a * b * x + p[a]


@on(1.5)
def keys_that_extend(x):
    p = {2: x, 1: x * x}
    xs = [x]
    xs.extend(p)
    return xs[0] * xs[1] * xs[2]


@on(1.5)
def keys_stored_in_a_slice(x):
    p = {2: x, 1: x * x}
    xs = [x, x, x]
    xs[1:] = p
    return xs[0] * xs[1] * xs[2]


@on(1.5)
def keys_added_exactly(x):
    p = {2.0: x, 1.0: x * x}
    return math.fsum(p) * x + p[2.0]


@on(1.5)
def keys_multiplied(x):
    p = {2.0: x, 1.0: x * x}
    return math.prod(p) * x + p[2.0]


@on(1.5)
def keys_in_a_distance(x):
    p = {2.0: x, 1.0: x * x}
    return math.dist(tuple(p), [x, x]) + p[2.0]


@on(1.5)
def keys_in_an_array(x):
    p = {2.0: x, 1.0: x * x}
    return np.sum(np.array(list(p)) * x) + p[2.0]


@on(1.5)
def keys_in_a_tuple(x):
    p = {2.0: x, 1.0: x * x}
    t = tuple(p)
    return t[0] * t[1] * x + p[2.0]


@on(1.5)
def keys_sorted_downwards(x):
    p = {2.0: x, 1.0: x * x}
    t = sorted(p, reverse=True)
    return t[0] * t[1] * x + p[2.0]


@on(1.5)
def keys_in_a_generator(x):
    p = {2: x, 1: x * x}
    return sum(k * p[k] for k in p)


@on(1.5)
def keys_of_a_dict_made_anew(x):
    p = {2: x, 1: x * x}
    q = {k: k * p[k] for k in p}
    return q[2] + q[1]


@on(1.5)
def keys_by_index(x):
    q = {2: x, 3: x * x}
    return list(q)[0] * x + list(q)[-1] * q[2]


@on(1.5)
def keys_of_an_empty_dict(x):
    q = {}
    s = x
    for k in q:
        s += k * x
    return s + sum(q)


@on(1.5)
def keys_that_are_bools(x):
    q = {True: x, False: x * x}
    return sum(q) * x + sum([k * x for k in q])


@on(1.5)
def keys_that_are_strings(x):
    q = {"b": x, "a": x * x}
    s = 0.0
    for k in sorted(q):
        s += q[k] * 2
    return s + q[max(q)] + q[list(q)[0]] + q[min(q)]


@on(1.5)
def keys_that_are_tuples(x):
    q = {(2, 3): x, (1, 1): x * x}
    s = 0.0
    for a, b in q:
        s += a * b * q[a, b]
    return s


@on(1.5)
def keys_that_are_tuples_of_items(x):
    q = {(2, 3): x, (1, 1): x * x}
    s = 0.0
    for (a, b), v in q.items():
        s += a * b * v
    return s


@on(1.5)
def keys_that_are_tuples_in_a_comprehension(x):
    q = {(2, 3): x, (1, 1): x * x}
    return sum([a * b * q[a, b] for a, b in q])


@on(1.5)
def keys_and_values_unpacked(x):
    p = {2: x, 3: x}
    (a, u), (b, v) = p.items()
    return a * b * b * x * u * v


@on(1.5)
def values_unpacked(x):
    p = {2: x, 3: x}
    a, b = p.values()
    return a * b * b


@on(1.5)
def dicts_merged_by_stars(x):
    p = {2: x}
    q = {3: x * x}
    r = {**p, **q}
    return r[2] * r[3]


@on(1.5)
def keys_of_a_dict_in_a_dict(x):
    p = {1: {2: x, 3: x * x}}
    s = 0.0
    for k in p:
        for j in p[k]:
            s += k * j * p[k][j]
    return s


@on(1.5)
def keys_of_dicts_in_a_list(x):
    ps = [{2: x, 3: x * x}, {1: x}]
    s = 0.0
    for p in ps:
        for j in p:
            s += j * p[j]
    return s


@on(1.5)
def keys_of_dicts_among_values(x):
    p = {1: {2: x, 3: x * x}}
    s = 0.0
    for q in p.values():
        for j in q:
            s += j * q[j]
    return s


@on(1.5)
def keys_of_a_result(x):
    q = pair(x)
    s = 0.0
    for j in q:
        s += j * q[j]
    return s


@on(1.5)
def keys_of_either(x):
    q = {2: x, 3: x * x} if x > 0 else [x, x]
    s = 0.0
    for j in q:
        s += j * x
    return s


@on(1.5)
def keys_of_a_copy(x):
    q = {2: x, 3: x * x}.copy()
    s = 0.0
    for j in q:
        s += j * q[j]
    return s


@on(1.5)
def keys_of_a_union(x):
    q = {2: x} | {3: x * x}
    s = 0.0
    for j in q:
        s += j * q[j]
    return s


@on(1.5)
def union_of_dicts(x):
    r = merged({2: x}, {3: x * x})
    return r[2] * r[3]


@on(1.5)
def dict_that_is_updated_by_an_operator(x):
    p = {2: x}
    p |= {3: x * x}
    return p[2] * p[3]


@on(1.5)
def dict_of_pairs(x):
    r = dict([(2, x)])
    return r[2] * x


@on(1.5)
def joined_with_keys(x):
    p = {2: x, 1: x * x}
    xs = [x]
    xs += p
    return xs[0] * xs[1] * xs[2]


@on(1.5)
def keys_given_with_a_star(x):
    p = {2: x, 1: x * x}
    return max(*p) * x + p[2]


@on(1.5)
def keys_in_a_display(x):
    p = {2: x, 1: x * x}
    q = [*p, x]
    return q[0] * q[1] * q[2] + p[1]


@on(1.5)
def rest_of_the_keys(x):
    p = {2: x, 1: x * x, 4: x}
    a, *b = p
    return a * b[1] * x + p[a]


@on(1.5)
def largest_by_its_value(x):
    p = {2.0: x, 1.0: x * x}
    t = max(p, key=lambda k: p[k])
    return t * x + p[2.0]


REFUSED = {
    "argument_unpacked_that_is_a_dict": "TypeError",
    "union_of_dicts": "TypeError",
    "dict_of_pairs": "TypeError",
    "joined_with_keys": "TypeError",
}
"""As in `tangent_programs.REFUSED`."""
