"""Adjoints of lists, dicts and arrays: zeros, sums, items, and what the caller gets.

The adjoint of a list or a tuple is a list of adjoints, that of a dict is a dict, and so is that of an object,
by the names of its attributes. What has no derivative
(a string, `None`) has the adjoint `None`.
"""
# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs

import numpy as np

from autograph._src.tangent.guard_errors import refused, require_same_lengths_of_lists
from autograph._src.tangent.helpers.forms import in_form, unbroadcast
from autograph._src.tangent.helpers.objects import attributes, fields, with_fields


def zeros_like(x):
    """Zeros in the form of `x`: 0.0 for a number, floats for an array of integers, lists for tuples."""
    if isinstance(x, np.ndarray):
        return np.zeros(x.shape, x.dtype if x.dtype.kind in "fc" else float)
    if isinstance(x, np.inexact):
        return x.dtype.type(0)
    if isinstance(x, (float, int, np.generic)):
        return 0.0
    if isinstance(x, complex):
        return 0j
    if isinstance(x, (list, tuple, range)):
        return [zeros_like(item) for item in x]
    if isinstance(x, dict):
        return {key: zeros_like(item) for key, item in x.items()}
    if isinstance(x, (type(None), BaseException)):
        return None
    found = attributes(x)
    return None if found is None else {name: zeros_like(item) for name, item in found.items()}


def zeros_at(x, index):
    """Zeros in the form of the item `x[index]`, or of the attribute of an object; `None` if there is none."""
    found = x if isinstance(x, (np.ndarray, list, tuple, dict)) else attributes(x)
    if isinstance(found, dict):
        return zeros_like(found.get(index))
    return zeros_like(x[index] if found is None else found[index])


def constant_in(dx, z):
    """Give the tangent of a result `z` by what it does not vary with: zeros, whatever `dx` is."""
    return zeros_like(z)


def constant_in_union(dx, z):
    """Give zeros, as `constant_in` does, for `|` of flags and sets; raise `TypeError` for that of dicts."""
    if isinstance(z, dict):
        raise refused("AG022", "tangent has no rule of `|` of dicts", "write `{**p, **q}` for `p | q`")
    return zeros_like(z)


def add_grad(bx, more):
    """Add two adjoints of one value, item by item in containers, and change neither."""
    if isinstance(bx, (np.ndarray, float)) and isinstance(more, (np.ndarray, float)):
        return bx + more
    if bx is None or more is None:
        return more if bx is None else bx
    # 0.0 stands for the zeros of what has none of its own yet.
    if isinstance(bx, (list, dict)) and isinstance(more, float) and more == 0.0:
        return bx
    if isinstance(more, (list, dict)) and isinstance(bx, float) and bx == 0.0:
        return more
    if isinstance(bx, list) or isinstance(more, list):
        require_same_lengths_of_lists(bx, more)
        return [add_grad(one, other) for one, other in zip(bx, more, strict=True)]
    if isinstance(bx, dict):
        found = {key: add_grad(item, more.get(key)) for key, item in bx.items()}
        found.update({key: item for key, item in more.items() if key not in bx})
        return found
    return bx + more


def add_at(bx, index, by):
    """Add `by` to the items `bx[index]` in place; an item that the index has twice gets both."""
    if not isinstance(bx, np.ndarray):
        if isinstance(index, slice):
            for place, one in zip(range(*index.indices(len(bx))), by, strict=True):
                bx[place] = add_grad(bx[place], one)
        else:
            bx[index] = add_grad(bx.get(index) if isinstance(bx, dict) else bx[index], by)
    elif may_repeat(index):
        np.add.at(bx, index, by if bx.dtype.kind == "c" else np.real(by))
    else:
        bx[index] += by if bx.dtype.kind == "c" else np.real(by)


def add_item(bx, index, by):
    """Add `by` to the item `bx[index]` in place; of a dict, whose items are keys, nothing."""
    if not isinstance(bx, dict):
        add_at(bx, index, by)


def taken_item(bx, index, by):
    """Give the adjoint of the value `by` that `add_item` added, or the tangent of the item `by` of `x`."""
    return zeros_like(by) if isinstance(bx, dict) else taken_at(bx, index, by)


def put_item(bz, bx, index):
    """Give zeros in the form of `bx`, with `bz` added to the item that the index has."""
    return zeros_like(bx) if isinstance(bx, dict) else put_at(bz, bx, index)


def taken_at(bx, index, by):
    """Give the adjoint of the value `by` that `add_at` added to the items `x[index]`."""
    taken = copy(bx[index])
    return unbroadcast(taken, by) if isinstance(by, (np.ndarray, np.generic, float, int, complex)) else taken


def put_at(bz, bx, index):
    """Give zeros in the form of `bx`, with `bz` added to the items that the index has."""
    found = zeros_like(bx)
    add_at(found, index, bz)
    return found


def may_repeat(index):
    """Whether an index of an array may have an element twice: whether it holds an array of integers."""
    if isinstance(index, (int, slice)):
        return False
    parts = index if isinstance(index, tuple) else (index,)
    return any(isinstance(part, (list, np.ndarray)) and np.asarray(part).dtype.kind in "iu" for part in parts)


def copy(x):
    """Copy the arrays, lists and dicts of a value; numbers are as they are."""
    if isinstance(x, np.ndarray):
        return x.copy()
    if isinstance(x, list):
        return [copy(item) for item in x]
    if isinstance(x, tuple):
        items = [copy(item) for item in x]
        return type(x)(*items) if hasattr(x, "_fields") else tuple(items)
    if isinstance(x, dict):
        copied = x.copy()
        for key, item in x.items():
            copied[key] = copy(item)
        return copied
    if isinstance(x, (float, int, np.generic)):
        return x
    found = fields(x)
    return x if found is None else with_fields(x, {name: copy(item) for name, item in found.items()})


def own(y, given, passes=0):
    """Give a copy of a result that is written in place later; it is none of the arrays that were given.

    Args:
        y: The result.
        given: The arguments.
        passes: How often it, or its first item, is that of a pass and what the pass has kept, to which its
            caller does not write.
    """
    written = y
    for _ in range(passes):
        written = written[0]
    if share_memory(y, given) or have_same_objects(written, given):
        raise refused(
            "AG023",
            "the result of a function is changed in place, and may be an array that it was given",
            "compute a new one in the function, or copy the result first",
        )
    return copy(y)


def have_same_objects(y, given):
    """Whether an object, a list or a dict is in two values, or is one of both."""
    parts = written_parts(y)
    return any([one is other for one in parts for other in written_parts(given)])


def own_copy(x, name):
    """Give a copy of an array that a function writes to; a number is as it is.

    Raises `TypeError` if it is a list, a dict or an object.
    """
    if isinstance(x, (np.ndarray, float, int, complex, np.generic)) or x is None:
        return copy(x)
    return refuse_written(x, name)


def own_array(x, name):
    """Give a copy of an array that a function writes to."""
    if isinstance(x, np.ndarray):
        return x.copy()
    return refuse_written(x, name)


def refuse_written(x, name):
    """Raise `TypeError` for what a function writes to and that is no array."""
    kind = type(x).__name__
    more = f"say in it what it is, `{name}: {kind}`, " if kind in ("list", "dict") else ""
    raise refused(
        "AG022",
        f"a function writes to `{name}` as to an array, and tangent has no rule of `{kind}`",
        f"{more}write in the function that makes it, or return a new one",
    )


def share_memory(x, given):
    """Whether an array in `x` may have the memory of one in `given`."""
    own = arrays_in(x)
    return bool(own) and any(np.may_share_memory(one, other) for other in arrays_in(given) for one in own)


def is_view(x, base, index=None):
    """Whether `x`, which was bound to `base[index]` or to another part of it, is still what is found there.

    Raises `TypeError` if `base` has an array of it elsewhere: `x = xs[1:]` of a list.
    """
    if isinstance(base, np.ndarray):
        return isinstance(x, np.ndarray) and np.may_share_memory(x, base)
    if index is not None:
        return is_held(x, base, index)
    require_no_part(x, base)
    return False


def is_held(x, base, index):
    """Whether a list or dict still has `x` at `index`, where it was put or found; an array has a copy.

    Raises `TypeError` if `base` has an array of it elsewhere: `xs = [x, x]`.
    """
    if isinstance(x, (float, int, complex, np.generic)):
        return False
    if isinstance(base, dict):
        found = index in base and base[index] is x
        others = [item for key, item in base.items() if not found or key != index]
    elif isinstance(base, list):
        found = -len(base) <= index < len(base) and base[index] is x
        others = base[:index] + base[index:][1:] if found else base
    else:
        found, others = False, base
    require_no_part(x, others)
    return found


def is_still(x, other):
    """Whether `x` is still the object that it was bound to, or that was bound to it.

    Raises `TypeError` if it is not, and the two have an array in common.
    """
    if isinstance(x, (float, int, complex, np.generic)):
        return False
    if x is other:
        return True
    require_no_part(x, other)
    return False


def require_no_part(x, other):
    """Raise `TypeError` if two values have an array, a list or another object in common."""
    if have_same_parts(x, other):
        raise refused(
            "AG023", "what is changed in place may be the same array as an item of a list", "copy it first"
        )


def require_told(x, other, changed, read):
    """Raise `TypeError` if `x`, which was written, and `other`, which was not told, may be one array."""
    if have_same_parts(x, other):
        raise refused(
            "AG023",
            f"`{changed}` is changed in place, and `{read}` may be the same array on a path that does not say"
            " which part of it",
            f"copy it first, `{changed} = {changed}.copy()`",
        )


def have_same_parts(x, base):
    """Whether an array, a list or another object that can be written is in two values."""
    own, given = written_parts(x), written_parts(base)
    return any(one is other for one in own for other in given) or share_memory(x, base)


def written_parts(x):
    """Give the lists, dicts and objects in a value, and the value itself if it is one."""
    if isinstance(x, (np.ndarray, float, int, complex, np.generic)):
        return []
    found = dict(enumerate(x)) if isinstance(x, (list, tuple)) else x if isinstance(x, dict) else fields(x)
    if found is None:
        return []
    parts = [part for item in found.values() for part in written_parts(item)]
    return parts if isinstance(x, tuple) else [x, *parts]


def require_apart(y, given, changed, read):
    """Raise `TypeError` if the result of a call may be an array that the call was given."""
    if share_memory(y, given):
        raise refused(
            "AG023",
            f"`{changed}` is changed in place, and `{read}`, which is read later, may be the same array",
            f"compute a new one, `{changed} = {changed} + ...`, or copy it first",
        )


def arrays_in(x):
    """Give the arrays in a value."""
    if isinstance(x, np.ndarray):
        return [x]
    if isinstance(x, (float, int, np.generic)):
        return []
    if isinstance(x, (list, tuple)):
        return [one for item in x for one in arrays_in(item)]
    found = x if isinstance(x, dict) else fields(x)
    return [] if found is None else [one for item in found.values() for one in arrays_in(item)]


def as_gradient(bx, x):
    """Give the caller the gradient of `x` in its own classes: tuples for tuples, its dtype, its numbers."""
    if isinstance(x, np.ndarray):
        if isinstance(bx, np.ndarray) and bx.shape == x.shape and bx.dtype == x.dtype:
            return bx
    elif isinstance(x, float) and isinstance(bx, float):
        return np.float64(bx) if isinstance(x, np.float64) else float(bx)
    if bx is None:
        bx = zeros_like(x)
    if isinstance(x, (list, tuple)):
        items = [as_gradient(one, item) for one, item in zip(bx, x, strict=True)]
        if isinstance(x, list):
            return items
        return type(x)(*items) if hasattr(x, "_fields") else tuple(items)
    if isinstance(x, dict):
        found = x.copy()
        for key, item in x.items():
            found[key] = as_gradient(bx.get(key), item)
        return found
    if bx is None:
        return None
    found = fields(x)
    if found is not None:
        if any(key not in attributes(x) for key in bx):
            raise refused(
                "AG022",
                f"the derivative of an item of a `{type(x).__name__}` is not known",
                "read attributes",
            )
        return with_fields(x, {name: as_gradient(bx.get(name), item) for name, item in found.items()})
    return in_form(bx, x)


def check_seed(by, y):
    """Raise `ValueError` where a seed has another shape or other items than the result that it is for."""
    numbers = (float, int, np.generic)
    if isinstance(y, numbers) and isinstance(by, numbers):
        return
    if isinstance(y, (list, tuple)):
        if not isinstance(by, (list, tuple)) or len(by) != len(y):
            raise ValueError(f"the seed of a result of {len(y)} items has as many items, and is not {by!r}")
        for one, item in zip(by, y, strict=True):
            check_seed(one, item)
    elif isinstance(y, dict):
        if not isinstance(by, dict) or by.keys() != y.keys():
            raise ValueError(f"the seed of a dict has its keys, which are {list(y)}, and is not {by!r}")
        for key, item in y.items():
            check_seed(by[key], item)
    elif isinstance(y, (np.ndarray, np.generic, float, int, complex)):
        if np.shape(by) != np.shape(y):
            raise ValueError(f"the seed has shape {np.shape(by)} where the result has shape {np.shape(y)}")
    elif by is not None:
        raise ValueError(f"the seed of {y!r}, which has no derivative, is `None`, and not {by!r}")


def written_last(bx, index):
    """Give the adjoint of each item that `x[index] = ...` writes; zeros where it is written again later."""
    if not (isinstance(bx, np.ndarray) and may_repeat(index)):
        return copy(bx[index])
    taken = bx[index]
    order = np.arange(taken.size).reshape(taken.shape)
    last = np.empty(bx.shape, order.dtype)
    last[index] = order
    return np.where(last[index] == order, taken, 0)


def stored(bx, index, x):
    """Give the adjoint of a value that `x[index] = value` stores: zeros where `x` holds whole numbers."""
    taken = written_last(bx, index)
    if isinstance(x, np.ndarray) and x.dtype.kind not in "fc":
        return taken * 0
    return taken


def unstored(bz, bx, index, x):
    """Give the adjoint of the `bx` from which `stored` takes items: those are added where they were taken."""
    found = zeros_like(bx)
    if isinstance(x, np.ndarray) and x.dtype.kind not in "fc":
        return found
    if isinstance(bx, np.ndarray) and may_repeat(index):
        bz = bz * written_last(np.ones(bx.shape), index)
    add_at(found, index, bz)
    return found


def storable(dx, x):
    """Give the tangent of a value that is stored in `x`: zeros where `x` holds whole numbers."""
    if isinstance(x, np.ndarray) and x.dtype.kind not in "fc":
        return dx * 0
    return dx
