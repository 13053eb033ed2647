"""Every refusal, word for word: `tests/errors/*.py` with the text beside it, and a version that passes.

`AG_BLESS=1` writes the texts. A `.fixed.py` does what the help says, and equals plain Python.
"""

from __future__ import annotations

import importlib.util
import os
import re
import sys
import traceback
from pathlib import Path
from typing import Any

import autograph as ag
import numpy as np
import pytest
from autograph import _core
from internal_names import in_text
from programs import assert_same

FOLDER = Path(__file__).parent / "errors"
REFUSED = sorted(path for path in FOLDER.glob("*.py") if not path.name.endswith(".fixed.py"))
FIXED = sorted(FOLDER.glob("*.fixed.py"))


def call(path: Path, wrap: Any) -> Any:
    name = path.stem.replace(".", "_")
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    first = path.read_text().splitlines()[0]
    assert first.startswith("# call: f(")
    return eval(first.removeprefix("# call: "), {"np": np, **vars(module), "f": wrap(module.f)})


def shown(error: Exception) -> str:
    """A refusal of ours with its classes; what Python or NumPy would raise as a traceback shows it."""
    if isinstance(error, ag.AutographError):
        bases = ", ".join(base.__name__ for base in type(error).__mro__[1:-3])
        return f"{type(error).__name__} ({bases})\n{error}\n"
    frames = traceback.extract_tb(error.__traceback__)
    inside = [one for one in frames if one.filename.startswith(str(FOLDER))]
    lines = [f" --> {one.filename}:{one.lineno}:{(one.colno or 0) + 1} in {one.name}" for one in inside]
    return "\n".join([*lines, f"{type(error).__name__}: {error}"]) + "\n"


@pytest.mark.parametrize("path", REFUSED, ids=lambda path: path.stem)
def test_refusal(path: Path) -> None:
    with pytest.raises(Exception) as caught, np.errstate(all="ignore"):
        call(path, ag.function)
    error = caught.value
    place = ag.errors.place_of(error)
    assert place is not None and place.code == path.name[:5]
    text = shown(error).replace(str(FOLDER) + os.sep, "")
    expected = path.with_suffix(".txt")
    if os.environ.get("AG_BLESS") == "1":
        expected.write_text(text)
    assert text == expected.read_text()


@pytest.mark.parametrize("path", FIXED, ids=lambda path: path.stem)
def test_remedy(path: Path) -> None:
    assert_same(call(path, ag.function), call(path, lambda function: function))


def test_every_refusal_names_a_place() -> None:
    for path in REFUSED:
        assert f" --> {path.name}:" in path.with_suffix(".txt").read_text(), path.name


def test_no_text_names_a_class_of_this_package() -> None:
    texts = [*FOLDER.glob("*.txt"), FOLDER.parent / "tangent_refusals.txt"]
    # Lines of the user's source have a bar on their left.
    shown = {
        path.name: [line for line in path.read_text().splitlines() if not re.match(r" *\d* \|", line)]
        for path in texts
    }
    found = {name: in_text("\n".join(lines)) for name, lines in shown.items()}
    assert {name: names for name, names in found.items() if names} == {}
    assert in_text("a StagedOptional is needed") == ["StagedOptional"]


ELSEWHERE = {
    "AG001": "tests/test_entities.py",
    "AG002": "tests/test_entities.py",
    "AG003": "tests/test_entities.py",
    "AG004": "crates/ag_syntax/src/locate.rs",
    "AG005": "tests/test_entities.py",
    "AG010": "tests/test_entities.py",
    "AG011": "tests/test_entities.py",
    "AG012": "tests/test_templates.py",
    "AG021": "tests/tangent_programs.py",
    "AG022": "tests/tangent_programs.py",
    "AG023": "tests/tangent_programs.py",
    "AG208": "tests/test_engine_faults.py",
}
"""Codes whose programs cannot be files of this folder, and the test that has them."""


def test_every_code_has_a_test() -> None:
    for code, name, _ in _core.error_catalogue():
        if code in ELSEWHERE:
            assert f'"{code}"' in (FOLDER.parent.parent / ELSEWHERE[code]).read_text(), (code, name)
        else:
            assert list(FOLDER.glob(f"{code}_*.txt")), (code, name)
