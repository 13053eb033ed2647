//! Copies regions of scopes to where a derivative needs them.

use std::collections::BTreeMap;

use ag_ir::{Block, Builder, Identity, Node, Op, Scope, ValueId};

use crate::captures::free_values;
use crate::error::GradientError;

/// A copy of the nodes of a region, with values of its own.
#[derive(Debug)]
pub(crate) struct Inlined {
    pub(crate) nodes: Vec<Node>,
    /// The copies of the region's parameters.
    pub(crate) params: Vec<ValueId>,
    /// The copies of the region's results.
    pub(crate) results: Vec<ValueId>,
    /// The copies of outer values that need a value of their own, by the outer value.
    pub(crate) around: BTreeMap<ValueId, ValueId>,
}

/// Whether a copy of nodes has their prints and checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effects {
    /// Yes: it runs instead of them.
    Kept,
    /// No: they have already run.
    Dropped,
}

/// Copies a region, with these arguments. `stand_in` returns the replacement of an outer value; `is_own` says
/// whether it gets a copy of its own.
pub(crate) fn inlined(
    builder: &mut Builder,
    region: &Block,
    effects: Effects,
    arguments: &[ValueId],
    is_own: impl Fn(ValueId) -> bool,
    mut stand_in: impl FnMut(&mut Builder, ValueId) -> ValueId,
) -> Result<Inlined, GradientError> {
    let free = free_values(builder, region);
    let (mut copy, _) = builder.copy(region);
    if effects == Effects::Dropped {
        without_effects(&mut copy)?;
    }
    let mut nodes: Vec<Node> = Vec::new();
    for (param, argument) in copy.params.iter().zip(arguments) {
        nodes.push(identity(*argument, *param));
    }
    let mut names = BTreeMap::new();
    let mut around = BTreeMap::new();
    for value in free {
        let here = stand_in(builder, value);
        if is_own(value) {
            let ty = builder.function().ty(value).clone();
            let own = builder.function_mut().new_value(ty);
            nodes.push(identity(here, own));
            names.insert(value, own);
            around.insert(value, own);
        } else {
            names.insert(value, here);
        }
    }
    rename_uses(&mut copy, &names);
    nodes.append(&mut copy.nodes);
    Ok(Inlined { nodes, params: copy.params, results: copy.results, around })
}

/// Copies nodes to be computed again; returns the copies and the new value of each old one.
pub(crate) fn again(
    builder: &mut Builder,
    nodes: Vec<Node>,
) -> Result<(Vec<Node>, BTreeMap<ValueId, ValueId>), GradientError> {
    let (mut copy, names) = builder.copy(&Block { nodes, ..Block::default() });
    without_effects(&mut copy)?;
    Ok((copy.nodes, names))
}

pub(crate) fn identity(from: ValueId, to: ValueId) -> Node {
    Node {
        op: Op::Identity(Identity::Plain),
        operands: vec![from],
        results: vec![to],
        regions: Vec::new(),
        location: None,
    }
}

/// Removes effects that have already happened. A callback into Python cannot be repeated, and is refused.
/// Those of a backward rule have not happened yet.
pub(crate) fn without_effects(block: &mut Block) -> Result<(), GradientError> {
    block
        .nodes
        .retain(|node| !matches!(node.op, Op::Print { .. } | Op::Keep(_) | Op::KeepEnd(_) | Op::Check(_)));
    for node in &mut block.nodes {
        if matches!(node.op, Op::Callback(_)) {
            let message = "a call back into Python is not made a second time, as a gradient would need here";
            return Err(GradientError::new(message, node.location));
        }
        let count = if matches!(node.op, Op::Scope(Scope::VjpRule(_))) { 1 } else { node.regions.len() };
        node.regions.iter_mut().take(count).try_for_each(without_effects)?;
    }
    Ok(())
}

pub(crate) fn rename_uses(block: &mut Block, names: &BTreeMap<ValueId, ValueId>) {
    let rename = |values: &mut Vec<ValueId>| {
        for value in values {
            *value = names.get(value).copied().unwrap_or(*value);
        }
    };
    rename(&mut block.results);
    for node in &mut block.nodes {
        rename(&mut node.operands);
        node.regions.iter_mut().for_each(|region| rename_uses(region, names));
    }
}
