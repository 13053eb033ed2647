"""The words of each refusal of a program: code, reason, place and remedy, to the letter but for line numbers.

``AG_BLESS=1 pytest tests/test_tangent_refusals.py`` writes `tangent_refusals.txt` anew.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import numpy as np
import pytest
from autograph import tangent
from autograph.errors import ConversionError
from program_texts import run_text
from tangent_checks import call, is_located
from tangent_programs import BY_NAME, REFUSED

EXPECTED = Path(__file__).with_suffix("").parent / "tangent_refusals.txt"


def refusal(name: str) -> str:
    """What a program is refused with: when its derivative is made, or by its guard."""
    program = BY_NAME[name]
    try:
        made = tangent.grad(program.function, program.wrt)
        for args in program.inputs:
            error = call(made, args).error
            if isinstance(error, ConversionError):
                raise error
        made = tangent.jvp(program.function, program.wrt)
    except ConversionError as error:
        text = re.sub(r"--> \S*/(\S+?):\d+:", r"--> \1:", str(error)).rstrip()
        return re.sub(r"^ *\d* +([|=])", r"  \1", text, flags=re.MULTILINE)
    return "taken"


def test_words_of_refusals() -> None:
    found = "\n\n".join(f"# {name}\n{refusal(name)}" for name in sorted(REFUSED)) + "\n"
    found = "\n".join(line.rstrip() for line in found.split("\n"))
    if os.environ.get("AG_BLESS") == "1":
        EXPECTED.write_text(found)
    assert found == EXPECTED.read_text()
    assert "taken" not in found.split("\n")


def chain(count: int) -> str:
    """A function with so many branches one after the other."""
    branches = "".join(f"    elif k == {k}:\n        y = x * {k}.0\n" for k in range(1, count))
    last = "    else:\n        y = x * x\n    return y\n"
    return f"def f(x, k):\n    if k == 0:\n        y = x\n{branches}{last}"


def loops(count: int) -> str:
    """A function with so many loops one in the other."""
    heads = "".join(f"{'    ' * k}for i{k} in range(2):\n" for k in range(1, count + 1))
    return f"def f(x, k):\n    y = 1.0\n{heads}{'    ' * (count + 1)}y = y + x * x\n    return y\n"


def test_a_text_that_python_allows_is_made() -> None:
    for k in (0, 50, 89, 90):
        made = tangent.grad(run_text(chain(90), "<chain of 90>", np=np)["f"])
        assert made(2.0, k) == (1.0 if k == 0 else float(k) if k < 90 else 4.0)
    assert tangent.grad(run_text(loops(5), "<loops of 5>", np=np)["f"])(3.0, 0) == 2**5 * 6.0


def test_a_text_that_is_nested_too_deep_is_refused() -> None:
    """Python says so of the text, and the place is that of the user's line."""
    text = chain(125)
    function = run_text(text, f"<deep {len(text)}>", np=np)["f"]
    # In forward mode the branches stay beside each other.
    assert tangent.jvp(function)(2.0, 100, dx=1.0) == 100.0
    for way in (tangent.grad, lambda f: tangent.autodiff(f, motion="split")):
        with pytest.raises(ConversionError, match="nested deeper here than Python allows") as refused:
            way(function)
        assert refused.value.code == "AG021" and is_located(refused.value)
        assert "y = x * 9" in str(refused.value)
