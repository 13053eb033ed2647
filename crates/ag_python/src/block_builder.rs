//! The graph builder for Python: values, blocks, control flow, and the ops whose method is not their form.
//! Those whose method is are in `op_methods.rs`.

use std::sync::Arc;

use ag_grad::Roots;
use ag_ir::{
    BinaryOp, Block, Builder, Call, Callback, Check, CompareOp, Constant, Decomposition, DotAxes, Draw,
    Function, InferError, ListOp, LocationId, Op, Overflow, ReduceOp, SourceLocation, Type, UnaryOp, ValueId,
    WithShape, verify,
};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::graph::Graph;
use crate::graph_types::{GraphType, dtype_named, shape_of};
use crate::numerics::is_exact;
use crate::views::{self, ViewStep};

pyo3::create_exception!(_core, GraphError, PyValueError, "Operands that do not fit an op.");

fn graph_error(error: &InferError) -> PyErr {
    GraphError::new_err(error.0.clone())
}

fn is_finished() -> PyErr {
    PyRuntimeError::new_err("the graph is finished")
}

/// The op of a family with this name.
fn op_named<T>(op: Option<T>, name: &str) -> PyResult<T> {
    op.ok_or_else(|| PyValueError::new_err(format!("no op named {name}")))
}

const fn overflow(checked: bool) -> Overflow {
    if checked { Overflow::Check } else { Overflow::Wrap }
}

fn ids(values: &[u32]) -> Vec<ValueId> {
    values.iter().copied().map(ValueId).collect()
}

/// A closed region, to be passed to one control-flow op.
#[pyclass(module = "autograph._core", frozen)]
pub(crate) struct Region(pub(crate) Block);

/// A state of the builder to roll back to.
#[pyclass(module = "autograph._core", frozen)]
pub(crate) struct Mark(ag_ir::Mark);

/// The base class of [`GraphBuilder`](crate::op_methods::GraphBuilder). Values are integers; ops go into the
/// innermost open block.
#[pyclass(module = "autograph._core", subclass)]
pub(crate) struct BlockBuilder {
    builder: Option<Builder>,
    /// Location of the ops emitted next.
    location: Option<LocationId>,
    roots: Roots,
}

impl BlockBuilder {
    pub(crate) fn new(name: &str) -> Self {
        let mut builder = Builder::new(name);
        builder.function_mut().is_exact = is_exact();
        Self { builder: Some(builder), location: None, roots: Roots::default() }
    }

    pub(crate) fn builder(&mut self) -> PyResult<&mut Builder> {
        self.builder.as_mut().ok_or_else(is_finished)
    }

    /// Records a node without regions; returns its results.
    pub(crate) fn record(&mut self, op: Op, operands: &[u32]) -> PyResult<Vec<ValueId>> {
        let Some(builder) = self.builder.as_mut() else { return Err(is_finished()) };
        self.roots.emit(builder, op, &ids(operands), self.location).map_err(|error| graph_error(&error))
    }

    /// Records a node without regions; returns its only result.
    pub(crate) fn one(&mut self, op: Op, operands: &[u32]) -> PyResult<u32> {
        let results = self.record(op, operands)?;
        Ok(results.first().map_or(u32::MAX, |value| value.0))
    }

    pub(crate) fn with_regions(
        &mut self,
        op: Op,
        operands: &[u32],
        regions: &[&Region],
    ) -> PyResult<Vec<u32>> {
        let location = self.location;
        let blocks = regions.iter().map(|region| region.0.clone()).collect();
        let results = self
            .builder()?
            .emit_with_regions(op, &ids(operands), blocks, location)
            .map_err(|error| graph_error(&error))?;
        Ok(results.iter().map(|value| value.0).collect())
    }
}

#[pymethods]
impl BlockBuilder {
    /// Sets the location (a number that the caller assigns) of the ops emitted next.
    #[setter]
    fn set_location(&mut self, location: Option<u32>) {
        self.location = location.map(LocationId);
    }

    /// Names a value after the user's variable.
    fn name(&mut self, value: u32, name: &str) -> PyResult<()> {
        let slot = self.builder()?.function_mut().values.get_mut(value as usize);
        if let Some(slot) = slot {
            slot.name = Some(Arc::from(name));
        }
        Ok(())
    }

    /// The type of a value: the NumPy name of its dtype, and its shape; or "list", and its element type.
    fn type_of(&mut self, value: u32) -> PyResult<GraphType> {
        let function = self.builder()?.function();
        let value =
            function.values.get(value as usize).ok_or_else(|| PyValueError::new_err("no such value"))?;
        Ok(GraphType(value.ty.clone()))
    }

    /// The number of the place in the program whose node gives a value; None for parameters and in closed blocks.
    fn location_of(&mut self, value: u32) -> PyResult<Option<u32>> {
        let node = self.builder()?.defining(ag_ir::ValueId(value));
        Ok(node.and_then(|node| node.location).map(|place| place.0))
    }

    /// How a value is a view of one of the others: which one, and the steps in NumPy's words. None if NumPy's
    /// slices, reshapes and transpositions do not make it.
    fn view_steps(&mut self, value: u32, bases: Vec<u32>) -> PyResult<Option<(u32, Vec<ViewStep>)>> {
        Ok(views::steps(self.builder()?, ag_ir::ValueId(value), &bases))
    }

    /// The value that this one is with its axes in another order, and that order. None if it is no such view.
    fn turned(&mut self, value: u32) -> PyResult<Option<(u32, Vec<usize>)>> {
        Ok(views::turned(self.builder()?, ag_ir::ValueId(value)))
    }

    /// The number of values; ids from here on are new.
    #[getter]
    fn value_count(&mut self) -> PyResult<usize> {
        Ok(self.builder()?.function().values.len())
    }

    /// Whether the ops so far have no effects, cannot fail, and end.
    #[getter]
    fn is_pure(&mut self) -> PyResult<bool> {
        Ok(self.builder()?.is_pure())
    }

    /// Adds a parameter to the function itself, whatever block is open.
    fn function_param(&mut self, dtype: &str, sizes: Vec<usize>) -> PyResult<u32> {
        let dtype = dtype_named(dtype)?;
        Ok(self.builder()?.function_param(Type::known(dtype, &sizes)).0)
    }

    /// As `function_param`, for any type.
    fn function_param_of(&mut self, ty: GraphType) -> PyResult<u32> {
        Ok(self.builder()?.function_param(ty.0).0)
    }

    /// As `param`, for any type.
    fn param_of(&mut self, ty: GraphType) -> PyResult<u32> {
        Ok(self.builder()?.param(ty.0).0)
    }

    /// Reopens a closed region, to add to it.
    fn reopen(&mut self, region: &Region) -> PyResult<()> {
        self.builder()?.reopen(region.0.clone());
        Ok(())
    }

    fn param(&mut self, dtype: &str, sizes: Vec<usize>) -> PyResult<u32> {
        let dtype = dtype_named(dtype)?;
        Ok(self.builder()?.param(Type::known(dtype, &sizes)).0)
    }

    fn constant(&mut self, dtype: &str, sizes: Vec<usize>, bytes: &Bound<'_, PyBytes>) -> PyResult<u32> {
        let dtype = dtype_named(dtype)?;
        let bytes: Arc<[u8]> = bytes.as_bytes().into();
        if bytes.len() != sizes.iter().product::<usize>() * dtype.size() {
            return Err(PyValueError::new_err("a constant's bytes do not fit its shape"));
        }
        self.one(Op::Constant(Constant { dtype, sizes, bytes }), &[])
    }

    #[pyo3(signature = (op, x, checked=false))]
    fn unary(&mut self, op: &str, x: u32, checked: bool) -> PyResult<u32> {
        let op = op_named(UnaryOp::of_builder(op), op)?;
        self.one(Op::Unary(op, overflow(checked)), &[x])
    }

    #[pyo3(signature = (op, x, y, checked=false))]
    fn binary(&mut self, op: &str, x: u32, y: u32, checked: bool) -> PyResult<u32> {
        if let Some(op) = CompareOp::of_builder(op) {
            return self.one(Op::Compare(op), &[x, y]);
        }
        let op = op_named(BinaryOp::of_builder(op), op)?;
        self.one(Op::Binary(op, overflow(checked)), &[x, y])
    }

    /// `dims` has an `i64[]` for each unknown size.
    #[pyo3(signature = (x, sizes, dims=Vec::new()))]
    fn broadcast(&mut self, x: u32, sizes: Vec<Option<usize>>, dims: Vec<u32>) -> PyResult<u32> {
        self.one(Op::Broadcast(shape_of(&sizes)), &[&[x], &dims[..]].concat())
    }

    /// As `broadcast`; one of the sizes may be -1 in the run.
    #[pyo3(signature = (x, sizes, dims=Vec::new()))]
    fn reshape(&mut self, x: u32, sizes: Vec<Option<usize>>, dims: Vec<u32>) -> PyResult<u32> {
        self.one(Op::Reshape(shape_of(&sizes)), &[&[x], &dims[..]].concat())
    }

    /// 0, 1, 2, … below a number that is unknown until the run.
    fn iota_to(&mut self, dtype: &str, n: u32) -> PyResult<u32> {
        let dtype = dtype_named(dtype)?;
        self.one(Op::IotaTo(dtype), &[n])
    }

    /// The same array, with a type that knows more or fewer sizes; raises a `ValueError` with this message if
    /// the sizes differ.
    #[pyo3(signature = (x, sizes, message=""))]
    fn with_shape(&mut self, x: u32, sizes: Vec<Option<usize>>, message: &str) -> PyResult<u32> {
        let shape = WithShape { shape: shape_of(&sizes), message: message.into() };
        self.one(Op::WithShape(shape), &[x])
    }

    fn reduce(&mut self, op: &str, x: u32, axes: Vec<usize>, keepdims: bool) -> PyResult<u32> {
        let op = op_named(ReduceOp::of_builder(op), op)?;
        self.one(Op::Reduce { op, axes, keepdims }, &[x])
    }

    fn arg_reduce(&mut self, op: &str, x: u32, axis: usize) -> PyResult<u32> {
        let op = op_named(ReduceOp::of_builder(op), op)?;
        self.one(Op::ArgReduce { op, axis }, &[x])
    }

    fn arg_sort(&mut self, x: u32, axis: usize) -> PyResult<u32> {
        self.one(Op::ArgSort(axis), &[x])
    }

    fn sort(&mut self, x: u32, axis: usize) -> PyResult<u32> {
        self.one(Op::Sort(axis), &[x])
    }

    fn partition(&mut self, x: u32, axis: usize, ranks: Vec<usize>) -> PyResult<u32> {
        self.one(Op::Partition { axis, ranks }, &[x])
    }

    fn arg_partition(&mut self, x: u32, axis: usize, ranks: Vec<usize>) -> PyResult<u32> {
        self.one(Op::ArgPartition { axis, ranks }, &[x])
    }

    fn cumulative(&mut self, op: &str, x: u32, axis: usize) -> PyResult<u32> {
        let op = op_named(ReduceOp::of_builder(op), op)?;
        self.one(Op::Cumulative { op, axis }, &[x])
    }

    fn dot(
        &mut self,
        x: u32,
        y: u32,
        contract: (Vec<usize>, Vec<usize>),
        batch: (Vec<usize>, Vec<usize>),
    ) -> PyResult<u32> {
        let axes = DotAxes {
            left_batch: batch.0,
            right_batch: batch.1,
            left_contract: contract.0,
            right_contract: contract.1,
        };
        self.one(Op::Dot(axes), &[x, y])
    }

    fn decompose(&mut self, kind: &str, x: u32) -> PyResult<u32> {
        let kind = Decomposition::named(kind)
            .ok_or_else(|| PyValueError::new_err(format!("no decomposition named {kind}")))?;
        self.one(Op::Decompose(kind), &[x])
    }

    /// The Fourier transform of pairs of rows, real parts and imaginary parts.
    fn fourier(&mut self, x: u32, is_inverse: bool) -> PyResult<u32> {
        self.one(Op::Fourier { is_inverse }, &[x])
    }

    /// Random numbers of a stream. `state` is key and counter, followed for integers by the two bounds, for
    /// others by the unknown sizes.
    fn random(
        &mut self,
        draw: &str,
        dtype: &str,
        sizes: Vec<Option<usize>>,
        state: Vec<u32>,
    ) -> PyResult<u32> {
        let dtype = dtype_named(dtype)?;
        let draw = Draw::named(draw).ok_or_else(|| PyValueError::new_err(format!("no draw named {draw}")))?;
        self.one(Op::Random { draw, dtype, shape: shape_of(&sizes) }, &state)
    }

    /// A list of values of this type.
    fn list_make(&mut self, element: GraphType, values: Vec<u32>) -> PyResult<u32> {
        self.one(Op::List(ListOp::Make(element.0)), &values)
    }

    #[pyo3(signature = (ok, error, message, site=None, values=Vec::new()))]
    fn check(
        &mut self,
        ok: u32,
        error: &str,
        message: &str,
        site: Option<u32>,
        values: Vec<u32>,
    ) -> PyResult<()> {
        let operands: Vec<u32> = std::iter::once(ok).chain(values).collect();
        self.one(Op::Check(Check { error: error.into(), message: message.into(), site }), &operands)?;
        Ok(())
    }

    fn print(&mut self, site: u32, values: Vec<u32>) -> PyResult<()> {
        self.one(Op::Print { site }, &values)?;
        Ok(())
    }

    /// Makes the error of a run that fails from here on report a value in a slot, where `before` was kept so
    /// far.
    fn keep(&mut self, slot: u32, value: u32, before: u32) -> PyResult<()> {
        if !self.builder()?.follows(ag_ir::ValueId(value), ag_ir::ValueId(before)) {
            self.one(Op::KeepEnd(slot), &[before])?;
        }
        self.one(Op::Keep(slot), &[value])?;
        Ok(())
    }

    /// Makes the host run the code of a site; `results` are the types of its results.
    fn callback(&mut self, site: u32, values: Vec<u32>, results: Vec<GraphType>) -> PyResult<Vec<u32>> {
        let results = results.into_iter().map(|ty| ty.0).collect();
        self.with_regions(Op::Callback(Callback { site, results }), &values, &[])
    }

    fn if_(&mut self, test: u32, then: &Region, otherwise: &Region) -> PyResult<Vec<u32>> {
        self.with_regions(Op::If, &[test], &[then, otherwise])
    }

    fn while_(&mut self, carries: Vec<u32>, test: &Region, body: &Region) -> PyResult<Vec<u32>> {
        self.with_regions(Op::While, &carries, &[test, body])
    }

    fn for_(&mut self, bounds: (u32, u32, u32), carries: Vec<u32>, body: &Region) -> PyResult<Vec<u32>> {
        let operands: Vec<u32> = [bounds.0, bounds.1, bounds.2].into_iter().chain(carries).collect();
        self.with_regions(Op::For, &operands, &[body])
    }

    /// Declares a function that the graph calls; returns its number.
    fn declare(&mut self, name: &str) -> PyResult<usize> {
        Ok(self.builder()?.declare(name))
    }

    /// Defines the body of a declared function: a block that was recorded inside its first caller.
    fn define(&mut self, number: usize, body: &Region) -> PyResult<()> {
        self.builder()?.define(number, body.0.clone());
        Ok(())
    }

    /// Calls a function of the graph; `results` are the types of its results.
    fn call(&mut self, callee: usize, operands: Vec<u32>, results: Vec<GraphType>) -> PyResult<Vec<u32>> {
        let results = results.into_iter().map(|ty| ty.0).collect();
        self.with_regions(Op::Call(Call { callee, results }), &operands, &[])
    }

    /// Opens a block inside the innermost one.
    fn open(&mut self) -> PyResult<()> {
        self.builder()?.open();
        Ok(())
    }

    /// Closes the innermost block and returns it with these results.
    fn close(&mut self, results: Vec<u32>) -> PyResult<Region> {
        Ok(Region(self.builder()?.close(ids(&results))))
    }

    fn mark(&mut self) -> PyResult<Mark> {
        Ok(Mark(self.builder()?.mark()))
    }

    fn roll_back(&mut self, mark: &Mark) -> PyResult<()> {
        self.builder()?.roll_back(mark.0);
        Ok(())
    }

    /// Ends building. `locations` holds, for each location number, file, function and the four positions
    /// (line, column, end line, end column); `sites` describes in words what Python does at each site.
    /// `callers` holds, for each location, the number of the call of its function; a number below zero where
    /// no other function of the user called it. It may be left out.
    #[pyo3(signature = (results, locations, sites=Vec::new(), callers=Vec::new()))]
    fn finish(
        &mut self,
        results: Vec<u32>,
        locations: Vec<LocationTuple>,
        sites: Vec<String>,
        callers: Vec<i64>,
    ) -> PyResult<Graph> {
        let mut builder = self.builder.take().ok_or_else(is_finished)?;
        set_places(&mut builder, locations, sites, callers);
        verified(builder.finish(ids(&results)))
    }
}

/// Gives the function that is built its locations and the words of its sites.
pub(crate) fn set_places(
    builder: &mut Builder,
    locations: Vec<LocationTuple>,
    sites: Vec<String>,
    callers: Vec<i64>,
) {
    let callers = callers.into_iter().map(|number| u32::try_from(number).ok().map(LocationId));
    builder.function_mut().locations = locations
        .into_iter()
        .zip(callers.chain(std::iter::repeat(None)))
        .map(|(place, caller)| source_location(place, caller))
        .collect();
    builder.function_mut().sites = sites.into_iter().map(Arc::from).collect();
}

/// A finished graph. One that is not valid was recorded wrongly: compiling it would give another program, or
/// panic.
pub(crate) fn verified(function: Function) -> PyResult<Graph> {
    verify(&function).map_err(|errors| {
        let first = errors.first().map(|error| error.message.clone()).unwrap_or_default();
        PyRuntimeError::new_err(format!("the recorded graph is not valid: {first}"))
    })?;
    Ok(Graph { function: Arc::new(function) })
}

/// File, function, line, column, end line, end column.
pub(crate) type LocationTuple = (String, String, u32, u32, u32, u32);

fn source_location(
    (file, function, line, column, end_line, end_column): LocationTuple,
    caller: Option<LocationId>,
) -> SourceLocation {
    SourceLocation {
        file: file.into(),
        function: function.into(),
        line,
        column,
        end_line,
        end_column,
        caller,
    }
}
