"""Dicts and sets keyed by data inside of `try` and `with`: only what CPython raises goes to a handler.

The places of a table are there whatever the key is, so that a search for one is no reason for a handler.
Before, each was: a loop with three uses of a dict had 82, and more than 40 were refused (AG138).
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import autograph as ag
import numpy as np
import pytest
from generated_programs import module_of

MAKERS: dict[str, str] = {
    "dict": "{}",
    "of_ints": "{7: 1}",
    "defaultdict": "defaultdict(int)",
    "counter": "Counter()",
}
USES: dict[str, str] = {
    "count": "d[k] = d[k] + 1 if k in d else 1",
    "get": "d[k] = d.get(k, 0) + 1",
    "branch": "\n".join(("if k in d:", "    d[k] += 1", "else:", "    d[k] = 1")),
    "setdefault": "d[k] = d.setdefault(k, 5) + k",
    "read": "total += d[k]",
    "delete": "\n".join(("d[k] = 1", "del d[k]")),
    "pop": "total += d.pop(k, 2)",
    "moved": "total += d.pop(k)",
}
SETS: dict[str, str] = {
    "toggle": "\n".join(("if k in d:", "    d.discard(k)", "else:", "    d.add(k)")),
    "union": "d |= {k + 1, 4}",
    "remove": "d.remove(k)",
    "pop": "total += d.pop()",
}
AROUND: dict[str, tuple[str, str]] = {
    "finally": ("try:", "finally:\n    log.append('left')"),
    "key_error": ("try:", "except KeyError as error:\n    log.append(str(error))"),
    "lookup_error": ("try:", "except (IndexError, ValueError):\n    log.append('never')"),
    "any_error": (
        "try:",
        "except Exception as error:\n    log.append(type(error).__name__)\nelse:\n    log.append('all')",
    ),
    "stack": ("with ExitStack() as stack:\n    stack.callback(log.append, 'left')", ""),
    "suppress": ("with suppress(KeyError):", "log.append('on')"),
}


def _indented(text: str, by: int) -> str:
    return "\n".join(" " * by + line for line in text.splitlines())


def _program(made: str, use: str, around: str) -> str:
    before, after = AROUND[around]
    return "\n".join(
        (
            "from collections import Counter, defaultdict",
            "from contextlib import ExitStack, suppress",
            "",
            "",
            "def program(n):",
            f"    d, log, total, k = {made}, [], 0, n",
            _indented(before, 4),
            "        while k > 1:",
            _indented(use, 12),
            "            k = k // 2 if k % 2 == 0 else k - 1",
            _indented(after, 4),
            "    return list(d.items()) if isinstance(d, dict) else sorted(d), log, total, k",
        )
    )


def _outcome(function: Callable[..., Any], *arguments: Any) -> Any:
    try:
        return repr(function(*arguments))
    except (KeyError, IndexError, ValueError) as error:
        return type(error), str(error)


TABLES = [(made, use) for made in MAKERS.values() for use in USES.values()]
TABLES += [("{3, 6}", use) for use in SETS.values()]


@pytest.mark.parametrize("around", AROUND)
@pytest.mark.parametrize(("made", "use"), TABLES)
def test_tables(made: str, use: str, around: str, tmp_path: Path) -> None:
    plain = module_of(_program(made, use, around), tmp_path, "tables_in_tries").program
    staged = ag.function(plain)
    for n in (7, 12, 1, 40):
        assert _outcome(staged, np.int64(n)) == _outcome(plain, np.int64(n)), n
