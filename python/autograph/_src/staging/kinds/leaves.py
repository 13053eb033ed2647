"""The leaves of a variable's value: the tensors that it is made of, and what is none.

((x, 1), None or z)     x, 1, the flag of what may be `None`, z
"""

from __future__ import annotations

from typing import Any

from autograph._src.staging.complex.complex_tensor import ComplexTensor
from autograph._src.staging.kinds.maybe_bound import MaybeBound
from autograph._src.staging.kinds.optionals import StagedOptional
from autograph._src.staging.kinds.unions import StagedUnion
from autograph._src.staging.tensors.tensor import Tensor


def leaves_of(value: Any) -> list[Any]:
    """The elements of tuples, the parts of complex values, what may be ``None``, or the value."""
    # To ask a tensor with `isinstance` takes longer: it stands for a value of another class.
    kind = type(value)
    if issubclass(kind, ComplexTensor):
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
    return [value]
