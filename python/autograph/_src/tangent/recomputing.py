"""What computing a kept value again would take, in words of operations."""

from __future__ import annotations

import ast
from collections.abc import Callable

from autograph._src.tangent.kept_values import Keeping, Value, root_of
from autograph._src.tangent.text_flow import helper_call, loops_around, writes_into

_OPERATORS = {
    ast.Add: "addition",
    ast.Sub: "subtraction",
    ast.Mult: "multiplication",
    ast.Div: "division",
    ast.FloorDiv: "division",
    ast.Mod: "remainder",
    ast.Pow: "power",
    ast.MatMult: "product of matrices",
    ast.USub: "negation",
}
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


class _Carried(Exception):
    """A value that the iteration before has left: the line of the loop."""

    def __init__(self, line: int) -> None:
        self.line = line


def cost_of(keeping: Keeping, value: Value, originals: dict[str, str], line_of: Callable[[int], int]) -> str:
    """What the statements that make a value compute, from what is kept besides."""
    if value.how == "argument":
        return "nothing: the caller has it"
    if value.how == "count":
        return "the loop, to count its iterations"
    if value.how == "callee":
        return f"the forward pass of `{originals.get(value.value, value.value)}`"
    root = root_of(value)
    if root in keeping.parameters and not keeping.bindings_of(value) and value.how != "branch":
        shape = "only a shape is kept; " if value.how == "form" else ""
        return f"{shape}nothing: the caller has it"
    kept = {
        one.variable
        for one in keeping.values()
        if one.name != value.name and one.how in ("argument", "value", "copy")
    }
    try:
        words = _Slice(keeping, kept, originals, max(value.lines)).words(value, root)
    except _Carried as carried:
        words = f"the loop at line {line_of(carried.line)}, from its beginning"
    return f"only a shape is kept; the value would take {words}" if value.how == "form" else words


class _Slice:
    """The operations that lead from kept values to another.

    Args:
        keeping: The passes.
        kept: The variables whose values are there.
        originals: By name of a generated function, that of the user's.
        last: The last line that may have a part in it.
    """

    def __init__(self, keeping: Keeping, kept: set[str], originals: dict[str, str], last: int) -> None:
        self._last = last
        self._keeping = keeping
        self._kept = kept
        self._originals = originals
        self._counts: dict[str, int] = {}
        self._seen: set[str] = set()

    def words(self, value: Value, root: str) -> str:
        if value.how == "branch" or (value.is_list and root not in self._keeping.bindings):
            try:
                self._expression(ast.parse(value.value, mode="eval").body)
            except SyntaxError:
                self._name(root)
        else:
            self._name(root)
        parts = [_counted(count, word) for word, count in self._counts.items()]
        return _joined(parts) if parts else "nothing: it is a name for what is there"

    def _name(self, name: str) -> None:
        found = self._keeping.bindings.get(name)
        if found is None or name in self._seen:
            return
        self._seen.add(name)
        for line in writes_into(self._keeping.nodes, name):
            loops = loops_around(self._keeping.nodes, line)
            if loops:
                raise _Carried(loops[0].lineno)
            if line < self._last and line not in [bound for bound, _ in found]:
                self._count("write")
        for line, value in found:
            loops = loops_around(self._keeping.nodes, line)
            is_carried = (
                name in self._keeping.parameters or len(found) > 1 or isinstance(value, ast.AugAssign)
            )
            if loops and is_carried:
                raise _Carried(loops[0].lineno)
            if line > self._last:
                continue
            if isinstance(value, ast.AugAssign):
                self._count(_OPERATORS.get(type(value.op), "operation"))
                self._expression(value.value)
            elif isinstance(value, tuple):
                self._expression(value[1])
            elif isinstance(value, ast.expr):
                self._expression(value)

    def _expression(self, expr: ast.AST) -> None:
        for node in ast.iter_child_nodes(expr):
            # What an index takes is not worth a word.
            if not (isinstance(expr, ast.Subscript) and node is expr.slice):
                self._expression(node)
        if isinstance(expr, ast.Name) and isinstance(expr.ctx, ast.Load):
            if expr.id not in self._kept:
                self._name(expr.id)
        elif isinstance(expr, (ast.BinOp, ast.UnaryOp)):
            self._count(_OPERATORS.get(type(expr.op), "operation"))
        elif isinstance(expr, ast.Compare):
            self._count("comparison")
        elif isinstance(expr, ast.Subscript) and isinstance(expr.ctx, ast.Load):
            self._count("look-up")
        elif isinstance(expr, ast.Call):
            self._call(expr)

    def _call(self, call: ast.Call) -> None:
        helper = helper_call(call)
        if helper is not None:
            if helper[0] == "copy":
                self._count("copy")
            return
        name = ast.unparse(call.func)
        if name in self._originals:
            self._count(f"call of `{self._originals[name]}`")
        elif name != "bool":
            self._count(f"`{name}`")

    def _count(self, word: str) -> None:
        self._counts[word] = self._counts.get(word, 0) + 1


def _counted(count: int, word: str) -> str:
    number = _NUMBERS[count] if count < len(_NUMBERS) else str(count)
    if count == 1:
        return f"{number} {word}"
    first, *rest = word.split(" ", 1)
    return f"{number} times {word}" if word.startswith("`") else " ".join([number, f"{first}s", *rest])


def _joined(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
