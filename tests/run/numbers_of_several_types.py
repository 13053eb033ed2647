"""Numbers that are of one type or of another: what CPython's would be is seen wherever it can be seen."""
# run: unbound_before_the_loop(np.int64(3), np.arange(4)) == 3
# run: returned_from_a_loop(np.int64(3), np.arange(4)) == 3
# run: int_or_uint8(np.uint8(200), np.bool_(False)) == -1
# run: int_or_uint8(np.uint8(200), np.bool_(True))
# run: literal_beside(np.uint8(7), np.bool_(True)) == 300
# run: literal_beside(np.float32(7), np.bool_(True)) == 300
# run: wide_int_beside_single(np.float32(2.5), np.bool_(True)) == 16777217
# run: wide_int_beside_single(np.float32(2.5), np.bool_(False))
# run: smallest(np.array([2**53 + 1, 2**53 + 3]))
# run: smallest(np.array([], np.int64))
# run: ten_over(np.float64(0.0), np.bool_(True))
# raises: ten_over(np.float64(0.0), np.bool_(False)) ZeroDivisionError
# run: half(np.int64(5), np.bool_(True))
# run: half(np.int64(5), np.bool_(False))
# run: half(np.array([5, 7]), np.bool_(True))
# run: half(np.array([5, 7]), np.bool_(False))
# run: carried(np.int32(3), np.int64(0))
# run: carried(np.int32(3), np.int64(2))
# run: above(np.arange(7.0), np.float64(3))
# run: above(np.arange(7.0), np.float64(30)) == 0
# run: total(np.arange(7.0))
# run: total(np.arange(0.0)) == 0
# run: total(np.arange(7, dtype=np.int32))
# run: total(np.ones((6, 2), np.float32))
# run: marked(np.arange(98, 106, dtype=np.uint8), np.int64(8))
# run: kind_of(np.float64(2), np.int64(0)) == 2
# run: kind_of(np.float64(2), np.int64(2)) == 1
# run: power(2, 3) == 8
# run: power(2, -3) == 0.125
# run: power(np.int64(2), np.int64(3))
# run: power(2.0, np.int64(5))
# run: largest_sum(np.int64(0))
# run: largest_sum(np.int64(5)) == 10
# run: place_of_largest(np.array([1.0, 5, 3]), np.int64(3))
# run: place_of_largest(np.array([1.0, 0, -3]), np.int64(3))
# run: operators(np.float32(3), np.bool_(True), np.bool_(True))
# run: operators(np.float32(3), np.bool_(False), np.bool_(True))
# run: operators(np.int64(-3), np.bool_(True), np.bool_(False))
# run: operators(np.int64(-3), np.bool_(False), np.bool_(False))
# run: operators(True, np.bool_(False), np.bool_(False))
# run: of_arrays(np.array([1, 2, 3]), np.bool_(True))
# run: of_arrays(np.array([1, 2, 3]), np.bool_(False))
# run: printed(np.float64(1), np.bool_(True))
# run: printed(np.float64(1), np.bool_(False))
# run: in_two_loops(np.array([1.0, 5, 3, 9]), np.int64(4))
# run: in_two_loops(np.array([-1.0, -5, -3, -9]), np.int64(4))
# run: none_or_numbers(np.array([1.0, 5, 3, 9, 4, 4, 4]))
# run: none_or_numbers(np.array([-1.0] * 7))
# run: none_or_numbers(np.array([]))
# run: pair(np.float64(1), np.bool_(True))
# run: pair(np.float64(1), np.bool_(False))
# run: complex_or_float(np.complex128(1 + 2j), np.bool_(True))
# run: complex_or_float(np.complex128(1 + 2j), np.bool_(False))
# run: bound_or_not(np.float64(3), np.bool_(True)) == 1
# run: bound_or_not(np.float64(3), np.bool_(False))
# raises: bound_or_not(np.float64(1), np.bool_(False)) UnboundLocalError
# run: recursive(np.int64(0), np.float64(2.5)) == 0
# run: recursive(np.int64(4), np.float64(2.5))
# run: recursive(np.int64(5), np.float64(2.5))
# run: in_a_closure(np.float64(1.5), np.bool_(True))
# run: in_a_closure(np.float64(1.5), np.bool_(False))
# run: stored(np.float64(1.5), np.bool_(True), np.zeros(3))
# run: stored(np.float64(1.5), np.bool_(False), np.zeros(3, np.int64))
# run: stored(np.float64(1.5), np.bool_(True), np.zeros(3, np.int64))
# run: of_numpy(np.float32(1.5), np.bool_(True))
# run: of_numpy(np.float32(1.5), np.bool_(False))
# run: either(np.int64(0), np.float64(2.0))
# run: either(np.int64(3), np.float64(0.0))
# run: either(0, 2.0)
# run: rank_zero(np.float64(1.5), np.bool_(True))
# run: rank_zero(np.float64(1.5), np.bool_(False))
# run: chosen_of_list(np.int64(0))
# run: chosen_of_list(np.int64(2))
# run: sorted_numbers(np.int64(1))
# run: order_of_ints_and_floats(np.int64(2**53 + 1), np.bool_(True))
# raises: raised(np.float32(1.5), np.bool_(True)) ValueError
# raises: raised(np.float32(1.5), np.bool_(False)) ValueError

import numpy as np


def int_or_uint8(x, c):
    y = -1
    if c:
        y = x
    return y


def literal_beside(x, c):
    return 300 if c else x


def wide_int_beside_single(x, c):
    return 16777217 if c else x


def smallest(values):
    low = np.inf
    for v in values:
        low = min(low, v)
    return low


def ten_over(m, c):
    m = m if c else 0
    return 10 / m


def half(x, c):
    return x / 2 if c else x


def carried(i, n):
    while n > 0:
        i = i * 0.5
        n -= 1
    return i


def above(values, limit):
    best = 0
    for v in values:
        if v > limit:
            best = v
    print(best)
    return best


def total(values):
    s = 0
    for v in values:
        s = s + v
    return s


def marked(values, n):
    out = []
    for i in range(n):
        if values[i] > 100:
            out.append(-1)
        else:
            out.append(values[i])
    return out


def kind_of(v, n):
    r = 0
    while n > 0:
        r = r + v
        n -= 1
    if isinstance(r, float):
        return 1
    return 2


def power(x, n):
    inverse = n < 0
    n = abs(n)
    r = 1
    while n > 0:
        if n % 2 == 1:
            r = r * x
        x = x * x
        n = n // 2
    if inverse:
        r = 1 / r
    return r


def largest_sum(n):
    best = float("-inf")
    s = 0
    for i in range(n):
        s = s + i
        best = max(best, s)
    return best


def place_of_largest(x, n):
    k = 0
    for i in range(n):
        if x[i] > x[k]:
            k = np.argmax(x)
    return x[k], k


def operators(x, c, d):
    a = 1 if c else x
    b = 2.5 if d else x
    sums = a + b, a * b, a - 1, -a, abs(b), a // 2, b**2, a % 2, divmod(b, 2)
    tests = a < b, a == b, a != b, a >= 1, not a, b is None, a in (1, 2), isinstance(a, int)
    return sums, tests, max(a, b), min(b, a), float(a), int(b), round(b), [a, b], {"a": a}


def of_arrays(x, c):
    y = x if c else x * 0.5
    z = y + 1
    return z.sum(), z, y[0], y.shape, len(y), y.astype(np.float32), np.sum(y), np.where(y > 1, y, 0), y @ y


def printed(x, c):
    y = x if c else 1
    print(y, f"{y} {y:.2f}", y + 1)
    return [y, (y, {"a": y})]


def in_two_loops(v, n):
    best = 0
    count = 0
    for i in range(n):
        for j in range(n):
            if v[j] > best:
                best = v[j]
                count = count + 1
            elif count > 5 + i:
                best = -1
    return best, count


def none_or_numbers(values):
    best = None
    for x in values:
        if best is None:
            best = 0
        elif x > best:
            best = x
    return best


def pair(v, c):
    p = (0, 1.5)
    if c:
        p = (v, v)
    q, r = p
    return p, q + r, [q], {"k": r}


def complex_or_float(z, c):
    y = 1.0
    if c:
        y = z
    return y, y * 2, abs(y), y.real, y.imag


def bound_or_not(x, c):
    if c:
        y = 1
    elif x > 2:
        y = x
    return y


def recursive(n, x):
    if n <= 0:
        return 0
    if n % 2 == 0:
        return x
    return recursive(n - 2, x) + 1


def in_a_closure(x, c):
    y = x if c else 0

    def scaled(q):
        return q * 2 + y

    return scaled(y), [scaled(i) for i in range(3)], sum([y, 1, 2])


def stored(x, c, v):
    y = x if c else 7
    v[0] = y
    v[1] += 2
    return v


def of_numpy(x, c):
    y = x if c else 2
    made = np.array([y, y]), np.zeros(3) + y, np.full(2, y), np.arange(3) * y, np.stack([y, 1.0])
    return made, np.sqrt(y), np.maximum(y, 1.0), np.exp(y), np.clip(y, 0, 1), np.isnan(y), np.float64(y)


def either(a, b):
    return a and b, a or b, not a, (a or 5)


def rank_zero(x, c):
    return np.zeros(()) if c else x


def chosen_of_list(k):
    return [1, True, 2.5, 7][k], (2, 0.5, np.float32(1))[k]


def sorted_numbers(k):
    return sorted([k, 1.5, 0]), sorted([3, 1.0, k], reverse=True), [k, 2.5].index(2.5)


def order_of_ints_and_floats(x, c):
    y = x if c else 1.0
    return sorted([y, 2.0**53, 3]), y > 2**53


def raised(x, c):
    y = x if c else 3
    if y > 1:
        raise ValueError(y)
    return y


def unbound_before_the_loop(a, x):
    while x[3] > 0:
        if a > 0:
            r = a
            break
        a = 0
    return r


def returned_from_a_loop(a, x):
    while x[3]:
        if a:
            return a
        a = 0
