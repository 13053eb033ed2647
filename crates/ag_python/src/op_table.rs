//! The table of the regular ops for Python: for tests against NumPy, and for the list of ufuncs.

use ag_ir::{BinaryOp, CompareOp, DType, DTypeRule, ReduceOp, Rounding, Takes, UnaryOp};
use pyo3::prelude::*;

use crate::graph_types::numpy_name;

/// An op: its family, its name for the builder, the Python function that it implements, the dtypes that it
/// takes, the dtype of its result if that differs, and by how many units in the last place floats may differ
/// from that function.
type Row = (&'static str, &'static str, &'static str, Vec<&'static str>, Option<&'static str>, u32);

fn taken(takes: Takes) -> Vec<&'static str> {
    DType::ALL.into_iter().filter(|dtype| takes.holds(*dtype)).map(numpy_name).collect()
}

const fn ulps(rounding: Rounding) -> u32 {
    match rounding {
        Rounding::Alike => 0,
        Rounding::Ulps(ulps) => ulps,
    }
}

/// The element-wise ops, comparisons and reductions, in the order of their table.
#[pyfunction]
pub(crate) fn op_table() -> Vec<Row> {
    let unary = UnaryOp::ALL.iter().map(|op| {
        let gives = match op.gives() {
            DTypeRule::Is(dtype) => Some(numpy_name(dtype)),
            DTypeRule::Same(_) | DTypeRule::Drawn(..) => None,
        };
        ("unary", op.builder_name(), op.means(), taken(op.takes()), gives, ulps(op.rounding()))
    });
    let binary = BinaryOp::ALL
        .iter()
        .map(|op| ("binary", op.builder_name(), op.means(), taken(op.takes()), None, ulps(op.rounding())));
    let compare = CompareOp::ALL
        .iter()
        .map(|op| ("compare", op.builder_name(), op.means(), taken(Takes::All), Some("bool"), 0));
    let reduce = ReduceOp::ALL.iter().map(|op| {
        ("reduce", op.builder_name(), op.means(), taken(op.takes()), None, ulps(op.step().rounding()))
    });
    unary.chain(binary).chain(compare).chain(reduce).collect()
}
