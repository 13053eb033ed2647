"""Uses of one array and one number of a narrow dtype, a family of functions in each program."""

from __future__ import annotations

import itertools
import math

import numpy as np

TABLE = np.arange(6, dtype=np.int16)


class Sample:
    def __init__(self, value):
        self.value = value


def rounded(x, k):
    return round(k), abs(k), -k, +k


def of_math(x, k):
    return math.sqrt(k), math.floor(k), math.gcd(int(k), 6)


def counted(x, k):
    total = 0
    for place in range(int(k)):
        total += place
    return total


def as_text(x, k):
    return f"{k:5}|{k!r}|{x[2]}", str(k), repr(k)


def classes(x, k):
    return isinstance(k, np.integer), isinstance(x, np.ndarray), isinstance(k, np.int16)


def as_key(x, k):
    return {3: 10, 7: 20}[int(k)]


def beside_a_table(x, k):
    return x + TABLE[: len(x)]


def in_objects(x, k):
    samples = []
    for value in x:
        samples.append(Sample(value))
    total = k
    for one in samples:
        total = total + one.value
    return total


def indices(x, k):
    places = np.array([0, 1], x.dtype).astype(np.int64)
    return x[int(k)], x[int(k) :], x[x.astype(bool)], x[places], np.take(x, [1, 0])


def elements(x, k):
    return x[2:3].tolist(), x.item(2), x[2].item(), k.item()


def products(x, k):
    return np.outer(x, x), x @ x, np.dot(x, x), np.convolve(x, x[:2]), np.kron(x[:2], x)


def joined(x, k):
    return np.stack([x, x]).max(axis=0), np.vstack((x, x)), np.concatenate([x, x[:1]]), np.append(x, k)


def found(x, k):
    order = np.sort(x)
    return np.where(x > k)[0], np.nonzero(x), np.unique(x), np.searchsorted(order, k), np.argsort(x)


def made(x, k):
    kind = x.dtype
    return (
        np.full(3, k), np.zeros_like(x), np.ones(2, kind), np.array([k, k]), np.array([k, 1]), np.asarray(x),
        np.array([k, 1.5]), np.array(x, copy=True), np.zeros((2, 2), kind), np.eye(2, dtype=kind),
        np.full_like(x, 7), np.identity(2, kind),
    )  # fmt: skip


def clipped(x, k):
    return x.clip(1, 5), np.clip(x, k, 7), x.round(), np.round(x)


def items(x, k):
    x[3] = x[0]
    x[[0, 1]] = k
    x[x == k] = np.int64(2)
    x[2] = 5.7
    return x


def into_others(x, k):
    y, z = np.zeros((2, 3)), np.zeros(6, np.float32)
    y[0] = x[:3]
    y[1, 1] = k
    z[:] = x
    return y, z


def ufunc_methods(x, k):
    return np.add.reduce(x), np.maximum.reduce(x), np.multiply.outer(x, x), np.minimum.reduce(x)


def containers(x, k):
    return [x, x + 1], {"p": (x, k)}, (k, [k])


def or_none(x, k):
    return None if x[0] > 0 else k


def mixed_list(x, k):
    found = [x[0], 1.5]
    if k > 2:
        found.append(k)
    return found


def copied(x, k):
    y = x.copy()
    y[0] = 1
    return x, y


def caught(x, k):
    try:
        value = x[int(k) + 10]
    except IndexError:
        value = k
    return value


def too_large(x, k):
    return k + 70000000000


def sorted_in_python(x, k):
    return sorted(x), sorted([k, x[0]]), list(reversed(x)), any(x), all(x), [one for one in x if one > k]


def accumulated(x, k):
    return list(itertools.accumulate(x))


def statistics(x, k):
    return np.mean(x), np.median(x[:3]), x.sum(dtype=np.float64), np.max(x), np.argmin(x)


def along_axes(x, k):
    y = x.reshape(2, 3)
    return y.max(axis=1), y.min(axis=0), y.argmax(axis=1), np.sum(y, axis=1), np.mean(y, axis=0)


def reversed_in_place(x, k):
    x[:] = x[::-1]
    return x


def doubled_until_large(x, k):
    while k < 50:
        k = k + k
    return k


def chosen(x, k):
    return k if x[0] < k else x[0], (k and x[0]), (x[0] or k)


def augmented(x, k):
    k += 1
    k *= 2
    return k, k - 1, divmod(k, 3)


def powers(x, k):
    return np.power(k, 2), x**2, np.square(x)


def divided(x, k):
    return np.divmod(x, k), np.fmod(x, k), np.sign(x), np.negative(x), x / k, x // 7, x % 7


def of_floats(x, k):
    return np.sin(x), np.exp(x / 1000), np.sqrt(np.abs(x)), np.log1p(np.abs(x)), np.hypot(x, k)


def tested(x, k):
    return np.isnan(x), np.isfinite(x), np.logical_not(x), np.floor(x), np.ceil(x), np.rint(x)


def compared(x, k):
    return x == x[0], x != 1, (x > 0) & (x < k), x > 2.5, x <= 70000, x > -1, k == 3, k != 3.0, k < 2**70


def bits(x, k):
    return x & k, x | 5, x ^ k, ~x, x << 2, x >> k, k << 1


def bits_joined(x, k):
    return np.bitwise_xor.reduce(x), np.bitwise_and.reduce(x), np.bitwise_or.accumulate(x)


def counted_values(x, k):
    return np.bincount(x[2:4].astype(np.uint16)), np.digitize(x, [0, 5]), np.trace(x.reshape(2, 3))


def padded(x, k):
    return np.pad(x, 1), np.insert(x, 1, x[0]), np.delete(x, 0), np.diff(x), np.ptp(x)


def divisors(x, k):
    return np.gcd(x[2:], k), np.lcm(x[2:], k)


def number_beyond_64_bits(x, k):
    return int(x[1]) if x[1] > 0 else 0


USES = [
    one
    for one in list(globals().values())
    if callable(one) and getattr(one, "__module__", "") == __name__ and one is not Sample
]
