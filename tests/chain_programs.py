"""Programs that fail some calls deep in the running graph, for `test_call_chains.py`.

Each way to fail is reached by each way to call: `PROGRAMS` crosses them.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

# What fails where `k` is 7, and does not where it is 1.


def by_index(x: Any, k: Any) -> Any:
    return x[k]


def by_a_write(x: Any, k: Any) -> Any:
    y = x * 1.0
    y[k] = 2.0
    return y[0]


def by_raise(x: Any, k: Any) -> Any:
    if k > 5:
        raise LookupError(k)
    return x[0]


def by_assert(x: Any, k: Any) -> Any:
    assert k < 5, "too large"
    return x[1]


def by_division(x: Any, k: Any) -> Any:
    return x[0] + 1 // int(k - 7)


def by_float_division(x: Any, k: Any) -> Any:
    return x[0] + 1.0 / float(k - 7)


def by_linear_algebra(x: Any, k: Any) -> Any:
    matrix = np.eye(2) * (7.0 - k)
    return (
        np.linalg.inv(matrix)[0, 0]
        + x[0]
    )  # fmt: skip


def by_solve(x: Any, k: Any) -> Any:
    return np.linalg.solve(np.eye(3) * (7.0 - k), x).sum()


def by_list(x: Any, k: Any) -> Any:
    values = []
    for one in x:
        values.append(one)
    return values[k]


def by_pop(x: Any, k: Any) -> Any:
    values = [x[0]]
    while k > 1:
        values.pop()
        k = k - 2
    return values[0]


def by_key(x: Any, k: Any) -> Any:
    table = {1: 2.0, 2: 3.0}
    return table[int(k)] * x[0]


def by_square_root(x: Any, k: Any) -> Any:
    return math.sqrt(5 - k) + x[0]


def by_size(x: Any, k: Any) -> Any:
    return np.zeros(5 - k).sum() + x[0]


def by_conversion(x: Any, k: Any) -> Any:
    return x[0] + int(1.0 / np.float64(k - 7))


def by_negative_power(x: Any, k: Any) -> Any:
    return x[0] + (np.arange(1, 3) ** (5 - k)).sum()


def by_chr(x: Any, k: Any) -> Any:
    text = chr(3 - k)
    return x[0] + len(text)


def by_range(x: Any, k: Any) -> Any:
    total = x[0]
    for i in range(0, 5, int(7 - k)):
        total = total + i
    return total


def by_empty_max(x: Any, k: Any) -> Any:
    values = []
    for i in range(6 - k):
        values.append(i)
    return max(values) + x[0]


def by_unpacking(x: Any, k: Any) -> Any:
    values = []
    for i in range(8 - k):
        values.append(i * 1.0)
    a, _, _, _, _, _, g = values
    return x[0] + a + g


def by_unbound(x: Any, k: Any) -> Any:
    if k < 5:
        y = x[0]
    return y


def by_none(x: Any, k: Any) -> Any:
    y = None
    if k < 5:
        y = x[0]
    return y + 1.0


def by_next(x: Any, k: Any) -> Any:
    return next(iter([one for one in [1.0, 2.0] if one > k])) + x[0]


def by_reraise(x: Any, k: Any) -> Any:
    try:
        return x[k]
    except IndexError as error:
        raise KeyError("outer") from error


def by_finally(x: Any, k: Any) -> Any:
    y = x * 1.0
    try:
        return y[k]
    finally:
        y[0] = 3.0


FAILING = (
    *(by_index, by_a_write, by_raise, by_assert, by_division, by_float_division, by_linear_algebra),
    *(by_solve, by_list, by_pop, by_key, by_square_root, by_size, by_conversion, by_negative_power),
    *(by_chr, by_range, by_empty_max, by_unpacking, by_unbound, by_none, by_next, by_reraise, by_finally),
)


# Ways to call what fails.


class Caller:
    """Calls in the ways of methods."""

    def __init__(self, fail: Callable[..., Any]) -> None:
        self.fail = fail

    def method(self, x: Any, k: Any) -> Any:
        return self.fail(x, k)

    def __call__(self, x: Any, k: Any) -> Any:
        return self.method(x, k)

    def __getitem__(self, item: Any) -> Any:
        return self.fail(*item)

    def __add__(self, item: Any) -> Any:
        return self.fail(*item)

    @staticmethod
    def static(fail: Any, x: Any, k: Any) -> Any:
        return fail(x, k)

    @classmethod
    def of_class(cls, fail: Any, x: Any, k: Any) -> Any:
        return cls.static(fail, x, k)

    @property
    def value(self) -> Any:
        return self.fail(*self.rest)

    rest: Any = ()


class Pair(NamedTuple):
    x: Any
    k: Any

    def apply(self, fail: Any) -> Any:
        return fail(self.x, self.k)


def directly(fail: Any, x: Any, k: Any) -> Any:
    return fail(x, k)


def by_a_helper(fail: Any, x: Any, k: Any) -> Any:
    y = x * 2.0

    def helper(k: Any) -> Any:
        return fail(y, k) + 1.0

    return helper(k)


def twice(fail: Any, x: Any, k: Any) -> Any:
    first = directly(fail, x, k * 0 + 1)
    return first + directly(fail, x, k)


def in_a_branch(fail: Any, x: Any, k: Any) -> Any:
    if x[0] > -1.0:
        return directly(fail, x, k)
    return x[1]


def in_a_while(fail: Any, x: Any, k: Any) -> Any:
    total, i = 0.0, k * 0
    while i < 9:
        if i == 1 or i == 7:
            total = total + directly(fail, x, i * 0 + k if i > 3 else i)
        i = i + 1
    return total


def in_a_for(fail: Any, x: Any, k: Any) -> Any:
    total = 0.0
    for i in range(4):
        total = total + by_a_helper(fail, x, k if i == 2 else k * 0 + 1)
    return total


def in_a_test(fail: Any, x: Any, k: Any) -> Any:
    i = 0
    while directly(fail, x, k) > 100.0 and i < 5:
        i += 1
    return i


def in_a_comprehension(fail: Any, x: Any, k: Any) -> Any:
    return sum([fail(x, k * 0 + 1 if i < 2 else k) for i in range(4)])


def in_a_generator_expression(fail: Any, x: Any, k: Any) -> Any:
    return sum(fail(x, k) * i for i in range(4))


def in_a_dict_comprehension(fail: Any, x: Any, k: Any) -> Any:
    return {i: fail(x, k) for i in range(3)}[1]


def in_a_generator(fail: Any, x: Any, k: Any) -> Any:
    def rows() -> Any:
        for i in range(3):
            yield directly(fail, x, k) * i

    total = 0.0
    for row in rows():
        total = total + row
    return total


def in_a_lambda(fail: Any, x: Any, k: Any) -> Any:
    call = lambda v: fail(v, k) * 2.0  # noqa: E731
    return call(x)


def in_a_method(fail: Any, x: Any, k: Any) -> Any:
    return Caller(fail).method(x, k)


def in_an_object(fail: Any, x: Any, k: Any) -> Any:
    return Caller(fail)(x, k)


def in_an_item(fail: Any, x: Any, k: Any) -> Any:
    return Caller(fail)[x, k]


def in_an_operator(fail: Any, x: Any, k: Any) -> Any:
    item = [x, k]
    return Caller(fail) + item


def in_a_class_method(fail: Any, x: Any, k: Any) -> Any:
    return Caller.of_class(fail, x, k)


def in_a_property(fail: Any, x: Any, k: Any) -> Any:
    caller = Caller(fail)
    caller.rest = (x, k)
    return caller.value


def in_a_named_tuple(fail: Any, x: Any, k: Any) -> Any:
    return Pair(x, k).apply(fail)


def with_partial(fail: Any, x: Any, k: Any) -> Any:
    return functools.partial(directly, fail)(x, k)


def with_stars(fail: Any, x: Any, k: Any) -> Any:
    return directly(*(fail, x), **{"k": k})


def with_map(fail: Any, x: Any, k: Any) -> Any:
    return list(map(lambda v: fail(v, k), [x, x]))[-1]


def with_reduce(fail: Any, x: Any, k: Any) -> Any:
    return functools.reduce(lambda a, b: a + fail(b, k), [x, x], 0.0)


def with_a_key(fail: Any, x: Any, k: Any) -> Any:
    return max([x, x * 2.0], key=lambda v: fail(v, k))[0]


def decorated(fail: Any, x: Any, k: Any) -> Any:
    def wrap(function: Any) -> Any:
        @functools.wraps(function)
        def inner(*args: Any) -> Any:
            return function(*args)

        return inner

    @wrap
    def inside(x: Any, k: Any) -> Any:
        return fail(x, k)

    return inside(x, k)


def recursive(fail: Any, x: Any, k: Any) -> Any:
    def down(n: Any) -> Any:
        if n == 0:
            return fail(x, k)
        return down(n - 1) + 1.0

    return down(3)


def recursive_by_data(fail: Any, x: Any, k: Any) -> Any:
    def down(n: Any) -> Any:
        if n < 1:
            return fail(x, k) * 1.0
        return down(n - 1) + 1.0

    return down(k)


def in_a_with(fail: Any, x: Any, k: Any) -> Any:
    with np.errstate(all="ignore"):
        y = directly(fail, x, k)
    return y


def in_an_if_expression(fail: Any, x: Any, k: Any) -> Any:
    return directly(fail, x, k) if x[0] < 100.0 else x[0]


def in_a_default(fail: Any, x: Any, k: Any) -> Any:
    def inner(y: Any = fail(x, k)) -> Any:
        return y

    return inner()


def in_a_match(fail: Any, x: Any, k: Any) -> Any:
    match k:
        case 99:
            return x[0]
        case _:
            return directly(fail, x, k)


CALLING = (
    *(directly, by_a_helper, twice, in_a_branch, in_a_while, in_a_for, in_a_test, in_a_comprehension),
    *(in_a_generator_expression, in_a_dict_comprehension, in_a_generator, in_a_lambda, in_a_method),
    *(in_an_object, in_an_item, in_an_operator, in_a_class_method, in_a_property, in_a_named_tuple),
    *(with_partial, with_stars, with_map, with_reduce, with_a_key, decorated, recursive, recursive_by_data),
    *(in_a_with, in_an_if_expression, in_a_default, in_a_match),
)
