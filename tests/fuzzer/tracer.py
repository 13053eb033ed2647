"""A back-end that stages everything: each use of a value becomes an instruction, effects in order.

The arguments are staged, displays are staged when they are made, and so is every result; a branch or
a loop is recorded as blocks. What cannot be recorded is refused, as a back-end should.

Besides the state that the operators hand over, a block may change variables of other functions through
a closure that it calls, and global variables: `places.py` finds them, and they join the state here.
"""

from __future__ import annotations

import copy
import operator
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import BuiltinFunctionType, FunctionType
from typing import Any

import autograph as ag
from autograph._src import operators
from autograph._src.load import is_converted_code
from autograph._src.operators import Undefined, converted_call
from autograph.backends import Backend, activated, register

from fuzzer.places import State
from fuzzer.program import (
    Block,
    Branch,
    Compute,
    For,
    Move,
    Raise,
    Slot,
    While,
    bound,
    bound_free,
    returned,
    run,
    value_of,
)
from fuzzer.staged import Staged

MOST_CALLS = 150
"""Calls of the user's functions in one recording; a recursion that a staged value ends has no end here."""

LONGEST = 4000
"""Instructions in one recording."""

KNOWN = {enumerate: enumerate, divmod: 2}
"""What is known of the results of builtins: the class, or the length of a tuple."""

PLAIN = (int, float, complex, str, bytes, bool, type(None), range, type, Undefined, BuiltinFunctionType)


class Tracer(Backend, threading.local):
    """Records on this thread.

    Attributes:
        variables: The module of the program that is being recorded.
        names: Those of its variables that hold values.
    """

    name = "the tracer"

    def __init__(self) -> None:
        self.start({}, ())

    def start(self, variables: dict[str, Any], names: tuple[str, ...]) -> None:
        """Forgets what was recorded before."""
        self.block: Block = []
        self.variables, self.names = variables, names
        self.calls = self.attempts = self.length = 0

    # Recording

    def emit(self, operation: Callable[..., Any], operands: Any, keywords: Any, known: Any = None) -> Staged:
        if self.attempts:
            raise self.refuse("an operation in a `try` or `with`")
        self.length += 1
        if self.length > LONGEST:
            raise self.refuse("so long a program")
        slot = Slot()
        taken = tuple(self.operand(operand) for operand in operands)
        named = {name: self.operand(operand) for name, operand in keywords.items()}
        self.block.append(Compute(slot, operation, taken, named))
        return Staged(slot, known)

    def operand(self, value: Any) -> Any:
        """What an instruction holds for a value."""
        kind = type(value)
        if kind is Staged:
            return value.fuzzer_slot
        if kind is tuple:
            return tuple(self.operand(part) for part in value)
        if kind is slice:
            return slice(*[self.operand(part) for part in (value.start, value.stop, value.step)])
        if kind in (list, dict, set):
            return self.created(value).fuzzer_slot
        if isinstance(value, PLAIN):
            return value
        if kind is FunctionType and not is_converted_code(value.__code__) and value.__closure__ is None:
            return value
        raise self.refuse(f"a {kind.__name__} as a value of the program")

    def staged(self, value: Any) -> Staged:
        if type(value) is Staged:
            return value
        slot = Slot()
        self.block.append(Move((slot,), (self.operand(value),)))
        return Staged(slot)

    @contextmanager
    def recording(self) -> Iterator[Block]:
        """Within it instructions go to a block of their own; an exception of the user's ends it."""
        outer, block = self.block, []
        self.block = block
        try:
            yield block
        except (ag.AutographError, RecursionError):
            raise
        except Exception as error:
            self.block.append(Raise(type(error), self.operand(tuple(error.args))))
        finally:
            self.block = outer

    # Control flow

    def state(self, get_state: Any, set_state: Any, *parts: Any) -> State:
        return State(self.variables, self.names, get_state, set_state, *parts)

    def if_stmt(self, test, body, orelse, get_state, set_state, names, n_outputs) -> None:
        state = self.state(get_state, set_state, body, orelse)
        self.branch(test, state, body, orelse or nothing, len(names) - n_outputs)

    def branch(self, test: Any, state: State, body: Any, orelse: Any, dead: int = 0) -> Any:
        """Records both branches; gives what they return. The last `dead` variables are not read again."""
        decides, before = self.operand(test), state.read()
        blocks: list[Block] = []
        ends: list[list[Any] | None] = []
        for part in (body, orelse):
            state.write(before)
            ends.append(None)
            with self.recording() as block:
                ends[-1] = [part(), *state.read()]
            blocks.append(block)
        reached = [values for values in ends if values is not None] or [[None, *before]]
        joined = [self.join(values) for values in zip(*reached, strict=True)]
        if dead:
            joined[-dead:] = before[-dead:]
            reached_ends = [values for values in ends if values is not None]
            for values in reached_ends:
                values[-dead:] = before[-dead:]
        for block, values in zip(blocks, ends, strict=True):
            if values is not None:
                self.move(block, joined, values)
        self.block.append(Branch(decides, *blocks))
        state.write(joined[1:])
        return joined[0]

    def join(self, values: Any) -> Any:
        """What stands for a variable after branches that leave it with these values."""
        return values[0] if all(value is values[0] for value in values) else Staged(Slot())

    def move(self, block: Block, targets: Any, values: Any) -> None:
        """Ends a block with assignments to the targets that stand for several values."""
        outer, self.block = self.block, block
        pairs = [pair for pair in zip(targets, values, strict=True) if pair[0] is not pair[1]]
        slots = tuple(target.fuzzer_slot for target, _ in pairs)
        self.block.append(Move(slots, self.operand(tuple(value for _, value in pairs))))
        self.block = outer

    def while_stmt(self, first_test, test, body, get_state, set_state, names) -> None:
        state = self.state(get_state, set_state, body, test)
        slots, goes_on = self.carried(state), Staged(Slot())
        self.move(self.block, [goes_on], [first_test])
        with self.recording() as block:
            body()
            again = test()
            self.move(block, [goes_on, *slots], [again, *state.read()])
        self.block.append(While(goes_on.fuzzer_slot, block))
        state.write(slots)

    def carried(self, state: State) -> list[Any]:
        """Makes slots of the state, which a loop carries from turn to turn."""
        start = state.read()
        slots = [Staged(Slot()) for _ in start]
        self.move(self.block, slots, start)
        state.write(slots)
        return slots

    def for_stmt(self, iterable, extra_test, body, get_state, set_state, names) -> None:
        are_pairs = type(iterable) is enumerate
        items = self.staged(tuple(iterable) if type(iterable) in (enumerate, zip, reversed) else iterable)
        are_pairs = are_pairs or items.fuzzer_class is enumerate
        state = self.state(get_state, set_state, body, extra_test)
        slots, item, going = self.carried(state), Slot(), True
        with self.recording() as test_block:
            if extra_test is not None:
                going = self.operand(extra_test())
        with self.recording() as block:
            body(Staged(item, 2 if are_pairs else None))
            self.move(block, slots, state.read())
        self.block.append(For(items.fuzzer_slot, item, going, test_block, block))
        state.write(slots)

    def if_exp(self, test, body, orelse) -> Any:
        return self.branch(test, self.state(None, None, body, orelse), body, orelse)

    def and_(self, left, rest) -> Any:
        return self.branch(left, self.state(None, None, rest), rest, lambda: left)

    def or_(self, left, rest) -> Any:
        return self.branch(left, self.state(None, None, rest), lambda: left, rest)

    def not_(self, value) -> Any:
        return self.emit(_not, (value,), {})

    def is_(self, left, right) -> Any:
        return self.emit(operator.is_, (left, right), {})

    def contains(self, item, container) -> Any:
        return self.emit(_contains, (item, container), {})

    def assert_stmt(self, test, message) -> None:
        def fail() -> None:
            raise AssertionError if message is None else AssertionError(message())

        self.branch(test, self.state(None, None, message), nothing, fail)

    # Expressions

    def joined_string(self, parts) -> Any:
        return self.emit(_joined, parts, {})

    def formatted(self, value, conversion, spec) -> Any:
        return self.emit(_formatted, (value, conversion, spec), {})

    def get_item(self, target, index) -> Any:
        return self.emit(_get_item, (target, index), {})

    def set_item(self, target, index, value) -> None:
        self.emit(_set_item, (target, index, value), {})

    def del_item(self, target, index) -> None:
        self.emit(_del_item, (target, index), {})

    def set_attr(self, target, name, value) -> None:
        self.emit(setattr, (target, name, value), {})

    def del_attr(self, target, name) -> None:
        self.emit(delattr, (target, name), {})

    def call_builtin(self, function, args, kwargs) -> Any:
        if isinstance(function, type) and issubclass(function, BaseException):
            return function(*args, **kwargs)
        if isinstance(function, type) and function.__module__ != "builtins":
            return self._make(function, args, kwargs)
        return self.emit(function, args, kwargs, KNOWN.get(function))

    def _make(self, kind: type, args: Any, kwargs: Any) -> Staged:
        """Makes an object when the program runs; its `__init__` is recorded."""
        made = self.emit(object.__new__, (kind,), {}, kind)
        if isinstance(vars(kind).get("__init__"), FunctionType):
            converted_call(kind.__init__, made, *args, **kwargs)
        elif args or kwargs or kind.__init__ is not object.__init__:
            raise self.refuse(f"making a {kind.__name__}")
        return made

    def return_value(self, value) -> Any:
        for element in value if isinstance(value, tuple) else (value,):
            if type(element) is Staged:
                self.block.append(Compute(element.fuzzer_slot, returned, (element.fuzzer_slot,), {}))
        return value

    def load(self, value, is_free=False) -> Any:
        return self.emit(bound_free if is_free else bound, (value,), {}, value.fuzzer_class)

    # What converted code tells

    def created(self, value) -> Any:
        """Displays are made when the program runs; an object of plain arguments is copied then."""
        if type(value) is Staged:
            return value
        if type(value) is list:
            return self.emit(_list, value, {})
        if type(value) is dict:
            return self.emit(_dict, [part for pair in value.items() for part in pair], {})
        if type(value) is set:
            return self.emit(_set, sorted(value), {})
        if isinstance(value, BaseException) or type(value).__module__ == "builtins":
            return value
        if any(type(part) is Staged for part in attributes_of(value)):
            raise self.refuse(f"a {type(value).__name__} made while recording")
        slot = Slot()
        self.block.append(Compute(slot, lambda: copy.deepcopy(value), (), {}))
        return Staged(slot, type(value))

    def will_write(self, place) -> None:
        if place.is_variable:
            return  # `places.py` finds it.
        raise self.refuse(f"writing to a plain {type(place.owner).__name__}")

    def entered(self, function) -> None:
        self.calls += 1
        if self.calls > MOST_CALLS:
            raise self.refuse("recursion or so many calls")

    @contextmanager
    def attempt(self, clause: str = "") -> Iterator[None]:
        self.attempts += 1
        try:
            yield
        finally:
            self.attempts -= 1


def attributes_of(value: Any) -> list[Any]:
    slots = [getattr(value, name, None) for name in getattr(type(value), "__slots__", ())]
    return [*getattr(value, "__dict__", {}).values(), *slots]


def nothing() -> None:
    """The branch that is not there."""


def _not(value: Any) -> bool:
    return not value


def _contains(item: Any, container: Any) -> bool:
    return item in container


def _joined(*parts: Any) -> str:
    return "".join(parts)


def _formatted(value: Any, conversion: str | None, spec: str) -> str:
    return operators.formatted(value, conversion, spec)


def _get_item(target: Any, index: Any) -> Any:
    return target[index]


def _set_item(target: Any, index: Any, value: Any) -> None:
    target[index] = value


def _del_item(target: Any, index: Any) -> None:
    del target[index]


def _list(*parts: Any) -> list[Any]:
    return list(parts)


def _dict(*parts: Any) -> dict[Any, Any]:
    return dict(zip(parts[::2], parts[1::2], strict=True))


def _set(*parts: Any) -> set[Any]:
    return set(parts)


TRACER = Tracer()
register(TRACER, Staged)


def traced(function: Any, variables: dict[str, Any], names: tuple[str, ...], arguments: Any) -> Any:
    """Records a call of a function, then runs what was recorded.

    Args:
        function: The user's function.
        variables: Its module, of which `names` are the variables that hold values.
        arguments: Its arguments.
    """
    inputs = [Staged(Slot()) for _ in arguments]
    before = {name: variables[name] for name in names}
    TRACER.start(variables, names)
    variables.update((name, Staged(Slot())) for name in names)
    memory = {variables[name].fuzzer_slot: value for name, value in before.items()}
    result, after = None, None
    try:
        with activated(TRACER), TRACER.recording() as block:
            result = TRACER.operand(converted_call(function, *inputs))
            after = [TRACER.operand(variables[name]) for name in names]
    except RecursionError:
        raise TRACER.refuse("recursion without end") from None
    finally:
        variables.update(before)
    memory.update(zip([value.fuzzer_slot for value in inputs], arguments, strict=True))
    run(block, memory)
    assert after is not None
    variables.update(zip(names, value_of(tuple(after), memory), strict=True))
    return value_of(result, memory)
