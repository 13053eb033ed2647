//! What a caller has to know of a function of the graph: its signature, arena and donated arguments.

use ag_ir::{Function, Op};
use cranelift_codegen::ir::{AbiParam, FuncRef, Signature, types};
use cranelift_codegen::isa::CallConv;

use super::scalar_type::scalar_type;
use crate::plan::tree::Tree;

/// A function of the graph that the code being generated can call.
pub(crate) struct Callee<'f> {
    /// The Cranelift reference to it in the calling function.
    pub(crate) reference: FuncRef,
    /// The function itself.
    pub(crate) function: &'f Function,
    /// Bytes of its arena.
    pub(crate) arena_bytes: usize,
    /// For each result, the argument whose memory it takes over.
    pub(crate) taken: &'f [Option<usize>],
}

/// Whether the first result is a scalar, which comes back in a register.
pub(super) fn has_scalar_result(function: &Function) -> bool {
    function.body.results.first().is_some_and(|result| function.ty(*result).is_scalar())
}

/// The signature of a function that is called.
pub(crate) fn call_signature(
    convention: CallConv,
    function: &Function,
    taken: &[Option<usize>],
) -> Signature {
    let mut signature = Signature::new(convention);
    signature.params.extend([AbiParam::new(types::I64); 2]);
    for param in &function.body.params {
        let code = if function.ty(*param).is_scalar() {
            scalar_type(function.tensor(*param).dtype)
        } else {
            types::I64
        };
        signature.params.push(AbiParam::new(code));
    }
    signature.returns.push(AbiParam::new(types::I32));
    let mut written = function.body.results.len() - taken.iter().flatten().count();
    if has_scalar_result(function) {
        signature.returns.push(AbiParam::new(scalar_type(function.tensor(function.body.results[0]).dtype)));
        written -= 1;
    }
    signature.params.extend(vec![AbiParam::new(types::I64); written]);
    signature
}

/// The largest number of results of any call in a function.
pub(super) fn most_results(tree: &Tree<'_>) -> usize {
    let nodes = tree.blocks.values().flat_map(|entry| &entry.block.nodes);
    let calls = nodes.filter(|node| matches!(node.op, Op::Call(_)));
    calls.map(|node| node.results.len()).max().unwrap_or(0)
}
