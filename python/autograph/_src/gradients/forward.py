"""Forward mode: ``jvp`` and ``linearize``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from autograph import _core
from autograph._src.articles import with_article
from autograph._src.backends.protocol import type_name
from autograph._src.gradients.complex_parts import InParts
from autograph._src.gradients.detached import Pushforward
from autograph._src.gradients.recorded import (
    DifferentiatedCall,
    by_rules,
    derivatives,
    frozen,
    recorded,
    with_aux,
)
from autograph._src.gradients.refusals import refusal
from autograph._src.gradients.reverse import forward_pass
from autograph._src.gradients.several_types import for_each_type
from autograph._src.gradients.smooth import fitted, values_of, with_values
from autograph._src.gradients.transformed import Transformed, transformed
from autograph._src.staging.calls.made_trees import made_tree
from autograph._src.staging.objects.opened_rows import opened
from autograph._src.staging.trace.active import current_trace


def jvp(
    fun: Callable[..., Any], primals: Sequence[Any], tangents: Sequence[Any], has_aux: bool = False
) -> tuple[Any, ...]:
    """Compute the value of a function and its derivative in one direction, by forward mode.

    Args:
        fun: A function that returns a tree of arrays and numbers; with ``has_aux`` a pair ``(tree, aux)``.
        primals: A tuple or list of its arguments: arrays and scalars of floats or complex numbers, or trees
            of them.
        tangents: The direction: for each argument a tree of the same structure, shapes and dtypes.
        has_aux: Whether ``fun`` returns a pair whose second part is not differentiated.

    Returns:
        ``(value, tangent)``, or ``(value, tangent, aux)``. The tangent has the structure, shapes and dtypes
        of the value, with ``None`` for leaves that are neither floats nor complex numbers.

    Raises:
        StagingError: As for :func:`autograph.grad`; also if the tangents do not match the primals (AG144).

    Example:
        >>> import numpy as np
        >>> import autograph as ag
        >>> ag.jvp(lambda x, y: x * y, (3.0, np.array([1.0, 2.0])), (1.0, np.array([0.0, 1.0])))
        (array([3., 6.]), array([1., 5.]))
    """
    for word, given in (("primals", primals), ("tangents", tangents)):
        if not isinstance(given, (tuple, list)):
            raise refusal(
                "AG144", f"the {word} given to jvp are {with_article(type_name(given))}, not a tuple"
            )
    if len(primals) != len(tangents):
        raise refusal("AG144", f"jvp has {len(primals)} primals and {len(tangents)} tangents")
    if current_trace() is None:
        return _staged("jvp", fun, has_aux, jvp)(tuple(primals), tuple(tangents))  # type: ignore[no-any-return]

    def record(args: tuple[Any, ...], _: dict[str, Any]) -> tuple[Any, ...]:
        return _recorded_jvp(fun, args[0], args[1], has_aux)

    return for_each_type(record, opened((tuple(primals), tuple(tangents))), {})  # type: ignore[return-value]


def _recorded_jvp(
    fun: Callable[..., Any], primals: tuple[Any, ...], tangents: tuple[Any, ...], has_aux: bool
) -> tuple[Any, ...]:
    pairs = zip(primals, tangents, strict=True)
    directions = [leaf for primal, tangent in pairs for leaf in fitted("jvp", "tangent", tangent, primal)]
    call = InParts(fun, primals, range(len(primals)))
    recording = recorded("jvp", call.function, call.args, {}, range(len(primals)))
    if has_aux:
        value, aux = with_aux("jvp", recording.result)
        return value, pushed_forward(recording, directions, value, is_before=True), aux
    return recording.result, pushed_forward(recording, directions, recording.result, is_before=True)


def pushed_forward(
    recording: DifferentiatedCall, directions: Sequence[int], result: object, *, is_before: bool
) -> object:
    """The tangent of a result; ``is_before``: the inputs' tangents were recorded before the call."""
    trace = recording.trace
    outputs = values_of(result)
    wrt = list(zip(recording.inputs.values, directions, strict=True))
    with derivatives(trace):
        builder = trace.locate_in_graph()
        found = _core.jvp(builder, recording.first, recording.last, is_before, wrt, outputs)
        tangents = [
            _core.zeros_like(builder, output) if tangent is None else tangent
            for output, tangent in zip(outputs, found, strict=True)
        ]
    return made_tree(with_values(result, iter(tangents)))


def linearize(fun: Callable[..., Any], *primals: object, has_aux: bool = False) -> tuple[Any, ...]:
    """Compute the value of a function at a point, and its derivative there as a linear function.

    Args:
        fun: A function that returns a tree of arrays and numbers; with ``has_aux`` a pair ``(tree, aux)``.
        *primals: The point, one argument of ``fun`` each: float arrays and scalars, or trees of them.
        has_aux: Whether ``fun`` returns a pair whose second part is not differentiated.

    Returns:
        ``(value, fun_jvp)``, or ``(value, fun_jvp, aux)``. ``fun_jvp`` takes one tangent for each primal, of
        the primal's shape and dtype, and returns the tangent of the value.

    Raises:
        StagingError: As for :func:`autograph.jvp`.

    Example:
        >>> import autograph as ag
        >>> y, fun_jvp = ag.linearize(lambda x: x ** 3, 2.0)
        >>> y, fun_jvp(1.0), fun_jvp(10.0)
        (8.0, 12.0, 120.0)
    """
    if current_trace() is None:
        result, backward, residuals = forward_pass("linearize", fun, primals, has_aux)
        value, *aux = result if has_aux else (result,)
        if backward is not None:
            return value, Pushforward(backward, value, residuals, primals), *aux
        at = frozen(primals)
        derivative = _staged("linearize", fun, has_aux, _direction)

        def fun_jvp(*tangents: object) -> object:
            return derivative(at, tangents)

        return value, fun_jvp, *aux
    primals = opened(primals)
    call = InParts(fun, primals, range(len(primals)))
    recording = by_rules(recorded("linearize", call.function, call.args, {}, range(len(primals))))
    result = recording.result
    value = with_aux("linearize", result)[0] if has_aux else result

    def pushed(*tangents: object) -> object:
        pairs = zip(primals, opened(tangents), strict=True)
        directions = [
            leaf for primal, tangent in pairs for leaf in fitted("linearize", "tangent", tangent, primal)
        ]
        return pushed_forward(recording, directions, value, is_before=False)

    return (value, pushed, result[1]) if has_aux else (value, pushed)


def _staged(name: str, fun: Callable[..., Any], has_aux: bool, record: Callable[..., Any]) -> Transformed:
    """A function of primals and tangents."""

    def like(primals: object, tangents: object) -> None:
        """Provides its parameters to the staged function."""

    def recorded(args: tuple[Any, ...], _: dict[str, Any]) -> object:
        return record(fun, args[0], args[1], has_aux)

    return transformed(name, fun, has_aux, recorded, like)


def _direction(
    fun: Callable[..., Any], primals: tuple[Any, ...], tangents: tuple[Any, ...], has_aux: bool
) -> Any:
    return jvp(fun, primals, tangents, has_aux)[1]
