//! Complex arrays outside of the graph are two arrays in it: the real and the imaginary parts.

use numpy::{Complex32, Complex64, PyArrayDescr, PyArrayDescrMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::prelude::*;

use crate::aligned_arrays::empty_array;
use crate::run::{array_bytes, new_array_bytes};

/// The parts of a complex array in C order; none of any other object.
pub(crate) fn separated<'py>(
    argument: &Bound<'py, PyAny>,
) -> PyResult<Option<[Bound<'py, PyUntypedArray>; 2]>> {
    let Ok(whole) = argument.cast_exact::<PyUntypedArray>() else { return Ok(None) };
    if !whole.is_c_contiguous() || !whole.is_aligned() {
        return Ok(None);
    }
    let (py, given) = (argument.py(), whole.dtype());
    let part = if given.is_equiv_to(&numpy::dtype::<Complex64>(py)) {
        numpy::dtype::<f64>(py)
    } else if given.is_equiv_to(&numpy::dtype::<Complex32>(py)) {
        numpy::dtype::<f32>(py)
    } else {
        return Ok(None);
    };
    let sizes = whole.shape();
    let mut parts = [empty_array(&part, sizes)?, empty_array(&part, sizes)?];
    let bytes = sizes.iter().product::<usize>() * given.itemsize();
    let numbers = array_bytes(whole, bytes);
    let [real, imag] = parts.each_mut().map(|part| new_array_bytes(part, bytes / 2));
    if part.itemsize() == 8 {
        separate::<8>(numbers, real, imag);
    } else {
        separate::<4>(numbers, real, imag);
    }
    Ok(Some(parts))
}

/// Writes numbers of `N` bytes to both in turns.
fn separate<const N: usize>(numbers: &[u8], real: &mut [u8], imag: &mut [u8]) {
    let pairs = numbers.as_chunks::<N>().0.as_chunks::<2>().0;
    let [real, imag] = [real, imag].map(|part| part.as_chunks_mut::<N>().0);
    for ((pair, real), imag) in pairs.iter().zip(real).zip(imag) {
        [*real, *imag] = *pair;
    }
}

/// The complex array of two parts.
pub(crate) fn joined<'py>(
    parts: [Bound<'py, PyUntypedArray>; 2],
    whole: &Bound<'py, PyArrayDescr>,
) -> PyResult<Bound<'py, PyUntypedArray>> {
    let sizes = parts[0].shape();
    let mut array = empty_array(whole, sizes)?;
    let bytes = sizes.iter().product::<usize>() * whole.itemsize();
    let [real, imag] = parts.each_ref().map(|part| array_bytes(part, bytes / 2));
    let numbers = new_array_bytes(&mut array, bytes);
    if whole.itemsize() == 16 {
        interleave::<8>(real, imag, numbers)
    } else {
        interleave::<4>(real, imag, numbers)
    }
    Ok(array)
}

/// Writes numbers of `N` bytes of both in turns.
fn interleave<const N: usize>(real: &[u8], imag: &[u8], numbers: &mut [u8]) {
    let (pairs, parts) = (numbers.as_chunks_mut::<N>().0.as_chunks_mut::<2>().0, [real, imag]);
    let [real, imag] = parts.map(|part| part.as_chunks::<N>().0);
    for ((pair, real), imag) in pairs.iter_mut().zip(real).zip(imag) {
        *pair = [*real, *imag];
    }
}
