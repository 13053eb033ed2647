//! Results whose sizes the run determines. Their memory is prepared in the sizes of the last run, as a
//! program mostly gives the same sizes again; the elements of a result with others are copied to an array of
//! its own.

use std::sync::{Mutex, PoisonError};

use ag_engine::ListResult;
use numpy::{PyArrayDescr, PyUntypedArray};
use pyo3::prelude::*;

use crate::aligned_arrays::empty_array;
use crate::run::{array_of, lend_array};

/// Less than this is copied: an array that turns out to be of no use costs as much.
const LEAST_BYTES: usize = 16 << 10;

/// The sizes that a result had last; none before the first run.
#[derive(Default)]
pub(crate) struct LastSizes(Mutex<Vec<usize>>);

impl LastSizes {
    fn get(&self) -> Vec<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn set(&self, sizes: &[usize]) {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        last.clear();
        last.extend_from_slice(sizes);
    }
}

/// The memory of one result.
pub(crate) struct SizedResult<'py> {
    rank: usize,
    /// What the run fills.
    pub(crate) made: ListResult,
    /// The array whose memory it has been lent, and its sizes.
    prepared: Option<(Bound<'py, PyUntypedArray>, Vec<usize>)>,
}

impl<'py> SizedResult<'py> {
    /// Memory for a result of this rank and element type.
    pub(crate) fn new(
        dtype: &Bound<'py, PyArrayDescr>,
        rank: usize,
        element_bytes: usize,
        last: &LastSizes,
    ) -> PyResult<Self> {
        let mut made = ListResult::new(element_bytes);
        let sizes = last.get();
        let bytes = sizes.iter().try_fold(element_bytes, |bytes, size| bytes.checked_mul(*size));
        let bytes = bytes.filter(|bytes| sizes.len() == rank && *bytes >= LEAST_BYTES);
        let Some(bytes) = bytes else { return Ok(Self { rank, made, prepared: None }) };
        let mut array = empty_array(dtype, &sizes)?;
        lend_array(&mut made, &mut array, bytes);
        Ok(Self { rank, made, prepared: Some((array, sizes)) })
    }

    /// The rank.
    pub(crate) const fn rank(&self) -> usize {
        self.rank
    }

    /// The array, after the run.
    pub(crate) fn array(
        self,
        dtype: &Bound<'py, PyArrayDescr>,
        last: &LastSizes,
    ) -> PyResult<Bound<'py, PyUntypedArray>> {
        let sizes = self.made.sizes(self.rank);
        match self.prepared {
            Some((array, prepared)) if self.made.is_lent() && prepared == sizes => Ok(array),
            _ => {
                last.set(sizes);
                array_of(dtype, sizes, &self.made)
            }
        }
    }
}
