//! What the text of a rule may be: it is quoted, and what it would mean otherwise is looked for before it is.

use ag_errors::{Diagnostic, Span, catalogue};
use ag_syntax::tree::{Expr, ExprKind, FunctionDef, Name, Stmt, StmtKind};
use ag_syntax::visit::{Visitor, walk_expr};

use crate::normal::Outcome;
use crate::quoted::derivative;
use crate::variables::bound_in;

/// Refuses a rule whose text has another meaning than its assignments to `d[x]` and to variables.
///
/// ```text
/// d[x], d[y] = d[z], d[z]     # `d` is no object: each derivative has a statement of its own
/// d[x] = d[w]                 # `w` is no parameter: in the program that it is put into, it is something else
/// *rest, y = x                # binds a variable of that program
/// ```
///
/// # Errors
///
/// The place in the rule, and what to write there: `derivative-rule`.
pub fn check_rule(rule: &FunctionDef) -> Outcome<()> {
    let own: Vec<Name> =
        rule.params.iter().map(|param| param.name.clone()).chain(bound_in(&rule.body)).collect();
    let mut check = Check { rule, own, found: None };
    check.block(&rule.body);
    check.found.map_or(Ok(()), Err)
}

struct Check<'r> {
    rule: &'r FunctionDef,
    /// Its parameters and variables.
    own: Vec<Name>,
    /// What is refused first.
    found: Option<Diagnostic>,
}

impl Check<'_> {
    fn block(&mut self, body: &[Stmt]) {
        for stmt in body {
            match &stmt.kind {
                StmtKind::Assign { targets, value } => {
                    match targets.as_slice() {
                        [target] => self.target(target),
                        _ => self.refuse(stmt.span, "assigns to several targets"),
                    }
                    self.visit_expr(value);
                }
                StmtKind::If { test, body, orelse } => {
                    self.visit_expr(test);
                    self.block(body);
                    self.block(orelse);
                }
                StmtKind::Expr(Expr { kind: ExprKind::Constant { .. }, .. }) | StmtKind::Pass => {}
                _ => self.refuse(stmt.span, "has a statement that is no assignment and no `if`"),
            }
        }
    }

    fn target(&mut self, target: &Expr) {
        match &target.kind {
            _ if derivative(target).is_some() => self.visit_expr(target),
            ExprKind::Name { name, .. } if &**name != "d" => {}
            ExprKind::Tuple { elements, .. } | ExprKind::List { elements, .. }
                if elements.iter().all(|one| derivative(one).is_none()) =>
            {
                elements.iter().for_each(|one| self.target(one));
            }
            _ => self.refuse(target.span, "assigns to this"),
        }
    }

    fn refuse(&mut self, span: Span, what: &str) {
        let message = format!("the rule `{}` {what}", self.rule.name);
        let help = "a rule is made of assignments to `d[x]`, where `x` is one of its parameters, to variables and \
                    to tuples of these, each with one target, and of `if`; what else it needs, write as an expression";
        let refusal = || Diagnostic::error(catalogue::DERIVATIVE_RULE, span, message).with_help(help);
        self.found.get_or_insert_with(refusal);
    }
}

impl<'a> Visitor<'a> for Check<'_> {
    fn visit_expr(&mut self, expr: &'a Expr) {
        if let Some(name) = derivative(expr) {
            if !self.own.contains(name) {
                self.refuse(expr.span, &format!("has `d[{name}]`, and no parameter `{name}`"));
            }
            return;
        }
        match &expr.kind {
            ExprKind::Name { name, .. } if &**name == "d" && !self.own.contains(name) => {
                self.refuse(expr.span, "reads `d` otherwise than as `d[x]` of a parameter");
            }
            _ => walk_expr(self, expr),
        }
    }
}
