"""Arrays of the caller that plain NumPy has read while tracing: what they held is part of the graph.

    x * W            no part of this: an array that meets a staged value is an input, read at every run
    x * W[0, 0]      the element is a constant of the graph, which holds for as long as it is in `W`
    x + W.sum()      so is a sum, for as long as nothing in `W` changes
    x * (2 * W)      no operator sees the product: an array that is nobody's was computed from some array

Views are no reads: they share the memory, and are inputs where they meet a staged value. Where nobody
knows which array a constant was computed from, the contents of all that the program can reach are kept.
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


class ArrayContents:
    """The arrays whose contents, or elements, a trace has read.

    Attributes:
        known: Arrays and scalars that are no function of an array of the caller, or of one that is kept.
    """

    def __init__(self, watches: Iterable[Watch]) -> None:
        self._watches = tuple(watches)
        self._kept: set[object] = set()
        self.known: dict[int, Any] = {}
        self._has_hidden_scalars = False
        self._has_hidden_reads = False

    def made(self, value: object) -> object:
        """Notes what a call has made of values of which :meth:`read` was told."""
        if isinstance(value, (np.ndarray, np.generic)):
            self.known.setdefault(id(value), value)
        return value

    def entered(self, code: CodeType, *, is_plain: bool) -> None:
        """Notes what code that is about to run can do with arrays unseen."""
        self._has_hidden_scalars = self._has_hidden_scalars or _takes_apart(code)
        self._has_hidden_reads = self._has_hidden_reads or (is_plain and not _is_simple(code))

    def settle(self) -> None:
        """Keeps what code that is not converted may have read of arrays, once all are known."""
        if self._has_hidden_reads:
            self._keep_all()

    def read(self, value: object) -> None:
        """Notes that all of an array, or a scalar, has a part in what the graph is."""
        if isinstance(value, np.flatiter):
            value = value.base
        if isinstance(value, memoryview):
            value = value.obj
        if isinstance(value, (list, tuple)):
            for one in list.copy(value) if isinstance(value, list) else value:
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
        """Whether it was there before, or its sources are kept."""
        return id(scalar) in self.known or any(id(scalar) in watch.scalars for watch in self._watches)

    def used(self, value: object) -> None:
        """Notes that an array or a scalar becomes a part of the graph: an array is read at every run."""
        if isinstance(value, np.generic) or (isinstance(value, np.ndarray) and self._owner(value) is None):
            self.read(value)

    def item_read(self, target: Array, index: object, item: object) -> None:
        """Notes that `target[index]` was read, and what it was."""
        if isinstance(item, np.ndarray) and item.base is not None and self._owner(item) is not None:
            return  # A view.
        owner = self._owner(target)
        if owner is None or not _is_plain_index(index):
            self.read(target)
        elif (key := (id(target), index)) not in self._kept:
            self._kept |= {key}
            self.known[id(target)] = target  # Another object for each `W[0]`; its identity stays its own.
            self._watches[0].note_value(target, functools.partial(_item_of, index))
        self.made(item)

    def _owner(self, value: Array) -> Array | None:
        """The array of the caller that it is, or whose memory it views."""
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
        """Arithmetic makes scalars of arrays without axes only; `v @ w` and `a, b = row` of others."""
        if self._has_hidden_scalars:
            self._keep_all()
            return
        for watch in self._watches:
            for array in list(watch.arrays.values()):
                if array.ndim == 0:
                    self._keep(array)


@functools.cache
def _takes_apart(code: CodeType) -> bool:
    """Whether code has statements that make scalars of arrays and are no operators of ours."""
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
"""The arguments by which `@` and `@=` are told from other operators."""


@functools.cache
def _is_simple(code: CodeType) -> bool:
    """Whether a function does no more than to give an attribute, as most getters do."""
    return all(one.opname in _SIMPLE for one in dis.get_instructions(code))


_SIMPLE = (
    *("RESUME", "LOAD_FAST", "LOAD_ATTR", "LOAD_GLOBAL", "LOAD_CONST", "LOAD_DEREF", "COPY_FREE_VARS"),
    *("RETURN_VALUE", "RETURN_CONST", "CACHE", "NOP"),
)


def contents_of(array: Array) -> tuple[Any, ...]:
    """What an array holds, to the bit."""
    return array.shape, array.tobytes()


def _item_of(index: Any, array: Array) -> object:
    """What an element holds, to the bit; of an array of objects the object."""
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
