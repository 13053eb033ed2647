"""The table of Python's builtins over staged values; and those that show, index and walk over values."""

from __future__ import annotations

import operator
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

from autograph._src.operators import group_walks
from autograph._src.operators.calls import converted_call
from autograph._src.operators.generator_loops import Walk
from autograph._src.operators.impure_functions import RECORDED
from autograph._src.operators.items import get_item
from autograph._src.own_attributes import has_own
from autograph._src.staging.control import iteration
from autograph._src.staging.control.effects import record_call, record_print, record_warning
from autograph._src.staging.kinds.optionals import StagedOptional, refusal_of_none, required
from autograph._src.staging.kinds.unions import holds_unions, over_alternatives, unions_in
from autograph._src.staging.lists.list_order import texts_of
from autograph._src.staging.lists.staged_iterable import StagedIterable
from autograph._src.staging.lists.traced_list import StagedList
from autograph._src.staging.tensors.argument_words import call_in_place_of, misfit_of, words_of
from autograph._src.staging.tensors.python_scalars import cast, of_program
from autograph._src.staging.tensors.staged_strings import StagedString, text_needed
from autograph._src.staging.tensors.tensor import Form, Tensor, class_text, wrap
from autograph._src.staging.trace.active import is_foreign, require_trace, staging_error, type_error
from autograph._src.staging.trace.statements import use_characters

TABLE: dict[Any, Callable[..., Any]] = {}
"""By builtin: the function to run if an argument is staged; ``NotImplemented`` means to call the builtin."""


CONSUMERS: dict[Any, Callable[..., Any]] = {}
"""By builtin: the statements that it abbreviates where its first argument is a generator's walk."""

OF_SEQUENCES: dict[Any, Callable[..., Any]] = {}
"""By comparison of the module ``operator``: that of two tuples or lists; ``NotImplemented`` for others."""


OF_DRAWS: dict[type, Callable[..., Any]] = {}
"""By class: the function for itself, and for the methods of its objects, which draw random numbers."""

OF_STRINGS: list[Callable[..., Any]] = []
"""The function for methods of a plain string; ``string_builtins.py`` enters it here."""


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
    if args and isinstance(args[0], Walk):
        return CONSUMERS[function](*args, **kwargs)
    owner = type(getattr(function, "__self__", None))
    drawing = OF_DRAWS.get(function if isinstance(function, type) else owner)
    if drawing is not None:
        return drawing(function, args, kwargs)
    if owner is str:
        made = OF_STRINGS[0](function, args, kwargs)
        if made is not NotImplemented:
            return made
    compared = OF_SEQUENCES[function](*args) if function in OF_SEQUENCES and not kwargs else NotImplemented
    if compared is not NotImplemented:
        return compared
    implementation = TABLE.get(function)
    is_exception = isinstance(function, type) and issubclass(function, BaseException)
    takes_text = is_exception or function in _TAKE_TEXT or function in RECORDED
    if not takes_text and any(map(_has_text, (*args, *kwargs.values()))):
        is_ours = getattr(function, "__module__", None) == group_walks.__name__
        raise text_needed(f"`{'groupby' if is_ours else getattr(function, '__name__', function)}` of")
    if function not in _TAKE_NONE:
        given, named = _without_none(function, args, kwargs)
        if any(one is not other for one, other in zip(args, given, strict=True)) and implementation is None:
            return function(*given, **named)
        args, kwargs = tuple(given), named
        if takes_one_type(function, args, kwargs):  # What may be None is of several types.
            return over_alternatives(partial(converted_call, function), args, kwargs)
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
    (print, str, repr, ascii, format, isinstance, type, getattr, hasattr, id, callable, len, bool, int, ord)
) | {*(enumerate, zip, reversed, map, filter, list, iter, any, all, sum, next), operator.mod, operator.imod}
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
    if is_foreign(value):
        return of_program(iteration.length_of_foreign(value))
    if isinstance(value, StagedString):
        return use_characters("length", value)
    return value.length() if isinstance(value, (StagedList, Tensor)) else NotImplemented


@staged(range)
def _range(*bounds: object) -> StagedIterable:
    if len(bounds) > 3:
        raise TypeError(f"range expected at most 3 arguments, got {len(bounds)}")
    bounds = tuple(_index_of_foreign(bound) if is_foreign(bound) else bound for bound in bounds)
    for bound in bounds:
        if isinstance(bound, Tensor) and (not _is_integer(bound) or bound.sizes):
            raise _no_integer(bound)
    bounds = tuple(bound.ag_number() if has_own(bound, "ag_number") else bound for bound in bounds)
    numbers = [_python_int(bound) for bound in bounds]
    start, stop, step = (0, numbers[0], 1) if len(numbers) == 1 else (*numbers, 1)[:3]
    return iteration.staged_range(start, stop, step)


def _index_of_foreign(value: object) -> Tensor:
    """``operator.index(value)`` of another library's staged value."""
    return wrap(require_trace().builder.index(value), Form.PYTHON)


def _is_integer(bound: Tensor) -> bool:
    """Whether a bound has an ``__index__``: ints and Python bools do, NumPy bools do not."""
    return bound.dtype.kind in ("iub" if bound.form is Form.PYTHON else "iu")


def _no_integer(bound: Tensor) -> TypeError:
    """CPython's or NumPy's error for a value that is no integer."""
    if bound.form is Form.ARRAY:
        return TypeError("only integer scalar arrays can be converted to a scalar index")
    return TypeError(f"{class_text(bound)!r} object cannot be interpreted as an integer")


def _python_int(value: Any) -> Tensor | int:
    if isinstance(value, Tensor):
        return cast(wrap(value.read(), Form.PYTHON), "int64") if value.form is not Form.PYTHON else value
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


_HOLD_VALUES = frozenset(
    (*RECORDED, str, repr, ascii, format, operator.is_, operator.is_not, operator.mod, operator.imod)
)
"""Staged builtins that take a union without branching on its type."""

_WALK_VALUES = frozenset((enumerate, zip, reversed, map, filter, iter, next, list, tuple, len, type))
"""Builtins that pass on elements, or ignore them."""


def takes_one_type(function: object, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Whether a builtin is to be recorded for each combination of the types that its arguments may have."""
    if not computes_with(function) or not holds_unions((args, kwargs)):
        return False
    # Strings are compared pair by pair: all of a list have too many combinations.
    return function not in (sorted, max, min) or not all(map(texts_of, unions_in((args, kwargs))))


def computes_with(function: object) -> bool:
    """Whether a builtin computes with its numbers; `list`, `ValueError` and `print` only store them."""
    if isinstance(function, type) and function not in TABLE:
        return False
    return function not in _HOLD_VALUES and function not in _WALK_VALUES


_TAKE_NONE = frozenset(
    (*RECORDED, isinstance, bool, str, repr, ascii, format, type, operator.is_, operator.is_not, max, min)
)
"""Builtins that accept ``None``, or whose staged versions handle it themselves."""
