"""Functions that are not converted and get staged values, beside the same ones after what the help says."""

from __future__ import annotations

import operator
import pickle
from dataclasses import dataclass
from fractions import Fraction
from types import SimpleNamespace

import autograph as ag
import numpy as np
from remedies import XS, N, helped


def grown(n):
    """A tuple of a length of the run."""
    found = ()
    for i in range(n):
        found += (i,)
    return found


def listed(n):
    """A list of a length of the run."""
    found = []
    for i in range(n):
        found.append(i)
    return found


@ag.do_not_convert
def plain_half(v):
    return int(v) // 2


@helped("in converted code `int(x)` is staged", N)
class IntOfANumber:
    def refused(n):
        return plain_half(n)

    def fixed(n):
        def half(v):
            return int(v) // 2

        return half(n)


@ag.do_not_convert
def plain_float(v):
    return float(v) / 2


@helped("in converted code `float(x)` is staged", N)
class FloatOfANumber:
    def refused(n):
        return plain_float(n)

    def fixed(n):
        def half(v):
            return float(v) / 2

        return half(n)


@ag.do_not_convert
def plain_complex(v):
    return complex(v) * 1j


@helped("in converted code `complex(x)` is staged", N)
class ComplexOfANumber:
    def refused(n):
        return plain_complex(n)

    def fixed(n):
        def turned(v):
            return complex(v) * 1j

        return turned(n)


@ag.do_not_convert
def plain_item(v):
    return (10, 20, 30)[v]


@helped("in converted code `xs[i]`, `range(n)` and sizes of arrays are staged", N)
class IndexOfASequence:
    def refused(n):
        return plain_item(n)

    def fixed(n):
        return (10, 20, 30)[n]


@ag.do_not_convert
def plain_median(v):
    return np.asarray(v).mean()


@helped("this function is not staged: call it outside the staged function", XS)
class ArrayOfAnArray:
    def refused(x):
        return plain_median(x)

    def fixed(x):
        return x


@ag.do_not_convert
def plain_text(v):
    return f"{v:.2f}"


@helped("format the value itself in converted code: `print(x)`, `str(x)`, an f-string", XS)
class FormatOfANumber:
    def refused(x):
        print(plain_text(x[0]))
        return x

    def fixed(x):
        print(f"{x[0]:.2f}")
        return x


@ag.do_not_convert
def plain_str(v):
    return str(v)


@helped("format the value itself in converted code: `print(x)`, `str(x)`, an f-string", XS)
class StrOfANumber:
    def refused(x):
        print(plain_str(x[0]))
        return x

    def fixed(x):
        print(f"{x[0]}")
        return x


@ag.do_not_convert
def plain_repr(v):
    return repr(v)


@helped("format the value itself in converted code: `print(x)`, `str(x)`, an f-string", XS)
class ReprOfANumber:
    def refused(x):
        print(plain_repr(x[0]))
        return x

    def fixed(x):
        print(f"{x[0]!r}")
        return x


@ag.do_not_convert
def plain_table(v):
    return {v: 1.0}


@helped("in converted code keys of dicts and elements of sets are staged", N)
class KeyOfATable:
    def refused(n):
        return plain_table(n)[n]

    def fixed(n):
        return {n: 1.0}[n]


@ag.do_not_convert
def plain_holds(values, v):
    return v in values


@helped("in converted code `x in array` is staged", XS)
class SearchInAnArray:
    def refused(x):
        return plain_holds(x, 2.0)

    def fixed(x):
        return 2.0 in x


@ag.do_not_convert
def plain_bytes(value):
    return pickle.dumps(value)


@helped("pickle the result of the call", XS)
class PickledArray:
    def refused(x):
        return plain_bytes(x)

    def fixed(x):
        return x


@helped("in converted code `x in t` is staged", N)
class SearchInATuple:
    def refused(n):
        return plain_holds(grown(n), 1)

    def fixed(n):
        return 1 in grown(n)


@ag.do_not_convert
def plain_array(values):
    return np.array(values)


@helped("in converted code `np.array(t)` is staged", N)
class ArrayOfATuple:
    def refused(n):
        return plain_array(grown(n))

    def fixed(n):
        return np.array(grown(n))


@helped("pickle the result of the call", N)
class PickledTuple:
    def refused(n):
        return plain_bytes(grown(n))

    def fixed(n):
        return grown(n)


@helped("format the value itself in converted code: `print(x)`, `str(x)`, an f-string", N)
class TextOfATuple:
    def refused(n):
        print(plain_repr(grown(n)))
        return n

    def fixed(n):
        print(f"{grown(n)}")
        return n


@ag.do_not_convert
def plain_total(values):
    total = 0
    for v in values:
        total += v
    return total


@helped("in converted code `for x in t`, `list(t)`, `t[i]` and `(*t, x)` are staged", N)
class WalkOverATuple:
    def refused(n):
        return plain_total(grown(n))

    def fixed(n):
        total = 0
        for v in grown(n):
            total += v
        return total


@ag.do_not_convert
def plain_length(values):
    return len(values)


@helped("in converted code `len(t)`, `for x in t` and `if t` are staged", N)
class LengthOfATuple:
    def refused(n):
        return plain_length(grown(n))

    def fixed(n):
        return len(grown(n))


@ag.do_not_convert
def plain_key(values):
    return {values: 1}


@helped("a key is a number, or a tuple of as many numbers in each run", N)
class HashOfATuple:
    def refused(n):
        return plain_key(grown(n))

    def fixed(n):
        return {(n, n + 1): 1}


@helped("in converted code `x in xs` is staged", N)
class SearchInAList:
    def refused(n):
        return plain_holds(listed(n), 1)

    def fixed(n):
        return 1 in listed(n)


@helped("in converted code `np.array(xs)` is staged where the length is known", N)
class ArrayOfAList:
    def refused(n):
        return plain_array(listed(n))

    def fixed(n):
        return np.array([n, n + 1])


@helped("pickle the result of the call", N)
class PickledList:
    def refused(n):
        return plain_bytes(listed(n))

    def fixed(n):
        return listed(n)


@helped("format the value itself in converted code: `print(x)`, `str(x)`, an f-string", N)
class TextOfAList:
    def refused(n):
        print(plain_repr(listed(n)))
        return n

    def fixed(n):
        print(f"{listed(n)}")
        return n


@helped("in converted code `len(xs)`, `for x in xs`, `[*xs, x]` and `(*xs, x)` are staged", N)
class LengthOfAList:
    def refused(n):
        return plain_length(listed(n))

    def fixed(n):
        return len(listed(n))


@ag.do_not_convert
def plain_truth(value):
    return 1.0 if value else 2.0


@helped("test `len(…)`", N)
class TruthOfARange:
    def refused(n):
        return plain_truth(range(n))

    def fixed(n):
        return 1.0 if len(range(n)) else 2.0


@helped("take its items in converted code: `for item in generator`", XS)
class FilteredInPlainCode:
    def refused(x):
        return plain_total(v for v in x if v > 1)

    def fixed(x):
        total = 0
        for v in (w for w in x if w > 1):
            total += v
        return total


@helped("in converted code `x is None` is staged: is this function excluded from conversion?", XS)
class NoneInPlainCode:
    def refused(x):
        best = x[0] if x[1] > 2 else None
        return plain_truth(best)

    def fixed(x):
        best = x[0] if x[1] > 2 else None
        return 1.0 if best is not None else 2.0


@helped("convert it to one type before: `float(x)`", N)
class OneOfTwoTypes:
    def refused(n):
        value = int(n) if n > 1 else 0.5
        return plain_truth(value)

    def fixed(n):
        value = float(n) if n > 1 else 0.5
        return 1.0 if value else 2.0


@helped("compare it with `==`, or call what takes it in converted code", N)
class OneOfTwoConstants:
    def refused(n):
        name = "low" if n > 1 else "high"
        return plain_key(name)

    def fixed(n):
        name = "low" if n > 1 else "high"
        return {name: 1}


@dataclass
class Tree:
    key: float
    left: Tree | None = None
    leaves: tuple = ()


CHAIN = Tree(1.0, Tree(2.0, Tree(4.0)))


@helped("in converted code its fields, its methods and `is None` are staged", CHAIN, np.float64(3.0))
class NodeInPlainCode:
    def refused(tree, key):
        steps = 0
        while plain_truth(tree) == 1.0 and tree.key < key:
            tree = tree.left
            steps += 1
        return steps

    def fixed(tree, key):
        steps = 0
        while tree is not None and tree.key < key:
            tree = tree.left
            steps += 1
        return steps


@helped("write it as a loop over the elements, or call it with what the staged function returns", N)
class ListInCCode:
    def refused(n):
        return operator.countOf(listed(n), 2.0)

    def fixed(n):
        count = 0
        for v in listed(n):
            count += v == 2.0
        return count


@helped("write it as a loop over the elements, or call it with what the staged function returns", N)
class TupleInCCode:
    def refused(n):
        return operator.countOf(grown(n), 2.0)

    def fixed(n):
        count = 0
        for v in grown(n):
            count += v == 2.0
        return count


@helped("show what it was made of, or a list of its items: `list(…)`", XS)
class TextOfAZip:
    def refused(x):
        return f"{zip(x, x)}"

    def fixed(x):
        return f"{x} {x} {list(zip(x, x))}"


@helped("show what it was made of, or a list of its items: `list(…)`", XS)
class TextOfAnIterator:
    def refused(x):
        return "%s" % iter(x)  # noqa: UP031

    def fixed(x):
        return "%s" % list(iter(x))  # noqa: UP031


@helped("show the values that it holds, one by one", XS)
class TextOfANamespace:
    def refused(x):
        print(SimpleNamespace(first=x[0], last=x[2]))
        return x

    def fixed(x):
        shown = SimpleNamespace(first=x[0], last=x[2])
        print(shown.first, shown.last)
        return x


@helped("return numbers, arrays, tuples, lists, dicts or dataclasses of them", N)
class ReturnedFraction:
    def refused(n):
        return Fraction(int(n))

    def fixed(n):
        return int(n)


class Tagged(float):
    """A number with a word."""


@helped("return numbers, arrays, tuples, lists, dicts or dataclasses of them", N)
class ReturnedTag:
    def refused(n):
        tagged = Tagged(1.0)
        tagged.count = n
        return tagged

    def fixed(n):
        return 1.0, n
