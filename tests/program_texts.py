"""Programs that tests make as text."""

from __future__ import annotations

import linecache
from typing import Any


def run_text(text: str, file: str, **variables: Any) -> dict[str, Any]:
    """Runs a text as a module in which these variables are; messages find its lines under `file`.

    Returns:
        The variables of the module.
    """
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    exec(compile(text, file, "exec"), variables)
    return variables
