//! The number of iterations of a loop that fit in a memory limit.

use ag_ir::{BinaryOp, DType, Dim, LocationId, Op, TensorType, Type, UnaryOp, ValueId};

use super::Reverse;
use crate::emit;
use crate::error::GradientError;

impl Reverse<'_> {
    /// `max(1, (limit - state * ceil(log2(count))) // each)`
    pub(super) fn iterations_that_fit(
        &mut self,
        start: &[ValueId],
        count: ValueId,
        bytes: u64,
        each: Option<u64>,
        location: Option<LocationId>,
    ) -> Result<ValueId, GradientError> {
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
        let state = self.bytes_of(start);
        let each = match each {
            Some(each) => emit::integer(self.builder, i64::try_from(each).unwrap_or(i64::MAX)),
            None => state,
        };
        let count = emit::one(self.builder, Op::Cast(DType::F64), &[count])?;
        let one = emit::scalar(self.builder, DType::F64, 1.0)?;
        let count = emit::arithmetic(self.builder, BinaryOp::Maximum, count, one);
        let depth = emit::unary(self.builder, UnaryOp::Log2, count);
        let depth = emit::unary(self.builder, UnaryOp::Ceil, depth);
        let depth = emit::one(self.builder, Op::Cast(DType::I64), &[depth])?;
        let waiting = emit::arithmetic(self.builder, BinaryOp::Mul, state, depth);
        let limit = emit::integer(self.builder, i64::try_from(bytes).unwrap_or(i64::MAX));
        let left = emit::arithmetic(self.builder, BinaryOp::Sub, limit, waiting);
        let one = emit::integer(self.builder, 1);
        let each = emit::arithmetic(self.builder, BinaryOp::Maximum, each, one);
        let fit = emit::arithmetic(self.builder, BinaryOp::FloorDiv, left, each);
        Ok(emit::arithmetic(self.builder, BinaryOp::Maximum, fit, one))
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
