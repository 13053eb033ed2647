"""Joining values: the one type that fits a variable in both branches, or in every iteration.

Numbers and arrays of two types are joined by carrying which of them it is: nothing is converted that the
program does not convert. A variable that is unbound on one path carries a flag that says whether it is bound.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import replace
from types import NoneType
from typing import Any, NoReturn

import numpy as np

from autograph.backends.protocol import type_name
from autograph.errors import StagingError
from autograph.operators.places import Elements
from autograph.operators.undefined import Undefined
from autograph.own_attributes import has_own
from autograph.staging.complex_tensor import ComplexTensor, as_complex, is_complex, part_dtype
from autograph.staging.journal import Reads, leaves_of
from autograph.staging.leaf_types import (
    INNER_OF_OPTIONAL,
    ComplexOf,
    LeafKind,
    LeafType,
    ListObject,
    ListOf,
    MaybeUnbound,
    NodeOf,
    OptionalOf,
    RaggedOf,
    RowOf,
    Static,
    TupleOf,
    UnionOf,
)
from autograph.staging.list_contents import StagedElements, list_types, restored
from autograph.staging.list_joins import (
    MaybeBound,
    bound_list,
    contents_of,
    convert_list,
    convert_maybe_unbound,
    join_lists,
    join_rows,
    serial_of,
)
from autograph.staging.memory import OUTSIDE, Memory, Role, distinct, held, memories_of
from autograph.staging.nodes import StagedNode, row_of
from autograph.staging.object_rows import convert_row, restored_row
from autograph.staging.object_tables import as_rows, begin_again, table_of
from autograph.staging.optionals import StagedOptional
from autograph.staging.ragged import array_type, convert_ragged, ragged, ragged_types, restored_ragged
from autograph.staging.references import is_reference
from autograph.staging.tensor import (
    Kind,
    Tensor,
    constant,
    emit,
    is_python_scalar,
    lift,
    require_trace,
    shape_text,
    wrap,
)
from autograph.staging.trace import staging_error
from autograph.staging.traced_list import TracedList
from autograph.staging.union_types import alternatives_of, join_alternatives, real_part
from autograph.staging.union_values import INDEX, split_union, union_parts
from autograph.staging.unions import StagedUnion


def is_numeric(value: Any) -> bool:
    """Whether a value has a place in a graph."""
    return isinstance(value, (Tensor, np.generic, np.ndarray)) or is_python_scalar(value)


def leaf_type(value: Any, serial: int | None = None) -> LeafKind:
    """The type of one value, plain or staged.

    Args:
        value: The value.
        serial: A list with a higher serial number is made in the block, and is another after it.
    """
    if isinstance(value, MaybeBound):
        bound = leaf_type(value.value, serial)
        assert isinstance(bound, (ListObject, Static))
        return MaybeUnbound(bound)
    if is_reference(value):
        return RowOf(value.ag_table.number, value.ag_bound is not None)
    if isinstance(value, TracedList) and serial is not None and serial_of(value) > serial:
        contents = leaf_type(contents_of(value))
        assert isinstance(contents, (ListOf, TupleOf))
        return ListObject(contents, value.sites)
    if isinstance(value, Undefined):
        return value
    if isinstance(value, StagedNode):
        return NodeOf(value.ag_forest, value.ag_bound is not None)
    if type(value) is StagedUnion:
        return UnionOf(value.ag_alternatives, value.ag_bound is not None)
    if is_complex(value):
        return _complex_leaf(value)
    if isinstance(value, Tensor):
        return LeafType(value.dtype, value.sizes, value.kind, value.defined is not None)
    if is_python_scalar(value):
        dtype = {bool: "bool", int: "int64", float: "float64"}[type(value)]
        return LeafType(np.dtype(dtype), (), Kind.PYTHON)
    if isinstance(value, np.generic):
        return LeafType(value.dtype, (), Kind.SCALAR)
    if isinstance(value, np.ndarray):
        return LeafType(value.dtype, value.shape, Kind.ARRAY)
    if isinstance(value, StagedOptional):
        # A list in it is copied where it is joined, whenever it was made.
        inner = None if value.value is None else leaf_type(value.value, -1)
        assert isinstance(inner, (*INNER_OF_OPTIONAL, NoneType))
        return OptionalOf(inner, value.defined is not None)
    if isinstance(value, StagedElements):
        return ListOf(value.element, value.length, value.name)
    if isinstance(value, Elements):
        return TupleOf(Elements, tuple(leaf_type(element) for element in value), value)
    if isinstance(value, tuple) and (type(value) is tuple or hasattr(value, "_fields")):
        return TupleOf(type(value), tuple(leaf_type(element, serial) for element in value))
    return Static(value)


def _complex_leaf(value: Any) -> ComplexOf:
    if type(value) is complex:
        part = LeafType(np.dtype(float), (), Kind.PYTHON)
    elif isinstance(value, ComplexTensor):
        part = LeafType(value.real.dtype, value.sizes, value.kind, value.defined is not None)
    else:
        kind = Kind.ARRAY if isinstance(value, np.ndarray) else Kind.SCALAR
        part = LeafType(part_dtype(value.dtype), np.shape(value), kind)
    return ComplexOf(ComplexTensor, (part, part))


def same_static(left: Any, right: Any) -> bool:
    """Whether two plain values are the same for the program."""
    if left is right:
        return True
    return type(left) is type(right) and isinstance(left, (str, bytes, int, float, bool)) and left == right


def join(name: str, left: LeafKind, right: LeafKind, where: tuple[str, str]) -> LeafKind:
    """The type that holds both.

    Args:
        name: The user's variable, for messages.
        left: Type on one path.
        right: Type on the other.
        where: The two paths in words.

    Raises:
        StagingError: If there is none.
    """
    if isinstance(left, Undefined) and isinstance(right, Undefined):
        return left
    if isinstance(left, RaggedOf) or isinstance(right, RaggedOf):
        return ragged(join(name, array_type(left), array_type(right), where))  # type: ignore[no-any-return]
    of_lists = join_lists(name, left, right, where)
    if of_lists is not None:
        return of_lists
    if isinstance(left, NodeOf) or isinstance(right, NodeOf):
        of_nodes = _join_nodes(left, right)
        if of_nodes is not None:
            return of_nodes
    if isinstance(left, Undefined) and isinstance(right, (LeafType, UnionOf, OptionalOf)):
        return replace(right, may_be_unbound=True)
    if isinstance(right, Undefined) and isinstance(left, (LeafType, UnionOf, OptionalOf)):
        return replace(left, may_be_unbound=True)
    if any(isinstance(one, OptionalOf) or _is_none(one) for one in (left, right)):
        joined = _join_optionals(name, left, right, where)
        if joined is not None:
            return joined
    if isinstance(left, RowOf) or isinstance(right, RowOf):
        return join_rows(name, left, right, where)
    if isinstance(left, _NUMBERS) and isinstance(right, _NUMBERS):
        return _join_numbers(name, left, right, where)
    if isinstance(left, TupleOf) or isinstance(right, TupleOf):
        joined = _join_tuples(name, left, right, where)
        if joined is not None:
            return joined
    if isinstance(left, Static) and isinstance(right, Static) and same_static(left.value, right.value):
        return left
    rows = [as_rows(one) for one in (left, right)]
    begin_again()
    if any(isinstance(one, RowOf) for one in rows):
        return join(name, rows[0], rows[1], where)
    return refuse_join(name, left, right, where)


def refuse_join(name: str, left: LeafKind, right: LeafKind, where: tuple[str, str]) -> NoReturn:
    """There is no type that holds both."""
    search = require_trace().search
    if search is not None:
        search.joined(*[one.value if isinstance(one, Static) else one for one in (left, right)])
    raise staging_error(
        "AG131",
        f"{quoted(name)} is {_words(left)} {where[0]} and {_words(right)} {where[1]}",
        "give it a number or an array on both paths",
    )


def _join_nodes(left: LeafKind, right: LeafKind) -> NodeOf | None:
    """A node on one path, and a node, ``None`` or nothing on the other."""
    forest = left.forest if isinstance(left, NodeOf) else right.forest if isinstance(right, NodeOf) else None
    unbound = False
    for one in (left, right):
        if (isinstance(one, OptionalOf) and one.inner is None) or isinstance(one, NodeOf):
            unbound = unbound or one.may_be_unbound
        elif isinstance(one, Undefined):
            unbound = True
        elif not _is_none(one) and not (
            forest is not None and isinstance(one, Static) and forest.may_hold(one.value)
        ):
            return None
    return None if forest is None else NodeOf(forest, unbound)


def _join_optionals(name: str, left: LeafKind, right: LeafKind, where: tuple[str, str]) -> LeafKind | None:
    """``None`` on one path and a value on the other, or already one of the two on one of them."""
    parts: list[LeafKind] = []
    unbound = False
    for one in (left, right):
        if isinstance(one, OptionalOf):
            unbound = unbound or one.may_be_unbound
            parts += [] if one.inner is None else [one.inner]
        elif isinstance(one, Undefined):
            unbound = True
        elif not _is_none(one):
            parts.append(one)
    if not all(isinstance(part, INNER_OF_OPTIONAL) for part in parts):
        rows = [as_rows(part) for part in parts]
        begin_again()
        if not all(isinstance(part, RowOf) for part in rows):
            return None
        parts = rows
    if not parts:
        return OptionalOf(None, unbound) if unbound else left
    inner = parts[0] if len(parts) == 1 else join(name, parts[0], parts[1], where)
    if isinstance(inner, (LeafType, UnionOf, RowOf)) and inner.may_be_unbound:
        inner, unbound = replace(inner, may_be_unbound=False), True
    return OptionalOf(inner, unbound) if isinstance(inner, INNER_OF_OPTIONAL) else None


def _is_none(leaf: LeafKind) -> bool:
    return isinstance(leaf, Static) and leaf.value is None


def _join_tuples(name: str, left: LeafKind, right: LeafKind, where: tuple[str, str]) -> LeafKind | None:
    """Tuples element by element; one that may be unbound has elements that may be."""
    if isinstance(left, TupleOf) and isinstance(right, TupleOf):
        if left.like is not None and right.like is not None:
            _require_same_keys(left.like, right.like, where)
        if left.kind is not right.kind or len(left.parts) != len(right.parts):
            return None
        pairs = list(zip(left.parts, right.parts, strict=True))
    elif isinstance(left, TupleOf) and isinstance(right, Undefined):
        pairs = [(part, right) for part in left.parts]
    elif isinstance(right, TupleOf) and isinstance(left, Undefined):
        pairs = [(left, part) for part in right.parts]
    else:
        return None
    model = left if isinstance(left, TupleOf) else right
    assert isinstance(model, TupleOf)
    labels = model.labels(name)
    parts = tuple(join(n, one, two, where) for n, (one, two) in zip(labels, pairs, strict=True))
    return replace(model, parts=parts)


def _require_same_keys(left: Elements, right: Elements, where: tuple[str, str]) -> None:
    """What a container holds may depend on a staged test, but not how much."""
    if left.keys != right.keys:
        added = [key for key in right.keys or () if key not in (left.keys or ())]
        removed = [key for key in left.keys or () if key not in (right.keys or ())]
        if added:
            what = f"the key {added[0]!r} is in `{left.name}` only {where[1]}"
        elif removed:
            what = f"the key {removed[0]!r} is in `{left.name}` only {where[0]}"
        else:
            what = f"the keys of `{left.name}` have another order {where[1]} than {where[0]}"
        raise staging_error("AG121", what, "add the key before the staged statement, with a first value")
    if len(left) != len(right):
        raise staging_error(
            "AG121",
            f"`{left.name}` has {_count(left)} {where[0]} and {len(right)} {where[1]}",
            "keep the values in an array of the final size, and write to its items",
        )


def _count(elements: Elements) -> str:
    return "1 element" if len(elements) == 1 else f"{len(elements)} elements"


def quoted(name: str) -> str:
    """A variable in a message; the one that conversion holds the result in is not the user's."""
    return "the result" if name.startswith(("return_value", "the ")) else f"`{name}`"


def _words(leaf: LeafKind) -> str:
    if isinstance(leaf, Undefined):
        return "unbound"
    if isinstance(leaf, NodeOf):
        return f"a {leaf.forest}"
    if isinstance(leaf, ComplexOf):
        return f"a {leaf}"
    if isinstance(leaf, UnionOf):
        return str(leaf)
    if isinstance(leaf, TupleOf):
        return f"a tuple of {len(leaf.parts)}"
    if isinstance(leaf, MaybeUnbound):
        return "a list or unbound"
    if isinstance(leaf, (ListOf, ListObject)):
        return "a list"
    if isinstance(leaf, RaggedOf):
        return _words(leaf.inner)
    if isinstance(leaf, RowOf):
        return table_of(leaf.number).called().removesuffix(" in a list")
    if isinstance(leaf, OptionalOf):
        return "None" if leaf.inner is None else f"{_words(leaf.inner)} or None"
    if isinstance(leaf, Static):
        is_short = leaf.value is None or (isinstance(leaf.value, str) and len(leaf.value) < 20)
        return repr(leaf.value) if is_short else f"a {type_name(leaf.value)}"
    return f"a {leaf}" if leaf.kind is not Kind.PYTHON or leaf.dtype.kind != "i" else "an int"


_NUMBERS = (LeafType, ComplexOf, UnionOf)


def _join_numbers(
    name: str,
    left: LeafType | ComplexOf | UnionOf,
    right: LeafType | ComplexOf | UnionOf,
    where: tuple[str, str],
) -> LeafKind:
    """Numbers and arrays; two arrays have as many dimensions."""
    parts = [[real_part(one.leaf) for one in alternatives_of(leaf)] for leaf in (left, right)]
    shapes = [next((part.shape for part in one if part.shape), ()) for one in parts]
    if all(shapes) and len(shapes[0]) != len(shapes[1]):
        texts = [shape_text(shape) for shape in shapes]
        raise staging_error(
            "AG132",
            f"{quoted(name)} has shape {texts[0]} {where[0]} and {texts[1]} {where[1]}",
            "give it as many dimensions on both paths; their sizes may differ",
        )
    return join_alternatives(left, right)


def convert(value: Any, target: LeafKind, reads: Reads | None = None) -> list[int]:
    """The graph values of a variable's value on one path: each leaf, then its flag if it has one.

    Args:
        value: The value.
        target: The type to give it.
        reads: What its tensors were when the path ended, if that is not now.
    """
    if isinstance(target, MaybeUnbound):
        return convert_maybe_unbound(value, target, reads)
    if isinstance(target, ListObject):
        return convert(contents_of(value), target.contents, reads)
    if isinstance(target, ListOf):
        return convert_list(value, target, reads)
    if isinstance(target, UnionOf):
        return _convert_union(value, target, reads)
    if isinstance(target, TupleOf):
        parts = [value] * len(target.parts) if isinstance(value, Undefined) else value
        if isinstance(target, ComplexOf) and not isinstance(value, Undefined):
            parts = as_complex(value).parts
        pairs = zip(parts, target.parts, strict=True)
        return [one for part, kind in pairs for one in convert(part, kind, reads)]
    if isinstance(target, OptionalOf):
        return _convert_optional(value, target, reads)
    if isinstance(target, NodeOf):
        return _convert_node(value, target)
    if isinstance(target, RowOf):
        return convert_row(value, target)
    if isinstance(target, RaggedOf):
        return convert_ragged(convert(value, target.inner, reads)[0], target)
    if not isinstance(target, LeafType):
        return []
    if isinstance(value, Undefined):
        zero = constant(0, target.dtype)
        none = emit("broadcast", zero.read(), [size or 0 for size in target.shape])
        values = [of_sizes(none, target.shape), constant(False, "bool").read()]
        return values if target.may_be_unbound else values[:1]
    tensor = lift(value)
    known = (reads or {}).get(id(tensor))
    if isinstance(known, StagingError):
        raise known
    present = tensor.read() if known is None else known
    same = tensor.dtype == target.dtype
    converted = of_sizes(present if same else emit("cast", present, target.dtype.name), target.shape)
    if not target.may_be_unbound:
        return [converted]
    flag = constant(True, "bool") if tensor.defined is None else tensor.defined
    return [converted, flag.read()]


def _convert_union(value: Any, target: UnionOf, reads: Reads | None) -> list[int]:
    """Which alternative it is, the slots, and whether it is bound if it may not be."""
    which, contents = split_union(value, target)
    values = [which.read()]
    for content, slot in zip(contents, union_parts(target), strict=True):
        values += convert(content, slot, reads)
    if not target.may_be_unbound:
        return values
    if isinstance(value, Undefined):
        return [*values, constant(False, "bool").read()]
    flag = _flag_of(value)
    return [*values, (constant(True, "bool") if flag is None else flag).read()]


def _flag_of(value: Any) -> Tensor | None:
    """What says whether a value is bound; ``None`` of one that is."""
    if isinstance(value, (StagedNode, StagedUnion)):
        return value.ag_bound
    return value.defined if has_own(value, "defined") else None


def of_sizes(value: int, sizes: tuple[int | None, ...]) -> int:
    """A graph value as one of a type that says less about its sizes."""
    if None not in sizes or tuple(require_trace().builder.type_of(value)[1]) == sizes:
        return value
    return emit("with_shape", value, list(sizes))


def _convert_node(value: Any, target: NodeOf) -> list[int]:
    """The row, and whether the variable is bound if it may not be."""
    row = row_of(value, target.forest).read()
    if not target.may_be_unbound:
        return [row]
    flag = _flag_of(value)
    bound = constant(not isinstance(value, Undefined), "bool") if flag is None else flag
    return [row, bound.read()]


def _convert_optional(value: Any, target: OptionalOf, reads: Reads | None) -> list[int]:
    """Whether it is a value, the value, and whether it is bound if it may not be."""
    present = constant(True, "bool")
    flag = value.defined if isinstance(value, (Tensor, StagedOptional)) else None
    bound = constant(True, "bool") if flag is None else flag
    if value is None or isinstance(value, Undefined):
        bound = constant(value is None, "bool")
        present, value = constant(False, "bool"), Undefined("")
    elif isinstance(value, StagedOptional):
        present, value = value.present, Undefined("") if value.value is None else value.value
    values = [present.read()]
    values += [] if target.inner is None else convert(value, target.inner, reads)
    return [*values, bound.read()] if target.may_be_unbound else values


def graph_types(target: LeafKind) -> list[tuple[str, Any]]:
    """Dtypes and shapes of the graph values that :func:`convert` makes."""
    if isinstance(target, MaybeUnbound):
        return [*graph_types(target.inner), ("bool", [])]
    if isinstance(target, ListObject):
        return graph_types(target.contents)
    if isinstance(target, ListOf):
        return list_types(target.element)
    if isinstance(target, TupleOf):
        return [one for part in target.parts for one in graph_types(part)]
    if isinstance(target, UnionOf):
        slots = [one for slot in union_parts(target) for one in graph_types(slot)]
        return [INDEX, *slots, ("bool", [])] if target.may_be_unbound else [INDEX, *slots]
    if isinstance(target, (NodeOf, RowOf)):
        return [("int64", []), ("bool", [])] if target.may_be_unbound else [("int64", [])]
    if isinstance(target, RaggedOf):
        return ragged_types(target)
    if isinstance(target, OptionalOf):
        flag: list[tuple[str, list[int]]] = [("bool", [])]
        value_types = [] if target.inner is None else graph_types(target.inner)
        return [*flag, *value_types, *(flag if target.may_be_unbound else [])]
    if not isinstance(target, LeafType):
        return []
    value: tuple[str, Any] = (target.dtype.name, list(target.shape))
    return [value, ("bool", [])] if target.may_be_unbound else [value]


def restore(values: list[int], target: LeafKind, name: str, static: Any) -> Any:
    """The value of the graph values that :func:`convert` makes, which it takes off the list.

    Args:
        values: The graph values.
        target: The type.
        name: The user's variable.
        static: The value where the type has none of its own.
    """
    if isinstance(target, MaybeUnbound):
        bound = restore(values, target.inner, name, static)
        return MaybeBound(bound, wrap(values.pop(0), Kind.PYTHON), name)
    if isinstance(target, ListObject):
        return bound_list(restore(values, target.contents, name, static), name, target.sites)
    if isinstance(target, ListOf):
        return restored(values, target.element, target.length, target.name)
    if isinstance(target, TupleOf):
        return target.rebuild([restore(values, part, name, static) for part in target.parts])
    if isinstance(target, UnionOf):
        return _restored_union(values, target, name)
    if isinstance(target, OptionalOf):
        present = wrap(values.pop(0), Kind.PYTHON)
        value = None if target.inner is None else restore(values, target.inner, name, static)
        optional = StagedOptional(present, value, name)
        if target.may_be_unbound:
            optional.defined = wrap(values.pop(0), Kind.PYTHON)
        return optional
    if isinstance(target, NodeOf):
        bound_to = StagedNode(target.forest, wrap(values.pop(0), Kind.PYTHON), name)
        if target.may_be_unbound:
            object.__setattr__(bound_to, "ag_bound", wrap(values.pop(0), Kind.PYTHON))
        return bound_to
    if isinstance(target, RowOf):
        return restored_row(values, target, name)
    if isinstance(target, RaggedOf):
        return restored_ragged(values, target)
    if isinstance(target, Static):
        return target.value
    if not isinstance(target, LeafType):
        return static
    tensor = wrap(values.pop(0), target.kind)
    tensor.name = name
    tensor.recorder.builder.name(tensor.value_id, name)
    if target.may_be_unbound:
        tensor.defined = wrap(values.pop(0), Kind.PYTHON)
    return tensor


def _restored_union(values: list[int], target: UnionOf, name: str) -> StagedUnion:
    which = wrap(values.pop(0), Kind.PYTHON)
    slots = tuple(restore(values, slot, name, None) for slot in union_parts(target))
    union = StagedUnion(target.alternatives, which, slots, name)
    if target.may_be_unbound:
        union.ag_bound = wrap(values.pop(0), Kind.PYTHON)
    return union


def memories_in(value: Any) -> list[Memory]:
    """All that the arrays of a variable's value may refer to."""
    found: list[Memory] = []
    for leaf in leaves_of(value):
        if isinstance(leaf, Tensor) and leaf.kind is Kind.ARRAY:
            leaf.memory.add(leaf)
            found += memories_of(leaf)
        elif isinstance(leaf, np.ndarray):
            found.append(OUTSIDE)
        elif isinstance(leaf, StagedElements):
            found += [memory for memory, _ in leaf.shared]
        elif isinstance(leaf, TracedList) and not is_reference(leaf):
            found += memories_in(contents_of(leaf))
    return distinct(found)


def held_values(values: tuple[Any, ...]) -> AbstractContextManager[None]:
    """Within it a recording holds the values of a state, which the program may have replaced.

    What is in a tuple of the program's is held by the tuple, which others may hold as well.
    """
    parts = [part for value in values for part in (value if isinstance(value, Elements) else (value,))]
    return held([part for part in parts if isinstance(part, Tensor)])


def note_sharing(value: Any, memories: list[Memory], role: Role) -> None:
    """Notes for the arrays of a joined value which memories they may refer to."""
    for leaf in leaves_of(value):
        if isinstance(leaf, Tensor) and leaf.kind is Kind.ARRAY:
            leaf.may_share(memories, role)
        elif isinstance(leaf, StagedElements):
            leaf.may_share(memories)
        elif isinstance(leaf, TracedList) and not is_reference(leaf):
            note_sharing(contents_of(leaf), memories, role)
