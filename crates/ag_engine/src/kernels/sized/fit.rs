//! Ops of one node, made for sizes: the kernels that other graphs have too.

use ag_ir::{DType, Failure, LocationId, Op, SizeRule, sizes_of_result};

use super::{Fit, Fitted};
use crate::isa::Isa;
use crate::kernels::arg_reduce::ArgReduce;
use crate::kernels::arg_sort::ArgSort;
use crate::kernels::cumulative::Cumulative;
use crate::kernels::dot::{Dot, View};
use crate::kernels::fourier::Fourier;
use crate::kernels::gather::{Gather, Indexing, Scatter, ScatterValues};
use crate::kernels::iota::Iota;
use crate::kernels::layout::{broadcast_strides, count, dense_strides};
use crate::kernels::matrices::{Decompose, SolveLu};
use crate::kernels::random::Random;
use crate::kernels::reduce::Reduce;
use crate::kernels::scatter_add::ScatterAdd;
use crate::kernels::slice::{Copies, Dynamic, Part, slice_view};
use crate::kernels::sort::Sort;
use crate::kernels::strided::StridedCopy;
use crate::kernels::{Kernel, KernelResult};

/// An op that is neither element-wise nor one of those in `moves.rs`. Operands are those of the node; of
/// an update the first is the result, into which the array has been copied.
#[derive(Debug)]
pub(crate) struct SizedOp {
    /// The op.
    pub(crate) op: Op,
    /// Element types of the operands.
    pub(crate) dtypes: Vec<DType>,
    /// Instructions.
    pub(crate) isa: Isa,
}

impl Fit for SizedOp {
    fn fit(
        &self,
        sizes: &[&[usize]],
        number: &dyn Fn(usize) -> i64,
    ) -> Result<Fitted, (Failure, Option<LocationId>)> {
        let result = sizes_of_result(&self.op, sizes, number).map_err(|failure| (failure, None))?;
        let (kernel, scratch) = self.kernel(sizes, &result, number);
        let is_update =
            matches!(self.op, Op::Scatter { .. } | Op::ScatterAdd { .. } | Op::DynamicUpdateSlice { .. });
        Ok(Fitted { result: (!is_update).then_some(result), kernel, scratch })
    }

    fn needs_scratch(&self) -> bool {
        matches!(self.op, Op::Reduce { .. } | Op::Dot(_))
    }

    fn numbers(&self) -> std::ops::Range<usize> {
        match self.op.size_rule() {
            SizeRule::Numbers(first) => first..self.dtypes.len(),
            SizeRule::Operand(_) | SizeRule::Broadcast | SizeRule::Own => 0..0,
        }
    }
}

impl SizedOp {
    fn kernel(
        &self,
        sizes: &[&[usize]],
        result: &[usize],
        number: &dyn Fn(usize) -> i64,
    ) -> (Box<dyn Kernel>, usize) {
        let dtype = self.dtypes[0];
        let plain = |kernel: Box<dyn Kernel>| (kernel, 0);
        match &self.op {
            Op::IotaTo(dtype) => plain(Box::new(OfResult(Iota { dtype: *dtype, size: result[0] }))),
            Op::Random { draw, dtype, .. } => {
                plain(Box::new(Random { draw: *draw, dtype: *dtype, count: count(result) }))
            }
            Op::Broadcast(_) => {
                let strides = broadcast_strides(sizes[0], &dense_strides(sizes[0]), result);
                plain(self.copy(0, &strides, result))
            }
            Op::Transpose(permutation) => {
                let dense = dense_strides(sizes[0]);
                let strides: Vec<isize> = permutation.iter().map(|axis| dense[*axis]).collect();
                plain(self.copy(0, &strides, result))
            }
            Op::Slice { start, step, .. } => {
                let (offset, strides) = slice_view(sizes[0], start, step);
                plain(self.copy(offset, &strides, result))
            }
            Op::SliceRange { axis } => {
                let mut strides = dense_strides(sizes[0]);
                let offset = if result[*axis] > 0 { number(1) as isize * strides[*axis] } else { 0 };
                strides[*axis] = strides[*axis].wrapping_mul(number(3) as isize);
                plain(self.copy(offset, &strides, result))
            }
            Op::DynamicSlice { axis, size } => plain(Box::new(Dynamic {
                copy: self.strided(&dense_strides(sizes[0]), result),
                is_update: false,
                stride: dense_strides(sizes[0])[*axis] * dtype.size().cast_signed(),
                axis: *axis,
                size: sizes[0][*axis],
                taken: *size,
            })),
            Op::DynamicUpdateSlice { axis } => plain(Box::new(Reordered(Dynamic {
                copy: StridedCopy::new(
                    dtype.size(),
                    sizes[1],
                    &dense_strides(sizes[1]),
                    &dense_strides(sizes[0]),
                ),
                is_update: true,
                stride: dense_strides(sizes[0])[*axis] * dtype.size().cast_signed(),
                axis: *axis,
                size: sizes[0][*axis],
                taken: sizes[1][*axis],
            }))),
            Op::Gather { axis, count } => {
                plain(Box::new(Gather(self.indexing(sizes, 1, *axis, *count, result))))
            }
            Op::Scatter { axis, count } => {
                let (indexing, values) = self.scatter(sizes, *axis, *count);
                plain(Box::new(Scatter { indexing, values }))
            }
            Op::ScatterAdd { axis, count } => {
                let (indexing, values) = self.scatter(sizes, *axis, *count);
                plain(Box::new(ScatterAdd::new(indexing, values, dtype, self.isa)))
            }
            Op::Concatenate(axis) => plain(self.concatenate(sizes, *axis, result)),
            Op::Reduce { op, axes, .. } => {
                let kernel = Reduce::new(*op, dtype, sizes[0], axes, self.isa);
                let scratch = kernel.scratch_bytes();
                (Box::new(kernel), scratch)
            }
            Op::ArgReduce { op, axis } => plain(Box::new(ArgReduce::new(*op, dtype, sizes[0], *axis))),
            Op::ArgSort(axis) => plain(Box::new(ArgSort::new(dtype, sizes[0], *axis))),
            Op::Cumulative { op, axis } => plain(Box::new(Cumulative::new(*op, dtype, sizes[0], *axis))),
            Op::Dot(axes) => {
                let left = stacked(sizes[0], &axes.left_batch, result);
                let right = stacked(sizes[1], &axes.right_batch, result);
                let kernel = Dot::new(dtype, axes, &left, &right, self.isa);
                let scratch = kernel.scratch_bytes();
                (Box::new(kernel), scratch)
            }
            Op::Decompose(kind) => {
                let (stack, size) = matrices_of(sizes[0]);
                plain(Box::new(Decompose { kind: *kind, dtype, count: count(stack), size }))
            }
            Op::SolveLu => {
                let (stack, size) = matrices_of(sizes[1]);
                plain(Box::new(SolveLu { dtype, count: count(stack), size }))
            }
            Op::Fourier { is_inverse } => plain(Box::new(Fourier::new(*is_inverse, dtype, sizes[0]))),
            // Elements in the same order.
            Op::Reshape(_) => plain(self.copy(0, &dense_strides(result), result)),
            op => unreachable!("{} is planned elsewhere", op.name()),
        }
    }

    fn strided(&self, strides: &[isize], result: &[usize]) -> StridedCopy {
        StridedCopy::new(self.dtypes[0].size(), result, strides, &dense_strides(result))
    }

    /// A copy of the first operand, read with strides from an offset on.
    fn copy(&self, offset: isize, strides: &[isize], result: &[usize]) -> Box<dyn Kernel> {
        let offset = offset * self.dtypes[0].size().cast_signed();
        let copy = self.strided(strides, result);
        Box::new(Copies(vec![Part { from: (0, offset), to: (self.dtypes.len(), 0), copy }]))
    }

    fn indexing(
        &self,
        sizes: &[&[usize]],
        first: usize,
        axis: usize,
        count: usize,
        gathered: &[usize],
    ) -> Indexing {
        let indices: Vec<(DType, Vec<usize>)> =
            (first..first + count).map(|index| (self.dtypes[index], sizes[index].to_vec())).collect();
        let after = sizes[0].len() - axis - count;
        let shape = &gathered[axis..gathered.len() - after];
        Indexing::new(sizes[0], self.dtypes[0].size(), axis, shape, &indices)
    }

    fn scatter(&self, sizes: &[&[usize]], axis: usize, count: usize) -> (Indexing, ScatterValues) {
        let picks: Vec<&[usize]> = sizes[2..2 + count].to_vec();
        // The sizes have been found to fit.
        let shape = ag_ir::broadcast_sizes(&picks).unwrap_or_default();
        let element = self.dtypes[0].size();
        let values = ScatterValues::new(sizes[0], element, (axis, count), &shape, sizes[1]);
        let gathered = [&sizes[0][..axis], &shape, &sizes[0][axis + count..]].concat();
        (self.indexing(sizes, 2, axis, count, &gathered), values)
    }

    fn concatenate(&self, sizes: &[&[usize]], axis: usize, result: &[usize]) -> Box<dyn Kernel> {
        let (element, strides) = (self.dtypes[0].size(), dense_strides(result));
        let mut at = 0;
        let mut parts = Vec::new();
        for (number, sizes) in sizes.iter().enumerate() {
            let copy = StridedCopy::new(element, sizes, &dense_strides(sizes), &strides);
            let offset = at * strides[axis] * element.cast_signed();
            parts.push(Part { from: (number, 0), to: (self.dtypes.len(), offset), copy });
            at += sizes[axis].cast_signed();
        }
        Box::new(Copies(parts))
    }
}

/// An operand of a product: a stack of one matrix is read again for each of the other's.
fn stacked(sizes: &[usize], batch: &[usize], result: &[usize]) -> View {
    let mut view = View::dense(sizes);
    for (axis, wanted) in batch.iter().zip(result) {
        if view.sizes[*axis] != *wanted {
            (view.sizes[*axis], view.strides[*axis]) = (*wanted, 0);
        }
    }
    view
}

/// The sizes of a stack of matrices, and those of each.
fn matrices_of(sizes: &[usize]) -> (&[usize], (usize, usize)) {
    match sizes {
        [stack @ .., m, n] => (stack, (*m, *n)),
        _ => (sizes, (1, 1)),
    }
}

/// A line that is sorted.
#[derive(Debug)]
pub(crate) struct SortedLine(pub(crate) DType);

impl Fit for SortedLine {
    fn fit(
        &self,
        sizes: &[&[usize]],
        _: &dyn Fn(usize) -> i64,
    ) -> Result<Fitted, (Failure, Option<LocationId>)> {
        let kernel = Box::new(Sort { dtype: self.0, size: count(sizes[0]) });
        Ok(Fitted { result: Some(sizes[0].to_vec()), kernel, scratch: 0 })
    }
}

/// A kernel that takes its result only.
struct OfResult<K>(K);

impl<K: Kernel> Kernel for OfResult<K> {
    unsafe fn run(&self, operands: &[*mut u8], host: &mut dyn ag_ir::Host) -> KernelResult {
        // SAFETY: the caller's; the result is the last.
        unsafe { self.0.run(&operands[operands.len() - 1..], host) }
    }
}

/// An update of a block: the array, which comes first, is what the kernel wants last.
struct Reordered(Dynamic);

impl Kernel for Reordered {
    unsafe fn run(&self, operands: &[*mut u8], host: &mut dyn ag_ir::Host) -> KernelResult {
        // SAFETY: the caller's.
        unsafe { self.0.run(&[operands[1], operands[2], operands[0]], host) }
    }
}
