"""The staged value of the tracing back-end: every use of it is recorded as an instruction.

Where the class of the object is known, its methods and properties are looked up while recording, so
that they are converted and recorded too; else the look-up itself is an instruction.
"""

from __future__ import annotations

import operator
from types import FunctionType, MethodType
from typing import Any

import autograph as ag
from autograph._src import operators
from autograph._src.backends.protocol import active_backend

from fuzzer.program import Slot


class Staged:
    """A value that the recorded program will have in a slot.

    Attributes:
        fuzzer_slot: The slot.
        fuzzer_class: The class of the object, or the length of the tuple, where it is known.
    """

    __slots__ = ("fuzzer_class", "fuzzer_slot")

    def __init__(self, slot: Slot, known_class: type | int | None = None) -> None:
        object.__setattr__(self, "fuzzer_slot", slot)
        object.__setattr__(self, "fuzzer_class", known_class)

    @ag.do_not_convert
    def __getattr__(self, name: str) -> Any:
        if name.startswith(("__autograph", "__array", "fuzzer_")) or name in ("__wrapped__", "__self__"):
            raise AttributeError(name)
        known = self.fuzzer_class
        if isinstance(known, type):
            found = _inherited(known, name)
            if isinstance(found, FunctionType):
                return MethodType(found, self)
            if isinstance(found, staticmethod):
                return found.__func__
            if isinstance(found, classmethod):
                return MethodType(found.__func__, known)
            if isinstance(found, property) and found.fget is not None:
                return operators.converted_call(found.fget, self)
        return _emit(getattr, self, name)

    @ag.do_not_convert
    def __iter__(self) -> Any:
        if type(self.fuzzer_class) is not int:
            raise _recorder().refuse("`__iter__` of a staged value")
        return iter([_emit(operator.getitem, self, place) for place in range(self.fuzzer_class)])

    @ag.do_not_convert
    def __setattr__(self, name: str, value: Any) -> None:
        _emit(setattr, self, name, value)

    @ag.do_not_convert
    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return _recorder().emit(_call, (self, *args), kwargs)


def _call(function: Any, *args: Any, **kwargs: Any) -> Any:
    return function(*args, **kwargs)


def _inherited(kind: type, name: str) -> Any:
    for base in kind.__mro__:
        if name in vars(base):
            return vars(base)[name]
    return None


def _recorder() -> Any:
    backend = active_backend()
    assert backend is not None, "a staged value outlived its recording"
    return backend


def _emit(operation: Any, *operands: Any) -> Any:
    return _recorder().emit(operation, operands, {})


def _define_operators() -> None:
    binary = "add sub mul truediv floordiv mod pow lshift rshift and_ or_ xor matmul".split()
    for word in binary:
        name, operation = word.rstrip("_"), getattr(operator, word)
        in_place = getattr(operator, f"i{name}")
        setattr(Staged, f"__{name}__", _forward(operation))
        setattr(Staged, f"__r{name}__", _backward(operation))
        setattr(Staged, f"__i{name}__", _forward(in_place))
    for name in "lt le gt ge eq ne neg pos abs invert".split():
        setattr(Staged, f"__{name}__", _forward(getattr(operator, name)))
    for name in "bool len index int float str repr format hash contains next reversed bytes complex".split():
        setattr(Staged, f"__{name}__", _refused(name))
    setattr(Staged, "__enter__", _refused("enter"))
    setattr(Staged, "__exit__", _refused("exit"))
    setattr(Staged, "__hash__", _refused("hash"))


def _forward(operation: Any) -> Any:
    return ag.do_not_convert(lambda *operands: _emit(operation, *operands))


def _backward(operation: Any) -> Any:
    return ag.do_not_convert(lambda right, left: _emit(operation, left, right))


def _refused(name: str) -> Any:
    @ag.do_not_convert
    def needs_value(self: Staged, *_: Any) -> Any:
        raise _recorder().refuse(f"`__{name}__` of a staged value")

    return needs_value


_define_operators()
