"""What the caller changes around a staged function between two calls is seen, as CPython sees it.

Generated: who owns the state, what kind of state it is, and how the program reads it.
"""

from __future__ import annotations

import autograph as ag
import numpy as np
import pytest
from surrounding_programs import indented, load, named, same

OWNERS = {
    "a method": (
        "class M:\n    def __init__(self): self.S = STATE\n    def step(self, x):\n        {read}\n"
        "owner = M()\nf = owner.step\n",
        "self.S",
        "owner.S",
    ),
    "slots": (
        "class M:\n    __slots__ = ('S',)\n    def step(self, x):\n        {read}\n"
        "owner = M()\nowner.S = STATE\nf = owner.step\n",
        "self.S",
        "owner.S",
    ),
    "a private slot": (
        "class M:\n    __slots__ = ('__S',)\n    def step(self, x):\n        {read}\n"
        "owner = M()\nowner._M__S = STATE\nf = owner.step\n",
        "self.__S",
        "owner._M__S",
    ),
    "a slot of a base class": (
        "class B:\n    __slots__ = 'S'\nclass M(B):\n    def step(self, x):\n        {read}\n"
        "owner = M()\nowner.S = STATE\nf = owner.step\n",
        "self.S",
        "owner.S",
    ),
    "a callable object": (
        "class M:\n    def __call__(self, x):\n        {read}\nf = M()\nf.S = STATE\n",
        "self.S",
        "f.S",
    ),
    "a partial": (
        "import functools\ndef g(cfg, x):\n    {read}\nf = functools.partial(g, {{'S': STATE}})\n",
        "cfg['S']",
        "f.args[0]['S']",
    ),
    "a keyword of a partial": (
        "import functools\ndef g(x, *, cfg):\n    {read}\nf = functools.partial(g, cfg=STATE)\n",
        "cfg",
        "f.keywords['cfg']",
    ),
    "a partial in a list": (
        "import functools\ndef g(cfg, x):\n    {read}\ngs = [functools.partial(g, {{'S': STATE}})]\n"
        "def f(x): return gs[0](x)\n",
        "cfg['S']",
        "gs[0].args[0]['S']",
    ),
    "a default argument": (
        "def g(x, cfg=[STATE]):\n    {read}\ndef f(x): return g(x)\n",
        "cfg[0]",
        "g.__defaults__[0][0]",
    ),
    "other default arguments": (
        "class D: pass\nd = D()\ndef g(x, cfg=STATE):\n    {read}\nd.S = STATE\ndef f(x): return g(x)\n"
        "def change(): g.__defaults__ = (d.S,)\n",
        "cfg",
        "d.S",
    ),
    "default arguments of the function itself": (
        "class D: pass\nd = D()\ndef f(x, cfg=STATE):\n    {read}\nd.S = STATE\n"
        "def change(): f.__defaults__ = (d.S,)\n",
        "cfg",
        "d.S",
    ),
    "a keyword default": (
        "def g(x, *, cfg=STATE):\n    {read}\ndef f(x): return g(x)\n",
        "cfg",
        "g.__kwdefaults__['cfg']",
    ),
    "a keyword default of the function itself": (
        "def f(x, *, cfg=STATE):\n    {read}\n",
        "cfg",
        "f.__kwdefaults__['cfg']",
    ),
    "a function's attribute": (
        "def f(x):\n    {read}\nf.S = STATE\n",
        "f.S",
        "f.S",
    ),
    "a class": ("class M:\n    S = STATE\ndef f(x):\n    {read}\n", "M.S", "M.S"),
    "the class of an object": (
        "class M:\n    S = STATE\nm = M()\ndef f(x):\n    {read}\n",
        "m.S",
        "M.S",
    ),
    "a base class": (
        "class B:\n    S = STATE\nclass M(B): pass\nm = M()\ndef f(x):\n    {read}\n",
        "m.S",
        "B.S",
    ),
    "a class before its base": (
        "class B:\n    S = STATE\nclass M(B): S2 = 0\nm = M()\ndef f(x):\n    {read}\n",
        "m.S",
        "M.S",
    ),
    "a class by `getattr`": (
        "class M:\n    S = STATE\ndef f(x):\n    {read}\n",
        "getattr(M, 'S')",
        "M.S",
    ),
    "a class by a computed name": (
        "class M:\n    S = STATE\nkey = ['', 'S']\ndef f(x):\n    {read}\n",
        "getattr(M, ''.join(key))",
        "M.S",
    ),
    "a metaclass": (
        "class T(type):\n    S = STATE\nclass M(metaclass=T): pass\ndef f(x):\n    {read}\n",
        "M.S",
        "T.S",
    ),
    "a class method": (
        "class M:\n    S = STATE\n    @classmethod\n    def step(cls, x):\n        {read}\nf = M.step\n",
        "cls.S",
        "M.S",
    ),
    "a module": (
        "import CONFIG\nCONFIG.S = STATE\ndef f(x):\n    {read}\n",
        "CONFIG.S",
        "CONFIG.S",
    ),
    "a module in a module": (
        "import CONFIG, PACKAGE\nCONFIG.S = STATE\nPACKAGE.config = CONFIG\ndef f(x):\n    {read}\n",
        "PACKAGE.config.S",
        "CONFIG.S",
    ),
    "an imported module": (
        "import CONFIG\nCONFIG.S = STATE\ndef f(x):\n    import CONFIG as c\n    {read}\n",
        "c.S",
        "CONFIG.S",
    ),
    "a property": (
        "class M:\n    def __init__(self): self._S = STATE\n    @property\n    def S(self): return self._S\n"
        "m = M()\ndef f(x):\n    {read}\n",
        "m.S",
        "m._S",
    ),
    "a property over a global": (
        "K = STATE\ndef helper(): return K\nclass M:\n    @property\n    def S(self): return helper()\n"
        "m = M()\ndef f(x):\n    {read}\n",
        "m.S",
        "globals()['K']",
    ),
    "a special method": (
        "K = [STATE]\nclass M:\n    def __matmul__(self, other): return K[0]\n"
        "m = M()\ndef f(x):\n    {read}\n",
        "(m @ 1)",
        "K[0]",
    ),
    "a dict in a list": (
        "S = [{{'a': [STATE]}}]\ndef f(x):\n    {read}\n",
        "S[0]['a'][0]",
        "S[0]['a'][0]",
    ),
    "a mapping proxy": (
        "import types\nD = {{'a': STATE}}\nP = types.MappingProxyType(D)\ndef f(x):\n    {read}\n",
        "P['a']",
        "D['a']",
    ),
    "a chain map": (
        "import collections\nP = collections.ChainMap({{}}, {{'a': STATE}})\ndef f(x):\n    {read}\n",
        "P['a']",
        "P.maps[1]['a']",
    ),
    "a method in a list": (
        "class M:\n    def step(self, x):\n        {read}\nm = M()\nm.S = STATE\nfs = {{'a': m.step}}\n"
        "def f(x): return fs['a'](x)\n",
        "self.S",
        "m.S",
    ),
    "a staged method": (
        "class M:\n    def step(self, x):\n        {read}\nm = M()\nm.S = STATE\n"
        "inner = ag.function(m.step)\ndef f(x): return inner(x)\n",
        "self.S",
        "m.S",
    ),
    "what a function returns": (
        "def make():\n    S = [STATE]\n    return lambda: S\nget = make()\ndef f(x):\n    {read}\n",
        "get()[0]",
        "get()[0]",
    ),
}

STATES: dict[str, tuple[str, str, list[str]]] = {
    "a number": ("2.0", "{s} = 3.0", ["return x * {r}", "if {r} > 2.5: x = x + 1\n        return x"]),
    "a string": ("'ab'", "{s} = 'abc'", ["return x * len({r})", "return {r}"]),
    "a list": ("[1.0, 2.0]", "{s}.append(3.0)", ["return x * len({r})", "return x + sum({r})"]),
    "a list that is another": ("[1.0]", "{s} = [7.0]", ["return x * {r}[0]"]),
    "a dict": ("{'k': 1.0}", "{s}['k'] = 5.0", ["return x * {r}['k']", "return x + sum({r}.values())"]),
    "a set": ("{1, 2}", "{s}.add(3)", ["return x * len({r})", "return x + (1 if 3 in {r} else 0)"]),
    "a flag": ("False", "{s} = True", ["return x + 1 if {r} else x - 1"]),
    "an array": (
        "np.arange(4.0).reshape(2, 2)",
        "{s}[...] += 5.0",
        ["return x[1] * {r}"],
    ),
}


def check(text: str, change: str) -> None:
    scope = load(text)
    staged = ag.function(scope["f"])
    x = np.arange(3.0)
    for _ in range(2):
        same(staged(x), scope["f"](x))
    before = scope["f"](x)
    exec(named(change, scope), scope)
    if "change" in scope:
        scope["change"]()
    assert not np.array_equal(before, scope["f"](x)), "the change must matter"
    for _ in range(2):
        same(staged(x), scope["f"](x))
    assert len(staged.retraces) <= 1


CASES = [
    (owner, state, read)
    for owner in OWNERS
    for state, (_, _, reads) in STATES.items()
    for read in reads
    if owner != "a class before its base" or STATES[state][1].startswith("{s} = ")
]


@pytest.mark.parametrize(("owner", "state", "read"), CASES)
def test_a_change_is_seen(owner: str, state: str, read: str) -> None:
    template, access, place = OWNERS[owner]
    first, change, _ = STATES[state]
    statements = read.format(r=access) if "{r}" in read else read
    text = indented(template, statements).replace("STATE", first)
    check(text, change.format(s=place))
