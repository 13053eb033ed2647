"""Generators whose items are taken one by one: by several loops, by `next`, beside those of another.

    rest = positives(xs)
    for x in rest:              # left by a test on data
        if x > limit:
            break
    return x, next(rest, None)  # goes on where the loop has left it

A walk (`generator_functions.py`) runs the generator around what is done with the items, from its beginning.
Steps are a function that runs it up to the next `yield` and keeps its variables, which are places of the
program like those of any function. Which generators need them, a recording finds out: the next one makes
them so.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from types import FunctionType
from typing import Any

from autograph._src.backends.protocol import active_backend, backend_of, reads
from autograph._src.closure_cells import cells_of, content_of
from autograph._src.operators.closures import LateCell, binds_late, is_like, written_names
from autograph._src.operators.generator_loops import Body, GoesOn, Shared, Walk, in_generator
from autograph._src.operators.loop_options import entered_loop
from autograph._src.operators.undefined import Undefined
from autograph._src.policy import request_own

_MOST_UNROLLED = 64
"""After so many items that plain values decide, the rest is recorded as a loop."""


class Steps(Walk):
    """The items of a generator, each taken when it is asked for.

    Attributes:
        factory: Makes the function that takes a step; conversion has made it (`stepping.rs`).
        args: The positional arguments of the call.
        kwargs: Those by name.
        call: Calls the step as converted code does.
        has_stepped: Whether an item has been asked for.
        is_reused: Whether a loop of another generator has begun it again with other arguments, or has
            another one in its place: Python's object stands for nothing then.
    """

    begins_again = is_taken_over = True

    def __init__(
        self,
        factory: FunctionType,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        call: Callable[..., Any],
    ) -> None:
        self.factory, self.args, self.kwargs, self.call = factory, args, kwargs, call
        self.step, self.item, self._place = factory(*args, **kwargs)
        self.has_stepped = self.is_reused = False
        binds_late(self.step)
        request_own(self.step)
        backend = active_backend()
        assert backend is not None
        for place in self._places():
            backend.created(place.owner)
        self._fix()

    def _fix(self) -> None:
        """Tells the loops of the generator which of its parameters nothing binds anew."""
        bound = inspect.signature(self.factory).bind(*self.args, **self.kwargs)
        bound.apply_defaults()
        written = written_names(self.step.__code__)
        fixed = [value for name, value in bound.arguments.items() if name not in written]
        for source in self._sources():
            source.fixed = fixed

    def keep_parameters(self) -> None:
        """Has steps keep what the loops walk, since the generator may begin again with other arguments."""
        if not self.has_stepped:
            for source in self._sources():
                source.fixed = []

    def _sources(self) -> list[Any]:
        return [
            one
            for one in map(content_of, self.step.__closure__ or ())
            if getattr(type(one), "is_of_loop", False)
        ]

    def require_own(self) -> None:
        """Refuses it where a loop of another generator has begun it anew.

        Raises:
            StagingError: If one has (AG120).
        """
        backend = active_backend()
        if self.is_reused and backend is not None:
            raise backend.refuse("a generator that another generator walks, and that is walked here too")

    def advance(self) -> Any:
        """Runs the generator to its next item; gives whether there is one."""
        self.has_stepped = True
        return self.call(bool, in_generator(lambda _: self.call(self.step))(None))

    def run(self, body: Body, goes_on: GoesOn, shared: Shared) -> None:
        """Runs the rest of the loop."""

        def test() -> Any:
            more = True if goes_on is None else goes_on()
            backend = backend_of(more)
            if backend is not None:
                return backend.and_(more, self.advance)
            reads(more)
            return self.advance() if more else False

        with entered_loop():
            _run(test, lambda: body(self.item()), shared)

    def moved(self) -> Steps:
        """The same generator, not begun, as one that has stood where it is before all blocks.

            for x in xs:
                for y in halves(x):     # a generator each time, of which one is left at a time
                    yield y

        Its variables are those of one object, which :meth:`restart` gives new values.
        """
        made = Steps(self.factory, self.args, self.kwargs, self.call)
        backend = active_backend()
        assert backend is not None
        for source in made._sources():
            source.fixed = []
        for place in made._places():
            if place.name != made._place and not isinstance(place.read(), FunctionType):
                place.write(Undefined(place.name))
            backend.existed(place.owner)
        return made

    def restart(self, other: Steps) -> None:
        """Begins again with the arguments of another generator of the same function, which is not begun."""
        backend = active_backend()
        assert backend is not None
        if not is_like(self.factory, other.factory):
            raise backend.refuse("a generator with a loop over several generators, taken one by one")
        if other.has_stepped or other.is_reused:
            raise backend.refuse("a generator that has begun, and goes on in a loop of another generator")
        self.is_reused = other.is_reused = True
        bound = inspect.signature(self.factory).bind(*other.args, **other.kwargs)
        bound.apply_defaults()
        for place in self._places():
            before, after = place.read(), bound.arguments.get(place.name)
            if (
                isinstance(before, FunctionType)
                and isinstance(after, FunctionType)
                and is_like(before, after)
            ):
                continue  # The block of the generator that makes it is recorded again.
            backend.will_write(place)
            if place.name == self._place:
                place.write(0)
            else:
                place.write(bound.arguments.get(place.name, Undefined(place.name)))

    def _places(self) -> list[LateCell]:
        cells = cells_of(self.step)
        own = {*written_names(self.step.__code__), *inspect.signature(self.factory).parameters}
        return [LateCell(cells[name], name) for name in sorted(own) if name in cells]


def _run(test: Callable[[], Any], body: Callable[[], None], shared: Shared) -> None:
    """``while test(): body()``, of which the first iterations run while plain values decide."""
    backend = active_backend()
    assert backend is not None
    for _ in range(_MOST_UNROLLED):
        holds = test()
        decides = backend_of(holds)
        if decides is not None:
            decides.while_stmt(holds, test, body, *shared)
            return
        reads(holds)
        if not holds:
            return
        body()
    backend.while_stmt(test(), test, body, *shared)
