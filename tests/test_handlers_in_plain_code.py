"""A handler in code that runs as it is written is never lost: a program that may need it is refused.

Each form of `try` stands in a function that each kind of unconverted code calls.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable
from typing import Any

import autograph as ag
import numpy as np
import pytest


def by_class(fail: Any, x: Any, k: Any) -> Any:
    try:
        return fail(x, k)
    except (IndexError, ZeroDivisionError, np.linalg.LinAlgError):
        return -1.0


def by_base(fail: Any, x: Any, k: Any) -> Any:
    try:
        y = fail(x, k)
    except Exception as error:
        y = -float(len(error.args))
    return y


def bare(fail: Any, x: Any, k: Any) -> Any:
    try:
        return fail(x, k)
    except:  # noqa: E722
        return -2.0


def second_clause(fail: Any, x: Any, k: Any) -> Any:
    try:
        return fail(x, k)
    except KeyError:
        return -2.0
    except (OSError, ArithmeticError, LookupError, ValueError):
        return -3.0


def outer(fail: Any, x: Any, k: Any) -> Any:
    try:
        try:
            return fail(x, k)
        except KeyError:
            return -2.0
    except Exception:
        return -4.0


def in_a_finally(fail: Any, x: Any, k: Any) -> Any:
    seen = []
    with contextlib.suppress(Exception):
        try:
            return fail(x, k)
        finally:
            seen.append(1)
    return float(len(seen))


def suppressed(fail: Any, x: Any, k: Any) -> Any:
    with contextlib.suppress(IndexError, ZeroDivisionError, np.linalg.LinAlgError):
        return fail(x, k)
    return -5.0


def computed(fail: Any, x: Any, k: Any) -> Any:
    try:
        return fail(x, k)
    except {1: Exception}[1]:
        return -6.0


def from_far(fail: Any, x: Any, k: Any) -> Any:
    def between(k: Any) -> Any:
        return [fail(x, k) for _ in range(2)][1]

    try:
        return between(k)
    except Exception:
        return -7.0


def of_another_class(fail: Any, x: Any, k: Any) -> Any:
    try:
        return fail(x, k)
    except (KeyError, UnicodeError):
        return -8.0
    except AttributeError:
        return -9.0


def in_a_handler(fail: Any, x: Any, k: Any) -> Any:
    try:
        raise KeyError
    except KeyError:
        return fail(x, k)


HANDLERS = (
    *(by_class, by_base, bare, second_clause, outer, in_a_finally, suppressed, computed, from_far),
    *(of_another_class, in_a_handler),
)

NEVER_TAKING = (of_another_class, in_a_handler)
"""Those with no handler for what the functions below raise."""


def an_index(x: Any, k: Any) -> Any:
    return x[k]


def a_division(x: Any, k: Any) -> Any:
    return x[0] + (1 // k.item())


def a_matrix(x: Any, k: Any) -> Any:
    return np.linalg.inv(np.eye(2) * (x[0] - k))[0, 0]


def no_failure(x: Any, k: Any) -> Any:
    return x[1] * k


FAILING = ((an_index, 7), (a_division, 0), (a_matrix, 3), (no_failure, 5))


class Holder:
    def __init__(self, call: Callable[[], Any]) -> None:
        self.call = call

    @property
    def value(self) -> Any:
        return self.call()

    @functools.cached_property
    def kept(self) -> Any:
        return self.call()

    def __getattr__(self, name: str) -> Any:
        if name != "absent":
            raise AttributeError(name)
        return self.call()

    def __add__(self, other: Any) -> Any:
        return self.call()


def by_a_property(call: Any) -> Any:
    return Holder(call).value


def by_a_cached_property(call: Any) -> Any:
    return Holder(call).kept


def by_getattr(call: Any) -> Any:
    return Holder(call).absent


def by_an_operator(call: Any) -> Any:
    return Holder(call) + 1


def by_a_generator(call: Any) -> Any:
    def items() -> Any:
        for _ in range(2):
            yield call()

    total = 0.0
    for one in items():
        total = total + one
    return total


def by_next(call: Any) -> Any:
    def items() -> Any:
        yield call()

    return next(items())


def by_a_class_body(call: Any) -> Any:
    class Body:
        value = call()

    return Body.value


def by_async(call: Any) -> Any:
    async def run() -> Any:
        return call()

    try:
        run().send(None)
    except StopIteration as stop:
        return stop.value
    return None


def unconverted(call: Any) -> Any:
    return ag.do_not_convert(call)()


def converted(call: Any) -> Any:
    return call()


CALLING = (
    *(by_a_property, by_a_cached_property, by_getattr, by_an_operator, by_a_generator, by_next),
    *(by_a_class_body, by_async, unconverted, converted),
)


def outcome(function: Callable[..., Any], *args: Any) -> Any:
    """The result of a call, the class and text of what it raises, or the code of a refusal."""
    try:
        return repr(function(*args))
    except ag.StagingError as error:
        return error.code
    except Exception as error:
        return type(error).__name__, str(error)


@pytest.mark.parametrize("calling", CALLING, ids=lambda one: one.__name__)
def test_a_handler_is_never_lost(calling: Callable[..., Any]) -> None:
    differences, agreed, refused = [], 0, 0
    for handler in HANDLERS:
        for failing, bad in FAILING:

            def program(x: Any, k: Any, handler: Any = handler, failing: Any = failing) -> Any:
                return calling(functools.partial(handler, failing, x, k))

            staged = ag.function(program)
            for k in (np.int64(1), np.int64(bad)):
                x = np.array([3.0, 4.0, 5.0])
                want, got = outcome(program, x, k), outcome(staged, x, k)
                is_refused = isinstance(got, str) and got.startswith("AG")
                if want != got and not is_refused:
                    differences.append((handler.__name__, failing.__name__, int(k), want, got))
                if got == "AG135" and (handler in NEVER_TAKING or failing is no_failure):
                    differences.append((handler.__name__, failing.__name__, int(k), "refused"))
                agreed, refused = agreed + (want == got), refused + is_refused
    assert not differences
    # A generator function is the loop that it is.
    assert agreed > 20 and refused >= (0 if calling in (converted, by_a_generator) else 30)


def an_option(x: Any, k: Any) -> Any:
    return np.nanpercentile(x, [50, 20], method="weibull")[0]


def a_test(x: Any, k: Any) -> Any:
    return x[0] if k > 2 else x[1]


def a_write_to_a_plain_array(x: Any, k: Any) -> Any:
    plain = np.zeros(3)
    plain[0] = x[0]
    return plain[0]


def a_size(x: Any, k: Any) -> Any:
    return np.zeros(k).sum()


def a_method(x: Any, k: Any) -> Any:
    return float(len(x.tobytes()))


REFUSED = (an_option, a_test, a_write_to_a_plain_array, a_size, a_method)


@pytest.mark.parametrize("calling", CALLING, ids=lambda one: one.__name__)
def test_a_refusal_is_never_handled(calling: Callable[..., Any]) -> None:
    differences, refused = [], 0
    for handler in HANDLERS:
        for failing in REFUSED:

            def program(x: Any, k: Any, handler: Any = handler, failing: Any = failing) -> Any:
                return calling(functools.partial(handler, failing, x, k))

            x, k = np.array([3.0, 4.0, 5.0]), np.int64(2)
            want, got = outcome(program, x, k), outcome(ag.function(program), x, k)
            is_refused = isinstance(got, str) and got.startswith("AG")
            refused += is_refused
            if want != got and not is_refused:
                differences.append((handler.__name__, failing.__name__, want, got))
    assert not differences
    assert refused > 20 or calling is converted
