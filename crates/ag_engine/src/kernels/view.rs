//! Strided views: how a kernel reads an operand in place.

use super::layout::{broadcast_strides, dense_strides};

/// An operand as it lies in memory: sizes, strides and offset in elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct View {
    /// Size of each axis.
    pub(crate) sizes: Vec<usize>,
    /// Elements from one index to the next, for each axis.
    pub(crate) strides: Vec<isize>,
    /// Elements from the operand's start to the first element.
    pub(crate) offset: isize,
}

impl View {
    /// A dense array.
    pub(crate) fn dense(sizes: &[usize]) -> Self {
        Self { sizes: sizes.to_vec(), strides: dense_strides(sizes), offset: 0 }
    }

    /// A dense array of these sizes, broadcast to others.
    pub(crate) fn broadcast(sizes: &[usize], result: &[usize]) -> Self {
        let strides = broadcast_strides(sizes, &dense_strides(sizes), result);
        Self { sizes: result.to_vec(), strides, offset: 0 }
    }

    /// A dense array of these sizes with its axes in another order.
    pub(crate) fn transposed(sizes: &[usize], permutation: &[usize]) -> Self {
        let dense = dense_strides(sizes);
        Self {
            sizes: permutation.iter().map(|axis| sizes[*axis]).collect(),
            strides: permutation.iter().map(|axis| dense[*axis]).collect(),
            offset: 0,
        }
    }

    /// A slice of a dense array of these sizes.
    pub(crate) fn sliced(sizes: &[usize], start: &[i64], step: &[i64], result: &[usize]) -> Self {
        let (offset, strides) = slice_strides(sizes, start, step);
        Self { sizes: result.to_vec(), strides, offset }
    }

    /// Sizes and strides of some of the axes.
    pub(crate) fn group(&self, axes: &[usize]) -> (Vec<usize>, Vec<isize>) {
        (
            axes.iter().map(|axis| self.sizes[*axis]).collect(),
            axes.iter().map(|axis| self.strides[*axis]).collect(),
        )
    }
}

/// Offset and strides, in elements, of a slice of a dense array.
pub(crate) fn slice_strides(sizes: &[usize], start: &[i64], step: &[i64]) -> (isize, Vec<isize>) {
    let dense = dense_strides(sizes);
    let offset = start.iter().zip(&dense).map(|(start, stride)| *start as isize * stride).sum();
    let strides = step.iter().zip(&dense).map(|(step, stride)| *step as isize * stride).collect();
    (offset, strides)
}
