//! The types of the columns in the tables of ops.

use super::Overflow;
use crate::random::Draw;
use crate::types::DType;

/// The values that an op takes as one of its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OperandKind {
    /// Any value.
    Any,
    /// Any array.
    Array,
    /// An array of one of these element types.
    Of(Takes),
    /// An array of one of these element types for which there is checked arithmetic.
    Checked(Takes),
    /// An array of the element type of the operand of this number.
    Same(usize),
    /// An `i64[]`.
    Integer,
    /// A `bool[]`.
    Truth,
    /// A `u8[?]`.
    Bytes,
    /// A value of the type of the first operand.
    First,
    /// A list.
    List,
    /// A list of lists.
    ListOfLists,
    /// A value for the list that is the first operand.
    Element,
    /// A value for the lists in the list that is the first operand.
    InnerElement,
    /// A value that can be passed to the host: an array, or a list that makes one.
    Shown,
}

/// The operands of arithmetic.
pub(super) const fn arithmetic(takes: Takes, overflow: Overflow) -> OperandKind {
    match overflow {
        Overflow::Wrap => OperandKind::Of(takes),
        Overflow::Check => OperandKind::Checked(takes),
    }
}

/// The operands of a random draw after its key and its counter: the bounds of integers, or sizes.
pub(super) const fn bound(draw: Draw) -> OperandKind {
    match draw {
        Draw::Integers => OperandKind::Of(Takes::Integers),
        Draw::Uniform | Draw::Normal | Draw::Exponential => OperandKind::Integer,
    }
}

/// Element types that an op takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// All.
    All,
    /// All but `bool`.
    Numbers,
    /// All but floats.
    Discrete,
    /// `u8`, `i32` and `i64`.
    Integers,
    /// `f32` and `f64`.
    Floats,
    /// `bool` only.
    Bool,
    /// None: there is no such op.
    Nothing,
}

impl Takes {
    /// Whether this element type is one of them.
    #[must_use]
    pub const fn holds(self, dtype: DType) -> bool {
        match self {
            Self::All => true,
            Self::Numbers => dtype.is_integer() || dtype.is_float(),
            Self::Discrete => !dtype.is_float(),
            Self::Integers => dtype.is_integer(),
            Self::Floats => dtype.is_float(),
            Self::Bool => matches!(dtype, DType::Bool),
            Self::Nothing => false,
        }
    }
}

/// The kind of derivative of an op on floats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Derivative {
    /// It has a rule in `ag_grad`.
    Smooth,
    /// It is the op itself, applied to the tangents of the operands: the op only moves elements.
    Moved,
    /// It is zero wherever it exists.
    Zero,
}

/// The constants on which a pass computes an op.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Folds {
    /// All: every machine gives the same bits.
    Always,
    /// Integers and `bool`. Of floats the last bits depend on a library, or on the order of a sum.
    Discrete,
    /// None: its last bits depend on a library or the order of a sum, it is no arithmetic, or its result is
    /// larger than its operands.
    Never,
}

/// How close the result of an op on floats is to NumPy's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    /// The same bits on every machine, so a pass may fold constants with it.
    Alike,
    /// At most this many units in the last place away.
    Ulps(u32),
}

/// The cost of one element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cost {
    /// So little that a scalar is computed speculatively where that saves a jump.
    Least,
    /// Less than saving it on a tape and loading it again.
    Small,
    /// More than saving and loading it.
    More,
}
