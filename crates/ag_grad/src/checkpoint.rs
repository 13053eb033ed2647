//! Turns recorded nodes into scopes.

use std::collections::BTreeMap;

use ag_ir::{Block, Builder, Identity, Node, Op, Scope, ValueId};

use crate::Range;
use crate::captures::free_values;
use crate::error::GradientError;
use crate::inline::rename_uses;

/// What a gradient through a checkpoint saves beside its arguments; the rest is computed again. Of loops,
/// branches and calls the results count, not what is computed inside of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Policy {
    /// The products of arrays that it saves.
    pub products: Products,
    /// Values that it saves, or if `is_all_but`, those that it does not save.
    pub values: Vec<ValueId>,
    /// Whether it saves all values but these.
    pub is_all_but: bool,
}

/// Products of arrays (`dot`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Products {
    /// None of them.
    #[default]
    None,
    /// Those without batches.
    OfOne,
    /// All.
    All,
}

impl Policy {
    fn saves(&self, node: &Node, value: ValueId) -> bool {
        let is_product = match (&node.op, self.products) {
            (Op::Dot(_), Products::All) => true,
            (Op::Dot(axes), Products::OfOne) => axes.left_batch.is_empty(),
            _ => false,
        };
        let is_constant = node.operands.is_empty() && node.regions.is_empty();
        is_product || (!is_constant && self.values.contains(&value) != self.is_all_but)
    }

    /// The nodes, with a mark after each value that is saved, which the nodes after it use in its place.
    fn marked(&self, builder: &mut Builder, nodes: Vec<Node>) -> Vec<Node> {
        let mut names = BTreeMap::new();
        let mut marked = Vec::with_capacity(nodes.len());
        for node in nodes {
            let mut block = Block { nodes: vec![node], ..Block::default() };
            rename_uses(&mut block, &names);
            for node in block.nodes {
                let saved: Vec<ValueId> =
                    node.results.iter().copied().filter(|value| self.saves(&node, *value)).collect();
                let location = node.location;
                marked.push(node);
                for value in saved {
                    let ty = builder.function().ty(value).clone();
                    let own = builder.function_mut().new_value(ty);
                    let op = Op::Identity(Identity::Saved);
                    let (operands, results) = (vec![value], vec![own]);
                    marked.push(Node { op, operands, results, regions: Vec::new(), location });
                    names.insert(value, own);
                }
            }
        }
        marked
    }
}

/// Wraps the nodes of a range in one scope. A gradient computes them again instead of saving their values.
/// With a limit in bytes the nodes are one loop, of which a gradient saves at most that much at a time. All
/// values that the nodes bind become results of the scope.
///
/// # Errors
/// If the range is not in an open block.
pub fn checkpoint(
    builder: &mut Builder,
    range: Range,
    limit: Option<u64>,
    policy: &Policy,
) -> Result<(), GradientError> {
    let Some(mut taken) = builder.take_out(range.first, range.last) else {
        return Err(GradientError::new("a checkpoint of what is not being recorded here", None));
    };
    taken.nodes = policy.marked(builder, std::mem::take(&mut taken.nodes));
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
