//! Derivatives of recorded nodes, for Python.

use ag_grad::{GradientError as Refusal, Operand, Range};
use ag_ir::{Identity, Op, Scope, ValueId};
use pyo3::prelude::*;

use crate::block_builder::{BlockBuilder, Region};

pyo3::create_exception!(
    _core,
    GradientError,
    pyo3::exceptions::PyValueError,
    "Why there is no derivative: a line of text, the number of the place, and what to change, if known."
);

fn gradient_error(refusal: Refusal) -> PyErr {
    GradientError::new_err((refusal.message, refusal.location.map(|location| location.0), refusal.help))
}

const fn range(first: u32, last: Option<u32>) -> Range {
    let last = match last {
        Some(last) => Some(ValueId(last)),
        None => None,
    };
    Range { first: ValueId(first), last }
}

fn ids(values: &[u32]) -> Vec<ValueId> {
    values.iter().copied().map(ValueId).collect()
}

fn pairs(values: &[(u32, u32)]) -> Vec<(ValueId, ValueId)> {
    values.iter().map(|(left, right)| (ValueId(*left), ValueId(*right))).collect()
}

fn numbers(values: Vec<Option<ValueId>>) -> Vec<Option<u32>> {
    values.into_iter().map(|value| value.map(|value| value.0)).collect()
}

/// Adjoints of `wrt` through the nodes from the one that binds `first` to the one that binds `last`, or to
/// the end; `outputs` are pairs of a value and its adjoint. `None` is a zero.
#[pyfunction]
pub(crate) fn vjp(
    builder: &mut BlockBuilder,
    first: u32,
    last: Option<u32>,
    wrt: Vec<u32>,
    outputs: Vec<(u32, u32)>,
) -> PyResult<Vec<Option<u32>>> {
    let found = ag_grad::vjp(builder.builder()?, range(first, last), &ids(&wrt), &pairs(&outputs));
    found.map(numbers).map_err(gradient_error)
}

/// Tangents of `outputs`; `wrt` are pairs of a value and its tangent. If these tangents were not recorded
/// before the range, the range is computed again. `None` is a zero.
#[pyfunction]
pub(crate) fn jvp(
    builder: &mut BlockBuilder,
    first: u32,
    last: Option<u32>,
    is_before: bool,
    wrt: Vec<(u32, u32)>,
    outputs: Vec<u32>,
) -> PyResult<Vec<Option<u32>>> {
    let found = ag_grad::jvp(builder.builder()?, range(first, last), is_before, &pairs(&wrt), &ids(&outputs));
    found.map(numbers).map_err(gradient_error)
}

/// The arrays and numbers of floats that the nodes from the one that binds `first` to the one that binds `last`
/// compute, without those in their regions; each with the number of its place.
#[pyfunction]
pub(crate) fn float_values(
    builder: &mut BlockBuilder,
    first: u32,
    last: u32,
) -> PyResult<Vec<(u32, Option<u32>)>> {
    let builder = builder.builder()?;
    let Some(taken) = builder.take_out(ValueId(first), Some(ValueId(last))) else { return Ok(Vec::new()) };
    let places = taken.nodes.iter().flat_map(|node| {
        let place = node.location.map(|location| location.0);
        node.results.iter().map(move |result| (*result, place))
    });
    let is_float = |value: ValueId| {
        let ty = builder.function().ty(value);
        ty.tensor().is_some() && ty.has_tangent()
    };
    let found = places.filter(|(value, _)| is_float(*value)).map(|(value, place)| (value.0, place)).collect();
    builder.put_back(taken);
    Ok(found)
}

/// Makes gradients compute these nodes again instead of saving their values. With a limit in bytes, the nodes
/// are one loop, of which gradients save at most that much at a time.
#[pyfunction]
#[pyo3(signature = (builder, first, last, limit=None))]
pub(crate) fn checkpoint(
    builder: &mut BlockBuilder,
    first: u32,
    last: Option<u32>,
    limit: Option<u64>,
) -> PyResult<()> {
    ag_grad::checkpoint(builder.builder()?, range(first, last), limit).map_err(gradient_error)
}

/// A new value that equals another, or one that stops its gradient.
#[pyfunction]
pub(crate) fn identity(builder: &mut BlockBuilder, value: u32, stops: bool) -> PyResult<u32> {
    let kind = if stops { Identity::StopGradient } else { Identity::Plain };
    builder.one(Op::Identity(kind), &[value])
}

/// A call of a function with a custom gradient: regions of the function, of the forward rule and of the
/// backward rule; or of the function and of the rule for its tangents.
#[pyfunction]
pub(crate) fn scope(
    builder: &mut BlockBuilder,
    operands: Vec<u32>,
    regions: Vec<PyRef<'_, Region>>,
) -> PyResult<Vec<u32>> {
    let kind = if regions.len() == 3 { Scope::CustomVjp } else { Scope::CustomJvp };
    let regions: Vec<&Region> = regions.iter().map(|region| &**region).collect();
    builder.with_regions(Op::Scope(kind), &operands, &regions)
}

/// Vectorises a region over the rows of its operands; batched operands have the rows along their first axis.
/// Returns each result, and whether it has rows.
#[pyfunction]
pub(crate) fn vmap(
    builder: &mut BlockBuilder,
    region: PyRef<'_, Region>,
    operands: Vec<(u32, bool)>,
) -> PyResult<Vec<(u32, bool)>> {
    let operands: Vec<Operand> = operands
        .into_iter()
        .map(|(value, is_batched)| Operand { value: ValueId(value), is_batched })
        .collect();
    let found = ag_grad::vmap(builder.builder()?, &region.0, &operands).map_err(gradient_error)?;
    Ok(found.into_iter().map(|(value, is_batched)| (value.0, is_batched)).collect())
}

/// Zeros of the type and sizes of a value.
#[pyfunction]
pub(crate) fn zeros_like(builder: &mut BlockBuilder, value: u32) -> PyResult<u32> {
    ag_grad::zeros_like(builder.builder()?, ValueId(value)).map(|zeros| zeros.0).map_err(gradient_error)
}
