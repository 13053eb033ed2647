"""Values of lists are made, read, stacked and popped in the list's memory: no value ever sees another's.

Programs are made by crossing what makes a value, what else happens to it, how the list is read, and when.
"""

from __future__ import annotations

import importlib.util
import itertools
import textwrap
from pathlib import Path
from typing import Any

import autograph as ag
import numpy as np
import pytest

DTYPES = ("float64", "float32", "int64", "bool", "uint8")
SHAPES = ((), (0,), (3,), (5, 7), (128, 256))

#: What makes the value `v` that is appended; `m` is a stack of four values, `w` a square matrix.
PRODUCERS = {
    "group": "v = JOIN(JOIN(h, x), h)",
    "product": "v = np.dot(h, w)",
    "view": "v = m[i % 4]",
    "slice": "v = m[1:3][i % 2]",
    "argument": "v = x",
    "constant": "v = np.ones(SHAPE, DTYPE)",
}

#: What else happens to it.
BESIDES = {
    "nothing": "",
    "carry": "h = v",
    "other": "zs.append(v)",
    "returned": "last = v",
    "written": "u = v.copy()\nWRITE(u)\nh = JOIN(u, v)",
}

#: How the list is read: `t` is what is found.
CONSUMERS = {
    "get": "t = ys[i % len(ys)]",
    "negative": "t = ys[-1]",
    "iteration": "t = x\nfor y in ys:\n    t = JOIN(t, y)",
    "stack": "t = REDUCE(np.stack(ys), axis=0)",
    "row": "t = np.array(ys)[-1]",
    "concatenate": "t = CONCATENATE",
    "pop": "t = ys.pop()",
    "pop_first": "t = ys.pop(0)",
    "slice": "part = ys[::-1]\nt = part[0]",
    "len": "t = x\ntotal = total + len(ys)",
    "set": "t = ys[0]\nys[0] = v",
    "moved": "ys.append(ys[0])\nt = ys[-1]",
}

#: When: what is found is used at once, or after the list has changed.
WHENS = {
    "at once": "READ\nacc = JOIN(acc, t)",
    "after a push": "READ\nys.append(x)\nacc = JOIN(acc, t)",
    "in a loop": "for j in range(2):\n    ys.append(JOIN(v, x))\n    READ\n    acc = JOIN(acc, t)",
    "in a branch": "if i % 2 == 0:\n    READ\n    acc = JOIN(acc, t)\nelse:\n    ys.append(v)",
    "carried": "acc = JOIN(acc, kept)\nREAD\nkept = t",
}

FUNCTION = """
def {name}(x, m, w, n):
    ys = [x, m[0]]
    zs = [x]
    h = x
    acc = x
    last = x
    kept = x
    total = 0
    for i in range(n):
{body}
    return acc, h, last, kept, total, ys, zs
"""


def source(name: str, parts: tuple[str, str, str, str], dtype: str, shape: tuple[int, ...]) -> str:
    producer, beside, consumer, when = parts
    lines = PRODUCERS[producer]
    if producer == "product" and dtype == "bool":
        lines = PRODUCERS["group"]
    what_else = BESIDES[beside]
    if shape == ():
        what_else = what_else.replace("u = v.copy()\nWRITE(u)", "u = x")
    read = CONSUMERS[consumer]
    reader = WHENS[when]
    indent = next(line for line in reader.splitlines() if "READ" in line).split("READ")[0]
    reader = reader.replace(indent + "READ", textwrap.indent(read, indent))
    body = "\n".join(part for part in (lines, "ys.append(v)", what_else, reader) if part)
    stacked = "np.stack(ys)[-1]" if shape == () else "np.concatenate(ys)[-len(x):]"
    body = body.replace("WRITE(u)", "u[:1] = x[:1]").replace("CONCATENATE", stacked)
    body = body.replace("REDUCE", "np.any" if dtype == "bool" else "np.max")
    body = body.replace("SHAPE", str(shape)).replace("DTYPE", f"np.{dtype if dtype != 'bool' else 'bool_'}")
    return FUNCTION.format(name=name, body=textwrap.indent(body, " " * 8)).replace(
        "JOIN", "np.logical_xor" if dtype == "bool" else "np.subtract"
    )


def values(dtype: str, shape: tuple[int, ...]) -> tuple[Any, ...]:
    rng = np.random.default_rng(5)

    def some(sizes: tuple[int, ...]) -> Any:
        return np.asarray(rng.integers(-2, 3, sizes)).astype(dtype)

    x, m = some(shape), some((4, *shape))
    # A product with a permutation is exact.
    w = np.roll(np.eye(shape[-1]), 1, axis=1).astype(dtype) if shape else some(())[()]
    return (x[()], m, w)


def interpreted(staged: Any, args: tuple[Any, ...]) -> Any:
    leaves, concrete = staged._specialise(args, {})
    return concrete.interpret(leaves)


def assert_alike(got: Any, want: Any, where: str) -> None:
    if isinstance(want, (list, tuple)):
        assert type(got) is type(want) and len(got) == len(want), where
        for number, (one, other) in enumerate(zip(got, want, strict=True)):
            assert_alike(one, other, f"{where}[{number}]")
        return
    assert type(got) is type(want), where
    if isinstance(want, (np.ndarray, np.generic)):
        assert got.dtype == want.dtype and got.shape == want.shape, where
    np.testing.assert_array_equal(got, want, err_msg=where)


CASES = list(itertools.product(PRODUCERS, CONSUMERS))


@pytest.mark.parametrize(("producer", "consumer"), CASES, ids=[" ".join(case) for case in CASES])
def test_values_of_lists_are_their_own(producer: str, consumer: str, tmp_path: Path) -> None:
    rest = list(itertools.product(BESIDES, WHENS))
    kinds = list(itertools.product(DTYPES, SHAPES))
    texts, programs = ["import numpy as np\n"], []
    first = CASES.index((producer, consumer))
    # Each case takes a part; over all cases, every kind of value meets every way.
    for number, (beside, when) in enumerate(rest[first % 3 :: 3]):
        dtype, shape = kinds[(number * 7 + first * 3) % len(kinds)]
        name = f"program_{number}"
        texts.append(source(name, (producer, beside, consumer, when), dtype, shape))
        programs.append((name, dtype, shape))
    path = tmp_path / "programs.py"
    path.write_text("\n".join(texts))
    spec = importlib.util.spec_from_file_location("programs_of_lists", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    with np.errstate(all="ignore"):
        for text, (name, dtype, shape) in zip(texts[1:], programs, strict=True):
            function = getattr(module, name)
            staged = ag.function(function)
            for count in (3, 0):
                args = (*values(dtype, shape), np.int64(count))
                want = function(*args)
                where = f"{dtype} {shape} {count}\n{text}"
                assert_alike(staged(*args), want, where)
                # The interpreter takes seconds for the products of large matrices.
                if np.size(args[0]) < 100:
                    assert_alike(interpreted(staged, args), want, f"interpreted {where}")
