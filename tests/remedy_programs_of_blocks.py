"""Calls, choices and loops that are refused, beside the same programs after what the help says."""

from __future__ import annotations

from dataclasses import dataclass

import autograph as ag
import numpy as np
from remedies import XS, M, N, helped


@helped("test for it, `np.isfinite(x)`, or set the mode around the call of the staged function", XS)
class ErrorsSetInside:
    def refused(x):
        np.seterr(divide="raise")
        return 1.0 / x

    def fixed(x):
        return np.where(np.isfinite(1.0 / x), 1.0 / x, 0.0)


@helped("convert first: `.astype(np.int32)`", np.array([1, 2, 3], np.int16))
class NarrowValues:
    def refused(x):
        return np.unwrap(x)

    def fixed(x):
        return np.unwrap(x.astype(np.int32))


@helped("convert first: `.astype(np.float32)`", np.array([1, 2, 3], np.float16))
class HalfValues:
    def refused(x):
        return np.linalg.norm(x)

    def fixed(x):
        return np.linalg.norm(x.astype(np.float32))


@helped("call it with what the staged function returns", XS)
class LibraryOfPython:
    def refused(x):
        import statistics

        return statistics.median([x[0], x[1]])

    def fixed(x):
        return [x[0], x[1]]


@helped("draw or read it outside the staged function and pass it as an argument", np.float64(1.0))
class Clock:
    def refused(x):
        import time

        return x * 0 + time.time() * 0

    def fixed(x):
        return x * 0 + NOW * 0


NOW = 5.0


@helped("copy it first: `xs = list(xs)`", N)
class RowOfTheModule:
    def refused(n):
        xs = ROWS[n - 1]
        xs[0] = 5.0
        return xs

    def fixed(n):
        xs = ROWS[n - 1]
        xs = list(xs)
        xs[0] = 5.0
        return xs


ROWS = [[1.0, 2.0], [3.0, 4.0]]


@helped("write `tqdm(reversed(…))`", N)
class ReversedProgress:
    def refused(n):
        from tqdm import tqdm

        total = 0
        for i in reversed(tqdm(range(n), disable=True)):
            total = total * 2 + i
        return total

    def fixed(n):
        from tqdm import tqdm

        total = 0
        for i in tqdm(reversed(range(n)), disable=True):
            total = total * 2 + i
        return total


@helped("the running graph can call", N)
class MethodOfProgress:
    def refused(n):
        from tqdm import tqdm

        bar = tqdm(range(n), disable=True)
        for i in bar:
            bar.moveto(i)
        return n

    def fixed(n):
        from tqdm import tqdm

        bar = tqdm(range(n), disable=True)
        for i in bar:
            bar.set_description("going")
        return n


@helped("choose among tuples of one length instead", N)
class OneOfTwoStringsWalked:
    def refused(n):
        word = "ab" if n > 1 else "abc"
        first, second, *rest = word
        return first, second, rest

    def fixed(n):
        pair = ("a", "b") if n > 1 else ("c", "d")
        first, second = pair
        return first, second


@helped("call `len` in converted code", N)
class LengthOfOneOfTwo:
    def refused(n):
        word = "ab" if n > 1 else "abc"
        return plain_length(word)

    def fixed(n):
        word = "ab" if n > 1 else "abc"
        return len(word)


@ag.do_not_convert
def plain_length(value):
    return len(value)


@helped("convert it before: `float(x)`, `np.asarray(x, float)`", XS)
class ManyCombinations:
    def refused(x):
        a = 1 if x[0] > 1 else x[0]
        b = 1 if x[1] > 1 else x[1]
        c = 1 if x[2] > 1 else x[2]
        d = 1 if x[2] > 2 else x[2]
        e = 1 if x[2] > 3 else x[2]
        f = 1 if x[2] > 4 else x[2]
        g = 1 if x[2] > 5 else x[2]
        return max(a, b, c, d, e, f, g)

    def fixed(x):
        a = float(1 if x[0] > 1 else x[0])
        b = float(1 if x[1] > 1 else x[1])
        c = float(1 if x[2] > 1 else x[2])
        d = float(1 if x[2] > 2 else x[2])
        e = float(1 if x[2] > 3 else x[2])
        f = float(1 if x[2] > 4 else x[2])
        g = float(1 if x[2] > 5 else x[2])
        return max(a, b, c, d, e, f, g)


@helped("it runs as it is written: make a list in a function, `xs.append(value)` for `yield value`", XS)
class GeneratorThatPrints:
    def refused(x):
        return np.fromiter(shown(x), float, 2)

    def fixed(x):
        return np.fromiter(shown_list(x), float, 2)


def shown(x):
    try:
        for v in x:
            print("item")
            yield v
    except ValueError:
        return


def shown_list(x):
    found = []
    for v in x:
        print("item")
        found.append(v)
    return found


@helped("make a list of the items before the loop, or use `while`", XS)
class ItemsThatPrint:
    def refused(x):
        def told(v):
            print(v)
            return v

        total = x[0]
        for v in map(told, (1.0, 2.0, 3.0)):
            if total > 4:
                break
            total += v
        return total

    def fixed(x):
        def told(v):
            print(v)
            return v

        total = x[0]
        items = [told(v) for v in (1.0, 2.0, 3.0)]
        for v in items:
            if total > 4:
                break
            total += v
        return total


@helped("give it an order of an integer dtype", XS)
class OrderOfPolygamma:
    def refused(x):
        import scipy.special

        return scipy.special.polygamma(x[0], x)

    def fixed(x):
        import scipy.special

        return scipy.special.polygamma(x[0].astype(int), x)


@dataclass(repr=False)
class Silent:
    value: float


@helped("print its attributes", Silent(1.5))
class TextThatIsAnAddress:
    def refused(box):
        print(box)
        return box.value

    def fixed(box):
        print(box.value)
        return box.value


@ag.py_function(result=float)
def looked_up(row):
    return float(row[0])


@helped("do it outside of the function of ag.vmap, or loop over the rows", M)
class CallOfPythonForRows:
    def refused(m):
        return ag.vmap(lambda row: row * looked_up(row))(m)

    def fixed(m):
        return np.stack([row * looked_up(row) for row in m])
