//! Gradients of rows are batched, and what is batched has a gradient.

use ag_grad::{Operand, Range, vjp, vmap};
use ag_ir::{
    Array, Builder, Constant, DType, Dim, Function, Identity, Node, Op, ReduceOp, Type, ValueId, interpret,
    verify,
};

use crate::harness::{Case, Printed, ROWS, graft, parse, part, stack};

/// Values that the gradients are with respect to.
fn identities(builder: &mut Builder, values: &[ValueId]) -> Vec<ValueId> {
    let op = Op::Identity(Identity::Plain);
    values.iter().map(|value| builder.emit(op.clone(), &[*value], None).unwrap()[0]).collect()
}

/// The gradients of an output with respect to the values that are floats.
fn gradients(builder: &mut Builder, values: &[ValueId], output: ValueId) -> Vec<ValueId> {
    let one = Constant { dtype: DType::F64, sizes: vec![], bytes: 1.0_f64.to_ne_bytes().as_slice().into() };
    let one = builder.emit(Op::Constant(one), &[], None).unwrap()[0];
    let range = Range { first: values[0], last: None };
    let wrt: Vec<ValueId> =
        values.iter().copied().filter(|value| builder.function().ty(*value).has_tangent()).collect();
    let adjoints = vjp(builder, range, &wrt, &[(output, one)]).unwrap();
    let pairs = wrt.iter().zip(adjoints);
    pairs
        .map(|(value, adjoint)| adjoint.unwrap_or_else(|| ag_grad::zeros_like(builder, *value).unwrap()))
        .collect()
}

/// The gradients of the first result of a program, or of its sum.
fn gradient_of(function: &Function) -> Function {
    let mut builder = Builder::new("gradient");
    let params: Vec<ValueId> =
        function.body.params.iter().map(|param| builder.param(function.ty(*param).clone())).collect();
    let values = identities(&mut builder, &params);
    let region = graft(&mut builder, function);
    for (param, value) in region.params.iter().zip(&values) {
        builder.push(Node {
            op: Op::Identity(Identity::Plain),
            operands: vec![*value],
            results: vec![*param],
            regions: Vec::new(),
            location: None,
        });
    }
    region.nodes.into_iter().for_each(|node| builder.push(node));
    let mut output = region.results[0];
    let rank = builder.function().tensor(output).rank();
    if rank > 0 {
        let sum = Op::Reduce { op: ReduceOp::Sum, axes: (0..rank).collect(), keepdims: false };
        output = builder.emit(sum, &[output], None).unwrap()[0];
    }
    let gradients = gradients(&mut builder, &values, output);
    let function = builder.finish(gradients);
    verify(&function).unwrap_or_else(|errors| panic!("{errors:?}\n{function}"));
    function
}

/// The gradients of the sum of what all rows give.
fn gradient_of_batch(case: &Case, flags: &[bool], dim: Dim) -> Function {
    let mut builder = Builder::new("gradient");
    let mut params = Vec::new();
    for (param, is_batched) in case.function.body.params.iter().zip(flags) {
        let ty = case.function.tensor(*param).clone();
        let shape = if *is_batched { [&[dim], &ty.shape[..]].concat() } else { ty.shape };
        params.push(builder.param(Type::new(ty.dtype, shape)));
    }
    let values = identities(&mut builder, &params);
    let region = graft(&mut builder, &case.function);
    let operands: Vec<Operand> = values
        .iter()
        .zip(flags)
        .map(|(value, is_batched)| Operand { value: *value, is_batched: *is_batched })
        .collect();
    let (result, is_batched) = vmap(&mut builder, &region, &operands).unwrap()[0];
    assert!(is_batched);
    let sum = Op::Reduce { op: ReduceOp::Sum, axes: vec![0], keepdims: false };
    let total = builder.emit(sum, &[result], None).unwrap()[0];
    let gradients = gradients(&mut builder, &values, total);
    let function = builder.finish(gradients);
    verify(&function).unwrap_or_else(|errors| panic!("{errors:?}\n{function}"));
    function
}

fn floats(array: &Array) -> Vec<f64> {
    array.bytes.as_chunks::<8>().0.iter().map(|word| f64::from_ne_bytes(*word)).collect()
}

/// Checks the batched gradient of a program, and the gradient of the batched program, whose last operand
/// is batched.
fn check(text: &str, integers: &[i64]) {
    let last = parse(text).body.params.len() - 1;
    let gradient =
        Case { function: gradient_of(&parse(text)), ..Case::new(text) }.with_integers(last, integers);
    gradient.check();
    let second = Case { function: gradient_of(&gradient.function), ..Case::new(text) };
    second.with_integers(last, integers).check();
    let case = Case::new(text).with_integers(last, integers);
    for choice in 0..1_usize << last {
        let flags: Vec<bool> = (0..=last).map(|number| number == last || choice >> number & 1 == 1).collect();
        for dim in [Dim::Known(ROWS), Dim::Unknown] {
            check_batch(&case, &gradient, &flags, dim);
        }
    }
}

fn check_batch(case: &Case, gradient: &Case, flags: &[bool], dim: Dim) {
    let function = gradient_of_batch(case, flags, dim);
    let inputs: Vec<Array> = case
        .rows
        .iter()
        .zip(flags)
        .map(|(rows, is_batched)| if *is_batched { stack(rows) } else { rows[0].clone() })
        .collect();
    let got = interpret(&function, &inputs, &mut Printed::default())
        .unwrap_or_else(|error| panic!("{flags:?}: {error:?}\n{function}"));
    let rows: Vec<Vec<Array>> = (0..ROWS)
        .map(|row| {
            let operands: Vec<Array> = case
                .rows
                .iter()
                .zip(flags)
                .map(|(rows, is_batched)| rows[if *is_batched { row } else { 0 }].clone())
                .collect();
            interpret(&gradient.function, &operands, &mut Printed::default()).unwrap()
        })
        .collect();
    for (number, got) in got.iter().enumerate() {
        let expected = |row: usize| floats(&rows[row][number]);
        if flags[number] {
            (0..ROWS).for_each(|row| assert_close(&floats(&part(got, row)), &expected(row), flags));
        } else {
            let mut sum = vec![0.0; floats(got).len()];
            for row in 0..ROWS {
                sum.iter_mut().zip(expected(row)).for_each(|(sum, one)| *sum += one);
            }
            assert_close(&floats(got), &sum, flags);
        }
    }
}

/// No row enters a loop.
const NO_ROUNDS: &[i64] = &[0, 0, 0, 0];

fn assert_close(got: &[f64], expected: &[f64], flags: &[bool]) {
    let is_close = |(one, other): (&f64, &f64)| (one - other).abs() <= 1e-12 * (1.0 + other.abs());
    assert!(
        got.len() == expected.len() && got.iter().zip(expected).all(is_close),
        "{flags:?}: {got:?} {expected:?}"
    );
}

#[test]
fn gradients_of_branches() {
    let text = "function f(%0: f64[3], %1: f64[], %2: i64[]) {
  %3: i64[] = constant 1
  %4: bool[] = gt %2, %3
  %5: f64[3] = if %4 then {
    %6: f64[3] = mul %0, %1
    yield %6
  } else {
    %7: f64[] = gather %0, %2 axis=0
    %8: f64[3] = mul %0, %7
    yield %8
  }
  %9: f64[3] = sin %5
  %10: f64[] = sum %9 axes=[0]
  return %10
}";
    check(text, &[0, 2, 1, 5]);
}

const LOOP: &str = "function f(%0: f64[2], %1: f64[], %2: i64[]) {
  %3: i64[] = constant 0
  %4: i64[] = constant 1
  %5: f64[2], %6: i64[] = while %0, %2 test(%7: f64[2], %8: i64[]) {
    %9: bool[] = gt %8, %3
    yield %9
  } body(%10: f64[2], %11: i64[]) {
    %12: f64[2] = mul %10, %1
    %13: f64[2] = sin %12
    %14: i64[] = sub %11, %4
    yield %13, %14
  }
  %15: f64[2] = mul %5, %0
  %16: f64[] = sum %15 axes=[0]
  return %16
}";

#[test]
fn gradients_of_loops() {
    check(LOOP, &[3, 0, 5, 1]);
    check(LOOP, NO_ROUNDS);
    let range = "function f(%0: f64[2], %1: f64[], %2: i64[]) {
  %3: i64[] = constant 0
  %4: i64[] = constant 1
  %5: f64[2] = for %3, %2, %4, %0 body(%6: i64[], %7: f64[2]) {
    %8: f64[] = cast %6
    %9: f64[] = sub %1, %8
    %10: f64[2] = mul %7, %9
    yield %10
  }
  %16: f64[] = sum %5 axes=[0]
  return %16
}";
    check(range, &[3, 0, 5, 1]);
    check(range, NO_ROUNDS);
}

#[test]
fn gradients_of_recursions() {
    let text = "function f(%0: f64[], %1: f64[2], %2: i64[]) {
  %3: f64[] = call %0, %1, %2 callee=0
  return %3
}
function g(%0: f64[], %1: f64[2], %2: i64[]) {
  %3: i64[] = constant 0
  %4: bool[] = gt %2, %3
  %5: f64[] = if %4 then {
    %6: i64[] = constant 1
    %7: i64[] = sub %2, %6
    %8: f64[] = call %0, %1, %7 callee=0
    %9: f64[2] = mul %1, %8
    %10: f64[] = sum %9 axes=[0]
    yield %10
  } else {
    %11: f64[] = exp %0
    yield %11
  }
  return %5
}";
    check(text, &[3, 0, 5, 1]);
    check(text, NO_ROUNDS);
}

#[test]
fn gradients_of_lists() {
    let text = "function f(%0: f64[], %1: i64[]) {
  %2: i64[] = constant 0
  %3: i64[] = constant 1
  %4: list<f64[]> = list_make %0
  %5: list<f64[]>, %6: f64[] = for %2, %1, %3, %4, %0 body(%7: i64[], %8: list<f64[]>, %9: f64[]) {
    %10: f64[] = list_get %8, %7
    %11: f64[] = mul %10, %9
    %12: list<f64[]> = list_append %8, %11
    yield %12, %11
  }
  %13: list<f64[]>, %14: f64[] = list_pop %5
  return %14
}";
    check(text, &[3, 0, 5, 1]);
    check(text, NO_ROUNDS);
}
