"""Staged values: `Tensor` stands for an array or scalar that the graph will compute."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from autograph import _core
from autograph._src.dtype_names import dtype_name
from autograph._src.staging.tensors.arithmetic import Arithmetic
from autograph._src.staging.tensors.array_attributes import ArrayAttributes
from autograph._src.staging.tensors.memory import (
    WHY_NOT_WRITTEN,
    WHY_STALE,
    Memory,
    Role,
    Shared,
    memories_of,
)
from autograph._src.staging.tensors.needs_elements import TO_FORMAT, NeedsElements
from autograph._src.staging.tensors.patterns import matches_sequences, register_sequence
from autograph._src.staging.trace.active import (
    current_trace,
    require_trace,
    staging_error,
    type_error,
)
from autograph._src.staging.trace.callers import NO_CALLER
from autograph._src.staging.trace.frames import here, is_asked_by_us, location_of, variable_of
from autograph._src.staging.trace.lookers import looked_at
from autograph._src.staging.trace.restarts import learn_template
from autograph._src.staging.trace.statements import (
    bound_method,
    call_function,
    call_ufunc,
    get_item,
    set_item,
)
from autograph._src.staging.trace.trace import DTYPES, Trace
from autograph.errors import ShapeError, StagingError

if TYPE_CHECKING:
    from autograph._src.staging.tensors.layouts import Layout
    from autograph._src.staging.tensors.views import ViewPath


class Form(enum.Enum):
    """The class of a value in plain Python; it matters for values of rank 0."""

    PYTHON = "python"
    """A Python ``bool``, ``int`` or ``float``: weakly typed, integers are checked."""
    SCALAR = "scalar"
    """A NumPy scalar: immutable."""
    ARRAY = "array"
    """An ``ndarray``, of any rank."""


@dataclass(frozen=True)
class Affine:
    """An integer known to be ``factor * root + offset``, where the root is a loop index with a known range.

    It gives ``x[i : i + batch]`` a static size.

    Attributes:
        root: The graph value of the loop index.
        first: Its first value.
        last: Its last value.
        factor: The factor.
        offset: The offset.
    """

    root: int
    first: int
    last: int
    factor: int
    offset: int

    def bounds(self) -> tuple[int, int]:
        """The smallest and the largest value."""
        ends = (self.factor * self.first + self.offset, self.factor * self.last + self.offset)
        return min(ends), max(ends)


_DTYPE_OF = {dtype_name(dtype): dtype for dtype in DTYPES}


@looked_at(lambda value: type_words(value), lambda value: value, lambda value: value.name)
class Tensor(ArrayAttributes, NeedsElements, Arithmetic):
    """A staged value. It exists while a function is traced and behaves like the NumPy value it stands for.

    The graph records operators, methods and NumPy functions on it: docs/numpy.md lists them, and
    :class:`numpy.ndarray` says what they take and give. It has no elements yet, so an operation that needs
    them while tracing (``bool``, ``int``, iteration over an axis of unknown size) raises a
    :class:`autograph.StagingError` that points to the user's line. Staged functions are given tensors; there
    is no other way to make one.

    Attributes:
        dtype: The dtype of the elements, a :class:`numpy.dtype`. It is known while the function is traced.

    Example:
        >>> import numpy as np
        >>> import autograph as ag
        >>> @ag.do_not_convert
        ... def show(x):
        ...     print(isinstance(x, ag.Tensor), x.dtype, x.shape)
        >>> @ag.function
        ... def doubled(x):
        ...     show(x)
        ...     return x * 2
        >>> doubled(np.ones((2, 3))).shape
        True float64 (2, 3)
        (2, 3)
    """

    # For the package alone:
    # ag_trace   The trace it belongs to. (`x.trace()` is a method of arrays.)
    # value_id   Its present value in the graph; writing in place changes it.
    # sizes      The sizes of the axes; `None` for one that only the run knows.
    # form       Its class in plain Python: a Python number, a NumPy scalar or an array.
    # memory, shared, role, held, serial   What else may be the same array: `memory.py`.
    # defined    For a variable that may be unbound, the staged flag that says whether it is bound.
    # affine     The known range of an integer computed from a loop index, if any.
    # _place     Where it was made, if it may be one of several arrays: a number of `callers.py`.
    # layout     For a view, its offset and strides in the base array, if known.
    # _path      For a view, its array and the steps to it, if known: `views.py`.
    # name       The name of the variable that holds it, for messages.
    __slots__ = (
        "__weakref__",
        "_path",
        "_place",
        "affine",
        "ag_trace",
        "defined",
        "dtype",
        "form",
        "held",
        "layout",
        "memory",
        "name",
        "role",
        "serial",
        "shared",
        "sizes",
        "value_id",
    )

    form: Form

    def __new__(cls, trace: Trace, value_id: int, form: Form | None) -> Tensor:
        """Makes an object of the form's class; without a form, an array, or a NumPy scalar if of rank 0."""
        name, sizes = trace.builder.type_of(value_id)
        if form is None:
            form = Form.ARRAY if sizes else Form.SCALAR
        choose = _CLASSES.get(form)
        made: Tensor = object.__new__(cls if choose is None else choose(name))
        made.form, made.dtype, made.sizes = form, _DTYPE_OF[name], tuple(sizes)
        return made

    def __init__(self, trace: Trace, value_id: int, form: Form | None) -> None:
        self.ag_trace = trace
        self.value_id = value_id
        self.serial = trace.journal.next_serial()
        self.memory = Memory(self.serial)
        self.shared: Shared = ()
        self.role = Role.OWNER
        self.held = 0
        self.defined: Tensor | None = None
        self.affine: Affine | None = None
        self.layout: Layout | None = None
        self._path: ViewPath | None = None
        self._place = NO_CALLER
        self.name: str | None = None

    # Reading and writing the value

    def read(self) -> int:
        """The present graph value, for an op that uses it.

        Raises:
            StagingError: If the trace is over (AG110), or if the array may have been written through an alias
                since (AG111).
        """
        if self.ag_trace.is_finished or self.ag_trace is not current_trace():
            raise staging_error(
                "AG110",
                f"a staged value ({type_words(self)}) is used outside the call that staged it",
                "return it from the staged function instead of storing it",
            )
        if self._path is not None:
            self.ag_trace.reads_open |= None in self.sizes
            return self._read_from(self._path.base.read())
        if self._is_stale():
            message = WHY_STALE[self.role].format(self._who()) + self._which()
            raise staging_error("AG111", message, "copy it first: `.copy()`")
        self.ag_trace.reads_open |= None in self.sizes
        return self.value_id

    def _read_at_end(self, reads: Mapping[int, Any]) -> int:
        """The graph value at the end of a block whose writes are undone.

        Args:
            reads: By the identity of an array, its value there, or the error that says why it has none.

        Raises:
            StagingError: Such an error.
        """
        known = reads.get(id(self._array()))
        if isinstance(known, StagingError):
            raise known
        return self.read() if known is None else self._read_from(known)

    def _array(self) -> Tensor:
        """The array that it is a view of, if that is known; otherwise itself."""
        return self if self._path is None else self._path.base

    def _read_from(self, value: int) -> int:
        """The graph value, if that of its array is this one."""
        path = self._path
        if path is None:
            return value
        return self.value_id if value == path.seen else path.read(value)

    def _is_stale(self) -> bool:
        """Whether a memory that it may refer to was written through another tensor."""
        return any(memory.version != version for memory, version in self.shared)

    @property
    def version(self) -> int:
        """The number of writes in place."""
        return self.memory.version

    @version.setter
    def version(self, number: int) -> None:
        self.memory.version = number

    def write(self, value_id: int) -> None:
        """Replaces the elements in place, for everyone who holds this tensor."""
        if self.form is not Form.ARRAY:
            raise staging_error("AG112", "a scalar cannot be written in place")
        self._let_go()
        path = self._path
        if path is not None:
            self._write_base(path.write(path.base.read(), value_id))
            return
        if self.role in WHY_NOT_WRITTEN and self._is_seen_elsewhere():
            raise self._not_written()
        self.ag_trace.journal.will_write_tensor(self)
        if None in self.sizes and tuple(self.ag_trace.builder.type_of(value_id)[1]) != self.sizes:
            value_id = emit("with_shape", value_id, list(self.sizes))
        self.become(value_id)

    def _write_base(self, value_id: int) -> None:
        """Replaces the elements of the array that it is a view of."""
        base = self._array()
        if base.memory.outlives_trace:
            raise self._not_written()
        base.write(value_id)

    def _let_go(self) -> None:
        """Makes a view an array of its own, if nothing of the program can reach its array otherwise.

            w = np.arange(6).reshape(2, 3)
            w[0] = 1                # nobody has the array of 6 elements

        Only where both were made in the block that is being recorded, whose end does not undo this.
        """
        if self._path is None or self._is_seen_elsewhere() or self.ag_trace.journal.is_older(self):
            return
        value = self.read()
        self.ag_trace.journal.will_let_go(self)
        self.value_id, self._path = value, None
        self.shared = tuple((memory, memory.version) for memory, _ in self.shared)

    def _not_written(self) -> StagingError:
        message, help = WHY_NOT_WRITTEN[self.role]
        code = "AG134" if self.role is Role.CARRIED_PART else "AG113"
        return staging_error(code, message.format(self._who()) + self._which(), help)

    def _which(self) -> str:
        """The other array, and where this one became one that may be it: "; it may be `x` since line 5"."""
        others = (one for memory in memories_of(self) for one in memory.sharers() if one is not self)
        names = (variable_of(one) or (one.name if one._is_named() else None) for one in others)
        own = variable_of(self) or self.name
        other = next((name for name in names if name is not None and name != own), None)
        if other is None or self._place == NO_CALLER:
            return ""
        line = location_of(*self.ag_trace.callers.step(self._place)).line
        who = f"`{own}`" if own is not None and self.role is Role.VIEW else "it"
        return f"; {who} may be {'a view of ' * (self.role is Role.VIEW)}`{other}` since line {line}"

    def _is_named(self) -> bool:
        """Whether it has the name of a variable of the program."""
        return self.name is not None and not self.name.startswith(("return_value", "the "))

    def become(self, value_id: int) -> None:
        """Takes another graph value from here on; the caller has told the journal.

        If the tensor stands for an array from outside, a failing run leaves the last value that it reached in
        the array.
        """
        before, self.value_id = self.value_id, value_id
        self.version += 1
        slot = self.ag_trace.slots.get(id(self))
        if slot is not None:
            self.ag_trace.has_kept = True
            self.ag_trace.locate().keep(slot, value_id, before)

    def may_share(self, memories: list[Memory], role: Role) -> None:
        """Notes memories that this tensor may refer to from now on, with their present versions."""
        if not memories:
            return
        self.role = role
        self._place = self.ag_trace.place
        self.layout = None
        self.shared = (*self.shared, *((memory, memory.version) for memory in memories))
        for memory in (self.memory, *memories):
            memory.add(self)

    def _who(self) -> str:
        return f"`{self.name}`" if self._is_named() else "this array"

    def _is_seen_elsewhere(self) -> bool:
        return any(memory.is_seen_beside(self) for memory in memories_of(self))

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        """The plain class for the user's code, so that `match x: case float():` matches."""
        return type(self) if is_asked_by_us() else plain_class(self)

    # What an ndarray has, but for `ArrayAttributes`

    def __dir__(self) -> list[str]:
        """The names that the value it stands for has; those for this package are left out."""
        return dir(plain_class(self))

    def __len__(self) -> int:
        length = self.length()
        return length if isinstance(length, int) else length.__index__()

    def length(self) -> Any:
        """``len(…)`` as an int; staged if only the run knows it."""
        if not self.sizes:
            raise type_error(f"object of type {type_words(self)} has no len()")
        return self.shape[0]

    def __iter__(self) -> Iterator[Any]:
        if not self.sizes:
            raise type_error(f"iteration over a 0-d array ({type_words(self)})")
        return (get_item(self, position) for position in range(len(self)))

    def __getitem__(self, index: object) -> Any:
        return get_item(self, index)

    def __setitem__(self, index: object, value: object) -> None:
        set_item(self, index, value)

    def _needs_value(self, what: str, help: str) -> NoReturn:
        learn_template()
        trace = current_trace()
        if trace is not None:
            trace.objects.joined.value_needed()
        raise staging_error("AG101", f"{what} of a staged {type_words(self)} is needed while tracing", help)

    def __repr__(self) -> str:
        trace = current_trace()
        if trace is not None and self.ag_trace is trace:
            # Otherwise plain Python would put this text into a string of the program.
            before = trace.value_needed
            try:
                self._needs_value("the text", TO_FORMAT)
            finally:
                trace.value_needed = before  # A debugger or logger may catch the error and go on.
        return f"Tensor({type_words(self)})"

    def __reversed__(self) -> Iterator[Any]:
        return iter(self[::-1])

    def __copy__(self) -> Tensor:
        return self.copy() if self.form is Form.ARRAY else self

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        return self.__copy__()

    # NumPy's protocols

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: object, **options: object) -> Any:
        return call_ufunc(ufunc, method, inputs, options)

    def __array_function__(
        self,
        function: Callable[..., Any],
        types: object,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
    ) -> Any:
        return call_function(function, args, kwargs)

    def __getattr__(self, name: str) -> Any:
        return bound_method(self, name)


_PYTHON_CLASSES = {"b": bool, "i": int, "f": float, "c": complex}
"""By the letter of its dtype: the class of a Python number."""


def plain_class(tensor: Tensor) -> type:
    """The class of the plain value that a tensor stands for."""
    if tensor.form is Form.PYTHON:
        return _PYTHON_CLASSES[tensor.dtype.kind]
    return tensor.dtype.type if tensor.form is Form.SCALAR else np.ndarray


def type_words(tensor: Tensor) -> str:
    """The type of a tensor in words, such as ``float32 array of shape (3, 4)``."""
    if tensor.form is Form.PYTHON:
        return _PYTHON_CLASSES[tensor.dtype.kind].__name__
    if tensor.form is Form.SCALAR:
        return f"{dtype_name(tensor.dtype)} scalar"
    return f"{dtype_name(tensor.dtype)} array of shape {shape_text(tensor.sizes)}"


def class_text(value: object) -> str:
    """The class of a value as CPython's messages name it, such as ``int`` or ``numpy.float64``."""
    kind = plain_class(value) if isinstance(value, Tensor) else type(value)
    return f"numpy.{kind.__name__}" if kind.__module__ == "numpy" else kind.__name__


def plain_attribute(value: object, name: str) -> Any:
    """``value.name`` as the program sees it; a staged Python number, for instance, has no ``dtype``."""
    if isinstance(value, Tensor):
        plain = plain_class(value)
        if not hasattr(plain, name):
            module = "numpy." if plain.__module__ == "numpy" else ""
            raise AttributeError(f"'{module}{plain.__name__}' object has no attribute '{name}'")
    return getattr(value, name)


def shape_text(sizes: tuple[int | None, ...]) -> str:
    """A shape as NumPy writes it, with ``?`` for unknown sizes: ``(?, 3)``."""
    text = ", ".join("?" if size is None else str(size) for size in sizes)
    return f"({text},)" if len(sizes) == 1 else f"({text})"


def emit(op: str, *arguments: Any) -> int:
    """Emits an op and gives its result.

    Args:
        op: The name of the builder's method.
        arguments: The arguments of that method. The shape for ``broadcast`` and ``reshape`` may have staged
            sizes.

    Raises:
        ShapeError: If the types of the operands do not fit; it points to the user's line (AG102).
    """
    trace = require_trace()
    if op == "check":
        trace.check(*arguments)
        return 0  # It gives no value.
    builder = trace.locate()
    if op in _SHAPED and any(isinstance(size, Tensor) for size in arguments[1]):
        trace.may_raise("ValueError")
        value, shape = arguments
        known = [None if isinstance(size, Tensor) else size for size in shape]
        arguments = (value, known, [size.read() for size in shape if isinstance(size, Tensor)])
    is_open, trace.reads_open = trace.reads_open, False
    if is_open and trace.has_handlers and not _always_fits(builder, op, arguments):
        trace.may_raise("ValueError")  # The op may find that the size does not fit.
        trace.may_raise("IndexError")
    try:
        return getattr(builder, op)(*arguments)  # type: ignore[no-any-return]
    except _graph_error() as error:
        raise ShapeError(str(error), code="AG102", location=here()) from None


def _always_fits(builder: Any, op: str, arguments: tuple[Any, ...]) -> bool:
    """Whether an op takes arrays of any sizes."""
    if op == "reduce":
        return arguments[0] not in ("max", "min")  # Those of nothing have no value.
    if op == "binary":
        return not all(builder.type_of(operand)[1] for operand in arguments[1:3])
    return op in ("unary", "cast", "transpose", "size")


def emit_all(op: str, *arguments: object) -> list[int]:
    """Emits an op with several results, as :func:`emit` does."""
    return emit(op, *arguments)  # type: ignore[return-value]


_SHAPED = {"broadcast", "reshape"}


def _graph_error() -> type[Exception]:
    return _core.GraphError


class ArrayTensor(Tensor):
    """A staged array; a class of its own, since patterns like ``case [a, b]:`` match by class."""

    __slots__ = ()


class ScalarTensor(Tensor):
    """A staged NumPy scalar. It has no subclasses: in `x == z` Python would call a subclass first."""

    __slots__ = ()


_CLASSES: dict[Form, Callable[[str], type[Tensor]]] = {
    Form.ARRAY: lambda dtype: ArrayTensor,
    Form.SCALAR: lambda dtype: ScalarTensor,
}


def register_class(form: Form, choose: Callable[[str], type[Tensor]]) -> None:
    """Registers a function from a dtype's name to the class of tensors of a form."""
    _CLASSES[form] = choose


if matches_sequences(np.ndarray):  # since NumPy 2.5
    register_sequence(ArrayTensor)


def wrap(value_id: Any, form: Form | None = None) -> Tensor:
    """The tensor of a graph value; without a form, an array, or a NumPy scalar if of rank 0."""
    return Tensor(require_trace(), value_id, form)
