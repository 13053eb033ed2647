"""Finds plain containers that carry a graph value of a block out of the block, where it does not exist.

    if ok:                          # staged
        found = {"best": x * 2}     # a plain dict that holds a value of this block
    else:
        raise ValueError("none")    # nothing to join the dict with
    return found["best"]            # refused: after the `if` the graph has no such value

The error names the variable, here `found`.
"""

from __future__ import annotations

import functools
import gc
from types import FunctionType, MethodType
from typing import Any

from autograph._src.policy import is_user_class
from autograph._src.staging.kinds.leaves import leaves_of
from autograph._src.staging.kinds.static import Static
from autograph._src.staging.kinds.value_kind import ValueKind, quoted
from autograph._src.staging.objects.list_object import ListObject
from autograph._src.staging.objects.maybe_unbound import MaybeUnbound
from autograph._src.staging.tensors.tensor import Tensor
from autograph._src.staging.trace.active import staging_error
from autograph._src.staging.trace.frames import is_internal_file
from autograph._src.staging.trace.record_classes import field_names
from autograph._src.staging.trace.references import is_reference
from autograph._src.staging.trace.restarts import learn_objects


def hides_values(kind: ValueKind, serial: int) -> bool:
    """Whether a value that leaves a block holds graph values of the block which it cannot take along.

    Args:
        kind: The kind of the value.
        serial: The serial number before the block; tensors with a higher one were made in the block.
    """
    if isinstance(kind, Static):
        return _holds(kind.value, serial, [])
    if isinstance(kind, ListObject):
        return hides_values(kind.contents, serial)
    if isinstance(kind, MaybeUnbound):
        return hides_values(kind.inner, serial)
    return any(hides_values(part, serial) for part in kind.inside())


def refuse_hidden(name: str, kind: ValueKind, serial: int, statement: str) -> None:
    """Refuses a variable that holds, in a container or as what may be ``None``, what cannot leave a block.

        pair = None
        if x > 0:                                             # staged
            pair = (x, ag.vmap(lambda a: [a, a])(xs))         # a list that no display of the program makes

    Args:
        name: The variable.
        kind: Its kind after the statement.
        serial: The serial number before the block.
        statement: The statement, for the message.

    Raises:
        Learned: If it can be a row of a table.
        StagingError: If not (AG133).
    """
    if isinstance(kind, Static) or not hides_values(kind, serial):
        return
    parts = _plain_parts(kind)
    learn_objects(kind, *parts)
    if any(callable(one.value) and hides_values(one, serial) for one in parts):
        raise staging_error(
            "AG133",
            f"{quoted(name)} is a function that holds values of {statement}, and cannot leave it",
            "give it the values as arguments where it is called",
        )
    raise staging_error(
        "AG133",
        f"{quoted(name)} holds a container or an object that is made in {statement} and cannot leave it",
        "put a copy into it: `[*xs]`, `{**d}`, or bind its parts to variables of their own",
    )


def _plain_parts(kind: ValueKind) -> list[Static]:
    """The kinds of the objects and plain containers that a value holds."""
    if isinstance(kind, Static):
        return [kind]
    inside = (kind.contents,) if isinstance(kind, ListObject) else kind.inside()
    return [one for part in inside for one in _plain_parts(part)]


def _holds(value: object, serial: int, around: list[Any]) -> bool:
    if any(value is one for one in around):
        return False
    parts = _parts(value)
    if parts is None:
        return any(isinstance(leaf, Tensor) and leaf.serial > serial for leaf in leaves_of(value))
    around.append(value)
    return any(_holds(part, serial, around) for part in parts)


def _parts(value: Any) -> list[Any] | None:
    """The contents of a container or of an object of the program; ``None`` for other values."""
    if is_reference(value):
        return [value.ag_row]
    if issubclass(type(value), list):
        return list.copy(value)
    if issubclass(type(value), (tuple, set, frozenset)):
        return list(value)
    if issubclass(type(value), dict):
        return list(value.values())
    if isinstance(value, MethodType):
        return [value.__self__]
    if isinstance(value, functools.partial):
        return [*value.args, *value.keywords.values()]
    if isinstance(value, FunctionType) and is_internal_file(value.__code__.co_filename):
        return gc.get_referents(*(value.__closure__ or ()))  # A method of a tensor.
    if isinstance(value, FunctionType):
        # What a function of the program made it with: `lambda v, y=x * 2: v + y`, `make_adder(x * 2)`.
        named = (value.__kwdefaults__ or {}).values()
        return [*gc.get_referents(*(value.__closure__ or ())), *(value.__defaults__ or ()), *named]
    if type(value).__module__ == "builtins" and hasattr(type(value), "__next__"):
        return gc.get_referents(value)  # `map(f, xs)`
    if isinstance(value, type) or not is_user_class(type(value)):
        return None
    names = dict.fromkeys((*field_names(value), *getattr(value, "__dict__", ())))
    return [getattr(value, name) for name in names if hasattr(value, name)]
