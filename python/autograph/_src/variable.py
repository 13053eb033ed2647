"""``ag.Variable``: state that staged functions read and assign, in order.

    total = ag.Variable(0.0)

    @ag.function
    def add(x):
        total.assign_add(x)         # part of the graph: it happens at every call
        return total * 2

A variable holds an array of fixed dtype and shape. A run of a graph reads the array when it begins and
writes it back when it ends. So a staged branch or loop assigns the variable only if it runs, and functions
that share a variable see each other's assignments. A run that raises keeps what it has assigned before.

A staged function makes a variable once, not at every call (the tf.function RFC, "functions that create
state"): the program has to keep it in an attribute, a global variable or a closure, where the next call
finds it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Self
from weakref import WeakValueDictionary

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin
from numpy.typing import DTypeLike, NDArray

from autograph._src.backends.protocol import register_subclass
from autograph._src.operators.calls import backend_inside
from autograph._src.staging.kinds.leaves import leaves_of
from autograph._src.staging.tensors.item_conversions import as_items
from autograph._src.staging.tensors.lifting import is_staged, lift
from autograph._src.staging.tensors.tensor import Form, Tensor, emit, wrap
from autograph._src.staging.trace.active import current_trace, staging_error
from autograph._src.staging.trace.frames import here
from autograph._src.staging.trace.trace import Trace
from autograph.errors import StagingError

_REMEDIES = (
    "make it once: pass it as an argument, or keep it in an attribute (`if self.b is None: self.b ="
    " ag.Variable(0.0)`), or make it outside the staged function"
)


READING = frozenset(
    {abs, all, any, bool, complex, divmod, enumerate, filter, float, format, int, iter, len, list, map, max}
    | {min, next, pow, print, repr, reversed, round, sorted, str, sum, tuple, zip}
)
"""Builtins that read a variable's value; others, such as ``isinstance``, get the variable itself."""


class HeldVariables:
    """The variables of one graph, by ``id``: while the graph runs, it holds their present values.

    Attributes:
        read: All variables that the graph uses.
        assigned: The variables that the graph assigns.
    """

    def __init__(self) -> None:
        # Weak, because the id of a variable that is gone may become another's.
        self.read: WeakValueDictionary[int, Variable] = WeakValueDictionary()
        self.assigned: WeakValueDictionary[int, Variable] = WeakValueDictionary()

    @contextmanager
    def within_run(self) -> Iterator[None]:
        """Surrounds a call of Python by the running graph, to refuse access to variables that it holds."""
        outer, _of_thread.held = _of_thread.held, self
        try:
            yield
        finally:
            _of_thread.held = outer


class _OfThread(threading.local):
    held: HeldVariables | None = None


_of_thread = _OfThread()


class Variable(NDArrayOperatorsMixin):
    """State for staged functions: an array of fixed dtype and shape that is assigned as a whole.

    Use it like an array: with operators, NumPy's functions, ``len`` and indices. ``assign``,
    ``assign_add`` and ``assign_sub`` change it, in staged functions and outside them.

    Args:
        initial_value: A number, an array of any shape, or anything else that ``np.asarray`` takes.
        dtype: The dtype: bool, uint8, int32, int64, float32 or float64; by default that of the value.
        name: A name for messages and ``repr``.

    Attributes:
        name: The name, or ``None``.

    Raises:
        StagingError: If the dtype is another one (AG103); in a staged function, if every call would make a
            new variable, or if the initial value is staged (AG125).

    Example:
        >>> import numpy as np
        >>> import autograph as ag
        >>> count = ag.Variable(0)
        >>> @ag.function
        ... def step(x):
        ...     if x > 0:
        ...         count.assign_add(1)
        ...     return count.value
        >>> step(np.float64(2.0)), step(np.float64(-2.0)), step(np.float64(1.0))
        (np.int64(1), np.int64(1), np.int64(2))
        >>> count
        Variable(2)
    """

    __slots__ = ("__weakref__", "_storage", "name")

    def __init_subclass__(cls, **options: object) -> None:
        super().__init_subclass__(**options)
        register_subclass(cls)

    def __init__(
        self, initial_value: object, dtype: DTypeLike | None = None, *, name: str | None = None
    ) -> None:
        trace = current_trace()
        if isinstance(initial_value, Variable):
            initial_value = initial_value.value
        if trace is not None:
            _begin_to_exist(trace, initial_value)
        self._storage: NDArray[Any] = np.array(initial_value, dtype)
        if not is_staged(self._storage.dtype):
            raise staging_error(
                "AG103",
                f"a variable of dtype {self._storage.dtype} is not staged",
                "convert with `.astype`; variables are of bool, uint8, int32, int64, float32 or float64",
            )
        self.name = name
        if trace is not None:
            trace.new_variables.append(self)

    # Reading

    def ag_lifted(self) -> Tensor:
        """The present value, as an operand of a recorded operation."""
        return lift(self.value)

    @property
    def value(self) -> Any:
        """The present value, of the variable's shape and dtype.

        Returns:
            A copy of the array; a NumPy scalar if the variable has no dimensions; in a staged function a
            staged value.

        Raises:
            TypeError: In Python code that a running graph calls, if that graph assigns the variable.

        Example:
            >>> import autograph as ag
            >>> ag.Variable([1.0, 2.0]).value
            array([1., 2.])
        """
        trace = current_trace()
        if trace is None:
            held = _of_thread.held
            if held is not None and held.assigned.get(id(self)) is self:
                raise TypeError(
                    f"{self._who()} is assigned by the staged function that calls this,"
                    " where its value is not seen: pass `v.value` as an argument"
                )
            return self._storage[()] if self._storage.ndim == 0 else self._storage.copy()
        state = state_in(trace, self)
        return wrap(emit("reshape", state.read(), list(state.shape)))

    def numpy(self) -> Any:
        """The same as :attr:`value`.

        Example:
            >>> import autograph as ag
            >>> ag.Variable(3).numpy()
            np.int64(3)
        """
        return self.value

    @property
    def dtype(self) -> np.dtype[Any]:
        """The dtype of the elements, which never changes."""
        return self._storage.dtype

    @property
    def shape(self) -> tuple[int, ...]:
        """The sizes of the dimensions, a tuple of ints, which never changes."""
        return self._storage.shape

    @property
    def ndim(self) -> int:
        """Number of dimensions."""
        return self._storage.ndim

    @property
    def size(self) -> int:
        """Number of elements."""
        return self._storage.size

    def __setattr__(self, name: str, value: object) -> None:
        trace = current_trace()
        if (
            trace is not None
            and hasattr(self, "name")
            and not any(self is one for one in trace.new_variables)
        ):
            raise staging_error(
                "AG122",
                f"`{name}` of {self._who()} would be written once, while tracing",
                "name it where it is made: `ag.Variable(0.0, name=…)`",
            )
        object.__setattr__(self, name, value)

    # Assigning

    def assign(self, value: object) -> Self:
        """Replace the value.

        Args:
            value: An array of the variable's shape, or a number for a variable without dimensions. Its
                dtype is converted to the variable's if NumPy's casting rule "same_kind" allows that.

        Returns:
            The variable itself.

        Raises:
            ValueError: If the value has another shape.
            TypeError: If the conversion could lose more than precision, as from float to int; or in Python
                code that a running graph calls, if that graph uses the variable.

        Example:
            >>> import numpy as np
            >>> import autograph as ag
            >>> weights = ag.Variable(np.zeros(2, np.float32))
            >>> weights.assign(np.ones(2)).assign_sub(0.25)
            Variable(array([0.75, 0.75], dtype=float32))
        """
        trace = current_trace()
        if trace is None:
            held = _of_thread.held
            if held is not None and held.read.get(id(self)) is self:
                raise TypeError(
                    f"{self._who()} is used by the staged function that calls this,"
                    " which would not see another value: return it, and assign it there"
                )
            np.copyto(self._storage, self._fitted(value_of(value)), casting="unsafe")
            return self
        if isinstance(value, (list, tuple)) and backend_inside(value) is None:
            value = self._fitted(value)
        state, staged = state_in(trace, self), lift(value)
        is_python = staged.form is Form.PYTHON
        weak = {"b": False, "i": 0, "f": 0.0, "c": 0j}[staged.dtype.kind] if is_python else None
        self._check(staged.shape, weak if is_python else staged.dtype)
        fitted = as_items(staged, self.dtype, is_picked=True) if is_python else staged
        trace.held_variables.assigned[id(self)] = self
        state.write(fitted.astype(self.dtype).read())
        return self

    def assign_add(self, delta: Any) -> Self:
        """Add to the value.

        Args:
            delta: An array that broadcasts to the variable's shape, or a number.

        Returns:
            The variable itself.

        Raises:
            ValueError: As for :meth:`assign`.
            TypeError: As for :meth:`assign`.

        Example:
            >>> import autograph as ag
            >>> ag.Variable([1.0, 2.0]).assign_add(0.5)
            Variable(array([1.5, 2.5]))
        """
        return self.assign(self.value + delta)

    def assign_sub(self, delta: Any) -> Self:
        """Subtract from the value.

        Args:
            delta: An array that broadcasts to the variable's shape, or a number.

        Returns:
            The variable itself.

        Raises:
            ValueError: As for :meth:`assign`.
            TypeError: As for :meth:`assign`.

        Example:
            >>> import autograph as ag
            >>> ag.Variable(5).assign_sub(2)
            Variable(3)
        """
        return self.assign(self.value - delta)

    def _fitted(self, value: object) -> NDArray[Any]:
        """A plain value as an array to assign; raises if a Python int does not fit into the dtype."""
        array = np.asarray(value)
        self._check(array.shape, value if type(value) in (bool, int, float, complex) else array.dtype)
        is_of_numpy = isinstance(value, (np.ndarray, np.generic))
        return array if is_of_numpy else np.asarray(value, self.dtype)

    def _check(self, shape: tuple[int, ...], given: Any) -> None:
        if shape != self.shape:
            raise ValueError(f"{self._who()} has shape {self.shape}, and the value {shape}")
        if not isinstance(given, np.dtype):
            given = np.result_type(given, self.dtype if type(given) in (bool, int, float) else np.bool_)
        if not np.can_cast(given, self.dtype, "same_kind"):
            raise TypeError(f"{self._who()} has dtype {self.dtype}, and the value {given}")

    def _who(self) -> str:
        return "the variable" if self.name is None else f"the variable {self.name!r}"

    # As an array

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: object, **options: Any) -> Any:
        if any(isinstance(target, Variable) for target in options.get("out", ())):
            raise TypeError(f"{self._who()} is changed by `assign`, not by `out=` or an operator in place")
        return getattr(ufunc, method)(*map(value_of, inputs), **options)

    def __array_function__(self, function: Callable[..., Any], types: object, args: Any, kwargs: Any) -> Any:
        return function(*(_values_in(arg) for arg in args), **{k: _values_in(v) for k, v in kwargs.items()})

    def __array__(self, dtype: DTypeLike | None = None, copy: object = None) -> NDArray[Any]:
        return np.array(self.value, dtype)

    def __getitem__(self, index: Any) -> Any:
        return self.value[index]

    def __len__(self) -> int:
        return len(self.value)

    def __iter__(self) -> Any:
        return iter(self.value)

    def __bool__(self) -> bool:
        return bool(self.value)

    def __int__(self) -> int:
        return int(self.value)

    def __float__(self) -> float:
        return float(self.value)

    def __index__(self) -> int:
        return self.value.__index__()  # type: ignore[no-any-return]

    def __round__(self, digits: int | None = None) -> Any:
        return round(self.value, digits)

    def __contains__(self, item: Any) -> bool:
        return item in self.value

    def __str__(self) -> str:
        return str(self.value)

    def __format__(self, spec: str) -> str:
        return format(self.value, spec)

    def __repr__(self) -> str:
        text = repr(self.value.tolist() if self.ndim == 0 else self.value)
        name = "" if self.name is None else f", name={self.name!r}"
        is_default = self.ndim > 0 or self.dtype in (np.int64, np.float64, np.bool_)
        return f"Variable({text}{'' if is_default else f', dtype={self.dtype}'}{name})"

    __hash__ = object.__hash__

    def __getattr__(self, name: str) -> Any:
        # Special names: `copy` and `pickle` ask for them before the object has a value. Other names that
        # arrays do not have cannot be attributes of the value either.
        if name.startswith("__") or not hasattr(np.ndarray, name):
            raise AttributeError(f"'Variable' object has no attribute {name!r}")
        return getattr(self.value, name)


def state_in(trace: Trace, variable: Variable) -> Tensor:
    """The tensor that stands for a variable in a trace, written in place when it is assigned."""
    known = trace.variables.get(id(variable))
    if known is None:
        state = Tensor(trace, trace.capture(variable._storage), Form.ARRAY)
        state.serial = 0  # Older than any block, so that a block's write to it counts as one from outside.
        known = trace.variables[id(variable)] = (variable, state)
        trace.held_variables.read[id(variable)] = variable
        trace.keeps(state)
    return known[1]


def value_of(value: object) -> Any:
    """The value of a variable; anything else as it is."""
    return value.value if isinstance(value, Variable) else value


def _values_in(value: object) -> object:
    """Replaces variables by their values, also in lists and tuples: ``np.stack([v, w])``."""
    if isinstance(value, (list, tuple)):
        values = map(_values_in, value)
        return tuple(values) if isinstance(value, tuple) else [*values]
    return value_of(value)


def _begin_to_exist(trace: Trace, initial_value: object) -> None:
    """Refuses a new variable that every call, or no call, of the staged function would make."""
    if trace.facts.has_variables:
        raise staging_error("AG125", "a variable is made at every call of a staged function", _REMEDIES)
    if trace.journal.blocks:
        what = trace.journal.blocks[-1].what
        raise staging_error("AG125", f"a variable is made inside {what}", _REMEDIES)
    if any(isinstance(leaf, Tensor) for leaf in leaves_of(initial_value)):
        raise StagingError(
            "the first value of a variable depends on an argument",
            code="AG125",
            location=here(),
            help="make it of plain values (`np.zeros(n)`), and assign the other value",
        )
