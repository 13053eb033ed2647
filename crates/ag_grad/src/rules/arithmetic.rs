//! Arithmetic in rules: `site.mul(x, y)` for a node with its operands.

use ag_ir::{BinaryOp, CompareOp, DType, Identity, Op, Overflow, ReduceOp, Shape, UnaryOp, ValueId};

use super::Emitted;
use crate::emit;
use crate::site::Site;

impl Site<'_> {
    pub(super) fn unary(&mut self, op: UnaryOp, x: ValueId) -> Emitted {
        self.emit(Op::Unary(op, Overflow::Wrap), &[x])
    }

    pub(super) fn binary(&mut self, op: BinaryOp, x: ValueId, y: ValueId) -> Emitted {
        self.emit(Op::Binary(op, Overflow::Wrap), &[x, y])
    }

    pub(super) fn neg(&mut self, x: ValueId) -> Emitted {
        self.unary(UnaryOp::Neg, x)
    }

    pub(super) fn add(&mut self, x: ValueId, y: ValueId) -> Emitted {
        self.binary(BinaryOp::Add, x, y)
    }

    pub(super) fn sub(&mut self, x: ValueId, y: ValueId) -> Emitted {
        self.binary(BinaryOp::Sub, x, y)
    }

    pub(super) fn mul(&mut self, x: ValueId, y: ValueId) -> Emitted {
        self.binary(BinaryOp::Mul, x, y)
    }

    pub(super) fn div(&mut self, x: ValueId, y: ValueId) -> Emitted {
        self.binary(BinaryOp::Div, x, y)
    }

    pub(super) fn compare(&mut self, op: CompareOp, x: ValueId, y: ValueId) -> Emitted {
        self.emit(Op::Compare(op), &[x, y])
    }

    pub(super) fn choose(&mut self, test: ValueId, x: ValueId, y: ValueId) -> Emitted {
        self.emit(Op::Select, &[test, x, y])
    }

    pub(super) fn total(&mut self, x: ValueId, axes: Vec<usize>, keepdims: bool) -> Emitted {
        self.emit(Op::Reduce { op: ReduceOp::Sum, axes, keepdims }, &[x])
    }

    /// A scalar constant of the element type of an array.
    pub(super) fn number(&mut self, like: ValueId, number: f64) -> Emitted {
        let dtype = self.builder.function().tensor(like).dtype;
        Ok(emit::scalar(self.builder, dtype, number)?)
    }

    /// `number + x`
    pub(super) fn plus(&mut self, number: f64, x: ValueId) -> Emitted {
        let number = self.number(x, number)?;
        self.add(number, x)
    }

    /// `number - x`
    pub(super) fn minus(&mut self, number: f64, x: ValueId) -> Emitted {
        let number = self.number(x, number)?;
        self.sub(number, x)
    }

    /// `number * x`
    pub(super) fn times(&mut self, number: f64, x: ValueId) -> Emitted {
        let number = self.number(x, number)?;
        self.mul(number, x)
    }

    /// `(1 - x) * (1 + x)`, which is exact where `1 - x * x` cancels.
    ///
    /// Its derivative is taken of the latter: backward, that of a product whose one factor is 0 multiplies it
    /// by an adjoint that may be infinite.
    pub(super) fn one_minus_square(&mut self, x: ValueId) -> Emitted {
        let (less, more) = (self.minus(1.0, x)?, self.plus(1.0, x)?);
        let exact = self.mul(less, more)?;
        let square = self.mul(x, x)?;
        let plain = self.minus(1.0, square)?;
        self.with_slope(exact, plain)
    }

    /// A value that is computed again, in a way that has a derivative where this one has none.
    pub(super) fn with_slope(&mut self, x: ValueId, slope: ValueId) -> Emitted {
        let ty = self.builder.function().ty(x).clone();
        let slope = emit::with_type(self.builder, slope, &ty)?;
        self.emit(Op::Identity(Identity::WithSlope), &[x, slope])
    }

    /// A value that derivatives take for a constant.
    pub(super) fn constant(&mut self, x: ValueId) -> Emitted {
        self.emit(Op::Identity(Identity::StopGradient), &[x])
    }

    /// Whether a number is further from 0 than a bound; the second bound is that of `f32`.
    pub(super) fn is_beyond(&mut self, x: ValueId, bounds: (f64, f64)) -> Emitted {
        let bound = if self.dtype(x) == DType::F32 { bounds.1 } else { bounds.0 };
        let (size, bound) = (self.unary(UnaryOp::Abs, x)?, self.number(x, bound)?);
        self.compare(CompareOp::Gt, size, bound)
    }

    /// The shape of an array.
    pub(super) fn shape(&self, value: ValueId) -> Shape {
        self.builder.function().tensor(value).shape.clone()
    }

    pub(super) fn dtype(&self, value: ValueId) -> DType {
        self.builder.function().tensor(value).dtype
    }

    /// The sum of the terms that exist.
    pub(super) fn sum_of(
        &mut self,
        parts: [Option<ValueId>; 2],
    ) -> Result<Option<ValueId>, crate::GradientError> {
        Ok(match parts {
            [Some(x), Some(y)] => Some(self.add(x, y)?),
            [x, y] => x.or(y),
        })
    }
}
