"""``ag.py_function``: functions that stay Python, and that the running graph calls.

    @ag.py_function(result=ag.ArraySpec((3,)))
    def look_up(key):
        return np.asarray(table[int(key)])      # any Python at all

    @ag.function
    def f(key, x):
        return look_up(key) * x                 # the graph stops here, asks Python, and goes on

A call in a staged function is an ordered effect: each run makes the call as often as the program says, in
the program's order, and raises the exception that the call raises. Outside staged functions the call is
an ordinary one.
"""

from __future__ import annotations

import dataclasses
import functools
import inspect
import typing
from collections.abc import Callable, Iterator
from typing import Any, Generic, ParamSpec, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from autograph._src.backends.protocol import backend_of
from autograph._src.dtype_names import dtype_name
from autograph._src.input_signature import ArraySpec
from autograph._src.named_callables import Making, NamedCallable
from autograph._src.operators.calls import backend_inside
from autograph._src.staging.complex.complex_tensor import made, part_dtype, plain_complex
from autograph._src.staging.kinds.leaves import leaves_of
from autograph._src.staging.kinds.optionals import required
from autograph._src.staging.narrow.carriers import CARRIERS
from autograph._src.staging.narrow.narrow_tensor import plain_narrow
from autograph._src.staging.tensors.lifting import check_dtype, lift
from autograph._src.staging.tensors.plain_values import plain_value
from autograph._src.staging.tensors.tensor import Form, Tensor, wrap
from autograph._src.staging.trace.active import current_trace, require_trace, staging_error
from autograph._src.staging.trace.sites import Site, words_of_call
from autograph._src.staging.trace.trace import Trace
from autograph._src.staging.trace.watch import Watch
from autograph._src.trees import flatten
from autograph._src.variable import value_of

P = ParamSpec("P")
R = TypeVar("R")

_PYTHON_TYPES: dict[Any, str] = {float: "float64", int: "int64", bool: "bool", complex: "complex128"}
_HELP = "say what it gives: `@ag.py_function(result=ag.ArraySpec((3,)))`, or annotate it: `-> float`"


class PyFunction(NamedCallable, Generic[P, R]):
    """A function that stays Python, made by :func:`autograph.py_function`.

    Attributes:
        __wrapped__: The user's function.

    Example:
        >>> import autograph as ag
        >>> @ag.py_function
        ... def length(text) -> int:
        ...     return len(text)
        >>> length, length("four"), length.__wrapped__("four")
        (<ag.py_function length>, 4, 4)
    """

    __slots__ = ("__dict__", "__weakref__", "_result")

    def __init__(self, function: Callable[P, R], result: Any) -> None:
        functools.update_wrapper(self, function)
        self.__wrapped__ = function
        self._result = result

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Call the function: now, or in a staged function whenever the graph runs.

        Args:
            *args: The positional arguments of the user's function; they may be staged.
            **kwargs: Its named arguments.

        Returns:
            The function's result; in a staged function a staged value of the declared type.

        Raises:
            StagingError: In a staged function, if the type of the result is not declared (AG127).
            TypeError: When a graph runs and the result is not of the declared type.
        """
        if current_trace() is None:
            return self.__wrapped__(*args, **kwargs)
        return self._record(args, kwargs)  # type: ignore[no-any-return]

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        return self if instance is None else functools.partial(self, instance)

    def _making(self) -> Making:
        return PyFunction, (self.__wrapped__, self._result)

    def __repr__(self) -> str:
        return f"<ag.py_function {getattr(self.__wrapped__, '__qualname__', self.__wrapped__)}>"

    def _record(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        trace = require_trace()
        self._begin(trace)
        trace.may_raise(
            "Exception",
            reason="what Python raises in a running graph goes to no handler of the staged function",
            help=f"catch it inside of `{getattr(self.__wrapped__, '__name__', 'the function')}`, and give"
            " back a value that says so",
        )
        leaves: list[Any] = []
        kept = tuple(map(_kept, args)), {name: _kept(value) for name, value in kwargs.items()}
        _, rebuild = flatten(kept, leaves)
        leaves = [value_of(required(leaf)) for leaf in leaves]
        staged = [(place, lift(leaf)) for place, leaf in enumerate(leaves) if isinstance(leaf, Tensor)]
        # A graph passes a complex argument as two real values.
        kinds = [(place, tensor.form, tensor.dtype) for place, tensor in staged]
        specs: list[Any] = []
        shape, make = flatten(self._specified(args, kwargs), specs)
        types = [one for spec in specs if spec is not None for one in _graph_types(self, spec)]

        held = trace.held_variables

        def run(arrays: list[NDArray[Any]]) -> list[NDArray[Any]]:
            values = list(leaves)
            rest = iter(arrays)
            for place, kind, dtype in kinds:
                array: Any = next(rest)
                if dtype.kind == "c":
                    array = plain_complex(Form.ARRAY, array, next(rest))
                elif dtype in CARRIERS:
                    array = plain_narrow(Form.ARRAY, array, dtype)
                array.flags.writeable = False  # The graph would not see a write.
                values[place] = plain_value(kind, array)
            given_args, given_kwargs = rebuild(values)
            made = Watch()
            made.add((given_args, given_kwargs))
            results: list[Any] = []
            given_args = tuple(map(_unwrapped, given_args))
            given_kwargs = {name: _unwrapped(value) for name, value in given_kwargs.items()}
            with held.within_run():
                given, _ = flatten(self.__wrapped__(*given_args, **given_kwargs), results)
            changed = made.snapshot.first_change()
            if changed is not None:
                raise TypeError(f"{self!r} changed {changed} of the staged function, which does not see it")
            if given != shape:
                raise TypeError(f"{self!r} gave another tree than it says")
            pairs = zip(specs, results, strict=True)
            fitted = (_fitted(self, spec, value) for spec, value in pairs)
            return [part for array in fitted if array is not None for part in _parts(array)]

        operands = [part.read() for _, tensor in staged for part in leaves_of(tensor)]
        handed = [f"{{{number}}}" for number in range(len(operands))]
        name = getattr(self.__wrapped__, "__qualname__", type(self.__wrapped__).__name__)
        trace.sites.append(Site(run, words_of_call(name, handed)))
        values = iter(trace.locate().callback(len(trace.sites) - 1, operands, types))
        return make([None if spec is None else _staged(spec, values) for spec in specs])

    def _begin(self, trace: Trace) -> None:
        """Refuses the call where the function would not see what the staged function has written."""
        trace.callers_objects.refuse_callback(repr(self))

    def _specified(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> object:
        """The type of the result, as declared by ``result=`` or by the annotation."""
        if self._result is not inspect.Signature.empty:
            is_function = callable(self._result) and self._result not in _PYTHON_TYPES
            return self._result(*args, **kwargs) if is_function else self._result
        hints = (
            typing.get_type_hints(self.__wrapped__) if hasattr(self.__wrapped__, "__annotations__") else {}
        )
        if "return" not in hints:
            raise staging_error("AG127", f"what {self!r} gives is not known", _HELP)
        return _from_annotation(self, hints["return"])


class _AsItIs:
    """An argument from outside of the trace: the function gets this very object, and may change it."""

    def __init__(self, value: Any) -> None:
        self.value = value


def _kept(value: object) -> Any:
    """Wraps a container from outside, which runs pass unchanged; each run remakes containers of the trace."""
    is_made = backend_of(value) is not None or hasattr(type(value), "will_change")
    if is_made or backend_inside(value) is not None or require_trace().journal.was_created(value):
        return value
    is_container = isinstance(value, (list, dict)) or dataclasses.is_dataclass(value)
    return _AsItIs(value) if is_container else value


def _unwrapped(value: object) -> Any:
    return value.value if type(value) is _AsItIs else value


def _graph_types(function: PyFunction[..., Any], spec: object) -> list[tuple[str, list[int]]]:
    """The graph types of one result: one type, or two real ones for a complex result."""
    if spec is complex:
        return [("float64", [])] * 2
    if spec in _PYTHON_TYPES:
        return [(_PYTHON_TYPES[spec], [])]
    if not isinstance(spec, ArraySpec) or None in spec.shape:
        raise staging_error("AG127", f"what {function!r} gives is not known: {spec!r}", _HELP)
    sizes = [size or 0 for size in spec.shape]
    if spec.dtype.kind == "c":
        return [(part_dtype(spec.dtype).name, sizes)] * 2
    check_dtype(spec.dtype)
    return [(dtype_name(spec.dtype), sizes)]


def _staged(spec: object, values: Iterator[int]) -> Tensor:
    kind = Form.PYTHON if spec in _PYTHON_TYPES else None
    if spec is complex or (isinstance(spec, ArraySpec) and spec.dtype.kind == "c"):
        return made(*(wrap(next(values), kind) for _ in range(2)))
    return wrap(next(values), kind)


def _parts(array: NDArray[Any]) -> list[NDArray[Any]]:
    if array.dtype.kind != "c":
        return [array]
    return [np.ascontiguousarray(part) for part in (array.real, array.imag)]


def _fitted(function: PyFunction[..., Any], spec: Any, value: object) -> NDArray[Any] | None:
    """The function's result as an array of the declared type."""
    if spec is None:
        if value is not None:
            raise TypeError(f"{function!r} gave {value!r} where it says None")
        return None
    wanted: ArraySpec = ArraySpec((), _PYTHON_TYPES[spec]) if spec in _PYTHON_TYPES else spec
    if spec in _PYTHON_TYPES and type(value) is not spec:
        # `np.float64` is a subclass of `float`, but does not raise for a division by zero.
        raise TypeError(f"{function!r} gave {value!r} where it says {spec.__name__}")
    given = np.asarray(value)
    if given.shape != wanted.shape or not np.can_cast(given.dtype, wanted.dtype, "safe"):
        said = spec.__name__ if spec in _PYTHON_TYPES else repr(spec)
        raise TypeError(f"{function!r} gave {ArraySpec.of(given)} where it says {said}")
    # The graph's buffers have at least one dimension.
    return np.ascontiguousarray(given, wanted.dtype).reshape(given.shape or 1)


def _from_annotation(function: PyFunction[..., Any], hint: object) -> object:
    """The result type that an annotation such as ``float``, ``np.float32`` or ``tuple[int, float]`` means."""
    if hint in _PYTHON_TYPES:
        return hint
    if hint is type(None):
        return None
    if isinstance(hint, type) and issubclass(hint, np.generic):
        return ArraySpec((), hint)
    parts = typing.get_args(hint)
    if typing.get_origin(hint) is tuple and Ellipsis not in parts:
        return tuple(_from_annotation(function, part) for part in parts)
    raise staging_error("AG127", f"what {function!r} gives is not known: {hint!r}", _HELP)


@overload
def py_function(f: Callable[P, R], /, *, result: object = ...) -> PyFunction[P, R]: ...
@overload
def py_function(*, result: object = ...) -> Callable[[Callable[P, R]], PyFunction[P, R]]: ...


def py_function(f: Any = None, /, *, result: object = inspect.Signature.empty) -> object:
    """Keep a function in Python: a staged function calls it when its graph runs.

    The function is neither converted nor recorded. It gets staged arguments as read-only NumPy arrays, NumPy
    scalars and Python numbers, and other arguments unchanged. Each call is an ordered effect.

    Args:
        f: The function. Leave it out to use ``py_function`` as a decorator with options.
        result: The type of the result: an :class:`autograph.ArraySpec` without open sizes, ``float``,
            ``int``, ``bool``, ``complex`` or ``None``; a tree of these; or a function that takes the call's
            arguments and returns one of these. By default the annotation of the function's result.

    Returns:
        An :class:`autograph.PyFunction`: a callable with the same parameters and results.

    Raises:
        StagingError: At a call in a staged function, if the type of the result is not declared (AG127), or
            if the call is inside a ``try`` (AG135).
        TypeError: When the graph runs, if the result is not of the declared type.

    Example:
        >>> import numpy as np
        >>> import autograph as ag
        >>> names = ["zero", "one", "two"]
        >>> @ag.py_function
        ... def length_of_name(key) -> int:
        ...     return len(names[key])
        >>> @ag.function
        ... def total(n):
        ...     length = 0
        ...     for i in range(n):
        ...         length += length_of_name(i)
        ...     return length
        >>> total(np.int64(3)), total(np.int64(2))
        (10, 7)
    """
    if f is None:
        return functools.partial(py_function, result=result)
    return PyFunction(f, result)
