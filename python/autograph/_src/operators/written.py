"""Which objects a call writes: an array passed as ``out=``, the container whose method is called.

An unconverted call runs once, while the graph is recorded, and so would its writes:

    np.add(table, 1, out=table)     # `table` is an array of the module
    heapq.heappush(self.queue, x)   # `self` is an argument

This file looks at each such call before it runs, however the call is spelled: ``xs.append(1)``,
``list.append(xs, 1)``, ``operator.setitem(xs, 0, 1)``. It announces a write to an object that was made while
tracing to the journal, and refuses a write to any other object. Writes that the call's arguments do not
reveal are found afterwards (``staging/trace/outside.py``).
"""

from __future__ import annotations

import bisect
import functools
import heapq
import inspect
import operator
import random
from collections.abc import Callable, Iterator
from types import BuiltinMethodType, MethodDescriptorType, MethodWrapperType, WrapperDescriptorType
from typing import Any

import numpy as np

from autograph._src.backends.protocol import Backend, backend_among, backend_of
from autograph._src.operators.places import CONTAINERS, Attribute, Contents, PlainArray

# fmt: off
_READING = frozenset([
    "copy", "count", "index", "keys", "values", "items", "get", "isdisjoint", "issubset",
    "issuperset", "union", "intersection", "difference", "symmetric_difference", "fromkeys",
    "decode", "endswith", "find", "hex", "isalnum", "isalpha", "isascii", "isdigit", "islower", "isspace",
    "istitle", "isupper", "startswith", "rfind", "rindex", "split", "rsplit", "splitlines", "join", "lower",
    "upper", "strip", "lstrip", "rstrip", "replace", "partition", "rpartition", "translate", "zfill", "title",
    "swapcase", "capitalize", "center", "ljust", "rjust", "expandtabs", "removeprefix", "removesuffix",
    "maketrans", "fromhex", "most_common", "elements", "total", "tobytes", "tolist", "tofile", "buffer_info",
])
# fmt: on
"""Methods of builtin containers that do not write to them."""

_IN_PLACE = """
    iadd isub imul imatmul itruediv ifloordiv imod ipow iand ior ixor ilshift irshift setitem delitem
"""

_WRITING = frozenset(f"__{name}__" for name in (*_IN_PLACE.split(), "init", "setstate"))
"""Special methods that write to their own object."""

METHODS_THAT_WRITE = frozenset(
    ("fill", "sort", "partition", "put", "resize", "setfield", "setflags", "itemset")
)
"""Methods of arrays that write to the array."""

FUNCTIONS_THAT_WRITE: dict[Any, str] = {
    np.copyto: "dst",
    np.put: "a",
    np.place: "arr",
    np.putmask: "a",
    np.fill_diagonal: "a",
    np.put_along_axis: "arr",
}
"""NumPy's functions that write to their first argument, with the name of that parameter."""

_FIRST_ARGUMENT: dict[Any, str] = {
    **FUNCTIONS_THAT_WRITE,
    heapq.heappush: "heap",
    heapq.heappop: "heap",
    heapq.heapreplace: "heap",
    heapq.heappushpop: "heap",
    heapq.heapify: "heap",
    bisect.insort: "a",
    bisect.insort_left: "a",
    bisect.insort_right: "a",
    random.shuffle: "x",
    operator.iconcat: "a",
    **{getattr(operator, name): "a" for name in _IN_PLACE.split()},
}
"""Functions that write to their first argument, with the name of that parameter."""

_BOUND = (BuiltinMethodType, MethodWrapperType)
UNBOUND = (MethodDescriptorType, WrapperDescriptorType)
"""The types of methods read from a class written in C: ``list.append``."""

_OUT_OF_UFUNC_METHODS = {"reduce": 3, "accumulate": 3, "reduceat": 4}


def note_writes(backend: Backend, function: object, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """Tells the back-end which objects a call that is about to run writes.

    Raises:
        StagingError: If one of these objects existed before the trace, and so outlives the call.
    """
    for one in _written(function, args, kwargs):
        if backend_of(one) is not None:
            continue
        if hasattr(type(one), "will_change"):
            one.will_change()
        elif isinstance(one, CONTAINERS):
            backend.will_write(Contents(one))
        elif isinstance(one, np.ndarray):
            if backend_among((*args, *kwargs.values())) is None:
                backend.will_write(PlainArray(one))
            else:
                backend.will_write_staged(one)
    name = getattr(function, "__name__", None)
    if name in ("__setattr__", "__delattr__"):
        owner, rest = _owner(function, args)
        if rest and isinstance(rest[0], str) and backend_of(owner) is None:
            backend.will_write(Attribute(owner, rest[0]))


def writes_to(method: str) -> bool:
    """Whether a method of a container of this name writes to it."""
    return method in _WRITING or not (method in _READING or method.startswith("__"))


def _owner(function: object, args: tuple[Any, ...]) -> tuple[Any, tuple[Any, ...]]:
    """The object whose method is called (``xs.append`` or ``list.append``), and the other arguments."""
    if isinstance(function, UNBOUND):
        return (args[0], args[1:]) if args else (None, ())
    return (function.__self__, args) if isinstance(function, _BOUND) else (None, args)


def _written(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Iterator[Any]:
    """The objects that a call writes."""
    owner, rest = _owner(function, args)
    if isinstance(owner, np.ufunc):
        if function.__name__ == "at" and rest:
            yield rest[0]
        place = _OUT_OF_UFUNC_METHODS.get(function.__name__)
        yield from _outputs(rest[place] if place is not None and len(rest) > place else kwargs.get("out"))
    elif isinstance(owner, CONTAINERS):
        if writes_to(function.__name__):
            yield owner
    elif isinstance(owner, np.ndarray):
        yield from _of_array(owner, function.__name__, rest, kwargs)
    elif isinstance(function, np.ufunc):
        if kwargs or len(args) > function.nin:
            yield from args[function.nin :]
            yield from _outputs(kwargs.get("out"))
    else:
        yield from _of_function(function, args, kwargs)


def _of_array(array: object, name: str, rest: tuple[Any, ...], kwargs: dict[str, Any]) -> Iterator[Any]:
    is_swapped = name == "byteswap" and not all(one is False for one in (*rest, *kwargs.values()))
    if name in METHODS_THAT_WRITE or name in _WRITING or is_swapped:
        yield array
    place = place_of_out(getattr(np.ndarray, name, None), 1) if rest else None
    yield from _outputs(rest[place] if place is not None and len(rest) > place else kwargs.get("out"))


def _of_function(function: object, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Iterator[Any]:
    try:
        first = _FIRST_ARGUMENT.get(function)
    except TypeError:  # A method of an unhashable object cannot be looked up.
        return
    if first is not None:
        yield args[0] if args else kwargs.get(first)
    elif function is np.nan_to_num and not (kwargs.get("copy", True) and all(args[1:2])):
        yield args[0] if args else kwargs.get("x")
    elif is_numpys(function):
        # Reading a signature takes longer than recording the call. No function has `out` as its first
        # parameter, so calls with one argument need not be looked at.
        place = place_of_out(function, 0) if len(args) > 1 else None
        yield from _outputs(args[place] if place is not None and len(args) > place else kwargs.get("out"))


def _outputs(out: object) -> Iterator[Any]:
    """The arrays passed as ``out=``: one array, or a tuple of them."""
    yield from out if isinstance(out, tuple) else (out,)


def is_numpys(function: object) -> bool:
    """Whether NumPy defines a function."""
    return str(getattr(function, "__module__", None)).partition(".")[0] == "numpy"


@functools.cache
def place_of_out(function: Callable[..., Any], skipped: int) -> int | None:
    """The position of the parameter ``out`` of a function; ``None`` if it cannot be passed by position."""
    try:
        parameters = inspect.signature(function).parameters
    except (TypeError, ValueError):
        return None
    named = parameters.get("out")
    if named is None or named.kind is named.KEYWORD_ONLY:
        return None
    if any(one.kind is one.VAR_POSITIONAL for one in parameters.values()):
        return None
    return list(parameters).index("out") - skipped
