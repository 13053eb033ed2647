"""Programs that take the items of a generator in several places, and those that are refused."""

from __future__ import annotations

import inspect
from itertools import groupby
from typing import Any

import autograph as ag
import numpy as np


def items(xs):
    for x in xs:
        if x > 2:
            return
        yield x


count_in_python = ag.do_not_convert(lambda g: sum(1 for _ in g))


class Holder:
    def __init__(self, held):
        self.held = held


def in_its_own_loop(xs):
    g = items(xs)
    r = []
    for v in g:
        r.append(v)
        r.append(next(g, -1.0))
    return r


def loop_in_its_own_loop(xs):
    g = items(xs)
    r = []
    for v in g:
        for w in g:
            r.append(v * w)
            if w > 1:
                break
    return r


def in_turn(xs):
    gs = [items(xs), items(-xs)]
    r = []
    for _ in range(3):
        for g in gs:
            v = next(g, None)
            if v is not None:
                r.append(v)
    return r


def generator_around(xs):
    def inner():
        g = items(xs)
        for _ in range(2):
            for v in g:
                yield v
                if v > 1:
                    break

    return [v for v in inner()]


def pipeline(xs):
    def doubled(g):
        for v in g:
            yield v * 2

    def positive(g):
        for v in g:
            if v > 0:
                yield v

    h = positive(doubled(items(xs)))
    return next(h, None), next(h, None), list(h)


def zip_of_expressions(xs):
    return [a + b for a, b in zip((x * 2 for x in xs if x > 0), (x for x in xs if x > 1))]


def expression_goes_on(xs):
    g = (x * 2 for x in xs if x > 0)
    v = 0.0
    for v in g:
        if v > 1:
            break
    return v, list(g)


def numbers_by_next(xs):
    g = (i for i, x in enumerate(xs) if x > 0)
    return next(g, None), next(g, None), next(g, None)


def until_none(xs):
    g = items(xs)
    s = 0.0
    while True:
        v = next(g, None)
        if v is None:
            break
        s = s * 2 + v
    return s


def until_it_stops(xs):
    g = items(xs)
    s = 0.0
    try:
        while True:
            s = s * 2 + next(g)
    except StopIteration:
        pass
    return s


def unbound_in_a_step(xs):
    def inner():
        if len(xs) > 0 and xs[0] > 0:
            y = 1.0
        yield y
        yield 2.0

    g = inner()
    return next(g), next(g)


def fails_in_a_step(xs):
    def inner():
        for i in range(6):
            yield xs[i]

    g = inner()
    r = [next(g)]
    try:
        for v in g:
            r.append(v)
    except IndexError:
        r.append(-1.0)
    return r, next(g, None)


def merged(xs):
    """Two sorted streams, as people merge them."""
    a, b = iter_sorted(xs), iter_sorted(xs * 0.5 + 0.1)
    x, y = next(a, None), next(b, None)
    out = []
    while x is not None and y is not None:
        if x <= y:
            out.append(x)
            x = next(a, None)
        else:
            out.append(y)
            y = next(b, None)
    while x is not None:
        out.append(x)
        x = next(a, None)
    while y is not None:
        out.append(y)
        y = next(b, None)
    return out


def iter_sorted(xs):
    for x in np.sort(xs):
        if x > 0:
            yield x


def header_and_rest(xs):
    rows = items(xs)
    first = next(rows, 0.0)
    total = 0.0
    for row in rows:
        total += row * first
    return total


def runs(xs):
    return [(k, sum(1 for _ in g)) for k, g in groupby(items(xs), key=lambda v: v > 0)]


def runs_of_signs(xs):
    out = []
    for k, g in groupby((v * 2 for v in xs if v != 1), key=lambda v: v > 0):
        values = list(g)
        out.append((k, values[0], len(values)))
    return out


def unpacked(xs):
    g = items(xs)
    next(g, None)
    next(g, None)
    a, *b = g
    return a, b


X = np.array([0.5, 1.5, -0.5, 2.5, 1.0])
INPUTS = (X, -X, X[:0], X[:1], X[::-1].copy())

TAKEN: tuple[Any, ...] = (
    *(in_its_own_loop, loop_in_its_own_loop, in_turn, generator_around, pipeline, zip_of_expressions),
    *(expression_goes_on, numbers_by_next, until_none, until_it_stops, unbound_in_a_step, fails_in_a_step),
    *(merged, header_and_rest, runs, runs_of_signs, unpacked),
)


def any_then_python(xs):
    g = items(xs)
    return any(v > 0 for v in g), count_in_python(g)


def next_then_python(xs):
    g = items(xs)
    return next(g, None), next(g, None), count_in_python(g)


def held_then_python(xs):
    g = items(xs)
    a, b = next(g, None), next(g, None)
    return a, b, ag.do_not_convert(lambda held: count_in_python(held.held))(Holder(g))


def closed(xs):
    g = items(xs)
    a, b = next(g, None), next(g, None)
    g.close()
    return a, b, next(g, None)


def sent(xs):
    g = items(xs)
    a, b = next(g, None), next(g, None)
    return a, b, g.send(xs.sum())


def state_of_it(xs):
    g = items(xs)
    a, b = next(g, None), next(g, None)
    return a, b, inspect.getgeneratorstate(g)


def returned(xs):
    return items(xs)


def returned_after_next(xs):
    g = items(xs)
    return next(g, None), next(g, None), g


def kept_outside(xs):
    KEPT.append(items(xs))
    return xs


KEPT: list[Any] = []

REFUSED: dict[Any, str] = {
    any_then_python: "AG121",
    next_then_python: "AG121",
    held_then_python: "AG121",
    closed: "AG121",
    sent: "AG121",
    state_of_it: "AG121",
    returned: "AG120",
    returned_after_next: "AG120",
}


def list_then_python(xs):
    g = items(xs)
    return next(g, None), next(g, None), count_in_python(list(g))


def list_unpacked(xs):
    g = items(xs)
    next(g, None)
    next(g, None)
    rest = list(g)
    return rest[0] if rest else 0.0, rest[1:]


def list_returned(xs):
    return list(items(xs))


REMEDIES = (list_unpacked, list_returned)
