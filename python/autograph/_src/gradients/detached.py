"""Derivatives that outlive their trace: the forward pass runs once, the backward pass as often as asked.

    y, pull = ag.vjp(f, x)       one graph: y, and the residuals (what the backward pass needs)
    pull(dy)                     another graph, of the residuals and dy
    ag.vmap(pull)(dys)           in a trace: the nodes of that graph, with the residuals as constants

The derivative in forward mode is the transpose of the backward pass, which is linear (Radul et al., You Only
Linearize Once, 2022, go the other way).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from autograph import _core
from autograph._src.concrete import as_read
from autograph._src.gradients.complex_parts import InParts, Joints
from autograph._src.gradients.recorded import (
    DifferentiatedCall,
    Inputs,
    anchor,
    by_rules,
    derivatives,
    pulled_back,
    recorded,
    with_aux,
)
from autograph._src.gradients.refusals import refusal
from autograph._src.gradients.seeds import Seed, in_place_of_seeds, seeds_in, seeds_of, with_sizes
from autograph._src.gradients.smooth import fitted, is_float, matched, number_of, values_of
from autograph._src.run_host import Host
from autograph._src.staging.complex.complex_tensor import as_complex, is_complex
from autograph._src.staging.kinds.optionals import StagedOptional
from autograph._src.staging.kinds.unions import StagedUnion
from autograph._src.staging.lists.grown_tuple import GrownTuple
from autograph._src.staging.lists.traced_list import StagedList
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.plain_values import plain_value
from autograph._src.staging.tensors.tensor import Form, Tensor
from autograph._src.staging.trace.active import current_trace, require_trace
from autograph._src.staging.trace.callers import Callers
from autograph._src.staging.trace.references import is_reference
from autograph._src.staging.trace.sites import Site
from autograph._src.staging.trace.trace import Trace
from autograph._src.trees import flatten

Array = NDArray[Any]
GraphType = tuple[str, list[int | None]]


class Origin(NamedTuple):
    """Where the nodes of a graph come from.

    Attributes:
        callers: Their places in the program.
        sites: The Python functions that they call.
        host: The Python side of the graph's runs.
    """

    callers: Callers
    sites: list[Site]
    host: Host


class Program:
    """A graph that is run, or whose nodes are recorded in another trace.

    Args:
        graph: The graph.
        origin: Where its nodes come from.
        kinds: The types of its results.
    """

    def __init__(self, graph: _core.Graph, origin: Origin, kinds: Sequence[GraphType]) -> None:
        self.graph = graph
        self._origin = origin
        self._kinds = kinds
        self._executable: _core.Executable | None = None

    def run(self, inputs: Sequence[Any]) -> list[Array]:
        """Runs the graph on arrays."""
        if self._executable is None:
            self._executable = self.graph.compile()
        outputs = [_place_for(kind) for kind in self._kinds]
        try:
            found = self._executable.run([*map(as_read, inputs)], outputs, self._origin.host.show)
        except _core.GraphFailure as failure:
            raise self._origin.host.error(failure) from None
        return [one if shape else one.reshape(()) for one, (_, shape) in zip(found, self._kinds, strict=True)]

    def record(self, inputs: Sequence[int]) -> list[int]:
        """Records the nodes of the graph in the present trace; returns its results."""
        trace = require_trace()
        builder, places = trace.locate_in_graph(), trace.callers.adopt(self._origin.callers)
        first_site = len(trace.sites)
        trace.sites += self._origin.sites
        return _core.inline_graph(builder, self.graph, inputs, first_site, places)


def _place_for(kind: GraphType) -> Array | None:
    """The memory of a result; none if the run finds out its size."""
    dtype, shape = kind
    sizes = [size for size in shape if size is not None]
    return np.empty(sizes or 1, dtype) if len(sizes) == len(shape) else None


@dataclass
class Backward:
    """The backward pass of a function for arguments of one kind.

    Attributes:
        program: Its graph. The parameters are the residuals and the cotangents.
        inputs: The arguments to differentiate with respect to, by the parts of complex ones.
        joints: Which leaves of the arguments are complex.
        result: The function's result, with a :class:`Seed` for each float.
        origin: Where the nodes of the graph come from.
    """

    program: Program
    inputs: Inputs
    joints: Joints
    result: object
    origin: Origin
    _forward: Program | None = None

    def forward(self) -> Program:
        """The derivative in forward mode.

        The parameters are the residuals, a value like each cotangent, and the tangents of the inputs.
        """
        if self._forward is None:
            seeds = seeds_in(self.result)
            with derivatives(self.origin):
                graph = _core.transposed(self.program.graph, sum(len(seed.kinds) for seed in seeds))
            self._forward = Program(graph, self.origin, [kind for seed in seeds for kind in seed.kinds])
        return self._forward


def with_seeds(result: object) -> object:
    """A result with a :class:`Seed` for each float, and ``None`` for other leaves.

    Raises:
        Unfixed: If the number of floats differs between runs: a list that grew in a staged loop, or a tree
            that may be ``None``.
    """
    leaves: list[Any] = []
    _, rebuild = flatten(result, leaves)
    return rebuild([_seed(leaf, accepts_none=False) for leaf in leaves])


class Unfixed(Exception):
    """The number of floats in a result differs between runs."""


def _seed(leaf: object, *, accepts_none: bool) -> Seed | None:
    if isinstance(leaf, StagedOptional):
        leaves: list[Any] = []
        flatten(leaf.value, leaves)
        seed = _seed(leaves[0], accepts_none=True) if len(leaves) == 1 else None
        if len(leaves) > 1 or (seed is not None and None in seed.sizes):
            raise Unfixed
        return seed
    if type(leaf) is StagedUnion:
        seed = _seed(number_of(leaf), accepts_none=True)
        if seed is not None:
            seed.dtypes = tuple(one.leaf.part.dtype for one in leaf.ag_alternatives)
        return seed
    if isinstance(leaf, (StagedList, GrownTuple)) or is_reference(leaf):
        raise Unfixed
    if not is_float(leaf) and not is_complex(leaf):
        return None
    tensor = as_complex(leaf) if is_complex(leaf) else lift(leaf)
    return Seed(tensor.dtype, tensor.sizes, tensor.form, accepts_none=accepts_none)


def detached(
    recording: DifferentiatedCall, result: object, seeded: object, joints: Joints
) -> tuple[Backward, tuple[Tensor, ...]]:
    """The backward pass of a recorded call as a graph of its own, and the residuals that it takes.

    Args:
        recording: The call.
        result: Its result, or the part of it that is differentiated.
        seeded: The same with seeds.
        joints: Which leaves of the arguments are complex.
    """
    trace, inputs = recording.trace, recording.inputs
    outputs = values_of(result)
    first = anchor()
    builder = trace.locate_in_graph()
    seeds = [_core.unbound_like(builder, value) for value in outputs]
    found = [one.read() for one in pulled_back(recording, list(zip(outputs, seeds, strict=True)))]
    origin = Origin(trace.callers, list(trace.sites), Host(trace, None))
    kinds = [builder.type_of(value) for value in found]
    with derivatives(trace):
        graph, residuals = _core.detach(builder, first, seeds, found, *origin.host.places)
    backward = Backward(Program(graph, origin, kinds), inputs, joints, seeded, origin)
    return backward, tuple(_residual(trace, value) for value in residuals)


def _residual(trace: Trace, value: int) -> Tensor:
    # A new value, as the program may return this one and then write to it.
    own = _core.identity(trace.locate_in_graph(), value, False)
    _, shape = trace.builder.type_of(own)
    return Tensor(trace, own, Form.ARRAY if shape else Form.SCALAR)


def _require_same_again(trace: Trace) -> None:
    """Refuses what would be another value in a second run of the function."""
    streams = (one.stream for one in trace.streams.values())
    if any(state.version for state in (*streams, *(one for _, one in trace.variables.values()))):
        raise refusal(
            "AG142",
            "the result holds a list that grew in a staged loop, or a tree that may be None, and its"
            " derivative would draw random numbers or assign variables a second time",
            "return arrays: `np.stack(values)`",
        )


class Derivative:
    """A derivative at a point, which was computed when the function ran.

    Args:
        name: The transformation.
        backward: The backward pass.
        value: The function's result.
        residuals: What the backward pass needs of the forward pass.
    """

    def __init__(self, name: str, backward: Backward, value: object, residuals: tuple[Any, ...]) -> None:
        self._name = name
        self._backward = backward
        self._result = with_sizes(backward.result, value)
        self._residuals = residuals

    def _computed(
        self, program: Program, constants: Sequence[Any], word: str, given: object, like: object
    ) -> list[Any]:
        """The results of a program for a tree of tangents or cotangents; ``like`` has its seeds."""
        known = [*self._residuals, *constants]
        if current_trace() is not None:
            given = fitted(self._name, word, given, like)
            return program.record([*(lift(one).read() for one in known), *given])
        arrays = [
            part
            for one, leaf, path in matched(self._name, word, given, like, "value")
            if type(leaf) is Seed
            for part in leaf.parts(leaf.array(self._name, word, one, path), word)
        ]
        return program.run([*known, *arrays])


def _tangent(seed: Seed, found: Sequence[Any]) -> Any:
    """A tangent of the type that the value has; ``None`` of ``None``."""
    shown = seed.tangent
    if shown is None:
        return None
    made = seed.leaf(found)
    if shown.dtype == seed.dtype and shown.form is seed.form:
        return made
    if current_trace() is None:
        return plain_value(shown.form, np.asarray(made, shown.dtype))
    return Tensor(made.ag_trace, made.astype(shown.dtype).read(), shown.form)


class Pullback(Derivative):
    """The function that :func:`autograph.vjp` returns outside of a trace."""

    def __call__(self, cotangents: object) -> Any:
        """The cotangents of all arguments, as a tuple."""
        inputs, program = self._backward.inputs, self._backward.program
        found = self._computed(program, (), "cotangent", cotangents, self._result)
        trace = current_trace()
        leaves: list[Any] = [
            plain_value(form, one) if trace is None else Tensor(trace, one, form)
            for form, one in zip(inputs.kinds, found, strict=True)
        ]
        return self._backward.joints.cotangents(inputs.trees(leaves))

    def __repr__(self) -> str:
        return "<the vjp function of ag.vjp>"


class Pushforward(Derivative):
    """The function that :func:`autograph.linearize` returns outside of a trace."""

    def __init__(self, backward: Backward, value: object, residuals: tuple[Any, ...], primals: Any) -> None:
        super().__init__("linearize", backward, value, residuals)
        self._primals = tuple(seeds_of(primal) for primal in primals)

    def __call__(self, *tangents: object) -> Any:
        """The tangent of the value."""
        if len(tangents) != len(self._primals):
            raise refusal(
                "AG144", f"linearize has {len(self._primals)} primals, and its function got {len(tangents)}"
            )
        seeds = seeds_in(self._result)
        zeros = [part for seed in seeds for part in seed.parts(seed.zeros(), "tangent")]
        rest = iter(self._computed(self._backward.forward(), zeros, "tangent", tangents, self._primals))
        found = [[next(rest) for _ in seed.kinds] for seed in seeds]
        return in_place_of_seeds(self._result, map(_tangent, seeds, found))

    def __repr__(self) -> str:
        return "<the derivative of ag.linearize>"


class ForwardPass:
    """Records a function, and takes its backward pass out of the graph.

    Args:
        name: The transformation.
        function: The function.
        has_aux: Whether it returns a pair whose second part is not differentiated.

    Attributes:
        backwards: The backward passes of the recordings so far.
    """

    def __init__(self, name: str, function: Callable[..., Any], has_aux: bool) -> None:
        self.backwards: list[Backward] = []
        self._name = name
        self._function = function
        self._has_aux = has_aux

    def __call__(self, args: tuple[Any, ...], _: dict[str, Any]) -> tuple[Any, ...]:
        """The result, the residuals, and the number of the backward pass, if there is one."""
        call = InParts(self._function, args, range(len(args)))
        recording = by_rules(recorded(self._name, call.function, call.args, {}, range(len(args))))
        result = recording.result
        value = with_aux(self._name, result)[0] if self._has_aux else result
        try:
            seeded = with_seeds(value)
        except Unfixed:
            _require_same_again(recording.trace)
            return result, (), None
        if self._name == "linearize":
            with derivatives(recording.trace):
                _core.require_forward_rules(
                    recording.trace.graph,
                    recording.first,
                    recording.last,
                    recording.inputs.values,
                    values_of(value),
                )
        backward, residuals = detached(recording, value, seeded, call.joints)
        self.backwards.append(backward)
        return result, residuals, len(self.backwards) - 1
