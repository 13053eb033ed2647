"""No message names what only this package knows: its own classes and attributes."""

from __future__ import annotations

import copy
import re
from pathlib import Path

import autograph as ag
import pytest
from autograph import _core, errors
from remedies import pairs

SHOWN = sorted((Path(__file__).parent / "errors").glob("*.txt"))
OWN = re.compile(r"\b(?:Staged[A-Z]\w*|\w+Tensor|TracedList|GrownTuple\w*|fast_parts|ag_[a-z_]+|ag__\w*)\b")


def own_words(text: str) -> list[str]:
    """The words of a message that are no names of the program's or public ones."""
    return [word for word in OWN.findall(text) if not hasattr(errors, word)]


def test_a_name_of_ours_is_found() -> None:
    assert own_words("a `StagedOptional` holds a ComplexTensor, ag__.ld of it") == [
        "StagedOptional",
        "ComplexTensor",
        "ag__",
    ]
    assert SHOWN and own_words("StagedIndexError") == []


@pytest.mark.parametrize("path", SHOWN, ids=lambda path: path.stem)
def test_texts_that_are_held_to_the_letter(path: Path) -> None:
    assert own_words(path.read_text()) == []


def test_messages_of_programs_with_a_remedy() -> None:
    found = {}
    for pair in pairs():
        with pytest.raises((ag.AutographError, _core.GraphError)) as caught:
            ag.function(pair.refused)(*copy.deepcopy(pair.arguments))
        words = own_words(f"{caught.value.message} {caught.value.help}")
        if words:
            found[pair.refused.__qualname__] = words
    assert found == {}
