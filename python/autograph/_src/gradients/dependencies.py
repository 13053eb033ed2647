"""Which elements of a result depend on which elements of an argument, found by walking the graph once.

y = x[1:] - x[:-1]          # y[i] depends on x[i] and x[i + 1], whatever the numbers are
z = np.sort(y)              # an op without a rule here: each z[i] depends on all that y depends on

The pattern is one for all values of the argument: what an index or a test that is not known selects is
anything that it may select. Ranges and indices that are known are followed as they are.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from autograph import _core

MOST_TURNS = 100_000
"""How often a loop of known bounds is followed turn by turn."""

DEEPEST = 40
"""How deep calls of functions are followed."""

Pattern = NDArray[np.bool_]
"""Of an array: for each element which elements of the argument it depends on, along the last axis."""

_NUMPY: dict[str, Callable[..., Any]] = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "floor_div": np.floor_divide,
    "mod": np.mod,
    "neg": np.negative,
    "maximum": np.maximum,
    "minimum": np.minimum,
    "eq": np.equal,
    "ne": np.not_equal,
    "lt": np.less,
    "le": np.less_equal,
    "gt": np.greater,
    "ge": np.greater_equal,
    "logical_not": np.logical_not,
    "bit_and": np.bitwise_and,
    "bit_or": np.bitwise_or,
}
"""What indices, bounds and tests that are known are computed with."""

_ELEMENTWISE = {
    *("neg", "abs", "sign", "sqrt", "cbrt", "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "erf"),
    *("erfc", "erfcx", "erfinv", "ndtri", "gamma", "gammaln", "polygamma", "beta", "betaln"),
    *("bessel_i", "bessel_i_scaled"),
    *(
        "sin",
        "cos",
        "tan",
        "arcsin",
        "arccos",
        "arctan",
        "sinh",
        "cosh",
        "tanh",
        "arcsinh",
        "arccosh",
        "arctanh",
    ),
    *("floor", "ceil", "trunc", "rint", "cast", "identity", "with_shape", "select"),
    *("add", "sub", "mul", "div", "floor_div", "mod", "fmod", "pow", "scalar_pow", "arctan2", "hypot"),
    *("maximum", "minimum", "eq", "ne", "lt", "le", "gt", "ge", "logical_not", "bit_and", "bit_or"),
}
"""The ops of which each element of the result depends on one element of each operand."""


@dataclass
class Value:
    """What is known of a value of the graph.

    Attributes:
        pattern: What it depends on. Of a list, or an array of a size that only the run knows, what any of its
            elements depends on: it has only the last axis.
        known: The array, if it is known.
    """

    pattern: Pattern
    known: NDArray[Any] | None = None

    def any(self) -> Pattern:
        """What any of its elements depends on."""
        return np.logical_or.reduce(self.pattern.reshape(-1, self.pattern.shape[-1]), axis=0)  # type: ignore[no-any-return]


class UnknownSize(Exception):
    """The result has a size that only the run knows."""


def dependencies(graph: _core.Graph, given: list[NDArray[Any] | None], place: int) -> Pattern:
    """What the first result of a graph depends on.

    Args:
        graph: The graph.
        given: The arguments that are known, such as integers; ``None`` for others.
        place: Which argument.

    Returns:
        A matrix of bools: a row for each element of the result, a column for each of the argument.

    Raises:
        UnknownSize: If the result has a size that only the run knows.
    """
    function = graph.optimised().functions[0]
    count = int(np.prod(_sizes(function.parameters[place]), dtype=int))
    walker = _Walker(count)
    entered = []
    for number, (parameter, known) in enumerate(zip(function.parameters, given, strict=True)):
        value = walker.nothing(_sizes(parameter))
        if number == place:
            value.pattern = np.eye(count, dtype=bool).reshape(*_sizes(parameter), count)
        value.known = known
        entered.append(value)
    if _is_open(function.results[0]):
        raise UnknownSize
    result = walker.called(function, entered)[0].pattern
    if any(node.op in ("tape_push", "tape_pop") for one in graph.functions for node in one.nodes):
        result = np.ones_like(result)  # What is on a tape is not followed.
    return result.reshape(-1, count)


def _is_open(value: _core.GraphValue) -> bool:
    """Whether only the run knows how many elements a value has."""
    return value.shape is None or not all(isinstance(size, int) for size in value.shape)


def _sizes(value: _core.GraphValue) -> tuple[int, ...]:
    if value.shape is None or _is_open(value):
        return ()
    return tuple(int(size) for size in value.shape)


class _Walker:
    """Follows the nodes of a graph."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._depth = 0
        self._values: dict[int, Value] = {}

    def nothing(self, sizes: tuple[int, ...]) -> Value:
        """A value that depends on nothing."""
        return Value(np.zeros((*sizes, self._count), bool))

    def called(self, function: _core.GraphFunction, given: list[Value]) -> list[Value]:
        """The results of a function."""
        around, self._values = self._values, {}
        try:
            return self._block(function.body, given)
        finally:
            self._values = around

    def _block(self, block: _core.GraphBlock, given: list[Value]) -> list[Value]:
        for parameter, value in zip(block.parameters, given, strict=True):
            self._values[parameter.number] = value
        for node in block.nodes:
            for result, value in zip(node.results, self._node(node), strict=True):
                is_smooth = result.dtype is None or result.dtype.startswith("f")
                if not is_smooth:
                    value.pattern = np.zeros_like(value.pattern)
                self._values[result.number] = value
        return [self._of(result) for result in block.results]

    def _of(self, value: _core.GraphValue) -> Value:
        return self._values[value.number]

    def _node(self, node: _core.GraphNode) -> list[Value]:
        rule = getattr(self, f"_{node.op}", None)
        operands = [self._of(one) for one in node.operands]
        found = None
        is_open = not node.regions and any(map(_is_open, [*node.operands, *node.results]))
        if node.op in _ELEMENTWISE and not is_open:
            found = [self._elementwise(node, operands)]
        elif rule is not None and (not is_open or node.op == "call"):
            found = rule(node, *operands)
        return self._all_of_all(node) if found is None else found

    def _all_of_all(self, node: _core.GraphNode) -> list[Value]:
        """Each element of the results depends on all that the node uses."""
        used = np.zeros(self._count, bool)
        for number in _used(node):
            if number in self._values:
                used |= self._values[number].any()
        return [
            Value(np.broadcast_to(used, (*_sizes(result), self._count)).copy()) for result in node.results
        ]

    def _elementwise(self, node: _core.GraphNode, operands: list[Value]) -> Value:
        sizes = _sizes(node.results[0])
        value = self.nothing(sizes)
        if node.op == "select" and operands[0].known is not None:
            value.pattern |= np.where(operands[0].known[..., None], *(one.pattern for one in operands[1:]))
        else:
            for one in operands[1:] if node.op == "select" else operands:
                value.pattern |= one.pattern
        known = [one.known for one in operands]
        if all(one is not None for one in known):
            value.known = _computed(node, known)
        return value

    # Ops that move elements

    def _constant(self, node: _core.GraphNode) -> list[Value]:
        value = self.nothing(_sizes(node.results[0]))
        value.known = np.asarray(node.attributes["value"])
        return [value]

    def _iota(self, node: _core.GraphNode) -> list[Value]:
        value = self.nothing(_sizes(node.results[0]))
        value.known = np.arange(value.pattern.shape[0])
        return [value]

    def _broadcast(self, node: _core.GraphNode, x: Value, *_: Value) -> list[Value]:
        sizes = _sizes(node.results[0])
        known = None if x.known is None else np.broadcast_to(x.known, sizes)
        return [Value(np.broadcast_to(x.pattern, (*sizes, self._count)).copy(), known)]

    def _reshape(self, node: _core.GraphNode, x: Value, *_: Value) -> list[Value]:
        sizes = _sizes(node.results[0])
        known = None if x.known is None else x.known.reshape(sizes)
        return [Value(x.pattern.reshape(*sizes, self._count), known)]

    def _transpose(self, node: _core.GraphNode, x: Value) -> list[Value]:
        axes: Any = node.attributes["axes"]
        known = None if x.known is None else x.known.transpose(axes)
        return [Value(x.pattern.transpose(*axes, len(axes)), known)]

    def _slice(self, node: _core.GraphNode, x: Value) -> list[Value]:
        picks = np.ix_(*_along(node, _sizes(node.results[0])))
        return [Value(x.pattern[picks], None if x.known is None else x.known[picks])]

    def _update_slice(self, node: _core.GraphNode, x: Value, v: Value) -> list[Value]:
        pattern = x.pattern.copy()
        pattern[np.ix_(*_along(node, v.pattern.shape[:-1]))] = v.pattern
        return [Value(pattern)]

    def _concatenate(self, node: _core.GraphNode, *parts: Value) -> list[Value]:
        axis: Any = node.attributes["axis"]
        return [Value(np.concatenate([part.pattern for part in parts], axis))]

    def _gather(self, node: _core.GraphNode, x: Value, *picks: Value) -> list[Value] | None:
        axis: Any = node.attributes["axis"]
        places = _places(axis, x, picks)
        if places is None or x.pattern[places].shape[:-1] != _sizes(node.results[0]):
            return None
        return [Value(x.pattern[places], None if x.known is None else x.known[places])]

    def _scatter(self, node: _core.GraphNode, x: Value, v: Value, *picks: Value) -> list[Value] | None:
        axis: Any = node.attributes["axis"]
        places = _places(axis, x, picks)
        if places is None or x.pattern[places].shape != v.pattern.shape:
            return None
        pattern = x.pattern.copy()
        # An index that is there twice is written twice: `|=` would keep the last only.
        np.logical_or.at(pattern, places, v.pattern)
        return [Value(pattern)]

    _scatter_add = _scatter

    def _reduced(self, node: _core.GraphNode, x: Value) -> list[Value]:
        axes: Any = node.attributes["axes"]
        pattern: Pattern = np.any(x.pattern, axis=axes, keepdims=bool(node.attributes["keepdims"]))
        return [Value(pattern)]

    _sum = _prod = _max = _min = _reduced

    def _dot(self, node: _core.GraphNode, left: Value, right: Value) -> list[Value] | None:
        attributes = node.attributes
        if attributes["left_batch"] is not None or attributes["right_batch"] is not None:
            return None
        axes: Any = (attributes["left_contract"], attributes["right_contract"])
        parts = []
        for one, other, is_left in ((left, right, True), (right, left, False)):
            # Zeros of a factor that is known hide what the other one depends on.
            weights = np.ones(other.pattern.shape[:-1]) if other.known is None else other.known != 0
            moved = np.tensordot(one.pattern.astype(float), weights, axes if is_left else axes[::-1])
            kept = one.pattern.ndim - 1 - len(axes[0])
            moved = np.moveaxis(
                moved, kept, -1
            )  # The argument's elements go last, then the other's axes before.
            if not is_left:
                rest = moved.ndim - 1 - kept
                moved = np.moveaxis(moved, range(kept), range(rest, rest + kept))
            parts.append(moved > 0)
        return [Value(parts[0] | parts[1])]

    def _stop_gradient(self, node: _core.GraphNode, x: Value) -> list[Value]:
        return [Value(np.zeros_like(x.pattern), x.known)]

    # Control flow

    def _call(self, node: _core.GraphNode, *given: Value) -> list[Value] | None:
        if node.callee is None or self._depth == DEEPEST:
            return None
        self._depth += 1
        try:
            return self.called(node.callee, list(given))
        finally:
            self._depth -= 1

    def _if(self, node: _core.GraphNode, test: Value) -> list[Value]:
        if test.known is not None:
            return self._block(node.regions[0 if test.known else 1], [])
        both = [self._block(region, []) for region in node.regions]
        return [_joined(*pair) for pair in zip(*both, strict=True)]

    def _for(self, node: _core.GraphNode, *operands: Value) -> list[Value]:
        bounds, carries = [one.known for one in operands[:3]], list(operands[3:])
        body = node.regions[0]
        if all(one is not None for one in bounds):
            turns = range(*(int(one) for one in bounds))  # type: ignore[arg-type]
            if len(turns) <= MOST_TURNS:
                for index in turns:
                    place = self.nothing(())
                    place.known = np.asarray(index)
                    carries = self._block(body, [place, *carries])
                return carries
        return self._settled(carries, lambda now: self._block(body, [self.nothing(()), *now]))

    def _while(self, node: _core.GraphNode, *operands: Value) -> list[Value]:
        test, body = node.regions
        carries = list(operands)
        for _ in range(MOST_TURNS):
            goes_on = self._block(test, carries)[0].known
            if goes_on is None:
                break
            if not goes_on:
                return carries
            carries = self._block(body, carries)
        return self._settled(carries, lambda now: self._block(body, now))

    def _settled(self, carries: list[Value], turn: Callable[[list[Value]], list[Value]]) -> list[Value]:
        """What carries depend on after any number of turns."""
        carries = [Value(one.pattern) for one in carries]
        while True:
            pairs = zip(carries, turn(carries), strict=True)
            joined = [Value(_joined(one, other).pattern) for one, other in pairs]
            if all(
                np.array_equal(one.pattern, other.pattern) for one, other in zip(carries, joined, strict=True)
            ):
                return joined
            carries = joined


def _is_same(one: Value, other: Value) -> bool:
    return np.array_equal(one.pattern, other.pattern)


def _joined(one: Value, other: Value) -> Value:
    if one.pattern.shape != other.pattern.shape:
        return Value(one.any() | other.any())  # The size of one of them is not known.
    is_same = one.known is not None and other.known is not None and np.array_equal(one.known, other.known)
    return Value(one.pattern | other.pattern, one.known if is_same else None)


def _computed(node: _core.GraphNode, known: list[Any]) -> NDArray[Any] | None:
    """The value of an op of known numbers, if it is one that indices and tests are made with."""
    if node.op in ("identity", "with_shape"):
        return np.asarray(known[0])
    if node.op == "select":
        return np.asarray(np.where(*known))
    if node.op == "cast":
        return np.asarray(known[0]).astype(node.results[0].dtype)
    function = _NUMPY.get(node.op)
    if function is None:
        return None
    with np.errstate(all="ignore"):
        return np.asarray(function(*known))


def _places(axis: int, x: Value, picks: tuple[Value, ...]) -> tuple[Any, ...] | None:
    """The places of indices that are known and inside of the array: in a branch not taken they may be not."""
    known = [pick.known for pick in picks]
    sizes = x.pattern.shape[axis : axis + len(picks)]
    for one, size in zip(known, sizes, strict=True):
        if one is None or np.any((one < -size) | (one >= size)):
            return None
    return (*[slice(None)] * axis, *known)


def _along(node: _core.GraphNode, sizes: tuple[int, ...]) -> list[NDArray[Any]]:
    """The indices of a slice along each axis."""
    start, step = node.attributes["start"], node.attributes["step"]
    bounds: Any = zip(start, step, sizes, strict=True)  # type: ignore[arg-type]
    return [first + stride * np.arange(size) for first, stride, size in bounds]


def _used(node: _core.GraphNode) -> set[int]:
    """The numbers of the values that a node or its regions use."""
    found = {one.number for one in node.operands}
    for region in node.regions:
        found |= {one.number for one in region.results}
        for inner in region.nodes:
            found |= _used(inner)
    return found
