"""Generators with `yield` in a `with`, and in a `try` with handlers: whoever takes all items gets CPython's.

What is raised in the generator meets its handlers. What is raised where an item is used would leave the
generator, whose handlers see that: it is refused, as is a loop that ends before the last item.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import autograph as ag
import numpy as np
import pytest
from generated_programs import module_of, outcome_or_refusal
from whole import in_turn

HEAD = """import numpy as np


class Noted:
    def __init__(self, name):
        self.name = name

    def __enter__(self):
        print("enter", self.name)
        return 2.0

    def __exit__(self, kind, error, traceback):
        print("exit", self.name, kind)
        return kind is not None and issubclass(kind, KeyError)


def checked(x):
    if x > 2:
        raise ValueError("large")
    return x * 2


def positives(xs):
    for x in xs:
        if x > 0:
            yield x
    raise KeyError("end")


def items(xs):
"""
GENERATORS = {
    "handler": "    for x in xs:\n        try:\n            yield checked(x)\n"
    "        except ValueError as error:\n"
    "            print(error)\n            yield -1.0\n",
    "handler that ends": "    try:\n        for x in xs:\n            yield checked(x)\n"
    "    except ValueError:\n"
    "        print('ended')\n        return\n    print('whole')\n",
    "else and finally": "    for x in xs:\n        try:\n            y = checked(x)\n"
    "        except ValueError:\n"
    "            yield 0.0\n        else:\n            yield y\n        finally:\n"
    "            print('next')\n",
    "raises again": "    try:\n        for x in xs:\n            yield checked(x)\n"
    "    except ValueError as error:\n"
    "        raise KeyError('other') from error\n",
    "bare": "    for x in xs:\n        try:\n            if x > 0:\n                yield x\n"
    "        except:  # noqa\n"
    "            print('never')\n",
    "with": "    with Noted('all') as two:\n        for x in xs:\n            if x > 0:\n"
    "                yield x * two\n",
    "with each": "    for x in xs:\n        with Noted('one'):\n            if x > 0:\n"
    "                yield x\n",
    "with and try": "    for x in xs:\n        with Noted('one'):\n            try:\n"
    "                yield checked(x)\n"
    "            finally:\n                print('done')\n",
    "suppressed": "    with Noted('all'):\n        for x in xs:\n            yield x\n            if x > 2:\n"
    "                raise KeyError('x')\n    yield 0.5\n",
    "delegates": "    try:\n        yield from positives(xs)\n    except KeyError as error:\n"
    "        print(error)\n"
    "        yield 9.0\n",
    "errors of NumPy": "    with np.errstate(all='ignore'):\n        for x in xs:\n            if x > 0:\n"
    "                yield 1 / x\n",
}
CONSUMERS = {
    "list": "return list(items(xs))",
    "sum": "return sum(items(xs))",
    "max": "return max(items(xs), default=0.0)",
    "sorted": "return sorted(items(xs))",
    "comprehension": "return [v * 2 for v in items(xs)]",
    "expression": "return sum(v * 2 for v in items(xs) if v < 4)",
    "loop": "s = 0.0\n    for v in items(xs):\n        print('use', v)\n        s = s * 2 + v\n    return s",
    "branches": "n = 0\n    for v in items(xs):\n        if v > 1:\n            n += 1\n"
    "            continue\n"
    "        n += 10\n    else:\n        print('else')\n    return n",
    "handled": "s = 0.0\n    try:\n        for v in items(xs):\n            s += v\n"
    "    except (ValueError, KeyError) as error:\n        print('outside', error)\n    return s",
    "handled inside": "y = np.zeros(2)\n    i = 0\n    for v in items(xs):\n        try:\n"
    "            y[i] = v\n"
    "        except IndexError:\n            print('full')\n        i += 1\n    return y",
    "in a loop": "s = 0.0\n    for k in range(len(xs)):\n        for v in items(xs * (k % 2)):\n"
    "            s += v\n"
    "    return s",
    "in a branch": "s = 0.0\n    if xs.sum() > 1:\n        for v in items(xs):\n            s += v\n"
    "    return s",
    "named": "g = items(xs)\n    print('made')\n    return [*g], next(g, None)",
    "tuple": "return (*items(xs), 1.0)",
}
LEFT = {
    "break": (
        "s = 0.0\n    for v in items(xs):\n        if v > 1:\n            break\n        s += v\n"
        "    return s",
        "AG120",
    ),
    "next": ("return next(items(xs), None)", "AG120"),
    "any": ("return any(v > 1 for v in items(xs))", "AG120"),
    "raise": (
        "for v in items(xs):\n        if v > 1:\n            raise KeyError('used')\n    return 0",
        "AG135",
    ),
    "index": (
        "y = np.zeros(1)\n    i = 0\n    for v in items(xs):\n        y[i] = v\n        i += 1\n    return y",
        "AG135",
    ),
}
REMEDIES = {
    "break": "s = 0.0\n    for v in list(items(xs)):\n        if v > 1:\n            break\n"
    "        s += v\n    return s",
    "any": "return any(v > 1 for v in list(items(xs)))",
    "raise": "for v in list(items(xs)):\n        if v > 1:\n            raise KeyError('used')\n    return 0",
    "unpacked": "a, *b = list(items(xs))\n    return a, b",
}
X = np.array([0.5, 1.5, -0.5, 2.5, 1.0])
INPUTS = (X, X[:2], -X, X[:0], X[::-1].copy(), np.tile(X[:3], 24), X)


def program_of(generator: str, body: str, folder: Any) -> Any:
    return module_of(f"{HEAD}{GENERATORS[generator]}\n\ndef f(xs):\n    {body}\n", folder, "handled").f


CASES = [
    (generator, body)
    for (row, generator), (column, body) in product(
        enumerate(GENERATORS), enumerate((*CONSUMERS.values(), *REMEDIES.values()))
    )
    if in_turn(row, column, among=3)
]


@pytest.mark.parametrize(("generator", "body"), CASES)
def test_who_takes_all_items(
    generator: str, body: str, tmp_path: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    program = program_of(generator, body, tmp_path)
    staged = ag.function(program)
    for xs in INPUTS:
        capsys.readouterr()
        want, _ = outcome_or_refusal(program, (xs,))
        printed = capsys.readouterr().out
        got, is_refused = outcome_or_refusal(staged, (xs,))
        assert not is_refused, (xs, got)
        assert (got, capsys.readouterr().out) == (want, printed), xs


@pytest.mark.parametrize(("generator", "consumer"), list(product(("handler", "with", "bare"), LEFT)))
def test_who_may_leave_it_is_refused(generator: str, consumer: str, tmp_path: Any) -> None:
    body, code = LEFT[consumer]
    with pytest.raises(ag.StagingError, match=code) as refusal:
        ag.function(program_of(generator, body, tmp_path))(X)
    assert "-->" in str(refusal.value) and "list(items(values))" in str(refusal.value)


def test_python_takes_what_no_test_of_the_run_decides() -> None:
    """A generator without staged tests may be left as before: Python runs it while recording."""

    def pairs(n: int) -> Any:
        for i in range(n):
            try:
                yield i
            except GeneratorExit:
                raise

    def program(x: Any) -> Any:
        s = x * 0
        for i in pairs(5):
            if i == 3:
                break
            s = s + x * i
        return s

    assert ag.function(program)(X[0]) == program(X[0])
