//! Rules put into a program: the quoted function's names become those of the operation (paper, §3, Listing 5).

use std::collections::{BTreeMap, BTreeSet};

use ag_errors::{Diagnostic, catalogue};
use ag_syntax::Builder;
use ag_syntax::tree::{
    BinaryOp, CompareOp, ConstantKind, Context, Expr, ExprKind, Keyword, Name, Stmt, StmtKind, UnaryOp,
};
use ag_syntax::visit::VisitorMut;

use crate::callee::Rule;
use crate::each::{each_expr, each_inner};
use crate::flatten::is_literal;
use crate::naming::Naming;
use crate::normal::Outcome;
use crate::program::{Argument, Operand};
use crate::variables::dotted;

/// What a rule says of one operation.
#[derive(Default)]
pub(crate) struct Quoted {
    /// Values that it computes first: targets and values.
    pub(crate) shared: Vec<(Expr, Expr)>,
    /// What it adds to the derivatives of its parameters, by their names.
    pub(crate) contributions: Vec<(Name, Expr)>,
}

/// A rule with the names of one operation.
pub(crate) struct Quoting<'a, 'q> {
    pub(crate) b: Builder<'a>,
    pub(crate) naming: &'q mut Naming,
    pub(crate) rule: &'q Rule,
    pub(crate) operands: &'q [(Name, Argument)],
    /// What the variables of the rule stand for.
    variables: Variables,
}

type Variables = BTreeMap<Name, Expr>;

impl<'a, 'q> Quoting<'a, 'q> {
    pub(crate) fn new(
        b: Builder<'a>,
        naming: &'q mut Naming,
        rule: &'q Rule,
        result: Name,
        operands: &'q [(Name, Argument)],
    ) -> Self {
        let mut variables = BTreeMap::new();
        let params = &rule.template.params;
        for (index, param) in params.iter().enumerate() {
            let bound = operands.iter().find(|(name, _)| *name == param.name);
            let value = match bound {
                _ if index == 0 => b.name(result.clone()),
                Some((_, Argument::One(Operand::Active(name)))) => b.name(name.clone()),
                Some((_, Argument::One(Operand::Plain(value)))) => value.clone(),
                Some((_, Argument::Many(operands))) => {
                    b.tuple(operands.iter().map(|operand| crate::normal::operand_expr(b, operand)))
                }
                None => param.default.clone().unwrap_or_else(|| b.tuple([])),
            };
            variables.insert(param.name.clone(), value);
        }
        Self { b, naming, rule, operands, variables }
    }

    /// The rule's statements for this operation.
    pub(crate) fn quote(mut self) -> Outcome<Quoted> {
        let mut quoted = Quoted::default();
        let body = &self.rule.template.body;
        self.block(body, &mut quoted)?;
        self.require_statements()?;
        Ok(quoted)
    }

    /// Refuses an active operand of which the rule says nothing: its derivative would be taken for zero.
    fn require_statements(&self) -> Outcome<()> {
        // Of which the rule says something: `d[x]`.
        let mut said = Vec::new();
        each_expr(&self.rule.template.body, &mut |expr| {
            said.extend(derivative(expr).cloned());
            true
        });
        let silent =
            |name: &&Name| self.is_active(name) && !said.contains(name) && !self.rule.forms.contains(name);
        let Some(name) = self.operands.iter().map(|(name, _)| name).find(silent) else { return Ok(()) };
        let message =
            format!("`{}` has no derivative with respect to its argument `{name}`", self.rule.template.name);
        Err(Diagnostic::error(catalogue::DERIVATIVE_RULE, self.b.origin(), message).with_help(
            "give it a value without a derivative, or give the function a rule: `@tangent.adjoint(…)`",
        ))
    }

    fn is_active(&self, parameter: &Name) -> bool {
        let is_active = |operand: &Operand| matches!(operand, Operand::Active(_));
        self.operands.iter().any(|(name, argument)| {
            name == parameter
                && match argument {
                    Argument::One(operand) => is_active(operand),
                    Argument::Many(operands) => operands.iter().any(is_active),
                }
        })
    }

    fn block(&mut self, body: &[Stmt], quoted: &mut Quoted) -> Outcome<()> {
        body.iter().try_for_each(|stmt| self.stmt(stmt, quoted))
    }

    fn stmt(&mut self, stmt: &Stmt, quoted: &mut Quoted) -> Outcome<()> {
        match &stmt.kind {
            StmtKind::Assign { targets, value } if targets.len() == 1 => {
                let target = &targets[0];
                if let Some(parameter) = derivative(target) {
                    if self.is_wanted(parameter, value) {
                        let value = self.expr(value);
                        quoted.contributions.push((parameter.clone(), value));
                    }
                    return Ok(());
                }
                let value = self.expr(value);
                let mut target = self.here(target);
                self.bind(&mut target);
                quoted.shared.push((target, value));
                Ok(())
            }
            StmtKind::If { test, body, orelse } => {
                let test = self.expr(test);
                match decided(&test) {
                    Some(true) => self.block(body, quoted),
                    Some(false) => self.block(orelse, quoted),
                    None => self.undecided(&test, (body, orelse), quoted),
                }
            }
            StmtKind::Expr(Expr { kind: ExprKind::Constant { .. }, .. }) | StmtKind::Pass => Ok(()),
            // `check_rule` has refused it, in the text of the rule.
            _ => Err(self.refusal("a rule is made of assignments and `if`")),
        }
    }

    /// A test that only the call decides: `d[x] = a if test else b`.
    fn undecided(
        &mut self,
        test: &Expr,
        (body, orelse): (&[Stmt], &[Stmt]),
        quoted: &mut Quoted,
    ) -> Outcome<()> {
        let (mut then, mut otherwise) = (Quoted::default(), Quoted::default());
        let before = self.variables.clone();
        self.block(body, &mut then)?;
        let after_then = std::mem::replace(&mut self.variables, before.clone());
        self.block(orelse, &mut otherwise)?;
        let after_else = std::mem::replace(&mut self.variables, before);
        // In the other branch nobody reads it.
        for (target, value) in then.shared {
            quoted.shared.push((target, self.b.if_exp(test.clone(), value, self.b.none())));
        }
        for (target, value) in otherwise.shared {
            quoted.shared.push((target, self.b.if_exp(test.clone(), self.b.none(), value)));
        }
        self.join(test, (&after_then, &after_else), quoted);
        for (parameter, value) in then.contributions {
            let position = otherwise.contributions.iter().position(|(name, _)| *name == parameter);
            let other = position.map(|position| otherwise.contributions.remove(position).1);
            let other = other.unwrap_or_else(|| self.b.constant(ConstantKind::Float, "0.0"));
            quoted.contributions.push((parameter, self.b.if_exp(test.clone(), value, other)));
        }
        for (parameter, value) in otherwise.contributions {
            let zero = self.b.constant(ConstantKind::Float, "0.0");
            quoted.contributions.push((parameter, self.b.if_exp(test.clone(), zero, value)));
        }
        Ok(())
    }

    /// What follows the branches reads the variables of the one that was taken.
    fn join(&mut self, test: &Expr, (then, otherwise): (&Variables, &Variables), quoted: &mut Quoted) {
        for name in then.keys().chain(otherwise.keys()).cloned().collect::<BTreeSet<_>>() {
            let known = self.variables.get(&name).and_then(name_of);
            let ends = [then.get(&name), otherwise.get(&name)];
            if ends.iter().all(|end| end.and_then(name_of) == known) {
                continue;
            }
            let [one, other] = ends.map(|end| end.cloned().unwrap_or_else(|| self.b.none()));
            let fresh = self.naming.fresh(&name);
            quoted.shared.push((self.b.name(fresh.clone()), self.b.if_exp(test.clone(), one, other)));
            self.variables.insert(name, self.b.name(fresh));
        }
    }

    /// Whether a contribution is to the derivative of an active operand, or comes from one.
    fn is_wanted(&self, parameter: &Name, value: &Expr) -> bool {
        let result = self.rule.template.params.iter().next().map(|param| &param.name);
        if Some(parameter) != result {
            return self.is_active(parameter);
        }
        let read = derivatives_in(value);
        read.iter().all(|name| self.is_active(name)) && !read.is_empty()
    }

    /// Gives the variables of the rule names of the program.
    fn bind(&mut self, target: &mut Expr) {
        match &mut target.kind {
            ExprKind::Name { name, .. } => {
                let fresh = self.naming.fresh(name);
                self.variables.insert(name.clone(), self.b.name(fresh.clone()));
                *name = fresh;
            }
            ExprKind::Tuple { elements, .. } | ExprKind::List { elements, .. } => {
                elements.iter_mut().for_each(|element| self.bind(element));
            }
            _ => {}
        }
    }

    /// An expression of the rule with the place of the call: its own is in the file of the rule.
    fn here(&self, expr: &Expr) -> Expr {
        struct Place(ag_errors::Span);
        impl VisitorMut for Place {
            fn visit_expr(&mut self, expr: &mut Expr) {
                expr.span = self.0;
                ag_syntax::visit::mutable::walk_expr(self, expr);
            }
        }
        let mut expr = expr.clone();
        Place(self.b.origin()).visit_expr(&mut expr);
        expr
    }

    fn expr(&mut self, expr: &Expr) -> Expr {
        let mut expr = self.here(expr);
        let mut replace = Replace { quoting: self };
        replace.visit_expr(&mut expr);
        simplify(&mut expr);
        self.b.copy_expr(&expr)
    }

    fn refusal(&self, message: &str) -> Diagnostic {
        let name = &self.rule.template.name;
        let message = format!("the rule `{name}`: {message}");
        Diagnostic::error(catalogue::DERIVATIVE_RULE, self.b.origin(), message).with_help(
            "call it with a literal where the rule has its `if`, or give it a rule with `a if test else b`",
        )
    }
}

/// `x` of `d[x]`.
pub(crate) fn derivative(expr: &Expr) -> Option<&Name> {
    let ExprKind::Subscript { value, index, .. } = &expr.kind else { return None };
    match (&value.kind, &index.kind) {
        (ExprKind::Name { name: d, .. }, ExprKind::Name { name, .. }) if &**d == "d" => Some(name),
        _ => None,
    }
}

/// The variables whose derivatives an expression reads.
fn derivatives_in(expr: &Expr) -> Vec<Name> {
    let mut found = Vec::new();
    each_inner(expr, &mut |expr| match derivative(expr) {
        Some(name) => {
            found.push(name.clone());
            false
        }
        None => true,
    });
    found
}

struct Replace<'r, 'a, 'q> {
    quoting: &'r mut Quoting<'a, 'q>,
}

impl VisitorMut for Replace<'_, '_, '_> {
    fn visit_expr(&mut self, expr: &mut Expr) {
        if let Some(parameter) = derivative(expr) {
            let given = self.quoting.operands.iter().find(|(name, _)| name == parameter);
            if let Some((_, Argument::Many(operands))) = given {
                *expr = self.of_each(operands);
                return;
            }
            let variable = match self.quoting.variables.get(parameter).map(|value| &value.kind) {
                Some(ExprKind::Name { name, .. }) => name.clone(),
                _ => parameter.clone(),
            };
            let name = self.quoting.naming.derivative(&variable);
            *expr = self.quoting.b.name(name);
            return;
        }
        if let ExprKind::Name { name, context: Context::Load } = &expr.kind
            && let Some(value) = self.quoting.variables.get(name)
        {
            *expr = value.clone();
            return;
        }
        ag_syntax::visit::mutable::walk_expr(self, expr);
    }
}

impl Replace<'_, '_, '_> {
    /// The derivatives of `*args`; zeros for those that have none.
    fn of_each(&mut self, operands: &[Operand]) -> Expr {
        let b = self.quoting.b;
        let mut each = Vec::new();
        for operand in operands {
            each.push(match operand {
                Operand::Active(name) => b.name(self.quoting.naming.derivative(name)),
                Operand::Plain(value) => crate::adjoints::helper(b, "zeros_like", [value.clone()]),
            });
        }
        b.tuple(each)
    }
}

/// What a test of a rule is, where the call says so.
fn decided(test: &Expr) -> Option<bool> {
    match &test.kind {
        ExprKind::Constant { kind, text } => match kind {
            ConstantKind::True => Some(true),
            ConstantKind::False | ConstantKind::None => Some(false),
            ConstantKind::Int => Some(&**text != "0"),
            _ => None,
        },
        ExprKind::Unary { op: UnaryOp::Not, operand } => decided(operand).map(|holds| !holds),
        ExprKind::BoolOp { op, values } => {
            let is_or = matches!(op, ag_syntax::tree::BoolOp::Or);
            let known: Vec<Option<bool>> = values.iter().map(decided).collect();
            if known.contains(&Some(is_or)) {
                Some(is_or)
            } else {
                known.iter().all(|one| *one == Some(!is_or)).then_some(!is_or)
            }
        }
        ExprKind::Compare { left, ops, comparators }
            if ops.len() == 1 && is_literal(left) && is_literal(&comparators[0]) =>
        {
            let [left, right] = [left, &comparators[0]].map(ag_syntax::unparse_expr);
            match ops[0] {
                CompareOp::Is | CompareOp::Eq => Some(left == right),
                CompareOp::IsNot | CompareOp::NotEq => Some(left != right),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Arithmetic of literal exponents: `x ** (3 - 1)` is `x ** 2`, `x ** 1` is `x`.
fn simplify(expr: &mut Expr) {
    Simplify.visit_expr(expr);
}

struct Simplify;

impl VisitorMut for Simplify {
    fn visit_expr(&mut self, expr: &mut Expr) {
        ag_syntax::visit::mutable::walk_expr(self, expr);
        if let ExprKind::Call { func, args, keywords } = &mut expr.kind {
            let path = dotted(func).unwrap_or_default();
            if path.starts_with("np.") {
                keywords.retain(|keyword| !is_default(keyword));
            }
            while matches!(path.as_str(), "tangent.unreduce" | "tangent.count")
                && args.len() > 1
                && args.last().is_some_and(is_nothing)
            {
                args.pop();
            }
            return;
        }
        let ExprKind::Binary { left, op, right } = &mut expr.kind else { return };
        match (*op, whole(left), whole(right)) {
            (BinaryOp::Sub, Some(left), Some(right)) if left > right => {
                let text = (left - right).to_string();
                expr.kind = ExprKind::Constant { kind: ConstantKind::Int, text: text.into() };
            }
            (BinaryOp::Pow, _, Some(1)) => {
                let base = std::mem::replace(
                    &mut left.kind,
                    ExprKind::Tuple { elements: Vec::new(), context: Context::Load },
                );
                expr.kind = base;
            }
            _ => {}
        }
    }
}

/// Whether an option of NumPy's is given what it is without it.
fn is_default(keyword: &Keyword) -> bool {
    let ExprKind::Constant { kind, .. } = &keyword.value.kind else { return false };
    match keyword.name.as_deref() {
        Some("axis" | "dtype" | "out") => *kind == ConstantKind::None,
        Some("keepdims") => *kind == ConstantKind::False,
        Some("where") => *kind == ConstantKind::True,
        _ => false,
    }
}

/// `None` or `False`.
fn is_nothing(expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::Constant { kind: ConstantKind::None | ConstantKind::False, .. })
}

/// The value of a literal that is a whole number.
fn whole(expr: &Expr) -> Option<i64> {
    match &expr.kind {
        ExprKind::Constant { kind: ConstantKind::Int, text } => text.parse().ok(),
        _ => None,
    }
}

/// The name that a variable of a rule stands for; none where it stands for a value.
fn name_of(expr: &Expr) -> Option<&Name> {
    if let ExprKind::Name { name, .. } = &expr.kind { Some(name) } else { None }
}
