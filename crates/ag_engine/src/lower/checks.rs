//! The overflow checks of a branch that is computed before it is known whether it is chosen (`choice.rs`).

use ag_ir::{LocationId, ValueId};
use cranelift_codegen::ir::Value;

/// The overflow checks of a branch that is computed before it is chosen.
#[derive(Debug, Default)]
pub(super) struct Checks {
    pub(super) all: Vec<Check>,
    /// The last product with a known number that is checked by its range.
    product: Option<Product>,
}

/// A check that counts if its branch is chosen.
#[derive(Debug)]
pub(super) struct Check {
    /// Whether it failed.
    pub(super) is_outside: Value,
    pub(super) location: Option<LocationId>,
    /// Whether a later check holds this one.
    pub(super) is_covered: bool,
}

/// `3 * n` is within 64 bits if `n` is within a range, and so is `3 * n + 1`: one comparison is enough for both.
#[derive(Clone, Copy, Debug)]
struct Product {
    result: ValueId,
    factor: i64,
    /// The other operand, and the least and the greatest that it may be: 0 is between them.
    other: Value,
    bounds: [i64; 2],
}

impl Checks {
    pub(super) fn add(&mut self, is_outside: Value, location: Option<LocationId>) {
        self.all.push(Check { is_outside, location, is_covered: false });
        self.product = None;
    }

    /// Notes that the last check is that of a product.
    pub(super) fn note_product(&mut self, result: ValueId, factor: i64, other: Value, bounds: [i64; 2]) {
        self.product = Some(Product { result, factor, other, bounds });
    }

    /// What is to be compared with which bounds, so that a product is within its own bounds and within these.
    pub(super) fn of_product(
        &mut self,
        product: ValueId,
        [low, high]: [i64; 2],
    ) -> Option<(Value, [i64; 2])> {
        let Product { factor, other, bounds, .. } =
            self.product.take().filter(|last| last.result == product)?;
        if let Some(last) = self.all.last_mut() {
            last.is_covered = true;
        }
        // The least number whose product is not below `low`; the factor is positive.
        let least = low.div_euclid(factor) + i64::from(low.rem_euclid(factor) != 0);
        Some((other, [bounds[0].max(least), bounds[1].min(high.div_euclid(factor))]))
    }
}
