"""Handing specialisations to the Rust dispatcher, which calls them without running Python.

    f = ag.function(lambda params, x, rate=0.1: [w - rate * x for w in params])
    f([w, b], x)            # `Function._call` traces, then hands two things to the dispatcher:
    f([w, b], x)            # never reaches Python

- The form of the call (:meth:`autograph._src.bindings.Binding.form`): two positional arguments, and a
  default for the third parameter.
- The specialisation: the structure and leaves of the bound arguments, the guards on what the recording read,
  the graph, and the recipe that makes the result from its outputs.

Invariant: the dispatcher gets only specialisations for which it returns what ``Function._call`` would.
``Function._call`` keeps those with

- arguments that the graph writes in place, arguments in tables of objects, or objects whose attributes run
  Python code;
- results that are views, containers of the caller, or leaves that only Python can make;
- keywords or defaults of a callable that is not a plain function, such as a ``functools.partial``.
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
    has_own_numerics: bool,
) -> None:
    """Gives a specialisation to the dispatcher, if the dispatcher can call it without Python.

    Args:
        dispatcher: The staged function.
        structure: The structure that :func:`autograph._src.trees.flatten` gives for the bound arguments.
        leaves: The leaves of the bound arguments.
        concrete: The specialisation.
        is_plain: Whether calls pass every parameter by position, so that they need no binding.
        has_own_numerics: Whether the function runs in one mode of numbers, whatever the caller's is.
    """
    parts = concrete.fast_parts(has_own_numerics=has_own_numerics)
    classes = [class_variables(kind) for kind in classes_in(structure)]
    known = [one for one in classes if one is not None]
    if parts is not None and len(known) == len(classes):
        dispatcher._add_fast((structure, leaves, is_plain), known, concrete, parts)
