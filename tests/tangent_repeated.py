"""Functions with checkpoints: those that run again, and those that would not do the same."""
# ruff: noqa: F821, F841

from __future__ import annotations

import random
import time

import numpy as np
from autograph import tangent
from tangent_case import LOG

RNG = np.random.default_rng(0)
COUNTS = {"calls": 0}


def step(x):
    return np.sin(x) * x + 0.1


def states(x, n):
    for _ in tangent.checkpoint(range(n)):
        x = step(np.sin(x) * x)
    return np.sum(x)


def states_kept(x, n):
    for _ in range(n):
        x = step(np.sin(x) * x)
    return np.sum(x)


def nested(x, n):
    total = 0.0
    for i in tangent.checkpoint(range(n), every=3):
        for _ in tangent.checkpoint(range(i)):
            x = np.cos(x) * x
        while np.sum(x) > 2.0:
            x = x / 2
        total += np.sum(x) * i
    return total


def nested_kept(x, n):
    total = 0.0
    for i in range(n):
        for _ in range(i):
            x = np.cos(x) * x
        while np.sum(x) > 2.0:
            x = x / 2
        total += np.sum(x) * i
    return total


def left_early(x, limit):
    seen, count = [], 0
    for i in tangent.checkpoint(range(20, 0, -2), every=4):
        if i == 18:
            continue
        x = x * np.sin(x + i)
        print("at", i)
        LOG.append(i)
        seen.append(x)
        count += 1
        if i < limit:
            return np.sum(x) * count
    else:
        x = x * 3
    return np.sum(x) + np.sum(seen[0])


def left_early_kept(x, limit):
    seen, count = [], 0
    for i in range(20, 0, -2):
        if i == 18:
            continue
        x = x * np.sin(x + i)
        print("at", i)
        LOG.append(i)
        seen.append(x)
        count += 1
        if i < limit:
            return np.sum(x) * count
    else:
        x = x * 3
    return np.sum(x) + np.sum(seen[0])


def first_bound_inside(x, n):
    for i in tangent.checkpoint(range(n), every=2):
        if i > 0:
            x = x * last
        last = np.sin(x)
    return np.sum(x)


def first_bound_inside_kept(x, n):
    for i in range(n):
        if i > 0:
            x = x * last
        last = np.sin(x)
    return np.sum(x)


def written(x, n):
    table = np.zeros(n + 1)
    table[0] = np.sum(x)
    for i in tangent.checkpoint(range(n), every=2):
        table[i + 1] = np.sin(table[i]) * table[0]
        table[0] += 0.5
    return np.sum(table)


def written_kept(x, n):
    table = np.zeros(n + 1)
    table[0] = np.sum(x)
    for i in range(n):
        table[i + 1] = np.sin(table[i]) * table[0]
        table[0] += 0.5
    return np.sum(table)


def layer_kept(x, w):
    h = np.dot(x, w)
    for _ in range(3):
        h = np.tanh(h) + x
    return h


layer = tangent.checkpoint(layer_kept)


def layers(w, x):
    buffer = x * 1.0
    first = np.sum(layer(buffer, w)) * 2
    buffer[0] = 5.0
    return np.sum(layer(layer(buffer, w), w)) + first


def layers_kept(w, x):
    buffer = x * 1.0
    first = np.sum(layer_kept(buffer, w)) * 2
    buffer[0] = 5.0
    return np.sum(layer_kept(layer_kept(buffer, w), w)) + first


@tangent.checkpoint
def power(x, n):
    return x if n == 0 else np.sin(x) * power(x, n - 1)


def power_kept(x, n):
    return x if n == 0 else np.sin(x) * power_kept(x, n - 1)


def powers(x, n):
    return np.sum(power(x, n))


def powers_kept(x, n):
    return np.sum(power_kept(x, n))


def writes_after_a_call(x):
    y = x * 1.0
    s = layer_kept(y, x) * 2
    y[0] = 5.0
    return np.sum(s) + np.sum(y)


def draws(x, n):
    for _ in tangent.checkpoint(range(n)):
        x = x * np.random.normal()
    return x


def draws_of_a_generator(x, n):
    for _ in tangent.checkpoint(range(n)):
        x = x * RNG.normal()
    return x


def draws_of_an_argument(x, rng):
    for _ in tangent.checkpoint(range(4)):
        x = x * rng.standard_normal()
    return x


def noise():
    return random.random()


def draws_in_a_function(x, n):
    for _ in tangent.checkpoint(range(n)):
        x = x * noise()
    return x


def takes_from_an_iterator(x, items):
    for _ in tangent.checkpoint(range(2)):
        x = x * next(items)
    return x


def reads_a_clock(x, n):
    for _ in tangent.checkpoint(range(n)):
        x = x * time.time()
    return x


def counted():
    COUNTS["calls"] += 1
    return COUNTS["calls"]


def counts(x, n):
    for _ in tangent.checkpoint(range(n)):
        x = x * counted()
    return x


def noisy(x):
    print("noisy", x)
    return x * 2


def prints_in_a_function(x, n):
    for _ in tangent.checkpoint(range(n)):
        x = noisy(x)
    return x


def pops(x, stack):
    for _ in tangent.checkpoint(range(2)):
        x = x * stack.pop()
    return x


def pops_kept(x, stack):
    for _ in range(2):
        x = x * stack.pop()
    return x


def over_items(x, items):
    for item in tangent.checkpoint(items):
        x = x * item
    return x


def not_a_head(x, n):
    for i, j in enumerate(tangent.checkpoint(range(n))):
        x = x * (i + j)
    return x


def other_arguments(x, n):
    for _ in tangent.checkpoint(range(n), 3):
        x = x * 2.0
    return x


def two_names(x, n):
    a, b = x * 1.0, x * 2.0
    for i in tangent.checkpoint(range(n)):
        b[0] = a[1] * i
        a, b = b, a
    return np.sum(a) + np.sum(b)


def two_names_kept(x, n):
    a, b = x * 1.0, x * 2.0
    for i in range(n):
        b[0] = a[1] * i
        a, b = b, a
    return np.sum(a) + np.sum(b)


def one_array(x, n):
    a = x * 1.0
    b = a[1:]
    for i in tangent.checkpoint(range(n)):
        b[0] = a[0] * i
    return np.sum(a) + np.sum(b)


@tangent.tangent
def leaves_backwards(x, n):
    for i in tangent.checkpoint(range(n)):
        with tangent.grad_of(x) as dx:
            if i < 2:
                break
        x = x * 1.5
    return x


@tangent.checkpoint
def drawing(x):
    return x * np.random.uniform()


def calls_what_draws(x):
    return drawing(x) + 1.0


def over_an_iterator(x, items):
    for _ in tangent.checkpoint(range(3)):
        for item in items:
            x = x * item
    return x


def weighed(x, items):
    return x * sum(items)


def gives_an_iterator(x, items):
    for _ in tangent.checkpoint(range(3)):
        x = weighed(x, items) + step(x)
    return x


@tangent.checkpoint
def product_of(x, items):
    for item in items:
        x = np.sin(x) * item
    return x


def calls_with_an_iterator(x, items):
    return product_of(x, items) * 2
