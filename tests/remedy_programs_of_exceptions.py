"""Exceptions that are kept, raised and read and are refused, beside those after what the help says."""

from __future__ import annotations

import numpy as np
from remedies import N, helped


class Failed(Exception):
    """An exception with an attribute."""

    def __init__(self, step):
        self.step = step


OUTSIDE = ValueError("far")


@helped("give it all that it holds where it is made: `raise MyError(step)`", N)
class ChangedAfterItIsKept:
    def refused(n):
        error = Failed(n)
        last = Failed(0)
        if n > 2:
            last = error
        error.step = 7
        return last.step

    def fixed(n):
        error = Failed(7)
        last = Failed(0)
        if n > 2:
            last = error
        return last.step


@helped("keep the exceptions in a list, and compare them with `is`", N)
class SetOfExceptions:
    def refused(n):
        last = ValueError(n)
        for k in range(n):
            if k > 1:
                last = ValueError(k)
        return len({last})

    def fixed(n):
        last = ValueError(n)
        for k in range(n):
            if k > 1:
                last = ValueError(k)
        return len([last])


@helped("bind it to one that the function makes: `ValueError(...)`", N)
class ExceptionFromOutside:
    def refused(n):
        last = None
        if n > 1:
            last = OUTSIDE
        return str(last)

    def fixed(n):
        last = None
        if n > 1:
            last = ValueError("far")
        return str(last)


@helped("keep what the exception holds in variables of their own, or give it numbers and texts", N)
class ExceptionThatHoldsAnArray:
    def refused(n):
        a = np.arange(3.0)
        last = None
        if n > 1:
            last = ValueError(a)
        return last is None

    def fixed(n):
        a = np.arange(3.0)
        last = None
        if n > 1:
            last = ValueError(a.sum())
        return last is None


@helped("raise a new one, of which it is the cause: `raise RuntimeError(…) from last`", N)
class RaisedWithAnotherCause:
    def refused(n):
        last = ValueError(0)
        for k in range(n):
            if k > 1:
                last = ValueError(k)
        try:
            raise last from None
        except ValueError as error:
            return error.args[0]

    def fixed(n):
        last = ValueError(0)
        for k in range(n):
            if k > 1:
                last = ValueError(k)
        try:
            raise RuntimeError("none") from last
        except RuntimeError:
            return last.args[0]


@helped("raise the exception, and read its traceback where the staged function is called", N)
class TracebackOfTheRun:
    def refused(n):
        try:
            raise ValueError(n)
        except ValueError as error:
            if error.__traceback__ is None:
                return 0
        return n

    def fixed(n):
        if n < 0:
            raise ValueError(n)
        return n


@helped("give `from` an exception or None", N)
class CauseThatMayBeText:
    def refused(n):
        last = "none"
        if n > 1:
            last = ValueError(n)
        if n > 100:
            raise RuntimeError("far") from last
        return n

    def fixed(n):
        last = None
        if n > 1:
            last = ValueError(n)
        if n > 100:
            raise RuntimeError("far") from last
        return n
