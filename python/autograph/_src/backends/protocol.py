"""The protocol between the operators of converted code and the libraries that stage values.

A back-end registers the types of its staged values. An operator calls :func:`backend_of` with the value
that decides its statement: ``None`` means that the value is plain and the statement runs now, in Python.
"""

from __future__ import annotations

import builtins
import re
import sys
import threading
from collections.abc import Callable, Hashable
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from types import FrameType
from typing import TYPE_CHECKING, Any

from numpy.typing import DTypeLike

from autograph import _core
from autograph._src.backends.iterators_protocol import OfIterators
from autograph._src.backends.plain_try import Kinds, run_try
from autograph._src.load import is_converted_code
from autograph._src.own_attributes import has_own
from autograph._src.staging.trace.frames import here, location_of
from autograph.errors import Location, StagingError

if TYPE_CHECKING:
    from autograph._src.operators.places import Place

State = tuple[Any, ...]
GetState = Callable[[], State]
SetState = Callable[[State], None]

Begin = Callable[[Callable[[BaseException | None], None], "bool | None"], None]
"""Begins a ``try`` whose body is all that follows in a ``with``. It is told what to do at its end, with the
exception that is raised there; and whether that can be recorded, is Python's (``False``), or nobody sees it
(``None``)."""


class Backend(OfIterators):
    """The base class of back-ends: one method for each statement that a staged value can decide.

    A back-end overrides the methods for the statements that it can stage. The methods of other statements
    raise a located :class:`~autograph.errors.StagingError` (AG120), so that nothing is silently wrong.
    Methods that only notify the back-end (``will_write``, ``entered``, ``created``, ``note``, ``attempt``)
    do nothing by default.

    The arguments of statements have the same meaning in all methods:

    - ``body``, ``orelse``, ``test``, ``extra_test`` and ``rest`` are functions that run a part of the
      statement.
    - ``get_state()`` returns a tuple of the values of the variables that these parts may change, and
      ``set_state(values)`` assigns them. Both are ``None`` if there are no such variables. An unbound
      variable has an :class:`~autograph.backends.Undefined` as its value.
    - ``names`` are the names of these variables.

    ``docs/backends.md`` explains the protocol and shows a complete small back-end.

    Attributes:
        name: The back-end's name in messages.

    Example:
        >>> from autograph.backends import Backend
        >>> print(Backend().refuse("`while`").message)
        this back-end does not stage `while`
    """

    name: str = "this back-end"

    def refuse(self, what: str, help: str | None = None) -> StagingError:
        """The error for a statement or use that the back-end does not stage, at the user's present line.

        Args:
            what: The statement or use in the user's terms: ``"`while`"``.
            help: What to write instead, if anything is known.

        Returns:
            The error, for the caller to raise.
        """
        return StagingError(
            f"{self.name} does not stage {what}", code="AG120", location=_statement(), help=help
        )

    def is_active(self) -> bool:
        """Whether this back-end is the one that records on this thread.

        Returns:
            True inside ``with activated(self):``, unless another back-end is activated further inside.
        """
        return active_backend() is self

    # Statements

    def if_stmt(
        self,
        test: Any,
        body: Callable[[], None],
        orelse: Callable[[], None] | None,
        get_state: GetState | None,
        set_state: SetState | None,
        names: tuple[str, ...],
        n_outputs: int,
    ) -> None:
        """Runs or records ``if test: body() else: orelse()`` with a staged test.

        Args:
            test: The staged test.
            body: Runs the first branch.
            orelse: Runs the second branch; ``None`` if there is none.
            get_state: Returns the values of the variables that the branches may change.
            set_state: Assigns these variables.
            names: The names of these variables.
            n_outputs: How many of them, from the first on, are read after the statement.

        Raises:
            StagingError: If the back-end does not stage ``if``.
        """
        raise self.refuse("`if`")

    def while_stmt(
        self,
        first_test: Any,
        test: Callable[[], Any],
        body: Callable[[], None],
        get_state: GetState | None,
        set_state: SetState | None,
        names: tuple[str, ...],
    ) -> None:
        """Runs or records the remaining iterations of a ``while`` whose test has become staged.

        Args:
            first_test: The value of the test that was just evaluated.
            test: Evaluates the test again.
            body: Runs one iteration.
            get_state: Returns the values of the variables that the test and the body may change.
            set_state: Assigns these variables.
            names: The names of these variables.

        Raises:
            StagingError: If the back-end does not stage ``while``.
        """
        raise self.refuse("`while`")

    def for_stmt(
        self,
        iterable: Any,
        extra_test: Callable[[], Any] | None,
        body: Callable[[Any], None],
        get_state: GetState | None,
        set_state: SetState | None,
        names: tuple[str, ...],
    ) -> None:
        """Runs or records a ``for`` over a staged iterable, or any ``for`` while the back-end is active.

        By default a loop over a plain iterable runs now, and one over a staged iterable is refused.

        Args:
            iterable: The iterable.
            extra_test: Tells before each item whether the loop goes on: it is false after a ``break`` or
                ``return``. ``None`` if the loop has neither.
            body: Runs one iteration, given the item.
            get_state: Returns the values of the variables that the body may change.
            set_state: Assigns these variables.
            names: The names of these variables.

        Raises:
            StagingError: If the back-end does not stage a loop over this iterable.
        """
        if backend_of(iterable) is not None:
            raise self.refuse("`for`")
        try:
            run_for(iter(iterable), extra_test, body)
        except BaseException:
            del iterable  # see `run_for`
            raise

    def assert_stmt(self, test: Any, message: Callable[[], Any] | None) -> None:
        """Records ``assert test, message()`` with a staged test; ``message`` is ``None`` if there is none."""
        raise self.refuse("`assert`")

    # Expressions

    def if_exp(self, test: Any, body: Callable[[], Any], orelse: Callable[[], Any]) -> Any:
        """The value of ``body() if test else orelse()`` with a staged test."""
        raise self.refuse("an `if` expression")

    def and_(self, left: Any, rest: Callable[[], Any]) -> Any:
        """The value of ``left and rest()`` with a staged left operand."""
        raise self.refuse("`and`")

    def or_(self, left: Any, rest: Callable[[], Any]) -> object:
        """The value of ``left or rest()`` with a staged left operand."""
        raise self.refuse("`or`")

    def list_comprehension(
        self, iterable: Any, element: Callable[[Any], Any], condition: Callable[[Any], Any] | None
    ) -> object:
        """The value of ``[element(item) for item in iterable if condition(item)]``.

        Returns:
            The list, or ``NotImplemented`` (the default) to let Python run the comprehension.
        """
        return NotImplemented

    def generator(
        self, iterable: Any, element: Callable[[Any], Any], condition: Callable[[Any], Any] | None
    ) -> object:
        """The value of ``(element(item) for item in iterable if condition(item))`` over a staged iterable.

        Returns:
            An iterable, or ``NotImplemented`` (the default) to let Python make a generator.
        """
        return NotImplemented

    def not_(self, value: Any) -> object:
        """The value of ``not value`` for a staged value."""
        raise self.refuse("`not`")

    def is_(self, left: Any, right: Any) -> Any:
        """The value of ``left is right`` where at least one operand is staged."""
        if left is right:
            return True
        raise self.refuse("`is`")

    def contains(self, item: Any, container: Any) -> object:
        """The value of ``item in container`` where at least one of them is staged."""
        raise self.refuse("`in`")

    def joined_string(self, parts: tuple[Any, ...]) -> object:
        """The value of an f-string with a staged field, from its literal and formatted parts."""
        raise self.refuse("f-strings")

    def formatted(self, value: Any, conversion: str | None, spec: str) -> object:
        """The formatted field ``{value!conversion:spec}`` of an f-string, for a staged value."""
        raise self.refuse("f-strings")

    # Items and attributes

    def get_item(self, target: Any, index: Any) -> object:
        """The value of ``target[index]`` where at least one of them is staged."""
        raise self.refuse("reading an item")

    def set_item(self, target: Any, index: Any, value: Any) -> None:
        """Runs or records ``target[index] = value`` where the target or the index is staged."""
        raise self.refuse("writing an item")

    def item_to_update(self, item: Any) -> object:
        """The operand for ``target[index] += value`` on a staged container: by default the item itself."""
        return item

    def iterable(self, value: Any, words: str) -> Any:
        """The iterable to use where Python code is about to iterate over a staged value.

        Args:
            value: The staged value, such as ``v`` in ``xs[a:b] = v`` or ``text.join(v)``.
            words: Python's error message for a value that is not iterable.

        Returns:
            What to iterate over; by default the value itself.
        """
        return value

    def attribute_to_update(self, target: Any, name: str) -> object:
        """The operand for ``target.name += value`` on a staged value: by default the attribute itself."""
        return getattr(target, name)

    def del_item(self, target: Any, index: Any) -> None:
        """Runs or records ``del target[index]`` where at least one of them is staged."""
        raise self.refuse("deleting an item")

    def set_attr(self, target: Any, name: str, value: Any) -> None:
        """Runs or records ``target.name = value`` for a staged target."""
        raise self.refuse("writing an attribute")

    def del_attr(self, target: Any, name: str) -> None:
        """Runs or records ``del target.name`` for a staged target."""
        raise self.refuse("deleting an attribute")

    # Calls

    def call_builtin(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> object:
        """The result of calling a builtin or a class with a staged argument, and of every ``print``.

        By default a builtin with a staged argument is refused; all other calls are made unchanged.

        Args:
            function: The builtin or class.
            args: The positional arguments.
            kwargs: The named arguments.

        Returns:
            The result, or ``NotImplemented`` to have the call made unchanged.

        Raises:
            StagingError: If the back-end does not stage the call.
        """
        is_builtin = getattr(function, "__module__", None) in ("builtins", None)
        if is_builtin and backend_among((*args, *kwargs.values())) is not None:
            raise self.refuse(f"`{getattr(function, '__name__', function)}`")
        return NotImplemented

    def call_numpy(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> object:
        """The result of calling a function, ufunc or scalar class of NumPy.

        By default a call with plain arguments is made unchanged, and one with a staged argument is refused.

        Args:
            function: NumPy's function.
            args: The positional arguments.
            kwargs: The named arguments.

        Raises:
            StagingError: If the back-end does not stage the call.
        """
        if backend_among((*args, *kwargs.values())) is not None:
            raise self.refuse(f"`numpy.{getattr(function, '__name__', function)}`")
        return function(*args, **kwargs)

    def makes_array(self, function: Any) -> bool:
        """Whether a NumPy function makes an array, so that its result is staged even if no argument is.

        By default false for every function.
        """
        return False

    def knows(self, function: Any) -> bool:
        """Whether calls of a function of an installed package with staged values come to ``call_numpy``.

        By default false for every function.
        """
        return False

    def declare_elements(self, values: Any, dtype: DTypeLike | None, shape: Any) -> None:
        """Notifies of ``ag.set_element_type``: the dtype and shape of the elements that a list will hold."""

    def return_value(self, value: Any) -> object:
        """The result of a function in which a staged value decides whether a ``return`` runs.

        Args:
            value: The returned value or tuple of values. Its variables are unbound on paths without a
                ``return``, where the result has to be ``None``.
        """
        raise self.refuse("a `return` that a staged value decides")

    def certain_value(self, value: Any) -> object:
        """The result of a function in which a staged value decides which ``return`` runs, and one does."""
        return value

    # Variables, and what converted code tells

    def load(self, value: Any, is_free: bool = False) -> object:
        """The value of a staged variable that may be unbound.

        Args:
            value: What the variable holds.
            is_free: Whether the variable belongs to an enclosing function. If it is unbound, the program
                has to fail with ``NameError``, otherwise with ``UnboundLocalError``.
        """
        raise self.refuse("a variable that may be unbound")

    def will_write(self, place: Place) -> None:
        """Notifies that converted code is about to write to an attribute or container of a plain object.

        So it does of a call of a function that may write a variable around it: ``place.is_variable``.
        """

    def will_write_staged(self, array: Any) -> None:
        """Notifies that converted code is about to call a function that may write staged values to it."""

    def run_extension(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> object:
        """Calls a function of an extension module."""
        return function(*args, **kwargs)

    def run_unconverted(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> object:
        """Calls a function that is not converted, while the back-end is active; returns its result."""
        return function(*args, **kwargs)

    def keeps(self, value: Any) -> bool:
        """Whether objects from outside may hold this value, which was made while recording."""
        return False

    def reads(self, *values: Any) -> None:
        """Notifies that converted code is about to read plain objects, as arguments of a call."""

    def reads_part(self, container: Any) -> None:
        """As :meth:`reads`, where an item of a container is read or items are moved: none is looked into."""

    def has_staged_key(self, container: Any, key: Any) -> None:
        """Notifies that a plain dict or set is used with a staged key, before that is refused.

        Args:
            container: The dict or set.
            key: The key; ``None`` if it gets several.
        """

    def made_of(self, kind: Any, values: Any) -> object:
        """A dict of pairs, or a set of elements, in a list that a comprehension of staged keys has made."""
        return kind(values)

    def read_item(self, target: Any, index: Any, item: Any) -> None:
        """Notifies that converted code has read ``item`` as ``target[index]`` of a plain object."""

    def getter_called(self, function: Callable[..., Any]) -> None:
        """Notifies that converted code calls a function that reads interpreter state (``os.getcwd``)."""

    def reads_name(self, name: Any) -> None:
        """Notifies that converted code is about to read an attribute by a computed name (``getattr``)."""

    def is_same(self, left: object, right: object) -> object:
        """``left is right`` of two plain objects, which need not be the same in each run."""
        return left is right

    def stands_for(self, value: object) -> bool:
        """Whether a value is one that the back-end has made in place of a plain object of the program."""
        return False

    def raised(self, error: object, again: Callable[[Any], Any]) -> object:
        """What ``raise error`` raises; ``again`` raises another one in its place."""
        return error

    def traceback_of(self, error: Any) -> object:
        """``error.__traceback__``."""
        return error.__traceback__

    def cause(self, error: object) -> object:
        """What ``raise … from error`` takes."""
        return error

    def plain_class(self, value: object) -> type:
        """``type(value)`` as the program sees it, of a staged value or of an object made while recording."""
        return type(value)

    def would_freeze(self, message: str, help: str) -> None:
        """Notifies of a call that gives something else each time, such as ``time.time()``.

        Args:
            message: What such a call would mean while recording.
            help: What to write instead.
        """

    def reads_opaque(self, value: object) -> None:
        """Notifies that a method of an object is called whose state no Python attribute shows: a queue."""

    def call_cached(self, key: Hashable, call: Callable[[], Any]) -> object:
        """A call of a function under ``lru_cache`` with plain arguments; by default without the cache.

        Args:
            key: The function and its arguments.
            call: Calls the function.
        """
        return call()

    def entered(self, function: Callable[..., Any]) -> None:
        """Notifies that converted code is about to call a function of the user."""

    def run_function(
        self, function: Any, converted: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> object:
        """Calls a function of the user through its converted version, or stages the call as a whole."""
        return converted(*args, **kwargs)

    def run_iteration(self, body: Any, names: tuple[str, ...]) -> None:
        """Runs one iteration of a ``while`` whose test is plain."""
        body()

    def places_that_raise(self) -> int:
        """How many places were recorded from which the run may go to a handler around."""
        return 0

    def created(self, value: Any) -> Any:
        """Notifies that converted code made a dict, set or object; returns the object to use instead."""
        return value

    def made_list(self, values: list[Any]) -> Any:
        """Notifies of a new list without other references; returns the object to use instead."""
        return self.created(values)

    def made_object(self, value: Any, is_referred_to: bool) -> object:
        """Notifies that a new dict or object is complete, its ``__init__`` included.

        Args:
            value: The object, which :meth:`created` has seen before.
            is_referred_to: Whether another object may already refer to it, because of its ``__init__``.

        Returns:
            The object to use instead; by default the value.
        """
        return value

    def chosen_by(self, test: Any, value: Any, rest: Callable[[], Any], is_and: bool) -> Any:
        """Runs or records ``value and rest()`` or ``value or rest()`` of an object of the user.

        Args:
            test: What the object's ``__bool__`` or ``__len__`` has given, which is staged.
            value: The object.
            rest: Evaluates the right operand.
            is_and: Whether the operator is ``and``.

        Raises:
            StagingError: If the back-end does not stage it.
        """
        raise self.refuse("`and` or `or` of an object whose truth is staged")

    def spells_operators(self) -> bool:
        """Whether converted text has calls for Python's operators, which convert the user's methods.

        Returns:
            False: Python calls the methods.
        """
        return False

    def leaves(self, kind: type[BaseException]) -> Exception:
        """The refusal of an exception that leaves such a statement, with handlers around."""
        return self.refuse(f"a generator that is left by `{kind.__name__}`")

    def made_copy(self, value: Any, original: object) -> object:
        """Notifies of what ``copy.copy`` or ``copy.deepcopy`` has made; returns the object to use instead."""
        return value

    def gave_variables(self, variables: Any, owner: object) -> None:
        """Notifies of the dict that ``vars(owner)`` gave, which changes with the attributes of `owner`."""

    def watch(self, value: Any) -> None:
        """Notifies that unconverted code, such as a generator, will write to an object at unknown times."""

    def note(self, text: str) -> None:
        """Notifies of a decision that a reader of the recording may want to know, as text."""

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
        """Stages ``try``; by default Python runs it, and its handlers take what is raised while recording.

        Args:
            clauses: Runs one of its blocks, by its number: the body, the handlers, ``else``, ``finally``. A
                handler gets the exception.
            kinds: The classes of each handler; ``None`` if it takes everything.
            has_else: Whether there is an ``else``.
            has_finally: Whether there is a ``finally``.
            get_state: Reads the variables that the blocks share with the rest of the function.
            set_state: Assigns them.
            names: Their names.
        """

        def guarded(clause: int, caught: BaseException | None) -> None:
            with self.attempt() if clause == 0 else nullcontext():
                clauses(clause, caught)

        run_try(guarded, kinds, has_else, has_finally)

    def with_exits(
        self,
        run: Callable[[Begin], None],
        get_state: GetState | None,
        set_state: SetState | None,
        names: tuple[str, ...],
    ) -> bool:
        """Stages a ``with`` of an ``ExitStack``; gives whether it has run it.

        Args:
            run: Runs the body; it is given :data:`Begin`, for what the body pushes.
            get_state: Reads the variables that the body shares with the rest of the function.
            set_state: Assigns them.
            names: Their names.
        """
        return False

    def attempt(self, clause: str = "") -> AbstractContextManager[None]:
        """A context manager for a ``try`` or ``with`` body, whose handlers run only while recording.

        Args:
            clause: ``with``, ``with`` and the name of a manager that is not converted, or the clause of the
                ``try`` for which Python runs it; empty if there is none.
        """
        return nullcontext()


def _statement() -> Location | None:
    """The innermost place in converted code on the call stack: frames of the back-end's files are skipped."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        if is_converted_code(frame.f_code):
            return location_of(frame.f_code, frame.f_lasti)
        frame = frame.f_back
    return here()


def run_for(items: Any, extra_test: Callable[[], Any] | None, body: Callable[[Any], None]) -> None:
    """Runs a ``for`` over plain values now.

    The test is evaluated before the iterator advances: a loop that was left takes no further item.

    Args:
        items: The iterator.
        extra_test: Tells before each item whether the loop goes on; ``None`` if it cannot be left early.
        body: Runs one iteration.
    """
    try:
        if extra_test is None:
            for item in items:
                body(item)
            return
        while extra_test():
            try:
                item = next(items)
            except StopIteration:
                return
            body(item)
    except BaseException:
        # The traceback keeps this frame alive. Without the iterator in it, a generator is closed before a
        # `with` around the loop is left, as in CPython.
        del items
        raise


_by_type: dict[type, Backend] = {}
"""The back-ends of this package's own classes, which have no subclasses of the user, and of others'."""

_by_base: dict[type, Backend] = {}
"""The back-ends of classes whose subclasses are staged, too."""


class _Active(threading.local):
    """The active back-ends of a thread, innermost last; a new thread starts with the class's empty stack."""

    stack: tuple[Backend | None, ...] = ()


_active = _Active()


def register(backend: Backend, *types: type) -> None:
    """Makes values of these types staged: statements that they decide call this back-end.

    Args:
        backend: The back-end.
        *types: The types of its staged values. Values of their subclasses are staged, too; if several of
            the bases are registered, the first in the subclass's ``__mro__`` decides.

    Example:
        >>> from autograph import to_graph
        >>> from autograph.backends import Backend, register
        >>> class Flag:
        ...     pass
        >>> class Inverted(Backend):
        ...     def not_(self, value):
        ...         return "not staged"
        >>> register(Inverted(), Flag)
        >>> to_graph(lambda flag: not flag)(Flag())
        'not staged'
    """
    for staged_type in types:
        _by_type[staged_type] = _by_base[staged_type] = backend


def register_only(backend: Backend, *types: type) -> None:
    """As :func:`register`, without subclasses: the fast way, for classes that have none."""
    for staged_type in types:
        _by_type[staged_type] = backend


def register_subclass(kind: type) -> None:
    """Makes values of a class staged as those of its first base class of :func:`register_only` are."""
    backend = next((_by_type[base] for base in kind.__mro__[1:] if base in _by_type), None)
    if backend is not None:
        _by_type[kind] = backend


def backend_of(value: object) -> Backend | None:
    """The back-end of a staged value, or ``None`` for a plain one."""
    found = _by_type.get(type(value))
    return _of_base(type(value)) if found is None and _by_base else found


def _of_base(kind: type) -> Backend | None:
    """The back-end of the first registered base class."""
    for base in kind.__mro__:
        if base in _by_base:
            return _by_base[base]
    return None


def type_name(value: object) -> str:
    """The type's name for messages: never the name of a class of this package, such as ``StagedList``."""
    kind = type(value)
    if kind not in _by_type or not kind.__module__.startswith("autograph._src.staging."):
        return kind.__name__
    names = [getattr(value, name) for name in ("type_name", "kind", "ag_type_name") if has_own(value, name)]
    return next((name for name in names if isinstance(name, str)), "staged value")


def names_of_ours(text: str) -> bool:
    """Whether a message of Python contains the name of a staged type."""
    return "autograph._src." in text or any(re.search(rf"\b{name}\b", text) for name in _our_names())


def without_our_names(text: str) -> str:
    """A message of Python or NumPy with the names of staged types replaced that are no names of Python's."""
    names = sorted(name for name in _our_names() if not hasattr(builtins, name))
    return re.sub(rf"\b(?:{'|'.join(names)})\b", "staged value", text) if names else text


def _our_names() -> set[str]:
    """The names of the classes of staged values."""
    ours = {kind.__name__ for kind in _by_type if kind.__module__.startswith("autograph._src.staging.")}
    pending = list(_by_base)
    while pending:
        kind = pending.pop()
        ours.add(kind.__name__)
        pending += type.__subclasses__(kind)
    # Classes of staged numbers, tuples and lists have the names of Python's: messages with these are right.
    return ours - _OF_PYTHON


_OF_PYTHON = frozenset(("bool", "int", "float", "complex", "tuple", "list"))


def backend_among(values: Any) -> Backend | None:
    """The back-end of the first staged value among these."""
    for value in values:
        backend = _by_type.get(type(value))
        if backend is None and _by_base:
            backend = _of_base(type(value))
        if backend is not None:
            return backend
    return None


class _Recording(partial[Any]):
    """A callable that needs no Python frame, and that is pickled by its name."""

    def __reduce__(self) -> str:
        return "RECORDING"


RECORDING = _Recording(getattr, _active, "stack")
"""Returns this thread's stack of back-ends, which is false when empty. ``prologue.py`` calls it."""


def active_backend() -> Backend | None:
    """The innermost back-end that records on this thread, or ``None``."""
    stack = _active.stack
    return stack[-1] if stack else None


def _set_active(stack: tuple[Backend | None, ...]) -> None:
    _active.stack = stack
    _core.count_backends(len(stack))  # for calls that run no Python


class activated:  # noqa: N801 - a context manager, read as a verb
    """A context manager in which a back-end records on this thread.

    Converted code then converts the user's functions that it calls, and notifies the back-end of writes.
    Activations nest; each thread has its own.

    Args:
        backend: The back-end; ``None`` to have none record inside the block.

    Example:
        >>> from autograph.backends import Backend, activated
        >>> backend = Backend()
        >>> with activated(backend):
        ...     backend.is_active()
        True
        >>> backend.is_active()
        False
    """

    def __init__(self, backend: Backend | None) -> None:
        self._backend = backend

    def __enter__(self) -> None:
        _set_active((*_active.stack, self._backend))

    def __exit__(self, *_: object) -> None:
        _set_active(_active.stack[:-1])


WITHOUT_STATE = frozenset((bool, int, float, complex, str, bytes, type(None)))
"""Classes of immutable values: a back-end need not know that one was read."""


def reads(value: object) -> None:
    """Tells the active back-end that converted code reads a plain value to decide a statement."""
    if type(value) in WITHOUT_STATE:
        return
    backend = active_backend()
    if backend is not None:
        backend.reads(value)
