//! The methods of the graph builder that are the form of an op: its operands, then its attributes.
//!
//! ```text
//! dynamic_slice(x, start) { axis: usize, size: usize }
//!
//! def dynamic_slice(self, x: int, start: int, axis: int, size: int) -> int: ...
//! ```
//!
//! A row is a method, and its line in `_core.pyi`, which `tests/test_stub.py` writes.

use ag_ir::{Identity, ListOp, Op, Store, ValueId};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::block_builder::BlockBuilder;
use crate::graph_types::{DTypeName, shape_of};

/// Builds a graph op by op.
#[pyclass(module = "autograph._core", extends = BlockBuilder, subclass)]
pub(crate) struct GraphBuilder;

/// A type of an attribute, or of what a method returns.
trait Written {
    /// Its name in `_core.pyi` as that of a parameter.
    const PARAMETER: &'static str;
}

/// What a method returns: the results of a node.
trait Recorded: Sized {
    /// Its name in `_core.pyi`.
    const RESULT: &'static str;

    fn of(results: &[ValueId]) -> PyResult<Self>;
}

macro_rules! written {
    ($($ty:ty, $name:literal;)*) => {$(
        impl Written for $ty {
            const PARAMETER: &'static str = $name;
        }
    )*};
}

written! {
    usize, "int";
    Option<usize>, "int | None";
    bool, "bool";
    Vec<usize>, "Sequence[int]";
    Vec<i64>, "Sequence[int]";
    Vec<Option<usize>>, "Sequence[int | None]";
    DTypeName, "str";
}

fn wrong_count() -> PyErr {
    PyRuntimeError::new_err("an op has another number of results than its method")
}

impl Recorded for u32 {
    const RESULT: &'static str = "int";

    fn of(results: &[ValueId]) -> PyResult<Self> {
        results.first().map(|value| value.0).ok_or_else(wrong_count)
    }
}

impl Recorded for (u32, u32) {
    const RESULT: &'static str = "tuple[int, int]";

    fn of(results: &[ValueId]) -> PyResult<Self> {
        if let [one, other] = results { Ok((one.0, other.0)) } else { Err(wrong_count()) }
    }
}

impl Recorded for Vec<u32> {
    const RESULT: &'static str = "list[int]";

    fn of(results: &[ValueId]) -> PyResult<Self> {
        Ok(results.iter().map(|value| value.0).collect())
    }
}

/// The operands of a node: some that are always there, and any number of others.
macro_rules! operands {
    ($($operand:ident)*) => {
        [$($operand),*]
    };
    ($($operand:ident)*; $rest:ident) => {{
        let mut operands = vec![$($operand),*];
        operands.extend($rest);
        operands
    }};
}

macro_rules! op_methods {
    ($(
        $(#[doc = $doc:literal])*
        $name:ident($($operand:ident),* $(; $rest:ident)?) {
            $($attribute:ident: $ty:ty $(= $default:literal $value:expr)?),*
        } -> $result:ty, $op:expr;
    )*) => {
        #[pymethods]
        impl GraphBuilder {
            #[new]
            fn new(name: &str) -> PyClassInitializer<Self> {
                PyClassInitializer::from(BlockBuilder::new(name)).add_subclass(Self)
            }

            $(
                $(#[doc = $doc])*
                #[pyo3(signature = ($($operand,)* $($rest,)? $($attribute $(= $value)?),*))]
                fn $name(
                    mut this: PyRefMut<'_, Self>,
                    $($operand: u32,)*
                    $($rest: Vec<u32>,)?
                    $($attribute: $ty),*
                ) -> PyResult<$result> {
                    let op = $op;
                    Recorded::of(&this.as_super().record(op, &operands!($($operand)* $(; $rest)?))?)
                }
            )*
        }

        /// The lines of these methods in `_core.pyi`.
        #[pyfunction]
        pub(crate) fn op_methods() -> Vec<String> {
            vec![$({
                let mut parameters = vec!["self".to_owned()];
                $(parameters.push(format!("{}: int", stringify!($operand)));)*
                $(parameters.push(format!("{}: Sequence[int]", stringify!($rest)));)?
                $(parameters.push(
                    [stringify!($attribute), ": ", <$ty as Written>::PARAMETER $(, " = ", $default)?].concat(),
                );)*
                let (parameters, result) = (parameters.join(", "), <$result as Recorded>::RESULT);
                format!("def {}({parameters}) -> {result}: ...", stringify!($name))
            }),*]
        }
    };
}

op_methods! {
    /// 0, 1, 2, …
    iota() { dtype: DTypeName, size: usize } -> u32, Op::Iota { dtype: dtype.0, size };
    /// The size of an axis.
    size(x) { axis: usize } -> u32, Op::Size(axis);
    select(test, x, y) {} -> u32, Op::Select;
    /// The first value, with the derivative of the second.
    with_slope(x, slope) {} -> u32, Op::Identity(Identity::WithSlope);
    cast(x) { dtype: DTypeName } -> u32, Op::Cast(dtype.0);
    transpose(x) { axes: Vec<usize> } -> u32, Op::Transpose(axes);
    /// An axis of unknown size is taken as a whole; its `size` is `None`.
    slice(x) { start: Vec<i64>, size: Vec<Option<usize>>, step: Vec<i64> } -> u32,
        Op::Slice { start, size: shape_of(&size), step };
    /// The elements of an axis at `range(start, stop, step)`, bounds as `slice.indices` gives them.
    slice_range(x, start, stop, step) { axis: usize } -> u32, Op::SliceRange { axis };
    dynamic_slice(x, start) { axis: usize, size: usize } -> u32, Op::DynamicSlice { axis, size };
    update_slice(x, v) { start: Vec<i64>, step: Vec<i64> } -> u32, Op::UpdateSlice { start, step };
    dynamic_update_slice(x, v, start) { axis: usize } -> u32, Op::DynamicUpdateSlice { axis };
    gather(x; indices) { axis: usize } -> u32, Op::Gather { axis, count: indices.len() };
    scatter(x, v; indices) { axis: usize } -> u32, Op::Scatter { axis, count: indices.len(), store: Store::Replace };
    /// The values added one by one, as by `numpy.add.at`.
    scatter_add(x, v; indices) { axis: usize } -> u32, Op::Scatter { axis, count: indices.len(), store: Store::Add };
    concatenate(; arrays) { axis: usize } -> u32, Op::Concatenate(axis);
    /// The indices of the true elements, one array for each axis.
    nonzero(x) {} -> Vec<u32>, Op::Nonzero;
    /// How many elements of each line sort before those wanted.
    search(ordered, x) { counts_equal: bool } -> u32, Op::Search { counts_equal };
    /// `(a * b + c) % m` of ints.
    mul_add_mod(a, b, c, m) {} -> u32, Op::MulAddMod;
    /// Sums of products of one line with shifts of another.
    correlate(x, y) { before: usize, size: usize } -> u32, Op::Correlate { before, size };
    solve_lu(lu, b) {} -> u32, Op::SolveLu;
    list_append(list, value) {} -> u32, Op::List(ListOp::Append);
    /// The list without its last value, and that value.
    list_pop(list) {} -> (u32, u32), Op::List(ListOp::Pop);
    list_get(list, index) {} -> u32, Op::List(ListOp::Get);
    list_set(list, index, value) {} -> u32, Op::List(ListOp::Set);
    list_insert(list, index, value) {} -> u32, Op::List(ListOp::Insert);
    list_delete(list, index) {} -> u32, Op::List(ListOp::Delete);
    list_concatenate(left, right) {} -> u32, Op::List(ListOp::Concatenate);
    list_slice(list, start, stop, step) {} -> u32, Op::List(ListOp::Slice);
    list_reverse(list) {} -> u32, Op::List(ListOp::Reverse);
    list_length(list) {} -> u32, Op::List(ListOp::Length);
    /// The values stacked to one array; fails unless there are `size` of them, if that is given.
    list_stack(list) { size: Option<usize> = "None" None } -> u32, Op::List(ListOp::Stack { size });
    /// The list of the rows of an array.
    list_unstack(array) {} -> u32, Op::List(ListOp::Unstack);
    /// The value at `place` of the list at `index` of a list of lists.
    list_get_in(list, index, place) {} -> u32, Op::List(ListOp::GetIn);
    list_set_in(list, index, place, value) {} -> u32, Op::List(ListOp::SetIn);
    list_append_in(list, index, value) {} -> u32, Op::List(ListOp::AppendIn);
    /// Removes the last value of the list at `index` of a list of lists; returns the list of lists, and the
    /// value.
    list_pop_in(list, index) {} -> (u32, u32), Op::List(ListOp::PopIn);
    list_length_in(list, index) {} -> u32, Op::List(ListOp::LengthIn);
    /// The values of all inner lists, one list after the other.
    list_flatten(list) {} -> u32, Op::List(ListOp::Flatten);
    /// A list of zeros of the same length.
    list_zeros(list) {} -> u32, Op::List(ListOp::Zeros);
}
