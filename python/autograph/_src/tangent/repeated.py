"""What may run twice: whether a call does the same when it runs again, and nothing that others see."""

from __future__ import annotations

import builtins
import dis
import random
import sys
from collections.abc import Iterator
from types import BuiltinFunctionType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

from autograph._src.policy import is_user_code
from autograph._src.tangent.classes import attribute_of, constructor_of, is_plain_class
from autograph._src.tangent.module_writes import METHODS_THAT_WRITE
from autograph._src.tangent.records import record_of
from autograph._src.tangent.registry import adjoint_of, is_non_differentiable
from autograph._src.tangent.super_calls import behind, class_around, manner_of

_SAME = frozenset(
    (
        "abs",
        "all",
        "any",
        "ascii",
        "bin",
        "bool",
        "bytearray",
        "bytes",
        "callable",
        "chr",
        "complex",
        "dict",
        "divmod",
        "enumerate",
        "filter",
        "float",
        "format",
        "frozenset",
        "getattr",
        "hasattr",
        "hash",
        "hex",
        "id",
        "int",
        "isinstance",
        "issubclass",
        "iter",
        "len",
        "list",
        "map",
        "max",
        "min",
        "object",
        "oct",
        "ord",
        "pow",
        "range",
        "repr",
        "reversed",
        "round",
        "set",
        "slice",
        "sorted",
        "str",
        "sum",
        "tuple",
        "type",
        "zip",
    )
)
_ITERATING = frozenset(
    (
        *("all", "any", "dict", "enumerate", "filter", "frozenset", "iter", "list", "map", "max", "min"),
        *("reversed", "set", "sorted", "sum", "tuple", "zip"),
    )
)
_WORDS = {
    "print": "prints",
    "input": "reads input",
    "open": "opens a file",
    "next": "takes from an iterator",
}
_DRAWS = "draws random numbers"
_UNKNOWN = "may do something else when it runs again"
_HOLDERS = (np.ndarray, list, dict, set, tuple, str, bytes, float, int, complex)
_GENERATORS = (np.random.Generator, np.random.RandomState, random.Random)
_WRITES = ("STORE_GLOBAL", "DELETE_GLOBAL")
_INTO = ("STORE_SUBSCR", "DELETE_SUBSCR", "STORE_SLICE", "STORE_ATTR", "DELETE_ATTR")
_MISSING = object()


def method_reason(name: str) -> str | None:
    """Why a method of this name may do something else when it is called again; ``None`` if it does not."""
    if any(hasattr(one, name) for one in _HOLDERS):
        return None
    return _DRAWS if any(hasattr(one, name) for one in _GENERATORS) else _UNKNOWN


def reason(value: Any, seen: frozenset[object] = frozenset(), kind: type | None = None) -> str | None:
    """Why a call of an object may do something else when it runs again; ``None`` if it does not.

    Args:
        value: What is called.
        seen: The functions around.
        kind: Of a method, the class of its object.
    """
    if isinstance(value, MethodType):
        return reason(value.__func__, seen)
    if isinstance(value, FunctionType) and is_read(value):
        return None if value in seen else reason_of_code(value, value.__code__, seen | {value}, kind)
    if isinstance(value, type) and record_of(value) is not None:
        return None  # It holds what it is given.
    made = constructor_of(value) if isinstance(value, type) and is_plain_class(value) else None
    if made is not None:
        return None if made in seen else reason_of_code(made, made.__code__, seen | {made}, value)
    name, module = getattr(value, "__name__", ""), _module_of(value)
    if module == "builtins" and getattr(builtins, name, None) is value:
        return None if name in _SAME or _is_error(value) else _WORDS.get(name, _UNKNOWN)
    holder = getattr(value, "__self__", None)
    if isinstance(holder, _GENERATORS):
        return _DRAWS
    if isinstance(holder, _HOLDERS):
        return "may write to what its module holds" if name in _CHANGING else None
    if module.startswith(("numpy.random", "random")) or _is_drawing(value):
        return _DRAWS
    if isinstance(value, np.ufunc) or module.split(".")[0] in (
        "numpy",
        "math",
        "cmath",
        "operator",
        "_operator",
    ):
        return None
    if module.startswith("autograph._src.tangent") or _is_error(value):
        return None
    # Who gives a function a rule says what it computes.
    if adjoint_of(value) is not None or is_non_differentiable(value):
        return None
    return _UNKNOWN


def iterates(value: Any, seen: frozenset[object] = frozenset()) -> bool:
    """Whether a call of an object may iterate over an argument: builtins, and functions with loops."""
    if isinstance(value, MethodType):
        return iterates(value.__func__, seen)
    if not isinstance(value, FunctionType):
        return getattr(value, "__name__", "") in _ITERATING and _module_of(value) == "builtins"
    if value in seen or not is_read(value):
        return False
    if any(
        step.opname in ("GET_ITER", "UNPACK_SEQUENCE", "UNPACK_EX")
        for step in dis.get_instructions(value.__code__)
    ):
        return True
    found = (_found(value, path) for path in _paths(value.__code__))
    return any(callable(one) and iterates(one, seen | {value}) for one in found)


def is_read(function: FunctionType) -> bool:
    """Whether what a function does is found in its code: one of the user's, or a generated one."""
    return is_user_code(function.__code__) or function.__code__.co_filename.startswith("<tangent ")


def _module_of(value: Any) -> str:
    module = getattr(value, "__module__", None)
    if module is None and isinstance(value, BuiltinFunctionType):
        holder = value.__self__
        module = holder.__name__ if isinstance(holder, ModuleType) else type(holder).__module__
    return module or ""


def _is_error(value: object) -> bool:
    return isinstance(value, type) and issubclass(value, BaseException)


def _is_drawing(value: object) -> bool:
    """Whether a value is one of ``np.random``'s functions, whose modules go by several names."""
    name = getattr(value, "__name__", None)
    return isinstance(name, str) and getattr(np.random, name, _MISSING) is value


def reason_of_code(
    function: FunctionType, code: CodeType, seen: frozenset[object], kind: type | None = None
) -> str | None:
    """The reason that a function's code, or that of a function in it, gives."""
    found = [*_reasons(function, code, seen, kind)]
    return found[0] if found else None


def reason_of_nested(function: FunctionType, code: CodeType) -> str | None:
    """The reason that the code of a function in another gives, which may read the variables around it."""
    for step in dis.get_instructions(code):
        if step.opname in ("STORE_DEREF", "DELETE_DEREF") and step.argval in code.co_freevars:
            return f"writes `{step.argval}`"
    return reason_of_code(function, code, frozenset())


def _reasons(
    function: FunctionType, code: CodeType, seen: frozenset[object], kind: type | None = None
) -> Iterator[str]:
    writes_into, holds = False, False
    for step in dis.get_instructions(code):
        is_outer = code is function.__code__ and step.argval in code.co_freevars
        if step.opname in _WRITES or (step.opname == "STORE_DEREF" and is_outer):
            yield f"writes `{step.argval}`"
        elif step.opname in _INTO:
            writes_into = True
    for path in _paths(code):
        if path[0] == _SUPER:
            why = _reason_of_super(function, path[1], seen, kind)
            if why is not None:
                yield f"calls `{path[1]}`, which {why}"
            continue
        value = _method_of(kind, path[-1]) if path[0] == _OWN else _found(function, path)
        if path[0] == _OWN and value is not _MISSING:
            why = reason(value, seen, kind)
            if why is not None:
                yield f"calls `{path[-1]}`, which {why}"
            continue
        if value is _MISSING:
            method = method_reason(path[-1]) if len(path) > 1 else None
            if method is not None:
                yield f"calls `{path[-1]}`, which {method}"
            writes_into = writes_into or path[-1] in _CHANGING
            continue
        if callable(value):
            why = reason(value, seen)
            if why is not None:
                yield why if len(path) == 1 and why in _WORDS.values() else f"calls `{path[-1]}`, which {why}"
        elif not isinstance(value, (ModuleType, type(None), bool, int, float, complex, str, bytes, tuple)):
            holds = True
    if writes_into and holds:
        yield "may write to what its module holds"
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _reasons(function, inner, seen)


def _reason_of_super(
    function: FunctionType, name: str, seen: frozenset[object], kind: type | None
) -> str | None:
    """The reason that what `super()` finds in a method of a class gives."""
    found = None if kind is None else behind(kind, class_around(function), name)
    if found is None:
        return _UNKNOWN
    manner, value = manner_of(found[0], name, found[1]), found[1]
    if manner == "nothing" or (manner == "value" and not isinstance(value, staticmethod)):
        return None
    inner = value.fget if isinstance(value, property) else getattr(value, "__func__", value)
    return reason(inner, seen, kind if manner in ("method", "property") else None)


_CHANGING = METHODS_THAT_WRITE | {"add", "discard"}


_NOTHING = ("CACHE", "PUSH_NULL", "EXTENDED_ARG")
_TO_SUPER = ("LOAD_GLOBAL", "LOAD_DEREF", "LOAD_FAST", "PRECALL", "CALL")
"""The steps between `super` and an attribute of what it gives."""
_OWN = "self."
"""Stands for the object of a method in a path, which is no name."""

_SUPER = "super()"
"""Stands for what `super()` gives."""


def _names(argument: Any) -> tuple[Any, ...]:
    """The variables of a step, which may load or store two."""
    return argument if isinstance(argument, tuple) else (argument,)


def _method_of(kind: type | None, name: str) -> Any:
    """A method of a class, if its objects have none of their own."""
    if kind is None or not is_plain_class(kind):
        return _MISSING
    what, found = attribute_of(kind, name)
    return found if what in ("method", "function") else _MISSING


def _paths(code: CodeType) -> list[tuple[str, ...]]:
    """The names from outside that code reads, with the attributes that follow.

    For a method it is ``("", "f")``, ``(_OWN, "f")`` for one of the first argument, and ``(_SUPER, "f")`` for
    what `super()` finds.
    """
    found: list[tuple[str, ...]] = []
    path: tuple[str, ...] | None = None
    steps = [step for step in dis.get_instructions(code) if step.opname not in _NOTHING]
    first = code.co_varnames[0] if code.co_argcount else None
    is_bound = any(step.opname.startswith("STORE_FAST") and first in _names(step.argval) for step in steps)
    last: dis.Instruction | None = None
    for step in steps:
        name = step.opname
        if path == ("super",):
            if name in ("LOAD_ATTR", "LOAD_METHOD", "LOAD_SUPER_ATTR"):
                found.append((_SUPER, step.argval))
                path = None
                continue
            if name.startswith(_TO_SUPER):
                continue
        if name in ("LOAD_GLOBAL", "LOAD_NAME", "LOAD_DEREF", "LOAD_CLASSDEREF"):
            if path is not None:
                found.append(path)
            path = (step.argval,)
        elif name in ("LOAD_ATTR", "LOAD_METHOD"):
            is_method = name == "LOAD_METHOD" or (sys.version_info >= (3, 12) and bool((step.arg or 0) & 1))
            if path is not None:
                path = (*path, step.argval)
            elif is_method:
                is_load = last is not None and last.opname.startswith("LOAD_FAST")
                is_own = is_load and last is not None and _names(last.argval)[-1] == first and not is_bound
                found.append((_OWN if is_own else "", step.argval))
        else:
            if path is not None:
                found.append(path)
            path = None
        last = step
    return found if path is None else [*found, path]


def _found(function: FunctionType, path: tuple[str, ...]) -> Any:
    """What a path stands for, where that is known."""
    first, *rest = path
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
    if first in cells:
        try:
            value = cells[first].cell_contents
        except ValueError:
            return _MISSING
    else:
        value = function.__globals__.get(first, getattr(builtins, first, _MISSING))
    for name in rest:
        if value is _MISSING or not (
            isinstance(value, (ModuleType, type)) or callable(getattr(value, name, None))
        ):
            return _MISSING if value is _MISSING else value
        value = getattr(value, name, _MISSING)
    return value
