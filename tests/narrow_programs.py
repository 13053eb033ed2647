"""Programs over numbers of narrow dtypes, as people write them; each takes an array and a number."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np


def branch(x, k):
    if k > 2:
        y = x + k
    else:
        y = x - k
    return y


def branch_of_scalars(x, k):
    y = k + k if x[0] < x[1] else k
    return y * k


def sum_of_loop(x, k):
    total = k
    for value in x:
        total = total + value * k
    return total


def while_of_five(x, k):
    n = 0
    while n < 5:
        k = k * x[n] + k
        n += 1
    return k, n


def running_maximum(x, k):
    best = x[0]
    for value in x[1:]:
        if value > best:
            best = value
    return best


def first_above(x, k):
    for place in range(len(x)):
        if x[place] > k:
            return place
    return -1


def list_of_numbers(x, k):
    found = []
    for value in x:
        if value > k:
            found.append(value)
    return np.array(found) if len(found) > 0 else x[:0]


def returned_list(x, k):
    found = []
    for value in x:
        found.append(value + k)
    return found


def grown_while(x, k):
    found = [k]
    while len(found) < 4:
        found.append(found[-1] + x[len(found)])
    return found


def list_of_arrays(x, k):
    rows = []
    for place in range(3):
        rows.append(x * x[place])
    return np.stack(rows)


def scaled(values, factor):
    return values * factor


def callee(x, k):
    return scaled(x, k) + scaled(x, x[2])


def recursive(x, k):
    def power(base, times):
        return base if times <= 1 else base * power(base, times - 1)

    return power(k, len(x))


def written(x, k):
    x[1:3] = k
    x[0] = 3
    x[-1] += k
    return x


def written_in_loop(x, k):
    for place in range(len(x)):
        x[place] = x[place] + k
    return x.sum()


def written_by_mask(x, k):
    x[x > k] = 0
    return x


def view_written(x, k):
    y = x[::2]
    y += k
    return x * 1


def in_place(x, k):
    x += x
    x *= k
    return x


def reversed_view(x, k):
    return x[::-1] + k


def out(x, k):
    y = np.zeros_like(x)
    np.add(x, k, out=y)
    return y


def new_array(x, k):
    y = np.zeros(len(x), x.dtype)
    for place in range(len(x)):
        y[place] = x[place] + x[0]
    return y


def as_index(x, k):
    table = np.arange(300.0)
    return table[np.abs(x.astype(np.int64)) % 300] + x[0]


def as_conditions(x, k):
    count = 0
    for value in x:
        if value:
            count += 1
    return count, bool(k)


def dictionary(x, k):
    found = {"a": x[0], "b": k}
    if k > 2:
        found["a"] = x[1]
    return found["a"] + found["b"], found


@dataclass
class State:
    total: Any
    values: Any


def record(x, k):
    state = State(k, x)
    for value in x:
        state.total = state.total + value
    return state.total, state.values


def maybe_none(x, k):
    best = None
    for value in x:
        if best is None or value > best:
            best = value
    return best


def python_numbers(x, k):
    return int(x.astype(np.int32)[2]) + 1, float(k) * 2.5


def of_two_types(x, k):
    y = k
    if x[1] > x[0]:
        y = 1.5
    return y


def of_two_dtypes(x, k):
    y = k
    if x[1] > x[0]:
        y = np.int32(7)
    return y


def printed(x, k):
    print("x", x, "k", k, f"{k} {x[0]}")
    return k


def reductions(x, k):
    return x.sum(), x.prod(), x.max(), x.min(), x.argmax(), x.any(), x.all(), np.sort(x)


def running(x, k):
    return x.cumsum(), np.diff(x)


def shapes(x, k):
    y = x.reshape(2, 3)
    return y.T, y[0], y[:, 1], np.concatenate([x, x]), np.roll(x, 2), np.where(x > k, x, k), y.ravel()


def attributes(x, k):
    return x.dtype.name, x.itemsize, x.nbytes, x.shape, x.ndim, k.dtype.name


def casts(x, k):
    return x.astype(np.int8), x.astype(np.uint16), x.astype(float), x.astype(np.float32), x.astype(bool)


def classes(x, k):
    return np.int8(x[2]), np.uint32(k), np.float16(k), np.int64(k), np.float64(k)


def comprehension(x, k):
    return [value + k for value in x]


def sums_of_python(x, k):
    return sum(value for value in x), max(x), min(x)


def unpacked(x, k):
    first, *rest = x
    a, b = x[0] + k, x[1]
    a, b = b, a
    return first, rest, a, b


def tested(x, k):
    return 0 < k < 5, k in (3, 4), not k, k == 3 and x[0] != k


def zipped(x, k):
    total = k
    for place, (one, two) in enumerate(zip(x, x[::-1], strict=True)):
        total = total + one * two + place
    return total


PROGRAMS = [
    one
    for name, one in list(globals().items())
    if getattr(one, "__module__", "") == __name__ and callable(one) and one not in (State, scaled)
]
