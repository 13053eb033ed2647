//! Makes the programs that compute the tangents and the adjoints of a program.

use std::collections::BTreeMap;

use ag_ir::{Block, Builder, Function, Identity, Node, Op, ValueId, verify};

use super::coverage;
use crate::Range;
use crate::adjoints::Adjoints;
use crate::error::GradientError;
use crate::rules::{Sizes, has_derivative, pullback, tangent};
use crate::site::{AtHand, Primals, Site};

/// A builder that contains the program, to add to it.
pub(super) fn opened(function: &Function) -> Builder {
    let mut builder = Builder::new("derivative");
    let functions = Vec::new();
    *builder.function_mut() = Function { body: Block::default(), functions, ..function.clone() };
    for callee in &function.functions {
        let number = builder.declare(callee.name.clone());
        let values = &mut builder.function_mut().values;
        let first = u32::try_from(values.len()).unwrap();
        values.extend(callee.values.iter().cloned());
        let mut body = callee.body.clone();
        shift(&mut body, first);
        builder.define(number, body);
    }
    builder.close(Vec::new());
    builder.reopen(Block { results: Vec::new(), ..function.body.clone() });
    let bodies = function.functions.iter().map(|callee| &callee.body).chain([&function.body]);
    for _ in 0..bodies.map(tapes_of).max().unwrap_or(0) {
        builder.new_tape();
    }
    builder
}

/// A block with values that are numbered from another number on.
fn shift(block: &mut Block, first: u32) {
    let shift_all = |values: &mut Vec<ValueId>| values.iter_mut().for_each(|value| value.0 += first);
    shift_all(&mut block.params);
    shift_all(&mut block.results);
    for node in &mut block.nodes {
        shift_all(&mut node.operands);
        shift_all(&mut node.results);
        node.regions.iter_mut().for_each(|region| shift(region, first));
    }
}

/// How many tapes there are: their numbers are below this.
fn tapes_of(block: &Block) -> u32 {
    let of_node = |node: &Node| match node.op {
        Op::TapePush(tape) => tape + 1,
        _ => node.regions.iter().map(tapes_of).max().unwrap_or(0),
    };
    block.nodes.iter().map(of_node).max().unwrap_or(0)
}

pub(super) fn has_tangent(function: &Function, value: ValueId) -> bool {
    function.ty(value).has_tangent()
}

/// The same program with other values in place of some, in all its regions.
fn renamed(block: &mut Block, names: &BTreeMap<ValueId, ValueId>) {
    let rename = |value: &mut ValueId| *value = names.get(value).copied().unwrap_or(*value);
    for node in &mut block.nodes {
        node.operands.iter_mut().for_each(rename);
        node.regions.iter_mut().for_each(|region| renamed(region, names));
    }
    block.results.iter_mut().for_each(rename);
}

/// The same program whose float parameters are used as values that derivatives are taken by, and those.
fn with_inputs(function: &Function) -> (Function, Vec<ValueId>) {
    let mut function = function.clone();
    let (mut names, mut nodes) = (BTreeMap::new(), Vec::new());
    for param in function.body.params.clone() {
        if has_tangent(&function, param) {
            let input = function.new_value(function.ty(param).clone());
            let op = Op::Identity(Identity::Plain);
            let (operands, results) = (vec![param], vec![input]);
            nodes.push(Node { op, operands, results, regions: Vec::new(), location: None });
            names.insert(param, input);
        }
    }
    let mut body = std::mem::take(&mut function.body);
    renamed(&mut body, &names);
    body.nodes.splice(0..0, nodes);
    function.body = body;
    (function, names.into_values().collect())
}

/// As [`forward`], by what goes through control flow too.
pub(super) fn forward_through(function: &Function) -> Result<Function, GradientError> {
    let (function, inputs) = with_inputs(function);
    let mut builder = opened(&function);
    let tangents = inputs.iter().map(|input| builder.param(function.ty(*input).clone()));
    let wrt: Vec<(ValueId, ValueId)> = inputs.iter().copied().zip(tangents.collect::<Vec<_>>()).collect();
    let range = Range { first: inputs[0], last: None };
    let outputs = &function.body.results;
    let found = crate::jvp(&mut builder, range, true, &wrt, outputs)?;
    let found: BTreeMap<ValueId, Option<ValueId>> = outputs.iter().copied().zip(found).collect();
    finish(builder, &function, outputs, |value| found.get(&value).copied().flatten())
}

/// As [`reverse`], by what goes through control flow too.
pub(super) fn reverse_through(function: &Function) -> Result<Function, GradientError> {
    let (function, inputs) = with_inputs(function);
    let mut builder = opened(&function);
    let results = function.body.results.iter().filter(|result| has_tangent(&function, **result));
    let outputs: Vec<(ValueId, ValueId)> =
        results.map(|result| (*result, builder.param(function.ty(*result).clone()))).collect();
    let range = Range { first: inputs[0], last: None };
    let found = crate::vjp(&mut builder, range, &inputs, &outputs)?;
    let found: BTreeMap<ValueId, Option<ValueId>> = inputs.iter().copied().zip(found).collect();
    finish(builder, &function, &inputs, |value| found.get(&value).copied().flatten())
}

fn has_control_flow(function: &Function) -> bool {
    !function.functions.is_empty() || function.body.nodes.iter().any(|node| !node.regions.is_empty())
}

/// The program that takes the tangents of its float parameters too, and gives those of its float results.
pub(super) fn forward(function: &Function) -> Result<Function, GradientError> {
    if has_control_flow(function) {
        return forward_through(function);
    }
    let mut builder = opened(function);
    let mut tangents: BTreeMap<ValueId, ValueId> = BTreeMap::new();
    for param in &function.body.params {
        if has_tangent(function, *param) {
            tangents.insert(*param, builder.param(function.ty(*param).clone()));
        }
    }
    for node in &function.body.nodes {
        let given: Vec<Option<ValueId>> =
            node.operands.iter().map(|one| tangents.get(one).copied()).collect();
        let mut site = Site { builder: &mut builder, primals: &mut AtHand, node };
        let found = tangent(&mut site, &given)?;
        assert_eq!(found.len(), node.results.len());
        for (result, tangent) in node.results.iter().zip(found) {
            if let Some(tangent) = tangent {
                assert_eq!(builder.function().ty(tangent), function.ty(*result), "{}", node.op.name());
                tangents.insert(*result, tangent);
            }
        }
    }
    finish(builder, function, &function.body.results, |value| tangents.get(&value).copied())
}

/// Access to the forward pass for a backward pass that has its values under other names, as if they came from
/// a tape.
#[derive(Default)]
pub(super) struct Taken {
    pub(super) values: Vec<ValueId>,
    /// The values for which an unknown size was asked.
    pub(super) sizes: Vec<ValueId>,
}

impl Primals for Taken {
    fn value(&mut self, builder: &mut Builder, value: ValueId) -> ValueId {
        self.values.push(value);
        crate::emit::one(builder, Op::Identity(Identity::Plain), &[value]).unwrap()
    }

    fn size(&mut self, builder: &mut Builder, value: ValueId, axis: usize) -> ValueId {
        if builder.function().tensor(value).shape[axis].known().is_none() {
            self.sizes.push(value);
        }
        crate::emit::size(builder, value, axis)
    }
}

/// Whether nodes of a backward pass take values of the forward pass only where they ask for them.
fn asks(node: &Node, values: &[ValueId]) -> bool {
    let is_asking = matches!(node.op, Op::Identity(_) | Op::Size(_));
    let inside = node.regions.iter().flat_map(|region| &region.nodes);
    (is_asking || !node.operands.iter().any(|operand| values.contains(operand)))
        && inside.into_iter().all(|node| asks(node, values))
}

/// The program that takes adjoints of its float results too, and gives those of its float parameters.
pub(super) fn reverse(function: &Function) -> Result<Function, GradientError> {
    if has_control_flow(function) {
        return reverse_through(function);
    }
    let mut builder = opened(function);
    let mut adjoints = Adjoints::default();
    for result in &function.body.results {
        if has_tangent(function, *result) {
            let adjoint = builder.param(function.ty(*result).clone());
            adjoints.add(&mut builder, *result, adjoint)?;
        }
    }
    let mut active = function.body.params.clone();
    for node in &function.body.nodes {
        if node.operands.iter().any(|operand| active.contains(operand)) && has_derivative(&node.op) {
            active.extend(&node.results);
        }
    }
    let mut sizes = Sizes::default();
    function.body.nodes.iter().for_each(|node| sizes.learn_forward(function, node));
    for node in function.body.nodes.iter().rev() {
        let mut taken = Taken::default();
        let mut site = Site { builder: &mut builder, primals: &mut taken, node };
        pullback(&mut site, &mut adjoints, &|number| active.contains(&node.operands[number]), &sizes)?;
        coverage::note_asked(node, &taken);
    }
    for param in &function.body.params {
        if let Some(adjoint) = adjoints.get(*param) {
            assert_eq!(builder.function().ty(adjoint), function.ty(*param));
        }
    }
    let nodes = &function.body.nodes;
    let results = nodes.iter().flat_map(|node| node.results.iter().copied());
    let values: Vec<ValueId> = function.body.params.iter().copied().chain(results).collect();
    let reversed = finish(builder, function, &function.body.params, |value| adjoints.get(value))?;
    for node in &reversed.body.nodes[nodes.len()..] {
        assert!(asks(node, &values), "{} takes what it has not asked for\n{reversed}", node.op.name());
    }
    Ok(reversed)
}

fn finish(
    mut builder: Builder,
    function: &Function,
    of: &[ValueId],
    found: impl Fn(ValueId) -> Option<ValueId>,
) -> Result<Function, GradientError> {
    let mut results = Vec::new();
    for value in of.iter().filter(|value| has_tangent(function, **value)) {
        results.push(match found(*value) {
            Some(derivative) => derivative,
            None => {
                let value = Taken::default().value(&mut builder, *value);
                crate::emit::zeros_like(&mut builder, value)?
            }
        });
    }
    let function = builder.finish(results);
    verify(&function).unwrap_or_else(|errors| panic!("{errors:?}\n{function}"));
    Ok(function)
}
