"""Programs of numbers, arrays and draws that are refused, beside the same ones after what the help says."""

from __future__ import annotations

import heapq
import itertools
import random

import autograph as ag
import numpy as np
from remedies import XS, M, N, helped


@helped("compute on the whole array: `np.where(condition, f(x), g(x))`", XS)
class FunctionsOfPiecewise:
    def refused(x):
        return np.piecewise(x, [x > 1, x <= 1], [lambda part: part * 2, lambda part: part])

    def fixed(x):
        return np.where(x > 1, x * 2, x)


@helped("give it arrays of known size", XS)
class CoefficientsByData:
    def refused(x):
        return np.polymul(x[x > 1], x)

    def fixed(x):
        return np.polymul(np.where(x > 1, x, 0.0), x)


@helped("convert the values with `.astype`", XS)
class ViewAsAnotherDtype:
    def refused(x):
        return x.view(np.int64) // 2**62

    def fixed(x):
        return x.astype(np.int64) // 2


@helped("make a new array: `np.pad` adds zeros, `np.resize` repeats the elements, a slice drops some", XS)
class ResizedInPlace:
    def refused(x):
        y = x.copy()
        y.resize(5)
        return y

    def fixed(x):
        return np.pad(x, (0, 2)), np.resize(x, 5), x[:2]


@helped("take the real part first: `.real.astype(...)`", XS)
class ComplexAsFloat:
    def refused(x):
        return (x * 1j).astype(float)

    def fixed(x):
        return (x * 1j).real.astype(float)


@helped("draw it outside the staged function and pass it as an argument", N)
class BytesOfAGenerator:
    def refused(n):
        return np.random.default_rng(3).bytes(n)

    def fixed(n):
        return n + 1


@helped("shuffle an array that is made in the staged function or passed to it", XS)
class ShuffledList:
    def refused(x):
        xs = [x[0], x[1]]
        np.random.default_rng(3).shuffle(xs)
        return xs

    def fixed(x):
        xs = x[:2].copy()
        np.random.default_rng(3).shuffle(xs)
        return list(xs)


@helped("give it numbers: `x[0]`, `x.item()`", XS)
class RangeOfAnArray:
    def refused(x):
        return np.arange(x[:1])

    def fixed(x):
        return np.arange(x[0])


@helped("call it outside the staged function, or write it with supported functions", XS)
class FunctionOfSciPy:
    def refused(x):
        from scipy.special import jv

        return jv(0, x)

    def fixed(x):
        return x * x


@helped("round to between -18 and 18 digits", N)
class IntRoundedToManyDigits:
    def refused(n):
        return round(int(n), -25)

    def fixed(n):
        return round(int(n), -18)


@helped("give the digits as a constant", N)
class IntRoundedByData:
    def refused(n):
        return round(int(n), -int(n))

    def fixed(n):
        return round(int(n), -2)


@helped("make it outside, and pass it as an argument", N)
class GeneratorInARecursion:
    def refused(n):
        def total(k):
            if k <= 0:
                return 0.0
            return random.Random(3).random() + total(k - 1)

        return total(n)

    def fixed(n):
        rng = random.Random(3)

        def total(k, rng):
            if k <= 0:
                return 0.0
            return rng.random() + total(k - 1, rng)

        return total(n, rng)


@helped("draw at most 63 bits at once", N)
class ManyBits:
    def refused(n):
        return random.Random(3).getrandbits(70) + n

    def fixed(n):
        rng = random.Random(3)
        return rng.getrandbits(35) + n, rng.getrandbits(35)


@helped("write it in Python, or sort the list: `xs.sort()`", N)
class HeapOfLargest:
    def refused(n):
        xs = []
        for i in range(n):
            xs.append(i * (3 - i))
        heapq._heapify_max(xs)
        return xs[0]

    def fixed(n):
        xs = []
        for i in range(n):
            xs.append(i * (3 - i))
        xs.sort()
        return xs[-1]


@helped("write `%s`, and give it `chr(n)`", N)
class CharacterOfANumber:
    def refused(n):
        shown = "%c"
        return shown % n

    def fixed(n):
        shown = "%s"
        return shown % chr(n)


@helped("convert it: `int(x)`", XS)
class FloatAsDigits:
    def refused(x):
        return "%d items" % x[0]  # noqa: UP031

    def fixed(x):
        return "%d items" % int(x[0])  # noqa: UP031


@helped("give the digits and widths as constants: `%.2f`", XS)
class DigitsOfAField:
    def refused(x):
        return "%.*f" % (2, x[0])  # noqa: UP031

    def fixed(x):
        return "%.2f" % x[0]  # noqa: UP031


@helped("give the digits and widths as constants, or format what the staged function returns", N)
class WidthOfAText:
    def refused(n):
        return f"{'a':>{n}}"

    def fixed(n):
        return f"{'a':>2}"


@helped("count in a `for` loop, and `break`", XS, N)
class SomeItems:
    def refused(x, n):
        return list(itertools.islice(x, n))

    def fixed(x, n):
        found, count = [], 0
        for v in x:
            if count == n:
                break
            found.append(v)
            count += 1
        return found


@helped("call it on what the staged function returns", XS)
class HexOfAFloat:
    def refused(x):
        return float(x[0]).hex()

    def fixed(x):
        return float(x[0])


@helped("write a loop for each axis: `[[v.item() for v in row] for row in x]`", M, N)
class NestedListOfTheRun:
    def refused(m, n):
        return m[:n].tolist()

    def fixed(m, n):
        return [[v.item() for v in row] for row in m[:n]]


@helped("keep the values in an array made inside the staged function, or passed to it", N)
class BytesWritten:
    def refused(n):
        table = bytearray(4)
        table[n] = 1
        return table

    def fixed(n):
        table = np.zeros(4, np.uint8)
        table[n] = 1
        return table


ONES = np.ones(3)


@helped("give its type: `a.astype(x.dtype)`", XS)
class ValueAsADtype:
    def refused(x):
        return ONES.astype(x)

    def fixed(x):
        return ONES.astype(x.dtype)


@helped("give its type: `a.astype(x.dtype)`", XS, N)
class ValueAsADtypeOfAValue:
    def refused(x, n):
        return x.astype(n)

    def fixed(x, n):
        return x.astype(n.dtype)


@helped("convert it: `x.astype(int)`", np.array([True, False]), N)
class BoolsToAPower:
    def refused(x, n):
        return x ** int(n)

    def fixed(x, n):
        return x.astype(int) ** int(n)


@helped(
    "make the generator outside of the staged function, and pass it as an argument",
    N,
    np.random.default_rng(2),
)
class SeedOfTheRun:
    def refused(n, rng):
        return np.random.default_rng(n).random()

    def fixed(n, rng):
        return 0.0 * rng.random()  # The pairs share one generator, whose numbers go on.


@helped("put numbers or arrays into it, or keep what it holds in a list", XS)
class ArrayOfDicts:
    def refused(x):
        return np.array([{"a": x[0]}, {"a": x[1]}])

    def fixed(x):
        return np.array([x[0], x[1]]), [{"a": x[0]}, {"a": x[1]}]


class Holder:
    def __init__(self, value):
        self.value = value


@helped("give it a number", XS)
class ScalarOfAnObject:
    def refused(x):
        rows = []
        for v in x:
            rows.append(Holder(v))
        return np.float64(rows[0])

    def fixed(x):
        rows = []
        for v in x:
            rows.append(Holder(v))
        return np.float64(rows[0].value)


@helped("make it like the result: `np.empty(shape, dtype)`", XS)
class OutInAnotherOrder:
    def refused(x):
        out = np.zeros((3, 3)).T
        np.dot(np.outer(x, x), np.eye(3), out=out)
        return out

    def fixed(x):
        out = np.empty((3, 3), np.float64)
        np.dot(np.outer(x, x), np.eye(3), out=out)
        return out


@helped("write it as a loop", XS)
class AttributeOfATable:
    def refused(x):
        seen = {}
        for v in x:
            seen[int(v)] = v
        return seen.fromkeys([1, 2])

    def fixed(x):
        seen, made = {}, {}
        for v in x:
            seen[int(v)] = v
        for key in (1, 2):
            made[key] = None
        return made


def hashed(n):
    h = 14695981039346656037
    for _ in range(n):
        h = (h * 1099511628211) % 2**64
    return h


@helped("take low bits first: `h & 0x7fffffffffffffff`", N)
class QuotientOfAHash:
    def refused(n):
        return hashed(n) / 3

    def fixed(n):
        return (hashed(n) & 0x7FFFFFFFFFFFFFFF) / 3


@helped(
    "let the range end before the last, shorter part, and handle that part after the loop", np.arange(5.0)
)
class ShorterLastPart:
    def refused(x):
        total = np.zeros(2)
        for i in ag.staged(range(0, 5, 2)):
            total = total + x[i : i + 2]
        return total

    def fixed(x):
        total = np.zeros(2)
        for i in ag.staged(range(0, 4, 2)):
            total = total + x[i : i + 2]
        total[:1] += x[4:]
        return total
