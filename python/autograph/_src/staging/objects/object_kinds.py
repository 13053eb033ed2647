"""Decides which of the program's objects can be table rows, and learns the sites and types of those."""

from __future__ import annotations

from typing import Any

from autograph._src.staging.kinds.tensor_of import known_element
from autograph._src.staging.lists.list_contents import checked_element
from autograph._src.staging.lists.traced_list import TracedList
from autograph._src.staging.objects.object_records import is_record, learn_record
from autograph._src.staging.objects.object_tables import described, element_of, joined_kinds
from autograph._src.staging.trace.active import require_trace
from autograph._src.staging.trace.object_sites import ListKind
from autograph._src.staging.trace.references import is_reference


def learn_object(value: object) -> int | None:
    """Learns the site and contents of an object; gives its table, or ``None`` if it cannot be a row."""
    if not is_learnable(value):
        return None
    objects = require_trace().objects
    site = value.sites[0] if isinstance(value, TracedList) else objects.site_of(value)
    assert site is not None
    number = objects.sites.reserve(site)
    if id(value) in objects.looked_at:
        return number  # It refers to itself, directly or through other objects.
    objects.looked_at.add(id(value))
    try:
        return learn_list(value) if isinstance(value, TracedList) else learn_record(value)
    finally:
        objects.looked_at.discard(id(value))


def learn_list(value: TracedList) -> int:
    """Learns the site and element type of a list; gives its table."""
    if value.contents is not None:
        element = known_element(value.contents.element)
    else:
        element = element_of([described(one) for one in list.copy(value)])
    if element is not None:
        element = checked_element(element, value.called())
    return require_trace().objects.sites.learn(value.sites, ListKind(element), joined_kinds)


def holds_objects(values: list[Any] | tuple[Any, ...]) -> bool:
    """Whether a list or tuple holds objects that are rows or can become rows."""
    return any(is_reference(one) or is_learnable(one) for one in values)


def is_learnable(value: object) -> bool:
    """Whether an object can become a row: the program made it at a known site."""
    return bool(value.sites) if isinstance(value, TracedList) else is_record(value)
