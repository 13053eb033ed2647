"""Which classes match sequence and mapping patterns: ``case [a, b]:``, ``case {"a": a}:``."""

from __future__ import annotations

from abc import ABCMeta

_MATCHES_SEQUENCES = 1 << 5
_MATCHES_MAPPINGS = 1 << 6
"""CPython's ``Py_TPFLAGS_SEQUENCE`` and ``Py_TPFLAGS_MAPPING``."""


class _Sequence(metaclass=ABCMeta):  # noqa: B024 - only its flag matters
    """Its registered classes match sequence patterns without being a ``collections.abc.Sequence``."""

    __abc_tpflags__ = _MATCHES_SEQUENCES


class _Mapping(metaclass=ABCMeta):  # noqa: B024 - only its flag matters
    """Its registered classes match mapping patterns without being a ``collections.abc.Mapping``."""

    __abc_tpflags__ = _MATCHES_MAPPINGS


def register_mapping(kind: type) -> None:
    """Lets mapping patterns match objects of a class; they call `__len__`, which may raise our error."""
    _Mapping.register(kind)


def register_sequence(kind: type) -> None:
    """Lets sequence patterns match objects of a class; they call `__len__`, which may raise our error."""
    _Sequence.register(kind)


def matches_sequences(kind: type) -> bool:
    """Whether sequence patterns match objects of a class."""
    return bool(kind.__flags__ & _MATCHES_SEQUENCES)
