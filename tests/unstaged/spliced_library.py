"""Runs suites of the standard library with the test of two versions in front of every function.

python tests/unstaged/spliced_library.py [json difflib …]

Every module that is imported, the suites included, has its code objects replaced while it is loaded,
nested functions and methods too. A suite must have the result that it has without that. Needs no NumPy:
only `autograph/prologue.py` is loaded, so any interpreter can run it.
"""

from __future__ import annotations

import functools
import importlib.util
import subprocess
import sys
import unittest
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

PROLOGUE = Path(__file__).parents[2] / "python" / "autograph" / "_src" / "prologue.py"
QUICK = ["bisect", "contextlib", "heapq", "generators", "extcall", "keywordonlyarg", "scope", "super"]
SUITES = [
    *QUICK,
    *("abc", "argparse", "ast", "base64", "calendar", "collections", "colorsys", "configparser", "copy"),
    *("coroutines", "csv", "dataclasses", "decimal", "descr", "dict", "difflib", "enum", "except_star"),
    *("exceptions", "fnmatch", "fractions", "functools", "genexps", "gettext", "glob", "graphlib"),
    *("html", "htmlparser", "inspect", "itertools", "json", "linecache", "named_expressions", "numbers"),
    *("patma", "pickle", "positional_only_arg", "pprint", "queue", "random", "raise", "re", "reprlib"),
    *("sched", "shlex", "statistics", "string", "sys_setprofile", "sys_settrace", "tempfile", "textwrap"),
    *("tokenize", "traceback", "types", "typing", "urlparse", "weakref", "with", "yield_from", "zipfile"),
]
JUMPS = "test_jump_threading (test.test_patma.TestSourceLocations.test_jump_threading)"
KNOWN = {
    # It demands that every instruction has a line, and those of the test have none.
    f"patma: ran 327, failed ['{JUMPS}']": "patma: ran 327, failed []",
}
"""Results that tell of the test in front itself, with what is wanted."""

_OPTIMIZED_FUNCTION = 3


class _Nothing:
    stack: tuple[Any, ...] = ()


def splice(code: CodeType, with_prologue: Any, counts: dict[str, int]) -> CodeType:
    """The code object with the test in front of every function in it."""
    constants = tuple(
        splice(one, with_prologue, counts) if isinstance(one, CodeType) else one for one in code.co_consts
    )
    code = code.replace(co_consts=constants)
    if code.co_flags & _OPTIMIZED_FUNCTION != _OPTIMIZED_FUNCTION:
        return code
    made = with_prologue(code, functools.partial(getattr, _Nothing, "stack"), unwanted)
    counts["left" if made is None else "spliced"] += 1
    return made or code


def loaded_functions() -> list[FunctionType]:
    """The functions and methods of modules that were loaded already; those of ``importlib`` load the rest."""
    names = (
        "abc",
        "collections",
        "contextlib",
        "enum",
        "functools",
        "inspect",
        "operator",
        "os",
        "re",
        "types",
    )
    scopes = [vars(module) for name, module in sys.modules.items() if name.partition(".")[0] in names]
    classes = {one for scope in scopes for one in scope.values() if isinstance(one, type)}
    values = [one for scope in [*scopes, *map(vars, classes)] for one in scope.values()]
    found = {id(one): one for one in values if isinstance(one, FunctionType)}
    return [*found.values()]


def unwanted(args: Any, kwargs: Any) -> Any:
    raise AssertionError("nothing records")


def run(names: list[str], is_spliced: bool) -> None:
    """Runs suites in this process and prints a line for each."""
    counts = {"spliced": 0, "left": 0}
    if is_spliced:
        spec = importlib.util.spec_from_file_location("prologue", PROLOGUE)
        assert spec is not None and spec.loader is not None
        prologue = importlib.util.module_from_spec(spec)
        sys.modules["prologue"] = prologue
        spec.loader.exec_module(prologue)
        original = SourceFileLoader.get_code

        def get_code(self: Any, fullname: str) -> Any:
            code = original(self, fullname)
            return None if code is None else splice(code, prologue.with_prologue, counts)

        SourceFileLoader.get_code = get_code  # type: ignore[method-assign]
        sys.dont_write_bytecode = True
        for function in loaded_functions():
            function.__code__ = splice(function.__code__, prologue.with_prologue, counts)
    for name in names:
        try:
            suite = unittest.defaultTestLoader.loadTestsFromName(f"test.test_{name}")
            with open("/dev/null", "w") as nowhere:
                result = unittest.TextTestRunner(stream=nowhere, verbosity=0).run(suite)
        except BaseException as error:
            print(f"{name}: {type(error).__name__} {error}")
            continue
        failed = sorted(str(test) for test, _ in [*result.failures, *result.errors])
        print(f"{name}: ran {result.testsRun}, failed {failed}", flush=True)
    print(f"code objects: {counts}", file=sys.stderr)


def output(names: list[str], way: str) -> tuple[list[str], str]:
    """The lines of a process that runs suites, and what it says of itself."""
    command = [sys.executable, __file__, way, *names]
    done = subprocess.run(command, capture_output=True, text=True)
    lines = [line for line in done.stdout.splitlines() if line.partition(":")[0] in names]
    return lines, (done.stderr.splitlines() or [""])[-1] + f" (exit {done.returncode})"


def differences(names: list[str]) -> tuple[list[str], str]:
    """The suites whose results differ, and how many code objects were replaced."""
    wanted, _ = output(names, "--plain")
    got, note = output(names, "--spliced")
    pairs = zip(wanted, (KNOWN.get(line, line) for line in got), strict=False)
    found = [f"{a}\n    spliced: {b}" for a, b in pairs if a != b]
    if len(wanted) != len(got):
        found.append(f"{len(wanted)} suites ended plain, {len(got)} spliced: {got[-1:]}")
    return found, note


def main() -> None:
    if sys.argv[1:2] in (["--plain"], ["--spliced"]):
        return run(sys.argv[2:], sys.argv[1] == "--spliced")
    names = sys.argv[1:] or SUITES
    failed = 0
    for name in names:
        found, note = differences([name])
        failed += bool(found)
        print(f"{name}: {'same' if not found else chr(10).join(found)}; {note}", flush=True)
    print(f"{len(names) - failed} of {len(names)} suites have the same result")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
