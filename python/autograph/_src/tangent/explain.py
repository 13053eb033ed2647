"""What a derivative keeps for its backward pass, and why: read from the generated text itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from autograph._src.source import source_of
from autograph._src.tangent.kept_values import Keeping, Read, Value
from autograph._src.tangent.recomputing import cost_of

if TYPE_CHECKING:
    from autograph._src.tangent.pieces import Derivative, Piece

How = Literal["argument", "value", "copy", "form", "count", "branch", "callee", "start"]


@dataclass(frozen=True)
class Place:
    """A line of the user's file."""

    line: int
    text: str


@dataclass(frozen=True)
class Reason:
    """What of the backward pass reads a value.

    Attributes:
        place: The statement whose backward pass reads it.
        operation: The operation whose derivative reads it; empty where no derivative does.
        words: The reason in words.
        is_form: Whether class, shape and dtype alone are read.
    """

    place: Place
    operation: str
    words: str
    is_form: bool = False


@dataclass(frozen=True)
class Kept:
    """A value that the forward pass keeps for the backward pass.

    Attributes:
        function: The generated function that keeps it.
        name: Its name in the generated text.
        value: What it is the value of, there: a variable or an expression.
        how: ``"argument"``, which the caller has too; ``"value"``; ``"copy"`` of an array that is written in
            place; ``"form"``: class, shape and dtype, without memory; ``"count"`` of iterations;
            ``"branch"``: which one was taken; ``"callee"``: what the forward pass of a function keeps;
            ``"start"`` of what runs again.
        is_list: Whether there is one for each iteration, in a list.
        made: The statements that make the value.
        reasons: What reads it.
        overwritten: The statement that binds the variable anew, or writes into its array, after that.
        recompute: What computing it again would take, in words.
    """

    function: str
    name: str
    value: str
    how: How
    is_list: bool
    made: tuple[Place, ...]
    reasons: tuple[Reason, ...]
    overwritten: Place | None
    recompute: str

    def __str__(self) -> str:
        lines = [f"`{self.name}`: {self._words()}"]
        width = max((len(str(place.line)) for place in self._places()), default=1)

        def row(label: str, place: Place, more: str = "") -> str:
            return f"    {label:<12}{place.line:>{width}} | {place.text}" + (f"    {more}" if more else "")

        lines += [row("made", place) for place in self.made]
        lines += [row("read", reason.place, reason.words) for reason in self.reasons]
        if self.overwritten is not None:
            lines.append(row("written" if self.how == "copy" else "overwritten", self.overwritten))
        lines.append(f"    again: {self.recompute}")
        return "\n".join(lines)

    def _places(self) -> list[Place]:
        places = [*self.made, *(reason.place for reason in self.reasons)]
        return places if self.overwritten is None else [*places, self.overwritten]

    def _words(self) -> str:
        words = {
            "argument": "an argument, as it is",
            "value": f"the value of `{self.value}`"
            if self.value != self.name
            else "a value, under its own name",
            "copy": f"a copy of `{self.value}`, whose array is written in place",
            "form": f"class, shape and dtype of `{self.value}`, without its memory",
            "count": "how often a loop ran",
            "branch": f"whether `{self.value}`" if self.value != self.name else "which branch was taken",
            "callee": f"what `{self.value}` keeps, below",
            "start": f"`{self.value}` as it is where a block begins that runs again",
        }[self.how]
        return f"{words}; a list with one item each time" if self.is_list else words


@dataclass(frozen=True)
class Explanation:
    """What a derivative keeps for its backward pass; printed, a paragraph for each value.

    Attributes:
        name: The derivative.
        entries: The values, by function of the text, in the order in which the text makes them.
    """

    name: str
    entries: tuple[Kept, ...]

    def __str__(self) -> str:
        count = len(self.entries)
        head = f"{self.name} keeps {'nothing' if not count else f'{count} value' + 's' * (count > 1)}"
        parts = [f"{head} for its backward pass"]
        function = self.name
        for entry in self.entries:
            if entry.function != function:
                function = entry.function
                parts.append(f"in {function}:")
            parts.append(str(entry))
        return "\n\n".join(parts)

    __repr__ = __str__


def explained(derivative: Derivative, name: str) -> Explanation:
    """What the functions of a derivative keep."""
    originals = {piece.name: piece.original.__name__ for piece in derivative.pieces}
    entries: list[Kept] = []
    for index, piece in enumerate(derivative.pieces):
        following = derivative.pieces[index + 1] if index + 1 < len(derivative.pieces) else None
        if piece.backward == 0:
            is_half = (
                following is not None and following.backward == 2 and following.original is piece.original
            )
            if following is None or not is_half or not following.takes_saved:
                continue
            entries += _entries(Keeping.of_halves(piece, following), piece, following, originals)
        elif not piece.takes_saved:
            entries += _entries(Keeping.of_one(piece), piece, piece, originals)
    return Explanation(name, tuple(entries))


def _entries(keeping: Keeping, first: Piece, second: Piece, originals: dict[str, str]) -> list[Kept]:
    text = source_of(first.original).text.splitlines()

    def place(piece: Piece, line: int) -> Place:
        number = piece.lines[line - 1]
        return Place(number, text[number - 1].strip() if 0 < number <= len(text) else "")

    def made_of(lines: list[int]) -> tuple[Place, ...]:
        return tuple(dict.fromkeys(place(first, line) for line in lines))

    entries = []
    for one in keeping.values():
        reads = keeping.reads_of(one)
        reasons = [why for read in reads for why in _reasons(read, one, second, place, originals)]
        values = {why.operation for why in reasons if not why.is_form}
        reasons = [why for why in reasons if not (why.is_form and why.operation and why.operation in values)]
        again = cost_of(keeping, one, originals, lambda line: place(first, line).line)
        if one.how in ("value", "copy") and reasons and all(why.is_form for why in reasons):
            again = f"only its shape is read; the value would take {again}"
        lost = keeping.loss_of(one)
        entries.append(
            Kept(
                first.name,
                one.name,
                _shown(one.value, originals),
                one.how,
                one.is_list,
                made_of(keeping.bindings_of(one)),
                tuple(dict.fromkeys(reasons)),
                None if lost is None else place(first, lost),
                again,
            )
        )
    return entries


def _shown(text: str, originals: dict[str, str]) -> str:
    """Generated text in terms of the user's functions: ``layer(x)`` for ``layer_forward(x)``."""
    for name, original in originals.items():
        text = text.replace(f"{name}(", f"{original}(")
    return originals.get(text, text)


def _reasons(
    read: Read, value: Value, piece: Piece, place: Callable[[Piece, int], Place], originals: dict[str, str]
) -> list[Reason]:
    """Why the backward pass reads a value there."""
    if read.section.startswith("Again: "):
        head = read.section.removeprefix("Again: ").rstrip(":")
        where = place(piece, read.section_line + 1)
        return [Reason(where, "", f"the second run of `{head}` begins with it")]
    where = place(piece, read.line)
    is_form = read.kind in ("form", "zeros", "gradient")
    name = value.value if value.how in ("form", "copy") else value.variable
    shown = f"the shape of `{name}`" if is_form else f"`{name}`"
    operations = [
        _shown(operation, originals)
        for line, operation, names in piece.derivatives
        if line == where.line and value.variable in names
    ]
    if operations and read.kind not in ("zeros", "gradient"):
        return [Reason(where, one, f"the derivative of `{one}` reads {shown}", is_form) for one in operations]
    words = {
        "zeros": "an adjoint begins as zeros of its form",
        "gradient": "the gradient has its class, shape and dtype",
        "branch": "the backward pass takes the branch that was taken",
        "loop": "the backward pass goes through the loop as often",
    }
    return [Reason(where, "", words.get(read.kind, f"`{read.text}` reads {shown}"), is_form)]
