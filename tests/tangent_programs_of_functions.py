"""Programs of several functions, of containers, of objects."""
# ruff: noqa: RUF005, SIM, B007, C4, E741, UP, E731, RUF015, PERF

from __future__ import annotations

import functools
from collections import namedtuple
from dataclasses import dataclass

import numpy as np
import tangent_namesakes
from tangent_case import LOG, Programs

PROGRAMS = Programs()
on = PROGRAMS.on

V = np.array([0.5, -1.2, 2.0])
W = np.array([1.5, 0.3, -0.7])
C = 2.0


def act(x):
    return x * x * C


def helper(x, b=3.0, *, c=1.0):
    return x * b + c


def branches(x):
    if x > 1:
        return x * x
    return x * 3


def pair(x):
    return x * x, x + 1


def power(x, n):
    if n == 0:
        return 1.0
    return x * power(x, n - 1)


def even(x, n):
    return x if n <= 0 else odd(x * x, n - 1)


def odd(x, n):
    return 2 * x if n <= 0 else even(x + 1, n - 1)


def noisy(x):
    print("noisy", x)
    return x * 2


def scale_in_place(a, s):
    a *= s


def scaled_in_place(a, s):
    a *= s
    return a


def first_of(a):
    return a[0]


def loop_of(x, n):
    y = x
    for _ in range(n):
        y = y * x
        if y > 5:
            break
    return y


@on(2.0, 0.5)
def calls_a_function(x):
    return act(x) + act(x * x)


@on(2.0, 0.5)
def calls_namesakes(x):
    return act(x) * tangent_namesakes.act(x) + tangent_namesakes.C * x


@on(2.0)
def calls_with_defaults(x):
    return helper(x) + tangent_namesakes.helper(x)


@on(2.0)
def calls_with_keywords(x):
    return helper(x, b=x * x) + helper(b=x, x=3.0)


@on(2.0)
def calls_with_keyword_only(x):
    return helper(x, c=x * x)


@on(2.0, 0.4)
def calls_with_branches(x):
    return branches(x) * branches(x * 2)


@on((2.0, 0), (2.0, 3), (0.5, 3))
def calls_in_a_loop(x, n):
    y = x
    for i in range(n):
        y = branches(y) + act(x) * i
    return y


@on((2.0, 0), (2.0, 3))
def calls_a_loop_in_a_loop(x, n):
    s = 0.0
    for i in range(n):
        s = s + loop_of(x, i)
    return s


@on(2.0)
def calls_that_return_pairs(x):
    a, b = pair(x)
    c = pair(a)
    return a * b + c[0] * c[1]


@on((2.0, 0), (2.0, 3))
def recursion(x, n):
    return power(x, n)


@on((1.5, 0), (1.5, 1), (1.5, 2), (1.5, 3))
def mutual_recursion(x, n):
    return even(x, n)


@on(2.0)
def calls_that_print(x):
    y = noisy(x)
    return noisy(y) * y


@on(V)
def callee_writes_to_its_argument(x):
    y = x * 1.0
    scale_in_place(y, x[0])
    return np.sum(y * y)


@on(V)
def callee_returns_what_it_wrote(x):
    y = scaled_in_place(x * 1.0, x[1])
    return np.sum(y * y)


@on(V)
def callee_reads_an_item(x):
    return first_of(x) * first_of(x * x)


@on(2.0)
def callee_with_a_constant(x):
    return act(3.0) * x + helper(2.0, x)


@on(2.0)
def same_callee_with_other_active_arguments(x):
    return helper(x, 2.0) + helper(2.0, x) + helper(x, x)


@on(2.0)
def nested_function(x):
    def inner(y):
        return y * y + x

    return inner(x) * inner(3.0)


@on(2.0)
def nested_function_reads_what_is_rebound(x):
    k = x

    def inner(y):
        return y * k

    a = inner(x)
    k = k * x
    return a + inner(x)


@on(2.0)
def a_lambda(x):
    f = lambda y: y * y * x  # noqa: E731
    return f(x) + (lambda z: z * 3)(x)


def scaled_by(k):
    def scaled(x):
        return x * x * k

    return scaled


by_three = scaled_by(3.0)
by_five = scaled_by(5.0)


@on(2.0)
def two_closures_of_one_name(x):
    return by_three(x) * by_five(x)


@on(2.0)
def function_as_a_value(x):
    f = act if x > 1 else branches
    return f(x)


def apply(f, x):
    return f(x) * x


@on(2.0)
def function_as_an_argument(x):
    return apply(act, x) + apply(branches, x)


@on(2.0)
def a_partial(x):
    return functools.partial(helper, b=4.0)(x)


@on((2.0, 3.0, 4.0), wrt=(0, 2))
def several_wrt(x, y, z):
    return act(x) * y + helper(z, x)


@on(V)
def starred_call(x):
    args = (x[0], x[1])
    return helper(*args)


def all_of(*args):
    s = 0.0
    for a in args:
        s = s + a * a
    return s


@on(V)
def star_parameters(x):
    return all_of(x[0], x[1] * x[2])


@on((2.0, 3.0), wrt=(0,))
def positional_only_and_keyword_only(x, /, y, *, k=2.0):
    return x * y * k


@on(2.0)
def default_argument(x, k=4.0, *, m=0.5):
    return x * x * k + m * x


@on(V)
def list_literal(x):
    parts = [x[0] * x[1], x[2], 3.0]
    return parts[0] * parts[1] + parts[2] * parts[-2]


@on((V, 0), (V, 1), (V, 3))
def list_append(x, n):
    parts = []
    for i in range(n):
        parts.append(x[i] * x[0])
    s = 0.0
    for part in parts:
        s = s + part * part
    return s + len(parts)


@on((1.5, 0), (1.5, 3))
def list_of_states(x, n):
    states = [x]
    for i in range(n):
        states.append(states[-1] * x + i)
    return states[-1] * states[0]


@on(1.5)
def list_item_write(x):
    a = [x, x * x, 1.0]
    a[2] = a[0] * a[1]
    a[0] += a[2]
    a[1] *= x
    return a[0] * a[1] + a[2]


@on(1.5)
def list_pop(x):
    a = [x, x * x, x**3]
    b = a.pop()
    c = a.pop()
    return b * c + a[0] * len(a)


@on((1.5, 3), (1.5, 0))
def stack_in_loop(x, n):
    stack = [x]
    for i in range(n):
        top = stack.pop()
        stack.append(top * x)
        stack.append(top + 1.0)
    s = 0.0
    while stack:
        s = s * 2 + stack.pop()
    return s


@on(1.5)
def list_repeat_and_concatenation(x):
    a = [0.0] * 3
    a[1] = x * x
    b = a + [x]
    return sum(b) + b[1] * b[3]


@on(V)
def sum_of_list(x):
    return sum([x[0] * x[1], x[2] * 2]) + sum(x)


@on((V, 3), (V, 0))
def list_comprehension(x, n):
    squares = [x[i] * x[i] for i in range(n)]
    return sum(squares) * x[0]


@on(V)
def comprehension_with_condition(x):
    return sum([a * a for a in x if a > 0])


@on(V)
def generator_expression(x):
    return sum(a * x[0] for a in x)


@on(V)
def comprehension_over_zip(x):
    return sum([a * b for a, b in zip(x, x[::-1])])


@on(V)
def nested_comprehension(x):
    table = [[a * b for b in x] for a in x]
    return table[0][1] * table[2][2]


@on(V)
def stack_of_comprehension(x):
    y = np.array([a * i for i, a in enumerate(x)])
    return np.sum(y * y)


@on(V)
def np_stack_of_list(x):
    rows = []
    for i in range(3):
        rows.append(x * i)
    return np.sum(np.stack(rows) ** 2) + np.sum(np.concatenate(rows) * 2)


@on(1.5)
def dict_literal(x):
    p = {"w": x * x, "b": x, "k": 2.0}
    return p["w"] * p["b"] * p["k"]


@on(1.5)
def dict_write(x):
    p = {"w": x}
    p["b"] = p["w"] * x
    p["w"] = p["b"] + x
    p["w"] += 2 * x
    return p["w"] * p["b"]


@on(1.5)
def dict_loop(x):
    p = {"w": x, "b": x * x}
    s = 0.0
    for key in p:
        s = s * 2 + p[key]
    for key, value in p.items():
        s = s * 2 + value
    for value in p.values():
        s = s + value * value
    return s


@on(1.5)
def dict_comprehension(x):
    p = {i: x**i for i in range(4)}
    return p[2] * p[3]


@on(({"w": V, "b": 2.0}, W), wrt=(0, 1))
def dict_argument(p, x):
    h = np.dot(p["w"], x) + p["b"]
    return h * h


@on(([V, 2.0], W), wrt=(0,))
def list_argument(p, x):
    return np.sum(p[0] * x) * p[1]


@on(((2.0, 3.0), W), wrt=(0,))
def tuple_argument(p, x):
    a, b = p
    return a * b * x[0] + a


@on(([2.0, 3.0, 4.0], 1.0), wrt=(0, 1))
def loop_over_list_argument(p, x):
    s = x
    for a in p:
        s = s * a + a
    return s


@on(([(V, 1.0), (W, 2.0)], V), wrt=(0, 1))
def layers_in_a_list(layers, x):
    for w, b in layers:
        x = np.tanh(w * x + b)
    return np.sum(x)


@on((1.5, 0), (1.5, 2))
def list_alias(x, n):
    a = [x, x]
    b = a
    b[0] = x * x
    return a[0] * a[1]


@on(V)
def list_of_arrays_written(x):
    a = x * 1.0
    parts = [a, x]
    parts[0][1] = 3.0 * x[0]
    return np.sum(a * x)


@on(V)
def array_in_list_read_after_write(x):
    a = x * 1.0
    parts = [a]
    a[0] = 7.0
    return np.sum(parts[0] * x)


@on((1.5, 3), (1.5, 0))
def append_of_the_same_array(x, n):
    state = np.array([1.0, 2.0]) * x
    states = []
    for i in range(n):
        state[0] = state[0] * x
        states.append(state)
    s = 0.0
    for one in states:
        s = s + one[0]
    return s


@on(1.5)
def tuple_value(x):
    t = (x * x, x, 3.0)
    u = t[0] * t[1]
    return u * t[-1] + len(t)


@on((1.5, 3), (1.5, 0))
def tuple_state(x, n):
    state = (x, 1.0)
    for i in range(n):
        state = (state[0] * x, state[1] + state[0])
    return state[0] * state[1]


Point = namedtuple("Point", "a b")


@on(1.5)
def named_tuple(x):
    p = Point(x * x, x)
    return p.a * p.b


@dataclass
class Model:
    w: float
    b: float

    def apply(self, x):
        return self.w * x * x + self.b

    def doubled(self, x):
        return self.apply(x) * 2 if x > 0 else self.b * x

    def __call__(self, x):
        return self.apply(x) + 1


MODEL = Model(2.0, 3.0)


@on(1.5, -2.0)
def method_of_a_global_object(x):
    return MODEL.apply(x) + MODEL.doubled(x)


@on(1.5, -2.0)
def global_object_called(x):
    return MODEL(x) * x


@on((1.5, Model(2.0, 0.5)), (-1.5, Model(2.0, 0.5)))
def method_of_an_argument(x, model):
    return model.doubled(x) * model.w


@on(1.5)
def object_made_inside(x):
    m = Model(x * x, x)
    return m.apply(x) + m.w


@on(1.5)
def attribute_write(x):
    m = Model(1.0, 2.0)
    m.w = x * x
    m.b += x
    return m.apply(3.0) * m.w


def counted():
    LOG.append("counted")
    return 2.0


@on(1.5)
def effects_in_expressions(x):
    return x * counted() + counted() * x


@on((1.5, 3))
def effects_in_conditions(x, n):
    i = 0
    y = x
    while counted() * i < n * 2:
        y = y * x
        i += 1
    return y


@on(V)
def effects_in_indices(x):
    y = x * 1.0
    y[int(counted())] += x[int(counted()) - 1] * 3
    return np.sum(y * y)


@on((1.5, 3))
def counter_in_a_list(x, n):
    count = [0]
    y = x
    for i in range(n):
        count[0] += 1
        y = y * x + count[0]
    return y


@on((1.5, iter), wrt=(0,))
def unused_function_argument(x, f):
    return x * x


@on(1.5)
def string_formatting(x):
    name = f"{x:.2f}"
    LOG.append(name)
    LOG.append("a" + "b" * 2)
    return x * len(name)


@on(1.5)
def global_statement(x):
    global C
    C = 2.0
    return x * C


@on(1.5, -1.0)
def exceptions(x):
    try:
        if x < 0:
            raise ValueError("negative")
        y = x * x
    except ValueError:
        y = x * 3
    return y


@on(1.5)
def match_statement(x):
    match int(x):
        case 1:
            y = x * x
        case _:
            y = x
    return y


@on(1.5)
def higher_order_map(x):
    return sum(map(act, [x, x * 2]))


@on(1.5)
def sorted_values(x):
    a, b = sorted([x * x, x])
    return a * b * b


@on((V, 3))
def rnn(x, n):
    h = np.zeros(3)
    hidden = []
    for t in range(n):
        h = np.tanh(h * 0.5 + x[t])
        hidden.append(h)
    loss = 0.0
    for t, h in enumerate(hidden):
        loss = loss + np.sum(h * h) * t
    return loss


@on(1.5)
def runge_kutta(x):
    def slope(t, y):
        return -y * x + np.sin(t)

    y = x
    t = 0.0
    h = 0.1
    for _ in range(3):
        k1 = slope(t, y)
        k2 = slope(t + h / 2, y + h * k1 / 2)
        k3 = slope(t + h / 2, y + h * k2 / 2)
        k4 = slope(t + h, y + h * k3)
        y = y + h * (k1 + 2 * k2 + 2 * k3 + k4) / 6
        t = t + h
    return y
