//! Variables that are numbers, and never arrays: counters, sizes, indices.

use std::collections::{BTreeMap, BTreeSet};

use ag_syntax::tree::{BinaryOp, ConstantKind, Expr, ExprKind, Name, Stmt, StmtKind, UnaryOp};
use ag_syntax::visit::{Visitor, walk_stmt};

use crate::name_sets::IntoSet;
use crate::sources::Surroundings;
use crate::variables::{bound_by, bound_in};

/// The variables that are numbers on every path.
pub(crate) struct Numbers {
    numbers: BTreeSet<Name>,
    arrays: BTreeSet<Name>,
    floats: BTreeSet<Name>,
    lists: BTreeSet<Name>,
    sequences: BTreeSet<Name>,
    dicts: BTreeSet<Name>,
    variables: BTreeSet<Name>,
}

impl Numbers {
    /// Finds them: what is assigned from literals, ranges, sizes and other numbers only.
    pub(crate) fn of(body: &[Stmt], parameters: &[Name], around: &Surroundings<'_>) -> Self {
        let mut bindings =
            Bindings { around, values: BTreeMap::new(), others: parameters.iter().cloned().into_set() };
        bindings.visit_body(body);
        let mut numbers: BTreeSet<Name> = bindings.values.keys().cloned().into_set();
        numbers.retain(|name| !bindings.others.contains(name));
        let is_made = |name: &&Name| {
            let values = &bindings.values[*name];
            !values.is_empty() && values.iter().all(|value| is_new_array(value, around))
        };
        let arrays = numbers.iter().filter(is_made).cloned().into_set();
        let is_float = |name: &&Name| {
            let values = &bindings.values[*name];
            !values.is_empty()
                && values.iter().all(|value| is_new_array(value, around) && is_of_floats(value))
        };
        let floats = numbers.iter().filter(is_float).cloned().into_set();
        let all = |test: &dyn Fn(&Expr) -> bool| -> BTreeSet<Name> {
            let is_all = |name: &&Name| {
                let values = &bindings.values[*name];
                !values.is_empty() && values.iter().all(|value| test(value))
            };
            numbers.iter().filter(is_all).cloned().into_set()
        };
        let sequences = all(&|value| is_sequence_text(value, around));
        let dicts = all(&is_dict_text);
        let lists = numbers
            .iter()
            .filter(|name| {
                let values = &bindings.values[*name];
                // After `ys = np.array(ys)` it is one no more, and `ys * 2` is what it is of an array.
                let is_array = |value: &&Expr| gives_array(value, around);
                let is_another = |value: &&Expr| {
                    let ExprKind::Name { name, .. } = &value.kind else { return false };
                    let found = bindings.values.get(name);
                    found.is_some_and(|found| !found.is_empty() && found.iter().all(is_array))
                };
                values.iter().any(|value| is_list_text(value))
                    && !values.iter().any(|value| is_array(value) || is_another(value))
            })
            .cloned()
            .into_set();
        loop {
            let kept: BTreeSet<Name> = numbers
                .iter()
                .filter(|name| {
                    bindings.values[*name].iter().all(|value| is_number(value, &numbers, Some(around)))
                })
                .cloned()
                .into_set();
            if kept == numbers {
                break;
            }
            numbers = kept;
        }
        let variables = bound_in(body).into_iter().chain(parameters.iter().cloned()).into_set();
        Self { numbers, arrays, floats, lists, sequences, dicts, variables }
    }

    /// With parameters that are arrays, of which the function makes copies where it begins.
    pub(crate) fn with_arrays(mut self, more: impl IntoIterator<Item = Name>) -> Self {
        self.arrays.extend(more);
        self
    }

    /// With variables that the normal form has made.
    pub(crate) fn with(mut self, more: Vec<Name>) -> Self {
        self.numbers.extend(more);
        self
    }

    /// Whether a variable is a number.
    pub(crate) fn contains(&self, name: &Name) -> bool {
        self.numbers.contains(name)
    }

    /// Whether a variable is an array, and never a list or a dict.
    pub(crate) fn is_array(&self, name: &Name) -> bool {
        self.arrays.contains(name)
    }

    /// Whether a variable is an array of floats.
    pub(crate) fn is_float_array(&self, name: &Name) -> bool {
        self.floats.contains(name)
    }

    /// Whether an expression is visibly a list.
    pub(crate) fn is_list(&self, value: &Expr) -> bool {
        is_list_text(value) || matches!(&value.kind, ExprKind::Name { name, .. } if self.lists.contains(name))
    }

    /// Whether what an expression gives is a list, a tuple or an array, and no dict.
    pub(crate) fn is_sequence(&self, value: &Expr, around: &Surroundings<'_>) -> bool {
        is_sequence_text(value, around)
            || matches!(&value.kind, ExprKind::Name { name, .. } if self.sequences.contains(name))
    }

    /// Whether it is visibly a dict.
    pub(crate) fn is_dict(&self, value: &Expr) -> bool {
        is_dict_text(value) || matches!(&value.kind, ExprKind::Name { name, .. } if self.dicts.contains(name))
    }

    /// Whether the function has a variable of this name.
    pub(crate) fn is_variable(&self, name: &Name) -> bool {
        self.variables.contains(name)
    }

    /// Whether an index is made of numbers, slices and literals: each element is there once.
    pub(crate) fn is_basic(&self, index: &Expr) -> bool {
        match &index.kind {
            ExprKind::Tuple { elements, .. } => elements.iter().all(|element| self.is_basic(element)),
            ExprKind::Slice { .. } => true,
            ExprKind::Constant { .. } => true,
            _ => is_number(index, &self.numbers, None),
        }
    }
}

/// `[a, b]`, `[0.0] * n`, `[f(a) for a in xs]`.
fn is_list_text(value: &Expr) -> bool {
    match &value.kind {
        ExprKind::List { .. } | ExprKind::ListComp { .. } => true,
        ExprKind::Binary { left, right, .. } => is_list_text(left) || is_list_text(right),
        _ => false,
    }
}

/// `{"a": x}`, `{k: f(k) for k in ks}`, `dict(p)`.
fn is_dict_text(value: &Expr) -> bool {
    match &value.kind {
        ExprKind::Dict(_) | ExprKind::DictComp { .. } => true,
        ExprKind::Call { func, .. } => matches!(&func.kind, ExprKind::Name { name, .. } if &**name == "dict"),
        _ => false,
    }
}

/// Lists, tuples, what operators give, and functions of NumPy.
fn is_sequence_text(value: &Expr, around: &Surroundings<'_>) -> bool {
    match &value.kind {
        ExprKind::List { .. }
        | ExprKind::ListComp { .. }
        | ExprKind::Tuple { .. }
        | ExprKind::Unary { .. } => true,
        ExprKind::Binary { op, .. } => !matches!(op, BinaryOp::BitOr),
        ExprKind::Call { func, .. } => {
            let is_outside = crate::variables::root_of(func).is_some_and(|root| !around.is_local(root));
            crate::variables::dotted(func).is_some_and(|path| {
                let first = path.split('.').next().unwrap_or_default();
                is_outside
                    && (matches!(first, "np" | "numpy") && !path.ends_with("copy")
                        || matches!(&*path, "list" | "tuple" | "sorted" | "range" | "tangent.keys"))
            })
        }
        _ => false,
    }
}

/// Whether an expression makes an array: `np.zeros(n)`.
pub(crate) fn is_new_array(value: &Expr, around: &Surroundings<'_>) -> bool {
    let ExprKind::Call { func, .. } = &value.kind else { return false };
    let (Some(path), Some(root)) = (crate::variables::dotted(func), crate::variables::root_of(func)) else {
        return false;
    };
    let name = path.split('.').next_back().unwrap_or_default();
    let is_numpy = matches!(path.split('.').next(), Some("np" | "numpy")) && !around.is_local(root);
    is_numpy
        && matches!(
            name,
            "zeros"
                | "ones"
                | "empty"
                | "full"
                | "zeros_like"
                | "ones_like"
                | "empty_like"
                | "full_like"
                | "arange"
                | "array"
                | "linspace"
                | "eye"
                | "identity"
        )
}

/// Whether an expression is a call of NumPy that gives an array or a number, and no list.
fn gives_array(value: &Expr, around: &Surroundings<'_>) -> bool {
    let ExprKind::Call { func, args, .. } = &value.kind else { return false };
    let Some(path) = crate::variables::dotted(func) else { return false };
    // The tangent of one, in a derivative that is differentiated again.
    if let ("tangent.copy_containers" | "tangent.copy" | "tangent.cast", Some(first)) = (&*path, args.first())
    {
        return gives_array(first, around);
    }
    let is_outside = crate::variables::root_of(func).is_some_and(|root| !around.is_local(root));
    let name = path.rsplit('.').next().unwrap_or_default();
    is_outside
        && matches!(path.split('.').next(), Some("np" | "numpy"))
        && !(name.ends_with("split") || matches!(name, "meshgrid" | "broadcast_arrays"))
}

/// Whether it is one of floats: `np.zeros(n)` without a dtype.
fn is_of_floats(value: &Expr) -> bool {
    let ExprKind::Call { func, args, keywords } = &value.kind else { return false };
    let path = crate::variables::dotted(func).unwrap_or_default();
    let name = path.split('.').next_back().unwrap_or_default();
    keywords.is_empty() && args.len() == 1 && matches!(name, "zeros" | "ones" | "empty" | "eye" | "identity")
}

fn is_number(value: &Expr, numbers: &BTreeSet<Name>, around: Option<&Surroundings<'_>>) -> bool {
    match &value.kind {
        ExprKind::Constant { kind, .. } => matches!(kind, ConstantKind::Int | ConstantKind::Float),
        ExprKind::Name { name, .. } => numbers.contains(name),
        ExprKind::Unary { op: UnaryOp::USub | UnaryOp::UAdd, operand } => is_number(operand, numbers, around),
        ExprKind::Binary { left, right, .. } => {
            is_number(left, numbers, around) && is_number(right, numbers, around)
        }
        ExprKind::Call { func, args, .. } => match &func.kind {
            ExprKind::Name { name, .. } if &**name == "len" => true,
            ExprKind::Name { name, .. } if matches!(&**name, "min" | "max") => {
                args.iter().all(|arg| is_number(arg, numbers, around))
            }
            _ => false,
        },
        ExprKind::Subscript { value, .. } => {
            matches!(&value.kind, ExprKind::Attribute { attr, .. } if &**attr == "shape")
        }
        ExprKind::Attribute { value, attr, .. } => {
            let is_own = around.is_some_and(|around| around.field(value, attr).is_some());
            matches!(&**attr, "ndim" | "size") && !is_own
        }
        _ => false,
    }
}

/// What each variable is assigned from.
struct Bindings<'v, 'r> {
    around: &'v Surroundings<'r>,
    values: BTreeMap<Name, Vec<&'v Expr>>,
    others: BTreeSet<Name>,
}

impl<'v> Visitor<'v> for Bindings<'v, '_> {
    fn visit_stmt(&mut self, stmt: &'v Stmt) {
        match &stmt.kind {
            StmtKind::Assign { targets, value } => {
                for target in targets {
                    match (&target.kind, &value.kind) {
                        (ExprKind::Name { name, .. }, _) => {
                            self.values.entry(name.clone()).or_default().push(value)
                        }
                        (ExprKind::Tuple { elements, .. }, ExprKind::Attribute { attr, .. })
                            if &**attr == "shape" =>
                        {
                            for element in elements {
                                if let ExprKind::Name { name, .. } = &element.kind {
                                    self.values.entry(name.clone()).or_default();
                                }
                            }
                        }
                        _ => self.others.extend(bound_in(std::slice::from_ref(stmt))),
                    }
                }
            }
            StmtKind::AugAssign { target, value, .. } => {
                if let ExprKind::Name { name, .. } = &target.kind {
                    self.values.entry(name.clone()).or_default().push(value);
                }
            }
            StmtKind::For { target, iter, .. } => {
                let is_range = matches!(&iter.kind, ExprKind::Call { func, .. }
                    if matches!(&func.kind, ExprKind::Name { name, .. } if &**name == "range" && !self.around.is_local(name)));
                match &target.kind {
                    ExprKind::Name { name, .. } if is_range => {
                        self.values.entry(name.clone()).or_default();
                    }
                    _ => {
                        let mut inner = Vec::new();
                        names_of(target, &mut inner);
                        self.others.extend(inner);
                    }
                }
            }
            StmtKind::If { .. } | StmtKind::While { .. } | StmtKind::Try { .. } => {}
            _ => self.others.extend(bound_by(stmt)),
        }
        walk_stmt(self, stmt);
    }

    fn visit_expr(&mut self, expr: &'v Expr) {
        if let ExprKind::Named { target, value } = &expr.kind
            && let ExprKind::Name { name, .. } = &target.kind
        {
            self.values.entry(name.clone()).or_default().push(value);
        }
        ag_syntax::visit::walk_expr(self, expr);
    }
}

fn names_of(target: &Expr, names: &mut Vec<Name>) {
    match &target.kind {
        ExprKind::Name { name, .. } => names.push(name.clone()),
        ExprKind::Tuple { elements, .. } | ExprKind::List { elements, .. } => {
            elements.iter().for_each(|element| names_of(element, names));
        }
        ExprKind::Starred { value, .. } => names_of(value, names),
        _ => {}
    }
}
