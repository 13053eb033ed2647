"""A gradient that is source stages as any function does: the same numbers, types and dtypes, natively."""

from __future__ import annotations

from typing import Any

import autograph as ag
import numpy as np
import pytest
from autograph import tangent
from autograph.errors import AutographError
from tangent_case import Program
from tangent_checks import call, is_located, leaves_of, seed_of
from tangent_programs import PROGRAMS, REFUSED

REFUSED_STAGED: dict[str, str] = {
    "view_of_one_of_two": "AG113",
    "element_or_alias_of_what_is_written": "AG107",
    "string_formatting": "AG101",
    "keys_of_either": "AG131",
    "rows_rotated_by_a_callee": "AG107",
    # Which array is written, a staged test would decide.
    **dict.fromkeys(("row_of_a_ternary", "array_of_a_ternary", "view_of_one_of_three"), "AG113"),
    "view_of_four": "AG113",
    **dict.fromkeys(("row_that_one_branch_binds_anew", "item_of_either_list", "given_to_a_writer"), "AG113"),
    "row_of_a_place_that_is_not_known": "AG113",
    "read_by_a_view_of_either_branch": "AG107",
    # The length of the text of an exception.
    **dict.fromkeys(("one_of_three_handlers", "branches_and_loops_in_a_try"), "AG101"),
    # The adjoint of what a callee returns beside an exception is a number, or a list, depending on the step.
    "nonlocal_written_before_it_fails": "AG131",
    "nonlocal_results_in_a_try_with_all_parts": "AG131",
    "nonlocal_before_a_stop_in_a_try": "AG131",
    "nonlocal_before_everything_in_a_try": "AG131",
    **dict.fromkeys(("nonlocal_counter_beside_a_value_in_a_try", "nonlocal_in_a_loop_in_a_try"), "AG131"),
    **dict.fromkeys(("nonlocal_counter_in_a_try", "nonlocal_writer_with_a_try_of_its_own"), "AG131"),
    "nonlocal_writers_that_call_each_other_in_a_try": "AG131",
    "nonlocal_recursion_in_a_try": "AG135",
    "nonlocal_in_a_try": "AG131",
    "nonlocal_array_until_it_diverges": "AG131",
    # Adjoints that are zeros or lists, depending on the step, and objects of which the first step has other
    # attributes.
    **dict.fromkeys(("gru_as_a_class", "super_in_a_while", "super_in_branches"), "AG131"),
    **dict.fromkeys(("beam_of_scores", "edit_distance_that_is_soft"), "AG131"),
    "particle_weights": "AG134",
    "residual_blocks_in_buffers": "AG114",
    "lstm_with_state_in_attributes": "AG117",
    "product_or_the_matrix": "AG102",
    "items_that_are_skipped": "AG116",
    # Lists whose order or length a staged test decides, and what is kept of them.
    "nonlocal_of_two_functions": "AG121",
    "chosen_and_evaluated_once": "AG101",
    "queue_of_itself": "AG113",
    # An array that a list of the run holds is written in place.
    **dict.fromkeys(("item_of_a_held_list_set_by_a_method", "held_queue", "held_queue_by_methods"), "AG113"),
}
"""The code of the refusal where a gradient is staged, or of the exception of the run."""

ACCEPTED = [one for one in PROGRAMS if one.name not in REFUSED]


def is_equal(found: Any, wanted: Any) -> bool:
    """Whether two values have one type and dtype, and are equal but for the last digits."""
    if isinstance(wanted, (float, np.ndarray, np.generic)):
        dtype = getattr(wanted, "dtype", None)
        tolerance = 1e-6 if dtype == np.float32 else 1e-12
        return (
            type(found) is type(wanted)
            and getattr(found, "dtype", None) == dtype
            and np.shape(found) == np.shape(wanted)
            and np.allclose(found, wanted, rtol=tolerance, atol=tolerance, equal_nan=True)
        )
    return type(found) is type(wanted) and found == wanted


def check(program: Program, function: Any, derivative: Any) -> int:
    """Compares a staged derivative with the plain one; gives how many calls did not raise.

    Raises:
        AutographError: It is refused, or raises.
    """
    staged = ag.function(derivative)
    checked = 0
    for args in program.inputs:
        result = call(function, args)
        if result.error is not None:
            continue
        seed = seed_of(result.result)
        given = args if np.ndim(seed) == 0 else (*args, seed)
        wanted = call(derivative, given)
        found = call(staged, given)
        if found.error is not None:
            raise found.error
        left, right = leaves_of(found.result), leaves_of(wanted.result)
        assert len(left) == len(right)
        for one, other in zip(left, right, strict=True):
            assert is_equal(one, other), (args, found.result, wanted.result)
        assert found.printed == wanted.printed
        checked += 1
    return checked


@pytest.mark.parametrize("program", ACCEPTED, ids=lambda one: one.name)
def test_staged_gradients(program: Program) -> None:
    derivative = tangent.grad(program.function, program.wrt)
    plain = tangent.tangent(program.function) if program.wanted else program.function
    code = REFUSED_STAGED.get(program.name)
    if code is None:
        check(program, plain, derivative)
        return
    with pytest.raises(AutographError) as refused:
        check(program, plain, derivative)
    assert refused.value.code == code
    assert is_located(refused.value)


def test_refused_programs_are_few() -> None:
    names = {one.name for one in ACCEPTED}
    assert set(REFUSED_STAGED) <= names
    assert len(REFUSED_STAGED) < 0.055 * len(names)


def filtered(q: float, ys: Any) -> float:
    """A Kalman filter, whose numbers are floats in the first step and of NumPy after it."""
    m, p, loss = 0.0, 1.0, 0.0
    for y in ys:
        p = p + q * q
        s = p + 0.5
        if s > 3.0:
            s = 3.0 + np.tanh(s - 3.0)
        e = y - m
        k = p / s
        m = m + k * e
        p = (1.0 - k) * p
        loss += e * e / s + np.log(s)
        if loss > 1e3:
            break
    return loss


@pytest.mark.parametrize("way", [tangent.grad, tangent.value_and_grad, tangent.hvp])
def test_a_filter(way: Any) -> None:
    ys = np.random.default_rng(0).standard_normal(12).cumsum()
    derivative = way(filtered)
    staged = ag.function(derivative)
    for q in (0.7, np.float64(2.5)):
        given = (q, ys, 1.0) if way is tangent.hvp else (q, ys)
        for one, other in zip(leaves_of(staged(*given)), leaves_of(derivative(*given)), strict=True):
            assert is_equal(one, other), given


def test_a_module_need_not_know_the_helpers() -> None:
    """Generated code reads them as variables of a function around it, which its text does not show."""
    variables: dict[str, Any] = {"__name__": "of_nobody", "numpy": np}
    scale = 3.0

    def scaled(x: Any) -> Any:
        return numpy.sum(x * x) * scale  # type: ignore[name-defined]  # noqa: F821

    made = type(scaled)(scaled.__code__, variables, "scaled", None, scaled.__closure__)
    assert np.array_equal(ag.function(tangent.grad(made))(np.ones(2)), np.full(2, 6.0))
