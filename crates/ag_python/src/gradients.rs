//! Derivatives of recorded nodes, for Python.

use ag_grad::{Detached, GradientError as Refusal, Operand, Policy, Products, Range};
use ag_ir::{Identity, LocationId, Op, Scope, ValueId};
use pyo3::prelude::*;

use crate::block_builder::{BlockBuilder, LocationTuple, Region, set_places, verified};
use crate::graph::Graph;

pyo3::create_exception!(
    _core,
    GradientError,
    pyo3::exceptions::PyValueError,
    "Why there is no derivative: a line of text; if known, the number of the place, what to change, and a code."
);

fn gradient_error(refusal: Refusal) -> PyErr {
    let location = refusal.location.map(|location| location.0);
    GradientError::new_err((refusal.message, location, refusal.help, refusal.code))
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

/// Puts the rules of the user in the place of the functions in these nodes that the derivative by `wrt` goes
/// through, before that derivative is taken.
#[pyfunction]
pub(crate) fn apply_rules(
    builder: &mut BlockBuilder,
    first: u32,
    last: Option<u32>,
    wrt: Vec<u32>,
) -> PyResult<()> {
    ag_grad::apply_rules(builder.builder()?, range(first, last), &ids(&wrt)).map_err(gradient_error)
}

/// Makes gradients compute these nodes again instead of saving their values. With a limit in bytes, the nodes
/// are one loop, of which gradients save at most that much at a time. `products` are the products of arrays that
/// are saved: 0 none, 1 those without batches, 2 all. `values` are further values that are saved, or with
/// `is_all_but` the only ones that are not.
#[pyfunction]
#[pyo3(signature = (builder, first, last, limit=None, products=0, values=Vec::new(), is_all_but=false))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn checkpoint(
    builder: &mut BlockBuilder,
    first: u32,
    last: Option<u32>,
    limit: Option<u64>,
    products: u8,
    values: Vec<u32>,
    is_all_but: bool,
) -> PyResult<()> {
    let products = match products {
        0 => Products::None,
        1 => Products::OfOne,
        _ => Products::All,
    };
    let policy = Policy { products, values: ids(&values), is_all_but };
    ag_grad::checkpoint(builder.builder()?, range(first, last), limit, &policy).map_err(gradient_error)
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

/// As `scope` of two regions, which take the values around them for constants: these become operands.
#[pyfunction]
pub(crate) fn closed_scope(
    builder: &mut BlockBuilder,
    operands: Vec<u32>,
    regions: (PyRef<'_, Region>, PyRef<'_, Region>),
) -> PyResult<Vec<u32>> {
    let regions = [regions.0.0.clone(), regions.1.0.clone()];
    let (operands, regions) = ag_grad::closed(builder.builder()?, &ids(&operands), regions);
    let [primal, tangent] = regions.map(Region);
    let operands: Vec<u32> = operands.into_iter().map(|value| value.0).collect();
    builder.with_regions(Op::Scope(Scope::CustomJvp), &operands, &[&primal, &tangent])
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

/// A value of the type of another that no node gives: a seed of a graph that [`detach`] makes.
#[pyfunction]
pub(crate) fn unbound_like(builder: &mut BlockBuilder, value: u32) -> PyResult<u32> {
    let builder = builder.builder()?;
    let ty = builder.function().ty(ValueId(value)).clone();
    Ok(builder.unbound(ty).0)
}

/// Takes the nodes from the one that binds `first` on out of the graph, as a graph of its own with these
/// results. Returns it, and the values of the graph that it needs: its parameters are these and then the
/// seeds. The last three arguments are as for `finish`.
#[pyfunction]
pub(crate) fn detach(
    builder: &mut BlockBuilder,
    first: u32,
    seeds: Vec<u32>,
    results: Vec<u32>,
    locations: Vec<LocationTuple>,
    sites: Vec<String>,
    callers: Vec<i64>,
) -> PyResult<(Graph, Vec<u32>)> {
    let builder = builder.builder()?;
    set_places(builder, locations, sites, callers);
    let Detached { graph, residuals } =
        ag_grad::detach(builder, ValueId(first), &ids(&seeds), &ids(&results)).map_err(gradient_error)?;
    Ok((verified(graph)?, residuals.into_iter().map(|value| value.0).collect()))
}

/// Refuses nodes between `wrt` and `outputs` that have a rule for reverse mode only.
#[pyfunction]
pub(crate) fn require_forward_rules(
    builder: &mut BlockBuilder,
    first: u32,
    last: Option<u32>,
    wrt: Vec<u32>,
    outputs: Vec<u32>,
) -> PyResult<()> {
    ag_grad::require_forward_rules(builder.builder()?, range(first, last), &ids(&wrt), &ids(&outputs))
        .map_err(gradient_error)
}

/// The derivative in forward mode, from a backward pass that [`detach`] has made. Its parameters are the
/// residuals, a value like each seed, and the tangents of the inputs.
#[pyfunction]
pub(crate) fn transposed(backward: &Graph, seed_count: usize) -> PyResult<Graph> {
    let forward = ag_grad::transposed(&backward.function, seed_count).map_err(gradient_error)?;
    verified(forward)
}

/// Copies a finished graph into the one that is being built; returns its results. Its sites count from
/// `first_site`; `locations` are the numbers that its locations have in the new graph.
#[pyfunction]
pub(crate) fn inline_graph(
    builder: &mut BlockBuilder,
    graph: &Graph,
    arguments: Vec<u32>,
    first_site: u32,
    locations: Vec<u32>,
) -> PyResult<Vec<u32>> {
    let locations: Vec<LocationId> = locations.into_iter().map(LocationId).collect();
    let found =
        ag_grad::inline(builder.builder()?, &graph.function, &ids(&arguments), first_site, &locations);
    Ok(found.map_err(gradient_error)?.into_iter().map(|value| value.0).collect())
}
