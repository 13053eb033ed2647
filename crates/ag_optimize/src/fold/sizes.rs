//! Sizes: replaces the size of an axis by the value that the array was made with.
//!
//! ```text
//! %2: f64[?] = broadcast %0, %1        %4: i64[] = size %3 axis=0    is %1, unless %2 fails
//! %3: f64[?] = sqrt %2
//! %6: f64[4] = with_shape %5           is %5, if that is a with_shape of an f64[4]
//! ```

use ag_ir::{Constant, DType, Dim, Node, Op, ValueId};

use super::{Fold, Simpler};

/// Whether an op shows where the sizes of its result come from.
pub(super) const fn tells_sizes(op: &Op) -> bool {
    matches!(op, Op::Broadcast(_) | Op::Transpose(_) | Op::Cast(_) | Op::Unary(..) | Op::WithShape(_))
}

impl Fold<'_> {
    pub(super) fn simpler_sizes(&self, node: &Node, result: ValueId) -> Option<Simpler> {
        match (&node.op, &node.operands[..]) {
            (Op::Size(axis), [x]) => self.size(*axis, *x),
            (Op::WithShape(_), [x]) => self.same_shape(*x, result),
            _ => None,
        }
    }

    fn size(&self, axis: usize, x: ValueId) -> Option<Simpler> {
        if let Some(size) = self.extent(x, axis) {
            let bytes = i64::try_from(size).ok()?.to_ne_bytes();
            let constant = Constant { dtype: DType::I64, sizes: vec![], bytes: bytes.into() };
            return Some(Simpler::Op(Op::Constant(constant), Vec::new()));
        }
        let (op, operands) = self.sized.get(&x)?;
        match op {
            Op::Broadcast(shape) => {
                // The integer operands come after the array, one for each unknown size.
                let before = shape.get(..axis)?.iter().filter(|dim| **dim == Dim::Unknown).count();
                operands.get(1 + before).copied().map(Simpler::Value)
            }
            Op::Transpose(permutation) => Some(Simpler::Op(Op::Size(permutation[axis]), operands.clone())),
            Op::Cast(_) | Op::Unary(..) | Op::WithShape(_) => {
                Some(Simpler::Op(Op::Size(axis), operands.clone()))
            }
            // No other op is kept: see `tells_sizes`.
            other => unreachable!("{} says no sizes", other.name()),
        }
    }

    /// The array itself, if its type knows the same sizes, or did before.
    fn same_shape(&self, x: ValueId, result: ValueId) -> Option<Simpler> {
        if self.function.ty(x) == self.function.ty(result) {
            return Some(Simpler::Value(x));
        }
        let (Op::WithShape(_), operands) = self.sized.get(&x)? else { return None };
        let known = self.function.ty(operands[0]);
        (known == self.function.ty(result)).then(|| Simpler::Value(operands[0]))
    }
}
