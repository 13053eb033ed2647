"""`docs/transformations.md` runs, and what it says is printed is what is printed."""

from __future__ import annotations

import contextlib
import io
import linecache
import re
from pathlib import Path
from typing import Any

PAGE = Path(__file__).parent.parent / "docs/transformations.md"


def test_the_guide_runs() -> None:
    blocks = re.findall(r"^```(\w+)\n(.*?)^```$", PAGE.read_text(), re.M | re.S)
    scope: dict[str, Any] = {"__name__": "guide"}
    printed = ""
    kinds = []
    for number, (kind, text) in enumerate(blocks):
        kinds.append(kind)
        if kind != "python":
            assert printed.strip() == text.strip()
            printed = ""
            continue
        name = f"<guide {number}>"
        linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            exec(compile(text, name, "exec"), scope)
        assert not printed
        printed = output.getvalue()
    assert kinds == ["python", "python", "mermaid", "python", "text", "python"]
