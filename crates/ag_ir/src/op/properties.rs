//! The table of all ops: the properties of each that passes ask for.
//!
//! A new op does not compile until it has all properties. Those that are regular in a family come from
//! `table.rs`; what a node of an op looks like and takes is in `forms.rs`, what it returns in `results.rs`.
//!
//! | column | says |
//! | --- | --- |
//! | fails | see [`Fails`]; what only sizes decide is in `effects/sizes.rs` |
//! | effect | see [`Effect`] |
//! | ends | whether it ends in any case |
//! | batching | see [`Batching`] |
//! | updates | whether the first result is the first operand, changed or not |
//! | derivative | see [`Derivative`]; control flow, calls and scopes have the derivative of the code that they run |
//! | cost | see [`Cost`] |
//! | folds | see [`Folds`] |

use super::{BinaryOp, Cost, Derivative, Folds, Identity, ListOp, Op, Overflow, Store, UnaryOp};
use crate::types::DType;

/// Whether an op fails for some values of its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fails {
    /// It never fails.
    Never,
    /// It fails for some values.
    May,
    /// It fails for some integers, and never for floats.
    OfIntegers,
}

/// The effect of an op: what running it changes besides its results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// It has none.
    None,
    /// The host prints or computes.
    Host,
    /// It changes the values that an error reports.
    Keep,
    /// It puts values on a tape or takes them from one.
    Tape,
    /// Those of the called function.
    Callee,
}

/// How an op is vectorised over a batch of rows (`vmap`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Batching {
    /// As one op; axes of size 1 align the rows' axes at the right.
    Elementwise,
    /// As one op, with each axis number plus one.
    AlongAxes,
    /// As one op: it accepts stacks of any shape.
    Stacks,
    /// One row after the other.
    RowByRow,
    /// By a rule of its own.
    Own,
    /// Not at once: rows would have results of different sizes, so the whole region runs row by row.
    Uneven,
    /// Refused: the host cannot be called for single rows.
    Refused,
}

/// Generates a method of [`Op`] from each column.
macro_rules! properties {
    ($(
        $op:pat => $fails:expr, $effect:expr, $ends:expr, $batching:expr,
        $updates:expr, $derivative:expr, $cost:expr, $folds:expr;
    )*) => {
        // Most rows of a column ignore the op.
        #[allow(unused_variables, clippy::match_same_arms)]
        impl Op {
            /// For which values of its operands it fails. Regions of control flow and unknown sizes do not
            /// count here, see [`Node::may_fail`](crate::Node::may_fail).
            #[must_use]
            pub const fn fails(&self) -> Fails {
                use Fails::*;
                match self {
                    $($op => $fails),*
                }
            }

            /// Its effect, also when it succeeds. Regions of control flow do not count here, see
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

            /// How it is vectorised over a batch of rows, if some operands are batched.
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

            /// The kind of its derivative, for floats.
            #[must_use]
            pub const fn derivative(&self) -> Derivative {
                use Derivative::*;
                match self {
                    $($op => $derivative),*
                }
            }

            /// The cost of one element.
            #[must_use]
            pub const fn cost(&self) -> Cost {
                use Cost::*;
                match self {
                    $($op => $cost),*
                }
            }

            /// The constants on which a pass computes it.
            #[must_use]
            pub const fn folds(&self) -> Folds {
                use Folds::*;
                match self {
                    $($op => $folds),*
                }
            }
        }

        /// The rows as the document shows them.
        #[cfg(test)]
        pub(super) const ROWS: &[(&str, [&str; 8])] = &[$((stringify!($op), [
            stringify!($fails), stringify!($effect), stringify!($ends), stringify!($batching),
            stringify!($updates), stringify!($derivative), stringify!($cost),
            stringify!($folds),
        ])),*];
    };
}

properties! {
    // op => fails, effect, ends, batching, updates, derivative, cost, folds
    Op::Constant(_) => Never, None, true, Uneven, false, Zero, More, Never;
    Op::Iota { .. } => Never, None, true, Uneven, false, Zero, More, Never;
    Op::IotaTo(_) => Never, None, true, Uneven, false, Zero, More, Never;
    Op::Size(_) => Never, None, true, Own, false, Zero, Small, Never;
    Op::WithShape(_) => Never, None, true, Own, true, Smooth, More, Never;
    Op::Unary(op, overflow) =>
        op.fails(*overflow), None, true, Elementwise, false, op.derivative(), op.cost(), op.folds();
    Op::Binary(op, overflow) =>
        op.fails(*overflow), None, true, Elementwise, false, op.derivative(), op.cost(), op.folds();
    Op::Compare(_) => Never, None, true, Elementwise, false, Zero, Least, Always;
    Op::Select => Never, None, true, Elementwise, false, Smooth, Least, Always;
    Op::MulAddMod => Never, None, true, RowByRow, false, Zero, Small, Always;
    Op::Cast(dtype) => Never, None, true, Elementwise, false, of_type(*dtype), Small, Always;
    Op::Broadcast(_) => Never, None, true, Own, false, Smooth, More, Never;
    Op::Reshape(_) => Never, None, true, Own, true, Smooth, More, Always;
    Op::Transpose(_) => Never, None, true, Own, false, Smooth, More, Always;
    Op::Slice { .. } => Never, None, true, Own, false, Smooth, More, Always;
    Op::SliceRange { .. } => May, None, true, Own, false, Smooth, More, Never;
    Op::DynamicSlice { .. } => May, None, true, Own, false, Smooth, More, Always;
    Op::UpdateSlice { .. } => Never, None, true, Own, true, Moved, More, Always;
    Op::DynamicUpdateSlice { .. } => May, None, true, Own, true, Moved, More, Always;
    Op::Gather { .. } => May, None, true, Own, false, Smooth, More, Always;
    Op::Scatter { store, .. } => May, None, true, Own, true, Moved, More, of_store(*store);
    Op::Concatenate(axis) => Never, None, true, Own, *axis == 0, Moved, More, Always;
    Op::Nonzero => Never, None, true, Uneven, false, Zero, More, Never;
    Op::Reduce { op, .. } => Never, None, true, AlongAxes, false, op.derivative(), More, Discrete;
    Op::ArgReduce { .. } => Never, None, true, AlongAxes, false, Zero, More, Always;
    Op::ArgSort(_) => Never, None, true, AlongAxes, false, Zero, More, Always;
    Op::Sort(_) => Never, None, true, AlongAxes, false, Smooth, More, Always;
    Op::ArgPartition { .. } => Never, None, true, AlongAxes, false, Zero, More, Always;
    Op::Partition { .. } => Never, None, true, AlongAxes, false, Smooth, More, Always;
    Op::Search { .. } => Never, None, true, Stacks, false, Zero, More, Always;
    Op::Cumulative { op, .. } => Never, None, true, AlongAxes, false, op.derivative(), More, Discrete;
    Op::Dot(_) => Never, None, true, Own, false, Smooth, More, Never;
    Op::Correlate { .. } => Never, None, true, Stacks, false, Smooth, More, Never;
    Op::Decompose(_) => Never, None, true, Stacks, false, Smooth, More, Never;
    Op::SolveLu => Never, None, true, Stacks, false, Smooth, More, Never;
    Op::Fourier { .. } => Never, None, true, Stacks, false, Smooth, More, Never;
    Op::Random { .. } => Never, None, true, RowByRow, false, Zero, More, Never;
    Op::If => Never, None, true, Own, false, Smooth, More, Never;
    Op::While => Never, None, false, Own, false, Smooth, More, Never;
    Op::For => Never, None, true, Own, false, Smooth, More, Never;
    Op::Identity(identity) => Never, None, true, Own, false, identity.derivative(), More, Never;
    Op::TapePush(_) => Never, Tape, true, Own, false, Zero, More, Never;
    Op::TapePop(_) => Never, Tape, true, Own, false, Smooth, More, Never;
    Op::TapeSave(_) => Never, Tape, true, Own, false, Zero, More, Never;
    Op::TapeLoad(_) => Never, Tape, true, Own, false, Zero, More, Never;
    Op::Scope(_) => Never, None, true, Own, false, Smooth, More, Never;
    Op::List(op) => list_fails(op), None, true, Own, op.updates_first(), op.derivative(), More, Never;
    Op::Call(_) => May, Callee, false, Own, false, Smooth, More, Never;
    Op::Callback(_) => May, Host, true, Refused, false, Smooth, More, Never;
    Op::Check(_) => May, None, true, Own, false, Zero, More, Never;
    Op::Print { .. } => Never, Host, true, Refused, false, Zero, More, Never;
    Op::Keep(_) => Never, Keep, true, Refused, false, Zero, More, Never;
    Op::KeepEnd(_) => Never, Keep, true, Refused, false, Zero, More, Never;
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
        // A negative integer power fails also without overflow checks: no integer is 2 ** -1.
        if matches!(self, Self::Pow) { Fails::OfIntegers } else { Fails::Never }
    }
}

/// The order of a sum over indices is the engine's.
const fn of_store(store: Store) -> Folds {
    match store {
        Store::Replace => Folds::Always,
        Store::Add => Folds::Never,
    }
}

const fn list_fails(op: &ListOp) -> Fails {
    if op.may_fail() { Fails::May } else { Fails::Never }
}

/// The derivative of an op whose result has this element type.
const fn of_type(dtype: DType) -> Derivative {
    if dtype.is_float() { Derivative::Smooth } else { Derivative::Zero }
}

impl Identity {
    /// The kind of its derivative.
    #[must_use]
    pub const fn derivative(self) -> Derivative {
        match self {
            Self::Plain | Self::WithSlope | Self::Saved | Self::Held(_) => Derivative::Smooth,
            Self::StopGradient => Derivative::Zero,
        }
    }
}
