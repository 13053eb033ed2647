"""The protocol between the operators of converted code and the libraries whose values they meet.

A back-end registers the types of its staged values. An operator asks :func:`backend_of` the value
that decides: ``None`` means that the value is plain and the statement runs now, in Python.
"""

from __future__ import annotations

import re
import sys
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from types import FrameType
from typing import TYPE_CHECKING, Any

from numpy.typing import DTypeLike

from autograph import _core
from autograph._src.load import is_converted_code
from autograph._src.own_attributes import has_own
from autograph._src.staging.trace.frames import here, location_of
from autograph.errors import Location, StagingError

if TYPE_CHECKING:
    from autograph._src.operators.places import Place

State = tuple[Any, ...]
GetState = Callable[[], State]
SetState = Callable[[State], None]


class Backend:
    """What a library says of the statements that its staged values decide.

    A back-end overrides what it can stage. Everything else refuses with a located
    :class:`~autograph.errors.StagingError` (AG120), so that nothing is silently wrong; what only tells
    (``will_write``, ``entered``, ``created``, ``note``, ``attempt``) does nothing.
    See ``docs/backends.md`` for the whole story and a complete small back-end.

    Attributes:
        name: What messages call the back-end.
    """

    name: str = "this back-end"

    def refuse(self, what: str) -> StagingError:
        """The error for what the back-end does not stage, at the user's line that runs now.

        Args:
            what: The statement or use, in the words of the user: ``"`while`"``.

        Returns:
            The error, to be raised.
        """
        return StagingError(f"{self.name} does not stage {what}", code="AG120", location=_statement())

    def is_active(self) -> bool:
        """Whether it is recording on this thread."""
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
        """``if test: body else: orelse`` with a staged test."""
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
        """The rest of a ``while`` whose test, just evaluated to ``first_test``, is staged."""
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
        """``for`` over an iterable, staged or, while the back-end is active, plain.

        A plain one runs now, unless it is overridden.
        """
        if backend_of(iterable) is not None:
            raise self.refuse("`for`")
        try:
            run_for(iter(iterable), extra_test, body)
        except BaseException:
            del iterable  # see `run_for`
            raise

    def assert_stmt(self, test: Any, message: Callable[[], Any] | None) -> None:
        """``assert test, message`` with a staged test."""
        raise self.refuse("`assert`")

    # Expressions

    def if_exp(self, test: Any, body: Callable[[], Any], orelse: Callable[[], Any]) -> Any:
        """``body if test else orelse`` with a staged test."""
        raise self.refuse("an `if` expression")

    def and_(self, left: Any, rest: Callable[[], Any]) -> Any:
        """``left and rest`` with a staged left operand."""
        raise self.refuse("`and`")

    def or_(self, left: Any, rest: Callable[[], Any]) -> object:
        """``left or rest`` with a staged left operand."""
        raise self.refuse("`or`")

    def list_comprehension(
        self, iterable: Any, element: Callable[[Any], Any], condition: Callable[[Any], Any] | None
    ) -> object:
        """``[element(item) for item in iterable if condition(item)]``.

        ``NotImplemented`` runs it in Python, which iterates what is given.
        """
        return NotImplemented

    def generator(
        self, iterable: Any, element: Callable[[Any], Any], condition: Callable[[Any], Any] | None
    ) -> object:
        """``(element(item) for item in iterable if condition(item))`` over a staged iterable.

        ``NotImplemented`` makes a generator of Python.
        """
        return NotImplemented

    def not_(self, value: Any) -> object:
        """``not value`` of a staged value."""
        raise self.refuse("`not`")

    def is_(self, left: Any, right: Any) -> Any:
        """``left is right`` where one is staged."""
        if left is right:
            return True
        raise self.refuse("`is`")

    def contains(self, item: Any, container: Any) -> object:
        """``item in container`` where one is staged."""
        raise self.refuse("`in`")

    def joined_string(self, parts: tuple[Any, ...]) -> object:
        """An f-string with a staged value in it."""
        raise self.refuse("f-strings")

    def formatted(self, value: Any, conversion: str | None, spec: str) -> object:
        """One replacement field of an f-string, of a staged value."""
        raise self.refuse("f-strings")

    # Items and attributes

    def get_item(self, target: Any, index: Any) -> object:
        """``target[index]`` where one is staged."""
        raise self.refuse("reading an item")

    def set_item(self, target: Any, index: Any, value: Any) -> None:
        """``target[index] = value`` where one is staged."""
        raise self.refuse("writing an item")

    def item_to_update(self, item: Any) -> object:
        """The item of a staged container that ``target[index] += value`` starts from."""
        return item

    def iterable(self, value: Any, words: str) -> Any:
        """What code of Python is about to iterate over; ``words`` is what it says of what is no iterable."""
        return value

    def attribute_to_update(self, target: Any, name: str) -> object:
        """The attribute of a staged value that ``target.name += value`` starts from."""
        return getattr(target, name)

    def del_item(self, target: Any, index: Any) -> None:
        """``del target[index]`` where one is staged."""
        raise self.refuse("deleting an item")

    def set_attr(self, target: Any, name: str, value: Any) -> None:
        """``target.name = value`` of a staged target."""
        raise self.refuse("writing an attribute")

    def del_attr(self, target: Any, name: str) -> None:
        """``del target.name`` of a staged target."""
        raise self.refuse("deleting an attribute")

    # Calls

    def call_builtin(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> object:
        """A builtin, or a class, with a staged argument; ``print`` always comes here.

        ``NotImplemented`` calls it as it is. By default that is what happens to classes of the
        user and to calls without a staged argument; the rest is refused.
        """
        is_builtin = getattr(function, "__module__", None) in ("builtins", None)
        if is_builtin and backend_among((*args, *kwargs.values())) is not None:
            raise self.refuse(f"`{getattr(function, '__name__', function)}`")
        return NotImplemented

    def call_numpy(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> object:
        """A function, ufunc or scalar class of NumPy, with or without staged arguments.

        Plain arguments call it as it is; staged ones are refused, unless it is overridden.
        """
        if backend_among((*args, *kwargs.values())) is not None:
            raise self.refuse(f"`numpy.{getattr(function, '__name__', function)}`")
        return function(*args, **kwargs)

    def makes_array(self, function: Any) -> bool:
        """Whether a function of NumPy makes an array, which is staged even where all arguments are plain.

        None does, unless it is overridden.
        """
        return False

    def declare_elements(self, values: Any, dtype: DTypeLike | None, shape: Any) -> None:
        """``ag.set_element_type``: what a list will hold. Nothing, unless it is overridden."""

    def return_value(self, value: Any) -> object:
        """What a function whose early return is staged returns: this value, or a tuple of values.

        Where no ``return`` ran, CPython returns ``None``, and the value is unbound.
        """
        raise self.refuse("a `return` that a staged value decides")

    # Variables, and what converted code tells

    def load(self, value: Any, is_free: bool = False) -> object:
        """Reads a staged variable that may be unbound: gives its value, or fails as CPython does.

        That is ``UnboundLocalError``, and ``NameError`` for a variable of an enclosing function.
        """
        raise self.refuse("a variable that may be unbound")

    def will_write(self, place: Place) -> None:
        """Converted code is about to write to a place of a plain object while the back-end is active."""

    def will_write_staged(self, array: Any) -> None:
        """Converted code is about to call a function that may write a staged value into a plain array."""

    def run_unconverted(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> object:
        """Runs a function that is not converted, while the back-end is active."""
        return function(*args, **kwargs)

    def keeps(self, value: Any) -> bool:
        """Whether an object from outside may hold a value that was made while recording."""
        return False

    def reads(self, *values: Any) -> None:
        """Converted code is about to read plain objects: their items, or by calls that take them."""

    def read_item(self, target: Any, index: Any, item: Any) -> None:
        """Converted code has read an item of a plain object."""

    def getter_called(self, function: Callable[..., Any]) -> None:
        """Converted code asks for a state of the interpreter."""

    def reads_name(self, name: Any) -> None:
        """Converted code is about to read an attribute by a name that it has computed."""

    def entered(self, function: Callable[..., Any]) -> None:
        """Converted code is about to call a user's function while the back-end is active."""

    def run_function(
        self, function: Any, converted: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> object:
        """Runs a user's function, by its converted version, or stages the call as a whole."""
        return converted(*args, **kwargs)

    def run_iteration(self, body: Any, names: tuple[str, ...]) -> None:
        """Runs an iteration of a ``while`` whose test is plain."""
        body()

    def created(self, value: Any) -> Any:
        """Converted code made an object while the back-end is active; gives it back."""
        return value

    def made_list(self, values: list[Any]) -> Any:
        """Converted code made a list, which nothing else refers to; gives it, or what stands for it."""
        return self.created(values)

    def made_object(self, value: Any, is_referred_to: bool) -> object:
        """Converted code made an object of a class or a dict; gives it, or what stands for it.

        Args:
            value: The object, of which :meth:`created` was told.
            is_referred_to: Whether something refers to it already, as its ``__init__`` may have arranged.
        """
        return value

    def watch(self, value: Any) -> None:
        """An object will be written by code that is not converted, at times that nobody can tell."""

    def note(self, text: str) -> None:
        """Something was decided that a reader of the recording may want to know."""

    def attempt(self) -> AbstractContextManager[None]:
        """Converted code enters a ``try`` or ``with``, whose handlers run while recording only."""
        return nullcontext()


def _statement() -> Location | None:
    """The place in converted code that runs now: the back-end's own files are not the user's program."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        if is_converted_code(frame.f_code):
            return location_of(frame.f_code, frame.f_lasti)
        frame = frame.f_back
    return here()


def run_for(items: Any, extra_test: Callable[[], Any] | None, body: Callable[[Any], None]) -> None:
    """A ``for`` over plain values, now.

    The test is asked before the iterator is advanced, so that an abandoned iterator is not.

    Args:
        items: The iterator.
        extra_test: What the loop asks before each item, if it can be left early.
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
        # A traceback keeps this frame, but not the iterator: CPython has closed a generator by the time
        # that a `with` around the loop is left.
        del items
        raise


_by_type: dict[type, Backend] = {}


class _Active(threading.local):
    """The back-ends of a thread, innermost last; a thread that has none takes the class's."""

    stack: tuple[Backend | None, ...] = ()


_active = _Active()


def register(backend: Backend, *types: type) -> None:
    """Makes values of these types staged, with this back-end deciding what statements mean."""
    for staged_type in types:
        _by_type[staged_type] = backend


def backend_of(value: object) -> Backend | None:
    """The back-end of a staged value, or ``None`` for a plain one."""
    return _by_type.get(type(value))


def type_name(value: object) -> str:
    """What a message calls the type of a value: no name of ours is among them."""
    kind = type(value)
    if kind not in _by_type or not kind.__module__.startswith("autograph._src.staging."):
        return kind.__name__
    names = [getattr(value, name) for name in ("type_name", "kind") if has_own(value, name)]
    return next((name for name in names if isinstance(name, str)), "staged value")


def names_of_ours(text: str) -> bool:
    """Whether a text that Python made names a type of a staged value."""
    ours = {kind.__name__ for kind in _by_type if kind.__module__.startswith("autograph._src.staging.")}
    # A staged number has the name of Python's, so that what CPython says of it is right.
    return any(re.search(rf"\b{name}\b", text) for name in ours - _OF_PYTHON)


_OF_PYTHON = frozenset(("bool", "int", "float", "complex"))


def backend_among(values: Any) -> Backend | None:
    """The back-end of the first staged value among these."""
    for value in values:
        backend = _by_type.get(type(value))
        if backend is not None:
            return backend
    return None


class _Recording(partial[Any]):
    """A callable that needs no frame of Python, pickled by its name."""

    def __reduce__(self) -> str:
        return "RECORDING"


RECORDING = _Recording(getattr, _active, "stack")
"""The back-ends of this thread, innermost last; false where there is none. See ``prologue.py``."""


def active_backend() -> Backend | None:
    """The back-end that records on this thread, innermost first, or ``None``."""
    stack = _active.stack
    return stack[-1] if stack else None


def _set_active(stack: tuple[Backend | None, ...]) -> None:
    _active.stack = stack
    _core.count_backends(len(stack))  # for calls that run no Python


class activated:  # noqa: N801 - a context manager, read as a verb
    """Makes a back-end the active one on this thread."""

    def __init__(self, backend: Backend | None) -> None:
        self._backend = backend

    def __enter__(self) -> None:
        _set_active((*_active.stack, self._backend))

    def __exit__(self, *_: object) -> None:
        _set_active(_active.stack[:-1])


WITHOUT_STATE = frozenset((bool, int, float, complex, str, bytes, type(None)))
"""Classes of values that stay what they are: that one is read tells a back-end nothing."""


def reads(value: object) -> None:
    """Tells the active back-end that converted code decides by a plain value."""
    if type(value) in WITHOUT_STATE:
        return
    backend = active_backend()
    if backend is not None:
        backend.reads(value)
