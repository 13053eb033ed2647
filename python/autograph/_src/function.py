"""``ag.function``: records a function once for each kind of arguments, compiles the graph, runs it.

    f(np.ones(3))       # `_call`: no specialisation fits, so it records, compiles and runs one
    f(np.zeros(3))      # the same shape and dtype: the Rust dispatcher runs it without Python
    f(np.ones(4))       # another shape: another specialisation

``_key`` computes the cache key that decides which specialisation a call needs.
"""

from __future__ import annotations

import functools
import inspect
import operator
import os
import threading
from collections.abc import Callable, Hashable, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from time import perf_counter_ns
from types import MethodType
from typing import TYPE_CHECKING, Any, Concatenate, Generic, ParamSpec, TypeVar, overload

import numpy as np

from autograph import _core
from autograph._src import operators
from autograph._src.applied_writes import NotApplied
from autograph._src.argument_keys import leaf_key
from autograph._src.automatic_sizes import is_repeatable, may_fail_alone, prints
from autograph._src.backends.protocol import active_backend
from autograph._src.bindings import Binding
from autograph._src.concrete import ConcreteFunction
from autograph._src.entities import plain_function
from autograph._src.fast_calls import hand_over
from autograph._src.floating_modes import MODES
from autograph._src.forced_arguments import ForcedArguments, Places, check_dynamic, static_key
from autograph._src.foreign_arrays import with_foreign_arrays
from autograph._src.generator_calls import GeneratorCalls
from autograph._src.input_signature import InputSignature, with_examples
from autograph._src.named_callables import Making, NamedCallable, known_by_name
from autograph._src.numerics import Numerics, checked
from autograph._src.numerics import numerics as use_numerics
from autograph._src.open_sizes import OpenSizes
from autograph._src.plain_ints import PlainInts, fits_into_64_bits
from autograph._src.policy import ORIGINAL, request
from autograph._src.profiles.profile import MOST_EVENTS, Parts, Profile
from autograph._src.recording import Arguments, definition, record
from autograph._src.signatures import Retraces, Signature, array_text
from autograph._src.staging.calls.unconverted_refusals import show_users_line
from autograph._src.staging.control.contexts import leave_out_staged_contexts
from autograph._src.staging.objects.arguments import Flattened, RecordArguments, with_given
from autograph._src.staging.objects.nodes_of_call import Nodes
from autograph._src.staging.objects.written_places import WrittenPlaces
from autograph._src.staging.trace.active import staging_error
from autograph._src.staging.trace.exception_parts import put
from autograph._src.staging.trace.facts import Fact, Facts
from autograph._src.staging.trace.frames import user_traceback
from autograph._src.staging.trace.signals import Learned
from autograph._src.trees import flatten
from autograph.errors import StagingError

if TYPE_CHECKING:
    from autograph._src.bound_methods import Anything, BoundMethod

P = ParamSpec("P")
Q = ParamSpec("Q")
R = TypeVar("R")
T = TypeVar("T")

MOST_FORMS = 64
"""The most ways to write a call (``f(x)``, ``f(x=x)``, …) that the dispatcher learns for a function."""


class Function(NamedCallable, _core.Dispatcher, Generic[P, R]):
    """A staged function, made by :func:`autograph.function`.

    Call it like the user's function. As an attribute of a class it is a method. As a function is, it is
    pickled by its name and copied as itself.

    Attributes:
        __wrapped__: The user's function, which runs as plain Python.

    Example:
        >>> import autograph as ag
        >>> halved = ag.function(lambda x: x / 2)
        >>> type(halved) is ag.Function, halved(3.0), halved.__wrapped__(3.0)
        (True, 1.5, 1.5)
        >>> halved.signatures(), halved.retraces
        (['(x: float)'], [])
    """

    # What is in `__dict__` is what the user's function has: `functools.wraps` copies it to wrappers.
    __slots__ = (
        ORIGINAL,
        "__dict__",
        "__weakref__",
        "_binding",
        "_cache",
        "_forced",
        "_forms",
        "_generators",
        "_input_signature",
        "_lock",
        "_numerics",
        "_open_sizes",
        "_options",
        "_plain_ints",
        "_records",
        "_records_itself",
        "_retraces",
        "_seen_by_dispatcher",
        "_written",
    )

    def __init__(
        self,
        function: Callable[P, R],
        static: str | Iterable[str] = (),
        dynamic: str | Iterable[str] = (),
        input_signature: Sequence[Any] | None = None,
        numerics: Numerics | None = None,
    ) -> None:
        plain = plain_function(function)
        static, dynamic = (one if isinstance(one, str) else tuple(one) for one in (static, dynamic))
        self._options = (static, dynamic, input_signature, numerics)
        self._numerics = numerics
        if numerics is not None:
            checked(numerics)
        request(plain)
        # Only a function's attributes are copied: those of a callable object, such as `ag.grad(f)`, are
        # its own state.
        functools.update_wrapper(
            self, function, updated=("__dict__",) if inspect.isfunction(function) else ()
        )
        for name in ("__name__", "__qualname__"):
            if name not in self.__dict__:  # A partial and a callable object have none.
                setattr(self, name, getattr(plain, name))
        self.__wrapped__ = function
        setattr(self, ORIGINAL, function)
        self._binding = Binding(function)
        signature = self._binding.signature
        self._cache: dict[Hashable, ConcreteFunction] = {}
        # True for a transformation such as a gradient: it records by code of this package, takes its
        # arguments without defaults filled in, and cannot run as plain Python.
        self._records_itself = False
        self._lock = threading.RLock()
        self._forced = ForcedArguments(self.__name__, signature, static, dynamic)
        self._input_signature = (
            None
            if input_signature is None
            else InputSignature(self.__name__, signature, input_signature, definition(plain))
        )
        self._plain_ints = PlainInts(self.__name__)
        self._open_sizes = OpenSizes(self.__name__, self._input_signature)
        self._retraces = Retraces(self.__name__)
        self._records = RecordArguments(self.__name__, definition(plain))
        self._written = WrittenPlaces()
        self._generators = GeneratorCalls(plain)
        self._seen_by_dispatcher: set[ConcreteFunction] = set()
        # For each way to write a call, the version of the defaults that the dispatcher knows for it.
        self._forms: dict[Hashable, Any] = {}

    if TYPE_CHECKING:

        def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
            """Run the function.

            The first call with arguments of some kind records and compiles a graph; later calls with such
            arguments run it.

            Args:
                *args: The positional arguments of the user's function.
                **kwargs: Its named arguments.

            Returns:
                The result of the user's function.

            Raises:
                ConversionError: If the source cannot be found or converted.
                StagingError: If a statement or operation cannot be recorded.
                GraphRuntimeError: If the graph fails in a way that plain Python would not.
            """

    def _call(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> object:
        """Runs a call for which the dispatcher has no specialisation."""
        if active_backend() is not None:
            return operators.converted_call(self.__wrapped__, *args, **kwargs)
        is_plain = os.environ.get("AUTOGRAPH_DISABLE") == "1" or not MODES.are_obeyed()
        if (is_plain or self._generators.runs_plainly()) and not self._records_itself:
            return self.__wrapped__(*args, **kwargs)
        try:
            leaves, concrete = self._specialise(args, kwargs)
            self._hand_over(args, kwargs, leaves, concrete)
            failed: NotApplied | None = None
            try:
                return concrete(leaves)
            except NotApplied as not_applied:
                failed = not_applied
            return self._again(args, kwargs, failed)  # Not within the `except`: its error has no context.
        except Exception as error:
            leave_out_staged_contexts(error)
            show_users_line(error)
            put(error, "__traceback__", user_traceback(error.__traceback__))
            raise

    def _again(self, args: tuple[Any, ...], kwargs: dict[str, Any], failed: NotApplied) -> Any:
        """Runs a call as plain Python, whose run by the graph has failed with writes still to be made.

        A graph makes its writes to the caller's objects when it is over, so none has been made. Python makes
        those up to the statement that raises, in their order, and raises. What the run has printed and
        warned of is not repeated. A graph for any size that fails where Python would not is followed by one
        for these sizes.
        """
        repeated: tuple[list[Any], ConcreteFunction] | None = None
        if failed.structure is not None:
            self._open_sizes.note_failure(failed.structure, failed.error)
            repeated = None if failed.has_writes else self._specialise(args, kwargs)
        with failed.without_repetition():
            if repeated is None:
                return self.__wrapped__(*args, **kwargs)
            leaves, concrete = repeated
            return concrete(leaves)

    def _hand_over(
        self, args: tuple[Any, ...], kwargs: dict[str, Any], leaves: list[Any], concrete: ConcreteFunction
    ) -> None:
        """Gives the dispatcher the specialisation for calls like this one, if it can run them."""
        is_plain = self._binding.is_plain(args, kwargs)
        written = (len(args), *kwargs)
        is_told = is_plain or self._forms.get(written) is self._binding.version()
        has_nodes = bool(leaves) and type(leaves[-1]) is Nodes
        if concrete.may_fail_alone and concrete.prints:
            return  # A run that fails is followed by another one, which is not to print again.
        if has_nodes or concrete.writes or (is_told and concrete in self._seen_by_dispatcher):
            return
        with self._lock:
            is_told = is_told or self._tell_form(written, args, kwargs)
            if not is_told or concrete in self._seen_by_dispatcher:
                return
            bound = self._binding.bound(args, kwargs, has_defaults=not self._records_itself)
            given: list[Any] = []
            structure, _ = flatten(bound, given)
            # The dispatcher sees the arguments as the caller passes them. Where a leaf was replaced (an
            # array of another library, a number that an input signature converts) it cannot take over.
            are_own = len(given) == len(leaves) and all(map(operator.is_, given, leaves))
            if are_own and self._found(structure, leaves) is concrete:
                self._seen_by_dispatcher.add(concrete)
                is_plain = len(bound[0]) == self._binding.plain_count
                has_own = self._numerics is not None
                hand_over(self, structure, given, concrete, is_plain=is_plain, has_own_numerics=has_own)

    def _tell_form(self, written: Hashable, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
        """Teaches the dispatcher to bind calls that are written like this one, up to ``MOST_FORMS`` ways."""
        if written not in self._forms and len(self._forms) == MOST_FORMS:
            return False
        version = self._binding.version()
        form = self._binding.form(args, kwargs, has_defaults=not self._records_itself)
        if form is None or version is not self._binding.version():
            return False
        self._add_form(*form)
        self._forms[written] = version
        return True

    def _raised(self, concrete: ConcreteFunction, error: BaseException) -> BaseException:
        """The exception to raise after the dispatcher's run of a specialisation has raised ``error``."""
        if isinstance(error, _core.GraphFailure):
            error = concrete.error(error)
        put(error, "__traceback__", user_traceback(error.__traceback__))
        return error

    if TYPE_CHECKING:
        # What its first parameter takes tells a class method, a method and a static method apart; one
        # that takes anything, having no types, may be each.
        @overload
        def __get__(  # type: ignore[misc]
            self: Callable[Concatenate[Anything, Q], R], instance: object, owner: type | None = None
        ) -> Any: ...
        @overload
        def __get__(  # type: ignore[misc]
            self: Callable[Concatenate[type[T], Q], R], instance: T | None, owner: type[T]
        ) -> BoundMethod[Q, R]: ...
        @overload
        def __get__(self, instance: None, owner: type | None = None) -> Function[P, R]: ...
        @overload
        def __get__(
            self: Callable[Concatenate[T, Q], R], instance: T, owner: type | None = None
        ) -> BoundMethod[Q, R]: ...
        @overload
        def __get__(self, instance: object, owner: type | None = None) -> Function[P, R]: ...

    def __get__(self, instance: object, owner: type | None = None) -> Any:
        """Binds the staged function to an instance, as a function in a class is bound."""
        return self if instance is None else MethodType(self, instance)

    def __repr__(self) -> str:
        return f"<ag.function {self.__qualname__}>"

    def _making(self) -> Making:
        return _made_again, (known_by_name(self.__wrapped__), *self._options)

    def concrete_function(self, *args: P.args, **kwargs: P.kwargs) -> ConcreteFunction:
        """The specialisation that a call with these arguments runs; it is traced if there is none yet.

        Args:
            *args: As for a call, or an :class:`autograph.ArraySpec` in the place of an array. Without
                arguments, those of the input signature.
            **kwargs: As for a call.

        Returns:
            The traced and compiled specialisation; its ``graph`` can be read.

        Raises:
            ConversionError: If the source cannot be found or converted.
            StagingError: If a statement or operation cannot be recorded; if an ``ArraySpec`` among the
                arguments leaves a size open, or the input signature leaves one open that the function
                needs while it is traced (AG126).

        Example:
            >>> import numpy as np
            >>> import autograph as ag
            >>> scaled = ag.function(lambda x, rate: x * rate)
            >>> scaled.concrete_function(ag.ArraySpec((2, 3)), 0.5)
            <specialisation <lambda>(x: f64[2, 3], rate: float)>
        """
        if self._input_signature is None or args or kwargs:
            return self._specialise(*with_examples((args, dict(kwargs)), may_be_open=False))[1]
        specs: Any = (self._input_signature.specs, {})
        try:
            return self._specialise(*with_examples(specs, may_be_open=True))[1]
        finally:
            if self._open_sizes.refusal is not None:  # The program needs sizes that no argument gives.
                with_examples(specs, may_be_open=False)

    def profile(self, *args: P.args, **kwargs: P.kwargs) -> Profile[R]:
        """Runs the function once, and tells what each line of the program spends.

        The call does what an ordinary one does: it writes to arguments, prints and raises. The first one for
        arguments of some kind traces and compiles before it measures. It runs code of its own, which measures
        itself; ordinary calls are no slower for it. Its first run finds caches cold and memory untouched:
        profile twice to see what later calls take.

        Args:
            *args: As for a call.
            **kwargs: As for a call.

        Returns:
            The profile, which prints as a table. A method is profiled with its object as the first argument.

        Raises:
            StagingError: Inside of another staged function, or where staged functions run as plain Python
                (AG120).
            RuntimeError: While the function is being profiled already, as by a callback of it.

        Example:
            >>> import numpy as np
            >>> import autograph as ag
            >>> @ag.function
            ... def power(w, x, n):
            ...     for _ in range(n):
            ...         x = w @ x
            ...     return x
            >>> profile = power.profile(np.eye(3), np.ones(3), np.int64(8))
            >>> profile.result
            array([1., 1., 1.])
            >>> [(line.text, line.calls, line.flops) for line in profile.lines if line.flops]
            [('x = w @ x', 8, 144)]
        """
        self._require_graph()
        failed: NotApplied | None = None
        try:
            try:
                return Profile(self.__name__, *self._measured(args, kwargs))
            except NotApplied as not_applied:
                failed = not_applied
            self._again(args, kwargs, failed)
            if failed.structure is not None:
                return self.profile(*args, **kwargs)
            raise failed.error
        except Exception as error:
            leave_out_staged_contexts(error)
            put(error, "__traceback__", user_traceback(error.__traceback__))
            raise

    def _require_graph(self) -> None:
        """Refuses a profile where a call would run no graph of its own."""
        name = self.__name__
        if active_backend() is not None:
            raise staging_error(
                "AG120",
                f"`{name}.profile` is called while a function is being recorded",
                "profile the staged function that calls it: its lines are in that profile",
            )
        is_disabled = os.environ.get("AUTOGRAPH_DISABLE") == "1" and not self._records_itself
        if is_disabled or not (MODES.are_obeyed() or self._records_itself):
            why = "with AUTOGRAPH_DISABLE=1" if is_disabled else "where floating-point errors are to raise"
            raise StagingError(
                f"`{name}` runs as plain Python {why}: there is no graph to profile",
                code="AG120",
                help="use a profiler of Python",
            )

    def _measured(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, Parts]:
        """The result of a call, and what it has spent."""
        leaves, concrete = self._specialise(args, kwargs)
        self._hand_over(args, kwargs, leaves, concrete)
        executable = concrete.profiled
        found = self._profile(args, kwargs, concrete, executable, MOST_EVENTS)
        if found is not None:
            result, measured, whole = found
            return result, Parts(executable, measured, whole)
        start = perf_counter_ns()
        leaves, concrete = self._specialise(args, kwargs)
        result, measured = concrete.measured(leaves, MOST_EVENTS)
        return result, Parts(concrete.profiled, measured, perf_counter_ns() - start)

    def concrete_functions(self) -> list[ConcreteFunction]:
        """The specialisations traced so far, oldest first; a new trace replaces a stale one.

        Returns:
            A new list of the specialisations.

        Example:
            >>> import numpy as np
            >>> import autograph as ag
            >>> scaled = ag.function(lambda x, n: x * n)
            >>> scaled(np.ones((3, 4)), 5).shape, scaled(np.float64(2.0), 5)
            ((3, 4), np.float64(10.0))
            >>> [str(one.signature) for one in scaled.concrete_functions()]
            ['(x: f64[3, 4], n: 5)', '(x: f64, n: 5)']
            >>> scaled.retraces
            ['argument `x` was f64[3, 4], is f64']
        """
        return list(self._cache.values())

    def signatures(self) -> list[str]:
        """The signatures of the specialisations, such as ``(x: f64[3, 4], rate: float, n: 5)``.

        Inputs of the graph appear with their type, constants of the graph with their value.

        Returns:
            One string for each of :meth:`concrete_functions`.

        Example:
            >>> import numpy as np
            >>> import autograph as ag
            >>> scaled = ag.function(lambda x, n: x * n)
            >>> scaled(np.ones(2), 5)
            array([5., 5.])
            >>> scaled.signatures()
            ['(x: f64[2], n: 5)']
        """
        return [str(concrete.signature) for concrete in self.concrete_functions()]

    @property
    def retraces(self) -> list[str]:
        """Why the function was traced again: the arguments or variables that changed.

        Returns:
            One line for each reason, oldest first.

        Example:
            >>> import autograph as ag
            >>> doubled = ag.function(lambda x: x * 2)
            >>> doubled(1.0), doubled(True)
            (2.0, 2)
            >>> doubled.retraces
            ['argument `x` was float, is True']
        """
        return list(self._retraces.reasons)

    def _is_exact(self) -> bool:
        """Whether calls made now are to be exact."""
        return _core.is_exact() if self._numerics is None else self._numerics == "exact"

    def _specialise(
        self, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[list[Any], ConcreteFunction]:
        with self._mode():  # No function of its own: warnings count the frames.
            args, kwargs = self._binding.bound(args, kwargs, has_defaults=not self._records_itself)
            if self._input_signature is not None:
                args = self._input_signature.fitted(args, kwargs)
            facts = Facts()
            for _ in range(_MOST_RECORDINGS):
                written = self._written.of(args, kwargs)
                with _NOTHING if written is None else self._lock:  # No other thread records meanwhile.
                    flat = self._records.flattened(args, kwargs, written)
                leaves = with_foreign_arrays(flat.leaves)
                self._forced.places(flat.structure, flat.args, flat.kwargs)
                self._open_sizes.learn(flat.structure, flat.args, flat.kwargs)
                concrete = self._found(flat.structure, leaves)
                if concrete is None:
                    with self._lock:
                        concrete = self._found(flat.structure, leaves)
                        if concrete is None:
                            concrete = self._record_or_learn(flat, leaves, args, kwargs, facts)
                if concrete is not None:
                    if concrete.gives_objects:
                        leaves = with_given(leaves, flat, args, kwargs)
                    return leaves, concrete
        raise StagingError(
            f"the arguments of {self.__name__} are looked at in another way each time that it is recorded",
            code="AG138",
            location=definition(plain_function(self.__wrapped__)),
            help="pass objects whose attributes are of one type",
        )

    def _mode(self) -> AbstractContextManager[None]:
        """Sets the mode of numbers of the function, if it has one."""
        return nullcontext() if self._numerics is None else use_numerics(self._numerics)

    def _record_or_learn(
        self,
        flat: Flattened,
        leaves: list[Any],
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        facts: Facts,
    ) -> ConcreteFunction | None:
        """Records once; ``None`` if the caller has to look up and record again.

        That is so when the recording found out a fact that it needed from its beginning, or was refused and
        an argument can be treated in another way, for example as a constant.
        """
        if self._records.needs_tables(flat, args, kwargs):
            return None
        stale = None if flat.tree is not None else self._cache.get(self._key(flat.structure, leaves))
        if stale is not None and self._written.learn_changed(args, kwargs, stale.guarded_objects()):
            return None
        try:
            concrete = self._record(flat, leaves, facts)
        except Learned:
            if facts.new is Fact.NODES:
                self._records.learn(facts.nodes)
                facts.forget_program()
            elif facts.new is Fact.PLACES:
                self._written.learn(args, kwargs, facts)
                facts.forget_program()
            return None
        except StagingError as error:
            facts.forget_program()
            if not (
                self._open_sizes.give_up_tried(error)
                or self._written.give_up(args, kwargs)
                or self._plain_ints.give_up(flat.structure, error)
                or self._open_sizes.give_up(flat.structure, error)
            ):
                self._records.give_up(flat, error, args, kwargs)
            return None
        self._records.note_success(flat)
        self._open_sizes.note_success(flat.names(self._binding.signature))
        return concrete

    def _found(self, structure: Hashable, leaves: list[Any]) -> ConcreteFunction | None:
        """The specialisation for such arguments: one for these very sizes, or one for any."""
        known = self._key(structure, leaves, is_open=False)
        concrete = self._cache.get(known)
        if concrete is not None and concrete.is_valid():
            return concrete
        if not self._open_sizes.are_automatic(structure, leaves):
            return None
        opened = self._cache.get(self._key(structure, leaves))
        if opened is None or not opened.is_valid():
            return None
        if concrete is not None:  # The dispatcher would find it before the other one.
            with self._lock:
                self._cache.pop(known, None)
                self._seen_by_dispatcher.discard(concrete)
                self._keep_fast(list(self._seen_by_dispatcher))
        return opened

    def _key(
        self, structure: Hashable, leaves: list[Any], *, is_exact: bool | None = None, is_open: bool = True
    ) -> Hashable:
        """The key of the specialisation for arguments like these, in the mode of numbers of the call.

        Args:
            structure: The structure of the arguments.
            leaves: Their leaves.
            is_exact: Another mode of numbers.
            is_open: Whether sizes that are open without an input signature are so in the key.
        """
        dynamic = self._plain_ints.inputs(structure)
        keys: list[Hashable] = [
            int if place in dynamic and fits_into_64_bits(leaf) else leaf_key(leaf)
            for place, leaf in enumerate(leaves)
        ]
        if is_open or self._input_signature is not None:
            for place, spec in self._open_sizes.known(structure, leaves).items():
                keys[place] = spec
        forced = self._forced.known(structure)
        for place in forced.static:
            keys[place] = static_key(leaves[place]) or leaf_key(leaves[place])
        for place in forced.dynamic:
            check_dynamic(leaves[place], forced.names[place])
            if type(leaves[place]) in (int, bool):
                keys[place] = ("dynamic", type(leaves[place]).__name__)
        arrays = [id(leaf) for leaf in leaves if type(leaf) in (np.ndarray, np.random.Generator)]
        if len(set(arrays)) < len(arrays):
            # A trace depends on which arguments are the same array.
            keys += (arrays.index(array) for array in arrays)
        if self._is_exact() if is_exact is None else is_exact:
            keys.append("exact")
        return (structure, *keys)

    def _record(self, flat: Flattened, leaves: list[Any], facts: Facts) -> ConcreteFunction:
        """Records once, with a Python int as an input if this call passes a second value for it."""
        structure = flat.structure
        forced = self._forced.known(structure)
        known = self._plain_ints.inputs(structure)
        self._plain_ints.learn(structure, leaves, forced.static | forced.dynamic)
        tried = self._plain_ints.tried
        self._open_sizes.see(structure, leaves, forced.static, may_open=not tried)
        inputs = self._inputs_among(leaves, known | tried, forced)
        open_sizes = self._open_sizes.known(structure, leaves)
        arguments = Arguments(
            leaves,
            flat.rebuild,
            inputs,
            frozenset(place for place in forced.static if type(leaves[place]) is not np.ndarray),
            open_sizes,
            flat.known,
            keeps_sizes=bool(tried),
            written=flat.written,
            tree=flat.tree,
            can_write=not self._records_itself and flat.schema is None,
            names=lambda: flat.names(self._binding.signature),
        )
        concrete = record(self.__wrapped__, self.__name__, arguments, facts)
        if self._open_sizes.are_automatic(structure, leaves):
            concrete.opened = structure
            concrete.notes.append(
                (
                    definition(plain_function(self.__wrapped__)),
                    self._open_sizes.note(open_sizes, flat.names(self._binding.signature)),
                )
            )
            concrete.may_fail_alone = may_fail_alone(concrete.graph)
            concrete.prints = prints(concrete.graph)
            if concrete.may_fail_alone and not is_repeatable(concrete.graph):
                raise StagingError(
                    "with sizes that only the run knows it may fail where Python would not, and what it calls"
                    " cannot be called again",
                    code="AG117",
                    location=definition(plain_function(self.__wrapped__)),
                )
        self._plain_ints.note_success(structure)
        key = self._key(structure, leaves)
        other = self._cache.get(self._key(structure, leaves, is_exact=not self._is_exact()))
        stale = self._cache.get(key)
        change = None if stale is None else stale.first_change()
        self._note_trace(flat, leaves, concrete, change or (None if other is None else "`ag.set_numerics`"))
        self._cache[key] = concrete
        # The dispatcher must no longer find a stale specialisation, or one whose int has become an input.
        self._seen_by_dispatcher &= set() if tried else set(self._cache.values())
        self._keep_fast(list(self._seen_by_dispatcher))
        return concrete

    def _inputs_among(self, leaves: list[Any], places: Iterable[int], forced: Places) -> frozenset[int]:
        """Which of these places hold an input int in this call; a place may hold a bool or string instead."""
        ints = frozenset(place for place in places if fits_into_64_bits(leaves[place]))
        return ints | frozenset(place for place in forced.dynamic if type(leaves[place]) in (int, bool))

    def _note_trace(
        self,
        flat: Flattened,
        leaves: list[Any],
        concrete: ConcreteFunction,
        change: str | None,
    ) -> None:
        """Remembers what was traced and why; warns of an argument that is traced again for each value."""
        names = flat.names(self._binding.signature)
        inputs = concrete.input_places
        shown, texts = flat.texts(names, leaves, inputs)
        for place, spec in self._open_sizes.known(flat.structure, leaves).items():
            texts[place] = array_text(spec.dtype, spec.shape)
        concrete.signature = Signature(flat.identity(), shown, texts)
        self._retraces.add(concrete.signature, change)
        self._retraces.warn_of_values(names, leaves, inputs | self._forced.known(flat.structure).static)

    __name__: str


_NOTHING = nullcontext()

_MOST_RECORDINGS = 300
"""The most recordings for one call. Facts of each kind have bounds of their own."""


def _made_again(f: Any, *options: Any) -> Function[..., Any]:
    """A staged function that is unpickled."""
    return Function(f.__wrapped__ if isinstance(f, Function) else f, *options)
