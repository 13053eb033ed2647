"""Python's builtins over staged values: one table entry for each."""

from __future__ import annotations

import dataclasses
import functools
import math
import operator
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from autograph import _core
from autograph._src.backends.protocol import backend_of
from autograph._src.numpy.elementwise.ufuncs import apply
from autograph._src.operators.identity import is_, is_not
from autograph._src.operators.impurity import RECORDED
from autograph._src.operators.items import get_item
from autograph._src.operators.logic import if_exp
from autograph._src.staging.complex.complex_numbers import complex_of
from autograph._src.staging.complex.complex_tensor import ComplexTensor, refusal
from autograph._src.staging.control import iteration
from autograph._src.staging.control.effects import record_call, record_print, record_warning
from autograph._src.staging.kinds.optionals import StagedOptional, refusal_of_none, required
from autograph._src.staging.kinds.unions import StagedUnion, over_alternatives
from autograph._src.staging.lists.staged_iterable import StagedIterable
from autograph._src.staging.lists.traced_list import StagedList
from autograph._src.staging.objects.named_values import NamedValue
from autograph._src.staging.objects.node_fields import replaced_fields
from autograph._src.staging.objects.node_sequences import NodeSequence
from autograph._src.staging.objects.nodes import StagedNode
from autograph._src.staging.operators.truth_only import TruthOnly
from autograph._src.staging.tensors.argument_words import call_in_place_of, misfit_of, words_of
from autograph._src.staging.tensors.python_scalars import (
    both,
    cast,
    compare,
    either,
    negate,
    require,
    to_int,
    truth,
)
from autograph._src.staging.tensors.staged_strings import StagedString, text_needed
from autograph._src.staging.tensors.tensor import (
    Kind,
    Tensor,
    class_text,
    emit,
    is_python_scalar,
    lift,
    plain_class,
    wrap,
)
from autograph._src.staging.trace.active import staging_error, type_error

TABLE: dict[Any, Callable[..., Any]] = {}
"""By builtin: the function to run if an argument is staged; ``NotImplemented`` means to call the builtin."""


def staged(*functions: object) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Registers a function as the staged version of these builtins."""

    def register(implementation: Callable[..., Any]) -> Callable[..., Any]:
        for function in functions:
            TABLE[function] = implementation
        return implementation

    return register


def call_builtin(
    function: Callable[..., Any] | type[Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> object:
    """Runs the staged version of a builtin; ``NotImplemented`` if the builtin itself is to be called."""
    implementation = TABLE.get(function)
    is_exception = isinstance(function, type) and issubclass(function, BaseException)
    takes_text = is_exception or function in _TAKE_TEXT or function in RECORDED
    if not takes_text and any(map(_has_text, (*args, *kwargs.values()))):
        raise text_needed(f"`{getattr(function, '__name__', function)}` of")
    if function not in _TAKE_NONE:
        given, named = _without_none(function, args, kwargs)
        if any(one is not other for one, other in zip(args, given, strict=True)) and implementation is None:
            return function(*given, **named)
        args, kwargs = tuple(given), named
    if implementation is None and getattr(function, "__module__", None) in _READ_MEMORY:
        refuse_memory(function, (*args, *kwargs.values()))
    if implementation is None:
        return NotImplemented
    return call_in_place_of(function, implementation, args, kwargs)


def _without_none(
    function: Callable[..., Any] | type[Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[list[Any], dict[str, Any]]:
    """The arguments with optionals replaced by their values; the run raises if one is ``None``."""
    given: dict[Any, Any] = {**dict(enumerate(args)), **kwargs}
    for place, value in given.items():
        words = None
        if isinstance(value, StagedOptional) and function in TABLE and function not in RECORDED:
            present = {other: _present_value(one) for other, one in given.items()} | {place: None}
            asked = [present[other] for other in range(len(args))]
            words = words_of(function, tuple(asked), {name: present[name] for name in kwargs})
        refusal = refusal_of_none(function) if words is None else (str(words), TypeError)
        given[place] = required(value, *refusal)
    return [given[place] for place in range(len(args))], {name: given[name] for name in kwargs}


def _present_value(value: object) -> object:
    return value.value if isinstance(value, StagedOptional) else value


_TAKE_TEXT = frozenset(
    (print, str, repr, ascii, format, isinstance, type, getattr, hasattr, id, callable, len)
)
"""Builtins that accept a string with staged values in it."""


def _has_text(value: Any) -> bool:
    """Whether a value is a staged string, or a list or tuple with one in it."""
    if isinstance(value, StagedString):
        return True
    return type(value) in (list, tuple) and any(isinstance(one, StagedString) for one in value)


_READ_MEMORY = ("_heapq", "array")
"""C modules that access a list's memory directly, where a staged list is empty."""


def refuse_memory(function: Callable[..., Any], values: tuple[Any, ...]) -> None:
    """Refuses a call of C code that would take a staged list for an empty one."""
    if any(isinstance(value, StagedList) for value in values):
        raise staging_error(
            "AG117",
            f"`{function.__name__}` is not a Python function, and reads the elements of a list whose length"
            " depends on data",
            "write it in Python, or sort the list: `xs.sort()`",
        )


_NO_INT = "int() argument must be a string, a bytes-like object or a real number, not '{}'"
_NO_FLOAT = "float() argument must be a string or a real number, not '{}'"
_NO_COMPLEX = "complex() first argument must be a string or a number, not '{}'"
_NO_REAL = "must be real number, not {}"


@staged(print)
def _print(*args: object, **options: object) -> None:
    record_print(args, options)


@staged(warnings.warn)
def _warn(message: object, category: Any = None, stacklevel: int = 1, source: object = None) -> None:
    record_warning(message, category)


for _function in RECORDED - TABLE.keys():
    TABLE[_function] = partial(record_call, _function)


@staged(len)
def _len(value: object) -> object:
    if isinstance(value, StagedIterable):
        if value.is_iterator():
            raise type_error(f"object of type '{value.kind}' has no len()")
        return value.count()
    return value.length() if isinstance(value, (StagedList, Tensor)) else NotImplemented


@staged(range)
def _range(*bounds: object) -> StagedIterable:
    if len(bounds) > 3:
        raise TypeError(f"range expected at most 3 arguments, got {len(bounds)}")
    for bound in bounds:
        if isinstance(bound, Tensor) and (not _is_integer(bound) or bound.sizes):
            raise _no_integer(bound)
    numbers = [_python_int(bound) for bound in bounds]
    start, stop, step = (0, numbers[0], 1) if len(numbers) == 1 else (*numbers, 1)[:3]
    return iteration.staged_range(start, stop, step)


def _is_integer(bound: Tensor) -> bool:
    """Whether a bound has an ``__index__``: ints and Python bools do, NumPy bools do not."""
    return bound.dtype.kind in ("iub" if bound.kind is Kind.PYTHON else "iu")


def _no_integer(bound: Tensor) -> TypeError:
    """CPython's or NumPy's error for a value that is no integer."""
    if bound.kind is Kind.ARRAY:
        return TypeError("only integer scalar arrays can be converted to a scalar index")
    return TypeError(f"{class_text(bound)!r} object cannot be interpreted as an integer")


def _python_int(value: Any) -> Tensor | int:
    if isinstance(value, Tensor):
        return cast(wrap(value.read(), Kind.PYTHON), "int64") if value.kind is not Kind.PYTHON else value
    return operator.index(value)


@staged(enumerate)
def _enumerate(iterable: object, start: object = 0) -> object:
    made = iteration.staged_enumerate(iterable, start)
    return NotImplemented if made is None else made


@staged(zip)
def _zip(*iterables: object, strict: bool = False) -> object:
    zipped = iteration.staged_zip(iterables)
    return NotImplemented if zipped is None else zipped


@staged(reversed)
def _reversed(sequence: object) -> object:
    made = iteration.staged_reversed(sequence)
    return NotImplemented if made is None else made


@staged(operator.getitem)
def _getitem(target: object, index: object) -> object:
    return get_item(target, index)


@staged(operator.delitem)
def _delitem(target: object, index: object) -> object:
    if isinstance(target, Tensor):
        raise misfit_of(operator.delitem, (target, index))
    return NotImplemented


@staged(operator.concat, operator.iconcat)
def _concat(left: object, right: object) -> object:
    if isinstance(left, Tensor) or isinstance(right, Tensor):
        raise misfit_of(operator.concat, (left, right))  # Only sequences can be concatenated.
    return NotImplemented


@staged(abs)
def _abs(value: Any) -> object:
    return abs(value)


@staged(int)
def _int(value: object = 0, /, *given: object, **options: object) -> Tensor | int:
    if given or options:
        # CPython checks the base first, and so must this; a staged base raises that its value is needed.
        text: Any = value if isinstance(value, (str, bytes, bytearray)) else object()
        return int(text, *given, **options)
    return to_int(_real(_scalar(value, _NO_INT), _NO_INT))


@staged(float)
def _float(value: object = 0.0) -> Tensor:
    return cast(_real(_scalar(value, _NO_FLOAT), _NO_FLOAT), "float64")


def _real(value: Tensor, words: str) -> Tensor:
    """The number, if it is real; refuses complex ones."""
    if not isinstance(value, ComplexTensor):
        return value
    if value.kind is Kind.PYTHON:
        raise type_error(words.format("complex"))
    raise refusal(f"`{words.partition('(')[0]}`", value)  # NumPy would only warn and drop the part.


@staged(complex)
def _complex(*args: object, **parts: object) -> ComplexTensor:
    return complex_of(*(_scalar(value, _NO_COMPLEX) for value in args), **parts)


@staged(bool)
def _bool(value: object = False) -> Tensor:
    return truth(value)


def _scalar(value: object, no_number: str) -> Tensor:
    """A value as a staged number of rank 0; other values raise CPython's error, which names their class."""
    if isinstance(value, (list, tuple)):
        raise TypeError(no_number.format("list" if isinstance(value, list) else type(value).__name__))
    tensor = lift(value)
    words = _words_for_arrays()
    if tensor.sizes and not _converts_one_element():
        raise TypeError(words)
    size = tensor.size
    if isinstance(size, Tensor):
        require(compare("equal", size, 1), TypeError, words)
    elif size != 1:
        raise type_error(words)
    if isinstance(tensor, ComplexTensor):
        return tensor if not tensor.sizes else tensor.reshape(())
    return tensor if not tensor.sizes else wrap(emit("reshape", tensor.read(), []))


@functools.cache
def _converts_one_element() -> bool:
    """Whether this version of NumPy still converts an array of one element to a number."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            float(np.zeros(1))
        except TypeError:
            return False
    return True


@functools.cache
def _words_for_arrays() -> str:
    """This NumPy version's message for ``float(np.zeros(2))``."""
    try:
        float(np.zeros(2))
    except TypeError as error:
        return str(error)
    return ""


def _round_with(ufunc: np.ufunc) -> Callable[[Any], Any]:
    def implementation(value: Any) -> object:
        if ufunc is np.trunc and isinstance(value, Tensor) and not hasattr(plain_class(value), "__trunc__"):
            raise type_error(f"type {class_text(value)} doesn't define __trunc__ method")
        scalar = _scalar(value, _NO_REAL)
        return cast(scalar, "int64") if scalar.dtype.kind != "f" else to_int(apply(ufunc, scalar))

    return implementation


for _function, _ufunc in ((math.floor, np.floor), (math.ceil, np.ceil), (math.trunc, np.trunc)):
    TABLE[_function] = _round_with(_ufunc)


@staged(round)
def _round(number: Any, ndigits: Any = None) -> object:
    if isinstance(number, StagedOptional):
        number = required(number, "type NoneType doesn't define __round__ method", TypeError)
    if type(number) is StagedUnion:
        return over_alternatives(_round, (number, ndigits), {})
    if not isinstance(number, Tensor):  # A constant alternative of a union.
        return round(number) if ndigits is None else round(number, ndigits)
    if isinstance(number, Tensor) and number.kind is Kind.ARRAY:
        raise type_error("type numpy.ndarray doesn't define __round__ method")
    if ndigits is not None:
        return _round_to(number, ndigits)
    if not is_python_scalar(number):
        return to_int(apply(np.rint, number))
    return number if number.dtype.kind == "i" else to_int(wrap(emit("unary", "rint", number.read())))


def _round_to(number: Any, ndigits: Any) -> object:
    """``round(number, ndigits)``, for ints and NumPy scalars only."""
    if isinstance(ndigits, int) and is_python_scalar(number) and number.dtype.kind != "f" and ndigits >= 0:
        return to_int(number)
    if isinstance(ndigits, int) and not is_python_scalar(number):
        return np.round(number, ndigits)
    raise staging_error(
        "AG120",
        "`round` to digits of a staged Python number is not supported",
        "Python rounds its decimal digits; `np.round` scales, rounds and scales back, and can be staged",
    )


@staged(pow)
def _pow(base: Any, exp: Any, mod: object = None) -> object:
    if mod is None:
        return base**exp
    if all(is_python_scalar(value) or isinstance(value, int) for value in (base, exp, mod)):
        raise staging_error(
            "AG120",
            "`pow` with a modulus of a staged value is not supported",
            "multiply in a loop and take `%` of each product",
        )
    named = ", ".join(repr(class_text(value)) for value in (base, exp, mod))
    raise type_error(f"unsupported operand type(s) for ** or pow(): {named}")


@staged(divmod)
def _divmod(x: Any, y: Any) -> tuple[Any, Any]:
    try:
        return x // y, x % y
    except TypeError as error:
        raise TypeError(str(error).replace("for //:", "for divmod():")) from None


@staged(str)
def _str(value: object = "", *given: object, **options: object) -> StagedString:
    if given or options:
        raise misfit_of(str, (value, *given), options)
    return value if isinstance(value, StagedString) else StagedString(((value, "s", ""),))


@staged(repr)
def _repr(value: object) -> StagedString:
    return StagedString(((value, "r", ""),))


@staged(ascii)
def _ascii(value: object) -> StagedString:
    return StagedString(((value, "a", ""),))


@staged(format)
def _format(value: object, spec: str = "") -> StagedString:
    return StagedString(((value, None, spec),))


@staged(isinstance)
def _isinstance(value: object, classes: Any) -> object:
    isinstance(None, classes)  # Raises if these are no classes.
    if isinstance(value, TruthOnly):
        value.refuse()
    if isinstance(value, StagedOptional):
        is_value = over_alternatives(isinstance_of, (value.value, classes), {})
        is_none = isinstance(None, classes)
        if isinstance(is_value, Tensor):  # A union, whose type depends on the run.
            return either(negate(value.present), is_value) if is_none else both(value.present, is_value)
        if is_value == is_none:
            return is_value
        return value.present if is_value else negate(value.present)
    if isinstance(value, StagedNode):
        from autograph._src.staging.objects.node_fields import is_instance

        return is_instance(value, classes)
    if isinstance(value, NodeSequence):
        if value.present is not None:
            raise staging_error("AG120", f"`isinstance` of `{value.called}`", "test `is None`")
        return issubclass(value.plain_class, classes)
    if isinstance(value, StagedString):
        return issubclass(str, classes)
    if isinstance(value, NamedValue):
        raise staging_error("AG120", f"`isinstance` of `{value.name}`", "compare it with `==`")
    return isinstance_of(value, classes) if isinstance(value, Tensor) else NotImplemented


def isinstance_of(value: object, classes: tuple[Any, ...] | type[Any]) -> bool:
    """``isinstance``, with a tensor counted as the plain value that it stands for."""
    if not isinstance(value, Tensor):
        return isinstance(value, classes)
    wanted = classes if isinstance(classes, tuple) else (classes,)
    return any(issubclass(plain_class(value), one) or one is Tensor for one in wanted)


@staged(operator.is_)
def _is(left: object, right: object) -> object:
    return is_(left, right)


@staged(operator.is_not)
def _is_not(left: object, right: object) -> object:
    return is_not(left, right)


@staged(dataclasses.replace)
def _replace(value: object, /, **changes: object) -> object:
    return replaced_fields(value, changes) if isinstance(value, StagedNode) else NotImplemented


@staged(dataclasses.asdict, dataclasses.astuple, dataclasses.fields, vars)
def _look_inside(value: object, **_: object) -> object:
    raise staging_error("AG120", "what a staged object holds is not known while tracing", "read its fields")


@staged(id)
def _id(value: object) -> object:
    if backend_of(value) is not None:
        raise staging_error(
            "AG101",
            "the `id` of an object that only the run knows is needed while tracing",
            "compare with `is`",
        )
    return NotImplemented


@staged(hasattr)
def _hasattr(value: object, name: str) -> object:
    if isinstance(value, StagedNode):
        from autograph._src.staging.objects.node_fields import has_attribute

        return has_attribute(value, name)
    return hasattr(plain_class(value), name) if isinstance(value, Tensor) else NotImplemented


_REQUIRED: object = object()


@staged(getattr)
def _getattr(value: object, name: str, default: object = _REQUIRED) -> object:
    if isinstance(value, StagedNode) and default is not _REQUIRED:
        return if_exp(_hasattr(value, name), lambda: getattr(value, name), lambda: default)
    if default is not _REQUIRED and isinstance(value, Tensor) and not hasattr(plain_class(value), name):
        return default
    return NotImplemented if default is not _REQUIRED else getattr(value, name)


@staged(type)
def _type(value: object) -> object:
    if isinstance(value, Tensor):
        return plain_class(value)
    if isinstance(value, (StagedString, StagedList)):
        return str if isinstance(value, StagedString) else list
    if isinstance(value, StagedNode):
        from autograph._src.staging.objects.node_fields import class_of_node

        return class_of_node(value)
    what = "a value that may be None" if isinstance(value, StagedOptional) else "a staged iterable"
    if type(value) is StagedUnion:
        what = "a value of several types"
    raise staging_error("AG120", f"`type` of {what}", "use `isinstance`")


@staged(math.sqrt)
def _math_sqrt(x: object) -> Tensor:
    value = cast(_scalar(x, _NO_REAL), "float64")
    below = wrap(emit("binary", "less", value.read(), lift(0.0).read()), Kind.PYTHON)
    require(wrap(emit("unary", "logical_not", below.read()), Kind.PYTHON), ValueError, "math domain error")
    return wrap(emit("unary", "sqrt", value.read()), Kind.PYTHON)


def _math_function(name: str) -> Callable[[Any], Any]:
    """A function of ``math``; the run raises if a finite argument gives a result that is not finite."""

    def implementation(x: object) -> object:
        value = cast(_scalar(x, _NO_REAL), "float64")
        result = emit("unary", name, value.read())
        finite = [emit("unary", "isfinite", one) for one in (result, value.read())]
        fine = emit("binary", "bitwise_or", finite[0], emit("unary", "logical_not", finite[1]))
        nan = emit("unary", "isnan", result)
        overflowed = emit("binary", "bitwise_or", fine, nan)
        emit(
            "check",
            emit("binary", "bitwise_or", fine, emit("unary", "isinf", result)),
            "ValueError",
            "math domain error",
        )
        error = (
            ("ValueError", "math domain error")
            if name.startswith("log")
            else ("OverflowError", "math range error")
        )
        emit("check", overflowed, *error)
        return wrap(result, Kind.PYTHON)

    return implementation


for _family, _op, _means, *_ in _core.op_table():
    if _means.startswith("math."):
        TABLE[getattr(math, _op)] = _math_function(_op)

for _name, _op in (
    ("exp", "exp"),
    ("expm1", "expm1"),
    ("log2", "log2"),
    ("log10", "log10"),
    ("log1p", "log1p"),
    ("sin", "sin"),
    ("cos", "cos"),
    ("tan", "tan"),
    ("atan", "arctan"),
    ("sinh", "sinh"),
    ("cosh", "cosh"),
    ("tanh", "tanh"),
):
    TABLE[getattr(math, _name)] = _math_function(_op)


@staged(math.log)
def _math_log(x: object, *base: object) -> object:
    natural = _math_function("log")(x)
    return natural if not base else natural / call_builtin(math.log, (lift(base[0]),), {})


@staged(math.fabs)
def _math_fabs(x: object) -> object:
    return abs(cast(_scalar(x, _NO_REAL), "float64"))


for _test, _op in ((math.isnan, "isnan"), (math.isinf, "isinf"), (math.isfinite, "isfinite")):
    TABLE[_test] = lambda x, op=_op: wrap(
        emit("unary", op, cast(_scalar(x, _NO_REAL), "float64").read()), Kind.PYTHON
    )


_HOLD_VALUES = frozenset((*RECORDED, str, repr, ascii, format, operator.is_, operator.is_not))
"""Staged builtins that take a union without branching on its type."""

_WALK_VALUES = frozenset((enumerate, zip, reversed, map, filter, iter, next, list, tuple, len, type))
"""Builtins that pass on elements, or ignore them."""


def computes_with(function: object) -> bool:
    """Whether a builtin computes with its numbers; `list`, `ValueError` and `print` only store them."""
    if isinstance(function, type) and function not in TABLE:
        return False
    return function not in _HOLD_VALUES and function not in _WALK_VALUES


_TAKE_NONE = frozenset(
    (*RECORDED, isinstance, bool, str, repr, ascii, format, type, operator.is_, operator.is_not, max, min)
)
"""Builtins that accept ``None``, or whose staged versions handle it themselves."""
