"""The trace: one recording of one function into one graph."""

from __future__ import annotations

import sys
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from types import CodeType, FrameType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from autograph import _core
from autograph._src.dtype_names import dtype_name
from autograph._src.floating_modes import refuse_present
from autograph._src.staging.trace.callers import NO_CALLER, Callers, Step
from autograph._src.staging.trace.facts import Facts
from autograph._src.staging.trace.frames import here
from autograph._src.staging.trace.graph_recorder import GraphRecorder
from autograph._src.staging.trace.known_tests import assume, known_truth
from autograph._src.staging.trace.outside import refuse_locked
from autograph._src.staging.trace.raising import OfPython, Raising, class_named, not_handled
from autograph._src.staging.trace.recorder import Recorder, Value
from autograph._src.staging.trace.signals import NOT_OF_THE_PROGRAM, OpEmitted, Refused
from autograph._src.staging.trace.sites import Site
from autograph._src.staging.trace.surroundings import Surroundings
from autograph.errors import AutographError, Location, StagingError

if TYPE_CHECKING:
    from autograph._src.operators.places import Place
    from autograph._src.staging.calls.call_effects import Effects
    from autograph._src.staging.calls.call_results import Results
    from autograph._src.staging.calls.recursion import Activation, FunctionRecording
    from autograph._src.staging.control.failures import Attempt, Failing
    from autograph._src.staging.control.forks import Scope
    from autograph._src.staging.control.journal import Journal
    from autograph._src.staging.control.loop_memory import LoopMemory
    from autograph._src.staging.objects.callers_objects import CallersObjects
    from autograph._src.staging.objects.object_tables import Objects
    from autograph._src.staging.objects.search import Search
    from autograph._src.staging.tensors.memory import Memory
    from autograph._src.staging.tensors.tensor import Tensor
    from autograph._src.variable import HeldVariables, Variable

DTYPES = {np.dtype(name) for name in ("bool", "uint8", "int32", "int64", "float32", "float64")}
"""The dtypes that graph values can have."""


def not_swallowed(trace: Trace, function: Callable[..., Any], *args: object, **kwargs: object) -> object:
    """Calls unconverted code, and raises an error that it got for a staged value even if it caught it.

    `np.array_equal`, for instance, catches the error and returns `False`.

    Raises:
        StagingError: If the code needed the plain value of a staged one.
    """
    before = trace.value_needed
    result = function(*args, **kwargs)
    if trace.value_needed is not None and trace.value_needed is not before:
        raise trace.value_needed
    return result


@dataclass(frozen=True)
class Mark:
    """A state of a trace to roll back to."""

    recorder: Any
    values: int
    journal: tuple[int, int]
    sites: int
    scopes: int
    forks: int


class Probe:
    """Whether a piece of the program emits an op; the first op stops it.

    Attributes:
        serial: The last serial number before the probe; what it makes has a higher one.
        has_stopped: Whether an op stopped it, even if a bare ``except`` of the user caught the signal.
    """

    __slots__ = ("has_stopped", "serial")

    def __init__(self, serial: int) -> None:
        self.serial = serial
        self.has_stopped = False


class Trace:
    """Records the ops of one function into a graph.

    Attributes:
        name: The graph's name.
        builder: The recorder of the ops, which holds the graph so far.
        journal: The writes to arrays, attributes and containers, which it can undo.
        surroundings: The variables around the functions that ran.
        captured: Arrays that are not arguments, with their inputs, by identity.
        sites: The Python functions that the running graph calls: prints, errors.
        notes: What a reader of ``explain`` may want to know.
        has_emitted: Whether an op was emitted since a caller last reset this.
        checkpoint_names: The names of values for the policies of checkpoints, by graph value.
        derivatives: How many calls are under way that a derivative is taken of. Only in these do functions
            with rules of the user need the rules.
        rule_depths: How many calls of each function with a custom gradient are under way, by identity.
        has_bars: Whether the graph makes progress bars, which its runs have to close.
        attempts: The ``try`` and ``with`` statements of the user that are being run.
        handling: The exceptions whose handlers are being recorded, by number; negative: that of all others.
        scopes: The blocks around that an exception of the run may leave, outermost first.
        failing: What the run notes of an exception that it handles; ``None`` outside of a ``try``.
        reads_open: Whether the operand that was read last has a size that only the run knows.
        refusal: An error of this package that passed through one of them.
        may_be_swallowed: Exceptions of this package that code which is not converted may have handled.
        streams: The random generators from outside in the graph, by the identity of their state.
        draws: How to read and to set the states of what runs draw from by calls of Python, by identity.
        calls_of_rows: How many functions of ``ag.vmap`` are being recorded.
        made_generators: The generators that the program makes, with what stands for them in runs, likewise.
        variables: The ``ag.Variable`` objects that were met, with their stand-in tensors, by identity.
        new_variables: The variables that this trace made.
        held_variables: The variables that the graph holds and assigns.
        held_places: The variables that a call under way may write, or a body that a generator runs; the
            innermost last.
        failures: How many exceptions of the user the graph may raise.
        facts: What earlier recordings have found out.
        results: The results of functions of the graph, as far as known, by code and kinds of arguments.
        effects: Their writes to objects that existed at the serial number ``effects_from``, likewise.
        effects_from: That serial number.
        keeps_sizes: Whether staged Python ints are refused as sizes. Set while trying whether an int argument
            can be an input: if the program uses it as a size, it should stay a constant.
        activations: The calls that are under way, by the function's code.
        recordings: The functions of the graph that are being recorded, innermost last.
        search: The search for nodes in the arguments, if objects of them are flattened into tables.
        keyed_sites: The dicts and sets that the program has made, with the places, by identity.
        objects: The tables of objects that the function makes.
        callers_objects: What the function writes to objects of its caller.
        callers: The places of the program that the graph's nodes come from.
        place: The place of the last op, a number of these.
        depth_in_numpy: How many calls of NumPy's own code are under way; some functions call themselves.
        handled: The exception that the caller of the function is handling, if any.
        copies: Arrays that stand for others in a function that must not write to these, with the memories of
            these.
        slots: Numbers of the arrays from outside whose last values a failing run returns, by the identity of
            the tensors that stand for them.
        ordered: The slots of arguments that have to lie in C order, with the places that need it.
        has_kept: Whether the graph writes such an array, so that a failing run has values to return.
        given: The objects of the arguments with their numbers, by the identity of their stand-ins.
    """

    # These types belong to later rooms; :func:`autograph._src.recording.new_trace` sets them.
    journal: Journal
    loop_memory: LoopMemory
    objects: Objects
    held_variables: HeldVariables
    callers_objects: CallersObjects

    def __init__(self, name: str, facts: Facts | None = None, recorder: Recorder | None = None) -> None:
        self.name = name
        self.builder = GraphRecorder(name) if recorder is None else recorder
        self.sites: list[Site] = []
        if recorder is not None:
            recorder.sites = self.sites
        self.captured: dict[int, tuple[NDArray[Any], Value]] = {}
        self.is_finished = False
        self.refusal: Exception | None = None
        self.may_be_swallowed: list[BaseException] = []
        self.attempts: list[Attempt | OfPython] = []
        self._cannot_fail = False
        self.held_places: list[Sequence[Place]] = []
        self.scopes: list[Scope] = []
        self.handling: list[int] = []
        self.failing: Failing | None = None
        self.reads_open = False
        self.remembered: dict[Any, Any] = {}
        self.failures = 0
        self.facts = facts or Facts()
        self.results: dict[Hashable, Results] = {}
        self.effects: dict[Hashable, Effects] = {}
        self.effects_from = 0
        self.keeps_sizes = False
        self.activations: dict[CodeType, list[Activation]] = {}
        self.recordings: list[FunctionRecording] = []
        self.calls_of_rows = 0
        self.made_generators: dict[int, tuple[Any, Any]] = {}
        self.draws: dict[int, tuple[Callable[[], Any], Callable[[Any], None]]] = {}
        self.search: Search | None = None
        self.keyed_sites: dict[int, tuple[object, Any]] = {}
        self.given: dict[int, tuple[Any, int]] = {}
        # The last error given to code that needed the plain value of a staged one.
        self.value_needed: StagingError | None = None
        self.streams: dict[int, Any] = {}
        self.variables: dict[int, tuple[Variable, Tensor]] = {}
        self.new_variables: list[Variable] = []
        self.notes: list[tuple[Location | None, str]] = []
        self.surroundings = Surroundings()
        self.checkpoint_names: dict[int, str] = {}
        self.derivatives = 0
        self.rule_depths: dict[int, int] = {}
        self.has_emitted = False
        self.has_bars = False
        self._probe: Probe | None = None
        self.copies: list[tuple[tuple[Memory, ...], Tensor]] = []
        self.slots: dict[int, int] = {}
        self.has_kept = False
        self.ordered: dict[int, Location | None] = {}
        self.callers = Callers(has_libraries=recorder is None)
        self.place = NO_CALLER
        self.depth_in_numpy = 0
        self.handled = sys.exception()

    # Positions

    def locate(self) -> Recorder:
        """The builder, with its location set to the user's running line."""
        return self._locate(self.callers.number_of(sys._getframe(1)))

    def locate_at(self, steps: list[Step]) -> Recorder:
        """The builder, with its location set to the innermost of these steps below the running line."""
        return self._locate(self.callers.number_of(sys._getframe(1), steps))

    def _locate(self, number: int) -> Recorder:
        if number == NO_CALLER:
            self.builder.location = None
            return self.builder
        self.stop_probe()
        refuse_present()
        self.builder.location = self.place = number
        self.has_emitted = True
        return self.builder

    def locate_in_graph(self) -> GraphRecorder:
        """As :meth:`locate`, for what only the native graph can do: derivatives, for instance.

        Raises:
            StagingError: If another recorder writes down this trace (AG120).
        """
        self._locate(self.callers.number_of(sys._getframe(1)))
        return self.graph

    def record_control(self, statement: str, *arguments: Any) -> list[Value]:
        """Records a branch or a loop at the user's running line.

        Args:
            statement: The recorder's method: ``if_``, ``while_`` or ``for_``.
            *arguments: Its arguments.

        Raises:
            StagingError: If the library of the recorder raises an error, which is not one of the program.
        """
        recorder = self._locate(self.callers.number_of(sys._getframe(1)))
        try:
            return list(getattr(recorder, statement)(*arguments))
        except NOT_OF_THE_PROGRAM:
            raise
        except Exception as error:
            refusal = recorder.refusal(f"this `{statement[:-1]}`")
            refusal.help = f"{type(error).__name__}: {error}"
            raise refusal from error

    @property
    def graph(self) -> GraphRecorder:
        """The native graph that is being built."""
        if not isinstance(self.builder, GraphRecorder):
            raise self.builder.refusal("derivatives, or what else needs the native graph")
        return self.builder

    def depth(self) -> int:
        """How many regions of the native graph are open that no statement of the program has opened."""
        return self.builder.regions if isinstance(self.builder, GraphRecorder) else 0

    # Arrays from outside

    def capture(self, array: NDArray[Any], dtype: np.dtype[Any] | None = None) -> Value:
        """The value of an array that is not an argument: an input read at every run.

        Args:
            array: The array.
            dtype: The dtype of the graph that holds its elements, if the graph does not have its own.
        """
        known = self.captured.get(id(array))
        if known is not None:
            return known[1]
        value = self.builder.function_param(dtype_name(dtype or array.dtype), list(array.shape))
        self.captured[id(array)] = (array, value)
        return value

    def keeps(self, tensor: Tensor) -> None:
        """Marks a tensor that stands for an array from outside: a failing run returns its last value."""
        self.slots[id(tensor)] = len(self.slots)
        tensor.memory.is_given = True

    def needs_order(self, slots: Iterable[int]) -> None:
        """Notes that the recording holds for arguments in C order only: NumPy's reshape may copy others."""
        for slot in slots:
            self.ordered.setdefault(slot, here())

    # What exists only while tracing

    @contextmanager
    def attempt(self, handled: Attempt | OfPython) -> Iterator[None]:
        """Runs the body of a ``try`` or ``with`` of the user.

        Args:
            handled: The ``try`` whose handlers are part of the graph, or one that Python runs.
        """
        self.attempts.append(handled)
        try:
            yield
        except (AutographError, _core.GraphError) as error:
            self.refusal = self.refusal or error
            raise Refused(error) from None
        except (ValueError, TypeError) as raised:  # A handler of the user could catch it by mistake.
            try:
                refuse_locked(raised, self.surroundings.locked, self.callers_objects.learn_locked)
            except StagingError as error:
                self.refusal = self.refusal or error
                raise Refused(error) from None
            raise
        finally:
            self.attempts.pop()

    @contextmanager
    def cannot_fail(self) -> Iterator[None]:
        """Records code of this package that no run stops: its checks ask no handler of the program."""
        before, self._cannot_fail = self._cannot_fail, True
        try:
            yield
        finally:
            self._cannot_fail = before

    def may_raise(
        self, error: str, location: Location | None = None, *, reason: str = "", help: str = ""
    ) -> None:
        """Notes that the running graph may raise an exception of this class at the user's running line.

        Args:
            error: The name of the class.
            location: The line, if it is another one.
            reason: Why the run cannot go to a handler, if that is known.
            help: What to write instead.

        Raises:
            StagingError: If a ``try`` or ``with`` of the user is around that line, and may handle it (AG135).
        """
        self.failures += error != "RecursionError"
        if self.has_plain_handlers(sys._getframe(1)):
            self._refuse_plain_handlers(class_named(error), error)
        if self.is_handled(error):
            raise not_handled(error, location, reason, help)

    def _refuse_plain_handlers(self, kind: type[BaseException], name: str) -> None:
        """Refuses an exception that a handler takes in code around the running line that is not converted.

        Raises:
            Refused: With the refusal (AG135), which none of these handlers must take.
        """
        if not issubclass(kind, AutographError) and self.callers.are_taken(sys._getframe(1), kind):
            reason = (
                "the code with the handler for it runs as it is written, once, while the graph is recorded"
            )
            refusal = not_handled(
                name,
                reason=reason,
                help="make that code an ordinary function or method, which is converted where it is called",
            )
            self.refusal = self.refusal or refusal
            raise Refused(refusal)

    @property
    def has_handlers(self) -> bool:
        """Whether a handler of the user may be around the place of the last op."""
        has_any = bool(self.attempts) or self.callers.have_handlers(self.place)
        return has_any and not self._cannot_fail

    def has_plain_handlers(self, frame: FrameType) -> bool:
        """Whether a handler may be around a frame in code that is not converted."""
        return self.callers.have_handlers(self.callers.number_of(frame))

    def is_handled(self, error: str) -> bool:
        """Whether a ``try`` or ``with`` of the user may handle exceptions of this class, or some of them."""
        return any(isinstance(one, OfPython) or one.may_handle(class_named(error)) for one in self.attempts)

    def check(
        self,
        ok: Value | None,
        error: str | type[BaseException],
        message: str = "",
        site: int | None = None,
        operands: Sequence[Value] = (),
        *,
        raised: BaseException | None = None,
        steps: Sequence[Step] = (),
        place: int | None = None,
    ) -> bool:
        """Records that the run raises an exception unless ``ok``, or goes on in a handler of the program.

        Args:
            ok: A bool; ``None`` if the exception is always raised here.
            error: Its class, or the name of that.
            message: Its message, if no site makes it.
            site: The number of the site that makes it.
            operands: The values that the site takes.
            raised: The exception, with staged values in it, if the recording has it.
            steps: The steps below the running line, to the place that raises it.
            place: The number of that place, if the exception was raised before.

        Returns:
            Whether a handler of the program takes it: after ``ok`` is ``None`` the run is there.

        Raises:
            StagingError: If a handler would take it, and the run cannot go there (AG135).
        """
        if ok is not None and known_truth(ok):
            return False
        number = self.callers.number_of(sys._getframe(1), list(steps)) if place is None else place
        builder = self._locate(number)
        name = error if isinstance(error, str) else error.__name__
        self.failures += name != "RecursionError"
        if name == "StopIteration" and self.callers.is_in_iterator(sys._getframe(1)):
            raise not_handled(name, reason="the iterator or generator around it would end with it")
        if not self._cannot_fail and (self.attempts or self.callers.have_handlers(number)):
            kind = class_named(error) if isinstance(error, str) else error
            self._refuse_plain_handlers(kind, name)
            failure = Raising(ok, kind, name, message, site, tuple(operands), raised, number)
            if failure.is_caught(self):
                return True
        never = ok is None
        value = builder.constant("bool", [], b"\0") if never else ok
        builder.check(value, name, message, site, operands)
        assume(value, True)
        return False

    # Speculation

    def mark(self) -> Mark:
        """The present state."""
        return Mark(
            self.builder.mark(),
            self.builder.value_count,
            self.journal.mark(),
            len(self.sites),
            len(self.scopes),
            len(self.scopes[-1].forks) if self.scopes else 0,
        )

    def roll_back(self, mark: Mark) -> None:
        """Forgets what was recorded since the mark and undoes the writes made since."""
        self.journal.roll_back(mark.journal)
        del self.scopes[mark.scopes :]
        if self.scopes:
            self.scopes[-1].forget(mark.forks)
        del self.sites[mark.sites :]
        self.builder.roll_back(mark.recorder)
        self.captured = {key: entry for key, entry in self.captured.items() if entry[1] < mark.values}
        for variable, state in self.variables.values():
            if id(variable._storage) not in self.captured:  # First met since the mark: reset it.
                state.value_id, state.version = self.capture(variable._storage), 0

    @contextmanager
    def stopping_at_ops(self) -> Iterator[Probe]:
        """While the ``with`` block runs, emitting an op raises :class:`OpEmitted` instead."""
        outer, self._probe = self._probe, Probe(self.journal.serial)
        try:
            yield self._probe
        finally:
            self._probe = outer

    def stop_probe(self) -> None:
        """Stops a probe, if one is under way, before something that cannot be undone."""
        if self._probe is not None:
            self._probe.has_stopped = True
            raise OpEmitted

    def will_advance(self, value: object) -> None:
        """Stops a probe before it advances an iterator from before it, or does what else cannot be undone."""
        if self._probe is not None and self.journal.is_from_before(value, self._probe.serial):
            self.stop_probe()

    def note(self, text: str) -> None:
        """Remembers something for ``explain``."""
        entry = here(), text
        if entry not in self.notes:
            self.notes.append(entry)
