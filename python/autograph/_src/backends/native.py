"""The native back-end: records statements that staged values decide as ops of the graph."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from types import CellType
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from autograph._src.backends.protocol import (
    WITHOUT_STATE,
    Backend,
    GetState,
    SetState,
    backend_of,
    register,
    run_for,
    type_name,
)
from autograph._src.backends.variables import VariableBackend
from autograph._src.directives import Directed
from autograph._src.numpy.calls.calls import CREATORS, call_numpy
from autograph._src.numpy.calls.registry import are_direct
from autograph._src.numpy.elementwise.ufuncs import apply
from autograph._src.operators.bindings import bound_by
from autograph._src.operators.calls import converted_call
from autograph._src.operators.items import get_item, set_attr, set_item
from autograph._src.operators.logic import or_
from autograph._src.operators.places import Place
from autograph._src.operators.progress import is_bar, makes_progress
from autograph._src.operators.undefined import unbound_free_message, unbound_message
from autograph._src.rooms import import_modules_of
from autograph._src.staging.builtins.staged_builtins import call_builtin, computes_with
from autograph._src.staging.calls.recursion import run_function
from autograph._src.staging.calls.unconverted import run_unconverted
from autograph._src.staging.complex.complex_tensor import COMPLEX_NUMBER, ComplexTensor
from autograph._src.staging.control.branches import stage_choice, stage_if
from autograph._src.staging.control.comprehensions import grown_list, kept_list, kept_of_plain, stage_list
from autograph._src.staging.control.effects import record_assert
from autograph._src.staging.control.iteration import StagedIterator, sequence_of, staged_iterable
from autograph._src.staging.control.loops import stage_while
from autograph._src.staging.control.progress import Progress, call_progress, progress_of
from autograph._src.staging.control.python_loops import for_in_trace
from autograph._src.staging.control.sequence_items import item_of_sequence
from autograph._src.staging.control.walking import walk
from autograph._src.staging.kinds.declared_elements import DeclaredElements
from autograph._src.staging.kinds.leaf_kind import kind_of
from autograph._src.staging.kinds.leaves import leaves_of
from autograph._src.staging.kinds.maybe_bound import MaybeBound
from autograph._src.staging.kinds.optionals import StagedOptional, optional, required, required_itself
from autograph._src.staging.kinds.unions import Method as UnionMethod
from autograph._src.staging.kinds.unions import (
    StagedUnion,
    as_indices,
    holds_unions,
    index_of,
    over_alternatives,
)
from autograph._src.staging.lists import list_searches
from autograph._src.staging.lists.staged_iterable import StagedIterable, Step
from autograph._src.staging.lists.traced_list import StagedList, TracedList, made_list
from autograph._src.staging.objects.named_values import NamedValue
from autograph._src.staging.objects.node_fields import StagedMethod
from autograph._src.staging.objects.node_sequences import NodeSequence
from autograph._src.staging.objects.nodes import StagedNode, refusal_of_write
from autograph._src.staging.objects.object_lists import ListReference
from autograph._src.staging.objects.object_records import made_object
from autograph._src.staging.operators.identity import identical
from autograph._src.staging.operators.truth_only import TruthOfMapping, TruthOfSequence, stage_and_or
from autograph._src.staging.tensors.memory import WHY_NOT_WRITTEN, Role
from autograph._src.staging.tensors.number_tensor import NUMBER_TENSORS, NumberTensor
from autograph._src.staging.tensors.python_scalars import negate, require, truth
from autograph._src.staging.tensors.staged_strings import StagedString, join_strings, text_needed
from autograph._src.staging.tensors.tensor import ArrayTensor, Kind, ScalarTensor, Tensor, class_text, lift
from autograph._src.staging.trace.active import current_trace, into_plain_array, staging_error
from autograph._src.staging.trace.given import holds_one_twice
from autograph._src.staging.trace.references import is_reference
from autograph._src.staging.trace.restarts import learn_objects
from autograph._src.staging.trace.state import state_of
from autograph._src.variable import READING, Variable, value_of

for _room in ("operators", "builtins", "calls"):
    import_modules_of(f"autograph._src.staging.{_room}")


def _has_staged(values: Iterable[Any]) -> bool:
    """Whether one of these values is staged, or a list or tuple among them contains a staged value."""
    for value in values:
        if issubclass(type(value), (list, tuple)) and not isinstance(value, StagedList):
            if _has_staged(list.copy(value) if isinstance(value, list) else value):
                return True
        elif backend_of(value) is not None:
            return True
    return False


OF_SHAPES = frozenset((np.shape, np.ndim, np.size, np.zeros_like, np.ones_like, np.empty_like, np.full_like))
"""NumPy functions that read an array's shape and dtype, but not its elements."""


class NativeBackend(Backend):
    """See :class:`autograph._src.backends.protocol.Backend`."""

    name = "the native back-end"

    def is_active(self) -> bool:
        """Whether a trace records on this thread."""
        return current_trace() is not None

    def if_stmt(
        self,
        test: object,
        body: Callable[[], None],
        orelse: Callable[[], None] | None,
        get_state: GetState | None,
        set_state: SetState | None,
        names: tuple[str, ...],
        n_outputs: int,
    ) -> None:
        """Records both branches."""
        state = state_of(get_state, set_state, names)
        stage_if(truth(test).read(), body, orelse, state, n_outputs)

    def while_stmt(
        self,
        first_test: object,
        test: Callable[[], Any],
        body: Callable[[], None],
        get_state: GetState | None,
        set_state: SetState | None,
        names: tuple[str, ...],
    ) -> None:
        """Records the loop."""
        stage_while(first_test, test, body, state_of(get_state, set_state, names))

    def for_stmt(
        self,
        iterable: Any,
        extra_test: Callable[[], Any] | None,
        body: Callable[[Any], None],
        get_state: GetState | None,
        set_state: SetState | None,
        names: tuple[str, ...],
    ) -> None:
        """Records the loop if its iterable is staged; otherwise decides whether to record or to run it."""
        iterable = progress_of(iterable) if is_bar(iterable) else iterable
        staged, state = staged_iterable(iterable), state_of(get_state, set_state, names)
        if staged is not None:
            walk(staged, body, state, extra_test)
        elif current_trace() is None:
            run_for(iter(iterable), extra_test, body)
        else:
            for_in_trace(iterable, extra_test, body, state)

    def list_comprehension(
        self, iterable: Any, element: Callable[[Any], Any], condition: Callable[[Any], Any] | None
    ) -> object:
        """Records one staged loop over a staged iterable; ``NotImplemented`` lets Python run a plain one."""
        directed = iterable if isinstance(iterable, Directed) else None
        is_array = isinstance(iterable, np.ndarray) or (directed is not None and directed.is_staged)
        items = sequence_of(directed.iterable if directed else iterable) if is_array else None
        items = staged_iterable(iterable) if items is None else items
        if items is None or (directed is not None and not directed.is_staged):
            return NotImplemented if condition is None else kept_of_plain(iterable, element, condition)
        if isinstance(items.length, Tensor) or items.is_filtered():
            return grown_list(items, element, condition)
        made = (
            made_list(stage_list(items, element))
            if condition is None
            else kept_list(items, element, condition)
        )
        items.end()
        return made

    def generator(
        self, iterable: object, element: Callable[[Any], Any], condition: Callable[[Any], Any] | None
    ) -> object:
        """A staged generator, which a loop, ``sum`` or ``any`` consumes later."""
        items = staged_iterable(iterable)
        if items is None:
            return NotImplemented
        steps = () if condition is None else (Step(condition, True),)
        return items.then("generator", *steps, Step(element, False))

    def if_exp(self, test: object, body: Callable[[], Any], orelse: Callable[[], Any]) -> Any:
        """Records both expressions, each in a branch."""
        state = state_of(*bound_by(body, orelse))
        return stage_choice(truth(test).read(), body, orelse, "a staged `if` expression", state=state)

    def and_(self, left: object, rest: Callable[[], Any]) -> Any:
        """Records the right operand in a branch, which runs only when the left operand is true."""
        return stage_and_or(left, rest, True, state=state_of(*bound_by(rest)))

    def or_(self, left: object, rest: Callable[[], Any]) -> object:
        """Records the right operand in a branch, which runs only when the left operand is false."""
        value = left.value if isinstance(left, StagedOptional) else left  # `left` is used where it is true.
        return stage_and_or(left, rest, False, value, state_of(*bound_by(rest)))

    def not_(self, value: object) -> Tensor:
        """A staged Python bool."""
        return negate(truth(value))

    def is_(self, left: object, right: object) -> object:
        """Known while recording, except for bools and values that may be ``None``."""
        return identical(left, right)

    def contains(self, item: object, container: object) -> object:
        """``item in container`` for an array, or for a plain sequence of numbers."""
        if type(item) is StagedUnion or type(container) is StagedUnion:
            return over_alternatives(self.contains, (item, container), {})
        if isinstance(container, StagedList):
            return list_searches.first_position(container.current(), item) >= 0
        if isinstance(container, Tensor) and container.kind is not Kind.ARRAY:
            raise TypeError(f"argument of type {class_text(container)!r} is not iterable")
        if isinstance(container, (Tensor, np.ndarray)):
            return truth(np.any(lift(container) == item))
        if isinstance(container, (list, tuple)):
            return or_(False, *[functools.partial(_same, item, element) for element in container])
        if isinstance(container, StagedString) or isinstance(item, StagedString):
            raise text_needed()
        name = type_name(container)
        raise staging_error("AG120", f"a staged value cannot be looked up in a {name}")

    def assert_stmt(self, test: object, message: Callable[[], Any] | None) -> None:
        """Records a check that the running graph makes."""
        record_assert(test, message)

    def get_item(self, target: object, index: object) -> object:
        """An item of a staged array, or of a plain array or sequence at a staged index."""
        target = required_itself(target, _NO_ITEMS, TypeError)
        index = as_indices(_required_index(target, index))
        if holds_unions(index) or type(target) is StagedUnion:
            return over_alternatives(get_item, (target, index), {})
        if isinstance(target, StagedString) or isinstance(index, StagedString):
            raise text_needed()
        if isinstance(target, StagedList) or (isinstance(target, TracedList) and isinstance(index, slice)):
            return target.staged_item(index)
        if is_reference(target) and backend_of(index) is None:
            return get_item(target, index)
        if isinstance(target, (Tensor, np.ndarray, np.generic)):
            return lift(target)[index]
        if isinstance(target, (list, tuple)):
            return item_of_sequence(target, index)
        if isinstance(target, (StagedIterable, StagedNode)):
            return target.at(index) if isinstance(target, StagedIterable) else target[index]
        raise staging_error(
            "AG120",
            f"a {type_name(target)} cannot be indexed with a staged value",
            "keep the values in an array",
        )

    def set_item(self, target: Any, index: object, value: Any) -> None:
        """Writes an item of a staged array.

        Raises:
            StagingError: If only the index is staged.
        """
        target = required_itself(target, "'NoneType' object does not support item assignment", TypeError)
        index = as_indices(_required_index(target, index))
        if _is_array_or_none(value) and _taken_for_none(target) is not None:
            stage_choice(
                value.present.read(),
                lambda: set_item(target, index, value.value),
                lambda: set_item(target, index, _taken_for_none(target)),
                "a write of what may be None",
            )
            return
        if not isinstance(target, list):
            value = _without_none(target, value)
        # A list or a dict stores a number of several types as it is; an array converts each alternative.
        converts = isinstance(target, (Tensor, np.ndarray)) and holds_unions(value)
        if converts or holds_unions(index) or type(target) is StagedUnion:
            over_alternatives(set_item, (target, index, value), {})
            return
        if isinstance(target, TracedList):
            target.set_staged_item(index, value)
            return
        if is_reference(target) and backend_of(index) is None:
            target[index] = value
            return
        if not isinstance(target, Tensor):
            raise staging_error(
                "AG120",
                f"a {type_name(target)} cannot be written at a staged index",
                "keep the values in an array made inside the staged function, or passed to it",
            )
        target[index] = value

    def set_attr(self, target: object, name: str, value: object) -> None:
        """Writes a part of a complex array or an attribute of an object that may be ``None``, or refuses."""
        if isinstance(target, ComplexTensor):
            setattr(target, name, value)
            return
        if isinstance(target, StagedOptional) and is_reference(target.value):
            message = f"'NoneType' object has no attribute '{name}'"
            set_attr(target.required(message, AttributeError), name, value)
            return
        raise (
            refusal_of_write(target, name)
            if isinstance(target, StagedNode)
            else self.refuse("writing an attribute")
        )

    def item_to_update(self, item: object) -> object:
        """A copy of the item: the operator may work in place, and the result is stored afterwards anyway."""
        if not isinstance(item, Tensor) or not item.sizes:
            return item
        if item.role is Role.ELEMENT:  # NumPy writes to the array itself, which may have other names.
            message, _ = WHY_NOT_WRITTEN[Role.ELEMENT]
            name = item.name or "the list"
            raise staging_error(
                "AG113", message.format(f"`{name}`"), "put a new array there: `xs[i] = xs[i] + v`"
            )
        return item.copy()

    def iterable(self, value: object, words: str) -> Any:
        """The value without ``None``: a run fails where a value that may be ``None`` is ``None``."""
        return required_itself(value, words, TypeError)

    def attribute_to_update(self, target: object, name: str) -> object:
        """The attribute, also of a value that may be ``None``."""
        if isinstance(target, StagedOptional):
            target = target.required(f"'NoneType' object has no attribute '{name}'", AttributeError)
        return getattr(target, name)

    def del_item(self, target: object, index: object) -> None:
        """Deletes an item of a staged list, or of a list at a staged index."""
        if not isinstance(target, TracedList):
            super().del_item(target, index)
            return
        target.delete_staged_item(index)

    def call_builtin(
        self, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> object:
        """Records ``len``, ``range``, ``abs``, ``print`` and other builtins of staged values."""
        if makes_progress(function):
            return call_progress(function, args, kwargs)
        if function in READING:
            args = tuple(map(value_of, args))
        if computes_with(function) and holds_unions((args, kwargs)):
            args = tuple(map(index_of, args)) if function is range else args
            return over_alternatives(functools.partial(converted_call, function), args, kwargs)
        return call_builtin(function, args, kwargs)

    def makes_array(self, function: object) -> bool:
        """Whether the table of creators has the function; a method of an unhashable object is not in it."""
        try:
            return function in CREATORS
        except TypeError:
            return False

    def call_numpy(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> object:
        """Creators return staged arrays; other functions are staged if an argument is."""
        is_usual = type(function) is np.ufunc and not kwargs and len(args) == function.nin
        if is_usual and all(type(one) is ArrayTensor for one in args):
            return apply(function, *args)  # The same result as NumPy's own dispatch, without the detour.
        is_direct = are_direct(args) and are_direct(kwargs.values())
        if not is_direct and holds_unions((args, kwargs)):
            return over_alternatives(functools.partial(converted_call, function), args, kwargs)
        trace = current_trace()
        if trace is None or function in OF_SHAPES or _has_staged((*args, *kwargs.values())):
            return call_numpy(function, args, kwargs)
        self.reads(*args, *kwargs.values())
        return trace.surroundings.contents.made(call_numpy(function, args, kwargs))

    def joined_string(self, parts: tuple[Any, ...]) -> StagedString:
        """A string that is formatted when the graph runs."""
        return join_strings(parts)

    def formatted(self, value: object, conversion: str | None, spec: str) -> StagedString:
        """A field that is formatted when the graph runs."""
        if isinstance(spec, StagedString):
            raise staging_error("AG120", "a format specification cannot hold staged values")
        return value if isinstance(value, StagedString) else StagedString(((value, conversion, spec),))

    def load(self, value: object, is_free: bool = False) -> object:
        """Records a check that the variable is bound."""
        bound, name = _bound_flag(value)
        if bound is not None:
            if is_free:
                require(bound, NameError, unbound_free_message(name or "?"))
            else:
                require(bound, UnboundLocalError, unbound_message(name or "?"))
        return value.value if isinstance(value, MaybeBound) else value

    def return_value(self, value: object) -> object:
        """A value that is ``None`` on paths where no ``return`` ran."""
        flags = list(_flags(value))
        if not flags or any(flag is None for flag, _ in flags):
            return value
        returned = [flag for flag, is_of_value in flags if is_of_value]
        if not returned and not isinstance(value, StagedOptional):
            raise staging_error(
                "AG131",
                "whether this function returns anything depends on data, and what it returns may hold None",
                "end it with `return None`, and return something else on the other paths",
            )
        found = optional(value, returned[0] if returned else flags[0][0])
        if holds_one_twice(leaves_of(value)):  # One object twice: as a row of a table it stays one object.
            learn_objects(kind_of(found))
        return found

    def will_write(self, place: Place) -> None:
        """Tells the trace's journal."""
        trace = current_trace()
        if trace is not None:
            trace.journal.will_write(place)

    def will_write_staged(self, array: object) -> None:
        """Refuses the write: a plain array cannot hold staged values."""
        raise into_plain_array()

    def run_unconverted(
        self, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> object:
        """Calls the function, then checks the objects that it could have changed."""
        trace = current_trace()
        return function(*args, **kwargs) if trace is None else run_unconverted(trace, function, args, kwargs)

    def keeps(self, value: object) -> bool:
        """Whether the value is an ``ag.Variable`` that this first trace made, outside of blocks."""
        trace = current_trace()
        return (
            trace is not None
            and not trace.journal.blocks
            and any(value is one for one in trace.new_variables)
        )

    def declare_elements(self, values: object, dtype: DTypeLike | None, shape: object) -> None:
        """Declares the element type of a list that was made while tracing."""
        if isinstance(values, TracedList):
            values.declare(DeclaredElements.of(dtype, shape))

    def made_list(self, values: list[Any]) -> object:
        """A traced list, which a staged block may change."""
        return made_list(values)

    def made_object(self, value: object, is_referred_to: bool) -> object:
        """A traced object, which a staged container may hold."""
        trace = current_trace()
        return value if trace is None else made_object(trace, value, is_referred_to)

    def watch(self, value: object) -> None:
        """Tells the trace's journal."""
        trace = current_trace()
        if trace is not None:
            trace.journal.watch(value)

    def note(self, text: str) -> None:
        """Adds the text to the notes of the trace."""
        trace = current_trace()
        if trace is not None:
            trace.note(text)

    def attempt(self) -> AbstractContextManager[None]:
        """A block in which recording an op that may fail at run time is refused."""
        trace = current_trace()
        return nullcontext() if trace is None else trace.attempt()

    def reads(self, *values: object) -> None:
        """Tells the trace, which adds guards on objects that it has not met before."""
        trace = current_trace()
        if trace is not None:
            for value in values:
                if type(value) in WITHOUT_STATE:
                    continue
                trace.surroundings.contents.read(value)
                if not trace.journal.was_created(value):
                    trace.surroundings.read(value)

    def read_item(self, target: object, index: object, item: object) -> None:
        """Tells the trace, which keeps the value that an element of a caller's array had."""
        trace = current_trace()
        if trace is not None:
            if isinstance(target, np.ndarray):
                trace.surroundings.contents.item_read(target, index, item)
            elif isinstance(target, (np.flatiter, memoryview)):
                self.reads(target)
            self.reads(*(index if isinstance(index, tuple) else (index,)))

    def getter_called(self, function: Callable[..., Any]) -> None:
        """Tells the trace, which adds a guard on the function's result."""
        trace = current_trace()
        if trace is not None:
            trace.surroundings.getter_called(function)

    def reads_name(self, name: object) -> None:
        """Tells the trace, which adds guards on the name in the classes and modules that it watches."""
        trace = current_trace()
        if trace is not None and type(name) is str:
            trace.surroundings.name_read(name)

    def entered(self, function: Any) -> None:
        """Tells the trace, which adds guards on the variables of enclosing functions."""
        trace = current_trace()
        if trace is not None:
            trace.surroundings.enter(function)

    def run_function(
        self, function: Any, converted: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> object:
        """Runs the converted function, or records a call of a graph function if it is recursive."""
        trace = current_trace()
        if trace is None:
            return converted(*args, **kwargs)
        return run_function(trace, function, converted, args, kwargs)

    def run_iteration(self, body: Callable[..., Any], names: tuple[str, ...]) -> None:
        """Runs the iteration, then checks whether it moved from one node of an argument to another."""
        trace = current_trace()
        if trace is None or trace.search is None:
            body()
            return
        cells = body.__closure__ or ()
        before = list(map(_content, cells))
        body()
        for cell, value in zip(cells, before, strict=True):
            trace.search.met_again((value,), (_content(cell),))

    def created(self, value: object) -> Any:
        """Tells the trace's journal."""
        trace = current_trace()
        return value if trace is None else trace.journal.created(value)


def _content(cell: CellType) -> object:
    """The content of a closure cell; ``None`` if the cell is empty."""
    try:
        return cell.cell_contents
    except ValueError:
        return None


def _bound_flag(value: object) -> tuple[Any, str | None]:
    """The flag of a variable that may be unbound, and its name."""
    if isinstance(value, (StagedNode, StagedUnion)):
        return value.ag_bound, value.ag_name
    if isinstance(value, (Tensor, StagedOptional, MaybeBound)):
        return value.defined, value.name
    if is_reference(value):
        return value.ag_bound, value.name if isinstance(value, ListReference) else value.ag_name
    return None, None


def _flags(value: object, is_of_value: bool = True) -> Iterator[tuple[Any, bool]]:
    """For each leaf of a value the flag that says whether the leaf is bound, if it has one.

    The second part of each pair tells whether the flag says so for the whole value. The flag of a value that
    may be ``None`` does not: it is false also where the value is bound to ``None``.
    """
    flag, _ = _bound_flag(value)
    if flag is not None:
        yield flag, is_of_value
    elif isinstance(value, tuple):
        for element in value:
            yield from _flags(element, is_of_value)
    elif isinstance(value, StagedOptional):
        yield from _flags(value.value, False)
    elif backend_of(value) is not None:
        yield None, is_of_value


def _same(item: object, element: object) -> bool | Tensor:
    """``item is element or item == element`` as a truth value: the same NaN object counts as contained."""
    return True if item is element else truth(item == element)


def _required_index(target: object, index: object) -> object:
    """The index without ``None``, which would add an axis to an array; a run fails where it is ``None``."""
    return required(index, _NO_INDEX, TypeError) if isinstance(target, list) else required(index)


_NO_ITEMS = "'NoneType' object is not subscriptable"
_NO_INDEX = "list indices must be integers or slices, not NoneType"
_NO_NUMBER = "int() argument must be a string, a bytes-like object or a real number, not 'NoneType'"


_WRITTEN_FOR_NONE = {"f": np.nan, "c": complex(np.nan, np.nan), "b": False}
"""The number that NumPy stores for ``None``, by the kind of an array's dtype; other kinds refuse ``None``."""


def _taken_for_none(target: object) -> complex | None:
    """The number that NumPy stores for ``None`` in this array; ``None`` if NumPy refuses ``None`` there."""
    kind = target.dtype.kind if isinstance(target, (Tensor, np.ndarray)) else ""
    return _WRITTEN_FOR_NONE.get(kind)


def _is_array_or_none(value: object) -> bool:
    """Whether a value may be ``None`` and is an array otherwise, so that its shape has to fit."""
    return isinstance(value, StagedOptional) and isinstance(value.value, Tensor) and bool(value.value.sizes)


def _without_none(target: object, value: Any) -> Any:
    """The value to write into an array in place of one that may be ``None``."""
    kind = target.dtype.kind if isinstance(target, (Tensor, np.ndarray)) else ""
    if kind in ("i", "u"):
        return required(value, _NO_NUMBER, TypeError)
    is_number = isinstance(value, StagedOptional) and isinstance(value.value, Tensor)
    taken = _taken_for_none(target)
    return np.where(value.present, value.value, taken) if is_number and taken is not None else required(value)


NATIVE = NativeBackend()
register(VariableBackend(), Variable)
register(NATIVE, ArrayTensor, ScalarTensor, NumberTensor, *NUMBER_TENSORS.values())
register(NATIVE, ComplexTensor, *COMPLEX_NUMBER)
register(NATIVE, StagedOptional)
register(NATIVE, StagedUnion, UnionMethod)
register(NATIVE, StagedString, StagedIterable, StagedIterator, Progress)
register(NATIVE, StagedList, ListReference, MaybeBound, TruthOfSequence, TruthOfMapping)
register(NATIVE, StagedNode, NodeSequence, StagedMethod, NamedValue)
