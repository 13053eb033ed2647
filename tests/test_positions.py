"""Converted code stands where the user's does: what the conversion adds is not seen in tracebacks."""

from __future__ import annotations

import traceback
from contextlib import suppress
from typing import Any

import autograph as ag
import pytest


def divided(x: Any) -> Any:
    try:
        with suppress(KeyError):
            return 1 / x
    except ValueError:
        return None
    finally:
        x = 0


def lines_of(function: Any) -> list[tuple[str, str | None]]:
    with pytest.raises(ZeroDivisionError) as caught:
        function(0)
    frames = traceback.extract_tb(caught.value.__traceback__)
    return [(frame.name, frame.line) for frame in frames if frame.name != lines_of.__name__]


def test_the_line_that_fails_in_a_try_is_the_innermost() -> None:
    assert lines_of(ag.to_graph(divided))[-1:] == lines_of(divided) == [("divided", "return 1 / x")]
