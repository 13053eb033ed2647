"""Reverse mode: ``grad``, ``value_and_grad``, ``vjp``."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, ParamSpec, TypeVar

import numpy as np

from autograph._src.gradients.complex_parts import InParts, Joints, require_complex
from autograph._src.gradients.detached import Backward, ForwardPass
from autograph._src.gradients.detached import Pullback as StagedPullback
from autograph._src.gradients.recorded import (
    DifferentiatedCall,
    by_rules,
    frozen,
    parameter_names,
    pulled_back,
    recorded,
    scalar_output,
    selected,
    with_aux,
)
from autograph._src.gradients.refusals import refusal
from autograph._src.gradients.smooth import fitted, values_of
from autograph._src.gradients.transformed import transformed
from autograph._src.operators.calls import converted_call
from autograph._src.staging.complex.complex_tensor import is_complex
from autograph._src.staging.objects.opened_rows import opened
from autograph._src.staging.tensors.lifting import constant, lift
from autograph._src.staging.trace.active import current_trace

P = ParamSpec("P")
R = TypeVar("R")


def value_and_grad(
    fun: Callable[P, R],
    argnums: int | Sequence[int] = 0,
    has_aux: bool = False,
    holomorphic: bool = False,
    allow_int: bool = False,
) -> Callable[P, tuple[R, Any]]:
    """Make a function that computes the value of ``fun`` and its gradient, by reverse mode.

    Args:
        fun: A function that returns one float; with ``has_aux`` a pair ``(float, aux)``. It may be plain,
            staged, or made by another transformation. It works on copies of its arguments: the caller does
            not see its writes to them.
        argnums: The index or indices of the positional arguments to differentiate with respect to: float
            arrays or scalars, or trees of them (tuples, lists, dicts, dataclasses).
        has_aux: Whether ``fun`` returns a pair whose second part is not differentiated.
        holomorphic: Whether ``fun`` is an analytic function of complex arguments, and returns one complex
            number. Its gradient is the complex derivative.
        allow_int: Whether integers among the leaves of these arguments are allowed. Their gradient is
            ``None``.

    Returns:
        A function of the same arguments that returns ``(value, gradient)``, or ``((value, aux), gradient)``
        with ``has_aux``. The gradient has the structure, shapes and dtypes of the argument; if ``argnums``
        is a sequence, it is a tuple of gradients.

    Raises:
        StagingError: In a call, if an argument in ``argnums`` has leaves that are not floats (AG141), if the
            result is not one float (AG142), or if an operation between them has no derivative (AG143).

    Example:
        >>> import numpy as np
        >>> import autograph as ag
        >>> def loss(w, x):
        ...     error = 0.0
        ...     for row in x:
        ...         if row @ w > 0:
        ...             error += (row @ w) ** 2
        ...     return error
        >>> value, gradient = ag.value_and_grad(loss)(np.array([1.0, 2.0]), np.eye(2))
        >>> value, gradient
        (np.float64(5.0), array([2., 4.]))
    """
    name = "value_and_grad"
    take = _record_analytic if holomorphic else _record

    def record(args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, Any]:
        value, gradient = take(name, fun, argnums, has_aux, args, kwargs, allow_int)
        return value, gradient

    options = (argnums, has_aux, holomorphic, allow_int)
    key = (*options_of(argnums, has_aux), holomorphic, allow_int)
    return transformed(name, fun, key, record, making=(value_and_grad, (fun, *options)))


def grad(
    fun: Callable[P, Any],
    argnums: int | Sequence[int] = 0,
    has_aux: bool = False,
    holomorphic: bool = False,
    allow_int: bool = False,
) -> Callable[P, Any]:
    """Make a function that computes the gradient of ``fun``, by reverse mode.

    Reverse mode differentiates branches, loops of any number of iterations, ``break``, early ``return``,
    lists, writes in place and recursion (``docs/design/0011``; for straight-line code: Griewank and Walther,
    Evaluating Derivatives, 2008, chapter 3).

    Args:
        fun: As for :func:`autograph.value_and_grad`.
        argnums: As for :func:`autograph.value_and_grad`.
        has_aux: As for :func:`autograph.value_and_grad`.
        holomorphic: As for :func:`autograph.value_and_grad`.
        allow_int: As for :func:`autograph.value_and_grad`.

    Returns:
        A function of the same arguments that returns the gradient, or ``(gradient, aux)`` with ``has_aux``.
        The gradient has the structure, shapes and dtypes of the argument; if ``argnums`` is a sequence, it
        is a tuple of gradients.

    Raises:
        StagingError: As for :func:`autograph.value_and_grad`.

    Example:
        >>> import numpy as np
        >>> import autograph as ag
        >>> def halved(x):
        ...     while x > 1.0:
        ...         x = x / 2
        ...     return x * x
        >>> ag.grad(halved)(10.0), ag.grad(ag.grad(halved))(10.0)
        (0.078125, 0.0078125)
    """
    name = "grad"
    take = _record_analytic if holomorphic else _record

    def record(args: tuple[Any, ...], kwargs: dict[str, Any]) -> object:
        value, gradient = take(name, fun, argnums, has_aux, args, kwargs, allow_int)
        return (gradient, value[1]) if has_aux else gradient

    options = (argnums, has_aux, holomorphic, allow_int)
    key = (*options_of(argnums, has_aux), holomorphic, allow_int)
    return transformed(name, fun, key, record, making=(grad, (fun, *options)))


def options_of(argnums: int | Sequence[int], has_aux: bool) -> tuple[Hashable, bool]:
    """The options of a transformation as a hashable key."""
    return argnums if isinstance(argnums, (int, np.integer)) else tuple(argnums), has_aux


def _record(
    name: str,
    fun: Callable[..., Any],
    argnums: int | Sequence[int],
    has_aux: bool,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    allow_int: bool,
) -> tuple[Any, Any]:
    recording = recorded(name, fun, args, kwargs, selected(name, argnums, len(args)), allow_int)
    result = recording.result
    output = scalar_output(name, with_aux(name, result)[0] if has_aux else result)
    seed = constant(1.0, output.dtype)
    gradients = recording.inputs.trees(pulled_back(recording, [(output.read(), seed.read())]))
    return result, gradients[0] if isinstance(argnums, (int, np.integer)) else gradients


def _record_analytic(
    name: str,
    fun: Callable[..., Any],
    argnums: int | Sequence[int],
    has_aux: bool,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    allow_int: bool,
) -> tuple[Any, Any]:
    """As :func:`_record`, of an analytic function: its real part has the whole derivative.

    ``allow_int`` changes nothing, as for JAX: integers are not complex.
    """
    places = selected(name, argnums, len(args))
    require_complex(name, parameter_names(fun, len(args)), args, places)
    call = InParts(fun, args, places)
    recording = recorded(name, call.function, call.args, kwargs, places)
    result = recording.result
    output = with_aux(name, result)[0] if has_aux else result
    if not is_complex(output) or lift(output).sizes != ():
        raise refusal(
            "AG142", f"{name} with holomorphic=True needs a function that returns one complex number"
        )
    real = lift(output).real
    seed = constant(1.0, real.dtype)
    trees = recording.inputs.trees(pulled_back(recording, [(real.read(), seed.read())]))
    gradients = call.joints.cotangents(trees)
    return result, gradients[0] if isinstance(argnums, (int, np.integer)) else gradients


class Pullback:
    """The function that :func:`autograph.vjp` returns in a trace."""

    def __init__(self, name: str, recording: DifferentiatedCall, result: Any, joints: Joints) -> None:
        self._name = name
        self._recording = recording
        self._result = result
        self._joints = joints

    def __call__(self, cotangents: object) -> tuple[Any, ...]:
        """The cotangents of all arguments.

        Args:
            cotangents: A tree of the structure, shapes and dtypes of the function's result.

        Returns:
            A tuple with one tree for each positional argument, like that argument.
        """
        outputs = values_of(self._result)
        seeds = fitted(self._name, "cotangent", opened(cotangents), self._result)
        found = pulled_back(self._recording, list(zip(outputs, seeds, strict=True)))
        return self._joints.cotangents(self._recording.inputs.trees(found))


class PullbackAnew:
    """The function that :func:`autograph.vjp` returns outside of a trace if the kind of the result varies.

    Each call runs the function again, and then its backward pass.
    """

    def __init__(self, function: Callable[..., Any], primals: tuple[Any, ...]) -> None:
        def like(primals: object, cotangents: object) -> None:
            """Provides its parameters to the staged function."""

        def record(args: tuple[Any, ...], _: dict[str, Any]) -> tuple[Any, ...]:
            primals, cotangents = args
            call = InParts(function, primals, range(len(primals)))
            recording = recorded("vjp", call.function, call.args, {}, range(len(primals)))
            return Pullback("vjp", recording, recording.result, call.joints)(cotangents)

        self._primals = primals
        self._both = transformed("vjp", function, None, record, like)

    def __call__(self, cotangents: object) -> Any:
        """The cotangents of all arguments, as a tuple."""
        return self._both(self._primals, cotangents)

    def __repr__(self) -> str:
        return "<the vjp function of ag.vjp>"


def vjp(fun: Callable[..., Any], *primals: object, has_aux: bool = False) -> tuple[Any, ...]:
    """Compute the value of a function, and a function for its vector-Jacobian products.

    Args:
        fun: A function that returns a tree of arrays and numbers; with ``has_aux`` a pair ``(tree, aux)``.
        *primals: Its arguments: arrays and scalars of floats or complex numbers, or trees of them.
        has_aux: Whether ``fun`` returns a pair whose second part is not differentiated.

    Returns:
        ``(value, vjp_fun)``, or ``(value, vjp_fun, aux)``. ``vjp_fun`` takes a cotangent, a tree of the
        structure, shapes and dtypes of the value. It returns a tuple with one entry for each primal: the
        product of the cotangent and the Jacobian, a tree like the primal. Complex cotangents are JAX's, not
        conjugated: that of ``z`` is the cotangent of ``f(z)`` times ``f'(z)``.

    Raises:
        StagingError: As for :func:`autograph.grad`; from ``vjp_fun`` if the cotangent does not match the
            value (AG144).

    Example:
        >>> import numpy as np
        >>> import autograph as ag
        >>> y, vjp_fun = ag.vjp(lambda x: x * np.array([1.0, 2.0]), 3.0)
        >>> y, vjp_fun(np.array([1.0, 10.0]))
        (array([3., 6.]), (21.0,))
    """
    if current_trace() is None:
        result, backward, residuals = forward_pass("vjp", fun, primals, has_aux)
        value, *aux = result if has_aux else (result,)
        if backward is not None:
            return value, StagedPullback("vjp", backward, value, residuals), *aux
        return value, PullbackAnew(_first_of(fun) if has_aux else fun, frozen(primals)), *aux
    primals = opened(primals)
    call = InParts(fun, primals, range(len(primals)))
    recording = by_rules(recorded("vjp", call.function, call.args, {}, range(len(primals))))
    result = recording.result
    if has_aux:
        value, aux = with_aux("vjp", result)
        return value, Pullback("vjp", recording, value, call.joints), aux
    return result, Pullback("vjp", recording, result, call.joints)


def forward_pass(
    name: str, function: Callable[..., Any], primals: tuple[Any, ...], has_aux: bool
) -> tuple[Any, Backward | None, tuple[Any, ...]]:
    """Runs a function once; returns its result, its backward pass if there is one, and the residuals."""
    made = transformed(name, function, ("forward", has_aux), ForwardPass(name, function, has_aux))
    result, residuals, number = made(*primals)
    record = made.record
    backward = record.backwards[number] if isinstance(record, ForwardPass) and number is not None else None
    return result, backward, residuals


def _first_of(function: Callable[..., Any]) -> Callable[..., Any]:
    def first(*args: object) -> Any:
        return with_aux("vjp", converted_call(function, *args))[0]

    return first
