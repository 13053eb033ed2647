"""Functions that need a loop in the graph: ``np.add.at``, ``np.gcd``, ``np.lcm``.

``np.add.at(x, [0, 0], 1)`` adds 2 to ``x[0]``: updates happen in order, and each sees the one before::

    for k in range(len(indices)):
        x[indices[k]] = x[indices[k]] + values[k]
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from autograph._src.dtype_names import dtype_name
from autograph._src.numpy.calls.index_arguments import as_index_array
from autograph._src.numpy.calls.registry import unsupported_option
from autograph._src.numpy.elementwise.ufuncs import BINARY, COMPOSED, METHODS, apply, composed
from autograph._src.numpy.shapes.shapes import select
from autograph._src.numpy.shapes.writing import written
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.sizes import broadcast
from autograph._src.staging.tensors.tensor import Form, Tensor, emit, wrap
from autograph._src.staging.trace.active import require_trace
from autograph._src.staging.trace.recorder import Value


def count_up(count: object, start: Value, body: Callable[[Value, Value], Value]) -> Value:
    """The loop-carried value after ``count`` iterations of ``value = body(index, value)``."""
    builder = require_trace().builder
    bounds = (lift(0).read(), lift(count).read(), lift(1).read())
    types = [("int64", []), builder.type_of(start)]
    region = builder.region(types, lambda params: [body(*params)])
    return require_trace().locate().for_(bounds, [start], region)[0]


def _at(ufunc: np.ufunc) -> Callable[..., Any]:
    def at(a: object, indices: Any, b: object, /) -> None:
        target = written(a, ufunc)
        axes = _places(ufunc, indices, target)
        shape, rest = tuple(broadcast(*(one.shape for one in axes))), target.shape[len(axes) :]
        count = math.prod(shape)
        # Unlike in `x + b`, NumPy makes a Python number an array here, and casts the result to any dtype.
        values = np.broadcast_to(wrap(lift(b).read(), Form.ARRAY), shape + rest)
        sources = [lift(np.reshape(np.broadcast_to(one, shape), (count,))).read() for one in axes]
        picked = lift(np.reshape(values, (count, *rest))).read()

        def step(index: Value, value: Value) -> Value:
            place = [emit("gather", source, [index], 0) for source in sources]
            old = wrap(emit("gather", value, place, 0))
            new = lift(apply(ufunc, old, wrap(emit("gather", picked, [index], 0)))).astype(target.dtype)
            return emit("scatter", value, new.read(), place, 0)

        target.write(count_up(count, target.read(), step))

    return at


def _places(ufunc: np.ufunc, indices: Any, target: Tensor) -> list[Tensor]:
    """Index arrays of the first axes of an array; a mask stands for those of its true elements."""
    places: list[Tensor] = []
    for one in indices if isinstance(indices, tuple) else (indices,):
        one = as_index_array(one)
        given = lift(one) if not isinstance(one, slice) and one is not None and one is not Ellipsis else None
        if given is None or given.dtype.kind not in "iub" or (given.dtype.kind == "b" and not given.ndim):
            raise unsupported_option(ufunc, "indices")
        places.extend(np.nonzero(given) if given.dtype.kind == "b" else (given,))  # type: ignore[arg-type]
    if not places or len(places) > target.ndim:
        raise unsupported_option(ufunc, "indices")
    return places


for _ufunc in sorted(BINARY | COMPOSED.keys(), key=lambda ufunc: ufunc.__name__):
    if _ufunc.nin == 2 and _ufunc.nout == 1 and _ufunc.signature is None:
        METHODS[_ufunc, "at"] = _at(_ufunc)


def _divisor(x: Tensor, y: Tensor) -> Tensor:
    """The greatest common divisor by Euclid's algorithm, repeated until every element is done."""
    shape = list(np.broadcast_shapes(x.shape, y.shape))
    first, second = (emit("broadcast", lift(apply(np.absolute, one)).read(), shape) for one in (x, y))
    builder = require_trace().builder

    def goes_on(value: Value) -> Value:
        return lift(np.any(apply(np.not_equal, wrap(value), 0))).read()

    def step(params: list[Value]) -> list[Value]:
        larger, smaller = map(wrap, params[1:])
        is_done = apply(np.equal, smaller, 0)
        divisor = select(is_done, larger, smaller)
        rest = select(is_done, smaller, apply(np.remainder, larger, smaller))
        return [goes_on(rest.read()), divisor.read(), rest.read()]

    entry = goes_on(second)
    types = [("bool", []), *[(dtype_name(x.dtype), shape)] * 2]
    test = builder.region(types, lambda params: params[:1])
    body = builder.region(types, step)
    return wrap(require_trace().locate().while_([entry, first, second], test, body)[1])


@composed(np.gcd)
def _gcd(x: Any, y: Any) -> Tensor:
    return _divisor(x, y)


@composed(np.lcm)
def _lcm(x: Any, y: Any) -> object:
    product = apply(np.multiply, apply(np.floor_divide, x, _divisor(x, y)), y)
    return apply(np.absolute, product)
