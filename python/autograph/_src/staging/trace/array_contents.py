"""Guards the contents of arrays that plain NumPy read while tracing, and so turned into constants.

    x * W            no guard: an array that meets a staged value is an input, read at every run
    x * W[0, 0]      guards one element: it is a constant of the graph, valid until `W[0, 0]` changes
    x + W.sum()      guards all of `W`: the sum is a constant, valid until anything in `W` changes
    x * (2 * W)      guards every reachable array: nobody saw which array the product came from

Making a view reads nothing: it shares the memory, and becomes an input where it meets a staged value.
"""

from __future__ import annotations

import dis
import functools
from collections.abc import Iterable
from types import CodeType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from autograph._src.bytecode import operations
from autograph._src.staging.trace.watch import Watch

Array = NDArray[Any]

_WITHOUT_ARRAYS = frozenset((int, float, complex, bool, str, bytes, type(None)))
"""Types of items of which long lists are looked through at once."""


class ArrayContents:
    """The arrays whose contents or elements a trace has read.

    Attributes:
        known: Arrays and scalars, by identity, that need no guard: they come from no array of the caller,
            or only from arrays that are guarded already.
    """

    def __init__(self, watches: Iterable[Watch]) -> None:
        self._watches = tuple(watches)
        self._kept: set[object] = set()
        self.known: dict[int, Any] = {}
        self._has_hidden_scalars = False
        self._has_hidden_reads = False

    def made(self, value: object) -> object:
        """Notes the result of a call whose arguments :meth:`read` has already noted."""
        if isinstance(value, (np.ndarray, np.generic)):
            self.known.setdefault(id(value), value)
        return value

    def entered(self, code: CodeType, *, is_plain: bool) -> None:
        """Notes whether code that is about to run can read arrays without telling us."""
        self._has_hidden_scalars = self._has_hidden_scalars or _takes_apart(code)
        self._has_hidden_reads = self._has_hidden_reads or (is_plain and not _is_simple(code))

    def settle(self) -> None:
        """Guards all arrays if unconverted code may have read some; called when all arrays are known."""
        if self._has_hidden_reads:
            self._keep_all()

    def read(self, value: object) -> None:
        """Notes that the graph depends on a scalar, or on the whole contents of an array."""
        if isinstance(value, np.flatiter):
            value = value.base
        if isinstance(value, memoryview):
            value = value.obj
        if isinstance(value, (list, tuple)):
            items = list.copy(value) if isinstance(value, list) else value
            if not _WITHOUT_ARRAYS.issuperset(map(type, items)):
                for one in items:
                    self.read(one)
        if isinstance(value, np.ndarray):
            owner = self._owner(value)
            if owner is not None:
                self._keep(owner)
            elif id(value) not in self.known:
                self._keep_all()
        elif isinstance(value, np.generic) and not self._is_known(value):
            self._keep_sources_of_scalars()

    def _is_known(self, scalar: np.generic) -> bool:
        """Whether a scalar existed before the trace, or its source arrays are guarded."""
        return id(scalar) in self.known or any(id(scalar) in watch.scalars for watch in self._watches)

    def used(self, value: object) -> None:
        """Notes that an array or a scalar enters the graph; an array of the caller enters as an input."""
        if isinstance(value, np.generic) or (isinstance(value, np.ndarray) and self._owner(value) is None):
            self.read(value)

    def item_read(self, target: Array, index: object, item: object) -> None:
        """Notes that `target[index]` was read and gave `item`."""
        if isinstance(item, np.ndarray) and item.base is not None and self._owner(item) is not None:
            return  # A view.
        owner = self._owner(target)
        if owner is None or not _is_plain_index(index):
            self.read(target)
        elif (key := (id(target), index)) not in self._kept:
            self._kept |= {key}
            self.known[id(target)] = target  # Keeps the object alive, so that its id is not reused.
            self._watches[0].note_value(target, functools.partial(_item_of, index))
        self.made(item)

    def _owner(self, value: Array) -> Array | None:
        """The caller's array that `value` is or is a view of; ``None`` if there is none."""
        one: object = value
        while isinstance(one, np.ndarray):
            if any(id(one) in watch.arrays for watch in self._watches):
                return one
            one = one.base
        return None

    def _keep(self, array: Array) -> None:
        if id(array) not in self._kept:
            self._kept.add(id(array))
            self._watches[0].note_value(array, contents_of)

    def _keep_all(self) -> None:
        for watch in self._watches:
            for array in list(watch.arrays.values()):
                self._keep(array)

    def _keep_sources_of_scalars(self) -> None:
        """Guards the arrays that an unknown scalar may come from.

        Arithmetic yields a scalar only if its operands have no axes. `v @ w` and `a, b = row` yield scalars
        from any array; if the code has such statements, all arrays are guarded.
        """
        if self._has_hidden_scalars:
            self._keep_all()
            return
        for watch in self._watches:
            for array in list(watch.arrays.values()):
                if array.ndim == 0:
                    self._keep(array)


@functools.cache
def _takes_apart(code: CodeType) -> bool:
    """Whether code has statements that take scalars out of arrays without calling our operators."""
    for operation, argument in operations(code):
        if operation in _TAKES_APART or (operation == _BINARY_OP and argument in _PRODUCTS):
            return True
    inside = [one for one in code.co_consts if isinstance(one, CodeType)]
    return any(one.co_name.startswith("<") and one.co_name != "<lambda>" for one in inside) or any(
        map(_takes_apart, inside)
    )


_TAKES_APART = frozenset(
    dis.opmap[name]
    for name in ("UNPACK_SEQUENCE", "UNPACK_EX", "CALL_FUNCTION_EX", "LIST_EXTEND", "SET_UPDATE")
)
_BINARY_OP = dis.opmap["BINARY_OP"]
_PRODUCTS = frozenset(
    argument
    for text in ("a @ b", "a @= b")
    for operation, argument in operations(compile(text, "", "exec"))
    if operation == _BINARY_OP
)
"""The arguments of ``BINARY_OP`` that mean `@` and `@=`."""


@functools.cache
def _is_simple(code: CodeType) -> bool:
    """Whether a function only returns an attribute or variable, as most getters do."""
    return all(one.opname in _SIMPLE for one in dis.get_instructions(code))


_SIMPLE = (
    *("RESUME", "LOAD_FAST", "LOAD_ATTR", "LOAD_GLOBAL", "LOAD_CONST", "LOAD_DEREF", "COPY_FREE_VARS"),
    *("RETURN_VALUE", "RETURN_CONST", "CACHE", "NOP"),
)


def contents_of(array: Array) -> tuple[Any, ...]:
    """The shape and the bytes of an array."""
    return array.shape, array.tobytes()


def _item_of(index: Any, array: Array) -> object:
    """The bytes of an element; for an array of objects, the object itself."""
    try:
        item = array[index]
    except IndexError:
        return None
    if isinstance(item, np.generic):
        return item.tobytes()
    return contents_of(item) if isinstance(item, np.ndarray) else item


def _is_plain_index(index: object) -> bool:
    parts = index if isinstance(index, tuple) else (index,)
    return all(type(one) in (int, bool, type(None), type(...)) for one in parts)
