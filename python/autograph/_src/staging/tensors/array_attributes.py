"""The attributes of arrays that staged values have too: ``x.shape``, ``x.size``, ``x.T``."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from autograph._src.staging.trace.statements import open_shape

if TYPE_CHECKING:
    from autograph._src.staging.tensors.tensor import Form, Tensor


class ArrayAttributes:
    """What :class:`autograph.Tensor` shows of its type; it is known while the function is traced.

    Attributes:
        dtype: The dtype of the elements.
        sizes: The sizes of the axes; ``None`` for one that only the run knows.
        kind: The class of the plain value.
    """

    __slots__ = ()

    if TYPE_CHECKING:
        dtype: np.dtype[Any]
        sizes: tuple[int | None, ...]
        form: Form

    @property
    def shape(self) -> tuple[Any, ...]:
        """The sizes of the axes.

        Returns:
            A tuple with an ``int`` for each axis; for a size that only the run knows, a staged ``int``.

        Raises:
            AttributeError: If it stands for a Python number, which has no shape.

        Example:
            >>> import numpy as np
            >>> import autograph as ag
            >>> @ag.function
            ... def averaged(x):
            ...     rows, columns = x.shape
            ...     return x.sum() / (rows * columns)
            >>> float(averaged(np.ones((2, 3))))
            1.0
        """
        if None not in self.sizes:
            return self.sizes
        return open_shape(self)

    @property
    def ndim(self) -> int:
        """The number of axes.

        Returns:
            An ``int``, which is known while the function is traced; 0 for a NumPy scalar.

        Raises:
            AttributeError: If it stands for a Python number.

        Example:
            >>> import numpy as np
            >>> import autograph as ag
            >>> ag.function(lambda x: x if x.ndim == 1 else x.ravel())(np.ones((2, 2)))
            array([1., 1., 1., 1.])
        """
        return len(self.sizes)

    @property
    def size(self) -> Any:
        """The number of elements.

        Returns:
            An ``int``; a staged ``int`` if only the run knows the size of an axis.

        Raises:
            AttributeError: If it stands for a Python number.

        Example:
            >>> import numpy as np
            >>> import autograph as ag
            >>> ag.function(lambda x: x / x.size)(np.ones((2, 2)))
            array([[0.25, 0.25],
                   [0.25, 0.25]])
        """
        return math.prod(self.shape)

    @property
    def itemsize(self) -> int:
        """The number of bytes of one element.

        Returns:
            An ``int``, which is known while the function is traced.

        Raises:
            AttributeError: If it stands for a Python number.

        Example:
            >>> import numpy as np
            >>> import autograph as ag
            >>> ag.function(lambda x: x.itemsize)(np.ones(3, np.float32))
            4
        """
        return self.dtype.itemsize

    @property
    def nbytes(self) -> Any:
        """The number of bytes of all elements.

        Returns:
            An ``int``; a staged ``int`` if only the run knows the size of an axis.

        Raises:
            AttributeError: If it stands for a Python number.

        Example:
            >>> import numpy as np
            >>> import autograph as ag
            >>> ag.function(lambda x: x.nbytes)(np.ones(3, np.float32))
            12
        """
        return self.size * self.itemsize

    @property
    def T(self) -> Any:  # noqa: N802 - NumPy's name
        """The transpose: the axes in reverse order.

        Returns:
            A tensor that is a view, as in NumPy; a NumPy scalar itself.

        Raises:
            AttributeError: If it stands for a Python number.

        Example:
            >>> import numpy as np
            >>> import autograph as ag
            >>> ag.function(lambda x: x.T @ x)(np.ones((3, 2)))
            array([[3., 3.],
                   [3., 3.]])
        """
        return self if self.form is self.form.SCALAR else np.transpose(self)  # type: ignore[call-overload]

    @property
    def real(self) -> Tensor:
        """The real part.

        Returns:
            The tensor itself if it is real; for a complex array, a tensor that is a view of the real parts.

        Example:
            >>> import numpy as np
            >>> import autograph as ag
            >>> ag.function(lambda z: z.real + z.imag)(np.array([1 + 2j]))
            array([3.])
        """
        return self  # type: ignore[return-value]  # The tensor that this is a base of.
