//! Effects: what else a node does than give its results. Passes ask here and never guess. What of it an op
//! does by itself is in `op/properties.rs`.
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
//! - What a program prints before it fails, and which failure is its first, are part of its
//!   meaning. So nodes with an effect and nodes that may fail keep their order among each other.
//! - A `while` may run forever, which is neither an effect nor a failure, but it must not be run
//!   where the program does not run it, and not be dropped.
//! - A call stays where it is, whatever it calls: it may run forever, or deeper than there is stack.
//! - Running out of memory and being interrupted by the host are not counted: they are the
//!   machine's failures, and not the program's.

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

    /// Whether it does nothing but give its results, always: it may be dropped when they are not
    /// used, and run where the program would not have run it.
    #[must_use]
    pub fn is_pure(&self, function: &Function) -> bool {
        !self.has_effect() && !self.may_fail(function) && !self.may_not_end()
    }

    fn any_inside(&self, holds: &dyn Fn(&Self) -> bool) -> bool {
        self.regions.iter().any(|region: &Block| region.nodes.iter().any(holds))
    }
}
