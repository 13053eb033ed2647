//! The instructions of a tile program, and how they fail.

use ag_ir::{Failure, LocationId};

use super::chains::Linked;
use super::elementwise::{Sides, TileFn};

/// An operand of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// A register.
    Register(usize),
    /// A dense operand of the whole shape, read in place.
    Memory(usize),
}

/// One element-wise function over a tile.
#[derive(Clone, Debug)]
pub(crate) struct Instruction {
    /// The loop.
    pub(crate) function: TileFn,
    /// Its other loops, from the sides of the first operand and the second.
    pub(crate) sides: [Sides; 2],
    /// What it does in a chain, if it can be in one.
    pub(crate) linked: Option<Linked>,
    /// Operands; unused ones repeat the first.
    pub(crate) sources: [Source; 3],
    /// Sizes of the operands' elements.
    pub(crate) source_sizes: [usize; 3],
    /// The register for the result. None, only for the last instruction: it writes the program's result.
    pub(crate) target: Option<usize>,
    /// How it can fail, and the location of the node that it stands for.
    pub(crate) failure: Option<(FailureKind, Option<LocationId>)>,
}

impl Instruction {
    /// The loop, if operand `element` is one element; and where it writes.
    ///
    /// A program that works in place may have an operand at `to`: then the loop is one that overwrites it, or
    /// the result is made in a register, from which it has to be copied.
    #[inline(always)]
    pub(super) fn last(
        &self,
        element: Option<usize>,
        to: *mut u8,
        operands: [*const u8; 3],
        register: *mut u8,
    ) -> (TileFn, *mut u8) {
        let [first, second] = &self.sides;
        let plain = self.with_element(element);
        let update = match (operands.map(|operand| operand == to.cast_const()), element) {
            ([true, _, _], Some(1)) => first.splat_update,
            ([_, true, _], Some(0)) => second.splat_update,
            ([false, false, false], _) => return (plain, to),
            ([true, false, _], None) => first.update,
            ([false, true, _], None) => second.update,
            _ => None,
        };
        update.map_or((plain, register), |update| (update, to))
    }

    /// The loop, if operand `element` is one element.
    #[inline(always)]
    pub(super) fn with_element(&self, element: Option<usize>) -> TileFn {
        element.and_then(|place| self.sides[1 - place].splat).unwrap_or(self.function)
    }

    /// The operand that is one element.
    #[inline(always)]
    pub(super) fn element(&self, elements: u128) -> Option<usize> {
        (0..2).find(|place| match self.sources[*place] {
            Source::Register(register) => elements & (1 << register) != 0,
            Source::Memory(_) => false,
        })
    }
}

/// How an instruction fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FailureKind {
    /// A checked integer left 64 bits.
    Overflow,
    /// An integer raised to a negative power.
    NegativePower,
    /// Of a checked integer power: a negative exponent, or overflow.
    Power,
}

/// The reason why an instruction failed: for powers, the first failing element decides.
///
/// # Safety
/// For checked powers both operands are `count` readable `i64`s.
pub(super) unsafe fn failure(kind: FailureKind, [bases, exponents]: [*const u8; 2], count: usize) -> Failure {
    match kind {
        FailureKind::Overflow => return Failure::Overflow,
        FailureKind::NegativePower => return Failure::NegativePower,
        FailureKind::Power => {}
    }
    for i in 0..count {
        // SAFETY: the caller's.
        let (base, exponent) =
            unsafe { (bases.cast::<i64>().add(i).read(), exponents.cast::<i64>().add(i).read()) };
        if exponent < 0 {
            return Failure::NegativePower;
        }
        if power_overflows(base, exponent) {
            return Failure::Overflow;
        }
    }
    Failure::NegativePower
}

fn power_overflows(base: i64, exponent: i64) -> bool {
    match u32::try_from(exponent) {
        Ok(exponent) => base.checked_pow(exponent).is_none(),
        Err(_) => !(-1..=1).contains(&base),
    }
}
