"""Makes a failing program small: takes parts away as long as it fails in the same way.

>>> print(shrink("a = 1\\nif a:\\n    b = 2\\n    c = 3\\n", lambda text: "c = 3" in text))
c = 3
"""

from __future__ import annotations

import ast
import time
from collections.abc import Callable, Iterator

from fuzzer.time_limit import TooLong, time_limit

SECONDS = 30.0
BODIES = ("body", "orelse", "finalbody", "handlers", "cases")


def shrink(text: str, fails: Callable[[str], bool], seconds: float = SECONDS) -> str:
    """The smallest program found.

    Args:
        text: A program for which `fails` holds.
        fails: Whether a program still fails in the same way.
        seconds: How long to try at most.
    """
    until = time.monotonic() + seconds
    text = ast.unparse(ast.parse(text))
    # A program that does not end, as many smaller ones do, is given up after a few times what this one needs.
    start = time.process_time()
    holds(fails, text, 20.0)
    patience = max(0.2, 5 * (time.process_time() - start))
    has_shrunk = True
    while has_shrunk:
        has_shrunk = False
        place = 0
        while time.monotonic() < until:
            smaller = nth(text, place)
            if smaller is None:
                break
            if smaller != text and len(smaller) <= len(text) and holds(fails, smaller, patience):
                text, has_shrunk = smaller, True
            else:
                place += 1
    return text


def holds(fails: Callable[[str], bool], text: str, seconds: float) -> bool:
    """Whether a program is one, ends within so many seconds of the processor, and still fails."""
    try:
        with time_limit(seconds):
            compile(text, "<shrinking>", "exec")
            return fails(text)
    except (Exception, TooLong):
        return False


def nth(text: str, place: int) -> str | None:
    """The text after the change of this number, or `None` if there are not so many."""
    tree = ast.parse(text)
    for number, change in enumerate(changes(tree)):
        if number == place:
            change()
            try:
                return ast.unparse(ast.fix_missing_locations(tree))
            except ValueError:  # Not a tree of Python any more.
                return text
    return None


def changes(tree: ast.AST) -> Iterator[Callable[[], None]]:
    """All ways to take a part away, large parts first."""
    nodes = list(ast.walk(tree))
    for node in nodes:
        for field in BODIES:
            body = getattr(node, field, None)
            if isinstance(body, list):
                yield from changes_of_body(node, field, body)
    for node in nodes:
        for field, value in ast.iter_fields(node):
            if isinstance(value, ast.expr):
                yield from changes_of_expression(
                    lambda new, node=node, field=field: setattr(node, field, new), value
                )
            elif isinstance(value, list) and field not in BODIES:
                for place, part in enumerate(value):
                    if isinstance(part, ast.AST):
                        yield lambda value=value, place=place: value.__delitem__(place)
                    if isinstance(part, ast.expr):
                        yield from changes_of_expression(
                            lambda new, value=value, place=place: value.__setitem__(place, new), part
                        )


def changes_of_body(node: ast.AST, field: str, body: list[ast.AST]) -> Iterator[Callable[[], None]]:
    for place, statement in enumerate(body):
        yield lambda place=place: body.__setitem__(slice(place, place + 1), without(node, field, body))
        for inner in ("body", "orelse", "finalbody"):
            parts = getattr(statement, inner, None)
            if isinstance(parts, list) and parts and field in ("body", "orelse", "finalbody"):
                yield lambda place=place, parts=parts: body.__setitem__(slice(place, place + 1), parts)


def without(node: ast.AST, field: str, body: list[ast.AST]) -> list[ast.AST]:
    """What stands for a statement that is taken away: a block needs one."""
    return [ast.Pass()] if field == "body" and len(body) == 1 and not isinstance(node, ast.Module) else []


def changes_of_expression(put: Callable[[ast.expr], None], value: ast.expr) -> Iterator[Callable[[], None]]:
    if isinstance(value, (ast.Name, ast.Constant)):
        return
    for new in (ast.Constant(0), ast.Constant(1), *direct_parts(value)):
        yield lambda new=new: put(new)


def direct_parts(value: ast.expr) -> list[ast.expr]:
    return [part for part in ast.iter_child_nodes(value) if isinstance(part, ast.expr)]
