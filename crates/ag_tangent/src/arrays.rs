//! Variables that are arrays or numbers wherever they are bound, and never lists, dicts or objects.
//!
//! ```text
//! grid = np.zeros(n) + b
//! new = grid.copy()
//! new[0] = b              # copies: what is written into `b` later is nothing to `new`
//! grid, new = new, grid
//! ```

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use ag_syntax::tree::{BinaryOp, Expr, ExprKind, Name, StmtKind};

use crate::numbers::is_new_array;
use crate::program::{Argument, Block, Node, Op, OpKind, Operand, each_node};
use crate::sources::Surroundings;
use crate::variables::{dotted, has_slice, read_in, root_of};

/// Finds them.
///
/// # Arguments
///
/// * `own`: parameters that are arrays or numbers.
pub(crate) fn surely_arrays(
    block: &Block,
    parameters: &[Name],
    own: &[Name],
    around: &Surroundings<'_>,
) -> BTreeSet<Name> {
    let (mut bindings, mut all): (Vec<&Node>, BTreeSet<Name>) = (Vec::new(), BTreeSet::new());
    // The bindings that read a variable are looked at again when it turns out to be none.
    let mut readers: BTreeMap<Name, Vec<usize>> = BTreeMap::new();
    each_node(block, &mut |node| {
        for name in operands_of(node) {
            readers.entry(name.clone()).or_default().push(bindings.len());
        }
        bindings.push(node);
        node.each_bound(&mut |name| {
            all.insert(name.clone());
        });
    });
    parameters.iter().for_each(|name| {
        all.remove(name);
    });
    // First arrays alone: `[a] * 2` is a list.
    let search = Search { bindings: &bindings, readers: &readers, around, proper: None };
    let proper = search.found(all.clone());
    all.extend(own.iter().cloned());
    Search { proper: Some(&proper), ..search }.found(all)
}

/// What is looked for: arrays, or, where these are known, arrays and numbers.
struct Search<'b, 'r> {
    bindings: &'b [&'b Node],
    readers: &'b BTreeMap<Name, Vec<usize>>,
    around: &'b Surroundings<'r>,
    proper: Option<&'b BTreeSet<Name>>,
}

impl Search<'_, '_> {
    /// Of variables those of which all bindings make one, if those of the others do.
    fn found(&self, mut found: BTreeSet<Name>) -> BTreeSet<Name> {
        let mut open: VecDeque<usize> = (0..self.bindings.len()).collect();
        while let Some(number) = open.pop_front() {
            let node = self.bindings[number];
            if self.is_made(node, &found) {
                continue;
            }
            node.each_bound(&mut |name| {
                if found.remove(name) {
                    open.extend(self.readers.get(name).into_iter().flatten());
                }
            });
        }
        found
    }

    /// Whether what a statement binds is one, if the variables in `found` are.
    fn is_made(&self, node: &Node, found: &BTreeSet<Name>) -> bool {
        let op = match node {
            Node::Plain { stmt, .. } => {
                return matches!(&stmt.kind, StmtKind::Assign { value, .. } if self.is_text(value));
            }
            Node::Op(op) => op,
            node => {
                let mut is_empty = true;
                node.each_bound(&mut |_| is_empty = false);
                return is_empty;
            }
        };
        match &op.kind {
            OpKind::Copy { source, .. } => found.contains(source),
            OpKind::Index { base, index, .. } => {
                found.contains(base) && (self.proper.is_some() || has_slice(index))
            }
            // `x += v` leaves an array an array.
            OpKind::Augment { .. } => true,
            OpKind::Constant { .. } => assigned(op).is_some_and(|value| self.is_text(value)),
            OpKind::Rule { rule, operands, .. } => {
                let arrays = self.proper.unwrap_or(found);
                let has_array =
                    operands.iter().any(|(_, argument)| match (variable_of(argument), argument) {
                        (Some(name), _) => arrays.contains(name),
                        (None, Argument::One(Operand::Plain(value))) => self.is_new(value),
                        (None, _) => false,
                    });
                assigned(op).is_some_and(|value| self.is_result(value, rule.is_elementwise, has_array))
            }
            _ => false,
        }
    }

    /// Whether the result of an operation is one; `has_array` says that an operand is an array.
    fn is_result(&self, value: &Expr, is_elementwise: bool, has_array: bool) -> bool {
        match &value.kind {
            ExprKind::Binary { op, .. } => {
                has_array
                    || self.proper.is_some()
                        && is_elementwise
                        && !matches!(op, BinaryOp::Add | BinaryOp::Mult)
            }
            ExprKind::Unary { .. } => has_array || self.proper.is_some(),
            ExprKind::Attribute { attr, .. } => has_array && &**attr == "T",
            ExprKind::Call { func, .. } if self.is_numpy(func) => {
                self.is_new(value)
                    || has_array && is_elementwise
                    || self.proper.is_some() && !ends_with(func, &LISTS)
            }
            ExprKind::Call { func, .. } if self.around.is_method(func) => {
                has_array && (ends_with(func, &METHODS) || self.proper.is_some() && !ends_with(func, &LISTS))
            }
            _ => false,
        }
    }

    fn is_numpy(&self, func: &Expr) -> bool {
        let is_outside = root_of(func).is_some_and(|root| !self.around.is_local(root));
        let path = dotted(func).unwrap_or_default();
        is_outside && matches!(path.split('.').next(), Some("np" | "numpy"))
    }

    /// `np.zeros(n)`; `0.0`, where numbers are looked for too.
    fn is_text(&self, value: &Expr) -> bool {
        self.is_new(value) || self.proper.is_some() && matches!(&value.kind, ExprKind::Constant { .. })
    }

    /// `np.zeros(n)`. An array of objects holds what is stored in it.
    fn is_new(&self, value: &Expr) -> bool {
        is_new_array(value, self.around) && !read_in(value).iter().any(|name| &**name == "object")
    }
}

/// What gives a list, of NumPy in some version of it, or of the methods of an array.
const LISTS: [&str; 9] = [
    "split",
    "meshgrid",
    "broadcast_arrays",
    "gradient",
    "atleast_1d",
    "atleast_2d",
    "atleast_3d",
    "unstack",
    "tolist",
];

/// Methods that give an array of an array.
const METHODS: [&str; 5] = ["copy", "reshape", "ravel", "flatten", "astype"];

/// Whether what is called is one of these: `np.split`, `xs.copy`.
fn ends_with(func: &Expr, names: &[&str]) -> bool {
    matches!(&func.kind, ExprKind::Attribute { attr, .. } if names.iter().any(|name| attr.ends_with(name)))
}

/// The variables that decide whether a binding makes an array.
fn operands_of(node: &Node) -> Vec<&Name> {
    let Node::Op(op) = node else { return Vec::new() };
    match &op.kind {
        OpKind::Copy { source, .. } => vec![source],
        OpKind::Index { base, .. } => vec![base],
        OpKind::Rule { operands, .. } => {
            operands.iter().filter_map(|(_, argument)| variable_of(argument)).collect()
        }
        _ => Vec::new(),
    }
}

/// The variable that an argument is.
fn variable_of(argument: &Argument) -> Option<&Name> {
    match argument {
        Argument::One(Operand::Active(name)) => Some(name),
        Argument::One(Operand::Plain(value)) => match &value.kind {
            ExprKind::Name { name, .. } => Some(name),
            _ => None,
        },
        Argument::Many(_) => None,
    }
}

/// What an operation assigns.
fn assigned(op: &Op) -> Option<&Expr> {
    match &op.forward.kind {
        StmtKind::Assign { value, .. } => Some(value),
        _ => None,
    }
}
