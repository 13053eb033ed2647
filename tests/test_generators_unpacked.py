"""Generators of the program that are unpacked: `a, b = g`, `a, *rest = g`, `(*g, 1)`, `{*g}`, `f(*g)`.

Each kind of items meets each way. Too few or too many are CPython's error, and what has been consumed by then
is gone.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import autograph as ag
import numpy as np
import pytest
from generated_programs import outcome_or_refusal
from generators_of_kinds import GENERATORS, INPUTS, X, assert_as_cpython
from whole import IS_WHOLE, in_turn

FIRST = {
    "two": "a, b = items(xs)\n    return a, b",
    "of a variable": "g = items(xs)\n    a, b = g\n    return a, b, next(g, None)",
    "rest after an error": "g = items(xs)\n    n = 0\n    try:\n        a, b = g\n"
    "    except ValueError as e:\n        print(e)\n        n = 1\n    return n, next(g, None),"
    " next(g, None)",
    "after next": "g = items(xs)\n    first = next(g, None)\n    a, b = g\n    return first, a, b",
    "bound before": "a = 0\n    try:\n        a, (b, c) = 1, items(xs)\n    except ValueError as e:\n"
    "        print(e)\n    return a",
    "of two": "(a, b), (c, d) = items(xs), items(xs[::-1])\n    return a, b, c, d",
    "in a loop": "n = 0\n    for k in range(len(xs) + 3):\n        try:\n"
    "            a, b = items(xs * (k % 3))\n            n += 1\n        except ValueError:\n"
    "            n -= 1\n    return n",
    "in a loop of the run": "n = 0\n    for k in range(int(np.abs(xs).sum()) + 1):\n        try:\n"
    "            a, b = items(xs * (k % 2))\n            n += 1\n        except ValueError:\n"
    "            n -= 1\n    return n",
    "of one in a loop of the run": "g = items(xs)\n    n = 0\n"
    "    for k in range(int(np.abs(xs).sum()) + 1):\n        try:\n            a, b, c = g\n"
    "            n += 1\n        except ValueError:\n            n -= 1\n    return n, next(g, None)",
    "in a callee": "def pair(g):\n        a, b = g\n        return b, a\n    return pair(items(xs))",
    "in a branch": "g = items(xs)\n    n = 0\n    if xs.sum() > 1:\n        a, b = g\n        n = 2\n"
    "    return n, next(g, None)",
    "of an expression": "a, b = (v for v in items(xs))\n    return a, b",
    "none": "() = items(xs)\n    return 0",
    "of a loop": "n = 0\n    for a, b in [items(xs), items(xs)]:\n        n += 1\n    return n, a, b",
    "of a class": "class Rows:\n        def __iter__(self):\n            yield from items(xs)\n"
    "    a, b = Rows()\n    return a, b",
}
WHOLE = {
    "rest": "a, *r = items(xs)\n    return a, r",
    "rest of a variable": "g = items(xs)\n    a, *r = g\n    return a, r, next(g, None)",
    "middle": "a, *r, b = items(xs)\n    return a, r, b",
    "all": "*r, = items(xs)\n    r.reverse()\n    return r",
    "rest in a try": "try:\n        a, b, *r = items(xs)\n    except ValueError as e:\n        print(e)\n"
    "        return 0\n    return len(r)",
    "rest in a loop": "n = 0\n    for k in range(len(xs) + 3):\n"
    "        b, *r = (k, *range(len([*items(xs * k)])))\n        n = n + len(r)\n    return n",
    "rest of a tuple": "t = (*items(xs), *items(-xs))\n    try:\n        a, b, *r = t\n"
    "    except ValueError:\n        return 0\n    return len(r)",
    "list": "return [*items(xs)]",
    "tuple": "return (*items(xs),)",
    "count of a tuple": "return len((*items(xs), *items(xs[::-1])))",
    "set": "return len({7, *range(len([*items(xs)]))})",
    "list of a class": "class Rows:\n        def __iter__(self):\n            yield from items(xs)\n"
    "    return [*Rows(), *Rows()], len((*Rows(),))",
    "array": "return len(np.array([1.0 for v in (*items(xs),)]))",
}
SLOW = (("of another", "of two"),)
"""What is recorded in many seconds."""
CASES = [
    (generator, consumer, kind)
    for kind in (FIRST, WHOLE)
    for (row, generator), (column, consumer) in product(enumerate(GENERATORS), enumerate(kind))
    if in_turn(row, column, among=5) and (generator != "endless" or kind is FIRST)
    if IS_WHOLE or (generator, consumer) not in SLOW
]


@pytest.mark.parametrize(("generator", "consumer", "kind"), CASES)
def test_unpacked(
    generator: str, consumer: str, kind: Any, tmp_path: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    assert_as_cpython(generator, kind[consumer], tmp_path, capsys)


def items(xs):
    for x in xs:
        if x > 0:
            yield x


def cleaned(xs):
    try:
        for x in xs:
            if x > 0:
                yield x
    finally:
        print("end")


def arguments(xs):
    return (lambda *values: len(values))(*items(xs))


def arguments_of_a_builtin(xs):
    return max(*items(xs), 1.0)


def inner_rest(xs):
    (a, *r), b = items(xs), 1
    return a, r, b


def with_an_end(xs):
    a, b = cleaned(xs)
    return a, b


def bound_twice(xs):
    g = a, b = items(xs)
    return a, b, g is None


def one_list(xs):
    return (lambda values: len(values))(list(items(xs)))


def list_of_arguments(xs):
    return max([*items(xs), 1.0])


def rest_of_a_list(xs):
    (a, *r), b = (list(items(xs))[:2], 1) if len(xs) < 0 else ([1.0, 2.0], 1)
    values = list(items(xs))
    c, *rest = values
    return a, r, b, c, rest


def list_with_an_end(xs):
    a, b = list(cleaned(xs))
    return a, b


def bound_apart(xs):
    g = list(items(xs))
    a, b = g
    return a, b, g is None


REFUSED = {
    **dict.fromkeys((arguments, arguments_of_a_builtin, inner_rest), "AG117"),
    with_an_end: "AG120",
    bound_twice: "AG101",
}
"""Where Python needs a number, or its memory decides."""

REMEDIES = (one_list, list_of_arguments, rest_of_a_list, list_with_an_end, bound_apart)


@pytest.mark.parametrize("program", REFUSED, ids=lambda one: one.__name__)
def test_what_python_counts_is_refused(program: Any) -> None:
    with pytest.raises(ag.StagingError, match=REFUSED[program]) as refusal:
        ag.function(program)(X)
    assert "-->" in str(refusal.value) and "help: " in str(refusal.value)


@pytest.mark.parametrize("program", REMEDIES, ids=lambda one: one.__name__)
def test_remedies(program: Any) -> None:
    staged = ag.function(program)
    for xs in INPUTS:
        got, is_refused = outcome_or_refusal(staged, (xs,))
        assert not is_refused and got == outcome_or_refusal(program, (xs,))[0]


def test_gradients() -> None:
    def loss(xs: Any) -> Any:
        a, b = items(xs[:2])
        c, *rest = items(xs)
        return a * b + c * sum(rest)

    step = 1e-6
    want = [(loss(X + step * unit) - loss(X - step * unit)) / (2 * step) for unit in np.eye(len(X))]
    np.testing.assert_allclose(ag.grad(loss)(X), want, atol=1e-6)
