//! Both visitors walk in the order in which CPython evaluates.

#![allow(clippy::unwrap_used)]

use ag_syntax::parse_module;
use ag_syntax::tree::{Expr, ExprKind};
use ag_syntax::visit::{Visitor, VisitorMut, mutable, walk_expr};

/// The names in the order of the visit.
#[derive(Default)]
struct Names(String);

impl Names {
    fn meet(&mut self, expr: &Expr) {
        if let ExprKind::Name { name, .. } = &expr.kind {
            self.0.push_str(name);
        }
    }
}

impl<'a> Visitor<'a> for Names {
    fn visit_expr(&mut self, expr: &'a Expr) {
        self.meet(expr);
        walk_expr(self, expr);
    }
}

impl VisitorMut for Names {
    fn visit_expr(&mut self, expr: &mut Expr) {
        self.meet(expr);
        mutable::walk_expr(self, expr);
    }
}

#[test]
fn names_are_met_in_alphabetical_order() {
    let sources = [
        "b[c] = d = a",
        "a[b] += c",
        "b: c = a",
        "(b := a)",
        "b if a else c",
        "a < b < c",
        "a(b, *c, k=d, **e)",
        "a(b, k=d, *c)",
        "[d for b in a if c]",
        "{f: g for b in a if c for e in d}",
        "{a: b, **c}",
        "(lambda x=a, *, y=b: c)",
        "f'{a:{b}}{c}'",
        "a[b:c:d]",
        "for b in a: c\nelse: d",
        "with a as b, c as d: e",
        "try: a\nexcept b: c\nelse: d\nfinally: e",
        "match a:\n    case b.x | c(d.x, x={'k': e.x}) if f: g\n    case _: h",
        "@a\n@b\ndef z(x: e = c, *v: f, y: g = d, **w: h) -> i: j",
        "@a\nclass z[T: b](c, metaclass=d): e",
        "type c[T: a] = b",
        "assert a, b\nraise c from d\ndel e, f[g]\nreturn h",
    ];
    for source in sources {
        let mut module = parse_module(source).unwrap_or_else(|error| panic!("{source}: {error:?}"));
        let mut met = Names::default();
        Visitor::visit_body(&mut met, &module.body);
        let letters: Vec<u8> = met.0.bytes().collect();
        let expected = (b'a'..).take(letters.len());
        assert_eq!(letters, expected.collect::<Vec<u8>>(), "{source}: {}", met.0);
        let mut met_again = Names::default();
        VisitorMut::visit_body(&mut met_again, &mut module.body);
        assert_eq!(met.0, met_again.0, "{source}");
    }
}
