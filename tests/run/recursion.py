# run: factorial(np.int64(10)) == 3628800
# run: factorial(np.int32(5)) == 120
# run: fibonacci(np.int64(15)) == 610
# run: divisor(np.int64(48), np.int64(18)) == 6
# run: is_even(np.int64(7)) == False
# run: is_odd(np.int64(7)) == True
# run: accumulated(np.int64(6)) == 720
# run: by_keyword(np.int64(6)) == 720
# run: inner(np.int64(6)) == 720
# run: through_partial(np.int64(5)) == 240
# run: partial_of_itself(np.int64(5)) == 120
# run: prints(np.int64(3))
# run: arrays(np.arange(4.0) / 3, np.int64(3))
# run: arrays(np.arange(4.0) / 3, np.int64(0))
# run: several(np.int64(4))
# run: in_a_list(np.int64(4)) == [10, "sum"]
# run: in_a_loop(np.int64(5)) == 34
# run: loop_inside(np.int64(5)) == 32
# run: method(np.int64(5)) == 96.0
# run: method_of_a_new_object(np.int64(5), 2.5) == 80.0
# run: may_be_none(np.int64(0)) == None
# run: may_be_none(np.int64(9))
# run: sorted_in_place(np.array([3.0, 1.0, 2.0, 9.0, 5.0, 4.0, 1.0]))
# run: root(2.0)
# run: root(np.float32(2.0))
# run: two_functions(np.int64(5))
# run: lambda_of_itself(np.int64(5)) == 15
# run: with_a_tuple(np.int64(5))
# run: with_a_dataclass(np.int64(4))
# run: with_a_named_tuple(np.int64(4))
# run: callee_of_plain_values(np.int64(4), 5)
# raises: raises_at_the_end(np.int64(3)) ValueError
# raises: raises_in_a_branch(np.int64(3)) KeyError
# run: the_same_list(np.int64(3)) == ([1.0, 2.0, 3.0], True)
# run: a_wrapper(np.int64(4)) == 24
# run: endless_only_for_others(np.int64(3)) == 0
"""Functions that call themselves, where staged values end the recursion."""

import functools
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np


def factorial(n):
    if n == 0:
        return 1
    return n * factorial(n - 1)


def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


def divisor(a, b):
    if b == 0:
        return a
    return divisor(b, a % b)


def is_even(n):
    return True if n == 0 else is_odd(n - 1)


def is_odd(n):
    return False if n == 0 else is_even(n - 1)


def accumulated(n, product=1):
    if n == 0:
        return product
    return accumulated(n - 1, product * n)


def by_keyword(n, *, product=1):
    return product if n == 0 else by_keyword(product=product * n, n=n - 1)


def inner(n):
    def product(k):
        return 1 if k < 2 else k * product(k - 1)

    return product(n)


doubled = functools.partial(accumulated, product=2)


def through_partial(n):
    return doubled(n)


def partial_of_itself(n):
    return 1 if n == 0 else n * functools.partial(partial_of_itself, n - 1)()


def prints(n):
    print("down", n)
    if n > 0:
        prints(n - 1)
        print("up", n)


def arrays(x, n):
    if n == 0:
        return x
    y = np.sin(x) + 1
    y[0] = n
    return arrays(y, n - 1) + x


def several(n):
    if n == 0:
        return 0.0, np.zeros(3), (n, "end")
    a, b, (c, word) = several(n - 1)
    return a + n, b + a, (c + n, word)


def in_a_list(n):
    total = 0
    if n > 0:
        total = in_a_list(n - 1)[0] + n
    return [total, "sum"]


def in_a_loop(k):
    total = 0
    for i in range(k):
        total = total + factorial(i)
    return total


def loop_inside(n):
    total = 1
    for i in range(n):
        total = total + loop_inside(i)
    return total


class Scaled:
    def __init__(self, start):
        self.start = start

    def power(self, n):
        return self.start if n == 0 else self.power(n - 1) * 2


scaled = Scaled(3.0)


def method(n):
    return scaled.power(n)


def method_of_a_new_object(n, start):
    return Scaled(start).power(n)


def may_be_none(n, best=None):
    if n == 0:
        return best
    if best is None or n % 7 > best:
        best = n % 7
    return may_be_none(n - 1, best)


def sorted_from(x, low, high):
    if low >= high:
        return x
    x = x.copy()
    pivot, place = x[high], low
    for j in range(low, high):
        if x[j] < pivot:
            value = x[place]
            x[place] = x[j]
            x[j] = value
            place = place + 1
    value = x[place]
    x[place] = x[high]
    x[high] = value
    x = sorted_from(x, low, place - 1)
    return sorted_from(x, place + 1, high)


def sorted_in_place(x):
    return sorted_from(x, 0, len(x) - 1)


def root(x):
    if abs(x * x - 2) < 1e-3:
        return x
    return root((x + 2 / x) / 2)


def halves(n):
    return 0 if n == 0 else 1 + halves(n // 2)


def two_functions(n):
    if n == 0:
        return 0
    return halves(n) + two_functions(n - 1)


def lambda_of_itself(n):
    add = lambda k: 0 if k == 0 else k + add(k - 1)  # noqa: E731
    return add(n)


def with_a_tuple(n, pair=(0, 1)):
    a, b = pair
    if n == 0:
        return a
    return with_a_tuple(n - 1, (b, a + b))


@dataclass
class Point:
    x: float
    y: float


def moved(n, point):
    if n == 0:
        return point.x - point.y
    return moved(n - 1, Point(point.x + n, point.y * 2))


def with_a_dataclass(n):
    return moved(n, Point(0.0, 1.0))


class Pair(NamedTuple):
    first: float
    second: float


def swapped(n, pair):
    if n == 0:
        return pair
    return swapped(n - 1, Pair(pair.second, pair.first + n))


def with_a_named_tuple(n):
    pair = swapped(n, Pair(0.0, 1.0))
    return pair.first, pair.second


def callee_of_plain_values(n, depth):
    def down(x, k):
        if k == 0:
            return x
        if x > 100:
            return down(x - 1, k - 1)
        return down(x + k, k - 1)

    return down(n, depth)


def raises_at_the_end(n):
    if n == 0:
        raise ValueError(f"the end is {n}")
    return 1 + raises_at_the_end(n - 1)


def raises_in_a_branch(n):
    print("at", n)
    if n == 0:
        raise KeyError("bottom")
    else:
        return raises_in_a_branch(n - 1)


def the_same_list(n):
    numbers = [1.0, 2.0]

    def given(k):
        return numbers if k == 0 else given(k - 1)

    found = given(n)
    found.append(3.0)
    return numbers, found is numbers


def with_one_more(function):
    @functools.wraps(function)
    def wrapper(n, *others):
        return function(n, 1)

    return wrapper


@with_one_more
def counted_down(n, one):
    return 1 if n == 0 else n * counted_down(n - one)


def a_wrapper(n):
    return counted_down(n)


def endless_only_for_others(n):
    if n < 0:
        return endless_only_for_others(n)
    return 0
