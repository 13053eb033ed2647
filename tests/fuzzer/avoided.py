"""Known faults: what the writers do not write, and differences that are counted as known, for each its cause.

An entry is taken out when its fault is mended.
"""

from __future__ import annotations

from fuzzer.outcome import Outcome

AVOIDED: dict[str, str] = {
    "an item of another shape": "`rows[0] = rows[1]` of arrays of two shapes: a derivative as source gives"
    " the adjoint of the item before the write the shape of the item after it.",
}
"""Not written, or not reached."""


def known_fault(got: Outcome, want: Outcome) -> str | None:
    """The name of the known fault that explains how a run differs, if one does."""
    if got.error is None or want.error is None:
        return None
    got_kind, got_message = got.error[0][:2]
    want_kind, want_message = want.error[0][:2]
    is_type_error = got_kind == want_kind == "TypeError"
    if is_type_error and "=:" in want_message and got_message == want_message.replace("=:", ":"):
        # `1 |= staged` comes to the back-end as `1 | staged`.
        return "the message of an augmented assignment that fails names the plain operator"
    words = "not supported between instances of"
    if is_type_error and got_message != want_message and words in got_message and words in want_message:
        # Python itself turns `1 < staged` around before the back-end sees it.
        return "the message of a comparison that fails names the operands in the other order"
    return None


def known_fault_of_source(error: object) -> str | None:
    """The name of the known fault that explains what a derivative as source raises, if one does."""
    if isinstance(error, AttributeError) and "'float' object has no attribute 'append'" in str(error):
        return "the adjoint of a list that no path may have made is a number"
    return None
