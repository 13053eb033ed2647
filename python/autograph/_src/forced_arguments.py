"""``ag.function(static=…, dynamic=…)``: arguments that the user makes constants or inputs of the graph.

    @ag.function(static="order", dynamic="steps")
    def solve(x, order, steps): ...

    solve(x, 2.0, 10)      a graph for `order == 2.0`; `steps` is an input from the first call on

Without these options an int is a constant until a call passes a second value, and a float is always an
input.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Hashable, Iterable
from typing import Any, NamedTuple

import numpy as np

from autograph._src.signatures import argument_names
from autograph.errors import StagingError


class Places(NamedTuple):
    """Positions of the leaves that are forced to be static or dynamic, and the names of all leaves."""

    static: frozenset[int]
    dynamic: frozenset[int]
    names: tuple[str, ...]


NOTHING = Places(frozenset(), frozenset(), ())


class ForcedArguments:
    """The parameters that ``static=`` and ``dynamic=`` name, and the positions of their leaves."""

    def __init__(
        self,
        name: str,
        signature: inspect.Signature,
        static: str | Iterable[str],
        dynamic: str | Iterable[str],
    ) -> None:
        self._signature = signature
        self._static = (static,) if isinstance(static, str) else tuple(static)
        self._dynamic = (dynamic,) if isinstance(dynamic, str) else tuple(dynamic)
        self._places: dict[Hashable, Places] = {}
        for option, names in (("static", self._static), ("dynamic", self._dynamic)):
            for one in names:
                if one not in signature.parameters:
                    raise ValueError(f"`{name}` has no parameter `{one}`, which `{option}` names")
                if option == "dynamic" and one in self._static:
                    raise ValueError(f"the parameter `{one}` of `{name}` cannot be both static and dynamic")

    def places(self, structure: Hashable, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Places:
        """Which leaves of such arguments are forced."""
        if not self._static and not self._dynamic:
            return NOTHING
        known = self._places.get(structure)
        if known is None:
            names = argument_names(self._signature, args, kwargs)
            roots = [re.split(r"[.\[]", name, maxsplit=1)[0] for name in names]
            known = self._places[structure] = Places(
                frozenset(place for place, root in enumerate(roots) if root in self._static),
                frozenset(place for place, root in enumerate(roots) if root in self._dynamic),
                tuple(names),
            )
        return known

    def known(self, structure: Hashable) -> Places:
        """The places that an earlier call of :meth:`places` found for this structure."""
        return self._places.get(structure, NOTHING)


def static_key(leaf: object) -> Hashable:
    """The cache key of an argument that ``static=`` makes a constant.

    Returns:
        A key, or ``None`` if the argument has the same one without ``static=``: its elements stay an input if
        it is an array, whose sizes are then never those of the run.
    """
    if type(leaf) is float:
        return ("static", leaf.hex())
    if type(leaf) is complex:
        return ("static", leaf.real.hex(), leaf.imag.hex())
    if isinstance(leaf, np.generic):
        return ("static", leaf.dtype, leaf.tobytes())
    return None


def check_dynamic(leaf: object, name: str) -> None:
    """Refuses an argument named by ``dynamic=`` that cannot be an input of a graph.

    Raises:
        StagingError: If the argument is neither an array nor a number of at most 64 bits.
    """
    if isinstance(leaf, (bool, float, complex, np.ndarray, np.generic)):
        return
    if type(leaf) is int and -(2**63) <= leaf < 2**63:
        return
    what = "an int of more than 64 bits" if type(leaf) is int else f"of type {type(leaf).__name__}"
    raise StagingError(
        f"the argument `{name}` is {what}, which cannot be dynamic",
        code="AG105",
        help="inputs of a graph are arrays, floats, bools and ints of 64 bits",
    )
