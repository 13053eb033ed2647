//! A backward pass as a graph of its own, whose inputs are what it needs of the forward pass: the residuals.
//!
//! ```text
//! %1 = exp %0                    %1 = exp %0
//! tape_push %7 tape=0 …          tape_push %7 tape=0 …
//! // backward                    %8: u8[?] = tape_save tape=0          // results: %1, %8
//! %4 = mul %3, %1          →
//! … tape_pop tape=0              function (%1, %8, %3) {               // residuals, and the adjoint %3
//!                                  tape_load %8 tape=0
//!                                  %4 = mul %3, %1
//!                                  … tape_pop tape=0 }
//! ```
//!
//! So the forward pass runs once, and the backward pass as often as its caller likes. Constants and views are
//! made again instead of being saved. A list is saved as a tape with one value.

use std::collections::BTreeSet;

use ag_ir::{Block, Builder, Function, Identity, LocationId, Node, Op, Scope, TapePop, Type, ValueId};

use crate::activity::{Activity, callees_of};
use crate::captures::free_values;
use crate::error::GradientError;
use crate::forward::scopes::no_forward_rule;
use crate::reverse::frames::is_view;
use crate::{Range, emit, vjp, zeros_like};

/// A graph that was taken out of another.
#[derive(Debug)]
pub struct Detached {
    /// The graph. Its parameters are the residuals and then the seeds.
    pub graph: Function,
    /// The values of the forward pass that it needs, in the order of its parameters.
    pub residuals: Vec<ValueId>,
}

/// Takes the nodes from the one that binds `first` on out of the function that is being built. `seeds` are
/// values that nothing binds; `results` are those of the new graph.
///
/// # Errors
/// If a block is open inside of the function's own.
pub fn detach(
    builder: &mut Builder,
    first: ValueId,
    seeds: &[ValueId],
    results: &[ValueId],
) -> Result<Detached, GradientError> {
    let taken = if builder.depth() == 1 { builder.take_out(first, None) } else { None };
    let Some(taken) = taken else {
        return Err(GradientError::new("a derivative of what is not being recorded here", None));
    };
    let backward = Block { params: Vec::new(), nodes: taken.nodes, results: results.to_vec() };
    let mut captured = free_values(builder, &backward);
    captured.retain(|value| !seeds.contains(value));
    let mut nodes = made_again(builder, &mut captured);
    let mut residuals = Vec::new();
    for value in captured {
        residuals.push(residual(builder, value, &mut nodes)?);
    }
    for tape in tapes_between(builder, &backward) {
        residuals.push(saved(builder, tape, &mut nodes)?);
    }
    nodes.extend(backward.nodes);
    let params = residuals.iter().chain(seeds).copied().collect();
    let graph = builder.finished_with(Block { params, nodes, results: backward.results });
    Ok(Detached { graph, residuals })
}

/// Copies of the nodes that give some of the captured values, and cost nothing to repeat. Their operands are
/// captured instead.
fn made_again(builder: &Builder, captured: &mut BTreeSet<ValueId>) -> Vec<Node> {
    let mut again: Vec<Node> = Vec::new();
    for node in builder.nodes().iter().rev() {
        let is_wanted = node.results.iter().any(|result| captured.contains(result));
        if is_wanted && is_view(builder, node) {
            captured.retain(|value| !node.results.contains(value));
            captured.extend(&node.operands);
            again.push(node.clone());
        }
    }
    again.reverse();
    again
}

/// The value that a residual has as an input; `nodes` make the captured value of it.
fn residual(builder: &mut Builder, value: ValueId, nodes: &mut Vec<Node>) -> Result<ValueId, GradientError> {
    let ty = builder.function().ty(value).clone();
    if matches!(ty, Type::Tensor(_)) {
        return Ok(value);
    }
    let tape = builder.new_tape();
    builder.emit(Op::TapePush(tape), &[value], None)?;
    let bytes = saved(builder, tape, nodes)?;
    nodes.push(node(Op::TapePop(TapePop { tape, ty }), vec![], vec![value]));
    Ok(bytes)
}

/// Saves a tape; `nodes` load it.
fn saved(builder: &mut Builder, tape: u32, nodes: &mut Vec<Node>) -> Result<ValueId, GradientError> {
    let bytes = emit::one(builder, Op::TapeSave(tape), &[])?;
    nodes.push(node(Op::TapeLoad(tape), vec![bytes], vec![]));
    Ok(bytes)
}

fn node(op: Op, operands: Vec<ValueId>, results: Vec<ValueId>) -> Node {
    Node { op, operands, results, regions: Vec::new(), location: None }
}

/// The tapes that the forward pass, which is still in the builder, leaves for the backward pass.
fn tapes_between(builder: &Builder, backward: &Block) -> BTreeSet<u32> {
    let (mut pushed, mut popped) = (BTreeSet::new(), BTreeSet::new());
    tapes_of(builder, builder.nodes(), &mut pushed, &mut BTreeSet::new());
    tapes_of(builder, &backward.nodes, &mut BTreeSet::new(), &mut popped);
    &pushed & &popped
}

/// The tapes that nodes, and the functions that they call, push on and pop from.
fn tapes_of(builder: &Builder, nodes: &[Node], pushed: &mut BTreeSet<u32>, popped: &mut BTreeSet<u32>) {
    let callees = callees_of(builder, nodes);
    let bodies = callees.iter().filter_map(|callee| builder.body(*callee));
    let mut open: Vec<&[Node]> = bodies.map(|body| &body.nodes[..]).chain([nodes]).collect();
    while let Some(nodes) = open.pop() {
        for node in nodes {
            match &node.op {
                Op::TapePush(tape) | Op::TapeLoad(tape) => drop(pushed.insert(*tape)),
                Op::TapePop(TapePop { tape, .. }) | Op::TapeSave(tape) => drop(popped.insert(*tape)),
                _ => open.extend(node.regions.iter().map(|region| &region.nodes[..])),
            }
        }
    }
}

/// Refuses nodes between inputs and outputs that have a rule for reverse mode only.
///
/// # Errors
/// If there is such a node.
pub fn require_forward_rules(
    builder: &mut Builder,
    range: Range,
    wrt: &[ValueId],
    outputs: &[ValueId],
) -> Result<(), GradientError> {
    let derivative = range.first.0;
    let Some(taken) = builder.take_out(range.first, range.last) else { return Ok(()) };
    let activity = Activity::between(builder, &taken.nodes, wrt, outputs, derivative);
    let callees = callees_of(builder, &taken.nodes);
    let bodies = callees.iter().filter_map(|callee| builder.body(*callee));
    let mut open: Vec<&[Node]> = bodies.map(|body| &body.nodes[..]).chain([&taken.nodes[..]]).collect();
    let mut found = Ok(());
    while let Some(nodes) = open.pop() {
        for node in nodes {
            let is_active = node.results.iter().any(|result| activity.is_active(*result));
            let is_one_way = match node.op {
                Op::Scope(Scope::CustomVjp) => true,
                Op::Scope(Scope::VjpRule(number)) => number == derivative,
                _ => false,
            };
            if is_active && is_one_way {
                found = Err(no_forward_rule(node));
            }
            open.extend(node.regions.iter().map(|region| &region.nodes[..]));
        }
    }
    builder.put_back(taken);
    found
}

/// The transpose of a backward pass: the derivative in forward mode. The backward pass is linear in its seeds,
/// so its own backward pass gives the tangents of the outputs for those of the inputs.
///
/// The parameters are the residuals, values of the types and sizes of the seeds, and the tangents of the
/// inputs; the results are the tangents of the outputs.
///
/// # Errors
/// If an op has no derivative.
pub fn transposed(backward: &Function, seed_count: usize) -> Result<Function, GradientError> {
    let mut builder = Builder::new(std::sync::Arc::clone(&backward.name));
    builder.function_mut().locations.clone_from(&backward.locations);
    builder.function_mut().sites.clone_from(&backward.sites);
    builder.function_mut().is_exact = backward.is_exact;
    let param = |builder: &mut Builder, value: &ValueId| builder.param(backward.ty(*value).clone());
    let params: Vec<ValueId> = backward.body.params.iter().map(|value| param(&mut builder, value)).collect();
    let (residuals, seeds) = params.split_at(params.len() - seed_count);
    let tangents: Vec<ValueId> =
        backward.body.results.iter().map(|value| param(&mut builder, value)).collect();
    let mut inputs = Vec::new();
    for seed in seeds {
        inputs.push(emit::one(&mut builder, Op::Identity(Identity::Plain), &[*seed])?);
    }
    let locations: Vec<_> = (0..backward.locations.len())
        .map(|number| LocationId(u32::try_from(number).unwrap_or(u32::MAX)))
        .collect();
    let results = builder.inline(backward, &[residuals, &inputs].concat(), 0, &locations);
    let mut found = vec![None; seed_count];
    if let Some(first) = inputs.first() {
        let outputs: Vec<(ValueId, ValueId)> = results.into_iter().zip(tangents).collect();
        found = vjp(&mut builder, Range { first: *first, last: None }, &inputs, &outputs)?;
    }
    let mut ends = Vec::new();
    for (seed, tangent) in seeds.iter().zip(found) {
        let ty = builder.function().ty(*seed).clone();
        ends.push(match tangent {
            Some(tangent) => emit::with_type(&mut builder, tangent, &ty)?,
            None => zeros_like(&mut builder, *seed)?,
        });
    }
    Ok(builder.finish(ends))
}

/// Copies a graph into the one that is being built, see [`Builder::inline`]; its arguments may know more or
/// fewer of their sizes than its parameters.
///
/// # Errors
/// If there are not as many arguments as parameters, or they are of other types.
pub fn inline(
    builder: &mut Builder,
    graph: &Function,
    arguments: &[ValueId],
    first_site: u32,
    locations: &[LocationId],
) -> Result<Vec<ValueId>, GradientError> {
    let params = &graph.body.params;
    if params.len() != arguments.len() {
        return Err(GradientError::new("a graph with other arguments than its parameters", None));
    }
    let mut fitted = Vec::new();
    for (argument, param) in arguments.iter().zip(params) {
        let value = emit::with_type(builder, *argument, graph.ty(*param))?;
        if builder.function().ty(value) != graph.ty(*param) {
            return Err(GradientError::new("a graph with an argument of another type", None));
        }
        fitted.push(value);
    }
    Ok(builder.inline(graph, &fitted, first_site, locations))
}
