"""The extension module stays small: what is loaded of it, which is what a stripped file holds."""

from __future__ import annotations

import struct
from pathlib import Path

import autograph
import pytest
from autograph import _core

MOST_BYTES = 15_000_000


def loaded_bytes(file: bytes) -> int:
    """The bytes of an ELF file of 64 bits up to the end of its last loaded segment."""
    (headers,) = struct.unpack_from("<Q", file, 0x20)
    size, count = struct.unpack_from("<HH", file, 0x36)
    end = 0
    for start in range(headers, headers + size * count, size):
        kind, _, offset, _, _, length = struct.unpack_from("<IIQQQQ", file, start)
        if kind == 1:  # PT_LOAD
            end = max(end, offset + length)
    return end


def test_the_extension_module_stays_small() -> None:
    file = Path(_core.__file__).read_bytes()
    if file[:6] != b"\x7fELF\x02\x01":
        pytest.skip("the limit is for Linux")
    assert loaded_bytes(file) < MOST_BYTES


def test_names_of_characters_are_those_of_the_interpreter() -> None:
    """The parser has no table of its own: `unicodedata` is asked."""

    @autograph.function
    def text(x):
        return x + len("\N{BULLET}\N{LINE FEED}"), f"{x}\N{GREEK SMALL LETTER PI}\N{NBSP}"

    assert text(1) == (3, "1\u03c0\u00a0")
