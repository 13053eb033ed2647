"""Code of the user's in the backward pass: ``with grad_of(x) as dx:``."""

from __future__ import annotations

from types import TracebackType
from typing import Any


class grad_of:  # noqa: N801 - it reads as a word of the language, as the paper has it.
    """Puts the block into the backward pass, where ``dx`` is the gradient of ``x`` so far.

    ::

        def f(x):
            with tangent.grad_of(x) as dx:
                if dx > 10:
                    print("large gradient", dx)
                dx /= 2
            return x * x

    The block runs where the backward pass comes to the place of the statement: after what is below it. It may
    read variables of the function, print, raise, assign to ``dx``, and leave a loop of the backward pass with
    ``break``. The function itself skips the block; decorate it with `tangent` to call it.

    Args:
        variable: The variable whose gradient it is.

    Raises:
        RuntimeError: Where the statement runs outside of a derivative.

    Source: section 2.2 and Listing 4 of the Tangent paper.
    """

    def __init__(self, variable: object) -> None:
        self.variable = variable

    def __enter__(self) -> Any:
        raise RuntimeError(
            "`grad_of` is a block of the backward pass: decorate the function with `@tangent.tangent` to"
            " call it"
        )

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> Any:
        return None


insert_grad_of = grad_of
"""The name that `grad_of` has in Tangent's code."""
