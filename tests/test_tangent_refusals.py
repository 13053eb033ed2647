"""The words of each refusal of a program: code, reason, place and remedy, to the letter but for line numbers.

``AG_BLESS=1 pytest tests/test_tangent_refusals.py`` writes `tangent_refusals.txt` anew.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from autograph import tangent
from autograph.errors import ConversionError
from tangent_checks import call
from tangent_programs import BY_NAME, REFUSED

EXPECTED = Path(__file__).with_suffix("").parent / "tangent_refusals.txt"


def refusal(name: str) -> str:
    """What a program is refused with: when its derivative is made, or by its guard."""
    program = BY_NAME[name]
    try:
        made = tangent.grad(program.function, program.wrt)
        for args in program.inputs:
            error = call(made, args).error
            if isinstance(error, TypeError):
                return f"TypeError: {error}"
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
