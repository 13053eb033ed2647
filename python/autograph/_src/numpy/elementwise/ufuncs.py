"""Element-wise functions: NumPy's ufuncs over staged values.

NumPy itself (``ufunc.resolve_dtypes``) decides in which dtypes a ufunc computes, so promotion always follows
NumPy's rules (NEP 50).
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from autograph import _core
from autograph._src.dtype_names import dtype_name
from autograph._src.numpy.calls.outputs import (
    call_with_out,
    refuse_outputs,
    refuse_what_is_no_array,
    require_cast,
    write_into,
)
from autograph._src.numpy.calls.registry import are_direct, refuse_options, unsupported, unsupported_option
from autograph._src.staging.complex.complex_tensor import (
    PART,
    is_complex,
    refusal,
)
from autograph._src.staging.kinds.unions import holds_unions, over_alternatives
from autograph._src.staging.narrow.carriers import CARRIERS
from autograph._src.staging.narrow.narrow_tensor import is_narrow
from autograph._src.staging.narrow.narrow_tensor import refusal as refusal_of_narrow
from autograph._src.staging.tensors.item_conversions import require_fitting
from autograph._src.staging.tensors.layouts import common_order
from autograph._src.staging.tensors.lifting import check_dtype, constant, is_staged, lift
from autograph._src.staging.tensors.operand_labels import label_operands
from autograph._src.staging.tensors.python_scalars import compare, either
from autograph._src.staging.tensors.sizes import require_broadcast, require_operands, shape_string
from autograph._src.staging.tensors.staged_strings import join_strings
from autograph._src.staging.tensors.tensor import ArrayTensor, Form, Tensor, emit, wrap
from autograph._src.staging.trace import statements
from autograph._src.staging.trace.active import into_plain_array, require_trace, type_error_of
from autograph._src.staging.trace.statements import record_error_unless, records
from autograph.errors import ShapeError


def _ufuncs_of(*families: str) -> set[np.ufunc]:
    """The NumPy ufuncs that are a single op of these families, without those of truth values only."""
    names = (
        means.rpartition(".")[::2]
        for family, _, means, dtypes, *_ in _core.op_table()
        if family in families and dtypes != ["bool"]
    )
    return {getattr(np, name) for module, name in names if module == "numpy"}


UNARY = _ufuncs_of("unary")
"""Ufuncs of one argument that are a single op."""

BINARY = _ufuncs_of("binary", "compare")
"""Ufuncs of two arguments that are a single op."""

_MATHEMATICAL = {
    means.removeprefix("math.") for _, _, means, *_ in _core.op_table() if means.startswith("math.")
}
"""Functions of `math` that are a single op and that NumPy lacks; `scipy.special` has them as ufuncs."""


def _is_of_scipy(ufunc: np.ufunc) -> bool:
    """Whether a function is a `scipy.special` ufunc that is staged; SciPy is never imported here."""
    name = ufunc.__name__
    is_known = name in _MATHEMATICAL or name in OF_SCIPY
    return is_known and getattr(sys.modules.get("scipy.special"), name, None) is ufunc


OF_SCIPY: dict[str, Callable[..., object]] = {}
"""Ufuncs of `scipy.special` that are composed of others, by name."""

COMPOSED: dict[np.ufunc, Callable[..., Any]] = {}
"""Ufuncs that are composed of other ufuncs."""

COMPLEX: list[Callable[[np.ufunc, list[Any], tuple[Any, ...]], Any]] = []
"""The function that records a ufunc of complex operands; `complex_ufuncs` registers it here."""

NARROW: list[Callable[[np.ufunc, list[Any], tuple[Any, ...]], Any]] = []
"""The function that records a ufunc of narrow operands or results; `narrow_ufuncs` registers it here."""

COMPLEX_WHOLE: dict[np.ufunc, Callable[..., Any]] = {}
"""Versions for complex operands of ufuncs that are not element-wise, such as ``np.matmul``."""

NARROW_METHODS: dict[tuple[np.ufunc, str], Callable[..., Any]] = {}
"""Ufunc methods for narrow arrays, by ufunc and method name."""

COMPLEX_METHODS: dict[tuple[np.ufunc, str], Callable[..., Any]] = {}
"""Ufunc methods for complex operands, by ufunc and method name."""

METHODS: dict[tuple[np.ufunc, str], Callable[..., Any]] = {}
"""Ufunc methods (``np.add.reduce``) by ufunc and method name."""


@records(statements.call_ufunc)
def call_ufunc(ufunc: np.ufunc, method: str, inputs: tuple[Any, ...], options: dict[str, Any]) -> object:
    """Records ``ufunc(*inputs, **options)`` or one of its methods."""
    if not (are_direct(inputs) and are_direct(options.values())) and holds_unions((inputs, options)):
        return over_alternatives(getattr(ufunc, method), inputs, options)
    out = options.pop("out", None)
    if method != "__call__":
        implementation = METHODS.get((ufunc, method))
        if implementation is not None and any(map(is_complex, inputs)):
            implementation = COMPLEX_METHODS.get((ufunc, method))
            if implementation is None:
                raise refusal(f"`np.{ufunc.__name__}.{method}`", inputs[0])
        if method != "outer" and any(map(is_narrow, (*inputs, out))):
            implementation = NARROW_METHODS.get((ufunc, method))
            if implementation is None:
                raise refusal_of_narrow(
                    f"`np.{ufunc.__name__}.{method}`", next(filter(is_narrow, (*inputs, out)))
                )
        if implementation is None:
            raise unsupported(ufunc if method == "__call__" else getattr(ufunc, method))
        target = out[0] if isinstance(out, tuple) else out
        if target is None:
            return implementation(*inputs, **options)
        return call_with_out(getattr(ufunc, method), implementation, inputs, options, target)
    refuse_what_is_no_array(out)
    dtype, axis, mask = (options.pop(name, None) for name in ("dtype", "axis", "where"))
    if axis is not None:
        if ufunc.signature != "(n),(n)->()":
            raise unsupported_option(ufunc, "axis")
        inputs = tuple(np.moveaxis(lift(value), axis, -1) for value in inputs)  # type: ignore[type-var]
    refuse_options(ufunc, {name: value for name, value in options.items() if value is not True})
    if dtype is not None:
        inputs = tuple(lift(value).astype(dtype) for value in inputs)
    target = out[0] if isinstance(out, tuple) and len(out) == 1 else out
    if isinstance(target, Tensor) and len(inputs) == 2 and not ufunc.signature:
        require_operands(*(lift(value).shape for value in (*inputs, target)))
    result = apply(ufunc, *inputs)
    if mask is not None and mask is not True:
        result = _masked(ufunc, result, mask, out)
    is_open = isinstance(target, Tensor) and isinstance(result, Tensor)
    if is_open and None in (*target.sizes, *result.sizes):
        shapes = [part for one in (*inputs, target) for part in (shape_string(lift(one).shape), " ")]
        words = join_strings(("operands could not be broadcast together with shapes ", *shapes))
        require_broadcast(result.shape, target.shape, words)
    return store(result, out)


def _masked(ufunc: np.ufunc, result: Any, mask: Any, out: Any) -> Any:
    """``where=``: elements of ``out`` outside of the mask stay; without ``out`` they would be undefined."""
    target = out[0] if isinstance(out, tuple) else out
    if not isinstance(target, Tensor) or isinstance(result, tuple):
        raise unsupported_option(ufunc, "where")
    require_cast(lift(result), target, "same_kind")
    return np.where(mask, lift(result).astype(target.dtype), target)


def store(result: object, out: object) -> object:
    """Writes a result into ``out=``, if there is one."""
    if type(result) is tuple:
        targets = out if isinstance(out, tuple) else (out,) * len(result)
        refuse_outputs(result, targets)
        return tuple(store(one, target) for one, target in zip(result, targets, strict=True))
    target = out[0] if isinstance(out, tuple) else out
    if target is None:
        return result
    if not isinstance(target, Tensor):
        raise into_plain_array(target)
    write_into(target, result, "same_kind")
    return target


@records(statements.elementwise)
def apply(ufunc: np.ufunc, *inputs: Any) -> Any:
    """Records a ufunc call on arrays and scalars, plain or staged."""
    try:
        result = _apply(ufunc, inputs)
    except ShapeError as error:
        label_operands(error, ufunc, inputs, {})
        raise
    if type(result) is ArrayTensor and not ufunc.signature:
        result.memory.order = common_order(inputs)
    return result


def _apply(ufunc: np.ufunc, inputs: tuple[Any, ...]) -> Any:
    first, last = inputs[0], inputs[-1]
    if (
        type(first) is type(last) is ArrayTensor
        and first.dtype is last.dtype
        and len(inputs) == ufunc.nin
        and first.dtype.kind == "f"
    ):
        op = _of_one_float_dtype().get(ufunc)
        if op is not None:  # The most frequent case first.
            return wrap(emit(op, ufunc.__name__, *[one.read() for one in inputs]))
    name = "scalar_power" if ufunc is np.power and _is_one_number(*inputs) else ufunc.__name__
    return _record(ufunc, name, inputs)


@functools.cache
def _of_one_float_dtype() -> dict[np.ufunc, str]:
    """The ufuncs that, for operands of one float dtype, are a single op in that dtype; with the op's name.

    Powers are left out because they depend on the exponent; composed ufuncs, rounding and tests because they
    are recorded differently.
    """
    ops = {**dict.fromkeys(UNARY, "unary"), **dict.fromkeys(BINARY, "binary")}
    others = {np.power, *COMPOSED, *COMPARISONS, *_FLOAT_TESTS}
    return {ufunc: op for ufunc, op in ops.items() if ufunc not in others and _keeps_floats(ufunc)}


def _keeps_floats(ufunc: np.ufunc) -> bool:
    """Whether NumPy computes a ufunc in the dtype of its operands if that is a float dtype."""
    loops = [loop.partition("->")[0] for loop in ufunc.types]
    return "f" * ufunc.nin in loops and "d" * ufunc.nin in loops


def power_of_scalars(base: object, exponent: object) -> object:
    """``base ** exponent`` of NumPy scalars, without the shortcuts that NumPy takes for arrays."""
    return _record(np.power, "power", (base, exponent))


def _is_one_number(base: object, exponent: object) -> bool:
    """Whether NumPy takes its shortcut for a single exponent: ``x ** 2`` is ``x * x``.

    It takes none for ``x ** [2.0, 2.0]``. It does for an exponent array of one element, unless the base has
    one element too.
    """
    elements, exponents = (
        one.shape if isinstance(one, np.ndarray) else lift(one).sizes for one in (base, exponent)
    )
    return not exponents or (set(exponents) == {1} and not set(elements) <= {1})


def _record(ufunc: np.ufunc, name: str, inputs: tuple[Any, ...]) -> object:
    """Records a call of a ufunc that is a single op, by the op's name."""
    operands = [lift_operand(value) for value in inputs]
    if any(map(is_narrow, operands)):
        return NARROW[0](ufunc, operands, inputs)
    if any(map(is_complex, operands)):
        return COMPLEX[0](ufunc, operands, inputs)
    if ufunc in COMPARISONS and any(isinstance(one, Tensor) and one.dtype.kind in "iu" for one in operands):
        operands = list(map(_within_floats, operands))
    types = tuple(operand_dtype(operand) for operand in operands)
    if _computes_in_narrow(ufunc, types):  # The root of a uint8 is a float16.
        return NARROW[0](ufunc, operands, inputs)
    dtypes = resolve(ufunc, types)[: ufunc.nin]
    composed = COMPOSED.get(ufunc)
    if composed is None and ufunc.__name__ in OF_SCIPY and _is_of_scipy(ufunc):
        composed = OF_SCIPY[ufunc.__name__]
    if composed is not None:
        result: Any = composed(
            *(converted(operand, dtype) for operand, dtype in zip(operands, dtypes, strict=True))
        )
        return tuple(map(_as_result, result)) if isinstance(result, tuple) else _as_result(result)
    if ufunc in _ROUNDING and dtypes[0].kind in "biu":
        return COMPOSED[np.positive](converted(operands[0], dtypes[0]))
    if ufunc in _FLOAT_TESTS and dtypes[0].kind in "biu":
        dtypes = (np.dtype(np.float64),)
    if ufunc in COMPARISONS and any(_may_not_fit(operand, dtypes[0]) for operand in operands):
        dtypes = (np.dtype(np.int64), np.dtype(np.int64))
    if ufunc is np.power and dtypes[1].kind == "i" and not _is_natural(operands[1]):
        _require_natural(operands)
    values = [as_dtype(operand, dtype) for operand, dtype in zip(operands, dtypes, strict=True)]
    if ufunc in UNARY:
        return wrap(emit("unary", ufunc.__name__, *values))
    if ufunc in BINARY:
        is_float = dtypes[0].kind == "f"
        return wrap(emit("binary", name if is_float else ufunc.__name__, *values))
    if _is_of_scipy(ufunc):
        return wrap(emit("unary", ufunc.__name__, *values))
    raise unsupported(ufunc)


COMPARISONS = {np.less, np.less_equal, np.greater, np.greater_equal, np.equal, np.not_equal}
"""NumPy compares its integers with Python ints by value, even if an int does not fit into the dtype."""


def _within_floats(operand: object) -> object:
    """Replaces a Python int beyond 64 bits by an infinity, which compares with integers in the same way."""
    if type(operand) is not int or -(2**63) <= operand < 2**63:
        return operand
    return np.inf if operand > 0 else -np.inf


def _may_not_fit(operand: object, dtype: np.dtype[Any]) -> bool:
    """Whether an operand is a Python int that may not fit into an integer dtype."""
    if dtype.kind not in "iu" or dtype == np.int64:
        return False
    if isinstance(operand, Tensor):
        return operand.form is Form.PYTHON and operand.dtype.kind == "i"
    limits = np.iinfo(dtype)
    return type(operand) is int and not limits.min <= operand <= limits.max


def _is_natural(exponent: Any) -> bool:
    """Whether an exponent is known to be non-negative, as powers of integers require."""
    return type(exponent) in (int, bool) and exponent >= 0


def _require_natural(operands: list[Any]) -> None:
    """Notes that the run checks an exponent; in a `try` that takes the exception, it is checked before."""
    trace = require_trace()
    base, exponent = map(lift, operands)
    if not trace.is_handled("ValueError"):
        trace.may_raise("ValueError")
        return
    if 0 in (*base.sizes, *exponent.sizes):
        return  # Powers of nothing do not fail.
    holds = wrap(emit("binary", "greater_equal", exponent.read(), constant(0, exponent.dtype).read()))
    ok = wrap(emit("reduce", "all", holds.read(), [*range(len(exponent.sizes))], False), Form.PYTHON)
    if None in base.sizes:
        ok = either(ok, compare("equal", base.size, 0))
    record_error_unless(ok, ValueError, "Integers to negative integer powers are not allowed.")


def _as_result(result: Tensor) -> Tensor:
    """A ufunc's result: a scalar instead of an array of rank 0."""
    return wrap(result.read()) if result.form is Form.ARRAY and not result.sizes else result


_ROUNDING = {np.floor, np.ceil, np.trunc}
"""Ufuncs that return integers unchanged."""

_FLOAT_TESTS = {np.isnan, np.isinf, np.isfinite}
"""Tests of floats that NumPy defines for integers too."""


def converted(operand: object, dtype: np.dtype[Any]) -> Tensor:
    """An operand as a tensor of the dtype that a ufunc computes in."""
    if isinstance(operand, Tensor) and operand.dtype == dtype and operand.form is not Form.PYTHON:
        return operand
    return wrap(as_dtype(operand, dtype))


def lift_operand(value: object) -> Any:
    """A tensor, or a plain Python number, which stays weakly typed."""
    return value if type(value) in (bool, int, float, complex) else lift(value)


def strong(value: object) -> Any:
    """A value with the dtype that `np.asarray` gives it, so that a Python number is not weakly typed."""
    number = lift(value)
    is_weak = number.form is Form.PYTHON and not is_complex(number)
    return wrap(number.read(), Form.SCALAR) if is_weak else number


def operand_dtype(operand: object) -> Any:
    """The argument for NumPy's dtype resolution: a dtype, or ``int``/``float`` for weak scalars."""
    if isinstance(operand, Tensor):
        if operand.form is Form.PYTHON:
            return {"b": np.dtype(bool), "i": int, "f": float, "c": complex}[operand.dtype.kind]
        return operand.dtype
    return np.dtype(bool) if isinstance(operand, bool) else type(operand)


@functools.cache
def _resolve(
    ufunc: np.ufunc, dtypes: tuple[Any, ...]
) -> tuple[tuple[np.dtype[Any], ...], np.dtype[Any] | None]:
    """The dtypes of a ufunc's operands and results, and the first of them that graphs do not support."""
    concrete = tuple(_DEFAULTS.get(dtype, dtype) for dtype in dtypes)
    weak = dtypes if any(not isinstance(dtype, type) for dtype in dtypes) else concrete
    resolved = ufunc.resolve_dtypes((*weak, *(None,) * ufunc.nout))
    return resolved, next((dtype for dtype in resolved if dtype not in PART and not is_staged(dtype)), None)


_DEFAULTS: dict[Any, np.dtype[Any]] = {
    int: np.dtype(np.int64),
    float: np.dtype(np.float64),
    complex: np.dtype(np.complex128),
}


def resolve(ufunc: np.ufunc, dtypes: tuple[Any, ...]) -> tuple[np.dtype[Any], ...]:
    """The dtypes a ufunc computes in, for operands of these dtypes.

    Raises:
        DtypeError: If NumPy has no loop for these dtypes, or computes in a dtype that graphs do not support.
    """
    resolved, refused = _found(ufunc, dtypes)
    if refused is not None:
        check_dtype(refused)
    return resolved


def resolve_any(ufunc: np.ufunc, dtypes: tuple[Any, ...]) -> tuple[np.dtype[Any], ...]:
    """As :func:`resolve`, for a caller that knows the narrow dtypes too."""
    resolved, refused = _found(ufunc, dtypes)
    for dtype in resolved if refused is not None else ():
        if dtype not in PART and dtype not in CARRIERS:
            check_dtype(dtype)
    return resolved


def _computes_in_narrow(ufunc: np.ufunc, dtypes: tuple[Any, ...]) -> bool:
    return _found(ufunc, dtypes)[1] in CARRIERS


def _found(
    ufunc: np.ufunc, dtypes: tuple[Any, ...]
) -> tuple[tuple[np.dtype[Any], ...], np.dtype[Any] | None]:
    try:
        return _resolve(ufunc, dtypes)
    except TypeError as error:
        raise type_error_of(error) from None


def as_dtype(operand: object, dtype: np.dtype[Any]) -> int:
    """The graph value of an operand in the dtype that the op computes in."""
    if not isinstance(operand, Tensor):
        return constant(operand, dtype).read()
    if operand.dtype == dtype:
        return operand.read()
    if operand.form is Form.PYTHON and operand.dtype.kind == "i" and dtype.kind in "iu":
        require_fitting(operand, dtype)
    return emit("cast", operand.read(), dtype_name(dtype))


def cast_to(operand: object, dtype: np.dtype[Any]) -> int:
    """The graph value of an operand, cast as by ``astype``: 300 becomes 44 as a uint8."""
    if not isinstance(operand, Tensor):
        return constant(np.asarray(operand).astype(dtype), dtype).read()
    return operand.read() if operand.dtype == dtype else emit("cast", operand.read(), dtype_name(dtype))


def composed(*ufuncs: np.ufunc) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Registers the implementation of a ufunc that is composed of others."""

    def register(implementation: Callable[..., Any]) -> Callable[..., Any]:
        for ufunc in ufuncs:
            COMPOSED[ufunc] = implementation
        return implementation

    return register


def to_bool(x: Any) -> Tensor:
    """``x != 0`` element by element."""
    tensor = lift(x)
    if tensor.dtype.kind == "b":
        return tensor if tensor.form is not Form.PYTHON else wrap(tensor.read())
    return apply(np.not_equal, tensor, tensor.dtype.type(0))  # type: ignore[no-any-return]


@composed(np.positive)
def _positive(x: Any) -> Tensor:
    return wrap(emit("reshape", x.read(), list(x.shape)))


@composed(np.square)
def _square(x: object) -> object:
    return apply(np.multiply, x, x)


@composed(np.reciprocal)
def _reciprocal(x: object) -> object:
    if lift(x).dtype.kind != "f":
        raise unsupported(np.reciprocal)
    return apply(np.divide, 1.0, x)


@composed(np.logical_and)
def _logical_and(x: object, y: object) -> object:
    return apply(np.bitwise_and, to_bool(x), to_bool(y))


@composed(np.logical_or)
def _logical_or(x: object, y: object) -> object:
    return apply(np.bitwise_or, to_bool(x), to_bool(y))


@composed(np.logical_xor)
def _logical_xor(x: object, y: object) -> object:
    return apply(np.bitwise_xor, to_bool(x), to_bool(y))


@composed(np.logical_not)
def _logical_not(x: object) -> Tensor:
    return wrap(emit("unary", "logical_not", to_bool(x).read()))


@composed(np.fabs)
def _fabs(x: object) -> object:
    return apply(np.absolute, apply(np.multiply, x, 1.0))


@composed(np.degrees, np.rad2deg)
def _degrees(x: object) -> object:
    return _scaled(x, 180.0, np.pi)


@composed(np.radians, np.deg2rad)
def _radians(x: object) -> object:
    return _scaled(x, np.pi, 180.0)


def _scaled(x: object, by: float, over: float) -> object:
    """``x * (by / over)``; for a float32 ``x`` NumPy computes the quotient in float32."""
    is_short = lift(x).dtype == np.float32
    return apply(np.multiply, x, np.float32(by) / np.float32(over) if is_short else by / over)


@composed(np.logaddexp)
def _logaddexp(x: ArrayLike, y: ArrayLike) -> object:
    larger, below = larger_and_below(x, y)
    return apply(np.add, larger, apply(np.log1p, apply(np.exp, below)))


def larger_and_below(x: ArrayLike, y: ArrayLike) -> tuple[Tensor, Tensor]:
    """The larger of two numbers, and the other less the larger; 0 of two infinities of one sign.

    Where both are equal, the second counts as the larger: then the formulas of `np.logaddexp` have its
    derivatives there too, of each order, which `maximum` and `absolute` have not.
    """
    is_first = apply(np.greater, x, y)
    is_infinite = apply(np.bitwise_and, apply(np.equal, x, y), apply(np.isinf, x))
    larger = np.where(is_first, x, y)
    below = np.where(is_first, apply(np.subtract, y, x), apply(np.subtract, x, y))
    return lift(larger), lift(np.where(is_infinite, lift(below).dtype.type(0), below))


@composed(np.fmax)
def _fmax(x: ArrayLike, y: ArrayLike) -> object:
    return np.where(_isnan(y), x, np.where(_isnan(x), y, apply(np.maximum, x, y)))


@composed(np.fmin)
def _fmin(x: ArrayLike, y: ArrayLike) -> object:
    return np.where(_isnan(y), x, np.where(_isnan(x), y, apply(np.minimum, x, y)))


def _isnan(x: object) -> Any:
    return apply(np.not_equal, x, x)


@composed(np.divmod)
def _divmod(x: object, y: object) -> object:
    return apply(np.floor_divide, x, y), apply(np.remainder, x, y)
