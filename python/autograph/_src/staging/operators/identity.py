"""``is`` of staged values: equality for bools, row numbers for objects; otherwise known while tracing."""

from __future__ import annotations

from autograph._src.staging.complex.complex_tensor import is_complex
from autograph._src.staging.kinds.choices import StagedChoice
from autograph._src.staging.kinds.optionals import StagedOptional
from autograph._src.staging.kinds.unions import StagedUnion
from autograph._src.staging.lists.traced_list import TracedList
from autograph._src.staging.objects.named_values import NamedValue
from autograph._src.staging.objects.node_sequences import NodeSequence
from autograph._src.staging.objects.nodes import StagedNode, is_same_node
from autograph._src.staging.objects.object_lists import ListReference
from autograph._src.staging.operators.truth_only import TruthOnly
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.python_scalars import both, compare, either, negate
from autograph._src.staging.tensors.staged_strings import StagedString
from autograph._src.staging.tensors.tensor import Form, Tensor, plain_class
from autograph._src.staging.trace.active import require_trace, staging_error
from autograph._src.staging.trace.references import is_reference


def identical(left: object, right: object) -> object:
    """``left is right``, with at least one staged operand.

    Raises:
        StagingError: If the answer depends on data or on how Python caches numbers (AG120).
    """
    if left is right:
        return True
    for one, other in ((left, right), (right, left)):
        if isinstance(one, StagedString) and (type(other) is str or isinstance(other, StagedString)):
            raise staging_error("AG120", "whether two strings are one object is not known", "use `==`")
        if type(one) is StagedChoice:
            return one.ag_is_same(other)
        if type(one) is StagedUnion:
            return _of_union(one, other)
        if isinstance(one, TruthOnly):
            one.refuse()
        if isinstance(one, NodeSequence) and other is None:
            return one.is_none()
        if isinstance(one, NamedValue):
            return one.is_same(other)
        if isinstance(one, StagedNode):
            return is_same_node(one, other)
        if isinstance(one, StagedOptional):
            return _of_optional(one, other)
        if isinstance(other, StagedOptional) and (is_reference(one) or isinstance(one, TracedList)):
            return _of_optional(other, one)
        if isinstance(one, ListReference) or (is_reference(one) and not isinstance(one, TracedList)):
            return one.is_same(other)
        if isinstance(one, TracedList):
            return one.is_same(other)
    classes = [plain_class(value) if isinstance(value, Tensor) else type(value) for value in (left, right)]
    if classes[0] is not classes[1] and not (is_complex(left) and is_complex(right)):
        return False
    if classes[0] is bool:
        return compare("equal", lift(left), right)
    arrays = [value for value in (left, right) if isinstance(value, Tensor) and value.form is Form.ARRAY]
    if len(arrays) == 2 and not any(array.shared for array in arrays) and not _are_from_before_call(arrays):
        return False
    raise staging_error(
        "AG120", f"whether two values are one and the same {classes[0].__name__} is not known", "use `==`"
    )


def _are_from_before_call(arrays: list[Tensor]) -> bool:
    """Whether arrays existed before the call of a function of the graph, so that they may be the same."""
    blocks = reversed(require_trace().journal.blocks)
    function = next((block for block in blocks if block.parameters is not None), None)
    return function is not None and all(array.serial <= function.serial for array in arrays)


def _of_union(value: StagedUnion, other: object) -> bool:
    """``value is other`` of a union: false for ``None``, refused for anything else."""
    if other is None:
        return False
    raise staging_error("AG120", "`is` of a value of several types", "use `==`")


def _of_optional(value: StagedOptional, other: object) -> object:
    if other is None:
        return negate(value.present)
    if isinstance(other, StagedOptional) and is_reference(value.value) and is_reference(other.value):
        neither = both(negate(value.present), negate(other.present))
        same = identical(value.value, other.value)
        return either(neither, both(both(value.present, other.present), lift(same)))
    if isinstance(other, StagedOptional):
        raise staging_error("AG120", "`is` of two values that may be None", "test each with `is None`")
    same = identical(value.value, other)
    return both(value.present, lift(same)) if same is not False else False
