"""Programs whose derivatives are checked: what a file of them declares."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

LOG: list[Any] = []
"""What programs append to: an effect outside of them. A run clears it first."""


@dataclass
class Program:
    """A program as users write it.

    Attributes:
        function: The program.
        inputs: The calls: positional arguments, that take every path of it.
        wrt: The positions of what it is differentiated with respect to.
        smooth: Whether differences of the value say what the gradient is. A `grad_of` block changes it.
        wanted: Otherwise, what the gradient is.
        writes: Whether it writes to its arguments.
    """

    function: Callable[..., Any]
    inputs: list[tuple[Any, ...]]
    wrt: tuple[int, ...] = (0,)
    wanted: Callable[..., Any] | None = None
    tolerance: float = 2e-6
    keywords: dict[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return self.function.__name__


class Programs:
    """The programs of one file."""

    def __init__(self) -> None:
        self.found: list[Program] = []

    def on(self, *inputs: Any, **options: Any) -> Callable[[Any], Any]:
        """Declares a program with its inputs; one that is no tuple is the only argument."""

        def declare(function: Any) -> Any:
            calls = [one if isinstance(one, tuple) else (one,) for one in inputs]
            self.found.append(Program(function, calls, **options))
            return function

        return declare
