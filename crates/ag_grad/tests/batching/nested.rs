//! A batch of batches: what was batched is batched again.

use ag_grad::{GradientError, Operand, vmap};
use ag_ir::{Array, Builder, Dim, Function, Type, ValueId, interpret, verify};

use crate::harness::{Case, Printed, graft, part, show, stack};

/// How many rows there are on each level.
const SIDE: usize = 2;

/// On which levels an operand is batched: outside, inside.
type Levels = [bool; 2];

impl Case {
    /// Batches twice in every way, and compares with what single rows give.
    pub(crate) fn check_nested(&self) {
        let count = self.rows.len();
        for choice in 0..4_usize.pow(count as u32) {
            for dim in [Dim::Known(SIDE), Dim::Unknown] {
                let levels: Vec<Levels> = (0..count)
                    .map(|operand| [choice >> (2 * operand) & 1 == 1, choice >> (2 * operand + 1) & 1 == 1])
                    .collect();
                self.check_levels(&levels, dim);
            }
        }
    }

    /// The value of an operand for an outer and an inner row.
    fn at(&self, operand: usize, [is_outer, is_inner]: Levels, [outer, inner]: [usize; 2]) -> Array {
        let number = if is_outer { outer * SIDE } else { 0 } + if is_inner { inner } else { 0 };
        self.rows[operand][number].clone()
    }

    fn check_levels(&self, levels: &[Levels], dim: Dim) {
        let (function, flags) = self.twice(levels, dim).unwrap_or_else(|error| panic!("{levels:?}: {error}"));
        verify(&function).unwrap_or_else(|errors| panic!("{levels:?}: {errors:?}\n{function}"));
        let inputs: Vec<Array> =
            levels.iter().enumerate().map(|(operand, levels)| self.input(operand, *levels)).collect();
        let got = interpret(&function, &inputs, &mut Printed::default())
            .unwrap_or_else(|error| panic!("{levels:?}: {error:?}\n{function}"));
        for place in [[0, 0], [0, 1], [1, 0], [1, 1]] {
            let row: Vec<Array> =
                levels.iter().enumerate().map(|(operand, levels)| self.at(operand, *levels, place)).collect();
            let expected = interpret(&self.function, &row, &mut Printed::default()).unwrap();
            for (number, expected) in expected.iter().enumerate() {
                let mut own = got[number].clone();
                for (is_batched, row) in flags[number].iter().zip(place) {
                    if *is_batched {
                        own = part(&own, row);
                    }
                }
                assert_eq!(
                    show(&own),
                    show(expected),
                    "{levels:?}: result {number} at {place:?}\n{function}"
                );
            }
        }
    }

    fn input(&self, operand: usize, levels: Levels) -> Array {
        let inner = |outer: usize| {
            let rows: Vec<Array> = (0..SIDE).map(|inner| self.at(operand, levels, [outer, inner])).collect();
            if levels[1] { stack(&rows) } else { rows[0].clone() }
        };
        if levels[0] { stack(&[inner(0), inner(1)]) } else { inner(0) }
    }

    /// The program batched inside, and that batched outside; and on which levels its results are batched.
    fn twice(&self, levels: &[Levels], dim: Dim) -> Result<(Function, Vec<Levels>), GradientError> {
        let mut builder = Builder::new("nested");
        let mut types = Vec::new();
        for (param, levels) in self.function.body.params.iter().zip(levels) {
            let ty = self.function.tensor(*param).clone();
            let shape = if levels[1] { [&[dim], &ty.shape[..]].concat() } else { ty.shape };
            types.push((ty.dtype, shape));
        }
        let outer: Vec<Operand> = types
            .iter()
            .zip(levels)
            .map(|((dtype, shape), levels)| {
                let shape = if levels[0] { [&[dim], &shape[..]].concat() } else { shape.clone() };
                Operand { value: builder.param(Type::new(*dtype, shape)), is_batched: levels[0] }
            })
            .collect();
        let region = graft(&mut builder, &self.function);
        builder.open();
        let inner: Vec<Operand> = types
            .iter()
            .zip(levels)
            .map(|((dtype, shape), levels)| {
                let value = builder.param(Type::new(*dtype, shape.clone()));
                Operand { value, is_batched: levels[1] }
            })
            .collect();
        let results = vmap(&mut builder, &region, &inner)?;
        let (values, inside): (Vec<ValueId>, Vec<bool>) = results.into_iter().unzip();
        let region = builder.close(values);
        let results = vmap(&mut builder, &region, &outer)?;
        let (values, outside): (Vec<ValueId>, Vec<bool>) = results.into_iter().unzip();
        let flags = outside.into_iter().zip(inside).map(<[bool; 2]>::from).collect();
        Ok((builder.finish(values), flags))
    }
}

#[test]
fn what_rows_do_alike_is_batched_twice() {
    let text = "function f(%0: f64[2, 3], %1: i64[], %2: f64[3]) {
  %3: f64[2] = dot %0, %2 left_contract=[1] right_contract=[0]
  %4: f64[3] = gather %0, %1 axis=0
  %5: f64[3] = mul %4, %2
  %6: f64[] = sum %5 axes=[0]
  %7: f64[2] = scatter %3, %6, %1 axis=0
  return %7, %5
}";
    Case::new(text).with_integers(1, &[0, 1, 1, 0]).check_nested();
}

#[test]
fn control_flow_that_differs_between_rows_of_rows() {
    let text = "function f(%0: f64[2], %1: i64[]) {
  %2: i64[] = constant 1
  %3: i64[], %4: f64[2] = while %1, %0 test(%5: i64[], %6: f64[2]) {
    %7: bool[] = gt %5, %2
    yield %7
  } body(%8: i64[], %9: f64[2]) {
    %10: i64[] = constant 2
    %11: i64[] = mod %8, %10
    %12: bool[] = eq %11, %2
    %13: f64[2] = if %12 then {
      %14: f64[2] = mul %9, %0
      yield %14
    } else {
      %15: f64[2] = exp %9
      yield %15
    }
    %16: i64[] = sub %8, %2
    yield %16, %13
  }
  %17: f64[] = call %4, %1 callee=0
  return %3, %4, %17
}
function g(%0: f64[2], %1: i64[]) {
  %2: i64[] = constant 0
  %3: bool[] = gt %1, %2
  %4: f64[] = if %3 then {
    %5: i64[] = constant 1
    %6: i64[] = sub %1, %5
    %7: f64[] = call %0, %6 callee=0
    %8: f64[] = constant 2.0
    %9: f64[] = mul %7, %8
    yield %9
  } else {
    %10: f64[] = sum %0 axes=[0]
    yield %10
  }
  return %4
}";
    Case::new(text).with_integers(1, &[3, 0, 5, 1]).check_nested();
}

#[test]
fn lists_whose_lengths_differ_between_rows_of_rows() {
    let text = "function f(%0: f64[], %1: i64[]) {
  %2: i64[] = constant 0
  %3: i64[] = constant 1
  %4: list<f64[]> = list_make %0
  %5: list<f64[]>, %6: f64[] = for %2, %1, %3, %4, %0 body(%7: i64[], %8: list<f64[]>, %9: f64[]) {
    %10: f64[] = list_get %8, %7
    %11: f64[] = mul %10, %9
    %12: list<f64[]> = list_append %8, %11
    %13: list<f64[]> = list_append %12, %0
    yield %13, %11
  }
  %14: bool[] = gt %1, %3
  %15: list<f64[]> = if %14 then {
    %16: list<f64[]> = list_append %5, %6
    yield %16
  } else {
    %17: list<f64[]>, %18: f64[] = list_pop %5
    yield %17
  }
  %19: i64[] = list_length %15
  return %6, %19
}";
    Case::new(text).with_integers(1, &[3, 0, 5, 1]).check_nested();
}
