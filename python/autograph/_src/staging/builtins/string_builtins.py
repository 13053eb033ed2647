"""Strings of the run: ``str``, f-strings, ``%``, ``str.format`` and ``join`` of staged values.

    return f"{x:.2f}", "%d items" % n, ", ".join(words)

What CPython refuses is raised where the program makes the string, by way of a sample. What it refuses for
some values only is refused here: the string is made later, when the values are there.
"""

from __future__ import annotations

import math
import operator
import re
import string
from collections.abc import Callable
from functools import partial
from typing import Any

from autograph._src.backends.protocol import backend_of
from autograph._src.operators.calls import backend_inside, converted_call
from autograph._src.operators.special_calls import is_of_user
from autograph._src.policy import is_user_function
from autograph._src.staging.builtins.staged_builtins import OF_STRINGS, staged
from autograph._src.staging.control.run_templates import RunText, taken
from autograph._src.staging.kinds.choice_of import ChoiceOf
from autograph._src.staging.kinds.choices import StagedChoice
from autograph._src.staging.kinds.optionals import StagedOptional
from autograph._src.staging.kinds.string_of import StringOf
from autograph._src.staging.kinds.unions import MOST_WAYS, Several, each, over_alternatives
from autograph._src.staging.kinds.value_kind import ValueKind
from autograph._src.staging.lists.traced_list import StagedList
from autograph._src.staging.operators.choice_operators import as_field
from autograph._src.staging.operators.none_operands import sample_of
from autograph._src.staging.tensors.argument_words import misfit_of
from autograph._src.staging.tensors.staged_strings import (
    StagedString,
    join_strings,
    method_of_values,
    text_needed,
)
from autograph._src.staging.tensors.string_operations import (
    SIZES_OF,
    TEXTS_OF,
    Digits,
    Joined,
    Percent,
    converted,
)
from autograph._src.staging.tensors.tensor import Form, Tensor
from autograph._src.staging.trace.active import staging_error


def text_of(value: object, conversion: object, spec: str) -> object:
    """``{value!conversion:spec}`` of a staged value: a string of the run.

    Args:
        value: The value.
        conversion: ``"s"``, ``"r"``, ``"a"``, ``None``, or an operation of ``string_operations.py``.
        spec: The format specification.
    """
    if type(spec) is not str:
        raise staging_error(
            "AG120",
            "a format specification cannot hold staged values",
            "give the digits and widths as constants, or format what the staged function returns",
        )
    is_itself = conversion in (None, "s") and not spec
    if isinstance(value, StagedString):
        if is_itself:
            return value
        converted("", conversion, spec)
        return StagedString(((value, conversion, spec),))
    if is_itself and type(value) is StagedChoice and value.ag_is_text():
        return value
    if isinstance(value, BaseException) and conversion in ("s", "r") + ((None,) if not spec else ()):
        shown = _text_of_error(value, is_repr=conversion == "r")
        if shown is not None:
            return _text_of_one(shown, None, spec) if spec else shown
    if is_itself or (conversion in ("r", "a") and not spec):
        return StagedString(((taken(value), conversion, spec),))
    if isinstance(value, StagedOptional):
        refusal = _refusal_of(None, conversion, spec)
        if refusal is not None:
            return text_of(value.required(str(refusal), type(refusal)), conversion, spec)
    elif isinstance(value, Several):
        ways = [value.ag_at(position) for position in range(value.ag_count())]
        if any(_refusal_of(one, conversion, spec) is not None for one in ways):
            return each(value, lambda one: _text_of_one(one, conversion, spec))
    else:
        refusal = _refusal_of(value, conversion, spec)
        if refusal is not None:
            raise refusal
    if spec.endswith("c"):
        raise staging_error("AG120", "the format `c` of a staged int, which may be no character", "use `chr`")
    return StagedString(((taken(value), conversion, spec),))


def _text_of_error(error: BaseException, *, is_repr: bool) -> object:
    """The text of an exception that its class makes of its arguments as Python does; ``None`` for others.

    So it is a string like any other: `f"failed: {error}"` beside `"fine"`, and longer in a loop.
    """
    kind, args = type(error), error.args
    method = kind.__repr__ if is_repr else kind.__str__
    if is_user_function(method):
        return converted_call(method, error)
    if not all(type(one) in _SHOWN or _is_shown(one) for one in args):
        return None
    if is_repr:
        return _listed(f"{kind.__name__}(", args) if method is BaseException.__repr__ else None
    is_key = method is KeyError.__str__
    if kind.__format__ is not object.__format__ or not (is_key or method is BaseException.__str__):
        return None
    if len(args) == 1:
        return _text_of_one(args[0], "r" if is_key else "s", "")
    return _listed("(", args) if args else ""


_SHOWN = (str, bool, int, float, complex, type(None))


def _is_shown(value: object) -> bool:
    """Whether a staged value is shown as it is now whenever its text is made."""
    return backend_of(value) is not None and not isinstance(value, RunText) and taken(value) is value


def _listed(head: str, values: tuple[object, ...]) -> object:
    """Values between brackets, as Python shows them."""
    shown = [_text_of_one(one, "r", "") for one in values]
    between = [part for one in shown for part in (", ", one)][1:]
    return joined_texts((head, *between, ")"))


def joined_texts(parts: tuple[object, ...]) -> object:
    """The concatenation of strings; of constants only, it is one of a few constants again."""
    if any(type(one) is StagedChoice for one in parts):
        return over_alternatives(lambda *texts: joined_texts(texts), parts, {})
    whole = join_strings(parts)
    fields = [one for one in whole.parts if not isinstance(one, str)]
    chosen = [one[0] for one in fields if type(one[0]) is StagedChoice and one[0].ag_is_of_constants()]
    different = {id(one): one.ag_count() for one in chosen}
    if not fields or len(chosen) < len(fields) or math.prod(different.values()) > MOST_WAYS:
        return whole

    def made(values: tuple[object, ...]) -> str:
        rest = iter(values)
        texts = (
            one if isinstance(one, str) else converted(next(rest), one[1], one[2]) for one in whole.parts
        )
        return "".join(texts)

    return over_alternatives(made, (tuple(chosen),), {})


def _text_of_one(value: object, conversion: object, spec: str) -> object:
    return (
        converted(value, conversion, spec) if backend_of(value) is None else text_of(value, conversion, spec)
    )


def _refusal_of(value: object, conversion: object, spec: str) -> Exception | None:
    """What CPython raises for a value of this class."""
    if isinstance(value, StagedString):
        value = ""
    if not isinstance(value, Tensor) and backend_of(value) is not None:
        return None
    try:
        converted(sample_of(value), conversion, spec)
    except (TypeError, ValueError) as error:
        return type(error)(*error.args)
    return None


@staged(str)
def _str(value: object = "", *given: object, **options: object) -> object:
    if given or options:
        raise misfit_of(str, (value, *given), options)
    return text_of(value, "s", "")


@staged(repr)
def _repr(value: object) -> object:
    return text_of(value, "r", "")


@staged(ascii)
def _ascii(value: object) -> object:
    return text_of(value, "a", "")


@staged(format)
def _format(value: object, spec: str = "") -> object:
    return text_of(value, None, spec)


def _digits(function: Callable[[int], str]) -> Callable[[object], object]:
    def record(number: object) -> object:
        if not isinstance(number, Tensor) or number.form is Form.ARRAY:
            raise misfit_of(function, (number,))
        return text_of(number, Digits(function), "")

    return record


for _function in (bin, oct, hex):
    staged(_function)(_digits(_function))


# Templates

_FIELD = re.compile(
    r"%(?:\((?P<key>[^()]*)\))?(?P<flags>[#0\- +]*)(?P<sizes>[\d.*]*)[hlL]?(?P<sort>.)", re.DOTALL
)


@staged(operator.mod, operator.imod)
def _percent(template: object, values: Any) -> object:
    if type(template) is not str:
        return NotImplemented
    given = values if isinstance(values, tuple) else (values,)
    if isinstance(values, dict):
        samples: Any = {key: _sample(one) for key, one in values.items()}
    else:
        samples = tuple(map(_sample, given)) if isinstance(values, tuple) else _sample(values)
    template % samples  # Raises what CPython raises for values of these classes.
    parts: list[object] = []
    rest, end = list(given), 0
    for found in _FIELD.finditer(template):
        parts.append(template[end : found.start()])
        end = found.end()
        if found["sort"] == "%":
            parts.append("%")
            continue
        value = values[found["key"]] if found["key"] is not None else rest.pop(0)
        parts.append(_percent_field(found, value))
    return joined_texts((*parts, template[end:]))


def _percent_field(found: re.Match[str], value: object) -> object:
    template = f"%{found['flags']}{found['sizes']}{found['sort']}"
    if is_of_user(value) and found["sort"] in "sr":
        value = converted_call(str if found["sort"] == "s" else repr, value)
        template = template.replace("r", "s")
    if backend_of(value) is None and backend_inside(value) is None and "*" not in template:
        return template % (value,)
    if "*" in template or not (found["sort"] in "sra" or _is_for(found["sort"], value)):
        raise staging_error(
            "AG120",
            f"`%{found['sort']}` of a staged value, which may raise for some values",
            _instead_of_field(found["sort"], template),
        )
    return text_of(value, Percent(template), "")


def _instead_of_field(sort: str, template: str) -> str:
    """What to write for a field that is refused."""
    if "*" in template:
        return f"give the digits and widths as constants: `{template.replace('*', '2')}`"
    if sort == "c":
        return "write `%s`, and give it `chr(n)`"
    return f"convert it: `{'float' if sort in 'eEfFgG' else 'int'}(x)`"


def _is_for(sort: str, value: object) -> bool:
    """Whether a field takes a staged value whatever it is: `%d` raises for a float that is no number."""
    if not isinstance(value, Tensor) or value.form is Form.ARRAY:
        return False
    return sort in ("diuxXo" if value.dtype.kind in "iub" else "") + "eEfFgG"


def _sample(value: object) -> object:
    """A plain value of the class of an operand of ``%``."""
    if isinstance(value, (StagedString, StagedChoice)):
        return ""
    if isinstance(value, dict):
        return {}
    if is_of_user(value):  # Its text is made when it is needed, by its converted methods.
        return type(type(value).__name__, (), {})()
    if isinstance(value, StagedOptional):
        return _sample(value.value)
    if isinstance(value, Several):
        return _sample(value.ag_at(0))
    return sample_of(value)


class _Anything:
    """Takes every format, so that a template of these raises for its own faults only."""

    def __format__(self, spec: str) -> str:
        return ""


def format_template(template: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> object:
    """``template.format(*args, **kwargs)`` with staged arguments."""
    for _, name, spec, _ in string.Formatter().parse(template):
        is_simple = name is None or name == "" or name.isdecimal() or name.isidentifier()
        if "{" in (spec or "") or not is_simple:
            raise staging_error(
                "AG120",
                "a template whose fields are attributes or items, or have fields in their specifications",
                "use an f-string",
            )
    template.format(*[_Anything() for _ in args], **{name: _Anything() for name in kwargs})
    parts: list[object] = []
    number = 0
    for literal, name, spec, conversion in string.Formatter().parse(template):
        parts.append(literal)
        if name is None:
            continue
        if name == "":
            name, number = str(number), number + 1
        value = args[int(name)] if name.isdecimal() else kwargs[name]
        is_staged = backend_of(value) is not None or backend_inside(value) is not None
        parts.append((text_of if is_staged else converted)(value, conversion, spec or ""))
    return joined_texts(tuple(parts))


# Joining


def join_texts(separator: str, texts: Any) -> object:
    """``separator.join(texts)``, of strings of the run among others."""
    if isinstance(texts, StagedList):
        if not _is_of_strings(texts.current().element):
            raise staging_error(
                "AG120", "`join` of a list whose elements may be no strings", "make strings: `str(x)`"
            )
        return StagedString(((taken(texts), Joined(separator), ""),))
    items = list.copy(texts) if isinstance(texts, list) else list(texts)
    items = [as_field(one) for one in items]
    if any(type(one) is StagedChoice for one in items):
        return over_alternatives(partial(join_texts, separator), (items,), {})
    separator.join("" if isinstance(one, StagedString) else sample_of(one) for one in items)  # type: ignore[misc]
    parts = [part for one in items for part in (separator, one)]
    return joined_texts(tuple(parts[1:]))


def _is_of_strings(kind: ValueKind) -> bool:
    """Whether all values of a kind are strings."""
    if isinstance(kind, ChoiceOf):
        return all(
            type(one.value) is str if one.kind is None else isinstance(one.kind, StringOf)
            for one in kind.entries
        )
    return isinstance(kind, StringOf)


def makes_text(function: object) -> bool:
    """Whether a function is `join` or `format` of a plain string, which take choices as they are."""
    owner = getattr(function, "__self__", None)
    return type(owner) is str and getattr(function, "__name__", "") in ("join", "format")


def call_of_string(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> object:
    """A method of a plain string with staged arguments; ``NotImplemented`` leaves it to Python."""
    if function.__name__ == "format":
        return format_template(function.__self__, args, kwargs)
    if function.__name__ == "join" and len(args) == 1 and not kwargs:
        return join_texts(function.__self__, args[0])
    if function.__name__ in (*TEXTS_OF, *SIZES_OF) and not kwargs:
        return method_of_values(function.__self__, function.__name__, args)
    if any(isinstance(one, StagedString) for one in args):
        raise text_needed(f"`{function.__name__}` of")
    return NotImplemented


OF_STRINGS.append(call_of_string)
