//! A recorded graph, for Python.

use std::sync::Arc;

use ag_ir::Function;
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::executable::Executable;
use crate::graph_walk::{self, GraphFunction};
use crate::profile::ProfiledExecutable;
use crate::run::interpret;

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

    /// Whether it was recorded to be exact: it gives the bits that the interpreter gives.
    #[getter]
    fn is_exact(&self) -> bool {
        self.function.is_exact
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

    /// Optimises the graph and compiles it so that its runs measure themselves.
    fn compile_profiled(&self, py: Python<'_>) -> PyResult<ProfiledExecutable> {
        ProfiledExecutable::compile(py, &self.function)
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
