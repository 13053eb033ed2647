"""What a tangent or cotangent of a float has to be, without the trace in which that float was staged."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from autograph._src.backends.protocol import type_name
from autograph._src.dtype_names import dtype_name
from autograph._src.gradients.refusals import fit_refusal
from autograph._src.staging.complex.complex_tensor import PART, made, plain_complex
from autograph._src.staging.tensors.plain_values import plain_value
from autograph._src.staging.tensors.tensor import Form, Tensor, shape_text
from autograph._src.staging.trace.active import current_trace
from autograph._src.trees import flatten
from autograph._src.variable import Variable

_UNKNOWN = object()
"""The value of a seed before the function has run."""


class Seed:
    """The type of a float: it stands for the float in a tree.

    Attributes:
        dtype: Its dtype.
        sizes: Its shape, with ``None`` for sizes that differ between runs.
        form: Whether it is an array, a NumPy scalar or a Python float in plain Python.
        accepts_none: Whether ``None`` is a zero for it: the value may be ``None`` or an int.
        dtypes: The dtypes that the value may have, if it is one of several types.
        value: The plain value, if it is known; a tangent has its type if all types of the value are floats.
    """

    __slots__ = ("accepts_none", "dtype", "dtypes", "form", "sizes", "value")

    def __init__(
        self,
        dtype: np.dtype[Any],
        sizes: Sequence[int | None],
        form: Form,
        *,
        accepts_none: bool = False,
        dtypes: tuple[np.dtype[Any], ...] = (),
        value: object = _UNKNOWN,
    ) -> None:
        self.dtype = dtype
        self.sizes = tuple(sizes)
        self.form = form
        self.accepts_none = accepts_none
        self.dtypes = dtypes
        self.value = value

    @property
    def is_complex(self) -> bool:
        """Whether the value is complex, and so two graph values."""
        return self.dtype.kind == "c"

    @property
    def kinds(self) -> list[tuple[str, list[int | None]]]:
        """The types of its values in the graph."""
        part = PART[self.dtype] if self.is_complex else self.dtype
        return [(dtype_name(part), list(self.sizes))] * (1 + self.is_complex)

    def leaf(self, found: Sequence[Any]) -> Any:
        """The value that graph values or arrays make: the results of a graph."""
        trace = current_trace()
        if trace is not None:
            tensors = [Tensor(trace, one, self.form) for one in found]
            return made(*tensors) if self.is_complex else tensors[0]
        return plain_complex(self.form, *found) if self.is_complex else plain_value(self.form, found[0])

    @property
    def tangent(self) -> Seed | None:
        """The type of a tangent; none if the value is ``None``."""
        if self.value is None:
            return None
        return seed_of(self.value) if self.dtypes and all(one.kind == "f" for one in self.dtypes) else self

    def of(self, leaf: Any) -> Seed:
        """This seed for a plain value, with its sizes."""
        sizes = self.sizes if leaf is None else np.shape(leaf)
        value = None if leaf is None else plain_zero(leaf)
        return Seed(
            self.dtype, sizes, self.form, accepts_none=self.accepts_none, dtypes=self.dtypes, value=value
        )

    def zeros(self) -> NDArray[Any]:
        """Zeros of this type, whose sizes are known."""
        return np.zeros([size or 0 for size in self.sizes], self.dtype)

    def parts(self, array: NDArray[Any], word: str) -> list[NDArray[Any]]:
        """A tangent or cotangent as arrays for a graph; see :mod:`autograph._src.gradients.complex_parts`."""
        return [array.real, array.imag if word == "tangent" else -array.imag] if self.is_complex else [array]

    @property
    def words(self) -> str:
        """The type in words."""
        return _words(self.form, self.dtype, self.sizes)

    def array(self, name: str, word: str, given: object, path: str) -> NDArray[Any]:
        """A plain tangent or cotangent as the array that a graph takes.

        Args:
            name: The transformation.
            word: ``tangent`` or ``cotangent``.
            given: What the caller passes.
            path: The place of the float in the tree.

        Raises:
            StagingError: If it is no float of this dtype and shape (AG144).
        """
        if given is None and self.accepts_none:
            return self.zeros()
        if isinstance(given, Variable):
            given = given.value
        is_complex = np.iscomplexobj(given)  # type: ignore[arg-type]
        is_number = isinstance(given, (float, int, complex, np.generic, np.ndarray))
        if not is_number or (is_complex and not self.is_complex):
            what = "complex value" if is_complex else type_name(given)
            kind = "complex number" if self.is_complex else "float"
            message = f"the {word} of `{path}` given to {name} is a {what}, not a {kind}"
            raise fit_refusal(word, message, None, is_shape=False)
        is_python = type(given) in (bool, int, float, complex)
        array = np.asarray(given, self.dtype if is_python else None)
        if array.dtype in self.dtypes:
            array = array.astype(self.dtype)
        if array.dtype != self.dtype or array.shape != self.sizes:
            form = Form.PYTHON if is_python else Form.ARRAY if isinstance(given, np.ndarray) else Form.SCALAR
            raise fit_refusal(
                word,
                f"the {word} of `{path}` given to {name} is {_words(form, array.dtype, array.shape)},"
                f" and the value {self.words}",
                f"a {word} has the shape and the dtype of its value",
                is_shape=array.dtype == self.dtype or name == "linearize",
            )
        return array


def _words(form: Form, dtype: np.dtype[Any], sizes: tuple[int | None, ...]) -> str:
    if form is Form.PYTHON:
        return "complex" if dtype.kind == "c" else "float"
    if form is Form.SCALAR:
        return f"{dtype_name(dtype)} scalar"
    return f"{dtype_name(dtype)} array of shape {shape_text(sizes)}"


def seeds_in(tree: object) -> list[Seed]:
    """The seeds among the leaves of a tree, in order."""
    leaves: list[Any] = []
    flatten(tree, leaves)
    return [leaf for leaf in leaves if type(leaf) is Seed]


def with_sizes(tree: object, like: object) -> object:
    """A tree of seeds with the sizes of a tree of plain values."""
    leaves: list[Any] = []
    plain: list[Any] = []
    _, rebuild = flatten(tree, leaves)
    flatten(like, plain)
    return rebuild(
        [leaf.of(value) if type(leaf) is Seed else None for leaf, value in zip(leaves, plain, strict=True)]
    )


def in_place_of_seeds(tree: object, values: Iterator[Any]) -> object:
    """A tree with values in the place of its seeds, and ``None`` in that of other leaves."""
    leaves: list[Any] = []
    _, rebuild = flatten(tree, leaves)
    return rebuild([next(values) if type(leaf) is Seed else None for leaf in leaves])


def seeds_of(tree: object) -> object:
    """A tree of plain floats with their seeds in their places."""
    leaves: list[Any] = []
    _, rebuild = flatten(tree, leaves)
    return rebuild([None if leaf is None else seed_of(leaf) for leaf in leaves])


def seed_of(leaf: Any) -> Seed:
    """The seed of a plain float."""
    if isinstance(leaf, Variable):
        leaf = leaf.value
    if type(leaf) in (float, complex):
        return Seed(np.dtype(type(leaf)), (), Form.PYTHON)
    return Seed(leaf.dtype, leaf.shape, Form.ARRAY if isinstance(leaf, np.ndarray) else Form.SCALAR)


def plain_zero(leaf: Any) -> Any:
    """A zero of the type and shape of a plain number or array, which takes no memory."""
    return np.broadcast_to(leaf.dtype.type(0), leaf.shape) if isinstance(leaf, np.ndarray) else type(leaf)(0)
