"""The helpers that generated code of Tangent calls: forms, containers, seeds, and that they stand alone."""

from __future__ import annotations

import ast
import builtins
import collections
import importlib.util
import inspect
from types import ModuleType
from typing import Any

import autograph as ag
import numpy as np
import pytest
from autograph._src.tangent import runtime as tangent
from autograph._src.tangent.guard_errors import IN_A_FILE
from tangent_helper_cases import HELPERS, WRITES
from tangent_rules import Call, is_active, leaves, unwrapped

Pair = collections.namedtuple("Pair", "x y")


def same(found: Any, wanted: Any) -> None:
    assert type(found) is type(wanted), (found, wanted)
    if isinstance(wanted, (list, tuple)):
        assert len(found) == len(wanted)
        for one, other in zip(found, wanted, strict=True):
            same(one, other)
    elif isinstance(wanted, dict):
        assert list(found) == list(wanted)
        for key in wanted:
            same(found[key], wanted[key])
    elif isinstance(wanted, (np.ndarray, np.generic)):
        assert found.dtype == wanted.dtype and found.shape == wanted.shape
        np.testing.assert_array_equal(found, wanted)
    else:
        assert found == wanted


SINGLE = np.float32

UNBROADCAST: list[tuple[Any, Any, Any]] = [
    (np.ones((2, 3)), np.zeros(3), np.full(3, 2.0)),
    (np.ones((2, 3)), np.zeros((2, 1)), np.full((2, 1), 3.0)),
    (np.ones((4, 2, 3)), np.zeros((1, 3)), np.full((1, 3), 8.0)),
    (np.ones((2, 3)), 0.5, 6.0),
    (np.ones((2, 3)), 2, 6.0),
    (np.ones(3), np.float64(0.5), np.float64(3.0)),
    (np.ones(3), SINGLE(0.5), SINGLE(3.0)),
    (np.ones(3), np.array(0.5), np.array(3.0)),
    (np.ones(3), np.zeros(3, SINGLE), np.ones(3, SINGLE)),
    (np.ones(3), np.zeros(3, int), np.ones(3)),
    (np.ones(3) + 1j, np.zeros(3), np.ones(3)),
    (np.ones(3) + 1j, np.zeros(1, complex), np.array([3 + 3j])),
    (np.ones((2, 2)), [0.5, 1.5], [2.0, 2.0]),
    (np.ones((2, 2)), (0.5, 1.5), [2.0, 2.0]),
    (np.ones((2, 2)), [np.zeros(2), np.zeros(2)], [np.ones(2), np.ones(2)]),
    (0.5, np.zeros(2), np.full(2, 0.5)),
    (np.float64(0.5), 1.5, 0.5),
    (np.ones((0, 3)), np.zeros(3), np.zeros(3)),
    (1 + 2j, 0.5, 1.0),
    (1.0, 1j, 1 + 0j),
]


@pytest.mark.parametrize(("bx", "x", "wanted"), UNBROADCAST)
def test_unbroadcast(bx: Any, x: Any, wanted: Any) -> None:
    same(tangent.unbroadcast(bx, x), wanted)


def test_the_sum_of_lists_is_not_taken_for_one_of_arrays() -> None:
    with pytest.raises(TypeError, match="no rule of `\\+` and `\\*` of lists"):
        tangent.unbroadcast([1.0, 2.0, 3.0], [0.5])


def test_what_needs_no_sum_is_given_back() -> None:
    bx = np.ones((2, 3))
    assert tangent.unbroadcast(bx, np.zeros((2, 3))) is bx
    assert tangent.broadcast(bx, np.zeros((2, 3))) is bx
    assert tangent.as_gradient(bx, np.zeros((2, 3))) is bx


@pytest.mark.parametrize(
    ("dx", "z", "wanted"),
    [
        (np.ones(3), np.zeros((2, 3)), np.ones((2, 3))),
        (0.5, np.zeros(2, SINGLE), np.full(2, 0.5, SINGLE)),
        (0.5, 1.5, 0.5),
        (np.float64(0.5), 1.5, 0.5),
        (np.array([0.5, 1.5]), [1.0, 2.0], [0.5, 1.5]),
        (np.array(0.5), np.float64(1.0), np.float64(0.5)),
    ],
)
def test_broadcast(dx: Any, z: Any, wanted: Any) -> None:
    same(tangent.broadcast(dx, z), wanted)


@pytest.mark.parametrize(
    ("by", "shape", "axis", "keepdims"),
    [
        (2.0, (2, 3), None, False),
        (np.full((1, 1), 2.0), (2, 3), None, True),
        (np.array([1.0, 2.0, 3.0]), (2, 3), 0, False),
        (np.array([[1.0], [2.0]]), (2, 3), -1, True),
        (np.array([1.0, 2.0]), (3, 2, 4), (0, -1), False),
        (np.zeros(0), (0, 3), 1, False),
    ],
)
def test_unreduce(by: Any, shape: tuple[int, ...], axis: Any, keepdims: bool) -> None:
    found = tangent.unreduce(by, np.zeros(shape), axis, keepdims)
    assert found.shape == shape and found.flags.writeable
    direction = np.arange(float(found.size)).reshape(shape)
    assert np.sum(found * direction) == np.sum(by * np.sum(direction, axis=axis, keepdims=keepdims))


def test_unreduce_keeps_single_precision_and_gives_floats_for_integers() -> None:
    assert tangent.unreduce(1.0, np.zeros(2, SINGLE)).dtype == SINGLE
    assert tangent.unreduce(0.5, np.zeros(2, int)).tolist() == [0.5, 0.5]
    assert tangent.unreduce(0.5, [1, 2]).tolist() == [0.5, 0.5]


@pytest.mark.parametrize(
    ("x", "wanted"),
    [
        (1.5, 0.0),
        (3, 0.0),
        (True, 0.0),
        (1j, 0j),
        (np.float64(2), np.float64(0)),
        (SINGLE(2), SINGLE(0)),
        (np.ones(2, SINGLE), np.zeros(2, SINGLE)),
        (np.ones(2, int), np.zeros(2)),
        (np.ones(2, bool), np.zeros(2)),
        ([1.5, (2.5, np.ones(2))], [0.0, [0.0, np.zeros(2)]]),
        ({"a": 1.5, "b": [2.5]}, {"a": 0.0, "b": [0.0]}),
        ("text", None),
        (None, None),
    ],
)
def test_zeros_like(x: Any, wanted: Any) -> None:
    same(tangent.zeros_like(x), wanted)


def test_add_grad_changes_neither() -> None:
    array, items = np.ones(2), [np.ones(2), 1.0]
    same(tangent.add_grad(array, array), np.full(2, 2.0))
    same(tangent.add_grad(items, items), [np.full(2, 2.0), 2.0])
    same(tangent.add_grad({"a": 1.0}, {"a": 2.0, "b": 3.0}), {"a": 3.0, "b": 3.0})
    same(tangent.add_grad(None, 1.0), 1.0)
    same(tangent.add_grad([None, 1.0], [None, 1.0]), [None, 2.0])
    same(array, np.ones(2))
    same(items, [np.ones(2), 1.0])
    with pytest.raises(TypeError, match="of a list of 2 items is added to that of one of 1"):
        tangent.add_grad([1.0, 2.0], [1.0])


@pytest.mark.parametrize(
    "index",
    [
        *(0, -1, slice(1, 3), slice(None, None, 2), (1, 2), (slice(None), 1), ..., (..., 0), np.int64(1)),
        *([0, 0, 2], np.array([1, 1, -1]), (np.array([0, 0]), np.array([1, 1])), (slice(None), [0, 0])),
        *(np.array([True, False, True]), (np.array([True, False, True]), 1), (np.array([0, 0]), slice(1, 3))),
    ],
)
def test_add_at_is_the_adjoint_of_an_index(index: Any) -> None:
    draws = np.random.default_rng(1)
    x = draws.normal(size=(3, 4))
    by = draws.normal(size=np.shape(x[index]))
    bx = np.ones((3, 4))
    tangent.add_at(bx, index, by)
    assert np.sum((bx - 1) * x) == pytest.approx(np.sum(by * x[index]), rel=1e-12)


def test_add_at_of_containers() -> None:
    bx: Any = [0.0, 1.0, 2.0]
    tangent.add_at(bx, 1, 0.5)
    tangent.add_at(bx, slice(0, 3, 2), [1.0, 1.0])
    same(bx, [1.0, 1.5, 3.0])
    by = {"a": 1.0}
    tangent.add_at(by, "a", 0.5)
    tangent.add_at(by, "b", 2.0)
    same(by, {"a": 1.5, "b": 2.0})


def test_copy_is_deep_in_containers() -> None:
    x = {"a": [np.ones(2), 1.0], "b": Pair(np.ones(1), 2.0)}
    copied = tangent.copy(x)
    same(copied, x)
    assert copied["a"] is not x["a"] and copied["a"][0] is not x["a"][0] and copied["b"].x is not x["b"].x
    ordered = collections.OrderedDict(a=1.0)
    assert type(tangent.copy(ordered)) is collections.OrderedDict


ARGUMENTS: list[Any] = [
    *(
        2.0,
        np.float64(2.0),
        SINGLE(2.0),
        np.array(2.0),
        np.array(2.0, SINGLE),
        np.ones(3),
        np.ones(3, SINGLE),
    ),
    *((2.0, SINGLE(3.0)), [2.0, np.ones(2)], Pair(2.0, np.ones(2)), {"a": 2.0, "b": np.ones(2)}),
    *(collections.OrderedDict(b=2.0, a=1.0), (2.0, None), [(1.0, [2.0])]),
]


def squares(tree: Any) -> Any:
    if isinstance(tree, (list, tuple)):
        total = 0.0
        for one in tree:
            total = total + squares(one)
        return total
    if isinstance(tree, dict):
        total = 0.0
        for one in tree.values():
            total = total + squares(one)
        return total
    return 0.0 if tree is None else np.sum(tree * tree)


def twice(tree: Any) -> Any:
    """The gradient of `squares`, as lists."""
    if isinstance(tree, (list, tuple)):
        return [twice(one) for one in tree]
    if isinstance(tree, dict):
        return {key: twice(one) for key, one in tree.items()}
    return None if tree is None else np.asarray(2.0 * tree, float)


@pytest.mark.parametrize("x", ARGUMENTS, ids=repr)
def test_as_gradient_gives_what_grad_gives(x: Any) -> None:
    same(tangent.as_gradient(twice(x), x), ag.grad(squares)(x))


def test_as_gradient_of_what_has_none() -> None:
    same(tangent.as_gradient(None, np.ones(2)), np.zeros(2))
    same(tangent.as_gradient(None, 2), 0.0)
    same(tangent.as_gradient(1.0, 2), 1.0)
    same(tangent.as_gradient(None, "text"), None)


@pytest.mark.parametrize(
    ("by", "y", "words"),
    [
        (np.ones(3), np.ones(2), r"the seed has shape \(3,\) where the result has shape \(2,\)"),
        (1.0, np.ones(2), r"the seed has shape \(\) where the result has shape \(2,\)"),
        (np.ones(1), 2.0, r"the seed has shape \(1,\) where the result has shape \(\)"),
        (1.0, (1.0, 2.0), "the seed of a result of 2 items has as many items"),
        ([1.0], (1.0, 2.0), "the seed of a result of 2 items has as many items"),
        ([1.0, np.ones(2)], (1.0, 2.0), r"the seed has shape \(2,\)"),
        ({"b": 1.0}, {"a": 1.0}, "the seed of a dict has its keys"),
        (1.0, "text", "which has no derivative, is `None`"),
    ],
)
def test_seeds_that_do_not_fit(by: Any, y: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        tangent.check_seed(by, y)


def test_seeds_that_fit() -> None:
    y = (1.0, np.ones(2), {"a": [np.float64(1)]}, None, "text")
    tangent.check_seed([np.float64(1), np.ones(2), {"a": [2.0]}, None, None], y)
    tangent.check_seed(1.0, 2.0)
    tangent.check_seed(1.0, np.float64(2.0))


ERRORS = {one.__name__ for one in IN_A_FILE}


@pytest.mark.parametrize("name", tangent.__all__)
def test_helpers_stand_alone(name: str) -> None:
    """A helper uses NumPy, `math`, builtins and helpers, says what it does, and fits a screen."""
    helper = getattr(tangent, name)
    source = inspect.getsource(helper)
    function = ast.parse(source).body[0]
    assert isinstance(function, ast.FunctionDef) and function.name == name
    assert ast.get_docstring(function) and len(source.splitlines()) <= 50
    assert function.returns is None and not function.decorator_list
    stored = {
        one.id for one in ast.walk(function) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)
    }
    stored |= {one.arg for one in ast.walk(function) if isinstance(one, ast.arg)}
    for one in ast.walk(function):
        if isinstance(one, ast.Name) and one.id not in stored:
            assert one.id in {"np", "math", *tangent.__all__, *ERRORS, *vars(builtins)}, one.id


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    """The helpers in one file that needs NumPy and nothing else."""
    file = tmp_path_factory.mktemp("alone") / "helpers_alone.py"
    sources = [inspect.getsource(getattr(tangent, name)) for name in tangent.__all__]
    for error, plain in IN_A_FILE.items():
        sources += [inspect.getsource(plain), f"{error.__name__} = {plain.__name__}"]
    file.write_text("import math\n\nimport numpy as np\n\n\n" + "\n\n".join(sources))
    spec = importlib.util.spec_from_file_location("helpers_alone", file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


REFUSED_WHEN_STAGED = {"own": "AG107", "untake": "AG108", "untake_along": "AG108"}
"""What `np.add.at` makes: its indices are not supported for staged values."""


@pytest.mark.parametrize("call", [*HELPERS, *WRITES], ids=lambda call: call.function.__name__)
def test_helpers_in_a_file_of_their_own_stage(alone: ModuleType, call: Call) -> None:
    """What generated code calls is in the input language: `ag.function` gives the same of it."""
    helper = getattr(alone, call.function.__name__)
    args, options = unwrapped(call.args), {name: unwrapped(one) for name, one in call.options.items()}
    places = [place for place, one in enumerate(call.args) if is_active(one)]

    def of_actives(*given: Any) -> Any:
        others = list(args)
        for place, value in zip(places, given, strict=True):
            others[place] = value
        return helper(*others, **options)

    wanted = call.function(*args, **options)
    actives = [args[place] for place in places]
    same(of_actives(*actives), wanted)
    try:
        found = ag.function(of_actives)(*actives)
    except ag.AutographError as error:
        assert error.code == REFUSED_WHEN_STAGED.get(call.function.__name__), error
        return
    for one, right in zip(leaves(found), leaves(wanted), strict=True):
        np.testing.assert_allclose(one, right, rtol=1e-12)


def test_a_helper_that_stands_in_no_rule_is_called_by_one_that_does() -> None:
    """Nothing is shipped that no generated code can call."""
    import autograph._src.tangent.rules as rules

    text = "".join(inspect.getsource(getattr(rules, family)) for family in rules.__all__)
    text += "".join(inspect.getsource(getattr(tangent, name)).partition("\n")[2] for name in tangent.__all__)
    of_the_generator = {
        *(
            "add_at",
            "add_item",
            "insertion_places",
            "last_key",
            "place_of",
            "largest_place",
            "require_dict",
            "require_item",
            "reversed_places",
            "smallest_place",
            "sorted_places",
            "is_attribute",
            "is_held",
            "is_mapping",
            "is_sequence",
            "is_still",
            "is_view",
            "require_array",
            "check_seed",
            "directions",
            "require_number",
            "require_sequence",
            "require_same_lengths",
            "require_apart",
            "require_class",
            "require_told",
            "evaluated",
        ),
        *("own", "own_array", "own_copy", "require_own_result", "require_separate"),
        *("require_only_name", "require_no_common", "require_no_common_object", "require_apart_again"),
        *("copy_containers", "own_containers", "storable", "stored", "taken_at", "zeros_at", "untold_at"),
        *("caught", "caught_plain", "require_rebound", "tried_items"),
        *("require_list", "require_storable", "tried_item", "tried_store", "tried_in_place"),
        *("require_repeatable", "segments", "require_arguments", "require_items"),
    }
    assert {name for name in tangent.__all__ if f"{name}(" not in text} <= of_the_generator
