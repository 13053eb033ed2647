//! The links of a chain.

/// What an op does to the value that goes through a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Link {
    /// `value = x`: the start.
    Load,
    /// `value + x`.
    Add,
    /// `value - x`.
    Sub,
    /// `x - value`.
    SubFrom,
    /// `value * x`.
    Mul,
    /// `value / x`.
    Div,
    /// `x / value`.
    DivInto,
    /// `value * value`.
    Square,
    /// `-value`.
    Neg,
    /// `abs(value)`.
    Abs,
    /// `sqrt(value)`.
    Sqrt,
}
