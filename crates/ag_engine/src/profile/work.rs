//! What a step computes and moves: floating-point operations and bytes, from its op and its sizes.
//!
//! - An operation is one addition, multiplication, division, root or function such as `exp` of floats, for each
//!   element of the result. Integers, comparisons, tests, choices and conversions count nothing.
//! - A product counts two for each pair of numbers that it multiplies: the multiplication and the addition.
//! - A reduction counts what it puts together: elements less results.
//! - Decompositions and transforms count what textbooks say of the method.

use ag_ir::{DType, DTypeRule, Decomposition, Op, ReduceOp, Store, Type};

/// The size of a value, as far as work depends on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Extent {
    /// The type of its elements; none of a list of lists.
    pub(crate) dtype: Option<DType>,
    /// The sizes of an array, or of all values of a list together.
    pub(crate) sizes: Vec<usize>,
}

impl Extent {
    /// The extent of a value of a type, where a run has found these unknown sizes: those of an array, or the
    /// length of a list. None if one is missing.
    pub(crate) fn of(ty: &Type, found: Option<&[usize]>) -> Option<Self> {
        match ty {
            Type::Tensor(tensor) => {
                let known = tensor.sizes();
                let sizes = known.or_else(|| found.map(<[usize]>::to_vec))?;
                Some(Self { dtype: Some(tensor.dtype), sizes })
            }
            Type::List(element) => {
                let length = *found?.first()?;
                match &**element {
                    Type::Tensor(tensor) => {
                        let sizes = [vec![length], tensor.sizes().unwrap_or_default()].concat();
                        Some(Self { dtype: Some(tensor.dtype), sizes })
                    }
                    Type::List(_) => Some(Self { dtype: None, sizes: vec![length] }),
                }
            }
        }
    }

    /// The number of elements.
    pub(crate) fn elements(&self) -> u64 {
        self.sizes.iter().map(|size| *size as u64).product()
    }

    /// Bytes of all elements.
    pub(crate) fn bytes(&self) -> u64 {
        self.elements() * self.dtype.map_or(0, |dtype| dtype.size() as u64)
    }

    fn is_float(&self) -> bool {
        self.dtype.is_some_and(DType::is_float)
    }
}

/// The floating-point operations of an op on operands and results of these extents.
pub(crate) fn operations(op: &Op, operands: &[Extent], results: &[Extent]) -> u64 {
    let (Some(first), Some(result)) = (operands.first(), results.first()) else { return 0 };
    match op {
        Op::Unary(unary, _) if matches!(unary.gives(), DTypeRule::Is(_)) => 0,
        Op::Unary(..) | Op::Binary(..) if result.is_float() => result.elements(),
        Op::Dot(axes) if result.is_float() => {
            let inner: u64 = axes.left_contract.iter().map(|axis| first.sizes[*axis] as u64).product();
            2 * inner * result.elements()
        }
        Op::Reduce { op: ReduceOp::Sum | ReduceOp::Prod | ReduceOp::Max | ReduceOp::Min, .. }
            if result.is_float() =>
        {
            first.elements().saturating_sub(result.elements())
        }
        Op::Cumulative { axis, .. } if result.is_float() => {
            let lines = first.elements().checked_div(first.sizes[*axis] as u64).unwrap_or(0);
            first.elements() - lines
        }
        Op::Correlate { before, size } if result.is_float() => {
            let (n, m) = (last(first), operands.get(1).map_or(0, last));
            let lines = result.elements().checked_div(*size as u64).unwrap_or(0);
            2 * lines * pairs(n, m, *before, *size)
        }
        Op::Scatter { store: Store::Add, .. } if result.is_float() => {
            operands.get(1).map_or(0, Extent::elements)
        }
        Op::Decompose(decomposition) => decomposed(*decomposition, &first.sizes),
        Op::SolveLu => {
            let rows = result.sizes.len().checked_sub(2).map_or(0, |axis| result.sizes[axis] as u64);
            2 * rows * result.elements()
        }
        Op::Fourier { .. } => {
            let n = last(first) as u64;
            let rows = (first.elements() / 2).checked_div(n).unwrap_or(0);
            (rows as f64 * 5.0 * n as f64 * (n.max(1) as f64).log2()).round() as u64
        }
        _ => 0,
    }
}

fn last(extent: &Extent) -> usize {
    extent.sizes.last().copied().unwrap_or(0)
}

/// How many products the elements of a correlation are the sums of.
fn pairs(n: usize, m: usize, before: usize, size: usize) -> u64 {
    let of_element = |element: usize| {
        // `x[element + j - before]` is there for `j` from `first` to before `end`.
        let first = before.saturating_sub(element).min(m);
        let end = (n + before).saturating_sub(element).min(m);
        end.saturating_sub(first) as u64
    };
    (0..size).map(of_element).sum()
}

/// The operations of the usual methods for a stack of matrices. A complex one takes four times as many.
fn decomposed(decomposition: Decomposition, sizes: &[usize]) -> u64 {
    use Decomposition::*;
    let [stack @ .., rows, columns] = sizes else { return 0 };
    let (count, complex) =
        (stack.iter().product::<usize>() as f64, if is_complex(decomposition) { 4.0 } else { 1.0 });
    let (m, n) = (rows.max(columns), rows.min(columns));
    let (m, n) = (*m as f64, *n as f64);
    let of_one = match decomposition {
        Lu | ComplexLu => 2.0 / 3.0 * n * n * n,
        Cholesky | ComplexCholesky => n * n * n / 3.0,
        Qr | ComplexQr => 4.0 * m * n * n - 4.0 / 3.0 * n * n * n,
        CompleteQr | ComplexCompleteQr => 2.0 * m * n * n + 2.0 * m * m * n,
        Svd | ComplexSvd => 6.0 * m * n * n + 16.0 * n * n * n,
        FullSvd | ComplexFullSvd => 4.0 * m * m * n + 22.0 * n * n * n,
        SingularValues | ComplexSingularValues => 4.0 * m * n * n - 4.0 / 3.0 * n * n * n,
        Eigh | ComplexEigh => 9.0 * n * n * n,
        Eigenvalues | ComplexEigenvalues => 4.0 / 3.0 * n * n * n,
    };
    (of_one * count * complex).round() as u64
}

const fn is_complex(decomposition: Decomposition) -> bool {
    use Decomposition::*;
    matches!(
        decomposition,
        ComplexLu
            | ComplexCholesky
            | ComplexQr
            | ComplexCompleteQr
            | ComplexSvd
            | ComplexFullSvd
            | ComplexSingularValues
            | ComplexEigh
            | ComplexEigenvalues
    )
}

/// The bytes that an op reads of the array that is its first operand, if it does not read all of it.
pub(crate) const fn reads_result_only(op: &Op) -> bool {
    matches!(op, Op::Gather { .. } | Op::Slice { .. } | Op::SliceRange { .. } | Op::DynamicSlice { .. })
}

/// Whether an op writes no more of its result than its second operand has.
pub(crate) const fn writes_second_only(op: &Op) -> bool {
    matches!(op, Op::Scatter { .. } | Op::UpdateSlice { .. } | Op::DynamicUpdateSlice { .. })
}

#[cfg(test)]
mod tests {
    use ag_ir::{BinaryOp, DotAxes, Overflow, UnaryOp};

    use super::*;

    fn floats(sizes: &[usize]) -> Extent {
        Extent { dtype: Some(DType::F64), sizes: sizes.to_vec() }
    }

    #[test]
    fn elements_products_and_reductions_are_counted_exactly() {
        let add = Op::Binary(BinaryOp::Add, Overflow::Wrap);
        assert_eq!(operations(&add, &[floats(&[3, 1]), floats(&[4])], &[floats(&[3, 4])]), 12);
        let exp = Op::Unary(UnaryOp::Exp, Overflow::Wrap);
        assert_eq!(operations(&exp, &[floats(&[])], &[floats(&[])]), 1);
        let axes = DotAxes {
            left_batch: vec![0],
            right_batch: vec![0],
            left_contract: vec![2],
            right_contract: vec![1],
        };
        let (left, right) = (floats(&[2, 3, 5]), floats(&[2, 5, 7]));
        assert_eq!(operations(&Op::Dot(axes), &[left, right], &[floats(&[2, 3, 7])]), 2 * 2 * 3 * 5 * 7);
        let sum = Op::Reduce { op: ReduceOp::Sum, axes: vec![1], keepdims: false };
        assert_eq!(operations(&sum, &[floats(&[4, 9])], &[floats(&[4])]), 32);
        assert_eq!(operations(&sum, &[floats(&[4, 0])], &[floats(&[4])]), 0);
        let running = Op::Cumulative { op: ReduceOp::Sum, axis: 0 };
        assert_eq!(operations(&running, &[floats(&[4, 9])], &[floats(&[4, 9])]), 27);
    }

    #[test]
    fn what_is_no_arithmetic_of_floats_counts_nothing() {
        let add = Op::Binary(BinaryOp::Add, Overflow::Wrap);
        let whole = Extent { dtype: Some(DType::I64), sizes: vec![9] };
        assert_eq!(operations(&add, &[whole.clone(), whole.clone()], std::slice::from_ref(&whole)), 0);
        let is_nan = Op::Unary(UnaryOp::IsNan, Overflow::Wrap);
        let truths = Extent { dtype: Some(DType::Bool), sizes: vec![9] };
        assert_eq!(operations(&is_nan, &[floats(&[9])], &[truths]), 0);
        assert_eq!(operations(&Op::Select, &[floats(&[9])], &[floats(&[9])]), 0);
    }

    #[test]
    fn a_correlation_counts_the_products_that_are_there() {
        for (n, m, before, size) in [(5, 3, 2, 7), (5, 3, 0, 3), (3, 5, 4, 7), (1, 1, 0, 1), (4, 4, 3, 7)] {
            let there = (0..size as i64).flat_map(|i| (0..m as i64).map(move |j| i + j - before as i64));
            let wanted = there.filter(|place| (0..n as i64).contains(place)).count() as u64;
            assert_eq!(pairs(n, m, before, size), wanted, "{n} {m} {before} {size}");
        }
    }
}
