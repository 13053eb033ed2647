"""Which callees converted code converts, and which run unconverted.

Converted code converts the user's functions: those whose code object's file is outside the standard
library, the installed packages, NumPy and this package. ``ag.include`` and ``ag.exclude`` change that for
modules, ``ag.do_not_convert`` for one function.

    ag.include("sklearn.metrics")    # an installed package that is to be converted
    ag.exclude("plotting")           # a module of the user that is to run as it is

A mark on a function holds a reference to that function: ``functools.wraps`` copies marks to wrappers, and
the reference tells that the wrapper itself is not marked.
"""

from __future__ import annotations

import os
import sys
import sysconfig
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from inspect import getattr_static
from types import CodeType, FunctionType, ModuleType
from typing import Any
from weakref import ref

from autograph._src.code_identity import CodeMap
from autograph._src.staging.trace.frames import is_internal_file

DO_NOT_CONVERT = "__autograph_do_not_convert__"
"""Attribute of a marked function or object: a weak reference to the function itself, or ``True``."""

ORIGINAL = "__autograph_original__"
"""Attribute of wrappers of this package: the user's function, which ``__wrapped__`` is too."""

STRICT = "__autograph_strict__"
"""Attribute of wrappers of this package: the ``strict`` argument of ``ag.convert``."""

_CALLED_BY_DERIVATIVES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "tangent", "helpers", "")
"""What the source of a derivative calls is plain NumPy, as the user's own: staged, it converts."""

_LIBRARY_FOLDERS = tuple(
    os.path.join(folder, "")
    for folder in {
        path
        for name, path in sysconfig.get_paths().items()
        if name in ("stdlib", "platstdlib", "purelib", "platlib")
    }
)
_NEVER = ("autograph", "numpy")
"""Packages that are never converted: converted code stages calls of their functions as a whole."""

_converts: dict[str, bool] = {}


def is_user_code(code: CodeType) -> bool:
    """Whether a code object is the user's: not of an installed package or the standard library."""
    return is_user_file(code.co_filename)


def is_user_file(file: str) -> bool:
    """Whether a file of source code is the user's."""
    known = _converts.get(file)
    if known is None:
        is_library = file.startswith(_LIBRARY_FOLDERS) or is_internal_file(file)
        known = _converts[file] = not is_library or file.startswith(_CALLED_BY_DERIVATIVES)
    return known


def is_user_module(module: ModuleType) -> bool:
    """Whether a module is the user's. One without a file is, unless it is built into the interpreter."""
    variables = vars(module)
    if _rules.by_name:
        verdict = _rules.verdict(str(variables.get("__name__", "")))
        if verdict is not None:
            return verdict
    file = variables.get("__file__")
    return variables.get("__spec__") is None if file is None else is_user_file(str(file))


def is_user_class(kind: type) -> bool:
    """Whether the user wrote a class: its module is the user's, or is no longer loaded."""
    if not is_heap_type(kind):
        return False
    module = sys.modules.get(kind.__module__)
    return module is None or is_user_module(module)


def is_heap_type(kind: type) -> bool:
    """Whether a class was made at run time, as a ``class`` statement does, and is not a static type of C."""
    return bool(kind.__flags__ & _HEAP_TYPE)


_HEAP_TYPE = 1 << 9
"""CPython's flag ``Py_TPFLAGS_HEAPTYPE``."""


class Rule:
    """The rule of one call of :func:`include` or :func:`exclude`; the end of a ``with`` block removes it."""

    def __init__(self, names: tuple[str, ...], converts: bool) -> None:
        self.names = names
        self.converts = converts

    def __enter__(self) -> Rule:
        """Does nothing: the rule has held since it was made."""
        return self

    def __exit__(self, *_: object) -> None:
        """Removes the rule."""
        global _rules
        with _lock:
            _rules = _Rules(tuple(rule for rule in _rules.said if rule is not self))


class _Rules:
    """All rules at one time. An instance never changes, so readers need no lock."""

    def __init__(self, said: tuple[Rule, ...] = ()) -> None:
        self.said = said
        self.by_name: dict[str, bool] = {}
        for rule in said:
            # A later rule replaces earlier rules about its submodules.
            for name in [name for name in self.by_name if _is_covered(name, rule.names)]:
                del self.by_name[name]
            self.by_name.update(dict.fromkeys(rule.names, rule.converts))
        self._known: dict[str, bool | None] = {}

    def verdict(self, module: str) -> bool | None:
        """Whether the rules convert a module's functions; ``None`` if no rule covers the module.

        The longest matching name wins: a rule for a shorter name that came later has removed the longer one.
        """
        if module not in self._known:
            name = module
            while name and name not in self.by_name:
                name = name.rpartition(".")[0]
            self._known[module] = self.by_name.get(name)
        return self._known[module]


def _is_covered(name: str, names: tuple[str, ...]) -> bool:
    return any(name == one or name.startswith(one + ".") for one in names)


_rules = _Rules()
_lock = threading.Lock()


def include(*modules: str) -> Rule:
    """Convert the functions of these modules when converted code calls them.

    By default the user's own code is converted and installed packages run unconverted. The rule holds
    in all threads from now on, or in a ``with`` statement until the end of the block.

    Args:
        *modules: Names of modules, as in ``import`` statements. A name covers its submodules. A later
            call of ``include`` or :func:`autograph.exclude` for a module overrides this one.

    Returns:
        A context manager that removes the rule at the end of its block.

    Raises:
        TypeError: If a name is not a string.
        ValueError: If a name is not a module name, or if it names ``autograph`` or ``numpy``, whose
            functions converted code stages as a whole.

    Example:
        >>> import autograph as ag
        >>> with ag.include("statistics", "sklearn.metrics"):
        ...     total = ag.function(lambda x: x + 1.0)(2.0)
    """
    names = _module_names(modules)
    for name in names:
        if name.partition(".")[0] in _NEVER:
            raise ValueError(f"`{name}` cannot be included: converted code calls it in its own way")
    return _say(names, True)


def exclude(*modules: str) -> Rule:
    """Run the functions of these modules unconverted when converted code calls them.

    The rule holds in all threads from now on, or in a ``with`` statement until the end of the block.

    Args:
        *modules: Names of modules, as in ``import`` statements. A name covers its submodules. A later
            call of ``exclude`` or :func:`autograph.include` for a module overrides this one.

    Returns:
        A context manager that removes the rule at the end of its block.

    Raises:
        TypeError: If a name is not a string.
        ValueError: If a name is not a module name.

    Example:
        >>> import autograph as ag
        >>> with ag.exclude("my_project.plotting"):
        ...     total = ag.function(lambda x: x + 1.0)(2.0)
    """
    return _say(_module_names(modules), False)


def _module_names(modules: tuple[Any, ...]) -> tuple[str, ...]:
    for name in modules:
        if not isinstance(name, str):
            hint = getattr(name, "__name__", None)
            tail = f'; write "{hint}"' if isinstance(hint, str) else ""
            raise TypeError(f"the name of a module is a string, not {type(name).__name__}{tail}")
        if not all(part.isidentifier() for part in name.split(".")):
            raise ValueError(f"{name!r} is not the name of a module")
    return modules


def _say(names: tuple[str, ...], converts: bool) -> Rule:
    global _rules
    rule = Rule(names, converts)
    with _lock:
        _rules = _Rules((*_rules.said, rule))
    return rule


def converts(function: FunctionType) -> bool:
    """Whether converted code converts this function when it calls it.

    ``__name__`` of the globals says which module the code runs in; ``__module__`` may be anything.
    """
    if is_generated(function):
        return False
    code = function.__code__
    if _requested.get(code) is not None:
        return True
    if _rules.by_name:
        verdict = _rules.verdict(str(function.__globals__.get("__name__", "")))
        if verdict is not None and not is_internal_file(code.co_filename):
            return verdict
    return is_user_code(code)


_requested: CodeMap[bool] = CodeMap()


def request(function: FunctionType) -> None:
    """Makes a function that the user decorated convert wherever its file is.

    Without this, a package that decorates its own functions would stop working once it is installed.
    """
    if not is_internal_file(function.__code__.co_filename):
        _requested.set(function.__code__, True)


def request_own(function: Callable[..., object]) -> None:
    """Makes a function of this package convert: an algorithm of the standard library in Python."""
    if isinstance(function, FunctionType):
        _requested.set(function.__code__, True)


def is_generated(function: FunctionType) -> bool:
    """Whether `dataclass` or a similar tool compiled a method from a string that is not kept."""
    return function.__code__.co_filename == "<string>" and function.__name__.startswith("__")


def is_user_function(value: object) -> bool:
    """Whether a value is a Python function that is converted when it is called."""
    if type(value) is not FunctionType:
        return False
    return value.__code__.co_filename != "<string>" and converts(value)


# Marks on functions and objects


def original_of(value: object) -> Any:
    """The user's function behind a wrapper of this package, or ``None``.

    A user's wrapper around ours has our attributes through ``functools.wraps``, but is not ours:

        @functools.wraps(converted)
        def logged(x): ...            # logged.__wrapped__ is converted, not the original
    """
    original = getattr(value, ORIGINAL, None)
    if original is None or getattr(value, "__wrapped__", None) is not original:
        return None
    if hasattr(type(value), "__getattr__") and getattr_static(value, ORIGINAL, None) is not original:
        return None  # An object of the user's that answers whatever it is asked for.
    return original


def mark(value: object) -> bool:
    """Marks a function or object to run unconverted; tells whether it could be marked."""
    try:
        attributes = value.__dict__
        attributes[DO_NOT_CONVERT] = ref(value) if type(value) is FunctionType else True
    except (AttributeError, TypeError):
        return False
    return True


def is_marked(value: object) -> bool:
    """Whether a function or object was marked to run unconverted."""
    attributes = getattr(value, "__dict__", None)
    found = attributes.get(DO_NOT_CONVERT) if type(attributes) is dict else None
    if found is True:
        return type(value) is not FunctionType
    return found is not None and found() is value


# Strictness

_strictness = threading.local()


def is_strict() -> bool:
    """Whether a callee that cannot be converted is an error.

    ``ag.convert(strict=…)`` decides that for the calls its function makes, ``AUTOGRAPH_STRICT`` for all
    others.
    """
    chosen: bool | None = getattr(_strictness, "chosen", None)
    return os.environ.get("AUTOGRAPH_STRICT") != "0" if chosen is None else chosen


@contextmanager
def strictness(chosen: bool | None) -> Iterator[None]:
    """Sets the strictness on this thread for a ``with`` block; ``None`` keeps the outer choice."""
    outer = getattr(_strictness, "chosen", None)
    _strictness.chosen = outer if chosen is None else chosen
    try:
        yield
    finally:
        _strictness.chosen = outer
