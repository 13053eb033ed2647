"""A call that a recorder of another library has recorded: which values to keep, and its result of them.

recorded = record_call(backend, recorder, function, *arguments)
recorded.result(values)     # of what `recorded.values` are when the program has run
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from autograph._src.backends.protocol import activated
from autograph._src.backends.recording_backend import RecordingBackend
from autograph._src.control_status import ControlStatus, control_status
from autograph._src.recording import attempted, definition, new_trace, recorded_result
from autograph._src.recursion_limit import more_frames
from autograph._src.result_trees import ResultTree
from autograph._src.results import Recipe, Returned
from autograph._src.staging.kinds.optionals import required
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.parted import PartedTensor
from autograph._src.staging.tensors.tensor import Tensor
from autograph._src.staging.trace.active import is_foreign, require_trace, tracing
from autograph._src.staging.trace.facts import Facts
from autograph._src.staging.trace.recorder import Recorder, Value
from autograph._src.staging.trace.signals import Learned
from autograph._src.staging.trace.trace import Trace
from autograph.errors import StagingError


class RecordedCall:
    """A recorded call of a function.

    Attributes:
        recorder: The recorder that holds the program.
        values: The values of the recorder that the result is made of.

    Example:
        >>> from autograph.backends import Recorder, RecordingBackend, record_call
        >>> class NoOps(Recorder):
        ...     words = "a recorder of nothing"
        >>> recorded = record_call(RecordingBackend(), NoOps, lambda x: [x + 1], 2)
        >>> recorded.values, recorded.result([])
        ([], [3])
    """

    def __init__(self, trace: Trace, function: Callable[..., Any], result: object) -> None:
        self.recorder = trace.builder
        where = definition(function)
        self._tree = ResultTree(trace, result, where)
        returned = _Returned([], trace, where, self._tree)
        self._recipes = returned.recipes(self._tree.leaves)
        self.values: list[Value] = [value for recipe in self._recipes for value in recipe.outputs]

    def result(self, values: Sequence[object]) -> Any:
        """The function's result.

        Args:
            values: What ``self.values`` are after a run, in the same order. Flags among them, which say
                whether a value is ``None``, have to be known.
        """
        outputs = _Outputs(values)
        return self._tree.build([recipe.value(outputs, []) for recipe in self._recipes])


class _Outputs(Iterator[Any]):
    """The values of a run, in order: as arrays for the recipes, or as they are."""

    def __init__(self, values: Sequence[object]) -> None:
        self._values = iter(values)

    def __next__(self) -> NDArray[Any]:
        return np.asarray(self.value())

    def value(self) -> Any:
        """The next value as it is."""
        return next(self._values)


class _ValueRecipe(Recipe):
    """How to make a leaf that the run gives as it is."""

    def __init__(self, value: Value) -> None:
        self.outputs = (value,)

    def fast(self) -> None:
        """Always ``None``: no dispatcher runs this program."""
        return

    def value(self, outputs: _Outputs, arguments: list[object]) -> Any:
        """The leaf."""
        return outputs.value()


class _Returned(Returned):
    """Decides how each leaf of the result is made, for a recorder with values of its own."""

    def recipe(self, leaf: Any) -> Recipe:
        """The value itself for numbers and for the library's values, and else as for a graph."""
        if is_foreign(leaf):
            return _ValueRecipe(leaf)
        if isinstance(leaf, Tensor) and not isinstance(leaf, PartedTensor):
            return _ValueRecipe(self._read(leaf))
        return super().recipe(leaf)


def record_call(
    backend: RecordingBackend,
    recorder: Callable[[], Recorder],
    function: Callable[..., Any],
    /,
    *args: object,
    **kwargs: object,
) -> RecordedCall:
    """Runs a function of the user with staged arguments, and records what they decide.

    A recording may find out something that it needed from its beginning, for example that a list will grow.
    The function then runs again, with a new recorder.

    Args:
        backend: The back-end of the library's values.
        recorder: Makes a recorder that has recorded nothing.
        function: The function.
        *args: Its arguments, staged and plain.
        **kwargs: Its named arguments.

    Returns:
        The recorded call.

    Raises:
        StagingError: If the function does what the back-end cannot stage, at the user's line.

    Example:
        >>> from autograph.backends import Recorder, RecordingBackend, record_call
        >>> class NoOps(Recorder):
        ...     words = "a recorder of nothing"
        >>> recorded = record_call(RecordingBackend(), NoOps, lambda x: [x + 1], 2)
        >>> recorded.values, recorded.result([])
        ([], [3])
    """
    facts, name = Facts(), getattr(function, "__name__", "function")
    while True:
        facts.begin()
        trace = new_trace(name, facts, recorder())
        try:
            return attempted(trace, partial(_recorded, trace, backend, function, args, kwargs))
        except Learned:
            continue


def _recorded(
    trace: Trace,
    backend: RecordingBackend,
    function: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
) -> RecordedCall:
    # The caller may be a function that is not converted itself.
    with (
        control_status(ControlStatus.ENABLED),
        tracing(trace),
        activated(backend),
        more_frames(),
        trace.callers.within(),
    ):
        return RecordedCall(trace, function, recorded_result(trace, function, args, kwargs))


def active_recorder() -> Recorder:
    """The recorder of the recording that is under way on this thread.

    Raises:
        StagingError: If none is (AG110).
    """
    return require_trace().builder


def recorded_value(value: object) -> Value:
    """The recorder's value of a number that this package staged, or of a plain number.

    A library's operators call this for an operand that is not theirs: the index of a staged loop, for
    instance, is an ``ag.Tensor`` of a Python int.

    Args:
        value: A staged or plain number, or a value of the library, which is returned as it is. Where it may
            be ``None``, the run raises a ``TypeError`` if it is.

    Raises:
        StagingError: If the value is no number (AG105).
    """
    value = required(value)
    if is_foreign(value):
        return value
    found = lift(value)
    if found.sizes:
        raise StagingError("an array of NumPy is combined with a value of another library", code="AG105")
    return found.read()
