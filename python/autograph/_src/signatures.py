"""Signatures of specialisations as text, and the reasons for tracing again.

    f(np.ones((3, 4)), 0.1, 5)      # signature: (x: f64[3, 4], lr: float, n: 5)
    f(np.ones((3, 5)), 0.1, 5)      # reason: argument `x` was f64[3, 4], is f64[3, 5]

A signature shows inputs of the graph by their type and constants by their value.
"""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from autograph._src.dtype_names import dtype_name
from autograph._src.trees import leaf_paths

VALUES_BEFORE_A_WARNING = 5
"""The number of values of one constant argument at which a warning appears."""

_SHORT = {
    "float64": "f64",
    "float32": "f32",
    "complex128": "c128",
    "complex64": "c64",
    "int64": "i64",
    "int32": "i32",
    "uint8": "u8",
    "int8": "i8",
    "int16": "i16",
    "uint16": "u16",
    "uint32": "u32",
    "uint64": "u64",
    "float16": "f16",
    "bool": "bool",
}


class Signature:
    """The arguments of a specialisation, as text.

    Attributes:
        structure: The structure of the arguments.
        names: The name of each leaf, such as ``config['rate']``.
        leaves: The type or value of each leaf.
    """

    def __init__(self, structure: Hashable, names: list[str], leaves: list[str]) -> None:
        self.structure = structure
        self.names = names
        self.leaves = leaves

    def __str__(self) -> str:
        return "(" + ", ".join(f"{n}: {leaf}" for n, leaf in zip(self.names, self.leaves, strict=True)) + ")"

    def change_from(self, other: Signature) -> list[str]:
        """The differences from another signature, one line for each argument.

        Example:
            >>> before = Signature("tree", ["x", "n"], ["f64[3]", "3"])
            >>> Signature("tree", ["x", "n"], ["f64[3]", "4"]).change_from(before)
            ['argument `n` was 3, is 4']
        """
        if self.structure != other.structure or self.names != other.names:
            return [f"the arguments were {other}, are {self}"]
        changes = []
        for name, was, now in zip(self.names, other.leaves, self.leaves, strict=True):
            if was != now:
                changes.append(f"argument `{name}` was {was}, is {now}")
        return changes or ["an argument is another object, or other arguments are one and the same array"]


def leaf_text(leaf: object, is_input: bool) -> str:
    """An argument as text: its type if it is an input of the graph, else its value.

    Example:
        >>> leaf_text(np.ones((3, 4)), True), leaf_text(0.1, True), leaf_text(5, False)
        ('f64[3, 4]', 'float', '5')
    """
    if isinstance(leaf, np.ndarray):
        return array_text(leaf.dtype, leaf.shape)
    if isinstance(leaf, np.generic):
        return _dtype_text(leaf.dtype)
    if is_input:
        return type(leaf).__name__
    if isinstance(leaf, (bool, int, float, complex, str, bytes, type(None))):
        return repr(leaf)
    if isinstance(leaf, type) or inspect.isroutine(leaf):
        return str(leaf.__qualname__)
    return f"<{type(leaf).__qualname__}>"


def array_text(dtype: np.dtype[Any], shape: Sequence[int | None]) -> str:
    """The type of an array as text; a size of ``None`` appears as ``?``.

    Example:
        >>> array_text(np.dtype("float32"), (None, 3))
        'f32[?, 3]'
    """
    sizes = ", ".join("?" if size is None else str(size) for size in shape)
    return f"{_dtype_text(dtype)}[{sizes}]"


def _dtype_text(dtype: np.dtype[Any]) -> str:
    return _SHORT.get(dtype_name(dtype)) or str(dtype)


def argument_names(signature: inspect.Signature, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[str]:
    """The names of the leaves of a call's arguments, in order.

    Args:
        signature: The function's signature.
        args: The positional arguments.
        kwargs: The named arguments.

    Returns:
        A name for each leaf, such as ``config['rate']``.
    """
    rest = list(args)
    names: list[str] = []
    for parameter in signature.parameters.values():
        if parameter.kind is inspect.Parameter.VAR_POSITIONAL:
            names += leaf_paths(tuple(rest), parameter.name)
            rest = []
        elif rest and parameter.kind is not inspect.Parameter.KEYWORD_ONLY:
            names += leaf_paths(rest.pop(0), parameter.name)
    return names + [path for name, value in kwargs.items() for path in leaf_paths(value, name)]


class Retraces:
    """Why a function was traced again, and which arguments cause a trace for every value.

    Attributes:
        reasons: One line for each reason, oldest first.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._signatures: list[Signature] = []
        self._values: dict[str, dict[str, None]] = {}
        self.reasons: list[str] = []

    def add(self, signature: Signature, stale: str | None) -> None:
        """Notes another trace.

        Args:
            signature: The signature of the new specialisation.
            stale: What has changed since the same arguments were traced; ``None`` if they are new.
        """
        if stale is not None:
            self.reasons.append(f"{stale} changed")
        elif self._signatures:
            changes = [signature.change_from(earlier) for earlier in reversed(self._signatures)]
            nearest = min(changes, key=len)
            self.reasons += nearest
        self._signatures.append(signature)

    def warn_of_values(self, names: list[str], leaves: list[Any], inputs: frozenset[int]) -> None:
        """Warns once for each Python scalar argument of which many values have been traced."""
        for place, (name, leaf) in enumerate(zip(names, leaves, strict=True)):
            if place in inputs or type(leaf) not in (int, bool, str):
                continue
            values = self._values.setdefault(name, {})
            if repr(leaf) in values or len(values) >= VALUES_BEFORE_A_WARNING:
                continue
            values[repr(leaf)] = None
            if len(values) == VALUES_BEFORE_A_WARNING:
                warnings.warn(
                    f"{self._name} has been traced for {len(values)} values of the argument `{name}`:"
                    f" {', '.join(values)}; each value is a graph of its own."
                    f" Pass it as a NumPy scalar or a float if the program can compute with it",
                    stacklevel=7,
                )
