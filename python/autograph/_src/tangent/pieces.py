"""What a derivative is made of: how it is to be written, and the functions that were."""

from __future__ import annotations

import functools
from dataclasses import dataclass, field
from types import FunctionType
from typing import TYPE_CHECKING, Literal

from autograph._src.tangent.instances import Span

if TYPE_CHECKING:
    from autograph._src.tangent.forms.analysis import Text


@dataclass(frozen=True)
class Options:
    """How a derivative is to be written: what `autodiff` takes, and what `hvp` and `jacobian` need.

    Attributes:
        is_seed_fixed: Whether the adjoint of the result is 1.0, and no parameter.
        owner: The class of the object of a method.
        matrix: For a Jacobian, whether backward passes give its rows, or forward passes its columns.
    """

    wrt: tuple[str, ...] = ()
    preserve_result: bool = False
    value_first: bool = False
    check_dims: bool = True
    optimized: bool = True
    has_default_seed: bool = True
    is_forward: bool = False
    is_split: bool = False
    is_seed_fixed: bool = False
    owner: type | None = None
    matrix: Literal["", "rows", "columns"] = ""


@dataclass
class Level:
    """A definition on the way to the one that is differentiated; Rust reads the attributes."""

    span: Span | None
    given: list[str]
    objects: list[str]
    containers: list[str]
    is_constructor: bool
    extra: list[str]


@dataclass
class Request:
    """What the generator is asked for; Rust reads the attributes."""

    wrt: list[str]
    names: list[str]
    preserve_result: bool
    value_first: bool
    check_dims: bool
    optimized: bool
    has_default_seed: bool
    is_seed_fixed: bool
    is_callee: bool
    is_again: bool
    may_write: bool
    is_forward: bool
    writes: tuple[list[tuple[str, str]], str, list[str]] | None
    levels: list[Level]


@dataclass
class Piece:
    """A generated function: its text, the original, the lines of the original's file.

    Attributes:
        is_nested: Whether the original is defined in the function `original`.
        backward: The line with which the backward pass begins; 0 where there is none.
        derivatives: Those in it: line of the original's file, operation, and the variables that are read.
        takes_saved: Whether it is a backward pass alone, and is given what the forward pass has kept.
        classes: The classes of its variables that are objects.
        general: Of a text for known forms: the function that it is a text of.
        is_pass: Whether it gives a result and what is kept of it, or its tangent: writes to the one are
            nothing to the other.
        makes_object: Whether that result is a new object, which holds what it is given.
    """

    name: str
    text: str
    original: FunctionType
    lines: list[int]
    is_nested: bool = False
    backward: int = 0
    derivatives: list[tuple[int, str, list[str]]] = field(default_factory=list)
    takes_saved: bool = False
    classes: dict[str, type | None] = field(default_factory=dict)
    general: str = ""
    is_pass: bool = False
    makes_object: bool = False


@dataclass
class Derivative:
    """What a generated function is made of.

    Attributes:
        function: The function that it is a derivative of.
        text: The text of its file: itself, then the passes of the functions that it calls.
        file: The name of that file.
        pieces: The functions in the text.
        functions: By name: these functions, without any choice of another text.
        texts: Their trees, once the forms of arguments have been looked at.
    """

    function: FunctionType
    text: str
    file: str
    pieces: list[Piece] = field(default_factory=list)
    functions: dict[str, FunctionType] = field(default_factory=dict, repr=False)
    texts: dict[str, Text] | None = field(default=None, repr=False)

    @property
    def name(self) -> str:
        """The name of the derivative in the text, whatever it is called later."""
        return self.pieces[0].name

    @functools.cached_property
    def lines(self) -> dict[int, tuple[str, int]]:
        """By line of the text: file and line of the original, through derivatives of derivatives too."""
        found: dict[int, tuple[str, int]] = {}
        offset = 0
        for piece in self.pieces:
            file = piece.original.__code__.co_filename
            made = getattr(piece.original, "__tangent__", None)
            known = made.lines if isinstance(made, Derivative) else {}
            for number, line in enumerate(piece.lines, 1):
                found[offset + number] = known.get(line, (file, line))
            offset += piece.text.count("\n") + 2  # Two lines are between them.
        return found
