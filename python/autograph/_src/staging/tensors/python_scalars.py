"""Arithmetic of staged Python numbers: ints are checked for overflow, division by zero raises.

A staged Python ``int`` has 64 bits, and the run raises ``OverflowError`` if a result does not fit; a staged
``float`` is a double. Where NumPy would give ``inf`` or 0, the run raises what CPython raises.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from autograph._src.dtype_names import dtype_name
from autograph._src.operators.special_calls import is_of_user, tested
from autograph._src.own_attributes import has_own
from autograph._src.runtime_errors import runtime_error_class
from autograph._src.staging.tensors.lifting import is_python_scalar, lift
from autograph._src.staging.tensors.tensor import Form, Tensor, emit, type_words, wrap
from autograph._src.staging.trace.active import is_foreign, require_trace, staging_error, type_error
from autograph._src.staging.trace.known_tests import means
from autograph._src.staging.trace.recorder import Value
from autograph._src.staging.trace.sites import Site, words_of_call

_COMPARISONS = {"equal", "not_equal", "less", "less_equal", "greater", "greater_equal"}
_BITWISE = {"bitwise_and", "bitwise_or", "bitwise_xor"}
_SHIFTS = {"left_shift", "right_shift"}


def cast(x: Tensor, dtype: str, form: Form = Form.PYTHON) -> Tensor:
    """A number cast to another dtype."""
    if has_own(x, "ag_cast"):  # An int of 64 bits without a sign.
        return x.ag_cast(dtype)  # type: ignore[no-any-return]
    if has_own(x, "ag_number"):  # Of a dtype that the graph does not have.
        x = x.ag_number()
    if dtype_name(x.dtype) == dtype:
        return x if x.form is form else wrap(x.read(), form)
    return wrap(emit("cast", x.read(), dtype), form)


def of_program(number: Any) -> Any:
    """A number that an algorithm has made, as the program sees it: a value of the recorder's library."""
    is_of_library = isinstance(number, Tensor) and require_trace().builder.value_types
    return number.read() if is_of_library else number


def require(ok: Tensor, error: type[Exception] | str, message: str) -> None:
    """Records that the run raises this exception unless ``ok``."""
    name = error if isinstance(error, str) else error.__name__
    emit("check", ok.read(), name, message)


def require_error(ok: Tensor, error: Callable[[], Exception]) -> None:
    """Records that the run raises the exception that ``error()`` makes then, unless ``ok``."""
    trace = require_trace()
    name, words = type(error()).__name__, str(error())
    trace.sites.append(Site(lambda arrays: error(), words_of_call(name, [repr(words)])))
    trace.check(ok.read(), type(error()), "", len(trace.sites) - 1, raised=error())


def left_64_bits() -> Exception:
    """The exception of a run in which a Python int would need more than 64 bits."""
    message = "a Python int left 64 bits, the size of a staged int"
    return runtime_error_class(OverflowError)(message, code="AG203")


def binary(op: str, left: object, right: object) -> Tensor:
    """``left op right`` for two Python numbers, at least one of them staged."""
    x, y = lift(left), lift(right)
    kinds = {x.dtype.kind, y.dtype.kind}
    if op in _BITWISE and kinds == {"b"}:
        return wrap(emit("binary", op, x.read(), y.read()), Form.PYTHON)
    if op in _COMPARISONS and kinds == {"i", "f"}:
        return _compare_exactly(op, x, y, left, right)
    if "f" in kinds or op == "divide":
        return _binary_float(op, x, y)
    if op in _COMPARISONS and kinds == {"b"}:
        return wrap(emit("binary", op, x.read(), y.read()), Form.PYTHON)
    result = _binary_int(op, cast(x, "int64"), cast(y, "int64"), right)
    if op in _COMPARISONS:
        return result
    _follow_affine(op, result, x, y, left, right)
    return result


def _binary_int(op: str, x: Tensor, y: Tensor, right: object) -> Tensor:
    if op in _COMPARISONS or op in _BITWISE:
        return wrap(emit("binary", op, x.read(), y.read()), Form.PYTHON)
    if op in ("floor_divide", "remainder"):
        require(compare("not_equal", y, 0), ZeroDivisionError, _zero_division(op, "i"))
    if op == "power" and isinstance(right, int) and right < 0:
        return _binary_float(op, x, y)
    if op == "power" and isinstance(right, Tensor):
        require(
            compare("greater_equal", y, 0),
            "GraphRuntimeError",
            "an int to a negative power is a float in Python; write the base as a float",
        )
    if op in _SHIFTS:
        require(compare("greater_equal", y, 0), ValueError, "negative shift count")
    return wrap(emit("binary", op, x.read(), y.read(), True), Form.PYTHON)


def _binary_float(op: str, left: Tensor, right: Tensor) -> Tensor:
    if op in _BITWISE | _SHIFTS:
        raise type_error(f"unsupported operand type(s): {type_words(left)} and {type_words(right)}")
    both_int = left.dtype.kind != "f" and right.dtype.kind != "f"
    x, y = cast(left, "float64"), cast(right, "float64")
    if op in ("divide", "floor_divide", "remainder"):
        require(compare("not_equal", y, 0.0), ZeroDivisionError, _zero_division(op, "i" if both_int else "f"))
    if op == "power":
        return _power(x, y)
    return wrap(emit("binary", op, x.read(), y.read()), Form.PYTHON)


def _compare_exactly(op: str, x: Tensor, y: Tensor, left: object, right: object) -> Tensor:
    """Compares an int and a float exactly: ``2**53 + 1 == 2.0**53`` is false, although the int rounds to it.

    If the rounded int differs from the float, that comparison is right. If they are equal, the float is a
    whole number and is compared as an int.
    """
    if _is_small(left) or _is_small(right):
        return _binary_float(op, x, y)
    if x.dtype.kind == "f":
        return _compare_exactly(_MIRRORED.get(op, op), y, x, right, left)
    number, rounded = cast(x, "int64"), cast(x, "float64")
    # The largest ints round up to 2.0**63, which no int of 64 bits equals.
    is_tie = both(compare("equal", rounded, y), compare("less", y, 2.0**63))
    whole = cast(y, "int64")
    if op in ("equal", "not_equal"):
        equal = both(is_tie, compare("equal", number, whole))
        return equal if op == "equal" else negate(equal)
    tied = both(is_tie, compare(op, number, whole))
    strict = "less" if op.startswith("less") else "greater"
    apart = compare(strict, rounded, y)
    if strict == "less":
        apart = either(apart, both(compare("equal", rounded, y), compare("greater_equal", y, 2.0**63)))
    return either(apart, tied)


_MIRRORED = {
    "less": "greater",
    "less_equal": "greater_equal",
    "greater": "less",
    "greater_equal": "less_equal",
}


def _is_small(value: Any) -> bool:
    """Whether a number is known to be below 2**53 in size, or NaN, so that rounding cannot matter."""
    if isinstance(value, Tensor):
        return value.affine is not None and max(map(abs, value.affine.bounds())) < 2**53
    return bool(abs(value) < 2**53 or value != value)


def require_divisor_of_divmod(x: object, y: object) -> None:
    """Records that ``divmod`` of two Python numbers, one of them a float, raises in its own words."""
    if not (is_python_scalar(x) and is_python_scalar(y)):
        return
    kinds = [lift(one).dtype.kind for one in (x, y)]
    if "c" not in kinds and "f" in kinds:
        divisor = cast(lift(y), "float64")
        require(compare("not_equal", divisor, 0.0), ZeroDivisionError, "float divmod()")


def _zero_division(op: str, kind: str) -> str:
    """CPython 3.11's message for a division by zero."""
    if op == "divide":
        return "division by zero" if kind == "i" else "float division by zero"
    if kind == "i":
        return "integer division or modulo by zero" if op == "floor_divide" else "integer modulo by zero"
    return "float floor division by zero" if op == "floor_divide" else "float modulo"


def _power(x: Tensor, y: Tensor) -> Tensor:
    zero_base = both(compare("equal", x, 0.0), compare("less", y, 0.0))
    require(negate(zero_base), ZeroDivisionError, "0.0 cannot be raised to a negative power")
    whole = wrap(emit("binary", "equal", emit("unary", "floor", y.read()), y.read()), Form.PYTHON)
    complex_result = both(compare("less", x, 0.0), negate(whole))
    require(
        negate(complex_result),
        "GraphRuntimeError",
        "a negative number to a fractional power is complex in Python",
    )
    result = wrap(emit("binary", "power", x.read(), y.read()), Form.PYTHON)
    finite = [wrap(emit("unary", "isfinite", value.read()), Form.PYTHON) for value in (x, y)]
    overflowed = both(both(*finite), wrap(emit("unary", "isinf", result.read()), Form.PYTHON))
    require_error(negate(overflowed), lambda: OverflowError(34, "Numerical result out of range"))
    return result


def compare(op: str, x: Tensor, y: object) -> Tensor:
    """Compares two numbers of one dtype."""
    return wrap(emit("binary", op, x.read(), lift(y).read()), Form.PYTHON)


def both(x: Tensor, y: Tensor) -> Tensor:
    """``x and y`` of two bools, both evaluated."""
    return _made_of("and", emit("binary", "bitwise_and", x.read(), y.read()), x, y)


def either(x: Tensor, y: Tensor) -> Tensor:
    """``x or y`` of two bools, both evaluated."""
    return _made_of("or", emit("binary", "bitwise_or", x.read(), y.read()), x, y)


def negate(x: Tensor) -> Tensor:
    """``not x`` of a bool."""
    return _made_of("not", emit("unary", "logical_not", x.read()), x)


def is_code(code: Tensor, number: int) -> Tensor:
    """Whether an int that says which of several a value is has this value."""
    test = compare("equal", code, number)
    means(test.read(), "equal", code.read(), number)
    return test


def known_code(code: Tensor, numbers: list[int]) -> int | None:
    """The index of the number that such an int is known to be; ``None`` if only the run knows."""
    tests = require_trace().builder.known_tests
    number = None if tests is None else tests.number(code.read(), numbers)
    return None if number is None else numbers.index(number)


def _made_of(word: str, test: Value, *operands: Tensor) -> Tensor:
    means(test, word, *(operand.read() for operand in operands))
    return wrap(test, Form.PYTHON)


def unary(op: str, x: Tensor) -> Tensor:
    """``-x``, ``abs(x)``, ``~x`` or ``+x`` of a staged Python number."""
    if op == "invert" and x.dtype.kind == "f":
        raise type_error("bad operand type for unary ~: 'float'")
    if x.dtype.kind == "f":
        return wrap(emit("unary", op, x.read()), Form.PYTHON)
    number = cast(x, "int64")
    if op == "invert":
        return wrap(emit("unary", op, number.read()), Form.PYTHON)
    return wrap(emit("unary", op, number.read(), True), Form.PYTHON)


def to_int(x: Tensor) -> Tensor:
    """``int(x)``: truncates; NaN and infinities raise as in Python."""
    if x.dtype.kind != "f":
        return cast(x, "int64")
    double = wrap(emit("cast", x.read(), "float64"), Form.PYTHON) if x.dtype.itemsize < 8 else x
    nan = wrap(emit("unary", "isnan", double.read()), Form.PYTHON)
    require(negate(nan), ValueError, "cannot convert float NaN to integer")
    infinite = wrap(emit("unary", "isinf", double.read()), Form.PYTHON)
    require(negate(infinite), OverflowError, "cannot convert float infinity to integer")
    magnitude = wrap(emit("unary", "absolute", double.read()), Form.PYTHON)
    require_error(compare("less", magnitude, 9.223372036854775807e18), left_64_bits)
    return wrap(emit("cast", double.read(), "int64"), Form.PYTHON)


def truth(value: object) -> Tensor:
    """``bool(value)`` of a scalar, as a staged Python bool.

    Values with other rules for their truth, such as optionals, have a method ``ag_truth``.
    """
    if has_own(value, "ag_truth"):
        return value.ag_truth()  # type: ignore[no-any-return]
    if isinstance(value, (tuple, list)):  # Python's rule; `lift` would make an array of it.
        return lift(len(value) > 0)
    if is_foreign(value):
        return wrap(require_trace().builder.truth(value), Form.PYTHON)
    asked = tested(value)
    if asked is not value:  # An object of the user, in a value that may be `None`.
        return truth(asked)
    if is_of_user(value):
        return lift(True)
    x = lift(value)
    if x is not value and has_own(x, "ag_truth"):  # a complex number
        return truth(x)
    if x.ndim > 1 or x.sizes not in ((), (1,)):
        raise staging_error(
            "AG106",
            "The truth value of an array with more than one element is ambiguous."
            f" Use a.any() or a.all() ({type_words(x)})",
        )
    value = x.read()
    if x.sizes:
        value = emit("reshape", value, [])
    if x.dtype.kind == "b":
        return wrap(value, Form.PYTHON)
    zero = wrap(value).dtype.type(0)
    return wrap(emit("binary", "not_equal", value, lift(zero).read()), Form.PYTHON)


def _follow_affine(op: str, result: Tensor, x: Tensor, y: Tensor, left: object, right: object) -> None:
    """Notes on the result that it is ``factor * root + offset``, see ``Affine`` in ``tensor.py``."""
    if x.affine is not None and isinstance(right, int):
        known, number = x.affine, right
    elif y.affine is not None and isinstance(left, int):
        known, number = y.affine, left
    else:
        return
    if op == "add":
        result.affine = replace(known, offset=known.offset + number)
    elif op == "multiply":
        result.affine = replace(known, factor=known.factor * number, offset=known.offset * number)
    elif op == "subtract" and x.affine is not None:
        result.affine = replace(known, offset=known.offset - number)
