"""What derivatives keep, and why: the truth about the generated texts."""

from __future__ import annotations

import ast
import re
from types import FunctionType
from typing import Any

import numpy as np
import pytest
from autograph import tangent
from autograph._src.tangent.api import derivative_of
from tangent_case import Program
from tangent_checks import call, is_same
from tangent_programs import PROGRAMS, REFUSED
from test_tangent_checkpoint import LOOPS, REFUSED_LOOPS

ACCEPTED = [one for one in PROGRAMS if one.name not in REFUSED]


class Halves:
    """A derivative in one text, cut in two: the second half has the explained names and no others."""

    def __init__(self, derivative: FunctionType) -> None:
        made = derivative_of(derivative)
        self.piece = made.pieces[0]
        self.kept = [one for one in tangent.explain(derivative).entries if one.function == self.piece.name]
        definition = ast.parse(self.piece.text).body[0]
        assert isinstance(definition, ast.FunctionDef)
        self.first = [one for one in definition.body if one.lineno < self.piece.backward]
        self.second = definition.body[len(self.first) :]
        self.names = [one.name for one in self.kept]
        own = definition.args
        self.parameters = [one.arg for one in (*own.posonlyargs, *own.args, *own.kwonlyargs)]
        self.variables = {
            **derivative.__globals__,
            **dict(
                zip(derivative.__code__.co_freevars, map(_content, derivative.__closure__ or ()), strict=True)
            ),
        }
        self.defaults = derivative.__defaults__, derivative.__kwdefaults__

    def run(self, args: tuple[Any, ...], seed: Any) -> Any:
        """The gradient, from the first half, and from the second with what it was given."""
        names = [name for name in self.parameters if name not in self.piece.original.__code__.co_varnames]
        seeds = dict.fromkeys(names, seed)
        kept = f"{{name: value for name, value in locals().items() if name in {self.names}}}"
        saved = self._function("first", self.first, kept)(*args, **seeds)
        second = ast.parse(f"def second({', '.join([*self.names, *names])}):\n    pass").body[0]
        assert isinstance(second, ast.FunctionDef)
        second.body = self.second
        # What only other paths bind is not there.
        return self._compiled(second)(**{name: saved.get(name) for name in self.names}, **seeds)

    def _function(self, name: str, body: list[ast.stmt], result: str) -> Any:
        made = ast.parse(self.piece.text).body[0]
        assert isinstance(made, ast.FunctionDef)
        made.name, made.args.defaults, made.args.kw_defaults = name, [], [None] * len(made.args.kwonlyargs)
        made.body = [*body, ast.Return(ast.parse(result, mode="eval").body)]
        function = self._compiled(made)
        function.__defaults__, function.__kwdefaults__ = self.defaults
        return function

    def _compiled(self, definition: ast.FunctionDef) -> Any:
        module = ast.fix_missing_locations(ast.Module([definition], []))
        exec(compile(module, "halves.py", "exec"), self.variables)
        return self.variables[definition.name]


def _content(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        return None


WITHOUT_REASONS = {
    "nonlocal_in_a_try_that_ends_with_finally",
    "nonlocal_written_before_it_fails",
    "nonlocal_results_in_a_try_with_all_parts",
    "nonlocal_before_a_stop_in_a_try",
    "nonlocal_before_everything_in_a_try",
    "nonlocal_counter_beside_a_value_in_a_try",
    "nonlocal_writers_that_call_each_other_in_a_try",
    "nonlocal_in_a_loop_in_a_try",
    "nonlocal_counter_in_a_try",
    "nonlocal_recursion_in_a_try",
    "nonlocal_array_in_a_try_of_a_loop",
    "nonlocal_array_until_it_diverges",
}
"""The states of a shared variable at the starts of segments are kept; which line reads them is not told."""


def check(program: Program, function: Any) -> int:
    derivative = tangent.grad(function, program.wrt)
    halves = Halves(derivative)
    text = ast.unparse(ast.Module(halves.second, []))
    read = {node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}
    assert len(halves.names) == len(set(halves.names))
    assert set(halves.names) <= read
    count = 0
    for args in program.inputs:
        plain = call(tangent.tangent(program.function), args)
        seed = np.ones(np.shape(plain.result)) if np.ndim(plain.result) else 1.0
        if plain.error is not None:
            continue
        names = [name for name in halves.parameters if name not in halves.piece.original.__code__.co_varnames]
        wanted = call(derivative, args, **dict.fromkeys(names, seed))
        assert wanted.error is None
        found = call(lambda *given: halves.run(given, seed), args)
        assert found.error is None, (repr(found.error), program.name)
        assert is_same(found.result, wanted.result), program.name
        count += 1
    for entry in tangent.explain(derivative).entries:
        assert entry.recompute
        assert entry.reasons or program.name in WITHOUT_REASONS, entry
        assert all(reason.place.line and reason.place.text for reason in entry.reasons)
    return count


@pytest.mark.parametrize("program", ACCEPTED, ids=lambda one: one.name)
def test_what_is_explained_is_what_is_kept(program: Program) -> None:
    """The backward pass runs with the explained names alone, and reads each of them."""
    check(program, program.function)


@pytest.mark.parametrize(
    ("program", "made"),
    [one for one in LOOPS if one[0].name not in REFUSED_LOOPS],
    ids=lambda one: getattr(one, "name", ""),
)
def test_what_is_explained_of_loops_that_run_again(program: Program, made: Any) -> None:
    check(program, made)


FORMS_WITHOUT_NAMES = {
    *("list_queue", "items_loop", "items_heap"),
    *("loop_over_the_length_after_a_call", "dict_callee_memo", "order_sorted_items"),
    "held_list_set_and_read_by_another_name_in_a_loop",
}


@pytest.mark.parametrize("program", ACCEPTED, ids=lambda one: one.name)
def test_callees_keep_what_is_explained(program: Program) -> None:
    """The tuple that each forward pass gives is what is explained of it."""
    derivative = tangent.autodiff(program.function, program.wrt, motion="split")
    explained: dict[str, set[str]] = {}
    for entry in tangent.explain(derivative).entries:
        explained.setdefault(entry.function, set()).add(entry.name)
    halves = 0
    for piece in derivative_of(derivative).pieces:
        definition = ast.parse(piece.text).body[0]
        assert isinstance(definition, ast.FunctionDef)
        last = definition.body[-1]
        if not piece.name.endswith("_forward") or not isinstance(last, ast.Return):
            continue
        assert isinstance(last.value, ast.Tuple)
        saved = last.value.elts[1]
        assert isinstance(saved, ast.Tuple)
        named = {ast.unparse(one) for one in saved.elts if isinstance(one, ast.Name)}
        assert named == explained.get(piece.name, set())
        others = [ast.unparse(one) for one in saved.elts if not isinstance(one, ast.Name)]
        # The form of a list or a dict at the end, which has no name: it is not explained.
        assert all(re.fullmatch(r"tangent\.form\(\w+\)", one) for one in others)
        assert not others or program.name in FORMS_WITHOUT_NAMES, others
        halves += 1
    assert halves


def powers(x: Any, n: int) -> Any:
    y = 1.0
    while n > 0:
        y = y * x
        n -= 1
    return y


def scaled(x: Any) -> Any:
    y = x * 2.0
    s = np.sum(y * y)
    y[0] = 0.0
    return s * np.sum(y)


def test_an_explanation_is_a_paragraph_for_each_value() -> None:
    explanation = tangent.explain(tangent.grad(powers))
    first = powers.__code__.co_firstlineno
    assert repr(explanation) == str(explanation)
    assert f"""`y_values`: the value of `y`; a list with one item each time
    made        {first + 1} | y = 1.0
    made        {first + 3} | y = y * x
    read        {first + 3} | y = y * x    the derivative of `y * x` reads `y`
    overwritten {first + 3} | y = y * x
    again: the loop at line {first + 2}, from its beginning""" in str(explanation)
    kept = {one.name: one for one in explanation.entries}
    assert list(kept) == ["x", "y_values", "steps"]
    assert [one.how for one in explanation.entries] == ["argument", "value", "count"]
    assert kept["y_values"].is_list
    assert kept["y_values"].overwritten is not None
    assert [reason.operation for reason in kept["y_values"].reasons] == ["y * x"]


def test_copies_forms_and_what_computing_them_again_takes() -> None:
    entries = {
        one.value: one for one in tangent.explain(tangent.grad(scaled)).entries if one.how != "argument"
    }
    copy = entries["y"]
    assert copy.how in ("copy", "form")
    words = str(tangent.explain(tangent.grad(scaled)))
    assert "a copy of `y`, whose array is written in place" in words
    assert "again: one multiplication" in words
    assert "class, shape and dtype of `y`, without its memory" in words
    assert "only its shape is read; the value would take" in words


def test_what_is_no_derivative_is_not_explained() -> None:
    with pytest.raises(TypeError, match="is no derivative that `tangent` has made"):
        tangent.explain(powers)
    assert tangent.explain(tangent.jvp(powers)).entries == ()
    assert str(tangent.explain(tangent.jvp(powers))) == "powers_tangent keeps nothing for its backward pass"
