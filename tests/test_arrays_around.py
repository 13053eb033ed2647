"""Writes of the caller to arrays that plain NumPy has read while tracing are seen, as CPython sees them."""

from __future__ import annotations

import autograph as ag
import numpy as np
import pytest
from surrounding_programs import indented, load, same_tree

ARRAY_OWNERS = {
    "a global": ("W = STATE\ndef f(x):\n    {read}\n", "W", "W"),
    "an attribute": (
        "class M:\n    def step(self, x):\n        {read}\nm = M()\nm.W = STATE\nf = m.step\n",
        "self.W",
        "m.W",
    ),
    "a class": ("class M:\n    W = STATE\ndef f(x):\n    {read}\n", "M.W", "M.W"),
    "a default": (
        "def g(x, w=STATE):\n    {read}\ndef f(x): return g(x)\n",
        "w",
        "g.__defaults__[0]",
    ),
    "a module": (
        "import CONFIG\nCONFIG.W = STATE\ndef f(x):\n    {read}\n",
        "CONFIG.W",
        "CONFIG.W",
    ),
    "a list": ("Ws = [STATE]\ndef f(x):\n    {read}\n", "Ws[0]", "Ws[0]"),
    "a view": ("V = STATE\nW = V[:]\ndef f(x):\n    {read}\n", "W", "V"),
}

ARRAY_READS = [
    "return x * (2 * {r})[0, 0]",
    "return x * {r}[0, 0]",
    "return x * {r}[0][0]",
    "return x * {r}.T[0, 0]",
    "return x + {r}.sum()",
    "return x + np.sum({r})",
    "return x + np.sum(2 * {r})",
    "return x + float({r}[1, 1])",
    "return x + {r}.item(0)",
    "return x + {r}.tolist()[0][0]",
    "return x + sum(sum({r}.tolist(), []))",
    "return x + sum(row[0] for row in {r})",
    "if {r}[0, 0] > 2: x = x + 1\n        return x",
    "if {r}.any() and {r}[0, 0] > 2: x = x + 1\n        return x",
    "return x + 1 if ({r} > 2).all() else x",
    "n = 0\n        while n < {r}[0, 0]: n += 1\n        return x + n",
    "return x[:2] * ({r} @ {r})[0]",
    "return x + {r}[0] @ {r}[1]",
    "return x + -{r}[0, 0]",
    "return (x[:2] @ {r}).sum() + {r}[0, 0]",
    "return x, {r} * 2",
    "return x, {r}[0, 0]",
    "return x, [{r}[0, 0]]",
    "return x, {r}.copy()",
    "return x + sum([one for one in {r}.ravel()])",
    "return x + sum(one for one in {r}[0])",
    "return x + max(*{r}[0])",
    "return x + [*{r}[0]][1]",
    "return x + {r}.__getitem__(0)[1]",
    "return x + getattr({r}, 'sum')()",
    "return x + np.ndarray.sum({r})",
    "return x + sum(map(float, {r}[0]))",
    "return x + list({r}[0])[0]",
    "return x + dict(a={r}[0])['a'][1]",
    "return x + [{{'a': {r}}}][0]['a'][0, 0]",
    "return x + (lambda w: w[0, 0] * 2)({r})",
    "return x[:2] + {r}[:, 0]",
    "return x[:2] + {r}[[0, 1], [1, 0]]",
    "return x + {r}[{r} > 2.5].sum()",
    "return x + {r}.mean(axis=0)[0]",
    "return x + abs({r})[0, 0]",
    "return x + ({r} + 1)[0, 0]",
    "return x + float(({r} * 2)[0].max())",
    "return x + ({r} > 2).sum()",
    "return x + ({r}.astype(int) // 2)[1, 1]",
    "return x + (1 if ({r} * 2)[0, 0] > 7 else 0)",
    "return x + (0 if not {r}[0, 0] > 2 else 1)",
    "return x + divmod({r}[0, 0], 2)[0]",
    "return x + ({r}[0, 0] or 5)",
    "assert {r}[0, 0] < 100\n        return x + {r}[0, 0]",
    "return x + memoryview({r})[0, 0]",
    "return x + {r}.data[0, 0]",
    "return x + np.nditer({r}).itersize + {r}.sum()",
    "return x + np.asarray({r})[0, 0]",
    "return x + np.float32({r}[0, 0])",
    "return x + np.clip({r}[0, 0], 0, 5)",
    "return x + {r}.argmax()",
    "return x + 2 ** {r}[0, 0].astype(int)",
    "return np.arange({r}[0, 0]).sum() + x",
    "return np.zeros(int({r}[0, 0]))",
    "return [x[0]] * int({r}[0, 0])",
    "z = 0.0\n        for i in range(int({r}[0, 0])): z = z + x[0]\n        return z",
    "z = 0.0\n        for i in range(2): z = z + {r}[i, 0]\n        return x + z",
    "z = 0.0\n        for i in range(20): z = z + {r}[i % 2, 0]\n        return x + z",
    "z = 0.0\n        for w in {r}[0]: z = z + w\n        return x + z",
    "z = 0.0\n        for i, w in enumerate({r}[0]): z = z + w\n        return x + z",
    "z = 0.0\n        for v, w in zip(x, {r}[0]): z = z + w * v\n        return z",
    "z = x * 1\n        z += {r}[0, 0]\n        return z",
    "z = x * 1\n        if x[0] > 0: z = z * {r}[0, 0]\n        return z",
    "z = 0.0\n        while z < {r}[0, 0] + x[0]: z = z + 1\n        return z",
    "return x + max({r}[0])",
    "return x + np.dot({r}[0], {r}[1])",
    "return x + np.linalg.norm({r})",
    "return x[{r}[0].astype(int) % 3]",
    "return x[np.argsort(-{r}[0])]",
    "return x + int({r}[0, 0])",
    "return x.sum() + round({r}[0, 0])",
    "return np.full(2, {r}[0, 0]) * x[1]",
    "return np.array([{r}[0, 0], 1.0]) * x[1]",
    "return np.array({r}) * x[1]",
    "return np.stack([{r}[0], {r}[1]]) * x[1]",
    "return x * {{True: 1, False: 2}}[bool({r}[0, 0] > 2)]",
    "a, b = {r}\n        return x + a[0]",
    "a, b = {r}[0]\n        return x + a",
    "return x * {r}.flat[0]",
    "return x[1] * {r}",
    "y = x * 1\n        y[0] = {r}[0, 0]\n        return y",
    "y = [1, 2]\n        y[0] = {r}[0, 0]\n        return x + y[0]",
    "return f'{{{r}[0, 0]}}'",
    "return str({r})",
    "return x + (1 if 9.0 in {r} else 0)",
    "return np.where({r}[0] > 2, x[:2], x[1:])",
    "return x + ({r}[0, 0] > 2)",
    "return x + ({r}[0, 0] * 2 > 2 < {r}[0, 0])",
    "return x * np.sqrt(2) * 0.5 + {r}[0, 0]",
    "return x[({r}[0, 0] > 2) * 1]",
    "return x[np.arange(3) > {r}[0, 0] - 3]",
    "return x[int({r}[0, 0]) % 3:]",
    "return np.repeat(x[:2], {r}[0].astype(int))",
    "return np.take(x, {r}[0].astype(int) % 3)",
]


@pytest.mark.parametrize("owner", ARRAY_OWNERS)
@pytest.mark.parametrize("read", ARRAY_READS)
def test_a_write_to_an_array_is_seen(owner: str, read: str) -> None:
    template, access, place = ARRAY_OWNERS[owner]
    text = indented(template, read.format(r=access)).replace("STATE", "np.array([[1.0, 3.0], [2.0, 4.0]])")
    scope = load(text)
    staged, x = ag.function(scope["f"]), np.array([1.0, 2.0, 4.0])
    try:
        same_tree(staged(x), scope["f"](x))
    except ag.StagingError:
        raise
    same_tree(staged(x), scope["f"](x))
    for change in ("{s}[...] = [[9.0, 1.0], [3.0, 5.0]]", "{s}[0, 0] = 4.0", "{s}[...] *= 2", "{s}[0] += 1"):
        exec(
            change.format(s=place.replace("CONFIG", scope["__name__"].replace("surroundings", "config"))),
            scope,
        )
        for _ in range(2):
            same_tree(staged(x), scope["f"](x))
