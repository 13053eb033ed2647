"""The native back-end: what items, attributes, builtins and NumPy mean for values of the graph."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from autograph._src.articles import with_article
from autograph._src.backends.protocol import (
    backend_of,
    register_only,
    type_name,
)
from autograph._src.backends.recording_backend import RecordingBackend
from autograph._src.backends.variables import VariableBackend
from autograph._src.dict_classes import is_dict_tree
from autograph._src.numpy.calls.calls import CREATORS, call_numpy
from autograph._src.numpy.calls.of_scipy import is_of_scipy
from autograph._src.numpy.calls.registry import UNDISPATCHED, are_direct
from autograph._src.numpy.calls.walks import StagedFlat
from autograph._src.numpy.elementwise.ufuncs import apply
from autograph._src.numpy.shapes.concatenators import JOINERS, joined_by_index
from autograph._src.operators.calls import converted_call
from autograph._src.operators.constant_tables import is_staged_key
from autograph._src.operators.items import get_item, set_attr, set_item
from autograph._src.operators.logic import in_
from autograph._src.operators.progress import makes_progress
from autograph._src.rooms import import_modules_of
from autograph._src.staging.builtins.characters import contains
from autograph._src.staging.builtins.staged_builtins import call_builtin, takes_one_type
from autograph._src.staging.builtins.string_builtins import joined_texts, makes_text, text_of
from autograph._src.staging.complex.complex_tensor import COMPLEX_NUMBER, ComplexTensor
from autograph._src.staging.control.branches import stage_choice
from autograph._src.staging.control.iteration import StagedIterator, staged_range
from autograph._src.staging.control.label_items import are_labels, item_of_labels
from autograph._src.staging.control.progress import Progress, call_progress
from autograph._src.staging.control.sequence_items import item_of_sequence
from autograph._src.staging.keyed.keyed import Keyed, refusal
from autograph._src.staging.kinds.choices import ChosenMethod, StagedChoice
from autograph._src.staging.kinds.maybe_bound import MaybeBound
from autograph._src.staging.kinds.optionals import StagedOptional, required, required_itself
from autograph._src.staging.kinds.unions import Method as UnionMethod
from autograph._src.staging.kinds.unions import (
    Several,
    StagedUnion,
    as_indices,
    each,
    holds_unions,
    index_of,
    over_alternatives,
)
from autograph._src.staging.lists import list_searches
from autograph._src.staging.lists.staged_iterable import StagedIterable
from autograph._src.staging.lists.traced_list import StagedList, TracedList
from autograph._src.staging.narrow.narrow_tensor import CLASSES
from autograph._src.staging.objects.named_values import NamedValue
from autograph._src.staging.objects.node_fields import StagedMethod
from autograph._src.staging.objects.node_sequences import NodeSequence
from autograph._src.staging.objects.nodes import StagedNode, refusal_of_write
from autograph._src.staging.objects.object_lists import ListReference
from autograph._src.staging.operators.truth_only import TruthOfMapping, TruthOfSequence
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.memory import WHY_NOT_WRITTEN, Role
from autograph._src.staging.tensors.number_tensor import NUMBER_TENSORS, NumberTensor
from autograph._src.staging.tensors.python_scalars import truth
from autograph._src.staging.tensors.staged_strings import StagedString, text_needed
from autograph._src.staging.tensors.tensor import ArrayTensor, Form, ScalarTensor, Tensor, class_text
from autograph._src.staging.trace.active import current_trace, staging_error
from autograph._src.staging.trace.references import is_reference
from autograph._src.staging.wide.wide_int import WIDE_INT
from autograph._src.variable import READING, Variable, value_of

for _room in ("operators", "builtins", "calls"):
    import_modules_of(f"autograph._src.staging.{_room}")


def _has_staged(values: Iterable[Any]) -> bool:
    """Whether one of these values is staged, or a list or tuple among them contains a staged value."""
    for value in values:
        if issubclass(type(value), (list, tuple)) and not isinstance(value, StagedList):
            if _has_staged(list.copy(value) if isinstance(value, list) else value):
                return True
        elif backend_of(value) is not None:
            return True
    return False


OF_SHAPES = frozenset((np.shape, np.ndim, np.size, np.zeros_like, np.ones_like, np.empty_like, np.full_like))
"""NumPy functions that read an array's shape and dtype, but not its elements."""


class NativeBackend(RecordingBackend):
    """See :class:`autograph._src.backends.protocol.Backend`."""

    name = "the native back-end"

    def contains(self, item: object, container: object) -> object:
        """``item in container`` for an array, or for a plain sequence of numbers."""
        if isinstance(item, Several) or isinstance(container, Several):
            return over_alternatives(in_, (item, container), {})
        if isinstance(container, StagedOptional):
            return in_(item, container.required(_no_container()))
        if isinstance(container, StagedList):
            return list_searches.first_position(container.current(), item) >= 0
        if isinstance(container, Tensor) and container.form is not Form.ARRAY:
            raise TypeError(f"argument of type {class_text(container)!r} is not iterable")
        if isinstance(container, (Tensor, np.ndarray)):
            return truth(np.any(lift(container) == item))
        if isinstance(container, (list, tuple)):
            return super().contains(item, container)
        if isinstance(container, StagedString) or isinstance(item, StagedString):
            return contains(item, container)
        if not any(hasattr(type(container), name) for name in ("__contains__", "__iter__", "__getitem__")):
            raise TypeError(f"argument of type {class_text(container)!r} is not iterable")
        self.has_staged_key(container, item)
        name = with_article(type_name(container))
        raise staging_error("AG120", f"a staged value cannot be looked up in {name}")

    def get_item(self, target: object, index: object) -> object:
        """An item of a staged array, or of a plain array or sequence at a staged index."""
        target = required_itself(target, _NO_ITEMS, TypeError)
        index = as_indices(_required_index(target, index))
        if holds_unions(index):  # What the target holds is not looked into: it may hold such values, too.
            return over_alternatives(lambda key: get_item(target, key), (index,), {})
        if isinstance(target, Several):
            return each(target, lambda one: get_item(one, index))
        if isinstance(target, StagedString):
            return target[index]
        if isinstance(index, StagedString):
            raise text_needed()
        if isinstance(target, StagedList) or (isinstance(target, TracedList) and isinstance(index, slice)):
            return target.staged_item(index)
        is_tuple = isinstance(target, tuple) and not isinstance(index, slice)  # One that may be `None`.
        if (is_tuple or _has_plain_keys(target)) and not is_staged_key(index):
            return get_item(target, index)
        if are_labels(target):
            self.reads(target)
            return item_of_labels(target, index)
        if isinstance(target, (Tensor, np.ndarray, np.generic)):
            return lift(target)[index]
        if isinstance(target, (list, tuple)):
            return item_of_sequence(target, index)
        if type(target) is str:
            return item_of_sequence(target, index)
        if isinstance(target, range):
            target = staged_range(target.start, target.stop, target.step)
        if isinstance(target, (StagedIterable, StagedNode)):
            return target.at(index) if isinstance(target, StagedIterable) else target[index]
        if isinstance(target, StagedFlat):
            return target[index]
        if isinstance(target, JOINERS):
            return joined_by_index(target, index)
        self.has_staged_key(target, index)
        raise staging_error(
            "AG120",
            f"{with_article(type_name(target))} cannot be indexed with a staged value",
            "keep the values in an array",
        )

    def set_item(self, target: Any, index: object, value: Any) -> None:
        """Writes an item of a staged array.

        Raises:
            StagingError: If only the index is staged.
        """
        target = required_itself(target, "'NoneType' object does not support item assignment", TypeError)
        index = as_indices(_required_index(target, index))
        if is_dict_tree(target) and not is_staged_key(index):  # A dict that may be None.
            set_item(target, index, value)
            return
        if _is_array_or_none(value) and _taken_for_none(target) is not None:
            stage_choice(
                value.present.read(),
                lambda: set_item(target, index, value.value),
                lambda: set_item(target, index, _taken_for_none(target)),
                "a write of what may be None",
            )
            return
        if not isinstance(target, list):
            value = _without_none(target, value)
        # A list or a dict stores a number of several types as it is; an array converts each alternative.
        converts = isinstance(target, (Tensor, np.ndarray)) and holds_unions(value)
        if holds_unions(index):
            over_alternatives(lambda key: set_item(target, key, value), (index,), {})
            return
        if converts or isinstance(target, Several):
            over_alternatives(set_item, (target, index, value), {})
            return
        if isinstance(target, TracedList):
            target.set_staged_item(index, value)
            return
        if is_reference(target) and backend_of(index) is None:
            target[index] = value
            return
        if not isinstance(target, Tensor):
            self.has_staged_key(target, index)
            raise staging_error(
                "AG120",
                f"{with_article(type_name(target))} cannot be written at a staged index",
                "keep the values in an array made inside the staged function, or passed to it",
            )
        target[index] = value

    def set_attr(self, target: object, name: str, value: object) -> None:
        """Writes a part of a complex array or an attribute of an object that may be ``None``, or refuses."""
        if isinstance(target, ComplexTensor):
            setattr(target, name, value)
            return
        if isinstance(target, StagedOptional) and is_reference(target.value):
            message = f"'NoneType' object has no attribute '{name}'"
            set_attr(target.required(message, AttributeError), name, value)
            return
        raise (
            refusal_of_write(target, name)
            if isinstance(target, StagedNode)
            else self.refuse("writing an attribute")
        )

    def item_to_update(self, item: object) -> object:
        """A copy of the item: the operator may work in place, and the result is stored afterwards anyway."""
        if not isinstance(item, Tensor) or not item.sizes:
            return item
        if item.role is Role.ELEMENT:  # NumPy writes to the array itself, which may have other names.
            message, _ = WHY_NOT_WRITTEN[Role.ELEMENT]
            name = item.name or "the list"
            raise staging_error(
                "AG113", message.format(f"`{name}`"), "put a new array there: `xs[i] = xs[i] + v`"
            )
        return item.copy()

    def iterable(self, value: object, words: str) -> Any:
        """The value without ``None``: a run fails where a value that may be ``None`` is ``None``."""
        return required_itself(value, words, TypeError)

    def attribute_to_update(self, target: object, name: str) -> object:
        """The attribute, also of a value that may be ``None``."""
        if isinstance(target, StagedOptional):
            target = target.required(f"'NoneType' object has no attribute '{name}'", AttributeError)
        return getattr(target, name)

    def del_item(self, target: object, index: object) -> None:
        """Deletes an item of a staged list, or of a list at a staged index."""
        if not isinstance(target, TracedList):
            self.has_staged_key(target, index)
            super().del_item(target, index)
            return
        target.delete_staged_item(index)

    def call_builtin(
        self, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> object:
        """Records ``len``, ``range``, ``abs``, ``print`` and other builtins of staged values."""
        if makes_progress(function):
            return call_progress(function, args, kwargs)
        if function in READING:
            args = tuple(map(value_of, args))
        if _shows(function, args) or (any(type(one) is StagedChoice for one in args) and _opens(function)):
            return over_alternatives(functools.partial(converted_call, function), args, kwargs)
        if makes_text(function):
            return call_builtin(function, args, kwargs)
        if takes_one_type(function, args, kwargs):
            args = tuple(map(index_of, args)) if function is range else args
            return over_alternatives(functools.partial(converted_call, function), args, kwargs)
        return call_builtin(function, args, kwargs)

    def makes_array(self, function: object) -> bool:
        """Whether the table of creators has the function; a method of an unhashable object is not in it."""
        try:
            return function in CREATORS
        except TypeError:
            return False

    def knows(self, function: object) -> bool:
        """Whether it is a function of ``scipy.special``, or one of NumPy's that NumPy does not dispatch."""
        return is_of_scipy(function) or function in UNDISPATCHED

    def call_numpy(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> object:
        """Creators return staged arrays; other functions are staged if an argument is."""
        is_usual = type(function) is np.ufunc and not kwargs and len(args) == function.nin
        if is_usual and all(type(one) is ArrayTensor for one in args):
            return apply(function, *args)  # The same result as NumPy's own dispatch, without the detour.
        is_direct = are_direct(args) and are_direct(kwargs.values())
        if not is_direct and holds_unions((args, kwargs)):
            return over_alternatives(functools.partial(converted_call, function), args, kwargs)
        for value in (*args, *kwargs.values()):
            if isinstance(value, Keyed):
                raise refusal(value, "given to NumPy")
        trace = current_trace()
        if trace is None or function in OF_SHAPES or _has_staged((*args, *kwargs.values())):
            return call_numpy(function, args, kwargs)
        self.reads(*args, *kwargs.values())
        return trace.surroundings.contents.made(call_numpy(function, args, kwargs))

    def joined_string(self, parts: tuple[Any, ...]) -> Any:
        """A string that is formatted when the graph runs."""
        return joined_texts(parts)

    def formatted(self, value: object, conversion: str | None, spec: str) -> Any:
        """A field that is formatted when the graph runs."""
        return text_of(value, conversion, spec)


_OPENED = frozenset(
    (len, list, tuple, set, frozenset, dict, sorted, enumerate, zip, reversed, iter, map, filter, type)
)
"""Builtins that take a constant apart, count its items or ask for its class."""

_SHOWN = frozenset((str, repr, ascii, format))


def _opens(function: object) -> bool:
    """Whether a builtin takes a string, or another constant, apart."""
    return function in _OPENED


def _shows(function: object, args: tuple[Any, ...]) -> bool:
    """Whether the text of a choice is asked for, which is a choice of texts."""
    return function in _SHOWN and type(args[0]) is StagedChoice and args[0].ag_is_of_constants()


def _required_index(target: object, index: object) -> object:
    """The index without ``None``, which would add an axis to an array; a run fails where it is ``None``."""
    return required(index, _NO_INDEX, TypeError) if isinstance(target, list) else required(index)


_NO_ITEMS = "'NoneType' object is not subscriptable"
_NO_INDEX = "list indices must be integers or slices, not NoneType"
_NO_NUMBER = "int() argument must be a string, a bytes-like object or a real number, not 'NoneType'"


@functools.cache
def _no_container() -> str:
    """CPython's message for ``item in None``, which differs between its versions."""
    none: Any = None
    try:
        return str(0 in none)
    except TypeError as error:
        return str(error)


_WRITTEN_FOR_NONE = {"f": np.nan, "c": complex(np.nan, np.nan), "b": False}
"""The number that NumPy stores for ``None``, by the kind of an array's dtype; other kinds refuse ``None``."""


def _has_plain_keys(target: object) -> bool:
    """Whether items of it are read at plain keys only: a row of a table, or a dict that may be ``None``."""
    return is_reference(target) or is_dict_tree(target)


def _taken_for_none(target: object) -> complex | None:
    """The number that NumPy stores for ``None`` in this array; ``None`` if NumPy refuses ``None`` there."""
    kind = target.dtype.kind if isinstance(target, (Tensor, np.ndarray)) else ""
    return _WRITTEN_FOR_NONE.get(kind)


def _is_array_or_none(value: object) -> bool:
    """Whether a value may be ``None`` and is an array otherwise, so that its shape has to fit."""
    return isinstance(value, StagedOptional) and isinstance(value.value, Tensor) and bool(value.value.sizes)


def _without_none(target: object, value: Any) -> Any:
    """The value to write into an array in place of one that may be ``None``."""
    kind = target.dtype.kind if isinstance(target, (Tensor, np.ndarray)) else ""
    if kind in ("i", "u"):
        return required(value, _NO_NUMBER, TypeError)
    is_number = isinstance(value, StagedOptional) and isinstance(value.value, Tensor)
    taken = _taken_for_none(target)
    return np.where(value.present, value.value, taken) if is_number and taken is not None else required(value)


NATIVE = NativeBackend()
register_only(VariableBackend(), Variable)
register_only(NATIVE, ArrayTensor, ScalarTensor, NumberTensor, *NUMBER_TENSORS.values())
register_only(NATIVE, ComplexTensor, *COMPLEX_NUMBER)
register_only(NATIVE, *CLASSES.values(), WIDE_INT)
register_only(NATIVE, StagedOptional)
register_only(NATIVE, StagedUnion, UnionMethod, StagedChoice, ChosenMethod)
register_only(NATIVE, StagedString, StagedIterable, StagedIterator, Progress)
register_only(NATIVE, StagedList, ListReference, MaybeBound, TruthOfSequence, TruthOfMapping)
register_only(NATIVE, StagedNode, NodeSequence, StagedMethod, NamedValue)
