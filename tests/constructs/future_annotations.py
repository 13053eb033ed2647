# group: Statements
# plain: f(4)
# staged: f(np.int64(4))
"""`from __future__ import annotations`"""
from __future__ import annotations


def f(x: not_defined) -> also_not_defined:
    y: nor_this = x + 1

    def inner(z: this_neither = 3) -> str:
        return z * y

    return inner(), inner.__annotations__["z"]
