//! Arithmetic of shapes: strides, sizes, and stepping through indices.

/// Number of elements.
pub(crate) fn count(sizes: &[usize]) -> usize {
    sizes.iter().product()
}

/// Strides, in elements, of a dense array in C order.
///
/// `[2, 3, 4]` gives `[12, 4, 1]`.
pub(crate) fn dense_strides(sizes: &[usize]) -> Vec<isize> {
    let mut strides = vec![1_isize; sizes.len()];
    for axis in (1..sizes.len()).rev() {
        strides[axis - 1] = strides[axis].wrapping_mul(sizes[axis].max(1).cast_signed());
    }
    strides
}

/// Strides with which an array is read as if broadcast to `result` by NumPy's rule: 0 along
/// stretched axes.
pub(crate) fn broadcast_strides(sizes: &[usize], strides: &[isize], result: &[usize]) -> Vec<isize> {
    let missing = result.len() - sizes.len();
    (0..result.len())
        .map(|axis| match axis.checked_sub(missing) {
            Some(own) if sizes[own] != 1 => strides[own],
            _ => 0,
        })
        .collect()
}

/// Merges neighbouring axes along which all arrays step evenly, and drops axes of size 1.
///
/// `[200, 10]` with strides `[10, 1]` and `[10, 1]` becomes `[2000]` with `[1]` and `[1]`; with
/// strides `[10, 1]` and `[0, 1]` (a row that is repeated) it stays as it is.
pub(crate) fn collapse(sizes: &[usize], strides: &[&[isize]]) -> (Vec<usize>, Vec<Vec<isize>>) {
    let mut merged_sizes: Vec<usize> = Vec::new();
    let mut merged: Vec<Vec<isize>> = vec![Vec::new(); strides.len()];
    for (axis, size) in sizes.iter().copied().enumerate() {
        if size == 1 {
            continue;
        }
        let joins = !merged_sizes.is_empty()
            && strides
                .iter()
                .zip(&merged)
                .all(|(of, merged)| merged.last() == Some(&(of[axis].wrapping_mul(size.cast_signed()))));
        if joins && let Some(last) = merged_sizes.last_mut() {
            *last *= size;
            for (of, merged) in strides.iter().zip(&mut merged) {
                if let Some(last) = merged.last_mut() {
                    *last = of[axis];
                }
            }
        } else {
            merged_sizes.push(size);
            for (of, merged) in strides.iter().zip(&mut merged) {
                merged.push(of[axis]);
            }
        }
    }
    (merged_sizes, merged)
}

/// Steps an index to the next in C order, and the offsets with it; `false` after the last.
pub(crate) fn advance<const N: usize>(
    index: &mut [usize],
    sizes: &[usize],
    strides: [&[isize]; N],
    offsets: &mut [isize; N],
) -> bool {
    for axis in (0..sizes.len()).rev() {
        index[axis] += 1;
        for (offset, strides) in offsets.iter_mut().zip(strides) {
            *offset += strides[axis];
        }
        if index[axis] < sizes[axis] {
            return true;
        }
        for (offset, strides) in offsets.iter_mut().zip(strides) {
            *offset -= strides[axis] * sizes[axis].cast_signed();
        }
        index[axis] = 0;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn collapses_what_is_dense() {
        assert_eq!(collapse(&[2, 3, 4], &[&[12, 4, 1]]), (vec![24], vec![vec![1]]));
        assert_eq!(
            collapse(&[200, 10], &[&[10, 1], &[0, 1]]),
            (vec![200, 10], vec![vec![10, 1], vec![0, 1]])
        );
        assert_eq!(collapse(&[2, 1, 5], &[&[5, 77, 1]]), (vec![10], vec![vec![1]]));
    }

    #[test]
    fn advances_in_c_order() {
        let (sizes, strides) = ([2, 2], [10_isize, 1]);
        let (mut index, mut offsets, mut seen) = (vec![0, 0], [0_isize], vec![0]);
        while advance(&mut index, &sizes, [&strides], &mut offsets) {
            seen.push(offsets[0]);
        }
        assert_eq!(seen, [0, 1, 10, 11]);
    }
}
