//! Turns recorded nodes into scopes.

use ag_ir::{Block, Builder, Node, Op, Scope, ValueId};

use crate::Range;
use crate::captures::free_values;
use crate::error::GradientError;

/// Wraps the nodes of a range in one scope. A gradient computes them again instead of saving their values.
/// With a limit in bytes the nodes are one loop, of which a gradient saves at most that much at a time. All
/// values that the nodes bind become results of the scope.
///
/// # Errors
/// If the range is not in an open block.
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
    // The captured values become parameters, so that the region can be computed again from them.
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
