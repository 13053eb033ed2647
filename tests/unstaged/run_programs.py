"""Runs every program twice, as written and converted, and compares: results, output, exceptions.

    python tests/unstaged/run_programs.py CONVERTER [PROGRAM.py …]

CONVERTER is the example `convert_file` of `ag_convert`. In a program file, every function whose name
starts with `case_` is a case; it takes no arguments. Functions named in a case's `targets`, set by
the decorator `@converts(f, g)`, are converted; without it, the case itself is. A case's result, or its
exception's type and message, and what it prints, must be the same. A file whose name ends in `_3_12` is
for Python 3.12 and later.
"""

import contextlib
import io
import pathlib
import re
import subprocess
import sys
import types

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import plain_operators

FUTURE_FLAGS = 0xFFF0000


def query(function):
    code = function.__code__
    count = code.co_argcount + code.co_kwonlyargcount
    count += bool(code.co_flags & 4) + bool(code.co_flags & 8)
    position = ""
    if function.__name__ == "<lambda>":
        known = [p for p in code.co_positions() if None not in p and p[0] and p[3] > p[2]]
        line, end_line, column, end_column = known[-1]
        position = f"{line},{column},{end_line},{end_column}"
    names = ",".join(code.co_varnames[:count])
    return f"{code.co_name}\t{code.co_qualname}\t{code.co_firstlineno}\t{names}\t{position}\n"


def inner_code(code, name):
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            if constant.co_name == name:
                return constant
            found = inner_code(constant, name)
            if found:
                return found
    return None


def with_qualnames(code, prefix, generated):
    """The code with the qualified names that the user's own code objects have."""

    def user_qualname(qualname):
        ours, users = prefix
        if qualname == ours or qualname.startswith(ours + "."):
            rest = [part for part in qualname[len(ours) :].split(".<locals>.") if part not in generated]
            return users + ".<locals>.".join(rest)
        return qualname

    def constant(value):
        if isinstance(value, types.CodeType):
            return with_qualnames(value, prefix, generated)
        if isinstance(value, str) and value == code.co_qualname:
            return user_qualname(value)  # a class body sets its own `__qualname__`
        return value

    constants = tuple(constant(value) for value in code.co_consts)
    return code.replace(co_consts=constants, co_qualname=user_qualname(code.co_qualname))


def convert(converter, path, function):
    """The converted function and its text; None and the reason if it stays as written."""
    run = subprocess.run([converter, path], input=query(function).encode(), capture_output=True)
    if run.returncode != 0:
        raise RuntimeError(run.stderr.decode())
    head, _, text = run.stdout.partition(b"\n")
    fields = head.decode().split("\t")
    if fields[0] != "ok":
        return None, fields[1]
    text = text.decode()
    name = "<lambda>" if function.__name__ == "<lambda>" else fields[1]
    flags = function.__code__.co_flags & FUTURE_FLAGS
    module = compile(text, "<converted>", "exec", flags, dont_inherit=True)
    code = inner_code(module.co_consts[0], name)
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or ()))
    cells[fields[3]] = types.CellType(plain_operators)
    listed = fields[2].split(",") if fields[2] else []
    missing = set(function.__code__.co_freevars) - set(listed)
    assert not missing, f"free variables not listed: {missing}"
    prefix = code.co_qualname, function.__code__.co_qualname
    code = with_qualnames(code, prefix, set(fields[4].split(",")))
    code = code.replace(co_name=function.__code__.co_name)
    closure = tuple(cells[name] for name in code.co_freevars)
    converted = types.FunctionType(
        code, function.__globals__, function.__name__, function.__defaults__, closure
    )
    converted.__kwdefaults__ = function.__kwdefaults__
    return converted, text


def is_for_this_python(path):
    """`name_3_12.py` has the grammar of 3.12 and later."""
    version = re.search(r"_(\d+)_(\d+)$", path.stem)
    return version is None or sys.version_info >= tuple(map(int, version.groups()))


def load(path):
    module = types.ModuleType(path.stem)
    module.converts = lambda *targets: lambda case: setattr(case, "targets", targets) or case
    sys.modules[path.stem] = module
    module.__file__ = str(path)
    exec(compile(path.read_text(), str(path), "exec", dont_inherit=True), module.__dict__)
    return module


def outcome(function):
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        try:
            result = ("result", repr(function()))
        except RecursionError:
            result = ("raised", "RecursionError")
        except BaseException as error:
            result = ("raised", type(error).__name__, str(error))
    return result, printed.getvalue()


def check(converter, path, name, exercise_state):
    """None if both agree; else what differs."""
    expected = outcome(getattr(load(path), name))
    module = load(path)
    case = getattr(module, name)
    texts = []
    for target in getattr(case, "targets", (case,)):
        converted, text = convert(converter, str(path), target)
        texts.append(text)
        if converted is None:
            if name.startswith("case_left_"):
                continue
            return f"not converted: {text}"
        if name.startswith("case_left_"):
            return "converted, but should stay as written"
        # Calls go to the function object, so its code is what has to change.
        if target is case:
            case = converted
        else:
            replace_code(target, converted)
    plain_operators.exercise_state = exercise_state
    actual = outcome(case)
    if actual != expected:
        return f"expected {expected}\n  but got {actual}\n" + "\n".join(texts)
    return None


def replace_code(target, converted):
    """Makes `target` run the converted code, where its closure allows."""
    owner = target.__globals__
    for holder in [owner, *(value for value in owner.values() if isinstance(value, type))]:
        entries = holder if isinstance(holder, dict) else vars(holder)
        for key, value in list(entries.items()):
            if value is target:
                if isinstance(holder, dict):
                    holder[key] = converted
                else:
                    setattr(holder, key, converted)


def main():
    converter, *paths = sys.argv[1:]
    folder = pathlib.Path(__file__).parent / "programs"
    paths = [pathlib.Path(path) for path in paths] or sorted(folder.glob("*.py"))
    cases = failures = 0
    for path in filter(is_for_this_python, paths):
        for name in [name for name in vars(load(path)) if name.startswith("case_")]:
            cases += 1
            for exercise_state in (False, True):
                try:
                    difference = check(converter, path, name, exercise_state)
                except Exception as error:
                    difference = f"{type(error).__name__}: {error}"
                    if isinstance(error, SyntaxError):
                        difference += f"\n{error.text}"
                if difference:
                    failures += 1
                    print(f"FAIL {path.name}::{name}: {difference}")
                    break
    print(f"{cases} cases, {failures} failures")
    return 1 if failures or not cases else 0


if __name__ == "__main__":
    sys.exit(main())
