"""Generators over dicts, their views and sets, in what consumes them, as in CPython; also after changes."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import autograph as ag
import numpy as np
import pytest
from generated_programs import module_of

WALKED = {
    "values": ("{1: 2.0, 3: 4.0}", "v", "d.values()"),
    "items": ("{1: 2.0, 3: 4.0}", "k, v", "d.items()"),
    "keys": ("{1.0: 2.0, 3.0: 4.0}", "v", "d.keys()"),
    "dict": ("{1.0: 2.0, 3.0: 4.0}", "v", "d"),
    "set": ("{3.0, 1.0, 2.0}", "v", "d"),
    "frozenset": ("frozenset((1.0, 2.0))", "v", "d"),
    "none": ("{}", "v", "d.values()"),
    "two": ("{1: 2.0, 3: 4.0}", "v", "d for v in d.values()"),
}
CONSUMERS = {
    "sum": "sum(v * n for {0} in {1})",
    "any": "any(v > n for {0} in {1})",
    "all": "all(v > n for {0} in {1} if v != 1)",
    "max": "max((v * n for {0} in {1}), default=0.0)",
    "sorted": "sorted(v * n for {0} in {1})",
    "list": "list(v * n for {0} in {1})",
    "next": "next((v for {0} in {1} if v > n), None)",
}


def outcome(function: Callable[..., Any], n: float, given: Any) -> Any:
    try:
        return repr(function(n, copy.deepcopy(given)))
    except RuntimeError as error:
        return type(error), str(error)


@pytest.mark.parametrize("walked", WALKED)
def test_consumers(walked: str, tmp_path: Any) -> None:
    made, target, iterable = WALKED[walked]
    texts = []
    for name, consumer in CONSUMERS.items():
        call = consumer.format(target, iterable)
        texts += [
            f"def made_{name}(n, given):\n    d = {made}\n    return {call}\n\n\n",
            f"def given_{name}(n, d):\n    return {call}\n\n\n",
            f"def looped_{name}(n, d):\n    out = []\n    for _ in range(3):\n        out.append({call})\n"
            "        n = n + 1\n    return out\n\n\n",
        ]
        if not made.startswith("frozenset"):
            change = "d.add(9.0)" if walked == "set" else "d[9.0] = 1.0"
            early = call.replace(f"{name}(", "(", 1) if name in ("sum", "sorted", "list") else None
            if early:
                texts.append(
                    f"def changed_{name}(n, given):\n    d = {made}\n    g = {early}\n    {change}\n"
                    f"    return {name}(g)\n\n\n"
                )
    module = module_of("".join(texts), tmp_path, f"over_{walked}")
    given = eval(made)
    for name, function in vars(module).items():
        if callable(function):
            staged = ag.function(function)
            for n in (1.0, 3.0, np.float64(2.5)):
                assert outcome(staged, n, given) == outcome(function, n, given), name
