"""Every call that writes, to an array or container of everybody: what CPython does, or a refusal at its line.

The programs are generated: what writes, whose it is, and where the write stands. Each is called three times,
and somebody else puts the old values back between the calls. After a refusal nothing has changed.
"""

from __future__ import annotations

import copy
import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import autograph as ag
import numpy as np
import pytest

_HEAD = """
import array, bisect, heapq, operator
from collections import Counter, OrderedDict, defaultdict, deque

import autograph as ag
import numpy as np


class Owner:
    pass


G = np.array([2.0, 1.0, 3.0, 0.5])
GL = [3.0, 1.0, 2.0]
GD = {"a": 1.0}
GS = {1.0}
GO = OrderedDict(a=1.0, b=2.0)
GF = defaultdict(list)
GC = Counter(a=2)
GQ = deque([1.0, 2.0])
GR = array.array("d", [1.0, 2.0])


@ag.do_not_convert
def marked(target, x):
    target[0] = 9.0


@ag.do_not_convert
def marked_staged(target, x):
    target[0] = x


@ag.do_not_convert
def marked_around(x):
    GL.append(x)
    return x


def make(C, CL):
"""

ARRAYS = """
np.add(T, 1.0, out=T)
np.add(T, x, T)
np.add.at(T, [0], 1.0)
np.subtract.at(T, [0, 0], x)
T.fill(3.0)
T.fill(x)
T.sort()
T.partition([0, 1, 2])
T.put([0], 5.0)
T.itemset
np.copyto(T, 2.0)
np.copyto(T, x)
np.put(T, [0], 9.0)
np.place(T, T > 1, [7.0])
np.putmask(T, T > 1, 7.0)
np.put_along_axis(T, np.array([0]), 4.0, 0)
np.nan_to_num(T, copy=False)
np.clip(T, 0.0, 1.0, out=T)
T.clip(0.0, 1.0, T)
np.cumsum(T, out=T)
T.cumsum(0, None, T)
np.multiply(T, 2.0, where=T > 1, out=T)
T.byteswap(inplace=True)
T.setfield(1.0, float)
T.resize(T.shape)
operator.iadd(T, 1.0)
operator.setitem(T, 0, 9.0)
T.__setitem__(0, 9.0)
T.__imul__(2.0)
np.ndarray.fill(T, 2.0)
T[0] = 4.0
T[0] = x
T[:] = T[::-1].copy()
v = T; v += 1.0
v = T; v *= x
v = T[1:]; v -= 1.0
v = T.T; v[0] = 8.0
v = T.reshape(-1); v[0] = 8.0
np.dot(T, np.eye(T.size), out=T)
np.take(T, [0, 0, 1, 1][: T.size], out=T)
memoryview(T)[0] = 3.0
T.flat[0] = 8.0
marked(T, 1.0)
marked_staged(T, x)
""".strip().splitlines()

ARRAY_OWNERS = {
    "argument": "a",
    "global": "G",
    "closure": "C",
    "attribute": "o.a",
    "item": "xs[0]",
    "view": "a[1:]",
    "view of a global": "G[1:]",
    "local": "b",
}

CONTAINERS = """
GL.append(1.0)
GL.append(x)
GL.extend([1.0])
GL.sort()
GL.pop()
GL[0] = 5.0
GL[0] = x
del GL[0]
v = GL; v += [1.0]
v = GL; v *= 2
list.append(GL, 1.0)
list.append(GL, x)
GL.__setitem__(0, 5.0)
operator.setitem(GL, 0, 5.0)
operator.delitem(GL, 0)
operator.iadd(GL, [1.0])
operator.methodcaller("append", 1.0)(GL)
list(map(GL.append, [1.0]))
heapq.heappush(GL, 0.5)
heapq.heapify(GL)
bisect.insort(GL, 0.5)
CL.append(1.0)
heapq.heappush(CL, 0.5)
v = CL; v += [1.0]
o.items.append(1.0)
list.append(o.items, x)
v = o.items; v += [1.0]
setattr(o, "n", 1.0)
setattr(o, "n", x)
object.__setattr__(o, "n", 1.0)
vars(o)["n"] = 1.0
o.__dict__.update(n=1.0)
GD.update(b=1.0)
dict.update(GD, b=1.0)
GD.setdefault("c", x)
v = GD; v |= {"q": 2.0}
operator.setitem(GD, "z", x)
GS.add(3.0)
set.add(GS, 3.0)
v = GS; v |= {7.0}
GO.move_to_end("a")
GO.pop("a")
GF["new"]
GF["new"].append(x)
GC.update("ab")
GC["a"] += 1
GC.subtract(a=1)
GQ.append(3.0)
GQ.rotate(1)
deque.extend(GQ, [1.0])
GR.append(3.0)
v = GR; v += array.array("d", [2.0])
GR[0] = 3.0
marked(GL, 1.0)
marked(o.items, 1.0)
marked_staged(CL, x)
marked_around(x)
""".strip().splitlines()

PLACES = {
    "top": "        {line}\n",
    "branch": "        if x > 0:\n            {line}\n",
    "loop": "        for i in range(n):\n            {line}\n",
}


def _program(line: str, place: str) -> str:
    parts = "\n            ".join(line.split("; ")) if place != "top" else "\n        ".join(line.split("; "))
    body = PLACES[place].format(line=parts)
    begin, end = "    def f(a, o, xs, x, n):\n        b = a * 1.0\n", "        return b * 2.0, x + 1.0\n"
    return f"{_HEAD}{begin}{body}{end}    return f\n"


def _load(path: Path, text: str) -> ModuleType:
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


def _state(module: ModuleType, *others: Any) -> str:
    names = ("G", "GL", "GD", "GS", "GQ", "GR", "GO", "GF", "GC")
    objects = [vars(one) if type(one).__name__ == "Owner" else one for one in others]
    return repr(([getattr(module, name) for name in names], objects))


def _calls(module: ModuleType, wrap: Any) -> list[tuple[str, str]]:
    """What three calls give and leave; what they wrote is put back after each."""
    closure, closed = np.array([4.0, 2.0, 1.0, 3.0]), [2.0, 1.0, 3.0]
    f = wrap(module.make(closure, closed))
    o = module.Owner()
    o.a, o.items = np.array([1.0, 4.0, 2.0, 3.0]), [3.0, 1.0]
    a, xs = np.array([3.0, 1.0, 2.0, 4.0]), [np.array([2.0, 3.0, 1.0, 0.0])]
    arrays = [closure, o.a, a, xs[0], module.G]
    before = [one.copy() for one in arrays]
    containers = [closed, o.items, module.GL, module.GD, module.GS, module.GQ, module.GR]
    containers += [module.GO, module.GF, module.GC]
    held = [copy.copy(one) for one in containers]
    seen = []
    for _ in range(3):
        try:
            result = repr(f(a, o, xs, np.float64(2.0), np.int64(2)))
        except ag.AutographError as error:
            result = f"refused: {error.code}"
            place = ag.errors.place_of(error)
            assert place is not None and place.file.endswith(f"{module.__name__}.py")
        except Exception as error:
            result = f"{type(error).__name__}: {error}"
        seen.append((result, _state(module, closure, closed, o, a, xs)))
        for one, values in zip(arrays, before, strict=True):
            one[...] = values
        for one, values in zip(containers, held, strict=True):
            if isinstance(one, (dict, set)):
                one.clear()
                one.update(values)
            else:
                while len(one):
                    one.pop()
                one.extend(values)
        vars(o).pop("n", None)
    return seen


def _assert_same_or_refused(tmp_path: Path, line: str, place: str) -> None:
    name = "program_that_writes"
    module = _load(tmp_path / f"{name}.py", _program(line, place))
    want = _calls(module, lambda f: f)
    closure, closed = np.array([4.0, 2.0, 1.0, 3.0]), [2.0, 1.0, 3.0]
    o = module.Owner()
    o.a, o.items = np.array([1.0, 4.0, 2.0, 3.0]), [3.0, 1.0]
    untouched = _state(
        module, closure, closed, o, np.array([3.0, 1.0, 2.0, 4.0]), [np.array([2.0, 3.0, 1.0, 0.0])]
    )
    for got, expected in zip(_calls(module, ag.function), want, strict=True):
        if got[0].startswith("refused"):
            assert got[1] == untouched
        else:
            assert got == expected


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("owner", ARRAY_OWNERS)
@pytest.mark.parametrize("line", ARRAYS)
def test_a_write_to_an_array(tmp_path: Path, line: str, owner: str, place: str) -> None:
    _assert_same_or_refused(tmp_path, re.sub(r"(?<![\w.])T\b", ARRAY_OWNERS[owner], line), place)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("line", CONTAINERS)
def test_a_write_to_a_container(tmp_path: Path, line: str, place: str) -> None:
    _assert_same_or_refused(tmp_path, line, place)
