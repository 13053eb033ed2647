//! What stands in the columns of the tables of ops.

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
    /// Whether this type is one of them.
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

/// What the derivative of an op of floats is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Derivative {
    /// There is a rule for it in `ag_grad`.
    Smooth,
    /// It is the op itself, of the tangents of all operands that have one: the op only moves elements.
    Moved,
    /// It is zero wherever there is one.
    Zero,
}

/// How near the result of an op of floats is to what NumPy gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    /// The same bits, on every machine: what is known when the graph is made may be computed then.
    Alike,
    /// At most so many units in the last place away.
    Ulps(u32),
}

/// What one element costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cost {
    /// So little that a scalar is computed although it may not be needed, where that saves a jump.
    Least,
    /// Less than to save it and to load it again.
    Small,
    /// More than that.
    More,
}
