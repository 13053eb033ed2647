//! Operands that are read where they lie.

use super::layout::dense_strides;

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

    /// Sizes and strides of some of the axes.
    pub(crate) fn group(&self, axes: &[usize]) -> (Vec<usize>, Vec<isize>) {
        (
            axes.iter().map(|axis| self.sizes[*axis]).collect(),
            axes.iter().map(|axis| self.strides[*axis]).collect(),
        )
    }
}
