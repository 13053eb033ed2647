"""Exceptions of the running graph that a handler of the program takes.

    try:                         if 0 <= i < len(a):
        y = a[i]                     y = a[i]                  and all that follows in the body
    except IndexError:     →     else:
        y = 0.0                      failing.code = 1
                                 if failing.code == 1:
                                     failing.code = 0; y = 0.0

An exception that a run may raise has a number here. A run that comes to one writes the number, and the values
that the exception holds, to an object that stands for the exception in flight (:class:`Failing`). That is a
write like any other: branches join it, loops carry it. What follows is recorded for the runs in which the
number is 0 (``forks.py``), and the handlers are branches on the number (``attempts.py``).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

import numpy as np

from autograph._src.articles import with_article
from autograph._src.backends.plain_try import Kinds
from autograph._src.backends.protocol import backend_of
from autograph._src.dict_classes import is_dict_tree
from autograph._src.operators.places import Attribute
from autograph._src.staging.complex.complex_tensor import ComplexTensor
from autograph._src.staging.control.asked_classes import user_code_run_by
from autograph._src.staging.control.run_templates import RunText, holds_staged
from autograph._src.staging.kinds.choices import StagedChoice
from autograph._src.staging.kinds.optionals import StagedOptional
from autograph._src.staging.kinds.unions import StagedUnion
from autograph._src.staging.kinds.value_kind import kind_of
from autograph._src.staging.objects.kept_errors import class_of_error
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.staged_strings import StagedString
from autograph._src.staging.tensors.tensor import Form, Tensor, wrap
from autograph._src.staging.trace.active import require_trace
from autograph._src.staging.trace.exception_parts import chain, chained, parts_of, put, remade
from autograph._src.staging.trace.raising import OfPython, Raising, not_handled
from autograph._src.staging.trace.references import is_reference
from autograph._src.staging.trace.signals import NOT_OF_THE_PROGRAM, HasEffects
from autograph.errors import StagingError

MOST_FAILURES = 64
"""How many places in the body of one `try` may raise: each is a branch in the one before."""


def matching(kinds: Kinds, error: type[BaseException]) -> int | None:
    """The number of the first handler for exceptions of a class, as CPython finds it.

    >>> matching((lambda: (KeyError, IndexError), lambda: ValueError), UnicodeError)
    1
    """
    for number, kind in enumerate(kinds):
        if kind is None or any(one in error.__mro__ for one in _classes(kind())):
            return number
    return None


def _classes(kinds: Any) -> tuple[type[BaseException], ...]:
    classes: tuple[Any, ...] = kinds if isinstance(kinds, tuple) else (kinds,)
    if not all(isinstance(one, type) and issubclass(one, BaseException) for one in classes):
        raise TypeError("catching classes that do not inherit from BaseException is not allowed")
    return classes


class Attempt:
    """A `try` whose body is being recorded.

    Attributes:
        kinds: The classes of its handlers.
        scope: What the body may leave.
    """

    def __init__(self, kinds: Kinds) -> None:
        self.kinds = kinds
        self.scope: Any = None
        self._is_asked = False

    def may_handle(self, error: type[BaseException]) -> bool:
        """Whether it takes an exception of this class, or of a class of that."""
        if self.handler_of(error) is not None:
            return True
        classes = [one for kind in self.kinds if kind is not None for one in _classes(kind())]
        return any(error in one.__mro__ for one in classes)

    def handler_of(self, error: type[BaseException]) -> int | None:
        """The number of the handler for exceptions of a class.

        Raises:
            StagingError: If a handler has no classes: CPython finds that when something is raised (AG135).
        """
        if self._is_asked:  # An index of the run in `except LEVELS[level]:` may be out of range.
            raise _no_class(error)
        trace = require_trace()
        sites = len(trace.sites)
        self._is_asked = True
        try:
            with trace.journal.reading(), user_code_run_by(self.kinds) as ran:
                handler = matching(self.kinds, error)
        except HasEffects:
            raise _has_effects(error) from None
        except NOT_OF_THE_PROGRAM:
            raise
        except Exception:
            raise _no_class(error) from None
        finally:
            self._is_asked = False
        if ran or len(trace.sites) > sites:
            raise _has_effects(error)
        return handler


def _no_class(error: type[BaseException]) -> StagingError:
    reason = "a handler around it names what is no class of exceptions while tracing"
    return not_handled(error.__name__, reason=reason)


def _has_effects(error: type[BaseException]) -> StagingError:
    return not_handled(
        error.__name__,
        reason="a handler around it asks for its classes by code that may print or write",
        help="bind the classes to a name before the `try`, and write `except` with that name",
    )


class Failing:
    """The exception in flight while a graph runs.

    Attributes:
        code: The number of the exception; 0 if there is none.
    """

    def __init__(self) -> None:
        self.code: Any = 0

    def write(self, name: str, value: object) -> None:
        """Writes an attribute, which blocks around undo and join."""
        place = Attribute(self, name)
        place.name = "what an exception holds"
        require_trace().journal.will_write(place)
        setattr(self, name, value)


class Failure:
    """An exception that a run may raise and a handler takes.

    Attributes:
        number: Its number.
        attempt: The `try` that takes it.
        handler: The number of the handler.
        raising: The exception, as the recording came to it.
        unbound: The cells of variables that are unbound where it is raised, by identity.
    """

    def __init__(self, number: int, attempt: Attempt, handler: int, raising: Raising) -> None:
        self.number = number
        self.attempt = attempt
        self.handler = handler
        self.raising = raising
        self.unbound: set[int] = set()
        self._count = 0
        self._make: Callable[[Failing], BaseException] = lambda failing: raising.kind()

    def note(self, failing: Failing) -> None:
        """Writes it to the exception in flight, with the values that it holds."""
        failing.write("code", self.number)
        raised, raising = self.raising.raised, self.raising
        self._count = 0
        if raised is None:
            kept = [self._keep(failing, _tensor_of(value)) for value in raising.operands]
            self._make = lambda failing: _told(raising, [one(failing) for one in kept], self.number)
        else:
            self._make = self._again(failing, raised)

    def _again(self, failing: Failing, error: BaseException) -> Callable[[Failing], BaseException]:
        """Keeps the staged parts of an exception, of its cause and its context; makes it again from them."""
        errors = require_trace().objects.errors
        number = errors.number_of(error)
        errors.require_chain(error, self.raising.name)
        if number is None and not _holds_staged(error):
            return lambda failing: error
        again = self._values(failing, parts_of(error))
        again_number = None if number is None else self._keep(failing, number)
        cause, context = chained(error, "__cause__"), chained(error, "__context__")
        make_cause = None if cause is None else self._chained(failing, cause)
        make_context = None
        if context is not None and context is not cause:
            make_context = self._chained(failing, context)

        def make(failing: Failing) -> BaseException:
            made = remade(class_of_error(error), *again(failing))
            if again_number is not None:
                errors.note(made, again_number(failing))
            found = None if make_cause is None else make_cause(failing)
            chain(made, "__cause__", found)
            chain(made, "__context__", found if context is cause else None)
            if make_context is not None:
                chain(made, "__context__", make_context(failing))
            put(made, "__suppress_context__", error.__suppress_context__)
            require_trace().journal.created(made)
            return made

        return make

    def _chained(self, failing: Failing, error: object) -> Callable[[Failing], Any]:
        """Keeps a cause or a context, which may be one of several."""
        return (
            self._again(failing, error) if isinstance(error, BaseException) else self._values(failing, error)
        )

    def caught(self, failing: Failing) -> BaseException:
        """The exception for a handler, with the values of the run."""
        error = self._make(failing)
        trace = require_trace()
        if error is not self.raising.raised:
            trace.journal.created(error)
        trace.remembered["caught", id(error)] = (error, self.raising)
        return error

    def _values(self, failing: Failing, value: Any) -> Callable[[Failing], Any]:
        """Keeps the staged parts of a value; gives a function that makes it again."""
        if isinstance(value, Tensor):
            return self._keep(failing, value)
        if isinstance(value, ComplexTensor):
            raise self._refused("a complex value")
        if isinstance(value, (StagedChoice, StagedOptional, StagedUnion)):
            return self._parts(failing, value)
        if isinstance(value, BaseException):
            return self._again(failing, value)
        if isinstance(value, StagedString):
            parts = [
                part if isinstance(part, str) else (self._values(failing, part[0]), *part[1:])
                for part in value.parts
            ]
            return lambda failing: StagedString(
                tuple(part if isinstance(part, str) else (part[0](failing), *part[1:]) for part in parts)
            )
        if type(value) in (tuple, list):
            kind, inner = type(value), [self._values(failing, one) for one in value]
            return lambda failing: kind(one(failing) for one in inner)
        if type(value) is dict:
            named = {key: self._values(failing, one) for key, one in value.items()}
            return lambda failing: {key: one(failing) for key, one in named.items()}
        if holds_staged(value, ()) or is_reference(value) or is_dict_tree(value) or _is_staged(value):
            raise self._refused(with_article(type(value).__name__))
        return lambda failing: value

    def _parts(self, failing: Failing, value: object) -> Callable[[Failing], Any]:
        """Keeps the graph values of a value that is one of several."""
        kind, name = kind_of(value), f"what {with_article(self.raising.name)} holds"
        if any(dtype == "list" for dtype, _ in kind.graph_types()):
            raise self._refused("a value that holds a list")
        parts = [wrap(one) for one in kind.pack(value)]
        kept = [self._keep(failing, one if one.sizes else wrap(one.read(), Form.SCALAR)) for one in parts]
        return lambda failing: kind.unpack([lift(one(failing)).read() for one in kept], name)

    def _refused(self, what: str) -> Exception:
        return not_handled(
            self.raising.name, reason=f"the exception holds {what}, which a handler cannot read"
        )

    def _keep(self, failing: Failing, tensor: Tensor) -> Callable[[Failing], Any]:
        name = f"value_{self.number}_{self._count}"
        self._count += 1
        if not hasattr(failing, name):
            if None in tensor.sizes:
                raise self._refused("an array whose size only the run knows")
            setattr(failing, name, _zero_like(tensor))
        failing.write(name, wrap(tensor.read(), tensor.form))
        return lambda failing: getattr(failing, name)


def _is_staged(value: object) -> bool:
    return backend_of(value) is not None


def _holds_staged(error: BaseException) -> bool:
    if holds_staged(error, ()):
        return True
    linked = [one for one in (chained(error, "__cause__"), chained(error, "__context__")) if one is not None]
    return any(_holds_staged(one) if isinstance(one, BaseException) else True for one in linked)


def _tensor_of(value: Any) -> Tensor:
    tensor = wrap(value)
    return tensor if tensor.sizes else wrap(value, Form.SCALAR)


def _zero_like(tensor: Tensor) -> Any:
    if tensor.form is Form.PYTHON:
        return {"b": False, "i": 0, "f": 0.0}[tensor.dtype.kind]
    zero = np.zeros([size or 0 for size in tensor.sizes], tensor.dtype)
    return zero if tensor.form is Form.ARRAY else zero[()]


def _told(raising: Raising, operands: list[Any], number: int) -> BaseException:
    """An exception whose text a site makes, or one with a message of its own."""
    if raising.site is None:
        return raising.kind(raising.message)
    return raising.kind(RunText(require_trace().sites[raising.site].run, operands, number))


def target_of(attempts: list[Attempt | OfPython], raising: Raising) -> tuple[Attempt, int] | None:
    """The `try` that takes an exception, and the number of the handler.

    Raises:
        StagingError: If it meets a `try` or `with` whose handlers are not part of the graph (AG135).
    """
    for attempt in reversed(attempts):
        if isinstance(attempt, OfPython):
            raise not_handled(raising.name, reason=attempt.reason, help=attempt.help)
        handler = attempt.handler_of(raising.kind)
        if handler is not None:
            return attempt, handler
    return None


def failure_of(raising: Raising, attempt: Attempt, handler: int, path: Hashable) -> Failure:
    """The failure for an exception, with the number that it had when its block was recorded before.

    Args:
        raising: The exception.
        attempt: The `try` that takes it.
        handler: The number of the handler.
        path: Where in the blocks around the recording is.
    """
    trace = require_trace()
    numbers = trace.remembered.setdefault("numbers of failures", {})
    way = trace.objects.errors.way_of(raising.raised)
    key = (raising.place, raising.kind, raising.site is None, handler, path, way)
    number = numbers.setdefault(key, len(numbers) + 1)
    return Failure(number, attempt, handler, raising)
