//! One loop body, compiled for each instruction set.
//!
//! An element-wise function is a type with an `apply` for one element; [`of_one`], [`of_two`] and
//! [`of_three`] give a pointer to a loop over many, compiled for the set asked for.
//!
//! All loops have one signature, so that generated code and the tile interpreter call them alike.
//! Operands are dense and aligned to their elements; the result overlaps none of them. There are more loops over
//! functions that take less time than a copy, see [`super::sides`].

use super::number::Element;
use crate::isa::Isa;

/// A loop over `count` elements. Arguments: result, three operands (unused ones are ignored), count. Returns
/// whether an element failed.
///
/// # Safety
/// The operands that the function has are readable, and the result is writable, for `count`
/// elements of its types; the result overlaps no operand.
pub(crate) type TileFn = unsafe extern "C" fn(*mut u8, *const u8, *const u8, *const u8, usize) -> bool;

/// A function of one element.
pub(crate) trait One {
    /// The type of the operand.
    type Operand: Element;
    /// The type of the result.
    type Result: Element;
    /// Whether an element for which [`Self::apply`] reports a failure is computed by [`Self::repaired`]
    /// instead.
    const IS_REPAIRED: bool = false;
    /// Whether [`Self::usual`] takes less time than [`Self::apply`].
    const HAS_USUAL: bool = false;
    /// The function, and whether it failed.
    fn apply<const FMA: bool>(a: Self::Operand) -> (Self::Result, bool);
    /// The function of an element that is as most are: the same bits. And whether it is another, for which the result
    /// is wrong.
    #[inline(always)]
    fn usual<const FMA: bool>(a: Self::Operand) -> (Self::Result, bool) {
        Self::apply::<FMA>(a)
    }
    /// The function for an element that failed: slow, and outside of the loop that is vectorised.
    fn repaired(a: Self::Operand) -> Self::Result {
        Self::apply::<false>(a).0
    }
}

/// A function of two elements.
pub(crate) trait Two {
    /// The type of the operands.
    type Operand: Element;
    /// The type of the result.
    type Result: Element;
    /// Whether elements for which [`Self::apply`] reports a failure are computed by [`Self::repaired`]
    /// instead.
    const IS_REPAIRED: bool = false;
    /// The function, and whether it failed.
    fn apply<const FMA: bool>(a: Self::Operand, b: Self::Operand) -> (Self::Result, bool);
    /// The function for elements that failed: slow, and outside of the loop that is vectorised.
    fn repaired(a: Self::Operand, b: Self::Operand) -> Self::Result {
        Self::apply::<false>(a, b).0
    }
}

/// A function of a condition and two elements.
pub(crate) trait Three {
    /// The type of the operands and the result.
    type Operand: Element;
    /// The function.
    fn apply(condition: u8, a: Self::Operand, b: Self::Operand) -> Self::Operand;
}

/// # Safety
/// That of [`TileFn`].
#[inline(always)]
unsafe fn loop_one<O: One, const FMA: bool>(
    result: *mut u8,
    a: *const u8,
    _: *const u8,
    _: *const u8,
    count: usize,
) -> bool {
    // SAFETY: the caller's promise is that of TileFn.
    let (result, a) = unsafe {
        (
            std::slice::from_raw_parts_mut(result.cast::<O::Result>(), count),
            std::slice::from_raw_parts(a.cast::<O::Operand>(), count),
        )
    };
    let mut has_failed = false;
    if O::HAS_USUAL {
        for (result, a) in result.iter_mut().zip(a) {
            let (value, is_other) = O::usual::<FMA>(*a);
            *result = value;
            has_failed |= is_other;
        }
        if !has_failed {
            return false;
        }
        has_failed = false;
    }
    for (result, a) in result.iter_mut().zip(a) {
        let (value, failed) = O::apply::<FMA>(*a);
        *result = value;
        has_failed |= failed;
    }
    if !O::IS_REPAIRED {
        return has_failed;
    }
    if has_failed {
        for (result, a) in result.iter_mut().zip(a) {
            if O::apply::<FMA>(*a).1 {
                *result = O::repaired(*a);
            }
        }
    }
    false
}

/// # Safety
/// That of [`TileFn`].
#[inline(always)]
unsafe fn loop_two<O: Two, const FMA: bool>(
    result: *mut u8,
    a: *const u8,
    b: *const u8,
    _: *const u8,
    count: usize,
) -> bool {
    // SAFETY: the caller's promise is that of TileFn.
    let (result, a, b) = unsafe {
        (
            std::slice::from_raw_parts_mut(result.cast::<O::Result>(), count),
            std::slice::from_raw_parts(a.cast::<O::Operand>(), count),
            std::slice::from_raw_parts(b.cast::<O::Operand>(), count),
        )
    };
    let mut has_failed = false;
    for ((result, a), b) in result.iter_mut().zip(a).zip(b) {
        let (value, failed) = O::apply::<FMA>(*a, *b);
        *result = value;
        has_failed |= failed;
    }
    if !O::IS_REPAIRED {
        return has_failed;
    }
    if has_failed {
        for ((result, a), b) in result.iter_mut().zip(a).zip(b) {
            if O::apply::<FMA>(*a, *b).1 {
                *result = O::repaired(*a, *b);
            }
        }
    }
    false
}

/// # Safety
/// That of [`TileFn`].
#[inline(always)]
unsafe fn loop_three<O: Three, const FMA: bool>(
    result: *mut u8,
    condition: *const u8,
    a: *const u8,
    b: *const u8,
    count: usize,
) -> bool {
    // SAFETY: the caller's promise is that of TileFn.
    let (result, condition, a, b) = unsafe {
        (
            std::slice::from_raw_parts_mut(result.cast::<O::Operand>(), count),
            std::slice::from_raw_parts(condition, count),
            std::slice::from_raw_parts(a.cast::<O::Operand>(), count),
            std::slice::from_raw_parts(b.cast::<O::Operand>(), count),
        )
    };
    for (((result, condition), a), b) in result.iter_mut().zip(condition).zip(a).zip(b) {
        *result = O::apply(*condition, *a, *b);
    }
    false
}

/// Compiles a loop for each set of instructions.
macro_rules! versions {
    ($pick:ident, $bound:ident, $body:ident, $base:ident, $avx2:ident, $avx512:ident) => {
        /// # Safety
        /// That of [`TileFn`].
        pub(super) unsafe extern "C" fn $base<O: $bound>(
            result: *mut u8,
            a: *const u8,
            b: *const u8,
            c: *const u8,
            count: usize,
        ) -> bool {
            // SAFETY: the caller's promise is that of TileFn.
            unsafe { $body::<O, false>(result, a, b, c, count) }
        }

        /// # Safety
        /// That of [`TileFn`], and the processor has the instructions.
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx2,fma")]
        unsafe extern "C" fn $avx2<O: $bound>(
            result: *mut u8,
            a: *const u8,
            b: *const u8,
            c: *const u8,
            count: usize,
        ) -> bool {
            // SAFETY: the caller's promise is that of TileFn.
            unsafe { $body::<O, true>(result, a, b, c, count) }
        }

        /// # Safety
        /// That of [`TileFn`], and the processor has the instructions.
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx2,fma,avx512f,avx512bw,avx512cd,avx512dq,avx512vl")]
        unsafe extern "C" fn $avx512<O: $bound>(
            result: *mut u8,
            a: *const u8,
            b: *const u8,
            c: *const u8,
            count: usize,
        ) -> bool {
            // SAFETY: the caller's promise is that of TileFn.
            unsafe { $body::<O, true>(result, a, b, c, count) }
        }

        /// The loop over this function for an instruction set that the processor has.
        pub(crate) fn $pick<O: $bound>(isa: Isa) -> TileFn {
            match isa {
                Isa::Exact | Isa::Base => $base::<O>,
                #[cfg(target_arch = "x86_64")]
                Isa::Avx2 => $avx2::<O>,
                #[cfg(target_arch = "x86_64")]
                Isa::Avx512 => $avx512::<O>,
                #[cfg(not(target_arch = "x86_64"))]
                _ => $base::<O>,
            }
        }
    };
}

pub(super) use versions;

versions!(of_one, One, loop_one, one_base, one_avx2, one_avx512);
versions!(of_two, Two, loop_two, two_base, two_avx2, two_avx512);
versions!(of_three, Three, loop_three, three_base, three_avx2, three_avx512);

/// A function of one scalar or of two: it takes and returns them in registers, by the C calling convention.
#[derive(Clone, Copy)]
pub(crate) struct ScalarFn(pub(crate) *const u8);

/// The bits of the loop over one element.
#[inline(always)]
fn scalar_one<O: One, const FMA: bool>(a: O::Operand) -> O::Result {
    let (value, failed) = O::apply::<FMA>(a);
    if O::IS_REPAIRED && failed { O::repaired(a) } else { value }
}

/// As [`scalar_one`], of two elements.
#[inline(always)]
fn scalar_two<O: Two, const FMA: bool>(a: O::Operand, b: O::Operand) -> O::Result {
    let (value, failed) = O::apply::<FMA>(a, b);
    if O::IS_REPAIRED && failed { O::repaired(a, b) } else { value }
}

macro_rules! scalar_versions {
    ($pick:ident, $bound:ident, $body:ident($($operand:ident),*), $base:ident, $avx2:ident, $avx512:ident) => {
        pub(super) extern "C" fn $base<O: $bound>($($operand: O::Operand),*) -> O::Result {
            $body::<O, false>($($operand),*)
        }

        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx2,fma")]
        extern "C" fn $avx2<O: $bound>($($operand: O::Operand),*) -> O::Result {
            $body::<O, true>($($operand),*)
        }

        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx2,fma,avx512f,avx512bw,avx512cd,avx512dq,avx512vl")]
        extern "C" fn $avx512<O: $bound>($($operand: O::Operand),*) -> O::Result {
            $body::<O, true>($($operand),*)
        }

        /// The function of scalars, which cannot fail, for an instruction set that the processor has.
        pub(crate) fn $pick<O: $bound>(isa: Isa) -> ScalarFn {
            ScalarFn(match isa {
                Isa::Exact | Isa::Base => $base::<O> as *const u8,
                #[cfg(target_arch = "x86_64")]
                Isa::Avx2 => $avx2::<O> as *const u8,
                #[cfg(target_arch = "x86_64")]
                Isa::Avx512 => $avx512::<O> as *const u8,
                #[cfg(not(target_arch = "x86_64"))]
                _ => $base::<O> as *const u8,
            })
        }
    };
}

scalar_versions!(of_one_scalar, One, scalar_one(a), scalar_one_base, scalar_one_avx2, scalar_one_avx512);
scalar_versions!(of_two_scalars, Two, scalar_two(a, b), scalar_two_base, scalar_two_avx2, scalar_two_avx512);
