"""Finds the op whose derivative is wrong: the first one whose result has another one than differences give.

y = np.sin(x)           # its tangent along a direction is as the differences of `y` along it say
z = wrong(y)            # that of `z` is not: this is the place
return z * y
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autograph import _core
from autograph._src.gradients.recorded import DifferentiatedCall, recorded
from autograph._src.gradients.smooth import fitted
from autograph._src.gradients.transformed import Transformed
from autograph._src.staging.tensors.tensor import Form, Tensor
from autograph._src.staging.trace.frames import location_of
from autograph.errors import Location

MOST_VALUES = 200
"""How many values of a function are looked at."""


def first_wrong(
    mode: str,
    function: Callable[..., Any],
    points: tuple[Any, Any, Any],
    tangents: Any,
    is_close: Callable[[Any, Any], bool],
) -> Location | None:
    """The place of the first op whose derivative differs from the differences; ``None`` if none is found.

    Args:
        mode: ``"fwd"`` or ``"rev"``.
        function: The function.
        points: Its arguments; those a step further along the tangents, and a step back. A step is as long as
            the tangents.
        tangents: The direction: one tree for each argument.
        is_close: Whether a derivative is what differences give.
    """
    places: list[Location | None] = []

    def like(primals: object, tangents: object) -> None:
        """Provides its parameters to the staged function."""

    def record(args: tuple[Any, ...], _: dict[str, Any]) -> object:
        recording, directions, values = _values(function, args[0], args[1], places)
        slopes = _slopes(mode, recording, directions, values)
        return [
            (Tensor(recording.trace, one, None), slope) for one, slope in zip(values, slopes, strict=True)
        ]

    probe = Transformed("check_grads", function, record, like)
    at, after, before = (probe(point, tangents) for point in points)
    for (_, slope), (upper, _), (lower, _), place in zip(at, after, before, places, strict=True):
        if np.shape(upper) == np.shape(lower) and place is not None:
            difference = (np.asarray(upper) - np.asarray(lower)) / 2
            found = difference if mode == "fwd" else np.sum(_weights(difference.shape) * difference)
            if not is_close(slope, found):
                return place
    return None


def _values(
    function: Callable[..., Any], primals: Any, tangents: Any, places: list[Location | None]
) -> tuple[DifferentiatedCall, list[int], list[int]]:
    """A recorded call, the tangents of its inputs, and its values of known sizes, whose places are noted."""
    pairs = zip(primals, tangents, strict=True)
    directions = [leaf for one, other in pairs for leaf in fitted("check_grads", "tangent", other, one)]
    recording = recorded("check_grads", function, primals, {}, range(len(primals)))
    trace = recording.trace
    found = [
        (value, place)
        for value, place in _core.float_values(trace.locate_in_graph(), recording.first, recording.last)
        if None not in trace.builder.type_of(value)[1]
    ][:MOST_VALUES]
    places[:] = [None if place is None else location_of(*trace.callers.step(place)) for _, place in found]
    return recording, directions, [value for value, _ in found]


def _slopes(
    mode: str, recording: DifferentiatedCall, directions: list[int], values: list[int]
) -> list[Tensor]:
    """The derivative of each value along the directions; in reverse mode of the weighted sum of each."""
    trace, inputs = recording.trace, recording.inputs
    builder = trace.locate_in_graph()
    if mode == "fwd":
        wrt = list(zip(inputs.values, directions, strict=True))
        found = _core.jvp(builder, recording.first, recording.last, True, wrt, values)
        pairs = zip(values, found, strict=True)
        tangents = [_core.zeros_like(builder, one) if slope is None else slope for one, slope in pairs]
        return [Tensor(trace, slope, None) for slope in tangents]
    slopes = []
    for value in values:
        like: Any = Tensor(trace, value, Form.ARRAY)
        weights = np.asarray(_weights(like.sizes), like.dtype)
        seed = np.zeros_like(like) + weights
        found = _core.vjp(builder, recording.first, recording.last, inputs.values, [(value, seed.read())])
        total: Any = 0.0
        for adjoint, direction in zip(found, directions, strict=True):
            if adjoint is not None:
                total = total + np.sum(
                    Tensor(trace, adjoint, Form.ARRAY) * Tensor(trace, direction, Form.ARRAY)
                )
        slopes.append(total)
    return slopes


def _weights(sizes: tuple[int, ...]) -> Any:
    """Numbers of both signs, no two of which are equal."""
    return np.cos(np.arange(np.prod(sizes, dtype=int)) + 0.5).reshape(sizes)
