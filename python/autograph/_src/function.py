"""``ag.function``: trace once for each kind of arguments, compile, run natively."""

from __future__ import annotations

import functools
import inspect
import operator
import os
import threading
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from types import MethodType
from typing import TYPE_CHECKING, Any, Generic, ParamSpec, TypeVar, overload

import numpy as np

from autograph import _core
from autograph._src import operators
from autograph._src.backends.protocol import active_backend
from autograph._src.bindings import Binding
from autograph._src.concrete import ConcreteFunction
from autograph._src.entities import plain_function
from autograph._src.fast_calls import hand_over
from autograph._src.floating_modes import MODES
from autograph._src.forced_arguments import ForcedArguments, Places, check_dynamic, static_key
from autograph._src.foreign_arrays import with_foreign_arrays
from autograph._src.input_signature import InputSignature, with_examples
from autograph._src.open_sizes import OpenSizes
from autograph._src.plain_ints import PlainInts, fits_into_64_bits
from autograph._src.policy import ORIGINAL, request
from autograph._src.recording import Arguments, definition, record
from autograph._src.signatures import Retraces, Signature, array_text
from autograph._src.staging.control.raised import put
from autograph._src.staging.objects.arguments import Flattened, RecordArguments, with_given
from autograph._src.staging.objects.nodes_of_call import Nodes
from autograph._src.staging.trace.facts import Fact, Facts
from autograph._src.staging.trace.frames import user_traceback
from autograph._src.staging.trace.signals import Learned
from autograph._src.trees import flatten
from autograph.errors import StagingError

P = ParamSpec("P")
R = TypeVar("R")

MOST_FORMS = 64
"""The dispatcher is told of so many ways to write a call at most."""


class Function(_core.Dispatcher, Generic[P, R]):
    """A staged function, made by :func:`autograph.function`.

    It is called as the user's function is, and is a method where it stands in a class.

    Attributes:
        __wrapped__: The user's function.

    Example:
        >>> import autograph as ag
        >>> halved = ag.function(lambda x: x / 2)
        >>> type(halved) is ag.Function, halved(3.0), halved.__wrapped__(3.0)
        (True, 1.5, 1.5)
        >>> halved.signatures(), halved.retraces
        (['(x: float)'], [])
    """

    def __init__(
        self,
        function: Callable[P, R],
        static: str | Iterable[str] = (),
        dynamic: str | Iterable[str] = (),
        input_signature: Sequence[Any] | None = None,
    ) -> None:
        plain = plain_function(function)
        request(plain)
        # The attributes of a callable object, such as `ag.grad(f)`, are its own business.
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
        # What records itself, as a gradient does, takes its arguments as they were given, and has no other
        # way to run.
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
        self._seen_by_dispatcher: set[ConcreteFunction] = set()
        # By how a call is written, the defaults with which the dispatcher has been told of it.
        self._forms: dict[Hashable, Any] = {}

    if TYPE_CHECKING:

        def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
            """Run the function: natively, from the second call with such arguments on without Python."""

    def _call(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> object:
        """A call that the dispatcher has no specialisation for."""
        if active_backend() is not None:
            return operators.converted_call(self.__wrapped__, *args, **kwargs)
        is_plain = os.environ.get("AUTOGRAPH_DISABLE") == "1" or not MODES.are_obeyed()
        if is_plain and not self._records_itself:
            return self.__wrapped__(*args, **kwargs)
        try:
            leaves, concrete = self._specialise(args, kwargs)
            self._hand_over(args, kwargs, leaves, concrete)
            return concrete(leaves)
        except Exception as error:
            put(error, "__traceback__", user_traceback(error.__traceback__))
            raise

    def _hand_over(
        self, args: tuple[Any, ...], kwargs: dict[str, Any], leaves: list[Any], concrete: ConcreteFunction
    ) -> None:
        """Lets the dispatcher make calls like this one from now on, if it can."""
        is_plain = self._binding.is_plain(args, kwargs)
        written = (len(args), *kwargs)
        is_told = is_plain or self._forms.get(written) is self._binding.version()
        has_nodes = bool(leaves) and type(leaves[-1]) is Nodes
        if has_nodes or (is_told and concrete in self._seen_by_dispatcher):
            return
        with self._lock:
            is_told = is_told or self._tell_form(written, args, kwargs)
            if not is_told or concrete in self._seen_by_dispatcher:
                return
            bound = self._binding.bound(args, kwargs, has_defaults=not self._records_itself)
            given: list[Any] = []
            structure, _ = flatten(bound, given)
            # An array of another library is not what the dispatcher would find in its place, nor is a
            # number that an input signature makes something else.
            are_own = len(given) == len(leaves) and all(map(operator.is_, given, leaves))
            if are_own and self._cache.get(self._key(structure, leaves)) is concrete:
                self._seen_by_dispatcher.add(concrete)
                is_plain = len(bound[0]) == self._binding.plain_count
                hand_over(self, structure, given, concrete, is_plain=is_plain)

    def _tell_form(self, written: Hashable, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
        """Tells the dispatcher how calls are bound that are written as this one is, if there is room."""
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
        """The exception to raise where the dispatcher's run of a specialisation raised."""
        if isinstance(error, _core.GraphFailure):
            error = concrete.error(error)
        put(error, "__traceback__", user_traceback(error.__traceback__))
        return error

    def __get__(self, instance: object, owner: type | None = None) -> Any:
        """A method of an instance or a class, staged."""
        if isinstance(self.__wrapped__, staticmethod):
            return self
        if isinstance(self.__wrapped__, classmethod):
            return MethodType(self, owner)
        return self if instance is None else MethodType(self, instance)

    def __repr__(self) -> str:
        return f"<ag.function {self.__qualname__}>"

    __qualname__: str

    def concrete_function(self, *args: P.args, **kwargs: P.kwargs) -> ConcreteFunction:
        """The specialisation that a call with these arguments runs, traced if it is not yet.

        Args:
            *args: As for a call, or an :class:`autograph.ArraySpec` in the place of an array. Without
                any, those of the input signature.
            **kwargs: As for a call.

        Returns:
            The traced and compiled function, whose ``graph`` can be read.

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
            if self._open_sizes.refusal is not None:  # The program needs sizes, and there are none.
                with_examples(specs, may_be_open=False)

    def concrete_functions(self) -> list[ConcreteFunction]:
        """The specialisations traced so far, oldest first; those that became stale are replaced.

        Returns:
            The specialisations.

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

        Returns:
            One for each of :meth:`concrete_functions`.
        """
        return [str(concrete.signature) for concrete in self.concrete_functions()]

    @property
    def retraces(self) -> list[str]:
        """Why the function was traced again, oldest first: the arguments or variables that changed."""
        return list(self._retraces.reasons)

    def _specialise(
        self, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[list[Any], ConcreteFunction]:
        args, kwargs = self._binding.bound(args, kwargs, has_defaults=not self._records_itself)
        if self._input_signature is not None:
            args = self._input_signature.fitted(args, kwargs)
        facts = Facts()
        for _ in range(_MOST_RECORDINGS):
            flat = self._records.flattened(args, kwargs)
            leaves = with_foreign_arrays(flat.leaves)
            self._forced.places(flat.structure, flat.args, flat.kwargs)
            self._open_sizes.learn(flat.structure, flat.args, flat.kwargs)
            concrete = self._cache.get(self._key(flat.structure, leaves))
            if concrete is None or not concrete.is_valid():
                with self._lock:
                    concrete = self._cache.get(self._key(flat.structure, leaves))
                    if concrete is None or not concrete.is_valid():
                        concrete = self._record_or_learn(flat, leaves, args, kwargs, facts)
            if concrete is not None:
                return with_given(leaves, flat, args, kwargs) if concrete.gives_objects else leaves, concrete
        raise StagingError(
            f"the arguments of {self.__name__} are looked at in another way each time that it is recorded",
            code="AG138",
            location=definition(plain_function(self.__wrapped__)),
            help="pass objects whose attributes are of one type",
        )

    def _record_or_learn(
        self,
        flat: Flattened,
        leaves: list[Any],
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        facts: Facts,
    ) -> ConcreteFunction | None:
        """Records once; ``None`` if it is to be recorded again, with what was found out.

        A recording finds facts out; or it is refused, and an argument can be taken in another way.
        """
        if self._records.needs_tables(flat, args, kwargs):
            return None
        try:
            concrete = self._record(flat, leaves, facts)
        except Learned:
            if facts.new is Fact.NODES:
                self._records.learn(facts.nodes)
                facts.forget_program()
            return None
        except StagingError as error:
            facts.forget_program()
            if not (
                self._plain_ints.give_up(flat.structure, error)
                or self._open_sizes.give_up(flat.structure, error)
            ):
                self._records.give_up(flat, error, args, kwargs)
            return None
        self._records.note_success(flat)
        self._open_sizes.note_success()
        return concrete

    def _key(self, structure: Hashable, leaves: list[Any]) -> Hashable:
        dynamic = self._plain_ints.inputs(structure)
        keys: list[Hashable] = [
            int if place in dynamic and fits_into_64_bits(leaf) else leaf_key(leaf)
            for place, leaf in enumerate(leaves)
        ]
        for place, spec in self._open_sizes.known(structure).items():
            keys[place] = spec
        forced = self._forced.known(structure)
        for place in forced.static:
            keys[place] = static_key(leaves[place], forced.names[place]) or leaf_key(leaves[place])
        for place in forced.dynamic:
            check_dynamic(leaves[place], forced.names[place])
            if type(leaves[place]) in (int, bool):
                keys[place] = ("dynamic", type(leaves[place]).__name__)
        arrays = [id(leaf) for leaf in leaves if type(leaf) in (np.ndarray, np.random.Generator)]
        if len(set(arrays)) < len(arrays):
            # Which arguments are one and the same array is part of what a trace depends on.
            return (structure, *keys, *(arrays.index(array) for array in arrays))
        return (structure, *keys)

    def _record(self, flat: Flattened, leaves: list[Any], facts: Facts) -> ConcreteFunction:
        """Records once; a Python int that comes with a second value becomes an input where it can."""
        structure = flat.structure
        forced = self._forced.known(structure)
        known = self._plain_ints.inputs(structure)
        self._plain_ints.learn(structure, leaves, forced.static | forced.dynamic)
        tried = self._plain_ints.tried
        inputs = self._inputs_among(leaves, known | tried, forced)
        open_sizes = self._open_sizes.known(structure)
        arguments = Arguments(
            leaves, flat.rebuild, inputs, forced.static, open_sizes, flat.known, keeps_sizes=bool(tried)
        )
        wrapped = self.__wrapped__
        function = wrapped.__func__ if isinstance(wrapped, (classmethod, staticmethod)) else wrapped
        concrete = record(function, self.__name__, arguments, facts)
        self._plain_ints.note_success(structure)
        key = self._key(structure, leaves)
        self._note_trace(flat, leaves, concrete, self._cache.get(key))
        self._cache[key] = concrete
        # A stale specialisation, or one whose int is an input now, must not be found any more.
        self._seen_by_dispatcher &= set() if tried else set(self._cache.values())
        self._keep_fast(list(self._seen_by_dispatcher))
        return concrete

    def _inputs_among(self, leaves: list[Any], places: Iterable[int], forced: Places) -> frozenset[int]:
        """Places of ints that are inputs; at another call the same place may hold a bool or a string."""
        ints = frozenset(place for place in places if fits_into_64_bits(leaves[place]))
        return ints | frozenset(place for place in forced.dynamic if type(leaves[place]) in (int, bool))

    def _note_trace(
        self,
        flat: Flattened,
        leaves: list[Any],
        concrete: ConcreteFunction,
        stale: ConcreteFunction | None,
    ) -> None:
        """Remembers what was traced and why; warns of an argument that is traced for each value."""
        names = flat.names(self._binding.signature)
        inputs = concrete.input_places
        shown, texts = flat.texts(names, leaves, inputs)
        for place, spec in self._open_sizes.known(flat.structure).items():
            texts[place] = array_text(spec.dtype, spec.shape)
        concrete.signature = Signature(flat.identity(), shown, texts)
        self._retraces.add(concrete.signature, None if stale is None else stale.first_change())
        self._retraces.warn_of_values(names, leaves, inputs | self._forced.known(flat.structure).static)

    __name__: str


_MOST_RECORDINGS = 300
"""How often a function is recorded for one call at most. Facts of each kind have bounds of their own."""


def leaf_key(leaf: Any) -> Hashable:
    """What of an argument a trace depends on: the type of arrays and floats, the value of the rest."""
    kind = type(leaf)
    if kind is np.ndarray:
        return (leaf.dtype, leaf.shape)
    if kind is float:
        return float
    if kind is complex:
        return complex
    if kind is np.random.Generator:
        return "generator"  # Its stream is an input.
    if kind is Nodes:
        return "nodes"  # What a graph depends on is in their tables.
    if kind in (int, bool, str, bytes, type(None)):
        return (kind, leaf)
    if isinstance(leaf, np.generic):
        return leaf.dtype
    return Identity(leaf)


@dataclass(frozen=True, eq=False)
class Identity:
    """A key that is one object; it keeps the object, so that its identity stays its own."""

    value: Any

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Identity) and self.value is other.value

    def __hash__(self) -> int:
        return id(self.value)


@overload
def function(
    f: Callable[P, R],
    /,
    *,
    static: str | Iterable[str] = (),
    dynamic: str | Iterable[str] = (),
    input_signature: Sequence[Any] | None = None,
) -> Function[P, R]: ...
@overload
def function(
    *,
    static: str | Iterable[str] = (),
    dynamic: str | Iterable[str] = (),
    input_signature: Sequence[Any] | None = None,
) -> Callable[[Callable[P, R]], Function[P, R]]: ...


def function(
    f: Any = None,
    /,
    *,
    static: str | Iterable[str] = (),
    dynamic: str | Iterable[str] = (),
    input_signature: Sequence[Any] | None = None,
) -> Any:
    """Stage a function: its calls run one native graph, control flow included.

    The first call with arguments of some kind records the function into a graph and compiles it;
    later calls with such arguments run it without Python. NumPy arrays, NumPy scalars and Python
    floats are inputs of the graph; other arguments are part of its identity, so another value
    records another graph. A Python int is that at first, and becomes an input with its second value
    unless the program needs it while tracing. Arrays of other libraries on the CPU are inputs without
    a copy. What was recorded and why is told by ``signatures()`` and ``retraces``. Lists, tuples,
    dicts, NamedTuples and dataclasses are trees of arguments.

    Args:
        f: The function, written for NumPy. Without it, a decorator.
        static: Names of parameters whose numbers are part of the graph's identity, floats too.
        dynamic: Names of parameters whose ints and bools are inputs of the graph from the first call.
        input_signature: For each positional argument (but ``self``) an :class:`autograph.ArraySpec`,
            ``float``, ``int`` or ``bool``, or a tree of them. Plain numbers become what it says, and
            any other argument is refused. Sizes that are ``None`` there are the run's: one graph is for all.

    Returns:
        A callable with the same signature and results. What comes back is made anew by each call, or is the
        caller's own object; views share memory as in NumPy where their array is returned or was passed. The
        few differences are in ``docs/differences.md``.

    Raises:
        ValueError: If `static` or `dynamic` names no parameter, or both name the same, or if the
            signature has more arguments than the function.
        ConversionError: At the first call, if the source cannot be found or converted.
        StagingError: At the first call, if a statement or operation cannot be recorded.
        GraphRuntimeError: When the graph runs and fails as CPython does not: an int left 64 bits, memory.
            What the program, Python or NumPy raises is raised as it is.

    Example:
        >>> import numpy as np
        >>> import autograph as ag
        >>> def collatz(n):
        ...     steps = 0
        ...     while n != 1:
        ...         n = n // 2 if n % 2 == 0 else 3 * n + 1
        ...         steps += 1
        ...     return steps
        >>> ag.function(collatz)(np.int64(27))
        111
        >>> @ag.function(static="rate", dynamic="n")
        ... def decayed(x, rate, n):
        ...     return x * rate**n
        >>> decayed(np.ones(2), 0.5, 3), decayed(np.ones(2), 0.5, 4)
        (array([0.125, 0.125]), array([0.0625, 0.0625]))
        >>> decayed.signatures()
        ['(x: f64[2], rate: 0.5, n: int)']
    """
    if f is None:
        return functools.partial(function, static=static, dynamic=dynamic, input_signature=input_signature)
    if isinstance(f, Function) and not static and not dynamic and input_signature is None:
        return f
    return Function(f.__wrapped__ if isinstance(f, Function) else f, static, dynamic, input_signature)
