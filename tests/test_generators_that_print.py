"""Generator functions that print, and those that bind what a `yield` gives: order and items are CPython's."""

from __future__ import annotations

from itertools import product
from typing import Any

import autograph as ag
import numpy as np
import pytest
from generated_programs import module_of, outcome_or_refusal

HEAD = """import random
import time
from contextlib import contextmanager
from itertools import chain, islice, takewhile


def told(x):
    print("told", x)
    return x


class Box:
    last = 0


"""
GENERATORS = {
    "print": "for x in xs:\n        print('look', x)\n        if x > 0:\n            yield x\n"
    "    print('end')",
    "in a callee": "for x in xs:\n        if told(x) > 0:\n            yield told(x * 2)",
    "around": "print('start')\n    for x in xs:\n        if x > 0:\n"
    "            print('before', x)\n"
    "            yield x\n            print('after', x)\n    print('end')",
    "while": "i = 0\n    while i < len(xs) and xs[i] < 2:\n        print(i)\n        yield xs[i]\n"
    "        i += 1",
    "from": "print('first')\n    yield from (told(x) for x in xs if x > 0)\n    yield from [told(7.0)]",
    "sent": "for x in xs:\n        if x > 0:\n            sent = yield x\n"
    "            if sent is not None:\n"
    "                yield sent\n            print('sent', sent)",
    "sent to two": "a = b = yield xs[0]\n    for x in xs:\n        if x > 0:\n"
    "            a = yield x\n"
    "    print(a, b)",
    "sent to an attribute": "box = Box()\n    box.last = None\n    for x in xs:\n"
    "        box.last = yield told(x)\n"
    "        yield 1.0 if box.last is None else 2.0",
    "sent without print": "for x in xs:\n        y = yield x\n        if x > 0 and y is None:\n"
    "            yield -x",
    "bare": "for x in xs:\n        if x > 0:\n            print(x)\n            y = yield\n"
    "            print(y)",
}
CONSUMERS = {
    "for": "s = 0.0\n    for v in items(xs):\n        print('got', v)\n"
    "        s = s * 2 + (v or 0.5)\n    return s",
    "break": "s = 0.0\n    for v in items(xs):\n        print('got', v)\n"
    "        if (v or 0.5) > 1:\n            break\n"
    "        s += v or 0.5\n    return s",
    "list": "return list(items(xs))",
    "twice": "print('a')\n    g = items(xs)\n    print('b')\n    n = [v for v in g]\n"
    "    print('c')\n"
    "    return n, list(items(-xs))",
    "enumerate": "s = 0\n    for i, v in enumerate(items(xs)):\n        print(i, v)\n"
    "        s += i\n    return s",
    "comprehension": "return [told(v) for v in items(xs)]",
    "any": "return any(v is not None and v > 1 for v in items(xs))",
    "branch": "n = 0\n    if xs[0] > 0:\n        for v in items(xs):\n            print(v)\n"
    "            n += 1\n"
    "    return n",
    "loop": "n = 0\n    for k in range(4):\n        for v in items(xs * k):\n            n += 1\n"
    "    return n",
    "islice": "return list(islice(items(xs), 2))",
    "chain": "return [v for v in chain(items(xs), [1.5])]",
    "unpacked": "n = 0\n    try:\n        a, b, *c = items(xs)\n        n = len(c)\n"
    "    except ValueError as error:\n        print(error)\n    return n",
    "never": "g = items(xs)\n    return xs[0]",
}
X = np.array([0.5, 1.5, -0.5, 2.5, 1.0])


def compare(program: Any, capsys: pytest.CaptureFixture[str]) -> None:
    staged = ag.function(program)
    for xs in (X, -X, X[:1], X[::-1].copy(), X):
        capsys.readouterr()
        want, _ = outcome_or_refusal(program, (xs,))
        printed = capsys.readouterr().out
        got, is_refused = outcome_or_refusal(staged, (xs,))
        assert not is_refused, got
        assert got == want
        assert capsys.readouterr().out == printed


@pytest.mark.parametrize(("generator", "consumer"), list(product(GENERATORS, CONSUMERS)))
def test_what_is_printed_stands_among_what_the_consumer_prints(
    generator: str, consumer: str, tmp_path: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    text = f"{HEAD}def items(xs):\n    {GENERATORS[generator]}\n\n\n"
    compare(module_of(f"{text}def f(xs):\n    {CONSUMERS[consumer]}\n", tmp_path, "printing").f, capsys)


PRINTING = "def items(xs):\n    for x in xs:\n        print('item')\n        yield x\n\n\n"
REFUSED = {
    "Python takes the items": "return list(map(lambda a, b: a, items(xs), items(xs)))",
    "a clock": "return list(clocks(xs))",
}
OTHERS = """def clocks(xs):
    for x in xs:
        yield time.time()


"""


@pytest.mark.parametrize("name", REFUSED)
def test_effects_that_would_run_while_tracing_are_refused(name: str, tmp_path: Any) -> None:
    text = f"{HEAD}{PRINTING}{OTHERS}def f(xs):\n    {REFUSED[name]}\n"
    function = ag.function(module_of(text, tmp_path, "refused").f)
    with pytest.raises(ag.AutographError) as caught:
        function(X)
    assert caught.value.code == "AG123"
    assert caught.value.location is not None


def test_the_help_works(tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    """A list in a function, `xs.append(value)` for `yield value`."""
    text = f"""{HEAD}def listed(xs):
    made = []
    for x in xs:
        print(x)
        made.append(x)
    return made


def f(xs):
    a, b, *c = listed(xs[:3])
    return list(zip(listed(xs), listed(-xs)))
"""
    function = module_of(text, tmp_path, "mended").f
    staged = ag.function(function)
    for xs in (X, -X):
        want = outcome_or_refusal(function, (xs,))[0], capsys.readouterr().out
        assert (outcome_or_refusal(staged, (xs,))[0], capsys.readouterr().out) == want
