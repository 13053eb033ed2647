"""Exceptions that name classes of this package, which the program does not know, are refusals.

-node        # CPython: TypeError: bad operand type for unary -: 'Node'
             # ours would say 'StagedNode': the operation is refused at its place
"""

from __future__ import annotations

import re

from autograph.backends.protocol import staged_types
from autograph.errors import AutographError, StagingError
from autograph.staging.frames import location_of
from autograph.staging.raised import raised_at

_QUOTED = re.compile(r"'([A-Za-z_]+)'")
_OF_PYTHON = frozenset(("bool", "int", "float", "complex"))
"""Staged numbers have the names of Python's, so that CPython's messages are right."""


def refusal_of_own_words(error: BaseException) -> StagingError | None:
    """The refusal for an exception of CPython whose text names one of our classes, if it does."""
    if not isinstance(error, (TypeError, AttributeError)) or isinstance(error, AutographError):
        return None
    ours = {kind.__name__ for kind in staged_types()} - _OF_PYTHON
    text = str(error)
    if not any(name in ours for name in _QUOTED.findall(text)):
        return None
    place = raised_at(error)
    said = _QUOTED.sub(lambda found: "a staged value" if found[1] in ours else found[0], text)
    return StagingError(
        f"Python refuses this of the value that is staged here: {said}",
        code="AG109",
        location=None if place is None else location_of(*place),
        help="is it of another type, or None, on some path? convert it, or test it first",
    )
