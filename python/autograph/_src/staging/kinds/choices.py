"""Choices: staged values that are one of a few constants, or a number or a string of the run beside them.

    status = "failed"
    for k in range(steps):
        if error < tol:              # staged
            status = "converged"     # a code in the graph: 0 or 1
            break
    return status                    # the string with that code

``==``, ``is`` and truth are tests of the code. Any other use is recorded once for each constant, in a branch
of its own: what the branches give alike is one value again, and constants that they give are a choice again.
"""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from types import MethodType
from typing import Any

import numpy as np

from autograph._src.backends.protocol import backend_of
from autograph._src.load import is_converted_code
from autograph._src.operators.calls import converted_call
from autograph._src.operators.identity import is_
from autograph._src.staging.kinds.choosable import compares_plainly, compares_simply, is_huge, is_value
from autograph._src.staging.kinds.unions import Several, each, over_alternatives
from autograph._src.staging.kinds.value_kind import ValueKind
from autograph._src.staging.tensors.lifting import constant, lift
from autograph._src.staging.tensors.python_scalars import compare, either, is_code, negate, truth
from autograph._src.staging.tensors.staged_strings import StagedString
from autograph._src.staging.tensors.tensor import Form, Tensor, emit, plain_attribute, wrap
from autograph._src.staging.trace.active import require_trace, staging_error
from autograph._src.staging.trace.lookers import looked_at
from autograph._src.staging.trace.own_class import own_class
from autograph._src.staging.trace.restarts import learn_template

MOST = 64
"""The most constants of one choice: a program that makes ever new ones would be recorded for ever."""


@dataclass(frozen=True)
class Entry:
    """One of what a choice may be.

    Attributes:
        code: Its number in the graph.
        kind: The kind of a value that only the run knows; ``None`` for a constant.
        value: The constant.
    """

    code: int
    kind: ValueKind | None = None
    value: object = field(default=None, compare=False)

    def is_constant(self) -> bool:
        """Whether it is a constant."""
        return self.kind is None


def _choice_in_words(value: StagedChoice) -> str:
    """What it may be for a debugger: ``choice of 'a' and 'b'``."""
    shown = [repr(one.value) if one.kind is None else one.kind.in_words() for one in value.ag_entries]
    return "choice of " + ", ".join(shown[:_MOST_SHOWN]) + (", …" if len(shown) > _MOST_SHOWN else "")


_MOST_SHOWN = 5
"""The most constants in that text."""


@looked_at(lambda value: _choice_in_words(value), lambda value: value.ag_code, lambda value: value.ag_name)
class StagedChoice(Several):
    """A staged value that is one of a few known constants.

    Attributes:
        ag_entries: What it may be, by code.
        ag_code: A staged int: which it is.
        ag_held: By code, the values that only the run knows.
        ag_bound: For a variable that may be unbound, the staged bool that says whether it is bound.
        ag_name: The variable it was bound to, for messages.
    """

    ag_type_name = "choice between constants"

    __slots__ = ("ag_bound", "ag_code", "ag_entries", "ag_held", "ag_name")

    most_ways = MOST

    def __init__(
        self, entries: tuple[Entry, ...], code: Tensor, held: dict[int, Any], name: str | None = None
    ) -> None:
        self.ag_entries = entries
        self.ag_code = code
        self.ag_held = held
        self.ag_bound: Tensor | None = None
        self.ag_name = name

    # The ways

    def ag_count(self) -> int:
        """The number of what it may be."""
        return len(self.ag_entries)

    def ag_which(self) -> tuple[Tensor, list[int]]:
        """The code, and that of each entry."""
        return self.ag_code, [entry.code for entry in self.ag_entries]

    def ag_at(self, position: int) -> Any:
        """The constant at an index, or the value of the run."""
        entry = self.ag_entries[position]
        return entry.value if entry.is_constant() else self.ag_held[entry.code]

    def ag_refusal(self, what: str, remedy: str) -> Exception:
        """The error for a use that has to know which it is."""
        words = f"`{self.ag_name}`" if self.ag_name and self.ag_name.isidentifier() else "this value"
        return staging_error("AG131", f"{what} of {words} is needed, which depends on data", remedy)

    def ag_is_of_constants(self) -> bool:
        """Whether all that it may be is known."""
        return all(entry.is_constant() for entry in self.ag_entries)

    def ag_is_text(self) -> bool:
        """Whether it is a string whatever it is, and one of the run in some way."""
        held = [isinstance(one, StagedString) for one in self.ag_held.values()]
        return bool(held) and all(held) and all(type(one) is str for one in self._constants())

    def ag_compares_simply(self) -> bool:
        """Whether two such choices are equal if their codes are."""
        return self.ag_is_of_constants() and all(map(compares_simply, self._constants()))

    def ag_is_among(self, codes: Iterable[int]) -> bool | Tensor:
        """Whether its code is one of these; a plain bool if it is always, or never."""
        wanted = [entry.code for entry in self.ag_entries if entry.code in set(codes)]
        if len(wanted) in (0, len(self.ag_entries)):
            return bool(wanted)
        tests = [is_code(self.ag_code, code) for code in wanted]
        found = tests[0]
        for test in tests[1:]:
            found = either(found, test)
        return found

    def unless_none(self, present: Tensor) -> StagedChoice:
        """This choice with ``None`` where ``present`` is false, whatever it is there."""
        missing = Entry(require_trace().facts.chosen.number(None))
        entries = {one.code: one for one in (*self.ag_entries, missing)}
        code = constant(missing.code, "int64", Form.PYTHON)
        chosen = wrap(emit("select", present.read(), self.ag_code.read(), code.read()), Form.PYTHON)
        ordered = tuple(entries[one] for one in sorted(entries))
        return StagedChoice(ordered, chosen, self.ag_held, self.ag_name)

    # Tests

    def ag_truth(self) -> Tensor:
        """``bool(self)``."""
        if self.ag_is_of_constants() and all(map(_has_plain_truth, self._constants())):
            return lift(self.ag_is_among([one.code for one in self.ag_entries if one.value]))
        return lift(each(self, lambda value: truth(converted_call(bool, value))))

    def _constants(self) -> list[Any]:
        return [entry.value for entry in self.ag_entries if entry.is_constant()]

    def __eq__(self, other: object) -> object:  # type: ignore[override]
        is_simple = self.ag_compares_simply()
        if is_simple and type(other) is StagedChoice and other.ag_compares_simply():
            return compare("equal", self.ag_code, other.ag_code)
        if is_simple and compares_plainly(other):
            return self.ag_is_among([one.code for one in self.ag_entries if one.value == other])
        return over_alternatives(operator.eq, (self, other), {})

    def __ne__(self, other: object) -> object:  # type: ignore[override]
        same = self == other
        if isinstance(same, Tensor) and same.form is Form.PYTHON:
            return negate(same)
        return (
            not same if same is True or same is False else over_alternatives(operator.ne, (self, other), {})
        )

    def ag_is_same(self, other: object) -> object:
        """``self is other``.

        Raises:
            StagingError: If it is a string or a number on both sides, which may be one object or two (AG120).
        """
        if type(other) is StagedChoice:
            return each(other, self.ag_is_same)
        if any(isinstance(one, BaseException) for one in (other, *self.ag_held.values())):
            return each(self, lambda value: is_(value, other))
        codes = []
        for entry in self.ag_entries:
            is_unknown = not entry.is_constant() and not _is_single(other)
            is_alike = type(entry.value) is type(other)
            if is_unknown or (
                is_alike and (is_value(other) or is_huge(other) or isinstance(other, MethodType))
            ):
                raise staging_error(
                    "AG120", "whether two strings, numbers or methods are one object is not known", "use `==`"
                )
            if entry.is_constant() and entry.value is other:
                codes.append(entry.code)
        return self.ag_is_among(codes)

    # Other uses: once for each

    def __call__(self, *args: object, **kwargs: object) -> object:
        """Calls each function with the arguments, in a branch of its own."""
        return each(self, lambda function: converted_call(function, *args, **kwargs))

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        """The class of all constants, if they have one; see :mod:`autograph._src.staging.trace.own_class`."""
        classes = {type(value) for value in self._constants()}
        try:
            return own_class(self, f"`{self.ag_name}`" if self.ag_name else "a choice")
        except Exception:
            if len(classes) == 1 and self.ag_is_of_constants():
                return classes.pop()
            raise

    def __getattribute__(self, name: str) -> Any:
        # This class has a module and a docstring of its own, which would be found first.
        is_of_constants = name in ("__module__", "__doc__")
        return self.__getattr__(name) if is_of_constants else object.__getattribute__(self, name)

    def __getattr__(self, name: str) -> Any:
        # Debuggers ask, too.
        if name in ("__dict__", "__annotations__") and is_converted_code(sys._getframe(1).f_code):
            raise self.ag_refusal(f"`{name}`", "read the attributes by their names")
        is_of_errors = name in _OF_ERRORS and any(
            isinstance(one, BaseException) for one in self.ag_held.values()
        )
        if name.startswith("__") and name not in _OF_FUNCTIONS and not is_of_errors:
            raise AttributeError(name)
        held = [one for one in self.ag_held.values() if isinstance(one, BaseException)]
        if any(callable(getattr(value, name, None)) for value in (*self._constants(), *held)):
            return ChosenMethod(self, name)
        return each(self, lambda value: _attribute(value, name))

    def __getitem__(self, index: object) -> object:
        return over_alternatives(operator.getitem, (self, index), {})

    def __iter__(self) -> Iterator[Any]:
        raise self.ag_refusal("the items", "choose among tuples of one length instead")

    def __len__(self) -> int:
        raise self.ag_refusal("the length", "call `len` in converted code")

    def _refuse(self, *_: object) -> Any:
        learn_template()
        words = f"`{self.ag_name}`" if self.ag_name and self.ag_name.isidentifier() else "a value"
        raise staging_error(
            "AG101",
            f"which constant {words} is depends on data, and is needed while tracing",
            "compare it with `==`, or call what takes it in converted code",
        )

    __bool__ = __hash__ = __str__ = __repr__ = __format__ = __int__ = __float__ = __index__ = _refuse
    __complex__ = __array__ = __contains__ = __reduce__ = __setitem__ = __fspath__ = __bytes__ = _refuse

    # NumPy's protocols

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: object, **options: object) -> object:
        return over_alternatives(getattr(ufunc, method), inputs, options)

    def __array_function__(
        self, function: Callable[..., Any], types: object, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        return over_alternatives(function, args, kwargs)


_OF_FUNCTIONS = ("__name__", "__qualname__", "__module__", "__doc__", "__mro__", "__bases__")
"""Attributes of functions and classes that programs read; Python and NumPy probe for the others."""

_OF_ERRORS = ("__cause__", "__context__", "__suppress_context__", "__notes__")
"""Attributes of exceptions that programs read."""


class ChosenMethod:
    """A method of a choice, such as ``state.next``, before it is called."""

    kind = "method"

    def __init__(self, owner: StagedChoice, name: str) -> None:
        self._owner = owner
        self._name = name

    def __call__(self, *args: object, **kwargs: object) -> object:
        """Calls the method of each constant, in a branch of its own."""
        return each(self._owner, lambda value: converted_call(_attribute(value, self._name), *args, **kwargs))


def _attribute(value: object, name: str) -> Any:
    """An attribute that the program reads: staged values have others, for this package."""
    return getattr(value, name) if backend_of(value) is None else plain_attribute(value, name)


def _is_single(value: object) -> bool:
    """Whether a value is the only object that is equal to it, so that no number or string is this one."""
    return value is None or (compares_simply(value) and not is_value(value))


def _has_plain_truth(value: object) -> bool:
    """Whether the truth of a constant asks no code of the user."""
    kind = type(value)
    return is_value(value) or not any(
        hasattr(kind, name) for name in ("__bool__", "__len__") if kind.__module__ != "builtins"
    )
