"""`locals()` of converted functions shows what CPython shows, in CPython's order."""

from __future__ import annotations

from typing import Any

import autograph as ag


def views(b: Any, *rest: Any, a: Any = 3, **kw: Any) -> Any:
    z = 1
    c = 2

    def inner(q: Any) -> Any:
        return c, b, q, list(locals())

    for i in range(3):
        if i == 1:
            late = 1
    pick = lambda m, n=1: (list(locals()), z)  # noqa: E731
    return list(locals()), inner(late), pick(5), dir(), list(vars()), eval("rest"), eval("list(locals())")


def test_variables_are_shown_in_the_order_of_the_code_object() -> None:
    assert ag.to_graph(views)(1, 2) == views(1, 2)
