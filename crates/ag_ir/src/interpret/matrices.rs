//! Decompositions, linear systems and random draws: calls the functions that the engine calls too.

use ag_linear_algebra::{Decomposition, solve_all};

use super::data::{Data, Elements};
use crate::random::{Draw, fill, fill_integers};
use crate::run::Failure;
use crate::types::DType;

/// The sizes of a stack of matrices, then rows and columns of each.
fn matrix_of(sizes: &[usize]) -> (&[usize], usize, usize) {
    match sizes {
        [stack @ .., m, n] => (stack, *m, *n),
        _ => (&[], 0, 0),
    }
}

pub(super) fn decompose(kind: Decomposition, x: &Data) -> Result<Data, Failure> {
    let (stack, m, n) = matrix_of(&x.sizes);
    let sizes = [stack, &[kind.length(m, n)]].concat();
    let count = sizes.iter().product();
    let elements = match &x.elements {
        Elements::F32(list) => {
            let mut rows = vec![0.0; count];
            kind.of_all((m, n), list, &mut rows, &mut |_| Ok(()))?;
            Elements::F32(rows)
        }
        Elements::F64(list) => {
            let mut rows = vec![0.0; count];
            kind.of_all((m, n), list, &mut rows, &mut |_| Ok(()))?;
            Elements::F64(rows)
        }
        other => other.clone(),
    };
    Ok(Data::new(sizes, elements))
}

pub(super) fn solve_lu(lu: &Data, side: &Data) -> Result<Data, Failure> {
    let (_, n, columns) = matrix_of(&side.sizes);
    let elements = match (&lu.elements, &side.elements) {
        (Elements::F32(lus), Elements::F32(sides)) => {
            let mut solutions = vec![0.0; sides.len()];
            solve_all((n, columns), lus, sides, &mut solutions, &mut |_| Ok(()))?;
            Elements::F32(solutions)
        }
        (Elements::F64(lus), Elements::F64(sides)) => {
            let mut solutions = vec![0.0; sides.len()];
            solve_all((n, columns), lus, sides, &mut solutions, &mut |_| Ok(()))?;
            Elements::F64(solutions)
        }
        (_, other) => other.clone(),
    };
    Ok(Data::new(side.sizes.clone(), elements))
}

pub(super) fn random(
    draw: Draw,
    dtype: DType,
    sizes: &[usize],
    [key, counter]: [i64; 2],
    bounds: &[&Data],
) -> Data {
    let count = sizes.iter().product();
    let elements = match (dtype, bounds) {
        (DType::F32, _) => {
            let mut values = vec![0.0; count];
            fill(draw, key, counter, &mut values);
            Elements::F32(values)
        }
        (DType::I64, [low, high]) => {
            let mut values = vec![0; count];
            fill_integers(key, counter, &low.integers(), &high.integers(), &mut values);
            Elements::I64(values)
        }
        _ => {
            let mut values = vec![0.0; count];
            fill(draw, key, counter, &mut values);
            Elements::F64(values)
        }
    };
    Data::new(sizes.to_vec(), elements)
}
