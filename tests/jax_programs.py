"""Small programs of JAX's transformations, for both packages, and what differs on purpose.

A program takes a package and its NumPy. A row says what the program shows; ``differs`` is the reason if this
package does something else. Errors count by their class: ``TypeError``, ``ValueError``, or another.
"""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

Program = Callable[[Any, Any], Any]


class Row(NamedTuple):
    """A program, and why it does something else here, if it does."""

    function: str
    shows: str
    program: Program
    differs: str | None = None


def _ruled(kind: str, **effects: float) -> Callable[[Any], Any]:
    """A function whose rules give another value and another derivative than it has."""

    def made(p: Any) -> Any:
        f = getattr(p, kind)(lambda x: x * x)
        if kind == "custom_vjp":
            f.defvjp(lambda x: (x * x + 1.0, x), lambda x, cotangent: (5.0 * x * cotangent,))
        else:
            f.defjvp(lambda x, dx: (x[0] * x[0] + 1.0, 5.0 * x[0] * dx[0]))
        return f

    return made


by_vjp, by_jvp = _ruled("custom_vjp"), _ruled("custom_jvp")
X, M = np.array([1.0, 2.0, 3.0]), np.arange(6.0).reshape(2, 3)
INTS = "integers have no gradient: it is `None`, as are their tangents (JAX: `float0`)"
NO_TREE = "a string in a result is passed on; JAX has numbers and arrays only"
KEEPS = "NumPy's types: a Python float has a Python float as its gradient (JAX: an array)"


def _bound(p: Any, f: Any) -> Any:
    f.defvjp(lambda x: x, lambda _, cotangent: (cotangent,))
    return p.grad(f)(2.0)


def _backward(result: Any) -> Program:
    def program(p: Any, m: Any) -> Any:
        f = p.custom_vjp(lambda x: x)
        f.defvjp(lambda x: (x, None), lambda _, cotangent: result(cotangent))
        return p.grad(f)(2.0)

    return program


def _closure(kind: str) -> Program:
    def program(p: Any, m: Any) -> Any:
        def outer(w: Any) -> Any:
            f = getattr(p, kind)(lambda x: x * w)
            if kind == "custom_vjp":
                f.defvjp(lambda x: (x * w, None), lambda _, cotangent: (cotangent,))
            else:
                f.defjvp(lambda x, dx: (x[0] * w, dx[0]))
            return f(w)

        return p.grad(outer)(2.0)

    return program


def _other_dict(items: dict[str, Any], kind: str) -> Any:
    """A dict of another class, whose keys are not in their order."""
    return OrderedDict(items) if kind == "OrderedDict" else defaultdict(list, items)


def _of_dicts(kind: str) -> list[Row]:
    """Programs whose arguments and results are dicts of another class."""

    def d(**items: Any) -> Any:
        return _other_dict(items, kind)

    def f(t: Any) -> Any:
        return d(q=t["b"] ** 2 * t["a"], p=[d(r=t["a"] * t["a"])])

    def scalar(t: Any) -> Any:
        return t["b"] ** 2 * t["a"]["c"]

    at, arrays = d(b=3.0, a=2.0), d(b=X, a=2.0 * X)
    nested = d(b=3.0, a=d(c=2.0))
    given = d(q=1.0, p=[d(r=2.0)])
    programs: list[tuple[str, Program]] = [
        ("grad", lambda p, m: p.grad(scalar)(nested)),
        ("value_and_grad", lambda p, m: p.value_and_grad(lambda t: (scalar(t), t), has_aux=True)(nested)),
        ("jvp", lambda p, m: p.jvp(f, (at,), (d(b=1.0, a=0.5),))),
        ("vjp", lambda p, m: p.vjp(f, at)[1](given)),
        ("linearize", lambda p, m: p.linearize(f, at)[1](d(b=1.0, a=0.5))),
        ("jacrev", lambda p, m: p.jacrev(f)(at)),
        ("jacfwd", lambda p, m: p.jacfwd(f)(arrays)),
        ("hessian", lambda p, m: p.hessian(scalar)(nested)),
        ("vmap", lambda p, m: p.vmap(f, (d(b=0, a=None),), d(q=0, p=[d(r=None)]))(d(b=X, a=2.0))),
        ("checkpoint", lambda p, m: p.grad(p.checkpoint(scalar))(nested)),
    ]
    return [Row(function, f"trees of class `{kind}`", program) for function, program in programs]


ROWS = [
    Row(
        "grad",
        "a float, an array, a tree",
        lambda p, m: p.grad(lambda t: m.sum(t["a"] ** 2) * t["b"])({"a": X, "b": 2.0}),
    ),
    Row("grad", "the class of the gradient", lambda p, m: type(p.grad(lambda x: x * x)(2.0)) is float, KEEPS),
    Row(
        "grad",
        "`argnums` of several, negative",
        lambda p, m: p.grad(lambda x, y: x * x * y, (-1, 0))(2.0, 3.0),
    ),
    Row(
        "grad",
        "`argnums` beyond the positional arguments",
        lambda p, m: p.grad(lambda x, y=2.0: x * y, 1)(2.0),
    ),
    Row("grad", "an argument of `argnums` by keyword", lambda p, m: p.grad(lambda x: x * x)(x=2.0)),
    Row("grad", "`has_aux`", lambda p, m: p.grad(lambda x: (x * x, {"y": x}), has_aux=True)(2.0)),
    Row("grad", "`has_aux` of what is no pair", lambda p, m: p.grad(lambda x: x * x, has_aux=True)(2.0)),
    Row("grad", "an integer", lambda p, m: p.grad(lambda n: n * 2.0)(2)),
    Row(
        "grad",
        "an integer with `allow_int`",
        lambda p, m: p.grad(lambda n, x: n * x, (0, 1), allow_int=True)(2, 3.0),
        INTS,
    ),
    Row("grad", "a result that is no scalar", lambda p, m: p.grad(lambda x: x * 2.0)(X)),
    Row("grad", "a result that is an integer", lambda p, m: p.grad(lambda x: 3)(2.0)),
    Row("grad", "`None` in an argument", lambda p, m: p.grad(lambda t: t["a"] ** 2)({"a": 3.0, "b": None})),
    Row("grad", "of `grad`", lambda p, m: p.grad(p.grad(lambda x: x**3))(2.0)),
    Row("grad", "the function's name", lambda p, m: p.grad(_named).__name__),
    Row(
        "value_and_grad", "`has_aux`", lambda p, m: p.value_and_grad(lambda x: (x * x, x), has_aux=True)(2.0)
    ),
    Row(
        "vjp",
        "a tree of results",
        lambda p, m: p.vjp(lambda x, y: {"a": x * y, "b": x}, 2.0, 3.0)[1]({"a": 1.0, "b": 2.0}),
    ),
    Row("vjp", "`has_aux`", lambda p, m: p.vjp(lambda x: (x * x, 3), 2.0, has_aux=True)[::2]),
    Row("vjp", "a cotangent of another shape", lambda p, m: p.vjp(lambda x: x, X)[1](np.ones(2))),
    Row("vjp", "a cotangent of another tree", lambda p, m: p.vjp(lambda x: (x, x), X)[1](X)),
    Row(
        "vjp",
        "an integer among the primals",
        lambda p, m: p.vjp(lambda n, x: n * x, 2, 3.0)[1](1.0),
        "integers are refused: close over them",
    ),
    Row("jvp", "several arguments", lambda p, m: p.jvp(lambda x, y: x * y, (2.0, X), (1.0, X))),
    Row("jvp", "`None` in a result", lambda p, m: p.jvp(lambda x: (x * x, None), (2.0,), (1.0,))),
    Row("jvp", "an integer in a result", lambda p, m: p.jvp(lambda x: (x * x, 3), (2.0,), (1.0,)), INTS),
    Row("jvp", "a string in a result", lambda p, m: p.jvp(lambda x: (x * x, "a"), (2.0,), (1.0,)), NO_TREE),
    Row("jvp", "primals that are no tuple", lambda p, m: p.jvp(lambda x: x, 2.0, 1.0)),
    Row("jvp", "fewer tangents", lambda p, m: p.jvp(lambda x, y: x, (2.0, 1.0), (1.0,))),
    Row("jvp", "a tangent of another shape", lambda p, m: p.jvp(lambda x: x, (X,), (np.ones(2),))),
    Row("jvp", "a tangent of another dtype", lambda p, m: p.jvp(lambda x: x, (X,), (np.ones(3, np.int32),))),
    Row(
        "linearize",
        "its function, twice",
        lambda p, m: [p.linearize(lambda x: x**3, 2.0)[1](d) for d in (1.0, 2.0)],
    ),
    Row(
        "jacrev",
        "a tree by a tree",
        lambda p, m: p.jacrev(lambda t: (t["a"] * t["b"], None))({"a": X, "b": 2.0}),
    ),
    Row("jacrev", "an integer in a result", lambda p, m: p.jacrev(lambda x: (x, 3))(2.0)),
    Row(
        "jacfwd",
        "a tree by a tree",
        lambda p, m: p.jacfwd(lambda t: (t["a"] * t["b"], None))({"a": X, "b": 2.0}),
    ),
    Row(
        "jacfwd",
        "an integer in a result",
        lambda p, m: p.jacfwd(lambda x: (x, 3))(2.0),
        "refused, as by `jacrev` (JAX: an integer 0)",
    ),
    Row(
        "jacfwd",
        "an argument without leaves",
        lambda p, m: p.jacfwd(lambda t: 1.0)(()),
        "the empty tree (JAX: an internal error)",
    ),
    Row("hessian", "of an array", lambda p, m: p.hessian(lambda x: m.sum(x**3))(X)),
    Row("hessian", "by two arguments", lambda p, m: p.hessian(lambda x, y: x * x * y, (0, 1))(2.0, 3.0)),
    Row(
        "hvp",
        "there is such a function",
        lambda p, m: hasattr(p, "hvp"),
        "JAX: `jvp(grad(f), primals, tangents)[1]`",
    ),
    Row(
        "vmap",
        "axes of arguments and of the result",
        lambda p, m: p.vmap(lambda x, y: x * y, (0, None), 1)(X, 2.0 * X),
    ),
    Row(
        "vmap",
        "an axis for each leaf of a dict",
        lambda p, m: p.vmap(lambda t: t["a"] * t["b"], ({"a": None, "b": 1},))({"a": X[:2], "b": M}),
    ),
    Row(
        "vmap",
        "arguments by keyword",
        lambda p, m: p.vmap(lambda x, y: m.sum(x) * m.sum(y), in_axes=1)(M, y=M.T),
    ),
    Row("vmap", "`None` among the arguments", lambda p, m: p.vmap(lambda x, y: x)(X, None)),
    Row("vmap", "`axis_size`", lambda p, m: p.vmap(lambda x: x * 2.0, in_axes=None, axis_size=3)(2.0)),
    Row(
        "vmap",
        "`axis_name` and collectives",
        lambda p, m: p.vmap(lambda x: x, axis_name="rows")(X),
        "rows do not see each other",
    ),
    Row("vmap", "no axis at all", lambda p, m: p.vmap(lambda x: x, in_axes=None)(X)),
    Row("vmap", "different numbers of rows", lambda p, m: p.vmap(lambda x, y: x)(X, X[:2])),
    Row("vmap", "an axis that is not there", lambda p, m: p.vmap(lambda x: x, in_axes=1)(X)),
    Row("vmap", "an axis that is no int", lambda p, m: p.vmap(lambda x: x, in_axes=1.0)(X)),
    Row("vmap", "`in_axes` of another length", lambda p, m: p.vmap(lambda x: x, in_axes=(0, 0))(X)),
    Row("vmap", "`out_axes` of another tree", lambda p, m: p.vmap(lambda x: (x, x), out_axes=(0,))(X)),
    Row("vmap", "`out_axes` `None` for what differs", lambda p, m: p.vmap(lambda x: x, out_axes=None)(X)),
    Row(
        "vmap",
        "a branch on a row",
        lambda p, m: p.vmap(lambda x: x if x > 2.0 else -x)(X),
        "it stages: rows take their own branches (JAX: `lax.cond`)",
    ),
    Row("custom_vjp", "the value in a gradient is the rule's", lambda p, m: p.value_and_grad(by_vjp(p))(2.0)),
    Row("custom_vjp", "without a gradient it is the function's", lambda p, m: p.vmap(by_vjp(p))(X)),
    Row(
        "custom_vjp",
        "around a gradient the rule is differentiated",
        lambda p, m: p.grad(lambda x: p.value_and_grad(by_vjp(p))(x)[0])(2.0),
    ),
    Row(
        "custom_vjp",
        "no rule yet",
        lambda p, m: p.grad(p.custom_vjp(lambda x: x))(2.0),
    ),
    Row("custom_jvp", "no rule yet", lambda p, m: p.grad(p.custom_jvp(lambda x: x))(2.0)),
    Row("custom_vjp", "forward mode", lambda p, m: p.jvp(by_vjp(p), (2.0,), (1.0,))),
    Row("custom_vjp", "a closure over what is differentiated", _closure("custom_vjp")),
    Row(
        "custom_vjp", "a forward rule that returns no pair", lambda p, m: _bound(p, p.custom_vjp(lambda x: x))
    ),
    Row("custom_vjp", "a cotangent of another shape", _backward(lambda ct: (np.ones(2),))),
    Row("custom_vjp", "more cotangents than arguments", _backward(lambda ct: (ct, ct))),
    Row("custom_vjp", "`None` for zero", _backward(lambda ct: (None,))),
    Row(
        "custom_jvp",
        "the value in a derivative is the rule's",
        lambda p, m: (p.jvp(by_jvp(p), (2.0,), (1.0,)), p.value_and_grad(by_jvp(p))(2.0)),
    ),
    Row(
        "custom_jvp",
        "around a derivative the rule is differentiated",
        lambda p, m: p.grad(lambda x: p.jvp(by_jvp(p), (x,), (1.0,))[0])(2.0),
    ),
    Row("custom_jvp", "a closure over what is differentiated", _closure("custom_jvp")),
    Row("stop_gradient", "a constant", lambda p, m: p.grad(lambda x: x * _stopped(p)(x))(3.0)),
    Row(
        "checkpoint",
        "policies by name",
        lambda p, m: p.grad(
            p.checkpoint(lambda x: m.sum(m.sin(x @ x)), policy=p.checkpoint_policies.dots_saveable)
        )(X),
    ),
    Row(
        "checkpoint",
        "a policy of one's own",
        lambda p, m: p.grad(p.checkpoint(lambda x: m.sin(x), policy=lambda *_, **__: True))(2.0),
        "the policies are those of `ag.checkpoint_policies`",
    ),
    Row(
        "checkpoint",
        "`static_argnums`",
        lambda p, m: p.grad(p.checkpoint(lambda x, n: x**n, static_argnums=1))(2.0, 3),
    ),
    Row(
        "checkpoint",
        "a Python value without `static_argnums`",
        lambda p, m: p.grad(p.checkpoint(lambda x, n: [x, x * x][n]))(2.0, 1),
        "plain values stay plain: `static_argnums` changes nothing",
    ),
    *_of_dicts("OrderedDict"),
    *_of_dicts("defaultdict"),
]


def _named(x: Any) -> Any:
    return x


def _stopped(p: Any) -> Any:
    return p.stop_gradient if hasattr(p, "stop_gradient") else p.lax.stop_gradient
