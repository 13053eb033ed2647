"""Comprehensions over staged iterables: one staged loop that fills arrays, one element per item.

    squares = [v * v for v in xs]

becomes a loop that writes `v * v` to item `k` of an array; the items of that array make up the list.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from autograph._src.backends.protocol import backend_of
from autograph._src.staging.control.branches import stage_if
from autograph._src.staging.control.comprehension_elements import Apart, AreRows, Unlike
from autograph._src.staging.control.loops import stage_for
from autograph._src.staging.control.walking import walk
from autograph._src.staging.kinds.numbers import NumberKind
from autograph._src.staging.kinds.tuple_of import TupleOf
from autograph._src.staging.kinds.value_kind import kind_of
from autograph._src.staging.lists.staged_iterable import StagedIterable
from autograph._src.staging.lists.traced_list import made_list, scratch_list
from autograph._src.staging.tensors.lifting import constant, lift
from autograph._src.staging.tensors.parted import reformed
from autograph._src.staging.tensors.python_scalars import truth
from autograph._src.staging.tensors.tensor import Form, Tensor, emit, wrap
from autograph._src.staging.trace.active import require_trace, staging_error
from autograph._src.staging.trace.recorder import Value
from autograph._src.staging.trace.signals import Refused
from autograph._src.staging.trace.state import NO_VARIABLES
from autograph._src.trees import Rebuild
from autograph.errors import StagingError

UNROLL_BUDGET = 4
"""Comprehensions with at most this many items are unrolled."""


def stage_list(items: StagedIterable, element: Callable[[Any], Any]) -> list[Any]:
    """``[element(item) for item in items]``.

    Raises:
        StagingError: If the number of items depends on data (AG117).
    """
    if isinstance(items.length, Tensor) or items.is_filtered():
        raise staging_error(
            "AG117",
            f"how many elements this list gets depends on data, as the {items.kind} does",
            "use a `for` loop, or `np.where` on the whole array",
        )
    if items.length > UNROLL_BUDGET:
        made = _in_one_loop(items, element)
        if made is not None:
            return made
    items.use()
    return [element(items.item(position)) for position in range(items.length)]


def _in_one_loop(items: StagedIterable, element: Callable[[Any], Any]) -> list[Any] | None:
    """The elements, computed by one staged loop; ``None`` if the comprehension has to be unrolled."""
    trace = require_trace()
    mark, refusal = trace.mark(), trace.refusal
    try:
        with trace.journal.probing():
            made = _in_a_loop(items.length, items.item, element)
        items.use()
        return made
    except Unlike:
        trace.roll_back(mark)
    except AreRows:
        trace.roll_back(mark)
        try:
            with trace.journal.probing():
                return grown_list(items, element, None)  # type: ignore[no-any-return]
        except (StagingError, Refused):
            trace.roll_back(mark)
            trace.refusal = refusal
    trace.note(f"this comprehension is unrolled {items.length} times: its elements have several types")
    return None


def grown_list(
    items: StagedIterable,
    element: Callable[[Any], Any],
    condition: Callable[[Any], Any] | None,
    *,
    is_of_program: bool = True,
) -> Any:
    """``[element(item) for item in items if condition(item)]``, whose length may depend on data."""
    made: Any = made_list([]) if is_of_program else scratch_list()

    def add(item: object) -> None:
        if condition is None:
            made.append(element(item))
        else:
            _add_if(condition(item), lambda: made.append(element(item)))

    walk(items, add, NO_VARIABLES)
    return made


def kept_of_plain(
    items: Iterable[Any], element: Callable[[Any], Any], condition: Callable[[Any], Any]
) -> object:
    """``[element(item) for item in items if condition(item)]`` of a plain iterable and a staged condition."""
    made = made_list([])
    for item in items:
        _add_if(condition(item), partial(_add, made, element, item))
    return made


def _add(made: Any, element: Callable[[Any], Any], item: object) -> None:
    made.append(element(item))


def _add_if(holds: object, add: Callable[[], None]) -> None:
    if backend_of(holds) is not None:
        stage_if(truth(holds).read(), add, None, NO_VARIABLES, 0)
    elif holds:
        add()


def kept_list(
    items: StagedIterable, element: Callable[[Any], Any], condition: Callable[[Any], Any]
) -> object:
    """``[element(item) for item in items if condition(item)]`` of a known number of items.

    If all conditions are plain it is unrolled; otherwise it is one staged loop.
    """
    trace = require_trace()
    mark = trace.mark()
    try:
        with trace.journal.probing():
            made = []
            for position in range(items.length):
                item = items.item(position)
                holds = condition(item)
                if backend_of(holds) is not None:
                    raise Unlike
                if holds:
                    made.append(element(item))
    except Unlike:
        trace.roll_back(mark)
        return grown_list(items, element, condition)
    items.use()
    return made_list(made)


def _in_a_loop(length: int, item: Callable[[Any], Any], element: Callable[[Any], Any]) -> list[Any]:
    types, rebuild = _element_type(length, item, element)
    arrays = [_empty(length, leaf) for leaf in types]

    def fill(numbered: tuple[Any, Any]) -> None:
        position, value = numbered
        apart = Apart(require_trace().journal.serial)
        apart.of(element(value))
        if [_type_of(leaf) for leaf in apart.leaves] != types:
            raise Unlike
        for array, leaf in zip(arrays, apart.leaves, strict=True):
            array[position] = leaf

    stage_for(length, lambda position: (position, item(position)), None, fill, NO_VARIABLES)
    return [
        rebuild([_item(array, position, leaf.part.form) for array, leaf in zip(arrays, types, strict=True)])
        for position in range(length)
    ]


def _element_type(
    length: int, item: Callable[[Any], Any], element: Callable[[Any], Any]
) -> tuple[list[NumberKind], Rebuild]:
    """The types of an element's leaves, found by recording one element and rolling it back."""
    trace = require_trace()

    def run(params: list[Value]) -> tuple[list[NumberKind], Rebuild]:
        with trace.journal.block("a comprehension") as block:
            apart = Apart(block.serial)
            rebuild = apart.of(element(item(wrap(params[0], Form.PYTHON))))
            types = [_type_of(leaf) for leaf in apart.leaves]
            trace.journal.take(block)
        return types, rebuild

    mark = trace.mark()
    try:
        return trace.builder.block([("int64", [])], run).made
    finally:
        trace.roll_back(mark)


def _type_of(leaf: object) -> NumberKind:
    found = kind_of(leaf)
    if not isinstance(found, NumberKind) or not found.has_arrays:
        raise Unlike
    return found


def _empty(length: int, kind: NumberKind) -> Tensor:
    part = kind.part
    if isinstance(kind, TupleOf):
        made: Tensor = kind.rebuild([_empty(length, part) for _ in kind.parts])
        return made
    zero = constant(0, part.dtype)
    return wrap(emit("broadcast", zero.read(), [length, *part.shape]), Form.ARRAY)


def _item(array: Tensor, position: int, form: Form) -> Tensor:
    value = lift(array[position])
    return reformed(value, form)
