//! A program and its derivatives, batched: the result for all rows at once equals the results of the single
//! rows.

use ag_ir::{Array, Block, DType, Dim, Function, Type, ValueId, verify};

use super::derivatives::opened;
use super::{close, doubles, drawn, is_float, moved, run};
use crate::Operand;
use crate::error::GradientError;

/// The number of rows.
const ROWS: usize = 3;

/// The program of all rows at once, and which of its results are batched.
fn batched(function: &Function) -> Result<(Function, Vec<bool>), GradientError> {
    let mut builder = opened(&Function { body: Block::default(), ..function.clone() });
    let params = function.body.params.iter();
    let operands: Vec<Operand> = params
        .map(|param| Operand { value: builder.param(batch_type(function.ty(*param))), is_batched: true })
        .collect();
    let results = crate::vmap(&mut builder, &function.body, &operands)?;
    let (values, flags): (Vec<ValueId>, Vec<bool>) = results.into_iter().unzip();
    let batched = builder.finish(values);
    verify(&batched).unwrap_or_else(|errors| panic!("{errors:?}\n{batched}"));
    Ok((batched, flags))
}

fn batch_type(ty: &Type) -> Type {
    match ty {
        Type::Tensor(tensor) => Type::new(tensor.dtype, [&[Dim::Known(ROWS)], &tensor.shape[..]].concat()),
        Type::List(element) => Type::list_of(batch_type(element)),
    }
}

/// Stacks rows to one array; for a list, its values stay the first axis.
fn stacked(rows: &[Array], is_list: bool) -> Array {
    let one = &rows[0];
    let bytes = rows.iter().flat_map(|row| row.bytes.clone()).collect();
    let all = Array { dtype: one.dtype, sizes: [&[rows.len()], &one.sizes[..]].concat(), bytes };
    if is_list { with_axes_exchanged(&all) } else { all }
}

fn with_axes_exchanged(array: &Array) -> Array {
    let axes: Vec<usize> = [1, 0].into_iter().chain(2..array.sizes.len()).collect();
    ag_ir::evaluate(&ag_ir::Op::Transpose(axes), std::slice::from_ref(array)).unwrap()
}

fn row(array: &Array, number: usize) -> Array {
    let length: usize = array.sizes[1..].iter().product::<usize>() * array.dtype.size();
    let bytes = array.bytes[number * length..(number + 1) * length].to_vec();
    Array { dtype: array.dtype, sizes: array.sizes[1..].to_vec(), bytes }
}

/// Checks a program on rows near these inputs.
pub(super) fn check_batch(function: &Function, inputs: &[Array]) {
    let is_list = |value: &ValueId| matches!(function.ty(*value), Type::List(_));
    let rows: Vec<Vec<Array>> = (0..ROWS)
        .map(|number| {
            let floats = inputs.iter().filter(|input| is_float(input));
            let along: Vec<Array> = floats.map(|input| drawn(&input.sizes, 40 + number as u64)).collect();
            moved(inputs, &along, 0.01)
        })
        .collect();
    let given: Vec<Array> = (0..inputs.len())
        .map(|input| {
            let of_rows: Vec<Array> = rows.iter().map(|row| row[input].clone()).collect();
            stacked(&of_rows, is_list(&function.body.params[input]))
        })
        .collect();
    let (together, flags) = batched(function).unwrap_or_else(|error| panic!("{error}\n{function}"));
    let found = run(&together, &given);
    for (number, inputs) in rows.iter().enumerate() {
        for (result, wanted) in run(function, inputs).into_iter().enumerate() {
            let all = &found[result];
            let mine = match (flags[result], is_list(&function.body.results[result])) {
                (false, _) => all.clone(),
                (true, false) => row(all, number),
                (true, true) => row(&with_axes_exchanged(all), number),
            };
            assert_eq!((mine.dtype, &mine.sizes), (wanted.dtype, &wanted.sizes), "{function}\n{together}");
            if wanted.dtype != DType::F64 {
                assert_eq!(mine, wanted);
                continue;
            }
            for (mine, wanted) in doubles(&mine).into_iter().zip(doubles(&wanted)) {
                assert!(close(mine, wanted, 1e-9), "{mine}, alone {wanted}\n{function}\n{together}");
            }
        }
    }
}
