//! Every rule against finite differences, forward against reverse, and derivatives of derivatives.
//!
//! A program is a graph without control flow. From it a program of its tangents is made, and one of its
//! adjoints; both are programs again, so that the same checks hold for them.

#![allow(clippy::unwrap_used)]

mod batching;
mod control_flow;
mod coverage;
mod decompositions;
mod derivatives;
mod elementwise;
mod indexing;
mod lists;
mod products;
mod reductions;
mod shaping;
mod sizes;

use ag_ir::{Array, DType, Function, Host, HostError, Op, ValueId, interpret, read, verify};

use self::derivatives::{forward, forward_through, reverse, reverse_through};

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
    check_each(function, inputs, order);
    check_singles(function, inputs);
    batching::check_batch(function, inputs);
    coverage::note(function);
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
    batching::check_batch(&adjoints_of, &given);
    if order > 1 {
        check_each(&adjoints_of, &given, order - 1);
        check_each(&tangents_of, &[inputs, &along].concat(), order - 1);
    }
}

/// The same program of singles has the same derivatives, roughly.
fn check_singles(function: &Function, inputs: &[Array]) {
    let weights = directions(&run(function, inputs), 23);
    let adjoints = run(&reverse(function).unwrap(), &[inputs, &weights].concat());
    let single = program(&function.to_string().replace("f64", "f32"));
    let narrow = |one: &Array| match one.dtype {
        DType::F64 => ag_ir::evaluate(&Op::Cast(DType::F32), std::slice::from_ref(one)).unwrap(),
        _ => one.clone(),
    };
    let given: Vec<Array> = inputs.iter().chain(&weights).map(narrow).collect();
    let found = run(&reverse(&single).unwrap_or_else(|error| panic!("{error}\n{single}")), &given);
    assert_eq!(forward(&single).map(|function| function.body.results.len()).ok(), Some(weights.len()));
    for (single, double) in found.iter().zip(&adjoints) {
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
