"""Managers that are generators: what a ``with`` holds runs where the generator yields.

    @contextmanager
    def scaled(x):                def scaled(x):                  # the walk that conversion makes
        try:                          try:
            yield 2.0 * x                 ag__.yielded(2.0 * x)   # runs `y = z[i]`
        except IndexError:            except IndexError:
            print("out of range")         print("out of range")

    with scaled(x) as z:          `scaled` runs, and `yielded` runs what the `with` holds
        y = z[i]

Python raises there what fails inside of the ``with``. So do runs: what the generator does then is recorded as
any handler is.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from contextlib import ContextDecorator, contextmanager
from types import CodeType, FunctionType
from typing import Any

from autograph._src.backends.protocol import active_backend, backend_of
from autograph._src.operators.calls import RUN_BY, converted_call, walk_of_manager
from autograph._src.operators.generator_functions import FunctionWalk, Taker
from autograph._src.operators.generator_loops import Body, Shared
from autograph._src.operators.identity import not_
from autograph._src.operators.impurity import refuse_outside_iterator
from autograph._src.operators.places import Attribute
from autograph._src.staging.trace.frames import here
from autograph.errors import StagingError


class _Once(Taker):
    """What a ``with`` holds, which takes the only item of its manager.

    Attributes:
        is_taken: Whether it has run; only the run may know.
    """

    def __init__(self, body: Body, shared: Shared) -> None:
        super().__init__(body, None, shared)
        self.is_taken: Any = False

    def take(self, item: object) -> object:
        """Runs it."""
        backend = active_backend()
        assert backend is not None
        if self.is_taken is not False:
            raise StagingError(
                "the generator of this manager may yield a second time",
                code="AG120",
                location=here(),
                help="have it yield once: CPython raises `RuntimeError`",
            )
        backend.will_write(Attribute(self, "is_taken"))
        self.is_taken = True
        return super().take(item)


class ManagerWalk(FunctionWalk):
    """A ``with`` whose manager is a generator that has not begun."""

    def enter(self, body: Body, shared: Shared) -> None:
        """Runs the generator function, and what the ``with`` holds where it yields."""
        backend = active_backend()
        assert backend is not None
        once = backend.created(_Once(body, shared))
        self.run_for(once)
        if once.is_taken is True:
            return
        test = not_(once.is_taken)
        decided = backend_of(test)
        if decided is not None:
            decided.if_stmt(test, _did_not_yield, None, None, None, (), 0)
        elif test:
            _did_not_yield()


def _did_not_yield() -> None:
    try:
        raise StopIteration
    except StopIteration:
        raise RuntimeError("generator didn't yield") from None


_KIND = type(contextmanager(lambda: iter(()))())


def walk_of(manager: Any) -> ManagerWalk | None:
    """Begins a manager that is a generator; ``None`` if it is none, or Python is to run it.

    Raises:
        StagingError: If the manager is from outside of the innermost staged block.
    """
    backend = active_backend()
    if backend is None or type(manager) is not _KIND:
        return None
    held = manager.__dict__
    function = held.get("func")
    if type(function) is not FunctionType or inspect.getgeneratorstate(manager.gen) != inspect.GEN_CREATED:
        return None  # It has been entered before: Python raises the error.
    walk = walk_of_manager(function)
    if walk is None:
        return None
    try:
        refuse_outside_iterator(manager.gen)
    except StagingError as error:
        if error.code != "AG123":
            raise
        return None  # Code that is not converted has made it, such as a property.
    args, kwargs = held.pop("args"), held.pop("kwds")
    del held["func"]
    backend.took_over(manager.gen, True)
    backend.entered(function)
    return ManagerWalk(walk, args, kwargs)


def _make(function: FunctionType, args: tuple[Any, ...], kwargs: dict[str, Any]) -> object:
    """Calls what ``contextmanager`` makes of a generator function."""
    backend = active_backend()
    assert backend is not None
    manager: Any = backend.run_unconverted(function, args, kwargs)
    if type(manager) is _KIND:
        backend.created(manager.gen)
    return backend.created(manager)


Under = Callable[[Any, FunctionType, tuple[str, ...]], None]


def decorated_by(with_stmt: Under) -> None:
    """Registers the operator for ``with``, for functions that a manager decorates."""

    def call(function: FunctionType, args: tuple[Any, ...], kwargs: dict[str, Any]) -> object:
        """``with self._recreate_cm(): return func(*args, **kwds)``, as Python's library has it."""
        held = inspect.getclosurevars(function).nonlocals
        result: object = None

        def body(_item: object) -> None:
            nonlocal result
            result = converted_call(held["func"], *args, **kwargs)

        manager = converted_call(type(held["self"])._recreate_cm, held["self"])
        if type(manager) is _KIND:
            backend = active_backend()
            assert backend is not None
            backend.created(manager.gen)
        with_stmt(manager, body, ("result",))  # type: ignore[arg-type]
        return result

    inner = [one for one in ContextDecorator.__call__.__code__.co_consts if isinstance(one, CodeType)]
    RUN_BY[inner[0]] = call


RUN_BY[contextmanager(lambda: iter(())).__code__] = _make
