"""Items of plain lists, tuples and strings at staged indices.

    weights[k]          # elements of one number type: indexes an array of them
    pairs[k]            # several types, arrays, tuples, None: indexes a staged list of them
    TABLE[k][j]         # elements that are lists: the item is a list that can only be read

Items at plain indices do not come here: Python reads them.
"""

from __future__ import annotations

from typing import Any

from autograph._src.backends.protocol import backend_of
from autograph._src.own_attributes import has_own
from autograph._src.staging.kinds.tensor_of import TensorOf
from autograph._src.staging.kinds.union_values import type_of_all
from autograph._src.staging.kinds.value_kind import kind_of
from autograph._src.staging.lists.list_contents import StagedElements, staged_contents
from autograph._src.staging.lists.list_identity import Choice
from autograph._src.staging.lists.list_indices import inside
from autograph._src.staging.lists.list_lengths import Length
from autograph._src.staging.lists.traced_list import TracedList, made_list, scratch_list
from autograph._src.staging.objects.object_kinds import holds_objects
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.memory import Role
from autograph._src.staging.tensors.parted import reformed
from autograph._src.staging.tensors.positions import as_index, from_front
from autograph._src.staging.tensors.python_scalars import both, compare, require
from autograph._src.staging.tensors.tensor import emit
from autograph._src.staging.trace.active import staging_error
from autograph._src.staging.trace.references import is_reference
from autograph.errors import StagingError


def item_of_sequence(target: Any, index: object) -> object:
    """``target[index]`` of a plain list, tuple or string, with a staged index or a slice of staged bounds."""
    kind = "list" if isinstance(target, list) else "tuple" if isinstance(target, tuple) else "string"
    if isinstance(index, slice) and kind == "string":
        raise staging_error(
            "AG120", "a slice of a string, whose bounds depend on data", "compare its characters"
        )
    if isinstance(index, slice):
        return _slice(target, index, kind)
    place = as_index(index, f"{kind} indices must be integers or slices, not {{}}")
    position = from_front(place, len(target))
    out_of_range = f"{kind} index out of range"
    if not target:
        raise IndexError(out_of_range)
    is_of_lists = any(isinstance(one, list) for one in target)
    if holds_objects(target) or not (is_of_lists or type_of_all(target) is not None):
        name = target.called() if isinstance(target, TracedList) else f"the {kind}"
        contents = staged_contents(target, name)
        return contents.at(inside(contents, index, out_of_range))
    if not _is_within(index, len(target)):
        is_there = both(compare("greater_equal", position, 0), compare("less", position, len(target)))
        require(is_there, IndexError, out_of_range)
        index = position
    return _element(target, index, position, kind)


def _is_within(index: object, count: int) -> bool:
    """Whether an index is known to be in range for a sequence of ``count`` elements."""
    affine = index.affine if has_own(index, "affine") else None
    return affine is not None and -count <= affine.bounds()[0] and affine.bounds()[1] < count


def _slice(target: Any, index: slice, kind: str) -> object:
    if kind == "tuple":
        raise staging_error(
            "AG120",
            "how long a slice of a tuple is depends on data here, and a tuple has a known length",
            "slice a list, or an array: `list(t)[a:b]`",
        )
    return made_list(list(target)).staged_item(index)


def _element(target: list[Any] | tuple[Any, ...], index: object, position: object, kind: str) -> object:
    """The element at an index in range; the elements are numbers of one type, or lists of such."""
    if all(one is target[0] for one in target):
        return target[0]
    if all(isinstance(one, list) for one in target):
        return _row(target, index, position, kind)
    leaf = type_of_all(target)
    if leaf is None:
        raise _refusal(kind)
    item = lift(list(target))[index]
    return reformed(item, leaf.form)


def _row(target: Any, index: object, position: Any, kind: str) -> Any:
    """One of several lists, to be read only: a write would have to find out which list it changes."""
    rows = [list(one) for one in target]
    if len({len(row) for row in rows}) > 1 or any(is_reference(one) for one in target):
        raise _refusal(kind)
    leaf = _leaf_of_all(rows)
    if leaf is None:
        found = TracedList([_element(column, index, position, "list") for column in zip(*rows, strict=True)])
    else:
        values = (emit("list_unstack", lift(rows)[index].read()),)
        found = scratch_list(StagedElements(leaf, values, Length(None, len(rows[0])), "the list"))
    found.role = Role.JOINED
    found.choice = Choice(tuple(target), position)
    return found


def _leaf_of_all(rows: list[list[Any]]) -> TensorOf | None:
    """The type of the elements of all rows; ``None`` unless they are numbers of one type."""
    elements = [one for row in rows for one in row]
    if any(isinstance(one, (list, tuple)) for one in elements):
        return None
    types = {kind_of(one if backend_of(one) is not None else lift(one)) for one in elements}
    found = types.pop() if len(types) == 1 else None
    return found if isinstance(found, TensorOf) and not found.shape else None


def _refusal(kind: str) -> StagingError:
    return staging_error(
        "AG120",
        f"a {kind} whose elements differ cannot be indexed with a staged value",
        "keep the values in an array, or loop over plain integers",
    )
