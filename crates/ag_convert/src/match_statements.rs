//! `match` becomes `if` and `elif`, so that what is a test can be staged; operators look at the structure of values.
//!
//! ```python
//! match x:                        if x == 0:
//!     case 0:                         a()
//!         a()               →     elif ag__.is_instance(x, float):
//!     case float():                   b()
//!         b()
//!
//! match p:                        parts = ag__.class_parts(p, Point, 2, ())
//!     case Point(0, y):           if ag__.found(parts):
//!         a(y)              →         first, second = ag__.parts_of(parts)
//!                                     if first == 0:
//!                                         y = second
//!                                         a(y)
//! ```
//!
//! `ag_syntax::lower_match` says how. A `match` of more than twenty cases stays as it is: its branches would nest
//! too deeply (`pinning.rs`).

use std::convert::Infallible;

use ag_analysis::{Resolution, ScopeId, Scopes};
use ag_syntax::tree::{
    Context, Expr, ExprKind, MatchCase, Name, NodeId, Pattern, PatternKind, Stmt, StmtKind,
};
use ag_syntax::{Builder, Part, Parts, Step, Structure, is_wildcard, lower_match};

use crate::context::{Conversion, Names};
use crate::regions::blocks_mut;

/// The most cases that are lowered.
const MOST_CASES: usize = 20;

/// Runs the pass on one function.
pub(crate) fn lower(function: NodeId, body: &mut Vec<Stmt>, conversion: &mut Conversion) {
    let Some(scope) = conversion.scopes.of_node(function) else { return };
    for mut stmt in std::mem::take(body) {
        for block in blocks_mut(&mut stmt) {
            lower(function, block, conversion);
        }
        match &stmt.kind {
            StmtKind::Match { subject, cases } if cases.len() <= MOST_CASES => {
                body.extend(lowered(&stmt, subject, cases, scope, conversion));
            }
            _ => body.push(stmt),
        }
    }
}

fn lowered(
    stmt: &Stmt,
    subject: &Expr,
    cases: &[MatchCase],
    scope: ScopeId,
    conversion: &mut Conversion,
) -> Vec<Stmt> {
    let Conversion { ids, names, scopes, operators, .. } = conversion;
    let mut structure = Operators { names, scopes, operators, scope };
    let b = Builder::new(ids, stmt.span);
    let Ok(made) = lower_match(b, &mut structure, subject, cases);
    made
}

/// Structure, by operators.
struct Operators<'c> {
    names: &'c mut Names,
    scopes: &'c mut Scopes,
    operators: &'c Name,
    scope: ScopeId,
}

impl Operators<'_> {
    fn call(&self, b: Builder<'_>, operator: &str, args: impl IntoIterator<Item = Expr>) -> Expr {
        b.call(b.attribute(b.name(self.operators.clone()), operator), args)
    }

    /// A variable for a part, named after what it will be bound to.
    fn part(&mut self, pattern: &Pattern) -> Name {
        let wish = match &pattern.kind {
            PatternKind::As { name: Some(name), .. } | PatternKind::Star(Some(name)) => &**name,
            _ if is_wildcard(pattern) => "ignored",
            _ => "part",
        };
        self.variable(wish)
    }

    /// Variables for parts, and the assignment of a value to them.
    fn unpacked(&mut self, b: Builder<'_>, value: Expr, parts: &[&Pattern]) -> (Vec<Part>, Stmt) {
        let mut targets = Vec::new();
        let mut found = Vec::new();
        for pattern in parts {
            let b = b.at(pattern.span);
            let name = self.part(pattern);
            let target = b.name_store(name.clone());
            targets.push(match pattern.kind {
                PatternKind::Star(_) => {
                    b.expr(ExprKind::Starred { value: Box::new(target), context: Context::Store })
                }
                _ => target,
            });
            found.push(Part { before: None, value: b.name(name) });
        }
        (found, b.assign(b.tuple_in(targets, Context::Store), value))
    }

    /// `parts = ag__.class_parts(…)`, whether they are there, and the parts.
    fn found(&mut self, b: Builder<'_>, parts: Expr, patterns: &[&Pattern]) -> (Vec<Step>, Vec<Part>) {
        let name = self.variable("parts");
        let is_there = self.call(b, "found", [b.name(name.clone())]);
        let all = self.call(b, "parts_of", [b.name(name.clone())]);
        let (found, unpack) = self.unpacked(b, all, patterns);
        (vec![Step::Run(b.assign_name(name, parts)), Step::Test(is_there), Step::Run(unpack)], found)
    }
}

impl Structure for Operators<'_> {
    type Refusal = Infallible;

    fn variable(&mut self, wish: &str) -> Name {
        let name = self.names.fresh(wish);
        self.scopes.add_local(self.scope, name.clone());
        name
    }

    fn is_own(&self, name: &str) -> bool {
        self.scopes.resolve_name(self.scope, name) == Resolution::Local
    }

    fn is_bound(&self, name: &str) -> bool {
        let symbol = self.scopes.scope(self.scope).symbols.get(name);
        symbol.is_some_and(|symbol| symbol.is_parameter && !symbol.is_deleted)
    }

    /// The variable's value from the last iteration of a loop around does not matter: a loop would carry it.
    fn unbind(&mut self, b: Builder<'_>, name: &Name) -> Option<Stmt> {
        let undefined = self.call(b, "Undefined", [b.string(name)]);
        Some(b.assign_name(name.clone(), undefined))
    }

    fn bound(&mut self, b: Builder<'_>, name: &Name) -> Expr {
        self.call(b, "ld", [b.name(name.clone())])
    }

    /// CPython asks for the length of a sequence only if that decides, and takes it apart only if a part is looked at;
    /// with `*_` it reads the items that are.
    fn sequence(&mut self, b: Builder<'_>, value: &Expr, elements: &[Pattern]) -> Result<Parts, Infallible> {
        let count = |count: usize| b.int(i64::try_from(count).unwrap_or(i64::MAX));
        let star = elements.iter().position(|one| matches!(one.kind, PatternKind::Star(_)));
        let (operator, least) = match star {
            None => ("is_sequence", elements.len()),
            Some(_) => ("is_sequence_from", elements.len() - 1),
        };
        let test = self.call(b, operator, [b.copy_expr(value), count(least)]);
        let mut steps = vec![Step::Test(test)];
        let mut parts = Vec::new();
        if elements.iter().all(is_wildcard) {
            return Ok(Parts { steps, parts });
        }
        match star {
            Some(star) if is_wildcard(&elements[star]) => {
                for (index, pattern) in elements.iter().enumerate() {
                    let b = b.at(pattern.span);
                    let name = self.part(pattern);
                    let item = if index < star {
                        b.subscript(b.copy_expr(value), count(index))
                    } else {
                        self.call(b, "item_from_end", [b.copy_expr(value), count(elements.len() - index)])
                    };
                    let before = Some(Step::Run(b.assign_name(name.clone(), item)));
                    parts.push(Part { before, value: b.name(name) });
                }
            }
            _ => {
                let elements: Vec<&Pattern> = elements.iter().collect();
                let (found, unpack) = self.unpacked(b, b.copy_expr(value), &elements);
                steps.push(Step::Run(unpack));
                parts = found;
            }
        }
        Ok(Parts { steps, parts })
    }

    fn mapping(
        &mut self,
        b: Builder<'_>,
        value: &Expr,
        (keys, patterns): (&[Expr], &[Pattern]),
        has_rest: bool,
    ) -> Result<Parts, Infallible> {
        let count = b.int(i64::try_from(keys.len()).unwrap_or(i64::MAX));
        let mut steps = vec![Step::Test(self.call(b, "is_mapping", [b.copy_expr(value), count]))];
        let mut keys = b.tuple(keys.iter().cloned());
        if has_rest && !patterns.is_empty() {
            let name = self.variable("keys");
            steps.push(Step::Run(b.assign_name(name.clone(), keys)));
            keys = b.name(name);
        }
        let mut parts = Vec::new();
        if !patterns.is_empty() {
            let patterns: Vec<&Pattern> = patterns.iter().collect();
            let found = self.call(b, "mapping_parts", [b.copy_expr(value), b.copy_expr(&keys)]);
            let (found, values) = self.found(b, found, &patterns);
            steps.extend(found);
            parts = values;
        }
        if has_rest {
            let name = self.variable("rest");
            let rest = self.call(b, "mapping_rest", [b.copy_expr(value), keys]);
            let before = Some(Step::Run(b.assign_name(name.clone(), rest)));
            parts.push(Part { before, value: b.name(name) });
        }
        Ok(Parts { steps, parts })
    }

    fn class(
        &mut self,
        b: Builder<'_>,
        value: &Expr,
        class: &Expr,
        (positional, keywords): (&[Pattern], &[(Name, Pattern)]),
    ) -> Result<Parts, Infallible> {
        let args = [b.copy_expr(value), class.clone()];
        let patterns: Vec<&Pattern> = positional.iter().chain(keywords.iter().map(|(_, one)| one)).collect();
        if patterns.is_empty() {
            let steps = vec![Step::Test(self.call(b, "is_instance", args))];
            return Ok(Parts { steps, parts: Vec::new() });
        }
        let count = b.int(i64::try_from(positional.len()).unwrap_or(i64::MAX));
        let names = b.tuple(keywords.iter().map(|(name, _)| b.string(name)).collect::<Vec<_>>());
        let found = self.call(b, "class_parts", args.into_iter().chain([count, names]));
        let (steps, parts) = self.found(b, found, &patterns);
        Ok(Parts { steps, parts })
    }
}
