//! What integers can be: the least and the greatest number. `value_ranges.rs` says how it is found out.

use std::collections::HashMap;

use ag_ir::{BinaryOp, DType, ValueId};

/// The integers from the least to the most; none if the least is the greater one: such code is not reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Range {
    pub(super) least: i64,
    pub(super) most: i64,
}

impl Range {
    pub(super) const ALL: Self = Self { least: i64::MIN, most: i64::MAX };

    pub(super) const fn one(number: i64) -> Self {
        Self { least: number, most: number }
    }

    /// All numbers of a dtype.
    pub(super) fn of(dtype: DType) -> Self {
        match dtype {
            DType::Bool => Self { least: 0, most: 1 },
            DType::U8 => Self { least: 0, most: i64::from(u8::MAX) },
            DType::I32 => Self { least: i64::from(i32::MIN), most: i64::from(i32::MAX) },
            DType::I64 | DType::F32 | DType::F64 => Self::ALL,
        }
    }

    /// Whether all numbers are in another range.
    pub(super) const fn is_within(self, other: Self) -> bool {
        other.least <= self.least && self.most <= other.most
    }

    pub(super) fn or(self, other: Self) -> Self {
        Self { least: self.least.min(other.least), most: self.most.max(other.most) }
    }

    pub(super) fn and(self, other: Self) -> Self {
        Self { least: self.least.max(other.least), most: self.most.min(other.most) }
    }

    /// The range between two numbers if it is within another one.
    pub(super) fn between(least: i128, most: i128, within: Self) -> Option<Self> {
        let (least, most) = (i64::try_from(least).ok()?, i64::try_from(most).ok()?);
        Some(Self { least, most }).filter(|range| range.is_within(within))
    }
}

/// What is known of the values of a function, where code is being generated.
#[derive(Debug, Default)]
pub(super) struct Ranges {
    of: HashMap<ValueId, Range>,
    /// What the latest tests have replaced.
    narrowed: Vec<(ValueId, Option<Range>)>,
}

impl Ranges {
    pub(super) fn narrow(&mut self, value: ValueId, range: Range) {
        let before = self.of.insert(value, range);
        self.narrowed.push((value, before));
    }

    pub(super) fn get(&self, value: ValueId) -> Option<Range> {
        self.of.get(&value).copied()
    }

    pub(super) fn set(&mut self, value: ValueId, range: Range) {
        self.of.insert(value, range);
    }

    /// Marks a place to which [`Self::forget`] returns.
    pub(super) const fn mark(&self) -> usize {
        self.narrowed.len()
    }

    /// Forgets what the tests since the mark say.
    pub(super) fn forget(&mut self, mark: usize) {
        while self.narrowed.len() > mark {
            match self.narrowed.pop() {
                Some((value, Some(range))) => drop(self.of.insert(value, range)),
                Some((value, None)) => drop(self.of.remove(&value)),
                None => return,
            }
        }
    }
}

/// The least and the most exact sum, difference or product.
fn exact(op: BinaryOp, a: Range, b: Range) -> Option<(i128, i128)> {
    let [(a_least, a_most), (b_least, b_most)] = [a, b].map(|r| (i128::from(r.least), i128::from(r.most)));
    match op {
        BinaryOp::Add => Some((a_least + b_least, a_most + b_most)),
        BinaryOp::Sub => Some((a_least - b_most, a_most - b_least)),
        BinaryOp::Mul => {
            let ends = [a_least * b_least, a_least * b_most, a_most * b_least, a_most * b_most];
            Some((ends.into_iter().min()?, ends.into_iter().max()?))
        }
        _ => None,
    }
}

/// Whether a sum, difference or product does not leave 64 bits.
pub(super) fn is_exact(op: BinaryOp, a: Range, b: Range) -> bool {
    exact(op, a, b).is_some_and(|(least, most)| Range::between(least, most, Range::ALL).is_some())
}

/// The result of an op that does not leave the dtype's range, or that is never beyond its operands.
pub(super) fn binary(op: BinaryOp, a: Range, b: Range, within: Range) -> Option<Range> {
    if a.least > a.most || b.least > b.most {
        return None; // Not reached.
    }
    match op {
        BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul => {
            let (least, most) = exact(op, a, b)?;
            Range::between(least, most, within)
        }
        BinaryOp::Maximum => Some(Range { least: a.least.max(b.least), most: a.most.max(b.most) }),
        BinaryOp::Minimum => Some(Range { least: a.least.min(b.least), most: a.most.min(b.most) }),
        BinaryOp::Mod if b.least > 0 => {
            let is_itself = a.least >= 0 && a.most < b.least;
            Some(if is_itself { a } else { Range { least: 0, most: b.most - 1 } })
        }
        BinaryOp::FloorDiv if b.least > 0 => {
            let ends = [b.least, b.most].map(|by| [a.least.div_euclid(by), a.most.div_euclid(by)]);
            let ends = ends.concat();
            Some(Range { least: *ends.iter().min()?, most: *ends.iter().max()? })
        }
        BinaryOp::BitAnd if a.least >= 0 && b.least >= 0 => {
            Some(Range { least: 0, most: a.most.min(b.most) })
        }
        BinaryOp::BitAnd if b.least >= 0 => Some(Range { least: 0, most: b.most }),
        BinaryOp::BitAnd if a.least >= 0 => Some(Range { least: 0, most: a.most }),
        BinaryOp::ShiftRight if a.least >= 0 && b.least >= 0 => Some(Range { least: 0, most: a.most }),
        _ => None,
    }
}

/// The result of a checked op, which is within 64 bits or fails.
pub(super) fn clamped(op: BinaryOp, a: Range, b: Range) -> Option<Range> {
    let (least, most) = exact(op, a, b)?;
    let clamp = |number: i128| i64::try_from(number.clamp(i64::MIN.into(), i64::MAX.into())).ok();
    Some(Range { least: clamp(least)?, most: clamp(most)? })
}
