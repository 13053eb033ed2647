//! Read-only access to a finished graph for Python: functions, blocks, nodes, values.
//!
//! Each object keeps the graph alive. Two objects are equal if they represent the same part of one graph.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, OnceLock};

use ag_ir::{
    Attribute, Block, Constant, Function, Node, SizeNames, SourceLocation, Type, ValueId, node_text,
    size_names, value_text, walk,
};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple};

use crate::graph_types::numpy_name;

/// A graph, and the names of the sizes in its functions once someone asks for them.
struct Walked {
    graph: Arc<Function>,
    names: OnceLock<Vec<SizeNames>>,
}

/// A function of a graph by its place in the text.
#[derive(Clone)]
struct Place {
    walked: Arc<Walked>,
    number: usize,
}

impl PartialEq for Place {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.walked.graph, &other.walked.graph) && self.number == other.number
    }
}

impl Eq for Place {}

impl Hash for Place {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (Arc::as_ptr(&self.walked.graph), self.number).hash(state);
    }
}

impl Place {
    fn graph(&self) -> &Function {
        &self.walked.graph
    }

    fn function(&self) -> &Function {
        match self.number.checked_sub(1) {
            None => self.graph(),
            Some(callee) => &self.graph().functions[callee],
        }
    }

    fn size_names(&self) -> &SizeNames {
        let all = || walk::functions(self.graph()).map(size_names).collect();
        &self.walked.names.get_or_init(all)[self.number]
    }

    fn values(&self, ids: &[ValueId]) -> Vec<GraphValue> {
        ids.iter().map(|id| GraphValue { place: self.clone(), id: *id }).collect()
    }
}

/// The functions of a graph, the main one first.
pub(crate) fn functions(graph: &Arc<Function>) -> Vec<GraphFunction> {
    let walked = Arc::new(Walked { graph: Arc::clone(graph), names: OnceLock::new() });
    (0..=graph.functions.len())
        .map(|number| GraphFunction { place: Place { walked: Arc::clone(&walked), number } })
        .collect()
}

/// A function of a graph: the staged one, or one that it calls.
#[pyclass(module = "autograph._core", frozen, eq, hash)]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct GraphFunction {
    place: Place,
}

/// Nodes in order, with parameters and results: the body of a function, or a region of a node.
#[pyclass(module = "autograph._core", frozen, eq, hash)]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct GraphBlock {
    place: Place,
    /// The path from the body of the function: at each level the node, and which of its regions.
    path: Vec<(usize, usize)>,
}

/// One operation.
#[pyclass(module = "autograph._core", frozen, eq, hash)]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct GraphNode {
    block: GraphBlock,
    index: usize,
}

/// A value of a graph: a parameter of a block, or a result of a node.
#[pyclass(module = "autograph._core", frozen, eq, hash)]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct GraphValue {
    place: Place,
    id: ValueId,
}

/// A place in the user's program. Lines count from 1, columns are bytes from 0.
#[pyclass(module = "autograph._core", frozen, eq, hash, get_all)]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct GraphSpan {
    /// The file, as the code object has it.
    file: String,
    /// The user's function.
    function: String,
    /// The first line.
    line: u32,
    /// The first column.
    column: u32,
    /// The last line.
    end_line: u32,
    /// The column after the last.
    end_column: u32,
}

impl GraphSpan {
    fn of(place: &SourceLocation) -> Self {
        Self {
            file: place.file.as_ref().to_owned(),
            function: place.function.as_ref().to_owned(),
            line: place.line,
            column: place.column,
            end_line: place.end_line,
            end_column: place.end_column,
        }
    }
}

impl GraphFunction {
    /// The number of its nodes, in all blocks.
    pub(crate) fn node_count(&self) -> usize {
        walk::blocks(self.place.function()).iter().map(|inside| inside.block.nodes.len()).sum()
    }
}

#[pymethods]
impl GraphFunction {
    /// The name of the user's function.
    #[getter]
    fn name(&self) -> &str {
        &self.place.function().name
    }

    /// The number by which a `call` refers to it; `None` for the staged function itself.
    #[getter]
    fn number(&self) -> Option<usize> {
        self.place.number.checked_sub(1)
    }

    /// Its parameters.
    #[getter]
    fn parameters(&self) -> Vec<GraphValue> {
        self.place.values(&self.place.function().body.params)
    }

    /// Its results.
    #[getter]
    fn results(&self) -> Vec<GraphValue> {
        self.place.values(&self.place.function().body.results)
    }

    /// Its body.
    #[getter]
    fn body(&self) -> GraphBlock {
        GraphBlock { place: self.place.clone(), path: Vec::new() }
    }

    /// All its blocks in the order of the text: its body, and the regions in it.
    #[getter]
    fn blocks(&self) -> Vec<GraphBlock> {
        let mut found = Vec::new();
        self.body().add_blocks(&mut found);
        found
    }

    /// All its nodes in the order of the text; the nodes of regions follow the node that has the regions.
    #[getter]
    fn nodes(&self) -> Vec<GraphNode> {
        let mut found = Vec::new();
        self.body().add_nodes(&mut found);
        found
    }

    fn __repr__(&self) -> String {
        let params: Vec<String> = self.parameters().iter().map(ToString::to_string).collect();
        format!("<function {}({}) of a graph>", self.name(), params.join(", "))
    }
}

impl GraphBlock {
    fn block(&self) -> &Block {
        let body = &self.place.function().body;
        self.path.iter().fold(body, |block, (node, region)| &block.nodes[*node].regions[*region])
    }

    fn inside(&self, node: usize, region: usize) -> Self {
        let mut path = self.path.clone();
        path.push((node, region));
        Self { place: self.place.clone(), path }
    }

    fn regions_of(&self, node: usize) -> impl Iterator<Item = Self> {
        (0..self.block().nodes[node].regions.len()).map(move |region| self.inside(node, region))
    }

    fn add_blocks(&self, found: &mut Vec<Self>) {
        found.push(self.clone());
        for node in 0..self.block().nodes.len() {
            self.regions_of(node).for_each(|region| region.add_blocks(found));
        }
    }

    fn add_nodes(&self, found: &mut Vec<GraphNode>) {
        for index in 0..self.block().nodes.len() {
            found.push(GraphNode { block: self.clone(), index });
            self.regions_of(index).for_each(|region| region.add_nodes(found));
        }
    }
}

#[pymethods]
impl GraphBlock {
    /// The name of the region: `then`, `else`, `test`, `body`, …; `None` for a function's own block.
    #[getter]
    fn name(&self) -> Option<&'static str> {
        let (_, region) = self.path.last()?;
        self.node()?.node().op.region_names().get(*region).copied()
    }

    /// The node whose region it is.
    #[getter]
    fn node(&self) -> Option<GraphNode> {
        let ((index, _), around) = self.path.split_last()?;
        let block = Self { place: self.place.clone(), path: around.to_vec() };
        Some(GraphNode { block, index: *index })
    }

    /// Its parameters.
    #[getter]
    fn parameters(&self) -> Vec<GraphValue> {
        self.place.values(&self.block().params)
    }

    /// Its nodes, in the order in which they run, without those of nested regions.
    #[getter]
    fn nodes(&self) -> Vec<GraphNode> {
        (0..self.block().nodes.len()).map(|index| GraphNode { block: self.clone(), index }).collect()
    }

    /// The values that it yields.
    #[getter]
    fn results(&self) -> Vec<GraphValue> {
        self.place.values(&self.block().results)
    }

    fn __repr__(&self) -> String {
        let nodes = self.block().nodes.len();
        let count = if nodes == 1 { "1 node".to_owned() } else { format!("{nodes} nodes") };
        match (self.name(), self.node()) {
            (Some(name), Some(node)) => format!("<region {name} of {}: {count}>", node.node().op.name()),
            _ => format!("<body of {}: {count}>", self.place.function().name),
        }
    }
}

impl GraphNode {
    fn node(&self) -> &Node {
        &self.block.block().nodes[self.index]
    }
}

#[pymethods]
impl GraphNode {
    /// The name of the op in the text form.
    #[getter]
    fn op(&self) -> String {
        self.node().op.name()
    }

    /// The attributes of the op by name: axes, sizes, texts, element types.
    #[getter]
    fn attributes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let attributes = PyDict::new(py);
        for attribute in self.node().op.attributes() {
            attributes.set_item(attribute.name, attribute_value(py, &attribute.value)?)?;
        }
        Ok(attributes)
    }

    /// Its operands.
    #[getter]
    fn operands(&self) -> Vec<GraphValue> {
        self.block.place.values(&self.node().operands)
    }

    /// The name of each operand.
    #[getter]
    fn operand_names(&self) -> Vec<&'static str> {
        let names = self.node().op.operand_names();
        (0..self.node().operands.len()).filter_map(|number| names.name(number)).collect()
    }

    /// Its results.
    #[getter]
    fn results(&self) -> Vec<GraphValue> {
        self.block.place.values(&self.node().results)
    }

    /// The regions of a control-flow node.
    #[getter]
    fn regions(&self) -> Vec<GraphBlock> {
        self.block.regions_of(self.index).collect()
    }

    /// The block that it is in.
    #[getter]
    fn block(&self) -> GraphBlock {
        self.block.clone()
    }

    /// The function that a `call` calls.
    #[getter]
    fn callee(&self) -> Option<GraphFunction> {
        let ag_ir::Op::Call(call) = &self.node().op else { return None };
        let walked = Arc::clone(&self.block.place.walked);
        Some(GraphFunction { place: Place { walked, number: call.callee + 1 } })
    }

    /// Where in the user's program it comes from, if that is known.
    #[getter]
    fn span(&self) -> Option<GraphSpan> {
        let place = self.node().span(self.block.place.function())?;
        Some(GraphSpan::of(place))
    }

    /// The calls of the user's functions that led there, innermost first: the callers' places.
    #[getter]
    fn callers(&self) -> Vec<GraphSpan> {
        self.node().callers(self.block.place.function()).map(GraphSpan::of).collect()
    }

    /// The number of the site for which Python runs code while the graph runs: a print, an exception, a
    /// callback.
    #[getter]
    fn site(&self) -> Option<u32> {
        self.node().site()
    }

    /// What Python does there, in words: `print('x =', {0})`, where `{0}` is the first value that it gets.
    /// The values are all operands, or for a `check` those after the first.
    #[getter]
    fn description(&self) -> Option<&str> {
        self.node().says(self.block.place.graph())
    }

    /// Whether Python computes its results, so that no other process can run it.
    #[getter]
    fn is_callback(&self) -> bool {
        self.node().is_callback()
    }

    /// Whether it, or a node in its regions, may fail.
    #[getter]
    fn may_fail(&self) -> bool {
        self.node().may_fail(self.block.place.function())
    }

    /// Whether it, or a node in its regions, has an effect besides its results.
    #[getter]
    fn has_effect(&self) -> bool {
        self.node().has_effect()
    }

    fn __repr__(&self) -> String {
        node_text(self.block.place.function(), self.node())
    }
}

/// The Python value of an attribute. Elements of an array are little-endian and read-only.
fn attribute_value<'py>(py: Python<'py>, value: &Attribute<'_>) -> PyResult<Bound<'py, PyAny>> {
    let object = match value {
        Attribute::Absent => py.None().into_bound(py),
        Attribute::Flag(flag) => flag.into_pyobject(py)?.to_owned().into_any(),
        Attribute::Number(number) => number.into_pyobject(py)?.into_any(),
        Attribute::Numbers(numbers) => PyTuple::new(py, *numbers)?.into_any(),
        Attribute::Integers(integers) => PyTuple::new(py, *integers)?.into_any(),
        Attribute::Sizes(sizes) => PyTuple::new(py, sizes.iter().map(|size| size.known()))?.into_any(),
        Attribute::Text(text) => text.into_pyobject(py)?.into_any(),
        Attribute::DType(dtype) => numpy_name(*dtype).into_pyobject(py)?.into_any(),
        Attribute::Array(constant) => constant_array(py, constant)?,
        Attribute::Type(ty) => ty.to_string().into_pyobject(py)?.into_any(),
        Attribute::Types(types) => PyTuple::new(py, types.iter().map(ToString::to_string))?.into_any(),
    };
    Ok(object)
}

fn constant_array<'py>(py: Python<'py>, constant: &Constant) -> PyResult<Bound<'py, PyAny>> {
    let numpy = py.import("numpy")?;
    let dtype = numpy
        .call_method1("dtype", (numpy_name(constant.dtype),))?
        .call_method1("newbyteorder", ("little",))?;
    let sizes = PyTuple::new(py, &constant.sizes)?;
    let bytes = PyBytes::new(py, &constant.little_endian());
    numpy.call_method1("ndarray", (sizes, dtype, bytes))
}

#[pymethods]
impl GraphValue {
    /// Its number in its function; `%3` in the text is number 3.
    #[getter]
    const fn number(&self) -> u32 {
        self.id.0
    }

    /// The user's variable that it was first bound to, if any.
    #[getter]
    fn name(&self) -> Option<&str> {
        self.place.function().values[self.id.0 as usize].name.as_deref()
    }

    /// Its type in the text form: `f64[3, ?]`, `list<f64[3]>`.
    #[getter]
    fn r#type(&self) -> String {
        self.ty().to_string()
    }

    /// NumPy's name of its dtype; `None` for a list.
    #[getter]
    fn dtype(&self) -> Option<&'static str> {
        self.ty().tensor().map(|tensor| numpy_name(tensor.dtype))
    }

    /// Its sizes; `None` for a list. An unknown size has a name, `s0`: sizes of one name in a function are
    /// equal.
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyTuple>>> {
        let Some(tensor) = self.ty().tensor() else { return Ok(None) };
        let mut sizes = Vec::with_capacity(tensor.rank());
        for (axis, dim) in tensor.shape.iter().enumerate() {
            sizes.push(match dim.known() {
                Some(size) => size.into_pyobject(py)?.into_any(),
                None => self.size_name(axis)?.into_pyobject(py)?.into_any(),
            });
        }
        PyTuple::new(py, sizes).map(Some)
    }

    fn __repr__(&self) -> String {
        self.to_string()
    }
}

impl GraphValue {
    fn ty(&self) -> &Type {
        self.place.function().ty(self.id)
    }

    fn size_name(&self, axis: usize) -> PyResult<String> {
        let name = self.place.size_names().name(self.id, axis);
        name.ok_or_else(|| PyRuntimeError::new_err(format!("axis {axis} of {self} has no name")))
    }
}

impl fmt::Display for GraphValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&value_text(self.place.function(), self.id))
    }
}

#[pymethods]
impl GraphSpan {
    fn __repr__(&self) -> String {
        let Self { file, function, line, column, end_line, end_column } = self;
        format!("<{file}:{line}:{column}-{end_line}:{end_column} in {function}>")
    }
}
