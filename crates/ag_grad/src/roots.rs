//! Squares of roots: their derivatives are those of what the root is of.
//!
//! ```text
//! %1: f64[] = abs %0                 %1: f64[] = abs %0
//! %2: f64[] = mul %1, %1      →      %2: f64[] = mul %1, %1
//!                                    %3: f64[] = mul %0, %0
//!                                    %4: f64[] = with_slope %2, %3
//! ```
//!
//! `abs(x) ** 2` has all derivatives at 0, where `abs(x)` has none: no rule for `abs` alone can give both.

use std::collections::BTreeMap;

use ag_ir::{
    BinaryOp, Builder, Constant, DType, Identity, InferError, LocationId, Op, Overflow, UnaryOp, ValueId,
};

/// The values of a graph that are roots, while it is recorded.
#[derive(Debug, Default)]
pub struct Roots {
    roots: BTreeMap<ValueId, Root>,
}

/// What a root is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Root {
    /// `sqrt(x)`
    Of(ValueId),
    /// `abs(x)`
    OfSquare(ValueId),
    /// `hypot(x, y)`
    OfSquares(ValueId, ValueId),
}

impl Roots {
    /// Emits a node, and for the square of a root a value with the right derivative too; returns the results.
    ///
    /// # Errors
    /// If the operands do not fit the op.
    pub fn emit(
        &mut self,
        builder: &mut Builder,
        op: Op,
        operands: &[ValueId],
        location: Option<LocationId>,
    ) -> Result<Vec<ValueId>, InferError> {
        let root = root_of(&op, operands).or_else(|| match op {
            Op::Identity(Identity::WithSlope) => self.known(builder, operands[0]),
            _ => None,
        });
        let square = self.squared(builder, &op, operands);
        let results = builder.emit(op, operands, location)?;
        let &[result] = results.as_slice() else { return Ok(results) };
        if let Some(root) = root {
            self.roots.insert(result, root);
        }
        match square {
            Some(root) => with_square(builder, root, result, location),
            None => Ok(results),
        }
    }

    /// The root whose square a node computes.
    fn squared(&self, builder: &Builder, op: &Op, operands: &[ValueId]) -> Option<Root> {
        let Op::Binary(op, _) = op else { return None };
        let root = self.known(builder, *operands.first()?)?;
        let other = *operands.get(1)?;
        let is_square = match op {
            BinaryOp::Mul => self.known(builder, other) == Some(root),
            BinaryOp::Pow | BinaryOp::ScalarPow => is_two(builder, other),
            _ => false,
        };
        is_square.then_some(root)
    }

    /// What a value is a root of. A value that was rolled back may have left its number to another one.
    fn known(&self, builder: &Builder, value: ValueId) -> Option<Root> {
        let root = *self.roots.get(&value)?;
        let node = builder.defining(value)?;
        let now = match node.op {
            Op::Identity(Identity::WithSlope) => self.known(builder, node.operands[0]),
            _ => root_of(&node.op, &node.operands),
        };
        (now == Some(root) && builder.function().tensor(value).dtype.is_float()).then_some(root)
    }
}

fn root_of(op: &Op, operands: &[ValueId]) -> Option<Root> {
    match (op, operands) {
        (Op::Unary(UnaryOp::Sqrt, _), [x]) => Some(Root::Of(*x)),
        (Op::Unary(UnaryOp::Abs, _), [x]) => Some(Root::OfSquare(*x)),
        (Op::Binary(BinaryOp::Hypot, _), [x, y]) => Some(Root::OfSquares(*x, *y)),
        _ => None,
    }
}

/// Whether a value is the scalar 2, or made of it: a Python int is cast.
fn is_two(builder: &Builder, value: ValueId) -> bool {
    let Some(node) = builder.defining(value) else { return false };
    let Op::Constant(Constant { dtype, sizes, bytes }) = &node.op else {
        return matches!(node.op, Op::Cast(_)) && is_two(builder, node.operands[0]);
    };
    sizes.is_empty()
        && match dtype {
            DType::F64 => **bytes == 2.0_f64.to_ne_bytes(),
            DType::F32 => **bytes == 2.0_f32.to_ne_bytes(),
            DType::I64 => **bytes == 2_i64.to_ne_bytes(),
            DType::I32 => **bytes == 2_i32.to_ne_bytes(),
            DType::U8 => **bytes == [2],
            DType::Bool => false,
        }
}

/// A square with the derivative of what it is the square of.
fn with_square(
    builder: &mut Builder,
    root: Root,
    value: ValueId,
    location: Option<LocationId>,
) -> Result<Vec<ValueId>, InferError> {
    let mut binary = |op, x, y| builder.emit(Op::Binary(op, Overflow::Wrap), &[x, y], location);
    let slope = match root {
        Root::Of(x) => vec![x],
        Root::OfSquare(x) => binary(BinaryOp::Mul, x, x)?,
        Root::OfSquares(x, y) => {
            let squares = [binary(BinaryOp::Mul, x, x)?, binary(BinaryOp::Mul, y, y)?].concat();
            builder.emit(Op::Binary(BinaryOp::Add, Overflow::Wrap), &squares, location)?
        }
    };
    let function = builder.function();
    // Where they differ, one of the operands of the square was broadcast.
    if slope.iter().any(|slope| function.ty(*slope) != function.ty(value)) {
        return Ok(vec![value]);
    }
    builder.emit(Op::Identity(Identity::WithSlope), &[&[value], &slope[..]].concat(), location)
}
