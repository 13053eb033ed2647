"""What `super()` finds in methods of objects whose class is known.

::

    class Shifted(Weighted):
        def __init__(self, w, b):
            super().__init__(w)     # Weighted.__init__(self, w)
            self.b = b

What is behind a class is asked of the class of the object, whose order of classes may have others between
the two; the text of a derivative has it by a name that its module gives to the class.
"""

from __future__ import annotations

import ast
import dis
import inspect
from collections.abc import Iterator
from types import CodeType, FunctionType, MemberDescriptorType, ModuleType
from typing import Any

_MISSING = object()


def behind(kind: type, around: object, name: str) -> tuple[type, Any] | None:
    """What `super().name` finds: the class that has it, and what that has; ``None`` if there is none.

    Args:
        kind: The class of the object.
        around: The class behind which it is looked for.
        name: The attribute.
    """
    order = kind.__mro__
    if not isinstance(around, type) or around not in order:
        return None
    for base in order[order.index(around) + 1 :]:
        if name in vars(base):
            return base, vars(base)[name]
    return None


def class_around(function: FunctionType) -> type | None:
    """The class in which a method with `super()` is defined."""
    names = function.__code__.co_freevars
    if "__class__" not in names:
        return None
    try:
        found = (function.__closure__ or ())[names.index("__class__")].cell_contents
    except ValueError:
        return None
    return found if isinstance(found, type) else None


def manner_of(owner: type, name: str, found: Any) -> str | None:
    """How the text of a derivative has what `super()` finds: see `Resolver::behind` of the generator."""
    if owner is object:
        return "nothing" if name == "__init__" else None
    if isinstance(found, FunctionType):
        return "nothing" if _does_nothing(found.__code__) else "method"
    if isinstance(found, property):
        return "property" if isinstance(found.fget, FunctionType) else None
    if isinstance(found, staticmethod):
        return "value"
    is_constant = not isinstance(found, MemberDescriptorType) and not hasattr(type(found), "__get__")
    return "value" if is_constant else None


def _does_nothing(code: CodeType) -> bool:
    """Whether a method takes its object alone and is empty: `def __init__(self): pass`."""
    is_alone = code.co_argcount == 1 and not code.co_kwonlyargcount and not code.co_flags & _STARS
    steps = [step for step in dis.get_instructions(code) if step.opname not in _QUIET]
    return is_alone and all(step.opname in _CONSTANTS and step.argval is None for step in steps)


_STARS = inspect.CO_VARARGS | inspect.CO_VARKEYWORDS
_QUIET = ("RESUME", "NOP", "RETURN_VALUE")
_CONSTANTS = ("LOAD_CONST", "RETURN_CONST")


def name_of_class(owner: type, function: FunctionType) -> str | None:
    """A dotted name that a function and its derivatives have for a class: `Base`, `layers.Base`.

    A class of no module has one by that of the method: ``__class__.__base__``.
    """
    if owner is object:
        return "object"
    code, variables = function.__code__, function.__globals__
    own = {*code.co_varnames, *code.co_cellvars, *code.co_freevars}
    names = [name for name, value in variables.items() if value is owner and name not in own]
    if names:
        return owner.__name__ if owner.__name__ in names else names[0]
    cells = zip(code.co_freevars, function.__closure__ or (), strict=True)
    for name, cell in cells:
        if name != "__class__" and _content(cell) is owner:
            return name
    for name, value in variables.items():
        is_there = isinstance(value, ModuleType) and vars(value).get(owner.__name__) is owner
        if is_there and name not in own:
            return f"{name}.{owner.__name__}"
    path, base = "__class__", class_around(function)
    while base is not None and base is not object:
        if base is owner:
            return path
        path, base = f"{path}.__base__", base.__base__
    return None


def _content(cell: Any) -> object:
    try:
        return cell.cell_contents
    except ValueError:
        return _MISSING


def methods_in(kind: type, names: list[str]) -> Iterator[FunctionType]:
    """The methods and properties of these names that a class and those behind it have."""
    for base in kind.__mro__[:-1]:
        for name in names:
            found = vars(base).get(name)
            found = found.fget if isinstance(found, property) else getattr(found, "__func__", found)
            if isinstance(found, FunctionType):
                yield found


def called_by_super(called: ast.expr, function: FunctionType, kind: Any) -> object:
    """What a call ``super().name(…)`` in the text of a method of a class calls, if it is one."""
    match called:
        case ast.Attribute(value=ast.Call(func=ast.Name("super"), args=[]), attr=name) if isinstance(
            kind, type
        ):
            found = behind(kind, class_around(function), name)
            return None if found is None else found[1]
    return None
