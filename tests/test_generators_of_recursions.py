"""Generators that yield what a recursion computes, and those that take all items of themselves.

def scaled(n):
    if n > 0:
        yield n
        for v in list(scaled(n - 1)):   # a function of the graph, which returns a list
            yield v * 2
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


def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


def half(x):
    return half(x / 2) + 1 if x > 1 else x


def pair(n):
    if n <= 0:
        return 0, 1.0
    a, b = pair(n - 1)
    return a + 1, b * 2


def row(n):
    return [n * 1.0, *row(n - 1)] if n > 0 else [0.5]


"""
GENERATORS = {
    "number": "for i in range(int(n)):\n        yield fib(n - i)",
    "float": "x = n * 1.5\n    while x > 0.5:\n        yield half(x)\n        x -= 1",
    "tuple": "for i in range(int(n)):\n        if i % 2 == n % 2:\n            yield pair(n - i)",
    "list": "for i in range(int(n)):\n        yield row(n - i)",
    "text": "for i in range(int(n)):\n        yield 'many' if fib(n - i) > 1 else 'few'",
    "sum of itself": "if n > 0:\n        yield sum(items(n - 1)) + fib(n)",
    "list of itself": "if n > 0:\n        yield n\n        for v in list(items(n - 1)):\n"
    "            yield v * 2",
    "display of itself": "if n > 0:\n        for v in [*items(n - 1), n]:\n            yield v + fib(n)",
    "sorted": "yield n * 1.0\n    if n > 0:\n        yield from sorted(items(n - 1), reverse=True)",
    "largest": "yield n * 2\n    if n > 0:\n        yield max(items(n - 1)) + 1",
    "tuples of itself": "yield n, n * 0.5\n    if n > 0:\n        for a, b in list(items(n - 1)):\n"
    "            yield a + 1, b * 2",
    "prints": "print('at', n)\n    if n > 0:\n        yield n\n        values = list(items(n - 1))\n"
    "        print('back', n, len(values))\n        yield len(values) * 1",
    "two branches": "if n > 1:\n        yield sum(items(n - 1)) + sum(items(n - 2))\n    else:\n"
    "        yield n",
    "raises": "if n > 4:\n        raise ValueError('deep')\n    yield n\n    if n > 0:\n"
    "        yield len(list(items(n - 1)))",
    "by name": "yield n\n    if n > 0:\n        yield sum(items(n=n - 1))",
    "of each other": "yield n\n    if n > 0:\n        yield sum(others(n - 1)) + 1",
}
OTHERS = "\n\ndef others(n):\n    yield n * 3\n    if n > 1:\n        yield sum(items(n - 2))\n"
CONSUMERS = {
    "list": "return list(items(n))",
    "loop": "r = []\n    for v in items(n):\n        r.append(v)\n    return r, len(r)",
    "count": "return sum(1 for v in items(n))",
    "twice": "return list(items(n)), list(items(n - 1))",
    "in a loop": "k = 0\n    for i in range(int(n) + 1):\n        k += len([*items(n - i)])\n    return k",
    "handled": "try:\n        return len(list(items(n)))\n    except ValueError:\n        return -1",
}
NUMBERS = tuple((np.int64(n),) for n in (3, 0, 1, 5, 2, -1))
CASES = [
    (generator, consumer)
    for (number, generator), (column, consumer) in product(enumerate(GENERATORS), enumerate(CONSUMERS))
    if in_turn(number, column, among=2)
]


@pytest.mark.parametrize(("generator", "consumer"), CASES)
def test_programs(generator: str, consumer: str, tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    items = f"def items(n):\n    {GENERATORS[generator]}\n{OTHERS}"
    text = f"{HEAD}{items}\n\ndef f(n):\n    {CONSUMERS[consumer]}\n"
    program = module_of(text, tmp_path, "recursive").f
    staged = ag.function(program)
    for arguments in NUMBERS:
        capsys.readouterr()
        want = outcome_or_refusal(program, arguments)[0], capsys.readouterr().out
        got, is_refused = outcome_or_refusal(staged, arguments)
        if is_refused and consumer == "handled" and "AG135" in got[1][0]:
            continue  # What a function of the graph raises comes to no handler around it.
        assert not is_refused, (arguments, got)
        assert (got, capsys.readouterr().out) == want, arguments


def test_variables_around_are_those_of_each_function() -> None:
    """Generators of one text with other variables around are other functions."""

    def made(scale: Any) -> Any:
        def items(n: Any) -> Any:
            yield n * scale
            if n > 0:
                yield sum(items(n - 1)) * scale

        return items

    def program(n: Any) -> Any:
        two, three = made(2), made(n)
        return list(two(n)), list(three(n)), sum(two(n - 1))

    staged = ag.function(program)
    for (n,) in NUMBERS:
        assert outcome_or_refusal(staged, (n,))[0] == outcome_or_refusal(program, (n,))[0]


def test_what_each_call_does_with_the_items_is_refused_with_a_remedy() -> None:
    def scaled(n: Any) -> Any:
        if n > 0:
            yield n
            for v in scaled(n - 1):
                yield v * 2

    with pytest.raises(ag.StagingError, match="AG138") as refusal:
        ag.function(lambda n: list(scaled(n)))(np.int64(3))
    assert "-->" in str(refusal.value) and "in list(items(n - 1))" in str(refusal.value)


def test_gradients() -> None:
    def powers(x: Any, n: Any) -> Any:
        yield x
        if n > 0:
            yield x * sum(powers(x, n - 1))

    def loss(x: Any) -> Any:
        return sum(powers(x, np.int64(3)))

    x, step = np.float64(1.25), 1e-6
    want = (loss(x + step) - loss(x - step)) / (2 * step)
    np.testing.assert_allclose(ag.grad(loss)(x), want, rtol=1e-6)

    def of_list(x: Any, n: Any) -> Any:
        return sum(powers(x, n))

    np.testing.assert_allclose(ag.grad(of_list)(x, np.int64(3)), want, rtol=1e-6)
