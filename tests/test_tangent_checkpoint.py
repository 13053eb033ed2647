"""Checkpoints: the same gradients to the bit, the same effects, less memory."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tangent_repeated as cases
from autograph import tangent
from autograph.errors import ConversionError
from tangent_case import Program
from tangent_checkpointed import with_callees, with_loops
from tangent_checks import call, is_close, is_guard, is_located, is_same
from tangent_programs import PROGRAMS, REFUSED
from tangent_random import Maker, module_of, text_of

LOOPS = [
    (one, made)
    for one in PROGRAMS
    if one.name not in REFUSED and (made := with_loops(getattr(one.function, "__original__", one.function)))
]
CALLEES = [(one, made) for one in PROGRAMS if one.name not in REFUSED and (made := with_callees(one))]

REFUSED_LOOPS = {
    "truncated": "AG021",
    "runge_kutta_of_a_system": "AG021",
    # The two names are one array where a segment begins.
    "row_of_either_beside_continue": "TypeError",
}
REFUSED_CALLEES: dict[str, str] = {}


def compare(program: Program, made: Callable[..., Any], refused: dict[str, str]) -> None:
    code = refused.get(program.name)
    if code == "TypeError":
        made = tangent.grad(made, program.wrt)
        assert any(is_guard(call(made, args).error) for args in program.inputs)
        return
    if code is not None:
        with pytest.raises(ConversionError) as found:
            tangent.grad(made, program.wrt)
        assert found.value.code == code
        assert is_located(found.value)
        return
    for make in (tangent.vjp, lambda f, wrt: tangent.autodiff(f, wrt, motion="split", optimized=False)):
        wanted, derivative = make(program.function, program.wrt), make(made, program.wrt)
        for args in program.inputs:
            plain = call(tangent.tangent(program.function), args)
            seed = np.ones(np.shape(plain.result)) if np.ndim(plain.result) else 1.0
            one, other = call(wanted, (*args, seed)), call(derivative, (*args, seed))
            assert type(other.error) is type(one.error), (args, other.error)
            assert is_same(other.result, one.result), (args, tangent.to_source(derivative))
            assert (other.printed, other.logged) == (one.printed, one.logged)
            assert is_same(other.arguments[: len(args)], one.arguments[: len(args)])


@pytest.mark.parametrize(("program", "made"), LOOPS, ids=lambda one: getattr(one, "name", ""))
def test_loops(program: Program, made: Any) -> None:
    compare(program, made, REFUSED_LOOPS)


@pytest.mark.parametrize(("program", "made"), CALLEES, ids=lambda one: getattr(one, "name", ""))
def test_callees(program: Program, made: Any) -> None:
    compare(program, made, REFUSED_CALLEES)


X = np.linspace(0.1, 1.0, 6)
W = np.cos(np.arange(36.0)).reshape(6, 6) / 6
ITEMS = np.array([0.53, -0.81, 1.13])
PAIRS = [
    (cases.states, cases.states_kept, [(X, n) for n in (0, 1, 2, 9, 17)]),
    (cases.nested, cases.nested_kept, [(X, n) for n in (0, 1, 4, 8)]),
    (cases.left_early, cases.left_early_kept, [(X, 30), (X, 9), (X, 3), (X, 0)]),
    (cases.first_bound_inside, cases.first_bound_inside_kept, [(X, 1), (X, 2), (X, 5)]),
    (cases.written, cases.written_kept, [(X, 1), (X, 4), (X, 7)]),
    (cases.layers, cases.layers_kept, [(W, X)]),
    (cases.powers, cases.powers_kept, [(X, 0), (X, 3)]),
    (cases.pops, cases.pops_kept, [(0.7, [0.5, 2.0, 3.0])]),
    (cases.two_names, cases.two_names_kept, [(X, n) for n in (0, 1, 4, 9)]),
]


@pytest.mark.parametrize(("made", "kept", "inputs"), PAIRS, ids=lambda one: getattr(one, "__name__", ""))
def test_gradients_are_equal_to_the_bit(made: Any, kept: Any, inputs: list[Any]) -> None:
    """Joint and split, tidied up or not, standing alone; the value and what it prints too."""
    for args in inputs:
        plain, other = call(kept, args), call(made, args)
        assert is_same(other.result, plain.result)
        assert (other.printed, other.logged) == (plain.printed, plain.logged)
        for options in (
            {},
            {"motion": "split"},
            {"optimized": False},
            {"motion": "split", "optimized": False},
        ):
            wanted = call(tangent.autodiff(kept, **options), args)
            found = call(tangent.autodiff(made, **options), args)
            assert found.error is None
            assert is_same(found.result, wanted.result), options
            assert (found.printed, found.logged) == (plain.printed, plain.logged)
    variables: dict[str, Any] = {"LOG": []}
    derivative = tangent.grad(made)
    if made is not cases.left_early:
        exec(compile(tangent.to_source(derivative, standalone=True), "alone.py", "exec"), variables)
        wanted = call(derivative, inputs[-1])
        assert is_same(call(variables[derivative.__name__], inputs[-1]).result, wanted.result)


@pytest.mark.parametrize(
    ("made", "kept"), [(cases.states, cases.states_kept), (cases.powers, cases.powers_kept)]
)
def test_second_derivatives(made: Any, kept: Any) -> None:
    wanted = call(tangent.grad(tangent.grad(kept)), (0.4, 5))
    found = call(tangent.grad(tangent.grad(made)), (0.4, 5))
    assert wanted.error is None
    assert is_close(found.result, wanted.result, 1e-14)
    wanted = call(tangent.jvp(tangent.grad(kept)), (0.4, 5), dx=1.0)
    found = call(tangent.jvp(tangent.grad(made)), (0.4, 5), dx=1.0)
    assert wanted.error is None
    assert is_close(found.result, wanted.result, 1e-14)


def test_a_loop_holds_the_square_root_of_its_states() -> None:
    """400 steps over arrays of 20,000 elements."""
    x = np.linspace(0.0, 1.0, 20_000)
    held = {}
    for function in (cases.states, cases.states_kept):
        derivative = tangent.grad(function)
        tracemalloc.start()
        held[function] = derivative(x, 400), tracemalloc.get_traced_memory()[1] / x.nbytes
        tracemalloc.stop()
    (found, few), (wanted, many) = held[cases.states], held[cases.states_kept]
    assert np.array_equal(found, wanted)
    assert many > 800
    # 20 states, what 20 iterations keep, and some that are at hand.
    assert few < 6 * 20


def test_a_function_keeps_its_arguments() -> None:
    derivative = tangent.grad(cases.layers)
    kept = [one.name for one in tangent.explain(derivative).entries if one.function == "layer_kept_forward"]
    assert kept == ["x", "w"]


REFUSALS = {
    cases.draws: "AG021: `np.random.normal` draws random numbers",
    cases.draws_of_a_generator: "AG021: `RNG.normal` draws random numbers",
    cases.draws_of_an_argument: "AG021: `rng.standard_normal` draws random numbers",
    cases.draws_in_a_function: "AG021: `noise` calls `random`, which draws random numbers",
    cases.takes_from_an_iterator: "AG021: `next` takes from an iterator",
    cases.reads_a_clock: "AG021: `time.time` may do something else when it runs again",
    cases.counts: "AG021: `counted` may write to what its module holds",
    cases.prints_in_a_function: "AG021: `noisy` prints",
    cases.over_items: "AG021: `checkpoint` of what is no `range`: the items cannot be had again",
    cases.not_a_head: "AG021: `checkpoint` of a range is said in the head of a `for` statement",
    cases.other_arguments: "AG021: these are not the arguments of `checkpoint`",
    cases.leaves_backwards: "AG021: a `grad_of` block leaves the loop of the backward pass",
    cases.calls_what_draws: "AG021: `np.random.uniform` draws random numbers",
}


@pytest.mark.parametrize(
    ("function", "wanted"), REFUSALS.items(), ids=lambda one: getattr(one, "__name__", "")
)
def test_what_would_not_do_the_same_is_refused(function: Any, wanted: str) -> None:
    with pytest.raises(ConversionError) as refused:
        tangent.grad(function)
    lines = str(refused.value).splitlines()
    code, words = wanted.split(": ", 1)
    assert lines[0].startswith(f"error[{code}]: {words}")
    assert is_located(refused.value)
    assert any(line.lstrip().startswith("= help: ") for line in lines)


def test_one_array_by_two_names_is_refused_when_it_is_written() -> None:
    """Each run begins with copies, of which one would not show what is written into the other."""
    with pytest.raises(
        TypeError, match=r"AG023.*written in what the backward pass runs again, and another value"
    ) as refused:
        tangent.grad(cases.one_array)(X, 3)
    assert is_guard(refused.value)


def test_a_refusal_says_where_and_what_to_do() -> None:
    with pytest.raises(ConversionError) as refused:
        tangent.grad(cases.draws)
    text = str(refused.value).replace(cases.__file__, "model.py")
    line = cases.draws.__code__.co_firstlineno + 2
    assert text == (
        "error[AG021]: `np.random.normal` draws random numbers, in what the backward pass runs again\n"
        f"   --> model.py:{line}:17\n"
        "    |\n"
        f"{line} |         x = x * np.random.normal()\n"
        "    |                 ^^^^^^^^^^^^^^^^^^\n"
        "    |\n"
        "    = help: do it outside of what is checkpointed, and pass on what comes of it"
    )


def test_arguments_of_checkpoint() -> None:
    assert tangent.checkpoint(range(3)) == range(3)
    assert tangent.checkpoint(range(3), every=2) == range(3)
    with pytest.raises(ValueError, match="`every` is a number of iterations, at least 1, and not 0"):
        tangent.checkpoint(range(3), every=0)
    with pytest.raises(
        TypeError, match="`checkpoint` takes a range or a function of Python, and 3 is neither"
    ):
        tangent.checkpoint(3)  # type: ignore[call-overload]
    with pytest.raises(TypeError, match="`every` is said of the range of a loop"):
        tangent.checkpoint(cases.step, every=2)  # type: ignore[call-overload]
    assert cases.layer is not cases.layer_kept
    assert cases.layer.__name__ == "layer_kept"


def test_a_callee_keeps_what_it_was_given() -> None:
    """What the caller writes later is not what the callee has kept."""
    x = np.array([0.3, 0.4])
    derivative = tangent.grad(cases.writes_after_a_call)
    step = 1e-6
    for index in range(2):
        move = np.eye(2)[index] * step
        slope = (cases.writes_after_a_call(x + move) - cases.writes_after_a_call(x - move)) / (2 * step)
        assert abs(derivative(x)[index] - slope) < 1e-7


@pytest.mark.parametrize(
    "function", [cases.over_an_iterator, cases.gives_an_iterator, cases.calls_with_an_iterator]
)
def test_an_iterator_is_refused_when_it_is_given(function: Any) -> None:
    """Its items are there once; a list of them is run through twice."""
    items = [1.5, 0.5, 2.0]
    step = 1e-6
    slope = (function(0.7 + step, items) - function(0.7 - step, items)) / (2 * step)
    assert is_close(tangent.grad(function)(0.7, items), slope, 1e-6)
    with pytest.raises(
        ConversionError, match="`items` is an iterator, whose items are there once"
    ) as refused:
        tangent.grad(function)(0.7, iter(items))
    assert isinstance(refused.value, TypeError) and refused.value.location is not None
    assert refused.value.help == "make a list of it, `items = list(items)`"
    assert tangent.to_source(tangent.grad(function)).count("require_repeatable") == 1


def test_random_programs(tmp_path: Path) -> None:
    """With all loops in segments of two, and as a function that runs again: equal to the bit, or refused."""
    inputs = [(0.71, ITEMS, 3), (0.32, ITEMS, 0)]
    compared = 0
    for seed in range(40):
        body = Maker(seed).program()
        plain = module_of({"program": body}, tmp_path, f"tangent_checkpoint_{seed}").program
        for made in (with_loops(plain), tangent.checkpoint(plain)):
            if made is None:
                continue
            try:
                wanted = tangent.autodiff(plain, (0, 1), motion="split")
                derivative = tangent.autodiff(made, (0, 1), motion="split")
            except ConversionError as refused:
                assert is_located(refused)
                continue
            for args in inputs:
                one, other = call(wanted, args), call(derivative, args)
                assert type(other.error) is type(one.error), text_of(body, "program")
                assert is_same(other.result, one.result), text_of(body, "program")
                assert other.printed == one.printed
                assert is_same(other.arguments, one.arguments)
            compared += 1
    assert compared > 40
