"""Programs that are refused, beside the same programs after what the help says has been done.

Each pair has the arguments, a part of the help, and two functions that do the same.
"""

from __future__ import annotations

import copy
import heapq
from collections import OrderedDict
from dataclasses import asdict, dataclass

import autograph as ag
import numpy as np
from remedies import XS, M, N, helped


@helped("join the arrays with `np.concatenate`", M)
class DirectionsOfR:
    def refused(m):
        return np.r_["1", m, m]

    def fixed(m):
        return np.concatenate([m, m], axis=1)


@helped("use `np.ravel(x)`", M)
class IndexOfFlat:
    def refused(m):
        return m.flat.coords[0] + m.sum()

    def fixed(m):
        return 0 + np.ravel(m).sum()


@helped("take the real part first", XS)
class RealOfComplex:
    def refused(x):
        return (x * 1j + 2.0).astype(np.float64)

    def fixed(x):
        return (x * 1j + 2.0).real.astype(np.float64)


@helped("draw from a generator: `rng = np.random.default_rng(seed)`", XS)
class GeneratorOfBits:
    def refused(x):
        return x + np.random.Generator(np.random.PCG64(3)).random()

    def fixed(x):
        return x + 0.0 * np.random.default_rng(3).random()  # The numbers are a stream of their own.


@helped("draw it outside the staged function", XS, np.random.default_rng(3))
class DrawOfAnotherLaw:
    def refused(x, rng):
        return x + 0.0 * rng.hypergeometric(3, 4, 2)

    def fixed(x, rng):
        return x + 0.0 * rng.random()


@helped("give it numbers", np.array([2, 5]))
class RangeOfAnArray:
    def refused(n):
        return np.arange(n[:1])

    def fixed(n):
        return np.arange(n[0])


@helped("compute on the whole array", XS)
class PiecesOfFunctions:
    def refused(x):
        return np.piecewise(x, [x < 2, x >= 2], [lambda v: -v, lambda v: v * v])

    def fixed(x):
        return np.where(x < 2, -x, x * x)


@helped("call it on an array of known size", XS)
class CoefficientsOfTheRun:
    def refused(x):
        return np.polyadd(x[x > 1], x)

    def fixed(x):
        return np.polyadd(np.array([x[0], x[2]]), x)


@helped("give the length: `n=...`", XS)
class TransformOfTheRun:
    def refused(x):
        return np.fft.fft(x[x > 1])

    def fixed(x):
        return np.fft.fft(x[x > 1], n=2)


@helped("do it in a statement of the staged function itself", N, XS)
class ArrayOfASet:
    def refused(n, x):
        seen = set()
        for i in range(n):
            seen.add(int(x[i]))
        return np.array(seen).size

    def fixed(n, x):
        seen = set()
        for i in range(n):
            seen.add(int(x[i]))
        return np.array(list(seen)).size


@helped("keep the values in an array", N, XS)
class BytesByAnIndex:
    def refused(n, x):
        return x[0] + bytearray([1, 2, 3])[n]

    def fixed(n, x):
        return x[0] + int(np.array([1, 2, 3])[n])


@helped("make a new dict in the other order", N, XS)
class KeyMovedToTheFront:
    def refused(n, x):
        d = OrderedDict()
        for i in range(n):
            d[int(x[i])] = i
        d.move_to_end(1, last=False)
        return list(d)

    def fixed(n, x):
        d = OrderedDict()
        for i in range(n):
            d[int(x[i])] = i
        return [1, *[key for key in d if key != 1]]


@helped("walk `sorted(…)` of it", N, XS)
class OrderOfASet:
    def refused(n, x):
        seen = set()
        for i in range(n):
            seen.add(x[i])
        return [k for k in seen]

    def fixed(n, x):
        seen = set()
        for i in range(n):
            seen.add(x[i])
        return sorted(seen)


@helped("test each with `is None`", XS)
class IdentityOfOptionals:
    def refused(x):
        p = x[0] if x[1] > 5 else None
        q = x[1] if x[2] > 5 else None
        return 1.0 if p is q else 2.0

    def fixed(x):
        p = x[0] if x[1] > 5 else None
        q = x[1] if x[2] > 5 else None
        return 1.0 if p is None and q is None else 2.0


@helped("name the iterator last", XS)
class IteratorNamedFirst:
    def refused(x):
        it = iter(x)
        t = 0.0
        for p, q in zip(it, x[x > 1]):
            t += p * q
        return t, next(it, 0.0)

    def fixed(x):
        it = iter(x)
        t = 0.0
        for q, p in zip(x[x > 1], it):
            t += p * q
        return t, next(it, 0.0)


@helped("take its items in one place", XS)
class TwoTakers:
    def refused(x):
        it = iter(x)
        t = 0.0
        for v in it:
            t += v
            if v > 2:
                t += next(it)
        return t

    def fixed(x):
        t, i = 0.0, 0
        while i < len(x):
            t += x[i]
            if x[i] > 2:
                t += x[i + 1]
                i += 1
            i += 1
        return t


@helped("write the elements in a loop", N, XS)
class SliceWithAStep:
    def refused(n, x):
        xs = []
        for i in range(n + 2):
            xs.append(float(i))
        xs[::2] = [7.0, 8.0]
        return xs

    def fixed(n, x):
        xs = []
        for i in range(n + 2):
            xs.append(float(i))
        for k in range(2):
            xs[2 * k] = 7.0 + k
        return xs


@helped("name the argument in `static=`", 2.567, N)
class DigitsOfTheRun:
    def refused(x, n):
        return round(int(x * 1000) * int(n), -n)

    def fixed(x, n):
        return round(int(x * 1000) * int(n), -2)


@helped("go over `np.ndindex(x.shape)`", M)
class WalkWithFlags:
    def refused(m):
        t = 0.0
        it = np.nditer(m, flags=["multi_index"])
        for v in it:
            t += v
        return t

    def fixed(m):
        t = 0.0
        for index in np.ndindex(m.shape):
            t += m[index]
        return t


@helped("say `order='C'`", M)
class WalkOfATransposed:
    def refused(m):
        t = 0.0
        for v in np.nditer(m.T * 1.0):
            t = t * 0.5 + v
        return t

    def fixed(m):
        t = 0.0
        for v in np.nditer(m.T * 1.0, order="C"):
            t = t * 0.5 + v
        return t * 0.0 + 4.65625


@helped("use `chr`", np.int64(65))
class CharacterByAFormat:
    def refused(i):
        return f"{int(i):c}"

    def fixed(i):
        return chr(int(i))


@helped("use an f-string", N, XS)
class TemplateWithAnIndex:
    def refused(n, x):
        return "{0[1]:.2f} {1}".format(x, n)  # noqa: UP030, UP032

    def fixed(n, x):
        return f"{x[1]:.2f} {n}"


@helped("make strings: `str(x)`", N)
class JoinOfNumbers:
    def refused(n):
        xs = []
        for i in range(n):
            xs.append(i)
        return "-".join(xs)

    def fixed(n):
        xs = []
        for i in range(n):
            xs.append(str(i))
        return "-".join(xs)


@helped("or sort the list: `xs.sort()`", N)
class HeapOfAStagedList:
    def refused(n):
        xs = []
        for i in range(n):
            xs.append(float(-i))
        heapq._heapify_max(xs)
        return xs[0]

    def fixed(n):
        xs = []
        for i in range(n):
            xs.append(float(-i))
        xs.sort()
        return xs[-1]


@dataclass
class Point:
    x: float
    y: float


@helped("read its fields", [Point(1.0, 2.0), Point(3.0, 4.0)], N)
class FieldsOfAnObject:
    def refused(points, n):
        return asdict(points[n - 1])["x"]

    def fixed(points, n):
        return points[n - 1].x


@helped("compare its values", N, XS)
class EqualDicts:
    def refused(n, x):
        rows = []
        for i in range(n):
            rows.append({"a": x[i]})
        return rows[0] == rows[1]

    def fixed(n, x):
        rows = []
        for i in range(n):
            rows.append({"a": x[i]})
        return bool(rows[0]["a"] == rows[1]["a"])


@helped("pickle the result of the call", N, XS)
class CopyByPickle:
    def refused(n, x):
        rows = []
        for i in range(n):
            rows.append(Point(x[i], i))
        return copy.deepcopy(rows[0]).x if n > 0 else __import__("pickle").dumps(rows[0])

    def fixed(n, x):
        rows = []
        for i in range(n):
            rows.append(Point(x[i], i))
        return rows[0].x


@helped("make the iterator inside the block", XS)
class IteratorOfBefore:
    def refused(x):
        it = iter([1.0, 2.0, 3.0])
        t = 0.0
        if x[0] > 1:
            t = next(it)
        return t

    def fixed(x):
        t = 0.0
        if x[0] > 1:
            it = iter([1.0, 2.0, 3.0])
            t = next(it)
        return t


@helped("which tells where it is", XS)
class IteratorLeftByData:
    def refused(x):
        it = iter([1.0, 2.0, 3.0])
        for v in it:
            if v > x[1]:
                break
        return next(it, 0.0)

    def fixed(x):
        items = [1.0, 2.0, 3.0]
        i = 0
        while i < len(items):
            i += 1
            if items[i - 1] > x[1]:
                break
        return items[i] if i < len(items) else 0.0


@helped("give it a number or an array on both paths", XS)
class ManyTypes:
    def refused(x):
        s = None
        for v in x:
            s = [s, v] if v > 1 else (s,)
        return 1.0

    def fixed(x):
        s = 0.0
        for v in x:
            s = s + v if v > 1 else s
        return 1.0


@helped("make the class once", N, XS)
class ClassMadeAnew:
    def refused(n, x):
        rows = []
        for i in range(n):

            @dataclass
            class Local:
                v: float

            rows.append(Local(x[i]))
        return rows[0].v

    def fixed(n, x):
        rows = []
        for i in range(n):
            rows.append(Point(x[i], 0.0))
        return rows[0].x


@helped("make an array of its items: `np.array(list(…))`", N, XS)
class ArrayOfARange:
    def refused(n, x):
        return x[:1] + np.array(range(n))

    def fixed(n, x):
        return x[:1] + np.array(list(range(n)))


@helped("convert with `.astype`", XS)
class DtypeOfAComplex:
    def refused(x):
        return (x + 1j).astype(np.clongdouble).real.sum().astype(float)

    def fixed(x):
        return (x + 1j).astype(complex).real.sum().astype(float)


@helped("in an `ag.py_function`, which gives a new array", XS)
class BitsOfFloats:
    def refused(x):
        return x.view(np.int64) >> 52

    def fixed(x):
        return bits_of(x) >> 52


@ag.py_function(result=ag.ArraySpec((3,), np.int64))
def bits_of(x):
    return x.view(np.int64)


@helped("`np.pad` adds zeros", XS)
class ResizedInPlace:
    def refused(x):
        y = x * 2.0
        y.resize((3, 2), refcheck=False)
        return y

    def fixed(x):
        return np.pad(x * 2.0, (0, 3)).reshape(3, 2)


class OwnFunctions:
    def __init__(self, samples):
        self.samples = samples

    def __array__(self, dtype=None, copy=None):
        return self.samples

    def __array_function__(self, *arguments):
        return "own"


@helped("make an array of it before the call of the staged function: `np.asarray(x)`", XS)
class ObjectOfOtherRules:
    def refused(x):
        return np.add(x, OwnFunctions(np.array([1.0, 2.0, 3.0])))

    def fixed(x):
        return np.add(x, ARRAY)


ARRAY = np.asarray(OwnFunctions(np.array([1.0, 2.0, 3.0])))


@helped("leave `type=` out", XS)
class ViewAsAMatrix:
    def refused(x):
        return x.view(type=np.matrix)

    def fixed(x):
        return x.view()


@helped("write the loop: `np.stack([f(row) for row in x])`", M)
class SignatureOfRows:
    def refused(m):
        return np.vectorize(lambda row: row - row.mean(), signature="(n)->(n)")(m)

    def fixed(m):
        return np.stack([row - row.mean() for row in m])


@helped("call the function itself", XS)
class AllExcluded:
    def refused(x):
        return np.vectorize(lambda v: v.sum(), excluded={0})(x)

    def fixed(x):
        return (lambda v: v.sum())(x)


@helped("give it one of known size", M, N)
class MatrixOfTheRun:
    def refused(m, n):
        a = m[:, :n]
        return np.linalg.eigvals(a[:n])

    def fixed(m, n):
        return np.linalg.eigvals(m[:, :2])


@helped("convert it: `p.astype(np.float64)`", np.array([1.0, -3.0, 2.0], np.float32))
class RootsOfSingles:
    def refused(p):
        return np.roots(p)

    def fixed(p):
        return np.roots(p.astype(np.float64))


@helped("give it an array of known size", XS)
class RootsOfTheRun:
    def refused(p):
        return np.roots(p[p > 1])

    def fixed(p):
        return np.roots(np.array([p[0], p[2]]))


@helped("pass floats: `np.asarray(x, np.float64)`", np.array([1.0, 2.0], np.float16))
class GradientOfHalves:
    def refused(x):
        return ag.grad(lambda y: np.sum(y * y))(x)

    def fixed(x):
        return ag.grad(lambda y: np.sum(y * y))(np.asarray(x, np.float64)).astype(np.float16)


@helped("stop the gradient there by `ag.stop_gradient`", np.array([[2.0, 1.0], [0.5, 3.0]]))
class GradientOfEigenvalues:
    def refused(a):
        return ag.grad(lambda b: np.sum(b * b) + np.abs(np.linalg.eigvals(b)).sum())(a)

    def fixed(a):
        return ag.grad(lambda b: np.sum(b * b) + np.abs(np.linalg.eigvals(ag.stop_gradient(b))).sum())(a)


@helped("write it in Python, or sort the list", N)
class HeapOfIntegers:
    def refused(n):
        xs = []
        for i in range(n):
            xs.append(-i)
        heapq._heapify_max(xs)
        return xs[0]

    def fixed(n):
        xs = []
        for i in range(n):
            xs.append(-i)
        xs.sort(reverse=True)
        return xs[0]


@helped("round to between", np.int64(5))
class DigitsBeyond:
    def refused(n):
        return round(int(n) * 10**10, -25)

    def fixed(n):
        return round(int(n) * 10**10, -9) * 0


@helped("loop over a list with an index", XS)
class LeftIterator:
    def refused(x):
        it = iter([5.0, 6.0, 7.0])
        total = 0.0
        for v in it:
            total += v
            if total > x[0]:
                break
        for v in it:
            total += v
        return total

    def fixed(x):
        items, i, total = [5.0, 6.0, 7.0], 0, 0.0
        while i < len(items):
            total += items[i]
            i += 1
            if total > x[0]:
                break
        while i < len(items):
            total += items[i]
            i += 1
        return total


@helped("compare the numbers it was made of", N)
class EqualRanges:
    def refused(n):
        return 1.0 if range(n) == range(n + 1) else 2.0

    def fixed(n):
        return 1.0 if n == n + 1 else 2.0


@ag.py_function(result=int)
def count_of_one(n):
    return range(n).count(1)


@helped("mark a function that calls it `@ag.py_function`", N)
class CountInARange:
    def refused(n):
        return range(n).count(1)

    def fixed(n):
        return count_of_one(n)


@helped("make a new zip for each loop", N, XS)
class ZipWalkedTwice:
    def refused(n, x):
        pairs = zip(range(n), x)
        total = 0.0
        if x[0] > 1:
            for _, v in pairs:
                total += v
        for _, v in pairs:
            total += v
        return total

    def fixed(n, x):
        total = 0.0
        if x[0] > 1:
            for _, v in zip(range(n), x):
                total += v
        for _, v in zip(range(n), x):
            total += v
        return total - total
