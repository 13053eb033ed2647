"""Entry points by which staged values record operators and statements without importing the recorders.

    x + y               binary
    x[i]                get_item
    xs.index(v)         stage_for: a loop over the list
    a < b               stage_while, for two lists: a loop to the first elements that differ
    node.name           stage_choice, where the node may be of two classes

The recorders are in later rooms and register themselves with :func:`records`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from autograph._src.staging.trace.state import NO_VARIABLES, State

if TYPE_CHECKING:
    from autograph._src.staging.tensors.tensor import Tensor

Recorder = TypeVar("Recorder", bound=Callable[..., Any])

_RECORDERS: dict[str, Callable[..., Any]] = {}


def records(statement: Callable[..., Any]) -> Callable[[Recorder], Recorder]:
    """Registers the function that records a statement of this module."""

    def register(recorder: Recorder) -> Recorder:
        _RECORDERS[statement.__name__] = recorder
        return recorder

    return register


def contents_differ(*containers: object) -> None:
    """Begins the recording again if dicts, sets or deques can be tables, whose keys only the run knows.

    These depend on a staged statement, which is refused otherwise.
    """
    if "contents_differ" in _RECORDERS:
        _RECORDERS["contents_differ"](*containers)


def joins_beside(one: object, other: object) -> None:
    """As :func:`contents_differ`, of a plain dict on one path that is a table on the other."""
    if "joins_beside" in _RECORDERS:
        _RECORDERS["joins_beside"](one, other)


def binary(ufunc: np.ufunc, left: object, right: object) -> Tensor:
    """``left op right``, with at least one staged operand."""
    result: Tensor = _RECORDERS["binary"](ufunc, left, right)
    return result


def in_place(ufunc: np.ufunc, target: object, other: object) -> Tensor:
    """``target op= other``: arrays are written in place, scalars are immutable and rebound."""
    result: Tensor = _RECORDERS["in_place"](ufunc, target, other)
    return result


def unary(ufunc: np.ufunc, operand: object) -> Tensor:
    """``op operand``."""
    result: Tensor = _RECORDERS["unary"](ufunc, operand)
    return result


def open_shape(array: object) -> tuple[Any, ...]:
    """``array.shape``, with staged ints for the sizes that only the run knows."""
    shape: tuple[Any, ...] = _RECORDERS["open_shape"](array)
    return shape


def get_item(array: object, index: object) -> Any:
    """``array[index]``."""
    return _RECORDERS["get_item"](array, index)


def set_item(array: object, index: object, value: object) -> None:
    """``array[index] = value``."""
    _RECORDERS["set_item"](array, index, value)


def read_attribute(node: object, name: str) -> object:
    """``node.name`` of a staged node."""
    return _RECORDERS["read_attribute"](node, name)


def union_operator(ufunc: np.ufunc, left: object, right: object) -> object:
    """``ufunc(left, right)``, with at least one operand that is a value of several types."""
    return _RECORDERS["union_operator"](ufunc, left, right)


def elementwise(ufunc: np.ufunc, *operands: object) -> object:
    """``ufunc(*operands)``."""
    return _RECORDERS["elementwise"](ufunc, *operands)


def call_ufunc(ufunc: np.ufunc, method: str, inputs: tuple[Any, ...], options: dict[str, Any]) -> object:
    """Records a call of a ufunc or of a ufunc's method; takes the arguments of ``__array_ufunc__``."""
    return _RECORDERS["call_ufunc"](ufunc, method, inputs, options)


def call_function(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Records a call of another NumPy function; takes the arguments of ``__array_function__``."""
    return _RECORDERS["call_function"](function, args, kwargs)


def bound_method(array: object, name: str) -> object:
    """A method of an array, such as ``x.sum``."""
    return _RECORDERS["bound_method"](array, name)


def bound_complex_method(array: object, name: str) -> object:
    """A method of a complex array or number, such as ``z.conj``."""
    return _RECORDERS["bound_complex_method"](array, name)


def bound_narrow_method(array: object, name: str) -> object:
    """A method of an array or number of a narrow dtype, such as ``k.astype``."""
    return _RECORDERS["bound_narrow_method"](array, name)


def set_narrow_item(array: object, index: object, value: object) -> None:
    """``array[index] = value`` of an array of a narrow dtype."""
    _RECORDERS["set_narrow_item"](array, index, value)


def stage_choice(
    test: int,
    body: Callable[[], Any],
    orelse: Callable[[], Any],
    what: str,
    kind: object = None,
    state: State = NO_VARIABLES,
) -> Any:
    """Records an expression with two branches: ``a if c else b``, ``a and b``.

    Args:
        test: The graph value of the test.
        body: Computes the value if the test is true.
        orelse: Computes the value if it is false.
        what: The name of the expression in messages.
        kind: The kind of the result, if it is known.
        state: Variables that the branches bind: ``a and (x := b)``.
    """
    return _RECORDERS["stage_choice"](test, body, orelse, what, kind, state)


def stage_for(
    length: object,
    item: Callable[[Any], Any],
    extra_test: Callable[[], Any] | None,
    body: Callable[[Any], None],
    state: State,
) -> None:
    """Records ``for k in range(length): body(item(k))``, left early when ``extra_test`` is false.

    Args:
        length: The number of iterations, plain or staged.
        item: Gives the item of iteration ``k``.
        extra_test: Evaluated before each iteration, if given; a false result ends the loop.
        body: The loop's body.
        state: The variables the loop changes.
    """
    _RECORDERS["stage_for"](length, item, extra_test, body, state)


def stage_while(first_test: object, test: Callable[[], Any], body: Callable[[], None], state: State) -> None:
    """Records the rest of ``while test(): body()``, whose test was just evaluated to ``first_test``."""
    _RECORDERS["stage_while"](first_test, test, body, state)


def record_error_unless(ok: object, error: type[Exception], *args: object, **said: str) -> None:
    """Records that the run raises ``error(*args, **said)`` unless ``ok``.

    The arguments may be staged. ``said`` has the keyword arguments of this package's own exceptions, such as
    ``code``.
    """
    _RECORDERS["record_error_unless"](ok, error, *args, **said)


def record_failure_of(ok: object, error: type[Exception], call: Callable[..., Any], value: object) -> None:
    """Records that the run raises, unless ``ok``, the exception that CPython raises in ``call(value)``."""
    _RECORDERS["record_failure_of"](ok, error, call, value)


def stage_each(values: object, body: Callable[[Any], None], *, only_unknown: bool = False) -> bool:
    """Records ``for item in values: body(item)`` if ``values`` is staged.

    Args:
        values: The iterable.
        body: Takes each item.
        only_unknown: Whether to record only an iterable whose number of items depends on data.

    Returns:
        Whether it was recorded; if not, the caller runs the loop in Python.
    """
    return bool(_RECORDERS["stage_each"](values, body, only_unknown=only_unknown))


def items_of(iterable: object) -> Any:
    """``list(iterable)``, staged or plain."""
    return _RECORDERS["items_of"](iterable)


def sorted_values(values: object, key: object, reverse: object) -> Any:
    """Records ``sorted(values, key=key, reverse=reverse)``."""
    return _RECORDERS["sorted_values"](values, key, reverse)


def array_of(contents: object, dtype: object = None) -> Any:
    """Records ``np.array(contents, dtype)`` of the contents of a staged list."""
    return _RECORDERS["array_of"](contents, dtype)


def new_list(table: object, contents: object) -> object:
    """Records the making of a list at a site whose lists are rows of a table."""
    return _RECORDERS["new_list"](table, contents)


def table_of_columns(of_class: object, factory: object, runs: object) -> Any:
    """Records the making of the table of a dict or set whose keys and values are columns of arrays."""
    return _RECORDERS["table_of_columns"](of_class, factory, runs)


def use_characters(use: str, text: object, *arguments: object, **options: object) -> Any:
    """A use of a string of the run that needs its characters: ``"length"``, ``"equal"``, ``"item"``."""
    return _RECORDERS["use_characters"](use, text, *arguments, **options)
