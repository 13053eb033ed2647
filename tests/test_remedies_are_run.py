"""Every help that the package's source has as a literal is that of a program whose remedy a test runs.

The tests are `test_remedies.py` with its pairs, `test_errors.py` with its `.fixed.py`, and
`test_tangent_guard_errors.py`. What none of them runs stands in `NOT_RUN`, with the reason.
"""

from __future__ import annotations

import re
from pathlib import Path

from literal_helps import is_shown_by, literal_helps
from remedies import pairs

HERE = Path(__file__).parent

NOT_RUN: dict[str, tuple[str, ...]] = {
    "what is refused is an argument: `test_refused_arguments.py` and its relatives pass the other one": (
        "bring its bytes into this machine's order: `x.astype(x.dtype.newbyteorder('='))`",
        "copy it to the CPU first",
        "give `concrete_function` all sizes, or an array",
        "give all nodes the same fields",
        "inputs of a graph are arrays, floats, bools and ints of 64 bits",
        "make it of plain values (`np.zeros(n)`), and assign the other value",
        "pass a plain ndarray",
        "pass its numbers: `x / np.timedelta64(1, 's')`",
        "pass its numbers: `x.astype('datetime64[s]').astype(np.int64)`",
    ),
    "the function itself is refused, or how it is called: `test_entities.py`, `test_profile.py`": (
        "copy the original, its `__wrapped__`, and convert the copy",
        (
            "define it in a file, a notebook cell or the REPL of Python 3.13; code compiled from a "
            "string needs its text in `linecache`"
        ),
        "import the module again, or run the cell again that defines the function",
        "make it by `to_callable(..., keep_positions=False)`, which gives it a source of its own",
        "mark the function that it calls",
        "only functions written in Python can be converted",
        "pass objects whose attributes are of one type",
        "profile the staged function that calls it: its lines are in that profile",
        "the REPL keeps sources since Python 3.13: define it in a file or a notebook cell",
        "use a profiler of Python",
    ),
    "of derivatives as source: `test_tangent_refusals.py` holds the words": (
        "bind `…` anew",
        "bind it to a variable before it is raised, and read that",
        "compute a new one in the function, or copy the result first",
        "differentiate a function of Python that calls it",
        (
            "differentiate in another order, `tangent.grad(tangent.jvp(f))` or "
            "`tangent.grad(tangent.grad(f))`, or bind a new list or array in place of changing one"
        ),
        "give `…` to the function as an argument",
        "give it one name",
        "give that another name than `…`, which the generated code uses",
        "make a dict of it, `dict(...)`",
        "make a list of it before the `try`",
        "make a list of it, or write a comprehension",
        "make a new one in the function",
        "put some of the branches or loops into a function of their own",
        (
            "read a list by its own name, `ys[0]`, and let it grow by that; read it by other names "
            "when it has grown; where a derivative is differentiated, do so in another order, "
            "`tangent.grad(tangent.jvp(f))`"
        ),
        "read attributes",
        "write it with `def`",
        "…; `tangent.to_source` shows the text",
    ),
    "of trees and templates: `test_templates.py` and `test_transformations.py` hold the words": (
        "leave the replacement out, or use the name in the template",
        "look at it with `pretty`: fields need nodes of their kinds and the contexts that fit",
        "names stand here alone",
        "put in a name, an attribute, a subscript, or a tuple or list of those",
        "put in at least one target",
        "put in one",
        "put in one, or give the template positional parameters without defaults",
        "put in …",
        "use `templates.replace` for statements",
    ),
    "no program of a few lines comes to it": (
        "append the pieces to a list, and join them after the statement: `''.join(pieces)`",
        "bind it to one of them, and to the other after the statement",
        "call it before or after the block, or make the object inside it",
        "compare what they hold",
        "end it with `return None`, and return something else on the other paths",
        "give a number, an array, or a list or a tuple of them",
        "give each variable one type before the loop: `x = 0.0`, `x = np.zeros(3)`",
        "give it a list",
        "give it the value: `point.x`",
        "loop over it with `for`, or use `np.where` on the whole array",
        "make a list of its own first: `xs = list(xs)`",
        "make it of another dtype, and convert it then: `.astype`",
        "make it with `np.random.default_rng(seed)`, or pass it as an argument",
        "name the argument in `dynamic=`",
        "put a copy into it: `[*xs]`, `{**d}`, or bind its parts to variables of their own",
        "put it into one of them, and a copy into the other: `list(xs)`, `copy.copy(state)`",
        "put the body of the `try` into a function of its own",
        "return a list of its own: `list(…)`",
        "return a tree of floats with the structure and shapes of …",
        "return arrays, numbers, and tuples of them",
        "return arrays: `np.stack(values)`",
        "return the value instead",
        (
            "test for it with an `if` in place of the `try`, do it before the `with`, or move either "
            "out of the staged function"
        ),
        "use a `for` loop, or `np.where` on the whole array",
        "write in a loop, with one index at a time",
    ),
}
"""By reason: the helps that no test runs, in the order of letters."""


def run_helps() -> list[str]:
    """The helps, or parts of them, whose remedies tests run."""
    shown = [pair.help for pair in pairs()]
    fixed = (HERE / "errors").glob("*.fixed.py")
    texts = sorted(path.with_name(path.name.replace(".fixed.py", ".txt")) for path in fixed)
    for path in (*texts, HERE / "tangent_guard_errors.txt"):
        shown += re.findall(r"= help: (.*)", path.read_text())
    return shown


def test_every_help_is_run_or_has_a_reason() -> None:
    shown, helps = run_helps(), literal_helps()
    left = {text for text in helps if not is_shown_by(text, shown)}
    known = {text for texts in NOT_RUN.values() for text in texts}
    new = [f"{helps[text]}: {text}" for text in sorted(left - known)]
    assert not new, (
        "no test does what these helps say; write a pair in tests/remedy_programs*.py, a class under"
        ' `@helped("a part of the help", *arguments)` with `refused` and `fixed`: ' + "\n".join(new)
    )
    done = sorted(known - left)
    assert not done, "these helps are run, or are gone: take them out of NOT_RUN: " + "\n".join(done)


def test_the_ledger_is_sorted() -> None:
    for texts in NOT_RUN.values():
        assert list(texts) == sorted(texts)


def test_a_help_is_known_by_a_part_and_by_its_pieces() -> None:
    assert is_shown_by("copy it first: `…` or `…`", ["copy it first: `xs = list(xs)`"])
    assert is_shown_by("bind `…` anew", ["return a copy", "bind `ys` anew"])
    assert is_shown_by("make the array inside the staged function, or pass it", ["pass it"])
    assert not is_shown_by("bind `…` anew", ["return a copy"])
    assert not is_shown_by("return arrays and numbers", ["return arrays and rows, or trees of them"])
