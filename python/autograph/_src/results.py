"""Recipes that make the leaves of a staged call's result: from graph outputs, arguments or constants."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import numpy as np

from autograph import _core
from autograph._src.articles import with_article
from autograph._src.backends.protocol import backend_among, backend_of
from autograph._src.numpy.creation.random import StagedGenerator
from autograph._src.result_trees import ResultTree, is_unchanging
from autograph._src.staging.complex.complex_tensor import ComplexTensor, plain_complex
from autograph._src.staging.control.run_templates import Template, attributes_of, holds_staged
from autograph._src.staging.keyed.callers_sets import refuse_rows
from autograph._src.staging.keyed.keyed import Keyed
from autograph._src.staging.kinds.choices import StagedChoice
from autograph._src.staging.kinds.maybe_bound import MaybeBound
from autograph._src.staging.kinds.optionals import StagedOptional
from autograph._src.staging.kinds.static import Static
from autograph._src.staging.kinds.unions import StagedUnion
from autograph._src.staging.kinds.value_kind import ValueKind, kind_of
from autograph._src.staging.lists.grown_tuple import GrownTuple
from autograph._src.staging.lists.list_contents import StagedElements
from autograph._src.staging.lists.traced_list import StagedList
from autograph._src.staging.narrow.narrow_tensor import NarrowTensor, plain_narrow
from autograph._src.staging.objects.interned import Interned
from autograph._src.staging.objects.named_values import NamedValue
from autograph._src.staging.objects.nodes import StagedNode
from autograph._src.staging.objects.nodes_of_call import Nodes
from autograph._src.staging.objects.object_results import StoredTables, leaving
from autograph._src.staging.operators.truth_only import TruthOnly
from autograph._src.staging.tensors.memory import Role, is_view
from autograph._src.staging.tensors.parted import PartedTensor
from autograph._src.staging.tensors.plain_values import object_at, plain_value
from autograph._src.staging.tensors.staged_strings import StagedString
from autograph._src.staging.tensors.tensor import Form, Tensor
from autograph._src.staging.tensors.views import is_alias
from autograph._src.staging.trace.active import require_trace
from autograph._src.staging.trace.given import Given
from autograph._src.staging.trace.recorder import Value
from autograph._src.staging.trace.references import is_reference
from autograph._src.staging.trace.restarts import learn_objects
from autograph._src.staging.trace.statements import contents_differ
from autograph._src.staging.trace.trace import Trace
from autograph._src.staging.wide.wide_int import WideInt, plain_wide
from autograph._src.trees import Rebuild, flatten
from autograph._src.variable import Variable
from autograph.errors import Location, StagingError

OUTPUT_WORDS = {"array": Form.ARRAY, "scalar": Form.SCALAR, "python": Form.PYTHON}
"""The Rust dispatcher's words for what a graph output becomes: an array, a NumPy scalar, a Python number."""

TURNED_WORD = "turned array"
"""Its word for an output whose axes the result has in another order."""

COMPLEX_WORDS = {"complex array": Form.ARRAY, "complex scalar": Form.SCALAR, "complex python": Form.PYTHON}
"""Its words for what two outputs become, a real and an imaginary part."""


class Recipe:
    """How to make one leaf of the result: from a graph output, from an argument, or as a constant."""

    outputs: tuple[int, ...] = ()
    """The graph values that the leaf is made from."""

    def __init__(
        self, form: Form | None, rank: int, argument: int | None, constant: Any, is_copied: bool = False
    ) -> None:
        self._kind = form
        self._rank = rank
        self._argument = argument
        self._constant = constant
        self._is_copied = is_copied

    def fast(self) -> tuple[str, Any] | None:
        """This recipe for the Rust dispatcher: a word and its operand; ``None`` if it needs Python."""
        if self._argument is not None:
            return "argument", self._argument
        if self._kind is None:
            return None if self._is_copied else ("constant", self._constant)
        return next(word for word, kind in OUTPUT_WORDS.items() if kind is self._kind), None

    def value(self, outputs: Any, arguments: list[Any]) -> Any:
        """The leaf."""
        if self._argument is not None:
            return arguments[self._argument]
        if self._kind is None:
            return self._constant.copy() if self._is_copied else self._constant
        array = next(outputs)
        return plain_value(self._kind, array if self._rank else array.reshape(()))


def _skip(recipe: Recipe, outputs: Iterator[Any]) -> None:
    """Passes over the outputs of a leaf that the run did not choose, which are no values of its kind."""
    for _ in recipe.outputs:
        next(outputs)


class ViewRecipe(Recipe):
    """How to make a leaf that is a view of an argument or of another leaf, by NumPy's own view operations."""

    def __init__(self, argument: int | None, leaf: int, steps: list[_core.ViewStep]) -> None:
        super().__init__(Form.ARRAY, 1, None, None)
        self._of_argument = argument
        self._of_leaf = leaf
        self._steps = steps

    def fast(self) -> None:
        """Always ``None``: only Python can make this leaf."""
        return

    def value(self, outputs: object, arguments: list[Any]) -> Any:
        """A placeholder: :meth:`view` makes the array after all other leaves."""
        return None

    def view(self, values: list[Any], arguments: list[Any]) -> object:
        """The view of the argument or leaf; that leaf is never a view itself."""
        base = values[self._of_leaf] if self._of_argument is None else arguments[self._of_argument]
        array = base[...]
        for word, numbers, sizes, steps in self._steps:
            if word == "slice":
                array = array[tuple(map(_slice, numbers, sizes, steps))]
            else:
                array = array.reshape(numbers) if word == "reshape" else array.transpose(numbers)
        return array


class TurnedRecipe(Recipe):
    """How to make a leaf that is a graph output with its axes in another order: a view, as in NumPy."""

    def __init__(self, output: int, axes: list[int]) -> None:
        super().__init__(Form.ARRAY, len(axes), None, None)
        self.outputs = (output,)
        self._axes = tuple(axes)

    def fast(self) -> tuple[str, Any]:
        """This recipe for the Rust dispatcher."""
        return TURNED_WORD, self._axes

    def value(self, outputs: Any, arguments: list[Any]) -> Any:
        """The array."""
        return next(outputs).transpose(self._axes)


def _holds_staged_attribute(leaf: object) -> bool:
    """Whether a number or a text, which no run makes anew, has a staged value: ``Fraction(int(n))``."""
    if isinstance(leaf, (type, ModuleType, np.ufunc)) or not is_unchanging(leaf):
        return False
    return any(holds_staged(one, ()) for one in attributes_of(leaf).values())


def _has_plain_bounds(part: slice) -> bool:
    """Whether the bounds of a slice are plain immutable values; Python also allows lists there."""
    bounds = (part.start, part.stop, part.step)
    return backend_among(bounds) is None and all(map(is_unchanging, bounds))


def _slice(start: int, size: int, step: int) -> slice:
    end = start + size * step
    return slice(start, None if end < 0 else end, step)


class ComplexRecipe(Recipe):
    """How to make a complex leaf from two real outputs."""

    def __init__(self, outputs: tuple[int, ...], form: Form, rank: int) -> None:
        self.outputs = outputs
        self._of = form
        self._rank = rank

    def fast(self) -> tuple[str, Any]:
        """This recipe for the Rust dispatcher."""
        return next(word for word, kind in COMPLEX_WORDS.items() if kind is self._of), None

    def value(self, outputs: Any, arguments: list[Any]) -> Any:
        """The array or number."""
        parts = [next(outputs) for _ in range(2)]
        return plain_complex(self._of, *(one if self._rank else one.reshape(()) for one in parts))


class NarrowRecipe(Recipe):
    """How to make a leaf of a dtype that the graph does not have, from the output that holds it."""

    def __init__(self, output: int, leaf: NarrowTensor) -> None:
        self.outputs = (output,)
        self._of = leaf.form
        self._dtype = leaf.dtype
        self._is_number = not leaf.sizes

    def fast(self) -> None:
        """Always ``None``: only Python can make this leaf."""
        return

    def value(self, outputs: Any, arguments: list[Any]) -> Any:
        """The array or number."""
        array = next(outputs)
        return plain_narrow(self._of, array.reshape(()) if self._is_number else array, self._dtype)


class WideRecipe(Recipe):
    """How to make a Python int of 64 bits without a sign, from the int64 that holds its bits."""

    def __init__(self, output: int) -> None:
        self.outputs = (output,)

    def fast(self) -> None:
        """Always ``None``: only Python can make this leaf."""
        return

    def value(self, outputs: Any, arguments: list[Any]) -> Any:
        """The int."""
        return plain_wide(next(outputs).item())


class OptionalRecipe(Recipe):
    """How to make a leaf that may be ``None``, from a flag and the leaves of the value."""

    def __init__(self, present: int, parts: list[Recipe], rebuild: Rebuild) -> None:
        self.outputs = (present, *(value for part in parts for value in part.outputs))
        self._parts = parts
        self._rebuild = rebuild

    def fast(self) -> None:
        """Always ``None``: only Python can make this leaf."""
        return

    def value(self, outputs: Any, arguments: list[Any]) -> Any:
        """``None``, or the value."""
        if bool(next(outputs).reshape(())[()]):
            return self._rebuild([part.value(outputs, arguments) for part in self._parts])
        for part in self._parts:
            _skip(part, outputs)
        return None


class UnionRecipe(Recipe):
    """How to make a leaf of one of several types, from the number of its type and one leaf for each type."""

    def __init__(self, which: int, ways: list[Recipe]) -> None:
        self.outputs = (which, *(value for way in ways for value in way.outputs))
        self._ways = ways

    def fast(self) -> None:
        """Always ``None``: only Python can make this leaf."""
        return

    def value(self, outputs: Any, arguments: list[Any]) -> Any:
        """The number or array."""
        which = int(next(outputs).reshape(())[()])
        return [way.value(outputs, arguments) for way in self._ways][which]


class ChoiceRecipe(Recipe):
    """How to make a leaf that is one of a few constants, or a value of the run, from its code."""

    def __init__(self, code: int, ways: dict[int, Recipe]) -> None:
        self.outputs = (code, *(value for way in ways.values() for value in way.outputs))
        self._ways = ways

    def fast(self) -> None:
        """Always ``None``: only Python can make this leaf."""
        return

    def value(self, outputs: Any, arguments: list[Any]) -> Any:
        """The constant or value."""
        code, found = int(next(outputs).reshape(())[()]), None
        for one, way in self._ways.items():
            if one == code:
                found = way.value(outputs, arguments)
            else:
                _skip(way, outputs)
        return found


class StringRecipe(Recipe):
    """How to make a string of the run, from the arrays of all that it is made of."""

    def __init__(self, operands: list[Value], read: Callable[[list[Any]], Any]) -> None:
        self.outputs = tuple(operands)
        self._are_scalars = [not require_trace().builder.type_of(one)[1] for one in operands]
        self._read = read

    def fast(self) -> None:
        """Always ``None``: only Python can make this leaf."""
        return

    def value(self, outputs: Any, arguments: list[Any]) -> Any:
        """The string."""
        return self._read([next(outputs).reshape(()) if one else next(outputs) for one in self._are_scalars])


class ListRecipe(Recipe):
    """How to make a list whose length only the run knows, from one array for each leaf of its elements."""

    def __init__(self, contents: StagedElements) -> None:
        refuse_rows(contents.element)
        self.outputs = tuple(part for one in contents.read() for part in leaving(one))
        self._element = contents.element

    def fast(self) -> None:
        """Always ``None``: only Python can make this leaf."""
        return

    def value(self, outputs: Any, arguments: list[Any]) -> list[Any]:
        """The list."""
        nodes = arguments[-1] if arguments and isinstance(arguments[-1], Nodes) else None
        return self._element.plain(outputs, nodes)


class TupleRecipe(ListRecipe):
    """How to make a tuple whose length only the run knows."""

    def value(self, outputs: Any, arguments: list[Any]) -> Any:
        """The tuple."""
        return tuple(super().value(outputs, arguments))


class RowRecipe(Recipe):
    """How to make a list or object that the graph holds as a row of a table."""

    def __init__(self, number: int, row: int) -> None:
        self.outputs = (row,)
        self._number = number

    def fast(self) -> None:
        """Always ``None``: only Python can make this leaf."""
        return

    def value(self, outputs: Any, arguments: list[Any]) -> Any:
        """The object."""
        return object_at(outputs.objects[self._number], int(next(outputs).reshape(())[()]))


class KeyedRecipe(Recipe):
    """How to make a dict, set or deque whose lists are rows of tables: each place of it gives one object."""

    def __init__(self, value: Keyed) -> None:
        self._element = kind_of(value)
        self.outputs = tuple(self._element.pack(value))

    def fast(self) -> None:
        """Always ``None``: only Python can make this leaf."""
        return

    def value(self, outputs: Any, arguments: list[Any]) -> Any:
        """The dict, set or deque."""
        columns = outputs.part([next(outputs).reshape((1,)) for _ in self.outputs])
        return self._element.plain(columns)[0]


class ExceptionRecipe(Recipe):
    """How to make an exception of the run, which is one object wherever the result holds it."""

    def __init__(self, kind: ValueKind, values: list[Value]) -> None:
        self.outputs = tuple(values)
        self._kind_of_error = kind

    def fast(self) -> None:
        """Always ``None``: only Python can make this leaf."""
        return

    def value(self, outputs: Any, arguments: list[Any]) -> Any:
        """The exception."""
        columns = outputs.part([next(outputs).reshape((1,)) for _ in self.outputs])
        return self._kind_of_error.plain(columns)[0]


class NodeRecipe(Recipe):
    """How to return a node of an argument: the row's number selects the caller's object."""

    def __init__(self, row: int) -> None:
        self.outputs = (row,)

    def fast(self) -> None:
        """Always ``None``: only Python can make this leaf."""
        return

    def value(self, outputs: Any, arguments: list[Any]) -> Any:
        """The object, found among the nodes, which are the last argument."""
        return arguments[-1].at(int(next(outputs).reshape(())[()]))


class NamedRecipe(Recipe):
    """How to return a string that the graph holds as a number."""

    def __init__(self, number: int, interned: Interned) -> None:
        self.outputs = (number,)
        self._interned = interned

    def fast(self) -> None:
        """Always ``None``: only Python can make this leaf."""
        return

    def value(self, outputs: Any, arguments: list[Any]) -> Any:
        """The string."""
        return self._interned.value(int(next(outputs).reshape(())[()]))


class GivenRecipe(Recipe):
    """How to return an object that the caller passed."""

    def __init__(self, number: int) -> None:
        self._number = number

    def fast(self) -> None:
        """Always ``None``: only Python can make this leaf."""
        return

    def value(self, outputs: object, arguments: list[Any]) -> Any:
        """The object."""
        return arguments[-1].given[self._number]


def _identity_of(tensor: Tensor) -> int | tuple[tuple[int, ...], np.dtype[Any]]:
    """The graph value of a tensor; of one with parts, theirs and the dtype, which may share a part."""
    if isinstance(tensor, PartedTensor):
        return tuple(part.value_id for part in tensor.parts), tensor.dtype
    return tensor.value_id


def _is_array(value: object) -> bool:
    return isinstance(value, Tensor) and value.form is Form.ARRAY and not isinstance(value, PartedTensor)


class Returned:
    """Decides how each leaf of the result is made."""

    def __init__(
        self, inputs: list[tuple[int, Tensor]], trace: Trace, where: Location | None, tree: ResultTree
    ) -> None:
        self._trace = trace
        self._tree = tree
        self._tables: list[int] = []
        self._where = where
        self._objects = {id(tensor): position for position, tensor in inputs}
        self._arrays = [tensor for _, tensor in inputs if _is_array(tensor)]
        # The kind is part of the key: `float(x)` of a NumPy scalar `x` is the same graph value, but another
        # object.
        self._values = {
            (_identity_of(tensor), tensor.form): position for position, tensor in inputs if not tensor.version
        }

    def recipes(self, leaves: list[Any]) -> list[Recipe]:
        """The recipe of each leaf."""
        leaves = [one._array() if _is_array(one) and is_alias(one) else one for one in leaves]
        tensors = [one for one in leaves if _is_array(one)]
        return [self._view(leaf, leaves, tensors) or self.recipe(leaf) for leaf in leaves]

    def _view(self, leaf: Any, leaves: list[Any], arrays: list[Tensor]) -> ViewRecipe | None:
        """The recipe of a leaf that is known to be a view of an argument or another leaf, else ``None``."""
        if not _is_array(leaf) or leaf.role is not Role.VIEW:
            return None
        value, seen = self._read(leaf), [memory for memory, _ in leaf.shared]
        bases = {
            one.value_id: one
            for one in [*arrays, *self._arrays]
            if one is not leaf and one.role is Role.OWNER and any(one.memory is memory for memory in seen)
        }
        # `x[:]` records nothing: it is the very value of `x`, and a view without steps.
        found = (value, []) if value in bases else self._trace.builder.view_steps(value, list(bases))
        if found is None:
            return None
        base = bases[found[0]]
        place = next((place for place, one in enumerate(leaves) if one is base), 0)
        return ViewRecipe(self._objects.get(id(base)), place, found[1])

    def recipe(self, leaf: Any) -> Recipe:
        """The recipe of one leaf: an argument comes back as the same object, a new value is made."""
        if isinstance(leaf, ComplexTensor):
            return self._complex(leaf)
        if isinstance(leaf, NarrowTensor):
            return self._narrow(leaf)
        if isinstance(leaf, WideInt):
            return WideRecipe(self._read(leaf.whole()))
        if isinstance(leaf, Tensor):
            if is_alias(leaf):
                leaf = leaf._array()
            value = self._read(leaf)
            argument = self._objects.get(id(leaf), self._values.get((value, leaf.form)))
            if is_view(leaf):
                argument = None
            # The array of which this is a view is nobody's: it is the memory of the view.
            is_turned = argument is None and leaf.role is Role.VIEW
            turned = self._trace.builder.turned(value) if is_turned else None
            if turned is not None:
                return TurnedRecipe(*turned)
            recipe = Recipe(leaf.form, leaf.ndim, argument, None)
            recipe.outputs = (value,) if argument is None else ()
            return recipe
        if type(leaf) is Given:
            return GivenRecipe(leaf.number)
        if isinstance(leaf, NamedValue):
            return NamedRecipe(self._read(leaf.number), leaf.interned)
        if isinstance(leaf, StagedNode):
            return NodeRecipe(self._read(leaf.ag_row))
        if isinstance(leaf, StagedOptional):
            return self._optional(leaf)
        if type(leaf) is StagedUnion:
            ways = [self.recipe(leaf.ag_at(place)) for place in range(len(leaf.ag_alternatives))]
            return UnionRecipe(self._read(leaf.ag_tag), ways)
        if type(leaf) is StagedChoice:
            entries = enumerate(leaf.ag_entries)
            of_codes = {one.code: self.recipe(leaf.ag_at(place)) for place, one in entries}
            return ChoiceRecipe(self._read(leaf.ag_code), of_codes)
        if is_reference(leaf):
            self._tables.append(leaf.ag_table.number)
            return RowRecipe(leaf.ag_table.number, self._read(leaf.ag_row))
        if isinstance(leaf, Keyed):
            self._tables += kind_of(leaf).tables()
            return KeyedRecipe(leaf)
        if isinstance(leaf, (StagedList, GrownTuple)):
            return self._list(leaf)
        if isinstance(leaf, StagedGenerator) and id(leaf.stream) in self._objects:
            return Recipe(None, 0, self._objects[id(leaf.stream)], None)
        if isinstance(leaf, np.ndarray) and holds_staged(leaf, ()):
            raise self._refusal(
                "AG105", "the result is an array of staged objects", "put numbers or arrays into it"
            )
        if isinstance(leaf, (np.ndarray, set, bytearray)):
            return Recipe(None, 0, None, leaf, is_copied=self._tree.is_made(leaf))
        if isinstance(leaf, StagedString):
            template = Template()
            read = template.reader(leaf)
            return StringRecipe(template.operands, read)
        if isinstance(leaf, MaybeBound):  # Its container exists only where it is bound.
            return self.recipe(leaf.value)
        if isinstance(leaf, Variable):
            return Recipe(None, 0, None, leaf)
        if isinstance(leaf, TruthOnly):
            raise self._refusal(
                "AG131",
                "the result is of one type or of another, depending on a staged `and` or `or`",
                "give both sides one type: `bool(n) and x > 2`",
            )
        if backend_of(leaf) is not None:
            raise self._refusal(
                "AG120", f"a staged {leaf.kind} cannot be returned", "return an array or a list"
            )
        if isinstance(leaf, slice) and not _has_plain_bounds(leaf):
            raise self._refusal(
                "AG120",
                "a slice of staged bounds, or of containers, cannot be returned",
                "return its bounds: `s.start`",
            )
        if isinstance(leaf, BaseException) and self._trace.journal.was_created(leaf):
            return self._exception(leaf)
        is_class = isinstance(leaf, type) and not is_unchanging(leaf) and self._tree.is_made(leaf)
        is_made = is_class or (self._trace.journal.was_created(leaf) and not is_unchanging(leaf))
        if is_made or hasattr(type(leaf), "__next__"):
            contents_differ(leaf)  # Record again with a set, counter or deque as a table, likewise.
            learn_objects(Static(leaf))  # Record again with the object as a table row, which can be returned.
            what = "class" if is_class else type(leaf).__name__
            raise self._refusal(
                "AG120",
                f"{with_article(what)} that is made while tracing cannot be returned",
                "return numbers, arrays, tuples, lists, dicts or dataclasses of them",
            )
        if _holds_staged_attribute(leaf):
            raise self._refusal(
                "AG120",
                f"{with_article(type(leaf).__name__)} with a staged value in it cannot be returned",
                "return numbers, arrays, tuples, lists, dicts or dataclasses of them",
            )
        if not is_unchanging(leaf) and self._tree.is_made(leaf):
            raise self._refusal(
                "AG120",
                f"{with_article(type(leaf).__name__)} that unconverted code made while tracing cannot be"
                " returned: all calls would share it",
                "return numbers, arrays, tuples, lists, dicts or dataclasses of them, and make it outside",
            )
        return Recipe(None, 0, None, leaf)

    def stored(self) -> StoredTables:
        """How to make the table objects that the leaves refer to; call it after all leaves are decided."""
        try:
            return StoredTables(self._tables)
        except StagingError as error:  # An array in a table object was written after it was stored.
            error.location = self._where
            raise

    def _complex(self, leaf: ComplexTensor) -> Recipe:
        outputs = tuple(self._read(part) for part in leaf.parts)
        argument = self._objects.get(id(leaf))
        if argument is None and leaf.form is not Form.ARRAY:
            argument = self._values.get((_identity_of(leaf), leaf.form))
        if argument is not None and not is_view(leaf):
            return Recipe(leaf.form, leaf.ndim, argument, None)
        return ComplexRecipe(outputs, leaf.form, leaf.ndim)

    def _narrow(self, leaf: NarrowTensor) -> Recipe:
        value = self._read(leaf.part)
        argument = self._objects.get(id(leaf))
        if argument is None and leaf.form is not Form.ARRAY:
            argument = self._values.get((_identity_of(leaf), leaf.form))
        if argument is not None and not is_view(leaf):
            return Recipe(leaf.form, leaf.ndim, argument, None)
        return NarrowRecipe(value, leaf)

    def _optional(self, leaf: StagedOptional) -> OptionalRecipe:
        values: list[Any] = []
        _, rebuild = flatten(leaf.value, values)
        return OptionalRecipe(self._read(leaf.present), [self.recipe(value) for value in values], rebuild)

    def _exception(self, leaf: BaseException) -> Recipe:
        kind = Static(leaf).as_rows()
        if kind.way() is not None:
            return ExceptionRecipe(kind, kind.pack(leaf))
        raise self._refusal(
            "AG120",
            f"{with_article(leaf.__class__.__name__)} that holds an array, a container or an object cannot be"
            " returned",
            "give it numbers and texts, or return `e.args`",
        )

    def _list(self, leaf: StagedList | GrownTuple) -> ListRecipe:
        try:
            contents = leaf.ag_elements if isinstance(leaf, GrownTuple) else leaf.current()
            self._tables += contents.element.tables()
            return TupleRecipe(contents) if isinstance(leaf, GrownTuple) else ListRecipe(contents)
        except StagingError as error:
            error.location = self._where
            raise

    def _read(self, leaf: Tensor) -> int:
        try:
            return leaf.read()
        except StagingError as error:
            error.location = self._where
            raise

    def _refusal(self, code: str, message: str, help: str) -> StagingError:
        return StagingError(message, code=code, location=self._where, help=help)
