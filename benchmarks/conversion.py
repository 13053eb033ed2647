"""Converting a 94-line function: nested loops, break, continue, return; CPython's compile included."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import FunctionType

from autograph import load, source
from autograph.convert import plain_function
from measure import Duration, duration

FILE = Path(__file__).parent / "functions" / "numerical_94.py"


def run() -> list[Duration]:
    spec = importlib.util.spec_from_file_location("numerical_94", FILE)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    functions = [value for value in vars(module).values() if isinstance(value, FunctionType)]
    function = plain_function(max(functions, key=lambda f: len(set(f.__code__.co_lines()))))

    def convert_anew() -> None:
        load._conversions.clear()
        source._parsed.clear()
        load.conversion_of(function)

    lines = FILE.read_text().count("\n")
    return [duration(f"converting {function.__name__} ({lines} lines in its file)", convert_anew, 0.015)]
