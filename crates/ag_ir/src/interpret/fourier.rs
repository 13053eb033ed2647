//! The discrete Fourier transform by its definition: `X[k] = sum over j of x[j] exp(-2 pi i j k / n)`.
//!
//! It takes `n * n` steps, and shares no code with the engine's fast transform.

use std::f64::consts::TAU;

use super::data::{Data, Elements};

/// The transform of each pair of rows: the real parts of `n` numbers, then the imaginary ones.
pub(super) fn transform(is_inverse: bool, x: &Data) -> Data {
    let size = x.sizes.last().copied().unwrap_or(1).max(1);
    let elements = match &x.elements {
        Elements::F32(list) => {
            let doubles: Vec<f64> = list.iter().map(|value| f64::from(*value)).collect();
            // The transform of `f32` is an `f32`: the extra precision is rounded away.
            Elements::F32(of_all(is_inverse, size, &doubles).into_iter().map(|value| value as f32).collect())
        }
        Elements::F64(list) => Elements::F64(of_all(is_inverse, size, list)),
        other => other.clone(),
    };
    Data::new(x.sizes.clone(), elements)
}

fn of_all(is_inverse: bool, size: usize, numbers: &[f64]) -> Vec<f64> {
    let roots: Vec<(f64, f64)> = (0..size).map(|step| root(is_inverse, step, size)).collect();
    numbers.chunks_exact(2 * size).flat_map(|pair| of_pair(&roots, pair)).collect()
}

/// A power of the root of unity.
fn root(is_inverse: bool, step: usize, size: usize) -> (f64, f64) {
    let (sine, cosine) = (TAU * step as f64 / size as f64).sin_cos();
    (cosine, if is_inverse { sine } else { -sine })
}

fn of_pair(roots: &[(f64, f64)], pair: &[f64]) -> Vec<f64> {
    let (real, imaginary) = pair.split_at(roots.len());
    let sums: Vec<(f64, f64)> = (0..roots.len())
        .map(|k| {
            let terms = real.iter().zip(imaginary).enumerate().map(|(j, (a, b))| {
                let (c, s) = roots[j * k % roots.len()];
                (a * c - b * s, a * s + b * c)
            });
            terms.fold((0.0, 0.0), |sum, term| (sum.0 + term.0, sum.1 + term.1))
        })
        .collect();
    sums.iter().map(|sum| sum.0).chain(sums.iter().map(|sum| sum.1)).collect()
}
