//! Readable names: of the adjoint of `x`, `bx`; of its tangent, `dx`; of what an expression gives, `sin_x`.

use std::collections::BTreeMap;

use ag_syntax::FreshNames;
use ag_syntax::tree::{BinaryOp, Expr, ExprKind, FunctionDef, Name, UnaryOp};

use crate::variables::dotted;

/// The longest name that is made of the names in an expression.
const LONGEST: usize = 15;

/// Names that generated code must not hide.
const RESERVED: [&str; 25] = [
    "np",
    "math",
    "tangent",
    "d",
    "abs",
    "sum",
    "max",
    "min",
    "len",
    "range",
    "reversed",
    "list",
    "tuple",
    "dict",
    "float",
    "int",
    "print",
    "zip",
    "enumerate",
    "pow",
    "round",
    "True",
    "False",
    "None",
    "slice",
];

/// Makes names that nothing else in a function has.
#[derive(Clone, Default)]
pub(crate) struct Naming {
    fresh: FreshNames,
    /// `b` for adjoints, `d` for tangents.
    prefix: char,
    derivatives: BTreeMap<Name, Name>,
}

impl Naming {
    /// Names that differ from those in a function and from `outside`.
    pub(crate) fn new(function: &FunctionDef, prefix: char) -> Self {
        let mut fresh = FreshNames::of_function(function);
        RESERVED.iter().for_each(|name| fresh.reserve(*name));
        Self { fresh, prefix, derivatives: BTreeMap::new() }
    }

    /// A name like `wish`.
    pub(crate) fn fresh(&mut self, wish: &str) -> Name {
        self.fresh.fresh(wish)
    }

    /// Takes this very name; whether nothing else had it.
    pub(crate) fn take(&mut self, name: &Name) -> bool {
        let is_free = !self.fresh.is_used(name);
        self.fresh.reserve(name.clone());
        is_free
    }

    /// The adjoint or tangent of a variable.
    pub(crate) fn derivative(&mut self, variable: &Name) -> Name {
        if let Some(known) = self.derivatives.get(variable) {
            return known.clone();
        }
        let name = self.fresh.fresh(&format!("{}{variable}", self.prefix));
        self.derivatives.insert(variable.clone(), name.clone());
        name
    }

    /// The adjoint or tangent of a variable that has got one.
    pub(crate) fn known_derivative(&self, variable: &Name) -> Option<Name> {
        self.derivatives.get(variable).cloned()
    }

    /// Says what the derivative of a variable is called.
    pub(crate) fn call_derivative(&mut self, variable: &Name, name: Name) {
        self.derivatives.insert(variable.clone(), name);
    }

    /// A name for the value of an expression.
    pub(crate) fn of_expr(&mut self, expr: &Expr) -> Name {
        let (word, operands) = words(expr);
        let mut wish = word.to_owned();
        for operand in operands {
            let longer = match dotted(operand) {
                Some(name) if !name.contains('.') => format!("{wish}_{name}"),
                _ => break,
            };
            // These ends are those of the halves of callees.
            let is_half = ["forward", "backward", "tangent"].iter().any(|end| longer.ends_with(end));
            if longer.len() > LONGEST || is_half {
                break;
            }
            wish = longer;
        }
        self.fresh.fresh(&wish)
    }
}

/// A word for an operation, and the operands that may stand in a name.
fn words(expr: &Expr) -> (&str, Vec<&Expr>) {
    match &expr.kind {
        ExprKind::Call { func, args, .. } => match &func.kind {
            ExprKind::Attribute { attr, value, .. } => {
                let is_method = dotted(value).is_some_and(|name| args.is_empty() && !name.contains('.'));
                (attr, if is_method { vec![&**value] } else { args.iter().collect() })
            }
            ExprKind::Name { name, .. } => (name, args.iter().collect()),
            _ => ("value", Vec::new()),
        },
        ExprKind::Binary { op, .. } => (binary_word(*op), Vec::new()),
        ExprKind::Unary { op: UnaryOp::USub, operand } => ("minus", vec![&**operand]),
        ExprKind::Attribute { attr, value, .. } => (attr, vec![&**value]),
        ExprKind::Subscript { value, index, .. } => match &value.kind {
            ExprKind::Name { name, .. } => (name, vec![&**index]),
            _ => ("item", Vec::new()),
        },
        ExprKind::List { .. } | ExprKind::ListComp { .. } | ExprKind::Generator { .. } => {
            ("items", Vec::new())
        }
        ExprKind::Tuple { .. } => ("parts", Vec::new()),
        _ => ("value", Vec::new()),
    }
}

fn binary_word(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "total",
        BinaryOp::Sub => "difference",
        BinaryOp::Mult | BinaryOp::MatMult => "product",
        BinaryOp::Div => "ratio",
        BinaryOp::Pow => "power",
        _ => "value",
    }
}
