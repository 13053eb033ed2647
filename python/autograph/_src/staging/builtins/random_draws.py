"""Draws from Python's ``random``: from the module, and from a ``random.Random`` of the caller.

    random.seed(7)
    if random.random() < p:              # each run asks the module, in the order of the program
        place = random.randrange(n)

The numbers are the module's own: a run leaves its state as plain Python does. Each draw is a call of
:func:`autograph.py_function`. What chooses or moves values (``choice``, ``shuffle``, ``sample``) asks for the
places, and chooses or moves in the graph.
"""

from __future__ import annotations

import inspect
import random
import threading
from collections.abc import Callable
from functools import wraps
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from autograph._src.operators.calls import converted_call
from autograph._src.policy import request_own
from autograph._src.py_function import PyFunction
from autograph._src.staging.builtins.staged_builtins import OF_RANDOM
from autograph._src.staging.tensors.tensor import Form, Tensor
from autograph._src.staging.trace.active import require_trace, staging_error

_MOST_BITS = 63
"""So many bits of `getrandbits` are an integer of a graph."""


class _OfRuns(threading.local):
    """What stands in a thread for a ``random.Random`` that the program makes: a run may be made in each."""

    def __init__(self) -> None:
        self.rng = random.Random()


_MADE: WeakKeyDictionary[random.Random, _OfRuns] = WeakKeyDictionary()
"""By object that a recording has made: those of the runs."""


class _Draw(PyFunction[..., Any]):
    """A method of a ``random.Random`` that runs ask."""

    __slots__ = ()

    def __init__(self, method: Callable[..., Any], result: object) -> None:
        super().__init__(method, result)
        self.__module__ = __name__  # What it asks is its own: a run makes the call.

    def __repr__(self) -> str:
        return f"`random.{self.__wrapped__.__name__}`"


def _method(rng: random.Random, name: str) -> Callable[..., Any]:
    """A method of what stands for an object in a run."""
    made, method = _MADE.get(rng), getattr(rng, name)
    if made is None:
        return method  # type: ignore[no-any-return]
    return wraps(method)(lambda *args, **kwargs: getattr(made.rng, name)(*args, **kwargs))


def _ask(rng: random.Random, name: str, result: object, *args: object, **kwargs: object) -> Any:
    return _Draw(_method(rng, name), result)(*args, **kwargs)


def made(x: object = None) -> random.Random:
    """``random.Random(x)``, which is seeded wherever a run comes to it: what it was before is over then."""
    trace = require_trace()
    if trace.recordings:
        raise staging_error(
            "AG123",
            "a recursive function makes a `random.Random` in each call, and a run has one of them",
            "make it outside, and pass it as an argument",
        )
    rng = random.Random()
    _MADE[rng] = _OfRuns()
    _seed(rng, x)
    return rng


def draw(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> object:
    """The result of a method of a ``random.Random``; ``NotImplemented`` if runs cannot ask for it."""
    if function is random.Random:
        return made(*args, **kwargs)
    known = _DRAWS.get(function.__name__)
    if known is None or type(function.__self__) not in (random.Random, random.SystemRandom):
        return NotImplemented
    try:
        given = inspect.signature(function).bind(*args, **kwargs)
    except TypeError:
        return function(*args, **kwargs)  # It raises before it draws.
    return known(function.__self__, *given.args, **given.kwargs)


OF_RANDOM.append(draw)


def _of_floats(name: str) -> Callable[..., Any]:
    """A draw that computes with floats of Python."""

    def drawn(rng: random.Random, *args: object, **kwargs: object) -> Any:
        for one in (*args, *kwargs.values()):
            if isinstance(one, np.generic) or (isinstance(one, Tensor) and one.form is not Form.PYTHON):
                return NotImplemented  # The result is of NumPy's class then.
        return _ask(rng, name, float, *args, **kwargs)

    return drawn


def _of_ints(name: str) -> Callable[..., Any]:
    return lambda rng, *args, **kwargs: _ask(rng, name, int, *args, **kwargs)


def _getrandbits(rng: random.Random, k: Any) -> Any:
    if isinstance(k, int) and k > _MOST_BITS:
        raise staging_error(
            "AG203",
            f"a draw of {k} bits leaves the 64 bits of an integer in a graph",
            f"draw at most {_MOST_BITS} bits at once",
        )
    return _ask(rng, "getrandbits", int, k)


def _seed(rng: random.Random, *args: object, **kwargs: object) -> None:
    _ask(rng, "seed", None, *args, **kwargs)


def _uniform(rng: random.Random, a: Any, b: Any) -> Any:
    return a + (b - a) * _ask(rng, "random", float)


def _gauss(rng: random.Random, mu: Any = 0.0, sigma: Any = 1.0) -> Any:
    return mu + _ask(rng, "gauss", float, 0.0, 1.0) * sigma


def _normalvariate(rng: random.Random, mu: Any = 0.0, sigma: Any = 1.0) -> Any:
    return mu + _ask(rng, "normalvariate", float, 0.0, 1.0) * sigma


def _expovariate(rng: random.Random, lambd: Any = 1.0) -> Any:
    return _ask(rng, "expovariate", float, 1.0) / lambd


def _chosen(seq: Any, below: Any) -> Any:
    """``random.choice``."""
    if not len(seq):
        raise IndexError("Cannot choose from an empty sequence")
    return seq[below(len(seq))]


def _shuffled(x: Any, below: Any) -> None:
    """``random.shuffle``: swaps in the order of CPython."""
    for i in reversed(range(1, len(x))):
        j = below(i + 1)
        x[i], x[j] = x[j], x[i]


def _picked(population: Any, places: Any) -> list[Any]:
    return [population[place] for place in places]


for _own in (_chosen, _shuffled, _picked):
    request_own(_own)


def _choice(rng: random.Random, seq: Any) -> Any:
    return converted_call(_chosen, seq, _Draw(_method(rng, "_randbelow"), int))


def _shuffle(rng: random.Random, x: Any) -> None:
    converted_call(_shuffled, x, _Draw(_method(rng, "_randbelow"), int))


def _places(rng: random.Random, name: str, population: Any, k: Any, *args: Any, **kwargs: Any) -> Any:
    """The elements at places that a method draws among those of a range of the same length."""
    if not isinstance(k, int):
        return NotImplemented  # How many values a call gives is known before it.
    method = _method(rng, name)

    @wraps(method)
    def among(count: int, *args: Any, **kwargs: Any) -> Any:
        return method(range(count), *args, k=k, **kwargs)

    places = _Draw(among, [int] * k)(converted_call(len, population), *args, **kwargs)
    return converted_call(_picked, population, places)


def _sample(rng: random.Random, population: Any, k: Any, *, counts: Any = None) -> Any:
    return NotImplemented if counts is not None else _places(rng, "sample", population, k)


def _choices(
    rng: random.Random, population: Any, weights: Any = None, *, cum_weights: Any = None, k: Any = 1
) -> Any:
    return _places(rng, "choices", population, k, weights, cum_weights=cum_weights)


_DRAWS: dict[str, Callable[..., Any]] = {
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
