"""`except` around stores: what was written before the failure stays, and its derivative is that of Python."""
# mypy: ignore-errors

from __future__ import annotations

import linecache
import textwrap
from itertools import product
from typing import Any

import autograph as ag
import numpy as np
import pytest
from autograph import tangent

AROUND = """
import numpy as np

class Cell:
    def __init__(self, h):
        self.h = h
        self.n = 1.0

def root(v):
    if v < 0:
        raise ValueError("no root")
    return v ** 0.5

def program(x):
    xs = [x * 1.5, x * x, 1.0]
    a = np.array([1.0, 2.0, 3.0]) * x
    k = np.array([1, 2, 3])
    d = {"u": x * 0.5, "v": [x * 2.0]}
    cell = Cell(x * 2.0)
    y = x * 3.0
BODY
    r = y * y + np.sum(a * a) + d["u"] * x + cell.h * cell.h * cell.n
    for one in xs:
        r = r * 0.5 + one * one
    for one in d["v"]:
        r = r + one * x
    return r + np.sum(k)
"""

STORES = {
    "append": "xs.append(VALUE)",
    "append to an item": "held = d['v']\nHERE\nheld.append(VALUE)",
    "add": "y += VALUE",
    "multiply in place": "a *= VALUE",
    "matrix": "a /= VALUE",
    "item of an array": "a[1] = VALUE",
    "slice": "a[1:] = VALUE",
    "mask": "a[a > 2.0] = VALUE",
    "item of a list": "xs[0] = VALUE",
    "item of a dict": "d['u'] = VALUE",
    "new item": "d['w'] = VALUE\nd['u'] = d['w'] * x",
    "attribute": "cell.h = VALUE",
    "attribute in place": "cell.h *= VALUE",
    "item in place": "a[2] -= VALUE",
    "item of a list in place": "xs[1] *= VALUE",
    "item of a dict in place": "d['u'] += VALUE",
    "one that is not there": "a[0] = VALUE\na[7] = VALUE",
    "one of a list that is not there": "xs[1] = VALUE\nxs[9] *= VALUE",
    "another shape": "a[:2] = VALUE\na[:2] = np.ones(3) * VALUE",
    "a shape that grows": "y += VALUE\na += np.ones((2, 3)) * VALUE",
    "no cast": "cell.h += VALUE\nk += VALUE",
    "no key": "d['u'] = VALUE\nd['none'] += VALUE",
}
VALUES = {"taken": "root(x + 3.0)", "raising": "root(x - 9.0)", "plain": "x * x"}
PLACES = {
    "alone": "try:\nSTORE\nexcept HANDLED:\n    y = y * x\n",
    "several": "try:\n    y = x * 2.0\nSTORE\n    cell.n = x\nexcept HANDLED:\n"
    "    y = y * x\nelse:\n    y = y + x\nfinally:\n    y = y * 1.5\n",
    "loop": "for i in range(4):\n    try:\n    STORE\n        y = y + root(x - i)\n    except HANDLED:\n"
    "        y = y * 0.5\n        continue\n    y = y - 1.0\n",
    "branch": "if x > 0:\n    try:\n    STORE\n    except HANDLED:\n        a[0] = x\n",
}
HANDLED = {"all": "(ValueError, IndexError, KeyError, TypeError)", "others": "ZeroDivisionError"}


def program(store: str, value: str, place: str, handled: str):
    """The program of these four."""
    first, _, store = STORES[store].rpartition("HERE\n")
    inner = textwrap.indent(store.replace("VALUE", VALUES[value]), "    ")
    text = first
    for line in PLACES[place].replace("HANDLED", HANDLED[handled]).splitlines():
        indent = line[: len(line) - len(line.lstrip())]
        text += (textwrap.indent(inner, indent) if line.strip() == "STORE" else line) + "\n"
    text = AROUND.replace("BODY", textwrap.indent(text, "    "))
    name = f"<try {store} {value} {place} {handled}>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    space: dict = {"__name__": "tries"}
    exec(compile(text, name, "exec"), space)
    return space["program"]


def outcome(call):
    """What a call gives, or the class of what it raises and its words."""
    try:
        return call()
    except (ValueError, IndexError, KeyError, TypeError) as raised:
        return type(raised), str(raised)


def slope(f, x: float, step: float = 1e-5):
    return (f(x + step) - f(x - step)) / (2 * step)


@pytest.mark.parametrize("handled", HANDLED)
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("value", VALUES)
def test_what_was_written_before_a_failure_stays_written(value: str, place: str, handled: str) -> None:
    x = 1.3
    for store in STORES:
        f = program(store, value, place, handled)
        reverse, forward = tangent.grad(f), tangent.jvp(f)
        split = tangent.autodiff(f, motion="split")
        assert "tried" in tangent.to_source(split) or "evaluated" in tangent.to_source(split), store
        wanted = outcome(lambda f=f: f(x))
        if isinstance(wanted, tuple):
            for call in (lambda d=reverse: d(x), lambda d=forward: d(x, 1.0)):
                assert outcome(call) == wanted, (store, call)
            continue
        wanted = slope(f, x)
        for found in (reverse(x), reverse(x), forward(x, 1.0)):
            np.testing.assert_allclose(found, wanted, rtol=1e-6, atol=1e-8, err_msg=store)


@pytest.mark.parametrize("value", VALUES)
def test_twice(value: str) -> None:
    x = 1.3
    for store, place in product(STORES, ("alone", "loop")):
        f = program(store, value, place, "all")
        first = tangent.grad(f)
        wanted = slope(first, x)
        for second in (tangent.grad(first), lambda x, d=tangent.jvp(first): d(x, dx=1.0)):
            np.testing.assert_allclose(second(x), wanted, rtol=1e-5, atol=1e-7, err_msg=f"{store} {place}")


class Guarded:
    def __init__(self, h: float) -> None:
        self.h = h

    def __setattr__(self, name: str, value: float) -> None:
        if value < 0:
            raise ValueError(name)
        object.__setattr__(self, name, value)


def _store_in(c, x):
    try:
        c["u"] = x
    except ValueError:
        return x
    return x * x


def _append_to(c, x):
    try:
        c.append(x)
    except AttributeError:
        return x
    return x * x


def _write_in_try(w, x):
    try:
        w[0], w[1] = x, x * x
    except IndexError:
        return x
    return np.sum(w) * x


def test_what_cannot_be_asked_is_refused() -> None:
    class Table(dict):
        def __setitem__(self, key: str, value: float) -> None:
            raise ValueError(key)

    for f, held in ((_append_to, (1.0,)), (_append_to, 3.0)):
        with pytest.raises(TypeError, match="`append` in a `try` with `except`"):
            tangent.grad(f, wrt="x")(held, 2.0)
    with pytest.raises(TypeError, match="a store in a `try` with `except`"):
        tangent.grad(_store_in, wrt="x")(Table(), 2.0)
    with pytest.raises(ag.ConversionError, match=r"AG021.*no assignments, stores or `append`"):
        tangent.grad(_write_in_try, wrt="x")


class Adding:
    """Its `+=` may fail in the middle."""

    def __init__(self, x: Any) -> None:
        self.x = x

    def __iadd__(self, v: Any) -> Adding:
        self.x = self.x + v
        return self


def _adds_in_a_try(a: Any, x: Any) -> Any:
    try:
        a += x * x
    except ValueError:
        return x
    return x * x


def _adds_under_a_handler_of_all(a: Any, x: Any) -> Any:
    try:
        a += x * x
    except BaseException:
        return x
    return a * x


def _adds_to_an_item_under_a_handler_of_all(a: Any, x: Any) -> Any:
    try:
        a[0] += x * x
    except:  # noqa: E722
        return x
    return a[0] * x


def test_no_handler_takes_the_refusal_of_an_operator_of_a_class() -> None:
    derivative = tangent.grad(_adds_in_a_try, wrt="x")
    with pytest.raises(BaseException, match=r"AG022.*no rule of `__iadd__` of a class in a `try`") as refused:
        derivative(Adding(1.0), 2.0)
    assert not isinstance(refused.value, Exception)
    assert "-->" in str(refused.value) and "a += x * x" in str(refused.value)
    with pytest.raises(BaseException, match=r"AG022.*no rule of `__iadd__` of a class in a `try`"):
        tangent.grad(_adds_under_a_handler_of_all, wrt="x")(Adding(1.0), 2.0)
    assert tangent.grad(_adds_under_a_handler_of_all, wrt="x")(1.0, 2.0) == 1.0 + 3 * 4.0
    with pytest.raises(ag.ConversionError, match=r"AG021.*no assignments, stores or `append`"):
        tangent.grad(_adds_to_an_item_under_a_handler_of_all, wrt="x")


def _number_in_an_exception(x):
    try:
        if x < 0:
            raise ValueError(x * 2)
        y = x * x
    except ValueError as error:
        y = error.args[0]
    return y * x


def _words_of_an_exception(x):
    try:
        if x < 0:
            raise ValueError(x * 0 + 2)
        y = x * x
    except ValueError as error:
        y = x * float(str(error))
    return y * x


def _key_of_an_exception(x):
    try:
        y = {"a": x}["b"]
    except KeyError as error:
        y = x * x if error.args[0] == "b" else x
    return y


def _array_by_nonlocal(x):
    total = x * 1.0

    def add(v):
        nonlocal total
        total += v

    try:
        add(x)
    except ValueError:
        total = x
    return total


def test_what_an_exception_holds_has_no_derivative() -> None:
    """A number in it is refused, which was silently without its derivative; words and keys are read."""
    with pytest.raises(BaseException, match=r"AG021.*a handler reads what a `ValueError` holds") as refused:
        tangent.grad(_number_in_an_exception)(-1.5)
    assert not isinstance(refused.value, Exception)
    assert "-->" in str(refused.value) and "help: bind it to a variable before" in str(refused.value)
    assert tangent.grad(_number_in_an_exception)(1.5) == pytest.approx(3 * 1.5**2)
    assert tangent.grad(_words_of_an_exception)(-1.5) == pytest.approx(2 * 2 * -1.5)
    assert tangent.grad(_key_of_an_exception)(1.5) == 3.0


def _likelihood(scale):
    jitter = -0.5
    x = np.linspace(0.0, 1.5, 4)
    k = scale * np.exp(-0.5 * (x[:, None] - x[None, :]) ** 2)
    while True:
        try:
            factor = np.linalg.cholesky(k + jitter * np.eye(4))
            break
        except np.linalg.LinAlgError:
            jitter = 0.01 if jitter < 0 else jitter * 10
    return np.sum(np.linalg.solve(factor, x) ** 2) + np.sum(np.log(np.diagonal(factor)))


def test_jitter_grows_until_a_matrix_has_a_factor() -> None:
    np.testing.assert_allclose(tangent.grad(_likelihood)(1.2), slope(_likelihood, 1.2), rtol=1e-6)


def test_an_array_by_nonlocal_is_refused_in_a_try() -> None:
    assert tangent.grad(_array_by_nonlocal)(1.5) == 2.0
    with pytest.raises(BaseException, match=r"AG023.*writes by `nonlocal`, is changed in place") as refused:
        tangent.vjp(_array_by_nonlocal)(np.ones(2), np.ones(2))
    assert not isinstance(refused.value, Exception)
