"""Programs that ask sets of the caller for keys of the run, and change them: the sets, and what is done."""

from __future__ import annotations

import numpy as np

NAN = float("nan")

SETS = {
    "an empty one": set,
    "of ints": lambda: {3, 1},
    "of floats": lambda: {3.0, 1.0, 0.5},
    "of bools": lambda: {True},
    "of NumPy's ints": lambda: {np.int64(2), np.int64(0)},
    "of NumPy's floats": lambda: {np.float64(2.0), np.float64(0.5)},
    "of ints of two types": lambda: {1, np.int64(2), 9, np.int64(17)},
    "of ints and floats": lambda: {1, 2.5},
    "of pairs": lambda: {(0, 1), (1, 2)},
    "of pairs of two types": lambda: {(0, 1.0), (1, 2.0)},
    "of pairs and ints": lambda: {(0, 1), 2},
    "of strings": lambda: {"a", "b"},
    "of strings and ints": lambda: {"a", 1},
    "of None": lambda: {None},
    "of a wide int": lambda: {2**70, 1},
    "of a nan": lambda: {NAN, 1.0},
    "of many": lambda: set(range(40)),
    "of many that collide": lambda: {k * 64 for k in range(20)},
    "with removed ones": lambda: _without({k * 8 for k in range(12)}, range(0, 80, 8)),
}
"""The sets."""


def _without(one, removed):
    for key in removed:
        one.discard(key)
    return one


USES = r"""for k in range(n): d.add(k)
for k in range(n):\n    if k not in d: d.add(k)\nreturn d
for k in range(n): d.discard(k)\nreturn len(d)
for k in range(n):\n    if k in d: d.remove(k)
for k in range(n): d.add(k * 8)\nfor k in range(n): d.discard(k * 16)\nfor k in range(n): d.add(k * 32)
for k in range(n):\n    d.add(k)\n    if k == 2: raise ValueError(k)
s = 0\nfor k in range(n):\n    if k in d: s += 1\nreturn s, len(d)
for v in x: d.add(v)
d.add(n)
d.add(n)\nreturn n in d, len(d), bool(d), sorted(d)
d.remove(n)
try:\n    d.remove(n)\nexcept KeyError:\n    d.add(n)\n    return -1\nreturn len(d)
if n > 3: d.add(n)\nelse: d.clear()\nreturn d
if n > 3: d.add(n * 8)\nelse: d.discard(n - 2)
d.add(n)\nd.clear()
d.add(n)\nd.clear()\nfor k in range(n): d.add(k * 8)
for k in range(n):\n    if k == 3: d.clear()\n    d.add(k * 8)
s = 0\nif n in d: s = 1\nfor v in d: s = s * 3 + v\nreturn s
d.add(n)\ns = 0\nfor v in d: s = s * 3 + v\nreturn s
for v in d: d.add(n)
for k in range(n):\n    s = 0\n    for v in d: s = s * 3 + v\n    d.add(s)
d.add(n)\nreturn d.pop()
d |= {n}\nreturn d
d.update([n, n + 8])
d.update(range(n))
d.update(x)
d.update(k * 8 for k in range(n))
d.update({n})
d.update({n: 1})
d -= {n}
d &= {n, 1}
d ^= {n}
d.difference_update({n})
d.intersection_update({n})
d.add(n)\ne = d | {n + 1}\nreturn sorted(e), len(e)
d.add(n)\nreturn d == {1, 3}, d <= {1, 3, n}, d.isdisjoint({n})
d.add(n)\ne = d.copy()\ne.add(77)\nreturn sorted(e)
e = d\nfor k in range(n): e.add(k)\nreturn d is e, e
d.add(n)\nprint(d)
d.add(n)\nreturn [d, d], {'d': d}
d.add((n, n + 1))\nreturn (n, n + 1) in d
for k in range(n): d.add((k, k + 1))
for k in range(n): d.add(k + 0.5)
for k in range(n): d.discard(float(k))
for k in range(n): d.discard(k); d.add(float(k))
d.add(n > 3)
d.add(5)\nd.discard(n)
d.add('x')\nd.add(n)
d.add(x)
d.add([n])
d.add(n)\nreturn sum(d), max(d), min(d), list(d)
def go(k):\n    if k not in d:\n        d.add(k)\n        if k > 0: go(k - 1)\n    return 0\nreturn go(n)
return n in d, (n, 1) in d, n not in d
return [k for k in range(n) if k in d]
d.add(n)\ne = {n} | d\nreturn len(e)
d.add(n)\nreturn f'{d}', str(d)
d.discard(n)\nprint([d])
e = []\nfor k in range(n): e.append(d)\nd.add(n)\nreturn e, e[0] is d
e = [d, {1.5}]\ne[n % 2].add(n)
e = [d]\nd.add(n)\nfor k in range(n): e.append(e[0])\nreturn e[0] is d, e
e = []\nfor k in range(n):\n    e.append(d)\n    d.add(k * 3)\nreturn e, len(d)
e = []\nd.add(n)\nfor k in range(n): e.append(d)\nfor s in e: s.add(len(s) * 10)\nreturn len(d)""".split("\n")
"""What is done."""
