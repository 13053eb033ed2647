"""Effects of methods that Python itself calls: ``len(x)`` calls ``__len__``, ``x.rate`` a property.

    class Sensor:
        @property
        def value(self):
            return random.random()     # one draw for all runs

Converted code is not told of these calls. What such a method prints is recorded (`printed.py` of
`staging/control`); one that draws, logs, warns or reads a clock is refused where its class is met.
"""

from __future__ import annotations

from types import FunctionType
from weakref import WeakSet

from autograph._src.backends.protocol import active_backend
from autograph._src.operators.impure_functions import frozen_result
from autograph._src.operators.plain_code import effect_of
from autograph._src.policy import is_user_class, is_user_function


def refuse_hidden_effects(method: FunctionType) -> None:
    """Refuses a method that Python itself calls and that draws, logs or reads a clock.

    Raises:
        StagingError: If it, or a function of the user that it names, has such an effect (AG123).
    """
    backend = active_backend()
    if backend is None or method.__name__ in _CONVERTED:
        return
    effect = effect_of(method, {}, but=print)
    if effect is not None:
        name = method.__qualname__.rpartition("<locals>.")[2]
        backend.would_freeze(
            frozen_result(f"{effect} in `{name}`"),
            "Python itself calls it: make it an ordinary method, which the function calls",
        )


def refuse_effects_of_class(kind: type) -> None:
    """Refuses an object of a class of the user with such special methods.

    Raises:
        StagingError: As `refuse_hidden_effects`.
    """
    if kind in _harmless or active_backend() is None:
        return
    for name in implicit_methods(kind):
        method = next(base.__dict__[name] for base in kind.__mro__ if name in base.__dict__)
        if isinstance(method, FunctionType):
            refuse_hidden_effects(method)
    _harmless.add(kind)


_harmless: WeakSet[type] = WeakSet()
"""Classes that were looked at: a program makes many objects of one."""


def is_implicit(name: str) -> bool:
    """Whether Python calls a method of this name implicitly."""
    return name.startswith("__") and name.endswith("__") and name not in _EXPLICIT


_EXPLICIT = frozenset(("__init__", "__new__", "__del__", "__init_subclass__", "__class_getitem__"))
"""Special methods that run only in a call of the class, or never while tracing."""

_CONVERTED = frozenset(
    (
        *("__post_init__", "__call__", "__enter__", "__exit__"),
        *("__getitem__", "__setitem__", "__delitem__", "__iter__", "__next__"),
    )
)
"""Special methods of which the converted versions are called, or that are refused where they are."""


def implicit_methods(kind: type) -> list[str]:
    """The methods that Python calls implicitly on objects of a class: `a + b` calls `__add__`."""
    names = dict.fromkeys(
        name
        for base in kind.__mro__
        if is_user_class(base)
        for name, value in base.__dict__.items()
        if is_implicit(name) and isinstance(value, FunctionType) and is_user_function(value)
    )
    return list(names)
