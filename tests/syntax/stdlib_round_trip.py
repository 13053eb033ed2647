"""The contract of the unparser, with CPython as the judge.

    python3 tests/syntax/stdlib_round_trip.py collect FOLDER
    (convert every FOLDER/in/N.py to FOLDER/out/N.py: parse, unparse; the source map of some of them
    to FOLDER/out/N.map, lines of four byte offsets: generated start and end, original start and end;
    the parts of every f-string to FOLDER/out/fstrings.txt, see `fstring_differences`)
    python3 tests/syntax/stdlib_round_trip.py compare FOLDER

`collect` copies every file of the running standard library, its tests included, as UTF-8, and writes
FOLDER/functions.tsv, one line for every function of it as CPython compiled it, and FOLDER/characters.tsv, the
characters of all `\\N{names}` in it. `compare` requires
`ast.dump` of both texts to be equal, and the maps to lead from the place of every statement and
expression in the converted text to the place of the same node in the original, both as CPython gives
them. A file that CPython itself refuses is left out and counted.
"""

import ast
import multiprocessing
import re
import sys
import sysconfig
import time
import tokenize
import types
import unicodedata
import warnings
from pathlib import Path


def library_files():
    """Every Python file of the standard library."""
    root = Path(sysconfig.get_path("stdlib"))
    for path in sorted(root.rglob("*.py")):
        if not {"site-packages", "dist-packages"} & set(path.parts):
            yield path


def read(path):
    """The text of a file as CPython decodes it, or None for a file that it refuses."""
    try:
        with tokenize.open(path) as file:
            source = file.read()
        return source, compile(source, path, "exec", dont_inherit=True)
    except (SyntaxError, UnicodeDecodeError, ValueError):
        return None


def definitions(source):
    """Name and first line of every `def` and `lambda`: what a function's code object can be."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            found.add((node.name, (node.decorator_list or [node])[0].lineno))
        elif isinstance(node, ast.Lambda):
            found.add(("<lambda>", node.lineno))
    return found


def functions(code, defined):
    """The code objects of functions inside a code object; others (class bodies, type aliases) are not."""
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            is_function = constant.co_flags & 0x02  # CO_NEWLOCALS: not the body of a class
            if is_function and (constant.co_name, constant.co_firstlineno) in defined:
                yield constant
            yield from functions(constant, defined)


def describe(code):
    """What a program knows of a function: the fields of `FunctionQuery`, tab-separated."""
    count = code.co_argcount + code.co_kwonlyargcount
    count += bool(code.co_flags & 0x04) + bool(code.co_flags & 0x08)
    position = ""
    if code.co_name == "<lambda>":
        for line, end_line, column, end_column in code.co_positions():
            if None not in (line, end_line, column, end_column) and end_column > column:
                position = f"{line},{column},{end_line},{end_column}"
    parameters = ",".join(code.co_varnames[:count])
    return "\t".join([code.co_name, code.co_qualname, str(code.co_firstlineno), position, parameters])


def characters(source):
    """The names that stand where a character may be named, with the characters."""
    for name in re.findall(r"\\N\{([^{}]*)\}", source):
        try:
            yield name, ord(unicodedata.lookup(name))
        except (KeyError, TypeError):  # It is no such name, or that of several characters.
            continue


def collect(folder):
    """Copies the library to FOLDER/in."""
    (folder / "in").mkdir(parents=True)
    (folder / "out").mkdir()
    number, refused = 0, 0
    named = {}
    with (
        open(folder / "names.txt", "w", encoding="utf-8") as names,
        open(folder / "functions.tsv", "w", encoding="utf-8") as table,
    ):
        for path in library_files():
            accepted = read(path)
            if accepted is None:
                refused += 1
                continue
            source, code = accepted
            named.update(characters(source))
            (folder / "in" / f"{number}.py").write_text(source, encoding="utf-8", newline="")
            print(path, file=names)
            for function in functions(code, definitions(source)):
                print(number, describe(function), sep="\t", file=table)
            number += 1
    lines = [f"{name}\t{code}\n" for name, code in sorted(named.items())]
    (folder / "characters.tsv").write_text("".join(lines), encoding="utf-8")
    print(f"collected {number} files, {refused} that CPython refuses are left out")


def difference(files):
    """What is wrong with one converted file, or None."""
    original, converted = files
    try:
        after = ast.dump(ast.parse(converted.read_text(encoding="utf-8")))
    except FileNotFoundError:
        return "not converted"
    except SyntaxError as error:
        return f"converted text does not parse: {error}"
    before = ast.dump(ast.parse(original.read_text(encoding="utf-8")))
    if before == after:
        return misplaced(original, converted)
    at = next((i for i, (a, b) in enumerate(zip(before, after)) if a != b), min(len(before), len(after)))
    around = slice(max(at - 60, 0), at + 60)
    return f"ast differs\n  before: {before[around]}\n  after:  {after[around]}"


def line_starts(path):
    """The byte offsets at which the lines of a file start."""
    starts = [0]
    for line in path.read_bytes().split(b"\n"):
        starts.append(starts[-1] + len(line) + 1)
    return starts


def same_nodes(before, after):
    """The statements and expressions of two equal trees, pairwise; not what is inside f-strings."""
    if isinstance(before, (ast.stmt, ast.expr)):
        yield before, after
    if not isinstance(before, ast.JoinedStr):
        for a, b in zip(ast.iter_child_nodes(before), ast.iter_child_nodes(after)):
            yield from same_nodes(a, b)


def misplaced(original, converted):
    """The first node that the source map leads to the wrong place, or None."""
    table = converted.with_suffix(".map")
    if not table.exists():
        return None
    origins = {}
    for line in table.read_text().splitlines():
        start, end, *origin = map(int, line.split())
        origins.setdefault((start, end), set()).add(tuple(origin))
    starts_before, starts_after = line_starts(original), line_starts(converted)

    def place(node, starts):
        return starts[node.lineno - 1] + node.col_offset, starts[node.end_lineno - 1] + node.end_col_offset

    text = original.read_bytes()
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in (original, converted)]
    for a, b in same_nodes(*trees):
        if getattr(a, "decorator_list", None):
            continue  # CPython's node starts at `def`, ours at the first decorator
        here, (start, end) = place(b, starts_after), place(a, starts_before)
        # CPython's block includes a `;` after its last statement, ours does not.
        ends = {end, end - 1} if text[end - 1 : end] == b";" else {end}
        there = (start, end)
        if not any((start, end) in origins.get(here, ()) for end in ends):
            return f"line {a.lineno}: {ast.dump(a)[:60]} is at {there}, the map says {origins.get(here)}"
    return None


def expected_parts(values):
    """The parts of a JoinedStr: text, or (expression, conversion, parts of the specification)."""
    for value in values:
        if isinstance(value, ast.Constant):
            yield value.value
        else:
            spec = value.format_spec and merged(expected_parts(value.format_spec.values))
            yield ast.dump(value.value), chr(value.conversion) if value.conversion > 0 else None, spec


def given_parts(parts):
    """The same of the parts that the tree has: texts, and lists for interpolations."""
    for part in parts:
        if isinstance(part, str):
            yield part
        else:
            expression, conversion, spec = part
            expression = ast.dump(ast.parse(f"({expression})", mode="eval").body)
            yield expression, conversion, merged(given_parts(spec)) if spec is not None else None


def merged(parts):
    """Parts with adjacent texts joined and empty ones left out."""
    result = []
    for part in parts:
        if isinstance(part, str) and result and isinstance(result[-1], str):
            result[-1] += part
        elif part != "":
            result.append(part)
    return result


def fstring_differences(path):
    """Whether the parts of every f-string are what CPython makes of its text.

    The file holds Python tuples, each ended by a zero byte: the text of an f-string, and its parts:
    the texts between the interpolations, and lists of the expression's source, the conversion and the
    parts of the specification for the interpolations.
    """
    entries = path.read_text(encoding="utf-8").split("\0")[:-1]
    for entry in entries:
        text, parts = ast.literal_eval(entry)
        tree = ast.parse(f"({text})", mode="eval").body
        if merged(expected_parts(tree.values)) != merged(given_parts(parts)):
            yield text, parts
    print(f"compared the parts of {len(entries)} f-strings")


def ignore_warnings():
    """Files of the library warn about their own escapes."""
    warnings.simplefilter("ignore")
    sys.setrecursionlimit(10000)


def compare(folder):
    """Compares FOLDER/in with FOLDER/out; false if anything differs."""
    started = time.perf_counter()
    names = (folder / "names.txt").read_text(encoding="utf-8").splitlines()
    pairs = [(folder / "in" / f"{n}.py", folder / "out" / f"{n}.py") for n in range(len(names))]
    with multiprocessing.Pool(2, ignore_warnings) as pool:
        results = pool.map(difference, pairs, chunksize=8)
    failures = [(name, result) for name, result in zip(names, results) if result is not None]
    failures.extend(fstring_differences(folder / "out" / "fstrings.txt"))
    for name, result in failures:
        print(f"FAILED {name}: {result}")
    seconds = time.perf_counter() - started
    print(f"compared {len(names)} files, {len(failures)} failures, {seconds:.1f} s")
    return bool(names) and not failures


def main():
    """Runs one of the two steps."""
    ignore_warnings()
    step, folder = sys.argv[1], Path(sys.argv[2])
    if step == "collect":
        collect(folder)
    elif step == "compare":
        sys.exit(not compare(folder))
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
