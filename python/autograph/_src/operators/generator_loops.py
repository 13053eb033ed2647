"""Generators that have not begun, as the loops that they abbreviate.

    any(v[i] > v[i + 1] for i in range(n))        # what consumes a generator decides when it goes on

    found = False                                 # so it is run as statements, which may be staged
    for i in range(n):
        found = bool(v[i] > v[i + 1])
        if found:
            break

A generator expression of converted code is a generator of Python, beside which its loops are kept. A consumer
that knows statements takes the loops in its place as long as the generator has not begun.
"""

from __future__ import annotations

import functools
import inspect
import operator
import sys
from collections.abc import Callable, Generator, Iterable, Iterator
from types import FunctionType, GeneratorType
from typing import Any, NamedTuple, TypeGuard
from weakref import WeakKeyDictionary

import numpy as np

from autograph._src.backends.protocol import GetState, SetState, active_backend, backend_of, reads
from autograph._src.operators.impurity import learn_by, refuse_outside_iterator
from autograph._src.operators.loop_options import entered_loop
from autograph._src.operators.loop_targets import Element, of_item
from autograph._src.staging.trace.frames import here
from autograph._src.staging.trace.iterator_places import iterators_of
from autograph.errors import StagingError

Body = Callable[[Any], None]
GoesOn = Callable[[], Any] | None
Shared = tuple[GetState | None, SetState | None, tuple[str, ...]]
"""The variables that the body of a loop binds, as back-ends take them."""


class Walk:
    """A walk over items that has not begun.

    Attributes:
        is_of_inner: Whether its generator function stands in a function: `next` asks Python's generator, from
            which more can be taken.
        is_of_last: Whether it may not be left before its last item. Python takes the items, unless it fails.
        begins_again: Whether another walk goes on where one has stopped, as what it knows is in an object.
        is_temporary: Whether it is gone when the statement or builtin ends that takes the items.
        generator: The generator of Python.
        is_taken_over: Whether statements take items in place of Python.
    """

    is_of_inner = False
    is_of_last = False
    begins_again = False
    is_taken_over = False
    is_temporary = False
    generator: Generator[Any, Any, Any] | None = None

    def require_own(self) -> None:
        """Refuses a walk over a generator whose variables another loop has taken."""

    def run(self, body: Body, goes_on: GoesOn, shared: Shared) -> None:
        """Runs ``for item in self: body(item)``; `goes_on` tells before each item whether it goes on."""
        raise NotImplementedError


class Loop(NamedTuple):
    """A ``for`` of a comprehension, with its element, which may be another loop, and its conditions."""

    iterable: Iterable[Any]
    element: Element
    conditions: tuple[Element, ...]


class Loops(Walk):
    """The loops of a generator expression.

    Attributes:
        loop: The outermost one.
        items: The iterator that CPython makes with the generator, if the loop walks over its dict or set.
    """

    def __init__(self, loop: Loop, items: Iterator[Any] | None = None) -> None:
        self.loop = loop
        self.items = items

    def run(self, body: Body, goes_on: GoesOn, shared: Shared) -> None:
        """Runs the loops."""
        if self.items is not None:
            _require_same_size(self.items, self.loop.iterable)
        if can_begin(self.loop.iterable) and not self.is_temporary:
            _pending[self.loop.iterable].is_temporary = False
        _run(self.loop, body, goes_on, shared)


def _require_same_size(items: Iterator[Any], walked: Any) -> None:
    """Raises CPython's error where a dict or set has another size than when its iterator was made."""
    if operator.length_hint(items) != len(walked):  # The iterator of one that has changed gives 0.
        what = "Set" if isinstance(walked, (set, frozenset)) else "dictionary"
        raise RuntimeError(f"{what} changed size during iteration")


def _run(loop: Loop, body: Body, goes_on: GoesOn, shared: Shared) -> None:
    element = in_generator(of_item(loop.element))

    def step(item: object) -> None:
        value = element(item)
        if type(value) is Loop:
            _run(value, body, goes_on, shared)
        else:
            body(value)

    run: Body = step
    for condition in reversed(loop.conditions):
        run = _only_if(in_generator(of_item(condition)), run, shared)
    for_each(loop.iterable, run, goes_on, shared)


def _only_if(condition: Element, then: Body, shared: Shared) -> Body:
    """``lambda item: if condition(item): then(item)``."""

    def body(item: object) -> None:
        test = condition(item)
        backend = backend_of(test)
        if backend is not None:
            backend.if_stmt(test, functools.partial(then, item), None, *shared, len(shared[2]))
            return
        reads(test)
        if test:
            then(item)

    return body


def in_generator(function: Element) -> Element:
    """A function that runs inside of a generator, where a ``StopIteration`` of its own is an error."""

    def called(item: object) -> object:
        try:
            return function(item)
        except StopIteration as error:
            raise RuntimeError("generator raised StopIteration") from error

    return called


def for_each(iterable: Any, body: Body, goes_on: GoesOn, shared: Shared) -> None:
    """``for item in iterable: body(item)``, as the operator for the statement."""
    walk = begun(iterable, is_whole=goes_on is None)
    if walk is not None:
        walk.run(body, goes_on, shared)
        return
    backend = backend_of(iterable) or active_backend()
    assert backend is not None
    with entered_loop():
        backend.for_stmt(iterable, goes_on, body, *shared)


_pending: WeakKeyDictionary[Iterator[Any], Walk] = WeakKeyDictionary()
"""The walks of generators that converted code has made while a back-end was active."""

_functions: WeakKeyDictionary[Iterator[Any], FunctionType] = WeakKeyDictionary()
"""The generator functions of those whose steps may be taken one by one."""


def with_walk(generator: Any, walk: Walk, function: FunctionType | None = None) -> Any:
    """Keeps the walk of a generator; returns the generator.

    Args:
        generator: The generator.
        walk: Its walk.
        function: Its function, if the next recording may have steps in place of a walk.
    """
    if type(generator) is not GeneratorType:
        return generator
    backend = active_backend()
    assert backend is not None
    guarded: Any = backend.created(_guarded(generator, walk, function))
    guarded.__name__, guarded.__qualname__ = generator.__name__, generator.__qualname__
    _pending[guarded] = walk
    walk.generator = generator
    if walk.is_taken_over:
        generator.close()
    if function is not None:
        _functions[guarded] = function
    return guarded


def _guarded(
    generator: Generator[Any, Any, Any], walk: Walk, function: FunctionType | None
) -> Generator[Any, Any, Any]:
    """The generator, as long as Python is to take its items: code that is not converted asks nobody."""
    if walk.is_taken_over:
        raise StagingError(
            "Python takes an item of a generator of which staged statements may have taken some:"
            " how far it has come is known in the run only",
            code="AG121",
            location=here(),
            help="take its items in converted code: `for item in generator`",
        )
    if not walk.is_of_last or function is None:
        return (yield from generator)
    try:
        return (yield from generator)
    except StagingError as error:
        backend = active_backend()
        if backend is not None and error.code in ("AG101", "AG123"):
            backend.learn_steps([function])
        raise


@learn_by
def learn_steps(value: object) -> None:
    """Has the generators that an iterator takes from made with steps, if they are not.

    Raises:
        Learned: If there are such: the function is recorded again.
    """
    backend = active_backend()
    found = [one for one in iterators_of(value) if type(one) is GeneratorType and one in _functions]
    if backend is not None and found:
        backend.learn_steps([_functions[one] for one in found])


def walk_in_steps(value: object) -> Walk | None:
    """The walk of a generator that goes on where another has stopped; ``None`` if it is none.

    Raises:
        Learned: If the generator may have such a walk in the next recording.
    """
    if not can_begin(value):
        return None
    walk: Walk = _pending[value]
    if walk.begins_again:
        walk.require_own()
        return walk
    learn_steps(value)
    return None


def has_failed(value: object) -> bool:
    """Whether Python has failed to take the items of a generator: statements take them."""
    if not can_begin(value):
        return False
    backend = active_backend()
    return _pending[value].begins_again or (
        backend is not None and value in _functions and backend.takes_steps(_functions[value])
    )


def begun(value: object, *, is_whole: bool) -> Walk | None:
    """Begins the walk of a generator that has not begun; ``None`` if Python is to walk over the value.

    The generator has been consumed from then on: if the walk may end before its last item, only the run knows
    how far, and whoever takes from it later is refused.

    Raises:
        StagingError: If the generator is from outside of the innermost staged block.
    """
    backend = active_backend()
    if backend is None or not can_begin(value):
        return None
    walk = _pending[value]
    if walk.begins_again:
        walk.require_own()
        return walk
    if walk.is_of_last and not has_failed(value):
        return None
    refuse_outside_iterator(value, is_alone=True)
    del _pending[value]
    walk.is_taken_over = True
    backend.took_over(value, is_whole)
    if walk.generator is not None:
        walk.generator.close()  # It refers to what it would take from.
    return walk


def _references(value: object) -> int:
    return sys.getrefcount(value)


def _of_temporary() -> int:
    return _references(object())


def _of_variable() -> int:
    value = object()
    return _references(value)


_OF_TEMPORARY = _of_temporary()
_TELLS = _of_variable() > _OF_TEMPORARY
"""Whether Python counts the variable of a caller as a reference."""


def note_temporary(value: object) -> None:
    """Notes whether a generator that an operator was given is gone when that operator has ended.

    To be called by the operator itself, with its own argument.
    """
    if can_begin(value):
        # The operator's argument, and what holds it here: the journal, and twice what it watches.
        is_temporary = _TELLS and sys.getrefcount(value) <= _OF_TEMPORARY + 4
        _pending[value].is_temporary |= is_temporary


def can_begin(value: object) -> TypeGuard[Generator[Any, Any, Any]]:
    """Whether a value is a generator with a walk, which has not begun."""
    if type(value) is not GeneratorType or value not in _pending:
        return False
    return _pending[value].is_taken_over or inspect.getgeneratorstate(value) == inspect.GEN_CREATED


def is_taken_over(value: object) -> bool:
    """Whether a value is a generator whose items statements take one by one."""
    return type(value) is GeneratorType and value in _pending and _pending[value].is_taken_over


def advanced_by(function: object, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, ...]:
    """The arguments of a call that Python advances: not a walk, whose loops tell what they advance."""
    return args[1:] if _takes(function, args, kwargs) else args


def _takes(function: object, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Whether a call takes items of a walk, its first argument."""
    if not args or not can_begin(args[0]):
        return False
    most, keywords = TAKERS.get(function, (0, frozenset()))
    if len(args) > most or not kwargs.keys() <= keywords or (len(args) > 1 and kwargs):
        return False  # CPython raises the error, if it does not know the arguments either.
    walk = _pending[args[0]]
    if walk.is_of_last and not has_failed(args[0]):
        return False
    return not (function is next and walk.is_of_inner) or walk.begins_again


def walk_consumed_by(function: object, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Walk | None:
    """The walk of a call's first argument, if the function is a builtin that consumes it."""
    if not _takes(function, args, kwargs):
        return None
    is_whole = function not in (any, all, next)
    if is_whole:
        _pending[args[0]].is_temporary = True
    return begun(args[0], is_whole=is_whole)


_NO_KEYWORDS: frozenset[str] = frozenset()

TAKERS: dict[Any, tuple[int, frozenset[str]]] = {
    **dict.fromkeys((any, all, list, tuple), (1, _NO_KEYWORDS)),
    next: (2, _NO_KEYWORDS),
    sum: (2, frozenset(("start",))),
    **dict.fromkeys((max, min), (1, frozenset(("key", "default")))),
    sorted: (1, frozenset(("key", "reverse"))),
}
"""Builtins that consume their first argument: the most arguments, and the keywords that they take."""


def has_values(value: object) -> bool:
    """Whether the items of a value are found by their index, which changes nothing."""
    if isinstance(value, (list, range, np.ndarray)) or type(value) is tuple:
        return True
    # What stands for a table is a tuple of its own class. A staged `zip` has no indices.
    is_sequence = hasattr(type(value), "__getitem__") and not hasattr(type(value), "keys")
    return is_sequence and not isinstance(value, tuple) and backend_of(value) is not None
