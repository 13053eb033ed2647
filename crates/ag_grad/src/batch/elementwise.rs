//! Batched element-wise ops: axes of size 1 align the rows' axes at the right, as NumPy aligns shapes.
//!
//! ```text
//! %x: f64[n], %m: f64[2, 3]: add %x, %m        // of rows f64[] and f64[2, 3]
//! %1: f64[n, 1, 1] = reshape %x
//! %2: f64[n, 2, 3] = add %1, %m
//! ```

use ag_ir::{Dim, Op, ValueId};

use super::{Arg, Batcher};
use crate::emit;
use crate::error::GradientError;

impl Batcher<'_> {
    pub(super) fn elementwise(&mut self, op: &Op, args: &[Arg]) -> Result<ValueId, GradientError> {
        let rank = args.iter().map(|arg| arg.rank).max().unwrap_or(0);
        let operands: Vec<ValueId> =
            args.iter().map(|arg| self.aligned(*arg, rank)).collect::<Result<_, _>>()?;
        self.emit(op.clone(), &operands)
    }

    /// An operand whose rows broadcast with rows of this rank: a batched one gets axes of size 1 after the
    /// batch axis; one that is the same for all rows broadcasts as it is.
    pub(super) fn aligned(&mut self, arg: Arg, rank: usize) -> Result<ValueId, GradientError> {
        if arg.is_batched { self.with_axes(arg.value, 1, rank + 1) } else { Ok(arg.value) }
    }

    /// Inserts axes of size 1 at `place` until the array has `rank` axes.
    pub(super) fn with_axes(
        &mut self,
        value: ValueId,
        place: usize,
        rank: usize,
    ) -> Result<ValueId, GradientError> {
        let mut shape = self.builder.function().tensor(value).shape.clone();
        if shape.len() >= rank {
            return Ok(value);
        }
        let more = rank - shape.len();
        shape.splice(place..place, std::iter::repeat_n(Dim::Known(1), more));
        let mut operands = vec![value];
        operands.extend(emit::open_sizes(self.builder, value));
        self.emit(Op::Reshape(shape), &operands)
    }
}
