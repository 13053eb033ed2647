"""Templates: what is put in where, and what is refused, as tables of cases."""

from __future__ import annotations

import ast
from typing import Any

import pytest
from autograph import ConversionError
from autograph.transformations import parse, templates, to_source


def expression(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def parameters(text: str) -> ast.arguments:
    definition = ast.parse(f"def f({text}): pass").body[0]
    assert isinstance(definition, ast.FunctionDef)
    return definition.args


def keywords(text: str) -> list[ast.keyword]:
    call = expression(f"f({text})")
    assert isinstance(call, ast.Call)
    return call.keywords


CASES: list[tuple[str, dict[str, Any], str]] = [
    ("x = y", {"y": "z"}, "x = z"),
    ("x = y", {"y": "np.linalg.norm"}, "x = np.linalg.norm"),
    ("x = y", {"y": "None"}, "x = None"),
    ("x = x + 1", {"x": expression("a.b[i]")}, "a.b[i] = a.b[i] + 1"),
    ("x = y; del x", {"x": expression("(a, b[0])")}, "a, b[0] = y\ndel (a, b[0])"),
    ("x = y", {"x": expression("(a, *b[0])")}, "a, *b[0] = y"),
    ("for x in y: body", {"x": "i", "y": expression("range(3)"), "body": []}, "for i in range(3):\n    pass"),
    ("if x:\n  a\nelse:\n  b", {"a": parse("p = 1\nq = 2"), "b": []}, "if x:\n    p = 1\n    q = 2"),
    ("body", {"body": parse("a = 1; b = 2")}, "a = 1\nb = 2"),
    ("call", {"call": expression("f()")}, "f()"),
    ("call", {"call": "name"}, "name"),
    ("call", {"call": parse("return 1")[0]}, "return 1"),
    ("f(a, x, b)", {"x": [expression("1"), ast.Starred(expression("c")), "y"]}, "f(a, 1, *c, y, b)"),
    ("f(x)", {"x": []}, "f()"),
    ("f(x, k=1)", {"x": [expression("a"), *keywords("n=2")]}, "f(a, k=1, n=2)"),
    ("f(k=v)", {"k": "key"}, "f(key=v)"),
    ("f(a, k=v)", {"k": keywords("p=1, **q")}, "f(a, p=1, **q)"),
    ("x = (a, y, b)", {"y": ["c", "d"]}, "x = (a, c, d, b)"),
    ("x, = y", {"x": ["p", expression("q.r")]}, "p, q.r = y"),
    ("[x, {x}]", {"x": ["a", "b"]}, "[a, b, {a, b}]"),
    ("x = 1", {"x": ["a", "b"]}, "a = b = 1"),
    ("del x", {"x": ["a", expression("b[0]")]}, "del a, b[0]"),
    ("def f(x): return x", {"f": "g", "x": "y"}, "def g(y):\n    return y"),
    ("def f(x): body", {"x": [ast.arg("a"), "b"], "body": parse("return a + b")},
     "def f(a, b):\n    return a + b"),
    ("def f(x): pass", {"x": parameters("a, /, b=1, *c, d, **e")}, "def f(a, /, b=1, *c, d, **e):\n    pass"),
    ("def f(x): pass", {"x": []}, "def f():\n    pass"),
    ("def f(a, *x, k=d, **y): pass", {"x": "r", "k": "m", "d": "n", "y": "s"},
     "def f(a, *r, m=n, **s):\n    pass"),
    ("lambda x: x", {"x": "y"}, "lambda y: y"),
    ("@d\n@e\ndef f(): pass", {"d": [expression("a(1)"), "b.c"]}, "@a(1)\n@b.c\n@e\ndef f():\n    pass"),
    ("@d\ndef f(): pass", {"d": []}, "def f():\n    pass"),
    ("class C(b): x = 1", {"C": "D", "b": ["E", "F"], "x": "y"}, "class D(E, F):\n    y = 1"),
    ("x.attr.x", {"attr": "size"}, "x.size.x"),
    ("x.attr = 1", {"attr": expression("shape")}, "x.shape = 1"),
    ("global g, h\nnonlocal n", {"g": "a", "n": ["b", "c"]}, "global a, h\nnonlocal b, c"),
    ("import m as n", {"m": "a.b", "n": "c"}, "import a.b as c"),
    ("try:\n  f()\nexcept E as e:\n  h", {"E": expression("(A, B)"), "e": "err", "h": parse("raise")},
     "try:\n    f()\nexcept (A, B) as err:\n    raise"),
    ("match x:\n  case [p, *r]:\n    body", {"x": "y", "p": "a", "r": "b", "body": parse("return a")},
     "match y:\n    case [a, *b]:\n        return a"),
    ("[x for x in xs if x]", {"x": "i", "xs": expression("a.b")}, "[i for i in a.b if i]"),
    ("f'{x}'", {"x": expression("a + 1")}, "f'{a + 1}'"),
    ("    indented = x", {"x": "y"}, "indented = y"),
]  # fmt: skip


@pytest.mark.parametrize(("template", "replacements", "expected"), CASES, ids=[case[0] for case in CASES])
def test_what_is_put_in(template: str, replacements: dict[str, Any], expected: str) -> None:
    before = {name: dumped(value) for name, value in replacements.items()}
    statements = templates.replace(template, **replacements)
    assert to_source(statements) == expected
    # Contexts and all else are those that Python's parser makes of the text.
    assert [ast.dump(node) for node in statements] == [ast.dump(node) for node in parse(expected)]
    assert {name: dumped(value) for name, value in replacements.items()} == before
    nodes = [node for statement in statements for node in ast.walk(statement) if hasattr(node, "lineno")]
    assert len({id(node) for node in nodes}) == len(nodes)


def dumped(value: Any) -> Any:
    if isinstance(value, ast.AST):
        return ast.dump(value, include_attributes=True)
    return value if isinstance(value, str) else [dumped(each) for each in value]


REFUSALS: list[tuple[str, dict[str, Any], str]] = [
    ("x = 1", {"y": "z"}, "the template has no name `y`"),
    ("x = y", {"y": parse("return 1")},
     "`y` stands where a symbol or one expression is needed, not several nodes"),
    ("x = y", {"y": parse("return 1")[0]},
     "`y` stands where a symbol or one expression is needed, not `Return`"),
    ("x = y", {"y": 3}, "`y` stands where a symbol or one expression is needed, not `int`"),
    ("x = y", {"x": expression("f()")}, "`Call`, put in for `x`, cannot be assigned to"),
    ("x = y", {"x": []}, "nothing is left to assign to"),
    ("x = y", {"y": "1 + 1"}, "'1 + 1', put in for `y`, is not a name"),
    ("x = y", {"y": "a.for"}, "'for', put in for `y`, is not a name"),
    ("def f(): pass", {"f": expression("a.b")}, "`f` stands where a symbol is needed, not `Attribute`"),
    ("def f(): pass", {"f": "a.b"}, "'a.b', put in for `f`, is not a name"),
    ("def f(x=1): pass", {"x": ["a", "b"]}, "`x` stands for one parameter here, not for 2"),
    ("def f(x): pass", {"x": [expression("1")]},
     "`x` stands where a symbol or an `ast.arg` is needed, not `Constant`"),
    ("f(k=1)", {"k": [expression("a")]},
     "`k` stands where a name or a list of `ast.keyword` is needed, not `Name`"),
    ("body", {"body": [ast.Load()]},
     "`body` stands where a statement, an expression or a symbol is needed, not `Load`"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("template", "replacements", "message"), REFUSALS, ids=[case[2] for case in REFUSALS]
)
def test_what_does_not_fit_is_refused(template: str, replacements: dict[str, Any], message: str) -> None:
    with pytest.raises(ConversionError) as raised:
        templates.replace(template, **replacements)
    assert raised.value.code == "AG012" and raised.value.message == message
    assert raised.value.location is not None and raised.value.help
    assert template in str(raised.value)


def test_refusals_show_the_place() -> None:
    with pytest.raises(ConversionError) as raised:
        templates.replace("\n    if test:\n        é = body + 1\n", test="t", body=parse("a; b"))
    assert str(raised.value) == (
        "error[AG012]: `body` stands where a symbol or one expression is needed, not several nodes\n"
        " --> <text>:3:9\n"
        "  |\n"
        "3 |     é = body + 1\n"
        "  |         ^^^^\n"
        "  |\n"
        "  = help: put in a symbol or one expression"
    )


def test_only_what_is_put_in_has_positions() -> None:
    (statement,) = templates.replace("f(x, 1)", x=ast.Name("a", ast.Load(), lineno=7, col_offset=2))
    located = {ast.unparse(node): node.lineno for node in ast.walk(statement) if hasattr(node, "lineno")}  # type: ignore[attr-defined]
    assert located == {"a": 7}


def test_expressions() -> None:
    assert to_source(templates.replace_as_expression("x if t else x", x="a", t="b")) == "a if b else a"
    for template in ("x = 1", "x; y", ""):
        with pytest.raises(ConversionError, match="the template is not one expression"):
            templates.replace_as_expression(template)
