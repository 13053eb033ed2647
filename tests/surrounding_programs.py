"""Programs whose surroundings the caller changes between two calls: texts, made into modules."""

from __future__ import annotations

import itertools
import linecache
import sys
from types import ModuleType
from typing import Any

import autograph as ag
import numpy as np

_numbers = itertools.count()


def load(text: str) -> dict[str, Any]:
    """The variables of a module with this text, whose functions can be converted."""
    number = next(_numbers)
    file = f"<surroundings {number}>"
    text = text.replace("CONFIG", f"config_{number}").replace("PACKAGE", f"package_{number}")
    for name in ("config", "package"):
        sys.modules[f"{name}_{number}"] = ModuleType(f"{name}_{number}")
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    scope: dict[str, Any] = {"__name__": f"surroundings_{number}", "np": np, "ag": ag}
    exec(compile(text, file, "exec"), scope)
    return scope


def named(change: str, scope: dict[str, Any]) -> str:
    """A statement of the module, with the name of the other module in it."""
    return change.replace("CONFIG", scope["__name__"].replace("surroundings", "config"))


def indented(template: str, read: str) -> str:
    """The template with the statements that read, at their depth."""
    depth = " " * 8 if "        {read}" in template else " " * 4
    return template.format(read=read.replace("\n        ", "\n" + depth))


def same(got: Any, want: Any) -> None:
    assert type(got) is type(want)
    np.testing.assert_array_equal(got, want)


def same_tree(got: Any, want: Any) -> None:
    if isinstance(want, (tuple, list)):
        assert type(got) is type(want) and len(got) == len(want)
        for one, other in zip(got, want, strict=True):
            same_tree(one, other)
        return
    same(got, want)
