//! Which variables the derivative of an expression comes from.

use std::cell::RefCell;
use std::collections::BTreeSet;

use ag_syntax::tree::{BinaryOp, Comprehension, Expr, ExprKind, FStringPart, Name, Params, UnaryOp};

use crate::callee::{Callee, Resolver};
use crate::variables::{dotted, read_in, root_of};

/// Attributes of arrays that have no derivative.
pub(crate) const FACTS: [&str; 7] = ["shape", "ndim", "size", "dtype", "itemsize", "nbytes", "strides"];

/// The function that is differentiated: its variables, and what its other names stand for.
pub(crate) struct Surroundings<'r> {
    pub(crate) resolver: &'r dyn Resolver,
    /// Parameters and variables of the function, temporary ones included.
    pub(crate) locals: RefCell<BTreeSet<Name>>,
}

impl Surroundings<'_> {
    /// Whether a name is a variable of the function.
    pub(crate) fn is_local(&self, name: &Name) -> bool {
        self.locals.borrow().contains(name)
    }

    /// What a call calls.
    pub(crate) fn callee(&self, func: &Expr) -> Callee {
        match (root_of(func), dotted(func)) {
            (Some(root), Some(path)) if !self.is_local(root) => self.resolver.named(&path),
            _ => match &func.kind {
                ExprKind::Attribute { attr, .. } => self.resolver.member(attr),
                _ => Callee::Other("a function that a variable holds".to_owned()),
            },
        }
    }

    /// Whether `func` of a call is a method of a value of the function: `x.sum`.
    pub(crate) fn is_method(&self, func: &Expr) -> bool {
        let ExprKind::Attribute { value, .. } = &func.kind else { return false };
        dotted(value).is_none() || root_of(value).is_some_and(|root| self.is_local(root))
    }

    /// The variables from which the derivative of `expr` comes.
    pub(crate) fn sources(&self, expr: &Expr, found: &mut BTreeSet<Name>) {
        match &expr.kind {
            ExprKind::Name { name, .. } => {
                if self.is_local(name) {
                    found.insert(name.clone());
                }
            }
            ExprKind::Lambda { params, body } => self.closure(params, body, found),
            ExprKind::Named { value, .. }
            | ExprKind::Starred { value, .. }
            | ExprKind::Subscript { value, .. } => self.sources(value, found),
            ExprKind::Attribute { value, attr, .. } => {
                if !FACTS.contains(&&**attr) {
                    self.sources(value, found);
                }
            }
            ExprKind::Unary { op, operand } => {
                if !matches!(op, UnaryOp::Not | UnaryOp::Invert) {
                    self.sources(operand, found);
                }
            }
            ExprKind::Binary { left, op, right } => {
                if !is_integral(*op) {
                    self.sources(left, found);
                    self.sources(right, found);
                }
            }
            ExprKind::IfExp { body, orelse, .. } => {
                self.sources(body, found);
                self.sources(orelse, found);
            }
            ExprKind::BoolOp { values, .. }
            | ExprKind::List { elements: values, .. }
            | ExprKind::Tuple { elements: values, .. }
            | ExprKind::Set(values) => values.iter().for_each(|value| self.sources(value, found)),
            ExprKind::Dict(items) => items.iter().for_each(|(_, value)| self.sources(value, found)),
            ExprKind::ListComp { element, generators }
            | ExprKind::SetComp { element, generators }
            | ExprKind::Generator { element, generators } => self.comprehension(element, generators, found),
            ExprKind::DictComp { value, generators, .. } => self.comprehension(value, generators, found),
            ExprKind::Call { func, args, keywords } => {
                if matches!(self.callee(func), Callee::NonDifferentiable) {
                    return;
                }
                match &func.kind {
                    ExprKind::Attribute { value, .. } => self.sources(value, found),
                    // `f = x.sum; f()`
                    _ => self.sources(func, found),
                }
                let path = dotted(func).unwrap_or_default();
                for (position, arg) in args.iter().enumerate() {
                    // Only its shape: `tangent.unbroadcast(by, x)`.
                    if !self.resolver.reads_form_only(&path, position) {
                        self.sources(arg, found);
                    }
                }
                keywords.iter().for_each(|keyword| self.sources(&keyword.value, found));
            }
            ExprKind::Await(value) | ExprKind::YieldFrom(value) => self.sources(value, found),
            ExprKind::Yield(value) => value.iter().for_each(|value| self.sources(value, found)),
            // `float(f"{x}")`
            ExprKind::FString(text) => {
                for part in &text.parts {
                    if let FStringPart::Interpolation { value, .. } = part {
                        self.sources(value, found);
                    }
                }
            }
            ExprKind::Compare { .. } | ExprKind::Constant { .. } | ExprKind::Slice { .. } => {}
        }
    }

    /// A lambda carries the derivatives of the variables that it reads.
    fn closure(&self, params: &Params, body: &Expr, found: &mut BTreeSet<Name>) {
        let own: Vec<&Name> = params.iter().map(|param| &param.name).collect();
        let read = read_in(body).into_iter().filter(|name| self.is_local(name) && !own.contains(&name));
        found.extend(read);
    }

    fn comprehension(&self, element: &Expr, generators: &[Comprehension], found: &mut BTreeSet<Name>) {
        // The variables of the comprehension may share names with those around; that makes more active.
        self.sources(element, found);
        generators.iter().for_each(|generator| self.sources(&generator.iter, found));
    }
}

/// Operators whose result is a step function, or a whole number.
fn is_integral(op: BinaryOp) -> bool {
    use BinaryOp::{BitAnd, BitOr, BitXor, FloorDiv, LShift, RShift};
    matches!(op, FloorDiv | LShift | RShift | BitOr | BitXor | BitAnd)
}
