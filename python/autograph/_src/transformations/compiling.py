"""From a tree to a function: the code of the tree with everything else from another function.

.. code-block:: python

    node, _ = parse_entity(f)      # def f(x, k=1): return x ** 2 + offset
    node = Squares().visit(node)   # def f(x, k=1): return x * x + offset
    g = to_callable(node, like=f)  # the globals, cells, defaults, annotations, attributes of f

Nodes that kept their positions give tracebacks the user's lines. A new node takes the position of the
first node inside it that has one, or else of the node before it.
"""

from __future__ import annotations

import ast
import copy
import itertools
import linecache
from collections.abc import Callable
from types import CodeType, FunctionType
from typing import Any

from autograph._src.closure_cells import EMPTY, cells_of, content_of
from autograph._src.convert import CONVERTED
from autograph._src.entities import plain_function
from autograph._src.source import TRANSFORMED
from autograph._src.transformations.parsing import FunctionNode
from autograph._src.transformations.printing import to_source
from autograph.errors import ConversionError

_FUTURES = 0x1FF0000
"""The flags of ``__future__`` imports, which the original was compiled under."""

_FACTORY = "make_transformed"
_numbers = itertools.count(1)


def to_callable(
    node: FunctionNode, /, *, like: Callable[..., Any], keep_positions: bool = True
) -> FunctionType:
    """Make a function with the code of a tree, and with everything else from another function.

    The tree is not changed. Its decorators are not applied.

    Args:
        node: A definition or a lambda, such as a changed tree from :func:`parse_entity`.
        like: The function that provides globals, closure cells, defaults, annotations, attributes and
            file name. If a parameter has a default in the tree but not in this function, its
            expression is evaluated.
        keep_positions: Whether tracebacks show the user's file. If not, the text of the tree becomes the
            function's source: tracebacks show that text, and the function can be converted and parsed
            again.

    Returns:
        The function; for a method a plain function, which is not bound.

    Raises:
        ConversionError: AG001 if Python cannot compile the tree, AG011 if ``like`` is not a Python
            function.

    Example:
        >>> import ast
        >>> from autograph.transformations import parse_entity, to_callable
        >>> def power(x, exponent=2):
        ...     return x ** exponent
        >>> node, _ = parse_entity(power)
        >>> node.body[0].value.op = ast.Mult()
        >>> to_callable(node, like=power)(5)
        10
    """
    original = plain_function(like)
    definition = copy.deepcopy(node)
    defaults = _defaults(definition, original)
    _strip(definition)
    tree = _wrapped(definition, original)
    if keep_positions:
        _fill_positions(tree, (1, 0, 1, 0))
        code = _compiled(tree, original, original.__code__.co_filename)
        code = _with_qualname(code, code.co_qualname, original.__code__.co_qualname)
        _mark_transformed(code)
    else:
        code = _compiled_from_text(tree, original)
    return _instance(code, original, defaults)


def _defaults(definition: FunctionNode, original: FunctionType) -> dict[str, Any]:
    """The defaults of the tree's parameters, by name."""
    code, values = original.__code__, dict(original.__kwdefaults__ or {})
    positional = code.co_varnames[: code.co_argcount]
    given = original.__defaults__ or ()
    values.update(zip(positional[len(positional) - len(given) :], given, strict=True))
    args = definition.args
    parameters = [*args.posonlyargs, *args.args]
    wanted: list[tuple[ast.arg, ast.expr | None]] = [
        *zip(parameters[len(parameters) - len(args.defaults) :], args.defaults, strict=True),
        *zip(args.kwonlyargs, args.kw_defaults, strict=True),
    ]
    held = {name: content_of(cell) for name, cell in cells_of(original).items()}
    scope = {name: value for name, value in held.items() if value is not EMPTY}
    found = {}
    for parameter, default in wanted:
        name = _mangled(parameter.arg, original)
        if default is None:
            continue
        if name not in values:
            expression = ast.Expression(default)
            _fill_positions(expression, (1, 0, 1, 0))
            compiled = _checked_compile(expression, code.co_filename, "eval", code.co_flags, original)
            values[name] = eval(compiled, original.__globals__, scope)
        found[name] = values[name]
    return found


def _mangled(name: str, original: FunctionType) -> str:
    class_name = _class_of(original.__code__.co_qualname)
    if class_name is None or not name.startswith("__") or name.endswith("__"):
        return name
    stripped = class_name.lstrip("_")
    return f"_{stripped}{name}" if stripped else name


def _class_of(qualname: str) -> str | None:
    """The innermost class of a qualified name: ``C`` of ``f.<locals>.C.method.<locals>.inner``."""
    parts = qualname.split(".")
    scopes = itertools.pairwise(parts)
    classes = [name for name, after in scopes if after != "<locals>" and not name.startswith("<")]
    return classes[-1] if classes else None


def _strip(definition: FunctionNode) -> None:
    """Removes the parts that run when the definition is executed: decorators, defaults, annotations."""
    args = definition.args
    args.defaults = [ast.Constant(None) for _ in args.defaults]
    args.kw_defaults = [default and ast.Constant(None) for default in args.kw_defaults]
    every = [*args.posonlyargs, *args.args, *args.kwonlyargs, args.vararg, args.kwarg]
    for parameter in every:
        if parameter is not None:
            parameter.annotation = None
    if not isinstance(definition, ast.Lambda):
        definition.decorator_list = []
        definition.returns = None
        if hasattr(definition, "type_params"):
            definition.type_params = []


def _wrapped(definition: FunctionNode, original: FunctionType) -> ast.Module:
    """The definition inside a function that binds its free variables, inside a class that mangles names."""
    if isinstance(definition, ast.Lambda):
        inner: ast.stmt = ast.Return(definition)
    else:
        inner = definition
    cells = [ast.arg(name) for name in original.__code__.co_freevars]
    none = ast.arguments(posonlyargs=[], args=cells, kwonlyargs=[], kw_defaults=[], defaults=[])
    wrapper: ast.stmt = ast.FunctionDef(_FACTORY, none, [inner], [], None)
    if hasattr(wrapper, "type_params") or "type_params" in wrapper._fields:
        wrapper.type_params = []  # type: ignore[attr-defined]
    class_name = _class_of(original.__code__.co_qualname)
    if class_name is not None:
        wrapper = ast.ClassDef(class_name, [], [], [wrapper], [])
        if "type_params" in wrapper._fields:
            wrapper.type_params = []  # type: ignore[attr-defined]
    return ast.Module([wrapper], [])


_Position = tuple[int, int, int, int]


def _fill_positions(node: ast.AST, inherited: _Position) -> _Position:
    """Gives positions to nodes that have none; returns the node's own or inherited position."""
    position = _position(node)
    if position is None:
        position = next((found for found in map(_position, ast.walk(node)) if found), inherited)
    if "lineno" in node._attributes:
        line, column, end_line, end_column = position
        node.lineno, node.col_offset = line, column  # type: ignore[attr-defined]
        node.end_lineno, node.end_col_offset = end_line, end_column  # type: ignore[attr-defined]
    before = position
    for child in ast.iter_child_nodes(node):
        after = _fill_positions(child, before)
        before = after if isinstance(child, ast.stmt) else position
    return position


def _position(node: ast.AST) -> _Position | None:
    line, column = getattr(node, "lineno", None), getattr(node, "col_offset", None)
    if line is None or column is None:
        return None
    end_line, end_column = getattr(node, "end_lineno", None), getattr(node, "end_col_offset", None)
    if end_line is None or end_column is None or (end_line, end_column) < (line, column):
        return line, column, line, column
    return line, column, end_line, end_column


def _compiled(tree: ast.Module | str, original: FunctionType, file: str) -> CodeType:
    code = _checked_compile(tree, file, "exec", original.__code__.co_flags, original)
    while True:
        # From the module through class and factory to the function: each holds one code object.
        code = next(constant for constant in code.co_consts if isinstance(constant, CodeType))
        if code.co_name == _FACTORY:
            return next(constant for constant in code.co_consts if isinstance(constant, CodeType))


def _checked_compile(tree: Any, file: str, mode: str, flags: int, original: FunctionType) -> CodeType:
    try:
        return compile(tree, file, mode, dont_inherit=True, flags=flags & _FUTURES)  # type: ignore[no-any-return]
    except (SyntaxError, ValueError, TypeError, RecursionError) as error:
        raise ConversionError(
            f"the tree of `{original.__name__}` cannot be compiled: {error}",
            code="AG001",
            help="look at it with `pretty`: fields need nodes of their kinds and the contexts that fit",
        ) from None


def _compiled_from_text(tree: ast.Module, original: FunctionType) -> CodeType:
    text = to_source(tree) + "\n"
    file = f"<transformed {original.__name__} {next(_numbers)}>"
    code = _compiled(text, original, file)
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    return code


def _with_qualname(code: CodeType, old: str, new: str) -> CodeType:
    """A copy of a code object and its nested ones with the qualified names of the user's file."""
    constants = [
        _with_qualname(constant, old, new) if isinstance(constant, CodeType) else constant
        for constant in code.co_consts
    ]
    qualname = new + code.co_qualname[len(old) :] if code.co_qualname.startswith(old) else code.co_qualname
    return code.replace(co_consts=tuple(constants), co_qualname=qualname)


def _mark_transformed(code: CodeType) -> None:
    TRANSFORMED.set(code, True)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            _mark_transformed(constant)


def _instance(code: CodeType, original: FunctionType, defaults: dict[str, Any]) -> FunctionType:
    cells = cells_of(original)
    closure = tuple(cells[name] for name in code.co_freevars)
    positional = code.co_varnames[: code.co_argcount]
    keyword_only = code.co_varnames[code.co_argcount : code.co_argcount + code.co_kwonlyargcount]
    values = tuple(defaults[name] for name in positional if name in defaults) or None
    made = FunctionType(code, original.__globals__, original.__name__, values, closure)
    made.__kwdefaults__ = {name: defaults[name] for name in keyword_only if name in defaults} or None
    made.__qualname__ = original.__qualname__
    made.__module__ = original.__module__
    made.__doc__ = original.__doc__
    made.__annotations__ = dict(original.__annotations__)
    made.__dict__.update({name: value for name, value in original.__dict__.items() if name != CONVERTED})
    return made
