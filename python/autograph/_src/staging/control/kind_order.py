"""All kinds, in the order in which :func:`kind_of` and :func:`join` try them.

The first kind that answers decides, so order matters: ``ChoiceOf`` joins constants with ``None`` and unbound
variables, which the kinds after it would take for values of their own, and ``OptionalOf`` joins a value that
may be ``None`` before the kind of the value itself is tried. The last kind accepts any value.
"""

from __future__ import annotations

from autograph._src.staging.kinds.choice_of import ChoiceOf
from autograph._src.staging.kinds.complex_of import ComplexOf
from autograph._src.staging.kinds.foreign_of import ForeignOf
from autograph._src.staging.kinds.narrow_of import NarrowOf
from autograph._src.staging.kinds.optional_of import OptionalOf
from autograph._src.staging.kinds.ragged_of import RaggedOf
from autograph._src.staging.kinds.static import Static
from autograph._src.staging.kinds.string_of import StringOf, TakenOf
from autograph._src.staging.kinds.tensor_of import TensorOf
from autograph._src.staging.kinds.tuple_of import TupleOf
from autograph._src.staging.kinds.unbound import Unbound
from autograph._src.staging.kinds.union_of import UnionOf
from autograph._src.staging.kinds.value_kind import KINDS, ValueKind
from autograph._src.staging.kinds.wide_of import WideOf
from autograph._src.staging.lists.grown_string_of import GrownStringOf
from autograph._src.staging.lists.grown_tuple_of import GrownTupleOf
from autograph._src.staging.lists.list_of import ListOf
from autograph._src.staging.objects.exception_of import ExceptionOf
from autograph._src.staging.objects.list_object import ListObject
from autograph._src.staging.objects.maybe_unbound import MaybeUnbound
from autograph._src.staging.objects.node_of import NodeOf
from autograph._src.staging.objects.record_object import RecordObject
from autograph._src.staging.objects.row_of import RowOf

LIST_KINDS: tuple[type[ValueKind], ...] = (MaybeUnbound, ListObject, ListOf)
"""The kinds of lists and of their contents."""

KINDS[:] = (
    RaggedOf,
    *LIST_KINDS,
    RecordObject,
    NodeOf,
    TakenOf,
    StringOf,
    ExceptionOf,
    ChoiceOf,
    GrownStringOf,
    GrownTupleOf,
    Unbound,
    OptionalOf,
    ForeignOf,
    RowOf,
    WideOf,
    UnionOf,
    ComplexOf,
    NarrowOf,
    TensorOf,
    TupleOf,
    Static,
)
