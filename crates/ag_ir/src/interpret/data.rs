//! Arrays of the interpreter: a shape and elements of one dtype, and how elements move.

use std::borrow::Cow;

use crate::run::Array;
use crate::types::DType;

/// Elements of one dtype.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Elements {
    Bool(Vec<bool>),
    U8(Vec<u8>),
    I32(Vec<i32>),
    I64(Vec<i64>),
    F32(Vec<f32>),
    F64(Vec<f64>),
}

/// Applies an expression to the elements, whatever their dtype, that returns a list of the same dtype.
macro_rules! map_dtype {
    ($elements:expr, $list:ident => $result:expr) => {
        match $elements {
            Elements::Bool($list) => Elements::Bool($result),
            Elements::U8($list) => Elements::U8($result),
            Elements::I32($list) => Elements::I32($result),
            Elements::I64($list) => Elements::I64($result),
            Elements::F32($list) => Elements::F32($result),
            Elements::F64($list) => Elements::F64($result),
        }
    };
}

pub(super) use map_dtype;

/// A value: elements in C order.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Data {
    pub(super) sizes: Vec<usize>,
    pub(super) elements: Elements,
}

impl Data {
    pub(super) const fn new(sizes: Vec<usize>, elements: Elements) -> Self {
        Self { sizes, elements }
    }

    pub(super) fn from_array(array: &Array) -> Self {
        Self::from_bytes(array.dtype, array.sizes.clone(), &array.bytes)
    }

    pub(super) fn from_bytes(dtype: DType, sizes: Vec<usize>, bytes: &[u8]) -> Self {
        let elements = match dtype {
            DType::Bool => Elements::Bool(bytes.iter().map(|byte| *byte != 0).collect()),
            DType::U8 => Elements::U8(bytes.to_vec()),
            DType::I32 => Elements::I32(words(bytes, i32::from_ne_bytes)),
            DType::I64 => Elements::I64(words(bytes, i64::from_ne_bytes)),
            DType::F32 => Elements::F32(words(bytes, f32::from_ne_bytes)),
            DType::F64 => Elements::F64(words(bytes, f64::from_ne_bytes)),
        };
        Self { sizes, elements }
    }

    pub(super) fn to_array(&self) -> Array {
        let (dtype, bytes) = match &self.elements {
            Elements::Bool(list) => (DType::Bool, list.iter().map(|one| u8::from(*one)).collect()),
            Elements::U8(list) => (DType::U8, list.clone()),
            Elements::I32(list) => (DType::I32, list.iter().flat_map(|one| one.to_ne_bytes()).collect()),
            Elements::I64(list) => (DType::I64, list.iter().flat_map(|one| one.to_ne_bytes()).collect()),
            Elements::F32(list) => (DType::F32, list.iter().flat_map(|one| one.to_ne_bytes()).collect()),
            Elements::F64(list) => (DType::F64, list.iter().flat_map(|one| one.to_ne_bytes()).collect()),
        };
        Array { dtype, sizes: self.sizes.clone(), bytes }
    }

    pub(super) fn scalar_i64(value: i64) -> Self {
        Self::new(vec![], Elements::I64(vec![value]))
    }

    /// The only element as a truth value.
    pub(super) fn is_true(&self) -> bool {
        matches!(&self.elements, Elements::Bool(list) if list.first() == Some(&true))
    }

    /// Integer elements as `i64`.
    pub(super) fn integers(&self) -> Vec<i64> {
        match &self.elements {
            Elements::Bool(list) => list.iter().map(|one| i64::from(*one)).collect(),
            Elements::U8(list) => list.iter().map(|one| i64::from(*one)).collect(),
            Elements::I32(list) => list.iter().map(|one| i64::from(*one)).collect(),
            Elements::I64(list) => list.clone(),
            Elements::F32(_) | Elements::F64(_) => Vec::new(),
        }
    }

    /// The first integer element, 0 if there is none.
    pub(super) fn integer(&self) -> i64 {
        self.integers().first().copied().unwrap_or(0)
    }

    /// The elements at these positions, in a new shape.
    pub(super) fn take(&self, sizes: Vec<usize>, places: &[usize]) -> Self {
        let elements = map_dtype!(&self.elements, list => places.iter().map(|place| list[*place]).collect());
        Self { sizes, elements }
    }

    /// A copy in which the elements at `places` are replaced by those of `update`, in order.
    pub(super) fn put(&self, places: &[usize], update: &Self) -> Self {
        let mut result = self.clone();
        result.replace(places, update);
        result
    }

    /// Replaces the elements at `places` by the elements of `update`, in order.
    pub(super) fn replace(&mut self, places: &[usize], update: &Self) {
        macro_rules! replace {
            ($($variant:ident),*) => {
                match (&mut self.elements, &update.elements) {
                    $((Elements::$variant(list), Elements::$variant(new)) => {
                        for (place, value) in places.iter().zip(new) {
                            list[*place] = *value;
                        }
                    })*
                    _ => {}
                }
            };
        }
        replace!(Bool, U8, I32, I64, F32, F64);
    }

    /// The elements broadcast to a shape.
    pub(super) fn broadcast(&self, sizes: &[usize]) -> Cow<'_, Self> {
        if self.sizes == sizes {
            return Cow::Borrowed(self);
        }
        let steps = broadcast_steps(&self.sizes, sizes);
        let places: Vec<usize> =
            indices(sizes).map(|index| index.iter().zip(&steps).map(|(i, s)| i * s).sum()).collect();
        Cow::Owned(self.take(sizes.to_vec(), &places))
    }
}

fn words<const N: usize, T>(bytes: &[u8], read: fn([u8; N]) -> T) -> Vec<T> {
    bytes.as_chunks::<N>().0.iter().map(|chunk| read(*chunk)).collect()
}

/// The C-order strides, in elements.
pub(super) fn steps(sizes: &[usize]) -> Vec<usize> {
    let mut steps = vec![1; sizes.len()];
    for axis in (1..sizes.len()).rev() {
        steps[axis - 1] = steps[axis] * sizes[axis];
    }
    steps
}

/// Strides of an operand of `sizes` broadcast to `target`: 0 along stretched axes.
fn broadcast_steps(sizes: &[usize], target: &[usize]) -> Vec<usize> {
    let offset = target.len() - sizes.len();
    let own = steps(sizes);
    (0..target.len())
        .map(|axis| if axis < offset || sizes[axis - offset] == 1 { 0 } else { own[axis - offset] })
        .collect()
}

/// The position of an index in C order.
pub(super) fn place(sizes: &[usize], index: &[usize]) -> usize {
    index.iter().zip(steps(sizes)).map(|(i, step)| i * step).sum()
}

/// All indices of a shape in C order.
pub(super) fn indices(sizes: &[usize]) -> impl Iterator<Item = Vec<usize>> {
    let sizes = sizes.to_vec();
    let count: usize = sizes.iter().product();
    (0..count).map(move |mut number| {
        let mut index = vec![0; sizes.len()];
        for axis in (0..sizes.len()).rev() {
            index[axis] = number % sizes[axis];
            number /= sizes[axis];
        }
        index
    })
}
