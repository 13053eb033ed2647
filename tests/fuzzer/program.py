"""The programs that the tracing back-end records: blocks of instructions over slots, run in order.

Values have no types: an instruction does what Python does to whatever its slots hold.

>>> first, result = Slot(), Slot()
>>> block = [Compute(result, max, (first, 1), {})]
>>> memory = {first: 2}
>>> run(block, memory)
>>> memory[result]
2
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from typing import Any

from autograph._src.operators import Undefined, ld_free

Memory = dict["Slot", Any]
Block = list["Instruction"]


class Slot:
    """A place in the memory of a running program."""

    __slots__ = ()


class Instruction:
    """One step of a program."""

    def run(self, memory: Memory) -> None:
        raise NotImplementedError


def run(block: Block, memory: Memory) -> None:
    for instruction in block:
        instruction.run(memory)


def value_of(operand: Any, memory: Memory) -> Any:
    """The value of an operand: a slot, a tuple or slice of operands, or a constant."""
    kind = type(operand)
    if kind is Slot:
        return memory[operand]
    if kind is tuple:
        return tuple([value_of(part, memory) for part in operand])
    if kind is slice:
        return slice(*[value_of(part, memory) for part in (operand.start, operand.stop, operand.step)])
    return operand


@dataclasses.dataclass(slots=True)
class Compute(Instruction):
    """`result = operation(*operands, **keywords)`, with every effect it has."""

    result: Slot
    operation: Callable[..., Any]
    operands: tuple[Any, ...]
    keywords: dict[str, Any]

    def run(self, memory: Memory) -> None:
        operands = [value_of(operand, memory) for operand in self.operands]
        keywords = {name: value_of(operand, memory) for name, operand in self.keywords.items()}
        memory[self.result] = self.operation(*operands, **keywords)


@dataclasses.dataclass(slots=True)
class Move(Instruction):
    """Assigns slots, all at once."""

    targets: tuple[Slot, ...]
    operands: tuple[Any, ...]

    def run(self, memory: Memory) -> None:
        memory.update(zip(self.targets, value_of(self.operands, memory), strict=True))


@dataclasses.dataclass(slots=True)
class Branch(Instruction):
    test: Any
    body: Block
    orelse: Block

    def run(self, memory: Memory) -> None:
        run(self.body if value_of(self.test, memory) else self.orelse, memory)


@dataclasses.dataclass(slots=True)
class While(Instruction):
    """Runs the block, which renews the test, as long as the test holds."""

    test: Slot
    block: Block

    def run(self, memory: Memory) -> None:
        while memory[self.test]:
            run(self.block, memory)


@dataclasses.dataclass(slots=True)
class For(Instruction):
    """`for item in iterable`; the extra test runs before the iterator is asked."""

    iterable: Any
    item: Slot
    test: Any
    test_block: Block
    block: Block

    def run(self, memory: Memory) -> None:
        items: Iterator[Any] = iter(value_of(self.iterable, memory))
        while True:
            run(self.test_block, memory)
            if not value_of(self.test, memory):
                return
            try:
                memory[self.item] = next(items)
            except StopIteration:
                return
            run(self.block, memory)


@dataclasses.dataclass(slots=True)
class Raise(Instruction):
    """Ends the program, or the block it stands in, with an exception of the user's."""

    kind: type[BaseException]
    operands: tuple[Any, ...]

    def run(self, memory: Memory) -> None:
        raise self.kind(*value_of(self.operands, memory))


def bound(value: Any) -> Any:
    """Reading a variable that may be unbound."""
    if type(value) is Undefined:
        raise value.error()
    return value


def bound_free(value: Any) -> Any:
    """Reading a variable of an enclosing function that may be unbound."""
    return ld_free(value)


def returned(value: Any) -> Any:
    """The result of a function: `None` where no `return` ran."""
    return None if type(value) is Undefined else value
