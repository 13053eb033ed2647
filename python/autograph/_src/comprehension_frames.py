"""Which comprehension a lambda of the converted text stands for, so that tracebacks show its frame.

    [f(i) for i in xs if i > 0]                                       the user's text
    ag__.list_comprehension(xs, lambda i: f(i), lambda i: i > 0)      the converted text

CPython runs the element and the tests in a frame named `<listcomp>`, or `<genexpr>`. Python 3.12 and later
have no frame for the comprehensions of lists, sets and dicts, and no code object for them either.
"""

from __future__ import annotations

from collections.abc import Iterator
from types import CodeType

Position = tuple[int | None, int | None, int | None, int | None]

_NAMES = frozenset(("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>"))


class ComprehensionFrames:
    """The comprehensions of a function that have frames of their own.

    Args:
        original: The code object of the user's function.
    """

    def __init__(self, original: CodeType) -> None:
        self._found = [(code, _positions_in(code)) for code in _comprehensions(original)]

    def around(self, block: CodeType) -> CodeType | None:
        """The code object of the innermost comprehension that a lambda is a part of.

        Args:
            block: The code object of the lambda, with the positions of the user's text.
        """
        if not self._found:
            return None
        places = [*map(tuple, block.co_positions())]
        counts = [sum(place in positions for place in places) for _, positions in self._found]
        best = max(counts)
        return self._found[counts.index(best)][0] if best else None


def _comprehensions(code: CodeType) -> Iterator[CodeType]:
    """The code objects of the comprehensions in a function, also inside one another."""
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            if constant.co_name in _NAMES:
                yield constant
            yield from _comprehensions(constant)


def _positions_in(code: CodeType) -> frozenset[Position]:
    """The positions of the parts of a comprehension, without its own, which the code around has too."""
    known = [place for place in code.co_positions() if None not in place and place[2:] != (0, 0)]
    inside: list[Position] = [*known]
    if not inside:
        return frozenset()
    whole = max(inside, key=_extent)
    return frozenset(place for place in inside if place != whole)


def _extent(place: Position) -> tuple[int, int]:
    """The lines and columns that a position spans."""
    line, end_line, column, end_column = (number or 0 for number in place)
    return end_line - line, end_column - column
