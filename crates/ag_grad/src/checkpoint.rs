//! Scopes made of what was recorded.

use ag_ir::{Block, Builder, Node, Op, Scope, ValueId};

use crate::Range;
use crate::captures::free_values;
use crate::error::GradientError;

/// Makes one scope of the nodes of a range: a gradient computes them again rather than to save what it
/// needs of them. With a limit in bytes, they are one loop, of which so much is saved at a time. All values
/// that they bind are results of the scope.
///
/// # Errors
/// When the range is not being recorded.
pub fn checkpoint(builder: &mut Builder, range: Range, limit: Option<u64>) -> Result<(), GradientError> {
    let Some(mut taken) = builder.take_out(range.first, range.last) else {
        return Err(GradientError::new("a checkpoint of what is not being recorded here", None));
    };
    let results: Vec<ValueId> = taken.nodes.iter().flat_map(|node| &node.results).copied().collect();
    let location = taken.nodes.iter().find_map(|node| node.location);
    let block =
        Block { params: Vec::new(), nodes: std::mem::take(&mut taken.nodes), results: results.clone() };
    let smooth: Vec<ValueId> = free_values(builder, &block)
        .into_iter()
        .filter(|value| builder.function().ty(*value).has_tangent())
        .collect();
    // What it takes are its parameters, so that all of it can be computed again from these.
    let (region, _) = builder.copy(&Block { params: smooth.clone(), ..block });
    taken.nodes.push(Node {
        op: Op::Scope(limit.map_or(Scope::Checkpoint, Scope::MemoryLimit)),
        operands: smooth,
        results,
        regions: vec![region],
        location,
    });
    builder.put_back(taken);
    Ok(())
}
