"""The table of NumPy functions with their staged versions, and the refusal of all other functions."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, TypeVar

import numpy as np

from autograph._src.backends.protocol import type_name
from autograph._src.numpy.calls.asked import Answer, answer_to, error_of, is_usual
from autograph._src.numpy.calls.object_arrays import without_objects
from autograph._src.numpy.calls.of_scipy import is_of_scipy
from autograph._src.numpy.calls.options import check_options, holds_staged
from autograph._src.numpy.calls.outputs import call_with_out, without_out
from autograph._src.numpy.calls.outside import reason_of
from autograph._src.operators.written import FUNCTIONS_THAT_WRITE, METHODS_THAT_WRITE
from autograph._src.own_attributes import has_own
from autograph._src.staging.kinds.leaves import leaves_of
from autograph._src.staging.kinds.unions import holds_unions, over_alternatives
from autograph._src.staging.lists.traced_list import made_list
from autograph._src.staging.tensors.argument_words import words_of
from autograph._src.staging.tensors.lifting import is_python_scalar
from autograph._src.staging.tensors.number_tensor import NUMBER_TENSORS
from autograph._src.staging.tensors.operand_labels import label_operands
from autograph._src.staging.tensors.tensor import ArrayTensor, ScalarTensor, Tensor
from autograph._src.staging.tensors.views import unlink_older
from autograph._src.staging.trace import statements
from autograph._src.staging.trace.active import require_trace, staging_error, type_error
from autograph._src.staging.trace.statements import records
from autograph.errors import AutographError, ShapeError, StagingError

Overload = TypeVar("Overload", bound=Callable[..., Any])

OVERLOADS: dict[Any, Callable[..., Any]] = {}
"""For each NumPy function, the version that runs when an argument is staged."""

CREATORS: dict[Any, Callable[..., Any]] = {}
"""For each NumPy function that makes arrays, the version that runs in a trace, whatever the arguments."""


UNDISPATCHED: set[Any] = set()
"""Functions with a staged version that NumPy calls as they are, also with staged arguments."""

SPECIAL_CALLS: list[Callable[..., Callable[..., Any] | None]] = []
"""The functions that choose the version for complex and for narrow values; these register them here."""


_DIRECT = frozenset(
    (ScalarTensor, ArrayTensor, *NUMBER_TENSORS.values(), np.ndarray, bool, int, float, str, type(None), type)
)


def are_direct(values: Iterable[Any]) -> bool:
    """Whether NumPy accepts or dispatches on the classes of all arguments, as for most calls."""
    return _DIRECT.issuperset(map(type, values))


def overload(*functions: object) -> Callable[[Overload], Overload]:
    """Registers the staged version of NumPy functions; its parameters have NumPy's names."""
    return partial(put_into, OVERLOADS, functions)


def creator(*functions: object) -> Callable[[Overload], Overload]:
    """Registers the staged version of functions that make arrays without array arguments."""
    return partial(put_into, CREATORS, functions)


def put_into(
    table: dict[Any, Callable[..., Any]], functions: tuple[Any, ...], implementation: Overload
) -> Overload:
    """Enters one implementation for several NumPy functions into a table; returns the implementation."""
    table.update(dict.fromkeys(functions, implementation))
    return implementation


def _call_function(function: Callable[..., Any], *args: object, **kwargs: object) -> object:
    return call_function(function, args, kwargs)


@records(statements.call_function)
def call_function(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Calls the staged version of a NumPy function.

    Raises:
        StagingError: If there is no staged version, or none for these arguments.
    """
    if not (are_direct(args) and are_direct(kwargs.values())) and holds_unions((args, kwargs)):
        return over_alternatives(partial(_call_function, function), args, kwargs)
    require_arrays(function, args, kwargs)
    args, kwargs, out = without_out(function, args, kwargs)
    implementation = _special_version(function, args, kwargs)
    implementation = implementation or OVERLOADS.get(function) or CREATORS.get(function)
    if implementation is None:
        raise unsupported(function)
    known = OVERLOADS.get(function) or CREATORS.get(function) or implementation
    check_options(function, known, args, kwargs, name_of(function))
    serial = require_trace().journal.serial
    try:
        if out is not None:
            return call_with_out(function, implementation, args, kwargs, out)
        result = as_numpy_takes(function, implementation, args, kwargs)
        if function not in _VIEWS:
            unlink_older(leaves_of(tuple(result) if isinstance(result, list) else result), serial)
        return _lists_of_the_program(without_objects(function, result))
    except TypeError as error:
        if "unexpected keyword argument" in str(error) and not isinstance(error, StagingError):
            raise unsupported_option(function, str(error).rsplit("'", 2)[-2]) from None
        raise
    except StagingError as error:
        if error.code == "AG101" and any(map(_has_unknown_size, (*args, *kwargs.values()))):
            raise staging_error(
                "AG117",
                f"`{name_of(function)}` of an array whose size depends on data is not supported yet",
                "call it on an array of known size, or write it with functions that take any size",
            ) from None
        if isinstance(error, ShapeError):
            _in_words_of_numpy(error, function, args, kwargs)
            label_operands(error, function, args, kwargs)
        raise


def _in_words_of_numpy(
    error: ShapeError, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> None:
    """Gives an error of shapes that do not fit the message that NumPy has for the call."""
    if error.code == "AG102" and answer_to(function, args, kwargs) is Answer.RAISES:
        error.message = str(error_of(function, args, kwargs)).rstrip()


def _special_version(
    function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Callable[..., Any] | None:
    """The version for values that the graph holds as others, if an argument is one."""
    found = (choose(function, args, kwargs) for choose in SPECIAL_CALLS)
    return next((one for one in found if one is not None), None)


_VIEWS: frozenset[object] = frozenset(
    getattr(np, name)
    for name in (
        *("reshape", "ravel", "transpose", "permute_dims", "matrix_transpose", "swapaxes", "moveaxis"),
        *("rollaxis", "squeeze", "expand_dims", "atleast_1d", "atleast_2d", "atleast_3d", "split"),
        *("array_split", "hsplit", "vsplit", "dsplit", "flip", "fliplr", "flipud", "rot90", "unstack"),
    )
    if hasattr(np, name)
)
"""Functions whose results are views, as their staged versions say. Others copy, or give views to read."""


def as_numpy_takes(
    function: Callable[..., Any], call: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> object:
    """Calls ``call(*args, **kwargs)`` in place of a NumPy function, with NumPy's errors.

    A call that NumPy refuses raises NumPy's error, even if the staged version would accept it.

    Raises:
        StagingError: If NumPy accepts the call and the staged version does not (AG105).
    """
    if getattr(function, "__name__", "") in _WRITES and answer_to(function, args, kwargs) is Answer.RAISES:
        raise error_of(function, args, kwargs)
    try:
        result = call(*args, **kwargs)
    except AutographError:
        raise
    except (TypeError, ValueError, IndexError, ArithmeticError) as error:
        answer = answer_to(function, args, kwargs)
        if answer is Answer.TAKES:
            raise staging_error(
                "AG105",
                f"`{name_of(function)}` of a staged value does not take these arguments, which NumPy's takes",
                "give it arrays, or numbers of the types that its documentation names",
            ) from None
        if answer is Answer.RAISES:
            raise error_of(function, args, kwargs) from None
        if error.__traceback__ is not None and error.__traceback__.tb_next is None:
            # Too many or too few arguments: the error names NumPy's function instead of ours.
            raise words_of(function, args, kwargs, is_misfit=True) or error from None
        raise
    if not is_usual(args, kwargs) and answer_to(function, args, kwargs) is Answer.RAISES:
        raise error_of(function, args, kwargs)
    return result


_WRITES = METHODS_THAT_WRITE.union(function.__name__ for function in FUNCTIONS_THAT_WRITE)
"""Names of what writes. NumPy is asked first whether it raises, since it writes nothing then."""


def _lists_of_the_program(result: object) -> object:
    """A result with its lists made traced lists, so that a branch cannot leak writes to them."""
    if type(result) is tuple:
        return tuple(map(_lists_of_the_program, result))
    return made_list(result) if type(result) is list else result


def _has_unknown_size(value: object) -> bool:
    if isinstance(value, (list, tuple)):
        return any(map(_has_unknown_size, value))
    return has_own(value, "sizes") and None in value.sizes


ARRAYS_ONLY: dict[Any, tuple[str, ...]] = {
    **{function: (first,) for function, first in FUNCTIONS_THAT_WRITE.items()},
    np.common_type: ("",) * 64,
    np.diag_indices_from: ("arr",),
    np.put_along_axis: ("arr", "indices"),
    np.take_along_axis: ("arr", "indices"),
    np.tril_indices_from: ("arr",),
    np.triu_indices_from: ("arr",),
    **({np.unstack: ("x",)} if hasattr(np, "unstack") else {}),
}
"""Functions that write to their first arguments or read attributes of them, so these must be arrays."""


def require_arrays(function: object, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """Refuses lists and Python numbers where NumPy does not convert them to arrays."""
    for place, name in enumerate(ARRAYS_ONLY.get(function, ())):
        value = args[place] if place < len(args) else kwargs.get(name)
        if is_python_scalar(value) or isinstance(value, (list, tuple)):
            what = "list" if isinstance(value, list) else type_name(value)
            raise type_error(f"`{name_of(function)}` takes arrays, not a value of type {what}")


def name_of(function: object) -> str:
    """The function's public name, such as ``np.linalg.svd``."""
    name = getattr(function, "__name__", str(function))
    owner = getattr(function, "__self__", None)
    if isinstance(owner, np.ufunc):
        return f"np.{owner.__name__}.{name}"
    if is_of_scipy(function):
        return f"scipy.special.{name}"
    module = getattr(function, "__module__", None) or "numpy"
    return f"{module}.{name}".replace("numpy", "np", 1)


def rank_of(value: Any) -> int:
    """The number of dimensions of a value, found without making an array, as `np.ndim` would."""
    if isinstance(value, (list, tuple)) and holds_staged(value):
        return 1 + max(map(rank_of, value))
    return value.ndim if isinstance(value, Tensor) else np.ndim(value)


def unsupported(function: Callable[..., Any]) -> StagingError:
    """The refusal of a NumPy function."""
    reason = reason_of(function)
    if reason is not None:
        return staging_error(
            "AG107",
            f"`{name_of(function)}` makes no sense for a staged value ({reason})",
            "call it outside the staged function",
        )
    return staging_error(
        "AG107",
        f"`{name_of(function)}` of a staged value is not supported yet",
        "call it outside the staged function, or write it with supported functions",
    )


def unknown_while_tracing(function: Callable[..., Any], what: str) -> StagingError:
    """The refusal of a NumPy function whose result only the run knows."""
    return staging_error(
        "AG107",
        f"`{name_of(function)}` asks {what}, which is not known while tracing",
        "call it outside the staged function",
    )


def unsupported_option(function: Callable[..., Any], option: str) -> StagingError:
    """The refusal of an option of a NumPy function."""
    return staging_error("AG108", f"`{option}=` of `{name_of(function)}` is not supported for staged values")


def refuse_options(function: Callable[..., Any], options: dict[str, Any]) -> None:
    """Refuses the options that are not ``None`` or NumPy's "no value"."""
    for name, value in options.items():
        if value is not None and value is not np._NoValue:
            raise unsupported_option(function, name)
