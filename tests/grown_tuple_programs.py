"""Programs with tuples whose length depends on data: how one is made, and what is done with it.

Each is a text, as the names say: ``MADE`` binds `t` from an array `x` and an int `n`, ``USES`` look at it.
"""

from __future__ import annotations

MADE = {
    "of floats": "for v in x:\n    if v > 0: t += (v,)",
    "of ints": "i = 0\nfor v in x:\n    if v > 0: t = t + (i, 7)\n    i += 1",
    "of pairs, in front": "for v in x:\n    if v > 0: t = ((v, 1),) + t",
    "of bools": "for v in x:\n    if v > -1.5: t += (v > 0,)",
    "of bools of Python": "for k in range(n + len(x) - 2): t += (k > 1,)",
    "of ints and floats": "t = (1, 2.5)\nfor v in x:\n    if v > 0: t += (v,)",
    "of three types": "for v in x:\n    if v > 0: t += (1, 0.5)\n    else: t += (True,)",
    "of arrays": "for v in x:\n    if v > 0: t += (x * v,)",
    "of an array that is written": "y = x * 2\nfor v in x:\n    if v > 0: t += (y,)\ny[0] = 7.0",
    "of an argument": "t = (x,)\nfor v in x:\n    if v > 0: t += (x,)",
    "of arrays of several sizes": "for v in x:\n    if v > 0: t += (x[x > v],)",
    "of None": "for v in x:\n    if v > 0: t += (None,)\n    else: t += (v,)",
    "of lists": "for v in x:\n    if v > 0: t += ([v, v],)",
    "of lists that are written": "for v in x:\n    if v > 0: t += ([],)\nfor q in t: q.append(1.0)",
    "of dicts": "for v in x:\n    if v > 0: t += ({'a': v},)",
    "of strings": "for v in x:\n    if v > 0: t += ('p',)\n    else: t += ('m',)",
    "of strings of the run": "for v in x:\n    if v > 0: t += (f'{v}',)",
    "of complex numbers": "for v in x:\n    if v > 0: t += (v * 1j,)",
    "of narrow numbers": "for v in x.astype(np.float32):\n    if v > 0: t += (v, np.int16(n))",
    "of tuples like it": "for v in x:\n    u = ()\n    for k in range(n): u += (k,)\n    if v > 0: t += (u,)",
    "of deep tuples": "for v in x:\n    if v > 0: t += ((v, (1, [2])),)",
    "of a generator": "t = tuple(v * 2 for v in x if v > 0)",
    "of a filter": "t = tuple(filter(lambda q: q > 0, x))",
    "of a list": "xs = []\nfor v in x:\n    if v > 0: xs.append(v)\nt = tuple(xs)\nxs.append(9.0)",
    "of a generator function": "def g():\n    for v in x:\n        if v > 0: yield v\nt = tuple(g())",
    "repeated": "t = (1, 2.5) * n",
    "repeated from the left": "t = n * (1, 2)",
    "repeated by an int": "k = 0\nfor v in x: k += 1\nt = (7,) * k",
    "in a while loop": "t = (n, n)\nwhile len(t) < 7 and t[-1] > 0: t = t[1:] + (t[0] - 1, t[-1] // 2)",
    "that gets shorter": "t = (1.0, 2.0, 3.0)\nfor v in x:\n    if v > 0: t = t[:-1]",
    "of one branch": "t = (1, 2)\nif x[0] > 0: t = ()",
    "of two branches": "t = (1, 2)\nif x[0] > 0: t = t + (x[0], 1)\nelse: t = (2,)",
    "sorted": "for k in range(n): t = (k,) + t\nt = tuple(sorted(t)) + t",
    "that swaps": "u = (1.0,)\nfor v in x: t, u = u, t + (v,)",
    "that is None first": "t = None\nfor v in x:\n    if v > 0: t = (v,) if t is None else t + (v,)",
    "of a callee": "def go(s, w): return s + (w,)\nfor v in x: t = go(t, v)",
    "of a recursion": "def go(k):\n    if k <= 0: return ()\n    return go(k - 1) + (k,)\nt = go(n)",
    "given to a recursion": (
        "def go(k, s):\n    if k <= 0: return s\n    return go(k - 1, s + (k,))\n"
        "for v in x: t += (1,)\nt = go(n, t)"
    ),
    "in an object": "class C: pass\nc = C()\nc.t = ()\nfor v in x:\n    if v > 0: c.t += (v,)\nt = c.t",
    "in a dict": "d = {'t': ()}\nfor v in x:\n    if v > 0: d['t'] += (v,)\nt = d['t']",
    "in a list": "xs = [(), ()]\nfor v in x:\n    if v > 0: xs[0] += (v,)\nt = xs[0]",
    "of another function": ("def add(v):\n    nonlocal t\n    t += (v,)\nfor v in x:\n    if v > 0: add(v)"),
    "in handlers": (
        "for v in x:\n    try:\n        if v < 0: raise ValueError(v)\n        t += (v,)\n"
        "    except ValueError: t = t[:-1]"
    ),
}
"""Ways to a tuple; each begins with ``t = ()``."""

REFUSED_WAYS = ("of an array that is written",)
"""Those that are refused: what an array in a tuple holds is known where it is put in only."""

USES = r"""return t
return len(t), t[:1], bool(t)
return t[0]
return t[0], t[-1], t[n - 2], t[len(t) - 1]
return t[1:], t[:-1], t[::-1], t[::2], t[n:]
return t[5]
r = None\nfor q in t: r = q\nreturn r
r = 0\nfor k, q in enumerate(t): r = k\nreturn r
return [q for q in t], list(t), tuple(t)
return {'t': t, 'l': [t, t]}, (t, (t, 1))
return str(t), repr(t), f'{t}', f'{t!r}'
print(t); print(1, t)
return t == t[:], t == (), () == t, t != t[1:], t == (1.0, 3.0), t == [1.0]
return t + t, t + (), () + t
return t * 2, 2 * t, t * n, n * t, t * 0
return t[0] in t, t.count(t[0]), t.index(t[0])
return t.index(99.0)
return sum(t)
return max(t), min(t), sorted(t), sorted(t, reverse=True)
return any(t), all(t), not t, (1 if t else 2)
return type(t), isinstance(t, tuple), isinstance(t, list), t is None, type(t) is tuple
a, b = t\nreturn a, b
return list(zip(t, t[1:])), list(map(lambda q: q, t)), list(reversed(t)), tuple(enumerate(t))
it = iter(t)\nreturn next(it), next(it)
return np.sum(t)
return t + x, x + t, t * x
xs = []\nfor k in range(n): xs.append(t)\nreturn xs
xs = [t]\nfor k in range(n): xs.append(t[k:])\nreturn xs
if n > 2: t = t[1:]\nreturn t
if n > 5: u = t\nelse: u = None\nreturn u
if n > 2: u = t\nreturn u
if n > 2: return None\nreturn t
while len(t) > 1: t = t[1:]\nreturn t
s = t\nfor q in t: s = s + (q,)\nreturn s, t
s = t\nfor q in s: s += (q,)\nreturn s
f = lambda s: s + s[:1]\nreturn f(t)
def g(a, b=t): return a, b\nreturn g(1)
raise ValueError(t)
match t:\n    case tuple(): return 1\n    case _: return 2
match t:\n    case (a, b): return a\n    case _: return 2
assert not t, t\nreturn 1
try:\n    q = t[7]\nexcept IndexError as e: return str(e)
xs = [t[0]]\nxs.extend(t)\nxs += t\nreturn xs
return (1,) < t, t >= (0,)
return set(t)
return t.append
t[0] = 1
del t[0]
t.foo = 1
return t * 1.5
return t + [1]
return [1] + t
return t + 1.0
return t + x[0]
return t[1.0]
return x[t]
return hash(t)
d = {}\nd[t] = 1\nreturn d
return {t}
return u is t if (u := t[:]) else 0
return -t
print(*t)
a, *b = t\nreturn b
return max(t, t)
return t.index(1.0, 1)
return sum((t, t), ())
import json\nreturn json.dumps(t)""".split("\n")


def text(made: str, use: str) -> str:
    """The text of a program that makes a tuple and uses it."""
    lines = ["t = ()", *MADE[made].split("\n"), *use.replace("\\n", "\n").split("\n")]
    return "import numpy as np\ndef program(x, n):\n" + "".join(f"    {line}\n" for line in lines)
