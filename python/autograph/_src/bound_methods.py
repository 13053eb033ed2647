"""What a staged method is on an object, for type checkers and editors: its parameters without ``self``.

    class Layer:
        @ag.function
        def forward(self, x: Floats) -> Floats: ...

    layer.forward           # to a checker `BoundMethod[[Floats], Floats]`; when it runs, a bound method

A bound method of Python gives the attributes of its function, so those of a staged function are here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from typing import ParamSpec, TypeVar

    from autograph._src.concrete import ConcreteFunction

    P = ParamSpec("P")
    R_co = TypeVar("R_co", covariant=True)

    class Anything:
        """A class that no parameter names: one that takes its objects takes any."""

    class BoundMethod(Protocol[P, R_co]):
        """A staged method of an object."""

        __name__: str
        __qualname__: str
        __self__: Any
        __func__: Any
        retraces: list[str]

        def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R_co:
            """Runs the method."""

        def signatures(self) -> list[str]:
            """The signatures of the specialisations."""

        def concrete_functions(self) -> list[ConcreteFunction]:
            """The specialisations."""

        def concrete_function(self, *args: Any, **kwargs: Any) -> ConcreteFunction:
            """The specialisation for an object and arguments."""
