"""Comprehensions whose targets are tuples in tuples, or have many names: `for i, (a, b) in …`."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from generated_programs import compared, module_of
from whole import in_turn

TARGETS = {
    "a pair in a pair": ("i, (a, b)", "enumerate(zip(xs, xs[1:]))"),
    "a pair first": ("(a, b), i", "zip(zip(xs, xs[1:]), range(n))"),
    "deep": ("i, (a, (b, c))", "enumerate(zip(xs, zip(xs, xs)))"),
    "a list of targets": ("i, [a, b]", "enumerate(zip(xs, xs[1:]))"),
    "four": ("i, a, b, c", "zip(range(n), xs, xs[1:], xs)"),
    "six": ("i, a, b, c, d, e", "[(k, x, x + 1, x * 2, 0, 1) for k, x in enumerate(xs)]"),
    "one": ("(a,)", "[(x,) for x in xs]"),
    "unused": ("_, _, a", "zip(xs, xs, xs)"),
    "unused inside": ("_, (a, _)", "enumerate(zip(xs, xs))"),
    "of a dict": ("i, (a, b)", "{k: (x, x + 1) for k, x in enumerate(xs)}.items()"),
    "of rows": ("i, (a, b)", "enumerate(pairs)"),
    "of a grown list": ("i, (a, b)", "grown(xs)"),
    "of a generator": ("i, (a, b)", "made(xs)"),
    "two pairs": ("(i, a), (j, b)", "itertools.combinations(enumerate(xs[:6]), 2)"),
    "of a product": ("i, (a, b)", "enumerate(itertools.product(xs[:4], repeat=2))"),
    "too many": ("i, (a, b)", "[(0, (1, 2, x)) for x in xs]"),
    "too few": ("i, (a, b)", "[(0, (x,)) for x in xs]"),
}
FORMS = {
    "list": "[{element} for {target} in {source}]",
    "list if": "[{element} for {target} in {source} if a > 0]",
    "list if if": "[{element} for {target} in {source} if a > 0 if a < x]",
    "set": "sorted({{a for {target} in {source} if a > 0}})",
    "dict": "{{a: {element} for {target} in {source} if a > 0}}",
    "sum": "sum(a for {target} in {source} if a > 0)",
    "any": "any(a > x for {target} in {source})",
    "next": "next(({element} for {target} in {source} if a > x), None)",
    "max": "max((a for {target} in {source} if a > 0), default=0)",
    "nested": "[(a, k) for {target} in {source} if a > 0 for k in range(n)]",
    "inside": "[(k, a) for k in range(n) for {target} in {source} if a > k]",
    "a list of a generator": "list({element} for {target} in {source} if a > 0)",
    "kept": "kept({element} for {target} in {source} if a > x)",
    "sorted": "sorted((a for {target} in {source} if a > 0), reverse=True)",
    "a closure": "[(lambda t: t + a)(x) for {target} in {source} if a > 0]",
}
PREAMBLE = """
import itertools
import numpy as np


def grown(xs):
    out = []
    for k, v in enumerate(xs):
        if v > -1:
            out.append((k, (v, v + 1)))
    return out


def made(xs):
    for k, v in enumerate(xs):
        if v > -1:
            yield k, (v, v + 1)


def kept(g):
    first = next(g, None)
    return first, [v for v in g]


"""
ARRAYS = ([1.0, -1.0, 2.0, 0.5, -2.0], [], [1.0], np.sin(np.arange(50.0)), np.arange(4))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("target", TARGETS)
def test_targets(target, tmp_path):
    names, source = TARGETS[target]
    text, calls = PREAMBLE, {}
    for number, form in enumerate(FORMS.values()):
        element = "(a, b)" if "b" in names else "a"
        body = form.format(element=element, target=names, source=source)
        text += f"def f{number}(xs, pairs, x, n):\n    return {body}\n\n\n"
        calls[f"f{number}"] = [
            (np.array(array), np.arange(8.0).reshape(4, 2) - 2, x, n)
            for (a, array), (b, (x, n)) in itertools.product(
                enumerate(ARRAYS), enumerate(((0.75, 3), (-1.0, 1)))
            )
            if in_turn(number, a, b, among=2)
        ]
    same, different, refused = compared(module_of(text, tmp_path, "targets"), calls)
    assert different == []
    assert same > len(refused)
