"""Turns the arguments of a staged call into leaves; objects are flattened or, if walked, packed into tables.

At first all arguments are flattened, and a graph is for one shape of tree. If a trace meets a recursive call
with another node, or a loop that goes from node to node, it starts over with tables:

    total(tree)       leaves: the row of `tree`, then the arrays of the tables, then the nodes themselves
"""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable, Hashable
from typing import Any

import numpy as np

from autograph._src.signatures import argument_names, leaf_text
from autograph._src.staging.objects.columns import Arrays
from autograph._src.staging.objects.nodes import Forest
from autograph._src.staging.objects.nodes_of_call import Nodes
from autograph._src.staging.objects.search import MOST_UNROLLED, Reached
from autograph._src.staging.objects.shared_trees import SharedTree
from autograph._src.staging.objects.tables import Schema, Tables
from autograph._src.staging.objects.walk import Unfit
from autograph._src.staging.objects.written_places import Written
from autograph._src.staging.trace.facts import WalkedNodes
from autograph._src.staging.trace.given import objects_in, replaced
from autograph._src.trees import Rebuild, are_leaves, flatten
from autograph.errors import Location, StagingError

MOST_SHAPES = 4
"""The most shapes of flattened arguments; with more, they become tables even if no walk was seen."""


class Row:
    """A placeholder for a node among the arguments, until its leaf and row are known.

    Attributes:
        root: The number of the node among those of the arguments.
    """

    def __init__(self, root: int) -> None:
        self.root = root


class Flattened:
    """The arguments of a call.

    Attributes:
        leaves: The leaves.
        structure: The structure that the leaves fill, hashable: the cache key of the graph.
        given: The structure without the tables.
        rebuild: Makes the arguments from leaves; a row becomes a staged node.
        args: The positional arguments, with each node of a table as one leaf.
        kwargs: The named arguments, likewise.
        schema: The schema of the tables, if there are any.
        places: The indices of the leaves that are rows.
        sizes: The number of arrays of each column of the tables.
        known: The classes that are known to be walked.
        why_no_tables: Why objects of walked classes are flattened nevertheless, if they are.
        written: What the function is known to write outside; what is at these places are leaves, too.
        tree: The arguments and these values as a tree; ``None`` if nothing is known to be written.
    """

    def __init__(self, args: tuple[Any, ...], kwargs: dict[str, Any], written: Written | None = None) -> None:
        self.args = args
        self.kwargs = kwargs
        self.written = written
        self.tree: SharedTree | None = None
        self.schema: Schema | None = None
        self.places: list[int] = []
        self.sizes: list[int] = []
        self.known: frozenset[type] = frozenset()
        self.why_no_tables: StagingError | None = None
        self.leaves: list[Any] = []
        self.rebuild: Callable[[list[Any]], Any]
        if written is None:
            self.given, self.rebuild = flatten((args, kwargs), self.leaves)
        else:
            self.tree = SharedTree(written.places, written.is_log, written.tables, args, kwargs)
            self.leaves, self.rebuild = self.tree.leaves, self.tree.rebuild
            self.given = (self.tree.structure, tuple(place.identity() for place in written.places))
        self.structure = self.given

    def names(self, signature: inspect.Signature) -> list[str]:
        """The names of the leaves; the arrays of tables are named after their columns."""
        if self.tree is not None:
            return self.tree.paths_by(list(signature.parameters))
        names = argument_names(signature, self.args, self.kwargs)
        return names if self.schema is None else [*names, *self.schema.names(self.sizes), "nodes"]

    def identity(self) -> Hashable:
        """A key that is equal for two calls which differ only in the kinds of their leaves."""
        return self.structure if self.schema is None else self.given

    def texts(
        self, names: list[str], leaves: list[Any], inputs: frozenset[int]
    ) -> tuple[list[str], list[str]]:
        """A signature for display: the names of the leaves and a text for each; tables show their size."""
        texts = [leaf_text(leaf, place in inputs) for place, leaf in enumerate(leaves)]
        if self.schema is None:
            return names, texts
        count = len(leaves) - sum(self.sizes) - 1
        for place in self.places:
            texts[place] = str(self.schema)
        rows = leaves[count].shape[0] if self.sizes[0] else self.schema.rows(len(leaves[-1].objects))
        return [*names[:count], f"{self.schema} nodes"], [*texts[:count], f"up to {rows}"]


def _with_tables(args: tuple[Any, ...], kwargs: dict[str, Any], tables: Tables) -> Flattened | None:
    """The arguments with their nodes as rows of tables; ``None`` if there are no nodes among them."""
    roots: list[Any] = []
    plans = tables.plans

    def numbered(value: object) -> Row | None:
        if type(value) not in plans:
            return None
        roots.append(value)
        return Row(len(roots) - 1)

    if not kwargs and are_leaves(args, plans):  # The common case.
        given_args, given_kwargs = tuple([numbered(value) or value for value in args]), kwargs
    else:
        given_args, given_kwargs = replaced((args, kwargs), numbered)
    if not roots:
        return None
    schema, walk, arrays = tables.pack(roots)
    flat = Flattened(given_args, given_kwargs)
    places = [place for place, leaf in enumerate(flat.leaves) if type(leaf) is Row]
    count = len(flat.leaves)
    for place in places:
        flat.leaves[place] = np.int64(walk.row_of[id(roots[flat.leaves[place].root])])
    others = tuple(map(id, tables.others))
    flat.structure = (flat.given, schema, tuple(places), others)
    flat.schema, flat.places, flat.known = schema, places, frozenset(plans)
    flat.sizes = [len(column) for column in arrays]
    if others:
        arrays.append([np.array([walk.row_of[one] for one in others])])
        flat.sizes.append(1)
    flat.rebuild = _rebuild(flat, schema, places, count, tables.others[: len(others)])
    flat.leaves += [array for column in arrays for array in column]
    flat.leaves.append(Nodes(walk.nodes, [column.name for column in schema.columns]))
    return flat


def _rebuild(flat: Flattened, schema: Schema, places: list[int], count: int, others: list[Any]) -> Rebuild:
    """A function that makes the arguments from leaves, with a staged node for each row."""
    inner, sizes = flat.rebuild, flat.sizes

    def rebuild(leaves: list[Any]) -> Any:
        arrays, own = iter(leaves[count:-1]), leaves[:count]
        columns: list[Arrays] = [[next(arrays) for _ in range(size)] for size in sizes]
        rows_of_others = columns.pop()[0] if others else None
        forest = Forest(schema, columns, others, rows_of_others)
        for place in places:
            own[place] = forest.root(own[place])
        return inner(own)

    return rebuild


def with_given(
    leaves: list[Any], flat: Flattened, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> list[Any]:
    """The leaves of a call that may return objects of its arguments which are not nodes of a table."""
    if flat.tree is not None:
        return [*leaves, Nodes([], [], flat.tree.objects)]
    has_tables = flat.schema is not None
    objects = [*objects_in((args, kwargs), flat.known if has_tables else (), has_tables=has_tables)]
    if not has_tables:
        return [*leaves, Nodes([], [], objects)]
    return [*leaves[:-1], Nodes(leaves[-1].objects, leaves[-1].fields, objects)]


class RecordArguments:
    """Flattens the arguments of one staged function, and remembers which classes are packed into tables."""

    def __init__(self, name: str, where: Location | None) -> None:
        self._name = name
        self._where = where
        self._tables = Tables()
        self._unfit: dict[Hashable, StagingError] = {}
        self._unrolled: dict[Hashable, None] = {}
        self._shapes: dict[Hashable, None] = {}
        # The error of the flattened arguments and the classes, while these classes are tried as tables.
        self._tried: tuple[StagingError, set[type]] | None = None

    def flattened(
        self, args: tuple[Any, ...], kwargs: dict[str, Any], written: Written | None = None
    ) -> Flattened:
        """The arguments of a call, and what is at places that the function writes."""
        if written is not None:
            return Flattened(args, kwargs, written)
        why: StagingError | None = None
        if self._tables.plans:
            try:
                flat = _with_tables(args, kwargs, self._tables)
            except Unfit as unfit:
                why = self._unfit_error(unfit)
            else:
                why = None if flat is None else self._unfit.get(flat.structure)
                if flat is not None and why is None:
                    return flat
        try:
            flat = Flattened(args, kwargs)
        except RecursionError:
            if why is not None:
                raise why from None
            if not self._use_all_tables(Reached((args, kwargs))):
                raise
            return self.flattened(args, kwargs)
        flat.why_no_tables = why
        flat.known = frozenset(self._tables.plans)
        return flat

    def learn(self, walked: WalkedNodes) -> None:
        """Packs the objects that a trace has found to be walked into tables from now on."""
        self._tables.use(walked.kinds, walked.nodes)
        self._tables.others += [
            one for one in walked.others if not any(one is known for known in self._tables.others)
        ]

    def needs_tables(self, flat: Flattened, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
        """Whether flattened arguments have too many nodes or shapes, and become tables from now on.

        Raises:
            StagingError: If there are too many nodes, and they cannot be tables.
        """
        if flat.schema is not None or flat.tree is not None:
            return False
        reached = Reached((args, kwargs))
        if len(reached.nodes) > MOST_UNROLLED:
            if flat.why_no_tables is not None:
                raise flat.why_no_tables
            return self._use_all_tables(reached)
        if not reached.kinds or flat.why_no_tables is not None:
            return False
        self._shapes[flat.structure] = None
        return len(self._shapes) > MOST_SHAPES and self._use_all_tables(reached)

    def _use_all_tables(self, reached: Reached) -> bool:
        """Packs all classes whose objects hold each other into tables; gives whether any is new."""
        known = len(self._tables.plans)
        self._tables.use(reached.kinds, list(reached.nodes.values()))
        return len(self._tables.plans) > known

    def give_up(
        self, flat: Flattened, error: StagingError, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> None:
        """After a failed trace, switches these arguments from leaves to tables or back.

        Raises:
            StagingError: If both ways have failed.
        """
        if flat.tree is not None:
            raise error
        if flat.schema is not None:
            self._unfit[flat.structure] = error
            if self._tried:
                first, kinds = self._tried
                self._tried = None
                self._tables.forget(kinds)
                raise first
            return
        before = set(self._tables.plans)
        if flat.why_no_tables is not None or not self._use_all_tables(Reached((args, kwargs))):
            raise flat.why_no_tables or error
        self._tried = error, set(self._tables.plans) - before

    def note_success(self, flat: Flattened) -> None:
        """Warns if the program walks trees that cannot be tables, so that each shape needs its own trace."""
        self._tried = None
        why = flat.why_no_tables
        if why is None or flat.structure in self._unrolled:
            return
        self._unrolled[flat.structure] = None
        if len(self._unrolled) == 2:
            warnings.warn(
                f"{self._name} is retraced for each shape of the trees that it walks"
                f" ({why.message}{'' if why.location is None else f'; {why.location}'})",
                stacklevel=5,
            )

    def _unfit_error(self, unfit: Unfit) -> StagingError:
        return StagingError(
            f"the nodes among the arguments of `{self._name}` do not fit into one table: {unfit.reason}",
            code="AG105",
            location=self._where,
            help="give all nodes the same fields",
        )
