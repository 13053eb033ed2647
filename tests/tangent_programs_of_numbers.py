"""Programs over numbers: straight lines, branches, loops, jumps."""

from __future__ import annotations

import math

import numpy as np
from autograph import tangent
from tangent_case import LOG, Programs

PROGRAMS = Programs()
on = PROGRAMS.on


@on(3.0, -1.5, np.float64(2.0))
def square(x):
    return x * x


@on((2.0, 3.0), (-1.0, 0.5), wrt=(0, 1))
def mixed_arithmetic(x, y):
    a = x + y * 2 - 3 / y
    b = -a * +x
    return b / (1 + x**2) - (y - x)


@on((2.0, 3.0), (1.5, -0.5), wrt=(0, 1))
def power_of_both(x, y):
    return x**y + 2**y + x**3 + x**0.5


@on((7.3, 2.1), (-7.3, 2.1), wrt=(0, 1))
def floor_division_and_remainder(x, y):
    return x // y * x + x % y * y


@on(2.0, -1.0)
def augmented(x):
    y = x
    y += x * x
    y *= 3
    y -= x
    y /= 2 + x * x
    y **= 2
    return y


@on(2.0)
def augmented_by_itself(x):
    x *= x
    x += x
    x -= x / 3
    return x


@on(2.0, 0.5)
def constant_result(x):
    return 3.0


@on(2.0)
def identity(x):
    return x


@on((2.0, 5.0), wrt=(0, 1))
def unused_argument(x, y):
    return y * 2


@on(0.3, 1.2)
def math_functions(x):
    a = math.sin(x) * math.cos(x) + math.tan(x)
    b = math.exp(x) + math.log(x + 2) + math.sqrt(x + 1)
    c = math.tanh(x) + math.atan(x) + math.hypot(x, 2.0) + math.atan2(x, 3.0)
    return a + b * c + math.pow(x, 3) + math.fabs(-x) + math.pi * x


@on(0.3)
def math_more(x):
    return math.log1p(x) + math.expm1(x) + math.asin(x) * math.acos(x) + math.sinh(x) + math.erf(x)


@on(2.5, np.float64(1.5))
def float_call(x):
    return float(x) * float(x * 2)


@on(2.5)
def abs_min_max(x):
    return abs(x - 3) + max(x, 1.0) * min(x, 4.0) + max(x * 2, x, 3.0)


@on(2.0, -2.0, 0.5)
def if_else(x):
    if x > 1:
        y = x * x
    else:
        y = x**3
    return y + x


@on(2.0, -2.0, 0.5)
def if_without_else(x):
    y = x * 2
    if x > 0:
        y = y * x
        if x > 1:
            y = np.sin(y)
    return y


@on(-2.0, 0.5, 2.0, 20.0)
def elif_chain(x):
    if x < 0:
        y = x * x
    elif x < 1:
        y = x * 3
    elif x < 10:
        y = x**3
    else:
        y = 1.0
    return y * x


@on(-2.0, 0.5, 2.0)
def early_return(x):
    if x < 0:
        return x * x
    y = np.sin(x)
    if y > 0.8:
        return y * x
    return y * 3


@on(-2.0, 0.5, 2.0)
def returns_in_both(x):
    if x < 0:
        return -x
    else:
        if x > 1:
            return x * x
        x = x * 5
    return x * x * x


@on(2.0, 0.5, -0.5)
def defined_in_one_branch(x):
    if x > 0:
        scale = x * 2
    y = x * x
    if x > 0:
        y = y * scale
    return y


@on(2.0, 0.5, -0.5)
def rebound_in_branch(x):
    y = x * x
    z = y * x
    if z > 1:
        y = z * y
        z = y + z
    else:
        z, y = y, z * 2
    return y * z * x


@on(2.0, -0.5)
def nested_ifs_with_rebinding(x):
    a = x
    if a > 0:
        b = a * a
        if b > 1:
            a = b * x
        else:
            a = b + x
        a = a * b
    else:
        b = a * 3
    return a * b


@on((2.0, 0), (2.0, 1), (2.0, 3))
def for_range(x, n):
    y = x
    for i in range(n):
        y = y * x + i
    return y


@on((2.0, 0), (2.0, 1), (2.0, 3))
def for_range_with_step(x, n):
    y = 1.0
    for i in range(n + 1, 0, -1):
        y = y * np.sin(x * i)
    return y


@on((0.5, 0), (0.5, 1), (0.5, 3))
def for_that_rebinds_the_input(x, n):
    for i in range(n):
        x = x * x + x
    return x


@on((0.5, 0), (0.5, 1), (0.5, 3))
def loop_variable_after_the_loop(x, n):
    i = 0
    y = x
    for i in range(n):
        y = y * x
    return y * i + x


@on(3.0, 0.5, 20.0)
def while_loop(x):
    y = x
    while y < 10:
        y = y * 2 + x
    return y


@on(3.0, 0.5)
def while_with_counter(x):
    i = 0
    s = 0.0
    while i < 4:
        s += x**i
        x = np.sin(x) + i
        i += 1
    return s * x


@on((1.3, 0), (1.3, 1), (1.3, 3))
def nested_loops(x, n):
    s = 0.0
    for i in range(n):
        for j in range(i):
            s = s * x + x * j
        s = s + x * i
    return s + x


@on((1.3, 0), (1.3, 1), (1.3, 3))
def while_in_for(x, n):
    s = x
    for i in range(n):
        t = s
        while t < 5:
            t = t * x + 1
        s = s + t * 0.1
    return s


@on((1.3, 0), (1.3, 1), (1.3, 3), (-1.3, 3))
def if_in_for(x, n):
    y = x
    for i in range(n):
        if i % 2 == 0:
            y = y * x
        elif y > 0:
            y = y + x * x
        else:
            y = y - np.cos(x)
    return y


@on((1.3, 0), (1.3, 1), (1.3, 5), (0.2, 5))
def break_out(x, n):
    y = x
    for i in range(n):
        y = y * x
        if y > 2:
            break
        y = y + x
    return y * x


@on((1.3, 0), (1.3, 1), (1.3, 5), (0.2, 5))
def continue_in_for(x, n):
    y = x
    for i in range(n):
        if i == 1:
            continue
        y = y * x
        if y > 2:
            y = y / 2
            continue
        y = y + x
    return y


@on((1.3, 0), (1.3, 1), (1.3, 5), (0.2, 5))
def for_else(x, n):
    y = x
    for i in range(n):
        y = y * x
        if y > 2:
            break
    else:
        y = y * 10 * x
    return y


@on(1.3, 0.2, 11.0)
def while_else(x):
    y = x
    i = 0
    while y < 10:
        y = y * 2 + x
        i += 1
        if i > 3:
            y = y * x
            break
    else:
        y = y * y
    return y


@on(1.3, 0.7, 5.0)
def while_true(x):
    y = x
    while True:
        y = y * x + 1
        if y > 3:
            break
        if y < 1.2:
            y = y + 4 * x
            continue
        y = y + 0.7
    return y


@on((1.3, 0), (1.3, 1), (1.3, 5), (0.2, 5))
def return_in_loop(x, n):
    y = x
    for i in range(n):
        y = y * x + i
        if y > 4:
            return y * y
    return y + x


@on((1.3, 0), (1.3, 2), (1.3, 5), (0.2, 5))
def return_in_nested_loop(x, n):
    y = x
    for i in range(n):
        for j in range(2):
            y = y * x + j
            if y > 4:
                return y * y * i
        y = y + 0.1 * x
    return y + x


@on((1.3, 3), (0.7, 3), (3.0, 3))
def break_of_inner_loop(x, n):
    s = x
    for i in range(n):
        t = x
        for j in range(n):
            t = t * x + i
            if t > 3:
                break
            s = s + t
        else:
            s = s * 2
        s = s + t * x
    return s


@on(2.0, -2.0)
def ternary(x):
    y = x * x if x > 0 else x**3
    return (y if y > 1 else -y * x) + (x if x < 0 else 2 * x)


@on(2.0, -2.0)
def ternary_with_calls(x):
    return np.sin(x) * x if x > 0 else np.cos(x * 2)


@on(2.0, 0.3, -1.0)
def boolean_operators(x):
    y = x
    if x > 0 and np.sin(x) > 0.5:
        y = x * x
    if not (x > 0.1 or x < -2):
        y = y * 5
    return y if 0 < x < 1 else y * x


@on(2.0, 0.3)
def walrus(x):
    if (y := x * x) > 1:
        return y * x
    return (z := y + 1) * z


@on(2.0, 0.3)
def walrus_in_while(x):
    s = x
    while (t := s * x) < 5 and s < 8:
        s = s + t + 1
    return s * t


@on((2.0, 3.0), wrt=(0, 1))
def tuple_unpacking(x, y):
    a, b = x * y, x + y
    (c, d), e = (a * b, a), b * x
    return c + d * e


@on((2.0, 3.0, 0), (2.0, 3.0, 1), (2.0, 3.0, 3), wrt=(0, 1))
def swap_in_loop(x, y, n):
    a, b = x, y
    for i in range(n):
        a, b = b, a * b
    return a + 3 * b * x


@on((2.0, 3.0), wrt=(0, 1))
def swap_of_arguments(x, y):
    x, y = y, x
    y = y * y
    x, y = y * x, x
    return x * x + y


@on((1.0, 0), (1.0, 1), (1.0, 6))
def fibonacci(x, n):
    a, b = 0.0, x
    for _ in range(n):
        a, b = b, a + b * x
    return a


@on(2.0)
def chained_assignment(x):
    a = b = x * x
    a = a * x
    return a + b * 3


@on(2.0)
def starred_unpacking(x):
    a, *rest = x, x * x, x**3
    return a * rest[0] + rest[1]


@on((2.0, 3.0), wrt=(0, 1))
def rotate_three(x, y):
    a, b, c = x, y, x * y
    for _ in range(2):
        a, b, c = b, c, a * 2 + b
    return a + b * 2 + c * 3


@on((2.0, 0), (2.0, 3))
def prints(x, n):
    print("start", n)
    y = x
    for i in range(n):
        y = y * x
        print("step", i, y)
    print("end", y)
    return y


@on((2.0, 0), (2.0, 3), (0.2, 3))
def logs(x, n):
    y = x
    for i in range(n):
        y = y * x
        LOG.append(i)
        if y > 3:
            LOG.append("large")
    LOG.append(y)
    return y


@on(2.0, -1.0)
def asserts(x):
    assert x > 0, "x must be positive"
    y = x * x
    assert y > 0
    return y


@on(2.0, -1.0)
def raises(x):
    y = x * x
    if x < 0:
        raise ValueError(f"negative: {x}")
    return y


@on(2.0, -1.0)
def try_finally(x):
    y = x
    try:
        y = y * x
    finally:
        LOG.append("done")
        y = y * 2
    return y


@on(2.0, -1.0)
def return_in_try_finally(x):
    try:
        if x > 0:
            return x * x
        y = x * 3
    finally:
        LOG.append("done")
    return y * x


@on(2.0, -1.0)
def with_errstate(x):
    with np.errstate(all="ignore"):
        y = np.log(x * x) * x
    return y


@on(2.0, 0.4)
def docstring_and_annotations(x: float) -> float:
    """Adds things."""
    y: float = x * x
    z: float
    z = y * x
    pass
    return z + y


@on(2.0)
def deleted(x):
    y = x * x
    z = y * x
    del y
    y = z * 2
    return y


@on(2.0)
def newton(x):
    y = 1.0
    for _ in range(5):
        y = y - (y * y - x) / (2 * y)
    return y


@on((0.5, 0.2), (1.5, 0.1), wrt=(0, 1))
def logistic_map(x, r):
    for i in range(3):
        x = 3 * (r + 1) * x * (1 - x)
        if i == 1:
            r = r * x
    return x * r


@on(0.5)
def lots_of_temporaries(x):
    a = x + 1
    b = a * x
    c = b * a
    d = c / b
    e = d - c
    f = e * d
    g = f + e
    h = g * f
    a = h * g
    return a + b + c + d + e + f + g + h


@on(2.0)
def dead_code(x):
    y = np.exp(x)
    y = x * 3
    z = y * 2
    z = z * 2 if False else y
    return y


@on((2.0, 3), (2.0, 0))
def zero_trip_rebinding(x, n):
    y = 1.0
    for i in range(n):
        y = x * y
        z = y
        y = z * z
    return y


@on((1.1, 4), (1.1, 0))
def value_of_previous_step(x, n):
    previous = x
    current = x * x
    for i in range(n):
        previous, current = current, current * x + previous
    return current * previous


@on((1.1, 4), (1.1, 1), (1.1, 0))
def constant_after_loop_carried(x, n):
    y = x
    for i in range(n):
        s = y * y
        y = 1.0
        y = y * s
    return y


@on((1.1, 4), (1.1, 1), (1.1, 0))
def reset_in_loop(x, n):
    s = 0.0
    for i in range(n):
        t = 0.0
        for j in range(3):
            t += x * j
            t *= x
        s += t
    return s


@on((1.1, 4), (1.1, 1), (1.1, 0))
def dead_at_the_end_of_the_loop(x, n):
    s = 0.0
    y = x
    for i in range(n):
        y = x * i
        s += y * y
        y = np.nan
    return s


@on(1.5, 2.5, -1.0)
def if_that_kills_the_derivative(x):
    y = x * x
    if x > 2:
        y = 4.0
    if x < 0:
        x = 1.0
    return y * x


@on(3, -2)
def python_int_input(x):
    return x * 2.5 + 1


@on((1.5, True), (1.5, False), (1.5, None))
def condition_on_other(x, flag):
    if flag:
        y = x * x
    elif flag is None:
        y = x * 7
    else:
        y = x**3
    return y


@on((1.5, "sin"), (1.5, "cos"))
def condition_on_string(x, name):
    if name == "sin":
        return np.sin(x)
    return np.cos(x) * x


@on(1.5, 0.2)
def global_constants(x):
    return x * SCALE + math.e * x * x


SCALE = 3.0


@on((1.5, 2), (0.2, 3))
def break_by_count(x, n):
    count = 0
    y = x
    while True:
        if count >= n:
            break
        count += 1
        y = y * x + count
    return y * count


@on((1.5, 4), (0.2, 3))
def two_loops_one_variable(x, n):
    y = x
    for i in range(n):
        y = y * x
    for i in range(n):
        y = np.sin(y) * i
    i = 7
    return y * i


@on((1.5, 4), (0.2, 3))
def loop_over_variable_range(x, n):
    y = x
    for i in range(n):
        n = n - 1
        y = y * x + n
    return y


@on(1.5)
def shadowed_builtin(x):
    sum = x * x
    range = sum * 2
    list = range + sum
    return list * sum


@on((1.5, 2.0), wrt=(0, 1))
def names_like_adjoints(x, bx):
    by = x * bx
    dx = by * x
    steps = dx * 2
    taken = steps + bx
    return taken * by


@on(1.5)
def tangent_is_a_name(x):
    tangent = x * x
    np_result = tangent * 3
    return np_result * x


@on((1.5, 2.0), (-1.0, 3.0), wrt=(0, 1))
def copysign_and_sign(x, y):
    return np.sign(x) * y + np.abs(x) * y


@on(1.5, 0.0, -2.0)
def relu_by_max(x):
    return max(x, -1.0) * 2 + np.maximum(x, -5.0)


def by_block(x):
    return 2 * x / 2


@on(1.5, 2.0, wanted=lambda x: min(2 * x, 3.5))
def clipped(x):
    with tangent.grad_of(x) as dx:
        if dx > 3.5:
            dx = 3.5
    return x * x


@on(1.5, 2.0, wanted=lambda x: x)
def halved(x):
    with tangent.grad_of(x) as dx:
        dx /= 2
    return x * x


@on(1.5, wanted=lambda x: 2 * x * 6 * x * x * x * 0 + 3 * x**2 * 2)
def halved_between(x):
    y = x * x * x
    with tangent.grad_of(y) as dy:
        dy *= 2
    return y


@on(1.5, wanted=lambda x: 2 * x)
def asserted(x):
    y = x * x
    with tangent.grad_of(y) as dy:
        assert dy == 1.0
    return y


@on((1.5, 5), (1.5, 1), (1.5, 0), wanted=lambda x, n: float(min(n, 3) * x ** (n - 1)) if n else 0.0)
def truncated(x, n):
    y = 1.0
    for i in range(n):
        with tangent.grad_of(y) as dy:  # noqa: F841
            if i == n - 3:
                break
        y = y * x
    return y
