"""State of every kind around a function: what the caller changes is seen, or its reading is refused."""

from __future__ import annotations

import decimal
import locale
import os
import sys

import autograph as ag
import numpy as np
import pytest
from surrounding_programs import load, named, same

OTHER_STATES = {
    "array.array": ("import array\nS = array.array('d', [1.0, 2.0])\n", "S[0]", "S[0] = 5.0"),
    "array.array as a whole": ("import array\nS = array.array('d', [1.0])\n", "sum(S)", "S.append(5.0)"),
    "a memoryview": ("B = bytearray(b'ab')\nS = memoryview(B)\n", "S[0]", "B[0] = 7"),
    "a bytearray": ("S = bytearray(b'ab')\n", "S[0]", "S[0] = 7"),
    "an ordered dict": (
        "import collections\nS = collections.OrderedDict(a=1.0, b=2.0)\n",
        "list(S.values())[0]",
        "S.move_to_end('a')",
    ),
    "a counter": ("import collections\nS = collections.Counter('aab')\n", "S['a']", "S.update('a')"),
    "a default dict": (
        "import collections\nS = collections.defaultdict(float, a=1.0)\n",
        "S['a']",
        "S['a'] += 1",
    ),
    "a deque": ("import collections\nS = collections.deque([1.0, 2.0])\n", "S[0]", "S.rotate()"),
    "a context variable": (
        "import contextvars\nS = contextvars.ContextVar('S', default=1.0)\n",
        "S.get()",
        "S.set(2.0)",
    ),
    "a list in a context variable": (
        "import contextvars\nS = contextvars.ContextVar('S')\nS.set([1.0])\n",
        "S.get()[0]",
        "S.get()[0] = 4.0",
    ),
    "the environment": (
        "import os\nos.environ['AG_TEST'] = '1'\n",
        "float(os.environ['AG_TEST'])",
        "os.environ['AG_TEST'] = '2'",
    ),
    "the environment by `get`": (
        "import os\nos.environ['AG_TEST'] = '1'\n",
        "float(os.environ.get('AG_TEST'))",
        "os.environ['AG_TEST'] = '2'",
    ),
    "the environment by `getenv`": (
        "import os\nos.environ['AG_TEST'] = '1'\n",
        "float(os.getenv('AG_TEST'))",
        "os.environ['AG_TEST'] = '2'",
    ),
    "`environ` by its name": (
        "import os\nfrom os import environ, getenv\nos.environ['AG_TEST'] = '1'\n",
        "float(environ['AG_TEST']) + float(getenv('AG_TEST'))",
        "os.environ['AG_TEST'] = '2'",
    ),
    "the arguments of the program": (
        "import sys\nsys.argv.append('1')\n",
        "len(sys.argv)",
        "sys.argv.append('2')",
    ),
    "other arguments of the program": (
        "import sys\n",
        "len(sys.argv)",
        "sys.argv = [*sys.argv, '1']",
    ),
    "a decimal context": (
        "import decimal\nD = decimal.Decimal\ndecimal.getcontext().prec = 28\n",
        "float(D(1) / D(3))",
        "decimal.getcontext().prec = 3",
    ),
    "the precision": (
        "import decimal\ndecimal.getcontext().prec = 28\n",
        "decimal.getcontext().prec",
        "decimal.getcontext().prec = 3",
    ),
    "a local decimal context": (
        "import decimal\nD = decimal.Decimal\ndecimal.getcontext().prec = 28\ndef third():\n"
        "    with decimal.localcontext() as c:\n        c.prec += 1\n        return D(1) / D(3)\n",
        "float(third())",
        "decimal.getcontext().prec = 3",
    ),
    "a weak reference": (
        "import weakref\nclass M: pass\nm = M()\nm.v = 1.0\nS = weakref.ref(m)\n",
        "S().v",
        "m.v = 2.0",
    ),
    "a weak dict": (
        "import weakref\nclass M: pass\nm = M()\nS = weakref.WeakValueDictionary(a=m)\n",
        "len(S)",
        "S['b'] = m",
    ),
    "a ctypes number": ("import ctypes\nS = ctypes.c_double(1.0)\n", "S.value", "S.value = 2.0"),
    "a ctypes array": ("import ctypes\nS = (ctypes.c_double * 2)(1.0, 2.0)\n", "S[0]", "S[0] = 2.0"),
    "a count": ("import itertools\nS = itertools.count()\n", "next(S)", "next(S)"),
    "the recursion limit": (
        "import sys\nsys.setrecursionlimit(1000)\n",
        "len(str(sys.getrecursionlimit()))",
        "sys.setrecursionlimit(10_000)",
    ),
    "a file": ("import io\nS = io.StringIO('abc')\n", "len(S.read(1))", "S.read()"),
    "a file's value": ("import io\nS = io.StringIO('abc')\n", "len(S.getvalue())", "S.seek(3); S.write('d')"),
    "a file's bytes": (
        "import io\nS = io.BytesIO(b'abc')\n",
        "len(S.getbuffer())",
        "S.seek(3); S.write(b'd')",
    ),
    "the locale": (
        "import locale\nlocale.setlocale(locale.LC_ALL, 'C')\n",
        "len(locale.setlocale(locale.LC_ALL))",
        "locale.setlocale(locale.LC_CTYPE, 'C.UTF-8')",
    ),
    "the working folder": ("import os\nos.chdir('/')\n", "len(os.getcwd())", "os.chdir('/tmp')"),
    "a cached function": (
        "import functools\n@functools.lru_cache\ndef g(n): return n\n",
        "g.cache_info().currsize",
        "g(1)",
    ),
    "a lock": ("import threading\nS = threading.Lock()\n", "S.locked() * 1.0", "S.acquire()"),
    "a queue": ("import queue\nS = queue.SimpleQueue()\n", "S.qsize()", "S.put(1)"),
    "an iterator's length": ("S = iter([1, 2, 3])\n", "S.__length_hint__()", "next(S)"),
    "loaded modules": ("import sys\n", "('CONFIG_x' in sys.modules) * 1.0", "sys.modules['CONFIG_x'] = 1"),
    "a module by its name": (
        "import sys, CONFIG\nCONFIG.S = 1.0\n",
        "sys.modules['CONFIG'].S",
        "CONFIG.S = 2.0",
    ),
    "an imported module by its name": (
        "import importlib, CONFIG\nCONFIG.S = 1.0\n",
        "importlib.import_module('CONFIG').S",
        "CONFIG.S = 2.0",
    ),
    "all globals": ("K = 1.0\n", "globals()['K']", "K = 2.0"),
    "variables of an object": ("class M: pass\nm = M()\nm.k = 1.0\n", "vars(m)['k']", "m.k = 2.0"),
    "variables of a class": ("class M:\n    k = 1.0\n", "vars(M)['k']", "M.k = 2.0"),
    "the `__dict__` of a class": ("class M:\n    k = 1.0\n", "M.__dict__['k']", "M.k = 2.0"),
    "a getter of the operator module": (
        "import operator\nclass M:\n    k = 1.0\nget = operator.attrgetter('k')\n",
        "get(M)",
        "M.k = 2.0",
    ),
    "a built-in that is shadowed": ("def h(s): return 7\n", "len('ab')", "len = h"),
    "errors of NumPy": (
        "np.seterr(all='warn')\n",
        "len(np.geterr()['over'])",
        "np.seterr(all='ignore')",
    ),
    "NumPy's printing": (
        "np.set_printoptions(precision=8)\n",
        "np.get_printoptions()['precision']",
        "np.set_printoptions(precision=3)",
    ),
    "a simple namespace": ("import types\nS = types.SimpleNamespace(a=1.0)\n", "S.a", "S.a = 2.0"),
    "an enumeration's member": (
        "import enum\nclass E(enum.Enum):\n    A = 1\nE.A.extra = 1.0\n",
        "E.A.extra",
        "E.A.extra = 2.0",
    ),
    "a subclass of float": (
        "class F(float): pass\nS = F(1.0)\nS.k = 1.0\n",
        "S.k",
        "S.k = 2.0",
    ),
    "a subclass of str": ("class F(str): pass\nS = F('a')\nS.k = 1.0\n", "S.k", "S.k = 2.0"),
    "a subclass of tuple": ("class F(tuple): pass\nS = F('a')\nS.k = 1.0\n", "S.k", "S.k = 2.0"),
    "a replaced method": (
        "class M:\n    def g(self): return 1.0\nm = M()\ndef h(self): return 2.0\n",
        "m.g()",
        "M.g = h",
    ),
    "a replaced base": (
        "class A:\n    k = 1.0\nclass B:\n    k = 2.0\nclass M(A): pass\nm = M()\n",
        "m.k",
        "M.__bases__ = (B,)",
    ),
    "a nested function's default": (
        "def make():\n    def g(c=[1.0]): return c[0]\n    return g\ng = make()\n",
        "g()",
        "g.__defaults__[0][0] = 2.0",
    ),
    "a user's descriptor": (
        "class D:\n    v = [1.0]\n    def __get__(self, one, kind): return self.v[0]\n"
        "class M:\n    k = D()\nm = M()\n",
        "m.k",
        "D.v[0] = 2.0",
    ),
    "`__getattr__`": (
        "STATE = {'k': 1.0}\nclass M:\n    def __getattr__(self, name): return STATE[name]\nm = M()\n",
        "m.k",
        "STATE['k'] = 2.0",
    ),
    "`__getattr__` of a module": (
        "import CONFIG\nSTATE = {'k': 1.0}\ndef get(name): return STATE[name]\nCONFIG.__getattr__ = get\n",
        "CONFIG.k",
        "STATE['k'] = 2.0",
    ),
    "a cached property": (
        "import functools\nclass M:\n    a = 1.0\n"
        "    @functools.cached_property\n    def k(self): return self.a\n"
        "m = M()\n",
        "m.k",
        "m.__dict__['k'] = 2.0",
    ),
    "`__len__`": ("N = [1]\nclass M:\n    def __len__(self): return N[0]\nm = M()\n", "len(m)", "N[0] = 3"),
    "`__bool__`": (
        "N = [1]\nclass M:\n    def __bool__(self): return N[0] > 2\nm = M()\n",
        "(1.0 if m else 2.0)",
        "N[0] = 3",
    ),
    "`__iter__`": (
        "N = [1.0]\nclass M:\n    def __iter__(self): return iter(N)\nm = M()\n",
        "sum(m)",
        "N[0] = 3.0",
    ),
    "a user's array in a property": (
        "W = np.arange(4.0)\nclass M:\n    @property\n    def k(self): return float(W[1])\nm = M()\n",
        "m.k",
        "W[1] = 7.0",
    ),
    "a user's array under an operator": (
        "W = np.arange(4.0)\nclass M:\n    def __add__(self, other): return float(W[1])\nm = M()\n",
        "(m + 1)",
        "W[1] = 7.0",
    ),
    "an array without axes": ("W = np.array(2.0)\n", "(W * 2)", "W[...] = 3.0"),
    "an array without axes in a test": ("W = np.array(2.0)\n", "(1.0 if W * 2 > 5 else 0.0)", "W[...] = 3.0"),
    "an array of objects": ("W = np.array([1.0, 2.0], object)\n", "W[0]", "W[0] = 3.0"),
    "an object in an array of objects": (
        "class M: pass\nm = M()\nm.k = 1.0\nW = np.array([m, m])\n",
        "W[0].k",
        "m.k = 3.0",
    ),
    "a structured array": ("W = np.zeros(2, [('a', float)])\n", "W['a'][0]", "W['a'][0] = 3.0"),
    "an array of strings": ("W = np.array(['a', 'bc'])\n", "len(W[0])", "W[0] = 'cd'"),
    "memory behind an array": (
        "B = bytearray(16)\nW = np.frombuffer(B)\n",
        "W[0]",
        "np.frombuffer(B)[0] = 2.0",
    ),
    "a resized array": ("W = np.ones(3)\n", "(x[0] * W).sum()", "W.resize(2, refcheck=False)"),
    "a new shape": ("W = np.ones((2, 3))\n", "(x[0] * W)[:, 0].sum()", "W.shape = (3, 2)"),
}


@pytest.mark.parametrize("name", OTHER_STATES)
def test_other_state_is_seen_or_refused(name: str) -> None:
    setup, read, change = OTHER_STATES[name]
    path, limit, argv, arguments = os.getcwd(), sys.getrecursionlimit(), sys.argv, len(sys.argv)
    words, modules = locale.setlocale(locale.LC_ALL), {*sys.modules}
    try:
        scope = load(setup + f"def f(x):\n    return x * {read}\n")
        staged, x = ag.function(scope["f"]), np.array([1.0, 2.0, 4.0])
        refused = False
        for _ in range(2):
            try:
                got = staged(x)
            except ag.StagingError as error:
                assert error.code in ("AG123", "AG122", "AG105"), error
                refused = True
                break
            same(got, scope["f"](x))
        if refused:
            return
        before = scope["f"](x)
        exec(named(change, scope), scope)
        want = scope["f"](x)
        assert not np.array_equal(before, want), "the change must matter"
        for _ in range(2):
            same(staged(x), want)
    finally:
        os.chdir(path)
        sys.setrecursionlimit(limit)
        sys.argv = argv
        del argv[arguments:]
        decimal.setcontext(decimal.Context())
        np.seterr(all="warn")
        np.set_printoptions(precision=8)
        os.environ.pop("AG_TEST", None)
        for made in {*sys.modules} - modules:
            if getattr(sys.modules[made], "__dict__", {}).get("__spec__") is None:
                del sys.modules[made]  # One of the program, whose `__getattr__` others would ask.
        locale.setlocale(locale.LC_ALL, words)
