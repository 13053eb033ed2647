"""What a back-end is told of iterators: who takes their items, where, and what is held meanwhile."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from types import FunctionType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from autograph._src.operators.places import Place


class OfIterators:
    """The methods of back-ends about iterators; each only notifies, or tells what recordings know."""

    def will_advance(self, iterator: object, is_alone: bool = False) -> None:
        """Notifies that a plain iterator is about to be advanced, or it and what it takes from."""

    def took_over(self, iterator: Any, is_whole: bool) -> None:
        """Notifies that statements run what an iterator would do, which counts as consumed from now on.

        Args:
            iterator: A generator that has not begun.
            is_whole: Whether they run to its end; if not, only a run knows how far.
        """

    def takes_steps(self, function: FunctionType) -> bool:
        """Whether something takes the items of a generator function one by one, as earlier recordings know.

        Args:
            function: The generator function.

        Returns:
            False: one statement takes all that are taken.
        """
        return False

    def learn_steps(self, functions: Sequence[FunctionType]) -> None:
        """Records anew with the steps of these generator functions, unless the recording knows them.

        Args:
            functions: The generator functions.
        """

    def existed(self, value: Any) -> None:
        """Notifies of an object that is new but stands where it was before all blocks."""

    def made_by(self, generator: Any, element: Any) -> object:
        """Notifies of the function that gives the items of a staged generator; returns the generator."""
        return generator

    def open_blocks(self) -> int:
        """How many staged blocks are being recorded."""
        return 0

    def is_of_blocks(self, value: object, outer: int) -> bool:
        """Whether an object was made in a staged block that is being recorded.

        Args:
            value: The object.
            outer: How many of the blocks, from the outermost one on, do not count.
        """
        return False

    def parts_of(self, value: object, is_own: bool) -> tuple[str, tuple[Any, ...]] | None:
        """What a staged `zip` or `enumerate` was made of, and its class; it is used up then.

        Args:
            value: The value.
            is_own: Whether who asks has asked before.
        """
        return None

    def learn_steps_of(self, value: object) -> None:
        """As :meth:`learn_steps`, of a generator that the back-end has made."""

    def range_parts(self, value: Any) -> tuple[Any, Any, Any] | None:
        """The number of items of a staged range, the first and the difference; ``None`` for other values."""
        return None

    def statement(self) -> Any:
        """The place of the running statement, for :meth:`holds`."""
        return None

    def holds(
        self, statement: Any, places: Sequence[Place], is_inside: bool = False
    ) -> AbstractContextManager[None]:
        """A context manager around what a statement holds, which the code that it walks over calls.

        Args:
            statement: The statement's place.
            places: The variables that are written there, and belong to none of the blocks around.
            is_inside: Whether handlers of that code are around it, which are to take nothing from it.
        """
        return nullcontext()
