"""The nodes of one call, by row: what a row that a graph gives back stands for."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


class Nodes:
    """The nodes of one call; it is the last leaf of the arguments.

    Attributes:
        objects: The nodes.
        fields: The names of their fields.
        given: The objects of the arguments that are no nodes, if some are given back.
    """

    __slots__ = ("fields", "given", "objects")

    def __init__(self, objects: list[Any], fields: list[str], given: list[Any] | None = None) -> None:
        self.objects = objects
        self.fields = fields
        self.given = given or []

    def at(self, row: int) -> Any:
        """The node of a row; ``None`` for -1.

        >>> [Nodes(["a", "b"], []).at(row) for row in (1, -1)]
        ['b', None]
        """
        return None if row < 0 else self.objects[row]

    def arrays(self) -> list[NDArray[Any]]:
        """The arrays in the fields of all nodes."""
        values = [getattr(node, name, None) for node in self.objects for name in self.fields]
        return [value for value in values if isinstance(value, np.ndarray)]
