"""The instructions of a code object, where their names and lines are not needed: `dis` finds those too."""

from __future__ import annotations

import dis
from collections.abc import Iterator
from types import CodeType

_UNIT = 2
"""Bytes of an instruction, and of each prefix and cache."""


def operations(code: CodeType) -> Iterator[tuple[int, int]]:
    """The instructions of a code object, with their arguments.

    Args:
        code: The code object; those inside it are not looked into.

    Returns:
        Pairs of a number in `dis.opname` and an argument.

    Example:
        >>> code = (lambda x: -x).__code__
        >>> [dis.opname[operation] for operation, _ in operations(code)]
        ['RESUME', 'LOAD_FAST', 'UNARY_NEGATIVE', 'RETURN_VALUE']
    """
    raw, argument = code.co_code, 0
    for place in range(0, len(raw), _UNIT):
        operation, argument = raw[place], argument << 8 | raw[place + 1]
        if operation == dis.EXTENDED_ARG:
            continue
        if operation != _CACHE:
            yield operation, argument
        argument = 0


_CACHE = dis.opmap.get("CACHE", 0)
