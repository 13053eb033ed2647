//! What is done with lines and other lines: places in ordered ones, products with shifted ones.

use super::arrays::{i64_of, is_after};
use super::data::{Data, Elements};
use super::elementwise::chain;
use crate::run::Failure;
/// Halves what is left of a line, until it is one element, and looks at that.
pub(super) fn search(counts_equal: bool, ordered: &Data, x: &Data) -> Result<Data, Failure> {
    let (size, count) = (ordered.sizes[ordered.sizes.len() - 1], x.sizes[x.sizes.len() - 1]);
    let (first, all) = (ordered.sizes.iter().product::<usize>(), x.sizes.iter().product::<usize>());
    let both = Data::new(vec![first + all], chain(&[ordered, x]));
    let mut places = Vec::new();
    for wanted in 0..all {
        let line = wanted / count * size;
        let goes_before = |place: usize| -> Result<bool, Failure> {
            let (one, other) = (line + place, first + wanted);
            Ok(if counts_equal { !is_after(&both, one, other)? } else { is_after(&both, other, one)? })
        };
        let (mut place, mut left) = (0, size);
        while left > 1 {
            let half = left / 2;
            if goes_before(place + half - 1)? {
                place += half;
            }
            left -= half;
        }
        places.push(i64_of(place + usize::from(left == 1 && goes_before(place)?)));
    }
    Ok(Data::new(x.sizes.clone(), Elements::I64(places)))
}

/// Products of `f32` are exact in the double precision in which they are summed.
pub(super) fn correlate(before: usize, sizes: Vec<usize>, x: &Data, y: &Data) -> Data {
    let last = |sizes: &[usize]| sizes[sizes.len() - 1];
    let shape = (last(&x.sizes), last(&y.sizes), last(&sizes), before);
    let count = sizes.iter().product();
    let elements = match (&x.elements, &y.elements) {
        (Elements::F64(x), Elements::F64(y)) => {
            Elements::F64(slide(shape, count, x, y, 0.0, |sum, x, y| sum + x * y))
        }
        (Elements::F32(x), Elements::F32(y)) => {
            let add = |sum: f64, x: f32, y: f32| sum + f64::from(x) * f64::from(y);
            Elements::F32(slide(shape, count, x, y, 0.0, add).into_iter().map(|sum| sum as f32).collect())
        }
        (Elements::I64(x), Elements::I64(y)) => {
            Elements::I64(slide(shape, count, x, y, 0, |sum: i64, x, y| sum.wrapping_add(x.wrapping_mul(y))))
        }
        (Elements::I32(x), Elements::I32(y)) => {
            Elements::I32(slide(shape, count, x, y, 0, |sum: i32, x, y| sum.wrapping_add(x.wrapping_mul(y))))
        }
        (Elements::U8(x), Elements::U8(y)) => {
            Elements::U8(slide(shape, count, x, y, 0, |sum: u8, x, y| sum.wrapping_add(x.wrapping_mul(y))))
        }
        (Elements::Bool(x), Elements::Bool(y)) => {
            Elements::Bool(slide(shape, count, x, y, false, |any, x, y| any | (x & y)))
        }
        (other, _) => other.clone(),
    };
    Data::new(sizes, elements)
}

/// Joins the products of a line with shifts of another, for lines of `n` and `m` elements.
fn slide<T: Copy, S: Copy>(
    (n, m, size, before): (usize, usize, usize, usize),
    count: usize,
    x: &[T],
    y: &[T],
    start: S,
    add: impl Fn(S, T, T) -> S,
) -> Vec<S> {
    (0..count)
        .map(|number| {
            let (line, place) = (number / size, number % size);
            let inside = (0..m).filter(|other| (before..before + n).contains(&(place + other)));
            inside
                .fold(start, |sum, other| add(sum, x[line * n + place + other - before], y[line * m + other]))
        })
        .collect()
}
