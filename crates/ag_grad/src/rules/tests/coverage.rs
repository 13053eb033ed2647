//! No op that has a derivative is left out.

use std::collections::BTreeSet;
use std::sync::Mutex;

use ag_ir::{BinaryOp, Decomposition, Function, Op, Overflow, ReduceOp, UnaryOp};

use super::{decompositions, elementwise, indexing, lists, products, reductions, shaping};
use crate::rules::has_derivative;

/// The ops of the programs that were checked.
static CHECKED: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

/// Remembers the ops of a program.
pub(super) fn note(function: &Function) {
    let names = function.body.nodes.iter().map(|node| node.op.name());
    CHECKED.lock().unwrap().extend(names);
}

/// Those that are no variants of an element-wise op, a reduction or a decomposition. Control flow, tapes,
/// scopes and callbacks are not for rules.
const OTHERS: &str = "select cast broadcast reshape transpose slice slice_range dynamic_slice update_slice \
    dynamic_update_slice gather scatter scatter_add concatenate with_shape identity cumsum cumprod dot solve_lu \
    fft inverse_fft list_make list_append list_pop list_get list_set list_insert list_delete list_concatenate \
    list_slice list_reverse list_stack list_unstack list_get_in list_set_in list_append_in list_pop_in \
    list_flatten";

#[test]
fn every_op_with_a_derivative_is_checked() {
    let others = OTHERS.split_whitespace().map(str::to_owned);
    let unary = UnaryOp::ALL.iter().map(|op| Op::Unary(*op, Overflow::Wrap));
    let binary = BinaryOp::ALL.iter().map(|op| Op::Binary(*op, Overflow::Wrap));
    let reductions = ReduceOp::ALL.iter().map(|op| Op::Reduce { op: *op, axes: Vec::new(), keepdims: false });
    let decompositions = Decomposition::ALL.iter().map(|kind| Op::Decompose(*kind));
    let ops = unary.chain(binary).chain(reductions).chain(decompositions).filter(has_derivative);
    let wanted: BTreeSet<String> = others.chain(ops.map(|op| op.name())).collect();

    elementwise::functions_of_one_number();
    elementwise::functions_of_two_numbers();
    elementwise::selections();
    elementwise::conversions();
    shaping::shapes();
    shaping::arrays_are_joined();
    shaping::fourier_transforms();
    indexing::slices();
    indexing::gathers();
    indexing::updates();
    indexing::scatters();
    reductions::sums_products_and_extremes();
    reductions::running_sums_and_products();
    products::matrices_and_vectors();
    decompositions::triangular_factors();
    decompositions::orthogonal_factors();
    decompositions::singular_values_and_vectors();
    decompositions::eigenvalues_and_vectors();
    decompositions::solutions();
    lists::values_of_lists();
    lists::a_last_value_is_taken();
    lists::parts_of_lists();
    lists::lists_of_lists();
    let checked = CHECKED.lock().unwrap().clone();
    let missing: Vec<&String> = wanted.difference(&checked).collect();
    assert!(missing.is_empty(), "not checked: {missing:?}");
}
