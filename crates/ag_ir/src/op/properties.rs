//! The table of all ops: what passes ask about each.
//!
//! A new op does not compile until each property is said of it. What is regular of a family is in
//! `table.rs`, which is asked here; what a node of an op looks like is in `forms.rs`.
//!
//! | column | says |
//! | --- | --- |
//! | fails | see [`Fails`]; what only sizes decide is in `effects/sizes.rs` |
//! | effect | see [`Effect`] |
//! | ends | whether it ends in any case |
//! | sizes | see [`SizeRule`] |
//! | batching | see [`Batching`] |
//! | updates | whether the first result is the first operand, changed or not |
//! | derivative | see [`Derivative`]; that of control flow, calls and scopes is of what they run |
//! | cost | see [`Cost`] |

use super::{BinaryOp, Cost, Derivative, Identity, ListOp, Op, Overflow, UnaryOp};
use crate::random::Draw;
use crate::types::DType;

/// Whether an op fails for some values of its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fails {
    /// For none.
    Never,
    /// For some.
    May,
    /// For some integers.
    OfIntegers,
}

/// What running an op does that is seen elsewhere than in its results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Nothing.
    None,
    /// The host prints, or computes.
    Host,
    /// What a failing run gives changes.
    Keep,
    /// A tape grows or shrinks.
    Tape,
    /// What the function that is called does.
    Callee,
}

/// What the sizes of the result of an op are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SizeRule {
    /// Those of the operand with this number.
    Operand(usize),
    /// Those to which the operands broadcast.
    Broadcast,
    /// What its attributes say, and the numbers that the operands from this one on are.
    Numbers(usize),
    /// What its attributes and operands say, by a rule of its own; or it gives no array.
    Own,
}

/// How an op is done for a batch of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Batching {
    /// Once, with the rows' axes aligned at the right.
    Elementwise,
    /// Once, along axes that come one later.
    AlongAxes,
    /// Once: it takes a stack of whatever shape.
    Stacks,
    /// For one row after the other.
    RowByRow,
    /// By a rule of its own.
    Own,
    /// Not at once: rows would have results of different sizes.
    Uneven,
    /// Not at all: what the host sees is not for single rows.
    Refused,
}

/// The columns of one row after the other, as methods of [`Op`].
macro_rules! properties {
    ($(
        $op:pat => $fails:expr, $effect:expr, $ends:expr, $sizes:expr, $batching:expr,
        $updates:expr, $derivative:expr, $cost:expr;
    )*) => {
        // In each column most rows do not look at the op.
        #[allow(unused_variables, clippy::match_same_arms)]
        impl Op {
            /// For which values of its operands it fails. Neither the regions of control flow nor sizes are
            /// looked into, see [`Node::may_fail`](crate::Node::may_fail).
            #[must_use]
            pub const fn fails(&self) -> Fails {
                use Fails::*;
                match self {
                    $($op => $fails),*
                }
            }

            /// What running it does, even when it succeeds, that is seen elsewhere than in its results.
            /// The regions of control flow are not looked into, see
            /// [`Node::has_effect`](crate::Node::has_effect).
            #[must_use]
            pub const fn effect(&self) -> Effect {
                use Effect::*;
                match self {
                    $($op => $effect),*
                }
            }

            /// Whether it may run forever.
            #[must_use]
            pub const fn may_not_end(&self) -> bool {
                !match self {
                    $($op => $ends),*
                }
            }

            /// What the sizes of its result are, once they have been found to fit.
            #[must_use]
            pub const fn size_rule(&self) -> SizeRule {
                use SizeRule::*;
                match self {
                    $($op => $sizes),*
                }
            }

            /// How it is done for a batch of rows, of which it has some for operands.
            #[must_use]
            pub const fn batching(&self) -> Batching {
                use Batching::*;
                match self {
                    $($op => $batching),*
                }
            }

            /// Whether the first result is the first operand, changed or not.
            #[must_use]
            pub const fn updates_first(&self) -> bool {
                match self {
                    $($op => $updates),*
                }
            }

            /// What its derivative is, of floats.
            #[must_use]
            pub const fn derivative(&self) -> Derivative {
                use Derivative::*;
                match self {
                    $($op => $derivative),*
                }
            }

            /// What it costs, for each element.
            #[must_use]
            pub const fn cost(&self) -> Cost {
                use Cost::*;
                match self {
                    $($op => $cost),*
                }
            }
        }

        /// The rows as the document shows them.
        #[cfg(test)]
        pub(super) const ROWS: &[(&str, [&str; 8])] = &[$((stringify!($op), [
            stringify!($fails), stringify!($effect), stringify!($ends), stringify!($sizes),
            stringify!($batching), stringify!($updates), stringify!($derivative), stringify!($cost),
        ])),*];
    };
}

properties! {
    // op => fails, effect, ends, sizes, batching, updates, derivative, cost
    Op::Constant(_) => Never, None, true, Own, Uneven, false, Zero, More;
    Op::Iota { .. } => Never, None, true, Own, Uneven, false, Zero, More;
    Op::IotaTo(_) => Never, None, true, Numbers(0), Uneven, false, Zero, More;
    Op::Size(_) => Never, None, true, Own, Own, false, Zero, Small;
    Op::WithShape(_) => Never, None, true, Operand(0), Own, true, Smooth, More;
    Op::Unary(op, overflow) =>
        op.fails(*overflow), None, true, Operand(0), Elementwise, false, op.derivative(), op.cost();
    Op::Binary(op, overflow) =>
        op.fails(*overflow), None, true, Broadcast, Elementwise, false, op.derivative(), op.cost();
    Op::Compare(_) => Never, None, true, Broadcast, Elementwise, false, Zero, Least;
    Op::Select => Never, None, true, Broadcast, Elementwise, false, Smooth, Least;
    Op::Cast(dtype) => Never, None, true, Operand(0), Elementwise, false, of_type(*dtype), Small;
    Op::Broadcast(_) => Never, None, true, Numbers(1), Own, false, Smooth, More;
    Op::Reshape(_) => Never, None, true, Numbers(1), Own, true, Smooth, More;
    Op::Transpose(_) => Never, None, true, Own, Own, false, Smooth, More;
    Op::Slice { .. } => Never, None, true, Own, Own, false, Smooth, More;
    Op::SliceRange { .. } => May, None, true, Numbers(1), Own, false, Smooth, More;
    Op::DynamicSlice { .. } => May, None, true, Own, Own, false, Smooth, More;
    Op::UpdateSlice { .. } => Never, None, true, Operand(0), Own, true, Moved, More;
    Op::DynamicUpdateSlice { .. } => May, None, true, Operand(0), Own, true, Moved, More;
    Op::Gather { .. } => May, None, true, Own, Own, false, Smooth, More;
    Op::Scatter { .. } => May, None, true, Operand(0), Own, true, Moved, More;
    Op::ScatterAdd { .. } => May, None, true, Operand(0), Own, true, Moved, More;
    Op::Concatenate(axis) => Never, None, true, Own, Own, *axis == 0, Moved, More;
    Op::Nonzero => Never, None, true, Own, Uneven, false, Zero, More;
    Op::Reduce { op, .. } => Never, None, true, Own, AlongAxes, false, op.derivative(), More;
    Op::ArgReduce { .. } => Never, None, true, Own, AlongAxes, false, Zero, More;
    Op::ArgSort(_) => Never, None, true, Operand(0), AlongAxes, false, Zero, More;
    Op::Cumulative { op, .. } => Never, None, true, Operand(0), AlongAxes, false, op.derivative(), More;
    Op::Dot(_) => Never, None, true, Own, Own, false, Smooth, More;
    Op::Decompose(_) => Never, None, true, Own, Stacks, false, Smooth, More;
    Op::SolveLu => Never, None, true, Operand(1), Stacks, false, Smooth, More;
    Op::Fourier { .. } => Never, None, true, Operand(0), Stacks, false, Smooth, More;
    Op::Random { draw, .. } => Never, None, true, sizes_of_draw(*draw), RowByRow, false, Zero, More;
    Op::If => Never, None, true, Own, Own, false, Smooth, More;
    Op::While => Never, None, false, Own, Own, false, Smooth, More;
    Op::For => Never, None, true, Own, Own, false, Smooth, More;
    Op::Identity(identity) => Never, None, true, Operand(0), Own, false, identity.derivative(), More;
    Op::TapePush(_) => Never, Tape, true, Own, Own, false, Zero, More;
    Op::TapePop(_) => Never, Tape, true, Own, Own, false, Smooth, More;
    Op::Scope(_) => Never, None, true, Own, Own, false, Smooth, More;
    Op::List(op) => list_fails(op), None, true, Own, Own, op.updates_first(), op.derivative(), More;
    Op::Call(_) => May, Callee, false, Own, Own, false, Smooth, More;
    Op::Callback(_) => May, Host, true, Own, Refused, false, Smooth, More;
    Op::Check(_) => May, None, true, Own, Own, false, Zero, More;
    Op::Print { .. } => Never, Host, true, Own, Refused, false, Zero, More;
    Op::Keep(_) => Never, Keep, true, Own, Refused, false, Zero, More;
    Op::KeepEnd(_) => Never, Keep, true, Own, Refused, false, Zero, More;
}

impl Op {
    /// Whether it may fail on operands of this element type, for some of their values, see [`Op::fails`].
    #[must_use]
    pub const fn may_fail(&self, operand: Option<DType>) -> bool {
        match self.fails() {
            Fails::Never => false,
            Fails::May => true,
            Fails::OfIntegers => matches!(operand, Some(dtype) if dtype.is_integer()),
        }
    }

    /// Whether it has an effect, see [`Op::effect`].
    #[must_use]
    pub const fn has_effect(&self) -> bool {
        !matches!(self.effect(), Effect::None)
    }

    /// Whether it is done element by element, on operands that broadcast.
    #[must_use]
    pub const fn is_elementwise(&self) -> bool {
        matches!(self.batching(), Batching::Elementwise)
    }
}

impl UnaryOp {
    /// For which values it fails.
    #[must_use]
    pub const fn fails(self, overflow: Overflow) -> Fails {
        if matches!(overflow, Overflow::Check) && self.overflows() { Fails::May } else { Fails::Never }
    }
}

impl BinaryOp {
    /// For which values it fails.
    #[must_use]
    pub const fn fails(self, overflow: Overflow) -> Fails {
        if matches!(overflow, Overflow::Check) && self.overflows() {
            return Fails::May;
        }
        // Of integers that are not checked, too: there is no integer that is 2 ** -1.
        if matches!(self, Self::Pow) { Fails::OfIntegers } else { Fails::Never }
    }
}

/// Integers have the sizes of their bounds; of the others each size that is not known is a number.
const fn sizes_of_draw(draw: Draw) -> SizeRule {
    match draw {
        Draw::Integers => SizeRule::Own,
        Draw::Uniform | Draw::Normal | Draw::Exponential => SizeRule::Numbers(2),
    }
}

const fn list_fails(op: &ListOp) -> Fails {
    if op.may_fail() { Fails::May } else { Fails::Never }
}

/// The derivative of what an op gives in this element type.
const fn of_type(dtype: DType) -> Derivative {
    if dtype.is_float() { Derivative::Smooth } else { Derivative::Zero }
}

impl Identity {
    /// What its derivative is.
    #[must_use]
    pub const fn derivative(self) -> Derivative {
        match self {
            Self::Plain => Derivative::Smooth,
            Self::StopGradient => Derivative::Zero,
        }
    }
}
