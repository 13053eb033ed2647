"""Known faults: what the writers do not write, and differences that are counted as known, for each its cause.

An entry is taken out when its fault is mended.
"""

from __future__ import annotations

from fuzzer.outcome import Outcome

AVOIDED = {
    "while True": "what stands after `while True: … break` counts as unreachable once the break is lowered",
    "closure in an expression": "a staged `a if t else b`, `and`, `or` whose operand calls a closure that"
    " writes a variable records the write on both paths: wrong, or a graph that is not well-formed",
    "del in a staged branch": "the state of the branch reads the variable that is gone: NameError",
    "equal code twice": "functions with equal code objects share a conversion and its file name",
}
"""Not written."""


def known_fault(got: Outcome, want: Outcome) -> str | None:
    """The name of the known fault that explains how a staged run differs, if one does."""
    if got.error is None or want.error is None:
        return None
    got_kind, got_message = got.error[0][:2]
    want_kind, want_message = want.error[0][:2]
    if (got_kind, want_kind) == ("UnboundLocalError", "NameError") and "free variable" in want_message:
        return "a staged free variable that is unbound raises UnboundLocalError, not NameError"
    words = "not supported between instances of"
    if got_kind == want_kind == "TypeError" and words in got_message and words in want_message:
        # Python itself turns `1 < staged` around before the back-end sees it.
        return "the message of a comparison that fails names the operands in the other order"
    return None
