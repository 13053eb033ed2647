"""Generators that are consumed where they are made, as the loops that they abbreviate.

Each three of a use, a container, a place and a kind of numbers meet; `make cross` runs each four.
"""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import autograph as ag
import numpy as np
import pytest
from generated_programs import module_of, outcome, outcome_or_refusal
from whole import in_turn

USES = {
    "any": "any(v > t for v in xs)",
    "all": "all(v <= t for v in xs)",
    "any_if": "any(v > t for v in xs if v != 2)",
    "not_any": "not any(v == t for v in xs)",
    "next": "next((v for v in xs if v > t), -1)",
    "next_place": "next((i for i, v in enumerate(xs) if v > t), None)",
    "next_or_raise": "next(v for v in xs if v > t)",
    "sum": "sum(v * 2 for v in xs if v > t)",
    "count": "sum(1 for v in xs if v > t)",
    "max": "max(v for v in xs if v > t)",
    "max_default": "max((v for v in xs if v > t), default=0)",
    "min_key": "min((v for v in xs if v > t), key=lambda v: 0 - v, default=None)",
    "max_of_pairs": "max((v, i) for i, v in enumerate(xs))",
    "list": "list(v + 1 for v in xs if v > t)",
    "sorted": "sorted((v for v in xs if v != t), key=lambda v: 0 - v)",
    "any_of_two": "any(v + w > t for v in xs for w in xs if v < w)",
    "sum_of_two": "sum(v * w for v in xs if v > t for w in xs)",
    "all_of_any": "all(any(v == w for w in xs) for v in xs)",
    "pairs": "all(xs[i] != xs[j] for i in range(len(xs)) for j in range(i + 1, len(xs)))",
    "key_of_range": "max(range(len(xs)), key=lambda i: xs[i], default=-1)",
    "order": "sorted(range(len(xs)), key=lambda i: (xs[i] > t, -i))",
}
CONTAINERS = {
    "array": "x",
    "list": "[v for v in x]",
    "grown": "[v for v in x if v > 0]",
    "plain": "[x[0] if len(x) else 0, 3, 1]",
    "pair": "(n, n * 2)",
    "range": "range(n)",
    "long": "[v for v in range(7)]",
}
PLACES = {
    "straight": "return {0}",
    "branch": "r = None\n    if n > 1:\n        r = {0}\n    return r",
    "while": "k = 0\n    while k < n:\n        r = {0}\n        k += 2\n    return k, r",
    "for": "r = None\n    for _ in range(n):\n        r = {0}\n    return r",
    "callee": "def inner():\n        return {0}\n    return inner()",
    "test": "return 1 if {0} else 0",
}
KINDS = {
    "float64": np.array([1.0, 3.0, 2.0]),
    "int64": np.array([2, 1, 5, 1]),
    "float32": np.array([2.5, 0.5], np.float32),
    "bool": np.array([True, False]),
    "empty": np.zeros(0),
}
CALLS = ((np.int64(2), 1), (np.int64(5), 9), (np.int64(0), -1.5))
"""The second argument and the threshold."""


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("container", CONTAINERS)
def test_uses(place: str, container: str, tmp_path: Path) -> None:
    text = "".join(
        f"def of_{use}(x, n, t):\n    xs = {CONTAINERS[container]}\n    {PLACES[place].format(written)}\n\n\n"
        for use, written in USES.items()
    )
    module = module_of(text, tmp_path, f"loops_of_{place}_{container}")
    shift = list(PLACES).index(place) + list(CONTAINERS).index(container)
    different, refused = [], []
    for (number, use), (column, (kind, x)) in product(enumerate(USES), enumerate(KINDS.items())):
        if not in_turn(number, shift, column, among=len(KINDS)):
            continue
        function = getattr(module, f"of_{use}")
        staged = ag.function(function)
        for n, t in CALLS:
            want = outcome(function, (x, n, t))
            got, is_refusal = outcome_or_refusal(staged, (x, n, t))
            if is_refusal:
                refused.append(f"{use}({kind})")
            elif want != got:
                different.append((use, kind, n, t, want, got))
    assert not different
    assert not refused


def first_after(x, t):
    place = next((i for i in range(len(x)) if x[i] > t), None)
    return -1.0 if place is None else x[place] * 2


def printing(x, t):
    def test(v):
        print("test", v)
        return v > t

    return any(test(v) for v in x), next((v for v in x if test(v)), None)


def named(x, t):
    positive = (v for v in x if v > 0)
    return sum(positive), sum(positive)


def left_by_a_test(x, t):
    larger = (v for v in [x[0], x[1], x[2]] if v > t)
    return next(larger, 0.0)


def loop_over_one(x, t):
    total, seen = 0.0, 0
    for v in (v * w for v in x for w in x if v > w):
        if v > t:
            break
        total += v
        seen += 1
    else:
        seen = -seen
    return total, seen


def greedy(x, t):
    done = np.zeros(len(x), dtype=bool)
    order = []
    for _ in range(len(x)):
        best, place = min((x[i], i) for i in range(len(x)) if not done[i])
        done[place] = True
        order.append(best * place)
    return order


def stops_in_an_element(x, t):
    nothing = []
    return any(next(iter(nothing)) for v in x)


PROGRAMS = (first_after, printing, left_by_a_test, loop_over_one, greedy, stops_in_an_element)


@pytest.mark.parametrize("program", PROGRAMS)
def test_programs(program: Any, capsys: pytest.CaptureFixture[str]) -> None:
    staged = ag.function(program)
    for x, t in ((np.array([1.0, 3.0, 2.0]), 2.5), (np.array([4.0, 2.0, 6.0]), 9.0)):
        capsys.readouterr()
        want = outcome(program, (x, t)), capsys.readouterr().out
        assert (outcome(staged, (x, t)), capsys.readouterr().out) == want


def test_a_generator_is_consumed_once() -> None:
    def of_plain(x):
        numbers = (i for i in range(3))
        return sum(numbers) * x[0], sum(numbers) * x[0], next(numbers, 7)

    def after_a_test(x):
        numbers = (v for v in [x[0], x[1], x[2]])
        return any(v > 2 for v in numbers), next(numbers, None)

    for program in (of_plain, after_a_test, lambda x: named(x, 0.0)):
        staged = ag.function(program)
        for x in (np.array([1.0, -2.0, 3.0]), np.array([3.0, 5.0, 1.0])):
            assert outcome(staged, (x,)) == outcome(program, (x,))


def test_long_ranges_are_loops_of_the_graph() -> None:
    @ag.function
    def is_sorted(x):
        return all(x[i] <= x[i + 1] for i in range(len(x) - 1))

    x = np.arange(500.0)
    assert is_sorted(x) is True
    assert len(str(is_sorted.concrete_function(x).graph)) < 5000
    x[400] = 7.0
    assert is_sorted(x) is False


def test_gradients() -> None:
    def loss(x):
        first = next((x[i] for i in range(5) if x[i] > 1.0), 0.0)
        return first**2 + max(v * v for v in x if v < 3.0) + sum(v * w for v in x for w in x if v < w)

    x = np.array([0.5, 2.0, -1.0, 4.0, 0.25])
    got = ag.grad(loss)(x)
    step = 1e-6
    for place in range(5):
        shift = np.zeros(5)
        shift[place] = step
        assert abs(got[place] - (loss(x + shift) - loss(x - shift)) / (2 * step)) < 1e-5
