"""``np.random.Generator`` in staged functions: draws that happen when the graph runs.

    def walk(n, rng):
        x = 0.0
        for _ in range(n):              # staged: every iteration draws another number
            x = x + rng.normal()
        return x

    ag.function(walk)(1000, np.random.default_rng(0))

The numbers are not those of NumPy's stream: element ``i`` of a draw is Philox4x32-10 of the stream's key at
``counter + i``. The key is a hash of the generator's state when it is first used. The counter is a graph
value that draws write in place like an array. So a draw in a staged branch advances the counter only if the
branch runs, two calls with one generator draw different numbers, and a fresh ``default_rng(0)`` gives the
same numbers each time. The generator's own NumPy stream is not advanced. A call that fails does not advance
the counter.
"""

from __future__ import annotations

import hashlib
import math
import operator
from collections.abc import Callable, Sequence
from typing import Any, NoReturn
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import DTypeLike, NDArray

from autograph._src.articles import with_article
from autograph._src.backends.protocol import type_name
from autograph._src.numpy.calls.registry import creator, rank_of, refuse_options
from autograph._src.staging.tensors.lifting import check_dtype, constant, lift
from autograph._src.staging.tensors.python_scalars import truth
from autograph._src.staging.tensors.sizes import broadcast, equal, may_be_equal, shape_of, size_of
from autograph._src.staging.tensors.tensor import Form, Tensor, emit, shape_text, wrap
from autograph._src.staging.trace.active import require_trace, staging_error
from autograph._src.staging.trace.facts import Fact
from autograph._src.staging.trace.restarts import begin_again
from autograph._src.staging.trace.statements import record_error_unless

# Streams

_STATES: WeakKeyDictionary[Any, NDArray[np.int64]] = WeakKeyDictionary()
"""Key and counter of each stream, by the lock of its bit generator, which has the same lifetime."""


def stream_state(generator: np.random.Generator) -> NDArray[np.int64]:
    """Key and counter of the stream of a generator from outside; the graph writes the counter back."""
    lock = generator.bit_generator.lock
    state = _STATES.get(lock)
    if state is None:
        state = _STATES[lock] = _initial_state(generator)
    return state


def _initial_state(generator: np.random.Generator) -> NDArray[np.int64]:
    digest = hashlib.blake2b(_canonical(generator.bit_generator.state), digest_size=8).digest()
    return np.array([int.from_bytes(digest, "little", signed=True), 0], np.int64)


def _canonical(value: object) -> bytes:
    """The state of a bit generator as bytes."""
    if isinstance(value, dict):
        return b"".join(key.encode() + b"=" + _canonical(value[key]) + b";" for key in sorted(value))
    return value.tobytes() if isinstance(value, np.ndarray) else repr(value).encode()


def stream_of(generator: np.random.Generator) -> StagedGenerator:
    """The staged generator that stands for a generator in the running trace.

    Raises:
        Learned: If the function has to be recorded again with the generator's stream as an input.
        StagingError: If the generator was made while tracing, but not by ``default_rng``.
    """
    if isinstance(generator, StagedGenerator):
        return generator
    trace = require_trace()
    if trace.journal.was_created(generator):
        raise staging_error(
            "AG123",
            "this generator was made while tracing, and its numbers would be the same in every call",
            "make it with `np.random.default_rng(seed)`, or pass it as an argument",
        )
    known = trace.streams.get(id(stream_state(generator)))
    if known is None:
        if all(one is not generator for one in trace.facts.generators):
            trace.facts.generators.append(generator)
        begin_again(Fact.GENERATORS)
    return known  # type: ignore[no-any-return]


def open_stream(generator: np.random.Generator, value: int) -> Tensor:
    """Notes that a graph value is the state of a generator from outside.

    Args:
        generator: The generator.
        value: An input of the graph, key and counter.

    Returns:
        The state as a tensor; its version tells whether the graph draws.
    """
    trace = require_trace()
    state = Tensor(trace, value, Form.ARRAY)
    trace.streams[id(stream_state(generator))] = StagedGenerator(state)
    return state


@creator(np.random.default_rng)
def _default_rng(seed: Any = None) -> object:
    if isinstance(seed, np.random.Generator):
        return seed
    if seed is None:
        raise staging_error(
            "AG123",
            "`np.random.default_rng()` would take its seed once, while tracing",
            "give it a seed, or pass a generator as an argument",
        )
    if isinstance(seed, Tensor):
        raise staging_error(
            "AG101",
            "the seed of `np.random.default_rng` depends on data, and is needed while tracing",
            "make the generator outside of the staged function, and pass it as an argument",
        )
    state = _initial_state(np.random.default_rng(seed))
    return require_trace().journal.created(StagedGenerator(constant(state, np.int64, Form.ARRAY)))


def call_generator(
    generator: np.random.Generator, name: str, args: tuple[Any, ...], kwargs: dict[Any, Any]
) -> object:
    """``generator.name(*args, **kwargs)`` in a trace."""
    return getattr(stream_of(generator), name)(*args, **kwargs)


# Draws


def _hold(holds: NDArray[Any] | Tensor | bool | np.generic, error: type[Exception], message: str) -> None:
    """Checks a condition on parameters: raises now if they are plain, else when the graph runs."""
    if isinstance(holds, Tensor):
        record_error_unless(truth(lift(np.all(holds))), error, message)
    elif not np.all(holds):
        raise error(message)


def _shape(size: object, *parameters: Any) -> tuple[Any, ...]:
    """The shape of a draw: ``size``, or the broadcast shape of the parameters."""
    natural = broadcast(*(np.shape(parameter) for parameter in parameters)) if parameters else []
    if size is None:
        return tuple(natural)
    shape = shape_of(size)
    together = broadcast(natural, shape)
    if not may_be_equal(together, shape):
        raise ValueError(_misfit(shape, natural))
    for common, wanted in zip(together, shape, strict=True):
        _hold(equal(common, wanted), ValueError, _misfit(shape, natural))
    return tuple(shape)


def _misfit(shape: Sequence[Any], natural: Sequence[Any]) -> str:
    """NumPy's message for shapes that do not fit, with `?` for sizes that only the run knows."""
    size, inputs = (
        shape_text(tuple(n if isinstance(n, int) else None for n in one)) for one in (shape, natural)
    )
    return f"Output size {size} is not compatible with broadcast dimensions of inputs {inputs}."


def _double(value: object) -> object:
    """A parameter as a float64, which is no longer weakly typed."""
    return lift(value).astype(np.float64)


class StagedGenerator(np.random.Generator):
    """A generator whose draws are recorded.

    Attributes:
        stream: Key and counter, an array of the graph that draws write in place.
    """

    def __init__(self, stream: Tensor) -> None:
        super().__init__(np.random.Philox(0))
        self.stream = stream

    def _draw(self, draw: str, dtype: str, shape: tuple[Any, ...], *bounds: int) -> Tensor:
        """Records a draw and advances the counter by the number of elements."""
        state = self.stream.read()
        key, counter = (emit("reshape", emit("slice", state, [place], [1], [1]), []) for place in (0, 1))
        sizes = [None if isinstance(one, Tensor) else one for one in shape]
        # Of integers the bounds say how many.
        rest = bounds or [one.read() for one in shape if isinstance(one, Tensor)]
        numbers = emit("random", f"random_{draw}", dtype, sizes, [key, counter, *rest])
        further = emit("reshape", emit("binary", "add", counter, lift(math.prod(shape)).read()), [1])
        self.stream.write(emit("update_slice", state, further, [1], [1]))
        return wrap(numbers, Form.ARRAY)

    def _standard(
        self, draw: str, size: object, dtype: DTypeLike | None = np.float64, out: object = None
    ) -> object:
        refuse_options(np.random.Generator.random, {"out": out})
        kind = np.dtype(dtype)
        if kind not in (np.float32, np.float64):
            raise TypeError(f"Unsupported dtype {kind!r} for {draw}")
        return _result(self._draw(draw, kind.name, _shape(size)), size is None)

    def _scaled(self, draw: str, transform: Callable[..., Any], size: object, *parameters: object) -> object:
        """Transforms a standard draw with the parameters as float64."""
        shape = _shape(size, *parameters)
        numbers = self._draw(draw, "float64", shape)
        return _result(transform(numbers, *map(_double, parameters)), size is None)

    def random(self, size: object = None, dtype: Any = np.float64, out: object = None) -> Any:
        """Uniform draws from [0, 1)."""
        return self._standard("uniform", size, dtype, out)

    def standard_normal(self, size: object = None, dtype: Any = np.float64, out: object = None) -> Any:
        """Normal draws of mean 0 and variance 1."""
        return self._standard("normal", size, dtype, out)

    def standard_exponential(
        self, size: object = None, dtype: Any = np.float64, method: str = "zig", out: object = None
    ) -> Any:
        """Exponential draws of mean 1."""
        return self._standard("exponential", size, dtype, out)

    def uniform(self, low: Any = 0.0, high: Any = 1.0, size: object = None) -> Any:
        """Uniform draws from [low, high)."""
        _hold(np.isfinite(np.subtract(high, low)), OverflowError, "high - low range exceeds valid bounds")
        return self._scaled("uniform", lambda u, a, b: a + (b - a) * u, size, low, high)

    def normal(self, loc: Any = 0.0, scale: Any = 1.0, size: object = None) -> Any:
        """Normal draws of mean ``loc`` and standard deviation ``scale``."""
        _hold(np.greater_equal(scale, 0), ValueError, "scale < 0")
        return self._scaled("normal", lambda z, mean, width: mean + width * z, size, loc, scale)

    def lognormal(self, mean: Any = 0.0, sigma: Any = 1.0, size: object = None) -> Any:
        """The exponential function of normal draws."""
        _hold(np.greater_equal(sigma, 0), ValueError, "sigma < 0")
        return self._scaled("normal", lambda z, m, width: np.exp(m + width * z), size, mean, sigma)

    def exponential(self, scale: Any = 1.0, size: object = None) -> Any:
        """Exponential draws of mean ``scale``."""
        _hold(np.greater_equal(scale, 0), ValueError, "scale < 0")
        return self._scaled("exponential", lambda e, width: width * e, size, scale)

    def rayleigh(self, scale: Any = 1.0, size: object = None) -> Any:
        """Rayleigh draws: the length of a vector of two normal draws."""
        _hold(np.greater_equal(scale, 0), ValueError, "scale < 0")
        return self._scaled("exponential", lambda e, width: width * np.sqrt(2.0 * e), size, scale)

    def weibull(self, a: Any, size: object = None) -> Any:
        """Weibull draws of shape ``a``."""
        _hold(np.greater(a, 0), ValueError, "a <= 0")
        return self._scaled("exponential", lambda e, shape: e ** (1.0 / shape), size, a)

    def integers(
        self, low: Any, high: Any = None, size: object = None, dtype: Any = np.int64, endpoint: bool = False
    ) -> Any:
        """Uniform integers from [low, high), or from [low, high] with ``endpoint``."""
        first, last = (0, low) if high is None else (low, high)
        kind = np.dtype(dtype)
        check_dtype(kind)
        shape = _shape(size, first, last)
        if not endpoint and not isinstance(last, Tensor):
            # An exclusive bound of 2**63 does not fit into int64, but the inclusive bound below it does.
            ends, is_after = np.asarray(last, object), False
            last = (ends - 1).astype(np.int64) if ends.ndim else operator.index(last) - 1
        else:
            is_after = not endpoint
        message = "low > high" if endpoint else "low >= high"
        _hold(np.less(first, last) if is_after else np.less_equal(first, last), ValueError, message)
        lower, upper = lift(first).astype(np.int64), lift(last).astype(np.int64)
        upper = upper - np.int64(1) if is_after else upper
        limits = (0, 1) if kind.kind == "b" else (np.iinfo(kind).min, np.iinfo(kind).max)
        if kind != np.int64:
            _hold(lower >= limits[0], ValueError, f"low is out of bounds for {kind.name}")
            _hold(upper <= limits[1], ValueError, f"high is out of bounds for {kind.name}")
        bounds = [lift(np.broadcast_to(one, shape)).read() for one in (lower, upper)]
        numbers = self._draw("integers", "int64", shape, *bounds).astype(kind)
        return numbers if shape or size is not None else wrap(lift(numbers).read(), Form.SCALAR)

    def _order(self, count: int) -> Any:
        """The numbers below ``count`` in random order, found by sorting random words."""
        ends = np.iinfo(np.int64)
        return np.argsort(self.integers(ends.min, ends.max, count, endpoint=True))

    def permutation(self, x: Any, axis: int = 0) -> Any:
        """A shuffled copy of an array, or of ``arange(x)``."""
        if isinstance(x, (int, np.integer)) or (isinstance(x, Tensor) and not x.shape):
            return self._order(size_of(x))
        values = lift(x)
        return np.take(values, self._order(values.shape[axis]), axis=axis)

    def shuffle(self, x: object, axis: int = 0) -> None:
        """Shuffles an array in place."""
        if not isinstance(x, Tensor):
            raise staging_error(
                "AG107",
                f"`Generator.shuffle` of {with_article(type_name(x))} is not supported in a staged function",
                "shuffle an array that is made in the staged function or passed to it",
            )
        x[...] = self.permutation(x, axis)

    def choice(
        self,
        a: Any,
        size: object = None,
        replace: bool = True,
        p: Any = None,
        axis: int = 0,
        shuffle: bool = True,
    ) -> Any:
        """Draws elements of an array, or of ``arange(a)``, with or without replacement."""
        is_count = rank_of(a) == 0
        values = None if is_count else lift(a)
        count = size_of(a) if values is None else values.shape[axis]
        shape = _shape(size)
        has_some = np.logical_or(np.greater(count, 0), np.equal(math.prod(shape), 0))
        _hold(has_some, ValueError, "a cannot be empty unless no samples are taken")
        if replace:
            picks = self.integers(0, count, shape) if p is None else self._weighted(lift(p), count, shape)
        else:
            picks = self._distinct(count, shape, p)
        if size is None:
            picks = wrap(lift(picks).read(), Form.SCALAR)
        return picks if values is None else np.take(values, picks, axis=axis)

    def _distinct(self, count: Any, shape: tuple[Any, ...], p: object) -> Any:
        wanted = math.prod(shape)
        if p is not None:
            raise staging_error("AG108", "`p=` of `Generator.choice` without replacement is not supported")
        message = "Cannot take a larger sample than population when replace is False"
        _hold(np.less_equal(wanted, count), ValueError, message)
        return np.reshape(self._order(count)[:wanted], shape)

    def _weighted(self, p: Tensor, count: object, shape: tuple[Any, ...]) -> Any:
        """Indices drawn with probabilities ``p``: the first interval of their running sum beyond a draw."""
        if p.ndim != 1:
            raise ValueError("p must be 1-dimensional")
        _hold(equal(p.shape[0], count), ValueError, "a and p must have same size")
        _hold(p >= 0, ValueError, "Probabilities are not non-negative")
        ends = np.cumsum(p.astype(np.float64))
        _hold(np.abs(ends[-1] - 1.0) <= 1.5e-8, ValueError, "Probabilities do not sum to 1.")
        beyond = self._draw("uniform", "float64", shape)
        return np.sum((np.expand_dims(beyond, -1) >= ends / ends[-1]).astype(np.int64), axis=-1)


def _result(numbers: object, is_scalar: bool) -> object:
    """The result of a draw: a Python float if there is no ``size`` and the parameters are scalars."""
    tensor = lift(numbers)
    if tensor.shape or not is_scalar:
        return tensor
    return wrap(lift(tensor.astype(np.float64)).read(), Form.PYTHON)


def _refusing(name: str) -> object:
    def refuse(self: StagedGenerator, *args: object, **kwargs: object) -> NoReturn:
        raise staging_error(
            "AG107",
            f"`Generator.{name}` in a staged function is not supported yet",
            "draw it outside the staged function and pass it as an argument",
        )

    refuse.__name__ = name
    return property(refuse) if name == "bit_generator" else refuse


for _name in dir(np.random.Generator):
    if not _name.startswith("_") and _name not in vars(StagedGenerator):
        setattr(StagedGenerator, _name, _refusing(_name))
