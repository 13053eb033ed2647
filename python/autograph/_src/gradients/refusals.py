"""Refusals of arguments and results that have no derivative: ``TypeError``s, as in JAX."""

from __future__ import annotations

from autograph._src.staging.trace.frames import here
from autograph.errors import DtypeError


def refusal(code: str, message: str, help: str | None = None) -> DtypeError:
    """The error, located at the user's line that is running now."""
    return DtypeError(message, code=code, location=here(), help=help)
