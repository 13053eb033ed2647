//! Arithmetic of stacks of matrices in rules: products, triangles, and solutions of triangular systems.
//!
//! ```text
//! %1: f64[2, 12] = lu %0       // of f64[2, 3, 3]
//! %2: f64[2, 3, 3]             // its matrix: L below the diagonal of U
//! ```
//!
//! The only op that solves takes the factors that `lu` returns. So a triangular matrix is written as such
//! factors: a lower triangular `T` as `T / D` below `D`, its diagonal.

use ag_ir::{BinaryOp, CompareOp, DType, Dim, DotAxes, Op, TensorType, ValueId};

use super::Emitted;
use crate::emit;
use crate::site::Site;

/// The size of an axis: as a dimension of the type, and as an `i64[]`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Length {
    dim: Dim,
    value: ValueId,
}

impl Length {
    pub(super) fn of(site: &mut Site<'_>, x: ValueId, axis: usize) -> Self {
        Self { dim: site.shape(x)[axis], value: emit::size(site.builder, x, axis) }
    }

    /// The size of an axis of an operand of the rule's node; the operand itself is not saved for it.
    fn of_operand(site: &mut Site<'_>, number: usize, axis: usize) -> Self {
        let value = site.node.operands[number];
        let dim = site.shape(value)[axis];
        Self { dim, value: site.primals.size(site.builder, value, axis) }
    }

    pub(super) fn none(site: &mut Site<'_>) -> Self {
        Self { dim: Dim::Known(0), value: emit::integer(site.builder, 0) }
    }

    pub(super) fn one(site: &mut Site<'_>) -> Self {
        Self { dim: Dim::Known(1), value: emit::integer(site.builder, 1) }
    }

    pub(super) fn two(site: &mut Site<'_>) -> Self {
        Self { dim: Dim::Known(2), value: emit::integer(site.builder, 2) }
    }

    pub(super) const fn known(self) -> Option<usize> {
        self.dim.known()
    }

    fn with(self, site: &mut Site<'_>, op: BinaryOp, other: Self, known: fn(usize, usize) -> usize) -> Self {
        if let (Dim::Known(one), Dim::Known(more)) = (self.dim, other.dim) {
            let size = known(one, more);
            let value = emit::integer(site.builder, i64::try_from(size).unwrap_or(i64::MAX));
            return Self { dim: Dim::Known(size), value };
        }
        let value = emit::arithmetic(site.builder, op, self.value, other.value);
        Self { dim: Dim::Unknown, value }
    }

    pub(super) fn times(self, site: &mut Site<'_>, other: Self) -> Self {
        self.with(site, BinaryOp::Mul, other, |one, more| one * more)
    }

    pub(super) fn half(self, site: &mut Site<'_>) -> Self {
        let two = Self::two(site);
        self.with(site, BinaryOp::FloorDiv, two, |one, more| one / more)
    }

    pub(super) fn plus(self, site: &mut Site<'_>, other: Self) -> Self {
        self.with(site, BinaryOp::Add, other, |one, more| one + more)
    }

    pub(super) fn least(self, site: &mut Site<'_>, other: Self) -> Self {
        self.with(site, BinaryOp::Minimum, other, usize::min)
    }
}

/// The leading sizes of a stack of matrices.
#[derive(Clone, Debug, Default)]
pub(super) struct Stack {
    lengths: Vec<Length>,
}

impl Stack {
    /// The leading sizes of an array whose last `others` axes are not the stack's.
    pub(super) fn of(site: &mut Site<'_>, x: ValueId, others: usize) -> Self {
        let rank = site.shape(x).len() - others;
        Self { lengths: (0..rank).map(|axis| Length::of(site, x, axis)).collect() }
    }

    /// The stack that the first operand of the rule's node is, and the rows and columns of its matrices.
    pub(super) fn of_operand(site: &mut Site<'_>) -> (Self, Length, Length) {
        let rank = site.shape(site.node.operands[0]).len();
        let mut lengths: Vec<Length> = (0..rank).map(|axis| Length::of_operand(site, 0, axis)).collect();
        let (rows, columns) = (lengths[rank - 2], lengths[rank - 1]);
        lengths.truncate(rank - 2);
        (Self { lengths }, rows, columns)
    }

    fn shape(&self, last: &[Length]) -> (Vec<Dim>, Vec<ValueId>) {
        let all = self.lengths.iter().chain(last);
        let shape = all.clone().map(|length| length.dim).collect();
        (shape, all.filter(|length| length.dim == Dim::Unknown).map(|length| length.value).collect())
    }

    /// Reshapes the axes after those of the stack.
    pub(super) fn reshape(&self, site: &mut Site<'_>, x: ValueId, last: &[Length]) -> Emitted {
        let (shape, sizes) = self.shape(last);
        site.emit(Op::Reshape(shape), &[&[x], &sizes[..]].concat())
    }

    fn broadcast(&self, site: &mut Site<'_>, x: ValueId, last: &[Length]) -> Emitted {
        let (shape, sizes) = self.shape(last);
        site.emit(Op::Broadcast(shape), &[&[x], &sizes[..]].concat())
    }

    pub(super) fn zeros(&self, site: &mut Site<'_>, dtype: DType, last: &[Length]) -> Emitted {
        let (shape, sizes) = self.shape(last);
        emit::filled(site.builder, &TensorType::new(dtype, shape), &sizes, 0.0)
    }

    /// A part of each row of a stack, in another shape.
    pub(super) fn part(&self, site: &mut Site<'_>, rows: ValueId, start: Length, last: &[Length]) -> Emitted {
        let mut count = last[0];
        for length in &last[1..] {
            count = count.times(site, *length);
        }
        let axis = self.lengths.len();
        let part = sliced(site, rows, axis, start, count)?;
        self.reshape(site, part, last)
    }

    /// Flattens parts to rows and joins them.
    pub(super) fn joined(&self, site: &mut Site<'_>, parts: &[(ValueId, Length)]) -> Emitted {
        let rows = parts.iter().map(|(part, length)| self.reshape(site, *part, &[*length]));
        let rows = rows.collect::<Result<Vec<_>, _>>()?;
        site.emit(Op::Concatenate(self.lengths.len()), &rows)
    }

    /// 0, 1, 2, … for each matrix: the row numbers of `lu` without exchanges.
    fn order(&self, site: &mut Site<'_>, dtype: DType, n: Length) -> Emitted {
        let order = places(site, dtype, n)?;
        self.broadcast(site, order, &[n])
    }

    /// The result of `lu`, from the matrix of both factors and the row numbers.
    pub(super) fn packed(&self, site: &mut Site<'_>, matrix: ValueId, order: ValueId, n: Length) -> Emitted {
        let square = n.times(site, n);
        self.joined(site, &[(matrix, square), (order, n)])
    }

    /// The same without row exchanges.
    pub(super) fn packed_in_order(&self, site: &mut Site<'_>, matrix: ValueId, n: Length) -> Emitted {
        let dtype = site.dtype(matrix);
        let order = self.order(site, dtype, n)?;
        self.packed(site, matrix, order, n)
    }

    /// Solves `T x = b` for the lower triangle `T` of a matrix.
    pub(super) fn solve_lower(&self, site: &mut Site<'_>, matrix: ValueId, n: Length, b: ValueId) -> Emitted {
        let diagonal = diagonal_of(site, matrix, n, true)?;
        let scaled = site.div(matrix, diagonal)?;
        let rest = triangle(site, matrix, n, CompareOp::Eq)?;
        let below = triangle_test(site, n, CompareOp::Gt)?;
        let factors = site.choose(below, scaled, rest)?;
        let packed = self.packed_in_order(site, factors, n)?;
        site.emit(Op::SolveLu, &[packed, b])
    }
}

/// A slice along an axis.
pub(super) fn sliced(site: &mut Site<'_>, x: ValueId, axis: usize, start: Length, count: Length) -> Emitted {
    let mut shape = site.shape(x);
    match (shape[axis], start.dim, count.dim) {
        (Dim::Known(_), Dim::Known(first), Dim::Known(_)) => {
            let (mut starts, steps) = (vec![0; shape.len()], vec![1; shape.len()]);
            starts[axis] = i64::try_from(first).unwrap_or(i64::MAX);
            shape[axis] = count.dim;
            site.emit(Op::Slice { start: starts, size: shape, step: steps }, &[x])
        }
        (_, _, Dim::Known(size)) => site.emit(Op::DynamicSlice { axis, size }, &[x, start.value]),
        _ => {
            let stop = emit::arithmetic(site.builder, BinaryOp::Add, start.value, count.value);
            let step = emit::integer(site.builder, 1);
            site.emit(Op::SliceRange { axis }, &[x, start.value, stop, step])
        }
    }
}

/// 0, 1, 2, … below a size.
fn places(site: &mut Site<'_>, dtype: DType, n: Length) -> Emitted {
    match n.known() {
        Some(size) => site.emit(Op::Iota { dtype, size }, &[]),
        None => site.emit(Op::IotaTo(dtype), &[n.value]),
    }
}

/// Compares row and column numbers: `bool[n, n]`.
pub(super) fn triangle_test(site: &mut Site<'_>, n: Length, op: CompareOp) -> Emitted {
    block_test(site, n, op, 1)
}

/// Compares the numbers of the blocks, of so many rows and columns, that elements are in: `bool[n, n]`.
pub(super) fn block_test(site: &mut Site<'_>, n: Length, op: CompareOp, block: usize) -> Emitted {
    let mut columns = places(site, DType::I64, n)?;
    if block > 1 {
        let size = emit::integer(site.builder, i64::try_from(block).unwrap_or(i64::MAX));
        columns = emit::arithmetic(site.builder, BinaryOp::FloorDiv, columns, size);
    }
    let one = Length::one(site);
    let rows = Stack::default().reshape(site, columns, &[n, one])?;
    site.compare(op, rows, columns)
}

/// The part of square matrices where the comparison of row and column holds, else zeros.
pub(super) fn triangle(site: &mut Site<'_>, x: ValueId, n: Length, op: CompareOp) -> Emitted {
    block_triangle(site, x, n, op, 1)
}

/// The same for the numbers of blocks.
pub(super) fn block_triangle(
    site: &mut Site<'_>,
    x: ValueId,
    n: Length,
    op: CompareOp,
    block: usize,
) -> Emitted {
    let (test, zero) = (block_test(site, n, op, block)?, site.number(x, 0.0)?);
    site.choose(test, x, zero)
}

/// The diagonals, as rows or as columns.
pub(super) fn diagonal_of(site: &mut Site<'_>, x: ValueId, n: Length, is_row: bool) -> Emitted {
    let rank = site.shape(x).len();
    let alone = triangle(site, x, n, CompareOp::Eq)?;
    site.total(alone, vec![if is_row { rank - 2 } else { rank - 1 }], true)
}

/// The lower triangles of matrices of blocks, with 1 on the diagonals.
pub(super) fn unit_lower(site: &mut Site<'_>, x: ValueId, n: Length, block: usize) -> Emitted {
    let below = block_test(site, n, CompareOp::Gt, block)?;
    let diagonal = triangle_test(site, n, CompareOp::Eq)?;
    let dtype = site.dtype(x);
    let identity = site.emit(Op::Cast(dtype), &[diagonal])?;
    site.choose(below, x, identity)
}

/// The embeddings of complex matrices (`x + yi` is `[[x, -y], [y, x]]`), by the first column of each block.
pub(super) fn embedded(site: &mut Site<'_>, stack: &Stack, x: ValueId, m: Length, n: Length) -> Emitted {
    let (rows, columns) = (m.half(site), n.half(site));
    let (none, one, two) = (Length::none(site), Length::one(site), Length::two(site));
    let blocks = stack.reshape(site, x, &[rows, two, columns, two])?;
    let (row, column) = (stack.lengths.len() + 1, stack.lengths.len() + 3);
    let first = sliced(site, blocks, column, none, one)?;
    let (real, imaginary) = (sliced(site, first, row, none, one)?, sliced(site, first, row, one, one)?);
    let negative = site.neg(imaginary)?;
    let second = site.emit(Op::Concatenate(row), &[negative, real])?;
    let both = site.emit(Op::Concatenate(column), &[first, second])?;
    stack.reshape(site, both, &[m, n])
}

pub(super) fn transposed(site: &mut Site<'_>, x: ValueId) -> Emitted {
    let rank = site.shape(x).len();
    let mut axes: Vec<usize> = (0..rank).collect();
    axes.swap(rank - 1, rank - 2);
    site.emit(Op::Transpose(axes), &[x])
}

/// `x y`, for stacks of one shape; an operand whose flag is set is transposed.
pub(super) fn product(
    site: &mut Site<'_>,
    (x, x_turned): (ValueId, bool),
    (y, y_turned): (ValueId, bool),
) -> Emitted {
    let rank = site.shape(x).len();
    let batch: Vec<usize> = (0..rank - 2).collect();
    let axes = DotAxes {
        left_batch: batch.clone(),
        right_batch: batch,
        left_contract: vec![if x_turned { rank - 2 } else { rank - 1 }],
        right_contract: vec![if y_turned { rank - 1 } else { rank - 2 }],
    };
    site.emit(Op::Dot(axes), &[x, y])
}

/// The permutation matrix of the row exchanges of `lu`.
pub(super) fn exchange(site: &mut Site<'_>, stack: &Stack, order: ValueId, n: Length) -> Emitted {
    let one = Length::one(site);
    let rows = stack.reshape(site, order, &[n, one])?;
    let dtype = site.dtype(order);
    let columns = places(site, dtype, n)?;
    let matches = site.compare(CompareOp::Eq, rows, columns)?;
    let matches = site.emit(Op::Cast(dtype), &[matches])?;
    stack.reshape(site, matches, &[n, n])
}

/// Solves `Aᵀ x = b`, given the result of `lu` for `A = Pᵀ L U`: the factors of `Uᵀ Lᵀ` are `Uᵀ / D` and
/// `D Lᵀ`, with the diagonal `D` of `U`.
pub(super) fn transposed_solution(site: &mut Site<'_>, packed: ValueId, b: ValueId) -> Emitted {
    let stack = Stack::of(site, b, 2);
    let n = Length::of(site, b, stack.lengths.len());
    let none = Length::none(site);
    let matrix = stack.part(site, packed, none, &[n, n])?;
    let square = n.times(site, n);
    let order = stack.part(site, packed, square, &[n])?;
    let turned = transposed(site, matrix)?;
    let (row, column) = (diagonal_of(site, matrix, n, true)?, diagonal_of(site, matrix, n, false)?);
    let (lower, upper) = (site.div(turned, row)?, site.mul(turned, column)?);
    let (below, above) = (triangle_test(site, n, CompareOp::Gt)?, triangle_test(site, n, CompareOp::Lt)?);
    let rest = site.choose(above, upper, turned)?;
    let factors = site.choose(below, lower, rest)?;
    let factors = stack.packed_in_order(site, factors, n)?;
    let solution = site.emit(Op::SolveLu, &[factors, b])?;
    let exchange = exchange(site, &stack, order, n)?;
    product(site, (exchange, true), (solution, false))
}
