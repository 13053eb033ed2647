"""Replacing the placeholders of a template by symbols, expressions and statements.

.. code-block:: python

    f(x, y=1)      # x = [a, b]           f(a, b, y=1)
    x = x + 1      # x = a.b (Load)       a.b = a.b + 1, Store on the left
    obj.x          # x = "size"           obj.size

A replacement that does not fit its place raises an error that shows the place in the template.
"""

from __future__ import annotations

import ast
import copy
import keyword
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NoReturn

from autograph._src.transformations.contexts import ASSIGNABLE, with_context
from autograph._src.transformations.text_errors import TextError

_POSITION = ("lineno", "col_offset", "end_lineno", "end_col_offset")

_SYMBOL_FIELDS = {
    "FunctionDef": ("name",),
    "AsyncFunctionDef": ("name",),
    "ClassDef": ("name",),
    "Attribute": ("attr",),
    "alias": ("name", "asname"),
    "ExceptHandler": ("name",),
    "MatchAs": ("name",),
    "MatchStar": ("name",),
    "MatchMapping": ("rest",),
    "TypeVar": ("name",),
    "TypeVarTuple": ("name",),
    "ParamSpec": ("name",),
    "keyword": ("arg",),
    "arg": ("arg",),
    "Global": ("names",),
    "Nonlocal": ("names",),
}
"""The fields of nodes that hold names as strings. ``ast.Name`` is missing: it is replaced as a whole."""

_ITEM_FIELDS = {
    ("Call", "args"),
    ("Tuple", "elts"),
    ("List", "elts"),
    ("Set", "elts"),
    ("FunctionDef", "decorator_list"),
    ("AsyncFunctionDef", "decorator_list"),
    ("ClassDef", "decorator_list"),
    ("ClassDef", "bases"),
    ("Assign", "targets"),
    ("Delete", "targets"),
}
"""The fields in which several expressions may replace one."""


class Placeholders:
    """The replacements for the names of one template.

    Args:
        text: The template.
        replacements: The replacement for each name.
    """

    def __init__(self, text: str, replacements: Mapping[str, Any]) -> None:
        self._text = text
        self._replacements = replacements
        self._used: set[str] = set()
        self._own: dict[int, ast.AST] = {}

    def fill(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        """The statements with all replacements inserted; the template's own nodes lose their positions."""
        self._own = {id(node): node for statement in statements for node in ast.walk(statement)}
        filled = list(self._statements(statements))
        for name in self._replacements:
            if name not in self._used:
                lines = self._text.splitlines() or [""]
                self._refuse_at(
                    (1, 0, 1, len(lines[0].encode())),
                    f"the template has no name `{name}`",
                    "leave the replacement out, or use the name in the template",
                )
        for node in self._own.values():
            for attribute in _POSITION:
                if attribute in node._attributes and hasattr(node, attribute):
                    delattr(node, attribute)
        return filled

    def _statements(self, statements: list[ast.stmt]) -> Iterator[ast.stmt]:
        for statement in statements:
            match statement:
                case ast.Expr(ast.Name(name) as place) if name in self._replacements:
                    yield from self._statement(place)
                case _:
                    self._fields(statement)
                    yield statement

    def _statement(self, place: ast.Name) -> Iterator[ast.stmt]:
        value = self._take(place.id)
        for item in [value] if isinstance(value, (str, ast.AST)) else value:
            if isinstance(item, ast.stmt):
                yield copy.deepcopy(item)
            elif isinstance(item, (str, ast.expr)):
                yield ast.Expr(self._expression(place, item, ast.Load()))
            else:
                self._refuse_kind(place, place.id, item, "a statement, an expression or a symbol")

    def _fields(self, node: ast.AST) -> None:
        kind = type(node).__name__
        if isinstance(node, ast.arguments):
            self._parameters(node)
            return
        for name in _SYMBOL_FIELDS.get(kind, ()):
            value = getattr(node, name)
            if isinstance(value, list):
                setattr(node, name, [symbol for each in value for symbol in self._symbols(node, each)])
            elif value in self._replacements:
                setattr(node, name, self._symbol(node, value))
        for name, value in ast.iter_fields(node):
            if isinstance(value, ast.Name) and value.id in self._replacements:
                setattr(node, name, self._expression(value, self._take(value.id), value.ctx))
            elif isinstance(value, ast.AST):
                self._fields(value)
            elif isinstance(value, list) and value and isinstance(value[0], ast.stmt):
                setattr(node, name, self._block(node, name, value))
            elif isinstance(value, list):
                setattr(node, name, self._list(node, name, value))

    def _block(self, node: ast.AST, name: str, statements: list[ast.stmt]) -> list[ast.stmt]:
        """Fills a block; an empty one becomes ``pass`` where Python needs a statement."""
        filled = list(self._statements(statements))
        return filled or ([ast.Pass()] if name == "body" else [])

    def _list(self, node: ast.AST, field: str, items: list[Any]) -> list[Any]:
        may_be_several = (type(node).__name__, field) in _ITEM_FIELDS
        filled: list[Any] = []
        for item in items:
            if isinstance(item, ast.Name) and item.id in self._replacements:
                value = self._take(item.id)
                values = list(value) if may_be_several and not isinstance(value, (str, ast.AST)) else [value]
                for each in values:
                    if isinstance(each, ast.keyword) and isinstance(node, ast.Call) and field == "args":
                        node.keywords.append(copy.deepcopy(each))
                    else:
                        filled.append(self._expression(item, each, item.ctx))
            elif isinstance(item, ast.keyword) and id(item) in self._own and self._has_keywords(item):
                assert item.arg is not None
                for each in self._several(item, item.arg):
                    if not isinstance(each, ast.keyword):
                        self._refuse_kind(item, item.arg, each, "a name or a list of `ast.keyword`")
                    filled.append(copy.deepcopy(each))
            else:
                if isinstance(item, ast.AST) and id(item) in self._own:
                    self._fields(item)
                filled.append(item)
        if not filled and items and field == "targets":
            self._refuse(node, "nothing is left to assign to", "put in at least one target")
        return filled

    def _has_keywords(self, item: ast.keyword) -> bool:
        return item.arg in self._replacements and not isinstance(self._replacements[item.arg or ""], str)

    def _parameters(self, arguments: ast.arguments) -> None:
        """Fills parameters; a single parameter may be replaced by a whole parameter list."""
        alone = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
        if len(alone) == 1 and arguments.vararg is None and arguments.kwarg is None:
            value = self._replacements.get(alone[0].arg)
            if isinstance(value, ast.arguments):
                self._used.add(alone[0].arg)
                for field, part in ast.iter_fields(copy.deepcopy(value)):
                    setattr(arguments, field, part)
                return
        for field in ("defaults", "kw_defaults"):
            setattr(arguments, field, self._list(arguments, field, getattr(arguments, field)))
        for field in ("posonlyargs", "args", "kwonlyargs"):
            found = []
            for parameter in getattr(arguments, field):
                several = list(self._parameter(parameter))
                if len(several) != 1 and (field == "kwonlyargs" or self._has_default(arguments, parameter)):
                    self._refuse(
                        parameter,
                        f"`{parameter.arg}` stands for one parameter here, not for {len(several)}",
                        "put in one, or give the template positional parameters without defaults",
                    )
                found.append(several)
            setattr(arguments, field, [each for several in found for each in several])
        for field in ("vararg", "kwarg"):
            parameter = getattr(arguments, field)
            if parameter is not None:
                several = list(self._parameter(parameter))
                if len(several) != 1:
                    self._refuse(parameter, f"`{parameter.arg}` stands for one parameter here", "put in one")
                setattr(arguments, field, several[0])

    def _has_default(self, arguments: ast.arguments, parameter: ast.arg) -> bool:
        positional = [*arguments.posonlyargs, *arguments.args]
        with_default = positional[len(positional) - len(arguments.defaults) :]
        return any(each is parameter for each in with_default)

    def _parameter(self, parameter: ast.arg) -> Iterator[ast.arg]:
        name = parameter.arg
        if parameter.annotation is not None:
            self._fields(parameter)
        if name not in self._replacements:
            yield parameter
            return
        for each in self._several(parameter, name):
            if isinstance(each, ast.arg):
                yield copy.deepcopy(each)
            elif isinstance(each, (str, ast.Name)):
                symbol = each if isinstance(each, str) else each.id
                yield ast.arg(self._checked_symbol(parameter, name, symbol), parameter.annotation)
            else:
                self._refuse_kind(parameter, name, each, "a symbol or an `ast.arg`")

    def _symbols(self, node: ast.AST, name: str) -> list[str]:
        if name not in self._replacements:
            return [name]
        value = self._take(name)
        several = [value] if isinstance(value, (str, ast.AST)) else value
        return [self._symbol_of(node, name, each) for each in several]

    def _symbol(self, node: ast.AST, name: str) -> str:
        return self._symbol_of(node, name, self._take(name))

    def _symbol_of(self, node: ast.AST, name: str, value: object) -> str:
        symbol = value.id if isinstance(value, ast.Name) else value
        if not isinstance(symbol, str):
            self._refuse_kind(node, name, value, "a symbol")
        if isinstance(node, ast.alias):
            for part in symbol.split("."):
                self._checked_symbol(node, name, part)
            return symbol
        return self._checked_symbol(node, name, symbol)

    def _checked_symbol(self, node: ast.AST, name: str, symbol: str) -> str:
        if not symbol.isidentifier() or keyword.iskeyword(symbol):
            self._refuse(node, f"{symbol!r}, put in for `{name}`, is not a name", "names stand here alone")
        return symbol

    def _expression(self, place: ast.Name, value: object, context: ast.expr_context) -> ast.expr:
        if isinstance(value, str):
            node = self._dotted(place, value)
        elif isinstance(value, ast.Expr):
            node = copy.deepcopy(value.value)
        elif isinstance(value, ast.expr):
            node = copy.deepcopy(value)
        else:
            self._refuse_kind(place, place.id, value, "a symbol or one expression")
        if not isinstance(context, ast.Load) and not isinstance(node, ASSIGNABLE):
            self._refuse(
                place,
                f"`{type(node).__name__}`, put in for `{place.id}`, cannot be assigned to",
                "put in a name, an attribute, a subscript, or a tuple or list of those",
            )
        return with_context(node, context)

    def _dotted(self, place: ast.Name, text: str) -> ast.expr:
        first, *rest = text.split(".")
        if text in ("None", "True", "False"):
            return ast.Constant({"None": None, "True": True, "False": False}[text])
        node: ast.expr = ast.Name(self._checked_symbol(place, place.id, first), ast.Load())
        for attribute in rest:
            node = ast.Attribute(node, self._checked_symbol(place, place.id, attribute), ast.Load())
        return node

    def _several(self, node: ast.AST, name: str) -> Sequence[Any]:
        value = self._take(name)
        return [value] if isinstance(value, (str, ast.AST)) else list(value)

    def _take(self, name: str) -> Any:
        self._used.add(name)
        value = self._replacements[name]
        if isinstance(value, (str, ast.AST)):
            return value
        try:
            return list(value)
        except TypeError:
            return value

    def _refuse_kind(self, node: ast.AST, name: str, value: object, wanted: str) -> NoReturn:
        found = "several nodes" if isinstance(value, list) else f"`{type(value).__name__}`"
        self._refuse(node, f"`{name}` stands where {wanted} is needed, not {found}", f"put in {wanted}")

    def _refuse(self, node: ast.AST, message: str, help: str) -> NoReturn:
        position = tuple(getattr(node, attribute, 0) or 0 for attribute in _POSITION)
        self._refuse_at((position[0], position[1], position[2], position[3]), message, help)

    def _refuse_at(self, position: tuple[int, int, int, int], message: str, help: str) -> NoReturn:
        raise TextError(message, self._text, position, code="AG012", help=help)
