"""Writes to the lists and dicts of the arguments, by operators and by calls: as in CPython, or refused.

``v += (x,)`` is no call: what holds the caller's containers is compared at the end of the trace.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import autograph as ag
import numpy as np
import pytest
from generated_programs import is_refused, module_of, outcome

LISTS = """\
v += [3.0]
v += (x, x)
v += v
v += range(2)
v += (i for i in range(2))
v += x * np.ones(2)
v *= 2
v *= 0
v *= n
v[0] += x
v[0] = x
v[:1] = [x, x]
del v[0]
v.append(x)
v.extend([x])
v.insert(0, x)
v.pop()
v.remove(1.0)
v.sort()
v.reverse()
v.clear()
list.append(v, x)
v.__iadd__([x])
v.__imul__(2)
operator.iadd(v, [x])
operator.imul(v, 2)
"""
DICTS = """\
v |= {'b': x}
v |= [('b', x)]
v |= v
v['b'] = x
v['a'] += x
del v['a']
v.pop('a')
v.update(b=x)
v.setdefault('b', x)
v.clear()
v.popitem()
operator.ior(v, {'b': x})
"""
PLACES = {
    "itself": ("def {name}(v, x, n):\n    {write}\n    return v\n", lambda v: v),
    "item": ("def {name}(w, x, n):\n    v = w[0]\n    {write}\n    return w\n", lambda v: [v, v]),
    "branch": (
        "def {name}(w, x, n):\n    if x > 0:\n        v = w[0]\n        {write}\n    return w\n",
        lambda v: [v, v],
    ),
    "loop": ("def {name}(w, x, n):\n    for v in w:\n        {write}\n    return w\n", lambda v: [v]),
    "callee": (
        "def {name}(w, x, n):\n    def g(v):\n        {write}\n    g(w['k'])\n    return x\n",
        lambda v: {"k": v},
    ),
    "default": ("def {name}(w, x, n, /):\n    v, *_ = w\n    {write}\n    return x\n", lambda v: (v, 1.0)),
}


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("kind", ["list", "dict"])
def test_writes(place: str, kind: str, tmp_path: Path) -> None:
    template, around = PLACES[place]
    lines, value = (LISTS, [2.0, 1.0]) if kind == "list" else (DICTS, {"a": 2.0})
    writes = lines.splitlines()
    functions = [template.format(name=f"f{number}", write=write) for number, write in enumerate(writes)]
    module = module_of(
        "import operator\n\nimport numpy as np\n\n\n" + "".join(functions),
        tmp_path,
        f"updates_{kind}_{place}",
    )
    different = []
    for number, write in enumerate(writes):
        function = getattr(module, f"f{number}")
        staged = ag.function(function)
        for x in (3.0, np.float64(3.0)):
            for n in (2, np.int64(2)):
                arguments: tuple[Any, ...] = (around(value), x, n)
                want, got = outcome(function, arguments), outcome(staged, arguments)
                if want != got and not is_refused(staged, arguments):
                    different.append((write, x, n, want, got))
    assert not different


def test_a_list_of_the_arguments(tmp_path: Path) -> None:
    module = module_of("def f(v, x):\n    v += (x,)\n    return x\n", tmp_path, "updates_of_a_list")
    staged, values = ag.function(module.f), [1.0]
    for x in (2.0, 3.0):
        staged(values, x)
    assert values == [1.0, 2.0, 3.0]
