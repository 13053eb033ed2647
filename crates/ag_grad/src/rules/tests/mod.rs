//! Every rule against finite differences, forward against reverse, and derivatives of derivatives.
//!
//! A program is a graph without control flow. From it a program of its tangents is made, and one of its
//! adjoints; both are programs again, so that the same checks hold for them.

#![allow(clippy::unwrap_used)]

mod coverage;
mod decompositions;
mod elementwise;
mod indexing;
mod lists;
mod products;
mod reductions;
mod shaping;
mod sizes;

use std::collections::BTreeMap;

use ag_ir::{
    Array, Block, Builder, DType, Function, Host, HostError, Identity, Node, Op, ValueId, interpret, read,
    verify,
};

use super::{pullback, tangent};
use crate::Range;
use crate::adjoints::Adjoints;
use crate::error::GradientError;
use crate::site::{AtHand, Primals, Site};

struct Silent;

impl Host for Silent {
    fn print(&mut self, _: u32, _: &[Array]) -> Result<(), HostError> {
        Ok(())
    }
}

fn program(text: &str) -> Function {
    let function = read(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    verify(&function).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    function
}

/// A builder in which the program stands, to add to it.
fn opened(function: &Function) -> Builder {
    let mut builder = Builder::new("derivative");
    *builder.function_mut() = Function { body: Block::default(), ..function.clone() };
    builder.close(Vec::new());
    builder.reopen(Block { results: Vec::new(), ..function.body.clone() });
    builder
}

fn has_tangent(function: &Function, value: ValueId) -> bool {
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
fn forward_through(function: &Function) -> Result<Function, GradientError> {
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
fn reverse_through(function: &Function) -> Result<Function, GradientError> {
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
    function.body.nodes.iter().any(|node| !node.regions.is_empty())
}

/// The program that takes the tangents of its float parameters too, and gives those of its float results.
fn forward(function: &Function) -> Result<Function, GradientError> {
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

/// A backward pass that has the values of the forward pass under other names, as one has that takes them
/// from a tape.
struct Taken;

impl Primals for Taken {
    fn value(&mut self, builder: &mut Builder, value: ValueId) -> ValueId {
        crate::emit::one(builder, Op::Identity(Identity::Plain), &[value]).unwrap()
    }

    fn size(&mut self, builder: &mut Builder, value: ValueId, axis: usize) -> ValueId {
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
fn reverse(function: &Function) -> Result<Function, GradientError> {
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
        if node.operands.iter().any(|operand| active.contains(operand)) && super::has_derivative(&node.op) {
            active.extend(&node.results);
        }
    }
    for node in function.body.nodes.iter().rev() {
        let mut site = Site { builder: &mut builder, primals: &mut Taken, node };
        pullback(&mut site, &mut adjoints, &|number| active.contains(&node.operands[number]))?;
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
                let value = Taken.value(&mut builder, *value);
                crate::emit::zeros_like(&mut builder, value)?
            }
        });
    }
    let function = builder.finish(results);
    verify(&function).unwrap_or_else(|errors| panic!("{errors:?}\n{function}"));
    Ok(function)
}

fn doubles(array: &Array) -> Vec<f64> {
    array.bytes.as_chunks::<8>().0.iter().map(|chunk| f64::from_ne_bytes(*chunk)).collect()
}

fn array(sizes: &[usize], elements: &[f64]) -> Array {
    let bytes = elements.iter().flat_map(|one| one.to_ne_bytes()).collect();
    Array { dtype: DType::F64, sizes: sizes.to_vec(), bytes }
}

fn integers(sizes: &[usize], elements: &[i64]) -> Array {
    let bytes = elements.iter().flat_map(|one| one.to_ne_bytes()).collect();
    Array { dtype: DType::I64, sizes: sizes.to_vec(), bytes }
}

/// Numbers between -1 and 1 that look as if drawn; another seed gives others.
fn drawn(sizes: &[usize], seed: u64) -> Array {
    let count = sizes.iter().product::<usize>();
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(0x1234_5678);
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    };
    for _ in 0..4 {
        next();
    }
    array(sizes, &(0..count).map(|_| next()).collect::<Vec<_>>())
}

fn run(function: &Function, inputs: &[Array]) -> Vec<Array> {
    match interpret(function, inputs, &mut Silent) {
        Ok(results) => results,
        Err(error) => panic!("{:?}\n{function}", error.failure),
    }
}

fn is_float(array: &Array) -> bool {
    array.dtype == DType::F64
}

/// The float arrays among several, moved along directions.
fn moved(inputs: &[Array], directions: &[Array], distance: f64) -> Vec<Array> {
    let mut directions = directions.iter();
    let along = |input: &Array| {
        if !is_float(input) {
            return input.clone();
        }
        let direction = doubles(directions.next().unwrap());
        let each = doubles(input).into_iter().zip(direction);
        array(&input.sizes, &each.map(|(x, d)| x + distance * d).collect::<Vec<_>>())
    };
    inputs.iter().map(along).collect()
}

fn directions(arrays: &[Array], seed: u64) -> Vec<Array> {
    let floats = arrays.iter().filter(|one| is_float(one)).enumerate();
    floats.map(|(number, one)| drawn(&one.sizes, seed + number as u64)).collect()
}

fn product(left: &[Array], right: &[Array]) -> f64 {
    assert_eq!(left.len(), right.len());
    let pairs = left.iter().zip(right).flat_map(|(l, r)| {
        assert_eq!(l.sizes, r.sizes);
        doubles(l).into_iter().zip(doubles(r))
    });
    pairs.map(|(l, r)| l * r).sum()
}

fn close(left: f64, right: f64, tolerance: f64) -> bool {
    (left - right).abs() <= tolerance * (1.0 + left.abs().max(right.abs()))
}

/// Forward against differences, and reverse against forward; then the same of the program of adjoints, as
/// often as `order` says.
fn check_order(function: &Function, inputs: &[Array], order: usize) {
    coverage::note(function);
    check_each(function, inputs, order);
}

fn check_each(function: &Function, inputs: &[Array], order: usize) {
    let results = run(function, inputs);
    let float_results: Vec<Array> = results.iter().filter(|one| is_float(one)).cloned().collect();
    let along = directions(inputs, 11);
    let tangents_of = forward(function).unwrap_or_else(|error| panic!("{error}\n{function}"));
    let tangents = run(&tangents_of, &[inputs, &along].concat());
    let step = 1e-5;
    let (after, before) =
        (run(function, &moved(inputs, &along, step)), run(function, &moved(inputs, &along, -step)));
    let floats = |arrays: Vec<Array>| -> Vec<f64> {
        arrays.iter().filter(|one| is_float(one)).flat_map(doubles).collect()
    };
    let differences =
        floats(after).into_iter().zip(floats(before)).map(|(after, before)| (after - before) / (2.0 * step));
    let exact: Vec<f64> = tangents.iter().flat_map(doubles).collect();
    for (number, (exact, difference)) in exact.iter().zip(differences).enumerate() {
        assert!(
            close(*exact, difference, 2e-6),
            "tangent {number}, order {order}: {exact} is {difference} by differences\n{function}\n{tangents_of}"
        );
    }
    for (result, tangent) in float_results.iter().zip(&tangents) {
        assert_eq!(result.sizes, tangent.sizes, "{tangents_of}");
    }
    let weights = directions(&results, 23);
    let adjoints_of = reverse(function).unwrap_or_else(|error| panic!("{error}\n{function}"));
    let given = [inputs, &weights].concat();
    let adjoints = run(&adjoints_of, &given);
    let (ahead, back) = (product(&weights, &tangents), product(&adjoints, &along));
    assert!(
        close(ahead, back, 1e-9),
        "order {order}: forward {ahead}, reverse {back}\n{function}\n{adjoints_of}"
    );
    for (one, other) in [(forward_through(function), &tangents), (reverse_through(function), &adjoints)] {
        let inputs = if std::ptr::eq(other, &tangents) { [inputs, &along].concat() } else { given.clone() };
        let results = run(&one.unwrap_or_else(|error| panic!("{error}\n{function}")), &inputs);
        assert_eq!(results, *other, "{function}");
    }
    check_singles(function, inputs, &weights, &adjoints);
    if order > 1 {
        check_each(&adjoints_of, &given, order - 1);
    }
}

/// The same program of singles has the same derivatives, roughly.
fn check_singles(function: &Function, inputs: &[Array], weights: &[Array], adjoints: &[Array]) {
    let single = program(&function.to_string().replace("f64", "f32"));
    let narrow = |one: &Array| match one.dtype {
        DType::F64 => ag_ir::evaluate(&Op::Cast(DType::F32), std::slice::from_ref(one)).unwrap(),
        _ => one.clone(),
    };
    let given: Vec<Array> = inputs.iter().chain(weights).map(narrow).collect();
    let found = run(&reverse(&single).unwrap_or_else(|error| panic!("{error}\n{single}")), &given);
    assert_eq!(forward(&single).map(|function| function.body.results.len()).ok(), Some(weights.len()));
    for (single, double) in found.iter().zip(adjoints) {
        assert_eq!((single.dtype, &single.sizes), (DType::F32, &double.sizes));
        let wide = ag_ir::evaluate(&Op::Cast(DType::F64), std::slice::from_ref(single)).unwrap();
        for (single, double) in doubles(&wide).into_iter().zip(doubles(double)) {
            assert!(close(single, double, 2e-3), "{single} in singles, {double} in doubles\n{function}");
        }
    }
}

/// A program of one node, which starts with its result's type.
fn node_of(inputs: &[(&str, Array)], node: &str) -> Function {
    let params: Vec<String> = inputs.iter().enumerate().map(|(n, (ty, _))| format!("%{n}: {ty}")).collect();
    program(&format!("function f({}) {{\n  %99: {node}\n  return %99\n}}", params.join(", ")))
}

/// Checks a node to the second order.
fn check(inputs: &[(&str, Array)], node: &str) {
    let arrays: Vec<Array> = inputs.iter().map(|(_, array)| array.clone()).collect();
    check_order(&node_of(inputs, node), &arrays, 2);
}

/// The adjoints of a node's operands.
fn adjoints(inputs: &[(&str, Array)], node: &str, weight: Array) -> Vec<Vec<f64>> {
    let arrays: Vec<Array> = inputs.iter().map(|(_, array)| array.clone()).chain([weight]).collect();
    let function = reverse(&node_of(inputs, node)).unwrap();
    run(&function, &arrays).iter().map(doubles).collect()
}

/// How often an op occurs in a program.
fn count(function: &Function, op: &str) -> usize {
    function.body.nodes.iter().filter(|node| node.op.name() == op).count()
}

/// The parameters that a program uses in the nodes that its results depend on.
fn used_params(function: &Function) -> Vec<usize> {
    let mut needed: Vec<ValueId> = function.body.results.clone();
    for node in function.body.nodes.iter().rev() {
        if node.results.iter().any(|result| needed.contains(result)) {
            needed.extend(&node.operands);
        }
    }
    let params = function.body.params.iter().enumerate();
    params.filter(|(_, param)| needed.contains(param)).map(|(number, _)| number).collect()
}

/// Why there is no derivative.
fn refusal(inputs: &[(&str, Array)], node: &str) -> String {
    reverse(&node_of(inputs, node)).unwrap_err().message
}
