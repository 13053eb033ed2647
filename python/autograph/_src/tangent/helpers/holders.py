"""Objects, dicts and lists whose attributes and items are bound anew: what they hold is not written.

::

    y, saved_y = f_forward(layer)       # keeps `layer`, of which its backward pass reads the form
    layer.w = x                         # so it is given `tangent.copy_containers(layer)`
"""
# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs

import numpy as np

from autograph._src.tangent.guard_errors import refused
from autograph._src.tangent.helpers.containers import (
    have_same_parts,
    require_no_part,
    share_memory,
    written_parts,
)
from autograph._src.tangent.helpers.objects import fields, with_fields


def copy_containers(x):
    """Copy the lists, dicts and objects of a value; its arrays are as they are."""
    if isinstance(x, (np.ndarray, float, int, complex, np.generic)):
        return x
    if isinstance(x, list):
        return [copy_containers(item) for item in x]
    if isinstance(x, tuple):
        items = [copy_containers(item) for item in x]
        return type(x)(*items) if hasattr(x, "_fields") else tuple(items)
    if isinstance(x, dict):
        copied = x.copy()
        for key, item in x.items():
            copied[key] = copy_containers(item)
        return copied
    found = fields(x)
    if found is None:
        return x
    return with_fields(x, {name: copy_containers(item) for name, item in found.items()})


def own_containers(y, given):
    """Give a result whose items are bound anew later a form of its own; it is nothing that was given."""
    if have_same_containers(y, given):
        raise refused(
            "AG023",
            "the result of a function is changed later, and may be an object, a dict or a list that it was"
            " given",
            "make a new one in the function",
        )
    return copy_containers(y)


def is_attribute(x, base, name, is_inside=False):
    """Whether `x`, which was bound to `base.name` or to it, is still that attribute.

    Args:
        x: The value of the attribute, which was written.
        base: The object.
        name: The attribute.
        is_inside: Whether arrays that `x` holds were written, too.

    Raises `TypeError` if another attribute is, or holds, the same.
    """
    if isinstance(x, (float, int, complex, np.generic)):
        return False
    attributes = fields(base) or {}
    found = name in attributes and attributes[name] is x
    others = [item for key, item in attributes.items() if not (found and key == name)]
    if is_inside or not found:
        require_no_part(x, others)
    elif share_memory(x, others) if isinstance(x, np.ndarray) else have_same_containers(x, others):
        raise refused(
            "AG023",
            "what is changed in place may be the same object as another attribute",
            "give it one name",
        )
    return found


def have_same_containers(x, others):
    """Whether a list, a dict or another object that can be written is in two values."""
    own, given = written_parts(x), written_parts(others)
    return any([one is other for one in own for other in given])


def require_only_name(x, others, name):
    """Raise `TypeError` if an object, dict or list that a call writes to is another argument, or in one."""
    if any([part is x for part in written_parts(others)]):
        raise refused(
            "AG023",
            f"a call writes to `{name}`, and another of its arguments is, or holds, the same object",
            "give it once",
        )


def require_no_common_object(x, others, name):
    """Raise `TypeError` if an object, dict or list that a call may write to is in another value, too."""
    if have_same_containers(x, others):
        raise refused(
            "AG023",
            f"a call writes to objects that `{name}` holds, and another value that is read may hold one of"
            " them",
            f"read it from `{name}`",
        )


def require_no_common(x, others, name):
    """Raise `TypeError` if what a call writes into has a part in common with another argument."""
    if have_same_parts(x, others):
        raise refused(
            "AG023",
            f"a call writes into what `{name}` holds, and another of its arguments may be a part of that",
            "give it a copy; of an attribute that is a list, say so where it is set,"
            " `self.items: list = items`",
        )


def require_apart_again(x, others, name):
    """Raise `TypeError` if what is written where the backward pass runs again is in another value, too."""
    if have_same_parts(x, others):
        raise refused(
            "AG023",
            f"`{name}` may be written in what the backward pass runs again, and another value that this"
            " begins with is, or holds, the same array, list or object",
            f"write to a copy, `{name} = {name}.copy()`, or compute a new one",
        )
