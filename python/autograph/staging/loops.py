"""Staged loops: the body is recorded once, and what it changes is carried from iteration to iteration.

Carries are inferred to a fixed point: the body is recorded with the types known so far, and again
with wider ones until the types it ends with are the types it began with.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from autograph import _core
from autograph.errors import AutographError
from autograph.operators.loop_options import LoopOptions, current_loop
from autograph.operators.places import Attribute, Place
from autograph.operators.undefined import Undefined
from autograph.staging.effects import record_limit, record_raise
from autograph.staging.joins import (
    LeafKind,
    LeafType,
    Static,
    convert,
    graph_types,
    is_numeric,
    join,
    leaf_type,
    leaves_of,
    quoted,
    restore,
    same_static,
)
from autograph.staging.journal import Writes
from autograph.staging.python_scalars import both, truth
from autograph.staging.state import State
from autograph.staging.tensor import Affine, Kind, Tensor, constant, emit, lift, require_trace, wrap
from autograph.staging.trace import staging_error

PATHS = ("before the loop", "after an iteration")


@dataclass
class Carries:
    """What is known so far of the state of a loop.

    Attributes:
        names: The variables.
        entry: Their values before the loop.
        types: Their types; ``None`` for a variable bound to a tensor that is written in place.
        tensors: Tensors from before the loop that the body writes in place.
    """

    names: tuple[str, ...]
    entry: tuple[Any, ...]
    types: list[LeafKind | None]
    tensors: list[Tensor] = field(default_factory=list)

    def initial(self) -> list[int]:
        """The graph values to enter the loop with."""
        values: list[int] = []
        for value, target in zip(self.entry, self.types, strict=True):
            values += [] if target is None else convert(value, target)
        return values + [tensor.read() for tensor in self.tensors]

    def params(self, builder: _core.GraphBuilder) -> list[int]:
        """Adds parameters for the carries to the innermost open block."""
        values: list[int] = []
        for target in self.types:
            types = [] if target is None else graph_types(target)
            values += [builder.param(dtype, shape) for dtype, shape in types]
        return values + [builder.param(tensor.dtype.name, list(tensor.shape)) for tensor in self.tensors]

    def enter(self, params: list[int]) -> list[Any]:
        """The state inside the body: stand-ins for the carried variables, the rest as it was."""
        state: list[Any] = []
        for name, value, target in zip(self.names, self.entry, self.types, strict=True):
            state.append(value if target is None else restore(params, target, name, value))
        trace = require_trace()
        for tensor in self.tensors:
            trace.journal.will_write_tensor(tensor)
            tensor.value_id = params.pop(0)
            tensor.version += 1
        return state

    def leave(self, results: list[int]) -> list[Any]:
        """The state after the loop, from its results."""
        state: list[Any] = []
        for name, value, target in zip(self.names, self.entry, self.types, strict=True):
            state.append(value if target is None else restore(results, target, name, value))
        trace = require_trace()
        for tensor in self.tensors:
            trace.journal.will_write_tensor(tensor)
            tensor.value_id = results.pop(0)
            tensor.version += 1
        return state


@dataclass
class Iteration:
    """One recording of a loop body.

    Attributes:
        carries: The carries it was recorded with.
        stand_ins: The state it began with.
        state: The state it ended with.
        writes: What it wrote besides, with the new values.
        test: Whether there is another iteration, for a loop with a test.
        raises: Whether the body always raises.
    """

    carries: Carries
    stand_ins: list[Any]
    state: tuple[Any, ...]
    writes: Writes
    test: int | None
    raises: bool

    def widened(self) -> Carries | None:
        """Carries that hold what this iteration ended with, or ``None`` when these do already."""
        known = self.carries
        tensors = list(known.tensors)
        for tensor, _ in self.writes.tensors.values():
            if not any(tensor is other for other in tensors):
                tensors.append(tensor)
        types = list(known.types)
        for position, stand_in in enumerate(self.stand_ins):
            written = _written_in_place(known, position, stand_in)
            if written is not None and not any(written is other for other in tensors):
                tensors.append(written)
        for position, value in enumerate(self.state):
            types[position] = self._type_of(position, value, tensors)
        if types == known.types and len(tensors) == len(known.tensors):
            return None
        return Carries(known.names, known.entry, types, tensors)

    def new_places(self, state: State) -> list[Place]:
        """The attributes and containers that the body wrote and that are not in the state yet."""
        known = {place.identity() for place in state.places}
        return [place for identity, (place, _) in self.writes.places.items() if identity not in known]

    def _type_of(self, position: int, value: Any, tensors: list[Tensor]) -> LeafKind | None:
        name, entry = self.carries.names[position], self.carries.entry[position]
        known = self.carries.types[position]
        if any(entry is tensor for tensor in tensors):
            if value is entry or value is self.stand_ins[position]:
                return None
            raise staging_error(
                "AG134",
                f"`{name}` is both written in place and bound to another array in a staged loop",
                f"copy it before the loop: `{name} = {name}.copy()`, and use one of the two ways",
            )
        if value is self.stand_ins[position] or self.raises:
            return known
        if isinstance(known, Static) and not same_static(known.value, value):
            _refuse_container(name, value)
        return join(name, known if known is not None else leaf_type(entry), leaf_type(value), PATHS)

    def results(self) -> list[int]:
        """The graph values of the carries at the end of the iteration."""
        values: list[int] = []
        for position, target in enumerate(self.carries.types):
            value = self.stand_ins[position] if self.raises else self.state[position]
            values += [] if target is None else convert(value, target)
        for tensor in self.carries.tensors:
            values.append(self.writes.tensors[id(tensor)][1])
        return values


def _written_in_place(carries: Carries, position: int, stand_in: Any) -> Tensor | None:
    """The tensor behind a carried variable whose stand-in the body wrote in place."""
    written = [leaf for leaf in leaves_of(stand_in) if isinstance(leaf, Tensor) and leaf.version]
    if carries.types[position] is None or not written:
        return None
    entry = carries.entry[position]
    if isinstance(entry, Tensor):
        return None if stand_in is entry else entry
    if isinstance(entry, tuple):
        raise staging_error(
            "AG134",
            f"an element of `{carries.names[position]}` is both written in place and replaced in a staged"
            " loop",
            "use one of the two ways",
        )
    raise staging_error(
        "AG114",
        f"`{carries.names[position]}` is an array from outside the staged function and is written in it",
        "pass it as an argument, or copy it first",
    )


def _refuse_container(name: str, value: Any) -> None:
    if isinstance(value, (list, dict)) and not is_numeric(value):
        raise staging_error(
            "AG133",
            f"{quoted(name)} is bound to a {type(value).__name__} in a staged loop",
            "bind its elements to variables of their own",
        )


class IterationLimit:
    """What ``ag.set_loop_options`` said of a loop, and how many iterations are done.

    The count is an attribute like the user's own: the journal makes it a carry of the loop.
    """

    def __init__(self) -> None:
        self.done: Any = 0
        self._loop = current_loop()
        require_trace().journal.created(self)

    @property
    def _options(self) -> LoopOptions:
        return LoopOptions() if self._loop is None else self._loop.options

    def step(self) -> None:
        """At the end of an iteration: counts it and checks the count."""
        maximum = self._options.maximum_iterations
        if maximum is None:
            return
        require_trace().journal.will_write(Attribute(self, "done"))
        self.done = self.done + 1
        record_limit(lift(self.done <= maximum), maximum)

    def check_shapes(self, carries: Carries) -> None:
        """Compares the types of the loop's variables with the shapes that were stated.

        Raises:
            StagingError: If one has another shape, or is no variable of the loop.
        """
        for name, shape in self._options.shape_invariants.items():
            if name not in carries.names:
                known = ", ".join(f"`{one}`" for one in carries.names if one.isidentifier()) or "none"
                raise staging_error("AG137", f"`{name}` is no variable of this loop (it changes {known})")
            leaf = carries.types[carries.names.index(name)]
            actual = leaf.shape if isinstance(leaf, LeafType) else None
            stated = tuple(shape)
            fits = actual is not None and len(actual) == len(stated)
            if (
                actual is None
                or not fits
                or any(s not in (None, a) for s, a in zip(stated, actual, strict=True))
            ):
                raise staging_error(
                    "AG137", f"`{name}` has shape {actual} in this loop, which is not the {stated} stated"
                )


def first_carries(names: tuple[str, ...], entry: tuple[Any, ...]) -> Carries:
    """Carries typed by the values before the loop."""
    return Carries(names, entry, [leaf_type(value) for value in entry])


def stage_while(
    first_test: Tensor,
    test: Callable[[], Any],
    body: Callable[[], None],
    state: State,
) -> None:
    """Records the rest of ``while test(): body()``, whose test was just evaluated to ``first_test``.

    The graph carries the test, so that it is evaluated as often as in Python: once before each
    iteration.
    """
    trace = require_trace()
    limit = IterationLimit()
    entry = truth(first_test).read()

    def after() -> int:
        return truth(lift(test())).read()

    def record(carries: Carries, state: State) -> tuple[Iteration, Callable[[], list[int]]]:
        initial = [entry, *carries.initial()]
        check = _test_region(carries)
        trace.builder.open()
        trace.builder.param("bool", [])
        params = carries.params(trace.builder)
        iteration = _record_body(carries, params, body, state, after, "a staged `while`", limit)

        def finish() -> list[int]:
            assert iteration.test is not None
            region = trace.builder.close([iteration.test, *iteration.results()])
            return trace.locate().while_(initial, check, region)[1:]

        return iteration, finish

    _to_fixed_point(record, state, limit)


def _test_region(carries: Carries) -> _core.Region:
    """The test of a loop whose first carry says whether there is another iteration."""
    builder = require_trace().builder
    builder.open()
    flag = builder.param("bool", [])
    carries.params(builder)
    return builder.close([flag])


Record = Callable[["Carries", State], tuple["Iteration", Callable[[], list[int]]]]
"""Records a loop with given carries; what it gives finishes the loop once the carries fit."""


def _to_fixed_point(record: Record, state: State, limit: IterationLimit) -> None:
    """Records a loop again and again, each time with what was found to be carried, until all is."""
    trace = require_trace()
    carries = first_carries(state.names, state.get())
    while True:
        mark = trace.mark()
        try:
            iteration, finish = record(carries, state)
            places = iteration.new_places(state)
            wider = None if places else iteration.widened()
            if not places and wider is None:
                limit.check_shapes(carries)
                results = finish()
                break
        except BaseException:
            trace.roll_back(mark)
            state.set(carries.entry)
            raise
        trace.roll_back(mark)
        state.set(carries.entry)
        if wider is None:
            state, carries = state.with_places(places), _with_places(carries, places)
        else:
            carries = wider
    state.set(tuple(carries.leave(results)))


def _with_places(carries: Carries, places: list[Place]) -> Carries:
    """Carries for places too, typed by the values before the loop."""
    values = [place.read() for place in places]
    for place, value in zip(places, values, strict=True):
        if isinstance(value, Undefined):
            raise staging_error(
                "AG121",
                f"`{place.name}` is set in a staged loop, and not before it",
                "set it before the loop as well, for instance in `__init__`",
            )
    names = (*carries.names, *(place.name for place in places))
    types = [*carries.types, *(leaf_type(value) for value in values)]
    return Carries(names, (*carries.entry, *values), types, carries.tensors)


def _record_body(
    carries: Carries,
    params: list[int],
    body: Callable[[], None],
    state: State,
    test: Callable[[], int] | None,
    what: str,
    limit: IterationLimit,
) -> Iteration:
    """Records the body into the block that is open already."""
    trace = require_trace()
    raises, holds = False, None
    with trace.journal.block(what) as block:
        stand_ins = carries.enter(list(params))
        state.set(tuple(stand_ins))
        try:
            body()
            limit.step()
            holds = None if test is None else test()
        except (AutographError, _core.GraphError):
            raise
        except Exception as error:
            record_raise(error)
            raises = True
            holds = None if test is None else constant(False, "bool").read()
        values = state.get()
        writes = trace.journal.take(block)
    return Iteration(carries, stand_ins, values, writes, holds, raises)


def stage_for(
    length: Any,
    item: Callable[[Tensor], Any],
    extra_test: Callable[[], Any] | None,
    body: Callable[[Any], None],
    state: State,
) -> None:
    """Records ``for k in range(length): body(item(k))``, with ``extra_test`` asked before each.

    Args:
        length: How many iterations, plain or staged.
        item: The iterate of iteration ``k``.
        extra_test: Asked before each iteration, if given.
        body: The loop's body.
        state: The variables the loop changes.
    """
    if extra_test is None:
        _stage_counted(length, item, body, state)
    else:
        _stage_tested(length, item, extra_test, body, state)


def _index(value: int, length: Any) -> Tensor:
    """The number of the iteration, a Python int whose range is known if the length is."""
    index = wrap(value, Kind.PYTHON)
    if isinstance(length, int) and length > 0:
        index.affine = Affine(root=value, first=0, last=length - 1, factor=1, offset=0)
    return index


def _stage_counted(
    length: Any,
    item: Callable[[Tensor], Any],
    body: Callable[[Any], None],
    state: State,
) -> None:
    trace = require_trace()
    limit = IterationLimit()

    def record(carries: Carries, state: State) -> tuple[Iteration, Callable[[], list[int]]]:
        initial = carries.initial()
        bounds = (lift(0).read(), lift(length).read(), lift(1).read())
        trace.builder.open()
        index = trace.builder.param("int64", [])
        params = carries.params(trace.builder)
        iteration = _record_body(
            carries,
            params,
            lambda: body(item(_index(index, length))),
            state,
            None,
            "a staged `for`",
            limit,
        )

        def finish() -> list[int]:
            region = trace.builder.close(iteration.results())
            return trace.locate().for_(bounds, initial, region)

        return iteration, finish

    _to_fixed_point(record, state, limit)


def _stage_tested(
    length: Any,
    item: Callable[[Tensor], Any],
    extra_test: Callable[[], Any],
    body: Callable[[Any], None],
    state: State,
) -> None:
    trace = require_trace()
    limit = IterationLimit()
    count = lift(length)

    def another(index: int) -> int:
        """``extra_test() and index < length``; both are free of effects on each other."""
        holds = truth(lift(extra_test()))
        left = wrap(emit("binary", "less", index, count.read()), Kind.PYTHON)
        return both(holds, left).read()

    def record(carries: Carries, state: State) -> tuple[Iteration, Callable[[], list[int]]]:
        zero = lift(0).read()
        initial = [another(zero), zero, *carries.initial()]
        trace.builder.open()
        flag = trace.builder.param("bool", [])
        trace.builder.param("int64", [])
        carries.params(trace.builder)
        check = trace.builder.close([flag])
        trace.builder.open()
        trace.builder.param("bool", [])
        index = trace.builder.param("int64", [])
        params = carries.params(trace.builder)
        following: list[int] = []

        def after() -> int:
            following.append(emit("binary", "add", index, lift(1).read()))
            return another(following[0])

        iteration = _record_body(
            carries,
            params,
            lambda: body(item(_index(index, length))),
            state,
            after,
            "a staged `for`",
            limit,
        )

        def finish() -> list[int]:
            assert iteration.test is not None
            step = following[0] if following else index
            region = trace.builder.close([iteration.test, step, *iteration.results()])
            return trace.locate().while_(initial, check, region)[2:]

        return iteration, finish

    _to_fixed_point(record, state, limit)
