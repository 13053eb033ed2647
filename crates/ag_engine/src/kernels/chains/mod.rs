//! Chains: floats that go through several arithmetic ops while they are in vector registers.
//!
//! ```text
//! x * -4 + up + down + left + right      one load of each operand, one store
//! ```
//!
//! A loop for each op would store its result and load it again. Here some vectors go through all ops of a chain
//! before the next ones do; which op comes next is looked up once for all of them. The ops are those whose result
//! is the exact one, rounded: the bits are those of a loop for each op.

mod lanes;
mod link;
mod machine;

pub(crate) use link::Link;
pub(crate) use machine::{ChainFn, Step};

use ag_ir::{BinaryOp, DType, Op, UnaryOp};

use crate::isa::Isa;

/// The most steps of a chain.
pub(crate) const MOST_STEPS: usize = 16;

/// An op that a chain can have, on `float32` or `float64`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Linked {
    /// With the first operand as the value that goes through.
    pub(crate) first: Link,
    /// With the second one; none of ops that have one operand.
    pub(crate) second: Option<Link>,
    /// With both.
    pub(crate) both: Option<Link>,
    /// Whether the elements are `float64`.
    pub(crate) is_double: bool,
    /// What runs a chain of such elements.
    pub(crate) machine: ChainFn,
}

impl Linked {
    /// An op on operands of this type, if a chain can have it.
    pub(crate) fn of(op: &Op, dtype: DType, isa: Isa) -> Option<Self> {
        let (first, second, both) = match op {
            Op::Binary(BinaryOp::Add, _) => (Link::Add, Some(Link::Add), None),
            Op::Binary(BinaryOp::Sub, _) => (Link::Sub, Some(Link::SubFrom), None),
            Op::Binary(BinaryOp::Mul, _) => (Link::Mul, Some(Link::Mul), Some(Link::Square)),
            Op::Binary(BinaryOp::Div, _) => (Link::Div, Some(Link::DivInto), None),
            Op::Unary(UnaryOp::Neg, _) => (Link::Neg, None, None),
            Op::Unary(UnaryOp::Abs, _) => (Link::Abs, None, None),
            Op::Unary(UnaryOp::Sqrt, _) => (Link::Sqrt, None, None),
            _ => return None,
        };
        let is_double = dtype == DType::F64;
        let machine = machine::chain_fn(is_double, isa);
        dtype.is_float().then_some(Self { first, second, both, is_double, machine })
    }
}
