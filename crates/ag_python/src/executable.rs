//! Compiled graphs: run with the interpreter lock released, on NumPy's own memory.

use std::sync::Arc;

use ag_engine::{Input, OperandError, Output};
use ag_ir::Function;
use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::prelude::*;

use crate::run::{Checked, PythonHost, run_failure};

/// A graph compiled to machine code.
#[pyclass(module = "autograph._core", frozen)]
pub(crate) struct Executable {
    pub(crate) function: Arc<Function>,
    pub(crate) engine: ag_engine::Executable,
}

impl Executable {
    /// Optimises a function and compiles it.
    pub(crate) fn compile(py: Python<'_>, function: &Arc<Function>) -> PyResult<Self> {
        let compiled = py.detach(|| {
            let optimised = ag_optimize::optimize(Function::clone(function));
            ag_engine::Executable::compile(&optimised)
        });
        let engine = compiled.map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
        Ok(Self { function: Arc::clone(function), engine })
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
        let sizes = |value| self.function.tensor(value).sizes().unwrap_or_default();
        let input_sizes: Vec<Vec<usize>> = body.params.iter().map(|param| sizes(*param)).collect();
        let output_sizes: Vec<Vec<usize>> = body.results.iter().map(|result| sizes(*result)).collect();
        let fits = |arrays: &[Checked], sizes: &[Vec<usize>]| {
            arrays.iter().zip(sizes).all(|(array, sizes)| array.has_sizes(sizes))
        };
        if !fits(&inputs, &input_sizes) || !fits(&outputs, &output_sizes) {
            return Err(PyTypeError::new_err("an array of another shape than the graph's"));
        }
        let sources: Vec<_> = inputs.iter().map(|input| (input.dtype, input.bytes())).collect();
        let targets: Vec<_> = outputs.iter_mut().map(|output| (output.dtype, output.bytes_mut())).collect();
        let mut host = PythonHost { show };
        let ran = py.detach(|| {
            let given: Result<Vec<_>, _> = sources
                .iter()
                .zip(&input_sizes)
                .map(|((dtype, bytes), sizes)| Input::new(*dtype, sizes, bytes))
                .collect();
            let taken: Result<Vec<_>, _> = targets
                .into_iter()
                .zip(&output_sizes)
                .map(|((dtype, bytes), sizes)| Output::new(dtype, sizes, bytes))
                .collect();
            Ok::<_, OperandError>(self.engine.run(&given?, &mut taken?, &mut host))
        });
        let result = ran.map_err(|error| PyTypeError::new_err(error.to_string()))?;
        result.map_err(|error| run_failure(py, error))
    }

    /// Short figures about the compiled code, for people.
    fn report(&self) -> String {
        self.engine.report()
    }
}
