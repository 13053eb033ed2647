"""The nodes of one call, to translate a row that a graph returns into the caller's object."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


class Nodes:
    """The nodes of one call; this is the last leaf of the flattened arguments.

    Attributes:
        objects: The nodes, by row.
        fields: The names of their fields.
        given: The other objects of the arguments, if the graph may return some.
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
