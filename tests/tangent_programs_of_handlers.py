"""Programs that catch what an assignment raises: the handler has a derivative, or what did not raise."""

from __future__ import annotations

import math

import numpy as np
from tangent_case import LOG, Programs

PROGRAMS = Programs()
on = PROGRAMS.on

V = np.array([1.3, 0.7, 2.1])
A = np.array([[2.0, 0.5], [0.25, 1.0]])


def _ratio(x, y):
    if y == 0:
        raise ValueError("by nothing")
    return x / y


def _noted(x):
    LOG.append("asked")
    return math.sqrt(x)


@on((A, V[:2]), (A, V), wrt=(0, 1))
def product_or_the_matrix(a, v):
    try:
        b = a @ v
    except ValueError:
        b = a * v[0]
    return np.sum(b * b) * v[1]


@on((1.5, 2), (1.5, 0))
def ratio_or_nothing(x, n):
    y = x * 2
    try:
        y = x * x / n
    except ZeroDivisionError:
        pass
    return y * x


@on((1.5, 2.0), (1.5, 0), (1.5, "a"), (1.5, None))
def one_of_three_handlers(x, n):
    try:
        y = _ratio(x * x, n)
    except ValueError as error:
        y = x * len(str(error))
    except TypeError:
        y = x * x * x
    else:
        y = y + x
    return y * x


@on((1.5, 2.0), (1.5, 0))
def returns_in_the_handler(x, n):
    try:
        return _ratio(x * x, n)
    except ValueError:
        return 3.0 * x


@on((V, 3), (V, 0))
def root_of_each_or_its_square(v, n):
    s = 0.0
    for i in range(n):
        try:
            r = math.sqrt(v[i] - 1.0)
        except ValueError:
            r = v[i] * v[i]
        s = s + r * r * v[i]
    return s


@on((V, 5), (V, 2))
def items_until_there_are_no_more(v, n):
    s = 1.0
    for i in range(n):
        try:
            x = v[i]
        except IndexError:
            break
        s = s * x
    return s


@on((V, 5), (V, 2))
def items_that_are_skipped(v, n):
    s = 1.0
    for i in range(n):
        try:
            x = v[i - 1] * s
        except IndexError:
            LOG.append(i)
            continue
        else:
            s = s + x
        finally:
            LOG.append("done")
    return s


@on({"w": 2.0}, {"v": 3.0})
def item_or_a_default(p):
    try:
        w = p["w"]
    except KeyError:
        w = 1.0
    return w * w + sum(p.values())


@on((1.5, 2), (1.5, 0))
def try_in_a_try(x, n):
    try:
        y = x / n
    except ZeroDivisionError:
        try:
            y = math.sqrt(-x)
        except ValueError:
            y = x * x
    return y * x


@on((1.5, 2), (1.5, 0))
def try_in_a_callee(x, n):
    return returns_in_the_handler(x * 2, n) * x


@on(2.0, -1.0)
def handler_around_what_logs(x):
    try:
        y = _noted(x)
    except ValueError:
        y = x * x
    return y


def _printed(x):
    print(x)
    return math.sqrt(x)


@on(2.0, -1.0)
def handler_around_what_prints(x):
    try:
        y = _printed(x)
    except ValueError:
        y = x * x
    return y


@on(2.0, -1.0)
def handler_around_what_an_iterator_gives(x):
    xs = iter([x, x * x])
    try:
        y = next(xs) * x
    except StopIteration:
        y = x
    return y


@on(V)
def handler_around_what_writes_to_its_argument(v):
    w = v * 1.0
    try:
        y = _halved(w)
    except ValueError:
        y = 0.0
    return y + np.sum(w)


def _halved(w):
    w /= 2
    return w[0] * w[1]


@on(2.0, -1.0)
def handler_around_several(x):
    y = 1.0
    try:
        y = x * 3
        y = math.sqrt(x)
    except ValueError:
        y = y * x
    return y


@on(2.0, -1.0)
def handler_around_a_write(x):
    ys = np.zeros(2)
    try:
        ys[0] = math.sqrt(x)
    except ValueError:
        ys[1] = x * x
    return np.sum(ys)


@on(2.0, -1.0)
def handler_that_raises(x):
    try:
        y = math.sqrt(x)
    except ValueError as error:
        raise ArithmeticError("no root") from error
    return y * x


@on((V, 2), (V, 5))
def running_sums_until_one_fails(v, n):
    sums, last = [v[0] * 1.0], np.zeros(3)
    try:
        sums.append(v[n - 1] * v[1])
        last[n - 1] = sums[0]
        last[1] *= v[0]
    except IndexError:
        last[0] = v[2]
    return np.sum(last) * len(sums) + sums[-1]


@on(1.5)
def nonlocal_in_a_try_that_ends_with_finally(x):
    total = x

    def add(v):
        nonlocal total
        total = total * v
        return total * 0.5

    for i in range(4):
        try:
            y = add(x + i)
        finally:
            LOG.append(i)
    return total * y


@on(1.5)
def nonlocal_that_a_finally_reads(x):
    total = x

    def add(v):
        nonlocal total
        total = total * v

    try:
        add(x)
    finally:
        total = total + x
    return total


REFUSED = {
    "handler_around_what_logs": "AG021",
    "handler_around_what_prints": "AG021",
    "handler_around_what_an_iterator_gives": "AG021",
    "handler_around_what_writes_to_its_argument": "AG021",
    "handler_that_raises": "AG021",
}
"""As in `tangent_programs.REFUSED`."""
