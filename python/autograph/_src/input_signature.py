"""``ag.function(input_signature=…)``: the types of a function's arguments, declared in advance.

    @ag.function(input_signature=[ag.ArraySpec((None, 3), np.float32), ag.ArraySpec((), np.float32)])
    def scaled(x, rate):
        return x * rate

    scaled(np.ones((8, 3), np.float32), 0.5)     # the number becomes a float32
    scaled(np.ones((8, 3)), 0.5)                 # refused (AG126): float64

A call with other arguments is refused, so the signature bounds how many graphs there can be. Where it
leaves a size open, one graph serves all sizes (:mod:`autograph._src.open_sizes`).
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from autograph._src.foreign_arrays import with_foreign_arrays
from autograph._src.signatures import argument_names, leaf_text
from autograph._src.trees import flatten
from autograph.errors import Location, StagingError


class ArraySpec:
    """The shape and dtype of an array argument or result.

    Args:
        shape: The sizes of its dimensions; ``None`` stands for any size, which one graph serves.
        dtype: Its dtype: bool, an integer of 8 to 64 bits, a float of 16 to 64, or complex.

    Raises:
        TypeError: If NumPy knows no such dtype.

    Example:
        >>> import numpy as np
        >>> import autograph as ag
        >>> ag.ArraySpec((None, 3), np.float32)
        ArraySpec((None, 3), float32)
        >>> ag.ArraySpec.of(np.ones((2, 3)))
        ArraySpec((2, 3), float64)
    """

    __slots__ = ("dtype", "shape")

    def __init__(self, shape: Sequence[int | None], dtype: DTypeLike = np.float64) -> None:
        self.shape = tuple(shape)
        self.dtype = np.dtype(dtype)

    @classmethod
    def of(cls, array: object) -> ArraySpec:
        """The specification of an array or scalar.

        Args:
            array: Anything that ``np.asarray`` takes.

        Returns:
            The specification with the array's shape and dtype.

        Example:
            >>> import numpy as np
            >>> import autograph as ag
            >>> ag.ArraySpec.of(np.float32(1.0))
            ArraySpec((), float32)
        """
        given = np.asarray(array)
        return cls(given.shape, given.dtype)

    def __repr__(self) -> str:
        return f"ArraySpec({self.shape}, {self.dtype})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ArraySpec) and (self.shape, self.dtype) == (other.shape, other.dtype)

    def __hash__(self) -> int:
        return hash((self.shape, self.dtype))

    def accepts(self, value: object) -> bool:
        """Whether a value is an array or NumPy scalar of this shape and dtype.

        Args:
            value: Any value.

        Returns:
            True if the value is an array or NumPy scalar, its dtype is this one, and its shape has these
            sizes; ``None`` accepts any size.

        Example:
            >>> import numpy as np
            >>> import autograph as ag
            >>> ag.ArraySpec((None, 3)).accepts(np.ones((8, 3))), ag.ArraySpec(()).accepts(1.0)
            (True, False)
        """
        return (
            isinstance(value, (np.ndarray, np.generic))
            and value.dtype == self.dtype
            and len(value.shape) == len(self.shape)
            and all(want in (None, size) for want, size in zip(self.shape, value.shape, strict=True))
        )

    def is_open(self) -> bool:
        """Whether a size of the shape is ``None``.

        Returns:
            True if any is.

        Example:
            >>> import autograph as ag
            >>> ag.ArraySpec((None, 3)).is_open(), ag.ArraySpec((2, 3)).is_open()
            (True, False)
        """
        return None in self.shape

    def example(self) -> Any:
        """An array of this shape and dtype to trace with, of size 0 where the specification is open.

        Returns:
            An array of zeros; a NumPy scalar for the shape ``()``.

        Example:
            >>> import autograph as ag
            >>> ag.ArraySpec((None, 3)).example().shape
            (0, 3)
        """
        made = np.zeros([size or 0 for size in self.shape], self.dtype)
        return made if self.shape else made[()]


class InputSignature:
    """The specifications of a function's positional arguments.

    Attributes:
        specs: One specification, or tree of them, for each argument.
    """

    def __init__(
        self, name: str, signature: inspect.Signature, specs: Sequence[Any], where: Location | None
    ) -> None:
        self._signature = signature
        self._where = where
        self._name = name
        self._structure, self._leaves = _flat(tuple(specs))
        self.specs = tuple(specs)
        self._count = len(specs)
        parameters = [*signature.parameters]
        # The signature of a method leaves out `self`.
        self._skipped = int(parameters[:1] in (["self"], ["cls"]))
        if len(parameters) - self._skipped < self._count:
            raise ValueError(
                f"`{name}` has {len(parameters) - self._skipped} parameters, and the input signature"
                f" {self._count}"
            )
        for leaf in self._leaves:
            if not isinstance(leaf, ArraySpec) and leaf not in (bool, int, float):
                raise TypeError(
                    f"an input signature has `ag.ArraySpec`s, `float`, `int` and `bool`, not {leaf!r}"
                )

    def fitted(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, ...]:
        """The positional arguments, with plain numbers converted to the types of the signature.

        Args:
            args: All positional arguments, defaults included.
            kwargs: The keyword-only arguments, which the signature does not cover.

        Returns:
            The positional arguments to trace or run with.

        Raises:
            StagingError: If an argument does not match its specification.
        """
        ours = args[self._skipped : self._skipped + self._count]
        leaves: list[Any] = []
        structure, rebuild = flatten(ours, leaves)
        leaves = with_foreign_arrays(leaves)
        if structure != self._structure:
            raise self._refusal(
                f"the arguments of `{self._name}` are another tree than the input signature has"
            )
        names = argument_names(self._signature, args, kwargs)
        before: list[Any] = []
        flatten(args[: self._skipped], before)
        made = []
        for name, spec, leaf in zip(names[len(before) :], self._leaves, leaves, strict=False):
            fitted = _fitted(spec, leaf)
            if fitted is None:
                is_said = repr(spec) if isinstance(spec, ArraySpec) else spec.__name__
                raise self._refusal(
                    f"argument `{name}` of `{self._name}` is {leaf_text(leaf, True)}, and the input"
                    f" signature says {is_said}"
                )
            made.append(fitted)
        return (*args[: self._skipped], *rebuild(made), *args[self._skipped + self._count :])

    def open_places(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[int, ArraySpec]:
        """Which leaves of the arguments are arrays whose size the signature leaves open.

        Args:
            args: All positional arguments, as :meth:`fitted` returns them.
            kwargs: The keyword-only arguments.

        Returns:
            The specifications of these leaves, by their position among all leaves.
        """
        said = (*args[: self._skipped], *self.specs, *args[self._skipped + self._count :])
        leaves: list[Any] = []
        flatten((said, kwargs), leaves)
        return {
            place: leaf for place, leaf in enumerate(leaves) if isinstance(leaf, ArraySpec) and leaf.is_open()
        }

    def _refusal(self, message: str) -> StagingError:
        return StagingError(
            message,
            code="AG126",
            location=self._where,
            help="convert the argument (`np.asarray(x, dtype)`), or change the signature",
        )


def _flat(specs: object) -> tuple[Any, list[Any]]:
    leaves: list[Any] = []
    structure, _ = flatten(specs, leaves)
    return structure, leaves


def _fitted(spec: ArraySpec | type[Any], leaf: Any) -> Any:
    """A leaf converted to its specification; ``None`` if it does not match."""
    if not isinstance(spec, ArraySpec):
        is_exact = type(leaf) is spec or (spec is float and type(leaf) is int)
        return spec(leaf) if is_exact else None
    if spec.accepts(leaf):
        return leaf
    if type(leaf) in (bool, int, float) and spec.shape == ():
        if not np.can_cast(np.result_type(leaf, spec.dtype), spec.dtype, "safe"):
            return None
        try:
            return spec.dtype.type(leaf)
        except OverflowError:
            return None
    return None


def with_examples(values: object, *, may_be_open: bool) -> Any:
    """Replaces every specification in a tree of arguments by an array of its shape and dtype.

    Raises:
        StagingError: If a specification leaves a size open and ``may_be_open`` is false.
    """
    leaves: list[Any] = []
    _, rebuild = flatten(values, leaves)
    specs = [leaf for leaf in leaves if isinstance(leaf, ArraySpec)]
    if not specs:
        return values
    for spec in specs:
        if spec.is_open() and not may_be_open:
            raise StagingError(
                f"{spec} has no sizes to trace with",
                code="AG126",
                help="give `concrete_function` all sizes, or an array",
            )
    return rebuild([leaf.example() if isinstance(leaf, ArraySpec) else leaf for leaf in leaves])
