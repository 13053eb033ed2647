//! The numbers of iterations and of states of a loop that fit in a memory limit.

use ag_ir::{BinaryOp, Builder, CompareOp, Dim, LocationId, Op, TensorType, Type, ValueId};

use super::Reverse;
use crate::emit;
use crate::error::GradientError;

impl Reverse<'_> {
    /// How many iterations to save at a time, and how many states may wait meanwhile: all iterations if they fit
    /// beside the state that they begin with, and else each gets half of the limit.
    pub(super) fn iterations_that_fit(
        &mut self,
        start: &[ValueId],
        count: ValueId,
        bytes: u64,
        each: Option<u64>,
        location: Option<LocationId>,
    ) -> Result<(ValueId, ValueId), GradientError> {
        let known: Option<u64> =
            start.iter().map(|value| known_bytes(self.builder.function().ty(*value))).sum();
        if let (Some(state), Some(least)) = (known, each.or(known))
            && state + least > bytes
        {
            let message = format!(
                "a memory_limit of {bytes} bytes is less than the {} that the gradient of one iteration needs",
                state + least
            );
            let error = GradientError::new(message, location);
            return Err(error.with_help("raise the limit"));
        }
        let bytes_of_state = self.bytes_of(start);
        let builder = &mut *self.builder;
        let of = |builder: &mut Builder, op, left, right| emit::arithmetic(builder, op, left, right);
        let [one, two] = [1, 2].map(|number| emit::integer(builder, number));
        let limit = emit::integer(builder, i64::try_from(bytes).unwrap_or(i64::MAX));
        let state = of(builder, BinaryOp::Maximum, bytes_of_state, one);
        let each = match each {
            Some(each) => emit::integer(builder, i64::try_from(each).unwrap_or(i64::MAX)),
            None => state,
        };
        let each = of(builder, BinaryOp::Maximum, each, one);
        let beside = of(builder, BinaryOp::Sub, limit, state);
        let most = of(builder, BinaryOp::FloorDiv, beside, each);
        let half = of(builder, BinaryOp::FloorDiv, limit, two);
        let half = of(builder, BinaryOp::FloorDiv, half, each);
        let half = of(builder, BinaryOp::Minimum, half, most);
        let fits = emit::one(builder, Op::Compare(CompareOp::Le), &[count, most])?;
        let fit = emit::one(builder, Op::Select, &[fits, most, half])?;
        let fit = of(builder, BinaryOp::Maximum, fit, one);
        let saved = of(builder, BinaryOp::Mul, fit, each);
        let left = of(builder, BinaryOp::Sub, limit, saved);
        let states = of(builder, BinaryOp::FloorDiv, left, state);
        let states = of(builder, BinaryOp::Minimum, states, count);
        Ok((fit, of(builder, BinaryOp::Maximum, states, one)))
    }

    /// The bytes of values, computed in the run. Lists do not count, since their sizes are not available.
    fn bytes_of(&mut self, values: &[ValueId]) -> ValueId {
        let mut total = emit::integer(self.builder, 0);
        for value in values {
            let Some(TensorType { dtype, shape }) = self.builder.function().ty(*value).tensor().cloned()
            else {
                continue;
            };
            let known: usize = shape.iter().filter_map(|dim| dim.known()).product::<usize>() * dtype.size();
            let mut bytes = emit::integer(self.builder, i64::try_from(known).unwrap_or(i64::MAX));
            for axis in (0..shape.len()).filter(|axis| shape[*axis] == Dim::Unknown) {
                let size = emit::size(self.builder, *value, axis);
                bytes = emit::arithmetic(self.builder, BinaryOp::Mul, bytes, size);
            }
            total = emit::arithmetic(self.builder, BinaryOp::Add, total, bytes);
        }
        total
    }
}

/// The bytes of a value, if its type has all sizes.
pub(super) fn known_bytes(ty: &Type) -> Option<u64> {
    let tensor = ty.tensor()?;
    let count: usize = tensor.sizes()?.iter().product();
    u64::try_from(count * tensor.dtype.size()).ok()
}
