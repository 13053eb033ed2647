"""``np.random.normal`` and its like, which draw from a hidden state, and the methods of a ``RandomState``.

    np.random.seed(0)
    x = np.random.normal(mean, 1.0, size=(3, 4))        # each run asks NumPy, in the order of the program

A graph has to know the class, shape and dtype of what it is given: NumPy is asked for them while tracing,
with ones in place of staged arguments, by a generator that is made for that.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np

from autograph._src.input_signature import ArraySpec
from autograph._src.numpy.calls.options import holds_staged
from autograph._src.operators.calls import converted_call
from autograph._src.policy import request_own
from autograph._src.staging.builtins.draws import Draw, made, method_of
from autograph._src.staging.builtins.staged_builtins import OF_DRAWS
from autograph._src.staging.tensors.tensor import Form, Tensor

_SEED = 0
"""Of the generators that are made to see what a call gives."""


def draw(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> object:
    """The result of a method of a ``RandomState``; ``NotImplemented`` if runs cannot ask for it."""
    if function is np.random.RandomState:
        return made(function, *args, **kwargs)
    known = _DRAWS.get(function.__name__)
    return NotImplemented if known is None else known(function.__self__, *args, **kwargs)


OF_DRAWS[np.random.RandomState] = draw


def _distributed(name: str, count: int) -> Callable[..., object]:
    """A draw with so many parameters before its size, all of which may be staged."""

    def drawn(rng: np.random.RandomState, *args: object, **kwargs: object) -> object:
        sizes = (*args[count:], kwargs.get("size"), kwargs.get("dtype"))
        if holds_staged(sizes):
            return NotImplemented  # How many numbers a call gives is known before it.
        found = _result_of(name, args, kwargs)
        if found is NotImplemented:
            return found
        return Draw(rng, method_of(rng, name), found)(*args, **kwargs)

    return drawn


def _result_of(name: str, args: tuple[object, ...], kwargs: dict[str, object]) -> object:
    """The type of what a call gives; ``NotImplemented`` if that cannot be seen without its numbers."""
    try:
        given = tuple(map(_stand_in, args)), {key: _stand_in(value) for key, value in kwargs.items()}
        return _type_of(getattr(np.random.RandomState(_SEED), name)(*given[0], **given[1]))
    except (ValueError, TypeError):
        if holds_staged((*args, *kwargs.values())):
            return NotImplemented
        raise  # As in plain Python.


def _stand_in(value: object) -> Any:
    """Ones in place of what is staged."""
    if isinstance(value, (list, tuple)):
        return type(value)(map(_stand_in, value))
    if not isinstance(value, Tensor):
        return value
    sizes = [size for size in value.sizes if size is not None]
    if len(sizes) < value.ndim:
        raise ValueError("an array whose size only the run knows")
    ones = np.ones(sizes, value.dtype)
    return ones if value.form is Form.ARRAY else ones[()] if value.form is Form.SCALAR else ones.item()


def _type_of(result: object) -> object:
    """The type of a result, for :func:`autograph.py_function`."""
    return ArraySpec.of(result) if isinstance(result, (np.ndarray, np.generic)) else type(result)


def _randint(
    rng: np.random.RandomState, low: object, high: object = None, size: Any = None, dtype: Any = int
) -> object:
    if holds_staged((size, dtype)):
        return NotImplemented
    # Bounds that are right, of the same shapes: their numbers do not matter to the type.
    lows, highs = np.zeros(np.shape(_stand_in(low)), int), np.ones(np.shape(_stand_in(high)), int)
    found = _type_of(np.random.RandomState(_SEED).randint(lows, highs, size, dtype))
    return Draw(rng, method_of(rng, "randint"), found)(low, high, size, dtype)


def _seed(rng: np.random.RandomState, seed: object = None) -> None:
    Draw(rng, method_of(rng, "seed"), None)(seed)


def _choice(
    rng: np.random.RandomState, a: object, size: Any = None, replace: Any = True, p: object = None
) -> Any:
    if holds_staged((size, replace)):
        return NotImplemented
    choice, is_count = method_of(rng, "choice"), not np.ndim(_stand_in(a))
    if is_count:
        found = _type_of(np.random.RandomState(_SEED).choice(1, size))
        return Draw(rng, choice, found)(a, size, replace, p)
    among = converted_call(np.asarray, a)

    @wraps(choice)
    def places(count: int, p: object) -> object:
        return choice(np.arange(count), size, replace, p)

    found = _type_of(np.random.RandomState(_SEED).choice(np.arange(1), size))
    return converted_call(_picked, among, Draw(rng, places, found)(converted_call(len, among), p))


def _picked(values: Any, places: object) -> object:
    return values[places]


def _order(rng: np.random.RandomState, count: Any) -> object:
    """The order in which ``shuffle`` puts so many values: which it moves has no influence on its draws."""
    method = method_of(rng, "shuffle")

    @wraps(method)
    def shuffle() -> object:
        order = np.arange(count)
        method(order)
        return order

    return Draw(rng, shuffle, ArraySpec((count,), np.int64))()


def _permutation(rng: np.random.RandomState, x: object) -> object:
    if not np.ndim(_stand_in(x)):
        return NotImplemented if holds_staged((x,)) else _order(rng, x)
    values = converted_call(np.asarray, x)
    count = converted_call(len, values)
    return converted_call(_picked, values, _order(rng, count)) if type(count) is int else NotImplemented


def _shuffle(rng: np.random.RandomState, x: object) -> object:
    count = converted_call(len, x)
    if type(count) is not int:
        return NotImplemented
    is_array = isinstance(x, (np.ndarray, Tensor))
    return converted_call(_arranged if is_array else _listed, x, _order(rng, count))


def _arranged(x: Any, order: object) -> None:
    x[...] = x[order]


def _listed(x: Any, order: Any) -> None:
    x[:] = [x[place] for place in order]


for _own in (_picked, _arranged, _listed):
    request_own(_own)

_PARAMETERS = {
    0: "rand randn random random_sample standard_normal standard_exponential standard_cauchy tomaxint",
    1: """
        exponential poisson chisquare geometric rayleigh weibull pareto power standard_gamma standard_t zipf
        logseries dirichlet
    """,
    2: """
        normal uniform binomial negative_binomial gamma beta laplace logistic gumbel lognormal vonmises wald f
        noncentral_chisquare multivariate_normal multinomial
    """,
    3: "triangular hypergeometric noncentral_f",
}

_DRAWS: dict[str, Callable[..., object]] = {
    **{name: _distributed(name, count) for count, names in _PARAMETERS.items() for name in names.split()},
    "randint": _randint,
    "seed": _seed,
    "choice": _choice,
    "permutation": _permutation,
    "shuffle": _shuffle,
}
"""By name of the method: what makes its result."""
