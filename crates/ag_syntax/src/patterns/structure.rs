//! What patterns ask of a value's structure, as one who lowers them says it.

use crate::build::Builder;
use crate::tree::{Expr, Name, Pattern, PatternKind, Stmt};

/// What becomes of patterns that ask a value for its structure.
pub trait Structure {
    /// Why a pattern cannot be lowered.
    type Refusal;

    /// A variable that the function does not have yet.
    fn variable(&mut self, wish: &str) -> Name;

    /// Whether a name is a variable that nothing but the function's own statements binds: where they do not, it
    /// may be read again.
    fn is_own(&self, name: &str) -> bool;

    /// Whether a variable is surely bound, as a parameter is, so that a read of it cannot raise.
    fn is_bound(&self, name: &str) -> bool;

    /// What runs before statements that may bind a variable, which is then read only where they have.
    fn unbind(&mut self, b: Builder<'_>, name: &Name) -> Option<Stmt>;

    /// Such a read.
    fn bound(&mut self, b: Builder<'_>, name: &Name) -> Expr;

    /// `[a, *b]`: the way to its elements.
    ///
    /// # Errors
    ///
    /// Why it cannot be lowered.
    fn sequence(
        &mut self,
        b: Builder<'_>,
        value: &Expr,
        elements: &[Pattern],
    ) -> Result<Parts, Self::Refusal>;

    /// `{key: a, **rest}`: the way to its values; the last part is what `rest` is bound to, if it is there.
    ///
    /// # Errors
    ///
    /// Why it cannot be lowered.
    fn mapping(
        &mut self,
        b: Builder<'_>,
        value: &Expr,
        items: (&[Expr], &[Pattern]),
        has_rest: bool,
    ) -> Result<Parts, Self::Refusal>;

    /// `Class(a, name=b)`: the way to its attributes, the positional ones first.
    ///
    /// # Errors
    ///
    /// Why it cannot be lowered.
    fn class(
        &mut self,
        b: Builder<'_>,
        value: &Expr,
        class: &Expr,
        attributes: (&[Pattern], &[(Name, Pattern)]),
    ) -> Result<Parts, Self::Refusal>;
}

/// The way to the parts of a value.
#[derive(Clone, Debug, Default)]
pub struct Parts {
    /// What comes before all of them.
    pub steps: Vec<Step>,
    /// The parts in the order of their patterns.
    pub parts: Vec<Part>,
}

/// A part of a value.
#[derive(Clone, Debug)]
pub struct Part {
    /// What comes before it.
    pub before: Option<Step>,
    /// The part; it is evaluated once for each pattern that looks at it, and once for each name.
    pub value: Expr,
}

/// A step on the way to a match.
#[derive(Clone, Debug)]
pub enum Step {
    /// There is no match unless this holds.
    Test(Expr),
    /// What runs if all tests before it have held.
    Run(Stmt),
}

impl Step {
    pub(super) fn into_run(self) -> Option<Stmt> {
        match self {
            Self::Test(_) => None,
            Self::Run(stmt) => Some(stmt),
        }
    }
}

/// Whether a pattern is `_` or `*_`.
#[must_use]
pub fn is_wildcard(pattern: &Pattern) -> bool {
    matches!(pattern.kind, PatternKind::As { pattern: None, name: None } | PatternKind::Star(None))
}
