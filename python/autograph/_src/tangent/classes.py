"""Classes of the user's: what their methods are, and how their objects are made.

What an object's method is, is known from its class; so the class of an object has to be known: it is made
in the function, it is the object of a method, or an annotation says it. The derivative checks it, where it
relies on it.
"""

from __future__ import annotations

import abc
import dataclasses
import dis
import inspect
import itertools
import linecache
from collections.abc import Iterator
from types import FunctionType, GenericAlias, MemberDescriptorType, ModuleType
from typing import Any
from weakref import WeakKeyDictionary, WeakSet

from autograph._src.policy import is_user_class, is_user_code
from autograph._src.tangent.records import is_frozen, is_named_tuple

_MISSING = object()
_HOOKS = ("__getattr__", "__getattribute__", "__setattr__", "__delattr__")
_PLAIN_METACLASSES = (type, abc.ABCMeta)
"""Those whose classes make objects as any class does; that of `ABC` says more of `isinstance` alone."""

CLASSES: WeakKeyDictionary[FunctionType, dict[str, type | None]] = WeakKeyDictionary()
"""By generated function, the classes of its variables that are objects."""

PASSES: WeakKeyDictionary[FunctionType, int] = WeakKeyDictionary()
"""The generated functions that give a result, and what is kept of it or its tangent.

With each, how often: of one that is made of such a function, the result is again a pair of both.
"""

MAKERS: WeakSet[FunctionType] = WeakSet()
"""Those of them whose result is a new object, which holds what it is given."""

_constructors: dict[type, FunctionType | None] = {}
_numbers = itertools.count(1)


def is_plain_class(kind: object) -> bool:
    """Whether attributes of a class's objects are what they are set to, and its methods are the user's."""
    # An abstract class has no objects: what an annotation says is the class of another.
    if not isinstance(kind, type) or type(kind) not in _PLAIN_METACLASSES or inspect.isabstract(kind):
        return False
    if inspect.getattr_static(kind, "__new__") is not object.__dict__["__new__"]:
        return False
    own = kind.__mro__[:-1]
    # A frozen dataclass is not changed, and reads as any.
    hooks = set(_HOOKS) - ({"__setattr__", "__delattr__"} if is_frozen(kind) else set())
    is_written = is_user_class(kind) or any(
        is_user_code(one.__code__) for base in own for one in _functions_of(base)
    )
    is_known = all(type(base) in _PLAIN_METACLASSES for base in own)
    return is_written and is_known and not any(base.__dict__.keys() & hooks for base in own)


def _functions_of(kind: type) -> Iterator[FunctionType]:
    for value in vars(kind).values():
        inner = getattr(value, "__func__", None) or getattr(value, "fget", None) or value
        if isinstance(inner, FunctionType):
            yield inner


def attribute_of(kind: type, name: str) -> tuple[str, Any]:
    """What an attribute of a class's objects is.

    Returns:
        ``"method"``, ``"property"`` or ``"function"`` (a static method), with the function; ``"field"``, a
        value; ``"item"``, a field of a named tuple, with its place; ``"other"``, with words.
    """
    raw = inspect.getattr_static(kind, name, _MISSING)
    if is_named_tuple(kind) and name in kind._fields:  # type: ignore[attr-defined]
        return "item", kind._fields.index(name)  # type: ignore[attr-defined]
    is_set = isinstance(raw, property) and raw.fset is not None
    if isinstance(raw, (FunctionType, property)) and not is_set and _is_stored(kind, name):
        return "other", "a method that the class also sets on its objects"
    if isinstance(raw, FunctionType):
        return "method", raw
    if isinstance(raw, property):
        found = raw.fget
        return ("property", found) if isinstance(found, FunctionType) else ("other", "a property")
    if isinstance(raw, staticmethod) and isinstance(raw.__func__, FunctionType):
        return "function", raw.__func__
    if isinstance(raw, classmethod):
        return "other", "a class method"
    is_value = raw is _MISSING or isinstance(raw, MemberDescriptorType) or not hasattr(type(raw), "__get__")
    return ("field", None) if is_value else ("other", "a descriptor")


def _is_stored(kind: type, name: str) -> bool:
    """Whether a method of the class sets an attribute of this name."""
    functions = (one for base in kind.__mro__[:-1] for one in _functions_of(base))
    return any(name in _stored_by(one) for one in functions)


_stored: WeakKeyDictionary[FunctionType, frozenset[str]] = WeakKeyDictionary()


def _stored_by(function: FunctionType) -> frozenset[str]:
    """The attributes that a function sets."""
    if function not in _stored:
        steps = dis.get_instructions(function.__code__)
        _stored[function] = frozenset(step.argval for step in steps if step.opname == "STORE_ATTR")
    return _stored[function]


def hints_of(annotated: Any) -> dict[str, Any]:
    """The annotations that stand for classes; one that cannot be evaluated says nothing."""
    if isinstance(annotated, type):
        found: dict[str, Any] = {}
        for base in reversed(annotated.__mro__[:-1]):
            own = next(_functions_of(base), None)
            variables = vars(inspect.getmodule(base) or ModuleType("")) if own is None else own.__globals__
            found.update(_evaluated(inspect.get_annotations(base), variables))
        return found
    return _evaluated(inspect.get_annotations(annotated), annotated.__globals__)


def _evaluated(annotations: dict[str, Any], variables: dict[str, Any]) -> dict[str, Any]:
    found = {}
    for name, value in annotations.items():
        if isinstance(value, str):
            value = _of_text(value, variables)
        found[name] = value
    return found


def hint_of_text(text: str, function: FunctionType) -> Any:
    """What the text of an annotation in a function stands for; it is a string where that is not known."""
    return _of_text(text.strip("'\""), function.__globals__)


def _of_text(text: str, variables: dict[str, Any]) -> Any:
    """What an annotation in quotes stands for: a name, or ``list[Name]`` and ``dict[str, Name]``."""
    origin, bracket, rest = text.partition("[")
    if not bracket:
        return variables.get(text, {"list": list, "dict": dict}.get(text, text))
    found = _of_text(rest.removesuffix("]").rpartition(",")[2].strip(), variables)
    if isinstance(found, str) or origin not in ("list", "dict"):
        return text
    return GenericAlias(list, (found,)) if origin == "list" else GenericAlias(dict, (str, found))


def constructor_of(kind: type) -> FunctionType | None:
    """The ``__init__`` of a class, with a source; ``None`` if it has none that can be differentiated."""
    if kind not in _constructors:
        _constructors[kind] = _constructor_of(kind)
    return _constructors[kind]


def _constructor_of(kind: type) -> FunctionType | None:
    found = inspect.getattr_static(kind, "__init__", None)
    if found is object.__init__:
        return _without_attributes(kind)
    if not isinstance(found, FunctionType):
        return None
    if dataclasses.is_dataclass(kind) and found.__code__.co_filename == "<string>":
        return _of_dataclass(kind, found)
    return found if is_user_code(found.__code__) else None


def _without_attributes(kind: type) -> FunctionType:
    """The ``__init__`` of a class that has none, as a person would write it."""
    return _written(kind, "def __init__(self):\n    pass\n", {})


def _written(kind: type, text: str, variables: dict[str, Any]) -> FunctionType:
    """The ``__init__`` that this text defines, whose source is found."""
    file = f"<fields of {kind.__qualname__} {next(_numbers)}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    variables = {"__name__": kind.__module__, **variables}
    exec(compile(text, file, "exec"), variables)
    function: FunctionType = variables["__init__"]
    return function


def _parameter(one: dataclasses.Field[Any]) -> str:
    """A field as a parameter; what stands for a default that is no literal is not evaluated."""
    if one.default_factory is not dataclasses.MISSING:
        return f"{one.name}=missing"
    if one.default is dataclasses.MISSING:
        return one.name
    is_literal = isinstance(one.default, (int, float, str, bool, type(None)))
    return f"{one.name}={one.default!r}" if is_literal else f"{one.name}=..."


_FACTORIES: dict[Any, str] = {list: "[]", dict: "{}"}


def _stored_field(one: dataclasses.Field[Any]) -> str | None:
    """What the ``__init__`` of a dataclass sets a field to; ``None`` if it calls what is not known."""
    if one.default_factory is dataclasses.MISSING:
        return one.name if one.init else None
    made = _FACTORIES.get(one.default_factory)
    if made is None or not one.init:
        return made
    return f"{made} if {one.name} is missing else {one.name}"


def _of_dataclass(kind: type, made: FunctionType) -> FunctionType | None:
    """The ``__init__`` that `dataclasses` has made, as a person would write it."""
    fields = dataclasses.fields(kind)
    stored = {one.name: _stored_field(one) for one in fields}
    after = inspect.getattr_static(kind, "__post_init__", None)
    takes_more = isinstance(after, FunctionType) and after.__code__.co_argcount != 1
    if None in stored.values() or takes_more or not isinstance(after, (FunctionType, type(None))):
        return None
    given = [one for one in fields if one.init]
    positional = [_parameter(one) for one in given if not one.kw_only]
    by_name = [_parameter(one) for one in given if one.kw_only]
    parameters = ", ".join(["self", *positional, *(["*", *by_name] if by_name else [])])
    head = f"def __init__({parameters}):"
    lines = [f"    self.{name} = {value}" for name, value in stored.items()]
    text = "\n".join([head, *lines, *(["    self.__post_init__()"] if after is not None else []), ""])
    # What `dataclasses` has for a field that is not given is among its defaults.
    defaults = [*(made.__defaults__ or ()), *(made.__kwdefaults__ or {}).values()]
    missing = [one for one in defaults if type(one).__name__ == "_HAS_DEFAULT_FACTORY_CLASS"]
    function = _written(kind, text, {"missing": missing[0] if missing else None})
    function.__defaults__, function.__kwdefaults__ = made.__defaults__, made.__kwdefaults__
    return function


_MATCHES_ITSELF = 1 << 22
"""CPython's flag of classes such as ``float``, whose one positional part is the object itself."""


def pattern_names(kind: type) -> tuple[list[str], list[str]]:
    """What class patterns may ask of the objects of a class.

    Returns:
        The attributes of the positional parts, ``""`` for the object itself; and those that all objects have.
    """
    names = getattr(kind, "__match_args__", None)
    if names is None:
        positional = [""] if kind.__flags__ & _MATCHES_ITSELF else []
    else:
        positional = list(names) if type(names) is tuple and all(type(one) is str for one in names) else []
    fields = [field.name for field in dataclasses.fields(kind)] if dataclasses.is_dataclass(kind) else []
    return positional, [*fields, *dir(kind)]
