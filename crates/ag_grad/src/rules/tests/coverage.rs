//! No op that has a derivative is left out, and `docs/derivatives.md` says so. `AG_BLESS=1` writes it.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use ag_ir::{BinaryOp, Decomposition, Function, Node, Op, Overflow, ReduceOp, UnaryOp};

use super::derivatives::Taken;
use super::{decompositions, elementwise, indexing, lists, products, reductions, shaping};
use crate::rules::has_derivative;

thread_local! {
    /// The ops of the programs that this test has checked.
    static CHECKED: RefCell<BTreeSet<String>> = RefCell::default();
    /// The values that the backward pass of an op has asked for.
    static ASKED: RefCell<BTreeMap<String, BTreeSet<String>>> = RefCell::default();
}

/// Remembers the ops of a program.
pub(super) fn note(function: &Function) {
    let names = function.body.nodes.iter().map(|node| node.op.name());
    CHECKED.with_borrow_mut(|checked| checked.extend(names));
}

/// Remembers what a rule has asked for.
pub(super) fn note_asked(node: &Node, taken: &Taken) {
    let operands = node.operands.iter().enumerate();
    let mut words: BTreeSet<String> = operands
        .filter(|(_, operand)| taken.values.contains(operand))
        .map(|(number, _)| format!("operand {number}"))
        .collect();
    let results = node.results.iter().enumerate();
    words.extend(
        results
            .filter(|(_, result)| taken.values.contains(result))
            .map(|(number, _)| format!("result {number}")),
    );
    if !taken.sizes.is_empty() {
        words.insert("sizes".into());
    }
    ASKED.with_borrow_mut(|asked| asked.entry(node.op.name()).or_default().extend(words));
}

/// The ops that are not element-wise ops, reductions or decompositions. Control flow, tapes, scopes and
/// callbacks have no rules.
const OTHERS: &str = "select cast broadcast reshape transpose slice slice_range dynamic_slice update_slice \
    dynamic_update_slice gather scatter scatter_add concatenate with_shape identity with_slope cumsum cumprod cummax cummin sort partition dot correlate solve_lu \
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
    elementwise::functions_of_an_order();
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
    reductions::sorted_and_parted();
    reductions::running_extremes();
    products::matrices_and_vectors();
    products::lines_with_shifts();
    decompositions::triangular_factors();
    decompositions::orthogonal_factors();
    decompositions::singular_values_and_vectors();
    decompositions::eigenvalues_and_vectors();
    decompositions::solutions();
    lists::values_of_lists();
    lists::a_last_value_is_taken();
    lists::parts_of_lists();
    lists::lists_of_lists();
    let checked = CHECKED.with_borrow(Clone::clone);
    let missing: Vec<&String> = wanted.difference(&checked).collect();
    assert!(missing.is_empty(), "not checked: {missing:?}");
    compare_with_document(&table(&wanted));
}

const HEAD: &str = "# Derivatives of ops

Each op of the graph that has a derivative, as the tests of its rule have found it: forward mode against finite
differences, reverse against forward mode, both for derivatives of derivatives, and all of it for batches of rows
(`vmap`). The last column says what of the forward pass the backward pass may ask for, and so has saved; sizes
are asked for only where types do not give them. Written by `crates/ag_grad/src/rules/tests/coverage.rs`.

| op | forward | reverse | second order | vmap | asks for |
| --- | --- | --- | --- | --- | --- |
";

fn table(ops: &BTreeSet<String>) -> String {
    let asked = ASKED.with_borrow(Clone::clone);
    let row = |op: &String| {
        let words: Vec<&str> = asked.get(op).into_iter().flatten().map(String::as_str).collect();
        let words = if words.is_empty() { "nothing".into() } else { words.join(", ") };
        format!("| `{op}` | yes | yes | yes | yes | {words} |\n")
    };
    HEAD.to_owned() + &ops.iter().map(row).collect::<String>()
}

fn compare_with_document(text: &str) {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/derivatives.md");
    if std::env::var_os("AG_BLESS").is_some() {
        std::fs::write(path, text).unwrap();
    }
    assert_eq!(std::fs::read_to_string(path).unwrap_or_default(), text, "AG_BLESS=1 writes it anew");
}
