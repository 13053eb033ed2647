//! Tangents of reductions and running reductions.
//!
//! - `max` and `min`: the tangent is shared evenly among all elements that attain the extremum. For a NaN
//!   result it is NaN.
//! - A running `max` or `min` has the tangent of the last element so far that attains it.
//! - The rule of a product does not divide, so zeros among the factors are exact: the derivative with respect
//!   to one factor is the product of those before it and those after it.

use ag_ir::{BinaryOp, CompareOp, Dim, Op, ReduceOp, ValueId};

use super::indexing::{self, counting};
use super::{Emitted, Tangents};
use crate::emit;
use crate::site::Site;

pub(super) fn reduced(
    site: &mut Site<'_>,
    op: ReduceOp,
    axes: &[usize],
    keepdims: bool,
    tangents: &[Option<ValueId>],
) -> Tangents {
    let Some(t) = tangents[0] else { return Ok(vec![None]) };
    let tangent = match op {
        ReduceOp::Sum => site.total(t, axes.to_vec(), keepdims)?,
        ReduceOp::Prod => {
            let x = site.operand(0);
            let others = product_of_others(site, x, axes)?;
            let terms = site.mul(t, others)?;
            site.total(terms, axes.to_vec(), keepdims)?
        }
        ReduceOp::Max | ReduceOp::Min => {
            let (x, result) = (site.operand(0), site.result(0));
            let kept = if keepdims { result } else { with_axes(site, result, axes, x)? };
            let is_best = site.compare(CompareOp::Eq, x, kept)?;
            let dtype = site.dtype(x);
            let ones = site.emit(Op::Cast(dtype), &[is_best])?;
            let count = site.total(ones, axes.to_vec(), true)?;
            // Nothing equals a NaN: then all shares are 0 / 0.
            let shares = site.div(ones, count)?;
            let terms = site.mul(t, shares)?;
            site.total(terms, axes.to_vec(), keepdims)?
        }
        ReduceOp::Any | ReduceOp::All => return Ok(vec![None]),
    };
    Ok(vec![Some(tangent)])
}

/// Restores the reduced axes, with size 1; the other axes are those of `x`.
fn with_axes(site: &mut Site<'_>, reduced: ValueId, axes: &[usize], x: ValueId) -> Emitted {
    let mut shape = site.shape(x);
    let mut sizes = Vec::new();
    for (axis, dim) in shape.iter_mut().enumerate() {
        if axes.contains(&axis) {
            *dim = Dim::Known(1);
        } else if *dim == Dim::Unknown {
            sizes.push(emit::size(site.builder, x, axis));
        }
    }
    site.emit(Op::Reshape(shape), &[&[reduced], &sizes[..]].concat())
}

/// For each element, the product of the others over these axes.
fn product_of_others(site: &mut Site<'_>, x: ValueId, axes: &[usize]) -> Emitted {
    let rank = site.shape(x).len();
    if axes.is_empty() {
        return emit::filled_like(site.builder, x, 1.0);
    }
    if let [axis] = axes {
        return product_of_others_along(site, x, *axis);
    }
    // Merge the axes into one, the last.
    let kept: Vec<usize> = (0..rank).filter(|axis| !axes.contains(axis)).collect();
    let order = [&kept[..], axes].concat();
    let moved = site.emit(Op::Transpose(order.clone()), &[x])?;
    let shape = site.shape(moved);
    let sizes: Vec<ValueId> = (0..rank).map(|axis| emit::size(site.builder, moved, axis)).collect();
    let joined = joined_size(site, &shape[kept.len()..], &sizes[kept.len()..]);
    let flat = resized(
        site,
        moved,
        &[&shape[..kept.len()], &[joined.0]].concat(),
        &[&sizes[..kept.len()], &[joined.1]].concat(),
    )?;
    let others = product_of_others_along(site, flat, kept.len())?;
    let others = resized(site, others, &shape, &sizes)?;
    let mut back = vec![0; rank];
    for (place, axis) in order.iter().enumerate() {
        back[*axis] = place;
    }
    site.emit(Op::Transpose(back), &[others])
}

/// The product of sizes.
fn joined_size(site: &mut Site<'_>, dims: &[Dim], sizes: &[ValueId]) -> (Dim, ValueId) {
    let known = dims.iter().try_fold(1_usize, |product, dim| product.checked_mul(dim.known()?));
    let mut product = emit::integer(site.builder, 1);
    for size in sizes {
        product = emit::arithmetic(site.builder, BinaryOp::Mul, product, *size);
    }
    (known.map_or(Dim::Unknown, Dim::Known), product)
}

/// A reshape, given the sizes of all axes.
pub(super) fn resized(site: &mut Site<'_>, x: ValueId, shape: &[Dim], sizes: &[ValueId]) -> Emitted {
    let open = shape.iter().zip(sizes).filter(|(dim, _)| **dim == Dim::Unknown).map(|(_, size)| *size);
    let operands: Vec<ValueId> = std::iter::once(x).chain(open).collect();
    site.emit(Op::Reshape(shape.to_vec()), &operands)
}

fn product_of_others_along(site: &mut Site<'_>, x: ValueId, axis: usize) -> Emitted {
    let before = product_of_earlier(site, x, axis)?;
    let turned = reversed(site, x, axis)?;
    let after = product_of_earlier(site, turned, axis)?;
    let after = reversed(site, after, axis)?;
    site.mul(before, after)
}

/// For each element, the product of those before it.
fn product_of_earlier(site: &mut Site<'_>, x: ValueId, axis: usize) -> Emitted {
    let mut shape = site.shape(x);
    let size = std::mem::replace(&mut shape[axis], Dim::Known(1));
    let ty = ag_ir::TensorType::new(site.dtype(x), shape.clone());
    let sizes: Vec<ValueId> = (0..shape.len())
        .filter(|axis| shape[*axis] == Dim::Unknown)
        .map(|axis| emit::size(site.builder, x, axis))
        .collect();
    let one = emit::filled(site.builder, &ty, &sizes, 1.0)?;
    let longer = site.emit(Op::Concatenate(axis), &[one, x])?;
    let products = site.emit(Op::Cumulative { op: ReduceOp::Prod, axis }, &[longer])?;
    shape[axis] = size;
    if let Dim::Known(_) = size {
        let rank = shape.len();
        let whole = Op::Slice { start: vec![0; rank], size: shape, step: vec![1; rank] };
        return site.emit(whole, &[products]);
    }
    let (start, stop) = (emit::integer(site.builder, 0), emit::size(site.builder, x, axis));
    let step = emit::integer(site.builder, 1);
    site.emit(Op::SliceRange { axis }, &[products, start, stop, step])
}

/// The elements of an axis from the last to the first.
pub(super) fn reversed(site: &mut Site<'_>, x: ValueId, axis: usize) -> Emitted {
    let shape = site.shape(x);
    if let Dim::Known(size) = shape[axis] {
        let (mut start, mut step) = (vec![0; shape.len()], vec![1; shape.len()]);
        (start[axis], step[axis]) = (i64::try_from(size).unwrap_or(i64::MAX) - 1, -1);
        return site.emit(Op::Slice { start, size: shape, step }, &[x]);
    }
    let size = emit::size(site.builder, x, axis);
    let one = emit::integer(site.builder, 1);
    let last = emit::arithmetic(site.builder, BinaryOp::Sub, size, one);
    let places = site.emit(Op::IotaTo(ag_ir::DType::I64), &[size])?;
    let places = site.sub(last, places)?;
    site.emit(Op::Gather { axis, count: 1 }, &[x, places])
}

pub(super) fn cumulative(
    site: &mut Site<'_>,
    op: ReduceOp,
    axis: usize,
    tangents: &[Option<ValueId>],
) -> Tangents {
    let Some(t) = tangents[0] else { return Ok(vec![None]) };
    if op == ReduceOp::Sum {
        return Ok(vec![Some(site.emit(site.node.op.clone(), &[t])?)]);
    }
    let x = site.operand(0);
    if matches!(op, ReduceOp::Max | ReduceOp::Min) {
        return Ok(vec![Some(at_running_best(site, x, t, axis)?)]);
    }
    let tangent = match site.shape(x)[axis] {
        Dim::Known(size) => running_product(site, x, t, axis, size)?,
        Dim::Unknown => running_product_of_any(site, x, t, axis)?,
    };
    Ok(vec![Some(tangent)])
}

/// The tangent of a running extremum: that of the last element so far that attains it.
fn at_running_best(site: &mut Site<'_>, x: ValueId, t: ValueId, axis: usize) -> Emitted {
    let best = site.result(0);
    let attains = site.compare(CompareOp::Eq, x, best)?;
    let places = counting(site, x, axis)?;
    let first = emit::integer(site.builder, 0);
    let places = site.choose(attains, places, first)?;
    let places = site.emit(Op::Cumulative { op: ReduceOp::Max, axis }, &[places])?;
    indexing::along(site, t, x, places, axis)
}

/// The running product and its tangent by doubling: each step combines the last `2, 4, 8, …` elements.
///
/// ```text
/// (p, dp), (q, dq) of elements before them  ->  (q * p, q * dp + p * dq)
/// ```
fn running_product(site: &mut Site<'_>, x: ValueId, t: ValueId, axis: usize, size: usize) -> Emitted {
    let (mut product, mut tangent, mut distance) = (x, t, 1);
    while distance < size {
        let (earlier, earlier_tangent) =
            (moved_on(site, product, axis, distance, 1.0)?, moved_on(site, tangent, axis, distance, 0.0)?);
        let (mine, theirs) = (site.mul(tangent, earlier)?, site.mul(earlier_tangent, product)?);
        tangent = site.add(mine, theirs)?;
        product = site.mul(product, earlier)?;
        distance *= 2;
    }
    Ok(tangent)
}

/// Shifts the elements of an array some positions along an axis, and fills the start with one number.
fn moved_on(site: &mut Site<'_>, x: ValueId, axis: usize, distance: usize, number: f64) -> Emitted {
    let mut shape = site.shape(x);
    let size = shape[axis].known().unwrap_or(0);
    shape[axis] = Dim::Known(distance);
    let ty = ag_ir::TensorType::new(site.dtype(x), shape.clone());
    // The sizes of the operand, since those of a tangent are not available.
    let sizes = site.open_sizes(site.node.operands[0]);
    let first = emit::filled(site.builder, &ty, &sizes, number)?;
    shape[axis] = Dim::Known(size - distance);
    let rank = shape.len();
    let rest = site.emit(Op::Slice { start: vec![0; rank], size: shape, step: vec![1; rank] }, &[x])?;
    site.emit(Op::Concatenate(axis), &[first, rest])
}

/// By a table of products: for each element and each position, the product of the elements up to that
/// position without this one.
fn running_product_of_any(site: &mut Site<'_>, x: ValueId, t: ValueId, axis: usize) -> Emitted {
    let rank = site.shape(x).len();
    // Rows (axis) are the factor that is left out, columns (axis + 1) the end of the product.
    let wide = widened(site, x, x, axis)?;
    let size = emit::size(site.builder, x, axis);
    let places = site.emit(Op::IotaTo(ag_ir::DType::I64), &[size])?;
    let one = emit::integer(site.builder, 1);
    let mut along = vec![Dim::Known(1); rank - axis];
    along[0] = Dim::Unknown;
    let columns = site.emit(Op::Reshape(along.clone()), &[places, size])?;
    along.insert(1, Dim::Known(1));
    let rows = site.emit(Op::Reshape(along), &[places, size])?;
    let is_left_out = site.compare(CompareOp::Eq, rows, columns)?;
    let one_factor = site.number(x, 1.0)?;
    let zero = site.number(x, 0.0)?;
    let factors = site.choose(is_left_out, one_factor, wide)?;
    let products = site.emit(Op::Cumulative { op: ReduceOp::Prod, axis: axis + 1 }, &[factors])?;
    let last = site.add(columns, one)?;
    let is_inside = site.compare(CompareOp::Lt, rows, last)?;
    let products = site.choose(is_inside, products, zero)?;
    let tangent = widened(site, t, x, axis + 1)?;
    let terms = site.mul(tangent, products)?;
    site.total(terms, vec![axis], false)
}

/// An array like `x` with one more axis of size 1.
fn widened(site: &mut Site<'_>, value: ValueId, x: ValueId, axis: usize) -> Emitted {
    let mut shape = site.shape(x);
    let sizes = emit::open_sizes(site.builder, x);
    shape.insert(axis, Dim::Known(1));
    site.emit(Op::Reshape(shape), &[&[value], &sizes[..]].concat())
}
