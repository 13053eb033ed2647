"""Random trees, lists and rings of objects: what the graph gives is what plain Python gives."""

from __future__ import annotations

from typing import Any

import pytest
import tree_programs as programs
from hypothesis import given, settings
from hypothesis import strategies as st
from tree_programs import (
    Branch,
    Expression,
    Item,
    Leaf,
    Node,
    Pair,
    Rose,
    Tree,
    Unit,
    linked_list,
    ways,
)

numbers = st.integers(-50, 50).map(lambda number: number / 4)


def nodes_of(children: Any) -> Any:
    return st.builds(Tree, numbers, children, children)


trees = st.recursive(st.builds(Tree, numbers), lambda inner: nodes_of(st.none() | inner), max_leaves=20)
sentinels = st.recursive(
    st.builds(Tree, numbers, st.just(programs.NOTHING), st.just(programs.NOTHING)),
    lambda inner: nodes_of(st.just(programs.NOTHING) | inner),
    max_leaves=20,
)
roses = st.recursive(
    st.builds(Rose, numbers),
    lambda inner: st.builds(Rose, numbers, st.lists(inner, max_size=4)),
    max_leaves=20,
)
bare_roses = st.recursive(
    st.builds(Rose, numbers, st.none()),
    lambda inner: st.builds(Rose, numbers, st.none() | st.lists(inner, max_size=3)),
    max_leaves=12,
)
branches = st.recursive(
    st.builds(Leaf, numbers), lambda inner: st.builds(Branch, inner, inner, numbers), max_leaves=12
)


leaves = st.builds(Expression, st.just("number"), numbers, st.none() | st.sampled_from(Unit))
expressions = st.recursive(
    leaves | st.builds(Expression, st.sampled_from(["x", "variable"])),
    lambda inner: st.builds(
        Expression, st.sampled_from("+*"), left=inner, right=inner, unit=st.none(), number=numbers
    ),
    max_leaves=10,
)


def lists(kind: Any, values: Any, min_size: int = 0) -> Any:
    return st.lists(values, min_size=min_size, max_size=12).map(lambda found: linked_list(kind, found))


@st.composite
def graphs(draw: Any) -> Tree:
    """Trees in which one node may be in several places."""
    made: list[Any] = [None]
    for value in draw(st.lists(numbers, min_size=1, max_size=8)):
        made.append(Tree(value, draw(st.sampled_from(made)), draw(st.sampled_from(made))))
    return made[-1]


CASES = [
    *[
        (program, (trees,))
        for program in (programs.truths, programs.leaves, programs.height, programs.largest)
    ],
    *[(program, (trees,)) for program in (programs.total, programs.size_and_sum, programs.leftmost)],
    *[(program, (trees,)) for program in (programs.zigzag, programs.depth_first)],
    *[(program, (trees, numbers)) for program in (programs.search, programs.nearest, programs.scaled)],
    (programs.shared, (graphs(),)),
    (programs.total, (graphs(),)),
    (programs.is_equal, (trees, trees)),
    (programs.total_with_sentinel, (sentinels,)),
    (programs.nearest_above, (sentinels, numbers)),
    *[(program, (roses,)) for program in (programs.rose_total, programs.rose_count, programs.rose_last)],
    (programs.rose_width, (roses,)),
    *[(program, (bare_roses,)) for program in (programs.rose_sizes, programs.rose_truths)],
    (programs.evaluated, (expressions, numbers)),
    (programs.leftmost_names, (expressions,)),
    *[(program, (lists(Pair, st.integers(-9, 9)),)) for program in (programs.pair_sum, programs.pair_items)],
    (programs.linked, (lists(Node, st.integers(0, 9)),)),
    (programs.missing, (lists(Item, st.none() | st.integers(0, 9)),)),
    *[(program, (branches,)) for program in (programs.either_class, programs.has_children)],
    (programs.virtual, (branches, numbers)),
]


def is_same(left: Any, right: Any) -> bool:
    if isinstance(left, tuple) and not hasattr(left, "_fields"):
        return len(left) == len(right) and all(map(is_same, left, right))
    return left is right if isinstance(left, (Tree, Rose)) else type(left) is type(right) and left == right


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(("program", "kinds"), CASES, ids=[program.__name__ for program, _ in CASES])
def test_random_trees(program: Any, kinds: tuple[Any, ...]) -> None:
    staged, interpreted = ways(program)

    @settings(max_examples=25, deadline=None)
    @given(st.tuples(*kinds))
    def compare(arguments: tuple[Any, ...]) -> None:
        want = program(*arguments)
        for way in (staged, interpreted):
            got = way(*arguments)
            assert is_same(got, want), (way, arguments, got, want)

    compare()
    tables = [one for one in staged.concrete_functions() if "nodes" in str(one.signature)]
    assert len(tables) <= 5
