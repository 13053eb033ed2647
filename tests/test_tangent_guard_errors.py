"""What a derivative refuses while it runs: code, place in the user's file, reason and remedy, to the letter.

``AG_BLESS=1 pytest tests/test_tangent_guard_errors.py`` writes `tangent_guard_errors.txt` anew. Each program
runs in CPython, and the one that its remedy makes of it has the derivative that differences say.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import autograph as ag
import numpy as np
import pytest
from autograph import tangent
from autograph.errors import ConversionError, place_of
from program_texts import run_text
from tangent_checks import differences, leaves_of
from tangent_guarded_programs import HEAD, PROGRAMS, Guarded

EXPECTED = Path(__file__).with_name("tangent_guard_errors.txt")
WAYS: dict[str, Callable[[Any], Callable[..., Any]]] = {
    "grad": tangent.grad,
    "jacobian": tangent.jacobian,
    "forward jacobian": lambda f: tangent.jacobian(f, mode="forward"),
}


def made(program: Guarded, text: str, kind: str) -> tuple[Callable[..., Any], Any]:
    """The function of a text, and its argument."""
    file = f"<{kind} {program.name}>"
    sys.modules[file] = ModuleType(file)
    variables = run_text(HEAD + "\n" + text, file, np=np, ROWS=[], __name__=file)
    return variables["f"], eval(program.argument)


def refusal(program: Guarded) -> ConversionError:
    """What the derivative of a program is refused with, when it runs."""
    function, argument = made(program, program.text, "guarded")
    with np.errstate(all="ignore"):
        function(argument)
        derivative = WAYS[program.way](function)
        with pytest.raises(ConversionError) as refused:
            derivative(argument)
    return refused.value


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda one: one.name)
def test_a_refusal_has_a_place_and_is_a_python_error(program: Guarded) -> None:
    error = refusal(program)
    assert isinstance(error, (TypeError, ValueError))
    place = place_of(error)
    assert place is not None and place.file == f"<guarded {program.name}>"
    assert error.code == place.code and error.code.startswith("AG02") and error.help


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda one: one.name)
def test_the_remedy_works(program: Guarded) -> None:
    function, argument = made(program, program.instead, "mended")
    found = leaves_of(WAYS[program.way](function)(argument))
    wanted = differences(function, (argument,), 0, lambda value: value, 1e-6)
    for one, other in zip(found, wanted, strict=True):
        assert np.allclose(one, other, rtol=1e-6, atol=1e-6), (found, wanted)


def test_words_of_guards() -> None:
    found = "\n\n".join(f"# {one.name}\n{refusal(one)}" for one in PROGRAMS) + "\n"
    found = "\n".join(line.rstrip() for line in found.split("\n"))
    if os.environ.get("AG_BLESS") == "1":
        EXPECTED.write_text(found)
    assert found == EXPECTED.read_text()


def test_a_staged_derivative_and_one_of_a_derivative_say_the_users_line() -> None:
    (program,) = [one for one in PROGRAMS if one.name == "array_for_a_list"]
    function, argument = made(program, program.text, "guarded")
    wanted = place_of(refusal(program))
    staged, twice = ag.function(tangent.grad(function)), tangent.jvp(tangent.jvp(function))
    for derivative, given in ((staged, (argument,)), (twice, (argument, np.ones(3), np.ones(3)))):
        with pytest.raises(ConversionError) as refused:
            derivative(*given)
        assert place_of(refused.value) == wanted


def _queue(x: Any) -> Any:
    ring = Ring([x, x * 0.5, x * x])
    for i in range(5):
        v = ring.items.pop(0)
        ring.items.append(v * x + i)
    return ring.items[0] * ring.items[1]


class Ring:
    def __init__(self, items: list[Any]) -> None:
        self.items = items


def test_what_a_second_derivative_refuses_has_a_place_in_the_users_file_and_another_order_works() -> None:
    with pytest.raises(ConversionError) as refused:
        tangent.grad(tangent.grad(_queue))
    error = refused.value
    place = place_of(error)
    assert place is not None and Path(place.file).samefile(__file__)
    assert "ring.items.append(v * x + i)" in str(error) and "of the text of `d_queuedx`" in error.message
    assert error.help is not None and "`tangent.grad(tangent.jvp(f))`" in error.help
    ends = [tangent.grad(_queue)(1.3 + step) for step in (1e-6, -1e-6)]
    assert np.isclose(tangent.grad(tangent.jvp(_queue))(1.3, 1.0), (ends[0] - ends[1]) / 2e-6, rtol=1e-7)


def test_a_file_of_its_own_raises_what_needs_no_package() -> None:
    (program,) = [one for one in PROGRAMS if one.name == "union_of_dicts"]
    function, argument = made(program, program.text, "guarded")
    variables: dict[str, Any] = {"__name__": "alone"}
    exec(tangent.to_source(tangent.grad(function), standalone=True), variables)
    with pytest.raises(TypeError) as refused:
        variables["dfdx"](argument)
    error = refusal(program)
    assert type(refused.value) is TypeError
    assert str(refused.value) == f"{error.message}: {error.help} [{error.code}]"
