"""Back-ends that record: the statements of Python over a recorder, whatever values decide them.

Branches, loops, joins, what a loop carries, the journal, optionals and the builtins that walk are recorded
here for every library. ``native.py`` adds what arrays, lists and objects of a graph mean.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from types import FunctionType
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from autograph._src.backends.plain_try import Kinds
from autograph._src.backends.protocol import (
    WITHOUT_STATE,
    Backend,
    Begin,
    GetState,
    SetState,
    backend_of,
    run_for,
)
from autograph._src.closure_cells import content_of
from autograph._src.directives import Directed
from autograph._src.load import written_code
from autograph._src.operators.bindings import bound_by
from autograph._src.operators.closures import written_variables
from autograph._src.operators.logic import any_of
from autograph._src.operators.places import Place
from autograph._src.operators.progress import is_bar
from autograph._src.operators.undefined import unbound_free_message, unbound_message
from autograph._src.own_attributes import has_own
from autograph._src.staging.builtins.staged_builtins import call_builtin
from autograph._src.staging.calls.made_trees import made_copy
from autograph._src.staging.calls.recursion import run_function
from autograph._src.staging.calls.unconverted import run_unconverted
from autograph._src.staging.calls.unconverted_refusals import refusals_of
from autograph._src.staging.control.attempts import stage_try
from autograph._src.staging.control.branches import stage_choice, stage_if
from autograph._src.staging.control.comprehensions import grown_list, kept_list, kept_of_plain, stage_list
from autograph._src.staging.control.effects import record_assert
from autograph._src.staging.control.exits import stage_exits
from autograph._src.staging.control.iteration import sequence_of, staged_iterable
from autograph._src.staging.control.loops import stage_while
from autograph._src.staging.control.progress import progress_of
from autograph._src.staging.control.python_loops import for_in_trace
from autograph._src.staging.control.walking import walk
from autograph._src.staging.keyed.keyed import Keyed
from autograph._src.staging.keyed.made import contents_differ, is_key, made_keyed, table_of
from autograph._src.staging.kinds.choices import StagedChoice
from autograph._src.staging.kinds.declared_elements import DeclaredElements
from autograph._src.staging.kinds.leaves import leaves_of
from autograph._src.staging.kinds.maybe_bound import MaybeBound
from autograph._src.staging.kinds.optionals import StagedOptional, optional, required_itself, without_flag
from autograph._src.staging.kinds.unions import StagedUnion
from autograph._src.staging.kinds.value_kind import kind_of
from autograph._src.staging.lists.staged_iterable import StagedIterable, Step
from autograph._src.staging.lists.traced_list import TracedList, made_list
from autograph._src.staging.objects.kept_errors import is_kept
from autograph._src.staging.objects.kept_raises import cause, raise_each, raised, traceback_of
from autograph._src.staging.objects.nodes import StagedNode
from autograph._src.staging.objects.object_lists import ListReference
from autograph._src.staging.objects.object_records import made_object
from autograph._src.staging.operators.identity import identical
from autograph._src.staging.operators.truth_only import stage_and_or
from autograph._src.staging.tensors.python_scalars import negate, of_program, require, truth
from autograph._src.staging.tensors.tensor import Tensor, plain_class
from autograph._src.staging.trace.active import (
    current_trace,
    into_plain_array,
    is_foreign,
    require_trace,
    staging_error,
)
from autograph._src.staging.trace.facts import Fact
from autograph._src.staging.trace.given import holds_one_twice
from autograph._src.staging.trace.plain_objects import (
    is_same_object,
    refuse_hidden_state,
    refuse_step,
    remembered,
)
from autograph._src.staging.trace.raising import (
    AROUND_YIELD,
    PYTHON_WITH,
    not_handled,
    python_try,
    python_with,
)
from autograph._src.staging.trace.references import is_reference
from autograph._src.staging.trace.restarts import begin_again, learn_objects
from autograph._src.staging.trace.state import state_of
from autograph._src.trees import flatten
from autograph.errors import StagingError

_WALKING = frozenset(
    (all, any, enumerate, filter, iter, len, list, map, max, min, next, print, range, reversed, sorted, sum)
) | {tuple, zip}
"""Builtins that are algorithms over items, or that each run repeats."""

_ASK_THE_VALUE = frozenset((abs, callable, divmod, getattr, hasattr, id, isinstance, pow, round, type))
"""Builtins that call a method of the value, or look at it while recording."""


class RecordingBackend(Backend):
    """A back-end whose statements are recorded by this package's algorithms, over a recorder.

    The staged values of its library are values of the recorder (``Recorder.value_types``). What it does not
    override is recorded as for staged NumPy values, or refused where it needs to know the library: items,
    attributes, NumPy functions. ``docs/backends.md`` shows a whole one.

    Example:
        >>> from autograph.backends import RecordingBackend
        >>> print(RecordingBackend().refuse("NumPy").message)
        this back-end does not stage NumPy
    """

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

    def try_stmt(
        self,
        clauses: Callable[[int, BaseException | None], None],
        kinds: Kinds,
        has_else: bool,
        has_finally: bool,
        get_state: GetState | None,
        set_state: SetState | None,
        names: tuple[str, ...],
    ) -> None:
        """Records its body, and its handlers as branches."""
        if current_trace() is None:
            super().try_stmt(clauses, kinds, has_else, has_finally, get_state, set_state, names)
            return
        stage_try(clauses, kinds, has_else, has_finally, state_of(get_state, set_state, names))

    def with_exits(
        self,
        run: Callable[[Begin], None],
        get_state: GetState | None,
        set_state: SetState | None,
        names: tuple[str, ...],
    ) -> bool:
        """Records the body, with a `try` for what is pushed around all that follows."""
        if current_trace() is None:
            return False
        stage_exits(run, state_of(get_state, set_state, names))
        return True

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
        iterable = required_itself(progress_of(iterable) if is_bar(iterable) else iterable)
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
        iterable = required_itself(iterable)
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
        items = staged_iterable(required_itself(iterable))
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

    def not_(self, value: object) -> Any:
        """A staged Python bool."""
        return of_program(negate(truth(value)))

    def is_(self, left: object, right: object) -> object:
        """Known while recording, except for bools and values that may be ``None``."""
        return of_program(identical(left, right))

    def assert_stmt(self, test: object, message: Callable[[], Any] | None) -> None:
        """Records a check that the running graph makes."""
        record_assert(test, message)

    def load(self, value: object, is_free: bool = False) -> object:
        """Records a check that the variable is bound."""
        bound, name = _bound_flag(value)
        if bound is not None:
            if is_free:
                require(bound, NameError, unbound_free_message(name or "?"))
            else:
                require(bound, UnboundLocalError, unbound_message(name or "?"))
        return value.value if isinstance(value, MaybeBound) else value

    def certain_value(self, value: object) -> object:
        """The value without its flag."""
        return without_flag(value)

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
        raise into_plain_array(array)

    def run_extension(
        self, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> object:
        """Calls the function, and refuses what it raises for staged values."""
        with refusals_of(function, (*args, *kwargs.values())):
            return function(*args, **kwargs)

    def run_unconverted(
        self, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> object:
        """Calls the function, then checks the objects that it could have changed.

        A function of another library takes that library's values: numbers that this package staged, such as
        the index of a loop, are passed as such.
        """
        trace = current_trace()
        if trace is None:
            return function(*args, **kwargs)
        if trace.builder.value_types:
            args, kwargs = _with_recorded_numbers((args, kwargs))
        return trace.callers_objects.result(run_unconverted(trace, function, args, kwargs))

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
        if trace is None or isinstance(value, Keyed):
            return value
        return made_object(trace, value, is_referred_to)

    def chosen_by(self, test: object, value: object, rest: Callable[[], Any], is_and: bool) -> Any:
        """Records the right operand in a branch."""
        return stage_and_or(test, rest, is_and, value, state_of(*bound_by(rest)))

    def spells_operators(self) -> bool:
        """Whether a recording has found that a method which an operator calls is to be converted."""
        trace = current_trace()
        return trace is not None and trace.facts.spells_operators

    def statement(self) -> Any:
        """Asks the trace."""
        trace = current_trace()
        return None if trace is None else trace.callers.statement()

    @contextmanager
    def holds(self, statement: Any, places: Sequence[Place], is_inside: bool = False) -> Iterator[None]:
        """Tells the journal, and whoever opens blocks inside; handlers of a generator take nothing there."""
        trace = require_trace()
        trace.held_places.append(places)
        for place in places:
            trace.journal.will_write(place)
        try:
            with trace.callers.held_by(statement, sys._getframe(2)):
                if is_inside:
                    with trace.attempt(AROUND_YIELD):
                        yield
                else:
                    yield
        finally:
            trace.held_places.pop()

    def leaves(self, kind: type[BaseException]) -> StagingError:
        """What recordings say of such."""
        return not_handled(kind.__name__, reason=AROUND_YIELD.reason, help=AROUND_YIELD.help)

    def took_over(self, iterator: Any, is_whole: bool) -> None:
        """Closes the generator if it is at its end, and runs once; else refuses later steps of Python."""
        trace = current_trace()
        if trace is None:
            return
        if not is_whole or trace.journal.probes:
            trace.journal.lose_place(iterator)
        else:
            iterator.close()

    def takes_steps(self, function: FunctionType) -> bool:
        """As facts know."""
        trace = current_trace()
        return trace is not None and written_code(function.__code__) in trace.facts.stepped

    def learn_steps(self, functions: Sequence[FunctionType]) -> None:
        """Notes the fact."""
        trace = current_trace()
        codes = {written_code(one.__code__) for one in functions}
        if trace is not None and not codes <= trace.facts.stepped:
            trace.facts.stepped |= codes
            begin_again(Fact.STEPS)

    def existed(self, value: Any) -> None:
        """Tells the trace's journal."""
        trace = current_trace()
        if trace is not None:
            trace.journal.existed(value)

    def made_by(self, generator: Any, element: Any) -> object:
        """Keeps it: it says which generator is to be taken item by item."""
        if isinstance(generator, StagedIterable):
            generator.refuse_again = functools.partial(self.learn_steps, [element])
        return generator

    def open_blocks(self) -> int:
        """As the trace's journal knows."""
        trace = current_trace()
        return 0 if trace is None else len(trace.journal.blocks)

    def is_of_blocks(self, value: object, outer: int) -> bool:
        """As the trace's journal knows."""
        trace = current_trace()
        inner = [] if trace is None else trace.journal.blocks[outer:]
        is_inside = trace is not None and bool(inner)
        return is_inside and not require_trace().journal.is_from_before(value, inner[0].serial)

    def parts_of(self, value: object, is_own: bool) -> tuple[str, tuple[Any, ...]] | None:
        """Uses it up."""
        if not isinstance(value, StagedIterable) or value.parts is None or value.steps:
            return None
        if not is_own:
            value.use()
        return value.kind, value.parts

    def learn_steps_of(self, value: object) -> None:
        """Asks it to."""
        if isinstance(value, StagedIterable) and value.refuse_again is not None:
            value.refuse_again()

    def range_parts(self, value: Any) -> tuple[Any, Any, Any] | None:
        """Of what `range` has given."""
        if not isinstance(value, StagedIterable) or value.bounds is None:
            return None
        return value.count(), *value.bounds

    def made_copy(self, value: object, original: object) -> object:
        """Containers as if the program had made them with displays."""
        return made_copy(value, original)

    def gave_variables(self, variables: object, owner: object) -> None:
        """Tells the journal, where the trace has made `owner`."""
        trace = current_trace()
        if trace is not None and trace.journal.was_created(owner):
            trace.journal.note_variables(variables)

    def is_same(self, left: Any, right: object) -> object:
        """Known while recording, but for what a staged statement or another call may make one object."""
        trace = current_trace()
        return left is right if trace is None else is_same_object(trace, left, right)

    def raised(self, error: object, again: Callable[[Any], Any]) -> object:
        """Of several exceptions each in a branch of its own."""
        return error if current_trace() is None or raise_each(error, again) else raised(error)

    def traceback_of(self, error: Any) -> object:
        """Refused of exceptions that the program makes."""
        return error.__traceback__ if current_trace() is None else traceback_of(error)

    def cause(self, error: object) -> object:
        """What stands for one of several exceptions."""
        return error if current_trace() is None else cause(error)

    def stands_for(self, value: object) -> bool:
        """Whether it is a row of a table, which poses as an object of the program."""
        return is_reference(value)

    def plain_class(self, value: object) -> type:
        """The class in plain Python of staged numbers, and of lists and rows that the trace has made."""
        if isinstance(value, Tensor):
            return plain_class(value)
        is_ours = has_own(value, "will_change") or is_reference(value) or is_kept(value)
        return value.__class__ if is_ours else type(value)

    def would_freeze(self, message: str, help: str) -> None:
        """Refuses the call, whose result would be a constant of all runs."""
        if current_trace() is not None:
            raise staging_error("AG123", message, help)

    def will_advance(self, iterator: object, is_alone: bool = False) -> None:
        """Refuses iterators from outside of the recording or of its innermost block."""
        trace = current_trace()
        if trace is not None:
            refuse_step(trace, iterator, is_alone)

    def reads_opaque(self, value: object) -> None:
        """Refuses objects from outside."""
        trace = current_trace()
        if trace is not None:
            refuse_hidden_state(trace, value)

    def call_cached(self, key: Hashable, call: Callable[[], Any]) -> object:
        """Calls the function once for each key."""
        trace = current_trace()
        return call() if trace is None else remembered(trace, key, call)

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

    def attempt(self, clause: str = "") -> AbstractContextManager[None]:
        """A block in which recording an op that may fail at run time is refused."""
        trace = current_trace()
        if trace is None:
            return nullcontext()
        word, _, name = clause.partition(" ")
        if word != "with":
            return trace.attempt(python_try(clause))
        return trace.attempt(python_with(name) if name else PYTHON_WITH)

    def reads(self, *values: object) -> None:
        """Tells the trace, which adds guards on objects that it has not met before."""
        trace = current_trace()
        if trace is not None:
            for value in values:
                if type(value) not in WITHOUT_STATE:
                    trace.surroundings.contents.read(value)
                    self._meets(value)

    def reads_part(self, container: object) -> None:
        """As :meth:`reads`, but does not walk a list: that would be done again for each item that is read."""
        trace = current_trace()
        if trace is not None:
            if not isinstance(container, (list, tuple)):
                trace.surroundings.contents.read(container)
            self._meets(container)

    def _meets(self, value: object) -> None:
        trace = require_trace()
        trace.callers_objects.refuse_original(value)
        if not (trace.journal.was_created(value) or trace.journal.are_variables(value)):
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
        places = written_variables(function)
        if not places:
            return run_function(trace, function, converted, args, kwargs)
        trace.held_places.append(places)
        try:
            return run_function(trace, function, converted, args, kwargs)
        finally:
            trace.held_places.pop()

    def run_iteration(self, body: Callable[..., Any], names: tuple[str, ...]) -> None:
        """Runs the iteration, then checks whether it moved from one node of an argument to another."""
        trace = current_trace()
        if trace is None or trace.search is None:
            body()
            return
        cells = body.__closure__ or ()
        before = list(map(content_of, cells))
        body()
        for cell, value in zip(cells, before, strict=True):
            trace.search.met_again((value,), (content_of(cell),))

    def places_that_raise(self) -> int:
        """The forks that are open."""
        trace = current_trace()
        return 0 if trace is None else sum(len(scope.forks) for scope in trace.scopes)

    def created(self, value: object) -> Any:
        """Tells the trace's journal."""
        trace = current_trace()
        if trace is None:
            return value
        trace.surroundings.made(type(value))
        return trace.journal.created(made_keyed(value))

    def made_of(self, kind: Any, values: Any) -> object:
        """A table."""
        return table_of(kind, values)

    def has_staged_key(self, container: object, key: object) -> None:
        """Begins the recording again where the program has made the container, and the key is of numbers."""
        if key is None or is_key(key):
            contents_differ(container)
            trace = current_trace()
            if trace is not None and not trace.builder.value_types:
                trace.callers_objects.learn_table(container)

    def get_item(self, target: Any, index: object) -> object:
        """``target[index]`` where the library defines it; else refused."""
        if is_foreign(target) and hasattr(type(target), "__getitem__"):
            return target[_with_recorded_numbers(index)]
        return super().get_item(target, index)

    def contains(self, item: object, container: object) -> object:
        """``item in container`` for a plain list or tuple: compared with each element."""
        if isinstance(container, (list, tuple)):
            return any_of([functools.partial(_same, item, element) for element in container])
        return super().contains(item, container)

    def call_builtin(
        self, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> object:
        """Records builtins that walk or count; those that ask the value itself are called as they are."""
        if function in _WALKING:
            return call_builtin(function, args, kwargs)
        is_exception = isinstance(function, type) and issubclass(function, BaseException)
        if is_exception or function in _ASK_THE_VALUE:
            return NotImplemented
        return super().call_builtin(function, args, kwargs)


def _with_recorded_numbers(value: object) -> Any:
    """Arguments or an index with the recorder's values in place of staged numbers, also in containers."""
    leaves: list[Any] = []
    _, rebuild = flatten(value, leaves)
    if not any(isinstance(leaf, Tensor) for leaf in leaves):
        return value
    return rebuild([leaf.read() if isinstance(leaf, Tensor) else leaf for leaf in leaves])


def _bound_flag(value: object) -> tuple[Any, str | None]:
    """The flag of a variable that may be unbound, and its name."""
    if isinstance(value, (StagedNode, StagedUnion, StagedChoice)):
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
