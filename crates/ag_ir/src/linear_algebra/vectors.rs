//! Vector code for the processor at hand, of safe Rust: rows of real numbers.
//!
//! A product is added without being rounded where the processor can, so that results differ in their last digits
//! between processors that can and cannot; on one machine they are always the same.

use std::sync::OnceLock;

use pulp::{Arch, Simd, WithSimd};

/// The widest vectors of this processor, or the lesser ones that `AUTOGRAPH_ISA=base|avx2|avx512` asks for, as tests
/// do.
pub(super) fn arch() -> Arch {
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
pub(super) fn in_vectors<R>(work: impl FnOnce() -> R) -> R {
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
        $crate::linear_algebra::vectors::arch().dispatch(Work { $($name,)* lifetime: std::marker::PhantomData })
    }};
}
pub(super) use with_vectors;

/// `aᵀ b`
pub(super) fn inner(a: &[f64], b: &[f64]) -> f64 {
    let [sum] = inners([a], b);
    sum
}

/// `aᵀ b` for several `a`.
pub(super) fn inners<const COUNT: usize>(rows: [&[f64]; COUNT], b: &[f64]) -> [f64; COUNT] {
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
pub(super) fn inners_in<S: Simd, const COUNT: usize>(
    simd: S,
    rows: [&[f64]; COUNT],
    b: &[f64],
) -> [f64; COUNT] {
    let rows = rows.map(|row| S::as_simd_f64s(&row[..b.len()]));
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
    sums.map(|[one, other]| simd.reduce_sum_f64s(simd.add_f64s(one, other)))
}

/// `to += Σ factor from`, one after the other.
pub(super) fn add_rows<const COUNT: usize>(to: &mut [f64], factors: [f64; COUNT], rows: [&[f64]; COUNT]) {
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
pub(super) fn add_rows_in<S: Simd, const COUNT: usize>(
    simd: S,
    to: &mut [f64],
    factors: [f64; COUNT],
    rows: [&[f64]; COUNT],
) {
    let rows = rows.map(|row| S::as_simd_f64s(&row[..to.len()]));
    let factors = factors.map(|factor| simd.splat_f64s(factor));
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
pub(super) fn rows_by_vector(to: &mut [f64], rows: &[f64], stride: usize, x: &[f64]) {
    with_vectors!(|simd: S, to: &'w mut [f64], rows: &'w [f64], stride: usize, x: &'w [f64]| -> () {
        let row_of = |row: usize| &rows[row * stride..row * stride + x.len()];
        let count = to.len();
        let whole = count - count % TOGETHER;
        for first in (0..whole).step_by(TOGETHER) {
            let found = inners_in::<S, TOGETHER>(simd, std::array::from_fn(|row| row_of(first + row)), x);
            to[first..first + TOGETHER].copy_from_slice(&found);
        }
        for row in whole..count {
            let [found] = inners_in(simd, [row_of(row)], x);
            to[row] = found;
        }
    });
}

/// `to += Σ factorᵢ rowᵢ` for rows that are `stride` numbers apart.
pub(super) fn add_all_rows(to: &mut [f64], factors: &[f64], rows: &[f64], stride: usize) {
    with_vectors!(|simd: S, to: &'w mut [f64], factors: &'w [f64], rows: &'w [f64], stride: usize| -> () {
        let width = to.len();
        let row_of = |row: usize| &rows[row * stride..row * stride + width];
        let count = factors.len();
        let whole = count - count % TOGETHER;
        for first in (0..whole).step_by(TOGETHER) {
            add_rows_in::<S, TOGETHER>(
                simd,
                to,
                std::array::from_fn(|row| factors[first + row]),
                std::array::from_fn(|row| row_of(first + row)),
            );
        }
        for row in whole..count {
            add_rows_in(simd, to, [factors[row]], [row_of(row)]);
        }
    });
}

/// `to += A x` for a symmetric matrix, of which the upper triangle is read once.
pub(super) fn symmetric_by_vector(to: &mut [f64], a: &[f64], stride: usize, x: &[f64]) {
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
            let rows: [&[f64]; TOGETHER] =
                std::array::from_fn(|row| &a[(first + row) * stride + end..(first + row) * stride + n]);
            let factors: [f64; TOGETHER] = std::array::from_fn(|row| x[first + row]);
            let (own, others) = to.split_at_mut(end);
            let sums = both_ways(simd, rows, &x[end..], factors, others);
            own[first..].iter_mut().zip(sums).for_each(|(one, sum)| *one += sum);
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
    let rows = rows.map(|row| S::as_simd_f64s(&row[..x.len()]));
    let (numbers, rest) = S::as_simd_f64s(x);
    let (whole, to_rest) = S::as_mut_simd_f64s(&mut to[..x.len()]);
    let factors = factors.map(|factor| simd.splat_f64s(factor));
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
    sums.map(|sum| simd.reduce_sum_f64s(sum))
}
