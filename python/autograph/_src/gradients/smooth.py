"""Which leaves of a result have derivatives, and the graph values that they consist of.

Floats have derivatives, also those that may be ``None``, complex numbers, and lists of floats. A tensor is
one graph value, a complex one two. A value that may be ``None`` consists of the graph values of the value. A
list whose length only the run knows is one graph list for each part of its elements. Tangents and cotangents
are trees like the result.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from autograph import _core
from autograph._src.backends.protocol import type_name
from autograph._src.dict_classes import DICT_CLASSES
from autograph._src.gradients.copies import own_value
from autograph._src.gradients.refusals import fit_refusal, refusal
from autograph._src.gradients.seeds import Seed
from autograph._src.staging.complex.complex_tensor import PART, as_complex, is_complex, made
from autograph._src.staging.kinds.optionals import StagedOptional
from autograph._src.staging.kinds.union_of import UnionOf
from autograph._src.staging.kinds.union_slots import slots_of
from autograph._src.staging.kinds.union_values import promoted
from autograph._src.staging.kinds.unions import StagedUnion, each
from autograph._src.staging.lists.grown_tuple import GrownTuple
from autograph._src.staging.lists.list_contents import StagedElements
from autograph._src.staging.lists.traced_list import StagedList, staged_list
from autograph._src.staging.narrow.narrow_tensor import is_narrow
from autograph._src.staging.tensors.lifting import constant, lift
from autograph._src.staging.tensors.parted import PartedTensor
from autograph._src.staging.tensors.tensor import Form, Tensor, emit, type_words
from autograph._src.staging.trace.active import require_trace
from autograph._src.staging.trace.record_classes import is_named_tuple
from autograph._src.staging.trace.references import is_reference
from autograph._src.trees import flatten
from autograph._src.variable import Variable


def promote_numbers(tree: object) -> None:
    """Gives numbers of several types in a result a version of one type, which has the derivative.

    `return x if x > 0 else 0` returns a float or an int. Its derivative is that of the float, and zero where
    the result is the int.
    """
    leaves: list[Any] = []
    flatten(tree, leaves)
    for leaf in leaves:
        if type(leaf) is StagedUnion:
            of_one_type(leaf)
        elif isinstance(leaf, StagedOptional):
            promote_numbers(leaf.value)


def of_one_type(value: StagedUnion) -> Tensor | None:
    """A union of numbers, or of arrays of one shape, with the dtype that NumPy promotes its types to."""
    if promoted(value) is None:
        parts = [one.leaf.part for one in value.ag_alternatives]
        are_alike = len({(part.form, part.shape) for part in parts}) == 1 and None not in parts[0].shape
        if are_alike and not any(one.leaf.is_complex for one in value.ag_alternatives):
            dtype = np.result_type(*(part.dtype for part in parts))
            made: Any = each(value, lambda one: lift(one).astype(dtype))
            value.ag_promoted = made
    return value.ag_promoted


def is_float(leaf: object) -> bool:
    """Whether a leaf is a single float graph value."""
    if isinstance(leaf, Tensor):
        return leaf.dtype.kind == "f" and not isinstance(leaf, PartedTensor)
    if isinstance(leaf, (np.generic, np.ndarray)):
        return leaf.dtype.kind == "f" and not is_narrow(leaf)
    return type(leaf) in (float, Seed) or isinstance(leaf, Variable)


def values_of(tree: object) -> list[int]:
    """The graph values in a result that have derivatives, in order."""
    leaves: list[Any] = []
    flatten(tree, leaves)
    return [value for leaf in leaves for value in _values_of_leaf(leaf)]


def _values_of_leaf(leaf: object) -> list[int]:
    if isinstance(leaf, StagedOptional):
        return values_of(leaf.value)
    if type(leaf) is StagedUnion:
        return _values_of_leaf(number_of(leaf))
    if is_reference(leaf) or (isinstance(leaf, StagedList) and type(leaf.current()) is not StagedElements):
        # `while …: return {"x": x}`: the fields of such an object are in tables, which have no tangents.
        raise refusal(
            "AG142",
            "the result holds an object, or a list of objects, that a staged loop or branch made or changed,"
            " and has no derivative",
            "return arrays, numbers, and tuples of them",
        )
    if type(leaf) is GrownTuple:
        raise refusal(
            "AG142",
            "the result holds a tuple whose length depends on data, which has no derivative",
            "return a list of the elements: `list(t)`",
        )
    if isinstance(leaf, StagedList):
        _require_one_type(leaf)
        return [value for value, is_smooth in _parts_of(leaf) if is_smooth]
    if is_complex(leaf):
        return [part.read() for part in as_complex(leaf).parts]
    return [lift(leaf).read()] if is_float(leaf) else []


def number_of(leaf: object) -> Any:
    """The one-type version of a value of several types; other leaves unchanged."""
    if type(leaf) is not StagedUnion:
        return leaf
    number = of_one_type(leaf)
    if number is None:
        raise refusal(
            "AG142",
            "the result is an array on some paths, and an array or number of another type on others",
            "give it one type on all paths",
        )
    return number


def _require_one_type(leaf: StagedList) -> None:
    """Refuses a list of values of several types, unless they are numbers of which one type is a float."""
    element = leaf.current().element
    if element.is_renumbered() and _float_slot(element) is None:
        raise refusal(
            "AG142",
            "the result holds a list of values of several types, which has no derivative",
            "put values of one type into it, only numbers or only arrays",
        )


def _float_slot(element: object) -> int | None:
    """The slot that holds the float of elements that are numbers of several types, or ``None``."""
    if not isinstance(element, UnionOf):
        return None
    slots, _ = slots_of(element.alternatives)
    is_plain = all(one.is_scalar() for one in slots)
    places = [place for place, one in enumerate(slots) if one.part.dtype.kind == "f"]
    return places[0] if is_plain and len(places) == 1 else None


def _parts_of(leaf: StagedList) -> list[tuple[int, bool]]:
    """The graph lists that a list consists of, and whether each holds floats."""
    if type(leaf.current()) is not StagedElements:
        return []  # The elements are objects: rows of tables.
    place = _float_slot(leaf.current().element)
    if place is not None:
        return [(leaf.current().read()[1 + place], True)]
    builder = require_trace().builder
    return [(value, _is_of_floats(builder.type_of(value))) for value in leaf.current().read()]


def _is_of_floats(kind: tuple[Any, ...]) -> bool:
    while kind[0] == "list":
        kind = kind[1]
    return kind[0] in ("float32", "float64")


def with_values(tree: object, values: Iterator[int]) -> object:
    """A tree like a result, made from other graph values; ``None`` for leaves without a derivative."""
    leaves: list[Any] = []
    _, rebuild = flatten(tree, leaves)
    return rebuild([_leaf_with(leaf, values) for leaf in leaves])


def _leaf_with(leaf: Any, values: Iterator[int]) -> object:
    if isinstance(leaf, StagedOptional):
        return StagedOptional(leaf.present, with_values(leaf.value, values), leaf.name)
    if type(leaf) is StagedUnion:
        return _of_its_type(leaf, _leaf_with(number_of(leaf), values))
    place = _float_slot(leaf.current().element) if isinstance(leaf, StagedList) else None
    if place is not None:
        # All tangents have the type of the float; the tangent of an int is zero.
        contents = leaf.current()
        slot = slots_of(contents.element.alternatives)[0][place].part
        element = replace(slot, form=Form.SCALAR)
        return staged_list(replace(contents, element=element, values=(next(values),), shared=()))
    if isinstance(leaf, StagedList) and _parts_of(leaf):
        # Parts without a derivative get zeros, so that the elements keep their structure.
        new = tuple(
            next(values) if is_smooth else emit("list_zeros", value) for value, is_smooth in _parts_of(leaf)
        )
        return staged_list(replace(leaf.current(), values=new, shared=()))
    if is_complex(leaf):
        form = as_complex(leaf).form
        return made(*(Tensor(require_trace(), next(values), form) for _ in range(2)))
    if is_float(leaf):
        # It may be the tangent that the caller has given.
        trace = require_trace()
        return Tensor(trace, own_value(trace, next(values)), lift(leaf).form)
    return None


def _of_its_type(value: StagedUnion, tangent: Any) -> object:
    """The tangent of a value of several types in the type that the value has, if each of them is a float."""
    if not all(one.leaf.part.dtype.kind == "f" for one in value.ag_alternatives):
        return tangent

    def converted(one: Any) -> Tensor:
        of = lift(one)
        return Tensor(of.ag_trace, tangent.astype(of.dtype).read(), of.form)

    return each(value, converted)


def fitted(name: str, word: str, given: object, like: object) -> list[int]:
    """The graph values of a tree of tangents or cotangents, in the order of :func:`values_of`.

    Raises:
        StagingError: If the trees, the shapes or the dtypes differ (AG144).
    """
    return [
        value
        for tangent, leaf, path in matched(name, word, given, like, "value")
        for value in _fitted_leaf(name, word, tangent, leaf, path)
    ]


def matched(name: str, word: str, given: Any, like: Any, path: str) -> list[tuple[Any, Any, str]]:
    """Triples of a part of ``given``, the leaf of ``like`` at the same place, and the leaf's name."""
    kind = like.__class__ if isinstance(like, list) else type(like)
    is_tree = not isinstance(like, StagedList) and flatten(like, [])[0] != "leaf"
    if not is_tree:
        return [(given, like, path)]
    if kind in (tuple, list) or is_named_tuple(kind):
        is_alike = isinstance(given, (tuple, list)) and not isinstance(given, StagedList)
        if not is_alike or len(given) != len(like):
            raise _other_tree(name, word, path)
        names = getattr(kind, "_fields", None) or range(len(like))
        paths = [f"{path}.{one}" if isinstance(one, str) else f"{path}[{one}]" for one in names]
        parts = zip(given, like, paths, strict=True)
    elif kind in DICT_CLASSES:
        if not isinstance(given, dict) or given.keys() != like.keys():
            raise _other_tree(name, word, path)
        parts = ((given[key], value, f"{path}[{key!r}]") for key, value in like.items())  # type: ignore[assignment]
    else:
        fields = [one.name for one in dataclasses.fields(like)]
        if not all(hasattr(given, one) for one in fields):
            raise _other_tree(name, word, path)
        parts = ((getattr(given, one), getattr(like, one), f"{path}.{one}") for one in fields)  # type: ignore[assignment]
    return [found for one, other, inner in parts for found in matched(name, word, one, other, inner)]


def _other_tree(name: str, word: str, path: str) -> Exception:
    return fit_refusal(
        word,
        f"the {word} of `{path}` given to {name} is another tree than its value",
        f"pass a {word} of the same structure: the same tuples, dicts and lists",
        is_shape=False,
    )


def _fitted_leaf(name: str, word: str, given: object, leaf: Any, path: str) -> list[int]:
    if type(leaf) is StagedUnion:
        number = number_of(leaf)
        if given is None and is_float(number):
            return [_core.zeros_like(require_trace().locate_in_graph(), number.read())]
        return _fitted_leaf(name, word, _converted(given, leaf, number), number, path)
    if isinstance(leaf, StagedOptional):
        if given is None:
            return [
                _core.zeros_like(require_trace().locate_in_graph(), value) for value in values_of(leaf.value)
            ]
        return fitted(name, word, given, leaf.value)
    if isinstance(leaf, StagedList):
        return _fitted_list(name, word, given, leaf, path) if values_of(leaf) else []
    if _holds_complex(leaf):
        real, imag = as_complex(_fitted_value(name, word, given, leaf, path)).parts
        # Parts pull back the real part of the cotangent times the value.
        return [real.read(), imag.read() if word == "tangent" else (-imag).read()]
    return [_fitted_value(name, word, given, leaf, path).read()] if is_float(leaf) else []


def _converted(given: Any, leaf: StagedUnion, number: Tensor) -> object:
    """A tangent or cotangent in the type of one alternative, in that of all."""
    given = number_of(given)
    dtypes = [one.leaf.part.dtype for one in leaf.ag_alternatives]
    return lift(given).astype(number.dtype) if is_float(given) and lift(given).dtype in dtypes else given


def _holds_complex(leaf: object) -> bool:
    return leaf.is_complex if type(leaf) is Seed else is_complex(leaf)


def _fitted_value(name: str, word: str, given: object, leaf: object, path: str) -> Tensor:
    of = leaf if type(leaf) is Seed else lift(leaf)
    if given is None and type(leaf) is Seed and leaf.accepts_none:
        return lift(leaf.zeros() if leaf.sizes else leaf.dtype.type(0))
    numbers = (float, int, np.generic, np.ndarray, Tensor, Variable)
    if not isinstance(given, (*numbers, complex) if _holds_complex(of) else numbers) or (
        is_complex(given) and not _holds_complex(of)
    ):
        kind = "complex number" if _holds_complex(of) else "float"
        what = "complex value" if is_complex(given) else type_name(given)
        message = f"the {word} of `{path}` given to {name} is a {what}, not a {kind}"
        raise fit_refusal(word, message, None, is_shape=False)
    tangent = lift(float(given) if type(given) is int else given)
    if tangent.dtype != of.dtype and tangent.form.value == "python":
        tangent = as_complex(tangent, PART[of.dtype]) if _holds_complex(of) else tangent.astype(of.dtype)
    if type(of) is Seed and tangent.dtype in of.dtypes:
        tangent = tangent.astype(of.dtype)
    agrees = len(tangent.sizes) == len(of.sizes) and all(
        one == other or None in (one, other) for one, other in zip(tangent.sizes, of.sizes, strict=True)
    )
    if tangent.dtype != of.dtype or not agrees:
        raise fit_refusal(
            word,
            f"the {word} of `{path}` given to {name} is {type_words(tangent)},"
            f" and the value {of.words if isinstance(of, Seed) else type_words(of)}",
            f"a {word} has the shape and the dtype of its value",
            is_shape=tangent.dtype == of.dtype or name == "linearize",
        )
    return tangent


def _fitted_list(name: str, word: str, given: object, leaf: StagedList, path: str) -> list[int]:
    """One graph list for each part of the elements; a run fails if the lengths differ."""
    if isinstance(given, StagedList):
        values = values_of(given)
    elif isinstance(given, (list, tuple)):
        values = _lists_of(name, word, given, leaf, path)
    else:
        raise _other_tree(name, word, path)
    length, wanted = (emit("list_length", one) for one in (values[0], values_of(leaf)[0]))
    message = f"the {word} of `{path}` given to {name} is a list of another length"
    emit("check", emit("binary", "equal", length, wanted), "ValueError", message)
    return values


def _lists_of(name: str, word: str, given: Any, leaf: StagedList, path: str) -> list[int]:
    """The graph lists of the floats in the elements of a plain list."""
    parts = _parts_of(leaf)
    columns: list[list[int]] = [[] for _ in parts]
    is_of_numbers = _float_slot(leaf.current().element) is not None
    for number, element in enumerate(given):
        if element is None and is_of_numbers:  # The tangent of an int.
            dtype = require_trace().builder.type_of(parts[0][0])[1][0]
            columns[0].append(constant(0.0, dtype).read())
            continue
        leaves: list[Any] = []
        flatten(element, leaves)
        if len(leaves) != len(parts):
            raise _other_tree(name, word, f"{path}[{number}]")
        for column, (_, is_smooth), one in zip(columns, parts, leaves, strict=True):
            if is_smooth:
                column.append(lift(one).read())
    builder = require_trace().builder
    return [
        emit("list_make", builder.type_of(value)[1], column)
        for (value, is_smooth), column in zip(parts, columns, strict=True)
        if is_smooth
    ]
