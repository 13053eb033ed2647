"""The names that code reads and modifies, and what is known before and after it.

>>> from autograph.transformations import analyse
>>> def update(table, key, amount):
...     table.rows[key] += amount
...     return print
>>> facts = analyse(update)[2]
>>> facts.reads
('amount', 'key', 'table', 'table.rows', 'table.rows[key]')
>>> facts.modifies, facts.live_out
(('table.rows[key]',), ())
>>> analyse(update).scope
Scope(parameters=('amount', 'key', 'table'), locals=('amount', 'key', 'table'), captured=(), \
nonlocals=(), free=(), globals=('print',))
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType


@dataclass(frozen=True)
class Facts:
    """Facts about a statement with its blocks, or about a node of the control-flow graph.

    Attributes:
        reads: Names that the statement may read: variables, globals, and places such as ``a.b`` and
            ``a[i]``. Reads by functions that it calls or defines do not count.
        modifies: Names and places that it may assign or delete.
        live_in: Variables whose value before the statement may be read later. Variables that nested
            functions use, or that are declared ``global`` or ``nonlocal``, are live everywhere.
        live_out: Variables whose value after the statement may be read later; after a simple statement
            also by enclosing handlers and ``finally`` blocks.
        may_be_unbound: Variables that the statement itself, not its blocks, reads and that may be unbound.
        definitions_reaching: For each variable, the statements that may have bound it last before this
            statement, in the order of the source; the function's tree stands for its parameters.
            Assignments by nested functions through ``nonlocal`` do not count.

    Example:
        >>> from autograph.transformations import analyse
        >>> def halve(n):
        ...     n = n / 2
        ...     return n
        >>> facts = analyse(halve)[2]
        >>> facts.reads, facts.modifies, facts.live_out
        (('n',), ('n',), ('n',))
    """

    reads: tuple[str, ...]
    modifies: tuple[str, ...]
    live_in: tuple[str, ...]
    live_out: tuple[str, ...]
    may_be_unbound: tuple[str, ...]
    definitions_reaching: Mapping[str, tuple[ast.stmt | ast.Lambda, ...]] = field(
        default_factory=lambda: MappingProxyType({}), repr=False, compare=False
    )


@dataclass(frozen=True)
class Scope:
    """The scopes that the names of a function belong to.

    Each name is in one of ``locals``, ``nonlocals``, ``free`` and ``globals``.

    Attributes:
        parameters: The locals that are parameters.
        locals: The function's own variables.
        captured: The locals that nested functions, classes or comprehensions use.
        nonlocals: Variables of enclosing functions that the function declares ``nonlocal``.
        free: Other variables of enclosing functions that the function or its nested functions use.
        globals: Names of the module, and builtins.

    Example:
        >>> from autograph.transformations import analyse
        >>> scope = analyse(lambda x: print(x)).scope
        >>> scope.locals, scope.globals
        (('x',), ('print',))
    """

    parameters: tuple[str, ...]
    locals: tuple[str, ...]
    captured: tuple[str, ...]
    nonlocals: tuple[str, ...]
    free: tuple[str, ...]
    globals: tuple[str, ...]


def scope_of(names: list[tuple[str, str, bool]]) -> Scope:
    """The scope made from triples: a name, its kind, and whether it is a parameter."""

    def of(*kinds: str) -> tuple[str, ...]:
        return tuple(sorted(name for name, kind, _ in names if kind in kinds))

    parameters = tuple(sorted(name for name, _, is_parameter in names if is_parameter))
    return Scope(parameters, of("local", "cell"), of("cell"), of("nonlocal"), of("free"), of("global"))
