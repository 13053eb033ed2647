//! Qualified names: places that a statement can name, `a` and also `a.b`, `a[0]`, `a[i].c`.
//!
//! Section 7.1 of the AutoGraph paper extends symbols to such compound names, so that `a.b = c`
//! modifies `a.b` and not `a`. The variables that a name is computed from are its support:
//!
//! ```text
//! a               a variable
//! a.b[0]          support a
//! a[i].c          support a, i: it is another place once `i` is assigned
//! a[i, j]         support a, i, j
//! f().b  a[i+1]  a[1:]    no name: computed, not named
//! ```
//!
//! A name says how a place is reached, not which place it is: `a[i]` and `a[0]` may be one item, and `a.b`
//! and `c.b` one attribute. Two spellings of one key (`a["k"]` and `a['k']`, `a[0x10]` and `a[16]`) give the
//! same name.

use std::collections::BTreeSet;
use std::fmt;

use ag_syntax::string_literal;
use ag_syntax::tree::{ConstantKind, Expr, ExprKind, Name, UnaryOp};

/// A variable, or a place reached from one by attributes and items.
///
/// The order is that of the base, then step by step: a name comes before all that start with it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct QualifiedName {
    base: Name,
    steps: Vec<Step>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Step {
    /// `.b`
    Attribute(Name),
    /// `[key]`
    Item(Key),
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Key {
    /// `a[-1]`
    Int(i128),
    /// `a['k']`
    Str(Name),
    /// `a[i]`, `a[b.c]`
    Place(QualifiedName),
    /// `a[i, 0]`
    Tuple(Vec<Key>),
}

impl QualifiedName {
    /// The name of a variable.
    #[must_use]
    pub fn variable(name: &Name) -> Self {
        Self { base: name.clone(), steps: Vec::new() }
    }

    /// The name of an expression, in any context; none if the place is computed.
    #[must_use]
    pub fn of(expr: &Expr) -> Option<Self> {
        let mut steps = Vec::new();
        let mut place = expr;
        let base = loop {
            place = match &place.kind {
                ExprKind::Name { name, .. } => break name.clone(),
                ExprKind::Attribute { value, attr, .. } => {
                    steps.push(Step::Attribute(attr.clone()));
                    value
                }
                ExprKind::Subscript { value, index, .. } => {
                    steps.push(Step::Item(Key::of(index)?));
                    value
                }
                _ => return None,
            };
        };
        steps.reverse();
        Some(Self { base, steps })
    }

    /// Whether it is more than a variable.
    #[must_use]
    pub fn is_composite(&self) -> bool {
        !self.steps.is_empty()
    }

    /// The variable it starts from: `a` of `a[i].c`.
    #[must_use]
    pub fn base(&self) -> &Name {
        &self.base
    }

    /// The variables it is computed from: `a` and `i` of `a[i].c`.
    #[must_use]
    pub fn support(&self) -> BTreeSet<&Name> {
        let mut support = BTreeSet::new();
        self.add_support(&mut support);
        support
    }

    /// What its last step starts from: `a[i]` of `a[i].c`; none for a variable.
    #[must_use]
    pub fn parent(&self) -> Option<Self> {
        let (_, steps) = self.steps.split_last()?;
        Some(Self { base: self.base.clone(), steps: steps.to_vec() })
    }

    fn add_support<'a>(&'a self, support: &mut BTreeSet<&'a Name>) {
        support.insert(&self.base);
        for step in &self.steps {
            if let Step::Item(key) = step {
                key.add_support(support);
            }
        }
    }
}

impl Key {
    fn of(index: &Expr) -> Option<Self> {
        match &index.kind {
            ExprKind::Constant { kind: ConstantKind::Int, text } => int(text).map(Self::Int),
            ExprKind::Constant { kind: ConstantKind::Str, text } => plain_string(text).map(Self::Str),
            ExprKind::Unary { op: UnaryOp::USub, operand } => match &operand.kind {
                ExprKind::Constant { kind: ConstantKind::Int, text } => int(text).map(|int| Self::Int(-int)),
                _ => None,
            },
            ExprKind::Tuple { elements, .. } => {
                elements.iter().map(Self::of).collect::<Option<_>>().map(Self::Tuple)
            }
            _ => QualifiedName::of(index).map(Self::Place),
        }
    }

    fn add_support<'a>(&'a self, support: &mut BTreeSet<&'a Name>) {
        match self {
            Self::Int(_) | Self::Str(_) => {}
            Self::Place(name) => name.add_support(support),
            Self::Tuple(keys) => keys.iter().for_each(|key| key.add_support(support)),
        }
    }

    /// Writes a key, in brackets or in a tuple inside them.
    fn write(&self, f: &mut fmt::Formatter<'_>, is_inside_tuple: bool) -> fmt::Result {
        match self {
            Self::Int(int) => write!(f, "{int}"),
            Self::Str(text) => f.write_str(&string_literal(text)),
            Self::Place(name) => write!(f, "{name}"),
            Self::Tuple(keys) => {
                let has_parentheses = is_inside_tuple || keys.is_empty();
                f.write_str(if has_parentheses { "(" } else { "" })?;
                for (index, key) in keys.iter().enumerate() {
                    f.write_str(if index > 0 { ", " } else { "" })?;
                    key.write(f, true)?;
                }
                f.write_str(if keys.len() == 1 { "," } else { "" })?;
                f.write_str(if has_parentheses { ")" } else { "" })
            }
        }
    }
}

impl fmt::Display for QualifiedName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.base)?;
        for step in &self.steps {
            match step {
                Step::Attribute(attr) => write!(f, ".{attr}")?,
                Step::Item(key) => {
                    f.write_str("[")?;
                    key.write(f, false)?;
                    f.write_str("]")?;
                }
            }
        }
        Ok(())
    }
}

/// The value of an integer literal, if it is in the range of indices.
fn int(text: &str) -> Option<i128> {
    let digits = text.replace('_', "").to_ascii_lowercase();
    match digits.get(..2) {
        Some("0x") => i128::from_str_radix(&digits[2..], 16),
        Some("0o") => i128::from_str_radix(&digits[2..], 8),
        Some("0b") => i128::from_str_radix(&digits[2..], 2),
        _ => digits.parse(),
    }
    .ok()
}

/// The value of a simple string literal: one literal, no prefix, no escapes.
fn plain_string(text: &str) -> Option<Name> {
    let quote = text.chars().next().filter(|first| matches!(first, '\'' | '"'))?;
    let inside = text.get(1..)?.strip_suffix(quote)?;
    (!inside.contains([quote, '\\'])).then(|| inside.into())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use ag_syntax::parse_module;
    use ag_syntax::tree::StmtKind;

    use super::*;

    fn name(source: &str) -> Option<QualifiedName> {
        let module = parse_module(source).unwrap();
        let StmtKind::Expr(expr) = &module.body[0].kind else { panic!("an expression") };
        QualifiedName::of(expr)
    }

    #[test]
    fn python_form() {
        for (source, form) in [
            ("a", "a"),
            ("a . b", "a.b"),
            ("a[0x1_0]", "a[16]"),
            ("a[-1]", "a[-1]"),
            ("a[\"k\"]", "a['k']"),
            ("a[\"it's\"]", "a[\"it's\"]"),
            ("a[i].c", "a[i].c"),
            ("a[b.c[j]][k]", "a[b.c[j]][k]"),
            ("a[(i, 0)]", "a[i, 0]"),
            ("a[i,]", "a[i,]"),
            ("a[()]", "a[()]"),
            ("a[(i, j), 'k']", "a[(i, j), 'k']"),
        ] {
            let found = name(source).unwrap();
            assert_eq!(found.to_string(), form);
            assert_eq!(name(form), Some(found), "{form} is one more way to write {source}");
        }
    }

    #[test]
    fn places_that_are_computed_have_no_name() {
        let sources =
            ["f()", "f().b", "a[i + 1]", "a[1:]", "a[0, :]", "a[-i]", "1 .real", "a[f()].b", "'k'[0]"];
        for source in sources {
            assert_eq!(name(source), None, "{source}");
        }
        for source in ["a[1.5]", "a[b'k']", "a[None]", "a[r'k']", "a['\\x41']", "a['x' 'y']", "a['''k''']"] {
            assert_eq!(name(source), None, "{source}");
        }
    }

    #[test]
    fn support_is_what_the_place_is_computed_from() {
        for (source, support) in
            [("a", "a"), ("a.b", "a"), ("a[0]['i']", "a"), ("a[i].c", "a i"), ("z[b.c[j], i, j]", "b i j z")]
        {
            let found = name(source).unwrap();
            let names: Vec<&str> = found.support().into_iter().map(|name| &**name).collect();
            assert_eq!(names.join(" "), support);
            assert!(names.contains(&&**found.base()), "{source}");
        }
    }

    #[test]
    fn parents_lead_to_the_variable() {
        let mut place = name("a[i].b[0]").unwrap();
        let mut seen = Vec::new();
        while let Some(parent) = place.parent() {
            assert!(place.is_composite() && parent < place);
            seen.push(parent.to_string());
            place = parent;
        }
        assert_eq!(seen, ["a[i].b", "a[i]", "a"]);
        assert_eq!(place, QualifiedName::variable(&"a".into()));
        assert!(!place.is_composite());
    }

    #[test]
    fn order_is_by_base_then_by_steps() {
        let sources = ["b", "a[i]", "a.c", "a['k']", "a", "a[2]", "a.b.c", "a[10]", "a.b", "a[i, 0]"];
        let names: BTreeSet<QualifiedName> = sources.iter().map(|source| name(source).unwrap()).collect();
        let forms: Vec<String> = names.iter().map(ToString::to_string).collect();
        let expected = ["a", "a.b", "a.b.c", "a.c", "a[2]", "a[10]", "a['k']", "a[i]", "a[i, 0]", "b"];
        assert_eq!(forms, expected);
    }
}
