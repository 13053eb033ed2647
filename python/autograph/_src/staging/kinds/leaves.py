"""The leaves of a variable's value: its tensors and plain values, without tuples and wrappers.

    ((x, 1), z or None)     x, 1, the flag that says whether `z` is present, z

Journal, branches and loops use them to find the tensors that a variable holds.
"""

from __future__ import annotations

from typing import Any

from autograph._src.own_attributes import has_own
from autograph._src.staging.kinds.choices import StagedChoice
from autograph._src.staging.kinds.maybe_bound import MaybeBound
from autograph._src.staging.kinds.optionals import StagedOptional
from autograph._src.staging.kinds.unions import StagedUnion
from autograph._src.staging.tensors.parted import PartedTensor
from autograph._src.staging.tensors.staged_strings import StagedString
from autograph._src.staging.tensors.tensor import Tensor
from autograph._src.staging.trace.active import current_trace
from autograph._src.staging.trace.exception_parts import parts_of


def leaves_of(value: Any) -> list[Any]:
    """The leaves of a value.

    Tuples give the leaves of their elements, complex and narrow values their parts, optionals their flag and
    value, and unions their tag and slots. An exception is a leaf beside what it holds. Any other value is its
    own leaf.
    """
    # `issubclass` is faster than `isinstance` here: staged values redefine `__class__`.
    kind = type(value)
    if issubclass(kind, PartedTensor):
        return list(value.parts)
    if issubclass(kind, Tensor):
        return [value]
    if issubclass(kind, MaybeBound):
        return [value.defined, *leaves_of(value.value)]
    if issubclass(kind, tuple):
        return [leaf for element in value for leaf in leaves_of(element)]
    if issubclass(kind, StagedOptional):
        return [value.present, *leaves_of(value.value)]
    if issubclass(kind, StagedUnion):
        return [leaf for one in value.ag_values() for leaf in leaves_of(one)]
    if has_own(value, "ag_elements"):  # A tuple whose length depends on data.
        return [value.ag_elements]
    if issubclass(kind, StagedString):
        return [leaf for one in value.parts if not isinstance(one, str) for leaf in leaves_of(one[0])]
    if issubclass(kind, StagedChoice):
        return [value.ag_code, *(leaf for one in value.ag_held.values() for leaf in leaves_of(one))]
    if issubclass(kind, BaseException):
        args, state = parts_of(value)
        trace = current_trace()
        number = None if trace is None else trace.objects.errors.number_of(value)
        own = [value] if number is None else [value, number]
        return [*own, *(leaf for one in (*args, *state.values()) for leaf in leaves_of(one))]
    return [value]
