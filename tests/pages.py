"""The code of README.md and of the pages in docs/, run as a reader would: in order, in one module a page.

A block of Python is a session (`>>>`, run as doctest does) or a program. What a program prints, and the text
of the exception that ends it, stands in the block that follows (`text` or `mermaid`) and is compared.
Warnings are printed as `UserWarning: …`, so that no page hides one. A block of code has no file of its own:
in texts it is `model.py`.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import linecache
import re
import sys
import traceback
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

ROOT = Path(__file__).parent.parent
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.M | re.S)
OUTPUTS = ("text", "mermaid")


@dataclass
class Block:
    """A block of a page, and the line at which its text begins."""

    kind: str
    text: str
    line: int

    @property
    def is_session(self) -> bool:
        return self.kind == "python" and ">>>" in self.text


def pages() -> list[Path]:
    """All pages with text for people."""
    return sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])


def name_of(page: Path) -> str:
    """A page as people name it."""
    return str(page.relative_to(ROOT))


def blocks_of(page: Path) -> list[Block]:
    """The blocks of a page, in order."""
    text = page.read_text()
    found = FENCE.finditer(text)
    return [Block(one[1], one[2], text.count("\n", 0, one.start(2)) + 1) for one in found]


class _Checker(doctest.OutputChecker):
    """Compares with the name that pages give to the file of their code."""

    def check_output(self, want: str, got: str, optionflags: int) -> bool:
        return super().check_output(want, shown(got), optionflags)


def shown(text: str) -> str:
    """A printed text, as a page shows it."""
    return re.sub(r"<(?:doctest|block) [^>]*>", "model.py", text)


def run(page: Path) -> list[str]:
    """Runs all code of a page; gives the blocks that nothing runs or compares.

    Raises:
        AssertionError: If the page shows something else than what happens.
    """
    module = ModuleType("model")
    left: list[str] = []
    printed: str | None = None
    with _module(module), _warnings_printed():
        for block in blocks_of(page):
            where = f"{name_of(page)}:{block.line}"
            if block.kind != "python":
                if printed is None:
                    left.append(block.text)
                else:
                    assert block.text.strip() == printed, f"{where}: this is printed:\n{printed}"
                printed = None
                continue
            assert printed is None, f"{where}: the block before it prints this:\n{printed}"
            if block.is_session:
                _run_session(block, where, module)
            else:
                printed = _run_program(block, where, module)
        assert printed is None, f"the last block of {name_of(page)} prints this:\n{printed}"
    return left


def _run_session(block: Block, where: str, module: ModuleType) -> None:
    test = doctest.DocTestParser().get_doctest(block.text, module.__dict__, where, where, block.line - 1)
    runner = doctest.DocTestRunner(_Checker(), verbose=False, optionflags=doctest.ELLIPSIS)
    test.globs = module.__dict__  # Not a copy: the blocks that follow see what this one makes.
    output = io.StringIO()
    runner.run(test, out=output.write, clear_globs=False)
    assert not runner.failures, output.getvalue()


def _run_program(block: Block, where: str, module: ModuleType) -> str | None:
    name = f"<block {where}>"
    linecache.cache[name] = (len(block.text), None, block.text.splitlines(keepends=True), name)
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        try:
            exec(compile(block.text, name, "exec", dont_inherit=True), module.__dict__)
        except Exception as error:
            output.write("".join(traceback.format_exception_only(error)))
    return shown(output.getvalue()).strip() or None


@contextlib.contextmanager
def _module(module: ModuleType) -> Iterator[None]:
    """Dataclasses and pickle look for the module of a class."""
    sys.modules[module.__name__] = module
    try:
        yield
    finally:
        del sys.modules[module.__name__]


@contextlib.contextmanager
def _warnings_printed() -> Iterator[None]:
    def show(message: Any, category: type[Warning], *_: Any, **__: Any) -> None:
        print(f"{category.__name__}: {message}")

    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.showwarning = show
        yield
