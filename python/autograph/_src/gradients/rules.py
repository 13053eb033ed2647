"""Functions whose derivative the user defines by a rule: ``custom_vjp``, ``custom_jvp``."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import MethodType
from typing import Any

from autograph import _core
from autograph._src.articles import with_article
from autograph._src.backends.protocol import type_name
from autograph._src.gradients.refusals import missing_rule, refusal
from autograph._src.gradients.ruled_call import (
    Raises,
    RuledCall,
    meaningless,
    of_same_types,
    parameter_like,
)
from autograph._src.gradients.several_types import for_each_type
from autograph._src.gradients.smooth import is_float
from autograph._src.named_callables import NamedCallable
from autograph._src.operators.calls import converted_call
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.tensor import Tensor
from autograph._src.staging.trace.active import current_trace, require_trace, staging_error
from autograph._src.staging.trace.trace import Trace
from autograph._src.trees import flatten

HIGHEST_ORDER = 4
"""How deep a rule may call its own function and still use the rule: the highest order of derivatives."""


class _Custom(NamedCallable):
    """A function whose derivative the user defines."""

    # What is in `__dict__` is what the user's function has: `functools.wraps` copies it to wrappers.
    __slots__ = ("__dict__", "__weakref__", "_nondiff", "_rule", "_rules")

    rule_name = ""

    def __init__(self, fun: Callable[..., Any], nondiff_argnums: Sequence[int] = ()) -> None:
        functools.update_wrapper(self, fun)  # type: ignore[arg-type]
        self.__wrapped__ = fun
        self._nondiff = tuple(nondiff_argnums)

    def __get__(self, instance: object, owner: type | None = None) -> Any:
        return self if instance is None else MethodType(self, instance)  # type: ignore[arg-type]

    def __repr__(self) -> str:
        return f"<ag.{type(self).__name__} {getattr(self.__wrapped__, '__qualname__', self.__wrapped__)}>"

    def _bound(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, ...]:
        """All arguments by position, which is how rules take them."""
        if not kwargs:
            return args
        import inspect

        bound = inspect.signature(self.__wrapped__).bind(*args, **kwargs)
        bound.apply_defaults()
        if bound.kwargs:
            raise staging_error(
                "AG146",
                f"{self!r} takes `{next(iter(bound.kwargs))}` by keyword only, which rules do not",
            )
        return bound.args

    @contextmanager
    def _rule_of(self, trace: Trace) -> Iterator[bool]:
        """Yields whether a call uses the rule: yes, unless rules have called their function too deeply."""
        depth = trace.rule_depths.get(id(self), 0)
        trace.rule_depths[id(self)] = depth + 1
        try:
            yield depth < HIGHEST_ORDER
        finally:
            trace.rule_depths[id(self)] = depth

    def _name(self) -> str:
        return getattr(self.__wrapped__, "__name__", "the function")


class custom_vjp(_Custom):  # noqa: N801 - JAX's name
    """Give a function a reverse-mode rule, which :meth:`defvjp` sets.

    Args:
        fun: The function; its arguments and results are float arrays and scalars, or trees of them. It runs
            where no derivative by its arguments is taken; else the rule runs in its place.
        nondiff_argnums: Indices of arguments that rules get unchanged, such as functions and options.

    Returns:
        A callable with the parameters and results of ``fun``.

    Raises:
        StagingError: In a gradient, if there is no rule, if the result of a rule has the wrong structure,
            shape or dtype, or if it uses a value around it that the gradient is taken of (AG146).

    Example:
        >>> import numpy as np
        >>> import autograph as ag
        >>> @ag.custom_vjp
        ... def clipped(x):
        ...     return x
        >>> def forward(x):
        ...     return clipped(x), None
        >>> def backward(_, cotangent):
        ...     return (np.clip(cotangent, -1.0, 1.0),)
        >>> clipped.defvjp(forward, backward)
        >>> ag.grad(lambda x: 10.0 * clipped(x))(2.0)
        1.0
    """

    def __init__(self, fun: Callable[..., Any], nondiff_argnums: Sequence[int] = ()) -> None:
        super().__init__(fun, nondiff_argnums)
        self._rules: tuple[Callable[..., Any], Callable[..., Any]] | None = None

    def defvjp(self, fwd: Callable[..., Any], bwd: Callable[..., Any]) -> None:
        """Set the rules.

        Args:
            fwd: Takes the arguments and returns ``(value, residuals)``. The value is that of the call where
                a gradient is taken; the residuals are a tree of arrays and numbers for ``bwd``.
            bwd: Takes the arguments in ``nondiff_argnums``, the residuals, and a cotangent of the value's
                structure, shapes and dtypes. Returns a tuple with a cotangent for each other argument, of
                that argument's shape and dtype; ``None`` stands for zero.

        Example:
            >>> import autograph as ag
            >>> doubled_gradient = ag.custom_vjp(lambda x: x)
            >>> doubled_gradient.defvjp(lambda x: (x, None), lambda _, cotangent: (2.0 * cotangent,))
            >>> ag.grad(doubled_gradient)(3.0)
            2.0
        """
        self._rules = fwd, bwd

    def __call__(self, *args: object, **kwargs: object) -> Any:
        """Call the function; in a derivative, its rule defines the derivative of the call."""
        trace = current_trace()
        args = self._bound(args, kwargs)
        if trace is None:
            return self.__wrapped__(*args)
        trace.locate_in_graph()  # Another library would take its own derivative of the function.
        if not trace.derivatives:
            return converted_call(self.__wrapped__, *args)
        if self._rules is None:
            raise missing_rule(f"{self!r} has no rules yet", f"`{self._name()}.defvjp(forward, backward)`")
        rules = self._rules
        with self._rule_of(trace) as is_used:
            return (
                for_each_type(lambda given, _: self._record(trace, given, *rules), args, {})
                if is_used
                else converted_call(self.__wrapped__, *args)
            )

    def _record(
        self, trace: Trace, args: tuple[Any, ...], fwd: Callable[..., Any], bwd: Callable[..., Any]
    ) -> object:
        name, builder = self._name(), trace.builder
        call = RuledCall(trace, name, args, self._nondiff)
        found, primal = call.of_function(self.__wrapped__)
        given = call.run_rule(fwd, call.merged(call.open()))
        value, residuals = _pair("forward rule", "residuals", name, given)
        results = call.results_by(value, found)
        saved: list[Any] = []
        _, rebuild_saved = flatten(residuals, saved)
        tensors = [lift(leaf) if isinstance(leaf, Tensor) else None for leaf in saved]
        kept = [one.read() for one in tensors if one is not None]
        forward = builder.close(call.ends("the forward rule", value, results) + kept)
        if found is not results:
            primal = call.always_raising(self.__wrapped__, results)
        trace.locate().open()
        inside = [
            leaf if tensor is None else parameter_like(trace, tensor)
            for leaf, tensor in zip(saved, tensors, strict=True)
        ]
        cotangents = [parameter_like(trace, one) if is_float(one) else None for one in results.tensors]
        adjoints = call.run_rule(bwd, [*call.plain, rebuild_saved(inside), results.rebuild(cotangents)])
        backward = builder.close(self._adjoints(name, adjoints, call))
        return call.made(results, [primal, forward, backward])

    def _adjoints(self, name: str, found: object, call: RuledCall) -> list[int]:
        """The adjoints of the differentiable arguments, from the result of the backward rule."""
        if isinstance(found, Raises):
            smooth = [tensor for tensor in call.tensors if tensor is not None and is_float(tensor)]
            return [meaningless(one).read() for one in smooth]
        count = len(call.smooth)
        if not isinstance(found, (tuple, list)) or len(found) != count:
            what = (
                f"{len(found)} values" if isinstance(found, (tuple, list)) else with_article(type_name(found))
            )
            raise refusal(
                "AG146",
                f"the backward rule of `{name}` returns {what} for {count} arguments",
                "return a tuple with a cotangent for each argument, `None` for zero",
            )
        given: list[Tensor] = []
        wanted = []
        for adjoint, arg in zip(found, call.smooth, strict=True):
            leaves: list[Any] = []
            parts: list[Any] = []
            structure = flatten(arg, leaves)[0]
            if adjoint is None:
                parts = [None] * len(leaves)
            elif flatten(adjoint, parts)[0] != structure:
                raise refusal("AG146", f"the backward rule of `{name}` gives another tree than its argument")
            for part, leaf in zip(parts, leaves, strict=True):
                if is_float(leaf):
                    tensor = lift(leaf)
                    wanted.append(tensor)
                    given.append(_zeros(tensor) if part is None else lift(part))
        return of_same_types(name, "the backward rule", given, wanted)


def _zeros(like: Tensor) -> Tensor:
    trace = require_trace()
    return Tensor(trace, _core.zeros_like(trace.locate_in_graph(), like.read()), like.form)


class custom_jvp(_Custom):  # noqa: N801 - JAX's name
    """Give a function a forward-mode rule, from which reverse mode follows.

    :meth:`defjvp` or :meth:`defjvps` sets the rule.

    Args:
        fun: As for :class:`autograph.custom_vjp`.
        nondiff_argnums: Indices of arguments that the rule gets unchanged, such as functions and options.

    Returns:
        A callable with the parameters and results of ``fun``.

    Raises:
        StagingError: In a derivative, if there is no rule, if the result of the rule has the wrong
            structure, shape or dtype, if it uses a value around it that the derivative is taken of, or in
            reverse mode if it prints or checks a tangent (AG146).

    Example:
        >>> import numpy as np
        >>> import autograph as ag
        >>> @ag.custom_jvp
        ... def safe_log(x):
        ...     return np.log(x)
        >>> @safe_log.defjvp
        ... def rule(primals, tangents):
        ...     (x,), (dx,) = primals, tangents
        ...     return safe_log(x), dx / np.maximum(x, 1e-3)
        >>> ag.grad(safe_log)(1e-6), ag.grad(safe_log)(2.0)
        (1000.0, 0.5)
    """

    _is_closed = False
    """Whether values around the rule are constants for it."""

    def __init__(self, fun: Callable[..., Any], nondiff_argnums: Sequence[int] = ()) -> None:
        super().__init__(fun, nondiff_argnums)
        self._rule: Callable[..., Any] | None = None

    def defjvp(self, jvp: Callable[..., Any]) -> Callable[..., Any]:
        """Set the rule; may be used as a decorator.

        Args:
            jvp: Takes the arguments in ``nondiff_argnums``, then a tuple of the other arguments and a tuple
                of their tangents, of the same shapes and dtypes. Returns ``(value, tangent)``. The tangent
                must be linear in the tangents of the arguments.

        Returns:
            The rule itself.

        Example:
            >>> import autograph as ag
            >>> square = ag.custom_jvp(lambda x: x * x)
            >>> @square.defjvp
            ... def rule(primals, tangents):
            ...     return square(*primals), 2.0 * primals[0] * tangents[0]
            >>> ag.jvp(square, (3.0,), (1.0,))
            (9.0, 6.0)
        """
        self._rule = jvp
        return jvp

    def defjvps(self, *jvps: Callable[..., Any] | None) -> None:
        """Set one rule for each argument; the tangent of the result is the sum of what the rules return.

        Args:
            *jvps: One rule for each argument, called as ``jvp(tangent, value, *args)`` with the argument's
                tangent and the function's value; ``None`` for an argument with zero derivative.

        Example:
            >>> import autograph as ag
            >>> @ag.custom_jvp
            ... def product(x, y):
            ...     return x * y
            >>> product.defjvps(lambda dx, value, x, y: y * dx, None)
            >>> ag.grad(product, argnums=(0, 1))(2.0, 3.0)
            (3.0, 0.0)
        """

        def rule(primals: tuple[Any, ...], tangents: tuple[Any, ...]) -> object:
            value = self(*primals)
            parts = [
                converted_call(one, tangent, value, *primals)
                for one, tangent in zip(jvps, tangents, strict=True)
                if one is not None
            ]
            return value, functools.reduce(lambda left, right: left + right, parts, value * 0.0)

        self._rule = rule

    def __call__(self, *args: object, **kwargs: object) -> Any:
        """Call the function; in a derivative, its rule defines the derivative of the call."""
        trace = current_trace()
        args = self._bound(args, kwargs)
        if trace is None:
            return self.__wrapped__(*args)
        trace.locate_in_graph()  # Another library would take its own derivative of the function.
        if not trace.derivatives:
            return converted_call(self.__wrapped__, *args)
        if self._rule is None:
            raise missing_rule(f"{self!r} has no rule yet", f"`@{self._name()}.defjvp`")
        with self._rule_of(trace) as is_used:
            if not is_used:
                return converted_call(self.__wrapped__, *args)
            rule = self._rule
            return for_each_type(lambda given, _: self._record(trace, given, rule), args, {})

    def _record(self, trace: Trace, args: tuple[Any, ...], rule: Callable[..., Any]) -> object:
        name, builder = self._name(), trace.builder
        call = RuledCall(trace, name, args, self._nondiff)
        found, primal = call.of_function(self.__wrapped__)
        primals = call.open()
        tangents = [
            parameter_like(trace, tensor) if tensor is not None and is_float(tensor) else None
            for tensor in call.tensors
        ]
        given = call.run_rule(rule, [*call.plain, tuple(primals), tuple(call.rebuild(tangents))])
        value, tangent = _pair("rule", "tangent", name, given)
        results = call.results_by(value, found)
        smooth = [one for one in results.tensors if is_float(one)]
        ends = call.ends("the rule", value, results)
        if isinstance(tangent, Raises):
            ends += [meaningless(one).read() for one in smooth]
        else:
            parts: list[Any] = []
            if flatten(tangent, parts)[0] != results.structure:
                raise refusal("AG146", f"the rule of `{name}` gives a tangent unlike its value")
            pairs = zip(parts, results.tensors, strict=True)
            given_tangents = [lift(part) for part, one in pairs if is_float(one)]
            ends += of_same_types(name, "the rule", given_tangents, smooth)
        region = builder.close(ends)
        if found is not results:
            primal = call.always_raising(self.__wrapped__, results)
        return call.made(results, [primal, region], is_closed=self._is_closed)


class closed_jvp(custom_jvp):  # noqa: N801 - like its base
    """A function whose rule takes the values around it for constants; others differentiate it by them.

    A rule of the user that uses a differentiated value is refused, as that part of the derivative would be
    lost. Here it is zero.
    """

    _is_closed = True


def _pair(what: str, second: str, name: str, given: object) -> tuple[Any, Any]:
    """The value that a rule returns, and what is beside it; the exception twice if it always raises."""
    if isinstance(given, Raises):
        return given, given
    if not isinstance(given, tuple) or len(given) != 2:
        raise refusal(
            "AG146",
            f"the {what} of `{name}` returns {with_article(type_name(given))}",
            f"return `(value, {second})`",
        )
    return given
