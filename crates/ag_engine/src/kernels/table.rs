//! The table from op to kernel.
//!
//! A row gives the kernel of an op, for known sizes. The plan makes it if the types have all sizes, else the
//! run does (`sized`). Its operands are those of the node, then the result. An op that updates its first
//! operand gets the result in that operand's place; the array has been copied there.
//!
//! The ops without a row are listed first. Element-wise ops are rows of
//! [`elementwise::function_of`](super::elementwise::function_of). Kernels that stand for several nodes
//! (accumulated products, sorted lines, compressed masks) are made elsewhere.

use std::borrow::Cow;
use std::ops::Range;

use ag_ir::{DType, Op, SizeRule, Store};

use super::Kernel;
use super::arg_reduce::ArgReduce;
use super::arg_sort::ArgSort;
use super::correlate::Correlate;
use super::cumulative::Cumulative;
use super::dot::Dot;
use super::fourier::Fourier;
use super::gather::{Gather, Scatter, ScatterValues};
use super::indexing::Indexing;
use super::iota::Iota;
use super::layout::{count, dense_strides};
use super::matrices::{Decompose, SolveLu};
use super::partition::Partition;
use super::random::Random;
use super::reduce::Reduce;
use super::scatter_add::ScatterAdd;
use super::search::Search;
use super::slice::{Copies, Dynamic, Part};
use super::sort::Sort;
use super::strided::StridedCopy;
use super::view::{View, slice_strides};
use crate::isa::Isa;

/// The inputs from which a kernel is made.
pub(crate) struct Given<'a> {
    /// Element types of the operands.
    pub(crate) dtypes: &'a [DType],
    /// Sizes of the operands.
    pub(crate) sizes: &'a [&'a [usize]],
    /// How the operands lie in memory; none if all are dense.
    pub(crate) views: Option<&'a [View]>,
    /// The sizes of the result.
    pub(crate) result: &'a [usize],
    /// Reads an operand that is a size: one of those of [`numbers`].
    pub(crate) number: &'a dyn Fn(usize) -> i64,
    /// The vector instructions to use.
    pub(crate) isa: Isa,
}

/// A kernel and the scratch that it needs.
pub(crate) struct Made {
    /// The kernel.
    pub(crate) kernel: Box<dyn Kernel>,
    /// Bytes of scratch. If there are any, the scratch is the last operand.
    pub(crate) scratch: usize,
}

impl Made {
    fn new(kernel: impl Kernel + 'static) -> Self {
        Self { kernel: Box::new(kernel), scratch: 0 }
    }

    fn with_scratch(kernel: impl Kernel + 'static, scratch: usize) -> Self {
        Self { kernel: Box::new(kernel), scratch }
    }
}

/// Where a kernel writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Writes {
    /// To a result operand after those of the node.
    Result,
    /// Over the first operand.
    First,
}

macro_rules! kernels {
    (
        $none:pat => none;
        $($op:pat => $writes:expr, $scratch:expr, |$given:ident| $made:expr;)*
    ) => {
        /// Where the kernel of an op writes; none if the op has no row.
        #[allow(unused_variables)]
        pub(crate) const fn writes(op: &Op) -> Option<Writes> {
            match op {
                $($op => Some($writes),)*
                $none => None,
            }
        }

        /// Whether the kernel of an op needs scratch for some sizes.
        #[allow(unused_variables)]
        pub(crate) const fn needs_scratch(op: &Op) -> bool {
            match op {
                $($op => $scratch,)*
                $none => false,
            }
        }

        /// The kernel of an op; none if the op has no row.
        #[allow(unused_variables)]
        pub(crate) fn kernel(op: &Op, given: &Given<'_>) -> Option<Made> {
            match op {
                $($op => {
                    let $given = given;
                    Some($made)
                })*
                $none => None,
            }
        }
    };
}

kernels! {
        // A literal, a size, cells.
        Op::Constant(_) | Op::Size(_) | Op::WithShape(_) | Op::Nonzero
        // Element by element.
        | Op::Unary(..) | Op::Binary(..) | Op::Compare(_) | Op::Select | Op::Cast(_)
        | Op::MulAddMod
        // Control flow, calls, lists and tapes become instructions.
        | Op::If | Op::While | Op::For | Op::Call(_) | Op::List(_) | Op::TapePush(_) | Op::TapePop(_)
        | Op::TapeSave(_) | Op::TapeLoad(_)
        // The host, and how a run ends.
        | Op::Callback(_) | Op::Check(_) | Op::Print { .. } | Op::Keep(_) | Op::KeepEnd(_)
        // For gradients only.
        | Op::Identity(_) | Op::Scope(_) => none;

    // op => where it writes, whether it needs scratch, the kernel
    Op::Iota { dtype, .. } => Writes::Result, false,
        |given| Made::new(Iota { dtype: *dtype, size: given.result[0] });
    Op::IotaTo(dtype) => Writes::Result, false,
        |given| Made::new(Iota { dtype: *dtype, size: given.result[0] });
    Op::Broadcast(_) => Writes::Result, false,
        |given| given.copy(&View::broadcast(given.sizes[0], given.result));
    // Elements in the same order.
    Op::Reshape(_) => Writes::Result, false,  |given| given.copy(&View::dense(given.result));
    Op::Transpose(permutation) => Writes::Result, false,
        |given| given.copy(&View::transposed(given.sizes[0], permutation));
    Op::Slice { start, step, .. } => Writes::Result, false,
        |given| given.copy(&View::sliced(given.sizes[0], start, step, given.result));
    Op::SliceRange { axis } => Writes::Result, false,  |given| given.slice_range(*axis);
    Op::DynamicSlice { axis, size } => Writes::Result, false,  |given| Made::new(Dynamic {
        copy: given.copy_from(&dense_strides(given.sizes[0])),
        is_update: false,
        stride: given.stride_of(*axis),
        axis: *axis,
        size: given.sizes[0][*axis],
        taken: *size,
    });
    Op::UpdateSlice { start, step } => Writes::First, false,
        |given| given.update_slice(start, step);
    Op::DynamicUpdateSlice { axis } => Writes::First, false,  |given| Made::new(Dynamic {
        copy: given.copy_of_value(&dense_strides(given.sizes[0])),
        is_update: true,
        stride: given.stride_of(*axis),
        axis: *axis,
        size: given.sizes[0][*axis],
        taken: given.sizes[1][*axis],
    });
    Op::Gather { axis, count } => Writes::Result, false,
        |given| Made::new(Gather(given.indexing(1, *axis, *count, given.result)));
    Op::Scatter { axis, count, store } => Writes::First, false,  |given| {
        let (indexing, values) = given.scatter(*axis, *count);
        match store {
            Store::Replace => Made::new(Scatter { indexing, values }),
            Store::Add => Made::new(ScatterAdd::new(indexing, values, given.dtypes[0], given.isa)),
        }
    };
    Op::Concatenate(axis) => Writes::Result, false,  |given| given.concatenate(*axis);
    Op::Reduce { op, axes, .. } => Writes::Result, true,  |given| {
        let kernel = Reduce::new(&[*op], given.dtypes[0], given.sizes[0], axes, given.isa);
        let scratch = kernel.scratch_bytes();
        Made::with_scratch(kernel, scratch)
    };
    Op::ArgReduce { op, axis } => Writes::Result, false,
        |given| Made::new(ArgReduce::new(*op, given.dtypes[0], given.sizes[0], *axis, given.isa));
    Op::ArgSort(axis) => Writes::Result, true,  |given| {
        let kernel = ArgSort::new(given.dtypes[0], given.sizes[0], *axis, given.isa);
        let scratch = kernel.scratch_bytes();
        Made::with_scratch(kernel, scratch)
    };
    Op::Sort(axis) => Writes::Result, true,  |given| {
        let kernel = Sort::new(given.dtypes[0], given.sizes[0], *axis, given.isa);
        let scratch = kernel.scratch_bytes();
        Made::with_scratch(kernel, scratch)
    };
    Op::Partition { axis, ranks } => Writes::Result, true,  |given| given.partition(*axis, ranks, false);
    Op::ArgPartition { axis, ranks } => Writes::Result, true,  |given| given.partition(*axis, ranks, true);
    Op::Search { counts_equal } => Writes::Result, true,  |given| {
        let (ordered, x) = (given.sizes[0], given.sizes[1]);
        let kernel = Search::new(*counts_equal, given.dtypes[0], ordered, x, given.isa);
        let scratch = kernel.scratch_bytes();
        Made::with_scratch(kernel, scratch)
    };
    Op::Cumulative { op, axis } => Writes::Result, false,
        |given| Made::new(Cumulative::new(*op, given.dtypes[0], given.sizes[0], *axis, given.isa));
    Op::Dot(axes) => Writes::Result, true,  |given| {
        let left = stacked(given.view(0), &axes.left_batch, given.result);
        let right = stacked(given.view(1), &axes.right_batch, given.result);
        let kernel = Dot::new(given.dtypes[0], axes, &left, &right, given.isa);
        let scratch = kernel.scratch_bytes();
        Made::with_scratch(kernel, scratch)
    };
    Op::Correlate { before, size } => Writes::Result, false,  |given| {
        let (x, y) = (given.sizes[0], given.sizes[1]);
        Made::new(Correlate::new(given.dtypes[0], (*before, *size), x, y, given.isa))
    };
    Op::Decompose(kind) => Writes::Result, false,  |given| {
        let (stack, size) = matrices_of(given.sizes[0]);
        Made::new(Decompose { kind: *kind, dtype: given.dtypes[0], count: count(stack), size })
    };
    Op::SolveLu => Writes::Result, false,  |given| {
        let (stack, size) = matrices_of(given.sizes[1]);
        Made::new(SolveLu { dtype: given.dtypes[0], count: count(stack), size })
    };
    Op::Fourier { is_inverse } => Writes::Result, true,  |given| {
        let kernel = Fourier::new(*is_inverse, given.dtypes[0], given.sizes[0]);
        let scratch = kernel.scratch_bytes();
        Made::with_scratch(kernel, scratch)
    };
    Op::Random { draw, dtype, .. } => Writes::Result, false,
        |given| Made::new(Random { draw: *draw, dtype: *dtype, count: count(given.result) });
}

/// The range of operands whose integer values (sizes) a kernel is made for.
pub(crate) fn numbers(op: &Op, operand_count: usize) -> Range<usize> {
    let first = op.results().sizes().and_then(SizeRule::numbers);
    first.map_or(0..0, |first| first..operand_count)
}

impl Given<'_> {
    fn element_size(&self) -> usize {
        self.dtypes[0].size()
    }

    /// The view of an operand: sizes, strides and offset.
    fn view(&self, operand: usize) -> Cow<'_, View> {
        match self.views {
            Some(views) => Cow::Borrowed(&views[operand]),
            None => Cow::Owned(View::dense(self.sizes[operand])),
        }
    }

    /// Bytes from one index of an axis of the first operand to the next.
    fn stride_of(&self, axis: usize) -> isize {
        dense_strides(self.sizes[0])[axis] * self.element_size().cast_signed()
    }

    /// A copy to the result from an operand that is read with these strides.
    fn copy_from(&self, strides: &[isize]) -> StridedCopy {
        StridedCopy::new(self.element_size(), self.result, strides, &dense_strides(self.result))
    }

    /// A copy of the second operand to memory that is written with these strides.
    fn copy_of_value(&self, strides: &[isize]) -> StridedCopy {
        StridedCopy::new(self.element_size(), self.sizes[1], &dense_strides(self.sizes[1]), strides)
    }

    /// A copy of the first operand as a view sees it.
    fn copy(&self, view: &View) -> Made {
        self.copy_at(view.offset, &view.strides)
    }

    /// A copy of the first operand, read with strides from an offset on.
    fn copy_at(&self, offset: isize, strides: &[isize]) -> Made {
        let offset = offset * self.element_size().cast_signed();
        let copy = self.copy_from(strides);
        Made::new(Copies(vec![Part { from: (0, offset), to: (self.dtypes.len(), 0), copy }]))
    }

    fn slice_range(&self, axis: usize) -> Made {
        let mut strides = dense_strides(self.sizes[0]);
        let offset = if self.result[axis] > 0 { (self.number)(1) as isize * strides[axis] } else { 0 };
        strides[axis] = strides[axis].wrapping_mul((self.number)(3) as isize);
        self.copy_at(offset, &strides)
    }

    fn update_slice(&self, start: &[i64], step: &[i64]) -> Made {
        let (offset, strides) = slice_strides(self.sizes[0], start, step);
        let copy = self.copy_of_value(&strides);
        let to = (0, offset * self.element_size().cast_signed());
        Made::new(Copies(vec![Part { from: (1, 0), to, copy }]))
    }

    fn indexing(&self, first: usize, axis: usize, count: usize, gathered: &[usize]) -> Indexing {
        let indices: Vec<(DType, Vec<usize>)> =
            (first..first + count).map(|index| (self.dtypes[index], self.sizes[index].to_vec())).collect();
        let after = self.sizes[0].len() - axis - count;
        let shape = &gathered[axis..gathered.len() - after];
        Indexing::new(self.sizes[0], self.element_size(), axis, shape, &indices, self.isa)
    }

    fn scatter(&self, axis: usize, count: usize) -> (Indexing, ScatterValues) {
        let picks: Vec<&[usize]> = self.sizes[2..2 + count].to_vec();
        // Sizes have been checked before.
        let shape = ag_ir::broadcast_sizes(&picks).unwrap_or_default();
        let sizes = self.sizes[0];
        let values = ScatterValues::new(sizes, self.element_size(), (axis, count), &shape, self.sizes[1]);
        let gathered = [&sizes[..axis], &shape, &sizes[axis + count..]].concat();
        (self.indexing(2, axis, count, &gathered), values)
    }

    fn partition(&self, axis: usize, ranks: &[usize], gives_places: bool) -> Made {
        let kernel = Partition::new(self.dtypes[0], self.sizes[0], (axis, ranks), gives_places, self.isa);
        let scratch = kernel.scratch_bytes();
        Made::with_scratch(kernel, scratch)
    }

    fn concatenate(&self, axis: usize) -> Made {
        let (element, strides) = (self.element_size(), dense_strides(self.result));
        let mut at = 0;
        let mut parts = Vec::new();
        for (number, sizes) in self.sizes.iter().enumerate() {
            let copy = StridedCopy::new(element, sizes, &dense_strides(sizes), &strides);
            let offset = at * strides[axis] * element.cast_signed();
            parts.push(Part { from: (number, 0), to: (self.dtypes.len(), offset), copy });
            at += sizes[axis].cast_signed();
        }
        Made::new(Copies(parts))
    }
}

/// Broadcasts an operand of a product of stacks: a stack of one matrix gets stride 0.
fn stacked<'v>(view: Cow<'v, View>, batch: &[usize], result: &[usize]) -> Cow<'v, View> {
    let mut view = view;
    for (axis, wanted) in batch.iter().zip(result) {
        if view.sizes[*axis] != *wanted {
            let view = view.to_mut();
            (view.sizes[*axis], view.strides[*axis]) = (*wanted, 0);
        }
    }
    view
}

/// Splits sizes into those of the stack and those of each matrix.
fn matrices_of(sizes: &[usize]) -> (&[usize], (usize, usize)) {
    match sizes {
        [stack @ .., m, n] => (stack, (*m, *n)),
        [] | [_] => (sizes, (1, 1)),
    }
}
