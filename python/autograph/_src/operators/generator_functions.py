"""Generator functions of converted code, as the loops over their items that they abbreviate.

    def positives(xs):              def positives(xs):                    # the walk that conversion makes
        for x in xs:                    for x in xs:
            if x > 0:                       if x > 0:
                yield x                         if ag__.yielded(x):       # runs `total += x`
                                                    return

    for x in positives(xs):         `positives` runs, and `yielded` does what is to be done with an item
        total += x

The call makes Python's generator, beside which the walk is kept until something takes an item. A statement
or a builtin that takes all of them, or the first ones, runs the walk in its place. In any other use, such as
`zip`, Python takes the items itself, and no test in the generator may be staged.
"""

from __future__ import annotations

import inspect
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from types import CellType, CodeType, FunctionType
from typing import Any

from autograph._src.backends.protocol import active_backend, backend_of
from autograph._src.operators.closures import LateCell, is_like, note_written_variables
from autograph._src.operators.generator_loops import Body, GoesOn, Shared, Walk, begun, for_each
from autograph._src.operators.places import GlobalVariable, Place
from autograph._src.staging.trace.frames import here
from autograph._src.tracebacks import WALKS
from autograph.errors import AutographError, StagingError


class _Walking(threading.local):
    """The walks that run on a thread.

    Attributes:
        taker: Who takes the items of the innermost walk.
        running: The code of the walks, from the outermost on.
        lists: Walks with the functions that make lists of their items.
    """

    taker: Taker | None = None

    def __init__(self) -> None:
        self.running: list[CodeType] = []
        self.lists: list[tuple[FunctionType, FunctionType]] = []


_walking = _Walking()


class Taker:
    """Whoever takes the items of a generator.

    Attributes:
        body: What is done with an item.
        goes_on: Tells whether there is to be another; ``None`` if all are taken.
        places: The variables that the body binds.
        around: Who takes the items of the generator whose code this is; ``None`` outside of generators.
        raised: An exception of the body's.
        is_temporary: Whether the generator is gone as soon as it is left.
        is_inside: Whether a `with` or handlers of the generator are around the item.
    """

    is_inside = False

    def __init__(self, body: Body, goes_on: GoesOn, shared: Shared) -> None:
        self.body = body
        self.goes_on = goes_on
        self.places = _places(body, shared)
        self.around = _walking.taker
        self.raised: BaseException | None = None
        self._walks: list[FunctionType] = []
        self.is_temporary = True
        backend = active_backend()
        assert backend is not None
        self.statement = backend.statement()

    def function(self, walk: FunctionType) -> FunctionType:
        """The walk of a generator function, one for all calls that give this taker their items.

        For another taker it is another function: what it does with the items is not the same.
        """
        known = next((one for one in self._walks if is_like(one, walk)), None)
        if known is None:
            self._walks.append(walk)
        return known or walk

    def take(self, item: object) -> object:
        """Does what is to be done with an item; returns whether that was the last one."""
        backend = active_backend()
        assert backend is not None
        try:
            # The blocks around are the generator's; the body may raise halfway.
            with backend.holds(self.statement, self.places, self.is_inside):
                self.body(item)
                return self.goes_on is not None and _negated(self.goes_on())
        except BaseException as error:
            self.raised = error
            if self.is_inside and isinstance(error, Exception) and not isinstance(error, AutographError):
                raise backend.leaves(type(error)) from error
            raise


class _OfBuiltin(Place):
    """A variable of a builtin that takes the items, such as the sum so far of ``sum``."""

    is_variable = True
    may_be_unbound = True

    def __init__(self, shared: Shared, number: int) -> None:
        self.owner = CellType()
        self.shared = shared
        self.number = number
        self.name = shared[2][number]

    def identity(self) -> tuple[int, str]:
        """The identity of what stands for it."""
        return (id(self.owner), "")

    def read(self) -> Any:
        """The variable's value."""
        get_state, _, _ = self.shared
        assert get_state is not None
        return get_state()[self.number]

    def write(self, value: object) -> None:
        """Rebinds the variable."""
        get_state, set_state, _ = self.shared
        assert get_state is not None and set_state is not None
        values = get_state()
        set_state((*values[: self.number], value, *values[self.number + 1 :]))


def _places(body: Body, shared: Shared) -> list[Place]:
    get_state, _, names = shared
    cells = getattr(get_state, "ag_cells", None)
    if cells is None:
        return [_OfBuiltin(shared, number) for number in range(len(names))]
    variables = getattr(body, "__globals__", {})
    return [
        LateCell(cells[name], name) if name in cells else GlobalVariable(variables, name) for name in names
    ]


def _negated(flag: object) -> object:
    backend = backend_of(flag)
    return not flag if backend is None else backend.not_(flag)


def yielded(item: object) -> object:
    """The operator for ``yield item`` in the walk of a generator function.

    Returns:
        Whether whoever takes the items wants no more.
    """
    taker = _walking.taker
    assert taker is not None
    # What is done with the item is code of around the generator: a `yield` in it is another generator's.
    _walking.taker = taker.around
    try:
        return taker.take(item)
    finally:
        _walking.taker = taker


def yielded_in_try(item: object) -> object:
    """The operator for ``yield item`` in a ``try`` with a ``finally``, which runs where a loop leaves it.

    Raises:
        StagingError: If the generator may be left, and is not one that nobody else refers to: Python runs its
            ``finally`` when the last reference is gone (AG120).
    """
    _require_temporary()
    return yielded(item)


def yielded_from_in_try(iterable: Any) -> object:
    """As :func:`yielded_in_try`, for ``yield from``."""
    _require_temporary()
    return yielded_from(iterable)


def yielded_to_end(item: object) -> None:
    """The operator for ``yield item`` in a ``with``, or in a ``try`` with handlers.

        for x in xs:
            try:
                yield check(x)
            except ValueError:      # what `check` raises, and not what is raised where the item is used
                yield -1.0

    Raises:
        StagingError: If the loop may be left before the last item: Python raises ``GeneratorExit`` here then
            (AG120).
    """
    with _inside():
        yielded(item)


def yielded_from_to_end(iterable: Iterable[object]) -> None:
    """As :func:`yielded_to_end`, for ``yield from``."""
    with _inside():
        yielded_from(iterable)


@contextmanager
def _inside() -> Iterator[None]:
    taker = _walking.taker
    assert taker is not None
    if taker.goes_on is not None:
        raise StagingError(
            "this `yield` is in a `with` or in a `try` with handlers, which see a loop that ends"
            " before the last item",
            code="AG120",
            location=here(),
            help="take all items first: `for x in list(items(values))`",
        )
    before, taker.is_inside = taker.is_inside, True
    try:
        yield
    finally:
        taker.is_inside = before


_TO_END = frozenset(("yielded_to_end", "yielded_from_to_end"))


def goes_to_end(code: CodeType) -> bool:
    """Whether only who takes all items may run the walk that has this code."""
    inner = (one for one in code.co_consts if isinstance(one, CodeType))
    return not _TO_END.isdisjoint(code.co_names) or any(map(goes_to_end, inner))


def _require_temporary() -> None:
    taker = _walking.taker
    assert taker is not None
    if not taker.is_temporary:
        raise StagingError(
            "this `yield` is in a `try`, whose `finally` Python runs when nothing refers to it any more",
            code="AG120",
            location=here(),
            help="loop over the call itself, `for x in items(values)`, or give all items to `list` or `sum`",
        )


def yielded_from(iterable: Any) -> object:
    """The operator for ``yield from iterable`` in the walk of a generator function.

    Another generator runs for whoever takes the items here: one that yields from itself is so a function
    that calls itself, which may be one of the graph.

        def inorder(node):
            if node >= 0:
                yield from inorder(left[node])
                yield node

    Returns:
        Whether whoever takes the items wants no more.
    """
    taker = _walking.taker
    assert taker is not None
    walk = begun(iterable, is_whole=taker.goes_on is None)
    if type(walk) is FunctionWalk:
        walk.run_inside(taker)
        return taker.goes_on is not None and _negated(taker.goes_on())
    left = _Flag()
    is_left = taker.goes_on is not None
    body: Any = left.take if is_left else yielded
    goes_on = left.goes_on if is_left else None
    if walk is not None:
        walk.run(body, goes_on, left.shared)
    else:
        for_each(iterable, body, goes_on, left.shared)
    return left.value


class _Flag:
    """Whether whoever takes the items of an iterable wants no more."""

    def __init__(self) -> None:
        self.value: Any = False
        self.shared: Shared = (lambda: (self.value,), self._set, ("did_return",))

    def _set(self, values: tuple[Any, ...]) -> None:
        (self.value,) = values

    def take(self, item: object) -> None:
        """Yields an item."""
        self.value = yielded(item)

    def goes_on(self) -> object:
        """Whether there is to be another."""
        return _negated(self.value)


_TAKES_MORE = inspect.CO_VARARGS | inspect.CO_VARKEYWORDS


class FunctionWalk(Walk):
    """The items of a generator that a function returns."""

    def __init__(
        self, walk: FunctionType, args: tuple[Any, ...], kwargs: dict[str, Any], is_of_inner: bool = False
    ) -> None:
        self.walk = walk
        self.args = args
        self.kwargs = kwargs
        self.is_of_inner = is_of_inner
        self.is_of_last = goes_to_end(walk.__code__)
        self.is_of_list = False

    def run(self, body: Body, goes_on: GoesOn, shared: Shared) -> None:
        """Runs the function, and the body at each item."""
        taker = Taker(body, goes_on, shared)
        taker.is_temporary = self.is_temporary
        self.run_for(taker)

    def run_for(self, taker: Taker) -> None:
        """Runs the function for whoever takes its items."""
        backend = active_backend()
        assert backend is not None
        for place in taker.places:
            if not isinstance(place, GlobalVariable):
                backend.created(place.owner)
        _walking.taker = taker
        try:
            self.run_inside(taker)
        finally:
            _walking.taker = taker.around

    def run_inside(self, taker: Taker) -> None:
        """Runs the function, for whoever takes the items of the generator that yields from this one."""
        backend = active_backend()
        assert backend is not None
        walk = taker.function(self.walk)
        note_written_variables(backend.will_write, walk)
        _walking.running.append(walk.__code__)
        try:
            if self.is_of_list:
                walk(*self.args, **self.kwargs)
            else:
                backend.run_function(walk, walk, self.args, self.kwargs)
        except StopIteration as error:
            if error is taker.raised:
                raise
            raise RuntimeError("generator raised StopIteration") from error
        finally:
            _walking.running.pop()
            if not _walking.running:
                _walking.lists.clear()

    def recurs(self) -> bool:
        """Whether the generator function is running, and a list of the items of this one is a call of it."""
        code = self.walk.__code__
        has_plain_parameters = not code.co_kwonlyargcount and not code.co_flags & _TAKES_MORE
        return code in _walking.running and has_plain_parameters

    def listed(self, made_list: Callable[[list[object]], Any]) -> object:
        """A list of the items, as a function returns it that may be one of the graph.

            def powers(n):
                if n > 0:
                    yield sum(powers(n - 1)) + 1        # a function that calls itself

        Args:
            made_list: Makes a list of the program.
        """
        backend = active_backend()
        assert backend is not None
        known = (function for walk, function in _walking.lists if is_like(walk, self.walk))
        function = next(known, None)
        if function is None:
            function = _list_function(self.walk, made_list)
            _walking.lists.append((self.walk, function))
        bound = inspect.signature(self.walk).bind(*self.args, **self.kwargs)
        bound.apply_defaults()
        return backend.run_function(function, function, tuple(bound.arguments.values()), {})


def _list_function(walk: FunctionType, made_list: Callable[[list[object]], Any]) -> FunctionType:
    """The function that makes a list of a walk's items; recursion is known by its own code."""

    def list_of(*args: object) -> object:
        made = made_list([])
        inner = FunctionWalk(walk, args, {})
        inner.is_of_list = True
        inner.run(lambda item: made.append(item), None, (None, None, ()))
        return made

    own, code = list_of.__code__, walk.__code__
    named = own.replace(co_name=code.co_name, co_consts=(*own.co_consts, code))
    return FunctionType(named, globals(), code.co_name, None, list_of.__closure__)


WALKS.update({FunctionWalk.run_inside.__code__: True, Taker.take.__code__: False})
