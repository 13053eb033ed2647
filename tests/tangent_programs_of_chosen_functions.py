"""Programs whose functions are chosen when they run: by a condition, an index or a key."""

from __future__ import annotations

import numpy as np
from tangent_case import Programs

PROGRAMS = Programs()
on = PROGRAMS.on


def given_to(f, x):
    return f(x) * x


@on(0.7, -0.7)
def chosen_function(x):
    f = np.sin if x > 0 else np.cos
    return f(x) * x


@on(0.7, -0.7)
def chosen_function_branch(x):
    if x > 0:
        f = np.sin
    else:
        f = np.cos
    return f(x) * x


def sq(x):
    return x * x


def cu(x):
    return x * x * x


@on(0.7, -0.7)
def chosen_function_own(x):
    f = sq if x > 0 else cu
    return f(x) * x


@on((0.7, 0), (0.7, 1))
def chosen_list(x, i):
    fs = [np.sin, np.cos]
    return fs[i](x) * x


@on((0.7, "a"), (0.7, "b"))
def chosen_dict(x, k):
    fs = {"a": np.sin, "b": sq}
    return fs[k](x) * x


TABLE = {"sin": np.sin, "sq": sq}


@on((0.7, "sin"), (0.7, "sq"))
def chosen_module_dict(x, k):
    return TABLE[k](x) * x


@on((0.7,))
def chosen_loop(x):
    for f in [np.sin, sq, np.cos]:
        x = f(x) + x
    return x


@on((0.7,))
def chosen_loop_tuple(x):
    for f in (np.sin, np.cos, np.tanh, np.exp):
        x = f(x)
    return x


@on((0.7, True), (0.7, False))
def chosen_lambda(x, flag):
    f = (lambda v: v * v) if flag else (lambda v: v * x)
    return f(x)


@on((0.7, 3))
def chosen_in_a_loop(x, n):
    f = np.sin
    for k in range(n):
        x = f(x) + f(x * k)
        f = sq if k % 2 else np.cos
    return f(x)


@on((0.7, 1))
def chosen_of_a_list_that_grows(x, i):
    fs = [np.sin]
    fs.append(np.cos)
    return fs[i](x)


@on(0.7)
def chosen_keys(x):
    fs = {"a": np.sin, "b": np.cos}
    for k in fs:
        x = fs[k](x) * 2.0
    return x


@on(0.7, -0.7)
def chosen_and_given(x):
    f = sq if x > 0 else cu
    return given_to(f, x)


@on(0.7, -0.7)
def chosen_and_read_by_a_function(x):
    f = sq if x > 0 else cu

    def g(v):
        return f(v) * x

    return g(x)


@on(0.7, -0.7)
def chosen_with_arguments(x):
    f = np.maximum if x > 0 else np.minimum
    return f(x * 2.0, x * x) * f(0.1, x)


@on((0.7, 0), (0.7, 2))
def chosen_by_a_computed_index(x, i):
    fs = (np.sin, sq, cu)
    ys = [fs[(i + k) % 3](x * k) for k in range(4)]
    return ys[1] * ys[2] + ys[3]


@on(np.array([0.5, 2.0]))
def chosen_in_a_comprehension(x):
    fs = [np.sin, np.cos]
    return sum([np.sum(f(x)) for f in fs])


@on(0.7)
def chosen_by_nonlocal(x):
    f = np.sin if x > 0 else np.cos

    def change():
        nonlocal f
        f = np.tanh

    change()
    return f(x)


@on((0.7, True), (-0.7, False))
def chosen_once_more(x, flag):
    f = np.sin
    if flag:
        f = np.sin
    y = f(x) * x
    del f
    return y


@on(0.7)
def chosen_and_evaluated_once(x):
    seen = []
    f = np.sin if x > 0 else np.cos

    def noted(v):
        seen.append(1)
        return v

    y = f(noted(x)) + f(noted(x * x))
    return y * len(seen)


REFUSED = {
    "chosen_module_dict": "AG022",
    "chosen_lambda": "AG021",
    "chosen_of_a_list_that_grows": "AG022",
    "chosen_and_given": "AG022",
    "chosen_and_read_by_a_function": "AG022",
    "chosen_in_a_comprehension": "AG022",
    "chosen_by_nonlocal": "AG022",
    "chosen_once_more": "AG022",
}
