"""What methods print that Python itself calls, and not the program: every run prints it, as CPython does."""

from __future__ import annotations

import contextlib
import io
import sys
import threading
from collections.abc import Callable
from typing import Any

import autograph as ag
import numpy as np
import pytest
from autograph.errors import StagingError
from program_texts import run_text

CLASSES = """\
class Descriptor:
    def __get__(self, owner, kind=None): print("descriptor"); return 3.0

class P:
    d = Descriptor()
    def __init__(self, v): self.v = v
    def __len__(self): print("len"); return 3
    def __bool__(self): print("bool"); return True
    def __add__(self, other): print("add"); return P(self.v + 1)
    def __radd__(self, other): print("radd"); return P(self.v + 1)
    def __iadd__(self, other): print("iadd"); return self
    def __matmul__(self, other): print("matmul"); return other
    def __neg__(self): print("neg"); return self
    def __abs__(self): print("abs"); return 1.0
    def __getitem__(self, i): print("getitem"); return self.v * i
    def __setitem__(self, i, v): print("setitem")
    def __delitem__(self, i): print("delitem")
    def __eq__(self, other): print("eq"); return True
    def __lt__(self, other): print("lt"); return True
    def __gt__(self, other): print("gt"); return True
    def __hash__(self): print("hash"); return 1
    def __call__(self, x): print("call"); return x
    def __iter__(self): print("iter"); return iter([1, 2])
    def __float__(self): print("float"); return 2.0
    def __int__(self): print("int"); return 2
    def __index__(self): print("index"); return 1
    def __str__(self): print("str"); return "P"
    def __repr__(self): print("repr"); return "P"
    def __format__(self, spec): print("format"); return "P"
    def __enter__(self): print("enter"); return self
    def __exit__(self, *error): print("exit"); return False
    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        print("getattr")
        return 2.0
    @property
    def w(self): print("property"); return self.v
    @w.setter
    def w(self, value): print("setter")
"""
EXPRESSIONS = """
    len(p) / 1.0 if p else 2.0 / not p / (p + 1).v / (1 + p).v / p[2] / p == 1 / p != 1 / p < 1
    1 > p / hash(p) / len({p: 1}) / len({p}) / (-p).v / abs(p) / np.sum(p(x)) / float(p) / int(p)
    [1, 2, 3][p] / [1, 2, 3][p:] / str(p) / repr(p) / f'{p}' / '%s' % p / '{}'.format(p)
    np.sum(p @ x) / p.w / p.zzz / p.d / (p and 3) / any([p]) / all([p]) / len(sorted([p, p]))
    min([p, p]).v / [p].index(1) / [p].count(1) / getattr(p, 'w') / getattr(p, 'zzz', 1)
    hasattr(p, 'w') / len(range(p)) / ','.join(map(str, [p])) / len([v for v in [1] if p])
    (p,) == (1,) / 1 in [p] / {1: 2.0}.get(p, 3.0) / isinstance(p, P) / len(list(filter(None, [p])))
    1 < p < 3 / [v for v in p] / list(p) / sum(p) / max(*p, 0) / list(zip(p, p)) / 2 in p
"""
STATEMENTS = {
    "item": "p[1] = x",
    "deletion": "del p[1]",
    "update": "p += 1",
    "with": "with p:\n        x = x + 1",
    "attribute": "p.w = 2.0",
    "if": "if p:\n        x = x + 1",
    "while": "while not p:\n        break",
    "assert": "assert p",
    "in a branch": "if np.sum(x) > 0:\n        x = x * len(p)",
    "in a branch that is not taken": "if np.sum(x) < 0:\n        x = x * len(p)",
    "in a loop": "for i in range(3):\n        x = x * p.w + i",
    "in a loop of the run": "while np.sum(x) < 50:\n        print(x)\n        x = x * p.w",
    "between prints": "print('before', x)\n    n = len(p)\n    print('after', n)",
    "a loop over it": "for v in p:\n        x = x + v",
    "unpacked": "a, b = p",
}
PROGRAMS = {
    **{
        one.strip(): f"y = {one.strip()}"
        for line in EXPRESSIONS.strip().split("\n")
        for one in line.split(" / ")
    },
    **STATEMENTS,
}


def defined(body: str) -> Callable[..., Any]:
    text = f"{CLASSES}\ndef f(x):\n    p, y = P(2.0), None\n    {body}\n    return x * 2, y\n"
    function: Callable[..., Any] = run_text(text, f"<prints {body}>", np=np, __name__="prints")["f"]
    return function


def printed(function: Callable[..., Any]) -> tuple[str, str]:
    """The result in words and what is printed."""
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        result = function(np.ones(2))
    return repr(result), output.getvalue()


@pytest.mark.parametrize("body", PROGRAMS.values(), ids=PROGRAMS)
def test_every_run_prints(body: str) -> None:
    function = defined(body)
    wanted = printed(function)
    staged = ag.function(function)
    try:
        first = printed(staged)
    except StagingError as error:
        assert "-->" in str(error)
        return
    assert first == wanted
    assert printed(staged) == wanted


def test_few_are_refused() -> None:
    refused = []
    for name, body in PROGRAMS.items():
        try:
            printed(ag.function(defined(body)))
        except StagingError:
            refused.append(name)
    # What walks over an object of which `__iter__` prints.
    assert len(refused) <= 8, refused


DRAWS = {
    "property": ("@property\n    def w(self): return random.random()", "x * p.w"),
    "clock": ("@property\n    def w(self): return time.perf_counter()", "x * p.w"),
    "length": ("def __len__(self): return random.randrange(9)", "x * len(p)"),
    "sum": ("def __add__(self, x): return x + np.random.rand()", "p + x"),
    "other attributes": ("def __getattr__(self, name): return time.time()", "x * p.w"),
    "in what it calls": ("def __float__(self): return drawn()", "x * float(p)"),
    "log": ("@property\n    def w(self): logging.getLogger('w').info('read'); return 2.0", "x * p.w"),
    "warning": ("def __len__(self): warnings.warn('asked'); return 2", "x * len(p)"),
}
KEPT = {
    "property that is not read": ("@property\n    def w(self): return random.random()", "x * 2.0"),
    "ordinary method that is not called": ("def draw(self): return random.random()", "x * 2.0"),
    "initialisation": ("def __init__(self): print('made')", "x * 2.0"),
    "item": ("def __getitem__(self, i): print('item'); return 2.0 * i", "x * p[3]"),
    "print": ("@property\n    def w(self): print('read'); return 2.0", "x * p.w"),
}


def of_class(method: str, expression: str, made: str) -> Callable[..., Any]:
    head = "import logging, random, time, warnings\ndef drawn(): return random.random()\n"
    body = "p = P()\n    return " if made == "inside" else "return "
    text = f"{head}class P:\n    {method}\np = P()\ndef f(x):\n    {body}{expression}\n"
    function: Callable[..., Any] = run_text(text, f"<draws {method} {made}>", np=np, __name__="draws")["f"]
    return function


@pytest.mark.parametrize("made", ["inside", "outside"])
@pytest.mark.parametrize(("method", "expression"), DRAWS.values(), ids=DRAWS)
def test_what_would_be_frozen_is_refused(method: str, expression: str, made: str) -> None:
    """A draw in a method that Python itself calls would be the draw of all runs."""
    with pytest.raises(StagingError, match="AG123") as refusal:
        ag.function(of_class(method, expression, made))(np.ones(2))
    assert "-->" in str(refusal.value)
    assert "Python itself calls it" in str(refusal.value)


@pytest.mark.parametrize("made", ["inside", "outside"])
@pytest.mark.parametrize(("method", "expression"), KEPT.values(), ids=KEPT)
def test_other_methods_are_taken(method: str, expression: str, made: str) -> None:
    function = of_class(method, expression, made)
    staged = ag.function(function)
    assert printed(staged) == printed(function) == printed(staged)


def test_other_threads_print_as_they_are() -> None:
    output, done = io.StringIO(), threading.Event()

    def other() -> None:
        while not done.is_set():
            print("other", end="\n")

    function = defined("for i in range(40):\n        x = np.sin(x) + len(p)")
    before = sys.stdout
    with contextlib.redirect_stdout(output):
        thread = threading.Thread(target=other)
        thread.start()
        ag.function(function)(np.ones(2))
        done.set()
        thread.join()
    assert sys.stdout is before
    lines = output.getvalue().split("\n")
    assert sum("len" in line for line in lines) >= 1 and "other" in lines


def test_threads_that_trace_at_once() -> None:
    """Whichever ends last takes the stand-in away; each run prints what its thread traced."""
    before, found = sys.stdout, []
    barrier = threading.Barrier(3)

    def trace(number: int) -> None:
        function = defined(f"for i in range({number}):\n        x = np.sin(x) + len(p)")
        staged = ag.function(function)
        barrier.wait()
        staged(np.ones(2))
        found.append((function, staged))

    with contextlib.redirect_stdout(io.StringIO()) as output:
        threads = [threading.Thread(target=trace, args=(number,)) for number in (5, 40, 80)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sys.stdout is output
    assert sys.stdout is before
    for function, staged in found:
        assert printed(staged) == printed(function)
