"""What code does with names, and what holds around it.

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
        reads: Names that it may read: variables, globals, and places such as ``a.b`` and ``a[i]``. What
            functions do that it calls or defines is not among them.
        modifies: Names and places that it may assign or delete.
        live_in: Variables whose value at its start may be read. Variables that functions inside
            use, or that are declared ``global`` or ``nonlocal``, are live everywhere.
        live_out: Variables whose value may be read where control goes on after it; after a simple
            statement also by handlers and ``finally`` blocks around it.
        may_be_unbound: Variables that it reads itself, not in its blocks, and that may be unbound.
        definitions_reaching: For each variable, the statements that may have bound it last where
            it starts, in the order of the source; the function's tree stands for its parameters.
            Assignments by functions inside, through ``nonlocal``, are not among them.
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
    """Whose the names of a function are; each is in one group of ``locals`` to ``globals``.

    Attributes:
        parameters: Those of the locals that are parameters.
        locals: The function's own variables.
        captured: Those of the locals that functions, classes or comprehensions inside use.
        nonlocals: Variables of enclosing functions that it declares ``nonlocal``.
        free: Variables of enclosing functions that it reads, or that functions inside use.
        globals: Names of the module, and built-in ones.
    """

    parameters: tuple[str, ...]
    locals: tuple[str, ...]
    captured: tuple[str, ...]
    nonlocals: tuple[str, ...]
    free: tuple[str, ...]
    globals: tuple[str, ...]


def scope_of(names: list[tuple[str, str, bool]]) -> Scope:
    """The scope of names that come with whose they are, and whether they are parameters."""

    def of(*kinds: str) -> tuple[str, ...]:
        return tuple(sorted(name for name, kind, _ in names if kind in kinds))

    parameters = tuple(sorted(name for name, _, is_parameter in names if is_parameter))
    return Scope(parameters, of("local", "cell"), of("cell"), of("nonlocal"), of("free"), of("global"))
