//! The Python bindings: `autograph._core`. This is the only crate that uses PyO3. It only converts values:
//! every decision is made in the crates that it binds, or in the Python package.

mod aligned_arrays;
mod analyses;
mod argument_forms;
mod argument_trees;
mod binding;
mod block_builder;
mod character_names;
mod complex_parts;
mod convert;
mod dispatch;
mod errors;
mod executable;
mod floating_modes;
mod gradients;
mod graph;
mod graph_types;
mod graph_walk;
mod guards;
mod known_classes;
mod location_table;
mod numerics;
mod op_methods;
mod op_table;
mod operands;
mod positions;
mod profile;
mod recording;
mod result_shape;
mod run;
mod signature;
mod sized_result;
mod specialisation;
mod tangent;
mod views;

use pyo3::prelude::*;

#[pymodule(gil_used = true)]
fn _core(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    // The parser asks how much stack is left. The answer is cached for the thread; for the main thread it is
    // read from the list of all mapped files, which took a tenth of the first call of a staged function.
    stacker::remaining_stack();
    ag_syntax::ask_for_characters(character_names::character);
    module.add("DiagnosticError", py.get_type::<convert::DiagnosticError>())?;
    module.add("GraphError", py.get_type::<block_builder::GraphError>())?;
    module.add("GradientError", py.get_type::<gradients::GradientError>())?;
    module.add("GraphFailure", py.get_type::<run::GraphFailure>())?;
    module.add_class::<convert::ParsedModule>()?;
    module.add_class::<convert::ConvertedText>()?;
    module.add_class::<argument_forms::FormGuard>()?;
    module.add_class::<argument_forms::FormWatch>()?;
    module.add_class::<tangent::TangentRule>()?;
    module.add_function(wrap_pyfunction!(tangent::tangent_derivative, module)?)?;
    module.add_function(wrap_pyfunction!(tangent::tangent_writes, module)?)?;
    module.add_class::<analyses::FunctionAnalysis>()?;
    module.add_class::<dispatch::Dispatcher>()?;
    module.add_class::<executable::Executable>()?;
    module.add_class::<profile::ProfiledExecutable>()?;
    module.add_class::<floating_modes::FloatingModes>()?;
    module.add_class::<result_shape::ResultShape>()?;
    module.add_class::<block_builder::BlockBuilder>()?;
    module.add_class::<op_methods::GraphBuilder>()?;
    module.add_class::<graph::Graph>()?;
    module.add_class::<graph_walk::GraphFunction>()?;
    module.add_class::<graph_walk::GraphBlock>()?;
    module.add_class::<graph_walk::GraphNode>()?;
    module.add_class::<graph_walk::GraphValue>()?;
    module.add_class::<graph_walk::GraphSpan>()?;
    module.add("GRAPH_TEXT_VERSION", ag_ir::TEXT_VERSION)?;
    module.add_class::<block_builder::Region>()?;
    module.add_class::<block_builder::Mark>()?;
    module.add_function(wrap_pyfunction!(aligned_arrays::new_array, module)?)?;
    module.add_function(wrap_pyfunction!(convert::parse, module)?)?;
    module.add_function(wrap_pyfunction!(analyses::find_function, module)?)?;
    module.add_function(wrap_pyfunction!(analyses::analyse_function, module)?)?;
    module.add_function(wrap_pyfunction!(errors::render_error, module)?)?;
    module.add_function(wrap_pyfunction!(errors::error_catalogue, module)?)?;
    module.add_function(wrap_pyfunction!(op_table::op_table, module)?)?;
    module.add_function(wrap_pyfunction!(op_methods::op_methods, module)?)?;
    module.add_function(wrap_pyfunction!(positions::positions, module)?)?;
    module.add_function(wrap_pyfunction!(recording::count_backends, module)?)?;
    module.add_function(wrap_pyfunction!(numerics::set_exact, module)?)?;
    module.add_function(wrap_pyfunction!(numerics::is_exact, module)?)?;
    module.add_function(wrap_pyfunction!(gradients::vjp, module)?)?;
    module.add_function(wrap_pyfunction!(gradients::jvp, module)?)?;
    module.add_function(wrap_pyfunction!(gradients::apply_rules, module)?)?;
    module.add_function(wrap_pyfunction!(gradients::checkpoint, module)?)?;
    module.add_function(wrap_pyfunction!(gradients::float_values, module)?)?;
    module.add_function(wrap_pyfunction!(gradients::identity, module)?)?;
    module.add_function(wrap_pyfunction!(gradients::scope, module)?)?;
    module.add_function(wrap_pyfunction!(gradients::closed_scope, module)?)?;
    module.add_function(wrap_pyfunction!(gradients::vmap, module)?)?;
    module.add_function(wrap_pyfunction!(gradients::zeros_like, module)?)?;
    module.add_function(wrap_pyfunction!(gradients::unbound_like, module)?)?;
    module.add_function(wrap_pyfunction!(gradients::detach, module)?)?;
    module.add_function(wrap_pyfunction!(gradients::require_forward_rules, module)?)?;
    module.add_function(wrap_pyfunction!(gradients::transposed, module)?)?;
    module.add_function(wrap_pyfunction!(gradients::inline_graph, module)?)?;
    Ok(())
}
