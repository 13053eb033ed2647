"""Python ints that leave 64 bits on the way to a remainder or under a mask: right, or refused at the line."""

import itertools
import random

import autograph as ag
import numpy as np
import pytest

PRIME = 2**61 - 1


def generator(seed, count):
    """Java's generator of random numbers."""
    for _ in range(count):
        seed = (seed * 0x5DEECE66D + 11) & ((1 << 48) - 1)
    return seed


def rolling(values, modulus):
    h = 0
    for value in values:
        h = (h * 131 + value) % modulus
    return h


def power(base, exponent, modulus):
    result = 1
    base = base % modulus
    while exponent > 0:
        if exponent & 1:
            result = result * base % modulus
        base = base * base % modulus
        exponent >>= 1
    return result


def is_probable_prime(n):
    d = n - 1
    r = 0
    while d % 2 == 0:
        d //= 2
        r += 1
    for base in (2, 3, 5, 7, 11, 13, 17):
        x = power(base, d, n)
        if x == 1 or x == n - 1:
            continue
        for _ in range(r - 1):
            x = x**2 % n
            if x == n - 1:
                break
        else:
            return False
    return True


def two_products(a, b, c, d, m):
    return (a * b + c * d) % m


def three_factors(a, b, c, d, m):
    return a * b * c % m, (d - a * b) % m, (a * b - d) % m, (-(a * c)) % m, (a * (b + c)) % m


def masked(a, b, c, d, m):
    return (
        (a * b) & 0xFFFFFFFF,
        ((a << 7) ^ b) & 0xFFFF,
        (c - a * b) % 2**20,
        ~(a * d) & 1023,
        (a * b * c) & 255,
    )


def knuth(values, count):
    h = 0
    for value in values:
        h = ((h << 5) + h + value) & 0xFFFFFFFFFFFF
        h = ((h ^ value) * 0x100000001B3) & 0x7FFFFFFFFFFFFFFF
    return h % count


RANDOM = random.Random(5)


def some(low, high):
    return RANDOM.randrange(low, high)


def wide():
    ints = [some(-(2**62), 2**62) for _ in range(4)]
    return (*ints, some(1, 2**62) * RANDOM.choice([1, -1]))


CALLS = {
    generator: [lambda: (some(0, 2**48), 40)],
    rolling: [lambda: ([some(0, 2**40) for _ in range(12)], PRIME), lambda: ([], PRIME)],
    power: [lambda: (some(0, PRIME), some(0, PRIME), some(2**62, 2**63)), lambda: (some(0, 9), 5, 7)],
    is_probable_prime: [lambda: (RANDOM.choice([PRIME, 2**62 - 57, 2**61 + 1, 561, 999_983, 2**31 - 1]),)],
    two_products: [wide, lambda: (3, 4, 5, 6, 7)],
    three_factors: [wide, lambda: (3, -4, 5, 6, -7)],
    masked: [lambda: (*wide()[:4], some(0, 2**60)), lambda: (3, -4, 5, 6, 7)],
    knuth: [lambda: ([some(0, 2**40) for _ in range(12)], 1009)],
}


@pytest.mark.parametrize("function", CALLS, ids=lambda function: function.__name__)
def test_what_a_remainder_or_a_mask_brings_back_is_as_in_python(function):
    staged = ag.function(function)
    for make in CALLS[function]:
        for _ in range(12):
            arguments = make()
            expected = function(*arguments)
            result = staged(*arguments)
            assert result == expected, arguments
            assert type(result) is type(expected)


def test_borders():
    staged = ag.function(lambda a, b, c, m: (a * b + c) % m)
    borders = [0, 1, -1, 2, 2**31, -(2**31), 2**62, 2**63 - 1, -(2**63), 2**63 - 2]
    staged(5, 6, 7, 8)
    for a, b, c in itertools.product(borders, repeat=3):
        for m in (1, -1, 2**63 - 1, -(2**63), 10**9 + 7, 3):
            assert staged(a, b, c, m) == (a * b + c) % m


def test_a_modulus_of_zero_raises_as_in_python():
    staged = ag.function(lambda a, b, m: a * b % m)
    assert staged(2**40, 2**40, 7) == 2**80 % 7
    assert staged(2**41, 2**40, 9) == 2**81 % 9
    with pytest.raises(ZeroDivisionError, match="integer modulo by zero"):
        staged(2**40, 2**40, 0)


REFUSED = {
    "a factorial": lambda n: (n * n * n) // 3,
    "another use": lambda n: (lambda product: (product % 7, product))(n * n),
    "a mask of 64 bits": lambda n: (n * n) & -1,
    "a mask that is data": lambda n: (n * n) & (n - 1),
    "a quotient": lambda n: n * n // 10,
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_needed_as_a_whole_is_refused_at_its_line(name):
    function = REFUSED[name]
    staged = ag.function(function)
    for n in (3, 4, 5):
        assert staged(n) == function(n)
    with pytest.raises(OverflowError, match=r"AG203.*left 64 bits") as caught:
        staged(2**60)
    assert "test_wide_ints.py" in str(caught.value)


def test_writes_before_an_int_of_more_bits_are_as_in_python():
    def record(seen, n, m):
        seen.append(n * n % m)
        return n * n + m

    staged = ag.function(record)
    for n in (3, 4, 5, 2**40, 2**41):
        expected, seen = [], []
        assert staged(seen, n, 7) == record(expected, n, 7)
        assert seen == expected


def test_rows_of_ints_and_arrays_are_as_before():
    """NumPy's ints wrap: they have 64 bits."""

    @ag.function
    def wrapped(x, m):
        return x * x % m

    for m in (7, 9, 11):
        x = np.array([2**40 + m, 3, -5])
        np.testing.assert_array_equal(wrapped(x, m), x * x % m)
        assert wrapped(x[0], m) == x[0] * x[0] % m
