"""Draws from Python's ``random``: from the module, and from a ``random.Random`` of the caller.

    random.seed(7)
    if random.random() < p:              # each run asks the module, in the order of the program
        place = random.randrange(n)

The numbers are the module's own: a run leaves its state as plain Python does. What chooses or moves values
(``choice``, ``shuffle``, ``sample``) asks for the places, and chooses or moves in the graph.
"""

from __future__ import annotations

import inspect
import random
from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np

from autograph._src.operators.calls import converted_call
from autograph._src.policy import request_own
from autograph._src.staging.builtins.draws import Draw, made, method_of
from autograph._src.staging.builtins.staged_builtins import OF_DRAWS
from autograph._src.staging.tensors.tensor import Form, Tensor
from autograph._src.staging.trace.active import staging_error

_MOST_BITS = 63
"""So many bits of `getrandbits` are an integer of a graph."""


def _ask(rng: random.Random, name: str, result: object, *args: object, **kwargs: object) -> Any:
    return Draw(rng, method_of(rng, name), result)(*args, **kwargs)


def draw(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> object:
    """The result of a method of a ``random.Random``; ``NotImplemented`` if runs cannot ask for it."""
    if function is random.Random:
        return made(random.Random, *args, **kwargs)
    known = _DRAWS.get(function.__name__)
    if known is None:
        return NotImplemented
    try:
        given = inspect.signature(function).bind(*args, **kwargs)
    except TypeError:
        return function(*args, **kwargs)  # It raises before it draws.
    return known(function.__self__, *given.args, **given.kwargs)


OF_DRAWS[random.Random] = OF_DRAWS[random.SystemRandom] = draw


def _of_floats(name: str) -> Callable[..., object]:
    """A draw that computes with floats of Python."""

    def drawn(rng: random.Random, *args: object, **kwargs: object) -> object:
        for one in (*args, *kwargs.values()):
            if isinstance(one, np.generic) or (isinstance(one, Tensor) and one.form is not Form.PYTHON):
                return NotImplemented  # The result is of NumPy's class then.
        return _ask(rng, name, float, *args, **kwargs)

    return drawn


def _of_ints(name: str) -> Callable[..., object]:
    return lambda rng, *args, **kwargs: _ask(rng, name, int, *args, **kwargs)


def _getrandbits(rng: random.Random, k: object) -> object:
    if isinstance(k, int) and k > _MOST_BITS:
        raise staging_error(
            "AG203",
            f"a draw of {k} bits leaves the 64 bits of an integer in a graph",
            f"draw at most {_MOST_BITS} bits at once",
        )
    return _ask(rng, "getrandbits", int, k)


def _seed(rng: random.Random, *args: object, **kwargs: object) -> None:
    _ask(rng, "seed", None, *args, **kwargs)


def _uniform(rng: random.Random, a: Any, b: Any) -> object:
    return a + (b - a) * _ask(rng, "random", float)


def _gauss(rng: random.Random, mu: Any = 0.0, sigma: Any = 1.0) -> object:
    return mu + _ask(rng, "gauss", float, 0.0, 1.0) * sigma


def _normalvariate(rng: random.Random, mu: Any = 0.0, sigma: Any = 1.0) -> object:
    return mu + _ask(rng, "normalvariate", float, 0.0, 1.0) * sigma


def _expovariate(rng: random.Random, lambd: Any = 1.0) -> object:
    return _ask(rng, "expovariate", float, 1.0) / lambd


def _chosen(seq: Any, below: Callable[[int], int]) -> object:
    """``random.choice``."""
    if not len(seq):
        raise IndexError("Cannot choose from an empty sequence")
    return seq[below(len(seq))]


def _shuffled(x: Any, below: Callable[[int], int]) -> None:
    """``random.shuffle``: swaps in the order of CPython."""
    for i in reversed(range(1, len(x))):
        j = below(i + 1)
        x[i], x[j] = x[j], x[i]


def _picked(population: Any, places: list[int]) -> list[object]:
    return [population[place] for place in places]


for _own in (_chosen, _shuffled, _picked):
    request_own(_own)


def _choice(rng: random.Random, seq: object) -> object:
    return converted_call(_chosen, seq, Draw(rng, method_of(rng, "_randbelow"), int))


def _shuffle(rng: random.Random, x: object) -> None:
    converted_call(_shuffled, x, Draw(rng, method_of(rng, "_randbelow"), int))


def _places(
    rng: random.Random, name: str, population: object, k: object, *args: object, **kwargs: object
) -> object:
    """The elements at places that a method draws among those of a range of the same length."""
    if not isinstance(k, int):
        return NotImplemented  # How many values a call gives is known before it.
    method = method_of(rng, name)

    @wraps(method)
    def among(count: int, *args: object, **kwargs: object) -> object:
        return method(range(count), *args, k=k, **kwargs)

    places = Draw(rng, among, [int] * k)(converted_call(len, population), *args, **kwargs)
    return converted_call(_picked, population, places)


def _sample(rng: random.Random, population: object, k: object, *, counts: object = None) -> object:
    return NotImplemented if counts is not None else _places(rng, "sample", population, k)


def _choices(
    rng: random.Random,
    population: object,
    weights: object = None,
    *,
    cum_weights: object = None,
    k: object = 1,
) -> object:
    return _places(rng, "choices", population, k, weights, cum_weights=cum_weights)


_DRAWS: dict[str, Callable[..., object]] = {
    "random": lambda rng: _ask(rng, "random", float),
    "seed": _seed,
    "getrandbits": _getrandbits,
    "uniform": _uniform,
    "gauss": _gauss,
    "normalvariate": _normalvariate,
    "expovariate": _expovariate,
    "choice": _choice,
    "shuffle": _shuffle,
    "sample": _sample,
    "choices": _choices,
    **{name: _of_ints(name) for name in ("randrange", "randint", "binomialvariate")},
    **{
        name: _of_floats(name)
        for name in (
            *("triangular", "betavariate", "gammavariate", "lognormvariate"),
            *("paretovariate", "vonmisesvariate", "weibullvariate"),
        )
    },
}
"""By name of the method: what makes its result."""
