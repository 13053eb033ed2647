"""The slots of a class: the attributes that its objects keep outside of their ``__dict__``."""

from __future__ import annotations

from weakref import WeakKeyDictionary

_known: WeakKeyDictionary[type, tuple[str, ...]] = WeakKeyDictionary()


def slot_names(kind: type) -> tuple[str, ...]:
    """The names of the slots that a class and its bases define, those of the bases first.

    ``__dict__`` and ``__weakref__`` are no attributes of the program's and are left out. A private name is
    mangled, as it is where the program reads it.

    Example:
        >>> class Point:
        ...     __slots__ = ("x", "__seen", "__weakref__")
        >>> class Pixel(Point):
        ...     __slots__ = "colour"
        >>> slot_names(Pixel)
        ('x', '_Point__seen', 'colour')
    """
    known = _known.get(kind)
    if known is None:
        known = _known[kind] = tuple(_found_slots(kind))
    return known


def _found_slots(kind: type) -> dict[str, None]:
    found: dict[str, None] = {}
    for base in reversed(kind.__mro__):
        names = base.__dict__.get("__slots__", ())
        for name in (names,) if isinstance(names, str) else names:
            if name not in _NOT_OF_THE_PROGRAM:
                found[_mangled(name, base)] = None
    return found


_NOT_OF_THE_PROGRAM = ("__dict__", "__weakref__")


def _mangled(name: str, kind: type) -> str:
    if not name.startswith("__") or name.endswith("__"):
        return name
    class_name = kind.__name__.lstrip("_")
    return f"_{class_name}{name}" if class_name else name
