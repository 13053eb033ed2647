"""All kinds, in the order in which they are asked.

A kind decides about two before those that stand behind it: what may be ``None`` is joined as that, before
what it is otherwise is looked at. The last knows any value.
"""

from __future__ import annotations

from autograph.staging.kinds.complex_of import ComplexOf
from autograph.staging.kinds.leaf_kind import KINDS, LeafKind
from autograph.staging.kinds.leaf_type import LeafType
from autograph.staging.kinds.optional_of import OptionalOf
from autograph.staging.kinds.ragged_of import RaggedOf
from autograph.staging.kinds.static import Static
from autograph.staging.kinds.tuple_of import TupleOf
from autograph.staging.kinds.unbound import Unbound
from autograph.staging.kinds.union_of import UnionOf
from autograph.staging.lists.list_of import ListOf
from autograph.staging.objects.list_object import ListObject
from autograph.staging.objects.maybe_unbound import MaybeUnbound
from autograph.staging.objects.node_of import NodeOf
from autograph.staging.objects.row_of import RowOf

LIST_KINDS: tuple[type[LeafKind], ...] = (MaybeUnbound, ListObject, ListOf)
"""The kinds of lists and of what they hold."""

KINDS[:] = (
    RaggedOf,
    *LIST_KINDS,
    NodeOf,
    Unbound,
    OptionalOf,
    RowOf,
    UnionOf,
    ComplexOf,
    LeafType,
    TupleOf,
    Static,
)
