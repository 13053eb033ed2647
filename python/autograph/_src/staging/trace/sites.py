"""Sites: the Python functions that a running graph calls, each with a text that describes the call.

    print("x =", x)     Site(run, "print('x =', {0})")      {0} is the first array that the graph hands over

The text is for a graph that is printed or exported, where the Python function cannot go along.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple


class Site(NamedTuple):
    """A Python function that a running graph calls.

    Attributes:
        run: The function; it takes the arrays that the graph hands over.
        words: A description of the call for readers.
    """

    run: Callable[[list[Any]], Any]
    words: str


def words_of_call(name: str, arguments: list[str], options: dict[str, Any] | None = None) -> str:
    """The source text of a call whose arguments are given as text.

    >>> words_of_call("print", ["'x ='", "{0}"], {"end": ""})
    "print('x =', {0}, end='')"
    """
    named = [f"{name}={words_of(value)}" for name, value in (options or {}).items()]
    return f"{name}({', '.join([*arguments, *named])})"


def words_of(value: object, operands: range = range(0)) -> str:
    """A value as text: placeholders for its operands; without operands its `repr`, or its class.

    >>> words_of("x"), words_of(None, range(1, 2)), words_of([], range(3)), words_of([])
    ("'x'", '{1}', '{0..2}', '<list>')
    """
    if len(operands) > 1:
        return f"{{{operands[0]}..{operands[-1]}}}"
    if operands:
        return f"{{{operands[0]}}}"
    # `repr` of another class is the program's code.
    is_plain = value is None or type(value) in (bool, int, float, complex, str)
    return repr(value) if is_plain else f"<{type(value).__name__}>"
