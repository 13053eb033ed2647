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

import threading
from types import CellType, FunctionType
from typing import Any

from autograph._src.backends.protocol import active_backend, backend_of
from autograph._src.operators.closures import LateCell
from autograph._src.operators.generator_loops import Body, GoesOn, Shared, Walk
from autograph._src.operators.places import GlobalVariable, Place
from autograph._src.tracebacks import WALKS


class _Walking(threading.local):
    """The walks that run on a thread.

    Attributes:
        taker: Who takes the items of the innermost walk.
    """

    taker: Taker | None = None


_walking = _Walking()


class Taker:
    """Whoever takes the items of a generator.

    Attributes:
        body: What is done with an item.
        goes_on: Tells whether there is to be another; ``None`` if all are taken.
        places: The variables that the body binds.
        around: Who takes the items of the generator whose code this is; ``None`` outside of generators.
        raised: An exception of the body's.
    """

    def __init__(self, body: Body, goes_on: GoesOn, shared: Shared) -> None:
        self.body = body
        self.goes_on = goes_on
        self.places = _places(body, shared)
        self.around = _walking.taker
        self.raised: BaseException | None = None
        backend = active_backend()
        assert backend is not None
        self.statement = backend.statement()

    def take(self, item: object) -> object:
        """Does what is to be done with an item; returns whether that was the last one."""
        backend = active_backend()
        assert backend is not None
        try:
            # The blocks around are the generator's; the body may raise halfway.
            with backend.holds(self.statement, self.places):
                self.body(item)
                return self.goes_on is not None and _negated(self.goes_on())
        except BaseException as error:
            self.raised = error
            raise


class _OfBuiltin(Place):
    """A variable of a builtin that takes the items, such as the sum so far of ``sum``."""

    is_variable = True

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


class FunctionWalk(Walk):
    """The items of a generator that a function returns."""

    def __init__(
        self, walk: FunctionType, args: tuple[Any, ...], kwargs: dict[str, Any], is_of_inner: bool = False
    ) -> None:
        self.walk = walk
        self.args = args
        self.kwargs = kwargs
        self.is_of_inner = is_of_inner

    def run(self, body: Body, goes_on: GoesOn, shared: Shared) -> None:
        """Runs the function, and the body at each item."""
        self.run_for(Taker(body, goes_on, shared))

    def run_for(self, taker: Taker) -> None:
        """Runs the function for whoever takes its items."""
        backend = active_backend()
        assert backend is not None
        for place in taker.places:
            if not isinstance(place, GlobalVariable):
                backend.created(place.owner)
        _walking.taker = taker
        try:
            self.walk(*self.args, **self.kwargs)
        except StopIteration as error:
            if error is taker.raised:
                raise
            raise RuntimeError("generator raised StopIteration") from error
        finally:
            _walking.taker = taker.around


WALKS.update({FunctionWalk.run_for.__code__: True, Taker.take.__code__: False})
