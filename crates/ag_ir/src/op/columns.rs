//! The types of the columns in the tables of ops.

use crate::types::DType;

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
