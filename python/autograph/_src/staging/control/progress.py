"""Progress bars in a staged function: made, moved and closed by the running graph.

    for i in tqdm(range(n), desc="steps"):
        x = x * 0.5

becomes three calls of Python from the graph. The first, before the loop, makes tqdm's own object, so `desc`,
`total`, `leave` and `disable` mean what they always do. The second, in the loop, moves the bar; it happens
only when an iteration number that the bar chose is reached, and the bar chooses the next number by the time
that iterations take. So a loop of a million cheap iterations calls Python some dozens of times. The third
call, after the loop, closes the bar.

Invariants: each run has its own bars, and closes them even if it fails. Tracing shows nothing.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from autograph._src.backends.protocol import backend_among
from autograph._src.operators.logic import if_exp
from autograph._src.operators.places import Attribute
from autograph._src.operators.progress import bar_class, range_maker
from autograph._src.staging.control.effects import record_call
from autograph._src.staging.control.iteration import StandIn, staged_iterable, staged_range
from autograph._src.staging.control.run_templates import Template
from autograph._src.staging.lists.staged_iterable import StagedIterable
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.python_scalars import truth
from autograph._src.staging.tensors.tensor import Form, Tensor, wrap
from autograph._src.staging.trace.active import require_trace, staging_error
from autograph._src.staging.trace.recorder import Value
from autograph._src.staging.trace.sites import Site

SECONDS_BETWEEN_CALLS = 0.05
"""The aimed time between two calls in which a running loop moves its bar."""

_FASTEST_GROWTH = 4
_NEVER = 2**63 - 1


class RunningBar:
    """A bar while the graph runs.

    Attributes:
        bar: tqdm's object.
    """

    def __init__(self, bar: Any) -> None:
        self.bar = bar
        self._first = bar.n
        self._step = 1
        self._asked = time.perf_counter()

    def ask(self, finished: int) -> int:
        """Moves the bar to the number of finished iterations; gives the number for the next call."""
        if self.bar.disable:
            return _NEVER
        moved = self._first + finished - self.bar.n
        if moved > 0:
            self.bar.update(moved)
        now = time.perf_counter()
        seconds, self._asked = now - self._asked, now
        growth = SECONDS_BETWEEN_CALLS / max(seconds, SECONDS_BETWEEN_CALLS / _FASTEST_GROWTH)
        self._step = max(1, int(self._step * growth))
        return finished + self._step

    def finish(self, finished: int) -> None:
        """Closes the bar at this number of iterations, as tqdm does at the end of its iterable."""
        if not self.bar.disable:
            self.bar.n = self._first + finished
        self.bar.close()


class _Runs(threading.local):
    """The bars of the runs on a thread, innermost run last."""

    def __init__(self) -> None:
        self.bars: list[dict[object, RunningBar]] = []


_runs = _Runs()


@contextmanager
def run_with_bars() -> Iterator[None]:
    """Surrounds a run of a graph that makes bars; closes those that the run leaves open."""
    bars: dict[object, RunningBar] = {}
    _runs.bars.append(bars)
    try:
        yield
    finally:
        _runs.bars.pop()
        for running in bars.values():
            running.bar.close()


class Progress(StandIn):
    """Stands for a tqdm bar while tracing; iterating it iterates the wrapped iterable.

    Attributes:
        iterable: The wrapped iterable, or ``None``.
        next_call: The number of finished iterations at which the graph next calls the bar.
        position: The number of the item that was taken last.
    """

    ag_type_name = "progress bar"

    def __init__(self, make: Callable[..., Any], args: tuple[Any, ...], options: dict[str, Any]) -> None:
        options = dict(options)
        self.iterable = args[0] if args else options.pop("iterable", None)
        self._key = object()
        trace = require_trace()
        trace.has_bars = True
        trace.journal.created(self)
        self.next_call: Any = self._record_making(make, args[1:], options)
        self.position: Any = 0

    def _record_making(
        self, make: Callable[..., Any], args: tuple[Any, ...], options: dict[str, Any]
    ) -> Tensor:
        template = Template()
        length, has_iterable = _length(self.iterable), self.iterable is not None
        read_length = template.reader(length)
        readers = [template.reader(value) for value in args]
        named = {name: template.reader(value) for name, value in options.items()}
        key = self._key

        def run(arrays: list[NDArray[Any]]) -> list[NDArray[Any]]:
            count = read_length(arrays)
            walked = (iter(()) if count is None else range(max(count, 0))) if has_iterable else None
            given = {name: read(arrays) for name, read in named.items()}
            bar = make(walked, *[read(arrays) for read in readers], **given)
            _runs.bars[-1][key] = RunningBar(bar)
            return [np.array([_NEVER if bar.disable else 0])]

        return wrap(_call(run, template.operands, "a progress bar is made"), Form.PYTHON)

    # Iterating

    def tick(self, position: Any) -> None:
        """Records that ``position`` iterations are finished, and a call of the bar if it is due."""
        journal = require_trace().journal
        journal.will_write(Attribute(self, "next_call"))
        journal.will_write(Attribute(self, "position"))
        due = truth(lift(position) >= self.next_call)
        self.next_call = if_exp(due, lambda: self._ask(position), lambda: self.next_call)
        self.position = position

    def _ask(self, position: object) -> Tensor:
        key = self._key

        def run(arrays: list[NDArray[Any]]) -> list[NDArray[Any]]:
            return [np.array([_runs.bars[-1][key].ask(int(arrays[0].item()))])]

        said = "a progress bar is told of {0} iterations, and says when it wants to be told again"
        return wrap(_call(run, [lift(position).read()], said), Form.PYTHON)

    def finish(self, count: object, is_whole: object = True) -> None:
        """Records that the loop is over.

        Args:
            count: The number of iterations of the whole loop.
            is_whole: Whether the loop ran to its end, plain or staged.
        """
        finished = if_exp(is_whole, lambda: count, lambda: self.position)
        key = self._key

        def finish_bar(number: Any) -> None:
            _runs.bars[-1][key].finish(number)

        record_call(finish_bar, finished)

    def staged(self) -> StagedIterable | None:
        """A staged iterable that moves the bar; ``None`` if Python is to walk the wrapped iterable."""
        inner = self.iterable
        items = staged_iterable(lift(inner)) if isinstance(inner, np.ndarray) else staged_iterable(inner)
        return None if items is None else self._over(items)

    def sequence(self) -> StagedIterable | None:
        """As :meth:`staged`, for ``zip`` and ``enumerate``, which walk a plain ``range`` staged too."""
        inner = self.iterable
        is_range = isinstance(inner, range)
        return self._over(staged_range(inner.start, inner.stop, inner.step)) if is_range else self.staged()

    def _over(self, items: StagedIterable) -> StagedIterable:
        items.use()

        def source(position: object) -> object:
            self.tick(position)
            return items.source(position)

        # Like tqdm's object it can be walked again after the bar is closed.
        kind = "range" if not items.is_iterator() else items.kind
        result = StagedIterable(items.length, source, kind, items.steps)
        result.endings = (*items.endings, self.finish)
        result.checks = items.checks
        return result

    def __iter__(self) -> Iterator[Any]:
        """Iterates for unconverted code: the items, with the bar moved at each."""
        count = 0
        for item in self.iterable:
            self.tick(count)
            yield item
            count += 1
        self.finish(count)

    def __len__(self) -> int:
        return len(self.iterable)

    # What programs call

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __getattr__(self, name: str) -> Any:
        if name not in _STATE and not hasattr(bar_class(), name):
            raise AttributeError(f"'tqdm' object has no attribute '{name}'")
        if name not in _METHODS:
            raise staging_error(
                "AG120",
                f"`{name}` of a progress bar in a staged function",
                f"the running graph can call {', '.join(_METHODS[:-1])} and {_METHODS[-1]} of it",
            )
        key = self._key

        def method(*args: object, **options: object) -> None:
            def call(values: tuple[Any, ...], named: dict[str, Any]) -> None:
                getattr(_runs.bars[-1][key].bar, name)(*values, **named)

            record_call(call, args, options)

        return method


_METHODS = (
    "update",
    "close",
    "refresh",
    "clear",
    "reset",
    "unpause",
    "set_description",
    "set_description_str",
    "set_postfix",
    "set_postfix_str",
)
"""Methods of a bar that return nothing a program needs, so that the graph can call them."""

_STATE = (
    *("n", "total", "desc", "leave", "disable", "unit", "postfix"),
    *("pos", "last_print_n", "last_print_t", "start_t"),
)
"""Attributes of a bar, which exist only while the graph runs."""


def _length(iterable: Any) -> Any:
    """The length of an iterable, plain or staged; ``None`` if ``len`` does not work on it."""
    if isinstance(iterable, StagedIterable):
        return None if iterable.is_iterator() else iterable.count()
    try:
        return len(iterable)
    except TypeError:
        from autograph._src.staging.lists.traced_list import StagedList

        return iterable.length() if isinstance(iterable, StagedList) else None


def _call(
    run: Callable[[list[NDArray[Any]]], list[NDArray[Any]]], operands: list[Value], words: str
) -> Value:
    """Records a call of Python that gives an int."""
    trace = require_trace()
    trace.sites.append(Site(run, words))
    (value,) = trace.locate().callback(len(trace.sites) - 1, operands, [("int64", [])])
    return value


def call_progress(function: Any, args: tuple[Any, ...], options: dict[str, Any]) -> object:
    """Calls a function that :func:`autograph._src.operators.progress.makes_progress` recognised."""
    if isinstance(function, type):
        return Progress(function, args, options)
    maker = range_maker(function)
    if maker is not None:
        return Progress(maker, (staged_or_plain_range(args),), options)
    if isinstance(function.__self__, type) or function.__name__ in _METHODS:
        record_call(lambda values, named: function(*values, **named), args, options)
        return None
    return function(*args, **options)


def staged_or_plain_range(bounds: tuple[Any, ...]) -> object:
    """``range(*bounds)``, staged if a bound is."""
    backend = backend_among(bounds)
    return range(*bounds) if backend is None else backend.call_builtin(range, bounds, {})


def progress_of(bar: Any) -> Progress:
    """The stand-in for a bar that was made outside the staged function."""
    return Progress(lambda _: bar, (bar.iterable,), {})
