"""Refusals of arguments, results and rules: of the built-in class that JAX raises there."""

from __future__ import annotations

from autograph._src.staging.trace.frames import here
from autograph.errors import DtypeError, MissingRuleError, ShapeError, StagingError


def refusal(code: str, message: str, help: str | None = None) -> DtypeError:
    """The error of what is of the wrong type or structure, located at the user's line that is running now."""
    return DtypeError(message, code=code, location=here(), help=help)


def value_refusal(code: str, message: str, help: str | None = None) -> ShapeError:
    """The error of what has the right type and a wrong shape, axis or number, likewise."""
    return ShapeError(message, code=code, location=here(), help=help)


def missing_rule(message: str, remedy: str) -> MissingRuleError:
    """The error of a function whose rule is not set where it is needed, likewise."""
    return MissingRuleError(message, code="AG146", location=here(), help=remedy)


def fit_refusal(word: str, message: str, help: str | None, *, is_shape: bool) -> StagingError:
    """The error of a tangent or cotangent that does not fit its value."""
    return (value_refusal if is_shape or word == "cotangent" else refusal)("AG144", message, help)
