//! `cumsum`, `cumprod` and running extrema along an axis.
//!
//! Running extrema seldom change: a block of elements none of which goes beyond the one so far is filled with
//! it.

use ag_ir::{DType, Host, ReduceOp};

use super::effort::in_pieces;
use super::elementwise::Number;
use super::layout;
use super::{Kernel, KernelResult};
use crate::isa::Isa;

/// How many elements of a row are compared with the extremum so far at a time.
const BLOCK: usize = 32;

/// Continues a running result. Arguments: the result before the first element (`inner` elements), the
/// elements and the results, both `[count, inner]`, `count`, `inner`.
///
/// # Safety
/// All are dense and aligned, of these sizes. The results overlap neither the elements nor what is before
/// them.
type RunFn = unsafe fn(*const u8, *const u8, *mut u8, usize, usize);

/// Operands: the array, the result of the same shape.
#[derive(Debug)]
pub(crate) struct Cumulative {
    run: RunFn,
    element_size: usize,
    outer: usize,
    size: usize,
    inner: usize,
}

/// What joins the result so far with an element.
trait Join {
    type Element: Number;
    /// Whether an element that is not better leaves the result as it is.
    const IS_EXTREMUM: bool;
    fn join(so_far: Self::Element, one: Self::Element) -> Self::Element;
    /// Whether an element may change the result.
    fn changes(so_far: Self::Element, one: Self::Element) -> bool;
}

macro_rules! joins {
    ($($name:ident, $is_extremum:literal, |$a:ident, $b:ident| $join:expr, $changes:expr;)*) => {$(
        struct $name<T>(std::marker::PhantomData<T>);
        impl<T: Number> Join for $name<T> {
            type Element = T;
            const IS_EXTREMUM: bool = $is_extremum;
            #[inline(always)]
            fn join($a: T, $b: T) -> T {
                $join
            }
            #[inline(always)]
            fn changes($a: T, $b: T) -> bool {
                $changes
            }
        }
    )*};
}

joins! {
    Sum, false, |a, b| a.add(b), { let _ = (a, b); true };
    Prod, false, |a, b| a.mul(b), { let _ = (a, b); true };
    Max, true, |a, b| a.maximum(b), (a < b) | a.is_nan() | b.is_nan();
    Min, true, |a, b| a.minimum(b), (a > b) | a.is_nan() | b.is_nan();
}

/// Continues a running result along a row.
#[inline(always)]
fn run_row<J: Join>(first: J::Element, from: &[J::Element], to: &mut [J::Element]) {
    let mut so_far = first;
    if !J::IS_EXTREMUM {
        for (one, to) in from.iter().zip(to) {
            so_far = J::join(so_far, *one);
            *to = so_far;
        }
        return;
    }
    for (from, to) in from.chunks(BLOCK).zip(to.chunks_mut(BLOCK)) {
        if from.iter().fold(false, |any, one| any | J::changes(so_far, *one)) {
            for (one, to) in from.iter().zip(to) {
                so_far = J::join(so_far, *one);
                *to = so_far;
            }
        } else {
            to.fill(so_far);
        }
    }
}

/// # Safety
/// That of [`RunFn`].
#[inline(always)]
unsafe fn run<J: Join>(before: *const u8, from: *const u8, to: *mut u8, count: usize, inner: usize) {
    // SAFETY: the caller's.
    let (before, from, to) = unsafe {
        (
            std::slice::from_raw_parts(before.cast::<J::Element>(), inner),
            std::slice::from_raw_parts(from.cast::<J::Element>(), count * inner),
            std::slice::from_raw_parts_mut(to.cast::<J::Element>(), count * inner),
        )
    };
    if let [first] = before {
        return run_row::<J>(*first, from, to);
    }
    let mut before = before;
    for (from, to) in from.chunks_exact(inner).zip(to.chunks_exact_mut(inner)) {
        for ((to, so_far), one) in to.iter_mut().zip(before).zip(from) {
            *to = J::join(*so_far, *one);
        }
        before = to;
    }
}

macro_rules! version {
    ($name:ident $(, $features:literal)?) => {
        /// # Safety
        /// That of [`RunFn`], and the processor has the instructions.
        $(#[cfg(target_arch = "x86_64")] #[target_feature(enable = $features)])?
        unsafe fn $name<J: Join>(
            before: *const u8,
            from: *const u8,
            to: *mut u8,
            count: usize,
            inner: usize,
        ) {
            // SAFETY: the caller's.
            unsafe { run::<J>(before, from, to, count, inner) }
        }
    };
}

version!(run_base);
version!(run_avx2, "avx2,fma");

/// One element waits for another: wider instructions than those of AVX2 do no more.
fn version<J: Join>(isa: Isa) -> RunFn {
    match isa {
        Isa::Exact | Isa::Base => run_base::<J>,
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2 | Isa::Avx512 => run_avx2::<J>,
        #[cfg(not(target_arch = "x86_64"))]
        _ => run_base::<J>,
    }
}

fn of_type<T: Number>(op: ReduceOp, isa: Isa) -> RunFn {
    match op {
        ReduceOp::Sum => version::<Sum<T>>(isa),
        ReduceOp::Prod => version::<Prod<T>>(isa),
        ReduceOp::Max | ReduceOp::Any => version::<Max<T>>(isa),
        ReduceOp::Min | ReduceOp::All => version::<Min<T>>(isa),
    }
}

impl Cumulative {
    /// The kernel for an array of these sizes.
    pub(crate) fn new(op: ReduceOp, dtype: DType, sizes: &[usize], axis: usize, isa: Isa) -> Self {
        let run = match dtype {
            DType::F64 => of_type::<f64>(op, isa),
            DType::F32 => of_type::<f32>(op, isa),
            DType::I64 => of_type::<i64>(op, isa),
            DType::I32 => of_type::<i32>(op, isa),
            DType::U8 | DType::Bool => of_type::<u8>(op, isa),
        };
        Self {
            run,
            element_size: dtype.size(),
            outer: layout::count(&sizes[..axis]),
            size: sizes[axis],
            inner: layout::count(&sizes[axis + 1..]),
        }
    }
}

impl Kernel for Cumulative {
    unsafe fn run(&self, operands: &[*mut u8], host: &mut dyn Host) -> KernelResult {
        let (operand, result) = (operands[0].cast_const(), operands[1]);
        let row = self.inner * self.element_size;
        if self.size * row == 0 {
            return Ok(());
        }
        for outer in 0..self.outer {
            let start = outer * self.size * row;
            // SAFETY: sizes are those of the operands (K2), and the result is apart (K4).
            unsafe { std::ptr::copy_nonoverlapping(operand.add(start), result.add(start), row) };
            in_pieces(self.size - 1, self.inner, host, |piece| {
                let (before, first) = (start + piece.start * row, start + (piece.start + 1) * row);
                // SAFETY: as above; each piece starts where the one before it has ended (K9), aligned (K3).
                unsafe {
                    (self.run)(
                        result.add(before),
                        operand.add(first),
                        result.add(first),
                        piece.len(),
                        self.inner,
                    );
                }
                Ok(())
            })?;
        }
        Ok(())
    }
}
