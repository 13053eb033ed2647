"""Programs with methods of lists and dicts that take items out, and put them in or in order."""

from __future__ import annotations

import numpy as np
from tangent_case import Programs

PROGRAMS = Programs()
on = PROGRAMS.on

V = np.array([0.5, -1.2, 2.0])


@on((1.5, 2.0), wrt=(0, 1))
def dict_update(x, y):
    d = {"a": x, "b": 1.0}
    d.update({"b": y * x, "c": x})
    return d["a"] * d["b"] + d["c"]


@on((1.5, 2.0), wrt=(0, 1))
def dict_update_keywords(x, y):
    d = {"a": x}
    d.update(b=x * y, a=y)
    return d["a"] * d["b"]


@on((1.5,))
def dict_update_loop(x):
    d = {"a": x}
    for i in range(4):
        d.update(a=d["a"] * x)
    return d["a"]


@on((1.5,))
def dict_setdefault(x):
    d = {}
    for i in range(4):
        d.setdefault("k", x * (i + 1))
    y = d.setdefault("m", x)
    return d["k"] * y


@on((1.5,))
def dict_setdefault_list(x):
    d = {}
    for i in range(4):
        d.setdefault(i % 2, []).append(x * i)
    return d[0][0] + d[1][1] * x


@on((1.5,))
def dict_pop(x):
    d = {"a": x, "b": x * x}
    y = d.pop("b")
    return y * d["a"] + len(d)


@on((1.5,))
def dict_pop_default(x):
    d = {"a": x}
    y = d.pop("z", x * 3.0)
    z = d.pop("a", 1.0)
    return y * z + len(d)


@on((1.5,))
def dict_del(x):
    d = {"a": x, "b": x * x}
    del d["a"]
    d["a"] = x * 2
    return d["b"] * d["a"]


@on((1.5,))
def dict_get(x):
    d = {"a": x}
    return d.get("a", 0.0) * 2 + d.get("q", x * x)


@on((1.5,))
def dict_or(x):
    d = {"a": x, "b": x}
    q = {"b": x * x}
    e = d | q
    return e["a"] * e["b"]


@on((1.5,))
def dict_ior(x):
    d = {"a": x, "b": x}
    d |= {"b": x * x}
    return d["a"] * d["b"]


@on((1.5,))
def dict_loops(x):
    d = {"a": x, "b": x * x}
    s = 0.0
    for k, v in d.items():
        s = s + v * len(k)
    for v in d.values():
        s = s * v
    return s


def fill_dict(d, v):
    d.update(a=v)
    d["b"] = v * v


@on((1.5,))
def dict_callee_update(x):
    d = {}
    fill_dict(d, x)
    return d["a"] * d["b"]


def take(d, k):
    return d.pop(k)


@on((1.5,))
def dict_callee_pop(x):
    d = {"a": x, "b": x * x}
    y = take(d, "b")
    return y * d["a"]


def drop(d, k):
    del d[k]


@on((1.5,))
def dict_callee_del(x):
    d = {"a": x, "b": x * x}
    drop(d, "a")
    return d["b"]


def memo(cache, k, v):
    if k not in cache:
        cache[k] = v * v
    return cache[k]


@on((1.5,))
def dict_callee_memo(x):
    cache = {}
    s = 0.0
    for i in range(4):
        s = s + memo(cache, i % 2, x * (i + 1))
    return s


def grouped(d, k, v):
    d.setdefault(k, []).append(v)


@on((1.5,))
def dict_callee_group(x):
    d = {}
    for i in range(4):
        grouped(d, "a", x * i)
    return sum(d["a"]) * x


def set_item(ys, i, y):
    ys[i] = y


@on((1.5,))
def list_callee_set(x):
    ys = [x, 1.0]
    set_item(ys, 1, x * x)
    return ys[0] * ys[1]


def add_last(ys, y):
    ys[-1] += y


@on((1.5,))
def list_callee_add(x):
    ys = [x, x]
    for i in range(4):
        add_last(ys, x * i)
    return ys[0] * ys[1]


@on((1.5,))
def list_insert(x):
    ys = [x, x * 2]
    ys.insert(0, x * x)
    ys.insert(1, 5.0)
    return ys[0] * ys[1] + ys[2] * ys[3]


@on((1.5,))
def list_extend(x):
    ys = [x]
    ys.extend([x * 2, x * x])
    ys += [x]
    return ys[1] * ys[2] + ys[3]


@on((1.5,))
def list_reverse(x):
    ys = [x, x * x, 2.0]
    ys.reverse()
    return ys[0] * ys[1] + ys[2]


@on((1.5,))
def list_sort(x):
    ys = [x * 3, x * x, 2.0]
    ys.sort()
    return ys[0] * ys[1] + ys[2]


@on((1.5,))
def list_sort_key(x):
    ys = [x * 3, x * x, 2.0]
    ys.sort(key=lambda v: -v, reverse=False)
    return ys[0] * ys[1] + ys[2]


@on((1.5,))
def list_pop0(x):
    ys = [x, x * x, 2.0]
    a = ys.pop(0)
    b = ys.pop(-1)
    return a * ys[0] + b


@on((1.5,))
def list_queue(x):
    q = [x, x * x]
    s = 0.0
    while len(q) > 0:
        v = q.pop(0)
        s = s + v * v
        if len(q) == 1 and s < 9:
            q.append(v * x)
    return s


@on((1.5,))
def list_del(x):
    ys = [x, x * x, 2.0 * x]
    del ys[0]
    return ys[0] * ys[1]


@on((1.5,))
def list_clear(x):
    ys = [x, x * x]
    s = ys[0] * ys[1]
    ys.clear()
    ys.append(s)
    return ys[0] * x


def list_sorts(ys):
    ys.sort()
    return ys[0]


@on(([1.5, 0.5, 2.5],))
def list_callee_sort(xs):
    ys = [x * x for x in xs]
    m = list_sorts(ys)
    return m * ys[2]


def inserts(ys, v):
    ys.insert(0, v)


@on((1.5,))
def list_callee_insert(x):
    ys = [x]
    for i in range(4):
        inserts(ys, x * i)
    return ys[0] * ys[4]


def takes_first(ys):
    return ys.pop(0)


@on((1.5,))
def list_callee_pop0(x):
    ys = [x, x * x, 3.0 * x]
    a = takes_first(ys)
    return a * ys[0]


@on((1.5,))
def list_slice_write(x):
    ys = [x, x, x]
    ys[1:] = [x * x, x * 3]
    return ys[0] * ys[1] * ys[2]


@on(1.5)
def items_del_unread(x):
    d = {"a": x, "b": x * x}
    y = d["a"] * d["b"]
    del d["b"]
    return y * d["a"]


@on(1.5)
def items_del_last(x):
    d = {"a": x, "b": x * x}
    y = d["a"] * d["b"]
    del d["b"]
    return y


@on(1.5)
def items_list_of_list(x):
    ys = [[x, x * x], [x * 2]]
    a = ys.pop(0)
    a.reverse()
    ys[0].insert(0, a[0])
    return ys[0][0] * ys[0][1] + a[1]


@on(1.5)
def items_alias(x):
    ys = [x, x * x, 2 * x]
    zs = ys
    zs.reverse()
    del ys[0]
    return zs[0] * ys[1] * len(zs)


@on(1.5)
def items_attr_dict(x):
    d = {"q": [x, 2 * x, x * x]}
    d["q"].sort(reverse=True)
    d["q"].insert(1, x * 5)
    v = d["q"].pop(2)
    del d["q"][0]
    return v * d["q"][0]


@on((V, [3, 1, 2]))
def items_arrays(x, k):
    ys = [x * 1.0, x * 2.0, np.sin(x)]
    ys.reverse()
    a = ys.pop(1)
    ys.insert(0, a * a)
    for i in range(3):
        ys.insert(i, x * k[i])
    del ys[1:3]
    return np.sum(ys[0] * ys[1] + ys[2]) * len(ys)


@on(([1.5, 0.2, 3.0],))
def items_argument(xs):
    xs = list(xs)
    xs.sort()
    m = xs.pop(1)
    xs.reverse()
    return xs[0] * m + xs[1]


@on(([1.5, 0.2, 3.0],))
def items_argument_itself(xs):
    xs.sort()
    return xs[0] * 2 + xs[1] * 3


@on(({"a": 1.5, "b": 0.2},))
def items_dict_argument(d):
    a = d.pop("a")
    d.update(c=a * a)
    d.setdefault("b", 5.0)
    return a * d["b"] + d["c"]


@on(({"a": 1.5, "b": 0.2},), ({"b": 0.2},))
def items_dict_argument_default(d):
    a = d.pop("a", 3.0)
    return a * d["b"]


@on(([1.5], 3), ([1.5], 0))
def items_pop_error(xs, i):
    ys = [x * 2 for x in xs]
    return ys.pop(i)


@on(([1.5], 3), ([1.5], 0))
def items_del_error(xs, i):
    ys = [x * 2 for x in xs]
    del ys[i]
    return xs[0]


@on((1.5, "q"), (1.5, "a"))
def items_key_error(x, k):
    d = {"a": x}
    y = d.pop(k)
    return y


@on((1.5, "q"), (1.5, "a"))
def items_key_variable(x, k):
    d = {"a": x, "q": x * x}
    del d[k]
    d[k] = x * 3
    z = d.pop(k)
    d.update({k: z * z, "a": x})
    return d[k] * d["a"]


@on((1.5, 5))
def items_loop(x, n):
    ys = []
    for k in range(n):
        ys.insert(0, x * k)
        if k % 2:
            ys.reverse()
        if len(ys) > 3:
            ys.pop(1)
    s = 0.0
    for y in ys:
        s = s * x + y
    return s


@on(([0.3, 2.0, -1.0, 5.0],))
def items_heap(xs):
    q = [(x * x, i) for i, x in enumerate(xs)]
    s = 0.0
    while q:
        q.sort()
        v, i = q.pop(0)
        s = s * 0.5 + v * (i + 1)
    return s


@on((1.5,))
def items_two_dicts(x):
    p = {"a": x, "b": x * x}
    q = {"b": x * 3, "c": 2.0}
    p.update(q)
    q.update(p, c=x)
    q["b"] = q["b"] * p["a"]
    return q["a"] * q["b"] * q["c"] * p["b"]


@on((1.5,))
def items_swap(x):
    d = {"a": x, "b": x * x}
    d["a"], d["b"] = d.pop("b"), d.pop("a")
    return d["a"] * 3 + d["b"]


class Box:
    def __init__(self, x):
        self.items = [x, x * 2]
        self.table = {"a": x}

    def push(self, v):
        self.items.insert(0, v)
        self.table.update(a=v, b=v * v)

    def take(self):
        v = self.items.pop(0)
        del self.items[0]
        return v * self.table.pop("b")


@on((1.5,))
def items_object(x):
    b = Box(x)
    for k in range(4):
        b.push(x * k)
    y = b.take()
    b.items.reverse()
    return y * b.items[0] + b.table["a"]


@on((1.5,))
def items_setdefault_nested(x):
    d = {}
    for i in range(4):
        row = d.setdefault(i % 2, [])
        row.append(x * i)
    return d[0][1] * d[1][1]


@on((1.5,))
def items_while_test(x):
    ys = [x, x * 2, x * 3]
    s = 0.0
    while len(ys) and ys.pop(0) < 4:
        s = s + x
    return s * x


@on((1.5,))
def items_in_print(x):
    ys = [x, x * 2, x * 3]
    print(ys.pop(0))
    return ys[0] * x


@on(1.5)
def emptied_clear(x):
    c = [x, x * x]
    c.clear()
    c.append(x * 3)
    return c[0] * x


@on(1.5)
def emptied_clear2(x):
    c = [x, x * x]
    y = c[1]
    c.clear()
    return y


@on(1.5)
def emptied_twice(x):
    c = [x, x * x]
    c.clear()
    c.append(x * 3)
    c.clear()
    c.append(x * 2)
    return c[0] * x


@on(1.5)
def emptied_default(x):
    d = {"a": x}
    d.setdefault("l", []).append(x * x)
    return d["l"][-1] * len(d.pop("l"))


@on(1.5)
def emptied_default2(x):
    d = {"a": x}
    d.setdefault("l", []).append(x * x)
    return d["l"][-1] * d["a"]


REFUSED = {
    "items_while_test": "AG021",
    "items_in_print": "AG021",
    "emptied_default": "AG021",
}
