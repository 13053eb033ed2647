"""The help texts that the package's source has as literals, for `tests/test_remedies_are_run.py`.

A help is an argument named `help`, `remedy` or `advice`, by its name or by its place in a function of the
package that has such a parameter; a constant such as `_HELP`; or what a function `_remedy` returns. Where
an f-string fills something in, a text has `…`.
"""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

PACKAGE = Path(__file__).parent.parent / "python" / "autograph"
NAMES = ("help", "remedy", "advice")
CONSTANTS = re.compile(
    r"HELP(?!ERS)|REMED|WITHOUT_|TO_FORMAT|_WALKED|LEAVE_IT|_OUTSIDE|_GENERATOR|_OF_TESTS|_OF_GENERATORS"
)
_WITH_HELP = re.compile(r"\bdef (\w+)\([^()]*?\b(?:help|remedy|advice)\b")
_WORDS = r"HELP|REMED|WITHOUT_|TO_FORMAT|_WALKED|\b(?:help|remedy|advice)\b|\bOfPython\("


@functools.cache
def literal_helps() -> dict[str, str]:
    """By text: the file of the package that has it, the first one in the order of names."""
    texts = {path: path.read_text() for path in sorted(PACKAGE.rglob("*.py"))}
    names = {name for text in texts.values() for name in _WITH_HELP.findall(text)} - {"__init__"}
    says = re.compile(rf"\b(?:{'|'.join(sorted(names))})\(|{_WORDS}")
    trees = {path: ast.parse(text) for path, text in texts.items() if says.search(text)}
    nodes = {path: [*ast.walk(tree)] for path, tree in trees.items()}
    places: dict[str, set[int]] = {}
    for node in (one for path in nodes for one in nodes[path]):
        _note_places(node, places)
    found: dict[str, str] = {}
    for path, inside in nodes.items():
        for node in inside:
            for value in _helps(node, places):
                for text in _texts(value):
                    if any(letter.isalpha() for letter in text):
                        found.setdefault(text, str(path.relative_to(PACKAGE)))
    return found


def _note_places(node: ast.AST, places: dict[str, set[int]]) -> None:
    """Notes at which place a function, or a class of fields, takes its help."""
    if isinstance(node, ast.FunctionDef):
        names = [one.arg for one in (*node.args.posonlyargs, *node.args.args)]
        names = names[1:] if names[:1] in (["self"], ["cls"]) else names
    elif isinstance(node, ast.ClassDef):
        fields = [one.target for one in node.body if isinstance(one, ast.AnnAssign)]
        names = [one.id for one in fields if isinstance(one, ast.Name)]
    else:
        return
    for place, name in enumerate(names):
        if name in NAMES:
            places.setdefault(node.name, set()).add(place)


def _helps(node: ast.AST, places: dict[str, set[int]]) -> Iterator[ast.expr]:
    """The expressions of a node that are helps."""
    if isinstance(node, ast.Call):
        yield from (one.value for one in node.keywords if one.arg in NAMES)
        name = getattr(node.func, "id", getattr(node.func, "attr", ""))
        given = [place for place in places.get(name, ()) if place < len(node.args)]
        if given:  # Of several functions of one name, the help comes last.
            yield node.args[max(given)]
    elif isinstance(node, ast.Assign):
        names = [one.id for one in node.targets if isinstance(one, ast.Name)]
        if any(name in NAMES or CONSTANTS.search(name) for name in names):
            yield node.value
    elif isinstance(node, ast.FunctionDef) and node.name.lstrip("_") in NAMES:
        yield from (one.value for one in ast.walk(node) if isinstance(one, ast.Return) and one.value)


def _texts(node: ast.expr) -> list[str]:
    """The texts that an expression may be, of those that are literals."""
    if isinstance(node, ast.Constant):
        return [node.value] if isinstance(node.value, str) else []
    if isinstance(node, ast.JoinedStr):
        return ["".join(str(one.value) if isinstance(one, ast.Constant) else "…" for one in node.values)]
    if isinstance(node, ast.IfExp):
        return [*_texts(node.body), *_texts(node.orelse)]
    if isinstance(node, ast.BoolOp):
        return [text for one in node.values for text in _texts(one)]
    if isinstance(node, ast.Dict):
        return [text for one in node.values for text in _texts(one)]
    if isinstance(node, ast.BinOp):
        left, right = _texts(node.left) or ["…"], _texts(node.right) or ["…"]
        return [one + other for one in left for other in right]
    return []


def is_shown_by(text: str, shown: Iterable[str]) -> bool:
    """Whether helps that programs get have one of a literal, with something in the place of `…`.

    Args:
        text: The literal.
        shown: What programs get, or parts of it.
    """
    pieces = text.split("…")
    long = [piece for piece in pieces if len(piece) >= _LEAST]
    for one in shown:
        if any(one in piece for piece in pieces):
            return True
        if any(piece in one for piece in long) if long else all(piece in one for piece in pieces):
            return True
    return False


_LEAST = 12
"""The fewest letters of a piece by which a help is known."""
