"""The text of a derivative for known forms: what the analysis has found, as functions."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from autograph._src.tangent.drivers import other_name
from autograph._src.tangent.forms.analysis import Analysis, Pass, Text
from autograph._src.tangent.forms.edits import Edit, edited
from autograph._src.tangent.forms.values import Value
from autograph._src.tangent.pieces import Derivative, Piece

LEAST = 2
"""How many calls a text has less, for it to be worth its check."""


@dataclass(frozen=True)
class Known:
    """A text for known forms.

    Attributes:
        pieces: Its functions.
        variables: What else it relies on: namespaces, names, and what these hold, or ``None`` for nothing.
    """

    pieces: list[Piece]
    variables: list[tuple[dict[str, Any], str, object]]


def known_for(derivative: Derivative, forms: Sequence[Value]) -> Known | None:
    """The text of a derivative for the forms of its arguments; none if it is worth nothing.

    Args:
        derivative: What it is made of.
        forms: What is known of each parameter.
    """
    if derivative.texts is None:
        derivative.texts = _parsed(derivative)
    texts = derivative.texts
    analysis = Analysis(texts)
    first = analysis.run(derivative.name, tuple(forms))
    passes = _reached(first)
    saved = sum(edit.saved for one in passes for edit in one.edits)
    if not first.is_followed or saved < LEAST:
        return None
    order = {piece.name: place for place, piece in enumerate(derivative.pieces)}
    passes = [first, *sorted(passes[1:], key=lambda one: order[one.text.name])]
    names = _names(passes, {*order, *(one.text.name for one in passes)})
    by_name = {piece.name: piece for piece in derivative.pieces}
    pieces = [_piece(by_name[one.text.name], one, names) for one in passes]
    return Known(pieces, list(analysis.variables.values()))


def _parsed(derivative: Derivative) -> dict[str, Text]:
    found = {}
    for piece in derivative.pieces:
        (tree,) = ast.parse(piece.text).body
        assert isinstance(tree, ast.FunctionDef)
        found[piece.name] = Text(piece.name, tree, derivative.functions[piece.name])
    return found


def _reached(first: Pass) -> list[Pass]:
    """A pass, and those that it calls, that are followed."""
    found = {id(first): first}
    waiting = [first]
    while waiting:
        for called in waiting.pop(0).calls.values():
            if called.is_followed and id(called) not in found:
                found[id(called)] = called
                waiting.append(called)
    return list(found.values())


def _names(passes: Sequence[Pass], taken: set[str]) -> dict[int, str]:
    """A name for each pass: that of its function, unless another has it, or that one is called as it is."""
    found: dict[int, str] = {}
    unfollowed = {
        called.text.name for one in passes for called in one.calls.values() if not called.is_followed
    }
    used = set(unfollowed)
    for one in passes:
        name = one.text.name
        if name in used:
            name = other_name(name, taken)
        used.add(name)
        found[id(one)] = name
    return found


def _piece(piece: Piece, made: Pass, names: dict[int, str]) -> Piece:
    """The text of one pass."""
    edits = list(made.edits)
    for node, called in made.calls.items():
        new = names.get(id(called), called.text.name)
        if new != node.id:
            edits.append(Edit(node, (new,), saved=0))
    text, dropped = edited(piece.text, edits, made.text.parents)
    name = names[id(made)]
    if name != piece.name:
        text = text.replace(f"def {piece.name}(", f"def {name}(", 1)
    lines = [line for number, line in enumerate(piece.lines) if number not in dropped]
    before = sum(number + 1 < piece.backward for number in dropped)
    backward = piece.backward and piece.backward - before
    return replace(piece, name=name, text=text, lines=lines, backward=backward, general=piece.name)
