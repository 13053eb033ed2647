"""Recording one call of a function that has a rule for its derivative: a region for it and for each rule.

The regions' parameters stand for the differentiable arguments. Only one of function and rule runs, so what
happens in a region (prints, exceptions) happens if it runs. A region whose code always raises is one, too: it
ends where it raises, and its results have no meaning.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autograph import _core
from autograph._src.articles import with_article
from autograph._src.backends.protocol import type_name
from autograph._src.gradients.isolated import isolated
from autograph._src.gradients.refusals import refusal, value_refusal
from autograph._src.operators.calls import converted_call
from autograph._src.operators.undefined import Undefined
from autograph._src.staging.complex.complex_tensor import is_complex
from autograph._src.staging.control.raised import record_raise
from autograph._src.staging.kinds.tensor_of import TensorOf
from autograph._src.staging.narrow.narrow_tensor import is_narrow
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.tensor import Form, Tensor, type_words, wrap
from autograph._src.staging.trace.signals import NOT_OF_THE_PROGRAM
from autograph._src.staging.trace.trace import Trace
from autograph._src.trees import Rebuild, flatten


class Raises:
    """What a function gives that always raises.

    Attributes:
        error: The exception.
    """

    def __init__(self, error: BaseException) -> None:
        self.error = error


class RuledCall:
    """One recorded call: its differentiable arguments are parameters of the regions.

    Attributes:
        name: The function's name.
        plain: The arguments that rules get unchanged.
        smooth: The other arguments.
        leaves: The leaves of those.
        tensors: For each leaf the tensor that is an operand of the call; ``None`` for what is no value.
    """

    def __init__(self, trace: Trace, name: str, args: tuple[Any, ...], nondiff: tuple[int, ...]) -> None:
        self.name = name
        self._trace = trace
        self._places = nondiff
        self.plain = [args[place] for place in nondiff]
        self.smooth = [arg for place, arg in enumerate(args) if place not in nondiff]
        self.leaves: list[Any] = []
        _, self.rebuild = flatten(self.smooth, self.leaves)
        self.tensors = [
            lift(leaf) if _is_value(leaf) and not (is_complex(leaf) or is_narrow(leaf)) else None
            for leaf in self.leaves
        ]

    def open(self) -> list[Any]:
        """Opens a region; returns its parameters, which stand for the differentiable arguments."""
        self._trace.locate().open()
        values: list[Any] = [
            leaf if tensor is None else parameter_like(self._trace, tensor)
            for leaf, tensor in zip(self.leaves, self.tensors, strict=True)
        ]
        made: list[Any] = self.rebuild(values)
        return made

    def run(self, function: Callable[..., Any], args: list[Any]) -> object:
        """The result of a function that is recorded in the open region, or a :class:`Raises`."""

        def record() -> object:
            try:
                return converted_call(function, *args)
            except NOT_OF_THE_PROGRAM:
                raise
            except BaseException as error:
                record_raise(error)
                return Raises(error)

        return isolated(self._trace, f"`{self.name}`, which has a rule for its gradient", "AG146", record)

    def run_rule(self, rule: Callable[..., Any], args: list[Any]) -> object:
        """As :meth:`run`. A rule may call its function again, which has the rule: that is no recursion."""
        around = self._trace.activations
        self._trace.activations = {}
        try:
            return self.run(rule, args)
        finally:
            self._trace.activations = around

    def merged(self, smooth: list[Any]) -> list[Any]:
        """All arguments in order: these differentiable ones, and the others in their places."""
        rest, plain = iter(smooth), iter(self.plain)
        count = len(smooth) + len(self.plain)
        return [next(plain) if place in self._places else next(rest) for place in range(count)]

    def of_function(self, function: Callable[..., Any]) -> tuple[Results | BaseException, _core.Region]:
        """What the function gives, or the exception that it always raises; and its region."""
        value = self.run(function, self.merged(self.open()))
        if isinstance(value, Raises):
            return value.error, self._trace.builder.close([])
        results = Results(self.name, value)
        return results, self._trace.builder.close(results.values)

    def results_by(self, value: object, found: Results | BaseException) -> Results:
        """What the call gives: what the function gives, or if that always raises, what the rule gives.

        Raises:
            BaseException: That of the function, if the rule always raises, too.
        """
        if isinstance(found, Results):
            return found
        if isinstance(value, Raises):
            self._trace.builder.close([])
            raise found
        return Results(self.name, value)

    def ends(self, what: str, value: object, results: Results) -> list[int]:
        """The graph values of what a rule gives for the results, in the open region."""
        if isinstance(value, Raises):
            return [meaningless(one).read() for one in results.tensors]
        again = Results(self.name, value)
        if again.structure != results.structure:
            raise refusal("AG146", f"{what} of `{self.name}` gives another tree than the function")
        return of_same_types(self.name, what, again.tensors, results.tensors)

    def always_raising(self, function: Callable[..., Any], results: Results) -> _core.Region:
        """The region of a function that always raises, with results of the types of a rule's."""
        self.run(function, self.merged(self.open()))
        region: _core.Region = self._trace.builder.close([meaningless(one).read() for one in results.tensors])
        return region

    def made(self, results: Results, regions: list[_core.Region], *, is_closed: bool = False) -> object:
        """The tree that the call gives; ``is_closed``: the regions take values around them for constants."""
        trace = self._trace
        operands = [tensor.read() for tensor in self.tensors if tensor is not None]
        if is_closed:
            primal, tangent = regions
            values = _core.closed_scope(trace.locate_in_graph(), operands, (primal, tangent))
        else:
            values = _core.scope(trace.locate_in_graph(), operands, regions)
        pairs = zip(values, results.tensors, strict=True)
        return results.rebuild([Tensor(trace, value, one.form) for value, one in pairs])


class Results:
    """The result of a function or a rule.

    Attributes:
        tensors: Its leaves.
        structure: The tree without its leaves.
        rebuild: Makes the tree from leaves.
    """

    def __init__(self, name: str, value: object) -> None:
        leaves: list[Any] = []
        self.structure, self.rebuild = flatten(value, leaves)
        for leaf in leaves:
            if not _is_value(leaf) and type(leaf) not in (int, bool):
                raise refusal(
                    "AG146",
                    f"`{name}` has a rule for its gradient and returns {with_article(type_name(leaf))}",
                    "return arrays and numbers, or trees of them",
                )
        self.tensors: list[Tensor] = [lift(leaf) for leaf in leaves]
        self.values = [one.read() for one in self.tensors]

    rebuild: Rebuild


def _is_value(leaf: object) -> bool:
    return isinstance(leaf, (Tensor, np.ndarray, np.generic)) or type(leaf) is float


def _is_one_value(leaf: object) -> bool:
    """Whether a leaf is one value of the graph."""
    return _is_value(leaf) and not is_complex(leaf) and not is_narrow(leaf)


def parameter_like(trace: Trace, tensor: Tensor) -> Tensor:
    """A parameter of the open region, of the type of a tensor."""
    builder = trace.builder
    return Tensor(trace, builder.param_of(builder.type_of(tensor.value_id)), tensor.form)


def meaningless(like: Tensor) -> Tensor:
    """A tensor of the type of another, for a region that never gets to its end."""
    kind = TensorOf(like.dtype, like.sizes, like.form)
    return wrap(kind.pack(Undefined(""))[0], like.form)


def of_same_types(name: str, what: str, given: list[Tensor], wanted: list[Tensor]) -> list[int]:
    """The graph values of tensors, after a check that their types equal those of others."""
    values = []
    for one, other in zip(given, wanted, strict=True):
        fits = one.dtype == other.dtype and one.sizes == other.sizes
        if not fits and one.form is Form.PYTHON and one.dtype.kind in "fi" and other.sizes == ():
            one, fits = one.astype(other.dtype), True
        if not fits:
            made = value_refusal if what == "the backward rule" else refusal
            raise made(
                "AG146",
                f"{what} of `{name}` gives {type_words(one)} where {type_words(other)} is needed",
                "what a rule gives has the shape and the dtype of what it belongs to",
            )
        values.append(one.read())
    return values
