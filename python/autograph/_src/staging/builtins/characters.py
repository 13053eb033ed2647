"""Characters of strings of the run whose characters a graph can compute: those of ints.

    sum(int(c) for c in str(n))         # a loop over the digits
    str(n) == str(n)[::-1]              # two lists of codes
    int(str(n)[::-1])

Such a string is a list of the graph, of the codes of its characters, which the functions below compute. They
are Python, which is converted. Any other string of the run is refused (AG101).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from autograph._src.operators.calls import converted_call
from autograph._src.operators.items import get_item
from autograph._src.operators.logic import any_of, in_
from autograph._src.operators.spelled import operated
from autograph._src.policy import request_own
from autograph._src.staging.builtins.staged_builtins import staged
from autograph._src.staging.kinds.choice_of import ChoiceOf
from autograph._src.staging.kinds.choices import StagedChoice
from autograph._src.staging.kinds.numbers import NumberKind
from autograph._src.staging.kinds.string_of import StringOf
from autograph._src.staging.kinds.value_kind import ValueKind
from autograph._src.staging.lists.list_contents import StagedElements
from autograph._src.staging.lists.staged_iterable import StagedIterable
from autograph._src.staging.lists.traced_list import made_list
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.python_scalars import both, cast, compare, negate
from autograph._src.staging.tensors.staged_strings import StagedString, text_needed
from autograph._src.staging.tensors.string_operations import Character, Digits, Part
from autograph._src.staging.tensors.tensor import Form, Tensor
from autograph._src.staging.trace import statements
from autograph._src.staging.trace.statements import record_failure_of, records
from autograph._src.staging.wide.wide_int import WideInt

_SPECS = {"": (10, ""), "d": (10, ""), "b": (2, ""), "o": (8, ""), "x": (16, "")}
"""By format specification, the base of an int's digits."""

_PREFIXES: dict[Any, tuple[int, str]] = {bin: (2, "0b"), oct: (8, "0o"), hex: (16, "0x")}


def _codes_of_int(number: int, base: int, prefix: list[int]) -> list[int]:
    """The codes of the digits; they are taken from a number that is not positive, as all ints have such."""
    codes = []
    rest = number if number < 0 else -number
    while rest <= -base:
        quotient = (rest + (base - 1)) // base  # Towards zero.
        digit = quotient * base - rest
        codes.append(digit + 48 if digit < 10 else digit + 87)
        rest = quotient
    codes.append(48 - rest if rest > -10 else 87 - rest)
    for code in prefix:
        codes.append(code)
    if number < 0:
        codes.append(45)
    codes.reverse()
    return codes


def _codes_of_wide(number: int, base: int, prefix: list[int]) -> list[int]:
    """As :func:`_codes_of_int`, for an int that is not negative and may be above the largest int64."""
    codes = []
    rest = number
    while rest >= base:
        digit = rest % base
        codes.append(digit + 48 if digit < 10 else digit + 87)
        rest = rest // base
    codes.append(rest + 48 if rest < 10 else rest + 87)
    for code in prefix:
        codes.append(code)
    codes.reverse()
    return codes


def _int_of_codes(codes: list[int], text: str) -> int:
    """``int(text)`` of a text of digits and signs."""
    count = len(codes)
    start = 1 if count > 0 and codes[0] == 45 else 0
    is_number = start < count
    total = 0
    for place in range(start, count):
        code = codes[place]
        if code < 48 or code > 57:
            is_number = False
            break
        total = total * 10 - (code - 48)
    if not is_number:
        raise ValueError(f"invalid literal for int() with base 10: {text!r}")
    return total if start == 1 else -total


def _item_of_codes(codes: list[int], place: int) -> int:
    count = len(codes)
    if place < -count or place >= count:
        raise IndexError("string index out of range")
    return codes[place]


def _begins(codes: list[int], others: list[int]) -> bool:
    return codes[: len(others)] == others


def _ends(codes: list[int], others: list[int]) -> bool:
    return len(codes) >= len(others) and codes[len(codes) - len(others) :] == others


def _are_digits(codes: list[int]) -> bool:
    found = len(codes) > 0
    for code in codes:
        if code < 48 or code > 57:
            found = False
    return found


for _algorithm in (
    *(_codes_of_int, _codes_of_wide, _int_of_codes),
    *(_item_of_codes, _begins, _ends, _are_digits),
):
    request_own(_algorithm)


# What a string is made of


def codes_of(text: object, use: str) -> Any:
    """The codes of a string's characters, as a list of the program.

    Args:
        text: A plain or a staged string.
        use: What needs them, for the message.
    """
    if isinstance(text, str):
        return made_list([ord(one) for one in text])
    assert isinstance(text, StagedString)
    found: Any = None
    for part in text.parts:
        codes = codes_of(part, use) if isinstance(part, str) else _codes_of_field(*part, use)
        found = codes if found is None else found + codes
    return made_list([]) if found is None else found


def _codes_of_field(value: object, conversion: object, spec: str, use: str) -> Any:
    if isinstance(conversion, Character):
        return made_list([value])
    if isinstance(conversion, Part) and not spec:
        return codes_of(value, use)[conversion.start : conversion.stop : conversion.step]
    is_plain = conversion in (None, "s") and spec in _SPECS
    if not (isinstance(value, Tensor) and value.dtype.kind in "iu" and (is_plain or _is_digits(conversion))):
        raise text_needed(use)
    base, prefix = _PREFIXES[conversion.function] if isinstance(conversion, Digits) else _SPECS[spec]
    codes = [ord(one) for one in reversed(prefix)]
    algorithm = _codes_of_wide if isinstance(value, WideInt) else _codes_of_int
    return converted_call(algorithm, cast(value, "int64", Form.PYTHON), base, codes)


def _is_digits(conversion: object) -> bool:
    return isinstance(conversion, Digits) and conversion.function in _PREFIXES


def character(code: object, is_plain: bool) -> StagedString:
    """The string of one character; see :class:`Character`."""
    return StagedString(((code, Character(is_plain), ""),))


def _is_plain(text: StagedString) -> bool:
    """Whether all characters of a string are of ASCII, and none that ``int`` skips or takes for a sign.

    It takes other digits, too: `int("\u0665")` is 5, and `"\u00b2".isdigit()` holds.
    """
    for part in text.parts:
        if isinstance(part, str):
            if not part.isascii() or not part.isprintable() or any(one in part for one in " _+"):
                return False
        elif isinstance(part[1], Character):
            if not part[1].is_plain:
                return False
        elif isinstance(part[0], StagedString) and not _is_plain(part[0]):
            return False
    return True


def _one_code(text: object) -> Any:
    """The code of a string that is one character; ``None`` for other strings."""
    if not isinstance(text, StagedString) or len(text.parts) != 1 or isinstance(text.parts[0], str):
        return None
    value, conversion, _ = text.parts[0]
    return value if isinstance(conversion, Character) else None


# Uses


def _truth(text: StagedString) -> object:
    if any(isinstance(one, str) or _is_number(*one) for one in text.parts):
        return lift(True)
    if len(text.parts) == 1 and isinstance(text.parts[0][0], StagedElements):
        pieces = text.parts[0][0]
        kinds = pieces.element.inside() if isinstance(pieces.element, ChoiceOf) else (pieces.element,)
        if all(map(_is_no_empty_piece, kinds)):
            return compare("greater", lift(pieces.count()), 0)
    return compare("greater", lift(_length(text)), 0)


def _is_number(value: object, conversion: object, spec: str) -> bool:
    """Whether a field shows a number, or is a character: it is not empty. `f"{n!s:.0}"` is."""
    is_cut = type(conversion) is str and bool(spec)
    is_whole = conversion is None or isinstance(conversion, (str, Digits, Character))
    return isinstance(value, Tensor) and is_whole and not is_cut


def _is_no_empty_piece(piece: ValueKind) -> bool:
    """Whether a piece of a string that a loop makes has a character."""
    if not isinstance(piece, StringOf):
        return bool(piece.known())
    for one in piece.parts:
        if isinstance(one, str) or (
            isinstance(one.kind, NumberKind) and not one.spec and one.conversion in (None, "s")
        ):
            return True
    return False


def _length(text: StagedString) -> object:
    return 1 if _one_code(text) is not None else converted_call(len, codes_of(text, "`len` of"))


def _equal(text: StagedString, other: object) -> object:
    if isinstance(other, StagedChoice):
        return other == text
    if not isinstance(other, (str, StagedString)):
        if other is None or type(other) in (bool, int, float, bytes, tuple, list, dict, set):
            return False
        raise text_needed("`==` of")
    one = _one_code(text)
    if one is not None and type(other) is str:
        return compare("equal", lift(one), ord(other)) if len(other) == 1 else False
    code = _one_code(other)
    if one is not None and code is not None:
        return compare("equal", lift(one), code)
    return operated("eq", codes_of(text, "`==` of"), codes_of(other, "`==` of"))


def _unequal(text: StagedString, other: object) -> object:
    same = _equal(text, other)
    return negate(lift(same)) if isinstance(same, Tensor) else not same


def _item(text: StagedString, place: object) -> object:
    if not isinstance(place, int) and not (isinstance(place, Tensor) and place.dtype.kind in "iu"):
        raise text_needed("an item of")
    codes = codes_of(text, "an item of")
    return character(converted_call(_item_of_codes, codes, place), _is_plain(text))


def _walk(text: StagedString) -> StagedIterable:
    codes = codes_of(text, "a loop over")
    length, is_plain = converted_call(len, codes), _is_plain(text)
    return StagedIterable(length, lambda place: character(get_item(codes, place), is_plain), "str")


def _count(text: StagedString, *wanted: object) -> object:
    if len(wanted) != 1 or type(wanted[0]) is not str or len(wanted[0]) != 1:
        raise text_needed("`.count` of")
    return converted_call(codes_of(text, "`.count` of").count, ord(wanted[0]))


def _compared_with(
    compare_codes: Callable[..., Any], name: str, text: StagedString, *wanted: object
) -> object:
    if len(wanted) != 1 or type(wanted[0]) is not str:
        raise text_needed(f"`.{name}` of")
    others = made_list([ord(one) for one in wanted[0]])
    return converted_call(compare_codes, codes_of(text, f"`.{name}` of"), others)


def _isdigit(text: StagedString) -> object:
    if not _is_plain(text):
        raise text_needed("`.isdigit` of")
    return converted_call(_are_digits, codes_of(text, "`.isdigit` of"))


def _int(text: StagedString, *given: object, **options: object) -> object:
    if given or options or not _is_plain(text):
        raise text_needed("`int` of")
    return converted_call(_int_of_codes, codes_of(text, "`int` of"), text)


_USES: dict[str, Callable[..., Any]] = {
    "truth": _truth,
    "equal": _equal,
    "unequal": _unequal,
    "item": _item,
    "walk": _walk,
    "length": _length,
    "int": _int,
    "count": _count,
    "startswith": partial(_compared_with, _begins, "startswith"),
    "endswith": partial(_compared_with, _ends, "endswith"),
    "isdigit": _isdigit,
}


@records(statements.use_characters)
def use_characters(use: str, text: object, *arguments: object, **options: object) -> object:
    """A use of a string of the run that needs its characters."""
    return _USES[use](text, *arguments, **options)


def contains(item: Any, container: Any) -> object:
    """``item in container``, with a string of the run as one of them."""
    if isinstance(container, StagedString):
        if type(item) is not str or len(item) > 1:
            raise text_needed("`in` of")
        return in_(ord(item), codes_of(container, "`in` of")) if item else True
    if type(container) is str:
        if _one_code(item) is None:
            raise text_needed("`in` of")
        return any_of([partial(_equal, item, one) for one in sorted(set(container))])
    if type(container) in (set, frozenset, dict):
        texts = sorted(one for one in container if type(one) is str)
        return any_of([partial(_equal, item, one) for one in texts])
    raise text_needed("`in` of")


# Builtins


@staged(ord)
def _ord(value: object) -> object:
    if not isinstance(value, StagedString):
        return NotImplemented
    code = _one_code(value)
    if code is None:
        raise text_needed("`ord` of")
    return code


@staged(chr)
def _chr(value: object) -> object:
    if not isinstance(value, Tensor) or value.form is Form.ARRAY or value.dtype.kind not in "iu":
        return NotImplemented
    code = cast(value, "int64", Form.PYTHON)
    for error, least, most in ((OverflowError, -(2**31), 2**31 - 1), (ValueError, 0, 0x10FFFF)):
        is_inside = both(compare("greater_equal", code, least), compare("less_equal", code, most))
        record_failure_of(is_inside, error, chr, code)
    return character(code, False)
