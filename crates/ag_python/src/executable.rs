//! Compiled graphs: run with the interpreter lock released, on NumPy's own memory.

use std::sync::Arc;

use ag_engine::{Input, Output};
use ag_ir::Function;
use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::prelude::*;

use crate::graph::Graph;
use crate::run::{Checked, PythonHost, run_failure};

/// A graph compiled to machine code.
#[pyclass(module = "autograph._core", frozen)]
pub(crate) struct Executable {
    function: Arc<Function>,
    engine: ag_engine::Executable,
}

#[pymethods]
impl Graph {
    /// Optimises the graph and compiles it.
    fn compile(&self, py: Python<'_>) -> PyResult<Executable> {
        let function = Arc::clone(&self.function);
        let compiled = py.detach(|| {
            let optimised = ag_optimize::optimize(Function::clone(&function));
            ag_engine::Executable::compile(&optimised)
        });
        let engine = compiled.map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
        Ok(Executable { function, engine })
    }
}

#[pymethods]
impl Executable {
    /// Runs the graph; results are written into `outputs`. Prints go to `show(site, arrays)`.
    fn run(
        &self,
        py: Python<'_>,
        inputs: Vec<Bound<'_, PyAny>>,
        outputs: Vec<Bound<'_, PyAny>>,
        show: Py<PyAny>,
    ) -> PyResult<()> {
        let inputs: Vec<Checked> = inputs.iter().map(Checked::new).collect::<PyResult<_>>()?;
        let mut outputs: Vec<Checked> = outputs.iter().map(Checked::new_writable).collect::<PyResult<_>>()?;
        let body = &self.function.body;
        if inputs.len() != body.params.len() || outputs.len() != body.results.len() {
            return Err(PyTypeError::new_err("not as many arrays as the graph has inputs and outputs"));
        }
        let sizes = |value| self.function.ty(value).sizes().unwrap_or_default();
        let input_sizes: Vec<Vec<usize>> = body.params.iter().map(|param| sizes(*param)).collect();
        let output_sizes: Vec<Vec<usize>> = body.results.iter().map(|result| sizes(*result)).collect();
        let mut given = Vec::with_capacity(inputs.len());
        for (input, sizes) in inputs.iter().zip(&input_sizes) {
            if !input.has_sizes(sizes) {
                return Err(PyTypeError::new_err("an input of another shape than the graph's"));
            }
            given.push(Input::new(input.dtype, sizes, input.bytes()).map_err(unfit)?);
        }
        let mut taken = Vec::with_capacity(outputs.len());
        for (output, sizes) in outputs.iter_mut().zip(&output_sizes) {
            if !output.has_sizes(sizes) {
                return Err(PyTypeError::new_err("an output of another shape than the graph's"));
            }
            taken.push(Output::new(output.dtype, sizes, output.bytes_mut()).map_err(unfit)?);
        }
        let mut host = PythonHost { show };
        let result = py.detach(|| self.engine.run(&given, &mut taken, &mut host));
        result.map_err(|error| run_failure(py, error))
    }

    /// Short figures about the compiled code, for people.
    fn report(&self) -> String {
        self.engine.report()
    }
}

fn unfit(error: impl std::fmt::Display) -> PyErr {
    PyTypeError::new_err(error.to_string())
}
