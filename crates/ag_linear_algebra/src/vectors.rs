//! Vector code for the processor at hand, of safe Rust: rows of real numbers.
//!
//! A product is added without being rounded where the processor can, so that results differ in their last
//! digits between processors that can and cannot; on one machine they are always the same.

use std::sync::OnceLock;

use pulp::{Arch, Simd, WithSimd};

/// The widest vectors of this processor, or the lesser ones that `AUTOGRAPH_ISA=base|avx2|avx512` asks for,
/// as tests do.
pub(crate) fn arch() -> Arch {
    static ARCH: OnceLock<Arch> = OnceLock::new();
    *ARCH.get_or_init(|| match std::env::var("AUTOGRAPH_ISA").as_deref() {
        Ok("base") => Arch::Scalar,
        #[cfg(target_arch = "x86_64")]
        Ok("avx2") => pulp::x86::V3::try_new().map_or(Arch::Scalar, Arch::V3),
        _ => Arch::new(),
    })
}

/// Does the work in code for the vectors of this processor. What the work calls must be inlined into it.
#[inline(always)]
pub(crate) fn in_vectors<R>(work: impl FnOnce() -> R) -> R {
    arch().dispatch(work)
}

/// A block as a function that is compiled for each set of vectors: `simd` is its vectors, of the type `S`.
macro_rules! with_vectors {
    (|$simd:ident: $S:ident $(, $name:ident: $type:ty)*| -> $out:ty $body:block) => {{
        struct Work<'w> {
            $($name: $type,)*
            lifetime: std::marker::PhantomData<&'w ()>,
        }
        impl<'w> pulp::WithSimd for Work<'w> {
            type Output = $out;
            #[inline(always)]
            fn with_simd<$S: pulp::Simd>(self, $simd: $S) -> $out {
                let Self { $($name,)* lifetime: _ } = self;
                $body
            }
        }
        $crate::vectors::arch().dispatch(Work { $($name,)* lifetime: std::marker::PhantomData })
    }};
}
pub(crate) use with_vectors;

/// `aᵀ b`
pub(crate) fn inner(a: &[f64], b: &[f64]) -> f64 {
    let [sum] = inners([a], b);
    sum
}

/// `aᵀ b` for several `a`.
pub(crate) fn inners<const COUNT: usize>(rows: [&[f64]; COUNT], b: &[f64]) -> [f64; COUNT] {
    struct Inners<'a, const COUNT: usize>([&'a [f64]; COUNT], &'a [f64]);
    impl<const COUNT: usize> WithSimd for Inners<'_, COUNT> {
        type Output = [f64; COUNT];
        #[inline(always)]
        fn with_simd<S: Simd>(self, simd: S) -> [f64; COUNT] {
            inners_in(simd, self.0, self.1)
        }
    }
    arch().dispatch(Inners(rows, b))
}

/// [`inners`] in vector code.
#[inline(always)]
pub(crate) fn inners_in<S: Simd, const COUNT: usize>(
    simd: S,
    rows: [&[f64]; COUNT],
    b: &[f64],
) -> [f64; COUNT] {
    let rows = split_rows::<S, COUNT>(rows, b.len());
    let (numbers, rest) = S::as_simd_f64s(b);
    let zero = simd.splat_f64s(0.0);
    let mut sums = [[zero; 2]; COUNT];
    let pairs = numbers.len() / 2;
    for pair in 0..pairs {
        for half in 0..2 {
            let number = numbers[2 * pair + half];
            for row in 0..COUNT {
                sums[row][half] = simd.mul_add_e_f64s(rows[row].0[2 * pair + half], number, sums[row][half]);
            }
        }
    }
    if numbers.len() % 2 == 1 {
        let place = 2 * pairs;
        for row in 0..COUNT {
            sums[row][0] = simd.mul_add_e_f64s(rows[row].0[place], numbers[place], sums[row][0]);
        }
    }
    if !rest.is_empty() {
        let rest = simd.partial_load_f64s(rest);
        for row in 0..COUNT {
            sums[row][1] = simd.mul_add_e_f64s(simd.partial_load_f64s(rows[row].1), rest, sums[row][1]);
        }
    }
    let mut found = [0.0; COUNT];
    for row in 0..COUNT {
        found[row] = simd.reduce_sum_f64s(simd.add_f64s(sums[row][0], sums[row][1]));
    }
    found
}

/// The vectors of each row, and what is left of it. (A closure would not be compiled for the vectors.)
#[inline(always)]
fn split_rows<S: Simd, const COUNT: usize>(
    rows: [&[f64]; COUNT],
    length: usize,
) -> [(&[S::f64s], &[f64]); COUNT] {
    let mut found: [(&[S::f64s], &[f64]); COUNT] = [(&[], &[]); COUNT];
    for row in 0..COUNT {
        found[row] = S::as_simd_f64s(&rows[row][..length]);
    }
    found
}

/// A vector of each number.
#[inline(always)]
fn splat_all<S: Simd, const COUNT: usize>(simd: S, numbers: [f64; COUNT]) -> [S::f64s; COUNT] {
    let mut found = [simd.splat_f64s(0.0); COUNT];
    for row in 0..COUNT {
        found[row] = simd.splat_f64s(numbers[row]);
    }
    found
}

/// Rows of so many numbers, which are `stride` apart.
#[inline(always)]
fn rows_from(rows: &[f64], stride: usize, length: usize) -> [&[f64]; TOGETHER] {
    [
        &rows[..length],
        &rows[stride..stride + length],
        &rows[2 * stride..2 * stride + length],
        &rows[3 * stride..3 * stride + length],
    ]
}

/// `to += Σ factor from`, one after the other.
pub(crate) fn add_rows<const COUNT: usize>(to: &mut [f64], factors: [f64; COUNT], rows: [&[f64]; COUNT]) {
    struct AddRows<'a, const COUNT: usize>(&'a mut [f64], [f64; COUNT], [&'a [f64]; COUNT]);
    impl<const COUNT: usize> WithSimd for AddRows<'_, COUNT> {
        type Output = ();
        #[inline(always)]
        fn with_simd<S: Simd>(self, simd: S) {
            add_rows_in(simd, self.0, self.1, self.2);
        }
    }
    arch().dispatch(AddRows(to, factors, rows));
}

/// [`add_rows`] in vector code.
#[inline(always)]
pub(crate) fn add_rows_in<S: Simd, const COUNT: usize>(
    simd: S,
    to: &mut [f64],
    factors: [f64; COUNT],
    rows: [&[f64]; COUNT],
) {
    let rows = split_rows::<S, COUNT>(rows, to.len());
    let factors = splat_all(simd, factors);
    let (whole, rest) = S::as_mut_simd_f64s(to);
    for (place, one) in whole.iter_mut().enumerate() {
        let mut sum = *one;
        for row in 0..COUNT {
            sum = simd.mul_add_e_f64s(factors[row], rows[row].0[place], sum);
        }
        *one = sum;
    }
    if !rest.is_empty() {
        let mut sum = simd.partial_load_f64s(rest);
        for row in 0..COUNT {
            sum = simd.mul_add_e_f64s(factors[row], simd.partial_load_f64s(rows[row].1), sum);
        }
        simd.partial_store_f64s(rest, sum);
    }
}

/// Rows that a pass over a matrix takes together.
const TOGETHER: usize = 4;

/// `to[i] = rowᵢᵀ x` for rows that are `stride` numbers apart.
pub(crate) fn rows_by_vector(to: &mut [f64], rows: &[f64], stride: usize, x: &[f64]) {
    with_vectors!(|simd: S, to: &'w mut [f64], rows: &'w [f64], stride: usize, x: &'w [f64]| -> () {
        let (count, length) = (to.len(), x.len());
        let whole = count - count % TOGETHER;
        for first in (0..whole).step_by(TOGETHER) {
            let found = inners_in(simd, rows_from(&rows[first * stride..], stride, length), x);
            to[first..first + TOGETHER].copy_from_slice(&found);
        }
        for row in whole..count {
            let [found] = inners_in(simd, [&rows[row * stride..row * stride + length]], x);
            to[row] = found;
        }
    });
}

/// `to += Σ factorᵢ rowᵢ` for rows that are `stride` numbers apart.
pub(crate) fn add_all_rows(to: &mut [f64], factors: &[f64], rows: &[f64], stride: usize) {
    with_vectors!(|simd: S, to: &'w mut [f64], factors: &'w [f64], rows: &'w [f64], stride: usize| -> () {
        let (count, length) = (factors.len(), to.len());
        let whole = count - count % TOGETHER;
        for first in (0..whole).step_by(TOGETHER) {
            let own = [factors[first], factors[first + 1], factors[first + 2], factors[first + 3]];
            add_rows_in(simd, to, own, rows_from(&rows[first * stride..], stride, length));
        }
        for row in whole..count {
            add_rows_in(simd, to, [factors[row]], [&rows[row * stride..row * stride + length]]);
        }
    });
}

/// `to += A x` for a symmetric matrix, of which the upper triangle is read once.
pub(crate) fn symmetric_by_vector(to: &mut [f64], a: &[f64], stride: usize, x: &[f64]) {
    with_vectors!(|simd: S, to: &'w mut [f64], a: &'w [f64], stride: usize, x: &'w [f64]| -> () {
        let n = x.len();
        let whole = n - n % TOGETHER;
        for first in (0..whole).step_by(TOGETHER) {
            let end = first + TOGETHER;
            for row in first..end {
                let numbers = &a[row * stride..row * stride + end];
                to[row] += numbers[row] * x[row];
                for column in row + 1..end {
                    to[row] += numbers[column] * x[column];
                    to[column] += numbers[column] * x[row];
                }
            }
            // At the end there is nothing beside the triangle.
            let rows = if end == n {
                [&a[..0]; TOGETHER]
            } else {
                rows_from(&a[first * stride + end..], stride, n - end)
            };
            let factors = [x[first], x[first + 1], x[first + 2], x[first + 3]];
            let (own, others) = to.split_at_mut(end);
            let sums = both_ways(simd, rows, &x[end..], factors, others);
            for row in 0..TOGETHER {
                own[first + row] += sums[row];
            }
        }
        for row in whole..n {
            let numbers = &a[row * stride..row * stride + n];
            to[row] += numbers[row] * x[row];
            for column in row + 1..n {
                to[row] += numbers[column] * x[column];
                to[column] += numbers[column] * x[row];
            }
        }
    });
}

/// `rowᵀ x` for each row; and adds the rows, times these factors, to `to`.
#[inline(always)]
fn both_ways<S: Simd>(
    simd: S,
    rows: [&[f64]; TOGETHER],
    x: &[f64],
    factors: [f64; TOGETHER],
    to: &mut [f64],
) -> [f64; TOGETHER] {
    let rows = split_rows::<S, TOGETHER>(rows, x.len());
    let (numbers, rest) = S::as_simd_f64s(x);
    let (whole, to_rest) = S::as_mut_simd_f64s(&mut to[..x.len()]);
    let factors = splat_all(simd, factors);
    let mut sums = [simd.splat_f64s(0.0); TOGETHER];
    for (place, (x, to)) in numbers.iter().zip(whole).enumerate() {
        let mut own = *to;
        for row in 0..TOGETHER {
            let number = rows[row].0[place];
            sums[row] = simd.mul_add_e_f64s(number, *x, sums[row]);
            own = simd.mul_add_e_f64s(number, factors[row], own);
        }
        *to = own;
    }
    if !rest.is_empty() {
        let x = simd.partial_load_f64s(rest);
        let mut own = simd.partial_load_f64s(to_rest);
        for row in 0..TOGETHER {
            let number = simd.partial_load_f64s(rows[row].1);
            sums[row] = simd.mul_add_e_f64s(number, x, sums[row]);
            own = simd.mul_add_e_f64s(number, factors[row], own);
        }
        simd.partial_store_f64s(to_rest, own);
    }
    let mut found = [0.0; TOGETHER];
    for row in 0..TOGETHER {
        found[row] = simd.reduce_sum_f64s(sums[row]);
    }
    found
}

/// Divides the numbers below a pivot by it, and subtracts that times the number at its height from each other
/// column; columns are `height` numbers long, and stand one after the other.
pub(crate) fn eliminate(column: &mut [f64], others: &mut [f64], place: usize) {
    with_vectors!(|simd: S, column: &'w mut [f64], others: &'w mut [f64], place: usize| -> () {
        let height = column.len();
        let pivot = simd.splat_f64s(column[place]);
        let (factors, rest) = S::as_mut_simd_f64s(&mut column[place + 1..]);
        for one in factors.iter_mut() {
            *one = simd.div_f64s(*one, pivot);
        }
        if !rest.is_empty() {
            let own = simd.partial_load_f64s(rest);
            simd.partial_store_f64s(rest, simd.div_f64s(own, pivot));
        }
        for other in others.chunks_exact_mut(height) {
            let factor = -other[place];
            add_rows_in(simd, &mut other[place + 1..], [factor], [&column[place + 1..]]);
        }
    });
}
