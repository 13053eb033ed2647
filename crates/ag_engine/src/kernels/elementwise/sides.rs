//! More loops over functions that take less time than a copy of an operand.
//!
//! [`Sides::update`] has its result in the place of an operand, [`Sides::splat`] one element for an operand,
//! [`Sides::splat_update`] both.

use std::marker::PhantomData;

use super::number::Element;
use super::versions::{TileFn, Two, versions};
use crate::isa::Isa;

/// A function of two elements that never fails, from the side of one operand.
pub(crate) trait Side {
    /// The type of the operands.
    type Operand: Element;
    /// The type of the result.
    type Result: Element;
    /// Whether it is the side of the second operand.
    const IS_SECOND: bool;
    /// The function of this operand and the other one.
    fn apply<const FMA: bool>(own: Self::Operand, other: Self::Operand) -> Self::Result;
}

/// The side of the first operand.
pub(crate) struct First<O>(PhantomData<O>);
/// The side of the second operand.
pub(crate) struct Second<O>(PhantomData<O>);

impl<O: Two> Side for First<O> {
    type Operand = O::Operand;
    type Result = O::Result;
    const IS_SECOND: bool = false;
    #[inline(always)]
    fn apply<const FMA: bool>(own: O::Operand, other: O::Operand) -> O::Result {
        O::apply::<FMA>(own, other).0
    }
}

impl<O: Two> Side for Second<O> {
    type Operand = O::Operand;
    type Result = O::Result;
    const IS_SECOND: bool = true;
    #[inline(always)]
    fn apply<const FMA: bool>(own: O::Operand, other: O::Operand) -> O::Result {
        O::apply::<FMA>(other, own).0
    }
}

/// A side whose result may take the place of its operand.
pub(crate) trait Update {
    /// The type of all.
    type Element: Element;
    /// As [`Side::IS_SECOND`].
    const IS_SECOND: bool;
    /// The new value of an element.
    fn updated<const FMA: bool>(own: Self::Element, other: Self::Element) -> Self::Element;
}

impl<T: Element, S: Side<Operand = T, Result = T>> Update for S {
    type Element = T;
    const IS_SECOND: bool = S::IS_SECOND;
    #[inline(always)]
    fn updated<const FMA: bool>(own: T, other: T) -> T {
        S::apply::<FMA>(own, other)
    }
}

/// # Safety
/// That of [`TileFn`], but the result is the operand that is updated; it does not overlap the other one.
#[inline(always)]
unsafe fn loop_update<O: Update, const FMA: bool>(
    result: *mut u8,
    a: *const u8,
    b: *const u8,
    _: *const u8,
    count: usize,
) -> bool {
    let other = if O::IS_SECOND { a } else { b };
    // SAFETY: the caller's promise; the operand that is updated is read through the result.
    let (result, other) = unsafe {
        (
            std::slice::from_raw_parts_mut(result.cast::<O::Element>(), count),
            std::slice::from_raw_parts(other.cast::<O::Element>(), count),
        )
    };
    for (value, other) in result.iter_mut().zip(other) {
        *value = O::updated::<FMA>(*value, *other);
    }
    false
}

/// # Safety
/// That of [`TileFn`], but the other operand has one element only.
#[inline(always)]
unsafe fn loop_splat<O: Side, const FMA: bool>(
    result: *mut u8,
    a: *const u8,
    b: *const u8,
    _: *const u8,
    count: usize,
) -> bool {
    let (own, other) = if O::IS_SECOND { (b, a) } else { (a, b) };
    // SAFETY: the caller's.
    let (result, own, other) = unsafe {
        (
            std::slice::from_raw_parts_mut(result.cast::<O::Result>(), count),
            std::slice::from_raw_parts(own.cast::<O::Operand>(), count),
            other.cast::<O::Operand>().read(),
        )
    };
    for (value, own) in result.iter_mut().zip(own) {
        *value = O::apply::<FMA>(*own, other);
    }
    false
}

/// # Safety
/// That of [`loop_update`], but the other operand has one element only.
#[inline(always)]
unsafe fn loop_splat_update<O: Update, const FMA: bool>(
    result: *mut u8,
    a: *const u8,
    b: *const u8,
    _: *const u8,
    count: usize,
) -> bool {
    let other = if O::IS_SECOND { a } else { b };
    // SAFETY: the caller's; the operand that is updated is read through the result.
    let (result, other) = unsafe {
        (
            std::slice::from_raw_parts_mut(result.cast::<O::Element>(), count),
            other.cast::<O::Element>().read(),
        )
    };
    for value in result {
        *value = O::updated::<FMA>(*value, other);
    }
    false
}

versions!(of_update, Update, loop_update, update_base, update_avx2, update_avx512);
versions!(of_splat, Side, loop_splat, splat_base, splat_avx2, splat_avx512);
versions!(
    of_splat_update,
    Update,
    loop_splat_update,
    splat_update_base,
    splat_update_avx2,
    splat_update_avx512
);

/// The loops of a function with more to say of one operand: the other one is only read.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sides {
    /// The result is in the place of the operand.
    pub(crate) update: Option<TileFn>,
    /// The other operand is one element.
    pub(crate) splat: Option<TileFn>,
    /// Both.
    pub(crate) splat_update: Option<TileFn>,
}

impl Sides {
    /// The loops of a function, from the sides of its two operands.
    pub(super) fn of_two<T: Element, O: Two<Operand = T, Result = T>>(isa: Isa) -> [Self; 2] {
        [Self::of_side::<T, First<O>>(isa), Self::of_side::<T, Second<O>>(isa)]
    }

    fn of_side<T: Element, S: Side<Operand = T, Result = T>>(isa: Isa) -> Self {
        Self {
            update: Some(of_update::<S>(isa)),
            splat: Some(of_splat::<S>(isa)),
            splat_update: Some(of_splat_update::<S>(isa)),
        }
    }

    /// The same for a function whose result is of another type.
    pub(super) fn of_comparison<O: Two>(isa: Isa) -> [Self; 2] {
        let of = |splat| Self { splat: Some(splat), ..Self::default() };
        [of(of_splat::<First<O>>(isa)), of(of_splat::<Second<O>>(isa))]
    }
}
