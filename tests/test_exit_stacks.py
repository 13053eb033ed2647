"""`with ExitStack() as stack:` what is pushed leaves as in CPython, also where the running graph fails."""

from __future__ import annotations

import textwrap
from itertools import product
from pathlib import Path

import autograph as ag
import numpy as np
import pytest
from generated_programs import compared, module_of

PRELUDE = """
import contextlib

import numpy as np


class Manager:
    def __init__(self, name, swallows=False, fails=False):
        self.name, self.swallows, self.fails = name, swallows, fails
        self.left = 0

    def __enter__(self):
        print("enter", self.name)
        return 2.0

    def __exit__(self, kind, error, traceback):
        print("exit", self.name, kind, error)
        self.left += 1
        if self.fails:
            raise ValueError("exit " + self.name)
        return self.swallows


def pushed_by_a_callee(stack, k):
    stack.enter_context(Manager("callee"))
    stack.callback(print, "from a callee", k)


def fails(y):
    print("fails", y)
    raise ValueError(f"failed {y}")


def swallows_lookups(kind, error, traceback):
    print("asked", kind)
    return kind is not None and issubclass(kind, LookupError)


"""

PUSHES = {
    "nothing": "pass",
    "callback": "stack.callback(print, 'called', y, sep='-')",
    "callback_that_appends": "stack.callback(seen.append, y)",
    "callback_that_fails": "stack.callback(fails, y)",
    "manager": "y = y + stack.enter_context(Manager('m'))",
    "swallows": "y = y + stack.enter_context(Manager('s', True))",
    "fails": "y = y + stack.enter_context(Manager('f', False, True))",
    "suppress": "stack.enter_context(contextlib.suppress(IndexError))",
    "function": "stack.push(swallows_lookups)",
    "pushed_manager": "stack.push(Manager('p', True))",
    "null": "y = y + stack.enter_context(contextlib.nullcontext(3.0))",
    "loop": "for k in range(3):\n    stack.enter_context(Manager(f'l{k}', k == 1))",
    "list": "managers = [stack.enter_context(Manager(n)) for n in 'ab']",
    "callee": "pushed_by_a_callee(stack, y)",
}

BODIES = {
    "fails": "y = y + xs[i]\nprint('after', y)",
    "fails_twice": "y = y + xs[i]\n{push}\ny = y + xs[i - 3]",
    "returns": "if y > 1.5:\n    return y, seen\ny = y + xs[i]",
    "raises": "if xs[0] > i:\n    raise KeyError(f'{{y}}')\ny = y + 5.0",
    "in_a_stack": (
        "with contextlib.ExitStack() as inner:\n    inner.callback(print, 'inner')\n    y = y + xs[i]"
    ),
    "writes": "xs[0] = xs[i] * 2.0\ny = y + xs[0]",
}

CALLS = tuple((np.arange(1.0, 6.0), np.int64(i)) for i in (1, 4, 7, -9, 0))


def program(name: str, push: str, body: str, place: str) -> str:
    pushed = PUSHES[push]
    text = f"{pushed}\n{BODIES[body].format(push=pushed)}"
    text = f"with contextlib.ExitStack() as stack:\n{textwrap.indent(text, '    ')}"
    if place == "loop":
        text = f"for r in range(2):\n{textwrap.indent(text, '    ')}"
    elif place == "caught":
        text = f"try:\n{textwrap.indent(text, '    ')}\nexcept (LookupError, ValueError) as error:\n"
        text += "    y = y - 50.0\n    print(error, type(error.__context__))"
    text = f"y = 1.0\nseen = []\n{text}\nreturn y, seen"
    return f"def {name}(xs, i):\n{textwrap.indent(text, '    ')}\n\n\n"


@pytest.mark.parametrize("place", ["alone", "caught", "loop"])
def test_crossings(place: str, tmp_path: Path) -> None:
    names = {f"{push}_{body}": (push, body, place) for push, body in product(PUSHES, BODIES)}
    text = PRELUDE + "".join(program(name, *one) for name, one in names.items())
    module = module_of(text, tmp_path, f"exit_stacks_{place}")
    same, different, refused = compared(module, dict.fromkeys(names, CALLS))
    assert not different, different[:3]
    assert not refused, refused
    assert same == len(names) * len(CALLS)


REFUSED = """
import contextlib


def pushed_in_a_branch(xs, i):
    with contextlib.ExitStack() as stack:
        if xs[0] > 0:
            stack.callback(print, "positive")
    return xs[0]


def pushed_in_a_loop(xs, i):
    with contextlib.ExitStack() as stack:
        for k in range(i):
            stack.callback(print, k)
    return xs[0]


def pushed_in_a_try(xs, i):
    with contextlib.ExitStack() as stack:
        try:
            stack.callback(print, "pushed")
            y = xs[i]
        except IndexError:
            y = -1.0
    return y


def closed(xs, i):
    with contextlib.ExitStack() as stack:
        stack.callback(print, "closed")
        stack.close()
        y = xs[i]
    return y


def moved(xs, i):
    with contextlib.ExitStack() as stack:
        stack.callback(print, "moved")
        other = stack.pop_all()
    return xs[i]


def pushed_while_left(xs, i):
    with contextlib.ExitStack() as stack:
        stack.callback(stack.callback, print, "late")
        y = xs[i]
    return y
"""


def test_pushes_that_only_the_run_knows_are_refused(tmp_path: Path) -> None:
    module = module_of(REFUSED, tmp_path, "exit_stacks_refused")
    found = {}
    for name in [name for name in vars(module) if name.startswith(("pushed", "closed", "moved"))]:
        with pytest.raises(ag.StagingError) as caught:
            ag.function(getattr(module, name))(np.arange(1.0, 6.0), np.int64(2))
        assert caught.value.location is not None and caught.value.help
        found[name] = caught.value.code
    assert found == {
        "pushed_in_a_branch": "AG121",
        "pushed_in_a_loop": "AG121",
        "pushed_in_a_try": "AG121",
        "closed": "AG120",
        "moved": "AG120",
        "pushed_while_left": "AG120",
    }
