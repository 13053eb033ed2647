//! Effects: everything that a node does besides computing its results. Passes ask here and never guess. The
//! effects of an op on its own are in `op/properties.rs`.
//!
//! ```text
//! print %0 site=1                      // an effect: stays, in order
//! check %1 error="E" message=""        // may fail: stays, in order
//! %3: f64[] = gather %2, %i axis=0     // may fail: an index may be out of range
//! %4: i64[] = add.checked %5, %6       // may fail: overflow
//! %7: f64[] = add %8, %9               // neither: may be dropped, merged, and run early
//! %2: f64[?] = add %0, %1              // may fail: two `?` need not be equal
//! ```
//!
//! - The output of a program before it fails, and which failure is the first, are part of its meaning. So
//!   nodes with an effect and nodes that may fail keep their order among each other.
//! - A `while` may run forever. This is neither an effect nor a failure, but a pass must not run it where the
//!   program does not, and must not drop it.
//! - A call stays where it is, whatever it calls: it may run forever, or deeper than there is stack.
//! - Running out of memory and interrupts by the host do not count: they are failures of the machine, not of
//!   the program.

mod sizes;

use crate::function::{Block, Function, Node};

impl Node {
    /// Whether it, or a node in its regions, has an effect.
    #[must_use]
    pub fn has_effect(&self) -> bool {
        self.op.has_effect() || self.any_inside(&Self::has_effect)
    }

    /// Whether it, or a node in its regions, may fail. The function has the types of its values.
    #[must_use]
    pub fn may_fail(&self, function: &Function) -> bool {
        let operand = self.operands.first().and_then(|id| function.dtype_of(*id));
        self.op.may_fail(operand)
            || sizes::may_not_fit(self, function)
            || self.any_inside(&|node| node.may_fail(function))
    }

    /// Whether it, or a node in its regions, may run forever.
    #[must_use]
    pub fn may_not_end(&self) -> bool {
        self.op.may_not_end() || self.any_inside(&Self::may_not_end)
    }

    /// Whether it only computes its results and always succeeds: a pass may drop it if they are not used, and
    /// may run it where the program would not have run it.
    #[must_use]
    pub fn is_pure(&self, function: &Function) -> bool {
        !self.has_effect() && !self.may_fail(function) && !self.may_not_end()
    }

    fn any_inside(&self, holds: &dyn Fn(&Self) -> bool) -> bool {
        self.regions.iter().any(|region: &Block| region.nodes.iter().any(holds))
    }
}
