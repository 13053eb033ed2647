"""Generated derivatives, to the letter: `tests/tangent/<case>.py` has its text beside it, `<case>.out.py`.

Each case makes one `derivative` and asserts what it gives; the text of one with `forms` is that for such
arguments. `AG_BLESS=1` writes the texts.
"""

from __future__ import annotations

import importlib.util
import os
import sys
from pathlib import Path
from types import ModuleType

import pytest
from autograph import tangent

FOLDER = Path(__file__).parent / "tangent"
CASES = sorted(path for path in FOLDER.glob("*.py") if not path.name.endswith(".out.py"))


def load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"tangent_case_{path.stem}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[module.__name__] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_the_text_is_as_expected(path: Path) -> None:
    module = load(path)
    forms = getattr(module, "forms", None)
    text = tangent.to_source(module.derivative, standalone=hasattr(module, "is_standalone"), forms=forms)
    expected = path.with_suffix(".out.py")
    if os.environ.get("AG_BLESS") == "1":
        expected.write_text(text)
    assert text == expected.read_text()


def test_each_text_has_a_case() -> None:
    texts = {path.name.removesuffix(".out.py") for path in FOLDER.glob("*.out.py")}
    assert texts == {path.stem for path in CASES}
    assert len(CASES) >= 60
