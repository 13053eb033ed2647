"""Converts every function of CPython's standard library (or of the files given) and compiles the result.

    python tests/unstaged/convert_library.py CONVERTER [--top-level | FILE.py …]

For each function: the free variables found are those of its code object; the converted text compiles;
its code object has no free variables but those; its own variables include the user's.
"""

import dis
import inspect
import pathlib
import subprocess
import sys
import sysconfig
import types
import warnings

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from run_programs import FUTURE_FLAGS, inner_code

FRAME_READERS = set("locals eval exec vars dir stack currentframe _getframe _getframemodulename".split())
COMPREHENSIONS = ("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>")


def functions(code):
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            is_function = (
                constant.co_flags & inspect.CO_NEWLOCALS and constant.co_flags & inspect.CO_OPTIMIZED
            )
            if is_function and constant.co_name not in COMPREHENSIONS and "<generic" not in constant.co_name:
                yield constant
            yield from functions(constant)


def query(code):
    count = code.co_argcount + code.co_kwonlyargcount
    count += bool(code.co_flags & inspect.CO_VARARGS) + bool(code.co_flags & inspect.CO_VARKEYWORDS)
    position = ""
    if code.co_name == "<lambda>":
        known = [p for p in code.co_positions() if None not in p and p[0] and p[2:] != (0, 0)]
        if not known:
            return None
        line, end_line, column, end_column = known[-1]
        position = f"{line},{column},{end_line},{end_column}"
    names = ",".join(code.co_varnames[:count])
    return f"{code.co_name}\t{code.co_qualname}\t{code.co_firstlineno}\t{names}\t{position}\n"


def answers(output):
    while output:
        head, _, output = output.partition(b"\n")
        fields = head.decode().split("\t")
        if fields[0] == "ok":
            size = int(fields[5])
            yield fields, output[:size].decode()
            output = output[size:]
        else:
            yield fields, ""


def check(code, fields, text):
    """What is wrong with a conversion, or None."""
    if fields[0] != "ok":
        is_generator = code.co_flags & (
            inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR
        )
        looks_at_frame = FRAME_READERS & set(code.co_names)
        inner = {c.co_name for c in code.co_consts if isinstance(c, types.CodeType)}
        if fields[1].startswith("AG010") and (is_generator or looks_at_frame or inner & set(COMPREHENSIONS)):
            return None
        # Several equal lambdas in one place are refused rather than guessed.
        return None if fields[1].startswith("AG004") else fields[1]
    listed = fields[2].split(",") if fields[2] else []
    if not set(code.co_freevars) <= set(listed):
        return f"free variables {code.co_freevars}, listed {listed}"
    flags = code.co_flags & FUTURE_FLAGS
    try:
        module = compile(text, "<converted>", "exec", flags, dont_inherit=True)
    except SyntaxError as error:
        return f"{error}: {error.text}"
    inner = inner_code(module.co_consts[0], "<lambda>" if code.co_name == "<lambda>" else fields[1])
    extra = set(inner.co_freevars) - set(listed) - {fields[3]}
    read = {i.argval for i in dis.get_instructions(code) if "DEREF" in i.opname or "CLOSURE" in i.opname}
    # What only an annotation names is free, but never read; the conversion drops annotations.
    missing = set(code.co_freevars) & read - set(inner.co_freevars)
    if extra or missing:
        return f"free variables: extra {extra}, missing {missing}"
    return None


def main():
    warnings.simplefilter("ignore")
    sys.setrecursionlimit(5000)
    converter, *paths = sys.argv[1:]
    root = pathlib.Path(sysconfig.get_path("stdlib"))
    if paths == ["--top-level"]:
        paths = sorted(root.glob("*.py"))
    paths = [pathlib.Path(path) for path in paths] or sorted(
        path for path in root.rglob("*.py") if not {"lib2to3", "site-packages"} & set(path.parts)
    )
    count = left = failures = 0
    for path in paths:
        try:
            code = compile(path.read_text("utf-8"), str(path), "exec", dont_inherit=True)
        except (SyntaxError, UnicodeDecodeError, ValueError):
            continue
        codes = [(c, q) for c in functions(code) if (q := query(c))]
        queries = "".join(q for _, q in codes).encode()
        run = subprocess.run([converter, str(path)], input=queries, capture_output=True)
        if run.returncode != 0:
            failures += 1
            print(f"FAIL {path}: {run.stderr.decode()[-300:]}")
            continue
        for (code, _), (fields, text) in zip(codes, answers(run.stdout), strict=True):
            count += 1
            left += fields[0] != "ok"
            wrong = check(code, fields, text)
            if wrong:
                failures += 1
                print(f"FAIL {path}:{code.co_firstlineno} {code.co_qualname}: {wrong}")
    print(f"{count} functions, {left} left as written, {failures} failures")
    return 1 if failures or not count else 0


if __name__ == "__main__":
    sys.exit(main())
