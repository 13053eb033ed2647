"""Loops, generators, `try`, draws and arguments that are refused, beside those after what the help says."""

from __future__ import annotations

import contextlib
import copy

import autograph as ag
import numpy as np
from remedies import XS, M, N, helped


def listed(n):
    """A list of a length of the run."""
    found = []
    for i in range(n):
        found.append(i)
    return found


def grown(n):
    """A tuple of a length of the run."""
    found = ()
    for i in range(n):
        found += (i,)
    return found


@helped("walk a copy: `list(todo)`", N)
class GrowsWhileItIsWalked:
    def refused(n):
        todo = list(range(n))
        for item in todo:
            if item > 0:
                todo.append(item - 1)
        return todo

    def fixed(n):
        todo = list(range(n))
        for item in list(todo):
            if item > 0:
                todo.append(item - 1)
        return todo


@helped("convert it: `int(n)`", np.float64(2.0))
class ListTimesAFloat:
    def refused(x):
        return [1.0] * x

    def fixed(x):
        return [1.0] * int(x)


@helped("convert it: `int(i)`", np.float64(2.0))
class FloatAsAnIndex:
    def refused(x):
        return [1.0, 2.0, 3.0][x]

    def fixed(x):
        return [1.0, 2.0, 3.0][int(x)]


@helped("give it a `key`", M)
class SortedArrays:
    def refused(rows):
        kept = [row for row in rows if row[0] > 0]
        kept.sort()
        return kept

    def fixed(rows):
        kept = [row for row in rows if row[0] > 0]
        kept.sort(key=lambda row: row[0])
        return kept


@helped("make new ones of their parts, in a loop", N)
class DeepCopyOfRows:
    def refused(n):
        rows = []
        for i in range(n):
            rows.append([i])
        return copy.deepcopy(rows)

    def fixed(n):
        rows = []
        for i in range(n):
            rows.append([i])
        copied = []
        for row in rows:
            copied.append(list(row))
        return copied


@helped("use the numbers it was made of", N)
class AttributeOfARange:
    def refused(n):
        return range(n).stop

    def fixed(n):
        return int(n)


@helped("make a new zip for each loop", XS)
class WalkedTwice:
    def refused(xs):
        pairs = zip(xs, xs)
        total = 0.0
        for a, b in pairs:
            total += a * b
        for a, b in pairs:
            total += a + b
        return total

    def fixed(xs):
        total = 0.0
        for a, b in zip(xs, xs):
            total += a * b
        for a, b in zip(xs, xs):
            total += a + b
        return total


@helped("make an array of it first: `np.array(t)`", N)
class TupleAndANumber:
    def refused(n):
        return grown(n) + np.float64(1.0)

    def fixed(n):
        return np.array(grown(n)) + np.float64(1.0)


@helped("keep them in lists: `xs.append(list(t))`", N)
class TuplesOfTuplesInAList:
    def refused(n):
        rows = []
        for i in range(n):
            row = ()
            for k in range(i):
                row += (grown(k),)
            rows.append(row)
        return len(rows)

    def fixed(n):
        rows = []
        for i in range(n):
            row = []
            for k in range(i):
                row.append(list(grown(k)))
            rows.append(row)
        return len(rows)


@helped("call `next(iterator)` in the staged function itself", XS)
class NextInPlainCode:
    def refused(x):
        it = iter(x)
        if x[0] > 1:
            next(it)
        return plain_next(it)

    def fixed(x):
        it = iter(x)
        if x[0] > 1:
            next(it)
        return next(it)


@ag.do_not_convert
def plain_next(iterator):
    return next(iterator)


@helped("push it in the body of the `with`", XS)
class PushedWhileItIsLeft:
    def refused(x):
        with contextlib.ExitStack() as stack:
            stack.callback(lambda: stack.callback(print, x[0]))
        return x

    def fixed(x):
        with contextlib.ExitStack() as stack:
            stack.callback(print, x[0])
        return x


@helped("end the `with` where the managers are to be left", XS)
class ClosedInItsWith:
    def refused(x):
        with contextlib.ExitStack() as stack:
            stack.callback(print, x[0])
            stack.close()
            print("after")
        return x

    def fixed(x):
        with contextlib.ExitStack() as stack:
            stack.callback(print, x[0])
        print("after")
        return x


def careful(x):
    try:
        yield from x
    finally:
        print("done")


@helped("loop over the call itself, `for x in items(values)`, or give all items to `list` or `sum`", XS)
class YieldInATry:
    def refused(x):
        items = careful(x)
        total = 0.0
        for v in items:
            if v > 2:
                break
            total += v
        return total

    def fixed(x):
        total = 0.0
        for v in careful(x):
            if v > 2:
                break
            total += v
        return total


@helped("run the program with `AUTOGRAPH_DISABLE=1`: all functions are plain Python then", XS)
class Breakpoint:
    def refused(x):
        breakpoint()
        return x * 2

    def fixed(x):
        return x * 2


@helped("return its parts", XS)
class TupleThatHoldsItself:
    def refused(x):
        parts = [x]
        pair = (1.0, parts)
        parts.append(pair)
        return pair

    def fixed(x):
        parts = [x]
        return 1.0, parts


@helped("give both sides one type: `bool(n) and x > 2`", XS)
class AndOfTwoTypes:
    def refused(x):
        return listed(int(x[0])) and x[0] > 2

    def fixed(x):
        return bool(listed(int(x[0]))) and bool(x[0] > 2)


@helped("keep a number, and look the constant up after the staged function", np.int64(3))
class MoreConstantsEachTime:
    def refused(n):
        step = None
        while n > 0:
            step = lambda x: x + 1  # noqa: E731
            n -= 1
        return step is None

    def fixed(n):
        step = 0
        while n > 0:
            step = 1
            n -= 1
        return step == 0


@helped("say what it holds, or leave it out: types are found by themselves", N)
class NotAsDeclared:
    def refused(n):
        halves = []
        ag.set_element_type(halves, np.int64)
        for i in range(n):
            halves.append(i * 0.5)
        return halves

    def fixed(n):
        halves = []
        for i in range(n):
            halves.append(i * 0.5)
        return halves


@helped("say what it holds, or leave it out: types are found by themselves", N)
class DeclaredAsWhatItHolds:
    def refused(n):
        halves = []
        ag.set_element_type(halves, np.int64)
        for i in range(n):
            halves.append(i * 0.5)
        return halves

    def fixed(n):
        halves = []
        ag.set_element_type(halves, float)
        for i in range(n):
            halves.append(i * 0.5)
        return halves


@helped("copy what it reads first: `.copy()`", XS)
class OutThatIsRead:
    def refused(x):
        y = x * 2
        np.concatenate([y[1:], y[:1]], out=y)
        return y

    def fixed(x):
        y = x * 2
        z = y.copy()
        np.concatenate([z[1:], z[:1]], out=y)
        return y


@helped("say the results' dtypes: `otypes=`", XS, N)
class VectorizeOfSeveralTypes:
    def refused(x, n):
        return np.vectorize(lambda v: v if v > 2 else 0)(x)

    def fixed(x, n):
        return np.vectorize(lambda v: v if v > 2 else 0, otypes=[float])(x)


@helped("say the results' dtypes: `otypes=`", XS)
class VectorizeOfPerhapsNothing:
    def refused(x):
        return np.vectorize(lambda v: v * 2)(x[x > 1])

    def fixed(x):
        return np.vectorize(lambda v: v * 2, otypes=[float])(x[x > 1])


@helped("give it a seed, or pass a generator as an argument", XS)
class GeneratorWithoutASeed:
    def refused(x):
        return x + 0.0 * np.random.default_rng().random()

    def fixed(x):
        return x + 0.0 * np.random.default_rng(7).random()


@helped("leave it out", XS)
class NanAsAKey:
    def refused(x):
        seen = {}
        for v in x:
            seen[v] = 1
        seen[float("nan")] = 2
        return len(seen)

    def fixed(x):
        seen = {}
        for v in x:
            seen[v] = 1
        return len(seen)


@helped("compare with `is`", XS)
class IdOfAList:
    def refused(x):
        rows = []
        for v in x:
            rows.append([v])
        return id(rows[0]) == id(rows[1])

    def fixed(x):
        rows = []
        for v in x:
            rows.append([v])
        return rows[0] is rows[1]


@helped("convert them: `float(x)`", N)
class ArrayOfSeveralTypes:
    def refused(n):
        found = []
        for i in range(n):
            found.append(i if i > 0 else 0.5)
        return np.array(found)

    def fixed(n):
        found = []
        for i in range(n):
            found.append(float(i if i > 0 else 0.5))
        return np.array(found)


@helped("take fewer bits: `h >> 1`", N)
class ArrayOfHashes:
    def refused(n):
        h, found = 14695981039346656037, []
        for i in range(n):
            h = (h * 1099511628211) % 2**64
            found.append(h)
        return np.array(found)

    def fixed(n):
        h, found = 14695981039346656037, []
        for i in range(n):
            h = (h * 1099511628211) % 2**64
            found.append(h >> 1)
        return np.array(found)


@helped("make a list of its items outside the staged function, or make the iterator inside it", XS)
class IteratorOfTheModule:
    def refused(x):
        return x * next(SCALES)

    def fixed(x):
        return x * SCALE_LIST[0]


SCALES = iter([1.0, 2.0])
SCALE_LIST = [1.0, 2.0]


@helped("such a string can be printed, raised, returned, kept and made longer", N)
class LengthOfAText:
    def refused(n):
        return len(f"{[n]}")

    def fixed(n):
        return f"{[n]}"


@helped("write its parts: `(t[0], t[1])`, or a list of them: `list(t)`", N, M)
class TupleAsAnIndex:
    def refused(n, m):
        return m[grown(n)]

    def fixed(n, m):
        t = grown(n)
        return m[t[0], t[1]]


@helped("write its parts: `(t[0], t[1])`, or a list of them: `list(t)`", N, M)
class TupleAmongIndices:
    def refused(n, m):
        return m[0, grown(n)]

    def fixed(n, m):
        return m[0, list(grown(n))]


@helped("write its parts: `(t[0], t[1])`, or a list of them: `list(t)`", N)
class TupleAsAShape:
    def refused(n):
        return np.zeros(grown(n))

    def fixed(n):
        t = grown(n)
        return np.zeros((t[0], t[1]))


class Noisy:
    def __len__(self):
        return int(np.random.random() * 3)


class Measured:
    def length(self):
        return int(np.random.random() * 3)


@helped("Python itself calls it: make it an ordinary method, which the function calls", XS)
class DrawsInItsLength:
    def refused(x):
        return x * 0.0 * len(Noisy())

    def fixed(x):
        return x * 0.0 * Measured().length()


def checked(xs):
    """The numbers, and -1.0 for each that is negative."""
    for x in xs:
        try:
            if x < 0:
                raise ValueError(x)
            yield x
        except ValueError:
            yield -1.0


@helped("take all items first: `for x in list(items(values))`", XS)
class LeavesAGeneratorWithHandlers:
    def refused(xs):
        for v in checked(xs):
            if v > 1.5:
                break
        return v

    def fixed(xs):
        for v in list(checked(xs)):
            if v > 1.5:
                break
        return v


@helped("take all items before they are used: `for x in list(items(values))`", XS)
class RaisesBesideAGeneratorWithHandlers:
    def refused(xs):
        total = 0.0
        for v in checked(xs):
            if v > 5.0:
                raise KeyError(v)
            total += v
        return total

    def fixed(xs):
        total = 0.0
        for v in list(checked(xs)):
            if v > 5.0:
                raise KeyError(v)
            total += v
        return total


class Near:
    """A class with an attribute."""

    reach = 1.0


class Far:
    """Another one."""

    reach = 5.0


@helped("read the attributes by their names", N)
class AttributesOfOneOfTwoClasses:
    def refused(n):
        kind = Near if n > 3 else Far
        return kind.__dict__["reach"]

    def fixed(n):
        kind = Near if n > 3 else Far
        return kind.reach
