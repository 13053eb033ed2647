"""Effects in code that runs as it is written: generators, methods that walk, what they call.

    def numbers():
        for i in range(3):
            print(i)              # would print while tracing, and never again
            yield random.random() # would be three constants of the graph

Converted code tells its back-end of each call; such code does not. So the names in it are looked at before it
runs: those of functions that print, draw, or read a clock or a file are refused. A generator whose walk is
converted is not run, and not refused.
"""

from __future__ import annotations

import builtins
import functools
import inspect
import logging
from collections.abc import Generator, Iterator
from types import BuiltinFunctionType, CodeType, FunctionType, GeneratorType, MethodType, ModuleType
from typing import Any

from autograph._src.backends.protocol import active_backend
from autograph._src.closure_cells import cells_of, content_of
from autograph._src.operators.impure_functions import RECORDED, frozen_result, impure_name
from autograph._src.policy import is_marked, is_user_function

_HELP = "it runs as it is written: make a list in a function, `xs.append(value)` for `yield value`"


def refuse_effects_of_steps(kind: type) -> None:
    """Refuses to walk objects of a class of the user whose own methods print, draw or read a clock.

    Raises:
        StagingError: If its ``__iter__`` or ``__next__`` has such an effect (AG123).
    """
    for name in ("__iter__", "__next__"):
        method = inspect.getattr_static(kind, name, None)
        if is_user_function(method):
            refuse_effects(method)


def refuse_effects(function: FunctionType) -> None:
    """Refuses to run a function as it is written that prints, draws or reads a clock.

    Raises:
        StagingError: If it, or a function of the user that it names, has such an effect (AG123).
    """
    backend = active_backend()
    effect = None if backend is None else effect_of(function, {})
    if backend is not None and effect is not None:
        backend.would_freeze(frozen_result(f"{effect} in `{function.__name__}`"), _HELP)


def refusing_effects(function: FunctionType, generator: Any) -> Any:
    """The generator; if its function prints, draws or reads a clock, one that no trace may step.

    Statements that take its place (`generator_functions.py`) record such effects, among those of whoever
    takes the items.

    Args:
        function: The generator function.
        generator: What a call of it has made; it has not begun.
    """
    if type(generator) is not GeneratorType:  # Another function stands for this one.
        refuse_effects(function)
        return generator
    if active_backend() is None or effect_of(function, {}) is None:
        return generator
    guarded: Any = _guarded(function, generator)
    guarded.__name__, guarded.__qualname__ = generator.__name__, generator.__qualname__
    return guarded


def _guarded(function: FunctionType, generator: Generator[Any, Any, Any]) -> Generator[Any, Any, Any]:
    refuse_effects(function)  # After a trace, Python does what the program says.
    return (yield from generator)


def effect_of(function: FunctionType, seen: dict[int, FunctionType], but: object = None) -> str | None:
    """The name of the first effect of a function, `but` for one."""
    if id(function) in seen or is_marked(function):
        return None
    seen[id(function)] = function
    for value in _named_by(function):
        found = None if value is but else _name_of_effect(value)
        if found is None and is_user_function(value):
            found = effect_of(value, seen, but)  # type: ignore[arg-type]
        if found is not None:
            return found
    return None


def _name_of_effect(value: object) -> str | None:
    if not isinstance(value, (FunctionType, BuiltinFunctionType, MethodType)):
        return None
    return f"`{value.__name__}`" if value in RECORDED else impure_name(value)


def _named_by(function: FunctionType) -> Iterator[object]:
    """The values of the names in a function's code: of variables around it, and of attributes of modules."""
    names = _names_in(function.__code__)
    around = function.__globals__
    for name in names:
        yield from _and_attributes(around.get(name, vars(builtins).get(name)), names)
    for name, cell in cells_of(function).items():
        if name in names:
            yield from _and_attributes(content_of(cell), names)


def _and_attributes(value: object, names: tuple[str, ...]) -> Iterator[object]:
    yield value
    if isinstance(value, logging.Logger):
        yield from (vars(logging.Logger)[name] for name in names if name in vars(logging.Logger))
    if isinstance(value, ModuleType):
        parts = [vars(value)[name] for name in names if name in vars(value)]
        yield from parts
        for part in parts:
            if isinstance(part, ModuleType):  # `np.random.rand`
                yield from (vars(part)[name] for name in names if name in vars(part))


@functools.cache
def _names_in(code: CodeType) -> tuple[str, ...]:
    """The names of variables around a code object, and of attributes, that it or code inside it reads."""
    names = dict.fromkeys((*code.co_names, *code.co_freevars))
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            names.update(dict.fromkeys(_names_in(constant)))
    return tuple(names)
