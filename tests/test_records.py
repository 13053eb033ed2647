"""Trees, lists and rings of objects: one graph for all shapes, with the results of plain Python."""

from __future__ import annotations

import dataclasses
import doctest
import importlib
import runpy
import threading
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import autograph as ag
import numpy as np
import pytest
import tree_programs as programs
from autograph.errors import ShapeError
from tree_programs import Branch, Expression, Item, Leaf, Node, Rose, Tree, Vectors, linked_list, ways


def a_tree(rng: np.random.Generator, size: int) -> Tree | None:
    if size == 0:
        return None
    left = int(rng.integers(0, size))
    return Tree(float(rng.normal()), a_tree(rng, left), a_tree(rng, size - 1 - left))


def test_trees_of_all_sizes_need_few_graphs() -> None:
    rng, staged = np.random.default_rng(0), ag.function(programs.total)
    for size in range(1, 108):
        tree = a_tree(rng, size)
        assert staged(tree) == programs.total(tree)
    shown = [text for text in staged.signatures() if "nodes" in text]
    assert shown == [f"(tree: Tree, Tree nodes: up to {rows})" for rows in (64, 128)]


@pytest.mark.parametrize("derivative", [ag.grad, ag.value_and_grad, ag.jacfwd])
def test_a_derivative_walks_over_the_tree_of_its_caller(derivative: Any) -> None:
    """It gives its function copies of the arguments, which are other objects."""

    def weighted(weight: Any, tree: Any) -> Any:
        if tree is None:
            return 0.0
        return weight * tree.value**2 + weight * weighted(weight, tree.left) + weighted(weight, tree.right)

    def slope(weight: Any, tree: Any) -> Any:
        return derivative(weighted)(weight, tree)

    rng, staged = np.random.default_rng(0), ag.function(slope)
    for size in (3, 5, 40):
        tree = a_tree(rng, size)
        np.testing.assert_allclose(staged(0.5, tree), slope(0.5, tree), rtol=1e-12)
    assert staged.signatures() == ["(weight: float, tree: Tree, Tree nodes: up to 64)"]


def test_tables_of_arrays_begin_smaller() -> None:
    def summed(vectors: Any) -> Any:
        total = 0.0
        while vectors is not None:
            total += np.sum(vectors.x)
            vectors = vectors.next
        return total

    staged = ag.function(summed)
    assert staged(linked_list(Vectors, [np.ones(4)] * 3)) == 12.0
    assert staged.signatures() == ["(vectors: Vectors, Vectors nodes: up to 16)"]


def test_a_tree_of_one_node_is_a_table_once_the_class_is_known() -> None:
    staged = ag.function(programs.total)
    staged(Tree(1.0, Tree(2.0)))
    assert staged(Tree(5.0)) == 5.0 and len(staged.signatures()) == 1


def test_what_is_not_walked_is_flattened() -> None:
    @ag.function
    def first(tree):
        return tree.value + tree.left.value

    assert first(Tree(1.0, Tree(2.0))) == 3.0
    assert first.signatures() == [
        "(tree.value: float, tree.left.value: float, tree.left.left: None, tree.left.right: None,"
        " tree.right: None)"
    ]


def test_a_chain_is_as_deep_as_memory_lets_it() -> None:
    chain = None
    for value in range(100_000):
        chain = Tree(float(value), None, chain)
    assert ag.function(programs.total)(chain) == sum(range(100_000))
    values = linked_list(Node, [1] * 100_000)

    @ag.function
    def length(node):
        count = 0
        while node is not None:
            count += 1
            node = node.next
        return count

    assert length(values) == 100_000


def test_a_ring_is_walked_by_a_loop_and_ends_a_recursion() -> None:
    ring = Node(1.0, Node(2.0, Node(4.0)))
    ring.next.next.next = ring
    assert ag.function(programs.around)(ring, np.int64(7)) == 15.0

    @ag.function
    def endless(node):
        return node.value + endless(node.next)

    with pytest.raises(RecursionError, match="maximum recursion depth exceeded"):
        endless(ring)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_arrays_in_nodes(dtype: Any) -> None:
    rows = list(np.arange(12, dtype=dtype).reshape(4, 3))
    for program, rest in ((programs.vectors, (np.ones(3, dtype),)), (programs.vector_norms, ())):
        for way in ways(program):
            got, want = way(linked_list(Vectors, rows), *rest), program(linked_list(Vectors, rows), *rest)
            assert got.dtype == want.dtype
            np.testing.assert_allclose(got, want, rtol=1e-6)


def test_the_nodes_of_several_arguments_are_in_one_table() -> None:
    staged = ag.function(programs.is_equal)
    left, right = Tree(1.0, Tree(2.0)), Tree(1.0, Tree(2.0))
    assert staged(left, right) is True and staged(left, left.left) is False
    assert staged.signatures() == ["(left: Tree, right: Tree, Tree nodes: up to 64)"]


def test_trees_in_containers_and_by_name() -> None:
    @ag.function
    def both(pair, *, more):
        return programs.total(pair[0]) - programs.total(pair[1]["other"]) + programs.total(more)

    tree = Tree(1.0, Tree(2.0), Tree(3.0))
    assert both((tree, {"other": tree.left}), more=tree.right) == 7.0


def test_methods_are_staged() -> None:
    class Sorted(Tree):
        @ag.function
        def holds(self, key):
            node = self
            while node is not None and node.value != key:
                node = node.left if key < node.value else node.right
            return node is not None

    tree = Sorted(4.0, Sorted(2.0), Sorted(6.0))
    assert [tree.holds(key) for key in (4.0, 2.0, 6.0, 5.0)] == [True, True, True, False]
    assert len(Sorted.holds.signatures()) == 1


def test_the_truth_of_a_node_is_what_its_class_says() -> None:
    class Positive(Node):
        def __bool__(self) -> bool:
            return self.value > 0

    @ag.function
    def run(node):
        found = 0
        while node:
            found += node.value
            node = node.next
        return found

    assert run(linked_list(Positive, [3, 2, 0, 5])) == 5
    assert run(linked_list(Positive, [3, 2, 1, 5])) == 11


def test_a_field_of_none_fails_as_in_python() -> None:
    @ag.function
    def far(node):
        if node.value > 9:
            return 0.0
        return node.next.next.value + far(node.next)

    assert far(linked_list(Node, [1.0, 2.0, 10.0, 11.0, 12.0])) == 21.0
    with pytest.raises(AttributeError, match="'NoneType' object has no attribute 'value'"):
        far(linked_list(Node, [1.0, 2.0, 10.0]))


def test_numbers_of_a_field_may_be_of_several_kinds() -> None:
    staged = ag.function(programs.linked)
    for values in ([1, 2], [1.5, 2.5], [1, 2.5], [np.int64(1), np.int64(2)], [True, False]):
        got, want = staged(linked_list(Node, values)), programs.linked(linked_list(Node, values))
        assert got == want and type(got) is type(want)


def test_nodes_of_other_kinds_are_unrolled_with_a_warning() -> None:
    staged = ag.function(programs.vector_norms)
    assert staged(Vectors(np.ones(4), Vectors(np.ones(9)))) == 5.0
    with pytest.warns(UserWarning, match="vector_norms is retraced for each shape of the trees") as caught:
        assert staged(Vectors(np.ones(4), Vectors(np.ones(9), Vectors(np.ones(16))))) == 9.0
    assert "the field `x` of `Vectors` is a float64 array of shape (4,)" in str(caught[0].message)
    assert caught[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert staged(Vectors(np.ones(4), Vectors(np.ones(16)))) == 6.0


def test_an_argument_that_is_written_shares_no_memory_with_a_node() -> None:
    @ag.function
    def add_to(start, node):
        while node is not None:
            start += node.x
            node = node.next
        return start

    first = np.ones(3)
    result = add_to(first, Vectors(np.ones(3), Vectors(np.ones(3))))
    assert result is first and first.tolist() == [3.0, 3.0, 3.0]
    with pytest.raises(ag.StagingError) as caught:
        add_to(first, Vectors(np.ones(3), Vectors(first)))
    assert caught.value.code == "AG124"


def test_nodes_that_change_between_calls_are_read_anew() -> None:
    staged, tree = ag.function(programs.total), Tree(1.0, Tree(2.0))
    assert staged(tree) == 3.0
    tree.left.value, tree.right = 5.0, Tree(10.0)
    assert staged(tree) == 16.0 and len(staged.signatures()) == 1


def staged_roses(rose):
    while rose.children:
        rose = rose.children[-1]
    return rose


def matched_list(rose):
    if staged_roses(rose).value > 1:
        return 0.0
    match rose.children:
        case [first, *_]:
            return first.value
    return 1.0


def class_of_a_name(expression):
    while expression.left is not None:
        expression = expression.left
    return isinstance(expression.operation, str)


def key_of_a_name(expression):
    while expression.left is not None:
        expression = expression.left
    return {"x": 1.0, "y": 2.0}[expression.operation]


@pytest.mark.parametrize(
    ("program", "code", "message"),
    [
        (class_of_a_name, "AG120", "`isinstance` of `expression.operation`"),
        (key_of_a_name, "AG120", "a dict cannot be indexed with a staged value"),
    ],
)
def test_what_a_name_does_not_say(program: Any, code: str, message: str) -> None:
    chain = Expression("+", left=Expression("x"))
    for _ in range(1100):  # Too many to be unrolled.
        chain = Expression("*", left=chain)
    with pytest.raises(ag.StagingError, match=message) as caught:
        ag.function(program)(chain)
    assert caught.value.code == code and caught.value.location is not None


def test_a_pattern_takes_lists_of_nodes_apart() -> None:
    rose = Rose(0.0, [Rose(0.5)])
    for _ in range(1100):
        rose = Rose(0.25, [rose])
    assert ag.function(matched_list)(rose) == matched_list(rose) == 0.25
    assert ag.function(matched_list)(Rose(0.5, [])) == 1.0


def test_new_strings_need_no_new_graph() -> None:
    staged = ag.function(programs.evaluated)
    x = Expression("x")
    assert staged(Expression("+", left=x, right=x), 2.5) == 5.0
    assert staged(Expression("times", left=x, right=Expression("variable")), 2.5) == 6.25
    assert len(staged.signatures()) == 1


def test_trees_of_many_shapes_are_tables_though_nobody_is_seen_to_walk_them() -> None:
    @ag.function
    def total(tree):
        return tree.value + total_of_properties(tree)

    def total_of_properties(tree):
        return tree.depth

    class Deep(Tree):
        @property
        def depth(self):
            return 1 if self.left is None else 1 + self.left.depth

    def chain(count: int) -> Any:
        return None if count == 0 else Deep(0.5, chain(count - 1))

    assert [total(chain(count)) for count in range(1, 13)] == [count + 0.5 for count in range(1, 13)]
    assert len(total.signatures()) == 5
    assert total.signatures()[-1] == "(tree: Deep, Deep nodes: up to 64)"


def test_a_test_in_a_property_is_staged_in_a_table() -> None:
    @ag.function
    def signs(tree):
        return tree.sign + (0 if tree.left is None else signs(tree.left))

    class Signed(Tree):
        @property
        def sign(self):
            if self.value > 0:
                return 1
            return -1

    assert signs(Signed(2.0, Signed(-1.0, Signed(3.0)))) == 1


def test_what_fails_in_both_ways_says_what_failed_first() -> None:
    @ag.function
    def multiplied(tree):
        return np.ones((2, 3)) @ np.ones((2, 3)) * tree.value

    with pytest.raises(ShapeError, match="matmul"):
        multiplied(Tree(1.0, Tree(2.0)))


def test_objects_that_are_compared_are_the_callers() -> None:
    @ag.function
    def has_twins(tree):
        return tree.left is tree.right

    shared = Tree(1.0)
    assert has_twins(Tree(1.0, shared, shared)) is True
    assert has_twins(Tree(1.0, Tree(2.0), shared)) is False

    default = Item(3)

    @ag.function
    def is_default(item, x):
        return x if item is default else x * item.count

    assert is_default(default, np.float64(2.0)) == 2.0
    assert is_default(Item(3), np.float64(2.0)) == 6.0
    assert len(is_default.signatures()) == 1


def test_equality_of_plain_objects_is_identity() -> None:
    end = Node(0)

    @ag.function
    def length(node):
        count = 0
        while node != end:
            count += 1
            node = node.next
        return count

    assert length(Node(1, Node(2, end))) == 2 and length(end) == 0


def test_what_all_nodes_share_is_watched() -> None:
    class Scaled(Node):
        def __init__(self, value: Any, options: Any, next: Any = None) -> None:
            super().__init__(value, next)
            self.options = options

    @ag.function
    def total(node):
        return 0.0 if node is None else node.value * node.options["scale"] + total(node.next)

    options = {"scale": 2.0}
    node = Scaled(1.0, options, Scaled(2.0, options))
    assert total(node) == 6.0
    options["scale"] = 10.0
    assert total(node) == 30.0


def test_the_page_for_users(tmp_path: Path) -> None:
    page = (Path(__file__).parent.parent / "docs" / "trees.md").read_text()
    code = page.split("```python\n")[1].split("```")[0]
    program = tmp_path / "page.py"
    program.write_text(code + "\nassert len(total.signatures()) == 1\n")
    runpy.run_path(str(program))


@dataclass
class Batch:
    tree: Tree
    scale: float


def test_objects_and_nodes_come_back_together() -> None:
    @ag.function
    def both(batch, spare):
        node = programs.leftmost(batch.tree)
        return batch, node, spare, node.value * batch.scale

    tree = Tree(1.0, Tree(2.0), Tree(3.0))
    batch, spare = Batch(tree, 2.0), Batch(tree.right, 3.0)
    for _ in range(2):
        found = both(batch, spare)
        assert found[0] is batch and found[1] is tree.left and found[2] is spare and found[3] == 4.0
    assert "nodes" in both.signatures()[-1]


def test_a_missing_list_fails_as_in_python() -> None:
    staged = ag.function(programs.rose_count)
    full = Rose(1.0, [Rose(2.0, []), Rose(3.0, [Rose(4.0, [])])])
    assert staged(full) == 4
    with pytest.raises(TypeError, match="'NoneType' object is not iterable"):
        staged(Rose(1.0, [Rose(2.0, None)]))


def test_a_tree_that_is_none_spoils_no_others() -> None:
    staged = ag.function(programs.total)
    assert staged(Tree(1.0, Tree(2.0))) == 3.0
    with pytest.raises((AttributeError, ag.StagingError)):
        staged(Tree(1.0, 5))  # type: ignore[arg-type]
    assert staged(Tree(1.0, Tree(2.0), Tree(3.0))) == 6.0
    # The call that raised is recorded too, for its like; the last one took the first one's graph.
    assert staged.signatures() == [
        "(tree: Tree, Tree nodes: up to 64)",
        "(tree.value: float, tree.left: 5, tree.right: None)",
    ]


def test_several_threads() -> None:
    staged, failures = ag.function(programs.total), []

    def run(count: int) -> None:
        chain = None
        for _ in range(count):
            chain = Tree(1.0, None, chain)
        failures.extend(got for _ in range(20) if (got := staged(chain)) != count)

    threads = [threading.Thread(target=run, args=(count,)) for count in (5, 20, 60, 200)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


def test_lists_of_nodes_come_back() -> None:
    @ag.function
    def path(tree, key):
        found, sides = [], []
        while tree is not None:
            found.append(tree)
            is_left = key < tree.value
            tree = tree.left if is_left else tree.right
            sides.append((is_left, tree))
        return found, sides

    tree = Tree(4.0, Tree(2.0, None, Tree(3.0)), Tree(6.0))
    for key in (3.5, 5.0):
        (got, got_sides), (want, want_sides) = path(tree, key), path.__wrapped__(tree, key)
        assert len(got) == len(want) and all(one is other for one, other in zip(got, want, strict=True))
        assert all(one[1] is other[1] for one, other in zip(got_sides, want_sides, strict=True))


def test_operators_of_the_class_are_staged() -> None:
    class Amount(Node):
        def __add__(self, other: Any) -> Any:
            return self.value + other

        def __radd__(self, other: Any) -> Any:
            return self.value + other

        def __lt__(self, other: Any) -> Any:
            return self.value < other.value

        def __eq__(self, other: Any) -> Any:
            if other.value > 3:
                return False
            return self.value == other.value

        def __getitem__(self, factor: Any) -> Any:
            return self.value * factor

    def run(node):
        found = 0.0
        while node.next is not None:
            found = found + (node + 1.0) + (2.0 + node) + node[3]
            if node < node.next:
                found = found + 100.0
            if node == node.next:
                found = found + 1000.0
            node = node.next
        return found

    staged, node = ag.function(run), linked_list(Amount, [1.0, 2.0, 2.0, 5.0])
    assert staged(node) == run(node)
    assert "nodes" in staged.signatures()[0]


def test_the_text_of_nodes_in_a_list_is_refused() -> None:
    @ag.function
    def shown(node):
        found = []
        while node is not None:
            found.append(node)
            node = node.next
        print(found)

    chain = linked_list(Node, [1.0] * 1100)
    with pytest.raises(ag.StagingError, match="the text of nodes in `found`"):
        shown(chain)


@pytest.mark.parametrize(
    "name",
    ["objects.columns", "objects.interned", "objects.nodes_of_call", "trace.given", "trace.record_classes"],
)
def test_examples_in_the_code(name: str) -> None:
    failures, tests = doctest.testmod(importlib.import_module(f"autograph._src.staging.{name}"))
    assert tests and not failures


@pytest.mark.parametrize("values", [[np.float32(0.5), 1.1], [2**60 + 1, 0.5], [2**70, 1], [True, 2]])
def test_numbers_that_no_column_holds_exactly_are_not_rounded(values: list[Any]) -> None:
    staged = ag.function(programs.linked)
    got, want = staged(linked_list(Node, values)), programs.linked(linked_list(Node, values))
    assert got == want and type(got) is type(want)
    assert "nodes" not in staged.signatures()[0]


@dataclass
class Fixed:
    """Has as a property what `Leaf` has as a field."""

    low: float
    high: float

    @property
    def value(self):
        return self.high - self.low


def test_a_field_of_one_class_and_a_property_of_another() -> None:
    @ag.function
    def total(node):
        if isinstance(node, Branch):
            return total(node.left) + total(node.right)
        return node.value

    tree = Branch(Branch(Leaf(1.0), Fixed(2.0, 5.0)), Leaf(10.0))  # type: ignore[arg-type]
    assert total(tree) == 14.0
    assert "nodes" in total.signatures()[-1]


def test_what_a_class_has_is_guarded() -> None:
    class Weighted(Tree):
        scale = 2.0

        def weight(self):
            return self.value * self.scale

    @ag.function
    def total(tree):
        return 0.0 if tree is None else tree.weight() + total(tree.left)

    tree = Weighted(1.0, Weighted(2.0))
    assert total(tree) == 6.0
    Weighted.scale = 10.0
    assert total(tree) == 30.0
    Weighted.weight = lambda self: self.value  # type: ignore[method-assign]
    assert total(tree) == 3.0
    assert total.retraces[-1] == "`weight` of the class `Weighted` changed"


def test_a_changed_copy_of_a_node_is_a_new_object() -> None:
    @ag.function
    def lifted(tree, key):
        while tree.left is not None and tree.value > key:
            tree = tree.left
        return dataclasses.replace(tree, value=tree.value + 1.0)

    tree = Tree(5.0, Tree(3.0, Tree(1.0), Tree(4.0)))
    made = lifted(tree, np.float64(3.5))
    assert made is not tree.left and made.value == 4.0
    assert made.left is tree.left.left and made.right is tree.left.right

    @ag.function
    def told(tree):
        return 0 if tree is None else len(dataclasses.fields(tree)) + told(tree.left)

    assert told(tree) == 9  # Unrolled: there it is a dataclass.
