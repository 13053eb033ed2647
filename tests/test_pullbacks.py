"""`ag.vjp` and `ag.linearize` outside of staged code: the function runs once, its derivative many times."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import autograph as ag
import numpy as np
import pytest
from autograph._src.trees import flatten
from autograph.errors import StagingError

WEIGHTS = np.array([0.5, -1.0, 2.0])


@dataclass
class Layer:
    weight: Any
    bias: Any


class Pair(NamedTuple):
    left: Any
    right: Any


def straight(x):
    return np.sin(x) * np.sum(x)


def several_arguments(x, y):
    return {"product": x * y, "sum": (np.sum(x), y)}


def captured(x):
    return x * WEIGHTS + x[0]


def doubled_until(x):
    while np.sum(x * x) < 100.0:
        x = x * 1.5 + np.cos(x)
    return x


def counted(x, y):
    total = y
    for step in range(7):
        total = total * np.tanh(x[step % 3]) + x[1]
    return total


def nested(x):
    total = 0.0
    for row in range(3):
        value = x[row]
        while value < 5.0:
            value = value * 1.7 + 0.3
            if value > 2.0:
                value = value + np.sin(value)
            else:
                value = value * value + 0.1
        total += value
    return total


def list_of_arrays(x):
    rows = []
    while np.sum(x) < 40.0:
        rows.append(x * x)
        x = x + 0.5 + np.exp(-x)
    total = np.zeros(3)
    while rows:
        total = total + np.sin(rows.pop()) * x
    return total


def positive_only(x):
    kept = x[x > 0.0]
    return kept * np.sum(kept)


def sizes_on_a_tape(x):
    total = 0.0
    for step in range(4):
        kept = x[x > 0.3 * step]
        total += np.sum(np.sin(kept) * kept)
    return total


def depth(x, n):
    if n <= 0.5:
        return np.sum(x)
    return np.sin(depth(x * 0.9, n - 1.0)) + np.sum(x * x)


def recursive(x, n):
    return depth(x, n)


def in_branches(x):
    if x > 1.0:
        y = x * x
    elif x > 0.0:
        y = np.exp(x)
    else:
        y = -x
    return y, x


def early_return(x):
    for step in range(10):
        if x > 3.0:
            return x * step
        x = x * 1.3
    return x


def of_objects(layer, pair):
    return Layer(layer.weight @ pair.left, [layer.bias * pair.right, None, "text", 3])


def itself(x):
    return x


def twice(x):
    return x, x


def of_nothing(x):
    return np.ones(2), 4


def views(x):
    return x.reshape(3, 1) * x, x[::-1].T


def written(x):
    y = np.zeros(5)
    y[1:4] = x
    y[2] = x[0] * x[1]
    return y


def solved(a, b):
    return np.linalg.solve(a, b)


@ag.custom_vjp
def clipped(x):
    return np.sin(x)


clipped.defvjp(lambda x: (np.sin(x), np.cos(x)), lambda cosine, dy: (np.clip(dy * cosine, -0.2, 0.2),))


def with_rule(x):
    return clipped(x) * x


@ag.custom_jvp
def tangent_rule(x):
    return np.sqrt(x)


@tangent_rule.defjvp
def tangent_of_root(primals, tangents):
    (x,), (dx,) = primals, tangents
    return np.sqrt(x), dx / (2.0 * np.sqrt(x))


def with_tangent_rule(x):
    total = 0.0
    for step in range(3):
        total = total + np.sum(tangent_rule(x * x + step))
    return total


def checkpointed(x):
    return ag.checkpoint(lambda y: np.sin(np.exp(np.cos(y))))(x) * x


def turned(z, x):
    for _ in range(3):
        z = z * np.exp(1j * x) + x
    return z, abs(z)


def spiral(z):
    while abs(z) < 20.0:
        z = z * z + 1.0
    return z


def in_half_precision(x):
    for _ in range(4):
        x = x * np.float32(1.1) + np.sin(x)
    return x


THREE = np.array([0.3, 1.2, -0.4])
PROGRAMS: list[tuple[Any, tuple[Any, ...]]] = [
    (straight, (THREE,)),
    (several_arguments, (THREE, 2.0)),
    (several_arguments, (np.float64(1.5), np.ones((2, 2)))),
    (captured, (THREE,)),
    (doubled_until, (THREE,)),
    (doubled_until, (np.full(3, 90.0),)),
    (counted, (THREE, 0.7)),
    (counted, (THREE, np.array([0.7, 0.1]))),
    (nested, (THREE,)),
    (nested, (np.full(3, 6.0),)),
    (list_of_arrays, (THREE,)),
    (list_of_arrays, (np.full(3, 20.0),)),
    (positive_only, (THREE,)),
    (positive_only, (-np.ones(2),)),
    (sizes_on_a_tape, (THREE,)),
    (recursive, (THREE, 4.0)),
    (recursive, (THREE, 0.0)),
    (in_branches, (1.5,)),
    (in_branches, (np.float64(0.5),)),
    (in_branches, (-2.0,)),
    (early_return, (1.1,)),
    (early_return, (0.1,)),
    (of_objects, (Layer(np.arange(6.0).reshape(2, 3), 0.5), Pair(THREE, np.float64(2.0)))),
    (itself, (THREE,)),
    (itself, ({"a": 1.0, "b": None},)),
    (twice, (THREE,)),
    (of_nothing, (THREE,)),
    (views, (THREE,)),
    (written, (THREE,)),
    (straight, (np.zeros(0),)),
    (solved, (np.array([[2.0, 1.0], [0.5, 3.0]]), np.array([1.0, -1.0]))),
    (with_tangent_rule, (THREE,)),
    (checkpointed, (THREE,)),
    (in_half_precision, (np.array([0.2, 0.5], np.float32),)),
    (in_half_precision, (np.float32(0.2),)),
    (turned, (0.5 + 1j, 0.3)),
    (turned, (np.array([1.0 + 0.5j, -0.2j]), np.array([0.3, 0.8]))),
    (turned, (np.complex128(0.5 - 1j), THREE)),
    (spiral, (0.5 + 1j,)),
    (spiral, (np.complex64(1.5 + 1j),)),
]
IDS = [f"{function.__name__}-{number}" for number, (function, _) in enumerate(PROGRAMS)]


def leaves_of(tree: object) -> list[Any]:
    leaves: list[Any] = []
    flatten(tree, leaves)
    return leaves


def random_like(tree: Any, seed: int, rows: tuple[int, ...] = ()) -> Any:
    """A tree of random floats like the floats of a tree, with `rows` more axes."""
    random = np.random.default_rng(seed)
    leaves: list[Any] = []
    _, rebuild = flatten(tree, leaves)

    def like(leaf: Any) -> Any:
        if type(leaf) in (float, complex):
            drawn = random.normal(size=rows) + (
                1j * random.normal(size=rows) if type(leaf) is complex else 0.0
            )
            return drawn if rows else type(leaf)(drawn)
        if not isinstance(leaf, (np.generic, np.ndarray)) or leaf.dtype.kind not in "fc":
            return None
        drawn = random.normal(size=(*rows, *leaf.shape))
        if leaf.dtype.kind == "c":
            drawn = drawn + 1j * random.normal(size=(*rows, *leaf.shape))
        drawn = drawn.astype(leaf.dtype)
        return drawn[()] if isinstance(leaf, np.generic) and not rows else drawn

    return rebuild([like(leaf) for leaf in leaves])


def assert_same(found: object, expected: object) -> None:
    for one, other in zip(leaves_of(found), leaves_of(expected), strict=True):
        assert type(one) is type(other)
        if isinstance(one, str):
            assert one == other
        elif one is not None:
            assert np.asarray(one).dtype == np.asarray(other).dtype
            np.testing.assert_allclose(
                one, other, rtol=1e-5 if np.float32 == np.asarray(one).dtype else 1e-11
            )


def staged_pull(function: Any, primals: tuple[Any, ...]) -> Any:
    """The pullback inside of one staged function, which is another way to the same numbers."""
    return ag.function(lambda primals, given: ag.vjp(function, *primals)[1](given))


@pytest.mark.parametrize(("function", "primals"), [*PROGRAMS, (with_rule, (THREE,))], ids=[*IDS, "with_rule"])
def test_a_pullback_gives_what_one_graph_gives(function: Any, primals: tuple[Any, ...]) -> None:
    value, pull = ag.vjp(function, *primals)
    assert_same(value, ag.function(function)(*primals))
    expected = staged_pull(function, primals)
    for seed in range(3):
        cotangents = random_like(value, seed)
        assert_same(pull(cotangents), expected(primals, cotangents))


@pytest.mark.parametrize(("function", "primals"), PROGRAMS, ids=IDS)
def test_a_pushforward_gives_what_jvp_gives(function: Any, primals: tuple[Any, ...]) -> None:
    value, push = ag.linearize(function, *primals)
    assert_same(value, ag.function(function)(*primals))
    for seed in range(3):
        tangents = random_like(primals, seed)
        assert_same(push(*tangents), ag.jvp(function, primals, tangents)[1])


@pytest.mark.parametrize(("function", "primals"), PROGRAMS, ids=IDS)
def test_derivatives_in_a_trace_are_those_outside(function: Any, primals: tuple[Any, ...]) -> None:
    value, pull = ag.vjp(function, *primals)
    cotangents = random_like(value, 1)
    assert_same(ag.function(pull)(cotangents), pull(cotangents))
    _, push = ag.linearize(function, *primals)
    tangents = random_like(primals, 2)
    assert_same(ag.function(push)(*tangents), push(*tangents))


def row_of(tree: Any, row: int) -> Any:
    leaves: list[Any] = []
    _, rebuild = flatten(tree, leaves)
    return rebuild([None if leaf is None else leaf[row] for leaf in leaves])


# `ag.vmap` is over rows of real arrays.
REAL = [one for one in PROGRAMS if one[0] not in (turned, spiral)]


@pytest.mark.parametrize(("function", "primals"), REAL, ids=IDS[: len(REAL)])
def test_rows_of_cotangents(function: Any, primals: tuple[Any, ...]) -> None:
    value, pull = ag.vjp(function, *primals)
    rows = random_like(value, 3, (2,))
    if any(leaf is not None for leaf in leaves_of(rows)):
        found = ag.vmap(pull)(rows)
        for row in range(2):
            for one, other in zip(leaves_of(found), leaves_of(pull(row_of(rows, row))), strict=True):
                if one is not None:
                    np.testing.assert_allclose(one[row], other, rtol=1e-5, atol=1e-12)
    _, push = ag.linearize(function, *primals)
    rows = random_like(primals, 4, (2,))
    found = ag.vmap(push)(*rows)
    for row in range(2):
        for one, other in zip(leaves_of(found), leaves_of(push(*row_of(rows, row))), strict=True):
            if one is not None:
                np.testing.assert_allclose(one[row], other, rtol=1e-5, atol=1e-12)


@pytest.mark.parametrize(("function", "primals"), PROGRAMS, ids=IDS)
def test_the_interpreter_and_the_engine_agree(function: Any, primals: tuple[Any, ...]) -> None:
    value, pull = ag.vjp(function, *primals)
    program, residuals = pull._backward.program, pull._residuals
    cotangents = [leaf for leaf in leaves_of(random_like(value, 5)) if leaf is not None]
    parts = [
        part for one in cotangents for part in ((one.real, one.imag) if np.iscomplexobj(one) else (one,))
    ]
    inputs = [np.ascontiguousarray(one) for one in (*residuals, *parts)]
    show = pull._backward.origin.host.show
    for one, other in zip(program.run(inputs), program.graph.interpret(inputs, show), strict=True):
        np.testing.assert_allclose(one, np.asarray(other).reshape(np.shape(one)), rtol=1e-5)


def test_derivatives_of_pullbacks() -> None:
    """A pullback is linear: the gradient of `sum(pull(dy) ** 2)` is `2 J J' dy`."""
    for function, primals in [(straight, (THREE,)), (doubled_until, (THREE,)), (list_of_arrays, (THREE,))]:
        value, pull = ag.vjp(function, *primals)
        jacobian = ag.jacrev(function)(*primals)
        cotangent = random_like(value, 6)
        found = ag.grad(lambda dy, pull=pull: np.sum(pull(dy)[0] ** 2))(cotangent)
        np.testing.assert_allclose(found, 2.0 * jacobian @ jacobian.T @ cotangent)
        direction = random_like(value, 7)
        _, tangent = ag.jvp(pull, (cotangent,), (direction,))
        np.testing.assert_allclose(tangent[0], pull(direction)[0])


def test_the_function_runs_once(capsys: pytest.CaptureFixture[str]) -> None:
    calls = ag.Variable(0.0)

    def noisy(x):
        calls.assign_add(1.0)
        print("runs")
        return x * np.sin(x)

    for transformation in (ag.vjp, ag.linearize):
        calls.assign(0.0)
        _, derivative = transformation(noisy, THREE)
        for _ in range(5):
            derivative(np.ones(3))
        assert calls.value == 1.0
        assert capsys.readouterr().out == "runs\n"


def test_random_draws_of_the_value_are_those_of_the_derivative() -> None:
    generator = np.random.default_rng(3)

    def noisy(x):
        return x * generator.normal(size=3)

    value, pull = ag.vjp(noisy, np.ones(3))
    np.testing.assert_array_equal(pull(np.ones(3))[0], value)
    np.testing.assert_array_equal(pull(np.ones(3))[0], value)
    value, push = ag.linearize(noisy, np.ones(3))
    np.testing.assert_array_equal(push(np.ones(3)), value)


def test_later_changes_do_not_matter() -> None:
    weights = np.array([1.0, 2.0, 3.0])
    scale = ag.Variable(2.0)

    def scaled(x):
        y = x * weights * scale.value
        return y, np.exp(y)

    x = np.ones(3)
    (y, z), pull = ag.vjp(scaled, x)
    expected = pull((np.ones(3), np.ones(3)))[0]
    x[:] = 7.0
    y[:] = 7.0
    z[:] = 7.0
    weights[:] = 7.0
    scale.assign(7.0)
    np.testing.assert_array_equal(pull((np.ones(3), np.ones(3)))[0], expected)


def test_results_do_not_share_memory() -> None:
    x = np.ones(3)
    value, pull = ag.vjp(twice, x)
    given = np.ones(3)
    found = pull((given, given))[0]
    for one in (*value, found):
        assert not np.shares_memory(one, x)
        assert not np.shares_memory(one, given)
    first, push = ag.linearize(itself, x)
    tangent = push(given)
    assert not np.shares_memory(first, x)
    assert not np.shares_memory(tangent, given)


def test_an_auxiliary_value() -> None:
    def with_aux(x):
        return x * x, {"norm": np.sum(x), "name": "x"}

    value, pull, aux = ag.vjp(with_aux, THREE, has_aux=True)
    np.testing.assert_array_equal(value, THREE * THREE)
    np.testing.assert_allclose(pull(np.ones(3))[0], 2.0 * THREE)
    assert aux == {"norm": np.sum(THREE), "name": "x"}
    _, push, aux = ag.linearize(with_aux, THREE, has_aux=True)
    np.testing.assert_allclose(push(np.ones(3)), 2.0 * THREE)
    assert aux["name"] == "x"


def test_other_numbers_of_iterations_run_the_same_graphs() -> None:
    def steps(x, end):
        while np.sum(x) < end:
            x = x * 1.3 + 0.1
        return x

    forward = [ag.vjp(steps, THREE, end)[1] for end in (2.0, 50.0, 1e6)]
    assert len({id(pull._backward) for pull in forward}) == 1


def test_a_failure_in_the_backward_pass_has_its_place() -> None:
    @ag.custom_vjp
    def checked(x):
        return x * 2.0

    def backward(_, dy):
        return (dy[np.argmax(dy) + 3] * dy,)

    checked.defvjp(lambda x: (x * 2.0, None), backward)
    _, pull = ag.vjp(checked, THREE)
    with pytest.raises(IndexError, match="out of bounds") as raised:
        pull(np.ones(3))
    assert raised.traceback[-1].name == "backward"


def test_a_rule_for_reverse_mode_has_no_linear_function() -> None:
    with pytest.raises(StagingError, match="forward mode through a function of ag"):
        ag.linearize(with_rule, THREE)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (np.ones(2), "the cotangent of `value` given to vjp is float64 array of shape (2,), and the value"
         " float64 array of shape (3,)"),
        (np.ones(3, np.float32), "the cotangent of `value` given to vjp is float32 array of shape (3,), and"
         " the value float64 array of shape (3,)"),
        (1.0, "the cotangent of `value` given to vjp is float64 array of shape (), and the value float64"
         " array of shape (3,)"),
        ("text", "the cotangent of `value` given to vjp is a str, not a float"),
        ([1.0, 2.0, 3.0], "the cotangent of `value` given to vjp is a list, not a float"),
        (np.ones(3) * 1j, "the cotangent of `value` given to vjp is a complex value, not a float"),
    ],
)  # fmt: skip
def test_cotangents_that_do_not_fit(given: object, message: str) -> None:
    _, pull = ag.vjp(straight, THREE)
    for call in (pull, ag.function(pull)) if not isinstance(given, (str, list, float)) else (pull,):
        with pytest.raises(StagingError) as raised:
            call(given)
        assert raised.value.code == "AG144"
    with pytest.raises(StagingError) as raised:
        pull(given)
    if type(given) is not float:
        assert message in str(raised.value)


def test_an_open_size_has_to_be_that_of_the_value() -> None:
    value, pull = ag.vjp(positive_only, THREE)
    assert value.shape == (2,)
    for wrong in (1, 3):
        with pytest.raises(StagingError, match=rf"shape \({wrong},\), and the value .* shape \(2,\)"):
            pull(np.ones(wrong))


def test_as_many_tangents_as_primals() -> None:
    _, push = ag.linearize(several_arguments, THREE, 2.0)
    with pytest.raises(StagingError, match="linearize has 2 primals, and its function got 1"):
        push(THREE)


def test_a_second_run_that_would_give_other_values_is_refused() -> None:
    generator = np.random.default_rng(3)
    count = ag.Variable(0.0)

    def grown(x, effect):
        values = []
        while x < 10.0:
            if effect == "draws":
                x = x + generator.random()
            elif effect == "assigns":
                count.assign_add(1.0)
            x = x * 1.5
            values.append(x)
        return values

    message = "would draw random numbers or assign variables a second time"
    for effect in ("draws", "assigns"):
        for transformation in (ag.vjp, ag.linearize):
            with pytest.raises(StagingError, match=message) as raised:
                transformation(lambda x, effect=effect: grown(x, effect), 2.0)
            assert raised.value.code == "AG142"
    value, pull = ag.vjp(lambda x: grown(x, None), 2.0)
    assert value == [3.0, 4.5, 6.75, 10.125]
    assert pull([1.0, 0.0, 0.0, 1.0]) == (1.5 + 1.5**4,)
