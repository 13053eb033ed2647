"""The seam between what a statement means and how it is recorded.

Branches, loops, joins, carries, the journal, optionals and builtins are algorithms over this interface. They
run the program's statements; a :class:`Recorder` writes down the ops, the branches and the loops.

    if x > 0:           then = recorder.block([], run)              each branch is tried,
        y = x           otherwise = recorder.block([], run)
    else:                                                           `y` gets the kind that holds both,
        y = -x          recorder.if_(test, then.complete(…), …)     and both are recorded for good

The native recorder (``graph_recorder.py``) reopens a block to write its results. A recorder of a framework
whose control flow takes functions runs the block again, inside of the framework's own call.
"""

from __future__ import annotations

import builtins
import math
import operator
from collections.abc import Callable, Hashable, Sequence
from typing import Any, Generic, TypeVar

import numpy as np

from autograph._src.staging.trace.frames import here
from autograph._src.staging.trace.known_tests import KnownTests
from autograph._src.staging.trace.sites import Site
from autograph.errors import GraphRuntimeError, StagingError

Value = Any
"""A value that is recorded: a number for the native recorder, an object for that of another library."""

Region = Any
"""A recorded block with its results, in the recorder's own form."""

GraphType = tuple[str, Any]
"""The dtype and shape of a tensor, or ``"list"`` and the type of its elements."""

Made = TypeVar("Made")

_NO_FIELDS: tuple[str, ...] = ()
"""The fields of the base class: the graph builder, which derives from it, keeps its own in Rust."""


class Block(Generic[Made]):
    """A block that was tried: the program's statements ran, and its results are not chosen yet.

    Attributes:
        made: What running the block gave.
    """

    made: Made

    def complete(self, results: Callable[[Made], list[Value]]) -> Region:
        """Records the block for good.

        Args:
            results: Gives the values that leave the block, from what running it made. It may record ops.

        Returns:
            The block, for ``if_``, ``while_`` or ``for_``.
        """
        raise NotImplementedError


class ReopenedBlock(Block[Made]):
    """A block that the recorder keeps open to additions."""

    def __init__(self, recorder: Recorder, types: Sequence[GraphType], run: Callable[[list[Value]], Made]):
        self._recorder = recorder
        recorder.open()
        self.made = run([recorder.param_of(one) for one in types])
        self._region = recorder.close([])

    @classmethod
    def closed(cls, recorder: Recorder, made: Made, region: Region) -> ReopenedBlock[Made]:
        """One that the caller has opened and closed."""
        block = cls.__new__(cls)
        block._recorder, block.made, block._region = recorder, made, region
        return block

    def complete(self, results: Callable[[Made], list[Value]]) -> Region:
        """Reopens the block and closes it with its results."""
        self._recorder.reopen(self._region)
        return self._recorder.close(results(self.made))


class Recorder:
    """Writes down what a program does. The base class of recorders; each method that is missing refuses.

    A recorder has values of its own. Flags, positions and Python numbers that the algorithms compute are
    such values too, so it has to know a few ops on bools, 64-bit ints and doubles. `type_of` gives the type
    of each value: the dtype's name and the shape, such as ``("bool", ())``, for the values of ops.

    A library's own values, of the classes in ``value_types``, are values of the recorder as they are. They
    may have types of another form, which only have to be hashable.

    Attributes:
        words: The recorder in messages.
        value_types: The classes of the library's staged values, and of its plain ones that can stand where
            staged ones do.
        sites: The Python functions that the program calls when it runs: prints, exceptions.
        location: The number of the program's line that the next op belongs to.
        known_tests: What is known of tests in the open blocks; ``None`` if nothing is ever known.

    Example:
        >>> from autograph.backends import Recorder
        >>> print(Recorder().refusal("matrices").message)
        this recorder does not record matrices
    """

    __slots__ = _NO_FIELDS

    words: str = "this recorder"
    value_types: tuple[type, ...] = ()
    location: int | None = None
    known_tests: KnownTests | None = None
    sites: list[Site]

    @property
    def value_count(self) -> int:
        """How many values were made; only for a recorder whose values are numbers."""
        return 0

    def __getattr__(self, op: str) -> Any:
        if op.startswith("_"):
            raise AttributeError(op)

        def refused(*_: object, **__: object) -> Any:
            raise self.refusal(f"`{op}`")

        return refused

    def refusal(self, what: str) -> StagingError:
        """The error for something that the recorder does not record, at the user's present line."""
        return StagingError(f"{self.words} does not record {what}", code="AG120", location=here())

    # Blocks

    def open(self) -> None:
        """Opens a block: what follows is recorded into it."""
        raise self.refusal("blocks")

    def close(self, results: list[Value]) -> Region:
        """Closes the innermost open block, which gives these results."""
        raise self.refusal("blocks")

    def reopen(self, region: Region) -> None:
        """Opens a closed block again, to record more at its end."""
        raise self.refusal("blocks")

    def param_of(self, ty: GraphType) -> Value:
        """Adds a parameter to the innermost open block."""
        raise self.refusal("parameters")

    def block(self, types: Sequence[GraphType], run: Callable[[list[Value]], Made]) -> Block[Made]:
        """Tries a block: ``run(parameters)`` runs the program's statements in it.

        Override this where blocks cannot be reopened; then ``open``, ``close``, ``reopen`` and ``param_of``
        are not needed.

        Args:
            types: The types of the block's parameters.
            run: Runs the statements; it can run again with other parameters.
        """
        return ReopenedBlock(self, types, run)

    def region(self, types: Sequence[GraphType], run: Callable[[list[Value]], list[Value]]) -> Region:
        """A block whose results are known at once: those that ``run(parameters)`` gives."""
        return self.block(types, run).complete(lambda results: results)

    def mark(self) -> object:
        """The present state, for :meth:`roll_back`. A recorder may keep what is tried in vain."""
        return None

    def roll_back(self, mark: Any) -> None:
        """Forgets what was recorded since the mark."""

    # Control flow

    def if_(self, test: Value, then: Region, otherwise: Region) -> list[Value]:
        """Records ``if test: then else: otherwise``; gives the results of the branch that runs."""
        raise self.refusal("`if`")

    def while_(self, carries: list[Value], test: Region, body: Region) -> list[Value]:
        """Records a loop that carries values.

        Args:
            carries: The values before the first iteration.
            test: Takes the carries; gives one bool: whether there is another iteration.
            body: Takes the carries; gives those of the next iteration.

        Returns:
            The carries after the last iteration.
        """
        raise self.refusal("`while`")

    def for_(self, bounds: tuple[Value, Value, Value], carries: list[Value], body: Region) -> list[Value]:
        """Records a counted loop that carries values.

        Args:
            bounds: Start, stop and step, as of ``range``.
            carries: The values before the first iteration.
            body: Takes the index and the carries; gives those of the next iteration.

        Returns:
            The carries after the last iteration.
        """
        raise self.refusal("`for`")

    def check(
        self, ok: Value, error: str, message: str, site: int | None = None, values: Sequence[Value] = ()
    ) -> None:
        """Records that the run raises an exception unless ``ok``.

        Args:
            ok: A bool.
            error: The name of the exception's class.
            message: Its message.
            site: If given, the number of the site that makes the exception from the values of the run.
            values: The values that the site takes.
        """
        raise self.refusal("checks")

    def raised(self, error: str, message: str, site: int | None, values: Sequence[object]) -> BaseException:
        """The exception of a check that fails in a run; takes the arguments of :meth:`check`.

        Args:
            error: The name of the exception's class.
            message: Its message.
            site: The number of the site, if one was given.
            values: What the values are in that run.
        """
        if site is not None:
            made: BaseException = self.run_site(site, values)
            return made
        kind: type[BaseException] = getattr(builtins, error, GraphRuntimeError)
        return kind(message)

    def run_site(self, site: int, values: Sequence[object]) -> Any:
        """Calls, in a run, the Python function of a site: prints, for instance.

        Args:
            site: Its number.
            values: What the values that it takes are in that run.
        """
        return self.sites[site].run(list(values))

    def print(self, site: int, values: Sequence[Value]) -> None:
        """Records that the run calls a site, which prints or warns, with what the values are then."""
        raise self.refusal("`print`")

    def declare(self, name: str) -> int:
        """Declares a function of the graph, for a recursion that a staged value ends."""
        raise self.refusal("a recursion that a staged value ends")

    # Ops on Python numbers. A framework with ops of its own overrides them; `apply` is enough for the rest.

    def type_of(self, value: Value) -> GraphType:
        """The type of a value."""
        raise self.refusal("values")

    def apply(self, ty: Hashable, function: Callable[..., Any], *operands: Value) -> Value:
        """Records the call of a Python function such as ``operator.add``, with the operands' values in a run.

        Args:
            ty: The type of the result.
            function: The function; it has no effects.
            *operands: Values of the recorder.
        """
        raise self.refusal(f"`{getattr(function, '__name__', function)}`")

    def constant(self, dtype: str, sizes: Sequence[int], data: bytes) -> Value:
        """A literal, from its little-endian bytes."""
        value = np.frombuffer(data, dtype).reshape(sizes)
        return self.apply((dtype, tuple(sizes)), lambda: value if sizes else value.item())

    def unary(self, op: str, x: Value, checked: bool = False) -> Value:
        """``op(x)``, such as ``logical_not``; ``checked`` raises where a Python int would need more bits."""
        return self.apply(_BOOL if op in _TESTS else self.type_of(x), self._function(op), x)

    def binary(self, op: str, x: Value, y: Value, checked: bool = False) -> Value:
        """``op(x, y)``, such as ``add``, ``less`` or ``bitwise_and``; ``checked`` as for :meth:`unary`."""
        return self.apply(_BOOL if op in _TESTS else self.type_of(x), self._function(op), x, y)

    def _function(self, op: str) -> Callable[..., Any]:
        if op not in _FUNCTIONS:
            raise self.refusal(f"`{op}`")
        return _FUNCTIONS[op]

    def cast(self, x: Value, dtype: str) -> Value:
        """The number in another dtype."""
        if dtype not in _CASTS:
            raise self.refusal(f"numbers of {dtype}")
        return self.apply((dtype, ()), _CASTS[dtype], x)

    def broadcast(self, x: Value, sizes: Sequence[int | None], dims: Sequence[Value] = ()) -> Value:
        """The value repeated to a shape; a number has the shape ``()`` already."""
        if not sizes and not dims:
            return x
        raise self.refusal("arrays")

    def function_param(self, dtype: str, sizes: Sequence[int]) -> Value:
        """An input of the whole recording, for an array that is not an argument."""
        raise self.refusal("arrays from outside")

    def name(self, value: Value, name: str) -> None:
        """Notes the user's variable that a value is bound to, for readers of the graph."""

    # The library's own values

    def joined_type(self, left: Hashable, right: Hashable) -> Hashable | None:
        """The type of a variable that is of one type on one path and of the other on another.

        Returns:
            The type; ``None`` if no variable can be both. Equal types are not asked for.
        """
        return None

    def converted(self, value: Value, ty: Hashable) -> Value:
        """A value as one of another type, which :meth:`joined_type` gave."""
        return self.apply(ty, lambda plain: plain, value)

    def placeholder(self, ty: Hashable) -> Value:
        """Any value of a type, for a variable that is unbound or ``None`` on a path. Nothing reads it."""
        return self.apply(ty, lambda: None)

    def truth(self, value: Value) -> Value:
        """``bool(value)``, as a value of type ``("bool", ())``."""
        return self.apply(_BOOL, bool, value)

    def index(self, value: Value) -> Value:
        """``operator.index(value)``, as a value of type ``("int64", ())``: a bound of ``range``."""
        return self.apply(_INT, operator.index, value)

    def length(self, value: Value) -> Value:
        """``len(value)``, as a value of type ``("int64", ())``."""
        return self.apply(_INT, len, value)

    def item(self, value: Value, index: Value) -> Value:
        """``value[index]``, in a loop; the index is of type ``("int64", ())``."""
        raise self.refusal("loops over its values")


_BOOL, _INT = ("bool", ()), ("int64", ())

_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "absolute": abs,
    "add": operator.add,
    "bitwise_and": operator.and_,
    "bitwise_or": operator.or_,
    "bitwise_xor": operator.xor,
    "divide": operator.truediv,
    "equal": operator.eq,
    "floor_divide": operator.floordiv,
    "greater": operator.gt,
    "greater_equal": operator.ge,
    "isfinite": math.isfinite,
    "isinf": math.isinf,
    "isnan": math.isnan,
    "left_shift": operator.lshift,
    "less": operator.lt,
    "less_equal": operator.le,
    "logical_not": operator.not_,
    "maximum": max,
    "minimum": min,
    "multiply": operator.mul,
    "negative": operator.neg,
    "not_equal": operator.ne,
    "power": operator.pow,
    "remainder": operator.mod,
    "right_shift": operator.rshift,
    "subtract": operator.sub,
}
"""What ops on Python numbers compute, by NumPy's names for them."""

_TESTS = frozenset(("equal", "not_equal", "less", "less_equal", "greater", "greater_equal", "logical_not"))
_TESTS |= {"isfinite", "isinf", "isnan"}
_CASTS: dict[str, Callable[..., Any]] = {"bool": bool, "int64": int, "float64": float}
