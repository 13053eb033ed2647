//! What the unparser writes, text by text: parentheses where the grammar needs them and nowhere else.

#![allow(clippy::unwrap_used)]

use ag_errors::Span;
use ag_syntax::{parse_module, unparse};

/// Unparses `source`.
fn rewritten(source: &str) -> String {
    unparse(&parse_module(source).unwrap_or_else(|error| panic!("{source}: {error:?}")).body).text
}

#[test]
fn what_is_minimal_stays() {
    let cases = [
        "-1 ** 2",
        "(-1) ** 2",
        "2 ** -1",
        "(2 ** 3) ** 4",
        "2 ** 3 ** 4",
        "await x ** 2",
        "-await x",
        "1 .real",
        "1.0.real",
        "1j.imag",
        "x[a, *b]",
        "x[(yield)]",
        "x[1:2, ::3, :]",
        "x[()]",
        "x[(a, b), c]",
        "return *a, b",
        "return (yield)",
        "x = yield",
        "x = yield a, b",
        "x += yield",
        "x: int = 1, 2",
        "(x): int = 1",
        "x.y: int",
        "print(*a, **k)",
        "print(*a or b)",
        "f(x for x in y)",
        "f((x for x in y), 1)",
        "f((yield))",
        "class C((x for x in y)):\n    pass",
        "lambda: (yield)",
        "lambda a, /, b=1, *c, d, **e: 0",
        "lambda *, a: 0",
        "not a == b",
        "(not a) == b",
        "not not a",
        "(a < b) < c",
        "a < (b < c)",
        "a < b < c",
        "(a and b) and c",
        "a and (b or c)",
        "a and b or c",
        "(a if b else c) if d else e",
        "a if (b if c else d) else e",
        "a if b else c if d else e",
        "(lambda: 0) if a else b",
        "a if b else lambda: 0",
        "(lambda: 0)()",
        "a - (b - c)",
        "a - b - c",
        "a * (b + c)",
        "a << (b | c)",
        "(a, b) + c",
        "[(a, b), c]",
        "[(a,)]",
        "a, = b",
        "*a, b = c",
        "{**a, b: c}",
        "{**(a or b)}",
        "{*a, b}",
        "[x for x, y in (a if b else c) if (lambda: 0)]",
        "[x async for x in y if a if b]",
        "{k: v for k, v in z}",
        "(x := 1)",
        "if x := 1:\n    pass",
        "while x := 1:\n    pass",
        "for x in *a, b:\n    pass",
        "for x, in y:\n    pass",
        "with (a, b):\n    pass",
        "with ((a, b)):\n    pass",
        "with a as b, c as d:\n    pass",
        "with (a, b) as (c, d), e:\n    pass",
        "async def f():\n    async with a:\n        pass",
        "del (a, b)",
        "del a, b[c]",
        "try:\n    pass\nexcept* (A, B) as e:\n    pass",
        "try:\n    pass\nexcept A:\n    pass\nexcept:\n    pass\nelse:\n    pass\nfinally:\n    pass",
        "raise A from b",
        "from . import a as b, c",
        "from ..a.b import *",
        "global a, b",
        "@a := b\n@c.d(e)\ndef f[T: int = str, *Ts = *tuple[int], **P](x: int = 1, *y: *Ts) -> z:\n    return",
        "class C[T](B, *Bs, metaclass=M, **k):\n    x = 1",
        "type A[T] = list[T]",
        "if a:\n    b\nelif c:\n    d\nelse:\n    e",
        "while a:\n    break\nelse:\n    continue",
        "assert a, b",
        "'''doc\n  string'''",
        "f'{a!r:>{b}}' 'c'",
        "t'{a}'",
        "x = b'a' b'b'",
    ];
    for case in cases {
        // `with (a, b):` are two items, which need no parentheses.
        let expected = if case.starts_with("with (a, b):") { "with a, b:\n    pass" } else { case };
        let expected = expected.replace("print(*a or b)", "print(*(a or b))");
        assert_eq!(rewritten(&format!("{case}\n")), format!("{expected}\n"));
    }
}

#[test]
fn patterns() {
    let cases = [
        "-1",
        "-1 - 2j",
        "1 + 2j",
        "'a' 'b'",
        "a.b.c",
        "None",
        "_",
        "x",
        "[a, *_]",
        "[*rest, b]",
        "{'k': v, -1: _, a.b: c, **rest}",
        "{**rest}",
        "C()",
        "a.C(1, x, y=[z])",
        "1 | 2 | x",
        "(1 | 2) as x",
        "1 | (2 as x)",
        "(1 as x) as y",
        "[1 | 2, 3 as x]",
        "C(1 | 2, y=3 as x)",
        "x if x > 0",
        "x if (y := x)",
    ];
    for case in cases {
        let expected = case.replace("(1 | 2) as x", "1 | 2 as x").replace("(y := x)", "y := x");
        let text = rewritten(&format!("match a, b:\n    case {case}:\n        pass\n"));
        assert_eq!(text, format!("match (a, b):\n    case {expected}:\n        pass\n"));
    }
}

#[test]
fn what_is_superfluous_goes() {
    let cases = [
        ("((a)) + (b * c)", "a + b * c"),
        ("(await x) ** 2", "await x ** 2"),
        ("f((a), k=(b))", "f(a, k=b)"),
        ("f(*a, k=b, *c)", "f(*a, *c, k=b)"),
        ("(a, b) = (c)", "a, b = c"),
        ("if (a): b; c", "if a:\n    b\n    c"),
        ("return(a)", "return a"),
        ("x = (yield)", "x = yield"),
        ("x = \\\n  1", "x = 1"),
        ("x[(a, b)]", "x[a, b]"),
        ("else_ = 1 if a else(2)", "else_ = 1 if a else 2"),
        ("if a:\n  b\nelse:\n  if c:\n    d", "if a:\n    b\nelif c:\n    d"),
    ];
    for (source, expected) in cases {
        assert_eq!(rewritten(source), format!("{expected}\n"));
    }
}

#[test]
fn adjacent_strings_on_several_lines_get_parentheses() {
    assert_eq!(rewritten("x = ('a'\n     'b')\n"), "x = ('a'\n     'b')\n");
    assert_eq!(rewritten("f('a'  # why\n  'b')\n"), "f('a'  # why\n  'b')\n");
    assert_eq!(rewritten("'a' \\\n'b'\n"), "('a' \\\n'b')\n");
    assert_eq!(rewritten("def f():\n        '''a\n    b'''\n"), "def f():\n    '''a\n    b'''\n");
    assert_eq!(rewritten("'a\\\nb'\n"), "'a\\\nb'\n");
}

#[test]
fn ranges_are_those_of_cpython() {
    let source = "@d\ndef f():\n    return (a, b), g(x for x in y), (-1) ** 2\n";
    let unparsed = unparse(&parse_module(source).unwrap().body);
    assert_eq!(unparsed.text, source);
    for mapping in unparsed.source_map.mappings() {
        assert_eq!(mapping.generated, mapping.origin, "{:?}", mapping.origin.text(source));
    }
    let place = |text: &str| {
        let start = u32::try_from(source.find(text).unwrap()).unwrap();
        Span::new(start, start + u32::try_from(text.len()).unwrap())
    };
    let generated: Vec<Span> =
        unparsed.source_map.mappings().iter().map(|mapping| mapping.generated).collect();
    for text in ["(a, b)", "(x for x in y)", "-1", "(-1) ** 2"] {
        assert!(generated.contains(&place(text)), "{text}");
    }
}
