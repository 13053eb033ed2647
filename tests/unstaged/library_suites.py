"""Converts modules of the standard library in place and runs CPython's own tests of them.

    python tests/unstaged/library_suites.py CONVERTER [MODULE …]

Every function and method of a module is replaced by its converted form; then `test.test_MODULE` runs.
What fails only when converted is a fault.
"""

import contextlib
import importlib
import io
import pathlib
import subprocess
import sys
import types
import unittest
import warnings

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import plain_operators
from convert_library import answers, query
from run_programs import FUTURE_FLAGS, inner_code, with_qualnames

# Not here: modules whose tests look at frames, code objects or the identity of functions (`inspect`,
# `traceback`, `dis`, `contextlib`, `functools`, `enum`).
MODULES = (
    "textwrap heapq fractions statistics difflib shlex copy configparser colorsys string csv pprint argparse "
    "random graphlib ipaddress html.parser json.decoder json.encoder fnmatch dataclasses reprlib calendar "
    "optparse base64 tokenize ast collections urllib.parse plistlib pickletools _pydecimal tarfile "
    "test.test_patma"
).split()
TESTS = {
    "test.test_patma": "test_patma",
    "_pydecimal": "test_decimal",
    "urllib.parse": "test_urlparse",
    "html.parser": "test_htmlparser",
    "json.encoder": "test_json",
    "json.decoder": "test_json",
}
COUNTS_LINES = ("TestTracing",)
"""Tests of the order of lines in one frame."""


def places(module):
    """Each function of a module: where it is held, its key, the function, and how to wrap a new one."""
    holders = [
        module,
        *(v for v in vars(module).values() if isinstance(v, type) and v.__module__ == module.__name__),
    ]
    for holder in holders:
        for key, value in list(vars(holder).items()):
            for kind in (staticmethod, classmethod):
                if isinstance(value, kind) and isinstance(value.__func__, types.FunctionType):
                    yield holder, key, value.__func__, kind
            if isinstance(value, property) and isinstance(value.fget, types.FunctionType):
                yield holder, key, value.fget, lambda f, p=value: property(f, p.fset, p.fdel, p.__doc__)
            if isinstance(value, types.FunctionType) and value.__module__ == module.__name__:
                yield holder, key, value, lambda f: f


def convert_module(converter, module):
    path = module.__file__
    found = [p for p in places(module) if p[2].__code__.co_filename == path and query(p[2].__code__)]
    queries = "".join(query(function.__code__) for _, _, function, _ in found)
    run = subprocess.run([converter, path], input=queries.encode(), capture_output=True, check=True)
    count = 0
    known = {}  # a function that is held in two places stays one function
    for (holder, key, function, wrap), (fields, text) in zip(found, answers(run.stdout), strict=True):
        if fields[0] != "ok":
            continue
        code = compile(text, path, "exec", function.__code__.co_flags & FUTURE_FLAGS, dont_inherit=True)
        code = inner_code(code.co_consts[0], "<lambda>" if function.__name__ == "<lambda>" else fields[1])
        code = with_qualnames(
            code, (code.co_qualname, function.__code__.co_qualname), set(fields[4].split(","))
        )
        code = code.replace(co_name=function.__code__.co_name)
        cells = dict(zip(function.__code__.co_freevars, function.__closure__ or ()))
        cells[fields[3]] = types.CellType(plain_operators)
        closure = tuple(cells[name] for name in code.co_freevars)
        converted = known[function] = known.get(function) or types.FunctionType(
            code, function.__globals__, function.__name__, function.__defaults__, closure
        )
        converted.__kwdefaults__ = function.__kwdefaults__
        converted.__dict__.update(function.__dict__)
        converted.__annotations__ = function.__annotations__
        converted.__qualname__, converted.__doc__ = function.__qualname__, function.__doc__
        converted.__module__ = function.__module__
        try:
            setattr(holder, key, wrap(converted))
        except (AttributeError, TypeError):
            continue
        count += 1
    return count


def run_tests(name, converter):
    """Runs in a process of its own: prints the tests that fail."""
    warnings.simplefilter("ignore")
    module = importlib.import_module(name)
    count = convert_module(converter, module) if converter != "-" else 0
    test = "test." + TESTS.get(name, "test_" + name)
    output = io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
        for group in COUNTS_LINES:
            vars(module).pop(group, None)
        suite = unittest.defaultTestLoader.loadTestsFromName(test)
        result = unittest.TextTestRunner(stream=output).run(suite)
    for case, trace in result.failures + result.errors:
        print("failed\t" + str(case) + "\t" + trace.strip().splitlines()[-1][:200])
    print(f"ran\t{result.testsRun}\t{count}")


def outcome(name, converter):
    command = [sys.executable, __file__, "--one", converter, name]
    try:
        run = subprocess.run(command, capture_output=True, timeout=120, text=True)
    except subprocess.TimeoutExpired:
        return None, {}, "timeout"
    failed = {}
    ran = None
    for line in run.stdout.splitlines():
        fields = line.split("\t")
        if fields[0] == "failed":
            failed[fields[1]] = fields[2]
        elif fields[0] == "ran":
            ran = fields[1:]
    return ran, failed, run.stderr[-300:]


def main():
    if sys.argv[1] == "--one":
        return run_tests(sys.argv[3], sys.argv[2])
    converter, *names = sys.argv[1:]
    faults = 0
    for name in names or MODULES:
        ran, failed, errors = outcome(name, converter)
        _, expected, _ = outcome(name, "-") if failed or not ran else (None, {}, "")
        new = {case: why for case, why in failed.items() if case not in expected}
        faults += len(new) + (ran is None)
        print(
            f"{name}: {ran[1]} functions, {ran[0]} tests, {len(new)} faults" if ran else f"{name}: {errors}"
        )
        for case, why in new.items():
            print(f"    {case}: {why}")
    print(f"{faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
