# group: Entities
# plain: f(3)
# staged: staged(np.int64(3))
# plain: staged(3)
# refused: refused(np.int64(3)) AG105 where C code needs the value
# plain: refused(3)
"""Functions of the standard library and of C"""
import bisect
import itertools
import json
import math
import operator


def f(x):
    pairs = list(itertools.combinations(range(x), 2))
    return pairs, json.dumps({"a": x}), bisect.bisect([1, 2, 5], x), math.factorial(x)


def staged(x):
    chained = list(itertools.chain([x], [1, x * 2]))
    return chained, operator.add(x, 1), operator.itemgetter(1)([1, x])


def refused(x):
    return json.dumps(x)
