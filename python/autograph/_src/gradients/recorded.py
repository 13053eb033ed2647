"""Recording a call in order to differentiate it: its inputs become new graph values, its nodes a range.

def f(x, n): …             grad(f)(x, n)
first = constant …         # from here on
x' = identity x            # with respect to this
y = f(x', n)               # recorded as any call
vjp(first, x', y)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from autograph import _core
from autograph._src.articles import with_article
from autograph._src.backends.protocol import type_name
from autograph._src.gradients.copies import Copies, own_value
from autograph._src.gradients.refusals import refusal
from autograph._src.gradients.smooth import promote_numbers
from autograph._src.operators.calls import converted_call
from autograph._src.own_attributes import has_own
from autograph._src.staging.calls.made_trees import made_tree
from autograph._src.staging.complex.complex_tensor import is_complex
from autograph._src.staging.kinds.optionals import StagedOptional
from autograph._src.staging.kinds.unions import StagedUnion
from autograph._src.staging.narrow.narrow_tensor import is_narrow
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.tensor import Form, Tensor, emit, type_words
from autograph._src.staging.trace.active import require_trace
from autograph._src.staging.trace.callers import Callers
from autograph._src.staging.trace.frames import here, location_of
from autograph._src.staging.trace.trace import Trace
from autograph._src.trees import Rebuild, flatten, leaf_paths
from autograph._src.variable import Variable, state_in
from autograph.errors import DtypeError, StagingError


@dataclass
class Inputs:
    """The arguments to differentiate with respect to: one tree of floats for each.

    Attributes:
        values: The graph values of the leaves when the function begins; it may write to the leaves later.
        kinds: Whether each leaf is an array, a NumPy scalar or a Python float in plain Python.
        rebuilds: For each argument, a function that makes its tree from leaves.
        counts: For each argument, the number of its leaves.
    """

    values: list[int] = field(default_factory=list)
    kinds: list[Form] = field(default_factory=list)
    rebuilds: list[Rebuild] = field(default_factory=list)
    counts: list[int] = field(default_factory=list)

    def trees(self, leaves: Iterable[Any]) -> tuple[Any, ...]:
        """The trees of the arguments, made from these leaves."""
        rest = list(leaves)
        made = []
        for rebuild, count in zip(self.rebuilds, self.counts, strict=True):
            made.append(rebuild(rest[:count]))
            rest = rest[count:]
        trees: tuple[Any, ...] = made_tree(tuple(made))
        return trees


@dataclass
class DifferentiatedCall:
    """A recorded call.

    Attributes:
        trace: The trace.
        first: A value of the call's first node.
        last: A value of the call's last node.
        inputs: The inputs to differentiate with respect to.
        result: The result of the call.
    """

    trace: Trace
    first: int
    last: int
    inputs: Inputs
    result: Any


def anchor() -> int:
    """Emits a node whose value marks a place in the block."""
    return emit("constant", "bool", [], b"\0")


def recorded(
    transformation: str,
    function: Callable[..., Any],
    args: Sequence[Any],
    kwargs: dict[str, Any],
    argnums: Sequence[int],
    allow_int: bool = False,
) -> DifferentiatedCall:
    """Records a call with copies of its arguments; those in ``argnums`` become new graph values.

    Args:
        transformation: Its name, for messages.
        function: The function.
        args: Positional arguments.
        kwargs: Named arguments.
        argnums: The indices of the arguments to differentiate with respect to.
        allow_int: Whether integers among their leaves are left out, rather than refused.

    Raises:
        StagingError: If an argument in ``argnums`` is missing, or contains leaves that are not floats
            (AG141).
    """
    trace = require_trace()
    inputs = Inputs()
    names = parameter_names(function, len(args))
    first = anchor()
    copies = Copies(trace)
    given = [None if place in argnums else copies.of_tree(arg) for place, arg in enumerate(args)]
    for place in argnums:
        given[place] = _own(copies, transformation, args[place], names[place], inputs, allow_int=allow_int)
    keywords = {key: copies.of_tree(value) for key, value in kwargs.items()}
    copies.link()
    trace.derivatives += bool(argnums)
    try:
        result = converted_call(function, *given, **keywords)
    finally:
        trace.derivatives -= bool(argnums)
    promote_numbers(result)
    return DifferentiatedCall(trace, first, anchor(), inputs, result)


def with_aux(name: str, result: object) -> tuple[Any, Any]:
    """The two parts of the result of a function with ``has_aux``."""
    if isinstance(result, tuple) and len(result) == 2:
        return result
    raise refusal(
        "AG142",
        f"{name} with has_aux=True needs a function that returns a pair, and this one returns"
        f" {with_article(type_name(result))}",
        "return `(value, aux)`",
    )


def by_rules(recording: DifferentiatedCall) -> DifferentiatedCall:
    """The recording with rules of the user in the place of their functions, where its derivative uses them.

    A derivative does that by itself when it is taken. Where that is later, or never, the values of the call
    are those of the rules nevertheless, as in JAX.
    """
    with derivatives(recording.trace):
        builder = recording.trace.locate_in_graph()
        _core.apply_rules(builder, recording.first, recording.last, recording.inputs.values)
    return recording


def selected(transformation: str, argnums: int | Sequence[int], count: int) -> tuple[int, ...]:
    """The indices of ``argnums`` with negative ones counted from the end."""
    places = (argnums,) if isinstance(argnums, (int, np.integer)) else tuple(argnums)
    for place in places:
        if not -count <= place < count:
            raise refusal(
                "AG141",
                f"{transformation} is with respect to positional argument {place}, and the call has {count}",
                "pass it by position, or change `argnums`",
            )
    found = tuple(place % count for place in places)
    if len(set(found)) < len(found):
        raise refusal("AG141", f"`argnums` names an argument twice: {places}")
    return found


def parameter_names(function: Callable[..., Any], count: int) -> list[str]:
    """The names of the arguments for messages."""
    import inspect

    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        parameters = []
    named = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    names = [one.name for one in parameters if one.kind in named]
    return [names[place] if place < len(names) else f"argument {place}" for place in range(count)]


def _own(
    copies: Copies, transformation: str, value: object, name: str, inputs: Inputs, *, allow_int: bool
) -> object:
    """An argument to differentiate with respect to, with new graph values as its leaves."""
    leaves: list[Any] = []
    structure, rebuild = flatten(value, leaves)
    paths = leaf_paths(value, name) if len(leaves) > 1 or structure != "leaf" else [name]
    own: list[Any] = []
    is_left_out: list[bool] = []
    count = 0
    for leaf, path in zip(leaves, paths, strict=True):
        if leaf is None or (allow_int and _is_integer(leaf)):
            own.append(copies.of(leaf))
            is_left_out.append(True)
            continue
        is_left_out.append(False)
        marked = copies.own(leaf, _float(transformation, leaf, path))
        if isinstance(leaf, Variable):
            # The function reads the variable object, so the variable's state becomes the new graph value.
            state_in(require_trace(), leaf).value_id = marked.value_id
            own.append(leaf)
        else:
            own.append(marked)
        inputs.values.append(marked.value_id)
        inputs.kinds.append(marked.form)
        count += 1
    inputs.rebuilds.append(with_none(rebuild, is_left_out))
    inputs.counts.append(count)
    return rebuild(own)


def with_none(rebuild: Rebuild, is_none: list[bool]) -> Rebuild:
    """A function that makes a tree from those of its leaves that are not ``None``."""

    def from_leaves(leaves: list[Any]) -> object:
        rest = iter(leaves)
        return rebuild([None if none else next(rest) for none in is_none])

    return from_leaves


def _is_integer(leaf: object) -> bool:
    dtype = getattr(leaf, "dtype", None)
    return type(leaf) in (bool, int) or (isinstance(dtype, np.dtype) and dtype.kind in "biu")


def _float(transformation: str, leaf: object, path: str) -> Tensor:
    """A leaf as a float tensor; refuses leaves that are not floats."""
    if isinstance(leaf, Variable):
        leaf = lift(leaf)
    if isinstance(leaf, (bool, int, float, np.generic, np.ndarray, Tensor)) and not is_complex(leaf):
        tensor = lift(leaf)
        if tensor.dtype.kind == "f" and not is_narrow(tensor):
            return tensor
        kind: str = _plain_kind(leaf)
    else:
        kind = f"a {class_name(leaf)}"
    raise refusal(
        "AG141",
        f"{transformation} is with respect to floats, and `{path}` is {kind}",
        "choose other arguments by `argnums`, or pass floats: `np.asarray(x, np.float64)`, `3.0`",
    )


def _plain_kind(leaf: object) -> str:
    if isinstance(leaf, (Tensor, np.ndarray, np.generic)):
        of = "an array of" if getattr(leaf, "ndim", 0) else "of dtype"
        too_narrow = ", which is too narrow for derivatives" if leaf.dtype == np.float16 else ""
        return f"{of} {leaf.dtype}{too_narrow}"
    return f"a Python {type(leaf).__name__}"


def class_name(leaf: object) -> str:
    """A noun for a leaf that is no tensor."""
    if is_complex(leaf):
        return "complex value"
    if type(leaf) is StagedUnion:
        return "number of several types"
    if isinstance(leaf, StagedOptional):
        return "value that may be None"
    kind = leaf.kind if has_own(leaf, "kind") else None  # For staged lists and similar values, a noun.
    return kind if isinstance(kind, str) else type_name(leaf)


def scalar_output(transformation: str, value: object) -> Tensor:
    """The output of a function whose gradient is taken.

    Raises:
        StagingError: If the output is not a float scalar (AG142).
    """
    if isinstance(value, StagedOptional):
        value = value.required(
            f"{transformation} needs a function that returns one float, and this one returned None"
        )
    if type(value) is StagedUnion:
        value = value.ag_promoted
    if isinstance(value, (float, np.generic, np.ndarray, Tensor, Variable)) and not is_complex(value):
        tensor = lift(value)
        if tensor.dtype.kind == "f" and tensor.sizes == () and not is_narrow(tensor):
            return tensor
        what = with_article(type_words(tensor))
    else:
        what = f"a {class_name(value)}"
    raise refusal(
        "AG142",
        f"{transformation} needs a function that returns one float, and this one returns {what}",
        "reduce it to one number (`np.sum`), or use `ag.jacrev` for the derivative of each element",
    )


def pulled_back(recording: DifferentiatedCall, outputs: Sequence[tuple[int, int]]) -> list[Tensor]:
    """The adjoints of the inputs, given pairs of an output's graph value and its adjoint."""
    trace, inputs = recording.trace, recording.inputs
    with derivatives(trace):
        builder = trace.locate_in_graph()
        found = _core.vjp(builder, recording.first, recording.last, inputs.values, list(outputs))
        values = [
            _core.zeros_like(builder, value) if adjoint is None else adjoint
            for value, adjoint in zip(inputs.values, found, strict=True)
        ]
    # An adjoint may be the cotangent that the caller has given.
    pairs = zip(values, inputs.kinds, strict=True)
    return [Tensor(trace, own_value(trace, value), kind) for value, kind in pairs]


def frozen(values: tuple[Any, ...]) -> tuple[Any, ...]:
    """Copies of the present values of trees: the caller may write to their arrays later.

    An array that is there twice becomes one copy.
    """
    leaves: list[Any] = []
    _, rebuild = flatten(values, leaves)
    copies = {id(leaf): leaf.copy() for leaf in leaves if isinstance(leaf, np.ndarray)}
    made: tuple[Any, ...] = rebuild([copies.get(id(leaf), leaf) for leaf in leaves])
    return made


_REMEDIES = {
    "AG143": "give it a rule by `ag.custom_vjp`, or stop the gradient there by `ag.stop_gradient`",
    "AG145": "do it outside of the function of ag.vmap, or loop over the rows",
}


class Located(Protocol):
    """What knows the places that nodes come from."""

    @property
    def callers(self) -> Callers:
        """The places."""


class derivatives:  # noqa: N801 - it is used as a statement
    """A ``with`` block that locates refusals of the Rust core at the op's place in the user's program."""

    def __init__(self, trace: Located, code: str = "AG143") -> None:
        self._trace = trace
        self._code = code

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, _: object) -> None:
        if isinstance(error, _core.GradientError):
            message, number, help, code = error.args
            where = None
            if number is not None:
                where = location_of(*self._trace.callers.step(number))
            # What a rule of the user is not for is a `TypeError`, as in JAX.
            kind = StagingError if code is None else DtypeError
            raise kind(
                message,
                code=code or self._code,
                location=where or here(),
                help=_REMEDIES[self._code] if help is code is None else help,
            ) from None
