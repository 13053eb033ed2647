"""Specialisations that the Rust dispatcher may call without running Python.

    f = ag.function(lambda params, x, rate=0.1: [w - rate * x for w in params])
    f([w, b], x)            # traced by ``Function._call``, which then hands over two things:
    f([w, b], x)            # never reaches Python

- How such a call is bound (:meth:`autograph._src.bindings.Binding.form`): one positional argument for each of
  two parameters, and a default for the third.
- The specialisation: the structure of the bound arguments, their leaves, what was read while tracing, the
  graph, and how the result is made of its outputs.

Invariant: only what gives the same result on both ways is handed over. What stays with ``Function._call``:
arguments that are written in place, nodes of a table, objects that Python code reads; results that are views,
the caller's own containers, or made in Python; keywords and defaults of what is no plain function, such as
those of a ``functools.partial``.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from autograph import _core
from autograph._src.class_variables import class_variables, classes_in
from autograph._src.concrete import ConcreteFunction


def hand_over(
    dispatcher: _core.Dispatcher,
    structure: Hashable,
    leaves: list[Any],
    concrete: ConcreteFunction,
    *,
    is_plain: bool,
) -> None:
    """Adds a specialisation to those that are called without Python, if it may be.

    Args:
        dispatcher: The staged function.
        structure: What :func:`autograph._src.trees.flatten` says of the bound arguments.
        leaves: Their leaves.
        concrete: The specialisation.
        is_plain: Whether calls with so many positional arguments are bound without further ado.
    """
    parts = concrete.fast_parts()
    classes = [class_variables(kind) for kind in classes_in(structure)]
    known = [one for one in classes if one is not None]
    if parts is not None and len(known) == len(classes):
        dispatcher._add_fast((structure, leaves, is_plain), known, concrete, parts)
