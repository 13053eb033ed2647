"""Programs with functions defined in them, which read variables around, and are given to others."""
# ruff: noqa: E731, UP, SIM, PERF, C4, RUF005

from __future__ import annotations

import numpy as np
from tangent_case import LOG, Programs

PROGRAMS = Programs()
on = PROGRAMS.on

V = np.array([0.5, -1.2, 2.0])


def squared(x):
    return x * x * 2.0


def apply(f, x):
    return f(x) * x


def apply_by_name(x, *, f, k=2.0):
    return f(x) * k


def apply_twice(f, x):
    return apply(f, apply(f, x))


def repeated(f, x, n):
    return x if n == 0 else repeated(f, f(x), n - 1)


def endless(f, x, n):
    return f(x) if n == 0 else endless(lambda t: f(t) * 0.5, x, n - 1)


def rebinds_what_it_is_given(f, x):
    f = f if x > 0 else squared
    return f(x)


def stores_what_it_is_given(f, x):
    fs = [f]
    return fs[0](x)


def has_a_default(x, f=squared):
    return f(x)


def scales(f, a):
    a *= 2.0
    return f(a)


def newton(f, df, x, n):
    for _ in range(n):
        x = x - f(x) / df(x)
    return x


def keeps_in(a):
    return lambda t: t * a


@on(1.5)
def reads_the_parameter(x):
    def inner(y):
        return y * x

    return inner(x) + inner(2.0)


@on((1.5, 0), (1.5, 3))
def defined_in_a_loop(x, n):
    s = x
    for i in range(n):

        def inner(y):
            return y * x + i

        s = s + inner(s)
    return s


@on((1.5, 3), (1.5, 0))
def called_in_a_loop_with_what_changes(x, n):
    def inner(y):
        return y * w

    w = 1.0
    s = x
    for i in range(n):
        w = w * x + i
        s = s + inner(s)
    return s


@on(1.5, -1.5)
def defined_in_a_branch(x):
    if x > 0:

        def inner(y):
            return y * x

        r = inner(x)
    else:
        r = x
    return r


@on(1.5, -1.5)
def defined_in_two_branches(x):
    if x > 0:

        def inner(y):
            return y * x
    else:

        def inner(y):
            return y + x

    return inner(x)


@on(1.5)
def default_of_a_parameter_is_computed_once(x):
    k = x

    def inner(a, b=k * 2):
        return a * b

    k = 0.0
    return inner(x) + inner(x, x) + inner(b=3.0, a=x) + k


@on((1.5, 3))
def defaults_that_keep_the_step(x, n):
    s = 0.0
    for i in range(n):

        def inner(y, k=i, *, m=x * i):
            return y * k + m

        s = s + inner(x) + inner(x, 2) + inner(x, m=x)
    return s


@on(1.5)
def literal_default(x):
    def inner(a, b=2.0, *, c=-1):
        return a * b + c

    return inner(x) + inner(x, x) + inner(x, c=x)


@on(1.5)
def nested_in_a_nested_one(x):
    w = x * 2

    def outer(y):
        v = y * w

        def inner(z):
            return z * v + w

        return inner(y) * inner(x)

    return outer(x)


@on(1.5)
def nested_ones_that_call_each_other(x):
    w = x * 2

    def even(y, n):
        return y * w if n == 0 else odd(y + w, n - 1)

    def odd(y, n):
        return y if n == 0 else even(y * x, n - 1)

    return even(x, 4) * odd(x, 3)


@on((1.5, 4), (1.5, 0))
def recursion_of_a_nested_one(x, n):
    def power(k):
        return 1.0 if k == 0 else x * power(k - 1)

    return power(n)


@on(1.5)
def own_variables_of_the_same_name(x):
    w = x * 2

    def reads(y):
        return y * w

    def hides(y):
        w = y + 1
        return reads(w) * w

    return hides(x) + w


@on(1.5)
def parameter_hides_the_function(x):
    def f(f):
        return f * x

    return f(x)


@on(1.5)
def read_by_what_is_not_differentiated(x):
    k = 2.0

    def count():
        return k

    k = 3.0
    return x * count() + count()


@on(1.5)
def printed_by_a_nested_one(x):
    def show(y):
        print("value", y)
        LOG.append(y)
        return y * x

    return show(x) + show(2.0)


@on(1.5)
def nested_one_with_docstring_and_annotations(x):
    def inner(y: float) -> float:
        """Doubles."""
        return y * 2.0 * x

    return inner(x)


@on(V)
def arrays_from_around(x):
    w = np.array([1.0, 2.0, 3.0]) * x

    def inner(y):
        return np.sum(y * w)

    return inner(x) * inner(w)


@on(V)
def array_from_around_written_later(x):
    w = x * 1.0

    def inner(y):
        return np.sum(y * w)

    a = inner(x)
    w[0] = 5.0
    w = w * 2
    return a * inner(x)


@on(V)
def gives_the_array_from_around(x):
    w = x * 1.0

    def inner():
        return w

    v = inner()
    v[0] = 7.0
    return np.sum(w * x)


@on(V)
def writes_to_the_array_from_around(x):
    w = x * 1.0

    def inner(v):
        w[0] = v
        return v

    a = inner(x[1])
    return a + np.sum(w * x)


@on(V)
def appends_to_the_list_from_around(x):
    parts = []

    def inner(v):
        parts.append(v * 2)
        return v

    a = inner(x[1])
    return a + parts[0]


@on(1.5)
def nonlocal_of_a_value(x):
    total = 0.0

    def add(v):
        nonlocal total
        total = total + v
        return v

    a = add(x)
    return a * total


@on(1.5)
def nonlocal_of_a_counter(x):
    calls = 0

    def inner(v):
        nonlocal calls
        calls += 1
        return v * calls

    return inner(x) + inner(x)


@on(1.5)
def lambda_with_a_name(x):
    f = lambda y: y * y * x
    return f(x) + f(2.0)


@on(1.5)
def lambda_without_a_name(x):
    return (lambda y, k=2: y * x * k)(x)


@on(1.5, -1.5)
def lambda_bound_twice(x):
    f = lambda y: y * x
    if x > 0:
        f = lambda y: y + x
    return f(x)


@on(1.5)
def lambda_of_a_lambda(x):
    f = lambda y: (lambda z: z * y * x)(y)
    return f(x)


@on(1.5)
def lambda_in_a_comprehension(x):
    return sum([(lambda t: t * x)(x * i) for i in range(3)])


@on(1.5)
def lambda_reads_the_variable_of_a_comprehension(x):
    return sum([(lambda t: t * i)(x) for i in range(3)])


@on(1.5)
def nested_one_in_a_comprehension(x):
    w = x * x

    def inner(i):
        return w * i

    return sum([inner(i) for i in range(4)]) + sum(inner(i) * x for i in range(2))


@on(1.5)
def nested_one_in_a_condition(x):
    def inner(y):
        return y * x

    if inner(x) > 1:
        return inner(2.0)
    return inner(x) * inner(x) if inner(x) > 0 else x


@on(1.5)
def list_of_nested_ones(x):
    def double(y):
        return y * 2

    def times(y):
        return y * x

    s = x
    for f in (double, times):
        s = f(s)
    return s


@on(1.5)
def list_of_functions_of_numpy(x):
    s = x
    for f in (np.sin, np.cos):
        s = f(s)
    return s


@on(1.5)
def returned_by_a_nested_one(x):
    def make(k):
        return lambda y: y * k

    return make(x)(x)


@on(1.5)
def made_by_another_function(x):
    f = keeps_in(x)
    return f(x)


@on(1.5)
def in_a_dict(x):
    def double(y):
        return y * x

    table = {"double": double}
    return table["double"](x)


@on(1.5)
def as_a_key(x):
    w = x

    def key(i):
        return -i * w

    order = sorted([1, 2, 3], key=key)
    return x * order[0]


@on(1.5)
def mapped(x):
    def inner(i):
        return i * x

    return sum(map(inner, [1.0, 2.0]))


@on(1.5)
def another_name_for_a_function(x):
    f = np.tanh
    g = squared
    return f(x) + g(x) * f(x)


@on(1.5)
def another_name_for_a_nested_one(x):
    def inner(y):
        return y * x

    f = inner
    return f(x)


@on(1.5)
def another_name_bound_twice(x):
    f = np.tanh
    y = f(x)
    f = np.sin
    return y * f(x)


@on(1.5)
def given_a_function(x):
    return apply(squared, x) + apply(np.tanh, x) + apply(f=squared, x=x)


@on(1.5)
def given_a_lambda(x):
    w = x * 3
    return apply(lambda t: t * w, x) + apply(lambda t: t + w * x, 2.0)


@on(1.5)
def given_a_nested_one(x):
    def inner(t):
        return t * x

    return apply(inner, x) * apply_by_name(x, f=inner) + apply_by_name(2.0, f=inner, k=x)


@on(1.5)
def given_on(x):
    return apply_twice(lambda t: t * x, x)


@on((1.5, 0), (1.5, 3))
def given_to_a_recursion(x, n):
    return repeated(lambda t: t * x + 1, x, n)


@on((1.5, 3))
def given_without_an_end(x, n):
    return endless(lambda t: t * x, x, n)


@on(1.5)
def given_and_rebound(x):
    return rebinds_what_it_is_given(lambda t: t * x, x)


@on(1.5)
def given_and_stored(x):
    return stores_what_it_is_given(lambda t: t * x, x)


@on(1.5)
def given_for_a_default(x):
    return has_a_default(x, f=np.sin) + has_a_default(x, lambda t: t * x)


@on(1.5)
def default_that_is_a_function(x):
    return has_a_default(x)


@on(V)
def given_to_what_writes(x):
    a = x * 1.0
    return np.sum(scales(lambda t: t * x, a))


@on(2.0, 5.0)
def root_by_newton(a):
    def f(x):
        return x * x - a

    def df(x):
        return 2 * x

    return newton(f, df, 1.0, 6)


@on(V)
def runge_kutta_of_a_system(p):
    def slope(t, y):
        return np.array([p[0] * y[0] - y[0] * y[1], p[1] * y[1] + p[2] * y[0] * np.sin(t)])

    def step(f, t, y, h):
        k1 = f(t, y)
        k2 = f(t + h / 2, y + h * k1 / 2)
        return y + h * k2

    y = np.array([1.0, 0.5])
    for i in range(3):
        y = step(slope, 0.1 * i, y, 0.1)
    return np.sum(y * y)


@on(1.5)
def given_to_a_nested_one(x):
    def twice(f, y):
        return f(f(y))

    return twice(lambda t: twice(lambda s: s * x, t) + x, x)


@on((np.array([0.5, 1.0]), V))
def loss_of_a_closure(w, x):
    def model(t):
        return w[0] * t + w[1]

    def loss(t, target):
        return (model(t) - target) ** 2

    return np.sum(loss(x, 1.0)) / len(x)


@on(1.5)
def nested_one_with_stars(x):
    def inner(*ys):
        return ys[0] * x

    return inner(x)


@on(1.5)
def nested_generator(x):
    def inner():
        yield x
        yield x * x

    return sum(inner())


def logged(f):
    return lambda y: f(y) * 2


@on(1.5)
def decorated_nested_one(x):
    @logged
    def inner(y):
        return y * x

    return inner(x)


@on(1.5)
def class_in_a_function(x):
    class Box:
        def get(self):
            return x

    return Box().get() * x


@on(1.5)
def reads_a_global_and_a_variable(x):
    k = x

    def inner(y):
        return squared(y) * k + V[0]

    return inner(x)


REFUSED = {
    "parameter_hides_the_function": "AG021",
    "defined_in_two_branches": "AG021",
    "gives_the_array_from_around": "TypeError",
    "lambda_bound_twice": "AG021",
    "lambda_reads_the_variable_of_a_comprehension": "AG022",
    "list_of_nested_ones": "AG021",
    "returned_by_a_nested_one": "AG022",
    "made_by_another_function": "AG022",
    "in_a_dict": "AG021",
    "another_name_for_a_nested_one": "AG021",
    "given_without_an_end": "AG021",
    "given_and_rebound": "AG021",
    "given_and_stored": "AG022",
    "default_that_is_a_function": "AG022",
    "nested_generator": "AG021",
    "decorated_nested_one": "AG021",
    "class_in_a_function": "AG021",
}
"""As in `tangent_programs.REFUSED`."""
