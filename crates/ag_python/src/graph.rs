//! The graph builder for Python: one method for each op; values are integers.

use std::sync::Arc;

use ag_ir::{
    BinaryOp, Block, Builder, Call, Callback, Check, Checkpoint, CompareOp, Constant, DType, Decomposition,
    DotAxes, Draw, Function, InferError, ListOp, LocationId, Op, Overflow, ReduceOp, SourceLocation, Type,
    UnaryOp, ValueId, WithShape, verify,
};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};

use crate::executable::Executable;
use crate::graph_types::{GraphType, shape_of};
use crate::graph_walk::{self, GraphFunction};
use crate::run::interpret;
use crate::views::{self, ViewStep};

pyo3::create_exception!(_core, GraphError, PyValueError, "Operands that do not fit an op.");

fn graph_error(error: &InferError) -> PyErr {
    GraphError::new_err(error.0.clone())
}

/// Reads a dtype by its NumPy name.
pub(crate) fn dtype_named(name: &str) -> PyResult<DType> {
    match name {
        "bool" => Ok(DType::Bool),
        "uint8" => Ok(DType::U8),
        "int32" => Ok(DType::I32),
        "int64" => Ok(DType::I64),
        "float32" => Ok(DType::F32),
        "float64" => Ok(DType::F64),
        _ => Err(PyValueError::new_err(format!("no graph type for dtype {name}"))),
    }
}

/// The NumPy name of a dtype.
pub(crate) const fn numpy_name(dtype: DType) -> &'static str {
    match dtype {
        DType::Bool => "bool",
        DType::U8 => "uint8",
        DType::I32 => "int32",
        DType::I64 => "int64",
        DType::F32 => "float32",
        DType::F64 => "float64",
    }
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
pub(crate) struct Mark(Checkpoint);

/// Builds a graph op by op. Values are integers; ops go into the innermost open block.
#[pyclass(module = "autograph._core", subclass)]
pub(crate) struct GraphBuilder {
    builder: Option<Builder>,
    /// Location of the ops emitted next.
    location: Option<LocationId>,
}

impl GraphBuilder {
    pub(crate) fn builder(&mut self) -> PyResult<&mut Builder> {
        self.builder.as_mut().ok_or_else(|| PyRuntimeError::new_err("the graph is finished"))
    }

    pub(crate) fn one(&mut self, op: Op, operands: &[u32]) -> PyResult<u32> {
        let location = self.location;
        let results =
            self.builder()?.emit(op, &ids(operands), location).map_err(|error| graph_error(&error))?;
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
impl GraphBuilder {
    #[new]
    fn new(name: &str) -> Self {
        Self { builder: Some(Builder::new(name)), location: None }
    }

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

    /// How a value is a view of one of the others: which one, and the steps in NumPy's words. None if NumPy's
    /// slices, reshapes and transpositions do not make it.
    fn view_steps(&mut self, value: u32, bases: Vec<u32>) -> PyResult<Option<(u32, Vec<ViewStep>)>> {
        Ok(views::steps(self.builder()?, ag_ir::ValueId(value), &bases))
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

    fn iota(&mut self, dtype: &str, size: usize) -> PyResult<u32> {
        let dtype = dtype_named(dtype)?;
        self.one(Op::Iota { dtype, size }, &[])
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

    fn select(&mut self, test: u32, x: u32, y: u32) -> PyResult<u32> {
        self.one(Op::Select, &[test, x, y])
    }

    fn cast(&mut self, x: u32, dtype: &str) -> PyResult<u32> {
        let dtype = dtype_named(dtype)?;
        self.one(Op::Cast(dtype), &[x])
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

    /// The size of an axis.
    fn size(&mut self, x: u32, axis: usize) -> PyResult<u32> {
        self.one(Op::Size(axis), &[x])
    }

    /// 0, 1, 2, … below a number that is unknown until the run.
    fn iota_to(&mut self, dtype: &str, n: u32) -> PyResult<u32> {
        let dtype = dtype_named(dtype)?;
        self.one(Op::IotaTo(dtype), &[n])
    }

    /// The elements of an axis at `range(start, stop, step)`, bounds as `slice.indices` gives them.
    fn slice_range(&mut self, x: u32, start: u32, stop: u32, step: u32, axis: usize) -> PyResult<u32> {
        self.one(Op::SliceRange { axis }, &[x, start, stop, step])
    }

    /// The indices of the true elements, one array for each axis.
    fn nonzero(&mut self, x: u32) -> PyResult<Vec<u32>> {
        self.with_regions(Op::Nonzero, &[x], &[])
    }

    /// The same array, with a type that knows more or fewer sizes; raises a `ValueError` with this message if
    /// the sizes differ.
    #[pyo3(signature = (x, sizes, message=""))]
    fn with_shape(&mut self, x: u32, sizes: Vec<Option<usize>>, message: &str) -> PyResult<u32> {
        let shape = WithShape { shape: shape_of(&sizes), message: message.into() };
        self.one(Op::WithShape(shape), &[x])
    }

    fn transpose(&mut self, x: u32, permutation: Vec<usize>) -> PyResult<u32> {
        self.one(Op::Transpose(permutation), &[x])
    }

    /// An axis of unknown size is taken as a whole; its `size` is `None`.
    fn slice(&mut self, x: u32, start: Vec<i64>, size: Vec<Option<usize>>, step: Vec<i64>) -> PyResult<u32> {
        self.one(Op::Slice { start, size: shape_of(&size), step }, &[x])
    }

    fn dynamic_slice(&mut self, x: u32, start: u32, axis: usize, size: usize) -> PyResult<u32> {
        self.one(Op::DynamicSlice { axis, size }, &[x, start])
    }

    fn update_slice(&mut self, x: u32, v: u32, start: Vec<i64>, step: Vec<i64>) -> PyResult<u32> {
        self.one(Op::UpdateSlice { start, step }, &[x, v])
    }

    fn dynamic_update_slice(&mut self, x: u32, v: u32, start: u32, axis: usize) -> PyResult<u32> {
        self.one(Op::DynamicUpdateSlice { axis }, &[x, v, start])
    }

    fn gather(&mut self, x: u32, indices: Vec<u32>, axis: usize) -> PyResult<u32> {
        let operands: Vec<u32> = std::iter::once(x).chain(indices.iter().copied()).collect();
        self.one(Op::Gather { axis, count: indices.len() }, &operands)
    }

    fn scatter(&mut self, x: u32, v: u32, indices: Vec<u32>, axis: usize) -> PyResult<u32> {
        let operands: Vec<u32> = [x, v].into_iter().chain(indices.iter().copied()).collect();
        self.one(Op::Scatter { axis, count: indices.len() }, &operands)
    }

    fn concatenate(&mut self, operands: Vec<u32>, axis: usize) -> PyResult<u32> {
        self.one(Op::Concatenate(axis), &operands)
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

    fn solve_lu(&mut self, lu: u32, side: u32) -> PyResult<u32> {
        self.one(Op::SolveLu, &[lu, side])
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

    fn list_append(&mut self, list: u32, value: u32) -> PyResult<u32> {
        self.one(Op::List(ListOp::Append), &[list, value])
    }

    /// The list without its last value, and that value.
    fn list_pop(&mut self, list: u32) -> PyResult<(u32, u32)> {
        let results = self.with_regions(Op::List(ListOp::Pop), &[list], &[])?;
        match results[..] {
            [rest, last] => Ok((rest, last)),
            _ => Err(PyRuntimeError::new_err("a pop gives two values")),
        }
    }

    fn list_get(&mut self, list: u32, index: u32) -> PyResult<u32> {
        self.one(Op::List(ListOp::Get), &[list, index])
    }

    fn list_set(&mut self, list: u32, index: u32, value: u32) -> PyResult<u32> {
        self.one(Op::List(ListOp::Set), &[list, index, value])
    }

    fn list_insert(&mut self, list: u32, index: u32, value: u32) -> PyResult<u32> {
        self.one(Op::List(ListOp::Insert), &[list, index, value])
    }

    fn list_delete(&mut self, list: u32, index: u32) -> PyResult<u32> {
        self.one(Op::List(ListOp::Delete), &[list, index])
    }

    fn list_concatenate(&mut self, left: u32, right: u32) -> PyResult<u32> {
        self.one(Op::List(ListOp::Concatenate), &[left, right])
    }

    fn list_slice(&mut self, list: u32, start: u32, stop: u32, step: u32) -> PyResult<u32> {
        self.one(Op::List(ListOp::Slice), &[list, start, stop, step])
    }

    fn list_reverse(&mut self, list: u32) -> PyResult<u32> {
        self.one(Op::List(ListOp::Reverse), &[list])
    }

    /// A list of zeros of the same length.
    fn list_zeros(&mut self, list: u32) -> PyResult<u32> {
        self.one(Op::List(ListOp::Zeros), &[list])
    }

    fn list_length(&mut self, list: u32) -> PyResult<u32> {
        self.one(Op::List(ListOp::Length), &[list])
    }

    /// The values stacked to one array; fails unless there are `size` of them, if that is given.
    #[pyo3(signature = (list, size=None))]
    fn list_stack(&mut self, list: u32, size: Option<usize>) -> PyResult<u32> {
        self.one(Op::List(ListOp::Stack { size }), &[list])
    }

    /// The list of the rows of an array.
    fn list_unstack(&mut self, array: u32) -> PyResult<u32> {
        self.one(Op::List(ListOp::Unstack), &[array])
    }

    /// The value at `place` of the list at `index` of a list of lists.
    fn list_get_in(&mut self, list: u32, index: u32, place: u32) -> PyResult<u32> {
        self.one(Op::List(ListOp::GetIn), &[list, index, place])
    }

    fn list_set_in(&mut self, list: u32, index: u32, place: u32, value: u32) -> PyResult<u32> {
        self.one(Op::List(ListOp::SetIn), &[list, index, place, value])
    }

    fn list_append_in(&mut self, list: u32, index: u32, value: u32) -> PyResult<u32> {
        self.one(Op::List(ListOp::AppendIn), &[list, index, value])
    }

    /// Removes the last value of the list at `index` of a list of lists; returns the list of lists, and the
    /// value.
    fn list_pop_in(&mut self, list: u32, index: u32) -> PyResult<(u32, u32)> {
        let results = self.with_regions(Op::List(ListOp::PopIn), &[list, index], &[])?;
        match results[..] {
            [rest, last] => Ok((rest, last)),
            _ => Err(PyRuntimeError::new_err("a pop gives two values")),
        }
    }

    fn list_length_in(&mut self, list: u32, index: u32) -> PyResult<u32> {
        self.one(Op::List(ListOp::LengthIn), &[list, index])
    }

    /// The values of all inner lists, one list after the other.
    fn list_flatten(&mut self, list: u32) -> PyResult<u32> {
        self.one(Op::List(ListOp::Flatten), &[list])
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
        Ok(Mark(self.builder()?.checkpoint()))
    }

    fn roll_back(&mut self, mark: &Mark) -> PyResult<()> {
        self.builder()?.roll_back(mark.0);
        Ok(())
    }

    /// Ends building. `locations` holds, for each location number, file, function and the four positions
    /// (line, column, end line, end column); `sites` describes in words what Python does at each site.
    #[pyo3(signature = (results, locations, sites=Vec::new()))]
    fn finish(
        &mut self,
        results: Vec<u32>,
        locations: Vec<LocationTuple>,
        sites: Vec<String>,
    ) -> PyResult<Graph> {
        let mut builder =
            self.builder.take().ok_or_else(|| PyRuntimeError::new_err("the graph is finished"))?;
        builder.function_mut().locations = locations.into_iter().map(source_location).collect();
        builder.function_mut().sites = sites.into_iter().map(Arc::from).collect();
        let function = builder.finish(ids(&results));
        // An invalid graph was recorded wrongly: compiling it would give another program, or panic.
        verify(&function).map_err(|errors| {
            let first = errors.first().map(|error| error.message.clone()).unwrap_or_default();
            PyRuntimeError::new_err(format!("the recorded graph is not valid: {first}"))
        })?;
        Ok(Graph { function: Arc::new(function) })
    }
}

/// File, function, line, column, end line, end column.
pub(crate) type LocationTuple = (String, String, u32, u32, u32, u32);

fn source_location((file, function, line, column, end_line, end_column): LocationTuple) -> SourceLocation {
    SourceLocation { file: file.into(), function: function.into(), line, column, end_line, end_column }
}

/// A graph, as `ag.function` records and compiles it.
///
/// It is read-only: `functions` are its functions, their `blocks` have `nodes`, and those have operands and
/// results, which are values with types. `str(graph)` is its text.
#[pyclass(module = "autograph._core", frozen)]
pub(crate) struct Graph {
    pub(crate) function: Arc<Function>,
}

#[pymethods]
impl Graph {
    /// The graph as text: as it was recorded, or as it runs.
    #[pyo3(signature = (is_optimised=false))]
    fn text(&self, is_optimised: bool) -> String {
        if is_optimised {
            return ag_optimize::optimize(Function::clone(&self.function)).to_string();
        }
        self.function.to_string()
    }

    /// Its functions: the staged one, then the functions that it calls, by number.
    #[getter]
    fn functions(&self) -> Vec<GraphFunction> {
        graph_walk::functions(&self.function)
    }

    /// Descriptions of what Python does for the running graph, by the number of the site.
    #[getter]
    fn sites(&self) -> Vec<&str> {
        self.function.sites.iter().map(AsRef::as_ref).collect()
    }

    /// The optimised graph, as it is compiled: it does the same with less work.
    fn optimised(&self) -> Self {
        Self { function: Arc::new(ag_optimize::optimize(Function::clone(&self.function))) }
    }

    fn __str__(&self) -> String {
        self.text(false)
    }

    fn __repr__(&self) -> String {
        let functions = self.functions();
        let nodes: usize = functions.iter().map(GraphFunction::node_count).sum();
        let called = match functions.len() - 1 {
            0 => String::new(),
            1 => ", 1 function that it calls".to_owned(),
            count => format!(", {count} functions that it calls"),
        };
        format!("<graph of {}: {nodes} nodes{called}>", self.function.name)
    }

    /// Optimises the graph and compiles it.
    fn compile(&self, py: Python<'_>) -> PyResult<Executable> {
        Executable::compile(py, &self.function)
    }

    /// Runs the graph with the reference interpreter, which is slow and defines the meaning of every op.
    fn interpret<'py>(
        &self,
        py: Python<'py>,
        inputs: Vec<Bound<'py, PyAny>>,
        show: Py<PyAny>,
    ) -> PyResult<Bound<'py, PyList>> {
        interpret(py, &self.function, &inputs, show)
    }
}
