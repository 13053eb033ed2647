//! Variables that are arrays or numbers wherever they are bound, and never lists, dicts or objects.
//!
//! ```text
//! grid = np.zeros(n) + b
//! new = grid.copy()
//! new[0] = b              # copies: what is written into `b` later is nothing to `new`
//! grid, new = new, grid
//! ```

use std::collections::BTreeSet;

use ag_syntax::tree::{BinaryOp, Expr, ExprKind, Name, StmtKind};

use crate::numbers::is_new_array;
use crate::program::{Argument, Block, Node, Op, OpKind, Operand, each_node};
use crate::sources::Surroundings;
use crate::variables::{dotted, read_in, root_of};

/// Finds them: all bindings of each make an array, if those of the others do.
pub(crate) fn surely_arrays(block: &Block, parameters: &[Name], around: &Surroundings<'_>) -> BTreeSet<Name> {
    let mut bindings: Vec<(&Node, Vec<Name>)> = Vec::new();
    each_node(block, &mut |node| bindings.push((node, node.binds())));
    let mut found: BTreeSet<Name> = bindings.iter().flat_map(|(_, names)| names).cloned().collect();
    found.retain(|name| !parameters.contains(name));
    loop {
        let others: BTreeSet<Name> = bindings
            .iter()
            .filter(|(node, _)| !makes_array(node, &found, around))
            .flat_map(|(_, names)| names)
            .cloned()
            .collect();
        let before = found.len();
        found.retain(|name| !others.contains(name));
        if found.len() == before {
            return found;
        }
    }
}

/// Whether what a statement binds is an array or a number, if the variables in `arrays` are.
fn makes_array(node: &Node, arrays: &BTreeSet<Name>, around: &Surroundings<'_>) -> bool {
    match node {
        Node::Plain { stmt, .. } => {
            matches!(&stmt.kind, StmtKind::Assign { value, .. } if is_array_text(value, around))
        }
        Node::Op(op) => match &op.kind {
            OpKind::Copy { source, .. } | OpKind::Index { base: source, .. } => arrays.contains(source),
            // `x += v` leaves an array an array.
            OpKind::Augment { .. } => true,
            OpKind::Constant { .. } => assigned(op).is_some_and(|value| is_array_text(value, around)),
            OpKind::Rule { rule, operands, .. } => {
                let has_array = operands.iter().any(|(_, argument)| match argument {
                    Argument::One(Operand::Active(name)) => arrays.contains(name),
                    _ => false,
                });
                assigned(op).is_some_and(|value| gives_array(value, rule.is_elementwise, has_array, around))
            }
            _ => false,
        },
        _ => node.binds().is_empty(),
    }
}

/// What an operation assigns.
fn assigned(op: &Op) -> Option<&Expr> {
    match &op.forward.kind {
        StmtKind::Assign { value, .. } => Some(value),
        _ => None,
    }
}

/// Whether the result of an operation is an array or a number: of an operand that is one if `has_array`.
fn gives_array(value: &Expr, is_elementwise: bool, has_array: bool, around: &Surroundings<'_>) -> bool {
    match &value.kind {
        // `[a] + [b]` and `[a] * 2` are lists.
        ExprKind::Binary { op: BinaryOp::Add | BinaryOp::Mult, .. } => has_array,
        ExprKind::Binary { .. } | ExprKind::Unary { .. } => is_elementwise || has_array,
        ExprKind::Attribute { .. } => has_array,
        ExprKind::Call { func, .. } => {
            has_array && is_method(func) || is_array_text(value, around) || {
                let path = dotted(func).unwrap_or_default();
                let is_numpy = root_of(func).is_some_and(|root| !around.is_local(root))
                    && matches!(path.split('.').next(), Some("np" | "numpy"));
                is_numpy && !LISTS.iter().any(|name| path.ends_with(name))
            }
        }
        _ => false,
    }
}

/// The functions of NumPy that give lists, in some version of it.
const LISTS: [&str; 8] = [
    "split",
    "meshgrid",
    "broadcast_arrays",
    "gradient",
    "atleast_1d",
    "atleast_2d",
    "atleast_3d",
    "unstack",
];

/// `x.copy()`, and no `x.tolist()`.
fn is_method(func: &Expr) -> bool {
    matches!(&func.kind, ExprKind::Attribute { attr, .. } if &**attr != "tolist")
}

/// `np.zeros(n)`, `0.0`. An array of objects holds what is stored in it.
fn is_array_text(value: &Expr, around: &Surroundings<'_>) -> bool {
    let is_made = is_new_array(value, around) && !read_in(value).iter().any(|name| &**name == "object");
    is_made || matches!(&value.kind, ExprKind::Constant { .. })
}
