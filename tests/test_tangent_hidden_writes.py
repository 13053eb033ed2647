"""What a refusal says where an expression without a derivative may write to a value that has one."""

from __future__ import annotations

from pathlib import Path

import pytest
from autograph import tangent
from autograph.errors import ConversionError
from tangent_programs_of_writes import pop_in_a_print, writer_in_a_test

HELP = "call it in a statement of its own, or give it a copy"


@pytest.mark.parametrize("derivative", [tangent.grad, tangent.jvp])
@pytest.mark.parametrize(
    ("program", "line", "column", "call", "name"),
    [
        (writer_in_a_test, "    if filled(y, 5.0) > 0:", 8, "filled(y, 5.0)", "y"),
        (pop_in_a_print, "    print(xs.pop())", 11, "xs.pop()", "xs"),
    ],
)
def test_the_message(derivative, program, line, column, call, name) -> None:
    with pytest.raises(ConversionError) as refused:
        derivative(program)
    path = Path(program.__code__.co_filename)
    number = path.read_text().splitlines().index(line) + 1
    gutter = " " * len(str(number))
    expected = [
        f"error[AG021]: this call may write to `{name}`, and its value has no derivative",
        f"{gutter}--> {path}:{number}:{column}",
        f"{gutter} |",
        f"{number} | {line}",
        f"{gutter} | {' ' * (column - 1)}{'^' * len(call)}",
        f"{gutter} |",
        f"{gutter} = help: {HELP}",
    ]
    assert str(refused.value).splitlines() == expected
