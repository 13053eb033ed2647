"""Calls in converted code, for every kind of callable.

:mod:`autograph._src.policy` decides which callees are converted. This file finds the user's functions behind
methods, partials, classes, caches and wrappers, and calls everything as CPython does.
"""

from __future__ import annotations

import copy
import dataclasses
import functools
import inspect
import itertools
import math
import operator
import os
import sys
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import (
    BuiltinFunctionType,
    BuiltinMethodType,
    CodeType,
    FunctionType,
    GeneratorType,
    MethodType,
    ModuleType,
)
from typing import Any, TypeVar

import numpy as np

from autograph._src.backends.protocol import Backend, active_backend, backend_among, backend_of
from autograph._src.control_status import ControlStatus, control_status, is_disabled
from autograph._src.dict_classes import DICT_CLASSES
from autograph._src.floating_modes import refuse_setter
from autograph._src.load import is_converted_code, written_code
from autograph._src.operators.closures import note_written_variables
from autograph._src.operators.dataclass_init import fields_of_generated, initialise_fields
from autograph._src.operators.drawing import DRAWING, GENERATORS, OF_CYTHON, drawn
from autograph._src.operators.generator_functions import FunctionWalk
from autograph._src.operators.generator_loops import (
    TAKERS,
    advanced_by,
    is_taken_over,
    learn_steps,
    walk_consumed_by,
    with_walk,
)
from autograph._src.operators.generator_steps import Steps
from autograph._src.operators.group_walks import BEGIN_AGAIN
from autograph._src.operators.impure_functions import RECORDED
from autograph._src.operators.impurity import (
    GETTERS,
    is_iterator,
    refuse_impure,
    refuse_opaque,
    refuse_outside_iterator,
)
from autograph._src.operators.lazy_builtins import MAKERS, METHODS_THAT_MAKE, as_generator
from autograph._src.operators.places import CONTAINERS
from autograph._src.operators.plain_code import refusing_effects
from autograph._src.operators.progress import makes_progress
from autograph._src.operators.single_dispatch import dispatched, is_generic
from autograph._src.operators.special_effects import refuse_effects_of_class
from autograph._src.operators.special_methods import bound_to_number, refuse_dtype, refuse_special_method
from autograph._src.operators.whole_walks import as_statements, with_items, with_lists
from autograph._src.operators.written import UNBOUND, note_writes, writes_to
from autograph._src.policy import (
    STRICT,
    converts,
    is_generated,
    is_marked,
    is_strict,
    is_user_class,
    is_user_function,
    original_of,
    strictness,
)
from autograph._src.recursion_limit import most_calls
from autograph.errors import ConversionError, StagingError

_CACHE = type(functools.lru_cache(len))


_DISPATCHED: Any = type(np.sum)
"""The class of NumPy's functions that dispatch on their arguments (``__array_function__``)."""

_convert: Callable[[Any], Any]
_walk_of: Callable[..., FunctionType | None]

RUN_BY: dict[CodeType, Callable[[FunctionType, tuple[Any, ...], dict[str, Any]], object]] = {}
"""Functions of Python's library, by their code, that run what the user gave them by statements."""

Converter = TypeVar("Converter", bound=Callable[..., Any])


def convert_with(converter: Converter) -> Converter:
    """Registers the function that converts callees; ``convert.py``, which imports this file, calls this."""
    global _convert
    _convert = converter
    return converter


def walk_with(converter: Converter) -> Converter:
    """As :func:`convert_with`, for the walks of generator functions."""
    global _walk_of
    _walk_of = converter
    return converter


def converted_call(function: Any, /, *args: Any, **kwargs: Any) -> Any:
    """The operator for the call ``function(*args, **kwargs)`` in converted code."""
    backend = active_backend()
    if backend is None:
        return function(*args, **kwargs)
    return _call(backend, function, args, kwargs)


def in_converted_code(function: Any) -> Any:
    """The converted version of a function of the standard library that computes with operators only."""
    return _convert(function)


class Callee:
    """Stands for the function of a call with ``*`` or ``**``.

    It has the function's name, which CPython puts into its messages for arguments that it cannot unpack.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function
        for name in ("__qualname__", "__module__"):
            if hasattr(function, name):
                setattr(self, name, getattr(function, name))

    def __call__(self, *args: object, **kwargs: object) -> Any:
        """Calls the function as converted code does."""
        return converted_call(self._function, *args, **kwargs)


def callee(function: Callable[..., Any]) -> object:
    """The callable that converted code calls with ``*args`` and ``**kwargs`` in place of the function."""
    return function if active_backend() is None else Callee(function)


def _call(backend: Backend, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> object:
    kind = type(function)
    if kind is FunctionType:
        return _call_function(backend, function, args, kwargs)
    if backend_of(function) is None and is_user_class(kind):  # Lookups would call its `__hash__`.
        call = _call_method(kind)
        if type(call) is FunctionType and not is_marked(function):
            backend.reads(function)
            return _call_function(backend, call, (function, *args), kwargs)
    if makes_progress(function):
        return backend.call_builtin(function, args, kwargs)
    if kind is MethodType:
        statements = as_statements(function, args, kwargs)
        if statements is not None:
            return converted_call(statements, *args)
        if isinstance(function.__self__, dict):  # `Counter.update` is a function of Python.
            _note_staged_key(backend, function, args)
        _reads_of_method(backend, function, function.__self__)
        if isinstance(function.__self__, np.random.Generator):
            return backend.call_numpy(function, args, kwargs)
        if isinstance(function.__self__, GENERATORS):
            return drawn(backend, function, args, kwargs)
        return _call(backend, function.__func__, (function.__self__, *args), kwargs)
    if backend_of(function) is not None:
        return function(*args, **kwargs)  # A staged callable: its class defines what a call means.
    if is_marked(function):
        return _call_as_it_is(backend, function, args, kwargs)
    if kind is operator.methodcaller and len(args) == 1 and not kwargs:
        return _call_named(backend, function, args[0])
    if kind in UNBOUND and args and hasattr(type(args[0]), "will_change"):
        return _call(backend, getattr(args[0], function.__name__), args[1:], kwargs)  # `list.append(xs, 1)`
    if (
        kind is BuiltinMethodType
        and isinstance(function.__self__, (dict, set))
        and function.__name__ != "get"
    ):
        _note_staged_key(backend, function, args)
    note_writes(backend, function, args, kwargs)
    if kind is BuiltinFunctionType or kind is BuiltinMethodType:
        return _call_builtin(backend, function, args, kwargs)
    if kind is functools.partial:
        backend.reads(function)
        return _call(backend, function.func, (*function.args, *args), {**function.keywords, **kwargs})
    if isinstance(function, type):
        return _call_class(backend, function, args, kwargs)
    if isinstance(function, (np.ufunc, _DISPATCHED)) or backend.makes_array(function):
        return backend.call_numpy(function, args, kwargs)
    original = original_of(function)
    if original is not None:
        return _call_original(backend, function, original, args, kwargs)
    if kind is _CACHE and is_user_function(function.__wrapped__):
        return _call_cached(backend, function, args, kwargs)
    if kind is OF_CYTHON and function in DRAWING:
        return drawn(backend, DRAWING[function], args, kwargs)
    refuse_impure(function)
    refuse_special_method(function, args)
    method = bound_to_number(function, args)
    if method is not None:
        return _call(backend, method, args[1:], kwargs)
    call = _call_method(kind)
    backend.reads(function)
    if type(call) is FunctionType:
        return _call_function(backend, call, (function, *args), kwargs)
    if not args and not kwargs and kind.__hash__ is not None and function in GETTERS:
        backend.getter_called(function)
    if isinstance(function, weakref.ReferenceType):
        refuse_opaque(function)
    owner = getattr(function, "__self__", None)
    refuse_opaque(owner)
    backend.reads(owner, *args, *kwargs.values())
    return function(*args, **kwargs)


def _call_method(kind: type) -> object:
    """``__call__`` of a class; that of its metaclass makes objects of it."""
    return next((base.__dict__["__call__"] for base in kind.__mro__ if "__call__" in base.__dict__), None)


def _call_named(backend: Backend, caller: operator.methodcaller, owner: object) -> object:
    """``operator.methodcaller("append", 1)(xs)``."""
    reduced: Any = caller.__reduce__()
    made, given = reduced
    if isinstance(made, functools.partial):  # The methodcaller has keywords.
        return _call(backend, getattr(owner, made.args[1]), given, made.keywords)
    return _call(backend, getattr(owner, given[0]), given[1:], {})


def _call_cached(backend: Backend, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> object:
    """Calls a function under ``lru_cache`` without its cache, which would keep staged values after the trace.

    Results for plain arguments are remembered for the rest of the trace, so that a recursion that relies on
    its cache does not take exponential time. Results inside a staged block are not remembered, because
    the block may not run.
    """
    values = (*args, *kwargs.values())
    call = functools.partial(_call_function, backend, function.__wrapped__, args, kwargs)
    if backend_among(values) or backend_inside(values):
        return call()
    key = function, functools._make_key(args, kwargs, function.cache_parameters()["typed"])
    return backend.call_cached(key, call)


def _call_function(
    backend: Backend, function: FunctionType, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> object:
    if not function.__code__.co_flags & inspect.CO_GENERATOR:
        return _run_function(backend, function, args, kwargs)
    generator: Any = _run_function(backend, function, args, kwargs)
    if is_user_function(function):
        generator = refusing_effects(function, generator)
    if is_disabled() or not converts(function):
        return backend.created(generator)
    return _with_walk(backend, function, generator, args, kwargs)


def _with_walk(
    backend: Backend, function: FunctionType, generator: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> object:
    """A generator that converted code has made, with its walk, if the function has one."""
    generator = backend.created(generator)
    if backend.takes_steps(function) and _walk_of(function, "steps") is not None:
        return in_steps(backend, function, generator, args, kwargs)
    walk = _walk_of(function)
    if walk is None:
        return generator
    is_inner = written_code(function.__code__) is not function.__code__
    made = FunctionWalk(walk, args, kwargs, is_inner)
    made.begins_again = function in BEGIN_AGAIN
    return with_walk(generator, made, None if made.begins_again else function)


def in_steps(
    backend: Backend, function: FunctionType, generator: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> object:
    """A generator whose items are taken one by one; Python takes none of them any more."""
    factory = _walk_of(function, "steps")
    assert factory is not None
    made = with_walk(generator, Steps(factory, args, kwargs, converted_call))
    backend.took_over(made, False)
    return made


def walk_of_manager(function: FunctionType) -> FunctionType | None:
    """The walk of a generator function that makes managers; ``None`` if Python is to run it."""
    return None if is_disabled() or not converts(function) else _walk_of(function, "manager")


def iterated(iterable: Any) -> Any:
    """What a loop over a value asks for items: the generator, if ``__iter__`` is a generator function."""
    backend = active_backend()
    kind = type(iterable)
    if backend is None or not is_user_class(kind) or backend_of(iterable) is not None:
        return iterable
    method = inspect.getattr_static(kind, "__iter__", None)
    if type(method) is FunctionType and method.__code__.co_flags & inspect.CO_GENERATOR:
        return _call_function(backend, method, (iterable,), {})
    return iterable


def _run_function(
    backend: Backend, function: FunctionType, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> object:
    if function.__dict__:
        if is_marked(function):
            return _call_as_it_is(backend, function, args, kwargs)
        original = original_of(function)
        if original is not None:
            return _call_original(backend, function, original, args, kwargs)
    if function.__code__ in RUN_BY:
        result = RUN_BY[function.__code__](function, args, kwargs)
        if result is not NotImplemented:
            return result
    if backend.makes_array(function):
        return backend.call_numpy(function, args, kwargs)
    if not converts(function):
        if function in RECORDED or makes_progress(function):
            return backend.call_builtin(function, args, kwargs)
        walked = _overloaded(backend, function, args, kwargs) if function in WALKERS else NotImplemented
        if walked is not NotImplemented:
            return walked
        if backend.knows(function):  # A function of an installed package that has a staged version.
            inside = backend_inside((*args, *kwargs.values()))
            if inside is not None:
                return inside.call_numpy(function, args, kwargs)
        chosen = dispatched(function, args, functools.partial(converted_call, type))
        if chosen is not None:
            backend.reads(function)
            return _call(backend, chosen, args, kwargs)
        staged = backend_among(args) if function in _OF_DATACLASSES else None
        result = NotImplemented if staged is None else staged.call_builtin(function, args, kwargs)
        if result is not NotImplemented:
            return result
        refuse_impure(function)
        for one in args:
            if is_taken_over(one):
                refuse_outside_iterator(one)
        refuse_setter(function, args, kwargs)
        note_writes(backend, function, args, kwargs)
        if args:
            _reads_of_method(backend, function, args[0])
        backend.reads(*args[1:], *kwargs.values(), os.environ if function is os.getenv else None)
        if function in GETTERS and not args:
            backend.getter_called(function)
        result = backend.run_unconverted(function, args, kwargs)
        if isinstance(result, ModuleType):
            backend.reads(result)
        if function in _COPIERS and args:
            return backend.made_copy(result, args[0])
        is_made = function is dataclasses.replace
        return backend.made_object(backend.created(result), False) if is_made else result
    if is_converted_code(function.__code__):
        note_written_variables(backend.will_write, function)
        return backend.run_function(function, function, args, kwargs)
    if is_disabled():
        return function(*args, **kwargs)
    try:
        converted = _convert(function)
    except ConversionError as error:
        if is_strict():
            raise
        backend.note(f"`{function.__qualname__}` runs as it is: {error.code} {error.message}")
        return function(*args, **kwargs)
    backend.entered(function)
    note_written_variables(backend.will_write, function)
    return backend.run_function(function, converted, args, kwargs)


_COPIERS: frozenset[Any] = frozenset((copy.copy, copy.deepcopy))
"""Functions that copy their argument."""

_OF_DATACLASSES: frozenset[Any] = frozenset(
    (dataclasses.replace, dataclasses.asdict, dataclasses.astuple, dataclasses.fields)
)
"""Functions that read the fields of a dataclass; they would not take a staged object for one."""


def _call_original(
    backend: Backend,
    wrapper: object,
    original: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
) -> object:
    """Calls the user's function behind a wrapper, with the strictness that ``ag.convert`` was given."""
    strict = getattr(wrapper, STRICT, None)
    if strict is None:
        return _call(backend, original, args, kwargs)
    with strictness(strict):
        return _call(backend, original, args, kwargs)


def _call_as_it_is(
    backend: Backend, function: object, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> object:
    """Calls a function that ``ag.do_not_convert`` marks: its callees are not converted either."""
    with control_status(ControlStatus.DISABLED):
        return backend.run_unconverted(function, args, kwargs)


_TAKE_A_KEY = frozenset(("get", "pop", "setdefault", "add", "discard", "remove", "__contains__"))
"""Methods of dicts and sets whose first argument is a key."""


def _note_staged_key(backend: Backend, function: Any, args: tuple[Any, ...]) -> None:
    """Tells the back-end if a method of a dict or set gets a staged key."""
    if _has_staged_key(function, args):
        is_key = function.__name__ in _TAKE_A_KEY
        backend.has_staged_key(function.__self__, args[0] if is_key else None)


def _has_staged_key(function: Any, args: tuple[Any, ...]) -> bool:
    """Whether a method of a dict or set gets a staged key, or other containers with such."""
    if function.__name__ in _TAKE_A_KEY:
        is_key = type(args[0]) is tuple if args else False
        return bool(args) and (
            backend_of(args[0]) is not None or (is_key and backend_inside(args[0]) is not None)
        )
    if isinstance(function.__self__, dict) and type(function) is not MethodType:
        return backend_among(args) is not None
    return any(backend_of(one) is not None or backend_inside(one) is not None for one in args)


_LIST_MAKERS = frozenset(("copy", "sorted", "split", "rsplit", "splitlines", "tolist"))
"""Builtins and methods that return a new list, to which nothing else refers."""
_MOVES = frozenset(("append", "clear", "copy", "extend", "insert", "pop", "reverse"))
"""Methods of a list that look at no item's value."""


def _reads_of_method(backend: Backend, function: Any, owner: object) -> None:
    """Tells the back-end that a method reads its owner."""
    only_moves = isinstance(owner, list) and function.__name__ in _MOVES
    (backend.reads_part if only_moves else backend.reads)(owner)


def _call_builtin(backend: Backend, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> object:
    owner = function.__self__
    if type(owner) is GeneratorType:
        refuse_outside_iterator(owner)
    if isinstance(owner, GENERATORS):
        return drawn(backend, function, args, kwargs)
    statements = as_statements(function, args, kwargs)
    if statements is not None:
        return converted_call(statements, *args)
    if isinstance(owner, CONTAINERS) and writes_to(function.__name__):
        return function(*args, **kwargs)
    form = as_generator(function, args, kwargs, _holds_staged) if function in METHODS_THAT_MAKE else None
    if form is not None:
        return _with_walk(backend, form[0], form[0](*form[1]), form[1], {})
    special = _special(function, args, kwargs)
    if special is NotImplemented and TABLE_CALLS:
        special = _of_table(function, args, kwargs)
        if special is NotImplemented and isinstance(owner, dict) and function.__name__ == "get":
            _note_staged_key(backend, function, args)
    if special is not NotImplemented:
        return special
    if function is setattr or function is delattr:
        return _change_attribute(function, args, kwargs)
    if backend.makes_array(function):
        args = with_items(function, args, kwargs, converted_call)
        for value in args:
            refuse_outside_iterator(value)
        return backend.call_numpy(function, args, kwargs)
    refuse_dtype(function, args, kwargs)
    if function is sys.getrecursionlimit:
        backend.getter_called(most_calls)
        return most_calls()
    refuse_impure(function, advanced_by(function, args, kwargs))
    if function not in _OF_TYPES:
        refuse_opaque(owner)
    if function not in _OF_TYPES and not backend_among(args):
        _reads_of_method(backend, function, owner)
        backend.reads(*args, *kwargs.values())
        if is_iterator(type(owner)):
            refuse_outside_iterator(owner)
    if function in GETTERS and not args:
        backend.getter_called(function)
    if function in _BY_NAME and len(args) > 1:
        backend.reads_name(args[1])
    if type(owner) is str and function.__name__ == "join" and len(args) == 1 and hasattr(args[0], "__iter__"):
        # The strings to join may be staged.
        args = (converted_call(list, backend.iterable(args[0], "can only join an iterable")),)
    result = _overloaded(backend, function, args, kwargs)
    if result is NotImplemented:
        is_of_numpy = isinstance(owner, (np.ndarray, np.generic)) and _has_staged(args, kwargs)
        call = backend.call_numpy if is_of_numpy else backend.run_extension
        try:
            result = call(function, args, kwargs)
        except StagingError as error:
            if function is next and error.code == "AG101":
                learn_steps(args[0])
            raise
    if type(result) is list and function.__name__ in _LIST_MAKERS:
        return backend.made_list(result)
    if function is object.__new__:  # `Point.__new__(Point)`, whose attributes the program sets.
        return backend.made_object(backend.created(result), False)
    if type(result) in DICT_CLASSES and function.__name__ in ("copy", "fromkeys"):
        return backend.made_object(backend.created(result), False)
    if function is vars and args:
        backend.gave_variables(result, args[0])
    is_made = type(result) in _CREATED and function not in _VARIABLES
    is_made = is_made or (function is iter and result is not args[0])
    return backend.created(result) if is_made else result


def _has_staged(args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    return backend_among((*args, *kwargs.values())) is not None


_CREATED = (list, set, *DICT_CLASSES)
"""Classes of containers; what a call returns of them it has made."""

_VARIABLES = (vars, globals, locals)
"""Builtins that return an existing namespace: a write to the dict is a write to its owner."""


SPECIAL_CALLS: dict[object, Callable[..., Any]] = {}
"""Builtins that call a method of an object's class, as functions that call the converted method.

``special_calls.py`` enters them here; ``NotImplemented`` leaves the call to the builtin."""


def _special(function: object, args: tuple[Any, ...], kwargs: dict[str, Any]) -> object:
    """The result of a builtin that calls a method of the user."""
    if kwargs or not args or len(args) > 1 + (function is round) or not is_user_class(type(args[0])):
        return NotImplemented
    call = SPECIAL_CALLS.get(function)
    return NotImplemented if call is None or backend_of(args[0]) is not None else call(*args)


TABLE_CALLS: dict[tuple[type, str], Callable[..., Any]] = {}
"""Methods of dicts that look up a staged key, and of lists and tuples that search for one, by class and name.

``constant_tables.py`` and ``sequence_searches.py`` enter them here."""


def _of_table(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> object:
    """The result of `table.get(key)` with a staged key."""
    call = TABLE_CALLS.get((type(function.__self__), function.__name__))
    return NotImplemented if call is None or kwargs or not args else call(function.__self__, *args)


ATTRIBUTE_CHANGES: dict[object, Callable[..., None]] = {}
"""The statements that ``setattr`` and ``delattr`` stand for; ``items.py`` enters them here."""


def _change_attribute(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Runs ``setattr`` and ``delattr`` with a string as the name as the statements that they stand for."""
    if kwargs or len(args) != (3 if function is setattr else 2) or not isinstance(args[1], str):
        return function(*args, **kwargs)  # CPython raises the error.
    return ATTRIBUTE_CHANGES[function](*args)


_OF_TYPES = (len, isinstance, issubclass, id, callable, getattr, hasattr)
"""Builtins that read a value's type or attributes, but not the elements of an array."""

_BY_NAME = (getattr, hasattr)
"""Builtins that read an attribute by its name."""


def _overloaded(
    backend: Backend, function: Callable[..., Any] | type[Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> object:
    """The result of a builtin's staged version, used where an argument is staged, and always for effects."""
    if function in RECORDED:
        return backend.call_builtin(function, args, kwargs)
    if function is not next and 0 < len(args) <= TAKERS.get(function, (0,))[0]:  # `max(v, w)` compares two.
        args = (iterated(args[0]), *args[1:])
    # A back-end without builtins of its own leaves the generator to Python.
    has_own = type(backend).call_builtin is not Backend.call_builtin
    walk = walk_consumed_by(function, args, kwargs) if has_own else None
    if walk is not None:
        return backend.call_builtin(function, (walk, *args[1:]), kwargs)
    if len(args) == 1 and isinstance(args[0], _LISTED_FIRST.get(function, ())):
        args = (list(args[0]),)  # `sorted(zip(scores, names))`
    staged = backend_among(args) or backend_among(kwargs.values())
    if staged is None and (function in WALKERS or type(getattr(function, "__self__", None)) is str):
        staged = next((one for one in map(backend_inside, args) if one is not None), None)
    if staged is not None and function not in _FOLDS:
        return staged.call_builtin(function, args, kwargs)
    if args and kwargs.get("key") is not None and kwargs.keys() <= _TAKE_KEYS.get(function, _NO_OPTIONS):
        return _by_keys(function, args, kwargs)
    if function in _CALLERS and (args or kwargs):
        callback = _converted_in_iterator if function in (map, filter) else _converted
        return function(*map(callback, args), **{name: _converted(value) for name, value in kwargs.items()})
    return NotImplemented


WALKERS: set[Any] = {
    *(enumerate, zip, reversed, max, min, sum, any, all, map, filter, sorted, str, repr, ascii, format),
    math.dist,
}
"""Builtins that read the elements of a list argument."""


_LISTED_FIRST: dict[Any, tuple[Any, ...]] = {
    sorted: (zip, enumerate, map, filter, itertools.chain, itertools.accumulate),
    **dict.fromkeys((max, min), (zip, enumerate, itertools.accumulate)),
}
"""Builtins that compare items, and iterators that can as well give them all before the first comparison."""


def _by_keys(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> object:
    """``sorted(values, key=key)`` and its like of plain values, whose keys may be staged."""
    values = list(args[0]) if len(args) == 1 else list(args)
    keys = [converted_call(kwargs["key"], value) for value in values]
    rest = iter(keys)
    options = {**kwargs, "key": lambda _: next(rest)}
    staged = backend_among(keys) or backend_inside(keys)
    with comparing_keys(function.__name__):
        if staged is None or not values:
            return function(values, **options)
        return staged.call_builtin(function, (values,), options)


@contextmanager
def comparing_keys(name: str) -> Iterator[None]:
    """Runs a builtin that compares keys, and says of a refusal that it is of these.

    Args:
        name: The builtin's name.

    Raises:
        StagingError: If keys that depend on data are no numbers, such as strings (AG101, AG105, AG120).
    """
    try:
        yield
    except StagingError as error:
        if error.code in ("AG101", "AG105", "AG120"):
            error.message = f"`{name}` does not compare these keys: they depend on data, and are no numbers"
            error.help = "give each value a key that is a number, or a tuple of numbers"
        raise


_NO_OPTIONS: frozenset[str] = frozenset()

_TAKE_KEYS: dict[Any, frozenset[str]] = {
    sorted: frozenset(("key", "reverse")),
    max: frozenset(("key", "default")),
    min: frozenset(("key", "default")),
}
"""Builtins that compare by keys: the keywords that they take."""

_FOLDS = (itertools.accumulate, itertools.starmap, functools.reduce)
_CALLERS = (map, filter, sorted, min, max, *_FOLDS)
"""Builtins that call a function argument; folds have no staged version: `accumulate(x, max)` calls `max`."""


_VIEWS: tuple[Any, ...] = (type({}.values()), type({}.items()))
"""Classes of views of dicts that hold the values."""


def backend_inside(value: object, depth: int = 3) -> Backend | None:
    """The back-end of a staged value in a container, or in a nested container up to ``depth`` levels."""
    if isinstance(value, dict):
        value = (*value, *value.values())
    if isinstance(value, _VIEWS):
        value = tuple(value)
    if isinstance(value, BaseException):
        value = (*value.args, *getattr(value, "__dict__", {}).values())
    if not isinstance(value, (list, tuple, set, frozenset)):
        return None
    found = backend_among(value)
    if found is not None or depth == 0:
        return found
    return next((one for part in value if (one := backend_inside(part, depth - 1)) is not None), None)


def _holds_staged(value: object) -> bool:
    return backend_of(value) is not None or backend_inside(value) is not None


def _converted(value: object) -> Any:
    """The converted version of a function that unconverted code will call; other values unchanged."""
    is_callable = (
        is_user_function(value)
        or is_generic(value)
        or (
            type(value) is MethodType
            and (is_user_function(value.__func__) or isinstance(value.__self__, np.random.Generator))
        )
    )
    owner = getattr(value, "__self__", None) if type(value) is BuiltinMethodType else None
    is_callable = is_callable or isinstance(owner, (np.ndarray, *CONTAINERS)) or type(value) in UNBOUND
    is_callable = is_callable or value is max or value is min
    return functools.partial(converted_call, value) if is_callable else value


def _converted_in_iterator(value: object) -> Any:
    """As :func:`_converted`, of a function that an iterator calls: ``map`` and ``filter``."""
    made = _converted(value)
    return made if made is value else functools.partial(called_in_iterator, value)


def called_in_iterator(function: Any, *args: object) -> object:
    """A call whose ``StopIteration`` ends the iterator. A run cannot do that: see ``plain_handlers.py``."""
    try:
        return converted_call(function, *args)
    except StopIteration:
        raise


def _call_class(
    backend: Backend, function: type[Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> object:
    if issubclass(function, np.generic):
        return backend.call_numpy(function, args, kwargs)
    args = with_lists(function, args, iterated, functools.partial(converted_call, list))
    special = _special(function, args, kwargs)
    if special is not NotImplemented:
        return special
    if function in GENERATORS:
        return backend.created(drawn(backend, function, args, kwargs))
    if function in MAKERS:
        args = tuple(map(iterated, args))
    form = as_generator(function, args, kwargs, _holds_staged)
    refuse_impure(function, advanced_by(function, args, kwargs) if form is None else ())
    backend.reads(*args, *kwargs.values())
    if form is not None:
        return _with_walk(backend, form[0], form[0](*form[1]), form[1], {})
    if function is type and len(args) == 1 and backend_of(args[0]) is None:
        return backend.plain_class(args[0])
    initialise = getattr(function, "__init__", None)
    is_users = type(initialise) is FunctionType and (is_user_function(initialise) or is_generated(initialise))
    is_plain = is_users or (function in DICT_CLASSES and backend_among(args) is None)  # It stores the values.
    result = NotImplemented if is_plain else _overloaded(backend, function, args, kwargs)
    if result is NotImplemented:
        result = _instance(backend, function, args, kwargs)
    if function is list and type(result) is list:
        return backend.made_list(result)
    return backend.created(result) if is_iterator(type(result)) else result


def _instance(backend: Backend, kind: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> object:
    """Does what ``type.__call__`` does, but calls the converted version of the user's ``__init__``."""
    if is_user_class(kind):
        refuse_effects_of_class(kind)
    initialise = getattr(kind, "__init__", None)
    initialise = original_of(initialise) or initialise
    # The `__init__` that a dataclass generates calls `__post_init__`, which writes to the new object.
    is_written = type(initialise) is FunctionType and (
        is_user_function(initialise) or is_generated(initialise)
    )
    if type(kind).__call__ is not type.__call__ or not is_written:
        made = backend.created(backend.run_extension(kind, args, kwargs))
        new: object = kind.__new__
        is_plain = type(made) is kind and new is object.__new__ and not is_iterator(kind)
        is_record = kind in DICT_CLASSES or (is_plain and initialise is object.__init__)
        return backend.made_object(made, False) if is_record else made
    made = kind.__new__(kind) if kind.__new__ is object.__new__ else kind.__new__(kind, *args, **kwargs)
    if not isinstance(made, kind):
        return made
    initialise = type(made).__init__
    made = backend.created(made)
    references = sys.getrefcount(made)
    fields = fields_of_generated(initialise, type(made)) if is_generated(initialise) else None
    result = None
    if fields is None:
        result = converted_call(initialise, made, *args, **kwargs)
    else:
        backend.reads(*args, *kwargs.values())
        initialise_fields(fields, initialise, made, (args, kwargs), converted_call)
    if is_generated(initialise):
        _trace_default_lists(backend, initialise, made, args, kwargs)
    if result is not None:
        raise TypeError(f"__init__() should return None, not '{type(result).__name__}'")
    is_referred_to = sys.getrefcount(made) > references
    return backend.made_object(made, is_referred_to)


def _trace_default_lists(
    backend: Backend,
    initialise: Callable[..., Any],
    made: object,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
) -> None:
    """Makes lists from a dataclass's ``default_factory`` traced lists, like other lists of the program."""
    if not dataclasses.is_dataclass(made):
        return
    given = inspect.signature(initialise).bind(made, *args, **kwargs).arguments
    for field in dataclasses.fields(made):
        value = getattr(made, field.name, None)
        if field.default_factory is list and field.name not in given and type(value) is list:
            object.__setattr__(made, field.name, backend.made_list(value))
