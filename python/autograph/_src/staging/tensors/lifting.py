"""Makes tensors of plain values: literals of numbers, inputs of arrays, stacks of sequences.

x + 1               constant(1)
x + WEIGHTS         lift(WEIGHTS): an array from outside is an input, read at every run
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from autograph._src.backends.protocol import backend_of, type_name
from autograph._src.dtype_names import dtype_name
from autograph._src.own_attributes import has_own
from autograph._src.staging.tensors.memory import C_ORDER
from autograph._src.staging.tensors.tensor import Form, Tensor, emit, wrap
from autograph._src.staging.trace.active import is_foreign, require_trace, staging_error
from autograph._src.staging.trace.known_tests import means
from autograph._src.staging.trace.trace import DTYPES
from autograph.errors import StagingError


def constant(value: object, dtype: DTypeLike | None, form: Form | None = None) -> Tensor:
    """A literal array or scalar.

    Raises:
        OverflowError: NumPy's own, if an int does not fit into the dtype: ``np.uint8(3) + 300``.
        StagingError: If a graph has no such dtype (AG103).
    """
    array = np.asarray(value, dtype=dtype)
    check_dtype(array.dtype)
    data = np.ascontiguousarray(array).tobytes()
    literal = emit("constant", dtype_name(array.dtype), list(array.shape), data)
    if array.dtype.kind == "b" and not array.shape:
        means(literal, "is", bool(array))
    return wrap(literal, form)


def is_staged(dtype: np.dtype[Any]) -> bool:
    """Whether graph values can have this dtype."""
    return dtype in DTYPES and dtype.isnative


def check_dtype(dtype: np.dtype[Any]) -> None:
    """Refuses a dtype that graph values cannot have."""
    if not is_staged(dtype):
        if (
            dtype.isnative and dtype.type in LIFTED
        ):  # A graph value cannot have it, and nobody has converted it.
            help = "make it of another dtype, and convert it then: `.astype`"
            raise staging_error("AG103", f"an array of dtype {dtype} is not staged here", help)
        help = f"convert with `.astype`; staged: {staged_dtypes()}"
        if dtype.kind == "O":
            help = "put numbers or arrays into it, or keep what it holds in a list"
        elif dtype.kind not in "biufc":
            help = "keep numbers in the graph, and convert the result: `labels[f(x)]`, `f(x).astype('M8[s]')`"
        raise staging_error("AG103", f"arrays of dtype {dtype} are not staged", help)


def staged_dtypes() -> str:
    """The names of the dtypes that values of a staged function can have, for messages."""
    others = {np.dtype(kind) for kind in LIFTED if issubclass(kind, np.generic)}
    return ", ".join(sorted(known.name for known in DTYPES | others))


_PYTHON_DTYPES: dict[type, str] = {bool: "bool", int: "int64", float: "float64"}


def is_python_scalar(value: object) -> bool:
    """Whether a value is a Python number, plain or staged."""
    if isinstance(value, Tensor):
        return value.form is Form.PYTHON
    return type(value) in _PYTHON_DTYPES or type(value) is complex


LIFTED: dict[type, Callable[[Any], Tensor]] = {}
"""By class, how another room makes tensors of numbers; those of ``complex`` and of narrow dtypes are here."""


def beyond_64_bits(value: float) -> Exception:
    """The error for a plain int that no staged int can be; CPython has no text for one of 4,300 digits."""
    number = int(value)
    is_short = number.bit_length() < 400
    words = f"the integer {number}" if is_short else f"an integer of {number.bit_length():,} bits"
    return staging_error("AG104", f"{words} does not fit into 64 bits")


def lift(value: object) -> Tensor:
    """The tensor for a plain value: a literal for scalars, an input for arrays.

    Other values that can become a tensor, such as optionals, have a method ``ag_lifted``.

    Raises:
        StagingError: If the value cannot become a tensor (AG103, AG104, AG105).
    """
    if isinstance(value, Tensor):
        return value
    dtype = _PYTHON_DTYPES.get(type(value))
    if type(value) is int and not -(2**63) <= value < 2**63:
        raise beyond_64_bits(value)
    if dtype is not None:
        return constant(value, dtype, Form.PYTHON)
    if isinstance(value, (np.generic, np.ndarray)):
        _refuse_subclass(value)
        if value.dtype.kind == "c":
            return _lift_complex(value)
        narrow = LIFTED.get(value.dtype.type)
        if narrow is not None and value.dtype.isnative:
            return narrow(value)
    if isinstance(value, np.generic):
        require_trace().surroundings.contents.used(value)
        return constant(value, value.dtype, Form.SCALAR)
    if isinstance(value, np.ndarray):
        require_trace().surroundings.contents.used(value)
        check_dtype(value.dtype)
        captured = Tensor(require_trace(), require_trace().capture(value), Form.ARRAY)
        captured.memory.outlives_trace = True
        captured.memory.order = C_ORDER if value.flags.c_contiguous else None
        return captured
    if isinstance(value, (list, tuple)):
        if has_own(value, "require_current"):
            value.require_current()
        if has_own(value, "stacked"):
            return value.stacked()  # type: ignore[no-any-return]
        return lift_sequence(value)
    if type(value) is complex:
        return _lift_complex(value)
    if has_own(value, "ag_lifted"):
        return value.ag_lifted()  # type: ignore[no-any-return]
    if is_foreign(value) and require_trace().builder.type_of(value) in _FOREIGN_NUMBERS:
        return wrap(value, Form.PYTHON)
    made = object_as_array(value)
    if made is not value:
        return made  # type: ignore[no-any-return]
    raise _no_operand(value)


OF_OBJECTS: list[Callable[[object], Any]] = []
"""What makes arrays of objects of the program; the room of operators registers it."""


def object_as_array(value: Any) -> Any:
    """The array that NumPy makes of an object of the program with ``__array__``; any other value itself."""
    for make in OF_OBJECTS:
        made = make(value)
        if made is not None:
            return made
    return value


def _no_operand(value: object) -> StagingError:
    """The refusal of a value that is neither a number nor an array."""
    name = type_name(value)
    is_of_run = backend_of(value) is not None
    article = "an" if name[:1] in "aeiouAEIOU" else "a"
    what = f"{article} {name} of the run" if is_of_run else f"a value of type {name}"
    help = "give it a number or an array"
    if name in _ITERATORS:
        help = "make an array of its items: `np.array(list(…))`"
    elif value is None or name == "value that may be None":
        help = "test whether it `is None` before, and give it a number or an array else"
    elif name == "value of several types":
        help = "convert it to one type before: `float(x)`"
    elif hasattr(type(value), "__array__"):
        help = "make an array of it before the call of the staged function: `np.asarray(x)`"
    return staging_error("AG105", f"{what} cannot be combined with a staged value", help)


_ITERATORS = frozenset(
    ("range", "zip", "enumerate", "map", "filter", "reversed", "iterator", "generator", "set")
)
"""What NumPy makes no array of, or one of objects."""


_FOREIGN_NUMBERS = {(dtype, ()) for dtype in _PYTHON_DTYPES.values()}
"""The types of another library's values that stand for Python numbers."""


def _refuse_subclass(value: object) -> None:
    """Refuses array subclasses with operators of their own (`np.matrix`, masked arrays), not `np.memmap`."""
    kind = type(value)
    own = value.dtype.type if isinstance(value, np.generic) else np.ndarray
    if kind is not own and kind is not np.memmap:
        help = "make an array of it: `np.asarray(a)`"
        raise staging_error("AG105", f"a {kind.__name__} cannot be combined with a staged value", help)


def _lift_complex(value: object) -> Tensor:
    require_trace().surroundings.contents.used(value)
    return LIFTED[complex](value)


def lift_sequence(values: list[Any] | tuple[Any, ...]) -> Tensor:
    """A nested sequence as the array that NumPy makes of it; stacked if it contains staged values."""
    if not _holds_tensor(values):
        array = np.asarray(values)
        if array.dtype.kind == "c":
            return _lift_complex(array.copy())
        narrow = LIFTED.get(array.dtype.type)
        if narrow is not None and array.dtype.isnative:
            return narrow(array)
        check_dtype(array.dtype)
        return constant(array, array.dtype, Form.ARRAY)
    if any(map(_holds_nothing, values)):
        # NumPy finds no dtype in a list without elements: np.array([np.zeros(0, np.uint8), []]) is of uint8.
        dtype = np.result_type(*(lift(value).dtype for value in values if not _holds_nothing(value)))
        values = [np.array(value, dtype) if _holds_nothing(value) else value for value in values]
    return np.stack([lift(value) for value in values])  # type: ignore[return-value]


def _holds_nothing(value: Any) -> bool:
    """Whether a value is an empty list or tuple, or contains only such."""
    is_list = isinstance(value, (list, tuple)) and not has_own(value, "stacked")
    return is_list and all(map(_holds_nothing, value))


def _holds_tensor(values: object) -> bool:
    if hasattr(type(values), "stacked"):
        return True
    if isinstance(values, (list, tuple)):
        return any(_holds_tensor(value) for value in values)
    return isinstance(values, Tensor) or has_own(values, "ag_lifted")
