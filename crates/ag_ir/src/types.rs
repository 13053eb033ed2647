//! The types of values of a graph.

use std::fmt;
use std::sync::{Arc, LazyLock};

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

    /// The result type of an operation on both, as NumPy promotes arrays (NEP 50). The front end handles weak
    /// scalars.
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dim {
    /// A number known when the graph is made.
    Known(usize),
    /// A number that is unknown until the run, written `?`. Two of them need not be equal.
    Unknown,
}

impl Dim {
    /// The number, if it is known.
    #[must_use]
    pub const fn known(self) -> Option<usize> {
        match self {
            Self::Known(size) => Some(size),
            Self::Unknown => None,
        }
    }
}

impl fmt::Display for Dim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Known(size) => write!(f, "{size}"),
            Self::Unknown => f.write_str("?"),
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

/// The type of an array: element type and shape, written `f32[200, ?]`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TensorType {
    /// Element type.
    pub dtype: DType,
    /// Dimensions.
    pub shape: Shape,
}

impl TensorType {
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

    /// The number of dimensions.
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
        self.shape.iter().map(|dim| dim.known()).collect()
    }

    /// Whether an array of these sizes may be of this type.
    #[must_use]
    pub fn fits(&self, sizes: &[usize]) -> bool {
        self.shape.len() == sizes.len()
            && self.shape.iter().zip(sizes).all(|(dim, size)| dim.known().is_none_or(|known| known == *size))
    }

    /// Whether a dimension is unknown until the run.
    #[must_use]
    pub fn has_unknown_sizes(&self) -> bool {
        self.shape.contains(&Dim::Unknown)
    }

    /// Whether memory can hold such an array: an allocation has at most `isize::MAX` bytes. An unknown size
    /// counts as 1, and so does a size of zero, as in NumPy: `np.zeros((0, 2**62, 8))` is too big.
    #[must_use]
    pub fn fits_memory(&self) -> bool {
        let sizes = self.shape.iter().filter_map(|dim| dim.known());
        has_room(self.dtype, sizes)
    }
}

/// Whether memory can hold an array of these sizes, see [`TensorType::fits_memory`].
pub(crate) fn has_room(dtype: DType, sizes: impl IntoIterator<Item = usize>) -> bool {
    let mut sizes = sizes.into_iter().filter(|size| *size > 0);
    let bytes = sizes.try_fold(dtype.size(), usize::checked_mul);
    bytes.is_some_and(|bytes| isize::try_from(bytes).is_ok())
}

impl fmt::Display for TensorType {
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

/// The type of a value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// An array, or a scalar: `f64[3]`.
    Tensor(TensorType),
    /// A list of values of one type, whose length is unknown until the run: `list<f64[3]>`.
    List(Arc<Type>),
}

impl Type {
    /// The array type with this element type and these dimensions.
    #[must_use]
    pub const fn new(dtype: DType, shape: Shape) -> Self {
        Self::Tensor(TensorType::new(dtype, shape))
    }

    /// A scalar type.
    #[must_use]
    pub const fn scalar(dtype: DType) -> Self {
        Self::Tensor(TensorType::scalar(dtype))
    }

    /// An array type of known dimensions.
    #[must_use]
    pub fn known(dtype: DType, sizes: &[usize]) -> Self {
        Self::Tensor(TensorType::known(dtype, sizes))
    }

    /// `u8[?]`, the type of a saved tape.
    #[must_use]
    pub fn bytes() -> &'static Self {
        static BYTES: LazyLock<Type> = LazyLock::new(|| Type::new(DType::U8, vec![Dim::Unknown]));
        &BYTES
    }

    /// The type of a list of values of this type.
    #[must_use]
    pub fn list_of(element: Self) -> Self {
        Self::List(Arc::new(element))
    }

    /// The array type, if it is one.
    #[must_use]
    pub const fn tensor(&self) -> Option<&TensorType> {
        match self {
            Self::Tensor(tensor) => Some(tensor),
            Self::List(_) => None,
        }
    }

    /// Whether it is an array type without dimensions.
    #[must_use]
    pub const fn is_scalar(&self) -> bool {
        matches!(self, Self::Tensor(tensor) if tensor.is_scalar())
    }

    /// Whether its values have derivatives, which are then of the same type: floats, and lists of them.
    #[must_use]
    pub fn has_tangent(&self) -> bool {
        match self {
            Self::Tensor(tensor) => tensor.dtype.is_float(),
            Self::List(element) => element.has_tangent(),
        }
    }

    /// Whether it is an array with a dimension that is unknown until the run.
    #[must_use]
    pub fn has_unknown_sizes(&self) -> bool {
        matches!(self, Self::Tensor(tensor) if tensor.has_unknown_sizes())
    }

    /// The element type, if it is a list.
    #[must_use]
    pub fn element(&self) -> Option<&Self> {
        match self {
            Self::Tensor(_) => None,
            Self::List(element) => Some(element),
        }
    }

    /// The type of the array that represents such a value outside of a graph. An array represents itself; a
    /// list of `length` arrays is one array with that many rows; a list of lists has none.
    #[must_use]
    pub fn stacked(&self, length: usize) -> Option<TensorType> {
        match self {
            Self::Tensor(tensor) => Some(tensor.clone()),
            Self::List(element) => {
                let TensorType { dtype, shape } = element.tensor()?;
                let rows = std::iter::once(Dim::Known(length)).chain(shape.iter().cloned());
                Some(TensorType::new(*dtype, rows.collect()))
            }
        }
    }
}

impl From<TensorType> for Type {
    fn from(tensor: TensorType) -> Self {
        Self::Tensor(tensor)
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tensor(tensor) => tensor.fmt(f),
            Self::List(element) => write!(f, "list<{element}>"),
        }
    }
}
