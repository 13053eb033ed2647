"""Programs with lists that are joined, repeated and extended, and dicts that are gone over and merged."""
# ruff: noqa: RUF005, C4

from __future__ import annotations

import numpy as np
from tangent_case import LOG, Programs

PROGRAMS = Programs()
on = PROGRAMS.on

V = np.array([0.5, -1.2, 2.0])
PARAMS = {"w": V, "b": 2.0}


@on(PARAMS, {"a": 1.5})
def loop_over_a_dict(p):
    s = 0.0
    for name in p:
        s = s * 2 + np.sum(p[name] * p[name])
    return s


@on(PARAMS, {})
def loop_over_items(p):
    s = 1.0
    for name, value in p.items():
        LOG.append(name)
        s = s * 2 + np.sum(value) * len(name)
    return s


@on(PARAMS)
def loop_over_pairs(p):
    s = 0.0
    for pair in p.items():
        s = s + np.sum(pair[1]) * len(pair[0])
    return s


@on(PARAMS)
def loop_over_items_of_tuples(p):
    s = 0.0
    layers = {"a": (p["w"], 2.0), "b": (p["w"] * 2, p["b"])}
    for name, (w, b) in layers.items():
        s = s + np.sum(w) * b * len(name)
    return s


@on(PARAMS)
def loop_over_values(p):
    s = 0.0
    for value in p.values():
        s = s + np.sum(value * value)
        value = s * 2
    return s + np.sum(value)


@on(PARAMS)
def loop_over_keys(p):
    s = 0.0
    for name in p.keys():
        s = s + np.sum(p[name]) * 3
    return s * len(p)


@on(PARAMS)
def loop_over_items_that_rebinds(p):
    s = 0.0
    for name, value in p.items():
        p = {"w": value, "b": s}
        s = s + np.sum(p["w"])
    return s + np.sum(p["w"])


@on(PARAMS)
def values_summed(p):
    return sum(np.sum(v * v) for v in p.values()) + sum([np.sum(v) for _, v in p.items()])


@on({"a": 1.5, "b": 2.0})
def sum_and_largest_of_values(p):
    return sum(p.values()) * max(p.values()) + sorted(p.items())[0][1]


@on({"a": 1.5, "b": 2.0})
def values_in_a_variable(p):
    values = p.values()
    return sum(values)


@on(PARAMS)
def comprehension_over_items(p):
    q = {name: 2 * value for name, value in p.items()}
    return np.sum(q["w"]) * q["b"]


@on(1.5)
def comprehension_of_powers(x):
    p = {i: x**i for i in range(4) if i != 1}
    return p[2] * p[3] + len(p)


@on(PARAMS)
def filled_in_a_loop(p):
    q = {}
    for name, value in p.items():
        q[name] = value * value
    q["b"] += 1.0
    return np.sum(q["w"]) * q["b"]


@on(PARAMS)
def got_from_a_dict(p):
    return np.sum(p.get("w")) * p.get("b", 3.0) + p.get("c", p["b"]) * p.get("d", 4.0)


@on(PARAMS)
def copied_dict(p):
    q = dict(p)
    q["b"] = q["b"] * q["b"]
    r = p.copy()
    r["b"] = 3.0
    return np.sum(q["w"]) * q["b"] * p["b"] * r["b"]


@on(1.5)
def dict_of_keywords(x):
    p = dict(a=x, b=2.0)
    return p["a"] * p["b"]


@on(1.5)
def merged_dicts(x):
    p = {"a": x, "b": 2.0}
    q = {**p, "c": x * 3, "b": x}
    r = {"a": 1.0, **q, **{"d": x * x}}
    return q["a"] * q["b"] * q["c"] + r["a"] * r["d"] * p["b"]


@on(PARAMS)
def gradient_step(p):
    g = {name: 0.5 * value for name, value in p.items()}
    q = {name: p[name] - 0.1 * g[name] for name in p}
    return sum(np.sum(q[name] ** 2) for name in sorted(q))


@on(1.5)
def joined_lists(x):
    xs = [x]
    ys = xs + [x * 2] + [3.0]
    zs = [1.0] + ys
    return zs[1] * zs[2] * zs[3] + xs[0] * len(zs)


@on(1.5)
def joined_tuples(x):
    state = (x, 2.0)
    state = state + (x * x,)
    return state[0] * state[2]


@on((1.5, 0), (1.5, 3))
def joined_in_a_loop(x, n):
    states = [x]
    for i in range(n):
        states = states + [states[-1] * x + i]
    return states[-1] * states[0]


@on(1.5)
def repeated_list(x):
    a = [x, 1.0] * 3
    b = 2 * [x * x]
    return a[2] * a[4] * b[1] + b[0]


@on(1.5)
def list_plus_an_array(x):
    a = [x, 2.0, 3.0]
    return np.sum(a + V)


@on(1.5)
def extended_list(x):
    xs = [x]
    xs += [x * x, 1.0]
    xs.extend([x, x * 3])
    xs.extend(xs)
    return sum([a * i for i, a in enumerate(xs)])


@on(1.5)
def extended_by_a_comprehension(x):
    ys = []
    ys += [x * i for i in range(3)]
    ys.extend(y * y for y in ys[:2])
    return sum(ys) * len(ys)


@on((1.5, 0), (1.5, 2))
def extended_in_a_loop(x, n):
    xs = [x]
    for i in range(n):
        xs.extend([xs[-1] * x, float(i)])
    return sum(xs) * xs[-1]


@on(1.5)
def loop_over_the_length_of_a_list_that_shrinks(x):
    xs = [x, x * x, 2.0 * x, x + 1.0]
    r = x
    for _ in range(3):
        xs.pop()
        for i in range(len(xs)):
            r = r + r * xs[i]
    return r


@on(1.5)
def loop_over_the_length_of_a_list_that_grows(x):
    xs = [x]
    r = x
    for _ in range(3):
        xs.append(r * 0.5)
        for i, y in enumerate(xs):
            r = r + y * i
    return r * xs[0]


@on(1.5)
def loop_over_the_length_of_counts(x):
    counts = [1, 2, 3, 4]
    r = x
    for _ in range(3):
        counts.pop()
        for i in range(len(counts)):
            r = r + r * x * counts[i]
    return r


def _dropped(xs):
    xs.pop()


@on(1.5)
def loop_over_the_length_after_a_call(x):
    xs = [x, x * x, 2.0 * x, x + 1.0]
    r = x
    for _ in range(3):
        _dropped(xs)
        for i in range(len(xs)):
            r = r + r * xs[i]
    return r


def _put(xs: list, v):
    xs[0] = v * v


@on(({"a": [1.0, 2.0]}, 1.5), wrt=(1,))
def list_of_an_annotation(p, x):
    _put(p["a"], x)
    return p["a"][0] * x


REFUSED = {
    "values_in_a_variable": "AG022",
    "list_plus_an_array": "TypeError",
}
"""As in `tangent_programs.REFUSED`."""
