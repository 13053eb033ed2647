"""The lists that a program makes while it is traced.

    path = []                  # a plain list, until a staged statement decides its contents
    while n != 1:              # staged
        path.append(n)         # from here on a list of the graph
        n = n // 2

The object keeps its identity, so two names see one list. Its class changes with its contents: a
:class:`TracedList` stores its elements, a :class:`StagedList` stores graph lists, and is an empty list to C
code that bypasses its methods.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, SupportsIndex

import numpy as np

from autograph._src.backends.protocol import backend_of
from autograph._src.operators.calls import backend_inside, converted_call
from autograph._src.operators.identity import not_
from autograph._src.operators.impurity import refuse_outside_iterator
from autograph._src.operators.places import Contents, Elements
from autograph._src.staging.kinds.declared_elements import DeclaredElements
from autograph._src.staging.kinds.tensor_of import TensorOf
from autograph._src.staging.lists import list_order, list_searches
from autograph._src.staging.lists.list_changes import around, inserted, popped, sliced
from autograph._src.staging.lists.list_contents import StagedElements, element_type, staged_contents
from autograph._src.staging.lists.list_identity import Choice, SharedList, follow_contents
from autograph._src.staging.lists.list_indices import COUNTS, bounds_of, inside
from autograph._src.staging.lists.list_operands import (
    is_plain,
    is_product_of_scalar,
    is_staged_factor,
    not_added,
    reflected_sum,
    refuse_factor,
    refuse_reflected_factor,
    repeated_by_scalar,
)
from autograph._src.staging.lists.list_refusals import WithoutElements, refuse_as_target, refuse_deep_copy
from autograph._src.staging.lists.sharing import HoldsArrays, memories_in, note_sharing
from autograph._src.staging.lists.unpacking import require_count
from autograph._src.staging.tensors.current_lists import require_current
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.memory import Memory, Role, Shared
from autograph._src.staging.tensors.positions import as_index
from autograph._src.staging.tensors.python_scalars import compare
from autograph._src.staging.tensors.tensor import Tensor
from autograph._src.staging.trace.active import current_trace, require_trace, staging_error
from autograph._src.staging.trace.frames import user_frame
from autograph._src.staging.trace.lookers import is_looking, looked_at
from autograph._src.staging.trace.object_sites import Site, site_here
from autograph._src.staging.trace.references import is_reference
from autograph._src.staging.trace.restarts import learn_operators
from autograph._src.staging.trace.running_operator import is_in_place, unpacked_count
from autograph._src.staging.trace.statements import array_of, new_list, sorted_values, stage_each
from autograph._src.staging.trace.trace import Trace

_set_class: Callable[[Any, type], None] = vars(object)["__class__"].__set__


def _operand(value: object) -> object:
    """An operand for NumPy: a list with staged elements becomes a staged array."""
    if type(value) is not TracedList:
        return value
    require_current(value)
    elements = list.copy(value)
    return elements if backend_inside(elements) is None else lift(elements)


_WALKED = "in converted code `len(xs)`, `for x in xs`, `[*xs, x]` and `(*xs, x)` are staged, `f(*xs)` is not"
"""The remedy where Python asks for the elements of a list of which only the run knows the length."""


class TracedList(SharedList, HoldsArrays):
    """A list that was made in a trace; it stores its elements.

    Attributes:
        contents: The staged contents, if the list has become staged.
        declared: The element type that the program declared, if any.
    """

    __slots__ = ("contents", "declared")

    def __init__(self, values: Elements | list[Any] | tuple[Any, ...] = ()) -> None:
        list.__init__(self, values)
        trace = current_trace()
        self.memory = Memory(trace.journal.next_serial() if trace is not None else 0)
        self.shared: Shared = ()
        self.role = Role.OWNER
        self.contents: StagedElements | None = None
        self.declared: DeclaredElements | None = None
        self.name: str | None = None
        self.sites: tuple[Site, ...] = ()
        self.choice: Choice | None = None
        self.log: Callable[[], None] | None = None

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        """``list``, so that the program sees a list."""
        return list

    # What the journal reads and writes

    def read_contents(self, name: str) -> Elements | StagedElements:
        """The contents of the list, as a value."""
        self.require_current()
        return self.held_contents(name)

    def held_contents(self, name: str) -> Elements | StagedElements:
        """As :meth:`read_contents`, for the journal: of a list that is only appended to, what was added."""
        self.require_last()
        if self.contents is not None:
            return self.contents
        made = Elements.of(list.copy(self), name)
        made.can_grow = True
        return made

    def ag_memories(self) -> list[Memory]:
        """The memories of the arrays in it; none of a row, whose table has them."""
        return [] if is_reference(self) else memories_in(self.read_contents(self.called()))

    def ag_note_sharing(self, memories: list[Memory], role: Role, serial: int) -> None:
        """Notes which memories the arrays in it may refer to, if they were made after a serial number."""
        if not is_reference(self):
            note_sharing(self.read_contents(self.called()), memories, role, serial)

    def write_contents(self, value: Sequence[Any] | StagedElements) -> None:
        """Replaces the contents; the class changes to match."""
        if isinstance(value, StagedElements):
            if self.declared is not None:
                self.declared.check(value.element, self.called())
            list.clear(self)
            self.contents = value.taken()
            _set_class(self, StagedList)
        else:
            self.contents = None
            _set_class(self, TracedList)
            list.clear(self)
            list.extend(self, value)

    # Becoming staged

    def staged(self, element: Any = None) -> StagedElements:
        """The contents as staged contents."""
        self.require_current()
        return self._grown(element)

    def _grown(self, element: Any = None) -> StagedElements:
        """As :meth:`staged`, to add elements at the end."""
        self.require_last()
        if self.contents is not None:
            return self.contents
        if element is None and self.declared is not None:
            element = self.declared.element()
        return staged_contents(list.copy(self), self.called(), element)

    def declare(self, elements: DeclaredElements) -> None:
        """Notes the element type that the program declares."""
        self.declared = elements
        if self.contents is not None:
            elements.check(self.contents.element, self.called())

    def become(self, contents: StagedElements) -> None:
        """Tells the journal, and replaces the contents."""
        self.will_change()
        self.write_contents(contents)

    def _grow(self, contents: StagedElements) -> None:
        """As :meth:`become`, with more elements at the end."""
        self.will_grow()
        self.write_contents(contents)

    # Methods that may make it staged

    def append(self, value: object, /) -> None:
        """``list.append``."""
        self.will_grow()
        list.append(self, value)

    def extend(self, values: Any, /) -> None:
        """``list.extend``; extending by a staged list makes the list staged."""
        if isinstance(values, StagedList):
            mine = self._grown(values.current().element)
            self._grow(mine.followed_by(values.current()))
        elif not self._grow_by(values):
            refuse_outside_iterator(values)
            added = list(values)
            self.will_grow()
            list.extend(self, added)

    def _grow_by(self, values: object) -> bool:
        """Appends the items of a staged iterable whose number depends on data; gives whether it did."""
        return stage_each(values, self.append, only_unknown=True)

    def insert(self, index: SupportsIndex, value: object, /) -> None:
        """``list.insert``; a staged index makes the list staged."""
        self.will_change()
        if backend_of(index) is None:
            list.insert(self, index, value)
        else:
            self.write_contents(inserted(self.staged(element_type(value)), index, value))

    def pop(self, index: SupportsIndex = -1, /) -> Any:
        """``list.pop``; a staged index makes the list staged."""
        self.will_change()
        if backend_of(index) is None:
            return list.pop(self, index)
        if not list.__len__(self):
            as_index(index, COUNTS)
            return list.pop(self)
        rest, value = popped(self.staged(), index)
        self.will_change()  # What follows the check of the index may be a block of its own.
        self.write_contents(rest)
        return value

    def remove(self, value: object, /) -> None:
        """``list.remove``; staged elements make the list staged."""
        self.will_change()
        if is_plain(value) and all(map(is_plain, list.copy(self))):
            list.remove(self, value)
        else:
            self._remove_staged(value)

    def _remove_staged(self, value: object) -> None:
        if not list.__len__(self) and self.contents is None:
            raise ValueError("list.remove(x): x not in list")
        contents = self.staged()
        position = list_searches.position_of(contents, value, "remove")
        self.will_change()
        self.write_contents(contents.without(position))

    def index(self, value: Any, /, *bounds: Any) -> Any:
        """``list.index``; the result is staged if elements are, or the bounds."""
        self.require_current()
        if all(map(is_plain, (value, *bounds, *list.copy(self)))) and self.contents is None:
            return list.index(self, value, *bounds)
        if not list.__len__(self) and self.contents is None:
            return list.index(self, value)
        return list_searches.position_within(self.staged(), value, bounds, [].index)

    def count(self, value: Any, /) -> Any:
        """``list.count``; the result is staged if elements are."""
        self.require_current()
        if is_plain(value) and all(map(is_plain, list.copy(self))) and self.contents is None:
            return list.count(self, value)
        if not list.__len__(self) and self.contents is None:
            return 0
        return list_searches.count_of(self.staged(), value)

    def clear(self) -> None:
        """``list.clear``."""
        self.will_change()
        list.clear(self)

    def reverse(self) -> None:
        """``list.reverse``."""
        self.will_change()
        list.reverse(self)

    def sort(self, *, key: Callable[..., Any] | None = None, reverse: Any = False) -> None:
        """``list.sort``, by way of ``sorted``."""
        ordered = sorted_values(self, key, reverse)
        self.will_change()
        self.write_contents(ordered.current() if isinstance(ordered, StagedList) else list(ordered))

    def copy(self) -> Any:
        """``list.copy``."""
        self.require_current()
        return made_list(list.copy(self))

    # Operators

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: object, **options: object) -> Any:
        refuse_as_target(method, inputs, options.get("out"))
        if is_product_of_scalar(ufunc, inputs):
            return repeated_by_scalar(*inputs)
        return getattr(ufunc, method)(*map(_operand, inputs), **options)

    def __iadd__(self, other: object) -> Any:
        summed = reflected_sum(self, other)
        if summed is not NotImplemented:
            return summed
        self.extend(other)
        return self

    def __add__(self, other: object) -> Any:
        if not isinstance(other, list):
            return not_added(other)
        require_current(self)
        require_current(other)
        if isinstance(other, StagedList):
            return staged_list(self.staged(other.current().element).followed_by(other.current()))
        return made_list(list.__add__(self, other))

    def __radd__(self, other: object) -> Any:
        if not isinstance(other, list):
            return NotImplemented
        if is_in_place():
            require_trace().journal.will_write(Contents(other))
            raise staging_error(
                "AG122",
                "a write to `list` of an object that outlives the call would happen only while tracing",
                "make a list of its own first: `xs = list(xs)`",
            )
        return made_list(list.copy(other)) + self

    def __mul__(self, count: object) -> Any:
        self.require_current()
        if isinstance(count, (int, np.integer)):
            return made_list(list.__mul__(self, count))
        if is_staged_factor(count):
            return staged_list(list_searches.repeated(self.staged(), count)) if self else made_list([])
        return refuse_factor(count)

    def __rmul__(self, count: object) -> Any:
        is_factor = isinstance(count, (int, np.integer)) or is_staged_factor(count)
        return self.__mul__(count) if is_factor else refuse_reflected_factor(count)

    def __imul__(self, count: object) -> Any:
        product = self.__mul__(count)
        if product is NotImplemented:  # The factor is an array, whose operator multiplies the elements.
            return product
        self.will_change()
        self.write_contents(product.read_contents(self.called()))
        return self

    def __len__(self) -> int:
        self.require_current()
        return list.__len__(self)

    def __contains__(self, item: object) -> bool:
        self.require_current()
        return list.__contains__(self, item)

    def __eq__(self, other: object) -> Any:
        return self._compared(list.__eq__, other)

    def __lt__(self, other: object) -> Any:
        return self._compared(list.__lt__, other)

    def __le__(self, other: object) -> Any:
        return self._compared(list.__le__, other)

    def __gt__(self, other: object) -> Any:
        return self._compared(list.__gt__, other)

    def __ge__(self, other: object) -> Any:
        return self._compared(list.__ge__, other)

    def _compared(self, operation: Callable[[Any, Any], Any], other: object) -> object:
        require_current(self)
        require_current(other)
        if isinstance(other, list) and len(other) == len(self) and any(map(_is_staged, (*self, *other))):
            asking = user_frame()
            if asking is not None:
                learn_operators(asking)
        return operation(self, other)

    __hash__ = None  # type: ignore[assignment]

    def __getitem__(self, index: Any) -> Any:
        self.require_current()
        found = list.__getitem__(self, index)
        return made_list(found) if isinstance(index, slice) else found

    def __iter__(self) -> Iterator[Any]:
        position = 0
        # An index, not an iterator: the loop body may make the list staged or change it.
        while position < len(self):
            yield self[position]
            position += 1

    def __reversed__(self) -> Iterator[Any]:
        position = len(self) - 1
        while 0 <= position < len(self):
            yield self[position]
            position -= 1

    def __copy__(self) -> Any:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        import copy

        made = made_list([])
        memo[id(self)] = made
        for value in self:
            list.append(made, copy.deepcopy(value, memo))
        return made

    def __repr__(self) -> str:
        if not is_looking():
            self.require_current()
        return list.__repr__(self)

    def __reduce_ex__(self, protocol: SupportsIndex) -> Any:
        return (list, (list.copy(self),))

    # Items at staged indices; converted code calls these

    def staged_item(self, index: object) -> Any:
        """``xs[index]``, with a staged index or bounds, or of a staged list."""
        contents = self.staged()
        if not isinstance(index, slice):
            return contents.at(inside(contents, index))
        bounds = bounds_of(contents, index)
        return staged_list(sliced(contents, bounds))

    def set_staged_item(self, index: object, value: Any) -> None:
        """``xs[index] = value``, with a staged index or bounds, or of a staged list."""
        if not isinstance(index, slice):
            if self.contents is None and not list.__len__(self):
                as_index(index)
                raise IndexError("list assignment index out of range")
            contents = self.staged(element_type(value))
            position = inside(contents, index, "list assignment index out of range")
            self.become(contents.replaced(position, value))
            return
        added = value
        if not isinstance(value, TracedList):
            added = scratch_list()
            added.extend(value)
        if index == slice(None) and added.contents is not None:
            self.become(added.staged())  # What it held is gone, and its type with it.
            return
        contents = self.staged(None if added.contents is None else added.current().element)
        head, tail = around(contents, index)
        if list.__len__(added) or added.contents is not None:
            head = head.followed_by(added.staged(contents.element))
        self.become(head.followed_by(tail))

    def delete_staged_item(self, index: object) -> None:
        """``del xs[index]``, with a staged index or bounds, or of a staged list."""
        contents = self.staged()
        if isinstance(index, slice):
            head, tail = around(contents, index)
            self.become(head.followed_by(tail))
        else:
            position = inside(contents, index, "list assignment index out of range")
            self.become(contents.without(position))


def _list_in_words(values: StagedList) -> str:
    """Its type for a debugger: ``list of float64 scalars``, as far as that is known."""
    element = getattr(values.contents, "element", None)
    return "list" if element is None else f"list, each {element.in_words()}"


@looked_at(lambda values: _list_in_words(values), lambda _: None, lambda values: values.name)
class StagedList(list_order.Ordered, WithoutElements, TracedList):
    """A list whose elements or length only the run knows."""

    ag_type_name = "list"

    __slots__ = ()

    def current(self) -> StagedElements:
        """The present contents."""
        self.require_current()
        return self._last()

    def _last(self) -> StagedElements:
        """As :meth:`current`, to add elements at the end."""
        self.require_last()
        assert self.contents is not None
        return self.contents

    def length(self) -> int | Tensor:
        """``len(xs)``."""
        return self.current().count()

    def ag_truth(self) -> Tensor:
        """``bool(xs)``."""
        return compare("greater", lift(self.length()), 0)

    def stacked(self, dtype: np.dtype[Any] | None = None) -> Tensor:
        """The elements as one array, for NumPy; each converted to a dtype, if there is one."""
        return array_of(self.current(), dtype)  # type: ignore[no-any-return]

    def indices(self) -> Tensor:
        """The elements as one index array, which is of integers if there are none, or as one mask."""
        element, dtype = self.current().element, None
        if isinstance(element, TensorOf) and not element.shape and element.dtype.kind in "biu":
            dtype = element.dtype if element.dtype.kind == "b" else np.dtype(np.int64)
        return self.stacked(dtype)

    def append(self, value: object, /) -> None:
        """``list.append``."""
        self._grow(self._last().appended(value))

    def extend(self, values: Any, /) -> None:
        """``list.extend``."""
        if isinstance(values, StagedList):
            self._grow(self._last().followed_by(values.current()))
        elif not stage_each(values, self.append):
            refuse_outside_iterator(values)
            for value in list(values):
                self.append(value)

    def insert(self, index: object, value: object, /) -> None:
        """``list.insert``."""
        self.become(inserted(self.current(), index, value))

    def pop(self, index: object = -1, /) -> Any:
        """``list.pop``."""
        self.will_change()
        rest, value = popped(self.current(), index)
        self.will_change()
        self.write_contents(rest)
        return value

    def remove(self, value: object, /) -> None:
        """``list.remove``."""
        self.will_change()
        self._remove_staged(value)

    def clear(self) -> None:
        """``list.clear``."""
        self.become(self.current().emptied())

    def reverse(self) -> None:
        """``list.reverse``."""
        self.become(self.current().reversed())

    def sort(self, *, key: Any = None, reverse: Any = False) -> None:
        """``list.sort``, of a list of known length."""
        ordered = converted_call(sorted, self, key=key, reverse=reverse)
        self.become(ordered.staged(self.current().element))

    def copy(self) -> Any:
        """``list.copy``."""
        return staged_list(self.current())

    def __deepcopy__(self, memo: dict[int, Any]) -> TracedList:
        contents = self.current().taken()
        refuse_deep_copy(contents.element, "a list")
        return staged_list(replace(contents, shared=()))

    def __add__(self, other: object) -> Any:
        if not isinstance(other, list):
            return not_added(other)
        return staged_list(self._followed_by(other))

    def _followed_by(self, other: list[Any]) -> StagedElements:
        mine = self.current()
        if isinstance(other, StagedList):
            return mine.followed_by(other.current())
        require_current(other)
        values = list.copy(other)
        return mine.followed_by(staged_contents(values, self.called(), mine.element)) if values else mine

    def __mul__(self, count: object) -> Any:
        if isinstance(count, (int, np.integer)) or is_staged_factor(count):
            return staged_list(list_searches.repeated(self.current(), count))
        return refuse_factor(count)

    def __rmul__(self, count: object) -> Any:
        is_factor = isinstance(count, (int, np.integer)) or is_staged_factor(count)
        return self.__mul__(count) if is_factor else refuse_reflected_factor(count)

    def __iter__(self) -> Iterator[Any]:
        count = unpacked_count()
        if count is None or not isinstance(self.length(), Tensor):
            return self._elements()
        require_count(lift(self.length()), count)
        contents = self.current()
        return iter([contents.at(lift(position)) for position in range(count)])

    def _elements(self) -> Iterator[Any]:
        position = 0
        while position < len(self):
            yield self[position]
            position += 1

    def __getitem__(self, index: object) -> Any:
        return self.staged_item(index)

    def __setitem__(self, index: object, value: object) -> None:
        self.set_staged_item(index, value)

    def __delitem__(self, index: object) -> None:
        self.delete_staged_item(index)

    def __len__(self) -> int:
        length = self.length()
        if isinstance(length, Tensor):
            self._refuse("length depends", _WALKED)
        return length  # type: ignore[return-value]

    def __bool__(self) -> bool:
        return len(self) > 0

    def __eq__(self, other: object) -> Any:
        return list_searches.equal(self, other) if isinstance(other, list) else NotImplemented

    def __ne__(self, other: object) -> Any:
        equal = self.__eq__(other)
        return equal if equal is NotImplemented else not_(equal)

    def _ordered(self, name: str, other: object) -> object:
        return list_order.lists_ordered(name, self, other) if isinstance(other, list) else NotImplemented

    __hash__ = None


follow_contents(TracedList, StagedList)
for _kind in (TracedList, StagedList):  # So that CPython's messages say `list`.
    _kind.__name__ = _kind.__qualname__ = "list"


def _is_staged(value: object) -> bool:
    return isinstance(value, Tensor)


def made_list(values: list[Any]) -> Any:
    """A list of these elements, as the program makes it at the running site."""
    trace = current_trace()
    return values if trace is None else _made_at(site_here(), trace, values)


def staged_list(contents: StagedElements) -> TracedList:
    """A list with staged contents, as the program makes it at the running site."""
    return _made_at(site_here(), require_trace(), contents)  # type: ignore[no-any-return]


def list_made_at(site: Site, values: list[Any]) -> object:
    """A list of these elements, as the program makes it at a site."""
    return _made_at(site, require_trace(), values)


def scratch_list(contents: StagedElements | None = None) -> TracedList:
    """A temporary list of this package, which the program does not see."""
    made = TracedList()
    if contents is not None:
        made.write_contents(contents)
    return require_trace().journal.created(made)  # type: ignore[no-any-return]


def _made_at(site: Site, trace: Trace, contents: StagedElements | list[Any]) -> Any:
    """A list that is made at a site: a row of a table if the site's lists are rows."""
    table = trace.objects.table_at(site)
    if table is not None:
        return new_list(table, contents)
    made = TracedList() if isinstance(contents, StagedElements) else TracedList(contents)
    if isinstance(contents, StagedElements):
        made.write_contents(contents)
    made.sites = (site,)
    return trace.journal.created(made)
