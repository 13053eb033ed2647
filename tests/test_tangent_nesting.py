"""Derivatives of derivatives of every program, against differences of the first or the second."""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from autograph import tangent
from autograph.errors import ConversionError
from tangent_case import Program
from tangent_checks import call, is_float, is_guard, is_located, is_single, leaves_of, seed_of
from tangent_programs import BY_NAME, PROGRAMS, REFUSED

WAYS: dict[str, tuple[Callable[..., Any], Callable[..., Any]]] = {
    "grad of grad": (tangent.grad, tangent.grad),
    "jvp of grad": (tangent.jvp, tangent.grad),
    "grad of jvp": (tangent.grad, tangent.jvp),
    "jvp of jvp": (tangent.jvp, tangent.jvp),
}

REFUSED_NESTED: dict[tuple[str, str], str] = {
    ("grad of grad", "nonlocal_writers_that_call_each_other_in_a_try"): "AG021",
    ("jvp of grad", "nonlocal_writers_that_call_each_other_in_a_try"): "AG021",
    ("grad of jvp", "adam_with_states_by_name"): "AG023",
    ("jvp of jvp", "adam_with_states_by_name"): "AG023",
    # The indices of an `einsum` are among its arguments.
    **{(way, "attention_with_a_mask"): "AG022" for way in WAYS},
    ("grad of grad", "backtracking_line_search"): "TypeError",
    ("grad of jvp", "keys_of_a_union"): "TypeError",
    ("jvp of jvp", "keys_of_a_union"): "TypeError",
    ("grad of jvp", "items_list_of_list"): "AG023",
    ("jvp of jvp", "items_list_of_list"): "AG023",
    ("grad of grad", "nonlocal_array_in_place"): "TypeError",
    ("grad of grad", "items_alias"): "AG023",
    ("jvp of grad", "items_alias"): "AG023",
    ("grad of jvp", "items_alias"): "AG023",
    ("jvp of jvp", "items_alias"): "AG023",
    ("grad of grad", "items_attr_dict"): "AG023",
    ("jvp of grad", "items_attr_dict"): "AG023",
    ("grad of grad", "filled_by_a_recursion"): "TypeError",
    ("jvp of grad", "filled_by_a_recursion"): "TypeError",
    ("grad of grad", "list_of_a_closure_filled"): "TypeError",
    ("grad of jvp", "list_of_a_closure_filled"): "TypeError",
    ("jvp of jvp", "list_of_a_closure_filled"): "TypeError",
    ("grad of grad", "number_or_array_augmented_by_a_callee"): "TypeError",
    ("grad of grad", "rows_rotated_by_a_callee"): "AG023",
    ("jvp of grad", "rows_rotated_by_a_callee"): "AG023",
    ("grad of jvp", "rows_rotated_by_a_callee"): "AG023",
    ("jvp of jvp", "rows_rotated_by_a_callee"): "AG023",
    ("grad of grad", "array_from_around_written_later"): "TypeError",
    ("grad of grad", "runge_kutta_of_a_system"): "AG021",
    ("jvp of grad", "runge_kutta_of_a_system"): "AG021",
    **{(way, "held_list_in_a_loop"): "AG023" for way in WAYS},
    ("grad of grad", "held_queue"): "AG023",
    ("jvp of grad", "held_queue"): "AG023",
    ("grad of jvp", "held_queue_by_methods"): "AG023",
    ("jvp of jvp", "held_queue_by_methods"): "AG023",
    **{(way, "held_queue_by_a_callee_of_a_callee"): "AG023" for way in WAYS},
    # What a backward pass of a constructor or a method gives is changed by the next one.
    ("grad of grad", "super_with_arrays"): "TypeError",
    ("grad of grad", "super_of_items"): "TypeError",
    ("jvp of grad", "super_of_items"): "TypeError",
    ("grad of grad", "super_that_writes_to_an_array"): "TypeError",
    ("jvp of grad", "super_that_writes_to_an_array"): "TypeError",
    ("grad of grad", "super_of_an_operator"): "TypeError",
    ("jvp of grad", "super_of_an_operator"): "TypeError",
    ("grad of grad", "module_with_a_base_class"): "TypeError",
    ("grad of jvp", "held_lists_of_objects_in_a_list"): "TypeError",
    ("grad of jvp", "attribute_array_that_is_written"): "AG023",
    ("jvp of jvp", "attribute_array_that_is_written"): "AG023",
    ("grad of grad", "kron_of_itself"): "AG022",
    ("jvp of grad", "kron_of_itself"): "AG022",
    ("grad of grad", "convolution_of_itself"): "AG022",
    ("jvp of grad", "convolution_of_itself"): "AG022",
    ("grad of jvp", "reshape_view_written"): "AG023",
    ("jvp of jvp", "reshape_view_written"): "AG023",
    ("grad of grad", "rows_of_for_written"): "TypeError",
    ("jvp of grad", "rows_of_for_written"): "TypeError",
    ("grad of grad", "view_made_in_a_loop"): "AG023",
    ("jvp of grad", "view_made_in_a_loop"): "AG023",
    ("grad of jvp", "argument_that_is_a_dict"): "TypeError",
    ("jvp of jvp", "argument_that_is_a_dict"): "TypeError",
    ("grad of jvp", "keys_of_a_dict_in_a_dict"): "TypeError",
    ("jvp of jvp", "keys_of_a_dict_in_a_dict"): "TypeError",
    ("grad of jvp", "keys_of_dicts_in_a_list"): "TypeError",
    ("jvp of jvp", "keys_of_dicts_in_a_list"): "TypeError",
    ("grad of jvp", "keys_of_dicts_among_values"): "TypeError",
    ("jvp of jvp", "keys_of_dicts_among_values"): "TypeError",
    ("grad of jvp", "keys_of_a_result"): "TypeError",
    ("jvp of jvp", "keys_of_a_result"): "TypeError",
    ("grad of jvp", "keys_of_either"): "TypeError",
    ("jvp of jvp", "keys_of_either"): "TypeError",
    ("grad of jvp", "keys_of_a_copy"): "TypeError",
    ("jvp of jvp", "keys_of_a_copy"): "TypeError",
    ("grad of grad", "given_to_what_writes"): "TypeError",
    ("grad of grad", "match_of_alternatives_with_names"): "TypeError",
    ("grad of grad", "view_of_one_of_three"): "AG023",
    ("jvp of grad", "view_of_one_of_three"): "AG023",
    ("grad of jvp", "view_of_one_of_three"): "TypeError",
    ("jvp of jvp", "view_of_one_of_three"): "TypeError",
    ("grad of grad", "row_of_either_in_a_loop"): "AG023",
    ("jvp of grad", "row_of_either_in_a_loop"): "AG023",
    ("grad of jvp", "row_of_either_in_a_loop"): "AG023",
    ("jvp of jvp", "row_of_either_in_a_loop"): "AG023",
    ("grad of grad", "row_of_either_beside_continue"): "TypeError",
    ("jvp of grad", "row_of_either_beside_continue"): "TypeError",
    ("grad of grad", "row_that_one_branch_binds_anew"): "AG023",
    ("jvp of grad", "row_that_one_branch_binds_anew"): "AG023",
    ("grad of jvp", "view_of_four"): "AG023",
    ("jvp of jvp", "view_of_four"): "AG023",
    ("grad of grad", "row_of_a_place_that_is_not_known"): "TypeError",
    ("jvp of grad", "row_of_a_place_that_is_not_known"): "TypeError",
    ("grad of grad", "element_or_alias_of_what_is_written"): "AG023",
    ("jvp of grad", "element_or_alias_of_what_is_written"): "AG023",
}
"""The code of the refusal of a second derivative, by way and program."""

TIED = {"scalar_on_the_left"}
"""Programs that are called where they have no derivative: two operands of a maximum are equal."""

ACCEPTED = [
    one for one in PROGRAMS if one.name not in REFUSED and one.name not in TIED and one.wanted is None
]


def direction(tree: Any, phase: float) -> Any:
    """What has the form of a value, with numbers near 1 for its floats; 0.0 for its other numbers."""
    if isinstance(tree, (list, tuple)):
        return [direction(one, phase + place) for place, one in enumerate(tree)]
    if isinstance(tree, dict):
        return {key: direction(one, phase + place) for place, (key, one) in enumerate(tree.items())}
    if not is_float(tree):
        is_number = isinstance(tree, (int, np.generic, np.ndarray))
        return np.zeros(np.shape(tree)) if is_number and np.shape(tree) else 0.0 if is_number else None
    if isinstance(tree, np.ndarray):
        return np.cos(phase + np.arange(tree.size)).reshape(tree.shape).astype(tree.dtype)
    return type(tree)(np.cos(phase))


def moved(tree: Any, along: Any, step: float) -> Any:
    """A value, some way along a direction; what has no derivative stays."""
    if isinstance(tree, (list, tuple)):
        return type(tree)([moved(*pair, step) for pair in zip(tree, along, strict=True)])
    if isinstance(tree, dict):
        return {key: moved(one, along[key], step) for key, one in tree.items()}
    if not is_float(tree):
        return tree
    new = tree + step * along
    return new.astype(tree.dtype) if isinstance(tree, np.ndarray) else type(tree)(new)


def numbers(tree: Any) -> Any:
    """All floats of a value, in order."""
    found = [np.ravel(np.asarray(leaf, float)) for leaf in leaves_of(tree) if is_float(leaf)]
    return np.concatenate(found) if found else np.zeros(0)


class Nested:
    """A derivative of a derivative of a program, called with named seeds and tangents."""

    def __init__(self, program: Program, ways: tuple[Callable[..., Any], ...]) -> None:
        """Makes it, the innermost way last."""
        self.program = program
        self.functions = [program.function]
        self.added: list[list[str]] = []
        for way in reversed(ways):
            made = way(self.functions[-1], program.wrt)
            known = inspect.signature(self.functions[-1]).parameters
            self.added.append([name for name in inspect.signature(made).parameters if name not in known])
            self.functions.append(made)
        self.is_forward = [way is tangent.jvp for way in reversed(ways)]

    def check(self, args: tuple[Any, ...], tolerance: float) -> bool:
        """Compares the outermost derivative with differences; gives whether the program did not raise."""
        plain = call(self.program.function, args)
        if plain.error is not None:
            return False
        wrt = self.program.wrt
        along = [direction(args[place], 0.3 + place) for place in wrt]
        seeds: dict[str, Any] = {}
        result = plain.result
        for depth, (function, names) in enumerate(zip(self.functions[1:], self.added, strict=True)):
            if self.is_forward[depth]:
                seeds.update(zip(names, [direction(args[one], depth + one) for one in wrt], strict=True))
            else:
                seed = seed_of(result) if depth == 0 else direction(result, 0.7)
                seeds.update({names[0]: seed})
            if depth == len(self.added) - 1:
                break
            result = self._called(function, args, seeds)
        found = self._called(self.functions[-1], args, seeds)
        last = self.added[-1]
        inner = {name: value for name, value in seeds.items() if name not in last}
        single = is_single(args)
        step = 1e-2 if single else 1e-5
        if self.is_forward[-1]:
            along = [seeds[name] for name in last]
        ends = []
        for sign in (1, -1):
            changed = list(args)
            for place, one in zip(wrt, along, strict=True):
                changed[place] = moved(args[place], one, sign * step)
            ends.append(numbers(self._called(self.functions[-2], tuple(changed), inner)))
        slope = (ends[0] - ends[1]) / (2 * step)
        if self.is_forward[-1]:
            got, wanted = numbers(found), slope
        else:
            got = np.dot(numbers(list(found) if len(wrt) > 1 else [found]), numbers(along))
            wanted = np.dot(numbers(seeds[last[0]]), slope)
        size = 1.0 + np.max(np.abs(np.concatenate([*ends, np.ravel(wanted)])), initial=0.0)
        assert np.shape(got) == np.shape(wanted)
        assert np.allclose(got, wanted, rtol=tolerance, atol=(3e-2 if single else tolerance) * size), (
            args,
            got,
            wanted,
        )
        return True

    def _called(self, function: Any, args: tuple[Any, ...], seeds: dict[str, Any]) -> Any:
        known = inspect.signature(function).parameters
        outcome = call(function, args, **{name: one for name, one in seeds.items() if name in known})
        if outcome.error is not None:
            raise outcome.error
        return outcome.result


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("program", ACCEPTED, ids=lambda one: one.name)
def test_second_derivatives(program: Program, way: str) -> None:
    code = REFUSED_NESTED.get((way, program.name))
    if code is None:
        nested = Nested(program, WAYS[way])
        for args in program.inputs:
            nested.check(args, 2e-5)
    elif code == "TypeError":
        with pytest.raises(TypeError) as guarded:
            [Nested(program, WAYS[way]).check(args, 2e-5) for args in program.inputs]
        assert is_guard(guarded.value)
    else:
        with pytest.raises(ConversionError) as refused:
            Nested(program, WAYS[way])
        assert refused.value.code == code
        assert is_located(refused.value)


def test_refused_programs_are_few() -> None:
    names = {one.name for one in ACCEPTED}
    assert {name for _, name in REFUSED_NESTED} <= names
    assert {way for way, _ in REFUSED_NESTED} <= set(WAYS)
    assert len(REFUSED_NESTED) < 0.04 * len(names) * len(WAYS)


DEEP = [
    "if_else",
    "while_loop",
    "for_over_array",
    "accumulate_in_item",
    "repeated_indices",
    "softmax",
    "layer",
    "list_append",
    "calls_a_loop_in_a_loop",
    "dict_argument",
    "break_out",
    "write_item_twice",
    "callee_reads_an_item",
    "recursion_of_a_nested_one",
    "given_a_lambda",
    "given_to_a_recursion",
    "root_by_newton",
    "loss_of_a_closure",
    "list_of_a_callee_grows_later",
    "array_of_items",
    "deep_network",
    "row_of_a_ternary",
    "largest_of_items_and_more",
    "chebyshev_series",
]


@pytest.mark.parametrize("ways", [*itertools.product((tangent.grad, tangent.jvp), repeat=3)])
@pytest.mark.parametrize("name", DEEP)
def test_third_derivatives(name: str, ways: Any) -> None:
    """Each of three is in the input language."""
    program = BY_NAME[name]
    nested = Nested(program, ways)
    assert any([nested.check(args, 1e-4) for args in program.inputs[:2]])
