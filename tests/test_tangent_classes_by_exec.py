"""Objects of classes that `exec` has made, with and without a name of their module."""

from __future__ import annotations

import linecache
from typing import Any

import numpy as np
import pytest
from autograph import tangent

CLASSES = {
    "plain": """
class C:
    def __init__(self, w):
        self.w = w
    def go(self, x):
        return self.w * x
    def __add__(self, other):
        return C(self.w + other.w)
    @property
    def twice(self):
        return self.w * 2.0
""",
    "slots": """
class C:
    __slots__ = ("w",)
    def __init__(self, w):
        self.w = w
    def go(self, x):
        return self.w * x
    def __add__(self, other):
        return C(self.w + other.w)
    @property
    def twice(self):
        return self.w * 2.0
""",
    "inherits": """
class B:
    def go(self, x):
        return self.w * x
    @property
    def twice(self):
        return self.w * 2.0
class C(B):
    def __init__(self, w):
        self.w = w
    def __add__(self, other):
        return C(self.w + other.w)
""",
}
PROGRAMS = {
    "method": """
def f(x):
    c = C(x)
    return c.go(x)
""",
    "attribute": """
def f(x):
    c = C(x)
    c.w = c.w * 2.0
    return c.w * x
""",
    "list": """
def f(x):
    total = 0.0
    for c in [C(x), C(2.0)]:
        total = total + c.go(x)
    return total
""",
    "operator": """
def f(x):
    c = C(x) + C(x * x)
    return c.w * x
""",
    "property": """
def f(x):
    return C(x).twice * x
""",
    "match": """
def f(x):
    match C(x):
        case C(w=v):
            return v * x
    return x
""",
    "loop": """
def f(x):
    c = C(x)
    for i in range(4):
        if i == 2:
            c.w = c.go(x)
        c = c + C(x * i)
    return c.w
""",
}
MODULES: dict[str, dict[str, Any]] = {
    "without": {},
    "missing": {"__name__": "no_such_module"},
    "none": {"__name__": None},
}


def defined(text: str, name: str, scope: dict[str, Any]) -> Any:
    file = f"<by exec {len(linecache.cache)}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    exec(compile(text, file, "exec"), scope)
    return scope[name]


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("module", MODULES)
@pytest.mark.parametrize("kind", CLASSES)
def test_derivatives_through_objects(kind: str, module: str, program: str) -> None:
    """A class without a module was taken for one of Python: a `TypeError` without a code or a place."""
    made = defined(CLASSES[kind], "C", {**MODULES[module], "np": np})
    f = defined(PROGRAMS[program], "f", {"__name__": __name__, "C": made})
    expected = (f(1.5 + 1e-6) - f(1.5 - 1e-6)) / 2e-6
    gradient = tangent.grad(f)
    np.testing.assert_allclose([gradient(1.5), gradient(1.5)], expected, rtol=1e-7)
    np.testing.assert_allclose(tangent.jvp(f)(1.5, 1.0), expected, rtol=1e-7)


@pytest.mark.parametrize("module", MODULES)
def test_derivatives_with_respect_to_objects(module: str) -> None:
    made = defined(CLASSES["plain"], "C", {**MODULES[module]})
    f = defined("def f(c: C, x):\n    return c.go(x) * x\n", "f", {"__name__": __name__, "C": made})
    found, by_number = tangent.grad(f, wrt=(0, 1))(made(3.0), 2.0)
    assert (found.w, by_number) == (4.0, 12.0)
