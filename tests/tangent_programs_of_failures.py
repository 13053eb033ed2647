"""Programs that fail on the way: what was written around a function before stays written, and loops end."""

from __future__ import annotations

import math

import numpy as np
from tangent_case import Programs

PROGRAMS = Programs()
on = PROGRAMS.on

X = np.array([1.3, 0.7, 0.9])


class Stop(BaseException):
    """No `Exception`: handlers of these do not take it."""


Everything = BaseException


@on((X, 1.25), wrt=(0, 1))
def nonlocal_written_before_it_fails(x, s):
    total = s * 0.5

    def add(v):
        nonlocal total
        total = total * v
        if v > 1:
            raise ValueError("large")

    for v in x:
        try:
            add(v)
        except ValueError:
            total = total + s
    return total * x[0]


@on((X, 1.25), wrt=(0, 1))
def nonlocal_results_in_a_try_with_all_parts(x, s):
    total = s * 0.5

    def add(v):
        nonlocal total
        total += v * s
        r = math.sqrt(v - 0.8)
        total += r
        return r * total

    out = 0.0
    for v in x:
        try:
            out += add(v) * total
        except ValueError as error:
            out += total * len(str(error))
        else:
            out *= 1.5
        finally:
            out = out + 0.1 * v
    return out + total


@on((X, 1.25), wrt=(0, 1))
def nonlocal_counter_beside_a_value_in_a_try(x, s):
    total = s
    calls = 0

    def f(v):
        nonlocal calls, total
        calls += 1
        total = total * 0.9
        return math.log(v - 0.75)

    y = 0.0
    for v in x:
        try:
            y += f(v)
        except (ValueError, ZeroDivisionError):
            y -= v * calls
    return y * calls * total


@on((X, 1.25), wrt=(0, 1))
def nonlocal_that_a_finally_changes(x, s):
    total = x[0]

    def add(v):
        nonlocal total
        total = total * v

    try:
        add(s)
    finally:
        total = total + x[1]
    return total


@on((X, 1.25), wrt=(0, 1))
def nonlocal_writers_that_call_each_other_in_a_try(x, s):
    total = x[0]

    def inner(v):
        nonlocal total
        total = total * v
        if total > 2:
            raise KeyError("k")
        return total

    def outer(v):
        nonlocal total
        total = total + 1.0
        a = inner(v)
        b = inner(a)
        return a * b

    out = []
    for v in [s, s * 2, x[2]]:
        try:
            out.append(outer(v))
        except KeyError:
            out.append(total)
            total = s
    return out[0] * out[1] + out[2]


@on((X, 1.25), wrt=(0, 1))
def nonlocal_in_a_loop_in_a_try(x, s):
    best = s

    def check(v):
        nonlocal best
        if v < 0.8:
            raise ValueError
        best = v if v > best else best * 1.1

    try:
        for v in x:
            check(v)
    except ValueError:
        best = best * 3.0
    return best * s


@on((X, 1.25), wrt=(0, 1))
def nonlocal_counter_in_a_try(x, s):
    n = 0

    def f(v):
        nonlocal n
        n += 1
        return math.sqrt(v - 0.8)

    y = 0.0
    for v in x:
        try:
            y += f(v) * s
        except ValueError:
            y += v
    return y * n


@on((X, 1.25), wrt=(0, 1))
def nonlocal_writer_with_a_try_of_its_own(x, s):
    total = s

    def f(v):
        nonlocal total
        total = total * v
        try:
            total = total * math.sqrt(v - 0.8)
            return total
        except ValueError:
            total = total + 2.0
        return v * total

    y = f(x[0]) + f(x[1])
    return y * total


@on((X, 1.25), wrt=(0, 1))
def nonlocal_recursion_in_a_try(x, s):
    total = s

    def f(v):
        nonlocal total
        total = total * v
        if v > 0.5:
            return f(v - 0.5)
        return math.sqrt(v - 0.25)

    try:
        a, b = f(x[0]), f(x[1])
    except ValueError:
        a, b = s, total
    return a * b


@on((X, 3), (X, 2), wrt=(0,))
def branches_and_loops_in_a_try(x, n):
    total, done = 0.0, 0
    try:
        for i in range(4):
            if i == n:
                total = total * x[i] * x[1]
            elif x[i] > 1.0:
                total += math.sqrt(x[i])
                continue
            while done < i:
                done += 1
                total *= 1.0 + x[done]
        else:
            total = -total
    except IndexError as error:
        total = total * x[0] + done * len(str(error))
    return total * x[2]


@on((X, 1.25), (X, -0.5), wrt=(0, 1))
def failures_of_two_kinds(x, s):
    kept = []
    for v in x:
        try:
            if v * s < 0:
                raise ValueError("negative")
            a, b = v * s, math.log(v * s)
            if b > 0.4:
                raise KeyError("large")
        except ValueError:
            kept.append(v * v)
        except KeyError:
            kept.append(a * s)
        else:
            kept.append(a * b)
        finally:
            s = s * 1.1
    return kept[0] * kept[1] + kept[2]


@on((X, 1.25), wrt=(0, 1))
def try_in_a_try_in_a_loop(x, s):
    total = s
    for v in x:
        try:
            try:
                total += math.sqrt(v - 0.8)
            except ValueError:
                total *= 2.0
                if v < 0.8:
                    total = total + math.log(v - 0.75)
        except ValueError:
            total += v * s
    return total


@on((X, 1.25), wrt=(0, 1))
def nonlocal_before_a_stop_in_a_try(x, s):
    total = s * 0.5

    def add(v):
        nonlocal total
        total = total * v
        if v > 1:
            raise Stop
        return total

    for v in x:
        try:
            total = total + add(v)
        except Stop:
            total = total + s
    return total * x[0]


@on((X, 1.25), wrt=(0, 1))
def nonlocal_before_everything_in_a_try(x, s):
    total = s * 0.5

    def add(v):
        nonlocal total
        total = total * v
        if v > 1:
            raise Stop
        return total

    for v in x:
        try:
            total = total + add(v)
        except (ValueError, Everything):
            total = total + s
    return total * x[0]
