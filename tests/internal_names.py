"""Names of this package that no message shows: classes, modules, and those of converted text."""

from __future__ import annotations

import functools
import inspect
import re
import sys
from typing import Any

import autograph as ag
import autograph.tangent
from autograph.errors import AutographError

_IN_ANY_TEXT = r"autograph\._src|\bag__|\bag_[a-z]|<locals>\.<lambda>"


def in_text(text: str) -> list[str]:
    """The names of this package in a text that a user reads."""
    return _pattern().findall(text)


def in_error(error: AutographError) -> list[str]:
    """The names in the words of an error; its source line is the user's."""
    return in_text("\n".join(filter(None, (error.message, error.help, error.label))))


@functools.cache
def _pattern() -> re.Pattern[str]:
    modules = [module for name, module in sys.modules.items() if name.startswith("autograph._src")]
    classes = {name for module in modules for name, one in vars(module).items() if _is_ours(one)}
    public = set(dir(ag)) | set(dir(ag.errors)) | set(dir(ag.backends)) | set(dir(autograph.tangent))
    # A name with one capital letter, such as `View`, may be a word or a class of the user.
    own = {name for name in classes - public if sum(letter.isupper() for letter in name) > 1}
    assert {"StagedOptional", "StagedString", "ArrayTensor"} <= own
    return re.compile("|".join([_IN_ANY_TEXT, *(rf"\b{name}\b" for name in sorted(own))]))


def _is_ours(value: Any) -> bool:
    return inspect.isclass(value) and value.__module__.startswith("autograph._src")
