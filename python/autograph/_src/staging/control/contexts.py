"""The exceptions that were being handled when a recording was refused: those that a person can read.

except ValueError as error:         # `error` holds a staged value while the handler is recorded
lines.append(values[error])     # refused: the refusal does not show the exception as its context
"""

from __future__ import annotations

from autograph._src.staging.control.run_templates import holds_staged
from autograph._src.staging.trace.exception_parts import put
from autograph.errors import AutographError


def leave_out_staged_contexts(error: BaseException) -> None:
    """Takes exceptions with staged values in them out of the contexts of a refusal."""
    if not isinstance(error, AutographError):
        return
    one: BaseException = error
    while (context := one.__context__) is not None:
        if holds_staged(context, ()):
            put(one, "__context__", context.__context__)
        else:
            one = context
