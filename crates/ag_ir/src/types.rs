//! Types: what a value of the graph is.

use std::fmt;
use std::sync::Arc;

/// Element types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DType {
    /// One byte, 0 or 1.
    Bool,
    /// Unsigned, 8 bits.
    U8,
    /// Signed, 32 bits, wraps.
    I32,
    /// Signed, 64 bits, wraps (or is checked, see [`crate::Overflow`]).
    I64,
    /// IEEE single.
    F32,
    /// IEEE double.
    F64,
}

impl DType {
    /// All of them, in NumPy's order of promotion.
    pub const ALL: [Self; 6] = [Self::Bool, Self::U8, Self::I32, Self::I64, Self::F32, Self::F64];

    /// Size of one element in bytes.
    #[must_use]
    pub const fn size(self) -> usize {
        match self {
            Self::Bool | Self::U8 => 1,
            Self::I32 | Self::F32 => 4,
            Self::I64 | Self::F64 => 8,
        }
    }

    /// The name in the text form: `f64 f32 i64 i32 u8 bool`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bool => "bool",
            Self::U8 => "u8",
            Self::I32 => "i32",
            Self::I64 => "i64",
            Self::F32 => "f32",
            Self::F64 => "f64",
        }
    }

    /// Whether it is a floating-point type.
    #[must_use]
    pub const fn is_float(self) -> bool {
        matches!(self, Self::F32 | Self::F64)
    }

    /// Whether it is an integer type; `bool` is not.
    #[must_use]
    pub const fn is_integer(self) -> bool {
        matches!(self, Self::U8 | Self::I32 | Self::I64)
    }

    /// The type of an operation on both, as NumPy promotes arrays (NEP 50, no weak scalars here:
    /// those are the front end's business).
    #[must_use]
    pub fn promote(self, other: Self) -> Self {
        use DType::{F32, F64, I32, I64};
        match (self.min(other), self.max(other)) {
            (I32 | I64, F32) => F64,
            (_, high) => high,
        }
    }
}

impl fmt::Display for DType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// One dimension of a shape.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Dim {
    /// A number known when the graph is made.
    Known(usize),
    /// A number known when the graph runs; equal symbols are equal numbers.
    Symbol(Arc<str>),
}

impl fmt::Display for Dim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Known(size) => write!(f, "{size}"),
            Self::Symbol(name) => f.write_str(name),
        }
    }
}

/// The dimensions of an array, outermost first; none for a scalar.
pub type Shape = Vec<Dim>;

/// A shape of known dimensions.
#[must_use]
pub fn known_shape(sizes: &[usize]) -> Shape {
    sizes.iter().copied().map(Dim::Known).collect()
}

/// The type of a value: element type and shape, written `f32[200, n]`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Type {
    /// Element type.
    pub dtype: DType,
    /// Dimensions.
    pub shape: Shape,
}

impl Type {
    /// The type with this element type and these dimensions.
    #[must_use]
    pub const fn new(dtype: DType, shape: Shape) -> Self {
        Self { dtype, shape }
    }

    /// A scalar type.
    #[must_use]
    pub const fn scalar(dtype: DType) -> Self {
        Self { dtype, shape: Vec::new() }
    }

    /// An array type of known dimensions.
    #[must_use]
    pub fn known(dtype: DType, sizes: &[usize]) -> Self {
        Self { dtype, shape: known_shape(sizes) }
    }

    /// How many dimensions.
    #[must_use]
    pub const fn rank(&self) -> usize {
        self.shape.len()
    }

    /// Whether it has no dimensions.
    #[must_use]
    pub const fn is_scalar(&self) -> bool {
        self.shape.is_empty()
    }

    /// The dimensions as numbers, if all are known.
    #[must_use]
    pub fn sizes(&self) -> Option<Vec<usize>> {
        self.shape
            .iter()
            .map(|dim| match dim {
                Dim::Known(size) => Some(*size),
                Dim::Symbol(_) => None,
            })
            .collect()
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}[", self.dtype)?;
        for (position, dim) in self.shape.iter().enumerate() {
            if position > 0 {
                f.write_str(", ")?;
            }
            write!(f, "{dim}")?;
        }
        f.write_str("]")
    }
}
