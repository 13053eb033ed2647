//! The leaves of arguments that a compiled function accepts, compared without making Python objects.
//!
//! ```text
//! f(np.ones(3), 0.1, 5)      [Array(float64, [3]), Float, Int(5)]
//! ```
//!
//! Invariant: leaves that match have the same cache key in `autograph._src.function`. Leaves that do not
//! match may still have it (an equal dtype that is another object); Python then finds it there.

use std::collections::{HashMap, HashSet};

use numpy::{PyUntypedArray, PyUntypedArrayMethods};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyFloat, PyInt, PyString, PyType};

/// The pattern of one leaf.
pub(crate) enum Pattern {
    /// A plain array with this very dtype object and this shape.
    Array { dtype: Py<PyAny>, sizes: Vec<usize> },
    /// A plain array with this very dtype object; `None` accepts any size.
    OpenArray { dtype: Py<PyAny>, sizes: Vec<Option<usize>> },
    /// A NumPy scalar of this type.
    Scalar(Py<PyType>),
    /// Any Python float. A float that is part of the cache key is an `Object`.
    Float,
    /// Any Python int of 64 bits.
    AnyInt,
    /// This Python int.
    Int(i64),
    /// A string with this text.
    Text(Py<PyString>),
    /// This very object.
    Object(Py<PyAny>),
}

impl Pattern {
    /// The pattern of an argument, which is an input of the graph or part of the cache key.
    pub(crate) fn of(argument: &Bound<'_, PyAny>, is_input: bool) -> Self {
        if let Ok(array) = argument.cast_exact::<PyUntypedArray>() {
            let sizes = array.shape().to_vec();
            return Self::Array { dtype: array.dtype().into_any().unbind(), sizes };
        }
        if is_input && argument.is_exact_instance_of::<PyFloat>() {
            return Self::Float;
        }
        if argument.is_exact_instance_of::<PyInt>() {
            if is_input {
                return Self::AnyInt;
            }
            if let Ok(value) = argument.extract::<i64>() {
                return Self::Int(value);
            }
        } else if let Ok(text) = argument.cast_exact::<PyString>() {
            return Self::Text(text.clone().unbind());
        } else if is_input {
            return Self::Scalar(argument.get_type().unbind());
        }
        Self::Object(argument.clone().unbind())
    }

    /// Whether an argument is of this pattern.
    fn matches(&self, argument: &Bound<'_, PyAny>) -> bool {
        match self {
            Self::Array { dtype, sizes } => argument
                .cast_exact::<PyUntypedArray>()
                .is_ok_and(|array| array.shape() == sizes && array.dtype().is(dtype)),
            Self::OpenArray { dtype, sizes } => argument
                .cast_exact::<PyUntypedArray>()
                .is_ok_and(|array| fit(sizes, array.shape()) && array.dtype().is(dtype)),
            Self::Scalar(kind) => argument.get_type().is(kind),
            Self::Float => argument.is_exact_instance_of::<PyFloat>(),
            Self::AnyInt => argument.is_exact_instance_of::<PyInt>() && argument.extract::<i64>().is_ok(),
            Self::Int(value) => {
                argument.is_exact_instance_of::<PyInt>()
                    && argument.extract::<i64>().is_ok_and(|given| given == *value)
            }
            Self::Text(text) => {
                argument.is(text)
                    || (argument.is_exact_instance_of::<PyString>() && argument.eq(text).unwrap_or(false))
            }
            Self::Object(object) => argument.is(object),
        }
    }

    fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        match self {
            Self::Array { dtype, .. } | Self::OpenArray { dtype, .. } => visit.call(dtype),
            Self::Scalar(kind) => visit.call(kind),
            Self::Text(text) => visit.call(text),
            Self::Object(object) => visit.call(object),
            Self::Float | Self::AnyInt | Self::Int(_) => Ok(()),
        }
    }
}

/// The patterns of all leaves of the arguments, and which leaves are the same array.
pub(crate) struct Signature {
    patterns: Vec<Pattern>,
    /// Pairs of the place of a repeated array and the place of its first occurrence.
    repeated: Vec<(usize, usize)>,
    /// The places of the other arrays, which are all different.
    different: Vec<usize>,
}

/// At most this many arrays are compared in pairs; more are sorted.
const FEW: usize = 8;

impl Signature {
    /// The signature of a call; `inputs` are the positions of the leaves that the graph takes.
    pub(crate) fn of(leaves: &[Bound<'_, PyAny>], inputs: &[usize]) -> Self {
        let inputs: HashSet<usize> = inputs.iter().copied().collect();
        let mut first_of = HashMap::new();
        let mut signature = Self { patterns: Vec::new(), repeated: Vec::new(), different: Vec::new() };
        for (place, leaf) in leaves.iter().enumerate() {
            let mut first = place;
            if leaf.is_exact_instance_of::<PyUntypedArray>() {
                first = *first_of.entry(leaf.as_ptr() as usize).or_insert(place);
                if first == place {
                    signature.different.push(place);
                } else {
                    signature.repeated.push((place, first));
                }
            }
            // An array that is passed twice is one input.
            signature.patterns.push(Pattern::of(leaf, inputs.contains(&first)));
        }
        signature
    }

    /// Lets an array leaf, wherever it is passed, have any size where `sizes` has `None`.
    pub(crate) fn open(&mut self, py: Python<'_>, place: usize, sizes: &[Option<usize>]) {
        let again = self.repeated.iter().filter(|(_, first)| *first == place).map(|(again, _)| *again);
        for place in again.chain([place]) {
            if let Some(pattern) = self.patterns.get_mut(place)
                && let Pattern::Array { dtype, .. } = pattern
            {
                *pattern = Pattern::OpenArray { dtype: dtype.clone_ref(py), sizes: sizes.to_vec() };
            }
        }
    }

    /// Whether a call with these leaves has this signature.
    pub(crate) fn matches(&self, leaves: &[Bound<'_, PyAny>]) -> bool {
        self.patterns.len() == leaves.len()
            && self.patterns.iter().zip(leaves).all(|(pattern, leaf)| pattern.matches(leaf))
            && self.repeated.iter().all(|(place, first)| leaves[*place].is(&leaves[*first]))
            && self.are_different(leaves)
    }

    /// Whether the arrays that must differ do differ.
    fn are_different(&self, leaves: &[Bound<'_, PyAny>]) -> bool {
        if self.different.len() <= FEW {
            return self.different.iter().enumerate().all(|(count, place)| {
                self.different[..count].iter().all(|earlier| !leaves[*earlier].is(&leaves[*place]))
            });
        }
        let mut identities: Vec<usize> =
            self.different.iter().map(|place| leaves[*place].as_ptr() as usize).collect();
        identities.sort_unstable();
        identities.windows(2).all(|pair| pair[0] != pair[1])
    }

    /// Visits the held objects for the garbage collector.
    pub(crate) fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.patterns.iter().try_for_each(|pattern| pattern.traverse(visit))
    }
}

/// Whether sizes equal the given ones, where those are not `None`.
pub(crate) fn fit(said: &[Option<usize>], sizes: &[usize]) -> bool {
    said.len() == sizes.len()
        && said.iter().zip(sizes).all(|(said, size)| said.is_none_or(|said| said == *size))
}
