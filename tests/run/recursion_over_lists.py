# run: sorted_quickly(np.array([3.0, 1.0, 2.0, 5.0, 4.0, 1.0]))
# run: sorted_quickly(np.array([7.0]))
# run: sorted_by_merging(np.array([3.0, 1.0, 2.0, 5.0, 4.0, 1.0]), np.int64(5))
# run: sum_of_large(np.array([3.0, 1.0, 2.0, 5.0]))
# run: counted_up(np.int64(6))
# run: counted_up(np.int64(0))
# run: counted_down(np.int64(6))
# run: filled(np.int64(5))
# run: divisors(np.int64(360))
# run: pairs_of(np.int64(3))
# run: is_palindrome(np.array([1, 2, 3, 2, 1]))
# run: is_palindrome(np.array([1, 2, 3, 1, 1]))
"""Recursion whose arguments and results are lists that only the run knows."""

import numpy as np


def quicksort(xs):
    if len(xs) <= 1:
        return xs
    pivot, rest = xs[0], xs[1:]
    smaller = [x for x in rest if x < pivot]
    larger = [x for x in rest if x >= pivot]
    return quicksort(smaller) + [pivot] + quicksort(larger)  # noqa: RUF005


def sorted_quickly(values):
    return quicksort([x for x in values])


def merge_sort(xs):
    count = len(xs)
    if count <= 1:
        return xs
    left, right = merge_sort(xs[: count // 2]), merge_sort(xs[count // 2 :])
    merged, i, j = [], 0, 0
    while i < len(left) and j < len(right):
        if left[i] <= right[j]:
            merged.append(left[i])
            i += 1
        else:
            merged.append(right[j])
            j += 1
    return merged + left[i:] + right[j:]


def sorted_by_merging(values, count):
    return merge_sort([x for x in values][:count])


def total(xs):
    return 0.0 if len(xs) == 0 else xs[0] + total(xs[1:])


def sum_of_large(values):
    return total([x for x in values if x > 1])


def counted_up(n):
    """A list that each call gives."""
    if n == 0:
        return []
    return counted_up(n - 1) + [n]  # noqa: RUF005


def with_numbers(n, xs):
    """A list that goes down, and comes back as it is."""
    if n == 0:
        return xs
    return with_numbers(n - 1, xs + [n])  # noqa: RUF005


def counted_down(n):
    return with_numbers(n, [])


def filled(n):
    """A list that is changed by whoever gets it."""
    if n == 0:
        return []
    xs = filled(n - 1)
    xs.append(n * n)
    return xs


def factors(n, candidate, found):
    if candidate * candidate > n:
        return found + [n] if n > 1 else found  # noqa: RUF005
    if n % candidate == 0:
        return factors(n // candidate, candidate, found + [candidate])  # noqa: RUF005
    return factors(n, candidate + 1, found)


def divisors(n):
    return factors(n, np.int64(2), [])


def pairs_of(n):
    """Elements that are tuples."""
    if n == 0:
        return [(n, n / 2)]
    return pairs_of(n - 1) + [(n, n / 2)]  # noqa: RUF005


def mirrored(xs):
    if len(xs) <= 1:
        return True
    return bool(xs[0] == xs[-1]) and mirrored(xs[1:-1])


def is_palindrome(values):
    return mirrored([x for x in values])
