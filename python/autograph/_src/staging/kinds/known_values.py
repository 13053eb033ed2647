"""Values that one part of a program knows better than the whole: not ``None`` there, or of one type.

if x is None:
    x = 0.0
return type(x)      # the branch that leaves `x` as it was knows that it is a float
"""

from __future__ import annotations

from autograph._src.staging.kinds.optionals import StagedOptional
from autograph._src.staging.kinds.unions import Several
from autograph._src.staging.trace.known_tests import known_truth


def as_known(value: object) -> object:
    """A value that may be ``None`` or of several types as what it is where the recording is."""
    if type(value) is StagedOptional and value.defined is None:
        present = known_truth(value.present.read())
        if present is None:
            return value
        return as_known(value.value) if present else None
    if isinstance(value, Several) and value.ag_bound is None:
        known = value.ag_known()
        return value if known is None else value.ag_at(known)
    return value
