"""Programs that make a list of elements of one kind in a staged loop, and give it to one consumer."""

from __future__ import annotations

KINDS = {
    "int": "i * 3 % 5",
    "float": "0.5 * i",
    "bool": "i > 1",
    "float32": "np.float32(x)",
    "float64": "x",
    "int32": "np.int32(i)",
    "int64": "np.int64(i)",
    "uint8": "np.uint8(i)",
    "bool_": "x > 1.0",
    "array": "w * x",
    "float or None": "None if i == 1 else x",
    "float and never None": "best",
    "array or None": "None if i == 1 else w * x",
    "array of some size": "w[w < x]",
    "tuple": "(x, i)",
    "tuple of floats": "(x, 2 * x)",
    "tuple with a constant": "(x, 1.0)",
    "tuple of one": "(x - x,)",
    "tuple in a tuple": "((x, 2 * x), (x, x))",
    "tuple of several shapes": "(x, w)",
    "NamedTuple": "Pair(x, 2 * x)",
    "list": "[x, 2 * x]",
    "lists of several lengths": "[x] * (i + 1)",
    "list of lists": "[[x, x], [x, 2 * x]]",
    "list in a tuple": "(x, [x])",
    "dict": "{'a': x}",
    "object": "Body(x)",
    "int16": "np.int16(i) * np.int16(9000)",
    "uint64": "np.uint64(2**63) + np.uint64(i)",
    "float16": "np.float16(x)",
    "arrays of uint16": "w.astype(np.uint16) - np.uint16(i)",
    "complex": "x * 1j",
    "complex number": "complex(0.5, 2.0) * i",
}
"""The expression of an element: `i` is a Python int, `x` a NumPy scalar, `w` an array."""

CONSUMERS = {
    "np.array": "np.array(out)",
    "np.asarray": "np.asarray(out)",
    "np.stack": "np.stack(out)",
    "np.vstack": "np.vstack(out)",
    "np.concatenate": "np.concatenate(out)",
    "np.sum": "np.sum(out)",
    "np.mean": "np.mean(out)",
    "np.max": "np.max(out)",
    "np.argsort": "np.argsort(out)",
    "np.cumsum": "np.cumsum(out)",
    "np.add": "np.add(out, out)",
    "np.where": "np.where(np.array([True, False, True, True]), out, out)",
    "np.shape": "np.shape(out)",
    "array of a list of it": "np.array([out, out])",
    "stored in a slice": "stored(np.zeros(4), out)",
    "stored in rows": "stored(np.zeros((4, 2)), out)",
    "plus an array": "np.arange(4.0) + out",
    "==": "out == out[:]",
    "in": "out[1] in out",
    "not in": "out[1] not in out[:1]",
    "index": "out.index(out[2])",
    "count": "out.count(out[2])",
    "sum": "sum(out)",
    "max": "max(out)",
    "min": "min(out)",
    "sorted": "sorted(out)",
    "any": "any(out)",
    "all": "all(out)",
    "len": "len(out)",
    "zip": "list(zip(out, out))",
    "enumerate": "list(enumerate(out))",
    "reversed": "list(reversed(out))",
    "+": "out + out",
    "*": "out * 2",
    "comprehension": "[one for one in out]",
    "item": "out[k]",
    "last": "out[-1]",
    "slice": "out[k:]",
    "pop": "(out.pop(), out)",
    "print": "print(out)",
    "print of an item": "print(out[k])",
    "list": "list(out)",
    "tuple": "tuple(out)",
    "unpacked": "(lambda a, b, c, d: (d, a))(*out)",
    "copy": "out.copy()",
    "itself": "out",
    "first": "first(out)",
    "is": "out[k] is out[1]",
    "is None": "out[k] is None",
}
"""What a program does with the list `out` of four elements; `k` is a staged int, 2."""

HEAD = """\
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np


class Pair(NamedTuple):
    value: float
    other: float


@dataclass
class Body:
    x: float


def stored(a, out):
    a[0:4] = out
    return a


def first(out):
    for one in out:
        return one
    return None


"""

TEMPLATE = """\
def {name}(v, w, n, k):
    out = []
    best = None
    for i in range(n):
        x = v[i]
        if best is None or x > best:
            best = x
        out.append({element})
    return {consumer}


"""


def name_of(kind: str, consumer: str) -> str:
    """The function for a kind and a consumer."""
    return f"f_{list(KINDS).index(kind)}_{list(CONSUMERS).index(consumer)}"


def module_text() -> str:
    """A module with a function for each."""
    functions = (
        TEMPLATE.format(name=name_of(kind, consumer), element=KINDS[kind], consumer=CONSUMERS[consumer])
        for kind in KINDS
        for consumer in CONSUMERS
    )
    return HEAD + "".join(functions)
