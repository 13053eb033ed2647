"""The algorithms of staging over recorders of other libraries: the toy and the JAX of `docs/backends.md`.

Programs run in CPython and through a recorder, and give the same; or they are refused at their line.
"""

from __future__ import annotations

import contextlib
import io
import itertools
import linecache
import re
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import autograph as ag
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from autograph.backends import (
    Block,
    Recorder,
    RecordingBackend,
    active_recorder,
    record_call,
    recorded_value,
    register,
)
from jax.experimental import checkify

jax.config.update("jax_enable_x64", True)
PAGE = Path(__file__).parent.parent / "docs" / "backends.md"
BLOCKS = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(), re.M | re.S)


def of_the_page(word: str) -> dict[str, Any]:
    text = next(block for block in BLOCKS if word in block)
    scope: dict[str, Any] = {"__name__": "back_end_of_the_page"}
    exec(compile(text, "docs/backends.md", "exec"), scope)
    return scope


@pytest.fixture(scope="module")
def stage() -> Callable[..., Any]:
    """Records a function with the toy, and runs it."""
    staged: Callable[..., Any] = of_the_page("class Toy")["stage"]
    return staged


def outcome(run: Callable[[], Any]) -> Any:
    """What a call gives or raises, and what it prints."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        try:
            result: Any = ("gives", run())
        except (ArithmeticError, TypeError, ValueError, AssertionError, NameError, LookupError) as error:
            result = ("raises", type(error).__name__, str(error))
    return result, printed.getvalue()


def early(items, bound):
    for item in items:
        if item > bound:
            return item
    return None


def best_of(items):
    best = None
    for item in items:
        if best is None or item > best:
            best = item
    return best


def evens(n):
    total = 0
    for k in range(n):
        if k % 2:
            continue
        if total > 20:
            break
        total += k
    else:
        total = -total
    return total, k


class Counter:
    def __init__(self):
        self.total = 0

    def add(self, item):
        self.total += item


def counted(items):
    counter = Counter()
    for item in items:
        if item > 2:
            counter.add(item)
    return counter.total


def walked(items):
    return (
        sum(items),
        max(items),
        min(items, default=0),
        any(item > 3 for item in items),
        all(item > 0 for item in items),
        len(items),
        sum(item * item for item in items if item > 1),
    )


def numbered(left, right):
    total = 0
    for i, (x, y) in enumerate(zip(left, right)):
        total += i * x * y
    return total


def maybe_unbound(x):
    if x > 0:
        y = x * 2
    if x > 1:
        return y
    if x < -1:
        return y
    return -1


def raises(x):
    if x < 0:
        raise ValueError("negative", x)
    if x == 3:
        raise KeyError("three")
    return 10 // x


def prints(x):
    print("x is", x)
    if x > 1:
        print("large")
    return x


def chooses(a, b):
    c = a > 1 and b > 1
    d = a or b
    e = 1 if not c else 2
    return c, d, e, a < b < 10, a in (1, 2, 3)


def counts_in_a_dict(items):
    seen = {"sum": 0}
    for k in range(2):
        for item in items:
            if item > k:
                seen["sum"] += item
    return seen["sum"]


def counts_to(n):
    i = 0
    while i < n:
        i += 1
        if i * i > 50:
            break
    return i


def none_or_more(x):
    y = None
    if x > 1:
        y = x
    return 0 if y is None else y + 1


def with_a_helper(x):
    def shifted(y):
        if y > 2:
            return y - 2
        return y

    return shifted(x) + shifted(x + 1)


def reversed_items(items):
    last = 0
    for item in reversed(items):
        last = last * 10 + item
    return last


PROGRAMS: list[tuple[Callable[..., Any], list[tuple[Any, ...]]]] = [
    (early, [([1, 5, 7], 4), ([1, 2], 4), ([], 4), (["a", "z"], "b")]),
    (best_of, [([3, 9, 2],), ([],), (["x", "y"],)]),
    (evens, [(5,), (30,), (1,), (0,)]),
    (counted, [([1, 2, 3, 4],), ([],)]),
    (walked, [([1, 2, 5],), ([0.5],), ([],)]),
    (numbered, [([1, 2, 3], [4, 5]), ([], [1])]),
    (maybe_unbound, [(3,), (0,), (-3,)]),
    (raises, [(1,), (-1,), (3,), (0,)]),
    (prints, [(2,), (0,)]),
    (chooses, [(2, 3), (0, 0), (0, 4)]),
    (counts_in_a_dict, [([1, 2, 3],), ([],)]),
    (counts_to, [(100,), (3,), (-1,)]),
    (none_or_more, [(3,), (0,)]),
    (with_a_helper, [(1,), (2,), (3,)]),
    (reversed_items, [([1, 2, 3],), ([],)]),
]


@pytest.mark.parametrize(("function", "calls"), PROGRAMS, ids=[one.__name__ for one, _ in PROGRAMS])
def test_programs_mean_what_they_mean_in_python(stage: Any, function: Any, calls: Any) -> None:
    for arguments in calls:
        want, got = outcome(lambda: function(*arguments)), outcome(lambda: stage(function, *arguments))
        assert got == want and type(got[0][1]) is type(want[0][1]), arguments


VALUES = ["x", "1", "2.5", "True", "None", "'text'", "(x, 1)", "(1, None)", "x > 1", "x + 1", "[x]", "[1]"]
VALUES += ["{'k': x}"]
PLACES = {
    "both branches": "if x > 0:\n    v = {}\nelse:\n    v = {}",
    "one branch": "v = {}\nif x > 0:\n    v = {}",
    "unbound elsewhere": "w = {}\nif x > 0:\n    v = {}",
    "nested": "v = {0}\nif x > 0:\n    if x > 1:\n        v = {1}\n    else:\n        v = {0}",
    "a while": "v = {}\nwhile x > 0:\n    v = {}\n    x = x - 1",
    "a for": "v = {}\nfor k in range(x):\n    v = {}",
    "a for with break": "v = {}\nfor k in range(x):\n    if k > 1:\n        break\n    v = {}",
    "an expression": "v = {} if x > 0 else {}",
    "an attribute": "o = Counter()\no.total = {}\nif x > 0:\n    o.total = {}\nv = o.total",
    "a raise": "v = {}\nif x < 0:\n    v = {}\n    raise ValueError(x)",
}
USES = ["v", "v is None", "(v, v)", "v == 1"]


@pytest.mark.parametrize("place", PLACES)
def test_any_two_values_at_any_place(stage: Any, place: str) -> None:
    ran = refused = 0
    for number, (one, other) in enumerate(itertools.product(VALUES, VALUES)):
        body = PLACES[place].format(one, other) + f"\nreturn {USES[number % len(USES)]}"
        function = defined(body, f"<{place} {number}>")
        for argument in (2, 0, -1):
            want = outcome(lambda: function(argument))
            try:
                got = outcome(lambda: stage(function, argument))
            except ag.StagingError as error:
                assert error.code != "AG208" and error.location is not None, body
                assert error.location.file == function.__code__.co_filename, body
                refused += 1
                continue
            assert got == want and shape_of(got[0][1]) == shape_of(want[0][1]), (body, argument)
            ran += 1
    assert ran > refused / 2


def shape_of(value: Any) -> Any:
    return [shape_of(one) for one in value] if isinstance(value, (tuple, list)) else type(value)


def defined(body: str, name: str) -> Any:
    text = f"def f(x):\n{textwrap.indent(body, '    ')}\n"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    scope: dict[str, Any] = {"Counter": Counter}
    exec(compile(text, name, "exec"), scope)
    return scope["f"]


# JAX


@pytest.fixture(scope="module")
def for_jax() -> Callable[..., Any]:
    """Makes a function of JAX of a program that calls `jax.numpy`."""
    made: Callable[..., Any] = of_the_page("class JaxRecorder")["for_jax"]
    return made


def relu_sum(xs):
    total = jnp.zeros(())
    for x in xs:
        if x > 0:
            total = total + x
        else:
            continue
        if total > 10.0:
            break
    return total


def best_or(xs, bound):
    best = None
    for x in xs:
        if best is None or x > best:
            best = x
    if best is not None and best > bound:
        return best * 2
    return bound


def factors(n):
    product, steps = jnp.ones(()), 0
    for k in range(n):
        product = product * (k + 1)
        while product > 100.0:
            product = product / 10
            steps += 1
    return product, steps


def pieces(x):
    if x > 0:
        if x > 1:
            y = x * 2
        else:
            y = x * 3
        y = y + 1
    else:
        y = -x
    return jnp.sin(y)


def averaged(x):
    state = {"mean": jnp.zeros(()), "count": 0}
    for row in x:
        if jnp.all(row > 0):
            state["count"] += 1
            state["mean"] += (row.mean() - state["mean"]) / state["count"]
    return state["mean"]


OF_JAX: list[tuple[Callable[..., Any], list[tuple[Any, ...]]]] = [
    (relu_sum, [(np.array([1.0, -2.0, 3.0, 9.0, 5.0]),), (np.zeros(0),)]),
    (best_or, [(np.array([1.0, 5.0, 2.0]), 3.0), (np.array([1.0, 5.0, 2.0]), 9.0)]),
    (factors, [(0,), (5,), (12,)]),
    (pieces, [(0.5,), (-0.5,), (2.5,)]),
    (averaged, [(np.array([[1.0, 2.0], [-1.0, 3.0], [5.0, 7.0]]),)]),
]


@pytest.mark.parametrize(("function", "calls"), OF_JAX, ids=[one.__name__ for one, _ in OF_JAX])
def test_programs_of_jax_under_jit(for_jax: Any, function: Any, calls: Any) -> None:
    compiled = jax.jit(checkify.checkify(for_jax(function)))
    for arguments in calls:
        failed, got = compiled(*arguments)
        failed.throw()
        want = function(*arguments)
        assert jax.tree.all(jax.tree.map(lambda one, other: bool(jnp.allclose(one, other)), got, want))


def test_what_jax_does_with_them(for_jax: Any) -> None:
    f = for_jax(pieces)
    assert float(jax.grad(f)(2.5)) == pytest.approx(2 * np.cos(6.0))
    rows = jax.vmap(f)(jnp.array([-1.0, 0.5, 3.0]))
    assert np.allclose(rows, np.sin([1.0, 2.5, 7.0]))


@ag.custom_vjp
def clipped(x):
    return x * x


clipped.defvjp(lambda x: (x * x, None), lambda _, cotangent: (np.clip(cotangent, -1.0, 1.0),))


def uses_a_rule(x):
    return clipped(x) + 1.0


def test_a_rule_is_not_lost_to_the_derivative_of_the_library(for_jax: Any) -> None:
    with pytest.raises(ag.StagingError, match="AG120"):
        for_jax(uses_a_rule)(2.5)


def adds_rows(x):
    if x.sum() > 0:
        y = x
    else:
        y = x[0]
    return y


def test_an_error_of_the_framework_is_located(for_jax: Any) -> None:
    with pytest.raises(ag.StagingError) as caught:
        jax.jit(for_jax(adds_rows))(np.ones(3))
    assert caught.value.code == "AG131" and caught.value.location is not None
    assert "`y` is a staged value of type" in caught.value.message


class Tried(Block[Any]):
    """A block of the recorder below, which records nothing."""

    def __init__(self, run):
        self.made = run([])

    def complete(self, results):
        return results(self.made)


class WithoutBranches(Recorder):
    """A recorder whose library fails at each branch."""

    words = "the broken back-end"

    def block(self, types, run):
        return Tried(run)

    def type_of(self, value):
        return ("bool", ())

    def truth(self, value):
        return value

    def constant(self, dtype, sizes, data):
        return Flag()

    def if_(self, test, then, otherwise):
        raise RuntimeError("no branches today")


def one_or_two(x):
    if x:
        y = 1
    else:
        y = 2
    return y


def test_a_library_that_fails_is_not_the_program_that_raises() -> None:
    class OfFlags(WithoutBranches):
        value_types = (Flag,)

    backend = RecordingBackend()
    register(backend, Flag)
    with pytest.raises(ag.StagingError) as caught:
        record_call(backend, OfFlags, one_or_two, Flag())
    assert caught.value.message == "the broken back-end does not record this `if`"
    assert caught.value.help == "RuntimeError: no branches today"


class Flag:
    """A staged value of a library that fails."""


class OfFlag(Flag):
    """Staged, too, as its base class is."""


def test_subclasses_are_staged() -> None:
    class Negating(RecordingBackend):
        def not_(self, value: Any) -> str:
            return "not staged"

    register(Negating(), Flag)
    assert ag.to_graph(lambda x: not x)(OfFlag()) == "not staged"


def test_outside_of_a_recording() -> None:
    with pytest.raises(ag.StagingError, match="AG110"):
        active_recorder()
    with pytest.raises(ag.StagingError, match="AG110"):
        recorded_value(1)


def test_a_recorder_says_what_it_lacks() -> None:
    recorder = Recorder()
    for missing in ("open", "gather", "list_make", "callback"):
        with pytest.raises(ag.StagingError, match="this recorder does not record"):
            getattr(recorder, missing)()
    with pytest.raises(AttributeError):
        recorder._repr_html_()
