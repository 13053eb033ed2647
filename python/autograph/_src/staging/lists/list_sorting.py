"""``sorted`` of a list whose length only a run knows: merge sort, as loops of the graph.

    for v in x:
        if v > 0:
            found.append(v)
    found.sort()

Each pass merges pairs of sorted runs of `width` elements into a new list, and the next pass has runs twice as
long. The sort is stable, as CPython's is, also with ``reverse=True``. Numbers, and tuples and lists of
numbers, can be sorted; arrays cannot.
"""

from __future__ import annotations

from typing import Any

from autograph._src.staging.lists.list_contents import StagedElements
from autograph._src.staging.lists.list_order import less, require_order
from autograph._src.staging.lists.traced_list import scratch_list
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.positions import number, smaller
from autograph._src.staging.tensors.python_scalars import both, compare, either, negate
from autograph._src.staging.tensors.tensor import Form, Tensor, emit, wrap
from autograph._src.staging.trace.state import State
from autograph._src.staging.trace.statements import stage_for, stage_while


def sorted_contents(values: StagedElements, keys: StagedElements, descending: bool) -> StagedElements:
    """The elements in the order of their keys.

    Args:
        values: The elements.
        keys: The sort key of each element; may be ``values`` itself.
        descending: Whether the largest comes first.

    Raises:
        StagingError: If the keys are arrays, which have no order (AG106).
    """
    require_order(keys)
    # The keys move along with the elements, unless they are the elements.
    columns = [values] if values is keys else [values, keys]
    lists = [scratch_list(column) for column in columns]
    count = lift(values.count())
    width: list[Any] = [lift(1)]

    def merge() -> None:
        merged = [scratch_list() for _ in lists]
        _merge_pass([one.staged() for one in lists], merged, count, width[0], descending)
        for one, other in zip(lists, merged, strict=True):
            one.become(other.staged(one.staged().element))
        width[0] = width[0] * 2

    def is_to_go_on() -> Tensor:
        return compare("less", width[0], count)

    def set_width(values: tuple[Any, ...]) -> None:
        width[:] = values

    stage_while(is_to_go_on(), is_to_go_on, merge, State(lambda: tuple(width), set_width, ("the width",)))
    return lists[0].staged()


def _merge_pass(
    columns: list[StagedElements], merged: list[Any], count: Tensor, width: Tensor | int, descending: bool
) -> None:
    """Merges pairs of runs of ``width`` elements, in a single loop over all elements."""
    ranks = columns[-1]
    zero = lift(0)
    places: list[Any] = [zero, zero]

    def step(position: Tensor) -> None:
        pair = (position // (width * 2)) * (width * 2)
        middle, end = smaller(pair + width, count), smaller(pair + width * 2, count)
        begins = compare("equal", position, pair)
        left, right = _select(begins, pair, places[0]), _select(begins, middle, places[1])
        last = count - 1
        one, other = ranks.at(smaller(left, last)), ranks.at(smaller(right, last))
        is_before = less(one, other) if descending else less(other, one)
        has_right = compare("less", right, end)
        has_left = compare("less", left, middle)
        takes_right = both(has_right, either(negate(has_left), is_before))
        taken = _select(takes_right, right, left)
        for column, target in zip(columns, merged, strict=True):
            target.append(column.at(taken))
        places[0] = _select(takes_right, left, left + 1)
        places[1] = _select(takes_right, right + 1, right)

    def set_places(values: tuple[Any, ...]) -> None:
        places[:] = values

    state = State(lambda: tuple(places), set_places, ("the left place", "the right place"))
    stage_for(count, lambda position: position, None, step, state)


def _select(test: Tensor, yes: object, no: object) -> Tensor:
    return wrap(emit("select", test.read(), number(yes).read(), number(no).read()), Form.PYTHON)
