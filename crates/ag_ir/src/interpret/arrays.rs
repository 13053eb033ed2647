//! Ops that move, reduce and multiply elements: the specification of each.

use std::borrow::Cow;

use super::data::{Data, Elements, indices, map_dtype, place, steps};
use super::elementwise::{binary, chain, compare, select, unary};
use crate::op::{BinaryOp, CompareOp, DotAxes, Overflow, ReduceOp, UnaryOp};
use crate::run::Failure;
use crate::types::DType;

type Computed<T> = Result<T, Failure>;

pub(super) fn iota(dtype: DType, size: usize) -> Data {
    let numbers = Elements::I64((0..i64::try_from(size).unwrap_or(0)).collect());
    super::elementwise::cast(dtype, &Data::new(vec![size], numbers))
}

pub(super) fn transpose(x: &Data, permutation: &[usize]) -> Data {
    let sizes: Vec<usize> = permutation.iter().map(|axis| x.sizes[*axis]).collect();
    let own = steps(&x.sizes);
    let places: Vec<usize> = indices(&sizes)
        .map(|index| index.iter().zip(permutation).map(|(i, axis)| i * own[*axis]).sum())
        .collect();
    x.take(sizes, &places)
}

/// The positions in `x` that a slice of this size reads, in order.
fn sliced(x: &Data, start: &[i64], size: &[usize], step: &[i64]) -> Vec<usize> {
    indices(size)
        .map(|index| {
            let at: Vec<usize> = index
                .iter()
                .enumerate()
                .map(|(axis, i)| usize::try_from(start[axis] + i64_of(*i) * step[axis]).unwrap_or(0))
                .collect();
            place(&x.sizes, &at)
        })
        .collect()
}

pub(super) fn i64_of(value: usize) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

pub(super) fn slice(x: &Data, start: &[i64], size: &[usize], step: &[i64]) -> Data {
    x.take(size.to_vec(), &sliced(x, start, size, step))
}

/// `size` elements of an axis from `start` on by `step`.
pub(super) fn slice_along(x: &Data, axis: usize, start: i64, size: usize, step: i64) -> Data {
    let (mut starts, mut steps) = (vec![0; x.sizes.len()], vec![1; x.sizes.len()]);
    (starts[axis], steps[axis]) = (start, step);
    let mut sizes = x.sizes.clone();
    sizes[axis] = size;
    slice(x, &starts, &sizes, &steps)
}

/// The indices of the true elements, one list for each axis.
pub(super) fn nonzero(x: &Data) -> Vec<Data> {
    let found: Vec<Vec<usize>> = match &x.elements {
        Elements::Bool(list) => {
            indices(&x.sizes).zip(list).filter(|(_, holds)| **holds).map(|(index, _)| index).collect()
        }
        _ => Vec::new(),
    };
    let along = |axis: usize| Elements::I64(found.iter().map(|index| i64_of(index[axis])).collect());
    (0..x.sizes.len()).map(|axis| Data::new(vec![found.len()], along(axis))).collect()
}

pub(super) fn update_slice(x: &Data, update: &Data, start: &[i64], step: &[i64]) -> Data {
    x.put(&sliced(x, start, &update.sizes, step), update)
}

/// Starts of a block along one axis, checked.
fn block(x: &Data, start: &Data, axis: usize, size: usize) -> Computed<Vec<i64>> {
    let first = start.integer();
    let extent = x.sizes[axis];
    if first < 0 || first > i64_of(extent) - i64_of(size) {
        return Err(Failure::Index { index: first, axis, size: extent });
    }
    let mut starts = vec![0; x.sizes.len()];
    starts[axis] = first;
    Ok(starts)
}

pub(super) fn dynamic_slice(x: &Data, start: &Data, axis: usize, size: usize) -> Computed<Data> {
    let starts = block(x, start, axis, size)?;
    let mut sizes = x.sizes.clone();
    sizes[axis] = size;
    Ok(slice(x, &starts, &sizes, &vec![1; starts.len()]))
}

pub(super) fn dynamic_update_slice(x: &Data, update: &Data, start: &Data, axis: usize) -> Computed<Data> {
    let starts = block(x, start, axis, update.sizes[axis])?;
    Ok(update_slice(x, update, &starts, &vec![1; starts.len()]))
}

/// The positions that index arrays pick, and the shape of the result.
fn picked(x: &Data, axis: usize, picks: &[&Data]) -> Computed<(Vec<usize>, Vec<usize>)> {
    let shape = common_shape(picks);
    let lists: Vec<Vec<i64>> = picks.iter().map(|pick| pick.broadcast(&shape).integers()).collect();
    let mut sizes = x.sizes[..axis].to_vec();
    sizes.extend(&shape);
    sizes.extend(&x.sizes[axis + picks.len()..]);
    // Bounds are checked pick by pick, in order, before anything is read.
    for (offset, list) in lists.iter().enumerate() {
        let extent = i64_of(x.sizes[axis + offset]);
        if let Some(index) = list.iter().find(|index| !(-extent..extent).contains(*index)) {
            return Err(Failure::Index { index: *index, axis: axis + offset, size: x.sizes[axis + offset] });
        }
    }
    let places = indices(&sizes)
        .map(|index| {
            let number = place(&shape, &index[axis..axis + shape.len()]);
            let mut at = index[..axis].to_vec();
            for (offset, list) in lists.iter().enumerate() {
                let extent = i64_of(x.sizes[axis + offset]);
                at.push(usize::try_from(list[number].rem_euclid(extent)).unwrap_or(0));
            }
            at.extend(&index[axis + shape.len()..]);
            place(&x.sizes, &at)
        })
        .collect();
    Ok((places, sizes))
}

fn common_shape(values: &[&Data]) -> Vec<usize> {
    let rank = values.iter().map(|value| value.sizes.len()).max().unwrap_or(0);
    let mut shape = vec![1; rank];
    for value in values {
        let offset = rank - value.sizes.len();
        for (axis, size) in value.sizes.iter().enumerate() {
            if *size != 1 {
                shape[offset + axis] = *size;
            }
        }
    }
    shape
}

pub(super) fn gather(x: &Data, axis: usize, picks: &[&Data]) -> Computed<Data> {
    let (places, sizes) = picked(x, axis, picks)?;
    Ok(x.take(sizes, &places))
}

pub(super) fn scatter(x: &Data, update: &Data, axis: usize, picks: &[&Data]) -> Computed<Data> {
    let (places, sizes) = picked(x, axis, picks)?;
    Ok(x.put(&places, &update.broadcast(&sizes)))
}

/// Adds one by one, so that an element whose index repeats is added to each time.
pub(super) fn scatter_add(x: &Data, update: &Data, axis: usize, picks: &[&Data]) -> Computed<Data> {
    let (places, sizes) = picked(x, axis, picks)?;
    let update = update.broadcast(&sizes);
    let mut result = x.clone();
    for (number, place) in places.iter().enumerate() {
        let (old, new) = (result.take(vec![], &[*place]), update.take(vec![], &[number]));
        let sum = super::elementwise::binary(BinaryOp::Add, Overflow::Wrap, &old, &new)?;
        result.replace(&[*place], &sum);
    }
    Ok(result)
}

pub(super) fn concatenate(axis: usize, values: &[&Data]) -> Data {
    let mut sizes = values[0].sizes.clone();
    sizes[axis] = values.iter().map(|value| value.sizes[axis]).sum();
    let all = Data::new(vec![], chain(values));
    let mut places = Vec::new();
    for index in indices(&sizes) {
        let (mut before, mut at) = (0, index);
        for value in values {
            if at[axis] < value.sizes[axis] {
                places.push(before + place(&value.sizes, &at));
                break;
            }
            at[axis] -= value.sizes[axis];
            before += value.sizes.iter().product::<usize>();
        }
    }
    all.take(sizes, &places)
}

/// For each element of the result, the positions in `x` that are reduced to it, in order.
fn groups(x: &Data, axes: &[usize]) -> (Vec<usize>, Vec<Vec<usize>>) {
    let kept: Vec<usize> = (0..x.sizes.len()).filter(|axis| !axes.contains(axis)).collect();
    let sizes: Vec<usize> = kept.iter().map(|axis| x.sizes[*axis]).collect();
    let mut lists = vec![Vec::new(); sizes.iter().product()];
    for (number, index) in indices(&x.sizes).enumerate() {
        let at: Vec<usize> = kept.iter().map(|axis| index[*axis]).collect();
        lists[place(&sizes, &at)].push(number);
    }
    (sizes, lists)
}

/// The result of reducing nothing, if there is one.
fn neutral(op: ReduceOp, x: &Data) -> Option<Data> {
    let dtype = x.to_array().dtype;
    let number = |value| super::elementwise::cast(dtype, &Data::new(vec![], Elements::U8(vec![value])));
    op.of_nothing().map(number)
}

/// Float sums are computed in double precision: the engine may sum in any order, so the specification is the
/// sum with the least error.
pub(super) fn reduce(op: ReduceOp, axes: &[usize], keepdims: bool, x: &Data) -> Computed<Data> {
    let (mut sizes, lists) = groups(x, axes);
    if keepdims {
        sizes = (0..x.sizes.len()).map(|axis| if axes.contains(&axis) { 1 } else { x.sizes[axis] }).collect();
    }
    let wide = match (&x.elements, op) {
        (Elements::F32(_), ReduceOp::Sum | ReduceOp::Prod) => super::elementwise::cast(DType::F64, x),
        _ => x.clone(),
    };
    let mut results = Vec::new();
    for list in &lists {
        let mut elements = list.iter().map(|number| wide.take(vec![], &[*number]));
        let Some(mut total) = neutral(op, &wide).or_else(|| elements.next()) else {
            unreachable!("{} of nothing, which sizes refuse", op.name())
        };
        for element in elements {
            total = binary(op.step(), Overflow::Wrap, &total, &element)?;
        }
        results.push(total);
    }
    let elements = if results.is_empty() {
        map_dtype!(&wide.elements, list => list[..0].to_vec())
    } else {
        chain(&results.iter().collect::<Vec<_>>())
    };
    let dtype = x.to_array().dtype;
    Ok(super::elementwise::cast(dtype, &Data::new(sizes, elements)))
}

pub(super) fn arg_reduce(op: ReduceOp, axis: usize, x: &Data) -> Computed<Data> {
    let (sizes, lists) = groups(x, &[axis]);
    let better = if op == ReduceOp::Max { CompareOp::Gt } else { CompareOp::Lt };
    let mut results = Vec::new();
    for list in lists {
        let mut best = 0;
        for (number, element) in list.iter().enumerate() {
            let (candidate, champion) = (x.take(vec![], &[*element]), x.take(vec![], &[list[best]]));
            let is_nan = |value: &Data| -> Computed<bool> {
                let float = matches!(value.elements, Elements::F32(_) | Elements::F64(_));
                Ok(float && unary(UnaryOp::IsNan, Overflow::Wrap, value)?.is_true())
            };
            if is_nan(&champion)? {
                break;
            }
            if is_nan(&candidate)? || compare(better, &candidate, &champion).is_true() {
                best = number;
            }
        }
        results.push(i64_of(best));
    }
    Ok(Data::new(sizes, Elements::I64(results)))
}

pub(super) fn arg_sort(axis: usize, x: &Data) -> Computed<Data> {
    let (_, lists) = groups(x, &[axis]);
    let mut result = Data::new(x.sizes.clone(), Elements::I64(vec![0; x.sizes.iter().product()]));
    for list in lists {
        // Insertion sort: each element goes after those that are not greater; NaN is the greatest.
        let mut sorted: Vec<usize> = Vec::new();
        for number in 0..list.len() {
            let mut place = sorted.len();
            while place > 0 && is_after(x, list[sorted[place - 1]], list[number])? {
                place -= 1;
            }
            sorted.insert(place, number);
        }
        for (place, number) in sorted.into_iter().enumerate() {
            result.replace(&[list[place]], &Data::new(vec![], Elements::I64(vec![i64_of(number)])));
        }
    }
    Ok(result)
}

/// The elements at positions along an axis.
pub(super) fn along(axis: usize, x: &Data, places: &Data) -> Data {
    let (_, lists) = groups(x, &[axis]);
    let (mut result, places) = (x.clone(), places.integers());
    for list in lists {
        for place in &list {
            result.replace(&[*place], &x.take(vec![], &[list[places[*place] as usize]]));
        }
    }
    result
}

/// The order of [`arg_sort`], each run of which ascends: what lies before, between and after the ranks.
pub(super) fn arg_partition(axis: usize, ranks: &[usize], x: &Data) -> Computed<Data> {
    let mut order = arg_sort(axis, x)?.integers();
    for list in groups(x, &[axis]).1 {
        let mut cuts: Vec<usize> = ranks.iter().flat_map(|rank| [*rank, rank + 1]).collect();
        cuts.retain(|cut| *cut < list.len());
        cuts.extend([0, list.len()]);
        cuts.sort_unstable();
        for run in cuts.windows(2).map(|cut| &list[cut[0]..cut[1]]) {
            let mut places: Vec<i64> = run.iter().map(|place| order[*place]).collect();
            places.sort_unstable();
            run.iter().zip(places).for_each(|(place, number)| order[*place] = number);
        }
    }
    Ok(Data::new(x.sizes.clone(), Elements::I64(order)))
}

/// Whether one element is sorted after another.
pub(super) fn is_after(x: &Data, one: usize, other: usize) -> Computed<bool> {
    let (one, other) = (x.take(vec![], &[one]), x.take(vec![], &[other]));
    let is_nan = |value: &Data| -> Computed<bool> {
        let float = matches!(value.elements, Elements::F32(_) | Elements::F64(_));
        Ok(float && unary(UnaryOp::IsNan, Overflow::Wrap, value)?.is_true())
    };
    Ok(if is_nan(&one)? { !is_nan(&other)? } else { compare(CompareOp::Gt, &one, &other).is_true() })
}

pub(super) fn cumulative(op: ReduceOp, axis: usize, x: &Data) -> Computed<Data> {
    let (_, lists) = groups(x, &[axis]);
    let mut result = x.clone();
    for list in lists {
        for pair in list.windows(2) {
            let (before, here) = (result.take(vec![], &[pair[0]]), x.take(vec![], &[pair[1]]));
            let total = binary(op.step(), Overflow::Wrap, &before, &here)?;
            result.replace(&[pair[1]], &total);
        }
    }
    Ok(result)
}

/// Orders the axes as batch, free, contracted, then multiplies and sums. Products of `f32` are exact in the
/// double precision in which they are summed.
pub(super) fn dot(axes: &DotAxes, left: &Data, right: &Data) -> Data {
    let free = |x: &Data, batch: &[usize], contract: &[usize]| -> Vec<usize> {
        (0..x.sizes.len()).filter(|axis| !batch.contains(axis) && !contract.contains(axis)).collect()
    };
    let left_free = free(left, &axes.left_batch, &axes.left_contract);
    let right_free = free(right, &axes.right_batch, &axes.right_contract);
    let a = transpose(left, &[&axes.left_batch[..], &left_free, &axes.left_contract].concat());
    let b = transpose(right, &[&axes.right_batch[..], &right_free, &axes.right_contract].concat());
    let size_of =
        |x: &Data, list: &[usize]| -> Vec<usize> { list.iter().map(|axis| x.sizes[*axis]).collect() };
    // A stack of unknown size may have one matrix, which is used for all of the other's.
    let stacks = [size_of(left, &axes.left_batch), size_of(right, &axes.right_batch)];
    let batch: Vec<usize> =
        stacks[0].iter().zip(&stacks[1]).map(|(l, r)| if *l == 1 { *r } else { *l }).collect();
    let (a, b) = (a.broadcast(&[&batch, &a.sizes[batch.len()..]].concat()).into_owned(), {
        b.broadcast(&[&batch, &b.sizes[batch.len()..]].concat()).into_owned()
    });
    let inner = size_of(left, &axes.left_contract);
    let (rows, columns) = (size_of(left, &left_free), size_of(right, &right_free));
    let counts = Counts {
        rows: rows.iter().product(),
        columns: columns.iter().product(),
        inner: inner.iter().product(),
        sums: !inner.is_empty(),
    };
    let sizes = [&batch[..], &rows, &columns].concat();
    let count = sizes.iter().product();
    let elements = match (&a.elements, &b.elements) {
        (Elements::F64(a), Elements::F64(b)) => {
            Elements::F64(products(&counts, count, a, b, 0.0, |x, y| x * y, |sum, one| sum + one))
        }
        (Elements::F32(a), Elements::F32(b)) => {
            let wide = |x: f32, y: f32| f64::from(x) * f64::from(y);
            let sums = products(&counts, count, a, b, 0.0, wide, |sum, one| sum + one);
            Elements::F32(sums.into_iter().map(|sum| sum as f32).collect())
        }
        (Elements::I64(a), Elements::I64(b)) => {
            Elements::I64(products(&counts, count, a, b, 0, i64::wrapping_mul, i64::wrapping_add))
        }
        (Elements::I32(a), Elements::I32(b)) => {
            Elements::I32(products(&counts, count, a, b, 0, i32::wrapping_mul, i32::wrapping_add))
        }
        (Elements::U8(a), Elements::U8(b)) => {
            Elements::U8(products(&counts, count, a, b, 0, u8::wrapping_mul, u8::wrapping_add))
        }
        (other, _) => other.clone(),
    };
    Data::new(sizes, elements)
}

/// The sizes of the products in a batch.
struct Counts {
    rows: usize,
    columns: usize,
    inner: usize,
    /// Whether anything is summed: a sum that starts at 0 would lose the sign of -0.0.
    sums: bool,
}

/// `sum(a[batch, row, :] * b[batch, column, :])` for each batch, row and column.
fn products<T: Copy, S: Copy>(
    counts: &Counts,
    count: usize,
    a: &[T],
    b: &[T],
    zero: S,
    multiply: impl Fn(T, T) -> S,
    add: impl Fn(S, S) -> S,
) -> Vec<S> {
    let Counts { rows, columns, inner, sums } = *counts;
    let one = |number: usize| {
        let (batch, row, column) = (number / columns / rows, number / columns % rows, number % columns);
        let (left, right) = ((batch * rows + row) * inner, (batch * columns + column) * inner);
        let mut terms =
            a[left..left + inner].iter().zip(&b[right..right + inner]).map(|(x, y)| multiply(*x, *y));
        let first = if sums { None } else { terms.next() };
        let start = first.unwrap_or(zero);
        terms.fold(start, &add)
    };
    (0..count).map(one).collect()
}

pub(super) fn choose(test: &Data, x: &Data, y: &Data) -> Data {
    let shape = common_shape(&[test, x, y]);
    select(&test.broadcast(&shape), &x.broadcast(&shape), &y.broadcast(&shape))
}

/// Two operands, broadcast to their common shape.
pub(super) fn paired<'a>(x: &'a Data, y: &'a Data) -> (Cow<'a, Data>, Cow<'a, Data>) {
    let shape = common_shape(&[x, y]);
    (x.broadcast(&shape), y.broadcast(&shape))
}
