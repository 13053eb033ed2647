//! The Python bindings: `autograph._core`. The only crate that knows PyO3, and it only converts
//! values: every decision is made in the rooms it binds or in the Python package.

mod graph;
mod location_table;
mod positions;

use pyo3::prelude::*;

#[pymodule(gil_used = true)]
fn _core(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("GraphError", module.py().get_type::<graph::GraphError>())?;
    module.add_class::<graph::GraphBuilder>()?;
    module.add_class::<graph::Graph>()?;
    module.add_class::<graph::Region>()?;
    module.add_class::<graph::Mark>()?;
    module.add_function(wrap_pyfunction!(positions::position, module)?)?;
    Ok(())
}
